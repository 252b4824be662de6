//! The rules a compiler does not check.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../louver-store/tests/skipped/mod.rs"]
mod skipped;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Every file below a folder with this ending, without what builds leave behind.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with(".git") {
            found.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found
}

/// Those of a folder that has some.
fn some_files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let found = files(folder, ending);
    assert!(!found.is_empty(), "no {ending} in {}", folder.display());
    found
}

#[test]
fn every_source_file_says_what_it_is_for() {
    let sources = files(&root(), ".rs");
    assert!(sources.len() > 40);
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{} does not open with `//! `", path.display());
    }
}

#[test]
fn the_map_names_every_crate() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(map.contains(&format!("`{name}`")), "ARCHITECTURE.md does not name `{name}`");
    }
}

/// What a crate depends on, directly or not, builds and tests aside.
fn dependencies(package: &str) -> Vec<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "--prefix", "none", "--edges", "normal", "-p", package])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next().map(str::to_owned)).collect()
}

const ASYNC: &[&str] = &["tokio", "async-std", "smol", "futures", "futures-util", "futures-core"];
const NETWORK: &[&str] = &["reqwest", "hyper", "axum", "ureq", "socket2", "mio", "rustls"];
const SYSTEM: &[&str] =
    &["rustix", "libc", "nix", "jiff", "chrono", "time", "getrandom", "rand", "tempfile"];

#[test]
fn the_engine_depends_on_nothing_that_waits_or_touches() {
    let tree = dependencies("louver-context");
    assert!(tree.iter().any(|name| name == "serde_json"), "{tree:?}");
    for banned in [ASYNC, NETWORK, SYSTEM].concat() {
        assert!(!tree.iter().any(|name| name == banned), "louver-context depends on `{banned}`");
    }
}

#[test]
fn the_engine_uses_no_clock_file_environment_or_thread() {
    let banned = [
        "std::fs",
        "std::net",
        "std::env",
        "std::time",
        "std::process",
        "std::thread",
        "Instant",
        "SystemTime",
    ];
    for path in some_files(&root().join("crates/louver-context/src"), ".rs") {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for word in banned {
            assert!(!code.contains(word), "{} uses `{word}`", path.display());
        }
    }
}

#[test]
fn the_store_depends_on_no_network_and_nothing_async() {
    let tree = dependencies("louver-store");
    for banned in [ASYNC, NETWORK].concat() {
        assert!(!tree.iter().any(|name| name == banned), "louver-store depends on `{banned}`");
    }
}

#[test]
fn nothing_tracked_holds_a_path_of_one_machine() {
    let listed = Command::new("git").args(["ls-files"]).current_dir(root()).output();
    let Some(listed) = listed.ok().filter(|listed| listed.status.success()) else {
        return skipped::skipped("git lists no files here");
    };
    let names = String::from_utf8_lossy(&listed.stdout);
    assert!(names.lines().any(|name| name == "README.md"), "{names}");
    // In parts, so that this file does not hold what it looks for.
    let banned =
        [["/", "work/"].concat(), ["/", "root/."].concat(), ["/", "home/", "runner"].concat()];
    for name in names.lines() {
        let Ok(text) = fs::read_to_string(root().join(name)) else { continue };
        for word in &banned {
            let allowed = name.ends_with("Cargo.lock");
            assert!(allowed || !text.contains(word.as_str()), "{name} holds `{word}`");
        }
    }
}
