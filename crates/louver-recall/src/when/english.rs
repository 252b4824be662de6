//! Dates and spans in English.

use super::calendar::{
    self, Unit, back, day_of, month_near, month_of, nearest, one, week, whole, year_number, year_of,
};
use super::{Hit, Span, Word};
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// Every word that something can begin with; digits aside.
pub(super) fn starts() -> impl Iterator<Item = &'static str> {
    let short = MONTHS.iter().map(|month| &month[..3]).chain(["sept"]);
    let relative = "today tonight yesterday tomorrow last past previous this next a an couple few \
        between after beginning start middle end week weekend";
    let words = MONTHS.into_iter().chain(DAYS).chain(NUMBERS).chain(BEFORE_YEARS);
    words.chain(short).chain(relative.split_whitespace())
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
    let wide = from.and_then(|from| between(rest, from).or_else(|| part_of_month(rest, from)));
    let clear = wide.or_else(|| absolute(rest));
    clear.or_else(|| from.and_then(|from| relative(rest, from)))
}

/// "between 5 and 9 March", "after 15 March", which is up to now.
fn between(rest: &[Word<'_>], from: Date) -> Hit {
    let dated = |rest: &[Word<'_>]| {
        let (span, used) =
            rest.first().and_then(|_| day_month(rest).or_else(|| month_day(rest)))?;
        Some((last(span, from)?, used))
    };
    match rest[0].as_ref() {
        "after" | "since" => {
            let (Span::Days(day, end), used) = dated(&rest[1..])? else { return None };
            let first = if rest[0] == "since" { day } else { end.checked_add(1.day()).ok()? };
            (first <= from).then_some((Span::Days(first, from), used + 1))
        }
        "between" => {
            let and = rest.iter().take(5).position(|word| word == "and")?;
            let (Span::Days(_, end), used) = dated(&rest[and + 1..])? else { return None };
            let start = match dated(&rest[1..and]) {
                Some((Span::Days(start, _), _)) => start,
                // "Between 5 and 9 March": the month is said once.
                _ => Date::new(end.year(), end.month(), day(rest.get(1)?)?).ok()?,
            };
            (start <= end).then_some((Span::Days(start, end), and + 1 + used))
        }
        _ => None,
    }
}

/// "early March", "the end of January 2022".
fn part_of_month(rest: &[Word<'_>], from: Date) -> Hit {
    let of = usize::from(rest.get(1).is_some_and(|word| word == "of"));
    let (first, end) = match rest[0].as_ref() {
        "early" | "beginning" | "start" => (1, 10),
        "mid" | "middle" => (11, 20),
        "late" | "end" => (21, 31),
        _ => return None,
    };
    let month = month(rest.get(1 + of)?)?;
    let year = rest.get(2 + of).and_then(|word| year_number(word));
    let span = match year {
        Some(year) => month_of(year, month)?,
        None => last(Span::Yearly { month, day: None }, from)?,
    };
    let Span::Days(start, over) = span else { return None };
    let day = |day: i8| Date::new(start.year(), month, day).unwrap_or(over);
    Some((Span::Days(day(first), day(end)), 2 + of + usize::from(year.is_some())))
}

/// The last days of that kind up to a day.
fn last(span: Span, from: Date) -> Option<Span> {
    let Span::Yearly { month, day } = span else { return Some(span) };
    let of = |year: i16| match day {
        Some(day) => day_of(Some(year), month, day),
        None => month_of(year, month),
    };
    match of(from.year())? {
        Span::Days(start, _) if start > from => of(from.year().checked_sub(1)?),
        this => Some(this),
    }
}

fn absolute(rest: &[Word<'_>]) -> Hit {
    if let Some(date) = iso(&rest[0]) {
        return Some((Span::Days(date, date), 1));
    }
    day_month(rest).or_else(|| month_day(rest)).or_else(|| year(rest))
}

pub(super) fn iso(word: &str) -> Option<Date> {
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
        "week" | "weekend" if second == Some("before") && rest.get(2)? == "last" => {
            let (monday, sunday) = week(from, -2)?;
            let friday = monday.checked_add(4.days()).ok()?;
            Some((Span::Days(if rest[0] == "week" { monday } else { friday }, sunday), 3))
        }
        day if weekday(day).is_some() => {
            let step = match second? {
                "last" | "previous" => -1,
                "this" => 0,
                "next" => 1,
                _ => return None,
            };
            let (monday, _) =
                week(from, step).filter(|_| rest.get(2).is_some_and(|w| w == "week"))?;
            let days = weekday(day)?.to_monday_zero_offset();
            Some((one(monday.checked_add(i32::from(days).days()).ok())?, 3))
        }
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
    Some((calendar::ago(unit(rest.get(1)?)?, count, from)?, 3))
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

pub(super) fn month(word: &str) -> Option<i8> {
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
