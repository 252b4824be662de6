//! Searches the web with the engine that the owner chose.

use std::time::Duration;

use louver_context::snapshot::ToolSchema;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response};
use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use url::Url;

use super::{Desk, Output, Running, Tool, arguments, schema};
use crate::web::engines::{ENGINES, Engine, Hit, Question, Request, SearchSettings, engine};
use crate::web::{USER_AGENT, prepare_tls, start_of};

/// Seconds a search may take.
const TIME: Duration = Duration::from_secs(20);

/// Bytes of an engine's answer that are read.
const SIZE: usize = 1 << 20;

/// Results that are given unless asked otherwise, and at most.
const USUAL: usize = 5;
const MOST: usize = 20;

/// Bytes of a result's snippet that are shown.
const SNIPPET: usize = 400;

/// Searches the web.
#[derive(Debug, Clone)]
pub struct WebSearch {
    engine: &'static Engine,
    url: Url,
    key: Option<SecretString>,
    /// Made when first used: it reads the machine's certificates.
    client: OnceCell<Client>,
}

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    query: String,
    /// Results, 1 to 20.
    count: Option<usize>,
}

/// Settings of a search engine that do not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadEngine {
    /// Nobody knows it.
    #[error("there is no search engine `{0}`; there are {names}", names = names())]
    Unknown(String),
    /// It is one's own, and nobody said where.
    #[error("the search engine `{0}` needs `url` in [tools.search]: where yours is")]
    NoUrl(&'static str),
    /// It is not on the web.
    #[error("the `url` in [tools.search] is not an http or https URL")]
    BadUrl,
    /// It wants a key.
    #[error("the search engine `{engine}` needs a key; set {variable}, or `key` in [tools.search]")]
    NoKey {
        /// The engine.
        engine: &'static str,
        /// The variable that may hold the key.
        variable: String,
    },
}

fn names() -> String {
    ENGINES.iter().map(|engine| format!("`{}`", engine.name)).collect::<Vec<_>>().join(", ")
}

impl WebSearch {
    /// The tool for the engine in the settings; none when there is none. `variable` reads the
    /// environment.
    pub fn new(
        settings: &SearchSettings,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<WebSearch>, BadEngine> {
        let Some(name) = &settings.engine else { return Ok(None) };
        let engine = engine(name).ok_or_else(|| BadEngine::Unknown(name.clone()))?;
        let url = settings.url.as_deref().or(engine.url).ok_or(BadEngine::NoUrl(engine.name))?;
        let url = Url::parse(url).map_err(|_| BadEngine::BadUrl)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadEngine::BadUrl);
        }
        let place = settings.key_env.as_deref().or(engine.key_env);
        let from_variable =
            || variable(place?).filter(|key| !key.is_empty()).map(SecretString::from);
        let key = settings.key.clone().or_else(from_variable);
        match (key, engine.key_env) {
            (None, Some(usual)) => {
                let variable = place.unwrap_or(usual).to_owned();
                Err(BadEngine::NoKey { engine: engine.name, variable })
            }
            (key, _) => Ok(Some(WebSearch { engine, url, key, client: OnceCell::new() })),
        }
    }

    async fn search(&self, arguments: Arguments) -> Output {
        let query = arguments.query.trim();
        if query.is_empty() {
            return Output::failed("the query is empty; say what to search for");
        }
        let count = arguments.count.unwrap_or(USUAL).clamp(1, MOST);
        let question = Question { query: start_of(query, 400), count };
        match timeout(TIME, self.ask(&question)).await {
            Ok(Ok(hits)) => self.shown(&question, hits),
            Ok(Err(words)) => Output::failed(words),
            Err(_) => Output::failed(format!(
                "{} did not answer within {} seconds; try again",
                self.engine.name,
                TIME.as_secs()
            )),
        }
    }

    /// Asks the engine, or says in words why there is no answer.
    async fn ask(&self, question: &Question<'_>) -> Result<Vec<Hit>, String> {
        let name = self.engine.name;
        let request = (self.engine.request)(&self.url, question, self.key.as_ref());
        let client = self.client.get_or_try_init(|| async { client() }).await?;
        let request = prepared(client, request).ok_or_else(|| {
            format!("the key for {name} has characters that no key has: tell the owner")
        })?;
        // An error of the client may have the URL in it, and a URL of one's own its password.
        let unreached = |_| format!("{name} cannot be reached; try again later, or tell the owner");
        let mut response = request.send().await.map_err(unreached)?;
        if !response.status().is_success() {
            return Err(refusal(name, response.status().as_u16()));
        }
        let answer = read(&mut response).await.map_err(unreached)?;
        let answer: Option<Value> = serde_json::from_slice(&answer).ok();
        let hits = answer.and_then(|answer| self.engine.results.read(&answer));
        hits.ok_or_else(|| format!("what {name} answered cannot be read; tell the owner"))
    }

    fn shown(&self, question: &Question<'_>, hits: Vec<Hit>) -> Output {
        let hits = &hits[..hits.len().min(question.count)];
        let name = self.engine.name;
        if hits.is_empty() {
            return Output::said(format!("{name} found nothing; try other or fewer words"));
        }
        let shown = hits.iter().enumerate().map(|(at, hit)| {
            let snippet = start_of(&hit.snippet, SNIPPET);
            format!("{}. {}\n   {}\n   {snippet}\n", at + 1, start_of(&hit.title, 200), hit.url)
        });
        let few = format!("{} results from {name}; web_fetch reads one", hits.len());
        Output::said(few).with(shown.collect::<String>())
    }
}

impl Tool for WebSearch {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>("web_search", "Search the web: titles, addresses and snippets.")
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, given: Value, _: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            match arguments(given) {
                Ok(given) => self.search(given).await,
                Err(wrong) => wrong,
            }
        })
    }
}

fn client() -> Result<Client, String> {
    prepare_tls();
    // A redirect would take the key along to where nobody meant it to go.
    let builder =
        Client::builder().user_agent(USER_AGENT).redirect(reqwest::redirect::Policy::none());
    builder.build().map_err(|_| "a secure connection cannot be made on this machine".to_owned())
}

/// A request for the client; none when the key cannot stand in a header.
fn prepared(client: &Client, request: Request) -> Option<RequestBuilder> {
    let builder = match request.body {
        Some(body) => {
            client.post(request.url).header(CONTENT_TYPE, "application/json").body(body.to_string())
        }
        None => client.get(request.url),
    };
    let builder = builder.header(ACCEPT, "application/json");
    let Some((name, key)) = request.key else { return Some(builder) };
    let mut key = HeaderValue::from_str(key.expose_secret()).ok()?;
    key.set_sensitive(true);
    Some(builder.header(HeaderName::from_static(name), key))
}

async fn read(response: &mut Response) -> reqwest::Result<Vec<u8>> {
    let mut answer = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        answer.extend_from_slice(&chunk);
        // What is longer cannot be read as JSON when it is cut, which is what it deserves.
        if answer.len() > SIZE {
            break;
        }
    }
    Ok(answer)
}

fn refusal(name: &str, status: u16) -> String {
    match status {
        401 | 403 if name == "searxng" => format!(
            "{name} refuses ({status}): tell the owner that it needs `json` in `search.formats` of its settings"
        ),
        401 | 403 => format!("{name} refuses the key ({status}): tell the owner"),
        402 | 429 | 432 | 433 => format!("{name} was asked too often ({status}); try later"),
        300..=399 => {
            format!("{name} is somewhere else ({status}): tell the owner to look at `url`")
        }
        _ => format!("{name} answered {status}; try again, or with other words"),
    }
}
