//! What is found as it is written: what is quoted, and without that `fooBar::baz`, a path, an address, "ticket 812".

use crate::words::{Kind, Term, fold, humps, squeeze};

/// Each phrase is looked for in every candidate. Who quotes more has pasted something.
const MOST_PHRASES: usize = 16;

/// What a person means to be found as written: the text between quotation marks.
pub(crate) fn phrases(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in [('"', '"'), ('“', '”'), ('«', '»'), ('「', '」'), ('`', '`')] {
        let mut rest = text;
        while let Some(start) = rest.find(open) {
            let inner = &rest[start + open.len_utf8()..];
            let Some(end) = inner.find(close) else { break };
            let phrase = squeeze(&inner[..end]);
            if (3..=120).contains(&phrase.len()) && found.len() < MOST_PHRASES {
                found.push(phrase);
            }
            rest = &inner[end + close.len_utf8()..];
        }
    }
    found
}

/// What is written so that only the same will do: an identifier, a path, an address, a version.
pub(crate) fn exact(text: &str, terms: &[Term]) -> Vec<String> {
    let wholes = terms.iter().filter(|term| term.kind == Kind::Whole);
    let said = wholes.map(|term| &text[term.start..term.end]).filter(|said| is_exact(said));
    said.map(squeeze).collect()
}

/// A shorter one without digits is an abbreviation: "e.g.", "a.m."
const SHORTEST_EXACT: usize = 5;

/// Whether something is written as only a thing with a name is: "and/or" is not.
fn is_exact(said: &str) -> bool {
    let has = |sign: fn(char) -> bool| said.contains(sign);
    has(|c| c.is_ascii_digit())
        || said.ends_with(['+', '#'])
        || said.len() >= SHORTEST_EXACT
            && (has(|c| matches!(c, '_' | '.' | '@' | '#' | '\\' | ':' | '='))
                || said.matches('/').count() > 1
                || humps(said).len() > 1)
}

/// What is mostly written so, and counts for a note that has it: a short identifier (`fooBar`), a code (`KX7T42`), and a word with its number
/// ("ticket 812") where that is all that is asked for. Others may write it otherwise, so no note must have it.
pub(crate) fn likely(text: &str, terms: &[Term]) -> Vec<String> {
    let said = |term: &Term| &text[term.start..term.end];
    let joined = terms.iter().filter(|term| term.kind == Kind::Joined).map(said);
    let mut found: Vec<String> = joined.filter(|said| is_identifier(said)).map(fold).collect();
    let words: Vec<&Term> = terms.iter().filter(|term| term.kind == Kind::Word).collect();
    found.extend(words.iter().map(|term| said(term)).filter(|said| is_code(said)).map(fold));
    if let [word, number] = words[..] {
        let is_numbered = said(word).chars().all(char::is_alphabetic)
            && said(number).bytes().all(|byte| byte.is_ascii_digit())
            && matches!(text.get(word.end..number.start), Some(" " | " #"));
        found.extend(is_numbered.then(|| fold(&format!("{} {}", said(word), said(number)))));
    }
    found
}

/// The text of a note, squeezed, as what is likely is looked for in it: "ticket #812" is "ticket 812".
pub(crate) fn plain(squeezed: &str) -> String {
    squeezed.replace(" #", " ")
}

/// Whether it is written as names in programs are: "WiFi" is not, which begins with a capital, nor "iPhone", where one
/// letter does not.
fn is_identifier(said: &str) -> bool {
    said.len() > SHORTEST_EXACT
        && said.starts_with(|c: char| c.is_ascii_lowercase())
        && said.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && humps(said).first().is_some_and(|(_, end)| (2..said.len()).contains(end))
}

/// Whether it is a code, as serial numbers and bookings have: letters and digits in turn, or letters before many digits.
/// "HTML5", "1990s" and "covid19" are words.
fn is_code(said: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let bytes = said.as_bytes();
    let turns = bytes.windows(2).filter(|two| is_digit(&two[0]) != is_digit(&two[1])).count();
    let digits = bytes.iter().filter(|byte| is_digit(byte)).count();
    said.len() > SHORTEST_EXACT
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && (turns > 1 || turns == 1 && digits >= MANY_DIGITS && !is_digit(&bytes[0]))
}

const MANY_DIGITS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::Language;
    use crate::words::terms;

    #[test]
    fn phrases_are_what_stands_in_quotation_marks() {
        assert_eq!(phrases("he said \"Good  Night\" and “so long”"), ["good night", "so long"]);
        assert!(phrases("5\" pipe").is_empty());
    }

    #[test]
    fn what_is_written_as_a_name_of_something_is_meant_exactly() {
        let exact = |text: &str| exact(text, &terms(text, Language::ENGLISH));
        assert_eq!(
            exact("who owns fooBar::baz_qux in /srv/app/main.log?"),
            ["foobar::baz_qux", "srv/app/main.log"]
        );
        assert_eq!(
            exact("see https://ex.org/a?id=3 or 10.0.0.2"),
            ["https://ex.org/a", "id=3", "10.0.0.2"]
        );
        assert_eq!(exact("C++, not C#"), ["c++", "c#"]);
        assert!(exact("C# minor, a+b, no. #5x").iter().all(|said| said == "c#"));
        assert!(exact("income and/or expenses, e.g. well-known ones").is_empty());
    }

    #[test]
    fn short_identifiers_and_numbered_words_are_likely_meant_exactly() {
        let likely = |text: &str| likely(text, &terms(text, Language::ENGLISH));
        assert_eq!(likely("where is fooBar?"), ["foobar"]);
        assert_eq!(likely("What about Ticket #812?"), ["ticket 812"]);
        assert_eq!(likely("seal KX7T42 and SN4177976"), ["kx7t42", "sn4177976"]);
        assert!(likely("Is WiFi on YouTube or my iPhone? run 5 km").is_empty());
        assert!(likely("HTML5 of the 1990s, covid19 at 10am on the 22nd").is_empty());
    }
}
