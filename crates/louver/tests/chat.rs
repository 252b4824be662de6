//! A chat, as a person types it into a terminal.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod sandbox;
mod terminal;

use louver_scripted::{Script, Scripted};
use sandbox::Sandbox;
use serde_json::{Value, json};
use terminal::{CTRL_C, CTRL_D, CTRL_U, TAB, Terminal, UP};

/// A server, a workspace, and a person who has chats.
struct Table {
    server: Scripted,
    sandbox: Sandbox,
    workspace: String,
}

fn table(script: Value) -> Table {
    let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
    let sandbox = Sandbox::new()
        .with("LOUVER_PROVIDER", "openai")
        .with("LOUVER_URL", &format!("{}/v1", server.url()));
    let workspace = sandbox.workspace(&[
        ("AGENTS.md", "Be brief."),
        ("memory/MEMORY.md", "# Memory\n\n- The shop is in Lyon.\n"),
        ("stock.csv", "spokes,12\nrims,3\n"),
        (
            "skills/wheels/SKILL.md",
            "---\nname: wheels\ndescription: How wheels are built.\n---\nTrue them.",
        ),
    ]);
    Table { server, sandbox, workspace }
}

impl Table {
    fn chat(&self) -> Terminal {
        self.chat_with(&[])
    }

    fn chat_with(&self, more: &[&str]) -> Terminal {
        let args = [&["chat", "-w", &self.workspace, "--no-builtin-skills"], more].concat();
        Terminal::run(&args, self.sandbox.home(), &self.sandbox.env())
    }

    /// What holds after every chat: the provider's rules are kept, nothing of a spinner is left.
    fn is_clean(&self, screen: &str) {
        assert!(self.server.violations().is_empty(), "{:#?}", self.server.violations());
        for frame in "⠋⠙⠸⠴⠦⠇⠏⠹".chars() {
            assert!(!screen.contains(frame), "a spinner is left:\n{screen}");
        }
        assert!(!screen.contains('\x1b'));
    }
}

/// Looks into the stock when asked about spokes, and repeats everything else.
fn shop() -> Value {
    json!({"rules": [
        {"when": {"user": "spokes"},
         "answer": {"text": "I look at the list.", "chunk": 4, "delay_ms": 5,
                    "calls": [{"name": "read_file", "arguments": {"path": "stock.csv"}}]}},
        {"when": {"user": "slowly"}, "answer": {"text": "word word word word", "chunk": 5, "delay_ms": 300}},
        {"when": {"user": "run it"},
         "answer": {"calls": [{"name": "exec", "arguments": {"command": "echo it ran"}}]}},
        {"when": {"user": "for ever"}, "answer": {"text": "on and on ", "fault": "endless", "delay_ms": 20}},
        {"when": {"user": "subagent_result"}, "answer": {"text": "The helper is done."}},
        {"when": {"user": "helper"},
         "answer": {"calls": [{"name": "spawn", "arguments": {"task": "Count the crates.", "label": "crates"}}]}},
        {"when": {"system": "You keep the memory"},
         "answer": {"calls": [{"name": "save_memory",
                    "arguments": {"history_entry": "[2026-03-10 12:00] We talked.", "memory_update": ""}}]}},
        {"when": {"tool": "spokes,12"}, "answer": {"text": "Twelve.", "chunk": 2}},
        {"when": {"tool": ""}, "answer": {"text": "Done."}},
        {"when": {"user": "hello"}, "answer": {"text": "Hello to you."}},
        {"answer": {"text": "I heard it."}}
    ]})
}

#[test]
fn a_message_is_answered_with_a_tool_and_a_line_about_what_it_took() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("How many spokes?");
    chat.shows("used: gpt-4o");
    chat.prompt();
    chat.press(CTRL_D);
    let (code, screen) = chat.end();
    let lines: Vec<&str> = screen.lines().collect();
    assert_eq!(code, 0, "{screen}");
    let expected = [
        "you› How many spokes?",
        "I look at the list.",
        "· read_file stock.csv",
        "  → stock.csv, lines 1–2 of 2",
        "Twelve.",
    ];
    assert!(lines[0].starts_with("louver: gpt-4o at http://127.0.0.1:"), "{screen}");
    assert_eq!(lines[1..6], expected, "{screen}");
    assert!(lines[6].starts_with("used: gpt-4o · ") && lines[6].contains("% cached · $0."));
    // Whether memory is still being made when the person leaves is a matter of moments.
    assert_eq!(lines[7], "you›", "{screen}");
    table.is_clean(&screen);
}

#[test]
fn commands_show_and_change_what_the_agent_has() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("hello there");
    chat.shows("Hello to you.");
    chat.say("/context");
    chat.shows("gpt-4o, exact");
    let screen = chat.text();
    for part in ["tools", "identity", "instructions", "memory", "skills", "history", "runtime"] {
        let is = |line: &str| line.split_whitespace().next() == Some(part);
        assert!(screen.lines().any(is), "{part}\n{screen}");
    }
    assert!(screen.contains("2 messages") && screen.contains("epoch 1"), "{screen}");
    chat.say("/status");
    chat.shows("session    cli:direct");
    chat.shows("last turn  gpt-4o");
    chat.say("/memory");
    chat.shows("- The shop is in Lyon.");
    chat.say("/recall");
    chat.shows("error: /recall takes a question after it");
    chat.say("/recall where is the shop?");
    chat.shows("The shop is in Lyon.\n    rank 1, score ");
    chat.shows("fits: ");
    chat.say("/skills");
    chat.shows("wheels  How wheels are built.");
    chat.say("/skills wheels");
    chat.shows("`wheels` comes with your next message");
    chat.say("/model");
    chat.shows("gpt-4o at http://127.0.0.1:");
    chat.say("/help");
    chat.shows("/undo");
    chat.shows("Ctrl-D leaves.");
    chat.say("/hepl");
    chat.shows("there is no command /hepl; did you mean /help?");
    chat.say("/undo 5");
    chat.shows("/undo takes nothing after it; nothing was done");
    chat.say("/undo");
    chat.shows("the last exchange is taken back, from `hello there` on;");
    chat.say("/undo");
    chat.shows("there is nothing to take back");
    let show = ["sessions", "show", "-w", &table.workspace, "cli:direct", "--as", "events"];
    let log = table.sandbox.louver(&show).stdout;
    assert_eq!(log.matches("the last exchange was taken back").count(), 1, "{log}");
    chat.say("and now?");
    chat.shows("I heard it.");
    let sent = table.server.requests().last().unwrap().body["messages"].to_string();
    assert!(!sent.contains("hello there") && sent.contains("True them."), "{sent}");
    chat.say("/new");
    chat.shows("memory was made of 2 older messages");
    chat.say("/new");
    chat.shows("this conversation is new");
    chat.say("once more");
    chat.shows_times("I heard it.", 2);
    let sent = table.server.requests().last().unwrap().body["messages"].to_string();
    assert!(!sent.contains("and now?"), "{sent}");
    // The server that was named has them all: none of this goes to another one.
    for model in ["gpt-4o-mini", "claude-sonnet-4-5"] {
        chat.say(&format!("/model {model}"));
        chat.shows(&format!("going on with {model} at http://127.0.0.1:"));
    }
    chat.say("/quit");
    let (code, screen) = chat.end();
    assert_eq!(code, 0, "{screen}");
    table.is_clean(&screen);
}

#[test]
fn a_server_that_was_named_gets_no_other_key_because_of_a_models_name() {
    // Nothing but this key is let in, and each of these models is somebody else's by its name.
    let mut script = shop();
    script["key"] = json!("the-first");
    let keys = [("OPENAI_API_KEY", "the-first", "gpt-4o"), ("MINE_KEY", "the-first", "mine/x")];
    for (variable, key, first) in keys {
        let server = Scripted::start(Script::from_value(script.clone()).unwrap()).unwrap();
        let url = format!("{}/v1", server.url());
        let sandbox = Sandbox::new()
            .with("ANTHROPIC_API_KEY", "another")
            .with("TWO_KEY", "another")
            .with(variable, key)
            .with("LOUVER_URL", &url);
        sandbox.config(
            "[providers.mine]\nurl = \"http://127.0.0.1:9\"\nkey_env = \"MINE_KEY\"\n\
             [providers.two]\nurl = \"http://127.0.0.1:9\"\nkey_env = \"TWO_KEY\"\n",
        );
        let workspace = sandbox.workspace(&[("AGENTS.md", "Be brief.")]);
        let args = ["chat", "-w", &workspace, "--no-builtin-skills", "-m", first];
        let mut chat = Terminal::run(&args, sandbox.home(), &sandbox.env());
        let names = ["claude-sonnet-4-5", "anthropic/claude-sonnet-4-5", "two/xx"];
        for (number, model) in names.into_iter().enumerate() {
            chat.say(&format!("/model {model}"));
            chat.shows(&format!("going on with {model} at http://127.0.0.1:"));
            chat.say("hello there");
            chat.shows_times("Hello to you.", number + 1);
            let last = server.requests().last().unwrap().clone();
            assert_eq!((last.path.as_str(), last.status), ("/v1/chat/completions", 200));
            assert_eq!(last.body["model"], model);
        }
        // A prefix that is the server's own is no part of the name there.
        let own = if first == "gpt-4o" { "openai/x" } else { "mine/x" };
        chat.say(&format!("/model {own}"));
        chat.shows(&format!("going on with {own} at"));
        chat.say("hello there");
        chat.shows_times("Hello to you.", 4);
        assert_eq!(server.requests().last().unwrap().body["model"], "x");
        chat.say("/quit");
        assert_eq!(chat.end().0, 0);
        assert!(server.requests().iter().all(|request| request.status == 200));
    }
}

#[test]
fn tab_completes_and_the_arrow_brings_lines_back() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("hello there");
    chat.shows("Hello to you.");
    // It is kept as soon as it is said: a chat that is killed has its lines.
    let kept = std::path::Path::new(&table.workspace).join(".louver/chat_history");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "hello there\n");
    let mode = std::os::unix::fs::PermissionsExt::mode(&kept.metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    chat.prompt();
    chat.press("/cont");
    chat.press(TAB);
    chat.until("the whole command", |screen| screen.line() == "you› /context");
    chat.press("\r");
    chat.shows("gpt-4o, exact");
    chat.prompt();
    chat.press("/co");
    chat.press(TAB);
    chat.shows("/compact  make memory of all but the last exchange now");
    assert!(chat.text().contains("you› /co"), "{}", chat.text());
    chat.press(CTRL_C);
    chat.shows("Ctrl-D or /quit leaves");
    chat.prompt();
    chat.press(UP);
    chat.until("the last line", |screen| screen.line() == "you› /context");
    chat.press(UP);
    chat.until("the line before", |screen| screen.line() == "you› hello there");
    chat.press(CTRL_U);
    chat.prompt();
    chat.press(CTRL_D);
    assert_eq!(chat.end().0, 0);
    // Another day.
    let mut chat = table.chat();
    chat.prompt();
    chat.press(UP);
    chat.press(UP);
    chat.until("what was said before", |screen| screen.line() == "you› hello there");
    chat.press("\r");
    chat.shows("Hello to you.");
    chat.say("/quit");
    let (code, screen) = chat.end();
    assert_eq!(code, 0);
    table.is_clean(&screen);
}

#[test]
fn a_tool_that_reaches_further_is_asked_about() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("run it");
    chat.shows("louver wants to use `exec`\n  command: echo it ran\n");
    chat.asks("[n]o:");
    chat.press("n\r");
    chat.shows("✗ the person said no");
    chat.say("run it");
    chat.asks("[n]o:");
    // What is no answer is no no.
    chat.press("yep\r");
    chat.shows_times("allow it?", 3);
    chat.press("\r");
    chat.shows_times("allow it?", 4);
    chat.press("y\r");
    chat.shows("→ exit status 0");
    chat.say("run it");
    chat.asks("[n]o:");
    chat.press("a\r");
    chat.shows_times("→ exit status 0", 2);
    chat.say("run it");
    chat.shows_times("→ exit status 0", 3);
    chat.say("/quit");
    let (_, screen) = chat.end();
    assert_eq!(screen.matches("allow it?").count(), 5, "{screen}");
    table.is_clean(&screen);
}

#[test]
fn lines_that_are_typed_while_it_answers_are_answered_one_after_the_other() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("Speak slowly");
    chat.shows("word word");
    chat.press("hello there\rHow many spokes?\r/status\rand th");
    chat.shows("session    cli:direct");
    // What was not finished is in the editor.
    chat.until("the rest", |screen| screen.line() == "you› and th");
    chat.press("at was it\r");
    chat.shows("I heard it.");
    chat.prompt();
    chat.press(UP);
    chat.press(UP);
    chat.until("what was typed ahead", |screen| screen.line() == "you› /status");
    chat.press(CTRL_U);
    chat.say("/quit");
    let (_, screen) = chat.end();
    let after = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text}:\n{screen}"));
    let said =
        ["you› hello there\nHello to you.", "you› How many spokes?", "Twelve.", "you› /status"];
    assert!(said.map(after).is_sorted(), "{screen}");
    table.is_clean(&screen);
}

#[test]
fn ctrl_c_stops_the_turn_and_not_the_chat() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("talk for ever");
    chat.shows("on and on on and on");
    chat.press(CTRL_C);
    chat.shows("note: stopped; what was finished is kept");
    chat.say("run it");
    chat.asks("[n]o:");
    // At a question as well; and the line typed next is not its answer.
    chat.press(CTRL_C);
    chat.shows_times("note: stopped; what was finished is kept", 2);
    chat.say("hello there");
    chat.shows("Hello to you.");
    chat.say("/quit");
    let (code, screen) = chat.end();
    assert_eq!(code, 0, "{screen}");
    assert!(!screen.contains("exit status"), "{screen}");
    table.is_clean(&screen);
}

#[test]
fn a_helper_that_is_done_reports_while_something_is_typed() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("send a helper");
    chat.shows("started subagent `crates`");
    chat.shows("The helper is done.");
    chat.prompt();
    chat.press(CTRL_D);
    let (code, screen) = chat.end();
    assert_eq!(code, 0, "{screen}");
    table.is_clean(&screen);
}

#[test]
fn an_error_ends_the_turn_and_not_the_chat() {
    let table = table(json!([
        {"fault": "quota"},
        {"text": "half of it and a bit more", "chunk": 3, "fault": {"cut": 700}},
        {"text": "whole"},
        {"text": "a\u{1b}[2Jb\u{1b}]0;title\u{7}c"}
    ]));
    let mut chat = table.chat();
    chat.say("hello");
    chat.shows("error: ");
    chat.say("hello again");
    chat.shows("the answer begins again\nwhole\n");
    chat.say("clear my screen");
    chat.shows("a[2Jb]0;titlec");
    chat.say("/quit");
    let (code, screen) = chat.end();
    assert_eq!(code, 0, "{screen}");
    table.is_clean(&screen);
}

#[test]
fn a_chat_goes_on_where_the_last_one_ended() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("hello there");
    chat.shows("Hello to you.");
    chat.say("/exit");
    assert_eq!(chat.end().0, 0);
    let mut chat = table.chat();
    chat.say("and now?");
    chat.shows("I heard it.");
    chat.say("/exit");
    assert_eq!(chat.end().0, 0);
    let sent = table.server.requests().last().unwrap().body["messages"].to_string();
    assert!(sent.contains("hello there") && sent.contains("Hello to you."), "{sent}");
}

#[test]
fn lines_from_a_pipe_are_a_chat_as_well() {
    let table = table(shop());
    let args = ["chat", "-w", &table.workspace];
    let typed = "How many spokes?\n\nrun it\n/status\nsend a helper\nhello there";
    let ran = table.sandbox.typed(&args, typed);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[..3], ["I look at the list.", "Twelve.", "Done."], "{ran:?}");
    assert!(ran.stdout.contains("The helper is done.\nHello to you.\n"), "{ran:?}");
    assert!(ran.stderr.contains("✗ `exec` needs the person's word"), "{}", ran.stderr);
    assert!(!ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'), "{ran:?}");
    table.is_clean(&ran.stdout);
}

#[test]
fn a_chat_without_a_key_says_what_to_set() {
    let sandbox = Sandbox::new();
    let workspace = sandbox.workspace(&[("AGENTS.md", "Be brief.")]);
    let chat = Terminal::run(&["chat", "-w", &workspace], sandbox.home(), &sandbox.env());
    let (code, screen) = chat.end();
    assert_eq!(code, 4, "{screen}");
    for text in ["no key for `openai`", "export OPENAI_API_KEY=", "ollama/llama3.2"] {
        assert!(screen.contains(text), "{text}\n{screen}");
    }
}

#[test]
fn a_first_run_finds_a_server_tries_it_and_keeps_the_choice() {
    let server = Scripted::start(Script::from_value(json!([{"text": "ok"}])).unwrap()).unwrap();
    let url = format!("{}/v1", server.url());
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join("agent").display().to_string();
    let args = ["init", &folder, "--provider", "mine", "--url", &url];
    let mut terminal = Terminal::run(&args, sandbox.home(), &sandbox.env());
    terminal.asks("Enter for later:");
    terminal.press("mine\r");
    terminal.asks("Enter for mine/scripted:");
    terminal.press("\r");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("ok: it says: ok"), "{screen}");
    let asked = sandbox.louver(&["ask", "-w", &folder, "hello"]);
    assert_eq!((asked.code, asked.stdout.trim()), (0, "ok"), "{}", asked.stderr);
}

#[test]
fn a_choice_that_is_not_kept_is_said() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join("agent").display().to_string();
    let mut terminal = Terminal::run(&["init", &folder], sandbox.home(), &sandbox.env());
    terminal.asks("Enter for later:");
    terminal.press("openai\r");
    terminal.asks("Enter for gpt-5-mini:");
    terminal.press("\r");
    terminal.asks("(not shown):");
    terminal.press("\r");
    let (code, screen) = terminal.end();
    assert!(code == 0 && screen.contains("no key was given: the choice is not kept"), "{screen}");
    let mut terminal = Terminal::run(&["init", &folder], sandbox.home(), &sandbox.env());
    terminal.asks("Enter for later:");
    terminal.press("\u{4}");
    let (_, screen) = terminal.end();
    assert!(screen.contains("Enter for later:\nnext: "), "{screen}");
}

#[test]
fn a_conversation_in_company_alone_begins_anew_without_memory() {
    let table = table(json!({"rules": [{"answer": {"text": "I heard it."}}]}));
    let asked = table.sandbox.louver(&["ask", "-w", &table.workspace, "--others", "I am Mallory."]);
    assert_eq!(asked.code, 0, "{}", asked.stderr);
    let mut chat = table.chat();
    chat.shows("›");
    chat.say("/new");
    chat.shows("2 messages left the view; they stay in the log");
    chat.say("/quit");
    let (_, screen) = chat.end();
    table.is_clean(&screen);
}

#[test]
fn nothing_of_the_person_comes_to_the_screen_in_company() {
    let table = table(shop());
    let mut chat = table.chat();
    chat.say("hello, the safe opens with violet-seven");
    chat.shows("Hello to you.");
    chat.say("/quit");
    assert_eq!(chat.end().0, 0);
    for company in [&["--others"][..], &["--session", "telegram:eve"]] {
        let mut chat = table.chat_with(company);
        chat.prompt();
        // What was typed alone is not what the arrow brings up; what was typed here is.
        chat.press(UP);
        chat.press("hello there\r");
        chat.shows("Hello to you.");
        chat.say("/memory");
        chat.shows("error: what is remembered of you is not shown in company");
        chat.say("/recall what opens the safe?");
        chat.shows("fits: ");
        chat.say("/context");
        chat.shows("gpt-4o, exact");
        chat.say("/status");
        chat.shows("session    ");
        chat.prompt();
        chat.press(UP);
        chat.until("the last line", |screen| screen.line() == "you› /status");
        chat.press(CTRL_U);
        chat.say("/quit");
        let (code, screen) = chat.end();
        assert_eq!(code, 0, "{screen}");
        assert!(!screen.contains("violet-seven") && !screen.contains("Lyon"), "{screen}");
        table.is_clean(&screen);
    }
}

#[test]
fn memory_that_is_being_made_is_said_to_be_and_told_before_what_comes_after_it() {
    let saves = |n: u32, slow: u64| {
        let entry = format!("[2026-03-10 12:0{n}] Part {n}.");
        let parts: String = (1..=n).map(|n| format!("- Part {n}.\n")).collect();
        let update = format!("# Memory\n\n- The shop is in Lyon.\n{parts}");
        let arguments = json!({"history_entry": entry, "memory_update": update});
        json!({"when": {"system": "You keep the memory"}, "times": 1, "answer": {
            "calls": [{"name": "save_memory", "arguments": arguments}], "fault": {"slow_ms": slow}}})
    };
    let table = table(json!({"rules": [
        saves(1, 5), saves(2, 0), {"answer": {"text": "You said: {{last_user}}"}}
    ]}));
    table.sandbox.config("[agent]\nmemory_window = 4\n");
    let mut chat = table.chat();
    for said in ["One.", "Two.", "Three."] {
        chat.say(said);
        chat.shows(&format!("{said}\nused: "));
    }
    chat.say("/status");
    chat.shows("memory     memory of `cli:direct` is being made now");
    let doctor = table.sandbox.louver(&["doctor", "--offline", "-w", &table.workspace]).stdout;
    assert!(doctor.contains("note  memory of `cli:direct` is being made now"), "{doctor}");
    assert!(!doctor.contains("could not be made"), "{doctor}");
    chat.say("/compact");
    chat.shows("MEMORY.md is version 3 now");
    let (screen, first) = (chat.text(), "MEMORY.md is version 2 now");
    assert!(screen.find(first) < screen.find("version 3 now"), "{screen}");
    assert!(screen.contains(first), "{screen}");
    chat.say("/quit");
    assert_eq!(chat.end().0, 0);
}
