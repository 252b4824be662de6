//! Who makes memory now: one at a time in a workspace, and nobody right after it failed.
//!
//! To ask a model takes seconds, so nothing else is locked meanwhile: the session goes on, and memory can be
//! read and written. Only a second one who would ask about the same messages waits, or leaves it.
//!
//! A try that came to nothing is written down, so that not every turn, each in a process of its own perhaps, waits
//! for a server that is gone. It is written before the model is asked: a person who does not wait for the end of a
//! try does not want to begin it anew with the next message.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::disk::read;
use super::{Memory, MemoryError, OURS, now};
use crate::session::{Lock, NoLock};

/// How long the first failure keeps memory waiting. Each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(60);
/// How long it waits at the most.
const LONGEST_PAUSE: Duration = Duration::from_secs(60 * 60);
/// The most bytes of what is written down of it.
const MOST: u64 = 1 << 20;
/// What a try ended with that nobody saw the end of.
const UNFINISHED: &str = "the last try was stopped before there was an answer";

/// Memory of a session that could not be made, and is not tried again before a while has passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The session.
    pub session: String,
    /// The model that was asked, and where. Another one is not waited for.
    pub model: String,
    /// How often in a row it came to nothing.
    pub failures: u32,
    /// When it is tried again.
    #[serde(with = "super::record::time")]
    pub until: Timestamp,
    /// Why it came to nothing.
    pub why: String,
}

impl Waiting {
    /// Whether it is too early to ask this model again. A moment that no failure could have set, because
    /// a clock was put back, is not waited for.
    pub fn holds(&self, model: &str, now: Timestamp) -> bool {
        let left = self.until.duration_since(now);
        self.model == model
            && left.is_positive()
            && Duration::try_from(left).is_ok_and(|left| left <= LONGEST_PAUSE)
    }
}

/// The sessions of a workspace whose memory could not be made. What cannot be read holds nobody up.
pub fn waiting(workspace: &Path) -> Vec<Waiting> {
    let bytes = read(&workspace.join(OURS).join(WAITING), MOST).ok().flatten();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// The session of which memory is being made now. Its try is written down as one that failed until it has not.
pub fn being_made(workspace: &Path) -> Option<String> {
    let is_held = Lock::is_held(&workspace.join(OURS).join(LOCK));
    let tried = waiting(workspace).pop().filter(|last| is_held && last.why == UNFINISHED);
    tried.map(|waiting| waiting.session)
}

/// The name of the file in which it is written down.
const WAITING: &str = "waiting.json";
/// The name of the file that is locked by who makes memory.
const LOCK: &str = "making";

/// The right to make memory, until it is dropped or its process dies.
#[derive(Debug)]
pub struct Making {
    memory: Memory,
    _lock: Lock,
}

impl Making {
    /// Takes the right to make memory in a workspace; nothing when somebody else has it.
    pub fn begin(workspace: &Path) -> Result<Option<Making>, MemoryError> {
        let memory = Memory::at(workspace)?;
        let folder = memory.root.join(OURS);
        let locking = |path: &Path| MemoryError::disk(path, "it could not be locked");
        memory.disk.make_folder(&folder).map_err(locking(&folder))?;
        memory.inside(&folder)?;
        let path = folder.join(LOCK);
        match Lock::take(&path) {
            Ok(lock) => Ok(Some(Making { memory, _lock: lock })),
            Err(NoLock::Held(_)) => Ok(None),
            Err(NoLock::Io(error)) => Err(locking(&path)(error)),
        }
    }

    /// Notes that a model is about to be asked for memory of a session. Until it is said to be done, that counts as
    /// a failure.
    pub fn tries(&self, session: &str, model: &str) -> Result<(), MemoryError> {
        let mut all = self.waiting();
        let at = all.iter().position(|waiting| waiting.session == session);
        let before = at.map(|at| all.swap_remove(at)).filter(|before| before.model == model);
        let failures = before.map_or(0, |before| before.failures).saturating_add(1);
        all.push(Waiting {
            session: session.to_owned(),
            model: model.to_owned(),
            failures,
            until: now().saturating_add(pause(failures)).unwrap_or(Timestamp::MAX),
            why: UNFINISHED.to_owned(),
        });
        self.write(&all)
    }

    /// Notes why the try came to nothing.
    pub fn failed(&self, session: &str, why: &str) -> Result<(), MemoryError> {
        let mut all = self.waiting();
        for waiting in all.iter_mut().filter(|waiting| waiting.session == session) {
            why.clone_into(&mut waiting.why);
        }
        self.write(&all)
    }

    /// Notes that the try did not fail.
    pub fn done(&self, session: &str) -> Result<(), MemoryError> {
        let mut all = self.waiting();
        all.retain(|waiting| waiting.session != session);
        self.write(&all)
    }

    fn waiting(&self) -> Vec<Waiting> {
        waiting(&self.memory.root)
    }

    fn write(&self, all: &[Waiting]) -> Result<(), MemoryError> {
        let path: PathBuf = self.memory.root.join(OURS).join(WAITING);
        let disk = &self.memory.disk;
        let written = match all {
            [] => disk.remove(&path),
            _ => {
                let new = path.with_extension("new");
                let bytes = serde_json::to_vec_pretty(all).unwrap_or_default();
                disk.create(&new, &bytes, None).and_then(|()| disk.rename(&new, &path))
            }
        };
        written.map_err(MemoryError::disk(&path, "it could not be written"))
    }
}

/// How long memory waits after so many failures in a row.
fn pause(failures: u32) -> Duration {
    let doubled = 2_u32.saturating_pow(failures.saturating_sub(1));
    FIRST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_makes_memory_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = Making::begin(folder.path()).unwrap();
        assert!(first.is_some() && Making::begin(folder.path()).unwrap().is_none());
        drop(first);
        assert!(Making::begin(folder.path()).unwrap().is_some());
    }

    #[test]
    fn a_failure_waits_longer_each_time_and_for_one_model_only() {
        let folder = tempfile::tempdir().unwrap();
        let minutes = |failures| pause(failures).as_secs() / 60;
        assert_eq!([1, 2, 3, 7, 40].map(minutes), [1, 2, 4, 60, 60]);
        let making = Making::begin(folder.path()).unwrap().unwrap();
        making.tries("cli:a", "m").unwrap();
        assert_eq!(waiting(folder.path())[0].why, UNFINISHED);
        assert_eq!(being_made(folder.path()), Some("cli:a".to_owned()));
        making.failed("cli:a", "it is gone").unwrap();
        assert_eq!(being_made(folder.path()), None);
        making.tries("cli:b", "m").unwrap();
        let all = waiting(folder.path());
        let told = |waiting: &Waiting| (waiting.failures, waiting.why.clone());
        let told: Vec<(u32, String)> = all.iter().map(told).collect();
        assert_eq!(told, [(1, "it is gone".to_owned()), (1, UNFINISHED.to_owned())]);
        let until = all[0].until;
        let at =
            |seconds: i64| until.saturating_sub(jiff::SignedDuration::from_secs(seconds)).unwrap();
        assert!(all[0].holds("m", at(30)) && !all[0].holds("m", at(0)));
        assert!(!all[0].holds("another", at(30)), "who changes the model is not held up");
        assert!(!all[0].holds("m", at(100_000)), "a clock that was put back holds nobody up");
        making.tries("cli:a", "m").unwrap();
        making.done("cli:b").unwrap();
        assert_eq!(waiting(folder.path())[0].failures, 2);
        assert_eq!(being_made(folder.path()), Some("cli:a".to_owned()));
        drop(making);
        assert_eq!(being_made(folder.path()), None, "it was stopped");
        let making = Making::begin(folder.path()).unwrap().unwrap();
        making.tries("cli:a", "another").unwrap();
        assert_eq!(waiting(folder.path())[0].failures, 1);
        making.done("cli:a").unwrap();
        assert!(!folder.path().join(OURS).join(WAITING).exists());
    }

    #[test]
    fn what_cannot_be_read_holds_nobody_up() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(waiting(folder.path()), []);
        std::fs::create_dir_all(folder.path().join(OURS)).unwrap();
        std::fs::write(folder.path().join(OURS).join(WAITING), "[{\"session\"").unwrap();
        assert_eq!(waiting(folder.path()), []);
    }
}
