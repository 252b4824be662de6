//! Why there is no answer: what servers say, sorted by what can be done about it.

use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::{Endpoint, Provider};

/// A request that got no answer. Nothing in it holds a key.
#[derive(Debug, Clone, PartialEq)]
pub struct AskError {
    /// The server's name.
    pub server: Box<str>,
    /// Where it is.
    pub place: Box<str>,
    /// The model that was asked for.
    pub model: Box<str>,
    /// What is wrong.
    pub trouble: Trouble,
    provider: Option<&'static Provider>,
}

/// What is wrong, by what can be done about it. `said` is what the server says of it.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "each field is what its name says")]
pub enum Trouble {
    /// There is no key.
    NoKey,
    /// The key is wrong, or may not do this.
    WrongKey { said: String },
    /// There is no such model.
    NoModel { said: String },
    /// The request does not fit into the model's window, in tokens if the server says how many.
    TooLong { asked: Option<u64>, window: Option<u64>, said: String },
    /// Too many requests; the server may say how long to wait.
    RateLimit { wait: Option<Duration>, said: String },
    /// The server is overloaded or broken.
    Overload { status: u16, wait: Option<Duration>, said: String },
    /// There is no money left.
    NoMoney { said: String },
    /// A setting is wrong, and nobody was asked.
    Setting { what: Setting },
    /// The request was refused for another reason.
    Refused { status: u16, said: String },
    /// The server was not reached.
    Network { what: Network, said: String },
    /// The server took longer than it may.
    Slow { limit: Duration },
    /// The answer broke off.
    Cut { said: String },
    /// The answer is larger than it may be, in bytes.
    TooBig { most: usize },
    /// The answer cannot be understood.
    Malformed { said: String },
}

/// What of an endpoint cannot be used. Values are not named: they may be secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// The address is none.
    Address,
    /// The key has something that no header may have, such as a line break.
    Key,
    /// The name of a header, or its value, has.
    Header(String),
}

/// Why a server was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// Nobody knows its name.
    NoHost,
    /// Nothing listens there.
    Refused,
    /// It did not answer in time.
    TimedOut,
    /// Its certificate is not trusted, or the connection cannot be secured.
    Tls,
    /// Something else.
    Other,
}

/// What can go wrong while an answer is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It ended before its end.
    Cut,
    /// It is not what the wire says.
    Malformed(String),
    /// The server says in its answer that something is wrong.
    Said {
        /// The kind, as the server names it.
        code: String,
        /// Its words.
        said: String,
    },
}

/// Where a person says who is asked, and with which key: a workspace may not.
const OWN: &str = "your config.toml; `louver doctor` says where that is";

/// How much of what a server says is kept.
const LONGEST_SAID: usize = 600;

impl Fault {
    /// Not JSON at all.
    pub(super) fn malformed(error: serde_json::Error, text: &str) -> Fault {
        Fault::Malformed(format!("{error}: {}", head(text, 120)))
    }

    /// JSON, but not of an answer.
    pub(super) fn unlike(value: &Value) -> Fault {
        Fault::Malformed(format!("not an answer: {}", head(&value.to_string(), 120)))
    }

    /// An error in the answer.
    pub(super) fn said(error: &Value) -> Fault {
        let said = Said::of_error(error);
        Fault::Said { code: said.code, said: said.words }
    }

    /// The fault as a trouble. An error in a stream that began well has no status of its own.
    pub fn trouble(self) -> Trouble {
        match self {
            Fault::Cut => Trouble::Cut { said: "it has no end".to_owned() },
            Fault::Malformed(said) => Trouble::Malformed { said },
            Fault::Said { code, said } => {
                let status = code.parse().unwrap_or(match code.as_str() {
                    "rate_limit_error" | "rate_limit_exceeded" => 429,
                    "authentication_error" => 401,
                    "permission_error" => 403,
                    "not_found_error" => 404,
                    "invalid_request_error" | "request_too_large" => 400,
                    "overloaded_error" => 529,
                    _ => 500,
                });
                Said { code, words: said, numbers: (None, None) }.sort(status, None)
            }
        }
    }
}

/// What a server says of an error.
struct Said {
    code: String,
    words: String,
    /// Tokens asked for and tokens that fit, where they stand beside the words.
    numbers: (Option<u64>, Option<u64>),
}

impl Said {
    /// Reads the body of an error, in the forms that servers have.
    fn of_body(body: &str) -> Said {
        let Ok(value) = serde_json::from_str::<Value>(body) else {
            return Said { code: String::new(), words: plain(body), numbers: (None, None) };
        };
        // Google wraps it in a list.
        let value = value.get(0).unwrap_or(&value);
        match value.get("error") {
            Some(Value::Null) | None => Said::of_error(value),
            Some(error) => Said::of_error(error),
        }
    }

    fn of_error(error: &Value) -> Said {
        if let Value::String(words) = error {
            return Said { code: String::new(), words: plain(words), numbers: (None, None) };
        }
        let word = |key: &str| match error.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let named = [word("code"), word("type"), word("status")];
        // A number in `code` repeats the status; a word beside it says more.
        let code = named.iter().find(|code| !code.is_empty() && code.parse::<u16>().is_err());
        let code = code.or(named.iter().find(|code| !code.is_empty())).cloned().unwrap_or_default();
        let mut words = match (error.get("message"), error.get("detail")) {
            (Some(Value::String(text)), _) | (_, Some(Value::String(text))) => text.clone(),
            (Some(other), _) | (_, Some(other)) => other.to_string(),
            _ => error.to_string(),
        };
        // OpenRouter puts what the model's own server said beside its words.
        if let Some(raw) = error.pointer("/metadata/raw").and_then(Value::as_str) {
            words = format!("{words}: {raw}");
        }
        let number = |key: &str| error.get(key).and_then(Value::as_u64);
        Said { code, words: plain(&words), numbers: (number("n_prompt_tokens"), number("n_ctx")) }
    }

    /// What is wrong, by the status, the kind and the words.
    fn sort(self, status: u16, wait: Option<Duration>) -> Trouble {
        let Said { code, words: said, numbers } = self;
        let text = format!("{code} {said}").to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if status < 500 && has(TOO_LONG) || has(&["exceed_context_size", "context_length_exceeded"])
        {
            let (asked, window) = match numbers {
                (None, None) => tokens(&said),
                numbers => numbers,
            };
            return Trouble::TooLong { asked, window, said };
        }
        match status {
            402 => Trouble::NoMoney { said },
            _ if has(NO_MONEY) => Trouble::NoMoney { said },
            401 => Trouble::WrongKey { said },
            400 | 403 if has(WRONG_KEY) => Trouble::WrongKey { said },
            400 | 404 | 422 if has(NO_MODEL) => Trouble::NoModel { said },
            403 => Trouble::WrongKey { said },
            404 => Trouble::NoModel { said },
            413 => Trouble::TooLong { asked: None, window: None, said },
            429 => Trouble::RateLimit { wait, said },
            408 | 409 | 425 | 500.. => Trouble::Overload { status, wait, said },
            _ if has(&["overloaded"]) => Trouble::Overload { status, wait, said },
            _ => Trouble::Refused { status, said },
        }
    }
}

const TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size",
    "prompt is too long",
    "maximum context length",
    "context window",
    "exceed context limit",
    "exceeds the available context size",
    "exceeded model token limit",
    "input token count",
    "input is too long",
    "range of input length",
    "request_too_large",
];
const NO_MONEY: &[&str] =
    &["insufficient_quota", "insufficient balance", "credit balance is too low", "billing_error"];
const WRONG_KEY: &[&str] = &["api key", "api_key", "apikey", "authentication"];
const NO_MODEL: &[&str] = &[
    "model_not_found",
    "model not found",
    "does not exist",
    "not a valid model",
    "no such model",
    "not found, try pulling",
    "unknown model",
    "model not exist",
];

/// A server's answer that is an error, sorted.
pub(crate) fn sort(status: u16, body: &str, wait: Option<Duration>) -> Trouble {
    Said::of_body(body).sort(status, wait)
}

/// Tokens asked for and tokens that fit, as far as a message has the numbers. What was asked for is
/// always the larger one.
fn tokens(said: &str) -> (Option<u64>, Option<u64>) {
    let digits = said.replace(',', "");
    let numbers = digits.split(|char: char| !char.is_ascii_digit());
    // Smaller ones are parts of names and versions.
    let mut numbers = numbers.filter_map(|word| word.parse::<u64>().ok()).filter(|n| *n >= 256);
    match (numbers.next(), numbers.next()) {
        (Some(one), Some(other)) => (Some(one.max(other)), Some(one.min(other))),
        (one, _) => (None, one),
    }
}

/// What a server said, as one line for people: no page of HTML, no endless text.
fn plain(text: &str) -> String {
    let text = match text.trim_start().starts_with('<') {
        true => {
            let title =
                text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
            title.map_or("a page of HTML", |(title, _)| title)
        }
        false => text,
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().filter(|char| !char.is_control()).collect();
    head(&line, LONGEST_SAID)
}

/// The first characters of a text.
fn head(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

impl AskError {
    /// A trouble with a server, without anything that is secret.
    pub fn new(endpoint: &Endpoint, model: &str, trouble: Trouble) -> AskError {
        AskError {
            server: endpoint.name.as_str().into(),
            place: endpoint.place().into(),
            model: model.into(),
            trouble: trouble.redacted(endpoint),
            provider: endpoint.provider,
        }
    }

    /// Whether the server is on this machine, where the network and proxies play no part.
    fn is_here(&self) -> bool {
        let host = self.place.split_once("://").map_or("", |(_, host)| host);
        ["127.", "localhost", "[::1]"].iter().any(|here| host.starts_with(here))
    }

    /// What a person can do about it.
    pub fn hint(&self) -> Option<String> {
        let help = self.provider.map(|provider| provider.help);
        let local = self.provider.is_some_and(|provider| provider.local);
        let keys = self.provider.and_then(|provider| provider.keys.first());
        match (&self.trouble, keys, help) {
            (Trouble::NoKey, Some(key), _) => {
                Some(format!("set {key}, or run `louver init` to choose another provider"))
            }
            (Trouble::WrongKey { .. }, Some(key), Some(help)) if !local => {
                Some(format!("check {key}; keys are made at {help}"))
            }
            (Trouble::NoKey | Trouble::WrongKey { .. }, ..) => {
                Some(format!("set `key_env` or `key` of `[providers.{}]` in {OWN}", self.server))
            }
            (Trouble::NoModel { .. }, ..) if &*self.server == "ollama" => Some(format!(
                "`ollama pull {}` gets it; `louver models --server` lists what is there",
                self.model
            )),
            (Trouble::NoModel { .. }, ..) => {
                Some("`louver models --server` lists what is there".to_owned())
            }
            (Trouble::TooLong { window: Some(window), .. }, ..) => Some(format!(
                "put `models.\"{}\".window = {window}` at the top of louver.toml, or start anew with `/new`",
                self.model
            )),
            (Trouble::TooLong { .. }, ..) => Some("start anew with `/new`".to_owned()),
            (Trouble::NoMoney { .. }, ..) => Some(format!(
                "add credit to your account at `{}`, or choose another provider",
                self.server
            )),
            (Trouble::Setting { what }, ..) => {
                let (field, how) = match what {
                    Setting::Address => ("url", "as in `https://api.example.org/v1`"),
                    Setting::Key => ("key_env` or `key", "in one line, without blanks around it"),
                    Setting::Header(_) => {
                        ("headers", "with names of letters, digits and `-`, and values in one line")
                    }
                };
                Some(format!("write `{field}` of `[providers.{}]` {how}, in {OWN}", self.server))
            }
            (Trouble::Network { .. }, _, Some(help)) if local => Some(help.to_owned()),
            (Trouble::Network { what: Network::NoHost, .. }, ..) => {
                let server = &self.server;
                Some(format!("check the network, and `url` of `[providers.{server}]` in {OWN}"))
            }
            (Trouble::Network { what: Network::Refused, .. }, ..) if self.is_here() => {
                Some("start the server, or set its right address".to_owned())
            }
            (Trouble::Network { .. }, ..) => {
                Some("check the network; HTTPS_PROXY is used where it is set".to_owned())
            }
            (Trouble::Slow { .. }, ..) if local => Some(
                "a large prompt takes a local model long; a smaller model or window is faster"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

impl std::error::Error for AskError {}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AskError { server, place, model, .. } = self;
        match &self.trouble {
            Trouble::NoKey => write!(f, "no key for `{server}`"),
            Trouble::WrongKey { said } => write!(f, "`{server}` refused the key{}", after(said)),
            Trouble::NoModel { said } => {
                write!(f, "`{server}` has no model `{model}`{}", after(said))
            }
            Trouble::TooLong { asked: Some(asked), window: Some(window), .. } => {
                write!(f, "the request has {asked} tokens, but `{model}` holds {window}")
            }
            Trouble::TooLong { said, .. } => {
                write!(f, "the request is too long for `{model}`{}", after(said))
            }
            Trouble::RateLimit { wait: Some(wait), said } => {
                let seconds = wait.as_secs().max(1);
                write!(f, "`{server}` takes no more requests for {seconds} s{}", after(said))
            }
            Trouble::RateLimit { wait: None, said } => {
                write!(f, "`{server}` takes no more requests for now{}", after(said))
            }
            Trouble::Overload { status, said, .. } => {
                write!(f, "`{server}` is overloaded or broken (status {status}){}", after(said))
            }
            Trouble::NoMoney { said } => write!(f, "no credit left at `{server}`{}", after(said)),
            Trouble::Setting { what: Setting::Address } => {
                write!(
                    f,
                    "`{server}` was not asked: its address is none, with `http://` or `https://` and a host"
                )
            }
            Trouble::Setting { what: Setting::Key } => {
                write!(
                    f,
                    "`{server}` was not asked: its key has a line break, or a letter that cannot be sent"
                )
            }
            Trouble::Setting { what: Setting::Header(name) } => {
                write!(
                    f,
                    "`{server}` was not asked: its header `{name}` has letters that cannot be sent"
                )
            }
            Trouble::Refused { status, said } => {
                write!(f, "`{server}` refused the request (status {status}){}", after(said))
            }
            Trouble::Network { what, said } => match what {
                Network::NoHost => write!(f, "cannot find `{server}` at {place}{}", after(said)),
                Network::Refused => write!(f, "nothing listens for `{server}` at {place}"),
                Network::TimedOut => write!(f, "`{server}` at {place} did not answer in time"),
                Network::Tls => {
                    write!(f, "no secure connection to `{server}` at {place}{}", after(said))
                }
                Network::Other => write!(f, "cannot reach `{server}` at {place}{}", after(said)),
            },
            Trouble::Slow { limit } => {
                write!(f, "`{server}` said nothing for {} s", limit.as_secs_f32())
            }
            Trouble::Cut { said } => write!(f, "the answer of `{server}` broke off{}", after(said)),
            Trouble::TooBig { most } => {
                write!(f, "the answer of `{server}` is larger than {most} bytes")
            }
            Trouble::Malformed { said } => {
                write!(f, "the answer of `{server}` cannot be understood{}", after(said))
            }
        }
    }
}

/// What was said, behind a colon, if anything was.
fn after(said: &str) -> String {
    match said {
        "" => String::new(),
        said => format!(": {said}"),
    }
}

impl Trouble {
    /// Whether a request may have been refused for its pictures. No two servers say that alike.
    pub(crate) fn may_be_of_pictures(&self) -> bool {
        match self {
            Trouble::Refused { .. } | Trouble::TooLong { .. } => true,
            Trouble::NoModel { said } | Trouble::Overload { said, .. } => {
                let said = said.to_ascii_lowercase();
                ["image", "vision", "multimodal"].iter().any(|word| said.contains(word))
            }
            _ => false,
        }
    }

    fn redacted(mut self, endpoint: &Endpoint) -> Trouble {
        match &mut self {
            Trouble::WrongKey { said }
            | Trouble::NoModel { said }
            | Trouble::TooLong { said, .. }
            | Trouble::RateLimit { said, .. }
            | Trouble::Overload { said, .. }
            | Trouble::NoMoney { said }
            | Trouble::Refused { said, .. }
            | Trouble::Network { said, .. }
            | Trouble::Cut { said }
            | Trouble::Malformed { said } => *said = endpoint.redact(said),
            Trouble::Setting { what: Setting::Header(name) } => *name = endpoint.redact(name),
            Trouble::NoKey
            | Trouble::Setting { .. }
            | Trouble::Slow { .. }
            | Trouble::TooBig { .. } => {}
        }
        self
    }
}
