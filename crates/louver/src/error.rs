//! What goes wrong, for the person: what happened, a hint to paste, an exit code.

use std::collections::HashMap;
use std::fmt;
use std::process::ExitCode;

use louver_context::DoesNotFit;
use louver_store::{Problem, ReadError, Severity};

use crate::screen;

/// Something that ends the command.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    hints: Vec<String>,
    code: Code,
}

/// Exit codes, as `--help` lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// Something failed.
    Failed = 1,
    /// The command line, or a rule in the settings, was not understood.
    Usage = 2,
    /// The request does not fit.
    DoesNotFit = 3,
    /// No workspace, or its settings cannot be read.
    Workspace = 4,
    /// A check found something.
    Found = 5,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        ExitCode::from(code as u8)
    }
}

impl Failure {
    pub(crate) fn new(code: Code, what: impl fmt::Display) -> Self {
        Failure { what: what.to_string(), hints: Vec::new(), code }
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hints.push(hint.to_string());
        self
    }

    /// The same, with where it is.
    #[must_use]
    pub(crate) fn at(self, place: &str) -> Self {
        Failure { what: format!("{place}: {}", self.what), ..self }
    }

    /// What helps first.
    pub(crate) fn first_hint(&self) -> Option<&str> {
        self.hints.first().map(String::as_str)
    }

    /// The same where something goes on without it, which is said first.
    pub(crate) fn warning(&self, without: &str) -> Problem {
        let problem = Problem::warning(without, self.what.as_str());
        match self.first_hint() {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    }

    /// The error as the last line of `--json`.
    pub(crate) fn event(&self) -> serde_json::Value {
        serde_json::json!({
            "event": "error", "message": self.what, "hints": self.hints, "code": self.code as u8,
        })
    }

    /// Prints the error with its hints and says which code to leave with.
    pub(crate) fn report(&self) -> ExitCode {
        screen::message("error", &self.what, screen::Tone::Bad);
        for hint in &self.hints {
            screen::message("hint", hint, screen::Tone::Quiet);
        }
        self.code.into()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl From<DoesNotFit> for Failure {
    fn from(error: DoesNotFit) -> Self {
        Failure::new(Code::DoesNotFit, &error).hint(error.hint())
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Failure::new(Code::Workspace, error)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure::new(Code::Failed, format!("{error:#}"))
    }
}

/// So many problems that say the same are shown one by one.
const ALIKE: usize = 3;

/// Prints problems that did not end the command. Notes are for `doctor` and `skills check`, and so are most of many
/// that say the same.
pub(crate) fn warn(problems: &[Problem]) {
    let mut told: HashMap<&str, usize> = HashMap::new();
    for problem in problems.iter().filter(|problem| problem.severity > Severity::Note) {
        let times = told.entry(&problem.what).or_default();
        *times += 1;
        if *times > ALIKE {
            continue;
        }
        screen::message("warning", &problem.to_string(), screen::Tone::Odd);
        if let Some(hint) = &problem.hint {
            screen::message("hint", hint, screen::Tone::Quiet);
        }
    }
    let more: usize = told.values().map(|times| times.saturating_sub(ALIKE)).sum();
    if more > 0 {
        screen::message("warning", &format!("{more} more like these"), screen::Tone::Odd);
        let hint = "`louver doctor` lists all of a workspace, `louver sessions repair` of its conversations";
        screen::message("hint", hint, screen::Tone::Quiet);
    }
}

/// The candidate that was probably meant.
pub(crate) fn meant<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
