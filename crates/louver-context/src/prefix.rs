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
    let (old, new) = (&earlier.ledger.spans, &later.ledger.spans);
    let mut pairs = old.iter().zip(new.iter());
    let parted = loop {
        match pairs.next() {
            None => break if new.len() < old.len() { old.get(new.len()) } else { None },
            Some((a, b)) if same(earlier, a, later, b) => {
                shared.bytes += b.bytes.len();
                shared.tokens += b.tokens;
            }
            Some((a, b)) => {
                shared.bytes += common_bytes(earlier, a, later, b);
                break Some(b);
            }
        }
    };
    shared.parts_at = parted.map(|span| Parting {
        layer: span.layer.to_string(),
        source: span.source.clone(),
        at: span.at,
    });
    shared
}

/// Whether two spans are the same bytes at the same place, said by the same role.
fn same(earlier: &Context, a: &Span, later: &Context, b: &Span) -> bool {
    let speaks = |context: &Context, at: At| role(context, at);
    a.at == b.at
        && a.hash == b.hash
        && a.bytes == b.bytes
        && speaks(earlier, a.at) == speaks(later, b.at)
}

fn role(context: &Context, at: At) -> Option<Role> {
    match at {
        At::Message { message, .. } => {
            context.prompt.messages.get(message as usize).map(|message| message.role)
        }
        _ => None,
    }
}

/// How many bytes two differing spans have in common from their start.
fn common_bytes(earlier: &Context, a: &Span, later: &Context, b: &Span) -> usize {
    if a.at != b.at || a.bytes.start != b.bytes.start {
        return 0;
    }
    let (a, b) = (text_of(earlier, a), text_of(later, b));
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// The text of a span.
pub fn text_of(context: &Context, span: &Span) -> String {
    let prompt = &context.prompt;
    let whole = match span.at {
        At::System => prompt.system.to_string(),
        At::Tool { tool } => prompt.tools.get(tool as usize).map(tool_text).unwrap_or_default(),
        At::Message { message, field } => match prompt.messages.get(message as usize) {
            Some(message) => field_text(message, field),
            None => String::new(),
        },
    };
    whole.get(span.bytes.clone()).unwrap_or_default().to_owned()
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
