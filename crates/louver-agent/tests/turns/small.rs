//! What the smallest turn costs.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use louver_context::Encoding;
use serde_json::{Value, json};

use crate::stage::{Plan, Stage, WAYS, server};

/// The most that "say ok" may cost, question and answer together.
const MOST: u64 = 2_000;

/// Copies what `louver init` writes.
fn init(to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../louver/templates");
    fs::create_dir(to.join("memory")).unwrap();
    let names = ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "HEARTBEAT.md", "memory/MEMORY.md"];
    for name in names {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
}

/// The tokens of everything a request says, the names of its fields among it: more than any
/// provider counts.
fn tokens(body: &Value) -> u64 {
    ["tools", "system", "messages"]
        .iter()
        .map(|part| u64::from(Encoding::O200k.count(&body[part].to_string()).0))
        .sum()
}

#[tokio::test]
async fn a_server_that_reads_less_than_it_is_sent_is_told_of() {
    let read = |input: u64| json!([{"text": "ok", "usage": {"input": input, "output": 1}}]);
    let long = "What do you make of this? ".repeat(1_000);
    for (input, warns) in [(4_090, true), (7_000, false)] {
        let stage = Stage::new(read(input), Plan::new(WAYS[0]));
        let told = stage.say(&long).await;
        assert_eq!(told.text(), "ok");
        let sent = told.outcome.as_ref().unwrap().last.unwrap().tokens;
        assert!((6_000..9_000).contains(&sent), "{sent}");
        assert_eq!(told.shown().contains("OLLAMA_CONTEXT_LENGTH"), warns, "{}", told.shown());
    }
}

#[tokio::test]
async fn say_ok_costs_two_thousand_tokens_at_the_most() {
    for way in WAYS {
        for fresh in [true, false] {
            let folder = Arc::new(tempfile::tempdir().unwrap());
            if fresh {
                init(folder.path());
            }
            let stage = Stage::at(folder, server(json!([{"text": "ok"}])), Plan::new(way));
            let told = stage.say("say ok").await;
            assert_eq!(told.text(), "ok");
            let outcome = told.outcome.as_ref().unwrap();
            let body = stage.body(0);
            assert!(body["tools"].as_array().unwrap().len() >= 9, "{way:?}: the default tools");
            let counts = [
                u64::from(outcome.last.unwrap().tokens) + outcome.usage.output,
                outcome.usage.input + outcome.usage.output,
                tokens(&body) + outcome.usage.output,
            ];
            assert!(counts.iter().all(|count| *count <= MOST), "{way:?} {fresh} {counts:?}");
            stage.is_clean();
        }
    }
}
