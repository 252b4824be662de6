//! Which notes say a word, and how often.
//!
//! A word's list is cut into chunks. The newest one, the *head*, lies with the word's spelling in a row of its
//! own; adding a note reads and writes that one row per word. When it is full it is put away into another
//! table under `word << 32 | first place`, and never grows again. So a rare word is one short row, a common
//! one can be entered in the middle, and a note is taken out of a list by rewriting one chunk. Merged
//! segments with tombstones were the other choice: they write less in bulk, but what is deleted stays in
//! the file until a merge.

use rusqlite::{CachedStatement, Connection, OptionalExtension as _};

use super::bytes::{Bytes, put};
use super::error::LibraryError;

/// A chunk has about so many bytes: six fill a page.
const CHUNK: usize = 1340;

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
    /// What the word is spelled like.
    spelling: Box<str>,
    /// How many notes say the word.
    pub(super) notes: u32,
    /// How many chunks were put away.
    chunks: u32,
    /// The last place of the chunk.
    last: u32,
    list: Vec<u8>,
}

impl Head {
    fn new(spelling: &str) -> Self {
        Head { spelling: spelling.into(), ..Head::default() }
    }

    fn read(data: &[u8]) -> Result<Self, LibraryError> {
        let mut bytes = Bytes(data);
        let spelling = bytes.text()?.into();
        let number = bytes.number()?;
        let notes = u32::try_from(number >> 1).map_err(|_| TOO_LARGE)?;
        let chunks = if number & 1 == 0 { 0 } else { bytes.small()? };
        if bytes.is_empty() {
            return Ok(Head { spelling, notes, chunks, ..Head::default() });
        }
        let after = if notes == 1 { 0 } else { bytes.small()? };
        let last = first(bytes.0)?.checked_add(after).ok_or(TOO_LARGE)?;
        Ok(Head { spelling, notes, chunks, last, list: bytes.0.to_vec() })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), LibraryError> {
        out.clear();
        put(out, self.spelling.len() as u64);
        out.extend_from_slice(self.spelling.as_bytes());
        // Most words are said once: nothing was put away, and the last place is the first.
        put(out, u64::from(self.notes) << 1 | u64::from(self.chunks > 0));
        if self.chunks > 0 {
            put(out, u64::from(self.chunks));
        }
        if self.notes != 1 && !self.list.is_empty() {
            put(out, u64::from(self.last - first(&self.list)?));
        }
        out.extend_from_slice(&self.list);
        Ok(())
    }

    fn push(&mut self, posting: Posting) {
        let before = if self.list.is_empty() { 0 } else { self.last };
        push(&mut self.list, before, posting);
        self.last = posting.place;
        self.notes += 1;
    }
}

const TOO_LARGE: LibraryError = LibraryError::Malformed("a place is too large");

/// The first place of a chunk.
fn first(list: &[u8]) -> Result<u32, LibraryError> {
    u32::try_from(Bytes(list).number()? >> 1).map_err(|_| TOO_LARGE)
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

const HEAD: &str = "SELECT data FROM heads WHERE word = ?";
const PUT_HEAD: &str = "INSERT OR REPLACE INTO heads (word, data) VALUES (?, ?)";

/// The head of a word's list.
pub(super) fn head(db: &Connection, word: u32) -> Result<Option<Head>, LibraryError> {
    read_head(&mut db.prepare_cached(HEAD)?, word)
}

fn read_head(found: &mut CachedStatement<'_>, word: u32) -> Result<Option<Head>, LibraryError> {
    let head =
        found.query_row([word], |row| Ok(Head::read(row.get_ref(0)?.as_blob()?))).optional()?;
    head.transpose()
}

fn put_head(db: &Connection, word: u32, head: &Head) -> Result<(), LibraryError> {
    let mut out = Vec::with_capacity(head.list.len() + 32);
    head.write(&mut out)?;
    db.prepare_cached(PUT_HEAD)?.execute((word, out))?;
    Ok(())
}

/// Hands the spellings of words over, one by one.
pub(super) struct Spellings<'a>(CachedStatement<'a>);

impl<'a> Spellings<'a> {
    pub(super) fn of(db: &'a Connection) -> Result<Self, LibraryError> {
        Ok(Spellings(db.prepare_cached(HEAD)?))
    }

    /// What comes of a word's spelling, if there is such a word.
    pub(super) fn with<T>(
        &mut self,
        word: u32,
        with: impl FnOnce(&str) -> T,
    ) -> Result<Option<T>, LibraryError> {
        let spelling =
            |row: &rusqlite::Row<'_>| Ok(Bytes(row.get_ref(0)?.as_blob()?).text().map(with));
        self.0.query_row([word], spelling).optional()?.transpose()
    }
}

/// Spells a word otherwise.
pub(super) fn respell(db: &Connection, word: u32, spelling: &str) -> Result<(), LibraryError> {
    let head = head(db, word)?.unwrap_or_default();
    put_head(db, word, &Head { spelling: spelling.into(), ..head })
}

/// Adds notes to lists.
pub(super) struct Appending<'a> {
    head: CachedStatement<'a>,
    put_head: CachedStatement<'a>,
    put_away: CachedStatement<'a>,
    out: Vec<u8>,
}

impl<'a> Appending<'a> {
    pub(super) fn to(db: &'a Connection) -> Result<Self, LibraryError> {
        Ok(Appending {
            head: db.prepare_cached(HEAD)?,
            put_head: db.prepare_cached(PUT_HEAD)?,
            put_away: db.prepare_cached("INSERT INTO postings (key, data) VALUES (?, ?)")?,
            out: Vec::new(),
        })
    }

    /// Adds notes to the list of a word. Their places are above all that are in it, in order. A word that
    /// has no list yet comes with its spelling.
    pub(super) fn append(
        &mut self,
        word: u32,
        new: Option<&str>,
        postings: &[Posting],
    ) -> Result<(), LibraryError> {
        let mut head = match new {
            Some(spelling) => Head::new(spelling),
            None => read_head(&mut self.head, word)?
                .ok_or(LibraryError::Malformed("a word has no list"))?,
        };
        for posting in postings {
            if head.list.len() >= CHUNK {
                self.put_away.execute((key(word, first(&head.list)?), &head.list))?;
                head.chunks += 1;
                head.list.clear();
            }
            head.push(*posting);
        }
        head.write(&mut self.out)?;
        self.put_head.execute((word, &self.out))?;
        Ok(())
    }
}

/// Takes notes out of a word's list, whose places are in order. Each chunk is written once. Whether no note says the
/// word any more; then an empty list is left.
pub(super) fn remove(db: &Connection, word: u32, places: &[u32]) -> Result<bool, LibraryError> {
    let Some(mut head) = head(db, word)? else { return Ok(true) };
    let mut put_away = places;
    if !head.list.is_empty() {
        let first = first(&head.list)?;
        let (before, own) = places.split_at(places.partition_point(|place| *place < first));
        let left = without(&head.list, own)?;
        (head.list, head.last) = (left.list, left.last);
        head.notes = head.notes.saturating_sub(left.gone);
        put_away = before;
    }
    let mut found = db.prepare_cached(
        "SELECT key, data FROM postings WHERE key > ? AND key <= ? ORDER BY key DESC LIMIT 1",
    )?;
    // The last chunk first: what is above it was in no chunk.
    while head.chunks > 0
        && let Some(last) = put_away.last()
    {
        let chunk = found
            .query_row((key(word, 0), key(word, *last)), |row| {
                Ok((row.get::<_, i64>(0)?, row.get_ref(1)?.as_blob()?.to_vec()))
            })
            .optional()?;
        let Some((chunk, list)) = chunk else { break };
        let (before, own) =
            put_away.split_at(put_away.partition_point(|place| key(word, *place) < chunk));
        let left = without(&list, own)?;
        if left.list.is_empty() {
            db.prepare_cached("DELETE FROM postings WHERE key = ?")?.execute([chunk])?;
            head.chunks = head.chunks.saturating_sub(1);
        } else if left.gone > 0 {
            db.prepare_cached("UPDATE postings SET data = ? WHERE key = ?")?
                .execute((left.list, chunk))?;
        }
        head.notes = head.notes.saturating_sub(left.gone);
        put_away = before;
    }
    put_head(db, word, &head)?;
    Ok(head.notes == 0)
}

/// Gives the notes of every list new places, which are in the same order.
pub(super) fn renumber(
    db: &Connection,
    new: impl Fn(u32) -> Option<u32>,
) -> Result<(), LibraryError> {
    let mut found = db.prepare("SELECT word FROM heads")?;
    let words: Vec<u32> = found.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut appending = Appending::to(db)?;
    let mut clear = db.prepare("DELETE FROM postings WHERE key BETWEEN ? AND ?")?;
    for word in words {
        let head = head(db, word)?.unwrap_or_default();
        let mut moved = Vec::with_capacity(head.notes as usize);
        scan(db, word, &head, |posting| {
            moved.extend(new(posting.place).map(|place| Posting { place, ..posting }));
        })?;
        clear.execute((key(word, 0), key(word, u32::MAX)))?;
        appending.append(word, Some(&head.spelling), &moved)?;
    }
    Ok(())
}

/// Takes the list of a word out, if it is empty. Whether it was.
pub(super) fn drop_empty(db: &Connection, word: u32) -> Result<bool, LibraryError> {
    let empty = head(db, word)?.is_none_or(|head| head.notes == 0);
    if empty {
        db.prepare_cached("DELETE FROM heads WHERE word = ?")?.execute([word])?;
    }
    Ok(empty)
}

/// What is left of a chunk.
struct Left {
    list: Vec<u8>,
    last: u32,
    /// How many notes are not.
    gone: u32,
}

/// A chunk without these places, which are in order.
fn without(list: &[u8], places: &[u32]) -> Result<Left, LibraryError> {
    let mut left = Left { list: Vec::with_capacity(list.len()), last: 0, gone: 0 };
    let mut places = places.iter().copied().peekable();
    each(list, |posting| {
        while places.next_if(|place| *place < posting.place).is_some() {}
        if places.next_if_eq(&posting.place).is_some() {
            left.gone += 1;
        } else {
            push(&mut left.list, left.last, posting);
            left.last = posting.place;
        }
    })?;
    Ok(left)
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
        db.execute_batch(
            "CREATE TABLE heads (word INTEGER PRIMARY KEY, data BLOB NOT NULL);
             CREATE TABLE postings (key INTEGER PRIMARY KEY, data BLOB NOT NULL)",
        )
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

    fn append(db: &Connection, word: u32, postings: &[Posting]) {
        let new = head(db, word).unwrap().is_none().then_some("dogs");
        Appending::to(db).unwrap().append(word, new, postings).unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn a_list_is_what_was_added_less_what_was_taken_out(
            steps in prop::collection::vec((1u32..500, 1u16..5, 0u16..3), 1..2500),
            gone in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), 1usize..700), 0..40),
            cut in 1usize..400,
        ) {
            let db = database();
            let mut place = 0;
            let mut made: Vec<Posting> = steps.iter().map(|(step, body, head)| {
                place += step;
                Posting { place, body: *body, head: *head }
            }).collect();
            append(&db, 6, &[Posting { place: 1, body: 1, head: 0 }]);
            append(&db, 8, &[Posting { place: 2, body: 1, head: 0 }]);
            let later = made.split_off(made.len() / 2);
            let mut model = Vec::new();
            for (made, gone) in [(made, &gone[..gone.len() / 2]), (later, &gone[gone.len() / 2..])] {
                for part in made.chunks(cut) {
                    append(&db, 7, part);
                }
                model.extend(made);
                prop_assert_eq!(&all(&db, 7), &model);
                for (gone, last, many) in gone {
                    if model.is_empty() { break }
                    let gone = if *last { model.len() - 1 } else { gone.index(model.len()) };
                    let many = gone..(gone + many).min(model.len());
                    let mut places: Vec<u32> = model.drain(many).map(|gone| gone.place).collect();
                    places.push(place + 1);
                    prop_assert_eq!(remove(&db, 7, &places).unwrap(), model.is_empty());
                }
                prop_assert_eq!(&all(&db, 7), &model);
            }
            let some: Vec<u32> = (0..place + 10).step_by(3).collect();
            let mut picked = Vec::new();
            if let Some(head) = head(&db, 7).unwrap() {
                scan_for(&db, 7, &head, &some, |posting| picked.push(posting)).unwrap();
                prop_assert_eq!(&*head.spelling, "dogs");
            }
            let empty = model.is_empty();
            model.retain(|posting| posting.place % 3 == 0);
            prop_assert_eq!(picked, model);
            prop_assert_eq!((all(&db, 6).len(), all(&db, 8).len()), (1, 1));
            prop_assert_eq!(drop_empty(&db, 7).unwrap(), empty);
        }

        #[test]
        fn any_bytes_can_be_looked_at(data: Vec<u8>) {
            if let Ok(head) = Head::read(&data) {
                let _ = each(&head.list, |_| ());
            }
        }
    }

    #[test]
    fn a_word_is_spelled_otherwise_and_keeps_its_list() {
        let db = database();
        append(&db, 3, &[Posting { place: 9, body: 2, head: 1 }]);
        respell(&db, 3, "dog").unwrap();
        let spelling = Spellings::of(&db).unwrap().with(3, str::to_owned).unwrap();
        assert_eq!(spelling.as_deref(), Some("dog"));
        assert_eq!(all(&db, 3), [Posting { place: 9, body: 2, head: 1 }]);
    }
}
