//! The list of what is to be forgotten, which outlives the index.
//!
//! It holds no text: a note is known by a hash over it and its source. The index can be deleted and
//! made again, and what was forgotten still does not come back.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

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
}

pub(super) fn read(path: &Path) -> io::Result<Vec<Forgotten>> {
    match std::fs::read(path) {
        Ok(data) => serde_json::from_slice(&data).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

pub(super) fn marks(path: &Path) -> io::Result<HashSet<u64>> {
    Ok(read(path)?.iter().map(|forgotten| forgotten.mark).collect())
}

/// Changes the list. The lock must be held.
pub(super) fn change(path: &Path, change: impl FnOnce(&mut Vec<Forgotten>)) -> io::Result<()> {
    let mut all = read(path)?;
    change(&mut all);
    replace(path, &serde_json::to_vec_pretty(&all)?)
}
