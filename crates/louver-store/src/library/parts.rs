//! Long notes in parts: a message of a book's length, or a paragraph that is one line of a megabyte.
//!
//! A note is ranked by its words and one vector, and given in sentences; of something long neither says much. So it is
//! several notes, cut where its structure says, each with its own handle. The first has the name of the whole
//! (`cli:direct#412`), the others a number besides (`cli:direct#412.2`). Shorter notes are as they are.

use std::collections::HashSet;

use louver_recall::sentences;

/// A note of more bytes than this is cut. An answer of a model, or a page that somebody wrote, seldom has as many.
const LONG: usize = 8_000;

/// Into parts of about so many.
const PART: usize = 4_000;

/// The parts of a text with their numbers, from 1. One that is said again (a line of dashes, a log that repeats itself) is
/// there once: a thousand of them would stand before all else that has these words.
pub(super) fn parts(text: &str) -> Vec<(u32, &str)> {
    if text.len() <= LONG || text.trim().len() <= LONG {
        return vec![(1, text)];
    }
    let mut known = HashSet::new();
    let cut = sentences::parts(text, PART).into_iter().map(|(from, to)| text[from..to].trim_end());
    (1..).zip(cut).filter(|(_, part)| known.insert(*part)).collect()
}

/// How many parts a text of so many bytes has at the most.
pub(super) fn most_parts(bytes: usize) -> u32 {
    if bytes <= LONG { 1 } else { u32::try_from(bytes / (PART / 4) + 1).unwrap_or(u32::MAX) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_has_parts_and_an_ordinary_one_is_whole() {
        let answer = "A sentence of an answer. ".repeat(320);
        assert_eq!(parts(&answer), [(1, &*answer)]);
        let lines: Vec<String> = (0..5_000).map(|n| format!("Sentence {n} of a book.")).collect();
        for between in [" ", "\n", "\n\n"] {
            let book = lines.join(between);
            let cut = parts(&book);
            assert!(cut.len() > book.len() / 4_000 && cut.len() <= most_parts(book.len()) as usize);
            assert!(cut.iter().all(|(_, part)| part.len() <= 4_000 && part.ends_with("book.")));
            let said: Vec<&str> = cut.iter().map(|(_, part)| *part).collect();
            assert_eq!(said.join(between), book);
        }
    }

    #[test]
    fn what_repeats_itself_is_there_once() {
        assert!(parts(&"key ".repeat(200_000)).len() < 4);
        assert_eq!(parts(&"\n".repeat(100_000)).len(), 1);
        assert_eq!(parts(""), [(1, "")]);
    }
}
