//! Providers: recorded exchanges are read and answered, every request keeps the rules of the server
//! it goes to, and the sender lives with servers that misbehave.
#![allow(clippy::unwrap_used)]

mod check;
mod errors;
mod replay;
mod requests;
mod sender;
mod server;
mod switch;

use std::sync::Arc;

use louver_agent::provider::{Endpoint, Provider};
use louver_context::snapshot::ToolSchema;
use louver_context::{Message, Place, Prompt, Role};
use serde_json::json;

/// A provider's endpoint, with a key.
pub(crate) fn endpoint(name: &str) -> Endpoint {
    Provider::named(name).unwrap().endpoint(Some("a-very-secret-key".into()))
}

/// A prompt with a tool, a system text in two places and these messages.
pub(crate) fn prompt(messages: Vec<Message>) -> Prompt {
    let tool = |name: &str| ToolSchema {
        name: name.into(),
        description: "Asks a printer how it is.".into(),
        parameters: json!({"type": "object", "properties": {"printer": {}}}),
    };
    Prompt {
        tools: Arc::new([tool("status"), tool("now")]),
        system: "You are careful. Anna likes tea.".into(),
        places: vec![(Place::Always, 16), (Place::Session, 32)],
        history: messages.len().saturating_sub(1),
        messages: messages.into_iter().map(Arc::new).collect(),
    }
}

/// What a person says.
pub(crate) fn person(text: &str) -> Message {
    Message::text(Role::User, text)
}
