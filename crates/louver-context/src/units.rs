//! Where Markdown may be cut: between lines, list items, fenced blocks, sentences of a long line.

use std::ops::Range;

use crate::layer::Give;

/// A stretch of text that stays or goes as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its bytes, the newline at its end included.
    pub bytes: Range<usize>,
    /// Whether it is a heading, which goes after the text it stands over.
    pub heading: bool,
}

/// A line longer than this is cut between its sentences.
const LONG_LINE: usize = 600;

/// The units of a text, in order, without gaps.
pub fn units(text: &str, give: Give) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bytes = start..start + line.len();
        start = bytes.end;
        let opened = fence;
        fence = after(line, fence);
        let joins = match units.last() {
            Some(last) => {
                opened.is_some() || (!last.heading && continues(line)) || line.trim().is_empty()
            }
            None => false,
        };
        match units.last_mut() {
            Some(last) if joins => last.bytes.end = bytes.end,
            _ => {
                let heading = give == Give::Sections && fence.is_none() && is_heading(line);
                units.push(Unit { bytes, heading });
            }
        }
    }
    units.into_iter().flat_map(|unit| sentences(text, unit)).collect()
}

/// The fence that is open after a line.
fn after<'a>(line: &'a str, open: Option<&'a str>) -> Option<&'a str> {
    let bare = line.trim_start();
    let run = bare.bytes().take_while(|byte| *byte == bare.as_bytes()[0]).count();
    let is_mark = run >= 3 && bare.starts_with(['`', '~']);
    match open {
        None => is_mark.then(|| &bare[..run]),
        Some(open) if is_mark && bare.starts_with(open) && bare[run..].trim().is_empty() => None,
        Some(open) => Some(open),
    }
}

/// Whether a line goes on with what the line before began: it is indented, and so belongs to a
/// list item or a paragraph above it.
fn continues(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty()
}

fn is_heading(line: &str) -> bool {
    let hashes = line.len() - line.trim_start_matches('#').len();
    (1..=6).contains(&hashes) && line[hashes..].starts_with([' ', '\t', '\n'])
}

/// A unit that is one long line, cut between its sentences; any other unit as it is.
fn sentences(text: &str, unit: Unit) -> Vec<Unit> {
    let body = &text[unit.bytes.clone()];
    let one_line = !body.trim_end().contains('\n');
    if body.len() <= LONG_LINE || !one_line || unit.heading {
        return vec![unit];
    }
    let mut cut = Vec::new();
    let mut start = 0;
    let mut chars = body.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let wide = matches!(c, '。' | '！' | '？');
        let ends = wide || (matches!(c, '.' | '!' | '?' | ';') && next == Some(' '));
        if !ends {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((space, ' ')) = chars.peek().copied() {
            end = space + 1;
            chars.next();
        }
        cut.push(start..end);
        start = end;
    }
    cut.push(start..body.len());
    let at = unit.bytes.start;
    cut.into_iter()
        .filter(|range| !range.is_empty())
        .map(|range| Unit { bytes: at + range.start..at + range.end, heading: false })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, give: Give) -> Vec<&str> {
        units(text, give).into_iter().map(|unit| &text[unit.bytes]).collect()
    }

    #[test]
    fn an_item_keeps_what_is_indented_below_it() {
        let text = "- a\n  more of a\n- b\n\n- c\n";
        assert_eq!(texts(text, Give::Lines), ["- a\n  more of a\n", "- b\n\n", "- c\n"]);
    }

    #[test]
    fn a_fenced_block_is_one_unit() {
        let text = "x\n````\n```\n# no heading\n````\ny\n";
        assert_eq!(texts(text, Give::Sections), ["x\n", "````\n```\n# no heading\n````\n", "y\n"]);
        assert!(units(text, Give::Sections).iter().all(|unit| !unit.heading));
    }

    #[test]
    fn a_fence_that_is_never_closed_reaches_to_the_end() {
        assert_eq!(texts("a\n```\nb\nc\n", Give::Lines), ["a\n", "```\nb\nc\n"]);
    }

    #[test]
    fn headings_are_marked_where_sections_count() {
        let found = units("# A\ntext\n#hashtag\n", Give::Sections);
        assert_eq!(found.iter().map(|unit| unit.heading).collect::<Vec<_>>(), [true, false, false]);
        assert!(units("# A\n", Give::Lines).iter().all(|unit| !unit.heading));
    }

    #[test]
    fn a_long_line_is_cut_between_sentences() {
        let text = format!("{}. {}!  {}。{}", "a".repeat(300), "b".repeat(300), "好", "end");
        let found = texts(&text, Give::Lines);
        assert_eq!(found.len(), 4);
        assert_eq!(found.concat(), text);
        assert!(found[1].ends_with("!  "));
    }

    #[test]
    fn units_leave_no_gap() {
        for text in ["", "\n", "\n\na", "  x\n y\n# h\n\n\nz", "```"] {
            for give in [Give::Lines, Give::Sections] {
                assert_eq!(texts(text, give).concat(), text);
            }
        }
    }
}
