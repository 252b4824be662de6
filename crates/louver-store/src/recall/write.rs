//! Putting notes in and taking them out, in transactions that are short and whole.

use std::collections::{HashMap, HashSet};

use louver_recall::embed::Embeddings;
use louver_recall::note::Note;
use louver_recall::reading::{self, Found};
use rusqlite::{Connection, OptionalExtension as _};

use super::analyse::{Analysed, analyse};
use super::columns::{self, Cell};
use super::entry::Named;
use super::error::Fault;
use super::facts::{Event, Facts};
use super::packed;
use super::postings::{self, Posting};
use super::rows::{self, Kinds, Links, Row, Table};
use super::texts::{self, Block};
use super::words::Words;

/// What is to happen to a source in one transaction.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) source: String,
    pub(super) how: How,
    pub(super) entries: Vec<Named>,
}

/// How a source changes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The entries come after those that are there. Without a stamp more of them follow.
    Extend(Option<String>),
    /// The entries are all there is.
    Replace(String),
    /// Nothing of it stays.
    Remove,
}

/// What indexing did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Indexed {
    /// Notes that were put in.
    pub added: usize,
    /// Notes that were taken out.
    pub removed: usize,
    /// Notes that were there and stayed.
    pub kept: usize,
    /// Notes that were not put in because they are to be forgotten.
    pub forgotten: usize,
}

/// Readings by the id of their notes, and the lexicons they refer to.
pub(super) struct Readings {
    parts: Vec<(Analysed, Vec<u64>)>,
}

impl Readings {
    /// Reads the entries that will be needed, as far as can be told before there is a lock.
    pub(super) fn foresee(
        db: &Connection,
        table: &Embeddings<'static>,
        steps: &[Step],
        marks: &HashSet<u64>,
    ) -> Result<Self, Fault> {
        let mut needed: Vec<&Named> = Vec::new();
        for step in steps {
            let known = find_source(db, &step.source)?.is_some();
            for named in &step.entries {
                let is_there = known
                    && rows::place(db, named.id)?.is_some_and(|(_, print)| print == named.print);
                if !is_there && !marks.contains(&named.mark) {
                    needed.push(named);
                }
            }
        }
        Ok(Readings::of(table, &needed))
    }

    fn of(table: &Embeddings<'static>, needed: &[&Named]) -> Self {
        let mut ids = needed.iter().map(|named| named.id);
        let parts = analyse(table, needed).into_iter();
        Readings {
            parts: parts
                .map(|part| {
                    let own = ids.by_ref().take(part.found.len()).collect();
                    (part, own)
                })
                .collect(),
        }
    }
}

/// Takes the readings apart into what the library needs: words with its own numbers.
struct Read {
    found: Found,
    /// The library's numbers, by those of the lexicon.
    words: std::rc::Rc<Vec<u32>>,
}

/// A transaction that writes.
pub(super) struct Writer<'a> {
    db: &'a Connection,
    table: &'a Embeddings<'static>,
    words: &'a mut Words,
    marks: &'a HashSet<u64>,
    facts: Facts,
    done: Indexed,
    read: HashMap<u64, Read>,
    postings: HashMap<u32, Vec<Posting>>,
    rows: Vec<Row>,
    /// The places and prints of `rows`, by id.
    pending: HashMap<u64, (u32, u32)>,
    tail: columns::Tail,
    block: Block,
    languages: HashMap<&'static str, i64>,
    sessions: HashMap<(i64, String), Session>,
    people: HashMap<String, i64>,
    scopes: HashMap<String, i64>,
    out: Vec<u8>,
}

/// The end of a session's chain.
#[derive(Clone, Copy, Debug)]
struct Session {
    id: i64,
    last: Option<u32>,
    /// How many entries it was given, those that are to be forgotten included.
    counted: u32,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        db: &'a Connection,
        table: &'a Embeddings<'static>,
        words: &'a mut Words,
        marks: &'a HashSet<u64>,
        facts: Facts,
    ) -> Result<Self, Fault> {
        Ok(Writer {
            tail: columns::Tail::last(db, facts.next_place)?,
            block: texts::last(db)?,
            db,
            table,
            words,
            marks,
            facts,
            done: Indexed::default(),
            read: HashMap::new(),
            postings: HashMap::new(),
            rows: Vec::new(),
            pending: HashMap::new(),
            languages: HashMap::new(),
            sessions: HashMap::new(),
            people: HashMap::new(),
            scopes: HashMap::new(),
            out: Vec::new(),
        })
    }

    /// Gives the words of readings the numbers of the library.
    pub(super) fn take(&mut self, readings: Readings) -> Result<(), Fault> {
        for (part, ids) in readings.parts {
            let mut words = Vec::with_capacity(part.lexicon.terms.len());
            for (term, spelling) in &part.lexicon.terms {
                words.push(self.words.number(self.db, &mut self.facts, term, spelling)?);
            }
            let words = std::rc::Rc::new(words);
            for (id, found) in ids.into_iter().zip(part.found) {
                self.read.insert(id, Read { found, words: words.clone() });
            }
        }
        Ok(())
    }

    pub(super) fn step(&mut self, step: &Step) -> Result<(), Fault> {
        match &step.how {
            How::Extend(stamp) => {
                let source = self.source(&step.source, stamp.as_deref())?;
                self.extend(source, &step.entries)
            }
            How::Replace(stamp) => {
                let source = self.source(&step.source, Some(stamp))?;
                self.replace(source, &step.entries)
            }
            How::Remove => self.remove_source(&step.source),
        }
    }

    fn extend(&mut self, source: i64, entries: &[Named]) -> Result<(), Fault> {
        for named in entries {
            if self.marks.contains(&named.mark) {
                self.session(source, &named.entry.session)?.counted += 1;
                self.done.forgotten += 1;
                continue;
            }
            match self.there(named.id)? {
                Some((_, print)) if print == named.print => {
                    self.done.kept += 1;
                    continue;
                }
                Some((place, _)) => {
                    self.flush()?;
                    self.remove(place, Relink::Yes)?;
                }
                None => (),
            }
            let session = *self.session(source, &named.entry.session)?;
            let place = self.add(
                named,
                Links {
                    session: session.id,
                    position: session.counted,
                    before: session.last,
                    after: None,
                    locator: named.entry.locator,
                },
            )?;
            if let Some(before) = session.last {
                self.link_after(before, place)?;
            }
            let session = self.session(source, &named.entry.session)?;
            session.last = Some(place);
            session.counted += 1;
        }
        Ok(())
    }

    /// A note that is in the database, or about to be.
    fn there(&self, id: u64) -> Result<Option<(u32, u32)>, Fault> {
        match self.pending.get(&id) {
            Some(there) => Ok(Some(*there)),
            None => rows::place(self.db, id),
        }
    }

    fn link_after(&mut self, before: u32, place: u32) -> Result<(), Fault> {
        match self.rows.binary_search_by_key(&before, |row| row.place) {
            Ok(at) => {
                self.rows[at].links.after = Some(place);
                Ok(())
            }
            Err(_) => rows::set_after(self.db, before, Some(place)),
        }
    }

    fn replace(&mut self, source: i64, entries: &[Named]) -> Result<(), Fault> {
        self.flush()?;
        let wanted: HashMap<u64, u32> = entries
            .iter()
            .filter(|named| !self.marks.contains(&named.mark))
            .map(|named| (named.id, named.print))
            .collect();
        let mut there = HashMap::new();
        for (place, id, print) in rows::of_source(self.db, source)? {
            if wanted.get(&id) == Some(&print) {
                there.insert(id, place);
            } else {
                self.remove(place, Relink::No)?;
            }
        }
        self.sessions.retain(|(of, _), _| *of != source);
        self.db.prepare_cached("DELETE FROM sessions WHERE source = ?")?.execute([source])?;
        self.chain(source, entries, &there)
    }

    /// Puts entries in one after the other; those that are there get their new places in the chain.
    fn chain(
        &mut self,
        source: i64,
        entries: &[Named],
        there: &HashMap<u64, u32>,
    ) -> Result<(), Fault> {
        let mut links: Vec<(u32, Links)> = Vec::new();
        let mut lasts: HashMap<i64, usize> = HashMap::new();
        for named in entries {
            let session = self.session(source, &named.entry.session)?;
            let (id, position) = (session.id, session.counted);
            session.counted += 1;
            if self.marks.contains(&named.mark) {
                self.done.forgotten += 1;
                continue;
            }
            let before = lasts.get(&id).map(|at| links[*at].0);
            let mut own =
                Links { session: id, position, before, after: None, locator: named.entry.locator };
            let place = match there.get(&named.id) {
                Some(place) => {
                    self.done.kept += 1;
                    *place
                }
                None => self.add(named, own)?,
            };
            if let Some(before) = lasts.insert(id, links.len()) {
                links[before].1.after = Some(place);
            }
            own.after = None;
            links.push((place, own));
            self.session(source, &named.entry.session)?.last = Some(place);
        }
        self.flush()?;
        links.iter().try_for_each(|(place, links)| rows::relink(self.db, *place, links))
    }

    fn add(&mut self, named: &Named, links: Links) -> Result<u32, Fault> {
        if !self.read.contains_key(&named.id) {
            // Another process changed something since it was foreseen what would be needed.
            self.take(Readings::of(self.table, &[named]))?;
        }
        let Some(Read { found, words }) = self.read.remove(&named.id) else {
            return Err(Fault::Malformed("a note was not read"));
        };
        let place = self.facts.next_place;
        self.facts.next_place =
            place.checked_add(1).ok_or(Fault::Malformed("there are too many notes"))?;
        let entry = &named.entry;
        let (who, scope) = (self.person(&entry.who)?, self.scope(&entry.scope)?);
        let cell = Cell {
            sketch: found.reading.vector.sketch(),
            length: u16::try_from(found.reading.length).unwrap_or(u16::MAX),
            scope: u32::try_from(scope)
                .map_err(|_| Fault::Malformed("there are too many scopes"))?,
        };
        self.tail.push(self.db, place, &cell)?;
        self.block.push(self.db, place, &entry.text)?;
        for (word, (body, head)) in &found.counts {
            let word = words[*word as usize];
            self.postings.entry(word).or_default().push(Posting {
                place,
                body: *body,
                head: *head,
            });
        }
        self.rows.push(Row {
            place,
            id: named.id,
            links,
            at: entry.at.map(rows::seconds),
            who,
            kinds: Kinds {
                voice: entry.voice,
                trust: entry.trust,
                alone: entry.session.is_empty(),
            },
            print: named.print,
            reading: packed::pack(&found.reading, |word| words[word as usize]),
        });
        self.pending.insert(named.id, (place, named.print));
        self.facts.notes += 1;
        self.facts.length += i64::from(found.reading.length);
        *self.languages.entry(found.language.code()).or_default() += 1;
        self.done.added += 1;
        Ok(place)
    }

    fn person(&mut self, name: &str) -> Result<i64, Fault> {
        number(self.db, Table::People, &mut self.people, name)
    }

    fn scope(&mut self, name: &str) -> Result<i64, Fault> {
        number(self.db, Table::Scopes, &mut self.scopes, name)
    }

    /// The number of a source, and its stamp set.
    fn source(&mut self, name: &str, stamp: Option<&str>) -> Result<i64, Fault> {
        let sql = "INSERT INTO sources (name, stamp) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET stamp = excluded.stamp RETURNING id";
        Ok(self.db.prepare_cached(sql)?.query_row((name, stamp), |row| row.get(0))?)
    }

    fn session(&mut self, source: i64, name: &str) -> Result<&mut Session, Fault> {
        let key = (source, name.to_owned());
        if !self.sessions.contains_key(&key) {
            let mut found = self.db.prepare_cached(
                "SELECT id, last, counted FROM sessions WHERE source = ? AND name = ?",
            )?;
            let read = |row: &rusqlite::Row<'_>| {
                Ok(Session { id: row.get(0)?, last: row.get(1)?, counted: row.get(2)? })
            };
            let session = match found.query_row((source, name), read).optional()? {
                Some(session) => session,
                None => {
                    let sql = "INSERT INTO sessions (source, name, counted) VALUES (?, ?, 0)";
                    Session {
                        id: self.db.prepare_cached(sql)?.insert((source, name))?,
                        last: None,
                        counted: 0,
                    }
                }
            };
            self.sessions.insert(key.clone(), session);
        }
        self.sessions.get_mut(&key).ok_or(Fault::Malformed("a session was not found"))
    }

    fn remove_source(&mut self, name: &str) -> Result<(), Fault> {
        self.flush()?;
        let Some(source) = find_source(self.db, name)? else { return Ok(()) };
        for (place, ..) in rows::of_source(self.db, source)? {
            self.remove(place, Relink::No)?;
        }
        self.sessions.retain(|(of, _), _| *of != source);
        self.db.prepare_cached("DELETE FROM sessions WHERE source = ?")?.execute([source])?;
        self.db.prepare_cached("DELETE FROM sources WHERE id = ?")?.execute([source])?;
        Ok(())
    }

    /// Takes the note with an id out, if it is there.
    pub(super) fn remove_note(&mut self, id: u64) -> Result<(), Fault> {
        match rows::place(self.db, id)? {
            Some((place, _)) => self.remove(place, Relink::Yes),
            None => Ok(()),
        }
    }

    /// Takes a note out: its row, text, sketch, and its place in the list of every word it says.
    fn remove(&mut self, place: u32, relink: Relink) -> Result<(), Fault> {
        let Some(kept) = rows::kept(self.db, place)? else { return Ok(()) };
        let links = rows::links(self.db, place)?;
        let entry = &kept.entry;
        let note = Note {
            id: kept.id,
            text: entry.text.clone(),
            who: entry.who.clone(),
            voice: entry.voice,
            session: String::new(),
            at: entry.at,
        };
        let mut terms: Vec<Box<str>> = Vec::new();
        let mut numbers: HashMap<Box<str>, u32> = HashMap::new();
        let found = reading::read(&note, self.table, |term, _| {
            *numbers.entry(term.into()).or_insert_with(|| {
                terms.push(term.into());
                terms.len() as u32 - 1
            })
        });
        for (number, _) in &found.counts {
            let term = &terms[*number as usize];
            let Some(word) = self.words.find(self.db, term)? else { continue };
            if postings::remove(self.db, word, place, &mut self.out)? {
                self.words.drop(self.db, &mut self.facts, word, term)?;
            }
        }
        texts::remove(self.db, place)?;
        columns::remove(self.db, place)?;
        rows::delete(self.db, place)?;
        if relink == Relink::Yes {
            self.close_gap(place, &links)?;
        }
        // What was read of them may be what was just taken out.
        self.block = texts::last(self.db)?;
        self.tail = columns::Tail::last(self.db, self.facts.next_place)?;
        self.facts.notes = self.facts.notes.saturating_sub(1);
        self.facts.length -= i64::from(found.reading.length);
        *self.languages.entry(found.language.code()).or_default() -= 1;
        self.facts.log(self.db, Event::Removed(place))?;
        self.done.removed += 1;
        Ok(())
    }

    fn close_gap(&mut self, place: u32, links: &Links) -> Result<(), Fault> {
        if let Some(before) = links.before {
            rows::set_after(self.db, before, links.after)?;
        }
        match links.after {
            Some(after) => rows::set_before(self.db, after, links.before)?,
            None => {
                self.db
                    .prepare_cached("UPDATE sessions SET last = ? WHERE id = ?")?
                    .execute((links.before, links.session))?;
                let ends = self.sessions.values_mut().filter(|session| session.last == Some(place));
                ends.for_each(|session| session.last = links.before);
            }
        }
        Ok(())
    }

    /// Writes what has been gathered.
    fn flush(&mut self) -> Result<(), Fault> {
        self.pending.clear();
        for row in self.rows.drain(..) {
            rows::insert(self.db, &row)?;
        }
        let mut lists: Vec<(u32, Vec<Posting>)> = self.postings.drain().collect();
        lists.sort_unstable_by_key(|(word, _)| *word);
        for (word, list) in &lists {
            postings::append(self.db, *word, list, &mut self.out)?;
        }
        self.tail.save(self.db)?;
        self.block.save(self.db)?;
        let mut end =
            self.db.prepare_cached("UPDATE sessions SET last = ?, counted = ? WHERE id = ?")?;
        for session in self.sessions.values() {
            end.execute((session.last, session.counted, session.id))?;
        }
        Ok(())
    }

    /// Writes everything that is left, and how things stand after it.
    pub(super) fn finish(mut self) -> Result<(Facts, Indexed), Fault> {
        self.flush()?;
        let sql = "INSERT INTO languages (code, notes) VALUES (?1, ?2) ON CONFLICT (code) DO UPDATE SET notes = notes + ?2";
        let mut language = self.db.prepare_cached(sql)?;
        for (code, notes) in &self.languages {
            language.execute((code, notes))?;
        }
        self.facts.changes += 1;
        self.facts.cut_log(self.db)?;
        self.facts.save(self.db)?;
        Ok((self.facts, self.done))
    }
}

/// Whether the neighbours of a note that is taken out are linked to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relink {
    Yes,
    /// The whole source is chained anew, or goes.
    No,
}

fn number(
    db: &Connection,
    table: Table,
    known: &mut HashMap<String, i64>,
    name: &str,
) -> Result<i64, Fault> {
    if let Some(id) = known.get(name) {
        return Ok(*id);
    }
    let id = rows::number_name(db, table, name)?;
    known.insert(name.to_owned(), id);
    Ok(id)
}

/// The number of a source.
pub(super) fn find_source(db: &Connection, name: &str) -> Result<Option<i64>, Fault> {
    let mut found = db.prepare_cached("SELECT id FROM sources WHERE name = ?")?;
    Ok(found.query_row([name], |row| row.get(0)).optional()?)
}
