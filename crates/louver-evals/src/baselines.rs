//! How others order notes, to measure beside.

use crate::measure::{BUDGETS, Shelved, tokens};
use crate::pack::Query;
use louver_recall::choose::{head, line};

/// Fewer tokens than this hold no note.
const LEAST: u32 = 12;

/// A way to order notes that others use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Baseline {
    /// Words and meaning, each from 0 to 1 over all notes, half and half; over the root of the note's tokens.
    Hybrid,
    /// BM25.
    Words,
    /// The last first.
    Newest,
}

impl Baseline {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Baseline::Hybrid => "hybrid",
            Baseline::Words => "words",
            Baseline::Newest => "newest",
        }
    }

    /// The notes by their numbers, best first.
    pub(crate) fn order(self, shelf: &Shelved<'_>, query: &Query) -> Vec<u64> {
        let all = 0..shelf.corpus.units.len() as u64;
        if self == Baseline::Newest {
            return all.rev().collect();
        }
        let scores = shelf.index.plain(&shelf.question(query));
        let worth: Vec<f32> = match self {
            Baseline::Hybrid => hybrid(&scores, |at| tokens(&shelf.corpus.units[at].text)),
            _ => scores.iter().map(|[words, _]| *words).collect(),
        };
        let mut order: Vec<u64> = all.filter(|at| worth[*at as usize] > 0.0).collect();
        order.sort_by(|a, b| worth[*b as usize].total_cmp(&worth[*a as usize]));
        order
    }
}

/// Both kinds of scores on one scale, added, over the root of the tokens.
fn hybrid(scores: &[[f32; 2]], tokens: impl Fn(usize) -> u32) -> Vec<f32> {
    let [words, meaning] = [0, 1].map(|kind| {
        let of = || scores.iter().map(move |both| both[kind]);
        let least = of().fold(f32::INFINITY, f32::min);
        let spread = (of().fold(f32::NEG_INFINITY, f32::max) - least).max(f32::EPSILON);
        of().map(|score| (score - least) / spread).collect::<Vec<f32>>()
    });
    let both = words.into_iter().zip(meaning).enumerate();
    both.map(|(at, (words, meaning))| (words + meaning) / (tokens(at).max(1) as f32).sqrt())
        .collect()
}

impl Shelved<'_> {
    /// The share of the evidence within each budget when notes are taken whole, in order, as long as one fits.
    pub(crate) fn taken_whole(&self, order: &[u64], query: &Query, gold: &[u64]) -> [f64; 5] {
        let now = self.question(query).now;
        BUDGETS.map(|budget| {
            let mut left = budget;
            let mut got = 0.0;
            for id in order {
                if left < LEAST {
                    break;
                }
                let unit = &self.corpus.units[*id as usize];
                let note = unit.note(*id);
                // Its day and who said it are enough for one that shows no sources.
                let tokens =
                    tokens(&head(&note, None, true, now)) + tokens(&line(&note, "", &unit.text));
                if tokens <= left {
                    left -= tokens;
                    got += f64::from(u8::from(gold.contains(id)));
                }
            }
            got / gold.len().max(1) as f64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_meaning_count_the_same_and_length_by_its_root() {
        let scores = [[0.0, 0.9], [8.0, 0.1], [4.0, 0.5], [4.0, 0.5]];
        let worth = hybrid(&scores, |at| if at == 3 { 4 } else { 1 });
        assert_eq!(worth, [1.0, 1.0, 1.0, 0.5]);
    }
}
