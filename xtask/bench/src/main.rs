//! Measures what louver promises, and the same on nanobot.
//!
//! `cargo xtask bench` builds this and runs it. Times are CPU times, since a busy machine makes
//! the clock on the wall say what it likes.
//!
//! ```text
//! generate ▶ a workspace and a history ▶ figures (ours, with targets) or peers (both, side by side)
//! ```
#![allow(clippy::print_stdout, reason = "what it prints is what it is for")]

mod child;
mod clock;
mod figures;
mod generate;
mod peers;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures what louver promises.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Every figure, with its target beside it.
    Figures(figures::Figures),
    /// The same work done by louver and by nanobot.
    Peers(peers::Peers),
    /// Write a workspace with a history into a folder.
    Generate {
        /// The folder; it is made.
        folder: PathBuf,
        /// How many skills it has.
        #[arg(long, default_value_t = 100)]
        skills: usize,
    },
    /// Build one context in a new process. `figures` measures this from outside.
    #[command(hide = true)]
    First(figures::first::First),
    /// Run many sessions at once in a new process.
    #[command(hide = true)]
    Crowd(figures::crowd::Crowd),
    /// Open a session in a new process and say what it took.
    #[command(hide = true)]
    Replay(figures::session::Replay),
    /// Run a program some times and print what it took. A process of its own, because a child's
    /// peak memory is never less than that of the process which started it.
    #[command(hide = true)]
    Process(child::Process),
}

fn main() -> Result<()> {
    match Cli::parse().task {
        Task::Figures(figures) => figures.run(),
        Task::Peers(peers) => peers.run(),
        Task::Generate { folder, skills } => generate::workspace(&folder, skills).map(drop),
        Task::First(first) => first.run(),
        Task::Crowd(crowd) => crowd.run(),
        Task::Replay(replay) => replay.run(),
        Task::Process(process) => process.run(),
    }
}
