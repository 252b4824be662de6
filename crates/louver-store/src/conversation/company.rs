//! What leaves a conversation when others come in: what came with its messages for the owner alone.
//!
//! What was said stays, and what the model answered. Reminders, changed files and what tools read of memory
//! were put there by louver, and others must not be told of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use louver_context::message::{Content, Message, Role, ToolCall};
use serde_json::{Map, Value};

use crate::session::event::{Event, Reduced};
use crate::session::{Entry, Session, SessionError, View};

/// Stands where something was that only the owner may know.
const LEFT_OUT: &str = "[left out: it was for the owner alone]";

/// Tools whose results tell of what is remembered, whatever they are asked.
const OF_MEMORY: [&str; 4] = ["recall", "expand", "remember", "forget"];

/// What a subagent reports is fenced under this name.
pub const REPORT: &str = "subagent_result";

/// Takes it out of the view, and says what the log must hold of that.
pub(super) fn leaves(session: &Session, view: &mut View) -> Result<Vec<Event>, SessionError> {
    let words = words(session)?;
    let told = told(session)?;
    let report = format!("<{REPORT}");
    // The last call under an id is the one that the next result answers.
    let mut calls: HashMap<Arc<str>, bool> = HashMap::new();
    let mut events = Vec::new();
    for at in 0..view.messages.len() {
        let entry = &view.messages[at];
        let message = entry.message.clone();
        calls.extend(message.calls.iter().map(|call| (call.id.clone(), asks(call, &told))));
        let text = match message.role {
            Role::User if entry.said.is_some() => match words.get(&entry.id) {
                // A subagent that was sent by the owner tells what it found for them.
                Some(words) if !followed(&view.messages, at) && !words.contains(&report) => words,
                _ => LEFT_OUT,
            },
            Role::Tool if tells_of_memory(&message, &calls) => LEFT_OUT,
            _ => continue,
        };
        if !matches!(&message.content, Content::Text(sent) if **sent == *text) {
            events.push(Event::Reduced(Reduced {
                id: entry.id,
                part: entry.part,
                text: text.to_owned(),
                why: "company".to_owned(),
                ..Reduced::default()
            }));
            let content = Content::Text(text.into());
            view.messages[at].message = Arc::new(Message { content, ..(*message).clone() });
        }
    }
    Ok(events)
}

/// The names under which what tells of memory is kept: handles of long results, and the ids of their calls. Who reads
/// on in it names one of them, and what comes back need not have a word of memory.
fn told(session: &Session) -> Result<HashSet<String>, SessionError> {
    let mut told = HashSet::new();
    let mut calls: HashMap<Arc<str>, bool> = HashMap::new();
    for record in session.events()? {
        match record.event {
            Event::Reply(reply) => {
                let Ok(message) = Message::from_openai(reply.message.json()) else { continue };
                calls.extend(message.calls.iter().map(|call| (call.id.clone(), asks(call, &told))));
            }
            Event::Result(result) => {
                let message = Message::result(&*result.id, &*result.name, &*result.text);
                if tells_of_memory(&message, &calls) {
                    told.insert(result.id);
                    told.extend(result.blob);
                }
            }
            _ => {}
        }
    }
    Ok(told)
}

/// Whether a call asks for what is remembered, or to read on in what was `told` of it.
fn asks(call: &ToolCall, told: &HashSet<String>) -> bool {
    let names_it = || {
        let given: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
        given.values().filter_map(Value::as_str).any(|named| told.contains(named))
    };
    OF_MEMORY.contains(&&*call.name)
        || call.arguments.to_lowercase().contains("memory")
        || names_it()
}

/// What people said, by the id of the message it was sent in.
fn words(session: &Session) -> Result<HashMap<u64, String>, SessionError> {
    let mut words: HashMap<u64, String> = HashMap::new();
    for spoken in session.spoken(0)?.iter().filter(|spoken| spoken.message.role == Role::User) {
        let said = words.entry(spoken.id).or_default();
        for text in spoken.message.texts() {
            let gap = if said.is_empty() { "" } else { "\n" };
            said.push_str(gap);
            said.push_str(text);
        }
    }
    Ok(words)
}

/// Whether a message is followed by another of the same event. Only the last of them has what was said.
fn followed(entries: &[Entry], at: usize) -> bool {
    entries.get(at + 1).is_some_and(|next| next.id == entries[at].id)
}

fn tells_of_memory(result: &Message, calls: &HashMap<Arc<str>, bool>) -> bool {
    let asked = result.answers.as_ref().and_then(|id| calls.get(id));
    let names = |text: &Arc<str>| {
        let text = text.to_lowercase();
        text.contains("memory/") || text.contains("memory.md")
    };
    asked == Some(&true) || result.texts().any(names)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::session::event::{CallResult, Reply};
    use crate::session::{Durability, Mode};

    #[test]
    fn the_next_pages_of_what_tells_of_memory_leave_with_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let (mut session, _) = Session::open(folder.path(), "cli:a", Mode::Write).unwrap();
        let mut called = |id: &str, name: &str, given: Value, text: &str, blob: Option<&str>| {
            let mut message = Message::new(Role::Assistant, Content::Null);
            let (extra, arguments) = (Default::default(), given.to_string().into());
            message.calls = vec![ToolCall { id: id.into(), name: name.into(), arguments, extra }];
            let message = session.keep(&message).unwrap();
            let result = CallResult {
                id: id.into(),
                name: name.into(),
                text: text.into(),
                blob: blob.map(str::to_owned),
                ..CallResult::default()
            };
            let events =
                [Event::Reply(Reply { message, ..Reply::default() }), Event::Result(result)];
            session.append_all(&events, Durability::Process).unwrap();
        };
        let handle = "0123456789abcdef";
        let read = |path: &str| json!({"path": path, "from_line": 90});
        called("1", "exec", json!({"command": "cat memory/*"}), "first page", Some(handle));
        called("2", "read_file", read(handle), "second page", None);
        called("3", "read_file", read("1"), "third page", None);
        called(
            "4",
            "exec",
            json!({"command": "cat stock.csv"}),
            "spokes",
            Some("fedcba9876543210"),
        );
        called("5", "read_file", read("fedcba9876543210"), "more spokes", None);
        let (mut view, _) = session.view();
        leaves(&session, &mut view).unwrap();
        let results = view.messages.iter().filter(|entry| entry.message.role == Role::Tool);
        let texts: Vec<String> =
            results.map(|entry| entry.message.texts().map(|text| &**text).collect()).collect();
        assert_eq!(texts, [LEFT_OUT, LEFT_OUT, LEFT_OUT, "spokes", "more spokes"]);
    }
}
