//! What can happen in a session, one variant per kind of line in its log.
//!
//! Kinds and fields that this version does not know are kept as they are, so that an older louver
//! can copy what a newer one wrote.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::stored::{PictureRef, Stored};

/// Fields that are not known here.
pub type Extra = Map<String, Value>;

/// The field of what was said, and of a prefix, that says that others read along.
pub const OTHERS: &str = "others";

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "e", rename_all = "lowercase")]
pub enum Event {
    /// The session begins.
    Session(Opened),
    /// A person said something.
    Said(Said),
    /// The messages of a turn went out.
    Sent(Sent),
    /// An epoch began: from here on the prefix stays.
    Prefix(Prefix),
    /// The model answered.
    Reply(Reply),
    /// A tool was started.
    Call(Call),
    /// A tool finished.
    Result(CallResult),
    /// A message was shortened, for ever.
    Reduced(Reduced),
    /// A text that stands for earlier messages.
    Summary(Summary),
    /// The model was told what changed in its documents.
    Told(Told),
    /// A model was paid.
    Usage(Usage),
    /// The person was told something that the model was not.
    Note(Note),
    /// The conversation went back to an earlier point.
    Undo(Undo),
    /// Memory has been made of the messages up to here.
    Cursor(Cursor),
    /// A kind that this version does not know, or a known one in a form it does not know.
    #[serde(untagged)]
    Unknown(Unknown),
}

/// The session begins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// `channel:chat`, whatever it contains. This decides whose log it is, not the folder's name.
    pub key: String,
    /// When, as RFC 3339. It differs from the line's own time for an imported session.
    pub created: String,
    /// What else is known of it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A person said something.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// The channel it came by.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub channel: String,
    /// The chat within that channel.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub chat: String,
    /// The words.
    #[serde(default)]
    pub text: String,
    /// The pictures that came with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<PictureRef>,
    /// The message, when it is more than words and pictures, as an imported one may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Stored>,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The messages of a turn went out. They take the place of what was said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// The ids of what was said and is in these messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<u64>,
    /// The messages that the turn added, exactly as they were sent.
    pub messages: Vec<Stored>,
    /// The epoch in which they were sent.
    #[serde(default)]
    pub epoch: u32,
    /// The profile that built them.
    #[serde(default)]
    pub profile: String,
    /// The model that got them.
    #[serde(default)]
    pub model: String,
    /// The tokens of the whole request.
    #[serde(default)]
    pub tokens: u64,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Sent {
    /// Whether what was said could not be sent: nothing was, and nobody answered it.
    pub fn is_refusal(&self) -> bool {
        self.messages.is_empty()
    }
}

/// An epoch began: from here on the prefix stays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prefix {
    /// Its number.
    pub epoch: u32,
    /// Why.
    pub reason: String,
    /// The text above the conversation.
    pub system: String,
    /// Where each place's text ends in it, by the place's name.
    #[serde(default)]
    pub places: Vec<(String, usize)>,
    /// The tools as they were sent.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub tools: Value,
    /// The model.
    #[serde(default)]
    pub model: String,
    /// The profile.
    #[serde(default)]
    pub profile: String,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The model answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer, with its calls and its reasoning.
    pub message: Stored,
    /// What the provider said of its cost, as it said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Value>,
    /// Why the model stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A tool was started.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: String,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A tool finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallResult {
    /// The id of the call that it answers.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// What the model sees: all of it, or the beginning of a long one and its handle.
    pub text: String,
    /// The handle of the whole result, when `text` is only its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// Whether the tool did what it was asked.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub ok: bool,
    /// The message, when it is more than `text`: one with pictures, or an imported one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Stored>,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A message was shortened, for ever: the kept part of its text as it was first stored, then `text`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reduced {
    /// The message's id.
    pub id: u64,
    /// Which of the messages with that id, counted from zero.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub part: u32,
    /// The bytes that stay, first and end. None stay when it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<[usize; 2]>,
    /// What comes after them: a mark, or the whole replacement.
    #[serde(default)]
    pub text: String,
    /// Why.
    #[serde(default)]
    pub why: String,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A text that stands for earlier messages. They stay in the log and leave the model's view.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The text.
    pub text: String,
    /// The first and the last message it stands for.
    pub stands_for: [u64; 2],
    /// What it stands for, when the text is a mark that does not tell what was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untold: Option<Untold>,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Messages that left the view and that no summary tells of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untold {
    /// How many.
    pub messages: usize,
    /// What they would cost.
    pub tokens: u32,
    /// How many rounds are kept, when that is why they went. Else they had no room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
}

/// The model was told what changed in its documents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The handle of each document's text as the model knows it now, by its path.
    pub documents: BTreeMap<String, String>,
    /// What telling of changes has cost since the epoch began, in tokens.
    #[serde(default)]
    pub changes: u64,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A model was paid.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Which one.
    pub model: String,
    /// What for.
    pub cause: String,
    /// Tokens sent, those from a cache included.
    #[serde(default)]
    pub input: u64,
    /// Tokens of them that the provider had cached.
    #[serde(default)]
    pub cached: u64,
    /// Tokens answered.
    #[serde(default)]
    pub output: u64,
    /// The price in dollars, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The person was told something that the model was not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// What.
    pub text: String,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The conversation went back to an earlier point.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Undo {
    /// The last event whose message stays. Zero takes back everything.
    pub to: u64,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Memory has been made of the messages up to here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cursor {
    /// The last of them.
    pub to: u64,
    /// Fields that are not known here.
    #[serde(flatten)]
    pub extra: Extra,
}

/// An event that this version does not know.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Unknown {
    /// Its kind.
    #[serde(rename = "e")]
    pub kind: String,
    /// Everything else.
    #[serde(flatten)]
    pub fields: Extra,
}

impl Said {
    /// Whether others read along: then it may be anybody's words.
    pub fn is_in_company(&self) -> bool {
        self.extra.get(OTHERS) == Some(&Value::Bool(true))
    }
}

impl Prefix {
    /// Whether it was made for company, and holds nothing that is remembered of the person.
    pub fn is_for_company(&self) -> bool {
        self.extra.get(OTHERS) == Some(&Value::Bool(true))
    }
}

impl Event {
    /// Whether it adds a message to the conversation.
    pub fn is_message(&self) -> bool {
        match self {
            Event::Said(_) | Event::Reply(_) | Event::Result(_) => true,
            Event::Sent(sent) => sent.said.is_empty(),
            _ => false,
        }
    }

    /// The fields that are not known here.
    pub fn extra(&self) -> &Extra {
        extra_of!(self)
    }

    /// The fields that are not known here, to be changed.
    pub fn extra_mut(&mut self) -> &mut Extra {
        extra_of!(self)
    }
}

/// The one field that all kinds have. A macro, because it is wanted shared and exclusive.
macro_rules! extra_of {
    ($event:expr) => {
        match $event {
            Event::Session(Opened { extra, .. })
            | Event::Said(Said { extra, .. })
            | Event::Sent(Sent { extra, .. })
            | Event::Prefix(Prefix { extra, .. })
            | Event::Reply(Reply { extra, .. })
            | Event::Call(Call { extra, .. })
            | Event::Result(CallResult { extra, .. })
            | Event::Reduced(Reduced { extra, .. })
            | Event::Summary(Summary { extra, .. })
            | Event::Told(Told { extra, .. })
            | Event::Usage(Usage { extra, .. })
            | Event::Note(Note { extra, .. })
            | Event::Undo(Undo { extra, .. })
            | Event::Cursor(Cursor { extra, .. })
            | Event::Unknown(Unknown { fields: extra, .. }) => extra,
        }
    };
}
use extra_of;

impl Default for CallResult {
    fn default() -> Self {
        let (id, name, text) = Default::default();
        CallResult { id, name, text, blob: None, ok: true, message: None, extra: Extra::new() }
    }
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_yes(ok: &bool) -> bool {
    *ok
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}
