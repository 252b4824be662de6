//! Words that are written as one: "Ersatzschlüssel" is a kind of "Schlüssel".
//!
//! Only for words that no note says, and only where notes are in a language that makes such words.

use crate::languages::Language;
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

/// The words that notes say.
pub trait Lexicon {
    /// What can go wrong in looking.
    type Error;
    /// Whether a note says it.
    fn says(&mut self, word: &str) -> Result<bool, Self::Error>;
    /// The words that begin or end with it.
    fn around(&mut self, piece: &str) -> Result<Vec<String>, Self::Error>;
}

/// Gives terms that no note says the words that are made with them, and the words they are made of.
pub fn widen<L: Lexicon>(
    terms: &mut [AskedTerm],
    languages: &[Language],
    lexicon: &mut L,
) -> Result<(), L::Error> {
    if !languages.iter().any(|language| JOINING.contains(&language.code())) {
        return Ok(());
    }
    for term in terms.iter_mut().filter(|term| term.kind == Kind::Word && !term.asks) {
        let mut said = false;
        for form in &term.forms {
            said |= lexicon.says(form)?;
        }
        if said {
            continue;
        }
        let mut found = Vec::new();
        for form in &term.forms {
            let letters = form.chars().count();
            if letters < SHORTEST || !form.chars().all(char::is_alphabetic) {
                continue;
            }
            let made_with = lexicon.around(form)?;
            found.extend(
                made_with.into_iter().filter(|word| word.chars().count() >= letters + LEAST_REST),
            );
            for piece in pieces(form) {
                if lexicon.says(piece)? {
                    found.push(piece.to_owned());
                }
            }
        }
        found.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
        found.dedup();
        found.truncate(MOST);
        term.forms.extend(found);
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
