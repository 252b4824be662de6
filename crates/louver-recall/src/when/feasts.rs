//! Days of a year that are called by a name: Christmas Eve, Easter Monday, the first quarter.
//!
//! Who asks for one means the last, or the coming one where it is near; who tells of one means the nearest.

use super::calendar::{DUE, Manner, season_of};
use super::senses::{EVERY, Meaning, Tongues};
use super::west::Reader;
use super::{Hit, Span};
use crate::words::is_among;
use jiff::ToSpan;
use jiff::civil::Date;

/// When a year has it.
#[derive(Clone, Copy)]
enum Falls {
    /// On a day of a month, for so many days.
    On(i8, i8, i32),
    /// So many days from Easter Sunday, for so many days.
    Easter(i32, i32),
    /// For three months from this one on.
    Quarter(i8),
}

/// In the order of the tables: Christmas, its Eve, its Day, the day after; New Year, its Eve, its Day; Easter, Holy
/// Week, Good Friday, Easter Sunday, Easter Monday; the quarters.
const FEASTS: [Falls; 16] = [
    Falls::On(12, 24, 3),
    Falls::On(12, 24, 1),
    Falls::On(12, 25, 1),
    Falls::On(12, 26, 1),
    Falls::On(12, 31, 2),
    Falls::On(12, 31, 1),
    Falls::On(1, 1, 1),
    Falls::Easter(-2, 4),
    Falls::Easter(-7, 8),
    Falls::Easter(-2, 1),
    Falls::Easter(0, 1),
    Falls::Easter(1, 1),
    Falls::Quarter(1),
    Falls::Quarter(4),
    Falls::Quarter(7),
    Falls::Quarter(10),
];

/// The place of the first quarter among them.
const QUARTERS: usize = 12;

/// One of them, by its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Feast(pub(super) usize);

impl Feast {
    /// The quarter of this number, from one.
    pub(super) fn quarter(number: i32) -> Option<Feast> {
        let place = usize::try_from(number).ok().filter(|number| (1..=4).contains(number))?;
        Some(Feast(QUARTERS + place - 1))
    }

    fn in_year(self, year: i16) -> Option<(Date, Date)> {
        let (first, length) = match *FEASTS.get(self.0)? {
            Falls::On(month, day, length) => (Date::new(year, month, day).ok()?, length),
            Falls::Easter(step, length) => (easter(year)?.checked_add(step.days()).ok()?, length),
            Falls::Quarter(month) => {
                let Span::Days(first, last) = season_of(year, month)? else { return None };
                return Some((first, last));
            }
        };
        Some((first, first.checked_add((length - 1).days()).ok()?))
    }

    /// Those of the year of `from` and of the years around it.
    fn around(self, from: Date) -> impl DoubleEndedIterator<Item = (Date, Date)> {
        let years = (-2..=2).filter_map(move |step| from.year().checked_add(step));
        years.filter_map(move |year| self.in_year(year)).collect::<Vec<_>>().into_iter()
    }

    /// The last that has begun, or the first that has not.
    fn beside(self, from: Date, ahead: bool) -> Option<Span> {
        let mut around = self.around(from);
        let found = match ahead {
            true => around.find(|(first, _)| *first > from),
            false => around.rfind(|(first, _)| *first <= from),
        };
        found.map(|(first, last)| Span::Days(first, last))
    }

    /// So many steps from `from`: "last Easter". The one that is near is "this" one.
    pub(super) fn near(self, step: i32, from: Date) -> Option<Span> {
        let (first, last) = match step {
            0 => self.around(from).min_by_key(|(first, _)| (*first - from).get_days().abs())?,
            _ if step < 0 => {
                let mut over = self.around(from).rev().filter(|(_, last)| *last < from);
                over.nth(usize::try_from(-step - 1).ok()?)?
            }
            _ => self.around(from).find(|(first, _)| *first > from)?,
        };
        Some(Span::Days(first, last))
    }
}

const FOR: &str = "for fur pour para per voor";

impl Reader<'_> {
    /// The feast whose name ends before `at`: "Christmas 2024", "Ostern letztes Jahr", "Noël dernier", "at Easter".
    pub(super) fn feast(&self, feast: Feast, at: usize, tongues: Tongues) -> Hit {
        // What somebody gets for Christmas was bought before.
        if self.tense(tongues) == Some(-1) && self.last().is_some_and(|word| is_among(FOR, word)) {
            return None;
        }
        if let Some((year, end)) = self.year_after(at) {
            let (first, last) = feast.in_year(year)?;
            return Some((Span::Days(first, last), end));
        }
        let from = self.from?;
        let step = |meaning| match meaning {
            Meaning::Step(step) if step != 0 => Some(step),
            _ => None,
        };
        if let Some((step, end, _)) = self.next(at, tongues, step) {
            return Some((feast.near(step, from)?, end));
        }
        let span = match self.manner {
            Manner::Tells => feast.near(0, from)?,
            Manner::Asks => feast.beside(from, self.tense(tongues) == Some(1))?,
        };
        Some((span, at))
    }

    /// The year of a name that ends before `at`: "2024", "of 2024", "last year".
    fn year_after(&self, at: usize) -> Option<(i16, usize)> {
        if self.ends_before(at) {
            return None;
        }
        let (at, _) = self.skip_small(at, EVERY);
        if let Some(year) = self.year(at) {
            return Some((year, at + 1));
        }
        match self.point(at, EVERY)? {
            (Span::Days(first, last), end)
                if first == first.first_of_year() && last == first.last_of_year() =>
            {
                Some((first.year(), end))
            }
            _ => None,
        }
    }

    /// The feast that is named by these words alone, if they name one, and the coming one where it may be meant.
    pub(super) fn feast_named(&self, used: usize) -> Option<Option<Span>> {
        let mut places = 0..used;
        let (feast, end, tongues) = places.find_map(|at| self.next(at, EVERY, feast))?;
        let from = self.from.filter(|_| end == used && self.manner == Manner::Asks);
        let may = from.filter(|_| self.tense(tongues).is_none());
        let ahead = may.and_then(|from| Some((from, feast.beside(from, true)?)));
        Some(ahead.and_then(|(from, span)| match span {
            Span::Days(first, _) if (first - from).get_days() <= DUE => Some(span),
            _ => None,
        }))
    }
}

pub(super) fn feast(meaning: Meaning) -> Option<Feast> {
    if let Meaning::Feast(feast) = meaning { Some(feast) } else { None }
}

/// Easter Sunday, by the Gregorian computus in the form of 1876 (Butcher).
fn easter(year: i16) -> Option<Date> {
    let year = i32::from(year);
    let (golden, century, rest) = (year % 19, year / 100, year % 100);
    let moon = (century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 19 * golden + 15)
        .rem_euclid(30);
    let week = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7;
    let late = (golden + 11 * moon + 22 * week) / 451;
    let day = moon + week - 7 * late + 114;
    Date::new(year as i16, (day / 31) as i8, (day % 31 + 1) as i8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn easter_is_where_the_almanacs_have_it() {
        for day in [
            date(1913, 3, 23),
            date(1943, 4, 25),
            date(1961, 4, 2),
            date(1981, 4, 19),
            date(2000, 4, 23),
            date(2008, 3, 23),
            date(2011, 4, 24),
            date(2024, 3, 31),
            date(2025, 4, 20),
            date(2026, 4, 5),
            date(2027, 3, 28),
            date(2038, 4, 25),
        ] {
            assert_eq!(easter(day.year()), Some(day));
        }
    }
}
