//! Conversations that other programs wrote, read without loss.
//!
//! Each file becomes the key of a session and its events, with every field it had; what louver does not
//! understand is kept beside what it does. Importing the same file again adds nothing.

mod guest;
mod halves;
mod memory;
mod nanobot;
mod openclaw;
mod places;
mod settings;
mod store;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use louver_context::message::Message;
use serde_json::Value;

pub use self::memory::joined;
pub use self::places::{JOBS, Other, databases, others, session_files, settings_file};
pub use self::settings::Theirs;
pub use self::store::TakenOver;

use crate::problem::Problem;
use crate::session::{Session, SessionError};

/// The largest session file that is read.
const MOST_BYTES: u64 = 1 << 30;
/// What is read of one to know whose it is.
const HEAD_BYTES: u64 = 256 * 1024;

/// A conversation as it was found.
#[derive(Debug)]
pub struct Found {
    /// Its key.
    pub key: String,
    /// The key under which it may have been taken over before.
    pub was: Option<String>,
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

/// Whose conversation it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    Nanobot,
    OpenClaw,
}

impl Program {
    /// The program whose conversation has this said of it as a whole.
    pub(crate) fn of(meta: &serde_json::Map<String, Value>) -> Program {
        match meta.contains_key("openclaw") {
            true => Program::OpenClaw,
            false => Program::Nanobot,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Program::Nanobot => "nanobot",
            Program::OpenClaw => "openclaw",
        }
    }
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
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        match serde_json::from_str(text).or_else(|_| serde_json::from_str(&halves::out_of(text))) {
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
        stored => stored?.new,
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
}

/// The kind of an event that keeps a line louver does not understand.
pub(crate) const KEPT: &str = "imported";
