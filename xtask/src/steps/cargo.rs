//! What cargo itself checks: formatting, lints, tests, documentation.

use std::collections::BTreeSet;

use crate::run::{cargo, run, target, works};
use crate::steps::Outcome;

pub(super) fn fmt() -> Outcome {
    if !works(cargo().args(["fmt", "--version"])) {
        return missing("rustfmt");
    }
    let all = run(cargo().args(["fmt", "--all", "--check"]));
    // The fuzz targets are a workspace of their own.
    let fuzz = ["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"];
    all.and_then(|()| run(cargo().args(fuzz))).into()
}

pub(super) fn clippy() -> Outcome {
    if !works(cargo().args(["clippy", "--version"])) {
        return missing("clippy");
    }
    let strict = ["--locked", "--", "-D", "warnings"];
    let all = run(cargo().args(["clippy", "--workspace", "--all-targets"]).args(strict));
    // Here rather than at the very end, where they are built with flags of their own.
    let fuzz = ["clippy", "--bins", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"];
    all.and_then(|()| run(cargo().args(fuzz).arg(target()).args(strict))).into()
}

/// The properties draw the same inputs in every run of this step, so that a failure is the change's and
/// not the day's. A plain `cargo test` draws new ones, and so does this with another seed in the
/// environment.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20260310");

/// nextest runs tests side by side and names each; without it cargo's own runner does as well.
pub(super) fn test() -> Outcome {
    let mut command = cargo();
    if std::env::var_os(SEED.0).is_none() {
        command.env(SEED.0, SEED.1);
    }
    match works(cargo().args(["nextest", "--version"])) {
        true => command.args(["nextest", "run", "--workspace", "--locked", "--no-fail-fast"]),
        false => command.args(["test", "--workspace", "--locked", "--lib", "--bins", "--tests"]),
    };
    // What a test could not look at, such as a sandbox that this kernel has not, it writes here.
    let file = target().join("skipped-tests.txt");
    let _ = std::fs::remove_file(&file);
    let outcome = Outcome::from(run(command.env("LOUVER_SKIPPED", &file)));
    let skipped = std::fs::read_to_string(&file).unwrap_or_default();
    match outcome {
        Outcome::Passed if !skipped.is_empty() => Outcome::Partly(not_looked_at(&skipped)),
        outcome => outcome,
    }
}

/// The tests that looked at nothing or not at all, one on a line.
fn not_looked_at(skipped: &str) -> String {
    let lines: BTreeSet<&str> = skipped.lines().collect();
    let lines: Vec<String> = lines.iter().map(|line| format!("\n    {line}")).collect();
    format!("but these tests could not look here:{}", lines.concat())
}

pub(super) fn doctest() -> Outcome {
    run(cargo().args(["test", "--workspace", "--locked", "--doc"])).into()
}

pub(super) fn doc() -> Outcome {
    let args = ["doc", "--workspace", "--locked", "--no-deps"];
    run(cargo().args(args).env("RUSTDOCFLAGS", "-D warnings")).into()
}

fn missing(component: &str) -> Outcome {
    Outcome::Skipped(format!("{component} is not installed; `rustup component add {component}`"))
}
