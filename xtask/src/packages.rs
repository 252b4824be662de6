//! The ceiling on packages in Cargo.lock.

use std::fmt;

use anyhow::{Context, Result, bail};

use crate::run::root;

/// Every package is code that somebody must trust and build. The engine and the store need about 110;
/// the agent's HTTP, TLS, MCP and line editor bring the rest. A small crate still fits, and the next
/// large one is a decision, not an accident.
const CEILING: usize = 320;

/// How many packages there are.
pub(crate) struct Count(usize);

/// Counts the packages, and fails when there are too many.
pub(crate) fn check() -> Result<Count> {
    let path = root().join("Cargo.lock");
    let lock = std::fs::read_to_string(&path).context("cannot read Cargo.lock")?;
    let count = lock.lines().filter(|line| *line == "[[package]]").count();
    if count > CEILING {
        bail!(
            "Cargo.lock has {count} packages, but {CEILING} are allowed; do without the newest \
             dependency, or raise the ceiling in xtask/src/packages.rs and say why"
        );
    }
    Ok(Count(count))
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} packages in Cargo.lock, {CEILING} are allowed", self.0)
    }
}
