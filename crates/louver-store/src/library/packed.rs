//! A note's reading in few bytes.
//!
//! Its vector has sixteen steps a number (`Small::coarse`): a sign and three bits. The signs are the
//! sketch, which is kept with those of all other notes (`columns.rs`); here are the three bits, as
//! three planes of one bit a number.

use jiff::civil::{Date, date};
use louver_recall::embed::Small;
use louver_recall::reading::Reading;
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
const MEANS_NOTHING: u8 = 8;
const HEADING_MEANS_NOTHING: u8 = 16;
const SPANS: u8 = 32;

/// The bits of a number's step, less the sign.
const PLANES: usize = 3;

/// The part of a row that makes a vector out of a sketch.
pub(super) const VECTOR: usize = 1 + PLANES * 32;

/// What makes a vector out of a sketch, and what a reading has of the rest.
pub(super) fn put_vector(out: &mut Vec<u8>, reading: &Reading) {
    let heading = reading.heading.as_ref();
    let flag = |holds: bool, bit: u8| if holds { bit } else { 0 };
    out.push(
        flag(reading.asks, ASKS)
            | flag(reading.digits, DIGITS)
            | flag(heading.is_some(), HEADING)
            | flag(reading.vector.scale == 0.0, MEANS_NOTHING)
            | flag(heading.is_some_and(|vector| vector.scale == 0.0), HEADING_MEANS_NOTHING)
            | flag(!reading.spans.is_empty(), SPANS),
    );
    planes(&reading.vector.data).iter().for_each(|plane| put_plane(out, plane));
}

/// The rest of a reading. The words of its passages are given other numbers by `word`.
pub(super) fn put_rest(out: &mut Vec<u8>, reading: &Reading, word: impl Fn(u32) -> u32) {
    put(out, u64::from(reading.bytes));
    if let Some(heading) = &reading.heading {
        put_plane(out, &heading.sketch());
        planes(&heading.data).iter().for_each(|plane| put_plane(out, plane));
    }
    if !reading.spans.is_empty() {
        put(out, reading.spans.len() as u64);
        reading.spans.iter().for_each(|span| put_span(out, span));
    }
    for passage in &reading.passages {
        put(out, passage.len() as u64);
        passage.iter().for_each(|id| put(out, u64::from(word(*id))));
    }
}

/// The reading again, out of a row and its end. Its position and length are kept elsewhere.
pub(super) fn unpack(
    data: &[u8],
    rest: &[u8],
    sketch: &Plane,
    length: u32,
) -> Result<Reading, LibraryError> {
    let vector = vector(data, sketch)?;
    let flags = data[0];
    let mut bytes = Bytes(rest);
    let size = bytes.small()?;
    let heading = if flags & HEADING == 0 {
        None
    } else {
        let signs = plane(bytes.take(32)?);
        Some(steps(&signs, bytes.take(PLANES * 32)?, flags & HEADING_MEANS_NOTHING != 0))
    };
    let mut spans = Vec::new();
    if flags & SPANS != 0 {
        for _ in 0..bytes.small()? {
            spans.push(span(&mut bytes)?);
        }
    }
    let mut passages = Vec::new();
    while !bytes.is_empty() {
        let count = bytes.small()? as usize;
        let mut passage = Vec::with_capacity(count.min(bytes.0.len()));
        for _ in 0..count {
            passage.push(bytes.small()?);
        }
        passages.push(passage.into());
    }
    Ok(Reading {
        length,
        position: 0,
        vector,
        heading,
        passages,
        asks: flags & ASKS != 0,
        digits: flags & DIGITS != 0,
        bytes: size,
        spans,
    })
}

/// A reading's vector alone.
pub(super) fn vector(data: &[u8], sketch: &Plane) -> Result<Small, LibraryError> {
    let (head, _) =
        data.split_at_checked(VECTOR).ok_or(LibraryError::Malformed("a reading is cut short"))?;
    Ok(steps(sketch, &head[1..], head[0] & MEANS_NOTHING != 0))
}

/// For each number the size of its step, less the sign.
fn planes(data: &[i8]) -> [Plane; PLANES] {
    let mut planes = [[0; 4]; PLANES];
    for (place, step) in data.iter().take(DIMS).enumerate() {
        let size = u64::from(step.unsigned_abs() >> 1);
        for (bit, plane) in planes.iter_mut().enumerate() {
            plane[place / 64] |= (size >> bit & 1) << (place % 64);
        }
    }
    planes
}

fn steps(signs: &Plane, sizes: &[u8], nothing: bool) -> Small {
    let mut data = Vec::with_capacity(DIMS);
    for (word, signs) in signs.iter().enumerate() {
        for (byte, sign) in signs.to_le_bytes().into_iter().enumerate() {
            let at = word * 8 + byte;
            let bit = |plane: usize| SPREAD[usize::from(sizes[plane * 32 + at])];
            let size = (0..PLANES).map(|plane| bit(plane) << (plane + 1)).sum::<u64>() + ONES;
            // Every byte of it is odd, so turning its bits and adding one carries nothing over.
            let down = ONES ^ SPREAD[usize::from(sign)];
            let step = (size ^ (down * 255)) + down;
            data.extend(step.to_le_bytes().map(|byte| byte as i8));
        }
    }
    let mut vector = Small::of_steps(data.into());
    if nothing {
        vector.scale = 0.0;
    }
    vector
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
        let (mut head, mut rest) = (Vec::new(), Vec::new());
        put_vector(&mut head, reading);
        put_rest(&mut rest, reading, |word| word + 1000);
        unpack(&head, &rest, &reading.vector.sketch(), reading.length).unwrap()
    }

    fn same(one: &Reading, two: &Reading) -> bool {
        let moved: Vec<Box<[u32]>> = one
            .passages
            .iter()
            .map(|passage| passage.iter().map(|word| word + 1000).collect())
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
        fn any_bytes_can_be_looked_at(data in prop::collection::vec(any::<u8>(), 0..400), at in 0usize..300) {
            let (head, rest) = data.split_at(at.min(data.len()));
            let _ = unpack(head, rest, &[0; 4], 1);
        }
    }
}
