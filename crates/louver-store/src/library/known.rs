//! What a process remembers of the database, as of when it last looked.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::{Connection, Row};

use super::columns::Columns;
use super::error::LibraryError;
use super::facts::{self, Event, Facts};
use super::rows;
use super::waiting::Waiting;
use super::words::Words;
use crate::notes::Folders;

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// How things stood; the rest is of that time.
    pub(super) seen: Facts,
    pub(super) columns: Columns,
    pub(super) words: Words,
    pub(super) people: People,
    pub(super) sources: Sources,
    /// Which folders are named, and how often the database had been written to when what waits was counted.
    folders: Option<(Folders, Option<i64>)>,
}

impl Known {
    /// Takes note of which folders are named.
    pub(super) fn name(&mut self, folders: Folders) {
        if self.folders.as_ref().is_none_or(|(known, _)| *known != folders) {
            self.folders = Some((folders, None));
        }
    }

    /// Knows no words any more.
    pub(super) fn forget_words(&mut self) {
        self.words = Words::default();
        self.folders.iter_mut().for_each(|(_, counted)| *counted = None);
    }

    /// Takes note of what others changed since, and of what waits.
    pub(super) fn refresh(
        &mut self,
        db: &Connection,
        facts: Facts,
        analysis: i64,
    ) -> Result<(), LibraryError> {
        self.catch_up(db, facts, analysis)?;
        let Some((folders, counted)) = &mut self.folders else { return Ok(()) };
        if *counted == Some(facts.changes) {
            return Ok(());
        }
        self.sources.load(db, &facts)?;
        let waits = |source: &Source| source.waits(folders);
        let waiting: Vec<bool> =
            self.sources.iter().map(|source| source.is_some_and(waits)).collect();
        if waiting.contains(&true) {
            self.columns.load(db, facts.next_place)?;
        }
        self.words.waiting = Waiting::of(&self.columns, &waiting);
        *counted = Some(facts.changes);
        Ok(())
    }

    /// Takes note of what others changed since.
    pub(super) fn catch_up(
        &mut self,
        db: &Connection,
        facts: Facts,
        analysis: i64,
    ) -> Result<(), LibraryError> {
        if facts.analysis != analysis {
            return Err(LibraryError::OtherVersion);
        }
        if facts.epoch != self.seen.epoch {
            let folders = self.folders.take().map(|(folders, _)| (folders, None));
            *self = Known { folders, ..Known::default() };
        } else if facts.logged != self.seen.logged {
            let events = facts::events(db, self.seen.logged)?;
            self.remove_places(&events);
            self.words.heed(&events);
        }
        self.seen = facts;
        Ok(())
    }

    /// Takes note of what this process has written. What words are has been heeded on the way.
    pub(super) fn has_written(
        &mut self,
        db: &Connection,
        facts: &Facts,
    ) -> Result<(), LibraryError> {
        self.remove_places(&facts::events(db, self.seen.logged)?);
        (self.seen.logged, self.seen.changes) = (facts.logged, facts.changes);
        Ok(())
    }

    fn remove_places(&mut self, events: &[Event]) {
        for event in events {
            if let Event::Removed(place) = event {
                self.columns.remove(*place);
            }
        }
    }
}

/// The names of those who said something, by their numbers.
#[derive(Debug, Default)]
pub(super) struct People(HashMap<u32, String>);

/// So many names are remembered.
const PEOPLE: usize = 10_000;

impl People {
    pub(super) fn name(&mut self, db: &Connection, id: u32) -> Result<&str, LibraryError> {
        if self.0.len() > PEOPLE {
            self.0.clear();
        }
        Ok(match self.0.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let name = rows::person(db, id)?;
                new.insert(name.ok_or(LibraryError::Malformed("a name is missing"))?)
            }
        })
    }
}

/// What notes are part of, by its number.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// How often the database had been written to when they were read.
    changes: Option<i64>,
    all: Vec<Option<Source>>,
}

/// A session or file.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: Box<str>,
    /// The chat it belongs to; empty where it is the owner's.
    pub(super) scope: Box<str>,
    /// Whether its notes were given, and not read from the workspace.
    pub(super) given: bool,
}

impl Source {
    /// The columns that it is read from.
    pub(super) const COLUMNS: &str = "name, scope, given";

    /// Reads it from the columns after this one.
    pub(super) fn read(row: &Row<'_>, after: usize) -> rusqlite::Result<Source> {
        let (name, scope) = (row.get(after)?, row.get(after + 1)?);
        Ok(Source { name, scope, given: row.get(after + 2)? })
    }

    /// Whether its notes wait: it is a file of a folder that is not named.
    pub(super) fn waits(&self, folders: &Folders) -> bool {
        !self.given && folders.lack(&self.name)
    }

    /// Whether a session may know it. What has a scope is of the session with that key, whatever it is called. The rest
    /// is the owner's: private memory never enters a chat with others in it, but for what was said there.
    pub(super) fn is_known_in(
        &self,
        session: &str,
        others: bool,
        folders: Option<&Folders>,
    ) -> bool {
        if !self.scope.is_empty() {
            return *self.scope == *session;
        }
        let is_own = !session.is_empty() && *self.name == *session;
        is_own || !others && !folders.is_some_and(|folders| self.waits(folders))
    }
}

impl Sources {
    /// Reads them anew, if something was written since.
    pub(super) fn load(&mut self, db: &Connection, facts: &Facts) -> Result<(), LibraryError> {
        if self.changes == Some(facts.changes) {
            return Ok(());
        }
        self.changes = None;
        self.all.clear();
        let sql = format!("SELECT id, {} FROM sources", Source::COLUMNS);
        let mut found = db.prepare_cached(&sql)?;
        let mut rows = found.query([])?;
        while let Some(row) = rows.next()? {
            let id = row.get::<_, u32>(0)? as usize;
            if self.all.len() <= id {
                self.all.resize_with(id + 1, || None);
            }
            self.all[id] = Some(Source::read(row, 1)?);
        }
        self.changes = Some(facts.changes);
        Ok(())
    }

    /// One for each number, as far as there is one.
    pub(super) fn iter(&self) -> impl Iterator<Item = Option<&Source>> {
        self.all.iter().map(Option::as_ref)
    }

    /// The name of the one with a number.
    pub(super) fn name(&self, id: u32) -> Option<&str> {
        self.all.get(id as usize)?.as_ref().map(|source| &*source.name)
    }
}
