//! The candidates for one question, looked up: what ranking and choosing see of the library.
//!
//! Places are numbered anew for each question, by time and then by where the notes stand. So it does not
//! matter in which order the library came to know them.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use louver_recall::embed::Small;
use louver_recall::note::Note;
use louver_recall::question::AskedTerm;
use louver_recall::rank::{Candidate, Shelf};
use louver_recall::reading::Reading;
use rusqlite::Connection;

use super::columns::Columns;
use super::entry::Kept;
use super::error::Fault;
use super::find::{Lists, Spotted};
use super::packed;
use super::rows::{self, Kinds, Table, local};
use super::texts;
use super::words::Words;

/// A candidate or a neighbour of one.
struct Shelved {
    /// Its place in the library.
    place: u32,
    note: Option<Note>,
    reading: Reading,
    beside: [Option<u32>; 2],
    text: OnceCell<Option<String>>,
}

/// What ranking and choosing see of the library.
pub(super) struct Looked<'a> {
    db: &'a Connection,
    words: &'a Words,
    all: Vec<Shelved>,
    forms: HashMap<String, u32>,
    fault: RefCell<Option<Fault>>,
}

/// The rows of candidates and neighbours, before the words they refer to are loaded.
pub(super) struct Rows {
    all: Vec<Shelved>,
    pub(super) candidates: Vec<Candidate>,
}

impl Rows {
    /// Looks candidates up, and the notes beside them. Of a note that `may` refuses nothing but what it
    /// means is seen.
    pub(super) fn read(
        db: &Connection,
        columns: &Columns,
        people: &mut HashMap<i64, String>,
        spotted: &[Spotted],
        may: &impl Fn(u32) -> bool,
    ) -> Result<Rows, Fault> {
        let mut found: Vec<(Shelved, Spotted)> = Vec::with_capacity(spotted.len());
        for spotted in spotted {
            found.push((look_up(db, columns, people, spotted.place)?, *spotted));
        }
        found.sort_by(|(one, _), (two, _)| order(one).cmp(&order(two)));
        let (all, found): (Vec<Shelved>, Vec<Spotted>) = found.into_iter().unzip();
        let candidate = |(at, spotted): (usize, &Spotted)| Candidate {
            place: at as u32,
            words: spotted.words,
            heading: spotted.heading,
        };
        let candidates = found.iter().enumerate().map(candidate).collect();
        let mut rows = Rows { all, candidates };
        rows.neighbours(db, columns, people, may)?;
        Ok(rows)
    }

    fn neighbours(
        &mut self,
        db: &Connection,
        columns: &Columns,
        people: &mut HashMap<i64, String>,
        may: &impl Fn(u32) -> bool,
    ) -> Result<(), Fault> {
        let mut known: HashMap<u32, u32> =
            self.all.iter().enumerate().map(|(at, shelved)| (shelved.place, at as u32)).collect();
        for at in 0..self.all.len() {
            for side in 0..2 {
                let Some(place) = self.all[at].beside[side] else { continue };
                let own = match known.get(&place) {
                    Some(own) => *own,
                    None => {
                        let mut shelved = look_up(db, columns, people, place)?;
                        shelved.beside = [None; 2];
                        shelved.note = shelved.note.filter(|_| may(place));
                        self.all.push(shelved);
                        known.insert(place, self.all.len() as u32 - 1);
                        self.all.len() as u32 - 1
                    }
                };
                self.all[at].beside[side] = Some(own);
            }
        }
        Ok(())
    }

    /// Every word of the candidates.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let candidates = self.all.iter().take(self.candidates.len());
        candidates.flat_map(|shelved| shelved.reading.passages.iter()).flatten().copied()
    }

    pub(super) fn shelf<'a>(
        self,
        db: &'a Connection,
        words: &'a Words,
        lists: &[Lists],
    ) -> Looked<'a> {
        let forms = lists
            .iter()
            .flat_map(|lists| lists.forms.iter().map(|(word, _, form)| (form.clone(), *word)));
        Looked { db, words, forms: forms.collect(), all: self.all, fault: RefCell::new(None) }
    }
}

fn look_up(
    db: &Connection,
    columns: &Columns,
    people: &mut HashMap<i64, String>,
    place: u32,
) -> Result<Shelved, Fault> {
    let sql = "SELECT id, session, position, before, after, at, who, kinds, reading FROM notes WHERE place = ?";
    let missing = Fault::Malformed("a note is missing");
    let Some(sketch) = columns.sketches.get(place as usize) else { return Err(missing) };
    let mut look = db.prepare_cached(sql)?;
    let mut rows = look.query([place])?;
    let Some(row) = rows.next()? else { return Err(missing) };
    let Kinds { voice, alone, .. } = Kinds::of(row.get(7)?);
    let mut reading =
        packed::unpack(row.get_ref(8)?.as_blob().map_err(rusqlite::Error::from)?, sketch)?;
    reading.position = if alone { 0 } else { row.get(2)? };
    let other = |step: Option<i64>| {
        step.filter(|_| !alone).and_then(|step| u32::try_from(i64::from(place) + step).ok())
    };
    let note = Note {
        id: row.get::<_, i64>(0)? as u64,
        text: String::new(),
        who: person(db, people, row.get(6)?)?,
        voice,
        session: if alone { String::new() } else { row.get::<_, i64>(1)?.to_string() },
        at: row.get::<_, Option<i64>>(5)?.and_then(local),
    };
    let beside = [other(row.get(3)?), other(row.get(4)?)];
    Ok(Shelved { place, note: Some(note), reading, beside, text: OnceCell::new() })
}

/// The order in which candidates are numbered.
fn order(shelved: &Shelved) -> impl Ord {
    let note = shelved.note.as_ref();
    (note.and_then(|note| note.at), shelved.reading.position, note.map(|note| note.id))
}

fn person(db: &Connection, people: &mut HashMap<i64, String>, id: i64) -> Result<String, Fault> {
    if let Some(name) = people.get(&id) {
        return Ok(name.clone());
    }
    if people.len() > 10_000 {
        people.clear();
    }
    let name = rows::name(db, Table::People, id)?;
    people.insert(id, name.clone());
    Ok(name)
}

impl Looked<'_> {
    /// The note that is numbered so here, whole.
    pub(super) fn kept(&self, at: u32) -> Result<Kept, Fault> {
        let missing = Fault::Malformed("a note is missing");
        let Some(shelved) = self.all.get(at as usize) else { return Err(missing) };
        let mut kept = rows::cited(self.db, shelved.place)?.ok_or(missing)?;
        kept.entry.text = self.text(at).unwrap_or_default().to_owned();
        Ok(kept)
    }

    /// What went wrong while texts were looked up.
    pub(super) fn fault(&self) -> Result<(), Fault> {
        self.fault.borrow_mut().take().map_or(Ok(()), Err)
    }

    fn look_up(&self, place: u32) -> Option<String> {
        texts::text(self.db, place).unwrap_or_else(|fault| {
            self.fault.borrow_mut().get_or_insert(fault);
            None
        })
    }
}

impl Shelf for Looked<'_> {
    fn note(&self, place: u32) -> Option<&Note> {
        self.all.get(place as usize)?.note.as_ref()
    }

    fn text(&self, place: u32) -> Option<&str> {
        let shelved = self.all.get(place as usize)?;
        shelved.text.get_or_init(|| self.look_up(shelved.place)).as_deref()
    }

    fn reading(&self, place: u32) -> Option<&Reading> {
        self.all.get(place as usize).map(|shelved| &shelved.reading)
    }

    fn beside(&self, place: u32) -> [Option<u32>; 2] {
        self.all.get(place as usize).map_or([None; 2], |shelved| shelved.beside)
    }

    fn word(&self, word: u32) -> Option<&Small> {
        self.words.vector(word)
    }

    fn forms(&self, term: &AskedTerm) -> Vec<u32> {
        term.forms.iter().filter_map(|form| self.forms.get(form).copied()).collect()
    }
}
