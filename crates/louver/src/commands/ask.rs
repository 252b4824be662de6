//! `louver ask`: one turn, and its answer.

use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use louver_agent::agent::Inbound;
use louver_context::Picture;
use louver_context::fence::fence;
use louver_store::pictures;
use serde_json::json;

use crate::assistant::{self, AgentArgs, Hired};
use crate::cli::Shared;
use crate::error::{Code, Failure, warn};
use crate::screen::{self, Tone};
use crate::talk::{self, Shown};
use crate::{gather, moment, remember, took};

/// Ask once, and print the answer.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// What you say; `-` reads it from stdin. `$NAME` brings in the skill of that name
    text: String,
    #[command(flatten)]
    agent: AgentArgs,
    /// The conversation it belongs to
    #[arg(long, short = 's', default_value = "cli:direct", value_name = "KEY")]
    session: String,
    /// Send what is piped in along with it, as data
    #[arg(long)]
    stdin: bool,
    /// A picture that comes with it; repeat for more
    #[arg(long, value_name = "FILE")]
    media: Vec<PathBuf>,
    /// Skills to bring in whole
    #[arg(long = "skill", value_name = "NAME")]
    skills: Vec<String>,
    /// Print everything that happens, a line of JSON each
    #[arg(long)]
    json: bool,
    /// The time the model is told, such as 2026-03-10T09:15 [default: now]
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
}

pub(crate) fn run(shared: &Shared, args: &AskArgs) -> Result<ExitCode, Failure> {
    let done = match asked(shared, args) {
        Ok(None) => return Ok(ExitCode::SUCCESS),
        // Who reads lines is told of it as of everything that fails; a person was told when it happened.
        Ok(Some(early)) if args.json => Err(Failure::new(Code::Failed, early)),
        Ok(Some(_)) => Ok(Code::Failed.into()),
        Err(failure) => Err(failure),
    };
    if let (Err(failure), true) = (&done, args.json) {
        screen::print(&failure.event().to_string())?;
    }
    done
}

/// How long notes that are being embedded are waited for.
const SETTLES: Duration = Duration::from_secs(2);

/// Asks, and says why it ended early, if it did.
fn asked(shared: &Shared, args: &AskArgs) -> Result<Option<String>, Failure> {
    let text = said(args)?;
    let pictures = pictures(args)?;
    assistant::check_skills(shared, &args.skills)?;
    assistant::runtime()?.block_on(async {
        let mut hired = assistant::hire(shared, &args.agent)?;
        let inbound = inbound(args, text, pictures, &mut hired)?;
        warn(&hired.problems);
        let shown = match (args.json, io::stdout().is_terminal()) {
            (true, _) => Shown::Json,
            (false, true) => Shown::Live,
            (false, false) => Shown::Answer,
        };
        let mut next = Some(inbound);
        let mut early = None;
        while let Some(inbound) = next {
            early = once(&hired, inbound, shown).await?;
            next = tokio::select! {
                report = hired.agent.report() => report,
                _ = tokio::signal::ctrl_c() => {
                    return Ok(Some(left(shown, "its subagents were still at work")));
                }
            };
        }
        let subagents = hired.agent.spent().subagents;
        if shown == Shown::Live && subagents > 0.0 {
            screen::message("used", &took::spent(&hired.agent.spent()), Tone::Quiet);
        }
        let rest = async {
            hired.agent.settle(SETTLES).await;
            remember(&hired, args, shown).await;
        };
        tokio::select! {
            () = rest => Ok(early),
            _ = tokio::signal::ctrl_c() => {
                Ok(Some(left(shown, "no memory was made of older messages yet")))
            }
        }
    })
}

/// The person does not want to wait for the rest.
fn left(shown: Shown, why: &str) -> String {
    let why = format!("stopped; {why}");
    if shown != Shown::Json {
        screen::message("note", &why, Tone::Odd);
    }
    why
}

/// One turn, and why it ended early, if it did.
async fn once(hired: &Hired, inbound: Inbound, shown: Shown) -> Result<Option<String>, Failure> {
    let cause = inbound.cause;
    let outcome = talk::turn(&hired.agent, inbound, shown).await?.map_err(talk::failure)?;
    let early = outcome.end.explained();
    if shown == Shown::Json {
        let line = json!({
            "event": "end",
            "text": outcome.text,
            "why": early,
            "usage": outcome.usage,
            "cost": outcome.cost,
            "spent": hired.agent.spent(),
            "steps": outcome.asked,
            "cause": cause.name(),
            "subagents": hired.agent.subagents(),
        });
        screen::print(&line.to_string())?;
    } else if let Some(why) = &early {
        screen::message("note", why, Tone::Odd);
    }
    if shown == Shown::Live {
        let status = took::status(&hired.agent.brain().model.name, &outcome);
        screen::message("used", &status, Tone::Quiet);
    }
    Ok(early)
}

/// Makes memory of what is old, and says so.
async fn remember(hired: &Hired, args: &AskArgs, shown: Shown) {
    let (session, others) = (&args.session, args.agent.others);
    let told = remember::when_due(&hired.agent, &hired.path, session, others);
    let waits = "making memory of older messages; Ctrl-C leaves it to a later turn";
    let told = remember::patiently(told, waits).await;
    match (told, shown) {
        (None, _) => {}
        (Some(told), Shown::Json) => {
            let spent = hired.agent.spent();
            let line = json!({"event": "note", "text": told, "spent": spent});
            drop(screen::print(&line.to_string()));
        }
        (Some(told), _) => screen::message("note", &told, Tone::Quiet),
    }
}

fn said(args: &AskArgs) -> Result<String, Failure> {
    let piped = args.text == "-" || args.stdin;
    let piped = if piped { stdin()? } else { String::new() };
    let text = match (args.text.as_str(), args.stdin) {
        ("-", _) => piped,
        (text, false) => text.to_owned(),
        (text, true) => {
            let fence = fence("stdin", "", &piped);
            format!("{text}\n\n{}\n{}\n{}", fence.open, piped.trim_end(), fence.close)
        }
    };
    match text.trim().is_empty() && args.media.is_empty() {
        true => Err(Failure::new(Code::Usage, "there is nothing to ask")
            .hint("say something: louver ask \"What is on today?\"")),
        false => Ok(text),
    }
}

/// The most that is read of stdin.
const MOST_STDIN: u64 = 16 * 1024 * 1024;

pub(super) fn stdin() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MOST_STDIN).read_to_end(&mut bytes).context("stdin")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The pictures, all of them: a question about one that is missing is another question.
fn pictures(args: &AskArgs) -> Result<Vec<Arc<Picture>>, Failure> {
    let (pictures, odd) = pictures::read(&args.media);
    let Some(problem) = odd.first() else { return Ok(pictures) };
    let failure = Failure::new(Code::Failed, problem);
    Err(problem.hint.iter().fold(failure, |failure, hint| failure.hint(hint)))
}

fn inbound(
    args: &AskArgs,
    text: String,
    pictures: Vec<Arc<Picture>>,
    hired: &mut Hired,
) -> Result<Inbound, Failure> {
    let extra = gather::commands(&hired.config.layers, &hired.path, &mut hired.problems);
    Ok(Inbound {
        pictures,
        extra,
        skills: args.skills.clone(),
        others: args.agent.others,
        now: args.now.as_deref().map(moment::parse).transpose()?,
        ..Inbound::said(&args.session, text)
    })
}
