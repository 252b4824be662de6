//! Notes of folders that settings do not name now. They wait in the index, and are not recalled.
//!
//! Two programs, or two runs, may share a workspace and name different folders. If each took out what the other
//! has put in, both would read everything again whenever the other has run. What is no longer wanted is taken
//! out when a person says so ([`Library::remove_waiting`]).

use super::sync::in_order;
use super::{Library, LibraryError, Progress, Synced};
use crate::notes::{Folders, Places};

/// Whether the notes of a source wait.
pub(super) fn waits(folders: Option<&Folders>, source: &str) -> bool {
    folders.is_some_and(|folders| folders.lack(source))
}

impl Library {
    /// Says which folders are named.
    pub fn name(&mut self, places: &Places) {
        self.folders = Some(places.folders());
    }

    /// How many notes wait.
    pub fn waiting(&mut self) -> Result<u64, LibraryError> {
        self.checked(|library| {
            let waiting = library.waiting_sources()?;
            let waits = |source: &&u32| waiting.get(**source as usize) == Some(&true);
            Ok(library.known.columns.sources.iter().filter(waits).count() as u64)
        })
    }

    /// Which sources have notes that wait, by their numbers.
    pub(super) fn waiting_sources(&mut self) -> Result<Vec<bool>, LibraryError> {
        self.look_around()?;
        let Library { db, known, folders, .. } = self;
        known.sources.load(db, &known.seen)?;
        Ok(known
            .sources
            .iter()
            .map(|source| source.is_some_and(|source| waits(folders.as_ref(), &source.name)))
            .collect())
    }

    /// Takes out those that wait.
    pub fn remove_waiting(
        &mut self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Synced, LibraryError> {
        let mut gone = self.stamps()?;
        gone.retain(|name, _| waits(self.folders.as_ref(), name));
        self.remove_gone(in_order(gone), progress)
    }
}
