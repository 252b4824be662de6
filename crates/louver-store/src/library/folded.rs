//! What a line of a file says, however it is written: its words, without the white space and the marks around them.
//!
//! Editors wrap lines, and people quote them, make them bold or move them into lists. Letters and numbers are never
//! taken for the same as others, nor is what stands inside a word.

use xxhash_rust::xxh3::Xxh3;

use crate::notes::item;

/// A hash over the words of a text; nothing where it has none.
pub(super) fn folded(text: &str) -> Option<u64> {
    let (mut hash, mut any) = (Xxh3::new(), false);
    let mut words = bare(text).split_whitespace().peekable();
    while let Some(word) = words.next() {
        let names = words.peek().is_none() && any && is_block_name(word);
        if names || word.chars().all(is_mark) {
            continue;
        }
        hash.update(unmarked(word).as_bytes());
        hash.update(b" ");
        any = true;
    }
    any.then(|| hash.digest())
}

/// The items of a list that a text of several lines has, each with what follows it.
pub(super) fn items(text: &str) -> Vec<&str> {
    let (mut starts, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        if item(quoted(line)).is_some() {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

/// A text without the marks before it: of a quotation, of a list, of a task.
pub(super) fn bare(text: &str) -> &str {
    let said = quoted(text);
    let said = item(said).map_or(said, |(_, rest)| rest).trim();
    let boxes = ["[ ] ", "[x] ", "[X] "];
    boxes.iter().find_map(|mark| said.strip_prefix(mark)).unwrap_or(said).trim()
}

/// What is quoted.
fn quoted(text: &str) -> &str {
    let mut said = text.trim();
    while let Some(rest) = said.strip_prefix('>').filter(|rest| rest.starts_with([' ', '>'])) {
        said = rest.trim_start();
    }
    said
}

fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '~' | '=' | '`' | '>' | '#' | '+' | '-' | '|')
}

/// Whether the last word of a paragraph is the name it is linked by (`^a1b2c3`). A power has one letter, or a number.
fn is_block_name(word: &str) -> bool {
    word.strip_prefix('^').is_some_and(|name| {
        name.len() > 1
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && name.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// A word without what makes it bold, slanted, code, marked or crossed out. `snake_case` and `2*3` stay as they are.
fn unmarked(word: &str) -> String {
    let chars: Vec<char> = word.chars().collect();
    let (mut out, mut at) = (String::with_capacity(word.len()), 0);
    for run in chars.chunk_by(|one, next| one == next) {
        let inside = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
        let between = at > 0 && inside(chars.get(at - 1)) && inside(chars.get(at + run.len()));
        let marks = match run[0] {
            '*' | '_' | '`' => true,
            '~' | '=' => run.len() > 1,
            _ => false,
        };
        if !marks || between {
            out.extend(run);
        }
        at += run.len();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_however_they_are_written() {
        let plain = folded("The cellar code is 5512.");
        for text in [
            "The cellar code is\n5512.",
            "The  cellar\tcode is 5512. \n",
            "The cellar\u{a0}code is 5512.",
            "> The cellar code is\n> 5512.",
            ">> - [ ] The cellar code is 5512.",
            "**The cellar code is 5512.**",
            "The _cellar_ ==code== is **5512**.",
            "~~The cellar code is `5512`.~~",
            "- The cellar code is 5512.",
            "## The cellar code is 5512.",
            "The cellar code is 5512. ^cellar-1",
        ] {
            assert_eq!(folded(text), plain, "{text:?}");
        }
    }

    #[test]
    fn letters_and_numbers_are_never_folded() {
        let pairs = [
            ("The code is 5512", "The code is 5513"),
            ("-5 degrees", "5 degrees"),
            ("1.5 litres", "5 litres"),
            ("~5 km", "5 km"),
            ("a*b", "ab"),
            ("snake_case", "snakecase"),
            ("x ^2", "x ^3"),
            ("Anna", "anna"),
            ("born in 1987. Then", "born in Then"),
        ];
        for (one, other) in pairs {
            assert_ne!(folded(one), folded(other), "{one:?}");
        }
        assert_eq!((folded("---"), folded("")), (None, None));
    }

    #[test]
    fn items_are_taken_with_what_follows_them() {
        let text = "- Codes\n  - The cellar\n    has 5512.\n  * The attic\n";
        assert_eq!(
            items(text),
            ["- Codes\n", "  - The cellar\n    has 5512.\n", "  * The attic\n"]
        );
        assert!(items("No list\nat all").is_empty());
    }
}
