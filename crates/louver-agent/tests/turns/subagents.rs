//! Subagents: they work beside the turn that asked, and their report is answered.

use std::sync::Arc;

use louver_agent::agent::Inbound;
use louver_agent::embeddings::Shared;
use louver_agent::happening::Answer;
use louver_agent::tools::recall;
use louver_agent::turn::End;
use louver_store::library::Reminder;
use louver_store::notes::Places;
use louver_store::{Folder, Owner};
use serde_json::{Value, json};

use crate::stage::{Plan, SESSION, Stage, WAYS, call, server};

fn script(task: Value) -> Value {
    json!({"rules": [
        {"when": {"user": "subagent_result"}, "answer": {"text": "It reports: {{last_user}}"}},
        {"when": {"user": "Count the spokes"}, "answer": task},
        {"when": {"tool": "spokes,12"}, "answer": {"text": "Twelve spokes."}},
        {"when": {"user": "Find out"},
         "answer": call("spawn", json!({"task": "Count the spokes in stock.csv.", "label": "Spoke count"}))},
        {"when": {"tool": ""}, "answer": {"text": "It is on its way."}},
        {"answer": {"text": "hm"}}
    ]})
}

#[tokio::test]
async fn a_subagent_reports_and_the_report_is_answered() {
    for way in WAYS {
        let stage =
            Stage::new(script(call("read_file", json!({"path": "stock.csv"}))), Plan::new(way));
        stage.write("stock.csv", "spokes,12\n");
        assert_eq!(stage.answer("Find out how many.").await, "It is on its way.", "{way:?}");
        assert_eq!(stage.agent.subagents(), 1);
        let report = stage.agent.report().await.unwrap();
        assert_eq!(report.session, SESSION);
        assert!(report.text.contains("Twelve spokes."), "{}", report.text);
        let told = stage.turn(report, Answer::Nobody).await;
        assert!(told.text().contains("Twelve spokes."), "{way:?} {}", told.text());
        assert_eq!(told.outcome.unwrap().end, End::Answered);
        assert!(stage.agent.report().await.is_none());
        // What it was asked and what it did is in a session of its own, without what is not for it.
        let its = stage.requests();
        let its = its.iter().find(|request| {
            request.body["messages"].to_string().contains("Count the spokes in stock.csv.")
                && !request.body["messages"].to_string().contains("Find out")
        });
        let tools = its.unwrap().body["tools"].to_string();
        assert!(tools.contains("read_file") && !tools.contains("spawn"), "{tools}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn reports_that_start_more_subagents_come_to_an_end() {
    let spawn = call("spawn", json!({"task": "Count the spokes."}));
    let script = json!({"rules": [
        {"when": {"tool": "no more are"}, "answer": {"text": "That is all."}},
        {"when": {"tool": ""}, "answer": {"text": "On its way."}},
        {"when": {"user": "subagent_result"}, "answer": spawn},
        {"when": {"user": "Count the spokes"}, "answer": {"text": "Twelve."}},
        {"answer": spawn}
    ]});
    let stage = Stage::new(script, Plan::new(WAYS[0]));
    stage.answer("Look again.").await;
    let mut reports = 0;
    let mut last = String::new();
    while let Some(report) = stage.agent.report().await {
        reports += 1;
        assert!(reports <= 32, "{last}");
        last = stage.turn(report, Answer::Nobody).await.text().to_owned();
    }
    assert_eq!((reports, &*last), (32, "That is all."));
}

#[tokio::test]
async fn a_subagent_that_fails_says_so() {
    let stage = Stage::new(script(json!({"fault": "quota"})), Plan::new(WAYS[0]));
    stage.answer("Find out how many.").await;
    let report = stage.agent.report().await.unwrap();
    assert!(report.text.contains("It failed: "), "{}", report.text);
}

#[tokio::test]
async fn subagents_can_be_stopped_and_still_report() {
    let stage = Stage::new(script(json!({"fault": "hang"})), Plan::new(WAYS[0]));
    stage.answer("Find out how many.").await;
    stage.agent.stop_subagents();
    let report = stage.agent.report().await.unwrap();
    assert!(report.text.contains("stopped"), "{}", report.text);
    // Those that start later are not stopped by that.
    let told = stage.say("Find out how many.").await;
    assert_eq!(told.text(), "It is on its way.");
    assert_eq!(stage.agent.subagents(), 1);
    stage.agent.stop_subagents();
    stage.agent.report().await.unwrap();
    stage.is_clean();
}

#[tokio::test]
async fn a_strangers_subagent_knows_what_the_stranger_may_know() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let places = Places {
        folder: Folder::open(folder.path()).unwrap(),
        documents: Vec::new(),
        away: Vec::new(),
        owner: Owner::default(),
    };
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let memory = folder.path().join("memory/2020-01-01.md");
    std::fs::write(memory, "- The safe's code is 4711.\n").unwrap();
    let shared = Shared::new(Reminder::new(folder.path(), places, None));
    let spawn = |task: &str| call("spawn", json!({"task": task, "label": "Look"}));
    let script = json!({"rules": [
        {"when": {"tool": "4711"}, "answer": {"text": "It knows."}},
        {"when": {"user": "Look for the code"},
         "answer": call("recall", json!({"query": "What is the safe's code?"}))},
        {"when": {"user": "Find out"}, "answer": spawn("Look for the code.")},
        {"when": {"tool": ""}, "answer": {"text": "Nothing."}}
    ]});
    let server = server(script);
    // Whether turns are reminded makes no difference to whose they are.
    for reminder in [Some(shared.clone()), None] {
        let mut plan = Plan::new(WAYS[0]);
        plan.habits.reminder = reminder;
        plan.more = recall::all(Some(&shared));
        let stage = Stage::at(folder.clone(), server.clone(), plan);
        for (session, whose, report) in [
            ("cli:direct", "(session `subagent:look-", "It knows."),
            ("telegram:eve", "(session `telegram:eve.subagent-look-", "Nothing."),
        ] {
            stage.turn(Inbound::said(session, "Find out, please."), Answer::Nobody).await;
            let told = stage.agent.report().await.unwrap();
            assert!(told.text.contains(whose) && told.text.contains(report), "{}", told.text);
            assert_eq!(told.others, session != "cli:direct");
        }
    }
}
