//! Notes in memory, found by their words and by their meaning.
//!
//! What finds (`by_words`, `by_meaning`) gives plain lists of places and scores, and what ranks asks
//! for the rest through [`Shelf`]: an index on disk can stand in for this one.

use crate::again::asked_before;
use crate::compounds::joined;
use crate::corrected::may_be_put_right;
use crate::days;
use crate::embed::{Embeddings, Small, shipped};
use crate::languages::Language;
use crate::lexicon::{LOOKED_AT, Lexicon, widen};
use crate::note::{Note, Voice};
use crate::question::{self, Asked, AskedTerm, Question};
use crate::rank::{Candidate, Changes, Shelf};
use crate::reading::{self, Reading};
use crate::talk::Talks;
use crate::words::{self, Kind};
use std::collections::HashMap;
use std::convert::Infallible;

/// Where terms stop being found one by one: BM25's usual saturation and length penalty.
const SATURATION: f32 = 1.2;
const LENGTH_PENALTY: f32 = 0.75;

/// A term that more notes have than this brings in no new ones once rarer terms have found enough.
pub const COMMON: usize = 4_000;

/// What a term weighs that is so rare: half of a name that was taken apart are its parts.
pub fn weight(term: &AskedTerm, rarity: f32) -> f32 {
    rarity * if term.kind == Kind::Whole { 0.5 } else { 1.0 }
}

/// What a term adds to a note that says it so often in its text and in its heading: BM25 of both, and
/// of the heading alone. `long` is the note's length over the mean of all.
#[inline(always)]
pub fn credit(weight: f32, body: u16, head: u16, long: f32) -> (f32, f32) {
    let saturated = |times: f32| weight * times * (SATURATION + 1.0) / (times + SATURATION);
    let long = 1.0 - LENGTH_PENALTY + LENGTH_PENALTY * long;
    let (body, head) = (f32::from(body), f32::from(head));
    (saturated(body / long + head), if head > 0.0 { saturated(head) } else { 0.0 })
}

/// How many bits of two sketches differ.
#[inline(always)]
pub fn apart(a: &[u64; 4], b: &[u64; 4]) -> u16 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones() as u16).sum()
}

/// Notes in memory.
pub struct Index {
    table: Embeddings<'static>,
    held: Vec<Option<Held>>,
    /// Beside `held` and small, because every posting of a common word is looked up here.
    lengths: Vec<u32>,
    sketches: Vec<[u64; 4]>,
    places: HashMap<u64, u32>,
    lexicon: HashMap<Box<str>, u32>,
    postings: Vec<Vec<Posting>>,
    word_vectors: Vec<Small>,
    spellings: Vec<Box<str>>,
    sessions: HashMap<String, Session>,
    languages: HashMap<Language, u32>,
    total_length: u64,
}

/// A note and what was worked out when it was added.
struct Held {
    note: Note,
    reading: Reading,
    language: Language,
    terms: Box<[u32]>,
}

/// The notes of a session, and how far it has come.
#[derive(Default)]
struct Session {
    places: Vec<u32>,
    talks: Talks,
}

/// How often a note says a term, in its text and in its heading.
#[derive(Clone, Copy)]
struct Posting {
    place: u32,
    body: u16,
    head: u16,
}

impl Default for Index {
    fn default() -> Self {
        Index::new()
    }
}

impl Index {
    /// No notes yet, and the vectors this was built with.
    pub fn new() -> Self {
        Index::with(shipped())
    }

    /// No notes yet, and other vectors.
    pub fn with(table: Embeddings<'static>) -> Self {
        Index {
            table,
            held: Vec::new(),
            lengths: Vec::new(),
            sketches: Vec::new(),
            places: HashMap::new(),
            lexicon: HashMap::new(),
            postings: Vec::new(),
            word_vectors: Vec::new(),
            spellings: Vec::new(),
            sessions: HashMap::new(),
            languages: HashMap::new(),
            total_length: 0,
        }
    }

    /// How many notes there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The vectors notes and questions are compared with.
    pub fn table(&self) -> &Embeddings<'static> {
        &self.table
    }

    /// The note with this id.
    pub fn get(&self, id: u64) -> Option<&Note> {
        self.note(*self.places.get(&id)?)
    }

    /// Adds a note, or replaces the one with its id. It can be found at once.
    pub fn add(&mut self, note: Note) {
        self.remove(note.id);
        let place = self.held.len() as u32;
        let table = self.table;
        let found = reading::read(&note, &table, |term, surface| self.term(term, surface));
        for (id, (body, head)) in &found.counts {
            self.postings[*id as usize].push(Posting { place, body: *body, head: *head });
        }
        let mut reading = found.reading;
        if !note.session.is_empty() {
            let session = self.sessions.entry(note.session.clone()).or_default();
            reading.spot = session.talks.spot(note.at);
            session.places.push(place);
        }
        *self.languages.entry(found.language).or_default() += 1;
        self.total_length += u64::from(reading.length);
        self.places.insert(note.id, place);
        self.lengths.push(reading.length);
        self.sketches.push(reading.vector.sketch());
        let terms = found.counts.iter().map(|(id, _)| *id).collect();
        self.held.push(Some(Held { note, reading, language: found.language, terms }));
    }

    /// Takes a note out, for good. Whether there was one.
    pub fn remove(&mut self, id: u64) -> bool {
        let Some(place) = self.places.remove(&id) else { return false };
        let Some(held) = self.held[place as usize].take() else { return false };
        for term in held.terms {
            let list = &mut self.postings[term as usize];
            if let Ok(at) = list.binary_search_by_key(&place, |posting| posting.place) {
                list.remove(at);
            }
        }
        if let Some(session) = self.sessions.get_mut(&held.note.session) {
            session.places.retain(|other| *other != place);
        }
        self.total_length -= u64::from(held.reading.length);
        if let Some(count) = self.languages.get_mut(&held.language) {
            *count -= 1;
        }
        true
    }

    fn term(&mut self, text: &str, surface: &str) -> u32 {
        if let Some(id) = self.lexicon.get(text).copied() {
            let spelling = &mut self.spellings[id as usize];
            if let Some(plainer) = words::plainer(surface, spelling) {
                self.word_vectors[id as usize] = Small::from(&self.table.embed(&plainer));
                *spelling = plainer.into();
            }
            return id;
        }
        let (id, spelling) = (self.postings.len() as u32, words::fold(surface));
        self.lexicon.insert(text.into(), id);
        self.postings.push(Vec::new());
        self.word_vectors.push(Small::from(&self.table.embed(&spelling)));
        self.spellings.push(spelling.into());
        id
    }

    /// The languages that one note in fifty is in.
    pub fn languages(&self) -> Vec<Language> {
        let enough = |count: u32| count as usize * 50 >= self.len().max(1);
        let mut all: Vec<Language> = self
            .languages
            .iter()
            .filter(|(_, count)| enough(**count))
            .map(|(language, _)| *language)
            .collect();
        all.sort_unstable();
        all
    }

    /// Gives terms that no note says the words they may be instead.
    pub(crate) fn widen(&self, asked: &mut Asked) {
        let Ok(()) = widen(asked, &self.languages(), &mut Said(self));
    }

    fn lists(&self, term: &AskedTerm) -> impl Iterator<Item = (u32, &[Posting])> {
        let ids = term.forms.iter().filter_map(|form| self.lexicon.get(form.as_str()).copied());
        ids.map(|id| (id, self.postings[id as usize].as_slice()))
    }

    /// What can be found for a question: the best by words and the best by meaning, `most` of each.
    ///
    /// Notes that `may` refuses are not among them.
    pub fn candidates(
        &self,
        asked: &Asked,
        most: usize,
        may: &dyn Fn(&Note) -> bool,
    ) -> Vec<Candidate> {
        let may = |place: u32| self.note(place).is_some_and(may);
        let scores = self.by_words(&asked.terms, most, &may);
        let mut all: Vec<u32> = scores.best.clone();
        all.extend(self.by_meaning(&asked.vector, most, &may));
        all.extend(self.by_days(asked, most, &may));
        all.extend(self.by_task(asked, most, &may));
        all.sort_unstable();
        all.dedup();
        let candidate = |place: u32| Candidate {
            place,
            words: scores.words[place as usize],
            heading: scores.heading[place as usize],
        };
        let mut found: Vec<Candidate> = all.iter().copied().map(candidate).collect();
        let asks = |place: u32| self.reading(place).is_some_and(|reading| reading.only_asks);
        let known: Vec<(f32, bool)> =
            found.iter().map(|one| (one.words, asks(one.place))).collect();
        let answers = asked_before(&known).filter_map(|at| self.beside(all[at])[1]);
        let by_person = |one: &Candidate| (one.words, self.is_by_person(one.place));
        let likeliest = may_be_put_right(&found.iter().map(by_person).collect::<Vec<_>>());
        let said_next = likeliest.into_iter().filter_map(|at| self.said_next(all[at]));
        let mut besides: Vec<u32> = answers.chain(said_next).collect();
        besides.sort_unstable();
        besides.dedup();
        for place in besides.into_iter().filter(|place| may(*place) && !all.contains(place)) {
            found.push(Candidate { place, words: 0.0, heading: 0.0 });
        }
        found.sort_unstable_by_key(|one| one.place);
        found
    }

    fn is_by_person(&self, place: u32) -> bool {
        self.note(place).is_some_and(|note| note.voice == Voice::Person)
    }

    /// What the person said next in a session, perhaps after an answer.
    fn said_next(&self, place: u32) -> Option<u32> {
        let places = &self.sessions.get(&self.note(place)?.session)?.places;
        let at = places.binary_search(&place).ok()?;
        let mut after = places[at + 1..].iter().copied().take(2);
        let next = after.next()?;
        let said = if self.is_by_person(next) { next } else { after.next()? };
        self.is_by_person(said).then_some(said)
    }

    /// For every place BM25 of the note's text and the cosine to the question: what others rank by.
    pub fn plain(&self, question: &Question) -> Vec<[f32; 2]> {
        let asked = question::read(question, &self.languages(), &self.table);
        let words = self.by_words(&asked.terms, usize::MAX, &|_| true).words;
        let cosine =
            |place| self.reading(place).map_or(0.0, |reading| asked.vector.dot(&reading.vector));
        words.into_iter().zip(0..).map(|(words, place)| [words, cosine(place)]).collect()
    }

    /// BM25 of notes and of their headings.
    ///
    /// Rare terms come first. Once they have found enough notes, a term that is in very many
    /// no longer brings in new ones; it only adds to those that are in.
    fn by_words(&self, terms: &[AskedTerm], most: usize, may: &impl Fn(u32) -> bool) -> Scores {
        let rarities: Vec<f32> = terms.iter().map(|term| self.rarity(term)).collect();
        let mut scores = Scores {
            words: vec![0.0; self.held.len()],
            heading: vec![0.0; self.held.len()],
            best: Vec::new(),
        };
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by(|a, b| rarities[*b].total_cmp(&rarities[*a]));
        let (mut touched, mut known): (Vec<u32>, usize) = (Vec::new(), 0);
        let mean = (self.total_length as f32 / self.len().max(1) as f32).max(1.0);
        for at in order {
            let weight = weight(&terms[at], rarities[at]);
            for (_, list) in self.lists(&terms[at]) {
                if list.len() > COMMON && known / 2 >= most {
                    for place in &touched {
                        if let Ok(at) = list.binary_search_by_key(place, |posting| posting.place) {
                            self.credit(list[at], weight, mean, &mut scores);
                        }
                    }
                    continue;
                }
                for posting in list {
                    if scores.words[posting.place as usize] == 0.0 {
                        touched.push(posting.place);
                        known += usize::from(may(posting.place));
                    }
                    self.credit(*posting, weight, mean, &mut scores);
                }
            }
        }
        let scored =
            touched.into_iter().map(|place| (place, scores.words[place as usize])).collect();
        scores.best = best(scored, most, may);
        scores
    }

    fn credit(&self, posting: Posting, weight: f32, mean: f32, scores: &mut Scores) {
        let place = posting.place as usize;
        let long = self.lengths[place] as f32 / mean;
        let (words, heading) = credit(weight, posting.body, posting.head, long);
        scores.words[place] += words;
        scores.heading[place] += heading;
    }

    /// The notes of the days that are asked for, the last first.
    fn by_days(&self, asked: &Asked, most: usize, may: &impl Fn(u32) -> bool) -> Vec<u32> {
        let words = days::asked(&asked.spans, asked.now).into_iter().map(days::word);
        let lists = words.filter_map(|word| self.lexicon.get(word.as_str()));
        let postings = lists.flat_map(|id| self.postings[*id as usize].iter().rev());
        postings.map(|posting| posting.place).filter(|place| may(*place)).take(most).collect()
    }

    /// The notes whose box says what is asked for, the last first.
    fn by_task(&self, asked: &Asked, most: usize, may: &impl Fn(u32) -> bool) -> Vec<u32> {
        let list = asked.task.word().and_then(|word| self.lexicon.get(word));
        let postings = list.into_iter().flat_map(|id| self.postings[*id as usize].iter().rev());
        postings.map(|posting| posting.place).filter(|place| may(*place)).take(most).collect()
    }

    /// The notes whose vectors are nearest.
    ///
    /// The first pass compares one bit per number, the second the numbers of what is left.
    fn by_meaning(&self, vector: &Small, most: usize, may: &impl Fn(u32) -> bool) -> Vec<u32> {
        let asked = vector.sketch();
        let sketches = self.sketches.iter().zip(0u32..).zip(&self.held);
        let there = sketches.filter(|((_, place), held)| held.is_some() && may(*place));
        let apart: Vec<(u32, u16)> =
            there.map(|((sketch, place), _)| (place, self::apart(sketch, &asked))).collect();
        let mut at = [0usize; 257];
        apart.iter().for_each(|(_, apart)| at[usize::from(*apart)] += 1);
        let mut left = most.saturating_mul(6);
        let limit = (0..257).find(|apart| {
            left = left.saturating_sub(at[*apart]);
            left == 0
        });
        let limit = limit.unwrap_or(256) as u16;
        let near = apart.iter().filter(|(_, apart)| *apart <= limit);
        let scored =
            near.filter_map(|(place, _)| Some((*place, self.reading(*place)?.vector.dot(vector))));
        best(scored.collect(), most, may)
    }
}

struct Scores {
    words: Vec<f32>,
    heading: Vec<f32>,
    best: Vec<u32>,
}

impl Shelf for Index {
    fn note(&self, place: u32) -> Option<&Note> {
        self.held.get(place as usize)?.as_ref().map(|held| &held.note)
    }

    fn text(&self, place: u32) -> Option<&str> {
        self.note(place).map(|note| note.text.as_str())
    }

    fn reading(&self, place: u32) -> Option<&Reading> {
        self.held.get(place as usize)?.as_ref().map(|held| &held.reading)
    }

    fn beside(&self, place: u32) -> [Option<u32>; 2] {
        let Some(session) = self.note(place).and_then(|note| self.sessions.get(&note.session))
        else {
            return [None; 2];
        };
        let places = &session.places;
        let Ok(at) = places.binary_search(&place) else { return [None; 2] };
        let talk = |place: u32| self.reading(place).map(|reading| reading.spot.talk);
        [at.checked_sub(1), Some(at + 1)]
            .map(|at| places.get(at?).copied().filter(|other| talk(*other) == talk(place)))
    }

    fn resumed(&self, place: u32) -> Option<u32> {
        let talk = |place: u32| self.reading(place).map(|reading| reading.spot.talk);
        self.said_next(place).filter(|next| talk(*next) != talk(place))
    }

    fn words(&self) -> usize {
        self.word_vectors.len()
    }

    fn word(&self, word: u32) -> Option<&Small> {
        self.word_vectors.get(word as usize)
    }

    fn changes(&self, word: u32) -> Changes {
        self.spellings.get(word as usize).map_or(Changes::No, |word| Changes::of(word))
    }

    fn forms(&self, term: &AskedTerm) -> Vec<u32> {
        self.lists(term).map(|(id, _)| id).collect()
    }

    fn notes(&self) -> usize {
        self.len()
    }

    fn length(&self) -> u64 {
        self.total_length
    }

    fn rarity(&self, term: &AskedTerm) -> f32 {
        let with: u64 = self.lists(term).map(|(_, list)| list.len() as u64).sum();
        question::rarity(term, with, self.len())
    }
}

/// The places with the highest scores that may be used. Of equals, the newest.
fn best(mut scores: Vec<(u32, f32)>, most: usize, may: &impl Fn(u32) -> bool) -> Vec<u32> {
    let order = |a: &(u32, f32), b: &(u32, f32)| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0));
    // Asking about each is slow, and nearly all may: so only those are asked about that would be in.
    let first = most.saturating_mul(2);
    if scores.len() > first {
        scores.select_nth_unstable_by(first, order);
        scores[..first].sort_unstable_by(order);
        let found: Vec<u32> = scores[..first]
            .iter()
            .map(|(place, _)| *place)
            .filter(|place| may(*place))
            .take(most)
            .collect();
        if found.len() == most {
            return found;
        }
    }
    scores.sort_unstable_by(order);
    scores.into_iter().map(|(place, _)| place).filter(|place| may(*place)).take(most).collect()
}

/// The words of an index that a note still says.
struct Said<'a>(&'a Index);

impl Lexicon for Said<'_> {
    type Error = Infallible;

    fn says(&mut self, word: &str) -> Result<bool, Infallible> {
        let id = self.0.lexicon.get(word);
        Ok(id.is_some_and(|id| !self.0.postings[*id as usize].is_empty()))
    }

    fn around(&mut self, pieces: &[&str]) -> Result<Vec<(usize, String)>, Infallible> {
        let said =
            self.0.lexicon.iter().filter(|(_, id)| !self.0.postings[**id as usize].is_empty());
        Ok(said.flat_map(|(word, _)| joined(word, pieces)).collect())
    }

    fn beginning(&mut self, begin: &str, each: &mut dyn FnMut(&str)) -> Result<(), Infallible> {
        let begins = self.0.lexicon.iter().filter(|(word, _)| word.starts_with(begin));
        let said = begins.filter(|(_, id)| !self.0.postings[**id as usize].is_empty());
        let mut words: Vec<&str> = said.map(|(word, _)| &**word).collect();
        words.sort_unstable();
        words.into_iter().take(LOOKED_AT).for_each(each);
        Ok(())
    }
}
