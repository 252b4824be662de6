//! One connection: requests are read, recorded, checked and answered, well or badly.

use std::io::{self, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

use crate::answer::{Answer, Event, Kind};
use crate::errors::{self, Refusal, Sizes};
use crate::fault::{Dialect, Fault, Named};
use crate::http::{self, Framing, Request};
use crate::record::Recorded;
use crate::script::Script;
use crate::seen::{Protocol, Seen};
use crate::state::{Inner, State};
use crate::{anthropic, check, openai};

const JSON: &str = "application/json";

/// What is sent for a request.
enum Outcome {
    Refused(Refusal),
    Answered(Box<Answer>),
}

/// Answers the requests of a connection until one side ends it. An error ends it too: the client
/// sees a connection that breaks, which is what some faults are for.
pub(crate) fn serve(state: &State, stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    let mut connection = BufReader::new(stream);
    while let Some(request) = http::read(&mut connection)? {
        answer(state, &request, &mut connection, &mut out)?;
        if !request.keeps_alive() {
            break;
        }
    }
    Ok(())
}

fn answer(
    state: &State,
    request: &Request,
    connection: &mut BufReader<TcpStream>,
    out: &mut TcpStream,
) -> io::Result<()> {
    let path = request.path.split('?').next().unwrap_or_default();
    let route = path.strip_prefix("/v1").unwrap_or(path);
    let protocol = match (request.method.as_str(), route) {
        ("GET", "/health") => return send_json(out, 200, &json!({"status": "ok"})),
        ("GET", "/models") => return send_models(state, request, out),
        ("POST", "/chat/completions") => Protocol::OpenAi,
        ("POST", "/messages") => Protocol::Anthropic,
        ("POST", "/embeddings") if state.script.embeddings.is_some() => {
            return send_vectors(state, request, connection, out);
        }
        (method, _) => {
            let words = format!("there is no `{method} {path}` here");
            return send_json(out, 404, &json!({"error": {"message": words}}));
        }
    };
    let (seen, outcome) = decide(state, protocol, request);
    match outcome {
        Outcome::Refused(refusal) => send_refusal(out, &refusal),
        Outcome::Answered(answer) => send_answer(state, protocol, &seen, &answer, connection, out),
    }
}

fn send_models(state: &State, request: &Request, out: &mut TcpStream) -> io::Result<()> {
    if is_let_in(&state.script, request) {
        return send_json(out, 200, &models(state, request));
    }
    let protocol = match request.header("anthropic-version") {
        Some(_) => Protocol::Anthropic,
        None => Protocol::OpenAi,
    };
    send_refusal(out, &errors::status(protocol, 401, "", None))
}

fn models(state: &State, request: &Request) -> Value {
    let names = state.models();
    if request.header("anthropic-version").is_some() {
        let model = |name: &String| {
            json!({"type": "model", "id": name, "display_name": name,
                "created_at": "2026-01-01T00:00:00Z"})
        };
        let data: Vec<Value> = names.iter().map(model).collect();
        return json!({"data": data, "has_more": false,
            "first_id": names.first(), "last_id": names.last()});
    }
    let model = |name: &String| json!({"id": name, "object": "model", "created": 1_770_000_000, "owned_by": "scripted"});
    json!({"object": "list", "data": names.iter().map(model).collect::<Vec<Value>>()})
}

/// Records a request for vectors, and answers it.
fn send_vectors(
    state: &State,
    request: &Request,
    connection: &mut BufReader<TcpStream>,
    out: &mut TcpStream,
) -> io::Result<()> {
    let mut recorded = Recorded::new(Protocol::OpenAi, request);
    let answer = match (&state.script.embeddings, is_let_in(&state.script, request)) {
        (Some(embeddings), true) => embeddings.answer(&recorded.body),
        _ => Some((401, json!({"error": {"message": "wrong key"}}))),
    };
    let mut inner = state.inner();
    recorded.number = inner.recorded.len() + 1;
    recorded.status = answer.as_ref().map_or(200, |(status, _)| *status);
    inner.record(recorded);
    drop(inner);
    state.recorded_one();
    match answer {
        Some((status, body)) => send_json(out, status, &body),
        None => io::copy(connection, &mut io::sink()).and_then(|_| closed(out)),
    }
}

/// What is sent for a request. The record is made before anything is sent: who has an answer finds
/// its request recorded.
fn decide(state: &State, protocol: Protocol, request: &Request) -> (Seen, Outcome) {
    let script = &state.script;
    let mut recorded = Recorded::new(protocol, request);
    let (headers, body) = (&recorded.headers, &recorded.body);
    let (seen, found) = match protocol {
        Protocol::OpenAi => (openai::read(body), check::openai::check(body, &script.extra_fields)),
        Protocol::Anthropic => {
            (anthropic::read(body), check::anthropic::check(headers, body, &script.extra_fields))
        }
    };
    // What costs time is done: from here on it is one request after the other.
    let mut inner = state.inner();
    recorded.number = inner.recorded.len() + 1;
    recorded.violations = found.violations(recorded.number);
    let outcome = match turned_away(script, protocol, request, &seen, &recorded) {
        Some(refusal) => Outcome::Refused(refusal),
        None => play(script, &mut inner, protocol, request, &seen, recorded.number),
    };
    if let Outcome::Refused(refusal) = &outcome {
        recorded.status = refusal.status;
    }
    inner.record(recorded);
    drop(inner);
    state.recorded_one();
    (seen, outcome)
}

/// The script's answer to a request that is in order.
fn play(
    script: &Script,
    inner: &mut Inner,
    protocol: Protocol,
    request: &Request,
    seen: &Seen,
    number: usize,
) -> Outcome {
    let cost = inner.cache.take(protocol, seen);
    if let Some(window) = script.window.filter(|window| cost.input > *window) {
        let sizes = Sizes { tokens: cost.input, window };
        return Outcome::Refused(errors::too_long(own_dialect(protocol), sizes));
    }
    let step = inner.play.next(script, seen);
    let answer = Answer::new(&step, seen, protocol, number, cost);
    match refused_by_script(protocol, request, &answer) {
        Some(refusal) => Outcome::Refused(refusal),
        None => Outcome::Answered(Box::new(answer)),
    }
}

/// What any server would refuse: a wrong key, a broken rule, a model that is not there.
fn turned_away(
    script: &Script,
    protocol: Protocol,
    request: &Request,
    seen: &Seen,
    recorded: &Recorded,
) -> Option<Refusal> {
    if !is_let_in(script, request) {
        return Some(errors::status(protocol, 401, &seen.model, None));
    }
    if let Some(violation) = recorded.violations.first() {
        return Some(errors::status(protocol, 400, &seen.model, Some(&violation.words)));
    }
    let known = script.models.is_empty() || script.models.contains(&seen.model);
    (!known).then(|| errors::status(protocol, 404, &seen.model, None))
}

fn is_let_in(script: &Script, request: &Request) -> bool {
    script.key.as_deref().is_none_or(|right| key(request) == right)
}

/// The key that came with a request.
fn key(request: &Request) -> &str {
    let bearer = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let plain = || request.header("x-api-key").or_else(|| request.header("api-key"));
    bearer.or_else(plain).unwrap_or_default()
}

fn own_dialect(protocol: Protocol) -> Dialect {
    match protocol {
        Protocol::OpenAi => Dialect::OpenAi,
        Protocol::Anthropic => Dialect::Anthropic,
    }
}

/// The faults that are answers with another status.
fn refused_by_script(protocol: Protocol, request: &Request, answer: &Answer) -> Option<Refusal> {
    let tokens = answer.usage.input;
    // A window that this request does not fit, whatever its size.
    let sizes = Sizes { tokens, window: tokens.saturating_sub(tokens / 4 + 1) };
    match answer.fault.as_ref()? {
        Fault::Status { status, retry_after, message } => {
            let refusal = errors::status(protocol, *status, &answer.model, message.as_deref());
            Some(Refusal { retry_after: retry_after.clone(), ..refusal })
        }
        Fault::TooLong { too_long } => Some(errors::too_long(*too_long, sizes)),
        Fault::Named(Named::TooLong) => Some(errors::too_long(own_dialect(protocol), sizes)),
        Fault::Named(Named::Quota) => Some(errors::quota(protocol)),
        Fault::Named(Named::KeyEchoed) => Some(errors::key_echoed(protocol, key(request))),
        _ => None,
    }
}

fn send_refusal(out: &mut TcpStream, refusal: &Refusal) -> io::Result<()> {
    let body = refusal.body.to_string();
    let wait = refusal.retry_after.as_deref().map(|seconds| ("retry-after", seconds));
    let more: Vec<(&str, &str)> = wait.into_iter().collect();
    http::send_head(out, refusal.status, JSON, Framing::Length(body.len()), &more)?;
    out.write_all(body.as_bytes())
}

fn send_json(out: &mut TcpStream, status: u16, body: &Value) -> io::Result<()> {
    let body = body.to_string();
    http::send_head(out, status, JSON, Framing::Length(body.len()), &[])?;
    out.write_all(body.as_bytes())
}

fn send_answer(
    state: &State,
    protocol: Protocol,
    seen: &Seen,
    answer: &Answer,
    connection: &mut BufReader<TcpStream>,
    out: &mut TcpStream,
) -> io::Result<()> {
    if answer.is(Named::Hang) {
        // Ends when the client goes, or when the server stops.
        return io::copy(connection, &mut io::sink()).and_then(|_| closed(out));
    }
    if answer.is(Named::Close) {
        return closed(out);
    }
    if answer.is(Named::Html) {
        return send_page(out);
    }
    match seen.stream {
        true => send_stream(state, protocol, answer, out),
        false => send_whole(state, protocol, answer, out),
    }
}

/// Ends the connection from this side.
fn closed(out: &TcpStream) -> io::Result<()> {
    out.shutdown(Shutdown::Both)?;
    Err(io::ErrorKind::ConnectionAborted.into())
}

fn send_page(out: &mut TcpStream) -> io::Result<()> {
    let page = "<!doctype html><html><head><title>Sign in</title></head>\
                <body><h1>Sign in to continue</h1></body></html>";
    http::send_head(out, 200, "text/html; charset=utf-8", Framing::Length(page.len()), &[])?;
    out.write_all(page.as_bytes())
}

fn send_whole(
    state: &State,
    protocol: Protocol,
    answer: &Answer,
    out: &mut TcpStream,
) -> io::Result<()> {
    if answer.is(Named::StreamError) {
        return send_refusal(out, &errors::status(protocol, 500, &answer.model, None));
    }
    let mut body = match protocol {
        Protocol::OpenAi => openai::whole(answer).to_string(),
        Protocol::Anthropic => anthropic::whole(answer).to_string(),
    };
    if answer.is(Named::Malformed) {
        break_off(&mut body);
    }
    let kind = if answer.is(Named::WrongType) { "text/plain" } else { JSON };
    let framing = Framing::Length(body.len());
    http::send_head(out, 200, kind, framing, &[])?;
    Body::new(state, answer, framing, out).send(body.as_bytes())
}

fn send_stream(
    state: &State,
    protocol: Protocol,
    answer: &Answer,
    out: &mut TcpStream,
) -> io::Result<()> {
    let mut events = match protocol {
        Protocol::OpenAi => openai::events(answer),
        Protocol::Anthropic => anthropic::events(answer),
    };
    spoil(&mut events, protocol, answer);
    let kind = if answer.is(Named::WrongType) { "text/plain" } else { "text/event-stream" };
    http::send_head(out, 200, kind, Framing::Chunked, &[])?;
    let mut body = Body::new(state, answer, Framing::Chunked, out);
    for event in &events {
        body.send_event(event)?;
    }
    if answer.is(Named::Endless) {
        for event in events.iter().filter(|event| event.kind == Kind::Text).cycle() {
            body.send_event(event)?;
        }
    }
    http::send_end(out, Framing::Chunked)
}

/// The faults that are in the events themselves.
fn spoil(events: &mut Vec<Event>, protocol: Protocol, answer: &Answer) {
    match &answer.fault {
        Some(Fault::Named(Named::Malformed)) => {
            let middle = events.len() / 2;
            break_off(&mut events[middle].data);
        }
        Some(Fault::Named(Named::Unfinished)) => events.retain(|event| event.kind != Kind::End),
        Some(Fault::Named(Named::Endless)) => {
            let last = events.iter().rposition(|event| event.kind == Kind::Text);
            events.truncate(last.map_or(0, |last| last + 1));
        }
        Some(Fault::Named(Named::StreamError)) => {
            events.retain(|event| event.kind != Kind::End);
            events.truncate(events.len() / 2 + 1);
            events.push(match protocol {
                Protocol::OpenAi => openai::stream_error(),
                Protocol::Anthropic => anthropic::stream_error(),
            });
        }
        _ => {}
    }
}

/// Takes the second half of a text away.
fn break_off(text: &mut String) {
    text.truncate(text.floor_char_boundary(text.len() / 2));
}

/// The body of an answer on its way, with the faults that are in the sending.
struct Body<'a> {
    state: &'a State,
    out: &'a mut TcpStream,
    framing: Framing,
    /// How long to wait before each event.
    delay: Duration,
    /// How many more bytes are sent before the connection ends.
    left: Option<usize>,
    /// How long to wait before each byte.
    slow: Option<Duration>,
}

impl<'a> Body<'a> {
    fn new(state: &'a State, answer: &Answer, framing: Framing, out: &'a mut TcpStream) -> Self {
        let (left, slow) = match answer.fault {
            Some(Fault::Cut { cut }) => (Some(cut), None),
            Some(Fault::Slow { slow_ms }) => (None, Some(Duration::from_millis(slow_ms))),
            _ => (None, None),
        };
        Body { state, out, framing, delay: answer.delay, left, slow }
    }

    fn send_event(&mut self, event: &Event) -> io::Result<()> {
        self.state.pause(self.delay)?;
        let name = event.name.map(|name| format!("event: {name}\n")).unwrap_or_default();
        self.send(format!("{name}data: {}\n\n", event.data).as_bytes())
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(left) = &mut self.left {
            let now = bytes.len().min(*left);
            *left -= now;
            let cut = *left == 0;
            if now > 0 {
                http::send_part(self.out, self.framing, &bytes[..now])?;
            }
            return if cut { closed(self.out) } else { Ok(()) };
        }
        let Some(slow) = self.slow else {
            return http::send_part(self.out, self.framing, bytes);
        };
        for byte in bytes.chunks(1) {
            self.state.pause(slow)?;
            http::send_part(self.out, self.framing, byte)?;
        }
        Ok(())
    }
}
