//! Bytes at the end of a file: there whole or not at all, and never twice.
//!
//! An append is one `write`. When it fails half-way (a full disk, a signal) the file is cut back to
//! where it was; when even that fails, the next append starts on a fresh line, so that a torn
//! piece never swallows what follows it.
//!
//! A failed `fsync` is not asked again: the kernel may have marked the lost pages as clean, and
//! the second answer would be a lie. What was not yet known to be on the disk is kept here, and is
//! written again, at the same place, before the next sync. It is not cut off first, because a
//! process that dies in between would lose what it had promised to keep.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// What an acknowledged write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Durability {
    /// The end of this process, `kill -9` included.
    Process,
    /// Power loss as well.
    Disk,
}

/// Why an append was not acknowledged. Nothing of it is in the file, unless the disk refused even
/// to take it back.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The bytes could not be written.
    #[error("it could not be written: {0}")]
    Write(#[source] io::Error),
    /// The bytes were written but the disk did not confirm them.
    #[error("the disk did not confirm the write: {0}")]
    Sync(#[source] io::Error),
}

/// So much is remembered to be written again after a failed sync; then a sync is done to forget it.
const UNSYNCED: usize = 8 * 1024 * 1024;

/// A file that only grows. Whoever has one must hold the lock that makes it the only one.
#[derive(Debug)]
pub struct Appender {
    file: File,
    path: PathBuf,
    /// Where the next byte goes.
    len: u64,
    /// Up to here the disk has confirmed, as far as this process knows.
    synced: u64,
    /// The bytes from `synced` to `len`.
    unsynced: Vec<u8>,
    /// The last byte is not a line end, so the next append has to begin with one.
    mid_line: bool,
    /// A sync failed, so `unsynced` has to be written again before the next.
    suspect: bool,
    /// There may be bytes after `len` that could not be taken back.
    overhang: bool,
    pub(crate) calls: Calls,
}

/// The three calls that fail when a disk is full or broken, so that tests can let them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calls {
    pub(crate) write: fn(&File, &[u8]) -> io::Result<usize>,
    pub(crate) sync: fn(&File) -> io::Result<()>,
    pub(crate) cut: fn(&File, u64) -> io::Result<()>,
}

pub(crate) const CALLS: Calls = Calls {
    write: |mut file, bytes| io::Write::write(&mut file, bytes),
    sync: File::sync_data,
    cut: File::set_len,
};

impl Appender {
    /// Opens a file for appending and makes it when there is none; only its owner may read it.
    pub fn open(path: &Path) -> io::Result<Appender> {
        let file = open_plain(OpenOptions::new().read(true).append(true).create(true), path)?;
        let len = file.metadata()?.len();
        Ok(Appender {
            file,
            path: path.to_owned(),
            len,
            synced: len,
            unsynced: Vec::new(),
            mid_line: false,
            suspect: false,
            overhang: false,
            calls: CALLS,
        })
    }

    /// The file, to read from.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// How long it is.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Takes `len` as the end of what is good in the file. `mid_line` says that the byte before it
    /// is not a line end.
    pub fn goes_on_at(&mut self, len: u64, mid_line: bool) {
        self.forget_after(len);
        if len > self.len {
            // Someone else wrote these bytes and answers for them.
            self.synced = len;
            self.unsynced.clear();
        }
        (self.len, self.mid_line, self.overhang) = (len, mid_line, false);
    }

    /// Cuts everything after `len` off.
    pub fn cut(&mut self, len: u64) -> io::Result<()> {
        (self.calls.cut)(&self.file, len)?;
        self.goes_on_at(len, false);
        Ok(())
    }

    /// Whether a failed append left bytes behind that still could not be taken back. Then the
    /// caller must look what they are and say [`Appender::goes_on_at`].
    pub fn has_overhang(&mut self) -> bool {
        if self.overhang && (self.calls.cut)(&self.file, self.len).is_ok() {
            self.overhang = false;
        }
        self.overhang
    }

    /// Appends whole lines with one `write`.
    pub fn append(&mut self, lines: &[u8], durability: Durability) -> Result<(), AppendError> {
        let before = (self.len, self.mid_line);
        let fresh;
        let bytes = if self.mid_line {
            fresh = [b"\n", lines].concat();
            &fresh
        } else {
            lines
        };
        if let Err(error) = self.write(bytes) {
            self.take_back(before);
            return Err(AppendError::Write(error));
        }
        self.len += bytes.len() as u64;
        self.mid_line = false;
        self.unsynced.extend_from_slice(bytes);
        if durability == Durability::Disk {
            if let Err(error) = self.sync() {
                self.take_back(before);
                return Err(AppendError::Sync(error));
            }
        } else if self.unsynced.len() >= UNSYNCED && !self.suspect {
            // Nothing was promised about the disk, so a failure here only marks the bytes.
            let _ = self.sync();
        }
        Ok(())
    }

    /// Makes everything that was appended survive power loss.
    pub fn sync(&mut self) -> io::Result<()> {
        if self.suspect {
            self.write_again()?;
        }
        self.suspect = true;
        (self.calls.sync)(&self.file)?;
        self.suspect = false;
        self.synced = self.len;
        self.unsynced.clear();
        Ok(())
    }

    fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match (self.calls.write)(&self.file, bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                // The rest goes after it or, more often, tells us why it was short.
                Ok(n) => bytes = &bytes[n..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn take_back(&mut self, (len, mid_line): (u64, bool)) {
        self.overhang = (self.calls.cut)(&self.file, len).is_err();
        self.forget_after(len);
        (self.len, self.mid_line) = (len, mid_line);
    }

    fn forget_after(&mut self, len: u64) {
        self.synced = self.synced.min(len);
        self.unsynced.truncate(usize::try_from(len - self.synced).unwrap_or(usize::MAX));
    }

    /// Writes what the disk may have lost to the same place, through a descriptor of its own: one
    /// that was opened for appending writes at the end, whatever place it is given.
    fn write_again(&self) -> io::Result<()> {
        let file = open_plain(OpenOptions::new().write(true), &self.path)?;
        if file.metadata()?.ino() != self.file.metadata()?.ino() {
            return Err(io::Error::other("another file took its place"));
        }
        file.write_all_at(&self.unsynced, self.synced)
    }
}

/// Opens a plain file, private to its owner. A link is refused, and a named pipe does not wait.
pub fn open_plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = options.mode(0o600).custom_flags(flags.bits().cast_signed()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    Ok(file)
}

/// Writes a file whole: under another name first, which takes the place of `path` only when it is
/// on the disk. Whoever calls this must be the only one who writes `path`.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let write = || {
        let options = &mut OpenOptions::new();
        let mut file = open_plain(options.write(true).create(true).truncate(true), &new)?;
        io::Write::write_all(&mut file, bytes)?;
        file.sync_all()?;
        std::fs::rename(&new, path)
    };
    write().inspect_err(|_| drop(std::fs::remove_file(&new)))
}

/// Makes the names in a folder survive power loss, where the file system can be told to.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        // Network file systems have nothing to sync in a folder and say so.
        Err(error) if is_unsupported(&error) => Ok(()),
        synced => synced,
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tempfile::TempDir;

    use super::*;
    use Durability::{Disk, Process};

    fn appender() -> (TempDir, Appender) {
        let dir = TempDir::new().unwrap();
        let appender = Appender::open(&dir.path().join("log")).unwrap();
        (dir, appender)
    }

    fn content(dir: &TempDir) -> String {
        std::fs::read_to_string(dir.path().join("log")).unwrap()
    }

    fn full(_: &File, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    /// Takes three bytes, then the disk is full.
    fn short(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        if bytes.starts_with(b"abc") {
            io::Write::write(&mut file, &bytes[..3])
        } else {
            full(file, bytes)
        }
    }

    #[test]
    fn a_short_write_is_taken_back_and_the_next_goes_on() {
        let (dir, mut log) = appender();
        log.append(b"one\n", Process).unwrap();
        log.calls.write = short;
        let error = log.append(b"abcdef\n", Process).unwrap_err();
        assert!(matches!(error, AppendError::Write(_)));
        assert_eq!((content(&dir).as_str(), log.len(), log.has_overhang()), ("one\n", 4, false));
        log.calls = CALLS;
        log.append(b"two\n", Disk).unwrap();
        assert_eq!(content(&dir), "one\ntwo\n");
    }

    #[test]
    fn what_cannot_be_taken_back_is_known_and_does_not_swallow_the_next_line() {
        let (dir, mut log) = appender();
        log.append(b"one\n", Process).unwrap();
        log.calls = Calls { write: short, cut: |_, _| Err(io::Error::other("no")), ..CALLS };
        log.append(b"abcdef\n", Process).unwrap_err();
        assert!(log.has_overhang());
        log.goes_on_at(7, true);
        log.calls.write = CALLS.write;
        log.append(b"two\n", Process).unwrap();
        assert_eq!(content(&dir), "one\nabc\ntwo\n");
        log.append(b"three\n", Disk).unwrap();
        assert_eq!(content(&dir), "one\nabc\ntwo\nthree\n");
    }

    #[test]
    fn after_a_failed_sync_nothing_is_acknowledged_and_earlier_lines_are_written_again() {
        static AGAIN: AtomicU32 = AtomicU32::new(0);
        let (dir, mut log) = appender();
        log.append(b"safe\n", Disk).unwrap();
        log.append(b"early\n", Process).unwrap();
        log.calls.sync = |_| Err(io::Error::other("EIO"));
        let error = log.append(b"late\n", Disk).unwrap_err();
        assert!(matches!(error, AppendError::Sync(_)));
        assert_eq!(content(&dir), "safe\nearly\n");
        // The disk lost the page that it had called clean.
        let holed = open_plain(OpenOptions::new().write(true), &dir.path().join("log")).unwrap();
        holed.write_all_at(&[0; 6], 5).unwrap();
        log.calls.sync = |file| {
            AGAIN.fetch_add(1, Ordering::Relaxed);
            file.sync_data()
        };
        log.append(b"last\n", Disk).unwrap();
        assert_eq!(content(&dir), "safe\nearly\nlast\n");
        assert_eq!(AGAIN.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn links_and_pipes_are_refused() {
        let dir = TempDir::new().unwrap();
        std::fs::write(dir.path().join("real"), "").unwrap();
        std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
        let here = File::open(dir.path()).unwrap();
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mknodat(&here, "pipe", rustix::fs::FileType::Fifo, mode, 0).unwrap();
        assert!(Appender::open(&dir.path().join("link")).is_err());
        assert!(Appender::open(&dir.path().join("pipe")).is_err());
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("a");
        replace(&path, b"old").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        std::fs::create_dir(dir.path().join("b")).unwrap();
        std::fs::write(dir.path().join("b/c"), "").unwrap();
        assert!(replace(&dir.path().join("b"), b"x").is_err());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
