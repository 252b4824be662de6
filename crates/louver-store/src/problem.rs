//! Something that is wrong with one file, said so that its owner can mend it.
//!
//! A broken part costs that part: readers return what they understood and a list of these.
//! Hints are data, printed by the command line and the inspector, never part of the message.

use std::fmt;

use serde::Serialize;

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, relative to the workspace where it lies in it.
    pub path: String,
    /// The line, counted from 1, when one line is to blame.
    pub line: Option<u32>,
    /// What is wrong, in lower case and without a full stop.
    pub what: String,
    /// What would mend it.
    pub hint: Option<String>,
    /// How much it costs.
    pub severity: Severity,
}

/// How much a [`Problem`] costs. The order is from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is lost; someone may want to know.
    Note,
    /// Something was guessed or cut.
    Warning,
    /// The part could not be used at all.
    Error,
}

impl Problem {
    /// A problem that costs nothing.
    pub fn note(path: impl Into<String>, what: impl Into<String>) -> Problem {
        Problem::new(path, what, Severity::Note)
    }

    /// A problem after which something was guessed or cut.
    pub fn warning(path: impl Into<String>, what: impl Into<String>) -> Problem {
        Problem::new(path, what, Severity::Warning)
    }

    /// A problem that cost the whole part.
    pub fn error(path: impl Into<String>, what: impl Into<String>) -> Problem {
        Problem::new(path, what, Severity::Error)
    }

    fn new(path: impl Into<String>, what: impl Into<String>, severity: Severity) -> Problem {
        Problem { path: path.into(), line: None, what: what.into(), hint: None, severity }
    }

    /// The same problem, on this line.
    #[must_use]
    pub fn at(mut self, line: impl Into<Option<u32>>) -> Problem {
        self.line = line.into();
        self
    }

    /// The same problem, with its remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} line {line}: {}", self.path, self.what),
            None => write!(f, "{}: {}", self.path, self.what),
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_reads_as_a_place_and_a_reason() {
        let problem = Problem::error("skills/invoice/SKILL.md", "`description` is missing").at(3);
        assert_eq!(problem.to_string(), "skills/invoice/SKILL.md line 3: `description` is missing");
        assert_eq!(Problem::note("AGENTS.md", "it is empty").to_string(), "AGENTS.md: it is empty");
    }

    #[test]
    fn severities_are_ordered_and_serialised_by_name() {
        assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
        let problem = Problem::warning("a", "b").at(1).hint("c");
        assert_eq!(
            serde_json::to_string(&problem).unwrap(),
            r#"{"path":"a","line":1,"what":"b","hint":"c","severity":"warning"}"#
        );
    }
}
