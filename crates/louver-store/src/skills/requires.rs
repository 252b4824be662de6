//! Can a skill run here?
//!
//! What a skill asks for is compared with a [`Host`], which the caller describes; only the search
//! for programs looks at the disk, once per name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use serde_json::{Map, Value};

use super::metadata::words;

/// What a skill says it needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requires {
    /// Programs, all of them.
    pub bins: Vec<String>,
    /// Programs, one of which is enough.
    pub any_bins: Vec<String>,
    /// Environment variables that are set and not empty.
    pub env: Vec<String>,
    /// Configuration keys that are set.
    pub config: Vec<String>,
    /// Systems, one of which it must be, as Rust names them: `linux`, `macos`, `windows`.
    pub os: Vec<String>,
}

/// One thing a skill needs that is not here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// A program that is not on the `PATH`.
    Bin(String),
    /// Programs, none of which is on the `PATH`.
    AnyBin(Vec<String>),
    /// A variable that is unset or empty.
    Env(String),
    /// A configuration key that is not set.
    Config(String),
    /// The systems it runs on, which this is not.
    Os(String),
}

/// What is here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Host {
    /// The folders in which programs are looked for.
    pub path: Vec<PathBuf>,
    /// The names of the environment variables that are set and not empty.
    pub env: BTreeSet<String>,
    /// The system, as Rust names it.
    pub os: &'static str,
    /// The configuration keys that are set.
    pub config: BTreeSet<String>,
}

impl Host {
    /// This process's environment, with no configuration keys.
    pub fn current() -> Host {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::split_paths(&path).filter(|dir| dir.is_absolute()).collect();
        let set = std::env::vars_os().filter(|(_, value)| !value.is_empty());
        let env = set.filter_map(|(name, _)| name.into_string().ok()).collect();
        Host { path, env, os: std::env::consts::OS, config: BTreeSet::new() }
    }
}

impl Requires {
    /// Adds what `requires` and `os` of this mapping ask for.
    pub(super) fn add(&mut self, keys: &Map<String, Value>) {
        extend(&mut self.os, keys.get("os").map(words).unwrap_or_default());
        for os in &mut self.os {
            rename_system(os);
        }
        let Some(Value::Object(requires)) = keys.get("requires") else { return };
        let listed = |name: &str| requires.get(name).map(words).unwrap_or_default();
        extend(&mut self.bins, listed("bins"));
        extend(&mut self.any_bins, listed("anyBins"));
        extend(&mut self.any_bins, listed("any_bins"));
        extend(&mut self.env, listed("env"));
        extend(&mut self.config, listed("config"));
    }

    /// Whether programs have to be looked for.
    pub(super) fn programs(&self) -> bool {
        !self.bins.is_empty() || !self.any_bins.is_empty()
    }
}

/// The host while one set of skills is compared with it; a program is looked for once.
pub(super) struct Check<'a> {
    host: &'a Host,
    programs: BTreeMap<String, bool>,
}

impl<'a> Check<'a> {
    pub(super) fn new(host: &'a Host) -> Check<'a> {
        Check { host, programs: BTreeMap::new() }
    }

    /// What is not here, in the order in which nanobot says it.
    pub(super) fn missing(&mut self, requires: &Requires) -> Vec<Missing> {
        let mut missing = Vec::new();
        let absent = requires.bins.iter().filter(|bin| !self.has_program(bin));
        missing.extend(absent.cloned().map(Missing::Bin));
        let unset = requires.env.iter().filter(|name| !self.host.env.contains(*name));
        missing.extend(unset.cloned().map(Missing::Env));
        let any = &requires.any_bins;
        if !any.is_empty() && !any.iter().any(|bin| self.has_program(bin)) {
            missing.push(Missing::AnyBin(any.clone()));
        }
        let unset = requires.config.iter().filter(|key| !self.host.config.contains(*key));
        missing.extend(unset.cloned().map(Missing::Config));
        if !requires.os.is_empty() && !requires.os.iter().any(|os| os == self.host.os) {
            missing.push(Missing::Os(requires.os.join("|")));
        }
        missing
    }

    fn has_program(&mut self, name: &str) -> bool {
        if let Some(known) = self.programs.get(name) {
            return *known;
        }
        let found = if name.contains('/') {
            name.starts_with('/') && is_program(Path::new(name))
        } else {
            self.host.path.iter().any(|dir| is_program(&dir.join(name)))
        };
        self.programs.insert(name.to_owned(), found);
        found
    }
}

/// What is not here as one line: nanobot's words for what nanobot knows, ours for the rest.
pub(super) fn as_text(missing: &[Missing]) -> String {
    let said: Vec<String> = missing.iter().map(Missing::to_string).collect();
    said.join(", ")
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Missing::Bin(name) => write!(f, "CLI: {name}"),
            Missing::AnyBin(names) => write!(f, "ANY OF: {}", names.join("|")),
            Missing::Env(name) => write!(f, "ENV: {name}"),
            Missing::Config(key) => write!(f, "CONFIG: {key}"),
            Missing::Os(names) => write!(f, "OS: {names}"),
        }
    }
}

fn is_program(path: &Path) -> bool {
    // A missing name is the common case and costs one call.
    rustix::fs::access(path, Access::EXEC_OK).is_ok() && path.is_file()
}

fn extend(list: &mut Vec<String>, more: Vec<String>) {
    for word in more {
        if !list.contains(&word) {
            list.push(word);
        }
    }
}

/// Node's names, which OpenClaw uses, become Rust's.
fn rename_system(os: &mut String) {
    match os.to_ascii_lowercase().as_str() {
        "darwin" | "macos" | "osx" => *os = "macos".into(),
        "win32" | "windows" => *os = "windows".into(),
        "linux" => *os = "linux".into(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use serde_json::json;

    use super::*;

    fn requires(value: Value) -> Requires {
        let mut requires = Requires::default();
        requires.add(value.as_object().unwrap());
        requires
    }

    fn said(requires: &Requires, host: &Host) -> String {
        as_text(&Check::new(host).missing(requires))
    }

    #[test]
    fn what_is_missing_is_said_in_nanobots_words_first() {
        let needs = requires(json!({
            "os": ["darwin", "win32"],
            "requires": {
                "bins": ["nope-1", "nope-2"], "anyBins": ["nope-3", "nope-4"],
                "env": ["LOUVER_TEST_KEY"], "config": ["browser.enabled"]
            }
        }));
        let host = Host { os: "linux", ..Host::default() };
        assert_eq!(
            said(&needs, &host),
            "CLI: nope-1, CLI: nope-2, ENV: LOUVER_TEST_KEY, ANY OF: nope-3|nope-4, \
             CONFIG: browser.enabled, OS: macos|windows"
        );
    }

    #[test]
    fn nothing_is_missing_when_all_is_here() {
        let needs = requires(json!({
            "os": "linux", "requires": {"env": "KEY", "config": ["a.b"]}
        }));
        let host = Host {
            path: vec![],
            env: ["KEY".to_owned()].into(),
            os: "linux",
            config: ["a.b".to_owned()].into(),
        };
        assert_eq!(said(&needs, &host), "");
    }

    #[test]
    fn a_program_is_an_executable_file_on_the_path() {
        let dir = tempfile::tempdir().unwrap();
        let make = |name: &str, mode: u32| {
            let path = dir.path().join(name);
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        make("runs", 0o755);
        make("plain", 0o644);
        std::fs::create_dir(dir.path().join("folder")).unwrap();
        let host = Host { path: vec![dir.path().into()], os: "linux", ..Host::default() };
        let absolute = dir.path().join("runs");
        let mut check = Check::new(&host);
        assert!(check.has_program("runs") && check.has_program(absolute.to_str().unwrap()));
        for name in ["plain", "folder", "gone", "./runs", "../runs", "", "a\0b"] {
            assert!(!check.has_program(name), "{name}");
        }
        let any = requires(json!({"requires": {"anyBins": ["gone", "runs"]}}));
        assert_eq!(check.missing(&any), vec![]);
    }

    #[test]
    fn the_host_of_this_process_has_no_empty_variables() {
        let host = Host::current();
        assert_eq!(host.os, std::env::consts::OS);
        assert!(host.env.iter().all(|name| std::env::var_os(name).is_some_and(|v| !v.is_empty())));
    }
}
