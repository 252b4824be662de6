//! Where a span of text came from, who wrote it, and how often it changes.
//!
//! These three travel with every piece of text from the disk to the ledger, so that the question
//! "why does the model see this?" has an answer for every byte.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// How often a layer's text changes, which is also where it goes.
///
/// The order of the variants is the order in the request. Providers cache the longest unchanged
/// prefix, so text that changes often must come after text that does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// The same for every session of this agent.
    Always,
    /// Fixed when a session (or an epoch of it) begins.
    Session,
    /// What was said so far, and what stands for the part of it that is no longer sent.
    History,
    /// New with every turn.
    Turn,
}

impl Place {
    /// The place's name as it is written in configuration and shown on screens.
    pub fn name(self) -> &'static str {
        match self {
            Place::Always => "always",
            Place::Session => "session",
            Place::History => "history",
            Place::Turn => "turn",
        }
    }

    /// Reads a name from configuration.
    pub fn from_name(name: &str) -> Option<Self> {
        [Place::Always, Place::Session, Place::History, Place::Turn]
            .into_iter()
            .find(|place| place.name() == name)
    }
}

/// Who wrote a text. Text below [`Trust::Agent`] is data, never an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// Someone else: the web, another person in the chat, a skill from a stranger.
    ThirdParty,
    /// A tool's output.
    Tool,
    /// The agent itself, in an earlier turn.
    Agent,
    /// The person whose agent this is.
    Owner,
}

impl Trust {
    /// Reads a name from configuration.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "third-party" => Some(Trust::ThirdParty),
            "tool" => Some(Trust::Tool),
            "agent" => Some(Trust::Agent),
            "owner" => Some(Trust::Owner),
            _ => None,
        }
    }

    /// Whether the text may stand in the prompt without a fence around it.
    pub fn may_instruct(self) -> bool {
        self >= Trust::Agent
    }
}

/// Where a span of text came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Source {
    /// Prose that ships with louver, by the name of its file.
    BuiltIn {
        /// The prose's name, such as `identity`.
        name: Cow<'static, str>,
    },
    /// Lines of a file in the workspace.
    File {
        /// The file as a person would name it: relative to the workspace where that is possible.
        path: Arc<str>,
        /// The first line, counted from one.
        from: u32,
        /// The last line.
        to: u32,
    },
    /// A skill, listed or whole.
    Skill {
        /// The skill's name.
        name: Arc<str>,
    },
    /// A message of the session.
    Message {
        /// Its number in the history that was handed in, counted from zero.
        id: u32,
    },
    /// A call of a tool, or its result.
    ToolCall {
        /// The number of the message that holds it.
        message: u32,
        /// The call's id.
        id: Arc<str>,
    },
    /// The schema of a tool on offer.
    Tool {
        /// The tool's name.
        name: Arc<str>,
    },
    /// A note that was recalled.
    Note {
        /// The note's own address.
        id: Arc<str>,
    },
    /// What was said earlier in the session, and is no longer sent as it was.
    Earlier {
        /// The number of its first event in the session's log.
        from: u64,
        /// The number of its last one.
        to: u64,
    },
    /// What changed in files since the prefix was fixed.
    Changes,
    /// What a command printed.
    Command {
        /// The command line.
        line: Arc<str>,
    },
    /// Facts of this turn: the time, the channel.
    Runtime,
    /// What the person said just now, or a picture that came with it.
    Said,
    /// A separator, a heading or a tag that louver put between other texts.
    Glue,
    /// A mark that says what is missing here and how to read it.
    Marker,
}

impl Source {
    /// Prose that ships with louver.
    pub const fn built_in(name: &'static str) -> Self {
        Source::BuiltIn { name: Cow::Borrowed(name) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::BuiltIn { name } => write!(f, "built in: {name}"),
            Source::File { path, from, to } if to > from => write!(f, "{path}:{from}-{to}"),
            Source::File { path, from, .. } => write!(f, "{path}:{from}"),
            Source::Skill { name } => write!(f, "skill {name}"),
            Source::Message { id } => write!(f, "message {id}"),
            Source::ToolCall { message, id } => write!(f, "call {id} in message {message}"),
            Source::Tool { name } => write!(f, "tool {name}"),
            Source::Note { id } => write!(f, "note {id}"),
            Source::Earlier { from, to } => write!(f, "events {from} to {to} of this session"),
            Source::Changes => f.write_str("changes to files"),
            Source::Command { line } => write!(f, "command `{line}`"),
            Source::Runtime => f.write_str("runtime"),
            Source::Said => f.write_str("this message"),
            Source::Glue => f.write_str("separator"),
            Source::Marker => f.write_str("marker"),
        }
    }
}

/// How many lines a text has; a last line without a newline counts.
pub(crate) fn lines_in(text: &str) -> u32 {
    let newlines = text.bytes().filter(|byte| *byte == b'\n').count();
    let unfinished = usize::from(!text.is_empty() && !text.ends_with('\n'));
    u32::try_from(newlines + unfinished).unwrap_or(u32::MAX)
}
