//! The n-th system call fails, for each n: once, from then on, or with the end of the process.
//!
//! A run without faults tells how many calls there are and which of them touch the workspace. The
//! writer does the same every time, so the n-th call is the same call.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::{LONGEST, Tried, goes_on, shown, strace};
use crate::child::{Running, Shared, this};
use crate::dice::Dice;
use crate::evidence;
use crate::workloads::{self, Look};
use crate::writer::GAVE_UP;

/// The calls that a store makes on a disk.
const CALLS: &str = "write,pwrite64,fsync,fdatasync,rename,openat,ftruncate,mkdir";

/// How a call fails: what strace is told, and what the person must be.
const WAYS: &[Way] = &[
    Way { inject: "error=EIO", lasts: false, word: "Input/output error" },
    Way { inject: "error=EIO", lasts: true, word: "Input/output error" },
    Way { inject: "error=ENOSPC", lasts: false, word: "No space left on device" },
    Way { inject: "error=ENOSPC", lasts: true, word: "No space left on device" },
    Way { inject: "signal=SIGKILL", lasts: false, word: "" },
];

/// The work that is disturbed, chosen so that it has everything: tools, a picture, a long result,
/// going back, a version of memory and a consolidation.
pub(super) const STEPS: u32 = 5;
pub(super) const SEED: u64 = 67;

/// How often a writer tries again.
const PATIENCE: &str = "3";

struct Way {
    inject: &'static str,
    lasts: bool,
    word: &'static str,
}

impl Way {
    fn kills(&self) -> bool {
        self.word.is_empty()
    }
}

/// The n-th call of a kind.
#[derive(Debug, Clone)]
struct Point {
    call: String,
    n: usize,
    /// It writes or confirms events, so its failure must be told.
    matters: bool,
}

pub(super) fn run(limit: Option<usize>, seed: u64) -> Result<Tried> {
    if let Some(why) = strace::cannot() {
        return Ok(Tried::Skipped(why));
    }
    let points = points()?;
    let mut tries: Vec<(&Point, &Way)> =
        points.iter().flat_map(|point| WAYS.iter().map(move |way| (point, way))).collect();
    if let Some(limit) = limit {
        let mut dice = Dice::new(seed);
        while tries.len() > limit {
            tries.swap_remove(dice.below(tries.len()));
        }
    }
    let mut told = 0;
    for (done, (point, way)) in tries.iter().enumerate() {
        told += usize::from(attempt(point, way, seed)?);
        if (done + 1).is_multiple_of(200) {
            println!("{} of {} faults", done + 1, tries.len());
        }
    }
    if told == 0 {
        bail!("no fault was ever told, so none was met");
    }
    Ok(Tried::Held(format!("{} faults at {} calls, {told} were told", tries.len(), points.len())))
}

fn writer(workspace: &Path) -> Result<std::process::Command> {
    let mut writer = this("writer", workspace)?;
    writer.args(["--steps", &STEPS.to_string(), "--seed", &SEED.to_string()]);
    writer.args(["--patience", PATIENCE]);
    Ok(writer)
}

/// The calls of a run without faults that touch the workspace.
fn points() -> Result<Vec<Point>> {
    let scratch = evidence::scratch_in_memory()?;
    let workspace = evidence::workspace(&scratch)?;
    let log = scratch.path().join("trace");
    let options = [strace::BESIDE, "-y", "-s", "0", "-e", &format!("trace={CALLS}")];
    let mut command = strace::over(&writer(&workspace)?, &log, &options);
    let status = Running::start(&mut command, &Shared::default())?.finish(LONGEST);
    if !status.is_some_and(|status| status.success()) {
        bail!("the writer fails without a fault: {}", shown(status));
    }
    let text = std::fs::read_to_string(&log).context("cannot read the trace")?;
    let root = workspace.to_string_lossy().into_owned();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut points = Vec::new();
    for line in text.lines() {
        let Some((call, _)) = line.split_once('(') else { continue };
        let n = counts.entry(call).or_default();
        *n += 1;
        if line.contains(&root) {
            let matters = line.contains("/log.jsonl>") && call != "openat" && call != "ftruncate";
            points.push(Point { call: call.to_owned(), n: *n, matters });
        }
    }
    Ok(points)
}

/// Lets one call fail and looks what comes of it. Says whether the writer told of it.
fn attempt(point: &Point, way: &Way, seed: u64) -> Result<bool> {
    let scratch = evidence::scratch_in_memory()?;
    let workspace = evidence::workspace(&scratch)?;
    let Point { call, n, .. } = point;
    let when = if way.lasts { "+" } else { "" };
    let inject = format!("inject={call}:{}:when={n}{when}", way.inject);
    let log = scratch.path().join("trace");
    let options = [strace::BESIDE, "-s", "0", "-e", &format!("trace={call}"), "-e", &inject];
    let mut command = strace::over(&writer(&workspace)?, &log, &options);
    command.stderr(std::process::Stdio::null());
    let ledger = Shared::default();
    let status = Running::start(&mut command, &ledger)?.finish(LONGEST);
    let troubles = std::mem::take(&mut ledger.lock().troubles);
    let mut findings = told_well(point, way, &troubles);
    let done = status.is_some_and(|status| status.success());
    let gave_up = status.and_then(|status| status.code()) == Some(GAVE_UP.into());
    match way.kills() {
        true => {}
        false if gave_up && !way.lasts => {
            findings.push("the fault was gone, but it gave up".into());
        }
        false if gave_up && troubles.is_empty() => findings.push("it gave up silently".into()),
        false if !done && !gave_up => findings.push(format!("it ended: {}", shown(status))),
        false => {}
    }
    let places = ledger.lock().places.clone();
    findings.extend(workloads::check(&workspace, &places, Look::Read));
    findings.extend(workloads::check(&workspace, &places, Look::Mend));
    findings.extend(goes_on(&workspace, &ledger, seed)?);
    let places = ledger.lock().places.clone();
    findings.extend(workloads::check(&workspace, &places, Look::Read));
    findings.extend(ledger.lock().findings.iter().cloned());
    let what = format!("`{inject}`");
    evidence::judge(&what, seed, scratch, &ledger, &findings)?;
    Ok(!troubles.is_empty())
}

/// What is wrong with how a fault was told.
fn told_well(point: &Point, way: &Way, troubles: &[String]) -> Vec<String> {
    let mut findings: Vec<String> = troubles
        .iter()
        .filter(|trouble| !trouble.contains(way.word))
        .map(|trouble| format!("it does not say what failed: {trouble}"))
        .collect();
    if point.matters && !way.kills() && troubles.is_empty() {
        findings.push("it was not told".into());
    }
    findings
}
