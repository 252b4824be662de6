//! Whether a memory that a model wrote may take the place of the one there was.
//!
//! Models forget. An update that leaves out more than a quarter of the lines, or a single pinned
//! one, is shown to the person and not applied. Lines count as kept wherever they moved and however
//! their spaces changed; a line that was reworded counts as left out. A heading with nothing under it
//! says nothing, and may go.

use std::collections::HashSet;

/// The mark that pins a line of memory, at any place in it. A line that begins with `📌` or
/// `[pinned]`, as an item of a list or not, is pinned as well.
pub const PIN: &str = "<!-- pin -->";

/// What to do with an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may be written.
    Apply,
    /// It changes nothing.
    Same,
    /// A person has to look at it first.
    Propose {
        /// Why, in lower case and without a full stop.
        why: String,
        /// The lines that would be gone.
        lost: Vec<String>,
    },
}

/// Whether a line of memory is not to be touched by a model.
pub fn is_pinned(line: &str) -> bool {
    let bare: String = line.split_whitespace().collect();
    let said = line.trim_start();
    let item = said.strip_prefix(['-', '*', '+']).map_or(said, str::trim_start);
    let marked = item.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("[pinned]"));
    bare.to_ascii_lowercase().contains("<!--pin-->") || item.starts_with('📌') || marked
}

/// Judges an update of the long-term memory. An empty one changes nothing.
pub fn check(old: &str, new: &str) -> Verdict {
    if new.trim().is_empty() || new.trim_end() == old.trim_end() {
        return Verdict::Same;
    }
    let kept: HashSet<String> = lines(new).map(|(bare, _)| bare).collect();
    let mut seen = HashSet::new();
    let empty = empty_headings(old);
    let before: Vec<(String, &str)> = lines(old)
        .filter(|(_, line)| is_pinned(line) || !empty.contains(line))
        .filter(|(bare, _)| seen.insert(bare.clone()))
        .collect();
    let lost: Vec<&str> =
        before.iter().filter(|(bare, _)| !kept.contains(bare)).map(|(_, line)| *line).collect();
    let pinned = lost.iter().filter(|line| is_pinned(line)).count();
    let why = match pinned {
        0 if lost.len() * 4 <= before.len() => return Verdict::Apply,
        0 => format!("it leaves out {} of {} lines", lost.len(), before.len()),
        1 => "it leaves out a pinned line".to_owned(),
        many => format!("it leaves out {many} pinned lines"),
    };
    Verdict::Propose { why, lost: lost.into_iter().map(|line| line.trim().to_owned()).collect() }
}

/// The headings under which nothing is said.
fn empty_headings(text: &str) -> HashSet<&str> {
    let depth = |line: &str| {
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        if line[marks..].starts_with(' ') { marks } else { 0 }
    };
    let (mut open, mut empty): (Vec<&str>, HashSet<&str>) = (Vec::new(), HashSet::new());
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if depth(line) == 0 {
            open.clear();
            continue;
        }
        let above = open.iter().position(|above| depth(above) >= depth(line));
        empty.extend(open.drain(above.unwrap_or(open.len())..));
        open.push(line);
    }
    empty.extend(open);
    empty
}

/// The lines that are not blank, as they are compared and as they stand.
fn lines(text: &str) -> impl Iterator<Item = (String, &str)> {
    let bare = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().filter(|line| !line.trim().is_empty()).map(move |line| (bare(line), line))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OLD: &str = "# Memory\n\n- Anna likes tea\n- lives in Oslo\n- dog: Rex\n";

    #[test]
    fn an_update_that_keeps_the_lines_is_applied_and_one_that_changes_nothing_is_not() {
        assert_eq!(check(OLD, &format!("{OLD}- works nights\n")), Verdict::Apply);
        assert_eq!(check("", "- first\n"), Verdict::Apply);
        for same in ["", "  \n", OLD, OLD.trim_end(), &format!("{OLD}\n\n")] {
            assert_eq!(check(OLD, same), Verdict::Same);
        }
    }

    #[test]
    fn a_quarter_of_the_lines_may_go_and_not_more() {
        let one_of_four = "# Memory\n- Anna likes tea\n- lives in Oslo\n";
        assert_eq!(check(OLD, one_of_four), Verdict::Apply);
        let two_of_four = "# Memory\n- lives in Oslo\n- dog: Max\n";
        let why = "it leaves out 2 of 4 lines".to_owned();
        let lost = vec!["- Anna likes tea".to_owned(), "- dog: Rex".to_owned()];
        assert_eq!(check(OLD, two_of_four), Verdict::Propose { why, lost });
    }

    #[test]
    fn a_heading_with_nothing_under_it_may_go() {
        let old = "# Memory\n\n## Person\n\n### Work\n\n## Projects\n\n- a boat\n\n## Open\n";
        assert_eq!(check(old, "# Memory\n\n## Projects\n\n- a boat\n- a shed\n"), Verdict::Apply);
        assert_eq!(check("# Memory\n\n## Person\n\n## Open\n", "- Anna\n"), Verdict::Apply);
        let why = "it leaves out 3 of 3 lines".to_owned();
        let lost = ["# Memory", "## Projects", "- a boat"].map(str::to_owned).to_vec();
        assert_eq!(check(old, "- Anna\n"), Verdict::Propose { why, lost });
        let pinned = "# Memory <!-- pin -->\n";
        assert!(matches!(check(pinned, "- Anna\n"), Verdict::Propose { .. }));
    }

    #[test]
    fn a_pinned_line_is_never_dropped_or_reworded() {
        let many: String = (0..40).map(|n| format!("- fact {n}\n")).collect();
        for pin in
            ["- allergic to nuts <!-- pin -->", "- 📌 nuts", "[pinned] nuts", "* [Pinned] nuts"]
        {
            let old = format!("{many}{pin}\n");
            let lost = vec![pin.to_owned()];
            let why = "it leaves out a pinned line".to_owned();
            assert_eq!(check(&old, &many), Verdict::Propose { why, lost });
            let moved = format!("  {pin}\n\n{many}");
            assert_eq!(check(&old, &moved), Verdict::Apply);
            let unpinned = old.replace("<!-- pin -->", "").replace('📌', "").replace("inned", "");
            assert!(matches!(check(&old, &unpinned), Verdict::Propose { .. }), "{pin}");
        }
        for plain in
            ["- pin the note", "", "-", "[pinn", "a [pinned] b", "é📌", "- <!-- pinned -->"]
        {
            assert!(!is_pinned(plain), "{plain}");
        }
        assert!(is_pinned("x <!--pin-->") && is_pinned(PIN) && is_pinned("📌 a"));
    }

    proptest! {
        #[test]
        fn moving_lines_and_spaces_changes_no_verdict(
            old in prop::collection::vec("[ab ]{0,3}|📌 a", 0..12),
            new in prop::collection::vec("[ab ]{0,3}|📌 a", 0..12),
            by in 0..12_usize,
        ) {
            let verdict = |old: &[String], new: &[String]| match check(&old.join("\n"), &new.join("\n")) {
                Verdict::Propose { why, mut lost } => {
                    lost.sort();
                    Some((why, lost))
                }
                Verdict::Apply | Verdict::Same => None,
            };
            let mut turned = new.clone();
            turned.rotate_left(by % new.len().max(1));
            let wide: Vec<String> = turned.iter().map(|line| format!("  {line}\t ")).collect();
            prop_assert_eq!(verdict(&old, &new), verdict(&old, &wide));
            let mut other = old.clone();
            other.reverse();
            prop_assert_eq!(verdict(&old, &new), verdict(&other, &new));
            prop_assert_eq!(verdict(&old, &other), None);
        }
    }
}
