//! Messages over streamable HTTP.
//!
//! `rmcp` keeps sessions and streams; this sends its requests. Its own way with `reqwest` reads
//! answers of any size and puts them into errors, where a server that echoes what it was sent would
//! show a key. Here nothing is read beyond a limit, and an error says a status and no more.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use futures_core::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

/// The largest message.
const LARGEST: usize = 16 << 20;
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const SESSION: &str = "mcp-session-id";

/// Why a request came to nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum HttpError {
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    #[error("it answers with HTTP status {0}")]
    Status(u16),
    #[error("it sent a message of more than 16 MiB")]
    TooLarge,
    #[error("its answer is not the protocol")]
    NotTheProtocol,
}

type Failure = StreamableHttpError<HttpError>;

/// What requests are sent with.
#[derive(Clone)]
pub(super) struct Http(reqwest::Client);

impl Http {
    pub(super) fn new() -> Result<Http, HttpError> {
        // Whoever comes first sets it, for the whole program; a second time changes nothing.
        let _ = rustls::crypto::ring::default_provider().install_default();
        reqwest::Client::builder()
            .user_agent(concat!("louver/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(10))
            .redirect(Policy::custom(within_the_origin))
            // The limits here count bytes as they come; a small answer must not become a large one.
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .build()
            .map(Http)
            .map_err(unreachable)
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let response = request.send().await.map_err(|e| Failure::Client(unreachable(e)))?;
        if response.status() == StatusCode::UNAUTHORIZED
            && let Some(challenge) = response.headers().get(WWW_AUTHENTICATE)
        {
            let challenge = String::from_utf8_lossy(challenge.as_bytes()).into_owned();
            return Err(Failure::AuthRequired(AuthRequiredError::new(challenge)));
        }
        Ok(response)
    }
}

fn with(
    request: RequestBuilder,
    session: Option<&str>,
    token: Option<String>,
    headers: HashMap<HeaderName, HeaderValue>,
) -> RequestBuilder {
    let request =
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
    let request = token.into_iter().fold(request, RequestBuilder::bearer_auth);
    session.into_iter().fold(request, |request, session| request.header(SESSION, session))
}

/// Follows a server to another path of its own, message and all. Elsewhere the headers must not go.
fn within_the_origin(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let keeps =
        matches!(attempt.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    let first = attempt.previous().first();
    let same = first.is_some_and(|first| first.origin() == attempt.url().origin());
    match keeps && same && attempt.previous().len() <= 3 {
        true => attempt.follow(),
        false => attempt.stop(),
    }
}

/// What `reqwest` says, down to the reason, without the address: that may hold a key.
fn unreachable(error: reqwest::Error) -> HttpError {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(deeper) = source {
        words = deeper.to_string();
        source = deeper.source();
    }
    HttpError::Unreachable(words)
}

fn status(response: &Response) -> Failure {
    Failure::Client(HttpError::Status(response.status().as_u16()))
}

fn is(response: &Response, kind: &str) -> bool {
    let of = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    of.is_some_and(|of| {
        of.len() >= kind.len() && of[..kind.len()].eq_ignore_ascii_case(kind.as_bytes())
    })
}

async fn body(mut response: Response) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|e| Failure::Client(unreachable(e)))? {
        if body.len() + chunk.len() > LARGEST {
            return Err(Failure::Client(HttpError::TooLarge));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn events(response: Response) -> BoxStream<'static, Result<Sse, SseError>> {
    let bytes = Bounded { inner: Box::pin(response.bytes_stream()), event: 0, blank: true };
    Box::pin(SseStream::from_bytes_stream(bytes))
}

/// Whether nobody waits for an answer to this.
fn one_way(message: &ClientJsonRpcMessage) -> bool {
    !matches!(message, ClientJsonRpcMessage::Request(_))
}

impl StreamableHttpClient for Http {
    type Error = HttpError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let request = self
            .0
            .request(Method::POST, uri.as_ref())
            .header(ACCEPT, format!("{EVENTS}, {JSON}"))
            .header(CONTENT_TYPE, JSON)
            .body(serde_json::to_vec(&message)?);
        let response = self.send(with(request, session.as_deref(), token, headers)).await?;
        let code = response.status();
        if matches!(code, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if code == StatusCode::NOT_FOUND && session.is_some() {
            return Err(Failure::SessionExpired);
        }
        let new =
            response.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
        if !code.is_success() {
            return refusal(response, &message, session.is_some()).await;
        }
        if one_way(&message) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if is(&response, EVENTS) {
            return Ok(StreamableHttpPostResponse::Sse(events(response), new));
        }
        if !is(&response, JSON) {
            return Err(Failure::Client(HttpError::NotTheProtocol));
        }
        match serde_json::from_slice(&body(response).await?) {
            Ok(message) => Ok(StreamableHttpPostResponse::Json(message, new)),
            Err(_) => Err(Failure::Client(HttpError::NotTheProtocol)),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let request = self.0.request(Method::DELETE, uri.as_ref());
        // Whether the server forgets it is the server's affair.
        self.send(with(request, Some(&session), token, headers)).await.map(drop)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let mut request = self.0.request(Method::GET, uri.as_ref()).header(ACCEPT, EVENTS);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = self.send(with(request, session.as_deref(), token, headers)).await?;
        match response.status() {
            StatusCode::METHOD_NOT_ALLOWED => Err(Failure::ServerDoesNotSupportSse),
            code if !code.is_success() => Err(status(&response)),
            _ if !is(&response, EVENTS) => Err(Failure::ServerDoesNotSupportSse),
            _ => Ok(events(response)),
        }
    }
}

/// A refusal that is itself a message of the protocol is an answer; any other is its status.
async fn refusal(
    response: Response,
    to: &ClientJsonRpcMessage,
    in_session: bool,
) -> Result<StreamableHttpPostResponse, Failure> {
    let failure = status(&response);
    let code = response.status();
    let forbidden = matches!(code, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    let ClientJsonRpcMessage::Request(request) = to else { return Err(failure) };
    if forbidden || !is(&response, JSON) {
        return Err(failure);
    }
    let Ok(ServerJsonRpcMessage::Error(mut error)) = serde_json::from_slice(&body(response).await?)
    else {
        return Err(failure);
    };
    if error.id.as_ref() != Some(&request.id) {
        // A server that was started anew should say 404 to a session it does not know. The reference
        // server says 400 to it, and does not look at what was asked.
        if in_session && code == StatusCode::BAD_REQUEST {
            return Err(Failure::SessionExpired);
        }
        // Whatever it calls it, it is the answer to this request. Nobody would wait for another.
        error.id = Some(request.id.clone());
    }
    Ok(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::Error(error), None))
}

/// A stream of events, none of which is larger than it may be.
struct Bounded<S> {
    inner: Pin<Box<S>>,
    /// How many bytes of the event there are so far.
    event: usize,
    /// Whether the line so far is empty: an empty line ends an event.
    blank: bool,
}

impl<S, B> Stream for Bounded<S>
where
    S: Stream<Item = Result<B, reqwest::Error>>,
    B: AsRef<[u8]>,
{
    type Item = Result<B, HttpError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.event > LARGEST {
            return Poll::Ready(None);
        }
        self.inner.as_mut().poll_next(cx).map(|next| {
            next.map(|chunk| {
                let chunk = chunk.map_err(unreachable)?;
                chunk.as_ref().iter().for_each(|&byte| self.see(byte));
                if self.event > LARGEST { Err(HttpError::TooLarge) } else { Ok(chunk) }
            })
        })
    }
}

impl<S> Bounded<S> {
    fn see(&mut self, byte: u8) {
        // Once it is too large it stays so.
        if self.event > LARGEST {
            return;
        }
        match byte {
            b'\n' if self.blank => self.event = 0,
            b'\n' => self.blank = true,
            b'\r' => {}
            _ => self.blank = false,
        }
        self.event += 1;
    }
}
