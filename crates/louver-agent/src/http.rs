//! Sends requests, reads answers, tries again: the one file that talks to a model.
//!
//! A client is made when it is first needed. One for this machine has no TLS roots and no proxy to
//! look up; loading the system's certificates would cost more than the whole rest of a turn.

use std::collections::HashMap;
use std::error::Error as _;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use secrecy::ExposeSecret;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::provider::error::sort;
use crate::provider::wait::{Next, Patience, told};
use crate::provider::{
    Ask, AskError, Endpoint, Network, PROVIDERS, Provider, Quirks, Reader, Request, Setting,
    Trouble, embeddings, models_request, request,
};
use crate::reply::{Delta, Reply};
use crate::sse::Events;

/// Who hears an answer as it comes in.
pub type Listener<'a> = &'a mut (dyn FnMut(Delta) + Send);

/// Sends requests to models. Cheap to clone; clones share connections and what was learned.
#[derive(Debug, Clone, Default)]
pub struct Sender {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    clients: Mutex<HashMap<Kind, Client>>,
    /// What servers refused, by their address and the model.
    learned: Mutex<HashMap<(String, String), Quirks>>,
}

/// What a client is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    loopback: bool,
    connect: Duration,
}

/// The most bytes of an error that are read.
const MOST_OF_ERROR: usize = 64 << 10;
/// The most bytes of a list of models. OpenRouter's has about a megabyte.
const MOST_OF_LIST: usize = 16 << 20;
/// The most bytes of vectors. A batch of long ones has some three megabytes.
const MOST_OF_VECTORS: usize = 64 << 20;
/// How long an error may take to be told.
const ERROR_TIME: Duration = Duration::from_secs(10);
/// How long the end of a finished answer is waited for, so that its connection can be used again.
const TAIL: Duration = Duration::from_millis(50);
/// How long a list of models may take.
const LIST_TIME: Duration = Duration::from_secs(20);
/// How long a server on this machine may take to say that it is there.
const PROBE_TIME: Duration = Duration::from_millis(700);
/// How often a refusal may teach something within one ask.
const MOST_LESSONS: u32 = 4;

impl Sender {
    /// A sender that has no connections yet.
    pub fn new() -> Sender {
        Sender::default()
    }

    /// Asks a model, and again where that may help. Dropping the future stops it.
    pub async fn ask(
        &self,
        endpoint: &Endpoint,
        ask: &Ask<'_>,
        on: Listener<'_>,
    ) -> Result<Reply, AskError> {
        let fail = |trouble| AskError::new(endpoint, ask.model, trouble);
        if endpoint.lacks_key() {
            return Err(fail(Trouble::NoKey));
        }
        let mut endpoint = endpoint.clone();
        self.recall(&mut endpoint, ask.model);
        let mut patience = Patience::new(ask.tries);
        let mut lessons = 0;
        loop {
            let mut heard = false;
            let mut hear = |delta| {
                heard = true;
                on(delta);
            };
            let trouble = match self.once(&endpoint, ask, &mut hear).await {
                Ok(reply) => return Ok(reply),
                Err(trouble) => trouble,
            };
            if lessons < MOST_LESSONS && self.learn(&mut endpoint, ask.model, &trouble) {
                lessons += 1;
                continue;
            }
            let error = AskError::new(&endpoint, ask.model, trouble);
            let Next::Again(wait) = patience.after(&error.trouble, heard, fastrand::f64()) else {
                return Err(error);
            };
            if heard {
                on(Delta::Again { why: error.to_string() });
            }
            if wait >= Duration::from_secs(1) {
                on(Delta::Waiting { seconds: wait.as_secs(), why: error.to_string() });
            }
            sleep(wait).await;
        }
    }

    /// What a sentence model makes of texts: a vector for each, in their order. It is asked once, and
    /// may take as long as `limit`.
    pub async fn embed(
        &self,
        endpoint: &Endpoint,
        model: &str,
        texts: &[&str],
        limit: Duration,
    ) -> Result<Vec<Vec<f32>>, AskError> {
        let fail = |trouble| AskError::new(endpoint, model, trouble);
        if endpoint.lacks_key() {
            return Err(fail(Trouble::NoKey));
        }
        let asked = async {
            let request = embeddings::request(endpoint, model, texts);
            let mut response = good(self.send(endpoint, request, Method::Post).await?).await?;
            let body = read(&mut response, limit, MOST_OF_VECTORS).await?;
            embeddings::read(&body, texts.len())
        };
        timeout(limit, asked).await.unwrap_or(Err(Trouble::Slow { limit })).map_err(fail)
    }

    /// The models that a server has.
    pub async fn models(&self, endpoint: &Endpoint) -> Result<Vec<String>, AskError> {
        let fail = |trouble| AskError::new(endpoint, "", trouble);
        if endpoint.lacks_key() {
            return Err(fail(Trouble::NoKey));
        }
        let listed = timeout(LIST_TIME, self.list(endpoint)).await;
        listed.unwrap_or(Err(Trouble::Slow { limit: LIST_TIME })).map_err(fail)
    }

    /// The models of a server on this machine, or nothing if none answers at once.
    pub async fn probe(&self, endpoint: &Endpoint) -> Option<Vec<String>> {
        timeout(PROBE_TIME, self.list(endpoint)).await.ok()?.ok()
    }

    /// The known servers that run on this machine, and their models.
    pub async fn find_local(&self) -> Vec<(&'static Provider, Vec<String>)> {
        let mut found = Vec::new();
        for provider in PROVIDERS.iter().filter(|provider| provider.local) {
            if let Some(models) = self.probe(&provider.endpoint(None)).await {
                found.push((provider, models));
            }
        }
        found
    }

    /// One request and its answer.
    async fn once(
        &self,
        endpoint: &Endpoint,
        ask: &Ask<'_>,
        on: Listener<'_>,
    ) -> Result<Reply, Trouble> {
        let response = self.send(endpoint, request(endpoint, ask), Method::Post).await?;
        let response = good(response).await?;
        let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        // A proxy or a sign-in page answers well, and nothing that could be read.
        if kind.is_some_and(|kind| kind.starts_with("text/html")) {
            let said = "it is a page of HTML; is the address right?".to_owned();
            return Err(Trouble::Malformed { said });
        }
        // Some servers answer whole although a stream was asked for.
        match ask.stream && !kind.is_some_and(|kind| kind.starts_with("application/json")) {
            true => stream(endpoint, response, on).await,
            false => whole(endpoint, Vec::new(), response, on).await,
        }
    }

    async fn list(&self, endpoint: &Endpoint) -> Result<Vec<String>, Trouble> {
        let response = self.send(endpoint, models_request(endpoint), Method::Get).await?;
        let mut response = good(response).await?;
        let body = read(&mut response, endpoint.limits.silence, MOST_OF_LIST).await?;
        let value: Value = serde_json::from_slice(&body)
            .map_err(|error| Trouble::Malformed { said: error.to_string() })?;
        let Some(list) = value.get("data").or(value.get("models")).and_then(Value::as_array) else {
            return Err(Trouble::Malformed { said: "it is no list of models".to_owned() });
        };
        let name = |model: &Value| {
            let name = model.get("id").or(model.get("name")).and_then(Value::as_str)?;
            Some(name.strip_prefix("models/").unwrap_or(name).to_owned())
        };
        Ok(list.iter().filter_map(name).collect())
    }

    async fn send(
        &self,
        endpoint: &Endpoint,
        request: Request,
        method: Method,
    ) -> Result<Response, Trouble> {
        if !endpoint.has_address() {
            return Err(Trouble::Setting { what: Setting::Address });
        }
        let client = self.client(endpoint)?;
        let builder = match method {
            Method::Get => client.get(&request.url),
            Method::Post => client.post(&request.url).body(request.body),
        };
        let builder = builder.headers(headers(&request.headers)?);
        let again = builder.try_clone();
        let sent = async {
            match (builder.send().await, again) {
                (Err(error), Some(again)) if is_stale(&error) => again.send().await,
                (sent, _) => sent,
            }
        };
        match timeout(endpoint.limits.first, sent).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(network(error)),
            Err(_) => Err(Trouble::Slow { limit: endpoint.limits.first }),
        }
    }

    /// The client for an endpoint, made when it is first needed.
    fn client(&self, endpoint: &Endpoint) -> Result<Client, Trouble> {
        let loopback = endpoint.is_loopback() && endpoint.base.starts_with("http:");
        let kind = Kind { loopback, connect: endpoint.limits.connect };
        let mut clients = self.shared.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&kind) {
            return Ok(client.clone());
        }
        let client = build(kind).map_err(network)?;
        clients.insert(kind, client.clone());
        Ok(client)
    }

    fn recall(&self, endpoint: &mut Endpoint, model: &str) {
        let learned = self.shared.learned.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(quirks) = learned.get(&(endpoint.base.clone(), model.to_owned())) {
            endpoint.quirks = *quirks;
        }
    }

    /// Learns from a refusal what to leave out; says whether there was something to learn.
    fn learn(&self, endpoint: &mut Endpoint, model: &str, trouble: &Trouble) -> bool {
        let Trouble::Refused { said, .. } = trouble else { return false };
        let Some(quirks) = endpoint.quirks.after(endpoint.wire, said) else { return false };
        endpoint.quirks = quirks;
        let mut learned = self.shared.learned.lock().unwrap_or_else(PoisonError::into_inner);
        learned.insert((endpoint.base.clone(), model.to_owned()), quirks);
        true
    }
}

#[derive(Debug, Clone, Copy)]
enum Method {
    Get,
    Post,
}

/// Makes `rustls` use `ring`, once for the process. Whoever builds a client for https needs it.
pub fn install_tls() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error says that someone else installed one first, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

fn build(kind: Kind) -> Result<Client, reqwest::Error> {
    let builder = Client::builder()
        .user_agent(concat!("louver/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(kind.connect)
        // A model may think for minutes before its first byte, and routers forget silent connections.
        .tcp_keepalive(Duration::from_secs(30))
        // A compressed stream comes in lumps.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        // A redirect would carry the key to another host.
        .redirect(reqwest::redirect::Policy::none());
    install_tls();
    match kind.loopback {
        true => builder.no_proxy().tls_backend_preconfigured(no_roots()).build(),
        false => builder.build(),
    }
}

/// A TLS that trusts nobody, for clients that never use it: making it reads no certificates.
fn no_roots() -> rustls::ClientConfig {
    let roots = rustls::RootCertStore::empty();
    rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth()
}

fn headers(headers: &[(String, secrecy::SecretString)]) -> Result<HeaderMap, Trouble> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let of_key = ["authorization", "x-api-key"].contains(&name.as_str());
        let bad = || Trouble::Setting {
            what: if of_key { Setting::Key } else { Setting::Header(name.clone()) },
        };
        let header = HeaderName::try_from(name.as_str()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_str(value.expose_secret()).map_err(|_| bad())?;
        value.set_sensitive(true);
        map.insert(header, value);
    }
    Ok(map)
}

/// The response, if it is an answer; else what is wrong.
async fn good(mut response: Response) -> Result<Response, Trouble> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let headers = response.headers().clone();
    let mut body = Vec::new();
    // What came in time is enough to say what is wrong.
    let _ = timeout(ERROR_TIME, gather(&mut response, &mut body, MOST_OF_ERROR)).await;
    let mut body = String::from_utf8_lossy(&body).into_owned();
    if status.is_redirection() {
        let to = headers.get("location").and_then(|to| to.to_str().ok()).unwrap_or("somewhere");
        body =
            format!("the server sends us on to {to}, which is not followed; is the address right?");
    }
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let wait = told(header, &body, Timestamp::now());
    if body.trim().is_empty() {
        body = status.canonical_reason().unwrap_or_default().to_owned();
    }
    Err(sort(status.as_u16(), &body, wait))
}

async fn stream(
    endpoint: &Endpoint,
    mut response: Response,
    on: Listener<'_>,
) -> Result<Reply, Trouble> {
    let limits = endpoint.limits;
    let mut events = Events::new(limits.answer);
    let mut reader = Reader::new(endpoint.wire);
    let mut size = 0;
    while let Some(bytes) = chunk(&mut response, limits.silence).await? {
        // An answer that came whole, and does not say so.
        if size == 0 && bytes.trim_ascii_start().starts_with(b"{") {
            return whole(endpoint, bytes, response, on).await;
        }
        size += bytes.len();
        if size > limits.answer {
            return Err(Trouble::TooBig { most: limits.answer });
        }
        let read = events.push(&bytes).map_err(|_| Trouble::TooBig { most: limits.answer })?;
        for event in &read {
            let heard = reader.event(event).map_err(|fault| fault.trouble())?;
            heard.into_iter().for_each(&mut *on);
        }
        if reader.is_done() {
            // Read to its end, a connection can be used again.
            let _ =
                timeout(TAIL, async { while let Ok(Some(_)) = response.chunk().await {} }).await;
            break;
        }
    }
    if let Some(last) = events.finish() {
        // Half an event at the end of a cut stream is no event.
        let heard = reader.event(&last).unwrap_or_default();
        heard.into_iter().for_each(&mut *on);
    }
    reader.finish().map_err(|fault| fault.trouble())
}

async fn whole(
    endpoint: &Endpoint,
    mut body: Vec<u8>,
    mut response: Response,
    on: Listener<'_>,
) -> Result<Reply, Trouble> {
    body.extend(read(&mut response, endpoint.limits.first, endpoint.limits.answer).await?);
    let (heard, reply) = Reader::whole(endpoint.wire, &body).map_err(|fault| fault.trouble())?;
    heard.into_iter().for_each(&mut *on);
    Ok(reply)
}

/// The next bytes, or nothing at the end.
async fn chunk(response: &mut Response, limit: Duration) -> Result<Option<Vec<u8>>, Trouble> {
    match timeout(limit, response.chunk()).await {
        Ok(Ok(bytes)) => Ok(bytes.map(Vec::from)),
        // What the layers below say of it ("unexpected EOF during chunk size line") helps nobody.
        Ok(Err(_)) => Err(Trouble::Cut { said: "the connection was lost".to_owned() }),
        Err(_) => Err(Trouble::Slow { limit }),
    }
}

/// A whole body.
async fn read(response: &mut Response, limit: Duration, most: usize) -> Result<Vec<u8>, Trouble> {
    let mut body = Vec::new();
    while let Some(bytes) = chunk(response, limit).await? {
        if body.len() + bytes.len() > most {
            return Err(Trouble::TooBig { most });
        }
        body.extend(bytes);
    }
    Ok(body)
}

/// As much of a body as has room.
async fn gather(response: &mut Response, body: &mut Vec<u8>, most: usize) {
    while let (Ok(Some(bytes)), true) = (response.chunk().await, body.len() < most) {
        body.extend(bytes.iter().take(most - body.len()));
    }
}

/// Whether a connection was lost before an answer began. Most often it is one that was kept from
/// the last request and that the server has closed since; a new one is tried at once.
fn is_stale(error: &reqwest::Error) -> bool {
    error.is_request() && !error.is_connect() && !error.is_timeout()
}

/// Why a request was not answered at all.
fn network(error: reqwest::Error) -> Trouble {
    let timed_out = error.is_timeout();
    let built = error.is_builder();
    let error = error.without_url();
    let said = words(&error);
    let lower = said.to_ascii_lowercase();
    let what = match io_kind(&error) {
        // Headers are made before, so that nothing but the address can be wrong.
        _ if built => return Trouble::Setting { what: Setting::Address },
        Some(std::io::ErrorKind::ConnectionRefused) => Network::Refused,
        _ if timed_out => Network::TimedOut,
        _ if lower.contains("dns") => Network::NoHost,
        _ if lower.contains("certificate") || lower.contains("tls") => Network::Tls,
        _ => Network::Other,
    };
    Trouble::Network { what, said }
}

fn io_kind(error: &reqwest::Error) -> Option<std::io::ErrorKind> {
    let mut source = error.source();
    while let Some(error) = source {
        if let Some(io) = error.downcast_ref::<std::io::Error>() {
            return Some(io.kind());
        }
        source = error.source();
    }
    None
}

/// An error and what is behind it, in a line.
fn words(error: &reqwest::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let next = error.to_string();
        if !words.ends_with(&next) {
            words = format!("{words}: {next}");
        }
        source = error.source();
    }
    words
}
