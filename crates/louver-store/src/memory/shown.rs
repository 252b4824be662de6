//! The long-term memory as it is shown: without lines that were forgotten, which the file keeps.
//!
//! A consolidation is shown memory so, and answers with all of it anew. What it could not know of is put back
//! where it stood before the answer is carried out: that something is not to be shown is no reason to lose it.

use std::ops::Range;

use super::remembered::has;
use super::{Memory, MemoryError};
use crate::library::unshown::{Unshown, lines};
use crate::workspace::MEMORY;

/// Memory as it is shown.
#[derive(Debug, Default)]
pub struct Shown {
    /// The version it is of, if that is known.
    pub version: u64,
    /// What may be seen.
    pub text: String,
    /// How many lines may not.
    pub withheld: usize,
    /// All of it.
    whole: String,
    /// The name of its file.
    name: String,
    unshown: Unshown,
}

impl Memory {
    /// What memory holds now, as it may be shown. A person's edit becomes a version first.
    pub fn shown(&self) -> Result<Shown, MemoryError> {
        let current = self.read()?;
        Ok(Shown { version: current.version, ..self.without_forgotten(current.text) })
    }

    /// The same of what the file holds, without waiting for anybody or writing anything down.
    pub fn peek_shown(&self) -> Result<Shown, MemoryError> {
        Ok(self.without_forgotten(self.peek()?))
    }

    fn without_forgotten(&self, whole: String) -> Shown {
        let path = self.memory_path();
        let name = MEMORY.iter().find(|name| path == self.root.join(name)).unwrap_or(&MEMORY[0]);
        Shown::of(name, whole, Unshown::of(&self.root))
    }
}

impl Shown {
    fn of(name: &str, whole: String, unshown: Unshown) -> Shown {
        let gone = unshown.in_text(name, &whole);
        let (text, withheld) = (without(&whole, &gone), gone.len());
        Shown { version: 0, text, withheld, whole, name: name.to_owned(), unshown }
    }

    /// Whether memory has a fact that is not shown.
    pub fn withholds(&self, fact: &str) -> bool {
        has(&self.whole, fact) && !has(&self.text, fact)
    }

    /// What memory becomes by an update that was made of what is shown: the lines that are not shown stand where they
    /// stood, or at the end where they would become part of something else.
    pub fn put_back(&self, update: &str) -> String {
        if self.withheld == 0 {
            return update.to_owned();
        }
        let seen = |text: &str| -> Vec<String> {
            let left = without(text, &self.unshown.in_text(&self.name, text));
            left.lines().filter(|line| !is_blank(line)).map(str::to_owned).collect()
        };
        let placed = self.placed(update, place_of);
        match seen(&placed) == seen(update) {
            true => placed,
            false => self.placed(update, |_, _, _| None),
        }
    }

    /// An update with the lines that are not shown, each stretch of them at the place that is found for it, or at the end.
    fn placed(&self, update: &str, place: fn(&[&str], &[&str], usize) -> Option<usize>) -> String {
        let all: Vec<&str> = self.whole.lines().collect();
        let gone = self.unshown.in_text(&self.name, &self.whole);
        let is_gone: Vec<bool> =
            lines(&self.whole).iter().map(|line| gone.contains(line)).collect();
        let mut out: Vec<&str> = update.lines().collect();
        let mut end = 0;
        for stretch in is_gone.chunk_by(|one, next| one == next) {
            let from = end;
            end += stretch.len();
            // The answer may say it as well: it was said again.
            if stretch[0] && !all[from..end].iter().all(|line| out.contains(line)) {
                let at = place(&out, &all, from);
                insert(&mut out, at, &all, from..end);
            }
        }
        out.join("\n") + "\n"
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Where a stretch of all lines goes: below the nearest line above it that is still there, and the empty lines between.
fn place_of(out: &[&str], all: &[&str], from: usize) -> Option<usize> {
    let above = all[..from].iter().rev().filter(|line| !is_blank(line));
    let above = above.filter_map(|line| out.iter().rposition(|other| other == line)).next();
    let Some(above) = above else { return (from == 0).then_some(0) };
    let between = all[..from].iter().rev().take_while(|line| is_blank(line)).count();
    let there = out[above + 1..].iter().take_while(|line| is_blank(line)).count();
    Some(above + 1 + between.min(there))
}

/// Puts a stretch of all lines in, set apart from its neighbours as it was.
fn insert<'a>(out: &mut Vec<&'a str>, at: Option<usize>, all: &[&'a str], stretch: Range<usize>) {
    let mut lines = all[stretch.clone()].to_vec();
    let touches = |line: Option<&&str>| line.is_some_and(|line| !is_blank(line));
    let is_apart = at.is_none() || !touches(all[..stretch.start].last());
    let at = at.unwrap_or(out.len());
    if is_apart && touches(out[..at].last()) {
        lines.insert(0, "");
    }
    if touches(out.get(at)) && !touches(all.get(stretch.end)) {
        lines.push("");
    }
    out.splice(at..at, lines);
}

/// A text without these bytes, and without the lines that have no others.
fn without(text: &str, gone: &[Range<usize>]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for bytes in gone {
        left.push_str(&text[at..bytes.start]);
        let is_line = left.is_empty() || left.ends_with('\n');
        let end = usize::from(is_line && text[bytes.end..].starts_with('\n'));
        at = bytes.end + end;
    }
    left.push_str(&text[at..]);
    left
}
