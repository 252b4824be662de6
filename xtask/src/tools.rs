//! What checks need and cargo does not bring: found, or installed where that is allowed.
//!
//! Nothing here fails a run. What cannot be had comes back as [`Missing`] with the reason, and the
//! step that wanted it is skipped. System packages are only installed by root; Python and npm packages
//! go into folders under the target folder, so that `cargo clean` takes them away.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{program, run, target, works};

/// Something a check needs is not here and cannot be had.
#[derive(Debug)]
pub(crate) struct Missing(String);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}

/// A program, with the system package that has it.
pub(crate) fn need(name: &str, package: &str) -> Result<(), Missing> {
    let found = || works(program(name).arg("--version"));
    if found() || (apt_install(package) && found()) {
        return Ok(());
    }
    Err(Missing(format!("`{name}` is not installed; `apt-get install {package}` has it on Debian")))
}

/// The Python of a virtual environment that has these packages, in their newest versions.
pub(crate) fn python(name: &str, packages: &[&str]) -> Result<PathBuf, Missing> {
    let python = venv(name)?;
    pip(&python, packages.iter().chain([&"--upgrade"]))?;
    Ok(python)
}

/// A folder into which one version of a package was installed, without what it depends on.
pub(crate) fn package(pinned: &str) -> Result<PathBuf, Missing> {
    let folder = target().join("tools").join(pinned.replace("==", "-"));
    if folder.is_dir() {
        return Ok(folder);
    }
    let python = venv("venv")?;
    // A run that is ended half-way must not leave a folder that looks whole.
    let new = folder.with_extension("new");
    pip(&python, &[pinned, "--no-deps", "--target", &new.to_string_lossy()])?;
    match fs::rename(&new, &folder) {
        Ok(()) => Ok(folder),
        Err(error) => Err(Missing(format!("cannot make {}: {error}", folder.display()))),
    }
}

/// A folder into which these versions of npm packages were installed, with what they depend on.
pub(crate) fn npm(pinned: &[&str]) -> Result<PathBuf, Missing> {
    need("node", "nodejs")?;
    need("npm", "npm")?;
    let folder = target().join("tools/npm");
    // Written last, so that a run that is ended half-way is seen.
    let done = folder.join("installed");
    let wanted = pinned.join("\n");
    if fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(folder);
    }
    let failed = |error: std::io::Error| {
        Missing(format!("cannot install into {}: {error}", folder.display()))
    };
    fs::create_dir_all(&folder).map_err(failed)?;
    // What a package would run when it is installed is not run.
    let quietly = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    run(program("npm").args(quietly).arg("--prefix").arg(&folder).args(pinned))
        .map_err(|error| Missing(format!("{error:#}")))?;
    fs::write(&done, wanted).map_err(failed)?;
    Ok(folder)
}

fn venv(name: &str) -> Result<PathBuf, Missing> {
    need("python3", "python3")?;
    let folder = target().join("tools").join(name);
    let python = folder.join("bin/python");
    if !works(program(&python).args(["-m", "pip", "--version"])) {
        make_venv(&folder)?;
    }
    Ok(python)
}

fn pip<'a>(python: &Path, words: impl IntoIterator<Item = &'a &'a str>) -> Result<(), Missing> {
    let quietly = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run(program(python).args(quietly).args(words)).map_err(|error| Missing(format!("{error:#}")))
}

fn make_venv(folder: &Path) -> Result<(), Missing> {
    let venv = || works(program("python3").args(["-m", "venv", "--clear"]).arg(folder));
    if let Some(parent) = folder.parent() {
        // When it cannot be made, venv says so.
        let _ = fs::create_dir_all(parent);
    }
    // Debian has `python3 -m venv` in a package of its own.
    if venv() || (apt_install("python3-venv") && venv()) {
        return Ok(());
    }
    Err(Missing("`python3 -m venv` does not work; `apt-get install python3-venv` on Debian".into()))
}

/// Installs a system package where that is allowed. Says whether it did.
fn apt_install(package: &str) -> bool {
    if !is_root() || !works(program("apt-get").arg("--version")) {
        return false;
    }
    println!("installing {package} with apt-get");
    let install = || {
        let args = ["install", "--yes", "--quiet", "--no-install-recommends", package];
        works(program("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    // The lists may be older than the packages, or not there at all.
    install() || (works(program("apt-get").args(["update", "--quiet"])) && install())
}

/// Whether this process may install system packages. `/proc/self` belongs to whoever runs it.
#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Elsewhere nothing is installed for anybody.
#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}
