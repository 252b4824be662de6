//! The `nanobot` profiles against the real package, byte for byte.
//!
//! The package is installed by name, without what it depends on: the script stands in for that.

use crate::run::{cargo, program, run, target};
use crate::steps::Outcome;
use crate::tools;

/// Which release each profile speaks like.
const PAIRS: &[(&str, &str)] =
    &[("nanobot-ai==0.1.4.post3", "nanobot"), ("nanobot-ai==0.1.4.post2", "nanobot-suffix")];

pub(super) fn run_all() -> Outcome {
    let mut packages = Vec::new();
    for (package, profile) in PAIRS {
        match tools::package(package) {
            Ok(folder) => packages.push((folder, profile)),
            Err(missing) => return Outcome::Skipped(missing.to_string()),
        }
    }
    let built = run(cargo().args(["build", "--locked", "-p", "louver"]));
    let louver = target().join("debug/louver");
    let compared = built.and_then(|()| {
        packages.iter().try_for_each(|(folder, profile)| {
            println!("comparing the profile `{profile}`");
            let script = "xtask/scripts/conformance.py";
            run(program("python3").arg(script).arg(&louver).arg(folder).arg(profile))
        })
    });
    compared.into()
}
