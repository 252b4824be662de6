//! `cargo xtask fuzz`: the fuzz targets, on the stable compiler and with nothing to install.
//!
//! `cargo fuzz` wants a nightly compiler, for sanitizers above all. There is no unsafe code here,
//! so coverage is enough, and that is a pass of LLVM's which stable can be asked for. The flags
//! are those of `cargo fuzz --sanitizer none`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::run::{cargo, output, program, root, run, target};
use crate::tools::{Missing, need};

/// The targets; each is a file in `fuzz/fuzz_targets/`.
pub(crate) const TARGETS: &[&str] = &["frontmatter", "history", "fit"];

/// Feeds coverage back to libFuzzer.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "--cfg=fuzzing",
];

/// What to fuzz, and for how long.
#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// The target; all of them when none is named.
    target: Option<String>,
    /// How long each target runs.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

impl Fuzz {
    pub(crate) fn run(&self) -> Result<()> {
        let named = |target: &&&str| self.target.as_deref().is_none_or(|name| name == **target);
        let targets: Vec<&str> = TARGETS.iter().filter(named).copied().collect();
        if targets.is_empty() {
            bail!("there is no such fuzz target; there are {}", TARGETS.join(", "));
        }
        can_build()?;
        let fuzzer = Fuzzer::build()?;
        targets.iter().try_for_each(|target| fuzzer.fuzz(target, self.seconds))
    }
}

/// libFuzzer is written in C++ and is built here.
pub(crate) fn can_build() -> Result<(), Missing> {
    need("c++", "g++")
}

/// The targets, built.
pub(crate) struct Fuzzer {
    folder: PathBuf,
}

impl Fuzzer {
    /// Builds all targets. They have a target folder of their own: other flags, other files.
    pub(crate) fn build() -> Result<Self> {
        let host = host()?;
        let folder = target().join("fuzz");
        // Naming the target keeps the flags away from build scripts, which could not be linked.
        // Not `--locked`: the lock file there follows the one of the crates it tests.
        let args = ["build", "--release", "--bins", "--manifest-path", "fuzz/Cargo.toml"];
        let build = &mut cargo();
        build.args(args).args(["--target", &host]).arg("--target-dir").arg(&folder);
        // Unlike RUSTFLAGS these survive a flag with a space in it.
        build.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"));
        run(build)?;
        Ok(Fuzzer { folder: folder.join(host).join("release") })
    }

    /// Runs one target. What it finds is left in `fuzz/artifacts`, what it learns in `fuzz/corpus`.
    pub(crate) fn fuzz(&self, name: &str, seconds: u32) -> Result<()> {
        println!("fuzzing `{name}` for {seconds} s");
        let fuzz = root().join("fuzz");
        let (corpus, artifacts) =
            (fuzz.join("corpus").join(name), fuzz.join("artifacts").join(name));
        make(&corpus)?;
        make(&artifacts)?;
        let mut prefix = std::ffi::OsString::from("-artifact_prefix=");
        prefix.push(artifacts.join(""));
        let limits = ["-timeout=10", "-rss_limit_mb=2048", "-max_len=4096"];
        let target = &mut program(self.folder.join(name));
        target.arg(format!("-max_total_time={seconds}")).args(limits);
        target.args(["-print_final_stats=1", "-verbosity=0"]);
        target.arg(prefix).arg(&corpus).arg(fuzz.join("seeds").join(name));
        let end = target.output().with_context(|| format!("cannot start `{name}`"))?;
        let said = String::from_utf8_lossy(&end.stderr);
        if !end.status.success() {
            eprintln!("{said}");
            bail!("`{name}` found something; the input is in fuzz/artifacts/{name}");
        }
        // The rest is a dictionary for people who tune fuzzers.
        said.lines().filter(|line| line.starts_with("stat::")).for_each(|line| println!("{line}"));
        Ok(())
    }
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// The machine this compiler builds for.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let about = output(program(rustc).arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` names no host")
}
