//! The library: every note of a workspace on the disk, and the right ones for a question.
//!
//! It is one SQLite file, `.louver/recall.db`, that several processes share. All of it comes from
//! elsewhere (session logs, files) and is made again when it is deleted, damaged or of another version;
//! only the list of what is to be forgotten is kept apart. Notes come from named sources with a
//! stamp each, so that whoever feeds it knows what has changed.
//!
//! ```text
//! Entry ▶ analyse (all cores, no lock) ▶ Writer (one transaction) ▶ tables
//! Question ▶ find (postings, sketches) ▶ Looked (rows of the candidates) ▶ rank ▶ choose ▶ Recalled
//! ```
//!
//! ```
//! use louver_recall::question::Question;
//! use louver_store::recall::{Entry, Library, Locator, May};
//!
//! let workspace = tempfile::tempdir()?;
//! let mut library = Library::open(workspace.path())?;
//! let text = "Anna is allergic to peanuts.".to_owned();
//! let entry = Entry { text, locator: Locator::Line(3), ..Entry::default() };
//! library.replace("MEMORY.md", "stamp 1", vec![entry])?;
//!
//! let question = Question { text: "What is Anna allergic to?".into(), now: None };
//! let count = |text: &str| text.len().div_ceil(4) as u32;
//! let recalled = library.recall(&question, 500, &count, &May::default())?;
//! assert_eq!(recalled.notes[0].source, "MEMORY.md");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyse;
mod bytes;
mod columns;
mod entry;
mod error;
mod facts;
mod find;
mod forgotten;
mod numbered;
mod open;
mod packed;
mod postings;
mod rows;
mod shelf;
mod texts;
mod words;
mod write;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use louver_recall::choose::{Choice, choose};
use louver_recall::embed::{Embeddings, shipped};
use louver_recall::question::{self, Question};
use louver_recall::rank::{Parts, Ranked, rank};
use louver_recall::recall::found;
use rusqlite::{Connection, TransactionBehavior};

use self::columns::Columns;
use self::entry::name_all;
use self::facts::{Event, Facts};
use self::find::{Scores, Search, Vectors};
use self::open::Files;
use self::shelf::{Looked, Rows};
use self::words::Words;
use self::write::{How, Readings, Step, Writer};

pub use entry::{Entry, Kept, Locator};
pub use error::{Fault, FindError, ForgetError, IndexError, OpenError};
pub use forgotten::Forgotten;
pub use write::Indexed;

/// So many notes are written in one transaction. Other writers wait that long, and no longer.
const BATCH: usize = 8_192;
/// So many bytes of them, too, for notes that are long.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

/// The notes of a workspace.
pub struct Library {
    db: Connection,
    files: Files,
    table: Embeddings<'static>,
    analysis: i64,
    /// How things stood when this was last looked at; what follows is of that time.
    seen: Facts,
    columns: Columns,
    words: Words,
    people: HashMap<i64, String>,
    scores: Scores,
    vectors: Vectors,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library")
            .field("file", &self.files.database)
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}

/// A change to what the library knows of a source.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// The entries are all there is of the source. Those that are in already stay as they are.
    Replace {
        /// Its name.
        source: String,
        /// What tells whether it has changed since: a hash, a time and size, a number of events.
        stamp: String,
        /// All of it, in order.
        entries: Vec<Entry>,
    },
    /// The entries come after those that are in. One that is in already is not put in twice.
    Extend {
        /// Its name.
        source: String,
        /// What tells whether it has changed since.
        stamp: String,
        /// What is new, in order.
        entries: Vec<Entry>,
    },
    /// Nothing of the source stays.
    Remove {
        /// Its name.
        source: String,
    },
}

/// How far indexing has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Sources that are done.
    pub sources: usize,
    /// Entries that were looked at.
    pub entries: usize,
}

/// Which notes may be recalled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct May {
    /// Whose.
    pub scopes: Scopes,
    /// Not these, because they are in view already.
    pub in_view: Vec<u64>,
}

/// Whose notes may be recalled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Scopes {
    /// Everyone's alone: notes without a scope.
    #[default]
    Shared,
    /// Those of these scopes, and everyone's.
    Of(Vec<String>),
    /// All there are. For the owner's own eyes.
    All,
}

/// What is recalled.
#[derive(Clone, PartialEq, Debug)]
pub struct Recalled {
    /// What goes into the prompt, what does not, and why.
    pub choice: Choice,
    /// The notes of `choice.notes`, in that order, to cite them.
    pub notes: Vec<Kept>,
}

/// A note that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Hit {
    /// The note.
    pub kept: Kept,
    /// How well it fits: all parts together.
    pub score: f32,
    /// What each part gave.
    pub parts: Parts,
}

impl Library {
    /// Opens the library of a workspace, or makes an empty one.
    pub fn open(workspace: &Path) -> Result<Library, OpenError> {
        let (files, table) = (Files::of(workspace), shipped());
        let analysis = open::fingerprint(&table);
        let db = open::open(&files, analysis)?;
        Ok(Library {
            db,
            files,
            table,
            analysis,
            seen: Facts::default(),
            columns: Columns::default(),
            words: Words::default(),
            people: HashMap::new(),
            scores: Scores::default(),
            vectors: Vectors::default(),
        })
    }

    /// How many notes there are.
    pub fn len(&mut self) -> Result<usize, FindError> {
        Ok(self.checked(|library| Ok(Facts::read(&library.db)?.notes as usize))?)
    }

    /// Whether there are none.
    pub fn is_empty(&mut self) -> Result<bool, FindError> {
        Ok(self.len()? == 0)
    }

    /// Every source with its stamp. A source without one was not finished: it must be given again.
    pub fn sources(&mut self) -> Result<BTreeMap<String, Option<String>>, FindError> {
        Ok(self.checked(|library| {
            let mut found = library.db.prepare_cached("SELECT name, stamp FROM sources")?;
            let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })?)
    }

    /// Makes the entries all there is of a source. What has not changed is not indexed again.
    pub fn replace(
        &mut self,
        source: &str,
        stamp: &str,
        entries: Vec<Entry>,
    ) -> Result<Indexed, IndexError> {
        self.index(
            [Change::Replace { source: source.into(), stamp: stamp.into(), entries }],
            &mut |_| (),
        )
    }

    /// Adds entries to a source. They can be found at once.
    pub fn extend(
        &mut self,
        source: &str,
        stamp: &str,
        entries: Vec<Entry>,
    ) -> Result<Indexed, IndexError> {
        self.index(
            [Change::Extend { source: source.into(), stamp: stamp.into(), entries }],
            &mut |_| (),
        )
    }

    /// Takes everything of a source out.
    pub fn remove(&mut self, source: &str) -> Result<Indexed, IndexError> {
        self.index([Change::Remove { source: source.into() }], &mut |_| ())
    }

    /// Makes many changes, some thousand notes in a transaction. When it fails or the process dies,
    /// what was committed stays, and a source that was not finished has no stamp.
    pub fn index(
        &mut self,
        changes: impl IntoIterator<Item = Change>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Indexed, IndexError> {
        let (mut done, mut at) = (Indexed::default(), Progress::default());
        let (mut steps, mut entries, mut bytes) = (Vec::new(), 0, 0);
        for change in changes {
            for step in self.steps(change)? {
                entries += step.entries.len();
                bytes += step.entries.iter().map(|named| named.entry.text.len()).sum::<usize>();
                steps.push(step);
                if entries >= BATCH || bytes >= BATCH_BYTES {
                    self.write(&mut steps, &mut done, &mut at)?;
                    progress(at);
                    (entries, bytes) = (0, 0);
                }
            }
        }
        if !steps.is_empty() {
            self.write(&mut steps, &mut done, &mut at)?;
            progress(at);
        }
        Ok(done)
    }

    /// A change as steps that fit into a transaction.
    fn steps(&mut self, change: Change) -> Result<Vec<Step>, IndexError> {
        let (source, stamp, entries, replaces) = match change {
            Change::Remove { source } => {
                return Ok(vec![Step { source, how: How::Remove, entries: Vec::new() }]);
            }
            Change::Replace { source, stamp, entries } => (source, stamp, entries, true),
            Change::Extend { source, stamp, entries } => (source, stamp, entries, false),
        };
        let mut named = name_all(&source, entries);
        // What replaces something is one step, however long; what is new can be cut.
        let mut is_new =
            || self.checked(|library| Ok(write::find_source(&library.db, &source)?.is_none()));
        if replaces && (named.len() <= BATCH || !is_new()?) {
            return Ok(vec![Step { source, how: How::Replace(stamp), entries: named }]);
        }
        let mut steps = Vec::new();
        while named.len() > BATCH {
            let rest = named.split_off(BATCH);
            let entries = std::mem::replace(&mut named, rest);
            steps.push(Step { source: source.clone(), how: How::Extend(None), entries });
        }
        steps.push(Step { source, how: How::Extend(Some(stamp)), entries: named });
        Ok(steps)
    }

    fn write(
        &mut self,
        steps: &mut Vec<Step>,
        done: &mut Indexed,
        at: &mut Progress,
    ) -> Result<(), IndexError> {
        let steps = std::mem::take(steps);
        let marks = self.files.marks()?;
        let written = self.checked(|library| {
            let readings = Readings::foresee(&library.db, &library.table, &steps, &marks)?;
            library.transact(|writer| {
                writer.take(readings)?;
                steps.iter().try_for_each(|step| writer.step(step))
            })
        })?;
        done.added += written.added;
        done.removed += written.removed;
        done.kept += written.kept;
        done.forgotten += written.forgotten;
        at.entries += steps.iter().map(|step| step.entries.len()).sum::<usize>();
        at.sources += steps.iter().filter(|step| step.how != How::Extend(None)).count();
        Ok(())
    }

    /// Does something in a transaction that writes.
    fn transact(
        &mut self,
        work: impl FnOnce(&mut Writer<'_>) -> Result<(), Fault>,
    ) -> Result<Indexed, Fault> {
        let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let facts = Facts::read(&transaction)?;
        refresh(
            &transaction,
            facts,
            self.analysis,
            &mut self.seen,
            &mut self.columns,
            &mut self.words,
        )?;
        // Not before there is a lock: what another process is forgetting must not slip in again.
        let marks = self.files.marks()?;
        let mut writer = Writer::new(&transaction, &self.table, &mut self.words, &marks, facts)?;
        let written = work(&mut writer).and_then(|()| writer.finish());
        let committed = written.and_then(|written| {
            transaction.commit()?;
            Ok(written)
        });
        if committed.is_err() {
            // What was remembered on the way is not so.
            self.words = Words::default();
        }
        let (facts, done) = committed?;
        for event in facts::events(&self.db, self.seen.logged)? {
            if let Event::Removed(place) = event {
                self.columns.remove(place);
            }
        }
        (self.seen.logged, self.seen.changes) = (facts.logged, facts.changes);
        Ok(done)
    }

    /// Does something with the database. If it turns out to be damaged an empty one takes its place.
    fn checked<T>(
        &mut self,
        work: impl FnOnce(&mut Library) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let done = work(self);
        if let Err(fault) = &done
            && fault.is_damage()
        {
            if open::is_of_other_version(&self.db) {
                return Err(Fault::OtherVersion);
            }
            self.start_over()?;
        }
        done
    }

    fn start_over(&mut self) -> Result<(), Fault> {
        let failed = |source| Fault::Io { path: self.files.lock.clone(), source };
        let _lock = self.files.lock().map_err(failed)?;
        // The damaged file is closed before another is made under its name.
        self.db = Connection::open_in_memory()?;
        self.db = open::start_over(&self.files, self.analysis)?;
        self.forget_what_was_seen();
        Ok(())
    }

    fn forget_what_was_seen(&mut self) {
        (self.seen, self.columns, self.words) =
            (Facts::default(), Columns::default(), Words::default());
        self.people.clear();
        (self.scores, self.vectors) = (Scores::default(), Vectors::default());
    }

    /// The note with an id.
    pub fn get(&mut self, id: u64) -> Result<Option<Kept>, FindError> {
        Ok(self.checked(|library| match rows::place(&library.db, id)? {
            Some((place, _)) => rows::kept(&library.db, place),
            None => Ok(None),
        })?)
    }

    /// A note and up to so many before and after it in its session, in order. Empty when there is no such note.
    pub fn around(&mut self, id: u64, before: usize, after: usize) -> Result<Vec<Kept>, FindError> {
        Ok(self.checked(|library| {
            let db = library.db.unchecked_transaction()?;
            let Some((place, _)) = rows::place(&db, id)? else { return Ok(Vec::new()) };
            let (mut first, mut steps) = (place, 0);
            while steps < before
                && let Some(other) = rows::links(&db, first)?.before
            {
                (first, steps) = (other, steps + 1);
            }
            let (mut all, mut next, mut left) = (Vec::new(), Some(first), steps + 1 + after);
            while left > 0
                && let Some(place) = next
            {
                all.extend(rows::kept(&db, place)?);
                (next, left) = (rows::links(&db, place)?.after, left - 1);
            }
            Ok(all)
        })?)
    }

    /// Finds, ranks and chooses. The lines of what is chosen, counted by `count`, have at most `budget` tokens.
    pub fn recall(
        &mut self,
        question: &Question,
        budget: u32,
        count: &impl Fn(&str) -> u32,
        may: &May,
    ) -> Result<Recalled, FindError> {
        let table = self.table;
        Ok(self.looked(question, may, |asked, ranked, shelf| {
            let choice = choose(asked, ranked, shelf, &table, budget, count);
            let notes = choice
                .notes
                .iter()
                .map(|chosen| shelf.kept(chosen.place))
                .collect::<Result<_, _>>()?;
            Ok(Recalled { choice, notes })
        })?)
    }

    /// The best `most` notes for a question, best first.
    pub fn find(
        &mut self,
        question: &Question,
        most: usize,
        may: &May,
    ) -> Result<Vec<Hit>, FindError> {
        Ok(self.looked(question, may, |_, ranked, shelf| {
            let hit = |ranked: &Ranked| {
                Ok(Hit {
                    kept: shelf.kept(ranked.place)?,
                    score: ranked.score,
                    parts: ranked.parts,
                })
            };
            ranked.iter().take(most).map(hit).collect()
        })?)
    }

    /// Finds and ranks, and hands over what was looked up.
    fn looked<T>(
        &mut self,
        question: &Question,
        may: &May,
        then: impl FnOnce(&question::Asked, &[Ranked], &Looked<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.checked(|library| {
            let Library {
                db, table, analysis, seen, columns, words, people, scores, vectors, ..
            } = library;
            // One view of the database from here on, whatever others write.
            let db = db.unchecked_transaction()?;
            let facts = Facts::read(&db)?;
            refresh(&db, facts, *analysis, seen, columns, words)?;
            columns.load(&db, facts.next_place)?;
            let asked = question::read(question, &find::languages(&db, &facts)?, table);
            let lists = find::lists(&db, words, &facts, &asked.terms)?;
            let (allowed, columns) = (allowed(&db, may)?, &*columns);
            let may = |place: u32| allowed.has(columns.scopes[place as usize], place);
            let most = found(facts.notes as usize);
            let search = Search { db: &db, columns, facts: &facts, most, may: &may };
            let spotted = search.candidates(&asked, &lists, scores, vectors)?;
            let rows = Rows::read(&db, columns, people, &spotted, &may)?;
            words.load(&db, table, rows.words())?;
            let candidates = rows.candidates.clone();
            let shelf = rows.shelf(&db, words, &lists);
            let ranked = rank(&asked, &find::rarities(&lists), &candidates, &shelf, table);
            let done = then(&asked, &ranked, &shelf)?;
            shelf.fault()?;
            Ok(done)
        })
    }

    /// Forgets a note: its text, words and vector leave the file, and it does not come back when its
    /// source is indexed again. Gives it back, so that whoever asked can be told which file still
    /// has it. `None` when there is no such note.
    pub fn forget(&mut self, id: u64) -> Result<Option<Kept>, ForgetError> {
        let listed = |path: &Path| {
            let path = path.to_owned();
            move |source| ForgetError::List { path, source }
        };
        let list = self.files.forgotten.clone();
        let lock = self.files.lock().map_err(listed(&self.files.lock))?;
        let found = self.checked(|library| match rows::place(&library.db, id)? {
            Some((place, _)) => rows::kept(&library.db, place),
            None => Ok(None),
        });
        let Some(kept) = found? else { return Ok(None) };
        let mark = entry::mark(&kept.source, &kept.entry.text);
        let forgotten = Forgotten { id, source: kept.source.clone(), mark };
        forgotten::change(&list, |all| all.push(forgotten)).map_err(listed(&list))?;
        drop(lock);
        self.checked(|library| {
            library.transact(|writer| writer.remove_note(id))?;
            library.scrub()
        })?;
        Ok(Some(kept))
    }

    /// Nothing of what was deleted is left in the log beside the database, or in a copy set aside.
    fn scrub(&mut self) -> Result<(), Fault> {
        self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        match fs::remove_file(&self.files.aside) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(Fault::Io { path: self.files.aside.clone(), source })
            }
            _ => Ok(()),
        }
    }

    /// What is to be forgotten.
    pub fn forgotten(&self) -> Result<Vec<Forgotten>, ForgetError> {
        let path = &self.files.forgotten;
        forgotten::read(path).map_err(|source| ForgetError::List { path: path.clone(), source })
    }

    /// Lets a note be indexed again. Its source loses its stamp, so that it is given again; whether
    /// there was such a note.
    pub fn unforget(&mut self, id: u64) -> Result<bool, ForgetError> {
        let path = self.files.forgotten.clone();
        let failed = |source| ForgetError::List { path: path.clone(), source };
        let lock = self.files.lock().map_err(failed)?;
        let mut source = None;
        let change = |all: &mut Vec<Forgotten>| {
            source = all.iter().find(|one| one.id == id).map(|one| one.source.clone());
            all.retain(|one| one.id != id);
        };
        forgotten::change(&path, change).map_err(failed)?;
        drop(lock);
        let Some(source) = source else { return Ok(false) };
        self.checked(|library| {
            library.db.execute("UPDATE sources SET stamp = NULL WHERE name = ?", [source])?;
            Ok(())
        })?;
        Ok(true)
    }
}

/// Takes note of what others changed since this was last looked at.
fn refresh(
    db: &Connection,
    facts: Facts,
    analysis: i64,
    seen: &mut Facts,
    columns: &mut Columns,
    words: &mut Words,
) -> Result<(), Fault> {
    if facts.analysis != analysis {
        return Err(Fault::OtherVersion);
    }
    if facts.epoch != seen.epoch {
        (*columns, *words) = (Columns::default(), Words::default());
    } else if facts.logged != seen.logged {
        let events = facts::events(db, seen.logged)?;
        for event in &events {
            if let Event::Removed(place) = event {
                columns.remove(*place);
            }
        }
        words.heed(&events);
    }
    *seen = facts;
    Ok(())
}

/// Which notes may be recalled, as the numbers of scopes and places.
struct Allowed {
    scopes: Option<Vec<u32>>,
    in_view: HashSet<u32>,
}

impl Allowed {
    fn has(&self, scope: u32, place: u32) -> bool {
        self.scopes.as_ref().is_none_or(|scopes| scopes.contains(&scope))
            && (self.in_view.is_empty() || !self.in_view.contains(&place))
    }
}

fn allowed(db: &Connection, may: &May) -> Result<Allowed, Fault> {
    let scope = |name: &str| rows::find_name(db, rows::Table::Scopes, name);
    let scopes = match &may.scopes {
        Scopes::All => None,
        Scopes::Shared => Some(vec![scope("")?]),
        Scopes::Of(names) => {
            let names = std::iter::once("").chain(names.iter().map(String::as_str));
            Some(names.map(scope).collect::<Result<_, _>>()?)
        }
    };
    let scopes = scopes
        .map(|scopes: Vec<Option<i64>>| scopes.into_iter().flatten().map(|id| id as u32).collect());
    let mut in_view = HashSet::new();
    for id in &may.in_view {
        in_view.extend(rows::place(db, *id)?.map(|(place, _)| place));
    }
    Ok(Allowed { scopes, in_view })
}
