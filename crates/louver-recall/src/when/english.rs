//! Dates and spans in English.

use super::calendar::{
    self, Unit, day_of, day_of_week, month_near, month_of, nearest, one, season_near, up_to_now,
    weekend, whole, year_number, year_of,
};
use super::feasts::feast;
use super::senses::ENGLISH;
use super::tokens::{Word, day, iso};
use super::tongues::TONGUES;
use super::west::Reader;
use super::{Hit, Span};
use crate::words::is_among;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// Every word that something can begin with; digits aside.
pub(super) fn starts() -> impl Iterator<Item = &'static str> {
    let short = MONTHS.iter().map(|month| &month[..3]).chain(["sept"]);
    let relative = "today todays tonight yesterday yesterdays tomorrow tomorrows last past previous this next a an couple few \
        day week weekend";
    let own = TONGUES.iter().filter(|tongue| tongue.code == "en");
    let numbers = own.flat_map(|tongue| [tongue.numbers, tongue.tens]);
    let words = MONTHS.into_iter().chain(DAYS).chain(BEFORE_YEARS);
    let words = words.chain(numbers.flat_map(str::split_whitespace));
    words.chain(short).chain(relative.split_whitespace())
}

/// Words of which everything has one; digits aside.
pub(super) fn anchors() -> impl Iterator<Item = &'static str> {
    let short = MONTHS.iter().chain(&DAYS).map(|name| &name[..3]).chain(["sept"]);
    let relative = "today todays tonight yesterday yesterdays tomorrow tomorrows day days week weeks month months year years \
        fortnight fortnights night evening weekend summer spring winter fall autumn";
    MONTHS.into_iter().chain(DAYS).chain(short).chain(relative.split_whitespace())
}

/// What begins with this word.
pub(super) fn read(reader: &Reader<'_>) -> Hit {
    absolute(reader).or_else(|| relative(reader, reader.from?))
}

fn absolute(reader: &Reader<'_>) -> Hit {
    let rest = reader.words;
    if let Some(date) = iso(&rest[0]) {
        return Some((Span::Days(date, date), 1));
    }
    day_month(rest).or_else(|| month_day(reader)).or_else(|| year(reader))
}

/// "7 May 2023", "7th of May".
fn day_month(rest: &[Word<'_>]) -> Hit {
    let day = day(&rest[0])?;
    let of = usize::from(rest.get(1).is_some_and(|word| *word == *"of"));
    let named = rest.get(1 + of)?;
    if *named == *"may" && named.written != "May" && is_verb(&rest[1 + of..]) {
        return None;
    }
    let month = month(named)?;
    let year = rest.get(2 + of).and_then(|word| year_number(word));
    Some((day_of(year, month, day)?, 2 + of + usize::from(year.is_some())))
}

/// "May 7th, 2023", "May 2023", "in May".
fn month_day(reader: &Reader<'_>) -> Hit {
    let rest = reader.words;
    let number = month(&rest[0])?;
    if let Some(year) = rest.get(1).and_then(|word| year_number(word)) {
        return Some((month_of(year, number)?, 2));
    }
    if let Some(day) = rest.get(1).and_then(|word| day(word)) {
        let year = rest.get(2).and_then(|word| year_number(word));
        return Some((day_of(year, number, day)?, 2 + usize::from(year.is_some())));
    }
    month_alone(reader, false)
}

/// A month by its name, with its year if that follows. "May" and "march" are words as well, unless what stands
/// before makes them clear.
pub(super) fn month_alone(reader: &Reader<'_>, clear: bool) -> Hit {
    let rest = reader.words;
    let number = month(&rest[0])?;
    if let Some(year) = rest.get(1).and_then(|word| year_number(word)) {
        return Some((month_of(year, number)?, 2));
    }
    let dated = rest.get(1).is_some_and(|word| day(word).is_some());
    let word = ["may", "march", "mar", "sun", "dec", "jan", "sep"].contains(&&*rest[0]);
    let verb = rest[0] == *"may" && is_verb(rest);
    let month = clear && !verb || !word;
    let whole = month && !dated && !is_name(reader);
    whole.then_some((Span::Yearly { month: number, day: None }, 1))
}

/// Months that people are named after.
const GIVEN: [&str; 4] = ["april", "may", "june", "august"];

const TITLES: [&str; 14] = [
    "mr", "mrs", "ms", "miss", "dr", "prof", "herr", "frau", "mme", "mlle", "sr", "sra", "signor",
    "signora",
];

/// Whether a month is the name of a person: "April Okonkwo", "Ms April".
fn is_name(reader: &Reader<'_>) -> bool {
    if !GIVEN.contains(&&*reader.words[0]) || !reader.words[0].is_capital() {
        return false;
    }
    let titled = reader.last().is_some_and(|last| TITLES.contains(&&**last));
    let surname = reader.words.get(1).is_some_and(|next| {
        next.is_capital()
            && reader.gap(1) == " "
            && month(next).is_none()
            && weekday(next).is_none()
    });
    titled || surname
}

/// Whether "may" is the verb: "9 may be enough", "May I".
fn is_verb(rest: &[Word<'_>]) -> bool {
    const AFTER: &str = "i we you he she it they be have not also need want take still get go";
    rest.get(1).is_some_and(|next| is_among(AFTER, next))
}

/// "in 2022", "in May" (which alone could be a verb).
fn year(reader: &Reader<'_>) -> Hit {
    let rest = reader.words;
    if !BEFORE_YEARS.contains(&&*rest[0]) {
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
        // "In April Anna moved" is about the month; "since April Okonkwo left" is not.
        None if !["in", "early", "mid", "late"].contains(&&*rest[0])
            && reader.at(reader.before() + 1).is_some_and(|reader| is_name(&reader)) =>
        {
            None
        }
        None => Some((Span::Yearly { month: number, day: None }, 2)),
    }
}

fn relative(reader: &Reader<'_>, from: Date) -> Hit {
    let rest = reader.words;
    let second = rest.get(1).map(|word| &**word);
    let is = |at: usize, word: &str| rest.get(at).is_some_and(|other| *other == *word);
    match &*rest[0] {
        "today" | "todays" | "tonight" => Some((Span::Days(from, from), 1)),
        "yesterday" | "yesterdays" => Some((one(from.checked_sub(1.day()).ok())?, 1)),
        "tomorrow" | "tomorrows" => Some((one(from.checked_add(1.day()).ok())?, 1)),
        "day" if second == Some("before") && is(2, "yesterday") => {
            Some((whole(Unit::Day, -2, from)?, 3))
        }
        "day" if second == Some("after") && is(2, "tomorrow") => {
            Some((whole(Unit::Day, 2, from)?, 3))
        }
        // "Yesterday and the day before"
        "day" if second == Some("before") && goes_on_with(reader, "yesterday") => {
            Some((whole(Unit::Day, -2, from)?, 2))
        }
        "day" if second == Some("after") && goes_on_with(reader, "tomorrow") => {
            Some((whole(Unit::Day, 2, from)?, 2))
        }
        "last" | "past" | "previous" | "this" | "next" => named(reader, from),
        "week" if second == Some("before") && is(2, "last") => {
            Some((whole(Unit::Week, -2, from)?, 3))
        }
        "weekend" if second == Some("before") && is(2, "last") => Some((weekend(from, -2)?, 3)),
        day if weekday(day).is_some() => {
            let day = weekday(day)?;
            let of_week = week_of(&rest[1..], from)
                .and_then(|(week, used)| Some((day_of_week(week, day)?, 1 + used)));
            let ago = || reader.weekday_ago(day, 1);
            of_week.or_else(ago).or_else(|| reader.weekday_alone(day, 1, ENGLISH))
        }
        "a" | "an" => ago(1, 1, rest, from),
        "couple" if second == Some("of") => ago(2, 2, rest, from),
        "in" => ahead(reader, from),
        "few" => ago(3, 1, rest, from),
        _ => {
            let (count, at, _) = reader.count(0, ENGLISH)?;
            ago(count, at, rest, from).filter(|_| !reader.is_cut(ENGLISH))
        }
    }
}

/// Whether a day goes on with one that was named just before: "tomorrow or the", "yesterday and the".
fn goes_on_with(reader: &Reader<'_>, day: &str) -> bool {
    let before = &reader.all[..reader.before()];
    matches!(before, [.., named, and, the] if *named == *day && is_among("and or", and) && *the == *"the")
}

/// The week after a weekday: "last week", "of last week", "the week before last".
fn week_of(rest: &[Word<'_>], from: Date) -> Hit {
    let small = rest.iter().take(2).take_while(|word| ["of", "the"].contains(&&***word)).count();
    let words: Vec<&str> = rest.iter().skip(small).take(3).map(|word| &**word).collect();
    let (step, used) = match words[..] {
        ["week", "before", "last"] => (-2, 3),
        ["last" | "previous", "week", ..] => (-1, 2),
        ["this", "week", ..] => (0, 2),
        ["next", "week", ..] => (1, 2),
        _ => return None,
    };
    Some((whole(Unit::Week, step, from)?, small + used))
}

/// "3 days ago". What is counted stands at `at`.
fn ago(count: i32, at: usize, rest: &[Word<'_>], from: Date) -> Hit {
    let next = |step: usize| rest.get(at + step).map(|word| &**word);
    if next(1) == Some("from") && matches!(next(2), Some("now" | "today")) {
        return Some((calendar::ago(unit(&rest[at])?, -count, from)?, at + 3));
    }
    if !matches!(next(1), Some("ago" | "back")) {
        return None;
    }
    let span = match &*rest[at] {
        "weekend" | "weekends" => weekend(from, -count)?,
        "fortnight" | "fortnights" => calendar::ago(Unit::Week, count.checked_mul(2)?, from)?,
        named => calendar::ago(unit(named)?, count, from)?,
    };
    Some((span, at + 2))
}

/// "in 3 weeks", "in a week's time", where nothing says that it was: what takes three weeks is said so, too.
fn ahead(reader: &Reader<'_>, from: Date) -> Hit {
    let rest = reader.words;
    let (count, at) = match &**rest.get(1)? {
        "a" | "an" => (1, 2),
        _ => reader.count(1, ENGLISH).map(|(count, at, _)| (count, at))?,
    };
    let named = rest.get(at)?.strip_suffix("'s").unwrap_or(rest.get(at)?);
    let unit = unit(named)?;
    let was =
        reader.tense(ENGLISH) == Some(-1) || rest.get(at + 1).is_some_and(|next| *next == *"ago");
    (!was).then_some((calendar::ago(unit, -count, from)?, at + 1))
}

/// "last Tuesday", "this month", "the past two weeks".
fn named(reader: &Reader<'_>, from: Date) -> Hit {
    let rest = reader.words;
    let step = match &*rest[0] {
        "this" => 0,
        "next" => 1,
        _ => -1,
    };
    let named: &str = rest.get(1)?;
    if let Some(weekday) = weekday(named) {
        return Some((one(nearest(from, weekday, step))?, 2));
    }
    let span = match named {
        "night" | "evening" => Span::Days(from.checked_add(step.min(0).days()).ok()?, from),
        // "Last week" ended on Sunday, "the past week" ends now.
        "week" | "month" | "year" if rest[0] == *"past" => up_to_now(unit(named)?, 1, from)?,
        "week" => {
            let week = whole(Unit::Week, step, from)?;
            let on = usize::from(rest.get(2).is_some_and(|word| *word == *"on"));
            let day = rest.get(2 + on).and_then(|word| weekday(word));
            let of_week = day.and_then(|day| Some((day_of_week(week, day)?, 3 + on)));
            return Some(of_week.unwrap_or((week, 2)));
        }
        "weekend" => weekend(from, step)?,
        "month" => whole(Unit::Month, step, from)?,
        "quarter" => whole(Unit::Quarter, step, from)?,
        "year" => whole(Unit::Year, step, from)?,
        "spring" => season_near(3, step, from)?,
        "summer" => season_near(6, step, from)?,
        "fall" | "autumn" => season_near(9, step, from)?,
        "winter" => season_near(12, step, from)?,
        _ => {
            let month = || Some((month_near(month(named)?, step, from)?, 2));
            let feast = || {
                let (feast, end, _) = reader.next(1, ENGLISH, feast)?;
                Some((feast.near(step, from)?, end))
            };
            return last_few(reader, from).or_else(month).or_else(feast);
        }
    };
    Some((span, 2))
}

/// "the last three months".
fn last_few(reader: &Reader<'_>, from: Date) -> Hit {
    let rest = reader.words;
    if !matches!(&*rest[0], "last" | "past" | "previous") {
        return None;
    }
    let (count, at) = match &*rest[1] {
        "few" => (4, 2),
        _ => reader.count(1, ENGLISH).map(|(count, at, _)| (count, at))?,
    };
    Some((up_to_now(unit(rest.get(at)?)?, count, from)?, at + 1))
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    match word.strip_suffix('s').unwrap_or(word) {
        "day" => Some(Unit::Day),
        "week" => Some(Unit::Week),
        "month" => Some(Unit::Month),
        "quarter" => Some(Unit::Quarter),
        "year" => Some(Unit::Year),
        _ => None,
    }
}

pub(super) fn month(word: &str) -> Option<i8> {
    let whole = MONTHS.iter().position(|month| *month == word);
    let short = || MONTHS.iter().position(|month| word.len() == 3 && month.starts_with(word));
    whole
        .or_else(short)
        .or(if word == "sept" { Some(8) } else { None })
        .map(|place| place as i8 + 1)
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    let place =
        DAYS.iter().position(|day| *day == word || (word.len() == 3 && day.starts_with(word)))?;
    Weekday::from_monday_zero_offset(place as i8).ok()
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

pub(super) const DAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const BEFORE_YEARS: [&str; 10] =
    ["in", "since", "during", "of", "early", "late", "mid", "year", "until", "by"];
