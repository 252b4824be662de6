//! In how many of the candidates a word is said: what few say is mostly a name, and leads from one to another.

use crate::rank::{Ranked, Shelf};

/// How many of the candidates say each word.
pub(crate) struct Rare {
    said: Vec<u16>,
}

impl Rare {
    pub(crate) fn among(ranked: &[Ranked], shelf: &impl Shelf) -> Rare {
        let mut said = vec![0u16; shelf.words()];
        // Where each was seen last, so that a note has it once.
        let mut last = vec![u32::MAX; shelf.words()];
        for one in ranked {
            for word in words(one.place, shelf).map(|word| word as usize) {
                if let Some(last) = last.get_mut(word).filter(|last| **last != one.place) {
                    *last = one.place;
                    said[word] += 1;
                }
            }
        }
        Rare { said }
    }

    /// How many say a word. One that is none of theirs is said by all.
    pub(crate) fn said(&self, word: u32) -> u16 {
        self.said.get(word as usize).copied().unwrap_or(u16::MAX)
    }
}

/// The words of a note, passage by passage.
pub(crate) fn words<'a>(place: u32, shelf: &'a impl Shelf) -> impl Iterator<Item = u32> + 'a {
    let passages = shelf.reading(place).map_or(&[][..], |reading| &reading.passages);
    passages.iter().flatten().copied()
}
