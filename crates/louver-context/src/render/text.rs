//! The prompt as text for people: the same words, with a line before each message.

use std::fmt::Write;
use std::sync::Arc;

use crate::message::{Content, Message, Part, Reasoning, Role};
use crate::prompt::Prompt;

/// The whole prompt. Pictures are named, not shown.
pub fn render(prompt: &Prompt) -> String {
    let mut text = String::new();
    for tool in prompt.tools.iter() {
        let _ = writeln!(text, "=== tool {} ===\n{}\n", tool.name, tool.description);
    }
    if !prompt.system.is_empty() {
        let _ = writeln!(text, "=== system ===\n{}\n", prompt.system);
    }
    text.push_str(&messages(&prompt.messages));
    text
}

/// Messages, with a line before each.
pub fn messages(messages: &[Arc<Message>]) -> String {
    let mut text = String::new();
    messages.iter().for_each(|message| write_message(message, &mut text));
    text
}

fn write_message(message: &Message, text: &mut String) {
    let who = match (message.role, &message.name) {
        (Role::System, _) => "system".to_owned(),
        (Role::User, _) => "user".to_owned(),
        (Role::Assistant, _) => "assistant".to_owned(),
        (Role::Tool, Some(name)) => format!("result of {name}"),
        (Role::Tool, None) => "result".to_owned(),
    };
    let _ = writeln!(text, "=== {who} ===");
    for thought in &message.reasoning {
        if let Reasoning::Content(thought) | Reasoning::Thinking { text: thought, .. } = thought {
            let _ = writeln!(text, "(thinks) {thought}");
        }
    }
    match &message.content {
        Content::Null => {}
        Content::Text(said) => drop(writeln!(text, "{said}")),
        Content::Parts(parts) => parts.iter().for_each(|part| write_part(part, text)),
    }
    for call in &message.calls {
        let _ = writeln!(text, "(calls) {} {}", call.name, call.arguments);
    }
    text.push('\n');
}

fn write_part(part: &Part, text: &mut String) {
    let _ = match part {
        Part::Text(said) => writeln!(text, "{said}"),
        Part::Picture(picture) => match picture.size {
            Some((width, height)) => writeln!(text, "[picture, {width} × {height}]"),
            None => writeln!(text, "[picture]"),
        },
        Part::Other(value) => writeln!(text, "[part: {value}]"),
    };
}
