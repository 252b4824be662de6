//! `louver recall`: what is remembered of something, and why; forgetting.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use jiff::Zoned;
use louver_agent::tools::recall::forgotten;
use louver_context::Counter;
use louver_store::library::{
    Asking, Fits, Library, LibraryError, Recalled, WhyIn, WhyOut, telling,
};
use serde_json::{Value, json};

use crate::cli::Shared;
use crate::config::{Config, RecallMode};
use crate::error::{Code, Failure, warn};
use crate::screen::{self, Tone};
use crate::wiring::{self, Opened};
use crate::{assistant, moment, talk};

/// Recall what was said and noted before.
#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// A question, or words
    question: Option<String>,
    /// How many tokens may be spent
    #[arg(long, default_value_t = 2048, value_name = "TOKENS")]
    budget: u32,
    /// Say how each note was scored, and why others were left out
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The conversation that asks: what belongs to other people's chats is not looked at
    #[arg(long, default_value = "cli:direct", value_name = "KEY")]
    session: String,
    /// The time of the question, for words like `yesterday` [default: now]
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    /// Never recall this note again, such as `cli:direct#412`
    #[arg(long, value_name = "NOTE", conflicts_with = "question")]
    forget: Option<String>,
    /// Let a forgotten note be recalled again
    #[arg(long, value_name = "NOTE", conflicts_with_all = ["question", "forget"])]
    unforget: Option<String>,
    /// List what was forgotten
    #[arg(long, conflicts_with_all = ["question", "forget", "unforget"])]
    forgotten: bool,
}

pub(crate) fn run(shared: &Shared, args: &RecallArgs) -> Result<ExitCode, Failure> {
    let mut opened = wiring::open(shared, None)?;
    let config = on(&opened.config);
    let reminder = assistant::reminder(&opened.path, &config, &mut opened.problems)?;
    let Some(reminder) = reminder else { return Ok(ExitCode::SUCCESS) };
    let mut reminder = reminder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let others = reminder.is_company(&args.session, false);
    let taken = reminder.library(&mut screen::reading());
    let (library, problems) = taken.map_err(unusable)?;
    opened.problems.extend(problems);
    warn(&opened.problems);
    if let Some(note) = &args.forget {
        return forget(library, note);
    }
    if let Some(note) = &args.unforget {
        let known = library.remember_again(note).map_err(unusable)?;
        let text = if known { "can be recalled again" } else { "was not forgotten" };
        screen::print(&format!("`{note}` {text}"))?;
        return Ok(if known { ExitCode::SUCCESS } else { Code::Failed.into() });
    }
    if args.forgotten {
        for note in library.forgotten().map_err(unusable)? {
            screen::print(&format!("{}  {}", note.at, note.place))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let Some(question) = &args.question else {
        let notes = library.len().map_err(unusable)?;
        screen::print(&format!("{} notes can be recalled", screen::number(notes)))?;
        return Ok(ExitCode::SUCCESS);
    };
    ask(args, &opened, library, question, others)
}

/// `louver recall` works also where turns are not reminded.
fn on(config: &Config) -> Config {
    let mut config = config.clone();
    config.recall.mode = Some(RecallMode::Demand);
    config
}

fn unusable(error: LibraryError) -> Failure {
    Failure::new(Code::Failed, &error).hint(error.hint())
}

fn forget(library: &mut Library, note: &str) -> Result<ExitCode, Failure> {
    let name = library.name_of(note).map_err(unusable)?.unwrap_or_else(|| note.to_owned());
    match library.forget(&name).map_err(unusable)? {
        Some(_) => {
            screen::print(&forgotten(&name))?;
            Ok(ExitCode::SUCCESS)
        }
        None => Err(Failure::new(Code::Failed, format!("there is no note `{note}`"))
            .hint("`louver recall QUESTION` shows notes with their names")),
    }
}

fn ask(
    args: &RecallArgs,
    opened: &Opened,
    library: &mut Library,
    question: &str,
    others: bool,
) -> Result<ExitCode, Failure> {
    let now = args.now.as_deref().map_or_else(|| Ok(Zoned::now()), moment::parse)?;
    let counter = Counter::new(opened.builder.settings().model.counting);
    let asking = Asking {
        text: question,
        now: Some(now.datetime()),
        budget: args.budget,
        session: &args.session,
        others,
        in_view: &HashSet::new(),
        shown: &[],
    };
    let recalled = library.recall(&asking, &|text| counter.count(text).0).map_err(unusable)?;
    let text = if args.json { as_json(&recalled) } else { as_text(args, &recalled) };
    screen::print(&text)?;
    if recalled.taken.is_empty() && !args.json {
        let notes = screen::number(library.len().map_err(unusable)?);
        let text = format!("nothing fits among {notes} notes");
        screen::message("note", &text, Tone::Quiet);
    }
    Ok(ExitCode::SUCCESS)
}

fn as_text(args: &RecallArgs, recalled: &Recalled) -> String {
    let mut text = String::new();
    for taken in &recalled.taken {
        let day = if taken.day.is_empty() { String::new() } else { format!("{} · ", taken.day) };
        let rest = if taken.whole { "" } else { " […]" };
        let said = talk::plain(taken.text.trim_end());
        let _ = writeln!(text, "[{day}{} {}] {said}{rest}", taken.place, taken.who);
        if args.explain {
            let why = match &taken.why {
                WhyIn::Worth => String::new(),
                WhyIn::Before(note) => format!(", to understand {note}"),
            };
            let newer =
                taken.newer.as_ref().map_or(String::new(), |newer| format!(", newer: {newer}"));
            let _ = writeln!(
                text,
                "    rank {}, score {:.2}, {} tokens{why}{newer}: {}",
                taken.rank,
                taken.score,
                taken.tokens,
                parts(&taken.parts)
            );
        }
    }
    if args.explain {
        let _ = writeln!(text, "\n{} of {} tokens; left out:", recalled.tokens, args.budget);
        for left in recalled.left.iter().take(20) {
            let _ = writeln!(
                text,
                "    rank {}, score {:.2}, {}: {} ({})",
                left.rank,
                left.score,
                left.place,
                why_out(&left.why),
                parts(&left.parts)
            );
        }
        if recalled.left.len() > 20 {
            let _ = writeln!(text, "    and {} more", recalled.left.len() - 20);
        }
    }
    text
}

fn parts(parts: &louver_store::library::Parts) -> String {
    let named = telling(parts).into_iter().map(|(name, value)| format!("{name} {value:.2}"));
    named.collect::<Vec<_>>().join(", ")
}

fn why_out(why: &WhyOut) -> String {
    match why {
        WhyOut::Room => "the budget went to notes worth more".to_owned(),
        WhyOut::Same(note) => format!("{note} says the same"),
        WhyOut::Floor => "nothing fits well enough".to_owned(),
    }
}

fn as_json(recalled: &Recalled) -> String {
    let parts = |parts: &louver_store::library::Parts| -> Value {
        parts.named().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
    };
    let notes: Vec<Value> = recalled
        .taken
        .iter()
        .map(|taken| {
            json!({
                "note": taken.place,
                "day": taken.day,
                "who": taken.who,
                "text": taken.text,
                "whole": taken.whole,
                "tokens": taken.tokens,
                "rank": taken.rank,
                "score": taken.score,
                "parts": parts(&taken.parts),
                "newer": taken.newer,
            })
        })
        .collect();
    let left: Vec<Value> = recalled
        .left
        .iter()
        .map(|left| {
            json!({
                "note": left.place,
                "rank": left.rank,
                "score": left.score,
                "why": why_out(&left.why),
                "parts": parts(&left.parts),
            })
        })
        .collect();
    let fits = match recalled.fits {
        Fits::Well => "well",
        Fits::Perhaps => "perhaps",
        Fits::No => "no",
    };
    let all = json!({"notes": notes, "left_out": left, "tokens": recalled.tokens, "fits": fits});
    serde_json::to_string_pretty(&all).unwrap_or_default()
}
