//! Settings files into types: the person's own, the workspace's over it.
//!
//! A workspace may come from someone else, so its file may not set what reaches outside: commands
//! to run, further roots, keys. What it tries is a problem, not an error.

mod inside;
mod secrets;
mod slips;
mod tables;
mod values;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use louver_agent::mcp::ServerConfig;
use louver_agent::permit::{Guarded, PermitConfig};
use louver_context::Trust;
use louver_store::{Folder, Problem};
use serde::Deserialize;

use self::inside::parse_inside;
use self::tables::{AgentConfig, RecallConfig, SessionConfig, ToolsConfig};
use crate::error::{Code, Failure};

pub(crate) use self::secrets::private;
pub(crate) use self::tables::{
    ContextConfig, LayerConfig, ModelConfig, ProviderConfig, RecallMode,
};

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

/// Where the person's own settings are.
pub(crate) fn own_path() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = set("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| set("HOME").map(|home| Path::new(&home).join(".config")));
    Some(folder?.join("louver/config.toml"))
}

/// A table of the person's own settings, with the file that it is in.
pub(crate) fn in_own(table: &str) -> String {
    format!("{}, `{table}`", own_path().unwrap_or_default().display())
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
    config.guard(&shown)?;
    config.check(&text, &shown)?;
    config.check_own(&text, &shown)?;
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
    theirs.check(&text, name)?;
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
    // How wide a number is kept is nobody's business.
    let message = error.message().replace(" as i128", "").replace(" as u128", "");
    let expected = message.split_once("expected ").and_then(|(before, kind)| {
        let known = WORDS.iter().find(|(name, _)| kind == *name).map(|(_, words)| *words);
        let words = known.or_else(|| kind.starts_with("struct ").then_some("a table"))?;
        let large = before.contains("integer `") && !before.contains("`-");
        let words = match words {
            "a whole number" if large => "a smaller whole number",
            words => words,
        };
        Some(format!("{before}expected {words}"))
    });
    expected.unwrap_or(message)
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_says_its_line() {
        let error = format!("{:?}", parse("a = 1\nb = = 2", "louver.toml").unwrap_err());
        assert!(error.contains("louver.toml line 2"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_said_without_names_of_types() {
        for (text, told) in [
            ("context = 3", "invalid type: integer `3`, expected a table"),
            ("window = 99999999999999999999", "expected a smaller whole number"),
            ("window = 9999999999", "expected a smaller whole number"),
        ] {
            let error = parse(text, "louver.toml").unwrap_err().to_string();
            assert!(error.ends_with(told), "{error}");
            assert!(!error.contains("128") && !error.contains("struct"), "{error}");
        }
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
