//! A short run of every fuzz target, as a step.

use crate::fuzz::{self, Fuzzer, TARGETS};
use crate::steps::Outcome;

/// Long enough to leave the seeds behind, short enough to be waited for.
const SECONDS: u32 = 10;

pub(super) fn run() -> Outcome {
    if let Err(missing) = fuzz::can_build() {
        return Outcome::Skipped(missing.to_string());
    }
    let runs = Fuzzer::build()
        .and_then(|fuzzer| TARGETS.iter().try_for_each(|target| fuzzer.fuzz(target, SECONDS)));
    runs.into()
}
