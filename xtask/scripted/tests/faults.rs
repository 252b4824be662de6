//! Everything that goes wrong on purpose, in both protocols.
#![allow(clippy::unwrap_used)]

mod client;

use client::{Answer, Client, KEY, anthropic, openai, streamed, user};
use louver_scripted::{Script, Scripted};
use serde_json::{Value, json};

/// One answer with a fault, by a server of its own; none when the connection ends before it.
fn ask(protocol: &str, stream: bool, fault: Value) -> Option<Answer> {
    let step = json!({"text": "The spokes are here.", "chunk": 4, "fault": fault,
        "calls": [{"name": "read_file", "arguments": {"path": "a"}},
                  {"name": "read_file", "arguments": {"path": "b"}}]});
    let server = Scripted::start(Script::from_value(json!([step])).unwrap()).unwrap();
    let mut client = Client::new(&server.url());
    let messages = json!([user("Where are the spokes?")]);
    let shape = |body: Value| if stream { streamed(body) } else { body };
    match protocol {
        "openai" => client.openai(&shape(openai(messages))),
        _ => client.anthropic(&shape(anthropic(messages))),
    }
}

const BOTH: [&str; 2] = ["openai", "anthropic"];

#[test]
fn a_status_comes_with_the_body_of_its_provider() {
    let kinds = [
        (400, "invalid_request_error", "invalid_request_error"),
        (401, "invalid_request_error", "authentication_error"),
        (404, "invalid_request_error", "not_found_error"),
        (429, "tokens", "rate_limit_error"),
        (500, "server_error", "api_error"),
        (529, "server_error", "overloaded_error"),
    ];
    for (status, one, other) in kinds {
        let fault = json!({"status": status, "retry_after": "7"});
        let answer = ask("openai", true, fault.clone()).unwrap();
        assert_eq!((answer.status, answer.header("retry-after")), (status, Some("7")));
        assert_eq!(answer.json()["error"]["type"], one);
        let answer = ask("anthropic", true, fault).unwrap();
        assert_eq!((answer.status, &answer.json()["type"]), (status, &json!("error")));
        assert_eq!(answer.json()["error"]["type"], other);
    }
}

#[test]
fn too_long_is_said_in_every_dialect() {
    let dialects = [
        "openai",
        "anthropic",
        "anthropic_reply",
        "llama.cpp",
        "vllm",
        "openrouter",
        "deepseek",
        "kimi",
        "lm_studio",
    ];
    for dialect in dialects {
        let answer = ask("openai", false, json!({"too_long": dialect})).unwrap();
        assert_eq!(answer.status, 400);
        assert!(!answer.json()["error"].is_null(), "{dialect}");
    }
    let own = ask("anthropic", false, json!("too_long")).unwrap().json();
    assert!(own["error"]["message"].as_str().unwrap().starts_with("prompt is too long: "));
    let own = ask("openai", false, json!("too_long")).unwrap().json();
    assert_eq!(own["error"]["code"], "context_length_exceeded");
}

#[test]
fn a_key_is_echoed_and_money_is_missed() {
    for protocol in BOTH {
        let answer = ask(protocol, false, json!("key_echoed")).unwrap();
        assert_eq!(answer.status, 401);
        assert!(answer.body.contains(KEY));
    }
    assert_eq!(ask("openai", false, json!("quota")).unwrap().status, 429);
    assert_eq!(ask("anthropic", false, json!("quota")).unwrap().status, 400);
}

#[test]
fn a_body_is_cut_at_the_byte() {
    for protocol in BOTH {
        for stream in [true, false] {
            let answer = ask(protocol, stream, json!({"cut": 50})).unwrap();
            assert_eq!((answer.body.len(), answer.whole), (50, false), "{protocol} {stream}");
            let nothing = ask(protocol, stream, json!({"cut": 0})).unwrap();
            assert_eq!((nothing.body.as_str(), nothing.whole), ("", false));
            assert!(ask(protocol, stream, json!("close")).is_none());
        }
    }
}

#[test]
fn one_event_is_broken_and_the_others_are_not() {
    for protocol in BOTH {
        let answer = ask(protocol, true, json!("malformed")).unwrap();
        let is_broken = |data: &&&str| serde_json::from_str::<Value>(data).is_err();
        let broken =
            answer.data().iter().filter(|data| **data != "[DONE]").filter(is_broken).count();
        assert_eq!(broken, 1);
        let whole = ask(protocol, false, json!("malformed")).unwrap();
        assert!(whole.whole && serde_json::from_str::<Value>(&whole.body).is_err());
    }
}

#[test]
fn slow_bytes_come_one_by_one() {
    for protocol in BOTH {
        let answer = ask(protocol, true, json!({"slow_ms": 0})).unwrap();
        assert_eq!(answer.chunks, answer.body.len());
        assert!(answer.whole);
    }
}

#[test]
fn a_stream_that_does_not_say_its_end_still_ends() {
    let answer = ask("openai", true, json!("unfinished")).unwrap();
    assert!(answer.whole && !answer.data().contains(&"[DONE]"));
    assert_eq!(answer.joined("/choices/0/finish_reason"), "");
    let answer = ask("anthropic", true, json!("unfinished")).unwrap();
    assert!(answer.whole && !answer.names().contains(&"message_delta"));
}

#[test]
fn an_error_comes_in_the_middle_of_a_stream() {
    let answer = ask("openai", true, json!("stream_error")).unwrap();
    assert_eq!(answer.events().last().unwrap()["error"]["type"], "server_error");
    let answer = ask("anthropic", true, json!("stream_error")).unwrap();
    assert_eq!(answer.names().last(), Some(&"error"));
    assert_eq!(answer.events().last().unwrap()["error"]["type"], "overloaded_error");
    for protocol in BOTH {
        assert_eq!(ask(protocol, false, json!("stream_error")).unwrap().status, 500);
    }
}

#[test]
fn an_empty_answer_is_a_proper_one() {
    let answer = ask("openai", false, json!("empty")).unwrap().json();
    assert_eq!(answer["choices"][0]["message"]["content"], "");
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    assert_eq!(ask("openai", true, json!("empty")).unwrap().events().len(), 2);
    let answer = ask("anthropic", false, json!("empty")).unwrap().json();
    assert_eq!((&answer["content"], &answer["stop_reason"]), (&json!([]), &json!("end_turn")));
}

#[test]
fn ids_of_calls_are_bad_in_every_way() {
    let ids = |protocol: &str, how: &str| -> Vec<Value> {
        let answer = ask(protocol, false, json!({"ids": how})).unwrap().json();
        let calls = match protocol {
            "openai" => answer["choices"][0]["message"]["tool_calls"].clone(),
            _ => json!([answer["content"][1], answer["content"][2]]),
        };
        calls.as_array().unwrap().iter().map(|call| call["id"].clone()).collect()
    };
    for protocol in BOTH {
        let same = ids(protocol, "duplicate");
        assert!(same[0].is_string() && same[0] == same[1]);
        assert_eq!(ids(protocol, "empty"), ["", ""]);
        assert_eq!(ids(protocol, "missing"), [json!(null), json!(null)]);
        assert!(ids(protocol, "wrong")[0].as_str().unwrap().contains('/'));
    }
    let answer = ask("openai", true, json!({"ids": "shifting"})).unwrap();
    let events = answer.events();
    let ids = events.iter().filter_map(|e| e.pointer("/choices/0/delta/tool_calls/0/id"));
    let ids: std::collections::HashSet<&str> = ids.filter_map(Value::as_str).collect();
    assert!(ids.len() > 4, "{ids:?}");
    let answer = ask("anthropic", true, json!({"ids": "shifting"})).unwrap();
    let strange = answer.events().iter().filter_map(|e| e["index"].as_u64()).max();
    assert!(strange > Some(100));
}

#[test]
fn fragments_lose_their_index() {
    let answer = ask("openai", true, json!("no_index")).unwrap();
    let events = answer.events();
    let calls = events.iter().filter_map(|e| e.pointer("/choices/0/delta/tool_calls/0"));
    let calls: Vec<&Value> = calls.collect();
    assert!(calls.len() > 4 && calls.iter().all(|call| call.get("index").is_none()));
    let answer = ask("anthropic", true, json!("no_index")).unwrap();
    assert!(answer.events().iter().all(|event| event.get("index").is_none()));
}

#[test]
fn the_content_type_is_wrong() {
    for protocol in BOTH {
        let page = ask(protocol, true, json!("html")).unwrap();
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(page.body.starts_with("<!doctype html>"));
        for stream in [true, false] {
            let plain = ask(protocol, stream, json!("wrong_type")).unwrap();
            assert_eq!(plain.header("content-type"), Some("text/plain"));
            assert!(plain.body.contains(if stream { "data: " } else { "The spokes" }));
        }
    }
}

#[test]
fn what_never_ends_ends_with_the_server() {
    let script = json!({"rules": [
        {"when": {"user": "wait"}, "answer": {"fault": "hang"}},
        {"when": {"user": "slowly"}, "answer": {"text": "x", "delay_ms": 3_600_000}},
        {"when": {"user": "talk"}, "answer": {"text": "on and on ", "fault": "endless"}},
    ]});
    let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
    let url = server.url();
    let ask = |text: &'static str| {
        let mut client = Client::new(&url);
        std::thread::spawn(move || client.openai(&streamed(openai(json!([user(text)])))))
    };
    let waiting = [ask("wait"), ask("slowly"), ask("talk")];
    assert!(server.wait_for(3));
    drop(server);
    let answers = waiting.map(|thread| thread.join().unwrap());
    assert!(answers[0].is_none());
    assert!(answers[1..].iter().flatten().all(|answer| !answer.whole));
}

#[test]
fn an_endless_stream_goes_on_until_the_client_goes() {
    let step = json!({"text": "on and on ", "fault": "endless"});
    let server = Scripted::start(Script::from_value(json!([step])).unwrap()).unwrap();
    let mut client = Client::new(&server.url());
    let body = streamed(anthropic(json!([user("talk")]))).to_string();
    let headers = [
        ("x-api-key", KEY),
        ("anthropic-version", "2023-06-01"),
        ("content-type", "application/json"),
    ];
    client.send("POST", "/v1/messages", &headers, &body);
    let said = (0..3000).filter_map(|_| client.line()).filter(|line| line.contains("text_delta"));
    assert!(said.count() > 300);
}
