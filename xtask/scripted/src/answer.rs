//! A step, made into the answer to one request.

use std::time::Duration;

use crate::cache::{Cost, count};
use crate::fault::{Fault, Ids, Named};
use crate::script::{Call, Step, Usage};
use crate::seen::{Protocol, Seen};
use crate::template::{fill, fill_value};

/// How many bytes a streamed fragment has when the script does not say: about what providers send.
const CHUNK: usize = 16;

/// The answer to one request, before it is put into a protocol's form.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// Counts the requests, so that ids differ.
    pub(crate) number: usize,
    pub(crate) model: String,
    pub(crate) thinking: String,
    pub(crate) text: String,
    pub(crate) calls: Vec<Made>,
    pub(crate) finish: Finish,
    pub(crate) usage: Usage,
    pub(crate) include_usage: bool,
    pub(crate) chunk: usize,
    pub(crate) delay: Duration,
    pub(crate) fault: Option<Fault>,
}

/// A call as it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

/// Why an answer ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finish {
    Stop,
    Calls,
    Length,
    Filtered,
    Other(String),
}

/// One event of a stream.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// What Anthropic writes into the line `event:`.
    pub(crate) name: Option<&'static str>,
    pub(crate) data: String,
    pub(crate) kind: Kind,
}

/// What an event is for, as far as faults ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Anything else.
    Plain,
    /// Words, which may be said again.
    Text,
    /// One of those that say how it ended.
    End,
}

impl Answer {
    pub(crate) fn new(
        step: &Step,
        seen: &Seen,
        protocol: Protocol,
        number: usize,
        cost: Cost,
    ) -> Answer {
        let silent = Fault::is(step.fault.as_ref(), Named::Empty);
        let said = |text: &str| if silent { String::new() } else { fill(text, seen, number) };
        let calls = if silent { &[][..] } else { &step.calls[..] };
        let mut answer = Answer {
            number,
            model: seen.model.clone(),
            thinking: said(&step.thinking),
            text: said(&step.text),
            calls: (0..)
                .zip(calls)
                .map(|(i, call)| made(step, call, i, seen, protocol, number))
                .collect(),
            finish: Finish::of(step.finish.as_deref(), calls),
            usage: Usage::default(),
            include_usage: seen.include_usage,
            chunk: step.chunk.unwrap_or(CHUNK).max(1),
            delay: Duration::from_millis(step.delay_ms),
            fault: step.fault.clone(),
        };
        answer.usage = step.usage.unwrap_or_else(|| answer.counted(cost));
        answer
    }

    fn counted(&self, cost: Cost) -> Usage {
        let calls = self.calls.iter().map(|call| count(&call.name) + count(&call.arguments));
        let reasoning = count(&self.thinking);
        Usage {
            input: cost.input,
            cached: cost.cached,
            cache_written: cost.written,
            output: reasoning + count(&self.text) + calls.sum::<u64>(),
            reasoning,
        }
    }

    pub(crate) fn is(&self, named: Named) -> bool {
        Fault::is(self.fault.as_ref(), named)
    }

    pub(crate) fn bad_ids(&self) -> Option<Ids> {
        Fault::ids(self.fault.as_ref())
    }
}

/// Ids hold the length of the conversation besides the number, so that they stay apart when a
/// session goes on with another run of this server.
fn made(
    step: &Step,
    call: &Call,
    i: usize,
    seen: &Seen,
    protocol: Protocol,
    number: usize,
) -> Made {
    let start = match protocol {
        Protocol::OpenAi => "call",
        Protocol::Anthropic => "toolu",
    };
    let own = || format!("{start}_{}_{number}_{i}", seen.messages);
    let id = match Fault::ids(step.fault.as_ref()) {
        Some(Ids::Wrong) => Some(format!("{start}:{number}/{i} ü")),
        Some(Ids::Duplicate) => Some(format!("{start}_{number}_same")),
        Some(Ids::Empty) => Some(String::new()),
        Some(Ids::Missing) => None,
        Some(Ids::Shifting) | None => Some(call.id.clone().unwrap_or_else(own)),
    };
    let arguments = match fill_value(&call.arguments, seen, number) {
        serde_json::Value::String(raw) => raw,
        serde_json::Value::Null => "{}".to_owned(),
        value => value.to_string(),
    };
    Made { id, name: call.name.clone(), arguments }
}

impl Finish {
    fn of(word: Option<&str>, calls: &[Call]) -> Finish {
        match word {
            None if calls.is_empty() => Finish::Stop,
            None | Some("calls") => Finish::Calls,
            Some("stop") => Finish::Stop,
            Some("length") => Finish::Length,
            Some("filtered") => Finish::Filtered,
            Some(other) => Finish::Other(other.to_owned()),
        }
    }
}

/// A text in pieces of at most `most` bytes. A character that is longer is a piece of its own.
pub(crate) fn fragments(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?.len_utf8();
        let end = rest.floor_char_boundary(most).max(first);
        let (head, tail) = rest.split_at(end);
        rest = tail;
        Some(head)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_cut_words_but_not_characters() {
        let pieces: Vec<&str> = fragments("añb€c", 2).collect();
        assert_eq!(pieces, ["a", "ñ", "b", "€", "c"]);
        assert_eq!(fragments("abcde", 2).collect::<Vec<_>>(), ["ab", "cd", "e"]);
        assert_eq!(fragments("", 2).count(), 0);
    }
}
