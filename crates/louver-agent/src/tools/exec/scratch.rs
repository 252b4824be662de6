//! The temporary folder of commands, with a home folder in it.
//!
//! It goes with the one who made it. Who was killed could not remove it, so the next one does: a lock on the folder
//! tells whether somebody has it still, also in another container, where the number of a process means nothing.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::process::Pid;

/// A temporary folder that goes with the last one who has it.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) path: PathBuf,
    /// Locked for as long as it is open.
    _folder: File,
}

impl Scratch {
    pub(super) fn new() -> io::Result<Scratch> {
        let all = std::env::temp_dir();
        clear(&all);
        Scratch::in_folder(&all)
    }

    fn in_folder(all: &Path) -> io::Result<Scratch> {
        let path = all.join(format!("louver-{}-{:016x}", std::process::id(), fastrand::u64(..)));
        // It is not made if something has this name.
        let mut folder = DirBuilder::new();
        folder.mode(0o700).create(&path)?;
        let file = File::open(&path)?;
        // Where folders cannot be locked, the number in its name has to do.
        let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
        let scratch = Scratch { path, _folder: file };
        folder.create(scratch.path.join("tmp"))?;
        folder.create(scratch.path.join("home"))?;
        Ok(scratch)
    }

    /// Whether no command has removed parts of it.
    pub(super) fn is_whole(&self) -> bool {
        ["tmp", "home"].iter().all(|name| self.path.join(name).is_dir())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to whoever clears temporary folders.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders of those that were killed.
fn clear(all: &Path) {
    let us = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name();
        // Of the entry itself: a link is none of ours.
        let Ok(about) = entry.metadata() else { continue };
        let is_dead = name.to_str().and_then(owner).is_some_and(is_dead);
        if is_dead && about.is_dir() && about.uid() == us && !is_held(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_held(scratch: &Path) -> bool {
    let lock = |folder| flock(&folder, FlockOperation::NonBlockingLockExclusive);
    File::open(scratch).is_ok_and(|folder| lock(folder).is_err())
}

/// The process whose temporary folder has this name.
fn owner(name: &str) -> Option<Pid> {
    let (number, word) = name.strip_prefix("louver-")?.split_once('-')?;
    let is_ours = word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    number.parse().ok().filter(|_| is_ours).and_then(Pid::from_raw)
}

fn is_dead(process: Pid) -> bool {
    rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_killed_left_behind_is_removed_at_once() {
        let all = tempfile::TempDir::new().unwrap();
        let ours = Scratch::in_folder(all.path()).unwrap();
        // No process has a number above 4,194,304.
        let names = [
            "louver-4194999-0123456789abcdef",
            "louver-4194998-0123456789abcdef",
            &format!("louver-{}-0123456789abcdef", std::process::id()),
            "louver-4194999-mine",
        ];
        let paths = names.map(|name| all.path().join(name));
        paths.iter().for_each(|path| std::fs::create_dir_all(path.join("tmp")).unwrap());
        // One of another container, whose process is not seen here.
        let theirs = File::open(&paths[1]).unwrap();
        flock(&theirs, FlockOperation::NonBlockingLockExclusive).unwrap();
        clear(all.path());
        assert_eq!(paths.each_ref().map(|path| path.exists()), [false, true, true, true]);
        assert!(ours.is_whole() && is_held(&ours.path));
        drop(theirs);
        // A program that another test is just starting has the folder open until it runs.
        for _ in 0..500 {
            clear(all.path());
            if !paths[1].exists() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(!paths[1].exists());
    }
}
