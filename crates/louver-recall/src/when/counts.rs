//! Numbers as they are said: "3", "five", "twenty-five", "treinta y dos".
//!
//! The end of a longer number is none by itself: the "5" of "1.5 years ago", the "five" of "a hundred and five".

use super::calendar::Unit;
use super::senses::{Meaning, Tongues};
use super::tongues::{TONGUES, Tongue};
use super::west::{Reader, unit};
use std::ops::Range;

impl Reader<'_> {
    /// The number at `at`, the words after it, and its languages.
    pub(super) fn count(&self, at: usize, tongues: Tongues) -> Option<(i32, usize, Tongues)> {
        let (number, at, tongues) = self.next(at, tongues, number)?;
        Some(self.with_ones(number, at, tongues))
    }

    /// A number that ends at `at`, with what is said after its tens.
    pub(super) fn with_ones(
        &self,
        tens: i32,
        at: usize,
        tongues: Tongues,
    ) -> (i32, usize, Tongues) {
        let (start, shared) = self.skip(Meaning::And, at, tongues);
        let ones = |meaning| number(meaning).filter(|ones| (1..10).contains(ones));
        let said = |at: usize| self.words.get(at).is_some_and(|word| !word.is_number());
        if !(20..100).contains(&tens) || !said(at - 1) || !said(start) {
            return (tens, at, tongues);
        }
        match self.next(start, shared, ones) {
            Some((ones, end, shared)) if self.are_close(at..end) => (tens + ones, end, shared),
            _ => (tens, at, tongues),
        }
    }

    /// Whether the number here is only the end of one.
    pub(super) fn is_cut(&self, tongues: Tongues) -> bool {
        let Some(last) = self.last() else { return false };
        if self.words[0].is_number() {
            return last.is_number() && matches!(self.gap(0), "." | ",");
        }
        // "One point five".
        if ["point", "coma", "virgola", "virgula", "komma"].contains(&&**last) {
            return true;
        }
        let said = |back: usize| {
            let reader = self.at(self.before().checked_sub(back)?)?;
            let close = reader.are_close(1..back + 1) && !reader.words[0].is_number();
            reader.next(0, tongues, number).filter(|_| close).map(|(number, ..)| number)
        };
        let and = |meaning| (meaning == Meaning::And).then_some(());
        let joined = || self.at(self.before() - 1)?.next(0, tongues, and);
        let joined = joined().is_some() && said(2).is_some_and(|number| number >= 20);
        let large = self.count(0, tongues).is_some_and(|(number, ..)| number >= 20);
        joined || said(1).is_some_and(|number| number >= 20 || large && number > 1)
    }

    /// So many units, where that is how the words end: "two weeks".
    pub(super) fn counted(&self, codes: &[&str]) -> Option<(i32, Unit)> {
        let bits = |(place, tongue): (usize, &Tongue)| {
            if codes.contains(&tongue.code) { 1 << place } else { 0 }
        };
        let tongues = TONGUES.iter().enumerate().map(bits).fold(0, |all, one| all | one);
        // The longest first: "treinta y dos días" before "dos días".
        let places = self.all.len().saturating_sub(LONGEST).max(self.before())..self.all.len();
        places.filter_map(|place| self.at(place)).find_map(|reader| {
            let (count, at, shared) = reader.count(0, tongues)?;
            let (unit, end, _) = reader.next(at, shared, unit)?;
            let whole = end == reader.words.len() && !reader.is_cut(tongues);
            (whole && count > 0).then_some((count, unit))
        })
    }

    /// Whether nothing but a blank or a dash stands before each of these words.
    fn are_close(&self, mut places: Range<usize>) -> bool {
        places.all(|at| matches!(self.gap(at), " " | "-"))
    }
}

/// The words of "treinta y dos días".
const LONGEST: usize = 4;

pub(super) fn number(meaning: Meaning) -> Option<i32> {
    if let Meaning::Number(number) = meaning { Some(number) } else { None }
}
