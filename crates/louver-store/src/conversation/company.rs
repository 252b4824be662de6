//! What leaves a conversation when others come in: what came with its messages for the owner alone.
//!
//! What was said stays, and what the model answered. Reminders, changed files and what tools read of memory
//! were put there by louver, and others must not be told of them.

use std::collections::HashMap;
use std::sync::Arc;

use louver_context::message::{Content, Message, Role};

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
    let report = format!("<{REPORT}");
    // The last call under an id is the one that the next result answers.
    let mut calls: HashMap<Arc<str>, bool> = HashMap::new();
    let mut events = Vec::new();
    for at in 0..view.messages.len() {
        let entry = &view.messages[at];
        let message = entry.message.clone();
        let tells = message.calls.iter().map(|call| {
            let asked = call.arguments.to_lowercase().contains("memory");
            (call.id.clone(), asked || OF_MEMORY.contains(&&*call.name))
        });
        calls.extend(tells);
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
