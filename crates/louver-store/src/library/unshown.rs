//! What of memory's files is not shown, because it was forgotten.
//!
//! The file is the person's and keeps its lines. Whoever shows it, to a model or on a screen, leaves out those that
//! are on the list, and shows them again when they no longer are.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use super::forgotten::{Marks, marks};
use super::names::Named;
use super::open::Files;
use super::titles;
use crate::disk::Stamp;
use crate::notes::{Note, is_memory, notes_of_memory};

/// The list of what was forgotten, as it was when it was last looked at.
#[derive(Debug, Default)]
pub(crate) struct Unshown {
    stamp: Option<Stamp>,
    marks: Marks,
    /// How often it was another one.
    changes: u64,
}

impl Unshown {
    /// The list of a workspace.
    pub(crate) fn of(workspace: &Path) -> Unshown {
        let mut unshown = Unshown::default();
        unshown.look(workspace);
        unshown
    }

    /// Looks whether the list is another one, which costs a `stat`. A number that tells it from those before it. One that
    /// cannot be read withholds nothing; recall tells that it cannot be.
    pub(crate) fn look(&mut self, workspace: &Path) -> u64 {
        let list = Files::of(workspace).forgotten;
        let stamp = Stamp::of_path(&list);
        if stamp != self.stamp {
            self.marks = marks(&list).unwrap_or_default();
            self.stamp = stamp;
            self.changes += 1;
        }
        self.changes
    }

    /// Whether nothing was forgotten.
    pub(crate) fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Which bytes of the text of a file of memory were forgotten, line by line.
    pub(crate) fn in_text(&self, name: &str, text: &str) -> Vec<Range<usize>> {
        let name = name.trim_start_matches("./");
        if self.marks.is_empty() || !is_memory(name) {
            return Vec::new();
        }
        let notes = notes_of_memory(name, text);
        let lines = lines(text);
        let (mut gone, mut said) = (Vec::new(), HashSet::new());
        for (at, (line, note)) in notes.iter().enumerate() {
            let next = notes.get(at + 1).map_or(usize::MAX, |(next, _)| *next);
            let from = line.saturating_sub(1).min(lines.len());
            let own = &lines[from..(next - 1).clamp(from, lines.len())];
            gone.extend(self.of_note(name, note, text, own));
            said.extend(lines_of(note, text, own).iter().map(|line| line.start));
        }
        // What is in no note stands above some, or has nothing to say.
        let titles = lines.iter().filter(|line| !said.contains(&line.start));
        let titles =
            titles.filter(|line| titles::is_forgotten(&self.marks, &text[(*line).clone()]));
        gone.extend(titles.cloned());
        gone.sort_unstable_by_key(|bytes| bytes.start);
        gone.dedup_by(|later, bytes| later.start < bytes.end);
        gone
    }

    /// Which bytes of a note were forgotten. It is in these lines.
    fn of_note(
        &self,
        name: &str,
        note: &Note,
        text: &str,
        own: &[Range<usize>],
    ) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        Named::push_all(name, note.clone(), &mut parts);
        let all = parts.len();
        parts.retain(|part| self.marks.has(part));
        let (Some(first), Some(last)) = (own.first(), own.last()) else { return Vec::new() };
        if parts.len() == all {
            return lines_of(note, text, own);
        }
        let whole = &text[first.start..last.end];
        let bytes = parts.iter().flat_map(|part| match whole.find(&part.note.text) {
            Some(at) => by_line(text, first.start + at..first.start + at + part.note.text.len()),
            None => lines_of(note, text, own),
        });
        bytes.collect()
    }
}

/// The lines of a note: the first, and those that follow as it has them. Between them may be others that are none of its.
fn lines_of(note: &Note, text: &str, own: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut said =
        note.text.lines().map(str::trim).filter(|line| !line.is_empty()).skip(1).peekable();
    let is_its = |(at, line): &(usize, &Range<usize>)| {
        *at == 0 || said.next_if_eq(&text[(*line).clone()].trim()).is_some()
    };
    own.iter().enumerate().filter(is_its).map(|(_, line)| line.clone()).collect()
}

/// Where the lines of a text are, without their ends.
pub(crate) fn lines(text: &str) -> Vec<Range<usize>> {
    by_line(text, 0..text.len())
}

/// The lines in some bytes of a text.
fn by_line(text: &str, bytes: Range<usize>) -> Vec<Range<usize>> {
    let mut at = bytes.start;
    let line = |whole: &str| {
        let from = at;
        at += whole.len();
        from..from + whole.strip_suffix('\n').unwrap_or(whole).len()
    };
    text[bytes].split_inclusive('\n').map(line).collect()
}

/// A text in which these bytes are not. Its lines keep their numbers.
pub(crate) fn blanked(text: &str, gone: &[Range<usize>]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for bytes in gone {
        left.push_str(&text[at..bytes.start]);
        at = bytes.end;
    }
    left.push_str(&text[at..]);
    left
}

/// The numbers of the lines that have such bytes, from the first to the last of each stretch.
pub(crate) fn stretches(text: &str, gone: &[Range<usize>]) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    let (mut line, mut at) = (1, 0);
    for bytes in gone {
        line += u32::try_from(text[at..bytes.start].matches('\n').count()).unwrap_or(u32::MAX);
        at = bytes.start;
        match found.last_mut() {
            Some((_, last)) if *last + 1 >= line => *last = line,
            _ => found.push((line, line)),
        }
    }
    found
}
