//! The rows of notes, and the chain that the notes of a source make.
//!
//! A row is one blob: where the note stands and who said it, then its reading but for the vector. A source knows its last note, each note the one before and the one after it.
//! So a source's notes are found without an index over all notes, and neighbours at the price of a look.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use louver_context::Trust;
use louver_recall::reading::Reading;
use louver_recall::talk::Spot;
use rusqlite::{Connection, OptionalExtension as _};

use super::bytes::{Bytes, put, put_signed};
use super::error::LibraryError;
use super::names::Label;
use super::packed;
use super::{columns, texts};
use crate::notes::{Note, Voice, When};

/// What a row says of a note, besides its reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) links: Links,
    pub(super) label: Label,
    /// When it was said, by the clock of whoever took it in: it is listed under that day.
    pub(super) at: Option<When>,
    pub(super) who: u32,
    pub(super) voice: Voice,
    pub(super) trust: Trust,
    /// A few bits of its first line.
    pub(super) trace: u16,
    /// What its reading has.
    pub(super) flags: u8,
}

/// Where a note stands: what changes when something is written above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Links {
    pub(super) spot: Spot,
    /// The note before it in its source.
    pub(super) before: Option<u32>,
    /// Whether that is of another talk.
    pub(super) begins: bool,
    pub(super) after: Option<u32>,
    pub(super) ends: bool,
}

impl Links {
    /// The notes beside it in its talk.
    pub(super) fn in_talk(&self) -> [Option<u32>; 2] {
        [self.before.filter(|_| !self.begins), self.after.filter(|_| !self.ends)]
    }
}

/// Times are kept as seconds from here, which is November 2023: most of them take four bytes so.
const EPOCH: i64 = 1_700_000_000;
/// How far a clock of nowhere is ahead; none is.
const NOWHERE: i8 = 63;
const HAS_TIME: u8 = 16;
const BEGINS: u8 = 32;
const ENDS: u8 = 64;
/// Most sources are one talk.
const HAS_TALK: u8 = 128;

impl Row {
    /// The whole row. The words of the reading are given other numbers by `word`.
    pub(super) fn write(
        &self,
        place: u32,
        reading: &Reading,
        word: impl Fn(u32) -> u32,
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(2 * reading.length as usize + 48);
        self.put(place, &mut out);
        packed::put_rest(&mut out, reading, word);
        out
    }

    /// The note of a source that it is of.
    pub(super) fn note(&self, source: &str, who: String, text: String) -> Note {
        let place = self.label.place(source);
        let Row { voice, trust, .. } = *self;
        Note { place, text, who, voice, time: self.at, trust }
    }

    fn put(&self, place: u32, out: &mut Vec<u8>) {
        let Links { spot, before, begins, after, ends } = self.links;
        let bit = |is: bool, bit: u8| if is { bit } else { 0 };
        let kinds = voice_number(self.voice) | trust_number(self.trust) << 2;
        let bits = bit(self.at.is_some(), HAS_TIME)
            | bit(begins, BEGINS)
            | bit(ends, ENDS)
            | bit(spot.talk > 0, HAS_TALK);
        out.push(self.flags);
        out.push(kinds | bits);
        out.extend_from_slice(&self.trace.to_le_bytes());
        if spot.talk > 0 {
            put(out, u64::from(spot.talk));
        }
        put(out, u64::from(spot.position));
        put_signed(out, step(place, before));
        put_signed(out, step(place, after));
        if let Some(at) = self.at {
            put_signed(out, at.seconds().saturating_sub(EPOCH));
            put_signed(out, i64::from(at.ahead().unwrap_or(NOWHERE)));
        }
        put(out, u64::from(self.who));
        self.label.put(out);
    }

    /// The row of a place, and what follows it: the rest of the reading.
    pub(super) fn read(place: u32, data: &[u8]) -> Result<(Row, &[u8]), LibraryError> {
        let mut bytes = Bytes(data);
        let (flags, kinds) = (bytes.byte()?, bytes.byte()?);
        let trace = u16::from_le_bytes([bytes.byte()?, bytes.byte()?]);
        let talk = if kinds & HAS_TALK == 0 { 0 } else { bytes.small()? };
        let links = Links {
            spot: Spot { talk, position: bytes.small()? },
            before: other(place, bytes.signed()?),
            begins: kinds & BEGINS != 0,
            after: other(place, bytes.signed()?),
            ends: kinds & ENDS != 0,
        };
        let at = match kinds & HAS_TIME {
            0 => None,
            _ => {
                let seconds = bytes.signed()?.saturating_add(EPOCH);
                When::of(seconds, i8::try_from(bytes.signed()?).ok().filter(|it| *it != NOWHERE))
            }
        };
        let row = Row {
            links,
            at,
            who: bytes.small()?,
            label: Label::read(&mut bytes)?,
            voice: voice_of(kinds & 3),
            trust: trust_of(kinds >> 2 & 3),
            trace,
            flags,
        };
        Ok((row, bytes.0))
    }
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

/// What cannot be told is trusted least.
fn trust_of(number: u8) -> Trust {
    match number {
        3 => Trust::Owner,
        2 => Trust::Agent,
        1 => Trust::Tool,
        _ => Trust::ThirdParty,
    }
}

fn trust_number(trust: Trust) -> u8 {
    match trust {
        Trust::ThirdParty => 0,
        Trust::Tool => 1,
        Trust::Agent => 2,
        Trust::Owner => 3,
    }
}

/// The seconds of what a clock showed.
pub(super) fn seconds(at: DateTime) -> i64 {
    TimeZone::UTC.to_timestamp(at).map_or(0, Timestamp::as_second)
}

/// What it showed again.
pub(super) fn local(seconds: i64) -> Option<DateTime> {
    Timestamp::from_second(seconds).ok().map(|at| TimeZone::UTC.to_datetime(at))
}

/// The other end of a link, which is stored as a distance; none is stored as no distance.
fn other(place: u32, step: i64) -> Option<u32> {
    u32::try_from(i64::from(place).checked_add(step)?).ok().filter(|other| *other != place)
}

fn step(place: u32, other: Option<u32>) -> i64 {
    other.map_or(0, |other| i64::from(other) - i64::from(place))
}

pub(super) fn insert(db: &Connection, place: u32, data: &[u8]) -> Result<(), LibraryError> {
    db.prepare_cached("INSERT OR REPLACE INTO notes (place, data) VALUES (?, ?)")?
        .execute((place, data))?;
    Ok(())
}

/// The row of a place.
pub(super) fn row(db: &Connection, place: u32) -> Result<Option<Row>, LibraryError> {
    let mut found = db.prepare_cached("SELECT data FROM notes WHERE place = ?")?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Row::read(place, row.get_ref(0)?.as_blob()?).map(|(row, _)| row))
    };
    found.query_row([place], read).optional()?.transpose()
}

/// Changes where a note stands, unless it stands there already.
pub(super) fn relink(
    db: &Connection,
    place: u32,
    change: impl FnOnce(&mut Row),
) -> Result<(), LibraryError> {
    let mut found = db.prepare_cached("SELECT data FROM notes WHERE place = ?")?;
    let data: Vec<u8> = found.query_row([place], |row| row.get(0))?;
    let (mut row, rest) = Row::read(place, &data)?;
    let before = row.clone();
    change(&mut row);
    if row == before {
        return Ok(());
    }
    let mut out = Vec::with_capacity(data.len() + 8);
    row.put(place, &mut out);
    out.extend_from_slice(rest);
    insert(db, place, &out)
}

/// Moves a row to another place, where the notes beside it move too.
pub(super) fn move_to(
    db: &Connection,
    from: u32,
    to: u32,
    new: impl Fn(u32) -> Option<u32>,
) -> Result<(), LibraryError> {
    let mut found = db.prepare_cached("SELECT data FROM notes WHERE place = ?")?;
    let data: Vec<u8> = found.query_row([from], |row| row.get(0))?;
    let (mut row, rest) = Row::read(from, &data)?;
    row.links.before = row.links.before.and_then(&new);
    row.links.after = row.links.after.and_then(&new);
    let mut out = Vec::with_capacity(data.len() + 8);
    row.put(to, &mut out);
    out.extend_from_slice(rest);
    if from != to {
        delete(db, from)?;
    }
    insert(db, to, &out)
}

/// Gives the last notes of all sources their new places.
pub(super) fn move_ends(
    db: &Connection,
    new: impl Fn(u32) -> Option<u32>,
) -> Result<(), LibraryError> {
    let mut found = db.prepare("SELECT id, last FROM sources WHERE last IS NOT NULL")?;
    let ends = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let ends: Vec<(u32, u32)> = ends.collect::<Result<_, _>>()?;
    let mut put = db.prepare("UPDATE sources SET last = ? WHERE id = ?")?;
    for (id, last) in ends {
        put.execute((new(last), id))?;
    }
    Ok(())
}

/// Takes the row of a place out. Whether there was one.
pub(super) fn delete(db: &Connection, place: u32) -> Result<bool, LibraryError> {
    Ok(db.prepare_cached("DELETE FROM notes WHERE place = ?")?.execute([place])? > 0)
}

/// The note at a place, whole. Nothing, too, when somebody else takes it out meanwhile.
pub(super) fn note(db: &Connection, place: u32) -> Result<Option<Note>, LibraryError> {
    // A block goes when nothing in it says anything.
    note_that_says(db, place, texts::text(db, place)?.unwrap_or_default())
}

/// The same, whose text is known.
pub(super) fn note_that_says(
    db: &Connection,
    place: u32,
    text: String,
) -> Result<Option<Note>, LibraryError> {
    let Some(row) = row(db, place)? else { return Ok(None) };
    let Some(cell) = columns::cell(db, place)? else { return Ok(None) };
    let Some(source) = source(db, cell.source)? else { return Ok(None) };
    let Some(who) = person(db, row.who)? else { return Ok(None) };
    Ok(Some(row.note(&source, who, text)))
}

/// The name of a source.
pub(super) fn source(db: &Connection, id: u32) -> Result<Option<String>, LibraryError> {
    let mut found = db.prepare_cached("SELECT name FROM sources WHERE id = ?")?;
    Ok(found.query_row([id], |row| row.get(0)).optional()?)
}

/// Every source that has notes, with the last of them.
pub(super) fn ends(db: &Connection) -> Result<Vec<(String, u32)>, LibraryError> {
    let mut found = db.prepare("SELECT name, last FROM sources WHERE last IS NOT NULL")?;
    let ends = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(ends.collect::<Result<_, _>>()?)
}

/// The name of somebody who says something.
pub(super) fn person(db: &Connection, id: u32) -> Result<Option<String>, LibraryError> {
    let mut found = db.prepare_cached("SELECT name FROM people WHERE id = ?")?;
    Ok(found.query_row([id], |row| row.get(0)).optional()?)
}

/// The number of somebody, which they get if they have none.
pub(super) fn number_person(db: &Connection, name: &str) -> Result<u32, LibraryError> {
    let mut found = db.prepare_cached("SELECT id FROM people WHERE name = ?")?;
    if let Some(id) = found.query_row([name], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let id = db.prepare_cached("INSERT INTO people (name, notes) VALUES (?, 0)")?.insert([name])?;
    u32::try_from(id).map_err(|_| LibraryError::Malformed("there are too many people"))
}

/// Takes note of how many notes more are somebody's, or fewer. The name of who has none left goes with them: headings
/// are such names.
pub(super) fn count_person(db: &Connection, id: u32, more: i64) -> Result<(), LibraryError> {
    db.prepare_cached("UPDATE people SET notes = notes + ? WHERE id = ?")?.execute((more, id))?;
    db.prepare_cached("DELETE FROM people WHERE id = ? AND notes <= 0")?.execute([id])?;
    Ok(())
}

/// The places of a source's notes from the last to the first, with their rows.
pub(super) fn chain(db: &Connection, last: Option<u32>) -> Result<Vec<(u32, Row)>, LibraryError> {
    let (mut all, mut next) = (Vec::new(), last);
    // One that was passed comes again if they follow each other in a ring. It is taken anew at twice the way each time.
    let mut passed = None;
    while let Some(place) = next {
        if passed == Some(place) {
            return Err(LibraryError::Malformed("notes follow each other in a ring"));
        }
        if all.len().is_power_of_two() {
            passed = Some(place);
        }
        let row = row(db, place)?.ok_or(LibraryError::Malformed("a note is missing"))?;
        next = row.links.before;
        all.push((place, row));
    }
    Ok(all)
}

/// The last places of a chain, from the last on, at most so many, and the one before them.
pub(super) fn chain_end(
    db: &Connection,
    last: Option<u32>,
    most: usize,
) -> Result<(Vec<u32>, Option<u32>), LibraryError> {
    let (mut places, mut next) = (Vec::new(), last);
    while let Some(place) = next.filter(|_| places.len() < most) {
        let row = row(db, place)?.ok_or(LibraryError::Malformed("a note is missing"))?;
        next = row.links.before;
        places.push(place);
    }
    Ok((places, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn rows_come_back_with_what_stands_around_them() {
        let reading = Reading {
            vector: louver_recall::embed::Small::coarse(&[0.5; 256]),
            ..Reading::default()
        };
        for (voice, trust) in [
            (Voice::Person, Trust::Owner),
            (Voice::Agent, Trust::Agent),
            (Voice::Document, Trust::Tool),
            (Voice::Document, Trust::ThirdParty),
        ] {
            for (before, after) in [(None, Some(8)), (Some(6), None), (Some(900), Some(1))] {
                let at = When::of(1_709_251_198, after.map(|after| after as i8 * 7 - 48));
                let (begins, ends) = (trust == Trust::Tool, voice == Voice::Agent);
                let spot = Spot { talk: if ends { 70_000 } else { 0 }, position: 300 };
                let links = Links { spot, before, begins, after, ends };
                let label = Label::Event(412, 1);
                let flags = packed::flags(&reading);
                let row = Row { links, label, at, who: 3, voice, trust, trace: 40_000, flags };
                let data = row.write(7, &reading, |word| word);
                let (read, rest) = Row::read(7, &data).unwrap();
                assert_eq!(read, row);
                let back = packed::unpack(row.flags, rest, reading.vector.clone(), 0).unwrap();
                assert_eq!(format!("{back:?}"), format!("{reading:?}"));
            }
        }
    }

    #[test]
    fn times_come_back() {
        for at in [date(2024, 2, 29).at(23, 59, 58, 0), date(1901, 1, 1).at(0, 0, 0, 0)] {
            assert_eq!(local(seconds(at)), Some(at));
        }
    }
}
