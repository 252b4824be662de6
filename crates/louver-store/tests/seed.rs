//! The seed system's calls, by their names.
#![allow(clippy::unwrap_used)]

use std::fs;

use louver_store::ContextBuilder;
use louver_store::seed::With;
use serde_json::json;

fn builder() -> (tempfile::TempDir, ContextBuilder) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("AGENTS.md"), "Be brief.").unwrap();
    fs::create_dir_all(folder.path().join("skills/tea")).unwrap();
    fs::write(folder.path().join("skills/tea/SKILL.md"), "---\ndescription: Makes tea\n---\nBoil.")
        .unwrap();
    let builder = ContextBuilder::open(folder.path()).unwrap();
    (folder, builder)
}

#[test]
fn a_tool_loop_runs_on_json_messages() {
    let (_folder, mut builder) = builder();
    let history = [
        json!({"role": "user", "content": "Hi"}),
        json!({"role": "assistant", "content": "Hello"}),
    ];
    let with = With {
        channel: Some("cli"),
        chat_id: Some("direct"),
        skill_names: &["tea"],
        ..With::default()
    };
    let mut messages = builder.build_messages(&history, "Tea, please", with).unwrap();
    assert_eq!(messages[0]["content"], json!(builder.build_system_prompt(&[]).unwrap()));
    assert_eq!(messages[1..3], history);
    let said = messages[3]["content"].as_str().unwrap();
    assert!(
        said.contains("### Skill: tea\n\nBoil.") && said.contains("Channel: cli\nChat ID: direct"),
        "{said}"
    );
    assert!(said.contains("Current Time: ") && said.ends_with("\n\nTea, please"), "{said}");
    let calls =
        [json!({"id": "c", "type": "function", "function": {"name": "boil", "arguments": "{}"}})];
    builder.add_assistant_message(&mut messages, None, &calls, Some("hm"));
    builder.add_tool_result(&mut messages, "c", "boil", "hot");
    builder.add_assistant_message(&mut messages, Some("Here"), &[], None);
    assert_eq!(
        messages[4..],
        [
            json!({"role": "assistant", "content": null, "tool_calls": calls, "reasoning_content": "hm"}),
            json!({"role": "tool", "tool_call_id": "c", "name": "boil", "content": "hot"}),
            json!({"role": "assistant", "content": "Here"}),
        ]
    );
    assert!(
        messages[4].as_object().unwrap().contains_key("content"),
        "content is there, even null"
    );
}
