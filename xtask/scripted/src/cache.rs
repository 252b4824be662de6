//! What a request costs, and how much of it the server has seen before.
//!
//! A request is a row of pieces: the tools, the system text, the messages or their blocks. Tokens are
//! o200k's for every text of a piece as it is (not for its JSON), and four for each message around
//! it. A prefix of the row that an earlier request left in the cache is read from it. With OpenAI
//! every message leaves one; with Anthropic only a block with a mark does, and it is found again
//! only within the twenty blocks before a mark. Both providers want at least a thousand tokens, and
//! forget; this cache takes any number and forgets nothing, so that short tests see it work.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use louver_context::Encoding;
use serde_json::Value;

use crate::seen::{Protocol, Seen};

/// How far before a mark Anthropic looks for what it has.
const LOOK_BACK: usize = 20;
/// What a message costs beside its texts.
const AROUND: u64 = 4;
/// What a picture costs. Neither provider's sum: a number that is plain to see.
const PICTURE: u64 = 1000;

/// A part of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    /// What it is compared by.
    whole: String,
    /// What it costs.
    tokens: u64,
    /// Whether the cache keeps the prefix that ends with it.
    marked: bool,
}

/// What a request costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) input: u64,
    pub(crate) cached: u64,
    pub(crate) written: u64,
}

/// The prefixes that earlier requests left behind.
#[derive(Debug, Default)]
pub(crate) struct Cache(HashSet<u64>);

impl Piece {
    /// A whole message, a tool, or the system text. `starts` says whether a message begins with it.
    pub(crate) fn new(role: &str, value: &Value, starts: bool, marked: bool) -> Piece {
        let mut plain = value.clone();
        unmark(&mut plain);
        let around = if starts { AROUND } else { 0 };
        Piece { whole: format!("{role} {plain}"), tokens: tokens(value) + around, marked }
    }

    /// A tool. Its schema is counted as the JSON it is.
    pub(crate) fn tool(value: &Value, marked: bool) -> Piece {
        let mut plain = value.clone();
        unmark(&mut plain);
        let whole = plain.to_string();
        Piece { tokens: count(&whole), whole, marked }
    }
}

impl Cache {
    /// What this request costs. Afterwards the cache knows it.
    pub(crate) fn take(&mut self, protocol: Protocol, seen: &Seen) -> Cost {
        let pieces = &seen.pieces;
        let prefixes = prefixes(protocol, seen);
        let known = |i: usize| self.0.contains(&prefixes[i]) && looked_at(pieces, i);
        let read = (0..pieces.len()).rev().find(|i| known(*i)).map_or(0, |i| i + 1);
        let kept = pieces.iter().rposition(|piece| piece.marked).map_or(0, |i| i + 1);
        let marked = (0..pieces.len()).filter(|i| pieces[*i].marked).map(|i| prefixes[i]);
        self.0.extend(marked);
        let sum = |pieces: &[Piece]| pieces.iter().map(|piece| piece.tokens).sum();
        Cost {
            input: sum(pieces),
            cached: sum(&pieces[..read]),
            written: sum(&pieces[read..kept.max(read)]),
        }
    }
}

fn looked_at(pieces: &[Piece], i: usize) -> bool {
    pieces[i..].iter().take(LOOK_BACK).any(|piece| piece.marked)
}

/// The hash of each prefix: another model shares none.
fn prefixes(protocol: Protocol, seen: &Seen) -> Vec<u64> {
    let mut hasher = DefaultHasher::new();
    (protocol, &seen.model).hash(&mut hasher);
    let after = |piece: &Piece| {
        piece.whole.hash(&mut hasher);
        hasher.finish()
    };
    seen.pieces.iter().map(after).collect()
}

/// The tokens of a text, in o200k.
pub(crate) fn count(text: &str) -> u64 {
    u64::from(Encoding::O200k.count(text).0)
}

/// The tokens of every text in a message or a block. Its kind and its role are not texts.
fn tokens(value: &Value) -> u64 {
    match value {
        Value::String(text) => count(text),
        Value::Array(items) => items.iter().map(tokens).sum(),
        Value::Object(fields) if is_picture(fields) => PICTURE,
        Value::Object(fields) if fields.get("type").is_some_and(|of| of == "tool_use") => {
            let text = |key: &str| fields.get(key).map(tokens).unwrap_or_default();
            let input = fields.get("input").map(|input| count(&input.to_string()));
            text("id") + text("name") + input.unwrap_or_default()
        }
        Value::Object(fields) => {
            let texts = fields.iter().filter(|(key, _)| {
                !matches!(key.as_str(), "type" | "role" | "cache_control" | "is_error")
            });
            texts.map(|(_, value)| tokens(value)).sum()
        }
        _ => 0,
    }
}

fn is_picture(fields: &serde_json::Map<String, Value>) -> bool {
    fields.get("type").is_some_and(|of| of == "image_url" || of == "image")
}

/// Marks move from request to request and are no part of what is compared.
fn unmark(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.shift_remove("cache_control");
            fields.values_mut().for_each(unmark);
        }
        Value::Array(items) => items.iter_mut().for_each(unmark),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn seen(pieces: &[(&str, bool)]) -> Seen {
        let piece = |(text, marked): &(&str, bool)| Piece::new("user", &json!(text), true, *marked);
        Seen { pieces: pieces.iter().map(piece).collect(), ..Seen::default() }
    }

    #[test]
    fn the_share_that_is_cached_grows_with_the_conversation() {
        let mut cache = Cache::default();
        let first = cache.take(Protocol::OpenAi, &seen(&[("one two", true)]));
        assert_eq!(first, Cost { input: 6, cached: 0, written: 6 });
        let second = cache.take(Protocol::OpenAi, &seen(&[("one two", true), ("three", true)]));
        assert_eq!(second, Cost { input: 11, cached: 6, written: 5 });
        let other = cache.take(Protocol::OpenAi, &seen(&[("one too", true), ("three", true)]));
        assert_eq!(other.cached, 0);
    }

    #[test]
    fn only_what_was_marked_is_found_again() {
        let mut cache = Cache::default();
        let first = cache.take(Protocol::Anthropic, &seen(&[("one", true), ("two", false)]));
        assert_eq!(first, Cost { input: 10, cached: 0, written: 5 });
        let row = [("one", false), ("two", false), ("three", true)];
        let second = cache.take(Protocol::Anthropic, &seen(&row));
        assert_eq!(second, Cost { input: 15, cached: 5, written: 10 });
    }

    #[test]
    fn a_mark_too_far_back_is_not_found() {
        let mut cache = Cache::default();
        cache.take(Protocol::Anthropic, &seen(&[("one", true)]));
        let mut row = vec![("one", false)];
        row.extend([("more", false); 19]);
        row.push(("last", true));
        assert_eq!(cache.take(Protocol::Anthropic, &seen(&row)).cached, 0);
        row.remove(1);
        assert_eq!(cache.take(Protocol::Anthropic, &seen(&row)).cached, 5);
    }
}
