//! What of a note says what it means: its prose. Code that is pasted into a message says how, in words of which most are
//! in any program, and there is mostly more of it than of what is asked about it.

use std::borrow::Cow;

/// Fewer bytes of prose than this say too little beside a block ("Here it is:").
const LEAST: usize = 40;

/// A text without its fenced blocks, where something is left. A block that is not closed may be anything.
pub(crate) fn prose(text: &str) -> Cow<'_, str> {
    if !text.contains("```") && !text.contains("~~~") {
        return Cow::Borrowed(text);
    }
    let mut prose = String::with_capacity(text.len());
    // What opened the block that is being read, and what it has.
    let mut open: Option<(&str, String)> = None;
    for line in text.split_inclusive('\n') {
        match (&mut open, fence(line)) {
            (None, Some(mark)) => open = Some((mark, line.to_owned())),
            (None, None) => prose.push_str(line),
            (Some((mark, _)), Some(end)) if closes(line, mark, end) => open = None,
            (Some((_, block)), _) => block.push_str(line),
        }
    }
    prose.extend(open.map(|(_, block)| block));
    if prose.trim().len() < LEAST { Cow::Borrowed(text) } else { Cow::Owned(prose) }
}

/// The marks of a line that begins or ends a block: three or more of a kind, and no code in a line.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let marks = &line[..line.len() - rest.len()];
    (marks.len() >= 3 && !rest.contains('`')).then_some(marks)
}

fn closes(line: &str, opened: &str, marks: &str) -> bool {
    line.trim() == marks && marks.starts_with(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_left_out_where_prose_says_what_it_is_about() {
        let told = "The login fails when two people register at once.\n";
        let asked = "Why does the second one win?";
        let block = |mark: &str| format!("{told}{mark}python\ndb.commit()\n{mark}\n{asked}");
        for mark in ["```", "~~~", "````"] {
            assert_eq!(prose(&block(mark)), format!("{told}{asked}"));
        }
        // Something shorter, or of the other kind, does not close a block.
        let nested = format!("{told}````md\n```\nx\n```\n~~~\n````\n{asked}");
        assert_eq!(prose(&nested), format!("{told}{asked}"));
    }

    #[test]
    fn what_is_hardly_more_than_code_or_is_no_block_stays_as_it_is() {
        let told = "The login fails when two people register at once, and ";
        for text in [
            "Here it is:\n```\nlet rent = 900;\n```\n".to_owned(),
            format!("{told}\n```\nthis was never closed, so it may be what matters"),
            format!("{told}```db.commit()``` does not help."),
            format!("{told}nothing helps."),
        ] {
            assert_eq!(prose(&text), text);
        }
    }
}
