//! Whether lines are one paragraph that was wrapped, or each something of its own, as those of a log or a poem are.
//!
//! Where an editor wraps a text no first word would have fit in the line above it. Wrapped at another column it says the
//! same, so it is no place to cut it at.

/// The lines of a paragraph so far.
#[derive(Default)]
pub(super) struct Wrap {
    /// The widest that has more than one word: a long address stands alone, and may be wider than the column.
    widest: usize,
    /// The narrowest that a line would be with the first word of the one below it.
    least: Option<usize>,
    /// The line above.
    last: Option<usize>,
    /// Whether some are shorter than others: what is written in columns fits nowhere else either.
    is_ragged: bool,
}

impl Wrap {
    pub(super) fn add(&mut self, line: &str) {
        let line = line.trim_end();
        let mut words = line.split_whitespace().filter(|word| *word != ">");
        let (first, wide) = (words.next().map_or(0, width), width(line));
        if let Some(last) = self.last.replace(wide) {
            let with_first = last + 1 + first;
            self.least = Some(self.least.map_or(with_first, |least| least.min(with_first)));
            self.is_ragged |= last != wide;
        }
        if words.next().is_some() {
            self.widest = self.widest.max(wide);
        }
    }

    /// Whether all lines but the last are as full as they can be.
    pub(super) fn is_wrapped(&self) -> bool {
        self.is_ragged && self.widest > 0 && self.least.is_some_and(|least| least > self.widest)
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}
