//! Taking notes out: of the rows, the texts, the sketches, and the list of every word they say.

use louver_recall::reading;

use super::{Writer, find_source};
use crate::library::analyse::{Lexicon, to_read};
use crate::library::error::LibraryError;
use crate::library::facts::Event;
use crate::library::names::Label;
use crate::library::rows::{self, Links};
use crate::library::{columns, postings, senses, texts};
use crate::notes::Note;

impl Writer<'_> {
    pub(super) fn remove_source(&mut self, name: &str) -> Result<(), LibraryError> {
        self.flush()?;
        self.sources.remove(name);
        let Some(source) = find_source(self.db, name)? else { return Ok(()) };
        let chain = rows::chain(self.db, source.last)?;
        self.remove_all(chain.into_iter().map(|(place, _)| place))?;
        self.db.prepare_cached("DELETE FROM sources WHERE id = ?")?.execute([source.id])?;
        Ok(())
    }

    /// Takes the note at a place out, the copies of it, and the lines of its file that say the same.
    pub(in crate::library) fn forget(
        &mut self,
        place: u32,
        copies: &[u32],
        source: &str,
        note: &Note,
    ) -> Result<(), LibraryError> {
        self.remove(place, Relink::Yes)?;
        copies.iter().try_for_each(|copy| self.remove(*copy, Relink::Yes))?;
        let label = Label::of(source, &note.place);
        if matches!(label, Label::Line(_)) {
            let last = find_source(self.db, source)?.and_then(|source| source.last);
            for (other, _) in rows::chain(self.db, last)? {
                let text = texts::text(self.db, other)?.unwrap_or_default();
                if label.plain(&text) == label.plain(&note.text) {
                    self.remove(other, Relink::Yes)?;
                }
            }
        }
        self.read_ends()
    }

    /// Takes out notes whose neighbours go too, or are linked anew.
    pub(super) fn remove_all(
        &mut self,
        mut places: impl Iterator<Item = u32>,
    ) -> Result<(), LibraryError> {
        places.try_for_each(|place| self.remove(place, Relink::No))?;
        self.read_ends()
    }

    /// Reads the blocks that grow again: what was read of them may be what was just taken out.
    fn read_ends(&mut self) -> Result<(), LibraryError> {
        self.block = texts::last(self.db)?;
        self.tail = columns::Tail::last(self.db, self.facts.next_place)?;
        Ok(())
    }

    /// Takes a note out: its row, text, sketch, and its place in the list of every word it says.
    fn remove(&mut self, place: u32, relink: Relink) -> Result<(), LibraryError> {
        let (Some(mut note), Some(row)) = (rows::note(self.db, place)?, rows::row(self.db, place)?)
        else {
            return Ok(());
        };
        let mut lexicon = Lexicon::default();
        let found = reading::read(&to_read(&mut note), self.table, |term, spelling| {
            lexicon.number(term, spelling)
        });
        for (number, _) in &found.counts {
            let (term, _) = &lexicon.terms[*number as usize];
            let Some(word) = self.words.find(self.db, term)? else { continue };
            if postings::remove(self.db, word, place)? {
                self.emptied.push((word, term.clone()));
            }
        }
        if relink == Relink::Yes {
            self.close_gap(place, &row.links)?;
        }
        texts::remove(self.db, &mut self.press, place)?;
        columns::remove(self.db, place)?;
        rows::delete(self.db, place)?;
        senses::remove(self.db, place)?;
        self.facts.notes = self.facts.notes.saturating_sub(1);
        self.facts.length -= i64::from(found.reading.length);
        *self.languages.entry(found.language.code()).or_default() -= 1;
        self.facts.log(self.db, Event::Removed(place))?;
        self.done.removed += 1;
        Ok(())
    }

    fn close_gap(&mut self, place: u32, links: &Links) -> Result<(), LibraryError> {
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

/// Whether the neighbours of a note that is taken out are linked to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relink {
    Yes,
    /// The whole source is chained anew, or goes.
    No,
}
