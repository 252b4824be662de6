//! Where everything lives: the only file that knows a file's name.
//!
//! Documents are read once and read again when their stamp changes, so a warm turn costs one `stat`
//! for each file and no read. Lines of memory that were forgotten are not in them.

use std::collections::HashMap;
use std::path::{Component, Path};
use std::sync::Arc;

use jiff::civil::Date;
use louver_context::Profile;
use louver_context::snapshot::Document;
use louver_context::source::Source;

use crate::disk::{Folder, Kind, MAX_FILE, ReadError, Stamp};
use crate::library::unshown::{Unshown, blanked, stretches};
use crate::problem::Problem;
use crate::session::Sessions;

/// The long-term memory: nanobot's and louver's place first, then OpenClaw's.
pub const MEMORY: [&str; 2] = ["memory/MEMORY.md", "MEMORY.md"];
/// The file that a new workspace starts with; it goes away when the agent has settled in.
pub const BOOTSTRAP: &str = "BOOTSTRAP.md";
/// Where nanobot keeps conversations.
pub const THEIR_SESSIONS: &str = "sessions";
/// The workspace's own settings.
pub const SETTINGS: &str = "louver.toml";

/// What is remembered of the person: long-term memory, its history, the notes of days. Where the agent is
/// in company, none of it is shown, read or written.
pub const PRIVATE: [&str; 2] = ["memory", "MEMORY.md"];

/// Whether a file that settings or a profile name is remembered of the person.
pub fn is_private(path: &str) -> bool {
    let first = Path::new(path).components().find(|part| *part != Component::CurDir);
    first.is_some_and(|first| {
        PRIVATE.iter().any(|name| first.as_os_str().eq_ignore_ascii_case(name))
    })
}

/// The notes of one day.
pub fn daily(date: Date) -> String {
    format!("memory/{date}.md")
}

/// Whether a path is that of some day's notes. OpenClaw adds what they are about: `2026-03-10-travel.md`.
pub fn is_daily(path: &str) -> bool {
    let name = path.strip_prefix("memory/").and_then(|name| name.strip_suffix(".md"));
    name.and_then(|name| name.split_at_checked("2026-03-10".len())).is_some_and(|(day, about)| {
        day.parse::<Date>().is_ok() && (about.is_empty() || about.starts_with('-'))
    })
}

/// A workspace: its folder and what was read of it.
#[derive(Debug)]
pub struct Workspace {
    folder: Folder,
    documents: HashMap<String, Known>,
    unshown: Unshown,
}

/// A document as it was read.
#[derive(Debug)]
struct Known {
    stamp: Stamp,
    document: Document,
    problem: Option<Problem>,
    /// Which list of what was forgotten it was read with.
    list: u64,
    /// The lines that are on it, from the first to the last of each stretch.
    withheld: Vec<(u32, u32)>,
}

impl Workspace {
    /// Opens a folder as a workspace. Any folder is one.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Ok(Workspace::new(Folder::open(path)?))
    }

    /// A workspace in a folder that is already open, with whatever roots it may read.
    pub fn new(folder: Folder) -> Self {
        Workspace { folder, documents: HashMap::new(), unshown: Unshown::default() }
    }

    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The folder's absolute path.
    pub fn path(&self) -> String {
        self.folder.path().display().to_string()
    }

    /// A document by its path in the workspace. One that is not there is nothing; one that cannot
    /// be read is a problem.
    pub fn document(&mut self, path: &str, problems: &mut Vec<Problem>) -> Option<Document> {
        let list = match is_private(path) {
            true => self.unshown.look(self.folder.path()),
            false => 0,
        };
        let stamp = match self.folder.stamp(path) {
            Ok(stamp) => stamp,
            Err(error) => return self.unreadable(&error, problems),
        };
        let same = |known: &&Known| known.stamp == stamp && known.list == list;
        if let Some(known) = self.documents.get(path).filter(same) {
            problems.extend(known.problem.clone());
            return Some(known.document.clone());
        }
        let read = match self.folder.read(path, MAX_FILE) {
            Ok(read) => read,
            Err(error) => return self.unreadable(&error, problems),
        };
        let problem = odd(path, read.cut, read.lossy);
        problems.extend(problem.clone());
        let name = path.rsplit('/').next().unwrap_or(path);
        let (text, withheld) = self.without_forgotten(path, read.text);
        let document = Document { name: name.into(), path: path.into(), text: text.into() };
        let stamp = read.stamp;
        let known = Known { stamp, document: document.clone(), problem, list, withheld };
        self.documents.insert(path.to_owned(), known);
        Some(document)
    }

    /// The text of a file without what was forgotten of it, and the lines that had that, from the first to the last of
    /// each stretch.
    pub(crate) fn without_forgotten(&self, path: &str, text: String) -> (String, Vec<(u32, u32)>) {
        match self.unshown.in_text(path, &text) {
            gone if gone.is_empty() => (text, Vec::new()),
            gone => (blanked(&text, &gone), stretches(&text, &gone)),
        }
    }

    /// Whether anything was forgotten that a file of memory may have, as far as one was read.
    pub(crate) fn has_forgotten(&self) -> bool {
        !self.unshown.is_empty()
    }

    /// The lines of a document that was read which are not in its text, because they were forgotten.
    pub(crate) fn withheld(&self, document: &Document) -> impl Iterator<Item = Source> {
        let known = self.documents.get(&*document.path);
        let lines = known.into_iter().flat_map(|known| &known.withheld);
        lines.map(|(from, to)| Source::File { path: document.path.clone(), from: *from, to: *to })
    }

    /// Reports a file that cannot be read. One that is not there is no problem, unless a link says
    /// that it should be.
    fn unreadable(&self, error: &ReadError, problems: &mut Vec<Problem>) -> Option<Document> {
        let path = error.path();
        match error.is_missing() {
            false => problems.push(error.into()),
            true if matches!(self.folder.kind(path), Ok(Kind::Link)) => {
                problems.push(Problem::warning(path, "it is a link that leads nowhere"));
            }
            true => {}
        }
        None
    }

    /// The documents of a list that are there, in its order.
    pub fn documents<'a>(
        &mut self,
        paths: impl IntoIterator<Item = &'a str>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Document> {
        paths.into_iter().filter_map(|path| self.document(path, problems)).collect()
    }

    /// The long-term memory.
    pub fn memory(&mut self, problems: &mut Vec<Problem>) -> Option<Document> {
        MEMORY.iter().find_map(|path| self.document(path, problems))
    }

    /// The notes of days, under their dates.
    pub fn daily_notes(
        &mut self,
        days: impl IntoIterator<Item = Date>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Document> {
        let note = |day: Date| {
            let document = self.document(&daily(day), problems)?;
            Some(Document { name: Arc::from(day.to_string()), ..document })
        };
        days.into_iter().filter_map(note).collect()
    }

    /// Whether nothing was said here before the message that is being answered. Asked only while the
    /// file for the first run is there, which a settled workspace has no longer.
    pub fn is_new(&self) -> bool {
        if self.folder.kind(BOOTSTRAP).is_err() {
            return false;
        }
        let theirs = self.folder.list(THEIR_SESSIONS).is_ok_and(|list| !list.entries.is_empty());
        let (ours, _) = Sessions::list(self.folder.path());
        !theirs && ours.iter().map(|session| session.messages).sum::<u64>() <= 1
    }
}

/// The days whose notes are in the prompt of a profile: yesterday and today, or none. What is in the prompt is not
/// recalled, so both ask here.
pub(crate) fn days_in_prompt(profile: &Profile, today: Date) -> Vec<Date> {
    match profile.daily_notes {
        true => today.yesterday().into_iter().chain([today]).collect(),
        false => Vec::new(),
    }
}

/// What is odd about a file that could be read.
fn odd(path: &str, cut: Option<u64>, lossy: bool) -> Option<Problem> {
    if let Some(size) = cut {
        let what = format!("it has {size} bytes; only the first {MAX_FILE} were read");
        return Some(
            Problem::warning(path, what).hint("split it, or keep the long part in a skill"),
        );
    }
    let what = "it is not UTF-8 throughout; it was read as well as it can be";
    lossy.then(|| Problem::warning(path, what).hint("save it as UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_a_day_may_say_what_they_are_about() {
        for path in
            ["memory/2026-03-10.md", "memory/2026-03-10-travel.md", "memory/2026-03-10-1530.md"]
        {
            assert!(is_daily(path), "{path}");
        }
        for path in [
            "memory/2026-13-10.md",
            "memory/2026-03-101.md",
            "memory/2026.md",
            "2026-03-10.md",
            "memory/x.md",
        ] {
            assert!(!is_daily(path), "{path}");
        }
    }
}
