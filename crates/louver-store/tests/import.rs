//! Conversations of other programs come in and go out with every field they had.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use louver_context::message::{Message, Role};
use louver_store::session::event::{Cursor, Event, Undo};
use louver_store::session::{Durability, Mode, Session, Sessions};
use louver_store::{export, import};
use serde_json::{Value, json};

/// nanobot's rows, with everything that was ever seen on one.
fn rows(key: &str) -> Vec<Value> {
    vec![
        json!({"_type": "metadata", "key": key, "created_at": "2026-02-25T18:30:00.123456",
               "updated_at": "2026-02-26T08:00:00", "metadata": {"title": "Tea", "_last_summary": {"text": "x"}},
               "last_consolidated": 2, "unknown": [1, 2.5, null]}),
        json!({"role": "user", "content": "Hi 👋\u{2028}there", "timestamp": "2026-02-25T18:30:00.123456"}),
        json!({"role": "user", "content": "[Runtime Context]\nCurrent Time: …"}),
        json!({"role": "assistant", "content": null, "timestamp": "2026-02-25T18:30:02",
               "tool_calls": [{"id": "c1", "type": "function", "index": 0, "function": {"name": "read_file", "arguments": "{\"path\":\"a\"}"}}],
               "reasoning_content": "hm", "latency_ms": 12}),
        json!({"role": "tool", "tool_call_id": "c1", "name": "read_file", "content": "milk\n".repeat(9000)}),
        json!({"role": "assistant", "tool_calls": null, "thinking_blocks": [{"type": "thinking", "thinking": "t", "signature": "s"}], "content": "Milk."}),
        json!({"_type": "provider_state", "state": {"kind": "k", "payload": {"a": 1}}}),
        json!({"role": "user", "content": [
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}},
            {"type": "text", "text": "What is this?"}], "media": ["/x.png"], "_runtime_context": {"version": 1}}),
        json!({"role": "assistant", "name": null}),
    ]
}

fn write(path: &Path, rows: &[Value]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(path, text).unwrap();
}

/// The four places, below one instance folder.
fn layouts(home: &Path) -> Vec<(&'static str, PathBuf)> {
    let instance = home.join(".nanobot");
    fs::create_dir_all(&instance).unwrap();
    fs::write(instance.join("config.json"), "{}").unwrap();
    vec![
        ("cli:direct", instance.join("workspace/sessions/cli_direct.jsonl")),
        ("telegram:-100/42", instance.join("sessions/telegram_-100_42.jsonl")),
        (
            "feishu:ou_a_b",
            instance.join("sessions/0123456789abcdef0123456789abcdef/feishu_ou_a_b.jsonl"),
        ),
        (
            "slack:C0:1.2",
            instance.join("sessions/0123456789abcdef0123456789abcdef/c2xhY2s6QzA6MS4y.jsonl"),
        ),
    ]
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_layout_of_nanobot_comes_in_whole_and_goes_out_the_same() {
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join(".nanobot/workspace");
    let layouts = layouts(home.path());
    layouts.iter().for_each(|(key, path)| write(path, &rows(key)));
    let files = import::session_files(&workspace);
    assert_eq!(files.len(), 4, "{files:?}");
    for file in &files {
        let found = import::read(file).unwrap();
        assert_eq!(found.problems, vec![]);
        assert_eq!(found.messages().len(), 7);
        assert_eq!(found.store(&workspace).unwrap().new, 7);
        assert_eq!(found.store(&workspace).unwrap().new, 0, "a second import adds nothing");
    }
    for (key, _) in layouts {
        let (session, problems) = Session::open(&workspace, key, Mode::Read).unwrap();
        assert_eq!(problems, vec![]);
        assert_eq!(session.view().0.messages.len(), 7, "{key}");
        assert!(session.view().0.cursor > 0, "what memory was made of is known");
        assert_eq!(lines(&export::nanobot(&session).unwrap()), rows(key), "{key}");
    }
    let listed = Sessions::list(&workspace).0;
    assert_eq!(listed.len(), 4);
    // It came with a picture, and nothing was said after it.
    assert!(listed.iter().all(|info| info.last_text == "What is this?"), "{listed:?}");
}

#[test]
fn what_was_added_to_the_file_since_is_added() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sessions/cli_direct.jsonl");
    let all = rows("cli:direct");
    write(&file, &all[..5]);
    assert_eq!(import::read(&file).unwrap().store(home.path()).unwrap().new, 4);
    write(&file, &all);
    assert_eq!(import::read(&file).unwrap().store(home.path()).unwrap().new, 3);
    let (session, _) = Session::open(home.path(), "cli:direct", Mode::Read).unwrap();
    assert_eq!(lines(&export::nanobot(&session).unwrap()), all);
}

#[test]
fn what_memory_was_made_of_since_costs_and_doubles_no_message() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sessions/cli_direct.jsonl");
    let mut all = rows("cli:direct");
    all[0]["last_consolidated"] = 0.into();
    write(&file, &all[..5]);
    assert_eq!(import::read(&file).unwrap().store(home.path()).unwrap().new, 4);
    all[0]["last_consolidated"] = 2.into();
    write(&file, &all);
    assert_eq!(import::read(&file).unwrap().store(home.path()).unwrap().new, 3);
    let (session, _) = Session::open(home.path(), "cli:direct", Mode::Read).unwrap();
    assert_eq!(session.view().0.messages.len(), 7);
}

#[test]
fn a_file_that_was_begun_anew_is_another_conversation() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sessions/cli_direct.jsonl");
    let row =
        |said: &str| json!({"role": "user", "content": said, "timestamp": "2026-02-25T18:30:00"});
    write(&file, &[row("One."), row("Two.")]);
    assert_eq!(import::read(&file).unwrap().store(home.path()).unwrap().new, 2);
    write(&file, &[row("Three.")]);
    let stored = import::read(&file).unwrap().store(home.path()).unwrap();
    assert_eq!((stored.key.as_str(), stored.new), ("cli:direct:nanobot", 1));
}

#[test]
fn a_bad_byte_and_a_bad_line_cost_themselves() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sessions/cli_direct.jsonl");
    let mut bytes: Vec<u8> =
        rows("cli:direct").iter().flat_map(|row| format!("{row}\n").into_bytes()).collect();
    bytes.extend(b"{\"role\": \"user\", \"content\": \"caf\xe9\"}\n{\"role\": \"us");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, bytes).unwrap();
    let found = import::read(&file).unwrap();
    assert_eq!(found.messages().len(), 8, "one byte in two hundred messages costs one character");
    assert_eq!(found.problems.len(), 2, "{:?}", found.problems);
}

#[test]
fn a_session_without_its_line_about_itself_has_the_key_of_its_name() {
    let home = tempfile::tempdir().unwrap();
    for (name, key) in [("cli_direct", "cli:direct"), ("c2xhY2s6QzA6MS4y", "slack:C0:1.2")] {
        let file = home.path().join(format!("{name}.jsonl"));
        write(&file, &rows("x")[1..3]);
        assert_eq!(import::read(&file).unwrap().key, key);
    }
}

#[test]
fn the_newest_branch_of_an_openclaw_session_is_the_conversation() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("agents/main/sessions/abc.jsonl");
    write(
        &file,
        &[
            json!({"type": "session", "version": 3, "id": "abc", "timestamp": "2026-07-01T10:00:00Z", "cwd": "/x"}),
            json!({"type": "message", "id": "1", "parentId": null, "timestamp": "2026-07-01T10:00:01Z",
               "message": {"role": "user", "content": [{"type": "text", "text": "Hello"}]}}),
            json!({"type": "message", "id": "2", "parentId": "1", "timestamp": "2026-07-01T10:00:02Z",
               "message": {"role": "assistant", "content": [{"type": "text", "text": "dropped branch"}]}}),
            json!({"type": "message", "id": "3", "parentId": "1", "timestamp": "2026-07-01T10:00:03Z",
               "message": {"role": "assistant", "content": [
                   {"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"},
                   {"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "a"}}]}}),
            json!({"type": "message", "id": "4", "parentId": "3", "timestamp": "2026-07-01T10:00:04Z",
               "message": {"role": "toolResult", "toolCallId": "c", "toolName": "read", "content": [{"type": "text", "text": "milk"}]}}),
        ],
    );
    let files = import::session_files(home.path());
    let found = import::read(&files[0]).unwrap();
    assert_eq!(found.key, "openclaw:abc");
    assert_eq!(found.store(home.path()).unwrap().new, 3);
    let (session, _) = Session::open(home.path(), "openclaw:abc", Mode::Read).unwrap();
    let messages = export::openai(&session);
    assert_eq!(lines(&messages).len(), 3);
    assert!(!messages.contains("dropped branch"));
    let log = session.events().unwrap().map(|record| format!("{:?}", record.event));
    assert!(log.into_iter().any(|event| event.contains("dropped branch")), "but it is kept");
    // nanobot is given what it can read, before it is taken over and after.
    let told = lines(&found.nanobot());
    assert_eq!(told, lines(&export::nanobot(&session).unwrap()));
    let roles: Vec<&Value> = told[1..].iter().map(|row| &row["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "tool"]);
    assert_eq!(told[1]["content"], "Hello");
    assert_eq!(told[1]["timestamp"], "2026-07-01T10:00:01Z");
    assert_eq!(told[2]["tool_calls"][0]["function"]["name"], "read");
    write(&home.path().join("sessions/openclaw_abc.jsonl"), &told);
    let again = import::read(&home.path().join("sessions/openclaw_abc.jsonl")).unwrap();
    assert_eq!((again.messages().len(), again.problems), (3, vec![]));
}

/// A message of a conversation of nanobot's.
fn said(role: &str, content: &str, time: &str) -> Value {
    json!({"role": role, "content": content, "timestamp": time})
}

#[test]
fn the_line_about_a_session_says_what_louver_did_since() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sessions/cli_direct.jsonl");
    write(&file, &rows("cli:direct"));
    import::read(&file).unwrap().store(home.path()).unwrap();
    let (mut session, _) = Session::open(home.path(), "cli:direct", Mode::Write).unwrap();
    let event = export::event_of(&session, &Message::text(Role::User, "More milk.")).unwrap();
    let to = session.append(&event, Durability::Process).unwrap();
    let cursor = Event::Cursor(Cursor { to, ..Cursor::default() });
    let exported = |session: &Session| lines(&export::nanobot(session).unwrap());
    let about = exported(&session).swap_remove(0);
    assert_eq!(about["last_consolidated"], 2);
    assert!(about["updated_at"].as_str() > Some("2026-02-26T08:00:00"), "{about}");
    session.append(&cursor, Durability::Process).unwrap();
    let told = exported(&session);
    assert_eq!(
        (&told[0]["last_consolidated"], &told[0]["unknown"]),
        (&json!(8), &about["unknown"])
    );
    assert_eq!(told[1..9], rows("cli:direct")[1..]);
}

#[test]
fn half_a_character_and_a_mark_of_byte_order_cost_themselves() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sessions/0.jsonl");
    let about = &rows("cli:direct")[0];
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let half = r#"{"role": "user", "content": "x \ud83d cut", "name": "\ud83d\ude00"}"#;
    fs::write(&file, format!("\u{FEFF}{about}\n{half}\n")).unwrap();
    let found = import::read(&file).unwrap();
    assert_eq!((found.key.as_str(), found.problems.len()), ("cli:direct", 0));
    let message = &found.messages()[0];
    assert_eq!(message.texts().next().unwrap().as_ref(), "x \u{FFFD} cut");
    assert_eq!(message.name.as_deref(), Some("😀"));
}

#[test]
fn conversations_of_two_programs_stay_apart_in_whatever_order() {
    let nanobot = |day: &str| vec![said("user", "Where are my keys?", &format!("{day}T08:00:00Z"))];
    let openclaw = |day: &str| {
        vec![
            json!({"type": "session", "version": 3, "id": "abc", "timestamp": format!("{day}T10:00:00Z")}),
            json!({"type": "message", "id": "1", "parentId": null, "timestamp": format!("{day}T10:00:01Z"),
               "message": {"role": "user", "content": "My mooring is 42."}}),
        ]
    };
    for days in [["2026-07-01", "2026-07-02"], ["2026-07-02", "2026-07-01"]] {
        for openclaw_first in [false, true] {
            let home = tempfile::tempdir().unwrap();
            let one = home.path().join("sessions/cli_direct.jsonl");
            let two = home.path().join("agents/main/sessions/abc.jsonl");
            write(&one, &nanobot(days[0]));
            write(&two, &openclaw(days[1]));
            let list = json!({"agent:main:main": {"sessionId": "abc"}});
            fs::write(two.with_file_name("sessions.json"), list.to_string()).unwrap();
            let (first, second) = if openclaw_first { (&two, &one) } else { (&one, &two) };
            let store = |file: &Path| import::read(file).unwrap().store(home.path()).unwrap();
            let stored = [store(first), store(second)];
            let name = if openclaw_first { "nanobot" } else { "openclaw" };
            let keys = ["cli:direct".to_owned(), format!("cli:direct:{name}")];
            assert_eq!(stored.each_ref().map(|stored| stored.key.clone()), keys, "{days:?}");
            assert_eq!([store(first), store(second)].map(|stored| stored.new), [0, 0]);
        }
    }
}

#[test]
fn what_says_no_time_was_said_after_what_stands_before_it() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sessions/cli_direct.jsonl");
    let mut all = vec![
        json!({"_type": "metadata", "key": "cli:direct", "created_at": "2026-01-01T08:00:00Z"}),
        json!({"role": "user", "content": "One."}),
        said("user", "Two.", "2026-07-01T08:00:00Z"),
        json!({"role": "assistant", "content": "Three."}),
    ];
    write(&file, &all);
    import::read(&file).unwrap().store(home.path()).unwrap();
    all.push(json!({"role": "user", "content": "Four."}));
    write(&file, &all);
    assert_eq!(import::read(&file).unwrap().store(home.path()).unwrap().new, 1);
    let (session, _) = Session::open(home.path(), "cli:direct", Mode::Read).unwrap();
    let messages = session.events().unwrap().filter(|record| record.event.is_message());
    let days: Vec<String> =
        messages.map(|record| record.time.to_string()[..10].to_owned()).collect();
    assert_eq!(days, ["2026-01-01", "2026-07-01", "2026-07-01", "2026-07-01"]);
}

#[test]
fn a_fork_goes_its_own_way() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("sessions/cli_direct.jsonl");
    write(&file, &rows("cli:direct"));
    import::read(&file).unwrap().store(home.path()).unwrap();
    let (from, _) = Session::open(home.path(), "cli:direct", Mode::Read).unwrap();
    let (mut to, _) = Session::open(home.path(), "cli:other", Mode::Write).unwrap();
    export::fork(&from, &mut to, None).unwrap();
    assert_eq!(export::openai(&from), export::openai(&to));
    assert_eq!(from.view().0.cursor > 0, to.view().0.cursor > 0);
    // What is there is not added to, and nothing is taken for a number that it has not.
    let again = export::fork(&from, &mut to, None).unwrap_err();
    assert_eq!(again.to_string(), "there is a conversation `cli:other` already");
    assert_eq!(export::openai(&from), export::openai(&to));
    let (mut new, _) = Session::open(home.path(), "cli:new", Mode::Write).unwrap();
    let beyond = export::fork(&from, &mut new, Some(999_999)).unwrap_err();
    assert_eq!(beyond.to_string(), "session `cli:direct` has no message at 999999");
    assert!(beyond.hint().unwrap().contains("its last"), "{beyond:?}");
    assert_eq!(new.messages(), 0);
}

#[test]
fn what_was_taken_back_is_in_no_list_search_or_export() {
    let workspace = tempfile::TempDir::new().unwrap();
    let path = workspace.path();
    let (mut session, _) = Session::open(path, "cli:direct", Mode::Write).unwrap();
    let say = |session: &mut Session, role, text: &str| {
        let event = export::event_of(session, &Message::text(role, text)).unwrap();
        session.append(&event, Durability::Process).unwrap()
    };
    say(&mut session, Role::User, "The ladder is green.");
    let to = say(&mut session, Role::Assistant, "Green it is.");
    say(&mut session, Role::User, "The surprise is a boat.");
    say(&mut session, Role::Assistant, "A boat, then.");
    session.append(&Event::Undo(Undo { to, ..Undo::default() }), Durability::Disk).unwrap();
    let (mut fork, _) = Session::open(path, "cli:fork", Mode::Write).unwrap();
    assert_eq!(export::fork(&session, &mut fork, None).unwrap(), 2);
    for session in [&session, &fork] {
        let rows = lines(&export::nanobot(session).unwrap());
        let said: Vec<&Value> = rows[1..].iter().map(|row| &row["content"]).collect();
        assert_eq!(said, ["The ladder is green.", "Green it is."]);
        let said: Vec<String> = export::everything(session).into_iter().map(|row| row.2).collect();
        assert_eq!(said, ["The ladder is green.", "Green it is."]);
    }
    for info in Sessions::list(path).0 {
        assert_eq!((info.messages, info.last_text.as_str()), (2, "Green it is."), "{}", info.key);
    }
    say(&mut session, Role::User, "And the rope?");
    let (list, _) = Sessions::list(path);
    let info = list.iter().find(|info| info.key == "cli:direct").unwrap();
    assert_eq!((info.messages, info.last_text.as_str()), (3, "And the rope?"));
}
