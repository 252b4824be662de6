//! Long results and long turns: kept whole, fitted anew, replayed as they were sent.

use louver_agent::provider::{Ask, request};
use louver_agent::tools::Output;
use louver_store::session::Session;
use serde_json::{Value, json};

use crate::prefix::row;
use crate::stage::{Made, Plan, Stage, WAYS, call};

/// A result with so many lines.
fn harvest(lines: usize) -> String {
    (1..=lines).map(|n| format!("crate {n}: {} apples, sorted by hand\n", n * 7)).collect()
}

fn harvester(lines: usize) -> Made {
    Made::new("harvest", move |_| async move { Output::said("").with(harvest(lines)) })
}

#[tokio::test]
async fn a_long_result_is_kept_whole_and_can_be_read_in_the_next_step() {
    for way in WAYS {
        let whole = harvest(2_000);
        let handle = Session::handle_of(&whole);
        let script = json!([
            call("harvest", json!({})),
            call("read_file", json!({"path": handle, "from_line": 1_990})),
            {"text": "{{last_tool}}"}
        ]);
        let stage = Stage::new(script, Plan::new(way).with(harvester(2_000)));
        let told = stage.say("How was the harvest?").await;
        assert!(told.text().contains("crate 1995: 13965 apples"), "{way:?} {}", told.text());
        let first = stage.body(1)["messages"].to_string();
        assert!(first.contains(&handle) && !first.contains("crate 1000:"), "{way:?} {first}");
        let kept = stage.conversation().session().blob(&handle).unwrap();
        assert_eq!(String::from_utf8(kept).unwrap(), whole);
        stage.is_clean();
    }
}

/// Ten thousand tokens of results, three and then one at a time, into a window for five thousand.
fn overflow() -> Value {
    let one = json!({"name": "harvest", "arguments": {}});
    let mut steps = vec![json!({"calls": [one, one, one]})];
    steps.extend((0..4).map(|n| call("harvest", json!({"n": n}))));
    steps.push(json!({"text": "counted"}));
    json!(steps)
}

#[tokio::test]
async fn a_turn_that_outgrows_its_window_is_fitted_again_and_finishes() {
    for way in WAYS {
        let mut plan = Plan::new(way).with(harvester(120));
        plan.window = Some((6_000, 1_000));
        let stage = Stage::new(json!({"steps": overflow(), "window": 5_000}), plan);
        let told = stage.say("Count all crates.").await;
        assert_eq!(told.text(), "counted", "{way:?} {}", told.shown());
        for sending in told.sendings() {
            assert!(sending.tokens <= sending.budget, "{way:?} {sending:?}");
        }
        let epochs: Vec<u32> = told.sendings().iter().map(|sending| sending.epoch).collect();
        assert!(epochs[0] == 1 && epochs[5] > 1, "{way:?} {epochs:?}");
        // The server counts for itself, and refuses what is longer.
        let statuses: Vec<u16> = stage.requests().iter().map(|request| request.status).collect();
        assert_eq!(statuses, [200; 6], "{way:?}");
        assert!(stage.body(0)["messages"].to_string().contains("Count all crates."), "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn every_turn_can_be_replayed_exactly_as_it_was_sent() {
    for way in WAYS {
        let mut plan = Plan::new(way).with(harvester(120));
        plan.window = Some((6_000, 1_000));
        let mut steps = overflow().as_array().unwrap().clone();
        steps.extend([
            json!({"text": "Good."}),
            call("harvest", json!({})),
            json!({"text": "Same."}),
        ]);
        let stage = Stage::new(json!(steps), plan);
        // Which request is the first of each turn.
        let mut firsts = Vec::new();
        for text in ["Count all crates.", "How was it?", "Again?"] {
            firsts.push(stage.requests().len());
            stage.answer(text).await;
        }
        let (conversation, builder) = (stage.conversation(), stage.builder());
        for (turn, first) in (1..).zip(firsts) {
            let sent = conversation.sent(&builder, turn).unwrap();
            let ask = Ask {
                stream: way.stream,
                session: crate::stage::SESSION,
                ..Ask::new(&stage.brain.name, &sent.prompt, stage.brain.model.reply.0)
            };
            let replayed = request(&stage.brain.endpoint, &ask).body;
            let replayed: Value = serde_json::from_slice(&replayed).unwrap();
            let was = &stage.requests()[first].body;
            assert!(row(&replayed) == row(was), "{way:?} turn {turn}\n{replayed}\n{was}");
        }
        assert!(conversation.sent(&builder, 4).is_err());
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_message_that_cannot_fit_is_refused_and_costs_only_itself() {
    for way in WAYS {
        let mut plan = Plan::new(way);
        plan.window = Some((6_000, 1_000));
        let stage = Stage::new(json!([{"text": "fine"}]), plan);
        let told = stage.say(&"far too much ".repeat(5_000)).await;
        let error = told.outcome.unwrap_err().to_string();
        assert!(error.contains("message"), "{error}");
        assert!(stage.requests().is_empty());
        assert_eq!(stage.answer("Short.").await, "fine", "{way:?}");
        stage.is_clean();
    }
}

/// Why the running epoch began, as the log has it.
fn reason(stage: &Stage) -> String {
    stage.conversation().session().view().0.prefix.unwrap().reason.clone()
}

#[tokio::test]
async fn a_window_that_the_provider_names_is_kept_to_and_told_once() {
    for way in WAYS {
        let mut plan = Plan::new(way);
        plan.window = Some((60_000, 1_000));
        let stage = Stage::new(json!({"steps": [{"text": "fine"}], "window": 5_000}), plan);
        stage.write("AGENTS.md", &"Be brief and count every apple.\n".repeat(900));
        let told = stage.say("First.").await;
        assert_eq!(told.text(), "fine", "{way:?} {}", told.shown());
        let sent = told.sendings();
        assert!(sent[0].tokens > 5_000 && sent[1].budget == 4_000, "{way:?} {sent:?}");
        assert!(told.shown().contains("holds 5000 tokens"), "{way:?} {}", told.shown());
        assert_eq!(stage.agent.brain().model.window.0, 5_000);
        // From here on it is the window, and nothing is refused.
        let told = stage.say("Second.").await;
        assert_eq!((told.sendings().len(), told.sendings()[0].budget), (1, 4_000), "{way:?}");
        assert!(!told.shown().contains("holds 5000 tokens"), "{way:?}");
        assert_eq!(reason(&stage), "window", "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_request_that_is_refused_once_is_shorter_once() {
    for way in WAYS {
        // Too long for its bytes, as a proxy says it: nobody names a window.
        let script =
            json!([{"text": "one"}, {"fault": {"status": 413}}, {"text": "{{last_user}}"}]);
        let stage = Stage::new(script, Plan::new(way));
        let first = stage.say("First.").await.sendings()[0];
        let told = stage.say("Second.").await;
        let sent = told.sendings();
        assert!(told.text().contains("Second.") && sent.len() == 2, "{way:?} {}", told.shown());
        assert!(sent[1].tokens < first.tokens, "{way:?} {first:?} {sent:?}");
        let third = stage.say("Third.").await.sendings();
        assert!(third[0].tokens > first.tokens && third[0].epoch == 3, "{way:?} {third:?}");
        let fourth = stage.say("Fourth.").await.sendings();
        assert_eq!((fourth.len(), fourth[0].epoch), (1, 3), "{way:?} {fourth:?}");
        stage.is_clean();
    }
}
