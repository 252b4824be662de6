//! A weekday by its name alone, in a question: "What did I do on Tuesday?"
//!
//! It is the last one where the question speaks of what was, and the coming one where it speaks of what will
//! be. Often its words do not tell ("Was habe ich am Dienstag?"); then both are meant. Who asks on a Tuesday
//! seldom means today, which people call so, but may: then today is meant besides. A note that names a weekday may mean any.

use super::calendar::{Manner, Side, day_of_week, nearest, one, week_of};
use super::senses::{ENGLISH, EVERY, Meaning, Tongues, starts};
use super::tokens::Word;
use super::tongues::{TONGUES, Tongue};
use super::west::{Reader, weekday};
use super::{Hit, Span, english};
use crate::tongue;
use crate::words::is_among;
use jiff::civil::{Date, Weekday};

impl Reader<'_> {
    /// The one that is meant first, of those named by the words up to `at`.
    pub(super) fn weekday_alone(&self, day: Weekday, at: usize, tongues: Tongues) -> Hit {
        let from = self.from.filter(|_| self.manner == Manner::Asks)?;
        let shared = self.of_weekday(at, tongues);
        let step = self.tense(shared).unwrap_or(-1);
        (shared != 0).then_some((one(nearest(from, day, step))?, at))
    }

    /// "Monday two weeks ago", "Montag vor zwei Wochen". The weekday ends before `at`.
    pub(super) fn weekday_ago(&self, day: Weekday, at: usize) -> Hit {
        let after = || self.point(self.skip_small(at, EVERY).0, EVERY);
        let (span, end) = self.point(at, EVERY).or_else(after).filter(|_| !self.ends_before(at))?;
        Some((day_of_week(week_of(span)?, day)?, end))
    }

    /// "Two weeks ago on Monday", "vor zwei Wochen am Montag".
    pub(super) fn weekday_then(&self, span: Span, used: usize) -> Hit {
        let week = week_of(span).filter(|_| !self.ends_before(used))?;
        let small = self.words.get(used).is_some_and(|word| is_among("on am le el", word));
        let reader = self.at(self.before() + used + usize::from(small))?;
        let (day, end, _) = reader.weekday_here()?;
        Some((day_of_week(week, day)?, used + usize::from(small) + end))
    }

    /// The weekday that begins here, where it ends, and its languages.
    fn weekday_here(&self) -> Option<(Weekday, usize, Tongues)> {
        if let Some(day) = english::weekday(&self.words[0]) {
            return Some((day, 1, ENGLISH));
        }
        let (day, at, tongues) = self.next(0, EVERY, weekday)?;
        Some((Weekday::from_monday_zero_offset(day).ok()?, at, tongues))
    }

    /// What else the words up to `used` may mean.
    pub(super) fn weekday_besides(&self, used: usize) -> Besides {
        self.weekday_meant(used)
            .map_or_else(Besides::default, |(day, from, tense)| Besides::of(day, from, tense))
    }

    /// The weekday that the words up to `used` are, seen from a day, and which way they look.
    fn weekday_meant(&self, used: usize) -> Option<(Weekday, Date, Option<i32>)> {
        let from = self.from.filter(|_| self.manner == Manner::Asks)?;
        let (day, at, tongues) = self.weekday_here()?;
        let shared = self.of_weekday(at, tongues);
        (at == used && shared != 0).then(|| (day, from, self.tense(shared)))
    }

    /// The languages in which this weekday, which ends before `at`, is one day and not a habit or a part of a date.
    fn of_weekday(&self, at: usize, tongues: Tongues) -> Tongues {
        let dated = self.is_date(self.articles(at, tongues));
        let of = |meaning| (meaning == Meaning::Of).then_some(());
        // "Na segunda reunião": "Monday" is "second" as well, and "sun" something else.
        let other = at == 1 && self.is_second(0) && !self.ends_before(1);
        if dated || other || self.words[0].len() < 4 || self.next(at, tongues, of).is_some() {
            return 0;
        }
        let meant = |(place, tongue): (usize, &Tongue)| {
            let bit = 1 << place;
            if tongues & bit != 0 && self.is_on(tongue, bit) { bit } else { 0 }
        };
        TONGUES.iter().enumerate().map(meant).fold(0, |all, one| all | one)
    }

    fn is_on(&self, tongue: &Tongue, bit: Tongues) -> bool {
        // "When is Mardi Gras?"
        let foreign = || !tongue::is_english(self.text);
        let Some(last) = self.last() else { return tongue.on.is_empty() && foreign() };
        if !tongue.on.is_empty() {
            return tongue.on.split('/').any(|on| *last == *on);
        }
        // "Depuis mardi", but no "avant mardi", which may be to come, and no "le mardi", which is each.
        let Some(reader) = self.at(self.before() - 1) else { return false };
        let mut senses = starts(last).senses.iter().filter(|sense| sense.fits(reader.words));
        let since = |meaning| matches!(meaning, Meaning::Beside(Side::Since | Side::After));
        let joins = senses.clone().any(|sense| sense.tongues & bit != 0 && since(sense.meaning));
        let each = ["chaque", "ogni", "elke", "iedere"].contains(&&**last);
        !each && (joins || senses.all(|sense| sense.tongues & bit == 0)) && foreign()
    }

    /// Whether the words around say in these languages what was (below zero) or what will be, if one of them.
    pub(super) fn tense(&self, tongues: Tongues) -> Option<i32> {
        let (start, end) = (self.before().saturating_sub(AROUND), self.before() + AROUND);
        let around = &self.all[start..end.min(self.all.len())];
        let says = |list: fn(&Tongue) -> &'static str| {
            let some = TONGUES.iter().enumerate().filter(|(place, _)| tongues & 1 << place != 0);
            let lists: Vec<&str> = some.map(|(_, tongue)| list(tongue)).collect();
            let said = |word: &Word<'_>| lists.iter().any(|list| is_among(list, word));
            around.iter().any(said)
        };
        tense(says(|tongue| tongue.past), says(|tongue| tongue.future))
    }
}

/// What a weekday may mean besides the day that is meant first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Besides {
    /// The coming one, where that may be meant.
    pub(super) to_come: Option<Span>,
    /// Today, where it is that weekday.
    pub(super) today: Option<Span>,
}

impl Besides {
    pub(super) fn of(day: Weekday, from: Date, tense: Option<i32>) -> Besides {
        Besides {
            to_come: one(nearest(from, day, 1)).filter(|_| tense != Some(-1)),
            today: one(Some(from)).filter(|_| from.weekday() == day),
        }
    }

    /// All of it that is not the first.
    pub(super) fn other_than(self, first: Span) -> impl Iterator<Item = Span> {
        [self.to_come, self.today].into_iter().flatten().filter(move |other| *other != first)
    }
}

/// So many words or letters before and after a weekday tell of what was.
pub(super) const AROUND: usize = 32;

/// Which way a question looks whose words say what was, or what will be.
pub(super) fn tense(past: bool, future: bool) -> Option<i32> {
    match (past, future) {
        (true, false) => Some(-1),
        (false, true) => Some(1),
        _ => None,
    }
}
