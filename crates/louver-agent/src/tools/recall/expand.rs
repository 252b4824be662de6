//! `expand`: what stands around a note, and the whole of what was shortened.

use louver_context::layers::recalled::plain;
use louver_context::snapshot::ToolSchema;
use louver_store::notes::Note;
use louver_store::session::LONG_RESULT;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Shared, head, known, no_note, note_name, unusable};
use crate::tools::disk::count;
use crate::tools::read_file::first_page;
use crate::tools::{Desk, Output, Running, Tool, arguments, schema};

/// The most notes that are shown on each side of one.
const BESIDE: u32 = 20;

/// Shows what stands around a note.
pub(super) struct Expand(pub(super) Option<Shared>);

#[derive(Deserialize, JsonSchema)]
struct ExpandArguments {
    /// A note's name, or what stands where something was cut
    #[serde(deserialize_with = "note_name")]
    note: String,
    /// How many notes before and after it
    beside: Option<u32>,
}

impl Tool for Expand {
    fn schema(&self) -> ToolSchema {
        let what = "Show a recalled note with its surroundings, or a shortened result, whole.";
        schema::<ExpandArguments>("expand", what)
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            let given: ExpandArguments = match arguments(given) {
                Ok(arguments) => arguments,
                Err(wrong) => return wrong,
            };
            if let Some(text) = (desk.kept)(&given.note) {
                // More would be shortened again.
                return match text.len() > LONG_RESULT {
                    true => first_page(&given.note, &text),
                    false => Output::said(format!("the whole of `{}`", given.note)).with(text),
                };
            }
            let Some(shared) = &self.0 else {
                return Output::failed(format!("there is no result `{}`", given.note));
            };
            let mut reminder = shared.lock();
            let (session, others) = reminder.known_in(&desk.session, desk.others);
            let library = match reminder.library(&mut |_| {}) {
                Ok((library, _)) => library,
                Err(error) => return unusable(&error),
            };
            // A prompt has the name of a file above its notes.
            let first = library.first_of(&given.note).ok().flatten();
            let note = first.as_ref().unwrap_or(&given.note);
            let Some(name) = known(library, note, session, others) else {
                return no_note(library, &given.note, session, others);
            };
            let beside = given.beside.unwrap_or(2).min(BESIDE);
            match library.around(&name, beside + 1) {
                Ok(mut notes) => {
                    let more = cut(&mut notes, &name, beside as usize);
                    let data: String = notes.iter().map(line).collect();
                    let notes = count(notes.len(), "note");
                    Output::said(format!("{notes} in their order{more}")).with(data)
                }
                Err(error) => unusable(&error),
            }
        })
    }
}

/// Leaves out what stands further from a note than was asked for, and says on which side there was more.
fn cut(notes: &mut Vec<Note>, name: &str, beside: usize) -> &'static str {
    let at = notes.iter().position(|note| note.place == name).unwrap_or(0);
    let (before, after) = (at > beside, notes.len() > at + beside + 1);
    if after {
        notes.pop();
    }
    if before {
        notes.remove(0);
    }
    match (before, after) {
        (false, false) => "",
        (true, false) => "; there are more before: expand the first of these",
        (false, true) => "; there are more after: expand the last of these",
        (true, true) => "; there are more before and after: expand the first or the last of these",
    }
}

/// A note as a line: its name, who said it, what it says.
fn line(note: &Note) -> String {
    let day = note.time.map_or_else(String::new, |time| format!("{} · ", time.clock().date()));
    format!("{} {}\n", head(&day, &note.place, &note.who), plain(note.text.trim_end()))
}
