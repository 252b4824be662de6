//! An agent: a workspace, a model, tools, and the sessions it is in.
//!
//! Sessions run side by side, one turn at a time each. The agent holds what they share; what one
//! turn does is in [`crate::run`].

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use jiff::Zoned;
use louver_context::snapshot::Extra;
use louver_context::{Model, Picture};
use louver_store::conversation::REPORT;
use louver_store::session::event::Usage as Paid;
use louver_store::session::{Durability, SessionError};
use louver_store::workspace::MEMORY;
use louver_store::{ContextBuilder, Conversation, Folder, Owner};
use tokio::sync::{Mutex as Turns, mpsc};

use crate::consolidation::Memorised;
use crate::happening::{Ears, Happening};
use crate::http::Sender;
use crate::lane::{Held, Lane, MOMENT};
use crate::mcp::{Servers, State};
use crate::permit::Permits;
use crate::provider::{Effort, Endpoint};
use crate::reply::Usage;
use crate::run::{self, Outcome, TurnFailed};
use crate::spent::Spent;
pub use crate::stop::Stop;
use crate::tools::{Tool, Toolbox};
use crate::turn::{End, MAX_ITERATIONS};

/// How many steps a subagent has.
const SUBAGENT_STEPS: u32 = 15;

/// What a subagent does not have: it reports once, to the one who asked.
const NOT_FOR_SUBAGENTS: &[&str] = &["message", "spawn"];

/// How long a turn waits for MCP servers that are still starting.
const MCP_GRACE: Duration = Duration::from_secs(3);

/// A model and the server that has it.
#[derive(Debug, Clone)]
pub struct Brain {
    /// The server.
    pub endpoint: Endpoint,
    /// The model's name as the server spells it.
    pub name: String,
    /// What is known of it.
    pub model: Model,
}

/// How an agent behaves.
#[derive(Clone)]
pub struct Habits {
    /// How many steps a turn may have.
    pub max_iterations: u32,
    /// Whether answers come in pieces.
    pub stream: bool,
    /// How freely the model chooses words.
    pub temperature: Option<f32>,
    /// How hard it thinks.
    pub effort: Option<Effort>,
    /// How many messages a session may have before memory is made of the older ones.
    pub memory_window: usize,
    /// What the end of a turn survives.
    pub durability: Durability,
    /// The model that makes memory, when it is another one.
    pub memory_brain: Option<Brain>,
    /// What reminds turns of what was said before; nothing when they are not to be.
    pub reminder: Option<crate::tools::recall::Shared>,
    /// Whose sessions are the owner's. In all others the agent is in company.
    pub owner: Owner,
}

impl Default for Habits {
    fn default() -> Habits {
        Habits {
            max_iterations: MAX_ITERATIONS,
            stream: true,
            temperature: None,
            effort: None,
            memory_window: louver_context::consolidate::MEMORY_WINDOW,
            durability: Durability::Disk,
            memory_brain: None,
            reminder: None,
            owner: Owner::default(),
        }
    }
}

/// What an agent is made of.
pub struct Parts {
    /// The workspace's path, for sessions and memory.
    pub path: PathBuf,
    /// The workspace and its roots, for tools.
    pub folder: Arc<Folder>,
    /// Builds contexts.
    pub builder: ContextBuilder,
    /// The model.
    pub brain: Brain,
    /// The tools.
    pub toolbox: Toolbox,
    /// What tools may do.
    pub permits: Permits,
    /// How it behaves.
    pub habits: Habits,
    /// Servers that bring more tools.
    pub servers: Option<Servers>,
}

/// An agent.
pub struct Agent {
    pub(crate) path: PathBuf,
    pub(crate) folder: Arc<Folder>,
    pub(crate) mind: Mutex<Mind>,
    pub(crate) sender: Sender,
    pub(crate) toolbox: Toolbox,
    pub(crate) permits: Permits,
    pub(crate) habits: Habits,
    /// Tools that the person allowed for as long as the program runs.
    pub(crate) granted: Mutex<BTreeSet<String>>,
    /// Sessions of which the person was told that memory stays out of them.
    told: Mutex<BTreeSet<String>>,
    /// Rules of which the person was told that they are none of a tool's.
    slips: Mutex<BTreeSet<String>>,
    /// What its models were paid since the program runs.
    spent: Mutex<Spent>,
    servers: Option<Servers>,
    pub(crate) lanes: Mutex<HashMap<String, Arc<Lane>>>,
    subagents: AtomicU32,
    /// Stops the subagents that are at work.
    stop: Mutex<Stop>,
    reports: (mpsc::UnboundedSender<Inbound>, Turns<mpsc::UnboundedReceiver<Inbound>>),
}

/// What changes when the model does.
pub(crate) struct Mind {
    pub(crate) builder: ContextBuilder,
    pub(crate) brain: Arc<Brain>,
}

/// Why a model is called. The meter adds up by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A person said something.
    User,
    /// A subagent works, or reports.
    Subagent,
    /// Memory is made of old messages.
    Consolidation,
}

impl Cause {
    /// The word the log keeps.
    pub fn name(self) -> &'static str {
        match self {
            Cause::User => "user",
            Cause::Subagent => "subagent",
            Cause::Consolidation => "consolidation",
        }
    }
}

/// Something that is said to an agent.
#[derive(Debug, Clone)]
pub struct Inbound {
    /// The session it belongs to.
    pub session: String,
    /// The channel it came by.
    pub channel: String,
    /// The chat within that channel.
    pub chat: String,
    /// The words.
    pub text: String,
    /// Pictures that came with them.
    pub pictures: Vec<Arc<Picture>>,
    /// Skills to bring in whole.
    pub skills: Vec<String>,
    /// Layers that the caller made.
    pub extra: Vec<Extra>,
    /// Whether others read along. What the agent remembers of its person stays out of such a chat, as it
    /// does of those that are not the owner's.
    pub others: bool,
    /// Why there is a turn.
    pub cause: Cause,
    /// The time, when it is not now.
    pub now: Option<Zoned>,
    /// How many subagents were started for it. Their reports count on, so that none of them leads to ever more.
    pub started: Arc<AtomicU32>,
}

impl Inbound {
    /// Something a person says in a session named `channel:chat`.
    pub fn said(session: &str, text: impl Into<String>) -> Inbound {
        let (channel, chat) = session.split_once(':').unwrap_or(("cli", session));
        Inbound {
            session: session.to_owned(),
            channel: channel.to_owned(),
            chat: chat.to_owned(),
            text: text.into(),
            pictures: Vec::new(),
            skills: Vec::new(),
            extra: Vec::new(),
            others: false,
            cause: Cause::User,
            now: None,
            started: Arc::default(),
        }
    }
}

impl Agent {
    /// An agent of these parts.
    pub fn new(parts: Parts) -> Arc<Agent> {
        let (send, receive) = mpsc::unbounded_channel();
        Arc::new(Agent {
            path: parts.path,
            folder: parts.folder,
            mind: Mutex::new(Mind { builder: parts.builder, brain: Arc::new(parts.brain) }),
            sender: Sender::default(),
            toolbox: parts.toolbox,
            permits: parts.permits,
            habits: parts.habits,
            granted: Mutex::default(),
            told: Mutex::default(),
            slips: Mutex::default(),
            spent: Mutex::default(),
            servers: parts.servers,
            lanes: Mutex::default(),
            subagents: AtomicU32::new(0),
            stop: Mutex::default(),
            reports: (send, Turns::new(receive)),
        })
    }

    /// Answers what was said. When a turn runs in that session already, this one waits for it.
    pub async fn turn(
        self: &Arc<Self>,
        inbound: Inbound,
        ears: &Ears,
        stop: &Stop,
    ) -> Result<Outcome, TurnFailed> {
        let most = self.habits.max_iterations;
        let Some(toolbox) = stop.unless(self.tools(ears)).await else {
            return Ok(Outcome::stopped());
        };
        self.turn_with(&toolbox, most, inbound, ears, stop).await
    }

    /// Makes memory of a session's older messages, when they are too many or when it is asked for. In
    /// company (`others` read along, or it is not the owner's) they are only summed up there.
    pub async fn consolidate(
        self: &Arc<Self>,
        session: &str,
        others: bool,
        how: crate::consolidation::How,
    ) -> Result<Option<Memorised>, crate::consolidation::NotMemorised> {
        let others = self.is_company(session, others);
        crate::consolidation::consolidate(self, session, others, how).await
    }

    /// Does something with a session between its turns.
    pub async fn with_session<T>(
        &self,
        session: &str,
        act: impl FnOnce(&mut Conversation, &mut ContextBuilder) -> T,
    ) -> Result<T, SessionError> {
        let lane = self.lane(session);
        let mut open = lane.lock().await;
        let (conversation, _) = self.open(session, &mut open, None).await?;
        let done = act(conversation, &mut self.mind().builder);
        conversation.session().release();
        Ok(done)
    }

    /// Goes on with another model.
    pub fn think_with(&self, brain: Brain, builder: ContextBuilder) {
        *self.mind() = Mind { builder, brain: Arc::new(brain) };
    }

    /// Goes on with what is known of the model now, when it is still this one that thinks.
    pub(crate) fn know(&self, brain: &Arc<Brain>) {
        let mut mind = self.mind();
        if mind.brain.model.name == brain.model.name {
            mind.builder.know(brain.model.clone());
            mind.brain = brain.clone();
        }
    }

    /// The model.
    pub fn brain(&self) -> Arc<Brain> {
        self.mind().brain.clone()
    }

    /// All tools that a turn would have now, those of MCP servers that have started included.
    pub async fn tools(&self, ears: &Ears) -> Toolbox {
        let toolbox = match &self.servers {
            Some(servers) => self.toolbox.with(brought(servers, ears).await),
            None => self.toolbox.clone(),
        };
        for slip in self.permits.slips(&toolbox.schemas()) {
            let mut told = self.slips.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if told.insert(slip.to_string()) {
                let _ = ears.send(Happening::Problem(slip));
            }
        }
        toolbox
    }

    /// The MCP servers.
    pub fn servers(&self) -> Option<&Servers> {
        self.servers.as_ref()
    }

    /// Whether a session may know only what was said in it.
    pub fn is_company(&self, session: &str, others: bool) -> bool {
        self.habits.owner.is_company(session, others)
    }

    /// What its models were paid since the program runs, for whatever session.
    pub fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(crate) fn paid(&self, paid: &Paid) {
        self.spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner).add(paid);
    }

    /// How many subagents are at work, or have a report that nobody has taken.
    pub fn subagents(&self) -> u32 {
        self.subagents.load(Ordering::Acquire)
    }

    /// Stops all subagents that are at work. They still report, what they have.
    pub fn stop_subagents(&self) {
        let mut stop = self.stop.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        std::mem::take(&mut *stop).stop();
    }

    /// The next report of a subagent, which is to be answered like something a person said. `None`
    /// when there is none to come.
    pub async fn report(&self) -> Option<Inbound> {
        let mut reports = self.reports.1.lock().await;
        if self.subagents() == 0 {
            return None;
        }
        let report = reports.recv().await;
        self.subagents.fetch_sub(1, Ordering::AcqRel);
        report
    }

    /// Waits until the notes that turns had embedded beside them are, and no longer than this: who leaves before loses
    /// what a server is at.
    pub async fn settle(&self, most: Duration) {
        if let Some(reminder) = &self.habits.reminder {
            reminder.settle(most).await;
        }
    }

    pub(crate) fn mind(&self) -> MutexGuard<'_, Mind> {
        self.mind.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Starts a subagent in a session of its own. Its result is reported to the one who asked.
    pub(crate) fn spawn(self: &Arc<Self>, asked: &Inbound, task: String, label: String) {
        self.subagents.fetch_add(1, Ordering::AcqRel);
        let (agent, asked) = (self.clone(), asked.clone());
        let stop = self.stop.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        tokio::spawn(async move {
            let report = agent.work(&asked, task, &label, &stop).await;
            // Nobody may want it any more.
            let _ = agent.reports.0.send(report);
        });
    }

    /// What a subagent does, and its report.
    async fn work(
        self: &Arc<Self>,
        asked: &Inbound,
        task: String,
        label: &str,
        stop: &Stop,
    ) -> Inbound {
        // It knows no more than the one who asked, and what it says belongs to them.
        let is_owners = self.habits.owner.is_owners(&asked.session);
        let whose = if is_owners { "subagent:" } else { &format!("{}.subagent-", asked.session) };
        let session = format!("{whose}{}", name_of(label));
        let said = Inbound::said(&session, task);
        let inbound = Inbound { cause: Cause::Subagent, others: asked.others, ..said };
        let (ears, _) = mpsc::unbounded_channel();
        let toolbox = self.tools(&ears).await.without(NOT_FOR_SUBAGENTS);
        let done = Box::pin(self.turn_with(&toolbox, SUBAGENT_STEPS, inbound, &ears, stop));
        let result = match done.await {
            Ok(outcome) => outcome.report(),
            Err(failed) => format!("It failed: {failed}"),
        };
        let tag = format!("label=\"{}\"", louver_context::fence::attribute(label));
        let fence = louver_context::fence::fence(REPORT, &tag, &result);
        let text = format!(
            "The subagent is done (session `{session}`).\n{}\n{result}\n{}",
            fence.open, fence.close
        );
        Inbound {
            text,
            cause: Cause::Subagent,
            pictures: Vec::new(),
            skills: Vec::new(),
            extra: Vec::new(),
            ..asked.clone()
        }
    }

    /// The same, with others where the session is not the owner's. From here on nothing asks again whose
    /// it is: the prompt, recall, tools and subagents all go by this.
    fn in_company(&self, inbound: Inbound, ears: &Ears) -> Inbound {
        let others = self.is_company(&inbound.session, inbound.others);
        let remembers = || MEMORY.iter().any(|name| self.folder.kind(name).is_ok());
        if others && !inbound.others && remembers() {
            let mut told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if told.insert(inbound.session.clone()) {
                let problem = self.habits.owner.stays_out(&inbound.session);
                let _ = ears.send(Happening::Problem(problem));
            }
        }
        Inbound { others, ..inbound }
    }

    async fn turn_with(
        self: &Arc<Self>,
        toolbox: &Toolbox,
        most: u32,
        inbound: Inbound,
        ears: &Ears,
        stop: &Stop,
    ) -> Result<Outcome, TurnFailed> {
        let inbound = self.in_company(inbound, ears);
        let lane = self.lane(&inbound.session);
        let Some(mut open) = stop.unless(lane.lock()).await else {
            return Ok(Outcome::stopped());
        };
        let opening = self.open(&inbound.session, &mut open, Some(ears));
        let Some(opened) = stop.unless(opening).await else { return Ok(Outcome::stopped()) };
        let (conversation, problems) = opened?;
        for problem in problems {
            let _ = ears.send(Happening::Problem(problem));
        }
        // Given back also when nobody waits for the turn any more and its future is dropped.
        let held = Held(conversation);
        run::turn(self, held.0, toolbox, most, inbound, ears, stop).await
    }
}

/// A name for a session, of a label and the moment.
fn name_of(label: &str) -> String {
    let plain: String = label.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let plain = plain.trim_matches('-').to_lowercase();
    format!("{plain}-{:08x}", fastrand::u32(..))
}

impl Outcome {
    /// The outcome as a subagent reports it.
    fn report(&self) -> String {
        match (&self.end, self.end.explained()) {
            (End::Answered, _) | (_, None) => self.text.clone(),
            (_, Some(why)) => format!("{}\n[{why}]", self.text).trim().to_owned(),
        }
    }
}

/// What some calls cost in dollars, when the model's price is known.
pub(crate) fn cost(model: &Model, usage: &Usage) -> Option<f64> {
    let price = model.price.as_ref()?;
    Some(price.of(usage.input, usage.cached, usage.cache_written, usage.output))
}

/// The tools that MCP servers bring. Who waits for one that is starting is told so.
async fn brought(servers: &Servers, ears: &Ears) -> Vec<Arc<dyn Tool>> {
    let mut tools = pin!(servers.tools(MCP_GRACE));
    let (tools, problems) = tokio::select! {
        tools = &mut tools => tools,
        () = tokio::time::sleep(MOMENT) => {
            let starting = servers.status().into_iter();
            let starting = starting.filter(|server| server.state == State::Starting);
            for server in starting {
                let text = format!("waiting for the MCP server `{}`, which is starting", server.name);
                let _ = ears.send(Happening::Note(text));
            }
            tools.await
        }
    };
    for problem in problems {
        let _ = ears.send(Happening::Problem(problem));
    }
    tools
}
