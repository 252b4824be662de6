//! What was forgotten and stands above others like a title: a heading that got a text, a line with items below it.
//!
//! Such a line is copied for all that is below it, where it would be found, shown and kept on the disk although it is on
//! the list. What is below it stays, under the rest of its titles.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::folded::folded;
use super::forgotten::Marks;
use super::names::{Label, Named};
use crate::notes::titles;

/// A title has so many marks in it at the most that also stand between two titles.
const PIECES: usize = 8;

/// What of titles was forgotten.
pub(super) struct Titles<'a> {
    marks: &'a Marks,
    /// Lines of notes that are forgotten, as they stand above others of their source. A line may be less than its note,
    /// and less of it may stand there, so it is not known by its words.
    lines: HashSet<String>,
    /// Which titles were forgotten by their words. Many notes stand under the same.
    known: HashMap<String, bool>,
}

impl<'a> Titles<'a> {
    pub(super) fn new(marks: &'a Marks) -> Titles<'a> {
        Titles { marks, lines: HashSet::new(), known: HashMap::new() }
    }

    /// Goes on to a source, in which these notes are forgotten.
    pub(super) fn go_on<'n>(&mut self, gone: impl Iterator<Item = &'n Named>) {
        let lines = gone.filter(|named| matches!(named.label, Label::Line(..)));
        let lines = lines.flat_map(|named| titles(&named.note.text));
        self.lines = lines.map(str::to_owned).collect();
    }

    /// What stands above a note of the source when that is left out; nothing where it stays as it is. A note without
    /// any title is under its file's name.
    pub(super) fn without(&mut self, source: &str, named: &Named) -> Option<String> {
        if self.marks.is_empty() || !matches!(named.label, Label::Line(..)) {
            return None;
        }
        let who = named.note.who.as_str();
        let pieces = pieces(who);
        let mut stays = vec![true; pieces.len()];
        for from in 0..pieces.len() {
            for to in from..pieces.len().min(from + PIECES) {
                if self.has(&who[pieces[from].start..pieces[to].end]) {
                    stays[from..=to].fill(false);
                }
            }
        }
        if !stays.contains(&false) {
            return None;
        }
        let mut left = String::new();
        for (at, piece) in pieces.iter().enumerate().filter(|(at, _)| stays[*at]) {
            // With the mark that is before it.
            let from = if left.is_empty() { piece.start } else { pieces[at - 1].end };
            left.push_str(&who[from..piece.end]);
        }
        if left.is_empty() {
            left.push_str(source.rsplit('/').next().unwrap_or(source));
        }
        (left != who).then_some(left)
    }

    fn has(&mut self, title: &str) -> bool {
        if self.lines.contains(title) {
            return true;
        }
        if let Some(known) = self.known.get(title) {
            return *known;
        }
        let is_gone = is_forgotten(self.marks, title);
        self.known.insert(title.to_owned(), is_gone);
        is_gone
    }
}

/// Whether a line was forgotten, which may have led to a list.
pub(super) fn is_forgotten(marks: &Marks, line: &str) -> bool {
    let ends = ["", ":", "："];
    ends.iter().any(|end| folded(&format!("{line}{end}")).is_some_and(|words| marks.says(words)))
}

/// Where the titles are in what stands above a note. A title may have such a mark in it.
fn pieces(who: &str) -> Vec<Range<usize>> {
    let (mut found, mut from) = (Vec::new(), 0);
    for (at, mark) in who.match_indices(['›', '·']) {
        let after = at + mark.len();
        if who[from..at].ends_with(' ') && who[after..].starts_with(' ') {
            found.push(from..at - 1);
            from = after + 1;
        }
    }
    found.push(from..who.len());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_told_apart() {
        let cut = |who: &'static str| -> Vec<&str> {
            pieces(who).into_iter().map(|piece| &who[piece]).collect()
        };
        assert_eq!(cut("Trip › The alarm · home, codes"), ["Trip", "The alarm", "home, codes"]);
        assert_eq!(cut("a›b › c·d"), ["a›b", "c·d"]);
        assert_eq!(cut("› a ·"), ["› a ·"]);
        assert_eq!(cut(" › "), ["", ""]);
        assert_eq!(cut(" › › "), ["", "› "]);
        assert_eq!(cut(""), [""]);
    }
}
