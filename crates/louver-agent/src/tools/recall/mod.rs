//! `recall`, `expand`, `remember` and `forget`: what was said before, for the model to ask for.

mod expand;
mod forget;
mod remember;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use jiff::Zoned;
use louver_context::fence::is_unseen;
use louver_context::layers::recalled::plain;
use louver_context::snapshot::ToolSchema;
use louver_context::{Counter, Counting, Encoding};
use louver_store::library::{Asking, Library, LibraryError, NEWER, WhyOut};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use self::expand::Expand;
use self::forget::Forget;
use self::remember::Remember;
use super::disk::count;
use super::{Desk, Output, Running, Tool, arguments, schema};

pub use self::forget::{forgotten, still_has};
pub use crate::embeddings::Shared;

/// The tokens of one call's answer, unless it asks for others, and at most.
const USUAL: u32 = 1_000;
const MOST: u32 = 4_000;

/// The tools. Without notes to recall, results that were shortened can still be shown and facts remembered.
pub fn all(shared: Option<&Shared>) -> Vec<Arc<dyn Tool>> {
    let expand = Arc::new(Expand(shared.cloned()));
    match shared {
        None => vec![expand, Arc::new(Remember)],
        Some(shared) => vec![
            Arc::new(Recall(shared.clone())),
            expand,
            Arc::new(Remember),
            Arc::new(Forget(shared.clone())),
        ],
    }
}

/// What stands before a note: when it was said, its name and who said it. A file may have a line break in its name, and
/// none of it may pass for another note.
fn head(day: &str, name: &str, who: &str) -> String {
    let on_one_line = |c: char| if c.is_control() || is_unseen(c) { ' ' } else { c };
    format!("[{}]", format!("{day}{name} {who}").chars().map(on_one_line).collect::<String>())
}

fn unusable(error: &LibraryError) -> Output {
    Output::failed(format!("{error}; {}", error.hint()))
}

/// The name of a note that the one who asks may know.
fn known(library: &mut Library, note: &str, session: &str, others: bool) -> Option<String> {
    let name = library.name_of(note).ok()??;
    library.may_know(&name, session, others).ok()?.then_some(name)
}

/// That there is no such note, or none any more.
fn no_note(library: &Library, note: &str, session: &str, others: bool) -> Output {
    // In company only what was said here is spoken of.
    let may_know = |name: &str| !others || name.starts_with(&format!("{session}#"));
    match library.was_forgotten(note) {
        Ok(Some(name)) if may_know(&name) => {
            Output::said(format!("`{name}` was forgotten already"))
        }
        _ => Output::failed(format!("there is no note `{note}`; recall finds them")),
    }
}

/// A note's name or number. Models write the number as one, which loses the zeros before it.
fn note_name<'de, D: Deserializer<'de>>(given: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "`note` must be a note's name or number")]
    enum Given {
        Name(String),
        Number(u64),
    }
    Ok(match Given::deserialize(given)? {
        Given::Name(name) => name,
        Given::Number(number) => format!("{number:09}"),
    })
}

/// Finds notes.
struct Recall(Shared);

#[derive(Deserialize, JsonSchema)]
struct RecallArguments {
    /// A question or words
    query: String,
    /// Tokens to spend
    budget: Option<u32>,
}

impl Tool for Recall {
    fn schema(&self) -> ToolSchema {
        let what = "Search everything said and noted before, in all conversations.";
        schema::<RecallArguments>("recall", what)
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            let given: RecallArguments = match arguments(given) {
                Ok(arguments) => arguments,
                Err(wrong) => return wrong,
            };
            let sense = self.0.sense(&given.query).await;
            let mut reminder = self.0.lock();
            let (session, others) = reminder.known_in(&desk.session, desk.others);
            if let Err(error) = reminder.library(&mut |_| {}) {
                return unusable(&error);
            }
            let counter = Counter::new(Counting::Exact(Encoding::O200k));
            let budget = given.budget.unwrap_or(USUAL).min(MOST);
            let asking = Asking {
                text: &given.query,
                before: None,
                now: Some(Zoned::now().datetime()),
                budget,
                session,
                others,
                in_view: &desk.in_view,
                shown: &[],
            };
            let tokens = |text: &str| counter.count(text).0 + 8;
            let recalled = match reminder.recall(&asking, sense.as_ref(), &tokens) {
                Ok((recalled, _)) => recalled,
                Err(error) => return unusable(&error),
            };
            if recalled.taken.is_empty() {
                let no_room = recalled.left.iter().any(|left| left.why == WhyOut::Room);
                return Output::said(match no_room {
                    false => "nothing that was said or noted and is not in view fits that; try \
                                 other words"
                        .to_owned(),
                    true if recalled.room < budget => format!(
                        "no note fits that well enough for more than {} tokens, and those that \
                         may are longer; try other words",
                        recalled.room
                    ),
                    true => format!(
                        "no note that fits has room in {budget} tokens; ask with a `budget` of \
                         {USUAL}"
                    ),
                });
            }
            let mut data = String::new();
            for taken in &recalled.taken {
                let day =
                    if taken.day.is_empty() { String::new() } else { format!("{} · ", taken.day) };
                let rest = if taken.whole { "" } else { " […]" };
                let text = plain(taken.text.trim_end());
                let older = if taken.newer.is_some() { NEWER } else { "" };
                // A file by its way from its folder: `expand` knows it by that, too.
                let line = taken.place.rsplit_once(':').filter(|_| taken.place.starts_with('/'));
                let brief = line.map(|(_, line)| format!("{}:{line}", taken.source));
                let head = head(&day, brief.as_ref().unwrap_or(&taken.place), &taken.who);
                data.push_str(&format!("{head} {text}{rest}{older}\n"));
            }
            let left = recalled.left.len();
            let notes = count(recalled.taken.len(), "note");
            Output::said(format!("{notes}, best first; {left} more were left out")).with(data)
        })
    }
}
