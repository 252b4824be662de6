//! What is said in ten languages, and the days it means.

mod ahead;
mod days;
mod feasts;
mod languages;
mod numbers;
mod parts;
mod spans_east;
mod spans_west;
mod weekdays;

use super::calendar::Unit;
use super::*;
use jiff::civil::date;

/// A Wednesday.
const NOW: Date = date(2023, 5, 10);

fn asked(text: &str, from: Option<Date>) -> Vec<Span> {
    super::asked(text, from).into_iter().map(|named| named.span.plain()).collect()
}

fn seen(text: &str) -> Vec<Span> {
    spans(text, Some(NOW))
}

fn days(from: Date, to: Date) -> Vec<Span> {
    vec![Span::Days(from, to)]
}

/// The tables that every language must pass: what is said, and the days it means.
fn all(cases: &[(&str, Span)]) {
    for (text, span) in cases {
        assert_eq!(seen(text), [*span], "{text}");
    }
}

fn none(texts: &[&str]) {
    for text in texts {
        assert_eq!(seen(text), [], "{text}");
    }
}

const fn day(year: i16, month: i8, day: i8) -> Span {
    Span::Days(date(year, month, day), date(year, month, day))
}

const fn yearly(month: i8, day: i8) -> Span {
    Span::Yearly { month, day: Some(day) }
}

const fn each_year(month: i8) -> Span {
    Span::Yearly { month, day: None }
}

const BEFORE_YESTERDAY: Span = day(2023, 5, 8);
const YESTERDAY: Span = day(2023, 5, 9);
const TODAY: Span = day(2023, 5, 10);
const TOMORROW: Span = day(2023, 5, 11);
const AFTER_TOMORROW: Span = day(2023, 5, 12);
const LAST_TUESDAY: Span = day(2023, 5, 9);
const NEXT_FRIDAY: Span = day(2023, 5, 12);
const TWO_WEEKS_AGO: Span = Span::Days(date(2023, 4, 23), date(2023, 4, 29));
const THREE_DAYS_AGO: Span = day(2023, 5, 7);
const A_YEAR_AGO: Span = Span::Days(date(2021, 11, 11), date(2022, 11, 6));
const LAST_WEEK: Span = Span::Days(date(2023, 5, 1), date(2023, 5, 7));
const LAST_MONTH: Span = Span::Days(date(2023, 4, 1), date(2023, 4, 30));
const THIS_YEAR: Span = Span::Days(date(2023, 1, 1), date(2023, 12, 31));
const NEXT_WEEK: Span = Span::Days(date(2023, 5, 15), date(2023, 5, 21));
const NEXT_MONTH: Span = Span::Days(date(2023, 6, 1), date(2023, 6, 30));
const LAST_YEAR: Span = Span::Days(date(2022, 1, 1), date(2022, 12, 31));
const LAST_THREE_MONTHS: Span = Span::Days(date(2023, 2, 10), date(2023, 5, 10));
const LAST_JUNE: Span = Span::Days(date(2022, 6, 1), date(2022, 6, 30));
const MARCH_2024: Span = Span::Days(date(2024, 3, 1), date(2024, 3, 31));
const IN_2022: Span = LAST_YEAR;

/// What a question means that says this.
fn wanted(cases: &[(&str, Span)]) {
    for (text, span) in cases {
        assert_eq!(asked(text, Some(NOW)), [*span], "{text}");
    }
}

const EARLIEST: Date = date(1900, 1, 1);
const SINCE_3_MAY: Span = Span::Days(date(2023, 5, 3), NOW);
const AFTER_3_MAY: Span = Span::Days(date(2023, 5, 4), NOW);
const BEFORE_3_MAY: Span = Span::Days(EARLIEST, date(2023, 5, 2));
const UNTIL_3_MAY: Span = Span::Days(EARLIEST, date(2023, 5, 3));
const SINCE_MARCH: Span = Span::Days(date(2023, 3, 1), NOW);
const BEFORE_MARCH: Span = Span::Days(EARLIEST, date(2023, 2, 28));
const SINCE_YESTERDAY: Span = Span::Days(date(2023, 5, 9), NOW);
const SINCE_TUESDAY: Span = SINCE_YESTERDAY;
const FROM_5_TO_9_MARCH: Span = Span::Days(date(2023, 3, 5), date(2023, 3, 9));
const FROM_28_MARCH_TO_2_APRIL: Span = Span::Days(date(2023, 3, 28), date(2023, 4, 2));
const MARCH_AND_APRIL: Span = Span::Days(date(2023, 3, 1), date(2023, 4, 30));
const EARLY_MARCH: Span = Span::Days(date(2023, 3, 1), date(2023, 3, 10));
const MID_MARCH: Span = Span::Days(date(2023, 3, 11), date(2023, 3, 20));
const LATE_MARCH: Span = Span::Days(date(2023, 3, 21), date(2023, 3, 31));
const LATE_APRIL: Span = Span::Days(date(2023, 4, 21), date(2023, 4, 30));
const LATE_2022: Span = Span::Days(date(2022, 9, 1), date(2022, 12, 31));
const LAST_WEEKEND: Span = Span::Days(date(2023, 5, 5), date(2023, 5, 7));
const WEEKEND_BEFORE: Span = Span::Days(date(2023, 4, 28), date(2023, 4, 30));
const TUESDAY_OF_LAST_WEEK: Span = day(2023, 5, 2);
const A_WEEK_AGO: Span = Span::Days(date(2023, 4, 30), date(2023, 5, 6));
const TWO_MONTHS_AGO: Span = Span::Days(date(2023, 2, 23), date(2023, 3, 25));
const LAST_SUMMER: Span = Span::Days(date(2022, 6, 1), date(2022, 8, 31));
const LAST_SPRING: Span = Span::Days(date(2022, 3, 1), date(2022, 5, 31));
const LAST_TWO_WEEKS: Span = Span::Days(date(2023, 4, 26), NOW);
const WEEK_BEFORE_LAST: Span = Span::Days(date(2023, 4, 24), date(2023, 4, 30));
