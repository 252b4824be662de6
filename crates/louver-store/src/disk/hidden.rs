//! What a folder keeps to itself: found by what it is, not by what it is called.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::{AtFlags, Stat};
use rustix::io::Errno;

use super::Folder;
use crate::workspace::{MEMORY, PRIVATE};

/// What is answered for something hidden. No disk says this of a file.
pub(super) const HIDDEN: Errno = Errno::NOTSOCK;

/// What is remembered of the person, in the workspace that this is the folder of.
#[derive(Debug)]
pub(super) struct Hidden {
    workspace: Arc<OwnedFd>,
}

impl Folder {
    /// The same folder and roots, in which nothing is read or written that is remembered of the person: for
    /// conversations that are not theirs alone. A root that lies in it is left out.
    #[must_use]
    pub fn without_private(&self) -> Folder {
        let hidden = Arc::new(Hidden { workspace: self.fd.clone() });
        let private: Vec<_> =
            PRIVATE.iter().filter_map(|name| self.path.join(name).canonicalize().ok()).collect();
        let mut folder = self.clone();
        folder.roots.retain(|root| !private.iter().any(|path| root.path.starts_with(path)));
        for root in &mut folder.roots {
            root.hidden = Some(hidden.clone());
        }
        folder.hidden = Some(hidden);
        folder
    }

    /// Whether it is one [`Folder::without_private`].
    pub fn hides_private(&self) -> bool {
        self.hidden.is_some()
    }
}

impl Hidden {
    /// An error if this is hidden.
    pub(super) fn is_not(&self, fd: BorrowedFd<'_>) -> Result<(), Errno> {
        match self.is(&rustix::fs::fstat(fd)?) {
            true => Err(HIDDEN),
            false => Ok(()),
        }
    }

    /// Whether this is hidden: a name of it, or what that leads to. Looked up each time, since MEMORY.md is
    /// another file after every change.
    pub(super) fn is(&self, stat: &Stat) -> bool {
        let same = |name: &str, how: AtFlags| {
            let known = rustix::fs::statat(&self.workspace, name, how);
            known.is_ok_and(|known| (known.st_dev, known.st_ino) == (stat.st_dev, stat.st_ino))
        };
        let ways = [AtFlags::SYMLINK_NOFOLLOW, AtFlags::empty()];
        PRIVATE.into_iter().chain(MEMORY).any(|name| ways.into_iter().any(|how| same(name, how)))
    }
}
