//! `message`: says something to the person before the turn ends, here or in another chat.

use louver_context::snapshot::ToolSchema;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Desk, Output, Running, Tool, Wish, arguments, schema};

/// The tool.
#[derive(Debug)]
pub struct MessageTool;

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    text: String,
    /// Another channel than this one
    channel: Option<String>,
    /// Another chat than this one
    chat: Option<String>,
}

impl Tool for MessageTool {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>(
            "message",
            "Say something to the person now. Your answer needs no tool.",
        )
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            let Arguments { text, channel, chat } = match arguments(given) {
                Ok(arguments) => arguments,
                Err(wrong) => return wrong,
            };
            if text.trim().is_empty() {
                return Output::failed("there is nothing to say in an empty `text`");
            }
            let channel = channel.unwrap_or_else(|| desk.channel.clone());
            let chat = chat.unwrap_or_else(|| desk.chat.clone());
            let to = format!("{channel}:{chat}");
            match desk.out.send(Wish::Say { channel, chat, text }) {
                Ok(()) => Output::said(format!("said to {to}")),
                Err(_) => Output::failed(format!("nobody can be reached at {to}")),
            }
        })
    }
}
