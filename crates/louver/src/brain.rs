//! Which server has the model, and with which key: from settings and environment to a [`Brain`].

use std::time::Duration;

use clap::Args;
use louver_agent::agent::Brain;
use louver_agent::embeddings::{Before, Embedder};
use louver_agent::provider::{Endpoint, PROVIDERS, Provider, Wire, for_model};
use louver_context::{Model, Rules};
use louver_store::Problem;
use secrecy::SecretString;

use crate::cli::Shared;
use crate::config::{self, Config, ProviderConfig};
use crate::error::{Code, Failure, meant};
use crate::wiring;

/// Who is asked.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct BrainArgs {
    /// Who has the model, whatever its name says: `openai`, `ollama`, one of your `[providers]`
    #[arg(long, env = "LOUVER_PROVIDER", value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// Where the server is, in place of what is known of it
    #[arg(long, env = "LOUVER_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
}

/// The server that options and settings mean for a model.
pub(crate) fn endpoint(
    args: &BrainArgs,
    config: &Config,
    model: &str,
) -> Result<Endpoint, Failure> {
    let named = args.provider.as_deref().or(config.provider.as_deref());
    let prefix = model.split_once('/').map(|(prefix, _)| prefix);
    let own = |name: &&str| config.providers.contains_key(*name);
    let name = named.or_else(|| prefix.filter(own)).map(str::to_owned);
    let known = match &name {
        Some(name) => Provider::named(name),
        None => for_model(model),
    };
    let name = name.or_else(|| known.map(|provider| provider.name.to_owned()));
    let own = name.as_deref().and_then(|name| config.providers.get(name));
    let own = own.cloned().unwrap_or_default();
    let url = args.url.clone().or_else(|| own.url.clone());
    let mut endpoint = match (known, url) {
        (Some(provider), url) => {
            let mut endpoint = provider.endpoint(provider.key(environment));
            endpoint.base = url.unwrap_or(endpoint.base);
            endpoint
        }
        (None, Some(url)) => {
            let name = name.as_deref().unwrap_or("custom");
            Endpoint::custom(name, wire(&own)?, &url, None)
        }
        (None, None) => return Err(unknown_provider(name.as_deref(), model, config)),
    };
    if !endpoint.has_address() {
        return Err(no_address(&endpoint.base));
    }
    if own.wire.is_some() {
        endpoint.wire = wire(&own)?;
    }
    if let Some(key) = key(&own)? {
        endpoint.key = Some(key);
    }
    let headers = own.headers.iter().map(|(name, value)| (name.clone(), value.clone()));
    endpoint.headers.extend(headers);
    if let Some(seconds) = own.timeout {
        endpoint.limits.first = Duration::try_from_secs_f64(seconds)
            .map_err(|error| Failure::new(Code::Workspace, format!("`timeout`: {error}")))?;
    }
    Ok(endpoint)
}

/// The model that options and settings mean, and its server.
pub(crate) fn brain(
    shared: &Shared,
    args: &BrainArgs,
    config: &Config,
    problems: &mut Vec<Problem>,
) -> Result<Brain, Failure> {
    let brain = of(args, config, wiring::model(shared, config, problems)?)?;
    // A workspace may say which model, but not whose key a server gets that the person named.
    let own = shared.model.as_deref().or(config.own_model.as_deref()).unwrap_or(wiring::MODEL);
    let secret = brain.endpoint.key.is_some() || !brain.endpoint.headers.is_empty();
    if args.url.is_none() || !secret || own == brain.model.name {
        return Ok(brain);
    }
    let endpoint = endpoint(args, config, own)?;
    if endpoint.name != brain.endpoint.name {
        let (theirs, place) = (&brain.endpoint.name, endpoint.place());
        let what = format!("`{}` is asked of {place} as of `{}`", brain.model.name, endpoint.name);
        let hint = format!("`--provider {theirs}` asks it as {theirs}, with the key for that");
        problems.push(Problem::warning("louver.toml", what).hint(hint));
    }
    Ok(at(endpoint, brain.model))
}

/// Another model. A server that was named keeps how it is spoken to, and with whose key: a model's
/// name would otherwise bring it the key of somebody else.
pub(crate) fn another(
    args: &BrainArgs,
    config: &Config,
    now: &Brain,
    model: Model,
) -> Result<Brain, Failure> {
    match args.url {
        Some(_) => Ok(at(now.endpoint.clone(), model)),
        None => of(args, config, model),
    }
}

/// The server of a model that is settled.
fn of(args: &BrainArgs, config: &Config, model: Model) -> Result<Brain, Failure> {
    Ok(at(endpoint(args, config, &model.name)?, model))
}

fn at(endpoint: Endpoint, model: Model) -> Brain {
    let name = name_there(&endpoint, &model.name);
    Brain { endpoint, name, model }
}

/// A model's name as its server spells it: `mine/llama` is `llama` to the one that settings call `mine`.
fn name_there(endpoint: &Endpoint, model: &str) -> String {
    match (endpoint.provider, model.strip_prefix(&format!("{}/", endpoint.name))) {
        (Some(provider), _) => provider.model_name(model).to_owned(),
        (None, Some(own)) => own.to_owned(),
        (None, None) => model.to_owned(),
    }
}

/// The sentence model that settings name for recall, and its server.
///
/// What is said of chat models names no server here: notes go only where this table says.
pub(crate) fn embedder(config: &Config) -> Result<Option<Embedder>, Failure> {
    let Some(own) = &config.recall.embeddings else { return Ok(None) };
    let args = BrainArgs { provider: own.provider.clone(), url: own.url.clone() };
    let mut config = config.clone();
    config.provider = None;
    let here = || config::in_own("[recall.embeddings]");
    let endpoint = endpoint(&args, &config, &own.model).map_err(|failure| failure.at(&here()))?;
    if endpoint.wire != Wire::OpenAi {
        let what = format!("`{}` has no embeddings", endpoint.name);
        return Err(Failure::new(Code::Workspace, what)
            .at(&here())
            .hint("name another `provider` in `[recall.embeddings]`, such as ollama"));
    }
    let name = name_there(&endpoint, &own.model);
    let trained = Before::of(&name);
    let before = Before {
        question: own.question.clone().unwrap_or(trained.question),
        note: own.note.clone().unwrap_or(trained.note),
    };
    Ok(Some(Embedder::new(endpoint, name).with_before(before)))
}

/// What a server demands of a conversation.
pub(crate) fn rules(endpoint: &Endpoint) -> Rules {
    match endpoint.wire {
        Wire::Anthropic => Rules::ANTHROPIC,
        Wire::OpenAi => Rules::OPENAI,
    }
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn wire(own: &ProviderConfig) -> Result<Wire, Failure> {
    match own.wire.as_deref() {
        None | Some("openai") => Ok(Wire::OpenAi),
        Some("anthropic") => Ok(Wire::Anthropic),
        Some(other) => Err(Failure::new(Code::Workspace, format!("unknown wire `{other}`"))
            .hint("known: openai, anthropic")),
    }
}

/// The key that settings name: in the variable, else in the file.
fn key(own: &ProviderConfig) -> Result<Option<SecretString>, Failure> {
    let variable = own.key_env.as_deref().and_then(environment);
    match variable.as_deref().map(str::trim).filter(|key| !key.is_empty()) {
        Some(key) => Ok(Some(SecretString::from(key))),
        None => own.key.as_ref().map(config::private).transpose(),
    }
}

/// An address that leads nowhere. What may be secret in it is not shown.
fn no_address(base: &str) -> Failure {
    let base = base.split(['?', '#']).next().unwrap_or_default();
    let base = base.rsplit_once('@').map_or(base, |(_, place)| place);
    let failure = Failure::new(Code::Workspace, format!("`{base}` is no address of a server"));
    match base.contains("://") {
        true => failure.hint("an address looks like http://127.0.0.1:8000/v1"),
        false => failure.hint(format!("begin it with http:// or https://, as in http://{base}")),
    }
}

fn unknown_provider(name: Option<&str>, model: &str, config: &Config) -> Failure {
    let own = || config.providers.keys().map(String::as_str);
    let names = || own().chain(PROVIDERS.iter().map(|provider| provider.name));
    let what = match name {
        Some(name) if config.providers.contains_key(name) => {
            return Failure::new(Code::Workspace, format!("`[providers.{name}]` has no `url`"))
                .hint("say where it is, as in url = \"http://127.0.0.1:8000/v1\"");
        }
        Some(name) => format!("unknown provider `{name}`"),
        None => format!("nobody is known to have the model `{model}`"),
    };
    let failure = Failure::new(Code::Workspace, what);
    match name.and_then(|name| meant(name, names())) {
        Some(known) => failure.hint(format!("did you mean `{known}`?")),
        None => failure.hint(format!(
            "say who has it, as in `--provider ollama` or `--model ollama/{model}`; known: {}",
            names().collect::<Vec<_>>().join(", ")
        )),
    }
}
