//! Spans by their ends: "since 3 May", "between 5 and 9 March", "early March".
//!
//! The ends are days, months or years as any of the languages names them; here is only what joins them.
//! A note that says "until 3 May" names that day, and only who asks means all before it.

use super::calendar::{Manner, Side, beside, between, day_before, settled, year_of};
use super::english;
use super::parts::Part;
use super::senses::{ENGLISH, EVERY, Meaning, Starts, Tongues, starts};
use super::tokens::{Word, day};
use super::west::Reader;
use super::{Hit, Span};
use jiff::civil::Date;

/// One end of a span.
#[derive(Clone, Copy)]
enum End {
    Span(Span),
    /// A day whose month the other end names.
    Day(i8),
}

impl Reader<'_> {
    /// What begins at this word, and how many words it has.
    pub(super) fn hit(&self) -> Hit {
        let starts = starts(&self.words[0]);
        if !starts.english && !starts.begins {
            return None;
        }
        if self.words[0].is_number() {
            return self.numbers(EVERY);
        }
        let (span, used) = self.joined(starts).or_else(|| self.named(starts, EVERY))?;
        let whole = self.onwards(span, used).or_else(|| self.weekday_then(span, used));
        Some(whole.unwrap_or((span, used)))
    }

    /// What begins with digits.
    fn numbers(&self, tongues: Tongues) -> Hit {
        // The "4 days ago" of "3-4 days ago" is not what is said.
        if self.is_dashed(0) && self.gap(0).len() < 4 && self.last().is_some_and(Word::is_number) {
            return None;
        }
        let apart = || self.days_apart(0, tongues);
        let (span, used) = apart().or_else(|| self.named(starts(&self.words[0]), tongues))?;
        let whole = self.onwards(span, used).or_else(|| self.weekday_then(span, used));
        Some(whole.unwrap_or((span, used)))
    }

    /// What is a date or a span by itself.
    fn named(&self, starts: &Starts, tongues: Tongues) -> Hit {
        let english = || {
            let begins = starts.english && tongues & ENGLISH != 0;
            begins.then(|| english::read(self)).flatten()
        };
        self.counted_part(tongues).or_else(english).or_else(|| self.by_tables(starts, tongues))
    }

    /// What begins with a word that joins: "since", "between", "early".
    fn joined(&self, starts: &Starts) -> Hit {
        for sense in starts.senses.iter().filter(|sense| sense.fits(self.words)) {
            // "Avant-hier" is no "before yesterday", nor "avant-dernier" a "before last".
            if matches!(sense.meaning, Meaning::Day(_) | Meaning::Step(_)) {
                return None;
            }
            let found = self.join(sense.meaning, 1 + sense.more.len(), sense.tongues);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn join(&self, meaning: Meaning, at: usize, tongues: Tongues) -> Hit {
        match meaning {
            Meaning::Part(part) => self.part(part, at, tongues),
            Meaning::Between => self.ends(at, tongues, |at, tongues| {
                let and = |meaning| (meaning == Meaning::And).then_some(());
                self.next(at, tongues, and).map(|((), at, _)| at)
            }),
            Meaning::From => self.ends(at, tongues, |at, tongues| self.to(at, tongues)),
            Meaning::Beside(side) => self.beside(side, at, tongues),
            Meaning::OnThe => self.on_the(at),
            _ => None,
        }
    }

    /// "early March", "Ende letzten Jahres", "all'inizio del mese scorso".
    fn part(&self, part: Part, start: usize, tongues: Tongues) -> Hit {
        let (at, shared) = self.skip_small(start, tongues);
        let of = at > start;
        let (span, end) = match self.year(at) {
            // "Half 2022 stock" is no Dutch.
            Some(year) => {
                let said = of || tongues == ENGLISH || self.speaks(tongues);
                said.then_some((year_of(year)?, at + 1))?
            }
            None => {
                // "In the end may I": there it takes an "of".
                let bare = ["beginning", "start", "middle", "end"].contains(&&*self.words[0]);
                let month = self.month_alone(at, shared, of || !bare);
                month.or_else(|| self.point(at, tongues))?
            }
        };
        Some((part.of(span, self.from, self.manner)?, end))
    }

    /// What is since, after, before or until a day. Only who asks means that.
    fn beside(&self, side: Side, start: usize, tongues: Tongues) -> Hit {
        let from = self.from.filter(|_| self.manner == Manner::Asks && !self.is_after_unit())?;
        let at = self.articles(start, tongues);
        // "Dal 5 al 9 marzo": the other end follows.
        if side == Side::Since {
            let range = self.days_apart(at, tongues).or_else(|| self.for_so_long(at, tongues));
            if range.is_some() {
                return range;
            }
        }
        let year = || Some((year_of(self.year(at)?)?, at + 1));
        let (span, end) = self
            .month_alone(at, tongues, true)
            .or_else(|| self.point(at, tongues))
            .or_else(year)?;
        if let Some(range) = self.onwards(span, end) {
            return Some(range);
        }
        Some((beside(span, side, from)?, end))
    }

    /// Two ends and what joins them, of which the first begins here.
    fn ends(
        &self,
        start: usize,
        tongues: Tongues,
        joint: impl Fn(usize, Tongues) -> Option<usize>,
    ) -> Hit {
        let (left, at) = self.end(self.articles(start, tongues), tongues)?;
        let (right, end) = self.end(self.articles(joint(at, tongues)?, tongues), tongues)?;
        self.both(left, right, end)
    }

    /// "5 to 9 March", "5-9 March", "5. bis 9. März": the month is said once. So it is of two days, one after the other:
    /// "5 and 6 March".
    pub(super) fn days_apart(&self, start: usize, tongues: Tongues) -> Hit {
        let left = day(self.words.get(start).filter(|word| word.is_number())?)?;
        let and = |meaning| (meaning == Meaning::And).then_some(());
        let to = self.joint(start + 1, tongues);
        let at = to.or_else(|| Some(self.next(start + 1, tongues, and)?.1))?;
        let (right, end) = self.date_at(self.articles(at, tongues), tongues)?;
        let days = self.both(End::Day(left), End::Span(right), end);
        days.filter(|(span, _)| to.is_some() || span.days() == 2)
    }

    /// A span whose first end was read and whose second follows: "7 May to 2 June", "March 5-9". Without a word
    /// before the first, both are dates: "sent it yesterday to 5 people".
    fn onwards(&self, left: Span, used: usize) -> Hit {
        if !self.is_date(0) && !self.is_date(used - 1) {
            return None;
        }
        let at = self.joint(used, EVERY)?;
        let start = self.articles(at, EVERY);
        if let Some((right, end)) = self.date_at(start, EVERY) {
            return self.both(End::Span(left), End::Span(right), end);
        }
        let last = day(&self.words[used - 1]).is_some() && self.is_dashed(used);
        let right = last.then(|| self.bare_day(used)).flatten()?;
        self.both(End::Span(left), End::Day(right), used + 1)
    }

    /// One end: a date or a span, a month alone, a day whose month the other end names.
    fn end(&self, at: usize, tongues: Tongues) -> Option<(End, usize)> {
        let span = |(span, end): (Span, usize)| (End::Span(span), end);
        let day = || self.bare_day(at).map(|day| (End::Day(day), at + 1));
        let named = self.month_alone(at, tongues, true).or_else(|| self.point(at, tongues));
        named.map(span).or_else(day)
    }

    fn both(&self, left: End, right: End, end: usize) -> Hit {
        let one = |span: Span| match span {
            Span::Days(first, last) => first == last,
            Span::About(..) => false,
            Span::Yearly { day, .. } => day.is_some(),
        };
        match (left, right) {
            (End::Span(left), End::Span(right)) => {
                Some((between(left, right, self.from, self.manner)?, end))
            }
            (End::Day(left), End::Span(right)) if one(right) => {
                let (_, last) = settled(right, self.from, self.manner)?;
                let first = Date::new(last.year(), last.month(), left).ok()?;
                (first <= last).then_some((Span::Days(first, last), end))
            }
            // "March 5-9, 2023".
            (End::Span(left), End::Day(right)) if one(left) => {
                let year = self.year(end);
                let left = match (left, year) {
                    (Span::Yearly { month, day }, Some(year)) => {
                        super::calendar::in_year(year, month, day)?
                    }
                    _ => left,
                };
                let (first, _) = settled(left, self.from, self.manner)?;
                let last = Date::new(first.year(), first.month(), right).ok()?;
                let end = end + usize::from(year.is_some());
                (first <= last).then_some((Span::Days(first, last), end))
            }
            _ => None,
        }
    }

    /// "on the 12th", "am 12.", "le 12": the last one, where nothing but the end of a clause follows.
    fn on_the(&self, at: usize) -> Hit {
        let from = self.from.filter(|_| self.manner == Manner::Asks)?;
        let bare = self.words.get(at)?;
        let number = bare.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let day = day(number).filter(|_| bare.len() - number.len() <= 2)?;
        let gap = self.gap(at + 1);
        let next = self.words.get(at + 1);
        // German ends the number with a dot, and what is numbered has a capital: "am 12. Spieltag".
        let dotted = self.words[0] == *"am"
            && gap.starts_with('.')
            && next.is_some_and(|next| next.written.starts_with(char::is_lowercase));
        let ends = gap.trim_end().contains(['?', '!', ',', ';', '\n'])
            || next.is_none() && !gap.contains(['%', '€', '$', '/']);
        (ends || dotted).then_some((day_before(day, from)?, at + 1))
    }

    /// A date or a span at `at`, by itself.
    pub(super) fn point(&self, at: usize, tongues: Tongues) -> Hit {
        let reader = self.at(self.before() + at)?;
        let starts = starts(&reader.words[0]);
        let parts = || {
            let mut parts = starts.senses.iter().filter(|sense| sense.fits(reader.words));
            parts.find_map(|sense| match sense.meaning {
                Meaning::Part(part) if sense.tongues & tongues != 0 => {
                    reader.part(part, 1 + sense.more.len(), sense.tongues & tongues)
                }
                _ => None,
            })
        };
        let (span, used) = reader.named(starts, tongues).or_else(parts)?;
        Some((span, at + used))
    }

    /// A month by its name, of this year or of any. `clear` is whether what stands before it makes a month of
    /// a word that is another as well: "march", "may".
    pub(super) fn month_alone(&self, at: usize, tongues: Tongues, clear: bool) -> Hit {
        let reader = self.at(self.before() + at)?;
        let english = (tongues & ENGLISH != 0).then(|| english::month_alone(&reader, clear));
        let (span, used) =
            english.flatten().or_else(|| reader.month_here(0, tongues & !ENGLISH, true))?;
        Some((span, at + used))
    }

    /// Past "the", "dem", "el día".
    pub(super) fn articles(&self, at: usize, tongues: Tongues) -> usize {
        let at = self.skip(Meaning::Article, at, tongues).0;
        self.skip(Meaning::Article, at, tongues).0
    }

    /// Past what stands between two ends: a dash, or a word for "to".
    fn joint(&self, at: usize, tongues: Tongues) -> Option<usize> {
        if self.is_dashed(at) { Some(at) } else { self.to(at, tongues) }
    }

    fn to(&self, at: usize, tongues: Tongues) -> Option<usize> {
        // Dutch for "up to and including".
        if *self.words.get(at)? == *"t/m" {
            return Some(at + 1);
        }
        let to = |meaning| (meaning == Meaning::To).then_some(());
        let found = self.next(at, tongues, to).map(|((), at, _)| at);
        found.or_else(|| self.is_dashed(at).then_some(at))
    }

    /// Whether a dash stands between the word at `at` and the one before it.
    fn is_dashed(&self, at: usize) -> bool {
        at < self.words.len()
            && matches!(self.gap(at).trim_matches([' ', '.']), "-" | "–" | "—" | "‑" | "~" | "..")
    }

    /// A number that can be a day, and not the hour of "9:30".
    pub(super) fn bare_day(&self, at: usize) -> Option<i8> {
        let found = self.words.get(at).and_then(|word| day(word.trim_end_matches(['e', 'o'])))?;
        (!self.gap(at + 1).starts_with(':')).then_some(found)
    }

    /// A day by its number, and not one that is counted from now.
    pub(super) fn date_at(&self, at: usize, tongues: Tongues) -> Hit {
        let date = self.is_date(at).then(|| self.point(at, tongues)).flatten();
        date.filter(|(_, end)| self.is_date(end - 1))
    }

    /// Whether a date of numbers or with the name of a month begins or ends at this word.
    pub(super) fn is_date(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        let named = || {
            let senses = &starts(word).senses;
            english::month(word).is_some()
                || senses.iter().any(|sense| matches!(sense.meaning, Meaning::Month(_)))
        };
        // A short form of August that is said of days more often.
        word.is_number() || *word != *"ago" && named()
    }

    /// "Two weeks before" counts from what follows.
    fn is_after_unit(&self) -> bool {
        let unit = |word: &Word<'_>| {
            let senses = &starts(word).senses;
            english::unit(word).is_some()
                || senses.iter().any(|sense| matches!(sense.meaning, Meaning::Unit(_)))
        };
        self.last().is_some_and(unit)
    }
}
