//! What is torn off at the end of a log is set aside before the log goes on.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::log::Ending;
use crate::append::{Appender, open_plain, sync_folder};
use crate::problem::Problem;

/// Makes a log ready for its next line, and says what was done to it.
///
/// The torn bytes are on the disk under another name before they leave the log. When that cannot
/// be done they stay, and the next line begins after a line end of its own.
pub(super) fn mend(log: &mut Appender, path: &Path, name: &str, ending: Ending) -> Option<Problem> {
    let end = log.file().metadata().map_or(log.len(), |data| data.len());
    let at = match ending {
        Ending::Clean => {
            log.goes_on_at(end, false);
            return None;
        }
        Ending::NoNewline => {
            log.goes_on_at(end, true);
            return None;
        }
        Ending::Torn(at) => at,
    };
    let bytes = end - at;
    match set_aside(log.file(), path, at).and_then(|aside| log.cut(at).map(|()| aside)) {
        Ok(aside) => {
            let aside = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let what = format!(
                "the last line was cut off (power loss?); its {bytes} bytes were set aside in {aside}"
            );
            Some(Problem::warning(name, what))
        }
        Err(error) => {
            log.goes_on_at(end, true);
            let what = format!("the last line was cut off, and could not be set aside: {error}");
            Some(Problem::warning(name, what).hint("it stays in the log, which goes on after it"))
        }
    }
}

/// Copies what is after `at` to a file of its own.
fn set_aside(log: &File, path: &Path, at: u64) -> io::Result<PathBuf> {
    let (aside, file) = new_file(path)?;
    let copied = copy(log, at, file).and_then(|()| path.parent().map_or(Ok(()), sync_folder));
    copied.inspect_err(|_| drop(std::fs::remove_file(&aside)))?;
    Ok(aside)
}

fn copy(log: &File, mut at: u64, mut file: File) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let n = log.read_at(&mut buffer, at)?;
        if n == 0 {
            return file.sync_all();
        }
        file.write_all(&buffer[..n])?;
        at += n as u64;
    }
}

/// The first name after the log's that is free.
fn new_file(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 1;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".torn-{number}"));
        let aside = PathBuf::from(name);
        match open_plain(OpenOptions::new().write(true).create_new(true), &aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            made => return made.map(|file| (aside, file)),
        }
    }
}
