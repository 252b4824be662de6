//! A conversation begun on one provider goes on on any other.

use std::sync::Arc;

use louver_agent::provider::{Ask, Effort, PROVIDERS, Provider, Wire, request};
use louver_context::history::Entry;
use louver_context::pairing::repair;
use louver_context::{Content, Message, Part, Reasoning, Role, Rules, ToolCall};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::check::{self, Strict};
use crate::{endpoint, person, prompt};

/// What each provider is known to demand.
fn strict(provider: &Provider) -> Strict {
    let plain =
        Strict { known_keys: false, plain_ids: false, nine: false, thoughts: None, no_null: false };
    match provider.name {
        "openai" => Strict { known_keys: true, plain_ids: true, ..plain },
        "groq" => Strict { known_keys: true, ..plain },
        "deepseek" => Strict { thoughts: Some(0), ..plain },
        "moonshot" => Strict { thoughts: Some(1), ..plain },
        "mistral" => Strict { known_keys: true, nine: true, no_null: true, ..plain },
        "stepfun" => Strict { known_keys: true, no_null: true, ..plain },
        "dashscope" => Strict { no_null: true, ..plain },
        _ => plain,
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), Just("  ".into()), "[a-zé ]{1,12}"]
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("call_1".into()),
        Just("functions.status:0".into()),
        Just("toolu_1".into()),
        Just("abcdef123".into()),
        Just(String::new()),
        "[a-z:.é ]{1,8}",
        "[a-z]{41,60}",
    ]
}

fn call() -> impl Strategy<Value = ToolCall> {
    let name = prop_oneof![Just("status"), Just("functions.status"), Just(""), Just("a b/c")];
    let arguments =
        prop_oneof![Just("{}"), Just("{\"printer\": 1}"), Just(""), Just("{\"a\""), Just("[1]")];
    (id(), name, arguments, any::<bool>()).prop_map(|(id, name, arguments, beside)| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
        extra: beside
            .then(|| ("extra_content".to_owned(), json!({"google": 1})))
            .into_iter()
            .collect(),
    })
}

fn reasoning() -> impl Strategy<Value = Reasoning> {
    prop_oneof![
        Just(Reasoning::Content("hm".into())),
        Just(Reasoning::Content("".into())),
        Just(Reasoning::Thinking { text: "hm".into(), signature: Some("c2ln".into()) }),
        Just(Reasoning::Thinking { text: "hm".into(), signature: Some("".into()) }),
        Just(Reasoning::Thinking { text: "hm".into(), signature: None }),
        Just(Reasoning::Redacted("ZGF0YQ==".into())),
        Just(Reasoning::Opaque {
            key: "reasoning_details",
            value: json!([{"type": "reasoning.text"}])
        }),
    ]
}

fn content() -> impl Strategy<Value = Content> {
    let part = prop_oneof![
        text().prop_map(|text| Part::Text(text.into())),
        Just(Part::Other(json!({"type": "input_audio", "input_audio": {}}))),
        Just(Part::Other(json!({"type": "document", "source": {}}))),
    ];
    prop_oneof![
        Just(Content::Null),
        text().prop_map(|text| Content::Text(text.into())),
        prop::collection::vec(part, 0..3).prop_map(Content::Parts),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant), Just(Role::Tool)];
    let calls = prop::collection::vec(call(), 0..3);
    let thoughts = prop::collection::vec(reasoning(), 0..3);
    (role, content(), calls, thoughts, id(), text()).prop_map(
        |(role, content, calls, reasoning, id, name)| {
            let mut message = Message::new(role, content);
            match role {
                Role::Assistant => (message.calls, message.reasoning) = (calls, reasoning),
                Role::Tool => message.answers = Some(id.into()),
                _ => message.name = Some(name.into()),
            }
            message
        },
    )
}

/// A conversation as pairing leaves it, with a person's words at the end.
fn mended(messages: &[Message], rules: Rules) -> Vec<Message> {
    let entry = |(id, message): (u32, &Message)| Entry { id, message: Arc::new(message.clone()) };
    let entries: Vec<Entry> = (0..).zip(messages).map(entry).collect();
    let (entries, _) = repair(&entries, rules);
    let mut messages: Vec<Message> = entries.iter().map(|entry| (*entry.message).clone()).collect();
    messages.push(person("And now?"));
    messages
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_conversation_goes_on_on_any_provider(
        messages in prop::collection::vec(message(), 0..8),
        effort in prop::option::of(Just(Effort::High)),
    ) {
        for provider in PROVIDERS {
            let rules = match provider.wire {
                Wire::OpenAi => Rules::OPENAI,
                Wire::Anthropic => Rules::ANTHROPIC,
            };
            let prompt = prompt(mended(&messages, rules));
            let model = if provider.wire == Wire::Anthropic { "claude-sonnet-4-5" } else { "m" };
            let ask = Ask { effort, ..Ask::new(model, &prompt, 16_384) };
            let sent: Value = serde_json::from_slice(&request(&endpoint(provider.name), &ask).body).unwrap();
            let checked = match provider.wire {
                Wire::OpenAi => check::openai(&sent, strict(provider)),
                Wire::Anthropic => check::anthropic(&sent),
            };
            prop_assert_eq!(checked, Ok(()), "{} {}", provider.name, sent);
        }
    }
}
