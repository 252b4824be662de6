//! Everything that was reported: what must be there, and what went wrong on the way.

use std::collections::{BTreeMap, BTreeSet};

use crate::said::{Ack, Said};

/// What has been acknowledged in one place: the hash by the number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Acked {
    pub(crate) hashes: BTreeMap<u64, u64>,
    /// Up to this number it survives power loss.
    pub(crate) on_disk: u64,
}

/// A workload and the key of what it wrote to.
pub(crate) type Place = (String, String);

/// What the processes of a run have reported.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) places: BTreeMap<Place, Acked>,
    /// The places that something was reported of since they were last asked for.
    fresh: BTreeSet<Place>,
    pub(crate) troubles: Vec<String>,
    pub(crate) findings: Vec<String>,
    pub(crate) acks: u64,
    pub(crate) torn: u64,
    pub(crate) busy: u64,
    pub(crate) looks: u64,
}

impl Ledger {
    pub(crate) fn take(&mut self, said: Said) {
        match said {
            Said::Ack(ack) => self.acknowledged(ack),
            Said::Problem { severity, what } => self.problem(&severity, &what),
            Said::Trouble(what) => self.troubles.push(what),
            Said::Busy => self.busy += 1,
            Said::Looked => self.looks += 1,
            Said::Bad(what) => self.findings.push(format!("a reader saw that {what}")),
        }
    }

    /// The places with news since the last time, as they are now.
    pub(crate) fn fresh(&mut self) -> BTreeMap<Place, Acked> {
        let fresh = std::mem::take(&mut self.fresh);
        let known = fresh.into_iter().filter_map(|place| {
            let acked = self.places.get(&place)?.clone();
            Some((place, acked))
        });
        known.collect()
    }

    fn acknowledged(&mut self, ack: Ack) {
        let place = (ack.workload, ack.key);
        let acked = self.places.entry(place.clone()).or_default();
        match acked.hashes.insert(ack.n, ack.hash) {
            None => self.acks += 1,
            // Writers also report what they find, so most are reported twice.
            Some(hash) if hash == ack.hash => {}
            Some(_) => {
                let (n, key) = (ack.n, &place.1);
                self.findings.push(format!("`{key}`: number {n} was given to two events"));
            }
        }
        if ack.on_disk {
            acked.on_disk = acked.on_disk.max(ack.n);
        }
        self.fresh.insert(place);
    }

    fn problem(&mut self, severity: &str, what: &str) {
        if is_torn_tail(severity, what) {
            self.torn += 1;
        } else if what.contains("(os error ") {
            // A fault that did not keep it from being used.
            self.troubles.push(what.to_owned());
        } else {
            self.findings.push(format!("a writer was told ({severity}): {what}"));
        }
    }
}

/// Whether this is what may be said of a session whose writer was killed.
pub(crate) fn is_torn_tail(severity: &str, what: &str) -> bool {
    severity == "warning" && what.contains("were set aside in")
}
