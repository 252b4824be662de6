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

use super::analyse::voice;
use super::columns::Columns;
use super::error::LibraryError;
use super::find::{Lists, Spotted};
use super::names::{Label, written};
use super::packed;
use super::rows::{self, Row, local};
use super::texts;
use super::words::Words;

/// A candidate or a neighbour of one.
struct Shelved {
    /// Its place in the library.
    place: u32,
    source: u32,
    handle: u32,
    label: Label,
    trace: u16,
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
    /// How near each candidate is by a sentence model; empty when none was asked.
    pub(super) senses: Vec<Option<f32>>,
    sources: RefCell<HashMap<u32, String>>,
    fault: RefCell<Option<LibraryError>>,
}

/// What candidates are looked up in.
pub(super) struct Catalogue<'a, M, V> {
    pub(super) db: &'a Connection,
    pub(super) columns: &'a Columns,
    pub(super) people: &'a mut HashMap<u32, String>,
    /// Whether the one who asks may know the note at a place.
    pub(super) may: &'a M,
    /// Whether a note whose first line has this trace is in view. What it says is asked for if need be.
    pub(super) in_view: &'a V,
}

/// The rows of candidates and neighbours, before the words they refer to are loaded.
pub(super) struct Rows {
    all: Vec<Shelved>,
    pub(super) candidates: Vec<Candidate>,
}

impl<M, V> Catalogue<'_, M, V>
where
    M: Fn(u32) -> bool,
    V: Fn(u16, &dyn Fn() -> Option<String>) -> bool,
{
    /// Looks candidates up, and the notes beside them. Of a note that may not be known, or is in view,
    /// nothing but what it means is seen.
    pub(super) fn rows(&mut self, spotted: &[Spotted]) -> Result<Rows, LibraryError> {
        let mut found: Vec<(Shelved, Spotted)> = Vec::with_capacity(spotted.len());
        for spotted in spotted {
            let shelved = self.look_up(spotted.place)?;
            if !self.is_in_view(&shelved)? {
                found.push((shelved, *spotted));
            }
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
        self.add_neighbours(&mut rows.all)?;
        for (id, shelved) in (0..).zip(&mut rows.all) {
            shelved.note.iter_mut().for_each(|note| note.id = id);
        }
        Ok(rows)
    }

    fn is_in_view(&self, shelved: &Shelved) -> Result<bool, LibraryError> {
        let fault = RefCell::new(None);
        let text = || match texts::text(self.db, shelved.place) {
            Ok(text) => text,
            Err(error) => {
                fault.replace(Some(error));
                None
            }
        };
        let is = (self.in_view)(shelved.trace, &text);
        fault.into_inner().map_or(Ok(is), Err)
    }

    fn add_neighbours(&mut self, all: &mut Vec<Shelved>) -> Result<(), LibraryError> {
        let mut known: HashMap<u32, u32> =
            all.iter().enumerate().map(|(at, shelved)| (shelved.place, at as u32)).collect();
        for at in 0..all.len() {
            for side in 0..2 {
                let Some(place) = all[at].beside[side] else { continue };
                let own = match known.get(&place) {
                    Some(own) => *own,
                    None => {
                        let mut shelved = self.look_up(place)?;
                        shelved.beside = [None; 2];
                        if !(self.may)(place) || self.is_in_view(&shelved)? {
                            shelved.note = None;
                        }
                        all.push(shelved);
                        known.insert(place, all.len() as u32 - 1);
                        all.len() as u32 - 1
                    }
                };
                all[at].beside[side] = Some(own);
            }
        }
        Ok(())
    }

    fn look_up(&mut self, place: u32) -> Result<Shelved, LibraryError> {
        let Columns { sketches, lengths, sources, handles } = self.columns;
        let (at, missing) = (place as usize, LibraryError::Malformed("a note is missing"));
        let Some(sketch) = sketches.get(at) else { return Err(missing) };
        let mut look = self.db.prepare_cached("SELECT data FROM notes WHERE place = ?")?;
        let mut rows = look.query([place])?;
        let Some(row) = rows.next()? else { return Err(missing) };
        let data = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
        let (row, rest) = Row::read(place, data)?;
        let mut reading = packed::unpack(data, rest, sketch, u32::from(lengths[at]))?;
        // A source without a name has the number 0; its notes have nothing to do with each other.
        let alone = sources[at] == ALONE;
        reading.position = if alone { 0 } else { row.links.position };
        let note = Note {
            // It is numbered when all are there.
            id: 0,
            text: String::new(),
            who: self.person(row.who)?,
            voice: voice(row.voice),
            session: if alone { String::new() } else { sources[at].to_string() },
            at: row.at.and_then(local),
        };
        let beside = if alone { [None; 2] } else { [row.links.before, row.links.after] };
        Ok(Shelved {
            place,
            source: sources[at],
            handle: handles[at],
            label: row.label,
            trace: row.trace,
            note: Some(note),
            reading,
            beside,
            text: OnceCell::new(),
        })
    }

    fn person(&mut self, id: u32) -> Result<String, LibraryError> {
        if let Some(name) = self.people.get(&id) {
            return Ok(name.clone());
        }
        if self.people.len() > 10_000 {
            self.people.clear();
        }
        let name = rows::person(self.db, id)?;
        self.people.insert(id, name.clone());
        Ok(name)
    }
}

/// The number of the source without a name.
pub(super) const ALONE: u32 = 0;

impl Rows {
    /// Every word of the candidates.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let candidates = self.all.iter().take(self.candidates.len());
        candidates.flat_map(|shelved| shelved.reading.passages.iter()).flatten().copied()
    }

    /// The places of the candidates in the library, in their order.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        self.all.iter().take(self.candidates.len()).map(|shelved| shelved.place)
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
        let (sources, fault) = (RefCell::default(), RefCell::default());
        Looked {
            db,
            words,
            forms: forms.collect(),
            senses: Vec::new(),
            all: self.all,
            sources,
            fault,
        }
    }
}

/// The order in which candidates are numbered, whatever the order they came in.
fn order(shelved: &Shelved) -> impl Ord {
    let at = shelved.note.as_ref().and_then(|note| note.at);
    (at, shelved.reading.position, shelved.handle, shelved.place)
}

impl Looked<'_> {
    /// The name of the note that is numbered so here.
    pub(super) fn name(&self, at: u32) -> Result<String, LibraryError> {
        let Some(shelved) = self.all.get(at as usize) else { return Ok(String::new()) };
        if let Some(source) = self.sources.borrow().get(&shelved.source) {
            return Ok(shelved.label.place(source));
        }
        let source = rows::source(self.db, shelved.source)?;
        let name = shelved.label.place(&source);
        self.sources.borrow_mut().insert(shelved.source, source);
        Ok(name)
    }

    /// The handle of the note that is numbered so here.
    pub(super) fn handle(&self, at: u32) -> String {
        self.all.get(at as usize).map_or_else(String::new, |shelved| written(shelved.handle))
    }

    /// What went wrong while texts were looked up.
    pub(super) fn fault(&self) -> Result<(), LibraryError> {
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

    fn sense(&self, place: u32) -> Option<f32> {
        self.senses.get(place as usize).copied().flatten()
    }
}
