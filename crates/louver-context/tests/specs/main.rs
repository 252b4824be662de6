//! Runs the specifications: each `##` heading with code blocks under `specs/` is one case.
//!
//! The notation is explained in `specs/README.md`; `given` reads it and `answer` prints it.
//! `LOUVER_BLESS=1` writes what the engine answers into the expected blocks; read the difference
//! before you keep it.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

use louver_context::layers::*;
use louver_context::snapshot::Host;
use louver_context::*;

mod answer;
mod given;

use answer::answer;
use given::Facts;

/// What a case uses that names no profile: a table made outside the crate, with little glue.
static PLAIN: Profile = Profile {
    name: Cow::Borrowed("plain"),
    layers: Cow::Borrowed(&[
        who,
        instructions::build,
        memory::build,
        active_skills::build,
        skills::build,
        summary::build,
        changes::build,
        active_skills::named,
        recalled::build,
        runtime::build,
    ]),
    join: "\n\n",
    turn: TurnShape::Before,
    files: &[],
    identity: None,
    daily_notes: true,
};

/// The identity alone, without where the agent runs.
fn who(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("identity", Place::Always, Give::Never);
    let document = snapshot.identity.as_ref()?;
    layer.file(&document.path, &document.text);
    Some(layer)
}

/// Long prose of the engine, which expected blocks may name instead of repeating it.
const PROSE: &[(&str, &str)] = &[
    ("{identity}", include_str!("../../src/layers/identity.md")),
    ("{host}", include_str!("../../src/layers/host.md")),
    ("{skills intro}", include_str!("../../src/layers/skills.md")),
    ("{skills list intro}", include_str!("../../src/layers/skills_list.md")),
];

#[test]
fn the_engine_does_what_the_specifications_say() {
    let mut files = Vec::new();
    find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs"), &mut files);
    assert!(!files.is_empty(), "no specification was found");
    let failures: String = files.iter().map(|file| run_file(file)).collect();
    assert!(failures.is_empty(), "{failures}\nLOUVER_BLESS=1 writes what the engine answers");
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        match path.extension() {
            _ if path.is_dir() => find(&path, files),
            Some(md) if md == "md" => files.push(path),
            _ => {}
        }
    }
}

/// Runs the cases of a file; says what failed, or mends the file when it is to be blessed.
fn run_file(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let name = path.to_str().unwrap().rsplit("/../../").next().unwrap();
    let cases = cases(&text);
    assert!(!cases.is_empty(), "{name} has no case");
    let runs = cases.iter().flat_map(|case| case.run(name).into_iter().map(move |run| (case, run)));
    if env::var_os("LOUVER_BLESS").is_some() {
        let mut lines: Vec<&str> = text.lines().collect();
        let runs: Vec<_> = runs.map(|(_, run)| run).collect();
        // From the end, so that the lines still to be replaced stay where they are.
        for (block, got) in runs.iter().rev() {
            lines.splice(block.lines.clone(), got.split('\n'));
        }
        fs::write(path, lines.join("\n") + "\n").unwrap();
        return String::new();
    }
    let wrong = runs.filter(|(_, (block, got))| block.text != *got);
    let failure = |(case, (block, got)): (&Case, (&Block, String))| {
        let (heading, kind, expected) = (case.heading, block.kind, &block.text);
        format!("\n=== {name}\n## {heading}: `{kind}`\n--- expected\n{expected}\n--- got\n{got}\n")
    };
    wrong.map(failure).collect()
}

/// A heading and its code blocks.
struct Case<'a> {
    heading: &'a str,
    blocks: Vec<Block<'a>>,
}

/// A code block: its kind, what follows it in the info string, its text and the lines it is on.
struct Block<'a> {
    kind: &'a str,
    name: &'a str,
    text: String,
    lines: Range<usize>,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        if let Some(heading) = line.strip_prefix("## ") {
            cases.push(Case { heading, blocks: Vec::new() });
        } else if line.starts_with("```") {
            let info = line.trim_start_matches('`');
            let fence = &line[..line.len() - info.len()];
            let end = at + lines[at..].iter().position(|line| *line == fence).expect(line);
            let (kind, name) = info.split_once(' ').unwrap_or((info, ""));
            let block = Block { kind, name, text: lines[at..end].join("\n"), lines: at..end };
            cases.last_mut().expect("a block stands under a heading").blocks.push(block);
            at = end + 1;
        }
    }
    cases.retain(|case| !case.blocks.is_empty());
    cases
}

impl<'a> Case<'a> {
    /// The expected blocks, each with what the engine answers.
    fn run(&self, file: &str) -> Vec<(&Block<'a>, String)> {
        let mut turns = vec![Facts::default()];
        let mut expected = Vec::new();
        for block in &self.blocks {
            let facts = turns.last().unwrap();
            match block.kind {
                "next" => turns.push(facts.clone()),
                _ if turns.last_mut().unwrap().take(block) => {}
                _ => expected.push(block),
            }
        }
        assert!(!expected.is_empty(), "{file}: `{}` expects nothing", self.heading);
        let built: Vec<_> = turns.iter().map(Facts::build).collect();
        let host = &turns[0].snapshot.host;
        let got = |block: &Block| {
            let got = answer(block.kind, &built);
            named_prose(
                got.unwrap_or_else(|| panic!("{file}: unknown block `{}`", block.kind)),
                block,
                host,
            )
        };
        expected.into_iter().map(|block| (block, got(block))).collect()
    }
}

/// The answer with the names of prose in its place, where the expected block uses them.
fn named_prose(mut got: String, block: &Block, host: &Host) -> String {
    for (name, prose) in PROSE.iter().filter(|(name, _)| block.text.contains(name)) {
        let prose =
            prose.trim_end().replace("{system}", &host.system).replace("{machine}", &host.machine);
        let prose =
            prose.replace("{version}", &host.version).replace("{workspace}", &host.workspace);
        got = got.replace(&prose, name).replace(&prose.replace('\n', "\\n"), name);
    }
    got
}
