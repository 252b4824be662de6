//! Finding notes: the best by words and the best by meaning, as `louver_recall::index` finds them.

use louver_recall::embed::Small;
use louver_recall::languages::Language;
use louver_recall::question::{Asked, AskedTerm};
use louver_recall::words::Kind;
use rusqlite::{Connection, OptionalExtension as _};

use super::columns::Columns;
use super::error::Fault;
use super::facts::Facts;
use super::packed::{self, Plane};
use super::postings::{self, Head, Posting};
use super::words::Words;

/// BM25's usual saturation and length penalty.
const SATURATION: f32 = 1.2;
const LENGTH_PENALTY: f32 = 0.75;

/// A word in more notes than this brings in no new ones once rarer words have found enough.
const COMMON: u32 = 20_000;

/// A note that was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Spotted {
    pub(super) place: u32,
    pub(super) words: f32,
    pub(super) heading: f32,
}

/// One term of the question and the lists of its forms.
pub(super) struct Lists {
    pub(super) rarity: f32,
    part: f32,
    /// Each form that a note says: its number, its list, its spelling.
    pub(super) forms: Vec<(u32, Head, String)>,
}

/// The lists of a question's terms, and how telling each is: the rarer, the more.
pub(super) fn lists(db: &Connection, words: &mut Words, facts: &Facts, terms: &[AskedTerm]) -> Result<Vec<Lists>, Fault> {
    let all = facts.notes as f32;
    let mut found = Vec::with_capacity(terms.len());
    for term in terms {
        let mut forms = Vec::new();
        for form in &term.forms {
            if let Some(word) = words.find(db, form)? {
                forms.push((word, postings::head(db, word)?.unwrap_or_default(), form.clone()));
            }
        }
        let with: u64 = forms.iter().map(|(_, head, _)| u64::from(head.notes)).sum();
        let with = (with as f32).min(all);
        let rarity = (1.0 + (all - with + 0.5) / (with + 0.5)).ln() * term.times.sqrt();
        found.push(Lists { rarity, part: if term.kind == Kind::Whole { 0.5 } else { 1.0 }, forms });
    }
    Ok(found)
}

/// Scores by place. Kept between questions, because clearing a few is cheaper than making many.
#[derive(Debug, Default)]
pub(super) struct Scores {
    words: Vec<f32>,
    heading: Vec<f32>,
    touched: Vec<u32>,
}

impl Scores {
    fn clear(&mut self, places: usize) {
        for place in self.touched.drain(..) {
            (self.words[place as usize], self.heading[place as usize]) = (0.0, 0.0);
        }
        self.words.resize(places, 0.0);
        self.heading.resize(places, 0.0);
    }

    pub(super) fn spotted(&self, place: u32) -> Spotted {
        Spotted { place, words: self.words[place as usize], heading: self.heading[place as usize] }
    }
}

/// The best notes by BM25 of their texts and headings.
pub(super) fn by_words(
    db: &Connection,
    columns: &Columns,
    facts: &Facts,
    lists: &[Lists],
    scores: &mut Scores,
    most: usize,
    may: &impl Fn(u32) -> bool,
) -> Result<Vec<u32>, Fault> {
    scores.clear(columns.lengths.len());
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by(|a, b| lists[*b].rarity.total_cmp(&lists[*a].rarity));
    let mean = (facts.length as f32 / facts.notes.max(1) as f32).max(1.0);
    let mut sorted = 0;
    for at in order {
        let weight = lists[at].rarity * lists[at].part;
        let saturated = |times: f32| weight * times * (SATURATION + 1.0) / (times + SATURATION);
        for (word, head, _) in &lists[at].forms {
            let Scores { words, heading, touched } = &mut *scores;
            let credit = |posting: Posting, words: &mut [f32], heading: &mut [f32]| {
                let place = posting.place as usize;
                let long = 1.0 - LENGTH_PENALTY + LENGTH_PENALTY * f32::from(columns.lengths[place]) / mean;
                words[place] += saturated(f32::from(posting.body) / long + f32::from(posting.head));
                heading[place] += saturated(f32::from(posting.head));
            };
            if head.notes > COMMON && touched.len() / 2 >= most {
                if sorted != touched.len() {
                    touched.sort_unstable();
                    sorted = touched.len();
                }
                postings::scan_for(db, *word, head, touched, |posting| credit(posting, words, heading))?;
                continue;
            }
            let places = words.len();
            postings::scan(db, *word, head, |posting| {
                let place = posting.place as usize;
                if place < places {
                    if words[place] == 0.0 {
                        touched.push(posting.place);
                    }
                    credit(posting, words, heading);
                }
            })?;
        }
    }
    let found = scores.touched.iter().filter(|place| may(**place)).map(|place| (*place, scores.words[*place as usize]));
    Ok(best(found.collect(), most))
}

/// The notes whose vectors are nearest.
///
/// The first pass compares one bit per number, the second the numbers of what is left.
pub(super) fn by_meaning(db: &Connection, columns: &Columns, vector: &Small, most: usize, may: &impl Fn(u32) -> bool) -> Result<Vec<u32>, Fault> {
    let asked = vector.sketch();
    let mut apart: Vec<u16> = columns.sketches.iter().map(|sketch| distance(sketch, &asked)).collect();
    let mut at = [0usize; 258];
    for (place, apart) in apart.iter_mut().enumerate() {
        if !columns.has(place) || !may(place as u32) {
            *apart = 257;
        }
        at[usize::from(*apart)] += 1;
    }
    let mut left = most.saturating_mul(6);
    let limit = (0..257).find(|apart| {
        left = left.saturating_sub(at[*apart]);
        left == 0
    });
    let limit = limit.unwrap_or(256) as u16;
    let mut look = db.prepare_cached("SELECT reading FROM notes WHERE place = ?")?;
    let mut scored = Vec::new();
    for (place, apart) in apart.iter().enumerate() {
        if *apart <= limit {
            let sketch = &columns.sketches[place];
            let note = look.query_row([place as u32], |row| Ok(packed::vector(row.get_ref(0)?.as_blob()?, sketch))).optional()?;
            if let Some(note) = note {
                scored.push((place as u32, note?.dot(vector)));
            }
        }
    }
    Ok(best(scored, most))
}

fn distance(a: &Plane, b: &Plane) -> u16 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones() as u16).sum()
}

/// The places with the highest scores. Of equals, the newest.
fn best(mut scores: Vec<(u32, f32)>, most: usize) -> Vec<u32> {
    let order = |a: &(u32, f32), b: &(u32, f32)| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0));
    if scores.len() > most {
        scores.select_nth_unstable_by(most, order);
        scores.truncate(most);
    }
    scores.sort_unstable_by(order);
    scores.into_iter().map(|(place, _)| place).collect()
}

/// The languages that one note in fifty is in.
pub(super) fn languages(db: &Connection, facts: &Facts) -> Result<Vec<Language>, Fault> {
    let mut found = db.prepare_cached("SELECT code FROM languages WHERE notes * 50 >= ?")?;
    let codes = found.query_map([facts.notes.max(1)], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let mut all: Vec<Language> = codes.iter().filter_map(|code| Language::from_code(code)).collect();
    all.sort_unstable();
    Ok(all)
}

/// What was asked, for whoever ranks.
pub(super) fn rarities(lists: &[Lists]) -> Vec<f32> {
    lists.iter().map(|list| list.rarity).collect()
}

/// The candidates for a question, in the order of their places.
pub(super) fn candidates(
    db: &Connection,
    columns: &Columns,
    facts: &Facts,
    asked: &Asked,
    lists: &[Lists],
    scores: &mut Scores,
    most: usize,
    may: &impl Fn(u32) -> bool,
) -> Result<Vec<Spotted>, Fault> {
    let mut all = by_words(db, columns, facts, lists, scores, most, may)?;
    all.extend(by_meaning(db, columns, &asked.vector, most, may)?);
    all.sort_unstable();
    all.dedup();
    Ok(all.into_iter().map(|place| scores.spotted(place)).collect())
}
