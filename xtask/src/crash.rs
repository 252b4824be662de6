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
    /// How many kills.
    #[arg(long, default_value_t = 1000)]
    kills: u32,
    /// Stop killing after so many seconds.
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

impl Crash {
    pub(crate) fn run(&self) -> Result<()> {
        let crash = &mut program(build()?);
        match (self.faults, self.twins) {
            (true, _) => crash.arg("faults"),
            (_, true) => crash.arg("twins"),
            _ => crash.args(["kills", "--kills", &self.kills.to_string()]),
        };
        if let Some(seconds) = self.seconds.filter(|_| !self.faults && !self.twins) {
            crash.args(["--seconds", &seconds.to_string()]);
        }
        run(crash.args(["--seed", &self.seed.to_string()]))
    }
}

/// Builds the program and says where it is.
pub(crate) fn build() -> Result<PathBuf> {
    run(cargo().args(["build", "--locked", "-p", "louver-crash"]))?;
    Ok(target().join("debug/louver-crash"))
}
