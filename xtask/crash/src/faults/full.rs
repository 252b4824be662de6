//! A disk without room: a small tmpfs, filled by the writer itself.
//!
//! It is mounted in a name space of its own, which ends with the process that has it. So nothing
//! stays mounted, whatever happens here.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::{LONGEST, Tried};
use crate::child::{Running, Shared, this};
use crate::evidence;
use crate::workloads::{self, Look};

/// The size of the disk, and how much of it can be made free.
const SIZE: usize = 2 * 1024 * 1024;
const BALLAST: usize = 1024 * 1024;

/// What to do.
#[derive(Debug, clap::Args)]
pub(crate) struct Full {
    /// An empty folder to mount the disk on.
    #[arg(long)]
    workspace: PathBuf,
}

pub(super) fn run() -> Result<Tried> {
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "--map-root-user"]);
    let quiet = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    let probe = quiet(unshare.args(["mount", "-t", "tmpfs", "louver-crash", "/tmp"]));
    if !probe.is_ok_and(|status| status.success()) {
        return Ok(Tried::Skipped("a tmpfs cannot be mounted here".into()));
    }
    let folder = evidence::scratch()?;
    let full = this("full", folder.path())?;
    let status = Command::new("unshare")
        .args(["--mount", "--map-root-user"])
        .arg(full.get_program())
        .args(full.get_args())
        .status()
        .context("cannot start unshare")?;
    if !status.success() {
        bail!("it did not hold: {status}");
    }
    Ok(Tried::Held("a tmpfs was filled by a writer, which went on when there was room".into()))
}

impl Full {
    pub(crate) fn run(&self) -> Result<()> {
        let size = format!("size={SIZE}");
        let mount = ["-t", "tmpfs", "-o", &size, "louver-crash"];
        let status = Command::new("mount").args(mount).arg(&self.workspace).status();
        if !status.context("cannot start mount")?.success() {
            bail!("cannot mount a tmpfs");
        }
        let ballast = self.workspace.join("ballast");
        std::fs::write(&ballast, vec![0; BALLAST]).context("cannot write the ballast")?;
        let ledger = Shared::default();
        let mut command = this("writer", &self.workspace)?;
        command.args(["--seed", "1", "--patience", "100000"]);
        let mut writer = Running::start(&mut command, &ledger)?;
        wait("a full disk was never told", || !ledger.lock().troubles.is_empty())?;
        let mut findings = look(&self.workspace, &ledger, Look::Read);
        let told = ledger.lock().troubles.clone();
        let clear = |trouble: &&String| !trouble.contains("No space left on device");
        findings.extend(told.iter().find(clear).map(|told| format!("it says: {told}")));
        std::fs::remove_file(&ballast).context("cannot remove the ballast")?;
        let acks = ledger.lock().acks;
        wait("there is room, but nothing more is written", || ledger.lock().acks > acks + 5)?;
        writer.kill();
        findings.extend(look(&self.workspace, &ledger, Look::Read));
        findings.extend(look(&self.workspace, &ledger, Look::Mend));
        findings.extend(ledger.lock().findings.iter().cloned());
        findings.iter().for_each(|finding| println!("  {finding}"));
        if !findings.is_empty() {
            bail!("{} findings on a full disk", findings.len());
        }
        Ok(())
    }
}

fn look(workspace: &Path, ledger: &Shared, look: Look) -> Vec<String> {
    let places = ledger.lock().places.clone();
    workloads::check(workspace, &places, look)
}

/// Waits for something, but not for ever.
fn wait(else_say: &str, until: impl Fn() -> bool) -> Result<()> {
    let end = Instant::now() + LONGEST;
    while !until() {
        if Instant::now() > end {
            bail!("{else_say}");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}
