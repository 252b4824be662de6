//! Several questions in one message: "What's the wifi password, and when is the dentist?"
//!
//! No note answers both, and what answers one says nothing of the other. So each is looked at by itself.

use super::asking::is_asking;
use super::leans;
use crate::clauses::{self, goes_on, without_and};
use crate::cues;
use crate::replaced::is_of_value;
use crate::sides::asks_for_facts;
use crate::tongue;
use crate::words::{self, Kind, fold};

/// The sentences of a message cut into its questions, and whether each is one of several. What leans on another, or says
/// nothing by itself, is no question of its own: then the sentences stay as they are.
pub(super) fn several(
    text: &str,
    sentences: Vec<(usize, usize)>,
) -> (Vec<(usize, usize)>, Vec<bool>) {
    let mut cut = Vec::with_capacity(sentences.len());
    for (from, to) in &sentences {
        let (mut start, said) = (*from, &text[*from..*to]);
        // "When I travel, what should I pack?"
        let places =
            if cues::begins_with_a_clause(&fold(said)) { Vec::new() } else { joints(said) };
        for at in places {
            cut.push((start, from + at));
            start = from + at;
        }
        cut.push((start, *to));
    }
    let asks: Vec<bool> = cut.iter().map(|(from, to)| asks(text, *from, *to)).collect();
    let own = |((from, to), asks): (&(usize, usize), &bool)| !asks || stands(&text[*from..*to]);
    let known = |part: &(usize, usize)| sentences.contains(part);
    // What was cut must ask on both sides.
    let whole = |(part, asks): (&(usize, usize), &bool)| *asks || known(part);
    let is_several = asks.iter().filter(|asks| **asks).count() > 1
        && cut.iter().zip(&asks).all(own)
        && cut.iter().zip(&asks).all(whole);
    match is_several {
        true => (cut, asks),
        false => {
            let none = vec![false; sentences.len()];
            (sentences, none)
        }
    }
}

/// Where in a sentence another question may begin: after one that ended, or with a word with which people ask, after a comma
/// or "and".
fn joints(said: &str) -> Vec<usize> {
    let (mut found, mut at) = (Vec::new(), 0);
    let (mut before, mut before_at) = ("", 0);
    for word in said.split_inclusive(char::is_whitespace) {
        let bare = word.trim();
        let core = fold(bare.trim_matches(|c: char| !c.is_alphanumeric()));
        let begins = clauses::begins_to_ask(&core);
        let joint = match () {
            () if before.ends_with(['?', '？']) => Some(at),
            () if begins && goes_on(before) => Some(before_at),
            () if begins && before.ends_with([',', ';']) => Some(at),
            () => None,
        };
        found.extend(joint.filter(|joint| *joint > 0));
        if !bare.is_empty() {
            (before, before_at) = (bare, at);
        }
        at += word.len();
    }
    found.dedup();
    found
}

/// Whether what stands there does nothing but ask. The mark of its sentence stands for all that were cut from it.
fn asks(text: &str, from: usize, to: usize) -> bool {
    let said = plain(&text[from..to]);
    let end = text[from..].find(['.', '!', '?', '？', '\n']).map(|end| from + end);
    let marked = end.is_some_and(|end| text[end..].starts_with(['?', '？']));
    clauses::only_asks(&if marked { format!("{said}?") } else { said.to_owned() })
}

/// A question without what joins it on, and without its end.
fn plain(said: &str) -> &str {
    without_and(said).trim_end_matches(|c: char| !c.is_alphanumeric())
}

/// Whether a question stands by itself: it says what it is about, and is after what is known.
pub(super) fn stands(said: &str) -> bool {
    let said = plain(said);
    // "When is my class, and what does it cost?"
    let says_of_what = |word: &str| !is_asking(word) && !is_of_value(word);
    let says = |term: &words::Term| {
        !matches!(term.kind, Kind::Stop | Kind::Joined)
            && says_of_what(&fold(&said[term.start..term.end]))
    };
    !leans(said)
        && (asks_for_facts(said) || clauses::asks_to_be_told(said))
        && words::terms(said, tongue::language(said)).iter().any(says)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentences::sentences;

    fn cut(text: &str) -> Vec<&str> {
        let (parts, asks) = several(text, sentences(text));
        let of =
            |((from, to), asks): (&(usize, usize), &bool)| asks.then(|| text[*from..*to].trim());
        parts.iter().zip(&asks).filter_map(of).collect()
    }

    #[test]
    fn each_question_of_a_message_is_its_own() {
        for (text, parts) in [
            (
                "what's the wifi password and when is the dentist?",
                vec!["what's the wifi password", "and when is the dentist?"],
            ),
            (
                "What does Nina not eat? And when does the ferry leave?",
                vec!["What does Nina not eat?", "And when does the ferry leave?"],
            ),
            (
                "how much was the car insurance and where's the spare key",
                vec!["how much was the car insurance", "and where's the spare key"],
            ),
            (
                "Off to the cabin tomorrow. What's the wifi there, and which cartridge does the printer take?",
                vec!["What's the wifi there,", "and which cartridge does the printer take?"],
            ),
            (
                "Wann ist der Zahnarzt und wo liegt der Schlüssel?",
                vec!["Wann ist der Zahnarzt", "und wo liegt der Schlüssel?"],
            ),
        ] {
            assert_eq!(cut(text), parts);
        }
    }

    #[test]
    fn what_is_one_question_stays_one() {
        for text in [
            "When and where is the meeting?",
            "Which book did Jo recommend and when did she recommend it?",
            "What should I pack, and what should I leave at home?",
            "I know who painted the hall and what it cost.",
            "Is the key with Sam or with Tariq?",
            "What's the wifi password?",
            "When the server was down, what did you say to check?",
            "¿Cuándo es mi clase de español y cuánto cuesta?",
            "",
        ] {
            assert!(cut(text).is_empty(), "{text}: {:?}", cut(text));
        }
    }
}
