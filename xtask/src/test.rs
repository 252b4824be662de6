//! `cargo xtask test`: every check, one after the other, and an account at the end.
//!
//! A failure does not stop the others, so that one run tells all there is to mend. The last line
//! counts steps; the counts of tests are in what the test runner prints.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use crate::steps::{Outcome, STEPS, Step};

/// What to run.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Run this step alone; may be given more than once.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// List the steps and stop.
    #[arg(long)]
    list: bool,
}

impl Test {
    pub(crate) fn run(&self) -> Result<()> {
        if self.list {
            STEPS.iter().for_each(|step| println!("{:<12} {}", step.name, step.what));
            return Ok(());
        }
        let unknown = |name: &&String| STEPS.iter().all(|step| step.name != **name);
        if let Some(name) = self.only.iter().find(unknown) {
            bail!("no step is called `{name}`; `cargo xtask test --list` lists them");
        }
        let wanted =
            |step: &&Step| self.only.is_empty() || self.only.iter().any(|n| n == step.name);
        let done: Vec<Done> = STEPS.iter().filter(wanted).map(Done::of).collect();
        account(&done)
    }
}

/// A step that was run.
struct Done {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
}

impl Done {
    fn of(step: &Step) -> Self {
        println!("\n── {}: {}", step.name, step.what);
        let start = Instant::now();
        let outcome = (step.run)();
        let took = start.elapsed();
        println!("── {}: {} in {:.1} s", step.name, outcome.word(), took.as_secs_f64());
        Done { name: step.name, outcome, took }
    }
}

fn account(done: &[Done]) -> Result<()> {
    println!();
    for Done { name, outcome, took } in done {
        let why = outcome.why().map(|why| format!(": {why}")).unwrap_or_default();
        println!("{name:<12} {:>7.1} s  {}{why}", took.as_secs_f64(), outcome.word());
    }
    let count = |word: &str| done.iter().filter(|done| done.outcome.word() == word).count();
    let (passed, failed, skipped) = (count("passed"), count("failed"), count("skipped"));
    println!("\n{passed} passed, {failed} failed, {skipped} skipped");
    if failed > 0 {
        bail!("{failed} of {} steps failed", done.len());
    }
    Ok(())
}
