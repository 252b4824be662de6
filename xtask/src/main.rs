//! The chores of this repository: `cargo xtask test`, `bench`, `crash`, `fuzz`, `deny` and
//! `package-count`.
//!
//! Each command is one file. `test` is the one that matters: it is what a contributor runs before
//! a commit and what CI runs after it.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is a command line tool, and what it says is its result"
)]

mod bench;
mod crash;
mod deny;
mod eval;
mod fuzz;
mod packages;
mod run;
mod steps;
mod test;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The chores of this repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Run every check, in the order of its table, and say what was skipped and why.
    Test(test::Test),
    /// Measure what louver promises, with the target beside each figure.
    Bench(bench::Bench),
    /// Kill, starve and cut off writers, and look what is left.
    Crash(crash::Crash),
    /// Measure what recall finds, on packs of notes and questions.
    Eval(eval::Eval),
    /// Run the fuzz targets for a while.
    Fuzz(fuzz::Fuzz),
    /// Check licences, sources and duplicates with cargo-deny.
    Deny(deny::Deny),
    /// Fail when Cargo.lock has more packages than it may.
    PackageCount,
}

fn main() -> ExitCode {
    let done = match Cli::parse().chore {
        Chore::Test(test) => test.run(),
        Chore::Bench(bench) => bench.run(),
        Chore::Crash(crash) => crash.run(),
        Chore::Eval(eval) => eval.run(),
        Chore::Fuzz(fuzz) => fuzz.run(),
        Chore::Deny(deny) => deny.run(),
        Chore::PackageCount => packages::check().map(|count| println!("{count}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
