//! `louver import`: conversations, memory, instructions, skills, settings and scheduled work of nanobot or OpenClaw.

mod files;
mod settings;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use louver_store::import::{self, Other, Theirs};
use louver_store::session::SessionError;

use super::init;
use crate::cli::Shared;
use crate::config::{self, Config};
use crate::error::{Code, Failure, warn};
use crate::{assistant, screen, wiring};

/// Take over what nanobot or OpenClaw has: conversations, memory, instructions, skills, settings, scheduled work.
///
/// Nothing is changed where it comes from, and nothing of yours is overwritten but templates that you have not
/// touched. Importing again adds what is new. Where there is no workspace yet, one is made as `louver init` does.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A workspace, an instance folder such as ~/.nanobot or ~/.openclaw, a folder of sessions, or one
    /// session file [default: the workspace itself and what is found in the home folder]
    from: Vec<PathBuf>,
}

pub(crate) fn run(shared: &Shared, args: &ImportArgs) -> Result<ExitCode, Failure> {
    let workspace = wiring::workspace(shared, &config::own(&mut Vec::new())?)?;
    let from = match args.from.is_empty() {
        true => places(&workspace),
        false => args.from.clone(),
    };
    if let Some(place) = args.from.iter().find(|place| !place.exists()) {
        let what = format!("there is nothing at {}", place.display());
        return Err(Failure::new(Code::Failed, what));
    }
    from.iter().filter(|place| place.is_file()).try_for_each(|file| has_messages(file))?;
    let found = There::look(&workspace, from);
    if found.is_empty() {
        if args.from.is_empty() {
            // Whoever has no workspace is told how to come to one.
            wiring::open(shared, None)?;
        }
        let looked: Vec<String> =
            found.from.iter().map(|place| place.display().to_string()).collect();
        let what = format!("there is nothing to import in {}", looked.join(", "));
        return Err(
            Failure::new(Code::Failed, what).hint("name the folder or the file to import from")
        );
    }
    let mut report = String::new();
    if !workspace.exists() {
        init::make(&workspace)?;
        let _ = writeln!(report, "workspace: made at {}", workspace.display());
    }
    let opened = wiring::open(shared, None)?;
    warn(&opened.problems);
    let taken = found.take(&workspace, &opened.config, &mut report);
    // What was done before something failed is done.
    screen::print(&report)?;
    warn(assistant::owner(&opened.config).not_theirs(&taken?).as_slice());
    Ok(ExitCode::SUCCESS)
}

/// The workspace itself, and what nanobot and OpenClaw keep in the home folder.
fn places(workspace: &Path) -> Vec<PathBuf> {
    let home = std::env::home_dir().unwrap_or_default();
    let instances = [".nanobot", ".openclaw"].into_iter().map(|name| home.join(name));
    let mut places = vec![workspace.to_owned()];
    places.extend(instances);
    places.extend(wiring::neighbours());
    places.retain(|place| place.is_dir());
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

/// What there is to import.
struct There {
    from: Vec<PathBuf>,
    files: Vec<PathBuf>,
    others: Vec<Other>,
    /// What each settings file says.
    settings: Vec<(PathBuf, Theirs)>,
    /// Databases of conversations, which are not read.
    databases: Vec<PathBuf>,
}

impl There {
    fn look(workspace: &Path, from: Vec<PathBuf>) -> There {
        let home = std::env::home_dir().unwrap_or_default();
        let folders = from.iter().filter(|place| place.is_dir());
        let files = once(folders.filter_map(|place| import::settings_file(place)));
        let mut settings = Vec::new();
        for file in files {
            match Theirs::read(&file, &home) {
                Ok(theirs) => settings.push((file, theirs)),
                Err(problem) => warn(&[problem]),
            }
        }
        // An instance's workspace lies in it, or where its settings say.
        let inner = |place: &PathBuf| {
            let inside = Some(place.join("workspace")).filter(|inside| inside.is_dir());
            let is_its = |(file, _): &&(PathBuf, Theirs)| file.parent() == Some(place);
            let named =
                || settings.iter().find(is_its).and_then(|(_, theirs)| theirs.workspace.clone());
            [Some(place.clone()), inside.or_else(named)].into_iter().flatten()
        };
        let from = once(from.iter().flat_map(inner).filter(|place| place.exists()));
        let is_other = |other: &Other| match other {
            Other::File { to, .. } if to == import::JOBS => true,
            Other::Memory(from) | Other::File { from, .. } | Other::Skill(from) => {
                !is_in(workspace, from)
            }
        };
        let others =
            from.iter().filter(|place| place.is_dir()).flat_map(|place| import::others(place));
        let mut files = once(from.iter().flat_map(|place| import::session_files(place)));
        files.sort();
        There {
            others: once(others.filter(is_other)),
            databases: once(from.iter().flat_map(|place| import::databases(place))),
            files,
            settings,
            from,
        }
    }

    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.others.is_empty() && self.settings.is_empty()
    }

    /// Takes it over. Says which sessions have something new.
    fn take(
        &self,
        workspace: &Path,
        config: &Config,
        report: &mut String,
    ) -> Result<Vec<String>, Failure> {
        let keys = self.sessions(workspace, report)?;
        files::take(workspace, &self.others, report)?;
        settings::take(workspace, config, &self.settings, report)?;
        Ok(keys)
    }

    /// Takes the conversations over. Says which sessions have something new.
    fn sessions(&self, workspace: &Path, report: &mut String) -> Result<Vec<String>, Failure> {
        let mut keys = Vec::new();
        for (i, file) in self.files.iter().enumerate() {
            screen::progress("importing", i, self.files.len());
            keys.extend(session(workspace, file, report)?);
        }
        screen::progress("", self.files.len(), self.files.len());
        for file in &self.databases {
            let what = "not taken over: newer OpenClaw keeps conversations in a database, which cannot be read yet";
            let _ = writeln!(report, "{what} ({})", file.display());
        }
        Ok(keys)
    }
}

/// Each of them once, the first time it comes.
fn once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

fn is_in(workspace: &Path, file: &Path) -> bool {
    match (workspace.canonicalize(), file.canonicalize()) {
        (Ok(workspace), Ok(file)) => file.starts_with(workspace),
        _ => false,
    }
}

/// Takes one conversation over. Gives its key if something of it was new.
fn session(workspace: &Path, file: &Path, report: &mut String) -> Result<Option<String>, Failure> {
    let found = match import::read(file) {
        Ok(found) => found,
        Err(problem) => {
            warn(&[problem]);
            return Ok(None);
        }
    };
    if found.is_empty() {
        // What is wrong with each of its lines says no more.
        let _ = writeln!(report, "skipped, no line of it is a message: {}", file.display());
        return Ok(None);
    }
    warn(&found.problems);
    let taken = match found.store(workspace) {
        Err(error @ SessionError::BadKey { .. }) => {
            let _ = writeln!(report, "skipped, {error}: {}", file.display());
            return Ok(None);
        }
        taken => taken.map_err(|error| Failure::new(Code::Failed, error))?,
    };
    let (new, all) = (taken.new, found.messages().len());
    // What was there before is as it was.
    let without = match found.without_memory() {
        without @ 1.. if new == all => {
            format!("; no memory is made of the oldest {without}, which can be recalled")
        }
        _ => String::new(),
    };
    let beside = match taken.key.starts_with(&format!("{}:", found.key)) {
        true => format!("; your `{}` is another conversation and goes on without it", found.key),
        false => String::new(),
    };
    let (key, file) = (&taken.key, file.display());
    let _ = writeln!(report, "{key}: {new} of {all} messages are new ({file}){beside}{without}");
    Ok((new > 0).then_some(taken.key))
}
