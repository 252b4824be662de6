//! Long results that were put away beside a session's log, to be read by their handles.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::path::PathBuf;

use super::blob::Blobs;
use super::error::SessionError;
use super::event::{CallResult, Event};
use super::open::LOG;
use super::{Events, Session, What, withheld};
use crate::append::open_plain;

/// What was put away beside a session's log, to be read.
#[derive(Debug)]
pub struct Kept {
    blobs: Blobs,
    key: String,
    folder: PathBuf,
    /// Who reads in company reads by handles alone, and not by these.
    closed: Option<HashSet<String>>,
}

impl Kept {
    /// The text under a handle, unless something in it was forgotten. The handle may come from a model.
    pub fn text(&self, handle: &str) -> Option<String> {
        let is_closed = self.closed.as_ref().is_some_and(|closed| closed.contains(handle));
        if is_closed || self.is_forgotten(handle) {
            return None;
        }
        let bytes = self.blobs.read(handle).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The whole of what a call returned, by the call's id, unless something in it was forgotten or it may have been for
    /// the owner alone. Of several calls with one id it is the last.
    pub fn result(&self, call: &str) -> Option<String> {
        if self.closed.is_some() {
            return None;
        }
        let (n, result) = self.results().filter(|(_, result)| result.id == call).last()?;
        let withheld = withheld::of_key(&self.folder, &self.key).ok()?;
        if withheld.iter().any(|withheld| withheld.n == n) {
            return None;
        }
        result.blob.and_then(|handle| self.text(&handle)).or(Some(result.text))
    }

    /// Whether a result is withheld of which this is the whole.
    fn is_forgotten(&self, handle: &str) -> bool {
        let Ok(mut withheld) = withheld::of_key(&self.folder, &self.key) else { return true };
        withheld.retain(|withheld| withheld.what == What::Result);
        let is_it = |n: u64| withheld.iter().any(|withheld| withheld.n == n);
        !withheld.is_empty()
            && self.results().any(|(n, result)| is_it(n) && result.blob.as_deref() == Some(handle))
    }

    /// What tools returned, with the numbers of the events.
    fn results(&self) -> impl Iterator<Item = (u64, CallResult)> {
        let log = open_plain(OpenOptions::new().read(true), &self.folder.join(LOG));
        let log = log.and_then(|file| Ok((file.metadata()?.len(), file))).ok();
        let events = log.into_iter().flat_map(|(end, file)| Events::from(file, 0, end));
        events.filter_map(|record| match record.event {
            Event::Result(result) => Some((record.n, result)),
            _ => None,
        })
    }
}

impl Session {
    /// A way to read what was put away that does not need the session.
    pub fn kept(&self) -> Kept {
        let blobs = Blobs::new(self.blobs.folder().to_owned());
        Kept { blobs, key: self.key.clone(), folder: self.folder.clone(), closed: None }
    }

    /// The same for company: nothing of what is there now, but for what tools returned in company. A result that left the
    /// view has its handle in the call that asked for its next page.
    pub fn kept_in_company(&self) -> Result<Kept, SessionError> {
        let mut others = false;
        let mut open: HashSet<String> = HashSet::new();
        for record in self.events()? {
            match record.event {
                Event::Said(said) => others = said.is_in_company(),
                Event::Result(result) if others => open.extend(result.blob),
                _ => {}
            }
        }
        let there = std::fs::read_dir(self.blobs.folder()).into_iter().flatten().flatten();
        let names = there.filter_map(|entry| entry.file_name().into_string().ok());
        let closed = names.filter(|name| !open.contains(name)).collect();
        Ok(Kept { closed: Some(closed), ..self.kept() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::event::{OTHERS, Said};
    use super::super::{Durability, LONG_RESULT, Mode, Output};
    use super::*;

    #[test]
    fn what_was_put_away_for_the_owner_is_not_read_in_company() {
        let folder = tempfile::tempdir().unwrap();
        let (mut session, _) = Session::open(folder.path(), "cli:a", Mode::Write).unwrap();
        let mut asked = |word: &str, others: bool| {
            let mut said = Said { text: word.to_owned(), ..Said::default() };
            said.extra.extend(others.then(|| (OTHERS.to_owned(), true.into())));
            session.append(&Event::Said(said), Durability::Process).unwrap();
            let data = word.repeat(LONG_RESULT);
            let output = Output { words: "read", data: Some(&data), failed: false, whole: None };
            let result = session.keep_output("1", "read_file", &output).unwrap();
            session.append(&Event::Result(result.clone()), Durability::Process).unwrap();
            result.blob.unwrap()
        };
        let (alone, together) = (asked("secret ", false), asked("plain ", true));
        let kept = session.kept_in_company().unwrap();
        let output = Output {
            words: "read",
            data: Some(&"new ".repeat(LONG_RESULT)),
            failed: false,
            whole: None,
        };
        let new = session.keep_output("2", "read_file", &output).unwrap().blob.unwrap();
        assert_eq!(kept.text(&alone), None);
        assert!(kept.text(&together).is_some() && kept.text(&new).is_some());
        assert_eq!((kept.result("1"), kept.result("2")), (None, None), "by handles alone");
        assert!(session.kept().text(&alone).is_some(), "alone again, it is read");
        assert!(session.kept().result("1").is_some());
    }
}
