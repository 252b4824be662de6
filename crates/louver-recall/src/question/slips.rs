//! Words for days that were misspelt: "yesterdy", "last teusday".
//!
//! What no note says is corrected by the words of notes, but a day that was not understood finds nothing to be
//! corrected by. So these few words, which resemble no other, are put right before anything is read.

use crate::embed::Embeddings;
use crate::spelling::apart;
use crate::when;
use crate::words::{fold, is_among};
use std::borrow::Cow;

/// Words that are put right. Shorter ones ("june", "march") resemble names.
const RIGHT: &str = "yesterday today tomorrow monday tuesday wednesday thursday friday saturday sunday \
    january february september october november december happened happens";

/// From so many letters on two of them may be wrong.
const LONG: usize = 8;

/// The question with its words for days as they are spelt.
pub(super) fn right<'a>(text: &'a str, table: &Embeddings<'_>) -> Cow<'a, str> {
    let mut righted = String::new();
    let mut done = 0;
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’') {
        let Some(right) = meant(word, table) else { continue };
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        righted.push_str(&text[done..start]);
        righted.push_str(right);
        done = start + word.len();
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    righted.push_str(&text[done..]);
    Cow::Owned(righted)
}

/// The word that is meant by one that no vector knows. It begins as that one, and ends so or has the same letters:
/// "Sundar" is no Sunday.
fn meant(word: &str, table: &Embeddings<'_>) -> Option<&'static str> {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let word = fold(word);
    let letters: Vec<char> = word.chars().collect();
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let near = |right: &&str| {
        let most = if right.len() >= LONG { 2 } else { 1 };
        right[..1] == word[..1]
            && right.len().abs_diff(word.len()) <= most
            && (right.ends_with(&word[word.len() - 1..]) || sorted(right) == sorted(&word))
            && apart(&letters, right, most).is_some_and(|apart| apart > 0)
    };
    let right = RIGHT.split_whitespace().find(near)?;
    let known = is_among(RIGHT, &word) || when::is_of_time(&word) || table.pieces(&word).len() == 1;
    (!known).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::shipped;

    #[test]
    fn words_for_days_are_put_right_and_names_are_not() {
        for (text, expected) in [
            ("what hapened yesterday?", "what happened yesterday?"),
            ("yesterdy?", "yesterday?"),
            ("what did i do last teusday", "what did i do last tuesday"),
            ("on Wendesday, 3 Febuary", "on wednesday, 3 february"),
            ("tommorow", "tomorrow"),
        ] {
            assert_eq!(right(text, &shipped()), expected, "{text}");
        }
        for text in [
            "Sundar and Mondal met Jun, Marc and Augusto",
            "le 3 novembre, am 4. Dezember, il 5 ottobre",
            "on Fridays and sundays, yesterday's news",
            "Freitas, Maia, Avril, Jules, Octavia, Octavio, Tomorr, Saturn, Hapsburg",
            "the tornado of decembrists and Sandy",
        ] {
            assert_eq!(right(text, &shipped()), text);
        }
    }
}
