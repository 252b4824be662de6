//! What a file looks like from outside, to tell whether it changed.

use std::path::Path;

use rustix::fs::Stat;

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

impl Stamp {
    /// What lies at this path, wherever that is.
    pub(crate) fn of_path(path: &Path) -> Option<Stamp> {
        rustix::fs::stat(path).ok().map(|stat| Stamp::of(&stat))
    }

    #[allow(clippy::unnecessary_cast, reason = "the widths differ between systems")]
    pub(super) fn of(stat: &Stat) -> Stamp {
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
