//! What memory is at one moment, and how it becomes the next version.
//!
//! Everything here is called by someone who holds the lock.

use std::path::PathBuf;

use super::disk::read;
use super::log::Log;
use super::objects::hash;
use super::place::Placed;
use super::record::{Origin, Proposal, Record, Version, Who};
use super::{LOG, Memory, MemoryError, Written, now, or_empty, sealed, text};
use crate::disk::MAX_FILE;
use crate::workspace::MEMORY;

/// The log may grow to so many bytes: a million versions.
const MAX_LOG: u64 = 512 * 1024 * 1024;

/// What memory is at one moment.
#[derive(Debug)]
pub(super) struct State {
    pub(super) log: Log,
    /// The text in the file.
    pub(super) text: String,
    /// The hash of the file's bytes.
    pub(super) hash: String,
}

/// Who makes a change, and out of what.
#[derive(Debug, Clone)]
pub(super) struct About {
    pub(super) who: Who,
    pub(super) from: Option<Origin>,
    /// The version that was read.
    pub(super) base: u64,
    pub(super) restored: Option<u64>,
    pub(super) proposal: Option<u64>,
    pub(super) consolidation: Option<u64>,
}

impl About {
    pub(super) fn by(who: Who) -> About {
        About { who, from: None, base: 0, restored: None, proposal: None, consolidation: None }
    }
}

impl Memory {
    /// Looks at the file and the log, and brings them together: what a crash has left is settled,
    /// and what a person has changed becomes a version.
    pub(super) fn look(&self) -> Result<State, MemoryError> {
        let mut log = self.mended_log()?;
        let (_, bytes) = self.file()?;
        self.clear_away(&mut log)?;
        let is_there = bytes.is_some();
        let bytes = bytes.unwrap_or_default();
        let found = hash(&bytes);
        self.settle(&mut log, &found)?;
        let known = log.versions.last().map_or_else(|| hash(b""), |newest| newest.hash.clone());
        if found != known {
            self.note_edit(&mut log, &bytes, is_there)?;
        }
        Ok(State { log, text: text(bytes), hash: found })
    }

    /// Finds out what became of a version that was begun: the file tells.
    fn settle(&self, log: &mut Log, found: &str) -> Result<(), MemoryError> {
        let Some(pending) = &log.pending else { return Ok(()) };
        let n = pending.n;
        if pending.hash != found {
            return self.record(log, Record::Dropped { n });
        }
        let folder = self.memory_folder();
        // The new name may not have reached the disk before the crash.
        let syncing = MemoryError::disk(&folder, "the disk did not confirm the write");
        self.disk.sync(&folder).map_err(syncing)?;
        self.record(log, Record::Done { n })
    }

    /// Makes a version of what somebody else has put into the file.
    fn note_edit(&self, log: &mut Log, bytes: &[u8], is_there: bool) -> Result<(), MemoryError> {
        let first = log.versions.is_empty() && is_there;
        let about = About::by(if first { Who::Import } else { Who::Person });
        let version = self.version(log, bytes, about)?;
        self.record(log, Record::Version(version))
    }

    /// The next version, with its bytes on the disk and not yet in the log.
    fn version(&self, log: &Log, bytes: &[u8], about: About) -> Result<Version, MemoryError> {
        let hash = self.store(bytes)?;
        let parent = log.newest();
        let made_from =
            matches!(about.who, Who::Agent | Who::Consolidation) || about.proposal.is_some();
        Ok(Version {
            n: log.next_version(),
            time: now(),
            who: about.who,
            from: about.from,
            hash,
            bytes: bytes.len() as u64,
            parent,
            base: (made_from && about.base != parent).then_some(about.base),
            restored: about.restored,
            proposal: about.proposal,
            consolidation: about.consolidation,
        })
    }

    /// Keeps bytes under their hash.
    pub(super) fn store(&self, bytes: &[u8]) -> Result<String, MemoryError> {
        let storing = MemoryError::disk(&self.objects.folder, "a version could not be stored");
        self.objects.put(&self.disk, bytes).map_err(storing)
    }

    /// Makes a text the next version. Nothing comes back when somebody saved the file meanwhile.
    pub(super) fn commit(
        &self,
        state: &mut State,
        new: &str,
        about: About,
    ) -> Result<Option<Written>, MemoryError> {
        if new == state.text {
            return Ok(Some(Written::Same));
        }
        self.bounded(new.len() as u64)?;
        let version = self.version(&state.log, new.as_bytes(), about)?;
        self.record(&mut state.log, Record::Begin(version.clone()))?;
        match self.place(new.as_bytes(), &state.hash)? {
            Placed::Yes => {
                self.record(&mut state.log, Record::Done { n: version.n })?;
                Ok(Some(Written::Version(version)))
            }
            Placed::SomebodySaved => Ok(None),
        }
    }

    /// Keeps a text that is not written as a proposal, and gives back its number.
    pub(super) fn propose(
        &self,
        state: &mut State,
        new: &str,
        about: About,
        why: &str,
        lost: &[String],
    ) -> Result<u64, MemoryError> {
        let hash = self.store(new.as_bytes())?;
        if let Some(twin) = state.log.waiting(&hash, about.base) {
            return Ok(twin);
        }
        let id = state.log.next_proposal();
        let proposal = Proposal {
            id,
            time: now(),
            who: about.who,
            from: about.from,
            base: about.base,
            theirs: state.log.newest(),
            hash,
            bytes: new.len() as u64,
            why: why.to_owned(),
            lost: lost.to_vec(),
            consolidation: about.consolidation,
        };
        self.record(&mut state.log, Record::Proposed(proposal))?;
        Ok(id)
    }

    /// Writes a record to the end of the log; then it counts.
    pub(super) fn record(&self, log: &mut Log, record: Record) -> Result<(), MemoryError> {
        let path = self.root.join(LOG);
        let writing = |source| MemoryError::disk(&path, "it could not be written")(source);
        let line = sealed::seal(&record).map_err(|error| writing(error.into()))?;
        self.disk.append(&path, &line).map_err(writing)?;
        log.take(record);
        Ok(())
    }

    /// The log's bytes and what they say. Nobody has to hold the lock for this.
    pub(super) fn read_log(&self) -> Result<(Vec<u8>, Log), MemoryError> {
        let path = self.root.join(LOG);
        let bytes = or_empty(read(&path, MAX_LOG));
        let bytes = bytes.map_err(MemoryError::disk(&path, "it could not be read"))?;
        let log = Log::parse(&bytes);
        Ok((bytes, log))
    }

    /// The log, ready for its next line: what was torn off its end is set aside.
    fn mended_log(&self) -> Result<Log, MemoryError> {
        let (bytes, mut log) = self.read_log()?;
        let Some(at) = log.torn.take() else { return Ok(log) };
        let path = self.root.join(LOG);
        let aside = path.with_extension("jsonl.torn");
        let torn = [bytes.get(at as usize..).unwrap_or_default(), b"\n"].concat();
        let set_aside = self.disk.append(&aside, &torn).and_then(|()| self.disk.cut(&path, at));
        set_aside.map_err(MemoryError::disk(&path, "its torn end could not be set aside"))?;
        Ok(log)
    }

    /// The text of a version in the log.
    pub(super) fn text_of(&self, log: &Log, n: u64) -> Result<String, MemoryError> {
        if n == 0 {
            return Ok(String::new());
        }
        let missing = MemoryError::NoVersion { n, newest: log.newest() };
        let version = log.version(n).ok_or(missing)?;
        self.kept(&version.hash)?.ok_or(MemoryError::Damaged { n })
    }

    /// The text of a version, or nothing where it is damaged or was never there.
    pub(super) fn text_if_whole(&self, log: &Log, n: u64) -> Result<Option<String>, MemoryError> {
        match self.text_of(log, n) {
            Err(MemoryError::Damaged { .. } | MemoryError::NoVersion { .. }) => Ok(None),
            found => found.map(Some),
        }
    }

    /// The text with this hash, when it is whole.
    pub(super) fn kept(&self, hash: &str) -> Result<Option<String>, MemoryError> {
        let reading = MemoryError::disk(&self.objects.folder, "a version could not be read");
        Ok(self.objects.get(hash).map_err(reading)?.map(text))
    }

    /// Where memory is kept: nanobot's and our place, or else OpenClaw's where that one is in use.
    pub(super) fn memory_path(&self) -> PathBuf {
        let places = MEMORY.map(|name| self.root.join(name));
        let used = places.iter().find(|place| place.symlink_metadata().is_ok());
        used.unwrap_or(&places[0]).clone()
    }

    /// The file without links, and its bytes when it is there.
    pub(super) fn file(&self) -> Result<(PathBuf, Option<Vec<u8>>), MemoryError> {
        let path = self.memory_path();
        if path.symlink_metadata().is_err() {
            return Ok((path, None));
        }
        let path = match self.inside(&path) {
            // It was there a moment ago: an editor is saving it.
            Err(_) if path.symlink_metadata().is_err() => return Ok((path, None)),
            inside => inside?,
        };
        match read(&path, MAX_FILE) {
            Ok(bytes) => Ok((path, bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                let bytes = path.metadata().map_or(MAX_FILE, |data| data.len());
                Err(MemoryError::TooLarge { path, bytes, limit: MAX_FILE })
            }
            Err(error) => Err(MemoryError::disk(&path, "it could not be read")(error)),
        }
    }

    /// An error for a text that is larger than memory may be.
    pub(super) fn bounded(&self, bytes: u64) -> Result<(), MemoryError> {
        match bytes > MAX_FILE {
            true => Err(MemoryError::TooLarge { path: self.memory_path(), bytes, limit: MAX_FILE }),
            false => Ok(()),
        }
    }
}
