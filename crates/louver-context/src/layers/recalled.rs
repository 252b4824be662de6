//! Notes that may answer this message.

use crate::fence::{attribute, fence};
use crate::layer::{Give, Layer};
use crate::snapshot::Snapshot;
use crate::source::{Place, Source, Trust};

/// The notes, best first, each with its source and date, inside a fence: they are data.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    if snapshot.recalled.is_empty() {
        return None;
    }
    let all: String = snapshot.recalled.iter().map(|note| &*note.text).collect();
    let fence = fence("recalled", "", &all);
    let mut layer = Layer::new("recalled", Place::Turn, Give::Pieces);
    layer.trust = Trust::ThirdParty;
    layer.glue(format!("{}\n", fence.open));
    for note in &snapshot.recalled {
        let (from, date) = (attribute(&note.from), attribute(&note.date));
        let parts = [date.as_str(), from.as_str()];
        let head: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let head =
            if head.is_empty() { String::new() } else { format!("[{}] ", head.join(" · ")) };
        let text = format!("{head}{}\n", note.text.trim_end());
        layer.add(Source::Note { id: note.id.clone() }, text);
    }
    layer.glue(fence.close);
    Some(layer)
}
