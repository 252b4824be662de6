//! The days that words for time come to, seen from a day.

use super::Span;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday, date};

/// What people count time in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
    Quarter,
}

/// How a text speaks of days. A note names them, a question asks for what was between them: "since 3 May" is
/// in a note the third of May, and in a question every day from then on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    Tells,
    Asks,
}

/// On which side of a day something was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    After,
    Since,
    Before,
    Until,
}

/// What is before a day begins here. No earlier year is read either.
const EARLIEST: Date = date(1900, 1, 1);

/// Who asks for what is before a day this near is told of that day: it is when something is due.
pub(super) const DUE: i32 = 62;

/// So many units ago, as exactly as people mean it. Who counts days or weeks means that day rather than those
/// beside it.
pub(super) fn ago(unit: Unit, count: i32, from: Date) -> Option<Span> {
    let (middle, slack) = back(unit, count, from)?;
    let about = Span::About(middle, slack);
    let exact = slack > 0 && matches!(unit, Unit::Day | Unit::Week);
    Some(if exact { about } else { about.plain() })
}

/// The week in which it was so many weeks ago.
pub(super) fn week_of(span: Span) -> Option<Span> {
    match span {
        Span::About(day, WEEKS) => whole(Unit::Week, 0, day),
        _ => None,
    }
}

/// How inexact people are who count weeks.
const WEEKS: i32 = 3;

/// The day so many units back, and how inexact people are about it.
pub(super) fn back(unit: Unit, count: i32, from: Date) -> Option<(Date, i32)> {
    let (days, slack) = match unit {
        Unit::Day => (count, if count.abs() > 6 { 1 } else { 0 }),
        Unit::Week => (count.checked_mul(7)?, WEEKS),
        Unit::Month => return Some((from.checked_sub(count.months()).ok()?, 15)),
        Unit::Quarter => {
            return Some((from.checked_sub(count.checked_mul(3)?.months()).ok()?, 45));
        }
        Unit::Year => return Some((from.checked_sub(count.years()).ok()?, 180)),
    };
    Some((from.checked_sub(days.days()).ok()?, slack))
}

/// From so many units ago up to now.
pub(super) fn up_to_now(unit: Unit, count: i32, from: Date) -> Option<Span> {
    Some(Span::Days(back(unit, count, from)?.0, from))
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
        Unit::Quarter => {
            let first = Date::new(from.year(), (from.month() - 1) / 3 * 3 + 1, 1).ok()?;
            let first = first.checked_add(step.checked_mul(3)?.months()).ok()?;
            return season_of(first.year(), first.month());
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
    month_of(year.checked_add(beyond(step) as i16)?, month)
}

/// The season that begins in a month, so many steps from `from`: "last summer".
pub(super) fn season_near(first: i8, step: i32, from: Date) -> Option<Span> {
    // A winter goes on in the year after that in which it began.
    let goes_on = from.month() < first - 9;
    let year = if goes_on { from.year().checked_sub(1)? } else { from.year() };
    let begun = goes_on || from.month() >= first;
    let over = from.month() > first + 2;
    let near = match step {
        _ if step < 0 && !over => -1,
        _ if step > 0 && begun => 1,
        _ => 0,
    };
    season_of(year.checked_add(near + beyond(step) as i16)?, first)
}

/// The season or quarter of a year that begins in this month.
pub(super) fn season_of(year: i16, first: i8) -> Option<Span> {
    let start = Date::new(year, first, 1).ok()?;
    Some(Span::Days(start, start.checked_add(3.months()).ok()?.checked_sub(1.day()).ok()?))
}

/// How many steps there are beyond the last or the next.
fn beyond(step: i32) -> i32 {
    step - step.signum()
}

/// The Monday and the Sunday of a week.
pub(super) fn week(from: Date, step: i32) -> Option<(Date, Date)> {
    let monday = from.checked_sub(i32::from(from.weekday().to_monday_zero_offset()).days()).ok()?;
    let monday = monday.checked_add((step * 7).days()).ok()?;
    Some((monday, monday.checked_add(6.days()).ok()?))
}

/// From Friday, since that is when many set out.
pub(super) fn weekend(from: Date, step: i32) -> Option<Span> {
    let (monday, sunday) = week(from, step)?;
    Some(Span::Days(monday.checked_add(4.days()).ok()?, sunday))
}

/// The one that "the weekend" means when asked about: the last that has begun.
pub(super) fn the_weekend(from: Date) -> Option<Span> {
    let begun = from.weekday().to_monday_zero_offset() >= 5;
    weekend(from, if begun { 0 } else { -1 })
}

/// The weekend that has a day, or is nearest to it.
pub(super) fn weekend_about(day: Date) -> Option<Span> {
    weekend(day, if day.weekday() == Weekday::Monday { -1 } else { 0 })
}

/// A day of a week.
pub(super) fn day_of_week(week: Span, weekday: Weekday) -> Option<Span> {
    let Span::Days(monday, _) = week else { return None };
    one(nearest(monday, weekday, 0))
}

pub(super) fn nearest(from: Date, weekday: Weekday, step: i32) -> Option<Date> {
    let ahead = i32::from(weekday.to_monday_zero_offset())
        - i32::from(from.weekday().to_monday_zero_offset());
    let ahead = match step {
        _ if step < 0 && ahead >= 0 => ahead - 7,
        _ if step > 0 && ahead <= 0 => ahead + 7,
        _ => ahead,
    };
    from.checked_add((ahead + 7 * beyond(step)).days()).ok()
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

/// The last day of this number up to a day: "on the 12th".
pub(super) fn day_before(day: i8, from: Date) -> Option<Span> {
    let months =
        (0..3).filter_map(|back: i32| from.first_of_month().checked_sub(back.months()).ok());
    let mut days = months.filter_map(|first| Date::new(first.year(), first.month(), day).ok());
    one(days.find(|day| *day <= from))
}

/// What is on one side of some days, seen from `from`. What is after them goes up to now.
pub(super) fn beside(span: Span, side: Side, from: Date) -> Option<Span> {
    let (first, last) = settled(span, Some(from), Manner::Asks)?;
    let (start, end) = match side {
        Side::After => (last.checked_add(1.day()).ok()?, from),
        Side::Since => (first, from),
        Side::Before | Side::Until if is_due(span, first, from) => return None,
        Side::Before => (EARLIEST, first.checked_sub(1.day()).ok()?),
        Side::Until => (EARLIEST, last),
    };
    (start <= end).then_some(Span::Days(start, end))
}

fn is_due(span: Span, first: Date, from: Date) -> bool {
    let next = match span {
        Span::Days(..) | Span::About(..) => first,
        Span::Yearly { .. } => first.checked_add(1.year()).unwrap_or(first),
    };
    next > from && (next - from).get_days() <= DUE
}

/// The first and the last day of a span. What is of no year is of the last one when asked about, and of the
/// nearest when told: who writes of "5 to 9 August" in May has it before them.
pub(super) fn settled(span: Span, from: Option<Date>, manner: Manner) -> Option<(Date, Date)> {
    let (month, day) = match span {
        Span::Days(first, last) => return Some((first, last)),
        Span::About(..) => return settled(span.plain(), from, manner),
        Span::Yearly { month, day } => (month, day),
    };
    let from = from?;
    let near = [from.year().checked_sub(1)?, from.year(), from.year().checked_add(1)?];
    let spans = near.into_iter().filter_map(|year| match in_year(year, month, day) {
        Some(Span::Days(first, last)) => Some((first, last)),
        _ => None,
    });
    match manner {
        Manner::Asks => spans.rev().find(|(first, _)| *first <= from),
        Manner::Tells => spans.min_by_key(|(first, _)| (*first - from).get_days().abs()),
    }
}

/// A month or a day of it in this year.
pub(super) fn in_year(year: i16, month: i8, day: Option<i8>) -> Option<Span> {
    day.map_or_else(|| month_of(year, month), |day| day_of(Some(year), month, day))
}

/// The days from one to another. What one of them leaves unsaid is as with the other.
pub(super) fn between(left: Span, right: Span, from: Option<Date>, manner: Manner) -> Option<Span> {
    let near = |span: Span, year: i16| match span {
        Span::Days(..) | Span::About(..) => Some(span.plain()),
        Span::Yearly { month, day } => in_year(year, month, day),
    };
    let joined = |before: i16, after: i16| match (near(left, before)?, near(right, after)?) {
        (Span::Days(start, _), Span::Days(_, end)) if start <= end => Some(Span::Days(start, end)),
        _ => None,
    };
    // "28 December to 3 January": the year that is said is that of the day it is said with.
    if let (Span::Days(first, _), Span::Yearly { .. }) = (left, right) {
        let year = first.year();
        return joined(year, year).or_else(|| joined(year, year.checked_add(1)?));
    }
    let year = settled(right, from, manner)?.1.year();
    joined(year, year).or_else(|| joined(year.checked_sub(1)?, year))
}
