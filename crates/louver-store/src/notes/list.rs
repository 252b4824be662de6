//! The lines of lists: their marks, how far they are indented, what leads to them, and the items in an item.

use super::block::Fence;
use super::heading::Format;

/// The mark that an item of a list begins with, and what follows it.
pub(crate) fn item(line: &str) -> Option<(&str, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '*', '+'] };
    let rest = line[digits..].strip_prefix(marks)?.strip_prefix([' ', '\t'])?;
    Some((&line[..=digits], rest))
}

/// How far a line is indented.
pub(super) fn indent(line: &str) -> usize {
    let blank = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blank.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// Whether a list may begin with such a mark in the middle of a paragraph.
pub(super) fn may_interrupt(mark: &str) -> bool {
    matches!(mark, "-" | "*" | "+" | "1." | "1)")
}

/// Where the items in an item begin, with how many lines are above each in it.
pub(super) fn nested(text: &str) -> Vec<(u32, usize)> {
    let (mut found, mut own, mut fence, mut at) = (Vec::new(), None, None::<Fence>, 0);
    for (more, whole) in (0..).zip(text.split_inclusive('\n')) {
        let (start, inner) = (at, whole.trim());
        at += whole.len();
        let was_fenced = fence.is_some();
        fence = match (fence, Fence::of(inner, Format::Markdown)) {
            (None, new) => new,
            (Some(fence), Some(end)) if fence.is_ended_by(&end) => None,
            (fence, _) => fence,
        };
        let mark = item(inner).map(|(mark, _)| mark).filter(|_| !was_fenced && fence.is_none());
        let (Some(mark), true) = (mark, more > 0) else { continue };
        let indent = indent(whole);
        let begins = own.map_or(may_interrupt(mark), |own| indent <= own + 1);
        if begins {
            found.push((more, start));
            own.get_or_insert(indent);
        }
    }
    found
}

/// What a line says that leads to a list: "Shopping:", "**Shopping:**".
pub(super) fn leads_to(line: &str) -> Option<&str> {
    let around = ['*', '_', ' '];
    Some(line.trim_matches(around).strip_suffix([':', '：'])?.trim_matches(around))
}
