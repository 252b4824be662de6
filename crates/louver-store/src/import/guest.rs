//! What can be done with another program's conversation while it is still that program's.
//!
//! It is searched, exported and forked from its own file, and nothing is written for that: once there is a
//! log of ours, what the other program adds to its file is no longer seen.

use std::path::Path;

use serde_json::{Value, json};

use super::{Found, Line, Program, What};
use crate::export;
use crate::session::{SessionError, forks};

/// A log has so many lines before the first that is imported: one that opens it, and what is known of it.
const OPENING: u64 = 2;

impl Found {
    /// Everything that was said in it, as [`export::everything`] gives it: under the number that each message
    /// would have in a log of ours.
    pub fn everything(&self) -> Vec<(u64, &'static str, String)> {
        let mut said = Vec::new();
        for (n, line) in (OPENING + 1..).zip(&self.lines) {
            if let What::Message(message, _) = &line.what {
                let (who, words) = export::words_of(message);
                said.push((n, who, words));
            }
        }
        said
    }

    /// The conversation as nanobot writes it, with every field it had there, as [`export::nanobot`] has it.
    pub fn nanobot(&self) -> String {
        let about = self.meta.get("nanobot").cloned().unwrap_or_default();
        let about = match about {
            Value::Null => {
                let last = self.lines.iter().rev().find_map(|line| line.time);
                export::metadata(&self.key, self.created, last)
            }
            about => about,
        };
        let is_theirs = Program::of(&self.meta) == Program::Nanobot;
        let row = |line: &Line| match &line.what {
            What::Message(_, row) | What::Other(row) if is_theirs => Some(row.clone()),
            What::Message(message, _) => Some(export::nanobot_row(message, line.time)),
            What::Other(_) | What::Consolidated => None,
        };
        let rows: Vec<Value> = self.lines.iter().filter_map(row).collect();
        export::nanobot_file(&about, rows.iter())
    }

    /// Its messages, one JSON object a line.
    pub fn openai(&self) -> String {
        let messages = self.lines.iter().filter_map(|line| match &line.what {
            What::Message(message, _) => Some(&**message),
            _ => None,
        });
        export::openai_lines(messages)
    }

    /// Begins a conversation of ours with its messages, up to a number. Says how many there are.
    pub fn fork(
        mut self,
        workspace: &Path,
        new: &str,
        at: Option<u64>,
    ) -> Result<usize, SessionError> {
        if let Some(at) = at {
            let numbers = self.everything().into_iter().map(|(n, ..)| n);
            export::is_among(&self.key, at, numbers, OPENING + self.lines.len() as u64)?;
            let lines = usize::try_from(at.saturating_sub(OPENING)).unwrap_or(usize::MAX);
            self.lines.truncate(lines);
        }
        self.meta.insert("forked_from".to_owned(), json!(self.key));
        let from = std::mem::replace(&mut self.key, new.to_owned());
        self.was = None;
        let stored = self.store(workspace)?.new;
        // Once it is ours too, its lines have the same numbers.
        let numbers = (1..=OPENING + self.lines.len() as u64).map(|n| (n, n)).collect();
        forks::note(workspace, &from, new, &numbers)
            .map_err(SessionError::disk(workspace, "that it is a fork could not be noted"))?;
        Ok(stored)
    }
}
