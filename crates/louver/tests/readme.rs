//! The README's commands print what the README says they print.
//!
//! `LOUVER_BLESS=1` writes what they print into the README.
#![allow(clippy::unwrap_used)]

mod sandbox;

use std::fs;
use std::path::{Path, PathBuf};

use sandbox::Sandbox;

fn readme() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("README.md")
}

/// The words of a command line, with double quotes understood.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// What a command of the README prints, run as the README says, from the repository's root.
fn printed(line: &str) -> Option<String> {
    let line = line.strip_prefix("$ ")?;
    let arguments =
        line.strip_prefix("cargo run -q -- ").or_else(|| line.strip_prefix("louver "))?;
    let words = words(arguments);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = Sandbox::new().at_root(&words);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{line}");
    Some(ran.stdout)
}

/// On other machines the prompt names another system, which may cost a token more or less.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_commands_print_what_the_readme_shows() {
    let text = fs::read_to_string(readme()).unwrap();
    let mut fresh = String::new();
    let mut rest = text.as_str();
    let mut ran = 0;
    while let Some((before, block)) = rest.split_once("```console\n") {
        let (block, after) = block.split_once("```").unwrap();
        let (command, _) = block.split_once('\n').unwrap();
        let block = match printed(command) {
            Some(output) => format!("{command}\n{output}"),
            None => block.to_owned(),
        };
        ran += 1;
        fresh.push_str(&format!("{before}```console\n{block}```"));
        rest = after;
    }
    fresh.push_str(rest);
    assert!(ran > 0, "the README shows no command");
    if std::env::var_os("LOUVER_BLESS").is_some() {
        fs::write(readme(), &fresh).unwrap();
    }
    assert!(
        fresh == fs::read_to_string(readme()).unwrap(),
        "LOUVER_BLESS=1 writes what they print:\n{fresh}"
    );
}
