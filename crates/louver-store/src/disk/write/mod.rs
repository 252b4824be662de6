//! Writing beneath a folder: whole files, and never through a link.
//!
//! The way to a file is walked part by part, each opened in the one before it with `O_NOFOLLOW`, and
//! what is missing is made there. So the letters of the path are where the file is, and nothing can be
//! swapped under it. The text goes to a new file in the folder that was opened, then to the disk, and
//! then takes the name: whoever reads sees the old file or the new one, a link that stands at the name
//! is refused, and a file with a second name elsewhere keeps its bytes there.
//!
//! louver's own records (`.louver/`) and the workspace's settings are not written this way, under
//! whatever name they are reached; neither is MEMORY.md, each change of which is a version.

mod put;

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use self::put::{put, sync};
use super::open::PASS_THROUGH;
use super::{Access, Folder, Kind, Spot, Stamp, WriteError};
use crate::workspace::{MEMORY, PRIVATE, SETTINGS};

/// What is louver's alone, and the settings of the workspace.
pub const PROTECTED: [&str; 2] = [".louver", SETTINGS];

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wrote {
    /// Nothing had this name before.
    pub new: bool,
    /// The new file.
    pub stamp: Stamp,
}

impl Spot<'_> {
    /// Writes a file whole, the folders on the way to it included.
    ///
    /// When it is there its permissions are kept. When `read` says what was read of it before, it is
    /// only replaced if it still is that.
    pub fn write(&self, bytes: &[u8], read: Option<Stamp>) -> Result<Wrote, WriteError> {
        let way = self.way()?;
        let (name, folders) = way.split_last().ok_or_else(|| self.is_a(Kind::Folder))?;
        let folder = self.make(folders)?;
        let old = self.replaceable(&folder, name)?;
        if read.is_some_and(|read| old.as_ref().map(Stamp::of) != Some(read)) {
            return Err(WriteError::Changed { path: self.path.clone() });
        }
        let stamp =
            put(&folder, name, bytes, old.as_ref()).map_err(|source| self.failed(source))?;
        Ok(Wrote { new: old.is_none(), stamp })
    }

    /// Makes a folder and those on the way to it. One that is there already is fine.
    pub fn make_folder(&self) -> Result<(), WriteError> {
        self.make(&self.way()?).map(drop)
    }

    /// Removes a file, or a link itself.
    pub fn remove(&self) -> Result<(), WriteError> {
        let way = self.way()?;
        let (name, folders) = way.split_last().ok_or_else(|| self.is_a(Kind::Folder))?;
        let folder = self.walk(folders, Missing::Refuse)?;
        let stat = lstat(folder.as_fd(), name).map_err(|errno| self.failed(errno.into()))?;
        let Some(stat) = stat else {
            return Err(WriteError::Missing { path: self.path.clone() });
        };
        if kind(&stat) == Kind::Folder {
            return Err(self.is_a(Kind::Folder));
        }
        self.unprotected(&stat)?;
        let removed = rustix::fs::unlinkat(&folder, *name, AtFlags::empty());
        removed.map_err(|errno| self.failed(errno.into()))?;
        sync(&folder).map_err(|source| self.failed(source))
    }

    /// Whether it is the file of the long-term memory. The first of its two places always is: a file
    /// made there would take the place of one in the second.
    pub fn is_memory(&self) -> bool {
        let Ok(way) = self.way_of_letters() else { return false };
        let way = way.join("/");
        let ours = std::ptr::eq(self.whole, self.home) && !self.whole.hides_private();
        ours && (way == MEMORY[0] || way == memory_of(self.whole))
    }

    /// The parts of the way, with `..` taken at its letters: no link is followed, so that is where it
    /// leads. Only a way that may be written is one.
    fn way(&self) -> Result<Vec<&str>, WriteError> {
        let path = || self.path.clone();
        if self.home.access == Access::Read {
            return Err(WriteError::ReadOnly { path: path() });
        }
        if self.path.chars().any(char::is_control) {
            return Err(WriteError::Name { path: path(), why: "it has a control character" });
        }
        let way = self.way_of_letters()?;
        if std::ptr::eq(self.whole, self.home) {
            // Some disks take `.Louver` for `.louver`.
            let first = way.first().copied().unwrap_or_default();
            if PROTECTED.iter().any(|name| name.eq_ignore_ascii_case(first)) {
                return Err(WriteError::Protected { path: path() });
            }
            // It need not be there yet.
            let private = || PRIVATE.iter().any(|name| name.eq_ignore_ascii_case(first));
            if self.whole.hides_private() && private() {
                return Err(WriteError::Private { path: path() });
            }
            if self.is_memory() {
                return Err(WriteError::Memory { path: path() });
            }
        }
        Ok(way)
    }

    fn way_of_letters(&self) -> Result<Vec<&str>, WriteError> {
        let outside = || WriteError::Outside { path: self.path.clone() };
        let mut way = Vec::new();
        for part in Path::new(&self.rel).components() {
            match part {
                Component::Normal(name) => way.push(name.to_str().ok_or_else(outside)?),
                Component::CurDir => {}
                Component::ParentDir => drop(way.pop().ok_or_else(outside)?),
                Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        Ok(way)
    }

    fn make(&self, folders: &[&str]) -> Result<OwnedFd, WriteError> {
        self.walk(folders, Missing::Make)
    }

    /// Opens the last of these folders, each in the one before it.
    fn walk(&self, folders: &[&str], missing: Missing) -> Result<OwnedFd, WriteError> {
        let mut here: Option<OwnedFd> = None;
        for part in folders {
            let at = here.as_ref().map_or(self.home.fd.as_fd(), OwnedFd::as_fd);
            let next = self.step(at, part, missing)?;
            let stat = rustix::fs::fstat(&next).map_err(|errno| self.failed(errno.into()))?;
            self.unprotected(&stat)?;
            here = Some(next);
        }
        // Opened again to be read: the disk is told of a new name by its folder.
        let at = here.as_ref().map_or(self.home.fd.as_fd(), OwnedFd::as_fd);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::openat(at, c".", flags, Mode::empty())
            .map_err(|errno| self.failed(errno.into()))
    }

    fn step(
        &self,
        at: BorrowedFd<'_>,
        part: &str,
        missing: Missing,
    ) -> Result<OwnedFd, WriteError> {
        let flags = PASS_THROUGH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || rustix::fs::openat(at, part, flags, Mode::empty());
        let opened = match open() {
            Err(Errno::NOENT) if missing == Missing::Make => {
                let made = rustix::fs::mkdirat(at, part, Mode::from_raw_mode(0o777));
                match made {
                    // Somebody else made it first.
                    Ok(()) | Err(Errno::EXIST) => open(),
                    Err(errno) => Err(errno),
                }
            }
            opened => opened,
        };
        opened.map_err(|errno| match errno {
            Errno::NOENT => WriteError::Missing { path: self.path.clone() },
            Errno::NOTDIR | Errno::LOOP => self.no_folder(at, part),
            errno => self.failed(errno.into()),
        })
    }

    fn no_folder(&self, at: BorrowedFd<'_>, part: &str) -> WriteError {
        let (path, part) = (self.path.clone(), part.to_owned());
        match lstat(at, &part) {
            Ok(Some(stat)) if kind(&stat) == Kind::Link => WriteError::Link { path, link: part },
            _ => WriteError::NotAFolder { path, part },
        }
    }

    /// What will be replaced, if it is a file that may be.
    fn replaceable(&self, folder: &OwnedFd, name: &str) -> Result<Option<Stat>, WriteError> {
        let stat = lstat(folder.as_fd(), name).map_err(|errno| self.failed(errno.into()))?;
        let Some(stat) = stat else { return Ok(None) };
        self.unprotected(&stat)?;
        match kind(&stat) {
            Kind::File => Ok(Some(stat)),
            Kind::Link => Err(WriteError::Link { path: self.path.clone(), link: name.to_owned() }),
            kind => Err(self.is_a(kind)),
        }
    }

    /// An error if this is something protected, by whatever way it was reached.
    fn unprotected(&self, stat: &Stat) -> Result<(), WriteError> {
        let same = |name: &str| {
            let known = lstat(self.whole.fd.as_fd(), name).ok().flatten();
            known.is_some_and(|known| (known.st_dev, known.st_ino) == (stat.st_dev, stat.st_ino))
        };
        let path = || self.path.clone();
        if PROTECTED.iter().any(|name| same(name)) {
            return Err(WriteError::Protected { path: path() });
        }
        if self.whole.hidden.as_ref().is_some_and(|hidden| hidden.is(stat)) {
            return Err(WriteError::Private { path: path() });
        }
        match same(memory_of(self.whole)) {
            true => Err(WriteError::Memory { path: path() }),
            false => Ok(()),
        }
    }

    fn is_a(&self, kind: Kind) -> WriteError {
        WriteError::NotAFile { path: self.path.clone(), kind }
    }

    fn failed(&self, source: io::Error) -> WriteError {
        let path = self.path.clone();
        match Errno::from_io_error(&source) {
            Some(Errno::ACCESS | Errno::PERM | Errno::ROFS) => WriteError::Denied { path },
            Some(Errno::NAMETOOLONG) => WriteError::Name { path, why: "it is too long" },
            Some(Errno::INVAL) => WriteError::Name { path, why: "the disk refuses it" },
            _ => WriteError::Io { path, source },
        }
    }
}

/// What to do about a folder that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Make,
    Refuse,
}

/// The file of the long-term memory: the first place that has one, else the first place.
fn memory_of(whole: &Folder) -> &'static str {
    MEMORY.into_iter().find(|name| whole.kind(name).is_ok()).unwrap_or(MEMORY[0])
}

fn lstat(at: BorrowedFd<'_>, name: &str) -> Result<Option<Stat>, Errno> {
    match rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(errno),
    }
}

fn kind(stat: &Stat) -> Kind {
    Kind::of(FileType::from_raw_mode(stat.st_mode))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use tempfile::TempDir;

    use super::super::ReadError;
    use super::*;

    fn folder() -> (TempDir, Folder) {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("ws")).unwrap();
        let folder = Folder::open(dir.path().join("ws")).unwrap();
        (dir, folder)
    }

    fn write(folder: &Folder, path: &str, text: &str) -> Result<Wrote, WriteError> {
        folder.spot(path).unwrap().write(text.as_bytes(), None)
    }

    fn refused(folder: &Folder, path: &str) -> String {
        write(folder, path, "evil").unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_written_with_the_folders_on_its_way() {
        let (dir, folder) = folder();
        let wrote = write(&folder, "a/b/../c.md", "one").unwrap();
        assert!(wrote.new);
        assert_eq!(wrote.stamp, folder.stamp("a/c.md").unwrap());
        assert_eq!(fs::read_to_string(dir.path().join("ws/a/c.md")).unwrap(), "one");
        assert!(!write(&folder, "a/c.md", "two").unwrap().new);
        let absolute = dir.path().join("ws/a/c.md").display().to_string();
        assert!(!write(&folder, &absolute, "three").unwrap().new);
        assert_eq!(folder.read("a/c.md", 9).unwrap().text, "three");
        assert_eq!(folder.list("a").unwrap().entries.len(), 1);
    }

    #[test]
    fn the_mode_is_kept_and_the_outside_name_of_a_file_keeps_its_bytes() {
        let (dir, folder) = folder();
        let (inside, outside) = (dir.path().join("ws/run"), dir.path().join("run"));
        fs::write(&outside, "outside").unwrap();
        fs::set_permissions(&outside, fs::Permissions::from_mode(0o4751)).unwrap();
        fs::hard_link(&outside, &inside).unwrap();
        write(&folder, "run", "inside").unwrap();
        assert_eq!(fs::read_to_string(outside).unwrap(), "outside");
        assert_eq!(fs::metadata(inside).unwrap().mode() & 0o7777, 0o751);
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (dir, folder) = folder();
        let ws = dir.path().join("ws");
        fs::create_dir(dir.path().join("out")).unwrap();
        fs::create_dir(ws.join("in")).unwrap();
        fs::write(dir.path().join("out/a"), "outside").unwrap();
        symlink("../out/a", ws.join("file")).unwrap();
        symlink("../out/new", ws.join("dangling")).unwrap();
        symlink(dir.path().join("out"), ws.join("folder")).unwrap();
        symlink("in", ws.join("inner")).unwrap();
        for path in ["file", "dangling", "folder/a", "folder/new", "folder/x/y", "inner/a"] {
            let link = path.split('/').next().unwrap();
            let wanted = format!("{path}: `{link}` is a link, and nothing is written through one");
            assert_eq!(refused(&folder, path), wanted);
        }
        assert_eq!(fs::read_to_string(dir.path().join("out/a")).unwrap(), "outside");
        assert_eq!(fs::read_dir(dir.path().join("out")).unwrap().count(), 1);
        folder.spot("file").unwrap().remove().unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("out/a")).unwrap(), "outside");
    }

    #[test]
    fn what_is_louvers_own_is_refused_under_every_name() {
        let (dir, folder) = folder();
        let ws = dir.path().join("ws");
        fs::create_dir_all(ws.join(".louver/sessions")).unwrap();
        fs::create_dir(ws.join("memory")).unwrap();
        fs::write(ws.join("memory/MEMORY.md"), "m").unwrap();
        fs::write(ws.join("louver.toml"), "").unwrap();
        fs::hard_link(ws.join("louver.toml"), ws.join("other.toml")).unwrap();
        for path in [".louver/x", "a/../.louver/x", "./louver.toml", ".LOUVER/x", "other.toml"] {
            let error = write(&folder, path, "x").unwrap_err();
            assert!(matches!(error, WriteError::Protected { .. }), "{path}: {error}");
        }
        for path in ["memory/MEMORY.md", "x/../memory//MEMORY.md"] {
            let error = write(&folder, path, "x").unwrap_err();
            assert!(matches!(error, WriteError::Memory { .. }), "{path}: {error}");
        }
        // A root around the workspace gives no other way in.
        let folder = folder.with_writable_root(Folder::open(dir.path()).unwrap());
        let around = dir.path().join("x/../ws/.louver/x").display().to_string();
        assert!(matches!(write(&folder, &around, "x"), Err(WriteError::Protected { .. })));
        let around = dir.path().join("x/../ws/memory/MEMORY.md").display().to_string();
        assert!(matches!(write(&folder, &around, "x"), Err(WriteError::Memory { .. })));
    }

    #[test]
    fn a_root_is_written_only_where_its_owner_says_so() {
        let (dir, folder) = folder();
        for name in ["read", "write", "read-2"] {
            fs::create_dir(dir.path().join(name)).unwrap();
            fs::write(dir.path().join(name).join("a"), name).unwrap();
        }
        let open = |name: &str| Folder::open(dir.path().join(name)).unwrap();
        let folder = folder.with_root(open("read")).with_writable_root(open("write"));
        let at = |name: &str| dir.path().join(name).display().to_string();
        let spot = |name: &str| folder.spot(&at(name)).map(|spot| spot.read(99).unwrap().text);
        assert_eq!(spot("read/a").unwrap(), "read");
        assert_eq!(spot("write/a").unwrap(), "write");
        assert!(matches!(spot("read-2/a"), Err(ReadError::Outside { .. })));
        assert!(matches!(write(&folder, &at("read/a"), "x"), Err(WriteError::ReadOnly { .. })));
        write(&folder, &at("write/b/c"), "x").unwrap();
        assert_eq!(folder.writable_places().count(), 2);
        let up = at("write/../read/a");
        assert!(matches!(write(&folder, &up, "x"), Err(WriteError::Outside { .. })));
    }

    #[test]
    fn a_file_that_someone_else_changed_is_not_replaced() {
        let (dir, folder) = folder();
        fs::write(dir.path().join("ws/a"), "one").unwrap();
        let stamp = folder.stamp("a").unwrap();
        fs::write(dir.path().join("ws/a"), "theirs").unwrap();
        let written = folder.spot("a").unwrap().write(b"mine", Some(stamp));
        assert!(matches!(written, Err(WriteError::Changed { .. })));
        assert_eq!(folder.read("a", 9).unwrap().text, "theirs");
    }

    #[test]
    fn what_cannot_be_a_file_is_refused_in_words() {
        let (dir, folder) = folder();
        fs::create_dir(dir.path().join("ws/sub")).unwrap();
        fs::write(dir.path().join("ws/file"), "").unwrap();
        let here = fs::File::open(dir.path().join("ws")).unwrap();
        rustix::fs::mknodat(&here, "pipe", FileType::Fifo, Mode::RWXU, 0).unwrap();
        assert_eq!(refused(&folder, "sub"), "sub: it is a folder, not a file");
        assert_eq!(refused(&folder, "."), ".: it is a folder, not a file");
        assert_eq!(refused(&folder, "pipe"), "pipe: it is a named pipe, not a file");
        assert_eq!(refused(&folder, "file/a"), "file/a: `file` is not a folder");
        assert_eq!(refused(&folder, "../a"), "../a: it leads outside the workspace");
        let name = "\"a\\nb\": it is not a name for a file: it has a control character";
        assert_eq!(refused(&folder, "a\nb"), name);
        assert!(refused(&folder, &"x".repeat(300)).ends_with("it is too long"));
        assert_eq!(folder.list(".").unwrap().entries.len(), 3);
        assert!(matches!(folder.spot("x").unwrap().remove(), Err(WriteError::Missing { .. })));
    }
}
