//! The first choice of a model: what is running here, what has a key, what a person wants; and a test.

use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use louver_agent::agent::Brain;
use louver_agent::http::Sender;
use louver_agent::provider::{Ask, AskError, Endpoint, PROVIDERS, Provider, Wire};
use louver_context::{Message, Model, Prompt, Role};
use secrecy::{ExposeSecret as _, SecretString};

use crate::brain::BrainArgs;
use crate::config::{self, Config};
use crate::error::Failure;
use crate::screen::{self, Tone};
use crate::{assistant, talk};

/// A model to try when nobody names one, by provider.
const USUAL: &[(&str, &str)] = &[
    ("openai", "gpt-5-mini"),
    ("anthropic", "claude-sonnet-4-5"),
    ("openrouter", "openrouter/auto"),
    ("deepseek", "deepseek-chat"),
    ("moonshot", "kimi-k2-turbo-preview"),
    ("dashscope", "qwen-plus"),
    ("stepfun", "step-3"),
];

/// A server that could be asked.
struct Offer {
    endpoint: Endpoint,
    /// The models it says it has.
    models: Vec<String>,
    /// It runs here, or was named by the person.
    near: bool,
}

/// Finds what there is, asks the person, tests the choice and keeps it. Without a person it only says
/// what it found.
pub(crate) fn provider(config: &Config, args: &BrainArgs) -> Result<(), Failure> {
    if config.model.is_some() {
        return Ok(());
    }
    assistant::runtime()?.block_on(async {
        let sender = Sender::new();
        let mut offers = offers(&sender).await;
        if let Some(named) = named(args, &sender).await? {
            offers.insert(0, named);
        }
        if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            tell(&offers);
            return Ok(());
        }
        match choose(&offers)? {
            Some(brain) => keep_if_good(&sender, brain).await,
            None => Ok(()),
        }
    })
}

/// Local servers that run, then who has a key, then the rest.
async fn offers(sender: &Sender) -> Vec<Offer> {
    let mut offers: Vec<Offer> = sender
        .find_local()
        .await
        .into_iter()
        .map(|(provider, models)| Offer { endpoint: provider.endpoint(None), models, near: true })
        .collect();
    let hosted = PROVIDERS.iter().filter(|provider| !provider.local);
    let mut hosted: Vec<Offer> = hosted
        .map(|provider| {
            let endpoint = provider.endpoint(provider.key(|name| std::env::var(name).ok()));
            Offer { endpoint, models: Vec::new(), near: false }
        })
        .collect();
    hosted.sort_by_key(|offer| offer.endpoint.lacks_key());
    offers.extend(hosted);
    offers
}

/// The server that options name.
async fn named(args: &BrainArgs, sender: &Sender) -> Result<Option<Offer>, Failure> {
    let Some(url) = &args.url else { return Ok(None) };
    let name = args.provider.as_deref().unwrap_or("mine");
    let endpoint = match Provider::named(name) {
        Some(provider) => {
            let key = provider.key(|name| std::env::var(name).ok());
            Endpoint { base: url.clone(), ..provider.endpoint(key) }
        }
        None => Endpoint::custom(name, Wire::OpenAi, url, None),
    };
    let models = sender.probe(&endpoint).await.unwrap_or_default();
    Ok(Some(Offer { endpoint, models, near: true }))
}

impl Offer {
    /// The model to begin with.
    fn usual(&self) -> String {
        let name = &self.endpoint.name;
        match self.models.first() {
            Some(model) => format!("{name}/{model}"),
            None => {
                let known = USUAL.iter().find(|(provider, _)| provider == name);
                known.map_or_else(String::new, |(_, model)| (*model).to_owned())
            }
        }
    }

    fn described(&self) -> String {
        let name = &self.endpoint.name;
        let help = self.endpoint.provider.map_or("", |provider| provider.help);
        match (self.near, self.endpoint.lacks_key()) {
            (true, _) => {
                let models: Vec<&str> = self.models.iter().take(3).map(String::as_str).collect();
                let models =
                    if models.is_empty() { "no models yet".into() } else { models.join(", ") };
                format!("{name}: at {} with {models}", self.endpoint.place())
            }
            (false, false) => format!("{name}: there is a key in the environment"),
            (false, true) => format!("{name}: {help}"),
        }
    }
}

/// What was found, where nobody can be asked.
fn tell(offers: &[Offer]) {
    let ready = || offers.iter().filter(|offer| !offer.endpoint.lacks_key());
    for offer in ready() {
        let text = format!("{}; louver chat --model {}", offer.described(), offer.usual());
        screen::message("found", &text, Tone::Good);
    }
    if ready().next().is_none() {
        let text = "no key in the environment and no local server; set one, such as OPENAI_API_KEY, or \
                    start Ollama, then `louver chat`";
        screen::message("note", text, Tone::Quiet);
    }
}

/// Asks the person. `None` when they would rather not now.
fn choose(offers: &[Offer]) -> Result<Option<Brain>, Failure> {
    if !offers.iter().any(|offer| offer.near) {
        let text = "no local model server runs here; Ollama and llama.cpp are found when they do";
        screen::message("note", text, Tone::Quiet);
    }
    screen::print("\nWho should answer?")?;
    for (number, offer) in (1..).zip(offers) {
        screen::print(&format!("  {number}  {}", talk::plain(&offer.described())))?;
    }
    let chosen = loop {
        let said = ask("number or name, Enter for later: ")?;
        if said.is_empty() {
            return Ok(None);
        }
        let number = said.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let found = match number {
            Some(at) => offers.get(at),
            None => offers.iter().find(|offer| offer.endpoint.name == said.to_lowercase()),
        };
        match found {
            Some(offer) => break offer,
            None => {
                screen::message("error", &format!("there is no `{said}` in the list"), Tone::Bad)
            }
        }
    };
    let usual = chosen.usual();
    let said = ask(&format!("model, Enter for {usual}: "))?;
    let model = if said.is_empty() { usual } else { said };
    let mut endpoint = chosen.endpoint.clone();
    if endpoint.lacks_key() {
        let said = secret(&format!("key for {} (not shown): ", endpoint.name))?;
        if said.expose_secret().is_empty() {
            not_kept("no key was given");
            return Ok(None);
        }
        endpoint.key = Some(said);
    }
    let bare = model.strip_prefix(&format!("{}/", endpoint.name)).unwrap_or(&model).to_owned();
    let name = match endpoint.provider {
        Some(provider) => provider.model_name(&model).to_owned(),
        None => bare,
    };
    Ok(Some(Brain { endpoint, name, model: Model::named(&model) }))
}

/// Tries the model; keeps the choice when it answers, or when the person wants it all the same.
async fn keep_if_good(sender: &Sender, brain: Brain) -> Result<(), Failure> {
    screen::message("note", &format!("asking {} to say ok …", brain.model.name), Tone::Quiet);
    match try_it(sender, &brain.endpoint, &brain.name).await {
        Ok(answer) => {
            screen::message("ok", &format!("it says: {}", talk::plain(&answer)), Tone::Good)
        }
        Err(error) => {
            screen::message("error", &error.to_string(), Tone::Bad);
            if let Some(hint) = error.hint() {
                screen::message("hint", &hint, Tone::Quiet);
            }
            if !matches!(&*ask("keep it all the same? [y]es, [n]o: ")?, "y" | "yes") {
                not_kept("it did not answer");
                return Ok(());
            }
        }
    }
    keep(&brain)
}

/// What was chosen is thrown away.
fn not_kept(why: &str) {
    let text = format!("{why}: the choice is not kept; `louver init` asks again");
    screen::message("note", &text, Tone::Odd);
}

/// Asks a model for one word.
pub(crate) async fn try_it(
    sender: &Sender,
    endpoint: &Endpoint,
    model: &str,
) -> Result<String, AskError> {
    let prompt = Prompt {
        tools: [].into(),
        system: "".into(),
        places: Vec::new(),
        messages: vec![Arc::new(Message::text(Role::User, "Say ok."))],
        history: 0,
    };
    let ask = Ask { stream: false, ..Ask::new(model, &prompt, 512) };
    let reply = sender.ask(endpoint, &ask, &mut |_| {}).await?;
    let texts: Vec<&str> = reply.message.texts().map(|text| &**text).collect();
    Ok(screen::clip(texts.join(" ").trim(), 60))
}

/// Writes the choice into the person's own settings, which are theirs alone from then on.
fn keep(brain: &Brain) -> Result<(), Failure> {
    let Some(path) = config::own_path() else { return Ok(()) };
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(anyhow::Error::from(error).context(path.display().to_string()).into());
        }
    };
    let provider = &brain.endpoint.name;
    let in_environment = brain
        .endpoint
        .provider
        .is_some_and(|provider| provider.key(|name| std::env::var(name).ok()).is_some());
    let key = brain.endpoint.key.as_ref().filter(|_| !in_environment);
    let usual = brain.endpoint.provider.map_or("", |provider| provider.base);
    let url = (brain.endpoint.base != usual).then_some(brain.endpoint.base.as_str());
    let text = with_choice(&before, provider, &brain.model.name, url, key);
    write_private(&path, &text).with_context(|| path.display().to_string())?;
    screen::message("made", &format!("{} (readable by you alone)", path.display()), Tone::Good);
    Ok(())
}

/// A settings file with the choice: keys of the top come before the first table, tables at the end.
fn with_choice(
    before: &str,
    provider: &str,
    model: &str,
    url: Option<&str>,
    key: Option<&SecretString>,
) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut text = format!("model = {}\nprovider = {}\n", quoted(model), quoted(provider));
    let gap = if before.is_empty() { "" } else { "\n" };
    text.push_str(gap);
    text.push_str(before);
    if url.is_some() || key.is_some() {
        text.push_str(&format!("\n[providers.{provider}]\n"));
    }
    if let Some(url) = url {
        text.push_str(&format!("url = {}\n", quoted(url)));
    }
    if let Some(key) = key {
        text.push_str(&format!("key = {}\n", quoted(key.expose_secret())));
    }
    text
}

/// Replaces a file by one that only its owner can read, whole or not at all.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let fresh = path.with_extension("toml.new");
    // One that a crash left behind may have been made readable by others.
    let _ = fs::remove_file(&fresh);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&fresh, path)
}

/// A line from the person.
fn ask(question: &str) -> anyhow::Result<String> {
    let line = read(question)?;
    if !line.ends_with('\n') {
        // Ctrl-D leaves the cursor behind the question.
        writeln!(io::stderr())?;
    }
    Ok(line.trim().to_owned())
}

fn read(question: &str) -> anyhow::Result<String> {
    let mut err = io::stderr().lock();
    write!(err, "{question}")?;
    err.flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line)
}

/// A line that is not shown while it is typed.
fn secret(question: &str) -> anyhow::Result<SecretString> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let stdin = io::stdin();
    let before = tcgetattr(&stdin)?;
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&stdin, OptionalActions::Now, &silent)?;
    let said = read(question);
    // The terminal is the person's: it gets its echo back whatever was said.
    tcsetattr(&stdin, OptionalActions::Now, &before)?;
    let mut err = io::stderr().lock();
    writeln!(err)?;
    Ok(SecretString::from(said?.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_added_to_what_is_there() {
        let key = SecretString::from("k\"1");
        let text = with_choice(
            "[context]\nwarn_tokens = 3\n",
            "openai",
            "gpt-4o",
            Some("http://127.0.0.1:1/v1"),
            Some(&key),
        );
        let read: toml::Table = text.parse().unwrap();
        assert_eq!(read["model"].as_str(), Some("gpt-4o"));
        assert_eq!(read["provider"].as_str(), Some("openai"));
        assert_eq!(read["providers"]["openai"]["url"].as_str(), Some("http://127.0.0.1:1/v1"));
        assert_eq!(read["providers"]["openai"]["key"].as_str(), Some("k\"1"));
        assert_eq!(read["context"]["warn_tokens"].as_integer(), Some(3));
    }

    #[test]
    fn settings_with_a_key_are_the_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::TempDir::new().unwrap();
        let path = dir.path().join("louver/config.toml");
        write_private(&path, "a = 1\n").unwrap();
        write_private(&path, "a = 2\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a = 2\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn every_usual_model_belongs_to_a_provider_of_the_table() {
        for (provider, _) in USUAL {
            assert!(Provider::named(provider).is_some(), "{provider}");
        }
    }
}
