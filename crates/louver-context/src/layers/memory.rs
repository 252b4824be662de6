//! What the agent knows for good, and the notes of today and yesterday.

use crate::layer::{Give, Layer};
use crate::snapshot::Snapshot;
use crate::source::{Place, Source, Trust};

/// The long-term memory and the daily notes.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let says = |layer: &Layer| {
        layer.pieces.iter().any(|p| p.source != Source::Glue && !p.text.trim().is_empty())
    };
    let mut layer = long_term(snapshot).filter(says).unwrap_or_else(empty);
    for note in snapshot.daily.iter().filter(|note| !note.text.trim().is_empty()) {
        let heading = if layer.pieces.is_empty() { "# Memory" } else { "" };
        layer.glue(format!("{heading}\n\n## Notes of {}\n", note.name));
        layer.file(&note.path, &note.text);
    }
    (!layer.pieces.is_empty()).then_some(layer)
}

/// The long-term memory alone, as nanobot writes it.
pub fn long_term(snapshot: &Snapshot) -> Option<Layer> {
    let memory = snapshot.memory.as_ref().filter(|memory| !memory.text.is_empty())?;
    let mut layer = empty();
    layer.glue("# Memory\n\n## Long-term Memory\n");
    layer.file(&memory.path, &memory.text);
    Some(layer)
}

fn empty() -> Layer {
    Layer { trust: Trust::Agent, ..Layer::new("memory", Place::Session, Give::Lines) }
}
