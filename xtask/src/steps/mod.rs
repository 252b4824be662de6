//! The steps of `cargo xtask test`: THE TABLE, and what may come of a step.
//!
//! A new step is a function in this folder and a line in [`STEPS`]. A step that needs something
//! which is not here and cannot be had is skipped and says why; it does not fail.

mod cargo;
mod conformance;
mod crash;
mod fuzz;
mod mcp;
mod model;
mod packages;

use anyhow::Error;

/// The steps, in the order in which they run: what is quick and often wrong comes first.
pub(crate) const STEPS: &[Step] = &[
    Step { name: "fmt", what: "the formatting is rustfmt's", run: cargo::fmt },
    Step { name: "clippy", what: "no lint has anything to say", run: cargo::clippy },
    Step { name: "packages", what: "Cargo.lock stays below its ceiling", run: packages::run },
    Step { name: "test", what: "units, laws, specs, screens", run: cargo::test },
    Step {
        name: "conformance",
        what: "the nanobot profiles give what nanobot gives",
        run: conformance::run_all,
    },
    Step { name: "mcp", what: "the reference MCP servers work", run: mcp::run_all },
    Step { name: "model", what: "a real model answers in both protocols", run: model::run_all },
    Step { name: "crash", what: "killed and starved writers lose nothing", run: crash::run_all },
    Step { name: "doctest", what: "the examples in the documentation run", run: cargo::doctest },
    Step { name: "doc", what: "the documentation builds without a warning", run: cargo::doc },
    Step { name: "fuzz", what: "each fuzz target runs for ten seconds", run: fuzz::run },
];

/// One step.
pub(crate) struct Step {
    /// Its name, for `--only`.
    pub(crate) name: &'static str,
    /// What holds when it passed.
    pub(crate) what: &'static str,
    /// How it is run.
    pub(crate) run: fn() -> Outcome,
}

/// What came of a step.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It holds.
    Passed,
    /// It holds, but for what could not be looked at here.
    Partly(String),
    /// It does not, and why.
    Failed(Error),
    /// It could not be tried, and why.
    Skipped(String),
}

impl Outcome {
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Outcome::Passed | Outcome::Partly(_) => "passed",
            Outcome::Failed(_) => "failed",
            Outcome::Skipped(_) => "skipped",
        }
    }

    pub(crate) fn why(&self) -> Option<String> {
        match self {
            Outcome::Passed => None,
            Outcome::Failed(error) => Some(format!("{error:#}")),
            Outcome::Partly(why) | Outcome::Skipped(why) => Some(why.clone()),
        }
    }
}

impl<T> From<anyhow::Result<T>> for Outcome {
    fn from(result: anyhow::Result<T>) -> Self {
        result.map_or_else(Outcome::Failed, |_| Outcome::Passed)
    }
}
