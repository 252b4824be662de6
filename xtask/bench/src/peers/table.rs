//! The comparison as Markdown and as JSON.

use std::fmt;

use serde::Serialize;

use crate::figures::digits;

const NOTE: &str = "
Medians of several runs, except where nanobot takes most of a minute: that is one run. louver's context
includes exact token counts and the account of every byte.";

/// What was compared.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    pub(super) louver: String,
    pub(super) nanobot: String,
    pub(super) python: String,
    pub(super) rows: Vec<Row>,
}

/// One comparison.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) what: String,
    pub(super) unit: &'static str,
    pub(super) ours: f64,
    /// Nothing when it could not be measured here.
    pub(super) theirs: Option<f64>,
    pub(super) more_is_better: bool,
}

impl Row {
    /// A comparison of what should be small.
    pub(super) fn new(
        what: impl Into<String>,
        unit: &'static str,
        ours: f64,
        theirs: Option<f64>,
    ) -> Self {
        Row { what: what.into(), unit, ours, theirs, more_is_better: false }
    }

    /// How many times better louver is; below one it is worse.
    fn ratio(&self) -> Option<f64> {
        let theirs = self.theirs?;
        Some(if self.more_is_better { self.ours / theirs } else { theirs / self.ours })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table { louver, nanobot, python, rows } = self;
        writeln!(f, "| | louver {louver} | nanobot {nanobot} (Python {python}) | louver is |")?;
        writeln!(f, "|---|---:|---:|---|")?;
        for row in rows {
            let Row { what, unit, ours, theirs, .. } = row;
            let theirs =
                theirs.map_or("–".to_owned(), |theirs| format!("{} {unit}", digits(theirs)));
            let verdict = match row.ratio() {
                None => "not comparable here".to_owned(),
                Some(ratio) if ratio < 1.0 => format!("**{} × worse**", digits(1.0 / ratio)),
                Some(ratio) => format!("{} × better", digits(ratio)),
            };
            writeln!(f, "| {what} | {} {unit} | {theirs} | {verdict} |", digits(*ours))?;
        }
        f.write_str(NOTE)
    }
}
