//! What of a session is not shown any more, because a note in it was forgotten.
//!
//! The log is never rewritten and still has it. The list of what was forgotten says where: a message itself,
//! a reminder that came with one, a result of a tool. Whoever looks at the session through a view does not
//! see it, and sees it again when it is no longer forgotten.

use std::path::Path;
use std::sync::Arc;

use louver_context::message::{Content, Message};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::replay::View;
use super::spoken::without_reminder;
use super::{Entry, Session};

/// The list of what was forgotten, beside the sessions.
const LIST: &str = "forgotten.json";

/// Stands for a message that was forgotten.
const FORGOTTEN: &str = "[this message was forgotten]";
/// Stands for a result that has a note which was forgotten.
const RESULT: &str = "[left out: it has a note that was forgotten]";

/// A place in a session that has a note which was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Withheld {
    /// The session's key.
    pub(crate) session: String,
    /// The number of the event: what was said, answered or returned.
    pub(crate) n: u64,
    /// What of it is withheld.
    pub(crate) what: What,
}

/// What of an event is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum What {
    /// The message itself.
    Message,
    /// What came with it to remind the model.
    Reminder,
    /// What a tool returned.
    Result,
}

/// What is withheld of a session.
pub(super) fn of(session: &Session) -> Vec<Withheld> {
    of_key(&session.folder, &session.key)
}

/// The same, by the session's folder and key.
pub(super) fn of_key(folder: &Path, key: &str) -> Vec<Withheld> {
    let list = folder.ancestors().nth(2).map(|folder| folder.join(LIST));
    let mut all = list.map_or_else(Vec::new, |list| read(&list));
    all.retain(|withheld| withheld.session == key);
    all
}

/// A list that cannot be read withholds nothing; recall tells that it cannot be.
fn read(list: &Path) -> Vec<Withheld> {
    #[derive(Deserialize)]
    struct Forgotten {
        #[serde(default)]
        withheld: Vec<Withheld>,
    }
    let Ok(bytes) = std::fs::read(list) else { return Vec::new() };
    let all: Vec<Forgotten> = serde_json::from_slice(&bytes).unwrap_or_default();
    all.into_iter().flat_map(|forgotten| forgotten.withheld).collect()
}

/// Takes it out of a view.
pub(super) fn apply(view: &mut View, all: &[Withheld]) {
    if all.is_empty() {
        return;
    }
    view.withheld = xxh3_64(format!("{all:?}").as_bytes());
    for entry in &mut view.messages {
        for withheld in all {
            if is_in(entry, withheld) {
                entry.message = Arc::new(without(&entry.message, withheld.what));
            }
        }
    }
}

/// Whether a message is of an event, or was sent for it.
fn is_in(entry: &Entry, Withheld { n, what, .. }: &Withheld) -> bool {
    let said = entry.said.filter(|_| *what != What::Result);
    entry.id == *n || said.is_some_and(|[first, last]| (first..=last).contains(n))
}

/// A message without what was forgotten.
pub(super) fn without(message: &Message, what: What) -> Message {
    let text = match what {
        What::Message => FORGOTTEN.to_owned(),
        What::Result => RESULT.to_owned(),
        What::Reminder => {
            let texts: Vec<_> = message.texts().map(|text| without_reminder(text)).collect();
            texts.join("\n")
        }
    };
    Message { content: Content::Text(text.into()), ..message.clone() }
}

impl Session {
    /// Whether what an event says was forgotten, or is a result that has what was.
    pub fn is_forgotten(&self) -> impl Fn(u64) -> bool {
        let all = of(self);
        move |n| {
            let says = |what| matches!(what, What::Message | What::Result);
            all.iter().any(|withheld| withheld.n == n && says(withheld.what))
        }
    }
}
