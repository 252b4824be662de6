//! Makes memory of old messages: asks a model once, and lets the store carry out what it answers.
//!
//! What is due and what an answer is worth is decided in `louver_context::consolidate`; that nothing is
//! done twice or lost on the way is the store's part. On any error nothing changes, and a later turn
//! tries again, from the oldest message of which no memory was made: also when that has left the view
//! meanwhile. What does not fit into one request waits for the next.
//!
//! It is made of what was said, not of what was sent: reminders and changed files that came with a message
//! are no words of the person.
//!
//! One makes memory at a time in a workspace. Whoever asks for it meanwhile waits and sees what was done;
//! where it is merely due, the next turn comes back to it.
//!
//! Nobody waits for it in vain: memory that is merely due is asked for with one request, and when that fails, turns go on
//! without it for a while (`louver_store::memory::Waiting`).
//!
//! In company the owner's memory is neither shown to the model nor written: what it makes of old messages is
//! a summary of that conversation and nothing else.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use louver_context::consolidate::{self, Answer, Ended, Limits, Past, Request, SAVE_MEMORY, Seen};
use louver_context::history::mark;
use louver_context::{Counter, Message, Place, Prompt, Role, Tokens};
use louver_store::TurnError;
use louver_store::memory::{Change, Making, Memory, MemoryError, Outcome, Shown, waiting};
use louver_store::session::event::{Cursor, Event, Note, Summary, Untold, Usage};
use louver_store::session::{Durability, Entry, Session, SessionError, Spoken, View};

use crate::agent::{self, Agent, Brain, Cause};
use crate::provider::{Ask, AskError};
use crate::reply::{Finish, Reply};

/// When memory is made, and of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Of the older messages, when there are too many.
    WhenDue,
    /// Of all but the last exchange.
    Now,
    /// Of everything, and the session begins anew.
    All,
}

/// What became of old messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Memorised {
    /// How many are no longer in the view.
    pub messages: usize,
    /// How many more have left the view of which no memory was made yet. They wait for the next time.
    pub waiting: usize,
    /// The entry in HISTORY.md, or in company what is in its place in the session alone.
    pub entry: String,
    /// What became of the long-term memory; nothing in company.
    pub change: Option<Change>,
    /// What it cost in dollars, when the price is known.
    pub cost: Option<f64>,
}

/// No memory was made. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum NotMemorised {
    /// The session could not be read or written.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// What was begun could not be built.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The memory could not be read or written.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// There is nothing to ask about, or the memory alone is too large to ask.
    #[error(transparent)]
    Request(#[from] consolidate::NoRequest),
    /// The model could not be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// What it was made of no longer stands.
    #[error("messages that it was made of were taken back meanwhile")]
    TakenBack,
    /// The model's answer is no use.
    #[error(transparent)]
    Answer(#[from] consolidate::BadAnswer),
}

impl Memorised {
    /// One line for the person.
    pub fn told(&self) -> String {
        let s = if self.messages == 1 { "" } else { "s" };
        let Some(change) = &self.change else {
            let messages = self.messages;
            return format!("{messages} older message{s} left the view, summed up");
        };
        let memory = match change {
            Change::Version(version) => format!("MEMORY.md is version {version} now"),
            Change::Proposed(number) => format!(
                "a change to MEMORY.md waits for you as proposal {number}: `louver memory proposals`"
            ),
            Change::Same => "MEMORY.md stays as it was".to_owned(),
        };
        let messages = self.messages;
        let waiting = match self.waiting {
            0 => String::new(),
            waiting => format!(
                "; {waiting} more wait: each turn takes some, and so does each `/compact` in a chat"
            ),
        };
        format!(
            "memory was made of {messages} older message{s}, which left the view; {memory}{waiting}"
        )
    }
}

/// What is asked about: which messages, and which state of memory the model is shown.
struct Due {
    part: Part,
    request: Request,
    shown: Shown,
}

/// What memory is made of at once.
struct Part {
    how: How,
    past: Vec<Past>,
    /// The ids of all messages of which no memory was made, these included, and whether each is in view.
    all: Vec<(u64, bool)>,
    /// The newest message in view.
    newest: u64,
}

/// So many messages are looked at for one request; more hardly fit into any.
const AT_ONCE: usize = 1_000;

/// Makes memory of a session's messages.
pub(crate) async fn consolidate(
    agent: &Arc<Agent>,
    session: &str,
    others: bool,
    how: How,
) -> Result<Option<Memorised>, NotMemorised> {
    let brain = agent.habits.memory_brain.clone().map_or_else(|| agent.brain(), Arc::new);
    if !is_due(agent, &brain, session, others, how).await? {
        return Ok(None);
    }
    let Some(making) = my_turn(agent, how).await? else { return Ok(None) };
    let memory = match others {
        true => None,
        false => Some(Memory::open(&agent.path)?.0),
    };
    let found = find(agent, &brain, memory.as_ref(), session, how).await?;
    let due = match found {
        Found::Nothing => return Ok(None),
        // A crash came between the memory and the session's word about it.
        Found::Done(part, outcome) => {
            let closed = agent.with_session(session, |conversation, builder| {
                let counter = builder.recipe().counter;
                close(agent, session, &part, outcome.into(), None, conversation.session(), counter)
            });
            let closed = closed.await??;
            drop(making.done(session));
            return Ok(Some(closed));
        }
        Found::Due(due) => due,
    };
    making.tries(session, &asked(&brain))?;
    let made = make(agent, &brain, memory.as_ref(), session, &due).await;
    let noted = match &made {
        // Nothing is wrong with the model: what still stands may be asked about at once.
        Ok(_) | Err(NotMemorised::TakenBack) => making.done(session),
        Err(error) => making.failed(session, &error.to_string()),
    };
    // Should that not be written, memory waits a minute for nothing, or the reason is not told.
    drop(noted);
    made.map(Some)
}

/// Who is asked, as failures are kept of it.
fn asked(brain: &Brain) -> String {
    format!("{} at {}", brain.model.name, brain.endpoint.place())
}

/// Asks the model and carries out what it answers.
async fn make(
    agent: &Arc<Agent>,
    brain: &Brain,
    memory: Option<&Memory>,
    session: &str,
    due: &Due,
) -> Result<Memorised, NotMemorised> {
    // The session is free meanwhile: a person does not wait for memory.
    let reply = ask(agent, brain, session, due.part.how, &due.request).await?;
    let ended = if reply.finish == Finish::Length { Ended::CutOff } else { Ended::Whole };
    let taken = &due.request.taken;
    let paid = paid(brain, &reply);
    let answer = match consolidate::read_reply(&reply.message, ended, &taken.newest) {
        Ok(answer) => Answer {
            memory_update: answer.memory_update.map(|update| due.shown.put_back(&update)),
            ..answer
        },
        Err(bad) => {
            // It is no use, and paid for all the same.
            let used = agent.with_session(session, |conversation, _| {
                conversation.session().append(&Event::Usage(paid), Durability::Disk)
            });
            used.await??;
            return Err(bad.into());
        }
    };
    // The session is held from the look to the last word, so that nothing is taken back in between.
    let carried_out = agent.with_session(session, |conversation, builder| {
        let log = conversation.session();
        if !stand(log, &taken.messages)? {
            log.append(&Event::Usage(paid), Durability::Disk)?;
            return Err(NotMemorised::TakenBack);
        }
        let made = match memory {
            Some(memory) => memory.carry_out(session, taken, due.shown.version, &answer)?.into(),
            None => Made {
                cursor: taken.messages.last().map_or(0, |seen| seen.id),
                entry: answer.history_entry.clone(),
                change: None,
            },
        };
        let counter = builder.recipe().counter;
        Ok(close(agent, session, &due.part, made, Some(paid), log, counter)?)
    });
    carried_out.await?
}

/// Whether all these messages are still in the conversation. The person may have taken some back while the model
/// was asked about them.
fn stand(log: &Session, messages: &[Seen]) -> Result<bool, SessionError> {
    let said: HashSet<u64> =
        log.spoken(log.view().0.cursor)?.iter().map(|spoken| spoken.id).collect();
    Ok(messages.iter().all(|seen| said.contains(&seen.id)))
}

/// What was made of messages, up to which of them, and what became of memory if it was touched.
struct Made {
    cursor: u64,
    entry: String,
    change: Option<Change>,
}

impl From<Outcome> for Made {
    fn from(Outcome { cursor, entry, change }: Outcome) -> Made {
        Made { cursor, entry, change: Some(change) }
    }
}

/// How often one who waits for another's memory looks whether it is made.
const LOOK: Duration = Duration::from_millis(50);

/// The right to make memory, when it is free or worth waiting for.
async fn my_turn(agent: &Agent, how: How) -> Result<Option<Making>, MemoryError> {
    loop {
        match (Making::begin(&agent.path)?, how) {
            (Some(making), _) => return Ok(Some(making)),
            (None, How::WhenDue) => return Ok(None),
            (None, How::Now | How::All) => tokio::time::sleep(LOOK).await,
        }
    }
}

/// Whether there is something to do in a session, as far as its view tells.
async fn is_due(
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
    let of_session = |waiting: &&louver_store::memory::Waiting| waiting.session == session;
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

enum Found {
    Nothing,
    Done(Part, Outcome),
    Due(Box<Due>),
}

/// What there is to do in a session.
async fn find(
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

fn cost(counter: &Counter, message: &Message) -> Tokens {
    message.texts().map(|text| counter.count(text)).sum()
}

fn minute(moment: &Zoned) -> String {
    moment.strftime("%Y-%m-%d %H:%M").to_string()
}

async fn ask(
    agent: &Agent,
    brain: &Brain,
    session: &str,
    how: How,
    request: &Request,
) -> Result<Reply, AskError> {
    let prompt = Prompt {
        tools: [request.tool.clone()].into(),
        system: request.system.into(),
        // Anthropic is sent the system text place by place.
        places: vec![(Place::Always, request.system.len())],
        messages: vec![Arc::new(Message::text(Role::User, request.user.as_str()))],
        history: 0,
    };
    let session = format!("{session}/memory");
    let usual = Ask::new(&brain.name, &prompt, brain.model.reply.0);
    let ask = Ask {
        stream: false,
        session: &session,
        must_call: Some(SAVE_MEMORY),
        // A person who said so waits for it; who only asked something else does not.
        tries: if how == How::WhenDue { 1 } else { usual.tries },
        ..usual
    };
    agent.sender.ask(&brain.endpoint, &ask, &mut |_| {}).await
}

fn paid(brain: &Brain, reply: &Reply) -> Usage {
    let usage = reply.usage.unwrap_or_default();
    Usage {
        model: brain.model.name.to_string(),
        cause: Cause::Consolidation.name().to_owned(),
        input: usage.input,
        cached: usage.cached,
        output: usage.output,
        cost: agent::cost(&brain.model, &usage),
        ..Usage::default()
    }
}

/// Says in the session what memory was made of, and takes that out of the view.
fn close(
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
