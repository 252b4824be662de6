//! Anthropic's messages, as a client sees them.
#![allow(clippy::unwrap_used)]

mod client;

use client::{Client, anthropic, streamed, user};
use louver_scripted::{Script, Scripted};
use serde_json::{Value, json};

fn start(script: Value) -> (Scripted, Client) {
    let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
    let client = Client::new(&server.url());
    (server, client)
}

#[test]
fn a_whole_answer_has_blocks_and_what_it_cost() {
    let usage = json!({"input": 100, "cached": 60, "cache_written": 30, "output": 9});
    let step = json!({"text": "I look.", "usage": usage, "finish": "length",
        "calls": [{"name": "read_file", "arguments": {"path": "a"}, "id": "toolu_own"}]});
    let (server, mut client) = start(json!([step]));
    let answer = client.anthropic(&anthropic(json!([user("Look")]))).unwrap().json();
    let expected = json!({
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "toolu_own", "name": "read_file", "input": {"path": "a"}},
        ],
        "stop_reason": "max_tokens",
        "stop_sequence": null,
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 60,
            "cache_creation_input_tokens": 30, "output_tokens": 9},
    });
    assert_eq!(answer, expected);
    assert_eq!(server.violations(), []);
}

#[test]
fn a_stream_has_every_event_in_its_place() {
    let step = json!({"text": "olá", "thinking": "hm", "chunk": 2,
        "calls": [{"name": "read_file", "arguments": {"a": 1}}]});
    let (_server, mut client) = start(json!([step]));
    let answer = client.anthropic(&streamed(anthropic(json!([user("Look")])))).unwrap();
    let (start, delta, stop) = ("content_block_start", "content_block_delta", "content_block_stop");
    let expected = [
        "message_start",
        "ping",
        start,
        delta,
        delta,
        stop,
        start,
        delta,
        delta,
        stop,
        start,
        delta,
        delta,
        delta,
        delta,
        stop,
        "message_delta",
        "message_stop",
    ];
    assert_eq!(answer.names(), expected);
    let types: Vec<Value> = answer.events().iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, expected);
    assert_eq!(answer.joined("/delta/text"), "olá");
    assert_eq!(answer.joined("/delta/thinking"), "hm");
    assert_eq!(answer.joined("/delta/partial_json"), r#"{"a":1}"#);
    assert_eq!(answer.joined("/delta/stop_reason"), "tool_use");
    let indexes: Vec<u64> =
        answer.events().iter().filter_map(|event| event["index"].as_u64()).collect();
    assert_eq!(indexes, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
}

#[test]
fn a_thought_comes_back_as_it_was_or_not_at_all() {
    let step = json!({"thinking": "The list knows.",
        "calls": [{"name": "read_file", "arguments": {}}]});
    let (server, mut client) = start(json!({"steps": [step], "then": "ok"}));
    let mut body = anthropic(json!([user("Look")]));
    body["max_tokens"] = json!(2000);
    body["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
    let answer = client.anthropic(&body).unwrap().json();
    let content = answer["content"].clone();
    let result = json!({"role": "user", "content":
        [{"type": "tool_result", "tool_use_id": content[1]["id"], "content": "twelve"}]});
    body["messages"] =
        json!([user("Look"), {"role": "assistant", "content": content}, result.clone()]);
    assert_eq!(client.anthropic(&body).unwrap().status, 200);
    body["messages"][1]["content"][0]["thinking"] = json!("The list knows");
    let changed = client.anthropic(&body).unwrap();
    assert_eq!(changed.status, 400);
    assert_eq!(changed.json()["error"]["type"], "invalid_request_error");
    body["messages"][1]["content"].as_array_mut().unwrap().remove(0);
    assert_eq!(client.anthropic(&body).unwrap().status, 400);
    let rules: Vec<&str> = server.violations().iter().map(|violation| violation.rule).collect();
    assert_eq!(rules, ["thinking", "thinking"]);
}

#[test]
fn only_what_is_marked_is_read_from_the_cache() {
    let (server, mut client) = start(json!({}));
    let mark = json!({"type": "ephemeral"});
    let marked = |text: &str| {
        json!({"role": "user", "content":
            [{"type": "text", "text": text, "cache_control": mark}]})
    };
    let usage = |client: &mut Client, body: &Value| {
        let usage = client.anthropic(body).unwrap().json()["usage"].clone();
        let number = |key: &str| usage[key].as_u64().unwrap();
        [
            number("input_tokens"),
            number("cache_read_input_tokens"),
            number("cache_creation_input_tokens"),
        ]
    };
    let first = usage(&mut client, &anthropic(json!([marked("one two")])));
    assert_eq!([first[0], first[1]], [0, 0]);
    let answer = json!({"role": "assistant", "content": "ok"});
    // The mark has moved on; what it covered is found all the same.
    let messages = json!([user("one two"), answer, marked("three")]);
    let second = usage(&mut client, &anthropic(messages));
    assert_eq!(second, [0, first[2], 10]);
    // Without any mark there is no cache.
    let third = usage(&mut client, &anthropic(json!([user("one two"), answer, user("three")])));
    assert_eq!(third, [first[2] + 10, 0, 0]);
    assert_eq!(server.violations(), []);
}

#[test]
fn a_request_without_its_headers_is_refused() {
    let (server, mut client) = start(json!({}));
    let body = anthropic(json!([user("hi")])).to_string();
    client.send("POST", "/messages", &[("Content-Type", "application/json")], &body);
    let answer = client.answer().unwrap();
    assert_eq!(answer.status, 400);
    let expected = json!({"type": "error", "request_id": "req_scripted", "error":
        {"type": "invalid_request_error", "message": "x-api-key header is required"}});
    assert_eq!(answer.json(), expected);
    let rules: Vec<&str> = server.violations().iter().map(|violation| violation.rule).collect();
    assert_eq!(rules, ["key-header", "version-header"]);
}
