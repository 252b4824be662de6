//! Byte pair merging: from the bytes of a piece to its tokens.
//!
//! Again and again the neighbours with the lowest rank are joined, the leftmost first. Almost all
//! pieces are words, for which looking at every pair in each round is fastest. A piece can however
//! be as long as the text, a megabyte of one letter for example, and there the rounds would be
//! quadratic; so long pieces keep their pairs in a heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::layout::NO_RANK;
use super::table::Table;

/// Up to this many bytes the rounds beat the heap. A power of two, to share a word with a rank.
const SHORT: usize = 64;

/// The number of tokens of a piece that is not itself a token.
pub(super) fn count(table: &Table, piece: &[u8]) -> u32 {
    let mut tokens = 0;
    merge(table, piece, |_| tokens += 1);
    tokens
}

/// Calls `each` with the offset in the piece at which each of its tokens starts, in order. A piece
/// that is a token is not merged: that would not always lead to the token.
pub(super) fn starts(table: &Table, piece: &[u8], mut each: impl FnMut(usize)) {
    if piece.len() < 2 || table.rank(piece) != NO_RANK {
        if !piece.is_empty() {
            each(0);
        }
        return;
    }
    merge(table, piece, each);
}

fn merge(table: &Table, piece: &[u8], each: impl FnMut(usize)) {
    if piece.len() <= SHORT {
        merge_short(table, piece, each)
    } else {
        merge_long(table, piece, each)
    }
}

/// Merges in rounds. `keys` has for every token, at the index where it starts, the rank of the pair
/// it makes with the next one, with the index in the low bits: the lowest key is the leftmost pair
/// of the lowest rank.
fn merge_short(table: &Table, piece: &[u8], mut each: impl FnMut(usize)) {
    let len = piece.len();
    let mut keys = [NO_RANK; SHORT];
    let mut next = [0u8; SHORT + 1];
    let mut previous = [0u8; SHORT + 1];
    let key = |rank: u32, at: usize| {
        if rank == NO_RANK { NO_RANK } else { rank << SHORT.ilog2() | at as u32 }
    };
    for at in 0..len {
        next[at] = at as u8 + 1;
        previous[at + 1] = at as u8;
    }
    for (at, pair) in piece.windows(2).enumerate() {
        keys[at] = key(table.pair(pair[0], pair[1]), at);
    }
    let keys = &mut keys[..len];
    loop {
        let lowest = keys.iter().copied().fold(NO_RANK, u32::min);
        if lowest == NO_RANK {
            break;
        }
        let at = lowest as usize % SHORT;
        let gone = usize::from(next[at]);
        let after = usize::from(next[gone]);
        keys[gone] = NO_RANK;
        next[at] = after as u8;
        previous[after] = at as u8;
        keys[at] = if after < len {
            key(table.rank(&piece[at..usize::from(next[after])]), at)
        } else {
            NO_RANK
        };
        if at > 0 {
            let before = usize::from(previous[at]);
            keys[before] = key(table.rank(&piece[before..after]), before);
        }
    }
    let mut at = 0;
    while at < len {
        each(at);
        at = usize::from(next[at]);
    }
}

/// Merges through a heap of pairs. A pair that is no longer there is recognised when it comes up:
/// its rank tells its length, and at its end there is no longer the end of the second token.
fn merge_long(table: &Table, piece: &[u8], mut each: impl FnMut(usize)) {
    let mut edges = Edges::all(piece.len());
    let pairs = piece.windows(2).enumerate();
    let mut heap: BinaryHeap<_> = pairs
        .map(|(at, pair)| (table.pair(pair[0], pair[1]), at))
        .filter(|(rank, _)| *rank != NO_RANK)
        .map(|(rank, at)| Reverse(pack(rank, at)))
        .collect();
    while let Some(Reverse(entry)) = heap.pop() {
        let (rank, at) = unpack(entry);
        if !edges.has(at) {
            continue;
        }
        let middle = edges.after(at);
        let end = at + table.len(rank);
        if middle >= end || edges.after(middle) != end {
            continue;
        }
        edges.remove(middle);
        let mut push = |from: usize, to: usize| {
            let rank = table.rank(&piece[from..to]);
            if rank != NO_RANK {
                heap.push(Reverse(pack(rank, from)));
            }
        };
        if end < piece.len() {
            push(at, edges.after(end));
        }
        if at > 0 {
            push(edges.before(at), end);
        }
    }
    let mut at = 0;
    while at < piece.len() {
        each(at);
        at = edges.after(at);
    }
}

/// A rank has fewer than 24 bits, which leaves room for the offset in a piece of any size.
fn pack(rank: u32, at: usize) -> u64 {
    u64::from(rank) << 40 | at as u64
}

fn unpack(entry: u64) -> (u32, usize) {
    ((entry >> 40) as u32, (entry & ((1 << 40) - 1)) as usize)
}

/// Where tokens begin and end, one bit per offset. A list with links both ways would be faster to
/// follow, but takes 64 times the memory; and as no token is longer than a few words of bits, the
/// next edge is never far.
struct Edges(Vec<u64>);

impl Edges {
    fn all(len: usize) -> Self {
        Edges(vec![u64::MAX; len / 64 + 1])
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 != 0
    }

    fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    /// The first edge behind `at`; there is one, because the end of the piece is never removed.
    fn after(&self, at: usize) -> usize {
        let from = at + 1;
        let mut word = from / 64;
        let mut bits = self.0[word] & u64::MAX << (from % 64);
        while bits == 0 {
            word += 1;
            bits = self.0[word];
        }
        word * 64 + bits.trailing_zeros() as usize
    }

    /// The last edge before `at`; there is one, because the start of the piece is never removed.
    fn before(&self, at: usize) -> usize {
        let mut word = at / 64;
        let mut bits = self.0[word] & !(u64::MAX << (at % 64));
        while bits == 0 {
            word -= 1;
            bits = self.0[word];
        }
        word * 64 + 63 - bits.leading_zeros() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::Xorshift;
    use super::super::table::{CL100K, O200K};
    use super::*;

    #[test]
    fn the_heap_merges_like_the_rounds() {
        let mut random = Xorshift::new();
        for _ in 0..20_000 {
            let text = random.text(12);
            let piece = &text.as_bytes()[..text.len().min(SHORT)];
            for table in [&O200K, &CL100K] {
                let (mut rounds, mut heap) = (Vec::new(), Vec::new());
                merge_short(table, piece, |at| rounds.push(at));
                merge_long(table, piece, |at| heap.push(at));
                assert_eq!(rounds, heap, "{text:?}");
            }
        }
    }

    #[test]
    fn edges_are_found_across_words_of_bits() {
        let mut edges = Edges::all(300);
        for at in 1..299 {
            edges.remove(at);
        }
        assert_eq!((edges.after(0), edges.after(299)), (299, 300));
        assert_eq!((edges.before(300), edges.before(299)), (299, 0));
        assert!(edges.has(0) && !edges.has(64));
    }
}
