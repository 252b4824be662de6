//! Kills, starves and cuts off louver's writers, and looks what is left.
//!
//! `cargo xtask crash` builds this and runs it. A writer is a process of its own that reports every
//! event on a pipe after the store has acknowledged it; what was reported must be there afterwards,
//! whatever was done to the process, the disk or the power. A check that finds nothing proves
//! little, so each one is also run on a twin: a writer with one safeguard removed.
//!
//! ```text
//! writer ▶ Said (a line on a pipe) ▶ Ledger ▶ kill, fault or power cut ▶ check ▶ findings
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what it prints is what it is for")]

mod child;
mod dice;
mod evidence;
mod faults;
mod kills;
mod ledger;
mod powercut;
mod reader;
mod said;
mod turns;
mod twins;
mod workloads;
mod writer;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Kills, starves and cuts off louver's writers, and looks what is left.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Kill writers at random moments.
    Kills(kills::Kills),
    /// Kill agents in the middle of a turn of ten steps, or stop them with Ctrl-C.
    Turns(turns::Turns),
    /// Let system calls fail, fill the disk, make the folder read-only, cut the power.
    Faults(faults::Faults),
    /// Run the checks on writers that lack a safeguard; each must be caught.
    Twins(twins::Twins),
    /// A process that writes. The others start it.
    #[command(hide = true)]
    Writer(writer::Args),
    /// An agent that lacks a safeguard, and does a turn.
    #[command(hide = true)]
    Turn(turns::twin::Args),
    /// A process that looks at all sessions all the time.
    #[command(hide = true)]
    Reader(reader::Args),
    /// Fill a small disk, in a name space of its own.
    #[command(hide = true)]
    Full(faults::full::Full),
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    match task {
        Task::Kills(kills) => kills.run(),
        Task::Turns(turns) => turns.run(),
        Task::Turn(args) => turns::twin::run(&args),
        Task::Faults(faults) => faults.run(),
        Task::Twins(twins) => twins.run(),
        Task::Full(full) => full.run(),
        Task::Reader(args) => reader::run(&args),
        Task::Writer(args) => return writer::run(&args),
    }
    .map(|()| ExitCode::SUCCESS)
}
