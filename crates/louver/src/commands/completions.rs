//! `louver completions`: a script that teaches a shell louver's words.

use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::error::Failure;
use crate::screen;

/// Print a completion script for a shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "louver", &mut script);
    screen::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
