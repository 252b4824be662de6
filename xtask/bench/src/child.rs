//! Whole processes: what a program takes from its start to its end.

use std::ffi::OsString;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use wait4::Wait4;

use crate::clock::times;

/// Stands for the number of the run in the words of a program.
pub(crate) const RUN: &str = "{run}";

/// A program and how often to run it.
#[derive(Debug, Args)]
pub(crate) struct Process {
    #[arg(long)]
    runs: usize,
    #[arg(last = true, required = true)]
    words: Vec<OsString>,
}

/// What a process takes, as the median of its runs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Took {
    /// User and system time in milliseconds.
    pub(crate) cpu: f64,
    /// Peak memory in MB.
    pub(crate) memory: f64,
}

impl Process {
    /// Prints what the program takes as JSON.
    pub(crate) fn run(&self) -> Result<()> {
        let runs = (0..self.runs).map(|run| self.once(run)).collect::<Result<Vec<Took>>>()?;
        let median = |of: fn(&Took) -> f64| times(runs.iter().map(of).collect()).median;
        let took = Took { cpu: median(|took| took.cpu), memory: median(|took| took.memory) };
        println!("{}", serde_json::to_string(&took)?);
        Ok(())
    }

    fn once(&self, run: usize) -> Result<Took> {
        let (program, args) = self.words.split_first().context("no program to run")?;
        let numbered = |word: &OsString| match word.to_str() {
            Some(word) => word.replace(RUN, &run.to_string()).into(),
            None => word.clone(),
        };
        let child = Command::new(program)
            .args(args.iter().map(numbered))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let end = child.wait4()?;
        if !end.status.success() {
            bail!("{} failed: {}", program.display(), end.status);
        }
        let cpu = (end.rusage.utime + end.rusage.stime).as_secs_f64() * 1e3;
        Ok(Took { cpu, memory: end.rusage.maxrss as f64 / 1e6 })
    }
}

/// What a program takes, measured by a small process of its own.
pub(crate) fn took(runs: usize, words: &[OsString]) -> Result<Took> {
    let output = Command::new(std::env::current_exe()?)
        .args(["process", "--runs", &runs.to_string(), "--"])
        .args(words)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        bail!("it could not be measured");
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
