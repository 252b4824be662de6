//! Parts of a month or a year: "early March", "the last week of August", "zweite Augusthälfte".

use super::calendar::{Manner, Unit, month_of, settled, weekend, year_of};
use super::senses::{ENGLISH, Meaning, Tongues, starts};
use super::tokens::{Word, day};
use super::tongues::TONGUES;
use super::west::Reader;
use super::{Hit, Span, english};
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// A part of a month or a year.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Early,
    Mid,
    Late,
    /// One of those that are counted, from one; [`LAST`] is the last.
    Nth(i8, Piece),
}

/// What parts are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    Day,
    Week,
    Weekend,
    Half,
}

pub(super) const LAST: i8 = -1;

impl Part {
    /// Its days in a month or a year, and nothing in anything else. A month of no year stays whole where nothing
    /// tells the year.
    pub(super) fn of(self, span: Span, from: Option<Date>, manner: Manner) -> Option<Span> {
        let Some((first, last)) = settled(span, from, manner) else {
            return matches!(span, Span::Yearly { day: None, .. }).then_some(span);
        };
        let third = |early: Date, mid: Date| match self {
            Part::Early => Some((first, early)),
            Part::Mid => Some((early.tomorrow().ok()?, mid)),
            Part::Late => Some((mid.tomorrow().ok()?, last)),
            Part::Nth(..) => None,
        };
        let day = |day: i8| Date::new(first.year(), first.month(), day).ok();
        let month = |month: i8| Some(Date::new(first.year(), month, 1).ok()?.last_of_month());
        let is_month = match () {
            () if first == first.first_of_month() && last == first.last_of_month() => true,
            () if first == first.first_of_year() && last == first.last_of_year() => false,
            () => return None,
        };
        let (start, end) = match (self, is_month) {
            (Part::Nth(nth, Piece::Half), true) => half(nth, first, day(15)?, last)?,
            (Part::Nth(nth, Piece::Half), false) => half(nth, first, month(6)?, last)?,
            (Part::Nth(nth, Piece::Weekend), _) => return nth_weekend(nth, first, last),
            (Part::Nth(nth, Piece::Day), _) => nth_days(nth, 1, first, last)?,
            (Part::Nth(nth, Piece::Week), _) => nth_days(nth, 7, first, last)?,
            (_, true) => third(day(10)?, day(20)?)?,
            (_, false) => third(month(4)?, month(8)?)?,
        };
        Some(Span::Days(start, end))
    }
}

fn half(nth: i8, first: Date, middle: Date, last: Date) -> Option<(Date, Date)> {
    match nth {
        1 => Some((first, middle)),
        2 | LAST => Some((middle.tomorrow().ok()?, last)),
        _ => None,
    }
}

/// So many days in a row, counted from the first or up to the last.
fn nth_days(nth: i8, length: i32, first: Date, last: Date) -> Option<(Date, Date)> {
    let start = match nth {
        LAST => last.checked_sub((length - 1).days()).ok()?,
        _ => first.checked_add((length * (i32::from(nth) - 1)).days()).ok()?,
    };
    Some((start, start.checked_add((length - 1).days()).ok()?))
}

/// The weekend of its first, second … or last Saturday.
fn nth_weekend(nth: i8, first: Date, last: Date) -> Option<Span> {
    let saturday = match nth {
        LAST => last.tomorrow().ok()?.nth_weekday(-1, Weekday::Saturday).ok()?,
        _ => first.yesterday().ok()?.nth_weekday(nth.into(), Weekday::Saturday).ok()?,
    };
    weekend(saturday, 0)
}

/// How German writes a month and what it is counted in as one word.
const JOINED: [(&str, Piece); 3] =
    [("wochenende", Piece::Weekend), ("woche", Piece::Week), ("halfte", Piece::Half)];

/// Whether a word may be a month and what it is counted in, so that a text with it is worth reading.
pub(super) fn may_be_joined(word: &[u8]) -> bool {
    JOINED.iter().any(|(piece, _)| word.ends_with(piece.as_bytes()))
}

/// The month of "Septemberwoche", and what is counted.
fn joined(word: &Word<'_>) -> Option<(i8, Piece)> {
    let month = |name: &str| {
        let of = |meaning| if let Meaning::Month(month) = meaning { Some(month) } else { None };
        let german = |tongues: Tongues| TONGUES[tongues.trailing_zeros() as usize].code == "de";
        let mut senses = starts(name).senses.iter().filter(|sense| german(sense.tongues));
        senses.find_map(|sense| of(sense.meaning)).filter(|_| name.len() > 2)
    };
    JOINED.iter().find_map(|(ending, piece)| Some((month(word.strip_suffix(ending)?)?, *piece)))
}

impl Reader<'_> {
    /// A part that is counted and begins here: "the last week of August", "1. Septemberwoche".
    pub(super) fn counted_part(&self, tongues: Tongues) -> Hit {
        let (nth, at, tongues) = self.ordinal(tongues)?;
        let (month, piece, end) = match self.words.get(at).and_then(joined) {
            Some((month, piece)) => {
                let year = self.year(at + 1);
                let span = match year {
                    Some(year) => month_of(year, month)?,
                    None => Span::Yearly { month, day: None },
                };
                (span, piece, at + 1 + usize::from(year.is_some()))
            }
            None => {
                let (piece, at, tongues) = self.next(at, tongues, piece)?;
                let (span, end) = self.counted_in(at, tongues)?;
                (span, piece, end)
            }
        };
        Some((Part::Nth(nth, piece).of(month, self.seen_from(tongues), self.manner)?, end))
    }

    /// "First", "1st", "1."
    fn ordinal(&self, tongues: Tongues) -> Option<(i8, usize, Tongues)> {
        if self.words[0].is_number() {
            let numbered = self.words[0].len() > 1 || self.gap(1).starts_with('.');
            let number = day(&self.words[0]).filter(|number| (1..=4).contains(number) && numbered);
            return Some((number?, 1, tongues));
        }
        self.next(0, tongues, |meaning| match meaning {
            Meaning::Nth(nth) => Some(nth),
            _ => None,
        })
    }

    /// The month or year whose parts are counted: "of August", "im August 2025", "of last year".
    fn counted_in(&self, start: usize, tongues: Tongues) -> Hit {
        let small = |meaning| {
            matches!(meaning, Meaning::Of | Meaning::Article | Meaning::Within).then_some(())
        };
        let mut at = start + usize::from(self.words.get(start).is_some_and(|word| *word == *"in"));
        while let Some(((), end, _)) = self.next(at, tongues, small).filter(|_| at < start + 3) {
            at = end;
        }
        // "Last week August was ill", but "eerste week september".
        if self.ends_before(at) || at == start && tongues & ENGLISH != 0 {
            return None;
        }
        let year = || Some((year_of(self.year(at)?)?, at + 1));
        let near = || {
            let reader = self.at(self.before() + at)?;
            let step = |meaning| {
                let month_or_year =
                    Meaning::Unit(Unit::Month) == meaning || Meaning::Unit(Unit::Year) == meaning;
                (month_or_year || matches!(meaning, Meaning::Step(_))).then_some(())
            };
            let (span, used) = match ["last", "this", "next"].contains(&&*reader.words[0]) {
                true => english::read(&reader)?,
                false => {
                    reader.next(0, tongues, step)?;
                    reader.by_tables(starts(&reader.words[0]), tongues)?
                }
            };
            Some((span, at + used))
        };
        self.month_alone(at, tongues, true).or_else(year).or_else(near)
    }
}

fn piece(meaning: Meaning) -> Option<Piece> {
    match meaning {
        Meaning::Unit(Unit::Day) => Some(Piece::Day),
        Meaning::Unit(Unit::Week) => Some(Piece::Week),
        Meaning::Weekend => Some(Piece::Weekend),
        Meaning::Half => Some(Piece::Half),
        _ => None,
    }
}
