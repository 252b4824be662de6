//! `cargo xtask crash`: builds what kills writers, and lets it.
//!
//! The killing is in `xtask/crash`, a program of its own, because what it kills is linked with the
//! store and this one stays quick to build.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::run::{cargo, program, run, target};

/// What to do to the writers. Without `--faults` or `--twins` they are killed.
#[derive(Debug, Args)]
pub(crate) struct Crash {
    /// How many kills of writers; there is one of an agent in the middle of a turn for every ten.
    #[arg(long, default_value_t = 1000)]
    kills: u32,
    /// Stop killing writers after so many seconds, and agents after as many.
    #[arg(long)]
    seconds: Option<u64>,
    /// For everything that is left to chance but the scheduler.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Let system calls fail, fill the disk, make the folder read-only, cut the power.
    #[arg(long, conflicts_with = "twins")]
    faults: bool,
    /// Run the checks on writers that lack a safeguard; each must be caught.
    #[arg(long)]
    twins: bool,
}

/// A kill of an agent in a turn takes about so many times as long as one of a writer.
const TURNS: u32 = 10;

impl Crash {
    pub(crate) fn run(&self) -> Result<()> {
        let crash = build()?;
        let task = |name: &str| {
            let mut task = program(&crash);
            task.args([name, "--seed", &self.seed.to_string()]);
            task
        };
        match (self.faults, self.twins) {
            (true, _) => return run(&mut task("faults")),
            (_, true) => return run(&mut task("twins")),
            _ => {}
        }
        for (name, kills) in [("kills", self.kills), ("turns", self.kills.div_ceil(TURNS))] {
            let mut task = task(name);
            task.args(["--kills", &kills.to_string()]);
            if let Some(seconds) = self.seconds {
                task.args(["--seconds", &seconds.to_string()]);
            }
            run(&mut task)?;
        }
        Ok(())
    }
}

/// Builds the program and what it kills, and says where it is.
pub(crate) fn build() -> Result<PathBuf> {
    run(cargo().args(["build", "--locked", "-p", "louver-crash", "-p", "louver"]))?;
    Ok(target().join("debug/louver-crash"))
}
