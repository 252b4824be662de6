//! A table of vectors that owns its bytes: the one in the binary, or one that was read from a file.
//!
//! [`Embeddings`] borrows what it looks at. Whoever holds a table for long holds this, and looks at it
//! through [`Table::embeddings`], which costs a look at the head of the file.

use std::fmt;
use std::sync::Arc;

use crate::embed::{Embeddings, shipped};

/// A table of word pieces and their vectors. Cheap to clone.
#[derive(Clone, Default)]
pub struct Table {
    /// Bytes that were checked; without them it is the table in the binary.
    own: Option<Arc<[u8]>>,
}

/// Why bytes are no table of vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadTable {
    /// The head or the length is not that of a table.
    #[error("it is no table of word vectors, or it was cut short")]
    Unlike,
    /// The pieces cannot all be found.
    #[error("the table is damaged: its pieces are not where they should be")]
    Pieces,
    /// A vector's weight is no number.
    #[error("the table is damaged: a weight is no number")]
    Weights,
}

impl Table {
    /// The table in the binary.
    pub fn shipped() -> Table {
        Table::default()
    }

    /// A table of its own. Everything that is looked at later without asking is checked here.
    pub fn read(file: impl Into<Arc<[u8]>>) -> Result<Table, BadTable> {
        let file = file.into();
        Embeddings::read(&file).ok_or(BadTable::Unlike)?.check()?;
        Ok(Table { own: Some(file) })
    }

    /// The table to look at.
    pub fn embeddings(&self) -> Embeddings<'_> {
        match &self.own {
            Some(file) => Embeddings::read(file).unwrap_or(Embeddings::NONE),
            None => shipped(),
        }
    }

    /// Whether it is the table in the binary.
    pub fn is_shipped(&self) -> bool {
        self.own.is_none()
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.own {
            Some(file) => write!(f, "Table({} bytes)", file.len()),
            None => f.write_str("Table(shipped)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of these pieces, a byte a number, as the packing script lays it out.
    fn packed(pieces: &[(&str, &[i8])], scale: f32) -> Vec<u8> {
        let slots = (pieces.len() * 2).next_power_of_two();
        let mut table = vec![0u16; slots];
        for (row, (piece, _)) in pieces.iter().enumerate() {
            let hash = piece.bytes().fold(0x811C_9DC5u32, |hash, byte| {
                (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
            });
            let mut place = hash as usize & (slots - 1);
            while table[place] != 0 {
                place = (place + 1) & (slots - 1);
            }
            table[place] = row as u16 + 1;
        }
        let mut file = b"LVRVEC1\0".to_vec();
        for number in [pieces.len(), pieces[0].1.len(), 8, slots] {
            file.extend((number as u32).to_le_bytes());
        }
        table.iter().for_each(|entry| file.extend(entry.to_le_bytes()));
        let mut end = 0;
        for (piece, _) in pieces {
            end += piece.len() as u32;
            file.extend(end.to_le_bytes());
        }
        pieces.iter().for_each(|_| file.extend(scale.to_le_bytes()));
        pieces.iter().for_each(|(piece, _)| file.extend(piece.bytes()));
        file.resize(file.len().next_multiple_of(4), 0);
        pieces.iter().for_each(|(_, row)| file.extend(row.iter().map(|value| *value as u8)));
        file
    }

    const PIECES: &[(&str, &[i8])] = &[("dog", &[3, 4]), ("train", &[-4, 3])];

    #[test]
    fn a_table_from_a_file_is_looked_at_like_the_one_in_the_binary() {
        let table = Table::read(packed(PIECES, 0.5)).unwrap();
        assert!(!table.is_shipped());
        assert_eq!(table.clone().embeddings().embed("Dog!"), [0.6, 0.8]);
        assert_eq!(table.embeddings().embed("train"), [-0.8, 0.6]);
        assert_eq!(Table::shipped().embeddings().dims(), shipped().dims());
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert_eq!(Table::read(*b"hello").unwrap_err(), BadTable::Unlike);
        let good = packed(PIECES, 0.5);
        assert_eq!(Table::read(&good[..good.len() - 1]).unwrap_err(), BadTable::Unlike);
        for (at, value) in [(16, 3), (12, 0)] {
            let mut bad = good.clone();
            bad[at] = value;
            assert_eq!(Table::read(bad).unwrap_err(), BadTable::Unlike, "byte {at}");
        }
    }

    #[test]
    fn a_table_whose_pieces_lie_elsewhere_is_refused() {
        let good = packed(PIECES, 0.5);
        let slot = (24..32).step_by(2).find(|at| good[*at] != 0).unwrap();
        for entry in [0u16, 3, u16::MAX] {
            let mut bad = good.clone();
            bad[slot..slot + 2].copy_from_slice(&entry.to_le_bytes());
            assert_eq!(Table::read(bad).unwrap_err(), BadTable::Pieces, "{entry}");
        }
        let mut bad = good.clone();
        bad[32] = 200;
        assert_eq!(Table::read(bad).unwrap_err(), BadTable::Pieces);
    }

    #[test]
    fn a_weight_that_is_no_number_is_refused() {
        assert_eq!(Table::read(packed(PIECES, f32::NAN)).unwrap_err(), BadTable::Weights);
    }
}
