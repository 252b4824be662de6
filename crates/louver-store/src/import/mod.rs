//! Conversations that other programs wrote, read without loss.
//!
//! Each file becomes the key of a session and its events, with every field it had; what louver does not
//! understand is kept beside what it does. Importing the same file again adds nothing.

mod guest;
mod nanobot;
mod openclaw;
mod places;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use louver_context::message::{Message, Role};
use serde_json::Value;

pub use self::places::{JOBS, Other, others, session_files};

use crate::append::Durability;
use crate::export;
use crate::problem::Problem;
use crate::session::event::{Cursor, Event, Opened, Unknown};
use crate::session::{Mode, Session, SessionError};

/// The largest session file that is read.
const MOST_BYTES: u64 = 1 << 30;
/// What is read of one to know whose it is.
const HEAD_BYTES: u64 = 256 * 1024;

/// A conversation as it was found.
#[derive(Debug)]
pub struct Found {
    /// Its key.
    pub key: String,
    /// Where it was found.
    pub path: PathBuf,
    /// What is said of it as a whole.
    pub meta: serde_json::Map<String, Value>,
    /// When it began, if that is known.
    pub created: Option<Timestamp>,
    /// Its lines, in order.
    pub lines: Vec<Line>,
    /// Lines that could not be read.
    pub problems: Vec<Problem>,
}

/// One line of a session file.
#[derive(Debug)]
pub struct Line {
    /// When, if the line says so.
    pub time: Option<Timestamp>,
    /// What it is.
    pub what: What,
}

/// What a line is.
#[derive(Debug)]
pub enum What {
    /// A message, and the line as it was.
    Message(Box<Message>, Value),
    /// Something else, kept as it was.
    Other(Value),
    /// Memory was made of all messages before this point.
    Consolidated,
}

/// Reads one session file of nanobot or OpenClaw.
pub fn read(path: &Path) -> Result<Found, Problem> {
    read_up_to(path, MOST_BYTES)
}

fn read_up_to(path: &Path, most: u64) -> Result<Found, Problem> {
    let shown = path.display().to_string();
    let unreadable = |error: std::io::Error| Problem::error(shown.clone(), error.to_string());
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut problems = Vec::new();
    if matches!(text, std::borrow::Cow::Owned(_)) {
        let what = "it is not UTF-8 throughout; it was read as well as it can be";
        problems.push(Problem::warning(shown.clone(), what));
    }
    let mut rows: Vec<Value> = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        match serde_json::from_str(text) {
            Ok(row) => rows.push(row),
            Err(error) => {
                let what = format!("left out: not JSON: {error}");
                problems.push(Problem::warning(shown.clone(), what).at(line));
            }
        }
    }
    let of_openclaw =
        rows.first().is_some_and(|row| row.get("type").is_some_and(|t| t == "session"));
    let mut found =
        if of_openclaw { openclaw::read(path, rows) } else { nanobot::read(path, rows) };
    if found.is_empty() && (bytes.is_empty() || !problems.is_empty()) {
        // Which of its lines are bad does not matter any more.
        problems = vec![none_in(&shown, &bytes)];
    }
    found.problems.splice(0..0, problems);
    Ok(found)
}

/// Says what a file is that should have a conversation and has none.
fn none_in(path: &str, bytes: &[u8]) -> Problem {
    let what = match bytes {
        [] => "it is empty",
        bytes if bytes.contains(&0) || std::str::from_utf8(bytes).is_err() => "it is not text",
        _ => "no line of it is a message",
    };
    Problem::error(path, format!("no conversation is in it: {what}"))
        .hint("it is left as it is: put a copy of it back, or remove it")
}

/// The conversation with this key that another program keeps in a workspace.
pub fn foreign(workspace: &Path, key: &str) -> Option<Found> {
    let files = session_files(workspace);
    let mut found = files.iter().filter_map(|file| read(file).ok());
    found.find(|found| found.key == key && !found.is_empty())
}

/// How many conversations another program keeps in a workspace of which there is no log of ours. Only the
/// beginnings of files are read, which tell whose they are.
pub fn not_taken_over(workspace: &Path) -> usize {
    let is_new = |found: &Found| !found.is_empty() && !Session::exists(workspace, &found.key);
    let files = session_files(workspace);
    files.iter().filter_map(|file| read_up_to(file, HEAD_BYTES).ok()).filter(is_new).count()
}

/// Takes such a conversation over before the first word is added to it, unless there is one of ours. Says so.
pub fn take_over(workspace: &Path, key: &str) -> Result<Vec<Problem>, SessionError> {
    if Session::exists(workspace, key) {
        return Ok(Vec::new());
    }
    let Some(found) = foreign(workspace, key) else { return Ok(Vec::new()) };
    let stored = match found.store(workspace) {
        // Another process is at it, and who goes on waits for that.
        Err(SessionError::Busy { .. }) => return Ok(Vec::new()),
        stored => stored?,
    };
    let file = found.path.strip_prefix(workspace).unwrap_or(&found.path).display();
    let (s, were) = if stored == 1 { ("", "was") } else { ("s", "were") };
    let mut what =
        format!("it was another program's: {stored} message{s} of {file} {were} taken over");
    if let without @ 1.. = found.without_memory() {
        what += &format!("; no memory is made of the oldest {without}, which can be recalled");
    }
    let mut problems = found.problems;
    problems.push(Problem::warning(format!("session `{key}`"), what));
    Ok(problems)
}

impl Found {
    /// Whether no line of it is a message, as in a file that is empty or no text.
    pub fn is_empty(&self) -> bool {
        !self.lines.iter().any(|line| matches!(line.what, What::Message(..)))
    }

    /// The messages, in order.
    pub fn messages(&self) -> Vec<Arc<Message>> {
        let message = |line: &Line| match &line.what {
            What::Message(message, _) => Some(Arc::new((**message).clone())),
            _ => None,
        };
        self.lines.iter().filter_map(message).collect()
    }

    /// Writes the conversation into a workspace. Says how many messages were new: a conversation
    /// that is there already gets only what was added to the file since.
    pub fn store(&self, workspace: &Path) -> Result<usize, SessionError> {
        let (mut session, _) = Session::open(workspace, &self.key, Mode::Write)?;
        let known = already(&session)?;
        if known == Some(self.lines.len()) {
            return Ok(0);
        }
        let is_new = known.is_none() && session.view().0.messages.is_empty();
        if session.last() == 0 || known.is_none() {
            session.append(&self.opened(), Durability::Process)?;
        }
        let mut new = 0;
        let mut last = 0;
        let mut ids = Vec::new();
        for line in self.lines.iter().skip(known.unwrap_or(0)) {
            let event = match &line.what {
                What::Message(message, raw) => {
                    new += 1;
                    export::imported_event(&session, message, raw)?
                }
                What::Other(value) => other(value),
                What::Consolidated => Event::Cursor(Cursor { to: last, ..Cursor::default() }),
            };
            let time = line.time.or(self.created).unwrap_or_else(Timestamp::now);
            last = session.append_at(time, &[event], Durability::Process)?;
            if matches!(line.what, What::Message(..)) {
                ids.push(last);
            }
        }
        let newest = self.lines.iter().rev().find_map(|line| line.time);
        let time = newest.unwrap_or_else(Timestamp::now);
        // In a session that has turns of ours, the cursor tells how far memory was made of those.
        let passed = self.passed_over().filter(|_| is_new).and_then(|passed| ids.get(passed.last));
        let cursor = passed.map(|to| Event::Cursor(Cursor { to: *to, ..Cursor::default() }));
        let end: Vec<Event> = cursor.into_iter().chain([self.counted()]).collect();
        session.append_at(time, &end, Durability::Disk)?;
        Ok(new)
    }

    /// How many messages no memory is made of, though nothing says that it was: all but the newest. Years of them would
    /// cost a large request with each turn, and they can be recalled as they are.
    pub fn without_memory(&self) -> usize {
        self.passed_over().map_or(0, |passed| passed.messages)
    }

    fn passed_over(&self) -> Option<PassedOver> {
        let done = self.lines.iter().rposition(|line| matches!(line.what, What::Consolidated));
        let is_message = |line: &&Line| matches!(line.what, What::Message(..));
        let before = self.lines[..done.unwrap_or(0)].iter().filter(is_message).count();
        let messages = self.messages();
        let from = messages.len().saturating_sub(NEWEST).max(before);
        // Memory begins with something that was asked.
        let asks = |message: &Arc<Message>| message.role == Role::User;
        let from = from + messages[from..].iter().position(asks)?;
        (from > before && messages.len() - before > NEWEST)
            .then(|| PassedOver { messages: from - before, last: from - 1 })
    }

    fn opened(&self) -> Event {
        let created = self.created.unwrap_or_else(Timestamp::now);
        Event::Session(Opened {
            key: self.key.clone(),
            created: created.to_string(),
            meta: self.meta.clone(),
            ..Opened::default()
        })
    }

    /// Says how many lines have been taken, so that a second import begins behind them.
    fn counted(&self) -> Event {
        let mut fields = serde_json::Map::new();
        fields.insert("lines".into(), self.lines.len().into());
        Event::Unknown(Unknown { kind: COUNTED.to_owned(), fields })
    }
}

/// Messages of which no memory is made.
struct PassedOver {
    messages: usize,
    /// Where the last of them is among all messages.
    last: usize,
}

/// Of so many messages of an import memory may still be made: twice what a session may have by itself, one or two
/// requests in all.
const NEWEST: usize = 2 * louver_context::consolidate::MEMORY_WINDOW;

/// The kind of the event that says how far an import went.
const COUNTED: &str = "imported-lines";
/// The kind of an event that keeps a line louver does not understand.
pub(crate) const KEPT: &str = "imported";

fn other(value: &Value) -> Event {
    let mut fields = serde_json::Map::new();
    fields.insert("line".into(), value.clone());
    Event::Unknown(Unknown { kind: KEPT.to_owned(), fields })
}

/// How many lines of the file the session has; nothing when it was never imported.
fn already(session: &Session) -> Result<Option<usize>, SessionError> {
    let mut lines = None;
    let mut began = false;
    let mut taken = 0;
    for record in session.events()? {
        match record.event {
            Event::Session(opened) => {
                began |= opened.meta.contains_key("nanobot") || opened.meta.contains_key("openclaw")
            }
            Event::Unknown(Unknown { kind, fields }) if kind == COUNTED => {
                lines = fields.get("lines").and_then(Value::as_u64).map(|n| n as usize);
                taken = lines.unwrap_or(0);
            }
            Event::Usage(_) | Event::Prefix(_) | Event::Sent(_) => {}
            _ if began => taken += 1,
            _ => {}
        }
    }
    // An import that was cut off has no count yet, and goes on behind what it wrote.
    Ok(lines.or(began.then_some(taken)))
}
