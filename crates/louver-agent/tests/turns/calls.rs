//! Calls of tools: one, several, none that exists, none that can be read, one too often.

use std::sync::Arc;

use louver_agent::turn::End;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::stage::{Made, Plan, Stage, WAYS, call};
use louver_agent::tools::Output;

/// The results that the last request carries, in either protocol.
fn results(body: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for message in body["messages"].as_array().unwrap() {
        if message["role"] == "tool" {
            found.push(text(&message["content"]));
        }
        for block in message["content"].as_array().into_iter().flatten() {
            if block["type"] == "tool_result" {
                found.push(text(&block["content"]));
            }
        }
    }
    found
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        other => other.to_string(),
    }
}

#[tokio::test]
async fn a_tool_is_called_and_its_result_answered() {
    for way in WAYS {
        let script = json!([
            {"text": "I look.", "calls": [{"name": "read_file", "arguments": {"path": "stock.csv"}}]},
            {"text": "It says: {{last_tool}}"}
        ]);
        let stage = Stage::new(script, Plan::new(way));
        stage.write("stock.csv", "spokes,12\n");
        let told = stage.say("How many spokes?").await;
        assert!(told.text().contains("spokes,12"), "{way:?} {}", told.text());
        let outcome = told.outcome.as_ref().unwrap();
        assert_eq!((&outcome.end, outcome.asked), (&End::Answered, 2), "{way:?}");
        assert!(outcome.usage.input > 0 && outcome.cost.is_some(), "{way:?} {outcome:?}");
        let fenced = &results(&stage.body(0))[0];
        assert!(fenced.contains("<tool_output from=\"read_file\">\n"), "{way:?} {fenced}");
        assert_eq!(stage.body(0)["stream"].as_bool().unwrap_or(false), way.stream);
        stage.is_clean();
    }
}

#[tokio::test]
async fn calls_that_only_read_run_side_by_side() {
    for way in WAYS {
        let both = Arc::new(Barrier::new(2));
        // Each waits for the other: one after the other they would wait for ever.
        let meet = Made::new("meet", move |given| {
            let both = both.clone();
            async move {
                both.wait().await;
                Output::said(format!("met {}", given["n"]))
            }
        });
        let calls = [1, 2].map(|n| json!({"name": "meet", "arguments": {"n": n}}));
        let script = json!([{"calls": calls}, {"text": "both"}]);
        let stage = Stage::new(script, Plan::new(way).with(meet));
        assert_eq!(stage.answer("Meet.").await, "both", "{way:?}");
        let mut met = results(&stage.body(0));
        met.sort();
        assert_eq!(met, ["met 1", "met 2"], "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn what_changes_something_waits_for_what_came_before_it() {
    for way in WAYS {
        let script = json!([
            {"calls": [
                {"name": "write_file", "arguments": {"path": "a.txt", "text": "first\n"}},
                {"name": "edit_file", "arguments": {"path": "a.txt", "old": "first", "new": "second"}},
                {"name": "read_file", "arguments": {"path": "a.txt"}}
            ]},
            {"text": "{{last_tool}}"}
        ]);
        let stage = Stage::new(script, Plan::new(way));
        let told = stage.say("Write, edit, read.").await;
        assert!(told.text().contains("second"), "{way:?} {:?}", told.results());
        assert_eq!(std::fs::read_to_string(stage.path().join("a.txt")).unwrap(), "second\n");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_tool_that_does_not_exist_is_answered_with_those_that_do() {
    for way in WAYS {
        let script = json!([call("fly", json!({})), {"text": "{{last_tool}}"}]);
        let stage = Stage::new(script, Plan::new(way));
        let text = stage.answer("Fly.").await;
        assert!(text.starts_with("there is no tool `fly`; there are read_file, "), "{text}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn arguments_that_are_no_json_are_told_and_mended() {
    for way in WAYS {
        let script = json!([
            call("read_file", json!("{\"path\": \"stock")),
            call("read_file", json!({"path": "stock.csv"})),
            {"text": "{{last_tool}}"}
        ]);
        let stage = Stage::new(script, Plan::new(way));
        stage.write("stock.csv", "spokes,12\n");
        let told = stage.say("How many?").await;
        assert!(told.text().contains("spokes,12"), "{way:?} {}", told.shown());
        let failed: Vec<bool> = told.results().into_iter().map(|(.., failed)| failed).collect();
        assert_eq!(failed, [true, false], "{way:?}");
        // The broken call stands in the history and the provider still takes it.
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_call_that_fails_again_and_again_is_not_run_for_ever() {
    for way in WAYS {
        let script = json!({
            "rules": [
                {"when": {"user": "Read"}, "answer": call("read_file", json!({"path": "nowhere"}))},
                {"when": {"tool": ""}, "answer": call("read_file", json!({"path": "nowhere"}))}
            ]
        });
        let stage = Stage::new(script, Plan::new(way));
        let told = stage.say("Read it.").await;
        let outcome = told.outcome.as_ref().unwrap();
        assert_eq!(outcome.end, End::Stuck("read_file".into()), "{way:?}");
        assert!(outcome.end.explained().unwrap().contains("kept repeating a `read_file`"));
        let refused: Vec<String> = told.results().into_iter().map(|(_, words, _)| words).collect();
        assert_eq!(refused.len(), 6, "{refused:?}");
        assert!(refused[2].contains("there is no"), "{refused:?}");
        assert!(refused[3].starts_with("not run: `read_file` failed 3 times"), "{refused:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_model_that_never_stops_is_stopped_and_can_go_on() {
    for way in WAYS {
        let looks: Vec<Value> =
            (1..=4).map(|n| call("list_dir", json!({"path": ".", "depth": n}))).collect();
        let mut steps = looks;
        steps.push(json!({"text": "done"}));
        let mut plan = Plan::new(way);
        plan.habits.max_iterations = 4;
        let stage = Stage::new(json!(steps), plan);
        let told = stage.say("Look around.").await;
        let outcome = told.outcome.unwrap();
        assert_eq!((outcome.end.clone(), outcome.asked), (End::OutOfSteps(4), 4), "{way:?}");
        assert!(outcome.end.explained().unwrap().contains("stopped after 4 steps"));
        assert_eq!(stage.answer("go on").await, "done", "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn silence_is_asked_about_once() {
    for way in WAYS {
        let script = json!([{"fault": "empty"}, {"text": "here"}, {"fault": "empty"}, {"fault": "empty"}, {"text": "back"}]);
        let stage = Stage::new(script, Plan::new(way));
        assert_eq!(stage.answer("Hello?").await, "here", "{way:?}");
        let told = stage.say("Hello??").await;
        assert_eq!(told.outcome.unwrap().end, End::Silent, "{way:?}");
        assert_eq!(stage.answer("Hello???").await, "back", "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_off_is_kept_and_said_to_be() {
    for way in WAYS {
        let script = json!([{"text": "half of", "finish": "length"}, {"text": "the rest"}]);
        let stage = Stage::new(script, Plan::new(way));
        let told = stage.say("Tell me.").await;
        let outcome = told.outcome.unwrap();
        assert_eq!((outcome.text.as_str(), outcome.end), ("half of", End::CutOff), "{way:?}");
        assert_eq!(stage.answer("go on").await, "the rest");
        assert!(stage.body(0)["messages"].to_string().contains("half of"), "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_tool_that_breaks_costs_only_its_call() {
    for way in WAYS {
        let broken = Made::new("broken", |_| async { panic!("as a test wants it") });
        let script = json!([call("broken", json!({})), {"text": "{{last_tool}}"}]);
        let stage = Stage::new(script, Plan::new(way).with(broken));
        assert_eq!(stage.answer("Break.").await, "the tool broke; try another way", "{way:?}");
        stage.is_clean();
    }
}
