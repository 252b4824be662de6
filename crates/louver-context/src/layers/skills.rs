//! The skills that can be read when they are needed: a line or an entry each.

use crate::layer::{Give, Layer, Piece, Text};
use crate::layers::active_skills::is_active;
use crate::snapshot::{SkillCard, Snapshot};
use crate::source::{Place, Source};

const LIST: &str = include_str!("skills_list.md");
const XML: &str = include_str!("skills.md");

/// One line a skill: its name, when to use it, where to read it. Those whose body is in the context
/// already are not listed again.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let listed: Vec<&SkillCard> = snapshot
        .skills
        .iter()
        .map(|skill| &**skill)
        .filter(|skill| !skill.hidden && !is_active(skill))
        .collect();
    if listed.is_empty() {
        return None;
    }
    let mut layer = Layer::new("skills", Place::Session, Give::Forms);
    layer.glue("# Skills\n\n");
    layer.add(Source::built_in("skills_list"), LIST);
    let workspace = format!("{}/", snapshot.host.workspace);
    let piece = |skill: &SkillCard| skill.listing.get(&workspace, || line(skill, &workspace));
    layer.pieces.extend(listed.into_iter().map(piece));
    Some(layer)
}

/// The line of a skill, with its shorter forms: a short description, then the name alone. A path in
/// the workspace is given from there, which is shorter and the same on every machine.
fn line(skill: &SkillCard, workspace: &str) -> Piece {
    let location = skill.location.strip_prefix(workspace).unwrap_or(&skill.location);
    let missing = match &*skill.missing {
        "" => String::new(),
        missing => format!(" (missing {missing})"),
    };
    let form = |description: &str| -> Text {
        format!("\n- {}: {description}{missing} [{location}]", skill.name).into()
    };
    Piece {
        text: form(&skill.description),
        source: Source::Skill { name: skill.name.clone() },
        shorter: vec![form(brief(&skill.description)), format!("\n- {}", skill.name).into()],
    }
}

/// nanobot's listing: every skill as XML, those whose body is in the context among them.
pub fn nanobot(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("skills", Place::Session, Give::Forms);
    layer.glue("# Skills\n\n");
    layer.add(Source::built_in("skills"), XML.trim_end());
    layer.glue("\n\n<skills>");
    layer.pieces.extend(snapshot.skills.iter().map(|skill| xml(skill)));
    layer.glue("\n</skills>");
    (!snapshot.skills.is_empty()).then_some(layer)
}

/// A skill's entry, with its shorter forms. The location is not escaped: nanobot does not.
fn xml(skill: &SkillCard) -> Piece {
    let available = skill.missing.is_empty();
    let form = |description: &str| -> Text {
        let mut entry = format!("\n  <skill available=\"{available}\">\n    <name>");
        escape(&skill.name, &mut entry);
        entry.push_str("</name>\n    <description>");
        escape(description, &mut entry);
        entry.push_str("</description>\n    <location>");
        entry.push_str(&skill.location);
        entry.push_str("</location>");
        if !available {
            entry.push_str("\n    <requires>");
            escape(&skill.missing, &mut entry);
            entry.push_str("</requires>");
        }
        entry.push_str("\n  </skill>");
        entry.into()
    };
    let mut name = format!("\n  <skill available=\"{available}\"><name>");
    escape(&skill.name, &mut name);
    name.push_str("</name></skill>");
    Piece {
        text: form(&skill.description),
        source: Source::Skill { name: skill.name.clone() },
        shorter: vec![form(brief(&skill.description)), name.into()],
    }
}

/// Writes text with `&`, `<` and `>` as entities, as nanobot does; quotes stay as they are.
pub(crate) fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            c => into.push(c),
        }
    }
}

/// The start of a description, up to its first sentence or some sixty characters at a word's end.
pub(crate) fn brief(description: &str) -> &str {
    let sentence = description.find(". ").map_or(description.len(), |at| at + 1);
    let cut = description.char_indices().nth(60).map_or(description.len(), |(at, _)| at);
    if sentence <= cut {
        return &description[..sentence];
    }
    if cut == description.len() {
        return description;
    }
    let head = &description[..cut];
    head.rfind(' ').map_or(head, |space| &head[..space])
}
