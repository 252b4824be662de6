//! A short run of everything that can happen to a writer, as a step.

use crate::crash::build;
use crate::run::{program, run};
use crate::steps::Outcome;

/// Enough to meet what is often wrong, and short enough to be waited for. `cargo xtask crash` does
/// more.
const RUNS: &[&[&str]] = &[
    &["kills", "--kills", "60", "--seconds", "20"],
    &["turns", "--kills", "40", "--seconds", "15"],
    &["faults", "--points", "30"],
    &["twins"],
];

pub(super) fn run_all() -> Outcome {
    let runs = build()
        .and_then(|crash| RUNS.iter().try_for_each(|words| run(program(&crash).args(*words))));
    runs.into()
}
