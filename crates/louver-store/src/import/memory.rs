//! Two long-term memories as one: ours, and below it what only theirs says.
//!
//! A part is known by its words and the headings above it: "likes tea" under Anna is not "likes tea" under Ben. So
//! nothing is lost, and joining the same once more adds nothing.

use std::collections::HashSet;

/// A part of a memory: an item of a list with what hangs from it, a paragraph, a table, a block of code.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Part<'a> {
    /// The headings above it, the outermost first.
    under: Vec<&'a str>,
    text: String,
}

/// What stands above what had no large heading.
const IMPORTED: &str = "# Imported";

impl Part<'_> {
    /// The part without the heading that it got when it was joined.
    fn without_ours(mut self) -> Self {
        if self.under.first() == Some(&IMPORTED) {
            self.under.remove(0);
        }
        self
    }
}

/// Ours with the parts of theirs that it has not, and how many these are.
pub fn joined(ours: &str, theirs: &str) -> (String, usize) {
    let known: HashSet<Part<'_>> = parts(ours).into_iter().map(Part::without_ours).collect();
    let mut seen = HashSet::new();
    let parts = parts(theirs);
    let new: Vec<&Part<'_>> =
        parts.iter().filter(|part| !known.contains(*part) && seen.insert(*part)).collect();
    let mut text = ours.trim_end().to_owned();
    // What stands under no heading, or a small one, would stand under the last of ours.
    let is_loose =
        |part: &&Part<'_>| part.under.first().is_none_or(|first| level(first) != Some(1));
    let mut under: &[&str] = &[];
    if new.first().is_some_and(is_loose) {
        text.push_str(&format!("\n\n{IMPORTED}"));
    }
    for part in &new {
        let same = under.iter().zip(&part.under).take_while(|(one, two)| one == two).count();
        part.under[same..].iter().for_each(|heading| text.push_str(&format!("\n\n{heading}")));
        // Items of one list stay together.
        let is_list = text.lines().next_back().is_some_and(|last| is_item(last.trim_start()));
        let together = same == part.under.len() && is_list && is_item(&part.text);
        text.push_str(if together { "\n" } else { "\n\n" });
        text.push_str(&part.text);
        under = &part.under;
    }
    (format!("{}\n", text.trim_start()), new.len())
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut under: Vec<&str> = Vec::new();
    let (mut is_code, mut goes_on) = (false, false);
    for line in text.lines().map(str::trim_end) {
        let is_fence = ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
        if let Some(level) = level(line).filter(|_| !is_code) {
            under.retain(|above| self::level(above).is_some_and(|above| above < level));
            under.push(line);
            goes_on = false;
        } else if line.is_empty() && !is_code {
            goes_on = false;
        } else {
            let hangs = line.starts_with([' ', '\t']) || !is_item(line);
            let last = parts.last_mut().filter(|_| is_code || (goes_on && hangs));
            match last {
                Some(part) => part.text = format!("{}\n{line}", part.text),
                None => parts.push(Part { under: under.clone(), text: line.to_owned() }),
            }
            goes_on = true;
        }
        is_code ^= is_fence;
    }
    parts
}

/// How deep a heading is.
fn level(line: &str) -> Option<usize> {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    ((1..=6).contains(&marks) && line[marks..].starts_with(' ')).then_some(marks)
}

fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered =
        number.len() < line.len() && [". ", ") "].iter().any(|end| number.starts_with(end));
    is_numbered || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_theirs_says_stands_below_ours_under_its_headings() {
        let ours = "# Me\n\n## Anna\n\n- likes tea\n";
        let theirs = "# Me\n\n## Anna\n- likes tea\n- is 40\n\n## Ben\n\n- likes tea\n  - green\nHe is tall\nand thin.\n\n```\n# code\n\nx\n```\n";
        let (text, new) = joined(ours, theirs);
        let wanted = "# Me\n\n## Anna\n\n- likes tea\n\n# Me\n\n## Anna\n\n- is 40\n\n## Ben\n\n- likes tea\n  - green\nHe is tall\nand thin.\n\n```\n# code\n\nx\n```\n";
        assert_eq!((text.as_str(), new), (wanted, 3));
        assert_eq!(joined(&text, theirs), (text.clone(), 0), "once more adds nothing");
    }

    #[test]
    fn what_has_no_large_heading_gets_one() {
        let (text, new) = joined("# Work\n\n- busy\n", "- one\n- two\n\n## Car\n\nred\n");
        assert_eq!(
            (text.as_str(), new),
            ("# Work\n\n- busy\n\n# Imported\n\n- one\n- two\n\n## Car\n\nred\n", 3)
        );
        assert_eq!(joined(&text, "- one\n- two\n\n## Car\n\nred\n").1, 0);
        let elsewhere = joined("## Ben\n\n- likes tea\n", "- likes tea\n");
        assert_eq!(elsewhere.1, 1, "it is not said of the same");
        assert_eq!(joined("", "- one\n- one\n"), ("# Imported\n\n- one\n".to_owned(), 1));
    }
}
