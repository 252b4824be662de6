//! Maps that are asked many times for every note: from numbers, and from words.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from words. Its hash is quick, and begins elsewhere in every process: whoever writes the notes
/// cannot make them collide.
pub type Spelled<T> = HashMap<Box<str>, T, foldhash::fast::RandomState>;

/// A map from the numbers of places or words. They are handed out in order, so nobody can make them collide,
/// and need not be hashed well, only spread.
pub type Numbered<T> = HashMap<u32, T, BuildHasherDefault<Spread>>;

/// A hash that only spreads.
#[derive(Debug, Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
