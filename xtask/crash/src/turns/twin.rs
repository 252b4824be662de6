//! An agent that lacks a safeguard: it says that a step is kept before it is, or runs a call twice.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use louver_agent::agent::{Agent, Brain, Habits, Inbound, Parts, Stop};
use louver_agent::happening::Happening;
use louver_agent::permit::{PermitConfig, Permits};
use louver_agent::provider::{Endpoint, Wire};
use louver_agent::tools::{self, Desk, Running, Tool, ToolSettings, Toolbox};
use louver_context::Model;
use louver_context::snapshot::ToolSchema;
use louver_store::{ContextBuilder, Folder, Settings};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use super::KEY;
use crate::writer::Safeguard;

/// What a twin is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The workspace.
    #[arg(long)]
    workspace: PathBuf,
    /// Where the model is.
    #[arg(long)]
    url: String,
    /// Which safeguard it does without.
    #[arg(long, value_enum)]
    without: Safeguard,
    /// What is said.
    said: String,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(talk(args))
}

async fn talk(args: &Args) -> Result<()> {
    let agent = agent(&args.workspace, &args.url, args.without)?;
    let (ears, mut heard) = unbounded_channel();
    let stop = Stop::default();
    let turn = async {
        let ears = ears;
        agent.turn(Inbound::said(KEY, &args.said), &ears, &stop).await
    };
    let listen = async {
        while let Some(happening) = heard.recv().await {
            if let Some(line) = line(&happening, args.without) {
                println!("{line}");
            }
        }
    };
    let (outcome, ()) = tokio::join!(turn, listen);
    println!("{}", json!({"event": "end", "text": outcome?.text}));
    Ok(())
}

/// What is said of it: with order as `louver ask --json` does, else as soon as it has begun.
fn line(happening: &Happening, without: Safeguard) -> Option<Value> {
    let early = without == Safeguard::Order;
    match happening {
        Happening::Calls { id, .. } if early => Some(json!({"event": "result", "id": id})),
        Happening::Returned { id, .. } if !early => Some(json!({"event": "result", "id": id})),
        Happening::Sending(_) if early => Some(json!({"event": "replied"})),
        Happening::Replied { .. } if !early => Some(json!({"event": "replied"})),
        _ => None,
    }
}

fn agent(workspace: &Path, url: &str, without: Safeguard) -> Result<Arc<Agent>> {
    // No vocabulary has to be looked at: one word is one token.
    let model = Model::of_words(100_000, 4_000);
    let settings = Settings { model: model.clone(), built_in_skills: false, ..Settings::default() };
    let rules = PermitConfig { allow: vec!["exec".into()], ..PermitConfig::default() };
    let mut tools = tools::all(&ToolSettings::default());
    if without == Safeguard::Once {
        tools = tools.into_iter().map(|tool| Arc::new(Twice(tool)) as Arc<dyn Tool>).collect();
    }
    Ok(Agent::new(Parts {
        path: workspace.to_owned(),
        folder: Arc::new(Folder::open(workspace)?),
        builder: ContextBuilder::new(Folder::open(workspace)?, settings),
        brain: Brain {
            endpoint: Endpoint::custom("scripted", Wire::OpenAi, url, None),
            name: "scripted".into(),
            model,
        },
        toolbox: Toolbox::new(tools),
        permits: Permits::new(&rules)?,
        habits: Habits::default(),
        servers: None,
    }))
}

/// A tool that is run again when it is done.
struct Twice(Arc<dyn Tool>);

impl Tool for Twice {
    fn schema(&self) -> ToolSchema {
        self.0.schema()
    }

    fn only_reads(&self) -> bool {
        self.0.only_reads()
    }

    fn run<'a>(&'a self, arguments: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            self.0.run(arguments.clone(), desk).await;
            self.0.run(arguments, desk).await
        })
    }
}
