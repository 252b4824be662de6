//! OpenClaw's session files: a tree of entries, of which the newest branch is the conversation.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use louver_context::message::{Content, Message, Part, Reasoning, Role, ToolCall};
use louver_context::picture::Picture;
use memchr::memmem;
use serde_json::{Map, Value};

use super::{Found, Line, What};

/// The conversation from the root of the tree to its newest leaf. Entries of other branches are kept as
/// they are.
pub(super) fn read(path: &Path, rows: Vec<Value>) -> Found {
    let head = rows.first().cloned().unwrap_or(Value::Null);
    let text = |key: &str| head.get(key).and_then(Value::as_str);
    let stem = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let id = text("id").map_or(stem, str::to_owned);
    let listed = listed(path, &id).map(|key| key_of(&key));
    let mut meta = Map::new();
    meta.insert("openclaw".into(), head.clone());
    let on_branch = branch(&rows);
    let lines = rows.iter().enumerate().skip(1).map(|(i, row)| line(row, on_branch.contains(&i)));
    Found {
        was: main_of(path).filter(|_| listed.is_none()),
        key: listed.unwrap_or_else(|| format!("openclaw:{id}")),
        path: path.to_owned(),
        meta,
        created: text("timestamp").and_then(|time| time.parse().ok()),
        lines: lines.collect(),
        problems: Vec::new(),
    }
}

/// What OpenClaw's list beside a session calls it. One that was begun anew is not on it any more.
fn listed(path: &Path, id: &str) -> Option<String> {
    let list = std::fs::read(path.with_file_name("sessions.json")).ok()?;
    // The list has much more in it than keys, and most files of a folder are not on it.
    memmem::find(&list, id.as_bytes())?;
    let list: Map<String, Value> = serde_json::from_slice(&list).ok()?;
    let is_it = |about: &Value| about.get("sessionId").and_then(Value::as_str) == Some(id);
    list.into_iter().find(|(_, about)| is_it(about)).map(|(key, _)| key)
}

/// The key that a session has here. An agent's main one is what its owner says to it, and goes on where they talk to
/// louver; any other keeps its key.
fn key_of(listed: &str) -> String {
    let agent = listed.strip_prefix("agent:").and_then(|rest| rest.strip_suffix(":main"));
    match agent.filter(|agent| !agent.contains(':')) {
        Some(agent) => main_key(agent),
        None => listed.to_owned(),
    }
}

fn main_key(agent: &str) -> String {
    format!("cli:{}", if agent == "main" { "direct" } else { agent })
}

/// The key that the main session has of the agent below which a file lies.
fn main_of(path: &Path) -> Option<String> {
    let agent = path.parent()?.parent()?.file_name()?.to_str()?;
    Some(main_key(agent))
}

/// The rows on the way from the root to the last entry. A file without parents is all one branch.
fn branch(rows: &[Value]) -> Vec<usize> {
    let id = |row: &Value, key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
    let by_id: HashMap<String, usize> =
        rows.iter().enumerate().filter_map(|(i, row)| Some((id(row, "id")?, i))).collect();
    if !rows.iter().any(|row| row.get("parentId").is_some_and(Value::is_string)) {
        return (0..rows.len()).collect();
    }
    let mut way = Vec::new();
    let mut at = rows.iter().rposition(|row| row.get("parentId").is_some());
    while let Some(i) = at.filter(|i| !way.contains(i)) {
        way.push(i);
        at = id(&rows[i], "parentId").and_then(|parent| by_id.get(&parent).copied());
    }
    way
}

fn line(row: &Value, on_branch: bool) -> Line {
    let time = row.get("timestamp").and_then(Value::as_str).and_then(|time| time.parse().ok());
    let is_message = row.get("type").is_some_and(|kind| kind == "message");
    let message = row.get("message").filter(|_| is_message && on_branch).and_then(message);
    let what = match message {
        Some(message) => What::Message(Box::new(message), row.clone()),
        None => What::Other(row.clone()),
    };
    Line { time: time.or_else(|| inner_time(row)), what }
}

fn inner_time(row: &Value) -> Option<Timestamp> {
    let millis = row.get("message")?.get("timestamp")?.as_i64()?;
    Timestamp::from_millisecond(millis).ok()
}

fn message(value: &Value) -> Option<Message> {
    let role = match value.get("role")?.as_str()? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "toolResult" | "tool" => Role::Tool,
        _ => return None,
    };
    let mut message = Message::new(role, Content::Null);
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(Arc::<str>::from);
    message.answers = text("toolCallId");
    message.name = text("toolName");
    match value.get("content") {
        Some(Value::String(said)) => message.content = Content::Text(said.as_str().into()),
        Some(Value::Array(blocks)) => {
            let parts = blocks.iter().filter_map(|block| take(block, &mut message)).collect();
            message.content = content(parts);
        }
        _ => {}
    }
    Some(message)
}

/// Text alone is text, not a list of parts.
fn content(parts: Vec<Part>) -> Content {
    match parts.as_slice() {
        [] => Content::Null,
        [Part::Text(text)] => Content::Text(text.clone()),
        _ => Content::Parts(parts),
    }
}

/// Takes one block: a part of the content, or something beside it.
fn take(block: &Value, message: &mut Message) -> Option<Part> {
    let text = |key: &str| block.get(key).and_then(Value::as_str).map(Arc::<str>::from);
    match block.get("type").and_then(Value::as_str)? {
        "text" => text("text").map(Part::Text),
        "image" => {
            let (data, mime) =
                (text("data")?, text("mimeType").unwrap_or_else(|| "image/png".into()));
            let url = format!("data:{mime};base64,{data}");
            Some(Part::Picture(Arc::new(Picture::from_url(&url, None))))
        }
        "thinking" => {
            let (thought, signature) = (text("thinking")?, text("thinkingSignature"));
            message.reasoning.push(Reasoning::Thinking { text: thought, signature });
            None
        }
        "toolCall" => {
            let arguments = block.get("arguments").map(Value::to_string).unwrap_or_default();
            message.calls.push(ToolCall {
                id: text("id")?,
                name: text("name")?,
                arguments: arguments.into(),
                extra: Default::default(),
            });
            None
        }
        _ => Some(Part::Other(block.clone())),
    }
}
