//! Sessions: everything that was said, sent and done, one line per event, never rewritten.
//!
//! A session is a folder in `.louver/sessions`, found by its key. Its log only grows: an event is
//! one line, written with one `write`, with a hash over it. One process writes to a session at a
//! time; any number read, and never wait. What the model sees is a [`View`], made by replaying the
//! events; going back, shortening and summing up change the view and leave the log alone.
//!
//! ```text
//! Message ▶ keep ▶ Stored ▶ Event ▶ append ▶ log.jsonl ▶ open ▶ replay ▶ View ▶ messages as sent
//! ```

mod blob;
mod error;
pub mod event;
mod events;
pub(crate) mod forks;
mod json;
mod kept;
mod line;
mod lines;
mod list;
mod lock;
mod log;
mod name;
mod open;
mod parse;
mod repair;
mod replay;
mod spoken;
mod stored;
#[cfg(test)]
mod test_damage;
#[cfg(test)]
mod test_faults;
#[cfg(test)]
mod test_view;
mod withheld;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use louver_context::fence::{attribute, fence};
use louver_context::message::BadMessage;
use louver_context::{Content, Message, Part, Picture, Role};

use crate::append::{Appender, sync_folder};
use crate::problem::Problem;
use blob::{Blobs, preview};
use log::Log;
use replay::Replay;

pub use crate::append::Durability;
pub use blob::LONG_RESULT;
pub use error::SessionError;
pub use event::{
    Call, CallResult, Cursor, Event, Extra, Note, Opened, Prefix, Reduced, Reply, Said, Sent,
    Summary, Told, Undo, Unknown, Usage,
};
pub use events::{Events, Record};
pub use kept::Kept;
pub(crate) use list::kept_text;
pub use list::{LogFile, SessionInfo, Sessions, line_begins, logs, records};
pub use lock::{Lock, NoLock};
pub use open::Mode;
pub use replay::{Entry, View};
pub use spoken::Spoken;
pub(crate) use spoken::{without_reminder, without_runtime};
pub use stored::{PictureRef, Stored};
pub(crate) use withheld::{Gone, What, Withheld, words};

/// One conversation and its log.
#[derive(Debug)]
pub struct Session {
    key: String,
    folder: PathBuf,
    /// The log's path as problems name it.
    name: String,
    file: File,
    log: Log,
    blobs: Blobs,
    writer: Option<Writer>,
}

/// What only the one who may write has.
#[derive(Debug)]
struct Writer {
    log: Appender,
    /// The folders above have survived a sync since this process came.
    folders_synced: bool,
    _lock: Lock,
}

impl Session {
    /// The key it is found by.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The folder it is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of the last event; zero when there is none.
    pub fn last(&self) -> u64 {
        self.log.last
    }

    /// How many messages it has, without what was taken back.
    pub fn messages(&self) -> u64 {
        self.log.replay.messages
    }

    /// Whether events can be appended.
    pub fn can_write(&self) -> bool {
        self.writer.is_some()
    }

    /// What the model sees: the messages as they would be sent, without what was forgotten. The problems
    /// are pictures that could not be had.
    pub fn view(&self) -> (View, Vec<Problem>) {
        let (mut view, lost) = self.log.replay.view(&self.blobs);
        Gone::of(self).leave(&mut view);
        let problem = |error: SessionError| {
            let problem = Problem::warning(&self.name, error.to_string());
            error.hint().into_iter().fold(problem, Problem::hint)
        };
        (view, lost.into_iter().map(problem).collect())
    }

    /// The events from the first to the last, read from the log again.
    pub fn events(&self) -> Result<Events, SessionError> {
        let doing = "it could not be read";
        let file = self.file.try_clone().map_err(SessionError::disk(&self.folder, doing))?;
        Ok(Events::new(file, self.log.end))
    }

    /// Appends an event and gives back its number, which is the id of its message.
    pub fn append(&mut self, event: &Event, durability: Durability) -> Result<u64, SessionError> {
        self.append_all(std::slice::from_ref(event), durability)
    }

    /// Appends events with one write and gives back the number of the last.
    pub fn append_all(
        &mut self,
        events: &[Event],
        durability: Durability,
    ) -> Result<u64, SessionError> {
        self.append_at(Timestamp::now(), events, durability)
    }

    /// Appends events that happened at another time than now, as an import does.
    pub fn append_at(
        &mut self,
        time: Timestamp,
        events: &[Event],
        durability: Durability,
    ) -> Result<u64, SessionError> {
        self.clear_overhang()?;
        let lines = self.lines(time, events)?;
        let path = self.log_path();
        let key = &self.key;
        let writer =
            self.writer.as_mut().ok_or_else(|| SessionError::ReadOnly { key: key.clone() })?;
        if durability == Durability::Disk {
            self.blobs
                .sync()
                .and_then(|()| writer.sync_folders(&self.folder))
                .map_err(SessionError::disk(&self.folder, "the disk did not confirm its names"))?;
        }
        let appended = writer.log.append(&lines, durability);
        appended.map_err(|source| SessionError::Append { path, source })?;
        self.log.take_written(&lines, writer.log.len());
        self.read_again_if_stale()?;
        Ok(self.log.last)
    }

    /// Puts a message's pictures away, so that it can be part of an event.
    pub fn keep(&self, message: &Message) -> Result<Stored, SessionError> {
        self.may_write()?;
        Stored::keep(message, &self.blobs)
    }

    /// Puts a picture away.
    pub fn keep_picture(&self, picture: &Picture) -> Result<PictureRef, SessionError> {
        self.may_write()?;
        PictureRef::keep(picture, &self.blobs)
    }

    /// A tool's result as an event. A long one is put away, and the event has its first lines.
    pub fn keep_result(
        &self,
        id: &str,
        name: &str,
        text: &str,
    ) -> Result<CallResult, SessionError> {
        self.keep_output(id, name, &Output { words: text, ..Output::default() })
    }

    /// What a tool gave back, as an event. What came from outside is fenced; what is long is put away
    /// whole, and the event has its first lines and the handle.
    pub fn keep_output(
        &self,
        id: &str,
        name: &str,
        output: &Output<'_>,
    ) -> Result<CallResult, SessionError> {
        self.may_write()?;
        let (words, mark, blob) = self.shown(output.words)?;
        let mut text = joined(words, &mark);
        let mut blob = blob;
        if let Some(data) = output.data {
            let (shown, mark, handle) = self.shown(data)?;
            let fence = fence("tool_output", &format!("from=\"{}\"", attribute(name)), shown);
            let fenced = joined(&joined(&fence.open, shown), &fence.close);
            text = joined(&text, &joined(&fenced, &mark));
            blob = handle.or(blob);
        }
        if let Some(whole) = output.whole {
            let handle = self.blobs.put(whole.as_bytes())?;
            text = joined(&text, &format!("[the whole is `{handle}`: expand shows it]"));
            blob = Some(handle);
        }
        let (id, name) = (id.to_owned(), name.to_owned());
        Ok(CallResult { id, name, text, blob, ok: !output.failed, ..CallResult::default() })
    }

    /// What of a text the model sees, what is said of the rest, and the handle of the whole.
    fn shown<'a>(&self, text: &'a str) -> Result<(&'a str, String, Option<String>), SessionError> {
        if text.len() <= LONG_RESULT {
            return Ok((text, String::new(), None));
        }
        let handle = self.blobs.put(text.as_bytes())?;
        let (head, mark) = preview(text, &handle);
        Ok((head, mark, Some(handle)))
    }

    /// Puts a text away and gives back its handle.
    pub fn keep_text(&self, text: &str) -> Result<String, SessionError> {
        self.may_write()?;
        self.blobs.put(text.as_bytes())
    }

    /// The handle that a text gets, unless another one has the same hash.
    pub fn handle_of(text: &str) -> String {
        blob::handle_of(text.as_bytes())
    }

    /// What a person said, as a message with its pictures.
    pub fn restore_said(&self, said: &Said) -> Option<Message> {
        let pictures = said.pictures.iter().map(|picture| picture.picture(&self.blobs).ok());
        let pictures: Vec<Part> =
            pictures.flatten().map(|picture| Part::Picture(Arc::new(picture))).collect();
        let text: Arc<str> = said.text.as_str().into();
        let content = match pictures.is_empty() {
            true => Content::Text(text),
            false => Content::Parts(pictures.into_iter().chain([Part::Text(text)]).collect()),
        };
        Some(Message::new(Role::User, content))
    }

    /// The view as it was after an event, without what was forgotten since.
    pub fn view_at(&self, n: u64) -> Result<View, SessionError> {
        let mut replay = Replay::that_keeps_all();
        let unreadable = SessionError::disk(&self.folder, "it could not be read");
        self.log.replay_to(&self.file, n, &mut replay).map_err(unreadable)?;
        let (mut view, _) = replay.view(&self.blobs);
        Gone::of(self).leave(&mut view);
        Ok(view)
    }

    /// A stored message with its pictures. What is lost of it is replaced by a word about it.
    pub fn restore(&self, stored: &Stored) -> Result<Message, BadMessage> {
        Ok(stored::whole(&stored.light()?, &self.blobs, &mut |_| {}))
    }

    /// What was put away under a handle, such as a long tool result.
    pub fn blob(&self, handle: &str) -> Result<Vec<u8>, SessionError> {
        self.blobs.read(handle)
    }

    fn log_path(&self) -> PathBuf {
        self.folder.join(open::LOG)
    }

    fn may_write(&self) -> Result<(), SessionError> {
        let refused = || SessionError::ReadOnly { key: self.key.clone() };
        self.writer.as_ref().map(|_| ()).ok_or_else(refused)
    }

    fn lines(&self, time: Timestamp, events: &[Event]) -> Result<Vec<u8>, SessionError> {
        let (mut n, mut m) = (self.log.last, self.log.replay.messages);
        let mut lines = Vec::with_capacity(1024);
        for event in events {
            let start = lines.len();
            n += 1;
            m = match event {
                Event::Undo(undo) => self.messages_at(undo.to)?,
                event => m + u64::from(event.is_message()),
            };
            line::write(&mut lines, (n, m), time, event).map_err(SessionError::NotJson)?;
            let bytes = lines.len() - start;
            if bytes > line::MAX_LINE {
                return Err(SessionError::TooLarge { bytes, limit: line::MAX_LINE });
            }
        }
        Ok(lines)
    }

    /// How many messages there were after an event.
    fn messages_at(&self, n: u64) -> Result<u64, SessionError> {
        let before = self.events()?.take_while(|record| record.n <= n);
        Ok(before.last().map_or(0, |record| record.messages))
    }

    /// Looks at what a failed append left behind when it cannot be taken back, and goes on after
    /// it. Whole lines in it count: whoever opens the log next will see them too.
    fn clear_overhang(&mut self) -> Result<(), SessionError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if writer.log.has_overhang() {
            let doing = "what a failed write left could not be read";
            let ending = self.log.read_on(writer.log.file());
            let ending = ending.map_err(SessionError::disk(&self.folder, doing))?;
            let path = self.folder.join(open::LOG);
            if let Some(problem) = repair::mend(&mut writer.log, &path, &self.name, ending) {
                self.log.problem(problem);
            }
        }
        Ok(())
    }

    fn read_again_if_stale(&mut self) -> Result<(), SessionError> {
        if self.log.replay.is_stale {
            let read = Log::read(&self.file, &self.name);
            self.log = read.map_err(SessionError::disk(&self.folder, "it could not be read"))?.0;
            // They were reported when the session was opened.
            self.log.problems();
        }
        Ok(())
    }
}

/// What a tool gave back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Output<'a> {
    /// The tool's own words.
    pub words: &'a str,
    /// What came from outside, as it came.
    pub data: Option<&'a str>,
    /// All of it, where `data` has only a part.
    pub whole: Option<&'a str>,
    /// Whether the tool did not do what it was asked.
    pub failed: bool,
}

/// Two texts, the second on a line of its own.
fn joined(first: &str, second: &str) -> String {
    let gap = match first.is_empty() || second.is_empty() || first.ends_with('\n') {
        true => "",
        false => "\n",
    };
    format!("{first}{gap}{second}")
}

impl Writer {
    /// Makes the session's name survive power loss, in every folder up to the workspace. Another
    /// process may have made them and died before it came to this, so it is done once by each.
    fn sync_folders(&mut self, folder: &Path) -> std::io::Result<()> {
        if !self.folders_synced {
            folder.ancestors().take(4).try_for_each(sync_folder)?;
            self.folders_synced = true;
        }
        Ok(())
    }
}
