//! `forget`: a note that is not recalled again.

use louver_context::snapshot::ToolSchema;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Shared, known, no_note, note_name, unusable};
use crate::tools::{Desk, Output, Running, Tool, arguments, schema};

/// Takes a note out for good.
pub(super) struct Forget(pub(super) Shared);

#[derive(Deserialize, JsonSchema)]
struct ForgetArguments {
    /// A note's name, as recalled
    #[serde(deserialize_with = "note_name")]
    note: String,
}

impl Tool for Forget {
    fn schema(&self) -> ToolSchema {
        schema::<ForgetArguments>("forget", "Never recall a note again.")
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            let ForgetArguments { note } = match arguments(given) {
                Ok(arguments) => arguments,
                Err(wrong) => return wrong,
            };
            let mut reminder = self.0.lock();
            let (session, others) = reminder.known_in(&desk.session, desk.others);
            let library = match reminder.library(&mut |_| {}) {
                Ok((library, _)) => library,
                Err(error) => return unusable(&error),
            };
            let Some(name) = known(library, &note, session, others) else {
                return no_note(library, &note, session, others);
            };
            // Who may know one chat alone changes no other, and is not told which have the same words.
            let done = match others {
                true => library.forget_own(&name),
                false => library.forget(&name),
            };
            match done {
                Ok(Some(_)) if others => Output::said(forgotten(&name, &[])),
                Ok(Some(_)) => {
                    let still = library.still_has(&name).unwrap_or_default();
                    Output::said(forgotten(&name, &still))
                }
                Ok(None) => no_note(library, &note, session, others),
                Err(error) => unusable(&error),
            }
        })
    }
}

/// What is said of a note that was forgotten: who still has it, of more than a few how many.
pub fn forgotten(note: &str, all: &[String]) -> String {
    const NAMED: usize = 5;
    let (still, source) = still_has(note);
    let others: Vec<String> =
        all.iter().filter(|name| *name != source).map(|name| format!("`{name}`")).collect();
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let others = match &*others {
        [] => String::new(),
        [other] => format!(", and so has {other}"),
        all => format!(", and so have {}{more}", all[..all.len().min(NAMED)].join(", ")),
    };
    // What is said stays as it was said. A line of a file may come to say something else.
    let again = match still {
        FILE => "is not recalled again in these words",
        _ => "is never recalled again",
    };
    format!("`{note}` {again}; {still} `{source}` still has it{others}")
}

const FILE: &str = "the file";

/// What still has a note that was forgotten: what it is, and its name.
pub fn still_has(note: &str) -> (&'static str, &str) {
    match note.rsplit_once('#') {
        Some((session, _)) => ("the log of the conversation", session),
        None => (FILE, note.rsplit_once(':').map_or(note, |(file, _)| file)),
    }
}
