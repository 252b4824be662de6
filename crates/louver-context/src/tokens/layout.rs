//! How the shipped tables are laid out: what the build script writes and the crate reads.
//!
//! Both include this one file, because a hash or a flag that differs between the two would not
//! fail, it would count wrongly.

/// Bits of a slot that say where a token lies; the rest of the slot is its tag.
pub(crate) const POSITION_BITS: u32 = 21;
/// Slots behind the last home slot, so that a search never has to wrap around.
pub(crate) const SLACK: usize = 256;
/// Rank of bytes that are not a token: never the lowest.
pub(crate) const NO_RANK: u32 = u32::MAX;
/// Characters per block of the class table.
pub(crate) const BLOCK: usize = 256;

/// Class flag: may stand in the upper-case part of an o200k word (`\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`).
pub(crate) const UPPER: u8 = 1;
/// Class flag: may stand in the lower-case part of an o200k word (`\p{Ll}\p{Lm}\p{Lo}\p{M}`).
pub(crate) const LOWER: u8 = 2;
/// Class flag: `\p{L}`.
pub(crate) const LETTER: u8 = 4;
/// Class flag: `\p{N}`.
pub(crate) const NUMBER: u8 = 8;
/// Class flag: `\s`.
pub(crate) const SPACE: u8 = 16;
/// Class flag: `[\r\n]`.
pub(crate) const NEWLINE: u8 = 32;

const FIRST: u64 = 0xa076_1d64_78bd_642f;
const SECOND: u64 = 0xe703_7ed1_a0b4_28db;

/// Hashes a token of any length. Most tokens are shorter than 16 bytes and take two loads and one
/// multiplication.
#[inline]
pub(crate) fn hash(key: &[u8]) -> u64 {
    let len = key.len();
    let mut seed = FIRST ^ len as u64;
    let mut rest = key;
    while rest.len() > 16 {
        seed = fold(word(rest) ^ SECOND, word(&rest[8..]) ^ seed);
        rest = &rest[16..];
    }
    let (head, tail) = match rest.len() {
        0 => (0, 0),
        1..=3 => {
            let ends = u64::from(rest[0]) << 8 | u64::from(rest[rest.len() - 1]);
            (ends, u64::from(rest[rest.len() / 2]))
        }
        4..=7 => (half(rest), half(&rest[rest.len() - 4..])),
        _ => (word(rest), word(&rest[rest.len() - 8..])),
    };
    fold(head ^ SECOND, tail ^ seed)
}

/// The slot at which the search for a hash begins, out of `homes` many.
#[inline]
pub(crate) fn home(hash: u64, homes: usize) -> usize {
    (((hash >> 32) * homes as u64) >> 32) as usize
}

/// The part of a hash that is kept in the slot, already shifted into place.
#[inline]
pub(crate) fn tag(hash: u64) -> u32 {
    (hash as u32) << POSITION_BITS
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

fn half(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |chunk| u64::from(u32::from_le_bytes(*chunk)))
}
