//! What a session gives back: its events as they were, its messages as they were sent.

use std::path::Path;
use std::sync::Arc;

use louver_context::{Content, Message, Part, Picture, Role, ToolCall};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::log::Log;
use super::*;
use Durability::{Disk, Process};

pub(super) fn workspace() -> TempDir {
    TempDir::new().unwrap()
}

pub(super) fn write(workspace: &Path) -> Session {
    let (session, problems) = Session::open(workspace, "cli:direct", Mode::Write).unwrap();
    assert_eq!(problems, []);
    session
}

pub(super) fn read(workspace: &Path) -> (Session, Vec<Problem>) {
    Session::open(workspace, "cli:direct", Mode::Read).unwrap()
}

pub(super) fn said(text: &str) -> Event {
    Event::Said(Said { text: text.into(), ..Said::default() })
}

pub(super) fn note(text: &str) -> Event {
    Event::Note(Note { text: text.into(), ..Note::default() })
}

pub(super) fn reply(session: &Session, text: &str) -> Event {
    let message = session.keep(&Message::text(Role::Assistant, text)).unwrap();
    Event::Reply(Reply { message, ..Reply::default() })
}

fn sent(session: &Session, said: &[u64], texts: &[&str]) -> Event {
    let keep = |text: &&str| session.keep(&Message::text(Role::User, *text)).unwrap();
    let messages = texts.iter().map(keep).collect();
    Event::Sent(Sent { said: said.to_vec(), messages, ..Sent::default() })
}

/// The view as a list of ids and texts.
pub(super) fn seen(session: &Session) -> Vec<(u64, String)> {
    let (view, problems) = session.view();
    assert_eq!(problems, []);
    let text = |entry: &Entry| entry.message.texts().map(|text| text.to_string()).collect();
    view.messages.iter().map(|entry| (entry.id, text(entry))).collect()
}

fn row(id: u64, text: &str) -> (u64, String) {
    (id, text.to_owned())
}

#[test]
fn a_turn_is_seen_as_it_was_sent() {
    let dir = workspace();
    let mut session = write(dir.path());
    let id = session.append(&said("hi"), Process).unwrap();
    assert_eq!((id, seen(&session)), (2, vec![row(2, "hi")]));
    session.append(&sent(&session, &[2], &["[12:00]", "hi"]), Process).unwrap();
    session.append(&reply(&session, "hello"), Disk).unwrap();
    let wanted = vec![row(3, "[12:00]"), row(3, "hi"), row(4, "hello")];
    assert_eq!(seen(&session), wanted);
    assert_eq!(seen(&read(dir.path()).0), wanted);
    assert_eq!((session.last(), session.messages()), (4, 2));
}

#[test]
fn what_was_said_meanwhile_is_seen_where_it_was_sent() {
    let dir = workspace();
    let mut session = write(dir.path());
    session.append_all(&[said("a"), sent(&session, &[2], &["A"])], Process).unwrap();
    session.append(&said("b"), Process).unwrap();
    session.append(&reply(&session, "to a"), Process).unwrap();
    assert_eq!(seen(&session), [row(3, "A"), row(4, "b"), row(5, "to a")]);
    session.append(&sent(&session, &[4], &["B"]), Process).unwrap();
    assert_eq!(seen(&session), [row(3, "A"), row(5, "to a"), row(6, "B")]);
    // Sent again, it keeps its place and its id.
    session.append(&sent(&session, &[2], &["A2", "A3"]), Process).unwrap();
    let wanted = [row(3, "A2"), row(3, "A3"), row(5, "to a"), row(6, "B")];
    assert_eq!(seen(&session), wanted);
    assert_eq!(seen(&read(dir.path()).0), wanted);
}

#[test]
fn a_turn_that_was_cut_short_keeps_every_finished_step() {
    let dir = workspace();
    let mut session = write(dir.path());
    session.append(&said("go"), Process).unwrap();
    for step in 0..5 {
        let id = format!("call-{step}");
        let mut message = Message::new(Role::Assistant, Content::Null);
        let call = ToolCall {
            id: id.as_str().into(),
            name: "f".into(),
            arguments: "{}".into(),
            extra: Default::default(),
        };
        message.calls.push(call);
        let message = session.keep(&message).unwrap();
        let call = Call { id: id.clone(), name: "f".into(), ..Call::default() };
        let events = [
            Event::Reply(Reply { message, ..Reply::default() }),
            Event::Call(call),
            Event::Result(session.keep_result(&id, "f", &format!("done {step}")).unwrap()),
        ];
        // The last one dies while its tool runs.
        session.append_all(&events[..if step == 4 { 2 } else { 3 }], Process).unwrap();
    }
    drop(session);
    let (view, _) = write(dir.path()).view();
    assert_eq!(view.messages.len(), 1 + 4 * 2 + 1);
    let last = &view.messages[8];
    assert_eq!(*last.message, Message::result("call-3", "f", "done 3"));
    assert_eq!(view.messages[9].message.calls.len(), 1);
}

#[test]
fn pictures_are_kept_once_and_come_back_byte_for_byte() {
    let dir = workspace();
    let mut session = write(dir.path());
    let url = format!("data:image/png;base64,{}", "iVBORw0KGgoA".repeat(5_000));
    let picture = Arc::new(Picture::from_url(&url, Some("high")));
    let parts = vec![Part::Picture(picture.clone()), Part::Text("what is it?".into())];
    let message = Message::new(Role::User, Content::Parts(parts));
    for _ in 0..3 {
        let pictures = vec![session.keep_picture(&picture).unwrap()];
        session
            .append(
                &Event::Said(Said { text: "what is it?".into(), pictures, ..Said::default() }),
                Process,
            )
            .unwrap();
        let messages = vec![session.keep(&message).unwrap()];
        let said = vec![session.last()];
        session.append(&Event::Sent(Sent { said, messages, ..Sent::default() }), Disk).unwrap();
    }
    session.append(&said("and"), Process).unwrap();
    drop(session);
    let (session, _) = read(dir.path());
    let (view, problems) = session.view();
    assert_eq!(problems, []);
    assert!(view.messages[..3].iter().all(|entry| *entry.message == message));
    // Asked twice, it is the same message in memory: the file is not read again.
    assert!(Arc::ptr_eq(&view.messages[0].message, &session.view().0.messages[0].message));
    assert_eq!(std::fs::read_dir(session.folder().join("blobs")).unwrap().count(), 1);
    assert!(std::fs::metadata(session.folder().join("log.jsonl")).unwrap().len() < 4_000);
    std::fs::remove_dir_all(session.folder().join("blobs")).unwrap();
    let (view, problems) = read(dir.path()).0.view();
    assert_eq!((view.messages.len(), problems.len()), (4, 3));
}

#[test]
fn a_long_result_is_kept_beside_the_log_and_can_be_had_whole() {
    let dir = workspace();
    let mut session = write(dir.path());
    let long = "a line\n".repeat(10_000);
    let result = session.keep_result("1", "grep", &long).unwrap();
    let handle = result.blob.clone().unwrap();
    assert!(result.text.len() < 1_400 && result.text.contains(&handle));
    session.append(&Event::Result(result.clone()), Process).unwrap();
    drop(session);
    let (session, _) = read(dir.path());
    assert_eq!(session.blob(&handle).unwrap(), long.as_bytes());
    assert_eq!(seen(&session), [row(2, &result.text)]);
    assert_eq!(write(dir.path()).keep_result("1", "grep", "short").unwrap().blob, None);
}

#[test]
fn reductions_stay_and_summaries_stand_for_what_they_name() {
    let dir = workspace();
    let mut session = write(dir.path());
    let texts: Vec<Event> = ["one", "zwölf", "three", "four"].map(said).into();
    session.append_all(&texts, Process).unwrap();
    let reduced = |id, keep, text: &str| {
        Event::Reduced(Reduced { id, keep, text: text.into(), ..Reduced::default() })
    };
    // The cut falls into the middle of a letter and moves before it.
    session.append(&reduced(3, Some([0, 3]), "[…]"), Process).unwrap();
    session.append(&reduced(5, None, "[gone]"), Process).unwrap();
    session.append(&reduced(99, None, "nobody"), Process).unwrap();
    let wanted = [row(2, "one"), row(3, "zw[…]"), row(4, "three"), row(5, "[gone]")];
    assert_eq!(seen(&session), wanted);
    let summary = |text: &str, stands_for| {
        Event::Summary(Summary { text: text.into(), stands_for, ..Summary::default() })
    };
    session.append(&summary("1-2", [2, 3]), Process).unwrap();
    session.append(&summary("1-3", [2, 4]), Process).unwrap();
    assert_eq!(seen(&session), [row(5, "[gone]")]);
    let (view, _) = read(dir.path()).0.view();
    let texts: Vec<&str> = view.summaries.iter().map(|summary| &*summary.text).collect();
    assert_eq!(texts, ["1-3"]);
    // Going back behind a summary brings back what it stood for, shortened as it was.
    session.append(&Event::Undo(Undo { to: 3, ..Undo::default() }), Process).unwrap();
    assert_eq!(seen(&session), [row(2, "one"), row(3, "zw[…]")]);
    assert_eq!(seen(&read(dir.path()).0), [row(2, "one"), row(3, "zw[…]")]);
    assert_eq!(session.view().0.summaries, []);
    // Nothing has left the log.
    assert_eq!(session.events().unwrap().filter(|r| matches!(r.event, Event::Said(_))).count(), 4);
}

#[test]
fn going_back_between_said_and_sent_shows_what_was_said() {
    let dir = workspace();
    let mut session = write(dir.path());
    session.append_all(&[said("a"), sent(&session, &[2], &["A"]), said("b")], Process).unwrap();
    session.append(&Event::Undo(Undo { to: 2, ..Undo::default() }), Process).unwrap();
    assert_eq!(seen(&session), [row(2, "a")]);
    assert_eq!(seen(&read(dir.path()).0), [row(2, "a")]);
}

#[test]
fn the_prefix_and_the_cursor_are_the_last_ones() {
    let dir = workspace();
    let mut session = write(dir.path());
    for epoch in 1..3 {
        let tools = json!([{"type": "function", "function": {"name": "b", "a": 1}}]);
        let places = vec![("always".to_owned(), 3), ("session".to_owned(), 6)];
        let system = "sys\"em".into();
        let prefix = Prefix {
            epoch,
            system,
            places,
            tools,
            reason: "first turn".into(),
            ..Prefix::default()
        };
        session.append(&Event::Prefix(prefix), Process).unwrap();
    }
    session.append(&Event::Cursor(Cursor { to: 2, ..Cursor::default() }), Process).unwrap();
    let (view, _) = read(dir.path()).0.view();
    let prefix = view.prefix.unwrap();
    assert_eq!((prefix.epoch, &*prefix.system, view.cursor), (2, "sys\"em", 2));
    let tools = r#"[{"type":"function","function":{"name":"b","a":1}}]"#;
    assert_eq!(prefix.tools.to_string(), tools);
}

fn extra() -> impl Strategy<Value = Map<String, Value>> {
    let value = prop_oneof![
        Just(json!(null)),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no such number", |n| n.is_finite())
            .prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        any::<String>().prop_map(|text| json!({"a": [text, {"b": true}]})),
    ];
    proptest::collection::vec(("x_\\PC{0,3}", value), 0..3).prop_map(|v| v.into_iter().collect())
}

fn event() -> impl Strategy<Value = Event> {
    let text = any::<String>;
    prop_oneof![
        (text(), text(), text(), extra()).prop_map(|(channel, chat, text, extra)| {
            Event::Said(Said { channel, chat, text, extra, ..Said::default() })
        }),
        (
            proptest::collection::vec(0_u64..40, 0..3),
            proptest::collection::vec(text(), 0..3),
            extra()
        )
            .prop_map(|(said, texts, extra)| {
                let message = |text| Stored(json!({"role": "user", "content": text}));
                let messages = texts.into_iter().map(message).collect();
                Event::Sent(Sent { said, messages, epoch: 3, tokens: 9, extra, ..Sent::default() })
            }),
        (text(), extra(), extra()).prop_map(|(text, mut more, extra)| {
            more.insert("role".into(), "assistant".into());
            more.insert("content".into(), text.into());
            let (usage, finish) = (Some(json!({"total": 1})), Some("stop".into()));
            Event::Reply(Reply { message: Stored(Value::Object(more)), usage, finish, extra })
        }),
        (text(), text(), any::<bool>(), extra()).prop_map(|(id, text, ok, extra)| {
            Event::Result(CallResult { id, text, ok, extra, ..CallResult::default() })
        }),
        (0_u64..40, 0_u32..2, any::<Option<[u8; 2]>>(), text()).prop_map(
            |(id, part, keep, text)| {
                let keep = keep.map(|keep| keep.map(usize::from));
                Event::Reduced(Reduced { id, part, keep, text, ..Reduced::default() })
            }
        ),
        (text(), 0_u64..40, 0_u64..40).prop_map(|(text, first, last)| {
            Event::Summary(Summary { text, stands_for: [first, last], ..Summary::default() })
        }),
        (0_u64..40).prop_map(|to| Event::Undo(Undo { to, ..Undo::default() })),
        (text(), extra()).prop_map(|(text, extra)| Event::Note(Note { text, extra })),
        (text(), any::<u64>(), any::<Option<f32>>(), extra()).prop_map(
            |(model, input, cost, extra)| {
                let cost = cost.map(f64::from).filter(|cost| cost.is_finite());
                Event::Usage(Usage { model, input, cost, extra, ..Usage::default() })
            }
        ),
        ("[a-z]{3,9}", extra()).prop_map(|(kind, fields)| {
            Event::Unknown(Unknown { kind: format!("new-{kind}"), fields })
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]
    #[test]
    fn every_event_comes_back_and_every_way_to_the_view_is_the_same(
        mut batches in proptest::collection::vec(proptest::collection::vec(event(), 1..4), 1..12),
    ) {
        // What is sent was said before.
        for (event, n) in batches.iter_mut().flatten().zip(2..) {
            if let Event::Sent(sent) = event {
                sent.said.retain(|said| *said < n);
            }
        }
        let dir = workspace();
        let mut session = write(dir.path());
        for batch in &batches {
            session.append_all(batch, Process).unwrap();
        }
        let back: Vec<Event> = session.events().unwrap().skip(1).map(|record| record.event).collect();
        prop_assert_eq!(back, batches.concat());
        let numbers: Vec<u64> = session.events().unwrap().after(3).map(|record| record.n).collect();
        prop_assert_eq!(numbers, (4..=session.last()).collect::<Vec<_>>());
        // Kept while writing, read anew, and read without forgetting anything.
        let (reader, problems) = read(dir.path());
        prop_assert_eq!(problems, vec![]);
        let mut careful = Log::that_keeps_all("log");
        careful.read_on(&session.file).unwrap();
        let careful = careful.replay.view(&session.blobs).0;
        for view in [reader.view().0, careful] {
            prop_assert_eq!(&view.messages, &session.view().0.messages);
            prop_assert_eq!(&view.summaries, &session.view().0.summaries);
        }
    }
}

#[test]
fn what_a_call_returned_can_be_had_whole_by_its_id() {
    let dir = workspace();
    let mut session = write(dir.path());
    let long = "apples\n".repeat(9_000);
    let (whole, data) = (Some("head middle tail"), Some("head […] tail"));
    let printed = Output { words: "exit status 0", data, whole, failed: false };
    let results = [
        session.keep_result("call_1", "count", &long).unwrap(),
        session.keep_result("call_2", "count", "pears").unwrap(),
        session.keep_output("call_3", "exec", &printed).unwrap(),
    ];
    let handle = Session::handle_of("head middle tail");
    let mark = format!("[the whole is `{handle}`: expand shows it]");
    assert!(results[2].text.ends_with(&mark), "{}", results[2].text);
    session.append_all(&results.map(Event::Result), Process).unwrap();
    let kept = session.kept();
    assert_eq!(kept.result("call_1"), Some(long));
    assert_eq!(kept.result("call_2").as_deref(), Some("pears"));
    assert_eq!(kept.result("call_3").as_deref(), Some("head middle tail"));
    assert_eq!(kept.text(&handle).as_deref(), Some("head middle tail"));
    assert_eq!(kept.result("call_4"), None);
}
