//! Seasons by their names: "summer of 2022", "in summer".

use super::calendar::{Manner, season_near, season_of};
use super::senses::{ENGLISH, Meaning, Tongues, starts};
use super::tokens::Word;
use super::west::Reader;
use super::{Hit, Span};
use crate::words::is_among;

/// What makes a time of a season that is named alone.
const WITHIN: &str =
    "in im over during throughout ubers wahrend en durant pendant durante nel nell em";
/// And in Portuguese, where English has another word.
const WITHIN_TOO: &str = "no na";
const THE: &str = "the der den dem des l le la el il lo o de het";

impl Reader<'_> {
    /// "Sommer 2022", "summer of 2022".
    pub(super) fn season_year(&self, first: i8, at: usize, tongues: Tongues) -> Hit {
        let (at, _) = self.skip(Meaning::Of, at, tongues);
        Some((season_of(self.year(at)?, first)?, at + 1))
    }

    /// "in summer", "over the summer". A note may mean any; who asks means the latest that has begun, or the next.
    pub(super) fn season_alone(&self, first: i8, at: usize, tongues: Tongues) -> Hit {
        let from = self.from.filter(|_| self.manner == Manner::Asks)?;
        let mut before = self.all[..self.before()].iter().rev().map(|word| &**word).peekable();
        before.next_if(|word| is_among(THE, word));
        let last = before.next()?;
        let within = is_among(WITHIN, last) || tongues & ENGLISH == 0 && is_among(WITHIN_TOO, last);
        if !within || !self.is_season(0) {
            return None;
        }
        let step = i32::from(self.tense(tongues) == Some(1));
        let this = season_near(first, step, from)?;
        let begun =
            |span: &Span| matches!(span, Span::Days(start, _) if step > 0 || *start <= from);
        let span = Some(this).filter(begun).or_else(|| season_near(first, -1, from))?;
        Some((span, at))
    }

    /// Whether these words are a season alone.
    pub(super) fn is_season_alone(&self, used: usize) -> bool {
        let senses = &starts(&self.words[0]).senses;
        used == 1 && senses.iter().any(|sense| matches!(sense.meaning, Meaning::Season(_)))
    }

    /// Whether "été" is the summer, and not "been".
    pub(super) fn is_season(&self, at: usize) -> bool {
        let place = self.before() + at;
        let last = place.checked_sub(1).and_then(|last| self.all.get(last));
        let been = |last: &Word<'_>| !["l", "cet", "en", "d"].contains(&&**last);
        self.words[at] != *"ete" || !last.is_some_and(been)
    }
}
