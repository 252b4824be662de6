//! A test that cannot look at something here says so, where it is seen.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs::OpenOptions;
use std::io::Write as _;

/// Says what this test did not look at, and why: to whoever reads its output, and in the file of `LOUVER_SKIPPED`, out of
/// which `cargo xtask test` tells it at the end. Runners hide what a test prints that passes.
pub(crate) fn skipped(why: &str) {
    let thread = std::thread::current();
    let line = format!("{}: {why}\n", thread.name().unwrap_or_default());
    eprint!("SKIPPED {line}");
    if let Some(file) = std::env::var_os("LOUVER_SKIPPED") {
        let file = OpenOptions::new().create(true).append(true).open(file);
        file.unwrap().write_all(line.as_bytes()).unwrap();
    }
}
