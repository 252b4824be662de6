//! Notes on the disk, found by their words and by their meaning.
//!
//! `.louver/recall.db` is derived: it can be deleted and comes back the same, but for notes that were given
//! ([`SourceKind::Given`](crate::notes::SourceKind)); only the list of what is to be forgotten is kept apart. Notes come from sources with a stamp each, read again only when the stamp
//! changed; several processes share the file. What a note is called (`cli:direct#412`) names it for good.
//!
//! ```text
//! Places ▶ analyse (many cores, no lock) ▶ Writer (one transaction) ▶ tables
//! Asking ▶ find (postings, sketches) ▶ Looked (rows of the candidates) ▶ rank ▶ choose ▶ lines in a budget
//! ```
//!
//! ```
//! use louver_store::disk::Folder;
//! use louver_store::library::{Asking, Library};
//! use louver_store::notes::Places;
//! use louver_store::Owner;
//!
//! let workspace = tempfile::tempdir()?;
//! std::fs::write(workspace.path().join("MEMORY.md"), "- Anna is allergic to peanuts.\n")?;
//! let folder = Folder::open(workspace.path())?;
//! let mut library = Library::open(workspace.path())?;
//! let (documents, away, owner) = (Vec::new(), Vec::new(), Owner::default());
//! library.sync(&Places { folder, documents, away, owner }, &mut |_| {})?;
//!
//! let asking = Asking::new("What is Anna allergic to?", "cli:direct", 500);
//! let recalled = library.recall(&asking, &|text| text.len().div_ceil(4) as u32)?;
//! assert_eq!(recalled.taken[0].place, "MEMORY.md:1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyse;
mod analysis;
mod ask;
mod bytes;
mod columns;
mod error;
mod facts;
mod find;
mod folded;
pub(crate) mod forgotten;
mod gaps;
mod holders;
mod known;
mod names;
mod open;
mod order;
mod packed;
mod parts;
mod postings;
mod reminder;
mod rows;
mod senses;
mod shelf;
mod sync;
mod texts;
mod titles;
mod typed;
pub(crate) mod unshown;
mod vectors;
mod waiting;
mod words;
mod write;

use std::fs;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
pub use louver_recall::rank::Parts;
pub use louver_recall::table::Table;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use self::facts::Facts;
use self::find::Scores;
use self::forgotten::Marks;
use self::holders::Whose;
use self::known::{Known, Source};
use self::names::Label;
use self::open::{Files, PATIENCE};
use self::sync::Written;
use self::write::{Fading, Prepared, REMOVED, Writer};
use crate::notes::{Folders, Note, is_file};

pub use ask::{Asking, Fits, Lack, Left, NEWER, Recalled, Taken, WhyIn, WhyOut};
pub use error::LibraryError;
pub use forgotten::Forgotten;
pub use reminder::{Just, Reminder, notes_in_view};
pub use senses::{Given, Sense, Unsensed};
pub use sync::{Doing, Progress};
pub use typed::typed;
pub use vectors::{VectorsError, read_vectors};
pub use write::Synced;

/// The library of a workspace.
pub struct Library {
    db: Connection,
    files: Files,
    table: Table,
    analysis: i64,
    known: Known,
    scores: Scores,
    /// Which folders of text are named. Until it is told, all are.
    folders: Option<Folders>,
    /// Whose clock notes are told by. Until it is told, this machine's.
    zone: Option<TimeZone>,
    /// Whether the log beside the database may still have what was forgotten.
    left_in_log: bool,
    /// Why it is in memory, where it cannot be kept.
    unkept: Option<LibraryError>,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library")
            .field("file", &self.files.database)
            .field("seen", &self.known.seen)
            .finish_non_exhaustive()
    }
}

impl Library {
    /// Opens the library of a workspace, or makes an empty one: in memory, where the workspace cannot be written.
    pub fn open(workspace: &Path) -> Result<Library, LibraryError> {
        Library::open_with(workspace, Table::shipped())
    }

    /// The same with these word vectors. A library that was made with others is emptied, and fills again
    /// when it is next brought up to date.
    pub fn open_with(workspace: &Path, table: Table) -> Result<Library, LibraryError> {
        let files = Files::of(workspace);
        let analysis = analysis::of(&table);
        let open::Opened { db, unkept } = open::open(&files, analysis)?;
        Ok(Library {
            db,
            files,
            table,
            analysis,
            known: Known::default(),
            scores: Scores::default(),
            folders: None,
            zone: None,
            left_in_log: false,
            unkept,
        })
    }

    /// How many notes there are.
    pub fn len(&mut self) -> Result<u64, LibraryError> {
        self.checked(|library| Ok(u64::from(Facts::read(&library.db)?.notes)))
    }

    /// Whether there are none.
    pub fn is_empty(&mut self) -> Result<bool, LibraryError> {
        Ok(self.len()? == 0)
    }

    /// The note of that name.
    pub fn get(&mut self, place: &str) -> Result<Option<Note>, LibraryError> {
        self.checked(|library| match library.find_note(place)? {
            Some(found) => library.note_at(found),
            None => Ok(None),
        })
    }

    /// The note at a place, by the clock of whoever looks.
    fn note_at(&self, place: u32) -> Result<Option<Note>, LibraryError> {
        let zone = self.zone();
        let here = |note: Note| Note { time: note.time.map(|time| time.here(&zone)), ..note };
        Ok(rows::note(&self.db, place)?.map(here))
    }

    /// The zone now: a machine that travels may be in another one than it was.
    fn zone(&self) -> TimeZone {
        self.zone.clone().unwrap_or_else(TimeZone::system)
    }

    /// A note and up to `beside` notes before and after it, in their order.
    pub fn around(&mut self, place: &str, beside: u32) -> Result<Vec<Note>, LibraryError> {
        self.checked(|library| {
            let Some(found) = library.find_note(place)? else { return Ok(Vec::new()) };
            let link = |place: u32| -> Result<rows::Links, LibraryError> {
                Ok(rows::row(&library.db, place)?.map(|row| row.links).unwrap_or_default())
            };
            let (mut first, mut steps) = (found, 0);
            while steps < beside
                && let Some(before) = link(first)?.before
            {
                (first, steps) = (before, steps + 1);
            }
            let (mut all, mut next) = (Vec::new(), Some(first));
            for _ in 0..=steps + beside {
                let Some(place) = next else { break };
                all.extend(library.note_at(place)?);
                next = link(place)?.after;
            }
            Ok(all)
        })
    }

    /// The name of a note, by its name, also as a prompt has it, or by its handle. Of two with one handle, the newest.
    pub fn name_of(&mut self, known: &str) -> Result<Option<String>, LibraryError> {
        self.checked(|library| {
            let folders = library.folders.clone().unwrap_or_default();
            for name in std::iter::once(known.to_owned()).chain(folders.of_brief(known)) {
                if library.find_note(&name)?.is_some() {
                    return Ok(Some(name));
                }
            }
            let Some(handle) = names::as_handle(known) else { return Ok(None) };
            library.look_around()?;
            let Some(place) = library.known.columns.with_handle(handle).last() else {
                return Ok(None);
            };
            Ok(rows::note(&library.db, place)?.map(|note| note.place))
        })
    }

    /// The name of the first note of a file, by the name of that, also as a prompt has it.
    pub fn first_of(&mut self, file: &str) -> Result<Option<String>, LibraryError> {
        self.checked(|library| {
            let folders = library.folders.clone().unwrap_or_default();
            let view = library.db.unchecked_transaction()?;
            for name in std::iter::once(file.to_owned()).chain(folders.of_brief(file)) {
                if is_file(&name)
                    && let Some(source) = write::find_source(&view, &name)?
                    && let Some((first, _)) = rows::chain(&view, source.last)?.pop()
                {
                    return Ok(rows::note(&view, first)?.map(|note| note.place));
                }
            }
            Ok(None)
        })
    }

    /// Whether the one who asks may know a note: it is the owner's, or of the same chat.
    pub fn may_know(
        &mut self,
        place: &str,
        session: &str,
        others: bool,
    ) -> Result<bool, LibraryError> {
        self.checked(|library| {
            let Some(place) = library.find_note(place)? else { return Ok(false) };
            let Some(cell) = columns::cell(&library.db, place)? else { return Ok(false) };
            let sql = format!("SELECT {} FROM sources WHERE id = ?", Source::COLUMNS);
            let read = |row: &rusqlite::Row<'_>| Source::read(row, 0);
            let found =
                library.db.prepare_cached(&sql)?.query_row([cell.source], read).optional()?;
            let folders = library.folders.as_ref();
            Ok(found.is_some_and(|source| source.is_known_in(session, others, folders)))
        })
    }

    /// Takes a note out for good: its text, words and vector leave the file, and it is not taken in again
    /// when its source is read. Gives it back, so that the person can be told which file still has it. The name of
    /// something long takes out all of its parts, and the name of another part that part alone. What goes with it is
    /// what the list has: lines of any file that say the same, and copies of a message; and every other note of that name.
    ///
    /// The list is written while nobody else can write to the index, and says which notes go: who dies
    /// in between leaves an index that has not gone by its list, and the next one brings it up to date.
    pub fn forget(&mut self, place: &str) -> Result<Option<Note>, LibraryError> {
        self.forget_of(place, Whose::Anyones)
    }

    /// The same for somebody who may know their own session alone: what others said in the same words stays, and so do
    /// the files.
    pub fn forget_own(&mut self, place: &str) -> Result<Option<Note>, LibraryError> {
        self.forget_of(place, Whose::Own)
    }

    fn forget_of(&mut self, place: &str, whose: Whose) -> Result<Option<Note>, LibraryError> {
        self.checked(|library| {
            let files = library.files.clone();
            let _lock = files.lock()?;
            library.heed_list()?;
            let (mut notes, mut forgotten) = (Vec::new(), Vec::new());
            for at in library.find_notes(place)? {
                let found = library.to_forget(at, whose)?;
                // Somebody may have moved all notes down meanwhile.
                let Some((note, one)) = found.filter(|(note, _)| note.place == place) else {
                    continue;
                };
                notes.push(note);
                forgotten.push(one);
            }
            if notes.is_empty() {
                return Ok(None);
            }
            // Before the list has it: who is told that this failed can forget it once more.
            let texts: Vec<String> =
                notes.iter().zip(&forgotten).map(|(note, one)| one.plain(note)).collect();
            let workspace = files.workspace();
            if whose == Whose::Anyones {
                let path = typed::typed(&workspace);
                typed::forget(&workspace, &texts)
                    .map_err(|source| LibraryError::Io { path, source })?;
            }
            let marks = Marks::of(&forgotten);
            let fading = library.fading(&marks)?;
            library.transact(|writer| {
                let names = writer.forget(fading, &marks)?;
                forgotten.iter_mut().for_each(|one| one.is_also_in(&names));
                files.change_forgotten(|all| all.extend(forgotten))?;
                writer.has_gone_by(files.marks()?.print())
            })?;
            library.scrub()?;
            Ok(Some(notes.swap_remove(0)))
        })
    }

    /// The note at a place, and what it is known by when it is forgotten.
    fn to_forget(
        &self,
        place: u32,
        whose: Whose,
    ) -> Result<Option<(Note, Forgotten)>, LibraryError> {
        let Some(cell) = columns::cell(&self.db, place)? else { return Ok(None) };
        let Some(source) = rows::source(&self.db, cell.source)? else { return Ok(None) };
        let mut notes = self.with_parts(place)?;
        let Some((first, others)) = notes.split_first() else { return Ok(None) };
        let holders = holders::find(&self.files.workspace(), &source, &notes, whose);
        let mut forgotten = Forgotten::of(&source, first, others, holders);
        if whose == Whose::Own {
            forgotten.is_own();
        }
        Ok(Some((notes.swap_remove(0), forgotten)))
    }

    /// Makes the index what the list of forgotten notes says, where it has gone by another one: somebody died while
    /// forgetting, or something is to be recalled again.
    fn heed_list(&mut self) -> Result<(), LibraryError> {
        if self.left_in_log {
            self.db.busy_timeout(Duration::ZERO)?;
            let scrubbed = self.scrub();
            self.db.busy_timeout(PATIENCE)?;
            scrubbed?;
        }
        let files = self.files.clone();
        let list: i64 = self.db.query_row("SELECT list FROM facts", [], |row| row.get(0))?;
        let marks = files.marks()?;
        if list == marks.print() {
            return Ok(());
        }
        let fading = self.fading(&marks)?;
        self.transact(|writer| {
            // Somebody may have changed the list meanwhile.
            let marks = files.marks()?;
            writer.forget(fading, &marks)?;
            // What is no longer forgotten may be anywhere.
            writer.read_again()?;
            writer.has_gone_by(marks.print())
        })?;
        self.scrub()
    }

    /// What some marks have, found without keeping anybody from writing: it takes as long as there are notes.
    fn fading(&self, marks: &Marks) -> Result<Fading, LibraryError> {
        Fading::find(&*self.db.unchecked_transaction()?, marks)
    }

    /// The note at a place, and the parts that follow where it has the name of all of them.
    fn with_parts(&self, place: u32) -> Result<Vec<Note>, LibraryError> {
        let mut notes = Vec::new();
        let mut first: Option<Label> = None;
        let mut next = Some(place);
        while let Some(place) = next
            && let Some(row) = rows::row(&self.db, place)?
            && first.as_ref().is_none_or(|first| first.goes_on_with(&row.label))
            && let Some(note) = rows::note(&self.db, place)?
        {
            notes.push(note);
            let first = first.get_or_insert(row.label);
            next = row.links.after.filter(|_| first.names_all());
        }
        Ok(notes)
    }

    /// Lets a forgotten note be taken in again, the next time the library is brought up to date. Of several that had the
    /// name, since lines move, the one that was forgotten last. How many of that name are forgotten still; nothing when
    /// none was.
    pub fn remember_again(&mut self, place: &str) -> Result<Option<usize>, LibraryError> {
        let _lock = self.files.lock()?;
        let (mut again, mut left) = (false, 0);
        self.files.change_forgotten(|all| {
            let last = all.iter().rfind(|one| one.place == place).map(|one| one.mark);
            let before = all.len();
            all.retain(|one| one.place != place || Some(one.mark) != last);
            again = all.len() < before;
            left = all.iter().filter(|one| one.place == place).count();
        })?;
        Ok(again.then_some(left))
    }

    /// The sessions and files that still have a note which was forgotten, its own first. The log of the index is among
    /// them while somebody reads what was in it before.
    pub fn still_has(&self, place: &str) -> Result<Vec<String>, LibraryError> {
        let all = self.forgotten()?;
        let last = all.into_iter().rfind(|forgotten| forgotten.place == place);
        let log = self.left_in_log.then(|| open::LOG.to_owned());
        Ok(last.map_or_else(Vec::new, |Forgotten { source, also_in, .. }| {
            std::iter::once(source).chain(also_in).chain(log).collect()
        }))
    }

    /// What was forgotten.
    pub fn forgotten(&self) -> Result<Vec<Forgotten>, LibraryError> {
        self.files.forgotten()
    }

    /// The name of a note that was forgotten, by its name or its handle.
    pub fn was_forgotten(&self, known: &str) -> Result<Option<String>, LibraryError> {
        let handle = names::as_handle(known);
        let is_it = |note: &Forgotten| {
            note.place == known || handle.is_some_and(|handle| names::handle(&note.place) == handle)
        };
        Ok(self.forgotten()?.into_iter().find(is_it).map(|note| note.place))
    }

    /// The place of the note with a name.
    fn find_note(&mut self, name: &str) -> Result<Option<u32>, LibraryError> {
        Ok(self.find_notes(name)?.first().copied())
    }

    /// The places of all notes with a name. What is read from the workspace has a name of its own; whoever puts
    /// notes in may call two the same.
    fn find_notes(&mut self, name: &str) -> Result<Vec<u32>, LibraryError> {
        let mut found = Vec::new();
        // The handle of a line is by what it says, so it is looked for where it stands.
        if let Some((source, _)) = name.rsplit_once(':')
            && let label @ Label::Line(..) = Label::of(source, name)
            && let view = self.db.unchecked_transaction()?
            && let Some(source) = write::find_source(&view, source)?
        {
            let chain = rows::chain(&view, source.last)?;
            let named = chain.iter().filter(|(_, row)| row.label == label);
            found.extend(named.map(|(place, _)| *place));
        }
        self.look_around()?;
        let all: Vec<u32> = self.known.columns.with_handle(names::handle(name)).collect();
        for place in all {
            let Some(row) = rows::row(&self.db, place)? else { continue };
            let source = rows::source(&self.db, self.known.columns.sources[place as usize])?;
            let is_it = source.is_some_and(|source| row.label.place(&source) == name);
            if is_it && !found.contains(&place) {
                found.push(place);
            }
        }
        Ok(found)
    }

    /// Brings what is known of all notes up to date.
    fn look_around(&mut self) -> Result<(), LibraryError> {
        let Library { db, analysis, known, .. } = self;
        let db = db.unchecked_transaction()?;
        let facts = Facts::read(&db)?;
        known.refresh(&db, facts, *analysis)?;
        known.columns.load(&db, facts.next_place)
    }

    /// Does steps in one transaction, or in several when many notes go. What was done, and the sources of the
    /// steps that somebody else was faster with.
    fn write(&mut self, prepared: Prepared) -> Result<Written, LibraryError> {
        let Prepared { steps, lexicons } = prepared;
        let mut steps = steps.into_iter().peekable();
        let mut written = Written::default();
        while steps.peek().is_some() {
            let Written { done, overtaken } = &mut written;
            *done += self.checked(|library| {
                library.transact(|writer| {
                    writer.take(&lexicons)?;
                    while writer.removed() < REMOVED
                        && let Some(step) = steps.next()
                    {
                        let source = step.source.clone();
                        if !writer.step(step)? {
                            overtaken.push(source);
                        }
                    }
                    Ok(())
                })
            })?;
        }
        Ok(written)
    }

    /// Does something in a transaction that writes.
    fn transact(
        &mut self,
        work: impl FnOnce(&mut Writer<'_>) -> Result<(), LibraryError>,
    ) -> Result<Synced, LibraryError> {
        let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let facts = Facts::read(&transaction)?;
        self.known.catch_up(&transaction, facts, self.analysis)?;
        // Not before there is a lock: what another process is forgetting must not slip in again.
        let marks = self.files.marks()?;
        let table = self.table.embeddings();
        let mut writer = Writer::new(&transaction, &table, &mut self.known.words, &marks, facts)?;
        let written = work(&mut writer).and_then(|()| writer.finish());
        let committed = written.and_then(|written| {
            transaction.commit()?;
            Ok(written)
        });
        if committed.is_err() {
            // What was remembered on the way is not so.
            self.known.forget_words();
        }
        let (facts, done) = committed?;
        self.known.has_written(&self.db, &facts)?;
        Ok(done)
    }

    /// Does something with the database. If it turns out to be damaged an empty one takes its place.
    fn checked<T>(
        &mut self,
        work: impl FnOnce(&mut Library) -> Result<T, LibraryError>,
    ) -> Result<T, LibraryError> {
        let done = work(self);
        if let Err(fault) = &done
            && fault.is_damage()
        {
            if open::is_of_other_version(&self.db) {
                return Err(LibraryError::OtherVersion);
            }
            self.start_over()?;
        }
        done
    }

    fn start_over(&mut self) -> Result<(), LibraryError> {
        let _lock = self.files.lock()?;
        // The damaged file is closed before another is made under its name.
        self.db = Connection::open_in_memory()?;
        self.db = open::start_over(&self.files, self.analysis)?;
        self.know_nothing();
        Ok(())
    }

    /// Where it is in memory, goes over to the one on the disk, if that can be written by now.
    fn keep(&mut self) -> Result<(), LibraryError> {
        if self.unkept.is_some() {
            self.db = open::kept(&self.files, self.analysis)?;
            self.unkept = None;
            self.know_nothing();
        }
        Ok(())
    }

    /// What is known of one database is not true of another.
    fn know_nothing(&mut self) {
        (self.known, self.scores) = (Known::default(), Scores::default());
        self.folders.clone().into_iter().for_each(|folders| self.known.name(folders));
    }

    /// Nothing of what was deleted is left in the log beside the database, or in a copy set aside.
    /// Whoever reads for longer than we wait keeps the log as it is, which is told and made up for later.
    fn scrub(&mut self) -> Result<(), LibraryError> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        self.left_in_log = self.db.query_row(checkpoint, [], |row| row.get(0))?;
        match fs::remove_file(&self.files.aside) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(LibraryError::Io { path: self.files.aside.clone(), source })
            }
            _ => Ok(()),
        }
    }
}

/// The parts of a score that say something, the largest first.
pub fn telling(parts: &Parts) -> Vec<(&'static str, f32)> {
    let mut named: Vec<(&'static str, f32)> =
        parts.named().into_iter().filter(|(_, value)| value.abs() >= 0.05).collect();
    named.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    named
}

#[cfg(test)]
mod test_damage;
#[cfg(test)]
mod test_folders;
#[cfg(test)]
mod test_forgotten;
#[cfg(test)]
mod test_parts;
#[cfg(test)]
mod test_repeats;
#[cfg(test)]
mod test_zones;
#[cfg(test)]
mod tests;
