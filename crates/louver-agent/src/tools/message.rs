//! `message`: says something to the person before the turn ends.

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
    /// Not offered, since there is one chat that can be reached. A model may know them from elsewhere, and is told.
    #[schemars(skip)]
    channel: Option<String>,
    #[schemars(skip)]
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
            let (here, this) = (&desk.channel, &desk.chat);
            let channel = channel.unwrap_or_else(|| here.clone());
            let chat = chat.unwrap_or_else(|| this.clone());
            let to = format!("{channel}:{chat}");
            if (&channel, &chat) != (here, this) {
                // Whoever hears the wish has one place to say it, and would say it there.
                return Output::failed(format!(
                    "nothing was said: {to} cannot be reached from here, only {here}:{this}; leave \
                     out `channel` and `chat` to say it there",
                ));
            }
            match desk.out.send(Wish::Say { channel, chat, text }) {
                Ok(()) => Output::said(format!("said to {to}")),
                Err(_) => Output::failed(format!("nobody can be reached at {to}")),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::Bench;
    use super::*;

    #[test]
    fn only_what_works_is_offered() {
        let fields = &MessageTool.schema().parameters["properties"];
        let fields: Vec<&String> = fields.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["text"]);
    }

    #[test]
    fn only_a_chat_that_is_there_is_said_to_be_reached() {
        let mut bench = Bench::new();
        let (out, mut wishes) = tokio::sync::mpsc::unbounded_channel();
        bench.desk.out = out;
        let far = json!({"text": "Hello", "channel": "telegram", "chat": "12345"});
        for elsewhere in [far, json!({"text": "Hello", "chat": "2"})] {
            let output = bench.run(&MessageTool, elsewhere);
            assert!(output.failed && output.words.contains("only test:1"), "{output:?}");
        }
        assert!(wishes.try_recv().is_err());
        for here in [json!({"text": "Hello"}), json!({"text": "Hello", "channel": "test"})] {
            assert_eq!(bench.run(&MessageTool, here), Output::said("said to test:1"));
        }
    }
}
