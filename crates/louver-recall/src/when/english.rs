//! Dates and spans in English.

use super::{
    Hit, Span, Unit, Word, back, day_of, month_near, month_of, nearest, one, week, whole,
    year_number, year_of,
};
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// Every word that something can begin with; digits aside.
pub(super) fn starts() -> impl Iterator<Item = &'static str> {
    let short = MONTHS.iter().map(|month| &month[..3]).chain(["sept"]);
    let relative = "today tonight yesterday tomorrow last past previous this next a an couple few";
    let words = MONTHS.into_iter().chain(NUMBERS).chain(BEFORE_YEARS);
    words.chain(short).chain(relative.split(' '))
}

/// Words of which everything has one; digits aside.
pub(super) fn anchors() -> impl Iterator<Item = &'static str> {
    let short = MONTHS.iter().chain(&DAYS).map(|name| &name[..3]).chain(["sept"]);
    let relative = "today tonight yesterday tomorrow day days week weeks month months year years \
        night evening weekend summer spring winter fall autumn";
    MONTHS.into_iter().chain(DAYS).chain(short).chain(relative.split_whitespace())
}

/// What begins with the first of these words.
pub(super) fn read(rest: &[Word<'_>], from: Option<Date>) -> Hit {
    absolute(rest).or_else(|| from.and_then(|from| relative(rest, from)))
}

fn absolute(rest: &[Word<'_>]) -> Hit {
    if let Some(date) = iso(&rest[0]) {
        return Some((Span::Days(date, date), 1));
    }
    day_month(rest).or_else(|| month_day(rest)).or_else(|| year(rest))
}

fn iso(word: &str) -> Option<Date> {
    let mut parts = word.split(['-', '/']);
    let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || a.len() != 4 {
        return None;
    }
    Date::new(a.parse().ok()?, b.parse().ok()?, c.parse().ok()?).ok()
}

/// "7 May 2023", "7th of May".
fn day_month(rest: &[Word<'_>]) -> Hit {
    let day = day(&rest[0])?;
    let of = usize::from(rest.get(1).is_some_and(|word| word == "of"));
    let month = month(rest.get(1 + of)?)?;
    let year = rest.get(2 + of).and_then(|word| year_number(word));
    Some((day_of(year, month, day)?, 2 + of + usize::from(year.is_some())))
}

/// "May 7th, 2023", "May 2023", "in May".
fn month_day(rest: &[Word<'_>]) -> Hit {
    let number = month(&rest[0])?;
    if let Some(year) = rest.get(1).and_then(|word| year_number(word)) {
        return Some((month_of(year, number)?, 2));
    }
    if let Some(day) = rest.get(1).and_then(|word| day(word)) {
        let year = rest.get(2).and_then(|word| year_number(word));
        return Some((day_of(year, number, day)?, 2 + usize::from(year.is_some())));
    }
    // "may" and "march" are words as well.
    let clear =
        !matches!(rest[0].as_ref(), "may" | "march" | "mar" | "sun" | "dec" | "jan" | "sep");
    clear.then_some((Span::Yearly { month: number, day: None }, 1))
}

/// "in 2022", "in May" (which alone could be a verb).
fn year(rest: &[Word<'_>]) -> Hit {
    if !BEFORE_YEARS.contains(&rest[0].as_ref()) {
        return None;
    }
    let next = rest.get(1)?;
    if let Some(year) = year_number(next) {
        return Some((year_of(year)?, 2));
    }
    let number = month(next)?;
    match rest.get(2).and_then(|word| year_number(word)) {
        Some(year) => Some((month_of(year, number)?, 3)),
        None if rest.get(2).and_then(|word| day(word)).is_some() => None,
        None => Some((Span::Yearly { month: number, day: None }, 2)),
    }
}

fn relative(rest: &[Word<'_>], from: Date) -> Hit {
    let second = rest.get(1).map(AsRef::as_ref);
    match rest[0].as_ref() {
        "today" | "tonight" => Some((Span::Days(from, from), 1)),
        "yesterday" => Some((one(from.checked_sub(1.day()).ok())?, 1)),
        "tomorrow" => Some((one(from.checked_add(1.day()).ok())?, 1)),
        "last" | "past" | "previous" | "this" | "next" => named(rest, from),
        "a" | "an" => ago(1, rest, from),
        "couple" if second == Some("of") => {
            ago(2, &rest[1..], from).map(|(span, used)| (span, used + 1))
        }
        "few" => ago(3, rest, from),
        word => ago(number(word)?, rest, from),
    }
}

/// "3 days ago".
fn ago(count: i32, rest: &[Word<'_>], from: Date) -> Hit {
    if rest.get(2).is_none_or(|word| word != "ago" && word != "back") {
        return None;
    }
    Some((super::ago(unit(rest.get(1)?)?, count, from)?, 3))
}

/// "last Tuesday", "this month", "the past two weeks".
fn named(rest: &[Word<'_>], from: Date) -> Hit {
    let step = match rest[0].as_ref() {
        "this" => 0,
        "next" => 1,
        _ => -1,
    };
    let named = rest.get(1)?.as_ref();
    if let Some(weekday) = weekday(named) {
        return Some((one(nearest(from, weekday, step))?, 2));
    }
    let span = match named {
        "night" | "evening" => Span::Days(from.checked_add(step.min(0).days()).ok()?, from),
        "week" => whole(Unit::Week, step, from)?,
        "weekend" => {
            let (monday, sunday) = week(from, step)?;
            Span::Days(monday.checked_add(4.days()).ok()?, sunday)
        }
        "month" => whole(Unit::Month, step, from)?,
        "year" => whole(Unit::Year, step, from)?,
        "summer" | "spring" | "winter" | "fall" | "autumn" => season(named, from, step)?,
        _ => {
            let month = || month_near(month(named)?, step, from);
            return last_few(rest, from).or_else(|| Some((month()?, 2)));
        }
    };
    Some((span, 2))
}

/// "the last three months".
fn last_few(rest: &[Word<'_>], from: Date) -> Hit {
    if !matches!(rest[0].as_ref(), "last" | "past" | "previous") {
        return None;
    }
    let count = if rest[1] == "few" { 4 } else { number(&rest[1])? };
    let (start, _) = back(unit(rest.get(2)?)?, count, from)?;
    Some((Span::Days(start, from), 3))
}

fn season(name: &str, from: Date, step: i32) -> Option<Span> {
    let first = match name {
        "spring" => 3,
        "summer" => 6,
        "winter" => 12,
        _ => 9,
    };
    let over = from.month() > first + 2;
    let year =
        from.year() + if step < 0 && !over { -1 } else { 0 } + if step > 0 && over { 1 } else { 0 };
    let start = Date::new(year, first, 1).ok()?;
    Some(Span::Days(start, start.checked_add(3.months()).ok()?.checked_sub(1.day()).ok()?))
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    match word.strip_suffix('s').unwrap_or(word) {
        "day" => Some(Unit::Day),
        "week" => Some(Unit::Week),
        "month" => Some(Unit::Month),
        "year" => Some(Unit::Year),
        _ => None,
    }
}

fn day(word: &str) -> Option<i8> {
    let bare = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    bare.parse().ok().filter(|day| (1..=31).contains(day))
}

fn month(word: &str) -> Option<i8> {
    let whole = MONTHS.iter().position(|month| *month == word);
    let short = || MONTHS.iter().position(|month| word.len() == 3 && month.starts_with(word));
    whole
        .or_else(short)
        .or(if word == "sept" { Some(8) } else { None })
        .map(|place| place as i8 + 1)
}

fn weekday(word: &str) -> Option<Weekday> {
    let place =
        DAYS.iter().position(|day| *day == word || (word.len() == 3 && day.starts_with(word)))?;
    Weekday::from_monday_zero_offset(place as i8).ok()
}

pub(super) fn number(word: &str) -> Option<i32> {
    let named = NUMBERS.iter().position(|name| *name == word).map(|place| place as i32);
    named.or_else(|| word.parse().ok().filter(|count| (0..=1000).contains(count)))
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

const DAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const BEFORE_YEARS: [&str; 10] =
    ["in", "since", "during", "of", "early", "late", "mid", "year", "until", "by"];
