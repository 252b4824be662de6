//! The list of what is to be forgotten, which outlives the index.
//!
//! It holds no text: a note is known by a hash over it and its source. The index can be deleted and
//! made again, and what was forgotten still does not come back. When a file is gone, what was forgotten of
//! it is looked for in all files: it may have another name.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::names::Named;
use crate::append::replace;

/// A note that was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgotten {
    /// What it was called.
    pub place: String,
    /// When it was forgotten, as RFC 3339.
    pub at: String,
    /// The source that may still have it.
    pub source: String,
    /// What it is known by.
    pub(super) mark: u64,
    /// What a line of a file is known by whatever the file.
    #[serde(default)]
    pub(super) words: Option<u64>,
    /// Whether that source was seen to be gone.
    #[serde(default)]
    pub(super) is_lost: bool,
}

/// What the notes are known by that are to be forgotten.
#[derive(Debug, Default)]
pub(super) struct Marks {
    known: HashSet<u64>,
    /// Those of lines whose file is gone.
    lost: HashSet<u64>,
}

impl Marks {
    pub(super) fn has(&self, named: &Named) -> bool {
        let moved =
            || named.label.words(&named.note.text).is_some_and(|words| self.lost.contains(&words));
        self.known.contains(&named.mark) || !self.lost.is_empty() && moved()
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
    let lost = all.iter().filter(|forgotten| forgotten.is_lost);
    Ok(Marks {
        known: all.iter().map(|forgotten| forgotten.mark).collect(),
        lost: lost.filter_map(|forgotten| forgotten.words).collect(),
    })
}

/// Changes the list. The lock must be held.
pub(super) fn change(path: &Path, change: impl FnOnce(&mut Vec<Forgotten>)) -> io::Result<()> {
    let mut all = read(path)?;
    change(&mut all);
    replace(path, &serde_json::to_vec_pretty(&all)?)
}
