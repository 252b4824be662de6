//! Anthropic's messages: system blocks, tool use and results as blocks, thinking, cache marks.
//!
//! Anthropic caches up to marks that the request sets, four at the most. They stand where text of
//! one place ends: after the tools and what is always the same, after what a session fixes, after
//! the history, and after the newest message. The last one is what the next request reads: a turn
//! of ten steps pays for each result once.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::dialect::left_out;
use super::safe::{self, Ids};
use crate::message::{Content, Message, Part, Reasoning, Role, ToolCall};
use crate::picture::Picture;
use crate::prompt::Prompt;
use crate::source::Place;

/// The body of a request.
pub fn request(model: &str, prompt: &Prompt, reply: u32) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    body.insert("max_tokens".into(), json!(reply));
    if !prompt.tools.is_empty() {
        body.insert("tools".into(), tools(prompt));
    }
    if !prompt.system.is_empty() {
        body.insert("system".into(), system(prompt));
    }
    body.insert("messages".into(), messages(prompt));
    Value::Object(body)
}

fn tools(prompt: &Prompt) -> Value {
    let tools = prompt.tools.iter().map(|tool| {
        json!({
            "name": safe::name(&tool.name),
            "description": tool.description,
            "input_schema": safe::parameters(&tool.parameters),
        })
    });
    tools.collect()
}

pub(super) fn cache() -> Value {
    json!({"type": "ephemeral"})
}

/// Marks a block, unless it is a thought: those may not be touched.
fn mark(block: &mut Value) {
    if let (false, Value::Object(fields)) = (is_thought(block), block) {
        fields.insert("cache_control".into(), cache());
    }
}

fn system(prompt: &Prompt) -> Value {
    let blocks = prompt.system_blocks().map(|(place, text)| {
        let mut block = json!({"type": "text", "text": text});
        // What stands in the history's place changes when the history does: its end is no better a
        // mark than the history's own.
        if place < Place::History {
            mark(&mut block);
        }
        block
    });
    blocks.collect()
}

/// One side's turn: what it says in a row, as blocks.
struct Side {
    role: &'static str,
    blocks: Vec<Value>,
}

impl Side {
    /// Adds what is said next. A turn begins with its thoughts, also when it was two.
    fn join(&mut self, new: Vec<Value>) {
        let (thoughts, said): (Vec<Value>, Vec<Value>) = new.into_iter().partition(is_thought);
        let at = self.blocks.iter().take_while(|block| is_thought(block)).count();
        self.blocks.splice(at..at, thoughts);
        self.blocks.extend(said);
    }
}

fn is_thought(block: &Value) -> bool {
    ["thinking", "redacted_thinking"].iter().any(|of| block["type"] == **of)
}

/// The messages, with everything one side says in a row in one message, as Anthropic demands, and
/// cache marks at the end of the history and of the newest message.
fn messages(prompt: &Prompt) -> Value {
    let mut sides: Vec<Side> = Vec::new();
    for (i, message) in (1..).zip(&prompt.messages) {
        let role = if message.role == Role::Assistant { "assistant" } else { "user" };
        match (sides.last_mut(), blocks(message)) {
            (_, new) if new.is_empty() => {}
            (Some(side), new) if side.role == role => side.join(new),
            (_, blocks) => sides.push(Side { role, blocks }),
        }
        if (i == prompt.history || i == prompt.messages.len())
            && let Some(last) = sides.last_mut().and_then(|side| side.blocks.last_mut())
        {
            mark(last);
        }
    }
    sides.into_iter().map(|side| json!({"role": side.role, "content": side.blocks})).collect()
}

fn blocks(message: &Message) -> Vec<Value> {
    if message.role == Role::Tool {
        return vec![result(message)];
    }
    let mut blocks: Vec<Value> = Vec::new();
    for thought in &message.reasoning {
        match thought {
            // Only signed thoughts are taken back; another provider's are left behind.
            Reasoning::Thinking { text, signature: Some(signature) } if !signature.is_empty() => {
                blocks.push(thinking(text, Some(signature)));
            }
            Reasoning::Redacted(data) => blocks.push(redacted(data)),
            _ => {}
        }
    }
    blocks.extend(parts(&message.content).into_iter().map(|block| match message.role {
        Role::Assistant if block["type"] != "text" => left_out(block["type"].as_str()),
        _ => block,
    }));
    blocks.extend(message.calls.iter().map(tool_use));
    blocks
}

/// The parts that say something: an empty text block is an error there.
fn parts(content: &Content) -> Vec<Value> {
    let text = |text: &Arc<str>| {
        (!text.trim().is_empty()).then(|| json!({"type": "text", "text": &**text}))
    };
    match content {
        Content::Null => Vec::new(),
        Content::Text(said) => text(said).into_iter().collect(),
        Content::Parts(parts) => parts
            .iter()
            .filter_map(|part| match part {
                Part::Text(said) => text(said),
                Part::Picture(image) => Some(picture(image)),
                Part::Other(value) => Some(other(value)),
            })
            .collect(),
    }
}

/// Parts of types that Anthropic has. Others came from another provider, and would be refused.
fn other(value: &Value) -> Value {
    match value.get("type").and_then(Value::as_str) {
        Some("image" | "document" | "search_result") => value.clone(),
        of_type => left_out(of_type),
    }
}

fn picture(picture: &Picture) -> Value {
    let source = match picture.data() {
        Some((mime, data)) => json!({"type": "base64", "media_type": mime, "data": data}),
        None => json!({"type": "url", "url": &*picture.url}),
    };
    json!({"type": "image", "source": source})
}

/// Arguments are an object there, and not text that has one.
fn tool_use(call: &ToolCall) -> Value {
    let input: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
    let (id, name) = (Ids::Plain.of(&call.id), safe::name(&call.name));
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn result(message: &Message) -> Value {
    let id = Ids::Plain.of(message.answers.as_deref().unwrap_or_default());
    let content = match &message.content {
        Content::Text(text) => json!(&**text),
        content => Value::Array(parts(content)),
    };
    json!({"type": "tool_result", "tool_use_id": id, "content": content})
}

/// A signed thought as a block.
pub(crate) fn thinking(text: &str, signature: Option<&Arc<str>>) -> Value {
    match signature {
        Some(signature) => {
            json!({"type": "thinking", "thinking": text, "signature": &**signature})
        }
        None => json!({"type": "thinking", "thinking": text}),
    }
}

/// An encrypted thought as a block.
pub(crate) fn redacted(data: &str) -> Value {
    json!({"type": "redacted_thinking", "data": data})
}
