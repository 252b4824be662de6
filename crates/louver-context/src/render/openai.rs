//! OpenAI's chat completions, which most other servers speak too.

use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};

use super::safe;
use crate::message::{Content, Message, Part, Reasoning, Role, ToolCall};
use crate::prompt::Prompt;
use crate::snapshot::ToolSchema;

/// The body of a request. Tools come first: providers put them before everything else, and so the
/// bytes that stay the same come before the bytes that change.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The model's name.
    pub model: &'a str,
    /// What to send.
    pub prompt: &'a Prompt,
    /// The most tokens of the reply.
    pub reply: u32,
}

impl Serialize for Request<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("model", self.model)?;
        map.serialize_entry("max_completion_tokens", &self.reply)?;
        if !self.prompt.tools.is_empty() {
            let tools: Vec<Value> = self.prompt.tools.iter().map(tool).collect();
            map.serialize_entry("tools", &tools)?;
        }
        map.serialize_entry("messages", &Messages(self.prompt))?;
        map.end()
    }
}

/// The list of messages, the system text first.
#[derive(Debug, Clone, Copy)]
pub struct Messages<'a>(pub &'a Prompt);

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        if !self.0.system.is_empty() {
            let content = Content::Text(self.0.system.clone());
            list.serialize_element(&Row(&Message::new(Role::System, content)))?;
        }
        for message in &self.0.messages {
            list.serialize_element(&Row(message))?;
        }
        list.end()
    }
}

/// One message as it is sent: fields that louver does not know stay behind.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a>(pub &'a Message);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let message = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("role", role(message.role))?;
        if let Some(id) = &message.answers {
            map.serialize_entry("tool_call_id", &**id)?;
        }
        if let Some(name) = &message.name {
            map.serialize_entry("name", &**name)?;
        }
        map.serialize_entry("content", &Body(&message.content))?;
        if !message.calls.is_empty() {
            let calls: Vec<Value> = message.calls.iter().map(call).collect();
            map.serialize_entry("tool_calls", &calls)?;
        }
        reasoning(&message.reasoning, &mut map)?;
        map.end()
    }
}

/// A message as a JSON value, with the fields louver does not know: the form in which it is kept.
pub fn stored(message: &Message) -> Value {
    let mut value = serde_json::to_value(Row(message)).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        fields.extend((*message.extra).clone());
    }
    value
}

/// The messages of a prompt as JSON values.
pub fn messages(prompt: &Prompt) -> Vec<Value> {
    let value = serde_json::to_value(Messages(prompt)).unwrap_or_default();
    match value {
        Value::Array(messages) => messages,
        _ => Vec::new(),
    }
}

pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

struct Body<'a>(&'a Content);

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Content::Null => serializer.serialize_none(),
            Content::Text(text) => serializer.serialize_str(text),
            Content::Parts(parts) => serializer.collect_seq(parts.iter().map(part)),
        }
    }
}

pub(super) fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": &**text}),
        Part::Picture(picture) => match &picture.detail {
            Some(detail) => {
                json!({"type": "image_url", "image_url": {"url": &*picture.url, "detail": &**detail}})
            }
            None => json!({"type": "image_url", "image_url": {"url": &*picture.url}}),
        },
        Part::Other(value) => value.clone(),
    }
}

fn call(call: &ToolCall) -> Value {
    let mut value = json!({
        "id": &*call.id,
        "type": "function",
        "function": {"name": &*call.name, "arguments": &*call.arguments},
    });
    if let Value::Object(fields) = &mut value {
        fields.extend((*call.extra).clone());
    }
    value
}

pub(super) fn tool(tool: &ToolSchema) -> Value {
    json!({"type": "function", "function": {
        "name": safe::name(&tool.name),
        "description": tool.description,
        "parameters": safe::parameters(&tool.parameters),
    }})
}

/// DeepSeek and Kimi want their `reasoning_content` back; signed blocks and encrypted items go
/// back under the keys they came with.
fn reasoning<M: SerializeMap>(reasoning: &[Reasoning], map: &mut M) -> Result<(), M::Error> {
    let mut blocks: Vec<Value> = Vec::new();
    for thought in reasoning {
        match thought {
            Reasoning::Content(text) => map.serialize_entry("reasoning_content", &**text)?,
            Reasoning::Opaque { key, value } => map.serialize_entry(key, value)?,
            Reasoning::Thinking { text, signature } => {
                blocks.push(crate::render::anthropic::thinking(text, signature.as_ref()));
            }
            Reasoning::Redacted(data) => {
                blocks.push(crate::render::anthropic::redacted(data));
            }
        }
    }
    if !blocks.is_empty() {
        map.serialize_entry("thinking_blocks", &blocks)?;
    }
    Ok(())
}

/// Reads a whole history: a JSON list, one JSON object, or a JSON object a line.
///
/// A line that cannot be read costs that line; it comes back with its number, counted from one.
pub fn read_history(text: &str) -> (Vec<Arc<Message>>, Vec<(usize, String)>) {
    let mut messages = Vec::new();
    let mut problems = Vec::new();
    let mut take =
        |line: usize, value: &Value, problems: &mut Vec<_>| match Message::from_openai(value) {
            Ok(message) => messages.push(Arc::new(message)),
            // nanobot's sessions begin with a line about the session itself.
            Err(_) if value.get("_type").is_some() => {}
            Err(error) => problems.push((line, error.to_string())),
        };
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        let list = match &value {
            Value::Object(fields) => fields.get("messages").and_then(Value::as_array),
            value => value.as_array(),
        };
        match list {
            Some(list) => {
                (1..).zip(list).for_each(|(line, value)| take(line, value, &mut problems))
            }
            None => take(1, &value, &mut problems),
        }
        return (messages, problems);
    }
    for (line, text) in (1..).zip(text.lines()) {
        match serde_json::from_str::<Value>(text) {
            Ok(value) => take(line, &value, &mut problems),
            Err(_) if text.trim().is_empty() => {}
            Err(error) => problems.push((line, format!("not JSON: {error}"))),
        }
    }
    (messages, problems)
}
