//! Counting with a memory: a text that was counted once is not counted again.
//!
//! Most of a turn's text is the text of the turn before. The counter remembers counts by the
//! text's hash, so a warm turn hashes its text and tokenizes only what is new.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::tokens::{Encoding, Tokens};

/// How a model's tokens are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// With the model's own vocabulary.
    Exact(Encoding),
    /// With another vocabulary and a factor, for models whose own is not public.
    Estimate {
        /// The vocabulary that is counted with.
        by: Encoding,
        /// The factor, in hundredths.
        percent: u32,
    },
    /// A word is a token. For specifications that a reader can count along.
    Words,
}

/// A text's hash: it names the text in the ledger and finds its count again.
pub type Hash = u128;

/// The hash of a text.
pub fn hash(text: &str) -> Hash {
    xxh3_128(text.as_bytes())
}

/// Counts tokens and remembers what it counted.
///
/// One counter can serve many sessions and threads. What it remembers never changes a result.
#[derive(Debug)]
pub struct Counter {
    counting: Counting,
    memo: Mutex<Memo>,
}

type Memo = HashMap<Hash, u32, BuildHasherDefault<AlreadyHashed>>;

/// When the memo has this many texts it starts anew: about 4 MB.
const MOST_REMEMBERED: usize = 1 << 17;

impl Counter {
    /// A counter that has counted nothing yet.
    pub fn new(counting: Counting) -> Self {
        Counter { counting, memo: Mutex::default() }
    }

    /// How it counts.
    pub fn counting(&self) -> Counting {
        self.counting
    }

    /// The tokens of a text.
    pub fn count(&self, text: &str) -> Tokens {
        self.count_hashed(text, hash(text))
    }

    /// The tokens of a text whose hash is at hand.
    pub fn count_hashed(&self, text: &str, hash: Hash) -> Tokens {
        self.scale(self.raw(text, hash))
    }

    /// The tokens of the whole text, dealt out to the stretches between `cuts`.
    ///
    /// Tokens can reach over a cut, so the stretches are counted together and a token belongs to
    /// the stretch it starts in. Where a cut is certain to be a token's end, the sides are
    /// counted apart and remembered apart.
    pub fn count_at(&self, text: &str, cuts: &[usize]) -> Vec<Tokens> {
        let mut raw = Vec::with_capacity(cuts.len() + 1);
        let mut run = 0; // index of the first cut not yet dealt out
        let mut start = 0;
        for (i, cut) in cuts.iter().enumerate() {
            if self.seam_at(text, *cut) {
                self.deal(text, start, *cut, &cuts[run..i], &mut raw);
                (run, start) = (i + 1, *cut);
            }
        }
        self.deal(text, start, text.len(), &cuts[run..], &mut raw);
        self.scale_all(raw)
    }

    /// Counts one run of text between two seams, dealt out to the stretches between its cuts.
    fn deal(&self, text: &str, start: usize, end: usize, cuts: &[usize], raw: &mut Vec<u32>) {
        let run = &text[start..end];
        if cuts.is_empty() {
            return raw.push(self.raw(run, hash(run)));
        }
        let inner: Vec<usize> = cuts.iter().map(|cut| cut - start).collect();
        let key = run_key(run, &inner);
        if let Some(known) = self.remembered(key, inner.len() + 1) {
            return raw.extend(known);
        }
        let counts: Vec<u32> = match self.counting {
            Counting::Exact(encoding) | Counting::Estimate { by: encoding, .. } => {
                encoding.count_at(run, &inner).into_iter().map(|tokens| tokens.0).collect()
            }
            Counting::Words => words_at(run, &inner),
        };
        for (i, count) in counts.iter().enumerate() {
            self.remember(stretch_key(key, i), *count);
        }
        raw.extend(counts);
    }

    fn remembered(&self, key: Hash, stretches: usize) -> Option<Vec<u32>> {
        let memo = self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        (0..stretches).map(|i| memo.get(&stretch_key(key, i)).copied()).collect()
    }

    fn remember(&self, key: Hash, count: u32) {
        let mut memo = self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        if memo.len() >= MOST_REMEMBERED {
            memo.clear();
        }
        memo.insert(key, count);
    }

    /// The count before any factor.
    fn raw(&self, text: &str, hash: Hash) -> u32 {
        let memo = self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = memo.get(&hash) {
            return *count;
        }
        drop(memo);
        let count = match self.counting {
            Counting::Exact(encoding) | Counting::Estimate { by: encoding, .. } => {
                encoding.count(text).0
            }
            Counting::Words => words(text),
        };
        self.remember(hash, count);
        count
    }

    /// Whether both sides of a cut can be counted apart.
    fn seam_at(&self, text: &str, cut: usize) -> bool {
        let (before, after) = match (text.get(..cut), text.get(cut..)) {
            (Some(before), Some(after)) => (before.chars().next_back(), after.chars().next()),
            _ => return false,
        };
        let (Some(before), Some(after)) = (before, after) else { return true };
        match self.counting {
            Counting::Exact(encoding) | Counting::Estimate { by: encoding, .. } => {
                encoding.seam(before, after)
            }
            Counting::Words => before.is_whitespace() || after.is_whitespace(),
        }
    }

    fn scale(&self, raw: u32) -> Tokens {
        match self.counting {
            Counting::Estimate { percent, .. } => {
                Tokens(u64::from(raw).saturating_mul(percent.into()).div_ceil(100) as u32)
            }
            _ => Tokens(raw),
        }
    }

    /// Applies the factor to running totals, so that the parts still add up to the whole.
    fn scale_all(&self, raw: Vec<u32>) -> Vec<Tokens> {
        let mut so_far = 0;
        raw.into_iter()
            .map(|count| {
                let before = self.scale(so_far);
                so_far += count;
                self.scale(so_far) - before
            })
            .collect()
    }
}

/// A key for a run and its cuts: a stretch's count depends on all of them, since tokens may reach
/// over a cut.
fn run_key(run: &str, cuts: &[usize]) -> Hash {
    let mut hasher = Xxh3::new();
    hasher.update(run.as_bytes());
    cuts.iter().for_each(|cut| hasher.update(&cut.to_le_bytes()));
    hasher.digest128()
}

/// The key of one stretch of a run. The odd factor spreads neighbours over the table.
fn stretch_key(run: Hash, i: usize) -> Hash {
    run ^ (i as u128 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)
}

fn words(text: &str) -> u32 {
    u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX)
}

fn words_at(text: &str, cuts: &[usize]) -> Vec<u32> {
    let mut counts = vec![0; cuts.len() + 1];
    let start = text.as_ptr() as usize;
    for word in text.split_whitespace() {
        let at = word.as_ptr() as usize - start;
        let stretch = cuts.partition_point(|cut| *cut <= at);
        counts[stretch] += 1;
    }
    counts
}

/// Passes a hash through: hashing it again would only cost time.
#[derive(Debug, Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 ^= u64::from_le_bytes(word);
        }
    }

    fn write_u128(&mut self, hash: u128) {
        self.0 = hash as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_add_up_to_the_whole() {
        let text = "# Heading\n\n---\n\nIt's 12345 o'clock\n- item";
        for counting in [
            Counting::Exact(Encoding::O200k),
            Counting::Estimate { by: Encoding::O200k, percent: 117 },
            Counting::Words,
        ] {
            let counter = Counter::new(counting);
            for cuts in [vec![], vec![0], vec![11, 16, 20, 36], vec![3, 3, text.len()]] {
                let parts = counter.count_at(text, &cuts);
                assert_eq!(parts.len(), cuts.len() + 1);
                assert_eq!(parts.iter().copied().sum::<Tokens>(), counter.count(text), "{cuts:?}");
                assert_eq!(parts, counter.count_at(text, &cuts), "a second count is the same");
            }
        }
    }

    #[test]
    fn an_estimate_is_rounded_up() {
        let counter = Counter::new(Counting::Estimate { by: Encoding::O200k, percent: 120 });
        assert_eq!(counter.count("hello"), Tokens(2));
    }
}
