//! The list of what is to be forgotten, which outlives the index.
//!
//! It holds no text: a note is known by a hash over it and its source. The index can be deleted and
//! made again, and what was forgotten still does not come back. When a file is gone, what was forgotten of
//! it is looked for in all files, until it is in that file again: it may have another name. Of a message the copies
//! that forks have are forgotten with it.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

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
    /// Whether that source was seen to be gone.
    #[serde(default)]
    pub(super) is_lost: bool,
    /// The other parts of something long that was forgotten whole.
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
        let Known { mark, words, said } = Known::of(source, note);
        Forgotten {
            place: note.place.clone(),
            at: jiff::Timestamp::now().to_string(),
            source: source.to_owned(),
            also_in: holders.names.into_iter().filter(|name| name != source).collect(),
            withheld: holders.withheld,
            mark,
            words,
            said,
            is_lost: false,
            parts: parts.iter().map(|note| Known::of(source, note)).collect(),
        }
    }

    fn known(&self) -> impl Iterator<Item = Known> {
        let Forgotten { mark, words, said, .. } = *self;
        [Known { mark, words, said }].into_iter().chain(self.parts.iter().copied())
    }

    /// Whether some of it has one of these marks.
    pub(super) fn has_one_of(&self, marks: &[u64]) -> bool {
        self.known().any(|known| marks.contains(&known.mark))
    }
}

impl Known {
    fn of(source: &str, note: &Note) -> Known {
        let label = Label::of(source, &note.place);
        let plain = label.plain(&note.text);
        let mark = mark(source, &label, plain);
        Known { mark, words: label.words(plain), said: label.said(note) }
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
    /// Those of lines whose file is gone.
    lost: HashSet<u64>,
    /// What those are known by in that file.
    away: HashSet<u64>,
    /// Those of them that were met in it again.
    back: Mutex<Vec<u64>>,
}

impl Marks {
    /// Whether nothing was forgotten.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(super) fn has(&self, named: &Named) -> bool {
        let Named { label, note, .. } = named;
        let whole = named.whole.as_deref();
        let mut marks = named.marks.iter().chain(whole.iter().flat_map(|whole| &whole.marks));
        if let Some(mark) = marks.find(|mark| self.known.contains(*mark)) {
            if let (Some(mark), Ok(mut back)) = (self.away.get(mark), self.back.lock()) {
                back.push(*mark);
            }
            return true;
        }
        let is_one_of =
            |all: &HashSet<u64>, mark: Option<u64>| mark.is_some_and(|mark| all.contains(&mark));
        let moved = || [label.plain(&note.text), &note.text].map(|text| label.words(text));
        let any = |all: &HashSet<u64>, marks: fn(&Whole) -> &[u64]| {
            whole.is_some_and(|whole| marks(whole).iter().any(|mark| all.contains(mark)))
        };
        !self.said.is_empty()
            && (is_one_of(&self.said, label.said(note)) || any(&self.said, |whole| &whole.said))
            || !self.lost.is_empty()
                && (moved().into_iter().any(|words| is_one_of(&self.lost, words))
                    || any(&self.lost, |whole| &whole.words))
    }

    /// What was met in a file that had been gone.
    pub(super) fn back(self) -> Vec<u64> {
        self.back.into_inner().unwrap_or_default()
    }
}

pub(super) fn read(path: &Path) -> io::Result<Vec<Forgotten>> {
    match std::fs::read(path) {
        Ok(data) => serde_json::from_slice(&data).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

pub(super) fn marks(path: &Path) -> io::Result<Marks> {
    let all = read(path)?;
    let known = || all.iter().flat_map(Forgotten::known);
    let lost = || all.iter().filter(|forgotten| forgotten.is_lost).flat_map(Forgotten::known);
    Ok(Marks {
        known: known().map(|known| known.mark).collect(),
        said: known().filter_map(|known| known.said).collect(),
        lost: lost().filter_map(|known| known.words).collect(),
        away: lost().map(|known| known.mark).collect(),
        back: Mutex::default(),
    })
}

/// Changes the list. The lock must be held.
pub(super) fn change(path: &Path, change: impl FnOnce(&mut Vec<Forgotten>)) -> io::Result<()> {
    let mut all = read(path)?;
    change(&mut all);
    replace(path, &serde_json::to_vec_pretty(&all)?)
}
