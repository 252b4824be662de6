//! A conversation of another program as a session of ours: a new one, or the end of one that it goes on with.
//!
//! Which of its rows a session has is read from the session itself, so an import that was cut off is finished by the
//! next. What is older than something that was said since would stand behind it, as if it were the newest: such a
//! conversation becomes one of its own.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use louver_context::message::{Message, Role};
use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use super::{Found, KEPT, Line, Program, What};
use crate::append::Durability;
use crate::export;
use crate::session::event::{Cursor, Event, Opened, Unknown};
use crate::session::{Mode, Record, Session, SessionError};

/// Where a conversation is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenOver {
    /// The session's key. It is not the conversation's own where another has that.
    pub key: String,
    /// How many messages were new.
    pub new: usize,
}

impl Found {
    /// Writes the conversation into a workspace. One that is there already gets only what was added to the file
    /// since.
    pub fn store(&self, workspace: &Path) -> Result<TakenOver, SessionError> {
        let rows: Vec<Row> = self.lines.iter().filter_map(Row::of_line).collect();
        let program = Program::of(&self.meta);
        if let Some(was) = &self.was
            && Known::of(workspace, was, program)?
                .run(&rows)
                .is_some_and(|run| run.rows == rows.len())
        {
            return Ok(TakenOver { key: was.clone(), new: 0 });
        }
        let mut attempt = 0;
        loop {
            let key = self.key_for(attempt);
            let known = Known::of(workspace, &key, program)?;
            if let Some(from) = known.goes_on_at(&rows) {
                let new = self.store_from(from, workspace, &key, known.own.is_empty())?;
                return Ok(TakenOver { key, new });
            }
            attempt += 1;
        }
    }

    /// The key to try: its own, then others that say where it is from. They match what `owner` has for its own with
    /// a `*` at the end.
    fn key_for(&self, attempt: u32) -> String {
        let program = Program::of(&self.meta).name();
        match attempt {
            0 => self.key.clone(),
            1 => format!("{}:{program}", self.key),
            n => format!("{}:{program}:{n}", self.key),
        }
    }

    /// Writes the rows from one on. Says how many messages that are.
    fn store_from(
        &self,
        from: usize,
        workspace: &Path,
        key: &str,
        alone: bool,
    ) -> Result<usize, SessionError> {
        let rest = self.lines_from(from);
        if rest.is_empty() {
            return Ok(0);
        }
        let (mut session, _) = Session::open(workspace, key, Mode::Write)?;
        if from == 0 {
            session.append(&self.opened(key), Durability::Process)?;
        }
        let mut ids = Vec::new();
        // What says no time was said when what stands before it was.
        let before = &self.lines[..self.lines.len() - rest.len()];
        let mut time = before.iter().rev().find_map(|line| line.time).or(self.created);
        for line in rest {
            time = line.time.or(time);
            let event = match &line.what {
                What::Message(message, raw) => export::imported_event(&session, message, raw)?,
                What::Other(value) => other(value),
                // In a session that has turns of ours, the cursor tells how far memory was made of those.
                What::Consolidated if alone => {
                    let to = session.last();
                    Event::Cursor(Cursor { to, ..Cursor::default() })
                }
                What::Consolidated => continue,
            };
            let at = time.unwrap_or_else(Timestamp::now);
            let n = session.append_at(at, &[event], Durability::Process)?;
            ids.extend(matches!(line.what, What::Message(..)).then_some(n));
        }
        let newest = self.lines.iter().rev().find_map(|line| line.time);
        let passed = self.passed_over().filter(|_| alone && from == 0);
        let cursor = passed.and_then(|passed| ids.get(passed.last)).map(|to| {
            let to = *to;
            Event::Cursor(Cursor { to, ..Cursor::default() })
        });
        let end = cursor.as_slice();
        session.append_at(newest.unwrap_or_else(Timestamp::now), end, Durability::Disk)?;
        Ok(ids.len())
    }

    /// The lines behind so many rows.
    fn lines_from(&self, rows: usize) -> &[Line] {
        let mut passed = 0;
        let is_next = |line: &Line| {
            let is_row = !matches!(line.what, What::Consolidated);
            passed += usize::from(is_row);
            is_row && passed > rows
        };
        let at = self.lines.iter().position(is_next).unwrap_or(self.lines.len());
        &self.lines[at..]
    }

    /// How many messages no memory is made of, though nothing says that it was: all but the newest. Years of them would
    /// cost a large request with each turn, and they can be recalled as they are.
    pub fn without_memory(&self) -> usize {
        self.passed_over().map_or(0, |passed| passed.messages)
    }

    fn passed_over(&self) -> Option<PassedOver> {
        let done = self.lines.iter().rposition(|line| matches!(line.what, What::Consolidated));
        let is_message = |line: &&Line| matches!(line.what, What::Message(..));
        let before = self.lines[..done.unwrap_or(0)].iter().filter(is_message).count();
        let messages = self.messages();
        let from = messages.len().saturating_sub(NEWEST).max(before);
        // Memory begins with something that was asked.
        let asks = |message: &Arc<Message>| message.role == Role::User;
        let from = from + messages[from..].iter().position(asks)?;
        (from > before && messages.len() - before > NEWEST)
            .then(|| PassedOver { messages: from - before, last: from - 1 })
    }

    fn opened(&self, key: &str) -> Event {
        let created = self.created.unwrap_or_else(Timestamp::now);
        Event::Session(Opened {
            key: key.to_owned(),
            created: created.to_string(),
            meta: self.meta.clone(),
            ..Opened::default()
        })
    }
}

/// Messages of which no memory is made.
struct PassedOver {
    messages: usize,
    /// Where the last of them is among all messages.
    last: usize,
}

/// Of so many messages of an import memory may still be made: twice what a session may have by itself, one or two
/// requests in all.
const NEWEST: usize = 2 * louver_context::consolidate::MEMORY_WINDOW;

fn other(value: &Value) -> Event {
    let mut fields = Map::new();
    fields.insert("line".into(), value.clone());
    Event::Unknown(Unknown { kind: KEPT.to_owned(), fields })
}

/// A row of another program's file, by which it is known again.
struct Row {
    hash: u64,
    time: Option<Timestamp>,
}

impl Row {
    fn of_line(line: &Line) -> Option<Row> {
        let hash = match &line.what {
            What::Message(message, _) => hash_of(message),
            What::Other(value) => xxh3_64(value.to_string().as_bytes()),
            What::Consolidated => return None,
        };
        Some(Row { hash, time: line.time })
    }

    /// The row that an event was made of, if it was.
    fn of_record(session: &Session, record: &Record) -> Option<Row> {
        let hash = match &record.event {
            Event::Unknown(Unknown { kind, fields }) if kind == KEPT => {
                xxh3_64(fields.get("line")?.to_string().as_bytes())
            }
            event => hash_of(&export::imported_message(session, event)?),
        };
        Some(Row { hash, time: Some(record.time) })
    }

    /// Whether a row of a session is this one.
    fn is(&self, ours: &Row) -> bool {
        let same_time = match (self.time, ours.time) {
            (Some(one), Some(two)) => {
                let seconds = (one.as_second() - two.as_second()).abs();
                seconds <= ZONES && seconds % QUARTER == 0
            }
            _ => true,
        };
        self.hash == ours.hash && same_time
    }
}

/// nanobot writes times without a zone, so a file's times move when the machine does: by quarters of an hour, and by
/// no more than the zones are apart.
const QUARTER: i64 = 15 * 60;
const ZONES: i64 = 26 * 60 * 60;

fn hash_of(message: &Message) -> u64 {
    let (who, words) = export::words_of(message);
    xxh3_64(format!("{who}\n{words}").as_bytes())
}

/// What a session has.
#[derive(Default)]
struct Known {
    /// The rows that were imported.
    rows: Vec<Row>,
    /// When other messages were said, with the number of rows before each.
    own: Vec<(usize, Timestamp)>,
    /// Whether some of the rows are another program's.
    is_anothers: bool,
}

/// The rows of a session with which a file begins.
struct Run {
    rows: usize,
    /// Where they end among all that were imported.
    end: usize,
}

impl Known {
    fn of(workspace: &Path, key: &str, program: Program) -> Result<Known, SessionError> {
        let mut known = Known::default();
        if !Session::exists(workspace, key) {
            return Ok(known);
        }
        let (session, _) = Session::open(workspace, key, Mode::Read)?;
        let mut from = program;
        for record in session.events()? {
            if let Event::Session(opened) = &record.event {
                from = Program::of(&opened.meta);
            }
            match Row::of_record(&session, &record) {
                Some(row) => {
                    known.is_anothers |= from != program;
                    known.rows.push(row);
                }
                None if record.event.is_message() => {
                    known.own.push((known.rows.len(), record.time));
                }
                None => {}
            }
        }
        Ok(known)
    }

    /// The rows with which a file begins: all of it, or all that there are of it.
    fn run(&self, file: &[Row]) -> Option<Run> {
        (0..self.rows.len()).find_map(|start| {
            let both = self.rows[start..].iter().zip(file);
            let rows = both.len();
            let same = both.clone().all(|(ours, theirs)| theirs.is(ours));
            same.then_some(Run { rows, end: start + rows })
        })
    }

    /// From which of its rows on a file goes on with this session, if it does: all that came after the rows it has
    /// already is older than the next. What shares no row with a session of another program has nothing to do with it.
    fn goes_on_at(&self, file: &[Row]) -> Option<usize> {
        let run = match self.run(file) {
            Some(run) => run,
            None if self.is_anothers => return None,
            None => Run { rows: 0, end: 0 },
        };
        let rest = &file[run.rows..];
        let own = self.own.iter().filter(|(rows, _)| *rows >= run.end).map(|(_, time)| *time);
        let imported = self.rows[run.end..].iter().filter_map(|row| row.time);
        let since = own.chain(imported).max();
        let goes_on = match (since, rest.iter().find_map(|row| row.time)) {
            _ if rest.is_empty() => true,
            (None, _) => true,
            (Some(since), Some(next)) => next > since,
            (Some(_), None) => false,
        };
        goes_on.then_some(run.rows)
    }
}
