//! A folder that may not be written to, for someone whom permissions bind.

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::{LONGEST, Tried, shown};
use crate::child::{Running, Shared, this};
use crate::evidence;
use crate::workloads::{self, Look};
use crate::writer::GAVE_UP;

/// `nobody`, who takes root's place: permissions do not bind root.
const NOBODY: u32 = 65534;

pub(super) fn run() -> Result<Tried> {
    let scratch = evidence::scratch()?;
    let workspace = evidence::workspace(&scratch)?;
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        each(scratch.path(), &|path| chown(path, Some(NOBODY), Some(NOBODY)))?;
        if !can_start(&workspace)? {
            return Ok(Tried::Skipped("nobody but root can run this program here".into()));
        }
    }
    let ledger = Shared::default();
    let write = |seed: &str| -> Result<_> {
        let mut command = this("writer", &workspace)?;
        command.args(["--steps", "2", "--seed", seed]);
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        Ok(Running::start(&mut command, &ledger)?.finish(LONGEST))
    };
    let mut findings = Vec::new();
    let mut expect = |code: u8, what: &str, status: Option<std::process::ExitStatus>| {
        if status.and_then(|status| status.code()) != Some(code.into()) {
            findings.push(format!("{what}, but it ended with {}", shown(status)));
        }
    };
    expect(0, "all is well", write("1")?);
    each(&workspace, &|path| permit(path, 0o500, 0o400))?;
    expect(GAVE_UP, "the folder is read-only", write("2")?);
    let told = std::mem::take(&mut ledger.lock().troubles);
    let places = ledger.lock().places.clone();
    let mut lost = workloads::check(&workspace, &places, Look::Read);
    each(&workspace, &|path| permit(path, 0o700, 0o600))?;
    expect(0, "the folder can be written to again", write("3")?);
    let places = ledger.lock().places.clone();
    lost.extend(workloads::check(&workspace, &places, Look::Read));
    if !told.iter().any(|told| told.contains("Permission denied")) {
        findings.push(format!("it does not say what failed: {told:?}"));
    }
    findings.extend(lost);
    findings.extend(ledger.lock().findings.iter().cloned());
    evidence::judge("a read-only folder", 0, scratch, &ledger, &findings)?;
    Ok(Tried::Held("it was told, and writing went on when it was allowed".into()))
}

fn can_start(workspace: &Path) -> Result<bool> {
    let this = this("writer", workspace)?;
    let mut probe = Command::new(this.get_program());
    let probe = probe.arg("--help").uid(NOBODY).gid(NOBODY).stdout(std::process::Stdio::null());
    Ok(probe.status().is_ok_and(|status| status.success()))
}

/// Does something to a path and to all that is below it.
fn each(path: &Path, act: &dyn Fn(&Path) -> std::io::Result<()>) -> Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).context("cannot read the workspace")? {
            each(&entry?.path(), act)?;
        }
    }
    act(path).with_context(|| format!("cannot change {}", path.display()))
}

fn permit(path: &Path, folder: u32, file: u32) -> std::io::Result<()> {
    let mode = if path.is_dir() { folder } else { file };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}
