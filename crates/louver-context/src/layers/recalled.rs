//! Notes that may answer this message.

use crate::fence::{attribute, fence};
use crate::layer::{Give, Layer};
use crate::snapshot::{Note, Snapshot};
use crate::source::{Place, Source, Trust};

/// The notes, each under its source and date, inside a fence: they are data.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    if snapshot.recalled.is_empty() {
        return None;
    }
    let all: String = snapshot.recalled.iter().map(|note| &*note.text).collect();
    let fence = fence("recalled", "", &all);
    let mut layer = Layer::new("recalled", Place::Turn, Give::Pieces);
    layer.trust = Trust::ThirdParty;
    layer.glue(format!("{}\n", fence.open));
    for (note, text) in snapshot.recalled.iter().zip(lines(&snapshot.recalled)) {
        layer.add(Source::Note { id: note.id.clone() }, text);
    }
    layer.glue(fence.close);
    Some(layer)
}

/// The notes as they stand in the fence. The first of a source, and of a day in it, says so above.
pub fn lines(notes: &[Note]) -> Vec<String> {
    let before = std::iter::once(None).chain(notes.iter().map(Some));
    before.zip(notes).map(|(before, note)| head(before, note) + &line(note)).collect()
}

/// Where and when, as far as the note before does not say it.
fn head(before: Option<&Note>, note: &Note) -> String {
    let same_source = before.is_some_and(|before| before.source == note.source);
    if same_source && before.is_some_and(|before| before.date == note.date) {
        return String::new();
    }
    // Below a day, one without a day must say again where it stands.
    let known = same_source && !note.date.is_empty();
    let (date, source) = (attribute(&note.date), attribute(&note.source));
    let parts = [date.as_str(), if known { "" } else { source.as_str() }];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!("[{}]\n", parts.join(" · ")) }
}

fn line(note: &Note) -> String {
    let (who, text) = (attribute(&note.who), note.text.trim_end());
    let said = who.is_empty() || note.who == note.source;
    if said { format!("{text}\n") } else { format!("{who}: {text}\n") }
}
