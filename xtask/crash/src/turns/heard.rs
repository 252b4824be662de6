//! What an agent said on its way: a line of JSON for each thing, printed after it is in the log.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// What was heard of one process.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// How many lines there were.
    pub(super) lines: usize,
    /// How many answers of the model it said were kept.
    pub(super) replies: usize,
    /// The calls it said were finished.
    pub(super) results: BTreeSet<String>,
    /// What it said at its end.
    pub(super) answer: Option<String>,
    /// What it said was wrong.
    pub(super) problems: Vec<String>,
}

/// The same, while it is being heard.
#[derive(Debug, Clone, Default)]
pub(super) struct Ear(Arc<Mutex<Heard>>);

impl Ear {
    pub(super) fn so_far(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hear(&self, line: &str) {
        self.so_far().take(line);
    }
}

impl Heard {
    fn take(&mut self, line: &str) {
        self.lines += 1;
        let said: Value = serde_json::from_str(line).unwrap_or_default();
        let word = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
        match said["event"].as_str() {
            Some("replied") => self.replies += 1,
            Some("result") => drop(self.results.insert(word("id"))),
            Some("end") => self.answer = Some(word("text")),
            Some("problem") => self.problems.push(word("text")),
            Some(_) => {}
            None => self.problems.push(format!("it printed {line:?}")),
        }
    }
}
