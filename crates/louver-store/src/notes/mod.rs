//! What can be recalled, and where it comes from.
//!
//! Everything that was said in any session, the history, memory, the notes of single days, and folders
//! of text that the person names. Each is a source with a stamp: one whose stamp is the one it was
//! indexed with need not be read again, and a session that grew is read from where it ended.
//!
//! What the agent was sent besides (recalled notes, the clock, changed files) is no note: what is
//! taken from a session is what a person said and what the model answered, never the request.

mod block;
mod cut;
mod day;
mod files;
mod front;
mod heading;
mod list;
mod sessions;
mod when;
mod wrap;

use std::collections::HashSet;
use std::path::PathBuf;

use louver_context::Trust;

use crate::disk::Folder;
use crate::owner::Owner;
use crate::problem::Problem;

pub use cut::paragraphs;
pub(crate) use cut::titles;
pub use files::ENDINGS;
pub(crate) use files::{is_memory, notes_of_memory};
pub(crate) use list::item;
pub use when::When;

/// Something that can be recalled.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Where it is: `cli:direct#412`, `memory/HISTORY.md:57`. It names the note for good.
    pub place: String,
    /// What it says.
    pub text: String,
    /// Who said it, or the title of what it is part of.
    pub who: String,
    /// Whose voice it is.
    pub voice: Voice,
    /// When it was said.
    pub time: Option<When>,
    /// Who wrote it.
    pub trust: Trust,
}

/// Whose voice a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// The person the agent works for.
    Person,
    /// The agent itself.
    Agent,
    /// A document.
    Document,
}

/// A place where notes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name: a session's key, or a file's path. The notes of one without a name stand alone.
    pub name: String,
    /// What it was when it was looked at.
    pub stamp: String,
    /// What it is.
    pub kind: SourceKind,
    /// Whose it is: empty for the owner's, else the key of the chat, which alone may know it, whatever its name.
    pub scope: String,
}

/// What a source is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    /// A session, by its folder's name.
    Session(String),
    /// HISTORY.md or history.jsonl.
    History,
    /// The long-term memory.
    Memory,
    /// The notes of a day.
    Daily,
    /// A file of a folder that the person names, whose number this is.
    Document(usize),
    /// Notes that the caller has, and that are nowhere in the workspace. They stay when the library is brought up to
    /// date, unless a session or file there has the source's name. There is nothing to read them from again: an index
    /// that is damaged, deleted, or made again by another version or with other vectors has lost them.
    Given,
}

/// What a source holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Held {
    /// The notes, in their order.
    pub notes: Vec<Note>,
    /// Whether they come after those that the earlier stamp stood for, and take the place of none.
    pub more: bool,
}

/// Everything that notes come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// What there is.
    pub sources: Vec<Source>,
    /// Of what has a name that begins so, nothing is known.
    pub unseen: Vec<String>,
    /// What of each folder that the person names is not read.
    pub passed_over: Vec<PassedOver>,
}

/// How many things in a folder are not read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Files with an ending that is not among [`ENDINGS`].
    pub endings: usize,
    /// Links, which are not followed.
    pub links: usize,
    /// Names that are not UTF-8.
    pub unnameable: usize,
}

impl Listing {
    /// Whether a source that is not there may be there all the same.
    pub fn may_have(&self, name: &str) -> bool {
        self.unseen.iter().any(|start| name.starts_with(start.as_str()))
    }
}

/// Where notes are looked for.
#[derive(Debug)]
pub struct Places {
    /// The workspace.
    pub folder: Folder,
    /// Folders of text that the person names.
    pub documents: Vec<Folder>,
    /// Those of them that cannot be opened now. What they had is not gone: a disk may be unplugged.
    pub away: Vec<PathBuf>,
    /// Whose sessions are the owner's.
    pub owner: Owner,
}

/// Which folders of text the person names now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folders {
    /// How the names of their files begin.
    begins: Vec<String>,
}

/// The name of the file that a source is, if it is one of a folder that the person names or named. No other source has
/// the name of a text file from the root on.
pub(crate) fn page(source: &str) -> Option<&str> {
    let is_file = source.starts_with('/') && files::is_text(source);
    source.rsplit('/').next().filter(|_| is_file)
}

/// Whether a name is that of a file that notes are read from, or may be. A source is known by its name alone, so a
/// session that is called so would take turns with the file, and show the owner's memory as another's chat.
pub(crate) fn is_file(name: &str) -> bool {
    is_memory(name) || page(name).is_some()
}

/// What is told of a session that is called so.
fn named_like_a_file(key: &str) -> Problem {
    let what = "this session is called like a file, so what is said in it is not recalled";
    Problem::warning(key, what)
        .hint(format!("`louver sessions fork '{key}' NEW` copies it to one that is"))
}

impl Folders {
    /// Whether a source is a file of a folder that is not among them.
    pub fn lack(&self, source: &str) -> bool {
        page(source).is_some()
            && !self.begins.iter().any(|begin| source.starts_with(begin.as_str()))
    }

    /// How a source is called in a prompt: a file by its way from its folder on, since the way to that is the same for all.
    /// Two folders of one name keep their ways, and so does what would be called like the memory of the workspace.
    pub(crate) fn brief<'a>(&self, source: &'a str) -> &'a str {
        let within = self.begins.iter().filter(|begin| source.starts_with(begin.as_str()));
        let Some(folder) = within.max_by_key(|begin| begin.len()) else { return source };
        let alike = self.begins.iter().filter(|begin| last(begin) == last(folder)).count();
        let brief = &source[folder.len() - last(folder).len() - 1..];
        if alike == 1 && !is_memory(brief) { brief } else { source }
    }

    /// The files that may be called so.
    pub(crate) fn of_brief<'a>(&'a self, brief: &'a str) -> impl Iterator<Item = String> + 'a {
        let first = brief.split('/').next().unwrap_or_default();
        let folders = self.begins.iter().filter(move |begin| last(begin) == first);
        folders.map(move |begin| format!("{}{brief}", &begin[..begin.len() - first.len() - 1]))
    }
}

/// The last part of the way to a folder, which ends with a slash.
fn last(begin: &str) -> &str {
    begin.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

impl Places {
    /// The folders of text, those that cannot be opened now included.
    pub fn folders(&self) -> Folders {
        let there = self.documents.iter().map(Folder::path);
        let all = there.chain(self.away.iter().map(PathBuf::as_path));
        Folders { begins: all.map(|path| format!("{}/", path.display())).collect() }
    }

    /// Everything that notes come from, with its stamp. Nothing is read for it.
    pub fn sources(&self, problems: &mut Vec<Problem>) -> Listing {
        let mut listing = Listing::default();
        files::of_memory(&self.folder, &mut listing, problems);
        // A folder that has the workspace in it has what is read already.
        let root = self.folder.path().display();
        let own: HashSet<String> =
            listing.sources.iter().map(|source| format!("{root}/{}", source.name)).collect();
        match sessions::all(self) {
            Ok(sessions) => {
                let (files, sessions) =
                    sessions.into_iter().partition::<Vec<_>, _>(|session| is_file(&session.name));
                problems.extend(files.iter().map(|session| named_like_a_file(&session.name)));
                listing.sources.extend(sessions);
            }
            Err(error) => {
                problems.push(Problem::error("sessions", error.to_string()));
                listing.unseen.push(String::new());
            }
        }
        for (number, folder) in self.documents.iter().enumerate() {
            files::of_documents(folder, number, &mut listing, problems);
        }
        listing.sources.retain(|source| !own.contains(&source.name));
        let away = self.away.iter().map(|folder| format!("{}/", folder.display()));
        listing.unseen.extend(away);
        listing
    }

    /// The notes of a source: those that are new since `before`, when it only grew.
    pub fn read(&self, source: &Source, before: Option<&str>) -> Result<Held, Problem> {
        match &source.kind {
            SourceKind::Session(name) => sessions::read(self, source, name, before),
            SourceKind::Document(number) => {
                let folder = self.documents.get(*number).unwrap_or(&self.folder);
                files::read(folder, source)
            }
            _ => files::read(&self.folder, source),
        }
    }
}

/// Who says what the person says in a session.
pub const PERSON: &str = "person";

/// Who said something in a session of the owner's while others read along.
pub const COMPANY: &str = "in company";

#[cfg(test)]
mod tests;
