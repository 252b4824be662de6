//! Everything one turn may know, as plain data.
//!
//! The engine reads no clock, file or environment: whoever calls it puts what it needs in here.
//! Same snapshot, same output.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::epoch::Epoch;
use crate::frozen::Frozen;
use crate::layer::Piece;
use crate::ledger::Reason;
use crate::message::Message;
use crate::picture::Picture;
use crate::source::{Place, Source, Trust};
use crate::tokens::Tokens;

/// Everything one turn may know.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Who and where the agent is.
    pub host: Host,
    /// The text that replaces the built-in identity, if there is one.
    pub identity: Option<Document>,
    /// The instruction files that exist, in the order they were asked for.
    pub instructions: Vec<Document>,
    /// The long-term memory, `memory/MEMORY.md`.
    pub memory: Option<Document>,
    /// Daily notes that belong into the context, oldest first.
    pub daily: Vec<Document>,
    /// The skills, in name order.
    pub skills: Arc<[Arc<SkillCard>]>,
    /// Which skills fit the conversation, when there are more than their share of the window holds.
    pub fitting: Option<Arc<Fitting>>,
    /// Names of skills to bring in whole for this turn.
    pub named_skills: Vec<String>,
    /// The tools on offer.
    pub tools: Arc<[ToolSchema]>,
    /// Layers that configuration adds.
    pub extra: Vec<Extra>,
    /// What stands for the part of the conversation that is no longer sent, oldest first.
    pub earlier: Vec<Earlier>,
    /// The file that has what was summed up, if this conversation may read it.
    pub entries_in: Option<Arc<str>>,
    /// The conversation so far.
    pub history: Vec<Arc<Message>>,
    /// What changed in files since the prefix was fixed.
    pub changes: Option<Arc<str>>,
    /// Lines of these documents that were forgotten. Their place in the text is empty.
    pub withheld: Vec<Source>,
    /// Notes that may answer this message, best first.
    pub recalled: Vec<Note>,
    /// What was sent before this turn and stays as it was, in a session whose epoch goes on.
    pub frozen: Option<Arc<Frozen>>,
    /// The epoch, for the account.
    pub epoch: Option<Epoch>,
    /// The time, if the model is to know it.
    pub now: Option<Now>,
    /// The channel the message came by, such as `cli` or `telegram`.
    pub channel: Option<String>,
    /// The chat within that channel.
    pub chat: Option<String>,
    /// What the person said.
    pub message: Arc<str>,
    /// Pictures that came with it.
    pub pictures: Vec<Arc<Picture>>,
    /// A turn that has begun goes on: what was said and told in it is in the history, and nothing
    /// new comes after that.
    pub goes_on: bool,
}

/// Who and where the agent is.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// The operating system as a person would call it: `Linux`, `macOS`.
    pub system: String,
    /// The processor, such as `x86_64`.
    pub machine: String,
    /// louver's own version.
    pub version: String,
    /// The workspace's absolute path.
    pub workspace: String,
    /// The model's name, for profiles that tell it.
    pub model: String,
}

/// What stands for messages of the session that are no longer sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Earlier {
    /// The text.
    pub text: Arc<str>,
    /// The first and the last event that it stands for.
    pub events: [u64; 2],
    /// What those messages cost and why they went, when the text does not tell what they said.
    pub untold: Option<(Tokens, Reason)>,
}

/// A named text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The name under which it is shown, such as `AGENTS.md`.
    pub name: Arc<str>,
    /// The path as a person would write it, relative to the workspace where that is possible.
    pub path: Arc<str>,
    /// The text, with newlines as `\n`.
    pub text: Arc<str>,
}

/// A skill as the context needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillCard {
    /// The name, which is the folder's.
    pub name: Arc<str>,
    /// One line that says when to use it.
    pub description: Arc<str>,
    /// Where its SKILL.md can be read.
    pub location: Arc<str>,
    /// The text below the frontmatter.
    pub body: Arc<str>,
    /// The line of SKILL.md on which the body begins.
    pub body_line: u32,
    /// Whether its body is in every context.
    pub always: bool,
    /// What is missing to use it, as in `CLI: gh, ENV: TOKEN`; empty when it can be used.
    pub missing: Arc<str>,
    /// Whether the model is not to be told of it.
    pub hidden: bool,
    /// Its line in the list of skills, once it was made.
    pub listing: Listing,
}

/// A skill's line in the list, remembered: a workspace may have a thousand skills, and their lines
/// are the same in every turn. It never makes two skills differ.
#[derive(Debug, Clone, Default)]
pub struct Listing(OnceLock<(String, Piece)>);

impl Listing {
    /// The line for this workspace, made by `make` the first time.
    pub(crate) fn get(&self, workspace: &str, make: impl Fn() -> Piece) -> Piece {
        let (known, piece) = self.0.get_or_init(|| (workspace.to_owned(), make()));
        if known == workspace { piece.clone() } else { make() }
    }
}

impl PartialEq for Listing {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Which skills fit a conversation. Whoever knows how well they do says so; the engine keeps the list
/// to its share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fitting {
    /// Their names, the one that fits best first. One that is not here fits least.
    pub skills: Vec<Arc<str>>,
}

/// A tool on offer.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSchema {
    /// The name the model calls it by.
    pub name: Arc<str>,
    /// What it does, for the model.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// A layer that configuration adds: a file's text or a command's output.
#[derive(Debug, Clone, PartialEq)]
pub struct Extra {
    /// The layer's name.
    pub name: String,
    /// Where it goes.
    pub place: Place,
    /// Who wrote it.
    pub trust: Trust,
    /// The most tokens it may have.
    pub cap: Option<Tokens>,
    /// Where the text came from.
    pub source: Source,
    /// The text.
    pub text: Arc<str>,
}

/// A note that was recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its address.
    pub id: Arc<str>,
    /// What it is part of, as shown: a session, a file. Notes of one source that follow each other stand
    /// under its name.
    pub source: String,
    /// When it was written, as shown.
    pub date: String,
    /// Who said it, or the title it stands under; may be empty.
    pub who: String,
    /// The text.
    pub text: Arc<str>,
}

/// A point in local time, already resolved: the engine has no clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Now {
    /// `YYYY-MM-DD HH:MM`.
    pub minute: String,
    /// The weekday in English.
    pub weekday: &'static str,
    /// The zone's short name, such as `CET`.
    pub zone: String,
}

impl fmt::Display for Now {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}) ({})", self.minute, self.weekday, self.zone)
    }
}

impl Snapshot {
    /// The named skills and those marked `$name` in the message, in name order, each once.
    ///
    /// A `$name` that is no skill's name is just text (`$HOME`, `$5`).
    pub fn skills_for_turn(&self) -> Vec<Arc<SkillCard>> {
        let marked: Vec<&str> = dollar_words(&self.message).collect();
        let wanted = |skill: &SkillCard| {
            self.named_skills.iter().any(|name| **name == *skill.name)
                || marked.contains(&&*skill.name)
        };
        self.skills.iter().filter(|skill| wanted(skill)).cloned().collect()
    }
}

/// The words of a text that are marked with a dollar sign, without it.
fn dollar_words(text: &str) -> impl Iterator<Item = &str> {
    text.split('$').skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'));
        rest[..end.unwrap_or(rest.len())].trim_end_matches('-')
    })
}
