//! `louver init`: a new workspace from templates.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use crate::brain::BrainArgs;
use crate::cli::Shared;
use crate::config;
use crate::error::Failure;
use crate::{onboard, screen, wiring};

/// Make a workspace from templates; never overwrites a file.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The folder [default: the one `--workspace` or the settings name]
    folder: Option<PathBuf>,
    /// Only make the files; do not look for a model
    #[arg(long)]
    no_provider: bool,
    #[command(flatten)]
    brain: BrainArgs,
}

const TEMPLATES: &[(&str, &str)] = &[
    ("AGENTS.md", include_str!("../../templates/AGENTS.md")),
    ("SOUL.md", include_str!("../../templates/SOUL.md")),
    ("USER.md", include_str!("../../templates/USER.md")),
    ("TOOLS.md", include_str!("../../templates/TOOLS.md")),
    ("HEARTBEAT.md", include_str!("../../templates/HEARTBEAT.md")),
    ("memory/MEMORY.md", include_str!("../../templates/memory/MEMORY.md")),
    ("louver.toml", include_str!("../../templates/louver.toml")),
];

pub(crate) fn run(shared: &Shared, args: &InitArgs) -> Result<ExitCode, Failure> {
    let mut problems = Vec::new();
    let own = config::own(&mut problems)?;
    let folder = match &args.folder {
        Some(folder) => folder.clone(),
        None => wiring::workspace(shared, &own)?,
    };
    screen::print(&make(&folder)?)?;
    if !args.no_provider {
        onboard::provider(&own, &args.brain)?;
    }
    let (shown, pasted) = (folder.display(), screen::pasted(&folder));
    screen::message(
        "next",
        &format!("say who you are in {shown}/USER.md, then"),
        screen::Tone::Good,
    );
    screen::message(
        "next",
        &format!("louver show --workspace {pasted} \"Hello\""),
        screen::Tone::Good,
    );
    screen::message("next", &format!("louver chat --workspace {pasted}"), screen::Tone::Good);
    Ok(ExitCode::SUCCESS)
}

/// Makes what is missing of a workspace, and says what was and what was not.
pub(crate) fn make(folder: &Path) -> anyhow::Result<String> {
    let mut report = String::new();
    for (name, text) in TEMPLATES {
        let made = write_new(&folder.join(name), text)?;
        let what = if made { "made " } else { "kept " };
        report.push_str(&format!("{what} {}\n", folder.join(name).display()));
    }
    fs::create_dir_all(folder.join("skills")).context("the skills folder cannot be made")?;
    Ok(report)
}

/// Whether a file says no more than its template does, or nothing.
pub(crate) fn is_untouched(name: &str, text: &[u8]) -> bool {
    let template = TEMPLATES.iter().find(|(template, _)| *template == name);
    let template = template.map_or(&[][..], |(_, text)| text.as_bytes());
    let text = text.trim_ascii();
    text.is_empty() || text == template.trim_ascii()
}

/// Writes a file that is not there yet. The open itself refuses one that is, so that nothing can
/// come between a look and the write.
fn write_new(path: &Path, text: &str) -> anyhow::Result<bool> {
    let shown = || path.display().to_string();
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(shown)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes()).with_context(shown)?;
            Ok(true)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error).with_context(shown),
    }
}
