//! OpenClaw's file set: each file under its path, cut to a number of characters.
//!
//! The numbers and the marks are OpenClaw's of mid-2026: 20,000 characters a file and 60,000 in all,
//! counted in UTF-16 units, with three quarters of a long file from its head and a quarter from
//! its tail. AGENTS.md also gets a digest of its policy lines, since rules hide in its middle.

use std::sync::Arc;

use crate::layer::{Cut, Give, Layer, Piece};
use crate::layers::skills::escape;
use crate::ledger::Reason;
use crate::snapshot::{Document, Snapshot};
use crate::source::{Place, Source, lines_in};

/// The files in the order in which they share the total.
pub const FILES: &[&str] = &[
    "AGENTS.md",
    "SOUL.md",
    "TOOLS.md",
    "IDENTITY.md",
    "USER.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
    "MEMORY.md",
];
/// The files in the order in which they are shown. Of the two that may be missing unsaid, one is
/// for the first run and the other for the heartbeat.
const SHOWN: &[&str] =
    &["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "BOOTSTRAP.md", "MEMORY.md"];
const MAY_BE_MISSING: &[&str] = &["BOOTSTRAP.md", "MEMORY.md"];

const PER_FILE: usize = 20_000;
const IN_ALL: usize = 60_000;
/// With less than this left of the total, the rest is not worth starting.
const LEAST: usize = 64;

/// The project's files.
pub fn files(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("instructions", Place::Session, Give::Sections);
    layer.glue("# Project Context");
    let shares = shares(snapshot);
    for name in SHOWN {
        let share = shares.iter().find(|(document, _)| *document.name == **name);
        match share {
            Some((document, None)) => layer.cut.push(Cut {
                source: Source::File {
                    path: document.path.clone(),
                    from: 1,
                    to: lines_in(&document.text).max(1),
                },
                text: document.text.clone().into(),
                reason: Reason::Characters(IN_ALL as u32),
            }),
            Some((document, Some(share))) => {
                add(&mut layer, document, *share, &snapshot.host.workspace);
            }
            None if MAY_BE_MISSING.contains(name) => {}
            None => {
                let path = format!("{}/{name}", snapshot.host.workspace);
                layer.glue(format!("\n\n## {path}\n\n[MISSING] Expected at: {path}"));
            }
        }
    }
    Some(layer)
}

/// The heartbeat's file, after everything that stays the same.
pub fn heartbeat(snapshot: &Snapshot) -> Option<Layer> {
    let shares = shares(snapshot);
    let (document, share) = shares.iter().find(|(file, _)| &*file.name == "HEARTBEAT.md")?;
    let mut layer = Layer::new("heartbeat", Place::Session, Give::Lines);
    layer.glue("# Dynamic Project Context");
    add(&mut layer, document, (*share)?, &snapshot.host.workspace);
    Some(layer)
}

/// How many characters each file may have, first come first served; none when nothing is left.
fn shares(snapshot: &Snapshot) -> Vec<(&Document, Option<usize>)> {
    let mut left = IN_ALL;
    let files = FILES.iter().filter_map(|name| {
        let find = |document: &&Document| *document.name == **name;
        snapshot.instructions.iter().find(find)
    });
    files
        .map(|document| {
            if left < LEAST {
                return (document, None);
            }
            let share = left.min(PER_FILE).min(units(&document.text));
            left -= share;
            (document, Some(share))
        })
        .collect()
}

fn add(layer: &mut Layer, document: &Document, share: usize, workspace: &str) {
    layer.glue(format!("\n\n## {workspace}/{}\n\n", document.path));
    let all = units(&document.text);
    if all <= share {
        return layer.file(&document.path, &document.text);
    }
    let agents = &*document.name == "AGENTS.md";
    let name = &document.name;
    let reserve = 2 * name.len() + 120;
    let room = share.saturating_sub(reserve);
    let (head, tail) =
        if agents { (room * 45 / 100, room * 15 / 100) } else { (room * 3 / 4, room / 4) };
    let (head_end, tail_start) =
        (at_unit(&document.text, head), at_unit(&document.text, all - tail));
    let from = 1 + document.text[..head_end].matches('\n').count() as u32;
    let text: Arc<str> = document.text[head_end..tail_start].into();
    let to = from + lines_in(&text).saturating_sub(1);
    let source = Source::File { path: document.path.clone(), from, to };
    let reason = Reason::Characters(share as u32);
    layer.cut.push(Cut { source, text: text.into(), reason });
    lines(layer, document, 0, head_end);
    if agents {
        layer.add(Source::Marker, digest(&document.text, room * 35 / 100));
    }
    layer.add(
        Source::Marker,
        format!(
            "\n[...truncated, read {name} for full content...]\n\
             …(truncated {name}: kept {head}+{tail} chars of {all})…\n"
        ),
    );
    lines(layer, document, tail_start, document.text.len());
}

/// Adds some bytes of a file with the lines they are on.
fn lines(layer: &mut Layer, document: &Document, start: usize, end: usize) {
    let from = 1 + document.text[..start].matches('\n').count() as u32;
    let text: Arc<str> = document.text[start..end].into();
    let to = from + lines_in(&text).saturating_sub(1);
    layer.add(Source::File { path: document.path.clone(), from, to }, text);
}

/// Words that make a line a rule.
const RULES: &[&str] =
    &["must", "never", "do not", "don't", "always", "security", "secret", "required"];

/// The lines of a file that read like rules, the strictest first chosen, in the file's order.
fn digest(text: &str, room: usize) -> String {
    let strict = |line: &str| {
        let line = line.to_lowercase();
        RULES.iter().any(|word| line.contains(word))
    };
    let policy: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with(['#', '-', '*']) || strict(line))
        .map(|line| &line[..at_unit(line, 240)])
        .collect();
    let mut chosen = vec![false; policy.len()];
    let mut left = room;
    for pass in [true, false] {
        for (i, line) in policy.iter().enumerate() {
            let size = units(line) + 1;
            if !chosen[i] && (strict(line) || !pass) && size <= left {
                chosen[i] = true;
                left -= size;
            }
        }
    }
    let mut digest = String::from("\n[Policy digest from AGENTS.md]\n");
    for (line, _) in policy.iter().zip(&chosen).filter(|(_, chosen)| **chosen) {
        digest.push_str(line);
        digest.push('\n');
    }
    let omitted = chosen.iter().filter(|chosen| !**chosen).count();
    if omitted > 0 {
        digest.push_str(&format!("[...{omitted} more policy lines omitted...]\n"));
    }
    digest
}

/// A text's length as JavaScript counts it.
fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The byte at which `n` UTF-16 units have passed, never inside a character.
fn at_unit(text: &str, n: usize) -> usize {
    let mut passed = 0;
    for (at, c) in text.char_indices() {
        passed += c.len_utf16();
        if passed > n {
            return at;
        }
    }
    text.len()
}

/// OpenClaw's listing of skills; those that cannot be used here are not in it.
pub fn skills(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("skills", Place::Session, Give::Forms);
    layer.glue("## Skills\n\n");
    layer.add(Source::built_in("skills_list"), include_str!("skills_list.md"));
    layer.glue("\n<available_skills>");
    let usable = |skill: &&Arc<_>| {
        let skill: &crate::snapshot::SkillCard = skill;
        skill.missing.is_empty() && !skill.hidden
    };
    for skill in snapshot.skills.iter().filter(usable) {
        let mut entry = String::from("\n  <skill><name>");
        escape(&skill.name, &mut entry);
        let short = format!("{entry}</name></skill>");
        entry.push_str("</name><description>");
        escape(&skill.description, &mut entry);
        entry.push_str("</description><location>");
        escape(&skill.location, &mut entry);
        entry.push_str("</location></skill>");
        let source = Source::Skill { name: skill.name.clone() };
        layer.pieces.push(Piece { text: entry.into(), source, shorter: vec![short.into()] });
    }
    layer.glue("\n</available_skills>");
    (layer.pieces.len() > 4).then_some(layer)
}
