//! The account of one context: where every byte of the request came from, what it costs, and what
//! was shortened or left out and why.
//!
//! The spans tile the request: every byte of every text that travels belongs to exactly one of
//! them, and their tokens and the framing add up to the total.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize, Serializer};

use crate::epoch::Epoch;
use crate::pairing::Repair;
use crate::source::{Place, Source, Trust};
use crate::tokens::Tokens;

/// The account of one context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ledger {
    /// The model it was counted for.
    pub model: String,
    /// The profile whose layers it has.
    pub profile: Cow<'static, str>,
    /// What the model can hold.
    pub window: Tokens,
    /// What is kept free for its answer.
    pub reply: Tokens,
    /// Whether the counts are a stated estimate, since the model's own vocabulary is not public.
    pub estimated: bool,
    /// The request's size: all spans and the framing.
    pub total: Tokens,
    /// What the request costs beside its texts: role marks, brackets around calls.
    pub framing: Tokens,
    /// The layers, in reading order.
    pub layers: Vec<Row>,
    /// The request's texts, tiled.
    pub spans: Vec<Span>,
    /// What was left out, and why.
    pub left_out: Vec<LeftOut>,
    /// The epoch it belongs to, in a session that has epochs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<Epoch>,
    /// What had to be mended in the history so that a provider takes it.
    pub repairs: Vec<Repair>,
}

/// One layer's line in the account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The layer's name.
    pub name: Cow<'static, str>,
    /// Where it stands.
    pub place: Place,
    /// Who wrote it.
    pub trust: Trust,
    /// What it would cost whole.
    pub asked: Tokens,
    /// What it costs.
    pub given: Tokens,
    /// What became of it.
    pub state: State,
}

/// What became of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It is there whole.
    Kept,
    /// Part of it is there.
    Shortened,
    /// None of it is there.
    LeftOut,
}

/// A stretch of the request with one source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Span {
    /// The layer it belongs to.
    pub layer: Cow<'static, str>,
    /// Which text of the request it is in.
    pub at: At,
    /// The bytes of that text.
    pub bytes: Range<usize>,
    /// Its tokens. A token that reaches over the end belongs to the span it starts in.
    pub tokens: Tokens,
    /// Where it came from.
    pub source: Source,
    /// The hash of its bytes.
    #[serde(serialize_with = "hex")]
    pub hash: u64,
}

/// One text of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "in", rename_all = "kebab-case")]
pub enum At {
    /// The schema of the n-th tool.
    Tool {
        /// Its number.
        tool: u32,
    },
    /// The system text.
    System,
    /// A text of the n-th message below the system text.
    Message {
        /// Its number.
        message: u32,
        /// Which of its texts.
        field: Field,
    },
}

/// One text of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// The n-th part of its content.
    Part(u32),
    /// The n-th piece of reasoning.
    Reasoning(u32),
    /// The id, name and arguments of the n-th call.
    Call(u32),
    /// The id of the call it answers, and the name of the tool or the person.
    Label,
}

/// Something that is not in the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The layer it would be in.
    pub layer: Cow<'static, str>,
    /// Where it is.
    pub source: Source,
    /// What it would cost.
    pub tokens: Tokens,
    /// Why it is not there.
    pub reason: Reason,
}

/// Why something was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The window has no room for it.
    Room,
    /// The layer has a cap of its own.
    Cap(Tokens),
    /// Only so many rounds of history are kept.
    Rounds(u32),
    /// The profile cuts files at so many characters.
    Characters(u32),
    /// The profile shows so many of them at the most.
    Count(u32),
    /// The person had it forgotten. What it says is not counted.
    Forgotten,
}

impl Ledger {
    /// What the window leaves for the request.
    pub fn budget(&self) -> Tokens {
        self.window - self.reply
    }

    /// The layer's line, if it has one.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.layers.iter().find(|row| row.name == name)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Room => f.write_str("no room in the window"),
            Reason::Cap(cap) => write!(f, "the layer's cap is {cap} tokens"),
            Reason::Rounds(1) => f.write_str("only the last round is kept"),
            Reason::Rounds(rounds) => write!(f, "only the last {rounds} rounds are kept"),
            Reason::Count(most) => write!(f, "the profile shows at most {most}"),
            Reason::Forgotten => f.write_str("forgotten"),
            Reason::Characters(most) => write!(f, "the profile cuts at {most} characters"),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Kept => "kept",
            State::Shortened => "shortened",
            State::LeftOut => "left out",
        })
    }
}

fn hex<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{hash:016x}"))
}
