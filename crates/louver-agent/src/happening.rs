//! What happens in a turn, as it happens: for a screen, a channel or a log to show.

use louver_store::Problem;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use crate::reply::{Delta, Usage};

/// Where happenings go. Nobody has to listen: drop the receiver, and what would be asked is refused. One that is
/// kept must be read, because a turn waits for the answer to what it asks.
pub type Ears = UnboundedSender<Happening>;

/// Something that happened in a turn.
#[derive(Debug)]
pub enum Happening {
    /// A request is about to go out.
    Sending(Sending),
    /// A piece of the answer came in.
    Delta(Delta),
    /// An answer is whole and in the log.
    Replied {
        /// What it cost, when the provider says.
        usage: Option<Usage>,
    },
    /// A tool begins.
    Calls {
        /// The call's id.
        id: String,
        /// The tool.
        name: String,
        /// What it was given.
        arguments: Value,
    },
    /// A tool has finished, and its result is in the log.
    Returned {
        /// The call's id.
        id: String,
        /// The tool.
        name: String,
        /// The tool's own words, or the first line of what it brought.
        summary: String,
        /// Whether it did not do what it was asked.
        failed: bool,
    },
    /// The person must say whether a tool may do this.
    Asks {
        /// The tool.
        name: String,
        /// What it would do.
        arguments: Value,
        /// Where the answer goes. When it is dropped, the answer is no.
        answer: oneshot::Sender<Answer>,
    },
    /// The agent says something before the turn ends.
    Says {
        /// The channel.
        channel: String,
        /// The chat within that channel.
        chat: String,
        /// The words.
        text: String,
    },
    /// Something is wrong with a part, and the turn goes on without it.
    Problem(Problem),
    /// Something the person should know.
    Note(String),
}

/// A request as it goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sending {
    /// Its tokens, as counted here.
    pub tokens: u32,
    /// What the window leaves for it.
    pub budget: u32,
    /// How many tokens are left out of it.
    pub left_out: u32,
    /// Which epoch it belongs to.
    pub epoch: u32,
}

/// What a person says to a tool that wants to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// This once.
    Yes,
    /// This tool, as long as the program runs.
    Always,
    /// No.
    No,
    /// There is nobody to ask.
    Nobody,
}
