//! Who makes memory now: one at a time in a workspace, in whichever process.
//!
//! To ask a model takes seconds, so nothing else is locked meanwhile: the session goes on, and memory can be
//! read and written. Only a second one who would ask about the same messages waits, or leaves it.

use std::path::Path;

use super::{Memory, MemoryError, OURS};
use crate::session::{Lock, NoLock};

/// The right to make memory, until it is dropped or its process dies.
#[derive(Debug)]
pub struct Making {
    _lock: Lock,
}

impl Making {
    /// Takes the right to make memory in a workspace; nothing when somebody else has it.
    pub fn begin(workspace: &Path) -> Result<Option<Making>, MemoryError> {
        let memory = Memory::at(workspace)?;
        let folder = memory.root.join(OURS);
        let locking = |path: &Path| MemoryError::disk(path, "it could not be locked");
        memory.disk.make_folder(&folder).map_err(locking(&folder))?;
        memory.inside(&folder)?;
        let path = folder.join("making");
        match Lock::take(&path) {
            Ok(lock) => Ok(Some(Making { _lock: lock })),
            Err(NoLock::Held(_)) => Ok(None),
            Err(NoLock::Io(error)) => Err(locking(&path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_makes_memory_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = Making::begin(folder.path()).unwrap();
        assert!(first.is_some() && Making::begin(folder.path()).unwrap().is_none());
        drop(first);
        assert!(Making::begin(folder.path()).unwrap().is_some());
    }
}
