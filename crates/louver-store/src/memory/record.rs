//! What the log of memory's changes is made of.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One state of MEMORY.md and how it came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Its number. Numbers grow; one that is missing was begun and never came to be.
    pub n: u64,
    /// When.
    #[serde(rename = "t", with = "time")]
    pub time: Timestamp,
    /// Who wrote it.
    pub who: Who,
    /// What it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
    /// The hash of its bytes, which is their name among the objects.
    pub hash: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// The version before it; zero for none.
    pub parent: u64,
    /// The version that the writer had read, when it was merged with what came after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<u64>,
    /// The version that was restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<u64>,
    /// The proposal that was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<u64>,
    /// The consolidation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consolidation: Option<u64>,
}

/// Who changed memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// A person, in an editor or by command.
    Person,
    /// The agent, by a tool.
    Agent,
    /// A consolidation of old messages.
    Consolidation,
    /// A person took an earlier version back.
    Restore,
    /// It was there before louver first looked, or came with an import.
    Import,
}

impl Who {
    /// The name as it is stored and shown.
    pub fn name(self) -> &'static str {
        match self {
            Who::Person => "person",
            Who::Agent => "agent",
            Who::Consolidation => "consolidation",
            Who::Restore => "restore",
            Who::Import => "import",
        }
    }
}

/// The messages that a change was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The session's key.
    pub session: String,
    /// The ids of the messages.
    pub messages: Vec<u64>,
}

/// A change that was not made because a person should look at it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its number.
    pub id: u64,
    /// When.
    #[serde(rename = "t", with = "time")]
    pub time: Timestamp,
    /// Who wanted it.
    pub who: Who,
    /// What it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
    /// The version it was made from; zero for none.
    pub base: u64,
    /// The version that was in the file.
    pub theirs: u64,
    /// The hash of the proposed text.
    pub hash: String,
    /// How many bytes that has.
    pub bytes: u64,
    /// Why it was not written, in lower case and without a full stop.
    pub why: String,
    /// The lines that would be lost, where that is the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// The consolidation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consolidation: Option<u64>,
}

/// A consolidation that was begun: everything that is needed to finish it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Begun {
    pub(super) id: u64,
    #[serde(rename = "t", with = "time")]
    pub(super) time: Timestamp,
    pub(super) from: Origin,
    /// The time of the last message, as it came. It tells the session from another of the same key.
    pub(super) last_time: String,
    /// What goes to HISTORY.md, and where its first byte goes.
    pub(super) entry: String,
    pub(super) offset: u64,
    /// The version that the update was made from.
    pub(super) base: u64,
    /// The hash of the update, when memory is to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) update: Option<String>,
    /// Why the update is only to be proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lost: Vec<String>,
}

/// What became of memory in a consolidation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Nothing needed to change.
    Same,
    /// It is this version now.
    Version(u64),
    /// A person has to look at this proposal.
    Proposed(u64),
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "e", rename_all = "lowercase")]
pub(super) enum Record {
    /// A version that was found in the file.
    Version(Version),
    /// A version that is about to be put into the file.
    Begin(Version),
    /// It is in the file.
    Done { n: u64 },
    /// It is not, and will not be.
    Dropped { n: u64 },
    /// A change that a person should look at.
    Proposed(Proposal),
    /// A person did.
    Settled { id: u64, accepted: bool },
    /// A consolidation that is about to be carried out.
    Consolidate(Begun),
    /// It is carried out.
    Consolidated { id: u64, change: Change },
    /// Something a later louver writes.
    #[serde(other)]
    Unknown,
}

/// Moments as text; the time zone is always UTC.
pub(super) mod time {
    use jiff::Timestamp;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(in super::super) fn serialize<S: Serializer>(
        time: &Timestamp,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let rounded = time.round(jiff::Unit::Millisecond).unwrap_or(*time);
        to.collect_str(&rounded)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Timestamp, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(from)?;
        text.parse().map_err(D::Error::custom)
    }
}
