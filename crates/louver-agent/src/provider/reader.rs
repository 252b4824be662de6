//! An answer of either wire, read piece by piece or whole.

use std::collections::HashSet;
use std::sync::Arc;

use louver_context::ToolCall;
use louver_context::count::hash;
use serde_json::Value;

use super::error::Fault;
use super::{Wire, anthropic, openai};
use crate::reply::{Delta, Reply};
use crate::sse::Event;

/// Reads an answer: fed with the events of a stream, it gives what a listener hears and at last
/// the whole.
#[derive(Debug)]
pub enum Reader {
    /// OpenAI's.
    OpenAi(Box<openai::Reader>),
    /// Anthropic's.
    Anthropic(anthropic::Reader),
}

impl Reader {
    /// A reader that has read nothing yet.
    pub fn new(wire: Wire) -> Reader {
        match wire {
            Wire::OpenAi => Reader::OpenAi(Box::default()),
            Wire::Anthropic => Reader::Anthropic(anthropic::Reader::default()),
        }
    }

    /// Takes the next event.
    pub fn event(&mut self, event: &Event) -> Result<Vec<Delta>, Fault> {
        match self {
            Reader::OpenAi(reader) => reader.event(event),
            Reader::Anthropic(reader) => reader.event(event),
        }
    }

    /// Whether the server said that there is no more.
    pub fn is_done(&self) -> bool {
        match self {
            Reader::OpenAi(reader) => reader.is_done(),
            Reader::Anthropic(reader) => reader.is_done(),
        }
    }

    /// The whole answer. One that has no end was cut off.
    pub fn finish(self) -> Result<Reply, Fault> {
        match self {
            Reader::OpenAi(reader) => reader.finish(),
            Reader::Anthropic(reader) => reader.finish(),
        }
    }

    /// Reads an answer that came whole, and what a listener hears of it.
    pub fn whole(wire: Wire, body: &[u8]) -> Result<(Vec<Delta>, Reply), Fault> {
        let value: Value = serde_json::from_slice(body)
            .map_err(|error| Fault::malformed(error, &String::from_utf8_lossy(body)))?;
        let mut reader = Reader::new(wire);
        let heard = match &mut reader {
            Reader::OpenAi(reader) => reader.take(&value)?,
            Reader::Anthropic(reader) => reader.take(&value)?,
        };
        Ok((heard, reader.finish()?))
    }
}

/// Gives every call of an answer an id of its own. One that is missing, or that another call has, is
/// made from what the call is, so that the same answer always gives the same ids.
pub(super) fn own_ids(answer: &str, calls: &mut [ToolCall]) {
    let mut used: HashSet<Arc<str>> = HashSet::new();
    for (i, call) in calls.iter_mut().enumerate() {
        let mut id = call.id.clone();
        let mut tries = 0;
        while id.is_empty() || used.contains(&id) {
            let ToolCall { id: given, name, arguments, .. } = &*call;
            let from = format!("{answer}\n{i}\n{tries}\n{given}\n{name}\n{arguments}");
            id = format!("call_{:024x}", hash(&from) >> 32).into();
            tries += 1;
        }
        used.insert(id.clone());
        call.id = id;
    }
}
