//! The library: the same answers as the index in memory, and nothing lost whatever happens.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use jiff::civil::date;
use louver_context::Trust;
use louver_recall::index::Index;
use louver_recall::note::{Note, Voice};
use louver_recall::question::Question;
use louver_recall::recall::recall;
use louver_store::recall::{Change, Entry, Library, Locator, May, Scopes};
use tempfile::TempDir;

fn workspace() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn count(text: &str) -> u32 {
    text.len().div_ceil(4) as u32
}

fn event(text: &str, number: u64) -> Entry {
    Entry {
        text: text.into(),
        who: "user".into(),
        voice: Voice::Person,
        session: "talk".into(),
        at: Some(
            date(2024, 1, 1)
                .at(0, 0, 0, 0)
                .checked_add(jiff::Span::new().minutes(number as i64))
                .unwrap(),
        ),
        trust: Trust::Owner,
        locator: Locator::Event { number, part: 0 },
        ..Entry::default()
    }
}

fn line(text: &str, line: u32) -> Entry {
    Entry {
        text: text.into(),
        session: "file".into(),
        locator: Locator::Line(line),
        ..Entry::default()
    }
}

fn asked(text: &str) -> Question {
    Question { text: text.into(), now: None }
}

/// The texts that are recalled for a question.
fn recalled(library: &mut Library, question: &str, may: &May) -> Vec<String> {
    let recalled = library.recall(&asked(question), 400, &count, may).unwrap();
    recalled.notes.into_iter().map(|kept| kept.entry.text).collect()
}

fn has(library: &mut Library, question: &str, text: &str) -> bool {
    recalled(library, question, &May { scopes: Scopes::All, ..May::default() })
        .iter()
        .any(|found| found == text)
}

/// Numbers that look like chance.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    /// A sentence of words of which some are frequent and most are not.
    fn sentence(&mut self) -> String {
        const WORDS: &str = "garden train doctor budget report holiday printer server kitchen window school letter coffee summer \
            ticket camera museum guitar recipe invoice passport deadline contract allergy peanut dentist mortgage violin harbour \
            getUserName max_retry_count src/main.rs v0.6.2 猫 我喜欢猫 昨天 東京 서울 Straße café running libraries 2023 yesterday March";
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let length = 4 + self.roll(14);
        let word = |dice: &mut Dice| {
            let (a, b) = (dice.roll(words.len()), dice.roll(words.len()));
            if dice.roll(4) == 0 {
                format!("name{}", dice.roll(400))
            } else {
                words[a.min(b)].to_owned()
            }
        };
        let said: Vec<String> = (0..length).map(|_| word(self)).collect();
        let end = if self.roll(5) == 0 { "?" } else { "." };
        format!("I think the {}{end}", said.join(" "))
    }

    fn note(&mut self, number: u64, talks: usize) -> Entry {
        let text: Vec<String> = (0..1 + self.roll(4)).map(|_| self.sentence()).collect();
        let mut entry = event(&text.join(" "), number);
        entry.session = format!("talk {}", self.roll(talks));
        if self.roll(2) == 0 {
            (entry.who, entry.voice, entry.trust) =
                ("assistant".into(), Voice::Agent, Trust::Agent);
        }
        if self.roll(6) == 0 {
            entry.text = format!("# {}\n{}", self.sentence(), entry.text);
        }
        entry
    }
}

/// What the index in memory calls the entries.
fn index(kept: &[(u64, Entry)]) -> Index {
    let mut index = Index::new();
    for (id, entry) in kept {
        index.add(Note {
            id: *id,
            text: entry.text.clone(),
            who: entry.who.clone(),
            voice: entry.voice,
            session: entry.session.clone(),
            at: entry.at,
        });
    }
    index
}

/// The entries with their ids.
fn kept(library: &mut Library, entries: &[Entry]) -> Vec<(u64, Entry)> {
    let mut all: Vec<(u64, Entry)> = Vec::new();
    for entry in entries {
        if all.iter().any(|(_, known)| known == entry) {
            continue;
        }
        let hits = library.find(&asked(&entry.text), 1000, &May::default()).unwrap();
        let id = hits.iter().find(|hit| hit.kept.entry == *entry).unwrap().kept.id;
        let session = library.around(id, 1000, 1000).unwrap();
        all.extend(session.into_iter().map(|kept| (kept.id, kept.entry)));
    }
    all.sort_by_key(|(_, entry)| entry.at);
    assert_eq!(
        all.iter().map(|(_, entry)| entry).collect::<Vec<_>>(),
        entries.iter().collect::<Vec<_>>()
    );
    all
}

#[test]
fn the_library_and_the_index_in_memory_choose_the_same_notes() {
    for seed in 1..5u64 {
        let mut dice = Dice(seed * 7919);
        let entries: Vec<Entry> = (0..300).map(|number| dice.note(number, 8)).collect();
        let folder = workspace();
        let mut library = Library::open(folder.path()).unwrap();
        for part in entries.chunks(70) {
            library.extend("log", "", part.to_vec()).unwrap();
        }
        let all = kept(&mut library, &entries);
        let memory = index(&all);
        for _ in 0..60 {
            let mut question = asked(&dice.sentence());
            if dice.roll(3) == 0 {
                question.text.push_str(&format!(
                    " When was \"{}\"?",
                    all[dice.roll(all.len())].1.text.split(' ').nth(3).unwrap()
                ));
                question.now = Some(date(2024, 1, 2).at(9, 0, 0, 0));
            }
            let expected = recall(&memory, &question, 400, &count, &|_| true);
            let found = library.recall(&question, 400, &count, &May::default()).unwrap();
            let names = |choice: &louver_recall::choose::Choice| -> Vec<(u64, String, usize)> {
                choice
                    .notes
                    .iter()
                    .map(|chosen| (chosen.id, chosen.text.clone(), chosen.rank))
                    .collect()
            };
            assert_eq!(names(&found.choice), names(&expected), "{}", question.text);
            assert_eq!(found.choice.tokens, expected.tokens);
            assert_eq!(found.choice.left_out.len(), expected.left_out.len());
            let ids: Vec<u64> = found.notes.iter().map(|kept| kept.id).collect();
            assert_eq!(ids, names(&expected).iter().map(|(id, ..)| *id).collect::<Vec<_>>());
        }
    }
}

#[test]
fn what_is_taken_out_leaves_the_rest_as_if_it_had_never_been_there() {
    let mut dice = Dice(4242);
    let entries: Vec<Entry> = (0..200).map(|number| dice.note(number, 200_000)).collect();
    let (one, two) = (workspace(), workspace());
    let (mut one, mut two) =
        (Library::open(one.path()).unwrap(), Library::open(two.path()).unwrap());
    one.extend("gone", "", (0..150).map(|number| dice.note(number, 5)).collect()).unwrap();
    one.extend("log", "", entries[..90].to_vec()).unwrap();
    one.replace("file", "", (0..40).map(|at| line(&dice.sentence(), at)).collect()).unwrap();
    one.extend("log", "", entries[90..].to_vec()).unwrap();
    one.replace("file", "", Vec::new()).unwrap();
    assert_eq!(one.remove("gone").unwrap().removed, 150);
    two.extend("log", "", entries).unwrap();
    assert_eq!((one.len().unwrap(), two.len().unwrap()), (200, 200));
    for _ in 0..40 {
        let question = asked(&dice.sentence());
        let answer = |library: &mut Library| library.find(&question, 50, &May::default()).unwrap();
        assert_eq!(answer(&mut one), answer(&mut two), "{}", question.text);
    }
}

#[test]
fn a_deleted_library_comes_back_with_the_same_ids_and_answers_in_whatever_order() {
    let mut dice = Dice(99);
    let logs: Vec<(String, Vec<Entry>)> = (0..6)
        .map(|log| {
            (
                format!("log {log}"),
                (0..40).map(|number| dice.note(log * 1000 + number, 3)).collect(),
            )
        })
        .collect();
    let folder = workspace();
    let questions: Vec<Question> = (0..40).map(|_| asked(&dice.sentence())).collect();
    let answers = |library: &mut Library| -> Vec<_> {
        questions
            .iter()
            .map(|question| library.recall(question, 600, &count, &May::default()).unwrap().notes)
            .collect()
    };
    // As it happens: every log a little, in turn.
    let mut library = Library::open(folder.path()).unwrap();
    for part in 0..8 {
        for (name, entries) in &logs {
            library
                .extend(name, &format!("{part}"), entries[part * 5..part * 5 + 5].to_vec())
                .unwrap();
        }
    }
    let before = answers(&mut library);
    drop(library);
    std::fs::remove_dir_all(folder.path().join(".louver")).unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    for (name, entries) in logs.iter().rev() {
        library.replace(name, "all", entries.clone()).unwrap();
    }
    assert_eq!(answers(&mut library), before);
}

#[test]
fn a_changed_file_is_indexed_where_it_changed() {
    let folder = workspace();
    let mut library = Library::open(folder.path()).unwrap();
    let first = vec![
        line("Anna is allergic to peanuts.", 1),
        line("The spare key is under the flowerpot.", 2),
        line("Bob plays the violin.", 3),
    ];
    library.replace("MEMORY.md", "1", first.clone()).unwrap();
    let bob = library.find(&asked("violin"), 1, &May::default()).unwrap().remove(0).kept;
    let second = vec![
        line("Carla moved to Lisbon.", 1),
        line("Anna is allergic to peanuts.", 2),
        line("Bob plays the violin.", 4),
    ];
    let done = library.replace("MEMORY.md", "2", second).unwrap();
    assert_eq!((done.added, done.removed, done.kept), (1, 1, 2));
    assert_eq!(library.sources().unwrap()["MEMORY.md"].as_deref(), Some("2"));
    assert!(!has(&mut library, "Where is the spare key?", "The spare key is under the flowerpot."));
    assert!(has(&mut library, "Where does Carla live?", "Carla moved to Lisbon."));
    let moved = library.get(bob.id).unwrap().unwrap();
    assert_eq!(moved.entry.locator, Locator::Line(4));
    let around: Vec<String> =
        library.around(bob.id, 5, 5).unwrap().into_iter().map(|kept| kept.entry.text).collect();
    assert_eq!(
        around,
        ["Carla moved to Lisbon.", "Anna is allergic to peanuts.", "Bob plays the violin."]
    );
}

#[test]
fn an_event_that_is_given_twice_is_there_once() {
    let folder = workspace();
    let mut library = Library::open(folder.path()).unwrap();
    let entries: Vec<Entry> =
        (0..5).map(|number| event(&format!("Note number {number} about trains"), number)).collect();
    library.extend("log", "5", entries.clone()).unwrap();
    let done = library.extend("log", "5", entries).unwrap();
    assert_eq!((done.added, done.kept, library.len().unwrap()), (0, 5, 5));
}

#[test]
fn a_note_stays_within_its_scope() {
    let folder = workspace();
    let mut library = Library::open(folder.path()).unwrap();
    let mine = Entry { scope: "chat:anna".into(), ..event("My salary is 4200 euros a month.", 1) };
    let ours = event("The salary talk is on Monday.", 2);
    library.extend("log", "2", vec![mine.clone(), ours.clone()]).unwrap();
    let of = |scope: &str| May { scopes: Scopes::Of(vec![scope.into()]), ..May::default() };
    let question = "What is my salary?";
    assert!(recalled(&mut library, question, &of("chat:anna")).contains(&mine.text));
    for may in [of("chat:bob"), of("nobody"), May::default()] {
        let found = recalled(&mut library, question, &may);
        assert!(!found.contains(&mine.text) && found.contains(&ours.text), "{found:?}");
    }
}

#[test]
fn what_is_in_view_is_not_recalled() {
    let folder = workspace();
    let mut library = Library::open(folder.path()).unwrap();
    library.extend("log", "1", vec![event("Anna is allergic to peanuts.", 1)]).unwrap();
    let id = library.find(&asked("peanuts"), 1, &May::default()).unwrap()[0].kept.id;
    let may = May { in_view: vec![id], ..May::default() };
    assert_eq!(recalled(&mut library, "What is Anna allergic to?", &may), [""; 0]);
}

/// Whether any file in `.louver` holds these bytes.
fn on_disk(workspace: &Path, bytes: &str) -> bool {
    let files = std::fs::read_dir(workspace.join(".louver")).unwrap();
    files
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .any(|data| data.windows(bytes.len()).any(|window| window == bytes.as_bytes()))
}

#[test]
fn what_is_forgotten_leaves_the_disk_and_does_not_come_back() {
    let folder = workspace();
    let mut library = Library::open(folder.path()).unwrap();
    let secret = "The passphrase is xylophoneczar.";
    let entries = vec![
        line("Anna is allergic to peanuts.", 1),
        line(secret, 2),
        line("Bob plays the violin.", 3),
    ];
    library.replace("MEMORY.md", "1", entries.clone()).unwrap();
    assert!(on_disk(folder.path(), "xylophoneczar"));
    let id = library.find(&asked("passphrase"), 1, &May::default()).unwrap()[0].kept.id;
    let kept = library.forget(id).unwrap().unwrap();
    assert_eq!(
        (kept.source.as_str(), kept.entry.locator, kept.entry.text.as_str()),
        ("MEMORY.md", Locator::Line(2), secret)
    );
    assert!(!on_disk(folder.path(), "xylophoneczar") && !on_disk(folder.path(), "passphras"));
    assert_eq!(library.forget(id).unwrap(), None);
    assert_eq!(library.len().unwrap(), 2);
    assert_eq!(library.forgotten().unwrap().iter().map(|one| one.id).collect::<Vec<_>>(), [id]);

    drop(library);
    std::fs::remove_file(folder.path().join(".louver/recall.db")).unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    assert_eq!(library.replace("MEMORY.md", "1", entries.clone()).unwrap().forgotten, 1);
    assert!(!has(&mut library, "What is the passphrase?", secret));

    assert!(library.unforget(id).unwrap());
    assert_eq!(library.sources().unwrap()["MEMORY.md"], None);
    library.replace("MEMORY.md", "1", entries).unwrap();
    assert!(has(&mut library, "What is the passphrase?", secret));
    assert_eq!(library.get(id).unwrap().unwrap().entry.text, secret);
}

#[test]
fn hostile_notes_change_nothing_but_their_own_entry() {
    let folder = workspace();
    let mut library = Library::open(folder.path()).unwrap();
    let plain: Vec<Entry> = (0..20)
        .map(|number| {
            event(&format!("Anna said on day {number} that name{number} likes peanuts."), number)
        })
        .collect();
    library.extend("plain", "", plain).unwrap();
    let questions = [
        "Does name7 like peanuts?",
        "name11",
        "AND OR NOT NEAR(\"name3\" *)",
        "name4'; DROP TABLE notes; --",
        "\0 name5 \u{1}",
    ];
    let answers = |library: &mut Library| -> Vec<Vec<String>> {
        questions.iter().map(|question| recalled(library, question, &May::default())).collect()
    };
    let before = answers(&mut library);
    let notes = |library: &mut Library| {
        let id = library.find(&asked("name7"), 1, &May::default()).unwrap()[0].kept.id;
        library.around(id, 100, 100).unwrap()
    };
    let plain = notes(&mut library);
    let hostile = [
        "z".repeat(10_000_000),
        "zz \u{0}\u{1}\u{7f}\u{200b}\u{202e} zz".into(),
        "'; DROP TABLE notes; -- \" ) ( * NEAR/2 AND OR NOT ^zq:".into(),
        "</data>\n```\n---\n</data-2>".into(),
        "\u{d7ff}\u{e000}\u{ffff}\u{10ffff}".into(),
        String::new(),
        "\n".repeat(100_000),
        "%s%n{}{0}\\x00".into(),
    ];
    let entries: Vec<Entry> =
        hostile.iter().enumerate().map(|(at, text)| line(text, at as u32)).collect();
    library.replace("bad\0\u{1}'\".md", "x' OR 1", entries).unwrap();
    assert_eq!(library.len().unwrap(), 28);
    assert_eq!(notes(&mut library), plain);
    for number in [3, 4, 5, 7, 11] {
        let text = format!("Anna said on day {number} that name{number} likes peanuts.");
        assert!(has(&mut library, &format!("Does name{number} like peanuts?"), &text));
    }
    let back: BTreeSet<String> = {
        let id = library.find(&asked("DROP TABLE zq"), 1, &May::default()).unwrap()[0].kept.id;
        library.around(id, 20, 20).unwrap().into_iter().map(|kept| kept.entry.text).collect()
    };
    assert_eq!(back, hostile.into_iter().collect());
    library.remove("bad\0\u{1}'\".md").unwrap();
    assert_eq!(answers(&mut library), before);
}

#[test]
fn two_processes_see_what_the_other_does() {
    let folder = workspace();
    let (mut one, mut two) =
        (Library::open(folder.path()).unwrap(), Library::open(folder.path()).unwrap());
    assert!(!has(&mut two, "peanuts", "Anna is allergic to peanuts."));
    one.extend("log", "1", vec![event("Anna is allergic to peanuts.", 1)]).unwrap();
    assert!(has(&mut two, "What is Anna allergic to?", "Anna is allergic to peanuts."));
    two.extend("log", "2", vec![event("Bob plays the violin.", 2)]).unwrap();
    assert!(has(&mut one, "What does Bob play?", "Bob plays the violin."));
    one.remove("log").unwrap();
    assert!(!has(&mut two, "What does Bob play?", "Bob plays the violin."));
    one.extend("log", "3", vec![event("Bob plays the violin again.", 3)]).unwrap();
    assert!(has(&mut two, "What does Bob play?", "Bob plays the violin again."));
}

#[test]
fn a_damaged_library_starts_over() {
    for damage in ["header", "middle", "garbage", "version"] {
        let folder = workspace();
        let mut library = Library::open(folder.path()).unwrap();
        let entries: Vec<Entry> = (0..400)
            .map(|number| event(&format!("Note {number} about trains and name{number}."), number))
            .collect();
        library.extend("log", "400", entries.clone()).unwrap();
        drop(library);
        let path = folder.path().join(".louver/recall.db");
        match damage {
            "version" => {
                let mut data = std::fs::read(&path).unwrap();
                // `user_version`, as SQLite's header has it.
                data[60..64].copy_from_slice(&99u32.to_be_bytes());
                std::fs::write(&path, data).unwrap();
            }
            "garbage" => std::fs::write(&path, "this is not a database at all").unwrap(),
            "header" => {
                let mut data = std::fs::read(&path).unwrap();
                data[..200].fill(0xAB);
                std::fs::write(&path, data).unwrap();
            }
            _ => {
                let mut data = std::fs::read(&path).unwrap();
                let length = data.len();
                data[4096..length].fill(0xAB);
                std::fs::write(&path, data).unwrap();
            }
        }
        let mut library = Library::open(folder.path()).unwrap();
        // What is found out late is told once, and the library is empty after that.
        let _ = library.find(&asked("name7 trains"), 3, &May::default());
        assert_eq!(library.len().unwrap(), 0, "{damage}");
        assert!(library.sources().unwrap().is_empty());
        library.extend("log", "400", entries).unwrap();
        assert_eq!(
            library.find(&asked("name7 trains"), 1, &May::default()).unwrap()[0].kept.entry.text,
            "Note 7 about trains and name7."
        );
    }
}

#[test]
fn many_notes_are_indexed_with_progress() {
    let folder = workspace();
    let mut library = Library::open(folder.path()).unwrap();
    let entry = |number| {
        let entry = event(&format!("Message {number} from name{}.", number % 977), number);
        Entry { session: format!("talk {}", number / 50), ..entry }
    };
    let entries: Vec<Entry> = (0..20_000).map(entry).collect();
    let mut seen = Vec::new();
    let change = Change::Replace { source: "log".into(), stamp: "done".into(), entries };
    library.index([change], &mut |progress| seen.push(progress.entries)).unwrap();
    assert!(seen.len() > 2 && seen.is_sorted() && seen.last() == Some(&20_000), "{seen:?}");
    assert_eq!(library.len().unwrap(), 20_000);
    assert_eq!(
        library.find(&asked("Message 12345"), 1, &May::default()).unwrap()[0].kept.entry.text,
        "Message 12345 from name621."
    );
}

/// Runs this very test again as a process of its own, which adds notes until it is done or killed.
fn writer(folder: &Path, source: &str, notes: u64) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_process_that_writes", "--include-ignored", "--nocapture"])
        .env("LOUVER_TEST_WRITES", folder)
        .env("LOUVER_TEST_SOURCE", source)
        .env("LOUVER_TEST_NOTES", notes.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "a process that the tests below start"]
fn a_process_that_writes() {
    let Some(folder) = std::env::var_os("LOUVER_TEST_WRITES") else { return };
    let source = std::env::var("LOUVER_TEST_SOURCE").unwrap();
    let notes: u64 = std::env::var("LOUVER_TEST_NOTES").unwrap().parse().unwrap();
    let mut library = Library::open(Path::new(&folder)).unwrap();
    let mut number: u64 = library
        .sources()
        .unwrap()
        .get(&source)
        .cloned()
        .flatten()
        .map_or(0, |stamp| stamp.parse().unwrap());
    while number < notes {
        let entries = (number..number + 5).map(|number| {
            event(
                &format!("{source} says that name{number} met name{} in {source}.", number * 7),
                number,
            )
        });
        library.extend(&source, &(number + 5).to_string(), entries.collect()).unwrap();
        number += 5;
    }
}

#[test]
fn processes_that_write_at_once_both_finish() {
    let folder = workspace();
    let children: Vec<_> =
        ["left", "right", "middle"].map(|source| writer(folder.path(), source, 150)).into();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let mut library = Library::open(folder.path()).unwrap();
    assert_eq!(library.len().unwrap(), 450);
    for source in ["left", "right", "middle"] {
        let text = format!("{source} says that name77 met name539 in {source}.");
        assert!(has(&mut library, &format!("Did {source} say that name77 met name539?"), &text));
    }
}

#[test]
fn a_killed_process_loses_and_corrupts_nothing() {
    let folder = workspace();
    let mut dice = Dice(31);
    let mut stamp = 0;
    for _ in 0..30 {
        let mut child = writer(folder.path(), "log", 1_000_000);
        std::thread::sleep(Duration::from_millis(20 + dice.roll(120) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut library = Library::open(folder.path()).unwrap();
        let now: u64 = library
            .sources()
            .unwrap()
            .get("log")
            .cloned()
            .flatten()
            .map_or(0, |stamp| stamp.parse().unwrap());
        assert!(now >= stamp, "{now} after {stamp}");
        assert_eq!(library.len().unwrap() as u64, now);
        stamp = now;
        if now > 0 {
            let last = now - 1;
            let text = format!("log says that name{last} met name{} in log.", last * 7);
            assert!(
                has(&mut library, &format!("Did name{last} meet name{}?", last * 7), &text),
                "{last}"
            );
        }
    }
    assert!(stamp > 0, "nothing was ever written");
    assert!(!folder.path().join(".louver/recall.db.damaged").exists());
    // All that was written is as it would be had nobody been killed.
    let whole = workspace();
    let mut library = Library::open(whole.path()).unwrap();
    let entries = (0..stamp).map(|number| {
        event(&format!("log says that name{number} met name{} in log.", number * 7), number)
    });
    library.extend("log", &stamp.to_string(), entries.collect()).unwrap();
    let mut torn = Library::open(folder.path()).unwrap();
    for _ in 0..20 {
        let question = asked(&format!("What did name{} do?", dice.roll(stamp as usize)));
        let answer = |library: &mut Library| library.find(&question, 20, &May::default()).unwrap();
        assert_eq!(answer(&mut torn), answer(&mut library));
    }
}
