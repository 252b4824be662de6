//! The reference MCP servers, driven by louver's client.
//!
//! Their versions are pinned: what they call their tools changes from one to the next.

use crate::run::{cargo, run};
use crate::steps::Outcome;
use crate::tools;

const SERVERS: &[&str] = &[
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
];

pub(super) fn run_all() -> Outcome {
    let folder = match tools::npm(SERVERS) {
        Ok(folder) => folder,
        Err(missing) => return Outcome::Skipped(missing.to_string()),
    };
    let test = ["test", "--locked", "-p", "louver-agent", "--test", "mcp", "--", "--ignored"];
    run(cargo().args(test).env("LOUVER_NPM", folder)).into()
}
