//! Dates and spans in the languages of the tables: German, French, Spanish, Italian, Portuguese,
//! Dutch.
//!
//! All words of one date are of one language, so that "a mayo sandwich" or "six Mars bars" is
//! none. A month alone is none either: it needs a day, a year, "last" or a word like "im".

use super::calendar::{
    Manner, Unit, ago, day_of, day_of_week, month_near, month_of, nearest, one, season_near,
    up_to_now, weekend, whole, year_number, year_of,
};
use super::feasts::Feast;
use super::senses::{Meaning, Starts, Tongues, starts};
use super::tokens::{Word, day, day_and_month, has_year, month_and_year, with_dots, year_last};
use super::tongues::{ELSEWHERE, TONGUES, Tongue};
use super::{Hit, Span};
use crate::languages::Language;
use crate::tongue;
use crate::words::is_among;
use jiff::civil::{Date, Weekday};
use std::ops::Range;

/// So many words before a number tell that it is a version.
const VERSION_WITHIN: usize = 3;

/// A text from one of its words on, and from where it is seen.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// All of its words, and those from here on.
    pub(super) all: &'a [Word<'a>],
    pub(super) words: &'a [Word<'a>],
    pub(super) from: Option<Date>,
    pub(super) manner: Manner,
}

impl<'a> Reader<'a> {
    /// A text that is seen from no day, and its words.
    pub(super) fn new(text: &'a str, words: &'a [Word<'a>]) -> Self {
        Reader { text, all: words, words, from: None, manner: Manner::Asks }
    }
}

/// With these one counts from now on, and also says other things of time.
const AHEAD: &str = "in dans en dentro tra fra em daqui over";

impl Reader<'_> {
    /// What these languages begin with this word.
    pub(super) fn by_tables(&self, starts: &Starts, tongues: Tongues) -> Hit {
        if self.words[0].is_number() {
            return self.digits(tongues);
        }
        starts.senses.iter().find_map(|sense| {
            let shared = sense.tongues & tongues;
            let fits = shared != 0 && sense.fits(self.words);
            fits.then(|| self.after(sense.meaning, 1 + sense.more.len(), shared))?
        })
    }

    fn digits(&self, tongues: Tongues) -> Hit {
        let word = &self.words[0];
        if let Some(date) = with_dots(word).filter(|_| self.is_year_in_place()) {
            return Some((Span::Days(date, date), 1));
        }
        if let Some((date, _)) = self.year_last() {
            return Some((Span::Days(date, date), 1));
        }
        if let Some((day, month)) = day_and_month(word).filter(|_| self.is_day_in_place()) {
            return Some((day_of(None, month, day)?, 1));
        }
        if let Some((month, year)) = month_and_year(word) {
            return Some((month_of(year, month)?, 1));
        }
        if let Some(quarter) = self.quarter(tongues) {
            return Some(quarter);
        }
        self.after(Meaning::Number(digits(word)?), 1, tongues)
    }

    /// "1. Quartal", "1st quarter".
    fn quarter(&self, tongues: Tongues) -> Hit {
        let number = day(&self.words[0])?;
        let numbered = self.words[0].len() > 1 || self.gap(1).starts_with('.');
        let unit = |meaning| (meaning == Meaning::Unit(Unit::Quarter)).then_some(());
        let ((), at, tongues) = self.next(1, tongues, unit).filter(|_| numbered)?;
        self.feast(Feast::quarter(number.into())?, at, tongues)
    }

    /// What it comes to when the words up to `at` mean this.
    fn after(&self, meaning: Meaning, at: usize, tongues: Tongues) -> Hit {
        match meaning {
            Meaning::Day(step) => {
                let day = whole(Unit::Day, step, self.from?)?;
                (self.is_day(tongues) && self.here_too(0, tongues)).then_some((day, at))
            }
            Meaning::Number(number) => {
                let (number, at, tongues) = self.with_ones(number, at, tongues);
                let counted = || {
                    let ago = self.count_ago(number, at, tongues);
                    ago.or_else(|| self.number_last(number, at, tongues))
                };
                self.date(number, at, tongues)
                    .or_else(|| counted().filter(|_| !self.is_cut(tongues)))
            }
            Meaning::AgoFirst => self.ago_count(at, tongues),
            Meaning::Step(step) => {
                self.stepped(step, at, tongues).or_else(|| self.last_few(step, at, tongues))
            }
            Meaning::Weekday(day) => self
                .weekday_of(day, at, tongues)
                .or_else(|| self.weekday_ago(Weekday::from_monday_zero_offset(day).ok()?, at))
                .or_else(|| self.step_last(meaning, at, tongues))
                .or_else(|| {
                    let day = Weekday::from_monday_zero_offset(day).ok()?;
                    self.weekday_alone(day, at, tongues)
                }),
            Meaning::Unit(unit) => {
                let week = || self.week_of(at, tongues).filter(|_| unit == Unit::Week);
                self.step_last(meaning, at, tongues).or_else(week)
            }
            Meaning::Weekend => {
                let named = || self.weekend_of(at, tongues);
                let named = self.step_last(meaning, at, tongues).or_else(named);
                named.or_else(|| self.weekend_alone(at, tongues))
            }
            Meaning::Feast(feast) => {
                let here = (0..at).all(|at| self.here_too(at, tongues));
                here.then(|| self.feast(feast, at, tongues))?
            }
            Meaning::Month(month) => self
                .month_year(month, 0, at, tongues)
                .or_else(|| self.step_last(meaning, at, tongues)),
            Meaning::Season(first) => self
                .season_year(first, at, tongues)
                .or_else(|| self.step_last(meaning, at, tongues))
                .or_else(|| self.season_alone(first, at, tongues)),
            Meaning::Within => self.within(at, tongues),
            _ => None,
        }
    }

    /// The first thing at `at` that `pick` takes, the words after it, and its languages.
    pub(super) fn next<T>(
        &self,
        at: usize,
        tongues: Tongues,
        pick: impl Fn(Meaning) -> Option<T>,
    ) -> Option<(T, usize, Tongues)> {
        let rest = self.words.get(at..).filter(|rest| !rest.is_empty())?;
        if let Some(number) = digits(&rest[0]) {
            return Some((pick(Meaning::Number(number))?, at + 1, tongues));
        }
        starts(&rest[0]).senses.iter().find_map(|sense| {
            let shared = sense.tongues & tongues;
            let fits = shared != 0 && sense.fits(rest);
            fits.then(|| Some((pick(sense.meaning)?, at + 1 + sense.more.len(), shared)))?
        })
    }

    /// Passes a word of this meaning, if there is one.
    pub(super) fn skip(&self, meaning: Meaning, at: usize, tongues: Tongues) -> (usize, Tongues) {
        let found = self.next(at, tongues, |other| (other == meaning).then_some(()));
        found.map_or((at, tongues), |((), at, tongues)| (at, tongues))
    }

    /// Passes "of the" and its like.
    pub(super) fn skip_small(&self, at: usize, tongues: Tongues) -> (usize, Tongues) {
        let small = |meaning| matches!(meaning, Meaning::Of | Meaning::Article).then_some(());
        let mut now = (at, tongues);
        for _ in 0..4 {
            let Some(((), at, tongues)) = self.next(now.0, now.1, small) else { break };
            now = (at, tongues);
        }
        now
    }

    pub(super) fn year(&self, at: usize) -> Option<i16> {
        self.words.get(at).and_then(|word| year_number(word))
    }

    /// "3. März 2024", "3 de mayo".
    fn date(&self, number: i32, at: usize, tongues: Tongues) -> Hit {
        let day = i8::try_from(number).ok().filter(|day| (1..=31).contains(day))?;
        let (at, tongues) = self.skip(Meaning::Of, at, tongues);
        let (month, end, tongues) = self.next(at, tongues, month)?;
        let (after, _) = self.skip(Meaning::Of, end, tongues);
        match self.year(after) {
            Some(year) => Some((day_of(Some(year), month, day)?, after + 1)),
            // After a number it is no "never" of Italian.
            None if self.words[at] == *"mai" || self.is_month(at, tongues) => {
                Some((day_of(None, month, day)?, end))
            }
            None => None,
        }
    }

    /// "mayo de 2024". The month stands at `start`.
    fn month_year(&self, month: i8, start: usize, at: usize, tongues: Tongues) -> Hit {
        let (at, tongues) = self.skip(Meaning::Of, at, tongues);
        let year = self.year(at).filter(|_| self.is_month(start, tongues))?;
        Some((month_of(year, month)?, at + 1))
    }

    /// A month by its name alone, where what stands before it makes one of it; with its year, if that follows.
    /// `clear` is whether that is so in any text: "début mars".
    pub(super) fn month_here(&self, at: usize, tongues: Tongues, clear: bool) -> Hit {
        let (month, end, tongues) = self.next(at, tongues, month)?;
        let alone = || {
            let month_here = clear && self.words[at].len() > 3 || self.is_month(at, tongues);
            month_here.then_some((Span::Yearly { month, day: None }, end))
        };
        self.month_year(month, at, end, tongues).or_else(alone)
    }

    /// "im März", "en el año 2023", "nel mese di maggio 2024".
    fn within(&self, start: usize, tongues: Tongues) -> Hit {
        if let Some(ahead) = self.ahead(start, tongues) {
            return Some(ahead);
        }
        let (mut at, mut shared) = (start, tongues);
        for _ in 0..3 {
            (at, shared) = self.skip(Meaning::Filler, at, shared);
        }
        if let Some(year) = self.year(at) {
            // "A 2023 report" is no Italian, and "I ate 2000 calories" no Portuguese.
            return (at > start || self.speaks(shared)).then_some((year_of(year)?, at + 1));
        }
        if starts(&self.words[0]).english && starts(self.words.get(at)?).english {
            // "In August": English would have taken it, had it wanted to.
            return None;
        }
        self.month_here(at, shared, false)
    }

    /// "in zwei Wochen", "dans quinze jours", where nothing says that it was: what takes two weeks is said so, too.
    fn ahead(&self, at: usize, tongues: Tongues) -> Hit {
        if !is_among(AHEAD, &self.words[0]) {
            return None;
        }
        let (count, at, tongues) = self.count(at, tongues)?;
        let (unit, end, tongues) = self.next(at, tongues, unit)?;
        let is_ahead = self.tense(tongues) != Some(-1);
        is_ahead.then_some((ago(unit, -count, self.from?)?, end))
    }

    /// "vor zwei Wochen".
    fn ago_count(&self, at: usize, tongues: Tongues) -> Hit {
        let (count, at, tongues) = self.count(at, tongues)?;
        let (what, at, _) = self.next(at, tongues, counted_in)?;
        Some((self.back(what, count)?, at))
    }

    /// "due settimane fa".
    fn count_ago(&self, count: i32, at: usize, tongues: Tongues) -> Hit {
        let (what, at, tongues) = self.next(at, tongues, counted_in)?;
        let ((), at, _) =
            self.next(at, tongues, |meaning| (meaning == Meaning::AgoLast).then_some(()))?;
        Some((self.back(what, count)?, at))
    }

    /// So many units or weekends ago.
    fn back(&self, what: Option<Unit>, count: i32) -> Option<Span> {
        what.map_or_else(|| weekend(self.from?, -count), |unit| ago(unit, count, self.from?))
    }

    /// "letzten Dienstag", "cette année", "próximo mes".
    fn stepped(&self, step: i32, at: usize, tongues: Tongues) -> Hit {
        let (what, end, tongues) = self.next(at, tongues, Some)?;
        let span = self.near(what, step, at, tongues)?;
        if let Some(day) = self.day_in(what, span, end, tongues) {
            return Some(day);
        }
        let past = ["ultimo", "ultima", "afgelopen"].contains(&&*self.words[at - 1]);
        let span = match what {
            // "L'ultima settimana di marzo" is none that is counted from now.
            Meaning::Unit(_) if past && self.skip(Meaning::Of, end, tongues).0 > end => None,
            Meaning::Unit(unit) if past => up_to_now(unit, 1, self.from?),
            _ => Some(span),
        };
        Some((span?, end))
    }

    /// "mardi dernier", "la semana que viene".
    fn step_last(&self, what: Meaning, at: usize, tongues: Tongues) -> Hit {
        let (step, at, tongues) = self.next(at, tongues, |meaning| match meaning {
            Meaning::Step(0) => None,
            Meaning::Step(step) => Some(step),
            _ => None,
        })?;
        let span = self.near(what, step, 0, tongues)?;
        Some(self.day_in(what, span, at, tongues).unwrap_or((span, at)))
    }

    /// The day of a week that was named before it: "letzte Woche Dienstag".
    fn day_in(&self, what: Meaning, week: Span, at: usize, tongues: Tongues) -> Hit {
        if what != Meaning::Unit(Unit::Week) {
            return None;
        }
        let start = self.skip(Meaning::Article, at, tongues).0;
        let (day, end, _) = self.next(start, tongues, weekday)?;
        // "Na semana passada, na segunda reunião": where it follows, "Monday" is "second" as well.
        let second = end == start + 1 && self.is_second(start);
        if second || self.ends_before(at) {
            return None;
        }
        Some((day_of_week(week, Weekday::from_monday_zero_offset(day).ok()?)?, end))
    }

    /// Whether the Portuguese say "second", "third" with this word as well.
    pub(super) fn is_second(&self, at: usize) -> bool {
        ["segunda", "terca", "quarta", "quinta", "sexta"].contains(&&*self.words[at])
    }

    /// "Dienstag letzter Woche", "martes de la semana pasada".
    fn weekday_of(&self, day: i8, at: usize, tongues: Tongues) -> Hit {
        let (at, tongues) = self.skip_small(at, tongues);
        let week = |meaning| (meaning == Meaning::Unit(Unit::Week)).then_some(());
        let (step, end) = match self.next(at, tongues, step) {
            Some((step, at, tongues)) => (step, self.next(at, tongues, week)?.1),
            None => {
                let ((), at, tongues) = self.next(at, tongues, week)?;
                let (step, end, _) = self.next(at, tongues, step)?;
                (step, end)
            }
        };
        let week = whole(Unit::Week, step, self.from?)?;
        Some((day_of_week(week, Weekday::from_monday_zero_offset(day).ok()?)?, end))
    }

    /// "die letzten drei Monate".
    fn last_few(&self, step: i32, at: usize, tongues: Tongues) -> Hit {
        let (count, at, tongues) = self.count(at, tongues)?;
        let (unit, at, _) = self.next(at, tongues, unit)?;
        self.so_far(step, unit, count, at)
    }

    /// "les trois derniers mois".
    fn number_last(&self, count: i32, at: usize, tongues: Tongues) -> Hit {
        let (step, at, tongues) = self.next(at, tongues, step)?;
        let (unit, at, _) = self.next(at, tongues, unit)?;
        self.so_far(step, unit, count, at)
    }

    fn so_far(&self, step: i32, unit: Unit, count: i32, at: usize) -> Hit {
        let from = self.from.filter(|_| step < 0)?;
        Some((up_to_now(unit, count, from)?, at))
    }

    /// "seit zwei Wochen", "depuis trois jours".
    pub(super) fn for_so_long(&self, at: usize, tongues: Tongues) -> Hit {
        let at =
            self.next(at, tongues, |m| (m == Meaning::AgoFirst).then_some(())).map_or(at, |n| n.1);
        self.last_few(-1, at, tongues)
    }

    /// What stands at `at`, so many steps away.
    fn near(&self, what: Meaning, step: i32, at: usize, tongues: Tongues) -> Option<Span> {
        let from = self.from?;
        match what {
            Meaning::Weekday(day) => {
                one(nearest(from, Weekday::from_monday_zero_offset(day).ok()?, step))
            }
            Meaning::Month(month) if self.is_month(at, tongues) => month_near(month, step, from),
            Meaning::Season(first) if self.is_season(at) => season_near(first, step, from),
            Meaning::Weekend => weekend(from, step),
            Meaning::Feast(feast) => feast.near(step, from),
            Meaning::Unit(Unit::Day) => None,
            Meaning::Unit(unit) => whole(unit, step, from),
            _ => None,
        }
    }

    /// How many words stand before this one.
    pub(super) fn before(&self) -> usize {
        self.all.len() - self.words.len()
    }

    /// The same text from one of all its words on.
    pub(super) fn at(&self, place: usize) -> Option<Self> {
        let words = self.all.get(place..).filter(|words| !words.is_empty())?;
        Some(Reader { words, ..*self })
    }

    /// The same text up to where so many words are used from here.
    pub(super) fn up_to(&self, used: usize) -> Self {
        Reader { all: &self.all[..self.before() + used], words: &self.words[..used], ..*self }
    }

    /// The word before this one.
    pub(super) fn last(&self) -> Option<&Word<'_>> {
        self.all.get(self.before().checked_sub(1)?)
    }

    /// Where this word and those after it stand that are `used` together.
    pub(super) fn bytes(&self, used: usize) -> Range<usize> {
        let base = self.text.as_ptr() as usize;
        let start = |word: &Word<'_>| word.written.as_ptr() as usize - base;
        let last = used.checked_sub(1).and_then(|last| self.words.get(last));
        let end = last.map_or(0, |word| start(word) + word.written.len());
        self.words.first().map_or(0, start)..end
    }

    /// What stands between the word at `at` and the one before it.
    pub(super) fn gap(&self, at: usize) -> &str {
        let place = self.before() + at;
        let before = place.checked_sub(1).and_then(|before| self.at(before));
        let end = before.map_or(0, |before| before.bytes(1).end);
        let start = self.at(place).map_or(self.text.len(), |word| word.bytes(1).start);
        self.text.get(end..start).unwrap_or_default()
    }

    /// Whether a clause ends before the word at `at`.
    pub(super) fn ends_before(&self, at: usize) -> bool {
        at >= self.words.len() || self.gap(at).contains(['.', '?', '!', ';', ':', '\n', '。'])
    }

    /// "12/03/2026": the day it is, and the other it may be.
    ///
    /// Where neither number is above twelve the day comes first in every language but English, where half
    /// of those who write it mean the month. Another such date in the text may tell; else both are meant:
    /// a day too many costs less than the wrong one.
    pub(super) fn year_last(&self) -> Option<(Date, Option<Date>)> {
        let (day_first, month_first) = match year_last(&self.words[0])? {
            (Some(day_first), Some(month_first)) => (day_first, month_first),
            (one, other) => return one.or(other).map(|date| (date, None)),
        };
        if tongue::language(self.text) != Language::ENGLISH || day_first == month_first {
            return Some((day_first, None));
        }
        let tells = |word: &Word<'_>| match year_last(word)? {
            (Some(_), None) => Some(day_first),
            (None, Some(_)) => Some(month_first),
            _ => None,
        };
        let told = self.all.iter().find_map(tells);
        Some(told.map_or((month_first, Some(day_first)), |date| (date, None)))
    }

    /// Whether "24.12.25" ends with a year where it stands, and is no version. In English few write so: there it
    /// must be more than a month, or stand where a day does.
    fn is_year_in_place(&self) -> bool {
        let version = |last: &Word<'_>| is_among("version versions release releases v", last);
        if has_year(&self.words[0]) || self.is_day_in_place() {
            return true;
        }
        if tongue::language(self.text) != Language::ENGLISH {
            return !self.last().is_some_and(version);
        }
        // "The version is 24.12.25".
        let near = &self.all[self.before().saturating_sub(VERSION_WITHIN)..self.before()];
        let day = self.words[0].split('.').next().and_then(|day| day.parse::<i8>().ok());
        let on = || self.last().is_some_and(|last| is_among("on of dated due by", last));
        !near.iter().any(version) && (day.is_some_and(|day| day > 12) || on())
    }

    /// Whether "12.3." is a day where it stands, and not the end of a sentence about version 12.3.
    fn is_day_in_place(&self) -> bool {
        let Some(last) = self.last() else { return false };
        let weekday = starts(last).senses.iter().any(|sense| weekday(sense.meaning).is_some());
        // "I am 12.3."
        let i_am = *last == *"am"
            && self.all.get(self.before().wrapping_sub(2)).is_some_and(|word| *word == *"i");
        let before_days =
            ["am", "vom", "zum", "bis", "seit", "ab", "dem", "den"].contains(&&**last);
        before_days && !i_am || weekday || day_and_month(last).is_some()
    }

    /// Whether a word for a day is that here, and not a part of a day: "guten Morgen".
    fn is_day(&self, tongues: Tongues) -> bool {
        let Some(word) = self.last() else { return true };
        let morning = ["morgen", "manana"].contains(&&*self.words[0]);
        let of = |(place, tongue): (usize, &Tongue)| {
            tongues & 1 << place != 0 && tongue.not_after.split('/').any(|other| *word == *other)
        };
        !morning || !TONGUES.iter().enumerate().any(of)
    }

    /// Whether a word that can be a month is one. Short forms are words too often: "5 lug nuts".
    fn is_month(&self, at: usize, tongues: Tongues) -> bool {
        let word = &*self.words[at];
        if word.len() > 3 || ["mai", "mei"].contains(&word) {
            return self.here_too(at, tongues);
        }
        self.speaks(tongues)
    }

    /// Whether the word at `at` means here what it means in these languages.
    fn here_too(&self, at: usize, tongues: Tongues) -> bool {
        let elsewhere = ELSEWHERE.iter().find(|(word, _)| self.words[at] == **word);
        elsewhere.is_none_or(|(word, others)| {
            let own: Vec<&str> = codes(tongues).collect();
            let others: Vec<&str> = others.split(' ').collect();
            !tongue::leans(self.text, word, &own, &others)
        })
    }

    /// Whether the text is in one of these languages.
    pub(super) fn speaks(&self, tongues: Tongues) -> bool {
        let language = tongue::language(self.text).code();
        codes(tongues).any(|code| code == language)
    }
}

fn codes(tongues: Tongues) -> impl Iterator<Item = &'static str> {
    let some = TONGUES.iter().enumerate().filter(move |(place, _)| tongues & 1 << place != 0);
    some.map(|(_, tongue)| tongue.code)
}

fn month(meaning: Meaning) -> Option<i8> {
    if let Meaning::Month(month) = meaning { Some(month) } else { None }
}

pub(super) fn weekday(meaning: Meaning) -> Option<i8> {
    if let Meaning::Weekday(day) = meaning { Some(day) } else { None }
}

fn step(meaning: Meaning) -> Option<i32> {
    if let Meaning::Step(step) = meaning { Some(step) } else { None }
}

pub(super) fn unit(meaning: Meaning) -> Option<Unit> {
    if let Meaning::Unit(unit) = meaning { Some(unit) } else { None }
}

/// What "ago" counts; no unit is the weekend.
fn counted_in(meaning: Meaning) -> Option<Option<Unit>> {
    match meaning {
        Meaning::Unit(unit) => Some(Some(unit)),
        Meaning::Weekend => Some(None),
        _ => None,
    }
}

/// "3", "1er", "1o", "2de".
fn digits(word: &str) -> Option<i32> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let known = ["", "er", "o", "a", "ro", "e", "de", "ste", "te"].contains(&&word[end..]);
    word[..end].parse().ok().filter(|number| known && (0..=1000).contains(number))
}
