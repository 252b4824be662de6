//! Dates and spans in a text: what "last Tuesday" or "in March" means, seen from a given day.
//!
//! The same reader serves questions (seen from now) and notes (seen from when they were written),
//! so that "two days ago" in a note and "on 7 May" in a question meet. A note names days; a question may ask
//! for all that was before or after them. "Two weeks before the move" hangs
//! on when that was: a question that says so is asked about the move first ([`hanging`]). What cannot be
//! resolved is skipped: a wrong day is worse than none.
//!
//! ```text
//! text ──▶ words ──▶ english, west (six languages, by a table each) ──▶ ranges (what joins two days), parts
//!      ──▶ letters ──▶ east (Chinese, Japanese, Korean)
//! ```
//!
//! It runs over every note, so a look at the letters tells first whether any word is there that
//! every date has one of; and most words cannot begin a date, which one look-up says.

mod calendar;
mod counts;
mod east;
mod english;
mod feasts;
mod hanging;
mod hours;
mod numerals;
mod parts;
mod ranges;
mod seasons;
mod senses;
mod signs;
mod tokens;
mod tongues;
mod weekdays;
mod weeks;
mod west;

pub use hanging::{Hanging, hanging};
pub(crate) use hours::{has_clock, is_hour, tells_hours};

use self::calendar::{Manner, in_year, one};
use self::tokens::{is_date, tokens};
use self::tongues::TONGUES;
use self::west::Reader;
use crate::words::{fold, is_among, runs_together};
use jiff::ToSpan;
use jiff::civil::Date;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Some days in a row, or the same days of every year.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// From one day to another, both included.
    Days(Date, Date),
    /// A day, or one that is at most so many days from it: "two weeks ago". Only who asks means one.
    About(Date, i32),
    /// A month of an unknown year, or one day of it.
    Yearly {
        /// 1 is January.
        month: i8,
        /// The day, where one was named.
        day: Option<i8>,
    },
}

impl Span {
    /// Whether it may be to come, as seen from a day.
    pub(crate) fn is_ahead_of(&self, today: Option<Date>) -> bool {
        match self {
            Span::Days(_, last) => today.is_some_and(|today| *last > today),
            Span::About(day, _) => today.is_some_and(|today| *day > today),
            Span::Yearly { .. } => true,
        }
    }

    /// Whether the two can mean the same day.
    pub fn meets(&self, other: &Span) -> bool {
        match (self, other) {
            (Span::About(..), _) => self.plain().meets(other),
            (_, Span::About(..)) => self.meets(&other.plain()),
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
            Span::About(_, slack) => 2 * slack + 1,
            Span::Yearly { day: Some(_), .. } => 1,
            Span::Yearly { day: None, .. } => 30,
        }
    }

    /// The same days, none of them more likely than the others.
    pub fn plain(self) -> Span {
        let Span::About(day, slack) = self else { return self };
        let (from, to) = (day.saturating_sub(slack.days()), day.saturating_add(slack.days()));
        Span::Days(from, to)
    }
}

fn yearly_in(month: i8, day: Option<i8>, from: Date, to: Date) -> bool {
    // Every day of every year is in a whole one, which tells nothing of it.
    if (to - from).get_days() >= 364 {
        return false;
    }
    (from.year()..=to.year()).any(|year| {
        let span = in_year(year, month, day);
        matches!(span, Some(Span::Days(start, end)) if from <= end && start <= to)
    })
}

/// A span, and the bytes of the text that name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The days it means.
    pub span: Span,
    /// Where it is said.
    pub place: Range<usize>,
    /// How its words say it.
    pub by: By,
}

/// How days are said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// As a date, or counted from one: the words say nothing else.
    Date,
    /// By a weekday that may be to come. Its name says something besides: "yoga on Tuesdays".
    Weekday,
    /// By a name. What was on these days need not say it, and what says it may be of others: "presents for Christmas".
    Name,
}

/// Every span that a note names, seen from the day `from`. Without a day, only what names a date.
pub fn spans(text: &str, from: Option<Date>) -> Vec<Span> {
    read(text, from, Manner::Tells).into_iter().map(|named| named.span.plain()).collect()
}

/// Every span that a question asks for. "Since 3 May" goes up to now there.
pub fn asked(text: &str, from: Option<Date>) -> Vec<Named> {
    read(text, from, Manner::Asks)
}

fn read(text: &str, from: Option<Date>, manner: Manner) -> Vec<Named> {
    let mut found = each(text, from, manner);
    join_years(text, &mut found);
    found
}

/// A month or a day beside a year that is not named by its number is of that year: "in December last year", "去年十二月".
fn join_years(text: &str, found: &mut Vec<Named>) {
    let mut at = 1;
    while at < found.len() {
        let (one, two) = (&found[at - 1], &found[at]);
        let (first, last) =
            if one.place.start <= two.place.start { (one, two) } else { (two, one) };
        let between = text.get(first.place.end..last.place.start);
        let span = of_year(one.span, two.span).or_else(|| of_year(two.span, one.span));
        match span.filter(|_| between.is_some_and(joins)) {
            Some(span) => {
                let place = first.place.start..last.place.end;
                found[at - 1] = Named { span, place, by: By::Date };
                found.remove(at);
            }
            None => at += 1,
        }
    }
}

/// Nothing, or words as short as "of" and "de l'".
fn joins(between: &str) -> bool {
    let words = between.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '’'));
    let mut words = words.filter(|word| !word.is_empty());
    let short = |word: &str| word.chars().count() <= 3 && word.chars().all(char::is_alphabetic);
    words.by_ref().take(2).all(short) && words.next().is_none()
}

/// The month or day of each year in this one, if it is a whole year.
fn of_year(each: Span, year: Span) -> Option<Span> {
    let (Span::Yearly { month, day }, Span::Days(from, to)) = (each, year) else { return None };
    let whole = from.day_of_year() == 1 && to == from.last_of_year();
    if whole { calendar::in_year(from.year(), month, day) } else { None }
}

/// Every span by itself.
fn each(text: &str, from: Option<Date>, manner: Manner) -> Vec<Named> {
    let mut found = Vec::new();
    if !text.is_ascii() && text.chars().any(runs_together) {
        east::spans(text, from, manner, &mut found);
    }
    if !senses::worth_reading(text) {
        return found;
    }
    let tokens = tokens(text);
    let mut place = 0;
    while place < tokens.len() {
        let reader = Reader { text, all: &tokens, words: &tokens[place..], from, manner };
        let Some((span, used)) = reader.hit() else {
            place += 1;
            continue;
        };
        // "The last two weeks before the move" hang on something else.
        let next = tokens.get(place + used);
        if !next.is_some_and(|next| hanging::hangs(&reader.up_to(used), next)) {
            let bytes = reader.bytes(used);
            let besides = reader.weekday_besides(used);
            let either = reader.year_last().filter(|_| used == 1).and_then(|(_, other)| one(other));
            let either = either.filter(|other| *other != span);
            let feast = reader.feast_named(used);
            let spans = std::iter::once(span).chain(either).chain(besides.other_than(span));
            let spans = spans.chain(feast.flatten().filter(|coming| *coming != span));
            let by = match feast {
                Some(_) => By::Name,
                None if reader.is_season_alone(used) => By::Name,
                None if besides.to_come.is_some() => By::Weekday,
                None => By::Date,
            };
            found.extend(spans.map(|span| Named { span, place: bytes.clone(), by }));
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
        return is_date(word) || word.len() <= 4;
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let number = digits.bytes().all(|byte| byte.is_ascii_digit());
    !digits.is_empty() && number && word.len() - digits.len() <= 2 && digits.len() <= 4
        || senses::is_anchor(word.as_bytes())
}

/// Whether a text, in lower case and without accents, says that something was, in the language of these two letters.
pub(crate) fn says_was(folded: &str, code: &str) -> bool {
    let tongue = TONGUES.iter().find(|tongue| tongue.code == code);
    let past = tongue.map_or("", |tongue| tongue.past);
    folded.split(|c: char| !c.is_alphanumeric()).any(|word| is_among(past, word))
}

/// Whether a word, in lower case and without accents, is the name of a month. Short ones mean much else.
pub(crate) fn is_month(word: &str) -> bool {
    static NAMED: LazyLock<HashSet<&str, foldhash::fast::RandomState>> = LazyLock::new(|| {
        TONGUES.iter().flat_map(|tongue| tongue.months.split([' ', '/'])).collect()
    });
    word.len() > 3 && (NAMED.contains(word) || english::month(word).is_some())
}

/// Whether a word is the name of a weekday, whole or short.
pub fn is_weekday(word: &str) -> bool {
    let word = fold(word);
    let senses = &senses::starts(&word).senses;
    english::weekday(&word).is_some()
        || senses
            .iter()
            .any(|sense| sense.more.is_empty() && west::weekday(sense.meaning).is_some())
}

/// Some days, and how many words name them.
type Hit = Option<(Span, usize)>;

#[cfg(test)]
mod tests;
