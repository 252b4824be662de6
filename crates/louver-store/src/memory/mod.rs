//! Long-term memory that can always be had back.
//!
//! `memory/MEMORY.md` is a file that people edit. Every change to it, by a person in their editor,
//! by the agent, by a consolidation, is a version: a line in `.louver/memory/versions.jsonl` that
//! says who and from which messages, and the bytes under their hash in `.louver/memory/objects`.
//! Writers take turns by a lock that dies with its process, say which version they had read, and
//! are merged line by line with what came after it. What cannot be merged is kept as a proposal.
//!
//! ```text
//! read ▶ (version, text) ▶ write(text, base) ▶ lock ▶ note the person's edit ▶ merge ▶ object ▶ begin ▶ file ▶ done
//! ```
//!
//! A crash between two of these steps leaves the file whole, old or new, and the next one who
//! opens memory sees from the file what became of the version that was begun.

mod consolidate;
mod disk;
mod error;
mod history;
mod lines;
mod log;
mod making;
mod objects;
mod place;
mod proposals;
mod record;
mod remembered;
mod sealed;
mod shown;
mod state;
#[cfg(test)]
mod test_consolidate;
#[cfg(test)]
mod test_crash;
#[cfg(test)]
mod test_fault;
#[cfg(test)]
mod test_memory;
#[cfg(test)]
mod test_processes;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::problem::Problem;
use crate::session::{Lock, NoLock};
use disk::Disk;
use lines::{Prefer, merge};
use objects::Objects;
use state::{About, State};

pub use consolidate::Outcome;
pub use error::{MemoryError, WriteError};
pub use history::{HistoryEntry, read_history, search};
pub use making::{Making, Waiting, being_made, waiting};
pub use record::{Change, Origin, Proposal, Version, Who};
pub use remembered::HEADING;
pub use shown::Shown;

/// How long one waits for another process that changes memory: a change takes milliseconds.
const WAIT: Duration = Duration::from_secs(10);

/// How often a change is tried while someone else keeps saving the file.
const TRIES: u32 = 8;

/// The long-term memory of a workspace. Everything it knows is on the disk, so any number of these
/// may be open, in any number of processes.
#[derive(Debug)]
pub struct Memory {
    /// The workspace, without links.
    root: PathBuf,
    objects: Objects,
    disk: Disk,
}

/// What memory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    /// The number of this version; zero when there is no memory yet. A writer says it as its base.
    pub version: u64,
    /// The text, with `\n` line ends.
    pub text: String,
}

/// What became of a text that was to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// Memory holds it already.
    Same,
    /// It is this version.
    Version(Version),
}

impl Memory {
    /// Opens the memory of a workspace, finishes what a crash has left and notes what a person has
    /// changed. Where that cannot be done now, it is a problem, and memory can still be read.
    pub fn open(workspace: impl AsRef<Path>) -> Result<(Memory, Vec<Problem>), MemoryError> {
        let memory = Memory::at(workspace.as_ref())?;
        let mut problems = Vec::new();
        if memory.has_anything() {
            // Whoever holds the lock will note what there is to note.
            match memory.lock(Duration::ZERO).and_then(|_lock| memory.ready()) {
                Ok(_) | Err(MemoryError::Busy { .. }) => {}
                Err(error) => problems.push(problem(&error)),
            }
        }
        problems.extend(memory.damage());
        Ok((memory, problems))
    }

    /// What memory holds now. A person's edit becomes a version first, so that what is read can be
    /// the base of a [`Memory::write`].
    pub fn read(&self) -> Result<Current, MemoryError> {
        let _lock = self.lock(WAIT)?;
        let state = self.ready()?;
        Ok(Current { version: state.log.newest(), text: state.text })
    }

    /// What the file holds, without waiting for anybody or writing anything down.
    pub fn peek(&self) -> Result<String, MemoryError> {
        let (_, bytes) = self.file()?;
        Ok(text(bytes.unwrap_or_default()))
    }

    /// Every version, oldest first.
    pub fn log(&self) -> Result<Vec<Version>, MemoryError> {
        Ok(self.read_log()?.1.versions)
    }

    /// The text of a version. Version zero is empty.
    pub fn text(&self, version: u64) -> Result<String, MemoryError> {
        self.text_of(&self.read_log()?.1, version)
    }

    /// What changed from one version to another, as a unified diff; empty when nothing did.
    pub fn diff(&self, from: u64, to: u64) -> Result<String, MemoryError> {
        let (_, log) = self.read_log()?;
        let name = |n: u64| match log.version(n) {
            Some(version) => format!("version {n}, {} {}", version.who.name(), version.time),
            None => format!("version {n}"),
        };
        let (old, new) = (self.text_of(&log, from)?, self.text_of(&log, to)?);
        Ok(lines::unified(&old, &new, (&name(from), &name(to))))
    }

    /// Writes a new text, made by someone who had read the version `base`. What came after that is
    /// merged line by line; where the same lines changed, nothing is written and the text is kept
    /// as a proposal.
    pub fn write(
        &self,
        new: &str,
        who: Who,
        from: Option<Origin>,
        base: u64,
    ) -> Result<Written, WriteError> {
        let new = text(new.as_bytes().to_vec());
        let _lock = self.lock(WAIT)?;
        self.ready()?;
        for _ in 0..TRIES {
            let mut state = self.look()?;
            let read = self.text_of(&state.log, base)?;
            let about = About { from: from.clone(), base, ..About::by(who) };
            let Some(merged) = merge(&read, &state.text, &new, Prefer::Neither) else {
                let why = "the same lines were changed meanwhile";
                let proposal = self.propose(&mut state, &new, about, why, &[])?;
                return Err(WriteError::Conflict { proposal, theirs: state.log.newest() });
            };
            if let Some(written) = self.commit(&mut state, &merged, about)? {
                return Ok(written);
            }
        }
        Err(self.unsteady().into())
    }

    /// Adds a line at the end. It never conflicts.
    pub fn append_line(
        &self,
        line: &str,
        who: Who,
        from: Option<Origin>,
    ) -> Result<Written, MemoryError> {
        let line = text(line.trim_end().as_bytes().to_vec());
        self.change(|state| {
            let gap = if state.text.is_empty() || state.text.ends_with('\n') { "" } else { "\n" };
            let new = format!("{}{gap}{line}\n", state.text);
            (new, About { from: from.clone(), base: state.log.newest(), ..About::by(who) })
        })
    }

    /// Makes an earlier version the newest. What is there now stays a version.
    pub fn restore(&self, version: u64) -> Result<Written, MemoryError> {
        let (_, log) = self.read_log()?;
        if version == 0 {
            return Err(MemoryError::NoVersion { n: 0, newest: log.newest() });
        }
        let old = self.text_of(&log, version)?;
        self.change(|state| {
            let base = state.log.newest();
            (old.clone(), About { base, restored: Some(version), ..About::by(Who::Restore) })
        })
    }

    /// Changes what memory holds now, again and again until nobody came in between.
    fn change(&self, new: impl Fn(&State) -> (String, About)) -> Result<Written, MemoryError> {
        let _lock = self.lock(WAIT)?;
        self.ready()?;
        for _ in 0..TRIES {
            let mut state = self.look()?;
            let (new, about) = new(&state);
            if let Some(written) = self.commit(&mut state, &new, about)? {
                return Ok(written);
            }
        }
        Err(self.unsteady())
    }

    /// The memory of a workspace as it lies there.
    fn at(workspace: &Path) -> Result<Memory, MemoryError> {
        let opening = MemoryError::disk(workspace, "it could not be opened");
        let root = workspace.canonicalize().map_err(opening)?;
        let objects = Objects { folder: root.join(OURS).join("objects") };
        Ok(Memory { root, objects, disk: Disk::default() })
    }

    /// Everything noted and everything finished. The lock must be held.
    fn ready(&self) -> Result<State, MemoryError> {
        let state = self.look()?;
        let begun = state.log.consolidations.iter().filter(|(_, change)| change.is_none());
        let begun: Vec<_> = begun.map(|(begun, _)| begun.clone()).collect();
        if begun.is_empty() {
            return Ok(state);
        }
        begun.iter().try_for_each(|begun| self.finish(begun).map(drop))?;
        self.look()
    }

    /// Takes the lock that all writers share.
    fn lock(&self, wait: Duration) -> Result<Lock, MemoryError> {
        let folder = self.root.join(OURS);
        let locking = |path: &Path| MemoryError::disk(path, "it could not be locked");
        self.disk.make_folder(&folder).map_err(locking(&folder))?;
        self.inside(&folder)?;
        let path = folder.join("lock");
        let until = Instant::now() + wait;
        loop {
            match Lock::take(&path) {
                Ok(lock) => return Ok(lock),
                Err(NoLock::Io(error)) => return Err(locking(&path)(error)),
                Err(NoLock::Held(pid)) if Instant::now() >= until => {
                    return Err(MemoryError::Busy { pid });
                }
                Err(NoLock::Held(_)) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    /// Whether there is any memory, so that looking at a folder without one leaves nothing behind.
    fn has_anything(&self) -> bool {
        self.root.join(OURS).is_dir() || self.memory_path().exists()
    }

    fn unsteady(&self) -> MemoryError {
        MemoryError::Unsteady { path: self.memory_path() }
    }

    /// An error unless a path leads to something in the workspace. A link that is put there while
    /// we look is not guarded against: whoever can do that can write the file itself.
    fn inside(&self, path: &Path) -> Result<PathBuf, MemoryError> {
        let real = path.canonicalize();
        let real = real.map_err(MemoryError::disk(path, "it leads nowhere"))?;
        match real.starts_with(&self.root) {
            true => Ok(real),
            false => Err(MemoryError::Outside { path: path.to_owned() }),
        }
    }

    /// What is wrong with the log.
    fn damage(&self) -> Vec<Problem> {
        let bad = self.read_log().map(|(_, log)| log.bad).unwrap_or_default();
        let problem = |line: u32| {
            let what =
                "this line is not as it was written; the change it stood for is not in the log";
            Problem::warning(LOG, what).at(line)
        };
        bad.into_iter().map(problem).collect()
    }
}

/// The folder of what is ours.
const OURS: &str = ".louver/memory";
/// The log of versions.
const LOG: &str = ".louver/memory/versions.jsonl";

/// Bytes as text, with `\n` line ends.
fn text(bytes: Vec<u8>) -> String {
    crate::decode::to_text(bytes, false).0
}

/// The time, no finer than it is written down.
fn now() -> Timestamp {
    let now = Timestamp::now();
    now.round(jiff::Unit::Millisecond).unwrap_or(now)
}

fn problem(error: &MemoryError) -> Problem {
    let path = match error {
        MemoryError::Disk { path, .. } | MemoryError::Outside { path } => {
            path.display().to_string()
        }
        _ => crate::workspace::MEMORY[0].to_owned(),
    };
    let what = error.to_string();
    // A problem begins with its path already.
    let bare = what.strip_prefix(&format!("{path}: ")).unwrap_or(&what).to_owned();
    let problem = Problem::warning(path, bare);
    error.hint().into_iter().fold(problem, Problem::hint)
}

/// A file that is not there is an empty one.
fn or_empty(read: io::Result<Option<Vec<u8>>>) -> io::Result<Vec<u8>> {
    read.map(Option::unwrap_or_default)
}
