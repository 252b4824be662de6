//! What must be known of every note to find some: what it means, its length, its source, its handle.
//!
//! On the disk it lies in blocks of places; in memory it is loaded when something is first looked
//! for and kept fresh after that. A million notes take 74 MB.

use rusqlite::{Connection, OptionalExtension as _};

use super::error::LibraryError;
use super::packed::{Plane, plane, put_plane};

/// The places of a block: two blocks fill a page.
const BLOCK: u32 = 54;
/// The bytes of a place: a sketch, the sizes, a length, a source, a handle.
const WIDTH: usize = 32 + 32 + 2 + 4 + 4;
/// The source of a note that is gone.
const GONE: u32 = u32::MAX;

/// What is known of one note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub(super) sketch: Plane,
    /// What makes a vector of the sketch.
    pub(super) sizes: Plane,
    pub(super) length: u16,
    pub(super) source: u32,
    pub(super) handle: u32,
}

impl Cell {
    const EMPTY: Cell =
        Cell { sketch: [0; 4], sizes: [0; 4], length: 0, source: GONE, handle: GONE };

    fn read(data: &[u8]) -> Cell {
        let length = u16::from_le_bytes([data[64], data[65]]);
        let number =
            |at: usize| u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]);
        Cell {
            sketch: plane(&data[..32]),
            sizes: plane(&data[32..64]),
            length,
            source: number(66),
            handle: number(70),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        put_plane(out, &self.sketch);
        put_plane(out, &self.sizes);
        out.extend_from_slice(&self.length.to_le_bytes());
        out.extend_from_slice(&self.source.to_le_bytes());
        out.extend_from_slice(&self.handle.to_le_bytes());
    }
}

/// The cells of all places, in memory.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) sketches: Vec<Plane>,
    pub(super) sizes: Vec<Plane>,
    pub(super) lengths: Vec<u16>,
    pub(super) sources: Vec<u32>,
    pub(super) handles: Vec<u32>,
}

impl Columns {
    /// Reads the places from those it has up to `end`.
    pub(super) fn load(&mut self, db: &Connection, end: u32) -> Result<(), LibraryError> {
        let from = self.sketches.len() as u32;
        if from >= end {
            return Ok(());
        }
        let more = (end - from) as usize;
        self.sketches.reserve(more);
        self.sizes.reserve(more);
        self.lengths.reserve(more);
        self.sources.reserve(more);
        self.handles.reserve(more);
        let mut found =
            db.prepare_cached("SELECT block, data FROM columns WHERE block >= ? ORDER BY block")?;
        let mut rows = found.query([from / BLOCK])?;
        while let Some(row) = rows.next()? {
            let block: u32 = row.get(0)?;
            let data = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            for (at, data) in data.chunks_exact(WIDTH).enumerate() {
                let place = block.saturating_mul(BLOCK).saturating_add(at as u32);
                if place < end {
                    self.set(place, Cell::read(data));
                }
            }
        }
        // Blocks whose notes are all gone are gone themselves.
        if self.sketches.len() < end as usize {
            self.set(end - 1, Cell::EMPTY);
        }
        Ok(())
    }

    fn set(&mut self, place: u32, cell: Cell) {
        let place = place as usize;
        if self.sketches.len() <= place {
            self.sketches.resize(place + 1, Cell::EMPTY.sketch);
            self.sizes.resize(place + 1, Cell::EMPTY.sizes);
            self.lengths.resize(place + 1, 0);
            self.sources.resize(place + 1, GONE);
            self.handles.resize(place + 1, GONE);
        }
        (self.sketches[place], self.sizes[place]) = (cell.sketch, cell.sizes);
        self.lengths[place] = cell.length;
        (self.sources[place], self.handles[place]) = (cell.source, cell.handle);
    }

    /// Marks a place as empty.
    pub(super) fn remove(&mut self, place: u32) {
        if (place as usize) < self.sketches.len() {
            self.set(place, Cell::EMPTY);
        }
    }

    /// Whether there is a note at a place.
    #[inline]
    pub(super) fn has(&self, place: usize) -> bool {
        self.sources[place] != GONE
    }

    /// The places of the notes with a handle: one, hardly ever two.
    pub(super) fn with_handle(&self, handle: u32) -> impl Iterator<Item = u32> {
        let all = self.handles.iter().enumerate();
        all.filter(move |(_, own)| **own == handle).map(|(place, _)| place as u32)
    }
}

/// The last block, which grows.
#[derive(Debug, Default)]
pub(super) struct Tail {
    block: u32,
    data: Vec<u8>,
}

impl Tail {
    pub(super) fn last(db: &Connection, next: u32) -> Result<Tail, LibraryError> {
        let block = next / BLOCK;
        Ok(Tail { block, data: block_data(db, block)?.unwrap_or_default() })
    }

    pub(super) fn push(
        &mut self,
        db: &Connection,
        place: u32,
        cell: &Cell,
    ) -> Result<(), LibraryError> {
        if place / BLOCK != self.block {
            self.save(db)?;
            *self = Tail { block: place / BLOCK, data: Vec::with_capacity(BLOCK as usize * WIDTH) };
        }
        while self.data.len() < (place % BLOCK) as usize * WIDTH {
            Cell::EMPTY.write(&mut self.data);
        }
        cell.write(&mut self.data);
        Ok(())
    }

    pub(super) fn save(&self, db: &Connection) -> Result<(), LibraryError> {
        if !self.data.is_empty() {
            save(db, self.block, &self.data)?;
        }
        Ok(())
    }
}

/// The cell of one place.
pub(super) fn cell(db: &Connection, place: u32) -> Result<Option<Cell>, LibraryError> {
    let data = block_data(db, place / BLOCK)?.unwrap_or_default();
    let at = (place % BLOCK) as usize * WIDTH;
    Ok(data.get(at..at + WIDTH).map(Cell::read).filter(|cell| cell.source != GONE))
}

/// Empties a place on the disk.
pub(super) fn remove(db: &Connection, place: u32) -> Result<(), LibraryError> {
    let Some(mut data) = block_data(db, place / BLOCK)? else { return Ok(()) };
    let at = (place % BLOCK) as usize * WIDTH;
    if let Some(cell) = data.get_mut(at..at + WIDTH) {
        let mut empty = Vec::with_capacity(WIDTH);
        Cell::EMPTY.write(&mut empty);
        cell.copy_from_slice(&empty);
    }
    save(db, place / BLOCK, &data)
}

fn block_data(db: &Connection, block: u32) -> Result<Option<Vec<u8>>, LibraryError> {
    let mut found = db.prepare_cached("SELECT data FROM columns WHERE block = ?")?;
    Ok(found.query_row([block], |row| row.get(0)).optional()?)
}

fn save(db: &Connection, block: u32, data: &[u8]) -> Result<(), LibraryError> {
    db.prepare_cached("INSERT OR REPLACE INTO columns (block, data) VALUES (?, ?)")?
        .execute((block, data))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_and_places_without_notes_are_empty() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE columns (block INTEGER PRIMARY KEY, data BLOB NOT NULL)")
            .unwrap();
        let made = |place: u32| Cell {
            sketch: [u64::from(place); 4],
            sizes: [u64::from(place) << 8; 4],
            length: place as u16,
            source: place % 3,
            handle: place * 2,
        };
        for places in [1..5u32, 5..200, 260..300] {
            let mut tail = Tail::last(&db, places.start).unwrap();
            places.for_each(|place| tail.push(&db, place, &made(place)).unwrap());
            tail.save(&db).unwrap();
        }
        remove(&db, 7).unwrap();
        let mut columns = Columns::default();
        columns.load(&db, 150).unwrap();
        columns.load(&db, 300).unwrap();
        for place in 0..300u32 {
            let own = (1..200).contains(&place) || place >= 260;
            let expected = (own && place != 7).then(|| made(place));
            assert_eq!(cell(&db, place).unwrap(), expected, "{place}");
            assert_eq!(columns.has(place as usize), expected.is_some(), "{place}");
            if let Some(cell) = expected {
                assert_eq!(
                    (columns.sketches[place as usize], columns.sizes[place as usize]),
                    (cell.sketch, cell.sizes)
                );
                assert_eq!(columns.with_handle(cell.handle).collect::<Vec<_>>(), [place]);
            }
        }
    }
}
