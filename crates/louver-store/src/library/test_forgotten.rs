//! What is forgotten stays so, on a real workspace.

use std::fs;

use louver_context::{Content, Message, Role, ToolCall};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::tests::{library, places, recall, say};
use super::*;
use crate::disk::Folder;
use crate::notes::Places;
use crate::session::{Durability, Event, Mode, Prefix, Reply, Session};

#[test]
fn what_is_forgotten_does_not_come_back() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The code is 1234.", "Noted.");
    let mut library = library(dir.path());
    let gone = library.forget("cli:direct#2").unwrap().unwrap();
    assert_eq!(gone.text, "The code is 1234.");
    assert_eq!(library.forgotten().unwrap()[0].place, "cli:direct#2");
    fs::remove_file(dir.path().join(".louver/recall.db-wal")).ok();
    let raw = fs::read(dir.path().join(".louver/recall.db")).unwrap();
    assert!(!raw.windows(16).any(|bytes| bytes == b"The code is 1234"));
    library.remember_again("nothing").unwrap();
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert!(library.get("cli:direct#2").unwrap().is_none());
    assert_eq!(library.remember_again("cli:direct#2").unwrap(), Some(0));
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert!(library.get("cli:direct#2").unwrap().is_some());
}

#[test]
fn what_is_forgotten_does_not_come_back_under_another_name() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let file = |name: &str| kb.path().canonicalize().unwrap().join(name);
    fs::write(file("a.md"), "The code is 1234.\n\nThe gate is green.\n").unwrap();
    fs::write(file("b.md"), "The code is 1234.\n").unwrap();
    let with_folder =
        || Places { documents: vec![Folder::open(kb.path()).unwrap()], ..places(dir.path()) };
    let mut library = Library::open(dir.path()).unwrap();
    let sync = |library: &mut Library| {
        library.sync(&with_folder(), &mut |_| {}).unwrap();
    };
    sync(&mut library);
    let place = |name: &str, line: u32| format!("{}:{line}", file(name).display());
    let name = place("a.md", 1);
    library.forget(&name).unwrap().unwrap();
    sync(&mut library);
    assert!(library.get(&place("b.md", 1)).unwrap().is_some(), "another file says it too");
    fs::rename(file("a.md"), file("c.md")).unwrap();
    sync(&mut library);
    assert!(library.get(&place("c.md", 1)).unwrap().is_none());
    assert!(library.get(&place("c.md", 3)).unwrap().is_some());
    assert_eq!(library.remember_again(&name).unwrap(), Some(0));
    sync(&mut library);
    assert!(library.get(&place("c.md", 1)).unwrap().is_some());
}

#[test]
fn what_is_forgotten_does_not_come_back_with_another_mark_before_it() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("MEMORY.md");
    fs::write(&file, "- The code is 1234.\n- The gate is green.\n").unwrap();
    let mut library = library(dir.path());
    library.forget("MEMORY.md:1").unwrap().unwrap();
    // The whole line is what an earlier version knew it by.
    let mark = names::mark("MEMORY.md", &Label::Line(2, 1), "- The gate is green.");
    let (place, source, at) = ("MEMORY.md:2".into(), "MEMORY.md".into(), String::new());
    let old = Forgotten {
        place,
        at,
        source,
        also_in: Vec::new(),
        withheld: Vec::new(),
        mark,
        words: None,
        said: None,
        is_lost: false,
        parts: Vec::new(),
    };
    library.files.change_forgotten(|all| all.push(old)).unwrap();
    for text in
        ["* The code is 1234.\n- The gate is green.\n", "\n  The code is 1234. \n\n1. Open\n"]
    {
        fs::write(&file, text).unwrap();
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        assert!(recall(&mut library, "cli:x", false, "code gate").is_empty(), "{text}");
    }
}

#[test]
fn of_two_notes_that_had_a_name_the_last_one_comes_back_first() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("MEMORY.md");
    let mut library = Library::open(dir.path()).unwrap();
    let texts = [
        "- The code is 1234.\n- The gate is green.\n",
        "- The gate is green.\n- The code is 1234.\n",
    ];
    for text in texts {
        fs::write(&file, text).unwrap();
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        library.forget("MEMORY.md:1").unwrap().unwrap();
    }
    for (left, notes) in [(Some(1), 1), (Some(0), 2), (None, 2)] {
        assert_eq!(library.remember_again("MEMORY.md:1").unwrap(), left);
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        assert_eq!(library.len().unwrap(), notes);
        assert!(library.get("MEMORY.md:1").unwrap().is_some(), "the gate was forgotten last");
    }
}

#[test]
fn a_file_that_was_away_for_a_while_costs_no_other_its_lines() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let file = |name: &str| kb.path().canonicalize().unwrap().join(name);
    let (code, green) = ("The code is 1234.\n", "The gate is green.\n");
    fs::write(file("a.md"), format!("{code}\n{green}")).unwrap();
    fs::write(file("b.md"), code).unwrap();
    let mut library = Library::open(dir.path()).unwrap();
    let sync = |library: &mut Library| {
        let documents = vec![Folder::open(kb.path()).unwrap()];
        library.sync(&Places { documents, ..places(dir.path()) }, &mut |_| {}).unwrap();
    };
    let place = |name: &str| format!("{}:1", file(name).display());
    sync(&mut library);
    library.forget(&place("a.md")).unwrap().unwrap();
    fs::rename(file("a.md"), dir.path().join("away")).unwrap();
    sync(&mut library);
    fs::write(file("b.md"), format!("{code}\nMore.\n")).unwrap();
    sync(&mut library);
    assert!(library.get(&place("b.md")).unwrap().is_none(), "it may be the same file");
    fs::rename(dir.path().join("away"), file("a.md")).unwrap();
    sync(&mut library);
    sync(&mut library);
    assert!(library.get(&place("b.md")).unwrap().is_some());
    assert!(library.get(&place("a.md")).unwrap().is_none());
    assert_eq!(library.len().unwrap(), 3);
}

#[test]
fn what_is_forgotten_is_so_in_every_fork() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The code is 1234.", "Noted.");
    let fork = |key: &str| {
        let (from, _) = Session::open(dir.path(), "cli:direct", Mode::Read).unwrap();
        let (mut to, _) = Session::open(dir.path(), key, Mode::Write).unwrap();
        crate::export::fork(&from, &mut to, None).unwrap();
    };
    fork("cli:one");
    // Who says the same at another time is no copy.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    say(dir.path(), "cli:again", "The code is 1234.", "Noted.");
    let mut library = library(dir.path());
    let codes = |library: &mut Library| {
        let all = recall(library, "cli:x", false, "What is the code?");
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        (all.iter().filter(|text| text.contains("1234")).count(), library.len().unwrap())
    };
    let shows = |key: &str| {
        let (session, _) = Session::open(dir.path(), key, Mode::Read).unwrap();
        let view = session.view().0;
        view.messages.iter().any(|entry| entry.message.texts().any(|text| text.contains("1234")))
    };
    assert_eq!(library.len().unwrap(), 6);
    library.forget("cli:direct#2").unwrap().unwrap();
    assert_eq!(codes(&mut library), (1, 4));
    assert_eq!(["cli:direct", "cli:one", "cli:again"].map(shows), [false, false, true]);
    fork("cli:two");
    assert!(!shows("cli:two"));
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(codes(&mut library), (1, 5));
    assert_eq!(library.remember_again("cli:direct#2").unwrap(), Some(0));
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(library.len().unwrap(), 8);
}

#[test]
fn arguments_of_calls_that_have_what_was_forgotten_are_left_out() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("MEMORY.md"), "- The gate opens with \"4711\".\n").unwrap();
    {
        let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
        let call = |id: &str, arguments: Value| ToolCall {
            id: id.into(),
            name: "remember".into(),
            arguments: arguments.to_string().into(),
            extra: Default::default(),
        };
        let mut message = Message::new(Role::Assistant, Content::Null);
        message.calls = vec![
            call("1", json!({"fact": "It rains."})),
            call("2", json!({"facts": ["The gate opens with \"4711\"."]})),
        ];
        let message = session.keep(&message).unwrap();
        let prefix =
            Prefix { system: "The gate opens with \"4711\".".into(), ..Default::default() };
        let reply = Event::Reply(Reply { message, ..Reply::default() });
        session.append_all(&[Event::Prefix(prefix), reply], Durability::Process).unwrap();
    }
    let mut library = library(dir.path());
    library.forget("MEMORY.md:1").unwrap().unwrap();
    assert_eq!(library.still_has("MEMORY.md:1").unwrap(), ["MEMORY.md", "cli:direct"]);
    let (session, _) = Session::open(dir.path(), "cli:direct", Mode::Read).unwrap();
    let calls = session.view().0.messages[0].message.calls.clone();
    let arguments: Vec<&str> = calls.iter().map(|call| &*call.arguments).collect();
    let left_out = r#"{"left_out":"it has a note that was forgotten"}"#;
    assert_eq!(arguments, [r#"{"fact":"It rains."}"#, left_out]);
    let said = crate::export::everything(&session).remove(0).2;
    assert!(said.contains("It rains.") && !said.contains("4711"), "{said}");
    assert!(!crate::export::nanobot(&session).unwrap().contains("4711"));
    library.remember_again("MEMORY.md:1").unwrap();
    assert!(session.view().0.messages[0].message.calls[1].arguments.contains("4711"));
}

#[test]
fn a_long_result_that_has_what_was_forgotten_is_not_read_by_its_handle() {
    let dir = TempDir::new().unwrap();
    let fact = "The gate opens with 4711.";
    fs::write(dir.path().join("MEMORY.md"), format!("- {fact}\n")).unwrap();
    let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
    let long = format!("{}\n{fact}\n", "A line of a file.\n".repeat(2_000));
    let result = session.keep_result("1", "read_file", &long).unwrap();
    let handle = result.blob.clone().unwrap();
    assert!(!result.text.contains(fact), "it is behind what is shown");
    session.append(&Event::Result(result), Durability::Process).unwrap();
    let kept = session.kept();
    let shown = || {
        let all = [kept.text(&handle), kept.result("1")];
        let said = crate::export::everything(&session).into_iter().map(|(.., words)| words);
        all.into_iter().flatten().chain(said).filter(|text| text.contains(fact)).count()
    };
    let mut library = library(dir.path());
    assert_eq!(shown(), 3);
    library.forget("MEMORY.md:1").unwrap().unwrap();
    assert_eq!(library.still_has("MEMORY.md:1").unwrap(), ["MEMORY.md", "cli:direct"]);
    assert_eq!((shown(), kept.text(&handle)), (0, None));
    assert!(!crate::export::nanobot(&session).unwrap().contains(fact));
    library.remember_again("MEMORY.md:1").unwrap();
    assert_eq!(shown(), 3);
}
