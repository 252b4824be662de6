//! Anthropic's messages: reading a request, and answering whole or as a stream.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use crate::answer::{Answer, Event, Finish, Kind, Made, fragments};
use crate::cache::Piece;
use crate::fault::{Ids, Named};
use crate::seen::Seen;

/// A content as blocks: a string is one block of text.
pub(crate) fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    }
}

/// What a thought is signed with. It follows from the thought alone, so that a session can go on
/// with another run of this server, and so that a single changed letter is found.
pub(crate) fn signature(thought: &str) -> String {
    let part = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, thought).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    };
    format!("Scripted{}==", (0..4).map(part).collect::<String>())
}

pub(crate) fn read(body: &Value) -> Seen {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let user: Vec<Vec<Value>> = messages
        .iter()
        .filter(|message| message["role"] == "user")
        .map(|message| blocks(&message["content"]))
        .collect();
    let words = |blocks: &Vec<Value>| {
        let text = texts(blocks.iter().filter(|block| block["type"] == "text"));
        (!text.is_empty()).then_some(text)
    };
    let is_result = |block: &&Value| block["type"] == "tool_result";
    let result = user.iter().flatten().rfind(is_result);
    let last = messages.last().and_then(|message| blocks(&message["content"]).pop());
    Seen {
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        stream: body["stream"] == true,
        include_usage: true,
        system: texts(blocks(&body["system"]).iter()),
        last_user: user.iter().rev().find_map(words).unwrap_or_default(),
        last_tool: result.map(|r| texts(blocks(&r["content"]).iter())).unwrap_or_default(),
        ends_with_tool: last.as_ref().is_some_and(|block| is_result(&block)),
        messages: messages.len(),
        pieces: pieces(body, messages),
    }
}

fn texts<'a>(blocks: impl Iterator<Item = &'a Value>) -> String {
    let texts: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

fn pieces(body: &Value, messages: &[Value]) -> Vec<Piece> {
    let marked = |block: &Value| block["cache_control"].is_object();
    let mut pieces = Vec::new();
    for tool in body["tools"].as_array().into_iter().flatten() {
        pieces.push(Piece::tool(tool, marked(tool)));
    }
    for (i, block) in blocks(&body["system"]).iter().enumerate() {
        pieces.push(Piece::new("system", block, i == 0, marked(block)));
    }
    for message in messages {
        let role = message["role"].as_str().unwrap_or_default();
        for (i, block) in blocks(&message["content"]).iter().enumerate() {
            pieces.push(Piece::new(role, block, i == 0, marked(block)));
        }
    }
    pieces
}

/// The answer as one body.
pub(crate) fn whole(answer: &Answer) -> Value {
    let mut content = Vec::new();
    if !answer.thinking.is_empty() {
        content.push(json!({
            "type": "thinking",
            "thinking": answer.thinking,
            "signature": signature(&answer.thinking),
        }));
    }
    if !answer.text.is_empty() {
        content.push(json!({"type": "text", "text": answer.text}));
    }
    for call in &answer.calls {
        // What is no JSON goes as the string it is: a client has to bear that.
        let input = serde_json::from_str(&call.arguments).unwrap_or(json!(call.arguments));
        content.push(tool_use(call, input));
    }
    let ended = !answer.is(Named::Unfinished);
    let mut message = start(answer);
    message["content"] = json!(content);
    message["stop_reason"] = json!(ended.then(|| finish(answer)));
    message["usage"]["output_tokens"] = json!(answer.usage.output);
    message
}

/// The answer as events.
pub(crate) fn events(answer: &Answer) -> Vec<Event> {
    let mut stream = Stream { answer, events: Vec::new(), index: 0 };
    stream.push("message_start", json!({"message": start(answer)}), Kind::Plain);
    stream.push("ping", json!({}), Kind::Plain);
    stream.think();
    stream.speak();
    answer.calls.iter().for_each(|call| stream.call(call));
    let end = json!({
        "delta": {"stop_reason": finish(answer), "stop_sequence": null},
        "usage": {"output_tokens": answer.usage.output},
    });
    stream.push("message_delta", end, Kind::End);
    stream.push("message_stop", json!({}), Kind::End);
    stream.events
}

/// The error that comes instead of the rest of a stream.
pub(crate) fn stream_error() -> Event {
    let error = json!({"type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"}});
    Event { name: Some("error"), data: error.to_string(), kind: Kind::End }
}

/// The events so far, and the block that comes next.
struct Stream<'a> {
    answer: &'a Answer,
    events: Vec<Event>,
    index: usize,
}

impl Stream<'_> {
    fn push(&mut self, name: &'static str, fields: Value, kind: Kind) {
        let mut data = json!({"type": name});
        if let (Value::Object(data), Value::Object(fields)) = (&mut data, fields) {
            data.extend(fields);
        }
        self.events.push(Event { name: Some(name), data: data.to_string(), kind });
    }

    /// An event about the block that is being sent.
    fn about(&mut self, name: &'static str, mut fields: Value, kind: Kind) {
        if !self.answer.is(Named::NoIndex) {
            fields["index"] = json!(self.index);
        }
        self.push(name, fields, kind);
    }

    fn delta(&mut self, delta: &Value, kind: Kind) {
        self.about("content_block_delta", json!({"delta": delta}), kind);
    }

    fn start(&mut self, block: &Value) {
        self.about("content_block_start", json!({"content_block": block}), Kind::Plain);
    }

    fn stop(&mut self) {
        self.about("content_block_stop", json!({}), Kind::Plain);
        self.index += 1;
    }

    fn think(&mut self) {
        let answer = self.answer;
        if answer.thinking.is_empty() {
            return;
        }
        self.start(&json!({"type": "thinking", "thinking": "", "signature": ""}));
        for piece in fragments(&answer.thinking, answer.chunk) {
            self.delta(&json!({"type": "thinking_delta", "thinking": piece}), Kind::Plain);
        }
        let signature = signature(&answer.thinking);
        self.delta(&json!({"type": "signature_delta", "signature": signature}), Kind::Plain);
        self.stop();
    }

    fn speak(&mut self) {
        let answer = self.answer;
        if answer.text.is_empty() {
            return;
        }
        self.start(&json!({"type": "text", "text": ""}));
        for piece in fragments(&answer.text, answer.chunk) {
            self.delta(&json!({"type": "text_delta", "text": piece}), Kind::Text);
        }
        self.stop();
    }

    fn call(&mut self, call: &Made) {
        let answer = self.answer;
        self.start(&tool_use(call, json!({})));
        for piece in fragments(&call.arguments, answer.chunk) {
            // Here a fragment names its block by number alone: a wrong one is a block that never
            // began.
            let shift = if answer.bad_ids() == Some(Ids::Shifting) { 100 } else { 0 };
            self.index += shift;
            self.delta(&json!({"type": "input_json_delta", "partial_json": piece}), Kind::Plain);
            self.index -= shift;
        }
        self.stop();
    }
}

fn tool_use(call: &Made, input: Value) -> Value {
    let mut block = json!({"type": "tool_use"});
    if let Some(id) = &call.id {
        block["id"] = json!(id);
    }
    block["name"] = json!(call.name);
    block["input"] = input;
    block
}

/// The message as a stream begins with it: nothing said yet.
fn start(answer: &Answer) -> Value {
    let usage = answer.usage;
    json!({
        "id": format!("msg_{}", answer.number),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        // Input is what neither came from the cache nor went into it.
        "usage": {
            "input_tokens": usage.input.saturating_sub(usage.cached + usage.cache_written),
            "cache_read_input_tokens": usage.cached,
            "cache_creation_input_tokens": usage.cache_written,
            "output_tokens": 1,
        },
    })
}

fn finish(answer: &Answer) -> &str {
    match &answer.finish {
        Finish::Stop => "end_turn",
        Finish::Calls => "tool_use",
        Finish::Length => "max_tokens",
        Finish::Filtered => "refusal",
        Finish::Other(word) => word,
    }
}
