//! What changed in some documents, in a few lines.
//!
//! A file that is edited in the middle of a conversation does not change the prefix; the model is
//! told what is different, after the history.

use similar::{ChangeTag, TextDiff};

use crate::snapshot::Document;

/// The longest list of changed lines that is told of one file; beyond it the model is sent to read.
const MOST_LINES: usize = 40;

/// What a document was and is. One of the two is missing when it came or went.
#[derive(Debug, Clone, Copy)]
pub struct Delta<'a> {
    /// As the model knows it.
    pub before: Option<&'a Document>,
    /// As it is.
    pub after: Option<&'a Document>,
}

/// The changes as text for the model; nothing when there are none.
pub fn changes<'a>(deltas: impl IntoIterator<Item = Delta<'a>>) -> Option<String> {
    let told: Vec<String> = deltas.into_iter().filter_map(one).collect();
    (!told.is_empty()).then(|| told.join("\n"))
}

fn one(delta: Delta<'_>) -> Option<String> {
    match (delta.before, delta.after) {
        (Some(before), Some(after)) if before.text == after.text => None,
        (Some(before), Some(after)) => Some(lines(&after.path, &before.text, &after.text)),
        (None, Some(after)) => Some(lines(&after.path, "", &after.text)),
        (Some(before), None) => Some(format!("{} is gone.\n", before.path)),
        (None, None) => None,
    }
}

/// Texts beyond this size are not compared: the work can grow with the square of what differs.
const MOST_BYTES: usize = 256 * 1024;

/// The lines that went and came.
fn lines(path: &str, before: &str, after: &str) -> String {
    if before.len().max(after.len()) > MOST_BYTES {
        return format!("{path} changed: read it.\n");
    }
    let diff = TextDiff::from_lines(before, after);
    let changed: Vec<String> = diff
        .iter_all_changes()
        .filter_map(|change| {
            let sign = match change.tag() {
                ChangeTag::Insert => '+',
                ChangeTag::Delete => '-',
                ChangeTag::Equal => return None,
            };
            let line = change.value().trim_end();
            (!line.is_empty()).then(|| format!("{sign} {line}\n"))
        })
        .collect();
    let mut text = format!("{path}:\n");
    changed.iter().take(MOST_LINES).for_each(|line| text.push_str(line));
    let rest = changed.len().saturating_sub(MOST_LINES);
    if rest > 0 {
        text.push_str(&format!("[… {rest} more changed lines: read {path}]\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document { name: "A.md".into(), path: "A.md".into(), text: text.into() }
    }

    fn told(before: Option<&str>, after: Option<&str>) -> Option<String> {
        let (before, after) = (before.map(document), after.map(document));
        changes([Delta { before: before.as_ref(), after: after.as_ref() }])
    }

    #[test]
    fn only_what_differs_is_told() {
        assert_eq!(told(Some("a\nb\nc\n"), Some("a\nx\nc\n")).unwrap(), "A.md:\n- b\n+ x\n");
        assert_eq!(told(Some("a"), Some("a")), None);
        assert_eq!(told(None, Some("new\n")).unwrap(), "A.md:\n+ new\n");
        assert_eq!(told(Some("old"), None).unwrap(), "A.md is gone.\n");
    }

    #[test]
    fn a_file_that_changed_throughout_is_to_be_read() {
        let after: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let text = told(Some(""), Some(&after)).unwrap();
        assert!(text.ends_with("[… 60 more changed lines: read A.md]\n"), "{text}");
    }
}
