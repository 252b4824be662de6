//! What can go wrong with an answer, on purpose.

use serde::Deserialize;

/// What goes wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "a fault is one of \"empty\", \"malformed\", \"no_index\", \"endless\", \"hang\", \
                 \"close\", \"html\", \"wrong_type\", \"unfinished\", \"stream_error\", \
                 \"key_echoed\", \"quota\", \"too_long\", {\"cut\": BYTES}, {\"slow_ms\": MS}, \
                 {\"ids\": \"wrong\" | \"shifting\" | \"duplicate\" | \"empty\" | \"missing\"}, \
                 {\"too_long\": DIALECT}, \
                 {\"status\": CODE, \"retry_after\": \"SECONDS\", \"message\": \"WORDS\"}"
)]
pub enum Fault {
    /// One that needs no more than its name.
    Named(Named),
    /// The connection ends after this many bytes of the body.
    Cut {
        /// How many.
        cut: usize,
    },
    /// The body comes byte by byte, in chunks of one, so that characters are cut in two.
    Slow {
        /// The pause before each byte.
        slow_ms: u64,
    },
    /// The ids of the calls are bad.
    Ids {
        /// How.
        ids: Ids,
    },
    /// The conversation does not fit, in the words of one kind of server.
    TooLong {
        /// Whose words.
        too_long: Dialect,
    },
    /// Another status than 200, with the body the provider sends with it.
    Status {
        /// 400, 401, 404, 429, 500, 529, or another.
        status: u16,
        /// The header `retry-after`: seconds, or a date.
        #[serde(default)]
        retry_after: Option<String>,
        /// Other words than the provider's own.
        #[serde(default)]
        message: Option<String>,
    },
}

/// A fault that needs no more than its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// A proper answer that says nothing.
    Empty,
    /// One event, or the whole body, is JSON that breaks off.
    Malformed,
    /// The fragments of the calls do not say which call they belong to.
    NoIndex,
    /// A stream that repeats the text until the client goes. Only streams: a whole answer says its
    /// text once.
    Endless,
    /// Nothing is ever answered.
    Hang,
    /// The connection is closed instead of an answer.
    Close,
    /// A page instead of an answer, as a proxy or a sign-in portal sends it: 200 and HTML.
    Html,
    /// The right body under the wrong content type.
    WrongType,
    /// A stream that ends in order, but before the event that says why.
    Unfinished,
    /// An error that comes in the middle of a stream.
    StreamError,
    /// 401, and the error repeats the key it was sent.
    KeyEchoed,
    /// 429 for an account without money: waiting will not help.
    Quota,
    /// The conversation does not fit, in the protocol's own words.
    TooLong,
}

/// How the ids of calls are bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ids {
    /// Characters that no provider takes back.
    Wrong,
    /// Each fragment of a call has another. In a whole answer like `wrong`.
    Shifting,
    /// All calls have the same.
    Duplicate,
    /// The empty string.
    Empty,
    /// None at all.
    Missing,
}

/// Whose words say that a conversation is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Dialect {
    /// OpenAI itself.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic, when the input alone is too long.
    #[serde(rename = "anthropic")]
    Anthropic,
    /// Anthropic, when the input fits and its reply does not.
    #[serde(rename = "anthropic_reply")]
    AnthropicReply,
    /// llama.cpp's server.
    #[serde(rename = "llama.cpp")]
    LlamaCpp,
    /// vLLM.
    #[serde(rename = "vllm")]
    Vllm,
    /// OpenRouter.
    #[serde(rename = "openrouter")]
    OpenRouter,
    /// DeepSeek.
    #[serde(rename = "deepseek")]
    DeepSeek,
    /// Moonshot's Kimi.
    #[serde(rename = "kimi")]
    Kimi,
    /// LM Studio, whose `error` is a string.
    #[serde(rename = "lm_studio")]
    LmStudio,
}

impl Fault {
    pub(crate) fn is(fault: Option<&Fault>, named: Named) -> bool {
        fault == Some(&Fault::Named(named))
    }

    pub(crate) fn ids(fault: Option<&Fault>) -> Option<Ids> {
        match fault {
            Some(Fault::Ids { ids }) => Some(*ids),
            _ => None,
        }
    }
}
