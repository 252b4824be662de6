//! Which notes say a word, and how often.
//!
//! A word's list is cut into chunks that are rows of one table. The newest chunk, the *head*, has
//! the key `word << 32`; adding a note reads and writes that one row per word. When the head is
//! full it is put away under `word << 32 | first place` and never grows again. So a rare word is
//! one short row, a common one can be entered in the middle, and a note is taken out of a list by
//! rewriting one chunk. Merged segments with tombstones were the other choice: they write less in
//! bulk, but what is deleted stays in the file until a merge.

use rusqlite::{Connection, OptionalExtension as _};

use super::bytes::{Bytes, put};
use super::error::LibraryError;

/// A chunk has about so many bytes: two or three to a page.
const CHUNK: usize = 1200;

/// How often a note says a word, in its text and in its heading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Posting {
    pub(super) place: u32,
    pub(super) body: u16,
    pub(super) head: u16,
}

/// A word's newest chunk and what is known of the whole list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Head {
    /// How many notes say the word.
    pub(super) notes: u32,
    /// How many chunks were put away.
    chunks: u32,
    last: u32,
    list: Vec<u8>,
}

impl Head {
    fn read(data: &[u8]) -> Result<Self, LibraryError> {
        let mut bytes = Bytes(data);
        Ok(Head {
            notes: bytes.small()?,
            chunks: bytes.small()?,
            last: bytes.small()?,
            list: bytes.0.to_vec(),
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.clear();
        [self.notes, self.chunks, self.last].iter().for_each(|number| put(out, u64::from(*number)));
        out.extend_from_slice(&self.list);
    }

    fn push(&mut self, posting: Posting) {
        let before = if self.list.is_empty() { 0 } else { self.last };
        push(&mut self.list, before, posting);
        self.last = posting.place;
        self.notes += 1;
    }
}

fn push(list: &mut Vec<u8>, before: u32, posting: Posting) {
    let plain = posting.body == 1 && posting.head == 0;
    put(list, u64::from(posting.place - before) << 1 | u64::from(!plain));
    if !plain {
        put(list, u64::from(posting.body));
        put(list, u64::from(posting.head));
    }
}

/// The postings of a chunk, in the order of their places.
///
/// Common words have hundreds of thousands: nothing is called or dropped for each that need not be.
#[inline]
pub(super) fn each(list: &[u8], mut each: impl FnMut(Posting)) -> Result<(), LibraryError> {
    let (mut at, mut place) = (0, 0u32);
    while at < list.len() {
        let Some(posting) = next(list, &mut at, place) else {
            return Err(LibraryError::Malformed("a list of notes cannot be read"));
        };
        place = posting.place;
        each(posting);
    }
    Ok(())
}

#[inline(always)]
fn next(list: &[u8], at: &mut usize, before: u32) -> Option<Posting> {
    let number = number(list, at)?;
    let place = before.checked_add(u32::try_from(number >> 1).ok()?)?;
    if number & 1 == 0 {
        return Some(Posting { place, body: 1, head: 0 });
    }
    let (body, head) = (self::number(list, at)?, self::number(list, at)?);
    Some(Posting { place, body: u16::try_from(body).ok()?, head: u16::try_from(head).ok()? })
}

/// A number as [`put`] wrote it.
#[inline(always)]
fn number(list: &[u8], at: &mut usize) -> Option<u64> {
    let first = *list.get(*at)?;
    *at += 1;
    let mut number = u64::from(first & 127);
    let (mut byte, mut shift) = (first, 7);
    while byte >= 128 {
        byte = *list.get(*at)?;
        *at += 1;
        number |= u64::from(byte & 127).checked_shl(shift)?;
        shift += 7;
    }
    Some(number)
}

fn key(word: u32, first: u32) -> i64 {
    i64::from(word) << 32 | i64::from(first)
}

/// The head of a word's list.
pub(super) fn head(db: &Connection, word: u32) -> Result<Option<Head>, LibraryError> {
    let mut found = db.prepare_cached("SELECT data FROM postings WHERE key = ?")?;
    let head = found
        .query_row([key(word, 0)], |row| Ok(Head::read(row.get_ref(0)?.as_blob()?)))
        .optional()?;
    head.transpose()
}

/// Adds notes to a word's list. Their places are above all that are in it, in order.
pub(super) fn append(
    db: &Connection,
    word: u32,
    postings: &[Posting],
    out: &mut Vec<u8>,
) -> Result<(), LibraryError> {
    let mut head = head(db, word)?.unwrap_or_default();
    for posting in postings {
        if head.list.len() >= CHUNK {
            put_away(db, word, &mut head)?;
        }
        head.push(*posting);
    }
    head.write(out);
    db.prepare_cached("INSERT OR REPLACE INTO postings (key, data) VALUES (?, ?)")?
        .execute((key(word, 0), &*out))?;
    Ok(())
}

fn put_away(db: &Connection, word: u32, head: &mut Head) -> Result<(), LibraryError> {
    let first = u32::try_from(Bytes(&head.list).number()? >> 1)
        .map_err(|_| LibraryError::Malformed("a place is too large"))?;
    db.prepare_cached("INSERT INTO postings (key, data) VALUES (?, ?)")?
        .execute((key(word, first), &head.list))?;
    head.chunks += 1;
    head.list.clear();
    Ok(())
}

/// Takes a note out of a word's list. Whether no note says the word any more.
pub(super) fn remove(
    db: &Connection,
    word: u32,
    place: u32,
    out: &mut Vec<u8>,
) -> Result<bool, LibraryError> {
    let Some(mut head) = head(db, word)? else { return Ok(true) };
    if let Some(list) = without(&head.list, place)? {
        head.list = list;
    } else {
        let mut found = db.prepare_cached(
            "SELECT key, data FROM postings WHERE key > ? AND key <= ? ORDER BY key DESC LIMIT 1",
        )?;
        let chunk = found
            .query_row((key(word, 0), key(word, place)), |row| {
                Ok((row.get::<_, i64>(0)?, without(row.get_ref(1)?.as_blob()?, place)))
            })
            .optional()?;
        let Some((chunk, list)) = chunk else { return Ok(head.notes == 0) };
        match list? {
            None => return Ok(head.notes == 0),
            Some(list) if list.is_empty() => {
                db.prepare_cached("DELETE FROM postings WHERE key = ?")?.execute([chunk])?;
                head.chunks = head.chunks.saturating_sub(1);
            }
            Some(list) => {
                db.prepare_cached("UPDATE postings SET data = ? WHERE key = ?")?
                    .execute((list, chunk))?;
            }
        }
    }
    head.notes = head.notes.saturating_sub(1);
    if head.notes == 0 {
        db.prepare_cached("DELETE FROM postings WHERE key = ?")?.execute([key(word, 0)])?;
        return Ok(true);
    }
    head.write(out);
    db.prepare_cached("UPDATE postings SET data = ? WHERE key = ?")?
        .execute((&*out, key(word, 0)))?;
    Ok(false)
}

/// The chunk without a place, if the place is in it.
fn without(list: &[u8], place: u32) -> Result<Option<Vec<u8>>, LibraryError> {
    let (mut left, mut before, mut found) = (Vec::with_capacity(list.len()), 0, false);
    each(list, |posting| {
        if posting.place == place {
            found = true;
        } else {
            push(&mut left, before, posting);
            before = posting.place;
        }
    })?;
    Ok(found.then_some(left))
}

/// Every posting of a word, in the order of their places.
pub(super) fn scan(
    db: &Connection,
    word: u32,
    head: &Head,
    mut each_one: impl FnMut(Posting),
) -> Result<(), LibraryError> {
    chunks(db, word, head, |list| each(list, &mut each_one))
}

/// The postings of a word for these places, which are in order.
pub(super) fn scan_for(
    db: &Connection,
    word: u32,
    head: &Head,
    places: &[u32],
    mut found: impl FnMut(Posting),
) -> Result<(), LibraryError> {
    let mut wanted = places.iter().copied();
    let mut target = wanted.next().unwrap_or(u32::MAX);
    chunks(db, word, head, |list| {
        each(list, |posting| {
            // Nearly all are before the next that is wanted.
            while target < posting.place {
                target = wanted.next().unwrap_or(u32::MAX);
            }
            if target == posting.place {
                found(posting);
            }
        })
    })
}

/// The chunks of a word's list, the newest last.
fn chunks(
    db: &Connection,
    word: u32,
    head: &Head,
    mut each: impl FnMut(&[u8]) -> Result<(), LibraryError>,
) -> Result<(), LibraryError> {
    if head.chunks > 0 {
        let mut found =
            db.prepare_cached("SELECT data FROM postings WHERE key > ? AND key < ? ORDER BY key")?;
        let mut rows = found.query((key(word, 0), key(word + 1, 0)))?;
        while let Some(row) = rows.next()? {
            each(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?)?;
        }
    }
    each(&head.list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn database() -> Connection {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE postings (key INTEGER PRIMARY KEY, data BLOB NOT NULL)")
            .unwrap();
        db
    }

    fn all(db: &Connection, word: u32) -> Vec<Posting> {
        let mut found = Vec::new();
        if let Some(head) = head(db, word).unwrap() {
            scan(db, word, &head, |posting| found.push(posting)).unwrap();
            assert_eq!(head.notes as usize, found.len());
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn a_list_is_what_was_added_less_what_was_taken_out(
            steps in prop::collection::vec((1u32..500, 1u16..5, 0u16..3), 1..2500),
            gone in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
            cut in 1usize..400,
        ) {
            let db = database();
            let mut place = 0;
            let mut model: Vec<Posting> = steps.iter().map(|(step, body, head)| {
                place += step;
                Posting { place, body: *body, head: *head }
            }).collect();
            append(&db, 6, &[Posting { place: 1, body: 1, head: 0 }], &mut Vec::new()).unwrap();
            append(&db, 8, &[Posting { place: 2, body: 1, head: 0 }], &mut Vec::new()).unwrap();
            for part in model.chunks(cut) {
                append(&db, 7, part, &mut Vec::new()).unwrap();
            }
            prop_assert_eq!(&all(&db, 7), &model);
            for gone in gone {
                if model.is_empty() { break }
                let gone = model.remove(gone.index(model.len()));
                prop_assert_eq!(remove(&db, 7, gone.place, &mut Vec::new()).unwrap(), model.is_empty());
            }
            prop_assert_eq!(&all(&db, 7), &model);
            let some: Vec<u32> = (0..place + 10).step_by(3).collect();
            let mut picked = Vec::new();
            if let Some(head) = head(&db, 7).unwrap() {
                scan_for(&db, 7, &head, &some, |posting| picked.push(posting)).unwrap();
            }
            model.retain(|posting| posting.place % 3 == 0);
            prop_assert_eq!(picked, model);
            prop_assert_eq!((all(&db, 6).len(), all(&db, 8).len()), (1, 1));
        }
    }
}
