//! The one row that says how things stand, and the log of what is no longer as it was.

use rusqlite::Connection;

use super::error::LibraryError;

/// How things stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    /// The way of reading notes that it was made with.
    pub(super) analysis: i64,
    /// Changes when nothing that is remembered holds any more.
    pub(super) epoch: i64,
    /// Rises with every transaction that writes.
    pub(super) changes: i64,
    /// The number of the last line of the log.
    pub(super) logged: i64,
    /// The place of the next note. Places are never used twice, until all move down (`gaps`).
    pub(super) next_place: u32,
    /// The number of the next word. They are never used twice either.
    pub(super) next_word: u32,
    /// How many notes there are.
    pub(super) notes: u32,
    /// How many words they have together.
    pub(super) length: i64,
}

/// What is no longer as other processes may remember it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// The note at this place is gone.
    Removed(u32),
    /// The word with this number is gone.
    Dropped(u32),
    /// The word with this number is spelled differently.
    Respelled(u32),
}

/// A longer log is cut, and whoever has not read it starts afresh.
const LOG: i64 = 20_000;

impl Facts {
    pub(super) fn read(db: &Connection) -> Result<Facts, LibraryError> {
        let sql = "SELECT analysis, epoch, changes, logged, next_place, next_word, notes, length FROM facts";
        Ok(db.prepare_cached(sql)?.query_row([], |row| {
            Ok(Facts {
                analysis: row.get(0)?,
                epoch: row.get(1)?,
                changes: row.get(2)?,
                logged: row.get(3)?,
                next_place: row.get(4)?,
                next_word: row.get(5)?,
                notes: row.get(6)?,
                length: row.get(7)?,
            })
        })?)
    }

    pub(super) fn save(&self, db: &Connection) -> Result<(), LibraryError> {
        let sql = "UPDATE facts SET epoch = ?, changes = ?, logged = ?, next_place = ?, next_word = ?, notes = ?, length = ?";
        let Facts { epoch, changes, logged, next_place, next_word, notes, length, .. } = self;
        db.prepare_cached(sql)?
            .execute((epoch, changes, logged, next_place, next_word, notes, length))?;
        Ok(())
    }

    /// Writes to the log.
    pub(super) fn log(&mut self, db: &Connection, event: Event) -> Result<(), LibraryError> {
        let (kind, value) = match event {
            Event::Removed(place) => (0, place),
            Event::Dropped(word) => (1, word),
            Event::Respelled(word) => (2, word),
        };
        self.logged += 1;
        db.prepare_cached("INSERT INTO log (number, kind, value) VALUES (?, ?, ?)")?.execute((
            self.logged,
            kind,
            value,
        ))?;
        Ok(())
    }

    /// Cuts the log when it is long.
    pub(super) fn cut_log(&mut self, db: &Connection) -> Result<(), LibraryError> {
        let first: Option<i64> =
            db.prepare_cached("SELECT min(number) FROM log")?.query_row([], |row| row.get(0))?;
        if first.is_some_and(|first| self.logged - first > LOG) {
            db.execute("DELETE FROM log", [])?;
            self.epoch += 1;
        }
        Ok(())
    }
}

/// The lines of the log after a number.
pub(super) fn events(db: &Connection, after: i64) -> Result<Vec<Event>, LibraryError> {
    let mut found =
        db.prepare_cached("SELECT kind, value FROM log WHERE number > ? ORDER BY number")?;
    let event = |row: &rusqlite::Row<'_>| Ok((row.get::<_, u8>(0)?, row.get::<_, u32>(1)?));
    let rows = found.query_map([after], event)?.collect::<Result<Vec<_>, _>>()?;
    let event = |(kind, value)| match kind {
        0 => Event::Removed(value),
        1 => Event::Dropped(value),
        _ => Event::Respelled(value),
    };
    Ok(rows.into_iter().map(event).collect())
}
