//! What happened: HISTORY.md, nanobot's history.jsonl, and the notes of single days.
//!
//! These files only grow, by one write at a time, so that anyone may read them with `grep` while
//! somebody adds to them. An entry of HISTORY.md ends with an empty line; one that begins with a
//! date ends the one before it, too.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use jiff::civil::{Date, DateTime};
use serde_json::Value;

use super::{Memory, MemoryError, WAIT};
use crate::append::open_plain;
use crate::disk::{Folder, ReadError};
use crate::library::unshown::{Unshown, blanked};
use crate::problem::Problem;

/// Where entries are added.
const HISTORY: &str = "HISTORY.md";
/// The most bytes that are read of a history.
pub(super) const MAX_HISTORY: u64 = 256 * 1024 * 1024;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// When, as far as the entry says.
    pub time: Option<DateTime>,
    /// The whole entry.
    pub text: String,
    /// The file it is in.
    pub file: &'static str,
    /// The line it begins on, counted from one.
    pub line: u32,
}

impl Memory {
    /// Adds an entry to HISTORY.md.
    pub fn append_history(&self, entry: &str) -> Result<(), MemoryError> {
        let _lock = self.lock(WAIT)?;
        self.ready()?;
        let path = self.note_path(HISTORY)?;
        let (_, gap) = end_of(&path, "\n\n").map_err(unreadable(&path))?;
        self.add(&path, &format!("{gap}{}\n\n", entry.trim_end()))
    }

    /// Adds a line, or several, to the notes of a day.
    pub fn append_daily(&self, date: Date, text: &str) -> Result<(), MemoryError> {
        let _lock = self.lock(WAIT)?;
        let path = self.note_path(&format!("{date}.md"))?;
        let (_, gap) = end_of(&path, "\n").map_err(unreadable(&path))?;
        self.add(&path, &format!("{gap}{}\n", text.trim_end()))
    }

    /// Everything that happened and was not forgotten, oldest first, from HISTORY.md and from nanobot's history.jsonl.
    pub fn history(&self) -> (Vec<HistoryEntry>, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut entries = self.entries("memory/history.jsonl", from_jsonl, &mut problems);
        entries.extend(self.entries("memory/HISTORY.md", from_markdown, &mut problems));
        sort(&mut entries);
        (entries, problems)
    }

    fn entries(
        &self,
        file: &'static str,
        parse: fn(&'static str, &str) -> Vec<HistoryEntry>,
        problems: &mut Vec<Problem>,
    ) -> Vec<HistoryEntry> {
        match Folder::open(&self.root).and_then(|root| root.read(file, MAX_HISTORY)) {
            Ok(read) => {
                let gone = Unshown::of(&self.root).in_text(file, &read.text);
                parse(file, &blanked(&read.text, &gone))
            }
            Err(ReadError::Missing { .. }) => Vec::new(),
            Err(error) => {
                problems.push((&error).into());
                Vec::new()
            }
        }
    }

    /// Where HISTORY.md ends, and what has to stand before its next entry.
    pub(super) fn end_of_history(&self) -> Result<(u64, &'static str), MemoryError> {
        let path = self.note_path(HISTORY)?;
        end_of(&path, "\n\n").map_err(unreadable(&path))
    }

    /// Where HISTORY.md is, without links.
    pub(super) fn history_path(&self) -> Result<PathBuf, MemoryError> {
        self.note_path(HISTORY)
    }

    /// Adds text to the end of a file, with one write.
    pub(super) fn add(&self, path: &Path, text: &str) -> Result<(), MemoryError> {
        let writing = MemoryError::disk(path, "it could not be written");
        self.disk.append(path, text.as_bytes()).map_err(writing)
    }

    /// A file in the folder `memory` that is about to grow. The folder is made if it is not there,
    /// and zeros at the file's end are cut off: after a power loss a file may have grown by them
    /// instead of by what was written, and nobody writes them in a note.
    fn note_path(&self, name: &str) -> Result<PathBuf, MemoryError> {
        let folder = self.root.join("memory");
        let making = MemoryError::disk(&folder, "it could not be made");
        self.disk.make_folder(&folder).map_err(making)?;
        let path = self.inside(&folder)?.join(name);
        if path.symlink_metadata().is_err() {
            return Ok(path);
        }
        let path = self.inside(&path)?;
        let (len, zeros) = zeros_at_end(&path).map_err(unreadable(&path))?;
        if zeros > 0 {
            let cutting = MemoryError::disk(&path, "zeros at its end could not be cut off");
            self.disk.cut(&path, len - zeros).map_err(cutting)?;
        }
        Ok(path)
    }
}

/// The entries of a history's text, by its file's name.
pub fn read_history(name: &str, text: &str) -> Vec<HistoryEntry> {
    match name.ends_with(".jsonl") {
        true => from_jsonl("memory/history.jsonl", text),
        false => from_markdown("memory/HISTORY.md", text),
    }
}

/// The entries that hold these words, whether in capitals or not.
pub fn search<'a>(entries: &'a [HistoryEntry], words: &str) -> Vec<&'a HistoryEntry> {
    let words = words.to_lowercase();
    entries.iter().filter(|entry| entry.text.to_lowercase().contains(&words)).collect()
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> MemoryError {
    MemoryError::disk(path, "it could not be read")
}

/// How long a file is, and how many of its last bytes are zero.
fn zeros_at_end(path: &Path) -> io::Result<(u64, u64)> {
    let file = open_plain(OpenOptions::new().read(true), path)?;
    let len = file.metadata()?.len();
    let mut zeros = 0;
    let mut buffer = [0; 4096];
    while zeros < len {
        let part = (len - zeros).min(buffer.len() as u64);
        let part = &mut buffer[..part as usize];
        file.read_exact_at(part, len - zeros - part.len() as u64)?;
        let found = part.iter().rev().take_while(|byte| **byte == 0).count();
        zeros += found as u64;
        if found < part.len() {
            break;
        }
    }
    Ok((len, zeros))
}

/// How long a file is, and what is missing until its last line is ended by `ending`.
fn end_of(path: &Path, ending: &'static str) -> io::Result<(u64, &'static str)> {
    let file = match open_plain(OpenOptions::new().read(true), path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((0, "")),
        file => file?,
    };
    let len = file.metadata()?.len();
    let mut last = [b'\n'; 2];
    let short = (2 - len.min(2)) as usize;
    file.read_exact_at(&mut last[short..], len - (2 - short) as u64)?;
    let ends = last.iter().rev().take_while(|byte| **byte == b'\n').count();
    Ok((len, ending.get(ends..).unwrap_or_default()))
}

/// By time; an entry without one stays behind the one before it.
fn sort(entries: &mut Vec<HistoryEntry>) {
    let mut latest = None;
    let mut keyed: Vec<(Option<DateTime>, HistoryEntry)> = Vec::with_capacity(entries.len());
    for entry in entries.drain(..) {
        latest = entry.time.or(latest);
        keyed.push((latest, entry));
    }
    keyed.sort_by_key(|(time, _)| *time);
    entries.extend(keyed.into_iter().map(|(_, entry)| entry));
}

fn from_markdown(file: &'static str, text: &str) -> Vec<HistoryEntry> {
    let mut entries: Vec<HistoryEntry> = Vec::new();
    let mut open = false;
    for (line, said) in (1..).zip(text.lines()) {
        let head = head(said);
        let raw = entries.last().is_some_and(|entry| is_raw(&entry.text));
        if said.trim().is_empty() {
            // An archive of whole messages may have empty lines, and ends with the next entry.
            open &= raw;
        } else if let Some(last) = entries.last_mut().filter(|_| open && (raw || head.is_none())) {
            // The messages in it begin with a time, as entries do, and with who spoke.
            if !raw || head.is_none() || is_message(said) {
                last.text.push('\n');
                last.text.push_str(said);
                continue;
            }
            entries.push(HistoryEntry { time: head, text: said.to_owned(), file, line });
        } else {
            entries.push(HistoryEntry { time: head, text: said.to_owned(), file, line });
            open = true;
        }
    }
    entries
}

/// The time that a line begins with: `[YYYY-MM-DD`, then perhaps a time of day.
fn head(line: &str) -> Option<DateTime> {
    let (inside, _) = line.strip_prefix('[')?.split_once(']')?;
    moment(inside)
}

fn moment(text: &str) -> Option<DateTime> {
    let date: Date = text.get(..10)?.parse().ok()?;
    let clock = text.get(11..16).and_then(|clock| clock.split_once(':'));
    let (hour, minute) = match clock {
        Some((hour, minute)) => (hour.parse().ok()?, minute.parse().ok()?),
        None => (0, 0),
    };
    Some(date.to_datetime(jiff::civil::Time::new(hour, minute, 0, 0).ok()?))
}

/// Whether an entry is nanobot's archive of messages that it could not sum up.
fn is_raw(entry: &str) -> bool {
    entry.lines().next().is_some_and(|first| first.contains("[RAW]"))
}

/// Whether a line is a message in such an archive: `[time] ROLE: …`.
fn is_message(line: &str) -> bool {
    let role = line.split_once("] ").and_then(|(_, rest)| rest.split_once(':'));
    role.is_some_and(|(role, _)| {
        let name = role.split(' ').next().unwrap_or(role);
        ["USER", "ASSISTANT", "TOOL", "SYSTEM"].contains(&name)
    })
}

/// Lines that are not what nanobot writes are passed over, as it does itself.
fn from_jsonl(file: &'static str, text: &str) -> Vec<HistoryEntry> {
    let entry = |(line, said): (u32, &str)| {
        let value: Value = serde_json::from_str(said).ok()?;
        let fields = value.as_object()?;
        fields.get("cursor")?.as_u64()?;
        let text = fields.get("content")?.as_str()?.to_owned();
        let time = fields.get("timestamp").and_then(Value::as_str).and_then(moment);
        Some(HistoryEntry { time, text, file, line })
    };
    (1..).zip(text.lines()).filter_map(entry).collect()
}

#[cfg(test)]
#[path = "test_history.rs"]
mod tests;
