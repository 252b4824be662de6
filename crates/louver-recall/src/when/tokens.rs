//! A text cut into words and numbers, and the dates that are numbers alone.

use super::calendar::year_number;
use crate::words::fold;
use jiff::civil::Date;
use std::borrow::Cow;
use std::ops::Deref;

/// A word in lower case without accents, or a number. It reads like a text of its own.
pub(super) struct Word<'a> {
    folded: Cow<'a, str>,
    /// As it stands in the text: a capital tells a name, and what stands around it a dash.
    pub(super) written: &'a str,
}

impl<'a> Word<'a> {
    pub(super) fn new(written: &'a str) -> Self {
        let plain = written.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
        let folded = if plain { Cow::Borrowed(written) } else { Cow::Owned(fold(written)) };
        Word { folded, written }
    }

    /// Whether it is written like a name: one capital, then small letters.
    pub(super) fn is_capital(&self) -> bool {
        let mut letters = self.written.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
    }

    pub(super) fn is_number(&self) -> bool {
        self.folded.starts_with(|c: char| c.is_ascii_digit())
    }
}

impl Deref for Word<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.folded
    }
}

impl PartialEq<str> for Word<'_> {
    fn eq(&self, other: &str) -> bool {
        *self.folded == *other
    }
}

/// Words and numbers; `2023-05-07`, `5/7/2023`, `7.5.2023` and `7.5.` stay in one, `5-9` does not. What is
/// written on to a date is a word of its own: `2023-05-07T14`, `2023-05-07下午`.
pub(super) fn tokens(text: &str) -> Vec<Word<'_>> {
    let inside = |c: char| c.is_alphanumeric() || c == '-' || c == '/';
    let mut tokens = Vec::with_capacity(text.len() / 5);
    for dotted in text.split(|c: char| !inside(c) && c != '.') {
        let whole = dotted.trim_end_matches('.');
        let short = || whole.len() < dotted.len() && day_and_month(whole).is_some();
        if with_dots(whole).is_some() || short() {
            tokens.push(Word::new(whole));
            continue;
        }
        if let Some(parts) = glued(dotted) {
            let kept = parts.into_iter().filter(|part| !part.is_empty() && part.len() < 32);
            tokens.extend(kept.map(Word::new));
            continue;
        }
        for word in dotted.split('.').map(|word| word.trim_matches(['-', '/'])) {
            if word.is_empty() || word.len() >= 32 {
                continue;
            }
            let number = word.starts_with(|c: char| c.is_ascii_digit());
            if !word.contains('-') || number && !is_days_apart(word) {
                tokens.push(Word::new(word));
            } else {
                tokens.extend(word.split('-').filter(|part| !part.is_empty()).map(Word::new));
            }
        }
    }
    tokens.truncate(4000);
    tokens
}

/// A date of numbers alone, with what is written before and after it and no blank between. Before it only
/// letters that run together are so: "v2023-05-07" may be anything.
fn glued(chunk: &str) -> Option<[&str; 3]> {
    let (before, rest) = chunk.split_at(chunk.find(|c: char| c.is_ascii_digit())?);
    let of_date = |c: char| c.is_ascii_digit() || matches!(c, '-' | '/' | '.');
    let (date, after) = rest.split_at(rest.find(|c: char| !of_date(c)).unwrap_or(rest.len()));
    if before.ends_with(|c: char| c.is_ascii()) || before.is_empty() && after.is_empty() {
        return None;
    }
    let date = date.trim_end_matches(['-', '/', '.']);
    is_date(date).then_some([before, date, after])
}

/// Whether this is a whole date of numbers alone.
pub(super) fn is_date(word: &str) -> bool {
    iso(word).is_some() || with_dots(word).is_some() || year_last(word).is_some()
}

/// "5-9", as in "5-9 March".
fn is_days_apart(word: &str) -> bool {
    word.split_once('-').is_some_and(|(from, to)| day(from).is_some() && day(to).is_some())
}

/// "7", "7th".
pub(super) fn day(word: &str) -> Option<i8> {
    let bare = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    bare.parse().ok().filter(|day| (1..=31).contains(day) && bare.len() <= 2)
}

/// "2023-05-07", "2023/5/7".
pub(super) fn iso(word: &str) -> Option<Date> {
    let mut parts = word.split(['-', '/']);
    let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || a.len() != 4 {
        return None;
    }
    Date::new(a.parse().ok()?, b.parse().ok()?, c.parse().ok()?).ok()
}

/// "7.5.2023", "07.05.23": with dots the day comes first everywhere.
pub(super) fn with_dots(word: &str) -> Option<Date> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut parts = word.split('.');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || day.len() > 2 || month.len() > 2 {
        return None;
    }
    // "3.10.12" is a version more often.
    let short = || short_year(year).filter(|_| day.len() == 2 && month.len() == 2);
    let year = year_number(year).or_else(short)?;
    Date::new(year, month.parse().ok()?, day.parse().ok()?).ok()
}

/// Whether the year of a date is written out.
pub(super) fn has_year(date: &str) -> bool {
    date.rsplit('.').next().is_some_and(|year| year.len() == 4)
}

/// The "25" of "24.12.25".
fn short_year(word: &str) -> Option<i16> {
    let year = number(word).filter(|year| word.len() == 2 && *year < 50)?;
    Some(2000 + i16::from(year))
}

/// "03/2026". With one digit it may be a fraction.
pub(super) fn month_and_year(word: &str) -> Option<(i8, i16)> {
    let (month, year) = word.split_once('/').filter(|(month, _)| month.len() == 2)?;
    Some((number(month)?, year_number(year)?))
}

/// The "7.5" of "7.5.": a day and a month, or the number of a section at the end of a sentence.
pub(super) fn day_and_month(word: &str) -> Option<(i8, i8)> {
    let (day, month) = word.split_once('.')?;
    let (day, month) = (number(day)?, number(month)?);
    // A leap year, since this may be one.
    Date::new(2024, month, day).ok().map(|_| (day, month))
}

/// "12/03/2026", "12/03/26" or "12-03-2026", once with the day first and once with the month.
pub(super) fn year_last(word: &str) -> Option<(Option<Date>, Option<Date>)> {
    let apart = if word.contains('/') { '/' } else { '-' };
    let mut parts = word.split(apart);
    let (first, second) = (number(parts.next()?)?, number(parts.next()?)?);
    let year = parts.next().filter(|_| parts.next().is_none())?;
    let short = || short_year(year).filter(|_| apart == '/');
    let year = year_number(year).or_else(short)?;
    let date = |month, day| Date::new(year, month, day).ok();
    Some((date(second, first), date(first, second)))
}

/// A day or a month in one or two digits.
fn number(word: &str) -> Option<i8> {
    word.parse().ok().filter(|_| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()))
}
