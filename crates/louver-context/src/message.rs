//! Messages before any provider's format: roles, text and picture parts, tool calls and results,
//! reasoning. What louver does not know is kept, so that reading and writing loses nothing.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::picture::Picture;
use crate::unknown::Unknown;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The instructions above the conversation.
    System,
    /// A person.
    User,
    /// The model.
    Assistant,
    /// A tool, answering a call.
    Tool,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Content,
    /// Calls of tools, on an assistant's message.
    pub calls: Vec<ToolCall>,
    /// The id of the call that a tool's message answers.
    pub answers: Option<Arc<str>>,
    /// The tool's name on its message, or a person's.
    pub name: Option<Arc<str>>,
    /// What the model thought, in the forms that providers want back.
    pub reasoning: Vec<Reasoning>,
    /// Fields louver does not know. They are kept and written back, not sent.
    pub extra: Unknown,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Nothing, as beside tool calls. It is sent as `null`: some providers reject a message
    /// without the key.
    Null,
    /// Plain text.
    Text(Arc<str>),
    /// Text and pictures in order.
    Parts(Vec<Part>),
}

/// One part of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Text.
    Text(Arc<str>),
    /// A picture.
    Picture(Arc<Picture>),
    /// A part louver does not know (audio, a document), as it came.
    Other(Value),
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The call's id, which its result repeats.
    pub id: Arc<str>,
    /// The tool's name.
    pub name: Arc<str>,
    /// The arguments as the model wrote them: JSON, if it wrote well.
    pub arguments: Arc<str>,
    /// Fields louver does not know, such as signatures that must go back with the call.
    pub extra: Unknown,
}

/// What a model thought, in the form its provider wants back.
#[derive(Debug, Clone, PartialEq)]
pub enum Reasoning {
    /// `reasoning_content`, as DeepSeek and Kimi send it.
    Content(Arc<str>),
    /// A thinking block with the signature that proves it is unmodified.
    Thinking {
        /// The thought.
        text: Arc<str>,
        /// The provider's signature.
        signature: Option<Arc<str>>,
    },
    /// A thinking block that is encrypted.
    Redacted(Arc<str>),
    /// Reasoning items that only their provider can read, under the key they came with.
    Opaque {
        /// The key, such as `reasoning_details`.
        key: &'static str,
        /// The items.
        value: Value,
    },
}

/// Keys under which providers send reasoning that only they can read.
const OPAQUE: &[&str] = &["reasoning_details", "reasoning_items"];

/// Stands where pictures were that a provider refused.
const REFUSED_PICTURE: &str = "[what was a picture here cannot be seen: the provider refused it]";

/// A message that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMessage {
    /// It is not a JSON object.
    #[error("a message must be a JSON object, not {0}")]
    NotAnObject(&'static str),
    /// It says nobody, or someone unknown, speaks.
    #[error("`role` must be system, user, assistant or tool, not {0}")]
    Role(String),
    /// Its content has a form that no provider has.
    #[error("`content` must be text, a list of parts or null, not {0}")]
    Content(&'static str),
}

impl Message {
    /// A message that is just text.
    pub fn text(role: Role, text: impl Into<Arc<str>>) -> Self {
        Message::new(role, Content::Text(text.into()))
    }

    /// A message with nothing but its role and content.
    pub fn new(role: Role, content: Content) -> Self {
        Message {
            role,
            content,
            calls: Vec::new(),
            answers: None,
            name: None,
            reasoning: Vec::new(),
            extra: Unknown::default(),
        }
    }

    /// A tool's answer to a call.
    pub fn result(
        id: impl Into<Arc<str>>,
        name: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
    ) -> Self {
        let mut message = Message::text(Role::Tool, text);
        message.answers = Some(id.into());
        message.name = Some(name.into());
        message
    }

    /// Reads a message in the form of OpenAI's chat completions, which nanobot's sessions share.
    pub fn from_openai(value: &Value) -> Result<Self, BadMessage> {
        let Value::Object(fields) = value else {
            return Err(BadMessage::NotAnObject(kind(value)));
        };
        let mut message = Message::new(role(fields.get("role"))?, content(fields.get("content"))?);
        for (key, value) in fields {
            message.take(key, value);
        }
        Ok(message)
    }

    /// Takes one field of the JSON form; what it does not know goes to `extra`.
    fn take(&mut self, key: &str, value: &Value) {
        match (key, value) {
            ("role" | "content", _) | ("tool_calls" | "thinking_blocks", Value::Null) => {}
            ("tool_calls", Value::Array(calls)) => {
                self.calls = calls.iter().map(ToolCall::from_openai).collect();
            }
            ("tool_call_id", Value::String(id)) => self.answers = Some(id.as_str().into()),
            ("name", Value::String(name)) => self.name = Some(name.as_str().into()),
            ("reasoning_content", Value::String(text)) => {
                self.reasoning.push(Reasoning::Content(text.as_str().into()));
            }
            ("thinking_blocks", Value::Array(blocks)) => {
                self.reasoning.extend(blocks.iter().filter_map(Reasoning::from_block));
            }
            (key, value) => match OPAQUE.iter().find(|opaque| **opaque == key) {
                Some(key) => self.reasoning.push(Reasoning::Opaque { key, value: value.clone() }),
                None => drop(self.extra.insert(key.to_owned(), value.clone())),
            },
        }
    }

    /// The message's text parts, in order.
    pub fn texts(&self) -> impl Iterator<Item = &Arc<str>> {
        let (one, many) = match &self.content {
            Content::Null => (None, &[][..]),
            Content::Text(text) => (Some(text), &[][..]),
            Content::Parts(parts) => (None, parts.as_slice()),
        };
        one.into_iter().chain(many.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            _ => None,
        }))
    }

    /// Whether there is a picture in it.
    pub fn has_picture(&self) -> bool {
        let Content::Parts(parts) = &self.content else { return false };
        parts.iter().any(|part| matches!(part, Part::Picture(_)))
    }

    /// The same without its pictures: its texts, and a line that says what is missing.
    #[must_use]
    pub fn without_pictures(&self) -> Self {
        let texts = self.texts().map(|text| &**text).chain([REFUSED_PICTURE]);
        let text = texts.collect::<Vec<_>>().join("\n\n");
        Message { content: Content::Text(text.into()), ..self.clone() }
    }

    /// Whether the message says nothing at all.
    pub fn is_silent(&self) -> bool {
        let said = match &self.content {
            Content::Null => false,
            Content::Text(text) => !text.trim().is_empty(),
            Content::Parts(parts) => parts.iter().any(|part| match part {
                Part::Text(text) => !text.trim().is_empty(),
                _ => true,
            }),
        };
        !said && self.calls.is_empty()
    }
}

impl Content {
    /// The content's parts, with plain text as one part.
    pub fn into_parts(self) -> Vec<Part> {
        match self {
            Content::Null => Vec::new(),
            Content::Text(text) => vec![Part::Text(text)],
            Content::Parts(parts) => parts,
        }
    }
}

impl ToolCall {
    /// Reads a call; what is missing is left empty, and pairing mends or drops it.
    fn from_openai(value: &Value) -> Self {
        let empty = Map::new();
        let fields = value.as_object().unwrap_or(&empty);
        let function = fields.get("function").and_then(Value::as_object).unwrap_or(&empty);
        let text = |value: Option<&Value>| -> Arc<str> {
            match value {
                Some(Value::String(text)) => text.as_str().into(),
                Some(Value::Null) | None => "".into(),
                Some(other) => other.to_string().into(),
            }
        };
        let known = ["id", "type", "function"];
        let extra = fields.iter().filter(|(key, _)| !known.contains(&key.as_str()));
        ToolCall {
            id: text(fields.get("id")),
            name: text(function.get("name")),
            arguments: text(function.get("arguments")),
            extra: extra.map(|(key, value)| (key.clone(), value.clone())).collect(),
        }
    }
}

impl Reasoning {
    /// Reads one of Anthropic's thinking blocks.
    fn from_block(block: &Value) -> Option<Self> {
        let text = |key: &str| block.get(key).and_then(Value::as_str).map(Arc::<str>::from);
        match block.get("type").and_then(Value::as_str)? {
            "thinking" => Some(Reasoning::Thinking {
                text: text("thinking").unwrap_or_else(|| "".into()),
                signature: text("signature"),
            }),
            "redacted_thinking" => text("data").map(Reasoning::Redacted),
            _ => None,
        }
    }
}

fn role(value: Option<&Value>) -> Result<Role, BadMessage> {
    match value {
        Some(Value::String(role)) => match role.as_str() {
            "system" | "developer" => Ok(Role::System),
            "user" => Ok(Role::User),
            "assistant" => Ok(Role::Assistant),
            "tool" | "function" => Ok(Role::Tool),
            other => Err(BadMessage::Role(format!("`{}`", head(other)))),
        },
        Some(other) => Err(BadMessage::Role(kind(other).to_owned())),
        None => Err(BadMessage::Role("nothing".to_owned())),
    }
}

fn content(value: Option<&Value>) -> Result<Content, BadMessage> {
    match value {
        None | Some(Value::Null) => Ok(Content::Null),
        Some(Value::String(text)) => Ok(Content::Text(text.as_str().into())),
        Some(Value::Array(parts)) => Ok(Content::Parts(parts.iter().map(part).collect())),
        Some(other) => Err(BadMessage::Content(kind(other))),
    }
}

fn part(value: &Value) -> Part {
    let of_type = value.get("type").and_then(Value::as_str);
    let text = value.get("text").and_then(Value::as_str);
    let url = value.get("image_url");
    match (of_type, text, value) {
        (Some("text"), Some(text), _) => Part::Text(text.into()),
        (None, None, Value::String(text)) => Part::Text(text.as_str().into()),
        (Some("image_url"), _, _) => {
            let link = url.and_then(|url| url.get("url").or(Some(url))).and_then(Value::as_str);
            let detail = url.and_then(|url| url.get("detail")).and_then(Value::as_str);
            match link {
                Some(link) => Part::Picture(Arc::new(Picture::from_url(link, detail))),
                None => Part::Other(value.clone()),
            }
        }
        _ => Part::Other(value.clone()),
    }
}

/// What a JSON value is, for people.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The first forty characters, so that an error never prints a whole file.
fn head(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_known_is_kept() {
        let value = json!({"role": "user", "content": "hi", "timestamp": "2026-02-25", "x": [1]});
        let message = Message::from_openai(&value).unwrap();
        assert_eq!(
            Value::Object((*message.extra).clone()),
            json!({"timestamp": "2026-02-25", "x": [1]})
        );
    }

    #[test]
    fn reasoning_is_read_in_every_form() {
        let value = json!({"role": "assistant", "content": null, "reasoning_content": "hm",
            "thinking_blocks": [{"type": "thinking", "thinking": "t", "signature": "s"},
                                {"type": "redacted_thinking", "data": "d"}],
            "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]});
        let message = Message::from_openai(&value).unwrap();
        let details = json!([{"type": "reasoning.encrypted", "data": "x"}]);
        assert_eq!(
            message.reasoning,
            vec![
                Reasoning::Content("hm".into()),
                Reasoning::Thinking { text: "t".into(), signature: Some("s".into()) },
                Reasoning::Redacted("d".into()),
                Reasoning::Opaque { key: "reasoning_details", value: details },
            ]
        );
    }

    #[test]
    fn arguments_that_are_an_object_become_text() {
        let value = json!({"role": "assistant", "tool_calls":
            [{"id": "1", "function": {"name": "f", "arguments": {"a": 1}}, "extra_content": {}}]});
        let call = Message::from_openai(&value).unwrap().calls.remove(0);
        assert_eq!((&*call.arguments, call.extra.len()), ("{\"a\":1}", 1));
    }

    #[test]
    fn a_message_without_a_known_role_is_refused() {
        for value in [json!({"content": "x"}), json!({"role": "boss"}), json!([1]), json!(null)] {
            assert!(Message::from_openai(&value).is_err(), "{value}");
        }
    }
}
