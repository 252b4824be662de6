//! What strace wrote, as operations on files.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::said::Said;

/// The calls that change what is on a disk, and `writev`, by which a writer reports.
pub(super) const CALLS: &str = "trace=openat,write,writev,pwrite64,ftruncate,fsync,fdatasync,\
                                rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat";

/// One operation that succeeded.
#[derive(Debug)]
pub(super) enum Op {
    /// A file was opened for writing, made when there was none.
    Open { path: PathBuf, truncates: bool },
    /// Bytes were written at the end, or at a place.
    Write { path: PathBuf, at: Option<u64>, bytes: Vec<u8> },
    /// A file was cut or stretched.
    Cut { path: PathBuf, len: u64 },
    /// A file or a folder was synced.
    Sync { path: PathBuf },
    /// A name was given to something else.
    Rename { from: PathBuf, to: PathBuf },
    /// A name was taken away.
    Remove { path: PathBuf },
    /// A folder was made.
    Folder { path: PathBuf },
    /// The writer reported something.
    Said(Said),
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
        match self {
            Op::Open { path, .. } => write!(f, "open {}", name(path)),
            Op::Write { path, bytes, .. } => write!(f, "write {} to {}", bytes.len(), name(path)),
            Op::Cut { path, len } => write!(f, "cut {} to {len}", name(path)),
            Op::Sync { path } => write!(f, "sync {}", name(path)),
            Op::Rename { to, .. } => write!(f, "rename to {}", name(to)),
            Op::Remove { path } => write!(f, "remove {}", name(path)),
            Op::Folder { path } => write!(f, "make folder {}", name(path)),
            Op::Said(_) => f.write_str("a report"),
        }
    }
}

/// The operations below a folder, and the reports. The writer has one thread, so no line is in
/// two pieces.
pub(super) fn read(log: &Path, root: &Path) -> Result<Vec<Op>> {
    let text = std::fs::read_to_string(log).context("cannot read the trace")?;
    Ok(text.lines().flat_map(|line| ops(line, root)).collect())
}

fn ops(line: &str, root: &Path) -> Vec<Op> {
    let Some(call) = Call::parse(line) else { return Vec::new() };
    if call.name == "writev" {
        return reports(&call).unwrap_or_default();
    }
    let op = call.op().filter(|op| op.path().is_some_and(|path| path.starts_with(root)));
    op.into_iter().collect()
}

/// A call as strace prints it: `name(arguments) = result`.
struct Call<'a> {
    name: &'a str,
    arguments: &'a str,
    /// What the result is annotated with: the path of a new descriptor.
    opened: Option<PathBuf>,
}

impl<'a> Call<'a> {
    fn parse(line: &'a str) -> Option<Call<'a>> {
        // With `-f` the number of the process comes first.
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        let (name, rest) = line.split_once('(')?;
        let (arguments, result) = rest.rsplit_once(") = ").or_else(|| {
            let (arguments, result) = rest.rsplit_once(" = ")?;
            Some((arguments.trim_end().strip_suffix(')')?, result))
        })?;
        if result.starts_with('-') || result.contains("INJECTED") {
            return None;
        }
        let opened = result.split_once('<').map(|(_, path)| unhex(path.split('>').next()?));
        let opened = opened.flatten().map(path);
        Some(Call { name, arguments: arguments.trim_end(), opened })
    }

    fn op(&self) -> Option<Op> {
        Some(match self.name {
            "openat" => {
                let has = |flag| self.arguments.contains(flag);
                if !(has("O_WRONLY") || has("O_RDWR")) {
                    return None;
                }
                Op::Open { path: self.opened.clone()?, truncates: has("O_TRUNC") }
            }
            "write" => Op::Write { path: self.of()?, at: None, bytes: self.strings().next()? },
            "pwrite64" => {
                let at = self.number()?;
                Op::Write { path: self.of()?, at: Some(at), bytes: self.strings().next()? }
            }
            "ftruncate" => Op::Cut { path: self.of()?, len: self.number()? },
            "fsync" | "fdatasync" => Op::Sync { path: self.of()? },
            "rename" | "renameat" | "renameat2" => {
                let mut paths = self.strings().map(path);
                Op::Rename { from: paths.next()?, to: paths.next()? }
            }
            "unlink" | "unlinkat" => Op::Remove { path: path(self.strings().next()?) },
            "mkdir" | "mkdirat" => Op::Folder { path: path(self.strings().next()?) },
            _ => return None,
        })
    }

    /// The path of the descriptor that is the first argument.
    fn of(&self) -> Option<PathBuf> {
        let (_, rest) = self.arguments.split_once('<')?;
        unhex(rest.split('>').next()?).map(path)
    }

    /// What is in quotes.
    fn strings(&self) -> impl Iterator<Item = Vec<u8>> {
        self.arguments.split('"').skip(1).step_by(2).filter_map(unhex)
    }

    /// The last argument.
    fn number(&self) -> Option<u64> {
        self.arguments.rsplit(", ").next()?.parse().ok()
    }
}

impl Op {
    fn path(&self) -> Option<&Path> {
        match self {
            Op::Open { path, .. }
            | Op::Write { path, .. }
            | Op::Cut { path, .. }
            | Op::Sync { path }
            | Op::Rename { to: path, .. }
            | Op::Remove { path }
            | Op::Folder { path } => Some(path),
            Op::Said(_) => None,
        }
    }
}

fn reports(call: &Call<'_>) -> Option<Vec<Op>> {
    let bytes: Vec<u8> = call.strings().flatten().collect();
    let text = String::from_utf8(bytes).ok()?;
    Some(text.lines().filter_map(Said::parse).map(Op::Said).collect())
}

/// Bytes that strace was asked to print in hexadecimal.
fn unhex(text: &str) -> Option<Vec<u8>> {
    text.split("\\x").skip(1).map(|digits| u8::from_str_radix(digits, 16).ok()).collect()
}

fn path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_operation_below_the_root_or_nothing() {
        let hex = |text: &str| text.bytes().map(|b| format!("\\x{b:02x}")).collect::<String>();
        let file = hex("/w/log");
        let root = Path::new("/w");
        let line = format!("12 write(5<{file}>, \"{}\", 2) = 2", hex("a\n"));
        let shown = |line: &str| ops(line, root).iter().map(Op::to_string).collect::<Vec<_>>();
        assert_eq!(shown(&line), ["write 2 to log"]);
        assert_eq!(shown(&format!("fdatasync(5<{file}>)   = 0")), ["sync log"]);
        assert_eq!(shown(&format!("fdatasync(5<{file}>) = -1 EIO (x) (INJECTED)")), [""; 0]);
        assert_eq!(shown(&format!("ftruncate(5<{file}>, 17) = 0")), ["cut log to 17"]);
        let opened = format!("openat(AT_FDCWD, \"{file}\", O_RDWR|O_CREAT, 0600) = 3<{file}>");
        assert_eq!(shown(&opened), ["open log"]);
        let outside = format!("fsync(5<{}>) = 0", hex("/elsewhere"));
        assert_eq!(shown(&outside), [""; 0]);
    }
}
