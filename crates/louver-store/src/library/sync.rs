//! Taking notes in: what is new or changed, source by source.

use std::collections::HashMap;

use super::names::Named;
use super::write::{How, Since, Step, Synced};
use super::{Library, LibraryError};
use crate::notes::{Held, Places, Source};
use crate::problem::Problem;

/// So many notes are written in one transaction. Other writers wait that long, and no longer.
const BATCH: usize = 8_192;
/// So many bytes of them, too, for notes that are long.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

/// A source is read again so often when others write it at the same time.
const TRIES: usize = 5;

impl Library {
    /// Takes in what is new, reads again what changed, and takes out what is gone. `progress` is told
    /// how many sources are done, of how many.
    pub fn sync(
        &mut self,
        places: &Places,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(Synced, Vec<Problem>), LibraryError> {
        let mut problems = Vec::new();
        let sources = places.sources(&mut problems);
        let mut known = self.stamps()?;
        let mut changed: Vec<Source> = Vec::new();
        for source in sources {
            let stamp = known.remove(&source.name);
            if stamp.is_none_or(|stamp| stamp.as_ref() != Some(&source.stamp)) {
                changed.push(source);
            }
        }
        let mut done = Synced::default();
        self.take_in(places, changed, &mut done, &mut problems, progress)?;
        let gone = known.into_keys().map(|source| Step {
            source,
            scope: String::new(),
            how: How::Remove,
            notes: Vec::new(),
            since: Since::Anything,
        });
        let gone: Vec<Step> = gone.collect();
        if !gone.is_empty() {
            done += self.write(gone)?.0;
        }
        Ok((done, problems))
    }

    /// Takes in the notes of a source that somebody else has read.
    pub fn put(&mut self, source: &Source, held: Held) -> Result<Synced, LibraryError> {
        Ok(self.write(vec![step(source, held, Since::Anything)])?.0)
    }

    /// The same for many sources, some thousand notes in a transaction. When it fails or the process dies,
    /// what was committed stays. `progress` is told how many sources are done.
    pub fn put_all(
        &mut self,
        sources: impl IntoIterator<Item = (Source, Held)>,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Synced, LibraryError> {
        let (mut done, mut batch, mut count) = (Synced::default(), Batch::default(), 0);
        for (source, held) in sources {
            batch.push(step(&source, held, Since::Anything));
            count += 1;
            if batch.is_full() {
                done += self.write(batch.take())?.0;
                progress(count);
            }
        }
        done += self.write(batch.take())?.0;
        progress(count);
        Ok(done)
    }

    /// Every source with its stamp. One without must be read whole.
    fn stamps(&mut self) -> Result<HashMap<String, Option<String>>, LibraryError> {
        self.checked(|library| {
            let mut found = library.db.prepare_cached("SELECT name, stamp FROM sources")?;
            let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Reads sources and takes their notes in. What another process has done meanwhile is seen, not undone.
    fn take_in(
        &mut self,
        places: &Places,
        mut sources: Vec<Source>,
        done: &mut Synced,
        problems: &mut Vec<Problem>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), LibraryError> {
        let of = sources.len();
        for _ in 0..TRIES {
            let stamps = self.stamps()?;
            let (mut batch, mut again) = (Batch::default(), Vec::new());
            let mut waiting: HashMap<String, Source> = HashMap::new();
            for (number, source) in sources.drain(..).enumerate() {
                progress(number, of);
                let since = stamps.get(&source.name).cloned().flatten();
                if since.as_ref() == Some(&source.stamp) {
                    continue;
                }
                match places.read(&source, since.as_deref()) {
                    Ok(held) => batch.push(step(&source, held, Since::Stamp(since))),
                    Err(problem) => problems.push(problem),
                }
                waiting.insert(source.name.clone(), source);
                if batch.is_full() {
                    self.write_batch(&mut batch, &mut waiting, done, &mut again)?;
                }
            }
            self.write_batch(&mut batch, &mut waiting, done, &mut again)?;
            sources = again;
            if sources.is_empty() {
                break;
            }
        }
        progress(of, of);
        Ok(())
    }

    /// Writes a batch. Sources that somebody else wrote first are to be read again.
    fn write_batch(
        &mut self,
        batch: &mut Batch,
        waiting: &mut HashMap<String, Source>,
        done: &mut Synced,
        again: &mut Vec<Source>,
    ) -> Result<(), LibraryError> {
        let (written, overtaken) = self.write(batch.take())?;
        *done += written;
        again.extend(overtaken.iter().filter_map(|name| waiting.remove(name)));
        waiting.clear();
        Ok(())
    }
}

fn step(source: &Source, held: Held, since: Since) -> Step {
    let Source { name, stamp, scope, .. } = source.clone();
    let notes = held.notes.into_iter().map(|note| Named::new(&name, note)).collect();
    let how = if held.more { How::Extend(stamp) } else { How::Replace(stamp) };
    Step { source: name, scope, how, notes, since }
}

/// Steps that are written together.
#[derive(Default)]
struct Batch {
    steps: Vec<Step>,
    notes: usize,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, step: Step) {
        self.notes += step.notes.len();
        self.bytes += step.notes.iter().map(|named| named.note.text.len()).sum::<usize>();
        self.steps.push(step);
    }

    fn is_full(&self) -> bool {
        self.notes >= BATCH || self.bytes >= BATCH_BYTES
    }

    fn take(&mut self) -> Vec<Step> {
        std::mem::take(self).steps
    }
}
