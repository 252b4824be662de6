//! Faults at a chosen step: a process that dies, a disk that fails, an editor that saves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::objects::Objects;
use super::{Memory, OURS};

/// What is to go wrong.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// So many steps go well.
    left: u32,
    kind: Kind,
    dead: bool,
    /// Steps that were taken.
    taken: u32,
    /// A file that somebody saves, and the text.
    pub(super) saves: Option<(PathBuf, &'static str)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The process dies: nothing of what it would do afterwards is done.
    Dies,
    /// The step fails, and the next ones do not.
    Fails,
    /// Nothing goes wrong, but just before the step an editor saves the file.
    Saves,
}

impl Fault {
    pub(super) fn new(kind: Kind, left: u32) -> Fault {
        Fault { left, kind, dead: false, taken: 0, saves: None }
    }

    /// Saves as editors do, without a lock.
    fn save(&self) {
        let (path, text) = self.saves.as_ref().unwrap();
        fs::write(path.with_extension("tmp"), text).unwrap();
        fs::rename(path.with_extension("tmp"), path).unwrap();
    }
}

impl Disk {
    /// A place where a process may die or a disk may fail.
    pub(super) fn step(&self) -> io::Result<()> {
        self.strikes().map_or(Ok(()), |_| Err(io::Error::other("injected")))
    }

    /// Such a place in the middle of a write: half of it is done.
    pub(super) fn tear(&self, write_half: impl Fn() -> io::Result<()>) -> io::Result<()> {
        if let Some(kind) = self.strikes() {
            if kind == Kind::Dies {
                write_half()?;
            }
            return Err(io::Error::other("injected"));
        }
        Ok(())
    }

    fn strikes(&self) -> Option<Kind> {
        let mut fault = self.fault.lock().unwrap();
        let fault = fault.as_mut()?;
        fault.taken += 1;
        if fault.dead {
            return Some(Kind::Fails);
        }
        if fault.left == 0 {
            // One that only fails does so once: the counter will not come here again.
            fault.dead = fault.kind == Kind::Dies;
            fault.left = u32::MAX;
            if fault.kind == Kind::Saves {
                fault.save();
                return None;
            }
            return Some(fault.kind);
        }
        fault.left -= 1;
        None
    }
}

/// A memory that meets a fault after so many steps.
pub(super) fn faulty(dir: &Path, kind: Kind, after: u32) -> Memory {
    let memory = bare(dir);
    *memory.disk.fault.lock().unwrap() = Some(Fault::new(kind, after));
    memory
}

/// A memory that has not yet looked at the disk.
pub(super) fn bare(dir: &Path) -> Memory {
    let root = dir.canonicalize().unwrap();
    let objects = Objects { folder: root.join(OURS).join("objects") };
    Memory { root, objects, disk: Disk::default() }
}

pub(super) fn taken(memory: &Memory) -> u32 {
    memory.disk.fault.lock().unwrap().as_ref().unwrap().taken
}
