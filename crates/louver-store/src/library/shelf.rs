//! The candidates for one question, looked up: what ranking and choosing see of the library.
//!
//! Places are numbered anew for each question, by time and then by where the notes stand. So it does not
//! matter in which order the library came to know them.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use louver_recall::again::asked_before;
use louver_recall::corrected::may_be_put_right;
use louver_recall::embed::Small;
use louver_recall::maps::Numbered;
use louver_recall::note::{Note, Voice};
use louver_recall::question::AskedTerm;
use louver_recall::rank::{Candidate, Changes, Shelf};
use louver_recall::reading::Reading;
use louver_recall::talk::Spot;
use louver_recall::topic::topic;
use rusqlite::{Connection, Statement};

use super::analyse::voice;
use super::columns::Columns;
use super::error::LibraryError;
use super::facts::Facts;
use super::find::{Lists, Spotted};
use super::known::{People, Sources};
use super::names::{Label, written};
use super::packed;
use super::rows::{self, Row};
use super::texts;
use super::words::{Meaning, Words};
use crate::notes::{Folders, PERSON, page};

/// A candidate, or a neighbour of one that was looked up.
struct Shelved {
    /// Its place in the library.
    place: u32,
    source: u32,
    handle: u32,
    label: Label,
    trace: u16,
    note: Option<Note>,
    /// When it was said, by one clock for all notes.
    moment: Option<DateTime>,
    reading: Reading,
    beside: [Option<u32>; 2],
    /// The note after it in its source, and whether a pause lies between.
    after: Option<(u32, bool)>,
    /// What the person said next after a pause, if it was looked up.
    resumed: Option<u32>,
    /// Whether its first line is in view.
    in_view: bool,
    text: OnceCell<Option<String>>,
    topic: OnceCell<String>,
}

/// A note beside a candidate. What it means is at hand; the rest is seldom asked for.
struct Neighbour {
    place: u32,
    vector: Small,
    shelved: OnceCell<Option<Shelved>>,
}

/// Whether a note whose first line has this trace is in view. What it says is asked for if need be.
pub(super) type InView<'a> = &'a dyn Fn(u16, &dyn Fn() -> Option<String>) -> bool;

/// What candidates are looked up in.
#[derive(Clone, Copy)]
pub(super) struct Catalogue<'a> {
    pub(super) db: &'a Connection,
    pub(super) columns: &'a Columns,
    pub(super) sources: &'a Sources,
    /// Whose clock the notes are told by.
    pub(super) zone: &'a TimeZone,
    /// Whether the one who asks may know the note at a place.
    pub(super) may: &'a dyn Fn(u32) -> bool,
    pub(super) in_view: InView<'a>,
    /// Whether the note at a place is in view by its name, or part of a file that is.
    pub(super) shown: &'a dyn Fn(u32) -> bool,
    /// Whether the question goes on with one whose answer is in view: how well that fits says nothing of the others.
    pub(super) goes_on: bool,
    /// Which folders of text are named, if that is known.
    pub(super) folders: Option<&'a Folders>,
}

/// The rows of candidates, before the words they refer to are loaded.
pub(super) struct Rows<'a> {
    catalogue: Catalogue<'a>,
    all: Vec<Shelved>,
    neighbours: Vec<Neighbour>,
    /// The words of the candidates, each once. In their readings a word is its place here.
    pub(super) words: Vec<u32>,
    pub(super) candidates: Vec<Candidate>,
}

/// What ranking and choosing see of the library: candidates first, then their neighbours.
pub(super) struct Looked<'a> {
    catalogue: Catalogue<'a>,
    /// What each word means.
    words: Vec<Option<&'a Meaning>>,
    all: Vec<Shelved>,
    neighbours: Vec<Neighbour>,
    /// How many notes the library has.
    notes: usize,
    /// How many words they have together.
    length: u64,
    forms: HashMap<String, u32>,
    /// How telling each term of the question is, by its first form.
    rarities: HashMap<String, f32>,
    /// How near each candidate is by a sentence model; empty when none was asked.
    pub(super) senses: Vec<Option<f32>>,
    fault: RefCell<Option<LibraryError>>,
}

impl<'a> Catalogue<'a> {
    /// Looks candidates up.
    pub(super) fn rows(
        self,
        people: &mut People,
        spotted: &[Spotted],
    ) -> Result<Rows<'a>, LibraryError> {
        let mut found: Vec<(Shelved, Spotted)> = Vec::with_capacity(spotted.len());
        let mut look = self.db.prepare_cached(LOOK_UP)?;
        // One after the other as they lie on the disk, some are on the same page.
        let mut spotted = spotted.to_vec();
        spotted.sort_unstable_by_key(|spotted| spotted.place);
        let mut shelve = |found: &mut Vec<(Shelved, Spotted)>, spotted: Spotted| {
            let mut shelved = self.look_up(&mut look, people, spotted.place)?;
            shelved.in_view = self.is_in_view(&shelved)?;
            if !(shelved.in_view && self.goes_on) {
                found.push((shelved, spotted));
            }
            Ok::<(), LibraryError>(())
        };
        for spotted in spotted {
            shelve(&mut found, spotted)?;
        }
        let mut besides = self.answers(&found);
        let next = self.said_next(&mut found)?;
        besides.extend(next);
        besides.sort_unstable();
        besides.dedup();
        for place in besides {
            shelve(&mut found, Spotted { place, words: 0.0, heading: 0.0 })?;
        }
        found.sort_by(|(one, _), (two, _)| order(one).cmp(&order(two)));
        let (mut all, found): (Vec<Shelved>, Vec<Spotted>) = found.into_iter().unzip();
        let candidate = |(at, spotted): (usize, &Spotted)| Candidate {
            place: at as u32,
            words: spotted.words,
            heading: spotted.heading,
        };
        let candidates = found.iter().enumerate().map(candidate).collect();
        for (id, shelved) in (0..).zip(&mut all) {
            shelved.note.iter_mut().for_each(|note| note.id = id);
        }
        resume(&mut all);
        let neighbours = self.neighbours(&mut all);
        let words = renumber(all.iter_mut().flat_map(|shelved| &mut shelved.reading.passages));
        Ok(Rows { catalogue: self, all, neighbours, words, candidates })
    }

    /// What was answered to candidates that ask what may be the same, and is no candidate itself.
    fn answers(&self, found: &[(Shelved, Spotted)]) -> Vec<u32> {
        let known: Vec<(f32, bool)> =
            found.iter().map(|(one, spotted)| (spotted.words, one.reading.only_asks)).collect();
        let answers = asked_before(&known).filter_map(|at| found[at].0.beside[1]);
        answers.filter(|place| (self.may)(*place) && is_new(found, *place)).collect()
    }

    /// What the person said next in the sessions of the likeliest candidates, perhaps after an answer, and is no candidate
    /// itself. Those that said it after a pause are told of it.
    fn said_next(&self, found: &mut [(Shelved, Spotted)]) -> Result<Vec<u32>, LibraryError> {
        let by_person =
            |one: &Shelved| one.note.as_ref().is_some_and(|note| note.voice == Voice::Person);
        let known: Vec<(f32, bool)> =
            found.iter().map(|(one, spotted)| (spotted.words, by_person(one))).collect();
        let mut next = Vec::new();
        for at in may_be_put_right(&known) {
            let Some((after, mut paused)) = found[at].0.after else { continue };
            let Some(row) = rows::row(self.db, after)? else { continue };
            let mut said = after;
            if voice(row.voice) != Voice::Person {
                let Some(then) = row.links.after else { continue };
                let by_person = |row: &rows::Row| voice(row.voice) == Voice::Person;
                if !rows::row(self.db, then)?.as_ref().is_some_and(by_person) {
                    continue;
                }
                (said, paused) = (then, paused || row.links.ends);
            }
            if !(self.may)(said) {
                continue;
            }
            found[at].0.resumed = paused.then_some(said);
            next.push(said);
        }
        next.retain(|place| is_new(found, *place));
        Ok(next)
    }

    /// Numbers the notes beside candidates.
    fn neighbours(&self, all: &mut [Shelved]) -> Vec<Neighbour> {
        let mut known: Numbered<u32> =
            all.iter().enumerate().map(|(at, shelved)| (shelved.place, at as u32)).collect();
        let (count, mut neighbours) = (all.len(), Vec::new());
        for beside in all.iter_mut().flat_map(|shelved| &mut shelved.beside) {
            *beside = beside.filter(|place| (*place as usize) < self.columns.sketches.len()).map(
                |place| {
                    *known.entry(place).or_insert_with(|| {
                        let (signs, sizes) = (
                            &self.columns.sketches[place as usize],
                            &self.columns.sizes[place as usize],
                        );
                        let vector = packed::vector_of(signs, sizes);
                        neighbours.push(Neighbour { place, vector, shelved: OnceCell::new() });
                        (count + neighbours.len() - 1) as u32
                    })
                },
            );
        }
        neighbours
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

    /// A neighbour with the number `at`. Of one that may not be known, or is in view, nothing but what
    /// it means is seen.
    fn neighbour(&self, place: u32, at: u32) -> Result<Option<Shelved>, LibraryError> {
        if !(self.may)(place) || (self.shown)(place) {
            return Ok(None);
        }
        let mut look = self.db.prepare_cached(LOOK_UP)?;
        let mut shelved = self.look_up(&mut look, &mut People::default(), place)?;
        if self.is_in_view(&shelved)? {
            return Ok(None);
        }
        shelved.beside = [None; 2];
        // Its words are not compared, and have no numbers here.
        shelved.reading.passages.clear();
        shelved.note.iter_mut().for_each(|note| note.id = u64::from(at));
        Ok(Some(shelved))
    }

    fn look_up(
        &self,
        look: &mut Statement<'_>,
        people: &mut People,
        place: u32,
    ) -> Result<Shelved, LibraryError> {
        let Columns { sketches, sizes, lengths, sources, handles } = self.columns;
        let (at, missing) = (place as usize, LibraryError::Malformed("a note is missing"));
        let Some(sketch) = sketches.get(at) else { return Err(missing) };
        let mut rows = look.query([place])?;
        let Some(row) = rows.next()? else { return Err(missing) };
        let data = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
        let (row, rest) = Row::read(place, data)?;
        let vector = packed::vector_of(sketch, &sizes[at]);
        let mut reading = packed::unpack(row.flags, rest, vector, u32::from(lengths[at]))?;
        // The notes of a source without a name have nothing to do with each other.
        let alone = sources[at] == ALONE;
        reading.spot = if alone { Spot::default() } else { row.links.spot };
        let note = Note {
            // It is numbered when all are there.
            id: 0,
            text: String::new(),
            who: people.name(self.db, row.who)?.to_owned(),
            voice: voice(row.voice),
            session: if alone { String::new() } else { sources[at].to_string() },
            at: row.at.map(|at| at.here(self.zone).clock()),
        };
        let beside = if alone { [None; 2] } else { row.links.in_talk() };
        Ok(Shelved {
            place,
            source: sources[at],
            handle: handles[at],
            label: row.label,
            trace: row.trace,
            note: Some(note),
            moment: row.at.map(|at| at.moment(self.zone)),
            reading,
            beside,
            after: row.links.after.filter(|_| !alone).map(|after| (after, row.links.ends)),
            resumed: None,
            in_view: false,
            text: OnceCell::new(),
            topic: OnceCell::new(),
        })
    }
}

/// Names what was said next after a pause by its number here.
fn resume(all: &mut [Shelved]) {
    for at in 0..all.len() {
        let Some(place) = all[at].resumed else { continue };
        all[at].resumed = all.iter().position(|shelved| shelved.place == place).map(|at| at as u32);
    }
}

fn is_new(found: &[(Shelved, Spotted)], place: u32) -> bool {
    found.iter().all(|(one, _)| one.place != place)
}

const LOOK_UP: &str = "SELECT data FROM notes WHERE place = ?";

/// The number of the source without a name.
pub(super) const ALONE: u32 = 0;

impl<'a> Rows<'a> {
    /// The places of the candidates in the library, in their order.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        self.all.iter().take(self.candidates.len()).map(|shelved| shelved.place)
    }

    /// With the words of the question: its terms, and the list of each.
    pub(super) fn shelf(
        self,
        words: &'a Words,
        facts: &Facts,
        terms: &[AskedTerm],
        lists: &[Lists],
    ) -> Looked<'a> {
        let rarities =
            terms.iter().zip(lists).map(|(term, list)| (term.forms[0].clone(), list.rarity));
        let (facts, rarities) = (words.waiting.without(facts), rarities.collect());
        let (notes, length) = (facts.notes as usize, facts.length.unsigned_abs());
        let Rows { catalogue, all, neighbours, words: own, .. } = self;
        let forms = lists.iter().flat_map(|lists| &lists.forms).map(|(word, _, form)| {
            let at = own.iter().position(|own| own == word);
            (form.clone(), at.map_or(ELSEWHERE, |at| at as u32))
        });
        let (forms, senses, fault) = (forms.collect(), Vec::new(), RefCell::default());
        let words = own.iter().map(|word| words.meaning(*word)).collect();
        Looked { catalogue, words, all, neighbours, notes, length, forms, rarities, senses, fault }
    }
}

/// Numbers the words of passages anew, from nothing. Which they were.
fn renumber<'a>(passages: impl Iterator<Item = &'a mut Box<[u32]>>) -> Vec<u32> {
    let (mut numbers, mut words) = (Numbered::default(), Vec::new());
    for word in passages.flat_map(|passage| &mut **passage) {
        let own = *word;
        *word = *numbers.entry(own).or_insert_with(|| {
            words.push(own);
            words.len() as u32 - 1
        });
    }
    words
}

/// The number of a word that notes say, but no candidate.
const ELSEWHERE: u32 = u32::MAX;

/// The order in which candidates are numbered, whatever the order they came in.
fn order(shelved: &Shelved) -> impl Ord {
    let spot = shelved.reading.spot;
    (shelved.moment, spot.talk, spot.position, shelved.handle, shelved.place)
}

impl Looked<'_> {
    fn shelved(&self, at: u32) -> Option<&Shelved> {
        if let Some(shelved) = self.all.get(at as usize) {
            return Some(shelved);
        }
        let neighbour = self.neighbours.get(at as usize - self.all.len())?;
        let look_up = || self.heed(self.catalogue.neighbour(neighbour.place, at));
        neighbour.shelved.get_or_init(look_up).as_ref()
    }

    /// The name of the note that is numbered so here.
    pub(super) fn name(&self, at: u32) -> String {
        let name = |shelved: &Shelved| shelved.label.place(self.source_of(shelved));
        self.shelved(at).map_or_else(String::new, name)
    }

    fn source_of(&self, shelved: &Shelved) -> &str {
        self.catalogue.sources.name(shelved.source).unwrap_or_default()
    }

    /// The handle of the note that is numbered so here.
    pub(super) fn handle(&self, at: u32) -> String {
        self.shelved(at).map_or_else(String::new, |shelved| written(shelved.handle))
    }

    /// What went wrong while something was looked up.
    pub(super) fn fault(&self) -> Result<(), LibraryError> {
        self.fault.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// What was looked up; what went wrong is told later.
    fn heed<T>(&self, found: Result<Option<T>, LibraryError>) -> Option<T> {
        found.unwrap_or_else(|fault| {
            self.fault.borrow_mut().get_or_insert(fault);
            None
        })
    }
}

impl Shelf for Looked<'_> {
    fn note(&self, place: u32) -> Option<&Note> {
        self.shelved(place)?.note.as_ref()
    }

    fn text(&self, place: u32) -> Option<&str> {
        let shelved = self.shelved(place)?;
        let look_up = || self.heed(texts::text(self.catalogue.db, shelved.place));
        shelved.text.get_or_init(look_up).as_deref()
    }

    fn source(&self, place: u32) -> String {
        let Some(shelved) = self.shelved(place) else { return String::new() };
        let source = self.source_of(shelved);
        self.catalogue.folders.map_or(source, |folders| folders.brief(source)).to_owned()
    }

    fn is_in_view(&self, place: u32) -> bool {
        let is = |shelved: &Shelved| shelved.in_view || (self.catalogue.shown)(shelved.place);
        self.shelved(place).is_some_and(is)
    }

    fn speaker(&self, place: u32) -> &str {
        match self.shelved(place) {
            Some(Shelved { label: Label::Line(..), .. }) => PERSON,
            Some(Shelved { note: Some(note), .. }) => &note.who,
            _ => "",
        }
    }

    fn arrival(&self, place: u32) -> u32 {
        self.shelved(place).map_or(place, |shelved| shelved.place)
    }

    fn moment(&self, place: u32) -> Option<DateTime> {
        self.shelved(place)?.moment
    }

    fn is_page(&self, place: u32) -> bool {
        self.shelved(place).is_some_and(|shelved| page(self.source_of(shelved)).is_some())
    }

    fn topic(&self, place: u32) -> &str {
        let Some(shelved) = self.shelved(place) else { return "" };
        let topic = || {
            let page = page(self.source_of(shelved))?;
            Some(topic(page, &shelved.note.as_ref()?.who))
        };
        shelved.topic.get_or_init(|| topic().unwrap_or_default())
    }

    fn reading(&self, place: u32) -> Option<&Reading> {
        self.shelved(place).map(|shelved| &shelved.reading)
    }

    fn vector(&self, place: u32) -> Option<&Small> {
        match self.all.get(place as usize) {
            Some(shelved) => Some(&shelved.reading.vector),
            None => Some(&self.neighbours.get(place as usize - self.all.len())?.vector),
        }
    }

    fn beside(&self, place: u32) -> [Option<u32>; 2] {
        self.all.get(place as usize).map_or([None; 2], |shelved| shelved.beside)
    }

    fn resumed(&self, place: u32) -> Option<u32> {
        self.all.get(place as usize)?.resumed
    }

    fn words(&self) -> usize {
        self.words.len()
    }

    fn word(&self, word: u32) -> Option<&Small> {
        self.words.get(word as usize)?.map(|meaning| &meaning.vector)
    }

    fn changes(&self, word: u32) -> Changes {
        let meaning = self.words.get(word as usize).copied().flatten();
        meaning.map_or(Changes::No, |meaning| meaning.changes)
    }

    fn forms(&self, term: &AskedTerm) -> Vec<u32> {
        term.forms.iter().filter_map(|form| self.forms.get(form).copied()).collect()
    }

    fn notes(&self) -> usize {
        self.notes
    }

    fn length(&self) -> u64 {
        self.length
    }

    fn rarity(&self, term: &AskedTerm) -> f32 {
        term.forms.first().and_then(|form| self.rarities.get(form)).copied().unwrap_or(0.0)
    }

    fn sense(&self, place: u32) -> Option<f32> {
        self.senses.get(place as usize).copied().flatten()
    }
}
