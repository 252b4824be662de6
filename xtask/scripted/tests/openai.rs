//! OpenAI's chat completions, as a client sees them.
#![allow(clippy::unwrap_used)]

mod client;

use client::{Client, openai, streamed, user};
use louver_scripted::{Script, Scripted};
use serde_json::{Value, json};

fn start(script: Value) -> (Scripted, Client) {
    let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
    let client = Client::new(&server.url());
    (server, client)
}

#[test]
fn a_whole_answer_has_words_thoughts_and_what_it_cost() {
    let (server, mut client) = start(json!([{"text": "Hello Mara.", "thinking": "Greet her."}]));
    let answer = client.openai(&openai(json!([user("Hello")]))).unwrap();
    assert_eq!(answer.status, 200);
    let body = answer.json();
    let expected = json!({
        "index": 0,
        "message": {"role": "assistant", "content": "Hello Mara.", "refusal": null,
            "reasoning_content": "Greet her."},
        "logprobs": null,
        "finish_reason": "stop",
    });
    assert_eq!(body["choices"], json!([expected]));
    // The tool's JSON, the word and four tokens around it; three and three tokens come back.
    let tool = louver_context::Encoding::O200k
        .count(&json!({"name": "read_file", "parameters": {"type": "object"}}).to_string());
    let words = |text: &str| u64::from(louver_context::Encoding::O200k.count(text).0);
    let usage = &body["usage"];
    assert_eq!(usage["prompt_tokens"], u64::from(tool.0) + 5);
    assert_eq!(usage["completion_tokens"], words("Hello Mara.") + words("Greet her."));
    assert_eq!(usage["completion_tokens_details"]["reasoning_tokens"], words("Greet her."));
    assert_eq!(server.violations(), []);
}

#[test]
fn a_stream_is_cut_inside_words_and_ends_with_what_it_cost() {
    let (_server, mut client) = start(json!({
        "rules": [{"answer": {"text": "Olá, bom dia.", "thinking": "em português", "chunk": 2}}],
    }));
    let mut body = streamed(openai(json!([user("Olá")])));
    let plain = client.openai(&body).unwrap();
    assert_eq!(plain.header("content-type"), Some("text/event-stream"));
    assert_eq!(plain.joined("/choices/0/delta/content"), "Olá, bom dia.");
    assert_eq!(plain.joined("/choices/0/delta/reasoning_content"), "em português");
    assert!(plain.chunks > 12, "{}", plain.chunks);
    assert_eq!(plain.data().last(), Some(&"[DONE]"));
    assert!(plain.events().iter().all(|event| event.get("usage").is_none()));
    // The same connection is used again.
    body["stream_options"] = json!({"include_usage": true});
    let counted = client.openai(&body).unwrap();
    let events = counted.events();
    let (last, before) = events.split_last().unwrap();
    assert_eq!(last["choices"], json!([]));
    assert!(last["usage"]["prompt_tokens"].as_u64().unwrap() > 0);
    assert!(before.iter().all(|event| event["usage"].is_null()));
    assert_eq!(before.last().unwrap()["choices"][0]["finish_reason"], "stop");
}

#[test]
fn a_call_comes_in_fragments_and_its_result_goes_back() {
    let (server, mut client) = start(json!([
        {"calls": [{"name": "read_file", "arguments": {"path": "{{last_user}}"}},
                   {"name": "read_file", "arguments": "{\"path\": ", "id": "own"}], "chunk": 4},
        {"text": "It says: {{last_tool}}"},
    ]));
    let answer = client.openai(&streamed(openai(json!([user("notes.md")])))).unwrap();
    let events = answer.events();
    let deltas: Vec<&Value> =
        events.iter().filter_map(|event| event.pointer("/choices/0/delta/tool_calls/0")).collect();
    let arguments = |index: u64| {
        let own = deltas.iter().filter(|delta| delta["index"] == index);
        own.filter_map(|delta| delta["function"]["arguments"].as_str()).collect::<String>()
    };
    assert_eq!(arguments(0), r#"{"path":"notes.md"}"#);
    assert_eq!(arguments(1), r#"{"path": "#);
    let ids: Vec<&str> = deltas.iter().filter_map(|delta| delta["id"].as_str()).collect();
    assert_eq!(ids, ["call_1_1_0", "own"]);
    assert_eq!(events.last().unwrap()["choices"][0]["finish_reason"], "tool_calls");
    let call = |id: &str| {
        json!({"id": id, "type": "function",
            "function": {"name": "read_file", "arguments": "{}"}})
    };
    let result =
        |id: &str, text: &str| json!({"role": "tool", "tool_call_id": id, "content": text});
    let messages = json!([
        user("notes.md"),
        {"role": "assistant", "content": null, "tool_calls": [call(ids[0]), call(ids[1])]},
        result(ids[0], "nothing"),
        result(ids[1], "rent due"),
    ]);
    let answer = client.openai(&openai(messages)).unwrap().json();
    assert_eq!(answer["choices"][0]["message"]["content"], "It says: rent due");
    assert_eq!(server.violations(), []);
}

#[test]
fn a_broken_rule_is_answered_in_words_and_takes_no_step() {
    let (server, mut client) = start(json!([{"text": "first"}]));
    let lonely = json!({"role": "tool", "tool_call_id": "x", "content": "y"});
    let answer = client.openai(&openai(json!([user("hi"), lonely]))).unwrap();
    assert_eq!(answer.status, 400);
    let words = "messages[1]: messages with role 'tool' must be a response to a preceding message \
                 with 'tool_calls'";
    let expected = json!({"error": {"message": words, "type": "invalid_request_error",
        "param": null, "code": null}});
    assert_eq!(answer.json(), expected);
    assert_eq!(server.violations()[0].rule, "tool-results");
    assert_eq!(server.requests()[0].status, 400);
    let next = client.openai(&openai(json!([user("hi")]))).unwrap().json();
    assert_eq!(next["choices"][0]["message"]["content"], "first");
}

#[test]
fn the_share_from_the_cache_grows_with_the_conversation() {
    let (_server, mut client) = start(json!({}));
    let mut messages = vec![user("one")];
    let mut cached = Vec::new();
    for turn in 0..3 {
        let usage = client.openai(&openai(json!(messages))).unwrap().json()["usage"].clone();
        cached.push((
            usage["prompt_tokens"].as_u64().unwrap(),
            usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap(),
        ));
        messages.push(json!({"role": "assistant", "content": "ok"}));
        messages.push(user(&format!("turn {turn}")));
    }
    // All of one request is the cached beginning of the next.
    assert_eq!(cached[0].1, 0);
    assert_eq!([cached[1].1, cached[2].1], [cached[0].0, cached[1].0]);
    // A change in the first message breaks all but the tools.
    messages[0] = user("two");
    let usage = client.openai(&openai(json!(messages))).unwrap().json()["usage"].clone();
    assert_eq!(usage["prompt_tokens_details"]["cached_tokens"], cached[0].0 - 5);
}

#[test]
fn keys_models_and_the_window_are_kept() {
    let (_server, mut client) = start(json!({"models": ["small"], "window": 100}));
    let listed = client.get("/v1/models").json();
    assert_eq!(listed["data"][0]["id"], "small");
    assert_eq!(client.get("/health").json(), json!({"status": "ok"}));
    assert_eq!(client.get("/v1/embeddings").status, 404);
    let other = client.openai(&openai(json!([user("hi")]))).unwrap();
    assert_eq!((other.status, &other.json()["error"]["code"]), (404, &json!("model_not_found")));
    let mut long = openai(json!([user(&"word ".repeat(200))]));
    long["model"] = json!("small");
    let answer = client.openai(&long).unwrap();
    let code = answer.json()["error"]["code"].clone();
    assert_eq!((answer.status, code), (400, json!("context_length_exceeded")));

    let (server, mut client) = start(json!({"key": "another"}));
    let wrong = client.openai(&openai(json!([user("hi")]))).unwrap();
    assert_eq!((wrong.status, &wrong.json()["error"]["code"]), (401, &json!("invalid_api_key")));
    assert_eq!(client.get("/v1/models").status, 401);
    let recorded = &server.requests()[0];
    assert_eq!(recorded.header("authorization"), Some("(secret)"));
    assert!(!format!("{recorded:?}").contains(client::KEY));
}

#[test]
fn two_hundred_sessions_at_once_each_get_their_own_answer() {
    let (server, _) = start(json!({
        "rules": [
            {"when": {"tool": "file of"}, "answer": {"text": "{{last_user}}: {{last_tool}}"}},
            {"when": {"user": "session"},
             "answer": {"calls": [{"name": "read_file", "arguments": {"path": "{{last_user}}"}}]}},
        ],
        "then": "fail",
    }));
    let url = server.url();
    std::thread::scope(|scope| {
        for i in 0..200 {
            let url = &url;
            scope.spawn(move || session(url, i));
        }
    });
    assert_eq!(server.requests().len(), 400);
    assert_eq!(server.violations(), []);
}

fn session(url: &str, i: usize) {
    let mut client = Client::new(url);
    let name = format!("session {i}");
    let first = client.openai(&openai(json!([user(&name)]))).unwrap().json();
    let message = &first["choices"][0]["message"];
    let id = &message["tool_calls"][0]["id"];
    let result = json!({"role": "tool", "tool_call_id": id, "content": format!("file of {i}")});
    let second = client.openai(&openai(json!([user(&name), message, result]))).unwrap().json();
    let said = &second["choices"][0]["message"]["content"];
    assert_eq!(*said, json!(format!("session {i}: file of {i}")));
}
