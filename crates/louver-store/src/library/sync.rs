//! Taking notes in: what is new or changed, source by source.

use std::collections::HashMap;

use louver_recall::embed::shipped;
use louver_recall::languages::Language;
use louver_recall::note::{self, Voice as Said};
use louver_recall::reading;
use rusqlite::{Connection, Transaction, params};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{Library, LibraryError, trust_number, voice_number};
use crate::notes::{Held, Note, Places, Source, Voice};
use crate::problem::Problem;

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Synced {
    /// Notes that came in.
    pub added: u64,
    /// Notes that went.
    pub removed: u64,
}

/// A word as the index has it: letters and digits alone, whatever the word is made of.
pub(super) fn token(term: &str) -> String {
    let mut hash = xxh3_64(term.as_bytes()) >> 16;
    let mut token = String::with_capacity(10);
    while hash > 0 {
        let digit = u8::try_from(hash % 36).unwrap_or(0);
        token.push(char::from(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }));
        hash /= 36;
    }
    token
}

/// The number of a note, which follows from its name.
pub(super) fn id_of(place: &str) -> i64 {
    i64::try_from(xxh3_64(place.as_bytes()) >> 1).unwrap_or(i64::MAX)
}

/// A short name of a note, for a prompt: nine digits are three tokens.
pub(super) fn handle_of(id: i64) -> String {
    format!("{:09}", id.unsigned_abs() % 1_000_000_000)
}

/// What tells a note from another in the same place.
pub(super) fn fingerprint(note: &Note) -> i64 {
    let mut hash = Xxh3::new();
    for part in [&note.place, &note.text, &note.who] {
        hash.update(part.as_bytes());
        hash.update(&[0]);
    }
    hash.digest().cast_signed()
}

/// A note in the form that is read and ranked.
pub(super) fn to_read(note: &Note, source: &str) -> note::Note {
    note::Note {
        id: id_of(&note.place).cast_unsigned(),
        text: note.text.clone(),
        who: note.who.clone(),
        voice: match note.voice {
            Voice::Person => Said::Person,
            Voice::Agent => Said::Agent,
            Voice::Document => Said::Other,
        },
        session: source.to_owned(),
        at: note.time,
    }
}

impl Library {
    /// Takes in what is new, reads again what changed, and takes out what is gone. `progress` is told
    /// how many sources are done, of how many.
    pub fn sync(
        &mut self,
        places: &Places,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(Synced, Vec<Problem>), LibraryError> {
        let mut problems = Vec::new();
        let sources = places.sources(&mut problems);
        let mut known = self.known()?;
        let mut done = Synced::default();
        let changed: Vec<&Source> = sources
            .iter()
            .filter(|source| known.remove(&source.name).is_none_or(|stamp| stamp != source.stamp))
            .collect();
        let gone: Vec<String> = known.into_keys().collect();
        for (number, source) in changed.iter().enumerate() {
            progress(number, changed.len());
            match self.take_in(places, source) {
                Ok(Ok(one)) => {
                    done.added += one.added;
                    done.removed += one.removed;
                }
                Ok(Err(problem)) => problems.push(problem),
                Err(error) => return Err(error),
            }
        }
        progress(changed.len(), changed.len());
        for name in gone {
            done.removed += self.take_out(&name)?;
        }
        if done != Synced::default() {
            self.forget_sketches();
        }
        Ok((done, problems))
    }

    fn known(&self) -> Result<HashMap<String, String>, LibraryError> {
        let mut found = self.db.prepare("SELECT name, stamp FROM sources")?;
        let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Takes in the notes of a source that somebody else has read.
    pub fn put(&mut self, source: &Source, held: &Held) -> Result<Synced, LibraryError> {
        let change = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let (number, _) = number_of(&change, source)?;
        let done = take(&change, number, source, held)?;
        change.commit()?;
        self.forget_sketches();
        Ok(done)
    }

    /// One source, in one transaction: what another process has done meanwhile is seen, not undone.
    fn take_in(
        &mut self,
        places: &Places,
        source: &Source,
    ) -> Result<Result<Synced, Problem>, LibraryError> {
        let change = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let (number, before) = number_of(&change, source)?;
        if before == source.stamp {
            return Ok(Ok(Synced::default()));
        }
        let before = (!before.is_empty()).then_some(before.as_str());
        let held = match places.read(source, before) {
            Ok(held) => held,
            Err(problem) => return Ok(Err(problem)),
        };
        let done = take(&change, number, source, &held)?;
        change.commit()?;
        Ok(Ok(done))
    }

    fn take_out(&mut self, name: &str) -> Result<u64, LibraryError> {
        let change = self.db.transaction()?;
        let ids: Vec<i64> = {
            let mut found = change.prepare(
                "SELECT notes.id FROM notes JOIN sources ON source = sources.id WHERE name = ?1",
            )?;
            found.query_map([name], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        for id in &ids {
            remove(&change, *id)?;
        }
        change.execute("DELETE FROM sources WHERE name = ?1", [name])?;
        change.commit()?;
        Ok(ids.len() as u64)
    }
}

/// Takes in what a source holds, and notes its stamp.
fn take(
    change: &Transaction<'_>,
    number: i64,
    source: &Source,
    held: &Held,
) -> Result<Synced, LibraryError> {
    let mut done = Synced::default();
    let first = match held.more {
        true => next_position(change, number)?,
        false => {
            done.removed = remove_changed(change, number, &held.notes)?;
            0
        }
    };
    for (pos, note) in (first..).zip(&held.notes) {
        done.added += u64::from(add(change, number, &source.name, pos, note)?);
    }
    change.execute(
        "UPDATE sources SET stamp = ?2, scope = ?3 WHERE id = ?1",
        params![number, source.stamp, source.scope],
    )?;
    Ok(done)
}

/// The number of a source and its stamp; a new one gets both.
fn number_of(change: &Transaction<'_>, source: &Source) -> Result<(i64, String), LibraryError> {
    change.execute(
        "INSERT OR IGNORE INTO sources (name, stamp, scope) VALUES (?1, '', ?2)",
        [&source.name, &source.scope],
    )?;
    let found =
        change.query_row("SELECT id, stamp FROM sources WHERE name = ?1", [&source.name], |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
    Ok(found?)
}

fn next_position(change: &Transaction<'_>, source: i64) -> Result<i64, LibraryError> {
    let sql = "SELECT coalesce(max(pos) + 1, 0) FROM notes WHERE source = ?1";
    Ok(change.query_row(sql, [source], |row| row.get(0))?)
}

/// Takes out the notes of a source that are not among these. Those that stay are not read again.
fn remove_changed(
    change: &Transaction<'_>,
    source: i64,
    notes: &[Note],
) -> Result<u64, LibraryError> {
    let stays: HashMap<i64, i64> =
        notes.iter().map(|note| (id_of(&note.place), fingerprint(note))).collect();
    let there: Vec<(i64, i64)> = {
        let mut found = change.prepare("SELECT id, hash FROM notes WHERE source = ?1")?;
        found
            .query_map([source], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?
    };
    let mut removed = 0;
    for (id, hash) in there {
        if stays.get(&id) != Some(&hash) {
            remove(change, id)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Takes one note out.
pub(super) fn remove(change: &Connection, id: i64) -> Result<(), LibraryError> {
    let length: Option<i64> =
        change.query_row("SELECT length FROM notes WHERE id = ?1", [id], |row| row.get(0)).ok();
    change.prepare_cached("DELETE FROM notes WHERE id = ?1")?.execute([id])?;
    change.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([id])?;
    change.prepare_cached("DELETE FROM sketches WHERE id = ?1")?.execute([id])?;
    count(change, -length.unwrap_or(0))
}

/// Adds to the sum of all lengths.
fn count(change: &Connection, length: i64) -> Result<(), LibraryError> {
    let sql = "INSERT INTO facts VALUES ('length', ?1) \
               ON CONFLICT (name) DO UPDATE SET value = value + ?1";
    change.prepare_cached(sql)?.execute([length])?;
    Ok(())
}

/// Takes one note in, unless it is there or was forgotten. Says whether it came in.
fn add(
    change: &Transaction<'_>,
    source: i64,
    name: &str,
    pos: i64,
    note: &Note,
) -> Result<bool, LibraryError> {
    let (id, hash) = (id_of(&note.place), fingerprint(note));
    let stays = change
        .prepare_cached("UPDATE notes SET pos = ?3 WHERE id = ?1 AND hash = ?2")?
        .execute(params![id, hash, pos])?;
    let forgotten =
        change.prepare_cached("SELECT 1 FROM forgotten WHERE hash = ?1")?.exists([hash])?;
    if stays > 0 || forgotten {
        return Ok(false);
    }
    let mut known: Vec<String> = Vec::new();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let found = reading::read(&to_read(note, name), &shipped(), |term, _| {
        *numbers.entry(term.to_owned()).or_insert_with(|| {
            known.push(token(term));
            known.len() as u32 - 1
        })
    });
    let mut tokens = String::new();
    for (number, (body, head)) in &found.counts {
        for _ in 0..u32::from(*body) + u32::from(*head) {
            tokens.push_str(&known[*number as usize]);
            tokens.push(' ');
        }
    }
    let language = language_number(found.language);
    change
        .prepare_cached(
            "INSERT OR REPLACE INTO notes (id, place, source, pos, hash, text, who, voice, time, trust, \
             language, length, handle) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
            id,
            note.place,
            source,
            pos,
            hash,
            note.text,
            note.who,
            voice_number(note.voice),
            note.time.map(|time| time.to_string()),
            trust_number(note.trust),
            language,
            found.reading.length,
            handle_of(id),
        ])?;
    change
        .prepare_cached("INSERT INTO words (rowid, terms) VALUES (?1, ?2)")?
        .execute(params![id, tokens])?;
    let sketch: Vec<u8> =
        found.reading.vector.sketch().iter().flat_map(|part| part.to_le_bytes()).collect();
    change
        .prepare_cached("INSERT OR REPLACE INTO sketches (id, sketch) VALUES (?1, ?2)")?
        .execute(params![id, sketch])?;
    count(change, i64::from(found.reading.length))?;
    Ok(true)
}

/// A language by its number among all of them.
pub(super) fn language_number(language: Language) -> i64 {
    let at = Language::all().position(|known| known == language);
    at.and_then(|at| i64::try_from(at).ok()).unwrap_or(0)
}
