//! Cutting text to a number of tokens.
//!
//! Counting is not monotonous: a longer prefix can have fewer tokens, as when it completes a word.
//! So the end of the budget is only where the search begins. Still a text is walked no further than
//! that, and what lies before it is not counted again.

use std::ops::Range;

use super::memo::Memo;
use super::shipped::Shipped;
use super::{Tokens, merge};

/// Up to this many bytes around the place where the budget runs out, every prefix is tried.
const EXACT: usize = 192;

/// The piece before the one in which the budget runs out, and what was left of the budget there.
#[derive(Clone, Copy)]
struct Before {
    start: usize,
    left: u32,
}

impl Shipped {
    /// The length of the longest prefix of `text` that has at most `most` tokens.
    ///
    /// Cutting a text leaves the pieces before the cut as they are, with one exception: white
    /// space that gave its last character to what followed takes it back. So when the budget runs
    /// out, only prefixes that end in the current piece, or one character behind it, come into
    /// question, and only the piece before can differ in them.
    pub(super) fn head(&self, text: &str, most: Tokens) -> usize {
        let mut memo = Memo::new(self.table, text);
        let mut left = most.0;
        let mut before = Before { start: 0, left };
        for piece in self.pieces(text) {
            let tokens = memo.count(piece.start, piece.end);
            if tokens > left {
                let start = piece.start;
                let fitting = if piece.end - before.start <= EXACT {
                    self.longest_fit(text, piece, before)
                } else {
                    self.fit_by_token(text, piece, left, before)
                };
                return fitting.unwrap_or(start);
            }
            before = Before { start: piece.start, left };
            left -= tokens;
        }
        text.len()
    }

    /// Tries the prefixes that end in `piece` or one character behind it, the longest first.
    fn longest_fit(&self, text: &str, piece: Range<usize>, before: Before) -> Option<usize> {
        let behind = text[piece.end..].chars().next().map_or(0, char::len_utf8);
        let mut ends = (piece.start + 1..=piece.end + behind).rev();
        ends.find(|end| text.is_char_boundary(*end) && self.fits(text, *end, before))
    }

    /// Cuts a piece, which can be long, where its tokens allow it. A part of the piece may fall
    /// into other pieces than the whole, so what is cut is counted, and fewer tokens are taken
    /// until it fits, by twice as many each time.
    fn fit_by_token(
        &self,
        text: &str,
        piece: Range<usize>,
        left: u32,
        before: Before,
    ) -> Option<usize> {
        let mut ends = Vec::new();
        merge::starts(self.table, &text.as_bytes()[piece.clone()], |at| {
            ends.push(piece.start + at)
        });
        ends.truncate((left as usize).saturating_add(1));
        ends.retain(|end| *end > piece.start && text.is_char_boundary(*end));
        let mut drop = 1;
        while let Some(end) = ends.last() {
            if self.fits(text, *end, before) {
                return Some(*end);
            }
            ends.truncate(ends.len().saturating_sub(drop));
            drop *= 2;
        }
        None
    }

    fn fits(&self, text: &str, end: usize, before: Before) -> bool {
        self.count(&text[before.start..end]).0 <= before.left
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples;
    use super::super::shipped::{CL100K, O200K};
    use super::*;

    /// A longer prefix can have fewer tokens, so all have to be tried.
    fn longest_by_trying(shipped: &Shipped, text: &str, most: Tokens) -> usize {
        let ends = (0..=text.len()).rev().filter(|end| text.is_char_boundary(*end));
        ends.into_iter().find(|end| shipped.count(&text[..*end]) <= most).unwrap()
    }

    #[test]
    fn a_head_of_nothing_is_empty_and_of_enough_is_everything() {
        let text = "Some words, 世界.";
        assert_eq!(O200K.head(text, Tokens(0)), 0);
        assert_eq!(O200K.head(text, O200K.count(text)), text.len());
        assert_eq!(O200K.head("", Tokens(0)), 0);
        assert_eq!(O200K.head(text, Tokens(2)), "Some words".len());
    }

    #[test]
    fn a_long_piece_is_cut_between_tokens() {
        let text = format!("x{}", " \n".repeat(1000));
        for most in [1, 2, 3, 100, 400] {
            let head = CL100K.head(&text, Tokens(most));
            assert!(CL100K.count(&text[..head]).0 <= most);
            assert!(head >= most as usize);
        }
    }

    proptest! {
        #[test]
        fn a_head_is_the_longest_prefix_that_fits(text in samples::text(), most in 0u32..40) {
            let most = Tokens(most);
            for shipped in [&O200K, &CL100K] {
                let head = shipped.head(&text, most);
                prop_assert!(shipped.count(&text[..head]) <= most);
                prop_assert_eq!(head, longest_by_trying(shipped, &text, most));
            }
        }
    }
}
