//! The prefix law over real conversations, and conversations that change the provider.

use louver_agent::provider::Wire;
use serde_json::{Value, json};

use crate::stage::{Plan, Stage, WAYS, Way, builder, call};

/// What a request says, piece by piece in the order in which a provider's cache compares it: the
/// tools, the system text, the messages or their blocks. Marks are no part of it.
pub(crate) fn row(body: &Value) -> Vec<Value> {
    let mut row = vec![body["tools"].clone(), body["system"].clone()];
    for message in body["messages"].as_array().unwrap() {
        match message["content"].as_array() {
            Some(blocks) => {
                row.extend(blocks.iter().map(|block| json!([message["role"], block])));
            }
            None => row.push(message.clone()),
        }
    }
    row.iter_mut().for_each(unmark);
    row
}

fn unmark(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.shift_remove("cache_control");
            fields.values_mut().for_each(unmark);
        }
        Value::Array(items) => items.iter_mut().for_each(unmark),
        _ => {}
    }
}

#[tokio::test]
async fn within_an_epoch_each_request_extends_the_one_before_it() {
    for way in WAYS {
        let script = json!({
            "rules": [
                {"when": {"user": "read"}, "answer": call("read_file", json!({"path": "notes.md"}))},
                {"when": {"user": "write"},
                 "answer": call("write_file", json!({"path": "notes.md", "text": "two\n"}))},
                {"when": {"tool": ""}, "answer": {"thinking": "hm", "text": "done: {{last_tool}}"}},
                {"answer": {"thinking": "hm", "text": "You said: {{last_user}}"}}
            ]
        });
        let mut plan = Plan::new(way);
        plan.window = Some((9_000, 1_000));
        let stage = Stage::new(script, plan);
        stage.write("notes.md", &"one\n".repeat(900));
        let mut epochs = Vec::new();
        for n in 0..12 {
            let text = ["Hello", "read it", "write it", "How are you?"][n % 4];
            if n == 6 {
                // A changed file is told after the history, and changes nothing before it.
                stage.write("AGENTS.md", "Be brief. Be kind.\n");
            }
            if n == 8 {
                stage.write("notes.md", &"three\n".repeat(900));
            }
            let told = stage.say(text).await;
            told.outcome.as_ref().unwrap();
            epochs.extend(told.sendings().into_iter().map(|sending| sending.epoch));
        }
        let requests = stage.requests();
        assert_eq!(requests.len(), epochs.len(), "{way:?}");
        let mut held = 0;
        for at in 1..requests.len() {
            let (before, after) = (row(&requests[at - 1].body), row(&requests[at].body));
            let extends = after.len() >= before.len() && after[..before.len()] == before[..];
            assert_eq!(extends, epochs[at - 1] == epochs[at], "{way:?} request {at}: {epochs:?}");
            held += usize::from(extends);
        }
        assert!(held > requests.len() / 2, "{way:?} {epochs:?}");
        assert!(requests.iter().any(|request| request.body.to_string().contains("Be kind.")));
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_second_process_goes_on_in_the_same_epoch() {
    for way in WAYS {
        let stage = Stage::new(
            json!([call("list_dir", json!({})), {"text": "one"}, {"text": "two"}]),
            Plan::new(way),
        );
        stage.answer("First.").await;
        let other = stage.again(Plan::new(way));
        assert_eq!(other.answer("Second.").await, "two");
        let (before, after) = (row(&stage.body(1)), row(&stage.body(0)));
        assert_eq!(after[..before.len()], before[..], "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn the_share_from_the_cache_grows_with_the_conversation() {
    for way in WAYS {
        let script = json!({"rules": [{"answer": {"text": "You said: {{last_user}}"}}]});
        let stage = Stage::new(script, Plan::new(way));
        let mut cached = Vec::new();
        for n in 0..4 {
            let told = stage.say(&format!("Number {n}, and some more words than that.")).await;
            cached.push(told.outcome.unwrap().usage.cached);
        }
        assert!(
            cached[0] == 0 && cached.is_sorted() && cached[3] > cached[1],
            "{way:?} {cached:?}"
        );
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_conversation_goes_on_with_another_provider_and_comes_back() {
    for stream in [true, false] {
        let read = call("read_file", json!({"path": "a.txt"}));
        let mut first = read.clone();
        first["thinking"] = json!("The file knows.");
        let script = json!([
            first, {"text": "OpenAI has read it."},
            {"thinking": "I read it too.", "text": "I look.", "calls": read["calls"]},
            {"text": "Anthropic has read it."},
            read, {"text": "OpenAI again."}
        ]);
        let way = |wire| Way { wire, stream };
        let stage = Stage::new(script, Plan::new(way(Wire::OpenAi)));
        stage.write("a.txt", "alpha\n");
        assert_eq!(stage.answer("Read.").await, "OpenAI has read it.");
        // In the same process, as `/model` does it.
        let other = stage.again(Plan::new(way(Wire::Anthropic)));
        stage.agent.think_with(other.brain.clone(), builder(stage.path(), &other.brain));
        assert_eq!(stage.answer("Read again.").await, "Anthropic has read it.");
        // In another process.
        let back = stage.again(Plan::new(way(Wire::OpenAi)));
        assert_eq!(back.answer("And again.").await, "OpenAI again.");
        let last = stage.body(0)["messages"].to_string();
        for text in ["OpenAI has read it.", "Anthropic has read it.", "I look."] {
            assert!(last.contains(text), "{last}");
        }
        assert_eq!(last.matches("alpha").count(), 3, "{last}");
        stage.is_clean();
    }
}
