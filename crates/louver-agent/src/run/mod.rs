//! Does what a turn decides: asks the model, runs the tools, writes every step down before the next.
//!
//! What is decided is in [`crate::turn`]. A crash or a stop at any point keeps every finished step, and
//! the next turn goes on from there.

mod asking;
mod calling;

use std::sync::Arc;

use jiff::Zoned;
use louver_context::epoch::Why;
use louver_context::{Context, Message, Recipe, Role, Tokens};
use louver_store::library::Just;
use louver_store::session::event::{Event, Note};
use louver_store::session::{self, Durability, SessionError};
use louver_store::{Conversation, Problem, TurnError};
use tokio::sync::mpsc;

use crate::agent::{Agent, Brain, Cause, Inbound, Stop, cost};
use crate::cut::cut;
use crate::happening::{Ears, Happening, Sending};
use crate::provider::AskError;
use crate::reply::{Reply, Usage};
use crate::tools::{Desk, Toolbox, Wish};
use crate::turn::{End, Step, Turn};

/// How a turn ended and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub text: String,
    /// How it ended.
    pub end: End,
    /// What the model's answers cost together, in tokens.
    pub usage: Usage,
    /// And in dollars, when the price is known.
    pub cost: Option<f64>,
    /// How often the model was asked.
    pub asked: u32,
    /// The last request, as counted here.
    pub last: Option<Sending>,
}

impl Outcome {
    /// That of a turn which was stopped before anything came of it.
    pub(crate) fn stopped() -> Outcome {
        Outcome {
            text: String::new(),
            end: End::Stopped,
            usage: Usage::default(),
            cost: None,
            asked: 0,
            last: None,
        }
    }
}

/// A turn could not be finished. What was finished of it is in the log.
#[derive(Debug, thiserror::Error)]
pub enum TurnFailed {
    /// The log could not be read or written, or the request does not fit.
    #[error(transparent)]
    Store(#[from] TurnError),
    /// The model could not be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
}

impl From<SessionError> for TurnFailed {
    fn from(error: SessionError) -> TurnFailed {
        TurnFailed::Store(error.into())
    }
}

/// One turn of a session, from what was said to its end.
pub(crate) async fn turn(
    agent: &Arc<Agent>,
    conversation: &mut Conversation,
    toolbox: &Toolbox,
    most: u32,
    inbound: Inbound,
    ears: &Ears,
    stop: &Stop,
) -> Result<Outcome, TurnFailed> {
    let mut said = said(&inbound, toolbox);
    let recalled = recalled(agent, conversation, &inbound, &said, ears);
    said.recalled = stop.unless(recalled).await.unwrap_or_default();
    let (brain, ready) = {
        let mut mind = agent.mind();
        let ready = conversation.begin(&mut mind.builder, &said)?;
        (mind.brain.clone(), ready)
    };
    for problem in ready.problems {
        let _ = ears.send(Happening::Problem(problem));
    }
    let (out, wishes) = mpsc::unbounded_channel();
    let desk = desk(agent, conversation, &inbound, out)?;
    let machine = Turn::new(most);
    let mut run = Run {
        agent,
        conversation,
        toolbox,
        ears,
        stop,
        brain,
        desk,
        wishes,
        machine,
        epoch: ready.epoch.number,
        context: ready.context,
        is_stale: false,
        outcome: Outcome::stopped(),
        heard: String::new(),
        said,
        inbound,
    };
    let ended = run.go().await;
    run.finish(ended)
}

/// What the store is told of a turn.
fn said(inbound: &Inbound, toolbox: &Toolbox) -> louver_store::Turn {
    louver_store::Turn {
        message: inbound.text.clone(),
        pictures: inbound.pictures.clone(),
        skills: inbound.skills.clone(),
        channel: Some(inbound.channel.clone()),
        chat: Some(inbound.chat.clone()),
        now: Some(inbound.now.clone().unwrap_or_else(Zoned::now)),
        tools: toolbox.schemas(),
        extra: inbound.extra.clone(),
        others: inbound.others,
        cause: (inbound.cause != Cause::User).then(|| inbound.cause.name().to_owned()),
        ..louver_store::Turn::default()
    }
}

/// What the turn is reminded of. A library that cannot be used costs only that.
async fn recalled(
    agent: &Agent,
    conversation: &mut Conversation,
    inbound: &Inbound,
    said: &louver_store::Turn,
    ears: &Ears,
) -> Vec<louver_context::snapshot::Note> {
    let Some(shared) = agent.habits.reminder.as_ref().filter(|_| inbound.cause == Cause::User)
    else {
        return Vec::new();
    };
    let sense = shared.sense(&inbound.text).await;
    if let Some(problem) = shared.complaint() {
        let _ = ears.send(Happening::Problem(problem));
    }
    let (view, _) = conversation.session().view();
    let just = Just {
        text: &inbound.text,
        now: said.now.as_ref(),
        session: &inbound.session,
        others: inbound.others,
        sense: sense.as_ref(),
    };
    let reminded = {
        let mind = agent.mind();
        shared.lock().remind(&just, &view.messages, &mind.builder.recipe())
    };
    // The message that is just said is not among them: it is indexed with the next turn.
    shared.embed_notes_later();
    match reminded {
        Ok(notes) => notes,
        Err(error) => {
            let problem = Problem::warning("recall", error.to_string()).hint(error.hint());
            let _ = ears.send(Happening::Problem(problem));
            Vec::new()
        }
    }
}

fn desk(
    agent: &Agent,
    conversation: &mut Conversation,
    inbound: &Inbound,
    out: mpsc::UnboundedSender<Wish>,
) -> Result<Desk, SessionError> {
    let session = conversation.session();
    let kept = if inbound.others { session.kept_in_company()? } else { session.kept() };
    Ok(Desk {
        folder: Desk::folder_for(&agent.folder, inbound.others),
        session: inbound.session.clone(),
        channel: inbound.channel.clone(),
        chat: inbound.chat.clone(),
        others: inbound.others,
        kept: Arc::new(move |handle| kept.text(handle).or_else(|| kept.result(handle))),
        in_view: Arc::default(),
        started: inbound.started.clone(),
        out,
    })
}

/// A turn that is running.
struct Run<'a> {
    agent: &'a Arc<Agent>,
    conversation: &'a mut Conversation,
    toolbox: &'a Toolbox,
    ears: &'a Ears,
    stop: &'a Stop,
    brain: Arc<Brain>,
    desk: Desk,
    wishes: mpsc::UnboundedReceiver<Wish>,
    machine: Turn,
    epoch: u32,
    context: Context,
    /// Something was said that had no room; the context must be fitted anew before it is sent.
    is_stale: bool,
    outcome: Outcome,
    /// What came of the answer so far.
    heard: String,
    said: louver_store::Turn,
    inbound: Inbound,
}

/// Stands at the end of an answer that the person stopped.
const BROKEN_OFF: &str = " […] (stopped by the person)";

impl Run<'_> {
    /// Step by step to the end.
    async fn go(&mut self) -> Result<End, TurnFailed> {
        let mut step = self.machine.first();
        loop {
            step = match step {
                Step::Ask => match self.ask().await? {
                    Some(reply) => self.replied(reply)?,
                    None => self.broke_off()?,
                },
                Step::Run(groups) => self.run(groups).await?,
                Step::Done(end) => return Ok(end),
            };
        }
    }

    /// The person stopped the model. What they have read of its answer stays in the conversation.
    fn broke_off(&mut self) -> Result<Step, TurnFailed> {
        let heard = std::mem::take(&mut self.heard);
        if !heard.trim().is_empty() {
            let half = format!("{}{BROKEN_OFF}", heard.trim_end());
            let message = Message::text(Role::Assistant, half);
            self.conversation.replied(&message, None, Some("stopped"))?;
        }
        Ok(Step::Done(End::Stopped))
    }

    /// Writes a reply down and decides what follows.
    fn replied(&mut self, mut reply: Reply) -> Result<Step, TurnFailed> {
        let usage = reply.usage.and_then(|usage| serde_json::to_value(usage).ok());
        let silent = reply.message.is_silent();
        if !silent {
            let finish = Some(reply.finish.name());
            reply.message = self.conversation.replied(&reply.message, usage, finish)?;
            self.push(reply.message.clone());
        }
        self.outcome.usage += reply.usage.unwrap_or_default();
        let _ = self.ears.send(Happening::Replied { usage: reply.usage });
        if let (Some(sent), Some(usage)) = (self.outcome.last, reply.usage)
            && let Some(problem) = cut(&self.brain.name, sent.tokens, usage.input)
        {
            let _ = self.ears.send(Happening::Problem(problem));
        }
        let texts: Vec<&str> = reply.message.texts().map(|text| &**text).collect();
        if !silent {
            self.outcome.text = texts.join("\n");
        }
        let toolbox = self.toolbox;
        Ok(self.machine.replied(&reply, |call| toolbox.is_alone(call)))
    }

    /// Adds a message that is in the log to what is sent next.
    fn push(&mut self, message: Message) {
        if self.is_stale {
            return;
        }
        let mind = self.agent.mind();
        let recipe = Recipe { model: &self.brain.model, ..mind.builder.recipe() };
        self.is_stale = self.context.push(&recipe, message).is_err();
    }

    fn fit_anew(&mut self, budget: Option<Tokens>, why: Why) -> Result<(), TurnFailed> {
        let mut mind = self.agent.mind();
        let ready = self.conversation.go_on(&mut mind.builder, &self.said, budget, why)?;
        drop(mind);
        self.epoch = ready.epoch.number;
        self.context = ready.context;
        self.is_stale = false;
        Ok(())
    }

    /// Does what tools could not do themselves.
    fn fulfil(&mut self) {
        while let Ok(wish) = self.wishes.try_recv() {
            match wish {
                Wish::Say { channel, chat, text } => {
                    let _ = self.ears.send(Happening::Says { channel, chat, text });
                }
                Wish::Spawn { task, label, .. } => self.agent.spawn(&self.inbound, task, label),
            }
        }
    }

    /// Ends the turn in the log, however it went.
    fn finish(mut self, ended: Result<End, TurnFailed>) -> Result<Outcome, TurnFailed> {
        let mut outcome = self.outcome.clone();
        outcome.cost = cost(&self.brain.model, &outcome.usage);
        let explained = match &ended {
            Ok(end) => end.explained(),
            Err(failed) => Some(failed.to_string()),
        };
        if let Some(text) = explained {
            self.note(Event::Note(Note { text, ..Note::default() }))?;
        }
        let paid = session::event::Usage {
            model: self.brain.model.name.to_string(),
            cause: self.inbound.cause.name().to_owned(),
            input: outcome.usage.input,
            cached: outcome.usage.cached,
            output: outcome.usage.output,
            cost: outcome.cost,
            ..session::event::Usage::default()
        };
        self.agent.paid(&paid);
        self.conversation.end(paid)?;
        outcome.end = ended?;
        Ok(outcome)
    }

    fn note(&mut self, event: Event) -> Result<(), TurnFailed> {
        self.conversation.session().append(&event, Durability::Process)?;
        Ok(())
    }

    fn tell(&self, text: &str) {
        let _ = self.ears.send(Happening::Note(text.to_owned()));
    }
}
