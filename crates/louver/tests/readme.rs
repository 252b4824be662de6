//! The README's commands print what the README says they print.
//!
//! `LOUVER_BLESS=1` writes what they print into the README.
#![allow(clippy::unwrap_used)]

mod sandbox;
mod terminal;

use std::fs;
use std::path::{Path, PathBuf};

use louver_scripted::{Script, Scripted};
use sandbox::{Sandbox, copy, root};
use terminal::Terminal;

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

/// Where the README's scripted model listens. Here it is any port that is free.
const PLACE: &str = "http://127.0.0.1:4321";

/// What is on the screen of a chat in which a person types the README's lines, against the script
/// that the README names.
fn talked(block: &str) -> Option<String> {
    let (command, screen) = block.split_once('\n')?;
    let (variables, arguments) = command.strip_prefix("$ ")?.split_once(" cargo run -q -- ")?;
    let script = fs::read_to_string(root().join("examples/model.json")).unwrap();
    let server = Scripted::start(Script::from_json(&script).unwrap()).unwrap();
    let variables = variables.replace(PLACE, &server.url());
    let set = |sandbox: Sandbox, variable: &str| {
        let (name, value) = variable.split_once('=').unwrap();
        sandbox.with(name, value)
    };
    let sandbox = variables.split(' ').fold(Sandbox::new(), set);
    // A copy: a chat leaves a session behind.
    copy(&root().join("examples"), &sandbox.home().join("examples"));
    let arguments = words(arguments);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut chat = Terminal::run(&arguments, sandbox.home(), &sandbox.env());
    for line in screen.lines().filter_map(|line| line.strip_prefix("you› ")) {
        chat.say(line);
    }
    let (code, shown) = chat.end();
    assert_eq!((code, server.violations().len()), (0, 0), "{shown}");
    let shown = shown.replace(&server.url(), PLACE);
    let fresh = format!("{command}\n{shown}\n");
    // A chat is told the time, and what it is reminded of carries days: on another day a number may
    // be another.
    let same = masked(&fresh) == masked(block) && std::env::var_os("LOUVER_BLESS").is_none();
    Some(if same { block.to_owned() } else { fresh })
}

/// A screen without its numbers and bars.
fn masked(screen: &str) -> String {
    let counts = |c: char| c.is_ascii_digit() || ",█▉▊▋▌▍▎▏".contains(c);
    let bare: String = screen.chars().filter(|c| !counts(*c)).collect();
    bare.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
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
        let printed = printed(command).map(|output| format!("{command}\n{output}"));
        let block = printed.or_else(|| talked(block)).unwrap_or_else(|| block.to_owned());
        ran += 1;
        fresh.push_str(&format!("{before}```console\n{block}```"));
        rest = after;
    }
    fresh.push_str(rest);
    assert!(ran > 3, "the README shows too few commands");
    let serves = format!(
        "cargo run -q -p louver-scripted -- --script examples/model.json --port 4321\n{PLACE}\n"
    );
    assert!(fresh.contains(&serves), "the README does not start the script it talks to");
    if std::env::var_os("LOUVER_BLESS").is_some() {
        fs::write(readme(), &fresh).unwrap();
    }
    assert!(
        fresh == fs::read_to_string(readme()).unwrap(),
        "LOUVER_BLESS=1 writes what they print:\n{fresh}"
    );
}
