//! OpenAI's chat completions, which most servers speak: an ask becomes a request, and the pieces of
//! an answer become a reply.
//!
//! The pieces differ from server to server: calls in fragments or whole, with and without an index
//! or an id, reasoning under three keys, usage in five places. All of that ends here.

use louver_context::count::hash;
use louver_context::render::dialect;
use louver_context::{Content, Message, Reasoning, Role, ToolCall};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::error::Fault;
use super::quirks::{EffortField, reasons};
use super::reader::own_ids;
use super::think::{Piece, Think};
use super::{Ask, Endpoint, Request};
use crate::reply::{Delta, Finish, Reply, Usage};
use crate::sse::Event;

/// The request for an ask.
pub fn request(endpoint: &Endpoint, ask: &Ask<'_>) -> Request {
    // A prompt is text, numbers and lists: there is nothing in it that is no JSON.
    let body = serde_json::to_vec(&Body { endpoint, ask }).unwrap_or_default();
    Request { url: endpoint.url("chat/completions"), headers: endpoint.all_headers(), body }
}

struct Body<'a> {
    endpoint: &'a Endpoint,
    ask: &'a Ask<'a>,
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Body { endpoint, ask } = *self;
        let quirks = &endpoint.quirks;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("model", ask.model)?;
        map.serialize_entry(quirks.limit.key(), &ask.reply)?;
        if ask.stream {
            map.serialize_entry("stream", &true)?;
            if quirks.usage {
                map.serialize_entry("stream_options", &json!({"include_usage": true}))?;
            }
        }
        if quirks.cache_key && !ask.session.is_empty() {
            map.serialize_entry("prompt_cache_key", &format!("{:032x}", hash(ask.session)))?;
        }
        if let Some(temperature) = ask.temperature
            && quirks.temperature
            && !reasons(ask.model)
        {
            map.serialize_entry("temperature", &tidy(temperature))?;
        }
        self.effort(&mut map)?;
        if !ask.prompt.tools.is_empty() {
            map.serialize_entry("tools", &dialect::tools(ask.prompt))?;
            if let Some(name) = ask.must_call.filter(|_| quirks.force) {
                let choice = json!({"type": "function", "function": {"name": name}});
                map.serialize_entry("tool_choice", &choice)?;
            }
        }
        let messages = dialect::Messages(ask.prompt, quirks.dialect_for(ask.model));
        map.serialize_entry("messages", &messages)?;
        map.end()
    }
}

impl Body<'_> {
    fn effort<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Some(effort) = self.ask.effort.map(super::Effort::name) else { return Ok(()) };
        match self.endpoint.quirks.effort {
            EffortField::Word => map.serialize_entry("reasoning_effort", effort),
            EffortField::ByModel if reasons(self.ask.model) => {
                map.serialize_entry("reasoning_effort", effort)
            }
            EffortField::Object => map.serialize_entry("reasoning", &json!({"effort": effort})),
            EffortField::No | EffortField::ByModel => Ok(()),
        }
    }
}

/// A number as a person wrote it: 0.7 and not 0.699999988.
pub(super) fn tidy(number: f32) -> f64 {
    (f64::from(number) * 10_000.0).round() / 10_000.0
}

/// Reads an answer, piece by piece.
#[derive(Debug, Default)]
pub struct Reader {
    id: String,
    text: String,
    think: Think,
    thought: String,
    details: Vec<Value>,
    calls: Vec<Call>,
    /// The call that fragments with this index belong to.
    by_index: Vec<(u64, usize)>,
    finish: Option<String>,
    refused: bool,
    usage: Option<Usage>,
    done: bool,
}

#[derive(Debug, Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    beside: Map<String, Value>,
}

impl Reader {
    /// Takes the next event of a stream and gives what a listener hears of it.
    pub fn event(&mut self, event: &Event) -> Result<Vec<Delta>, Fault> {
        let data = event.data.trim();
        if data == "[DONE]" {
            self.done = true;
            return Ok(Vec::new());
        }
        if data.is_empty() {
            return Ok(Vec::new());
        }
        let value = serde_json::from_str(data).map_err(|error| Fault::malformed(error, data))?;
        self.take(&value)
    }

    /// Whether the server said that there is no more.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Takes one JSON value: a piece of a stream, or a whole answer.
    pub(super) fn take(&mut self, value: &Value) -> Result<Vec<Delta>, Fault> {
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            return Err(Fault::said(error));
        }
        let mut heard = Vec::new();
        if let Some(id) = value.get("id").and_then(Value::as_str) {
            id.clone_into(&mut self.id);
        }
        self.take_usage(value.get("usage"));
        self.take_usage(value.pointer("/x_groq/usage"));
        let choice = value.get("choices").and_then(|choices| choices.get(0));
        if let Some(choice) = choice {
            // Moonshot's streams say it here.
            self.take_usage(choice.get("usage"));
            if let Some(Value::Object(said)) = choice.get("delta").or(choice.get("message")) {
                self.said(said, &mut heard);
            }
            self.done |= choice.get("message").is_some() && choice.get("delta").is_none();
            if let Some(finish) = choice.get("finish_reason").and_then(Value::as_str) {
                self.finish = Some(finish.to_owned());
                self.let_go(&mut heard);
            }
        } else if value.get("choices").is_none() && value.get("usage").is_none() {
            return Err(Fault::unlike(value));
        }
        Ok(heard)
    }

    fn said(&mut self, said: &Map<String, Value>, heard: &mut Vec<Delta>) {
        self.thoughts(said, heard);
        if let Some(content) = said.get("content") {
            let text = text_of(content);
            let pieces = self.think.push(&text);
            pieces.into_iter().for_each(|piece| self.piece(piece, heard));
        }
        if let Some(refusal) = said.get("refusal").and_then(Value::as_str) {
            self.refused |= !refusal.is_empty();
            self.words(refusal.to_owned(), heard);
        }
        let calls = said.get("tool_calls").and_then(Value::as_array);
        for (i, fragment) in calls.into_iter().flatten().enumerate() {
            self.fragment(fragment, i > 0, heard);
        }
    }

    fn piece(&mut self, piece: Piece, heard: &mut Vec<Delta>) {
        match piece {
            Piece::Text(text) => self.words(text, heard),
            Piece::Thought(text) => self.thinks(text, heard),
        }
    }

    /// Gives what was held back because it might have become a tag.
    fn let_go(&mut self, heard: &mut Vec<Delta>) {
        if let Some(piece) = self.think.finish() {
            self.piece(piece, heard);
        }
    }

    fn words(&mut self, text: String, heard: &mut Vec<Delta>) {
        if !text.is_empty() {
            self.text.push_str(&text);
            heard.push(Delta::Text(text));
        }
    }

    fn thinks(&mut self, text: String, heard: &mut Vec<Delta>) {
        if !text.is_empty() {
            self.thought.push_str(&text);
            heard.push(Delta::Thinking(text));
        }
    }

    /// Reasoning comes under one of three keys. OpenRouter sends the same words under two.
    fn thoughts(&mut self, said: &Map<String, Value>, heard: &mut Vec<Delta>) {
        let text = ["reasoning_content", "reasoning"]
            .iter()
            .find_map(|key| said.get(*key).and_then(Value::as_str).filter(|text| !text.is_empty()));
        if let Some(text) = text {
            self.thinks(text.to_owned(), heard);
        }
        let details = said.get("reasoning_details").and_then(Value::as_array);
        for detail in details.into_iter().flatten() {
            if text.is_none()
                && let Some(text) =
                    detail.get("text").or(detail.get("summary")).and_then(Value::as_str)
            {
                self.thinks(text.to_owned(), heard);
            }
            join_detail(&mut self.details, detail);
        }
    }

    /// Takes a fragment of a call, `beside` another one if it came in the same list.
    fn fragment(&mut self, fragment: &Value, beside: bool, heard: &mut Vec<Delta>) {
        let function = fragment.get("function").unwrap_or(fragment);
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("").to_owned();
        let (id, name) = (text(fragment.get("id")), text(function.get("name")));
        let index = fragment.get("index").and_then(Value::as_u64);
        // Two that stand side by side with their names are two, even if they share an id.
        let at = match beside && index.is_none() && !name.is_empty() {
            true => self.begin(None),
            false => self.slot(index, &id, &name),
        };
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            call.id = id;
        }
        if call.name.is_empty() && !name.is_empty() {
            call.name = name;
            heard.push(Delta::Call(call.name.clone()));
        }
        match function.get("arguments") {
            Some(Value::String(text)) => call.arguments.push_str(text),
            Some(Value::Null) | None => {}
            // Some servers send an object where text is meant.
            Some(object) => call.arguments = object.to_string(),
        }
        let known = ["id", "type", "function", "index"];
        let fields = fragment.as_object().into_iter().flatten();
        let beside = fields.filter(|(key, _)| !known.contains(&key.as_str()));
        call.beside.extend(beside.map(|(key, value)| (key.clone(), value.clone())));
    }

    /// The call that a fragment belongs to; a new one if it begins here.
    ///
    /// By rights the index says it. Some servers leave it out, some say 0 for every call, and some
    /// give every fragment another id: only a fragment that names its tool begins a call then.
    fn slot(&mut self, index: Option<u64>, id: &str, name: &str) -> usize {
        let known = match index {
            Some(index) => {
                let found = self.by_index.iter().rev().find(|(known, _)| *known == index);
                found.map(|(_, at)| *at)
            }
            None if !id.is_empty() => {
                let found = self.calls.iter().position(|call| call.id == id);
                found.or(if name.is_empty() { self.calls.len().checked_sub(1) } else { None })
            }
            None => self.calls.len().checked_sub(1),
        };
        let begins = known.is_none_or(|at| {
            let call = &self.calls[at];
            let other_id = !id.is_empty() && !call.id.is_empty() && call.id != id;
            let next_whole = id.is_empty() && !name.is_empty() && call.is_whole();
            other_id && (!name.is_empty() || call.is_whole()) || next_whole
        });
        if begins { self.begin(index) } else { known.unwrap_or_default() }
    }

    fn begin(&mut self, index: Option<u64>) -> usize {
        self.calls.push(Call::default());
        let at = self.calls.len() - 1;
        if let Some(index) = index {
            self.by_index.push((index, at));
        }
        at
    }

    fn take_usage(&mut self, usage: Option<&Value>) {
        if let Some(usage) = usage.filter(|usage| usage.is_object()) {
            self.usage = Some(self::usage(usage));
        }
    }

    /// The whole answer.
    pub fn finish(mut self) -> Result<Reply, Fault> {
        if self.finish.is_none() && !self.done {
            return Err(Fault::Cut);
        }
        self.let_go(&mut Vec::new());
        if self.finish.as_deref() == Some("error") {
            return Err(Fault::Said {
                code: "server_error".into(),
                said: "the server broke the answer off".into(),
            });
        }
        let calls = self.tool_calls();
        let finish = match (self.finish.as_deref(), calls.is_empty()) {
            _ if self.refused => Finish::Filtered,
            (Some("length" | "max_tokens"), _) => Finish::Length,
            (Some("content_filter"), _) => Finish::Filtered,
            (_, false) => Finish::Calls,
            (None | Some("stop" | "tool_calls" | "function_call" | "eos" | "end_turn"), true) => {
                Finish::Stop
            }
            (Some(other), true) => Finish::Other(other.to_owned()),
        };
        let content = match self.text.is_empty() {
            true => Content::Null,
            false => Content::Text(self.text.into()),
        };
        let mut message = Message::new(Role::Assistant, content);
        message.calls = calls;
        message.reasoning = match self.details.is_empty() {
            false => {
                vec![Reasoning::Opaque { key: "reasoning_details", value: self.details.into() }]
            }
            true if self.thought.is_empty() => Vec::new(),
            true => vec![Reasoning::Content(self.thought.into())],
        };
        Ok(Reply { message, finish, usage: self.usage })
    }

    /// The calls, each with an id of its own. A call that names no tool cannot be answered.
    fn tool_calls(&mut self) -> Vec<ToolCall> {
        let calls =
            std::mem::take(&mut self.calls).into_iter().filter(|call| !call.name.is_empty());
        let calls = calls.map(|call| ToolCall {
            id: call.id.into(),
            name: call.name.into(),
            arguments: call.arguments.into(),
            extra: call.beside.into(),
        });
        let mut calls: Vec<ToolCall> = calls.collect();
        own_ids(&self.id, &mut calls);
        calls
    }
}

impl Call {
    /// Whether its arguments are complete, so that another name begins another call.
    fn is_whole(&self) -> bool {
        !self.name.is_empty() && serde_json::from_str::<Value>(&self.arguments).is_ok()
    }
}

/// Text, or the text of a list of parts, as Mistral sends it.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
        }
        _ => String::new(),
    }
}

/// Adds a fragment of `reasoning_details` to the item it belongs to.
fn join_detail(details: &mut Vec<Value>, fragment: &Value) {
    let same = |item: &Value, key: &str| item.get(key) == fragment.get(key);
    let fits = |item: &Value| {
        same(item, "type")
            && same(item, "index")
            && (same(item, "id") || fragment.get("id").is_none_or(Value::is_null))
    };
    let streamed = fragment.get("index").is_some();
    let (Some(Value::Object(last)), Value::Object(new)) =
        (details.last_mut().filter(|last| streamed && fits(last)), fragment)
    else {
        details.push(fragment.clone());
        return;
    };
    for (key, value) in new {
        match (last.get_mut(key), value) {
            (Some(Value::String(text)), Value::String(more))
                if ["text", "summary", "data"].contains(&key.as_str()) =>
            {
                text.push_str(more);
            }
            (Some(old), value) if !value.is_null() => *old = value.clone(),
            (Some(_), _) => {}
            (None, value) => drop(last.insert(key.clone(), value.clone())),
        }
    }
}

/// What an answer cost, in any of the dialects.
fn usage(usage: &Value) -> Usage {
    let number = |pointers: &[&str]| {
        let found = pointers.iter().filter_map(|pointer| usage.pointer(pointer)?.as_u64());
        found.max().unwrap_or(0)
    };
    Usage {
        input: number(&["/prompt_tokens", "/input_tokens"]),
        cached: number(&[
            "/prompt_tokens_details/cached_tokens",
            "/input_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
            "/cached_tokens",
        ]),
        cache_written: number(&["/prompt_tokens_details/cache_write_tokens"]),
        output: number(&["/completion_tokens", "/output_tokens"]),
        reasoning: number(&["/completion_tokens_details/reasoning_tokens"]),
    }
}
