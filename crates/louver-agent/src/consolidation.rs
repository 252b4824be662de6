//! Makes memory of old messages: asks a model once, and lets the store carry out what it answers.
//!
//! What is due and what an answer is worth is decided in `louver_context::consolidate`; that nothing is
//! done twice or lost on the way is the store's part. On any error nothing changes, and the next turn
//! tries again.
//!
//! In company the owner's memory is neither shown to the model nor written: what it makes of old messages is
//! a summary of that conversation and nothing else.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use louver_context::consolidate::{self, Ended, Limits, Past, Request, SAVE_MEMORY, Seen};
use louver_context::{Message, Place, Prompt, Role, Tokens};
use louver_store::memory::{Change, Current, Memory, MemoryError, Outcome};
use louver_store::session::event::{Cursor, Event, Note, Summary, Usage};
use louver_store::session::{Durability, SessionError};
use louver_store::{Conversation, TurnError};

use crate::agent::{Agent, Brain, Cause, cost};
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
    /// How many left the view.
    pub messages: usize,
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
        format!("memory was made of {messages} older message{s}, which left the view; {memory}")
    }
}

/// What is asked about: which messages, and which state of memory the model is shown.
struct Due {
    past: Vec<Past>,
    request: Request,
    base: u64,
}

/// Makes memory of a session's messages.
pub(crate) async fn consolidate(
    agent: &Arc<Agent>,
    session: &str,
    others: bool,
    how: How,
) -> Result<Option<Memorised>, NotMemorised> {
    let brain = agent.habits.memory_brain.clone().map_or_else(|| agent.brain(), Arc::new);
    let memory = match others {
        true => None,
        false => Some(Memory::open(&agent.path)?.0),
    };
    let found = find(agent, &brain, memory.as_ref(), session, how).await?;
    let due = match found {
        Found::Nothing => return Ok(None),
        // A crash came between the memory and the session's word about it.
        Found::Done(past, outcome) => {
            return Ok(Some(close(agent, session, how, &past, outcome.into(), None).await?));
        }
        Found::Due(due) => due,
    };
    // The session is free meanwhile: a person does not wait for memory.
    let reply = ask(agent, &brain, session, &due.request).await?;
    let ended = if reply.finish == Finish::Length { Ended::CutOff } else { Ended::Whole };
    let answer = consolidate::read_reply(&reply.message, ended, &due.request.taken.newest)?;
    let taken = &due.request.taken;
    let made = match &memory {
        Some(memory) => memory.carry_out(session, taken, due.base, &answer)?.into(),
        None => Made {
            cursor: taken.messages.last().map_or(0, |seen| seen.id),
            entry: answer.history_entry,
            change: None,
        },
    };
    let paid = paid(&brain, &reply);
    Ok(Some(close(agent, session, how, &due.past, made, Some(paid)).await?))
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

enum Found {
    Nothing,
    Done(Vec<Past>, Outcome),
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
    let window = agent.habits.memory_window;
    let found = agent.with_session(session, |conversation, builder| {
        let past = past(conversation);
        let counter = builder.recipe().counter;
        let cost = |past: &Past| past.message.texts().map(|text| counter.count(text)).sum();
        let costs: Vec<Tokens> = past.iter().map(cost).collect();
        let limits = match how {
            How::WhenDue => Limits { window, budget: Tokens(brain.model.budget().0 / 2) },
            How::Now | How::All => Limits { window: 1, budget: Tokens(1) },
        };
        let take = match how {
            How::All => past.len(),
            _ => consolidate::due(&past, &costs, limits).map_or(0, |plan| plan.take.end),
        };
        if take == 0 {
            return Ok(Found::Nothing);
        }
        let past = with_times(conversation, past.into_iter().take(take).collect())?;
        let seen: Vec<Seen> =
            past.iter().map(|past| Seen { id: past.id, time: past.time.clone() }).collect();
        if let Some(memory) = memory
            && let Some(outcome) = memory.carried_out(session, &seen)?
        {
            return Ok(Found::Done(past, outcome));
        }
        let nothing = || Ok(Current { version: 0, text: String::new() });
        let current = memory.map_or_else(nothing, Memory::read)?;
        let now = minute(&Zoned::now());
        let room = brain.model.budget();
        let request = consolidate::request(&past, &current.text, &now, room, counter)?;
        Ok::<Found, NotMemorised>(Found::Due(Box::new(Due {
            past,
            request,
            base: current.version,
        })))
    });
    found.await?
}

/// The messages in view of which no memory was made.
fn past(conversation: &mut Conversation) -> Vec<Past> {
    let (view, _) = conversation.session().view();
    let fresh = view.messages.iter().filter(|entry| entry.id > view.cursor);
    let past =
        fresh.map(|entry| Past { id: entry.id, time: "".into(), message: entry.message.clone() });
    past.collect()
}

/// The same with their times, which are in the log alone.
fn with_times(
    conversation: &mut Conversation,
    mut past: Vec<Past>,
) -> Result<Vec<Past>, SessionError> {
    let first = past.first().map_or(0, |past| past.id);
    let since = conversation.session().events()?.filter(|record| record.n >= first);
    let times: HashMap<u64, Timestamp> = since.map(|record| (record.n, record.time)).collect();
    let zone = TimeZone::system();
    for past in &mut past {
        if let Some(time) = times.get(&past.id) {
            past.time = minute(&time.to_zoned(zone.clone())).into();
        }
    }
    Ok(past)
}

fn minute(moment: &Zoned) -> String {
    moment.strftime("%Y-%m-%d %H:%M").to_string()
}

async fn ask(
    agent: &Agent,
    brain: &Brain,
    session: &str,
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
    let ask = Ask {
        stream: false,
        session: &session,
        must_call: Some(SAVE_MEMORY),
        ..Ask::new(&brain.name, &prompt, brain.model.reply.0)
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
        cost: cost(&brain.model, &usage),
        ..Usage::default()
    }
}

/// Says in the session what memory was made of, and takes that out of the view.
async fn close(
    agent: &Arc<Agent>,
    session: &str,
    how: How,
    past: &[Past],
    made: Made,
    paid: Option<Usage>,
) -> Result<Memorised, NotMemorised> {
    let gone: Vec<u64> = past.iter().map(|past| past.id).filter(|id| *id <= made.cursor).collect();
    let memorised = Memorised {
        messages: gone.len(),
        entry: made.entry.clone(),
        change: made.change,
        cost: paid.as_ref().and_then(|paid| paid.cost),
    };
    let mut events = Vec::new();
    if let (Some(first), Some(last)) = (gone.first(), gone.last()) {
        let (text, stands_for) = match how {
            // A session that begins anew does not begin with the old one, or what stood for it.
            How::All => (String::new(), [1, *last]),
            _ => (made.entry, [*first, *last]),
        };
        events.push(Event::Summary(Summary { text, stands_for, ..Summary::default() }));
        events.push(Event::Cursor(Cursor { to: *last, ..Cursor::default() }));
    }
    events.push(Event::Note(Note { text: memorised.told(), ..Note::default() }));
    events.extend(paid.map(Event::Usage));
    let written = agent.with_session(session, |conversation, _| {
        conversation.session().append_all(&events, Durability::Disk)
    });
    written.await??;
    Ok(memorised)
}
