//! Where a source ends: its last note, its stamp, and how far its talks have come.

use louver_recall::talk::{Spot, Talks};
use rusqlite::{Connection, OptionalExtension as _};

use super::Writer;
use crate::library::error::LibraryError;
use crate::library::rows::{self, Links, local};
use crate::notes::Note;

/// The end of a source's chain.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) id: u32,
    pub(super) stamp: Option<String>,
    pub(super) last: Option<u32>,
    /// How far it has come with all it was given, what is to be forgotten included.
    talks: Talks,
    /// The talk of the last note.
    talk: Option<u32>,
    /// Whether its row says something else.
    is_ahead: bool,
}

impl Source {
    /// Where a note that comes now stands.
    pub(super) fn next(&mut self, note: &Note, apart: bool) -> Links {
        if apart {
            self.talks.end();
        }
        self.is_ahead = true;
        // A pause is as long as it was, whatever was done to the clock meanwhile.
        let at = note.time.and_then(|time| local(time.seconds()));
        let (spot, before) = (self.talks.spot(at), self.last);
        let begins = before.is_some() && self.talk != Some(spot.talk);
        Links { spot, before, begins, after: None, ends: false }
    }

    /// Nothing has come yet; the last note there was.
    pub(super) fn begin_anew(&mut self) -> Option<u32> {
        (self.talks, self.talk, self.is_ahead) = (Talks::default(), None, true);
        self.last.take()
    }

    /// The last note is the one at this place.
    pub(super) fn goes_on(&mut self, place: u32, spot: Spot) {
        (self.last, self.talk) = (Some(place), Some(spot.talk));
    }
}

impl Writer<'_> {
    /// The source with a name, its stamp, scope and whether it was given set.
    pub(super) fn open(
        &mut self,
        name: &str,
        scope: &str,
        given: bool,
        stamp: String,
    ) -> Result<(), LibraryError> {
        let sql = "INSERT INTO sources (id, name, stamp, scope, given, talk, position)
                   VALUES (iif(?1 = '', 0, NULL), ?1, ?2, ?3, ?4, 0, 0)
                   ON CONFLICT (name) DO UPDATE
                   SET stamp = excluded.stamp, scope = excluded.scope, given = excluded.given
                   RETURNING id, last, talk, position, said";
        let read = |row: &rusqlite::Row<'_>| {
            let next = Spot { talk: row.get(2)?, position: row.get(3)? };
            let talks = Talks { next, last: row.get::<_, Option<i64>>(4)?.and_then(local) };
            let (id, last) = (row.get(0)?, row.get(1)?);
            Ok(Source { id, stamp: None, last, talks, talk: None, is_ahead: false })
        };
        let mut found =
            self.db.prepare_cached(sql)?.query_row((name, &stamp, scope, given), read)?;
        // What is remembered of it is newer than its row.
        if let Some(known) = self.sources.get_mut(name) {
            known.stamp = Some(stamp);
            return Ok(());
        }
        found.talk = match found.last {
            Some(last) => rows::row(self.db, last)?.map(|row| row.links.spot.talk),
            None => None,
        };
        found.stamp = Some(stamp);
        self.sources.insert(name.to_owned(), found);
        Ok(())
    }

    pub(super) fn source(&mut self, name: &str) -> Result<&mut Source, LibraryError> {
        self.sources.get_mut(name).ok_or(LibraryError::Malformed("a source was not found"))
    }

    /// Writes how far the sources have come.
    pub(super) fn save_sources(&mut self) -> Result<(), LibraryError> {
        let mut end = self.db.prepare_cached(
            "UPDATE sources SET last = ?, talk = ?, position = ?, said = ? WHERE id = ?",
        )?;
        for source in self.sources.values_mut().filter(|source| source.is_ahead) {
            let Talks { next, last: said } = source.talks;
            let said = said.map(rows::seconds);
            end.execute((source.last, next.talk, next.position, said, source.id))?;
            source.is_ahead = false;
        }
        Ok(())
    }
}

/// A source as it is kept.
pub(in crate::library) struct Kept {
    pub(in crate::library) id: u32,
    pub(in crate::library) stamp: Option<String>,
    pub(in crate::library) last: Option<u32>,
}

/// The source with a name.
pub(in crate::library) fn find_source(
    db: &Connection,
    name: &str,
) -> Result<Option<Kept>, LibraryError> {
    let mut found = db.prepare_cached("SELECT id, stamp, last FROM sources WHERE name = ?")?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Kept { id: row.get(0)?, stamp: row.get(1)?, last: row.get(2)? })
    };
    Ok(found.query_row([name], read).optional()?)
}
