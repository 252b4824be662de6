//! Settings files into types: the person's own, the workspace's over it.
//!
//! A workspace may come from someone else, so its file may not set what reaches outside: commands
//! to run, further roots, keys. What it tries is a problem, not an error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use louver_agent::mcp::ServerConfig;
use louver_agent::permit::{Guarded, PermitConfig};
use louver_agent::provider::Effort;
use louver_agent::tools::ExecConfig;
use louver_agent::web::{SearchSettings, WebSettings};
use louver_context::{Place, Trust};
use louver_store::session::Durability;
use louver_store::{Folder, Problem};
use secrecy::SecretString;
use serde::Deserialize;

use crate::error::{Code, Failure, meant};

/// What a settings file says.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    /// The agent's folder. Only the person's own file may name it.
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) profile: Option<String>,
    pub(crate) model: Option<String>,
    /// The model that the person's own file names, whatever the workspace says.
    #[serde(skip)]
    pub(crate) own_model: Option<String>,
    pub(crate) window: Option<u32>,
    pub(crate) reply: Option<u32>,
    /// Further folders that links may lead into. Only the person's own file may name them.
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) context: ContextConfig,
    pub(crate) session: SessionConfig,
    #[serde(rename = "layer")]
    pub(crate) layers: Vec<LayerConfig>,
    #[serde(rename = "models")]
    pub(crate) models: BTreeMap<String, ModelConfig>,
    /// Who has the model, whatever its name says. Only the person's own file may name it.
    pub(crate) provider: Option<String>,
    /// Servers and keys. Only the person's own file may name them.
    pub(crate) providers: BTreeMap<String, ProviderConfig>,
    pub(crate) agent: AgentConfig,
    /// What tools may do. Only the person's own file may say.
    pub(crate) permissions: PermitConfig,
    /// How tools behave. Only the person's own file may say.
    pub(crate) tools: Option<ToolsConfig>,
    /// Servers that bring tools. Only the person's own file may name them.
    pub(crate) mcp: BTreeMap<String, ServerConfig>,
    pub(crate) recall: RecallConfig,
    #[serde(flatten)]
    unknown: BTreeMap<String, toml::Value>,
}

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
    unknown: BTreeMap<String, toml::Value>,
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
    unknown: BTreeMap<String, toml::Value>,
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
    unknown: BTreeMap<String, toml::Value>,
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
    unknown: BTreeMap<String, toml::Value>,
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
    unknown: BTreeMap<String, toml::Value>,
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
    unknown: BTreeMap<String, toml::Value>,
}

/// The `[session]` table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SessionConfig {
    /// What an event that is acknowledged has survived: `disk` (power loss) or `process` (kill -9).
    pub(crate) durability: Option<Durable>,
    #[serde(flatten)]
    unknown: BTreeMap<String, toml::Value>,
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
    unknown: BTreeMap<String, toml::Value>,
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
    unknown: BTreeMap<String, toml::Value>,
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

/// Where the person's own settings are.
pub(crate) fn own_path() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = set("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| set("HOME").map(|home| Path::new(&home).join(".config")));
    Some(folder?.join("louver/config.toml"))
}

/// Whether others on this machine can read the person's own settings.
pub(crate) fn own_is_readable_by_others() -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = own_path().and_then(|path| std::fs::metadata(path).ok());
    mode.is_some_and(|meta| meta.permissions().mode() & 0o077 != 0)
}

/// The person's own settings. A file that is there but cannot be read is an error: going on
/// without it would be a surprise.
pub(crate) fn own(problems: &mut Vec<Problem>) -> Result<Config, Failure> {
    let Some(path) = own_path() else { return Ok(Config::default()) };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => {
            return Err(Failure::new(Code::Workspace, format!("{}: {error}", path.display())));
        }
    };
    let shown = path.display().to_string();
    let mut config = parse(&text, &shown)?;
    config.complain(&shown, problems);
    config.find_home();
    config.own_model = config.model.clone();
    Ok(config)
}

/// The workspace's settings over the person's own.
pub(crate) fn over(
    own: Config,
    folder: &Folder,
    problems: &mut Vec<Problem>,
) -> Result<Config, Failure> {
    let name = louver_store::workspace::SETTINGS;
    let text = match folder.read(name, 1024 * 1024) {
        Ok(read) => read.text,
        Err(error) if error.is_missing() => return Ok(own),
        Err(error) => return Err(error.into()),
    };
    let mut theirs = parse_inside(&text, name, problems)?;
    theirs.complain(name, problems);
    theirs.keep_inside(name, problems);
    Ok(Config {
        workspace: own.workspace,
        profile: theirs.profile.or(own.profile),
        model: theirs.model.or(own.model),
        own_model: own.own_model,
        window: theirs.window.or(own.window),
        reply: theirs.reply.or(own.reply),
        roots: own.roots,
        context: ContextConfig {
            instructions: theirs.context.instructions.or(own.context.instructions),
            identity: theirs.context.identity.or(own.context.identity),
            history_rounds: theirs.context.history_rounds.or(own.context.history_rounds),
            warn_tokens: theirs.context.warn_tokens.or(own.context.warn_tokens),
            built_in_skills: theirs.context.built_in_skills.or(own.context.built_in_skills),
            unknown: BTreeMap::new(),
        },
        session: SessionConfig {
            durability: theirs.session.durability.or(own.session.durability),
            unknown: BTreeMap::new(),
        },
        layers: own.layers.into_iter().chain(theirs.layers).collect(),
        models: own.models.into_iter().chain(theirs.models).collect(),
        provider: own.provider,
        providers: own.providers,
        agent: AgentConfig {
            max_iterations: theirs.agent.max_iterations.or(own.agent.max_iterations),
            stream: theirs.agent.stream.or(own.agent.stream),
            temperature: theirs.agent.temperature.or(own.agent.temperature),
            effort: theirs.agent.effort.or(own.agent.effort),
            memory_window: theirs.agent.memory_window.or(own.agent.memory_window),
            memory_model: theirs.agent.memory_model.or(own.agent.memory_model),
            unknown: BTreeMap::new(),
        },
        permissions: own.permissions,
        tools: own.tools,
        mcp: own.mcp,
        recall: RecallConfig {
            mode: theirs.recall.mode.or(own.recall.mode),
            budget: theirs.recall.budget.or(own.recall.budget),
            folders: own.recall.folders,
            owner: own.recall.owner,
            vectors: own.recall.vectors,
            embeddings: own.recall.embeddings,
            unknown: BTreeMap::new(),
        },
        unknown: BTreeMap::new(),
    })
}

fn parse(text: &str, path: &str) -> Result<Config, Failure> {
    toml::from_str(text).map_err(|error| {
        let line =
            error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count());
        let at =
            line.map_or(String::new(), |line| format!(" line {}{}", line + 1, key(text, line)));
        let failure = Failure::new(Code::Workspace, format!("{path}{at}: {}", in_words(&error)));
        match path == louver_store::workspace::SETTINGS {
            true => failure
                .hint("`louver init` in an empty folder writes a louver.toml to compare with"),
            false => failure.hint("docs/settings.md has every setting, with an example"),
        }
    })
}

/// Tables that only the person's own file may have. Nothing in them is read, so nothing in them can be
/// wrong: a mistake in one's own rules ends the program, one in a stranger's may not.
const OWN_ALONE: [(&str, &str); 3] =
    [("permissions", "`permissions`"), ("mcp", "`mcp`, which runs programs"), ("tools", "`tools`")];

/// What a workspace's file says, without those tables.
fn parse_inside(text: &str, path: &str, problems: &mut Vec<Problem>) -> Result<Config, Failure> {
    let Ok(mut table) = text.parse::<toml::Table>() else { return parse(text, path) };
    let theirs = OWN_ALONE.iter().filter(|(key, _)| table.remove(*key).is_some());
    let refused: Vec<Problem> = theirs.map(|(_, what)| refuse(path, what)).collect();
    if refused.is_empty() {
        return parse(text, path);
    }
    problems.extend(refused);
    table.try_into().map_err(|error: toml::de::Error| {
        Failure::new(Code::Workspace, format!("{path}: {}", in_words(&error)))
    })
}

/// What is wrong with a value, without the names that types have in programs.
fn in_words(error: &toml::de::Error) -> String {
    const WORDS: [(&str, &str); 8] = [
        ("u32", "a whole number"),
        ("u64", "a whole number"),
        ("usize", "a whole number"),
        ("f32", "a number"),
        ("f64", "a number"),
        ("a sequence", "a list"),
        ("a map", "a table"),
        ("a boolean", "true or false"),
    ];
    let message = error.message();
    let expected = message.split_once("expected ").and_then(|(before, kind)| {
        let (_, words) = WORDS.iter().find(|(name, _)| kind == *name)?;
        Some(format!("{before}expected {words}"))
    });
    expected.unwrap_or_else(|| message.to_owned())
}

/// A workspace tried to set what is the person's.
fn refuse(path: &str, what: &str) -> Problem {
    let what = format!("a workspace may not set {what}");
    let own = own_path().map_or_else(String::new, |path| path.display().to_string());
    Problem::warning(path, what).hint(format!("put it into {own}"))
}

/// The key that a line sets, if it does.
fn key(text: &str, line: usize) -> String {
    let set = text.lines().nth(line).and_then(|line| line.split_once('='));
    set.map_or_else(String::new, |(key, _)| format!(", `{}`", key.trim()))
}

impl Config {
    /// The files that tell the agent what to be: those it names and the usual ones.
    pub(crate) fn guarded(&self) -> Guarded {
        // What the agent or a tool is to write is not for the person to guard.
        let owners = self.layers.iter().filter(|layer| layer.trust() == Some(Trust::Owner));
        let layers = owners.filter_map(|layer| layer.file.as_deref());
        let named = self.context.instructions.iter().flatten().chain(&self.context.identity);
        Guarded::new(named.map(String::as_str).chain(layers))
    }

    /// Reports keys that nothing reads: most are typing slips.
    fn complain(&self, path: &str, problems: &mut Vec<Problem>) {
        const TOP: &[&str] = &[
            "workspace",
            "profile",
            "model",
            "window",
            "reply",
            "roots",
            "context",
            "session",
            "layer",
            "models",
            "provider",
            "providers",
            "agent",
            "permissions",
            "tools",
            "mcp",
            "recall",
        ];
        const PROVIDER: &[&str] = &["url", "wire", "key", "key_env", "headers", "timeout"];
        const AGENT: &[&str] =
            &["max_iterations", "stream", "temperature", "effort", "memory_window", "memory_model"];
        const CONTEXT: &[&str] =
            &["instructions", "identity", "history_rounds", "warn_tokens", "built_in_skills"];
        const LAYER: &[&str] = &["name", "file", "command", "place", "trust", "cap", "timeout"];
        const RECALL: &[&str] = &["mode", "budget", "folders", "owner", "vectors", "embeddings"];
        const MODEL: &[&str] = &["window", "reply", "tokenizer", "percent", "price"];
        let mut tell = |table: &str,
                        keys: &BTreeMap<String, toml::Value>,
                        known: &[&'static str]| {
            for key in keys.keys() {
                let place = if table.is_empty() { String::new() } else { format!(" of `{table}`") };
                let problem = Problem::warning(path, format!("nothing reads `{key}`{place}"));
                problems.push(match meant(key, known.iter().copied()) {
                    Some(known) => problem.hint(format!("did you mean `{known}`?")),
                    None => problem.hint(format!("known here: {}", known.join(", "))),
                });
            }
        };
        tell("", &self.unknown, TOP);
        tell("[context]", &self.context.unknown, CONTEXT);
        tell("[session]", &self.session.unknown, &["durability"]);
        tell("[agent]", &self.agent.unknown, AGENT);
        tell("[recall]", &self.recall.unknown, RECALL);
        if let Some(own) = &self.recall.embeddings {
            let known = ["model", "provider", "url", "question", "note"];
            tell("[recall.embeddings]", &own.unknown, &known);
        }
        if let Some(tools) = &self.tools {
            tell("[tools]", &tools.unknown, &["off", "exec", "web", "search"]);
        }
        for (name, provider) in &self.providers {
            tell(&format!("[providers.{name}]"), &provider.unknown, PROVIDER);
        }
        for layer in &self.layers {
            tell(&format!("[[layer]] {}", layer.name), &layer.unknown, LAYER);
        }
        for (name, model) in &self.models {
            tell(&format!("[models.\"{name}\"]"), &model.unknown, MODEL);
        }
    }

    /// Puts the home folder where a path begins with `~/`.
    fn find_home(&mut self) {
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let Some(home) = home else { return };
        let exec = self.tools.iter_mut().map(|tools| &mut tools.exec);
        let paths = exec.flat_map(|exec| exec.read.iter_mut().chain(&mut exec.write));
        for path in self
            .workspace
            .iter_mut()
            .chain(&mut self.roots)
            .chain(&mut self.recall.folders)
            .chain(&mut self.recall.vectors)
            .chain(paths)
        {
            if let Ok(rest) = path.strip_prefix("~") {
                *path = home.join(rest);
            }
        }
    }

    /// Drops what a workspace may not set.
    fn keep_inside(&mut self, path: &str, problems: &mut Vec<Problem>) {
        let mut refuse = |what: &str| problems.push(refuse(path, what));
        if !self.roots.is_empty() {
            refuse("`roots`, which lead outside it");
        }
        if self.workspace.is_some() {
            refuse("`workspace`");
        }
        if self.provider.is_some() || !self.providers.is_empty() {
            refuse("`provider` and `providers`, which say where the conversation goes");
        }
        if !self.recall.folders.is_empty() || self.recall.owner.is_some() {
            refuse("`folders` and `owner` of `recall`, which lead outside it");
        }
        if self.recall.vectors.is_some() {
            refuse("`vectors` of `recall`, which lead outside it");
        }
        if self.recall.embeddings.is_some() {
            refuse("`embeddings` of `recall`, which say where notes go");
        }
        if self.layers.iter().any(|layer| layer.command.is_some()) {
            refuse("a layer's `command`, which runs a program");
            self.layers.retain(|layer| layer.command.is_none());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_cannot_reach_outside() {
        let text =
            "roots = [\"/\"]\nworkspace = \"/x\"\n[[layer]]\nname = \"x\"\ncommand = [\"id\"]";
        let mut config = parse(text, "louver.toml").unwrap();
        let mut problems = Vec::new();
        config.keep_inside("louver.toml", &mut problems);
        assert_eq!((config.layers.len(), problems.len()), (0, 3));
    }

    #[test]
    fn a_workspace_cannot_say_where_notes_go() {
        let text =
            "[recall]\nvectors = \"/x\"\n[recall.embeddings]\nmodel = \"m\"\nurl = \"http://x\"";
        let mut problems = Vec::new();
        parse(text, "louver.toml").unwrap().keep_inside("louver.toml", &mut problems);
        let shown: Vec<String> = problems.iter().map(|problem| problem.to_string()).collect();
        assert!(shown[0].ends_with("`vectors` of `recall`, which lead outside it"), "{shown:?}");
        assert!(
            shown[1].ends_with("`embeddings` of `recall`, which say where notes go"),
            "{shown:?}"
        );
        assert_eq!(shown.len(), 2);
    }

    #[test]
    fn what_a_workspace_may_not_set_cannot_be_wrong_in_it() {
        let text = "model = \"x\"\n[permissions]\ndney = [\"exec\"]\n[tools.exec]\ntimeuot = 3\n[mcp]\nx = 1";
        let mut problems = Vec::new();
        let config = parse_inside(text, "louver.toml", &mut problems).unwrap();
        assert_eq!((config.model.as_deref(), problems.len()), (Some("x"), 3));
        // In one's own file a rule that is not read would be missed.
        let own = parse("[permissions]\ndney = [\"exec\"]", "config.toml").unwrap_err();
        assert!(own.to_string().contains("`dney`"), "{own}");
    }

    #[test]
    fn a_typing_slip_is_told_with_what_was_meant() {
        let config = parse("modle = \"x\"\n[context]\nwarn_token = 3", "louver.toml").unwrap();
        let mut problems = Vec::new();
        config.complain("louver.toml", &mut problems);
        let hints: Vec<_> = problems.iter().filter_map(|problem| problem.hint.clone()).collect();
        assert_eq!(hints, ["did you mean `model`?", "did you mean `warn_tokens`?"]);
        assert!(problems[1].to_string().ends_with("nothing reads `warn_token` of `[context]`"));
    }

    #[test]
    fn events_survive_power_loss_unless_it_says_otherwise() {
        let durability = |text: &str| parse(text, "louver.toml").map(|c| c.session.durability());
        assert_eq!(durability("").unwrap(), Durability::Disk);
        assert_eq!(durability("[session]\ndurability = \"process\"").unwrap(), Durability::Process);
        assert!(durability("[session]\ndurability = \"hope\"").is_err());
    }

    #[test]
    fn every_setting_in_the_documentation_is_read() {
        let text = include_str!("../../../docs/settings.md");
        let blocks: Vec<&str> =
            text.split("```toml\n").skip(1).filter_map(|block| block.split("```").next()).collect();
        assert_eq!(blocks.len(), 2, "one for each file");
        for block in blocks {
            let config = parse(block, "docs/settings.md").unwrap();
            let mut problems = Vec::new();
            config.complain("docs/settings.md", &mut problems);
            assert!(problems.is_empty(), "{problems:?}");
        }
    }

    #[test]
    fn a_broken_file_says_its_line() {
        let error = format!("{:?}", parse("a = 1\nb = = 2", "louver.toml").unwrap_err());
        assert!(error.contains("louver.toml line 2"), "{error}");
    }

    #[test]
    fn a_value_of_the_wrong_kind_says_its_key() {
        for text in ["a = 1\nwindow = \"big\"", "\nwindow = -1", "[context]\nwarn_tokens = [1]"] {
            let error = parse(text, "louver.toml").unwrap_err().to_string();
            let key = text.rsplit('\n').next().and_then(|line| line.split(' ').next()).unwrap();
            assert!(error.starts_with(&format!("louver.toml line 2, `{key}`: ")), "{error}");
            assert!(error.ends_with("expected a whole number"), "{error}");
        }
    }
}
