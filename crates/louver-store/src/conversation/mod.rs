//! A conversation: a session and the turns that are built in it.
//!
//! What was sent is what is replayed. The text above the conversation is made when an epoch begins and
//! kept; a file that changes meanwhile is told after the history; a result that was shortened stays
//! so. Every turn is in the log before its request goes out, so a crash keeps every finished step.

mod company;
mod documents;
mod ready;
mod reduce;

use std::path::Path;
use std::time::Duration;

use louver_context::epoch::Why;
use louver_context::message::{Message, Role};
use louver_context::pairing::with_own_ids;
use louver_context::{Context, DoesNotFit, Tokens};
use serde_json::Value;

pub use self::company::REPORT;
pub use self::ready::Ready;
pub(crate) use self::ready::frozen;

use self::ready::Going;
use crate::append::Durability;
use crate::builder::{ContextBuilder, Turn};
use crate::problem::Problem;
use crate::session::event::{Event, OTHERS, Prefix, Reply, Said, Sent, Summary, Undo};
use crate::session::{Gone, Mode, Output, Session, SessionError};

/// How long a provider remembers a prefix when nothing else is known.
pub const REMEMBERS: Duration = Duration::from_secs(300);

/// A session and what is needed to go on with it.
#[derive(Debug)]
pub struct Conversation {
    session: Session,
    remembers: Duration,
    durability: Durability,
    anew: bool,
}

/// A turn could not begin.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    /// The log could not be read or written.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// Even what must stay does not fit.
    #[error(transparent)]
    DoesNotFit(#[from] DoesNotFit),
    /// There were fewer turns.
    #[error("there is no turn {turn}; the conversation has {there}")]
    NoTurn {
        /// The one that was asked for.
        turn: usize,
        /// How many there are.
        there: usize,
    },
    /// The line that holds what stood above the conversation cannot be read.
    #[error("what was sent above the messages of turn {turn} cannot be read any more")]
    NoPrefix {
        /// The turn.
        turn: usize,
    },
}

/// What a tool is said to have returned when it was interrupted.
const INTERRUPTED: &str = "[no result: the call was interrupted or its result was lost]";

impl Conversation {
    /// Opens the conversation with this key to go on with it.
    pub fn open(workspace: &Path, key: &str) -> Result<(Self, Vec<Problem>), SessionError> {
        let (session, problems) = Session::open(workspace, key, Mode::Write)?;
        Ok((Conversation::of(session), problems))
    }

    /// Opens it to look at it.
    pub fn read(workspace: &Path, key: &str) -> Result<(Self, Vec<Problem>), SessionError> {
        let (session, problems) = Session::open(workspace, key, Mode::Read)?;
        Ok((Conversation::of(session), problems))
    }

    /// A conversation in a session that is open.
    pub fn of(session: Session) -> Self {
        Conversation { session, remembers: REMEMBERS, durability: Durability::Disk, anew: false }
    }

    /// The session.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Says how long the provider remembers a prefix.
    pub fn remembers(&mut self, time: Duration) {
        self.remembers = time;
    }

    /// Says what the end of a turn must survive: power loss, unless it is told otherwise.
    pub fn durability(&mut self, durability: Durability) {
        self.durability = durability;
    }

    /// Asks for a new epoch with the next turn.
    pub fn anew(&mut self) {
        self.anew = true;
    }

    /// The next turn's context, without a word in the log.
    pub fn preview(&self, builder: &mut ContextBuilder, turn: &Turn) -> Result<Ready, TurnError> {
        self.going(None).ready(builder, turn)
    }

    /// Begins a turn: what the person said is in the log first, then what is sent for it.
    pub fn begin(&mut self, builder: &mut ContextBuilder, turn: &Turn) -> Result<Ready, TurnError> {
        self.answer_interrupted()?;
        let said = self.say(turn)?;
        let ready = match self.going(Some(said)).ready(builder, turn) {
            Ok(ready) => ready,
            Err(error) => {
                self.refuse(said)?;
                return Err(error);
            }
        };
        let events = self.events(&ready, said)?;
        self.session.append_all(&events, Durability::Process)?;
        self.anew = false;
        Ok(ready)
    }

    /// Fits what a turn has so far anew, when it no longer has room or a provider refuses it: into
    /// `budget`, or else what the model has. What gives way does so for good, and an epoch begins for
    /// the reason that is given.
    pub fn go_on(
        &mut self,
        builder: &mut ContextBuilder,
        turn: &Turn,
        budget: Option<Tokens>,
        why: Why,
    ) -> Result<Ready, TurnError> {
        let ready = self.going(None).again(builder, turn, budget, why)?;
        let mut events = ready.reductions.clone();
        events.extend(self.prefix_event(&ready)?);
        self.session.append_all(&events, Durability::Process)?;
        Ok(ready)
    }

    /// What the model answered, calls of tools among it, and why it stopped. It comes back as it is in the
    /// conversation: each call with an id of its own.
    pub fn replied(
        &mut self,
        message: &Message,
        usage: Option<Value>,
        finish: Option<&str>,
    ) -> Result<Message, TurnError> {
        let own = match &*message.calls {
            [] => message.clone(),
            _ => with_own_ids(&ready::messages(&self.session.view().0.messages), message),
        };
        let message = self.session.keep(&own)?;
        let finish = finish.map(str::to_owned);
        let reply = Reply { message, usage, finish, ..Reply::default() };
        self.session.append(&Event::Reply(reply), Durability::Process)?;
        Ok(own)
    }

    /// What a tool returned. A long result is kept beside the log; the message that goes to the
    /// model comes back.
    pub fn result(
        &mut self,
        id: &str,
        name: &str,
        output: &Output<'_>,
    ) -> Result<Message, TurnError> {
        let result = self.session.keep_output(id, name, output)?;
        let message = Message::result(id, name, result.text.as_str());
        self.session.append(&Event::Result(result), Durability::Process)?;
        Ok(message)
    }

    /// Ends the turn: from here on it survives what [`Conversation::durability`] says.
    pub fn end(&mut self, usage: crate::session::event::Usage) -> Result<(), TurnError> {
        self.session.append(&Event::Usage(usage), self.durability)?;
        Ok(())
    }

    /// Takes the pictures out of every message in view, for good. A provider that refuses one would
    /// refuse every later request that has it; in the log they stay.
    pub fn leave_out_pictures(&mut self) -> Result<(), TurnError> {
        let (view, _) = self.session.view();
        let with_pictures = view.messages.iter().filter(|entry| entry.message.has_picture());
        let events: Vec<Event> = with_pictures.map(reduce::without_pictures).collect();
        self.session.append_all(&events, Durability::Process)?;
        Ok(())
    }

    /// Takes the last exchange back. Says which message is the last one now.
    pub fn undo(&mut self) -> Result<Option<u64>, TurnError> {
        let (view, _) = self.session.view();
        let asked = view.messages.iter().rposition(|entry| entry.message.role == Role::User);
        let Some(asked) = asked else { return Ok(None) };
        // Behind the oldest message in view is what stands for those before it, and that stays. What stands for calls of
        // the exchange goes with it.
        let asked_at = view.messages[asked].id;
        let stands = view.summaries.iter().map(|summary| summary.stands_for[1]);
        let stands = stands.filter(|last| *last < asked_at);
        let before = asked.checked_sub(1).map(|before| view.messages[before].id);
        let to = before.or(stands.max()).unwrap_or(0);
        self.session.append(&Event::Undo(Undo { to, ..Undo::default() }), Durability::Disk)?;
        Ok(Some(to))
    }

    /// Begins anew: every message leaves the view and stays in the log. Says how many there were.
    pub fn clear(&mut self) -> Result<usize, TurnError> {
        let (view, _) = self.session.view();
        let Some(last) = view.messages.last() else { return Ok(0) };
        // From the first event on, so that what earlier summaries say goes too.
        let cleared = Summary { stands_for: [1, last.id], ..Summary::default() };
        self.session.append(&Event::Summary(cleared), Durability::Disk)?;
        Ok(view.messages.len())
    }

    /// The request of an earlier turn exactly as it was sent, turns counted from one.
    pub fn sent(&self, builder: &ContextBuilder, turn: usize) -> Result<Context, TurnError> {
        let (n, sent) = self.went_out(turn)?;
        let new = sent.messages.len();
        let view = self.session.view_at(n)?;
        let unreadable = TurnError::NoPrefix { turn };
        let prefix = view.prefix.as_deref().ok_or(unreadable)?;
        let mut frozen = ready::frozen(prefix).ok_or(TurnError::NoPrefix { turn })?;
        let above = self.session.events()?.take_while(|record| record.n <= n);
        let begun = above.filter(|record| matches!(record.event, Event::Prefix(_))).last();
        if let Some(begun) = begun {
            frozen.system = Gone::of(&self.session).above(begun.n, &frozen.system).into();
        }
        let (history, new) = view.messages.split_at(view.messages.len().saturating_sub(new));
        let mut messages = ready::repaired(history, prefix);
        // Where the history ended there was a mark for the provider's cache.
        let history = messages.len();
        messages.extend(ready::messages(new));
        let tools = ready::tools_of(&prefix.tools);
        let mut context = builder.recipe().replay(&frozen, tools, &messages);
        context.prompt.history = history;
        Ok(context)
    }

    /// The model that got an earlier turn; empty where the log does not say.
    pub fn sent_to(&self, turn: usize) -> Result<String, TurnError> {
        Ok(self.went_out(turn)?.1.model)
    }

    /// What went out as a turn, turns counted from one, and the number of its event.
    fn went_out(&self, turn: usize) -> Result<(u64, Sent), TurnError> {
        let mut there = 0;
        for record in self.session.events()? {
            let Event::Sent(sent) = record.event else { continue };
            there += usize::from(!sent.is_refusal());
            if there == turn && !sent.is_refusal() {
                return Ok((record.n, sent));
            }
        }
        Err(TurnError::NoTurn { turn, there })
    }

    fn going(&self, said: Option<u64>) -> Going<'_> {
        Going { session: &self.session, said, remembers: self.remembers, anew: self.anew }
    }

    fn say(&mut self, turn: &Turn) -> Result<u64, TurnError> {
        let pictures = turn.pictures.iter().map(|picture| self.session.keep_picture(picture));
        let mut extra = serde_json::Map::new();
        extra.extend(turn.cause.iter().map(|cause| ("cause".to_owned(), cause.as_str().into())));
        extra.extend(turn.others.then(|| (OTHERS.to_owned(), true.into())));
        let said = Said {
            extra,
            channel: turn.channel.clone().unwrap_or_default(),
            chat: turn.chat.clone().unwrap_or_default(),
            text: turn.message.clone(),
            pictures: pictures.collect::<Result<_, _>>()?,
            ..Said::default()
        };
        Ok(self.session.append(&Event::Said(said), Durability::Process)?)
    }

    /// What was said could not be sent. It stays in the log and leaves the view: a message that does
    /// not fit would keep every later one from fitting too.
    fn refuse(&mut self, said: u64) -> Result<(), TurnError> {
        let refused = Sent { said: vec![said], ..Sent::default() };
        self.session.append(&Event::Sent(refused), Durability::Process)?;
        Ok(())
    }

    /// Calls of a turn that never finished get a result that says so, for good: a result that came
    /// up later would change what was sent.
    fn answer_interrupted(&mut self) -> Result<(), TurnError> {
        let (view, _) = self.session.view();
        let mut open: Vec<(String, String)> = Vec::new();
        for entry in &view.messages {
            open.extend(entry.message.calls.iter().map(|c| (c.id.to_string(), c.name.to_string())));
            if let (Role::Tool, Some(id)) = (entry.message.role, &entry.message.answers)
                && let Some(at) = open.iter().position(|(call, _)| **call == **id)
            {
                open.remove(at);
            }
        }
        for (id, name) in open {
            let mut result = self.session.keep_result(&id, &name, INTERRUPTED)?;
            result.ok = false;
            self.session.append(&Event::Result(result), Durability::Process)?;
        }
        Ok(())
    }

    /// The event that says which prefix is sent from now on, when an epoch begins.
    fn prefix_event(&self, ready: &Ready) -> Result<Option<Event>, TurnError> {
        let Some(new) = &ready.begins else { return Ok(None) };
        let documents = documents::keep(&self.session, &ready.documents)?;
        Ok(Some(Event::Prefix(prefix(ready, new, &documents))))
    }

    /// What a turn that is ready writes into the log before its request goes out.
    fn events(&self, ready: &Ready, said: u64) -> Result<Vec<Event>, TurnError> {
        let mut events = ready.reductions.clone();
        events.extend(self.prefix_event(ready)?);
        if ready.begins.is_none() && ready.changed {
            let documents = documents::keep(&self.session, &ready.documents)?;
            events.push(documents::told(ready, documents));
        }
        let Context { prompt, ledger } = &ready.context;
        let new = prompt.messages[prompt.history..].iter();
        events.push(Event::Sent(Sent {
            said: vec![said],
            messages: new.map(|message| self.session.keep(message)).collect::<Result<_, _>>()?,
            epoch: ready.epoch.number,
            profile: ledger.profile.to_string(),
            model: ledger.model.clone(),
            tokens: ledger.total.0.into(),
            ..Sent::default()
        }));
        Ok(events)
    }
}

fn prefix(ready: &Ready, new: &ready::Begins, documents: &documents::Handles) -> Prefix {
    let prompt = &ready.context.prompt;
    let mut prefix = Prefix {
        epoch: ready.epoch.number,
        reason: serde_json::to_value(ready.epoch.reason)
            .ok()
            .and_then(|reason| reason.as_str().map(str::to_owned))
            .unwrap_or_default(),
        system: prompt.system.to_string(),
        places: prompt.places.iter().map(|(place, end)| (place.name().to_owned(), *end)).collect(),
        tools: ready::tools_json(&prompt.tools),
        model: ready.context.ledger.model.clone(),
        profile: ready.context.ledger.profile.to_string(),
        ..Prefix::default()
    };
    prefix.extra.insert("rules".into(), new.rules.clone());
    prefix.extra.insert("account".into(), new.account.clone());
    prefix.extra.insert("offered".into(), new.offered.as_str().into());
    prefix.extra.insert("documents".into(), serde_json::to_value(documents).unwrap_or_default());
    if new.withheld != 0 {
        prefix.extra.insert(ready::WITHHELD.into(), new.withheld.into());
    }
    if new.others {
        prefix.extra.insert(OTHERS.into(), true.into());
    }
    prefix
}
