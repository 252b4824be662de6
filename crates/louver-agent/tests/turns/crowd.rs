//! Two hundred sessions at once on one process.
//!
//! The server and the crowd are processes of their own, made of this one, so that what is measured
//! is the crowd alone.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use louver_agent::agent::{Inbound, Stop};
use louver_scripted::{Options, Script, Scripted};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::stage::{Plan, Stage, WAYS};

const SESSIONS: usize = 200;
const TURNS: usize = 10;

/// What the crowd may take at its height, in kilobytes: half a megabyte a session.
const MOST_MEMORY: u64 = 100_000;

/// Where the crowd finds its server, and the server its log.
const PLACE: &str = "LOUVER_TEST_CROWD";

fn script() -> Value {
    json!({"rules": [
        {"when": {"tool": ""}, "answer": {"text": "heard: {{last_user}}", "chunk": 16}},
        {"answer": {"text": "I look.", "calls": [{"name": "list_dir", "arguments": {"path": "notes"}}]}}
    ]})
}

/// This program again, with one of the tests that are parts.
fn part(name: &str, place: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"])
        .env(PLACE, place)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What follows a mark in what a part says.
fn said(child: &mut Child, mark: &str) -> Option<String> {
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap);
    lines.find_map(|line| line.split_once(mark).map(|(_, rest)| rest.trim().to_owned()))
}

#[test]
fn two_hundred_sessions_talk_at_once_in_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("requests.jsonl");
    let mut server = part("crowd::the_server_of_the_crowd", log.to_str().unwrap());
    let url = said(&mut server, "serving at ").expect("a server");
    let mut crowd = part("crowd::the_crowd_itself", &url);
    let peak = said(&mut crowd, "peak of ");
    assert!(crowd.wait().unwrap().success(), "the crowd failed");
    drop(server.stdin.take());
    assert!(server.wait().unwrap().success());
    let peak: u64 = peak.expect("its peak").trim_end_matches(" kB").parse().unwrap();
    let requests = fs::read_to_string(&log).unwrap();
    let requests: Vec<Value> =
        requests.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(requests.len(), SESSIONS * TURNS * 2);
    for request in requests {
        assert_eq!((&request["violations"], &request["status"]), (&json!([]), &json!(200)));
    }
    assert!(peak < MOST_MEMORY, "{peak} kB");
}

#[test]
#[ignore = "a part of another test"]
fn the_server_of_the_crowd() {
    let Ok(log) = std::env::var(PLACE) else { return };
    let log = Some(File::create(Path::new(&log)).unwrap());
    let script = Script::from_value(script()).unwrap();
    let server = Scripted::start_with(script, Options { log, ..Options::default() }).unwrap();
    #[allow(clippy::print_stdout, reason = "whoever started it reads it")]
    {
        println!("serving at {}", server.url());
    }
    // Until the other end is closed.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

#[test]
#[ignore = "a part of another test"]
fn the_crowd_itself() {
    let Ok(url) = std::env::var(PLACE) else { return };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(crowd(&url));
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    #[allow(clippy::print_stdout, reason = "whoever started it reads it")]
    {
        println!("peak of {}", peak.trim());
    }
}

async fn crowd(url: &str) {
    let stage = Stage::new(json!([]), Plan::new(WAYS[0]));
    stage.write("notes/a.md", "alpha\n");
    let mut brain = stage.brain.clone();
    brain.endpoint.base = format!("{url}/v1");
    stage.agent.think_with(brain, stage.builder());
    let stage = Arc::new(stage);
    let sessions = (0..SESSIONS).map(|n| tokio::spawn(session(stage.clone(), n)));
    for session in sessions.collect::<Vec<_>>() {
        session.await.unwrap();
    }
}

/// One of them: ten turns, each with a tool.
async fn session(stage: Arc<Stage>, n: usize) {
    let (ears, _) = unbounded_channel();
    for turn in 0..TURNS {
        let text = format!("session {n} turn {turn}");
        let inbound = Inbound::said(&format!("crowd:{n}"), text.as_str());
        let outcome = stage.agent.turn(inbound, &ears, &Stop::default()).await.unwrap();
        assert!(outcome.text.contains(&text), "{} is not about {text}", outcome.text);
    }
}
