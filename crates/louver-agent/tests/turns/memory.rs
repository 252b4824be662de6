//! Memory: made of old messages, kept out of what others read.

use std::fs;

use louver_agent::agent::Inbound;
use louver_agent::consolidation::{How, NotMemorised};
use louver_agent::happening::{Answer, Happening};
use louver_store::library::Library;
use louver_store::memory::{Change, waiting};
use louver_store::notes::Places;
use louver_store::session::Durability;
use louver_store::session::event::{Event, Summary, Untold};
use louver_store::{Conversation, Folder, Owner};
use serde_json::{Value, json};

use crate::stage::{Plan, SESSION, Stage, Told, WAYS};

const MEMORY: &str = "# Memory\n\n- The shop is in Lyon.\n";

/// Answers that repeat what was said, and a memory that is made of it.
fn script(memory: Value) -> Value {
    json!({"rules": [
        {"when": {"system": "You keep the memory of a personal assistant"}, "answer": memory},
        {"answer": {"text": "You said: {{last_user}}"}}
    ]})
}

fn saved(entry: &str, update: &str) -> Value {
    json!({"calls": [{"name": "save_memory",
        "arguments": {"history_entry": entry, "memory_update": update}}]})
}

async fn talk(stage: &Stage, turns: std::ops::Range<usize>) {
    for n in turns {
        stage.answer(&format!("Fact number {n}: wheel {n} has {} spokes.", n + 20)).await;
    }
}

#[tokio::test]
async fn a_hundred_messages_become_memory_and_leave_the_view() {
    for way in WAYS {
        let entry = "[2026-03-10 12:00] Wheels were counted, from 20 spokes on.";
        let update = format!("{MEMORY}- Wheels are counted in spokes.\n");
        let stage = Stage::new(script(saved(entry, &update)), Plan::new(way));
        stage.write("memory/MEMORY.md", MEMORY);
        talk(&stage, 0..49).await;
        let none = stage.agent.consolidate(SESSION, false, How::WhenDue).await.unwrap();
        assert_eq!(none, None, "{way:?}: 98 messages are not too many");
        talk(&stage, 49..50).await;
        let before = stage.body(0);
        let made = stage.agent.consolidate(SESSION, false, How::WhenDue).await.unwrap().unwrap();
        assert_eq!((made.messages, made.entry.as_str()), (50, entry), "{way:?}");
        assert!(matches!(made.change, Some(Change::Version(_))), "{:?}", made.change);

        let asked = stage.body(0);
        assert!(asked["tool_choice"].to_string().contains("save_memory"), "{way:?} {asked}");
        assert!(asked["messages"].to_string().contains("Fact number 0:"), "{way:?}");
        let read = |name: &str| fs::read_to_string(stage.path().join(name)).unwrap();
        assert!(read("memory/HISTORY.md").contains(entry), "{way:?}");
        assert!(read("memory/MEMORY.md").contains("counted in spokes"), "{way:?}");
        let (view, _) = stage.conversation().session().view();
        assert!(view.cursor > 0 && view.messages.iter().all(|entry| entry.id > view.cursor));

        stage.answer("And now?").await;
        let after = stage.body(0);
        let sent = after["messages"].to_string();
        assert!(!sent.contains("Fact number 0:") && sent.contains("Fact number 49:"), "{way:?}");
        assert!(after.to_string().contains("Wheels were counted"), "the summary stands for them");
        assert!(after.to_string().contains("counted in spokes"), "{way:?}");
        assert!(after.to_string().len() < before.to_string().len(), "{way:?}");
        assert_eq!(stage.agent.consolidate(SESSION, false, How::WhenDue).await.unwrap(), None);
        stage.is_clean();
    }
}

#[tokio::test]
async fn memory_is_made_without_what_was_forgotten_and_the_file_keeps_it() {
    let secret = "- The safe is at 1-9-4.";
    let memory = format!("# Memory\n\n{secret}\n- The shop is in Lyon.\n");
    let update = format!("{MEMORY}- Wheels are counted in spokes.\n");
    let entry = "[2026-03-10 12:00] Wheels were counted.";
    let stage = Stage::new(script(saved(entry, &update)), Plan::new(WAYS[0]));
    stage.write("memory/MEMORY.md", &memory);
    let mut library = Library::open(stage.path()).unwrap();
    let places = Places {
        folder: Folder::open(stage.path()).unwrap(),
        documents: Vec::new(),
        away: Vec::new(),
        owner: Owner::default(),
    };
    library.sync(&places, &mut |_| {}).unwrap();
    library.forget("memory/MEMORY.md:3").unwrap().unwrap();
    talk(&stage, 0..3).await;
    let made = stage.agent.consolidate(SESSION, false, How::Now).await.unwrap().unwrap();
    assert!(matches!(made.change, Some(Change::Version(_))), "{:?}", made.change);
    let asked = stage.body(0).to_string();
    assert!(asked.contains("The shop is in Lyon") && !asked.contains("1-9-4"), "{asked}");
    let written = fs::read_to_string(stage.path().join("memory/MEMORY.md")).unwrap();
    assert_eq!(written, format!("{memory}- Wheels are counted in spokes.\n"));
    stage.answer("And now?").await;
    assert!(!stage.body(0).to_string().contains("1-9-4"));
    stage.is_clean();
}

#[tokio::test]
async fn a_mark_makes_room_for_what_tells_of_a_part_of_it() {
    let entry = "[2026-03-10 12:00] Wheels were counted.";
    let stage = Stage::new(script(saved(entry, MEMORY)), Plan::new(WAYS[0]));
    talk(&stage, 0..4).await;
    {
        let mut conversation = Conversation::open(stage.path(), SESSION).unwrap().0;
        let (view, _) = conversation.session().view();
        let [first, last] = [&view.messages[0], &view.messages[7]];
        let untold = Some(Untold { messages: 8, tokens: 900, rounds: None });
        let stands_for = [first.said.unwrap()[0], last.id];
        let mark = Summary { text: "[mark]".into(), stands_for, untold, ..Summary::default() };
        conversation.session().append(&Event::Summary(mark), Durability::Disk).unwrap();
    }
    let made = stage.agent.consolidate(SESSION, false, How::Now).await.unwrap().unwrap();
    assert_eq!(made.messages, 6, "all but the last exchange");
    stage.answer("And now?").await;
    let sent = stage.body(0).to_string();
    assert!(sent.contains("Wheels were counted."), "{sent}");
    assert!(
        sent.contains("[2 earlier messages of this conversation"),
        "the mark stands for the rest: {sent}"
    );
    assert!(!sent.contains("[8 earlier messages"), "{sent}");
    let note =
        format!("{SESSION}#{}", stage.conversation().session().view().0.summaries[1].stands_for[0]);
    assert!(sent.contains(&note), "{note} {sent}");
    stage.is_clean();
}

#[tokio::test]
async fn a_few_long_messages_become_memory_as_well() {
    for way in WAYS {
        let entry = "[2026-03-10 12:00] Long things were said.";
        let mut plan = Plan::new(way);
        plan.window = Some((12_000, 2_000));
        let stage = Stage::new(script(saved(entry, "")), plan);
        for n in 0..4 {
            stage.answer(&format!("Long {n}: {}", "many words about wheels ".repeat(200))).await;
        }
        let made = stage.agent.consolidate(SESSION, false, How::WhenDue).await.unwrap().unwrap();
        assert_eq!(made.change, Some(Change::Same), "{way:?}");
        assert!(made.messages >= 2, "{way:?} {made:?}");
        let before = stage.body(1).to_string().len();
        stage.answer("And now?").await;
        assert!(stage.body(0).to_string().len() < before, "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_bad_answer_changes_nothing_waits_and_the_next_try_may_work() {
    for way in WAYS {
        let bad = [
            json!({"text": "I would rather not."}),
            json!({"calls": [{"name": "save_memory", "arguments": {"memory_update": "# Gone"}}]}),
            json!({"calls": [{"name": "save_memory", "arguments": "{\"history_entry\": \"[20"}]}),
            json!({"fault": "empty"}),
            json!({"fault": "quota"}),
            json!({"calls": [{"name": "save_memory", "arguments": {"history_entry": "x"}}], "finish": "length"}),
        ];
        let mut rules: Vec<Value> = Vec::new();
        let when = json!({"system": "You keep the memory of a personal assistant"});
        rules.extend(bad.iter().map(|bad| json!({"when": when, "times": 1, "answer": bad})));
        let good = saved("[2026-03-10 12:00] Fine.", "");
        rules.push(json!({"when": when, "answer": good}));
        rules.push(json!({"answer": {"text": "ok"}}));
        let mut plan = Plan::new(way);
        plan.habits.memory_window = 6;
        let stage = Stage::new(json!({"rules": rules}), plan);
        stage.write("memory/MEMORY.md", MEMORY);
        talk(&stage, 0..4).await;
        let before = stage.conversation().session().view().0.messages.len();
        for bad in &bad {
            let failed = stage.agent.consolidate(SESSION, false, How::Now).await;
            assert!(failed.is_err(), "{way:?} {bad} {failed:?}");
            // A turn does not try again so soon.
            let sent = stage.requests().len();
            let none = stage.agent.consolidate(SESSION, false, How::WhenDue).await.unwrap();
            assert_eq!((none, stage.requests().len()), (None, sent), "{way:?} {bad}");
            let memory = fs::read_to_string(stage.path().join("memory/MEMORY.md")).unwrap();
            assert_eq!(memory, MEMORY, "{way:?} {bad}");
            assert!(!stage.path().join("memory/HISTORY.md").exists(), "{way:?} {bad}");
            let (view, _) = stage.conversation().session().view();
            assert_eq!((view.messages.len(), view.cursor), (before, 0), "{way:?} {bad}");
        }
        assert_eq!(waiting(stage.path())[0].failures, bad.len() as u32, "{way:?}");
        // What was answered is paid for, also when it is no use. A server that refused has no bill.
        let mut conversation = stage.conversation();
        let paid = conversation.session().events().unwrap().filter(
            |record| matches!(&record.event, Event::Usage(usage) if usage.cause == "consolidation"),
        );
        assert_eq!(paid.count(), bad.len() - 1, "{way:?}");
        drop(conversation);
        let made = stage.agent.consolidate(SESSION, false, How::Now).await.unwrap().unwrap();
        assert_eq!(made.entry, "[2026-03-10 12:00] Fine.", "{way:?}");
        assert_eq!(waiting(stage.path()), [], "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn memory_that_waits_is_tried_again_when_there_is_hardly_room_left() {
    let mut plan = Plan::new(WAYS[1]);
    plan.window = Some((12_000, 2_000));
    let stage = Stage::new(script(json!({"fault": {"status": 500}})), plan);
    let long = "many words about wheels ".repeat(200);
    for _ in 0..4 {
        stage.answer(&long).await;
    }
    let tries = || asked_about(&stage, "wheels");
    for _ in 0..2 {
        let failed = stage.agent.consolidate(SESSION, false, How::WhenDue).await;
        assert_eq!((failed.ok().flatten(), tries()), (None, 1), "once, and then it waits");
    }
    stage.answer(&long).await;
    assert!(stage.agent.consolidate(SESSION, false, How::WhenDue).await.is_err());
    assert_eq!(tries(), 2);
    stage.is_clean();
}

#[tokio::test]
async fn a_memory_that_lost_too_much_is_only_proposed() {
    let way = WAYS[0];
    let mut plan = Plan::new(way);
    plan.habits.memory_window = 6;
    let stage = Stage::new(script(saved("[2026-03-10 12:00] Counted.", "# Nothing")), plan);
    let facts: String = (0..40).map(|n| format!("- Wheel {n} has {n} spokes.\n")).collect();
    stage.write("memory/MEMORY.md", &format!("# Memory\n\n{facts}"));
    talk(&stage, 0..4).await;
    let made = stage.agent.consolidate(SESSION, false, How::WhenDue).await.unwrap().unwrap();
    assert!(matches!(made.change, Some(Change::Proposed(_))), "{made:?}");
    assert!(made.told().contains("louver memory proposals"), "{}", made.told());
    let memory = fs::read_to_string(stage.path().join("memory/MEMORY.md")).unwrap();
    assert!(memory.contains("Wheel 39"), "{memory}");
    stage.is_clean();
}

#[tokio::test]
async fn a_session_goes_on_while_its_memory_is_made() {
    let way = WAYS[0];
    let mut plan = Plan::new(way);
    plan.habits.memory_window = 6;
    let slow = json!({"calls": [{"name": "save_memory",
        "arguments": {"history_entry": "[2026-03-10 12:00] Counted.", "memory_update": ""}}],
        "fault": {"slow_ms": 1}});
    let stage = Stage::new(script(slow), plan);
    talk(&stage, 0..4).await;
    let (made, said) = tokio::join!(
        stage.agent.consolidate(SESSION, false, How::WhenDue),
        stage.answer("Said meanwhile.")
    );
    assert!(made.unwrap().is_some() && said.contains("Said meanwhile."));
    stage.answer("And now?").await;
    let sent = stage.body(0)["messages"].to_string();
    assert!(sent.contains("Said meanwhile.") && !sent.contains("Fact number 0:"), "{sent}");
    stage.is_clean();
}

/// How many requests for memory were told this.
fn asked_about(stage: &Stage, fact: &str) -> usize {
    let requests = stage.requests();
    let bodies = requests.iter().map(|request| request.body.to_string());
    bodies.filter(|body| body.contains("save_memory") && body.contains(fact)).count()
}

#[tokio::test]
async fn memory_is_made_once_of_each_message_however_many_ask_for_it() {
    for second in [How::WhenDue, How::Now, How::All] {
        let mut plan = Plan::new(WAYS[1]);
        plan.habits.memory_window = 6;
        let mut slow = saved("[2026-03-10 12:00] Counted.", "");
        slow["fault"] = json!({"slow_ms": 1});
        let stage = Stage::new(script(slow), plan);
        talk(&stage, 0..4).await;
        // It shares nothing with the first but the disk, as another process would.
        let mut plan = Plan::new(WAYS[1]);
        plan.habits.memory_window = 6;
        let other = stage.again(plan);
        let (first, then) = tokio::join!(
            stage.agent.consolidate(SESSION, false, How::WhenDue),
            other.agent.consolidate(SESSION, false, second)
        );
        let (first, then) = (first.unwrap().unwrap(), then.unwrap());
        let counts = [0, 1, 2, 3].map(|n| asked_about(&stage, &format!("Fact number {n}:")));
        let (made, expected) = match second {
            How::WhenDue => (None, [1, 1, 0, 0]),
            How::Now => (Some(2), [1, 1, 1, 0]),
            How::All => (Some(4), [1, 1, 1, 1]),
        };
        assert_eq!(counts, expected, "{second:?}");
        assert_eq!((first.messages, then.map(|then| then.messages)), (4, made), "{second:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn what_is_taken_back_while_memory_is_made_of_it_does_not_become_memory() {
    for session in [SESSION, "telegram:eve"] {
        let update = format!("{MEMORY}- Wheels are counted in spokes.\n");
        let mut slow = saved("[2026-03-10 12:00] Counted.", &update);
        slow["fault"] = json!({"slow_ms": 1});
        let stage = Stage::new(script(slow), Plan::new(WAYS[1]));
        stage.write("memory/MEMORY.md", MEMORY);
        for n in 0..3 {
            let said = Inbound::said(session, format!("Fact number {n}: it is a secret."));
            stage.turn(said, Answer::Nobody).await.outcome.unwrap();
        }
        let undo = async {
            while !stage.body(0).to_string().contains("save_memory") {
                tokio::task::yield_now().await;
            }
            // The last exchange, of which no memory is being made, and the one before it.
            for _ in 0..2 {
                let undone =
                    stage.agent.with_session(session, |conversation, _| conversation.undo());
                undone.await.unwrap().unwrap().unwrap();
            }
        };
        let (failed, ()) = tokio::join!(stage.agent.consolidate(session, false, How::Now), undo);
        assert!(matches!(failed, Err(NotMemorised::TakenBack)), "{session} {failed:?}");
        let memory = fs::read_to_string(stage.path().join("memory/MEMORY.md")).unwrap();
        assert_eq!(memory, MEMORY, "{session}");
        assert!(!stage.path().join("memory/HISTORY.md").exists(), "{session}");
        assert_eq!(waiting(stage.path()), [], "the model did nothing wrong");
        // It is paid for, and what stands is asked about the next time.
        let (mut read, _) = Conversation::read(stage.path(), session).unwrap();
        let events = read.session().events().unwrap();
        let paid = events.filter(
            |record| matches!(&record.event, Event::Usage(usage) if usage.cause == "consolidation"),
        );
        assert_eq!(paid.count(), 1, "{session}");
        let made = stage.agent.consolidate(session, false, How::All).await.unwrap().unwrap();
        assert_eq!(made.messages, 2, "{session}");
        assert!(!stage.body(0).to_string().contains("Fact number 1"), "{session}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_session_that_begins_anew_remembers_and_does_not_repeat() {
    for way in WAYS {
        let update = format!("{MEMORY}- Wheels are counted in spokes.\n");
        let stage =
            Stage::new(script(saved("[2026-03-10 12:00] Counted.", &update)), Plan::new(way));
        stage.write("memory/MEMORY.md", MEMORY);
        talk(&stage, 0..3).await;
        let made = stage.agent.consolidate(SESSION, false, How::All).await.unwrap().unwrap();
        assert_eq!(made.messages, 6, "{way:?}");
        stage.answer("Hello again.").await;
        let sent = stage.body(0);
        assert!(!sent.to_string().contains("Fact number"), "{way:?} {sent}");
        assert!(sent.to_string().contains("counted in spokes"), "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn what_is_remembered_of_the_person_stays_out_where_others_read_along() {
    for way in WAYS {
        let stage = Stage::new(script(json!({})), Plan::new(way));
        stage.write("memory/MEMORY.md", "# Memory\n\n- The safe opens with violet-seven.\n");
        stage.write("memory/2026-03-10.md", "Bought a ring, do not tell.\n");
        let at = |others: bool, session: &str| Inbound {
            others,
            now: Some("2026-03-10T12:00[UTC]".parse().unwrap()),
            ..Inbound::said(session, "Hello")
        };
        stage.turn(at(true, "group:many"), Answer::Nobody).await.outcome.unwrap();
        let sent = stage.body(0).to_string();
        for secret in ["violet-seven", "Bought a ring"] {
            assert!(!sent.contains(secret), "{way:?} {secret}");
        }
        stage.turn(at(false, SESSION), Answer::Nobody).await.outcome.unwrap();
        let sent = stage.body(0).to_string();
        for known in ["violet-seven", "Bought a ring"] {
            assert!(sent.contains(known), "{way:?} {known}");
        }
        stage.is_clean();
    }
}

#[tokio::test]
async fn what_is_remembered_of_the_person_stays_out_of_sessions_that_are_not_theirs() {
    let stage = Stage::new(script(json!({})), Plan::new(WAYS[0]));
    stage.write("memory/MEMORY.md", "# Memory\n\n- The safe opens with violet-seven.\n");
    stage.write("memory/2026-03-10.md", "Bought a ring, do not tell.\n");
    let said = |session: &str| Inbound {
        now: Some("2026-03-10T12:00[UTC]".parse().unwrap()),
        ..Inbound::said(session, "Hello")
    };
    let problems = |told: &Told| {
        let said = told.heard.iter().filter_map(|heard| match heard {
            Happening::Problem(problem) => Some((problem.to_string(), problem.hint.clone())),
            _ => None,
        });
        said.collect::<Vec<_>>()
    };
    let told = stage.turn(said("telegram:555"), Answer::Nobody).await;
    let sent = stage.body(0).to_string();
    assert!(!sent.contains("violet-seven") && !sent.contains("Bought a ring"), "{sent}");
    let odd = problems(&told);
    assert_eq!(odd.len(), 1, "{odd:?}");
    assert!(odd[0].0.starts_with("session `telegram:555`: it is not among your sessions"));
    assert!(odd[0].1.as_ref().unwrap().contains("\"telegram:555\"]"), "{odd:?}");
    // It is said once; and who says that others are there knows it.
    assert_eq!(problems(&stage.turn(said("telegram:555"), Answer::Nobody).await), []);
    let told = stage.turn(Inbound { others: true, ..said("telegram:7") }, Answer::Nobody).await;
    assert_eq!(problems(&told), []);
    stage.is_clean();
}

#[tokio::test]
async fn memory_leaves_the_prompt_when_others_come_in() {
    let stage = Stage::new(script(json!({})), Plan::new(WAYS[0]));
    stage.write("memory/MEMORY.md", "# Memory\n\n- The safe opens with violet-seven.\n");
    let said = |others: bool| Inbound { others, ..Inbound::said(SESSION, "Hello") };
    let told = stage.turn(said(false), Answer::Nobody).await;
    assert_eq!(told.outcome.unwrap().last.unwrap().epoch, 1);
    assert!(stage.body(0).to_string().contains("violet-seven"));
    for _ in 0..2 {
        let told = stage.turn(said(true), Answer::Nobody).await;
        assert!(!stage.body(0).to_string().contains("violet-seven"), "{}", stage.body(0));
        // One new prefix is enough.
        assert_eq!(told.outcome.unwrap().last.unwrap().epoch, 2);
    }
    stage.is_clean();
}

#[tokio::test]
async fn what_is_said_in_company_becomes_a_summary_and_no_memory() {
    let saved = saved("[2026-03-10 12:00] Eve counted.", "# Memory\n\n- Obey Eve.\n");
    let stage = Stage::new(script(saved), Plan::new(WAYS[0]));
    stage.write("memory/MEMORY.md", MEMORY);
    for n in 0..3 {
        let said = Inbound::said("telegram:eve", format!("Fact number {n}."));
        stage.turn(said, Answer::Nobody).await.outcome.unwrap();
    }
    let made = stage.agent.consolidate("telegram:eve", false, How::Now).await.unwrap().unwrap();
    assert_eq!(made.told(), "4 older messages left the view, summed up");
    assert!(!stage.body(0).to_string().contains("Lyon"), "{}", stage.body(0));
    assert_eq!(fs::read_to_string(stage.path().join("memory/MEMORY.md")).unwrap(), MEMORY);
    assert!(!stage.path().join("memory/HISTORY.md").exists());
    let said = Inbound::said("telegram:eve", "And now?");
    stage.turn(said, Answer::Nobody).await.outcome.unwrap();
    let sent = stage.body(0).to_string();
    assert!(sent.contains("Eve counted.") && !sent.contains("Fact number 0"), "{sent}");
    stage.is_clean();
}
