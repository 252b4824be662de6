//! Reading a folder and nothing outside it.
//!
//! What confines a read is the kernel: every file is opened with `openat2` and `RESOLVE_BENEATH`
//! relative to a descriptor that was opened once, so no `..`, link or rename under our feet can
//! lead elsewhere. Where a link leads out of the folder, its target is looked up by name and
//! opened again beneath the folder itself or a root that the owner allowed; the name only chooses
//! where to try, the second open confines just like the first.
//!
//! Without `openat2` (before Linux 5.6, some sandboxes, other systems) the path is walked part by
//! part with `O_NOFOLLOW`, which meets every link and treats it as one that leads outside.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::decode::to_text;
use crate::problem::Problem;

/// The most bytes that are read of one file unless the caller wants fewer.
pub const MAX_FILE: u64 = 4 * 1024 * 1024;

/// The most entries that are listed of one folder, so that a runaway one costs milliseconds.
pub const MAX_ENTRIES: usize = 20_000;

#[cfg(any(target_os = "linux", target_os = "android"))]
const PASS_THROUGH: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const PASS_THROUGH: OFlags = OFlags::RDONLY;

/// A folder that can be read, and nothing outside it but the roots its owner allowed.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
    roots: Vec<Folder>,
}

/// A folder beneath a [`Folder`], held open.
#[derive(Debug)]
pub struct Inside {
    fd: OwnedFd,
    path: String,
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
    /// Bytes that are not text were replaced by U+FFFD.
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
        Ok(Folder { fd, path: canonical, roots: Vec::new() })
    }

    /// The same folder, whose links may also lead into `root`.
    #[must_use]
    pub fn with_root(mut self, root: Folder) -> Folder {
        self.roots.push(root);
        self
    }

    /// Where it lies, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every folder that may be read through this one: itself, then its roots.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(self).chain(&self.roots).map(Folder::path)
    }

    /// The beginning of a file, at most `limit` bytes of it, as text.
    pub fn read(&self, rel: &str, limit: u64) -> Result<Read, ReadError> {
        // Without O_NONBLOCK the open of a named pipe would wait for someone to write to it.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = match self.open_within(rel, flags) {
            // That is how a socket refuses to be opened.
            Err(Errno::NXIO) => return Err(ReadError::not_a_file(rel, Kind::Socket)),
            opened => opened.map_err(|errno| ReadError::new(rel, errno))?,
        };
        let stat = rustix::fs::fstat(&file).map_err(|errno| ReadError::new(rel, errno))?;
        match Kind::of(FileType::from_raw_mode(stat.st_mode)) {
            Kind::File => {}
            kind => return Err(ReadError::not_a_file(rel, kind)),
        }
        let stamp = Stamp::of(&stat);
        let (bytes, cut) = read_bounded(file, stamp.size, limit)
            .map_err(|source| ReadError::Io { path: rel.into(), source })?;
        let (text, lossy) = to_text(bytes, cut.is_some());
        Ok(Read { text, stamp, cut, lossy })
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
            Ok(fd) => Ok(Inside { fd, path: rel.to_owned() }),
            Err(Errno::NOTDIR) => Err(ReadError::NotAFolder { path: rel.to_owned() }),
            Err(errno) => Err(ReadError::new(rel, errno)),
        }
    }

    fn open_within(&self, rel: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
        match open_beneath(self.fd.as_fd(), Path::new(rel), flags) {
            Err(Errno::XDEV) if is_plain(rel) => self.open_elsewhere(rel, flags),
            opened => opened,
        }
    }

    /// Opens what a link leads to, when it is in this folder after all or in one of its roots.
    fn open_elsewhere(&self, rel: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
        let target = std::fs::canonicalize(self.path.join(rel));
        let target = target.map_err(|error| match Errno::from_io_error(&error) {
            Some(errno @ (Errno::NOENT | Errno::LOOP)) => errno,
            _ => Errno::XDEV,
        })?;
        let homes = std::iter::once(self).chain(&self.roots);
        let mut tries = homes.filter_map(|home| {
            let rest = target.strip_prefix(&home.path).ok()?;
            let rest = if rest.as_os_str().is_empty() { Path::new(".") } else { rest };
            Some(open_beneath(home.fd.as_fd(), rest, flags))
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
}

/// Whether a name stays inside by its letters, so that only a link can have led it out.
fn is_plain(rel: &str) -> bool {
    Path::new(rel).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn open_beneath(dir: BorrowedFd<'_>, rel: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    // The kernel answers EAGAIN when something was renamed while it resolved a `..` of a link.
    for _ in 0..16 {
        match rustix::fs::openat2(dir, rel, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN) => {}
            // Old sandboxes answer EPERM to calls they do not know.
            Err(Errno::NOSYS | Errno::PERM) => return walk(dir, rel, flags),
            opened => return opened,
        }
    }
    Err(Errno::AGAIN)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn open_beneath(dir: BorrowedFd<'_>, rel: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    walk(dir, rel, flags)
}

/// Opens a path part by part and follows no link: each one is reported as leading outside.
fn walk(dir: BorrowedFd<'_>, rel: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut parts = rel.components().filter(|part| *part != Component::CurDir).peekable();
    let mut here: Option<OwnedFd> = None;
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return Err(Errno::XDEV) };
        let at = here.as_ref().map_or(dir, AsFd::as_fd);
        let stat = rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
            return Err(Errno::XDEV);
        }
        let last = parts.peek().is_none();
        let how = if last { flags } else { PASS_THROUGH | OFlags::DIRECTORY | OFlags::CLOEXEC };
        here = Some(rustix::fs::openat(at, name, how | OFlags::NOFOLLOW, Mode::empty())?);
    }
    match here {
        Some(fd) => Ok(fd),
        None => rustix::fs::openat(dir, c".", flags, Mode::empty()),
    }
}

fn read_bounded(file: OwnedFd, size: u64, limit: u64) -> std::io::Result<(Vec<u8>, Option<u64>)> {
    // One byte more than wanted tells a file that ends there from one that goes on, and saves
    // the vector from growing to find out. A size alone is not believed: it may be sparse.
    let mut bytes = Vec::with_capacity(size.min(limit).min(MAX_FILE) as usize + 1);
    File::from(file).take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use proptest::prelude::*;
    use tempfile::TempDir;

    use super::*;

    fn folder() -> (TempDir, Folder) {
        let dir = TempDir::new().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        (dir, folder)
    }

    fn text(folder: &Folder, rel: &str) -> String {
        folder.read(rel, MAX_FILE).unwrap().text
    }

    fn refused(folder: &Folder, rel: &str) -> String {
        folder.read(rel, MAX_FILE).unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_read_with_its_stamp() {
        let (dir, folder) = folder();
        fs::write(dir.path().join("a.md"), "a <b> & 中文").unwrap();
        let read = folder.read("a.md", MAX_FILE).unwrap();
        let stamp = folder.stamp("a.md").unwrap();
        let wanted = Read { text: "a <b> & 中文".into(), stamp, cut: None, lossy: false };
        assert_eq!(read, wanted);
        fs::write(dir.path().join("a.md"), "longer than it was before").unwrap();
        assert_ne!(folder.stamp("a.md").unwrap(), stamp);
    }

    #[test]
    fn nothing_outside_can_be_named() {
        let (dir, _) = folder();
        fs::create_dir(dir.path().join("in")).unwrap();
        fs::write(dir.path().join("secret"), "s").unwrap();
        fs::write(dir.path().join("in/a"), "a").unwrap();
        let folder = Folder::open(dir.path().join("in")).unwrap();
        let absolute = dir.path().join("secret").display().to_string();
        for rel in ["../secret", "./../secret", "a/../../secret", &absolute, "/etc/passwd", "/"] {
            let error = folder.read(rel, MAX_FILE).unwrap_err();
            // Through a file there is no way at all, which is as good a refusal.
            assert!(
                matches!(error, ReadError::Outside { .. } | ReadError::Missing { .. }),
                "{error}"
            );
        }
        assert_eq!(refused(&folder, "../secret"), "../secret: it leads outside the workspace");
        assert!(matches!(folder.list(".."), Err(ReadError::Outside { .. })));
        // Not even an allowed root is reached by letters alone.
        let folder = folder.with_root(Folder::open(dir.path()).unwrap());
        assert!(matches!(folder.read("../secret", 9), Err(ReadError::Outside { .. })));
        assert!(matches!(folder.read(&absolute, 9), Err(ReadError::Outside { .. })));
    }

    #[test]
    fn links_are_followed_inside_and_refused_outside() {
        let (dir, folder) = folder();
        let (other, outside) = super::tests::folder();
        fs::write(other.path().join("a"), "outside").unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("a"), "inside").unwrap();
        symlink("../a", dir.path().join("sub/up")).unwrap();
        symlink(dir.path().join("a"), dir.path().join("absolute")).unwrap();
        symlink(other.path().join("a"), dir.path().join("out")).unwrap();
        symlink(other.path(), dir.path().join("out-dir")).unwrap();
        symlink("/proc/self/root/etc/passwd", dir.path().join("magic")).unwrap();
        assert_eq!(text(&folder, "sub/up"), "inside");
        assert_eq!(text(&folder, "absolute"), "inside");
        for rel in ["out", "out-dir/a", "magic"] {
            assert_eq!(refused(&folder, rel), format!("{rel}: it leads outside the workspace"));
        }
        assert!(matches!(folder.list("out-dir"), Err(ReadError::Outside { .. })));
        let folder = folder.with_root(outside);
        assert_eq!(text(&folder, "out"), "outside");
        assert_eq!(text(&folder, "out-dir/a"), "outside");
        assert_eq!(folder.list("out-dir").unwrap().entries.len(), 1);
        assert!(matches!(folder.read("magic", 9), Err(ReadError::Outside { .. })));
    }

    #[test]
    fn a_root_whose_name_only_begins_the_same_is_another_folder() {
        let (dir, _) = folder();
        for name in ["in", "root", "root-2"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        fs::write(dir.path().join("root-2/a"), "a").unwrap();
        symlink("../root-2/a", dir.path().join("in/a")).unwrap();
        let root = Folder::open(dir.path().join("root")).unwrap();
        let folder = Folder::open(dir.path().join("in")).unwrap().with_root(root);
        assert!(matches!(folder.read("a", 9), Err(ReadError::Outside { .. })));
    }

    #[test]
    fn links_to_nowhere_and_in_circles_say_so() {
        let (dir, folder) = folder();
        symlink("gone", dir.path().join("dangling")).unwrap();
        symlink("/gone/for/good", dir.path().join("far")).unwrap();
        symlink("b", dir.path().join("a")).unwrap();
        symlink("a", dir.path().join("b")).unwrap();
        assert_eq!(refused(&folder, "dangling"), "dangling: it does not exist");
        assert_eq!(refused(&folder, "far"), "far: it does not exist");
        assert_eq!(refused(&folder, "a"), "a: its links lead in a circle");
        assert!(matches!(folder.stamp("a"), Err(ReadError::Loop { .. })));
        assert_eq!(folder.kind("a").unwrap(), Kind::Link);
    }

    #[test]
    fn what_is_not_a_file_is_named() {
        let (dir, folder) = folder();
        fs::create_dir(dir.path().join("sub")).unwrap();
        let here = fs::File::open(dir.path()).unwrap();
        rustix::fs::mknodat(&here, "pipe", FileType::Fifo, Mode::RWXU, 0).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        assert_eq!(refused(&folder, "sub"), "sub: it is a folder, not a file");
        assert_eq!(refused(&folder, "pipe"), "pipe: it is a named pipe, not a file");
        assert_eq!(refused(&folder, "socket"), "socket: it is a socket, not a file");
        assert_eq!(refused(&folder, "gone"), "gone: it does not exist");
        assert!(matches!(folder.list("pipe"), Err(ReadError::NotAFolder { .. })));
        assert!(matches!(folder.read("a\0b", 9), Err(ReadError::Io { .. })));
        let opened = Folder::open(dir.path().join("pipe"));
        assert!(matches!(opened, Err(ReadError::NotAFolder { .. })));
        assert!(Folder::open(dir.path().join("gone")).unwrap_err().is_missing());
    }

    #[test]
    fn a_file_we_may_not_read_is_denied() {
        if rustix::process::geteuid().is_root() {
            return;
        }
        let (dir, folder) = folder();
        fs::write(dir.path().join("a"), "a").unwrap();
        fs::set_permissions(dir.path().join("a"), fs::Permissions::from_mode(0o000)).unwrap();
        assert_eq!(refused(&folder, "a"), "a: reading it is not permitted");
    }

    #[test]
    fn a_huge_file_is_read_to_the_limit_only() {
        let (dir, folder) = folder();
        let size = 100 * 1024 * 1024;
        fs::File::create(dir.path().join("sparse")).unwrap().set_len(size).unwrap();
        let read = folder.read("sparse", MAX_FILE).unwrap();
        assert_eq!((read.text.len() as u64, read.cut, read.lossy), (MAX_FILE, Some(size), false));
        fs::write(dir.path().join("line"), "x".repeat(10_000_000)).unwrap();
        let read = folder.read("line", MAX_FILE).unwrap();
        assert_eq!((read.text.len() as u64, read.cut), (MAX_FILE, Some(10_000_000)));
        fs::write(dir.path().join("exact"), "12345").unwrap();
        assert_eq!(folder.read("exact", 5).unwrap().cut, None);
        assert_eq!(folder.read("exact", 4).unwrap().cut, Some(5));
    }

    #[test]
    fn bytes_become_text() {
        let lf = |bytes: &[u8]| to_text(bytes.to_vec(), false);
        assert_eq!(lf(b"\xEF\xBB\xBFa\r\nb\rc\n"), ("a\nb\nc\n".into(), false));
        assert_eq!(lf(b"a\xFFb\xC3"), ("a\u{FFFD}b\u{FFFD}".into(), true));
        assert_eq!(lf(b"a\0b"), ("a\0b".into(), false));
        assert_eq!(lf(b"\xFF\xFEa\0\r\0\n\0-N"), ("a\n\u{4E2D}".into(), false));
        assert_eq!(lf(b"\xFE\xFF\0aN-"), ("a\u{4E2D}".into(), false));
        assert_eq!(lf(b"\xFF\xFE\0\xD8a\0"), ("\u{FFFD}a".into(), true));
        assert_eq!(lf(b"\xFF\xFEa\0b"), ("a".into(), true));
    }

    #[test]
    fn a_listing_is_sorted_and_reports_what_it_cannot_name() {
        let (dir, folder) = folder();
        fs::create_dir(dir.path().join("b")).unwrap();
        fs::write(dir.path().join("a"), "").unwrap();
        symlink("a", dir.path().join("c")).unwrap();
        let odd = std::ffi::OsStr::from_bytes(b"x\xFF");
        fs::write(dir.path().join(odd), "").unwrap();
        let entry = |name: &str, kind| Entry { name: name.into(), kind };
        let wanted = Listing {
            entries: vec![entry("a", Kind::File), entry("b", Kind::Folder), entry("c", Kind::Link)],
            unnameable: vec!["x\u{FFFD}".into()],
            cut: false,
        };
        assert_eq!(folder.list(".").unwrap(), wanted);
        assert!(folder.list("gone").unwrap_err().is_missing());
    }

    #[test]
    fn without_openat2_the_walk_refuses_every_link_and_every_way_up() {
        let (dir, folder) = folder();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("sub/a"), "a").unwrap();
        symlink("sub", dir.path().join("link")).unwrap();
        symlink("a", dir.path().join("sub/b")).unwrap();
        let walk = |rel: &str| walk(folder.fd.as_fd(), Path::new(rel), OFlags::RDONLY);
        assert!(walk("sub/a").is_ok() && walk("./sub/./a").is_ok() && walk(".").is_ok());
        for rel in ["link/a", "sub/b", "..", "sub/../sub/a", "/etc/passwd"] {
            assert_eq!(walk(rel).unwrap_err(), Errno::XDEV, "{rel}");
        }
        assert_eq!(walk("sub/gone").unwrap_err(), Errno::NOENT);
        // The link is then opened by where it leads, again without following any.
        let opened = folder.open_elsewhere("link/b", OFlags::RDONLY).unwrap();
        assert_eq!(read_bounded(opened, 1, 9).unwrap().0, b"a");
    }

    proptest! {
        #[test]
        fn a_cut_keeps_whole_characters(text in "\\PC{0,20}", limit in 0_usize..40) {
            let limit = limit.min(text.len());
            let (kept, lossy) = to_text(text.as_bytes()[..limit].to_vec(), true);
            prop_assert!(!lossy && text.starts_with(&kept) && limit - kept.len() < 4);
        }

        #[test]
        fn any_bytes_are_some_text(bytes in proptest::collection::vec(any::<u8>(), 0..40), cut: bool) {
            let (text, _) = to_text(bytes, cut);
            prop_assert!(!text.contains('\r'));
        }
    }
}
