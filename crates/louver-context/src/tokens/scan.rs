//! Cuts text into the pieces that are encoded each on its own.
//!
//! Both shipped encodings define their pieces by a regular expression. A regex engine would have
//! to be compiled at every start, which takes longer than counting a whole prompt, and cannot
//! express `\s+(?!\S)`; so the alternatives are written out by hand, in the order in which the
//! expression tries them. The patterns are:
//!
//! ```text
//! cl100k  (?i:'s|'t|'re|'ve|'m|'ll|'d) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3}
//!         | ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//! o200k   [^\r\n\p{L}\p{N}]?U*L+(?i:'s|…)? | [^\r\n\p{L}\p{N}]?U+L*(?i:'s|…)? | \p{N}{1,3}
//!         | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//!         where U is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and L is [\p{Ll}\p{Lm}\p{Lo}\p{M}]
//! ```

use super::layout::{BLOCK, LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER};

/// The class of every character: which block it is in, and the blocks. The first block begins
/// with ASCII, which is read from it directly.
static INDEX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes.index"));
static BLOCKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes.blocks"));

/// Which of the two patterns cuts the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// `cl100k_base`: words are runs of letters, contractions are pieces of their own.
    Cl100k,
    /// `o200k_base`: words break before a capital and carry their contraction.
    O200k,
}

/// The class flags of a character.
pub(super) fn class(character: char) -> u8 {
    class_of(character as usize)
}

#[inline]
fn class_of(code: usize) -> u8 {
    BLOCKS[usize::from(INDEX[code / BLOCK]) * BLOCK + code % BLOCK]
}

impl Pattern {
    /// Where the piece that begins at `start` ends. `bytes` is valid UTF-8, `start` lies on a
    /// character boundary before its end, and so does every result.
    #[inline]
    pub(super) fn end_of_piece(self, bytes: &[u8], start: usize) -> usize {
        let text = Text(bytes);
        let (first, len) = text.at(start);
        let word = match self {
            Pattern::Cl100k => text.plain_word(start, first, len),
            Pattern::O200k => text.cased_word(start, first, len),
        };
        if let Some(end) = word {
            end
        } else if first & NUMBER != 0 {
            text.number(start + len)
        } else if first & SPACE == 0 {
            self.symbols(text, start + len)
        } else if bytes[start] == b' ' && text.is_symbol(start + 1) {
            self.symbols(text, start + 1)
        } else {
            text.white_space(start)
        }
    }

    /// `[^\s\p{L}\p{N}]+` followed by the newlines, and in o200k slashes, that cling to it.
    fn symbols(self, text: Text<'_>, start: usize) -> usize {
        let mut end = start;
        while text.is_symbol(end) {
            end += text.at(end).1;
        }
        while let Some(b'\r' | b'\n' | b'/') = text.0.get(end) {
            if text.0[end] == b'/' && self == Pattern::Cl100k {
                break;
            }
            end += 1;
        }
        end
    }
}

/// Text with its characters classified. The methods take and return byte offsets.
#[derive(Clone, Copy)]
struct Text<'a>(&'a [u8]);

impl Text<'_> {
    /// Class flags and length of the character at `at`; an empty one without flags at the end.
    #[inline]
    fn at(self, at: usize) -> (u8, usize) {
        match self.0.get(at) {
            Some(&byte) if byte < 0x80 => (BLOCKS[usize::from(byte)], 1),
            Some(&byte) => self.beyond_ascii(at, byte),
            None => (0, 0),
        }
    }

    #[inline]
    fn beyond_ascii(self, at: usize, first: u8) -> (u8, usize) {
        let low = |i: usize| self.0.get(at + i).map_or(0, |byte| usize::from(byte & 0x3f));
        let first = usize::from(first);
        let (code, len) = match first {
            0..0xe0 => ((first & 0x1f) << 6 | low(1), 2),
            0xe0..0xf0 => ((first & 0x0f) << 12 | low(1) << 6 | low(2), 3),
            _ => ((first & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4),
        };
        (class_of(code), len)
    }

    /// Skips the characters that have any of `flags`.
    #[inline]
    fn skip(self, mut at: usize, flags: u8) -> usize {
        loop {
            let (class, len) = self.at(at);
            if class & flags == 0 {
                return at;
            }
            at += len;
        }
    }

    /// Whether a character of `[^\s\p{L}\p{N}]` is at `at`.
    #[inline]
    fn is_symbol(self, at: usize) -> bool {
        let (class, len) = self.at(at);
        len > 0 && class & (LETTER | NUMBER | SPACE) == 0
    }

    /// A contraction, or letters behind at most one other character.
    #[inline]
    fn plain_word(self, start: usize, first: u8, len: usize) -> Option<usize> {
        let end = self.contraction(start);
        if end > start {
            return Some(end);
        }
        let letters = if leads(first) { start + len } else { start };
        let end = self.skip(letters, LETTER);
        (end > letters).then_some(end)
    }

    /// Letters behind at most one other character, up to a change from lower to upper case, and
    /// a contraction if one follows.
    #[inline]
    fn cased_word(self, start: usize, first: u8, len: usize) -> Option<usize> {
        let end = if !leads(first) {
            let word = self.letters(start);
            word.mixed.or(word.capitals)
        } else if first & UPPER == 0 {
            let word = self.letters(start + len);
            word.mixed.or(word.capitals)
        } else {
            // A mark can be either the other character or a letter, and is tried as both: the
            // word in lower case first, with which it always matches at least itself.
            self.letters(start + len).mixed.or(self.letters(start).mixed)
        };
        end.map(|end| self.contraction(end))
    }

    /// Matches both `U*L+` and `U+L*` at `start`.
    #[inline]
    fn letters(self, start: usize) -> Letters {
        let mut at = start;
        let mut after_caseless = None;
        loop {
            let (class, len) = self.at(at);
            if class & UPPER == 0 {
                if class & LOWER != 0 {
                    return Letters { mixed: Some(self.skip(at + len, LOWER)), capitals: None };
                }
                // No lower case follows, so `U*` gives back what it took until `L+` can match:
                // that is up to the last character which belongs to both.
                return Letters { mixed: after_caseless, capitals: (at > start).then_some(at) };
            }
            at += len;
            if class & LOWER != 0 {
                after_caseless = Some(at);
            }
        }
    }

    /// The end of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` in either case at `at`, or `at`.
    /// The long s is an s to a regex that ignores case.
    #[inline]
    fn contraction(self, at: usize) -> usize {
        if self.0.get(at) != Some(&b'\'') {
            return at;
        }
        let next = |i: usize| self.0.get(at + i).map_or(0, u8::to_ascii_lowercase);
        match (next(1), next(2)) {
            (b's' | b't' | b'm' | b'd', _) => at + 2,
            (b'r' | b'v', b'e') | (b'l', b'l') | (0xc5, 0xbf) => at + 3,
            _ => at,
        }
    }

    /// At most three numbers, of which the first ends at `at`.
    fn number(self, mut at: usize) -> usize {
        for _ in 0..2 {
            let (class, len) = self.at(at);
            if class & NUMBER == 0 {
                break;
            }
            at += len;
        }
        at
    }

    /// White space up to its last newline; without one, up to the character that leads what
    /// follows, unless that is all there is.
    fn white_space(self, start: usize) -> usize {
        let (mut at, mut last, mut after_newline) = (start, start, None);
        loop {
            let (class, len) = self.at(at);
            if class & SPACE == 0 {
                break;
            }
            last = at;
            at += len;
            if class & NEWLINE != 0 {
                after_newline = Some(at);
            }
        }
        after_newline.unwrap_or(if last > start && at < self.0.len() { last } else { at })
    }
}

/// What [`Text::letters`] found: the ends of the two kinds of word.
struct Letters {
    mixed: Option<usize>,
    capitals: Option<usize>,
}

/// Whether a character is `[^\r\n\p{L}\p{N}]`, of which one may stand before a word.
#[inline]
fn leads(class: u8) -> bool {
    class & (LETTER | NUMBER | NEWLINE) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(pattern: Pattern, text: &str) -> Vec<&str> {
        let mut start = 0;
        let mut pieces = Vec::new();
        while start < text.len() {
            let end = pattern.end_of_piece(text.as_bytes(), start);
            pieces.push(&text[start..end]);
            start = end;
        }
        pieces
    }

    fn o200k(text: &str) -> Vec<&str> {
        pieces(Pattern::O200k, text)
    }

    fn cl100k(text: &str) -> Vec<&str> {
        pieces(Pattern::Cl100k, text)
    }

    #[test]
    fn white_space_leaves_its_last_character_to_what_follows() {
        assert_eq!(o200k("a   b"), ["a", "  ", " b"]);
        assert_eq!(o200k("a   1"), ["a", "  ", " ", "1"]);
        assert_eq!(o200k("a   "), ["a", "   "]);
        assert_eq!(o200k("a\u{3000}\u{3000}b"), ["a", "\u{3000}", "\u{3000}b"]);
    }

    #[test]
    fn white_space_ends_behind_its_last_newline() {
        assert_eq!(cl100k("a \n \n  b"), ["a", " \n \n", " ", " b"]);
        assert_eq!(cl100k("a\r\n\tb"), ["a", "\r\n", "\tb"]);
    }

    #[test]
    fn newlines_cling_to_symbols_and_slashes_only_in_o200k() {
        assert_eq!(o200k("x =>\n\n/y"), ["x", " =>\n\n/", "y"]);
        assert_eq!(cl100k("x =>\n\n/y"), ["x", " =>\n\n", "/y"]);
    }

    #[test]
    fn contractions_are_pieces_in_cl100k_and_endings_in_o200k() {
        assert_eq!(cl100k("we'Ll don't 'sup"), ["we", "'Ll", " don", "'t", " '", "sup"]);
        assert_eq!(o200k("we'Ll don't 'sup"), ["we'Ll", " don't", " '", "sup"]);
        assert_eq!(o200k("it'ſ x'y"), ["it'ſ", " x", "'y"]);
    }

    #[test]
    fn words_break_before_a_capital_in_o200k_only() {
        assert_eq!(o200k("camelCase HTTPServer"), ["camel", "Case", " HTTPServer"]);
        assert_eq!(cl100k("camelCase HTTPServer"), ["camelCase", " HTTPServer"]);
    }

    #[test]
    fn caseless_letters_are_given_back_when_no_lower_case_follows() {
        assert_eq!(o200k("中A"), ["中", "A"]);
        assert_eq!(o200k("中Ab"), ["中Ab"]);
        assert_eq!(o200k("A中B中C"), ["A中B中", "C"]);
    }

    #[test]
    fn a_mark_is_a_letter_or_what_stands_before_one() {
        assert_eq!(o200k("\u{301}A"), ["\u{301}", "A"]);
        assert_eq!(o200k("\u{301}a"), ["\u{301}a"]);
        assert_eq!(cl100k("a\u{301}\u{301}a"), ["a", "\u{301}\u{301}", "a"]);
    }

    #[test]
    fn numbers_go_by_threes() {
        assert_eq!(o200k("1234½ 5"), ["123", "4½", " ", "5"]);
    }
}
