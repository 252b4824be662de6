//! Layers into texts, each byte with its layer and source.

use std::borrow::Cow;
use std::sync::Arc;

use crate::count::{Counter, hash};
use crate::layer::Layer;
use crate::ledger::{At, Field, Span};
use crate::message::{Content, Message, Part, Role};
use crate::picture::{Picture, PictureCost};
use crate::profile::TurnShape;
use crate::source::{Place, Source};
use crate::tokens::Tokens;

/// A text that knows where each stretch of it came from.
#[derive(Debug, Default)]
pub(crate) struct Composed {
    pub(crate) text: String,
    marks: Vec<Mark>,
}

/// The end of a stretch, and whose it is.
#[derive(Debug)]
struct Mark {
    layer: Cow<'static, str>,
    source: Source,
    end: usize,
}

impl Composed {
    /// Adds a stretch; an empty one leaves no mark.
    pub(crate) fn add(&mut self, layer: Cow<'static, str>, source: &Source, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        self.marks.push(Mark { layer, source: source.clone(), end: self.text.len() });
    }

    /// Adds a layer, with `join` before it unless it is the first.
    pub(crate) fn add_layer(&mut self, layer: &Layer, join: &str) {
        if !self.text.is_empty() {
            self.add(layer.name.clone(), &Source::Glue, join);
        }
        for piece in &layer.pieces {
            self.add(layer.name.clone(), &piece.source, &piece.text);
        }
    }

    /// The spans of the text, counted as one text.
    pub(crate) fn spans(&self, at: At, counter: &Counter, into: &mut Vec<Span>) {
        let inner = self.marks.len().saturating_sub(1);
        let cuts: Vec<usize> = self.marks[..inner].iter().map(|mark| mark.end).collect();
        let tokens = counter.count_at(&self.text, &cuts);
        let mut start = 0;
        for (mark, tokens) in self.marks.iter().zip(tokens) {
            let bytes = start..mark.end;
            start = mark.end;
            let hash = hash(&self.text[bytes.clone()]) as u64;
            let (layer, source) = (mark.layer.clone(), mark.source.clone());
            into.push(Span { layer, at, bytes, tokens, source, hash });
        }
    }
}

/// The system text and where each place's text ends in it.
pub(crate) fn system(layers: &[Layer], join: &str) -> (Composed, Vec<(Place, usize)>) {
    let mut composed = Composed::default();
    let mut places: Vec<(Place, usize)> = Vec::new();
    for layer in layers.iter().filter(|layer| layer.place != Place::Turn && !layer.is_empty()) {
        composed.add_layer(layer, join);
        let end = composed.text.len();
        match places.last_mut() {
            Some((place, last)) if *place == layer.place => *last = end,
            _ => places.push((layer.place, end)),
        }
    }
    (composed, places)
}

/// A message of the turn, part by part.
#[derive(Debug)]
pub(crate) struct TurnMessage {
    parts: Vec<TurnPart>,
}

#[derive(Debug)]
enum TurnPart {
    Text(Composed),
    Picture(Arc<Picture>),
}

const SAID: Cow<'static, str> = Cow::Borrowed("message");
const GAP: &str = "\n\n";

/// The messages of the turn: what the person said, and the layers of the turn where the profile
/// wants them.
pub(crate) fn turn(
    layers: &[Layer],
    said: &str,
    pictures: &[Arc<Picture>],
    shape: TurnShape,
) -> Vec<TurnMessage> {
    let mut facts = Composed::default();
    for layer in layers.iter().filter(|layer| layer.place == Place::Turn && !layer.is_empty()) {
        facts.add_layer(layer, GAP);
    }
    let none = facts.text.is_empty();
    let mut words = Composed::default();
    let mut messages = Vec::new();
    let mut after = None;
    match shape {
        _ if none => words.add(SAID, &Source::Said, said),
        TurnShape::Before => {
            words = facts;
            words.add(SAID, &Source::Glue, GAP);
            words.add(SAID, &Source::Said, said);
        }
        TurnShape::OwnMessage => {
            messages.push(TurnMessage { parts: vec![TurnPart::Text(facts)] });
            words.add(SAID, &Source::Said, said);
        }
        TurnShape::After if pictures.is_empty() => {
            words.add(SAID, &Source::Said, said);
            words.add(SAID, &Source::Glue, GAP);
            words.append(facts);
        }
        TurnShape::After => {
            words.add(SAID, &Source::Said, said);
            after = Some(TurnPart::Text(facts));
        }
    }
    let mut parts: Vec<TurnPart> = pictures.iter().cloned().map(TurnPart::Picture).collect();
    parts.push(TurnPart::Text(words));
    parts.extend(after);
    messages.push(TurnMessage { parts });
    messages
}

impl Composed {
    /// Adds another text at the end.
    fn append(&mut self, other: Composed) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.marks
            .extend(other.marks.into_iter().map(|mark| Mark { end: mark.end + shift, ..mark }));
    }
}

impl TurnMessage {
    /// The spans of the message, which will be the request's `number`-th.
    pub(crate) fn spans(
        &self,
        number: u32,
        counter: &Counter,
        cost: PictureCost,
        into: &mut Vec<Span>,
    ) {
        for (i, part) in (0..).zip(&self.parts) {
            let at = At::Message { message: number, field: Field::Part(i) };
            match part {
                TurnPart::Text(text) => text.spans(at, counter, into),
                TurnPart::Picture(picture) => into.push(picture_span(at, picture, cost)),
            }
        }
    }

    /// The message itself. Text alone is sent as text, not as a list of one part.
    pub(crate) fn message(self) -> Message {
        let mut parts: Vec<Part> = self
            .parts
            .into_iter()
            .map(|part| match part {
                TurnPart::Text(text) => Part::Text(text.text.into()),
                TurnPart::Picture(picture) => Part::Picture(picture),
            })
            .collect();
        let content = match parts.as_mut_slice() {
            [Part::Text(text)] => Content::Text(text.clone()),
            _ => Content::Parts(parts),
        };
        Message::new(Role::User, content)
    }
}

fn picture_span(at: At, picture: &Picture, cost: PictureCost) -> Span {
    Span {
        layer: SAID,
        at,
        bytes: 0..picture.url.len(),
        tokens: cost.of(picture),
        source: Source::Said,
        hash: hash(&picture.url) as u64,
    }
}

/// The tokens of some spans.
pub(crate) fn tokens(spans: &[Span]) -> Tokens {
    spans.iter().map(|span| span.tokens).sum()
}
