//! Notes of folders that settings do not name now. They wait in the index, and are not recalled.
//!
//! Two programs, or two runs, may share a workspace and name different folders. If each took out what the other
//! has put in, both would read everything again whenever the other has run. What waits is neither found nor counted. What is no
//! longer wanted is taken out when a person says so ([`Library::remove_waiting`]).

use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use super::columns::Columns;
use super::facts::Facts;
use super::known::Source;
use super::open::PATIENCE;
use super::postings::{self, Head};
use super::sync::in_order;
use super::{Doing, Library, LibraryError, Progress, Synced};
use crate::notes::Places;

/// What waits, so that it does not count: neither for how many notes there are, nor for how long they are, nor for how
/// many of them say a word.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// Whether the note at a place waits. Empty where none does.
    places: Vec<bool>,
    notes: u32,
    length: i64,
}

impl Waiting {
    /// The notes of these sources.
    pub(super) fn of(columns: &Columns, sources: &[bool]) -> Waiting {
        let mut waiting = Waiting::default();
        if !sources.contains(&true) {
            return waiting;
        }
        let waits = |source: &u32| sources.get(*source as usize) == Some(&true);
        waiting.places = columns.sources.iter().map(waits).collect();
        for (length, _) in columns.lengths.iter().zip(&waiting.places).filter(|(_, waits)| **waits)
        {
            waiting.notes += 1;
            waiting.length += i64::from(*length);
        }
        waiting
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How things stand without them.
    pub(super) fn without(&self, facts: &Facts) -> Facts {
        let (notes, length) =
            (facts.notes - self.notes.min(facts.notes), facts.length - self.length);
        Facts { notes, length, ..*facts }
    }

    /// How many notes say a word without them. Its list is gone through only where some wait.
    pub(super) fn says(
        &self,
        db: &Connection,
        word: u32,
        head: &Head,
    ) -> Result<u32, LibraryError> {
        let mut notes = head.notes;
        if !self.is_empty() {
            postings::scan(db, word, head, |posting| {
                let waits = self.places.get(posting.place as usize) == Some(&true);
                notes -= u32::from(waits && notes > 0);
            })?;
        }
        Ok(notes)
    }
}

impl Library {
    /// Says which folders are named.
    pub fn name(&mut self, places: &Places) {
        self.folders = Some(places.folders());
        self.known.name(places.folders());
    }

    /// How many notes wait.
    pub fn waiting(&mut self) -> Result<u64, LibraryError> {
        self.checked(|library| {
            let waiting = library.waiting_sources()?;
            let waits = |source: &&u32| waiting.get(**source as usize) == Some(&true);
            Ok(library.known.columns.sources.iter().filter(waits).count() as u64)
        })
    }

    /// Which sources have notes that wait, by their numbers.
    pub(super) fn waiting_sources(&mut self) -> Result<Vec<bool>, LibraryError> {
        self.look_around()?;
        let Library { db, known, folders, .. } = self;
        known.sources.load(db, &known.seen)?;
        let waits = |source: &Source| folders.as_ref().is_some_and(|named| source.waits(named));
        Ok(known.sources.iter().map(|source| source.is_some_and(waits)).collect())
    }

    /// Takes out those that wait, and gives back the room they had in the file.
    pub fn remove_waiting(
        &mut self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Synced, LibraryError> {
        let mut gone = self.stamps()?;
        let folders = self.folders.as_ref();
        gone.retain(|name, known| {
            !known.given && folders.is_some_and(|folders| folders.lack(name))
        });
        let done = self.remove_gone(in_order(gone), progress)?;
        if done.removed > 0 {
            let at = Progress { doing: Doing::Packing, of: 1, notes: done.removed, sources: 0 };
            progress(at);
            self.pack()?;
            progress(Progress { sources: 1, ..at });
        }
        Ok(done)
    }

    /// Makes the file as small as what is in it. Readers go on meanwhile, and a crash leaves it as it was or as it is to be.
    /// Where somebody else is writing, or the disk has no room for the copy that this takes, it stays as it is: what is
    /// free in it is used for the next notes.
    pub(super) fn pack(&mut self) -> Result<(), LibraryError> {
        self.checked(|library| {
            // The copy would be in memory else.
            library.db.execute_batch("PRAGMA temp_store = FILE")?;
            library.db.busy_timeout(Duration::ZERO)?;
            let packed = library.db.execute_batch("VACUUM");
            library.db.busy_timeout(PATIENCE)?;
            library.db.execute_batch("PRAGMA temp_store = MEMORY")?;
            match packed {
                Ok(()) => library.scrub(),
                Err(error) if is_passing(&error) => Ok(()),
                Err(error) => Err(error.into()),
            }
        })
    }
}

/// Whether there is merely no room or no chance now.
fn is_passing(error: &rusqlite::Error) -> bool {
    let codes = [
        ErrorCode::DatabaseBusy,
        ErrorCode::DatabaseLocked,
        ErrorCode::DiskFull,
        ErrorCode::CannotOpen,
        ErrorCode::SystemIoFailure,
    ];
    error.sqlite_error_code().is_some_and(|code| codes.contains(&code))
}
