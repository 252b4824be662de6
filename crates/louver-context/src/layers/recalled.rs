//! Notes that may answer this message.

use std::borrow::Cow;

use crate::fence::{attribute, fence, is_unseen};
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

/// The notes as they stand in the fence. Where and when stands above the first note it is true of.
pub fn lines(notes: &[Note]) -> Vec<String> {
    let before = std::iter::once(None).chain(notes.iter().map(Some));
    before.zip(notes).map(|(before, note)| head(before, note) + &line(note)).collect()
}

/// Where and when, as far as the note before does not say it.
fn head(before: Option<&Note>, note: &Note) -> String {
    let day = |note: &Note| attribute(&note.date);
    let new_source = before.is_none_or(|before| before.source != note.source);
    let new_day = before.map_or_else(String::new, day) != day(note);
    // Below a day, one without a day must say so.
    let date = if note.date.is_empty() { "no date".to_owned() } else { day(note) };
    let source = attribute(&note.source);
    match (new_day, new_source && !source.is_empty()) {
        (false, false) => String::new(),
        (false, true) => format!("[{source}]\n"),
        (true, false) => format!("[{date}]\n"),
        (true, true) => format!("[{date} · {source}]\n"),
    }
}

fn line(note: &Note) -> String {
    let (who, text) = (attribute(&note.who), plain(note.text.trim_end()));
    let said = who.is_empty() || note.who == note.source;
    match said {
        true if speaks(&text) => format!(" {text}\n"),
        true => format!("{text}\n"),
        false => format!("{who}: {text}\n"),
    }
}

/// Who speaks in conversations. Only the head of a note says who does.
const SPEAKERS: [&str; 3] = ["person", "agent", "in company"];

/// Whether a text begins as if one of them said it.
fn speaks(text: &str) -> bool {
    SPEAKERS.iter().any(|who| {
        let start = text.get(..who.len()).is_some_and(|start| start.eq_ignore_ascii_case(who));
        start && text[who.len()..].trim_start().starts_with([':', '：'])
    })
}

/// What a note says, with nothing in it that only a head may look like, and nothing that cannot be seen. Lines that
/// go on are moved in, so that none of them passes for another note or for what somebody else said. A space before
/// a word is part of its token, so that costs next to nothing.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.starts_with('[') && !text.contains('\n') && !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 8);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let line = line.trim_start_matches(is_unseen);
        let goes_on = number > 0 && !line.starts_with([' ', '\t', '\n']);
        plain.extend((goes_on || line.starts_with('[')).then_some(' '));
        plain.extend(line.chars().filter(|c| !is_unseen(*c)));
    }
    Cow::Owned(plain)
}
