//! The prompt: what is sent, before it is put into a provider's format.

use std::sync::Arc;

use crate::ledger::Field;
use crate::message::{Content, Message, Part, Reasoning};
use crate::render::safe;
use crate::snapshot::ToolSchema;
use crate::source::Place;

/// What is sent, before it is put into a provider's format.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The tools on offer.
    pub tools: Arc<[ToolSchema]>,
    /// The text above the conversation.
    pub system: Arc<str>,
    /// Where each place's text ends in `system`. Providers are told to cache up to there.
    pub places: Vec<(Place, usize)>,
    /// The conversation, the newest message last.
    pub messages: Vec<Arc<Message>>,
    /// How many of the messages are history. The rest belongs to this turn.
    pub history: usize,
}

impl Prompt {
    /// The system text, place by place.
    pub fn system_blocks(&self) -> impl Iterator<Item = (Place, &str)> {
        let starts = std::iter::once(0).chain(self.places.iter().map(|(_, end)| *end));
        self.places
            .iter()
            .zip(starts)
            .map(|((place, end), start)| (*place, &self.system[start..*end]))
    }
}

/// Calls `visit` with every text of a message that travels, and with which text it is.
///
/// Pictures are visited by their address; see [`Part::Picture`] for what they cost.
pub fn each_text(message: &Message, mut visit: impl FnMut(Field, &str)) {
    for (i, reasoning) in (0..).zip(&message.reasoning) {
        match reasoning {
            Reasoning::Content(text) | Reasoning::Redacted(text) => {
                visit(Field::Reasoning(i), text);
            }
            Reasoning::Thinking { text, signature: None } => visit(Field::Reasoning(i), text),
            Reasoning::Thinking { text, signature: Some(signature) } => {
                visit(Field::Reasoning(i), &format!("{text}\n{signature}"));
            }
            Reasoning::Opaque { value, .. } => visit(Field::Reasoning(i), &value.to_string()),
        }
    }
    match &message.content {
        Content::Null => {}
        Content::Text(text) => visit(Field::Part(0), text),
        Content::Parts(parts) => (0..).zip(parts).for_each(|(i, part)| match part {
            Part::Text(text) => visit(Field::Part(i), text),
            Part::Picture(picture) => visit(Field::Part(i), &picture.url),
            Part::Other(value) => visit(Field::Part(i), &value.to_string()),
        }),
    }
    for (i, call) in (0..).zip(&message.calls) {
        let mut text = format!("{}\n{}\n{}", call.id, call.name, call.arguments);
        if !call.extra.is_empty() {
            text.push('\n');
            text.push_str(&serde_json::Value::Object((*call.extra).clone()).to_string());
        }
        visit(Field::Call(i), &text);
    }
    match (&message.answers, &message.name) {
        (Some(id), Some(name)) => visit(Field::Label, &format!("{id}\n{name}")),
        (Some(label), None) | (None, Some(label)) => visit(Field::Label, label),
        (None, None) => {}
    }
}

/// A tool's schema as the text that is counted.
pub fn tool_text(tool: &ToolSchema) -> String {
    serde_json::json!({
        "name": safe::name(&tool.name),
        "description": tool.description,
        "parameters": safe::parameters(&tool.parameters),
    })
    .to_string()
}
