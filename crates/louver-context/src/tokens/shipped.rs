//! Counting in the encodings whose vocabulary the crate ships.
//!
//! The pieces of a text are independent of one another, so everything here is one walk over them.

use std::ops::Range;

use super::layout::{LETTER, NUMBER, SPACE};
use super::memo::Memo;
use super::scan::{Pattern, class};
use super::table::{self, Table};
use super::{Cuts, Tokens, merge};

/// A vocabulary together with the pattern that cuts text for it.
#[derive(Debug)]
pub(super) struct Shipped {
    pub(super) table: &'static Table,
    pattern: Pattern,
}

/// `o200k_base`.
pub(super) static O200K: Shipped = Shipped { table: &table::O200K, pattern: Pattern::O200k };
/// `cl100k_base`.
pub(super) static CL100K: Shipped = Shipped { table: &table::CL100K, pattern: Pattern::Cl100k };

impl Shipped {
    /// The number of tokens of `text`.
    pub(super) fn count(&self, text: &str) -> Tokens {
        let mut memo = Memo::new(self.table, text);
        Tokens(self.pieces(text).map(|piece| memo.count(piece.start, piece.end)).sum())
    }

    /// The tokens of `text` dealt out to the stretches between `cuts`.
    pub(super) fn count_at(&self, text: &str, cuts: &[usize]) -> Vec<Tokens> {
        let mut memo = Memo::new(self.table, text);
        let mut cuts = Cuts::new(cuts);
        for Range { start, end } in self.pieces(text) {
            if cuts.next_is_at_least(end) {
                cuts.add(start, memo.count(start, end));
            } else {
                let piece = &text.as_bytes()[start..end];
                merge::starts(self.table, piece, |at| cuts.add(start + at, 1));
            }
        }
        cuts.counts
    }

    /// Whether texts can be counted apart if one ends in `before` and the next starts with `after`.
    ///
    /// A piece ends behind its newlines, unless more white space follows, or in o200k a slash. And
    /// a piece that has begun never goes on with white space, save for newlines behind symbols.
    pub(super) fn seam(&self, before: char, after: char) -> bool {
        let clings = |c: char| matches!(c, '\r' | '\n');
        let (left, right) = (class(before), class(after));
        if right & SPACE != 0 {
            let plain = left & (LETTER | NUMBER) != 0;
            left & SPACE == 0 && (plain || !clings(after))
        } else {
            clings(before) && (after != '/' || self.pattern == Pattern::Cl100k)
        }
    }

    /// Where the pieces of `text` lie.
    pub(super) fn pieces(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let bytes = text.as_bytes();
        let pattern = self.pattern;
        let mut end = 0;
        std::iter::from_fn(move || {
            let start = end;
            (start < bytes.len()).then(|| {
                end = pattern.end_of_piece(bytes, start);
                start..end
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use tiktoken::CoreBpe;

    use super::super::samples::{self, Xorshift};
    use super::*;

    /// What `tiktoken` says, and how long each of its tokens is.
    struct Reference {
        core: &'static CoreBpe,
        lengths: Vec<usize>,
    }

    impl Reference {
        fn load(name: &str) -> Self {
            let core = tiktoken::get_encoding(name).unwrap();
            let ids = 0..core.vocab_size() as u32;
            Reference { core, lengths: ids.map(|id| core.decode(&[id]).len()).collect() }
        }

        fn starts(&self, text: &str) -> Vec<usize> {
            let mut end = 0;
            let mut starts = Vec::new();
            for id in self.core.encode(text) {
                starts.push(end);
                end += self.lengths[id as usize];
            }
            starts
        }
    }

    fn both() -> [(&'static Shipped, &'static Reference); 2] {
        static REFERENCES: LazyLock<[Reference; 2]> =
            LazyLock::new(|| ["o200k_base", "cl100k_base"].map(Reference::load));
        let [o200k, cl100k] = &*REFERENCES;
        [(&O200K, o200k), (&CL100K, cl100k)]
    }

    /// Where the tokens of a text start. Equal starts are equal bytes, and so equal tokens.
    fn starts(shipped: &Shipped, text: &str) -> Vec<usize> {
        let mut starts = Vec::new();
        for piece in shipped.pieces(text) {
            let bytes = &text.as_bytes()[piece.clone()];
            merge::starts(shipped.table, bytes, |at| starts.push(piece.start + at));
        }
        starts
    }

    fn assert_like_tiktoken(text: &str) {
        for (shipped, reference) in both() {
            // A long s behind an apostrophe is a contraction to the o200k pattern, and to tiktoken
            // where it searches with the regex, but not where it scans ASCII by hand.
            if shipped.pattern == Pattern::O200k && text.contains("'ſ") {
                continue;
            }
            let expected = reference.starts(text);
            assert_eq!(starts(shipped, text), expected, "{:?} {text:?}", shipped.pattern);
            assert_eq!(shipped.count(text).0 as usize, expected.len());
        }
    }

    #[test]
    fn generated_text_has_the_tokens_tiktoken_gives_it() {
        let mut random = Xorshift::new();
        for _ in 0..20_000 {
            assert_like_tiktoken(&random.text(24));
        }
    }

    #[test]
    fn every_character_has_the_tokens_tiktoken_gives_it() {
        // Behind the assigned planes there is nothing but private use, and ideographs are all of
        // one class; of both, a sample is enough.
        let alike = |c: u32| matches!(c, 0x3400..0xa000 | 0xac00..0xd7a4 | 0x2_0000..0xe_0000);
        let sampled = |c: &u32| !alike(*c) || c.is_multiple_of(16);
        let planes = (0..0x3_2400).filter(sampled).chain(0xe_0000..0xe_0200);
        for c in planes.chain((0x3_2400..0x11_0000).step_by(999)).filter_map(char::from_u32) {
            assert_like_tiktoken(&c.to_string());
            assert_like_tiktoken(&format!("a{c}A {c}\n{c}"));
            if c < '\u{3400}' {
                assert_like_tiktoken(&format!("{c}a{c}{c}\n/{c}1{c}'s'{c}  {c}"));
            }
        }
    }

    #[test]
    fn special_token_text_is_counted_as_text() {
        assert_like_tiktoken("<|endoftext|> and <|im_start|>");
        assert!(O200K.count("<|endoftext|>").0 > 1);
    }

    #[test]
    fn hostile_sizes_are_counted() {
        for bit in ["a", "A", " ", "\n", " \n", "!", "/", "中", "中A", "\u{301}", "'s", "=-", "1"]
        {
            let text = bit.repeat(300_000 / bit.len());
            for (shipped, reference) in both() {
                let count = shipped.count(&text);
                assert_eq!(count.0 as usize, reference.core.count(&text), "{bit:?}");
                let most = Tokens(count.0 / 2);
                assert!(shipped.count(&text[..shipped.head(&text, most)]) <= most, "{bit:?}");
            }
        }
    }

    #[test]
    fn a_line_begins_a_text_of_its_own() {
        assert!(O200K.seam('\n', 'a') && CL100K.seam('\n', '/') && O200K.seam('a', ' '));
        assert!(!O200K.seam('\n', '/') && !O200K.seam('\n', ' ') && !O200K.seam('.', '\n'));
    }

    #[test]
    fn texts_joined_at_a_seam_add_up() {
        let mut random = Xorshift::new();
        let mut seams = 0;
        for _ in 0..20_000 {
            let (left, right) = (random.text(8), random.text(8));
            for (shipped, _) in both() {
                let ends = left.chars().next_back().zip(right.chars().next());
                if ends.is_some_and(|(before, after)| shipped.seam(before, after)) {
                    let joined = shipped.count(&format!("{left}{right}"));
                    let apart = shipped.count(&left) + shipped.count(&right);
                    assert_eq!(joined, apart, "{left:?} {right:?}");
                    seams += 1;
                }
            }
        }
        assert!(seams > 1000);
    }

    proptest! {
        #[test]
        fn any_text_has_the_tokens_tiktoken_gives_it(text in samples::text()) {
            assert_like_tiktoken(&text);
        }

        #[test]
        fn what_is_dealt_out_adds_up(text in samples::text(), mut cuts in prop::collection::vec(0usize..80, 0..6)) {
            cuts.sort_unstable();
            for (shipped, _) in both() {
                let dealt = shipped.count_at(&text, &cuts);
                let starts = starts(shipped, &text);
                let expected: Vec<_> = (0..=cuts.len())
                    .map(|i| starts.iter().filter(|start| cuts.partition_point(|cut| cut <= start) == i).count())
                    .map(|count| Tokens(count as u32))
                    .collect();
                prop_assert_eq!(dealt, expected);
            }
        }
    }
}
