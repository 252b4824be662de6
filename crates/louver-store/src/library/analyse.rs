//! Reading notes before they are written: the slow part, done on all cores and without any lock.

use std::path::Path;
use std::thread;

use louver_recall::embed::Embeddings;
use louver_recall::maps::Spelled;
use louver_recall::note;
use louver_recall::reading::{Found, Reader};
use louver_recall::words::{fold, plainer};

use super::names::Named;
use crate::notes::{Note, Voice, When};

/// Fewer notes than this are not worth a thread.
const WORTH_A_THREAD: usize = 64;

/// Words with numbers of their own, until they get those of the library.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    numbers: Spelled<u32>,
    /// Each term and its plainest spelling.
    pub(super) terms: Vec<(Box<str>, String)>,
}

impl Lexicon {
    pub(super) fn number(&mut self, term: &str, surface: &str) -> u32 {
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

/// What was read of a note, in the words of a lexicon.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) lexicon: usize,
    pub(super) found: Found,
}

/// Reads notes. Each core has a lexicon of its own; `first` is the number of the first of them.
pub(super) fn analyse(
    table: &Embeddings<'_>,
    notes: &mut [&mut Named],
    first: usize,
) -> Vec<Lexicon> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts = (notes.len() / WORTH_A_THREAD).clamp(1, cores);
    if parts == 1 {
        return vec![read(table, notes, first)];
    }
    let size = notes.len().div_ceil(parts);
    thread::scope(|scope| {
        let parts = (first..).zip(notes.chunks_mut(size));
        let running: Vec<_> =
            parts.map(|(lexicon, part)| scope.spawn(move || read(table, part, lexicon))).collect();
        let done = running.into_iter().map(|thread| thread.join());
        done.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

fn read(table: &Embeddings<'_>, notes: &mut [&mut Named], number: usize) -> Lexicon {
    let mut lexicon = Lexicon::default();
    let mut reader = Reader::new(table, |term, surface| lexicon.number(term, surface));
    for named in notes {
        let note = to_read(&mut named.note);
        let found = reader.read(&note);
        named.note.text = note.text;
        named.read = Some(Read { lexicon: number, found });
    }
    lexicon
}

/// A note in the form that is read. Its text is lent.
pub(super) fn to_read(note: &mut Note) -> note::Note {
    note::Note {
        text: std::mem::take(&mut note.text),
        who: titled(note),
        voice: voice(note.voice),
        at: note.time.map(When::clock),
        ..note::Note::default()
    }
}

/// Who said it. What a file that the person keeps is called says what it is about, whatever headings are in it.
fn titled(note: &Note) -> String {
    let who = note.who.as_str();
    let file = note.place.rsplit_once(':').map(|(file, _)| Path::new(file));
    let file = file.filter(|file| note.voice == Voice::Document && file.is_absolute());
    match file.and_then(Path::file_stem).and_then(|stem| stem.to_str()) {
        Some(stem) if !who.starts_with(stem) => format!("{stem} {who}"),
        _ => who.to_owned(),
    }
}

/// A voice as what ranks knows it.
pub(super) fn voice(voice: Voice) -> note::Voice {
    match voice {
        Voice::Person => note::Voice::Person,
        Voice::Agent => note::Voice::Agent,
        Voice::Document => note::Voice::Other,
    }
}
