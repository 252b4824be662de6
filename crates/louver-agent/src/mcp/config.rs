//! What `louver.toml` says of one server, and what is made of it.
//!
//! Values of `env` and `headers` may name variables of louver's own environment, so that a secret
//! need not stand in the file. What looks like a secret is taken out of everything the server
//! says: servers print their environment into errors more often than one would think.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Deserialize;

/// One server of `louver.toml`, as written: `[mcp.NAME]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerConfig {
    /// The program and its arguments, for a server that speaks over its standard streams.
    #[serde(default)]
    pub command: Vec<String>,
    /// What the program finds in its environment, besides the few variables every program needs.
    #[serde(default)]
    pub env: BTreeMap<String, Hidden>,
    /// The address, for a server that speaks streamable HTTP.
    pub url: Option<String>,
    /// What is sent along with every request to that address.
    #[serde(default)]
    pub headers: BTreeMap<String, Hidden>,
    /// How many seconds a call may take: 30 when nothing is said.
    pub timeout: Option<f64>,
    /// How many seconds the start may take: 10 when nothing is said.
    pub start: Option<f64>,
    /// The only tools to take, by the names the server gives them. All when nothing is said.
    pub tools: Option<Vec<String>>,
}

impl ServerConfig {
    /// What stands in the file itself and looks like a secret: `headers.Authorization`, `env.TOKEN`.
    pub fn literal_secrets(&self) -> impl Iterator<Item = String> {
        let literal = |table: &'static str| {
            move |(name, Hidden(value)): (&String, &Hidden)| {
                let literal = !value.is_empty() && next_variable(value).is_none();
                (literal && looks_secret(name)).then(|| format!("{table}.{name}"))
            }
        };
        let headers = self.headers.iter().filter_map(literal("headers"));
        headers.chain(self.env.iter().filter_map(literal("env")))
    }
}

/// A value that is not shown when the thing around it is.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Hidden(String);

impl From<&str> for Hidden {
    fn from(value: &str) -> Hidden {
        Hidden(value.to_owned())
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// Why what is written about a server cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadConfig {
    /// There is nothing to connect to.
    #[error("it has neither `command` nor `url`")]
    Nothing,
    /// There are two things to connect to.
    #[error("it has both `command` and `url`")]
    Both,
    /// The address is none.
    #[error("`url` is not an http or https address")]
    Url,
    /// A header cannot be sent.
    #[error("`headers` has `{0}`, which cannot be sent as a header")]
    Header(String),
    /// A variable cannot be set.
    #[error("`env` has `{0}`, which cannot be set as a variable")]
    Variable(String),
    /// A variable that is named is not there.
    #[error("the environment variable `{0}` is not set")]
    Unset(String),
    /// A time that is none.
    #[error("`{0}` is not a number of seconds above 0")]
    Seconds(&'static str),
}

impl BadConfig {
    /// What would mend it.
    pub fn hint(&self) -> String {
        match self {
            BadConfig::Nothing | BadConfig::Both => {
                "give either command = [\"PROGRAM\", …] or url = \"https://…\"".into()
            }
            BadConfig::Url => "write it as https://HOST/PATH".into(),
            BadConfig::Header(_) | BadConfig::Variable(_) => "take it out, or mend its name".into(),
            BadConfig::Unset(name) => format!("export {name}=…"),
            BadConfig::Seconds(name) => format!("{name} = 30"),
        }
    }
}

/// How to reach a server, with every variable put in.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) reach: Reach,
    /// For one call.
    pub(super) timeout: Duration,
    /// For the start.
    pub(super) start: Duration,
    pub(super) only: Option<Vec<String>>,
    pub(super) secrets: Secrets,
}

#[derive(Clone)]
pub(super) enum Reach {
    Program { program: String, arguments: Vec<String>, env: Vec<(String, String)> },
    Address { url: url::Url, headers: Vec<(String, String)> },
}

/// The longest that a call or a start may be allowed to take: a day.
const LONGEST: f64 = 86_400.0;

impl Plan {
    pub(super) fn of(config: &ServerConfig, variable: &Variables<'_>) -> Result<Plan, BadConfig> {
        let mut secrets = Secrets::default();
        let reach = match (config.command.split_first(), &config.url) {
            (None, None) => return Err(BadConfig::Nothing),
            (Some(_), Some(_)) => return Err(BadConfig::Both),
            (Some((program, arguments)), None) => Reach::Program {
                program: program.clone(),
                arguments: arguments.to_vec(),
                env: filled(&config.env, variable, &mut secrets, looks_secret)
                    .and_then(|env| env.into_iter().map(settable).collect())?,
            },
            (None, Some(url)) => Reach::Address {
                url: address(url, &mut secrets)?,
                headers: filled(&config.headers, variable, &mut secrets, |_| true)
                    .and_then(|headers| headers.into_iter().map(sendable).collect())?,
            },
        };
        Ok(Plan {
            reach,
            timeout: seconds("timeout", config.timeout, 30)?,
            start: seconds("start", config.start, 10)?,
            only: config.tools.clone(),
            secrets,
        })
    }
}

/// Looks a variable of louver's environment up.
pub(super) type Variables<'a> = dyn Fn(&str) -> Option<String> + 'a;

fn seconds(name: &'static str, given: Option<f64>, default: u64) -> Result<Duration, BadConfig> {
    match given {
        None => Ok(Duration::from_secs(default)),
        Some(seconds) if seconds > 0.0 && seconds <= LONGEST => {
            Duration::try_from_secs_f64(seconds).map_err(|_| BadConfig::Seconds(name))
        }
        Some(_) => Err(BadConfig::Seconds(name)),
    }
}

fn address(url: &str, secrets: &mut Secrets) -> Result<url::Url, BadConfig> {
    let url = url::Url::parse(url).map_err(|_| BadConfig::Url)?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(BadConfig::Url);
    }
    // Some servers take their key in the address.
    secrets.add(url.password().unwrap_or_default());
    for (name, value) in url.query_pairs() {
        if looks_secret(&name) {
            secrets.add(&value);
        }
    }
    Ok(url)
}

fn settable((name, value): (String, String)) -> Result<(String, String), BadConfig> {
    match name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
        true => Err(BadConfig::Variable(name)),
        false => Ok((name, value)),
    }
}

/// Headers that the protocol itself sets.
const TAKEN: &[&str] =
    &["accept", "content-type", "content-length", "host", "mcp-session-id", "last-event-id"];

fn sendable((name, value): (String, String)) -> Result<(String, String), BadConfig> {
    let parsed = reqwest::header::HeaderName::from_bytes(name.as_bytes());
    let taken = TAKEN.iter().any(|taken| name.eq_ignore_ascii_case(taken));
    match parsed.is_err() || taken || reqwest::header::HeaderValue::from_str(&value).is_err() {
        true => Err(BadConfig::Header(name)),
        false => Ok((name, value)),
    }
}

/// The values with their variables put in. What is secret among them is remembered.
fn filled(
    values: &BTreeMap<String, Hidden>,
    variable: &Variables<'_>,
    secrets: &mut Secrets,
    secret: fn(&str) -> bool,
) -> Result<Vec<(String, String)>, BadConfig> {
    let mut filled = Vec::with_capacity(values.len());
    for (name, Hidden(value)) in values {
        let mut whole = String::new();
        let mut rest = value.as_str();
        while let Some((before, named, after)) = next_variable(rest) {
            let value = variable(named).ok_or_else(|| BadConfig::Unset(named.to_owned()))?;
            if secret(name) || looks_secret(named) {
                secrets.add(&value);
            }
            whole.push_str(before);
            whole.push_str(&value);
            rest = after;
        }
        whole.push_str(rest);
        if secret(name) {
            secrets.add(&whole);
            // `Bearer abc`: the second word is what must not be seen, whatever is around it.
            whole.split_whitespace().for_each(|word| secrets.add(word));
        }
        filled.push((name.clone(), whole));
    }
    Ok(filled)
}

/// The text before the next `${NAME}`, that name, and the text after it.
fn next_variable(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("${").map(|at| from + at) {
        let inside = &text[at + 2..];
        if let Some(end) = inside.find('}').filter(|&end| is_name(&inside[..end])) {
            return Some((&text[..at], &inside[..end], &inside[end + 1..]));
        }
        from = at + 2;
    }
    None
}

fn is_name(name: &str) -> bool {
    let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
    name.starts_with(starts) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a variable of this name usually holds something that nobody should see.
pub fn looks_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let words = ["KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CRED", "COOKIE", "PRIVATE", "_PAT"];
    words.iter().any(|word| name.contains(word))
}

/// What must not be seen in anything a server says.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<String>);

/// A shorter value is no secret, and would be found inside ordinary words.
const SHORTEST_SECRET: usize = 8;

impl Secrets {
    fn add(&mut self, value: &str) {
        if value.len() >= SHORTEST_SECRET && !self.0.iter().any(|known| known == value) {
            self.0.push(value.to_owned());
            // The longest first: a secret may be part of another.
            self.0.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        }
    }

    /// The text without them.
    pub(super) fn hide(&self, text: String) -> String {
        self.0.iter().fold(text, |text, secret| match text.contains(secret.as_str()) {
            true => text.replace(secret.as_str(), "[secret]"),
            false => text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str) -> Option<String> {
        match name {
            "GITHUB_TOKEN" => Some("ghp_0123456789".into()),
            "HOME" => Some("/home/anna".into()),
            _ => None,
        }
    }

    fn plan(json: serde_json::Value) -> Result<Plan, BadConfig> {
        Plan::of(&serde_json::from_value(json).unwrap(), &variable)
    }

    fn wrong(json: serde_json::Value) -> BadConfig {
        plan(json).err().unwrap()
    }

    #[test]
    fn variables_are_put_in_and_their_secrets_hidden() {
        let plan = plan(serde_json::json!({
            "command": ["server"],
            "env": {"TOKEN": "x-${GITHUB_TOKEN}-y", "ROOT": "${HOME}/notes", "PLAIN": "${a b} $HOME ${"},
        }))
        .unwrap();
        let Reach::Program { env, .. } = &plan.reach else { panic!("it is a program") };
        let expected = [
            ("PLAIN", "${a b} $HOME ${"),
            ("ROOT", "/home/anna/notes"),
            ("TOKEN", "x-ghp_0123456789-y"),
        ];
        assert_eq!(*env, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let said = "token ghp_0123456789, whole x-ghp_0123456789-y, home /home/anna".to_owned();
        assert_eq!(plan.secrets.hide(said), "token [secret], whole [secret], home /home/anna");
    }

    #[test]
    fn every_header_is_a_secret_and_so_is_a_key_in_the_address() {
        let plan = plan(serde_json::json!({
            "url": "https://example.org/mcp?api_key=0123456789&page=abcdefghij",
            "headers": {"X-Any": "Bearer klmnopqr"},
        }))
        .unwrap();
        let said = "0123456789 abcdefghij klmnopqr Bearer klmnopqr".to_owned();
        assert_eq!(plan.secrets.hide(said), "[secret] abcdefghij [secret] [secret]");
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        use serde_json::json;
        assert_eq!(wrong(json!({})), BadConfig::Nothing);
        assert_eq!(wrong(json!({"command": ["a"], "url": "http://b"})), BadConfig::Both);
        for url in ["ftp://a/b", "example.org", "http://"] {
            assert_eq!(wrong(json!({"url": url})), BadConfig::Url, "{url}");
        }
        let unset = wrong(json!({"command": ["a"], "env": {"A": "${NOT_THERE}"}}));
        assert_eq!(unset, BadConfig::Unset("NOT_THERE".into()));
        assert_eq!(unset.to_string(), "the environment variable `NOT_THERE` is not set");
        let header = |name: &str| json!({"url": "http://b", "headers": {name: "v"}});
        assert_eq!(wrong(header("a b")), BadConfig::Header("a b".into()));
        assert_eq!(wrong(header("Mcp-Session-Id")), BadConfig::Header("Mcp-Session-Id".into()));
        let named = |name: &str| json!({"command": ["a"], "env": {name: "v"}});
        assert_eq!(wrong(named("a=b")), BadConfig::Variable("a=b".into()));
        assert_eq!(wrong(json!({"command": ["a"], "timeout": 0})), BadConfig::Seconds("timeout"));
        assert_eq!(wrong(json!({"command": ["a"], "start": -1})), BadConfig::Seconds("start"));
        assert_eq!(wrong(json!({"command": ["a"], "start": 1e300})), BadConfig::Seconds("start"));
    }

    #[test]
    fn a_config_does_not_show_its_values() {
        let config: ServerConfig = serde_json::from_value(serde_json::json!({
            "url": "https://example.org/mcp",
            "headers": {"Authorization": "Bearer 0123456789"},
        }))
        .unwrap();
        let shown = format!("{config:?}");
        assert!(shown.contains("Authorization") && !shown.contains("0123456789"), "{shown}");
    }
}
