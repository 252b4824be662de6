//! Dates and spans in the languages of the tables: German, French, Spanish, Italian, Portuguese,
//! Dutch.
//!
//! All words of one date are of one language, so that "a mayo sandwich" or "six Mars bars" is
//! none. A month alone is none either: it needs a day, a year, "last" or a word like "im".

use super::calendar::{
    Unit, ago, back, day_of, month_near, month_of, nearest, one, whole, year_number, year_of,
};
use super::tongues::{ELSEWHERE, TONGUES, Tongue};
use super::{Hit, Span, Word, english, with_dots};
use crate::words;
use jiff::civil::{Date, Weekday};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What a word can begin.
#[derive(Default)]
pub(super) struct Starts {
    /// Whether something in English.
    pub(super) english: bool,
    /// What it means in the languages of the tables.
    senses: Vec<Sense>,
}

/// What begins at this word, seen from `from`. `before` are the words up to here.
pub(super) fn read(
    text: &str,
    before: &[Word<'_>],
    rest: &[Word<'_>],
    starts: &Starts,
    from: Option<Date>,
) -> Hit {
    if let Some(date) = with_dots(&rest[0]) {
        return Some((Span::Days(date, date), 1));
    }
    let reader = Reader { text, before, words: rest, from };
    if let Some(number) = digits(&rest[0]) {
        return reader.after(Meaning::Number(number), 1, EVERY);
    }
    starts
        .senses
        .iter()
        .filter(|sense| sense.fits(rest))
        .find_map(|sense| reader.after(sense.meaning, 1 + sense.more.len(), sense.tongues))
}

/// Whether a text can name a day at all: it has a number, a word that every date has one of, or
/// letters that need a closer look.
pub(super) fn worth_reading(text: &str) -> bool {
    let (mut word, mut length) = ([0; LONGEST], 0);
    for letter in text.chars().chain([' ']) {
        if letter.is_ascii_alphabetic() {
            if let Some(place) = word.get_mut(length) {
                *place = letter.to_ascii_lowercase() as u8;
            }
            length += 1;
            continue;
        }
        if letter.is_alphanumeric() {
            return true;
        }
        if length > 0 && is_anchor(word.get(..length).unwrap_or_default()) {
            return true;
        }
        length = 0;
    }
    false
}

/// No anchor in plain letters is longer.
const LONGEST: usize = 16;

pub(super) fn is_anchor(word: &[u8]) -> bool {
    let Some(first) = word.first() else { return false };
    STARTS.anchor_lengths[usize::from(*first)] & 1 << word.len() != 0
        && STARTS.anchors.contains(word)
}

/// What this word can begin. Most words are told by their first letter and their length.
pub(super) fn starts(word: &str) -> &'static Starts {
    let Some(first) = word.bytes().next() else { return &STARTS.nothing };
    if first.is_ascii_digit() {
        return &STARTS.number;
    }
    if STARTS.lengths[usize::from(first)] & 1 << word.len().min(31) == 0 {
        return &STARTS.nothing;
    }
    STARTS.words.get(word).unwrap_or(&STARTS.nothing)
}

/// Languages, one bit each, in the order of the tables.
type Tongues = u8;

const EVERY: Tongues = u8::MAX;

/// A word or some words in a row, and what they mean.
struct Sense {
    more: Box<[&'static str]>,
    meaning: Meaning,
    tongues: Tongues,
}

impl Sense {
    fn fits(&self, rest: &[Word<'_>]) -> bool {
        rest.len() > self.more.len() && self.more.iter().zip(&rest[1..]).all(|(a, b)| a == b)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// So many days from today.
    Day(i32),
    Weekday(i8),
    Month(i8),
    Unit(Unit),
    Number(i32),
    /// Last, this, next.
    Step(i32),
    AgoFirst,
    AgoLast,
    Of,
    Within,
    Filler,
}

struct Reader<'a> {
    text: &'a str,
    before: &'a [Word<'a>],
    words: &'a [Word<'a>],
    from: Option<Date>,
}

impl Reader<'_> {
    /// What it comes to when the words up to `at` mean this.
    fn after(&self, meaning: Meaning, at: usize, tongues: Tongues) -> Hit {
        match meaning {
            Meaning::Day(step) => {
                let day = whole(Unit::Day, step, self.from?)?;
                (self.is_day(tongues) && self.here_too(0, tongues)).then_some((day, at))
            }
            Meaning::Number(number) => self
                .date(number, at, tongues)
                .or_else(|| self.count_ago(number, at, tongues))
                .or_else(|| self.number_last(number, at, tongues)),
            Meaning::AgoFirst => self.ago_count(at, tongues),
            Meaning::Step(step) => {
                self.stepped(step, at, tongues).or_else(|| self.last_few(step, at, tongues))
            }
            Meaning::Weekday(_) | Meaning::Unit(_) => self.step_last(meaning, at, tongues),
            Meaning::Month(month) => self
                .month_year(month, 0, at, tongues)
                .or_else(|| self.step_last(meaning, at, tongues)),
            Meaning::Within => self.within(at, tongues),
            Meaning::AgoLast | Meaning::Of | Meaning::Filler => None,
        }
    }

    /// The first thing at `at` that `pick` takes, the words after it, and its languages.
    fn next<T>(
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
    fn skip(&self, meaning: Meaning, at: usize, tongues: Tongues) -> (usize, Tongues) {
        let found = self.next(at, tongues, |other| (other == meaning).then_some(()));
        found.map_or((at, tongues), |((), at, tongues)| (at, tongues))
    }

    fn year(&self, at: usize) -> Option<i16> {
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
            None if self.is_month(at, tongues) => Some((day_of(None, month, day)?, end)),
            None => None,
        }
    }

    /// "mayo de 2024". The month stands at `start`.
    fn month_year(&self, month: i8, start: usize, at: usize, tongues: Tongues) -> Hit {
        let (at, tongues) = self.skip(Meaning::Of, at, tongues);
        let year = self.year(at).filter(|_| self.is_month(start, tongues))?;
        Some((month_of(year, month)?, at + 1))
    }

    /// "im März", "en el año 2023", "nel mese di maggio 2024".
    fn within(&self, start: usize, tongues: Tongues) -> Hit {
        let (mut at, mut shared) = (start, tongues);
        for _ in 0..3 {
            (at, shared) = self.skip(Meaning::Filler, at, shared);
        }
        if let Some(year) = self.year(at) {
            // "A 2023 report" is no Italian, and "I ate 2000 calories" no Portuguese.
            return (at > start || self.speaks(shared)).then_some((year_of(year)?, at + 1));
        }
        let (month, end, shared) = self.next(at, shared, month)?;
        if starts(&self.words[0]).english && starts(&self.words[at]).english {
            // "In August": English would have taken it, had it wanted to.
            return None;
        }
        self.month_year(month, at, end, shared).or_else(|| {
            let alone = self.is_month(at, shared);
            alone.then_some((Span::Yearly { month, day: None }, end))
        })
    }

    /// "vor zwei Wochen".
    fn ago_count(&self, at: usize, tongues: Tongues) -> Hit {
        let (count, at, tongues) = self.next(at, tongues, count)?;
        let (unit, at, _) = self.next(at, tongues, unit)?;
        Some((ago(unit, count, self.from?)?, at))
    }

    /// "due settimane fa".
    fn count_ago(&self, count: i32, at: usize, tongues: Tongues) -> Hit {
        let (unit, at, tongues) = self.next(at, tongues, unit)?;
        let ((), at, _) =
            self.next(at, tongues, |meaning| (meaning == Meaning::AgoLast).then_some(()))?;
        Some((ago(unit, count, self.from?)?, at))
    }

    /// "letzten Dienstag", "cette année", "próximo mes".
    fn stepped(&self, step: i32, at: usize, tongues: Tongues) -> Hit {
        let (what, end, tongues) = self.next(at, tongues, Some)?;
        Some((self.near(what, step, at, tongues)?, end))
    }

    /// "mardi dernier", "la semana que viene".
    fn step_last(&self, what: Meaning, at: usize, tongues: Tongues) -> Hit {
        let (step, at, tongues) = self.next(at, tongues, |meaning| match meaning {
            Meaning::Step(0) => None,
            Meaning::Step(step) => Some(step),
            _ => None,
        })?;
        Some((self.near(what, step, 0, tongues)?, at))
    }

    /// "die letzten drei Monate".
    fn last_few(&self, step: i32, at: usize, tongues: Tongues) -> Hit {
        let (count, at, tongues) = self.next(at, tongues, count)?;
        let (unit, at, _) = self.next(at, tongues, unit)?;
        self.up_to_now(step, unit, count, at)
    }

    /// "les trois derniers mois".
    fn number_last(&self, count: i32, at: usize, tongues: Tongues) -> Hit {
        let (step, at, tongues) = self.next(at, tongues, |meaning| match meaning {
            Meaning::Step(step) => Some(step),
            _ => None,
        })?;
        let (unit, at, _) = self.next(at, tongues, unit)?;
        self.up_to_now(step, unit, count, at)
    }

    fn up_to_now(&self, step: i32, unit: Unit, count: i32, at: usize) -> Hit {
        let from = self.from.filter(|_| step < 0)?;
        Some((Span::Days(back(unit, count, from)?.0, from), at))
    }

    /// What stands at `at`, so many steps away.
    fn near(&self, what: Meaning, step: i32, at: usize, tongues: Tongues) -> Option<Span> {
        let from = self.from?;
        match what {
            Meaning::Weekday(day) => {
                one(nearest(from, Weekday::from_monday_zero_offset(day).ok()?, step))
            }
            Meaning::Month(month) if self.is_month(at, tongues) => month_near(month, step, from),
            Meaning::Unit(Unit::Day) => None,
            Meaning::Unit(unit) => whole(unit, step, from),
            _ => None,
        }
    }

    /// Whether a word for a day is that here, and not a part of a day: "guten Morgen".
    fn is_day(&self, tongues: Tongues) -> bool {
        let Some(word) = self.before.last() else { return true };
        let morning = ["morgen", "manana"].contains(&&*self.words[0]);
        let of = |(place, tongue): (usize, &Tongue)| {
            tongues & 1 << place != 0 && tongue.not_after.split('/').any(|other| other == word)
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
        let elsewhere = ELSEWHERE.iter().find(|(word, _)| *word == self.words[at]);
        elsewhere.is_none_or(|(word, others)| {
            let own: Vec<&str> = codes(tongues).collect();
            let others: Vec<&str> = others.split(' ').collect();
            !words::leans(self.text, word, &own, &others)
        })
    }

    /// Whether the text is in one of these languages.
    fn speaks(&self, tongues: Tongues) -> bool {
        let language = words::language(self.text).code();
        codes(tongues).any(|code| code == language)
    }
}

/// "Two weeks" in one of these languages.
pub(super) fn counted(number: &str, named: &str, codes: &[&str]) -> Option<(i32, Unit)> {
    let bits = |(place, tongue): (usize, &Tongue)| {
        if codes.contains(&tongue.code) { 1 << place } else { 0 }
    };
    let tongues = TONGUES.iter().enumerate().map(bits).fold(0, |all, one| all | one);
    let words = [number.into(), named.into()];
    let reader = Reader { text: "", before: &[], words: &words, from: None };
    let (count, at, tongues) = reader.next(0, tongues, count)?;
    let (unit, _, _) = reader.next(at, tongues, unit)?;
    (count > 0).then_some((count, unit))
}

fn codes(tongues: Tongues) -> impl Iterator<Item = &'static str> {
    let some = TONGUES.iter().enumerate().filter(move |(place, _)| tongues & 1 << place != 0);
    some.map(|(_, tongue)| tongue.code)
}

fn month(meaning: Meaning) -> Option<i8> {
    if let Meaning::Month(month) = meaning { Some(month) } else { None }
}

fn unit(meaning: Meaning) -> Option<Unit> {
    if let Meaning::Unit(unit) = meaning { Some(unit) } else { None }
}

fn count(meaning: Meaning) -> Option<i32> {
    if let Meaning::Number(number) = meaning { Some(number) } else { None }
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

/// The tables turned around.
struct Table {
    words: HashMap<&'static str, Starts>,
    lengths: [u32; 256],
    /// Words of which every date has one, and their lengths.
    anchors: HashSet<&'static [u8]>,
    anchor_lengths: [u32; 256],
    number: Starts,
    nothing: Starts,
}

static STARTS: LazyLock<Table> = LazyLock::new(|| {
    let mut words: HashMap<&'static str, Starts> = HashMap::new();
    let mut anchors: HashSet<&[u8]> = english::anchors().map(str::as_bytes).collect();
    for word in english::starts() {
        words.entry(word).or_default().english = true;
    }
    for (place, tongue) in TONGUES.iter().enumerate() {
        for (phrase, meaning) in phrases(tongue) {
            anchors.extend(anchor(phrase, meaning).map(str::as_bytes));
            let mut parts = phrase.split('_');
            let first = parts.next().unwrap_or_default();
            let more: Box<[&str]> = parts.collect();
            let senses = &mut words.entry(first).or_default().senses;
            let known = senses.iter_mut().find(|s| s.meaning == meaning && s.more == more);
            match known {
                Some(sense) => sense.tongues |= 1 << place,
                None => senses.push(Sense { more, meaning, tongues: 1 << place }),
            }
        }
    }
    // The longest first: "antes de ayer" before "antes".
    let longest = |sense: &Sense| std::cmp::Reverse(sense.more.len());
    words.values_mut().for_each(|starts| starts.senses.sort_by_key(longest));
    Table {
        lengths: lengths(words.keys().map(|word| word.as_bytes())),
        anchor_lengths: lengths(anchors.iter().copied()),
        words,
        anchors,
        number: Starts { english: true, senses: Vec::new() },
        nothing: Starts::default(),
    }
});

/// Which lengths words have that begin with a byte, one bit each.
fn lengths<'a>(words: impl Iterator<Item = &'a [u8]>) -> [u32; 256] {
    let mut lengths = [0; 256];
    for word in words {
        if let Some(first) = word.first() {
            lengths[usize::from(*first)] |= 1 << word.len().min(31);
        }
    }
    lengths
}

/// The word by which a text shows that this may be in it. Numbers, "ago" and prepositions show
/// nothing, since none of them is a date by itself. The French "an" is too frequent in English;
/// the "y" of "il y a un an" and the "dernier" of "l'an dernier" show it.
fn anchor(phrase: &'static str, meaning: Meaning) -> Option<&'static str> {
    let last = phrase.rsplit('_').next();
    match meaning {
        Meaning::Unit(_) if phrase == "an" => Some("y"),
        Meaning::Weekday(_) => phrase.split('_').next(),
        Meaning::Day(_) | Meaning::Month(_) | Meaning::Unit(_) | Meaning::Step(_) => last,
        _ => None,
    }
}

/// Every phrase of a language with its meaning.
fn phrases(tongue: &Tongue) -> Vec<(&'static str, Meaning)> {
    const UNITS: [Unit; 4] = [Unit::Day, Unit::Week, Unit::Month, Unit::Year];
    let mut all = Vec::new();
    let mut list = |rows: &'static str, meaning: &dyn Fn(usize) -> Meaning| {
        for (place, row) in rows.split_whitespace().enumerate() {
            all.extend(row.split('/').map(|phrase| (phrase, meaning(place))));
        }
    };
    list(tongue.days, &|place| Meaning::Day(place as i32 - 2));
    list(tongue.weekdays, &|place| Meaning::Weekday(place as i8));
    list(tongue.months, &|place| Meaning::Month(place as i8 + 1));
    list(tongue.units, &|place| Meaning::Unit(UNITS[place.min(3)]));
    list(tongue.few, &|_| Meaning::Number(3));
    list(tongue.numbers, &|place| Meaning::Number(place as i32 + 1));
    list(tongue.last, &|_| Meaning::Step(-1));
    list(tongue.this, &|_| Meaning::Step(0));
    list(tongue.next, &|_| Meaning::Step(1));
    list(tongue.ago_first, &|_| Meaning::AgoFirst);
    list(tongue.ago_last, &|_| Meaning::AgoLast);
    list(tongue.of, &|_| Meaning::Of);
    list(tongue.within, &|_| Meaning::Within);
    list(tongue.filler, &|_| Meaning::Filler);
    all
}
