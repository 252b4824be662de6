//! How much of one request the next one repeats, and what broke it.
//!
//! Providers bill the part of a request that equals the start of an earlier one at a fraction of
//! the price. Requests are compared in the order in which providers read them: tools, system text,
//! messages.

use serde::Serialize;

use crate::context::Context;
use crate::ledger::{At, Field, Span};
use crate::message::{Content, Message, Part, Role};
use crate::prompt::{each_text, tool_text};
use crate::source::Source;
use crate::tokens::Tokens;

/// What two requests share from their start.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shared {
    /// Bytes of text that are the same.
    pub bytes: usize,
    /// Tokens of the later request that are the same, without framing.
    pub tokens: Tokens,
    /// Where the later request parts from the earlier one; nothing when it merely goes on.
    pub parts_at: Option<Parting>,
}

/// Where two requests part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parting {
    /// The layer in the later request.
    pub layer: String,
    /// The source of the first span that differs. Where the later request ends too soon, the
    /// source of what is no longer there.
    pub source: Source,
    /// The text of the request it is in.
    pub at: At,
}

/// Compares two requests. The later one extends the earlier one when nothing parts them.
pub fn shared(earlier: &Context, later: &Context) -> Shared {
    let mut shared = Shared { bytes: 0, tokens: Tokens(0), parts_at: None };
    let (old, new) = (texts(earlier), texts(later));
    for (i, (at, spans)) in old.iter().enumerate() {
        let Some((later_at, later_spans)) = new.get(i) else {
            shared.parts_at = spans.first().map(Parting::at);
            return shared;
        };
        let (before, after) = (text_at(earlier, *at), text_at(later, *later_at));
        let same = at == later_at && role(earlier, *at) == role(later, *at);
        let common = if same { common_bytes(&before, &after) } else { 0 };
        shared.bytes += common;
        let whole = later_spans.iter().filter(|span| span.bytes.end <= common);
        shared.tokens += whole.map(|span| span.tokens).sum();
        if !same || common < before.len() || common < after.len() {
            let parting = later_spans.iter().find(|span| span.bytes.end > common);
            let gone = spans.iter().find(|span| span.bytes.end > common);
            shared.parts_at = parting.or(gone).map(Parting::at);
            return shared;
        }
    }
    shared
}

impl Parting {
    fn at(span: &Span) -> Self {
        Parting { layer: span.layer.to_string(), source: span.source.clone(), at: span.at }
    }
}

/// The texts of a request in the order in which providers read them, each with its spans. How a
/// text is divided into spans does not matter: what was composed in one turn is replayed as one.
fn texts(context: &Context) -> Vec<(At, &[Span])> {
    let same_text = |a: &Span, b: &Span| a.at == b.at;
    context.ledger.spans.chunk_by(same_text).map(|spans| (spans[0].at, spans)).collect()
}

fn role(context: &Context, at: At) -> Option<Role> {
    match at {
        At::Message { message, .. } => {
            context.prompt.messages.get(message as usize).map(|message| message.role)
        }
        _ => None,
    }
}

fn common_bytes(a: &str, b: &str) -> usize {
    if a == b { a.len() } else { a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count() }
}

/// The text of a span.
pub fn text_of(context: &Context, span: &Span) -> String {
    text_at(context, span.at).get(span.bytes.clone()).unwrap_or_default().to_owned()
}

/// One whole text of the request.
fn text_at(context: &Context, at: At) -> String {
    let prompt = &context.prompt;
    match at {
        At::System => prompt.system.to_string(),
        At::Tool { tool } => prompt.tools.get(tool as usize).map(tool_text).unwrap_or_default(),
        At::Message { message, field } => match prompt.messages.get(message as usize) {
            Some(message) => field_text(message, field),
            None => String::new(),
        },
    }
}

fn field_text(message: &Message, field: Field) -> String {
    // The common case without building every text of the message.
    if let (Field::Part(i), Content::Parts(parts)) = (field, &message.content)
        && let Some(Part::Text(text)) = parts.get(i as usize)
    {
        return text.to_string();
    }
    let mut found = String::new();
    each_text(message, |this, text| {
        if this == field {
            found = text.to_owned();
        }
    });
    found
}
