//! Text for the tests: everything on which the patterns of the encodings turn, in any order.

use proptest::collection::vec;
use proptest::prelude::*;

/// Bits of text of every class, and of classes that the patterns treat alike in one place and
/// differently in another.
const BITS: &[&str] = &[
    "a",
    "b",
    "the",
    "Word",
    "camelCase",
    "HTTPServer",
    "Z",
    "ABC",
    "ß",
    "é",
    "Ǆ",
    "ǅ",
    "ǆ",
    "ſ",
    "K",
    "ʰ",
    "ª",
    "ー",
    "中",
    "文字",
    "の",
    "カ",
    "한국어",
    "ا",
    "א",
    "ไทย",
    "हिन्दी",
    "\u{301}",
    "\u{903}",
    "\u{20dd}",
    "\u{200d}",
    "\u{fe0f}",
    "👩\u{200d}👧",
    "🏳\u{fe0f}\u{200d}🌈",
    "😀",
    "0",
    "7",
    "42",
    "2024",
    "٣",
    "½",
    "²",
    "Ⅷ",
    "〇",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u{b}",
    "\u{85}",
    "\u{a0}",
    "\u{2003}",
    "\u{2028}",
    "\u{3000}",
    "'s",
    "'S",
    "'t",
    "'re",
    "'RE",
    "'vE",
    "'m",
    "'ll",
    "'lL",
    "'d",
    "'ſ",
    "’s",
    "'",
    "''",
    "'x",
    "/",
    "//",
    "/\n",
    "!",
    "...",
    "-",
    "_",
    "(",
    "\"",
    "。",
    "，",
    "{}",
    "=>",
    "$",
    "^",
    "+",
    "\0",
    "\u{7f}",
    "\u{ad}",
    "\u{e000}",
    "\u{fffd}",
    "<|endoftext|>",
    "https://",
    "    return",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// The same numbers every time.
pub(super) struct Xorshift(u64);

impl Xorshift {
    pub(super) fn new() -> Self {
        Xorshift(0x9e37_79b9_7f4a_7c15)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    /// Up to `most` bits of text, now and then a character that none of them has.
    pub(super) fn text(&mut self, most: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.below(most) {
            match self.below(16) {
                0 => text.extend(char::from_u32(self.below(0x2_0000) as u32)),
                _ => text.push_str(BITS[self.below(BITS.len())]),
            }
        }
        text
    }
}

/// Text for properties, which can be shrunk.
pub(super) fn text() -> impl Strategy<Value = String> {
    let bit = prop_oneof![
        12 => proptest::sample::select(BITS).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    vec(bit, 0..24).prop_map(|bits| bits.concat())
}
