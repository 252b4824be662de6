//! Opening what a path names beneath a held descriptor, and never anything else.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::hidden::Hidden;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) const PASS_THROUGH: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) const PASS_THROUGH: OFlags = OFlags::RDONLY;

/// Whether a name stays inside by its letters, so that only a link can have led it out.
pub(super) fn is_plain(rel: &str) -> bool {
    Path::new(rel).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn open_beneath(
    dir: BorrowedFd<'_>,
    rel: &Path,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    // The kernel answers EAGAIN when something was renamed while it resolved a `..` of a link.
    for _ in 0..16 {
        match rustix::fs::openat2(dir, rel, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN) => {}
            // Old sandboxes answer EPERM to calls they do not know.
            Err(Errno::NOSYS | Errno::PERM) => return walk(dir, rel, flags, None),
            opened => return opened,
        }
    }
    Err(Errno::AGAIN)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn open_beneath(
    dir: BorrowedFd<'_>,
    rel: &Path,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    walk(dir, rel, flags, None)
}

/// Opens a path part by part and follows no link: each one is reported as leading outside. Nothing that is
/// hidden is passed or opened.
pub(super) fn walk(
    dir: BorrowedFd<'_>,
    rel: &Path,
    flags: OFlags,
    hidden: Option<&Hidden>,
) -> Result<OwnedFd, Errno> {
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
        let opened = rustix::fs::openat(at, name, how | OFlags::NOFOLLOW, Mode::empty())?;
        hidden.map_or(Ok(()), |hidden| hidden.is_not(opened.as_fd()))?;
        here = Some(opened);
    }
    match here {
        Some(fd) => Ok(fd),
        None => rustix::fs::openat(dir, c".", flags, Mode::empty()),
    }
}
