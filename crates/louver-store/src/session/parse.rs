//! Messages straight from a line's bytes, without a tree of JSON values in between.
//!
//! This is what makes opening a long session fast. It reads the form in which messages are stored
//! and gives up on any other; [`Message::from_openai`] is the slow way that reads them all, and a
//! property holds the two together.

use std::mem;
use std::sync::Arc;

use louver_context::{Content, Message, Reasoning, Role, ToolCall};
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Map, Value};

use super::json::Cursor;
use super::line::Head;
use super::stored::PictureRef;

/// The fields of a line that replay needs.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) message: Option<Arc<Message>>,
    pub(super) messages: Vec<Arc<Message>>,
    pub(super) said: Vec<u64>,
    pub(super) pictures: Vec<PictureRef>,
    pub(super) text: Option<Arc<str>>,
    pub(super) id: Option<Arc<str>>,
    pub(super) name: Option<Arc<str>>,
}

/// What is used again from line to line.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Where texts with escapes are put together.
    scratch: Vec<u8>,
    /// Names of tools: there are few, and each call and each result has one.
    names: Vec<Arc<str>>,
    /// Ids of calls that have no result yet: the result will repeat them.
    ids: Vec<Arc<str>>,
    /// Room for the lists of a line.
    messages: Vec<Arc<Message>>,
    said: Vec<u64>,
}

/// More names and ids are not remembered, so that finding one stays cheap.
const MAX_KNOWN: usize = 16;

impl Memory {
    /// Takes lists back when what was in them is no longer wanted.
    pub(super) fn reuse(&mut self, mut messages: Vec<Arc<Message>>, mut said: Vec<u64>) {
        messages.clear();
        said.clear();
        (self.messages, self.said) = (messages, said);
    }

    fn name(&mut self, line: &mut Cursor<'_>) -> Option<Arc<str>> {
        if let Some(at) = line.one_of(self.names.iter().map(|name| &**name)) {
            return Some(self.names[at].clone());
        }
        let name: Arc<str> = line.string(&mut self.scratch)?.into();
        if self.names.len() < MAX_KNOWN {
            self.names.push(name.clone());
        }
        Some(name)
    }

    /// The id of a call, which is kept for its result.
    fn id(&mut self, line: &mut Cursor<'_>) -> Option<Arc<str>> {
        let id: Arc<str> = line.string(&mut self.scratch)?.into();
        if self.ids.len() == MAX_KNOWN {
            self.ids.remove(0);
        }
        self.ids.push(id.clone());
        Some(id)
    }

    /// The id that a result repeats.
    fn answered(&mut self, line: &mut Cursor<'_>) -> Option<Arc<str>> {
        match line.one_of(self.ids.iter().map(|id| &**id)) {
            Some(at) => Some(self.ids.swap_remove(at)),
            None => Some(line.string(&mut self.scratch)?.into()),
        }
    }
}

impl Fields {
    /// Reads the fields of a sealed line. `memory` is used again and again.
    pub(super) fn read(
        head: &Head<'_>,
        line: &[u8],
        memory: &mut Memory,
    ) -> serde_json::Result<Fields> {
        let fields = Fields::read_fast(head.fields(line), memory);
        fields.map_or_else(|| Fields::read_slowly(line), Ok)
    }

    fn read_fast(text: &[u8], memory: &mut Memory) -> Option<Fields> {
        let mut fields = Fields::default();
        if text.is_empty() {
            return Some(fields);
        }
        let mut cursor = Cursor::new(text);
        cursor.fields(|name, line| {
            match name {
                b"message" => fields.message = Some(message(line, memory)?),
                b"messages" => {
                    fields.messages = mem::take(&mut memory.messages);
                    line.list(|line| {
                        fields.messages.push(message(line, memory)?);
                        Some(())
                    })?;
                }
                b"text" => fields.text = Some(line.string(&mut memory.scratch)?.into()),
                b"id" => fields.id = Some(memory.answered(line)?),
                b"name" => fields.name = Some(memory.name(line)?),
                b"said" => {
                    fields.said = mem::take(&mut memory.said);
                    line.list(|line| {
                        fields.said.push(line.number()?);
                        Some(())
                    })?;
                }
                b"pictures" => fields.pictures = value(line)?,
                _ => drop(line.raw()?),
            }
            Some(())
        })?;
        cursor.peek().is_none().then_some(fields)
    }

    fn read_slowly(line: &[u8]) -> serde_json::Result<Fields> {
        #[derive(serde::Deserialize)]
        #[serde(default)]
        #[derive(Default)]
        struct Slow {
            message: Option<Value>,
            messages: Vec<Value>,
            said: Vec<u64>,
            pictures: Vec<PictureRef>,
            text: Option<String>,
            id: Option<String>,
            name: Option<String>,
        }
        let slow: Slow = serde_json::from_slice(line)?;
        let message =
            |value| Message::from_openai(value).map(Arc::new).map_err(serde_json::Error::custom);
        Ok(Fields {
            message: slow.message.as_ref().map(message).transpose()?,
            messages: slow.messages.iter().map(message).collect::<Result<_, _>>()?,
            said: slow.said,
            pictures: slow.pictures,
            text: slow.text.map(Arc::from),
            id: slow.id.map(Arc::from),
            name: slow.name.map(Arc::from),
        })
    }
}

/// A value that is rare enough for the general parser.
fn value<T: DeserializeOwned>(line: &mut Cursor<'_>) -> Option<T> {
    serde_json::from_slice(line.raw()?).ok()
}

/// A name as a field that is kept. With an escape in it, it is not what it looks like.
fn kept_name(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    (!name.contains('\\')).then(|| name.to_owned())
}

const ROLES: [(&str, Role); 4] = [
    ("assistant", Role::Assistant),
    ("user", Role::User),
    ("tool", Role::Tool),
    ("system", Role::System),
];

fn message(line: &mut Cursor<'_>, memory: &mut Memory) -> Option<Arc<Message>> {
    let mut role = None;
    let mut message = Message::new(Role::User, Content::Null);
    // What is rare, for the slow way.
    let mut rest = None::<Map<String, Value>>;
    line.object(|name, line| {
        match name {
            b"role" => role = Some(ROLES[line.one_of(ROLES.iter().map(|role| role.0))?].1),
            b"content" if line.peek()? == b'"' => {
                message.content = Content::Text(line.string(&mut memory.scratch)?.into());
            }
            b"content" if line.peek()? == b'n' => drop(line.raw()?),
            // Most often there is one, and room for four would be the most part of its memory.
            b"tool_calls" => line.list(|line| {
                message.calls.reserve_exact(1);
                message.calls.push(call(line, memory)?);
                Some(())
            })?,
            b"tool_call_id" => message.answers = Some(memory.answered(line)?),
            b"name" => message.name = Some(memory.name(line)?),
            // The order of thoughts counts, so it must be the first.
            b"reasoning_content" if rest.is_none() && line.peek()? == b'"' => {
                message
                    .reasoning
                    .push(Reasoning::Content(line.string(&mut memory.scratch)?.into()));
            }
            name => {
                let rest = rest.get_or_insert_default();
                rest.insert(kept_name(name)?, value(line)?);
            }
        }
        Some(())
    })?;
    message.role = role?;
    if let Some(rest) = rest {
        take_rest(&mut message, rest)?;
    }
    Some(Arc::new(message))
}

/// Adds what the slow way makes of the fields that were left to it.
fn take_rest(message: &mut Message, mut rest: Map<String, Value>) -> Option<()> {
    rest.insert("role".into(), "user".into());
    let has_parts = rest.contains_key("content");
    let slow = Message::from_openai(&Value::Object(rest)).ok()?;
    message.reasoning.extend(slow.reasoning);
    message.extra = slow.extra;
    if has_parts {
        message.content = slow.content;
    }
    Some(())
}

fn call(line: &mut Cursor<'_>, memory: &mut Memory) -> Option<ToolCall> {
    let (mut id, mut called, mut arguments, mut extra) = (None, None, None, Map::new());
    line.object(|name, line| {
        match name {
            b"id" => id = Some(memory.id(line)?),
            b"type" => drop(line.raw()?),
            b"function" => line.object(|name, line| {
                match name {
                    b"name" => called = Some(memory.name(line)?),
                    b"arguments" => arguments = Some(line.string(&mut memory.scratch)?.into()),
                    _ => drop(line.raw()?),
                }
                Some(())
            })?,
            name => drop(extra.insert(kept_name(name)?, value(line)?)),
        }
        Some(())
    })?;
    Some(ToolCall { id: id?, name: called?, arguments: arguments?, extra: extra.into() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::event::{Event, Reply};
    use super::super::stored::Stored;
    use super::*;

    fn read(message: &Value) -> Option<Arc<Message>> {
        let mut line = Vec::new();
        let reply = Reply { message: Stored(message.clone()), ..Reply::default() };
        let time = jiff::Timestamp::UNIX_EPOCH;
        super::super::line::write(&mut line, (1, 1), time, &Event::Reply(reply)).unwrap();
        let line = &line[..line.len() - 1];
        let head = Head::parse(line).unwrap();
        Fields::read(&head, line, &mut Memory::default()).ok()?.message
    }

    #[test]
    fn every_form_is_read_as_the_slow_way_reads_it() {
        let forms = [
            json!({"role": "user", "content": "hi", "timestamp": "2026", "x": [1]}),
            json!({"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "x"}]}),
            json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}, "s": 1}]}),
            json!({"role": "assistant", "tool_calls": [{"id": 1, "function": {"arguments": {}}}]}),
            json!({"role": "assistant", "tool_calls": null, "thinking_blocks": null}),
            json!({"role": "assistant", "content": "", "reasoning_content": "hm",
                "thinking_blocks": [{"type": "thinking", "thinking": "t", "signature": "s"}],
                "reasoning_details": [1]}),
            json!({"role": "tool", "tool_call_id": "1", "name": "f", "content": "a\n\"b\" \u{1F980}"}),
            json!({"role": "tool", "tool_call_id": 1, "name": null, "content": "a"}),
            json!({"role": "boss", "content": "a"}),
            json!({"role": "user", "content": 1}),
            json!({"content": "a"}),
        ];
        for form in forms {
            assert_eq!(read(&form), Message::from_openai(&form).ok().map(Arc::new), "{form}");
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC{0,4}".prop_map(Value::from),
            prop_oneof!["user", "tool", "text", "image_url", "thinking"].prop_map(Value::from),
        ];
        let name = prop_oneof![
            "id",
            "type",
            "function",
            "name",
            "arguments",
            "text",
            "url",
            "image_url",
            "thinking",
            "[a-c]"
        ];
        leaf.prop_recursive(3, 12, 4, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec((name.clone(), inner), 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_fast_way_is_the_slow_way(
            role in prop_oneof!["user", "assistant", "tool", "system", "x"],
            fields in proptest::collection::vec((prop_oneof![
                "content", "tool_calls", "tool_call_id", "name", "reasoning_content",
                "thinking_blocks", "reasoning_details", "extra"], value()), 0..6),
        ) {
            let mut message = Map::new();
            message.insert("role".into(), role.into());
            message.extend(fields);
            let message = Value::Object(message);
            prop_assert_eq!(read(&message), Message::from_openai(&message).ok().map(Arc::new));
        }
    }
}
