//! Where notes come from, on a real workspace.

use std::fs;
use std::path::Path;

use louver_context::{Message, Role};
use tempfile::TempDir;

use super::*;
use crate::session::event::{Event, Reply, Said, Sent, Undo};
use crate::session::{Durability, Mode, Session};

fn places(workspace: &Path, documents: &[&Path]) -> Places {
    Places {
        folder: Folder::open(workspace).unwrap(),
        documents: documents.iter().map(|path| Folder::open(path).unwrap()).collect(),
        away: Vec::new(),
        owner: Owner::default(),
    }
}

fn say(workspace: &Path, key: &str, asked: &str, answered: &str) {
    let (mut session, _) = Session::open(workspace, key, Mode::Write).unwrap();
    let said = Event::Said(Said { text: asked.into(), ..Said::default() });
    let message = session.keep(&Message::text(Role::Assistant, answered)).unwrap();
    let reply = Event::Reply(Reply { message, ..Reply::default() });
    session.append_all(&[said, reply], Durability::Process).unwrap();
}

fn read(places: &Places, name: &str, before: Option<&str>) -> (Source, Held) {
    let sources = places.sources(&mut Vec::new()).sources;
    let source = sources.into_iter().find(|source| source.name == name).unwrap();
    let held = places.read(&source, before).unwrap();
    (source, held)
}

fn texts(held: &Held) -> Vec<&str> {
    held.notes.iter().map(|note| &*note.text).collect()
}

#[test]
fn a_session_is_read_from_where_it_ended() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "I ride a red bike", "Nice.");
    let places = places(dir.path(), &[]);
    let (first, held) = read(&places, "cli:direct", None);
    assert_eq!((texts(&held), held.more), (vec!["I ride a red bike", "Nice."], false));
    assert_eq!((&*held.notes[0].place, first.scope.as_str()), ("cli:direct#2", ""));
    say(dir.path(), "cli:direct", "It broke", "Sorry.");
    let (_, held) = read(&places, "cli:direct", Some(&first.stamp));
    assert_eq!((texts(&held), held.more), (vec!["It broke", "Sorry."], true));
}

#[test]
fn what_was_taken_back_is_no_note() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "one", "1");
    let places = places(dir.path(), &[]);
    let (first, _) = read(&places, "cli:direct", None);
    say(dir.path(), "cli:direct", "two", "2");
    let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
    let undo = Undo { to: 3, ..Undo::default() };
    session.append(&Event::Undo(undo), Durability::Process).unwrap();
    drop(session);
    let (_, held) = read(&places, "cli:direct", Some(&first.stamp));
    assert_eq!((texts(&held), held.more), (vec!["one", "1"], false));
}

#[test]
fn what_could_not_be_sent_is_no_note() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "one", "1");
    let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
    let said = Said { text: "far too long".into(), ..Said::default() };
    let n = session.append(&Event::Said(said), Durability::Process).unwrap();
    drop(session);
    let places = places(dir.path(), &[]);
    let (first, held) = read(&places, "cli:direct", None);
    assert_eq!(texts(&held).len(), 3);
    let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
    let refused = Sent { said: vec![n], ..Sent::default() };
    session.append(&Event::Sent(refused), Durability::Process).unwrap();
    drop(session);
    for before in [None, Some(&*first.stamp)] {
        assert_eq!(texts(&read(&places, "cli:direct", before).1), ["one", "1"]);
    }
}

#[test]
fn another_persons_chat_has_a_scope_of_its_own() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "telegram:42", "hello", "hi");
    let (source, _) = read(&places(dir.path(), &[]), "telegram:42", None);
    assert_eq!(source.scope, "telegram:42");
}

#[test]
fn a_subagents_report_is_not_something_a_person_said() {
    let dir = TempDir::new().unwrap();
    let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
    let mut said = Said { text: "The subagent is done".into(), ..Said::default() };
    said.extra.insert("cause".into(), "subagent".into());
    session.append(&Event::Said(said), Durability::Process).unwrap();
    drop(session);
    let (_, held) = read(&places(dir.path(), &[]), "cli:direct", None);
    assert!(held.notes.is_empty());
}

#[test]
fn memory_history_days_and_documents_are_sources() {
    let dir = TempDir::new().unwrap();
    let docs = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    fs::write(dir.path().join("memory/MEMORY.md"), "# Me\n- likes tea\n- has a cat\n\n## Open\n")
        .unwrap();
    let history =
        "# History\n\n[2026-03-09 10:00] They met Ada.\n\n[2026-03-10 11:30] They left.\n\n";
    fs::write(dir.path().join("memory/HISTORY.md"), history).unwrap();
    fs::write(dir.path().join("memory/2026-03-10.md"), "rain\n").unwrap();
    fs::create_dir(docs.path().join("deep")).unwrap();
    fs::write(docs.path().join("deep/house.md"), "The key is at Ada's.\n").unwrap();
    fs::write(docs.path().join("photo.png"), "no text").unwrap();
    let places = places(dir.path(), &[docs.path()]);
    let sources = places.sources(&mut Vec::new()).sources;
    assert_eq!(sources.len(), 4, "{sources:?}");
    let (_, memory) = read(&places, "memory/MEMORY.md", None);
    // A section that nothing is in says nothing.
    assert_eq!(texts(&memory), ["- likes tea", "- has a cat"]);
    assert_eq!((&*memory.notes[1].who, &*memory.notes[1].place), ("Me", "memory/MEMORY.md:3"));
    let (_, history) = read(&places, "memory/HISTORY.md", None);
    assert_eq!(texts(&history), ["They met Ada.", "They left."]);
    assert_eq!(
        history.notes[1].time.map(|time| time.clock().to_string()).as_deref(),
        Some("2026-03-10T11:30:00")
    );
    let (_, day) = read(&places, "memory/2026-03-10.md", None);
    assert_eq!(
        day.notes[0].time.map(|time| time.clock().date().to_string()).as_deref(),
        Some("2026-03-10")
    );
    let name = docs.path().canonicalize().unwrap().join("deep/house.md").display().to_string();
    let (_, house) = read(&places, &name, None);
    assert_eq!(house.notes[0].place, format!("{name}:1"));
}

#[test]
fn what_stands_below_a_day_is_of_that_day() {
    let (dir, docs) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let text = "---\ndate: 3 May 2026\n---\nAt first.\n\n# Log\n\n## 2026-05-09\n\n- Sold the canoe.\n\n\
                ### Evening\n\nRain.\n\n## 10 May\n\nSun.\n\n# Later\n\n11 May 2026:\n\n- one\n- two\n\nAt last.\n";
    fs::write(docs.path().join("log.md"), text).unwrap();
    let name = docs.path().canonicalize().unwrap().join("log.md").display().to_string();
    let (_, held) = read(&places(dir.path(), &[docs.path()]), &name, None);
    let day = |note: &Note| note.time.map_or(0, |time| time.clock().day());
    let days: Vec<_> = held.notes.iter().map(|note| (day(note), &*note.text)).collect();
    let expected = [
        (3, "At first."),
        (9, "- Sold the canoe."),
        (9, "Rain."),
        (10, "Sun."),
        (11, "- one"),
        (11, "- two"),
        (3, "At last."),
    ];
    assert_eq!(days, expected);
}

#[test]
fn the_title_of_the_frontmatter_stands_above_every_heading() {
    let (dir, docs) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let text = "---\ntitle: The kiln\n---\nBought.\n\nParts:\n\n- belt\n- manual\n\n# Care\n\nOil it.\n\n# the Kiln\n\nHot.\n";
    fs::write(docs.path().join("a.md"), text).unwrap();
    let name = docs.path().canonicalize().unwrap().join("a.md").display().to_string();
    let (_, held) = read(&places(dir.path(), &[docs.path()]), &name, None);
    let above: Vec<&str> = held.notes.iter().map(|note| &*note.who).collect();
    let parts = "The kiln › Parts";
    assert_eq!(above, ["The kiln", parts, parts, "The kiln › Care", "the Kiln"]);
}

#[test]
fn what_was_sent_with_a_message_is_no_part_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let runtime = "[Runtime Context]\nCurrent Time: 2026-02-25 18:30 (Wednesday)\nChannel: cli";
    let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
    let said = |text: String| Event::Said(Said { text, ..Said::default() });
    let all = [
        said(format!("Our cat is called Miso.\n\n{runtime}")),
        said(format!("{runtime}\n\nShe is six.")),
        said(runtime.to_owned()),
        said("I wrote [Runtime Context] into the manual.".to_owned()),
    ];
    session.append_all(&all, Durability::Process).unwrap();
    drop(session);
    let (_, held) = read(&places(dir.path(), &[]), "cli:direct", None);
    let own = "I wrote [Runtime Context] into the manual.";
    assert_eq!(texts(&held), ["Our cat is called Miso.", "She is six.", own]);
}

#[test]
fn a_memory_that_cannot_be_looked_at_may_be_there() {
    let dir = TempDir::new().unwrap();
    let listing = || {
        let mut problems = Vec::new();
        (places(dir.path(), &[]).sources(&mut problems), problems)
    };
    assert_eq!(listing(), (Listing::default(), Vec::new()));
    // A link that leads to itself refuses everyone, the administrator too.
    let memory = dir.path().join("memory");
    std::os::unix::fs::symlink(&memory, &memory).unwrap();
    let (found, problems) = listing();
    assert!(found.may_have("memory/MEMORY.md") && !found.may_have("notes.md"), "{found:?}");
    assert_eq!(problems.len(), 1, "{problems:?}");
    fs::remove_file(&memory).unwrap();
    fs::create_dir(&memory).unwrap();
    let day = memory.join("2026-03-10.md");
    std::os::unix::fs::symlink(&day, &day).unwrap();
    let (found, problems) = listing();
    assert_eq!((&*found.unseen, problems.len()), (&["memory/2026-03-10.md".to_owned()][..], 1));
}

#[test]
fn of_a_file_that_is_too_long_the_rest_is_told_and_a_history_is_read_from_its_end() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    let entry = |n: usize| format!("[2026-03-09 10:{n}] {} {n}\n\n", "they met ".repeat(120_000));
    let text: String = (10..30).map(entry).collect();
    for name in ["HISTORY.md", "2026-03-10.md"] {
        fs::write(dir.path().join("memory").join(name), &text).unwrap();
    }
    let places = places(dir.path(), &[]);
    let mut problems = Vec::new();
    places.sources(&mut problems);
    let told: Vec<String> = problems.iter().map(Problem::to_string).collect();
    let expected = [
        "memory/HISTORY.md: it has 21 MB, of which the last 16 are recalled",
        "memory/2026-03-10.md: it has 21 MB, of which the first 16 are recalled",
    ];
    assert_eq!(told, expected);
    let (_, held) = read(&places, "memory/HISTORY.md", None);
    let (first, last) = (&held.notes[0], &held.notes[held.notes.len() - 1]);
    assert!(last.text.ends_with("met  29") && last.place.ends_with(":39"), "{}", last.place);
    let line = text.lines().position(|line| line.contains(&*first.text)).unwrap();
    assert_eq!(first.place, format!("memory/HISTORY.md:{}", line + 1));
    assert!(first.text.starts_with("they met") && held.notes.len() == 15, "{}", held.notes.len());
}

#[test]
fn a_session_that_is_called_like_a_file_does_not_take_its_place() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let page = kb.path().canonicalize().unwrap().join("a.md").display().to_string();
    fs::create_dir_all(dir.path().join("memory")).unwrap();
    fs::create_dir_all(dir.path().join("kb")).unwrap();
    fs::write(dir.path().join("memory/MEMORY.md"), "- The gate is green.\n").unwrap();
    for file in [&page, &dir.path().join("kb/b.md").display().to_string()] {
        fs::write(file, "The roof leaks.\n").unwrap();
    }
    // There is no file of that day yet.
    let keys = ["memory/MEMORY.md", "memory/2026-03-10.md", &page, "kb/b.md"];
    keys.iter().for_each(|key| say(dir.path(), key, "A lamp.", "Noted."));
    let root = dir.path().canonicalize().unwrap();
    let places = places(dir.path(), &[kb.path(), &root]);
    let mut problems = Vec::new();
    let listing = places.sources(&mut problems);
    let mut named: Vec<(&str, bool)> = listing
        .sources
        .iter()
        .map(|source| (&*source.name, matches!(source.kind, SourceKind::Session(_))))
        .collect();
    named.sort_unstable();
    // A session in the name of which there is nothing of the kind hides no file either.
    let inside = format!("{}/kb/b.md", root.display());
    let mut expected =
        [("memory/MEMORY.md", false), (&*page, false), ("kb/b.md", true), (&*inside, false)];
    expected.sort_unstable();
    assert_eq!(named, expected);
    let mut told: Vec<&str> = problems.iter().map(|problem| &*problem.path).collect();
    told.sort_unstable();
    let mut left_out = [keys[0], keys[1], keys[2]];
    left_out.sort_unstable();
    assert_eq!(told, left_out);
    let (_, held) = read(&places, "memory/MEMORY.md", None);
    assert_eq!(texts(&held), ["- The gate is green."]);
}
