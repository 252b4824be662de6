//! What cargo itself checks: formatting, lints, tests, documentation.

use crate::run::{cargo, run, works};
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
    let args = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    run(cargo().args(args)).into()
}

/// nextest runs tests side by side and names each; without it cargo's own runner does as well.
pub(super) fn test() -> Outcome {
    if works(cargo().args(["nextest", "--version"])) {
        return run(cargo().args(["nextest", "run", "--workspace", "--locked"])).into();
    }
    run(cargo().args(["test", "--workspace", "--locked", "--lib", "--bins", "--tests"])).into()
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
