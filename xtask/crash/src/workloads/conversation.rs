//! Conversations: turns with tools, long results and pictures, edits and going back in between.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use louver_context::{Content, Message, Picture, Role, ToolCall};
use louver_store::session::event::{Call, Event, Note, Usage};
use louver_store::session::{Durability, Mode, Output, Session, SessionError, View};
use louver_store::{ContextBuilder, Conversation, Problem, Severity, Turn, TurnError};

use super::Look;
use crate::dice::Dice;
use crate::ledger::{Acked, is_torn_tail};
use crate::said::{Ack, Said, hash_of};
use crate::writer::{Persistence, Safeguard, Writer};

pub(crate) const NAME: &str = "conversation";

/// How long one waits for another writer before it does something else.
const WAIT: Duration = Duration::from_millis(40);

/// Some turns in one session, under its lock.
pub(super) fn step(writer: &mut Writer) -> Result<()> {
    let key = key(writer);
    let Some(mut talk) = Talk::open(writer, key)? else { return Ok(()) };
    for _ in 0..=talk.writer.dice.below(2) {
        talk.turn()?;
    }
    Ok(())
}

/// A session of its own, or one that every writer has.
fn key(writer: &mut Writer) -> String {
    let generation = writer.generation;
    match writer.dice.below(5) {
        // A twin without a lock is to meet the other one.
        _ if writer.without == Some(Safeguard::Lock) => format!("crash:shared/{generation} 共"),
        0..=2 => format!("crash:shared/{generation} 共"),
        3 => format!("crash:../{}/{generation}", writer.name),
        _ => own_key(writer),
    }
}

/// The session that only this writer has.
pub(super) fn own_key(writer: &Writer) -> String {
    format!("crash:{}/{}", writer.name, writer.generation)
}

/// A conversation that is going on.
pub(super) struct Talk<'a> {
    writer: &'a mut Writer,
    conversation: Conversation,
    key: String,
}

impl<'a> Talk<'a> {
    /// Opens a session to write, or reports that another has it.
    pub(super) fn open(writer: &'a mut Writer, key: String) -> Result<Option<Talk<'a>>> {
        if writer.without == Some(Safeguard::Lock) {
            // Who locks a file that has another name now locks nothing.
            if let Ok((session, _)) = Session::open(&writer.workspace, &key, Mode::Read) {
                let _ = std::fs::remove_file(session.folder().join("lock"));
            }
        }
        let workspace = writer.workspace.clone();
        let opened =
            writer.persistence.insist(|| match Session::wait_write(&workspace, &key, WAIT) {
                Err(SessionError::Busy { .. }) => Ok(None),
                opened => opened.map(Some),
            })?;
        let Some((session, problems)) = opened else {
            writer.persistence.mouth.say(&Said::Busy)?;
            return Ok(None);
        };
        for problem in problems {
            let (severity, what) = (problem.severity.to_string(), problem.to_string());
            writer.persistence.mouth.say(&Said::Problem { severity, what })?;
        }
        let mut talk = Talk { writer, conversation: Conversation::of(session), key };
        talk.report(Durability::Process)?;
        Ok(Some(talk))
    }

    /// What reports, and the session.
    pub(super) fn parts(&mut self) -> (&mut Persistence, &Session) {
        (&mut self.writer.persistence, self.conversation.session())
    }

    /// Appends an event that survives power loss.
    pub(super) fn append_to_disk(&mut self, event: &Event) -> Result<()> {
        self.act(Durability::Disk, |conversation, _| {
            Ok(conversation.session().append(event, Durability::Disk)?)
        })
    }

    fn turn(&mut self) -> Result<()> {
        if self.writer.dice.one_in(3) {
            self.edit()?;
        }
        let turn = self.said();
        self.act(Durability::Process, |conversation, builder| conversation.begin(builder, &turn))?;
        let calls = self.writer.dice.below(4);
        for call in 0..calls {
            let id = format!("call_{call}_{:x}", self.writer.dice.next());
            self.call(&id)?;
            if self.writer.dice.one_in(12) {
                // The tool never came back, and the person says something else.
                return Ok(());
            }
        }
        self.reply()?;
        self.end()?;
        if self.writer.dice.one_in(10) {
            self.undo()?;
        }
        if self.writer.without == Some(Safeguard::Append) {
            let log = self.conversation.session().folder().join("log.jsonl");
            std::fs::write(&log, std::fs::read(&log)?)?;
        }
        Ok(())
    }

    fn said(&mut self) -> Turn {
        let dice = &mut self.writer.dice;
        let bytes = 20 + dice.below(400);
        let message = dice.text(bytes);
        let pictures = if dice.one_in(5) { vec![picture(dice.next() as u8)] } else { Vec::new() };
        Turn { message, pictures, ..Turn::default() }
    }

    /// The model calls a tool, which is started and returns.
    fn call(&mut self, id: &str) -> Result<()> {
        let mut reply = Message::new(Role::Assistant, Content::Null);
        let arguments = format!("{{\"path\":\"{id}\"}}");
        reply.calls.push(ToolCall {
            id: id.into(),
            name: "read_file".into(),
            arguments: arguments.as_str().into(),
            extra: Default::default(),
        });
        self.act(Durability::Process, |conversation, _| conversation.replied(&reply, None, None))?;
        let call = Call { id: id.into(), name: "read_file".into(), arguments, ..Call::default() };
        let note = Note { text: format!("{id} is running"), ..Note::default() };
        self.append(&[Event::Call(call), Event::Note(note)])?;
        let dice = &mut self.writer.dice;
        // Long enough to be put away, or short enough that the turn fits into the window.
        let bytes = if dice.one_in(4) { 17_000 + dice.below(30_000) } else { dice.below(3_000) };
        let text = dice.text(bytes);
        let output = Output { words: &text, ..Output::default() };
        self.act(Durability::Process, |conversation, _| {
            conversation.result(id, "read_file", &output)
        })
    }

    fn reply(&mut self) -> Result<()> {
        let dice = &mut self.writer.dice;
        let bytes = dice.below(2_000);
        let mut text = dice.text(bytes);
        if dice.one_in(6) {
            // A long line takes several pages, and only such a line can be torn by a kill. It is
            // one word, so that the next turn has room.
            text = dice.text(20_000 + dice.clone().below(100_000)).replace([' ', '\n'], "_");
        }
        let message = Message::text(Role::Assistant, text);
        self.act(Durability::Process, |conversation, _| conversation.replied(&message, None, None))
    }

    fn end(&mut self) -> Result<()> {
        let usage = Usage { model: "gpt-4o".into(), cause: "turn".into(), ..Usage::default() };
        let unsynced = self.writer.without == Some(Safeguard::Fsync);
        self.act(Durability::Disk, |conversation, _| match unsynced {
            true => {
                let usage = Event::Usage(usage.clone());
                conversation.session().append(&usage, Durability::Process).map_err(Into::into)
            }
            false => conversation.end(usage.clone()).map(|()| 0),
        })
    }

    fn undo(&mut self) -> Result<()> {
        if self.writer.without == Some(Safeguard::Fsync) {
            return Ok(());
        }
        self.act(Durability::Disk, |conversation, _| conversation.undo())
    }

    /// A person edits a file in the workspace.
    fn edit(&mut self) -> Result<()> {
        let name = if self.writer.name == "a" { "AGENTS.md" } else { "USER.md" };
        let bytes = self.writer.dice.below(200);
        let text = self.writer.dice.text(bytes);
        let path = self.writer.workspace.join(name);
        self.writer.persistence.insist(|| std::fs::write(&path, &text))
    }

    /// Events whose words are known before they are written.
    fn append(&mut self, events: &[Event]) -> Result<()> {
        if self.writer.without == Some(Safeguard::Order) {
            let last = self.conversation.session().last();
            for (n, event) in (last + 1..).zip(events) {
                self.say(n, event, Durability::Process)?;
            }
            // A twin that collects what it writes does it a moment later.
            std::thread::sleep(Duration::from_millis(1));
        }
        self.act(Durability::Process, |conversation, _| {
            Ok(conversation.session().append_all(events, Durability::Process)?)
        })
    }

    /// Does something to the conversation and reports what came of it.
    fn act<T>(
        &mut self,
        durability: Durability,
        mut act: impl FnMut(&mut Conversation, &mut ContextBuilder) -> Result<T, TurnError>,
    ) -> Result<()> {
        let Writer { persistence, builder, .. } = &mut *self.writer;
        let conversation = &mut self.conversation;
        persistence.insist(|| act(conversation, builder))?;
        self.report(durability)
    }

    /// Reports every event that has not been, as the log has it.
    fn report(&mut self, durability: Durability) -> Result<()> {
        let known = self.writer.reported.get(&self.key).copied().unwrap_or(0);
        let conversation = &mut self.conversation;
        let events =
            self.writer.persistence.insist(|| conversation.session().events())?.after(known);
        for record in events {
            self.say(record.n, &record.event, durability)?;
            self.writer.reported.insert(self.key.clone(), record.n);
        }
        Ok(())
    }

    fn say(&mut self, n: u64, event: &Event, durability: Durability) -> Result<()> {
        let ack = Ack {
            workload: NAME.into(),
            key: self.key.clone(),
            n,
            hash: hash_of(event),
            on_disk: durability == Durability::Disk,
        };
        Ok(self.writer.persistence.mouth.say(&Said::Ack(ack))?)
    }
}

fn picture(shade: u8) -> Arc<Picture> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x10\0\0\0\x10".to_vec();
    bytes.extend([8, 2, 0, 0, shade, 0, 0, 0, 0]);
    Arc::new(Picture::from_bytes(&bytes).unwrap_or_else(|_| Picture::from_url("data:,", None)))
}

/// Leaves half a line at the end of a log, as a write that was cut off does. Nobody may write to it.
pub(crate) fn tear(workspace: &Path, key: &str, dice: &mut Dice) -> Result<()> {
    let (session, _) = Session::open(workspace, key, Mode::Read)?;
    let path = session.folder().join("log.jsonl");
    let log = std::fs::read(&path)?;
    let last = log.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let half = &last[..dice.below(last.len().max(1))];
    if log.ends_with(b"\n") {
        std::fs::OpenOptions::new().append(true).open(&path)?.write_all(half)?;
    }
    Ok(())
}

/// What is wrong with a session of which this was acknowledged.
pub(super) fn check(workspace: &Path, key: &str, acked: &Acked, look: Look) -> Vec<String> {
    let mode = match look {
        Look::Read => Mode::Read,
        Look::Mend => Mode::Write,
    };
    let (session, problems) = match Session::open(workspace, key, mode) {
        Ok(opened) => opened,
        Err(SessionError::Missing { .. }) if acked.hashes.is_empty() => return Vec::new(),
        Err(error) => return vec![format!("it does not open: {error}")],
    };
    let mut findings: Vec<String> =
        problems.iter().filter(|problem| !is_excused(problem, look)).map(told).collect();
    let events: BTreeMap<u64, Event> = match session.events() {
        Ok(events) => events.map(|record| (record.n, record.event)).collect(),
        Err(error) => return vec![format!("its events cannot be read: {error}")],
    };
    findings.extend(missing(acked, &events));
    let (view, lost) = session.view();
    findings.extend(lost.iter().map(told));
    findings.extend(unfinished(acked, &events, &view));
    findings.extend(blobs(&session, &events));
    findings
}

/// What may be wrong: a line that is not whole, and is no longer in the way of the next writer.
fn is_excused(problem: &Problem, look: Look) -> bool {
    match look {
        Look::Read => problem.severity == Severity::Note && problem.what.contains("is not whole"),
        Look::Mend => is_torn_tail(&problem.severity.to_string(), &problem.what),
    }
}

fn told(problem: &Problem) -> String {
    format!("{}: {problem}", problem.severity)
}

/// The acknowledged events that are not there, and numbers that nobody has.
fn missing(acked: &Acked, events: &BTreeMap<u64, Event>) -> Vec<String> {
    let mut findings = Vec::new();
    for (n, hash) in &acked.hashes {
        match events.get(n) {
            None => findings.push(format!("event {n} was acknowledged and is not there")),
            Some(event) if hash_of(event) != *hash => {
                findings.push(format!("event {n} is not the one that was acknowledged"));
            }
            Some(_) => {}
        }
    }
    let gap = (1..).zip(events.keys()).find(|(n, found)| n != *found);
    findings.extend(gap.map(|(n, _)| format!("there is no event {n}, but there are later ones")));
    findings
}

/// The finished steps of the last turn that the model would not see.
fn unfinished(acked: &Acked, events: &BTreeMap<u64, Event>, view: &View) -> Vec<String> {
    let begins = |event: &Event| matches!(event, Event::Sent(_) | Event::Undo(_));
    let from = events.iter().rev().find(|(_, event)| begins(event)).map_or(0, |(n, _)| *n);
    let steps = events.range(from + 1..).filter(|(n, event)| {
        acked.hashes.contains_key(n) && matches!(event, Event::Reply(_) | Event::Result(_))
    });
    let unseen = steps.filter(|(n, _)| view.messages.iter().all(|entry| entry.id != **n));
    unseen.map(|(n, _)| format!("event {n}, a finished step, is not in the view")).collect()
}

fn blobs(session: &Session, events: &BTreeMap<u64, Event>) -> Vec<String> {
    let handles = events.iter().filter_map(|(n, event)| match event {
        Event::Result(result) => result.blob.as_ref().map(|handle| (n, handle)),
        _ => None,
    });
    let lost = handles.filter_map(|(n, handle)| Some((n, session.blob(handle).err()?)));
    lost.map(|(n, error)| format!("the whole result of event {n} is lost: {error}")).collect()
}
