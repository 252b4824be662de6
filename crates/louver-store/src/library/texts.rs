//! What the notes say, some at a time, compressed.
//!
//! A message alone hardly compresses, with its neighbours to less than half. A block holds the texts of
//! places in a row; the last one grows until it is full. LZ4 was twice as quick, and left a message at three
//! quarters: more than all the rest of the index.

use rusqlite::{Connection, OptionalExtension as _};

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::bytes::{Bytes, put};
use super::error::LibraryError;

/// A block is full when it has so many bytes: packed, they take a third of a page.
const FULL: usize = 2560;

/// So many bytes more are unpacked than are wanted: near the end of its room unpacking is slow.
const MARGIN: usize = 300;

/// Nothing compresses better than this, whatever a damaged block says.
const RATIO: usize = 1040;

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

    /// One text of it. What comes after it is not unpacked.
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
        let end = before.saturating_add(own);
        let mut whole = unpack(bytes.0, size.min(end.saturating_add(MARGIN)))?;
        whole.truncate(end);
        let text = String::from_utf8(whole.split_off(before.min(whole.len())));
        text.map(Some).map_err(|_| LibraryError::Malformed("a text is not text"))
    }

    /// The text of a place, which is empty after that.
    fn take(&mut self, place: u32) -> String {
        let text = self.texts.get_mut((place - self.first) as usize);
        text.map(std::mem::take).unwrap_or_default()
    }

    fn write(&self, press: &mut Press) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.size / 2 + 64);
        put(&mut out, self.texts.len() as u64);
        self.texts.iter().for_each(|text| put(&mut out, text.len() as u64));
        press.pack(self.texts.concat().as_bytes(), &mut out);
        out
    }

    pub(super) fn save(&self, db: &Connection, press: &mut Press) -> Result<(), LibraryError> {
        if self.texts.is_empty() {
            return Ok(());
        }
        db.prepare_cached("INSERT OR REPLACE INTO texts (first, data) VALUES (?, ?)")?
            .execute((self.first, self.write(press)))?;
        Ok(())
    }

    /// Adds the text of a place. A block that is full is saved, and the text begins another.
    pub(super) fn push(
        &mut self,
        db: &Connection,
        press: &mut Press,
        place: u32,
        text: &str,
    ) -> Result<(), LibraryError> {
        let next = self.first as usize + self.texts.len();
        if self.texts.is_empty() || self.size + text.len() > FULL || next != place as usize {
            self.save(db, press)?;
            *self = Block { first: place, ..Block::default() };
        }
        self.size += text.len();
        self.texts.push(text.to_owned());
        Ok(())
    }
}

/// What compresses. It is large, and can be used again.
pub(super) struct Press(Box<CompressorOxide>);

impl Default for Press {
    fn default() -> Self {
        // Raw deflate at its usual level.
        Press(Box::new(CompressorOxide::new(create_comp_flags_from_zip_params(6, -15, 0))))
    }
}

impl Press {
    fn pack(&mut self, data: &[u8], out: &mut Vec<u8>) {
        self.0.reset();
        let mut put = |more: &[u8]| {
            out.extend_from_slice(more);
            true
        };
        let (status, _) = compress_to_output(&mut self.0, data, TDEFLFlush::Finish, &mut put);
        debug_assert_eq!(
            status,
            TDEFLStatus::Done,
            "it is given all at once, and takes all it gives"
        );
    }
}

/// The first `size` bytes of what was packed.
fn unpack(data: &[u8], size: usize) -> Result<Vec<u8>, LibraryError> {
    if size / RATIO > data.len() {
        return Err(LibraryError::Malformed("a text is too long"));
    }
    let mut out = vec![0; size];
    let (status, _, written) = decompress(
        &mut DecompressorOxide::new(),
        data,
        &mut out,
        0,
        TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
    );
    let done = matches!(status, TINFLStatus::Done | TINFLStatus::HasMoreOutput);
    match done && written == size {
        true => Ok(out),
        false => Err(LibraryError::Malformed("a text cannot be read")),
    }
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

const AT: &str = "SELECT first, data FROM texts WHERE first <= ? ORDER BY first DESC LIMIT 1";

/// What the note at a place says.
pub(super) fn text(db: &Connection, place: u32) -> Result<Option<String>, LibraryError> {
    let mut found = db.prepare_cached(AT)?;
    let row = found
        .query_row([place], |row| {
            let first: u32 = row.get(0)?;
            Ok(Block::one(row.get_ref(1)?.as_blob()?, (place - first) as usize))
        })
        .optional()?;
    row.unwrap_or(Ok(None))
}

/// What the notes at these places say, which are in order. Each block is read once.
pub(super) fn all(db: &Connection, places: &[u32]) -> Result<Vec<String>, LibraryError> {
    let mut texts = Vec::with_capacity(places.len());
    each_block(db, places, |block, places| {
        texts.extend(places.iter().map(|place| block.take(*place)));
        Ok(())
    })?;
    Ok(texts)
}

/// Takes the texts of these places out, which are in order. Each block is written once.
pub(super) fn remove(
    db: &Connection,
    press: &mut Press,
    places: &[u32],
) -> Result<(), LibraryError> {
    each_block(db, places, |block, places| {
        places.iter().for_each(|place| drop(block.take(*place)));
        if block.texts.iter().all(String::is_empty) {
            db.prepare_cached("DELETE FROM texts WHERE first = ?")?.execute([block.first])?;
            return Ok(());
        }
        block.save(db, press)
    })
}

/// Writes the texts of these places, which are in order, one after the other. All of them are in memory meanwhile,
/// packed: a block that is written may have the name of one that is not read yet.
pub(super) fn rewrite(db: &Connection, places: &[u32]) -> Result<(), LibraryError> {
    let mut found = db.prepare("SELECT first, data FROM texts ORDER BY first")?;
    let packed = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let packed: Vec<(u32, Vec<u8>)> = packed.collect::<Result<_, _>>()?;
    db.execute("DELETE FROM texts", [])?;
    let (mut press, mut block) = (Press::default(), Block::default());
    let mut blocks = packed.into_iter().peekable();
    let mut now = Block::default();
    for (place, to) in places.iter().zip(1..) {
        while let Some((first, data)) = blocks.next_if(|(first, _)| first <= place) {
            now = Block::read(first, &data)?;
        }
        // A block goes when nothing in it says anything.
        block.push(db, &mut press, to, &now.take(*place))?;
    }
    block.save(db, &mut press)
}

/// Hands each block over that has some of these places, with those. Places without one come with an empty block.
fn each_block(
    db: &Connection,
    mut places: &[u32],
    mut each: impl FnMut(&mut Block, &[u32]) -> Result<(), LibraryError>,
) -> Result<(), LibraryError> {
    let mut found = db.prepare_cached(AT)?;
    while let Some(first) = places.first() {
        let block = found
            .query_row([first], |row| Ok(Block::read(row.get(0)?, row.get_ref(1)?.as_blob()?)))
            .optional()?;
        let mut block = block.transpose()?.unwrap_or_default();
        let end = block.first as usize + block.texts.len();
        let (here, rest) =
            places.split_at(places.partition_point(|at| (*at as usize) < end).max(1));
        if end <= *first as usize {
            block = Block::default();
        }
        each(&mut block, here)?;
        places = rest;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn texts_come_back(texts: Vec<String>, long in 0usize..30_000, gone: Vec<prop::sample::Index>) {
            let db = Connection::open_in_memory().unwrap();
            db.execute_batch("CREATE TABLE texts (first INTEGER PRIMARY KEY, data BLOB NOT NULL)").unwrap();
            let mut texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            texts.push("long ".repeat(long / 5 + 1));
            texts.push("after".into());
            let mut press = Press::default();
            for (at, text) in texts.iter().enumerate() {
                let mut block = last(&db).unwrap();
                block.push(&db, &mut press, at as u32 + 1, text).unwrap();
                block.save(&db, &mut press).unwrap();
            }
            let gone: BTreeSet<u32> = gone.iter().map(|gone| gone.index(texts.len()) as u32 + 1).collect();
            let gone: Vec<u32> = gone.into_iter().collect();
            // What is taken out twice, or was never there, changes nothing.
            for gone in [&gone[..gone.len() / 2], &gone, &[900_000]] {
                remove(&db, &mut press, gone).unwrap();
            }
            let places: Vec<u32> = (1..=texts.len() as u32).collect();
            let left = |(place, own): (&u32, String)| if gone.contains(place) { String::new() } else { own };
            let texts: Vec<String> = places.iter().zip(texts).map(left).collect();
            prop_assert_eq!(&all(&db, &places).unwrap(), &texts);
            for (place, own) in places.iter().zip(&texts) {
                prop_assert_eq!(&text(&db, *place).unwrap().unwrap_or_default(), own);
            }
        }

        #[test]
        fn any_bytes_can_be_looked_at(data: Vec<u8>, at in 0usize..5) {
            let _ = Block::read(1, &data);
            let _ = Block::one(&data, at);
        }
    }
}
