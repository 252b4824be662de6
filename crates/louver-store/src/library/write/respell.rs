//! How words are spelled when notes that said them are gone.
//!
//! The plainest spelling stands for a word, and that may have been one of a note that went. Which notes spell it how is
//! not kept, so some of those that are left are read again. Nearly always the first of them spells it as before.

use std::collections::HashMap;

use super::Writer;
use crate::library::analyse::{Lexicon, analyse};
use crate::library::error::LibraryError;
use crate::library::names::Named;
use crate::library::postings::{self, Spellings};
use crate::library::rows;

/// So many notes are read again in one transaction: others wait for it. What would take more stays as it is spelled.
const READ: usize = 256;
/// Of more words nothing is looked up: many notes went, and others wait.
const WORDS: usize = 1_024;

impl Writer<'_> {
    /// Spells words as the plainest of the notes has them that are left. All that comes in this transaction is there.
    pub(super) fn spell_anew(&mut self) -> Result<(), LibraryError> {
        if self.unsure.len() > WORDS {
            return Ok(());
        }
        let mut unsure: Vec<(u32, u32, Box<str>)> = Vec::new();
        for (word, term) in std::mem::take(&mut self.unsure) {
            let notes = postings::head(self.db, word)?.map_or(0, |head| head.notes);
            unsure.extend((notes > 0).then_some((notes, word, term)));
        }
        // Those that few notes say first: they take the least.
        unsure.sort_unstable();
        unsure.dedup();
        let mut read: HashMap<u32, Vec<Lexicon>> = HashMap::new();
        for (_, word, term) in unsure {
            let Some(stored) = Spellings::of(self.db)?.with(word, str::to_owned)? else { continue };
            let Some(plainest) = self.plainest(word, &term, &stored, &mut read)? else {
                return Ok(());
            };
            if plainest != stored {
                self.words.spell(self.db, &mut self.facts, word, &term, &plainest)?;
            }
        }
        Ok(())
    }

    /// The plainest spelling of a word in the notes that say it. Nothing where too many would have to be read.
    fn plainest(
        &self,
        word: u32,
        term: &str,
        stored: &str,
        read: &mut HashMap<u32, Vec<Lexicon>>,
    ) -> Result<Option<String>, LibraryError> {
        let (head, mut places) = (postings::head(self.db, word)?.unwrap_or_default(), Vec::new());
        postings::scan(self.db, word, &head, |posting| places.push(posting.place))?;
        places.sort_by_key(|place| !read.contains_key(place));
        let mut plainest: Option<String> = None;
        for place in places {
            if !read.contains_key(&place) {
                if read.len() == READ {
                    return Ok(None);
                }
                read.insert(place, self.lexicons_of(place)?);
            }
            let terms = read[&place].iter().flat_map(|lexicon| &lexicon.terms);
            let own = terms.filter(|(own, _)| **own == *term).map(|(_, spelling)| spelling);
            let all = own.chain(&plainest);
            plainest = all.min_by_key(|spelling| (spelling.len(), spelling.as_str())).cloned();
            if plainest.as_deref() == Some(stored) {
                break;
            }
        }
        Ok(Some(plainest.unwrap_or_else(|| stored.to_owned())))
    }

    /// The words of a note.
    fn lexicons_of(&self, place: u32) -> Result<Vec<Lexicon>, LibraryError> {
        let Some(note) = rows::note(self.db, place)? else { return Ok(Vec::new()) };
        Ok(analyse(self.table, &mut [&mut Named::new("", note)], 0))
    }
}
