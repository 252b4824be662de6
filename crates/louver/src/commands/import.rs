//! `louver import`: conversations, memory and scheduled work of nanobot or OpenClaw.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use louver_store::import::{self, JOBS, Other};

use crate::cli::Shared;
use crate::error::{Code, Failure, warn};
use crate::{screen, wiring};

/// Take over conversations, memory and scheduled work from nanobot or OpenClaw.
///
/// Nothing is changed where it comes from, and nothing that is here is overwritten. Importing again adds
/// what is new.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A workspace, an instance folder such as ~/.nanobot or ~/.openclaw, a folder of sessions, or one
    /// session file [default: the workspace itself and what is found in the home folder]
    from: Vec<PathBuf>,
}

pub(crate) fn run(shared: &Shared, args: &ImportArgs) -> Result<ExitCode, Failure> {
    let opened = wiring::open(shared, None)?;
    warn(&opened.problems);
    let from = match args.from.is_empty() {
        true => places(&opened.path),
        false => args.from.clone(),
    };
    if let Some(place) = from.iter().find(|place| !place.exists()) {
        let what = format!("there is nothing at {}", place.display());
        return Err(Failure::new(Code::Failed, what));
    }
    from.iter().filter(|place| place.is_file()).try_for_each(|file| has_messages(file))?;
    let from = with_workspaces(from);
    let mut report = String::new();
    let mut files: Vec<PathBuf> =
        from.iter().flat_map(|place| import::session_files(place)).collect();
    files.sort();
    files.dedup();
    for (i, file) in files.iter().enumerate() {
        screen::progress("importing", i, files.len());
        sessions(&opened.path, file, &mut report)?;
    }
    screen::progress("", files.len(), files.len());
    for place in from.iter().filter(|place| place.is_dir()) {
        others(&opened.path, place, &mut report)?;
        settings(&opened.path, place, &mut report)?;
    }
    if report.is_empty() {
        let looked: Vec<String> = from.iter().map(|place| place.display().to_string()).collect();
        let what = format!("there is nothing to import in {}", looked.join(", "));
        return Err(
            Failure::new(Code::Failed, what).hint("name the folder or the file to import from")
        );
    }
    screen::print(&report)?;
    Ok(ExitCode::SUCCESS)
}

/// The workspace itself, and what nanobot and OpenClaw keep in the home folder.
fn places(workspace: &Path) -> Vec<PathBuf> {
    let home = std::env::home_dir().unwrap_or_default();
    let instances = [".nanobot", ".openclaw"].into_iter().map(|name| home.join(name));
    let mut places = vec![workspace.to_owned()];
    places.extend(instances.filter(|path| path.is_dir()));
    places.extend(wiring::neighbours());
    places
}

/// The same with the workspace that lies in an instance folder, whether that is in the home folder or a copy.
fn with_workspaces(from: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    for place in from {
        let inner = place.join("workspace");
        for place in [place, inner].into_iter().filter(|place| place.exists()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
}

/// Whether a file that was named is a conversation. Any other, such as settings with keys in them, is not
/// for a log that is sent to models.
fn has_messages(file: &Path) -> Result<(), Failure> {
    let found = import::read(file).map_err(|problem| Failure::new(Code::Failed, problem))?;
    if !found.is_empty() {
        return Ok(());
    }
    let what = format!("no line of {} is a message", file.display());
    Err(Failure::new(Code::Failed, what).hint(
        "a session file of nanobot or OpenClaw can be imported, or a folder in which such files are",
    ))
}

fn sessions(workspace: &Path, file: &Path, report: &mut String) -> Result<(), Failure> {
    let found = match import::read(file) {
        Ok(found) => found,
        Err(problem) => {
            warn(&[problem]);
            return Ok(());
        }
    };
    if found.is_empty() {
        // What is wrong with each of its lines says no more.
        let _ = writeln!(report, "skipped, no line of it is a message: {}", file.display());
        return Ok(());
    }
    warn(&found.problems);
    let stored = found.store(workspace).map_err(|error| Failure::new(Code::Failed, error))?;
    let all = found.messages().len();
    // What was there before is as it was.
    let without = match found.without_memory() {
        without @ 1.. if stored == all => {
            format!("; no memory is made of the oldest {without}, which can be recalled")
        }
        _ => String::new(),
    };
    let (key, file) = (&found.key, file.display());
    let _ = writeln!(report, "{key}: {stored} of {all} messages are new ({file}){without}");
    Ok(())
}

/// Takes the model and its reply limit from nanobot's settings, unless this workspace has settings. Keys
/// stay where they are.
fn settings(workspace: &Path, from: &Path, report: &mut String) -> anyhow::Result<()> {
    let to = workspace.join(louver_store::workspace::SETTINGS);
    let files = [from.join("config.json"), from.parent().unwrap_or(from).join("config.json")];
    let Some(file) = files.into_iter().find(|file| file.is_file()) else { return Ok(()) };
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let Ok(config) = serde_json::from_str::<serde_json::Value>(&text) else {
        let _ = writeln!(report, "settings: {} is not JSON and was left alone", file.display());
        return Ok(());
    };
    let at = |names: [&str; 2]| {
        names.iter().find_map(|name| config.pointer(&format!("/agents/defaults/{name}")))
    };
    let model = at(["model", "model"]).and_then(serde_json::Value::as_str);
    let reply = at(["maxTokens", "max_tokens"]).and_then(serde_json::Value::as_u64);
    let mut lines = String::new();
    if let Some(model) = model {
        let _ = writeln!(lines, "model = {}", toml::Value::from(model));
    }
    if let Some(reply) = reply {
        let _ = writeln!(lines, "reply = {reply}");
    }
    if lines.is_empty() || to.exists() {
        return Ok(());
    }
    fs::write(&to, lines).with_context(|| to.display().to_string())?;
    let _ = writeln!(
        report,
        "settings: model and reply limit from {}; keys stay there",
        file.display()
    );
    Ok(())
}

/// Copies what is not here yet.
fn others(workspace: &Path, from: &Path, report: &mut String) -> anyhow::Result<()> {
    for other in import::others(from) {
        let to = workspace.join(other.to);
        if to.exists() {
            let same = fs::read(&to).ok() == fs::read(&other.from).ok();
            if !same {
                let _ = writeln!(
                    report,
                    "{}: kept yours; theirs is at {}",
                    other.what,
                    other.from.display()
                );
            }
            continue;
        }
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        }
        fs::copy(&other.from, &to).with_context(|| to.display().to_string())?;
        let _ = writeln!(report, "{}: copied to {}{}", other.what, other.to, caveat(&other));
    }
    Ok(())
}

/// What a person must know of something that was copied.
fn caveat(other: &Other) -> &'static str {
    match other.to {
        JOBS => "; louver runs nothing by itself yet: have the system's cron run `louver ask`",
        _ => "",
    }
}
