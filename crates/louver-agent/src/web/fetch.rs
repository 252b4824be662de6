//! Gets one page, wherever its redirects lead, within bounds.
//!
//! The client dials nothing but the addresses that were checked: each hop has a client of its own,
//! whose name server knows that one name. A name that stands for something else a moment later is
//! never asked again. A client for all hops would be quicker by the few milliseconds it takes to
//! make one, but its name server is not told the port, and what the owner allows has one.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use reqwest::{Client, Response, StatusCode};
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::address::{Reach, Refused, address_in};
use super::page::ContentType;
use super::{USER_AGENT, WebSettings, prepare_tls};

/// Redirects that are followed.
pub const HOPS: usize = 5;

/// The most bytes of headers that an HTTP/2 server may send; HTTP/1 has a bound of its own, 400 KiB.
const HEADERS: u32 = 64 << 10;

/// Finds the addresses of a name.
pub type Lookup = Arc<dyn Fn(String) -> LookingUp + Send + Sync>;

/// A look-up under way.
pub type LookingUp = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// What a fetch may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For one connection to come about.
    pub connect: Duration,
    /// For everything: names, redirects, the body.
    pub total: Duration,
    /// Bytes of the body, unpacked.
    pub size: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connect: Duration::from_secs(10), total: Duration::from_secs(30), size: 2 << 20 }
    }
}

/// What a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Where the redirects ended.
    pub url: Url,
    /// The status of the answer.
    pub status: StatusCode,
    /// What it says it is.
    pub content_type: ContentType,
    /// The bytes, unpacked. None are read of what cannot become text.
    pub body: Vec<u8>,
    /// How many bytes there are in all, when the server says.
    pub length: Option<u64>,
    /// Why there are no more.
    pub end: End,
}

/// Why there is no more of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// That was all.
    Whole,
    /// It reached the most that is read.
    Size,
    /// The time was over.
    Time,
    /// The connection broke, or what came was malformed.
    Broken,
    /// It was not read, since it is no text.
    Unread,
}

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
pub enum NotFetched {
    /// It may not be.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It sends on to what may not be.
    #[error("`{from}` sends on to another place, which is refused: {refused}")]
    Redirected {
        /// The host that does.
        from: String,
        /// What stands against it.
        refused: Refused,
    },
    /// It sends on and on.
    #[error("it sends on more than {HOPS} times; try another page")]
    Hops,
    /// Nobody has that name.
    #[error("no server has the name `{0}`; check how it is written, or search for the page")]
    NoSuchName(String),
    /// Nothing came in time.
    #[error("`{0}` did not answer within {1} seconds; try again later, or another page")]
    Time(String, u64),
    /// There is no connection to be had.
    #[error("no connection to `{0}` could be made; try again later, or another page")]
    Connect(String),
    /// What came back is not what the web speaks.
    #[error("what `{0}` answered cannot be read ({1}); try another page")]
    Answer(String, String),
    /// The machine lacks what a connection needs.
    #[error("a secure connection cannot be made on this machine: {0}")]
    Client(String),
}

/// Fetches pages.
#[derive(Clone)]
pub struct Fetcher {
    reach: Reach,
    limits: Limits,
    lookup: Lookup,
}

impl Fetcher {
    /// One that goes where the settings say and asks this machine's name server.
    pub fn new(settings: &WebSettings) -> Fetcher {
        let usual = Limits::default();
        let total = settings.timeout.map_or(usual.total, |of| Duration::from_secs(of.into()));
        let size = settings.size.unwrap_or(usual.size);
        Fetcher {
            reach: Reach::new(settings.allow.clone()),
            limits: Limits { total, size, ..usual },
            lookup: Arc::new(|name| Box::pin(system_lookup(name))),
        }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Fetcher {
        Fetcher { limits, ..self }
    }

    /// The same with another name server.
    #[must_use]
    pub fn with_lookup(self, lookup: Lookup) -> Fetcher {
        Fetcher { lookup, ..self }
    }

    /// Gets a page, its redirects followed.
    pub async fn get(&self, text: &str) -> Result<Fetched, NotFetched> {
        let deadline = Instant::now() + self.limits.total;
        let mut url = self.reach.url(text)?;
        let mut came_from = None;
        for _ in 0..=HOPS {
            let sent = self.send(&url, deadline).await;
            let response = sent.map_err(|error| redirected(error, came_from.take()))?;
            let Some(to) = sent_on_to(&response) else {
                return Ok(self.read(url, response, deadline).await);
            };
            let from = host(&url);
            url = match self.reach.redirect(&url, &to) {
                Ok(next) => next,
                Err(refused) => return Err(NotFetched::Redirected { from, refused }),
            };
            came_from = Some(from);
        }
        Err(NotFetched::Hops)
    }

    /// One request, to addresses that were checked, and its answer's head.
    async fn send(&self, url: &Url, deadline: Instant) -> Result<Response, NotFetched> {
        let late = || NotFetched::Time(host(url), self.limits.total.as_secs());
        let addresses = timeout_at(deadline, self.addresses(url)).await.map_err(|_| late())??;
        let request = self.client(url, addresses)?.get(url.clone()).header(
            ACCEPT,
            "text/html, text/markdown, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5",
        );
        let response = timeout_at(deadline, request.send()).await.map_err(|_| late())?;
        let response = response.map_err(|error| self.what_failed(url, &error))?;
        match response.headers().get(CONTENT_ENCODING) {
            Some(encoding) if encoding != "identity" && sent_on_to(&response).is_none() => {
                let wrong = "it is packed in a way that was not asked for";
                Err(NotFetched::Answer(host(url), wrong.into()))
            }
            _ => Ok(response),
        }
    }

    /// Where a host is, if every one of its addresses may be dialled. One that may not is enough
    /// to refuse all: a name with a public and a private address is a trick, or meant for a network
    /// that we are not to reach.
    async fn addresses(&self, url: &Url) -> Result<Vec<IpAddr>, NotFetched> {
        if let Some(address) = address_in(url) {
            self.reach.check(url, address)?;
            return Ok(vec![address]);
        }
        let no_name = || NotFetched::NoSuchName(host(url));
        let addresses = (self.lookup)(host(url)).await.map_err(|_| no_name())?;
        for address in &addresses {
            self.reach.check(url, *address)?;
        }
        if addresses.is_empty() { Err(no_name()) } else { Ok(addresses) }
    }

    /// A client that can reach one host, at these addresses.
    fn client(&self, url: &Url, addresses: Vec<IpAddr>) -> Result<Client, NotFetched> {
        prepare_tls();
        let builder = Client::builder()
            .user_agent(USER_AGENT)
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .connect_timeout(self.limits.connect)
            .pool_max_idle_per_host(0)
            .http2_max_header_list_size(HEADERS)
            .dns_resolver(Only { host: host(url), addresses });
        // Without TLS no roots are needed, which take a while to read and may be missing.
        let plain = url.scheme() == "http";
        let builder = if plain { builder.tls_certs_only([]) } else { builder.https_only(true) };
        builder.build().map_err(|error| NotFetched::Client(innermost(&error)))
    }

    /// Reads a body as far as its bounds go.
    async fn read(&self, url: Url, mut response: Response, deadline: Instant) -> Fetched {
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let content_type = ContentType::new(header(CONTENT_TYPE));
        let length = header(CONTENT_LENGTH).and_then(|length| length.parse().ok());
        let status = response.status();
        let mut body = Vec::new();
        let end = if content_type.may_be_text() {
            fill(&mut body, &mut response, self.limits.size, deadline).await
        } else {
            End::Unread
        };
        Fetched { url, status, content_type, body, length, end }
    }

    fn what_failed(&self, url: &Url, error: &reqwest::Error) -> NotFetched {
        match error {
            _ if error.is_timeout() => NotFetched::Time(host(url), self.limits.connect.as_secs()),
            _ if error.is_connect() => NotFetched::Connect(host(url)),
            _ => NotFetched::Answer(host(url), innermost(error)),
        }
    }
}

/// Adds chunks until there are no more or a bound is reached. Chunks come unpacked and are small
/// (some KiB), so what is packed a thousandfold is never unpacked further than the bound.
async fn fill(body: &mut Vec<u8>, response: &mut Response, size: usize, deadline: Instant) -> End {
    loop {
        let chunk = match timeout_at(deadline, response.chunk()).await {
            Ok(Ok(Some(chunk))) => chunk,
            Ok(Ok(None)) => return End::Whole,
            Ok(Err(_)) => return End::Broken,
            Err(_) => return End::Time,
        };
        let room = size - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            return End::Size;
        }
    }
}

/// Where an answer sends on to, if it does.
fn sent_on_to(response: &Response) -> Option<String> {
    match response.status().as_u16() {
        301 | 302 | 303 | 307 | 308 => {
            // A browser reads these bytes as UTF-8, so we do.
            let to = response.headers().get(LOCATION)?.as_bytes();
            Some(String::from_utf8_lossy(to).into_owned())
        }
        _ => None,
    }
}

/// An error about a place that a redirect named says so.
fn redirected(error: NotFetched, from: Option<String>) -> NotFetched {
    match (error, from) {
        (NotFetched::Refused(refused), Some(from)) => NotFetched::Redirected { from, refused },
        (error, _) => error,
    }
}

fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// The cause at the end of a chain, which says more than `error sending request` and never has
/// the URL in it.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// A name server that knows one name, and for it the addresses that were checked.
struct Only {
    host: String,
    addresses: Vec<IpAddr>,
}

impl Resolve for Only {
    fn resolve(&self, name: Name) -> Resolving {
        let known = name.as_str() == self.host;
        // Port 0 stands for the one in the URL.
        let addresses = self.addresses.iter().map(|address| SocketAddr::new(*address, 0));
        let addresses: Addrs = Box::new(addresses.collect::<Vec<_>>().into_iter());
        Box::pin(async move {
            known.then_some(addresses).ok_or_else(|| "another name than the one checked".into())
        })
    }
}

async fn system_lookup(name: String) -> io::Result<Vec<IpAddr>> {
    let addresses = tokio::net::lookup_host((name, 0)).await?;
    Ok(addresses.map(|address| address.ip()).collect())
}
