//! All sessions of a workspace at a glance: of each log only the first line and the end are read.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use jiff::Timestamp;
use serde::Deserialize;

use super::blob::{BLOBS, Blobs};
use super::event::Event;
use super::events::{Events, Record};
use super::line::{self, Head, MAX_LINE, is_sealed};
use super::log::Log;
use super::open::{LOG, SESSIONS};
use super::withheld;
use crate::append::open_plain;
use crate::problem::Problem;

/// What is read of a log's end at first, and at most.
const TAIL: u64 = 4 * 1024;
const LONG_TAIL: u64 = 256 * 1024;

/// How many characters of the last text are shown.
const SHOWN: usize = 160;

/// The sessions of a workspace.
#[derive(Debug, Clone, Copy)]
pub struct Sessions;

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    /// Its key; the folder's name where no line of the log tells it.
    pub key: String,
    /// Its folder's name.
    pub name: String,
    /// How many messages it has, without what was taken back.
    pub messages: u64,
    /// The size of its log.
    pub bytes: u64,
    /// When it began.
    pub created: Option<Timestamp>,
    /// When something last happened.
    pub updated: Option<Timestamp>,
    /// The last words of a person or the model, on one line.
    pub last_text: String,
}

impl Sessions {
    /// All of them, the one that was used last first.
    pub fn list(workspace: &Path) -> (Vec<SessionInfo>, Vec<Problem>) {
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        let folder = workspace.join(SESSIONS);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return (found, problems),
            Err(error) => return (found, vec![Problem::error(SESSIONS, error.to_string())]),
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            match read(&entry.path().join(LOG), &name, &mut problems) {
                Ok(info) => found.extend(info),
                // A file beside the sessions, or a session in the first moment of its life.
                Err(error) if is_absent(&error) => {}
                Err(error) => problems.push(Problem::error(path(&name), error.to_string())),
            }
        }
        found.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| a.key.cmp(&b.key)));
        (found, problems)
    }
}

/// A log as it lies on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// The session's key.
    pub key: String,
    /// Its folder's name.
    pub name: String,
    /// How many bytes there are.
    pub bytes: u64,
}

/// The logs of a workspace by key. Of each only the first line is read; one whose first line is
/// damaged is passed over.
pub fn logs(workspace: &Path) -> io::Result<Vec<LogFile>> {
    let mut logs: Vec<LogFile> = Vec::new();
    let entries = match std::fs::read_dir(workspace.join(SESSIONS)) {
        Err(error) if is_absent(&error) => return Ok(logs),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let log = entry.path().join(LOG);
        let meta = match std::fs::symlink_metadata(&log) {
            Err(error) if is_absent(&error) => continue,
            meta => meta?,
        };
        if let Some(key) = head_key(&log) {
            let name = entry.file_name().to_string_lossy().into_owned();
            logs.push(LogFile { key, name, bytes: meta.len() });
        }
    }
    logs.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(logs)
}

/// Whether a line of a log begins at a byte.
pub fn line_begins(workspace: &Path, name: &str, at: u64) -> bool {
    let log = workspace.join(SESSIONS).join(name).join(LOG);
    let Some(before) = at.checked_sub(1) else { return true };
    let byte =
        open_plain(OpenOptions::new().read(true), &log).and_then(|file| read_at(&file, before, 1));
    byte.is_ok_and(|byte| byte == b"\n")
}

/// The events of a log from one byte, where a line begins, to another.
pub fn records(workspace: &Path, name: &str, from: u64, end: u64) -> io::Result<Vec<Record>> {
    let log = workspace.join(SESSIONS).join(name).join(LOG);
    let file = open_plain(OpenOptions::new().read(true), &log)?;
    Ok(Events::from(file, from, end).collect())
}

/// The whole of a long result that was put away beside a log.
pub(crate) fn kept_text(workspace: &Path, name: &str, handle: &str) -> Option<String> {
    let blobs = Blobs::new(workspace.join(SESSIONS).join(name).join(BLOBS));
    let bytes = blobs.read(handle).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn path(name: &str) -> String {
    format!("{SESSIONS}/{name}/{LOG}")
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The key in a log's first line, if it can be read.
pub(super) fn head_key(log: &Path) -> Option<String> {
    let file = open_plain(OpenOptions::new().read(true), log).ok()?;
    let head = first_line(&file, read_at(&file, 0, TAIL).ok()?).ok()?;
    Some(key_and_time(&head)?.0)
}

fn read(log: &Path, name: &str, problems: &mut Vec<Problem>) -> io::Result<Option<SessionInfo>> {
    let file = open_plain(OpenOptions::new().read(true), log)?;
    let bytes = file.metadata()?.len();
    if bytes == 0 {
        let what = "it is empty: the conversation begins just now, or all of it was lost";
        let hint = "put a copy of the file back, or remove its folder";
        problems.push(Problem::note(path(name), what).hint(hint));
        return Ok(None);
    }
    let start = read_at(&file, 0, TAIL)?;
    let head = key_and_time(&first_line(&file, start.clone())?);
    let (key, created) = match head {
        Some((key, created)) => (key, created),
        None => (lost_key(&file, name, problems)?, None),
    };
    let withheld = log.parent().and_then(|folder| withheld::texts(folder, &key).ok());
    let mut end = End { withheld, ..End::default() };
    if bytes <= TAIL {
        end.read(&start, true);
    } else {
        end.read(&read_at(&file, bytes - TAIL, TAIL)?, false);
    }
    if end.text.is_none() && bytes > TAIL {
        let from = bytes.saturating_sub(LONG_TAIL);
        end.read(&read_at(&file, from, LONG_TAIL)?, from == 0);
    }
    let (messages, updated) = (end.messages, end.updated.or(created));
    let last_text = end.text.unwrap_or_default();
    let name = name.to_owned();
    Ok(Some(SessionInfo { key, name, messages, bytes, created, updated, last_text }))
}

/// The key of a log whose first line is damaged. Whoever has written to it since has repeated it.
fn lost_key(file: &File, name: &str, problems: &mut Vec<Problem>) -> io::Result<String> {
    let (log, _) = Log::read(file, &path(name))?;
    let what = "its first line, which tells whose it is, cannot be read";
    let problem = Problem::warning(path(name), what).at(1);
    Ok(match log.replay.key {
        Some(key) => {
            problems.push(problem);
            key
        }
        None => {
            let problem = match log.last {
                0 => Problem::error(path(name), "no line of it can be read: it is no log any more"),
                _ => problem,
            };
            let hint = "`louver sessions repair KEY`, with the key it had, writes the key again and keeps what is there; \
                        the folder is named after it";
            problems.push(problem.hint(hint));
            name.to_owned()
        }
    })
}

fn read_at(file: &File, at: u64, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(MAX_LINE)];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], at + filled as u64)? {
            0 => break,
            n => filled += n,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// The first line; a key may be longer than what was read at once.
fn first_line(file: &File, mut start: Vec<u8>) -> io::Result<Vec<u8>> {
    loop {
        if let Some(end) = memchr::memchr(b'\n', &start) {
            start.truncate(end);
            return Ok(start);
        }
        let more = read_at(file, start.len() as u64, start.len().max(1024) as u64)?;
        if more.is_empty() || start.len() > MAX_LINE {
            return Ok(start);
        }
        start.extend(more);
    }
}

fn key_and_time(line: &[u8]) -> Option<(String, Option<Timestamp>)> {
    #[derive(Deserialize)]
    struct Opened {
        key: String,
        created: String,
    }
    let head = Head::parse(line).filter(|head| head.kind == "session" && is_sealed(line))?;
    let opened: Opened = serde_json::from_slice(line).ok()?;
    Some((opened.key, opened.created.parse().or_else(|_| head.time.parse()).ok()))
}

/// What a log's last lines tell.
#[derive(Debug, Default)]
struct End {
    messages: u64,
    updated: Option<Timestamp>,
    text: Option<String>,
    /// What comes after this number was taken back by something that was read already.
    back_to: Option<u64>,
    /// The numbers of what was forgotten. Where they are not known, nothing is shown.
    withheld: Option<Vec<u64>>,
}

impl End {
    /// Looks through the end of a log, last line first, until it knows everything.
    fn read(&mut self, bytes: &[u8], from_start: bool) {
        let mut lines = bytes.rsplit(|byte| *byte == b'\n').peekable();
        while let Some(line) = lines.next() {
            let is_cut = lines.peek().is_none() && !from_start;
            if is_cut || !is_sealed(line) {
                continue;
            }
            let Some(head) = Head::parse(line) else { continue };
            if self.updated.is_none() {
                self.updated = head.time.parse().ok();
                self.messages = head.m;
            }
            match head.kind {
                "undo" => {
                    let to = back_to(line);
                    self.back_to = self.back_to.into_iter().chain(to).min();
                }
                "said" | "reply" if self.back_to.is_none_or(|to| head.n <= to) => {
                    let shown = self.withheld.as_ref().is_some_and(|all| !all.contains(&head.n));
                    self.text = text(line).filter(|_| shown);
                }
                _ => {}
            }
            if self.text.is_some() {
                return;
            }
        }
    }
}

fn back_to(line: &[u8]) -> Option<u64> {
    match line::read(line).ok()? {
        Event::Undo(undo) => Some(undo.to),
        _ => None,
    }
}

fn text(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Line<'a> {
        #[serde(borrow)]
        text: Option<Cow<'a, str>>,
        #[serde(borrow)]
        message: Option<Message<'a>>,
    }
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        content: Option<Content<'a>>,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Content<'a> {
        Text(#[serde(borrow)] Cow<'a, str>),
        Parts(Vec<Part>),
    }
    // Of a picture that comes with words, these are shown.
    #[derive(Deserialize)]
    struct Part {
        text: Option<String>,
    }
    let line: Line<'_> = serde_json::from_slice(line).ok()?;
    let text = match line.message.and_then(|message| message.content) {
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => {
            let texts: Vec<String> = parts.into_iter().filter_map(|part| part.text).collect();
            if texts.is_empty() { "[picture]".into() } else { texts.join(" ").into() }
        }
        None => line.text?,
    };
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = words.chars().take(SHOWN).collect();
    (!shown.is_empty()).then_some(shown)
}
