//! Long results that were put away beside a session's log, to be read by their handles.

use std::collections::HashSet;

use super::Session;
use super::blob::Blobs;
use super::error::SessionError;
use super::event::Event;

/// What was put away beside a session's log, to be read.
#[derive(Debug)]
pub struct Kept {
    blobs: Blobs,
    /// Handles that are not to be read.
    closed: HashSet<String>,
}

impl Kept {
    /// The text under a handle. The handle may come from a model.
    pub fn text(&self, handle: &str) -> Option<String> {
        if self.closed.contains(handle) {
            return None;
        }
        let bytes = self.blobs.read(handle).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Session {
    /// A way to read what was put away that does not need the session.
    pub fn kept(&self) -> Kept {
        Kept { blobs: Blobs::new(self.blobs.folder().to_owned()), closed: HashSet::new() }
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
        Ok(Kept { closed: names.filter(|name| !open.contains(name)).collect(), ..self.kept() })
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
            let output = Output { words: "read", data: Some(&data), failed: false };
            let result = session.keep_output("1", "read_file", &output).unwrap();
            session.append(&Event::Result(result.clone()), Durability::Process).unwrap();
            result.blob.unwrap()
        };
        let (alone, together) = (asked("secret ", false), asked("plain ", true));
        let kept = session.kept_in_company().unwrap();
        let output =
            Output { words: "read", data: Some(&"new ".repeat(LONG_RESULT)), failed: false };
        let new = session.keep_output("2", "read_file", &output).unwrap().blob.unwrap();
        assert_eq!(kept.text(&alone), None);
        assert!(kept.text(&together).is_some() && kept.text(&new).is_some());
        assert!(session.kept().text(&alone).is_some(), "alone again, it is read");
    }
}
