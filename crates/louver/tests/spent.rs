//! Money: what is paid for answers, memory and subagents can be seen.
#![allow(clippy::unwrap_used)]

mod sandbox;

use louver_scripted::{Script, Scripted};
use sandbox::Sandbox;
use serde_json::{Value, json};

/// A server that makes memory and sends helpers, and a workspace to talk in.
fn table() -> (Scripted, Sandbox, String) {
    let spawn = json!({"name": "spawn", "arguments": {"task": "Count.", "label": "crates"}});
    let save = json!({"name": "save_memory",
        "arguments": {"history_entry": "[2026-03-10 12:00] We talked.", "memory_update": ""}});
    let script = json!({"rules": [
        {"when": {"system": "You keep the memory"}, "answer": {"calls": [save]}},
        {"when": {"user": "subagent_result"}, "answer": {"text": "It says nine."}},
        {"when": {"user": "helper"}, "answer": {"calls": [spawn]}},
        {"when": {"tool": ""}, "answer": {"text": "It is at work."}},
        {"answer": {"text": "Nine."}}
    ]});
    let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
    let sandbox = Sandbox::new()
        .with("LOUVER_PROVIDER", "openai")
        .with("LOUVER_MODEL", "gpt-4o")
        .with("LOUVER_URL", &format!("{}/v1", server.url()));
    let workspace = sandbox.workspace(&[("AGENTS.md", "Be brief.")]);
    (server, sandbox, workspace)
}

/// What the log of a conversation says was paid, for a cause.
fn logged(sandbox: &Sandbox, workspace: &str, key: &str, cause: &str) -> f64 {
    let show = sandbox.louver(&["sessions", "show", "-w", workspace, key, "--as", "events"]);
    let events = show.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let usage = events.map(|line| line["event"].clone()).filter(|event| event["e"] == "usage");
    usage.filter(|usage| usage["cause"] == cause).map(|usage| usage["cost"].as_f64().unwrap()).sum()
}

#[test]
fn a_chat_says_what_memory_cost() {
    let (_server, sandbox, workspace) = table();
    let typed = "One.\nTwo.\n/status\n/compact\n/status\n";
    let ran = sandbox.typed(&["chat", "-w", &workspace], typed);
    let chat: Vec<&str> =
        ran.stdout.lines().filter_map(|line| line.strip_prefix("this chat  ")).collect();
    let memory = logged(&sandbox, &workspace, "cli:direct", "consolidation");
    assert!(memory > 0.0);
    assert!(!chat[0].contains("memory"), "{ran:?}");
    assert!(chat[1].ends_with(&format!(" (memory ${memory:.4})")), "{ran:?}");
    assert!(ran.stderr.contains(&format!("stays as it was (${memory:.4})")), "{ran:?}");
}

#[test]
fn the_last_spent_is_all_that_a_question_cost() {
    let (_server, sandbox, workspace) = table();
    sandbox.config("[agent]\nmemory_window = 4\n");
    let ran = sandbox.louver(&["ask", "-w", &workspace, "Send a helper.", "--json"]);
    let lines = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let spent: Vec<Value> = lines.filter(|line| line["spent"].is_object()).collect();
    let events: Vec<&str> = spent.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["end", "end", "note"], "{ran:?}");
    let list = sandbox.louver(&["sessions", "list", "-w", &workspace, "--json"]);
    let list: Vec<Value> = serde_json::from_str(&list.stdout).unwrap();
    let keys: Vec<&str> = list.iter().map(|info| info["key"].as_str().unwrap()).collect();
    assert_eq!(keys.len(), 2, "{keys:?}");
    for (what, cause) in [("turns", "user"), ("memory", "consolidation"), ("subagents", "subagent")]
    {
        let logged: f64 = keys.iter().map(|key| logged(&sandbox, &workspace, key, cause)).sum();
        let told = spent[2]["spent"][what].as_f64().unwrap();
        assert!(told > 0.0 && (told - logged).abs() < 1e-9, "{what} {told} {logged}");
    }
}

#[test]
fn all_conversations_are_added_up_and_a_fork_costs_nothing() {
    let (_server, sandbox, workspace) = table();
    sandbox.louver(&["ask", "-w", &workspace, "Send a helper."]);
    let cost = || sandbox.louver(&["sessions", "cost", "-w", &workspace]);
    let before = cost();
    let lines: Vec<&str> = before.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{before:?}");
    assert!(lines[2].starts_with("in all  ") && lines[2].contains("(subagents $0."), "{before:?}");
    sandbox.louver(&["sessions", "fork", "-w", &workspace, "cli:direct", "cli:other"]);
    assert_eq!(cost().stdout, before.stdout);
}
