//! Which documents the model knows, and in which state.
//!
//! The log keeps a handle of each document's text as it was last told. When a file differs from that, the
//! difference is told after the history, and the prefix stays.

use std::collections::BTreeMap;

use louver_context::delta::{Delta, changes};
use louver_context::snapshot::{Document, Snapshot};

use super::ready::Ready;
use crate::session::event::{Event, Told};
use crate::session::{Session, SessionError};
use crate::workspace::{self, Workspace};

/// The handle of each document's text, by its path.
pub(super) type Handles = BTreeMap<String, String>;

/// Everything in a snapshot that is rendered before the history and can change on disk.
pub(super) fn of(snapshot: &Snapshot) -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    documents.extend(snapshot.identity.iter().cloned());
    // What is for the first turn alone does not go: it was never meant to stay.
    let stays = |document: &&Document| &*document.path != workspace::BOOTSTRAP;
    documents.extend(snapshot.instructions.iter().filter(stays).cloned());
    documents.extend(snapshot.memory.iter().cloned());
    documents.extend(snapshot.daily.iter().cloned());
    documents.push(skills(snapshot));
    documents
}

/// The skills as a document of their own: a line each.
fn skills(snapshot: &Snapshot) -> Document {
    let line = |skill: &louver_context::snapshot::SkillCard| {
        let missing = if skill.missing.is_empty() { "" } else { " (missing " };
        let close = if skill.missing.is_empty() { "" } else { ")" };
        format!("{}: {}{missing}{}{close}\n", skill.name, skill.description, skill.missing)
    };
    let text: String =
        snapshot.skills.iter().filter(|skill| !skill.hidden).map(|skill| line(skill)).collect();
    Document { name: "skills".into(), path: "skills".into(), text: text.into() }
}

/// What changed since the model was last told.
pub(super) struct Changed {
    /// As text for it.
    pub(super) text: Option<String>,
    /// Whether it knows something that was forgotten since. Nothing told after it takes that out.
    pub(super) knows_forgotten: bool,
}

/// What changed since the model was last told.
pub(super) fn changed(
    session: &Session,
    known: &Handles,
    now: &[Document],
    workspace: &Workspace,
) -> Changed {
    let mut before: Vec<Document> = Vec::new();
    let mut after: Vec<&Document> = Vec::new();
    let mut knows_forgotten = false;
    let mut load = |path: &str, handle: &str| {
        let document = load(session, path, handle)?;
        let (text, gone) = workspace.without_forgotten(path, document.text.to_string());
        knows_forgotten |= !gone.is_empty();
        Some(Document { text: text.into(), ..document })
    };
    for document in now {
        let path = &*document.path;
        match known.get(path) {
            Some(handle) if *handle == handle_of(document) => {}
            Some(handle) => {
                before.extend(load(path, handle));
                after.push(document);
            }
            None => after.push(document),
        }
    }
    let gone = known.iter().filter(|(path, _)| !now.iter().any(|now| *now.path == ***path));
    for (path, handle) in gone {
        // The notes of a day that is over are still there; they are just no longer shown.
        let is_over = workspace::is_daily(path);
        if !is_over || workspace.has_forgotten() {
            before.extend(load(path, handle).filter(|_| !is_over));
        }
    }
    let paths: std::collections::BTreeSet<String> =
        before.iter().chain(after.iter().copied()).map(|d| d.path.to_string()).collect();
    let text = changes(paths.iter().map(|path| Delta {
        before: before.iter().find(|document| *document.path == **path),
        after: after.iter().copied().find(|document| *document.path == **path),
    }));
    Changed { text, knows_forgotten }
}

/// A document as the model knows it. One whose text is lost is told as if it were new.
fn load(session: &Session, path: &str, handle: &str) -> Option<Document> {
    let bytes = session.blob(handle).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    Some(Document { name: path.into(), path: path.into(), text: text.into() })
}

/// Puts the documents away and gives back their handles.
pub(super) fn keep(session: &Session, documents: &[Document]) -> Result<Handles, SessionError> {
    let kept = documents.iter().map(|document| {
        let handle = session.keep_text(&document.text)?;
        Ok((document.path.to_string(), handle))
    });
    kept.collect()
}

/// The handle that a text gets, unless another text has the same hash.
fn handle_of(document: &Document) -> String {
    Session::handle_of(&document.text)
}

/// The event that says what the model knows now.
pub(super) fn told(ready: &Ready, documents: Handles) -> Event {
    Event::Told(Told { documents, changes: ready.changes.0.into(), ..Told::default() })
}
