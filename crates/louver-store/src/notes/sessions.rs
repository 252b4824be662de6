//! Notes of sessions: what was said and answered, each message one note.

use std::borrow::Cow;
use std::io;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use louver_context::Trust;

use super::{COMPANY, Held, Note, PERSON, Places, Source, SourceKind, Voice, When};
use crate::problem::Problem;
use crate::session::event::Event;
use crate::session::{self, LogFile, Record, without_reminder, without_runtime};

/// A message of more bytes than this is not taken whole, as a file is not.
const LONGEST: usize = 16 * 1024 * 1024;

/// All sessions, each stamped by how much there is of it.
pub(super) fn all(places: &Places) -> io::Result<Vec<Source>> {
    let sessions = session::logs(places.folder.path())?;
    let source = |log: LogFile| Source {
        scope: if places.owner.is_owners(&log.key) { String::new() } else { log.key.clone() },
        stamp: log.bytes.to_string(),
        kind: SourceKind::Session(log.name),
        name: log.key,
    };
    Ok(sessions.into_iter().map(source).collect())
}

/// The notes of a session from where it was read to before.
pub(super) fn read(
    places: &Places,
    source: &Source,
    name: &str,
    before: Option<&str>,
) -> Result<Held, Problem> {
    let end: u64 = source.stamp.parse().unwrap_or(u64::MAX);
    // A log that ended in the middle of a line then has lost it since, or got the rest.
    let begins = |at: &u64| *at <= end && session::line_begins(places.folder.path(), name, *at);
    let from: u64 = before.and_then(|before| before.parse().ok()).filter(begins).unwrap_or(0);
    let records = |from: u64| {
        let found = session::records(places.folder.path(), name, from, end);
        found.map_err(|error| Problem::error(&source.name, error.to_string()))
    };
    let mut new = records(from)?;
    let goes_back = |record: &Record| match &record.event {
        Event::Undo(_) => true,
        Event::Sent(sent) => sent.is_refusal(),
        _ => false,
    };
    let more = from > 0 && !new.iter().any(goes_back);
    if from > 0 && !more {
        // What is taken back is no longer a note, and may have been one.
        new = records(0)?;
    }
    let is_owners = places.owner.is_owners(&source.name);
    Ok(Held { notes: notes(&source.name, is_owners, new), more })
}

/// The notes of events, without what was taken back or could not be sent.
fn notes(key: &str, is_owners: bool, records: Vec<Record>) -> Vec<Note> {
    let (mut notes, zone): (Vec<(u64, Note)>, _) = (Vec::new(), TimeZone::system());
    for record in records {
        match &record.event {
            Event::Undo(undo) => notes.retain(|(n, _)| *n <= undo.to),
            Event::Sent(sent) if sent.is_refusal() => {
                notes.retain(|(n, _)| !sent.said.contains(n));
            }
            _ => {}
        }
        let n = record.n;
        notes.extend(note(key, is_owners, record, &zone).map(|note| (n, note)));
    }
    notes.into_iter().map(|(_, note)| note).collect()
}

/// The note of an event, if it is one.
fn note(key: &str, is_owners: bool, record: Record, zone: &TimeZone) -> Option<Note> {
    let (text, who, voice, trust) = match record.event {
        // A subagent's report is in its own session, and so is what it was asked to do.
        Event::Said(said) if said.extra.contains_key("cause") => return None,
        // In a session of the owner's it may be anybody's words, and is nothing that the owner said.
        Event::Said(said) if is_owners && said.is_in_company() => {
            (said.text, COMPANY, Voice::Document, Trust::ThirdParty)
        }
        Event::Said(said) if said.message.is_none() => {
            (said.text, PERSON, Voice::Person, Trust::Owner)
        }
        Event::Said(said) => {
            let text = said.message.as_ref()?.text()?;
            (text, PERSON, Voice::Person, Trust::Owner)
        }
        Event::Reply(reply) => (reply.message.text()?, "agent", Voice::Agent, Trust::Agent),
        _ => return None,
    };
    let text = match voice {
        Voice::Person => without_runtime(&without_reminder(&text)).into_owned().into(),
        _ => Cow::Borrowed(text.as_str()),
    };
    let text = text.trim();
    let text = &text[..text.floor_char_boundary(LONGEST)];
    (!text.is_empty()).then(|| Note {
        place: format!("{key}#{}", record.n),
        text: text.to_owned(),
        who: who.to_owned(),
        voice,
        time: (record.time != Timestamp::UNIX_EPOCH).then(|| When::at(record.time, zone)),
        trust,
    })
}
