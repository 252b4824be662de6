//! A file replaced whole: whoever reads it sees the old one or the new one.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::lstat;
use crate::disk::Stamp;

/// Puts bytes under a name: a new file beside it, the disk, the name, the disk again.
pub(super) fn put(
    folder: &OwnedFd,
    name: &str,
    bytes: &[u8],
    old: Option<&Stat>,
) -> io::Result<Stamp> {
    let beside = beside();
    // While it is written, nobody may read more of it than of the one it will replace.
    let mode = Mode::from_raw_mode(if old.is_some() { 0o600 } else { 0o666 });
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = rustix::fs::openat(folder, &beside, flags, mode)?;
    let placed = fill(fd, bytes, old).and_then(|stamp| {
        rustix::fs::renameat(folder, &beside, folder, name)?;
        Ok(stamp)
    });
    if placed.is_err() {
        // What is left of it is of no use; that it could not be removed is no news after the error.
        let _ = rustix::fs::unlinkat(folder, &beside, AtFlags::empty());
    }
    let stamp = placed?;
    sync(folder)?;
    // The rename itself changed the inode.
    let stat = lstat(folder.as_fd(), name)?;
    Ok(stat.map_or(stamp, |stat| Stamp::of(&stat)))
}

fn fill(fd: OwnedFd, bytes: &[u8], old: Option<&Stat>) -> io::Result<Stamp> {
    let mut file = File::from(fd);
    file.write_all(bytes)?;
    if let Some(old) = old {
        // Not the bits that lend the owner's rights: the text is no longer theirs.
        rustix::fs::fchmod(&file, Mode::from_raw_mode(old.st_mode & 0o777))?;
    }
    file.sync_all()?;
    Ok(Stamp::of(&rustix::fs::fstat(&file)?))
}

/// A disk that cannot sync a folder has nothing to lose by it.
pub(super) fn sync(folder: &OwnedFd) -> io::Result<()> {
    match rustix::fs::fsync(folder) {
        Ok(()) | Err(Errno::INVAL) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// A name that nothing else has. If something does have it, the file is not opened.
fn beside() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = nanos.map(|since| since.as_nanos()).unwrap_or_default();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!(".louver-{}-{nanos:x}-{count}.tmp", std::process::id())
}
