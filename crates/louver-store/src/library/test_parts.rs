//! Long messages and long lines, on a real workspace: found, expanded and forgotten in parts.

use std::fs;
use std::sync::Arc;

use louver_context::{Message, Role};
use tempfile::TempDir;

use super::tests::{library, places, say, words};
use super::*;
use crate::session::{Entry, Mode, Session};

const FACT: &str = "The plumber Zygmunt charges forty euros an hour.";
const QUESTION: &str = "How much does the plumber Zygmunt charge?";

/// So many bytes of sentences, no two of them alike.
fn filler(from: usize, bytes: usize) -> String {
    let mut text = String::new();
    for n in from.. {
        text.push_str(&format!("Entry {n} tells of ship {} in harbour {}. ", n * 7, n % 91));
        if text.len() > bytes {
            break;
        }
    }
    text
}

fn ask(library: &mut Library, in_view: &std::collections::HashSet<String>) -> Vec<Taken> {
    let asking = Asking { in_view, ..Asking::new(QUESTION, "cli:new", 200) };
    library.recall(&asking, &words).unwrap().taken
}

fn found(library: &mut Library) -> Option<Taken> {
    ask(library, &Default::default()).into_iter().find(|taken| taken.text.contains(FACT))
}

#[test]
fn what_lies_deep_in_a_long_line_is_found_with_its_surroundings() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    for deep in [150_000, 1_500_000] {
        let text = format!("{}{FACT} {}\n", filler(0, deep), filler(100_000, 200_000));
        fs::write(dir.path().join("memory/2026-03-10.md"), text).unwrap();
        let mut library = library(dir.path());
        let taken = found(&mut library).unwrap();
        assert!(taken.place.starts_with("memory/2026-03-10.md:1."), "{}", taken.place);
        assert_eq!(library.name_of(&taken.handle).unwrap(), Some(taken.place.clone()));
        let around = library.around(&taken.place, 1).unwrap();
        assert_eq!(around[1], library.get(&taken.place).unwrap().unwrap());
        let together: Vec<&str> = around.iter().map(|note| &*note.text).collect();
        assert!(together.join(" ").contains(FACT) && around.len() == 3);
        assert!(around.iter().all(|note| note.text.len() <= 4_000 && note.text.ends_with('.')));
    }
}

#[test]
fn a_long_message_is_found_to_its_end_unless_it_is_in_view() {
    let dir = TempDir::new().unwrap();
    let text = format!("{}{FACT}", filler(0, 400_000));
    say(dir.path(), "cli:direct", &text, "A long one.");
    let mut library = library(dir.path());
    let taken = found(&mut library).unwrap();
    assert!(taken.place.starts_with("cli:direct#2."), "{}", taken.place);
    // Its name is that of its beginning, and what follows it still follows.
    assert!(library.get("cli:direct#2").unwrap().unwrap().text.starts_with("Entry 0 "));
    let around = library.around(&taken.place, 1).unwrap();
    assert_eq!(around.last().map(|note| &*note.text), Some("A long one."));
    let message = Arc::new(Message::text(Role::User, text));
    let view = [Entry { id: 9, part: 0, said: Some([2, 2]), message }];
    let in_view = notes_in_view(dir.path(), "cli:direct", &view);
    assert!(ask(&mut library, &in_view).iter().all(|taken| !taken.place.contains("#2")));
    // Nothing is taken in twice.
    let (synced, _) = library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(synced, Synced::default());
}

#[test]
fn a_part_is_forgotten_alone_and_all_parts_by_the_name_of_the_whole() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    let long = format!("{}{FACT} {}", filler(0, 10_000), filler(1_000, 10_000));
    say(dir.path(), "cli:direct", &long, "A long one.");
    fs::write(dir.path().join("memory/2026-03-10.md"), format!("\n{long}\n\nAfter.\n")).unwrap();
    for (whole, others) in [("cli:direct#2", 2), ("memory/2026-03-10.md:2", 2)] {
        // The other one says the same.
        let other =
            if whole.starts_with("cli") { "memory/2026-03-10.md:2" } else { "cli:direct#2" };
        let mut library = library(dir.path());
        library.forget(other).unwrap().unwrap();
        let (all, part) = (library.len().unwrap(), found(&mut library).unwrap().place);
        assert!(part.starts_with(whole) && all > others + 2, "{part}");
        library.forget(&part).unwrap().unwrap();
        assert_eq!((found(&mut library), library.len().unwrap()), (None, all - 1));
        let gone = library.forget(whole).unwrap().unwrap();
        assert_eq!((gone.place.as_str(), library.len().unwrap()), (whole, others));
        // It stays so when the index is made again.
        drop(library);
        fs::remove_file(dir.path().join(".louver/recall.db")).unwrap();
        let mut library = self::library(dir.path());
        assert_eq!(library.len().unwrap(), others);
        // Each comes back as it went.
        assert_eq!(library.remember_again(whole).unwrap(), Some(0));
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        assert_eq!((found(&mut library), library.len().unwrap()), (None, all - 1));
        assert_eq!(library.remember_again(&part).unwrap(), Some(0));
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        assert!(found(&mut library).is_some());
        assert_eq!(library.remember_again(other).unwrap(), Some(0));
    }
}

#[test]
fn what_was_forgotten_before_it_was_cut_does_not_come_back() {
    let dir = TempDir::new().unwrap();
    let long = format!("{}{FACT} {}", filler(0, 200_000), filler(10_000, 100_000));
    say(dir.path(), "cli:direct", &long, "A long one.");
    let mut library = Library::open(dir.path()).unwrap();
    // As it was known when 256 KB of a message were one note.
    let note = Note {
        place: "cli:direct#2".into(),
        text: long[..256 * 1024].to_owned(),
        who: String::new(),
        voice: crate::notes::Voice::Person,
        time: None,
        trust: louver_context::Trust::Owner,
    };
    let old = Forgotten::of("cli:direct", &note, &[], super::holders::Holders::default());
    library.files.change_forgotten(|all| all.push(old)).unwrap();
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!((library.len().unwrap(), found(&mut library)), (1, None));
}

#[test]
fn a_part_that_is_forgotten_leaves_its_message_wherever_that_is_shown() {
    let dir = TempDir::new().unwrap();
    let long = format!("{}{FACT} {}", filler(0, 10_000), filler(1_000, 10_000));
    say(dir.path(), "cli:direct", &long, "A long one.");
    let fork = |key: &str| {
        let (from, _) = Session::open(dir.path(), "cli:direct", Mode::Read).unwrap();
        let (mut to, _) = Session::open(dir.path(), key, Mode::Write).unwrap();
        crate::export::fork(&from, &mut to, None).unwrap();
    };
    // How often the fact and its neighbours are in what is sent, was sent, is made memory of, searched and exported.
    let shown = |key: &str| {
        let (session, _) = Session::open(dir.path(), key, Mode::Read).unwrap();
        let text = |message: &Message| message.texts().map(|text| text.to_string()).collect();
        let mut all: Vec<String> = Vec::new();
        for view in [session.view().0, session.view_at(session.last()).unwrap()] {
            all.extend(view.messages.iter().map(|entry| -> String { text(&entry.message) }));
        }
        all.extend(session.spoken(0).unwrap().iter().map(|said| -> String { text(&said.message) }));
        all.extend(crate::export::everything(&session).into_iter().map(|(.., words)| words));
        all.push(crate::export::nanobot(&session).unwrap());
        let times = |what: &str| all.iter().filter(|text| text.contains(what)).count();
        [FACT, "Entry 0 tells", "Entry 1200 tells", "[this part of the message was"].map(times)
    };
    fork("cli:before");
    let mut library = library(dir.path());
    let part = found(&mut library).unwrap().place;
    assert_eq!(shown("cli:direct"), [5, 5, 5, 0]);
    library.forget(&part).unwrap().unwrap();
    fork("cli:after");
    for key in ["cli:direct", "cli:before", "cli:after"] {
        assert_eq!(shown(key), [0, 5, 5, 5], "{key}");
    }
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(found(&mut library), None);
    assert_eq!(library.remember_again(&part).unwrap(), Some(0));
    assert_eq!(shown("cli:after"), [5, 5, 5, 0]);
}

#[test]
fn a_long_paragraph_is_forgotten_wherever_it_is_wrapped() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    let day = dir.path().join("memory/2026-03-10.md");
    let wrapped = |text: &str, column: usize| {
        let (mut out, mut wide) = (String::new(), 0);
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let fits = wide > 0 && wide + 1 + word.len() <= column;
            out.push_str(if fits { " " } else { "\n" });
            wide = if fits { wide + 1 + word.len() } else { word.len() };
            out.push_str(word);
        }
        out.split_off(1)
    };
    let tells = |library: &mut Library| {
        let taken = ask(library, &Default::default());
        taken.iter().any(|taken| taken.text.contains("Zygmunt"))
    };
    for (bytes, parts) in [(2_600, 1), (12_000, 4)] {
        let text = format!("{}{FACT} {}", filler(0, bytes / 2), filler(1_000, bytes / 2));
        // A line that begins with "1." would be an item.
        let text = text.replace("harbour ", "harbour N");
        let write = |column: usize| {
            let text = format!("# Trip\n\n{}\n\nAfter.\n", wrapped(&text, column));
            fs::write(&day, &text).unwrap();
            text
        };
        write(100);
        let mut library = library(dir.path());
        assert_eq!(library.len().unwrap(), parts + 1);
        assert!(tells(&mut library));
        library.forget("memory/2026-03-10.md:3").unwrap().unwrap();
        assert_eq!(library.len().unwrap(), 1);
        for column in [72, 60, 100_000] {
            let text = write(column);
            library.sync(&places(dir.path()), &mut |_| {}).unwrap();
            assert_eq!((library.len().unwrap(), tells(&mut library)), (1, false), "{column}");
            let gone = unshown::Unshown::of(dir.path()).in_text("memory/2026-03-10.md", &text);
            assert!(!unshown::blanked(&text, &gone).contains("Zygmunt"));
        }
        assert_eq!(library.remember_again("memory/2026-03-10.md:3").unwrap(), Some(0));
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        assert!(tells(&mut library));
    }
}
