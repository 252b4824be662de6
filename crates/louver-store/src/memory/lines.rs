//! Texts compared and merged line by line.
//!
//! A change by one side and a change by the other merge when they touch different lines, also when
//! those lines are neighbours. Lines that both sides add at one place are all kept, because two
//! facts noted at once are two facts. What both sides changed differently is nobody's to decide
//! here: there is no merge then.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffTag, TextDiff, capture_diff_slices_deadline};

/// What wins where both sides changed the same lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefer {
    /// Neither: there is no merge.
    Neither,
    /// Ours.
    Ours,
}

/// Two texts that have nothing in common would be compared for ever. A comparison that was stopped
/// shows larger changes, and so conflicts more; it never loses a line.
const PATIENCE: Duration = Duration::from_secs(2);

/// The difference between two texts in the usual form, empty when there is none.
pub(super) fn unified(old: &str, new: &str, names: (&str, &str)) -> String {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
    diff.unified_diff().context_radius(3).header(names.0, names.1).to_string()
}

/// What `base` becomes when both sides' changes are made to it, or nothing when they conflict.
pub(super) fn merge(base: &str, theirs: &str, ours: &str, prefer: Prefer) -> Option<String> {
    if base == theirs || theirs == ours {
        return Some(ours.to_owned());
    }
    if base == ours {
        return Some(theirs.to_owned());
    }
    let base: Vec<&str> = base.lines().collect();
    let (a, b) = (Side::new(&base, theirs), Side::new(&base, ours));
    let mut merge = Merge { base: &base, out: Vec::new(), at: 0 };
    merge.run(&a, &b, prefer)?;
    let mut text = merge.out.join("\n");
    if !text.is_empty() && (ours.ends_with('\n') || theirs.ends_with('\n')) {
        text.push('\n');
    }
    Some(text)
}

/// Lines of the base and what one side put in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    base: Range<usize>,
    new: Range<usize>,
}

/// One side's text and how it differs from the base.
struct Side<'a> {
    lines: Vec<&'a str>,
    hunks: Vec<Hunk>,
}

impl<'a> Side<'a> {
    fn new(base: &[&str], text: &'a str) -> Side<'a> {
        let lines: Vec<&str> = text.lines().collect();
        let until = Some(Instant::now() + PATIENCE);
        let mut hunks: Vec<Hunk> = Vec::new();
        for op in capture_diff_slices_deadline(Algorithm::Myers, base, &lines, until) {
            let (tag, base, new) = op.as_tag_tuple();
            match hunks.last_mut() {
                _ if tag == DiffTag::Equal => {}
                // A removal and an addition side by side are one change.
                Some(last) if last.base.end == base.start && last.new.end == new.start => {
                    (last.base.end, last.new.end) = (base.end, new.end);
                }
                _ => hunks.push(Hunk { base, new }),
            }
        }
        Side { lines, hunks }
    }

    /// What this side made of some lines of the base, given its changes in them.
    fn made_of(&self, base: &[&'a str], range: Range<usize>, hunks: &[Hunk]) -> Vec<&'a str> {
        let mut made = Vec::new();
        let mut at = range.start;
        for hunk in hunks {
            made.extend_from_slice(&base[at..hunk.base.start]);
            made.extend_from_slice(&self.lines[hunk.new.clone()]);
            at = hunk.base.end;
        }
        made.extend_from_slice(&base[at..range.end]);
        made
    }
}

/// A merge that has come as far as the line `at` of the base.
struct Merge<'a, 'b> {
    base: &'b [&'a str],
    out: Vec<&'a str>,
    at: usize,
}

impl<'a> Merge<'a, '_> {
    fn run(&mut self, a: &Side<'a>, b: &Side<'a>, prefer: Prefer) -> Option<()> {
        let (mut i, mut j) = (0, 0);
        loop {
            match (a.hunks.get(i), b.hunks.get(j)) {
                (None, None) => break,
                (Some(x), Some(y)) if x.base.is_empty() && x.base == y.base => {
                    self.add_both(x.base.start, &a.lines[x.new.clone()], &b.lines[y.new.clone()]);
                    (i, j) = (i + 1, j + 1);
                }
                (Some(x), y) if y.is_none_or(|y| x.base.end <= y.base.start) => {
                    self.change(x, &a.lines);
                    i += 1;
                }
                (x, Some(y)) if x.is_none_or(|x| y.base.end <= x.base.start) => {
                    self.change(y, &b.lines);
                    j += 1;
                }
                _ => (i, j) = self.overlap(a, b, (i, j), prefer)?,
            }
        }
        self.copy_to(self.base.len());
        Some(())
    }

    fn copy_to(&mut self, to: usize) {
        self.out.extend_from_slice(&self.base[self.at..to]);
        self.at = to;
    }

    fn change(&mut self, hunk: &Hunk, lines: &[&'a str]) {
        self.copy_to(hunk.base.start);
        self.out.extend_from_slice(&lines[hunk.new.clone()]);
        self.at = hunk.base.end;
    }

    /// Adds what both sides added at one place: what is common at the ends once, the rest of theirs,
    /// the rest of ours.
    fn add_both(&mut self, at: usize, theirs: &[&'a str], ours: &[&'a str]) {
        self.copy_to(at);
        let head = theirs.iter().zip(ours).take_while(|(a, b)| a == b).count();
        let (same, theirs) = theirs.split_at(head);
        let ours = &ours[head..];
        let tail = theirs.iter().rev().zip(ours.iter().rev()).take_while(|(a, b)| a == b).count();
        self.out.extend_from_slice(same);
        self.out.extend_from_slice(&theirs[..theirs.len() - tail]);
        self.out.extend_from_slice(ours);
    }

    /// Changes of both sides that reach into each other. Says where each side goes on.
    fn overlap(
        &mut self,
        a: &Side<'a>,
        b: &Side<'a>,
        (i, j): (usize, usize),
        prefer: Prefer,
    ) -> Option<(usize, usize)> {
        let (x, y) = (&a.hunks[i].base, &b.hunks[j].base);
        let mut range = x.start.min(y.start)..x.end.max(y.end);
        let (mut to_i, mut to_j) = (i + 1, j + 1);
        loop {
            let reaches = |hunk: Option<&Hunk>| hunk.is_some_and(|h| h.base.start < range.end);
            let grown = match (reaches(a.hunks.get(to_i)), reaches(b.hunks.get(to_j))) {
                (true, _) => {
                    &a.hunks[{
                        to_i += 1;
                        to_i - 1
                    }]
                }
                (_, true) => {
                    &b.hunks[{
                        to_j += 1;
                        to_j - 1
                    }]
                }
                _ => break,
            };
            range.end = range.end.max(grown.base.end);
        }
        let theirs = a.made_of(self.base, range.clone(), &a.hunks[i..to_i]);
        let ours = b.made_of(self.base, range.clone(), &b.hunks[j..to_j]);
        if theirs != ours && prefer == Prefer::Neither {
            return None;
        }
        self.copy_to(range.start);
        self.out.extend(ours);
        self.at = range.end;
        Some((to_i, to_j))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn merged(base: &str, theirs: &str, ours: &str) -> Option<String> {
        let text = |lines: &str| lines.replace(' ', "\n") + "\n";
        let found = merge(&text(base), &text(theirs), &text(ours), Prefer::Neither)?;
        Some(found.trim_end().replace('\n', " "))
    }

    #[test]
    fn changes_of_different_lines_merge() {
        assert_eq!(merged("a b c d", "A b c d", "a b c D").as_deref(), Some("A b c D"));
        assert_eq!(merged("a b c d", "a B c d", "a b C d").as_deref(), Some("a B C d"));
        assert_eq!(merged("a b c", "a c", "a b c d").as_deref(), Some("a c d"));
        assert_eq!(merged("a b", "x a b", "a b y").as_deref(), Some("x a b y"));
        assert_eq!(merged("a b", "a b", "b").as_deref(), Some("b"));
        assert_eq!(merged("a b", "b", "a b").as_deref(), Some("b"));
    }

    #[test]
    fn lines_added_at_one_place_are_all_kept_and_the_same_ones_once() {
        assert_eq!(merged("a", "a x", "a y").as_deref(), Some("a x y"));
        assert_eq!(merged("a", "a x", "a x").as_deref(), Some("a x"));
        assert_eq!(merged("a", "a x y", "a x z").as_deref(), Some("a x y z"));
        assert_eq!(merged("a", "a x z", "a y z").as_deref(), Some("a x y z"));
        assert_eq!(merge("", "x\n", "y\n", Prefer::Neither).as_deref(), Some("x\ny\n"));
    }

    #[test]
    fn lines_that_both_changed_differently_do_not_merge() {
        assert_eq!(merged("a b c", "a X c", "a Y c"), None);
        assert_eq!(merged("a b c", "a c", "a Y c"), None);
        assert_eq!(merged("a b c d", "a d", "a b x c d"), None);
        assert_eq!(merged("a b c", "a X c", "a X c").as_deref(), Some("a X c"));
        let ours = merge("a\nb\nc\n", "A\nX\nc\n", "a\nY\nc\nd\n", Prefer::Ours);
        assert_eq!(ours.as_deref(), Some("a\nY\nc\nd\n"));
    }

    #[test]
    fn a_missing_last_line_end_is_no_conflict() {
        assert_eq!(merge("a\nb", "a\nb\n", "A\nb", Prefer::Neither).as_deref(), Some("A\nb\n"));
        assert_eq!(merge("a", "a\nb", "c\na", Prefer::Neither).as_deref(), Some("c\na\nb"));
    }

    #[test]
    fn a_difference_is_shown_as_people_know_it() {
        let shown = unified("a\nb\n", "a\nc", ("one", "two"));
        assert_eq!(
            shown,
            "--- one\n+++ two\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"
        );
        assert_eq!(unified("a\n", "a\n", ("one", "two")), "");
    }

    /// What a side makes of the lines 0 to 7: each is kept, dropped or reworded, with new ones before.
    fn edit(side: char, edits: &[(u8, u8)]) -> Vec<String> {
        let mut lines = Vec::new();
        for (n, (what, new)) in edits.iter().enumerate() {
            lines.extend((0..*new / 4).map(|k| format!("{side} new {n}.{k}")));
            match what {
                0 => {}
                1 => lines.push(format!("{side} instead of {n}")),
                _ => lines.push(format!("line {n}")),
            }
        }
        lines
    }

    fn joined(lines: &[String]) -> String {
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    proptest! {
        #[test]
        fn a_merge_never_loses_a_line_that_does_not_conflict(
            theirs in prop::collection::vec((0..7_u8, 0..6_u8), 8),
            ours in prop::collection::vec((0..7_u8, 0..6_u8), 8),
        ) {
            let base = joined(&(0..8).map(|n| format!("line {n}")).collect::<Vec<_>>());
            let (a, b) = (edit('t', &theirs), edit('o', &ours));
            let found = merge(&base, &joined(&a), &joined(&b), Prefer::Neither);
            let other_way = merge(&base, &joined(&b), &joined(&a), Prefer::Neither);
            prop_assert_eq!(found.is_some(), other_way.is_some());
            let Some(found) = found else { return Err(TestCaseError::reject("they conflict")) };
            let found: Vec<&str> = found.lines().collect();
            let known: HashSet<&str> = found.iter().copied().collect();
            prop_assert_eq!(known.len(), found.len(), "no line is there twice");
            for line in a.iter().chain(&b) {
                let wanted = if line.starts_with("line ") { a.contains(line) && b.contains(line) } else { true };
                prop_assert_eq!(known.contains(line.as_str()), wanted, "{}", line);
            }
            for side in [&a, &b] {
                let order: Vec<&str> = found.iter().copied().filter(|l| side.iter().any(|s| s == l)).collect();
                let wanted: Vec<&str> = side.iter().map(String::as_str).filter(|l| known.contains(l)).collect();
                prop_assert_eq!(order, wanted, "the order stays");
            }
        }

        #[test]
        fn any_texts_merge_or_conflict(base in "[ab\n]{0,12}", theirs in "[ab\n]{0,12}", ours in "[ab\n]{0,12}") {
            let _ = merge(&base, &theirs, &ours, Prefer::Neither);
            prop_assert!(merge(&base, &theirs, &ours, Prefer::Ours).is_some());
            prop_assert_eq!(merge(&base, &base, &ours, Prefer::Neither), Some(ours.clone()));
            prop_assert_eq!(merge(&base, &theirs, &theirs, Prefer::Neither), Some(theirs));
        }
    }
}
