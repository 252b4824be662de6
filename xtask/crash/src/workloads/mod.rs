//! THE TABLE of workloads: what a writer does, and what must be true of it afterwards.
//!
//! A new workload is a file in this folder and a line in [`WORKLOADS`].

pub(crate) mod conversation;
pub(crate) mod memory;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use crate::ledger::{Acked, Place};
use crate::writer::Writer;

/// What a writer does, by chance.
pub(crate) const WORKLOADS: &[Workload] = &[CONVERSATION, MEMORY];

pub(crate) const CONVERSATION: Workload = Workload {
    name: conversation::NAME,
    weight: 3,
    step: conversation::step,
    check: conversation::check,
};

pub(crate) const MEMORY: Workload =
    Workload { name: memory::NAME, weight: 2, step: memory::step, check: memory::check };

/// One kind of work.
pub(crate) struct Workload {
    /// Its name in reports.
    pub(crate) name: &'static str,
    /// How often it is done, against the others.
    pub(crate) weight: usize,
    /// Does some of it.
    pub(crate) step: fn(&mut Writer) -> Result<()>,
    /// Says what of the acknowledged is not there, or is not as it should be.
    pub(crate) check: fn(&Path, &str, &Acked, Look) -> Vec<String>,
}

/// How it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// As a reader does, while others may write.
    Read,
    /// As the next writer does, when there is no other.
    Mend,
}

/// Which workload comes next.
pub(crate) fn pick(throw: usize) -> &'static Workload {
    let total: usize = WORKLOADS.iter().map(|workload| workload.weight).sum();
    let mut left = throw % total;
    let mut found = &WORKLOADS[0];
    for workload in WORKLOADS {
        found = workload;
        if left < workload.weight {
            break;
        }
        left -= workload.weight;
    }
    found
}

/// Checks all of these places.
pub(crate) fn check(workspace: &Path, places: &BTreeMap<Place, Acked>, look: Look) -> Vec<String> {
    let mut findings = Vec::new();
    for ((name, key), acked) in places {
        match WORKLOADS.iter().find(|workload| workload.name == name) {
            Some(workload) => {
                let found = (workload.check)(workspace, key, acked, look);
                findings.extend(found.into_iter().map(|what| format!("`{key}`: {what}")));
            }
            None => findings.push(format!("nothing checks `{name}`")),
        }
    }
    findings
}
