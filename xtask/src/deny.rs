//! `cargo xtask deny`: licences, sources and duplicates of everything louver is built from.
//!
//! It is not a step of `test`: cargo-deny takes minutes to build, and its list of known
//! vulnerabilities comes from the network.

use anyhow::{Result, bail};
use clap::Args;

use crate::run::{cargo, run, works};

/// What to check.
#[derive(Debug, Args)]
pub(crate) struct Deny {
    /// Check for known vulnerabilities too, which fetches the list of them.
    #[arg(long)]
    advisories: bool,
}

impl Deny {
    pub(crate) fn run(&self) -> Result<()> {
        if !works(cargo().args(["deny", "--version"])) {
            bail!("cargo-deny is not installed; `cargo install --locked cargo-deny` builds it");
        }
        let checks = ["bans", "licenses", "sources", "advisories"];
        let count = if self.advisories { 4 } else { 3 };
        run(cargo().args(["deny", "check"]).args(&checks[..count]))
    }
}
