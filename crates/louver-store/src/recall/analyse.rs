//! Reading notes before they are written: the slow part, done on all cores and without any lock.

use std::collections::HashMap;
use std::thread;

use louver_recall::embed::Embeddings;
use louver_recall::reading::{Found, Reader};
use louver_recall::words::{fold, plainer};

use super::entry::{Named, note};

/// Fewer notes than this are not worth a thread.
const WORTH_A_THREAD: usize = 64;

/// Words with numbers of their own, until they get those of the library.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    numbers: HashMap<Box<str>, u32>,
    /// Each term and its plainest spelling.
    pub(super) terms: Vec<(Box<str>, String)>,
}

impl Lexicon {
    fn number(&mut self, term: &str, surface: &str) -> u32 {
        if let Some(number) = self.numbers.get(term) {
            let spelling = &mut self.terms[*number as usize].1;
            if let Some(plainer) = plainer(surface, spelling) {
                *spelling = plainer;
            }
            return *number;
        }
        let number = self.terms.len() as u32;
        self.numbers.insert(term.into(), number);
        self.terms.push((term.into(), fold(surface)));
        number
    }
}

/// Notes that were read together.
#[derive(Debug, Default)]
pub(super) struct Analysed {
    pub(super) lexicon: Lexicon,
    pub(super) found: Vec<Found>,
}

/// Reads notes, in their order. Each part has a lexicon of its own.
pub(super) fn analyse(table: &Embeddings<'static>, notes: &[&Named]) -> Vec<Analysed> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts = (notes.len() / WORTH_A_THREAD).clamp(1, cores);
    if parts == 1 {
        return vec![read(table, notes)];
    }
    let size = notes.len().div_ceil(parts);
    thread::scope(|scope| {
        let running: Vec<_> =
            notes.chunks(size).map(|part| (part, scope.spawn(move || read(table, part)))).collect();
        // A thread that failed has read nothing; its notes are read again here, where it shows.
        running
            .into_iter()
            .map(|(part, thread)| thread.join().unwrap_or_else(|_| read(table, part)))
            .collect()
    })
}

fn read(table: &Embeddings<'static>, notes: &[&Named]) -> Analysed {
    let mut lexicon = Lexicon::default();
    let mut reader = Reader::new(table, |term, surface| lexicon.number(term, surface));
    let found = notes.iter().map(|named| reader.read(&note(named))).collect();
    Analysed { found, lexicon }
}
