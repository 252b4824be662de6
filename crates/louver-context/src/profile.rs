//! Profiles: tables of layers and how they are put together.
//!
//! A profile is data. To make one, list layer functions, your own among them, and say what stands
//! between them and where the facts of the turn go.

use std::borrow::Cow;

use crate::layer::{Layer, LayerFn};
use crate::layers::{
    active_skills, changes, claw0, extra, identity, instructions, memory, openclaw, recalled,
    runtime, skills, summary,
};
use crate::snapshot::Snapshot;

/// A table of layers and their formatting.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The layers, in reading order.
    pub layers: Cow<'static, [LayerFn]>,
    /// What stands between two layers of the system text.
    pub join: &'static str,
    /// Where the layers of the turn stand.
    pub turn: TurnShape,
    /// The instruction files it asks for, in order.
    pub files: &'static [&'static str],
    /// The file that replaces the built-in identity.
    pub identity: Option<&'static str>,
    /// Whether the notes of today and yesterday belong into the context.
    pub daily_notes: bool,
}

/// Where the layers of the turn stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnShape {
    /// Before the person's words, in the same message.
    Before,
    /// In a user message of their own, before the person's.
    OwnMessage,
    /// After the person's words, in the same message; after pictures, as a part of their own.
    After,
}

/// The profiles that come with louver; the first is the default.
pub static PROFILES: &[Profile] = &[LOUVER, NANOBOT, NANOBOT_SUFFIX, OPENCLAW, CLAW0];

const LOUVER: Profile = Profile {
    name: Cow::Borrowed("louver"),
    layers: Cow::Borrowed(&[
        identity::build,
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
    join: "\n\n---\n\n",
    turn: TurnShape::Before,
    files: &["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "BOOTSTRAP.md"],
    identity: Some("IDENTITY.md"),
    daily_notes: true,
};

const NANOBOT_FILES: &[&str] = &["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md"];

/// The seed system with its runtime context in a message of its own.
const NANOBOT: Profile = Profile {
    name: Cow::Borrowed("nanobot"),
    layers: Cow::Borrowed(&[
        identity::build,
        instructions::nanobot,
        memory::long_term,
        active_skills::nanobot,
        skills::nanobot,
        summary::build,
        changes::build,
        recalled::build,
        runtime::nanobot,
    ]),
    join: "\n\n---\n\n",
    turn: TurnShape::OwnMessage,
    files: NANOBOT_FILES,
    identity: None,
    daily_notes: false,
};

/// The seed system with its runtime context at the end of the message.
const NANOBOT_SUFFIX: Profile = Profile {
    name: Cow::Borrowed("nanobot-suffix"),
    layers: Cow::Borrowed(&[
        identity::build,
        instructions::nanobot,
        memory::long_term,
        active_skills::nanobot,
        skills::nanobot,
        summary::build,
        changes::build,
        recalled::build,
        runtime::nanobot_suffix,
    ]),
    turn: TurnShape::After,
    ..NANOBOT
};

const OPENCLAW: Profile = Profile {
    name: Cow::Borrowed("openclaw"),
    layers: Cow::Borrowed(&[
        identity::build,
        openclaw::skills,
        openclaw::files,
        openclaw::heartbeat,
        summary::build,
        changes::build,
        active_skills::named,
        recalled::build,
        runtime::build,
    ]),
    join: "\n\n",
    turn: TurnShape::Before,
    files: openclaw::FILES,
    identity: None,
    daily_notes: false,
};

const CLAW0: Profile = Profile {
    name: Cow::Borrowed("claw0"),
    layers: Cow::Borrowed(&[
        claw0::identity,
        claw0::soul,
        claw0::tools,
        claw0::skills,
        claw0::memory,
        claw0::bootstrap,
        summary::build,
        changes::build,
        active_skills::named,
        recalled::build,
        claw0::runtime,
        claw0::channel,
    ]),
    join: "\n\n",
    turn: TurnShape::Before,
    files: claw0::FILES,
    identity: None,
    daily_notes: false,
};

impl Profile {
    /// The default profile.
    pub fn louver() -> &'static Profile {
        &PROFILES[0]
    }

    /// The profile of that name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    /// The layers of a snapshot, in reading order: by place, then by the table, then what
    /// configuration adds.
    pub fn stack(&self, snapshot: &Snapshot) -> Vec<Layer> {
        let mut layers: Vec<Layer> =
            self.layers.iter().filter_map(|build| build(snapshot)).collect();
        layers.extend(extra::all(snapshot));
        layers.sort_by_key(|layer| layer.place);
        name_apart(&mut layers);
        layers
    }
}

/// Names that the ledger uses for what is no layer.
const TAKEN: &[&str] = &["tools", "history", "not shown", "message", "turn so far", "framing"];

/// Gives layers of one name names of their own: the ledger tells them apart by it.
fn name_apart(layers: &mut [Layer]) {
    for i in 0..layers.len() {
        let name = layers[i].name.clone();
        let taken = |name: &str| {
            TAKEN.contains(&name) || layers[..i].iter().any(|earlier| earlier.name == name)
        };
        if taken(&name) {
            let fresh = (2..).map(|n| format!("{name} {n}")).find(|name| !taken(name));
            layers[i].name = fresh.map_or(name, Cow::Owned);
        }
    }
}
