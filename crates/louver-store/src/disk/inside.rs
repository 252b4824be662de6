//! A folder that is held open to look at many of its entries.

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, OFlags};
use rustix::io::Errno;

use super::hidden::Hidden;
use super::open::{PASS_THROUGH, walk};
use super::{Kind, Listing, Opened, ReadError, Stamp, plain_file};

/// A folder beneath a [`Folder`](super::Folder), held open.
#[derive(Debug)]
pub struct Inside {
    pub(super) fd: OwnedFd,
    pub(super) path: String,
    pub(super) hidden: Option<Arc<Hidden>>,
}

impl Inside {
    /// What is in it.
    pub fn list(&self) -> Result<Listing, ReadError> {
        Listing::of(&self.fd).map_err(|errno| ReadError::new(&self.path, errno))
    }

    /// [`Folder::stamp`](super::Folder::stamp) of something in it, which spares the kernel the way there.
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

/// A name with no way in it, neither up nor down.
fn bare<'a>(name: &'a str, path: &str) -> Result<&'a Path, ReadError> {
    match name.contains('/') {
        true => Err(ReadError::Outside { path: path.to_owned() }),
        false => Ok(Path::new(name)),
    }
}
