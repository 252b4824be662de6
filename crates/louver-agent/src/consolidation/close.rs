//! What a session says once memory was made, and what it no longer shows.

use std::collections::HashSet;
use std::sync::Arc;

use louver_context::history::mark;
use louver_context::{Counter, Tokens};
use louver_store::memory::{Change, Outcome};
use louver_store::session::event::{Cursor, Event, Note, Summary, Untold, Usage};
use louver_store::session::{Durability, Entry, Session, SessionError};

use super::due::{Part, cost};
use super::{How, Memorised};
use crate::agent::Agent;

/// What was made of messages, up to which of them, and what became of memory if it was touched.
pub(super) struct Made {
    pub(super) cursor: u64,
    pub(super) entry: String,
    pub(super) change: Option<Change>,
}

impl From<Outcome> for Made {
    fn from(Outcome { cursor, entry, change }: Outcome) -> Made {
        Made { cursor, entry, change: Some(change) }
    }
}

/// Says in the session what memory was made of, and takes that out of the view.
pub(super) fn close(
    agent: &Agent,
    session: &str,
    part: &Part,
    made: Made,
    paid: Option<Usage>,
    log: &mut Session,
    counter: &Counter,
) -> Result<Memorised, SessionError> {
    let cursor = made.cursor;
    let leaves = |in_view: bool| part.how == How::All || !in_view;
    let waits = |(id, in_view): &&(u64, bool)| *id > cursor && leaves(*in_view);
    let memorised = Memorised {
        messages: part.past.iter().filter(|past| past.id <= cursor).count(),
        waiting: part.all.iter().filter(waits).count(),
        entry: made.entry.clone(),
        change: made.change,
        cost: paid.as_ref().and_then(|paid| paid.cost),
    };
    let mut events = summary(part, made, log, counter)?;
    // What is said of the owner in company waits until they are alone, and memory can be made of it.
    if memorised.change.is_some() || !agent.habits.owner.is_owners(session) {
        events.push(Event::Cursor(Cursor { to: cursor, ..Cursor::default() }));
    }
    events.push(Event::Note(Note { text: memorised.told(), ..Note::default() }));
    events.extend(paid.map(Event::Usage));
    log.append_all(&events, Durability::Disk)?;
    Ok(memorised)
}

/// What stands for the messages from now on. Where they have left the view and another summary stands for
/// them, that stays: a new text would end the epoch for nothing.
fn summary(
    part: &Part,
    made: Made,
    log: &Session,
    counter: &Counter,
) -> Result<Vec<Event>, SessionError> {
    let Some(first) = part.past.first().map(|past| past.id) else { return Ok(Vec::new()) };
    let (view, _) = log.view();
    // What stands before them in the view leaves it too: no memory is made of it any more.
    let oldest = view.messages.first().map_or(first, |entry| entry.id.min(first));
    let [first, last] = match part.how {
        How::All => [1, part.newest],
        _ => [oldest, made.cursor],
    };
    // A mark tells nothing of what it stands for, so the text takes its place.
    let met = |old: &&Arc<Summary>| old.stands_for[0] <= last && old.stands_for[1] >= first;
    let marks: Vec<&Arc<Summary>> =
        view.summaries.iter().filter(met).filter(|old| old.untold.is_some()).collect();
    let first = marks.iter().map(|mark| mark.stands_for[0]).fold(first, u64::min);
    let covers = |id: u64| (first..=last).contains(&id);
    let gone: Vec<&Entry> = view.messages.iter().filter(|entry| covers(entry.id)).collect();
    // What was said in company goes with what stands around it, and no memory was made of it.
    let known: HashSet<u64> = part.past.iter().map(|past| past.id).collect();
    let unknown = gone.iter().filter(|entry| !known.contains(&entry.id));
    let costs: Vec<Tokens> = unknown.map(|entry| cost(counter, &entry.message)).collect();
    let text = match part.how {
        // A session that begins anew does not begin with the old one, or what stood for it.
        How::All => String::new(),
        _ if costs.is_empty() => made.entry,
        _ => format!("{}\n\n{}", made.entry, mark(costs.len(), costs.into_iter().sum(), None)),
    };
    let covered = |old: &Arc<Summary>| old.stands_for.into_iter().all(covers);
    if gone.is_empty() && marks.is_empty() && !view.summaries.iter().any(covered) {
        return Ok(Vec::new());
    }
    let stands_for = [first, last];
    let mut events = vec![Event::Summary(Summary { text, stands_for, ..Summary::default() })];
    if let Some(cut) = marks.into_iter().find(|mark| mark.stands_for[1] > last) {
        events.extend(rest_of(cut, last, log, counter)?);
    }
    Ok(events)
}

/// The mark for what comes after the messages that are told of now.
fn rest_of(
    mark: &Summary,
    last: u64,
    log: &Session,
    counter: &Counter,
) -> Result<Option<Event>, SessionError> {
    let to = mark.stands_for[1];
    let spoken = log.spoken(last)?;
    let rest: Vec<_> = spoken.iter().filter(|spoken| spoken.id > last && spoken.id <= to).collect();
    let Some(first) = rest.first() else { return Ok(None) };
    let tokens: Tokens = rest.iter().map(|spoken| cost(counter, &spoken.message)).sum();
    let rounds = mark.untold.and_then(|untold| untold.rounds);
    Ok(Some(Event::Summary(Summary {
        text: self::mark(rest.len(), tokens, None),
        stands_for: [first.n, to],
        untold: Some(Untold { messages: rest.len(), tokens: tokens.0, rounds }),
        ..Summary::default()
    })))
}
