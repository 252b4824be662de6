//! What a word can mean: the tables of all languages, turned around.
//!
//! Every word of every note is looked up here, so most are told by their first letter and their length.

use super::calendar::{Side, Unit};
use super::english;
use super::feasts::Feast;
use super::parts::{self, LAST, Part};
use super::tokens::Word;
use super::tongues::{TONGUES, Tongue};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What a word can begin.
#[derive(Default)]
pub(super) struct Starts {
    /// Whether something that only English says.
    pub(super) english: bool,
    /// Whether something by the tables. The rest of their words stand inside or last.
    pub(super) begins: bool,
    /// What it means by the tables, the longest phrase first.
    pub(super) senses: Vec<Sense>,
}

/// A word or some words in a row, and what they mean.
pub(super) struct Sense {
    pub(super) more: Box<[&'static str]>,
    pub(super) meaning: Meaning,
    pub(super) tongues: Tongues,
}

impl Sense {
    pub(super) fn fits(&self, rest: &[Word<'_>]) -> bool {
        rest.len() > self.more.len() && self.more.iter().zip(&rest[1..]).all(|(a, b)| *b == **a)
    }
}

/// Languages, one bit each, in the order of the tables.
pub(super) type Tongues = u8;

pub(super) const EVERY: Tongues = u8::MAX;

/// English is the last of them.
pub(super) const ENGLISH: Tongues = 1 << (TONGUES.len() - 1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// So many days from today.
    Day(i32),
    Weekday(i8),
    Month(i8),
    /// By its first month.
    Season(i8),
    Unit(Unit),
    Weekend,
    Feast(Feast),
    Number(i32),
    /// Last, this, next.
    Step(i32),
    AgoFirst,
    AgoLast,
    Of,
    Within,
    Filler,
    Article,
    Part(Part),
    /// First, second, third, fourth, last.
    Nth(i8),
    Half,
    Beside(Side),
    Between,
    And,
    From,
    To,
    OnThe,
}

impl Meaning {
    fn begins(self) -> bool {
        use Meaning::{AgoLast, And, Article, Filler, Half, Of, To};
        !matches!(self, AgoLast | Of | Filler | Article | And | Half | To)
    }
}

/// What this word can begin.
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
        let word = word.get(..length).unwrap_or_default();
        if length > 0 && (is_anchor(word) || parts::may_be_joined(word)) {
            return true;
        }
        length = 0;
    }
    false
}

/// No anchor in plain letters is longer.
const LONGEST: usize = 20;

pub(super) fn is_anchor(word: &[u8]) -> bool {
    let Some(first) = word.first() else { return false };
    STARTS.anchor_lengths[usize::from(*first)] & 1 << word.len().min(31) != 0
        && STARTS.anchors.contains(word)
}

struct Table {
    words: HashMap<&'static str, Starts, RandomState>,
    lengths: [u32; 256],
    /// Words of which every date has one, and their lengths.
    anchors: HashSet<&'static [u8], RandomState>,
    anchor_lengths: [u32; 256],
    number: Starts,
    nothing: Starts,
}

static STARTS: LazyLock<Table> = LazyLock::new(|| {
    let mut words: HashMap<&'static str, Starts, RandomState> = HashMap::default();
    let mut anchors: HashSet<&[u8], RandomState> = english::anchors().map(str::as_bytes).collect();
    for word in english::starts() {
        words.entry(word).or_default().english = true;
    }
    for (place, tongue) in TONGUES.iter().enumerate() {
        for (phrase, meaning) in phrases(tongue) {
            anchors.extend(anchor(phrase, meaning).map(str::as_bytes));
            let mut parts = phrase.split('_');
            let first = parts.next().unwrap_or_default();
            let more: Box<[&str]> = parts.collect();
            let starts = words.entry(first).or_default();
            starts.begins |= meaning.begins();
            let senses = &mut starts.senses;
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
        number: Starts { english: true, begins: true, senses: Vec::new() },
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
        // "Week-end" has a word of English, and "end" is too frequent.
        Meaning::Weekend => last.filter(|last| !last.starts_with("end")),
        // The "s" of "New Year's" and the "an" of "jour de l'an" are too frequent; the other words show it.
        Meaning::Feast(_) => last.filter(|last| last.len() > 2),
        // In English an "estate" is a house.
        Meaning::Season(_) => last.filter(|last| *last != "estate"),
        Meaning::Day(_) | Meaning::Month(_) | Meaning::Unit(_) | Meaning::Step(_) => last,
        _ => None,
    }
}

/// Every phrase of a language with its meaning.
fn phrases(tongue: &Tongue) -> Vec<(&'static str, Meaning)> {
    const UNITS: [Unit; 5] = [Unit::Day, Unit::Week, Unit::Month, Unit::Year, Unit::Quarter];
    const THIRDS: [Part; 3] = [Part::Early, Part::Mid, Part::Late];
    const ORDINALS: [i8; 5] = [1, 2, 3, 4, LAST];
    let mut all = Vec::new();
    let mut list = |rows: &'static str, meaning: &dyn Fn(usize) -> Meaning| {
        for (place, row) in rows.split_whitespace().enumerate() {
            all.extend(row.split('/').map(|phrase| (phrase, meaning(place))));
        }
    };
    list(tongue.days, &|place| Meaning::Day(place as i32 - 2));
    list(tongue.weekdays, &|place| Meaning::Weekday(place as i8));
    list(tongue.months, &|place| Meaning::Month(place as i8 + 1));
    list(tongue.seasons, &|place| Meaning::Season(place as i8 * 3 + 3));
    list(tongue.units, &|place| Meaning::Unit(UNITS[place.min(4)]));
    list(tongue.weekend, &|_| Meaning::Weekend);
    list(tongue.feasts, &|place| Meaning::Feast(Feast(place)));
    list(tongue.few, &|_| Meaning::Number(3));
    list(tongue.numbers, &|place| Meaning::Number(place as i32 + 1));
    list(tongue.tens, &|place| Meaning::Number(place as i32 * 10 + 20));
    list(tongue.before_last, &|_| Meaning::Step(-2));
    list(tongue.last, &|_| Meaning::Step(-1));
    list(tongue.this, &|_| Meaning::Step(0));
    list(tongue.next, &|_| Meaning::Step(1));
    list(tongue.ago_first, &|_| Meaning::AgoFirst);
    list(tongue.ago_last, &|_| Meaning::AgoLast);
    list(tongue.of, &|_| Meaning::Of);
    list(tongue.within, &|_| Meaning::Within);
    list(tongue.filler, &|_| Meaning::Filler);
    list(tongue.article, &|_| Meaning::Article);
    list(tongue.thirds, &|place| Meaning::Part(THIRDS[place.min(2)]));
    // "Da marzo" is since March, if no "a maggio" follows.
    list(tongue.from, &|_| Meaning::From);
    list(tongue.after, &|_| Meaning::Beside(Side::After));
    list(tongue.since, &|_| Meaning::Beside(Side::Since));
    list(tongue.before, &|_| Meaning::Beside(Side::Before));
    list(tongue.until, &|_| Meaning::Beside(Side::Until));
    list(tongue.between, &|_| Meaning::Between);
    list(tongue.and, &|_| Meaning::And);
    list(tongue.to, &|_| Meaning::To);
    list(tongue.on_the, &|_| Meaning::OnThe);
    list(tongue.ordinals, &|place| Meaning::Nth(ORDINALS[place.min(4)]));
    list(tongue.half, &|_| Meaning::Half);
    all
}
