//! `louver show`: the context a message would be sent with, and the account of it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use jiff::Zoned;
use louver_agent::agent::Habits;
use louver_agent::provider::{self, Ask, Wire};
use louver_context::render::{anthropic, openai, text};
use louver_context::snapshot::Note;
use louver_context::{Context, DoesNotFit, Message, Rules};
use louver_store::import;
use louver_store::library::{Just, LibraryError};
use louver_store::session::{Mode, Session};
use louver_store::{Built, Conversation, Problem, Turn, TurnError, pictures};
use serde_json::Value;

use crate::assistant::{self, AgentArgs};
use crate::brain::{self, BrainArgs};
use crate::cli::Shared;
use crate::config::RecallMode;
use crate::error::{Code, Failure, warn};
use crate::wiring::{self, Opened};
use crate::{gather, moment, screen, table};

/// Show the context a message would be sent with: where each part comes from and what it costs.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// What the person says; `-` reads stdin. `$NAME` brings in the skill of that name
    #[arg(default_value = "")]
    message: String,
    /// Print the request in this form instead of the account: its messages and tools as they would be sent
    #[arg(long = "as", value_enum, value_name = "FORM", conflicts_with = "json")]
    form: Option<Form>,
    /// Print the account as JSON, every span of it
    #[arg(long)]
    json: bool,
    /// The conversation so far: OpenAI-style messages, as a JSON list or one a line
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// The conversation to go on with, by its key such as `cli:direct`
    #[arg(long, value_name = "KEY", conflicts_with = "history")]
    session: Option<String>,
    /// An earlier turn of it exactly as it was sent, counted from one; with `--as` the whole request, as the
    /// settings of now reach its model
    #[arg(long, value_name = "N", requires = "session")]
    turn: Option<usize>,
    /// A picture that comes with the message; repeat for more
    #[arg(long, value_name = "FILE")]
    media: Vec<PathBuf>,
    /// Skills to bring in whole
    #[arg(long = "skill", value_name = "NAME")]
    skills: Vec<String>,
    /// The channel the message comes by
    #[arg(long, default_value = "cli", value_name = "NAME")]
    channel: String,
    /// The chat within that channel
    #[arg(long, default_value = "direct", value_name = "ID")]
    chat_id: String,
    /// Leave out the tools
    #[arg(long)]
    no_tools: bool,
    /// Others read along: what the agent remembers of you stays out
    #[arg(long)]
    others: bool,
    /// The time the model is told, such as 2026-03-10T09:15 [default: now]
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
}

/// The forms in which a request can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// OpenAI's chat completions
    Openai,
    /// Anthropic's messages
    Anthropic,
    /// The words alone, for people
    Text,
}

pub(crate) fn run(shared: &Shared, args: &ShowArgs) -> Result<ExitCode, Failure> {
    let mut opened = open(shared, args)?;
    if let (Some(key), Some(turn)) = (&args.session, args.turn) {
        return sent(shared, args, &opened.path, key, turn);
    }
    let turn = turn(args, &mut opened)?;
    let built = match &args.session {
        Some(key) => next(&mut opened, key, &turn)?,
        None => opened.builder.first(&turn),
    };
    let built = match built {
        Ok(built) => built,
        Err(error) => {
            warn(&opened.problems);
            return Err(error.into());
        }
    };
    opened.problems.extend(built.problems);
    warn(&opened.problems);
    warn_size(&opened, &built.context);
    put(args, &shown(args, &opened, &built.context)?)?;
    Ok(ExitCode::SUCCESS)
}

fn open(shared: &Shared, args: &ShowArgs) -> Result<Opened, Failure> {
    let rules = match args.form {
        Some(Form::Openai) => Some(Rules::OPENAI),
        Some(Form::Anthropic) => Some(Rules::ANTHROPIC),
        _ => None,
    };
    wiring::open(shared, rules)
}

/// The context that a real conversation would go on with. Nothing is written.
fn next(opened: &mut Opened, key: &str, turn: &Turn) -> Result<Result<Built, DoesNotFit>, Failure> {
    if Session::open(&opened.path, key, Mode::Read).is_err()
        && let Some(found) = import::foreign(&opened.path, key)
    {
        let turn = Turn { history: found.messages(), ..turn.clone() };
        return Ok(opened.builder.first(&turn));
    }
    let conversation = Conversation::of(super::sessions::open(&opened.path, key)?);
    match conversation.preview(&mut opened.builder, turn) {
        Ok(ready) => Ok(Ok(Built { context: ready.context, problems: ready.problems })),
        Err(TurnError::DoesNotFit(error)) => Ok(Err(error)),
        Err(error) => Err(Failure::new(Code::Failed, error)),
    }
}

/// Shows an earlier turn as it was sent, to the model that got it: whichever is named now, the chat may have
/// gone on with another.
fn sent(
    shared: &Shared,
    args: &ShowArgs,
    workspace: &Path,
    key: &str,
    turn: usize,
) -> Result<ExitCode, Failure> {
    let failed = |error: TurnError| Failure::new(Code::Failed, error);
    let conversation = Conversation::of(super::sessions::open(workspace, key)?);
    let got = Some(conversation.sent_to(turn).map_err(failed)?).filter(|name| !name.is_empty());
    let shared = &Shared { model: got.or_else(|| shared.model.clone()), ..shared.clone() };
    let opened = &open(shared, args)?;
    let context = conversation.sent(&opened.builder, turn).map_err(failed)?;
    warn(&opened.problems);
    let wire = match args.form {
        Some(Form::Openai) => Some(Wire::OpenAi),
        Some(Form::Anthropic) => Some(Wire::Anthropic),
        Some(Form::Text) | None => None,
    };
    let body = wire.and_then(|wire| body(shared, opened, key, &context, wire));
    if wire.is_some() && body.is_none() {
        let what = "the settings reach its model in another way: messages and tools are as they were sent, \
                    what stands around them is not";
        screen::message("note", what, screen::Tone::Quiet);
    }
    let text = match body {
        Some(body) => serde_json::to_string_pretty(&body).map_err(anyhow::Error::from)?,
        None => shown(args, opened, &context)?,
    };
    put(args, &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what is shown; the table has tones.
fn put(args: &ShowArgs, text: &str) -> anyhow::Result<()> {
    match args.form.is_none() && !args.json {
        true => screen::print_toned(text),
        false => screen::print(text),
    }
}

/// The request of a turn as its server got it, when the settings reach its model by this protocol.
fn body(
    shared: &Shared,
    opened: &Opened,
    key: &str,
    context: &Context,
    wire: Wire,
) -> Option<Value> {
    let shared = Shared { model: Some(context.ledger.model.to_string()), ..shared.clone() };
    let brain =
        brain::brain(&shared, &BrainArgs::default(), &opened.config, &mut Vec::new()).ok()?;
    let own = &opened.config.agent;
    let ask = Ask {
        stream: own.stream.unwrap_or(Habits::default().stream),
        session: key,
        temperature: own.temperature,
        effort: own.effort,
        ..Ask::new(&brain.name, &context.prompt, brain.model.reply.0)
    };
    let request = provider::request(&brain.endpoint, &ask);
    serde_json::from_slice(&request.body).ok().filter(|_| brain.endpoint.wire == wire)
}

fn shown(args: &ShowArgs, opened: &Opened, context: &Context) -> anyhow::Result<String> {
    let model = &opened.builder.settings().model;
    let reply = model.reply.0;
    Ok(match args.form {
        Some(Form::Openai) => {
            let request = openai::Request { model: &model.name, prompt: &context.prompt, reply };
            serde_json::to_string_pretty(&request)?
        }
        Some(Form::Anthropic) => {
            let request = anthropic::request(&model.name, &context.prompt, reply);
            serde_json::to_string_pretty(&request)?
        }
        Some(Form::Text) => text::render(&context.prompt),
        None if args.json => serde_json::to_string_pretty(&context.ledger)?,
        None => table::ledger(&context.ledger, screen::width(), screen::colour()),
    })
}

/// What is new in this turn.
fn turn(args: &ShowArgs, opened: &mut Opened) -> Result<Turn, Failure> {
    let message = match args.message.as_str() {
        "-" => read_stdin()?,
        message => message.to_owned(),
    };
    let history = match &args.history {
        Some(path) => history(path, &mut opened.problems)?,
        None => Vec::new(),
    };
    let (pictures, odd) = pictures::read(&args.media);
    opened.problems.extend(odd);
    check_skills(args, opened)?;
    let extra = gather::commands(&opened.config.layers, &opened.path, &mut opened.problems);
    // Those of MCP servers are not started for a look.
    let offered = AgentArgs { no_tools: args.no_tools, ..AgentArgs::default() };
    let problems = &mut opened.problems;
    let tools = assistant::toolbox(&opened.path, &opened.config, &offered, problems).schemas();
    let now = args.now.as_deref().map_or_else(|| Ok(Zoned::now()), moment::parse)?;
    let others = in_company(args, opened);
    let recalled = recalled(args, opened, &message, &now);
    Ok(Turn {
        message,
        history,
        pictures,
        skills: args.skills.clone(),
        channel: Some(args.channel.clone()),
        chat: Some(args.chat_id.clone()),
        now: Some(now),
        recalled,
        extra,
        tools,
        others,
        ..Turn::default()
    })
}

/// Whether the conversation is one in which nothing may be known that is remembered of the person, as a turn in it would be.
fn in_company(args: &ShowArgs, opened: &mut Opened) -> bool {
    let new = || format!("{}:{}", args.channel, args.chat_id);
    let key = args.session.clone().unwrap_or_else(new);
    let owner = assistant::owner(&opened.config);
    let others = owner.is_company(&key, args.others);
    if others && !args.others && opened.builder.workspace().memory(&mut Vec::new()).is_some() {
        opened.problems.push(owner.stays_out(&key));
    }
    others
}

/// What the turn would be reminded of. A history from a file is no conversation here, and nothing is recalled for it.
fn recalled(args: &ShowArgs, opened: &mut Opened, message: &str, now: &Zoned) -> Vec<Note> {
    let new = || format!("{}:{}", args.channel, args.chat_id);
    let key = &args.session.clone().unwrap_or_else(new);
    let asks = args.history.is_none() && !message.trim().is_empty();
    if !asks || assistant::recall_mode(&opened.config) != RecallMode::On {
        return Vec::new();
    }
    let shared = assistant::usable_reminder(&opened.path, &opened.config, &mut opened.problems);
    let Some(shared) = shared else { return Vec::new() };
    assistant::read_notes(&shared);
    // Without a session what is shown is the first turn of one, which sees no message of it.
    let session = args.session.is_some().then(|| Session::open(&opened.path, key, Mode::Read));
    let view = match session {
        Some(Ok((session, _))) => session.view().0.messages,
        _ => Vec::new(),
    };
    // A look asks no server, so notes are ranked by the built-in vectors.
    let (others, sense) = (args.others, None);
    let just = Just { text: message, now: Some(now), session: key, others, sense };
    let reminded = shared.lock().remind(&just, &view, &opened.builder.recipe());
    // A turn goes on without it, and says so.
    let problem =
        |error: LibraryError| Problem::warning("recall", error.to_string()).hint(error.hint());
    reminded.unwrap_or_else(|error| {
        opened.problems.push(problem(error));
        Vec::new()
    })
}

/// A skill that was asked for by name must be there.
fn check_skills(args: &ShowArgs, opened: &mut Opened) -> Result<(), Failure> {
    for name in &args.skills {
        super::skills::named(&mut opened.builder, name)?;
    }
    Ok(())
}

fn read_stdin() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).context("stdin")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The most that is read of a history.
const MOST_HISTORY: u64 = 256 * 1024 * 1024;

fn history(path: &Path, problems: &mut Vec<Problem>) -> anyhow::Result<Vec<Arc<Message>>> {
    let shown = path.display().to_string();
    anyhow::ensure!(path.is_file(), "{shown}: there is no such file");
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| shown.clone())?;
    file.take(MOST_HISTORY).read_to_end(&mut bytes).with_context(|| shown.clone())?;
    let (messages, bad) = openai::read_history(&String::from_utf8_lossy(&bytes));
    for (line, what) in bad.iter().take(5) {
        let line = u32::try_from(*line).unwrap_or(u32::MAX);
        problems.push(Problem::warning(&shown, format!("left out: {what}")).at(line));
    }
    if bad.len() > 5 {
        problems.push(Problem::warning(&shown, format!("{} more lines like that", bad.len() - 5)));
    }
    anyhow::ensure!(
        !messages.is_empty() || bad.is_empty(),
        "{shown}: no message in it could be read (it must be OpenAI-style JSON)"
    );
    Ok(messages)
}

/// Warns above the number of tokens that the settings name.
fn warn_size(opened: &Opened, context: &Context) {
    let total = context.ledger.total.0;
    if let Some(most) = opened.config.context.warn_tokens.filter(|most| total > *most) {
        let (total, most) = (screen::number(total), screen::number(most));
        let what = format!("the context has {total} tokens; `warn_tokens` is {most}");
        screen::message("warning", &what, screen::Tone::Odd);
    }
}
