//! A workspace with everything in it comes out of the `nanobot` profiles byte for byte as the seed
//! system writes it, but for the identity's words and the two sentences before the skills.
//!
//! `cargo xtask test` also compares both profiles with the real package where it can be installed.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use louver_context::render::openai;
use louver_context::{Message, Profile};
use louver_store::{ContextBuilder, Folder, Settings, Turn, pictures};
use serde_json::{Value, json};

const FILES: &[(&str, &str)] = &[
    ("AGENTS.md", "# Agent Instructions\n\nBe brief.\n"),
    ("SOUL.md", "# Soul\r\n\r\nCurious & kind.\r\n"),
    ("USER.md", ""),
    ("TOOLS.md", "Use <tools> wisely.\n\n---\n\nA rule in the middle."),
    ("IDENTITY.md", "我是一个助手。\n"),
    ("memory/MEMORY.md", "# Facts\n\n- Likes tea\n"),
    (
        "skills/alpha/SKILL.md",
        "---\nname: alpha\ndescription: Plain and available\n---\n\n# Alpha\n\nDo it.\n",
    ),
    (
        "skills/bins/SKILL.md",
        "---\ndescription: Needs things\nmetadata: {\"nanobot\":{\"requires\":{\"bins\":[\"no-such-bin\"],\"env\":[\"NO_SUCH_ENV\"]}}}\n---\nBody\n",
    ),
    ("skills/chinese/SKILL.md", "---\ndescription: 查询天气和预报\n---\n\n# 天气\n"),
    (
        "skills/flag/SKILL.md",
        "---\ndescription: Always by flag\nalways: true\n---\n\n# Flag\n\nBody of flag.\n",
    ),
    (
        "skills/meta/SKILL.md",
        "---\ndescription: \"Always by metadata\"\nmetadata: '{\"nanobot\": {\"always\": true}}'\n---\n\nBody of meta.\n\n",
    ),
    ("skills/plain/SKILL.md", "# No frontmatter\n\nJust text.\n"),
    ("skills/xml/SKILL.md", "---\ndescription: Uses <b> & \"quotes\" > text\n---\nX\n"),
];

fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The smallest PNG there is: one pixel.
const PIXEL: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";
const PIXEL_BASE64: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

fn history() -> Vec<Value> {
    vec![
        json!({"role": "user", "content": "What is in notes.txt?"}),
        json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\": \"notes.txt\"}"}}
        ], "reasoning_content": "Let me look."}),
        json!({"role": "tool", "tool_call_id": "call_1", "name": "read_file", "content": "milk, bread"}),
        json!({"role": "assistant", "content": "Milk and bread."}),
    ]
}

fn messages(profile: &str, folder: &Path, with_picture: bool) -> Vec<Value> {
    let settings = Settings {
        profile: Cow::Borrowed(Profile::named(profile).unwrap()),
        built_in_skills: false,
        ..Settings::default()
    };
    let mut builder = ContextBuilder::new(Folder::open(folder).unwrap(), settings);
    let picture = folder.join("pixel.png");
    fs::write(&picture, PIXEL).unwrap();
    let media = if with_picture { vec![picture] } else { Vec::new() };
    let turn = Turn {
        message: "And what is this?".into(),
        history: history().iter().map(|m| Arc::new(Message::from_openai(m).unwrap())).collect(),
        pictures: pictures::read(&media).0,
        channel: Some("telegram".into()),
        chat: Some("42".into()),
        now: Some("2026-02-25T18:30[UTC]".parse().unwrap()),
        ..Turn::default()
    };
    let built = builder.context(&turn).unwrap();
    openai::messages(&built.context.prompt)
}

/// The system text below the identity, with the two sentences replaced by a word.
fn below_identity(system: &str) -> String {
    let (_, rest) = system.split_once("\n\n---\n\n").unwrap();
    let (before, after) = rest.split_once("# Skills\n\n").unwrap();
    let (_, xml) = after.split_once("\n\n<skills>").unwrap();
    format!("{before}# Skills\n\n(two sentences)\n\n<skills>{xml}")
}

fn expected(folder: &Path) -> String {
    let root = fs::canonicalize(folder).unwrap();
    let skill = |name: &str, description: &str, missing: &str| {
        let available = missing.is_empty();
        let requires = match missing {
            "" => String::new(),
            missing => format!("    <requires>{missing}</requires>\n"),
        };
        let location = root.join(format!("skills/{name}/SKILL.md"));
        format!(
            "  <skill available=\"{available}\">\n    <name>{name}</name>\n    \
             <description>{description}</description>\n    <location>{}</location>\n{requires}  </skill>\n",
            location.display()
        )
    };
    [
        "## AGENTS.md\n\n# Agent Instructions\n\nBe brief.\n\n\n",
        "## SOUL.md\n\n# Soul\n\nCurious & kind.\n\n\n",
        "## USER.md\n\n\n\n",
        "## TOOLS.md\n\nUse <tools> wisely.\n\n---\n\nA rule in the middle.\n\n",
        "## IDENTITY.md\n\n我是一个助手。\n",
        "\n\n---\n\n# Memory\n\n## Long-term Memory\n# Facts\n\n- Likes tea\n",
        "\n\n---\n\n# Active Skills\n\n",
        "### Skill: flag\n\n# Flag\n\nBody of flag.\n\n---\n\n### Skill: meta\n\nBody of meta.",
        "\n\n---\n\n# Skills\n\n(two sentences)\n\n<skills>\n",
        &skill("alpha", "Plain and available", ""),
        &skill("bins", "Needs things", "CLI: no-such-bin, ENV: NO_SUCH_ENV"),
        &skill("chinese", "查询天气和预报", ""),
        &skill("flag", "Always by flag", ""),
        &skill("meta", "Always by metadata", ""),
        &skill("plain", "plain", ""),
        &skill("xml", "Uses &lt;b&gt; &amp; \"quotes\" &gt; text", ""),
        "</skills>",
    ]
    .concat()
}

const RUNTIME: &str =
    "Current Time: 2026-02-25 18:30 (Wednesday) (UTC)\nChannel: telegram\nChat ID: 42";

#[test]
fn the_system_text_is_the_seeds() {
    let folder = workspace();
    for profile in ["nanobot", "nanobot-suffix"] {
        let messages = messages(profile, folder.path(), false);
        assert_eq!(messages[0]["role"], "system");
        let system = messages[0]["content"].as_str().unwrap();
        assert_eq!(below_identity(system), expected(folder.path()), "{profile}");
        assert_eq!(messages[1..5], history(), "{profile}: the history is passed on as it is");
    }
}

#[test]
fn the_runtime_context_is_a_message_of_its_own_in_nanobot() {
    let folder = workspace();
    let tag = "[Runtime Context — metadata only, not instructions]";
    let runtime = json!({"role": "user", "content": format!("{tag}\n{RUNTIME}")});
    let plain = messages("nanobot", folder.path(), false);
    let said = json!({"role": "user", "content": "And what is this?"});
    assert_eq!(plain[5..], [runtime.clone(), said]);
    let pictured = messages("nanobot", folder.path(), true);
    assert_eq!(
        pictured[5..],
        [runtime, json!({"role": "user", "content": [picture(), said_part()]})]
    );
}

#[test]
fn the_runtime_context_ends_the_message_in_nanobot_suffix() {
    let folder = workspace();
    let block = format!("[Runtime Context]\n{RUNTIME}");
    let plain = messages("nanobot-suffix", folder.path(), false);
    let content = format!("And what is this?\n\n{block}");
    assert_eq!(plain[5..], [json!({"role": "user", "content": content})]);
    let pictured = messages("nanobot-suffix", folder.path(), true);
    let parts = [picture(), said_part(), json!({"type": "text", "text": block})];
    assert_eq!(pictured[5..], [json!({"role": "user", "content": parts})]);
}

fn picture() -> Value {
    json!({"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{PIXEL_BASE64}")}})
}

fn said_part() -> Value {
    json!({"type": "text", "text": "And what is this?"})
}
