//! Requests: the fields that servers differ in, and what is only sent to those that take it.

use louver_agent::provider::{Ask, Effort, Endpoint, PROVIDERS, Wire, request};
use louver_context::{Message, Reasoning, Role, ToolCall};
use serde_json::{Value, json};

use crate::{check, endpoint, person, prompt};

fn body(endpoint: &Endpoint, ask: &Ask<'_>) -> Value {
    serde_json::from_slice(&request(endpoint, ask).body).unwrap()
}

/// A request without its tools and messages.
fn fields(name: &str, ask: Ask<'_>) -> Value {
    let mut body = body(&endpoint(name), &ask);
    let fields = body.as_object_mut().unwrap();
    ["tools", "messages", "system"].iter().for_each(|key| drop(fields.shift_remove(*key)));
    body
}

#[test]
fn openai_is_told_a_limit_a_cache_and_an_effort_but_no_temperature_when_it_reasons() {
    let prompt = prompt(vec![person("Hi")]);
    let ask = Ask {
        session: "cli:me",
        temperature: Some(0.7),
        effort: Some(Effort::Low),
        ..Ask::new("gpt-5", &prompt, 99)
    };
    let sent = fields("openai", ask);
    let key = sent["prompt_cache_key"].as_str().unwrap().to_owned();
    assert_eq!((key.len(), key.contains("cli")), (32, false));
    assert_eq!(
        sent,
        json!({"model": "gpt-5", "max_completion_tokens": 99, "stream": true,
        "stream_options": {"include_usage": true}, "prompt_cache_key": key, "reasoning_effort": "low"})
    );
    let plain = fields("openai", Ask { model: "gpt-4o", stream: false, session: "", ..ask });
    assert_eq!(plain, json!({"model": "gpt-4o", "max_completion_tokens": 99, "temperature": 0.7}));
}

#[test]
fn a_local_server_gets_nothing_it_may_not_know() {
    let prompt = prompt(vec![person("Hi")]);
    let ask =
        Ask { session: "cli:me", effort: Some(Effort::Low), ..Ask::new("smollm2", &prompt, 99) };
    let sent = fields("llamacpp", ask);
    assert_eq!(
        sent,
        json!({"model": "smollm2", "max_tokens": 99, "stream": true,
        "stream_options": {"include_usage": true}})
    );
}

#[test]
fn a_call_is_forced_where_that_can_be_done() {
    let prompt = prompt(vec![person("Hi")]);
    let ask = Ask { must_call: Some("status"), ..Ask::new("m", &prompt, 99) };
    let choice = |name| body(&endpoint(name), &ask).get("tool_choice").cloned();
    let of_openai = json!({"type": "function", "function": {"name": "status"}});
    assert_eq!(choice("openai"), Some(of_openai));
    assert_eq!(choice("anthropic"), Some(json!({"type": "tool", "name": "status"})));
    assert_eq!(choice("moonshot"), None);
}

#[test]
fn claude_thinks_as_its_version_does_and_not_while_a_call_is_forced() {
    let prompt = prompt(vec![person("Hi")]);
    let ask = Ask {
        effort: Some(Effort::Medium),
        temperature: Some(0.7),
        ..Ask::new("claude-sonnet-4-5", &prompt, 16_384)
    };
    let old = body(&endpoint("anthropic"), &ask);
    check::anthropic(&old).unwrap();
    assert_eq!(old["thinking"], json!({"type": "enabled", "budget_tokens": 10_240}));
    let new = body(&endpoint("anthropic"), &Ask { model: "claude-opus-5", ..ask });
    assert_eq!(new["thinking"], json!({"type": "adaptive"}));
    assert_eq!(new["output_config"], json!({"effort": "medium"}));
    let forced = body(&endpoint("anthropic"), &Ask { must_call: Some("status"), ..ask });
    check::anthropic(&forced).unwrap();
    assert_eq!((forced.get("thinking"), &forced["temperature"]), (None, &json!(0.7)));
}

/// An answer that calls `status`, with these thoughts, and its result.
fn called(id: &str, reasoning: Vec<Reasoning>) -> [Message; 2] {
    let mut message = Message::new(Role::Assistant, louver_context::Content::Null);
    message.calls = vec![ToolCall {
        id: id.into(),
        name: "status".into(),
        arguments: "{}".into(),
        extra: Default::default(),
    }];
    message.reasoning = reasoning;
    [message, Message::result(id, "status", "fine")]
}

#[test]
fn claude_does_not_think_in_a_turn_that_another_provider_began() {
    let [call, result] = called("a", vec![Reasoning::Content("hm".into())]);
    let prompt = prompt(vec![person("Hi"), call, result]);
    let ask = Ask { effort: Some(Effort::High), ..Ask::new("claude-sonnet-4-5", &prompt, 16_384) };
    let sent = body(&endpoint("anthropic"), &ask);
    check::anthropic(&sent).unwrap();
    assert_eq!(sent.get("thinking"), None);
}

#[test]
fn each_step_of_a_turn_marks_the_newest_message_and_there_are_four_marks_at_most() {
    let [call, result] = called("a", vec![]);
    let mut prompt = prompt(vec![
        person("Hi"),
        Message::text(Role::Assistant, "Hello"),
        person("Well?"),
        call,
        result,
    ]);
    prompt.history = 2;
    let sent = body(&endpoint("anthropic"), &Ask::new("claude-sonnet-4-5", &prompt, 99));
    check::anthropic(&sent).unwrap();
    let marked: Vec<&Value> = sent["messages"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|message| message["content"].as_array().unwrap())
        .filter(|block| block.get("cache_control").is_some())
        .map(|block| &block["type"])
        .collect();
    assert_eq!(marked, ["text", "tool_result"]);
    assert_eq!(sent.to_string().matches("cache_control").count(), 4);
}

#[test]
fn openrouter_marks_claude_and_nobody_else() {
    let prompt =
        prompt(vec![person("Hi"), Message::text(Role::Assistant, "Hello"), person("Well?")]);
    let marks = |model| {
        let sent = body(&endpoint("openrouter"), &Ask::new(model, &prompt, 99));
        sent.to_string().matches("cache_control").count()
    };
    assert_eq!(marks("anthropic/claude-sonnet-4.5"), 4);
    assert_eq!(marks("openai/gpt-5"), 0);
}

#[test]
fn where_requests_go_and_what_they_carry() {
    let prompt = prompt(vec![person("Hi")]);
    let ask = Ask::new("m", &prompt, 99);
    for provider in PROVIDERS {
        let endpoint = endpoint(provider.name);
        let sent = request(&endpoint, &ask);
        let end = match provider.wire {
            Wire::OpenAi => "/chat/completions",
            Wire::Anthropic => "/v1/messages",
        };
        assert_eq!(sent.url, format!("{}{end}", provider.base));
        let names: Vec<&str> = sent.headers.iter().map(|(name, _)| name.as_str()).collect();
        match provider.wire {
            Wire::OpenAi => assert_eq!(names, ["content-type", "authorization"]),
            Wire::Anthropic => {
                assert_eq!(names, ["content-type", "x-api-key", "anthropic-version"]);
            }
        }
        assert!(!String::from_utf8(sent.body).unwrap().contains("a-very-secret-key"));
    }
    let mut proxy = Endpoint::custom("proxy", Wire::Anthropic, "http://127.0.0.1:9/v1/", None);
    assert_eq!(request(&proxy, &ask).url, "http://127.0.0.1:9/v1/messages");
    proxy.wire = Wire::OpenAi;
    assert_eq!(request(&proxy, &ask).url, "http://127.0.0.1:9/v1/chat/completions");
}
