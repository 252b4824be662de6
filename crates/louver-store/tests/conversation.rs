//! The prefix law over whole conversations: request n is a prefix of request n + 1 unless the log
//! names a new epoch, whatever is edited, shortened, interrupted or restarted in between.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use louver_context::epoch::Why;
use louver_context::message::{Message, Role, ToolCall};
use louver_context::render::openai;
use louver_context::{Context, Model, Picture, Tokens};
use louver_store::session::Output;
use louver_store::session::event::{Event, Usage};
use louver_store::{ContextBuilder, Conversation, Folder, Ready, Settings, Turn};
use proptest::prelude::*;
use serde_json::Value;

/// Something that happens.
#[derive(Debug, Clone)]
enum Step {
    /// A turn: what is said, whether with a picture, and how long each tool result is.
    Turn {
        text: String,
        picture: bool,
        results: Vec<usize>,
        interrupted: bool,
    },
    Edit {
        file: usize,
        text: String,
    },
    Skill(String),
    Restart,
    Undo,
    Anew,
}

fn step() -> impl Strategy<Value = Step> {
    let text = "[a-z ]{1,80}";
    prop_oneof![
        8 => (text, prop::bool::weighted(0.2), prop::collection::vec(10usize..30_000, 0..4), prop::bool::weighted(0.15))
            .prop_map(|(text, picture, results, interrupted)| Step::Turn { text, picture, results, interrupted }),
        3 => (0usize..3, "([A-Za-z ]{1,30}\n){1,5}").prop_map(|(file, text)| Step::Edit { file, text }),
        1 => "[a-z]{3,8}".prop_map(Step::Skill),
        2 => Just(Step::Restart),
        1 => Just(Step::Undo),
        1 => Just(Step::Anew),
    ]
}

const FILES: [&str; 3] = ["AGENTS.md", "memory/MEMORY.md", "USER.md"];

fn builder(folder: &Path, window: u32) -> ContextBuilder {
    let mut model = Model::named("gpt-4o");
    (model.window, model.reply) = (Tokens(window), Tokens(window / 8));
    let settings = Settings { model, built_in_skills: false, ..Settings::default() };
    ContextBuilder::new(Folder::open(folder).unwrap(), settings)
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn request(context: &Context) -> Vec<Value> {
    openai::messages(&context.prompt)
}

fn picture() -> Arc<Picture> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x10\0\0\0\x10".to_vec();
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    Arc::new(Picture::from_bytes(&bytes).unwrap())
}

/// Runs a turn to its end and gives back its requests and what began it.
fn turn(
    conversation: &mut Conversation,
    builder: &mut ContextBuilder,
    (text, with_picture, results, interrupted): (&str, bool, &[usize], bool),
) -> Option<(Vec<Vec<Value>>, Ready)> {
    let turn = Turn {
        message: text.into(),
        pictures: if with_picture { vec![picture()] } else { Vec::new() },
        now: Some("2026-03-10T09:15[UTC]".parse().unwrap()),
        ..Turn::default()
    };
    let ready = conversation.begin(builder, &turn).ok()?;
    let mut context = ready.context.clone();
    let mut requests = vec![request(&context)];
    for (i, length) in results.iter().enumerate() {
        // Some servers name the calls of every answer alike, and some models do not write JSON.
        let mut reply = Message::new(Role::Assistant, louver_context::Content::Null);
        reply.calls.push(ToolCall {
            id: format!("call_{}", i % 2).into(),
            name: "read_file".into(),
            arguments: if length % 2 == 0 { "{}" } else { "{\"path\": \"a" }.into(),
            extra: Default::default(),
        });
        let reply = conversation.replied(&reply, None, None).unwrap();
        let id = reply.calls[0].id.clone();
        if interrupted && i + 1 == results.len() {
            return Some((requests, ready));
        }
        let text = "line of text\n".repeat(length / 13);
        let output = Output { data: Some(&text), ..Output::default() };
        let result = conversation.result(&id, "read_file", &output).unwrap();
        let recipe = builder.recipe();
        if context.push(&recipe, reply).is_err() || context.push(&recipe, result).is_err() {
            return Some((requests, ready));
        }
        requests.push(request(&context));
    }
    conversation
        .replied(&Message::text(Role::Assistant, format!("I see: {text}")), None, None)
        .unwrap();
    conversation.end(Usage::default()).unwrap();
    Some((requests, ready))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_request_extends_the_one_before_it_unless_an_epoch_begins(
        steps in prop::collection::vec(step(), 1..25), window in 3000u32..20_000,
    ) {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        FILES.iter().for_each(|name| write(folder, name, "one\ntwo\nthree\n"));
        let mut engine = builder(folder, window);
        let mut conversation = Conversation::open(folder, "cli:direct").unwrap().0;
        let mut last: Vec<Value> = Vec::new();
        let mut excused = true;
        let mut sent: Vec<Vec<Value>> = Vec::new();
        for step in steps {
            match step {
                Step::Turn { text, picture, results, interrupted } => {
                    let Some((requests, ready)) =
                        turn(&mut conversation, &mut engine, (&text, picture, &results, interrupted))
                    else { excused = true; continue };
                    if !ready.begins_epoch() {
                        prop_assert!(!excused, "a first turn begins an epoch");
                        prop_assert!(requests[0].starts_with(&last), "{:#?}\n{:#?}", last, requests[0]);
                    }
                    for pair in requests.windows(2) {
                        prop_assert!(pair[1].starts_with(&pair[0]));
                    }
                    let budget = engine.settings().model.budget();
                    prop_assert!(ready.context.ledger.total <= budget);
                    last = requests.last().unwrap().clone();
                    sent.push(requests[0].clone());
                    excused = false;
                }
                Step::Edit { file, text } => write(folder, FILES[file], &text),
                Step::Skill(name) => write(folder, &format!("skills/{name}/SKILL.md"), "---\ndescription: New\n---\n"),
                Step::Restart => {
                    drop(conversation);
                    engine = builder(folder, window);
                    conversation = Conversation::open(folder, "cli:direct").unwrap().0;
                }
                Step::Undo => { conversation.undo().unwrap(); }
                Step::Anew => conversation.anew(),
            }
        }
        prop_assume!(!sent.is_empty());
        for (n, request_then) in sent.iter().enumerate() {
            let again = conversation.sent(&engine, n + 1).unwrap();
            prop_assert_eq!(&request(&again), request_then, "turn {} as it was sent", n + 1);
        }
    }
}

/// A conversation of two plain turns in a folder.
fn begun(folder: &Path) -> (ContextBuilder, Conversation) {
    write(folder, "AGENTS.md", "Be brief.\n");
    let mut engine = builder(folder, 20_000);
    let mut conversation = Conversation::open(folder, "cli:direct").unwrap().0;
    for text in ["hello", "and again"] {
        turn(&mut conversation, &mut engine, (text, false, &[], false)).unwrap();
    }
    (engine, conversation)
}

fn reasons(conversation: &mut Conversation) -> Vec<String> {
    let events = conversation.session().events().unwrap();
    events
        .filter_map(|record| match record.event {
            Event::Prefix(prefix) => Some(prefix.reason),
            _ => None,
        })
        .collect()
}

#[test]
fn a_changed_file_is_told_after_the_history_and_once() {
    let home = tempfile::tempdir().unwrap();
    let (mut engine, mut conversation) = begun(home.path());
    write(home.path(), "AGENTS.md", "Be brief.\nAnd kind.\n");
    let (first, ready) =
        turn(&mut conversation, &mut engine, ("go on", false, &[], false)).unwrap();
    assert!(!ready.begins_epoch());
    let text = first[0].last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(text.contains("AGENTS.md:\n+ And kind.\n"), "{text}");
    let (second, _) = turn(&mut conversation, &mut engine, ("and on", false, &[], false)).unwrap();
    let text = second[0].last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(!text.contains("And kind."), "{text}");
    assert_eq!(reasons(&mut conversation), ["first"]);
}

#[test]
fn a_cold_cache_takes_changes_into_a_new_epoch() {
    let home = tempfile::tempdir().unwrap();
    let (mut engine, mut conversation) = begun(home.path());
    conversation.remembers(std::time::Duration::ZERO);
    write(home.path(), "AGENTS.md", "Be kind.\n");
    let (requests, ready) =
        turn(&mut conversation, &mut engine, ("go on", false, &[], false)).unwrap();
    assert_eq!(ready.epoch.reason, Why::Cold);
    assert!(requests[0][0]["content"].as_str().unwrap().contains("Be kind."));
}

#[test]
fn a_long_history_is_reduced_at_once_and_stays_so() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "AGENTS.md", "Be brief.\n");
    let mut engine = builder(home.path(), 40_000);
    let mut conversation = Conversation::open(home.path(), "cli:direct").unwrap().0;
    let mut totals = Vec::new();
    for n in 0..80 {
        let text = format!("message {n} {}", "with some more words ".repeat(20));
        let (_, ready) =
            turn(&mut conversation, &mut engine, (&text, false, &[4000], false)).unwrap();
        totals.push((ready.context.ledger.total.0, ready.begins_epoch()));
    }
    let epochs = reasons(&mut conversation);
    assert!(epochs.len() > 1 && epochs.len() < 15, "epochs are rare: {epochs:?}");
    assert!(epochs[1..].iter().all(|reason| reason == "room"), "{epochs:?}");
    let ready = conversation.preview(&mut engine, &Turn::default()).unwrap();
    let system = &ready.context.prompt.system;
    assert!(system.contains(" tokens, not shown here: they are `cli:direct#2` to `#"), "{system}");
    let ledger = &ready.context.ledger;
    let gone = ledger.left_out.iter().filter(|gone| gone.layer == "history");
    assert!(gone.map(|gone| gone.tokens.0).sum::<u32>() > 5000, "{:?}", ledger.left_out);
    let budget = engine.settings().model.budget().0;
    let after_reduction =
        totals.iter().skip(1).filter(|(_, begins)| *begins).map(|(total, _)| *total);
    assert!(after_reduction.max().unwrap() < budget * 75 / 100, "{totals:?} of {budget}");
    let said = louver_store::export::everything(conversation.session());
    assert!(
        said.iter().any(|(_, _, text)| text.starts_with("message 0 ")),
        "the log keeps everything"
    );
}

#[test]
fn an_interrupted_call_is_answered_for_good() {
    let home = tempfile::tempdir().unwrap();
    let (mut engine, mut conversation) = begun(home.path());
    turn(&mut conversation, &mut engine, ("look", false, &[100, 100], true)).unwrap();
    drop(conversation);
    let mut conversation = Conversation::open(home.path(), "cli:direct").unwrap().0;
    let (requests, _) = turn(&mut conversation, &mut engine, ("go on", false, &[], false)).unwrap();
    let results: Vec<&str> = requests[0]
        .iter()
        .filter(|m| m["role"] == "tool")
        .map(|m| m["content"].as_str().unwrap())
        .collect();
    assert_eq!(results.len(), 2, "the finished step is there, and the lost one says so");
    assert!(results[1].contains("interrupted"), "{results:?}");
}

#[test]
fn a_message_that_does_not_fit_costs_only_itself() {
    let home = tempfile::tempdir().unwrap();
    let (mut engine, mut conversation) = begun(home.path());
    let huge = "word ".repeat(50_000);
    assert!(turn(&mut conversation, &mut engine, (&huge, false, &[], false)).is_none());
    let (requests, ready) =
        turn(&mut conversation, &mut engine, ("still there?", false, &[], false)).unwrap();
    assert!(!ready.begins_epoch(), "the prefix holds");
    assert!(!requests[0].iter().any(|m| m.to_string().contains("word word")));
    let said = louver_store::export::everything(conversation.session());
    assert!(said.iter().any(|(_, _, text)| text.starts_with("word word")), "the log keeps it");
    assert_eq!(request(&conversation.sent(&engine, 3).unwrap()), requests[0]);
}

#[test]
fn a_turn_that_read_more_than_the_window_holds_does_not_stop_the_next() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), "AGENTS.md", "Be brief.\n");
    let mut engine = builder(home.path(), 6000);
    let mut conversation = Conversation::open(home.path(), "cli:direct").unwrap().0;
    let long = [15_000, 15_000, 15_000];
    turn(&mut conversation, &mut engine, ("read it all", false, &long, false)).unwrap();
    for text in ["and now?", "still there?"] {
        let (requests, _) =
            turn(&mut conversation, &mut engine, (text, false, &[], false)).unwrap();
        assert!(
            requests[0]
                .iter()
                .any(|m| m["content"].as_str().is_some_and(|t| t.contains("left out")))
        );
    }
}

#[test]
fn a_new_day_tells_of_its_notes_and_of_nothing_that_is_gone() {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("AGENTS.md", "Be brief.\n"),
        ("BOOTSTRAP.md", "Introduce yourself.\n"),
        ("memory/2026-03-09.md", "- old note\n"),
        ("memory/2026-03-11.md", "- new note\n"),
    ] {
        write(home.path(), name, text);
    }
    let mut engine = builder(home.path(), 20_000);
    let mut conversation = Conversation::open(home.path(), "cli:direct").unwrap().0;
    let mut say = |day: &str| {
        let now = Some(format!("{day}T09:15[UTC]").parse().unwrap());
        let turn = Turn { message: "hello".into(), now, ..Turn::default() };
        let ready = conversation.begin(&mut engine, &turn).unwrap();
        conversation.replied(&Message::text(Role::Assistant, "hi"), None, None).unwrap();
        request(&ready.context)
    };
    let first = say("2026-03-10");
    let system = first[0]["content"].as_str().unwrap();
    assert!(system.contains("Introduce yourself.") && system.contains("- old note"), "{system}");
    let second = say("2026-03-11");
    let text = second.last().unwrap()["content"].as_str().unwrap();
    assert!(text.contains("memory/2026-03-11.md:\n+ - new note"), "{text}");
    assert!(!text.contains("is gone"), "{text}");
}

#[test]
fn no_more_rounds_are_sent_than_settings_allow() {
    let folder = tempfile::TempDir::new().unwrap();
    let settings = Settings { rounds: Some(4), built_in_skills: false, ..Settings::default() };
    let mut builder = ContextBuilder::new(Folder::open(folder.path()).unwrap(), settings);
    let (mut conversation, _) = Conversation::open(folder.path(), "cli:direct").unwrap();
    let mut rounds = Vec::new();
    for n in 0..12 {
        let turn = Turn { message: format!("round {n}"), ..Turn::default() };
        let shown = request(&conversation.preview(&mut builder, &turn).unwrap().context);
        let ready = conversation.begin(&mut builder, &turn).unwrap();
        assert_eq!(request(&ready.context), shown, "what is shown is what is sent");
        let prompt = &ready.context.prompt;
        let before = &prompt.messages[..prompt.history];
        rounds.push(before.iter().filter(|message| message.role == Role::User).count());
        let reply = Message::text(Role::Assistant, "ok");
        conversation.replied(&reply, None, None).unwrap();
        conversation.end(Usage::default()).unwrap();
    }
    // Each fall is an epoch; in between the prefix holds.
    assert_eq!(rounds, [0, 1, 2, 3, 4, 2, 3, 4, 2, 3, 4, 2]);
    assert_eq!(reasons(&mut conversation), ["first", "rounds", "rounds", "rounds"]);
}
