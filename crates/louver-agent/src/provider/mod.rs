//! Who can be asked, and how: the table of providers, and a request for one of them.
//!
//! A wire is a file of pure functions: an [`Ask`] becomes a [`Request`], and what comes back becomes
//! a [`Reply`](crate::Reply). Nothing here waits or touches the network; [`crate::http`] does. So a provider is tested
//! with files, and a server that speaks a known wire is one line in the table or in `louver.toml`.

pub mod anthropic;
pub mod embeddings;
pub mod error;
pub mod openai;
pub mod quirks;
mod reader;
mod table;
pub mod think;
pub(crate) mod wait;

use std::fmt;
use std::time::Duration;

use louver_context::Prompt;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

pub use error::{AskError, Fault, Network, Setting, Trouble};
pub use quirks::{EffortField, LimitField, Quirks};
pub use reader::Reader;
pub use table::PROVIDERS;

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// OpenAI's chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// A known provider: a row of the table.
#[derive(Debug, PartialEq)]
pub struct Provider {
    /// Its name in settings, and before a model's name.
    pub name: &'static str,
    /// How it is spoken to.
    pub wire: Wire,
    /// Where it is.
    pub base: &'static str,
    /// The environment variables that may hold a key, in the order they are looked at.
    pub keys: &'static [&'static str],
    /// Models whose names begin so are its own.
    pub families: &'static [&'static str],
    /// A server on this machine needs no key and may not be running.
    pub local: bool,
    /// Where keys are made; for a local server, how it is started.
    pub help: &'static str,
    /// What it takes and refuses.
    pub quirks: Quirks,
}

/// A server that can be asked. What it shows of itself never holds a key.
#[derive(Clone)]
pub struct Endpoint {
    /// Its name, for people.
    pub name: String,
    /// How it is spoken to.
    pub wire: Wire,
    /// Where it is. OpenAI's wire adds `/chat/completions`, Anthropic's `/v1/messages`.
    pub base: String,
    /// The key, if it needs one.
    pub key: Option<SecretString>,
    /// Headers to send besides. They may hold secrets too.
    pub headers: Vec<(String, SecretString)>,
    /// What it takes and refuses.
    pub quirks: Quirks,
    /// How long it may take, and how much it may say.
    pub limits: Limits,
    /// The row of the table it was made from.
    pub provider: Option<&'static Provider>,
}

/// How long a server may take, and how much it may say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Until there is a connection.
    pub connect: Duration,
    /// From the request to the first byte of the answer. A local model reads the whole prompt first.
    pub first: Duration,
    /// Between two pieces of the answer.
    pub silence: Duration,
    /// The most bytes of an answer.
    pub answer: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connect: Duration::from_secs(10),
            first: Duration::from_secs(300),
            silence: Duration::from_secs(120),
            // The longest answers have 128,000 tokens; a token in a stream travels in about 300 bytes.
            answer: 64 << 20,
        }
    }
}

/// How hard a model should think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each is what its name says")]
pub enum Effort {
    Low,
    Medium,
    High,
}

impl Effort {
    /// The word that providers use.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
        }
    }
}

/// What a server is asked.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The model, as the server spells it.
    pub model: &'a str,
    /// What to send.
    pub prompt: &'a Prompt,
    /// The most tokens of the answer.
    pub reply: u32,
    /// Whether the answer comes in pieces.
    pub stream: bool,
    /// The session that asks, by which a server finds its cache.
    pub session: &'a str,
    /// How freely to choose words.
    pub temperature: Option<f32>,
    /// How hard to think.
    pub effort: Option<Effort>,
    /// The one tool that it must call.
    pub must_call: Option<&'a str>,
    /// How many requests may be sent while the server is busy or cannot be reached.
    pub tries: u32,
}

impl<'a> Ask<'a> {
    /// A request that streams and leaves the rest to the server.
    pub fn new(model: &'a str, prompt: &'a Prompt, reply: u32) -> Ask<'a> {
        Ask {
            model,
            prompt,
            reply,
            stream: true,
            session: "",
            temperature: None,
            effort: None,
            must_call: None,
            tries: wait::MOST_SENT,
        }
    }
}

/// A request that is ready to go. What it shows of itself never holds a key.
#[derive(Clone)]
pub struct Request {
    /// Where to.
    pub url: String,
    /// Headers; any may hold a secret.
    pub headers: Vec<(String, SecretString)>,
    /// The body, as JSON.
    pub body: Vec<u8>,
}

/// The request for an ask.
pub fn request(endpoint: &Endpoint, ask: &Ask<'_>) -> Request {
    match endpoint.wire {
        Wire::OpenAi => openai::request(endpoint, ask),
        Wire::Anthropic => anthropic::request(endpoint, ask),
    }
}

/// The request for the list of models.
pub fn models_request(endpoint: &Endpoint) -> Request {
    let url = match endpoint.wire {
        Wire::OpenAi => endpoint.url("models"),
        Wire::Anthropic => endpoint.url("models?limit=1000"),
    };
    Request { url, headers: endpoint.all_headers(), body: Vec::new() }
}

/// The provider of a model: by the name before a slash, else by the family its name belongs to.
pub fn for_model(model: &str) -> Option<&'static Provider> {
    if let Some((name, _)) = model.split_once('/') {
        return Provider::named(name);
    }
    let model = model.to_ascii_lowercase();
    let family =
        |provider: &&Provider| provider.families.iter().any(|family| model.starts_with(family));
    PROVIDERS.iter().find(family)
}

impl Provider {
    /// The provider of that name.
    pub fn named(name: &str) -> Option<&'static Provider> {
        PROVIDERS.iter().find(|provider| provider.name.eq_ignore_ascii_case(name))
    }

    /// A model's name as this provider spells it: `ollama/llama3.2` is `llama3.2` there.
    pub fn model_name<'a>(&self, model: &'a str) -> &'a str {
        match model.split_once('/') {
            // OpenRouter's own models are `openrouter/auto` and the like; all others have two names.
            Some((name, rest)) if name.eq_ignore_ascii_case(self.name) => match self.name {
                "openrouter" if !rest.contains('/') => model,
                _ => rest,
            },
            _ => model,
        }
    }

    /// The first key that the environment holds, by `look`.
    pub fn key(&self, look: impl Fn(&str) -> Option<String>) -> Option<SecretString> {
        let set = |name: &&str| look(name).map(|key| key.trim().to_owned());
        self.keys.iter().filter_map(set).find(|key| !key.is_empty()).map(SecretString::from)
    }

    /// The provider's own server, with this key.
    pub fn endpoint(&'static self, key: Option<SecretString>) -> Endpoint {
        Endpoint {
            name: self.name.to_owned(),
            wire: self.wire,
            base: self.base.to_owned(),
            key,
            headers: Vec::new(),
            quirks: self.quirks,
            limits: Limits::default(),
            provider: Some(self),
        }
    }
}

impl Endpoint {
    /// A server that the table does not know. It is sent nothing that some refuse.
    pub fn custom(name: &str, wire: Wire, base: &str, key: Option<SecretString>) -> Endpoint {
        Endpoint {
            name: name.to_owned(),
            wire,
            base: base.to_owned(),
            key,
            headers: Vec::new(),
            quirks: Quirks::CAUTIOUS,
            limits: Limits::default(),
            provider: None,
        }
    }

    /// Whether the server is on this machine.
    pub fn is_loopback(&self) -> bool {
        Url::parse(&self.base).is_ok_and(|url| match url.host() {
            Some(url::Host::Domain(name)) => name == "localhost",
            Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
            Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        })
    }

    /// Whether it cannot be asked for want of a key.
    pub fn lacks_key(&self) -> bool {
        self.key.is_none()
            && self.headers.is_empty()
            && self.provider.is_some_and(|provider| !provider.keys.is_empty() && !provider.local)
            && !self.is_loopback()
    }

    /// Where the server is, for people: without what may be secret in an address.
    pub fn place(&self) -> String {
        match Url::parse(&self.base) {
            Ok(url) => match (url.host_str(), url.port()) {
                (Some(host), Some(port)) => format!("{}://{host}:{port}", url.scheme()),
                (Some(host), None) => format!("{}://{host}", url.scheme()),
                _ => "an address without a host".to_owned(),
            },
            Err(_) => "an address that is none".to_owned(),
        }
    }

    /// The address of one of the server's routes.
    fn url(&self, route: &str) -> String {
        let (base, query) = self.base.split_once('?').unwrap_or((&self.base, ""));
        let base = base.trim_end_matches('/');
        // Some copy the address of a route where that of the server is asked for.
        let of_route = ["/chat/completions", "/embeddings", "/messages"];
        let base = of_route.iter().find_map(|route| base.strip_suffix(route)).unwrap_or(base);
        let url = match self.wire {
            Wire::Anthropic if !base.ends_with("/v1") => format!("{base}/v1/{route}"),
            _ => format!("{base}/{route}"),
        };
        match query {
            "" => url,
            query if url.contains('?') => format!("{url}&{query}"),
            query => format!("{url}?{query}"),
        }
    }

    /// Whether its address is one that can be asked.
    pub fn has_address(&self) -> bool {
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        Url::parse(&self.base).is_ok_and(|url| is_web(&url))
    }

    /// The headers of every request.
    fn all_headers(&self) -> Vec<(String, SecretString)> {
        let mut headers = vec![("content-type".to_owned(), SecretString::from("application/json"))];
        if let Some(key) = &self.key {
            headers.push(match self.wire {
                Wire::OpenAi => {
                    let value = SecretString::from(format!("Bearer {}", key.expose_secret()));
                    ("authorization".to_owned(), value)
                }
                Wire::Anthropic => ("x-api-key".to_owned(), key.clone()),
            });
        }
        if self.wire == Wire::Anthropic {
            headers.push(("anthropic-version".to_owned(), SecretString::from("2023-06-01")));
        }
        headers.extend(self.headers.iter().cloned());
        headers
    }

    /// A text without this server's key and headers, and without anything that looks like a key:
    /// some servers repeat the key they were sent.
    pub fn redact(&self, text: &str) -> String {
        let headers = self.headers.iter().map(|(_, value)| value);
        let mut text = text.to_owned();
        for secret in self.key.iter().chain(headers) {
            let secret = secret.expose_secret().trim();
            let bare = secret.rsplit(' ').next().unwrap_or(secret);
            for secret in [secret, bare] {
                if secret.len() >= 4 {
                    text = text.replace(secret, HIDDEN);
                }
            }
        }
        hide_keys(&text)
    }
}

/// What stands for a key.
const HIDDEN: &str = "[key]";

/// Hides words that look like a key.
fn hide_keys(text: &str) -> String {
    let is_word = |char: char| char.is_ascii_alphanumeric() || "-_*.".contains(char);
    let mut hidden = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        hidden.push_str(&rest[..start]);
        let word = &rest[start..];
        let end = word.find(|char| !is_word(char)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        let looks = ["sk-", "sk_", "gsk_", "AIza"].iter().any(|start| word.starts_with(start));
        hidden.push_str(if looks && word.len() >= 16 { HIDDEN } else { word });
        rest = after;
    }
    hidden.push_str(rest);
    hidden
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.url.split_once('?').map_or(&*self.url, |(url, _)| url);
        let url = url.rsplit_once('@').map_or(url, |(_, place)| place);
        f.debug_struct("Request")
            .field("url", &url)
            .field("headers", &self.headers)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Endpoint")
            .field("name", &self.name)
            .field("wire", &self.wire)
            .field("place", &self.place())
            .field("key", &self.key.as_ref().map(|_| HIDDEN))
            .field("headers", &headers)
            .field("quirks", &self.quirks)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_says_who_has_it() {
        let name = |model| for_model(model).map(|provider| provider.name);
        assert_eq!(name("claude-sonnet-4-5"), Some("anthropic"));
        assert_eq!(name("gpt-4o"), Some("openai"));
        assert_eq!(name("o3"), Some("openai"));
        assert_eq!(name("deepseek-chat"), Some("deepseek"));
        assert_eq!(name("kimi-k2.5"), Some("moonshot"));
        assert_eq!(name("openrouter/anthropic/claude-opus-5"), Some("openrouter"));
        assert_eq!(name("ollama/llama3.2"), Some("ollama"));
        assert_eq!(name("Qwen/Qwen3-8B"), None);
        assert_eq!(name("my-own-model"), None);
    }

    #[test]
    fn a_provider_is_told_its_own_name_of_a_model() {
        let name = |model| for_model(model).unwrap().model_name(model);
        assert_eq!(name("ollama/library/llama3.2"), "library/llama3.2");
        assert_eq!(name("openrouter/anthropic/claude-opus-5"), "anthropic/claude-opus-5");
        assert_eq!(name("openrouter/auto"), "openrouter/auto");
        assert_eq!(name("gpt-4o"), "gpt-4o");
    }

    #[test]
    fn every_provider_of_the_table_can_be_asked() {
        for provider in PROVIDERS {
            let endpoint = provider.endpoint(None);
            assert_eq!(endpoint.is_loopback(), provider.local, "{}", provider.name);
            assert_eq!(endpoint.lacks_key(), !provider.local, "{}", provider.name);
            assert!(Url::parse(&models_request(&endpoint).url).is_ok(), "{}", provider.name);
            assert_eq!(Provider::named(provider.name), Some(provider));
        }
    }

    #[test]
    fn a_route_stands_before_what_an_address_asks() {
        let url =
            |wire, base: &str| models_request(&Endpoint::custom("mine", wire, base, None)).url;
        assert_eq!(url(Wire::OpenAi, "http://x/v1/"), "http://x/v1/models");
        assert_eq!(url(Wire::OpenAi, "http://x/v1/?key=X"), "http://x/v1/models?key=X");
        let both = "http://x/v1/models?limit=1000&key=X";
        assert_eq!(url(Wire::Anthropic, "http://x?key=X"), both);
        let route = "http://x/v1/chat/completions/?key=X";
        assert_eq!(url(Wire::OpenAi, route), "http://x/v1/models?key=X");
        assert_eq!(url(Wire::Anthropic, "http://x/v1/messages"), "http://x/v1/models?limit=1000");
    }

    #[test]
    fn nothing_that_is_shown_holds_a_key() {
        let base = "https://me:hunter22@example.org/v1?key=top-secret-3";
        let mut endpoint = Endpoint::custom("mine", Wire::OpenAi, base, None);
        endpoint.key = Some("top-secret-1".into());
        endpoint.headers.push(("x-token".into(), "Basic top-secret-2".into()));
        let shown = format!("{endpoint:?} {:?}", models_request(&endpoint));
        for secret in ["top-secret", "hunter22"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        let said = "bad key top-secret-1 (or top-secret-2), not sk-proj-abcdefghijk123!";
        assert_eq!(endpoint.redact(said), "bad key [key] (or [key]), not [key]!");
    }
}
