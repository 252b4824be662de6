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

mod close;
mod due;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use louver_context::consolidate::{self, Answer, Ended, Request, SAVE_MEMORY, Seen};
use louver_context::{Message, Place, Prompt, Role};
use louver_store::TurnError;
use louver_store::memory::{Change, Making, Memory, MemoryError};
use louver_store::session::event::{Event, Usage};
use louver_store::session::{Durability, Session, SessionError};

use self::close::{Made, close};
use self::due::{Due, Found, find, is_due};
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
    agent.paid(&paid);
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
