//! Does what a turn decides: asks the model, runs the tools, writes every step down before the next.
//!
//! What is decided is in [`crate::turn`]. A crash or a stop at any point keeps every finished step, and
//! the next turn goes on from there.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Zoned;
use louver_context::snapshot::ToolSchema;
use louver_context::{Context, Message, Recipe, Role, Tokens, ToolCall};
use louver_store::library::{Just, notes_in_view};
use louver_store::session::event::{Call, Event, Note};
use louver_store::session::{self, Durability, SessionError};
use louver_store::{Conversation, Problem, TurnError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use crate::agent::{Agent, Brain, Cause, Inbound, Stop, cost};
use crate::cut::cut;
use crate::happening::{Answer, Ears, Happening, Sending};
use crate::permit::Verdict;
use crate::provider::{Ask, AskError, Trouble};
use crate::reply::{Delta, Reply, Usage};
use crate::tools::{Desk, Output, Tool, Toolbox, Wish};
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
    said.recalled = recalled(agent, conversation, &inbound, &said, ears).await;
    let (brain, ready) = {
        let mut mind = agent.mind();
        let ready = conversation.begin(&mut mind.builder, &said)?;
        (mind.brain.clone(), ready)
    };
    for problem in ready.problems {
        let _ = ears.send(Happening::Problem(problem));
    }
    let (out, wishes) = mpsc::unbounded_channel();
    let desk = desk(agent, conversation, &inbound, out);
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
        outcome: Outcome {
            text: String::new(),
            end: End::Stopped,
            usage: Usage::default(),
            cost: None,
            asked: 0,
            last: None,
        },
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
) -> Desk {
    let kept = conversation.session().kept();
    Desk {
        folder: Desk::folder_for(&agent.folder, inbound.others),
        session: inbound.session.clone(),
        channel: inbound.channel.clone(),
        chat: inbound.chat.clone(),
        others: inbound.others,
        kept: Arc::new(move |handle| kept.text(handle)),
        in_view: Arc::default(),
        out,
    }
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
                    Some(reply) => self.replied(&reply)?,
                    None => self.broke_off()?,
                },
                Step::Run(groups) => self.run(groups).await?,
                Step::Done(end) => return Ok(end),
            };
        }
    }

    /// Asks the model. `None` when the person stopped it.
    async fn ask(&mut self) -> Result<Option<Reply>, TurnFailed> {
        if self.is_stale {
            self.fit_anew(None)?;
        }
        let mut asked = self.ask_once().await;
        if let Some(Err(AskError { trouble: Trouble::TooLong { .. }, .. })) = &asked {
            // What we counted was too little: a provider's own count is what matters.
            let total = self.context.ledger.total;
            self.tell("the provider says the request is too long; it is made shorter");
            self.fit_anew(Some(Tokens(total.0 / 4 * 3)))?;
            asked = self.ask_once().await;
        }
        match asked {
            Some(Err(error)) if error.trouble.may_be_of_pictures() && self.has_picture() => {
                self.ask_without_pictures(error).await
            }
            asked => asked.transpose().map_err(TurnFailed::from),
        }
    }

    fn has_picture(&self) -> bool {
        self.context.prompt.messages.iter().any(|message| message.has_picture())
    }

    /// Asks again without pictures. When that is answered they were the reason, and they are left out
    /// from then on: one in the history would have every later request refused.
    async fn ask_without_pictures(
        &mut self,
        refused: AskError,
    ) -> Result<Option<Reply>, TurnFailed> {
        let bare = |message: &Arc<Message>| match message.has_picture() {
            true => Arc::new(message.without_pictures()),
            false => message.clone(),
        };
        let messages: Vec<_> = self.context.prompt.messages.iter().map(bare).collect();
        let bare = {
            let mind = self.agent.mind();
            let recipe = Recipe { model: &self.brain.model, ..mind.builder.recipe() };
            recipe.replay(&self.context.frozen(), self.context.prompt.tools.clone(), &messages)
        };
        let whole = std::mem::replace(&mut self.context, bare);
        match self.ask_once().await {
            Some(Ok(reply)) => {
                self.conversation.leave_out_pictures()?;
                self.fit_anew(None)?;
                let what = format!("`{}` refuses them; the answer is made without", refused.server);
                let hint = "they are left out from here on; send them again to a model that sees";
                let problem = Problem::warning("pictures", what).hint(hint);
                let _ = self.ears.send(Happening::Problem(problem));
                Ok(Some(reply))
            }
            Some(Err(_)) => {
                self.context = whole;
                Err(refused.into())
            }
            None => Ok(None),
        }
    }

    async fn ask_once(&mut self) -> Option<Result<Reply, AskError>> {
        let sending = self.sending();
        self.outcome.last = Some(sending);
        self.outcome.asked += 1;
        let _ = self.ears.send(Happening::Sending(sending));
        let habits = &self.agent.habits;
        let ask = Ask {
            stream: habits.stream,
            session: &self.inbound.session,
            temperature: habits.temperature,
            effort: habits.effort,
            ..Ask::new(&self.brain.name, &self.context.prompt, self.brain.model.reply.0)
        };
        let (ears, heard) = (self.ears, &mut self.heard);
        heard.clear();
        let mut on = |delta| {
            match &delta {
                Delta::Text(text) => heard.push_str(text),
                Delta::Again { .. } => heard.clear(),
                _ => {}
            }
            let _ = ears.send(Happening::Delta(delta));
        };
        tokio::select! {
            biased;
            () = self.stop.stopped() => None,
            reply = self.agent.sender.ask(&self.brain.endpoint, &ask, &mut on) => Some(reply),
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

    fn sending(&self) -> Sending {
        let ledger = &self.context.ledger;
        Sending {
            tokens: ledger.total.0,
            budget: ledger.budget().0,
            left_out: ledger.left_out.iter().map(|gone| gone.tokens.0).sum(),
            epoch: self.epoch,
        }
    }

    /// Writes a reply down and decides what follows.
    fn replied(&mut self, reply: &Reply) -> Result<Step, TurnFailed> {
        let usage = reply.usage.and_then(|usage| serde_json::to_value(usage).ok());
        let silent = reply.message.is_silent();
        if !silent {
            self.conversation.replied(&reply.message, usage, Some(reply.finish.name()))?;
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
        Ok(self.machine.replied(reply, |call| toolbox.is_alone(call)))
    }

    /// Runs calls, group by group. What is stopped gets a result that says so.
    async fn run(&mut self, groups: Vec<Vec<ToolCall>>) -> Result<Step, TurnFailed> {
        let last = groups.last().and_then(|group| group.last()).cloned();
        for group in groups {
            let stopped = self.run_group(&group).await?;
            self.fulfil();
            if stopped {
                return Ok(Step::Done(End::Stopped));
            }
        }
        Ok(last.map_or(Step::Done(End::Answered), |last| self.machine.all_ran(&last)))
    }

    /// Runs calls side by side. Says whether the person stopped them.
    async fn run_group(&mut self, group: &[ToolCall]) -> Result<bool, TurnFailed> {
        let (view, _) = self.conversation.session().view();
        self.desk.in_view = Arc::new(notes_in_view(&self.inbound.session, &view.messages));
        let mut running = JoinSet::new();
        let mut open: HashMap<tokio::task::Id, &ToolCall> = HashMap::new();
        for call in group {
            match self.admit(call).await? {
                Ok((tool, arguments)) => {
                    let desk = self.desk.clone();
                    let task = running.spawn(async move { tool.run(arguments, &desk).await });
                    open.insert(task.id(), call);
                }
                Err(output) => self.returned(call, &output)?,
            }
        }
        while !open.is_empty() {
            let done = tokio::select! {
                biased;
                () = self.stop.stopped() => None,
                done = running.join_next_with_id() => done,
            };
            let (id, output) = match done {
                Some(Ok(done)) => done,
                Some(Err(broken)) => {
                    (broken.id(), Output::failed("the tool broke; try another way"))
                }
                None => break,
            };
            let Some(call) = open.remove(&id) else { continue };
            self.machine.ran(call, output.failed);
            self.returned(call, &output)?;
        }
        let stopped = !open.is_empty();
        for call in group.iter().filter(|call| open.values().any(|open| open.id == call.id)) {
            self.returned(call, &Output::failed("stopped by the person"))?;
        }
        Ok(stopped)
    }

    /// The tool of a call, when it can and may run; else what the model is told.
    #[allow(clippy::type_complexity, reason = "two ways to fail: the log, and the call")]
    async fn admit(
        &mut self,
        call: &ToolCall,
    ) -> Result<Result<(Arc<dyn Tool>, Value), Output>, TurnFailed> {
        self.note(Event::Call(Call {
            id: call.id.to_string(),
            name: call.name.to_string(),
            arguments: call.arguments.to_string(),
            ..Call::default()
        }))?;
        if let Some(words) = self.machine.refuses(call) {
            return Ok(Err(Output::failed(words)));
        }
        let (tool, arguments) = match self.toolbox.find(call) {
            Ok(found) => found,
            Err(output) => {
                self.machine.ran(call, true);
                return Ok(Err(output));
            }
        };
        let _ = self.ears.send(Happening::Calls {
            id: call.id.to_string(),
            name: call.name.to_string(),
            arguments: arguments.clone(),
        });
        match self.may(&call.name, &arguments).await {
            Ok(()) => Ok(Ok((tool, arguments))),
            Err(words) => {
                self.machine.ran(call, true);
                Ok(Err(Output::failed(words)))
            }
        }
    }

    /// Whether a tool may do this; if not, what the model is told.
    async fn may(&self, name: &str, arguments: &Value) -> Result<(), String> {
        match self.agent.permits.verdict(name, arguments) {
            Verdict::Allow => return Ok(()),
            Verdict::Deny => {
                return Err(format!(
                    "the settings do not allow this use of `{name}`; do without it"
                ));
            }
            Verdict::Ask => {}
        }
        if self.granted(name) {
            return Ok(());
        }
        let (answer, heard) = oneshot::channel();
        let _ = self.ears.send(Happening::Asks {
            name: name.to_owned(),
            arguments: arguments.clone(),
            answer,
        });
        let answer = tokio::select! {
            () = self.stop.stopped() => Answer::No,
            heard = heard => heard.unwrap_or(Answer::Nobody),
        };
        match answer {
            Answer::Yes => Ok(()),
            Answer::Always => {
                let mut granted =
                    self.agent.granted.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                granted.insert(name.to_owned());
                Ok(())
            }
            Answer::No => Err("the person said no; do not try it again, ask what they want".into()),
            Answer::Nobody => Err(format!(
                "`{name}` needs the person's word and nobody is there to ask; do without it, and say \
                 in your answer what you would have done"
            )),
        }
    }

    fn granted(&self, name: &str) -> bool {
        let granted = self.agent.granted.lock();
        granted.unwrap_or_else(std::sync::PoisonError::into_inner).contains(name)
    }

    /// What a model is told of a tool whose arguments it was not shown, when the call went wrong.
    fn with_schema(&self, call: &ToolCall, output: &Output) -> String {
        let named = |schema: &&ToolSchema| schema.name == call.name;
        let schemas = self.toolbox.schemas();
        let offered = self.context.prompt.tools.iter().find(named);
        match schemas.iter().find(named) {
            Some(whole) if output.failed && offered.is_some_and(|offered| offered != whole) => {
                format!("{}; `{}` takes {}", output.words, call.name, whole.parameters)
            }
            _ => output.words.clone(),
        }
    }

    /// Writes a result down.
    fn returned(&mut self, call: &ToolCall, output: &Output) -> Result<(), TurnFailed> {
        let words = self.with_schema(call, output);
        let kept =
            session::Output { words: &words, data: output.data.as_deref(), failed: output.failed };
        let message = self.conversation.result(&call.id, &call.name, &kept)?;
        self.push(message);
        let _ = self.ears.send(Happening::Returned {
            id: call.id.to_string(),
            name: call.name.to_string(),
            summary: summary(output),
            failed: output.failed,
        });
        Ok(())
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

    fn fit_anew(&mut self, budget: Option<Tokens>) -> Result<(), TurnFailed> {
        let mut mind = self.agent.mind();
        let ready = self.conversation.go_on(&mut mind.builder, &self.said, budget)?;
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
        self.conversation.end(session::event::Usage {
            model: self.brain.model.name.to_string(),
            cause: self.inbound.cause.name().to_owned(),
            input: outcome.usage.input,
            cached: outcome.usage.cached,
            output: outcome.usage.output,
            cost: outcome.cost,
            ..session::event::Usage::default()
        })?;
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

/// One line about what a tool gave back.
fn summary(output: &Output) -> String {
    let text = match output.words.trim() {
        "" => output.data.as_deref().unwrap_or_default(),
        words => words,
    };
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.chars().take(200).collect()
}
