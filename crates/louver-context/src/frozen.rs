//! A prefix that was sent and stays: the system text of an epoch with its account.
//!
//! Providers bill what they have cached at a fraction of the price, and one changed byte ends that.
//! So the layers before history are rendered when an epoch begins and kept as they were sent.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::compose::Composed;
use crate::context::Context;
use crate::ledger::{At, LeftOut, Row};
use crate::source::{Place, Source};

/// A prefix that was sent and stays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frozen {
    /// The system text.
    pub system: Arc<str>,
    /// Where each place's text ends in it.
    pub places: Vec<(Place, usize)>,
    /// Where each stretch of it came from.
    pub stretches: Vec<Stretch>,
    /// The layers' lines in the account.
    pub rows: Vec<Row>,
    /// What was left out when it was made.
    pub left_out: Vec<LeftOut>,
}

/// A stretch of the system text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Its layer.
    pub layer: Cow<'static, str>,
    /// Where it came from.
    pub source: Source,
    /// Where it ends.
    pub end: usize,
}

impl Frozen {
    /// The text with its stretches, ready to be counted.
    pub(crate) fn composed(&self) -> Composed {
        let mut composed = Composed::default();
        let mut start = 0;
        for stretch in &self.stretches {
            let text = self.system.get(start..stretch.end).unwrap_or_default();
            composed.add(stretch.layer.clone(), &stretch.source, text);
            start = stretch.end;
        }
        composed
    }

    /// Whether the stretches tile the text, as they do unless a log was changed by hand.
    pub fn is_whole(&self) -> bool {
        let ends: Vec<usize> = self.stretches.iter().map(|stretch| stretch.end).collect();
        let on_chars = ends.iter().all(|end| self.system.is_char_boundary(*end));
        on_chars && ends.is_sorted() && ends.last().copied().unwrap_or(0) == self.system.len()
    }
}

impl Context {
    /// What of this context stays when the next turn belongs to the same epoch.
    pub fn frozen(&self) -> Frozen {
        let system = self.ledger.spans.iter().filter(|span| span.at == At::System);
        let before_turn = |row: &&Row| row.place != Place::Turn;
        let named = |row: &&Row| row.name != "tools" && row.name != "history";
        Frozen {
            system: self.prompt.system.clone(),
            places: self.prompt.places.clone(),
            stretches: system
                .map(|span| Stretch {
                    layer: span.layer.clone(),
                    source: span.source.clone(),
                    end: span.bytes.end,
                })
                .collect(),
            rows: self.ledger.layers.iter().filter(before_turn).filter(named).cloned().collect(),
            left_out: self.ledger.left_out.clone(),
        }
    }
}
