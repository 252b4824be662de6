//! `louver import` and workspaces of other programs, as a person meets them.
#![allow(clippy::unwrap_used)]

mod sandbox;

use std::fs;
use std::path::Path;

use louver_scripted::{Script, Scripted};
use sandbox::Sandbox;
use serde_json::json;

/// A nanobot session, as it lies in a workspace.
const THEIRS: &str = "{\"_type\":\"metadata\",\"key\":\"cli:direct\",\"created_at\":\"2026-01-25T18:30:00\",\
\"updated_at\":\"2026-01-25T18:30:00\",\"metadata\":{},\"last_consolidated\":0}\n\
{\"role\":\"user\",\"content\":\"Where are my keys?\",\"timestamp\":\"2026-01-25T18:30:00\"}\n\
{\"role\":\"assistant\",\"content\":\"On the table.\",\"timestamp\":\"2026-01-25T18:30:04\"}\n";

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn an_instance_folder_that_is_named_gives_what_its_workspace_has() {
    for (name, sessions) in [
        ("backup/nanobot", "workspace/sessions/cli_direct.jsonl"),
        (".openclaw", "agents/main/sessions/cli_direct.jsonl"),
    ] {
        let sandbox = Sandbox::new();
        let theirs = sandbox.home().join(name);
        write(
            &theirs,
            &[
                ("config.json", "{}"),
                (sessions, THEIRS),
                ("workspace/memory/MEMORY.md", "theirs"),
                ("workspace/memory/HISTORY.md", "[2026-01-01 10:00] Began.\n\n"),
                ("cron/jobs.json", "{\"version\":1,\"jobs\":[]}"),
            ],
        );
        let folder = sandbox.workspace(&[("memory/MEMORY.md", "mine")]);
        let ran = sandbox.louver(&["-w", &folder, "import", theirs.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        for told in [
            "cli:direct: 2 of 2 messages are new",
            "long-term memory: 1 part that only theirs has now below yours (",
            "history: copied to memory/HISTORY.md (",
            "cron/jobs.json); louver runs nothing by itself yet",
        ] {
            assert!(ran.stdout.contains(told), "{name}: {told}: {}", ran.stdout);
        }
        assert_eq!(ran.stdout.lines().count(), 4, "{name}: {}", ran.stdout);
    }
}

/// What nanobot keeps in a home folder.
const NANOBOT: [(&str, &str); 6] = [
    (
        ".nanobot/config.json",
        "{\"agents\":{\"defaults\":{\"model\":\"anthropic/claude-opus-4-5\",\"maxTokens\":4096}}}",
    ),
    (".nanobot/sessions/cli_direct.jsonl", THEIRS),
    (".nanobot/workspace/memory/MEMORY.md", "# Long-term\n\n- Plays the cello\n"),
    (".nanobot/workspace/SOUL.md", "I am nano.\n"),
    (".nanobot/workspace/USER.md", "Ada\n"),
    (
        ".nanobot/workspace/skills/tea/SKILL.md",
        "---\nname: tea\ndescription: makes tea\n---\nBoil.\n",
    ),
];

/// What OpenClaw keeps there.
const OPENCLAW: [(&str, &str); 6] = [
    (
        ".openclaw/openclaw.json",
        "{\"agents\":{\"defaults\":{\"model\":{\"primary\":\"openai/gpt-5\"}}}}",
    ),
    (".openclaw/workspace/MEMORY.md", "# Boat\n\n- Is called Zwaan\n"),
    (".openclaw/workspace/memory/2026-11-16.md", "Mended the sail.\n"),
    (".openclaw/workspace/memory/2026-11-14-travel.md", "Booked a train to Basel.\n"),
    (".openclaw/workspace/SOUL.md", "I am claw.\n"),
    (".openclaw/skills/knots/SKILL.md", "---\nname: knots\ndescription: ties knots\n---\nLoop.\n"),
];

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn what_nobody_has_touched_gives_way_to_what_comes_in() {
    for made_before in [true, false] {
        let sandbox = Sandbox::new();
        write(sandbox.home(), &NANOBOT);
        write(sandbox.home(), &OPENCLAW);
        if made_before {
            assert_eq!(sandbox.louver(&["init", "--no-provider"]).code, 0);
        }
        let ran = sandbox.louver(&["import"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let ours = sandbox.home().join(".louver/workspace");
        let memory = "# Long-term\n\n- Plays the cello\n\n# Boat\n\n- Is called Zwaan\n";
        assert_eq!(read(&ours, "memory/MEMORY.md"), memory);
        assert_eq!(read(&ours, "SOUL.md"), "I am nano.\n");
        assert_eq!(read(&ours, "USER.md"), "Ada\n");
        assert!(read(&ours, "AGENTS.md").starts_with("# How to work"), "the template stays");
        assert!(ours.join("skills/tea/SKILL.md").is_file() && ours.join("skills/knots").is_dir());
        let settings = read(&ours, "louver.toml");
        assert!(
            settings.starts_with("model = \"anthropic/claude-opus-4-5\"\nreply = 4096\n\n#"),
            "{settings}"
        );
        for told in [
            "long-term memory: copied to memory/MEMORY.md (",
            "; `louver memory restore 1` takes that back\n",
            "long-term memory: 1 part that only theirs has now below yours (",
            "SOUL.md: kept yours; `diff ",
            "notes: 2 files copied to memory (",
            "settings: kept your model `anthropic/claude-opus-4-5`; theirs is `openai/gpt-5` (",
        ] {
            assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
        }
        let recalled = sandbox.louver(&["recall", "When is the train to Basel?"]).stdout;
        assert!(recalled.contains("Booked a train to Basel."), "{recalled}");
        // Once more, nothing is different.
        let again = sandbox.louver(&["import"]);
        assert!(
            !again.stdout.contains("copied") && !again.stdout.contains("part"),
            "{}",
            again.stdout
        );
        assert_eq!(
            (read(&ours, "memory/MEMORY.md"), read(&ours, "louver.toml")),
            (memory.to_owned(), settings)
        );
        assert_eq!(sandbox.louver(&["memory", "restore", "1"]).code, 0);
        assert!(read(&ours, "memory/MEMORY.md").starts_with("# Memory\n"), "undone");
    }
}

#[test]
fn where_there_is_nothing_to_import_no_workspace_is_made() {
    let sandbox = Sandbox::new();
    let ran = sandbox.louver(&["import"]);
    assert!(ran.code != 0 && ran.stderr.contains("hint: `louver init "), "{}", ran.stderr);
    assert!(!sandbox.home().join(".louver").exists());
}

#[test]
fn an_old_conversation_does_not_become_the_newest_of_todays() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[]);
    let theirs = sandbox.home().join("backup");
    write(&theirs, &[("sessions/cli_direct.jsonl", THEIRS)]);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder], args].concat());
    let import = || run(&["import", theirs.to_str().unwrap()]).stdout;
    assert_eq!(run(&["sessions", "append", "cli:direct", "Of hats."]).code, 0);
    let told = import();
    assert!(told.starts_with("cli:direct:nanobot: 2 of 2 messages are new"), "{told}");
    assert!(told.contains("your `cli:direct` is another conversation"), "{told}");
    assert!(!run(&["sessions", "show", "cli:direct"]).stdout.contains("keys"));
    assert!(import().starts_with("cli:direct:nanobot: 0 of 2 messages are new"));

    // What was added there later than all that was said here goes on with it.
    let later = |day: &str, words: &str| {
        format!("{{\"role\":\"user\",\"content\":\"{words}\",\"timestamp\":\"{day}T08:00:00\"}}\n")
    };
    let grown = format!("{THEIRS}{}", later("2026-01-26", "Thanks."));
    write(&theirs, &[("sessions/cli_direct.jsonl", &grown)]);
    assert!(import().starts_with("cli:direct:nanobot: 1 of 3 messages are new"));
    assert_eq!(run(&["sessions", "append", "cli:direct:nanobot", "Since."]).code, 0);
    write(
        &theirs,
        &[("sessions/cli_direct.jsonl", &format!("{grown}{}", later("2026-01-27", "Bye.")))],
    );
    assert!(import().starts_with("cli:direct:nanobot:2: 4 of 4 messages are new"));
    let newer = later("2999-01-27", "From the future.");
    write(&theirs, &[("sessions/cli_direct.jsonl", &newer)]);
    assert!(import().starts_with("cli:direct: 1 of 1 messages are new"));
}

/// A session of OpenClaw with one message.
fn openclaw(id: &str, said: &str) -> String {
    let about =
        json!({"type": "session", "version": 3, "id": id, "timestamp": "2026-07-01T10:00:00Z"});
    let message = json!({"type": "message", "id": "1", "parentId": null, "timestamp": "2026-07-01T10:00:01Z",
        "message": {"role": "user", "content": [{"type": "text", "text": said}]}});
    format!("{about}\n{message}\n")
}

#[test]
fn a_main_session_of_openclaw_is_the_owners() {
    let sandbox = Sandbox::new();
    let list = json!({"agent:main:main": {"sessionId": "one"}, "agent:main:telegram:group:-1": {"sessionId": "two"},
        "agent:work:main": {"sessionId": "four"}});
    let sessions = ".openclaw/agents/main/sessions";
    for (id, said) in
        [("one", "My mooring is 42."), ("two", "Hello."), ("three", "Old."), ("four", "Work.")]
    {
        write(sandbox.home(), &[(&*format!("{sessions}/{id}.jsonl"), &*openclaw(id, said))]);
    }
    write(sandbox.home(), &[(&*format!("{sessions}/sessions.json"), &*list.to_string())]);
    write(sandbox.home(), &[(".openclaw/workspace/AGENTS.md", "Be brief.")]);
    let theirs = sandbox.home().join(".openclaw/workspace");
    let listed = sandbox.louver(&["-w", theirs.to_str().unwrap(), "sessions", "list"]).stdout;
    assert!(listed.contains("cli:direct ") && listed.contains("My mooring is 42."), "{listed}");

    let ran = sandbox.louver(&["import"]);
    for key in ["cli:direct", "agent:main:telegram:group:-1", "openclaw:three", "cli:work"] {
        assert!(ran.stdout.contains(&format!("{key}: 1 of 1 messages are new")), "{}", ran.stdout);
    }
    let told = "session `openclaw:three` and 1 more: it is not among your sessions";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let owner = "owner = [\"cli:*\", \"subagent:*\", \"openclaw:*\"]";
    assert!(ran.stderr.contains(owner), "{}", ran.stderr);
    let recalled = sandbox.louver(&["recall", "Which mooring is mine?"]).stdout;
    assert!(recalled.contains("My mooring is 42."), "{recalled}");

    // A session that was begun anew is not on the list any more, and is not taken twice.
    write(sandbox.home(), &[(&*format!("{sessions}/sessions.json"), "{}")]);
    let again = sandbox.louver(&["import"]);
    assert!(again.stdout.contains("cli:direct: 0 of 1 messages are new"), "{}", again.stdout);
}

#[test]
fn a_file_that_is_no_conversation_is_refused() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[]);
    let config = "{\"providers\":{\"openai\":{\"apiKey\":\"sk-very-secret\"}}}\n";
    let lines = "root:x:0:0:root:/root:/bin/sh\n".repeat(9);
    write(sandbox.home(), &[("config.json", config), ("passwd", &lines), ("talk.jsonl", THEIRS)]);
    for name in ["config.json", "passwd"] {
        let ran = sandbox.louver(&["-w", &folder, "import", "talk.jsonl", name]);
        let told = format!("error: no line of {name} is a message\nhint: ");
        assert!(ran.code == 1 && ran.stderr.starts_with(&told), "{ran:?}");
        assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
        assert!(!Path::new(&folder).join(".louver").exists(), "nothing is written");
    }
    assert_eq!(sandbox.louver(&["-w", &folder, "import", "talk.jsonl"]).code, 0);
}

#[test]
fn a_file_in_a_folder_that_is_no_conversation_is_skipped() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[]);
    let about = THEIRS.lines().next().unwrap().replace("direct", "begun");
    let theirs = sandbox.home().join("backup");
    let files = [("empty", ""), ("blank", " \n\n"), ("talk", THEIRS), ("begun", &about)];
    for (name, text) in files {
        write(&theirs, &[(&*format!("sessions/cli_{name}.jsonl"), text)]);
    }
    fs::write(theirs.join("sessions/cli_binary.jsonl"), [0u8, 159, 146, 150, 10, 255]).unwrap();
    let ran = sandbox.louver(&["-w", &folder, "import", theirs.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for name in ["empty", "blank", "binary", "begun"] {
        let file = theirs.join(format!("sessions/cli_{name}.jsonl"));
        let told = format!("skipped, no line of it is a message: {}\n", file.display());
        assert!(ran.stdout.contains(&told), "{told}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains("cli:direct: 2 of 2 messages are new"), "{}", ran.stdout);
    let list = sandbox.louver(&["-w", &folder, "sessions", "list", "--json"]).stdout;
    assert_eq!(list.matches("\"key\"").count(), 1, "{list}");
}

#[test]
fn the_first_turn_takes_a_foreign_conversation_over() {
    let script = json!({"rules": [{"answer": {"text": "ok"}}]});
    let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
    let sandbox = Sandbox::new()
        .with("LOUVER_PROVIDER", "openai")
        .with("LOUVER_MODEL", "gpt-4o")
        .with("LOUVER_URL", &format!("{}/v1", server.url()))
        .with("OPENAI_API_KEY", "sk-none");
    let folder = sandbox.workspace(&[("sessions/cli_direct.jsonl", THEIRS)]);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder], args].concat());
    let first = run(&["ask", "Go on."]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let told = "2 messages of sessions/cli_direct.jsonl were taken over";
    assert!(first.stderr.contains(told), "{}", first.stderr);
    let sent = server.requests().last().unwrap().body["messages"].to_string();
    assert!(sent.contains("Where are my keys?") && sent.contains("On the table."), "{sent}");
    let second = run(&["ask", "And now?"]);
    assert!(!second.stderr.contains("taken over"), "it is said once: {}", second.stderr);
    assert!(run(&["import"]).stdout.starts_with("cli:direct: 0 of 2 messages are new"));
    let list = run(&["sessions", "list", "--json"]).stdout;
    assert!(list.contains("\"messages\": 6"), "{list}");
    assert!(run(&["sessions", "search", "keys"]).stdout.contains("Where are my keys?"));

    write(Path::new(&folder), &[("sessions/cli_more.jsonl", &THEIRS.replace("direct", "more"))]);
    let appended = run(&["sessions", "append", "cli:more", "Found them."]);
    assert!(appended.stderr.contains("2 messages of sessions/cli_more.jsonl"), "{appended:?}");
    assert!(run(&["sessions", "show", "cli:more"]).stdout.contains("Where are my keys?"));
}

#[test]
fn a_foreign_conversation_is_searched_exported_and_forked_where_it_lies() {
    let sandbox = Sandbox::new();
    let torn = format!("{}{{\"role\":\"us", THEIRS.replace("direct", "torn"));
    let files = [("sessions/cli_direct.jsonl", THEIRS), ("sessions/cli_torn.jsonl", &*torn)];
    let folder = sandbox.workspace(&files);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder, "sessions"], args].concat());
    let exported = run(&["export", "cli:direct"]);
    assert_eq!(exported.code, 0, "{}", exported.stderr);
    let rows = |text: &str| -> Vec<serde_json::Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    assert_eq!(rows(&exported.stdout), rows(THEIRS));
    assert_eq!(rows(&run(&["export", "cli:direct", "--to", "openai"]).stdout).len(), 2);
    let searched = run(&["search", "keys", "--session", "cli:direct"]).stdout;
    assert_eq!(searched, "cli:direct 3 user: Where are my keys?\n");

    let all = run(&["repair"]);
    assert!(all.stdout.starts_with("2 conversations looked at, 1 problem"), "{all:?}");
    let one = run(&["repair", "cli:torn"]);
    assert!(one.code == 5 && one.stderr.contains("not JSON"), "{one:?}");
    assert_eq!(run(&["repair", "cli:direct"]).code, 0);
    assert!(!Path::new(&folder).join(".louver").exists(), "nothing is written to look at it");

    let recall = || sandbox.louver(&["-w", &folder, "recall", "Where are my keys?"]).stderr;
    let note = "conversations of another program cannot be recalled before `louver import`";
    assert!(recall().contains(&format!("note: 2 {note}")), "{}", recall());

    assert_eq!(run(&["fork", "cli:direct", "cli:new"]).stdout, "2 messages\n");
    assert_eq!(run(&["fork", "cli:direct", "cli:half", "--at", "3"]).stdout, "1 message\n");
    assert!(run(&["show", "cli:half"]).stdout.contains("Where are my keys?"));
    let taken = run(&["fork", "cli:direct", "cli:torn"]);
    assert!(taken.stderr.contains("there is a conversation `cli:torn` already"), "{taken:?}");
    for (name, text) in files {
        assert_eq!(fs::read_to_string(Path::new(&folder).join(name)).unwrap(), text);
    }

    // Its numbers are those that it has once it is ours.
    assert_eq!(run(&["append", "cli:direct", "Found them."]).code, 0);
    let searched = run(&["search", "keys", "--session", "cli:direct"]).stdout;
    assert_eq!(searched, "cli:direct 3 user: Where are my keys?\n");
    sandbox.louver(&["-w", &folder, "import"]);
    assert!(!recall().contains("another program"), "{}", recall());
}

/// A session of so many exchanges whose file does not say of which of them memory was made.
fn years(exchanges: usize) -> String {
    let mut text = json!({"_type": "metadata", "key": "cli:direct", "metadata": {}}).to_string();
    for n in 0..exchanges {
        let asked = json!({"role": "user", "content": format!("Fact number {n}.")});
        let said = json!({"role": "assistant", "content": "Noted."});
        text += &format!("\n{asked}\n{said}");
    }
    text
}

#[test]
fn years_of_messages_that_are_taken_over_do_not_become_a_bill() {
    let saved = json!({"calls": [{"name": "save_memory", "arguments":
        {"history_entry": "[2026-03-10 12:00] We talked.", "memory_update": ""}}]});
    let script = json!({"rules": [
        {"when": {"system": "You keep the memory"}, "answer": saved},
        {"answer": {"text": "ok"}}
    ]});
    let by_command = |sandbox: &Sandbox, folder: &str| {
        let from = format!("{folder}/sessions");
        let told = sandbox.louver(&["-w", folder, "import", &from]).stdout;
        assert!(told.contains("cli:direct: 3000 of 3000 messages are new"), "{told}");
        assert!(told.ends_with("no memory is made of the oldest 2800, which can be recalled\n"));
        let again = sandbox.louver(&["-w", folder, "import", &from]).stdout;
        assert!(again.contains("0 of 3000") && !again.contains("no memory"), "{again}");
    };
    let by_a_turn = |sandbox: &Sandbox, folder: &str| {
        let told = sandbox.louver(&["-w", folder, "ask", "Hello"]).stderr;
        assert!(told.contains("3000 messages of sessions/cli_direct.jsonl were taken over; no memory is made of the oldest 2800"), "{told}");
    };
    for take_over in [&by_command as &dyn Fn(&Sandbox, &str), &by_a_turn] {
        let server = Scripted::start(Script::from_value(script.clone()).unwrap()).unwrap();
        let sandbox = Sandbox::new()
            .with("LOUVER_PROVIDER", "openai")
            .with("LOUVER_URL", &format!("{}/v1", server.url()));
        let folder = sandbox.workspace(&[("sessions/cli_direct.jsonl", &years(1500))]);
        take_over(&sandbox, &folder);
        for said in ["One.", "Two.", "Three."] {
            assert_eq!(sandbox.louver(&["-w", &folder, "ask", said]).code, 0);
        }
        let requests = server.requests();
        // What is older than what memory was made of leaves the view with it.
        let last = requests.last().unwrap().body.to_string();
        assert!(last.contains("Three.") && !last.contains("Fact number 7."));
        let bodies = requests.iter().map(|request| request.body.to_string());
        let memory: Vec<String> = bodies.filter(|body| body.contains("save_memory")).collect();
        assert_eq!(memory.len(), 1);
        assert!(
            memory[0].contains("Fact number 1400.") && !memory[0].contains("Fact number 1399.")
        );
    }
}
