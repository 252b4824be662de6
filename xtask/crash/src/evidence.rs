//! What is left when something was lost: the workspace as it is, and what should be in it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

use crate::child::Shared;

/// So many findings are shown; the rest is in the evidence.
const SHOWN: usize = 12;

/// A folder that goes away, unless it becomes evidence.
pub(crate) fn scratch() -> Result<TempDir> {
    let made = tempfile::Builder::new().prefix("louver-crash-").tempdir();
    made.context("cannot make a temporary folder")
}

/// The same in memory, where there is such a place: for faults that do not come from the disk, a
/// sync that takes milliseconds only costs time.
pub(crate) fn scratch_in_memory() -> Result<TempDir> {
    let made = tempfile::Builder::new().prefix("louver-crash-").tempdir_in("/dev/shm");
    made.or_else(|_| scratch())
}

/// The workspace in a scratch folder.
pub(crate) fn workspace(scratch: &TempDir) -> Result<PathBuf> {
    let path = scratch.path().join("workspace");
    std::fs::create_dir_all(path.join("memory")).context("cannot make a workspace")?;
    for name in ["AGENTS.md", "USER.md", "memory/MEMORY.md"] {
        std::fs::write(path.join(name), "one\ntwo\nthree\n").context("cannot make a workspace")?;
    }
    Ok(path)
}

/// Fails when there are findings, and keeps what they are about.
pub(crate) fn judge(
    what: &str,
    seed: u64,
    scratch: TempDir,
    ledger: &Shared,
    findings: &[String],
) -> Result<()> {
    if findings.is_empty() {
        return Ok(());
    }
    let folder = scratch.keep();
    let noted = note(&folder, seed, ledger, findings);
    for finding in findings.iter().take(SHOWN) {
        println!("  {finding}");
    }
    if let Err(error) = noted {
        println!("  the evidence is not complete: {error}");
    }
    let count = findings.len();
    bail!("{what}: {count} findings with `--seed {seed}`; the evidence is in {}", folder.display())
}

fn note(folder: &Path, seed: u64, ledger: &Shared, findings: &[String]) -> std::io::Result<()> {
    let mut text = format!("seed {seed}\n");
    for finding in findings {
        let _ = writeln!(text, "{finding}");
    }
    std::fs::write(folder.join("findings.txt"), text)?;
    let mut text = String::new();
    for ((workload, key), acked) in &ledger.lock().places {
        for (n, hash) in &acked.hashes {
            let _ = writeln!(text, "{workload}\t{key}\t{n}\t{hash:016x}");
        }
        let _ = writeln!(text, "{workload}\t{key}\ton disk up to {}", acked.on_disk);
    }
    std::fs::write(folder.join("acknowledged.txt"), text)
}
