//! Finding a session by its key, and opening it to read or to write.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::blob::{BLOBS, Blobs};
use super::error::SessionError;
use super::event::{Event, Opened};
use super::list::head_key;
use super::lock::{Lock, NoLock};
use super::log::{Ending, Log};
use super::name::folder_name;
use super::{Session, Writer, repair, withheld};
use crate::append::{Appender, Durability, open_plain};
use crate::problem::Problem;

/// The log's name in a session's folder.
pub(super) const LOG: &str = "log.jsonl";

/// Where sessions are, from the workspace.
pub(super) const SESSIONS: &str = ".louver/sessions";

/// What a session is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// To look at it. Nothing is written, and nobody is waited for.
    Read,
    /// To add to it. It is made when there is none, and mended when its end was torn off.
    Write,
}

/// So many keys may share a name. They never do, unless someone works on it.
const ATTEMPTS: u32 = 64;

impl Session {
    /// Opens the session with this key in a workspace. The problems are what was wrong with its
    /// log; none of them keeps it from being used.
    pub fn open(
        workspace: &Path,
        key: &str,
        mode: Mode,
    ) -> Result<(Session, Vec<Problem>), SessionError> {
        if mode == Mode::Write && (key.trim().is_empty() || key.contains(char::is_control)) {
            return Err(SessionError::BadKey { key: key.to_owned() });
        }
        for attempt in 0..ATTEMPTS {
            let name = folder_name(key, attempt);
            let folder = workspace.join(SESSIONS).join(&name);
            if head_key(&folder.join(LOG)).is_some_and(|head| head != key) {
                continue;
            }
            let name = format!("{SESSIONS}/{name}/{LOG}");
            let mut session = Session::open_folder(key, folder, name, mode)?;
            // The first line may have been unreadable and a later one may tell whose it is.
            if session.log.replay.key.as_ref().is_none_or(|found| found == key) {
                let problems = session.log.problems();
                return Ok((session, problems));
            }
        }
        Err(SessionError::Missing { key: key.to_owned() })
    }

    /// Whether there is a session with this key. One whose first line is damaged is taken for it.
    pub fn exists(workspace: &Path, key: &str) -> bool {
        let logs = (0..ATTEMPTS)
            .map(|attempt| workspace.join(SESSIONS).join(folder_name(key, attempt)).join(LOG));
        let mut others = logs.skip_while(|log| head_key(log).is_some_and(|head| head != key));
        others.next().is_some_and(|log| log.exists())
    }

    /// Opens it for writing as soon as nobody else has it, or says after `timeout` who does.
    pub fn wait_write(
        workspace: &Path,
        key: &str,
        timeout: Duration,
    ) -> Result<(Session, Vec<Problem>), SessionError> {
        until(timeout, || Session::open(workspace, key, Mode::Write))
    }

    /// Gives the lock back, so that others can write. What was read stays.
    pub fn release(&mut self) {
        self.writer = None;
    }

    /// Takes the lock again and reads what others have added meanwhile.
    pub fn acquire(&mut self, timeout: Duration) -> Result<Vec<Problem>, SessionError> {
        withheld::check(&self.folder)?;
        if self.writer.is_none() {
            until(timeout, || {
                let ending = self.lock()?;
                self.begin(ending).inspect_err(|_| self.release())
            })?;
        }
        Ok(self.log.problems())
    }

    /// Reads what others have added meanwhile.
    pub fn refresh(&mut self) -> Result<Vec<Problem>, SessionError> {
        withheld::check(&self.folder)?;
        if self.writer.is_none() {
            let path = self.log_path();
            self.look(&path)?;
        }
        Ok(self.log.problems())
    }

    fn open_folder(
        key: &str,
        folder: PathBuf,
        name: String,
        mode: Mode,
    ) -> Result<Session, SessionError> {
        withheld::check(&folder)?;
        let path = folder.join(LOG);
        let make = |file| Session {
            key: key.to_owned(),
            blobs: Blobs::new(folder.join(BLOBS)),
            log: Log::new(&name),
            writer: None,
            folder,
            name,
            file,
        };
        if mode == Mode::Write {
            let folder = path.parent().unwrap_or(&path);
            let made = DirBuilder::new().mode(0o700).recursive(true).create(folder);
            made.map_err(SessionError::disk(folder, "it could not be made"))?;
            let options = &mut OpenOptions::new();
            let file = open_plain(options.read(true).append(true).create(true), &path);
            let file = file.map_err(SessionError::disk(&path, "it could not be opened"))?;
            let mut session = make(file);
            let ending = session.lock()?;
            session.begin(ending).inspect_err(|_| session.leave_nothing())?;
            return Ok(session);
        }
        let file = open_plain(OpenOptions::new().read(true), &path).map_err(|error| match error
            .kind()
        {
            io::ErrorKind::NotFound => SessionError::Missing { key: key.to_owned() },
            _ => SessionError::disk(&path, "it could not be opened")(error),
        })?;
        let mut session = make(file);
        session.look(&path)?;
        Ok(session)
    }

    /// Reads a log that someone else may be writing to.
    fn look(&mut self, path: &Path) -> Result<(), SessionError> {
        let unreadable = |error| SessionError::disk(path, "it could not be read")(error);
        let mut ending = self.catch_up(path).map_err(unreadable)?;
        if !self.log.problems().is_empty() {
            // A write that failed and was taken back while we read looks like a bad line. The
            // second look tells; a really bad line stays bad.
            self.log = Log::new(&self.name);
            ending = self.catch_up(path).map_err(unreadable)?;
        }
        if matches!(ending, Ending::Torn(_)) {
            let what = "its last line is not whole: it is being written just now, or was cut off";
            self.log.problem(Problem::note(&self.name, what));
        }
        Ok(())
    }

    /// Takes the lock, and then reads: before it, another process may still be writing.
    fn lock(&mut self) -> Result<Ending, SessionError> {
        let path = self.folder.join("lock");
        let lock = Lock::take(&path).map_err(|error| match error {
            NoLock::Held(pid) => SessionError::Busy { key: self.key.clone(), pid },
            NoLock::Io(error) => SessionError::disk(&path, "it could not be locked")(error),
        })?;
        let path = self.log_path();
        let unusable = |error| SessionError::disk(&path, "it could not be opened")(error);
        let log = Appender::open(&path).map_err(unusable)?;
        let ending = self.catch_up(&path).map_err(unusable)?;
        self.writer = Some(Writer { log, folders_synced: false, _lock: lock });
        Ok(ending)
    }

    /// Takes a session back whose first line could not be written: an empty log looks like one that was lost.
    fn leave_nothing(&mut self) {
        if self.file.metadata().is_ok_and(|about| about.len() == 0) {
            // The lock stays: somebody may be waiting for it, and must not wait for another file than the next.
            let _ = std::fs::remove_file(self.log_path());
        }
        self.release();
    }

    /// Makes a log that was just locked ready for its next line.
    fn begin(&mut self, ending: Ending) -> Result<(), SessionError> {
        if self.log.replay.key.as_ref().is_some_and(|key| *key != self.key) {
            // It is another's, and `open` goes on looking.
            return Ok(());
        }
        let path = self.log_path();
        if let Some(writer) = &mut self.writer
            && let Some(problem) = repair::mend(&mut writer.log, &path, &self.name, ending)
        {
            self.log.problem(problem);
        }
        if self.log.replay.key.is_none() {
            let created = Timestamp::now().to_string();
            let opened = Opened { key: self.key.clone(), created, ..Opened::default() };
            self.append(&Event::Session(opened), Durability::Process)?;
        }
        Ok(())
    }

    /// Reads on from where it stopped, or anew when that is no longer the same file.
    fn catch_up(&mut self, path: &Path) -> io::Result<Ending> {
        let now = open_plain(OpenOptions::new().read(true), path)?;
        if inode(&now)? != inode(&self.file)? || !self.log.still_holds(&now) {
            self.log = Log::new(&self.name);
        }
        self.file = now;
        let ending = self.log.read_on(&self.file)?;
        if !self.log.replay.is_stale {
            return Ok(ending);
        }
        let (log, ending) = Log::read(&self.file, &self.name)?;
        self.log = log;
        Ok(ending)
    }
}

fn inode(file: &File) -> io::Result<(u64, u64)> {
    file.metadata().map(|data| (data.dev(), data.ino()))
}

/// Tries until it is no longer busy.
fn until<T>(
    timeout: Duration,
    mut attempt: impl FnMut() -> Result<T, SessionError>,
) -> Result<T, SessionError> {
    let end = Instant::now() + timeout;
    let mut pause = Duration::from_millis(1);
    loop {
        match attempt() {
            Err(SessionError::Busy { .. }) if Instant::now() + pause < end => {
                std::thread::sleep(pause);
                // A lock is held for a turn, so there is no use in asking more often than this.
                pause = (pause * 2).min(Duration::from_millis(50));
            }
            done => return done,
        }
    }
}
