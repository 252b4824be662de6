//! The words that notes are found by: their numbers, their spellings, and what they mean.
//!
//! A number belongs to a word for as long as a note says it. What this process knows of words is
//! kept in memory up to a bound; the vector of a word is worked out when it is first compared.

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use louver_recall::embed::{Embeddings, Small};
use louver_recall::maps::{Numbered, Spelled};
use louver_recall::rank::Changes;
use louver_recall::words::plainer;
use rusqlite::{Connection, OptionalExtension as _};

use super::error::LibraryError;
use super::facts::{Event, Facts};
use super::postings::{self, Spellings};
use super::waiting::Waiting;

/// So many words are remembered with their numbers. The rest are looked up.
const KNOWN: usize = 150_000;
/// So many vectors are remembered: 18 MB.
const VECTORS: usize = 60_000;

/// A word's number, and the spelling that stands for it.
#[derive(Clone, Debug)]
struct Word {
    id: u32,
    spelling: Box<str>,
}

/// What this process knows of words.
#[derive(Debug, Default)]
pub(super) struct Words {
    known: Spelled<Word>,
    vectors: Numbered<Meaning>,
    /// Words that got their numbers in this transaction and have no list yet.
    new: Numbered<New>,
    /// Notes that do not count for what words tell.
    pub(super) waiting: Waiting,
}

/// What a word means.
#[derive(Debug, Default)]
pub(super) struct Meaning {
    pub(super) vector: Small,
    pub(super) changes: Changes,
}

/// A word without a list: its term and its spelling.
#[derive(Clone, Debug)]
struct New {
    term: Box<str>,
    spelling: Box<str>,
}

impl Words {
    /// Takes note of what others changed.
    pub(super) fn heed(&mut self, events: &[Event]) {
        let mut changed = HashSet::new();
        for event in events {
            match event {
                Event::Dropped(id) | Event::Respelled(id) => {
                    changed.insert(*id);
                    self.vectors.remove(id);
                }
                Event::Removed(_) => (),
            }
        }
        if !changed.is_empty() {
            self.known.retain(|_, word| !changed.contains(&word.id));
        }
    }

    /// The number of a term, if a note says it.
    pub(super) fn find(
        &mut self,
        db: &Connection,
        term: &str,
    ) -> Result<Option<u32>, LibraryError> {
        if let Some(word) = self.known.get(term) {
            return Ok(Some(word.id));
        }
        let mut found = db.prepare_cached("SELECT id FROM words WHERE term = ?")?;
        Ok(found.query_row([term], |row| row.get(0)).optional()?)
    }

    /// Whether a note that counts says a term.
    pub(super) fn is_said(&mut self, db: &Connection, term: &str) -> Result<bool, LibraryError> {
        let Some(word) = self.find(db, term)? else { return Ok(false) };
        if self.waiting.is_empty() {
            return Ok(true);
        }
        let head = postings::head(db, word)?.unwrap_or_default();
        Ok(self.waiting.says(db, word, &head)? > 0)
    }

    /// The number of a term, which it gets if it has none. The plainest spelling is kept.
    pub(super) fn number(
        &mut self,
        db: &Connection,
        facts: &mut Facts,
        term: &str,
        spelling: &str,
    ) -> Result<u32, LibraryError> {
        if let Some(word) = self.known.get(term) {
            let id = word.id;
            if plainer(spelling, &word.spelling).is_some() {
                self.respell(db, facts, id, term, spelling)?;
            }
            return Ok(id);
        }
        let id = match self.find(db, term)? {
            Some(id) => {
                self.respell(db, facts, id, term, spelling)?;
                id
            }
            None => {
                let id = facts.next_word;
                facts.next_word += 1;
                db.prepare_cached("INSERT INTO words (term, id) VALUES (?, ?)")?
                    .execute((term, id))?;
                self.new.insert(id, New { term: term.into(), spelling: spelling.into() });
                self.keep(term, id, spelling);
                id
            }
        };
        Ok(id)
    }

    fn respell(
        &mut self,
        db: &Connection,
        facts: &mut Facts,
        id: u32,
        term: &str,
        spelling: &str,
    ) -> Result<(), LibraryError> {
        let spelled = |stored: &str| plainer(spelling, stored).ok_or_else(|| stored.to_owned());
        let spelled = match self.new.get(&id) {
            Some(new) => Some(spelled(&new.spelling)),
            None => Spellings::of(db)?.with(id, spelled)?,
        };
        match spelled.ok_or(LibraryError::Malformed("a word has no list"))? {
            Err(stored) => self.keep(term, id, &stored),
            Ok(plainer) => {
                if let Some(new) = self.new.get_mut(&id) {
                    new.spelling = plainer.as_str().into();
                } else {
                    return self.spell(db, facts, id, term, &plainer);
                }
                self.keep(term, id, &plainer);
            }
        }
        Ok(())
    }

    /// Spells a word so, whether that is plainer or not.
    pub(super) fn spell(
        &mut self,
        db: &Connection,
        facts: &mut Facts,
        id: u32,
        term: &str,
        spelling: &str,
    ) -> Result<(), LibraryError> {
        postings::respell(db, id, spelling)?;
        facts.log(db, Event::Respelled(id))?;
        self.vectors.remove(&id);
        self.keep(term, id, spelling);
        Ok(())
    }

    /// The spelling of a word that has no list yet. It gets one now.
    pub(super) fn take_new(&mut self, id: u32) -> Option<Box<str>> {
        self.new.remove(&id).map(|new| new.spelling)
    }

    /// Takes back the numbers of words that no note came to say.
    pub(super) fn drop_new(&mut self, db: &Connection) -> Result<(), LibraryError> {
        for (_, New { term, .. }) in self.new.drain() {
            db.prepare_cached("DELETE FROM words WHERE term = ?")?.execute([&term])?;
            self.known.remove(&term);
        }
        Ok(())
    }

    fn keep(&mut self, term: &str, id: u32, spelling: &str) {
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        self.known.insert(term.into(), Word { id, spelling: spelling.into() });
    }

    /// Forgets a word that no note says any more.
    pub(super) fn drop(
        &mut self,
        db: &Connection,
        facts: &mut Facts,
        id: u32,
        term: &str,
    ) -> Result<(), LibraryError> {
        db.prepare_cached("DELETE FROM words WHERE term = ?")?.execute([term])?;
        self.known.remove(term);
        self.vectors.remove(&id);
        facts.log(db, Event::Dropped(id))
    }

    /// Makes sure that the vectors of these words are at hand.
    pub(super) fn load(
        &mut self,
        db: &Connection,
        table: &Embeddings<'_>,
        ids: &[u32],
    ) -> Result<(), LibraryError> {
        if self.vectors.len() >= VECTORS {
            self.vectors.clear();
        }
        let mut spellings = Spellings::of(db)?;
        for id in ids {
            if let Entry::Vacant(new) = self.vectors.entry(*id) {
                let meaning = spellings.with(*id, |text| Meaning {
                    vector: Small::from(&table.embed(text)),
                    changes: Changes::of(text),
                })?;
                new.insert(meaning.unwrap_or_default());
            }
        }
        Ok(())
    }

    /// What a word means that was loaded.
    pub(super) fn meaning(&self, id: u32) -> Option<&Meaning> {
        self.vectors.get(&id)
    }
}
