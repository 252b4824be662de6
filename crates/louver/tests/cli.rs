//! Whole screens: what a person types and what they see.
#![allow(clippy::unwrap_used)]

mod sandbox;

use std::fs;
use std::path::Path;

use louver_store::memory::{Memory, Who};
use louver_store::session::{Durability, Event, Mode, Session, Undo};
use sandbox::{Ran, Sandbox, example};

/// The screen of the README, which is built from this very output.
#[test]
fn the_example_is_shown_with_every_part() {
    let sandbox = Sandbox::new();
    let ran = sandbox.louver(&[
        "show",
        "--workspace",
        &example("workspace"),
        "--history",
        &example("history.jsonl"),
        "--media",
        &example("photo.png"),
        "--now",
        "2026-03-10T17:40[Europe/Lisbon]",
        "Can you order the spokes?",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for part in [
        "identity",
        "instructions",
        "memory",
        "active skills",
        "skills",
        "history",
        "runtime",
        "message",
    ] {
        assert!(ran.stdout.lines().any(|line| line.starts_with(part)), "{part}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains("exact; profile louver"));
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    let sandbox = Sandbox::new();
    let args = [
        "show",
        "-w",
        &example("workspace"),
        "--now",
        "2026-03-10T17:40[UTC]",
        "--as",
        "openai",
        "hi",
    ];
    assert_eq!(sandbox.louver(&args).stdout, sandbox.louver(&args).stdout);
}

#[test]
fn what_would_be_sent_is_printed_in_each_form() {
    let sandbox = Sandbox::new();
    let show = |form: &str| {
        let ran = sandbox.louver(&[
            "show",
            "-w",
            &example("workspace"),
            "--history",
            &example("history.jsonl"),
            "--as",
            form,
            "--model",
            "claude-sonnet-4",
            "hi",
        ]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let openai: serde_json::Value = serde_json::from_str(&show("openai")).unwrap();
    assert_eq!(openai["messages"][0]["role"], "system");
    let anthropic: serde_json::Value = serde_json::from_str(&show("anthropic")).unwrap();
    assert_eq!(anthropic["system"][0]["cache_control"]["type"], "ephemeral");
    assert!(show("text").contains("=== system ===\n"));
}

#[test]
fn the_ledger_is_json_for_programs() {
    let sandbox = Sandbox::new();
    let ran = sandbox.louver(&["show", "-w", &example("workspace"), "--json", "hi"]);
    let ledger: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let spans: u64 = ledger["spans"]
        .as_array()
        .unwrap()
        .iter()
        .map(|span| span["tokens"].as_u64().unwrap())
        .sum();
    assert_eq!(spans + ledger["framing"].as_u64().unwrap(), ledger["total"].as_u64().unwrap());
}

#[test]
fn a_small_window_shortens_and_says_so() {
    let sandbox = Sandbox::new();
    let ran = sandbox.louver(&[
        "show",
        "-w",
        &example("workspace"),
        "--history",
        &example("history.jsonl"),
        "--window",
        "4000",
        "hi",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("shortened from"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nleft out\n"), "{}", ran.stdout);
}

#[test]
fn what_cannot_fit_is_an_error_that_names_the_largest_part() {
    let sandbox = Sandbox::new();
    let ran = sandbox.louver(&[
        "show",
        "-w",
        &example("workspace"),
        "--window",
        "150",
        "--reply",
        "50",
        "hi",
    ]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.starts_with("error: the request needs "), "{}", ran.stderr);
    assert!(ran.stderr.contains("the largest part is `"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\nhint: "), "{}", ran.stderr);
}

#[test]
fn a_missing_workspace_is_told_with_what_to_do() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.home().join(".nanobot/workspace")).unwrap();
    let ran = sandbox.louver(&["show", "hi"]);
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.contains("error: there is no workspace at "), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: `louver init "), "{}", ran.stderr);
    assert!(ran.stderr.contains(".nanobot/workspace` opens it"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("`-w .`"), "{}", ran.stderr);
    fs::write(sandbox.home().join("AGENTS.md"), "Be brief.").unwrap();
    let ran = sandbox.louver(&["show", "hi"]);
    assert!(ran.stderr.contains("looks like one: `-w .` opens it"), "{}", ran.stderr);
}

#[test]
fn init_makes_a_workspace_and_never_overwrites() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join("agent");
    let folder = folder.to_str().unwrap();
    let first = sandbox.louver(&["init", folder]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(first.stdout.lines().all(|line| line.starts_with("made ")), "{}", first.stdout);
    fs::write(Path::new(folder).join("USER.md"), "mine").unwrap();
    let second = sandbox.louver(&["init", folder]);
    assert!(second.stdout.lines().all(|line| line.starts_with("kept ")), "{}", second.stdout);
    assert_eq!(fs::read_to_string(Path::new(folder).join("USER.md")).unwrap(), "mine");
    let shown = sandbox.louver(&["show", "-w", folder, "Hello"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (0, ""));
    assert_eq!(sandbox.louver(&["doctor", "-w", folder]).code, 0);
}

#[test]
fn count_counts_files_and_stdin() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join("a.txt");
    fs::write(&file, "hello world <|endoftext|>").unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(sandbox.louver(&["count", file]).stdout, "9\n");
    assert_eq!(sandbox.typed(&["count"], "hello world").stdout, "2\n");
    let two = sandbox.louver(&["count", file, file]);
    assert!(two.stdout.ends_with("18  in all\n"), "{}", two.stdout);
    let json = sandbox.louver(&["count", "--json", "--encoding", "cl100k_base", file]);
    assert!(json.stdout.contains("\"encoding\":\"cl100k_base\""), "{}", json.stdout);
    let slip = sandbox.louver(&["count", "--encoding", "o200k", file]);
    assert_eq!(slip.code, 2);
    assert!(slip.stderr.contains("hint: did you mean `o200k_base`?"), "{}", slip.stderr);
    let missing = sandbox.louver(&["count", "/no/such/file"]);
    assert_eq!(missing.code, 1);
}

#[test]
fn skills_are_listed_shown_and_checked() {
    let sandbox = Sandbox::new();
    let workspace = example("workspace");
    let list = sandbox.louver(&["skills", "list", "-w", &workspace]);
    assert!(
        list.stdout.contains("stock-count          missing  workspace  CLI: stockctl"),
        "{}",
        list.stdout
    );
    let shown = sandbox.louver(&["skills", "show", "bike-parts", "-w", &workspace]);
    assert!(shown.stdout.contains("always         yes"), "{}", shown.stdout);
    let slip = sandbox.louver(&["skills", "show", "bike-part", "-w", &workspace]);
    assert!(slip.stderr.contains("did you mean `bike-parts`?"), "{}", slip.stderr);
    let check = sandbox.louver(&["skills", "check", "-w", &workspace]);
    assert_eq!(check.code, 0, "{}", check.stdout);
}

#[test]
fn a_named_skill_comes_in_whole() {
    let sandbox = Sandbox::new();
    let ran = sandbox.louver(&["show", "-w", &example("workspace"), "Let us $choir-schedule then"]);
    assert!(ran.stdout.lines().any(|line| line.starts_with("named skills")), "{}", ran.stdout);
    let slip = sandbox.louver(&["show", "-w", &example("workspace"), "--skill", "choir", "hi"]);
    assert_eq!(slip.code, 1);
    assert!(slip.stderr.contains("did you mean `choir-schedule`?"), "{}", slip.stderr);
}

#[test]
fn settings_add_layers_and_a_workspace_cannot_run_commands() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[
        ("house.md", "The house is blue."),
        (
            "louver.toml",
            "[context]\nwarn_tokens = 10\n[[layer]]\nname = \"house\"\nfile = \"house.md\"\n\
          [[layer]]\nname = \"evil\"\ncommand = [\"touch\", \"evil\"]\n",
        ),
    ]);
    sandbox.config("[[layer]]\nname = \"branch\"\ncommand = [\"printf\", \"main\"]\n");
    let ran = sandbox.louver(&["show", "-w", &folder, "hi"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.lines().any(|line| line.starts_with("house")), "{}", ran.stdout);
    assert!(ran.stdout.contains("command `printf main`"), "{}", ran.stdout);
    assert!(ran.stderr.contains("a workspace may not set a layer's `command`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`warn_tokens` is 10"), "{}", ran.stderr);
    assert!(!Path::new(&folder).join("evil").exists());
    let text = sandbox.louver(&["show", "-w", &folder, "--as", "text", "hi"]).stdout;
    assert!(text.contains("<data name=\"branch\">\nmain\n</data>"), "{text}");
}

#[test]
fn slips_on_the_command_line_are_suggested() {
    let sandbox = Sandbox::new();
    let ran = sandbox.louver(&["sho"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("'show'"), "{}", ran.stderr);
    let model = sandbox.louver(&["show", "-w", &example("workspace"), "-m", "claud-sonnet", "hi"]);
    assert!(model.stderr.contains("hint: did you mean `claude"), "{}", model.stderr);
    let reply = sandbox.louver(&["show", "-w", &example("workspace"), "--reply", "999999", "hi"]);
    assert_eq!(reply.code, 2);
    let time = sandbox.louver(&["show", "-w", &example("workspace"), "--now", "soon", "hi"]);
    assert!(time.stderr.contains("error: `soon` is not a time"), "{}", time.stderr);
}

#[test]
fn completions_are_printed_for_a_shell() {
    assert!(Sandbox::new().louver(&["completions", "bash"]).stdout.contains("_louver()"));
}

#[test]
fn help_lists_the_exit_codes() {
    let Ran { stdout, .. } = Sandbox::new().louver(&["--help"]);
    assert!(stdout.contains("3  the request does not fit"), "{stdout}");
}

/// A nanobot session, as it lies in a workspace.
const THEIRS: &str = "{\"_type\":\"metadata\",\"key\":\"cli:direct\",\"created_at\":\"2026-02-25T18:30:00\",\
\"updated_at\":\"2026-02-25T18:30:00\",\"metadata\":{},\"last_consolidated\":0}\n\
{\"role\":\"user\",\"content\":\"Where are my keys?\",\"timestamp\":\"2026-02-25T18:30:00\"}\n\
{\"role\":\"assistant\",\"content\":\"On the table.\",\"timestamp\":\"2026-02-25T18:30:04\"}\n";

#[test]
fn a_nanobot_workspace_is_opened_in_place_and_imported_once() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[("sessions/cli_direct.jsonl", THEIRS)]);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder], args].concat());
    let list = run(&["sessions", "list"]);
    assert!(
        list.stdout.contains("cli:direct") && list.stdout.contains("On the table."),
        "{}",
        list.stdout
    );
    assert!(
        list.stderr.contains("1 of them is another program's; `louver import` takes it over"),
        "{}",
        list.stderr
    );
    assert!(!Path::new(&folder).join(".louver").exists(), "looking writes nothing");
    assert!(run(&["sessions", "show", "cli:direct"]).stdout.contains("Where are my keys?"));
    let next = run(&["show", "--session", "cli:direct", "and now?"]);
    assert!(next.stdout.contains("2 messages"), "{}", next.stdout);
    assert!(run(&["import"]).stdout.starts_with("cli:direct: 2 of 2 messages are new"));
    assert!(run(&["import"]).stdout.starts_with("cli:direct: 0 of 2 messages are new"));
    assert_eq!(run(&["sessions", "export", "cli:direct"]).stdout, THEIRS);
}

#[test]
fn an_import_takes_memory_jobs_and_settings_but_no_keys() {
    let sandbox = Sandbox::new();
    let theirs = sandbox.home().join(".nanobot");
    fs::create_dir_all(theirs.join("workspace/memory")).unwrap();
    fs::create_dir_all(theirs.join("cron")).unwrap();
    let config = "{\"agents\":{\"defaults\":{\"model\":\"kimi-k2\",\"maxTokens\":4096}},\
                  \"providers\":{\"openai\":{\"apiKey\":\"sk-very-secret\"}}}";
    fs::write(theirs.join("config.json"), config).unwrap();
    fs::write(theirs.join("cron/jobs.json"), "{\"version\":1,\"jobs\":[],\"x\":1}").unwrap();
    fs::write(theirs.join("workspace/memory/HISTORY.md"), "[2026-02-01 10:00] Began.\n\n").unwrap();
    let folder = sandbox.workspace(&[("memory/MEMORY.md", "mine")]);
    fs::write(theirs.join("workspace/memory/MEMORY.md"), "theirs").unwrap();
    let ran =
        sandbox.louver(&["-w", &folder, "import", theirs.join("workspace").to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("long-term memory: 1 part that only theirs"), "{}", ran.stdout);
    let read = |name: &str| fs::read_to_string(Path::new(&folder).join(name)).unwrap();
    assert_eq!(read("memory/MEMORY.md"), "mine\n\n# Imported\n\ntheirs\n");
    assert_eq!(read("louver.toml"), "model = \"kimi-k2\"\nreply = 4096\n");
    assert_eq!(read(".louver/jobs.json"), "{\"version\":1,\"jobs\":[],\"x\":1}");
    assert!(read("memory/HISTORY.md").contains("Began."));
}

#[test]
fn nothing_cannot_be_added() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[]);
    let empty = [
        &["sessions", "append", "cli:direct"][..],
        &["memory", "append"],
        &["memory", "append", "--daily"],
        &["memory", "append", "--history"],
    ];
    for (args, nothing) in empty.iter().flat_map(|args| [(args, ""), (args, " \n\t")]) {
        let ran = sandbox.louver(&[&["-w", &folder], *args, &[nothing]].concat());
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        assert!(ran.stderr.starts_with("error: there are no words to add\nhint: "), "{ran:?}");
    }
    let left = |name: &str| Path::new(&folder).join(name).exists();
    assert!(!left(".louver/sessions") && !left("memory/MEMORY.md"), "nothing is written");
}

#[test]
fn files_that_are_no_conversations_are_told_and_left() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[("sessions/y.jsonl", ""), ("sessions/z.jsonl", "garbage\n")]);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder, "sessions"], args].concat());
    run(&["append", "cli:direct", "The ladder is green."]);
    let at = |name: &str| Path::new(&folder).join(name);
    fs::write(at("sessions/x.jsonl"), b"\x00\xff\x01\n").unwrap();
    for (name, text) in [("cli_a-1", "garbage\n"), ("cli_b-2", "")] {
        fs::create_dir(at(".louver/sessions").join(name)).unwrap();
        fs::write(at(".louver/sessions").join(name).join("log.jsonl"), text).unwrap();
    }
    let folders = || fs::read_dir(at(".louver/sessions")).unwrap().count();
    let ran = run(&["repair"]);
    assert_eq!((ran.code, folders()), (5, 3), "none was made: {ran:?}");
    for told in [
        "cli_a-1/log.jsonl: no line of it can be read: it is no log any more",
        "cli_b-2/log.jsonl: it is empty",
        "sessions/x.jsonl: no conversation is in it: it is not text",
        "sessions/y.jsonl: no conversation is in it: it is empty",
        "sessions/z.jsonl: no conversation is in it: no line of it is a message",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    assert_eq!(run(&["repair", "cli:direct"]).code, 0);
    assert_eq!(fs::read(at("sessions/x.jsonl")).unwrap(), b"\x00\xff\x01\n");
}

#[test]
fn a_fork_does_not_end_in_what_was_taken_back() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[]);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder, "sessions"], args].concat());
    for text in ["The ladder is green.", "The surprise is a boat.", "Where is the rope?"] {
        run(&["append", "cli:direct", text]);
    }
    let (mut session, _) = Session::open(Path::new(&folder), "cli:direct", Mode::Write).unwrap();
    session.append(&Event::Undo(Undo { to: 2, ..Undo::default() }), Durability::Disk).unwrap();
    drop(session);
    run(&["append", "cli:direct", "And the saw?"]);
    let refused = run(&["fork", "cli:direct", "cli:copy", "--at", "3"]);
    assert_eq!(
        (refused.code, refused.stderr.as_str()),
        (
            1,
            "error: what is at 3 in session `cli:direct` was taken back\n\
             hint: the last message before it that was kept is 2: `--at 2`\n"
        )
    );
    for at in ["0", "1", "7"] {
        let refused = run(&["fork", "cli:direct", "cli:copy", "--at", at]);
        let told = format!(
            "error: session `cli:direct` has no message at {at}\n\
             hint: its first message is 2, its last 6; without `--at` all are taken\n"
        );
        assert_eq!((refused.code, refused.stderr), (1, told));
        let folders = fs::read_dir(Path::new(&folder).join(".louver/sessions")).unwrap();
        assert_eq!(folders.count(), 1, "nothing is written");
    }
    for (at, count) in [("2", "1 message\n"), ("6", "2 messages\n")] {
        assert_eq!(run(&["fork", "cli:direct", "cli:copy", "--at", at]).stdout, count);
        assert!(!run(&["show", "cli:copy"]).stdout.contains("boat"));
        fs::remove_dir_all(copy(&folder)).unwrap();
    }
}

/// The folder of the session `cli:copy`.
fn copy(folder: &str) -> std::path::PathBuf {
    let mut all = fs::read_dir(Path::new(folder).join(".louver/sessions")).unwrap();
    all.find_map(|entry| {
        let path = entry.unwrap().path();
        path.to_str().unwrap().contains("copy").then_some(path)
    })
    .unwrap()
}

#[test]
fn what_is_said_of_conversations_can_be_used() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[]);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder, "sessions"], args].concat());
    assert_eq!((run(&["list"]).stdout.as_str(), run(&["list"]).code), ("", 0));
    assert_eq!(run(&["append", "cli:direct", "One."]).stdout, "cli:direct: message 2\n");
    run(&["append", "cli:direct", "Two."]);
    assert_eq!(
        run(&["show", "cli:direct"]).stdout,
        "=== 2 user ===\nOne.\n\n=== 3 user ===\nTwo.\n\n"
    );
    assert_eq!(run(&["fork", "cli:direct", "cli:one", "--at", "2"]).stdout, "1 message\n");
    assert!(!run(&["show", "cli:one"]).stdout.contains("Two."));
    let nope = run(&["search", "One", "--session", "cli:direkt"]);
    assert!(nope.code == 1 && nope.stderr.contains("there is no session `cli:direkt`"), "{nope:?}");
    assert!(nope.stderr.contains("did you mean `cli:direct`?"), "{nope:?}");
    for key in ["", " ", "cli:a\nb"] {
        for args in [&["append", key, "hi"][..], &["fork", "cli:direct", key]] {
            let refused = run(args);
            assert!(
                refused.code == 1 && refused.stderr.contains("cannot be a session's key"),
                "{refused:?}"
            );
        }
    }
    assert_eq!(run(&["list"]).stdout.lines().count(), 2);
}

#[test]
fn conversations_are_added_to_searched_forked_and_mended() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[]);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder], args].concat());
    assert_eq!(run(&["sessions", "append", "cli:direct", "Where are my keys?"]).code, 0);
    assert_eq!(
        run(&["sessions", "append", "cli:direct", "On the table.", "--role", "assistant"]).code,
        0
    );
    assert!(
        run(&["sessions", "search", "KEYS"])
            .stdout
            .starts_with("cli:direct 2 user: Where are my keys?")
    );
    for (words, found) in [
        ("umbrella", false),
        ("keys where", true),
        ("keys umbrella", false),
        ("\"are my keys\" where", true),
        ("\"my are keys\"", false),
    ] {
        assert_eq!(run(&["sessions", "search", words]).code == 0, found, "{words}");
    }
    assert_eq!(run(&["sessions", "fork", "cli:direct", "cli:copy"]).stdout, "2 messages\n");
    assert_eq!(run(&["sessions", "fork", "cli:direct", "cli:copy"]).code, 1);
    let log =
        fs::read_dir(Path::new(&folder).join(".louver/sessions")).unwrap().next().unwrap().unwrap();
    let log = log.path().join("log.jsonl");
    let torn = [fs::read(&log).unwrap(), b"{\"v\":1,\"n\":9".to_vec()].concat();
    fs::write(&log, torn).unwrap();
    let mended = run(&["sessions", "repair"]);
    assert_eq!(mended.code, 5);
    assert!(mended.stderr.contains("were set aside in log.jsonl.torn-1"), "{}", mended.stderr);
    assert_eq!(run(&["sessions", "repair"]).code, 0);
    let whole = fs::read_to_string(&log).unwrap();
    fs::write(&log, whole.replace("my keys", "my kexs")).unwrap();
    for args in [&["sessions", "repair"][..], &["sessions", "repair", "cli:direct"]] {
        let damaged = run(args);
        assert_eq!(
            (damaged.code, damaged.stderr.matches("warning: ").count()),
            (5, 1),
            "{damaged:?}"
        );
    }
    let nope = run(&["show", "--session", "nope", "hi"]);
    assert_eq!(nope.stderr.matches("hint: ").count(), 1, "{}", nope.stderr);
    for words in ["", " "] {
        let empty = run(&["sessions", "search", words]);
        assert!(empty.code == 2 && empty.stderr.contains("louver sessions search "), "{empty:?}");
        let empty = run(&["memory", "search", words]);
        assert!(empty.code == 2 && empty.stderr.contains("louver memory search "), "{empty:?}");
    }
    let slip = run(&["sessions", "show", "cli:direkt"]);
    assert!(slip.stderr.contains("did you mean `cli:direct`?"), "{}", slip.stderr);
    let json = run(&["sessions", "show", "cli:copy", "--as", "openai"]);
    assert!(json.stdout.contains("\"content\": \"On the table.\""), "{}", json.stdout);
}

#[test]
fn memory_has_versions_that_can_be_shown_and_taken_back() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[("memory/MEMORY.md", "# Facts\n- tea\n")]);
    let run = |args: &[&str]| sandbox.louver(&[&["-w", &folder, "memory"], args].concat());
    assert_eq!(run(&["append", "- cake"]).stdout, "version 2\n");
    fs::write(Path::new(&folder).join("memory/MEMORY.md"), "# Facts\n- cake\n").unwrap();
    let log = run(&["log"]).stdout;
    let who: Vec<&str> = log.lines().map(|line| line.split_whitespace().nth(3).unwrap()).collect();
    assert_eq!(who, ["person", "person", "import"], "an edit in an editor is a version too: {log}");
    assert!(run(&["diff"]).stdout.contains("\n-- tea\n"), "{}", run(&["diff"]).stdout);
    assert_eq!(run(&["show", "1"]).stdout, "# Facts\n- tea\n");
    assert_eq!(run(&["restore", "1"]).stdout, "version 4\n");
    assert_eq!(run(&["show"]).stdout, "# Facts\n- tea\n");
    let missing = run(&["restore", "99"]);
    assert_eq!(missing.code, 1);
    assert!(
        missing.stderr.contains("memory has no version 99; the newest is 4"),
        "{}",
        missing.stderr
    );
    assert_eq!(run(&["append", "--history", "Fixed a wheel"]).code, 0);
    assert!(run(&["search", "WHEEL"]).stdout.contains("] Fixed a wheel"));
    assert!(run(&["proposals"]).stderr.contains("nothing waits for a look"));
    // One that read another version than the newest, and would change the same line.
    let memory = Memory::open(Path::new(&folder)).unwrap().0;
    memory.write("# Facts\n- milk\n", Who::Agent, None, 2).unwrap_err();
    let shown = run(&["proposals"]).stdout;
    assert!(shown.contains("\n     -- tea\n     +- milk\n"), "{shown}");
}

#[test]
fn a_server_that_does_not_start_is_told_once() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[("AGENTS.md", "Be brief.")]);
    sandbox.config("[mcp.x]\ncommand = [\"/no/such\"]\n");
    let ran = sandbox.louver(&["doctor", "-w", &folder]);
    assert_eq!((ran.code, ran.stdout.matches("is not there").count()), (5, 1), "{}", ran.stdout);
}

#[test]
fn what_was_noted_is_recalled_explained_and_forgotten() {
    let sandbox = Sandbox::new();
    let memory =
        "# Memory\n\n- The spare key is under the blue pot.\n- Tomek cuts spokes to length.\n";
    let folder = &sandbox.workspace(&[("AGENTS.md", "Be brief."), ("memory/MEMORY.md", memory)]);
    let asked = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?", "--explain"]);
    assert_eq!(asked.code, 0, "{asked:?}");
    let first = asked.stdout.lines().next().unwrap_or_default();
    assert!(first.contains("memory/MEMORY.md:3") && first.contains("blue pot"), "{asked:?}");
    assert!(asked.stdout.contains("rank 1, score "), "{asked:?}");
    assert!(asked.stdout.contains("\nfits: well (odds "), "{asked:?}");
    let asked =
        sandbox.louver(&["recall", "-w", folder, "Who won the Dakar Rally in Peru?", "--explain"]);
    assert!(asked.stdout.contains("\nfits: no (odds -"), "{asked:?}");
    assert!(asked.stdout.contains(": nothing fits ("), "{asked:?}");
    let json = sandbox.louver(&["recall", "-w", folder, "--json", "Who cuts spokes?"]);
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let first = &value["notes"][0];
    assert_eq!(first["note"], "memory/MEMORY.md:4", "{value}");
    assert_eq!(first["source"], "memory/MEMORY.md", "{value}");
    assert_eq!(first["why"], "worth its tokens", "{value}");
    assert_eq!((&value["fits"], &value["may_spend"]), (&"well".into(), &2048.into()), "{value}");
    assert!(value["odds"].as_f64().is_some_and(|odds| odds > 1.5), "{value}");
    let gone = sandbox.louver(&["recall", "-w", folder, "--forget", "memory/MEMORY.md:3"]);
    assert!(gone.stdout.contains("the file `memory/MEMORY.md` still has it"), "{gone:?}");
    let again = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert!(!again.stdout.contains("blue pot"), "{again:?}");
    let list = sandbox.louver(&["recall", "-w", folder, "--forgotten"]);
    assert!(list.stdout.contains("memory/MEMORY.md:3"), "{list:?}");
    assert_eq!(sandbox.louver(&["recall", "-w", folder, "--forget", "nothing#1"]).code, 1);
    let changed = |option: &str, note: &str| {
        let ran = sandbox.louver(&["recall", "-w", folder, "--json", option, note]);
        serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap_or_default()
    };
    let (kept, gone) = ("memory/MEMORY.md:3", "memory/MEMORY.md:4");
    assert_eq!(changed("--unforget", kept)["can_be_recalled"], kept);
    assert_eq!(changed("--forget", gone)["still_in"], "memory/MEMORY.md");
    let again = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert!(again.stdout.contains("blue pot") && !again.stdout.contains("spokes"), "{again:?}");
    assert_eq!(sandbox.louver(&["recall", "-w", folder, "--unforget", kept]).code, 1);
}

#[test]
fn a_skill_that_was_not_offered_says_why() {
    let sandbox = Sandbox::new();
    let skill = |n: usize| {
        let text =
            "Files papers of one kind and no other, with great care and many words about it.";
        (
            format!("skills/papers-{n}/SKILL.md"),
            format!("---\nname: papers-{n}\ndescription: {text}\n---\nDo."),
        )
    };
    let mut files: Vec<(String, String)> = (0..60).map(skill).collect();
    let invoice = "---\nname: invoices\ndescription: Writes invoices and reminds people who have not paid.\n---\nDo.";
    files.push(("skills/invoices/SKILL.md".into(), invoice.into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = &sandbox.workspace(&files);
    let why = |name: &str| {
        let args = [
            "skills",
            "why",
            name,
            "Anna has not paid her bill",
            "-w",
            folder,
            "--window",
            "16000",
        ];
        sandbox.louver(&args).stdout
    };
    assert!(
        why("invoices").contains("rank 1 of") && why("invoices").contains("keeps its description"),
        "{}",
        why("invoices")
    );
    assert!(why("papers-0").contains("only the name stays"), "{}", why("papers-0"));
}

#[test]
fn a_window_of_8000_holds_the_schemas_of_all_own_tools() {
    let sandbox = Sandbox::new();
    let folder = sandbox.workspace(&[]);
    let shown = |window: &str| {
        let args = ["show", "-w", &folder, "--as", "openai", "--window", window, "Hello."];
        let request: serde_json::Value =
            serde_json::from_str(&sandbox.louver(&args).stdout).unwrap();
        let tools = request["tools"].as_array().unwrap().clone();
        let has =
            |tool: &&serde_json::Value| tool["function"]["parameters"]["properties"].is_object();
        (tools.iter().filter(has).count(), tools.len())
    };
    let (whole, all) = shown("8000");
    assert_eq!(whole, all);
    let (whole, named) = shown("4000");
    assert!(whole < all && named == all, "{whole} of {named}");
}
