//! One writer per session, by a lock that dies with its process.
//!
//! The kernel holds the lock on an open file, so nothing stale is left after `kill -9`. The file
//! itself stays: removing it would let two processes lock two files of one name. Who holds it is
//! written inside, for people; nothing depends on it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::append::open_plain;

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Why a lock was not had.
#[derive(Debug)]
pub enum NoLock {
    /// Another process (or another part of this one) holds it: its number, when it is known.
    Held(Option<u32>),
    /// The file cannot be used.
    Io(io::Error),
}

impl Lock {
    /// Takes the lock, or says at once why not.
    pub fn take(path: &Path) -> Result<Lock, NoLock> {
        let options = &mut OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = open_plain(options, path).map_err(NoLock::Io)?;
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => break,
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) => return Err(NoLock::Held(holder(&mut file))),
                Err(errno) => return Err(NoLock::Io(errno.into())),
            }
        }
        // On a full disk the name of the holder is not worth failing for.
        let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        Ok(Lock { file })
    }

    /// Whether somebody holds the lock. Only who left a name is looked for, so that a look is hardly ever in the
    /// way of one who takes it.
    pub fn is_held(path: &Path) -> bool {
        let Ok(mut file) = open_plain(OpenOptions::new().read(true), path) else { return false };
        let look = FlockOperation::NonBlockingLockShared;
        holder(&mut file).is_some()
            && matches!(rustix::fs::flock(&file, look), Err(Errno::WOULDBLOCK))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // So that the next holder is not taken for this one before it has written its own name.
        let _ = self.file.set_len(0);
        // Closing alone would not do: a child that is being started has a copy until it is its own
        // program.
        let _ = rustix::fs::flock(&self.file, FlockOperation::Unlock);
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_holds_the_lock_until_it_is_dropped() {
        let dir = tempfile::TempDir::new().unwrap();
        let path = dir.path().join("lock");
        let lock = Lock::take(&path).unwrap();
        for _ in 0..2 {
            let Err(NoLock::Held(pid)) = Lock::take(&path) else { panic!("it was given twice") };
            assert_eq!(pid, Some(std::process::id()));
            assert!(Lock::is_held(&path));
        }
        drop(lock);
        assert!(!Lock::is_held(&path));
        assert!(Lock::take(&path).is_ok());
    }

    #[test]
    fn a_name_left_by_the_dead_is_not_in_the_way() {
        let dir = tempfile::TempDir::new().unwrap();
        let path = dir.path().join("lock");
        std::fs::write(&path, "4294967295").unwrap();
        assert!(!Lock::is_held(&path));
        let lock = Lock::take(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), std::process::id().to_string());
        drop(lock);
    }
}
