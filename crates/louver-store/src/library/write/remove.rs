//! Taking notes out: of the rows, the texts, the sketches, and the list of every word they say.
//!
//! Which words a note says is not kept with it, so it is read again, many at a time: then each list and each block
//! of texts is written once for all of them. Sources that are gone lose their notes from the end, some in each
//! transaction, so that nobody waits long and whoever is interrupted goes on where it was.

use std::collections::VecDeque;

use louver_recall::embed::Embeddings;
use louver_recall::maps::Numbered;
use rusqlite::Connection;

use super::Writer;
use super::source::find_source;
use crate::library::analyse::{Lexicon, Read, analyse};
use crate::library::error::LibraryError;
use crate::library::facts::{Event, Facts};
use crate::library::forgotten::Marks;
use crate::library::known::People;
use crate::library::names::Named;
use crate::library::rows::{self, Links, Row};
use crate::library::titles::Titles;
use crate::library::{columns, postings, senses, texts};

/// So many notes are taken out in one transaction. With fewer, lists would be written for each few notes that go.
pub(in crate::library) const REMOVED: usize = 8_192;

/// A source that is gone.
pub(in crate::library) struct Gone {
    pub(in crate::library) name: String,
    /// Its stamp. If it has another one by now, it came back.
    pub(in crate::library) stamp: Option<String>,
}

/// The last notes of a source.
#[derive(PartialEq, Eq, Debug)]
struct End {
    source: u32,
    places: Vec<u32>,
    /// The one before them, which is the last when they are gone.
    rest: Option<u32>,
}

impl End {
    /// Nothing when the source is not there any more, or came back.
    fn of(db: &Connection, gone: &Gone, most: usize) -> Result<Option<End>, LibraryError> {
        let found = find_source(db, &gone.name)?.filter(|source| source.stamp == gone.stamp);
        let Some(source) = found else { return Ok(None) };
        let (places, rest) = rows::chain_end(db, source.last, most)?;
        Ok(Some(End { source: source.id, places, rest }))
    }
}

/// What is taken out next: the ends of some sources, read.
pub(in crate::library) struct Removal {
    /// Places are those of other notes when all began anew.
    epoch: i64,
    ends: Vec<Option<End>>,
    outgoing: Outgoing,
}

impl Removal {
    /// Reads the notes that go next. No lock is needed, but nothing may be written meanwhile in the eyes of `db`.
    pub(in crate::library) fn read(
        db: &Connection,
        table: &Embeddings<'_>,
        gone: &VecDeque<Gone>,
    ) -> Result<Removal, LibraryError> {
        let (mut ends, mut places) = (Vec::new(), Vec::new());
        for gone in gone {
            if places.len() >= REMOVED {
                break;
            }
            let end = End::of(db, gone, REMOVED - places.len())?;
            places.extend(end.iter().flat_map(|end| &end.places));
            ends.push(end);
        }
        let (epoch, outgoing) = (Facts::read(db)?.epoch, Outgoing::read(db, table, places)?);
        Ok(Removal { epoch, ends, outgoing })
    }
}

/// Notes that go, read again for the words they say. They are in the order of their places.
struct Outgoing {
    notes: Vec<(u32, Named)>,
    lexicons: Vec<Lexicon>,
}

impl Outgoing {
    fn read(
        db: &Connection,
        table: &Embeddings<'_>,
        mut places: Vec<u32>,
    ) -> Result<Outgoing, LibraryError> {
        places.sort_unstable();
        places.dedup();
        let mut notes = Vec::with_capacity(places.len());
        for (place, text) in places.iter().zip(texts::all(db, &places)?) {
            let note = rows::note_that_says(db, *place, text)?;
            // What it is called does not matter any more.
            notes.extend(note.map(|note| (*place, Named::new("", note))));
        }
        let mut unread: Vec<&mut Named> = notes.iter_mut().map(|(_, named)| named).collect();
        let lexicons = analyse(table, &mut unread, 0);
        Ok(Outgoing { notes, lexicons })
    }
}

/// What some marks have.
pub(in crate::library) struct Fading {
    /// How things stood: the epoch, how often there had been a change, and the print of the marks.
    seen: (i64, i64, i64),
    /// The places of the notes.
    gone: Vec<u32>,
    /// Notes that have it as a title, without it.
    retitled: Vec<(u32, Named)>,
    /// The sources of both.
    names: Vec<String>,
}

impl Fading {
    /// Looks through all notes. No lock is needed, but nothing may be written meanwhile in the eyes of `db`.
    pub(in crate::library) fn find(db: &Connection, marks: &Marks) -> Result<Fading, LibraryError> {
        let Facts { epoch, changes, .. } = Facts::read(db)?;
        let (mut gone, mut retitled, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let (mut people, mut titles) = (People::default(), Titles::new(marks));
        for (source, last) in rows::ends(db)? {
            let before = gone.len() + retitled.len();
            let mut chain = rows::chain(db, Some(last))?;
            chain.sort_unstable_by_key(|(place, _)| *place);
            let places: Vec<u32> = chain.iter().map(|(place, _)| *place).collect();
            let (mut going, mut staying) = (Vec::new(), Vec::new());
            for ((place, row), text) in chain.iter().zip(texts::all(db, &places)?) {
                let who = people.name(db, row.who)?.to_owned();
                let named = Named::new(&source, row.note(&source, who, text));
                if marks.has(&named) { &mut going } else { &mut staying }.push((*place, named));
            }
            titles.go_on(going.iter().map(|(_, named)| named));
            for (place, mut named) in staying {
                if let Some(who) = titles.without(&source, &named) {
                    named.note.who = who;
                    retitled.push((place, named));
                }
            }
            gone.extend(going.iter().map(|(place, _)| *place));
            names.extend((gone.len() + retitled.len() > before).then_some(source));
        }
        Ok(Fading { seen: (epoch, changes, marks.print()), gone, retitled, names })
    }
}

impl Writer<'_> {
    /// How many notes went.
    pub(in crate::library) fn removed(&self) -> usize {
        usize::try_from(self.done.removed).unwrap_or(usize::MAX)
    }

    /// Takes the ends of sources out, and from `gone` those of which nothing is left. Whether nobody else was faster.
    pub(in crate::library) fn remove(
        &mut self,
        removal: Removal,
        gone: &mut VecDeque<Gone>,
    ) -> Result<bool, LibraryError> {
        let Removal { epoch, ends, outgoing } = removal;
        if self.facts.epoch != epoch {
            return Ok(false);
        }
        for (gone, read) in gone.iter().zip(&ends) {
            let most = read.as_ref().map_or(0, |end| end.places.len());
            if End::of(self.db, gone, most)? != *read {
                return Ok(false);
            }
        }
        self.take_out(outgoing)?;
        for end in ends {
            if let Some(End { source, rest: Some(rest), .. }) = end {
                // Should it come back before the rest is gone, it must be read whole.
                let sql = "UPDATE sources SET last = ?, stamp = NULL WHERE id = ?";
                self.db.prepare_cached(sql)?.execute((rest, source))?;
                let is_last = |row: &mut Row| (row.links.after, row.links.ends) = (None, false);
                rows::relink(self.db, rest, is_last)?;
                gone.iter_mut().take(1).for_each(|gone| gone.stamp = None);
                continue;
            }
            if let Some(End { source, .. }) = end {
                self.db.prepare_cached("DELETE FROM sources WHERE id = ?")?.execute([source])?;
            }
            gone.pop_front();
        }
        self.read_ends()?;
        Ok(true)
    }

    /// Takes out the notes that were found to go, and puts those in again that lose a title. The names of the sources that
    /// had something of it. Should somebody have written since, or the marks be others, all is looked through again.
    pub(in crate::library) fn forget(
        &mut self,
        fading: Fading,
        marks: &Marks,
    ) -> Result<Vec<String>, LibraryError> {
        let seen = (self.facts.epoch, self.facts.changes, marks.print());
        let fading = if fading.seen == seen { fading } else { Fading::find(self.db, marks)? };
        let Fading { mut gone, retitled, names, .. } = fading;
        gone.sort_unstable();
        gone.iter().try_for_each(|place| self.close_gap(*place))?;
        self.remove_all(gone)?;
        self.put_again(retitled)?;
        Ok(names)
    }

    /// Puts notes in again whose titles are other ones, where they stood. They get new places, as what changes does.
    fn put_again(&mut self, mut notes: Vec<(u32, Named)>) -> Result<(), LibraryError> {
        if notes.is_empty() {
            return Ok(());
        }
        notes.sort_unstable_by_key(|(place, _)| *place);
        self.read(notes.iter_mut().map(|(_, named)| named))?;
        let old: Vec<u32> = notes.iter().map(|(place, _)| *place).collect();
        let first = self.facts.next_place;
        let new = |place: u32| old.binary_search(&place).map_or(place, |at| first + at as u32);
        let moved = |links: &Links| Links {
            before: links.before.map(new),
            after: links.after.map(new),
            ..*links
        };
        for (place, named) in notes {
            let missing = || LibraryError::Malformed("a note is missing");
            let links = rows::row(self.db, place)?.ok_or_else(missing)?.links;
            let source = columns::cell(self.db, place)?.ok_or_else(missing)?.source;
            self.put(source, named, moved(&links))?;
            let beside = links.before.into_iter().chain(links.after);
            for stays in beside.filter(|beside| old.binary_search(beside).is_err()) {
                rows::relink(self.db, stays, |row| row.links = moved(&row.links))?;
            }
            self.db
                .prepare_cached("UPDATE sources SET last = ? WHERE last = ?")?
                .execute((new(place), place))?;
        }
        self.flush()?;
        self.remove_all(old)
    }

    /// Takes note that the list of what was forgotten with this print was gone by.
    pub(in crate::library) fn has_gone_by(&mut self, print: i64) -> Result<(), LibraryError> {
        self.db.execute("UPDATE facts SET list = ?", [print])?;
        Ok(())
    }

    /// Has all sources read again, whatever their stamps.
    pub(in crate::library) fn read_again(&mut self) -> Result<(), LibraryError> {
        self.db.execute("UPDATE sources SET stamp = NULL", [])?;
        Ok(())
    }

    /// Takes out notes whose neighbours go too, or are linked anew.
    pub(super) fn remove_all(&mut self, places: Vec<u32>) -> Result<(), LibraryError> {
        for some in places.chunks(REMOVED) {
            let outgoing = Outgoing::read(self.db, self.table, some.to_vec())?;
            self.take_out(outgoing)?;
        }
        self.read_ends()
    }

    /// Reads the blocks that grow again: what was read of them may be what was just taken out.
    fn read_ends(&mut self) -> Result<(), LibraryError> {
        self.block = texts::last(self.db)?;
        self.tail = columns::Tail::last(self.db, self.facts.next_place)?;
        Ok(())
    }

    /// Takes notes out: their rows, texts, sketches, and their places in the list of every word they say.
    fn take_out(&mut self, outgoing: Outgoing) -> Result<(), LibraryError> {
        let Outgoing { notes, lexicons } = outgoing;
        let mut terms: Numbered<&str> = Numbered::default();
        let mut numbers: Vec<Vec<Option<u32>>> = Vec::with_capacity(lexicons.len());
        for lexicon in &lexicons {
            let mut words = Vec::with_capacity(lexicon.terms.len());
            for (term, _) in &lexicon.terms {
                let word = self.words.find(self.db, term)?;
                terms.extend(word.map(|word| (word, &**term)));
                words.push(word);
            }
            numbers.push(words);
        }
        let (mut places, mut said) = (Vec::with_capacity(notes.len()), Vec::new());
        for (place, named) in notes {
            let Some(Read { lexicon, found }) = named.read else { continue };
            // Somebody else may have taken it out since it was read.
            if !rows::delete(self.db, place)? {
                continue;
            }
            let words =
                found.counts.iter().filter_map(|(word, _)| numbers[lexicon][*word as usize]);
            said.extend(words.map(|word| (word, place)));
            places.push(place);
            senses::remove(self.db, place)?;
            self.person(&named.note.who, -1)?;
            self.facts.notes = self.facts.notes.saturating_sub(1);
            self.facts.length -= i64::from(found.reading.length);
            *self.languages.entry(found.language.code()).or_default() -= 1;
            self.facts.log(self.db, Event::Removed(place))?;
            self.done.removed += 1;
        }
        texts::remove(self.db, &mut self.press, &places)?;
        columns::remove(self.db, &places)?;
        said.sort_unstable();
        for same in said.chunk_by(|(word, _), (other, _)| word == other) {
            let word = same[0].0;
            let places: Vec<u32> = same.iter().map(|(_, place)| *place).collect();
            let is_empty = postings::remove(self.db, word, &places)?;
            let all = if is_empty { &mut self.emptied } else { &mut self.unsure };
            all.extend(terms.get(&word).map(|term| (word, (*term).into())));
        }
        Ok(())
    }

    /// Links the neighbours of a note to each other.
    fn close_gap(&mut self, place: u32) -> Result<(), LibraryError> {
        let Some(row) = rows::row(self.db, place)? else { return Ok(()) };
        let links = row.links;
        if let Some(before) = links.before {
            rows::relink(self.db, before, |row| {
                row.links.after = links.after;
                row.links.ends |= links.ends;
            })?;
        }
        if let Some(after) = links.after {
            return rows::relink(self.db, after, |row| {
                row.links.before = links.before;
                row.links.begins |= links.begins;
            });
        }
        self.db
            .prepare_cached("UPDATE sources SET last = ? WHERE last = ?")?
            .execute((links.before, place))?;
        Ok(())
    }
}
