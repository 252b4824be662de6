//! What a workspace's contexts are made with: which profile, model and files.
//!
//! What the seed system changed by subclassing is a setting here: an own list of instruction files,
//! an own identity, further layers, a limit on rounds.

use std::borrow::Cow;

use louver_context::{Model, Place, Profile, Rules, Tokens, Trust};

/// What contexts are made with. The default is the `louver` profile for `gpt-4o`.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Which layers, in which form.
    pub profile: Cow<'static, Profile>,
    /// For which model.
    pub model: Model,
    /// What its provider demands of a conversation.
    pub rules: Rules,
    /// The instruction files, in place of the profile's.
    pub instructions: Option<Vec<String>>,
    /// The file that replaces the built-in identity, in place of the profile's.
    pub identity: Option<String>,
    /// Further layers whose text is a file's.
    pub extra: Vec<ExtraFile>,
    /// How many rounds of history are kept at the most.
    pub rounds: Option<u32>,
    /// Whether the skills that ship with louver are there.
    pub built_in_skills: bool,
}

/// A layer whose text is a file's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraFile {
    /// The layer's name.
    pub name: String,
    /// The file's path in the workspace.
    pub path: String,
    /// Where it goes.
    pub place: Place,
    /// Who wrote it.
    pub trust: Trust,
    /// The most tokens it may have.
    pub cap: Option<Tokens>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            profile: Cow::Borrowed(Profile::louver()),
            model: Model::named("gpt-4o"),
            rules: Rules::OPENAI,
            instructions: None,
            identity: None,
            extra: Vec::new(),
            rounds: None,
            built_in_skills: true,
        }
    }
}
