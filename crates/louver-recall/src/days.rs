//! Days as words: a note is found by the day it is of, and by those it names.
//!
//! What was said on the day that is asked about need not say or mean anything that is asked. So each note is
//! listed under its days as it is under its words, by a word that no text has.

use crate::when::Span;
use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

/// A note that names more days in a row than this is not looked for under each.
const NAMED: i32 = 2;
/// No more days are listed for one note.
const MOST_NAMED: usize = 4;
/// Who asks for more days than a quarter has asks for something else as well.
pub(crate) const ASKED: i32 = 92;
/// So many years back the days are looked for that are of no year.
const YEARS: i16 = 3;

/// The word a day is listed under.
pub fn word(day: Date) -> String {
    format!("@{day}")
}

/// The days a note is listed under.
pub(crate) fn of_note(at: Option<DateTime>, spans: &[Span]) -> Vec<Date> {
    let named = spans.iter().filter(|span| span.days() <= NAMED).filter_map(|span| match span {
        Span::Days(from, to) => Some([*from, *to]),
        Span::About(..) | Span::Yearly { .. } => None,
    });
    let mut days: Vec<Date> = Vec::with_capacity(MOST_NAMED + 1);
    for day in named.flatten() {
        if days.len() < MOST_NAMED && !days.contains(&day) {
            days.push(day);
        }
    }
    days.extend(at.map(DateTime::date));
    days.sort_unstable();
    days.dedup();
    days
}

/// The days that a question asks for, the last first.
pub fn asked(spans: &[Span], now: Option<DateTime>) -> Vec<Date> {
    let mut days: Vec<Date> = Vec::new();
    for span in spans.iter().filter(|span| span.days() <= ASKED) {
        match span.plain() {
            Span::Days(from, to) => days.extend(from.series(1.day()).take_while(|day| *day <= to)),
            Span::About(..) => (),
            Span::Yearly { month, day } => {
                let Some(now) = now else { continue };
                let years = (0..=YEARS).filter_map(|back| now.year().checked_sub(back));
                for first in years.filter_map(|year| Date::new(year, month, day.unwrap_or(1)).ok())
                {
                    let last = if day.is_some() { first } else { first.last_of_month() };
                    days.extend(first.series(1.day()).take_while(|day| *day <= last));
                }
            }
        }
    }
    days.sort_unstable_by(|one, other| other.cmp(one));
    days.dedup();
    days
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_note_is_listed_under_the_first_four_days_it_names() {
        let day = |day: i8| date(2024, 3, day);
        let spans = [1, 2, 2, 3, 4, 5].map(|at| Span::Days(day(at), day(at)));
        assert_eq!(of_note(Some(day(9).at(1, 0, 0, 0)), &spans), [1, 2, 3, 4, 9].map(day));
        let two = [Span::Days(day(1), day(2)), Span::Days(day(2), day(3))];
        assert_eq!(of_note(None, &two), [1, 2, 3].map(day));
    }

    #[test]
    fn days_are_listed_and_asked_for() {
        let (day, other) = (date(2024, 3, 5), date(2024, 3, 1));
        let spans = [Span::Days(other, other), Span::Days(other, date(2024, 3, 31))];
        assert_eq!(of_note(Some(day.at(1, 0, 0, 0)), &spans), [other, day]);
        assert_eq!(asked(&spans[..1], None), [other]);
        assert_eq!(asked(&spans, None).len(), 31);
        let year = Span::Days(date(2024, 1, 1), date(2024, 12, 31));
        assert!(asked(&[year], None).is_empty());
        let yearly = Span::Yearly { month: 2, day: Some(29) };
        assert_eq!(asked(&[yearly], Some(day.at(1, 0, 0, 0))), [date(2024, 2, 29)]);
    }
}
