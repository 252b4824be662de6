//! `spawn`: hands a task to a subagent, which has a session of its own and reports when it is done.

use std::sync::atomic::Ordering;

use louver_context::snapshot::ToolSchema;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Desk, Output, Running, Tool, Wish, arguments, schema};

/// The tool.
#[derive(Debug)]
pub struct SpawnTool;

/// No more are started for one thing that a person said. A report is answered, and an answer may start another: that
/// would go on, and be paid for, as long as the program runs.
const MOST: u32 = 32;

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// All it needs to know: it does not see this conversation
    task: String,
    /// A few words to call it by
    label: Option<String>,
}

impl Tool for SpawnTool {
    fn schema(&self) -> ToolSchema {
        let what = "Give a long task to a subagent that works beside you. Its result comes to you \
                    as a message when it is done.";
        schema::<Arguments>("spawn", what)
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            let Arguments { task, label } = match arguments(given) {
                Ok(arguments) => arguments,
                Err(wrong) => return wrong,
            };
            if task.trim().is_empty() {
                return Output::failed("an empty `task` cannot be done");
            }
            if desk.started.fetch_add(1, Ordering::Relaxed) >= MOST {
                let what = format!(
                    "{MOST} subagents were started for what the person said, and no more are: \
                     answer with what there is"
                );
                return Output::failed(what);
            }
            let label = label.unwrap_or_else(|| task.chars().take(40).collect());
            let words = format!("started subagent `{label}`; its result will come as a message");
            let wish = Wish::Spawn { session: desk.session.clone(), task, label };
            match desk.out.send(wish) {
                Ok(()) => Output::said(words),
                Err(_) => Output::failed("no subagent can be started here"),
            }
        })
    }
}
