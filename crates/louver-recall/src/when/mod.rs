//! Dates and spans in a text: what "last Tuesday" or "in March" means, seen from a given day.
//!
//! The same reader serves questions (seen from now) and notes (seen from when they were written),
//! so that "two days ago" in a note and "on 7 May" in a question meet. "Two weeks before the move" hangs
//! on when that was: a question that says so is asked about the move first ([`hanging`]). What cannot be
//! resolved is skipped: a wrong day is worse than none.
//!
//! ```text
//! text ──▶ words ──▶ english, west (six languages, by a table each)
//!      ──▶ letters ──▶ east (Chinese, Japanese, Korean)
//! ```
//!
//! It runs over every note, so a look at the letters tells first whether any word is there that
//! every date has one of; and most words cannot begin a date, which one look-up says.

mod calendar;
mod east;
mod english;
mod hanging;
mod tongues;
mod west;

pub use hanging::{Hanging, hanging};

use self::calendar::{month_of, one, year_number};
use self::tongues::{TONGUES, Tongue};

use crate::words::{fold, runs_together};
use jiff::civil::Date;
use std::borrow::Cow;

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
    let mut found = Vec::new();
    if !text.is_ascii() && text.chars().any(runs_together) {
        east::spans(text, from, &mut found);
    }
    if !west::worth_reading(text) {
        return found;
    }
    let tokens = tokens(text);
    let mut place = 0;
    while place < tokens.len() {
        let Some(hit) = hit(text, &tokens, place, from) else {
            place += 1;
            continue;
        };
        let (span, used) = hit;
        // "Two weeks before the move" hangs on something else.
        let next = tokens.get(place + used);
        if !next.is_some_and(|next| ["before", "after"].contains(&&**next)) {
            found.push(span);
        }
        place += used;
    }
    found
}

/// Whether a word, in lower case and without accents, may be part of a date: "april", "weeks", "2024", "3rd".
pub(crate) fn is_of_time(word: &str) -> bool {
    if word.starts_with(runs_together) {
        return east::is_of_time(word);
    }
    if word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'.')) {
        return english::iso(word).is_some() || with_dots(word).is_some() || word.len() <= 4;
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let number = digits.bytes().all(|byte| byte.is_ascii_digit());
    !digits.is_empty() && number && word.len() - digits.len() <= 2 && digits.len() <= 4
        || west::is_anchor(word.as_bytes())
}

/// Whether a word, in lower case and without accents, is the name of a month. Short ones mean much else.
pub(crate) fn is_month(word: &str) -> bool {
    let named = |tongue: &Tongue| tongue.months.split([' ', '/']).any(|month| month == word);
    word.len() > 3 && (english::month(word).is_some() || TONGUES.iter().any(named))
}

/// What begins at this word, and how many words it has.
fn hit(text: &str, tokens: &[Word<'_>], place: usize, from: Option<Date>) -> Hit {
    let rest = &tokens[place..];
    let starts = west::starts(&rest[0]);
    let english = starts.english.then(|| english::read(rest, from)).flatten();
    english.or_else(|| west::read(text, &tokens[..place], rest, starts, from))
}

/// A word in lower case, or a number.
type Word<'a> = Cow<'a, str>;

type Hit = Option<(Span, usize)>;

/// Words and numbers in lower case; `2023-05-07`, `5/7/2023` and `7.5.2023` stay in one.
fn tokens(text: &str) -> Vec<Word<'_>> {
    let inside = |c: char| c.is_alphanumeric() || c == '-' || c == '/';
    let mut tokens = Vec::with_capacity(text.len() / 5);
    for dotted in text.split(|c: char| !inside(c) && c != '.') {
        let whole = dotted.trim_end_matches('.');
        if with_dots(whole).is_some() {
            tokens.push(Cow::Borrowed(whole));
            continue;
        }
        for word in dotted.split('.').map(|word| word.trim_matches(['-', '/'])) {
            if word.is_empty() || word.len() >= 32 {
                continue;
            }
            let word = lower(word);
            if word.starts_with(|c: char| c.is_ascii_digit()) || !word.contains('-') {
                tokens.push(word);
            } else {
                tokens.extend(word.split('-').map(|part| Cow::Owned(part.to_owned())));
            }
        }
    }
    tokens.truncate(4000);
    tokens
}

fn lower(word: &str) -> Word<'_> {
    let plain = word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if plain { Cow::Borrowed(word) } else { Cow::Owned(fold(word)) }
}

/// "7.5.2023": with dots the day comes first everywhere.
fn with_dots(word: &str) -> Option<Date> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut parts = word.split('.');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || day.len() > 2 || month.len() > 2 {
        return None;
    }
    Date::new(year_number(year)?, month.parse().ok()?, day.parse().ok()?).ok()
}

#[cfg(test)]
mod tests;
