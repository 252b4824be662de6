//! What servers that speak OpenAI's format take, and the prompt as one of them takes it.
//!
//! They share a format and differ in what they refuse: fields they do not know, a `null`, a thought
//! that is missing or that is not theirs. A conversation begun on one goes on on another, so what a
//! server would refuse is left out or put right when it is sent, and stays in the log as it was.

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};

use super::safe::{self, Ids};
use super::{anthropic, openai};
use crate::message::{Content, Message, Part, Reasoning, Role, ToolCall};
use crate::prompt::Prompt;
use crate::source::Place;

/// What one server takes of the shared format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dialect {
    /// Which thoughts it takes back.
    pub thoughts: Thoughts,
    /// Which ids of calls it takes.
    pub ids: Ids,
    /// Whether it takes back what it sent beside a call, such as Gemini's signatures.
    pub beside_calls: bool,
    /// Whether a message of nothing but calls says `null`. StepFun wants text, if an empty one.
    pub null: bool,
    /// Whether it caches up to marks, as OpenRouter does for Anthropic's models.
    pub marks: bool,
}

/// Which thoughts of earlier answers a server takes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Thoughts {
    /// None: it refuses fields that it does not know.
    #[default]
    None,
    /// `reasoning_content`, where there is one.
    Content,
    /// `reasoning_content` on every message that calls, or the request is refused. Where another
    /// model called, this text stands for its thought.
    Always(&'static str),
    /// `reasoning_details` as they came; else `reasoning_content`.
    Details,
}

/// The list of messages, the system text first.
#[derive(Debug, Clone, Copy)]
pub struct Messages<'a>(pub &'a Prompt, pub Dialect);

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Messages(prompt, dialect) = *self;
        let mut list = serializer.serialize_seq(None)?;
        if !prompt.system.is_empty() {
            match dialect.marks {
                true => list.serialize_element(&marked_system(prompt))?,
                false => list.serialize_element(&json!({
                    "role": "system", "content": &*prompt.system,
                }))?,
            }
        }
        let newest = prompt.messages.len();
        for (i, message) in (1..).zip(&prompt.messages) {
            let mark = dialect.marks && (i == prompt.history || i == newest);
            list.serialize_element(&Sent { message, dialect, mark })?;
        }
        list.end()
    }
}

/// The tools on offer.
pub fn tools(prompt: &Prompt) -> Vec<Value> {
    prompt.tools.iter().map(openai::tool).collect()
}

/// One message as the server takes it.
struct Sent<'a> {
    message: &'a Message,
    dialect: Dialect,
    mark: bool,
}

impl Serialize for Sent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Sent { message, dialect, .. } = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("role", openai::role(message.role))?;
        if let Some(id) = &message.answers {
            map.serialize_entry("tool_call_id", &dialect.ids.of(id))?;
        }
        match (&message.name, message.role) {
            (Some(name), Role::Tool) => map.serialize_entry("name", &safe::name(name))?,
            // A person's name that is no plain word is refused; the words are there without it.
            (Some(name), _) if *safe::name(name) == **name => map.serialize_entry("name", name)?,
            _ => {}
        }
        self.content(&mut map)?;
        if !message.calls.is_empty() {
            let calls = message.calls.iter().map(|call| sent_call(call, dialect));
            map.serialize_entry("tool_calls", &calls.collect::<Vec<_>>())?;
        }
        thoughts(message, dialect.thoughts, &mut map)?;
        map.end()
    }
}

impl Sent<'_> {
    fn content<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let parts = match &self.message.content {
            Content::Text(text) if self.mark && !text.trim().is_empty() => {
                vec![json!({"type": "text", "text": &**text, "cache_control": anthropic::cache()})]
            }
            Content::Text(text) => return map.serialize_entry("content", text),
            Content::Null => Vec::new(),
            Content::Parts(parts) => {
                let said = parts.iter().filter(|part| says(part));
                said.map(|part| sent_part(part, self.message.role)).collect()
            }
        };
        match parts.is_empty() {
            false => map.serialize_entry("content", &parts),
            true if self.dialect.null && !self.message.calls.is_empty() => {
                map.serialize_entry("content", &Value::Null)
            }
            true => map.serialize_entry("content", ""),
        }
    }
}

/// Whether a part says something: an empty list of parts, or an empty text in one, is refused.
fn says(part: &Part) -> bool {
    !matches!(part, Part::Text(text) if text.trim().is_empty())
}

/// The system text with a mark where a place ends.
fn marked_system(prompt: &Prompt) -> Value {
    let parts =
        prompt.system_blocks().filter(|(_, text)| !text.is_empty()).map(
            |(place, text)| match place < Place::History {
                true => json!({"type": "text", "text": text, "cache_control": anthropic::cache()}),
                false => json!({"type": "text", "text": text}),
            },
        );
    json!({"role": "system", "content": parts.collect::<Vec<_>>()})
}

/// Parts that OpenAI's format has, and but for a person only text. Others would be refused.
fn sent_part(part: &Part, role: Role) -> Value {
    let part = openai::part(part);
    match part["type"].as_str() {
        Some("text") => part,
        Some("image_url" | "input_audio" | "file" | "video_url") if role == Role::User => part,
        of_type => left_out(of_type),
    }
}

/// What stands for a part that a provider does not take.
pub(crate) fn left_out(of_type: Option<&str>) -> Value {
    let what = of_type.unwrap_or("unknown");
    json!({"type": "text", "text": format!("[a part of the type `{what}`, not sent]")})
}

fn sent_call(call: &ToolCall, dialect: Dialect) -> Value {
    let mut value = json!({
        "id": dialect.ids.of(&call.id),
        "type": "function",
        "function": {"name": safe::name(&call.name), "arguments": &*call.arguments},
    });
    if let (true, Value::Object(fields)) = (dialect.beside_calls, &mut value) {
        fields.extend((*call.extra).clone());
    }
    value
}

fn thoughts<M: SerializeMap>(
    message: &Message,
    wanted: Thoughts,
    map: &mut M,
) -> Result<(), M::Error> {
    if message.role != Role::Assistant || wanted == Thoughts::None {
        return Ok(());
    }
    let details = message.reasoning.iter().find_map(|thought| match thought {
        Reasoning::Opaque { key: "reasoning_details", value } => Some(value),
        _ => None,
    });
    if let (Thoughts::Details, Some(details)) = (wanted, details) {
        return map.serialize_entry("reasoning_details", details);
    }
    let said = message.reasoning.iter().find_map(|thought| match thought {
        Reasoning::Content(text) if !text.is_empty() => Some(text),
        _ => None,
    });
    match (said, wanted) {
        (Some(text), _) => map.serialize_entry("reasoning_content", &**text),
        (None, Thoughts::Always(stand_in)) if !message.calls.is_empty() => {
            map.serialize_entry("reasoning_content", stand_in)
        }
        _ => Ok(()),
    }
}
