//! A note, read once: its words by passage, and what it means.

use crate::clauses::only_asks;
use crate::days;
use crate::embed::{Embeddings, Small};
use crate::languages::Language;
use crate::maps::Spelled;
use crate::note::{Note, Voice};
use crate::numbers::{Number, numbers};
use crate::prose::prose;
use crate::sentences::sentences;
use crate::talk::Spot;
use crate::tasks::Task;
use crate::tongue;
use crate::when::{self, Span};
use crate::wishes::is_wish;
use crate::words::{self, Kind};
use jiff::civil::Date;

/// So many words are compared with a question at a time. A long note is as good as its best
/// passage, however much else it says.
const PASSAGE: usize = 40;

/// No more of a note than this is read. Nobody asks for the middle of a dump.
pub(crate) const MOST_BYTES: usize = 200_000;

/// Days are looked for in the head of a note.
const DATED_BYTES: usize = 4000;

/// Wishes, too.
const WISH_BYTES: usize = 4000;

/// So much of a heading is read as one. Whatever begins with `#` could be one.
const HEADING_BYTES: usize = 2000;

/// What ranking needs of a note.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// How many words it has, those that say nothing aside.
    pub length: u32,
    /// Where it stands in its session.
    pub spot: Spot,
    /// What its prose means.
    pub vector: Small,
    /// What its heading means, where it has one.
    pub heading: Option<Small>,
    /// Its words, some sentences at a time.
    pub passages: Vec<Box<[u32]>>,
    /// Whether it is a question.
    pub asks: bool,
    /// Whether a person does no more in it than ask.
    pub only_asks: bool,
    /// Whether a person says in it how they want things done.
    pub standing: bool,
    /// Whether it is a thing to do, or one that is done.
    pub task: Task,
    /// Whether it holds a digit.
    pub digits: bool,
    /// How many bytes its text has.
    pub bytes: u32,
    /// The days it names, seen from when it was said.
    pub spans: Vec<Span>,
    /// Whether it tells when something is: it names days, or hours, or what comes round.
    pub tells_when: bool,
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
pub fn read(note: &Note, table: &Embeddings<'_>, number: impl FnMut(&str, &str) -> u32) -> Found {
    Reader::new(table, number).read(note)
}

/// Reads many notes. What a stretch of letters comes to is worked out once, and few of them are
/// most of every text.
pub struct Reader<'a, N> {
    table: &'a Embeddings<'a>,
    number: N,
    known: Vec<(Language, Spelled<Said>)>,
    day: Option<(Date, u32)>,
}

/// The terms of a stretch, with their numbers.
type Said = Box<[(u32, Kind)]>;

/// So many stretches are remembered.
const KNOWN: usize = 50_000;

impl<'a, N: FnMut(&str, &str) -> u32> Reader<'a, N> {
    /// A reader that gives terms these numbers. A term keeps its number.
    pub fn new(table: &'a Embeddings<'a>, number: N) -> Self {
        Reader { table, number, known: Vec::new(), day: None }
    }

    /// Reads a note.
    pub fn read(&mut self, note: &Note) -> Found {
        let text = words::head(&note.text, MOST_BYTES);
        let language = tongue::language(text);
        let mut said: Vec<(u32, Part)> = Vec::with_capacity(text.len() / 8);
        let mut passages: Vec<Box<[u32]>> = Vec::new();
        let (mut passage, mut terms) = (Vec::new(), Vec::new());
        let (mut length, mut passed) = (0, 0);
        for (start, end) in sentences(text) {
            terms.clear();
            self.terms(&text[start..end], language, &mut terms);
            // What is written as one or otherwise makes no note longer.
            let words = terms.iter().filter(|(_, kind)| is_counted(*kind)).count();
            if !passage.is_empty() && length - passed + words > PASSAGE {
                passages.push(std::mem::take(&mut passage).into());
                passed = length;
            }
            length += words;
            for (id, kind) in &terms {
                said.push((*id, Part::Body));
                if *kind != Kind::Whole {
                    passage.push(*id);
                }
            }
        }
        if !passage.is_empty() {
            passages.push(passage.into());
        }
        let heading = words::head(note.heading(), HEADING_BYTES);
        // "user" and "assistant" are nobody's names.
        let who = if note.voice == Voice::Other { note.who.as_str() } else { "" };
        terms.clear();
        self.terms(&format!("{heading} {who}"), language, &mut terms);
        said.extend(terms.iter().map(|(id, _)| (*id, Part::Heading)));
        let dated = words::head(text, DATED_BYTES);
        let spans = when::spans(dated, note.at.map(|at| at.date()));
        for day in days::of_note(note.at, &spans) {
            said.push((self.day(day), Part::Body));
        }
        let task = Task::of_note(note);
        if let Some(word) = task.word() {
            said.push(((self.number)(word, word), Part::Body));
        }
        let reading = Reading {
            length: u32::try_from(length).unwrap_or(u32::MAX),
            spot: Spot::default(),
            vector: Small::coarse(&self.table.embed(&prose(text))),
            heading: (!heading.is_empty())
                .then(|| Small::coarse(&self.table.embed(&spaced(heading)))),
            passages,
            asks: text.trim_end().ends_with(['?', '？']),
            only_asks: note.voice == Voice::Person && only_asks(text),
            standing: note.voice == Voice::Person && is_wish(words::head(text, WISH_BYTES)),
            task,
            digits: text.contains(|c: char| c.is_ascii_digit()),
            bytes: u32::try_from(note.text.len()).unwrap_or(u32::MAX),
            tells_when: !spans.is_empty() || when::tells_hours(dated),
            spans,
        };
        Found { reading, language, counts: counted(said) }
    }

    /// The number of a day's word. Notes that follow each other are mostly of one day.
    fn day(&mut self, day: Date) -> u32 {
        match self.day {
            Some((last, number)) if last == day => number,
            _ => {
                let word = days::word(day);
                let number = (self.number)(&word, &word);
                self.day = Some((day, number));
                number
            }
        }
    }

    /// The terms of a text that say something, with their numbers.
    fn terms(&mut self, text: &str, language: Language, out: &mut Vec<(u32, Kind)>) {
        let at = self.known.iter().position(|(own, _)| *own == language).unwrap_or_else(|| {
            self.known.push((language, Spelled::default()));
            self.known.len() - 1
        });
        let known = &mut self.known[at].1;
        if known.len() > KNOWN {
            known.clear();
        }
        for (start, end) in words::chunks(text) {
            let chunk = &text[start..end];
            if let Some(terms) = known.get(chunk) {
                out.extend_from_slice(terms);
                continue;
            }
            let terms = words::chunk_terms(chunk, language).into_iter();
            let telling = terms.filter(|term| term.kind != Kind::Stop);
            let terms = telling
                .map(|term| ((self.number)(&term.text, &chunk[term.start..term.end]), term.kind));
            let terms: Said = terms.collect();
            out.extend_from_slice(&terms);
            known.insert(chunk.into(), terms);
        }
        for Number { text: digits, start, end } in numbers(text) {
            out.push(((self.number)(&digits, &text[start..end]), Kind::Joined));
        }
    }
}

/// Whether a term is one of the words that a text has, and not another way to write some of them.
fn is_counted(kind: Kind) -> bool {
    !matches!(kind, Kind::Whole | Kind::Joined)
}

/// Where a note says a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Body,
    Heading,
}

/// How often each word is said, by its number.
fn counted(mut said: Vec<(u32, Part)>) -> Vec<(u32, (u16, u16))> {
    said.sort_unstable();
    let same = said.chunk_by(|(one, _), (other, _)| one == other);
    let counts = same.map(|same| {
        let body = same.iter().filter(|(_, part)| *part == Part::Body).count();
        let times = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        (same[0].0, (times(body), times(same.len() - body)))
    });
    counts.collect()
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
