//! What a model answers, whichever provider it came through.

use louver_context::Message;
use serde::{Deserialize, Serialize};

/// A whole answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// What it says, the tools it calls and the reasoning its provider wants back.
    pub message: Message,
    /// Why it ended.
    pub finish: Finish,
    /// What it cost, when the provider says.
    pub usage: Option<Usage>,
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// It was done.
    Stop,
    /// It wants tools to run.
    Calls,
    /// It reached the most tokens it may have.
    Length,
    /// The provider withheld the rest.
    Filtered,
    /// Another reason, as the provider names it.
    Other(String),
}

/// What an answer cost, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Sent, those from a cache included.
    pub input: u64,
    /// Of them, read from the provider's cache.
    #[serde(default)]
    pub cached: u64,
    /// Of them, written to it.
    #[serde(default)]
    pub cache_written: u64,
    /// Answered, reasoning included.
    pub output: u64,
    /// Of them, reasoning.
    #[serde(default)]
    pub reasoning: u64,
}

/// A piece of an answer, as it comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// Words for the person.
    Text(String),
    /// What the model thinks.
    Thinking(String),
    /// A call of this tool has begun; its arguments are still coming.
    Call(String),
    /// The server is asked again after this time.
    Waiting {
        /// How long, in seconds.
        seconds: u64,
        /// Why it did not answer, for a person.
        why: String,
    },
    /// The answer broke off and begins again: what came so far is void.
    Again {
        /// Why, for a person.
        why: String,
    },
}

impl Finish {
    /// The word the log keeps.
    pub fn name(&self) -> &str {
        match self {
            Finish::Stop => "stop",
            Finish::Calls => "calls",
            Finish::Length => "length",
            Finish::Filtered => "filtered",
            Finish::Other(name) => name,
        }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input += other.input;
        self.cached += other.cached;
        self.cache_written += other.cache_written;
        self.output += other.output;
        self.reasoning += other.reasoning;
    }
}
