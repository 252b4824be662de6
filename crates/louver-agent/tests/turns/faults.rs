//! A server that answers badly: what is tried again, what is told, what is never told.

use louver_agent::agent::Inbound;
use louver_agent::happening::{Answer, Happening};
use louver_agent::provider::{AskError, Trouble, Wire};
use louver_agent::reply::Delta;
use louver_agent::run::TurnFailed;
use louver_context::Picture;
use serde_json::{Value, json};

use crate::stage::{CANARY, Plan, SESSION, Stage, Told, WAYS, call};

fn trouble(told: &Told) -> &AskError {
    match &told.outcome {
        Err(TurnFailed::Ask(error)) => error,
        other => panic!("it did not fail as it should: {other:?}"),
    }
}

#[tokio::test]
async fn a_server_that_is_busy_is_asked_again() {
    for way in WAYS {
        for status in [429, 500, 529] {
            let script = json!([
                {"fault": {"status": status, "retry_after": "0"}},
                {"fault": {"status": status, "retry_after": "0"}},
                {"text": "now"}
            ]);
            let stage = Stage::new(script, Plan::new(way));
            assert_eq!(stage.answer("Hello").await, "now", "{way:?} {status}");
            assert_eq!(stage.requests().len(), 3, "{way:?} {status}");
            stage.is_clean();
        }
    }
}

#[tokio::test]
async fn a_server_that_stays_busy_is_given_up_and_the_next_turn_goes_on() {
    for way in WAYS {
        let busy = json!({"fault": {"status": 529, "retry_after": "0"}});
        let script = json!([busy, busy, busy, busy, busy, {"text": "{{last_user}}"}]);
        let stage = Stage::new(script, Plan::new(way));
        let told = stage.say("First.").await;
        assert!(matches!(trouble(&told).trouble, Trouble::Overload { .. }), "{}", told.shown());
        assert!(stage.answer("Second.").await.contains("Second."));
        // What was said before is not lost with its answer.
        assert!(stage.body(0)["messages"].to_string().contains("First."), "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_begins_again_once() {
    for way in WAYS {
        for fault in [json!({"cut": 1_200}), json!("close"), json!("unfinished")] {
            // A whole answer is whole: it cannot be without an end.
            if fault == json!("unfinished") && !way.stream {
                continue;
            }
            let long = "word ".repeat(400);
            let script = json!([{"text": long, "chunk": 5, "fault": fault}, {"text": "whole"}]);
            let stage = Stage::new(script, Plan::new(way));
            let told = stage.say("Tell me.").await;
            assert_eq!(told.text(), "whole", "{way:?} {fault}");
            let again =
                |happening: &Happening| matches!(happening, Happening::Delta(Delta::Again { .. }));
            let heard = way.stream && fault != json!("close");
            assert_eq!(told.heard.iter().any(again), heard, "{way:?} {fault}");
            // Only the whole answer is in the log.
            assert!(
                !stage
                    .conversation()
                    .session()
                    .view()
                    .0
                    .messages
                    .iter()
                    .any(|entry| { entry.message.texts().any(|text| text.contains("word word")) })
            );
            stage.is_clean();
        }
    }
}

#[tokio::test]
async fn an_answer_that_always_breaks_off_is_told() {
    for way in WAYS {
        let cut = json!({"text": "word ".repeat(400), "chunk": 5, "fault": {"cut": 1_200}});
        let stage = Stage::new(json!([cut, cut, {"text": "back"}]), Plan::new(way));
        let told = stage.say("Tell me.").await;
        assert!(matches!(trouble(&told).trouble, Trouble::Cut { .. }), "{}", told.shown());
        assert_eq!(stage.answer("Again.").await, "back", "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn what_cannot_be_understood_is_told_in_words() {
    for way in WAYS {
        for fault in [json!("malformed"), json!("html")] {
            let script = json!([{"text": "never read", "fault": fault}, {"text": "back"}]);
            let stage = Stage::new(script, Plan::new(way));
            let told = stage.say("Tell me.").await;
            let error = trouble(&told);
            let known = matches!(error.trouble, Trouble::Malformed { .. } | Trouble::Cut { .. });
            assert!(known, "{way:?} {fault} {error}");
            assert_eq!(stage.answer("Again.").await, "back", "{way:?} {fault}");
            stage.is_clean();
        }
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_is_sorted_like_any_other() {
    for way in WAYS.into_iter().filter(|way| way.stream) {
        let script = json!([
            {"text": "half of it", "chunk": 4, "fault": "stream_error"},
            {"text": "whole"}
        ]);
        let stage = Stage::new(script, Plan::new(way));
        assert_eq!(stage.answer("Tell me.").await, "whole", "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn slow_bytes_and_a_wrong_type_are_no_trouble() {
    for way in WAYS {
        for fault in [json!({"slow_ms": 0}), json!("wrong_type")] {
            let script = json!([
                {"text": "Grüße, 中文 👋", "calls": [{"name": "list_dir", "arguments": {"path": "."}}], "fault": fault},
                {"text": "Grüße, 中文 👋", "fault": fault}
            ]);
            let stage = Stage::new(script, Plan::new(way));
            assert_eq!(stage.answer("Hello").await, "Grüße, 中文 👋", "{way:?} {fault}");
            stage.is_clean();
        }
    }
}

#[tokio::test]
async fn bad_ids_of_calls_are_mended_so_that_every_provider_takes_them_back() {
    for way in WAYS {
        for ids in ["wrong", "shifting", "duplicate", "empty", "missing"] {
            let calls = ["a.txt", "b.txt"]
                .map(|path| json!({"name": "read_file", "arguments": {"path": path}}));
            let script = json!([
                {"calls": calls, "fault": {"ids": ids}},
                {"calls": calls, "fault": {"ids": ids}},
                {"text": "read"}
            ]);
            let stage = Stage::new(script, Plan::new(way));
            stage.write("a.txt", "alpha\n");
            stage.write("b.txt", "beta\n");
            let told = stage.say("Read both.").await;
            if (way, ids) == (WAYS[2], "shifting") {
                // Anthropic's fragments have no id: they name a block, and there is no such block.
                assert!(matches!(trouble(&told).trouble, Trouble::Malformed { .. }));
                continue;
            }
            assert_eq!(told.text(), "read", "{way:?} {ids}");
            assert_eq!(told.results().len(), 4, "{way:?} {ids}");
            let sent = stage.body(0)["messages"].to_string();
            for text in ["alpha", "beta"] {
                assert_eq!(sent.matches(text).count(), 2, "{way:?} {ids} {sent}");
            }
            stage.is_clean();
        }
    }
}

#[tokio::test]
async fn fragments_that_name_no_call_still_make_one() {
    let way = WAYS[0];
    let calls =
        ["a.txt", "b.txt"].map(|path| json!({"name": "read_file", "arguments": {"path": path}}));
    let script = json!([{"calls": calls, "chunk": 4, "fault": "no_index"}, {"text": "read"}]);
    let stage = Stage::new(script, Plan::new(way));
    stage.write("a.txt", "alpha\n");
    stage.write("b.txt", "beta\n");
    let told = stage.say("Read both.").await;
    let failed = told.results().into_iter().filter(|(.., failed)| *failed).count();
    assert_eq!((told.text(), told.results().len(), failed), ("read", 2, 0), "{}", told.shown());
    stage.is_clean();
}

#[tokio::test]
async fn an_account_without_money_is_not_asked_again() {
    for way in WAYS {
        let stage = Stage::new(json!([{"fault": "quota"}]), Plan::new(way));
        let told = stage.say("Hello").await;
        assert!(matches!(trouble(&told).trouble, Trouble::NoMoney { .. }), "{}", told.shown());
        assert_eq!(stage.requests().len(), 1, "{way:?}");
    }
}

#[tokio::test]
async fn a_model_that_is_not_there_is_told_by_its_name() {
    for way in WAYS {
        let script = json!({"models": ["another"], "steps": []});
        let stage = Stage::new(script, Plan::new(way));
        let told = stage.say("Hello").await;
        let error = trouble(&told);
        assert!(matches!(error.trouble, Trouble::NoModel { .. }), "{}", told.shown());
        assert!(error.to_string().contains(&stage.brain.name), "{error}");
    }
}

#[tokio::test]
async fn a_wrong_key_says_what_to_set_and_is_nowhere_to_be_found() {
    for way in WAYS {
        for script in [json!({"key": "another"}), json!([{"fault": "key_echoed"}])] {
            let stage = Stage::new(script.clone(), Plan::new(way));
            let told = stage.say("Hello").await;
            let error = trouble(&told);
            assert!(matches!(error.trouble, Trouble::WrongKey { .. }), "{}", told.shown());
            let name = match way.wire {
                Wire::OpenAi => "OPENAI_API_KEY",
                Wire::Anthropic => "ANTHROPIC_API_KEY",
            };
            assert!(error.hint().unwrap().contains(name), "{way:?} {:?}", error.hint());
            let shown = format!("{} {:?} {:?}", told.shown(), error.hint(), stage.brain);
            assert!(!shown.contains(CANARY), "{way:?} {script}");
            stage.is_clean();
        }
    }
}

#[tokio::test]
async fn a_key_that_a_tool_comes_across_is_not_our_affair_but_no_request_repeats_ours() {
    for way in WAYS {
        let script = json!([call("list_dir", json!({"path": "."})), {"text": "done"}]);
        let stage = Stage::new(script, Plan::new(way));
        let told = stage.say("Look.").await;
        assert!(!told.shown().contains(CANARY));
        let headers = stage.requests()[0].headers.clone();
        let secret = |(_, value): &&(String, String)| value == "(secret)";
        assert_eq!(headers.iter().filter(secret).count(), 1, "{headers:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_request_that_is_too_long_is_made_shorter_and_sent_once_more() {
    for way in WAYS {
        let big = |n: u32| call("read_file", json!({"path": format!("{n}.txt")}));
        let mut steps: Vec<Value> = Vec::new();
        for n in 0..4 {
            steps.extend([big(n), json!({"text": "read"})]);
        }
        steps.extend([json!({"fault": "too_long"}), json!({"text": "shorter"})]);
        steps.extend([
            json!({"fault": "too_long"}),
            json!({"fault": "too_long"}),
            json!({"text": "back"}),
        ]);
        let stage = Stage::new(json!(steps), Plan::new(way));
        for n in 0..4 {
            stage.write(&format!("{n}.txt"), &format!("line {n} of many\n").repeat(400));
            stage.answer(&format!("Read {n}.")).await;
        }
        let told = stage.say("And now?").await;
        assert_eq!(told.text(), "shorter", "{way:?}");
        let tokens: Vec<u32> = told.sendings().iter().map(|sending| sending.tokens).collect();
        assert!(tokens.len() == 2 && tokens[1] <= tokens[0] / 4 * 3, "{way:?} {tokens:?}");
        let size = |from_end| stage.body(from_end).to_string().len();
        assert!(size(0) < size(1), "{way:?}");
        let told = stage.say("And again?").await;
        assert!(matches!(trouble(&told).trouble, Trouble::TooLong { .. }), "{}", told.shown());
        assert_eq!(stage.answer("And then?").await, "back");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_picture_that_is_refused_does_not_stop_the_conversation() {
    let url = "data:image/png;base64,iVBORw0KGgo=";
    let refusal = json!({"fault": {"status": 400, "message": "image_url is not supported"}});
    for way in WAYS {
        let script = json!([refusal, {"text": "I see none."}, {"text": "Well."}]);
        let stage = Stage::new(script, Plan::new(way));
        let pictures = vec![std::sync::Arc::new(Picture::from_url(url, None))];
        let inbound = Inbound { pictures, ..Inbound::said(SESSION, "Look.") };
        let told = stage.turn(inbound, Answer::Nobody).await;
        assert_eq!(told.text(), "I see none.", "{way:?}");
        assert!(told.shown().contains("the answer is made without"), "{}", told.shown());
        assert!(stage.body(1).to_string().contains("iVBORw0KGgo="), "{way:?}");
        // Nor is it sent again: not by this agent, and not by one that only has the log.
        assert_eq!(stage.again(Plan::new(way)).answer("Go on.").await, "Well.");
        for body in [stage.body(0), stage.body(1)].map(|body| body.to_string()) {
            assert!(!body.contains("iVBORw0KGgo="), "{way:?} {body}");
            assert!(body.contains("Look.") && body.contains("the provider refused it"), "{body}");
        }
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_refusal_that_is_not_about_the_picture_leaves_it() {
    let refusal = json!({"fault": {"status": 400, "message": "no"}});
    let stage = Stage::new(json!([refusal, refusal, {"text": "I see it."}]), Plan::new(WAYS[0]));
    let picture = Picture::from_url("data:image/png;base64,iVBORw0KGgo=", None);
    let inbound = Inbound { pictures: vec![picture.into()], ..Inbound::said(SESSION, "Look.") };
    let told = stage.turn(inbound, Answer::Nobody).await;
    assert!(matches!(trouble(&told).trouble, Trouble::Refused { .. }), "{}", told.shown());
    assert_eq!(stage.answer("And now?").await, "I see it.");
    assert!(stage.body(0).to_string().contains("iVBORw0KGgo="));
}
