//! `louver doctor`: checks the workspace, its settings and what they cost.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use jiff::Zoned;
use louver_agent::embeddings::Before;
use louver_agent::http::Sender;
use louver_agent::mcp::{Servers, State};
use louver_agent::tools::{Toolbox, recall, sandbox};
use louver_store::notes::{ENDINGS, PassedOver, Source, SourceKind};
use louver_store::session::{Mode, Session, Sessions};
use louver_store::{Problem, Severity, Turn};

use crate::assistant::{self, AgentArgs};
use crate::brain::{self, BrainArgs};
use crate::cli::Shared;
use crate::config::RecallMode;
use crate::error::{Code, Failure, meant};
use crate::screen::{Tone, colour, count, number, plain, toned};
use crate::wiring::{self, Opened};
use crate::{config, gather, remember, screen, talk};

/// Check the workspace, its settings and what they cost.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Do not reach for the model's server or start MCP servers
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    brain: BrainArgs,
}

/// The report, line by line.
#[derive(Default)]
struct Report {
    text: String,
    found: bool,
    /// Problems that are in it: several parts may meet the same.
    told: HashSet<String>,
}

impl Report {
    fn fine(&mut self, what: &str) {
        let _ = writeln!(self.text, "{}  {}", toned("ok  ", Tone::Good, colour()), plain(what));
    }

    fn note(&mut self, what: &str) {
        let _ = writeln!(self.text, "{}  {}", toned("note", Tone::Quiet, colour()), plain(what));
    }

    fn mend(&mut self, what: &str, hint: Option<&str>) {
        self.found = true;
        let _ = writeln!(self.text, "{}  {}", toned("mend", Tone::Odd, colour()), plain(what));
        if let Some(hint) = hint {
            let _ = writeln!(self.text, "      {hint}");
        }
    }

    fn problem(&mut self, problem: &Problem) {
        if !self.told.insert(problem.to_string()) {
            return;
        }
        match problem.severity {
            Severity::Note => self.note(&problem.to_string()),
            _ => self.mend(&problem.to_string(), problem.hint.as_deref()),
        }
    }
}

pub(crate) fn run(shared: &Shared, args: &DoctorArgs) -> Result<ExitCode, Failure> {
    let mut report = Report::default();
    let mut opened = wiring::open(shared, None)?;
    report.fine(&format!("workspace {}", opened.path.display()));
    writes(&opened.path, &mut report);
    settings(&opened, &mut report);
    files(&mut opened, &mut report);
    skills(&mut opened, &mut report);
    size(&mut opened, &mut report);
    sessions(&opened, &mut report);
    tools(&opened, &mut report);
    provider(shared, args, &opened, &mut report)?;
    recall(args, &opened, &mut report)?;
    servers(args, &opened, &mut report)?;
    let here = opened.path.canonicalize().ok();
    for other in wiring::neighbours().filter(|other| other.canonicalize().ok() != here) {
        let other = screen::pasted(&other);
        report.note(&format!(
            "there is another workspace at {other}; `--workspace {other}` opens it"
        ));
    }
    screen::print_toned(&report.text)?;
    Ok(if report.found { Code::Found.into() } else { ExitCode::SUCCESS })
}

fn settings(opened: &Opened, report: &mut Report) {
    let settings = opened.builder.settings();
    let own = config::own_path().filter(|path| path.is_file());
    match own {
        Some(path) => report.fine(&format!("settings {}", path.display())),
        None => {
            let path = config::own_path().unwrap_or_default();
            let path = path.display();
            report.note(&format!("no settings of your own at {path}; the defaults are used"));
        }
    }
    report.fine(&format!("profile {}, model {}", settings.profile.name, settings.model.name));
    opened.problems.iter().for_each(|problem| report.problem(problem));
}

/// Whether conversations can be kept: a disk that is full or may only be read costs every answer.
fn writes(workspace: &Path, report: &mut Report) {
    let own = Some(workspace.join(".louver")).filter(|own| own.is_dir());
    let folder = own.unwrap_or_else(|| workspace.to_owned());
    let file = folder.join(format!(".doctor-{}", std::process::id()));
    let written = File::create_new(&file).and_then(|mut new| {
        let written = new.write_all(&[0; 4096]).and_then(|()| new.sync_all());
        std::fs::remove_file(&file).and(written)
    });
    if let Err(error) = written {
        let what = format!("nothing can be written into {}: {error}", folder.display());
        report.mend(&what, Some("conversations are kept there; no turn can be without it"));
    }
}

/// What of conversations cannot be read.
fn sessions(opened: &Opened, report: &mut Report) {
    let (sessions, mut problems) = Sessions::list(&opened.path);
    // One whose key is lost is told; to open it by its folder's name would look for another.
    for info in sessions.iter().filter(|info| info.key != info.name) {
        match Session::open(&opened.path, &info.key, Mode::Read) {
            Ok((_, odd)) => problems.extend(odd),
            Err(error) => problems.push(Problem::error(info.key.as_str(), error.to_string())),
        }
    }
    problems.iter().for_each(|problem| report.problem(problem));
}

/// Which tools there are, and what confines the programs they run.
fn tools(opened: &Opened, report: &mut Report) {
    let args = AgentArgs::default();
    let mut problems = Vec::new();
    let schemas = assistant::toolbox(&opened.path, &opened.config, &args, &mut problems).schemas();
    let names: Vec<&str> = schemas.iter().map(|schema| &*schema.name).collect();
    report.fine(&format!("tools {}", names.join(", ")));
    problems.extend(assistant::unknown_tools(&opened.config, &args));
    problems.iter().for_each(|problem| report.problem(problem));
    match assistant::permits(&opened.config, &args) {
        Ok(permits) => permits.slips(&schemas).iter().for_each(|slip| report.problem(slip)),
        Err(failure) => {
            report.mend(&failure.to_string(), Some("mend `[permissions]` in your settings"));
        }
    }
    let available = sandbox::available();
    let network = if available.network() { " and the network" } else { "" };
    match available.files() {
        true => report.fine(&format!("exec is confined by Landlock: files{network}")),
        false => report.note(
            "this kernel has no Landlock: what `exec` runs can read and write whatever you can",
        ),
    }
    let exposed = opened.config.exposed();
    if !exposed.is_empty() {
        let path = config::own_path().unwrap_or_default();
        let hint = format!("chmod 600 {}", path.display());
        let what =
            format!("others on this machine can read {} of your settings", exposed.join(", "));
        report.mend(&what, Some(&hint));
    }
}

/// Whether the model can be asked.
fn provider(
    shared: &Shared,
    args: &DoctorArgs,
    opened: &Opened,
    report: &mut Report,
) -> Result<(), Failure> {
    let brain = match brain::brain(shared, &args.brain, &opened.config, &mut Vec::new()) {
        Ok(brain) => brain,
        Err(failure) => {
            report.mend(&format!("no server for the model: {failure}"), failure.first_hint());
            return Ok(());
        }
    };
    let (name, place) = (&brain.endpoint.name, brain.endpoint.place());
    for other in opened.config.providers.keys().filter(|other| *other != name) {
        let args = BrainArgs { provider: Some(other.clone()), url: None };
        if let Err(failure) = brain::endpoint(&args, &opened.config, &brain.model.name) {
            report.mend(&format!("providers.{other}: {failure}"), failure.first_hint());
        }
    }
    if brain.endpoint.lacks_key() {
        let keys = brain.endpoint.provider.map_or_else(String::new, |row| row.keys.join(" or "));
        report.note(&format!("no key for {name}: `louver chat` needs {keys}, or a local model"));
        return Ok(());
    }
    if args.offline {
        report.note(&format!("{name} at {place} was not asked (--offline)"));
        return Ok(());
    }
    match assistant::runtime()?.block_on(Sender::new().models(&brain.endpoint)) {
        Err(error) => report.mend(&error.to_string(), error.hint().as_deref()),
        Ok(models) if models.is_empty() || models.contains(&brain.name) => {
            report.fine(&format!("{name} at {place} answers and has {}", brain.name));
        }
        Ok(models) => {
            let near = meant(&brain.name, models.iter().map(String::as_str));
            let hint = near
                .map_or("`louver models --server` lists what it has".to_owned(), |near| {
                    format!("did you mean `{near}`? `louver models --server` lists all")
                });
            report.mend(&format!("{name} at {place} has no model `{}`", brain.name), Some(&hint));
        }
    }
    Ok(())
}

/// What ranks notes besides the built-in vectors: whether it is there, and how far it has come.
fn recall(args: &DoctorArgs, opened: &Opened, report: &mut Report) -> Result<(), Failure> {
    let config = &opened.config;
    let own = &config.recall;
    if own.vectors.is_none() && own.embeddings.is_none() && own.folders.is_empty() {
        return Ok(());
    }
    let mut problems = Vec::new();
    if assistant::recall_mode(config) == RecallMode::Off {
        report.note("recall is off: its folders, vectors and embeddings are not used");
        return Ok(());
    }
    let shared = assistant::usable_reminder(&opened.path, config, &mut problems);
    problems.iter().for_each(|problem| report.problem(problem));
    let Some(shared) = shared else { return Ok(()) };
    folders(&shared, &config.roots, report);
    if let Some(path) = &config.recall.vectors {
        report.fine(&format!("word vectors {}", path.display()));
    }
    let Some(embedder) = shared.embedder() else { return Ok(()) };
    let (model, name) = (embedder.model(), &embedder.endpoint().name);
    let place = embedder.endpoint().place();
    if args.offline {
        report.note(&format!("embeddings of {name} at {place} were not asked for (--offline)"));
    } else {
        match assistant::runtime()?.block_on(embedder.try_out()) {
            Ok(numbers) => {
                let Before { question, note } = embedder.before();
                let before = match question.is_empty() && note.is_empty() {
                    true => String::new(),
                    false => format!("; before a question {question:?}, before a note {note:?}"),
                };
                report.fine(&format!(
                    "{name} at {place} embeds by {model}, {numbers} numbers a text{before}"
                ));
                if let Some(kept) = shared.compare(numbers) {
                    let what = format!("the vectors of the notes have {kept} numbers");
                    report.mend(&what, Some("`louver recall` embeds them anew"));
                }
            }
            Err(error) => report.mend(&error.to_string(), error.hint().as_deref()),
        }
    }
    if !embedder.endpoint().is_loopback() {
        report.note(&format!("the texts of your notes and questions go to {place}"));
    }
    let (mut reminder, kept_as) = (shared.lock(), embedder.kept_as());
    let counted =
        reminder.as_it_is().and_then(|library| Ok((library.sensed(&kept_as)?, library.len()?)));
    match counted {
        Ok((sensed, notes)) => {
            let rest = match sensed < notes {
                true => "; the others are ranked by word vectors",
                false => "",
            };
            let (sensed, has) = (number(sensed), if notes == 1 { "has" } else { "have" });
            let notes = count(notes, "note");
            report.fine(&format!("{sensed} of {notes} {has} a sentence vector{rest}"));
        }
        Err(error) => report.mend(&error.to_string(), Some(error.hint())),
    }
    Ok(())
}

/// The folders that are read for recall, and how much of them is not.
fn folders(shared: &recall::Shared, roots: &[PathBuf], report: &mut Report) {
    let reminder = shared.lock();
    let mut problems = Vec::new();
    let (listing, places) = (reminder.places().sources(&mut problems), reminder.places());
    for (number, folder) in places.documents.iter().enumerate() {
        let is_its = |source: &&Source| source.kind == SourceKind::Document(number);
        let read = listing.sources.iter().filter(is_its).count() as u64;
        let path = talk::plain_line(&folder.path().display().to_string());
        let rest = listing.passed_over.get(number).map_or_else(String::new, passed_over);
        let beneath =
            |root: &PathBuf| root.canonicalize().is_ok_and(|root| folder.path().starts_with(root));
        let shut = match roots.iter().any(beneath) {
            true => "",
            false => "; tools can open them if `roots` names the folder, too",
        };
        report.fine(&format!("recall reads {} of {path}{rest}{shut}", count(read, "file")));
        let files = listing.sources.iter().filter(is_its);
        problems.extend(files.filter_map(|source| {
            let rel = Path::new(&source.name).strip_prefix(folder.path()).ok()?.to_str()?;
            let problem = Problem::from(&folder.open_file(rel).err()?);
            Some(Problem { path: source.name.clone(), ..problem })
        }));
    }
    problems.iter().for_each(|problem| report.problem(problem));
}

/// What of a folder is not read, and why.
fn passed_over(over: &PassedOver) -> String {
    let PassedOver { endings, links, unnameable } = *over;
    let endings = (endings, "file", format!("only {} are read", ENDINGS.join(", ")));
    let links = (links, "link", "links are not followed".to_owned());
    let unnameable = (unnameable, "name", "only UTF-8 can be asked for".to_owned());
    let all = [endings, links, unnameable].into_iter().filter(|(n, ..)| *n > 0);
    all.map(|(n, of, why)| format!("; {} passed over, {why}", count(n as u64, of))).collect()
}

/// Whether a problem says why an MCP server has no tools.
fn is_of(problem: &Problem, server: &str) -> bool {
    problem.severity > Severity::Note && problem.path == format!("mcp.{server}")
}

/// Whether MCP servers start.
fn servers(args: &DoctorArgs, opened: &Opened, report: &mut Report) -> Result<(), Failure> {
    if opened.config.mcp.is_empty() || args.offline {
        return Ok(());
    }
    assistant::runtime()?.block_on(async {
        let servers = Servers::start(opened.config.mcp.clone(), &opened.path);
        let (tools, mut problems) = servers.tools(std::time::Duration::from_secs(10)).await;
        if let Ok(permits) = assistant::permits(&opened.config, &AgentArgs::default()) {
            problems.extend(permits.slips(&Toolbox::new(tools).schemas()));
        }
        for server in servers.status() {
            match server.state {
                State::Ready => {
                    let version = server.version.unwrap_or_default();
                    let tools = server.tools.len();
                    report.fine(&format!("mcp {} ({version}) has {tools} tools", server.name));
                }
                // What ended it is among the problems.
                _ if problems.iter().any(|problem| is_of(problem, &server.name)) => {}
                _ => {
                    let why = server.last_error.unwrap_or_else(|| "it does not answer".to_owned());
                    report.mend(&format!("mcp {}: {why}", server.name), None);
                }
            }
        }
        problems.iter().for_each(|problem| report.problem(problem));
        servers.stop().await;
    });
    Ok(())
}

fn files(opened: &mut Opened, report: &mut Report) {
    let settings = opened.builder.settings();
    let files: Vec<String> = match &settings.instructions {
        Some(files) => files.clone(),
        None => settings.profile.files.iter().map(|file| (*file).to_owned()).collect(),
    };
    let mut problems = Vec::new();
    let workspace = opened.builder.workspace();
    let there = workspace.documents(files.iter().map(String::as_str), &mut problems);
    let names: Vec<&str> = there.iter().map(|document| &*document.name).collect();
    if names.is_empty() && problems.is_empty() {
        report
            .mend("no instruction file is there", Some("`louver init` writes templates for them"));
    } else {
        report.fine(&format!("instructions {}", names.join(", ")));
    }
    match workspace.memory(&mut problems) {
        Some(memory) => {
            report.fine(&format!("memory {} ({} bytes)", memory.path, memory.text.len()))
        }
        None => report.note("no memory yet"),
    }
    remember::being_made(&opened.path).iter().for_each(|made| report.note(made));
    for waits in remember::waits(&opened.path) {
        report.mend(&waits, Some("turns go on without it; `memory_model` names another model"));
    }
    problems.iter().for_each(|problem| report.problem(problem));
}

fn skills(opened: &mut Opened, report: &mut Report) {
    let (skills, problems) = opened.builder.skills();
    let usable = skills.iter().filter(|skill| skill.available()).count();
    let all = count(skills.len() as u64, "skill");
    report.fine(&format!("{all}, {usable} of them can be used here"));
    for skill in skills.iter().filter(|skill| !skill.available()) {
        report.note(&format!("skill {} needs {}", skill.name, skill.missing_text()));
    }
    problems.iter().for_each(|problem| report.problem(problem));
}

/// What an empty message costs, and which part costs the most.
fn size(opened: &mut Opened, report: &mut Report) {
    let mut problems = Vec::new();
    let extra = gather::commands(&opened.config.layers, &opened.path, &mut problems);
    problems.iter().for_each(|problem| report.problem(problem));
    // What is wrong with tools was told with them.
    let offered = AgentArgs::default();
    let tools = assistant::toolbox(&opened.path, &opened.config, &offered, &mut Vec::new());
    let turn = Turn { now: Some(Zoned::now()), extra, tools: tools.schemas(), ..Turn::default() };
    match opened.builder.first(&turn) {
        Err(error) => report.mend(&error.to_string(), Some(&error.hint())),
        Ok(built) => {
            built.problems.iter().for_each(|problem| report.problem(problem));
            let ledger = &built.context.ledger;
            let largest = ledger.layers.iter().max_by_key(|row| row.given);
            let largest = largest.map_or_else(String::new, |row| {
                format!("; the largest part is {} with {}", row.name, number(row.given.0))
            });
            let (total, budget) = (number(ledger.total.0), number(ledger.budget().0));
            // What servers bring is known when they have started, and is not needed for the rest.
            let more = match opened.config.mcp.is_empty() {
                true => "",
                false => "; the tools of MCP servers come besides",
            };
            report.fine(&format!("a turn starts at {total} of {budget} tokens{largest}{more}"));
            if let Some(most) =
                opened.config.context.warn_tokens.filter(|most| ledger.total.0 > *most)
            {
                report.mend(&format!("that is above `warn_tokens` ({})", number(most)), None);
            }
        }
    }
}
