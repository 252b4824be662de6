//! Disks that fail: system calls with errors, no room, no permission, no power.
//!
//! In each case the program must say clearly what failed, lose nothing that it had acknowledged,
//! and go on when the fault is gone.

pub(crate) mod full;
mod inject;
mod readonly;
pub(crate) mod strace;

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::child::{Running, Shared, this};
use crate::{evidence, powercut};

/// What to do.
#[derive(Debug, clap::Args)]
pub(crate) struct Faults {
    /// Try so many points at which a system call fails, chosen by the seed, and not all of them.
    #[arg(long)]
    points: Option<usize>,
    /// For what is left to chance.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A fault may hold a writer up, but not for longer than this.
const LONGEST: Duration = Duration::from_secs(20);

/// What came of a kind of fault.
pub(crate) enum Tried {
    /// What was done.
    Held(String),
    /// It could not be tried, and why.
    Skipped(String),
}

impl Faults {
    pub(crate) fn run(&self) -> Result<()> {
        type Try<'a> = (&'a str, &'a dyn Fn() -> Result<Tried>);
        let tries: &[Try<'_>] = &[
            ("calls that fail", &|| inject::run(self.points, self.seed)),
            ("a full disk", &full::run),
            ("a read-only folder", &readonly::run),
            ("power cuts", &|| self.power_cuts()),
        ];
        let mut failed = Vec::new();
        for (name, attempt) in tries {
            let start = Instant::now();
            let outcome = attempt();
            let took = start.elapsed().as_secs_f64();
            match outcome {
                Ok(Tried::Held(what)) => println!("{name}: {what}; nothing lost ({took:.1} s)"),
                Ok(Tried::Skipped(why)) => println!("{name}: skipped: {why}"),
                Err(error) => {
                    println!("{name}: {error:#}");
                    failed.push(*name);
                }
            }
        }
        if failed.is_empty() {
            return Ok(());
        }
        bail!("these did not hold: {}", failed.join(", "))
    }

    fn power_cuts(&self) -> Result<Tried> {
        if let Some(why) = powercut::cannot() {
            return Ok(Tried::Skipped(why));
        }
        let (seed, steps) = match self.points {
            Some(_) => (inject::SEED, inject::STEPS),
            None => (self.seed, 12),
        };
        let cuts = powercut::cut(seed, None, steps)?;
        evidence::judge("power cuts", seed, cuts.scratch, &cuts.ledger, &cuts.findings)?;
        let powercut::Cuts { images, ops, acks, .. } = cuts;
        Ok(Tried::Held(format!("{images} images of a disk at {ops} calls, {acks} events")))
    }
}

/// Runs a writer to its end in a healthy world, and says what was wrong.
fn goes_on(workspace: &std::path::Path, ledger: &Shared, seed: u64) -> Result<Vec<String>> {
    let mut command = this("writer", workspace)?;
    command.args(["--steps", "1", "--seed", &seed.to_string()]);
    let before = ledger.lock();
    let (acks, troubles) = (before.acks, before.troubles.len());
    drop(before);
    let status = Running::start(&mut command, ledger)?.finish(LONGEST);
    let ledger = ledger.lock();
    let mut findings: Vec<String> = ledger.troubles[troubles..]
        .iter()
        .map(|what| format!("the fault is gone, but: {what}"))
        .collect();
    if !status.is_some_and(|status| status.success()) {
        findings.push(format!("the fault is gone, but it does not go on: {}", shown(status)));
    }
    if ledger.acks == acks {
        findings.push("the fault is gone, but nothing more is written".into());
    }
    Ok(findings)
}

fn shown(status: Option<ExitStatus>) -> String {
    status.map_or_else(|| "it hangs".into(), |status| status.to_string())
}
