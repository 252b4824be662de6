//! `remember`: a fact for the long-term memory.

use louver_context::fence::is_unseen;
use louver_context::snapshot::ToolSchema;
use louver_store::memory::{Memory, Origin, Who, Written};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::tools::{Desk, Output, Running, Tool, arguments, schema};

/// The most characters of one fact. Memory is in every prompt.
pub(super) const FACT: usize = 1_000;

/// Adds a line to the long-term memory.
pub(super) struct Remember;

#[derive(Deserialize, JsonSchema)]
struct RememberArguments {
    /// One fact, in one line of at most 1000 characters
    text: String,
}

impl Tool for Remember {
    fn schema(&self) -> ToolSchema {
        schema::<RememberArguments>("remember", "Keep a fact in your long-term memory.")
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            let RememberArguments { text } = match arguments(given) {
                Ok(arguments) => arguments,
                Err(wrong) => return wrong,
            };
            // What a stranger says would be in the owner's prompts from then on.
            if desk.others {
                return Output::failed(
                    "this conversation is not the owner's alone, so nothing of it goes into their \
                     memory; what is said here can be recalled here",
                );
            }
            // A file with a zero byte is no text, and nobody could read the rest of it.
            let seen: String =
                text.chars().filter(|c| c.is_whitespace() || !is_unseen(*c)).collect();
            let fact = seen.split_whitespace().collect::<Vec<_>>().join(" ");
            let fact = fact.trim_start_matches("- ");
            if fact.is_empty() {
                return Output::failed("there is nothing to remember in an empty `text`");
            }
            let length = fact.chars().count();
            if length > FACT {
                return Output::failed(format!(
                    "one fact has at most {FACT} characters and this has {length}; say it shorter, \
                     or write it into a file and remember where it is"
                ));
            }
            let from = Origin { session: desk.session.clone(), messages: Vec::new() };
            let written = Memory::open(desk.folder.path()).and_then(|(memory, _)| {
                let written = memory.remember(fact, Who::Agent, Some(from))?;
                Ok((written, memory.peek_shown()?.withholds(fact)))
            });
            match written {
                Ok((Written::Same, true)) => Output::said(
                    "memory has this and it was forgotten, so it is not shown; the person can bring it \
                     back: `louver recall --forgotten` lists it, `--unforget NAME` brings it back",
                ),
                Ok((Written::Same, false)) => {
                    Output::said("memory has this already; nothing was added")
                }
                Ok((Written::Version(_), _)) => {
                    Output::said("remembered; it is in memory/MEMORY.md")
                }
                Err(error) => Output::failed(format!("it could not be written: {error}")),
            }
        })
    }
}
