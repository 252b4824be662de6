//! A source whose notes are given anew: what says the same stays where it is, and is not read again.

use std::collections::{HashMap, VecDeque};

use xxhash_rust::xxh3::Xxh3;

use super::Writer;
use crate::library::analyse::analyse;
use crate::library::error::LibraryError;
use crate::library::names::{Label, Named};
use crate::library::rows::{self, Links};
use crate::notes::{Note, When};

impl Writer<'_> {
    /// These notes are all there is of the source.
    pub(super) fn replace(
        &mut self,
        source: &str,
        notes: Vec<Named>,
        apart: bool,
    ) -> Result<(), LibraryError> {
        let Some(last) = self.source(source)?.begin_anew() else {
            return self.extend(source, notes, apart);
        };
        self.flush()?;
        let mut there: HashMap<u64, VecDeque<u32>> = HashMap::new();
        for (place, row) in rows::chain(self.db, Some(last))?.into_iter().rev() {
            let note =
                rows::note(self.db, place)?.ok_or(LibraryError::Malformed("a note is missing"))?;
            there.entry(print(&row.label, &note)).or_default().push_back(place);
        }
        let mut notes: Vec<(Named, Option<u32>)> = notes
            .into_iter()
            .map(|named| {
                let known = there.get_mut(&print(&named.label, &named.note));
                let stays = known.filter(|_| !self.marks.has(&named));
                let place = stays.and_then(VecDeque::pop_front);
                (named, place)
            })
            .collect();
        self.remove_all(there.into_values().flatten().collect())?;
        let new = notes.iter_mut().filter(|(_, place)| place.is_none());
        self.read(new.map(|(named, _)| named))?;
        self.chain(source, notes, apart)
    }

    /// Reads notes that were not read before there was a lock: it was not known that they are needed, or they were
    /// forgotten until then.
    pub(super) fn read<'n>(
        &mut self,
        notes: impl Iterator<Item = &'n mut Named>,
    ) -> Result<(), LibraryError> {
        let marks = self.marks;
        let unread = notes.filter(|named| named.read.is_none() && !marks.has(named));
        let mut unread: Vec<&mut Named> = unread.collect();
        if unread.is_empty() {
            return Ok(());
        }
        let lexicons = analyse(self.table, &mut unread, self.lexicons.len());
        self.take(&lexicons)
    }

    /// Puts notes in one after the other; those that are there get their new places in the chain.
    fn chain(
        &mut self,
        source: &str,
        notes: Vec<(Named, Option<u32>)>,
        apart: bool,
    ) -> Result<(), LibraryError> {
        let mut stays: Vec<(u32, Links, Label)> = Vec::new();
        let mut after: HashMap<u32, (u32, bool)> = HashMap::new();
        for (named, place) in notes {
            let links = self.source(source)?.next(&named.note, apart);
            if self.marks.has(&named) {
                continue;
            }
            let place = match place {
                Some(place) => {
                    self.source(source)?.goes_on(place, links.spot);
                    stays.push((place, links, named.label));
                    place
                }
                None => self.add(source, named, links)?,
            };
            if let Some(before) = links.before {
                after.insert(before, (place, links.begins));
            }
        }
        for pending in &mut self.rows {
            if let Some((after, begins)) = after.get(&pending.place) {
                (pending.row.links.after, pending.row.links.ends) = (Some(*after), *begins);
            }
        }
        self.flush()?;
        for (place, links, label) in stays {
            let (after, ends) = after.get(&place).copied().unzip();
            let links = Links { after, ends: ends.unwrap_or(false), ..links };
            rows::relink(self.db, place, |row| (row.links, row.label) = (links, label))?;
        }
        Ok(())
    }
}

/// What tells a note of a source from another. A line that moves is the same note.
fn print(label: &Label, note: &Note) -> u64 {
    let place = if matches!(label, Label::Line(..)) { "" } else { note.place.as_str() };
    let at = note.time.map_or(i64::MIN, When::seconds);
    let mut hash = Xxh3::new();
    for part in [place, &note.text, &note.who] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(&at.to_le_bytes());
    hash.update(&[note.voice as u8, note.trust as u8]);
    hash.digest()
}
