//! Chance that can be had again: the same seed gives the same throws.

use std::time::Duration;

/// SplitMix64, which is enough for dice and is ten lines.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which must not be zero.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True once in `n` throws.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A time from nothing to `longest`, evenly.
    pub(crate) fn up_to(&mut self, longest: Duration) -> Duration {
        Duration::from_micros(self.next() % (longest.as_micros() as u64 + 1))
    }

    /// Words, about `bytes` long, with a line end here and there.
    pub(crate) fn text(&mut self, bytes: usize) -> String {
        const WORDS: [&str; 8] =
            ["louver", "light ", "Schönheit ", "line\n", "disk ", "crash ", "中文 ", "\"quoted\" "];
        let mut text = format!("{:x} ", self.next());
        while text.len() < bytes.min(400) {
            text.push_str(WORDS[self.below(WORDS.len())]);
        }
        // More of it is the same again: a writer is to write, not to throw dice.
        text.repeat(bytes / text.len() + 1)
    }
}
