//! Putting notes in and taking them out, in transactions that are short and whole.

mod remove;
mod replace;
mod respell;
mod source;

pub(super) use remove::{Fading, Gone, REMOVED, Removal};
pub(super) use source::find_source;

use std::collections::HashMap;
use std::rc::Rc;

use louver_recall::embed::Embeddings;
use louver_recall::maps::Numbered;
use louver_recall::reading;
use rusqlite::Connection;

use self::source::Source;
use super::analyse::{Lexicon, Read, analyse};
use super::columns::{self, Cell};
use super::error::LibraryError;
use super::facts::Facts;
use super::forgotten::Marks;
use super::names::{Label, Named, trace};
use super::packed;
use super::postings::{self, Appending, Posting};
use super::reminder::first_line;
use super::rows::{self, Links, Row};
use super::texts::{self, Block, Press};
use super::titles::Titles;
use super::words::Words;

/// What is to happen to a source.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) source: String,
    /// Whose it is.
    pub(super) scope: String,
    /// Whether there is nothing that it is read from.
    pub(super) given: bool,
    pub(super) how: How,
    pub(super) notes: Vec<Named>,
    /// Whether each of them is a matter of its own.
    pub(super) apart: bool,
    /// What the notes were read to follow.
    pub(super) since: Since,
    /// Whether it replaces what is there. Most of that stays, and is not read again.
    pub(super) is_change: bool,
}

/// How a source changes, and the stamp it gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The notes come after those that are there.
    Extend(String),
    /// The notes are all there is.
    Replace(String),
}

/// What a step builds on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Since {
    /// Whatever is there.
    Anything,
    /// The source with this stamp. If it has another one by now, somebody else was faster.
    Stamp(Option<String>),
}

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Synced {
    /// Notes that came in.
    pub added: u64,
    /// Notes that went.
    pub removed: u64,
}

impl std::ops::AddAssign for Synced {
    fn add_assign(&mut self, other: Synced) {
        self.added += other.added;
        self.removed += other.removed;
    }
}

/// Steps whose notes were read.
pub(super) struct Prepared {
    pub(super) steps: Vec<Step>,
    pub(super) lexicons: Vec<Lexicon>,
}

impl Prepared {
    /// Reads the notes that are sure to be needed. No lock is held, nor is one needed. What is forgotten is not read: it
    /// would have a say in how words are spelled.
    pub(super) fn new(table: &Embeddings<'_>, marks: &Marks, mut steps: Vec<Step>) -> Prepared {
        for step in &mut steps {
            clear_titles(marks, &step.source, &mut step.notes);
        }
        let new = steps.iter_mut().filter(|step| !step.is_change);
        let needed = new.flat_map(|step| &mut step.notes).filter(|named| !marks.has(named));
        let mut needed: Vec<&mut Named> = needed.collect();
        let lexicons = analyse(table, &mut needed, 0);
        Prepared { steps, lexicons }
    }
}

/// Takes what was forgotten out of what stands above notes. Those that had some are read again.
fn clear_titles(marks: &Marks, source: &str, notes: &mut [Named]) {
    if marks.is_empty() {
        return;
    }
    let gone = notes.iter().filter(|named| marks.has(named));
    let mut titles = Titles::new(marks);
    titles.go_on(gone);
    let left: Vec<_> = notes.iter().map(|named| titles.without(source, named)).collect();
    for (named, left) in notes.iter_mut().zip(left) {
        if let Some(who) = left {
            (named.note.who, named.read) = (who, None);
        }
    }
}

/// A transaction that writes.
pub(super) struct Writer<'a> {
    db: &'a Connection,
    table: &'a Embeddings<'a>,
    words: &'a mut Words,
    marks: &'a Marks,
    facts: Facts,
    done: Synced,
    /// For each lexicon the library's numbers.
    lexicons: Vec<Rc<[u32]>>,
    postings: Numbered<Vec<Posting>>,
    rows: Vec<Pending>,
    tail: columns::Tail,
    block: Block,
    press: Press,
    languages: HashMap<&'static str, i64>,
    sources: HashMap<String, Source>,
    people: HashMap<String, Person>,
    /// Words that lost their last note. A note that comes later may say them again.
    emptied: Vec<(u32, Box<str>)>,
    /// Words that lost a note, which may have been the one that spelled them so.
    unsure: Vec<(u32, Box<str>)>,
}

/// Whose notes come and go, and how many more they are.
struct Person {
    id: u32,
    more: i64,
}

/// An event by its number, and which part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Event(u64, u32);

impl Event {
    fn of(label: &Label) -> Option<Event> {
        if let Label::Event(number, part) = label { Some(Event(*number, *part)) } else { None }
    }
}

/// A row that is not written yet, because the note after it may come with it.
struct Pending {
    place: u32,
    row: Row,
    reading: reading::Reading,
    words: Rc<[u32]>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        db: &'a Connection,
        table: &'a Embeddings<'a>,
        words: &'a mut Words,
        marks: &'a Marks,
        facts: Facts,
    ) -> Result<Self, LibraryError> {
        Ok(Writer {
            tail: columns::Tail::last(db, facts.next_place)?,
            block: texts::last(db)?,
            press: Press::default(),
            db,
            table,
            words,
            marks,
            facts,
            done: Synced::default(),
            lexicons: Vec::new(),
            postings: Numbered::default(),
            rows: Vec::new(),
            languages: HashMap::new(),
            sources: HashMap::new(),
            people: HashMap::new(),
            emptied: Vec::new(),
            unsure: Vec::new(),
        })
    }

    /// Gives the words of lexicons the numbers of the library.
    pub(super) fn take(&mut self, lexicons: &[Lexicon]) -> Result<(), LibraryError> {
        for lexicon in lexicons {
            let mut numbers = Vec::with_capacity(lexicon.terms.len());
            for (term, spelling) in &lexicon.terms {
                numbers.push(self.words.number(self.db, &mut self.facts, term, spelling)?);
            }
            self.lexicons.push(numbers.into());
        }
        Ok(())
    }

    /// Does a step, unless somebody else was faster: whether it was done.
    pub(super) fn step(&mut self, step: Step) -> Result<bool, LibraryError> {
        let Step { source, scope, given, how, mut notes, apart, since, .. } = step;
        if let Since::Stamp(since) = since {
            let now = match self.sources.get(&source) {
                Some(known) => known.stamp.clone(),
                None => find_source(self.db, &source)?.and_then(|source| source.stamp),
            };
            if now != since {
                return Ok(false);
            }
        }
        // The list is only sure when there is a lock.
        clear_titles(self.marks, &source, &mut notes);
        match how {
            How::Extend(stamp) => {
                self.open(&source, &scope, given, stamp)?;
                self.extend(&source, notes, apart)?;
            }
            How::Replace(stamp) => {
                self.open(&source, &scope, given, stamp)?;
                self.replace(&source, notes, apart)?;
            }
        }
        Ok(true)
    }

    fn extend(
        &mut self,
        source: &str,
        mut notes: Vec<Named>,
        apart: bool,
    ) -> Result<(), LibraryError> {
        self.read(notes.iter_mut())?;
        let newest = self.last_event(source)?;
        for named in notes {
            // An event that is given twice is there once.
            let is_there =
                |newest: &Event| Event::of(&named.label).is_some_and(|own| own <= *newest);
            if newest.as_ref().is_some_and(is_there) {
                continue;
            }
            let links = self.source(source)?.next(&named.note, apart);
            if self.marks.has(&named) {
                continue;
            }
            let place = self.add(source, named, links)?;
            if let Some(before) = links.before {
                self.link_after(before, place, links.begins)?;
            }
        }
        Ok(())
    }

    /// The last event that is there of a source.
    fn last_event(&mut self, source: &str) -> Result<Option<Event>, LibraryError> {
        let Some(last) = self.source(source)?.last else { return Ok(None) };
        let pending = self.rows.binary_search_by_key(&last, |row| row.place);
        let label = match pending {
            Ok(at) => Some(self.rows[at].row.label.clone()),
            Err(_) => rows::row(self.db, last)?.map(|row| row.label),
        };
        Ok(label.as_ref().and_then(Event::of))
    }

    /// Links a note to the one after it, which may begin another talk.
    fn link_after(&mut self, before: u32, place: u32, begins: bool) -> Result<(), LibraryError> {
        let link = |row: &mut Row| (row.links.after, row.links.ends) = (Some(place), begins);
        match self.rows.binary_search_by_key(&before, |row| row.place) {
            Ok(at) => {
                link(&mut self.rows[at].row);
                Ok(())
            }
            Err(_) => rows::relink(self.db, before, link),
        }
    }

    /// Puts a note in, which is the last of its source.
    fn add(&mut self, source: &str, named: Named, links: Links) -> Result<u32, LibraryError> {
        let id = self.source(source)?.id;
        let place = self.put(id, named, links)?;
        self.source(source)?.goes_on(place, links.spot);
        Ok(place)
    }

    /// Puts a note of a source in.
    fn put(&mut self, source: u32, named: Named, links: Links) -> Result<u32, LibraryError> {
        let Named { label, handle, note, read, .. } = named;
        let Some(Read { lexicon, found }) = read else {
            return Err(LibraryError::Malformed("a note was not read"));
        };
        let words = self.lexicons[lexicon].clone();
        let place = self.facts.next_place;
        self.facts.next_place =
            place.checked_add(1).ok_or(LibraryError::Malformed("there are too many notes"))?;
        let who = self.person(&note.who, 1)?;
        let cell = Cell {
            sketch: found.reading.vector.sketch(),
            sizes: packed::sizes(&found.reading.vector),
            length: u16::try_from(found.reading.length).unwrap_or(u16::MAX),
            source,
            handle,
        };
        self.tail.push(self.db, place, cell)?;
        self.block.push(self.db, &mut self.press, place, &note.text)?;
        for (word, (body, head)) in &found.counts {
            let posting = Posting { place, body: *body, head: *head };
            self.postings.entry(words[*word as usize]).or_default().push(posting);
        }
        let row = Row {
            links,
            label,
            at: note.time,
            who,
            voice: note.voice,
            trust: note.trust,
            trace: trace(first_line(&note.text)),
            flags: packed::flags(&found.reading),
        };
        self.facts.notes += 1;
        self.facts.length += i64::from(found.reading.length);
        *self.languages.entry(found.language.code()).or_default() += 1;
        self.done.added += 1;
        self.rows.push(Pending { place, row, reading: found.reading, words });
        Ok(place)
    }

    /// The number of somebody, of whom so many notes come.
    fn person(&mut self, name: &str, more: i64) -> Result<u32, LibraryError> {
        if let Some(person) = self.people.get_mut(name) {
            person.more += more;
            return Ok(person.id);
        }
        let id = rows::number_person(self.db, name)?;
        self.people.insert(name.to_owned(), Person { id, more });
        Ok(id)
    }

    /// Writes what has been gathered.
    fn flush(&mut self) -> Result<(), LibraryError> {
        for Pending { place, row, reading, words } in self.rows.drain(..) {
            let data = row.write(place, &reading, |word| words[word as usize]);
            rows::insert(self.db, place, &data)?;
        }
        let mut lists: Vec<(u32, Vec<Posting>)> = self.postings.drain().collect();
        lists.sort_unstable_by_key(|(word, _)| *word);
        let mut appending = Appending::to(self.db)?;
        for (word, list) in &lists {
            let new = self.words.take_new(*word);
            appending.append(*word, new.as_deref(), list)?;
        }
        self.tail.save(self.db)?;
        self.block.save(self.db, &mut self.press)?;
        self.save_sources()
    }

    /// Writes everything that is left, and how things stand after it.
    pub(super) fn finish(mut self) -> Result<(Facts, Synced), LibraryError> {
        self.flush()?;
        self.words.drop_new(self.db)?;
        for (word, term) in std::mem::take(&mut self.emptied) {
            match postings::drop_empty(self.db, word)? {
                true => self.words.drop(self.db, &mut self.facts, word, &term)?,
                // A note that came since says it, perhaps otherwise.
                false => self.unsure.push((word, term)),
            }
        }
        self.spell_anew()?;
        let sql = "INSERT INTO languages (code, notes) VALUES (?1, ?2) ON CONFLICT (code) DO UPDATE SET notes = notes + ?2";
        let mut language = self.db.prepare_cached(sql)?;
        for (code, notes) in &self.languages {
            language.execute((code, notes))?;
        }
        for Person { id, more } in self.people.values() {
            rows::count_person(self.db, *id, *more)?;
        }
        self.facts.changes += 1;
        self.facts.cut_log(self.db)?;
        self.facts.save(self.db)?;
        Ok((self.facts, self.done))
    }
}
