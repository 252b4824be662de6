//! Memory is made of what was said: of all of it, and of nothing else.

use std::sync::Arc;

use louver_agent::agent::Inbound;
use louver_agent::consolidation::How;
use louver_agent::embeddings::Shared;
use louver_agent::happening::Answer;
use louver_store::library::Reminder;
use louver_store::notes::Places;
use louver_store::{Folder, Owner};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::stage::{Plan, SESSION, Stage, WAYS, call, server};

const KEEPS: &str = "You keep the memory of a personal assistant";

/// Answers `ok`; memory is refused so many times before it is made.
fn script(refused: u32) -> Value {
    let when = json!({"system": KEEPS});
    let saved = json!({"calls": [{"name": "save_memory", "arguments":
        {"history_entry": "[2026-03-10 12:00] Counted.", "memory_update": ""}}]});
    let mut rules = vec![json!({"when": when, "answer": saved}), json!({"answer": {"text": "ok"}})];
    if refused > 0 {
        let refusal = json!({"when": when, "times": refused, "answer": {"fault": "quota"}});
        rules.insert(0, refusal);
    }
    json!({"rules": rules})
}

/// The requests of which memory was made, or was to be.
fn memory_requests(stage: &Stage) -> Vec<String> {
    let all = stage.requests();
    let texts = all.iter().map(|request| request.body.to_string());
    texts.filter(|body| body.contains(KEEPS)).collect()
}

/// A stage whose turns are reminded of everything that was said in it.
fn reminded(script: Value) -> Stage {
    let folder = Arc::new(TempDir::new().unwrap());
    let places = Places {
        folder: Folder::open(folder.path()).unwrap(),
        documents: Vec::new(),
        away: Vec::new(),
        owner: Owner::default(),
    };
    let mut plan = Plan::new(WAYS[0]);
    plan.habits.owner = Owner::default();
    plan.habits.reminder = Some(Shared::new(Reminder::new(folder.path(), places, None)));
    Stage::at(folder, server(script), plan)
}

async fn said(stage: &Stage, session: &str, text: &str) {
    let told = stage.turn(Inbound::said(session, text), Answer::Nobody).await;
    told.outcome.unwrap();
}

#[tokio::test]
async fn what_left_the_view_before_memory_was_made_of_it_is_not_passed_over() {
    let mut plan = Plan::new(WAYS[0]);
    plan.window = Some((10_000, 2_000));
    let stage = Stage::new(script(12), plan);
    let words = "many words about wheels and spokes ".repeat(120);
    let mut said = 0;
    while memory_requests(&stage).len() < 12 {
        stage.answer(&format!("Fact number {said}: {words}")).await;
        let _ = stage.agent.consolidate(SESSION, false, How::WhenDue).await;
        said += 1;
    }
    let (view, _) = stage.conversation().session().view();
    let first = view.messages.first().unwrap().message.texts().next().unwrap().to_string();
    assert!(!first.contains("Fact number 0:"), "the first must have left the view: {first}");
    let mut waited = 0;
    for n in said..said + 16 {
        stage.answer(&format!("Fact number {n}: {words}")).await;
        let made = stage.agent.consolidate(SESSION, false, How::WhenDue).await.unwrap();
        if let Some(made) = made.filter(|made| made.waiting > 0) {
            assert!(made.told().contains(&format!("; {} more wait: ", made.waiting)), "{made:?}");
            waited += 1;
        }
    }
    assert!(waited > 0, "nothing ever had to wait");
    let made = memory_requests(&stage).split_off(12);
    for n in 0..said + 4 {
        let times = made.iter().filter(|body| body.contains(&format!("Fact number {n}:"))).count();
        assert_eq!(times, 1, "fact {n} is made memory of once");
    }
    stage.is_clean();
}

#[tokio::test]
async fn a_session_begins_anew_also_when_not_all_of_it_fits_into_one_request() {
    let mut plan = Plan::new(WAYS[0]);
    plan.window = Some((10_000, 2_000));
    let stage = Stage::new(script(0), plan);
    let words = "many words about wheels and spokes ".repeat(60);
    for n in 0..30 {
        stage.answer(&format!("Fact number {n}: {words}")).await;
    }
    let made = stage.agent.consolidate(SESSION, false, How::All).await.unwrap().unwrap();
    assert!(made.waiting > 0, "{made:?}");
    stage.answer("Hello again.").await;
    assert!(!stage.body(0).to_string().contains("Fact number"), "{}", stage.body(0));
    while let Some(more) = stage.agent.consolidate(SESSION, false, How::Now).await.unwrap() {
        assert!(more.messages > 0, "{more:?}");
    }
    let made = memory_requests(&stage).concat();
    assert!((0..30).all(|n| made.contains(&format!("Fact number {n}:"))));
    stage.is_clean();
}

#[tokio::test]
async fn memory_is_made_of_words_and_not_of_what_came_with_them() {
    let stage = reminded(script(0));
    said(&stage, "cli:other", "The alarm code of the cottage is 998877.").await;
    said(&stage, "cli:work", "What is the alarm code of the cottage?").await;
    let sent = stage.body(0).to_string();
    assert!(sent.contains("<recalled>") && sent.contains("998877"), "{sent}");
    said(&stage, "cli:work", "Thanks.").await;
    stage.agent.consolidate("cli:work", false, How::Now).await.unwrap().unwrap();
    let asked = memory_requests(&stage).pop().unwrap();
    assert!(asked.contains("USER: What is the alarm code of the cottage?"), "{asked}");
    for came in ["998877", "<recalled", "<runtime"] {
        assert!(!asked.contains(came), "{came}: {asked}");
    }
    stage.is_clean();
}

fn in_company(session: &str, text: &str) -> Inbound {
    Inbound { others: true, ..Inbound::said(session, text) }
}

#[tokio::test]
async fn what_came_with_messages_for_the_owner_alone_leaves_when_others_come_in() {
    let mut script = script(0);
    let read = call("read_file", json!({"path": "memory/MEMORY.md"}));
    let read = json!({"when": {"user": "Read it"}, "times": 1, "answer": read});
    script["rules"].as_array_mut().unwrap().insert(0, read);
    let stage = reminded(script);
    stage.write("memory/MEMORY.md", "# Memory\n\n- The safe opens with violet-seven.\n");
    said(&stage, "cli:private", "The alarm code of the cottage is 998877.").await;
    said(&stage, "cli:work", "What is the alarm code of the cottage?").await;
    said(&stage, "cli:work", "Read it to me.").await;
    let more = "# Memory\n\n- The safe opens with violet-seven.\n- The ring is blue-nine.\n";
    stage.write("memory/MEMORY.md", more);
    said(&stage, "cli:work", "And now?").await;
    let before = stage.body(0)["messages"].to_string();
    for secret in ["998877", "violet-seven", "blue-nine"] {
        assert!(before.contains(secret), "{secret}: {before}");
    }
    for _ in 0..2 {
        let told = stage.turn(in_company("cli:work", "Hello colleagues."), Answer::Nobody).await;
        told.outcome.unwrap();
        let sent = stage.body(0).to_string();
        for secret in ["998877", "violet-seven", "blue-nine"] {
            assert!(!sent.contains(secret), "{secret}: {sent}");
        }
        assert!(sent.contains("What is the alarm code of the cottage?"), "{sent}");
        // What the owner is told when they are alone again does not stay either.
        said(&stage, "cli:work", "What is the alarm code of the cottage?").await;
        assert!(stage.body(0).to_string().contains("violet-seven"), "{}", stage.body(0));
    }
    stage.is_clean();
}

#[tokio::test]
async fn what_a_subagent_found_for_the_owner_leaves_when_others_come_in() {
    let mut script = script(0);
    let spawn = call("spawn", json!({"task": "Count the spokes.", "label": "Spokes"}));
    let rules = [
        json!({"when": {"user": "subagent_result"}, "times": 1, "answer": {"text": "Thanks."}}),
        json!({"when": {"user": "Count the spokes"}, "answer": {"text": "Twelve spokes."}}),
        json!({"when": {"user": "Find out"}, "times": 1, "answer": spawn}),
    ];
    script["rules"].as_array_mut().unwrap().splice(0..0, rules);
    let stage = reminded(script);
    said(&stage, "cli:work", "Find out how many.").await;
    let report = stage.agent.report().await.unwrap();
    stage.turn(report, Answer::Nobody).await.outcome.unwrap();
    assert!(stage.body(0).to_string().contains("Twelve spokes."), "{}", stage.body(0));
    stage.turn(in_company("cli:work", "Hello."), Answer::Nobody).await.outcome.unwrap();
    assert!(!stage.body(0).to_string().contains("Twelve spokes."), "{}", stage.body(0));
}

#[tokio::test]
async fn what_the_owner_said_alone_is_not_recalled_in_company() {
    let mut script = script(0);
    let recall = call("recall", json!({"query": "What is the alarm code of the cottage?"}));
    let recall = json!({"when": {"user": "Look it up"}, "times": 1, "answer": recall});
    script["rules"].as_array_mut().unwrap().insert(0, recall);
    let stage = reminded(script);
    said(&stage, "cli:work", "The alarm code of the cottage is 998877.").await;
    stage.agent.consolidate("cli:work", false, How::All).await.unwrap();
    for text in ["What is the alarm code of the cottage?", "Look it up."] {
        stage.turn(in_company("cli:work", text), Answer::Nobody).await.outcome.unwrap();
        assert!(!stage.body(0).to_string().contains("998877"), "{}", stage.body(0));
    }
    // Alone again, they are reminded of it.
    said(&stage, "cli:work", "What is the alarm code of the cottage?").await;
    assert!(stage.body(0).to_string().contains("998877"), "{}", stage.body(0));
}

#[tokio::test]
async fn what_others_say_in_a_session_of_the_owners_is_no_memory_of_theirs() {
    let stage = reminded(script(0));
    said(&stage, "cli:work", "My bike is red.").await;
    let mallory = "I am Mallory, and the owner owes me 500 euros.";
    let told = stage.turn(in_company("cli:work", mallory), Answer::Nobody).await;
    told.outcome.unwrap();
    said(&stage, "cli:work", "My car is blue.").await;
    said(&stage, "cli:work", "Thanks.").await;
    let made = stage.agent.consolidate("cli:work", false, How::Now).await.unwrap().unwrap();
    assert_eq!(made.messages, 4, "{made:?}");
    let asked = memory_requests(&stage).pop().unwrap();
    assert!(asked.contains("My bike is red.") && asked.contains("My car is blue."), "{asked}");
    assert!(!asked.contains("Mallory"), "{asked}");

    said(&stage, "cli:work", "And now?").await;
    let sent = stage.body(0).to_string();
    assert!(sent.contains("2 earlier messages of this conversation"), "{sent}");
    said(&stage, "cli:home", "Who is owed 500 euros by the owner?").await;
    let sent = stage.body(0).to_string();
    assert!(sent.contains("in company: I am Mallory"), "{sent}");
    assert!(!sent.contains("person: I am Mallory"), "{sent}");
    stage.is_clean();
}
