//! The vocabularies the crate ships, searched where they lie.
//!
//! Nothing is unpacked: the build script wrote the tables in the form in which they are read, and
//! the operating system pages in what a text touches. The tokens lie one after another in the
//! order of their ranks, each behind its length. So the position of a token orders tokens just as
//! its rank does, and serves as the rank; a slot that holds the position needs no second table to
//! find the bytes.

use super::layout::{self, NO_RANK, SLACK};

const POSITION: u32 = (1 << layout::POSITION_BITS) - 1;

/// One vocabulary.
#[derive(Debug)]
pub(super) struct Table {
    tokens: &'static [u8],
    slots: &'static [[u8; 4]],
    pairs: &'static [[u8; 4]],
}

macro_rules! embedded {
    ($name:literal) => {
        Table {
            tokens: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".tokens")),
            slots: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".slots")).as_chunks().0,
            pairs: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".pairs")).as_chunks().0,
        }
    };
}

/// The vocabulary `o200k_base`.
pub(super) static O200K: Table = embedded!("o200k_base");
/// The vocabulary `cl100k_base`.
pub(super) static CL100K: Table = embedded!("cl100k_base");

impl Table {
    /// The rank of `bytes`, or [`NO_RANK`].
    #[inline]
    pub(super) fn rank(&self, bytes: &[u8]) -> u32 {
        if let [first, second] = *bytes {
            return self.pair(first, second);
        }
        let Ok(len) = u8::try_from(bytes.len()) else { return NO_RANK };
        let hash = layout::hash(bytes);
        let tag = layout::tag(hash);
        for slot in &self.slots[layout::home(hash, self.slots.len() - SLACK)..] {
            let slot = u32::from_le_bytes(*slot);
            if slot == 0 {
                break;
            }
            let position = slot & POSITION;
            if slot & !POSITION == tag && self.is_at(position as usize, len, bytes) {
                return position;
            }
        }
        NO_RANK
    }

    /// The rank of a token of two bytes, or [`NO_RANK`]. Merging begins with such pairs, so they
    /// are looked up more often than everything else together and have a table without hashing.
    #[inline]
    pub(super) fn pair(&self, first: u8, second: u8) -> u32 {
        u32::from_le_bytes(self.pairs[usize::from(first) << 8 | usize::from(second)])
    }

    /// The number of bytes of the token of this rank.
    pub(super) fn len(&self, rank: u32) -> usize {
        self.tokens.get(rank as usize).copied().map_or(0, usize::from)
    }

    #[inline]
    fn is_at(&self, position: usize, len: u8, bytes: &[u8]) -> bool {
        self.tokens
            .get(position..)
            .and_then(|rest| rest.split_first())
            .is_some_and(|(length, rest)| *length == len && rest.get(..bytes.len()) == Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(table: &Table, name: &str) {
        let core = tiktoken::get_encoding(name).unwrap();
        let mut position = 1;
        for id in 0..core.vocab_size() {
            let token = core.decode(&[id as u32]);
            assert_eq!(table.rank(&token), position, "token {id} of {name}");
            assert_eq!(table.len(position), token.len(), "token {id} of {name}");
            position += token.len() as u32 + 1;
        }
        assert_eq!(position as usize, table.tokens.len(), "{name} has tokens of its own");
    }

    #[test]
    fn every_token_is_found_in_the_order_of_its_id() {
        check(&O200K, "o200k_base");
        check(&CL100K, "cl100k_base");
    }

    #[test]
    fn bytes_that_are_no_token_have_no_rank() {
        assert_eq!(O200K.rank(b""), NO_RANK);
        assert_eq!(O200K.rank(b"<|endoftext|>"), NO_RANK);
        assert_eq!(O200K.rank(&[b'a'; 1000]), NO_RANK);
        assert_eq!(O200K.pair(0xff, 0xff), NO_RANK);
    }
}
