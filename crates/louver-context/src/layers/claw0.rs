//! claw0's eight layers and its cuts: 20,000 characters a file, 150,000 in all, 30,000 of skills.
//!
//! Two of the eight, the runtime and the channel, stand in claw0's system text and change it with
//! every minute. Here they are `Turn` layers: the same eight, in the same words' order, and a prefix
//! that can be cached.

use crate::layer::{Cut, Give, Layer};
use crate::layers::runtime::facts;
use crate::ledger::Reason;
use crate::snapshot::{Document, Snapshot};
use crate::source::{Place, Source, Trust, lines_in};

/// The files in the order in which they share the total.
pub const FILES: &[&str] = &[
    "SOUL.md",
    "IDENTITY.md",
    "TOOLS.md",
    "USER.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
    "AGENTS.md",
    "MEMORY.md",
];

const PER_FILE: usize = 20_000;
const IN_ALL: usize = 150_000;
const SKILLS: usize = 30_000;
const MOST_SKILLS: usize = 150;

/// Layer 1: who the agent is.
pub fn identity(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("identity", Place::Always, Give::Never);
    match share(snapshot, "IDENTITY.md") {
        Some((document, share)) => add(&mut layer, document, share),
        None => layer.add(Source::built_in("identity"), include_str!("identity.md").trim_end()),
    }
    Some(layer)
}

/// Layer 2: its character.
pub fn soul(snapshot: &Snapshot) -> Option<Layer> {
    under("soul", "## Personality\n\n", snapshot, "SOUL.md")
}

/// Layer 3: how to use tools.
pub fn tools(snapshot: &Snapshot) -> Option<Layer> {
    under("tool guidance", "## Tool Usage Guidelines\n\n", snapshot, "TOOLS.md")
}

/// Layer 4: skills, whole, until the characters run out.
pub fn skills(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("skills", Place::Session, Give::Pieces);
    layer.glue("## Skills");
    let mut left = SKILLS;
    for (i, skill) in snapshot.skills.iter().filter(|skill| !skill.hidden).enumerate() {
        let source = Source::Skill { name: skill.name.clone() };
        let block = format!("\n\n### {}\n{}\n\n{}", skill.name, skill.description, skill.body);
        let size = block.chars().count();
        if layer.cut.is_empty() && i < MOST_SKILLS && size <= left {
            left -= size;
            layer.add(source, block);
        } else {
            let reason = match i < MOST_SKILLS {
                true => Reason::Characters(SKILLS as u32),
                false => Reason::Count(MOST_SKILLS as u32),
            };
            layer.cut.push(Cut { source, text: block.into(), reason });
        }
    }
    if !layer.cut.is_empty() {
        layer.add(Source::Marker, "\n\n(... more skills truncated)");
    }
    (layer.pieces.len() > 1).then_some(layer)
}

/// Layer 5: memory.
pub fn memory(snapshot: &Snapshot) -> Option<Layer> {
    let document = snapshot.memory.as_ref().filter(|memory| !memory.text.trim().is_empty())?;
    let mut layer = Layer::new("memory", Place::Session, Give::Lines);
    layer.trust = Trust::Agent;
    layer.glue("## Memory\n\n### Evergreen Memory\n\n");
    let others = snapshot.instructions.iter().filter(|file| &*file.name != "MEMORY.md");
    let used: usize = others.map(|file| file.text.chars().count().min(PER_FILE)).sum();
    add(&mut layer, document, PER_FILE.min(IN_ALL.saturating_sub(used)));
    Some(layer)
}

/// Layer 6: the other files.
pub fn bootstrap(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("instructions", Place::Session, Give::Sections);
    for name in ["HEARTBEAT.md", "BOOTSTRAP.md", "AGENTS.md", "USER.md"] {
        let Some((document, share)) = share(snapshot, name) else { continue };
        let gap = if layer.pieces.is_empty() { "" } else { "\n\n" };
        layer.glue(format!("{gap}## {}\n\n", name.trim_end_matches(".md")));
        add(&mut layer, document, share);
    }
    (!layer.pieces.is_empty()).then_some(layer)
}

/// Layer 7: the facts of this turn.
pub fn runtime(snapshot: &Snapshot) -> Option<Layer> {
    let facts = facts(snapshot);
    let layer = Layer::new("runtime", Place::Turn, Give::Never)
        .piece(Source::Glue, "## Runtime Context\n\n")
        .piece(Source::Runtime, facts.clone());
    (!facts.is_empty()).then_some(layer)
}

/// Layer 8: a hint for the channel.
pub fn channel(snapshot: &Snapshot) -> Option<Layer> {
    let channel = snapshot.channel.as_ref().filter(|channel| !channel.is_empty())?;
    let hint = match channel.as_str() {
        "cli" | "terminal" => "Plain text for a terminal; Markdown is shown as it is.",
        "telegram" | "discord" | "slack" => "Short messages; simple Markdown is shown.",
        _ => "Keep to plain text.",
    };
    let layer = Layer::new("channel", Place::Turn, Give::Never);
    Some(layer.piece(Source::Glue, "## Channel\n\n").piece(Source::Runtime, hint))
}

/// A file that says something, under a heading.
fn under(
    name: &'static str,
    heading: &'static str,
    snapshot: &Snapshot,
    file: &str,
) -> Option<Layer> {
    let (document, share) = share(snapshot, file)?;
    let mut layer = Layer::new(name, Place::Session, Give::Sections);
    layer.glue(heading);
    add(&mut layer, document, share);
    Some(layer)
}

/// A file that says something, and how many characters it may have, first come first served.
fn share<'a>(snapshot: &'a Snapshot, name: &str) -> Option<(&'a Document, usize)> {
    let mut left = IN_ALL;
    for file in FILES {
        let find = |document: &&Document| &*document.name == *file;
        let Some(document) = snapshot.instructions.iter().find(find) else { continue };
        let share = document.text.chars().count().min(PER_FILE).min(left);
        if *file == name {
            return (!document.text.trim().is_empty()).then_some((document, share));
        }
        left -= share;
    }
    None
}

/// Adds a file's head, cut at the end of a line, and says what was cut.
fn add(layer: &mut Layer, document: &Document, share: usize) {
    let Some((cut, _)) = document.text.char_indices().nth(share) else {
        return layer.file(&document.path, &document.text);
    };
    let end = document.text[..cut].rfind('\n').map_or(cut, |line| line + 1);
    let head = &document.text[..end];
    let (all, shown) = (document.text.chars().count(), head.chars().count());
    let to = lines_in(head).max(1);
    layer.add(Source::File { path: document.path.clone(), from: 1, to }, head.to_owned());
    let rest = &document.text[end..];
    let from = to + u32::from(head.ends_with('\n'));
    let last = from + lines_in(rest).max(1) - 1;
    layer.cut.push(Cut {
        source: Source::File { path: document.path.clone(), from, to: last },
        text: rest.to_owned().into(),
        reason: Reason::Characters(share as u32),
    });
    let mark = format!("\n[... truncated ({all} chars total, showing first {shown}) ...]");
    layer.add(Source::Marker, mark);
}
