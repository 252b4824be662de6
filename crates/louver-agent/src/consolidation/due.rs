//! Which old messages memory is to be made of, and what a model is asked about them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use louver_context::consolidate::{self, Limits, Past, Request, Seen};
use louver_context::{Counter, Message, Tokens};
use louver_store::memory::{Memory, Outcome, Shown, Waiting, waiting};
use louver_store::session::{Session, SessionError, Spoken, View};

use super::{How, NotMemorised, asked};
use crate::agent::{Agent, Brain};

/// What a look at a session found.
pub(super) enum Found {
    Nothing,
    /// Memory has it already; the session does not say so yet.
    Done(Part, Outcome),
    Due(Box<Due>),
}

/// What is asked about: which messages, and which state of memory the model is shown.
pub(super) struct Due {
    pub(super) part: Part,
    pub(super) request: Request,
    pub(super) shown: Shown,
}

/// What memory is made of at once.
pub(super) struct Part {
    pub(super) how: How,
    pub(super) past: Vec<Past>,
    /// The ids of all messages of which no memory was made, these included, and whether each is in view.
    pub(super) all: Vec<(u64, bool)>,
    /// The newest message in view.
    pub(super) newest: u64,
}

/// So many messages are looked at for one request; more hardly fit into any.
const AT_ONCE: usize = 1_000;

/// Whether there is something to do in a session, as far as its view tells.
pub(super) async fn is_due(
    agent: &Arc<Agent>,
    brain: &Brain,
    session: &str,
    others: bool,
    how: How,
) -> Result<bool, SessionError> {
    let limits = limits(agent, brain, how);
    let waits = how == How::WhenDue && waits(agent, brain, session);
    let room = agent.brain().model.budget();
    let looked = agent.with_session(session, |conversation, builder| {
        let (view, _) = conversation.session().view();
        if waits && !is_full(&view, room, builder.recipe().counter) {
            return false;
        }
        // What has left the view may wait for memory still; only the log tells.
        let left = view.summaries.iter().any(|summary| summary.stands_for[1] > view.cursor);
        let counter = builder.recipe().counter;
        (left && !others) || due(how, &in_view(&view), &view, limits, counter) > 0
    });
    looked.await
}

/// Whether it failed so lately that it is not tried again yet.
fn waits(agent: &Agent, brain: &Brain, session: &str) -> bool {
    let (asked, now) = (asked(brain), Timestamp::now());
    let of_session = |waiting: &&Waiting| waiting.session == session;
    waiting(&agent.path).iter().filter(of_session).any(|waiting| waiting.holds(&asked, now))
}

/// Whether messages are about to leave the view for want of room. Then it is worth another try: what leaves
/// without memory is unknown to the model until there is some.
fn is_full(view: &View, room: Tokens, counter: &Counter) -> bool {
    let sent: Tokens = view.messages.iter().map(|entry| cost(counter, &entry.message)).sum();
    sent.0 >= room.0 / 4 * 3
}

/// When there are too many messages.
fn limits(agent: &Agent, brain: &Brain, how: How) -> Limits {
    match how {
        How::WhenDue => Limits {
            window: agent.habits.memory_window,
            budget: Tokens(brain.model.budget().0 / 2),
        },
        How::Now | How::All => Limits { window: 1, budget: Tokens(1) },
    }
}

/// What there is to do in a session.
pub(super) async fn find(
    agent: &Arc<Agent>,
    brain: &Brain,
    memory: Option<&Memory>,
    session: &str,
    how: How,
) -> Result<Found, NotMemorised> {
    let limits = limits(agent, brain, how);
    let found = agent.with_session(session, |conversation, builder| {
        let counter = builder.recipe().counter;
        let log = conversation.session();
        let (view, _) = log.view();
        let seen: HashSet<u64> = in_view(&view).iter().map(|past| past.id).collect();
        let mut past = past(log, &view, |spoken| match memory {
            // What was said in company is no memory of the owner's.
            Some(_) => !spoken.others,
            // What has left the view was summed up, or is no longer wanted.
            None => seen.contains(&spoken.id),
        })?;
        let all = past.iter().map(|past| (past.id, seen.contains(&past.id))).collect();
        let more = past.len() > AT_ONCE;
        past.truncate(AT_ONCE);
        let take = due(how, &past, &view, limits, counter);
        // A single exchange of so many goes in pieces.
        past.truncate(if more && take == 0 { AT_ONCE } else { take });
        if past.is_empty() {
            return Ok(Found::Nothing);
        }
        let newest = view.messages.last().map_or(0, |entry| entry.id);
        let part = Part { how, past, all, newest };
        let seen = part.past.iter().map(|past| Seen { id: past.id, time: past.time.clone() });
        let seen: Vec<Seen> = seen.collect();
        if let Some(memory) = memory
            && let Some(outcome) = memory.carried_out(session, &seen)?
        {
            return Ok(Found::Done(part, outcome));
        }
        let shown = memory.map_or_else(|| Ok(Shown::default()), Memory::shown)?;
        let now = minute(&Zoned::now());
        let room = brain.model.budget();
        let mut take = part.past.len();
        let request = loop {
            let past = &part.past[..take];
            match consolidate::request(past, &shown.text, &now, room, counter) {
                // So does one that is too large even when it is shortened: all later ones would wait for it.
                Err(consolidate::NoRequest::Messages { .. }) if take > 1 => take /= 2,
                request => break request?,
            }
        };
        Ok::<Found, NotMemorised>(Found::Due(Box::new(Due { part, request, shown })))
    });
    found.await?
}

/// The messages in view of which no memory was made, as they were sent.
fn in_view(view: &View) -> Vec<Past> {
    let fresh = view.messages.iter().filter(|entry| entry.id > view.cursor);
    let past =
        fresh.map(|entry| Past { id: entry.id, time: "".into(), message: entry.message.clone() });
    past.collect()
}

/// The messages of which no memory was made, as they were said.
fn past(
    session: &Session,
    view: &View,
    counts: impl Fn(&Spoken) -> bool,
) -> Result<Vec<Past>, SessionError> {
    let zone = TimeZone::system();
    // What was forgotten becomes no memory, nor does what stands for it.
    let is_forgotten = session.is_forgotten();
    let spoken = session.spoken(view.cursor)?.into_iter().filter(counts);
    let spoken = spoken.filter(|spoken| !is_forgotten(spoken.n));
    let past = spoken.map(|spoken| Past {
        id: spoken.id,
        time: minute(&spoken.time.to_zoned(zone.clone())).into(),
        message: Arc::new(spoken.message),
    });
    Ok(past.collect())
}

/// How many of these messages memory is to be made of.
fn due(how: How, past: &[Past], view: &View, limits: Limits, counter: &Counter) -> usize {
    if how == How::All {
        return past.len();
    }
    // What is in view costs what is sent of it, with what came along and without what was shortened.
    let mut sent: HashMap<u64, Tokens> = HashMap::new();
    for entry in &view.messages {
        *sent.entry(entry.id).or_default() += cost(counter, &entry.message);
    }
    let mut each =
        |past: &Past| sent.remove(&past.id).unwrap_or_else(|| cost(counter, &past.message));
    let costs: Vec<Tokens> = past.iter().map(&mut each).collect();
    consolidate::due(past, &costs, limits).map_or(0, |plan| plan.take.end)
}

pub(super) fn cost(counter: &Counter, message: &Message) -> Tokens {
    message.texts().map(|text| counter.count(text)).sum()
}

fn minute(moment: &Zoned) -> String {
    moment.strftime("%Y-%m-%d %H:%M").to_string()
}
