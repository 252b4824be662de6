//! Weeks and weekends by one of their days ("the week of 17 August", "the weekend of the 12th"), and "the weekend".

use super::Hit;
use super::calendar::{DUE, Manner, Unit, day_before, settled, the_weekend, weekend_about, whole};
use super::senses::{Meaning, Tongues};
use super::west::Reader;
use jiff::ToSpan;
use jiff::civil::Date;

impl Reader<'_> {
    /// "am Wochenende". A note may mean any, but who asks means the last.
    pub(super) fn weekend_alone(&self, at: usize, tongues: Tongues) -> Hit {
        let from = self.from.filter(|_| self.manner == Manner::Asks)?;
        let article = |meaning| (meaning == Meaning::Article).then_some(());
        let before = self.before().checked_sub(1)?;
        let the = self.at(before)?.next(0, tongues, article).is_some();
        // "The weekend of the fair", "le week-end d'avant": another one.
        let other = |meaning| {
            matches!(meaning, Meaning::Of | Meaning::Filler | Meaning::Beside(_)).then_some(())
        };
        let this = self.next(at, tongues, other).is_none();
        (the && this).then_some((the_weekend(from)?, at))
    }

    /// "the weekend of the 12th", "am Wochenende vom 12. Juli".
    pub(super) fn weekend_of(&self, at: usize, tongues: Tongues) -> Hit {
        let (day, end) = self.of_day(at, tongues)?;
        Some((weekend_about(day)?, end))
    }

    /// "the week of 17 August", "die Woche vom 17. August".
    pub(super) fn week_of(&self, at: usize, tongues: Tongues) -> Hit {
        let (day, end) = self.of_day(at, tongues)?;
        Some((whole(Unit::Week, 0, day)?, end))
    }

    /// The day by which a week or weekend is named: "of 15 and 16 August", "of the 12th".
    fn of_day(&self, at: usize, tongues: Tongues) -> Option<(Date, usize)> {
        let small = |meaning| {
            matches!(meaning, Meaning::Of | Meaning::Article | Meaning::From).then_some(())
        };
        let ((), mut start, tongues) = self.next(at, tongues, small)?;
        start = self.articles(start, tongues);
        let dated = || {
            let days = self.days_apart(start, tongues);
            let (span, end) = days.or_else(|| self.date_at(start, tongues))?;
            let one_day = span.days() <= 3;
            Some((settled(span, self.seen_from(tongues), self.manner)?.0, end)).filter(|_| one_day)
        };
        let numbered = || {
            let day = day_before(self.bare_day(start)?, self.from?)?;
            Some((settled(day, None, self.manner)?.0, start + 1))
        };
        dated().or_else(numbered)
    }

    /// The day up to which what is of no year has begun. Whoever does not ask for what was may mean what is near ahead.
    pub(super) fn seen_from(&self, tongues: Tongues) -> Option<Date> {
        let was = self.manner == Manner::Tells || self.tense(tongues) == Some(-1);
        let from = self.from?;
        if was { Some(from) } else { from.checked_add(DUE.days()).ok() }
    }
}
