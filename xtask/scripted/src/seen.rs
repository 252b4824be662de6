//! What a request holds, whichever protocol it came in.

use crate::cache::Piece;

/// Which of the two protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// OpenAI's chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// What a request holds. Reading it never fails: what is not there is empty, and what is wrong is
/// for the checks to say.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// The model it is for.
    pub(crate) model: String,
    /// Whether the answer is to be streamed.
    pub(crate) stream: bool,
    /// Whether a stream is to end with what it cost. Anthropic always says.
    pub(crate) include_usage: bool,
    /// The text above the conversation.
    pub(crate) system: String,
    /// The newest words of a person.
    pub(crate) last_user: String,
    /// The newest tool result.
    pub(crate) last_tool: String,
    /// Whether the request ends with that result.
    pub(crate) ends_with_tool: bool,
    /// How many messages there are.
    pub(crate) messages: usize,
    /// Everything that is sent, in the order in which a provider's cache compares it.
    pub(crate) pieces: Vec<Piece>,
}
