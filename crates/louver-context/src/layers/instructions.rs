//! The instruction files: AGENTS.md, SOUL.md, USER.md, TOOLS.md and what configuration adds.

use crate::layer::{Give, Layer};
use crate::snapshot::{Document, Snapshot};
use crate::source::Place;

/// Each file that says something, under a heading with its name.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let said = snapshot.instructions.iter().filter(|document| !document.text.trim().is_empty());
    blocks(said)
}

/// The same as nanobot writes it: an empty file still has its heading.
pub fn nanobot(snapshot: &Snapshot) -> Option<Layer> {
    blocks(snapshot.instructions.iter())
}

fn blocks<'a>(documents: impl Iterator<Item = &'a Document>) -> Option<Layer> {
    let mut layer = Layer::new("instructions", Place::Session, Give::Sections);
    for document in documents {
        let gap = if layer.pieces.is_empty() { "" } else { "\n\n" };
        layer.glue(format!("{gap}## {}\n\n", document.name));
        layer.file(&document.path, &document.text);
    }
    (!layer.pieces.is_empty()).then_some(layer)
}
