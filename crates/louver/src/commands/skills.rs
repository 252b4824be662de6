//! `louver skills`: list, show and check them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use louver_context::fit::skills_share;
use louver_store::library::telling;
use louver_store::skills::{Host, Origin, Skill, Skills};
use louver_store::{ContextBuilder, Folder, Problem, Severity, Turn, fitting};
use serde_json::json;

use crate::cli::Shared;
use crate::error::{Code, Failure, meant, warn};
use crate::screen::{Tone, clip, colour, toned};
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
    /// How well a skill fits a message, and whether it would be offered with its description
    Why {
        /// The skill's name
        name: String,
        /// What the conversation is about
        message: String,
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
            let text = if *json { as_json(&skills)? } else { as_table(&skills) };
            screen::print(&text)?;
            Ok(ExitCode::SUCCESS)
        }
        What::Why { name, message } => why(shared, name, message),
        What::Show { name } => {
            let mut opened = wiring::open(shared, None)?;
            let skill = named(&mut opened.builder, name)?;
            screen::print(&whole(&skill))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Where a skill stands among all of them for a message.
fn why(shared: &Shared, name: &str, message: &str) -> Result<ExitCode, Failure> {
    let mut opened = wiring::open(shared, None)?;
    let skill = named(&mut opened.builder, name)?;
    if skill.always && skill.available() {
        let text =
            format!("{name}: it is always in the prompt, whole, and not in the list of skills");
        screen::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let turn = Turn { message: message.to_owned(), ..Turn::default() };
    let (snapshot, _) = opened.builder.snapshot(&turn);
    let fits = fitting::skills(&snapshot.skills, message);
    let at = fits.iter().position(|fit| &*fit.name == name).unwrap_or(fits.len());
    let mut text = format!("{name}: rank {} of {}", at + 1, fits.len());
    match fits.get(at).and_then(|fit| fit.score.map(|score| (fit, score))) {
        Some((fit, score)) => {
            let parts =
                telling(&fit.parts).into_iter().map(|(name, value)| format!("{name} {value:.2}"));
            let _ = write!(text, ", score {score:.2} ({})", parts.collect::<Vec<_>>().join(", "));
        }
        None => text.push_str(", nothing in it is near the message"),
    }
    let recipe = opened.builder.recipe();
    let share = skills_share(recipe.model.budget());
    let ledger = fitting::preview(&recipe, &snapshot);
    let _ = match ledger {
        None => write!(
            text,
            "\nall skills fit into their share of {share} tokens, so it is offered whole"
        ),
        Some(kept) if kept.iter().any(|kept| &**kept == name) => {
            write!(
                text,
                "\nthe list passes its share of {share} tokens; this one keeps its description"
            )
        }
        Some(_) => write!(
            text,
            "\nthe list passes its share of {share} tokens; of this one only the name stays"
        ),
    };
    screen::print(&text)?;
    Ok(ExitCode::SUCCESS)
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
        let _ = writeln!(text, "{}: {problem}", toned(&kind, tone, colour()));
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
    screen::print(&text)?;
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
        let about = clip(&about, room);
        let _ = writeln!(text, "{:name_width$}  {state} {origin:10} {about}", skill.name);
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
