//! OpenAI's chat completions: reading a request, and answering whole or as a stream.

use serde_json::{Value, json};

use crate::answer::{Answer, Event, Finish, Kind, Made, fragments};
use crate::cache::Piece;
use crate::fault::{Ids, Named};
use crate::seen::Seen;

/// When every answer was made. A constant, so that runs can be compared.
const CREATED: u64 = 1_770_000_000;

pub(crate) fn read(body: &Value) -> Seen {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let newest = |role: &str| messages.iter().rev().find(|message| message["role"] == role);
    let said = |role: &str| newest(role).map(|m| text(&m["content"])).unwrap_or_default();
    let system = messages.iter().filter(|m| m["role"] == "system" || m["role"] == "developer");
    Seen {
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        stream: body["stream"] == true,
        include_usage: body["stream_options"]["include_usage"] == true,
        system: system.map(|message| text(&message["content"])).collect(),
        last_user: said("user"),
        last_tool: said("tool"),
        ends_with_tool: messages.last().is_some_and(|message| message["role"] == "tool"),
        messages: messages.len(),
        pieces: pieces(body, messages),
    }
}

/// Tools come before the messages, and each of both may end what is cached.
fn pieces(body: &Value, messages: &[Value]) -> Vec<Piece> {
    let tools = body["tools"].as_array().into_iter().flatten();
    let tools = tools.map(|tool| Piece::tool(&tool["function"], true));
    let messages = messages.iter().map(|message| {
        let role = message["role"].as_str().unwrap_or_default();
        Piece::new(role, message, true, true)
    });
    tools.chain(messages).collect()
}

/// The words of a content, which is a string or parts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

/// The answer as one body.
pub(crate) fn whole(answer: &Answer) -> Value {
    let said = !answer.text.is_empty() || answer.calls.is_empty();
    let mut message = json!({
        "role": "assistant",
        "content": said.then_some(&answer.text),
        "refusal": null,
    });
    if !answer.thinking.is_empty() {
        message["reasoning_content"] = json!(answer.thinking);
    }
    if !answer.calls.is_empty() {
        let calls = (0..).zip(&answer.calls).map(|(i, call)| first(answer, i, call, true));
        message["tool_calls"] = calls.collect();
    }
    json!({
        "id": id(answer),
        "object": "chat.completion",
        "created": CREATED,
        "model": answer.model,
        "choices": [{"index": 0, "message": message, "logprobs": null,
            "finish_reason": (!answer.is(Named::Unfinished)).then(|| finish(answer))}],
        "usage": usage(answer),
        "system_fingerprint": null,
    })
}

/// The answer as events.
pub(crate) fn events(answer: &Answer) -> Vec<Event> {
    let mut events = vec![delta(answer, &json!({"role": "assistant", "content": ""}), Kind::Plain)];
    for piece in fragments(&answer.thinking, answer.chunk) {
        events.push(delta(answer, &json!({"reasoning_content": piece}), Kind::Plain));
    }
    for piece in fragments(&answer.text, answer.chunk) {
        events.push(delta(answer, &json!({"content": piece}), Kind::Text));
    }
    for (i, call) in (0..).zip(&answer.calls) {
        events.push(called(answer, &first(answer, i, call, false)));
        for (nth, piece) in (1..).zip(fragments(&call.arguments, answer.chunk)) {
            events.push(called(answer, &next(answer, i, nth, call, piece)));
        }
    }
    events.push(chunk(answer, &json!({}), Some(finish(answer)), Kind::End));
    if answer.include_usage {
        let mut last = frame(answer);
        last["usage"] = usage(answer);
        events.push(event(last.to_string(), Kind::End));
    }
    events.push(event("[DONE]".to_owned(), Kind::End));
    events
}

/// The error that comes instead of the rest of a stream.
pub(crate) fn stream_error() -> Event {
    let error = json!({"error": {
        "message": "The server had an error while processing your request. Sorry about that!",
        "type": "server_error", "param": null, "code": null,
    }});
    event(error.to_string(), Kind::End)
}

/// A call with its id and name; in a stream the arguments come after.
fn first(answer: &Answer, i: usize, call: &Made, whole: bool) -> Value {
    let arguments = if whole { call.arguments.as_str() } else { "" };
    let mut value = json!({});
    if !whole && !answer.is(Named::NoIndex) {
        value["index"] = json!(i);
    }
    if let Some(id) = &call.id {
        value["id"] = json!(id);
    }
    value["type"] = json!("function");
    value["function"] = json!({"name": call.name, "arguments": arguments});
    value
}

fn next(answer: &Answer, i: usize, nth: usize, call: &Made, piece: &str) -> Value {
    let mut value = json!({});
    if !answer.is(Named::NoIndex) {
        value["index"] = json!(i);
    }
    if answer.bad_ids() == Some(Ids::Shifting) {
        value["id"] = json!(format!("{}_{nth}", call.id.as_deref().unwrap_or_default()));
    }
    value["function"] = json!({"arguments": piece});
    value
}

fn called(answer: &Answer, call: &Value) -> Event {
    delta(answer, &json!({"tool_calls": [call]}), Kind::Plain)
}

fn delta(answer: &Answer, delta: &Value, kind: Kind) -> Event {
    chunk(answer, delta, None, kind)
}

fn chunk(answer: &Answer, delta: &Value, finish: Option<&str>, kind: Kind) -> Event {
    let mut chunk = frame(answer);
    chunk["choices"] =
        json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}]);
    event(chunk.to_string(), kind)
}

fn frame(answer: &Answer) -> Value {
    let mut frame = json!({
        "id": id(answer),
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": answer.model,
        "choices": [],
    });
    // A stream that will say what it cost says before that it does not know yet.
    if answer.include_usage {
        frame["usage"] = Value::Null;
    }
    frame
}

fn event(data: String, kind: Kind) -> Event {
    Event { name: None, data, kind }
}

fn id(answer: &Answer) -> String {
    format!("chatcmpl-{}", answer.number)
}

fn finish(answer: &Answer) -> &str {
    match &answer.finish {
        Finish::Stop => "stop",
        Finish::Calls => "tool_calls",
        Finish::Length => "length",
        Finish::Filtered => "content_filter",
        Finish::Other(word) => word,
    }
}

fn usage(answer: &Answer) -> Value {
    let usage = answer.usage;
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    })
}
