//! Putting a version into the file, without ever overwriting what somebody else just saved.
//!
//! Editors take no locks. So the new file and the old one are exchanged, in one step of the kernel,
//! and what came out is looked at: if it is not what was read before, somebody saved it in between,
//! and the two are exchanged back. Only where a disk cannot exchange names is the file looked at
//! just before it is replaced.

use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Exchanged, read};
use super::log::Log;
use super::objects::hash;
use super::record::{Proposal, Record, Who};
use super::{Memory, MemoryError, now, or_empty};
use crate::disk::MAX_FILE;

/// Whether a version is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placed {
    Yes,
    /// Somebody saved the file since it was read, and theirs stays.
    SomebodySaved,
}

impl Memory {
    /// Puts bytes into the file, in place of those with the hash `expected`.
    pub(super) fn place(&self, bytes: &[u8], expected: &str) -> Result<Placed, MemoryError> {
        let path = self.file()?.0;
        let writing = |source| MemoryError::disk(&path, "it could not be written")(source);
        let folder = path.parent().unwrap_or(&self.root).to_owned();
        self.disk.make_folder(&folder).map_err(writing)?;
        self.inside(&folder)?;
        self.place_at(&path, bytes, expected).map_err(writing)
    }

    fn place_at(&self, path: &Path, bytes: &[u8], expected: &str) -> io::Result<Placed> {
        let new = beside(path);
        self.disk.create(&new, bytes, Some(path))?;
        let is_there = path.symlink_metadata().is_ok();
        let exchanged = match is_there {
            true => self.disk.exchange(&new, path)?,
            false if expected == hash(b"") => self.disk.rename_new(&new, path)?,
            false => Exchanged::No,
        };
        match exchanged {
            Exchanged::Yes if is_there => self.look_at_old(path, &new, expected),
            Exchanged::Yes => self.placed(path),
            Exchanged::No => Ok(Placed::SomebodySaved),
            Exchanged::Unsupported => self.replace(path, &new, expected),
        }
    }

    /// Looks at what came out of the file, which now has the new one's name.
    fn look_at_old(&self, path: &Path, old: &Path, expected: &str) -> io::Result<Placed> {
        if hash(&or_empty(read(old, MAX_FILE))?) == expected {
            self.disk.remove(old)?;
            return self.placed(path);
        }
        // Should somebody have saved it yet again, theirs comes out now, and is kept below.
        self.disk.exchange(old, path)?;
        Ok(Placed::SomebodySaved)
    }

    fn replace(&self, path: &Path, new: &Path, expected: &str) -> io::Result<Placed> {
        if hash(&or_empty(read(path, MAX_FILE))?) != expected {
            return Ok(Placed::SomebodySaved);
        }
        self.disk.rename(new, path)?;
        self.placed(path)
    }

    fn placed(&self, path: &Path) -> io::Result<Placed> {
        path.parent().map_or(Ok(()), |folder| self.disk.sync(folder))?;
        Ok(Placed::Yes)
    }

    /// Removes the file that an exchange has left behind. What is in it and in no version was saved
    /// by somebody while we were writing, and is kept as a proposal.
    pub(super) fn clear_away(&self, log: &mut Log) -> Result<(), MemoryError> {
        let path = self.memory_path();
        let left = beside(&path.canonicalize().unwrap_or(path));
        let clearing = |source| MemoryError::disk(&left, "it could not be cleared away")(source);
        let Some(bytes) = read(&left, MAX_FILE).map_err(clearing)? else { return Ok(()) };
        if !self.is_known(log, &bytes).map_err(clearing)? {
            let proposal = self.saved_meanwhile(log, &bytes)?;
            self.record(log, Record::Proposed(proposal))?;
        }
        self.disk.remove(&left).map_err(clearing)
    }

    fn is_known(&self, log: &Log, bytes: &[u8]) -> io::Result<bool> {
        let hash = hash(bytes);
        let begun = match &log.pending {
            Some(pending) => self.objects.get(&pending.hash)?.unwrap_or_default(),
            None => Vec::new(),
        };
        // The version that was begun may be half written.
        Ok(begun.starts_with(bytes)
            || log.versions.iter().any(|version| version.hash == hash)
            || log.proposals.iter().any(|(proposal, _)| proposal.hash == hash))
    }

    fn saved_meanwhile(&self, log: &Log, bytes: &[u8]) -> Result<Proposal, MemoryError> {
        Ok(Proposal {
            id: log.next_proposal(),
            time: now(),
            who: Who::Person,
            from: None,
            base: log.pending.as_ref().map_or(log.newest(), |pending| pending.parent),
            theirs: log.newest(),
            hash: self.store(bytes)?,
            bytes: bytes.len() as u64,
            why: "it was saved at the moment when louver wrote the file".to_owned(),
            lost: Vec::new(),
            consolidation: None,
        })
    }

    /// The folder that the file is in, without links.
    pub(super) fn memory_folder(&self) -> PathBuf {
        let path = self.memory_path();
        let real = path.canonicalize().unwrap_or(path);
        real.parent().unwrap_or(&self.root).to_owned()
    }
}

/// The name under which a file is written before it takes its place.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".louver-new");
    PathBuf::from(name)
}
