//! Meaning without a model: every word piece has a vector, a text is their mean.
//!
//! The table is one file in the binary, read in place: nothing is parsed, loaded or allocated at
//! the start, and the first question costs what every other one does. How the file is laid out
//! is written in `xtask/scripts/embeddings.py`, which makes it; what it was made from, in
//! `data/README.md`.

use crate::table::BadTable;
use crate::wide::wide;
use crate::words::runs_together;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

static FILE: &[u8] = include_bytes!("../data/embeddings.bin");

/// The vectors this was built with.
pub fn shipped() -> Embeddings<'static> {
    const SHIPPED: Option<Embeddings<'static>> = Embeddings::read(FILE);
    const { assert!(SHIPPED.is_some(), "data/embeddings.bin is not a table of vectors") };
    SHIPPED.unwrap_or(Embeddings::NONE)
}

/// A table of word pieces and their vectors, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Embeddings<'a> {
    rows: usize,
    dims: usize,
    bits: usize,
    slots: usize,
    table: &'a [u8],
    ends: &'a [u8],
    scale: &'a [u8],
    text: &'a [u8],
    data: &'a [u8],
}

/// A place in the table of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Piece(pub u16);

impl<'a> Embeddings<'a> {
    /// A table of nothing: every text means nothing.
    pub const NONE: Embeddings<'static> = Embeddings {
        rows: 0,
        dims: 0,
        bits: 8,
        slots: 0,
        table: &[],
        ends: &[],
        scale: &[],
        text: &[],
        data: &[],
    };

    /// Looks at the head of the file and where its parts are; `None` when they do not add up.
    pub const fn read(file: &'a [u8]) -> Option<Self> {
        if file.len() < 24 || !starts_with(file, b"LVRVEC1\0") {
            return None;
        }
        let (rows, dims) = (u32_at(file, 8), u32_at(file, 12));
        let (bits, slots) = (u32_at(file, 16), u32_at(file, 20));
        if dims == 0 || !(bits == 8 || bits == 4 && dims.is_multiple_of(2)) {
            return None;
        }
        if rows == 0 || !slots.is_power_of_two() || slots > 1 << 20 || rows >= 65535 || dims > 4096
        {
            return None;
        }
        let (_, rest) = file.split_at(24);
        if rest.len() < slots * 2 + rows * 8 {
            return None;
        }
        let (table, rest) = rest.split_at(slots * 2);
        let (ends, rest) = rest.split_at(rows * 4);
        let (scale, rest) = rest.split_at(rows * 4);
        let text_len = u32_at(ends, rows * 4 - 4).div_ceil(4) * 4;
        if rest.len() != text_len + rows * dims * bits / 8 {
            return None;
        }
        let (text, data) = rest.split_at(text_len);
        Some(Embeddings { rows, dims, bits, slots, table, ends, scale, text, data })
    }

    /// Whether what is looked at later without asking is right: every piece is in its slot, its
    /// name ends where the next begins, and its weight is a number.
    pub(crate) fn check(&self) -> Result<(), BadTable> {
        let entry = |bytes: &[u8]| usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
        let entries = self.table.chunks_exact(2).map(entry).filter(|entry| *entry > 0);
        let found = entries.clone().count() == self.rows && entries.max() == Some(self.rows);
        let end = |row: usize| u32_at(self.ends, row * 4);
        let in_order = (1..self.rows).all(|row| end(row - 1) <= end(row));
        if self.slots < self.rows * 2 || !found || !in_order {
            return Err(BadTable::Pieces);
        }
        let weight = |row: usize| f32::from_bits(u32_at(self.scale, row * 4) as u32);
        match (0..self.rows).all(|row| weight(row).is_finite()) {
            true => Ok(()),
            false => Err(BadTable::Weights),
        }
    }

    /// How many numbers a vector has.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The pieces of a text, as BERT's uncased tokenizer cuts it.
    pub fn pieces(&self, text: &str) -> Vec<Piece> {
        let mut found = Vec::with_capacity(text.len() / 4);
        let mut hashes = Vec::with_capacity(32);
        self.each_word(text, |word| self.word_pieces(word, &mut found, &mut hashes));
        found
    }

    /// The mean of the pieces' vectors, of length one. All zeros when no piece is known.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let pieces = self.pieces(text);
        let mut sum = vec![0.0; self.dims];
        wide(
            #[inline(always)]
            || {
                for piece in &pieces {
                    self.add(*piece, &mut sum);
                }
            },
        );
        let mut sum = self.in_order(sum);
        normalise(&mut sum);
        sum
    }

    /// A sum with its numbers in their order again.
    fn in_order(&self, sum: Vec<f32>) -> Vec<f32> {
        if self.bits == 8 {
            return sum;
        }
        let (even, odd) = sum.split_at(self.dims / 2);
        let mut ordered = vec![0.0; sum.len()];
        for (pair, (even, odd)) in ordered.chunks_exact_mut(2).zip(even.iter().zip(odd)) {
            pair.copy_from_slice(&[*even, *odd]);
        }
        ordered
    }

    /// Adds a piece's vector, with its weight, to `sum`. Two numbers of a byte go to two halves, the even
    /// ones first: so many can be added at once.
    #[inline(always)]
    fn add(&self, piece: Piece, sum: &mut [f32]) {
        let row = usize::from(piece.0);
        if row >= self.rows {
            return;
        }
        let scale = f32::from_bits(u32_at(self.scale, row * 4) as u32);
        let bytes = self.row(row);
        if self.bits == 8 {
            for (to, byte) in sum.iter_mut().zip(bytes) {
                *to += scale * f32::from(*byte as i8);
            }
        } else {
            let (even, odd) = sum.split_at_mut(self.dims / 2);
            for ((even, odd), byte) in even.iter_mut().zip(odd).zip(bytes) {
                *even += scale * f32::from((byte & 15) as i8 - 8);
                *odd += scale * f32::from((byte >> 4) as i8 - 8);
            }
        }
    }

    fn row(&self, row: usize) -> &'a [u8] {
        let size = self.dims * self.bits / 8;
        &self.data[row * size..(row + 1) * size]
    }

    /// The piece that is called so, by the hash of its name. One that goes on within a word has two signs before that.
    fn find(&self, hash: u32, goes_on: bool, called: &[u8]) -> Option<Piece> {
        if self.slots == 0 {
            return None;
        }
        let mut place = hash as usize & (self.slots - 1);
        // The table is at most half full, so a run of taken slots ends.
        for _ in 0..self.slots {
            let entry = u16::from_le_bytes([self.table[place * 2], self.table[place * 2 + 1]]);
            let row = usize::from(entry.checked_sub(1)?);
            let name = self.name(row);
            let name = if goes_on { name.strip_prefix(GOES_ON) } else { Some(name) };
            // Most differ in length, or where they end.
            let is_it = |name: &[u8]| {
                name.len() == called.len() && name.last() == called.last() && name == called
            };
            if name.is_some_and(is_it) {
                return Some(Piece(row as u16));
            }
            place = (place + 1) & (self.slots - 1);
        }
        None
    }

    fn name(&self, row: usize) -> &'a [u8] {
        let start = if row == 0 { 0 } else { u32_at(self.ends, row * 4 - 4) };
        self.text.get(start..u32_at(self.ends, row * 4)).unwrap_or(&[])
    }

    /// Lower case, accents gone, cut at white space and punctuation.
    fn each_word(&self, text: &str, mut each: impl FnMut(&[u8])) {
        if text.is_ascii() {
            return each_plain_word(text, each);
        }
        let mut word = Vec::with_capacity(32);
        let mut letter = |letter: char, word: &mut Vec<u8>| {
            if letter.is_whitespace() || letter.is_control() || is_unknown(letter) {
                flush(word, &mut each);
            } else if letter.is_ascii_punctuation() || alone(letter) {
                flush(word, &mut each);
                word.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                flush(word, &mut each);
            } else {
                word.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
        };
        for raw in text.chars() {
            if raw.is_ascii() {
                letter(raw.to_ascii_lowercase(), &mut word);
            } else {
                let lower = raw.to_lowercase().nfd().filter(|c| !is_combining_mark(*c));
                lower.for_each(|c| letter(c, &mut word));
            }
        }
        flush(&mut word, &mut each);
    }

    /// The longest piece first, then the longest that goes on from there. A word with a stretch
    /// that no piece covers means nothing.
    fn word_pieces(&self, word: &[u8], found: &mut Vec<Piece>, hashes: &mut Vec<u32>) {
        if word.len() > LONGEST_WORD {
            return;
        }
        let known = found.len();
        let mut start = 0;
        while start < word.len() {
            let (goes_on, rest) = (start > 0, &word[start..]);
            // The hash of each beginning of the rest, made from that of the one before it.
            let mut hash = if goes_on { fnv(FNV, GOES_ON) } else { FNV };
            hashes.clear();
            hashes.extend(rest.iter().map(|byte| {
                hash = fnv(hash, &[*byte]);
                hash
            }));
            let pieces = hashes.iter().enumerate().rev();
            let mut longest = pieces.filter_map(|(last, hash)| {
                let piece = self.find(*hash, goes_on, &rest[..=last])?;
                Some((last, piece))
            });
            let Some((last, piece)) = longest.next() else {
                found.truncate(known);
                return;
            };
            found.push(piece);
            start += last + 1;
        }
    }
}

/// Whether a letter is of a script that the vocabulary spells at best. It has some Chinese characters, parts of
/// Korean ones and the letters of Russian, Greek or Hindi, but hardly what they mean in each other's company: all
/// such words would be near to each other. They are found as they are written.
fn is_unknown(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{1DFF}') || runs_together(letter)
}

/// What stands before the name of a piece that goes on within a word.
const GOES_ON: &[u8] = b"##";

/// No longer word is cut into pieces.
const LONGEST_WORD: usize = 200;

/// A vector in bytes: what is kept of a note, and what is compared.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Small {
    /// Each number times 127 over the largest.
    pub data: Box<[i8]>,
    /// What turns a product of two `data` back into a product of vectors of length one.
    pub scale: f32,
}

impl Small {
    /// The nearest vector in bytes to one of length one.
    pub fn from(vector: &[f32]) -> Self {
        let most = vector.iter().fold(0f32, |most, x| most.max(x.abs()));
        if most == 0.0 {
            return Small { data: vec![0; vector.len()].into(), scale: 0.0 };
        }
        let mut data: Box<[i8]> = vec![0; vector.len()].into();
        wide(
            #[inline(always)]
            || {
                for (byte, x) in data.iter_mut().zip(vector) {
                    *byte = (x / most * 127.0).round() as i8;
                }
            },
        );
        Small { data, scale: most / 127.0 }
    }

    /// The nearest vector with four steps a number: a quarter of a byte each on a disk.
    ///
    /// A number is small or large, and large is three times small, from where it is larger than
    /// numbers usually are: there a bell curve loses least. All steps are odd, so that the sign of each
    /// can be told: it is what [`Small::sketch`] takes.
    pub fn coarse(vector: &[f32]) -> Self {
        let usual = (vector.iter().map(|x| x * x).sum::<f32>() / vector.len().max(1) as f32).sqrt();
        if usual == 0.0 {
            return Small { data: vec![-1; vector.len()].into(), scale: 0.0 };
        }
        let step = |x: &f32| {
            let size = if x.abs() >= usual { 3 } else { 1 };
            if *x >= 0.0 { size } else { -size }
        };
        Small::of_steps(vector.iter().map(step).collect())
    }

    /// The vector with these steps.
    fn of_steps(data: Box<[i8]>) -> Self {
        let scale = Small::scale_of_steps(dot(&data, &data) as f32);
        Small { data, scale }
    }

    /// What turns steps back into a vector, by the sum of their squares.
    ///
    /// Steps lie a little beside the vector they were made of, so products with them come out small by as much
    /// as they lost: the cosine of the angle between, which for bell curves is this.
    pub fn scale_of_steps(squares: f32) -> f32 {
        const KEPT: f32 = 0.94;
        if squares > 0.0 { 1.0 / (KEPT * squares.sqrt()) } else { 0.0 }
    }

    /// The cosine of the angle between two vectors.
    pub fn dot(&self, other: &Small) -> f32 {
        dot(&self.data, &other.data) as f32 * self.scale * other.scale
    }

    /// One bit per number: whether it is above zero. Near vectors have near bits.
    pub fn sketch(&self) -> [u64; 4] {
        let mut bits = [0u64; 4];
        for (place, value) in self.data.iter().take(256).enumerate() {
            bits[place / 64] |= u64::from(*value > 0) << (place % 64);
        }
        bits
    }
}

/// The sum of products, in whole numbers.
pub fn dot(a: &[i8], b: &[i8]) -> i32 {
    wide(
        #[inline(always)]
        || a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum(),
    )
}

/// Scales a vector to length one, unless it is all zeros.
pub fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

/// The words of a text that is plain ASCII, cut as any other.
fn each_plain_word(text: &str, mut each: impl FnMut(&[u8])) {
    let lower = text.to_ascii_lowercase();
    let (lower, mut start) = (lower.as_bytes(), 0);
    for (at, byte) in lower.iter().enumerate() {
        let alone = byte.is_ascii_punctuation();
        if alone || *byte == b' ' || byte.is_ascii_control() {
            if start < at {
                each(&lower[start..at]);
            }
            if alone {
                each(&lower[at..=at]);
            }
            start = at + 1;
        }
    }
    if start < lower.len() {
        each(&lower[start..]);
    }
}

fn flush(word: &mut Vec<u8>, each: &mut impl FnMut(&[u8])) {
    if !word.is_empty() {
        each(word);
        word.clear();
    }
}

/// The punctuation outside of ASCII stands alone, as BERT has it.
fn alone(letter: char) -> bool {
    matches!(letter, '\u{2010}'..='\u{205E}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{FF01}'..='\u{FF0F}'
        | '\u{FF1A}'..='\u{FF20}' | '\u{A1}' | '\u{A7}' | '\u{AB}' | '\u{B6}' | '\u{B7}' | '\u{BB}' | '\u{BF}')
}

/// The hash of nothing.
const FNV: u32 = 0x811C_9DC5;

/// The hash of what had this hash, and `data` after it.
fn fnv(hash: u32, data: &[u8]) -> u32 {
    data.iter().fold(hash, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

const fn u32_at(data: &[u8], at: usize) -> usize {
    u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]) as usize
}

const fn starts_with(data: &[u8], head: &[u8]) -> bool {
    let mut place = 0;
    while place < head.len() {
        if data[place] != head[place] {
            return false;
        }
        place += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &str, b: &str) -> f32 {
        let table = shipped();
        Small::from(&table.embed(a)).dot(&Small::from(&table.embed(b)))
    }

    #[test]
    fn what_means_the_same_is_nearer_than_what_does_not() {
        assert!(
            near("my dog is ill", "the puppy is sick")
                > near("my dog is ill", "the train is late") + 0.2
        );
    }

    #[test]
    fn pieces_are_cut_as_bert_cuts_them() {
        let table = shipped();
        let names: Vec<String> = table
            .pieces("Unaffable Café, embeddings!")
            .iter()
            .map(|p| String::from_utf8_lossy(table.name(usize::from(p.0))).into_owned())
            .collect();
        assert_eq!(
            names,
            ["una", "##ffa", "##ble", "cafe", ",", "em", "##bed", "##ding", "##s", "!"]
        );
    }

    #[test]
    fn plain_text_is_cut_as_any_other() {
        for text in ["", " ", "Hello, World!", "a\tb\x0Bc\x00d\x7Fe", "don't--stop x_y(1.5) ", "?"]
        {
            let (plain, other) = (shipped().pieces(text), shipped().pieces(&format!("{text} é")));
            assert_eq!(plain, &other[..other.len() - 1], "{text:?}");
        }
    }

    #[test]
    fn a_coarse_vector_means_much_the_same_and_keeps_its_signs() {
        let vector = shipped().embed("my dog is ill");
        let (fine, coarse) = (Small::from(&vector), Small::coarse(&vector));
        assert!((fine.dot(&coarse) - 1.0).abs() < 0.03, "{}", fine.dot(&coarse));
        let other = Small::from(&shipped().embed("the puppy is sick"));
        assert!((coarse.dot(&other) - fine.dot(&other)).abs() < 0.06);
        let same = |(step, x): (&i8, &f32)| step % 2 != 0 && (*step > 0) == (*x >= 0.0);
        assert!(coarse.data.iter().zip(&vector).all(same));
    }

    #[test]
    fn a_text_without_known_pieces_means_nothing() {
        assert!(shipped().embed("").iter().all(|x| *x == 0.0));
    }

    #[test]
    fn a_file_that_is_cut_short_is_refused() {
        assert!(Embeddings::read(&FILE[..FILE.len() - 1]).is_none());
        assert!(Embeddings::read(&FILE[..20]).is_none());
        assert!(Embeddings::read(b"").is_none());
    }
}
