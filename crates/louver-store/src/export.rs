//! Conversations for other programs, and what searching and forking need of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{fs, io};

use jiff::Timestamp;
use louver_context::message::{Message, Role};
use louver_context::render::openai;
use serde_json::{Map, Value, json};

use crate::append::Durability;
use crate::import::{KEPT, Program};
use crate::library::forgotten;
use crate::session::event::{CallResult, Event, Reply, Said, Unknown};
use crate::session::{Gone, Record, Session, SessionError, forks};

/// The field of an event that holds the handle of an imported line as it was.
const RAW: &str = "raw";

/// The field of an event that came from another program.
const IMPORTED: &str = "imported";

/// A message as an event: what a person said, a reply, a result.
pub fn event_of(session: &Session, message: &Message) -> Result<Event, SessionError> {
    let stored = session.keep(message)?;
    Ok(match message.role {
        Role::Assistant => Event::Reply(Reply { message: stored, ..Reply::default() }),
        Role::Tool => Event::Result(CallResult {
            id: message.answers.as_deref().unwrap_or_default().to_owned(),
            name: message.name.as_deref().unwrap_or_default().to_owned(),
            message: Some(stored),
            ..CallResult::default()
        }),
        Role::User | Role::System => Event::Said(Said { message: Some(stored), ..Said::default() }),
    })
}

/// An imported message as an event. Where louver would write the line in another way, the line
/// itself is kept beside it.
pub(crate) fn imported_event(
    session: &Session,
    message: &Message,
    raw: &Value,
) -> Result<Event, SessionError> {
    let mut event = event_of(session, message)?;
    event.extra_mut().insert(IMPORTED.to_owned(), true.into());
    if openai::stored(message) != *raw {
        let handle = session.keep_text(&raw.to_string())?;
        event.extra_mut().insert(RAW.to_owned(), handle.into());
    }
    Ok(event)
}

/// The message that was imported with an event, if one was.
pub(crate) fn imported_message(session: &Session, event: &Event) -> Option<Message> {
    event.extra().contains_key(IMPORTED).then(|| message_of(session, event))?
}

/// Everything that was said in a session, neither taken back nor forgotten: the event's number, who, and the words.
pub fn everything(session: &Session) -> Vec<(u64, &'static str, String)> {
    let Ok(events) = session.events() else { return Vec::new() };
    let mut said: Vec<(u64, &'static str, String)> = Vec::new();
    let gone = Gone::of(session);
    for record in events.filter(|record| !gone.has_all(record.n)) {
        if let Event::Undo(undo) = &record.event {
            said.retain(|(n, ..)| *n <= undo.to);
        }
        let Some(message) = message_of(session, &record.event) else { continue };
        let (who, words) = words_of(&gone.without(record.n, message));
        said.push((record.n, who, words));
    }
    said
}

/// Who said a message, and its words.
pub(crate) fn words_of(message: &Message) -> (&'static str, String) {
    let who = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let mut words: Vec<String> = message.texts().map(|text| text.to_string()).collect();
    words.extend(message.calls.iter().map(|call| format!("{} {}", call.name, call.arguments)));
    (who, words.join("\n"))
}

/// The message of an event, as it was said. What was sent again in another form is not said twice.
fn message_of(session: &Session, event: &Event) -> Option<Message> {
    match event {
        Event::Said(Said { message: Some(stored), .. })
        | Event::Reply(Reply { message: stored, .. })
        | Event::Result(CallResult { message: Some(stored), .. }) => session.restore(stored).ok(),
        Event::Said(said) => session.restore_said(said),
        Event::Result(result) => {
            let whole = result.blob.as_deref().and_then(|handle| session.blob(handle).ok());
            let whole = whole.and_then(|bytes| String::from_utf8(bytes).ok());
            let text = whole.unwrap_or_else(|| result.text.clone());
            Some(Message::result(result.id.as_str(), result.name.as_str(), text))
        }
        _ => None,
    }
}

/// The session as nanobot writes it, without what was taken back or forgotten. What was imported from there comes out
/// with every field it had; of another program's lines, those that are messages.
pub fn nanobot(session: &Session) -> Result<String, SessionError> {
    let mut about = Value::Null;
    // With the numbers of messages, by which they can be taken back.
    let mut rows: Vec<(Option<u64>, Value)> = Vec::new();
    let (mut first, mut last) = (None, None);
    let (mut from, mut is_as_it_was, mut cursor) = (Program::Nanobot, true, 0);
    let gone = Gone::of(session);
    for record in session.events()? {
        last = Some(record.time);
        first = first.into_iter().chain([record.time]).min();
        match &record.event {
            Event::Session(opened) => {
                from = Program::of(&opened.meta);
                first = first.into_iter().chain(opened.created.parse().ok()).min();
                if about.is_null() {
                    about = opened.meta.get("nanobot").cloned().unwrap_or_default();
                }
            }
            Event::Unknown(Unknown { kind, fields }) if kind == KEPT => {
                let line = fields.get("line").filter(|_| from == Program::Nanobot);
                rows.extend(line.map(|line| (None, line.clone())));
            }
            Event::Undo(undo) => rows.retain(|(n, _)| n.is_none_or(|n| n <= undo.to)),
            Event::Cursor(moved) => cursor = moved.to,
            event => {
                is_as_it_was &= !event.is_message() || event.extra().contains_key(IMPORTED);
                let row = row(session, &gone, &record, from);
                rows.extend(row.map(|row| (Some(record.n), row)));
            }
        }
    }
    let is_theirs = about.is_object();
    if !is_theirs {
        about = metadata(session.key(), first, last);
    }
    if !(is_theirs && is_as_it_was) {
        let made = rows.iter().filter(|(n, _)| n.is_some_and(|n| n <= cursor)).count();
        about["last_consolidated"] = made.into();
        about["updated_at"] = last.map(|time| time.to_string()).into();
    }
    Ok(nanobot_file(&about, rows.iter().map(|(_, row)| row)))
}

/// nanobot's line about a session that has none from there, and of which no memory was made.
pub(crate) fn metadata(key: &str, first: Option<Timestamp>, last: Option<Timestamp>) -> Value {
    let text = |time: Option<Timestamp>| time.map(|time| time.to_string());
    json!({
        "_type": "metadata", "key": key, "created_at": text(first),
        "updated_at": text(last), "metadata": {}, "last_consolidated": 0,
    })
}

/// nanobot's session file: the line about the session, and its rows.
pub(crate) fn nanobot_file<'a>(about: &Value, rows: impl Iterator<Item = &'a Value>) -> String {
    let mut file = format!("{about}\n");
    for row in rows {
        let _ = writeln!(file, "{row}");
    }
    file
}

/// A message's row: nanobot's line as it was unless some of it was forgotten, or the message with its time.
fn row(
    session: &Session,
    gone: &Gone,
    Record { n, time, event, .. }: &Record,
    from: Program,
) -> Option<Value> {
    let is_theirs = from == Program::Nanobot && event.extra().contains_key(IMPORTED);
    if let Some(raw) = event.extra().get(RAW).and_then(Value::as_str)
        && is_theirs
        && !gone.has_some(*n)
    {
        let bytes = session.blob(raw).ok()?;
        return serde_json::from_slice(&bytes).ok();
    }
    let message = gone.without(*n, message_of(session, event)?);
    Some(nanobot_row(&message, (!is_theirs).then_some(*time)))
}

/// A message as nanobot writes it, with its time where it has none.
pub(crate) fn nanobot_row(message: &Message, time: Option<Timestamp>) -> Value {
    let mut row = openai::stored(message);
    if let (Value::Object(fields), Some(time)) = (&mut row, time) {
        fields.entry("timestamp").or_insert_with(|| time.to_string().into());
    }
    row
}

/// The messages as they would be sent, one JSON object a line.
pub fn openai(session: &Session) -> String {
    let (view, _) = session.view();
    openai_lines(view.messages.iter().map(|entry| &*entry.message))
}

/// Messages, one JSON object a line.
pub(crate) fn openai_lines<'a>(messages: impl Iterator<Item = &'a Message>) -> String {
    let mut lines = String::new();
    for message in messages {
        let row = serde_json::to_string(&openai::Row(message)).unwrap_or_default();
        let _ = writeln!(lines, "{row}");
    }
    lines
}

/// Makes sure that a copy up to an event would have a message and not bring back what was taken back: it would end
/// before the event that did that.
pub fn can_end(session: &Session, at: u64) -> Result<(), SessionError> {
    let mut back = None;
    let mut said: Vec<u64> = Vec::new();
    for record in session.events()? {
        match record.event {
            Event::Undo(undo) => {
                said.retain(|n| *n <= undo.to);
                let undone = undo.to < at && at < record.n;
                back = back.into_iter().chain(undone.then_some(undo.to)).min();
            }
            event => said.extend(event.is_message().then_some(record.n)),
        }
    }
    if let Some(last) = back {
        return Err(SessionError::TakenBack { key: session.key().to_owned(), at, last });
    }
    is_among(session.key(), at, said, session.last())
}

/// Whether a copy up to a number has one of these messages, and the number is one of all.
pub(crate) fn is_among(
    key: &str,
    at: u64,
    messages: impl IntoIterator<Item = u64>,
    end: u64,
) -> Result<(), SessionError> {
    let mut messages = messages.into_iter();
    let all = messages.next().map(|first| [first, messages.last().unwrap_or(first)]);
    match all.is_some_and(|[first, _]| (first..=end).contains(&at)) {
        true => Ok(()),
        false => Err(SessionError::NoMessage { key: key.to_owned(), at, all }),
    }
}

/// Copies a session's events into one that has no message yet, up to an event at which it [`can_end`]. Says how many
/// messages it has.
pub fn fork(from: &Session, to: &mut Session, at: Option<u64>) -> Result<u64, SessionError> {
    at.map_or(Ok(()), |at| can_end(from, at))?;
    if to.messages() > 0 {
        return Err(SessionError::Taken { key: to.key().to_owned() });
    }
    let blobs = from.folder().join("blobs");
    let target = to.folder().join("blobs");
    if let Ok(entries) = fs::read_dir(&blobs) {
        let failed = |error| SessionError::disk(&target, "it could not be copied")(error);
        fs::create_dir_all(&target).map_err(failed)?;
        for entry in entries.flatten() {
            fs::copy(entry.path(), target.join(entry.file_name())).map_err(failed)?;
        }
    }
    let mut numbers = BTreeMap::new();
    for record in from.events()?.take_while(|record| at.is_none_or(|at| record.n <= at)) {
        let mut event = record.event;
        if let Event::Session(opened) = &mut event {
            opened.key = to.key().to_owned();
            opened.meta.insert("forked_from".to_owned(), json!(from.key()));
        }
        renumber(&mut event, &numbers);
        let n = to.append_at(record.time, &[event], Durability::Process)?;
        numbers.insert(record.n, n);
    }
    let workspace = from.folder().ancestors().nth(3).unwrap_or(from.folder());
    forgotten::copy(workspace, from.key(), to.key(), &numbers).map_err(|error| {
        let what = "what was forgotten could not be noted for it";
        SessionError::disk(to.folder(), what)(io::Error::other(error.to_string()))
    })?;
    forks::note(workspace, from.key(), to.key(), &numbers)
        .map_err(SessionError::disk(to.folder(), "that it is a fork could not be noted"))?;
    let mut note = Map::new();
    note.insert("from".to_owned(), json!(from.key()));
    let forked = Event::Unknown(Unknown { kind: "forked".to_owned(), fields: note });
    to.append(&forked, Durability::Disk)?;
    Ok(to.messages())
}

/// Events refer to others by their numbers, which are new in a copy. One that refers to a line that
/// could not be read refers to the one before it.
fn renumber(event: &mut Event, numbers: &BTreeMap<u64, u64>) {
    let new = |old: u64| numbers.range(..=old).next_back().map_or(0, |(_, new)| *new);
    match event {
        Event::Sent(sent) => sent.said.iter_mut().for_each(|n| *n = new(*n)),
        Event::Reduced(reduced) => reduced.id = new(reduced.id),
        Event::Summary(summary) => summary.stands_for = summary.stands_for.map(new),
        Event::Undo(undo) => undo.to = new(undo.to),
        Event::Cursor(cursor) => cursor.to = new(cursor.to),
        _ => {}
    }
}
