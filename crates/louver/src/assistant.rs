//! From options and settings to an agent that can be talked to.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use louver_agent::agent::{Agent, Brain, Habits, Parts};
use louver_agent::embeddings::Embedder;
use louver_agent::mcp::Servers;
use louver_agent::permit::Permits;
use louver_agent::tools::web_search::WebSearch;
use louver_agent::tools::{self, ToolSettings, Toolbox, recall};
use louver_agent::web::SearchSettings;
use louver_store::library::{Reminder, read_vectors};
use louver_store::notes::Places;
use louver_store::{ContextBuilder, Folder, Owner, Problem};

use crate::brain::{self, BrainArgs};
use crate::cli::Shared;
use crate::commands::skills;
use crate::config::{self, Config, RecallMode};
use crate::error::{Code, Failure, meant};
use crate::screen;
use crate::wiring;

/// How an agent is used.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct AgentArgs {
    #[command(flatten)]
    pub(crate) brain: BrainArgs,
    /// Let a tool do something without asking, such as `exec` or `exec(git status*)`
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// Never let a tool do something
    #[arg(long, value_name = "RULE")]
    pub(crate) deny: Vec<String>,
    /// Offer the model no tools
    #[arg(long)]
    pub(crate) no_tools: bool,
    /// Take the answer whole instead of piece by piece
    #[arg(long)]
    pub(crate) no_stream: bool,
    /// Others read along: what the agent remembers of you stays out
    #[arg(long)]
    pub(crate) others: bool,
}

/// An agent, and what was found on the way to it.
pub(crate) struct Hired {
    pub(crate) agent: Arc<Agent>,
    pub(crate) config: Config,
    pub(crate) path: PathBuf,
    pub(crate) problems: Vec<Problem>,
}

/// A runtime for one person's conversations.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Code::Failed, format!("no runtime can be made: {error}")))
}

/// The agent that options and settings amount to. Must be called within a runtime.
pub(crate) fn hire(shared: &Shared, args: &AgentArgs) -> Result<Hired, Failure> {
    // Keys are in this process: others of the same person are not to read its memory. Where the
    // system cannot do that, nothing is lost but this.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let mut problems = Vec::new();
    let (path, config) = settled(shared, &mut problems)?;
    let brain = brain::brain(shared, &args.brain, &config, &mut problems)?;
    if brain.endpoint.lacks_key() {
        return Err(no_key(&brain));
    }
    let builder = builder(shared, &config, &path, &brain, &mut problems)?;
    problems.extend(unknown_tools(&config, args));
    let reminder = usable_reminder(&path, &config, &mut problems);
    if recall_mode(&config) == RecallMode::On {
        reminder.iter().for_each(read_notes);
    }
    let toolbox = toolbox_with(&config, args, reminder.clone(), &mut problems);
    let servers = (!config.mcp.is_empty() && !args.no_tools)
        .then(|| Servers::start(config.mcp.clone(), &path));
    let agent = Agent::new(Parts {
        folder: Arc::new(folder(&path, &config)?),
        path: path.clone(),
        builder,
        permits: permits(&config, args)?.at(&path),
        habits: Habits {
            reminder: reminder.filter(|_| recall_mode(&config) == RecallMode::On),
            ..habits(args, &config, &brain, &mut problems)?
        },
        brain,
        toolbox,
        servers,
    });
    Ok(Hired { agent, config, path, problems })
}

/// The workspace and the settings that count in it.
pub(crate) fn settled(
    shared: &Shared,
    problems: &mut Vec<Problem>,
) -> Result<(PathBuf, Config), Failure> {
    let opened = wiring::open(shared, None)?;
    // What it says of the model is said again when the model's server is known.
    problems
        .extend(opened.problems.into_iter().filter(|problem| !problem.path.starts_with("model ")));
    Ok((opened.path, opened.config))
}

/// A builder of contexts for this model.
pub(crate) fn builder(
    shared: &Shared,
    config: &Config,
    path: &std::path::Path,
    brain: &Brain,
    problems: &mut Vec<Problem>,
) -> Result<ContextBuilder, Failure> {
    let rules = brain::rules(&brain.endpoint);
    let mut settings = wiring::settings(shared, config, Some(rules), &mut Vec::new())?;
    settings.model = brain.model.clone();
    let mut folder = Folder::open(path)?;
    for root in &config.roots {
        match Folder::open(root) {
            Ok(root) => folder = folder.with_root(root),
            Err(error) => problems.push((&error).into()),
        }
    }
    Ok(ContextBuilder::new(folder, settings))
}

/// The workspace and its roots, for tools.
pub(crate) fn folder(path: &std::path::Path, config: &Config) -> Result<Folder, Failure> {
    let mut folder = Folder::open(path)?;
    for root in &config.roots {
        // One that cannot be opened was reported when the workspace was.
        if let Ok(root) = Folder::open(root) {
            folder = folder.with_root(root);
        }
    }
    Ok(folder)
}

/// The tools that settings and options leave on offer.
pub(crate) fn toolbox(
    path: &std::path::Path,
    config: &Config,
    args: &AgentArgs,
    problems: &mut Vec<Problem>,
) -> Toolbox {
    // What is odd about recall is told by who recalls. The library itself is opened when a tool first
    // asks it: a look at the tools opens none.
    let reminder = usable_reminder(path, config, &mut Vec::new());
    toolbox_with(config, args, reminder, problems)
}

/// Whose sessions are the owner's.
pub(crate) fn owner(config: &Config) -> Owner {
    config.recall.owner.as_ref().map_or_else(Owner::default, Owner::of)
}

/// When something is recalled.
pub(crate) fn recall_mode(config: &Config) -> RecallMode {
    config.recall.mode.unwrap_or_default()
}

/// What reminds turns of what was said before, unless it is off or its settings do not work: one part that
/// is broken does not stop the rest.
pub(crate) fn usable_reminder(
    path: &std::path::Path,
    config: &Config,
    problems: &mut Vec<Problem>,
) -> Option<recall::Shared> {
    let shared = match plain_reminder(path, config, problems) {
        Ok(shared) => shared?,
        Err(failure) => {
            problems.push(failure.warning("nothing is recalled"));
            return None;
        }
    };
    let embedder = brain::embedder(config).unwrap_or_else(|failure| {
        problems.push(failure.warning("recall goes on without `[recall.embeddings]`"));
        None
    });
    Some(with_embedder(shared, embedder))
}

/// The same, where nothing can be done without it.
pub(crate) fn reminder(
    path: &std::path::Path,
    config: &Config,
    problems: &mut Vec<Problem>,
) -> Result<Option<recall::Shared>, Failure> {
    let shared = plain_reminder(path, config, problems)?;
    let embedder = brain::embedder(config)?;
    Ok(shared.map(|shared| with_embedder(shared, embedder)))
}

fn with_embedder(shared: recall::Shared, embedder: Option<Embedder>) -> recall::Shared {
    match embedder {
        Some(embedder) => shared.with_embedder(embedder),
        None => shared,
    }
}

/// What reminds by words and their vectors.
fn plain_reminder(
    path: &std::path::Path,
    config: &Config,
    problems: &mut Vec<Problem>,
) -> Result<Option<recall::Shared>, Failure> {
    if recall_mode(config) == RecallMode::Off {
        return Ok(None);
    }
    let (mut documents, mut away) = (Vec::new(), Vec::new());
    for folder in &config.recall.folders {
        if folder.as_os_str().is_empty() {
            let problem = Problem::warning("recall.folders", "one of them has no name");
            problems.push(problem.hint("take `\"\"` out of the `folders` of `recall`"));
            continue;
        }
        if folder.is_relative() {
            let what = format!(
                "`{}` would be another folder wherever louver is started",
                folder.display()
            );
            let problem = Problem::warning("recall.folders", what);
            problems.push(problem.hint("begin it with `/` or `~/`"));
            continue;
        }
        match Folder::open(folder) {
            Ok(folder) => documents.push(folder),
            Err(error) => {
                away.push(folder.clone());
                let hint = "if it is away for now, notes it had can still be recalled; if not, take it out of the `folders` of `recall`";
                problems.push(Problem::from(&error).hint(hint));
            }
        }
    }
    let places = Places { folder: Folder::open(path)?, documents, away, owner: owner(config) };
    let mut reminder = Reminder::new(path, places, config.recall.budget);
    if let Some(path) = &config.recall.vectors {
        // Going on with other vectors would make the whole index again, now and once more later.
        let table = read_vectors(path).map_err(|error| {
            let failure = Failure::new(Code::Workspace, &error).hint(error.hint());
            failure.at(&config::in_own("[recall]"))
        })?;
        reminder = reminder.with_vectors(table);
    }
    Ok(Some(recall::Shared::new(reminder)))
}

/// Takes new notes in before the first turn does, where how far it is can be shown: the first time, over years
/// of messages, it would look as if nothing happened. What goes wrong, the turn tells.
pub(crate) fn read_notes(reminder: &recall::Shared) {
    let mut reminder = reminder.lock();
    let _ = reminder.library(&mut screen::reading());
}

/// The tools that settings and options leave on offer, with those that ask this library.
pub(crate) fn toolbox_with(
    config: &Config,
    args: &AgentArgs,
    reminder: Option<recall::Shared>,
    problems: &mut Vec<Problem>,
) -> Toolbox {
    if args.no_tools {
        return Toolbox::default();
    }
    let tools = config.tools.clone().unwrap_or_default();
    let search = tools.search.as_ref().map_or(Ok(None), search).unwrap_or_else(|failure| {
        problems.push(failure.warning("there is no `web_search`"));
        None
    });
    let settings = ToolSettings {
        exec: tools.exec,
        web: tools.web,
        search,
        reminder,
        guarded: config.guarded(),
    };
    let off: Vec<&str> = tools.off.iter().map(String::as_str).collect();
    Toolbox::new(tools::all(&settings)).without(&off)
}

/// What searches the web.
fn search(own: &SearchSettings) -> Result<Option<WebSearch>, Failure> {
    own.key.as_ref().map(config::private).transpose()?;
    WebSearch::new(own, |name| std::env::var(name).ok())
        .map_err(|error| Failure::new(Code::Workspace, error).at(&config::in_own("[tools.search]")))
}

/// What tools may do.
pub(crate) fn permits(config: &Config, args: &AgentArgs) -> Result<Permits, Failure> {
    let mut rules = config.permissions.clone();
    rules.allow.extend(args.allow.iter().cloned());
    rules.deny.extend(args.deny.iter().cloned());
    let permits = Permits::new(&rules).map_err(|error| Failure::new(Code::Usage, error))?;
    Ok(permits.guarding(config.guarded()))
}

/// Names in settings and options that are no tool's: a rule with one does nothing.
pub(crate) fn unknown_tools(config: &Config, args: &AgentArgs) -> Vec<Problem> {
    let unknown = |place: &str, name: &str, what: &str| {
        let problem = Problem::warning(place, format!("there is no tool `{name}`; {what}"));
        match meant(name, tools::NAMES.iter().copied()) {
            Some(known) => problem.hint(format!("did you mean `{known}`?")),
            None => problem.hint(format!("tools: {}", tools::NAMES.join(", "))),
        }
    };
    let mut problems = Vec::new();
    for name in config.tools.iter().flat_map(|tools| &tools.off) {
        if name.starts_with("mcp_") {
            let what =
                format!("`{name}` is still offered: tools of MCP servers are not turned off here");
            let hint = "name those that you want in `tools` of its `[mcp.NAME]`";
            problems.push(Problem::warning("[tools] off", what).hint(hint));
        } else if !tools::NAMES.contains(&name.as_str()) {
            problems.push(unknown("[tools] off", name, "nothing is turned off by it"));
        }
    }
    if let Ok(permits) = permits(config, args) {
        let rules = permits.unknown(tools::NAMES);
        problems.extend(rules.map(|name| unknown("permissions", name, "the rule does nothing")));
    }
    problems
}

/// Skills that were asked for by name must be there.
pub(crate) fn check_skills(shared: &Shared, names: &[String]) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    let mut builder = wiring::open(shared, None)?.builder;
    names.iter().try_for_each(|name| skills::named(&mut builder, name).map(drop))
}

fn habits(
    args: &AgentArgs,
    config: &Config,
    brain: &Brain,
    problems: &mut Vec<Problem>,
) -> Result<Habits, Failure> {
    let usual = Habits::default();
    let own = &config.agent;
    let memory_brain = match &own.memory_model {
        Some(name) => {
            let shared = Shared { model: Some(name.clone()), ..Shared::default() };
            // Memory is made where the conversation is, when that was said.
            let model = wiring::model(&shared, config, problems)?;
            Some(brain::another(&args.brain, config, brain, model)?)
        }
        None => None,
    };
    Ok(Habits {
        max_iterations: own.max_iterations.unwrap_or(usual.max_iterations),
        stream: own.stream.unwrap_or(usual.stream) && !args.no_stream,
        temperature: own.temperature,
        effort: own.effort,
        memory_window: own.memory_window.unwrap_or(usual.memory_window),
        durability: config.session.durability(),
        memory_brain,
        reminder: None,
        owner: owner(config),
    })
}

/// There is no key: what to set, and how to do without.
pub(crate) fn no_key(brain: &Brain) -> Failure {
    let server = &brain.endpoint.name;
    let failure = Failure::new(Code::Workspace, format!("no key for `{server}`"));
    let Some(provider) = brain.endpoint.provider else { return failure };
    let key = provider.keys.first().copied().unwrap_or("its key");
    let own = config::own_path().map_or_else(String::new, |path| path.display().to_string());
    failure
        .hint(format!("export {key}=… ({}), or put `providers.{server}.key = \"…\"` at the top of {own}", provider.help))
        .hint("or run a model of your own, without a key: install Ollama, `ollama pull llama3.2`, then \
               `louver chat --model ollama/llama3.2 --provider ollama`")
        .hint("`louver init` finds a local server and asks for a provider")
}
