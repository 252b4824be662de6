//! Two hundred sessions at once in one process, ten turns each.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::Args;
use louver_agent::agent::{Agent, Brain, Habits, Inbound, Parts, Stop};
use louver_agent::permit::Permits;
use louver_agent::provider::{Endpoint, Wire};
use louver_agent::tools::{self, ToolSettings, Toolbox};
use louver_agent::turn::End;
use louver_context::Model;
use louver_scripted::{Script, Scripted};
use louver_store::{ContextBuilder, Folder, Settings};
use serde_json::json;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use crate::child::took;
use crate::figures::{Figure, Figures, Target};
use crate::generate;

const SESSIONS: usize = 200;
const TURNS: usize = 10;

/// What may be held for so many: the program and its tables, and half a megabyte for each session.
const MEMORY: Target = Target::AtMost(120.0);

/// Runs many sessions in this process.
#[derive(Debug, Args)]
pub(crate) struct Crowd {
    /// The workspace.
    folder: PathBuf,
    /// Where the model is.
    url: String,
    /// How many sessions.
    sessions: usize,
    /// How many turns each.
    turns: usize,
}

impl Crowd {
    pub(crate) fn run(&self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.talk())
    }

    async fn talk(&self) -> Result<()> {
        let agent = agent(self)?;
        let mut all = JoinSet::new();
        for session in 0..self.sessions {
            all.spawn(session_of(agent.clone(), session, self.turns));
        }
        while let Some(done) = all.join_next().await {
            done??;
        }
        Ok(())
    }
}

/// One session: its turns, one after the other. Every other turn reads a file.
async fn session_of(agent: Arc<Agent>, session: usize, turns: usize) -> Result<()> {
    let key = format!("crowd:{session}");
    let (ears, mut heard) = unbounded_channel();
    let stop = Stop::default();
    for turn in 0..turns {
        let doing = if turn % 2 == 0 { "say ok" } else { "read the notes" };
        let said = Inbound::said(&key, format!("{doing} ({session}, {turn})"));
        let outcome = agent.turn(said, &ears, &stop).await?;
        ensure!(outcome.end == End::Answered, "session {session}: {:?}", outcome.end);
        while heard.try_recv().is_ok() {}
    }
    Ok(())
}

fn agent(crowd: &Crowd) -> Result<Arc<Agent>> {
    let model = Model::named("gpt-4o");
    let settings = Settings { model: model.clone(), ..Settings::default() };
    Ok(Agent::new(Parts {
        path: crowd.folder.clone(),
        folder: Arc::new(Folder::open(&crowd.folder)?),
        builder: ContextBuilder::new(Folder::open(&crowd.folder)?, settings),
        brain: Brain {
            endpoint: Endpoint::custom("scripted", Wire::OpenAi, &crowd.url, None),
            name: "gpt-4o".into(),
            model,
        },
        toolbox: Toolbox::new(tools::all(&ToolSettings::default())),
        permits: Permits::default(),
        habits: Habits::default(),
        servers: None,
    }))
}

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    generate::workspace(folder.path(), 10)?;
    let server = Scripted::start(script()?)?;
    let sessions = figures.runs(SESSIONS).max(SESSIONS / 4);
    let mut words: Vec<OsString> = vec![std::env::current_exe()?.into(), "crowd".into()];
    words.extend([folder.path().into(), server.url().into()]);
    words.extend([sessions, TURNS].map(|count| count.to_string().into()));
    let took = took(1, &words)?;
    let violations = server.violations();
    ensure!(violations.is_empty(), "requests broke rules: {violations:?}");
    let turns = (sessions * TURNS) as f64;
    let asked = server.requests().len() as f64;
    ensure!(asked == turns * 1.5, "{asked} requests for {turns} turns");
    Ok(vec![
        Figure::new(
            format!("a turn of {sessions} sessions at once, ten each"),
            took.cpu / turns,
            "ms",
        ),
        Figure::new("… peak memory of the process", took.memory, "MB").target(MEMORY),
    ])
}

fn script() -> Result<Script> {
    Ok(Script::from_value(json!({"rules": [
        {"when": {"user": "say ok"}, "answer": {"text": "ok"}},
        {"when": {"user": "read the notes"}, "answer":
            {"calls": [{"name": "read_file", "arguments": {"path": "USER.md"}}]}},
        {"when": {"user": "read the notes", "tool": ""}, "answer": {"text": "These are the notes."}},
    ]}))?)
}
