//! A note, read once: its words by passage, and what it means.

use crate::embed::{Embeddings, Small};
use crate::languages::Language;
use crate::note::{Note, Voice};
use crate::sentences::sentences;
use crate::when::{self, Span};
use crate::words::{self, Kind};
use std::collections::BTreeMap;

/// So many words are compared with a question at a time. A long note is as good as its best
/// passage, however much else it says.
const PASSAGE: usize = 40;

/// No more of a note than this is read. Nobody asks for the middle of a dump.
const MOST_BYTES: usize = 200_000;

/// Days are looked for in the head of a note.
const DATED_BYTES: usize = 4000;

/// What ranking needs of a note.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// How many words it has, those that say nothing aside.
    pub length: u32,
    /// How many notes of its session came before it.
    pub position: u32,
    /// What it means.
    pub vector: Small,
    /// What its heading means, where it has one.
    pub heading: Option<Small>,
    /// Its words, some sentences at a time.
    pub passages: Vec<Box<[u32]>>,
    /// Whether it is a question.
    pub asks: bool,
    /// Whether it holds a digit.
    pub digits: bool,
    /// How many bytes its text has.
    pub bytes: u32,
    /// The days it names, seen from when it was said.
    pub spans: Vec<Span>,
}

/// A note's reading, and what an index must know besides.
#[derive(Clone, Debug)]
pub struct Found {
    /// What ranking needs.
    pub reading: Reading,
    /// The language it is in.
    pub language: Language,
    /// How often it says each word, in its text and in its heading.
    pub counts: Vec<(u32, (u16, u16))>,
}

/// Reads a note. `number` gives the number of a term, whose spelling is beside it.
pub fn read(
    note: &Note,
    table: &Embeddings<'_>,
    mut number: impl FnMut(&str, &str) -> u32,
) -> Found {
    let text = words::head(&note.text, MOST_BYTES);
    let language = words::language(text);
    let mut counts: BTreeMap<u32, (u16, u16)> = BTreeMap::new();
    let mut passages: Vec<Box<[u32]>> = Vec::new();
    let mut passage = Vec::new();
    let mut length = 0;
    for (start, end) in sentences(text) {
        let sentence = &text[start..end];
        let terms = words::terms(sentence, language);
        let (before, said) = (
            passage.len(),
            terms.iter().filter(|term| term.kind != Kind::Stop && term.kind != Kind::Whole).count(),
        );
        if before > 0 && before + said > PASSAGE {
            passages.push(std::mem::take(&mut passage).into());
        }
        for term in terms.iter().filter(|term| term.kind != Kind::Stop) {
            let id = number(&term.text, &sentence[term.start..term.end]);
            let count = counts.entry(id).or_default();
            count.0 = count.0.saturating_add(1);
            if term.kind != Kind::Whole {
                passage.push(id);
                length += 1;
            }
        }
    }
    if !passage.is_empty() {
        passages.push(passage.into());
    }
    let heading = note.heading();
    // "user" and "assistant" are nobody's names.
    let who = if note.voice == Voice::Other { note.who.as_str() } else { "" };
    let head = format!("{heading} {who}");
    for term in words::terms(&head, language).iter().filter(|term| term.kind != Kind::Stop) {
        let count = counts.entry(number(&term.text, &head[term.start..term.end])).or_default();
        count.1 = count.1.saturating_add(1);
    }
    let reading = Reading {
        length,
        position: 0,
        vector: Small::coarse(&table.embed(text)),
        heading: (!heading.is_empty()).then(|| Small::coarse(&table.embed(&spaced(heading)))),
        passages,
        asks: text.trim_end().ends_with(['?', '？']),
        digits: text.contains(|c: char| c.is_ascii_digit()),
        bytes: u32::try_from(note.text.len()).unwrap_or(u32::MAX),
        spans: when::spans(words::head(text, DATED_BYTES), note.at.map(|at| at.date())),
    };
    Found { reading, language, counts: counts.into_iter().collect() }
}

/// A heading with its identifiers taken apart, since vectors know words.
fn spaced(heading: &str) -> String {
    let mut spaced = String::with_capacity(heading.len() + 16);
    for letter in heading.chars() {
        if letter.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    spaced
}
