//! Reading and writing a folder and nothing outside it.
//!
//! What confines a read is the kernel: every file is opened with `openat2` and `RESOLVE_BENEATH`
//! relative to a descriptor that was opened once, so no `..`, link or rename under our feet can
//! lead elsewhere. Where a link leads out of the folder, its target is looked up by name and
//! opened again beneath the folder itself or a root that the owner allowed; the name only chooses
//! where to try, the second open confines just like the first.
//!
//! Without `openat2` (before Linux 5.6, some sandboxes, other systems) the path is walked part by
//! part with `O_NOFOLLOW`, which meets every link and treats it as one that leads outside.
//!
//! A folder may keep a part of itself to itself ([`Folder::without_private`]). Then every way is walked part
//! by part, and each part is compared with what is kept: neither a link nor a second name leads there.
//!
//! Writing (`write/`) goes part by part on every system and follows no link at all. A path as a
//! person or a model writes it, absolute ones included, is a [`Spot`] (`spot.rs`).

mod error;
mod hidden;
mod inside;
mod listing;
mod open;
mod spot;
mod stamp;
#[cfg(test)]
mod tests;
mod write;

use std::fs::File;
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use self::hidden::Hidden;
use self::open::{PASS_THROUGH, is_plain, open_beneath, walk};
use crate::decode::to_text;

pub use error::{ReadError, WriteError};
pub use inside::Inside;
pub use listing::{Entry, Kind, Listing, MAX_ENTRIES};
pub use spot::Spot;
pub use stamp::Stamp;
pub use write::{PROTECTED, Wrote};

/// The most bytes that are read of one file unless the caller wants fewer.
pub const MAX_FILE: u64 = 4 * 1024 * 1024;

/// A folder that can be read, and nothing outside it but the roots its owner allowed.
#[derive(Debug, Clone)]
pub struct Folder {
    fd: Arc<OwnedFd>,
    /// Without links.
    path: PathBuf,
    /// As it was named, from `/` on. People and models go on naming it so.
    spelled: PathBuf,
    roots: Vec<Folder>,
    access: Access,
    hidden: Option<Arc<Hidden>>,
}

/// What may be done in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// A file that was opened for reading.
#[derive(Debug)]
pub struct Opened {
    /// The file.
    pub file: File,
    /// What it looked like when it was opened.
    pub stamp: Stamp,
}

/// What a file held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The text, with `\n` line ends and no byte order mark.
    pub text: String,
    /// What the file looked like when it was opened.
    pub stamp: Stamp,
    /// The file's full size in bytes, when only its beginning was read.
    pub cut: Option<u64>,
    /// It is not Unicode throughout: it was read as Windows-1252, or what is no text was replaced by U+FFFD.
    pub lossy: bool,
}

impl Folder {
    /// Opens a folder. Its path may go through links; what is read later may not leave it.
    pub fn open(path: impl AsRef<Path>) -> Result<Folder, ReadError> {
        let refused = |error: std::io::Error| {
            let path = path.as_ref().display().to_string();
            match Errno::from_io_error(&error) {
                Some(Errno::NOTDIR) => ReadError::NotAFolder { path },
                Some(errno) => ReadError::new(&path, errno),
                None => ReadError::Io { path, source: error },
            }
        };
        let canonical = std::fs::canonicalize(&path).map_err(refused)?;
        let flags = PASS_THROUGH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(&canonical, flags, Mode::empty())
            .map_err(|errno| refused(errno.into()))?;
        let spelled = std::path::absolute(&path).map_err(refused)?;
        Ok(Folder {
            fd: Arc::new(fd),
            path: canonical,
            spelled,
            roots: Vec::new(),
            access: Access::Write,
            hidden: None,
        })
    }

    /// The same folder, whose links may also lead into `root`. Nothing is written there.
    #[must_use]
    pub fn with_root(mut self, root: Folder) -> Folder {
        self.roots.push(Folder { access: Access::Read, ..root });
        self
    }

    /// The same folder, with a root that may be written as well, by its absolute path.
    #[must_use]
    pub fn with_writable_root(mut self, root: Folder) -> Folder {
        self.roots.push(Folder { access: Access::Write, ..root });
        self
    }

    /// Where it lies, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every folder that may be read through this one: itself, then its roots.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        self.homes().map(Folder::path)
    }

    /// Those of them that may be written.
    pub fn writable_places(&self) -> impl Iterator<Item = &Path> {
        self.homes().filter(|home| home.access == Access::Write).map(Folder::path)
    }

    fn homes(&self) -> impl Iterator<Item = &Folder> {
        std::iter::once(self).chain(&self.roots)
    }

    /// The beginning of a file, at most `limit` bytes of it, as text.
    pub fn read(&self, rel: &str, limit: u64) -> Result<Read, ReadError> {
        let (bytes, stamp, cut) = self.read_bytes(rel, limit)?;
        let (text, lossy) = to_text(bytes, cut.is_some());
        Ok(Read { text, stamp, cut, lossy })
    }

    /// The beginning of a file as it is on the disk, and its full size when that is not all of it.
    fn read_bytes(
        &self,
        rel: &str,
        limit: u64,
    ) -> Result<(Vec<u8>, Stamp, Option<u64>), ReadError> {
        let Opened { file, stamp } = self.open_file(rel)?;
        let (bytes, cut) = read_bounded(file, stamp.size, limit)
            .map_err(|source| ReadError::Io { path: rel.into(), source })?;
        Ok((bytes, stamp, cut))
    }

    /// Opens a file. Pipes, devices and the like are refused, and nothing waits for them.
    pub fn open_file(&self, rel: &str) -> Result<Opened, ReadError> {
        // Without O_NONBLOCK the open of a named pipe would wait for someone to write to it.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        plain_file(rel, self.open_within(rel, flags))
    }

    /// What a file looks like now, in one call to the kernel.
    ///
    /// Links are followed wherever they lead, because nothing is read.
    pub fn stamp(&self, rel: &str) -> Result<Stamp, ReadError> {
        let stat = rustix::fs::statat(&self.fd, rel, AtFlags::empty());
        stat.map(|stat| Stamp::of(&stat)).map_err(|errno| ReadError::new(rel, errno))
    }

    /// What this name itself is. A link is a link, whether or not its target exists.
    pub fn kind(&self, rel: &str) -> Result<Kind, ReadError> {
        let stat = rustix::fs::statat(&self.fd, rel, AtFlags::SYMLINK_NOFOLLOW);
        stat.map(|stat| Kind::of(FileType::from_raw_mode(stat.st_mode)))
            .map_err(|errno| ReadError::new(rel, errno))
    }

    /// What is in a folder beneath this one; `.` is this one.
    pub fn list(&self, rel: &str) -> Result<Listing, ReadError> {
        self.enter(rel)?.list()
    }

    /// Opens a folder beneath this one to look at many of its entries.
    pub fn enter(&self, rel: &str) -> Result<Inside, ReadError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match self.open_within(rel, flags) {
            Ok(fd) => Ok(Inside { fd, path: rel.to_owned(), hidden: self.hidden.clone() }),
            Err(Errno::NOTDIR) => Err(ReadError::NotAFolder { path: rel.to_owned() }),
            Err(errno) => Err(ReadError::new(rel, errno)),
        }
    }

    fn open_within(&self, rel: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
        match self.open_here(Path::new(rel), flags) {
            // A way that is walked goes down only; where `..` leads is looked up like a link.
            Err(Errno::XDEV) if is_plain(rel) || self.hides_private() => {
                self.open_elsewhere(rel, flags)
            }
            opened => opened,
        }
    }

    /// Opens what is beneath this very folder.
    fn open_here(&self, rel: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        match &self.hidden {
            None => open_beneath(self.fd.as_fd(), rel, flags),
            Some(hidden) => {
                hidden.is_not(self.fd.as_fd())?;
                walk(self.fd.as_fd(), rel, flags, Some(hidden))
            }
        }
    }

    /// Opens what a link leads to, when it is in this folder after all or in one of its roots.
    fn open_elsewhere(&self, rel: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
        let target = std::fs::canonicalize(self.path.join(rel));
        let target = target.map_err(|error| match Errno::from_io_error(&error) {
            Some(errno @ (Errno::NOENT | Errno::LOOP)) => errno,
            _ => Errno::XDEV,
        })?;
        let mut tries = self.homes().filter_map(|home| {
            let rest = target.strip_prefix(&home.path).ok()?;
            let rest = if rest.as_os_str().is_empty() { Path::new(".") } else { rest };
            Some(home.open_here(rest, flags))
        });
        tries.next().unwrap_or(Err(Errno::XDEV))
    }
}

/// Bytes of a file as text, and whether some were not text: UTF-8 or UTF-16, line ends as `\n`.
pub fn as_text(bytes: Vec<u8>, cut: Option<u64>) -> (String, bool) {
    to_text(bytes, cut.is_some())
}

/// What was opened, if it is a file.
fn plain_file(path: &str, opened: Result<OwnedFd, Errno>) -> Result<Opened, ReadError> {
    let fd = match opened {
        // That is how a socket refuses to be opened.
        Err(Errno::NXIO) => return Err(ReadError::not_a_file(path, Kind::Socket)),
        opened => opened.map_err(|errno| ReadError::new(path, errno))?,
    };
    let stat = rustix::fs::fstat(&fd).map_err(|errno| ReadError::new(path, errno))?;
    match Kind::of(FileType::from_raw_mode(stat.st_mode)) {
        Kind::File => Ok(Opened { file: File::from(fd), stamp: Stamp::of(&stat) }),
        kind => Err(ReadError::not_a_file(path, kind)),
    }
}

fn read_bounded(file: File, size: u64, limit: u64) -> std::io::Result<(Vec<u8>, Option<u64>)> {
    // One byte more than wanted tells a file that ends there from one that goes on, and saves
    // the vector from growing to find out. A size alone is not believed: it may be sparse.
    let mut bytes = Vec::with_capacity(size.min(limit).min(MAX_FILE) as usize + 1);
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    let got = bytes.len() as u64;
    if got <= limit {
        return Ok((bytes, None));
    }
    bytes.truncate(limit as usize);
    Ok((bytes, Some(size.max(got))))
}
