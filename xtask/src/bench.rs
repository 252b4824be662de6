//! `cargo xtask bench`: builds what ships and what measures it, and lets it measure.
//!
//! The measuring is in `xtask/bench`, a program of its own, so that this one stays quick to build
//! and what is measured is built as it ships.

use anyhow::{Context, Result};
use clap::Args;

use crate::run::{cargo, program, run, target};
use crate::tools;

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Measure each figure a few times only: enough to see that it works.
    #[arg(long)]
    quick: bool,
    /// Measure these figures alone, by their files in `xtask/bench/src/figures`.
    #[arg(long, value_name = "NAME", conflicts_with = "peers")]
    only: Vec<String>,
    /// Measure nanobot too, on the same workspaces; it is installed into a virtual environment.
    #[arg(long)]
    peers: bool,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        let build = ["build", "--release", "--locked", "-p", "louver", "-p", "louver-bench"];
        run(cargo().args(build))?;
        let release = target().join("release");
        let bench = &mut program(release.join("louver-bench"));
        bench.arg(if self.peers { "peers" } else { "figures" });
        bench.arg("--louver").arg(release.join("louver"));
        if self.peers {
            let python = tools::python("nanobot", &["nanobot-ai"])
                .context("there is nothing to compare with")?;
            bench.arg("--python").arg(python);
        }
        bench.args(self.json.then_some("--json")).args(self.quick.then_some("--quick"));
        bench.args(self.only.iter().flat_map(|name| ["--only", name]));
        run(bench)
    }
}
