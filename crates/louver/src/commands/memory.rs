//! `louver memory`: what the agent remembers, how it came to, and how to take it back.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use jiff::Zoned;
use louver_store::memory::{Memory, MemoryError, Version, Who, Written, search};
use louver_store::problem::Problem;

use crate::cli::Shared;
use crate::error::{Code, Failure, warn};
use crate::screen::{Tone, colour, number, toned};
use crate::{moment, remember, screen, wiring};

/// What the agent remembers, how it came to, and how to take it back.
#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The long-term memory without what was forgotten, or a version of it as it was written
    Show {
        /// The version; the newest when it is left out
        number: Option<u64>,
    },
    /// Every version: when, by whom, from which messages
    Log,
    /// What changed between two versions
    Diff {
        /// The older version; the one before the newest when it is left out
        from: Option<u64>,
        /// The newer version; the newest when it is left out
        to: Option<u64>,
    },
    /// Make an earlier version the newest; what is there now stays a version
    Restore {
        /// The version
        number: u64,
    },
    /// Changes that were not made because a person should look at them
    Proposals {
        /// Make this one after all
        #[arg(long, value_name = "ID", conflicts_with = "reject")]
        accept: Option<u64>,
        /// Drop this one
        #[arg(long, value_name = "ID")]
        reject: Option<u64>,
    },
    /// Add a line
    Append {
        /// The line
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// To today's notes instead of the long-term memory
        #[arg(long, conflicts_with = "history")]
        daily: bool,
        /// To the history, with the time of now
        #[arg(long)]
        history: bool,
    },
    /// Find words in the history of what happened
    Search {
        /// The words; case does not matter
        words: String,
    },
}

pub(crate) fn run(shared: &Shared, args: &MemoryArgs) -> Result<ExitCode, Failure> {
    let opened = wiring::open(shared, None)?;
    warn(&opened.problems);
    let (memory, problems) = Memory::open(&opened.path).map_err(refused)?;
    warn(&problems);
    match &args.what {
        What::Show { number: None } => {
            let shown = memory.peek_shown().map_err(refused)?;
            screen::print(&shown.text)?;
            if let Some(note) = remember::withheld(&shown) {
                screen::message("note", &note, Tone::Quiet);
            }
        }
        What::Show { number: Some(n) } => screen::print(&memory.text(*n).map_err(refused)?)?,
        What::Log => {
            log(&memory)?;
            if let Some(made) = remember::being_made(&opened.path) {
                screen::message("note", &made, Tone::Quiet);
            }
            for waits in remember::waits(&opened.path) {
                screen::message("note", &waits, Tone::Odd);
            }
        }
        What::Diff { from, to } => diff(&memory, *from, *to)?,
        What::Restore { number } => told(&memory.restore(*number).map_err(refused)?)?,
        What::Proposals { accept: Some(id), .. } => told(&memory.accept(*id).map_err(refused)?)?,
        What::Proposals { reject: Some(id), .. } => memory.reject(*id).map_err(refused)?,
        What::Proposals { .. } => proposals(&memory)?,
        What::Append { text, daily, history } => append(&memory, text, *daily, *history)?,
        What::Search { words } => return find(&memory, words),
    }
    Ok(ExitCode::SUCCESS)
}

fn refused(error: impl Into<MemoryError>) -> Failure {
    let error = error.into();
    let failure = Failure::new(Code::Failed, &error);
    error.hint().into_iter().fold(failure, Failure::hint)
}

fn told(written: &Written) -> anyhow::Result<()> {
    screen::print(&match written {
        Written::Same => "memory holds that already\n".to_owned(),
        Written::Version(version) => format!("version {}\n", version.n),
    })
}

fn log(memory: &Memory) -> Result<(), Failure> {
    let mut table = String::new();
    for version in memory.log().map_err(refused)?.iter().rev() {
        let when = moment::shown(version.time);
        let (n, who, bytes) = (version.n, version.who.name(), number(version.bytes));
        let _ = writeln!(table, "{n:>5}  {when}  {who:13} {bytes:>9} bytes{}", why(version));
    }
    if table.is_empty() {
        screen::message("note", "nothing was remembered yet", Tone::Quiet);
    }
    Ok(screen::print(&table)?)
}

/// Where a version came from.
fn why(version: &Version) -> String {
    let mut why = String::new();
    if let Some(from) = &version.from {
        let (first, last) = (from.messages.first(), from.messages.last());
        let _ = write!(why, "  from {}", from.session);
        if let (Some(first), Some(last)) = (first, last) {
            let _ = write!(why, ", messages {first} to {last}");
        }
    }
    if let Some(restored) = version.restored {
        let _ = write!(why, "  as version {restored} was");
    }
    if let Some(proposal) = version.proposal {
        let _ = write!(why, "  from proposal {proposal}");
    }
    why
}

fn diff(memory: &Memory, from: Option<u64>, to: Option<u64>) -> Result<(), Failure> {
    let newest = memory.log().map_err(refused)?.last().cloned();
    let to = to.or(newest.as_ref().map(|version| version.n)).unwrap_or(0);
    let from = from.unwrap_or_else(|| match newest {
        Some(version) if version.n == to => version.parent,
        _ => to.saturating_sub(1),
    });
    let diff = memory.diff(from, to).map_err(refused)?;
    Ok(screen::print_toned(&diff.lines().map(|text| changed(text) + "\n").collect::<String>())?)
}

/// A line of a diff in its colour.
fn changed(line: &str) -> String {
    let line = &screen::plain(line);
    match line.as_bytes().first() {
        Some(b'+') => toned(line, Tone::Good, colour()),
        Some(b'-') => toned(line, Tone::Bad, colour()),
        _ => line.to_owned(),
    }
}

fn proposals(memory: &Memory) -> Result<(), Failure> {
    let mut text = String::new();
    for proposal in memory.proposals().map_err(refused)? {
        let when = moment::shown(proposal.time);
        let (id, who) = (proposal.id, proposal.who.name());
        let _ = writeln!(text, "{id}  {when}  {who}: {}", screen::plain(&proposal.why));
        let diff = memory.proposed_diff(&proposal).map_err(refused)?;
        // Not its head, which names the two texts.
        for line in diff.lines().skip(2).filter(|line| !line.starts_with("@@")) {
            let _ = writeln!(text, "     {}", changed(line));
        }
    }
    if text.is_empty() {
        screen::message("note", "nothing waits for a look", Tone::Quiet);
    } else {
        let hint = "`--accept ID` makes a change after all, `--reject ID` drops it";
        screen::message("hint", hint, Tone::Quiet);
    }
    Ok(screen::print_toned(&text)?)
}

fn append(memory: &Memory, text: &str, daily: bool, history: bool) -> Result<(), Failure> {
    if text.trim().is_empty() {
        return Err(Failure::new(Code::Usage, "there are no words to add")
            .hint("say something: louver memory append \"Anna is allergic to nuts\""));
    }
    let now = Zoned::now();
    if daily {
        return memory.append_daily(now.date(), text).map_err(refused);
    }
    if history {
        let entry = format!("[{}] {text}", now.strftime("%Y-%m-%d %H:%M"));
        return memory.append_history(&entry).map_err(refused);
    }
    Ok(told(&memory.append_line(text, Who::Person, None).map_err(refused)?)?)
}

fn find(memory: &Memory, words: &str) -> Result<ExitCode, Failure> {
    if words.trim().is_empty() {
        return Err(Failure::new(Code::Usage, "there are no words to search for")
            .hint("name some: louver memory search tax"));
    }
    let (entries, problems): (_, Vec<Problem>) = memory.history();
    warn(&problems);
    let found = search(&entries, words);
    if found.is_empty() {
        let what =
            format!("nothing was found for `{words}`: the history holds {} entries", entries.len());
        screen::message("note", &what, Tone::Quiet);
        return Ok(Code::Failed.into());
    }
    let mut text = String::new();
    for entry in found {
        let said = screen::plain(entry.text.trim_end());
        let _ = writeln!(text, "{}:{}: {said}", entry.file, entry.line);
    }
    screen::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
