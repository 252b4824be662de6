//! Folders that come, change and go, on a real workspace.

use std::collections::HashSet;
use std::fs;

use tempfile::TempDir;

use super::tests::{library, places, recall, say};
use super::*;
use crate::disk::Folder;
use crate::notes::Places;

#[test]
fn gaps_are_closed_and_nothing_else_is_different() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    say(dir.path(), "cli:direct", "The boiler was repaired by Tomek.", "Noted.");
    let places =
        || Places { documents: vec![Folder::open(kb.path()).unwrap()], ..places(dir.path()) };
    let write = |round: usize| {
        let lines: Vec<String> = (0..60)
            .map(|n| {
                format!(
                    "The {} number {n} is {} in round {}.",
                    ["gate", "ladder", "boat"][n % 3],
                    ["green", "new"][n % 2],
                    if n % 10 == 0 { 0 } else { round }
                )
            })
            .collect();
        fs::write(kb.path().join("list.md"), lines.join("\n\n")).unwrap();
    };
    let (mut library, mut other) = (library(dir.path()), Library::open(dir.path()).unwrap());
    for round in 0..5 {
        write(round);
        library.sync(&places(), &mut |_| {}).unwrap();
    }
    loop {
        let batch = library.unsensed("m", 7).unwrap();
        let senses: Vec<Sense> = batch
            .texts()
            .iter()
            .map(|text| Sense::new("m", vec![text.len() as f32, 1.0]))
            .collect();
        if senses.is_empty() {
            break;
        }
        library.give_senses(&batch, &senses).unwrap();
    }
    let questions =
        ["Who repaired the boiler?", "Which ladder is green?", "number 42?", "What is in round 4?"];
    let seen = |library: &mut Library| {
        let answers: Vec<Vec<String>> =
            questions.iter().map(|text| recall(library, "cli:x", false, text)).collect();
        let first = format!("{}:1", kb.path().canonicalize().unwrap().join("list.md").display());
        let around = library.around(&first, 100).unwrap();
        (answers, around, library.len().unwrap(), library.sensed("m").unwrap())
    };
    let before = seen(&mut library);
    assert_eq!(seen(&mut other), before);
    let next = |library: &Library| Facts::read(&library.db).unwrap().next_place;
    let places_before = next(&library);
    library.close_gaps_from(u32::MAX).unwrap();
    assert_eq!(next(&library), places_before, "few gaps are left alone");
    library.close_gaps_from(1).unwrap();
    assert_eq!(u64::from(next(&library)), before.2 + 1);
    for library in [&mut library, &mut other] {
        assert_eq!(seen(library), before);
    }
    assert!(library.unsensed("m", 7).unwrap().texts().is_empty());
    // And everything goes on, in both.
    write(9);
    other.sync(&places(), &mut |_| {}).unwrap();
    library.forget("cli:direct#2").unwrap().unwrap();
    let ladders = recall(&mut library, "cli:x", false, "Which ladder is in round 9?");
    assert!(ladders[..3].iter().all(|text| text.contains("ladder") && text.contains("round 9")));
    assert_eq!(recall(&mut other, "cli:x", false, "Which ladder is in round 9?"), ladders);
}

#[test]
fn two_who_name_different_folders_leave_each_others_notes_alone() {
    let (dir, one, two) =
        (TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::write(one.path().join("a.md"), "The gate is green.\n\nThe code is 1234.\n").unwrap();
    fs::write(two.path().join("b.md"), "The harbour gate is blue.\n").unwrap();
    let with = |folder: &TempDir| {
        let documents = vec![Folder::open(folder.path()).unwrap()];
        Places { documents, ..places(dir.path()) }
    };
    let (mut first, mut second) =
        (Library::open(dir.path()).unwrap(), Library::open(dir.path()).unwrap());
    let code = format!("{}:3", one.path().canonicalize().unwrap().join("a.md").display());
    for round in 0..3 {
        let (done, _) = first.sync(&with(&one), &mut |_| {}).unwrap();
        assert_eq!((done.added, done.removed), (if round == 0 { 2 } else { 0 }, 0));
        let (done, _) = second.sync(&with(&two), &mut |_| {}).unwrap();
        assert_eq!((done.added, done.removed), (if round == 0 { 1 } else { 0 }, 0));
        assert_eq!(recall(&mut first, "cli:x", false, "Which gate?"), ["The gate is green."]);
        assert_eq!(
            recall(&mut second, "cli:x", false, "Which gate?"),
            ["The harbour gate is blue."]
        );
    }
    assert_eq!((first.waiting().unwrap(), second.waiting().unwrap()), (1, 2));
    assert!(first.may_know(&code, "cli:x", false).unwrap());
    assert!(!second.may_know(&code, "cli:x", false).unwrap());
    // What one forgets stays forgotten, whoever looks next.
    first.forget(&code).unwrap().unwrap();
    second.sync(&with(&two), &mut |_| {}).unwrap();
    first.sync(&with(&one), &mut |_| {}).unwrap();
    assert!(first.get(&code).unwrap().is_none());
    assert_eq!(second.remove_waiting(&mut |_| {}).unwrap().removed, 1);
    assert_eq!(second.len().unwrap(), 1);
}

#[test]
fn what_waits_is_not_given_to_a_sentence_model() {
    let (dir, one, two) =
        (TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::write(one.path().join("a.md"), "The gate is green.\n\nThe code is 1234.\n").unwrap();
    fs::write(two.path().join("b.md"), "The harbour is blue.\n\nThe boat is new.\n").unwrap();
    let with = |folder: &TempDir| {
        let documents = vec![Folder::open(folder.path()).unwrap()];
        Places { documents, ..places(dir.path()) }
    };
    let mut library = Library::open(dir.path()).unwrap();
    library.sync(&with(&one), &mut |_| {}).unwrap();
    let all = |library: &mut Library| {
        let mut given = Vec::new();
        loop {
            let batch = library.unsensed("m", 1).unwrap();
            let Some(text) = batch.texts().first() else { return given };
            given.push(text.clone());
            library.give_senses(&batch, &[Sense::new("m", vec![1.0, 2.0])]).unwrap();
        }
    };
    library.sync(&with(&two), &mut |_| {}).unwrap();
    assert_eq!(all(&mut library), ["The harbour is blue.", "The boat is new."]);
    assert!(all(&mut Library::open(dir.path()).unwrap()).len() == 2, "nobody said what is named");
    library.sync(&with(&one), &mut |_| {}).unwrap();
    assert!(all(&mut library).is_empty());
    assert_eq!(library.sensed("m").unwrap(), 4);
}

#[test]
fn a_folder_that_is_away_takes_nothing_with_it() {
    let (dir, documents) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::write(documents.path().join("Passport renewal.md"), "# Todo\n\nCall the office.\n")
        .unwrap();
    let mut there = places(dir.path());
    there.documents.push(Folder::open(documents.path()).unwrap());
    let mut library = Library::open(dir.path()).unwrap();
    library.sync(&there, &mut |_| {}).unwrap();
    // A file is found by what it is called, too.
    assert_eq!(recall(&mut library, "cli:x", false, "passport renewal?"), ["Call the office."]);
    let mut away = places(dir.path());
    away.away.push(documents.path().to_owned());
    library.sync(&away, &mut |_| {}).unwrap();
    assert_eq!(library.len().unwrap(), 1);
    assert_eq!(library.waiting().unwrap(), 0);
    // What is no longer named at all waits.
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    assert_eq!(library.waiting().unwrap(), 1);
    let none: [&str; 0] = [];
    assert_eq!(recall(&mut library, "cli:x", false, "passport renewal?"), none);
}

#[test]
fn a_folder_in_which_nothing_is_left_is_told_of_once() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (list, other) = (kb.path().join("list.md"), kb.path().join("other.md"));
    for file in [&list, &other] {
        fs::write(file, "Call the passport office.\n").unwrap();
    }
    let with = Places { documents: vec![Folder::open(kb.path()).unwrap()], ..places(dir.path()) };
    let mut library = library(dir.path());
    let mut told = || {
        let (_, problems) = library.sync(&with, &mut |_| {}).unwrap();
        let what: Vec<String> = problems.into_iter().map(|problem| problem.what).collect();
        (what, library.len().unwrap())
    };
    let nothing: Vec<String> = Vec::new();
    assert_eq!(told(), (nothing.clone(), 2));
    fs::remove_file(&other).unwrap();
    assert_eq!(told(), (nothing.clone(), 1));
    fs::remove_file(&list).unwrap();
    let what = "no text file is left in it, so what it had is not recalled".to_owned();
    assert_eq!(told(), (vec![what], 0));
    assert_eq!(told(), (nothing, 0));
}

#[test]
fn tidying_gives_the_room_back_and_nothing_else_is_different() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    say(dir.path(), "cli:direct", "The boiler was repaired by Tomek.", "Noted.");
    let text: String =
        (0..3_000).map(|n| format!("Ladder {n} leans at wall {}.\n\n", n * 7)).collect();
    fs::write(kb.path().join("list.md"), text).unwrap();
    let mut library = library(dir.path());
    let with = Places { documents: vec![Folder::open(kb.path()).unwrap()], ..places(dir.path()) };
    library.sync(&with, &mut |_| {}).unwrap();
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    let mut other = Library::open(dir.path()).unwrap();
    let asked = |library: &mut Library| recall(library, "cli:x", false, "Who repaired the boiler?");
    let before = asked(&mut other);
    let size = || fs::metadata(dir.path().join(".louver/recall.db")).unwrap().len();
    library.scrub().unwrap();
    let (large, mut seen) = (size(), Vec::new());
    let done = library.remove_waiting(&mut |at| seen.push(at.doing)).unwrap();
    assert_eq!((done.removed, seen.last()), (3_000, Some(&Doing::Packing)));
    assert!(size() * 2 < large, "{} of {large}", size());
    assert_eq!((asked(&mut library), asked(&mut other)), (before.clone(), before));
    // Nobody waits for one who writes.
    library.sync(&with, &mut |_| {}).unwrap();
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    other.db.execute_batch("BEGIN IMMEDIATE").unwrap();
    library.pack().unwrap();
    other.db.execute_batch("COMMIT").unwrap();
    assert_eq!(library.waiting().unwrap(), 3_000);
}

#[test]
fn files_are_read_however_deep_they_lie() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let deep = kb.path().join(["below"; 40].join("/"));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("a.md"), "The gate is green.\n").unwrap();
    // A loop is no folder.
    std::os::unix::fs::symlink(kb.path(), deep.join("again")).unwrap();
    let mut library = Library::open(dir.path()).unwrap();
    let with = Places { documents: vec![Folder::open(kb.path()).unwrap()], ..places(dir.path()) };
    let (done, problems) = library.sync(&with, &mut |_| {}).unwrap();
    assert_eq!((done.added, problems), (1, Vec::new()));
}

#[test]
fn what_waits_does_not_count() {
    let kb = TempDir::new().unwrap();
    let more: String = (0..300)
        .map(|n| {
            format!("The boiler {n} was repaired by Ada, and the sister of number {n} too.\n\n")
        })
        .collect();
    fs::write(kb.path().join("list.md"), more).unwrap();
    let memory = "- The boiler was repaired by Tomek.\n- My sister Ada lives in Porto.\n- The cat is Miso.\n\
                  - Tomek has a ladder.\n- The rent is 1,150 euros a month.\n";
    let with_memory = || {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("MEMORY.md"), memory).unwrap();
        dir
    };
    let (fresh, dir) = (with_memory(), with_memory());
    let mut alone = library(fresh.path());
    let mut library = Library::open(dir.path()).unwrap();
    let with =
        || Places { documents: vec![Folder::open(kb.path()).unwrap()], ..places(dir.path()) };
    let ask = |library: &mut Library, text: &str| {
        let in_view = std::collections::HashSet::new();
        let (now, session, others) = (None, "cli:x", false);
        let asking = Asking { now, others, in_view: &in_view, ..Asking::new(text, session, 200) };
        library.recall(&asking, &super::tests::words).unwrap()
    };
    let questions = [
        "Who repaired the boiler?",
        "Where does my sister live?",
        "numbers",
        "Ada",
        "Tomeks ladder",
    ];
    for _ in 0..2 {
        library.sync(&with(), &mut |_| {}).unwrap();
        assert!(ask(&mut library, "number 42").taken[0].text.contains("42"));
        library.sync(&places(dir.path()), &mut |_| {}).unwrap();
        assert_eq!(library.waiting().unwrap(), 300);
        for question in questions {
            assert_eq!(ask(&mut library, question), ask(&mut alone, question), "{question}");
        }
    }
}

#[test]
fn what_waits_does_not_count_when_gaps_were_closed() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::write(dir.path().join("MEMORY.md"), "- The boiler is Tomek's.\n- The cat is Miso.\n")
        .unwrap();
    let mut library = Library::open(dir.path()).unwrap();
    for round in 0..3 {
        let more: Vec<String> = (0..20).map(|n| format!("The boiler {n} of {round}.")).collect();
        fs::write(kb.path().join("list.md"), more.join("\n\n")).unwrap();
        let documents = vec![Folder::open(kb.path()).unwrap()];
        library.sync(&Places { documents, ..places(dir.path()) }, &mut |_| {}).unwrap();
    }
    library.sync(&places(dir.path()), &mut |_| {}).unwrap();
    let counted = |library: &mut Library| {
        library.look_around().unwrap();
        library.known.words.waiting.without(&library.known.seen).notes
    };
    assert_eq!(counted(&mut library), 2);
    library.close_gaps_from(1).unwrap();
    assert_eq!(Facts::read(&library.db).unwrap().next_place, 23);
    assert_eq!(counted(&mut library), 2);
}

#[test]
fn what_two_pages_say_alike_is_said_of_two_things() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let pages = ["Anna", "Yuki", "Ravi", "Paul"];
    for (name, month) in pages.iter().zip(1..) {
        let text = format!(
            "---\ncreated: 2025-0{month}-01\n---\n# {name}\n\n- Drinks espresso.\n- Weight is 6{month} kg.\n"
        );
        fs::write(kb.path().join(format!("{name}.md")), text).unwrap();
    }
    for (thing, day) in ["kayak", "lamp", "map"].iter().zip(1..) {
        let text = format!("# Log\n\n- Bought a {thing} at the flea market.\n");
        fs::write(kb.path().join(format!("2026-03-0{day}.md")), text).unwrap();
    }
    let places = Places { documents: vec![Folder::open(kb.path()).unwrap()], ..places(dir.path()) };
    let mut library = library(dir.path());
    library.sync(&places, &mut |_| {}).unwrap();
    let mut ask = |text: &str| {
        let in_view = HashSet::new();
        let asking = Asking { in_view: &in_view, ..Asking::new(text, "cli:x", 500) };
        library.recall(&asking, &|text| text.len().div_ceil(4) as u32).unwrap().taken
    };
    let first = &ask("What does Anna drink?")[0];
    assert!((&*first.who, &*first.text) == ("Anna", "- Drinks espresso."), "{first:?}");
    let drinkers =
        ask("Who drinks espresso?").into_iter().filter(|taken| taken.text.contains("espresso"));
    assert_eq!(drinkers.count(), pages.len());
    let first = &ask("How heavy is Anna?")[0];
    assert!(first.who == "Anna" && first.newer.is_none(), "{first:?}");
    let bought = ask("What did I buy at the flea market?");
    let bought: Vec<_> = bought.iter().filter(|taken| taken.text.contains("Bought")).collect();
    assert!(bought.len() == 3 && bought.iter().all(|taken| taken.newer.is_none()), "{bought:?}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_as_the_person_finds_it() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let kb = kb.path().canonicalize().unwrap();
    fs::create_dir(kb.join("garden")).unwrap();
    fs::write(kb.join("garden/a.md"), "The gate is green.").unwrap();
    let places = Places { documents: vec![Folder::open(&kb).unwrap()], ..places(dir.path()) };
    let listing = places.sources(&mut Vec::new());
    fs::remove_dir_all(kb.join("garden")).unwrap();
    let problem = places.read(&listing.sources[0], None).unwrap_err();
    assert_eq!(problem.path, kb.join("garden/a.md").display().to_string());
    fs::remove_dir(&kb).unwrap();
    fs::write(&kb, "").unwrap();
    let mut problems = Vec::new();
    places.sources(&mut problems);
    let names: Vec<&str> = problems.iter().map(|problem| &*problem.path).collect();
    assert!(names.iter().all(|name| name.starts_with(&*kb.display().to_string())), "{names:?}");
}

#[test]
fn a_heading_goes_with_the_last_note_below_it() {
    let (dir, kb) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let write = |name: &str, text: &str| fs::write(kb.path().join(name), text).unwrap();
    let named =
        || Places { documents: vec![Folder::open(kb.path()).unwrap()], ..places(dir.path()) };
    let names = |library: &Library| -> Vec<(String, u32)> {
        let mut found = library.db.prepare("SELECT name, notes FROM people ORDER BY name").unwrap();
        let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    let is = |all: &[(&str, u32)]| -> Vec<(String, u32)> {
        all.iter().map(|(name, notes)| ((*name).to_owned(), *notes)).collect()
    };
    write("a.md", "# Zebra\n\nA lamp.\n\nA door.\n");
    write("b.md", "# Zebra\n\nA roof.\n\n# Heron\n\nA pond.\n");
    let mut library = Library::open(dir.path()).unwrap();
    let sync = |library: &mut Library, places: Places| {
        library.sync(&places, &mut |_| {}).unwrap();
    };
    sync(&mut library, named());
    assert_eq!(names(&library), is(&[("Heron", 1), ("Zebra", 3)]));
    let pond = format!("{}:7", kb.path().canonicalize().unwrap().join("b.md").display());
    library.forget(&pond).unwrap().unwrap();
    assert_eq!(names(&library), is(&[("Zebra", 3)]));
    write("b.md", "# Otter\n\nA roof.\n");
    sync(&mut library, named());
    assert_eq!(names(&library), is(&[("Otter", 1), ("Zebra", 2)]));
    fs::remove_file(kb.path().join("a.md")).unwrap();
    sync(&mut library, named());
    assert_eq!(names(&library), is(&[("Otter", 1)]));
    // Another who looked before does not take the next name for one of those.
    write("a.md", "# Ibis\n\nA lamp.\n");
    let mut other = Library::open(dir.path()).unwrap();
    sync(&mut other, named());
    let who: Vec<u32> = {
        let mut found = other.db.prepare("SELECT id FROM people ORDER BY id").unwrap();
        found.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(who, [3, 4]);
    sync(&mut library, places(dir.path()));
    library.remove_waiting(&mut |_| {}).unwrap();
    assert_eq!(names(&library), []);
}

#[test]
fn a_file_is_called_by_its_way_from_its_folder_and_known_by_that() {
    let (dir, kb, other) =
        (TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap());
    let folders = [kb.path().join("kb"), other.path().join("kb")];
    for folder in &folders {
        fs::create_dir_all(folder.join("trips")).unwrap();
    }
    let text = "# Trips\n\n## Islands\n\n### Boats that go there in winter and in summer\n\nThe ferry to Arran leaves at 9:45.\n";
    fs::write(folders[0].join("trips/arran.md"), text).unwrap();
    let called = |folders: &[&std::path::Path]| {
        let documents = folders.iter().map(|folder| Folder::open(folder).unwrap()).collect();
        let mut library = library(dir.path());
        library.sync(&Places { documents, ..places(dir.path()) }, &mut |_| {}).unwrap();
        let asking = Asking::new("When does the ferry to Arran leave?", "cli:x", 500);
        let count = |text: &str| text.len().div_ceil(4) as u32;
        let recalled = library.recall(&asking, &count).unwrap();
        let note = &recalled.notes()[0];
        let named = library.name_of("kb/trips/arran.md:7").unwrap();
        assert_eq!(library.name_of("kb/trips/arran.md").unwrap(), None);
        let first = ["kb/trips/arran.md", &note.source].map(|file| library.first_of(file).unwrap());
        (note.source.to_string(), note.who.clone(), [named, first[0].clone(), first[1].clone()])
    };
    let full = folders[0].canonicalize().unwrap().join("trips/arran.md");
    let first = Some(format!("{}:7", full.display()));
    let (source, who, named) = called(&[&folders[0]]);
    assert_eq!(source, "kb/trips/arran.md");
    assert_eq!(who, "Trips › … › Boats that go there in winter and in summer");
    assert_eq!(named, [first.clone(), first.clone(), first.clone()]);
    // Of two folders of one name each file has its whole way.
    let (source, _, named) = called(&[&folders[0], &folders[1]]);
    assert_eq!(source, full.display().to_string());
    assert_eq!(named, [first.clone(), first.clone(), first]);
}

#[test]
fn no_file_of_a_folder_is_called_like_the_memory_of_the_workspace() {
    let kb = TempDir::new().unwrap();
    let folder = kb.path().join("memory");
    fs::create_dir(&folder).unwrap();
    let places = Places {
        documents: vec![Folder::open(&folder).unwrap()],
        ..places(TempDir::new().unwrap().path())
    };
    let full = |name: &str| folder.canonicalize().unwrap().join(name).display().to_string();
    let folders = places.folders();
    assert_eq!(folders.brief(&full("trips.md")), "memory/trips.md");
    for name in ["MEMORY.md", "2026-01-05.md"] {
        assert_eq!(folders.brief(&full(name)), full(name));
    }
}
