//! The list of what is to be forgotten, which outlives the index.
//!
//! It holds no text. A line of a file is known by a hash over its words, so it is forgotten in every file, whatever
//! that is called and however the line is written there; a message by its session, number and words, and the copies
//! that forks have of it by the instant and the words. What can be recalled follows from the files and this list alone: the
//! index can be deleted and made again, and it knows which list it was made with ([`Marks::print`]).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::LibraryError;
use super::holders::Holders;
use super::names::{Label, Named, Whole, mark};
use super::open::Files;
use crate::append::replace;
use crate::notes::Note;
use crate::session::Withheld;

/// A note that was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgotten {
    /// What it was called.
    pub place: String,
    /// When it was forgotten, as RFC 3339.
    pub at: String,
    /// The source that may still have it.
    pub source: String,
    /// Other sessions and files that had it when it was forgotten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<String>,
    /// What views of sessions leave out for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) withheld: Vec<Withheld>,
    /// What it is known by.
    pub(super) mark: u64,
    /// What a line of a file is known by whatever the file.
    #[serde(default)]
    pub(super) words: Option<u64>,
    /// What a message is known by whatever the session.
    #[serde(default)]
    pub(super) said: Option<u64>,
    /// The other parts of something long that was forgotten whole, and a paragraph as the whole that it is: wrapped at
    /// another column, it has other parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) parts: Vec<Known>,
}

/// What a note is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Known {
    mark: u64,
    words: Option<u64>,
    said: Option<u64>,
}

impl Forgotten {
    /// What is known of a note, and of the other parts of what it is the first of.
    pub(super) fn of(source: &str, note: &Note, parts: &[Note], holders: Holders) -> Forgotten {
        let known = |note: &Note| Known::of(source, note);
        let Known { mark, words, said } = known(note);
        Forgotten {
            place: note.place.clone(),
            at: jiff::Timestamp::now().to_string(),
            source: source.to_owned(),
            also_in: holders.names.into_iter().filter(|name| name != source).collect(),
            withheld: holders.withheld,
            mark,
            words,
            said,
            parts: parts.iter().chain(&whole(source, note, parts)).map(known).collect(),
        }
    }

    /// What others said at the same time in the same words stays.
    pub(super) fn is_own(&mut self) {
        self.said = None;
        self.parts.iter_mut().for_each(|part| part.said = None);
    }

    /// What its note says, without what marks it in its file.
    pub(super) fn plain(&self, note: &Note) -> String {
        Label::of(&self.source, &note.place).plain(&note.text).to_owned()
    }

    fn known(&self) -> impl Iterator<Item = Known> {
        let Forgotten { mark, words, said, .. } = *self;
        [Known { mark, words, said }].into_iter().chain(self.parts.iter().copied())
    }

    /// Adds sources that have it.
    pub(super) fn is_also_in(&mut self, names: &[String]) {
        for name in names {
            if *name != self.source && !self.also_in.contains(name) {
                self.also_in.push(name.clone());
            }
        }
    }
}

/// All of a paragraph that has these other parts.
fn whole(source: &str, note: &Note, parts: &[Note]) -> Option<Note> {
    let is_line = matches!(Label::of(source, &note.place), Label::Line(..));
    let texts = || std::iter::once(note).chain(parts).map(|part| part.text.as_str());
    (is_line && !parts.is_empty())
        .then(|| Note { text: texts().collect::<Vec<_>>().join(" "), ..note.clone() })
}

impl Known {
    fn of(source: &str, note: &Note) -> Known {
        let label = Label::of(source, &note.place);
        let plain = label.plain(&note.text);
        let mark = mark(source, &label, plain);
        Known { mark, words: label.words(&note.text), said: label.said(note) }
    }
}

/// What was forgotten of a session is forgotten in a copy of it, in which events have these numbers.
pub(crate) fn copy(
    workspace: &Path,
    from: &str,
    to: &str,
    numbers: &BTreeMap<u64, u64>,
) -> Result<(), LibraryError> {
    let files = Files::of(workspace);
    let copied = |withheld: &Withheld| {
        let n = *numbers.get(&withheld.n).filter(|_| withheld.session == from)?;
        Some(Withheld { session: to.to_owned(), n, what: withheld.what })
    };
    if !files.forgotten()?.iter().flat_map(|one| &one.withheld).any(|one| copied(one).is_some()) {
        return Ok(());
    }
    let _lock = files.lock()?;
    files.change_forgotten(|all| {
        for one in all {
            let more: Vec<Withheld> = one.withheld.iter().filter_map(copied).collect();
            one.withheld.extend(more);
        }
    })
}

/// What the notes are known by that are to be forgotten.
#[derive(Debug, Default)]
pub(super) struct Marks {
    known: HashSet<u64>,
    /// Those of messages, whatever their session.
    said: HashSet<u64>,
    /// Those of lines, whatever their file.
    words: HashSet<u64>,
}

impl Marks {
    pub(super) fn of(all: &[Forgotten]) -> Marks {
        let known = || all.iter().flat_map(Forgotten::known);
        Marks {
            known: known().map(|known| known.mark).collect(),
            said: known().filter_map(|known| known.said).collect(),
            words: known().filter_map(|known| known.words).collect(),
        }
    }

    /// Whether nothing was forgotten.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// A number that tells it from other lists: nothing for an empty one.
    pub(super) fn print(&self) -> i64 {
        if self.is_empty() {
            return 0;
        }
        let mut hash = Xxh3::new();
        for marks in [&self.known, &self.said, &self.words] {
            let marks: BTreeSet<u64> = marks.iter().copied().collect();
            hash.update(&marks.len().to_le_bytes());
            marks.iter().for_each(|mark| hash.update(&mark.to_le_bytes()));
        }
        hash.digest() as i64
    }

    /// Whether these are the words of a line.
    pub(super) fn says(&self, words: u64) -> bool {
        self.words.contains(&words)
    }

    pub(super) fn has(&self, named: &Named) -> bool {
        if self.is_empty() {
            return false;
        }
        let Named { label, note, .. } = named;
        let any = |all: &HashSet<u64>, marks: &[u64]| marks.iter().any(|mark| all.contains(mark));
        let whole = named.whole.as_deref();
        let of_whole = |all: &HashSet<u64>, marks: fn(&Whole) -> &[u64]| {
            whole.is_some_and(|whole| any(all, marks(whole)))
        };
        any(&self.known, &named.marks)
            || of_whole(&self.known, |whole| &whole.marks)
            || !self.said.is_empty()
                && (label.all_said(note, &note.text).any(|said| self.said.contains(&said))
                    || of_whole(&self.said, |whole| &whole.said))
            || !self.words.is_empty()
                && (any(&self.words, &label.all_words(&note.text))
                    || of_whole(&self.words, |whole| &whole.words))
    }
}

pub(super) fn read(path: &Path) -> io::Result<Vec<Forgotten>> {
    match std::fs::read(path) {
        // What ends too early is as damaged as what is no JSON.
        Ok(data) => serde_json::from_slice(&data)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

pub(super) fn marks(path: &Path) -> io::Result<Marks> {
    Ok(Marks::of(&read(path)?))
}

/// Changes the list. The lock must be held.
pub(super) fn change(path: &Path, change: impl FnOnce(&mut Vec<Forgotten>)) -> io::Result<()> {
    let mut all = read(path)?;
    change(&mut all);
    replace(path, &serde_json::to_vec_pretty(&all)?)
}
