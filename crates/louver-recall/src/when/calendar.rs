//! The days that words for time come to, seen from a day.

use super::Span;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// What people count time in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
}

/// So many units ago, as exactly as people mean it.
pub(super) fn ago(unit: Unit, count: i32, from: Date) -> Option<Span> {
    let (middle, slack) = back(unit, count, from)?;
    let (start, end) = (middle.checked_sub(slack.days()), middle.checked_add(slack.days()));
    Some(Span::Days(start.ok()?, end.ok()?))
}

/// The day so many units back, and how inexact people are about it.
pub(super) fn back(unit: Unit, count: i32, from: Date) -> Option<(Date, i32)> {
    let (days, slack) = match unit {
        Unit::Day => (count, if count.abs() > 6 { 1 } else { 0 }),
        Unit::Week => (count.checked_mul(7)?, 3),
        Unit::Month => return Some((from.checked_sub(count.months()).ok()?, 15)),
        Unit::Year => return Some((from.checked_sub(count.years()).ok()?, 180)),
    };
    Some((from.checked_sub(days.days()).ok()?, slack))
}

/// The day, week, month or year so many steps from that of `from`.
pub(super) fn whole(unit: Unit, step: i32, from: Date) -> Option<Span> {
    let (start, end) = match unit {
        Unit::Day => {
            let day = from.checked_add(step.days()).ok()?;
            (day, day)
        }
        Unit::Week => week(from, step)?,
        Unit::Month => {
            let first = from.first_of_month().checked_add(step.months()).ok()?;
            (first, first.last_of_month())
        }
        Unit::Year => return year_of(from.year().checked_add(step as i16)?),
    };
    Some(Span::Days(start, end))
}

/// The month of that name so many steps from `from`: "last June".
pub(super) fn month_near(month: i8, step: i32, from: Date) -> Option<Span> {
    let mut year = from.year();
    if step < 0 && month >= from.month() {
        year = year.checked_sub(1)?;
    } else if step > 0 && month <= from.month() {
        year = year.checked_add(1)?;
    }
    month_of(year, month)
}

/// The Monday and the Sunday of a week.
pub(super) fn week(from: Date, step: i32) -> Option<(Date, Date)> {
    let monday = from.checked_sub(i32::from(from.weekday().to_monday_zero_offset()).days()).ok()?;
    let monday = monday.checked_add((step * 7).days()).ok()?;
    Some((monday, monday.checked_add(6.days()).ok()?))
}

pub(super) fn nearest(from: Date, weekday: Weekday, step: i32) -> Option<Date> {
    let ahead = i32::from(weekday.to_monday_zero_offset())
        - i32::from(from.weekday().to_monday_zero_offset());
    let ahead = match step {
        -1 if ahead >= 0 => ahead - 7,
        1 if ahead <= 0 => ahead + 7,
        _ => ahead,
    };
    from.checked_add(ahead.days()).ok()
}

/// A day of a month, of this year or of every one.
pub(super) fn day_of(year: Option<i16>, month: i8, day: i8) -> Option<Span> {
    match year {
        Some(year) => one(Date::new(year, month, day).ok()),
        None => Some(Span::Yearly { month, day: Some(day) }),
    }
}

pub(super) fn month_of(year: i16, month: i8) -> Option<Span> {
    let first = Date::new(year, month, 1).ok()?;
    Some(Span::Days(first, first.last_of_month()))
}

pub(super) fn year_of(year: i16) -> Option<Span> {
    Some(Span::Days(Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?))
}

pub(super) fn one(date: Option<Date>) -> Option<Span> {
    date.map(|date| Span::Days(date, date))
}

pub(super) fn year_number(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..=2100).contains(year))
}
