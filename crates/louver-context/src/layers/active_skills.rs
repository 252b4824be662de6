//! Skills whose whole text is in the context: those marked `always`, and those named for this turn.

use std::sync::Arc;

use crate::layer::{Give, Layer, Piece};
use crate::snapshot::{SkillCard, Snapshot};
use crate::source::{Place, Source};

/// The skills that are always there and can be used here.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let always = snapshot.skills.iter().filter(|skill| is_active(skill));
    bodies(snapshot, "active skills", Place::Session, always)
}

/// The same with the named ones among them, as nanobot's `skill_names` means it.
pub fn nanobot(snapshot: &Snapshot) -> Option<Layer> {
    let named = snapshot.skills_for_turn();
    let chosen = snapshot.skills.iter().filter(|skill| is_active(skill) || named.contains(skill));
    bodies(snapshot, "active skills", Place::Session, chosen)
}

/// The skills named for this turn, next to the message, so that they leave no trace in the prefix.
pub fn named(snapshot: &Snapshot) -> Option<Layer> {
    let named = snapshot.skills_for_turn();
    let named = named.iter().filter(|skill| !is_active(skill));
    bodies(snapshot, "named skills", Place::Turn, named)
}

/// Whether a skill's body is in every context: it asked for that and nothing is missing.
pub fn is_active(skill: &SkillCard) -> bool {
    skill.always && skill.missing.is_empty()
}

fn bodies<'a>(
    snapshot: &Snapshot,
    name: &'static str,
    place: Place,
    skills: impl Iterator<Item = &'a Arc<SkillCard>>,
) -> Option<Layer> {
    let mut layer = Layer::new(name, place, Give::Forms);
    let workspace = format!("{}/", snapshot.host.workspace);
    for skill in skills {
        layer.glue(if layer.pieces.is_empty() { "# Active Skills\n\n" } else { "\n\n---\n\n" });
        layer.glue(format!("### Skill: {}\n\n", skill.name));
        // From the workspace on, which is shorter and the same on every machine.
        let path = skill.location.strip_prefix(&workspace).unwrap_or(&skill.location);
        let listed = format!("[too long for now; read {path} before you use it]");
        layer.pieces.push(Piece {
            text: skill.body.clone().into(),
            source: Source::Skill { name: skill.name.clone() },
            shorter: vec![listed.into()],
        });
    }
    (!layer.pieces.is_empty()).then_some(layer)
}
