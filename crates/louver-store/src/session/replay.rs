//! Events in, the model's view out: the messages as they would be sent.
//!
//! Each event changes the state a little, whether it was just read or just written, so a running
//! session never reads its log again. What a summary covers and what was sent in another form is
//! forgotten on the way; only going back can want it again, and then the log is read once more
//! with a memory for everything.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use louver_context::{Content, Message, Part, Role};
use serde::de::Error as _;

use super::blob::Blobs;
use super::error::SessionError;
use super::event::{Event, Prefix, Reduced, Summary, Told};
use super::line::{self, Head, Time};
use super::parse::{Fields, Memory};
use super::stored::{PictureRef, is_light, whole};

/// What the model sees of a session.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// The messages, oldest first.
    pub messages: Vec<Entry>,
    /// What stands for messages that are not among them, oldest first.
    pub summaries: Vec<Arc<Summary>>,
    /// The prefix of the running epoch.
    pub prefix: Option<Arc<Prefix>>,
    /// The last message of which memory has been made.
    pub cursor: u64,
    /// What the model was last told of changes in its documents, in the running epoch.
    pub told: Option<Arc<Told>>,
    /// When a request last went out.
    pub sent_at: Option<Timestamp>,
    /// Whether messages were shortened, summed up or taken back since the epoch began.
    pub rewritten: bool,
    /// A word for what is withheld because it was forgotten; zero when nothing is.
    pub withheld: u64,
}

/// A message and the event it came with.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The number of its event, which it keeps for ever.
    pub id: u64,
    /// Which of that event's messages it is.
    pub part: u32,
    /// The first and the last thing said that it was sent for; what was said has numbers of its own.
    pub said: Option<[u64; 2]>,
    /// The message as it would be sent.
    pub message: Arc<Message>,
}

/// The state after some events.
#[derive(Debug, Default)]
pub(super) struct Replay {
    /// In the order of their ids.
    items: Vec<Item>,
    /// How an item's message differs from what is stored, by the event that brought it.
    changes: HashMap<(u64, u32), Change>,
    summaries: Vec<Arc<Summary>>,
    prefix: Option<Arc<Prefix>>,
    cursor: u64,
    told: Option<Arc<Told>>,
    /// As its line says it: there is one for every turn, and only the last is ever asked for.
    sent_at: Vec<u8>,
    rewritten: bool,
    pub(super) key: Option<String>,
    pub(super) messages: u64,
    /// Whether nothing is forgotten.
    keeps_all: bool,
    /// The last id that a summary has covered.
    forgotten: u64,
    /// Something is wanted that was forgotten.
    pub(super) is_stale: bool,
    /// The last thing said, while nothing has come after it: its number and its line.
    unsent: u64,
    unsent_line: Vec<u8>,
    memory: Memory,
}

#[derive(Debug)]
struct Item {
    id: u64,
    part: u32,
    /// Whether there is a change of it.
    is_changed: bool,
    /// The event that brought it: the id, unless it was sent again in another form.
    born: u64,
    /// The first and the last thing said that it stands for; zero for none.
    said: u64,
    said_last: u64,
    /// The event that sent it in another form; zero while none did.
    gone: u64,
    message: Arc<Message>,
}

#[derive(Debug, Default)]
struct Change {
    reduced: Option<Reduced>,
    /// The message as it is sent, made when it is first asked for.
    made: OnceLock<Arc<Message>>,
}

impl Replay {
    /// A state that can go back without reading again.
    pub(super) fn that_keeps_all() -> Replay {
        Replay { keeps_all: true, ..Replay::default() }
    }

    /// Takes the next line, which must be sealed.
    pub(super) fn take(&mut self, head: &Head<'_>, line: &[u8]) -> serde_json::Result<()> {
        self.messages = head.m;
        let mut settled = Ok(());
        match head.kind {
            "said" if !self.keeps_all => {
                settled = self.settle();
                self.unsent = head.n;
                self.unsent_line.extend_from_slice(line);
            }
            "said" | "sent" | "reply" | "result" => {
                let fields = Fields::read(head, line, &mut self.memory)?;
                if fields.said.contains(&self.unsent) {
                    self.unsent_line.clear();
                }
                settled = self.settle();
                self.take_messages(head, fields);
            }
            "session" | "prefix" | "reduced" | "summary" | "undo" | "cursor" | "told" => {
                settled = self.settle();
                self.take_rare(head.n, line::read(line)?);
            }
            _ => {}
        }
        settled
    }

    /// Takes what was said last, unless it was sent at once: then nobody needs to see it as it was
    /// said, and a long session opens faster. Must be called before the view is asked for.
    pub(super) fn settle(&mut self) -> serde_json::Result<()> {
        let mut line = std::mem::take(&mut self.unsent_line);
        if let Some(head) = Head::parse(&line) {
            let fields = Fields::read(&head, &line, &mut self.memory).map_err(|error| {
                serde_json::Error::custom(format!("what was said before it: {error}"))
            })?;
            self.take_messages(&head, fields);
        }
        line.clear();
        self.unsent_line = line;
        Ok(())
    }

    fn take_messages(&mut self, head: &Head<'_>, fields: Fields) {
        let message = match head.kind {
            "sent" => {
                self.sent_at.clear();
                self.sent_at.extend_from_slice(head.time.0);
                let Fields { said, mut messages, .. } = fields;
                self.take_sent(head.n, &said, &mut messages);
                return self.memory.reuse(messages, said);
            }
            "said" => said(fields),
            "result" => result(fields),
            _ => match fields.message {
                Some(message) => message,
                None => return,
            },
        };
        let item = self.item((head.n, head.n), 0, [0; 2], message);
        self.items.push(item);
    }

    fn item(
        &mut self,
        (id, born): (u64, u64),
        part: u32,
        [said, said_last]: [u64; 2],
        message: Arc<Message>,
    ) -> Item {
        let is_changed = is_light(&message);
        if is_changed {
            self.changes.insert((born, part), Change::default());
        }
        Item { id, part, is_changed, born, said, said_last, gone: 0, message }
    }

    /// What was said is seen as it was sent from now on, and where it was first sent.
    fn take_sent(&mut self, n: u64, said: &[u64], messages: &mut Vec<Arc<Message>>) {
        let first = said.iter().min().copied().unwrap_or(u64::MAX);
        // What a summary has covered may have been sent before, and then it keeps its place.
        self.is_stale |= !self.keeps_all && first <= self.forgotten;
        // What waits to be sent is at the end, so this does not walk through the session.
        let from = self.items.iter().rposition(|item| item.id < first).map_or(0, |at| at + 1);
        let mut tail = self.items.split_off(from);
        let mut again = None;
        for (at, item) in tail.iter_mut().enumerate().filter(|(_, item)| item.gone == 0) {
            if item.said != 0 && said.contains(&item.said) {
                again = Some((at + 1, item.id));
                item.gone = n;
            } else if said.contains(&item.id) {
                item.gone = n;
            }
        }
        let (at, id) = again.unwrap_or((tail.len(), n));
        let said = match said.iter().max() {
            Some(last) => [first, *last],
            None => [0; 2],
        };
        let after = tail.split_off(at);
        // What was sent as nothing leaves no trace by which going back could know that it is wanted.
        let keeps_all = self.keeps_all || messages.is_empty();
        let stays = |item: &Item| keeps_all || item.gone == 0;
        self.items.extend(tail.into_iter().filter(stays));
        for (part, message) in (0..).zip(messages.drain(..)) {
            let item = self.item((id, n), part, said, message);
            self.items.push(item);
        }
        self.items.extend(after.into_iter().filter(stays));
    }

    fn take_rare(&mut self, n: u64, event: Event) {
        match event {
            Event::Session(opened) => drop(self.key.get_or_insert(opened.key)),
            Event::Prefix(prefix) => {
                self.prefix = Some(Arc::new(prefix));
                (self.told, self.rewritten) = (None, false);
            }
            Event::Told(told) => self.told = Some(Arc::new(told)),
            Event::Cursor(cursor) => self.cursor = cursor.to,
            Event::Reduced(reduced) => self.take_reduced(reduced),
            Event::Summary(summary) => self.take_summary(n, summary),
            Event::Undo(undo) => self.go_back(undo.to),
            _ => {}
        }
    }

    fn take_reduced(&mut self, reduced: Reduced) {
        self.rewritten = true;
        let from = self.items.partition_point(|item| item.id < reduced.id);
        let mut same = self.items[from..].iter_mut().take_while(|item| item.id == reduced.id);
        // It may be forgotten already, and then there is nothing to shorten.
        if let Some(item) = same.find(|item| item.part == reduced.part && item.gone == 0) {
            item.is_changed = true;
            let change = Change { reduced: Some(reduced), made: OnceLock::new() };
            self.changes.insert((item.born, item.part), change);
        }
    }

    fn take_summary(&mut self, n: u64, mut summary: Summary) {
        self.rewritten = true;
        // It cannot stand for what has not been said yet.
        summary.stands_for[1] = summary.stands_for[1].min(n);
        let [first, last] = summary.stands_for;
        // One that stands for all that an earlier one does takes its place. A mark goes when its beginning is told of:
        // whoever tells of it writes another for the rest.
        let stays = |old: &Summary| match old.stands_for {
            [from, _] if from < first || from > last => true,
            [_, to] => to > last && old.untold.is_none(),
        };
        self.summaries.retain(|old| stays(old));
        self.summaries.push(Arc::new(summary));
        self.summaries.sort_by_key(|summary| summary.stands_for);
        if !self.keeps_all {
            self.items.retain(|item| !(first..=last).contains(&item.id));
            self.forgotten = self.forgotten.max(last);
        }
    }

    /// Messages after `to` leave. So do summaries that tell of them, and what those stand for is
    /// seen again; reductions stay, because the provider has cached the messages so.
    fn go_back(&mut self, to: u64) {
        self.rewritten = true;
        let unsent = |item: &Item| item.born > to && item.said != 0 && item.said <= to;
        let wanted = self.forgotten > to || self.items.iter().any(unsent);
        self.is_stale |= !self.keeps_all && wanted;
        self.items.retain(|item| item.born <= to);
        for item in &mut self.items {
            if item.gone > to {
                item.gone = 0;
            }
        }
        self.summaries.retain(|summary| summary.stands_for[1] <= to);
    }

    /// The view, and what could not be had of it.
    pub(super) fn view(&self, blobs: &Blobs) -> (View, Vec<SessionError>) {
        let mut lost = Vec::new();
        let covered = |id: u64| {
            self.summaries.iter().any(|summary| {
                let [first, last] = summary.stands_for;
                (first..=last).contains(&id)
            })
        };
        let seen = |item: &&Item| item.gone == 0 && !(self.keeps_all && covered(item.id));
        let entry = |item: &Item| {
            let change = item.is_changed.then(|| self.changes.get(&(item.born, item.part)));
            let message = match change.flatten() {
                None => item.message.clone(),
                Some(change) => change.made(&item.message, blobs, &mut |error| lost.push(error)),
            };
            let said = (item.said != 0).then_some([item.said, item.said_last]);
            Entry { id: item.id, part: item.part, said, message }
        };
        let mut messages = Vec::with_capacity(self.items.len());
        messages.extend(self.items.iter().filter(seen).map(entry));
        let (summaries, prefix) = (self.summaries.clone(), self.prefix.clone());
        (
            View {
                messages,
                summaries,
                prefix,
                cursor: self.cursor,
                told: self.told.clone(),
                sent_at: Time(&self.sent_at).parse().ok(),
                rewritten: self.rewritten,
                withheld: 0,
            },
            lost,
        )
    }
}

impl Change {
    fn made(
        &self,
        light: &Message,
        blobs: &Blobs,
        lost: &mut impl FnMut(SessionError),
    ) -> Arc<Message> {
        if let Some(made) = self.made.get() {
            return made.clone();
        }
        let mut all_there = true;
        let message = match &self.reduced {
            Some(reduced) => reduce(light, reduced),
            None => whole(light, blobs, &mut |error| {
                all_there = false;
                lost(error);
            }),
        };
        let message = Arc::new(message);
        // What could not be read may be readable the next time.
        if all_there { self.made.get_or_init(|| message).clone() } else { message }
    }
}

fn said(fields: Fields) -> Arc<Message> {
    let text = fields.text.unwrap_or_else(|| "".into());
    match (fields.message, &*fields.pictures) {
        (Some(message), _) => message,
        (None, []) => Arc::new(Message::text(Role::User, text)),
        (None, pictures) => {
            let mut parts: Vec<Part> = pictures.iter().map(PictureRef::part).collect();
            parts.push(Part::Text(text));
            Arc::new(Message::new(Role::User, Content::Parts(parts)))
        }
    }
}

fn result(fields: Fields) -> Arc<Message> {
    let or_empty = |text: Option<Arc<str>>| text.unwrap_or_else(|| "".into());
    let Fields { message, id, name, text, .. } = fields;
    message.unwrap_or_else(|| Message::result(or_empty(id), or_empty(name), or_empty(text)).into())
}

/// A message with only the text that a reduction leaves.
fn reduce(message: &Message, reduced: &Reduced) -> Message {
    let all: String = message.texts().map(|text| &**text).collect();
    let kept = reduced.keep.map_or("", |[first, end]| {
        let (first, end) = (floor(&all, first), floor(&all, end));
        all.get(first..end).unwrap_or_default()
    });
    let mut message = message.clone();
    message.content = Content::Text(format!("{kept}{}", reduced.text).into());
    message
}

/// The largest char boundary that is not above `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
