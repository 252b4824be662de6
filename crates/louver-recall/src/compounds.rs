//! Words that are written as one: "Ersatzschlüssel" is a kind of "Schlüssel".
//!
//! Only for words that no note says, and only where notes are in a language that makes such words.

use crate::languages::Language;
use crate::lexicon::Lexicon;
use crate::question::AskedTerm;
use crate::words::Kind;

/// The languages that write what they join as one word.
const JOINING: [&str; 7] = ["de", "nl", "sv", "da", "no", "fi", "hu"];
/// Shorter pieces are found in words that have nothing to do with them.
const SHORTEST: usize = 5;
/// What is left of a word beside a piece of it.
const LEAST_REST: usize = 3;
/// So many words are taken for one.
const MOST: usize = 8;
/// For so many of a question's words. What has more that no note says is no question.
const WIDENED: usize = 16;

/// The pieces that a word begins or ends with, each with the word.
pub fn joined(word: &str, pieces: &[&str]) -> impl Iterator<Item = (usize, String)> {
    let joined = |piece: &str| word.starts_with(piece) || word.ends_with(piece);
    let pieces = pieces.iter().enumerate().filter(move |(_, piece)| joined(piece));
    pieces.map(move |(at, _)| (at, word.to_owned()))
}

/// Gives terms that no note says the words that are made with them, and the words they are made of.
pub(crate) fn widen<L: Lexicon>(
    terms: &mut [AskedTerm],
    languages: &[Language],
    lexicon: &mut L,
) -> Result<(), L::Error> {
    if !languages.iter().any(|language| JOINING.contains(&language.code())) {
        return Ok(());
    }
    let mut unsaid: Vec<&mut AskedTerm> = Vec::new();
    for term in terms.iter_mut().filter(|term| term.kind == Kind::Word && !term.asks) {
        let mut said = false;
        for form in &term.forms {
            said |= lexicon.says(form)?;
        }
        if !said && unsaid.len() < WIDENED {
            unsaid.push(term);
        }
    }
    let is_long = |form: &str| form.chars().count() >= SHORTEST;
    let can_join = |form: &&str| is_long(form) && form.chars().all(char::is_alphabetic);
    let forms: Vec<(usize, &str)> = (0..)
        .zip(&unsaid)
        .flat_map(|(at, term)| term.forms.iter().map(move |form| (at, form.as_str())))
        .filter(|(_, form)| can_join(form))
        .collect();
    if forms.is_empty() {
        return Ok(());
    }
    let mut found: Vec<Vec<String>> = vec![Vec::new(); unsaid.len()];
    let asked: Vec<&str> = forms.iter().map(|(_, form)| *form).collect();
    for (which, word) in lexicon.around(&asked)? {
        let (at, form) = forms[which];
        if word.chars().count() >= form.chars().count() + LEAST_REST {
            found[at].push(word);
        }
    }
    for (at, form) in &forms {
        for piece in pieces(form) {
            if lexicon.says(piece)? {
                found[*at].push(piece.to_owned());
            }
        }
    }
    for (term, mut found) in unsaid.into_iter().zip(found) {
        found.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
        found.dedup();
        found.truncate(MOST);
        term.forms.extend(found);
    }
    Ok(())
}

/// Gives terms of letters and digits that no note says what they are where that was set apart: "yk76lmt" is "YK76 LMT".
pub(crate) fn set_apart<L: Lexicon>(
    terms: &mut [AskedTerm],
    lexicon: &mut L,
) -> Result<(), L::Error> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    for term in terms.iter_mut().filter(|term| term.kind == Kind::Word && !term.asks) {
        let word = term.forms[0].clone();
        if !word.is_ascii() || !word.contains(is_digit) || lexicon.says(&word)? {
            continue;
        }
        let pairs = word.char_indices().zip(word.chars().skip(1));
        let cuts = pairs.filter(|((_, one), other)| is_digit(*one) != is_digit(*other));
        for ((at, _), _) in cuts {
            let (left, right) = word.split_at(at + 1);
            if !lexicon.says(left)? || !lexicon.says(right)? {
                continue;
            }
            let tell = |part: &&str| part.len() >= LEAST_REST && part.contains(is_digit);
            term.forms.extend([left, right].into_iter().filter(tell).map(str::to_owned));
        }
    }
    Ok(())
}

/// What a word may be made of: its beginnings and its ends.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let cuts = || word.char_indices().map(|(at, _)| at).skip(1);
    let enough = |piece: &&str| {
        let letters = piece.chars().count();
        letters >= SHORTEST && word.chars().count() >= letters + LEAST_REST
    };
    let beginnings = cuts().map(|at| &word[..at]);
    beginnings.chain(cuts().map(|at| &word[at..])).filter(enough)
}
