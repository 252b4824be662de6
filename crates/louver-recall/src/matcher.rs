//! Comparing the words of notes with the terms of a question, each pair once.

use crate::embed::Small;
use crate::question::AskedTerm;
use crate::rank::Shelf;
use crate::reading::Reading;
use crate::wide::wide;

/// What comparing word by word tells of a note.
#[derive(Clone, Copy, Default)]
pub(crate) struct Matched {
    /// How near its nearest words are to the terms.
    pub(crate) near: f32,
    /// The same of its best passage.
    pub(crate) passage_near: f32,
    /// How much of the question its best passage says outright.
    pub(crate) cover: f32,
    /// How much of its best passage is about the question.
    pub(crate) focus: f32,
}

/// How near words are to the terms of a question.
pub(crate) struct Matcher {
    /// What each term is worth, of one.
    shares: Vec<f32>,
    /// What they are worth as a heading is credited with them.
    total: f32,
    /// How telling each term is beside the most telling one.
    telling: Vec<f32>,
    /// Where in `near` the numbers of a word start, by its number.
    starts: Vec<u32>,
    /// For each word one number for each term.
    near: Vec<f32>,
    /// The nearest to each term in a passage, and in its note.
    passage: Vec<f32>,
    whole: Vec<f32>,
}

/// Where the numbers of a word start that nobody says.
const NOWHERE: u32 = u32::MAX;

impl Matcher {
    /// Compares all words of some notes.
    pub(crate) fn new<'a>(
        terms: &[AskedTerm],
        readings: impl Iterator<Item = &'a Reading>,
        shelf: &impl Shelf,
    ) -> Self {
        let rarities: Vec<f32> = terms.iter().map(|term| shelf.rarity(term)).collect();
        let total = rarities.iter().sum::<f32>().max(1e-6);
        let most = rarities.iter().copied().fold(1e-6, f32::max);
        let (mut starts, mut words) = (vec![NOWHERE; shelf.words()], Vec::new());
        for word in readings.flat_map(|reading| &reading.passages).flatten() {
            if let Some(start @ &mut NOWHERE) = starts.get_mut(*word as usize) {
                *start = (words.len() * terms.len()) as u32;
                words.push(*word);
            }
        }
        let mut near = compared(terms, &words, shelf);
        for (at, term) in terms.iter().enumerate() {
            for form in shelf.forms(term) {
                if let Some(start) = starts.get(form as usize).filter(|at| **at != NOWHERE) {
                    near[*start as usize + at] = 1.0;
                }
            }
        }
        Matcher {
            shares: rarities.iter().map(|rarity| rarity / total).collect(),
            total,
            telling: rarities.iter().map(|rarity| (rarity / most).sqrt()).collect(),
            starts,
            near,
            passage: vec![0.0; terms.len()],
            whole: vec![0.0; terms.len()],
        }
    }

    /// What the words of one of the notes tell, whose heading has this credit. What the heading says the
    /// text need not.
    pub(crate) fn note(&mut self, reading: &Reading, heading: f32) -> Matched {
        let above = (heading / self.total).min(1.0);
        let mut matched = Matched { passage_near: above, ..Matched::default() };
        self.whole.fill(0.0);
        let written = written(reading);
        for passage in &reading.passages {
            let focus = self.passage(passage, written);
            let Matcher { passage: best, whole, .. } = self;
            whole.iter_mut().zip(&*best).for_each(|(whole, best)| *whole = whole.max(*best));
            let exact = |best: &f32| if *best >= 1.0 { 1.0 } else { 0.0 };
            let best = &self.passage;
            matched.passage_near = matched.passage_near.max(self.weigh(best.iter().copied()));
            matched.cover = matched.cover.max(self.weigh(best.iter().map(exact)));
            matched.focus = matched.focus.max(focus);
        }
        matched.near = self.weigh(self.whole.iter().copied()).max(above);
        matched
    }

    /// How near the words of a passage are on the whole, of which such a share is written. How near the
    /// nearest is to each term is left in `passage`.
    fn passage(&mut self, words: &[u32], written: f32) -> f32 {
        let Matcher { passage: best, near, telling, starts, .. } = self;
        best.fill(0.0);
        // Wide enough that it comes out the same in whatever order the words stand.
        let mut sum = 0f64;
        for word in words {
            let start = starts.get(*word as usize).map_or(NOWHERE, |start| *start);
            let Some(near) = near.get(start as usize..) else { continue };
            let mut most = 0f32;
            for ((best, near), telling) in best.iter_mut().zip(near).zip(&*telling) {
                most = most.max(near * telling);
                *best = best.max(*near);
            }
            sum += f64::from(most);
        }
        sum as f32 * written / (words.len() as f32 * written + 3.0)
    }

    /// How much of each sentence of the question the best passage of a note covers, of sentences that have these terms.
    pub(crate) fn covers(
        &mut self,
        reading: &Reading,
        heading: f32,
        sentences: &[Vec<usize>],
    ) -> Vec<f32> {
        let Matcher { shares, .. } = &*self;
        let share = |terms: &Vec<usize>| terms.iter().map(|at| shares[*at]).sum::<f32>().max(1e-6);
        let all: Vec<f32> = sentences.iter().map(share).collect();
        let mut most = vec![(heading / self.total).min(1.0); sentences.len()];
        let written = written(reading);
        for passage in &reading.passages {
            self.passage(passage, written);
            for ((most, terms), all) in most.iter_mut().zip(sentences).zip(&all) {
                let near = terms.iter().map(|at| self.passage[*at] * self.shares[*at]);
                *most = most.max(near.sum::<f32>() / all);
            }
        }
        most
    }

    fn weigh(&self, values: impl Iterator<Item = f32>) -> f32 {
        values.zip(&self.shares).map(|(value, share)| value * share).sum()
    }
}

/// The share of the words in a note's passages that its text has. The rest are other ways to write some of
/// them, and a note with hyphens is about no more than one without.
fn written(reading: &Reading) -> f32 {
    let all: usize = reading.passages.iter().map(|passage| passage.len()).sum();
    (reading.length as f32 / all.max(1) as f32).min(1.0)
}

/// So many words are fetched before they are compared: each lies elsewhere in memory, and waiting for some
/// takes hardly longer than waiting for one.
const FETCHED: usize = 16;

/// So many bytes of memory come at once.
const LINE: usize = 64;

/// How near each word is to each term, by what they mean.
fn compared(terms: &[AskedTerm], words: &[u32], shelf: &impl Shelf) -> Vec<f32> {
    let mut near = vec![0.0; words.len() * terms.len()];
    let dims = terms.first().map_or(0, |term| term.vector.data.len());
    if dims == 0 {
        return near;
    }
    // Numbers of this size multiply twice as fast.
    let widened = |vector: &Small, out: &mut [i16]| {
        out.iter_mut().zip(&vector.data).for_each(|(wide, number)| *wide = i16::from(*number));
    };
    let mut asked = vec![0i16; dims * terms.len()];
    terms.iter().zip(asked.chunks_mut(dims)).for_each(|(term, out)| widened(&term.vector, out));
    let mut fetched = vec![0i16; dims * FETCHED];
    let mut scales = [0f32; FETCHED];
    for (words, near) in words.chunks(FETCHED).zip(near.chunks_mut(FETCHED * terms.len())) {
        // A number from each line of memory that is needed, before any of them is worked with.
        let ahead = words.iter().filter_map(|word| shelf.word(*word));
        let lines = ahead.flat_map(|vector| vector.data.iter().step_by(LINE));
        std::hint::black_box(lines.fold(0, |all, number| all ^ number));
        for ((word, out), scale) in words.iter().zip(fetched.chunks_mut(dims)).zip(&mut scales) {
            let vector = shelf.word(*word);
            *scale = vector.map_or(0.0, |vector| vector.scale);
            vector.into_iter().for_each(|vector| widened(vector, out));
        }
        let rows = near.chunks_mut(terms.len()).zip(fetched.chunks(dims)).zip(&scales);
        wide(
            #[inline(always)]
            || {
                for ((row, word), scale) in rows {
                    for ((near, wide), term) in row.iter_mut().zip(asked.chunks(dims)).zip(terms) {
                        let both = word.iter().zip(wide);
                        let product: i32 = both.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
                        *near = product as f32 * scale * term.vector.scale;
                    }
                }
            },
        );
    }
    near
}
