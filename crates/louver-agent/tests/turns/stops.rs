//! Turns that are stopped, and turns that nobody waits for any more.

use std::sync::Arc;
use std::time::Duration;

use louver_agent::agent::{Inbound, Stop};
use louver_agent::happening::Happening;
use louver_agent::reply::Delta;
use louver_agent::run::{Outcome, TurnFailed};
use louver_agent::tools::Output;
use louver_agent::turn::End;
use louver_store::session::{Mode, Session};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::stage::{Made, Plan, SESSION, Stage, WAYS, call};

/// A turn that runs beside the test.
struct Running {
    turn: JoinHandle<Result<Outcome, TurnFailed>>,
    heard: UnboundedReceiver<Happening>,
    stop: Stop,
}

impl Running {
    fn start(stage: &Stage, text: &str) -> Running {
        let (ears, heard) = unbounded_channel();
        let (agent, stop, inbound) =
            (stage.agent.clone(), Stop::default(), Inbound::said(SESSION, text));
        let stopped = stop.clone();
        let turn = tokio::spawn(async move { agent.turn(inbound, &ears, &stopped).await });
        Running { turn, heard, stop }
    }

    /// Waits until something is heard, and gives it.
    async fn until(&mut self, is: impl Fn(&Happening) -> bool) -> Happening {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(60), self.heard.recv()).await;
            let happening = next.expect("it is never heard").expect("the turn is over");
            if is(&happening) {
                return happening;
            }
        }
    }
}

fn is_text(happening: &Happening) -> bool {
    matches!(happening, Happening::Delta(Delta::Text(_)))
}

/// A tool that begins and never ends. What is given says `true` while one runs.
fn endless() -> (Made, watch::Receiver<bool>) {
    struct Running(Arc<watch::Sender<bool>>);
    impl Drop for Running {
        fn drop(&mut self) {
            self.0.send_replace(false);
        }
    }
    let (state, seen) = watch::channel(false);
    let state = Arc::new(state);
    let tool = Made::new("endless", move |_| {
        let state = state.clone();
        async move {
            state.send_replace(true);
            let _running = Running(state);
            std::future::pending::<Output>().await
        }
    });
    (tool, seen)
}

async fn until(seen: &mut watch::Receiver<bool>, running: bool) {
    let wait = seen.wait_for(|now| *now == running);
    tokio::time::timeout(Duration::from_secs(60), wait).await.expect("it never is").unwrap();
}

#[tokio::test]
async fn a_stream_can_be_stopped_in_its_middle() {
    for way in WAYS.into_iter().filter(|way| way.stream) {
        let script = json!([{"text": "on and on ", "fault": "endless"}, {"text": "back"}]);
        let stage = Stage::new(script, Plan::new(way));
        let mut running = Running::start(&stage, "Talk.");
        running.until(is_text).await;
        running.stop.stop();
        let outcome = running.turn.await.unwrap().unwrap();
        assert_eq!(outcome.end, End::Stopped, "{way:?}");
        assert_eq!(stage.answer("And now?").await, "back", "{way:?}");
        // What was read of the answer stays in the conversation.
        let sent = stage.body(0)["messages"].to_string();
        assert!(sent.contains("on and on […] (stopped by the person)"), "{way:?} {sent}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_server_that_never_answers_can_be_stopped() {
    for way in WAYS {
        let script = json!([{"fault": "hang"}, {"text": "back"}]);
        let stage = Stage::new(script, Plan::new(way));
        let running = Running::start(&stage, "Talk.");
        let server = stage.server.clone();
        assert!(tokio::task::spawn_blocking(move || server.wait_for(1)).await.unwrap());
        running.stop.stop();
        assert_eq!(running.turn.await.unwrap().unwrap().end, End::Stopped, "{way:?}");
        assert_eq!(stage.answer("And now?").await, "back", "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_tool_that_is_stopped_ends_and_says_so() {
    for way in WAYS {
        let (tool, mut seen) = endless();
        let calls = json!([
            {"name": "read_file", "arguments": {"path": "a.txt"}},
            {"name": "endless", "arguments": {}},
            {"name": "write_file", "arguments": {"path": "b.txt", "text": "late"}}
        ]);
        let script = json!([{"text": "I do.", "calls": calls}, {"text": "back"}]);
        let stage = Stage::new(script, Plan::new(way).with(tool));
        stage.write("a.txt", "alpha\n");
        let mut running = Running::start(&stage, "Do it.");
        running.until(|happening| matches!(happening, Happening::Returned { .. })).await;
        until(&mut seen, true).await;
        running.stop.stop();
        assert_eq!(running.turn.await.unwrap().unwrap().end, End::Stopped, "{way:?}");
        until(&mut seen, false).await;
        assert!(!stage.path().join("b.txt").exists(), "what comes after a stop is not done");
        assert_eq!(stage.answer("And now?").await, "back", "{way:?}");
        let sent = stage.body(0)["messages"].to_string();
        for text in ["alpha", "stopped by the person", "the call was interrupted"] {
            assert!(sent.contains(text), "{way:?} {text} {sent}");
        }
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_stop_at_a_question_is_the_end_of_all_calls() {
    for way in WAYS {
        let exec =
            |n: u8| json!({"name": "exec", "arguments": {"command": format!("touch ran-{n}")}});
        let script =
            json!([{"text": "I do.", "calls": [exec(1), exec(2), exec(3)]}, {"text": "back"}]);
        let stage = Stage::new(script, Plan::new(way));
        let mut running = Running::start(&stage, "Do it.");
        // Nobody answers: the question stands when the person stops.
        let asked = running.until(|happening| matches!(happening, Happening::Asks { .. })).await;
        running.stop.stop();
        assert_eq!(running.turn.await.unwrap().unwrap().end, End::Stopped, "{way:?}");
        drop(asked);
        while let Some(happening) = running.heard.recv().await {
            assert!(!matches!(happening, Happening::Asks { .. }), "{way:?} asked after the stop");
        }
        assert_eq!(stage.answer("And now?").await, "back", "{way:?}");
        let sent = stage.body(0)["messages"].to_string();
        assert!(sent.contains("stopped by the person"), "{way:?} {sent}");
        assert!(!sent.contains("said no"), "{way:?} {sent}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_wait_for_a_session_that_another_writes_to_is_told_and_can_be_stopped() {
    let stage = Stage::new(json!([{"text": "back"}]), Plan::new(WAYS[0]));
    let (held, _) = Session::open(stage.path(), SESSION, Mode::Write).unwrap();
    let mut running = Running::start(&stage, "Hello?");
    let waits = |happening: &Happening| matches!(happening, Happening::Note(text) if text.starts_with("waiting: session `test:one` is being written"));
    running.until(waits).await;
    let begun = std::time::Instant::now();
    running.stop.stop();
    assert_eq!(running.turn.await.unwrap().unwrap().end, End::Stopped);
    assert!(begun.elapsed() < Duration::from_secs(2) && stage.requests().is_empty());
    // Whoever does not stop has their turn when the other is done.
    let waiting = Running::start(&stage, "Hello!");
    drop(held);
    assert_eq!(waiting.turn.await.unwrap().unwrap().text, "back");
    stage.is_clean();
}

#[tokio::test]
async fn a_turn_that_was_dropped_leaves_nothing_that_hinders_the_next() {
    for way in WAYS {
        let (tool, mut seen) = endless();
        let script = json!([
            {"text": "I do.", "calls": [{"name": "endless", "arguments": {}}]},
            {"text": "{{last_user}}"},
            {"text": "{{last_user}}"}
        ]);
        let stage = Stage::new(script, Plan::new(way).with(tool));
        let running = Running::start(&stage, "Do it.");
        until(&mut seen, true).await;
        running.turn.abort();
        assert!(running.turn.await.unwrap_err().is_cancelled());
        // The tool goes with it.
        until(&mut seen, false).await;
        // Another process can go on, while this one still lives.
        let other = stage.again(Plan::new(way));
        assert!(other.answer("From elsewhere.").await.contains("From elsewhere."), "{way:?}");
        assert!(stage.answer("From here.").await.contains("From here."), "{way:?}");
        let sent = stage.body(0)["messages"].to_string();
        for text in ["Do it.", "I do.", "the call was interrupted", "From elsewhere."] {
            assert!(sent.contains(text), "{way:?} {text} {sent}");
        }
        stage.is_clean();
    }
}

#[tokio::test]
async fn a_stream_that_nobody_waits_for_is_left() {
    for way in WAYS.into_iter().filter(|way| way.stream) {
        let script = json!([{"text": "on and on ", "fault": "endless"}, {"text": "back"}]);
        let stage = Stage::new(script, Plan::new(way));
        let mut running = Running::start(&stage, "Talk.");
        running.until(is_text).await;
        running.turn.abort();
        let _ = running.turn.await;
        assert_eq!(stage.answer("And now?").await, "back", "{way:?}");
        stage.is_clean();
    }
}

#[tokio::test]
async fn two_messages_to_one_session_are_answered_one_after_the_other() {
    for way in WAYS {
        let script = json!({"rules": [
            {"when": {"tool": ""}, "answer": {"text": "You said: {{last_user}}"}},
            {"answer": call("list_dir", json!({}))}
        ]});
        let stage = Stage::new(script, Plan::new(way));
        let (one, two) = tokio::join!(stage.say("One."), stage.say("Two."));
        assert!(one.text().contains("One.") && two.text().contains("Two."), "{way:?}");
        stage.is_clean();
    }
}
