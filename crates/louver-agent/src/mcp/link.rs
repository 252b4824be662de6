//! One conversation with a server: opened, asked, closed. All that knows `rmcp` and both ways to
//! reach a server meets here.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
    ClientRequest, CustomResult, ErrorCode, Implementation, JsonObject, ListToolsRequest,
    ListToolsResult, PaginatedRequestParams, ServerResult,
};
use rmcp::service::{ClientInitializeError, NotificationContext, RunningServiceCancellationToken};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::{ClientHandler, Peer, RoleClient, ServiceError, ServiceExt};
use serde_json::Value;
use tokio::sync::Notify;

use super::child::{self, Ended, Group};
use super::config::{Plan, Reach};
use super::http::{Http, HttpError};
use super::offer::{Described, visible};
use super::stdio::{Fault, Lines};

/// A server that can be asked.
#[derive(Clone)]
pub(super) struct Link {
    peer: Peer<RoleClient>,
    /// Rung when the server says that its tools are others now.
    pub(super) changed: Arc<Notify>,
    /// Rung to end a conversation that leads nowhere.
    pub(super) give_up: Arc<Notify>,
    /// What the server calls itself, and its version.
    pub(super) version: Option<String>,
}

/// What keeps a [`Link`] alive. Dropping it closes the conversation and ends the program.
pub(super) struct Line {
    closed: Pin<Box<dyn Future<Output = ()> + Send>>,
    cancel: Option<RunningServiceCancellationToken>,
    program: Option<(Group, Arc<Fault>)>,
}

/// The tools of a server, as it lists them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Listing {
    pub(super) tools: Vec<Described>,
    /// The names of those that are not the protocol's, and why.
    pub(super) odd: Vec<(String, String)>,
    /// Whether there are more than are taken.
    pub(super) cut: bool,
}

/// As many tools of one server as are taken. OpenAI takes 128 in a request.
pub(super) const MOST_TOOLS: usize = 128;
/// As many pages as a list may come in.
const MOST_PAGES: usize = 32;

/// Why a conversation did not come about, or ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Lost {
    #[error("the program `{0}` is not there")]
    NoProgram(String),
    #[error("the program `{0}` cannot be started: {1}")]
    NotStarted(String, String),
    #[error("it did not answer within {} s of its start", .0.as_secs_f64())]
    Slow(Duration),
    #[error("it ended{}{}", with_status(.status), last_words(.said))]
    Ended { status: Option<ExitStatus>, said: Option<String> },
    #[error("{what}{}", last_words(.said))]
    Fault { what: String, said: Option<String> },
    #[error("it wants to be told who asks, and what it was told is not enough")]
    NotAllowed,
}

fn with_status(status: &Option<ExitStatus>) -> String {
    status.map(|status| format!(" with {status}")).unwrap_or_default()
}

fn last_words(said: &Option<String>) -> String {
    said.as_ref().map(|said| format!("; it said: {said}")).unwrap_or_default()
}

impl Lost {
    pub(super) const ENDED: Lost = Lost::Ended { status: None, said: None };

    pub(super) fn fault(what: impl Into<String>) -> Lost {
        Lost::Fault { what: what.into(), said: None }
    }

    /// Whether trying again is in vain until someone changes something.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Lost::NoProgram(_) | Lost::NotAllowed)
    }

    /// What would mend it.
    pub(super) fn hint(&self, name: &str) -> Option<String> {
        match self {
            Lost::NoProgram(program) => Some(format!("install `{program}`, or mend `command`")),
            Lost::Slow(_) => Some(format!("if it needs longer: start = 60 under [mcp.{name}]")),
            Lost::NotAllowed => Some("headers = { Authorization = \"Bearer ${TOKEN}\" }".into()),
            _ => None,
        }
    }
}

/// Opens a conversation and asks for the tools, within the time a start may take.
pub(super) async fn open(plan: &Plan, folder: &Path) -> Result<(Link, Line, Listing), Lost> {
    match &plan.reach {
        Reach::Program { program, arguments, env } => {
            let started = child::start(program, arguments, env, folder);
            let (group, output, input) = started.map_err(|error| not_started(program, &error))?;
            let (lines, fault) = Lines::new(output, input);
            match greeted(lines, plan.start).await {
                Ok((link, line, listing)) => {
                    Ok((link, Line { program: Some((group, fault)), ..line }, listing))
                }
                Err(lost) => Err(after(lost, group, &fault).await),
            }
        }
        Reach::Address { url, headers } => {
            let http = Http::new().map_err(|error| Lost::fault(error.to_string()))?;
            let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                .custom_headers(sent(headers));
            config.retry_config = Arc::new(patient());
            greeted(StreamableHttpClientTransport::with_client(http, config), plan.start).await
        }
    }
}

fn not_started(program: &str, error: &io::Error) -> Lost {
    match error.kind() {
        io::ErrorKind::NotFound => Lost::NoProgram(program.to_owned()),
        _ => Lost::NotStarted(program.to_owned(), error.to_string()),
    }
}

/// How the stream of a server's own messages is opened again when it breaks: for ever, but seldom.
fn patient() -> ExponentialBackoff {
    let mut patient = ExponentialBackoff::default();
    patient.max_delay = Some(Duration::from_secs(60));
    patient
}

fn sent(headers: &[(String, String)]) -> HashMap<HeaderName, HeaderValue> {
    let parsed = headers.iter().filter_map(|(name, value)| {
        let mut value = HeaderValue::from_str(value).ok()?;
        // It is not shown when the request is.
        value.set_sensitive(true);
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, value))
    });
    parsed.collect()
}

/// What a program's end adds to why a conversation was lost.
async fn after(lost: Lost, group: Group, fault: &Fault) -> Lost {
    let Ended { status, said } = group.end().await;
    match (fault.get(), lost) {
        (Some(fault), _) => Lost::Fault { what: fault.to_owned(), said },
        (None, Lost::Ended { .. }) => Lost::Ended { status, said },
        (None, Lost::Fault { what, .. }) => Lost::Fault { what, said },
        (None, lost) => lost,
    }
}

async fn greeted<T, E, A>(transport: T, limit: Duration) -> Result<(Link, Line, Listing), Lost>
where
    T: rmcp::transport::IntoTransport<RoleClient, E, A>,
    E: Error + Send + Sync + 'static,
{
    let changed = Arc::new(Notify::new());
    let ear = Ear { changed: changed.clone() };
    let greeting = async {
        let service = ear.serve(transport).await.map_err(|error| not_greeted(&error))?;
        let peer = service.peer().clone();
        let info = peer.peer_info().and_then(|info| info.server_info.clone());
        let version = info.map(|info| visible(&format!("{} {}", info.name, info.version), 80));
        let link = Link { peer, changed, give_up: Arc::default(), version };
        let cancel = Some(service.cancellation_token());
        let closed = Box::pin(async move {
            // Whether it was closed or broke, it is over.
            let _ = service.waiting().await;
        });
        let listing = link.list().await?;
        Ok((link, Line { closed, cancel, program: None }, listing))
    };
    tokio::time::timeout(limit, greeting).await.unwrap_or(Err(Lost::Slow(limit)))
}

fn not_greeted(error: &ClientInitializeError) -> Lost {
    match error {
        ClientInitializeError::ConnectionClosed(_) => Lost::ENDED,
        ClientInitializeError::TransportError { error, .. } => unsent(error),
        ClientInitializeError::JsonRpcError(error) => {
            Lost::fault(format!("it refuses to talk: {}", visible(&error.message, 300)))
        }
        _ => Lost::fault("it does not follow the protocol"),
    }
}

/// Why something could not be sent.
fn unsent(error: &(dyn Error + 'static)) -> Lost {
    let mut next = Some(error);
    while let Some(error) = next {
        match error.downcast_ref::<StreamableHttpError<HttpError>>() {
            Some(StreamableHttpError::AuthRequired(_)) => return Lost::NotAllowed,
            Some(StreamableHttpError::Client(HttpError::Status(401 | 403))) => {
                return Lost::NotAllowed;
            }
            Some(StreamableHttpError::Client(error)) => return Lost::fault(error.to_string()),
            Some(_) => return Lost::fault("it does not follow the protocol"),
            None => {}
        }
        if error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() != io::ErrorKind::Other)
        {
            return Lost::ENDED;
        }
        next = error.source();
    }
    Lost::fault("it does not take what it is sent")
}

/// Why a call has no result.
pub(super) enum Unanswered {
    /// The server refuses it, in these words.
    Refused(String),
    /// It wants something that louver does not give.
    Wants(&'static str),
    /// Its answer is not one.
    NotTheProtocol,
    /// It cannot be reached, and why.
    Lost(Lost),
}

impl Link {
    /// The server's tools, from as many pages as it takes.
    pub(super) async fn list(&self) -> Result<Listing, Lost> {
        let mut listing = Listing::default();
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor.clone());
            let request = ListToolsRequest {
                method: Default::default(),
                params: Some(page),
                extensions: Default::default(),
            };
            let request = ClientRequest::ListToolsRequest(request);
            let page = match self.peer.send_request(request).await {
                Ok(ServerResult::ListToolsResult(page)) => page,
                Ok(ServerResult::CustomResult(CustomResult(page))) => listing.page_of(page)?,
                Ok(_) => return Err(Lost::fault(NO_LIST)),
                // It has none, and says so in its way.
                Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                    return Ok(listing);
                }
                Err(error) => return Err(not_listed(&error)),
            };
            listing.tools.extend(page.tools.into_iter().map(described));
            if listing.tools.len() > MOST_TOOLS {
                listing.tools.truncate(MOST_TOOLS);
                return Ok(Listing { cut: true, ..listing });
            }
            match page.next_cursor {
                Some(next) if Some(&next) != cursor.as_ref() => cursor = Some(next),
                _ => return Ok(listing),
            }
        }
        Ok(Listing { cut: true, ..listing })
    }

    /// Calls a tool. Dropping the future tells the server that nobody waits any more.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: JsonObject,
    ) -> Result<CallToolResult, Unanswered> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match self.peer.call_tool_once(params).await {
            Ok(CallToolResponse::Complete(result)) => Ok(result),
            Ok(CallToolResponse::Task(_)) => Err(Unanswered::Wants("to be asked again later")),
            Ok(_) => Err(Unanswered::Wants("more from the person who asks")),
            Err(ServiceError::McpError(error)) => {
                Err(Unanswered::Refused(visible(&error.message, 2_000)))
            }
            Err(ServiceError::TransportSend(error)) => Err(Unanswered::Lost(unsent(&error))),
            Err(ServiceError::TransportClosed) => Err(Unanswered::Lost(Lost::ENDED)),
            Err(_) => Err(Unanswered::NotTheProtocol),
        }
    }
}

fn not_listed(error: &ServiceError) -> Lost {
    match error {
        ServiceError::McpError(error) => {
            Lost::fault(format!("it does not list its tools: {}", visible(&error.message, 300)))
        }
        ServiceError::TransportSend(error) => unsent(error),
        ServiceError::TransportClosed => Lost::ENDED,
        _ => Lost::fault(NO_LIST),
    }
}

const NO_LIST: &str = "its list of tools is not the protocol's";

impl Listing {
    /// A page in which a tool is not the protocol's. The others are, and that one is named.
    fn page_of(&mut self, page: Value) -> Result<ListToolsResult, Lost> {
        let Some(Value::Array(tools)) = page.get("tools") else {
            return Err(Lost::fault(NO_LIST));
        };
        let mut good = Vec::new();
        for tool in tools {
            match serde_json::from_value(tool.clone()) {
                Ok(tool) => good.push(tool),
                Err(error) => {
                    let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
                    self.odd.push((visible(name, 64), visible(&error.to_string(), 100)));
                }
            }
        }
        let mut result = ListToolsResult::with_all_items(good);
        result.next_cursor = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
        Ok(result)
    }
}

fn described(tool: rmcp::model::Tool) -> Described {
    let hints = tool.annotations.as_ref();
    let title = tool.title.or_else(|| hints.and_then(|hints| hints.title.clone()));
    Described {
        only_reads: hints.and_then(|hints| hints.read_only_hint).unwrap_or(false),
        name: tool.name.into_owned(),
        description: tool.description.map(Into::into).or(title).unwrap_or_default(),
        schema: Arc::unwrap_or_clone(tool.input_schema),
    }
}

/// How long the end of a conversation may take before it is cut.
const FAREWELL: Duration = Duration::from_millis(500);

impl Line {
    /// Waits until the conversation is over.
    pub(super) async fn closed(&mut self) {
        self.closed.as_mut().await;
        // It must not be asked again.
        self.closed = Box::pin(std::future::pending());
        self.cancel = None;
    }

    /// Ends the conversation and the program, and says how that went.
    pub(super) async fn end(mut self) -> Lost {
        if let Some(cancel) = self.cancel.take() {
            cancel.cancel();
            let _ = tokio::time::timeout(FAREWELL, self.closed.as_mut()).await;
        }
        drop(self.closed);
        match self.program {
            Some((group, fault)) => after(Lost::ENDED, group, &fault).await,
            None => Lost::ENDED,
        }
    }
}

/// What a server can say to louver: only that its tools have changed. It is offered nothing else,
/// neither the person's model nor their files nor questions to them.
struct Ear {
    changed: Arc<Notify>,
}

impl ClientHandler for Ear {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    fn get_info(&self) -> ClientConfig {
        let louver = Implementation::new("louver", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), louver)
    }
}
