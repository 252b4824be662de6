//! What must be true of a session whose agent was killed, and of the request that goes on with it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use louver_scripted::{Protocol, Recorded};
use louver_store::session::event::{CallResult, Event};
use louver_store::session::{Mode, Session};
use serde_json::Value;

use super::heard::Heard;
use super::plan::{self, Spot};

/// What the log of a session says.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) replies: usize,
    /// How often each call was started.
    calls: BTreeMap<String, usize>,
    results: BTreeMap<String, Vec<CallResult>>,
    /// Whether the last turn was brought to an end.
    pub(super) ended: bool,
    problems: Vec<String>,
}

impl Log {
    /// The log of a session; an empty one when there is none.
    pub(super) fn read(workspace: &Path, key: &str) -> Result<Log> {
        let mut log = Log::default();
        let (session, problems) = match Session::open(workspace, key, Mode::Read) {
            Err(louver_store::session::SessionError::Missing { .. }) => return Ok(log),
            opened => opened?,
        };
        // The last line may be half there; the next writer sets it aside.
        let bad = problems.iter().filter(|problem| !problem.what.contains("is not whole"));
        log.problems.extend(bad.chain(&session.view().1).map(ToString::to_string));
        for record in session.events()? {
            log.ended = matches!(record.event, Event::Usage(_));
            match record.event {
                Event::Reply(_) => log.replies += 1,
                Event::Call(call) => *log.calls.entry(call.id).or_default() += 1,
                Event::Result(result) => {
                    if let Some(handle) = &result.blob
                        && let Err(error) = session.blob(handle)
                    {
                        log.problems.push(format!("the whole of `{}` is lost: {error}", result.id));
                    }
                    log.results.entry(result.id.clone()).or_default().push(result);
                }
                _ => {}
            }
        }
        Ok(log)
    }

    /// The calls that were run to their end.
    pub(super) fn finished(&self) -> BTreeSet<Spot> {
        let spots = self.results.values().flatten().filter(|result| is_finished(result));
        spots.filter_map(|result| plan::spot(&result.id)).collect()
    }

    /// What of the acknowledged is not there, or is there twice.
    pub(super) fn check(&self, heard: &Heard, replies_before: usize) -> Vec<String> {
        let mut findings = self.problems.clone();
        let kept = self.replies.saturating_sub(replies_before);
        if kept < heard.replies {
            let said = heard.replies;
            findings.push(format!("{said} answers were acknowledged and {kept} are there"));
        }
        for id in heard.results.iter().filter(|id| !self.results.contains_key(*id)) {
            findings.push(format!("the result of `{id}` was acknowledged and is not there"));
        }
        for (id, results) in self.results.iter().filter(|(_, results)| results.len() > 1) {
            findings.push(format!("`{id}` has {} results", results.len()));
        }
        for (id, times) in self.calls.iter().filter(|(_, times)| **times > 1) {
            findings.push(format!("`{id}` was started {times} times"));
        }
        for result in self.results.values().flatten().filter(|r| !is_finished(r) && !is_stopped(r))
        {
            findings.push(format!("`{}` gave {:?}", result.id, result.text));
        }
        findings
    }

    /// What is wrong with the first request after a kill: it must hold every finished step.
    pub(super) fn goes_on(&self, request: &Recorded) -> Vec<String> {
        let sent = results(request);
        let finished = self.results.values().flatten().filter(|result| is_finished(result));
        let lacks = finished.filter(|result| {
            let planned = plan::spot(&result.id).and_then(plan::at);
            let text = sent.get(&result.id);
            !planned.zip(text).is_some_and(|(planned, text)| text.contains(planned.gives))
        });
        lacks.map(|result| format!("the model is not told what `{}` gave", result.id)).collect()
    }

    /// Commands that ran more often than they were started.
    pub(super) fn ran(&self, workspace: &Path) -> Vec<String> {
        let ran = std::fs::read_to_string(workspace.join(plan::RAN)).unwrap_or_default();
        let names: BTreeSet<&str> = ran.lines().collect();
        let mut findings = Vec::new();
        for name in names {
            let times = ran.lines().filter(|line| *line == name).count();
            let calls = self.calls.iter().filter(|(id, _)| id.starts_with(name));
            let started: usize = calls.map(|(_, times)| times).sum();
            if times > started {
                findings
                    .push(format!("`{name}` ran {times} times and was started {started} times"));
            }
        }
        findings
    }
}

fn is_finished(result: &CallResult) -> bool {
    let planned = plan::spot(&result.id).and_then(plan::at);
    !is_stopped(result) && planned.is_some_and(|planned| result.text.contains(planned.gives))
}

/// Whether it only says that the call did not come to its end: Ctrl-C, or a kill that was noticed.
fn is_stopped(result: &CallResult) -> bool {
    result.text.contains("stopped by the person") || result.text.starts_with("[no result: ")
}

/// The results that a request holds, by the ids of their calls.
fn results(request: &Recorded) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let messages = request.body["messages"].as_array().into_iter().flatten();
    for message in messages {
        match request.protocol {
            Protocol::OpenAi => note(&mut found, &message["tool_call_id"], &message["content"]),
            Protocol::Anthropic => {
                for block in message["content"].as_array().into_iter().flatten() {
                    note(&mut found, &block["tool_use_id"], &block["content"]);
                }
            }
        }
    }
    found
}

fn note(found: &mut BTreeMap<String, String>, id: &Value, content: &Value) {
    let Some(id) = id.as_str() else { return };
    let text = match content {
        Value::String(text) => text.clone(),
        parts => parts.to_string(),
    };
    found.insert(id.to_owned(), text);
}
