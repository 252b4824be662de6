//! What the notes say, some at a time, compressed.
//!
//! A message alone compresses to four fifths, with its neighbours to little more than half. A block holds
//! the texts of places in a row; the last one grows until it is full.

use rusqlite::{Connection, OptionalExtension as _};

use super::bytes::{Bytes, put};
use super::error::LibraryError;

/// A block is full when it has so many bytes.
const FULL: usize = 8 * 1024;

/// Nothing compresses better than this, whatever a damaged block says.
const RATIO: usize = 255;

/// The texts of places in a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) first: u32,
    pub(super) texts: Vec<String>,
    size: usize,
}

impl Block {
    fn read(first: u32, data: &[u8]) -> Result<Self, LibraryError> {
        let mut bytes = Bytes(data);
        let count = bytes.small()? as usize;
        let mut lengths = Vec::with_capacity(count.min(FULL));
        for _ in 0..count {
            lengths.push(bytes.small()? as usize);
        }
        let size = lengths.iter().fold(0usize, |sum, length| sum.saturating_add(*length));
        let whole = unpack(bytes.0, size)?;
        let mut left = Bytes(&whole);
        let text = |length: usize| {
            let text = String::from_utf8(left.take(length)?.to_vec());
            text.map_err(|_| LibraryError::Malformed("a text is not text"))
        };
        let texts = lengths.into_iter().map(text).collect::<Result<_, LibraryError>>()?;
        Ok(Block { first, texts, size })
    }

    /// One text of it, without making strings of the others.
    fn one(data: &[u8], at: usize) -> Result<Option<String>, LibraryError> {
        let mut bytes = Bytes(data);
        let (mut before, mut own, mut size) = (0usize, None, 0usize);
        for place in 0..bytes.small()? as usize {
            let length = bytes.small()? as usize;
            if place < at {
                before = before.saturating_add(length);
            } else if place == at {
                own = Some(length);
            }
            size = size.saturating_add(length);
        }
        let Some(own) = own else { return Ok(None) };
        let whole = unpack(bytes.0, size)?;
        let text = whole
            .get(before..before.saturating_add(own))
            .ok_or(LibraryError::Malformed("a text is cut short"))?;
        String::from_utf8(text.to_vec())
            .map(Some)
            .map_err(|_| LibraryError::Malformed("a text is not text"))
    }

    fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.size / 2 + 64);
        put(&mut out, self.texts.len() as u64);
        self.texts.iter().for_each(|text| put(&mut out, text.len() as u64));
        let whole = self.texts.concat();
        out.extend(lz4_flex::block::compress(whole.as_bytes()));
        out
    }

    pub(super) fn save(&self, db: &Connection) -> Result<(), LibraryError> {
        if self.texts.is_empty() {
            return Ok(());
        }
        db.prepare_cached("INSERT OR REPLACE INTO texts (first, data) VALUES (?, ?)")?
            .execute((self.first, self.write()))?;
        Ok(())
    }

    /// Adds the text of a place. A block that is full is saved, and the text begins another.
    pub(super) fn push(
        &mut self,
        db: &Connection,
        place: u32,
        text: &str,
    ) -> Result<(), LibraryError> {
        let next = self.first as usize + self.texts.len();
        if self.texts.is_empty() || self.size + text.len() > FULL || next != place as usize {
            self.save(db)?;
            *self = Block { first: place, ..Block::default() };
        }
        self.size += text.len();
        self.texts.push(text.to_owned());
        Ok(())
    }
}

fn unpack(data: &[u8], size: usize) -> Result<Vec<u8>, LibraryError> {
    if size / RATIO > data.len() {
        return Err(LibraryError::Malformed("a text is too long"));
    }
    lz4_flex::block::decompress(data, size)
        .map_err(|_| LibraryError::Malformed("a text cannot be read"))
}

/// The block that grows.
pub(super) fn last(db: &Connection) -> Result<Block, LibraryError> {
    let mut found =
        db.prepare_cached("SELECT first, data FROM texts ORDER BY first DESC LIMIT 1")?;
    let row = found
        .query_row([], |row| {
            let data = row.get_ref(1)?.as_blob()?;
            // A long text stands alone, and need not be looked at to know that it is full.
            Ok(if data.len() > FULL {
                Ok(Block::default())
            } else {
                Block::read(row.get(0)?, data)
            })
        })
        .optional()?;
    row.unwrap_or_else(|| Ok(Block::default()))
}

/// What the note at a place says.
pub(super) fn text(db: &Connection, place: u32) -> Result<Option<String>, LibraryError> {
    let mut found = db.prepare_cached(
        "SELECT first, data FROM texts WHERE first <= ? ORDER BY first DESC LIMIT 1",
    )?;
    let row = found
        .query_row([place], |row| {
            let first: u32 = row.get(0)?;
            Ok(Block::one(row.get_ref(1)?.as_blob()?, (place - first) as usize))
        })
        .optional()?;
    row.unwrap_or(Ok(None))
}

/// Takes the text of a place out of its block.
pub(super) fn remove(db: &Connection, place: u32) -> Result<(), LibraryError> {
    let mut found = db.prepare_cached(
        "SELECT first, data FROM texts WHERE first <= ? ORDER BY first DESC LIMIT 1",
    )?;
    let block = found
        .query_row([place], |row| Ok(Block::read(row.get(0)?, row.get_ref(1)?.as_blob()?)))
        .optional()?;
    let Some(mut block) = block.transpose()? else { return Ok(()) };
    if let Some(text) = block.texts.get_mut((place - block.first) as usize) {
        text.clear();
    }
    if block.texts.iter().all(String::is_empty) {
        db.prepare_cached("DELETE FROM texts WHERE first = ?")?.execute([block.first])?;
        return Ok(());
    }
    block.save(db)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn texts_come_back(texts: Vec<String>, long in 0usize..30_000, gone: prop::sample::Index) {
            let db = Connection::open_in_memory().unwrap();
            db.execute_batch("CREATE TABLE texts (first INTEGER PRIMARY KEY, data BLOB NOT NULL)").unwrap();
            let mut texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            texts.push("long ".repeat(long / 5 + 1));
            texts.push("after".into());
            for (at, text) in texts.iter().enumerate() {
                let mut block = last(&db).unwrap();
                block.push(&db, at as u32 + 1, text).unwrap();
                block.save(&db).unwrap();
            }
            let gone = gone.index(texts.len());
            remove(&db, gone as u32 + 1).unwrap();
            for (at, own) in texts.iter().enumerate() {
                let found = text(&db, at as u32 + 1).unwrap().unwrap_or_default();
                prop_assert_eq!(&found, if at == gone { "" } else { own.as_str() });
            }
        }

        #[test]
        fn any_bytes_can_be_looked_at(data: Vec<u8>, at in 0usize..5) {
            let _ = Block::read(1, &data);
            let _ = Block::one(&data, at);
        }
    }
}
