//! `cargo xtask eval`: what recall brings into a prompt, measured on packs of notes and questions.

use anyhow::Result;
use clap::Args;

use crate::run::{cargo, program, run, target};

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// Packs by name, or files and folders (packs, LoCoMo, LongMemEval, BEAM); then options of
    /// `louver-evals`, such as `--json`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

impl Eval {
    pub(crate) fn run(&self) -> Result<()> {
        run(cargo().args(["build", "--release", "--locked", "-p", "louver-evals"]))?;
        run(program(target().join("release/louver-evals")).args(&self.rest))
    }
}
