//! Dates and spans in a text: what "last Tuesday" or "in March" means, seen from a given day.
//!
//! The same reader serves questions (seen from now) and notes (seen from when they were written),
//! so that "two days ago" in a note and "on 7 May" in a question meet. What cannot be resolved,
//! such as "two weeks before the move", is skipped: a wrong day is worse than none.

use crate::words::fold;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// Some days in a row, or the same days of every year.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// From one day to another, both included.
    Days(Date, Date),
    /// A month of an unknown year, or one day of it.
    Yearly {
        /// 1 is January.
        month: i8,
        /// The day, where one was named.
        day: Option<i8>,
    },
}

impl Span {
    /// Whether the two can mean the same day.
    pub fn meets(&self, other: &Span) -> bool {
        match (self, other) {
            (Span::Days(from, to), Span::Days(start, end)) => from <= end && start <= to,
            (Span::Days(from, to), Span::Yearly { month, day })
            | (Span::Yearly { month, day }, Span::Days(from, to)) => {
                yearly_in(*month, *day, *from, *to)
            }
            (Span::Yearly { month: a, day: x }, Span::Yearly { month: b, day: y }) => {
                a == b && (x.is_none() || y.is_none() || x == y)
            }
        }
    }

    /// How many days it covers. A month of an unknown year counts as a month.
    pub fn days(&self) -> i32 {
        match self {
            Span::Days(from, to) => (*to - *from).get_days() + 1,
            Span::Yearly { day: Some(_), .. } => 1,
            Span::Yearly { day: None, .. } => 30,
        }
    }
}

fn yearly_in(month: i8, day: Option<i8>, from: Date, to: Date) -> bool {
    (from.year()..=to.year().min(from.year() + 50)).any(|year| {
        let span =
            day.map_or_else(|| month_of(year, month), |day| one(Date::new(year, month, day).ok()));
        matches!(span, Some(Span::Days(start, end)) if from <= end && start <= to)
    })
}

/// Every span a text names, seen from the day `from`. Without a day, only what names a date.
pub fn spans(text: &str, from: Option<Date>) -> Vec<Span> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        let rest = &tokens[place..];
        let hit = absolute(rest, from).or_else(|| from.and_then(|from| relative(rest, from)));
        match hit {
            Some((span, used)) => {
                // "Two weeks before the move" hangs on something else.
                let hangs = tokens
                    .get(place + used)
                    .is_some_and(|next| ["before", "after"].contains(&next.as_str()));
                if !hangs {
                    found.push(span);
                }
                place += used;
            }
            None => place += 1,
        }
    }
    found
}

/// Words and numbers in lower case; `2023-05-07` and `5/7/2023` stay in one.
fn tokens(text: &str) -> Vec<String> {
    let inside = |c: char| c.is_alphanumeric() || c == '-' || c == '/';
    text.split(|c: char| !inside(c))
        .map(|word| word.trim_matches(['-', '/']))
        .filter(|word| !word.is_empty() && word.len() < 32)
        .flat_map(|word| {
            let folded = fold(word);
            if folded.starts_with(|c: char| c.is_ascii_digit()) {
                vec![folded]
            } else {
                folded.split('-').map(str::to_owned).collect()
            }
        })
        .take(4000)
        .collect()
}

type Hit = Option<(Span, usize)>;

fn absolute(rest: &[String], from: Option<Date>) -> Hit {
    let word = rest[0].as_str();
    if let Some(date) = iso(word) {
        return Some((Span::Days(date, date), 1));
    }
    day_month(rest).or_else(|| month_day(rest)).or_else(|| year(rest, from))
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
fn day_month(rest: &[String]) -> Hit {
    let day = day(&rest[0])?;
    let of = usize::from(rest.get(1).is_some_and(|word| word == "of"));
    let month = month(rest.get(1 + of)?)?;
    let used = 2 + of;
    match rest.get(used).and_then(|word| year_number(word)) {
        Some(year) => Some((one(Date::new(year, month, day).ok())?, used + 1)),
        None => Some((Span::Yearly { month, day: Some(day) }, used)),
    }
}

/// "May 7th, 2023", "May 2023", "in May".
fn month_day(rest: &[String]) -> Hit {
    let number = month(&rest[0])?;
    if let Some(year) = rest.get(1).and_then(|word| year_number(word)) {
        return Some((month_of(year, number)?, 2));
    }
    if let Some(day) = rest.get(1).and_then(|word| day(word)) {
        return match rest.get(2).and_then(|word| year_number(word)) {
            Some(year) => Some((one(Date::new(year, number, day).ok())?, 3)),
            None => Some((Span::Yearly { month: number, day: Some(day) }, 2)),
        };
    }
    // "may" and "march" are words as well.
    let clear =
        !matches!(rest[0].as_str(), "may" | "march" | "mar" | "sun" | "dec" | "jan" | "sep");
    clear.then_some((Span::Yearly { month: number, day: None }, 1))
}

/// "in 2022", "in May" (which alone could be a verb).
fn year(rest: &[String], _from: Option<Date>) -> Hit {
    if !matches!(
        rest[0].as_str(),
        "in" | "since" | "during" | "of" | "early" | "late" | "mid" | "year" | "until" | "by"
    ) {
        return None;
    }
    let next = rest.get(1)?;
    if let Some(year) = year_number(next) {
        let span = Span::Days(Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?);
        return Some((span, 2));
    }
    let number = month(next)?;
    match rest.get(2).and_then(|word| year_number(word)) {
        Some(year) => Some((month_of(year, number)?, 3)),
        None if rest.get(2).and_then(|word| day(word)).is_some() => None,
        None => Some((Span::Yearly { month: number, day: None }, 2)),
    }
}

fn relative(rest: &[String], from: Date) -> Hit {
    let second = rest.get(1).map(String::as_str);
    match rest[0].as_str() {
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
fn ago(count: i32, rest: &[String], from: Date) -> Hit {
    if rest.get(2).is_none_or(|word| word != "ago" && word != "back") {
        return None;
    }
    let (middle, slack) = back(rest.get(1)?, count, from)?;
    Some((
        Span::Days(middle.checked_sub(slack.days()).ok()?, middle.checked_add(slack.days()).ok()?),
        3,
    ))
}

/// The day so many units back, and how inexact people are about it.
fn back(unit: &str, count: i32, from: Date) -> Option<(Date, i32)> {
    let unit = unit.strip_suffix('s').unwrap_or(unit);
    let (days, slack) = match unit {
        "day" => (count, if count > 6 { 1 } else { 0 }),
        "week" => (count.checked_mul(7)?, 3),
        "month" => return Some((from.checked_sub(count.months()).ok()?, 15)),
        "year" => return Some((from.checked_sub(count.years()).ok()?, 180)),
        _ => return None,
    };
    Some((from.checked_sub(days.days()).ok()?, slack))
}

/// "last Tuesday", "this month", "the past two weeks".
fn named(rest: &[String], from: Date) -> Hit {
    let step = match rest[0].as_str() {
        "this" => 0,
        "next" => 1,
        _ => -1,
    };
    let unit = rest.get(1)?.as_str();
    if let Some(weekday) = weekday(unit) {
        return Some((one(nearest(from, weekday, step))?, 2));
    }
    let days = match unit {
        "night" | "evening" => (from.checked_add(step.min(0).days()).ok()?, from),
        "week" => week(from, step)?,
        "weekend" => {
            let (monday, sunday) = week(from, step)?;
            (monday.checked_add(4.days()).ok()?, sunday)
        }
        "month" => {
            let first = from.first_of_month().checked_add(step.months()).ok()?;
            (first, first.last_of_month())
        }
        "year" => {
            let year = from.year().checked_add(step as i16)?;
            (Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?)
        }
        "summer" | "spring" | "winter" | "fall" | "autumn" => season(unit, from, step)?,
        _ => return last_few(rest, from).or_else(|| last_month(rest, from, step)),
    };
    Some((Span::Days(days.0, days.1), 2))
}

/// "the last three months".
fn last_few(rest: &[String], from: Date) -> Hit {
    if !matches!(rest[0].as_str(), "last" | "past" | "previous") {
        return None;
    }
    let count = if rest[1] == "few" { 4 } else { number(&rest[1])? };
    let (start, _) = back(rest.get(2)?, count, from)?;
    Some((Span::Days(start, from), 3))
}

/// "last June".
fn last_month(rest: &[String], from: Date, step: i32) -> Hit {
    let month = month(&rest[1])?;
    let mut year = from.year();
    if step < 0 && month >= from.month() {
        year = year.checked_sub(1)?;
    } else if step > 0 && month <= from.month() {
        year = year.checked_add(1)?;
    }
    Some((month_of(year, month)?, 2))
}

/// The Monday and the Sunday of a week.
fn week(from: Date, step: i32) -> Option<(Date, Date)> {
    let monday = from.checked_sub(i32::from(from.weekday().to_monday_zero_offset()).days()).ok()?;
    let monday = monday.checked_add((step * 7).days()).ok()?;
    Some((monday, monday.checked_add(6.days()).ok()?))
}

fn nearest(from: Date, weekday: Weekday, step: i32) -> Option<Date> {
    let ahead = i32::from(weekday.to_monday_zero_offset())
        - i32::from(from.weekday().to_monday_zero_offset());
    let ahead = match step {
        -1 if ahead >= 0 => ahead - 7,
        1 if ahead <= 0 => ahead + 7,
        _ => ahead,
    };
    from.checked_add(ahead.days()).ok()
}

fn season(name: &str, from: Date, step: i32) -> Option<(Date, Date)> {
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
    Some((start, start.checked_add(3.months()).ok()?.checked_sub(1.day()).ok()?))
}

fn month_of(year: i16, month: i8) -> Option<Span> {
    let first = Date::new(year, month, 1).ok()?;
    Some(Span::Days(first, first.last_of_month()))
}

fn one(date: Option<Date>) -> Option<Span> {
    date.map(|date| Span::Days(date, date))
}

fn day(word: &str) -> Option<i8> {
    let bare = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    bare.parse().ok().filter(|day| (1..=31).contains(day))
}

fn year_number(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..=2100).contains(year))
}

fn month(word: &str) -> Option<i8> {
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
    let whole = MONTHS.iter().position(|month| *month == word);
    let short = || MONTHS.iter().position(|month| word.len() == 3 && month.starts_with(word));
    whole
        .or_else(short)
        .or(if word == "sept" { Some(8) } else { None })
        .map(|place| place as i8 + 1)
}

fn weekday(word: &str) -> Option<Weekday> {
    const DAYS: [&str; 7] =
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let place =
        DAYS.iter().position(|day| *day == word || (word.len() == 3 && day.starts_with(word)))?;
    Weekday::from_monday_zero_offset(place as i8).ok()
}

fn number(word: &str) -> Option<i32> {
    const NUMBERS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let named = NUMBERS.iter().position(|name| *name == word).map(|place| place as i32);
    named.or_else(|| word.parse().ok().filter(|count| (0..=1000).contains(count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    /// A Wednesday.
    const NOW: Date = date(2023, 5, 10);

    fn seen(text: &str) -> Vec<Span> {
        spans(text, Some(NOW))
    }

    fn days(from: Date, to: Date) -> Vec<Span> {
        vec![Span::Days(from, to)]
    }

    #[test]
    fn dates_are_read_in_every_usual_form() {
        let seventh = days(date(2023, 5, 7), date(2023, 5, 7));
        for text in [
            "on 7 May 2023",
            "on 7th of May, 2023",
            "May 7th, 2023?",
            "at 2023-05-07",
            "2023/05/07",
        ] {
            assert_eq!(seen(text), seventh, "{text}");
        }
        assert_eq!(seen("in March 2022"), days(date(2022, 3, 1), date(2022, 3, 31)));
        assert_eq!(seen("in 2022"), days(date(2022, 1, 1), date(2022, 12, 31)));
    }

    #[test]
    fn days_are_counted_from_now() {
        assert_eq!(seen("yesterday"), days(date(2023, 5, 9), date(2023, 5, 9)));
        assert_eq!(seen("3 days ago"), days(date(2023, 5, 7), date(2023, 5, 7)));
        assert_eq!(seen("last Tuesday"), days(date(2023, 5, 9), date(2023, 5, 9)));
        assert_eq!(seen("last Wednesday"), days(date(2023, 5, 3), date(2023, 5, 3)));
        assert_eq!(seen("next Friday"), days(date(2023, 5, 12), date(2023, 5, 12)));
        assert_eq!(seen("last week"), days(date(2023, 5, 1), date(2023, 5, 7)));
        assert_eq!(seen("last month"), days(date(2023, 4, 1), date(2023, 4, 30)));
        assert_eq!(seen("in the past two weeks"), days(date(2023, 4, 26), date(2023, 5, 10)));
        assert_eq!(seen("two weeks ago"), days(date(2023, 4, 23), date(2023, 4, 29)));
        assert_eq!(seen("last June"), days(date(2022, 6, 1), date(2022, 6, 30)));
    }

    #[test]
    fn a_month_without_a_year_is_that_of_every_year() {
        assert_eq!(seen("in March"), [Span::Yearly { month: 3, day: None }]);
        assert!(seen("in March")[0].meets(&Span::Days(date(2021, 3, 5), date(2021, 3, 5))));
        assert!(!seen("in March")[0].meets(&Span::Days(date(2021, 4, 5), date(2021, 4, 5))));
        assert!(seen("in March")[0].meets(&Span::Days(date(2020, 1, 1), date(2020, 12, 31))));
    }

    #[test]
    fn what_cannot_be_resolved_is_skipped() {
        assert!(seen("two weeks before the move").is_empty());
        assert!(seen("3 days ago before lunch").is_empty());
        assert!(seen("I may march there, last but not least").is_empty());
        assert!(spans("yesterday", None).is_empty());
        assert!(seen("99999999999999999999 days ago").is_empty());
    }
}
