//! What is forgotten stays so, on a real workspace.

use std::fs;

use louver_context::{Content, Message, Role, ToolCall};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::tests::{library, places, recall, say};
use super::*;
use crate::disk::Folder;
use crate::notes::Places;
use crate::session::{Durability, Event, Mode, Prefix, Reply, Session, Sessions};

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
fn who_forgets_while_somebody_reads_is_told_that_the_log_has_it() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The code is 1234.", "Noted.");
    let (mut library, mut reader) = (library(dir.path()), Library::open(dir.path()).unwrap());
    let view = reader.db.transaction().unwrap();
    Facts::read(&view).unwrap();
    library.db.busy_timeout(Duration::ZERO).unwrap();
    library.forget("cli:direct#2").unwrap().unwrap();
    let log = fs::metadata(dir.path().join(".louver/recall.db-wal")).unwrap();
    assert!(log.len() > 0);
    let still = ["cli:direct", ".louver/recall.db-wal"];
    assert_eq!(library.still_has("cli:direct#2").unwrap(), still);
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(library.still_has("cli:direct#2").unwrap(), still);
    drop(view);
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(library.still_has("cli:direct#2").unwrap(), still[..1]);
    assert_eq!(fs::metadata(dir.path().join(".louver/recall.db-wal")).unwrap().len(), 0);
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
    assert!(library.get(&place("b.md", 1)).unwrap().is_none(), "it is forgotten everywhere");
    assert_eq!(
        library.still_has(&name).unwrap(),
        ["a.md", "b.md"].map(|name| file(name).display().to_string())
    );
    fs::rename(file("a.md"), file("c.md")).unwrap();
    sync(&mut library);
    assert!(library.get(&place("c.md", 1)).unwrap().is_none());
    assert!(library.get(&place("c.md", 3)).unwrap().is_some());
    assert_eq!(library.remember_again(&name).unwrap(), Some(0));
    sync(&mut library);
    assert!(library.get(&place("c.md", 1)).unwrap().is_some());
    assert!(library.get(&place("b.md", 1)).unwrap().is_some());
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
fn who_may_know_one_session_forgets_in_that_alone() {
    let dir = TempDir::new().unwrap();
    let said = "The safe combination is 9-31-7.";
    fs::write(dir.path().join("MEMORY.md"), format!("- {said}\n")).unwrap();
    for session in ["cli:direct", "telegram:alice", "telegram:eve"] {
        say(dir.path(), session, said, "Noted.");
    }
    let mut library = library(dir.path());
    let typed = super::typed::typed(dir.path());
    fs::write(&typed, format!("{said}\n")).unwrap();
    library.forget_own("telegram:eve#2").unwrap().unwrap();
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    let [own, others] = ["telegram:eve", "telegram:alice"]
        .map(|session| recall(&mut library, session, true, "What is the safe combination?"));
    assert_eq!((&own[..], &others[..]), (&["Noted.".to_owned()][..], &[said.to_owned()][..]));
    assert_eq!(library.still_has("telegram:eve#2").unwrap(), ["telegram:eve"]);
    assert_eq!(fs::read_to_string(&typed).unwrap(), format!("{said}\n"));
    let shown = |key: &str| {
        let (session, _) = Session::open(dir.path(), key, Mode::Read).unwrap();
        let messages = session.view().0.messages;
        messages.iter().any(|entry| format!("{:?}", entry.message.content).contains("9-31-7"))
    };
    assert_eq!(["cli:direct", "telegram:alice", "telegram:eve"].map(shown), [true, true, false]);
    assert!(library.get("MEMORY.md:1").unwrap().is_some());
}

#[test]
fn what_was_typed_goes_with_a_line_of_a_list_that_says_it() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("MEMORY.md"), "- The locker code is 0925 at the pool.\n").unwrap();
    let mut library = library(dir.path());
    let typed = super::typed::typed(dir.path());
    fs::write(&typed, "hello\nThe locker code is 0925 at the pool.\n").unwrap();
    library.forget("MEMORY.md:1").unwrap().unwrap();
    assert_eq!(fs::read_to_string(&typed).unwrap(), "hello\n");
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
fn who_dies_while_forgetting_leaves_nothing_that_is_recalled() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("MEMORY.md"), "- The code is 1234.\n- The gate is green.\n").unwrap();
    let mut library = library(dir.path());
    // The list is written and the index is not.
    let note = library.get("MEMORY.md:1").unwrap().unwrap();
    let forgotten = Forgotten::of("MEMORY.md", &note, &[], Default::default());
    library.files.change_forgotten(|all| all.push(forgotten)).unwrap();
    // Nor can the file be read now.
    let unreadable = || {
        let places = places(dir.path());
        fs::rename(dir.path().join("MEMORY.md"), dir.path().join("away")).unwrap();
        std::os::unix::fs::symlink("MEMORY.md", dir.path().join("MEMORY.md")).unwrap();
        places
    };
    library.sync(&unreadable(), &mut |_| {}).unwrap();
    assert!(library.get("MEMORY.md:1").unwrap().is_none());
    assert!(library.get("MEMORY.md:2").unwrap().is_some());
    fs::rename(dir.path().join("away"), dir.path().join("MEMORY.md")).unwrap();
    library.remember_again("MEMORY.md:1").unwrap();
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(library.len().unwrap(), 2);
}

/// How each word is spelled.
fn spellings(library: &Library) -> Vec<(String, String)> {
    let mut found = library.db.prepare("SELECT term, id FROM words ORDER BY term").unwrap();
    let words = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let words: Vec<(String, u32)> = words.collect::<Result<_, _>>().unwrap();
    let mut spellings = postings::Spellings::of(&library.db).unwrap();
    let mut spelled = |word: u32| spellings.with(word, str::to_owned).unwrap().unwrap();
    words.into_iter().map(|(term, word)| (term, spelled(word))).collect()
}

#[test]
fn an_index_is_the_same_whatever_happened_to_the_files_before() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let kb = kb.path().canonicalize().unwrap();
    let file = |n: u64| kb.join(format!("{}.md", n % 5));
    let says = [
        "The code is 1234.",
        "The gate is **green**.",
        "- The roof leaks\n  - on the left.",
        "The code\nis 1234.",
        "> The gate is green.",
        "- Soon leaking\n  - on the left.\n",
        // What may stand above others.
        "# The gate is green.",
        "## The gate is\n\n## The roof leaks",
        "- The roof leaks\n  - [ ] on the left.",
        "- The code\n  is 1234.\n  - [ ] tell Ada\n  - Soon",
    ];
    let open_all = |workspace: &std::path::Path| {
        let mut library = Library::open(workspace).unwrap();
        let documents = vec![Folder::open(&kb).unwrap()];
        library.sync(&Places { documents, ..places(workspace) }, &mut |_| {}).unwrap();
        library
    };
    let all = |library: &mut Library| -> Vec<String> {
        let names = (0..5).flat_map(|n| (1..15).map(move |line| (n, line)));
        let names = names.map(|(n, line)| format!("{}:{line}", file(n).display()));
        names.filter(|name| library.get(name).unwrap().is_some()).collect()
    };
    // With what each stands under, and where.
    let whole = |library: &mut Library| -> Vec<(Note, Vec<String>)> {
        let names = all(library).into_iter();
        let whole = names.map(|name| {
            let around = library.around(&name, 20).unwrap();
            let note = library.get(&name).unwrap().unwrap();
            (note, around.into_iter().map(|note| note.place).collect())
        });
        whole.collect()
    };
    let mut random = 7_u64;
    let mut next = || {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 33
    };
    let mut forgotten: Vec<String> = Vec::new();
    for step in 0..150 {
        let (one, other) = (file(next()), file(next()));
        match next() % 7 {
            0 | 1 => {
                let part = |n: u64| says[n as usize % says.len()].to_owned();
                fs::write(&one, [part(next()), part(next()), part(next())].join("\n\n")).unwrap();
            }
            2 => drop(fs::rename(&one, &other)),
            3 if one != other => drop(fs::copy(&one, &other)),
            4 => drop(fs::remove_file(&one)),
            5 => {
                let mut library = open_all(dir.path());
                let names = all(&mut library);
                if !names.is_empty() && forgotten.len() < 3 {
                    let name = &names[next() as usize % names.len()];
                    library.forget(name).unwrap().unwrap();
                    forgotten.push(name.clone());
                }
            }
            _ => {
                let again = forgotten.pop();
                again.map(|name| open_all(dir.path()).remember_again(&name).unwrap());
            }
        }
        let fresh = TempDir::new().unwrap();
        fs::create_dir(fresh.path().join(".louver")).unwrap();
        let list = dir.path().join(".louver/forgotten.json");
        drop(fs::copy(list, fresh.path().join(".louver/forgotten.json")));
        let (mut old, mut new) = (open_all(dir.path()), open_all(fresh.path()));
        assert_eq!(whole(&mut old), whole(&mut new), "step {step}");
        assert_eq!(spellings(&old), spellings(&new), "step {step}");
    }
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
fn what_is_forgotten_has_no_say_in_how_words_are_spelled() {
    let dir = TempDir::new().unwrap();
    let memory = "- Ada can run.\n- Bo is running.\n- Cy was running there.\n";
    fs::write(dir.path().join("MEMORY.md"), memory).unwrap();
    let spelled = |library: &mut Library| {
        let word = library.known.words.find(&library.db, "run").unwrap().unwrap();
        let mut spellings = postings::Spellings::of(&library.db).unwrap();
        spellings.with(word, str::to_owned).unwrap().unwrap()
    };
    let mut old = library(dir.path());
    assert_eq!(spelled(&mut old), "run");
    let mut other = library(dir.path());
    old.forget("MEMORY.md:1").unwrap().unwrap();
    assert_eq!(spelled(&mut old), "running");
    // Nor is it what others remember.
    let text = format!("{memory}- Dee can run.\n");
    fs::write(dir.path().join("MEMORY.md"), text).unwrap();
    other.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(spelled(&mut other), "run");
    fs::write(dir.path().join("MEMORY.md"), memory).unwrap();
    other.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(spelled(&mut other), "running");
    drop((old, other));
    fs::remove_file(dir.path().join(".louver/recall.db")).unwrap();
    let mut new = library(dir.path());
    assert_eq!(spelled(&mut new), "running");
    // What is recalled again has one.
    new.remember_again("MEMORY.md:1").unwrap();
    new.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(spelled(&mut new), "run");
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

/// Whether the index has some words, as they are written or as it keeps them.
fn keeps(workspace: &std::path::Path, words: &str) -> bool {
    let file = |end: &str| fs::read(workspace.join(format!(".louver/recall.db{end}")));
    let raw = [file(""), file("-wal")].map(|data| data.unwrap_or_default().to_ascii_lowercase());
    let words = words.to_ascii_lowercase();
    raw.iter().any(|raw| raw.windows(words.len()).any(|bytes| bytes == words.as_bytes()))
}

/// What notes stand under, with their names.
fn titles(library: &mut Library, names: &[&str]) -> Vec<Option<String>> {
    let title = |name: &&str| library.get(name).unwrap().map(|note| note.who);
    names.iter().map(title).collect()
}

#[test]
fn what_is_forgotten_is_no_title_of_what_stands_below_it() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    let day = dir.path().join("memory/2026-01-05.md");
    let long = "and so on ".repeat(30);
    for (lead, more) in [
        ("- The alarm word is Zebra-5512", ""),
        ("- The alarm word\n  is Zebra-5512", ""),
        ("- The word is **Zebra-5512**:\n  it was set in May", ""),
        (&*format!("- The word is Zebra-5512 {long}"), ""),
        ("We set the alarm.\nThe alarm word is Zebra-5512:\n- of the house\n- of the shed", ":"),
    ] {
        let text = format!("# Trip\n\n{lead}\n  - [ ] change the battery of the lamp\n  - Call\n");
        fs::write(&day, &text).unwrap();
        let mut library = library(dir.path());
        assert!(keeps(dir.path(), "zebra"), "{lead}");
        let before = library.len().unwrap();
        library.forget("memory/2026-01-05.md:3").unwrap().unwrap();
        assert_eq!(library.len().unwrap(), before - 1, "{lead}{more}");
        assert!(!keeps(dir.path(), "zebra"), "{lead}");
        let below = format!("memory/2026-01-05.md:{}", 3 + lead.lines().count());
        if more.is_empty() {
            assert_eq!(titles(&mut library, &[&below]), [Some("Trip".to_owned())], "{lead}");
            let found = recall(&mut library, "cli:x", false, "battery of the lamp");
            assert_eq!(found, ["- [ ] change the battery of the lamp"]);
        }
        // It is what reading the file again gives, with an index and without one.
        fs::write(&day, format!("{text}\n")).unwrap();
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        assert!(!keeps(dir.path(), "zebra"), "{lead}");
        drop(library);
        fs::remove_file(dir.path().join(".louver/recall.db")).unwrap();
        let mut library = self::library(dir.path());
        assert!(!keeps(dir.path(), "zebra"), "{lead}");
        assert_eq!(library.len().unwrap(), before - 1);
        assert_eq!(library.remember_again("memory/2026-01-05.md:3").unwrap(), Some(0));
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        assert!(keeps(dir.path(), "zebra"), "{lead}");
    }
}

#[test]
fn a_forgotten_heading_that_gets_a_text_is_not_shown_above_it() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::create_dir(dir.path().join("memory")).unwrap();
    let day = dir.path().join("memory/2026-01-05.md");
    let page = kb.path().canonicalize().unwrap().join("codes.md");
    let page_has =
        "---\ntags: [home]\n---\n# The alarm word · Zebra\n\nA lamp.\n\n## Hall\n\nOld.\n";
    fs::write(&page, page_has).unwrap();
    fs::write(&day, "# Codes\n\n## The alarm word · Zebra\n\n## Other\n\nSomething.\n").unwrap();
    let sync = |library: &mut Library| {
        let documents = vec![Folder::open(kb.path()).unwrap()];
        library.sync(&Places { documents, ..places(dir.path()) }, &mut |_| {}).unwrap();
    };
    let mut library = Library::open(dir.path()).unwrap();
    sync(&mut library);
    library.forget("memory/2026-01-05.md:3").unwrap().unwrap();
    // The file that has it as a title alone is named, and is not read for it.
    let page = page.display().to_string();
    let has = library.still_has("memory/2026-01-05.md:3").unwrap();
    assert_eq!(has, ["memory/2026-01-05.md", &page]);
    let below = [6, 10].map(|line| format!("{page}:{line}"));
    let below = below.each_ref().map(String::as_str);
    assert_eq!(titles(&mut library, &below), ["home", "Hall"].map(|who| Some(who.to_owned())));
    let around: Vec<String> =
        library.around(below[0], 5).unwrap().into_iter().map(|note| note.text).collect();
    assert_eq!(around, ["A lamp.", "Old."]);
    let text = "# Codes\n\n## The alarm word · Zebra\n\nSet in May.\n\n## Other\n\nSomething.\n";
    fs::write(&day, text).unwrap();
    sync(&mut library);
    let below = ["memory/2026-01-05.md:5", "memory/2026-01-05.md:9"];
    let under = ["Codes", "Codes › Other"].map(|who| Some(who.to_owned()));
    assert_eq!(titles(&mut library, &below), under);
    assert!(!keeps(dir.path(), "zebra"));
    let shown = crate::library::unshown::Unshown::of(dir.path());
    let gone = shown.in_text("memory/2026-01-05.md", text);
    assert_eq!(
        gone.into_iter().map(|bytes| &text[bytes]).collect::<Vec<_>>(),
        ["## The alarm word · Zebra"]
    );
}

#[test]
fn what_is_written_while_a_note_is_looked_for_is_forgotten_too() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    let day = |n: u32, text: &str| {
        fs::write(dir.path().join(format!("memory/2026-01-{n:02}.md")), text).unwrap();
    };
    day(5, "The code is 1234.\n\nThe gate is green.\n");
    let (mut library, mut other) = (library(dir.path()), library(dir.path()));
    let (note, forgotten) = {
        let place = library.find_note("memory/2026-01-05.md:1").unwrap().unwrap();
        library.to_forget(place, Whose::Anyones).unwrap().unwrap()
    };
    assert_eq!(note.text, "The code is 1234.");
    let marks = Marks::of(&[forgotten]);
    // Nobody who writes is in the way, nor kept from it.
    other.db.execute_batch("BEGIN IMMEDIATE").unwrap();
    let fading = library.fading(&marks).unwrap();
    other.db.execute_batch("COMMIT").unwrap();
    day(6, "# The code is 1234.\n\nA lamp.\n\n- The code is 1234.\n");
    other.sync(&places(dir.path()), &mut |_| {}).unwrap();
    let mut names = Vec::new();
    let forget = |writer: &mut Writer<'_>| {
        names = writer.forget(fading, &marks)?;
        Ok(())
    };
    library.transact(forget).unwrap();
    assert_eq!(names, ["memory/2026-01-05.md", "memory/2026-01-06.md"]);
    assert_eq!(library.len().unwrap(), 2);
    let under = titles(&mut library, &["memory/2026-01-06.md:3"]);
    assert_eq!(under, [Some("2026-01-06.md".to_owned())]);
}

#[test]
fn a_list_of_sessions_does_not_show_what_was_forgotten() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The gate is green.", "The code is 1234, then.");
    let mut library = library(dir.path());
    let last = || Sessions::list(dir.path()).0.remove(0).last_text;
    assert_eq!(last(), "The code is 1234, then.");
    let notes = ["cli:direct#2", "cli:direct#3", "cli:direct#4"];
    let code = notes
        .into_iter()
        .find(|name| library.get(name).unwrap().is_some_and(|note| note.text.contains("1234")));
    library.forget(code.unwrap()).unwrap().unwrap();
    assert_eq!(last(), "The gate is green.");
    fs::write(dir.path().join(".louver/forgotten.json"), "{").unwrap();
    assert_eq!(last(), "");
}
