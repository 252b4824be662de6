//! The library: the same answers as the index in memory, and nothing lost whatever happens.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use jiff::ToSpan as _;
use jiff::civil::{DateTime, date};
use louver_context::Trust;
use louver_recall::choose::Chosen;
use louver_recall::index::Index;
use louver_recall::note;
use louver_recall::question::Question;
use louver_recall::recall::recall;
use louver_store::Owner;
use louver_store::disk::Folder;
use louver_store::library::{
    Asking, Doing, Fits, Library, Parts, Progress, Recalled, Reminder, WhyIn,
};
use louver_store::notes::{Held, Note, Places, Source, SourceKind, Voice, When};
use tempfile::TempDir;

mod skipped;

fn workspace() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn open(folder: &TempDir) -> Library {
    Library::open(folder.path()).unwrap()
}

fn count(text: &str) -> u32 {
    text.len().div_ceil(4) as u32
}

/// Something a person said.
fn event(text: &str, log: &str, number: u64) -> Note {
    let start = date(2024, 1, 1).at(0, 0, 0, 0);
    let after = jiff::Span::new().minutes(i64::try_from(number).unwrap());
    Note {
        place: format!("{log}#{number}"),
        text: text.into(),
        who: "person".into(),
        voice: Voice::Person,
        time: Some(start.checked_add(after).unwrap().into()),
        trust: Trust::Owner,
    }
}

/// The lines of a file.
fn lines(file: &str, texts: &[&str]) -> Vec<Note> {
    let line = |(number, text): (usize, &&str)| Note {
        place: format!("{file}:{}", number + 1),
        text: (*text).to_owned(),
        who: file.into(),
        voice: Voice::Document,
        time: None,
        trust: Trust::Agent,
    };
    texts.iter().enumerate().map(line).collect()
}

fn source(name: &str, stamp: &str) -> Source {
    let (name, stamp) = (name.to_owned(), stamp.to_owned());
    Source { name, stamp, kind: SourceKind::Session(String::new()), scope: String::new() }
}

fn extend(library: &mut Library, name: &str, notes: Vec<Note>) -> (u64, u64) {
    let done = library.put(&source(name, "1"), Held { notes, more: true }).unwrap();
    (done.added, done.removed)
}

fn replace(library: &mut Library, name: &str, notes: Vec<Note>) -> (u64, u64) {
    let done = library.put(&source(name, "1"), Held { notes, more: false }).unwrap();
    (done.added, done.removed)
}

fn ask_at(library: &mut Library, text: &str, now: Option<DateTime>) -> Recalled {
    let in_view = HashSet::new();
    let (budget, session) = (400, "cli:new");
    let asking = Asking { now, in_view: &in_view, ..Asking::new(text, session, budget) };
    library.recall(&asking, &count).unwrap()
}

fn ask(library: &mut Library, text: &str) -> Recalled {
    ask_at(library, text, None)
}

/// The texts that are recalled for a question.
fn texts(library: &mut Library, question: &str) -> Vec<String> {
    ask(library, question).taken.into_iter().map(|taken| taken.text).collect()
}

fn has(library: &mut Library, question: &str, text: &str) -> bool {
    texts(library, question).iter().any(|found| found == text)
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
            getUserName max_retry_count src/main.rs v0.6.2 猫 我喜欢猫 昨天 東京 서울 Straße café running libraries 2023 yesterday March \
            cooktop WiFi 06-55109382";
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

    fn note(&mut self, log: &str, number: u64) -> Note {
        let text: Vec<String> = (0..1 + self.roll(4)).map(|_| self.sentence()).collect();
        let mut note = event(&text.join(" "), log, number);
        // Some of the pauses between the notes of a log end a talk.
        note.time = note.time.map(|at| (at.clock() + (6 * number as i64).minutes()).into());
        if self.roll(2) == 0 {
            (note.who, note.voice, note.trust) = ("agent".into(), Voice::Agent, Trust::Agent);
        }
        if self.roll(6) == 0 {
            note.text = format!("# {}\n{}", self.sentence(), note.text);
        }
        note
    }

    /// Notes of some logs, in the order of time.
    fn notes(&mut self, count: u64, logs: usize) -> Vec<(String, Note)> {
        let made = (0..count).map(|number| {
            let log = format!("talk {}", self.roll(logs));
            let note = self.note(&log, number);
            (log, note)
        });
        made.collect()
    }

    fn questions(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.sentence()).collect()
    }
}

fn answers(library: &mut Library, questions: &[String]) -> Vec<Recalled> {
    questions.iter().map(|question| ask(library, question)).collect()
}

/// The same notes in memory, numbered in their order.
fn index(notes: &[(String, Note)]) -> Index {
    let mut index = Index::new();
    for (id, (log, note)) in (0..).zip(notes) {
        index.add(note::Note {
            id,
            text: note.text.clone(),
            who: note.who.clone(),
            voice: match note.voice {
                Voice::Person => note::Voice::Person,
                Voice::Agent => note::Voice::Agent,
                Voice::Document => note::Voice::Other,
            },
            session: log.clone(),
            at: note.time.map(When::clock),
        });
    }
    index
}

/// Ranks, scores and names in the order of the ranks, but for what only explains another.
fn ranks(all: impl Iterator<Item = (usize, f32, String)>) -> Vec<(usize, f32, String)> {
    let mut ranks: Vec<_> = all.filter(|(_, score, _)| *score != 0.0).collect();
    ranks.sort_by_key(|(rank, ..)| *rank);
    ranks
}

#[test]
fn the_library_and_the_index_in_memory_choose_the_same_notes() {
    let mut compared = 0;
    for seed in 1..5u64 {
        let mut dice = Dice(seed * 7919);
        let notes = dice.notes(300, 8);
        let folder = workspace();
        let mut library = open(&folder);
        for (log, note) in &notes {
            extend(&mut library, log, vec![note.clone()]);
        }
        let memory = index(&notes);
        for _ in 0..60 {
            let mut question = Question { text: dice.sentence(), now: None };
            if dice.roll(3) == 0 {
                let note = &notes[dice.roll(notes.len())].1;
                let quoted = note.text.split(' ').nth(3).unwrap();
                question.text.push_str(&format!(" When was \"{quoted}\"?"));
                question.now = Some(date(2024, 1, 2).at(9, 0, 0, 0));
            }
            if dice.roll(3) == 0 {
                const OTHERWISE: [&str; 4] = ["harbuor", "cook top", "wi-fi", "+31 6 5510 9382"];
                question.text.push_str(&format!(" And the {}?", OTHERWISE[dice.roll(4)]));
            }
            let expected = recall(&memory, &question, 400, &count, &|_| true);
            let found = ask_at(&mut library, &question.text, question.now);
            let name = |id: u64| notes[usize::try_from(id).unwrap()].1.place.clone();
            // What is ranked, and how, is the same.
            let taken = expected.notes.iter().map(|one| (one.rank, one.score, name(one.id)));
            let left = expected.left_out.iter().map(|one| (one.rank, one.score, name(one.id)));
            let wanted = ranks(taken.chain(left));
            let taken = found.taken.iter().map(|one| (one.rank, one.score, one.place.clone()));
            let left = found.left.iter().map(|one| (one.rank, one.score, one.place.clone()));
            assert_eq!(ranks(taken.chain(left)), wanted, "{}", question.text);
            // A line that is cut has a handle besides, so what is chosen after one may differ. So may what
            // just fits: what stands above notes is counted as it stands, and guessed in memory.
            let marked = |chosen: &Chosen| !chosen.whole || chosen.newer.is_some();
            if expected.notes.iter().any(marked) || expected.tokens > 390 {
                continue;
            }
            compared += 1;
            let wanted: Vec<(String, String, usize)> = expected
                .notes
                .iter()
                .map(|chosen| (name(chosen.id), chosen.text.clone(), chosen.rank))
                .collect();
            let got: Vec<(String, String, usize)> = found
                .taken
                .iter()
                .map(|taken| (taken.place.clone(), taken.text.clone(), taken.rank))
                .collect();
            assert_eq!(got, wanted, "{}", question.text);
            // What stands above a note is counted as it stands here, and guessed by itself there.
            assert!(found.tokens <= 400 && found.tokens.abs_diff(expected.tokens) < 40);
            assert_eq!(found.left.len(), expected.left_out.len());
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn what_was_on_a_day_that_hangs_on_an_event_need_not_say_what_is_asked() {
    let folder = workspace();
    let mut library = open(&folder);
    let said = [("Made goulash with Bo", 16), ("Umzug nach Graz today", 30), ("Paid the rent", 31)];
    for (number, (text, day)) in (0..).zip(said) {
        let time = Some(date(2026, 3, day).at(18, 0, 0, 0).into());
        extend(&mut library, "cli:a", vec![Note { time, ..event(text, "cli:a", number) }]);
    }
    let now = Some(date(2026, 4, 20).at(9, 0, 0, 0));
    let text = "Was habe ich zwei Wochen vor dem Umzug gekocht?";
    let recalled = ask_at(&mut library, text, now);
    let texts: Vec<&str> = recalled.taken.iter().map(|taken| &*taken.text).collect();
    assert_eq!((recalled.fits, &texts[..]), (Fits::Well, &["Made goulash with Bo"][..]));
}

#[test]
fn what_is_taken_out_leaves_the_rest_as_if_it_had_never_been_there() {
    let mut dice = Dice(4242);
    let notes: Vec<Note> = (0..200).map(|number| dice.note("log", number)).collect();
    let (first, second) = (workspace(), workspace());
    let (mut one, mut two) = (open(&first), open(&second));
    let gone = (0..150).map(|number| dice.note("gone", number)).collect();
    extend(&mut one, "gone", gone);
    extend(&mut one, "log", notes[..90].to_vec());
    let file = dice.questions(40);
    let file: Vec<&str> = file.iter().map(String::as_str).collect();
    replace(&mut one, "file", lines("file", &file));
    extend(&mut one, "log", notes[90..].to_vec());
    assert_eq!(replace(&mut one, "file", Vec::new()), (0, 40));
    assert_eq!(replace(&mut one, "gone", Vec::new()), (0, 150));
    extend(&mut two, "log", notes);
    assert_eq!((one.len().unwrap(), two.len().unwrap()), (200, 200));
    let questions = dice.questions(40);
    assert_eq!(answers(&mut one, &questions), answers(&mut two, &questions));
}

#[test]
fn a_file_that_was_rewritten_often_is_found_as_if_it_had_been_written_once() {
    let mut dice = Dice(5);
    let (first, second) = (workspace(), workspace());
    let (mut one, mut two) = (open(&first), open(&second));
    let mut all = dice.questions(30);
    for _ in 0..20 {
        let texts: Vec<&str> = all.iter().map(String::as_str).collect();
        replace(&mut one, "file", lines("file", &texts));
        // The last line, and one more, are written anew.
        let other = dice.roll(all.len() - 1);
        all.pop();
        all[other] = dice.sentence();
        all.push(dice.sentence());
    }
    let texts: Vec<&str> = all.iter().map(String::as_str).collect();
    replace(&mut one, "file", lines("file", &texts));
    replace(&mut two, "file", lines("file", &texts));
    let mut questions = dice.questions(40);
    questions.extend(all);
    assert_eq!(answers(&mut one, &questions), answers(&mut two, &questions));
}

#[test]
fn a_word_whose_last_note_goes_as_another_comes_is_still_found() {
    let (first, second) = (workspace(), workspace());
    let (mut one, mut two) = (open(&first), open(&second));
    replace(&mut one, "file", lines("file", &["The zebra lives in the old stable"]));
    let (file, log) = (source("file", "2"), source("log", "1"));
    let gone = Held { notes: Vec::new(), more: false };
    let come = || Held { notes: vec![event("Nobody has seen the zebra", "log", 1)], more: true };
    one.put_all([(file, gone), (log.clone(), come())], &mut |_| ()).unwrap();
    two.put_all([(log, come())], &mut |_| ()).unwrap();
    let question = ["Where is the zebra?".to_owned()];
    let found = answers(&mut one, &question);
    assert!(found[0].taken[0].parts.words > 0.0, "{found:?}");
    assert_eq!(found, answers(&mut two, &question));
}

#[test]
fn a_deleted_library_comes_back_with_the_same_answers_in_whatever_order() {
    let mut dice = Dice(99);
    let logs: Vec<(String, Vec<Note>)> = (0..6)
        .map(|log| {
            let name = format!("log {log}");
            let notes = (0..40).map(|number| dice.note(&name, log * 1000 + number)).collect();
            (name, notes)
        })
        .collect();
    let folder = workspace();
    let questions = dice.questions(40);
    // As it happens: every log a little, in turn.
    let mut library = open(&folder);
    for part in 0..8 {
        for (name, notes) in &logs {
            extend(&mut library, name, notes[part * 5..part * 5 + 5].to_vec());
        }
    }
    let before = answers(&mut library, &questions);
    drop(library);
    fs::remove_dir_all(folder.path().join(".louver")).unwrap();
    let mut library = open(&folder);
    for (name, notes) in logs.iter().rev() {
        replace(&mut library, name, notes.clone());
    }
    assert_eq!(answers(&mut library, &questions), before);
}

#[test]
fn a_line_that_moves_is_the_same_note_under_another_name() {
    let folder = workspace();
    let mut library = open(&folder);
    let first = [
        "Anna is allergic to peanuts.",
        "The spare key is under the flowerpot.",
        "Bob plays the violin.",
    ];
    replace(&mut library, "MEMORY.md", lines("MEMORY.md", &first));
    let bob = ask(&mut library, "Who plays the violin?").taken.remove(0);
    assert_eq!(bob.place, "MEMORY.md:3");
    let second =
        ["Carla moved to Lisbon.", "Anna is allergic to peanuts.", "", "Bob plays the violin."];
    assert_eq!(replace(&mut library, "MEMORY.md", lines("MEMORY.md", &second)), (2, 1));
    assert!(!has(&mut library, "Where is the spare key?", first[1]));
    assert!(has(&mut library, "Where does Carla live?", second[0]));
    assert_eq!(library.name_of(&bob.handle).unwrap().as_deref(), Some("MEMORY.md:4"));
    assert_eq!(library.get("MEMORY.md:4").unwrap().unwrap().text, "Bob plays the violin.");
    assert_eq!(library.get("MEMORY.md:2").unwrap().unwrap().text, first[0]);
    assert_eq!(library.get("MEMORY.md:9").unwrap(), None);
    let around: Vec<String> =
        library.around("MEMORY.md:2", 5).unwrap().into_iter().map(|note| note.text).collect();
    assert_eq!(around, second);
}

#[test]
fn an_event_that_is_given_twice_is_there_once() {
    let folder = workspace();
    let mut library = open(&folder);
    let notes: Vec<Note> = (0..5)
        .map(|number| event(&format!("Note number {number} about trains"), "log", number))
        .collect();
    assert_eq!(extend(&mut library, "log", notes[..3].to_vec()), (3, 0));
    assert_eq!(extend(&mut library, "log", notes), (2, 0));
    assert_eq!(library.len().unwrap(), 5);
}

#[test]
fn what_was_recalled_before_is_known_by_its_name_its_handle_and_its_first_line() {
    let folder = workspace();
    let mut library = open(&folder);
    let text = "Anna is allergic to peanuts.\nAnd to walnuts.";
    extend(&mut library, "log", vec![event(text, "log", 1)]);
    let question = "What is Anna allergic to?";
    let taken = ask(&mut library, question).taken.remove(0);
    let seen = ["log#1", &taken.handle, "Anna is allergic to peanuts."];
    for (known, found) in seen.iter().map(|known| (*known, 0)).chain([("log#2", 1)]) {
        let in_view: HashSet<String> = [known.to_owned()].into();
        let (text, session) = (question, "cli:new");
        let asking = Asking { in_view: &in_view, ..Asking::new(text, session, 400) };
        assert_eq!(library.recall(&asking, &count).unwrap().taken.len(), found, "{known}");
    }
    let in_view = HashSet::new();
    let shown = ["log".to_owned()];
    let (text, session) = (question, "cli:new");
    let asking = Asking { in_view: &in_view, shown: &shown, ..Asking::new(text, session, 400) };
    assert!(library.recall(&asking, &count).unwrap().taken.is_empty());
}

#[test]
fn a_short_question_is_looked_for_though_no_note_has_its_word_and_a_greeting_is_not() {
    let folder = workspace();
    let mut library = open(&folder);
    let file = [
        "My dog is called Biscuit.",
        "Der Ersatzschlüssel liegt unter dem blauen Blumentopf.",
        "Am Sonntag gehen wir in die Berge, wenn es nicht regnet.",
        "The dentist is on Friday at nine.",
    ];
    replace(&mut library, "MEMORY.md", lines("MEMORY.md", &file));
    let mut first =
        |question: &str| ask(&mut library, question).taken.first().map(|taken| taken.text.clone());
    for text in ["Do I have pets?", "which pets do I have", "my pets"] {
        assert_eq!(first(text).as_deref(), Some(file[0]), "{text}");
    }
    assert_eq!(first("Wo ist der Schlüssel?").as_deref(), Some(file[1]));
    assert_eq!(first("hello there"), None);
    assert_eq!(first("Thanks!"), None);
}

/// What each part of the scores gave, by note.
fn parts(library: &mut Library, question: &str) -> BTreeMap<String, Parts> {
    let recalled = ask(library, question);
    let taken = recalled.taken.into_iter().map(|taken| (taken.place, taken.parts));
    taken.chain(recalled.left.into_iter().map(|left| (left.place, left.parts))).collect()
}

#[test]
fn in_a_session_that_goes_on_for_years_a_talk_is_what_belongs_together() {
    let folder = workspace();
    let mut library = open(&folder);
    let said = [
        (1, 9, "Shall we go to Porto in May?"),
        (1, 10, "The flight to Porto is cheap on Sundays."),
        (40, 9, "My printer is out of ink."),
        (40, 10, "It takes the cartridges with the blue label."),
        (400, 9, "The gate code is 7719."),
    ];
    let note = |(number, (day, minute, text)): (usize, (i64, i8, &str))| Note {
        time: Some((date(2024, 1, 1).at(12, minute, 0, 0) + day.days()).into()),
        ..event(text, "cli:direct", number as u64 + 1)
    };
    let notes: Vec<Note> = said.into_iter().enumerate().map(note).collect();
    for one in &notes {
        extend(&mut library, "cli:direct", vec![one.clone()]);
    }
    let question = "What do I need for the printer?";
    let grown = parts(&mut library, question);
    // Whoever comes late in years is not late in a talk, and stands beside nothing of another.
    let of = |number: u32| grown[&format!("cli:direct#{number}")];
    assert_eq!([1, 3, 5].map(|number| of(number).late), [0.0; 3]);
    assert!(of(4).late < 0.0 && of(4).before > 0.0 && of(4).talk == of(3).talk);
    assert!(of(1).talk < of(3).talk && of(5).before == 0.0 && of(5).talk == 0.0);
    // The same whether it grew, or was read at once.
    replace(&mut library, "cli:direct", notes);
    assert_eq!(parts(&mut library, question), grown);
    // And when a talk has lost its beginning.
    library.forget("cli:direct#3").unwrap();
    let rest = parts(&mut library, question);
    assert!(rest["cli:direct#4"].before == 0.0 && rest["cli:direct#4"].late < 0.0);
    extend(
        &mut library,
        "cli:direct",
        vec![Note { time: None, ..event("Thanks!", "cli:direct", 9) }],
    );
    assert!(parts(&mut library, "What is the gate code?")["cli:direct#9"].late < 0.0);
}

#[test]
fn a_day_of_many_sessions_is_named_once_and_what_is_newer_stands_first() {
    let folder = workspace();
    let mut library = open(&folder);
    let said = [
        ("a", 4, "The flight to Oslo has a window seat."),
        ("b", 1, "The flight to Oslo leaves on Monday at nine."),
        ("c", 4, "The flight to Oslo leaves on Friday at nine."),
        ("d", 1, "Ben comes along on the flight to Oslo."),
    ];
    for (log, day, text) in said {
        let time = Some(date(2024, 3, day).at(9, 0, 0, 0).into());
        extend(&mut library, log, vec![Note { time, ..event(text, log, 1) }]);
    }
    let recalled =
        ask(&mut library, "When does the flight to Oslo leave, and does Ben come along?");
    let lines = louver_context::layers::recalled::lines(&recalled.notes()).concat();
    assert_eq!(
        lines,
        "[4 Mar 2024 · c]\n\
         person: The flight to Oslo leaves on Friday at nine.\n\
         [1 Mar 2024 · d]\n\
         person: Ben comes along on the flight to Oslo.\n\
         [b]\n\
         person: The flight to Oslo leaves on Monday at nine. (older)\n"
    );
}

#[test]
fn a_prompt_has_the_notes_of_a_source_together_and_the_newest_of_two_that_disagree_first() {
    let folder = workspace();
    let mut library = open(&folder);
    let on = |text: &str, log: &str, number, day| Note {
        time: Some(date(2024, 3, day).at(9, 0, 0, 0).into()),
        ..event(text, log, number)
    };
    let chat = [
        on("The flight to Oslo leaves on Monday at nine.", "chat", 1, 1),
        on("Ben comes along to Oslo, his flight is booked too.", "chat", 2, 1),
        on("Window seats on the flight to Oslo, please.", "chat", 3, 4),
    ];
    extend(&mut library, "chat", chat.to_vec());
    let other = on("The flight to Oslo leaves on Friday at nine.", "other", 1, 5);
    extend(&mut library, "other", vec![other]);
    let recalled = ask(&mut library, "What do we know of the flight to Oslo, and of seats?");
    assert_eq!(recalled.taken[0].place, "chat#3");
    let lines = louver_context::layers::recalled::lines(&recalled.notes()).concat();
    assert_eq!(
        lines,
        "[5 Mar 2024 · other]\n\
         person: The flight to Oslo leaves on Friday at nine.\n\
         [4 Mar 2024 · chat]\n\
         person: Window seats on the flight to Oslo, please.\n\
         [1 Mar 2024]\n\
         person: Ben comes along to Oslo, his flight is booked too.\n\
         person: The flight to Oslo leaves on Monday at nine. (older)\n"
    );
    // It is the least like the question, and in because the other is.
    let news = recalled.taken.iter().find(|taken| taken.place == "other#1").unwrap();
    assert_eq!((news.rank, &news.why), (4, &WhyIn::Newer("chat#1".to_owned())));
    let tokens: u32 = recalled.taken.iter().map(|taken| taken.tokens).sum();
    assert!(recalled.tokens == tokens && count(&lines) <= tokens, "{tokens}");
}

#[test]
fn what_was_put_right_is_found_among_many_notes_that_are_more_like_the_question() {
    let folder = workspace();
    let mut library = open(&folder);
    // More than are found by words and by meaning.
    let text =
        |number| format!("When I have to go to the eye doctor for glasses I go by bus {number}.");
    let other = |number| event(&text(number), "other", number);
    extend(&mut library, "other", (0..800).map(|number| other(60 * number)).collect());
    let answer = Note { voice: Voice::Agent, who: "agent".into(), ..event("Noted.", "chat", 2) };
    let told = event("The optician is on Tuesday at nine.", "chat", 1);
    let right = event("oops, Thursday!", "chat", 3);
    extend(&mut library, "chat", vec![told, answer, right]);
    // On the next day, in what is a talk of its own.
    let day = 24 * 60;
    let told = event("The plumber wants 400 for the boiler.", "chat", day);
    let right = event("sorry, I meant 450", "chat", 2 * day);
    extend(&mut library, "chat", vec![told, right]);
    let mut first_two = |question| {
        let recalled = ask(&mut library, question);
        let two = recalled.taken.into_iter().take(2);
        two.map(|taken| (taken.place, taken.newer)).collect::<Vec<_>>()
    };
    let wanted = |right: &str, told: &str| {
        [(right.to_owned(), None), (told.to_owned(), Some(right.to_owned()))]
    };
    assert_eq!(first_two("When do I have to go to the optician?"), wanted("chat#3", "chat#1"));
    assert_eq!(first_two("What does the plumber want?"), wanted("chat#2880", "chat#1440"));
}

/// Whether any file in `.louver` holds these bytes.
fn on_disk(workspace: &Path, bytes: &str) -> bool {
    let files = fs::read_dir(workspace.join(".louver")).unwrap();
    files
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .any(|data| data.windows(bytes.len()).any(|window| window == bytes.as_bytes()))
}

#[test]
fn what_is_forgotten_leaves_the_disk_and_stays_forgotten_without_the_index() {
    let folder = workspace();
    let mut library = open(&folder);
    let secret = "The passphrase is xylophoneczar.";
    let file = ["Anna is allergic to peanuts.", secret, "Bob plays the violin.", secret];
    replace(&mut library, "MEMORY.md", lines("MEMORY.md", &file));
    assert!(on_disk(folder.path(), "xylophoneczar"));
    let gone = library.forget("MEMORY.md:2").unwrap().unwrap();
    assert_eq!((gone.place.as_str(), gone.text.as_str()), ("MEMORY.md:2", secret));
    assert!(!on_disk(folder.path(), "xylophoneczar") && !on_disk(folder.path(), "passphras"));
    assert_eq!(library.forget("MEMORY.md:2").unwrap(), None);
    assert_eq!(library.len().unwrap(), 2, "the other line says the same");

    drop(library);
    fs::remove_file(folder.path().join(".louver/recall.db")).unwrap();
    let mut library = open(&folder);
    let moved = ["A new line.", "Anna is allergic to peanuts.", secret];
    assert_eq!(replace(&mut library, "MEMORY.md", lines("MEMORY.md", &moved)), (2, 0));
    assert!(!has(&mut library, "What is the passphrase?", secret));
    assert_eq!(library.forgotten().unwrap()[0].place, "MEMORY.md:2");

    assert_eq!(library.remember_again("MEMORY.md:2").unwrap(), Some(0));
    assert_eq!(library.remember_again("MEMORY.md:2").unwrap(), None);
    replace(&mut library, "MEMORY.md", lines("MEMORY.md", &moved));
    assert!(has(&mut library, "What is the passphrase?", secret));
}

#[test]
fn a_word_that_is_said_often_is_forgotten_where_it_was_forgotten() {
    let folder = workspace();
    let mut library = open(&folder);
    let said = |number| event("The gate code is 4711.", "log", number);
    extend(&mut library, "log", vec![said(1), said(2)]);
    library.forget("log#1").unwrap().unwrap();
    assert!(library.get("log#1").unwrap().is_none() && library.get("log#2").unwrap().is_some());
    assert_eq!(replace(&mut library, "log", vec![said(1), said(2)]), (0, 0));
}

#[test]
fn hostile_notes_change_nothing_but_their_own_entry() {
    let folder = workspace();
    let mut library = open(&folder);
    let plain = |number| {
        let text = format!("Anna said on day {number} that name{number} likes peanuts.");
        event(&text, "plain", number)
    };
    extend(&mut library, "plain", (0..20).map(plain).collect());
    let questions = [
        "Does name7 like peanuts?",
        "name11 peanuts",
        "AND OR NOT NEAR(\"name3\" *)",
        "name4'; DROP TABLE notes; --",
        "\0 name5 \u{1}",
    ]
    .map(str::to_owned);
    let before = answers(&mut library, &questions);
    let notes = library.around("plain#7", 100).unwrap();
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
    let name = "bad\0\u{1}'\".md";
    let entries: Vec<&str> = hostile.iter().map(String::as_str).collect();
    let held = Held { notes: lines(name, &entries), more: false };
    library.put(&source(name, "x' OR 1"), held).unwrap();
    // Of ten million letters that are the same there are a part and the two halves of the last one.
    let letters = library.len().unwrap() - 27;
    assert!((1..=3).contains(&letters), "{letters}");
    assert_eq!(library.around("plain#7", 100).unwrap(), notes);
    for number in [3, 4, 5, 7, 11] {
        let text = format!("Anna said on day {number} that name{number} likes peanuts.");
        assert!(has(&mut library, &format!("Does name{number} like peanuts?"), &text));
    }
    let back: BTreeSet<String> = library
        .around(&format!("{name}:3"), 20)
        .unwrap()
        .into_iter()
        .map(|note| note.text)
        .filter(|text| !text.starts_with("zzz"))
        .collect();
    assert_eq!(back, hostile.into_iter().skip(1).collect());
    replace(&mut library, name, Vec::new());
    assert_eq!(answers(&mut library, &questions), before);
}

#[test]
fn two_processes_see_what_the_other_does() {
    let folder = workspace();
    let (mut one, mut two) = (open(&folder), open(&folder));
    assert!(!has(&mut two, "peanuts", "Anna is allergic to peanuts."));
    extend(&mut one, "log", vec![event("Anna is allergic to peanuts.", "log", 1)]);
    assert!(has(&mut two, "What is Anna allergic to?", "Anna is allergic to peanuts."));
    extend(&mut two, "log", vec![event("Bob plays the violin.", "log", 2)]);
    assert!(has(&mut one, "What does Bob play?", "Bob plays the violin."));
    assert!(two.forget("log#2").unwrap().is_some());
    assert!(!has(&mut one, "What does Bob play?", "Bob plays the violin."));
    assert!(one.get("log#2").unwrap().is_none());
    replace(&mut one, "log", Vec::new());
    assert!(!has(&mut two, "What is Anna allergic to?", "Anna is allergic to peanuts."));
    extend(&mut one, "log", vec![event("Bob plays the violin again.", "log", 3)]);
    assert!(has(&mut two, "What does Bob play?", "Bob plays the violin again."));
}

#[test]
fn a_damaged_library_starts_over() {
    for damage in ["header", "middle", "garbage", "version"] {
        let folder = workspace();
        let mut library = open(&folder);
        let note =
            |number| event(&format!("Note {number} about trains and name{number}."), "log", number);
        extend(&mut library, "log", (0..400).map(note).collect());
        drop(library);
        let path = folder.path().join(".louver/recall.db");
        let mut data = fs::read(&path).unwrap();
        match damage {
            // `user_version`, as SQLite's header has it.
            "version" => data[60..64].copy_from_slice(&99u32.to_be_bytes()),
            "garbage" => data = b"this is not a database at all".to_vec(),
            "header" => data[..200].fill(0xAB),
            _ => data[4096..].fill(0xAB),
        }
        fs::write(&path, data).unwrap();
        let mut library = open(&folder);
        // What is found out late is told once, and the library is empty after that.
        let in_view = HashSet::new();
        let text = "name7 trains";
        let asking = Asking { in_view: &in_view, ..Asking::new(text, "x", 400) };
        let _ = library.recall(&asking, &count);
        assert_eq!(library.len().unwrap(), 0, "{damage}");
        extend(&mut library, "log", (0..400).map(note).collect());
        assert!(has(&mut library, "name7 trains", "Note 7 about trains and name7."), "{damage}");
    }
}

#[test]
fn many_notes_are_taken_in_with_progress() {
    let folder = workspace();
    let mut library = open(&folder);
    let talk = |talk: u64| {
        let name = format!("talk {talk}");
        let note =
            |number| event(&format!("Message {number} from name{}.", number % 977), &name, number);
        let notes = (talk * 50..talk * 50 + 50).map(note).collect();
        (source(&name, "1"), Held { notes, more: false })
    };
    let mut seen = Vec::new();
    library.put_all((0..400).map(talk), &mut |at| seen.push((at.sources, at.notes))).unwrap();
    assert!(seen.is_sorted() && seen.last() == Some(&(400, 20_000)), "{seen:?}");
    assert!(seen.iter().any(|(_, notes)| (1..20_000).contains(notes)), "{seen:?}");
    assert_eq!(library.len().unwrap(), 20_000);
    assert!(has(&mut library, "Message 12345 name621", "Message 12345 from name621."));
}

/// Runs this very test again as a process of its own, which works until it is done or killed.
fn worker(folder: &Path, work: &str, notes: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_process_that_writes", "--include-ignored", "--nocapture"])
        .env("LOUVER_TEST_FOLDER", folder)
        .env("LOUVER_TEST_WORK", work)
        .env("LOUVER_TEST_NOTES", notes.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn met(log: &str, number: u64) -> Note {
    event(&format!("{log} says that name{number} met name{} in {log}.", number * 7), log, number)
}

#[test]
#[ignore = "a process that the tests below start"]
fn a_process_that_writes() {
    let Some(folder) = std::env::var_os("LOUVER_TEST_FOLDER") else { return };
    let folder = Path::new(&folder);
    let work = std::env::var("LOUVER_TEST_WORK").unwrap();
    let notes: u64 = std::env::var("LOUVER_TEST_NOTES").unwrap().parse().unwrap();
    if work == "full" {
        return fill(folder);
    }
    let mut library = Library::open(folder).unwrap();
    if work == "sync" {
        library.sync(&places(folder), &mut |_| {}).unwrap();
        return;
    }
    let name = |library: &mut Library, number: u64| {
        library.get(&format!("{work}#{number}")).unwrap().is_some()
    };
    let mut number = 0;
    while name(&mut library, number) {
        number += 5;
    }
    while number < notes {
        let next = (number..number + 5).map(|number| met(&work, number)).collect();
        extend(&mut library, &work, next);
        number += 5;
    }
}

#[test]
fn processes_that_write_at_once_both_finish() {
    let folder = workspace();
    let children: Vec<Child> =
        ["left", "right", "middle"].map(|work| worker(folder.path(), work, 150)).into();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let mut library = open(&folder);
    assert_eq!(library.len().unwrap(), 450);
    for log in ["left", "right", "middle"] {
        let text = format!("{log} says that name77 met name539 in {log}.");
        assert!(has(&mut library, &format!("Did {log} say that name77 met name539?"), &text));
    }
}

#[test]
fn a_killed_process_loses_and_corrupts_nothing() {
    let folder = workspace();
    let mut dice = Dice(31);
    let mut before = 0;
    for _ in 0..20 {
        let mut child = worker(folder.path(), "log", 1_000_000);
        std::thread::sleep(Duration::from_millis(20 + dice.roll(120) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut library = open(&folder);
        let now = library.len().unwrap();
        assert!(now >= before && now.is_multiple_of(5), "{now} after {before}");
        before = now;
        if let Some(last) = now.checked_sub(1) {
            let note = met("log", last);
            let question = format!("Did name{last} meet name{}?", last * 7);
            assert!(has(&mut library, &question, &note.text), "{last}");
        }
    }
    assert!(before > 0, "nothing was ever written");
    assert!(!folder.path().join(".louver/recall.db.damaged").exists());
    // All that was written is as it would be had nobody been killed.
    let whole = workspace();
    let mut expected = open(&whole);
    extend(&mut expected, "log", (0..before).map(|number| met("log", number)).collect());
    let who = |_| format!("What did name{} do?", dice.roll(usize::try_from(before).unwrap()));
    let questions: Vec<String> = (0..20).map(who).collect();
    assert_eq!(answers(&mut open(&folder), &questions), answers(&mut expected, &questions));
}

/// The notes of a folder of documents inside a workspace.
fn places(workspace: &Path) -> Places {
    Places {
        folder: Folder::open(workspace).unwrap(),
        documents: vec![Folder::open(workspace.join("documents")).unwrap()],
        away: Vec::new(),
        owner: Owner::of([""; 0]),
    }
}

#[test]
fn indexing_that_is_killed_goes_on_where_it_was() {
    let folder = workspace();
    let documents = folder.path().join("documents");
    fs::create_dir(&documents).unwrap();
    let mut dice = Dice(77);
    for number in 0..60 {
        let text: Vec<String> = (0..300).map(|_| dice.sentence()).collect();
        fs::write(documents.join(format!("{number}.md")), text.join("\n\n")).unwrap();
    }
    let questions = dice.questions(20);
    for _ in 0..8 {
        let mut child = worker(folder.path(), "sync", 0);
        std::thread::sleep(Duration::from_millis(100 + dice.roll(900) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        // A file is in whole or not at all.
        assert_eq!(open(&folder).len().unwrap() % 300, 0);
    }
    let mut torn = open(&folder);
    torn.sync(&places(folder.path()), &mut |_| {}).unwrap();
    assert_eq!(torn.len().unwrap(), 18_000);
    let torn = answers(&mut torn, &questions);
    fs::remove_dir_all(folder.path().join(".louver")).unwrap();
    let mut whole = open(&folder);
    whole.sync(&places(folder.path()), &mut |_| {}).unwrap();
    assert_eq!(answers(&mut whole, &questions), torn);
}

#[test]
fn removing_that_is_interrupted_goes_on_where_it_was() {
    let (folder, rest) = (workspace(), workspace());
    let documents = folder.path().join("documents");
    fs::create_dir(&documents).unwrap();
    let mut dice = Dice(80);
    for number in 0..5 {
        let text = dice.questions(4_000).join("\n\n");
        fs::write(documents.join(format!("{number}.md")), text).unwrap();
    }
    let questions = dice.questions(20);
    let log: Vec<Note> = (0..100).map(|number| dice.note("talk 1", number)).collect();
    let memory: Vec<String> =
        log.iter().map(|note| format!("- {}\n", note.text.replace('\n', " "))).collect();
    for workspace in [&folder, &rest] {
        fs::write(workspace.path().join("MEMORY.md"), memory.concat()).unwrap();
    }
    fs::create_dir(rest.path().join("documents")).unwrap();
    let mut expected = open(&rest);
    expected.sync(&places(rest.path()), &mut |_| {}).unwrap();
    let mut library = open(&folder);
    library.sync(&places(folder.path()), &mut |_| {}).unwrap();
    let all = library.len().unwrap();
    let file = |library: &mut Library| {
        let first = documents.canonicalize().unwrap().join("0.md").display().to_string();
        library.around(&format!("{first}:1"), 5_000).unwrap()
    };
    let whole = file(&mut library);
    let away = folder.path().join("away");
    // Whoever is interrupted leaves so many that nobody waited long.
    let interrupted = |left: u64| {
        let stopped = std::panic::catch_unwind(|| {
            let stop = &mut |at: Progress| assert_ne!(at.doing, Doing::Removing, "stop here");
            open(&folder).sync(&places(folder.path()), stop)
        });
        assert!(stopped.is_err());
        assert_eq!(open(&folder).len().unwrap(), left);
    };
    fs::rename(&documents, &away).unwrap();
    fs::create_dir(&documents).unwrap();
    interrupted(all - 8_192);
    // What comes back meanwhile is taken in where it is missing.
    fs::remove_dir(&documents).unwrap();
    fs::rename(&away, &documents).unwrap();
    library.sync(&places(folder.path()), &mut |_| {}).unwrap();
    assert_eq!(library.len().unwrap(), all);
    assert!(file(&mut library) == whole && whole.len() == 4_000);
    fs::rename(&documents, &away).unwrap();
    fs::create_dir(&documents).unwrap();
    interrupted(all - 8_192);
    interrupted(all - 2 * 8_192);
    let mut seen = Vec::new();
    library
        .sync(&places(folder.path()), &mut |at| seen.push((at.sources, at.of, at.notes)))
        .unwrap();
    assert_eq!(seen, [(1, 1, 20_000 - 2 * 8_192)]);
    assert_eq!(library.len().unwrap(), expected.len().unwrap());
    assert_eq!(answers(&mut library, &questions), answers(&mut expected, &questions));
}

#[test]
fn files_that_are_emptied_let_others_write_meanwhile() {
    let folder = workspace();
    let mut library = open(&folder);
    let mut dice = Dice(81);
    let mut filled = |file: usize, notes: usize| {
        let (name, texts) = (format!("file {file}"), dice.questions(notes));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        (source(&name, "1"), Held { notes: lines(&name, &texts), more: false })
    };
    let full: Vec<_> = (0..5).map(|file| filled(file, 3_000)).collect();
    library.put_all(full, &mut |_| ()).unwrap();
    let empty: Vec<_> = (0..5).map(|file| filled(file, 0)).collect();
    let changes = || -> i64 {
        let db = rusqlite::Connection::open(folder.path().join(".louver/recall.db")).unwrap();
        db.query_row("SELECT changes FROM facts", [], |row| row.get(0)).unwrap()
    };
    let before = changes();
    assert_eq!(library.put_all(empty, &mut |_| ()).unwrap().removed, 15_000);
    assert_eq!((library.len().unwrap(), changes() - before), (0, 2));
}

#[test]
fn two_processes_that_read_the_same_files_take_each_note_in_once() {
    let folder = workspace();
    let documents = folder.path().join("documents");
    fs::create_dir(&documents).unwrap();
    let mut dice = Dice(78);
    for number in 0..40 {
        let text = dice.questions(100).join("\n\n");
        fs::write(documents.join(format!("{number}.md")), text).unwrap();
    }
    let children: Vec<Child> = (0..3).map(|_| worker(folder.path(), "sync", 0)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(open(&folder).len().unwrap(), 4_000);
}

#[test]
fn processes_that_miss_the_same_files_take_each_note_out_once() {
    let folder = workspace();
    let (documents, away) = (folder.path().join("documents"), folder.path().join("away"));
    fs::create_dir(&documents).unwrap();
    let mut dice = Dice(82);
    for number in 0..40 {
        let text = dice.questions(300).join("\n\n");
        fs::write(documents.join(format!("{number}.md")), text).unwrap();
    }
    let mut library = open(&folder);
    for notes in [12_000, 0, 12_000] {
        let children: Vec<Child> = (0..3).map(|_| worker(folder.path(), "sync", 0)).collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        assert_eq!(library.len().unwrap(), notes);
        if notes > 0 && !away.exists() {
            fs::rename(&documents, &away).unwrap();
            fs::create_dir(&documents).unwrap();
        } else if away.exists() {
            fs::remove_dir(&documents).unwrap();
            fs::rename(&away, &documents).unwrap();
        }
    }
    assert!(!folder.path().join(".louver/recall.db.damaged").exists());
}

/// Fills a small disk with notes until there is no room, makes some, and goes on.
fn fill(disk: &Path) {
    let ballast = disk.join("ballast");
    fs::write(&ballast, vec![1; 1024 * 1024]).unwrap();
    let mut library = Library::open(disk).unwrap();
    let (mut dice, mut number) = (Dice(5), 0);
    fs::create_dir(disk.join("documents")).unwrap();
    fs::write(disk.join("documents/new.md"), dice.questions(300).join("\n\n")).unwrap();
    let error = loop {
        let notes: Vec<Note> = (number..number + 100).map(|n| dice.note("log", n)).collect();
        match library.put(&source("log", "1"), Held { notes, more: true }) {
            Ok(_) => number += 100,
            Err(error) => break error,
        }
        assert!(number < 100_000, "the disk is larger than it should be");
    };
    assert!(error.hint().contains("the disk is full"), "{error}: {}", error.hint());
    // What was there is there, also for another process, and nothing else is.
    assert_eq!(library.len().unwrap(), number);
    assert_eq!(Library::open(disk).unwrap().len().unwrap(), number);
    let mut reminder = Reminder::new(disk, places(disk), None);
    let (as_it_was, problems) = reminder.library(&mut |_| {}).unwrap();
    assert_eq!(as_it_was.len().unwrap(), number);
    assert!(problems[0].what.contains("what is new was not read"), "{problems:?}");
    // The last that is short enough to be given whole: how many fit is a matter of pages.
    let mut notes = (0..number).rev().filter_map(|n| library.get(&format!("log#{n}")).unwrap());
    let last = notes.find(|note| note.text.len() < 100).unwrap();
    assert!(has(&mut library, &last.text, &last.text));
    fs::remove_file(&ballast).unwrap();
    extend(&mut library, "log", (number..number + 100).map(|n| dice.note("log", n)).collect());
    assert_eq!(library.len().unwrap(), number + 100);
    // Where there is no room at all, not even the files beside the database can be made.
    drop(library);
    let mut file = fs::File::create(&ballast).unwrap();
    while file.write_all(&[1; 4096]).is_ok() {}
    drop(file);
    let mut note = || Held { notes: vec![dice.note("log", number + 100)], more: true };
    let mut unkept = Library::open(disk).unwrap();
    let error = unkept.put(&source("log", "1"), note()).unwrap_err();
    assert!(error.hint().contains("the disk is full"), "{error}: {}", error.hint());
    fs::remove_file(&ballast).unwrap();
    assert_eq!(Library::open(disk).unwrap().len().unwrap(), number + 100);
    assert!(!disk.join(".louver/recall.db.damaged").exists());
}

#[test]
fn a_full_disk_is_told_and_damages_nothing() {
    let folder = workspace();
    // In a name space of its own, so that nothing stays mounted.
    let in_a_small_disk = |then: &str| {
        let script = format!("mount -t tmpfs -o size=4m louver-test \"$0\" && {then}");
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-c", &script]).arg(folder.path());
        command
    };
    if !in_a_small_disk("true").status().is_ok_and(|status| status.success()) {
        skipped::skipped("a small disk cannot be mounted here");
        return;
    }
    let status = in_a_small_disk("exec \"$@\"")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "a_process_that_writes", "--include-ignored", "--nocapture"])
        .env("LOUVER_TEST_FOLDER", folder.path())
        .env("LOUVER_TEST_WORK", "full")
        .env("LOUVER_TEST_NOTES", "0")
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
}

#[test]
#[ignore = "a measurement: it prints how long adding and removing take"]
fn a_folder_of_many_notes_is_renamed() {
    let folder = workspace();
    let documents = folder.path().join("documents");
    fs::create_dir_all(documents.join("before")).unwrap();
    let mut dice = Dice(79);
    for number in 0..400 {
        let text = dice.questions(300).join("\n\n");
        fs::write(documents.join(format!("before/{number}.md")), text).unwrap();
    }
    let mut library = open(&folder);
    let timed = |library: &mut Library| {
        let started = std::time::Instant::now();
        let (done, _) = library.sync(&places(folder.path()), &mut |_| {}).unwrap();
        (done, started.elapsed())
    };
    eprintln!("adding: {:?}", timed(&mut library));
    fs::rename(documents.join("before"), documents.join("after")).unwrap();
    eprintln!("adding and removing: {:?}", timed(&mut library));
    fs::rename(documents.join("after"), folder.path().join("away")).unwrap();
    let is_done = std::sync::atomic::AtomicBool::new(false);
    let order = std::sync::atomic::Ordering::Relaxed;
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let (mut other, mut longest, mut number) = (open(&folder), Duration::ZERO, 0);
            while !is_done.load(order) {
                let started = std::time::Instant::now();
                extend(&mut other, "log", vec![event("Nobody has seen it.", "log", number)]);
                longest = longest.max(started.elapsed());
                number += 1;
                std::thread::sleep(Duration::from_millis(20));
            }
            (number, longest)
        });
        eprintln!("removing: {:?}", timed(&mut library));
        is_done.store(true, order);
        eprintln!("another's writes, and the longest: {:?}", other.join().unwrap());
    });
}

#[test]
#[ignore = "a measurement: it prints what many changes of one large file cost"]
fn a_large_file_is_changed_many_times() {
    let number = |name: &str, usual: usize| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let (notes, rounds) = (number("LOUVER_NOTES", 5_000), number("LOUVER_ROUNDS", 200));
    let folder = workspace();
    fs::create_dir_all(folder.path().join("documents")).unwrap();
    let file = folder.path().join("documents/list.md");
    let mut dice = Dice(83);
    let lines = dice.questions(notes);
    let mut library = open(&folder);
    for round in 0..=rounds {
        let text: Vec<String> = lines.iter().map(|line| format!("{line} Round {round}.")).collect();
        fs::write(&file, text.join("\n\n")).unwrap();
        let started = std::time::Instant::now();
        library.sync(&places(folder.path()), &mut |_| {}).unwrap();
        let synced = started.elapsed();
        if round % (rounds / 10).max(1) == 0 {
            let started = std::time::Instant::now();
            answers(&mut library, &lines[..20]);
            let asked = started.elapsed() / 20;
            let files =
                ["recall.db", "recall.db-wal"].map(|name| folder.path().join(".louver").join(name));
            let [size, log] =
                files.map(|file| fs::metadata(file).map_or(0, |meta| meta.len() / 1024));
            let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
            let memory = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
            eprintln!(
                "{round}: {} notes, {size} and {log} KB, sync {synced:?}, question {asked:?}, {memory}",
                library.len().unwrap()
            );
        }
    }
}
