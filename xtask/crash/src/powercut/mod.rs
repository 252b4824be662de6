//! Power cuts: the disks that a cut may leave behind, rebuilt from a trace of system calls.
//!
//! The writer runs once under strace. For a cut after each call that touched the workspace, the
//! images below are made and checked. What was acknowledged with [`Durability::Disk`] before the
//! cut must be in each of them, and every session must open.
//!
//! [`Durability::Disk`]: louver_store::session::Durability::Disk

mod disk;
mod trace;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

use self::disk::{Disk, Image};
use self::trace::Op;
use crate::child::{Shared, this};
use crate::dice::Dice;
use crate::evidence;
use crate::faults::strace;
use crate::ledger::{Acked, Ledger, Place};
use crate::workloads::{self, Look};
use crate::writer::Safeguard;

/// Why power cuts cannot be tried here, if they cannot.
pub(crate) fn cannot() -> Option<String> {
    strace::cannot()
}

/// After so many findings there is no use in more; each keeps an image.
const ENOUGH: usize = 10;

/// What came of the cuts.
pub(crate) struct Cuts {
    pub(crate) images: usize,
    pub(crate) findings: Vec<String>,
    pub(crate) ops: usize,
    pub(crate) acks: u64,
    /// The images with findings are in here.
    pub(crate) scratch: TempDir,
    pub(crate) ledger: Shared,
}

/// Traces a writer and checks every image.
pub(crate) fn cut(seed: u64, without: Option<Safeguard>, steps: u32) -> Result<Cuts> {
    let scratch = evidence::scratch_in_memory()?;
    let workspace = evidence::workspace(&scratch)?;
    let mut disk = Disk::of(&workspace)?;
    let log = scratch.path().join("trace");
    record(&workspace, &log, seed, without, steps)?;
    let ops = trace::read(&log, &workspace)?;
    std::fs::remove_file(&log).context("cannot remove the trace")?;
    let mut dice = Dice::new(seed);
    let ledger = Shared::default();
    let mut cuts = Cuts {
        images: 0,
        findings: Vec::new(),
        ops: ops.len(),
        acks: 0,
        scratch,
        ledger: ledger.clone(),
    };
    let mut known = HashSet::new();
    for (at, op) in ops.iter().enumerate() {
        if cuts.findings.len() > ENOUGH {
            break;
        }
        if let Op::Said(said) = op {
            ledger.lock().take(said.clone());
        }
        disk.take(op);
        let places = on_disk(&ledger.lock());
        for image in disk.images(&mut dice) {
            let fingerprint =
                (image.fingerprint(), places.values().map(|a| a.on_disk).sum::<u64>());
            if known.insert(fingerprint) {
                let found = look(cuts.scratch.path(), &image, &places, &mut cuts.images)?;
                let name = image.name;
                let tell = |what| format!("power cut after call {at} ({op}), {name}: {what}");
                cuts.findings.extend(found.into_iter().map(tell));
            }
        }
    }
    cuts.acks = ledger.lock().acks;
    if cuts.acks == 0 || on_disk(&ledger.lock()).values().all(|acked| acked.on_disk == 0) {
        bail!("nothing was acknowledged as on the disk, so nothing was tried");
    }
    Ok(cuts)
}

fn record(
    workspace: &Path,
    log: &Path,
    seed: u64,
    without: Option<Safeguard>,
    steps: u32,
) -> Result<()> {
    let mut writer = this("writer", workspace)?;
    writer.args(["--seed", &seed.to_string(), "--steps", &steps.to_string()]);
    if let Some(safeguard) = without {
        writer.args(["--without", &safeguard.name()]);
    }
    let watch = ["-y", "-xx", "-s", "16777216", "-e", trace::CALLS];
    let status = strace::over(&writer, log, &watch)
        .stdout(std::process::Stdio::null())
        .status()
        .context("cannot start strace")?;
    if !status.success() {
        bail!("the writer failed under strace: {status}");
    }
    Ok(())
}

/// What was acknowledged as on the disk.
fn on_disk(ledger: &Ledger) -> BTreeMap<Place, Acked> {
    let synced = ledger.places.iter().filter(|(_, acked)| acked.on_disk > 0);
    let synced = synced.map(|(place, acked)| {
        let hashes = acked.hashes.range(..=acked.on_disk).map(|(n, hash)| (*n, *hash)).collect();
        (place.clone(), Acked { hashes, on_disk: acked.on_disk })
    });
    synced.collect()
}

/// Makes the image and looks at it as a reader and as a writer. One with findings is kept.
fn look(
    scratch: &Path,
    image: &Image,
    places: &BTreeMap<Place, Acked>,
    images: &mut usize,
) -> Result<Vec<String>> {
    *images += 1;
    let folder = scratch.join(format!("image-{images}"));
    image.make(&folder)?;
    let mut findings = workloads::check(&folder, places, Look::Read);
    if findings.is_empty() {
        findings = workloads::check(&folder, places, Look::Mend);
    }
    if findings.is_empty() {
        std::fs::remove_dir_all(&folder).context("cannot remove an image")?;
    }
    Ok(findings)
}
