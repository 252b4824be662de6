//! What a sentence model makes of notes, where a person has named one: a vector a note, a byte a number.
//!
//! Whoever asks the model takes a batch of texts ([`Library::unsensed`]), asks without holding anything,
//! and brings the vectors back ([`Library::give_senses`]). What was removed meanwhile gets none. One model
//! at a time: when the first vectors of another are there, those of the one before go. Notes are found without this; it only ranks them
//! ([`Library::recall_sensed`]).

use louver_recall::embed::{Small, normalise};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use super::Library;
use super::error::LibraryError;
use super::facts::Facts;
use super::{rows, texts};

/// So many bytes of a note are given to a model: some 500 tokens, which the smallest take.
const LONGEST: usize = 2_000;

/// What a sentence model makes of a text.
#[derive(Clone, PartialEq, Debug)]
pub struct Sense {
    model: String,
    vector: Small,
}

impl Sense {
    /// The vector that this model gave for a text. One that has no length (a number of it is none, or too large) is
    /// empty, and nothing is like it.
    pub fn new(model: &str, mut vector: Vec<f32>) -> Sense {
        if !vector.iter().map(|x| x * x).sum::<f32>().is_finite() {
            vector.clear();
        }
        normalise(&mut vector);
        Sense { model: model.to_owned(), vector: Small::from(&vector) }
    }

    /// How many numbers it has.
    pub fn dims(&self) -> usize {
        self.vector.data.len()
    }
}

/// Notes that a model has not read yet.
#[derive(Debug, Clone)]
pub struct Unsensed {
    model: String,
    epoch: i64,
    /// Whose vectors, and how long ones, go when these come: they are the first of another kind.
    instead: Option<(String, usize)>,
    /// Nothing up to here is missing when these are there.
    upto: u32,
    places: Vec<u32>,
    texts: Vec<String>,
}

impl Unsensed {
    /// What they say, the first 2,000 bytes of it. Nothing when the model has read all.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The same without some of the texts, which the model does not take. It is not asked for them again.
    #[must_use]
    pub fn without(mut self, refused: &[usize]) -> Unsensed {
        let mut at = 0..;
        self.places.retain(|_| !at.next().is_some_and(|at| refused.contains(&at)));
        let mut at = 0..;
        self.texts.retain(|_| !at.next().is_some_and(|at| refused.contains(&at)));
        self
    }

    /// How long these vectors are, where they can be those of the texts; nothing where there are none.
    fn dims(&self, senses: &[Sense]) -> Result<Option<usize>, LibraryError> {
        if senses.len() != self.texts.len() {
            return Err(LibraryError::Unlike("there is not one for each text"));
        }
        if senses.iter().any(|sense| sense.model != self.model) {
            return Err(LibraryError::Unlike("they are of another model than was asked"));
        }
        let dims = senses.first().map(|sense| sense.vector.data.len());
        if dims == Some(0) || senses.iter().any(|sense| Some(sense.vector.data.len()) != dims) {
            return Err(LibraryError::Unlike("some are empty, or longer than others"));
        }
        Ok(dims)
    }
}

/// What became of vectors that were brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// They are kept.
    Kept,
    /// The library began anew meanwhile; they are of notes that are numbered otherwise now.
    Late,
    /// They are not kept: they are longer or shorter than those of before, or another model has taken over. With
    /// [`Library::unsensed_anew`] all begin anew.
    Anew,
}

/// How far a model has come.
#[derive(Default)]
struct Progress {
    model: String,
    /// The numbers of its vectors; 0 before there is one.
    dims: usize,
    upto: u32,
}

impl Library {
    /// The next notes without a vector of this model, `most` of them; those that say nothing get none. Notes of
    /// folders that are not named are nobody's to give away, and wait for whoever names them.
    pub fn unsensed(&mut self, model: &str, most: usize) -> Result<Unsensed, LibraryError> {
        self.next_unsensed(model, most, false)
    }

    /// The first notes, whether this model has read them or not: it gives other vectors than it did.
    pub fn unsensed_anew(&mut self, model: &str, most: usize) -> Result<Unsensed, LibraryError> {
        self.next_unsensed(model, most, true)
    }

    fn next_unsensed(
        &mut self,
        model: &str,
        most: usize,
        anew: bool,
    ) -> Result<Unsensed, LibraryError> {
        self.checked(|library| {
            let waiting = library.waiting_sources()?;
            let db = library.db.unchecked_transaction()?;
            let (facts, known) = (Facts::read(&db)?, progress(&db)?);
            let known = known.unwrap_or_default();
            let anew = anew || known.model != model;
            let mut found = Unsensed {
                model: model.to_owned(),
                epoch: facts.epoch,
                upto: if anew { 0 } else { known.upto },
                instead: anew.then_some((known.model, known.dims)),
                places: Vec::new(),
                texts: Vec::new(),
            };
            let mut some_wait = false;
            // Behind the first that waits there are some that the model has read.
            let sql = "SELECT place FROM notes WHERE place > ?1
                       AND (?2 OR NOT EXISTS (SELECT 1 FROM senses WHERE senses.place = notes.place))
                       ORDER BY place";
            let mut after = db.prepare_cached(sql)?;
            let mut rows = after.query((found.upto, anew))?;
            while found.texts.len() < most
                && let Some(row) = rows.next()?
            {
                let place: u32 = row.get(0)?;
                let source = library.known.columns.sources.get(place as usize);
                if source.is_some_and(|source| waiting.get(*source as usize) == Some(&true)) {
                    some_wait = true;
                    continue;
                }
                if !some_wait {
                    found.upto = place;
                }
                let text = texts::text(&db, place)?.unwrap_or_default();
                let text = text.trim();
                let text = &text[..text.floor_char_boundary(LONGEST)];
                if !text.is_empty() {
                    found.places.push(place);
                    found.texts.push(text.to_owned());
                }
            }
            Ok(found)
        })
    }

    /// What the note is called whose text has this place in a batch, if it still has.
    pub fn name_in(&mut self, of: &Unsensed, at: usize) -> Result<Option<String>, LibraryError> {
        self.checked(|library| {
            let db = library.db.unchecked_transaction()?;
            let place =
                of.places.get(at).filter(|_| Facts::read(&db).is_ok_and(|f| f.epoch == of.epoch));
            let note = place.map(|place| rows::note(&db, *place)).transpose()?;
            Ok(note.flatten().map(|note| note.place))
        })
    }

    /// Keeps the vectors of notes: one for each of their texts, of the model that was asked, as long as each other.
    pub fn give_senses(&mut self, of: &Unsensed, senses: &[Sense]) -> Result<Given, LibraryError> {
        self.checked(|library| {
            let db = library.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let (facts, known) = (Facts::read(&db)?, progress(&db)?);
            if facts.analysis != library.analysis {
                return Err(LibraryError::OtherVersion);
            }
            if facts.epoch != of.epoch {
                return Ok(Given::Late);
            }
            let known = known.unwrap_or_default();
            let dims = of.dims(senses)?.unwrap_or(known.dims);
            if known.model != of.model || known.dims != 0 && known.dims != dims {
                if senses.is_empty() || of.instead != Some((known.model, known.dims)) {
                    return Ok(Given::Anew);
                }
                begin(&db, &of.model)?;
            }
            for (place, sense) in of.places.iter().zip(senses) {
                // Of what was forgotten meanwhile nothing is kept.
                let sql = "INSERT OR REPLACE INTO senses (place, data)
                           SELECT place, ?2 FROM notes WHERE place = ?1";
                db.prepare_cached(sql)?.execute((place, pack(&sense.vector)))?;
            }
            let sql = "UPDATE sensing SET dims = ?, upto = max(upto, ?)";
            db.prepare_cached(sql)?.execute((dims as u32, of.upto))?;
            db.commit()?;
            Ok(Given::Kept)
        })
    }

    /// How many notes have a vector of this model.
    pub fn sensed(&mut self, model: &str) -> Result<u64, LibraryError> {
        self.checked(|library| {
            if progress(&library.db)?.is_none_or(|known| known.model != model) {
                return Ok(0);
            }
            let count = "SELECT count(*) FROM senses";
            let count: u32 = library.db.prepare_cached(count)?.query_row([], |row| row.get(0))?;
            Ok(u64::from(count))
        })
    }

    /// How many numbers the vectors of this model have, where there are any.
    pub fn sense_dims(&mut self, model: &str) -> Result<Option<usize>, LibraryError> {
        self.checked(|library| {
            let known = progress(&library.db)?.filter(|known| known.model == model);
            Ok(known.map(|known| known.dims).filter(|dims| *dims > 0))
        })
    }
}

fn begin(db: &Connection, model: &str) -> Result<(), LibraryError> {
    db.execute("DELETE FROM senses", [])?;
    db.execute("INSERT OR REPLACE INTO sensing VALUES (1, ?, 0, 0)", [model])?;
    Ok(())
}

fn progress(db: &Connection) -> Result<Option<Progress>, LibraryError> {
    let mut found = db.prepare_cached("SELECT model, dims, upto FROM sensing")?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Progress { model: row.get(0)?, dims: row.get::<_, u32>(1)? as usize, upto: row.get(2)? })
    };
    Ok(found.query_row([], read).optional()?)
}

/// How near the notes at these places are to a question. Nothing for those that the model has not
/// read, and for all when it is another model's question.
pub(super) fn near(
    db: &Connection,
    question: &Sense,
    places: impl Iterator<Item = u32>,
) -> Result<Vec<Option<f32>>, LibraryError> {
    let dims = question.vector.data.len();
    if progress(db)?.is_none_or(|known| known.model != question.model || known.dims != dims) {
        return Ok(Vec::new());
    }
    let mut look = db.prepare_cached("SELECT data FROM senses WHERE place = ?")?;
    places
        .map(|place| {
            let own =
                |row: &rusqlite::Row<'_>| Ok(cosine(&question.vector, row.get_ref(0)?.as_blob()?));
            look.query_row([place], own).optional()?.transpose()
        })
        .collect()
}

/// Moves the vector of a note to another place, where no other is.
pub(super) fn move_to(db: &Connection, from: u32, to: u32) -> Result<(), LibraryError> {
    if from != to {
        let sql = "UPDATE senses SET place = ? WHERE place = ?";
        db.prepare_cached(sql)?.execute((to, from))?;
    }
    Ok(())
}

/// Says anew how far the model has come.
pub(super) fn move_progress(db: &Connection, new: impl Fn(u32) -> u32) -> Result<(), LibraryError> {
    if let Some(known) = progress(db)? {
        db.execute("UPDATE sensing SET upto = ?", [new(known.upto)])?;
    }
    Ok(())
}

/// Takes the vector of a note out.
pub(super) fn remove(db: &Connection, place: u32) -> Result<(), LibraryError> {
    db.prepare_cached("DELETE FROM senses WHERE place = ?")?.execute([place])?;
    Ok(())
}

fn pack(vector: &Small) -> Vec<u8> {
    let mut out = vector.scale.to_le_bytes().to_vec();
    out.extend(vector.data.iter().map(|value| *value as u8));
    out
}

fn cosine(question: &Small, data: &[u8]) -> Result<f32, LibraryError> {
    match data.split_first_chunk::<4>() {
        Some((scale, data)) if data.len() == question.data.len() => {
            let both = question.data.iter().zip(data);
            let sum: i32 = both.map(|(a, b)| i32::from(*a) * i32::from(*b as i8)).sum();
            Ok(sum as f32 * question.scale * f32::from_le_bytes(*scale))
        }
        _ => Err(LibraryError::Malformed("a sentence's vector is cut short")),
    }
}
