//! Notes in a database, found by their words and by their meaning.
//!
//! `.louver/recall.db` is derived: it can be deleted and comes back the same. Each source is one
//! transaction, read again only when its stamp changed; several processes share the file. What a
//! note is called (`cli:direct#412`) is its name for good, and what was forgotten is not taken in again.
//!
//! ```text
//! question ─ read ▶ terms, vector ─ words (FTS5) + sketches ▶ candidates ─ rank ▶ choose ▶ lines in a budget
//! ```

mod ask;
mod open;
mod reminder;
mod shelf;
mod sync;

use std::path::Path;
use std::sync::Mutex;

use jiff::civil::DateTime;
use louver_context::Trust;
pub use louver_recall::rank::Parts;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::notes::{Note, Voice};

pub use ask::{Asking, Fits, Left, Recalled, Taken, WhyIn, WhyOut};
pub use reminder::{Just, Reminder};
pub use sync::Synced;

/// The library of a workspace.
pub struct Library {
    db: Connection,
    /// One bit for each number of every note's vector, loaded when first asked for.
    sketches: Mutex<Option<ask::Sketches>>,
}

/// Why the library could not do something. It can always be deleted.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// SQLite says so.
    #[error("the recall index could not be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Its folder cannot be made.
    #[error("the recall index could not be made: {0}")]
    Io(#[from] std::io::Error),
}

impl LibraryError {
    /// What helps.
    pub fn hint(&self) -> &'static str {
        "`.louver/recall.db` holds nothing that is not elsewhere: delete it, and it is made again"
    }
}

/// A note that was forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// What it was called.
    pub place: String,
    /// When it was forgotten, as RFC 3339.
    pub at: String,
}

impl Library {
    /// Opens the library of a workspace, or makes it.
    pub fn open(workspace: &Path) -> Result<Library, LibraryError> {
        Ok(Library { db: open::open(workspace)?, sketches: Mutex::new(None) })
    }

    /// How many notes there are.
    pub fn len(&self) -> Result<u64, LibraryError> {
        let notes: i64 = self.db.query_row("SELECT count(*) FROM notes", [], |row| row.get(0))?;
        Ok(notes.unsigned_abs())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> Result<bool, LibraryError> {
        Ok(self.len()? == 0)
    }

    /// The note of that name.
    pub fn get(&self, place: &str) -> Result<Option<Note>, LibraryError> {
        let sql = format!("SELECT {NOTE} FROM notes WHERE place = ?1");
        Ok(self.db.query_row(&sql, [place], read).optional()?)
    }

    /// A note and up to `beside` notes before and after it, in their order.
    pub fn around(&self, place: &str, beside: u32) -> Result<Vec<Note>, LibraryError> {
        let sql = format!(
            "SELECT {NOTE} FROM notes JOIN (SELECT source AS s, pos AS p FROM notes WHERE place = ?1) \
             ON source = s AND pos BETWEEN p - ?2 AND p + ?2 ORDER BY pos"
        );
        let mut found = self.db.prepare_cached(&sql)?;
        let notes = found.query_map(params![place, beside], read)?;
        Ok(notes.collect::<Result<_, _>>()?)
    }

    /// The name of a note, by its name or its handle. Of two with one handle, the newest.
    pub fn name_of(&self, known: &str) -> Result<Option<String>, LibraryError> {
        let sql =
            "SELECT place FROM notes WHERE place = ?1 OR handle = ?1 ORDER BY time DESC LIMIT 1";
        Ok(self.db.query_row(sql, [known], |row| row.get(0)).optional()?)
    }

    /// Whether the one who asks may know a note: it is everyone's, or of the same chat.
    pub fn may_know(&self, place: &str, session: &str, others: bool) -> Result<bool, LibraryError> {
        let sql =
            "SELECT scope, name FROM sources JOIN notes ON source = sources.id WHERE place = ?1";
        let found: Option<(String, String)> =
            self.db.query_row(sql, [place], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        Ok(found.is_some_and(|(scope, name)| name == session || (scope.is_empty() && !others)))
    }

    /// Takes a note out for good: it is not taken in again when its source is read. Gives it back, so
    /// that the person can be told which file still has it.
    pub fn forget(&mut self, place: &str) -> Result<Option<Note>, LibraryError> {
        let Some(note) = self.get(place)? else { return Ok(None) };
        let change = self.db.transaction()?;
        let now = jiff::Timestamp::now().to_string();
        change.execute(
            "INSERT OR REPLACE INTO forgotten (hash, place, at) VALUES (?1, ?2, ?3)",
            params![sync::fingerprint(&note), place, now],
        )?;
        sync::remove(&change, sync::id_of(place))?;
        change.commit()?;
        self.db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
        self.forget_sketches();
        Ok(Some(note))
    }

    /// Lets a forgotten note be taken in again, the next time its source is read.
    pub fn remember_again(&mut self, place: &str) -> Result<bool, LibraryError> {
        let change = self.db.transaction()?;
        let known = change.execute("DELETE FROM forgotten WHERE place = ?1", [place])?;
        // Whatever has it is read anew.
        change.execute("UPDATE sources SET stamp = ''", [])?;
        change.commit()?;
        Ok(known > 0)
    }

    /// What was forgotten.
    pub fn forgotten(&self) -> Result<Vec<Forgotten>, LibraryError> {
        let mut found = self.db.prepare("SELECT place, at FROM forgotten ORDER BY at")?;
        let rows =
            found.query_map([], |row| Ok(Forgotten { place: row.get(0)?, at: row.get(1)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn forget_sketches(&self) {
        *self.sketches.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }
}

/// The columns of a note, as [`read`] wants them.
const NOTE: &str = "place, text, who, voice, time, trust";

fn read(row: &Row<'_>) -> rusqlite::Result<Note> {
    let time: Option<String> = row.get(4)?;
    Ok(Note {
        place: row.get(0)?,
        text: row.get(1)?,
        who: row.get(2)?,
        voice: voice_of(row.get(3)?),
        time: time.and_then(|time| time.parse::<DateTime>().ok()),
        trust: trust_of(row.get(5)?),
    })
}

fn voice_of(number: u8) -> Voice {
    match number {
        0 => Voice::Person,
        1 => Voice::Agent,
        _ => Voice::Document,
    }
}

fn voice_number(voice: Voice) -> u8 {
    match voice {
        Voice::Person => 0,
        Voice::Agent => 1,
        Voice::Document => 2,
    }
}

fn trust_of(number: u8) -> Trust {
    match number {
        0 => Trust::Owner,
        1 => Trust::Agent,
        2 => Trust::Tool,
        _ => Trust::ThirdParty,
    }
}

fn trust_number(trust: Trust) -> u8 {
    match trust {
        Trust::Owner => 0,
        Trust::Agent => 1,
        Trust::Tool => 2,
        Trust::ThirdParty => 3,
    }
}

/// The parts of a score that say something, the largest first.
pub fn telling(parts: &Parts) -> Vec<(&'static str, f32)> {
    let mut named: Vec<(&'static str, f32)> =
        parts.named().into_iter().filter(|(_, value)| value.abs() >= 0.05).collect();
    named.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    named
}

#[cfg(test)]
mod tests;
