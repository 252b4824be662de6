//! An earlier turn, shown as its server got it.
#![allow(clippy::unwrap_used)]

mod sandbox;

use louver_scripted::{Script, Scripted};
use sandbox::Sandbox;
use serde_json::{Value, json};

#[test]
fn a_turn_is_shown_exactly_as_its_server_got_it() {
    for (wire, model) in [("openai", "gpt-4o"), ("anthropic", "claude-sonnet-4-5")] {
        let script = json!([{"text": "one"}, {"text": "two"}]);
        let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
        let sandbox = Sandbox::new().with("MY_KEY", "k");
        let workspace = sandbox.workspace(&[("AGENTS.md", "Be brief.")]);
        sandbox.config(&format!(
            "model = \"mine/{model}\"\n[providers.mine]\nwire = \"{wire}\"\nurl = \"{}/v1\"\nkey_env = \"MY_KEY\"\n",
            server.url()
        ));
        for text in ["hello", "and again"] {
            let asked = sandbox.louver(&["ask", "-w", &workspace, text]);
            assert_eq!(asked.code, 0, "{wire} {}", asked.stderr);
        }
        for (turn, request) in (1..).zip(server.requests()) {
            let turn = turn.to_string();
            let show = ["show", "-w", &workspace, "--session", "cli:direct", "--turn", &turn];
            let shown = sandbox.louver(&[&show[..], &["--as", wire]].concat());
            let body: Value = serde_json::from_str(&shown.stdout).unwrap();
            assert_eq!(body, request.body, "{wire} {turn}");
            // In the other protocol the words are the same, and it says what is not.
            let other = if wire == "openai" { "anthropic" } else { "openai" };
            let shown = sandbox.louver(&[&show[..], &["--as", other]].concat());
            assert!(shown.stdout.contains("hello"), "{}", shown.stdout);
            assert!(shown.stderr.contains("what stands around them is not"), "{}", shown.stderr);
        }
    }
}

#[test]
fn a_turn_is_shown_with_the_model_that_got_it() {
    let script = json!([{"text": "one"}, {"text": "two"}]);
    let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
    let sandbox = Sandbox::new().with("MY_KEY", "k");
    let workspace = sandbox.workspace(&[("AGENTS.md", "Be brief.")]);
    sandbox.config(&format!(
        "model = \"mine/gpt-4o\"\n[providers.mine]\nwire = \"openai\"\nurl = \"{}/v1\"\nkey_env = \"MY_KEY\"\n",
        server.url()
    ));
    let chat = sandbox.typed(&["chat", "-w", &workspace], "One.\n/model mine/gpt-4o-mini\nTwo.\n");
    assert_eq!(chat.code, 0, "{chat:?}");
    for (turn, request) in (1..).zip(server.requests()) {
        let turn = turn.to_string();
        let show = ["show", "-w", &workspace, "--session", "cli:direct", "--turn", &turn];
        let shown = sandbox.louver(&[&show[..], &["--as", "openai"]].concat());
        let body: Value = serde_json::from_str(&shown.stdout).unwrap();
        assert_eq!(body, request.body, "{turn}");
        let account = sandbox.louver(&[&show[..], &["--json"]].concat());
        let account: Value = serde_json::from_str(&account.stdout).unwrap();
        assert_eq!(account["model"], ["mine/gpt-4o", "mine/gpt-4o-mini"][usize::from(turn == "2")]);
    }
}
