//! `louver tool`: runs one tool by hand, as the agent would: same confinement, same permissions.

use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use louver_agent::mcp::Servers;
use louver_agent::permit::{Permits, Verdict};
use louver_agent::tools::{Desk, Output, Toolbox, Wish};
use louver_context::fence::{attribute, fence};
use louver_context::prompt::tool_text;
use louver_context::snapshot::ToolSchema;
use louver_context::{Counter, ToolCall};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::assistant::{self, AgentArgs};
use crate::cli::Shared;
use crate::config::Config;
use crate::error::{Code, Failure, meant, warn};
use crate::screen::{self, Tone};
use crate::{talk, wiring};

/// The session that a tool by hand is run in.
const SESSION: &str = "cli:tool";

/// Run one tool by hand, to see what the agent can do.
#[derive(Debug, Args)]
pub(crate) struct ToolArgs {
    /// The tool; without one, all tools are listed
    name: Option<String>,
    /// Its arguments, as a JSON object
    #[arg(default_value = "{}")]
    arguments: String,
    /// Let it do something without asking, such as `exec`
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
    /// Print what it gives back as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(shared: &Shared, args: &ToolArgs) -> Result<ExitCode, Failure> {
    assistant::runtime()?.block_on(async {
        let mut problems = Vec::new();
        let (path, config) = assistant::settled(shared, &mut problems)?;
        let agent = AgentArgs { allow: args.allow.clone(), ..AgentArgs::default() };
        let reminder = assistant::usable_reminder(&path, &config, &mut problems);
        let mut toolbox = assistant::toolbox_with(&config, &agent, reminder, &mut problems);
        // Held until the end: dropping it ends the servers.
        let servers = Servers::start(config.mcp.clone(), &path);
        if !config.mcp.is_empty() {
            let (tools, odd) = servers.tools(std::time::Duration::from_secs(10)).await;
            toolbox = toolbox.with(tools);
            problems.extend(odd);
        }
        let permits = assistant::permits(&config, &agent)?.at(&path);
        problems.extend(permits.slips(&toolbox.schemas()));
        warn(&problems);
        let Some(name) = &args.name else { return list(shared, args, &config, &toolbox) };
        let call = ToolCall {
            id: "by hand".into(),
            name: name.as_str().into(),
            arguments: args.arguments.as_str().into(),
            extra: Default::default(),
        };
        let (tool, arguments) =
            toolbox.find(&call).map_err(|wrong| unusable(name, &toolbox, &wrong))?;
        permitted(args, &permits, &tool.schema(), &arguments)?;
        let (out, wishes) = unbounded_channel();
        let folder = Arc::new(assistant::folder(&path, &config)?);
        let others = assistant::owner(&config).is_company(SESSION, false);
        let desk = Desk {
            folder: Desk::folder_for(&folder, others),
            session: SESSION.into(),
            channel: "cli".into(),
            chat: "tool".into(),
            others,
            kept: Arc::new(|_| None),
            in_view: Arc::default(),
            started: Arc::default(),
            out,
        };
        let output = tokio::select! {
            output = tool.run(arguments, &desk) => output,
            _ = tokio::signal::ctrl_c() => Output::failed("stopped"),
        };
        print(args, name, &output, wishes)?;
        Ok(if output.failed { Code::Failed.into() } else { ExitCode::SUCCESS })
    })
}

fn unusable(name: &str, toolbox: &Toolbox, wrong: &Output) -> Failure {
    let schemas = toolbox.schemas();
    let failure = Failure::new(Code::Usage, &wrong.words);
    match schemas.iter().find(|schema| &*schema.name == name) {
        Some(schema) => failure.hint(format!("its arguments are {}", schema.parameters)),
        None => match meant(name, schemas.iter().map(|schema| &*schema.name)) {
            Some(known) => failure.hint(format!("did you mean `{known}`?")),
            None => failure.hint("`louver tool` lists all tools"),
        },
    }
}

/// Asks where the agent would be asked.
fn permitted(
    args: &ToolArgs,
    permits: &Permits,
    tool: &ToolSchema,
    arguments: &Value,
) -> Result<(), Failure> {
    let name = &*tool.name;
    let refused = |why: &str| Failure::new(Code::Failed, format!("`{name}` was not run: {why}"));
    match permits.verdict(tool, arguments) {
        Verdict::Allow => return Ok(()),
        Verdict::Deny => return Err(refused("the settings deny it").hint("see `[permissions]`")),
        Verdict::Ask => {}
    }
    if args.json || !io::stdin().is_terminal() {
        return Err(refused("it needs your word").hint(format!("add `--allow {name}`")));
    }
    let mut err = io::stderr().lock();
    let _ = write!(err, "run {}? [y]es, [n]o: ", talk::hint(name, arguments));
    let _ = err.flush();
    let mut line = String::new();
    let _ = io::stdin().read_line(&mut line);
    match line.trim() {
        "y" | "yes" => Ok(()),
        _ => Err(refused("you said no")),
    }
}

/// Prints what a model would be told.
fn print(
    args: &ToolArgs,
    name: &str,
    output: &Output,
    mut wishes: UnboundedReceiver<Wish>,
) -> Result<(), Failure> {
    while let Ok(wish) = wishes.try_recv() {
        match wish {
            Wish::Say { channel, chat, text } => {
                screen::message(&format!("{channel}:{chat}"), &talk::plain(&text), Tone::Good);
            }
            Wish::Spawn { label, .. } => {
                screen::message(
                    "note",
                    &format!("subagent `{label}` is not started by hand"),
                    Tone::Quiet,
                );
            }
        }
    }
    if args.json {
        let text = json!({"words": output.words, "data": output.data, "failed": output.failed});
        return Ok(screen::print(&text.to_string())?);
    }
    let mut text = talk::plain(&output.words);
    if let Some(data) = &output.data {
        let fence = fence("tool_output", &format!("from=\"{}\"", attribute(name)), data);
        let gap = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{gap}{}\n{}\n{}", fence.open, talk::plain(data), fence.close));
    }
    Ok(screen::print(&text)?)
}

/// All tools: what they cost in every request, and whether they are asked about.
fn list(
    shared: &Shared,
    args: &ToolArgs,
    config: &Config,
    toolbox: &Toolbox,
) -> Result<ExitCode, Failure> {
    let schemas = toolbox.schemas();
    if args.json {
        let tool = |schema: &louver_context::snapshot::ToolSchema| {
            json!({
                "name": &*schema.name,
                "description": schema.description,
                "parameters": schema.parameters,
            })
        };
        let all: Vec<Value> = schemas.iter().map(tool).collect();
        screen::print(&serde_json::to_string_pretty(&all).unwrap_or_default())?;
        return Ok(ExitCode::SUCCESS);
    }
    let model = wiring::model(shared, config, &mut Vec::new())?;
    let counter = Counter::new(model.counting);
    let permits = assistant::permits(config, &AgentArgs::default())?;
    let mut total = 0;
    let mut text = String::new();
    for schema in schemas.iter() {
        let tokens = counter.count(&tool_text(schema)).0;
        total += tokens;
        let verdict = match permits.verdict(schema, &json!({})) {
            Verdict::Allow => "",
            Verdict::Ask => "(asks) ",
            Verdict::Deny => "(denied) ",
        };
        let what = format!("{:<14} {tokens:>5}  {verdict}{}", schema.name, schema.description);
        text.push_str(&screen::clip(&talk::plain(&what).replace('\n', " "), screen::width()));
        text.push('\n');
    }
    text.push_str(&format!("{:<14} {total:>5}  tokens in every request\n", "total"));
    screen::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
