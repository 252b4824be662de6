//! The `louver` program: parse, run, print the error.

mod assistant;
mod brain;
mod cli;
mod commands;
mod config;
mod error;
mod gather;
mod moment;
mod onboard;
mod remember;
mod screen;
mod table;
mod talk;
mod took;
mod wiring;

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::error::Failure;

fn main() -> ExitCode {
    let cli = Cli::read();
    match run(cli) {
        Ok(code) => code,
        Err(error) => error.report(),
    }
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Init(args) => commands::init::run(&cli.shared, &args),
        Command::Chat(args) => commands::chat::run(&cli.shared, &args),
        Command::Ask(args) => commands::ask::run(&cli.shared, &args),
        Command::Show(args) => commands::show::run(&cli.shared, &args),
        Command::Count(args) => commands::count::run(&cli.shared, &args),
        Command::Skills(args) => commands::skills::run(&cli.shared, &args),
        Command::Sessions(args) => commands::sessions::run(&cli.shared, &args),
        Command::Memory(args) => commands::memory::run(&cli.shared, &args),
        Command::Recall(args) => commands::recall::run(&cli.shared, &args),
        Command::Import(args) => commands::import::run(&cli.shared, &args),
        Command::Models(args) => commands::models::run(&cli.shared, &args),
        Command::Tool(args) => commands::tool::run(&cli.shared, &args),
        Command::Doctor(args) => commands::doctor::run(&cli.shared, &args),
        Command::Completions(args) => commands::completions::run(&args),
    }
}
