//! A note's reading in few bytes.
//!
//! Its vector has four steps a number (`Small::coarse`): a sign and whether it is large. Both are planes of one
//! bit a number, kept with those of all other notes (`columns.rs`); here is the rest.

use jiff::civil::{Date, date};
use louver_recall::embed::Small;
use louver_recall::reading::Reading;
use louver_recall::talk::Spot;
use louver_recall::tasks::Task;
use louver_recall::when::Span;

use super::bytes::{Bytes, put, put_signed};
use super::error::LibraryError;

/// One bit for each number of a vector: the longest that can be kept.
pub(super) type Plane = [u64; 4];

/// The numbers of a vector.
pub(super) const DIMS: usize = 256;

const ASKS: u8 = 1;
const DIGITS: u8 = 2;
const HEADING: u8 = 4;
const WHEN: u8 = 8;
const STANDING: u8 = 16;
const ONLY_ASKS: u8 = 32;
const OPEN: u8 = 64;
const DONE: u8 = 128;

/// What a reading has, in one byte.
pub(super) fn flags(reading: &Reading) -> u8 {
    let flag = |holds: bool, bit: u8| if holds { bit } else { 0 };
    flag(reading.asks, ASKS)
        | flag(reading.digits, DIGITS)
        | flag(reading.heading.is_some(), HEADING)
        | flag(reading.tells_when, WHEN)
        | flag(reading.standing, STANDING)
        | flag(reading.only_asks, ONLY_ASKS)
        | flag(reading.task == Task::Open, OPEN)
        | flag(reading.task == Task::Done, DONE)
}

/// The rest of a reading. The words of its passages are given other numbers by `word`.
pub(super) fn put_rest(out: &mut Vec<u8>, reading: &Reading, word: impl Fn(u32) -> u32) {
    put(out, u64::from(reading.bytes));
    if let Some(heading) = &reading.heading {
        put_plane(out, &heading.sketch());
        put_plane(out, &sizes(heading));
    }
    if reading.tells_when {
        put(out, reading.spans.len() as u64);
        reading.spans.iter().for_each(|span| put_span(out, span));
    }
    let mut words = Vec::new();
    for passage in &reading.passages {
        words.clear();
        words.extend(passage.iter().map(|id| word(*id)));
        // The order of words says nothing, and steps are shorter than numbers.
        words.sort_unstable();
        put(out, words.len() as u64);
        let mut before = 0;
        for word in &words {
            put(out, u64::from(word - before));
            before = *word;
        }
    }
}

/// The reading again. Its spot, length and vector are kept elsewhere.
pub(super) fn unpack(
    flags: u8,
    rest: &[u8],
    vector: Small,
    length: u32,
) -> Result<Reading, LibraryError> {
    let mut bytes = Bytes(rest);
    let size = bytes.small()?;
    let heading = if flags & HEADING == 0 {
        None
    } else {
        let signs = plane(bytes.take(32)?);
        Some(vector_of(&signs, &plane(bytes.take(32)?)))
    };
    let mut spans = Vec::new();
    if flags & WHEN != 0 {
        for _ in 0..bytes.small()? {
            spans.push(span(&mut bytes)?);
        }
    }
    let mut passages = Vec::new();
    while !bytes.is_empty() {
        let count = bytes.small()? as usize;
        let mut passage = Vec::with_capacity(count.min(bytes.0.len()));
        let mut word = 0u32;
        for _ in 0..count {
            word = word.checked_add(bytes.small()?).ok_or(TOO_LARGE)?;
            passage.push(word);
        }
        passages.push(passage.into());
    }
    Ok(Reading {
        length,
        spot: Spot::default(),
        vector,
        heading,
        passages,
        asks: flags & ASKS != 0,
        only_asks: flags & ONLY_ASKS != 0,
        standing: flags & STANDING != 0,
        task: match (flags & OPEN != 0, flags & DONE != 0) {
            (true, _) => Task::Open,
            (_, true) => Task::Done,
            _ => Task::Neither,
        },
        digits: flags & DIGITS != 0,
        bytes: size,
        tells_when: flags & WHEN != 0,
        spans,
    })
}

const TOO_LARGE: LibraryError = LibraryError::Malformed("the number of a word is too large");

/// For each number whether its step is a large one.
pub(super) fn sizes(vector: &Small) -> Plane {
    let mut sizes = [0; 4];
    for (place, step) in vector.data.iter().take(DIMS).enumerate() {
        sizes[place / 64] |= u64::from(step.unsigned_abs() > 1) << (place % 64);
    }
    sizes
}

/// The vector with these signs and sizes.
pub(super) fn vector_of(signs: &Plane, sizes: &Plane) -> Small {
    Small { data: Box::new(steps(signs, sizes)), scale: scale(signs, sizes) }
}

/// A question's vector, made ready to be compared with many notes: its numbers bit by bit, a plane for each
/// bit. So a product of numbers is a count of bits, sixty-four at a time.
pub(super) struct Planes {
    bits: [Plane; 8],
    /// Its numbers, added up.
    sum: i32,
    scale: f32,
}

impl Planes {
    pub(super) fn of(asked: &Small) -> Planes {
        let mut bits = [[0; 4]; 8];
        for (place, number) in asked.data.iter().take(DIMS).enumerate() {
            for (bit, plane) in bits.iter_mut().enumerate() {
                plane[place / 64] |= u64::from(*number as u8 >> bit & 1) << (place % 64);
            }
        }
        let sum = asked.data.iter().map(|number| i32::from(*number)).sum();
        Planes { bits, sum, scale: asked.scale }
    }

    /// How near a note is to the question, as [`Small::dot`] has it.
    #[inline(always)]
    pub(super) fn near(&self, signs: &Plane, sizes: &Plane) -> f32 {
        // A step is up (one) or down (less one), and large ones count three times.
        let mut product = 0;
        for (bit, plane) in self.bits.iter().enumerate() {
            let mut counted = 0;
            for ((plane, sign), size) in plane.iter().zip(signs).zip(sizes) {
                let (up, large) = (plane & sign, plane & size);
                let count = up.count_ones() + 2 * (up & size).count_ones();
                counted += count as i32 - large.count_ones() as i32;
            }
            // The last bit of a number says that it is below zero.
            product += counted * if bit == 7 { -128 } else { 1 << bit };
        }
        (2 * product - self.sum) as f32 * scale(signs, sizes) * self.scale
    }
}

/// What turns the steps back into a vector.
#[inline(always)]
fn scale(signs: &Plane, sizes: &Plane) -> f32 {
    let count = |plane: &Plane| plane.iter().map(|word| word.count_ones()).sum::<u32>();
    // Where every number is small and below zero, none was ever known.
    if count(signs) + count(sizes) == 0 {
        return 0.0;
    }
    // A small step counts one, a large one three times three.
    Small::scale_of_steps((DIMS as u32 + 8 * count(sizes)) as f32)
}

fn steps(signs: &Plane, sizes: &Plane) -> [i8; DIMS] {
    let mut data = [0; DIMS];
    let mut eights = data.chunks_exact_mut(8);
    for (signs, sizes) in signs.iter().zip(sizes) {
        for (sign, size) in signs.to_le_bytes().into_iter().zip(sizes.to_le_bytes()) {
            let size = (SPREAD[usize::from(size)] << 1) + ONES;
            // Every byte of it is odd, so turning its bits and adding one carries nothing over.
            let down = ONES ^ SPREAD[usize::from(sign)];
            let step = (size ^ (down * 255)) + down;
            if let Some(eight) = eights.next() {
                eight.copy_from_slice(&step.to_le_bytes().map(|byte| byte as i8));
            }
        }
    }
    data
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// A byte's bits as eight bytes.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

pub(super) fn put_plane(out: &mut Vec<u8>, plane: &Plane) {
    plane.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
}

/// A plane out of 32 bytes.
pub(super) fn plane(data: &[u8]) -> Plane {
    let mut plane = [0; 4];
    for (word, bytes) in plane.iter_mut().zip(data.chunks_exact(8)) {
        *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
    plane
}

const EPOCH: Date = date(1970, 1, 1);

fn put_span(out: &mut Vec<u8>, span: &Span) {
    match span {
        Span::Days(from, to) => {
            put(out, days(*from, *to).unsigned_abs() + 1);
            put_signed(out, days(EPOCH, *from));
        }
        Span::About(..) => put_span(out, &span.plain()),
        Span::Yearly { month, day } => {
            out.push(0);
            out.push(*month as u8);
            out.push(day.unwrap_or(0) as u8);
        }
    }
}

fn span(bytes: &mut Bytes<'_>) -> Result<Span, LibraryError> {
    match bytes.number()? {
        0 => {
            let (month, day) = (bytes.byte()? as i8, bytes.byte()? as i8);
            Ok(Span::Yearly { month, day: (day != 0).then_some(day) })
        }
        length => {
            let from = after(EPOCH, bytes.signed()?)?;
            Ok(Span::Days(from, after(from, i64::try_from(length - 1).unwrap_or(i64::MAX))?))
        }
    }
}

fn days(from: Date, to: Date) -> i64 {
    i64::from((to - from).get_days())
}

fn after(day: Date, days: i64) -> Result<Date, LibraryError> {
    let far = |_| LibraryError::Malformed("a day is too far away");
    let days = i32::try_from(days).map_err(|_| LibraryError::Malformed("a day is too far away"))?;
    // More than a jiff span can hold panics, so it is asked first.
    let span = jiff::Span::new().try_days(days).map_err(far)?;
    day.checked_add(span).map_err(far)
}

#[cfg(test)]
mod tests {
    use super::*;
    use louver_recall::embed::shipped;
    use louver_recall::note::Note;
    use louver_recall::reading::read;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn reading(text: &str) -> Reading {
        let mut words = HashMap::new();
        let note = Note {
            text: text.into(),
            at: Some(date(2024, 3, 5).at(1, 2, 3, 0)),
            ..Note::default()
        };
        read(&note, &shipped(), |term, _| {
            let next = words.len() as u32;
            *words.entry(term.to_owned()).or_insert(next)
        })
        .reading
    }

    fn there_and_back(reading: &Reading) -> Reading {
        let mut rest = Vec::new();
        put_rest(&mut rest, reading, |word| word + 1000);
        let vector = vector_of(&reading.vector.sketch(), &sizes(&reading.vector));
        let asked = Small::from(&shipped().embed("my dog is ill"));
        let near = Planes::of(&asked).near(&reading.vector.sketch(), &sizes(&reading.vector));
        assert_eq!(near.to_bits(), reading.vector.dot(&asked).to_bits());
        unpack(flags(reading), &rest, vector, reading.length).unwrap()
    }

    fn same(one: &Reading, two: &Reading) -> bool {
        let moved: Vec<Box<[u32]>> = one
            .passages
            .iter()
            .map(|passage| {
                let mut words: Vec<u32> = passage.iter().map(|word| word + 1000).collect();
                words.sort_unstable();
                words.into()
            })
            .collect();
        format!("{:?}", Reading { passages: moved, ..one.clone() }) == format!("{two:?}")
    }

    #[test]
    fn the_shipped_vectors_fit() {
        assert_eq!(shipped().dims(), DIMS);
    }

    #[test]
    fn a_reading_comes_back() {
        for text in [
            "",
            "# Plans\nWe met yesterday, and on 7 May 2023, and in March.",
            "deploy: runs it?",
            "- [ ] Book the van",
            "- [x] Cancel the lease",
            "我喜欢猫。第二句话在这里，也很长。",
        ] {
            let reading = reading(text);
            assert!(same(&reading, &there_and_back(&reading)), "{text}: {reading:?}");
        }
        assert_eq!(reading("").vector.scale, 0.0);
        assert!(!reading("We met yesterday and on 7 May 2023").spans.is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn any_reading_comes_back(text: String) {
            let reading = reading(&text);
            prop_assert!(same(&reading, &there_and_back(&reading)));
        }

        #[test]
        fn any_bytes_can_be_looked_at(data in prop::collection::vec(any::<u8>(), 0..400), flags: u8) {
            let _ = unpack(flags, &data, Small::default(), 1);
        }
    }
}
