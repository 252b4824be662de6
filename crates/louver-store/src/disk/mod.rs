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
//! Writing (`write.rs`) goes part by part on every system and follows no link at all. A path as a
//! person or a model writes it, absolute ones included, is a [`Spot`] (`spot.rs`).

mod hidden;
mod open;
mod spot;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use self::hidden::{HIDDEN, Hidden};
use self::open::{PASS_THROUGH, is_plain, open_beneath, walk};
use crate::decode::to_text;
use crate::problem::Problem;

pub use spot::Spot;
pub use write::{PROTECTED, WriteError, Wrote};

/// The most bytes that are read of one file unless the caller wants fewer.
pub const MAX_FILE: u64 = 4 * 1024 * 1024;

/// The most entries that are listed of one folder, so that a runaway one costs milliseconds.
pub const MAX_ENTRIES: usize = 20_000;

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

/// A folder beneath a [`Folder`], held open.
#[derive(Debug)]
pub struct Inside {
    fd: OwnedFd,
    path: String,
    hidden: Option<Arc<Hidden>>,
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

/// What tells one version of a file from the next without reading it.
///
/// The time of the last change of the inode is part of it: permissions that were mended leave
/// the modification time alone, and so does a tool that sets it back. What it cannot tell apart:
/// two writes of one size within one tick (some milliseconds) of a kernel before Linux 6.13.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Modification time, seconds.
    pub seconds: i64,
    /// Modification time, nanoseconds.
    pub nanos: u32,
    /// Size in bytes.
    pub size: u64,
    /// Inode number.
    pub inode: u64,
    /// When the inode itself last changed, in nanoseconds since 1970.
    pub changed: i64,
}

/// What is in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The entries by name.
    pub entries: Vec<Entry>,
    /// Names that are not UTF-8, as well as they can be shown. They cannot be asked for.
    pub unnameable: Vec<String>,
    /// There was more than [`MAX_ENTRIES`].
    pub cut: bool,
}

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name, without the folder.
    pub name: String,
    /// What it is, as the folder itself says; links are not followed.
    pub kind: Kind,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// The file system does not say.
    Unknown,
}

/// Why something could not be read. Each says the path first.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each field is what its name says")]
pub enum ReadError {
    /// Nothing has this name, or a link's target is gone.
    #[error("{path}: it does not exist")]
    Missing { path: String },
    /// The name or a link leads out of the folder and its roots.
    #[error("{path}: it leads outside the workspace")]
    Outside { path: String },
    /// It is remembered of the person, and this is not their conversation alone.
    #[error("{path}: what is remembered of the owner stays out of this conversation")]
    Private { path: String },
    /// Links lead in a circle, or through one of the kernel's magic links.
    #[error("{path}: its links lead in a circle")]
    Loop { path: String },
    /// A file was asked for.
    #[error("{path}: it is {kind}, not a file")]
    NotAFile { path: String, kind: Kind },
    /// A folder was asked for.
    #[error("{path}: it is not a folder")]
    NotAFolder { path: String },
    /// We may not read it.
    #[error("{path}: reading it is not permitted")]
    Denied { path: String },
    /// The disk failed in another way.
    #[error("{path}: {source}")]
    Io { path: String, source: std::io::Error },
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

impl Inside {
    /// What is in it.
    pub fn list(&self) -> Result<Listing, ReadError> {
        list_all(&self.fd).map_err(|errno| ReadError::new(&self.path, errno))
    }

    /// [`Folder::stamp`] of something in it, which spares the kernel the way there.
    pub fn stamp(&self, name: &str) -> Option<Stamp> {
        rustix::fs::statat(&self.fd, name, AtFlags::empty()).ok().map(|stat| Stamp::of(&stat))
    }

    /// What a name in it is and looks like; a link is not followed.
    pub fn look(&self, name: &str) -> Option<(Kind, Stamp)> {
        let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some((Kind::of(FileType::from_raw_mode(stat.st_mode)), Stamp::of(&stat)))
    }

    /// Opens a folder in it, by its bare name. A link is not followed.
    pub fn enter(&self, name: &str) -> Result<Inside, ReadError> {
        let path = format!("{}/{name}", self.path);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match walk(self.fd.as_fd(), bare(name, &path)?, flags, self.hidden.as_deref()) {
            Ok(fd) => Ok(Inside { fd, path, hidden: self.hidden.clone() }),
            Err(Errno::NOTDIR) => Err(ReadError::NotAFolder { path }),
            Err(errno) => Err(ReadError::new(&path, errno)),
        }
    }

    /// Opens a file in it, by its bare name. A link is not followed.
    pub fn open_file(&self, name: &str) -> Result<Opened, ReadError> {
        let path = format!("{}/{name}", self.path);
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let hidden = self.hidden.as_deref();
        plain_file(&path, walk(self.fd.as_fd(), bare(name, &path)?, flags, hidden))
    }

    /// Holds what has a name in it, whatever it is, but no link. It can only be passed on.
    pub fn hold(&self, name: &str) -> Option<OwnedFd> {
        let name = bare(name, name).ok()?;
        let flags = PASS_THROUGH | OFlags::NONBLOCK | OFlags::CLOEXEC;
        walk(self.fd.as_fd(), name, flags, self.hidden.as_deref()).ok()
    }

    /// The folder itself, for those who hand it on by its descriptor.
    pub fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Bytes of a file as text, and whether some were not text: UTF-8 or UTF-16, line ends as `\n`.
pub fn as_text(bytes: Vec<u8>, cut: Option<u64>) -> (String, bool) {
    to_text(bytes, cut.is_some())
}

/// A name with no way in it, neither up nor down.
fn bare<'a>(name: &'a str, path: &str) -> Result<&'a Path, ReadError> {
    match name.contains('/') {
        true => Err(ReadError::Outside { path: path.to_owned() }),
        false => Ok(Path::new(name)),
    }
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

fn list_all(fd: &OwnedFd) -> Result<Listing, Errno> {
    let mut dir = Dir::read_from(fd)?;
    let mut listing = Listing::default();
    while let Some(entry) = dir.read() {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        if listing.entries.len() == MAX_ENTRIES {
            listing.cut = true;
            break;
        }
        match name.to_str() {
            Ok(name) => {
                let kind = Kind::of(entry.file_type());
                listing.entries.push(Entry { name: name.to_owned(), kind });
            }
            Err(_) => listing.unnameable.push(name.to_string_lossy().into_owned()),
        }
    }
    listing.entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    listing.unnameable.sort_unstable();
    Ok(listing)
}

impl Stamp {
    /// What lies at this path, wherever that is.
    pub(crate) fn of_path(path: &Path) -> Option<Stamp> {
        rustix::fs::stat(path).ok().map(|stat| Stamp::of(&stat))
    }

    #[allow(clippy::unnecessary_cast, reason = "the widths differ between systems")]
    fn of(stat: &Stat) -> Stamp {
        Stamp {
            seconds: stat.st_mtime as i64,
            nanos: stat.st_mtime_nsec as u32,
            size: stat.st_size as u64,
            inode: stat.st_ino as u64,
            changed: (stat.st_ctime as i64)
                .saturating_mul(1_000_000_000)
                .saturating_add(stat.st_ctime_nsec as i64),
        }
    }
}

impl Kind {
    fn of(kind: FileType) -> Kind {
        match kind {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            FileType::Fifo => Kind::Pipe,
            FileType::Socket => Kind::Socket,
            FileType::CharacterDevice | FileType::BlockDevice => Kind::Device,
            _ => Kind::Unknown,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::File => "a file",
            Kind::Folder => "a folder",
            Kind::Link => "a link",
            Kind::Pipe => "a named pipe",
            Kind::Socket => "a socket",
            Kind::Device => "a device",
            Kind::Unknown => "something unknown",
        })
    }
}

impl ReadError {
    fn new(path: &str, errno: Errno) -> ReadError {
        let path = path.to_owned();
        match errno {
            Errno::NOENT | Errno::NOTDIR => ReadError::Missing { path },
            Errno::XDEV => ReadError::Outside { path },
            HIDDEN => ReadError::Private { path },
            Errno::LOOP => ReadError::Loop { path },
            Errno::ACCESS | Errno::PERM => ReadError::Denied { path },
            errno => ReadError::Io { path, source: errno.into() },
        }
    }

    fn not_a_file(path: &str, kind: Kind) -> ReadError {
        ReadError::NotAFile { path: path.to_owned(), kind }
    }

    /// The path that was asked for.
    pub fn path(&self) -> &str {
        match self {
            ReadError::Missing { path }
            | ReadError::Outside { path }
            | ReadError::Private { path }
            | ReadError::Loop { path }
            | ReadError::NotAFile { path, .. }
            | ReadError::NotAFolder { path }
            | ReadError::Denied { path }
            | ReadError::Io { path, .. } => path,
        }
    }

    /// Nothing is there, which is often no problem at all.
    pub fn is_missing(&self) -> bool {
        matches!(self, ReadError::Missing { .. })
    }
}

impl From<&ReadError> for Problem {
    fn from(error: &ReadError) -> Problem {
        // Both say the path first, so it is taken off here.
        let said = error.to_string();
        let what = said.get(error.path().len() + 2..).unwrap_or(&said);
        Problem::error(error.path(), what)
    }
}
