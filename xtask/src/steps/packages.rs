//! The ceiling on packages, as a step.

use crate::packages;
use crate::steps::Outcome;

pub(super) fn run() -> Outcome {
    packages::check().map(|count| println!("{count}")).into()
}
