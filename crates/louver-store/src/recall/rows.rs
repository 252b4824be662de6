//! The rows of notes, and the chain that the notes of a session make.
//!
//! A session knows its last note, each note the one before and the one after it. So a source's notes
//! are found without an index over all notes, and neighbours at the price of a look.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use louver_context::Trust;
use louver_recall::note::Voice;
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow};

use super::entry::{Entry, Kept, Locator};
use super::error::Fault;
use super::{columns, texts};

/// A note's row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) place: u32,
    pub(super) id: u64,
    pub(super) links: Links,
    pub(super) at: Option<i64>,
    pub(super) who: i64,
    pub(super) kinds: Kinds,
    pub(super) print: u32,
    pub(super) reading: Vec<u8>,
}

/// Where a note stands: what changes when something is written above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Links {
    pub(super) session: i64,
    pub(super) position: u32,
    pub(super) before: Option<u32>,
    pub(super) after: Option<u32>,
    pub(super) locator: Locator,
}

/// Whose voice it is, who wrote it, and whether it has neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kinds {
    pub(super) voice: Voice,
    pub(super) trust: Trust,
    /// Its session has no name, so what comes before and after it has nothing to do with it.
    pub(super) alone: bool,
}

impl Kinds {
    fn number(self) -> i64 {
        let voice = match self.voice {
            Voice::Person => 0,
            Voice::Agent => 1,
            Voice::Other => 2,
        };
        let trust = match self.trust {
            Trust::ThirdParty => 0,
            Trust::Tool => 1,
            Trust::Agent => 2,
            Trust::Owner => 3,
        };
        voice | trust << 2 | i64::from(self.alone) << 4
    }

    pub(super) fn of(number: i64) -> Kinds {
        let voice = match number & 3 {
            0 => Voice::Person,
            1 => Voice::Agent,
            _ => Voice::Other,
        };
        // What cannot be told is trusted least.
        let trust = match number >> 2 & 3 {
            3 => Trust::Owner,
            2 => Trust::Agent,
            1 => Trust::Tool,
            _ => Trust::ThirdParty,
        };
        Kinds { voice, trust, alone: number & 16 != 0 }
    }
}

/// The seconds of a local time.
pub(super) fn seconds(at: DateTime) -> i64 {
    TimeZone::UTC.to_timestamp(at).map_or(0, Timestamp::as_second)
}

/// The local time again.
pub(super) fn local(seconds: i64) -> Option<DateTime> {
    Timestamp::from_second(seconds).ok().map(|at| TimeZone::UTC.to_datetime(at))
}

/// The other end of a link, which is stored as a distance.
fn other(place: u32, step: Option<i64>) -> Option<u32> {
    step.and_then(|step| u32::try_from(i64::from(place) + step).ok())
}

fn step(place: u32, other: Option<u32>) -> Option<i64> {
    other.map(|other| i64::from(other) - i64::from(place))
}

pub(super) fn insert(db: &Connection, row: &Row) -> Result<(), Fault> {
    let sql = "INSERT INTO notes (place, id, session, position, before, after, at, who, kinds, number, part, print, reading)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let Links { session, position, before, after, locator } = row.links;
    let (number, part) = numbers(locator);
    db.prepare_cached(sql)?.execute((
        row.place,
        row.id as i64,
        session,
        position,
        step(row.place, before),
        step(row.place, after),
        row.at,
        row.who,
        row.kinds.number(),
        number,
        part,
        row.print as i32,
        &row.reading,
    ))?;
    Ok(())
}

/// A line has no part, an event has one.
fn numbers(locator: Locator) -> (i64, Option<u32>) {
    match locator {
        Locator::Line(line) => (i64::from(line), None),
        Locator::Event { number, part } => (number as i64, Some(part)),
    }
}

fn locator(number: i64, part: Option<u32>) -> Locator {
    match part {
        None => Locator::Line(u32::try_from(number).unwrap_or(u32::MAX)),
        Some(part) => Locator::Event { number: number as u64, part },
    }
}

/// The place and print of a note.
pub(super) fn place(db: &Connection, id: u64) -> Result<Option<(u32, u32)>, Fault> {
    let mut found = db.prepare_cached("SELECT place, print FROM notes WHERE id = ?")?;
    let place = |row: &SqlRow<'_>| Ok((row.get(0)?, row.get::<_, i32>(1)? as u32));
    Ok(found.query_row([id as i64], place).optional()?)
}

/// Where a note stands.
pub(super) fn links(db: &Connection, place: u32) -> Result<Links, Fault> {
    let sql = "SELECT session, position, before, after, number, part FROM notes WHERE place = ?";
    Ok(db.prepare_cached(sql)?.query_row([place], |row| {
        Ok(Links {
            session: row.get(0)?,
            position: row.get(1)?,
            before: other(place, row.get(2)?),
            after: other(place, row.get(3)?),
            locator: locator(row.get(4)?, row.get(5)?),
        })
    })?)
}

/// Puts a note elsewhere, unless it is there already.
pub(super) fn relink(db: &Connection, place: u32, links: &Links) -> Result<(), Fault> {
    if self::links(db, place)? == *links {
        return Ok(());
    }
    let sql = "UPDATE notes SET session = ?, position = ?, before = ?, after = ?, number = ?, part = ? WHERE place = ?";
    let Links { session, position, before, after, locator } = *links;
    let (number, part) = numbers(locator);
    db.prepare_cached(sql)?.execute((
        session,
        position,
        step(place, before),
        step(place, after),
        number,
        part,
        place,
    ))?;
    Ok(())
}

/// Links a note to the one that now comes after it.
pub(super) fn set_after(db: &Connection, place: u32, after: Option<u32>) -> Result<(), Fault> {
    db.prepare_cached("UPDATE notes SET after = ? WHERE place = ?")?
        .execute((step(place, after), place))?;
    Ok(())
}

/// Links a note to the one that now comes before it.
pub(super) fn set_before(db: &Connection, place: u32, before: Option<u32>) -> Result<(), Fault> {
    db.prepare_cached("UPDATE notes SET before = ? WHERE place = ?")?
        .execute((step(place, before), place))?;
    Ok(())
}

pub(super) fn delete(db: &Connection, place: u32) -> Result<(), Fault> {
    db.prepare_cached("DELETE FROM notes WHERE place = ?")?.execute([place])?;
    Ok(())
}

/// The note at a place, whole.
pub(super) fn kept(db: &Connection, place: u32) -> Result<Option<Kept>, Fault> {
    let Some(mut kept) = cited(db, place)? else { return Ok(None) };
    kept.entry.text = texts::text(db, place)?.ok_or(Fault::Malformed("a note has no text"))?;
    Ok(Some(kept))
}

/// The note at a place without what it says.
pub(super) fn cited(db: &Connection, place: u32) -> Result<Option<Kept>, Fault> {
    let sql = "SELECT n.id, n.at, n.kinds, n.number, n.part, s.name, o.name, p.name
               FROM notes n JOIN sessions s ON s.id = n.session JOIN sources o ON o.id = s.source JOIN people p ON p.id = n.who
               WHERE n.place = ?";
    let mut found = db.prepare_cached(sql)?;
    let row = found
        .query_row([place], |row| {
            let kinds = Kinds::of(row.get(2)?);
            let entry = Entry {
                text: String::new(),
                who: row.get(7)?,
                voice: kinds.voice,
                session: row.get(5)?,
                at: row.get::<_, Option<i64>>(1)?.and_then(local),
                scope: String::new(),
                trust: kinds.trust,
                locator: locator(row.get(3)?, row.get(4)?),
            };
            Ok(Kept { id: row.get::<_, i64>(0)? as u64, source: row.get(6)?, entry })
        })
        .optional()?;
    let Some(mut kept) = row else { return Ok(None) };
    let cell = columns::cell(db, place)?.ok_or(Fault::Malformed("a note has no sketch"))?;
    kept.entry.scope = name(db, Table::Scopes, i64::from(cell.scope))?;
    Ok(Some(kept))
}

/// A table of names with numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Table {
    People,
    Scopes,
}

impl Table {
    fn sql(self, people: &'static str, scopes: &'static str) -> &'static str {
        match self {
            Table::People => people,
            Table::Scopes => scopes,
        }
    }
}

pub(super) fn name(db: &Connection, table: Table, id: i64) -> Result<String, Fault> {
    let sql =
        table.sql("SELECT name FROM people WHERE id = ?", "SELECT name FROM scopes WHERE id = ?");
    Ok(db.prepare_cached(sql)?.query_row([id], |row| row.get(0))?)
}

pub(super) fn find_name(db: &Connection, table: Table, name: &str) -> Result<Option<i64>, Fault> {
    let sql =
        table.sql("SELECT id FROM people WHERE name = ?", "SELECT id FROM scopes WHERE name = ?");
    Ok(db.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?)
}

/// The number of a name, which it gets if it has none.
pub(super) fn number_name(db: &Connection, table: Table, name: &str) -> Result<i64, Fault> {
    if let Some(id) = find_name(db, table, name)? {
        return Ok(id);
    }
    let sql =
        table.sql("INSERT INTO people (name) VALUES (?)", "INSERT INTO scopes (name) VALUES (?)");
    Ok(db.prepare_cached(sql)?.insert([name])?)
}

/// The places of a source's notes, with their ids and prints, in no order.
pub(super) fn of_source(db: &Connection, source: i64) -> Result<Vec<(u32, u64, u32)>, Fault> {
    let mut found =
        db.prepare_cached("SELECT last FROM sessions WHERE source = ? AND last IS NOT NULL")?;
    let lasts =
        found.query_map([source], |row| row.get::<_, u32>(0))?.collect::<Result<Vec<_>, _>>()?;
    let mut look = db.prepare_cached("SELECT id, print, before FROM notes WHERE place = ?")?;
    let mut all = Vec::new();
    for last in lasts {
        let mut next = Some(last);
        while let Some(place) = next {
            let (id, print, before) = look.query_row([place], |row| {
                Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i32>(1)? as u32, row.get(2)?))
            })?;
            all.push((place, id, print));
            next = other(place, before);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn kinds_and_times_come_back() {
        for voice in [Voice::Person, Voice::Agent, Voice::Other] {
            for trust in [Trust::ThirdParty, Trust::Tool, Trust::Agent, Trust::Owner] {
                for alone in [false, true] {
                    let kinds = Kinds { voice, trust, alone };
                    assert_eq!(Kinds::of(kinds.number()), kinds);
                }
            }
        }
        for at in [date(2024, 2, 29).at(23, 59, 58, 0), date(1901, 1, 1).at(0, 0, 0, 0)] {
            assert_eq!(local(seconds(at)), Some(at));
        }
    }
}
