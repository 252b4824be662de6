//! From options and settings files to a builder: the one place where they meet.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use louver_context::model::Price;
use louver_context::{Counting, Encoding, Model, Profile, Rules, Tokens};
use louver_store::workspace::BOOTSTRAP;
use louver_store::{ContextBuilder, ExtraFile, Folder, Problem, Settings};

use crate::cli::Shared;
use crate::config::{self, Config, ContextConfig, LayerConfig, ModelConfig};
use crate::error::{Code, Failure, meant};
use crate::{brain, screen};

/// A workspace that is open, with everything settled.
pub(crate) struct Opened {
    pub(crate) builder: ContextBuilder,
    pub(crate) config: Config,
    pub(crate) path: PathBuf,
    pub(crate) problems: Vec<Problem>,
}

/// Opens the workspace that options, environment and settings agree on.
pub(crate) fn open(shared: &Shared, rules: Option<Rules>) -> Result<Opened, Failure> {
    let mut problems = Vec::new();
    let own = config::own(&mut problems)?;
    let path = workspace(shared, &own)?;
    let mut folder = Folder::open(&path).map_err(|error| no_workspace(&path, &error))?;
    for root in &own.roots {
        match Folder::open(root) {
            Ok(root) => folder = folder.with_root(root),
            Err(error) => problems.push((&error).into()),
        }
    }
    let config = config::over(own, &folder, &mut problems)?;
    let settings = settings(shared, &config, rules, &mut problems)?;
    problems.extend(missing_files(&folder, &settings.extra));
    problems.extend(missing_instructions(&folder, &config.context));
    let builder = ContextBuilder::new(folder, settings);
    Ok(Opened { builder, config, path, problems })
}

/// Which folder is meant.
pub(crate) fn workspace(shared: &Shared, own: &Config) -> Result<PathBuf, Failure> {
    let named = shared.workspace.clone().or_else(|| own.workspace.clone());
    named.map_or_else(default_workspace, Ok)
}

/// The workspace that is meant when none is named.
fn default_workspace() -> Result<PathBuf, Failure> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    home.map(|home| home.join(".louver/workspace")).ok_or_else(|| {
        Failure::new(Code::Workspace, "there is no home folder to look for a workspace in")
            .hint("name one with `--workspace FOLDER`")
    })
}

fn no_workspace(path: &Path, error: &louver_store::ReadError) -> Failure {
    let mut failure = match error.is_missing() {
        true => {
            Failure::new(Code::Workspace, format!("there is no workspace at {}", path.display()))
                .hint(format!("`louver init {}` makes one", screen::pasted(path)))
        }
        false => Failure::new(Code::Workspace, error),
    };
    let glued = format!("-w{}", path.display());
    if std::env::args_os().any(|arg| arg == *glued) {
        failure = failure.hint(format!(
            "`-w` names a workspace; what begins with a hyphen and is no option comes after `--`: `-- {glued}`"
        ));
    }
    if ["louver.toml", ".louver", "AGENTS.md"].iter().any(|name| Path::new(name).exists()) {
        failure = failure.hint("the folder you are in looks like one: `-w .` opens it");
    }
    for other in neighbours().filter(|other| other != path) {
        let other = screen::pasted(&other);
        failure = failure.hint(format!("there is one at {other}: `--workspace {other}` opens it"));
    }
    failure
}

/// Workspaces of nanobot and OpenClaw that are on this machine.
pub(crate) fn neighbours() -> impl Iterator<Item = PathBuf> {
    let home = std::env::home_dir().unwrap_or_default();
    let places = [".nanobot/workspace", ".openclaw/workspace"];
    places.into_iter().map(move |place| home.join(place)).filter(|path| path.is_dir())
}

/// The settings that options and files amount to.
pub(crate) fn settings(
    shared: &Shared,
    config: &Config,
    rules: Option<Rules>,
    problems: &mut Vec<Problem>,
) -> Result<Settings, Failure> {
    let name = shared.profile.as_deref().or(config.profile.as_deref()).unwrap_or("louver");
    let profile = Profile::named(name).ok_or_else(|| unknown_profile(name))?;
    let model = model(shared, config, problems)?;
    let rules = match rules {
        Some(rules) => rules,
        None => brain::endpoint(&Default::default(), config, &model.name)
            .map_or(Rules::OPENAI, |endpoint| brain::rules(&endpoint)),
    };
    Ok(Settings {
        profile: Cow::Borrowed(profile),
        model,
        rules,
        instructions: config.context.instructions.clone(),
        identity: config.context.identity.clone(),
        extra: extra_files(&config.layers, problems),
        rounds: config.context.history_rounds,
        built_in_skills: config.context.built_in_skills.unwrap_or(true)
            && !shared.no_builtin_skills,
    })
}

pub(crate) fn unknown_profile(name: &str) -> Failure {
    let names = || louver_context::profile::PROFILES.iter().map(|profile| &*profile.name);
    let failure = Failure::new(Code::Workspace, format!("unknown profile `{name}`"));
    match meant(name, names()) {
        Some(known) => failure.hint(format!("did you mean `{known}`?")),
        None => failure.hint(format!("known: {}", names().collect::<Vec<_>>().join(", "))),
    }
}

/// The model that is meant when none is named.
pub(crate) const MODEL: &str = "gpt-4o";

/// The model, with what the settings know better.
pub(crate) fn model(
    shared: &Shared,
    config: &Config,
    problems: &mut Vec<Problem>,
) -> Result<Model, Failure> {
    let name = shared.model.as_deref().or(config.model.as_deref()).unwrap_or(MODEL);
    let mut model = Model::named(name);
    // What is said of `llama` is said of `mine/llama`.
    let bare = name.split_once('/').map(|(_, bare)| bare);
    let own = config.models.get(name).or_else(|| config.models.get(bare?));
    if let Some(own) = own {
        apply(own, &mut model)?;
    }
    if let Some(window) = shared.window.or(config.window) {
        model.hold(Tokens(window));
    }
    if let Some(reply) = shared.reply.or(config.reply) {
        model.reply = Tokens(reply);
    }
    if !model.known && own.is_none() {
        problems.push(unknown_model(name, &model));
    }
    if model.reply >= model.window {
        let (reply, window) = (model.reply, model.window);
        let what = format!("a reply of {reply} tokens leaves nothing of a window of {window}");
        let hint = match (shared.reply, config.reply) {
            (None, Some(_)) => "set a smaller `reply` in louver.toml or your own settings",
            _ => "set a smaller `--reply`",
        };
        return Err(Failure::new(Code::Usage, what).hint(hint));
    }
    Ok(model)
}

fn apply(own: &ModelConfig, model: &mut Model) -> Result<(), Failure> {
    model.window = own.window.map_or(model.window, Tokens);
    model.reply = own.reply.map_or(model.reply, Tokens);
    if let Some(name) = &own.tokenizer {
        let encoding = Encoding::from_name(name).ok_or_else(|| unknown_encoding(name))?;
        model.counting = Counting::Exact(encoding);
    }
    if let Some(percent) = own.percent {
        model.counting = match model.counting {
            Counting::Exact(by) | Counting::Estimate { by, .. } => {
                Counting::Estimate { by, percent }
            }
            Counting::Words => Counting::Words,
        };
    }
    if let Some([input, cached, output]) = own.price {
        model.price =
            Some(Price { input, cached, written: input, output, noted: "your settings".into() });
    }
    Ok(())
}

/// An encoding nobody knows, with the one that was probably meant.
pub(crate) fn unknown_encoding(name: &str) -> Failure {
    let names = || Encoding::ALL.iter().map(|encoding| encoding.name());
    let failure = Failure::new(Code::Usage, format!("unknown encoding `{name}`"));
    match meant(name, names()) {
        Some(known) => failure.hint(format!("did you mean `{known}`?")),
        None => failure.hint(format!("known: {}", names().collect::<Vec<_>>().join(", "))),
    }
}

fn unknown_model(name: &str, model: &Model) -> Problem {
    let what = format!(
        "it is not known; counting is an estimate and the window is taken to be {}",
        model.window
    );
    let problem = Problem::warning(format!("model `{name}`"), what);
    match meant(name, Model::families()) {
        Some(known) => problem.hint(format!("did you mean `{known}`?")),
        None => problem.hint(format!(
            "tell louver about it, at the top of louver.toml: models.\"{name}\" = {{ window = 32768, tokenizer = \"o200k_base\" }}"
        )),
    }
}

fn extra_files(layers: &[LayerConfig], problems: &mut Vec<Problem>) -> Vec<ExtraFile> {
    let mut extras = Vec::new();
    for layer in layers {
        let Some(path) = layer.file.clone().filter(|_| layer.command.is_none()) else {
            if layer.command.is_none() {
                problems.push(bad_layer(layer));
            }
            continue;
        };
        match (layer.place(), layer.trust()) {
            (Some(place), Some(trust)) if !layer.name.is_empty() => extras.push(ExtraFile {
                name: layer.name.clone(),
                path,
                place,
                trust,
                cap: layer.cap.map(Tokens),
            }),
            _ => problems.push(bad_layer(layer)),
        }
    }
    extras
}

/// Layers whose file is not there. Without a word about it they would just be missing.
fn missing_files(folder: &Folder, layers: &[ExtraFile]) -> Vec<Problem> {
    let missing = |layer: &&ExtraFile| folder.kind(&layer.path).is_err_and(|e| e.is_missing());
    let told = |layer: &ExtraFile| {
        let what = format!("there is no file `{}`; the layer is left out", layer.path);
        Problem::warning(format!("layer `{}`", layer.name), what)
            .hint("write the file, or take its `[[layer]]` out of the settings")
    };
    layers.iter().filter(missing).map(told).collect()
}

/// Files of `[context]` that are named and not there.
fn missing_instructions(folder: &Folder, context: &ContextConfig) -> Vec<Problem> {
    let missing = |path: &&String| {
        // The first run's file goes when it was read.
        **path != BOOTSTRAP && folder.kind(path).is_err_and(|error| error.is_missing())
    };
    let told = |key: &'static str| {
        move |path: &String| {
            let what = format!("there is no file `{path}`, which `{key}` names");
            Problem::warning("[context]", what).hint("write the file, or take its name out")
        }
    };
    let instructions = context.instructions.iter().flatten().filter(missing);
    let identity = context.identity.iter().filter(missing);
    instructions.map(told("instructions")).chain(identity.map(told("identity"))).collect()
}

/// A `[[layer]]` that cannot be used.
pub(crate) fn bad_layer(layer: &LayerConfig) -> Problem {
    const PLACES: [&str; 3] = ["always", "session", "turn"];
    const TRUSTS: [&str; 4] = ["owner", "agent", "tool", "third-party"];
    let place = layer.place.as_deref().filter(|_| layer.place().is_none());
    let trust = layer.trust.as_deref().filter(|_| layer.trust().is_none());
    let (why, near) = match (place, trust) {
        (Some(place), _) => (format!("no `place` is `{place}`"), meant(place, PLACES)),
        (_, Some(trust)) => (format!("no `trust` is `{trust}`"), meant(trust, TRUSTS)),
        _ if layer.name.is_empty() => ("it has no `name`".to_owned(), None),
        _ => ("it has neither `file` nor `command`".to_owned(), None),
    };
    let what = format!("it cannot be used: {why}");
    let problem = Problem::warning(format!("layer `{}`", layer.name), what);
    if let Some(near) = near {
        return problem.hint(format!("did you mean `{near}`?"));
    }
    problem.hint(
        "a layer needs a `name`, a `file` or a `command`, a `place` (always, session, turn) and a \
         `trust` (owner, agent, tool, third-party)",
    )
}
