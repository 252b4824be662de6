//! A workspace, a scripted server and an agent between them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use louver_agent::agent::{Agent, Brain, Habits, Inbound, Parts, Stop};
use louver_agent::happening::{Answer, Happening, Sending};
use louver_agent::permit::{PermitConfig, Permits};
use louver_agent::provider::{Provider, Wire};
use louver_agent::run::{Outcome, TurnFailed};
use louver_agent::tools::{self, Desk, Output, Running, Tool, ToolSettings, Toolbox};
use louver_context::snapshot::ToolSchema;
use louver_context::{Model, Rules, Tokens};
use louver_scripted::{Recorded, Script, Scripted};
use louver_store::session::Durability;
use louver_store::{ContextBuilder, Conversation, Folder, Owner, Settings};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// A key that must not be found anywhere.
pub(crate) const CANARY: &str = "sk-canary-4f1b7a90d2c6e853";

/// The session that is talked in.
pub(crate) const SESSION: &str = "test:one";

/// A protocol, streamed or whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) wire: Wire,
    pub(crate) stream: bool,
}

/// All four.
pub(crate) const WAYS: [Way; 4] = [
    Way { wire: Wire::OpenAi, stream: true },
    Way { wire: Wire::OpenAi, stream: false },
    Way { wire: Wire::Anthropic, stream: true },
    Way { wire: Wire::Anthropic, stream: false },
];

/// What an agent is made with.
pub(crate) struct Plan {
    pub(crate) way: Way,
    pub(crate) habits: Habits,
    pub(crate) permits: PermitConfig,
    pub(crate) more: Vec<Arc<dyn Tool>>,
    /// The window and the reply, when they are not the model's own.
    pub(crate) window: Option<(u32, u32)>,
}

impl Plan {
    pub(crate) fn new(way: Way) -> Plan {
        let habits = Habits {
            stream: way.stream,
            durability: Durability::Process,
            owner: Owner::of(["test:*", "cli:*", "subagent:*"]),
            ..Habits::default()
        };
        Plan { way, habits, permits: PermitConfig::default(), more: Vec::new(), window: None }
    }

    pub(crate) fn with(mut self, tool: impl Tool + 'static) -> Plan {
        self.more.push(Arc::new(tool));
        self
    }
}

/// A workspace, a server, an agent.
pub(crate) struct Stage {
    pub(crate) folder: Arc<TempDir>,
    pub(crate) server: Arc<Scripted>,
    pub(crate) agent: Arc<Agent>,
    pub(crate) brain: Brain,
}

/// What a turn came to, and what was heard of it.
pub(crate) struct Told {
    pub(crate) outcome: Result<Outcome, TurnFailed>,
    pub(crate) heard: Vec<Happening>,
}

impl Stage {
    pub(crate) fn new(script: Value, plan: Plan) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("AGENTS.md"), "Be brief.\n").unwrap();
        Stage::at(Arc::new(folder), server(script), plan)
    }

    /// An agent on a workspace that is there, and a server that runs.
    pub(crate) fn at(folder: Arc<TempDir>, server: Arc<Scripted>, plan: Plan) -> Stage {
        let brain = brain(&server, &plan);
        let all = tools::all(&ToolSettings::default());
        // Those that the plan brings take the place of others.
        let brought: Vec<_> = plan.more.iter().map(|tool| tool.schema().name).collect();
        let names: Vec<&str> = brought.iter().map(|name| &**name).collect();
        let agent = Agent::new(Parts {
            path: folder.path().to_owned(),
            folder: Arc::new(Folder::open(folder.path()).unwrap()),
            builder: builder(folder.path(), &brain),
            brain: brain.clone(),
            toolbox: Toolbox::new(all).without(&names).with(plan.more),
            permits: Permits::new(&plan.permits).unwrap(),
            habits: plan.habits,
            servers: None,
        });
        Stage { folder, server, agent, brain }
    }

    /// The same workspace and server with an agent that has seen nothing.
    pub(crate) fn again(&self, plan: Plan) -> Stage {
        Stage::at(self.folder.clone(), self.server.clone(), plan)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Says something; nobody is there to be asked.
    pub(crate) async fn say(&self, text: &str) -> Told {
        self.turn(Inbound::said(SESSION, text), Answer::Nobody).await
    }

    /// Says something that must be answered.
    pub(crate) async fn answer(&self, text: &str) -> String {
        let told = self.say(text).await;
        told.outcome.unwrap().text
    }

    /// One turn in which every question gets this answer.
    pub(crate) async fn turn(&self, inbound: Inbound, answer: Answer) -> Told {
        let (ears, heard) = unbounded_channel();
        let listening = tokio::spawn(listen(heard, answer));
        let outcome = self.agent.turn(inbound, &ears, &Stop::default()).await;
        drop(ears);
        Told { outcome, heard: listening.await.unwrap() }
    }

    pub(crate) fn requests(&self) -> Vec<Recorded> {
        self.server.requests()
    }

    /// The body of a request, counted from the end: 0 is the last.
    pub(crate) fn body(&self, from_end: usize) -> Value {
        let requests = self.requests();
        requests[requests.len() - 1 - from_end].body.clone()
    }

    /// The conversation, to look at.
    pub(crate) fn conversation(&self) -> Conversation {
        Conversation::read(self.path(), SESSION).unwrap().0
    }

    pub(crate) fn builder(&self) -> ContextBuilder {
        builder(self.path(), &self.brain)
    }

    /// What holds after every test: no rule of a provider was broken, and the key is nowhere.
    pub(crate) fn is_clean(&self) {
        let violations = self.server.violations();
        assert!(violations.is_empty(), "{violations:#?}");
        for (path, text) in files(self.path()) {
            assert!(!text.contains(CANARY), "{path} holds the key");
        }
        for request in self.requests() {
            assert!(!request.body.to_string().contains(CANARY), "a request's body holds the key");
        }
    }
}

impl Told {
    pub(crate) fn text(&self) -> &str {
        &self.outcome.as_ref().unwrap().text
    }

    /// The results of tools, as a person hears of them: name, words, whether it failed.
    pub(crate) fn results(&self) -> Vec<(String, String, bool)> {
        let result = |happening: &Happening| match happening {
            Happening::Returned { name, summary, failed, .. } => {
                Some((name.clone(), summary.clone(), *failed))
            }
            _ => None,
        };
        self.heard.iter().filter_map(result).collect()
    }

    pub(crate) fn sendings(&self) -> Vec<Sending> {
        let sending = |happening: &Happening| match happening {
            Happening::Sending(sending) => Some(*sending),
            _ => None,
        };
        self.heard.iter().filter_map(sending).collect()
    }

    /// Everything that was heard, as text: nothing secret may be in it.
    pub(crate) fn shown(&self) -> String {
        let outcome = match &self.outcome {
            Ok(outcome) => format!("{outcome:?}"),
            Err(failed) => format!("{failed} {failed:?}"),
        };
        format!("{outcome} {:?}", self.heard)
    }
}

pub(crate) fn server(script: Value) -> Arc<Scripted> {
    Arc::new(Scripted::start(Script::from_value(script).unwrap()).unwrap())
}

async fn listen(mut heard: UnboundedReceiver<Happening>, answer: Answer) -> Vec<Happening> {
    let mut all = Vec::new();
    while let Some(happening) = heard.recv().await {
        match happening {
            Happening::Asks { name, arguments, answer: to } => {
                to.send(answer).unwrap();
                all.push(Happening::Note(format!("asked: {name} {arguments}")));
            }
            other => all.push(other),
        }
    }
    all
}

/// The server as the provider of a protocol, with the key that must not be found.
fn brain(server: &Scripted, plan: &Plan) -> Brain {
    let (provider, name) = match plan.way.wire {
        Wire::OpenAi => ("openai", "gpt-4o"),
        Wire::Anthropic => ("anthropic", "claude-sonnet-4-5"),
    };
    let mut endpoint = Provider::named(provider).unwrap().endpoint(Some(CANARY.into()));
    endpoint.base = format!("{}/v1", server.url());
    let mut model = Model::named(name);
    if let Some((window, reply)) = plan.window {
        (model.window, model.reply) = (Tokens(window), Tokens(reply));
    }
    Brain { endpoint, name: name.to_owned(), model }
}

pub(crate) fn builder(path: &Path, brain: &Brain) -> ContextBuilder {
    let rules = match brain.endpoint.wire {
        Wire::OpenAi => Rules::OPENAI,
        Wire::Anthropic => Rules::ANTHROPIC,
    };
    let model = brain.model.clone();
    let settings = Settings { model, rules, built_in_skills: false, ..Settings::default() };
    ContextBuilder::new(Folder::open(path).unwrap(), settings)
}

/// Every file below a folder, with what can be read of it.
pub(crate) fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => {
                let bytes = fs::read(&path).unwrap();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                found.push((path.display().to_string(), text));
            }
        }
    }
    found
}

/// What a script's step looks like that calls one tool.
pub(crate) fn call(name: &str, arguments: Value) -> Value {
    json!({"calls": [{"name": name, "arguments": arguments}]})
}

/// A tool made of a function.
pub(crate) struct Made {
    pub(crate) name: &'static str,
    pub(crate) reads: bool,
    pub(crate) run: Box<Doing>,
}

type Doing = dyn Fn(Value) -> std::pin::Pin<Box<dyn Future<Output = Output> + Send>> + Send + Sync;

impl Made {
    pub(crate) fn new<F>(
        name: &'static str,
        run: impl Fn(Value) -> F + Send + Sync + 'static,
    ) -> Made
    where
        F: Future<Output = Output> + Send + 'static,
    {
        let run = Box::new(move |given| Box::pin(run(given)) as std::pin::Pin<Box<_>>);
        Made { name, reads: true, run }
    }
}

impl Tool for Made {
    fn schema(&self) -> ToolSchema {
        let parameters = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        ToolSchema { name: self.name.into(), description: "For a test.".into(), parameters }
    }

    fn only_reads(&self) -> bool {
        self.reads
    }

    fn run<'a>(&'a self, given: Value, _: &'a Desk) -> Running<'a> {
        (self.run)(given)
    }
}
