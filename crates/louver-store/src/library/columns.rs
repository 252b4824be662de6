//! What must be known of every note to find some: what it means, its length, its source, its handle.
//!
//! On the disk it lies in blocks of places; in memory it is loaded when something is first looked
//! for and kept fresh after that. A million notes take 74 MB.

use rusqlite::{Connection, OptionalExtension as _};

use super::bytes::{Bytes, put};
use super::error::LibraryError;
use super::packed::{Plane, plane, put_plane};

/// The places of a block: six blocks fill a page.
const BLOCK: u32 = 19;
/// The bytes of a place: a sketch, the sizes, a length, a handle.
const WIDTH: usize = 32 + 32 + 2 + 4;
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

    fn read(source: u32, data: &[u8]) -> Cell {
        Cell {
            sketch: plane(&data[..32]),
            sizes: plane(&data[32..64]),
            length: u16::from_le_bytes([data[64], data[65]]),
            source,
            handle: u32::from_le_bytes([data[66], data[67], data[68], data[69]]),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        put_plane(out, &self.sketch);
        put_plane(out, &self.sizes);
        out.extend_from_slice(&self.length.to_le_bytes());
        out.extend_from_slice(&self.handle.to_le_bytes());
    }
}

/// The cells of a block. Those of one source stand together: how many, the number of the source, and the
/// cells. The notes that are gone have no number, and no cells.
fn cells(data: &[u8]) -> Result<Vec<Cell>, LibraryError> {
    let (mut bytes, mut cells) = (Bytes(data), Vec::with_capacity(BLOCK as usize));
    while !bytes.is_empty() {
        let (count, number) = (bytes.small()? as usize, bytes.small()?);
        if count > BLOCK as usize - cells.len() {
            return Err(LibraryError::Malformed("a block of notes is too long"));
        }
        match number.checked_sub(1) {
            None => cells.resize(cells.len() + count, Cell::EMPTY),
            Some(source) => {
                let data = bytes.take(count * WIDTH)?.chunks_exact(WIDTH);
                cells.extend(data.map(|data| Cell::read(source, data)));
            }
        }
    }
    Ok(cells)
}

fn written(cells: &[Cell]) -> Vec<u8> {
    let mut out = Vec::with_capacity(cells.len() * WIDTH + 8);
    for same in cells.chunk_by(|one, other| one.source == other.source) {
        put(&mut out, same.len() as u64);
        // That of the gone is the largest, and comes out as nothing.
        let number = same[0].source.wrapping_add(1);
        put(&mut out, u64::from(number));
        if number > 0 {
            same.iter().for_each(|cell| cell.write(&mut out));
        }
    }
    out
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
            for (at, cell) in (0..).zip(cells(data)?) {
                let place = block.saturating_mul(BLOCK).saturating_add(at);
                if place < end {
                    self.set(place, cell);
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
    cells: Vec<Cell>,
}

impl Tail {
    pub(super) fn last(db: &Connection, next: u32) -> Result<Tail, LibraryError> {
        let block = next / BLOCK;
        Ok(Tail { block, cells: block_cells(db, block)? })
    }

    pub(super) fn push(
        &mut self,
        db: &Connection,
        place: u32,
        cell: Cell,
    ) -> Result<(), LibraryError> {
        if place / BLOCK != self.block {
            self.save(db)?;
            self.block = place / BLOCK;
            self.cells.clear();
        }
        let at = (place % BLOCK) as usize;
        if self.cells.len() < at {
            self.cells.resize(at, Cell::EMPTY);
        }
        self.cells.push(cell);
        Ok(())
    }

    pub(super) fn save(&self, db: &Connection) -> Result<(), LibraryError> {
        if !self.cells.is_empty() {
            save(db, self.block, &self.cells)?;
        }
        Ok(())
    }
}

/// The cell of one place.
pub(super) fn cell(db: &Connection, place: u32) -> Result<Option<Cell>, LibraryError> {
    let cells = block_cells(db, place / BLOCK)?;
    Ok(cells.get((place % BLOCK) as usize).copied().filter(|cell| cell.source != GONE))
}

/// Writes the cells of these places, which are in order, one after the other.
pub(super) fn rewrite(
    db: &Connection,
    columns: &Columns,
    places: &[u32],
) -> Result<(), LibraryError> {
    db.execute("DELETE FROM columns", [])?;
    let mut tail = Tail::default();
    for (place, to) in places.iter().zip(1..) {
        let at = *place as usize;
        let cell = Cell {
            sketch: columns.sketches[at],
            sizes: columns.sizes[at],
            length: columns.lengths[at],
            source: columns.sources[at],
            handle: columns.handles[at],
        };
        tail.push(db, to, cell)?;
    }
    tail.save(db)
}

/// Empties these places on the disk, which are in order. Each block is written once.
pub(super) fn remove(db: &Connection, places: &[u32]) -> Result<(), LibraryError> {
    for same in places.chunk_by(|one, other| one / BLOCK == other / BLOCK) {
        let block = same[0] / BLOCK;
        let mut cells = block_cells(db, block)?;
        for place in same {
            if let Some(cell) = cells.get_mut((place % BLOCK) as usize) {
                *cell = Cell::EMPTY;
            }
        }
        if cells.iter().all(|cell| cell.source == GONE) {
            // A row that is left would keep a sixth of a page.
            db.prepare_cached("DELETE FROM columns WHERE block = ?")?.execute([block])?;
        } else {
            save(db, block, &cells)?;
        }
    }
    Ok(())
}

fn block_cells(db: &Connection, block: u32) -> Result<Vec<Cell>, LibraryError> {
    let mut found = db.prepare_cached("SELECT data FROM columns WHERE block = ?")?;
    let data = found.query_row([block], |row| Ok(cells(row.get_ref(0)?.as_blob()?))).optional()?;
    data.unwrap_or_else(|| Ok(Vec::new()))
}

fn save(db: &Connection, block: u32, cells: &[Cell]) -> Result<(), LibraryError> {
    db.prepare_cached("INSERT OR REPLACE INTO columns (block, data) VALUES (?, ?)")?
        .execute((block, written(cells)))?;
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
            source: place / 8 % 3,
            handle: place * 2,
        };
        for places in [1..5u32, 5..200, 260..300] {
            let mut tail = Tail::last(&db, places.start).unwrap();
            places.for_each(|place| tail.push(&db, place, made(place)).unwrap());
            tail.save(&db).unwrap();
        }
        remove(&db, &[7, 8, 40, 230]).unwrap();
        let blocks = || -> u32 {
            db.query_row("SELECT count(*) FROM columns", [], |row| row.get(0)).unwrap()
        };
        let before = blocks();
        let whole: Vec<u32> = (BLOCK * 3..BLOCK * 4).collect();
        remove(&db, &whole).unwrap();
        assert_eq!(blocks(), before - 1, "what is empty takes no room");
        let mut columns = Columns::default();
        columns.load(&db, 150).unwrap();
        columns.load(&db, 300).unwrap();
        for place in 0..300u32 {
            let own = (1..200).contains(&place) || place >= 260;
            let gone = [7, 8, 40].contains(&place) || whole.contains(&place);
            let expected = (own && !gone).then(|| made(place));
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

    #[test]
    fn any_bytes_can_be_looked_at() {
        let cell = Cell { source: 3, handle: 1, ..Cell::EMPTY };
        let good = written(&[cell, cell, Cell::EMPTY, Cell { source: 4, ..cell }]);
        assert_eq!(cells(&good).unwrap().len(), 4);
        for end in 0..good.len() {
            let cut = cells(&good[..end]);
            assert!(cut.is_err() || cut.unwrap().len() < 4);
        }
        assert!(cells(&[20, 0]).is_err());
        assert!(cells(&[255, 255, 255, 255, 15, 1]).is_err());
    }
}
