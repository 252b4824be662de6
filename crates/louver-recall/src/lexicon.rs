//! The words that notes say, and what the words of a question that none says may be instead.

use crate::compounds;
use crate::glue;
use crate::languages::Language;
use crate::question::Asked;
use crate::spelling;

/// The words that notes say.
pub trait Lexicon {
    /// What can go wrong in looking.
    type Error;
    /// Whether a note says it.
    fn says(&mut self, word: &str) -> Result<bool, Self::Error>;
    /// The words that begin or end with one of these, each with which. All words are looked at, so it is
    /// asked once.
    fn around(&mut self, pieces: &[&str]) -> Result<Vec<(usize, String)>, Self::Error>;
    /// The words that begin so, in the order of their bytes, [`LOOKED_AT`] at most.
    fn beginning(&mut self, begin: &str, each: &mut dyn FnMut(&str)) -> Result<(), Self::Error>;
}

/// No more words than this are looked at for a beginning, however many notes there are: half a millisecond.
pub const LOOKED_AT: usize = 4_000;

/// Gives terms that no note says the words that are made with them and the words they are made of, or what
/// they are when they are spelled right. Where words are not set apart it tells which are no words, and where none of
/// them says anything to the notes that days are all that is asked for.
pub fn widen<L: Lexicon>(
    asked: &mut Asked,
    languages: &[Language],
    lexicon: &mut L,
) -> Result<(), L::Error> {
    let terms = &mut asked.terms;
    glue::loosen(terms, lexicon)?;
    compounds::set_apart(terms, lexicon)?;
    compounds::widen(terms, languages, lexicon)?;
    spelling::correct(terms, lexicon)?;
    asked.leave_to_days(lexicon)
}
