//! The list of what is to be forgotten, which outlives the index.
//!
//! It holds no text: a note is known by a hash over it and its source. The index can be deleted and
//! made again, and what was forgotten still does not come back. When a file is gone, what was forgotten of
//! it is looked for in all files, until it is in that file again: it may have another name. Of a message the copies
//! that forks have are forgotten with it.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::names::Named;
use crate::append::replace;
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
    back: RefCell<Vec<u64>>,
}

impl Marks {
    pub(super) fn has(&self, named: &Named) -> bool {
        let Named { label, note, .. } = named;
        if let Some(mark) = named.marks.iter().find(|mark| self.known.contains(*mark)) {
            self.back.borrow_mut().extend(self.away.get(mark));
            return true;
        }
        let is_one_of =
            |all: &HashSet<u64>, mark: Option<u64>| mark.is_some_and(|mark| all.contains(&mark));
        let moved = || [label.plain(&note.text), &note.text].map(|text| label.words(text));
        !self.said.is_empty() && is_one_of(&self.said, label.said(note))
            || !self.lost.is_empty()
                && moved().into_iter().any(|words| is_one_of(&self.lost, words))
    }

    /// What was met in a file that had been gone.
    pub(super) fn back(self) -> Vec<u64> {
        self.back.into_inner()
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
    let lost = || all.iter().filter(|forgotten| forgotten.is_lost);
    Ok(Marks {
        known: all.iter().map(|forgotten| forgotten.mark).collect(),
        said: all.iter().filter_map(|forgotten| forgotten.said).collect(),
        lost: lost().filter_map(|forgotten| forgotten.words).collect(),
        away: lost().map(|forgotten| forgotten.mark).collect(),
        back: RefCell::default(),
    })
}

/// Changes the list. The lock must be held.
pub(super) fn change(path: &Path, change: impl FnOnce(&mut Vec<Forgotten>)) -> io::Result<()> {
    let mut all = read(path)?;
    change(&mut all);
    replace(path, &serde_json::to_vec_pretty(&all)?)
}
