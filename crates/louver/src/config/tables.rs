//! The tables of a settings file, each as a type.
//!
//! Keys that nothing reads are kept as `unknown`, so that they can be told.

use std::collections::BTreeMap;
use std::path::PathBuf;

use louver_agent::provider::Effort;
use louver_agent::tools::ExecConfig;
use louver_agent::web::{SearchSettings, WebSettings};
use louver_context::{Place, Trust};
use louver_store::session::Durability;
use secrecy::SecretString;
use serde::Deserialize;

/// One `[providers.NAME]`: a server of one's own, or what differs from what louver knows of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ProviderConfig {
    /// Where it is.
    pub(crate) url: Option<String>,
    /// How it is spoken to: `openai` or `anthropic`.
    pub(crate) wire: Option<String>,
    /// The key itself. The file must then be the owner's alone.
    pub(crate) key: Option<SecretString>,
    /// The environment variable that holds it.
    pub(crate) key_env: Option<String>,
    /// Headers to send besides.
    pub(crate) headers: BTreeMap<String, SecretString>,
    /// Seconds until the first byte of an answer.
    pub(crate) timeout: Option<f64>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

/// The `[agent]` table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AgentConfig {
    pub(crate) max_iterations: Option<u32>,
    pub(crate) stream: Option<bool>,
    pub(crate) temperature: Option<f32>,
    /// `low`, `medium` or `high`.
    pub(crate) effort: Option<Effort>,
    pub(crate) memory_window: Option<usize>,
    pub(crate) memory_model: Option<String>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

/// The `[recall]` table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RecallConfig {
    /// `on`: every turn is reminded; `demand`: the model may ask; `off`.
    pub(crate) mode: Option<RecallMode>,
    /// Tokens of a turn's reminder at the most.
    pub(crate) budget: Option<u32>,
    /// Folders of text to recall from. Only the person's own file may name them.
    pub(crate) folders: Vec<PathBuf>,
    /// Sessions that are the owner's, as patterns. Only the person's own file may name them.
    pub(crate) owner: Option<Vec<String>>,
    /// A table of word vectors in place of the built-in one. Only the person's own file may name it.
    pub(crate) vectors: Option<PathBuf>,
    /// A sentence model that ranks. Only the person's own file may name it.
    pub(crate) embeddings: Option<EmbeddingsConfig>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

/// The `[recall.embeddings]` table: a sentence model, and who has it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct EmbeddingsConfig {
    pub(crate) model: String,
    pub(crate) provider: Option<String>,
    pub(crate) url: Option<String>,
    /// What stands before a question, and before a note, if not as the model was trained.
    pub(crate) question: Option<String>,
    pub(crate) note: Option<String>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

/// When something is recalled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RecallMode {
    #[default]
    On,
    Demand,
    Off,
}

/// The `[tools]` tables.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ToolsConfig {
    /// Tools that are not offered.
    pub(crate) off: Vec<String>,
    pub(crate) exec: ExecConfig,
    pub(crate) web: WebSettings,
    pub(crate) search: Option<SearchSettings>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

/// The `[context]` table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ContextConfig {
    pub(crate) instructions: Option<Vec<String>>,
    pub(crate) identity: Option<String>,
    pub(crate) history_rounds: Option<u32>,
    pub(crate) warn_tokens: Option<u32>,
    pub(crate) built_in_skills: Option<bool>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

/// The `[session]` table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SessionConfig {
    /// What an event that is acknowledged has survived: `disk` (power loss) or `process` (kill -9).
    pub(crate) durability: Option<Durable>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

/// What an acknowledged event has survived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Durable {
    Disk,
    Process,
}

impl SessionConfig {
    /// The durability that is meant; power loss is survived unless it says otherwise.
    pub(crate) fn durability(&self) -> Durability {
        match self.durability {
            Some(Durable::Process) => Durability::Process,
            Some(Durable::Disk) | None => Durability::Disk,
        }
    }
}

/// One `[[layer]]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LayerConfig {
    pub(crate) name: String,
    pub(crate) file: Option<String>,
    pub(crate) command: Option<Vec<String>>,
    pub(crate) place: Option<String>,
    pub(crate) trust: Option<String>,
    pub(crate) cap: Option<u32>,
    /// Seconds a command may take.
    pub(crate) timeout: Option<f64>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

/// One `[models."NAME"]`: what differs from what louver knows of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ModelConfig {
    pub(crate) window: Option<u32>,
    pub(crate) reply: Option<u32>,
    /// The vocabulary to count with, such as `o200k_base`.
    pub(crate) tokenizer: Option<String>,
    /// A factor on that count in hundredths, when the vocabulary is not the model's own.
    pub(crate) percent: Option<u32>,
    /// Dollars for a million tokens: sent, sent from a cache, answered.
    pub(crate) price: Option<[f64; 3]>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

impl LayerConfig {
    /// Where the layer goes; a file's text is the session's, a command's the turn's.
    pub(crate) fn place(&self) -> Option<Place> {
        match &self.place {
            Some(name) => Place::from_name(name).filter(|place| *place != Place::History),
            None if self.command.is_some() => Some(Place::Turn),
            None => Some(Place::Session),
        }
    }

    /// Who wrote it; a command's output is a tool's.
    pub(crate) fn trust(&self) -> Option<Trust> {
        match &self.trust {
            Some(name) => Trust::from_name(name),
            None if self.command.is_some() => Some(Trust::Tool),
            None => Some(Trust::Owner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn events_survive_power_loss_unless_it_says_otherwise() {
        let durability = |text: &str| parse(text, "louver.toml").map(|c| c.session.durability());
        assert_eq!(durability("").unwrap(), Durability::Disk);
        assert_eq!(durability("[session]\ndurability = \"process\"").unwrap(), Durability::Process);
        assert!(durability("[session]\ndurability = \"hope\"").is_err());
    }
}
