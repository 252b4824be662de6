//! Finding notes: the best by words and the best by meaning, as `louver_recall::index` finds them.

use louver_recall::compounds::joined;
use louver_recall::days;
use louver_recall::embed::Small;
use louver_recall::index::{COMMON, apart, credit, weight};
use louver_recall::languages::Language;
use louver_recall::lexicon::{LOOKED_AT, Lexicon};
use louver_recall::question::{Asked, AskedTerm, rarity};
use louver_recall::wide::wide;
use rusqlite::Connection;

use super::columns::Columns;
use super::error::LibraryError;
use super::facts::Facts;
use super::packed::{Plane, Planes};
use super::postings::{self, Head, Posting};
use super::words::Words;

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
    weight: f32,
    /// Each form that a note says: its number, its list, its spelling.
    pub(super) forms: Vec<(u32, Head, String)>,
    /// How many notes say each form. Those that wait are in its list and do not count.
    notes: Vec<u32>,
}

impl Lists {
    /// How many notes say it.
    pub(super) fn notes(&self) -> u64 {
        self.notes.iter().copied().map(u64::from).sum()
    }
}

/// The lists of a question's terms, and how telling each is: the rarer, the more.
pub(super) fn lists(
    db: &Connection,
    words: &mut Words,
    facts: &Facts,
    terms: &[AskedTerm],
) -> Result<Vec<Lists>, LibraryError> {
    let facts = words.waiting.without(facts);
    let mut found = Vec::with_capacity(terms.len());
    for term in terms {
        let (mut forms, mut notes) = (Vec::new(), Vec::new());
        for form in &term.forms {
            if let Some(word) = words.find(db, form)? {
                let head = postings::head(db, word)?.unwrap_or_default();
                let says = words.waiting.says(db, word, &head)?;
                if says > 0 {
                    notes.push(says);
                    forms.push((word, head, form.clone()));
                }
            }
        }
        let mut lists = Lists { rarity: 0.0, weight: 0.0, forms, notes };
        lists.rarity = rarity(term, lists.notes(), facts.notes as usize);
        lists.weight = weight(term, lists.rarity);
        found.push(lists);
    }
    Ok(found)
}

/// The words of a library.
pub(super) struct Said<'a> {
    pub(super) db: &'a Connection,
    pub(super) words: &'a mut Words,
}

impl Said<'_> {
    /// Whether a word of the library is said by a note that does not wait.
    fn counts(&mut self, word: &str) -> Result<bool, LibraryError> {
        Ok(self.words.waiting.is_empty() || self.words.is_said(self.db, word)?)
    }
}

impl Lexicon for Said<'_> {
    type Error = LibraryError;

    fn says(&mut self, word: &str) -> Result<bool, LibraryError> {
        self.words.is_said(self.db, word)
    }

    fn around(&mut self, pieces: &[&str]) -> Result<Vec<(usize, String)>, LibraryError> {
        let mut found = self.db.prepare_cached("SELECT term FROM words")?;
        let (mut rows, mut around) = (found.query([])?, Vec::new());
        while let Some(row) = rows.next()? {
            let word = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            let before = around.len();
            around.extend(joined(word, pieces));
            if around.len() > before && !self.counts(word)? {
                around.truncate(before);
            }
        }
        Ok(around)
    }

    fn beginning(&mut self, begin: &str, each: &mut dyn FnMut(&str)) -> Result<(), LibraryError> {
        let beginning = "SELECT term FROM words WHERE term >= ? AND term < ? ORDER BY term LIMIT ?";
        let mut found = self.db.prepare_cached(beginning)?;
        let end = format!("{begin}{}", char::MAX);
        let mut rows = found.query((begin, end, LOOKED_AT as i64))?;
        while let Some(row) = rows.next()? {
            let word = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            if self.counts(word)? {
                each(word);
            }
        }
        Ok(())
    }
}

/// Scores by place. Kept between questions, because clearing a few is cheaper than making many.
#[derive(Debug, Default)]
pub(super) struct Scores {
    words: Vec<f32>,
    heading: Vec<f32>,
    touched: Vec<u32>,
    /// What was touched and may be found, with its score.
    found: Vec<(u32, f32)>,
    /// How far each note is from the question, in bits.
    apart: Vec<u16>,
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

/// What is searched, and for how much.
pub(super) struct Search<'a, M> {
    pub(super) db: &'a Connection,
    pub(super) columns: &'a Columns,
    pub(super) facts: &'a Facts,
    /// So many are found by words, and so many by meaning.
    pub(super) most: usize,
    /// Whether a place may be found.
    pub(super) may: &'a M,
}

impl<M: Fn(u32) -> bool> Search<'_, M> {
    /// The candidates for a question, in the order of their places.
    pub(super) fn candidates(
        &self,
        asked: &Asked,
        lists: &[Lists],
        words: &mut Words,
        scores: &mut Scores,
    ) -> Result<Vec<Spotted>, LibraryError> {
        let facts = words.waiting.without(self.facts);
        let mean = (facts.length as f32 / facts.notes.max(1) as f32).max(1.0);
        let mut all = self.by_words(lists, mean, scores)?;
        all.extend(self.by_meaning(&asked.vector, &mut scores.apart));
        all.extend(self.by_days(asked, words)?);
        all.extend(self.by_task(asked, words)?);
        all.sort_unstable();
        all.dedup();
        Ok(all.into_iter().map(|place| scores.spotted(place)).collect())
    }

    /// The best notes by BM25 of their texts and headings.
    fn by_words(
        &self,
        lists: &[Lists],
        mean: f32,
        scores: &mut Scores,
    ) -> Result<Vec<u32>, LibraryError> {
        scores.clear(self.columns.lengths.len());
        let mut order: Vec<usize> = (0..lists.len()).collect();
        order.sort_by(|a, b| lists[*b].rarity.total_cmp(&lists[*a].rarity));
        // What may not be known brings nothing in.
        let (mut sorted, mut known) = (0, 0);
        for at in order {
            let weight = lists[at].weight;
            for ((word, head, _), notes) in lists[at].forms.iter().zip(&lists[at].notes) {
                let Scores { words, heading, touched, .. } = &mut *scores;
                let credit = |posting: Posting, words: &mut [f32], heading: &mut [f32]| {
                    let place = posting.place as usize;
                    let long = f32::from(self.columns.lengths[place]) / mean;
                    let (said, headed) = credit(weight, posting.body, posting.head, long);
                    words[place] += said;
                    // Few have one, and what is not touched need not be fetched.
                    if headed > 0.0 {
                        heading[place] += headed;
                    }
                };
                if *notes as usize > COMMON && known / 2 >= self.most {
                    if sorted != touched.len() {
                        touched.sort_unstable();
                        sorted = touched.len();
                    }
                    postings::scan_for(self.db, *word, head, touched, |posting| {
                        credit(posting, words, heading)
                    })?;
                    continue;
                }
                let places = words.len();
                postings::scan(self.db, *word, head, |posting| {
                    let place = posting.place as usize;
                    if place < places {
                        if words[place] == 0.0 {
                            touched.push(posting.place);
                            known += usize::from((self.may)(posting.place));
                        }
                        credit(posting, words, heading);
                    }
                })?;
            }
        }
        let Scores { words, touched, found, .. } = scores;
        let may = touched.iter().filter(|place| (self.may)(**place));
        found.clear();
        found.extend(may.map(|place| (*place, words[*place as usize])));
        Ok(best(found, self.most))
    }

    /// The notes of the days that are asked for, the last first.
    fn by_days(&self, asked: &Asked, words: &mut Words) -> Result<Vec<u32>, LibraryError> {
        let mut all = Vec::new();
        for day in days::asked(&asked.spans, asked.now) {
            all.extend(self.listed_under(&days::word(day), words)?);
            if all.len() >= self.most {
                all.truncate(self.most);
                break;
            }
        }
        Ok(all)
    }

    /// The notes whose box says what is asked for, the last first.
    fn by_task(&self, asked: &Asked, words: &mut Words) -> Result<Vec<u32>, LibraryError> {
        let Some(word) = asked.task.word() else { return Ok(Vec::new()) };
        let mut all = self.listed_under(word, words)?;
        all.truncate(self.most);
        Ok(all)
    }

    /// The notes that are listed under a word, the last first.
    fn listed_under(&self, word: &str, words: &mut Words) -> Result<Vec<u32>, LibraryError> {
        let Some(word) = words.find(self.db, word)? else { return Ok(Vec::new()) };
        let head = postings::head(self.db, word)?.unwrap_or_default();
        let mut places = Vec::new();
        postings::scan(self.db, word, &head, |posting| places.push(posting.place))?;
        Ok(places.into_iter().rev().filter(|place| (self.may)(*place)).collect())
    }

    /// The notes whose vectors are nearest.
    ///
    /// The first pass compares one bit per number, the second the numbers of what is left.
    fn by_meaning(&self, asked: &Small, apart: &mut Vec<u16>) -> Vec<u32> {
        let Columns { sketches, sizes, .. } = self.columns;
        let near = near(self.columns, &asked.sketch(), self.most * 6, self.may, apart);
        let asked = Planes::of(asked);
        let mut scored: Vec<(u32, f32)> = near.into_iter().map(|place| (place, 0.0)).collect();
        wide(
            #[inline(always)]
            || {
                for (place, near) in &mut scored {
                    *near = asked.near(&sketches[*place as usize], &sizes[*place as usize]);
                }
            },
        );
        best(&mut scored, self.most)
    }
}

/// The places whose sketches differ least, `most` of them and those that differ as much as the last.
fn near(
    columns: &Columns,
    asked: &Plane,
    most: usize,
    may: &impl Fn(u32) -> bool,
    apart: &mut Vec<u16>,
) -> Vec<u32> {
    apart.resize(columns.sketches.len(), 0);
    wide(
        #[inline(always)]
        || {
            let all = apart.iter_mut().zip(&columns.sketches);
            all.for_each(|(far, sketch)| *far = self::apart(sketch, asked));
        },
    );
    // Counting all is slow, and so is asking about each: some tell about where the last will be.
    let some = limit(apart.iter().step_by(SOME), most.div_ceil(SOME / 2));
    let mut close = within(columns, apart, some, may);
    if close.len() < most && some < FAR {
        close = within(columns, apart, FAR, may);
    }
    let last = limit(close.iter().map(|place| &apart[*place as usize]), most);
    close.retain(|place| apart[*place as usize] <= last);
    close
}

/// One in so many is counted to guess, and so many are looked at together.
const SOME: usize = 16;

/// The places that may be found and differ no more than this.
fn within(columns: &Columns, apart: &[u16], limit: u16, may: &impl Fn(u32) -> bool) -> Vec<u32> {
    // Most differ more, and whether all of some do is told at once.
    let mut places = Vec::new();
    for (first, some) in (0u32..).step_by(SOME).zip(apart.chunks(SOME)) {
        if some.iter().fold(false, |any, apart| any | (*apart <= limit)) {
            let near = (first..).zip(some).filter(|(_, apart)| **apart <= limit);
            let found = near.map(|(place, _)| place);
            places.extend(found.filter(|place| columns.has(*place as usize) && may(*place)));
        }
    }
    places
}

/// No two sketches differ more.
const FAR: u16 = 256;

/// How much the last of the `most` nearest differs.
fn limit<'a>(apart: impl Iterator<Item = &'a u16>, most: usize) -> u16 {
    let mut counts = [0usize; FAR as usize + 1];
    apart.for_each(|apart| counts[usize::from(*apart)] += 1);
    let mut left = most;
    let limit = counts.iter().position(|count| {
        left = left.saturating_sub(*count);
        left == 0
    });
    limit.map_or(FAR, |limit| limit as u16)
}

/// The places with the highest scores. Of equals, the newest.
fn best(scores: &mut Vec<(u32, f32)>, most: usize) -> Vec<u32> {
    let order = |a: &(u32, f32), b: &(u32, f32)| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0));
    if scores.len() > most {
        scores.select_nth_unstable_by(most, order);
        scores.truncate(most);
    }
    scores.sort_unstable_by(order);
    scores.iter().map(|(place, _)| *place).collect()
}

/// The languages that one note in fifty is in.
pub(super) fn languages(db: &Connection, facts: &Facts) -> Result<Vec<Language>, LibraryError> {
    let mut found = db.prepare_cached("SELECT code FROM languages WHERE notes * 50 >= ?")?;
    let codes = found
        .query_map([facts.notes.max(1)], |row| row.get::<_, String>(0))?
        .collect::<Result<Vec<_>, _>>()?;
    let mut all: Vec<Language> =
        codes.iter().filter_map(|code| Language::from_code(code)).collect();
    all.sort_unstable();
    Ok(all)
}
