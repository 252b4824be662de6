//! `louver skills`: list, show and check them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use louver_context::fit::skills_share;
use louver_context::snapshot::SkillCard;
use louver_store::fitting::{InEpoch, Offer, Offered};
use louver_store::library::telling;
use louver_store::session::Sessions;
use louver_store::skills::{Host, Origin, Skill, Skills};
use louver_store::{ContextBuilder, Folder, Problem, Severity, Turn, fitting};
use serde_json::json;

use crate::cli::Shared;
use crate::error::{Code, Failure, meant, warn};
use crate::screen::{Tone, clip, colour, plain, toned};
use crate::wiring::Opened;
use crate::{screen, wiring};

/// List, show and check skills.
#[derive(Debug, Args)]
pub(crate) struct SkillsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Every skill, whether it can be used here, and what is missing
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// One skill: what louver understood of it, and its text
    Show {
        /// The skill's name
        name: String,
    },
    /// Why a skill is or is not offered with its description
    Why {
        /// The skill's name
        name: String,
        /// What a new conversation would begin with, instead of one that is there
        message: Option<String>,
        /// The conversation, by its key [default: the one that was used last]
        #[arg(long, value_name = "KEY", conflicts_with = "message")]
        session: Option<String>,
    },
    /// Everything that is odd about the skills; leaves with code 5 when one cannot be used as it is
    Check {
        /// A folder of skills to check instead of the workspace's
        folder: Option<PathBuf>,
    },
}

pub(crate) fn run(shared: &Shared, args: &SkillsArgs) -> Result<ExitCode, Failure> {
    match &args.what {
        What::Check { folder: Some(folder) } => check_folder(folder),
        What::Check { folder: None } => {
            let mut opened = wiring::open(shared, None)?;
            let (skills, problems) = opened.builder.skills();
            report(skills.len(), &problems)
        }
        What::List { json } => {
            let mut opened = wiring::open(shared, None)?;
            let (skills, problems) = opened.builder.skills();
            warn(&problems);
            match json {
                true => screen::print(&as_json(&skills)?)?,
                false => screen::print_toned(&as_table(&skills))?,
            }
            Ok(ExitCode::SUCCESS)
        }
        What::Why { name, message, session } => {
            why(shared, name, message.as_deref(), session.as_deref())
        }
        What::Show { name } => {
            let mut opened = wiring::open(shared, None)?;
            let skill = named(&mut opened.builder, name)?;
            screen::print(&whole(&skill))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Where a skill stands among all of them, and what the prompt has of it: in a conversation that would begin
/// with a message, or in the epoch of one that is there.
fn why(
    shared: &Shared,
    name: &str,
    message: Option<&str>,
    session: Option<&str>,
) -> Result<ExitCode, Failure> {
    let mut opened = wiring::open(shared, None)?;
    let skill = named(&mut opened.builder, name)?;
    let never = match (skill.always && skill.available(), skill.hidden) {
        (true, _) => Some("it is always in the prompt, whole, and not in the list of skills"),
        (_, true) => Some("it is hidden from the model; `$NAME` in a message brings it in"),
        _ => None,
    };
    if let Some(never) = never {
        screen::print(&format!("{name}: {never}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = match message {
        Some(message) => {
            let turn = Turn { message: message.to_owned(), ..Turn::default() };
            would_be(&mut opened, &turn, name)?
        }
        None => in_session(&mut opened, name, session)?,
    };
    let missing = match skill.available() {
        true => String::new(),
        false => format!("\nit cannot be used here: {}", skill.missing_text()),
    };
    screen::print(&format!("{text}{missing}"))?;
    Ok(ExitCode::SUCCESS)
}

/// What a conversation that begins with a turn would have of a skill.
fn would_be(opened: &mut Opened, turn: &Turn, name: &str) -> Result<String, Failure> {
    let (snapshot, _) = opened.builder.snapshot(turn);
    let about = fitting::about(&snapshot.history, &snapshot.message);
    let ranked = ranked(&snapshot.skills, &about, name);
    let recipe = opened.builder.recipe();
    let offer = fitting::preview(&recipe, &snapshot, name)?;
    let share = skills_share(recipe.model.budget());
    Ok(format!("{name}: {ranked}\n{}", told(&offer, &format!(" of {share} tokens"))))
}

/// What the running epoch of a session has of a skill, or what its first would have.
fn in_session(opened: &mut Opened, name: &str, key: Option<&str>) -> Result<String, Failure> {
    let last = || Sessions::list(&opened.path).0.into_iter().next().map(|info| info.key);
    let Some(key) = key.map(str::to_owned).or_else(last) else {
        let failure = Failure::new(Code::Failed, "there is no conversation yet");
        return Err(failure.hint(format!("`louver skills why {name} MESSAGE` tells of a new one")));
    };
    let session = super::sessions::open(&opened.path, &key)?;
    let epoch =
        fitting::in_epoch(&session, name).map_err(|error| Failure::new(Code::Failed, error))?;
    let Some(InEpoch { epoch, about, offer }) = epoch else {
        let history = session.view().0.messages.into_iter().map(|entry| entry.message).collect();
        let turn = Turn { history, ..Turn::default() };
        let text = would_be(opened, &turn, name)?;
        return Ok(format!("{text}\n(`{key}` has no epoch yet; it is what one would begin with)"));
    };
    let (snapshot, _) = opened.builder.snapshot(&Turn::default());
    let ranked = ranked(&snapshot.skills, &about, name);
    let (number, reason) = (epoch.number, epoch.reason);
    Ok(format!(
        "{name}: {ranked} when epoch {number} of `{key}` began ({reason})\n{}",
        told(&offer, "")
    ))
}

/// A skill's rank and score.
fn ranked(cards: &[Arc<SkillCard>], about: &str, name: &str) -> String {
    let fits = fitting::skills(cards, about);
    let at = fits.iter().position(|fit| &*fit.name == name).unwrap_or(fits.len());
    let mut text = format!("rank {} of {}", at + 1, fits.len());
    match fits.get(at).and_then(|fit| fit.score.map(|score| (fit, score))) {
        Some((fit, score)) => {
            let parts =
                telling(&fit.parts).into_iter().map(|(name, value)| format!("{name} {value:.2}"));
            let _ = write!(text, ", score {score:.2} ({})", parts.collect::<Vec<_>>().join(", "));
        }
        None => text.push_str(", nothing in it is near the message"),
    }
    text
}

/// What a prompt has of a skill, in words.
fn told(offer: &Offer, share: &str) -> String {
    let passes = format!("the list passes its share{share}");
    let kept =
        format!("{} of the {} that are listed keep their descriptions", offer.whole, offer.named);
    match &offer.this {
        Offered::Whole if offer.whole == offer.named => {
            format!("all skills fit into their share{share}, so it is offered whole")
        }
        Offered::Whole => format!("{passes}; this one keeps its description ({kept})"),
        Offered::Shorter(reason) => format!("its description is shortened: {reason} ({kept})"),
        Offered::Name(_) => format!("{passes}; of this one only the name stays ({kept})"),
        Offered::Counted(reason) if offer.named == 0 => {
            format!("no skill is listed there: {reason}")
        }
        Offered::Counted(_) => format!(
            "not even the names of all skills have room; this one is only counted, and found by \
             listing the folder `skills` ({kept})"
        ),
        Offered::Nothing => "it is not in the list: it was not there, or could not be used, when \
                             the list was made"
            .to_owned(),
    }
}

/// The skill of that name, or an error with the one that was probably meant.
pub(crate) fn named(builder: &mut ContextBuilder, name: &str) -> Result<Arc<Skill>, Failure> {
    let (skills, _) = builder.skills();
    if let Some(skill) = skills.iter().find(|skill| skill.name == name) {
        return Ok(skill.clone());
    }
    let failure = Failure::new(Code::Failed, format!("there is no skill `{name}`"));
    Err(match meant(name, skills.iter().map(|skill| skill.name.as_str())) {
        Some(known) => failure.hint(format!("did you mean `{known}`?")),
        None => failure.hint("`louver skills list` shows all"),
    })
}

/// Checks a folder that holds skills, or the `skills` folder in it.
fn check_folder(path: &Path) -> Result<ExitCode, Failure> {
    // The loader looks below `skills/`, so a folder of that name is opened by its parent.
    let named_skills = path.file_name().is_some_and(|name| name == "skills");
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let root = match (named_skills, parent) {
        (true, Some(parent)) => parent.to_owned(),
        (true, None) => PathBuf::from("."),
        (false, _) => path.to_owned(),
    };
    let folder = Folder::open(&root)?;
    let (skills, problems) = Skills::new(&[], None).find(&folder, &Host::current());
    if skills.is_empty() && problems.is_empty() {
        let what = format!("there are no skills in {}", path.display());
        return Err(Failure::new(Code::Failed, what)
            .hint("a skill is a folder with a SKILL.md, inside a folder called `skills`"));
    }
    report(skills.len(), &problems)
}

fn report(skills: usize, problems: &[Problem]) -> Result<ExitCode, Failure> {
    let mut text = String::new();
    for problem in problems {
        let kind = problem.severity.to_string();
        let tone = match problem.severity {
            Severity::Note => Tone::Quiet,
            Severity::Warning => Tone::Odd,
            Severity::Error => Tone::Bad,
        };
        let _ = writeln!(text, "{}: {}", toned(&kind, tone, colour()), plain(&problem.to_string()));
        if let Some(hint) = &problem.hint {
            let _ = writeln!(text, "      {hint}");
        }
    }
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let _ = writeln!(
        text,
        "{skills} skills, {errors} errors, {warnings} warnings, {} notes",
        count(Severity::Note)
    );
    screen::print_toned(&text)?;
    Ok(if errors + warnings > 0 { Code::Found.into() } else { ExitCode::SUCCESS })
}

fn as_table(skills: &[Arc<Skill>]) -> String {
    let name_width = skills.iter().map(|skill| skill.name.chars().count()).max().unwrap_or(0);
    let room = screen::width().saturating_sub(name_width + 26).max(30);
    let mut text = String::new();
    for skill in skills {
        let (state, tone) = match (skill.available(), skill.always) {
            (false, _) => ("missing", Tone::Odd),
            (true, true) => ("always", Tone::Good),
            (true, false) => ("ready", Tone::Good),
        };
        let about = match skill.available() {
            true => skill.description.clone(),
            false => format!("{}: {}", skill.missing_text(), skill.description),
        };
        let origin = origin(skill);
        let state = toned(&format!("{state:8}"), tone, colour());
        let about = clip(&plain(&about), room);
        let _ = writeln!(text, "{:name_width$}  {state} {origin:10} {about}", plain(&skill.name));
    }
    text
}

fn origin(skill: &Skill) -> &'static str {
    match skill.origin {
        Origin::Workspace => "workspace",
        Origin::BuiltIn => "built in",
    }
}

fn as_json(skills: &[Arc<Skill>]) -> anyhow::Result<String> {
    let list: Vec<_> = skills
        .iter()
        .map(|skill| {
            json!({
                "name": skill.name,
                "description": skill.description,
                "path": skill.path,
                "origin": origin(skill),
                "always": skill.always,
                "available": skill.available(),
                "missing": skill.missing_text(),
            })
        })
        .collect();
    Ok(serde_json::to_string_pretty(&list)?)
}

fn whole(skill: &Skill) -> String {
    let mut text = String::new();
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "{name:14} {value}");
        }
    };
    fact("name", &skill.name);
    fact("description", &skill.description);
    fact("path", &skill.path);
    fact("from", origin(skill));
    fact("always", if skill.always { "yes" } else { "no" });
    fact("missing", &skill.missing_text());
    fact("license", skill.license.as_deref().unwrap_or_default());
    fact("compatibility", skill.compatibility.as_deref().unwrap_or_default());
    fact("allowed tools", &skill.allowed_tools.join(", "));
    for (key, value) in &skill.extra {
        fact(key, &value.to_string());
    }
    let _ = write!(text, "\n{}", skill.body);
    text
}
