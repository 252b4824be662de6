//! `louver sessions`: list, add up, show, search, append, export, repair and fork conversations.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use louver_agent::spent::Spent;
use louver_context::message::{Message, Role};
use louver_context::render::{openai, text};
use louver_store::export;
use louver_store::import::{self, Found};
use louver_store::session::{Durability, Mode, Session, SessionError, SessionInfo, Sessions};
use louver_store::{Problem, Severity};
use serde_json::{Value, json};

use crate::cli::Shared;
use crate::error::{Code, Failure, meant, warn};
use crate::screen::{clip, number};
use crate::{moment, screen, took, wiring};

/// List, show, search, append, export, repair and fork conversations.
#[derive(Debug, Args)]
pub(crate) struct SessionsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Every conversation, the one that was used last first
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// The messages of a conversation as the model would see them
    Show {
        /// The conversation's key, such as `cli:direct`
        key: String,
        /// In which form
        #[arg(long = "as", value_enum, default_value = "text", value_name = "FORM")]
        form: Form,
    },
    /// What was paid for every conversation, and in all: answers, memory and subagents
    Cost,
    /// Find words in every conversation
    Search {
        /// The words: a message has all of them, in any order, and "a phrase" in quotes as it is written; case
        /// does not matter
        words: String,
        /// Only in this conversation
        #[arg(long, value_name = "KEY")]
        session: Option<String>,
    },
    /// Add a message to a conversation without asking a model
    Append {
        /// The conversation's key; it is made when it is new
        key: String,
        /// What was said
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// By whom
        #[arg(long, value_enum, default_value = "user")]
        role: By,
    },
    /// Write a conversation to stdout, for other programs
    Export {
        /// The conversation's key
        key: String,
        /// In which form
        #[arg(long = "to", value_enum, default_value = "nanobot", value_name = "FORM")]
        form: ExportForm,
    },
    /// Open a conversation for writing, which mends a torn end, and report what is wrong with it
    Repair {
        /// The conversation's key; all of them when it is left out
        key: Option<String>,
    },
    /// Begin a new conversation with the messages of another
    Fork {
        /// The conversation to take them from
        key: String,
        /// The new conversation's key
        new: String,
        /// Only up to this message, by the number that `show` gives it
        #[arg(long, value_name = "ID")]
        at: Option<u64>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The words alone, for people
    Text,
    /// OpenAI-style messages, as JSON
    Openai,
    /// Every event of the log as it is on the disk, one JSON object a line
    Events,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportForm {
    /// nanobot's session file
    Nanobot,
    /// OpenAI-style messages, one a line
    Openai,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    User,
    Assistant,
}

pub(crate) fn run(shared: &Shared, args: &SessionsArgs) -> Result<ExitCode, Failure> {
    let opened = wiring::open(shared, None)?;
    warn(&opened.problems);
    let folder = opened.path.as_path();
    match &args.what {
        What::List { json } => list(folder, *json)?,
        What::Cost => cost(folder)?,
        What::Show { key, form } => show(folder, key, *form)?,
        What::Search { words, session } => return search(folder, words, session.as_deref()),
        What::Append { key, text, role } => {
            append(folder, key, text, *role, opened.config.session.durability())?;
        }
        What::Export { key, form } => print_export(folder, key, *form)?,
        What::Repair { key } => return repair(folder, key.as_deref()),
        What::Fork { key, new, at } => fork(folder, key, new, *at)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A conversation to look at: ours, or one that another program keeps in the workspace.
enum Talk {
    Ours(Box<Session>),
    Theirs(Box<Found>),
}

/// Finds a conversation, whoever wrote it, or says which one was probably meant.
fn look(folder: &Path, key: &str) -> Result<Talk, Failure> {
    if !Session::exists(folder, key)
        && let Some(found) = import::foreign(folder, key)
    {
        warn(&found.problems);
        return Ok(Talk::Theirs(Box::new(found)));
    }
    open(folder, key).map(|session| Talk::Ours(Box::new(session)))
}

/// Opens a conversation to look at it, or says which one was probably meant.
pub(crate) fn open(folder: &Path, key: &str) -> Result<Session, Failure> {
    let (session, problems) = there(folder, key)?;
    warn(&problems);
    Ok(session)
}

/// A conversation and what is wrong with it, without a word about that.
fn there(folder: &Path, key: &str) -> Result<(Session, Vec<Problem>), Failure> {
    Session::open(folder, key, Mode::Read).map_err(|error| {
        let failure = Failure::new(Code::Failed, &error);
        let (sessions, _) = Sessions::list(folder);
        let known = meant(key, sessions.iter().map(|info| info.key.as_str()));
        let known = known.filter(|known| *known != key);
        let failure = known
            .map(|known| format!("did you mean `{known}`?"))
            .into_iter()
            .fold(failure, Failure::hint);
        error.hint().into_iter().fold(failure, Failure::hint)
    })
}

/// Looks at each conversation of other programs that is not among our own. One without a message is worth a look
/// where something is wrong with it.
fn foreigners(folder: &Path, known: &[SessionInfo], mut see: impl FnMut(Found)) {
    let files = import::session_files(folder);
    for (i, file) in files.iter().enumerate() {
        screen::progress("reading", i, files.len());
        let Ok(found) = import::read(file) else { continue };
        let is_new = found.is_empty() && found.problems.is_empty();
        if !is_new && known.iter().all(|info| info.key != found.key) {
            see(found);
        }
    }
    screen::progress("", files.len(), files.len());
}

/// Another program's conversation, in the same form as our own.
fn info(found: Found) -> SessionInfo {
    let messages = found.messages();
    let last = messages.iter().rev().find_map(|message| message.texts().next().cloned());
    SessionInfo {
        messages: messages.len() as u64,
        bytes: found.path.metadata().map_or(0, |about| about.len()),
        name: found.path.display().to_string(),
        created: found.created,
        updated: found.lines.iter().rev().find_map(|line| line.time),
        last_text: last.map_or_else(String::new, |text| text.replace('\n', " ")),
        key: found.key,
    }
}

fn list(folder: &Path, as_json: bool) -> Result<(), Failure> {
    let (mut sessions, problems) = Sessions::list(folder);
    warn(&problems);
    let mut theirs: Vec<SessionInfo> = Vec::new();
    foreigners(folder, &sessions, |found| {
        theirs.extend((!found.is_empty()).then(|| info(found)));
    });
    if !theirs.is_empty() {
        let what = match theirs.len() {
            1 => "1 of them is another program's; `louver import` takes it over".to_owned(),
            n => format!("{n} of them are another program's; `louver import` takes them over"),
        };
        screen::message("note", &what, screen::Tone::Quiet);
    }
    sessions.extend(theirs);
    if as_json {
        let all: Vec<Value> = sessions
            .iter()
            .map(|info| {
                json!({
                    "key": info.key, "messages": info.messages, "bytes": info.bytes,
                    "created": info.created.map(|time| time.to_string()),
                    "updated": info.updated.map(|time| time.to_string()),
                    "last": info.last_text,
                })
            })
            .collect();
        return Ok(screen::print(&serde_json::to_string_pretty(&all).unwrap_or_default())?);
    }
    let mut table = String::new();
    let width =
        sessions.iter().map(|info| info.key.chars().count()).max().unwrap_or(0).clamp(8, 40);
    let room = screen::width().saturating_sub(width + 32).max(20);
    for info in &sessions {
        let when = info.updated.map_or_else(String::new, moment::shown);
        let _ = writeln!(
            table,
            "{:width$}  {:>8}  {when:16}  {}",
            clip(&info.key, width),
            number(info.messages),
            clip(&info.last_text, room)
        );
    }
    if sessions.is_empty() {
        screen::message("note", "nothing was said in this workspace yet", screen::Tone::Quiet);
    }
    Ok(screen::print(&table)?)
}

/// What the logs say was paid, those of subagents included, which are conversations of their own.
fn cost(folder: &Path) -> Result<(), Failure> {
    let (sessions, problems) = Sessions::list(folder);
    warn(&problems);
    let width = sessions.iter().map(|info| info.key.chars().count()).max().unwrap_or(0);
    let width = width.clamp(8, 40);
    let (mut table, mut all) = (String::new(), Spent::default());
    for (i, info) in sessions.iter().enumerate() {
        screen::progress("reading", i, sessions.len());
        let opened = there(folder, &info.key);
        match opened.and_then(|(session, _)| Spent::of(&session).map_err(refused)) {
            Ok(spent) if spent == Spent::default() => {}
            Ok(spent) => {
                all += spent;
                let key = clip(&info.key, width);
                let _ = writeln!(table, "{key:width$}  {}", took::spent(&spent));
            }
            // The others can be added up all the same.
            Err(failure) => drop(failure.report()),
        }
    }
    screen::progress("", sessions.len(), sessions.len());
    let _ = writeln!(table, "{:width$}  {}", "in all", took::spent(&all));
    Ok(screen::print(&table)?)
}

fn show(folder: &Path, key: &str, form: Form) -> Result<(), Failure> {
    let session = match look(folder, key)? {
        Talk::Theirs(found) => {
            let numbers = found.everything().into_iter().map(|(n, ..)| n);
            return print_messages(numbers.zip(found.messages()), form);
        }
        Talk::Ours(session) => *session,
    };
    if form == Form::Events {
        let mut lines = String::new();
        for record in session.events().map_err(|error| Failure::new(Code::Failed, error))? {
            let event = serde_json::to_value(&record.event).unwrap_or_default();
            let line = json!({"n": record.n, "t": record.time.to_string(), "event": event});
            let _ = writeln!(lines, "{line}");
        }
        return Ok(screen::print(&lines)?);
    }
    let (view, problems) = session.view();
    warn(&problems);
    print_messages(view.messages.iter().map(|entry| (entry.id, entry.message.clone())), form)
}

/// Prints messages, for people with their numbers.
fn print_messages(
    messages: impl Iterator<Item = (u64, Arc<Message>)>,
    form: Form,
) -> Result<(), Failure> {
    if form == Form::Text {
        let numbered = messages.map(|(n, message)| {
            text::messages(&[message]).replacen("=== ", &format!("=== {n} "), 1)
        });
        return Ok(screen::print(&numbered.collect::<String>())?);
    }
    let messages: Vec<Arc<Message>> = messages.map(|(_, message)| message).collect();
    let rows: Vec<openai::Row<'_>> = messages.iter().map(|message| openai::Row(message)).collect();
    Ok(screen::print(&serde_json::to_string_pretty(&rows).unwrap_or_default())?)
}

fn search(folder: &Path, words: &str, only: Option<&str>) -> Result<ExitCode, Failure> {
    let wanted = wanted(words);
    if wanted.is_empty() {
        return Err(Failure::new(Code::Usage, "there are no words to search for")
            .hint("name some: louver sessions search tax"));
    }
    only.map_or(Ok(()), |key| look(folder, key).map(drop))?;
    let (sessions, problems) = Sessions::list(folder);
    warn(&problems);
    let keys = sessions.iter().map(|info| info.key.as_str());
    let keys: Vec<&str> = keys.filter(|key| only.is_none_or(|only| only == *key)).collect();
    let mut found = String::new();
    let mut lines = |key: &str, all: Vec<(u64, &'static str, String)>| {
        for (id, role, said) in all {
            let lower = said.to_lowercase();
            if !wanted.iter().all(|word| lower.contains(word)) {
                continue;
            }
            let has = |line: &&str| {
                let line = line.to_lowercase();
                wanted.iter().any(|word| line.contains(word))
            };
            for line in said.lines().filter(has) {
                let _ = writeln!(found, "{key} {id} {role}: {}", clip(line.trim(), 160));
            }
        }
    };
    let mut searched = keys.len() as u64;
    for (i, key) in keys.iter().enumerate() {
        screen::progress("searching", i, keys.len());
        let Ok((session, _)) = Session::open(folder, key, Mode::Read) else { continue };
        lines(key, export::everything(&session));
    }
    screen::progress("", keys.len(), keys.len());
    foreigners(folder, &sessions, |theirs| {
        if !theirs.is_empty() && only.is_none_or(|only| only == theirs.key) {
            searched += 1;
            lines(&theirs.key, theirs.everything());
        }
    });
    let none = found.is_empty();
    if none {
        let what = format!("nothing in {} has `{words}`", screen::count(searched, "conversation"));
        screen::message("note", &what, screen::Tone::Quiet);
    }
    screen::print(&found)?;
    Ok(if none { Code::Failed.into() } else { ExitCode::SUCCESS })
}

/// What is searched for, in lower case: words, and phrases in quotes.
fn wanted(words: &str) -> Vec<String> {
    let lower = words.to_lowercase();
    let mut wanted = Vec::new();
    for (i, piece) in lower.split('"').enumerate() {
        match i % 2 {
            0 => wanted.extend(piece.split_whitespace().map(str::to_owned)),
            _ => wanted.extend(Some(piece.trim().to_owned()).filter(|phrase| !phrase.is_empty())),
        }
    }
    wanted
}

fn writable(folder: &Path, key: &str) -> Result<Session, Failure> {
    let (session, problems) = Session::open(folder, key, Mode::Write).map_err(refused)?;
    warn(&problems);
    Ok(session)
}

fn refused(error: SessionError) -> Failure {
    let failure = Failure::new(Code::Failed, &error);
    error.hint().into_iter().fold(failure, Failure::hint)
}

fn append(
    folder: &Path,
    key: &str,
    text: &str,
    by: By,
    durability: Durability,
) -> Result<(), Failure> {
    if text.trim().is_empty() {
        return Err(Failure::new(Code::Usage, "there are no words to add")
            .hint("say something: louver sessions append cli:direct \"Where are my keys?\""));
    }
    warn(&import::take_over(folder, key).map_err(refused)?);
    let mut session = writable(folder, key)?;
    let role = if by == By::User { Role::User } else { Role::Assistant };
    let event = export::event_of(&session, &Message::text(role, text)).map_err(refused)?;
    let id = session.append(&event, durability).map_err(refused)?;
    Ok(screen::print(&format!("{key}: message {id}\n"))?)
}

fn print_export(folder: &Path, key: &str, form: ExportForm) -> Result<(), Failure> {
    let text = match (look(folder, key)?, form) {
        (Talk::Ours(session), ExportForm::Nanobot) => export::nanobot(&session).map_err(refused)?,
        (Talk::Ours(session), ExportForm::Openai) => export::openai(&session),
        (Talk::Theirs(found), ExportForm::Nanobot) => found.nanobot(),
        (Talk::Theirs(found), ExportForm::Openai) => found.openai(),
    };
    Ok(screen::print(&text)?)
}

fn repair(folder: &Path, key: Option<&str>) -> Result<ExitCode, Failure> {
    let (sessions, listed) = Sessions::list(folder);
    // What is wrong with one is told when it is opened.
    let mut all = if key.is_some() { Vec::new() } else { listed };
    // Another program's file is that program's to mend: what is wrong with it is only told.
    let mut theirs = Vec::new();
    foreigners(folder, &sessions, |found| {
        if key.is_none_or(|key| key == found.key) {
            theirs.push(found.problems);
        }
    });
    let keys: Vec<String> = match key {
        Some(_) if !theirs.is_empty() => Vec::new(),
        Some(key) => {
            there(folder, key)?;
            vec![key.to_owned()]
        }
        // One whose key is lost is told; to open it by its folder's name would make another.
        None => {
            let known = sessions.into_iter().filter(|info| info.key != info.name);
            known.map(|info| info.key).collect()
        }
    };
    let looked = keys.len() + theirs.len();
    all.extend(theirs.into_iter().flatten());
    for (i, key) in keys.iter().enumerate() {
        screen::progress("repairing", i, keys.len());
        match Session::open(folder, key, Mode::Write) {
            Ok((_, problems)) => all.extend(problems),
            Err(error) => all.push(Problem::error(key.as_str(), error.to_string())),
        }
    }
    screen::progress("", keys.len(), keys.len());
    // Who asks for it is told what others need not know, and all of it.
    for problem in &mut all {
        problem.severity = problem.severity.max(Severity::Warning);
        warn(std::slice::from_ref(problem));
    }
    let (looked, found) = (looked as u64, all.len() as u64);
    let (looked, found) = (screen::count(looked, "conversation"), screen::count(found, "problem"));
    screen::print(&format!("{looked} looked at, {found}\n"))?;
    Ok(if all.is_empty() { ExitCode::SUCCESS } else { Code::Found.into() })
}

fn fork(folder: &Path, key: &str, new: &str, at: Option<u64>) -> Result<(), Failure> {
    let from = look(folder, key)?;
    if Session::exists(folder, new) || import::foreign(folder, new).is_some() {
        return Err(refused(SessionError::Taken { key: new.to_owned() }));
    }
    let count = match from {
        Talk::Theirs(found) => found.fork(folder, new, at).map_err(refused)? as u64,
        Talk::Ours(from) => {
            // Before there is another conversation.
            at.map_or(Ok(()), |at| export::can_end(&from, at)).map_err(refused)?;
            let mut to = writable(folder, new)?;
            export::fork(&from, &mut to, at).map_err(refused)?
        }
    };
    Ok(screen::print(&format!("{}\n", screen::count(count, "message")))?)
}
