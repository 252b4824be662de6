//! Recorded exchanges: what a server sent becomes a reply, and the reply goes back in the next
//! request as that server wants it.

use louver_agent::provider::{Ask, Fault, Reader, Trouble, Wire, request};
use louver_agent::sse::{Event, Events};
use louver_agent::{Delta, Finish, Reply, Usage};
use louver_context::{Content, Message, Reasoning, Role, ToolCall};
use serde_json::{Value, json};

use crate::{check, endpoint, person, prompt};

fn cassette(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes");
    std::fs::read(folder.join(name)).unwrap()
}

fn events(name: &str) -> Vec<Event> {
    let mut events = Events::new(1 << 20);
    let mut read = events.push(&cassette(name)).unwrap();
    read.extend(events.finish());
    read
}

fn streamed(wire: Wire, name: &str) -> Result<(Vec<Delta>, Reply), Fault> {
    let mut reader = Reader::new(wire);
    let mut heard = Vec::new();
    for event in events(name) {
        heard.extend(reader.event(&event)?);
    }
    Ok((heard, reader.finish()?))
}

/// Reads a cassette and makes sure that what was heard is what is in the reply.
fn replay(wire: Wire, name: &str) -> Reply {
    let (heard, reply) = match name.ends_with(".sse") {
        true => streamed(wire, name).unwrap(),
        false => Reader::whole(wire, &cassette(name)).unwrap(),
    };
    let text: String = heard
        .iter()
        .filter_map(|delta| match delta {
            Delta::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let said: String = reply.message.texts().map(|text| &**text).collect();
    assert_eq!(text, said, "{name}");
    let called: Vec<&str> = heard
        .iter()
        .filter_map(|delta| match delta {
            Delta::Call(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let calls: Vec<&str> = reply.message.calls.iter().map(|call| &*call.name).collect();
    assert_eq!(called, calls, "{name}");
    reply
}

fn message(text: Option<&str>, calls: &[(&str, &str, &str)], reasoning: Vec<Reasoning>) -> Message {
    let content = text.map_or(Content::Null, |text| Content::Text(text.into()));
    let call = |(id, name, arguments): &(&str, &str, &str)| ToolCall {
        id: (*id).into(),
        name: (*name).into(),
        arguments: (*arguments).into(),
        extra: Default::default(),
    };
    let mut message = Message::new(Role::Assistant, content);
    message.calls = calls.iter().map(call).collect();
    message.reasoning = reasoning;
    message
}

fn usage(
    input: u64,
    cached: u64,
    cache_written: u64,
    output: u64,
    reasoning: u64,
) -> Option<Usage> {
    Some(Usage { input, cached, cache_written, output, reasoning })
}

/// The body of the request that follows a reply: its calls answered, sent to that provider.
fn next(provider: &str, model: &str, reply: &Reply) -> Value {
    let mut messages = vec![person("Are both printers well?"), reply.message.clone()];
    for call in &reply.message.calls {
        messages.push(Message::result(call.id.clone(), call.name.clone(), "fine"));
    }
    if reply.message.calls.is_empty() {
        messages.push(person("Good."));
    }
    let prompt = prompt(messages);
    let ask = Ask::new(model, &prompt, 4096);
    serde_json::from_slice(&request(&endpoint(provider), &ask).body).unwrap()
}

/// The assistant's message in the request that follows, in OpenAI's form.
fn sent_back(provider: &str, model: &str, reply: &Reply) -> Value {
    next(provider, model, reply)["messages"][2].clone()
}

#[test]
fn openai_streams_text_and_two_calls_in_fragments() {
    let reply = replay(Wire::OpenAi, "openai-stream.sse");
    let calls = [
        ("call_aaa", "status", "{\"printer\":\"gutenberg\"}"),
        ("call_bbb", "status", "{\"printer\":\"aldus\"}"),
    ];
    let message = message(Some("I will look."), &calls, vec![]);
    let usage = usage(2006, 1920, 0, 300, 0);
    assert_eq!(reply, Reply { message, finish: Finish::Calls, usage });
    let back = json!({"role": "assistant", "content": "I will look.", "tool_calls": [
        {"id": "call_aaa", "type": "function", "function": {"name": "status", "arguments": "{\"printer\":\"gutenberg\"}"}},
        {"id": "call_bbb", "type": "function", "function": {"name": "status", "arguments": "{\"printer\":\"aldus\"}"}},
    ]});
    assert_eq!(sent_back("openai", "gpt-4o", &reply), back);
}

#[test]
fn openai_answers_whole() {
    let reply = replay(Wire::OpenAi, "openai-whole.json");
    let message = message(Some("Both are well."), &[], vec![]);
    let usage = usage(1117, 1024, 0, 46, 40);
    assert_eq!(reply, Reply { message, finish: Finish::Stop, usage });
}

#[test]
fn deepseek_gets_its_reasoning_back_with_the_call() {
    let reply = replay(Wire::OpenAi, "deepseek-stream.sse");
    let thought = Reasoning::Content("The person asks about printers.".into());
    let message = message(None, &[("call_00_x", "status", "{}")], vec![thought]);
    let usage = usage(500, 448, 0, 60, 45);
    assert_eq!(reply, Reply { message, finish: Finish::Calls, usage });
    let back = sent_back("deepseek", "deepseek-reasoner", &reply);
    assert_eq!(back["reasoning_content"], "The person asks about printers.");
    let elsewhere = sent_back("openai", "gpt-4o", &reply);
    assert_eq!(elsewhere.get("reasoning_content"), None);
}

#[test]
fn kimi_keeps_its_own_ids_and_thoughts() {
    let reply = replay(Wire::OpenAi, "moonshot-stream.sse");
    let thought = Reasoning::Content("Look first.".into());
    let calls = [("functions.status:0", "status", "{\"printer\": 1}")];
    let message = message(None, &calls, vec![thought]);
    let usage = usage(300, 256, 0, 20, 0);
    assert_eq!(reply, Reply { message, finish: Finish::Calls, usage });
    let back = sent_back("moonshot", "kimi-k2-thinking", &reply);
    assert_eq!(back["tool_calls"][0]["id"], "functions.status:0");
    assert_eq!(back["reasoning_content"], "Look first.");
    check::anthropic(&next("anthropic", "claude-sonnet-4-5", &reply)).unwrap();
}

#[test]
fn openrouter_gets_its_details_back_joined_and_signed() {
    let reply = replay(Wire::OpenAi, "openrouter-stream.sse");
    let details = json!([{"type": "reasoning.text", "text": "It is simple.",
        "format": "anthropic-claude-v1", "index": 0, "signature": "c2ln"}]);
    let thought = Reasoning::Opaque { key: "reasoning_details", value: details.clone() };
    let message = message(Some("Yes."), &[], vec![thought]);
    let usage = usage(90, 0, 64, 12, 5);
    assert_eq!(reply, Reply { message, finish: Finish::Stop, usage });
    let back = sent_back("openrouter", "openai/gpt-5", &reply);
    let expected = json!({"role": "assistant", "content": "Yes.", "reasoning_details": details});
    assert_eq!(back, expected);
}

#[test]
fn calls_that_all_say_index_zero_are_told_apart_by_their_ids() {
    let reply = replay(Wire::OpenAi, "ollama-stream.sse");
    let calls = [("call_1", "status", "{\"printer\":1}"), ("call_2", "status", "{\"printer\":2}")];
    let message = message(None, &calls, vec![Reasoning::Content("Two printers.".into())]);
    let usage = usage(40, 0, 0, 30, 0);
    assert_eq!(reply, Reply { message, finish: Finish::Calls, usage });
}

#[test]
fn thoughts_in_the_text_are_reasoning() {
    let reply = replay(Wire::OpenAi, "llamacpp-stream.sse");
    let message = message(Some("Hello <"), &[], vec![Reasoning::Content("A greeting.".into())]);
    let usage = usage(31, 30, 0, 9, 0);
    assert_eq!(reply, Reply { message, finish: Finish::Length, usage });
    let back = sent_back("llamacpp", "smollm2", &reply);
    let expected =
        json!({"role": "assistant", "content": "Hello <", "reasoning_content": "A greeting."});
    assert_eq!(back, expected);
}

#[test]
fn calls_without_ids_indexes_or_text_get_ids_of_their_own() {
    let reply = replay(Wire::OpenAi, "nameless-stream.sse");
    let again = replay(Wire::OpenAi, "nameless-stream.sse");
    assert_eq!(reply, again);
    let calls: Vec<(&str, &str)> =
        reply.message.calls.iter().map(|call| (&*call.name, &*call.arguments)).collect();
    assert_eq!(calls, [("status", "{\"printer\":1}"), ("status", "{\"printer\":2}")]);
    let [one, two] = &reply.message.calls[..] else { panic!() };
    assert_ne!(one.id, two.id);
    assert!(one.id.starts_with("call_") && one.id.len() == 29, "{}", one.id);
}

#[test]
fn what_gemini_sends_beside_a_call_goes_back_to_gemini_alone() {
    let reply = replay(Wire::OpenAi, "gemini-whole.json");
    let beside = json!({"google": {"thought_signature": "c2ln"}});
    let back = |provider, model| sent_back(provider, model, &reply)["tool_calls"][0].clone();
    assert_eq!(back("gemini", "gemini-3-flash")["extra_content"], beside);
    assert_eq!(back("openai", "gpt-4o").get("extra_content"), None);
}

#[test]
fn usage_is_found_where_groq_puts_it_and_text_where_mistral_does() {
    let groq = replay(Wire::OpenAi, "groq-stream.sse");
    let said = |text| message(Some(text), &[], vec![]);
    let expected =
        Reply { message: said("Hi"), finish: Finish::Stop, usage: usage(11, 0, 0, 2, 0) };
    assert_eq!(groq, expected);
    let mistral = replay(Wire::OpenAi, "mistral-whole.json");
    let expected =
        Reply { message: said("Bonjour."), finish: Finish::Stop, usage: usage(20, 0, 0, 4, 0) };
    assert_eq!(mistral, expected);
}

#[test]
fn anthropic_streams_signed_thoughts_text_and_calls() {
    let reply = replay(Wire::Anthropic, "anthropic-stream.sse");
    let thought = Reasoning::Thinking {
        text: "I should look.".into(),
        signature: Some("c2lnbmF0dXJl".into()),
    };
    let calls = [("toolu_1", "status", "{\"printer\": \"gutenberg\"}"), ("toolu_2", "now", "{}")];
    let message = message(Some("I will look."), &calls, vec![thought]);
    let usage = usage(2312, 2000, 300, 89, 0);
    assert_eq!(reply, Reply { message, finish: Finish::Calls, usage });
    let back = next("anthropic", "claude-sonnet-4-5", &reply);
    check::anthropic(&back).unwrap();
    assert_eq!(
        back["messages"][1]["content"],
        json!([
            {"type": "thinking", "thinking": "I should look.", "signature": "c2lnbmF0dXJl"},
            {"type": "text", "text": "I will look."},
            {"type": "tool_use", "id": "toolu_1", "name": "status", "input": {"printer": "gutenberg"}},
            {"type": "tool_use", "id": "toolu_2", "name": "now", "input": {}},
        ])
    );
    let elsewhere = sent_back("deepseek", "deepseek-chat", &reply);
    assert_eq!(elsewhere["reasoning_content"], "");
    assert_eq!(elsewhere.get("thinking_blocks"), None);
}

#[test]
fn anthropic_answers_whole() {
    let reply = replay(Wire::Anthropic, "anthropic-whole.json");
    let thoughts = vec![
        Reasoning::Redacted("ZGF0YQ==".into()),
        Reasoning::Thinking { text: "Fine.".into(), signature: Some("c2ln".into()) },
    ];
    let calls = [("toolu_3", "status", "{\"printer\":1}")];
    let message = message(Some("Both are well."), &calls, thoughts);
    let usage = usage(150, 100, 0, 20, 0);
    assert_eq!(reply, Reply { message, finish: Finish::Calls, usage });
}

#[test]
fn an_error_in_a_stream_is_sorted_like_any_other() {
    let fault = streamed(Wire::Anthropic, "anthropic-overloaded.sse").unwrap_err();
    let said = "Overloaded".to_owned();
    assert_eq!(fault.trouble(), Trouble::Overload { status: 529, wait: None, said });
}

#[test]
fn a_stream_without_an_end_was_cut() {
    for (wire, name) in
        [(Wire::OpenAi, "openai-stream.sse"), (Wire::Anthropic, "anthropic-stream.sse")]
    {
        let mut reader = Reader::new(wire);
        for event in &events(name)[..6] {
            reader.event(event).unwrap();
        }
        assert_eq!(reader.finish(), Err(Fault::Cut), "{name}");
    }
}

#[test]
fn an_answer_that_is_none_is_malformed() {
    for body in ["", "{", "[]", "{\"hello\": 1}", "<html>"] {
        for wire in [Wire::OpenAi, Wire::Anthropic] {
            let fault = Reader::whole(wire, body.as_bytes()).unwrap_err();
            assert!(matches!(fault, Fault::Malformed(_)), "{body} {fault:?}");
        }
    }
}
