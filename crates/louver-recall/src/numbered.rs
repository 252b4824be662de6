//! A map from numbers that are handed out in order: they need not be hashed well, only spread.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from places or words. Nobody outside chooses the numbers, so nobody can make them collide.
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
