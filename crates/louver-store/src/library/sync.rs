//! Taking notes in: what is new or changed, source by source.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::thread::{self, JoinHandle};

use jiff::tz::TimeZone;

use super::names::Named;
use super::write::{Gone, How, Prepared, Removal, Since, Step, Synced, find_source};
use super::{Library, LibraryError};
use crate::disk::Folder;
use crate::notes::{Held, Listing, Note, Places, Source, SourceKind};
use crate::problem::Problem;

/// So many notes are written in one transaction, and those of the last source. Other writers wait that long, and no
/// longer. With fewer, the list of a word would be opened for each few notes that say it.
const BATCH: usize = 32_768;
/// So many bytes of them, too, for notes that are long.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

/// A source is read again so often when others write it at the same time.
const TRIES: usize = 5;

/// How far taking notes in has come, or out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// What is done.
    pub doing: Doing,
    /// Sources that were read, or are out.
    pub sources: usize,
    /// Of how many.
    pub of: usize,
    /// Notes that were in them.
    pub notes: u64,
}

/// What is done with sources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Doing {
    /// Their notes are taken in.
    #[default]
    Reading,
    /// They are gone, and their notes are taken out.
    Removing,
    /// The room that they had in the file is given back.
    Packing,
}

/// That an index is in memory, and why.
fn made_anew(error: &LibraryError) -> Problem {
    let what = format!("{error}; one was made for this time alone");
    Problem::warning("recall", what).hint(error.hint())
}

/// What came of a batch.
#[derive(Default)]
pub(super) struct Written {
    pub(super) done: Synced,
    /// The sources that somebody else wrote first.
    pub(super) overtaken: Vec<String>,
}

impl Library {
    /// Takes in what is new, reads again what changed, and takes out what is gone. What another process
    /// has done meanwhile is seen, not undone. Notes of folders that are not named now wait. When it fails or the process dies, what was committed stays.
    /// What was given stays too.
    pub fn sync(
        &mut self,
        places: &Places,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Synced, Vec<Problem>), LibraryError> {
        // If it cannot be kept yet, it is in memory for another time.
        let _ = self.keep();
        let mut problems: Vec<Problem> = self.unkept.iter().map(made_anew).collect();
        self.name(places);
        self.checked(Library::heed_list)?;
        let folders = places.folders();
        // Before anything is listed: what comes to be known after that is not gone.
        let mut gone = self.stamps()?;
        let listing = places.sources(&mut problems);
        gone.retain(|name, known| !known.given && !listing.may_have(name) && !folders.lack(name));
        listing.sources.iter().for_each(|source| drop(gone.remove(&source.name)));
        problems.extend(emptied(places, &listing, &gone));
        let mut sources = listing.sources;
        let (mut done, zone) = (Synced::default(), self.zone());
        for _ in 0..TRIES {
            let known = self.stamps()?;
            let stamp = |source: &Source| known.get(&source.name)?.stamp.clone();
            let is_known = |source: &Source| {
                known.get(&source.name).is_some_and(|known| {
                    known.stamp.as_ref() == Some(&source.stamp) && known.scope == source.scope
                })
            };
            sources.retain(|source| !is_known(source));
            if sources.is_empty() {
                break;
            }
            let mut at = Progress { of: sources.len(), ..Progress::default() };
            let mut intake = Intake::default();
            for source in &sources {
                let since = stamp(source);
                match places.read(source, since.as_deref()) {
                    Ok(held) => {
                        at.notes += held.notes.len() as u64;
                        intake.push(self, step(source, held, Since::Stamp(since), &zone))?;
                    }
                    Err(problem) => problems.push(problem),
                }
                at.sources += 1;
                if at.sources < at.of {
                    progress(at);
                }
            }
            let Written { done: written, overtaken } = intake.finish(self)?;
            progress(at);
            done += written;
            sources.retain(|source| overtaken.contains(&source.name));
        }
        done += self.remove_gone(in_order(gone), progress)?;
        self.close_gaps()?;
        Ok((done, problems))
    }

    /// Takes the notes of sources out, some at a time. They are read again before there is a lock, which lets others
    /// write meanwhile.
    pub(super) fn remove_gone(
        &mut self,
        mut gone: VecDeque<Gone>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Synced, LibraryError> {
        let mut done = Synced::default();
        let (of, mut nobody_else) = (gone.len(), true);
        while nobody_else && !gone.is_empty() {
            let removal = self.checked(|library| {
                let view = library.db.unchecked_transaction()?;
                Removal::read(&view, &library.table.embeddings(), &gone)
            })?;
            done += self.checked(|library| {
                library.transact(|writer| {
                    nobody_else = writer.remove(removal, &mut gone)?;
                    Ok(())
                })
            })?;
            // Whoever else is at it does the rest, and if they do not, the next one will.
            let sources = if nobody_else { of - gone.len() } else { of };
            progress(Progress { doing: Doing::Removing, sources, of, notes: done.removed });
        }
        Ok(done)
    }

    /// Takes in the notes of a source that somebody else has read. What is not in the workspace is
    /// [`SourceKind::Given`], or it is gone when the library is next brought up to date.
    pub fn put(&mut self, source: &Source, held: Held) -> Result<Synced, LibraryError> {
        self.put_all([(source.clone(), held)], &mut |_| ())
    }

    /// The same for many sources. Of how many is not known to `progress` until all are done.
    pub fn put_all(
        &mut self,
        sources: impl IntoIterator<Item = (Source, Held)>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Synced, LibraryError> {
        // What is given is nowhere else.
        self.keep()?;
        let (mut intake, mut at) = (Intake::default(), Progress::default());
        let zone = self.zone();
        for (source, held) in sources {
            (at.sources, at.notes) = (at.sources + 1, at.notes + held.notes.len() as u64);
            intake.push(self, step(&source, held, Since::Anything, &zone))?;
            progress(Progress { of: at.sources + 1, ..at });
        }
        let done = intake.finish(self)?.done;
        progress(Progress { of: at.sources, ..at });
        Ok(done)
    }

    /// Every source with its stamp.
    pub(super) fn stamps(&mut self) -> Result<HashMap<String, Stamped>, LibraryError> {
        self.checked(|library| {
            let sql = "SELECT name, stamp, scope, given FROM sources";
            let mut found = library.db.prepare_cached(sql)?;
            let stamped = |row: &rusqlite::Row<'_>| {
                let (stamp, scope, given) = (row.get(1)?, row.get(2)?, row.get(3)?);
                Ok((row.get(0)?, Stamped { stamp, scope, given }))
            };
            let rows = found.query_map([], stamped)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}

/// Sources that go, by name.
/// What is told of folders that had text files and have none now. Where a disk was mounted, an empty folder is left.
fn emptied(
    places: &Places,
    listing: &Listing,
    gone: &HashMap<String, Stamped>,
) -> impl Iterator<Item = Problem> {
    let is_empty = |folder: &&Folder| {
        let within = |name: &str| Path::new(name).starts_with(folder.path());
        gone.keys().any(|name| within(name))
            && !listing.sources.iter().any(|source| within(&source.name))
    };
    places.documents.iter().filter(is_empty).map(|folder| {
        let what = "no text file is left in it, so what it had is not recalled";
        Problem::warning(folder.path().display().to_string(), what)
            .hint("if it is on a disk that is not mounted now, its notes come back with that")
    })
}

pub(super) fn in_order(gone: HashMap<String, Stamped>) -> VecDeque<Gone> {
    let gone = gone.into_iter().map(|(name, known)| Gone { name, stamp: known.stamp });
    let mut gone: Vec<Gone> = gone.collect();
    gone.sort_by(|a, b| a.name.cmp(&b.name));
    gone.into()
}

/// How a source was last read.
pub(super) struct Stamped {
    /// One without must be read whole.
    stamp: Option<String>,
    /// Whose it was.
    scope: String,
    /// Whether its notes were given: there is nothing to read them from.
    pub(super) given: bool,
}

fn step(source: &Source, held: Held, since: Since, zone: &TimeZone) -> Step {
    let Source { name, stamp, scope, kind } = source.clone();
    let mut notes = Vec::with_capacity(held.notes.len());
    for note in held.notes {
        let note = Note { time: note.time.map(|time| time.here(zone)), ..note };
        Named::push_all(&name, note, &mut notes);
    }
    let how = if held.more { How::Extend(stamp) } else { How::Replace(stamp) };
    // What is remembered are facts, and an entry of the history sums a talk up.
    let apart = matches!(kind, SourceKind::Memory | SourceKind::History);
    let given = kind == SourceKind::Given;
    Step { source: name, scope, given, how, notes, apart, since, is_change: false }
}

/// Steps on their way into the library: a batch is read on all cores while the batch before it is written, and the
/// next one gathered. Writing takes a third as long, so a core that was left to it alone would mostly wait.
#[derive(Default)]
struct Intake {
    steps: Vec<Step>,
    notes: usize,
    bytes: usize,
    /// The batch that is being read.
    reading: Option<JoinHandle<Prepared>>,
    written: Written,
}

impl Intake {
    fn push(&mut self, library: &mut Library, mut step: Step) -> Result<(), LibraryError> {
        step.is_change = matches!(step.how, How::Replace(_))
            && library.checked(|library| Ok(find_source(&library.db, &step.source)?.is_some()))?;
        self.notes += step.notes.len();
        self.bytes += step.notes.iter().map(|named| named.note.text.len()).sum::<usize>();
        self.steps.push(step);
        if self.notes >= BATCH || self.bytes >= BATCH_BYTES {
            self.pass_on(library)?;
        }
        Ok(())
    }

    fn pass_on(&mut self, library: &mut Library) -> Result<(), LibraryError> {
        (self.notes, self.bytes) = (0, 0);
        let (steps, table) = (std::mem::take(&mut self.steps), library.table.clone());
        let marks = library.files.marks()?;
        let before = self.read();
        let read = move || Prepared::new(&table.embeddings(), &marks, steps);
        self.reading = Some(thread::spawn(read));
        self.write(library, before)
    }

    /// The batch that was being read.
    fn read(&mut self) -> Option<Prepared> {
        let read = self.reading.take()?.join();
        Some(read.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }

    fn write(
        &mut self,
        library: &mut Library,
        prepared: Option<Prepared>,
    ) -> Result<(), LibraryError> {
        if let Some(prepared) = prepared {
            let written = library.write(prepared)?;
            self.written.done += written.done;
            self.written.overtaken.extend(written.overtaken);
        }
        Ok(())
    }

    fn finish(mut self, library: &mut Library) -> Result<Written, LibraryError> {
        if self.reading.is_some() && !self.steps.is_empty() {
            self.pass_on(library)?;
        }
        let last = match self.read() {
            None if !self.steps.is_empty() => {
                // A message or two are not worth a thread.
                let steps = std::mem::take(&mut self.steps);
                let marks = library.files.marks()?;
                Some(Prepared::new(&library.table.clone().embeddings(), &marks, steps))
            }
            read => read,
        };
        self.write(library, last)?;
        Ok(self.written)
    }
}
