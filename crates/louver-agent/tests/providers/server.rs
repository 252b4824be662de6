//! A server on loopback that answers as it is told, also badly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use louver_agent::http::Sender;
use louver_agent::provider::{Ask, AskError, Endpoint, Wire};
use louver_agent::{Delta, Reply};
use serde_json::Value;

use crate::{person, prompt};

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    head: String,
    pieces: Vec<Vec<u8>>,
    /// Whether it waits after each piece until the client is gone.
    hangs: bool,
}

impl Answer {
    /// An answer whose end is where the connection ends.
    pub(crate) fn new(status: u16, kind: &str, body: &str) -> Answer {
        let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-type: {kind}\r\n");
        Answer { head, pieces: vec![body.as_bytes().to_vec()], hangs: false }
    }

    pub(crate) fn json(body: &str) -> Answer {
        Answer::new(200, "application/json", body)
    }

    pub(crate) fn stream(body: &str) -> Answer {
        Answer::new(200, "text/event-stream; charset=utf-8", body)
    }

    pub(crate) fn error(status: u16, body: &str) -> Answer {
        Answer::new(status, "application/json", body)
    }

    /// Closes the connection and says nothing.
    pub(crate) fn nothing() -> Answer {
        Answer { head: String::new(), pieces: Vec::new(), hangs: false }
    }

    pub(crate) fn with(mut self, header: &str, value: &str) -> Answer {
        self.head.push_str(&format!("{header}: {value}\r\n"));
        self
    }

    /// In pieces of so many bytes, each a chunk of its own.
    pub(crate) fn chunked(mut self, size: usize) -> Answer {
        let body = self.pieces.concat();
        let chunk =
            |part: &[u8]| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
        self.pieces = body.chunks(size).map(chunk).collect();
        self.pieces.push(b"0\r\n\r\n".to_vec());
        self.with("transfer-encoding", "chunked")
    }

    /// In chunks that stop in the middle, as when a server dies.
    pub(crate) fn cut(self) -> Answer {
        let mut answer = self.chunked(40);
        answer.pieces.truncate(answer.pieces.len() / 2);
        answer
    }

    /// Says what it says and then nothing, without an end.
    pub(crate) fn hanging(mut self) -> Answer {
        self.hangs = true;
        self
    }
}

/// A request that the server saw.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// A server that gives these answers, one request each.
pub(crate) struct Server {
    pub(crate) base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) fn new(answers: Vec<Answer>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = seen.clone();
        std::thread::spawn(move || {
            for answer in answers {
                let Ok((stream, _)) = listener.accept() else { return };
                // A client that leaves early is part of the tests.
                let _ = serve(stream, &answer, &shared);
            }
        });
        Server { base, seen }
    }

    pub(crate) fn endpoint(&self, wire: Wire) -> Endpoint {
        let mut endpoint =
            Endpoint::custom("test", wire, &self.base, Some("a-very-secret-key".into()));
        endpoint.limits.first = Duration::from_secs(20);
        endpoint
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, answer: &Answer, seen: &Mutex<Vec<Seen>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    seen.lock().unwrap().push(Seen { head, body });
    let mut stream = stream;
    if !answer.head.is_empty() {
        stream.write_all(format!("{}\r\n", answer.head).as_bytes())?;
    }
    for piece in &answer.pieces {
        stream.write_all(piece)?;
        stream.flush()?;
    }
    if answer.hangs {
        // Until the client closes.
        let _ = reader.read(&mut [0]);
    }
    Ok(())
}

/// What a listener heard and what came of it.
pub(crate) fn ask(
    endpoint: &Endpoint,
    change: impl FnOnce(&mut Ask<'_>),
) -> (Vec<Delta>, Result<Reply, AskError>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let prompt = prompt(vec![person("Hi")]);
    let mut ask = Ask::new("m", &prompt, 99);
    change(&mut ask);
    let mut heard = Vec::new();
    let sender = Sender::new();
    let mut hear = |delta| heard.push(delta);
    let answered = runtime.block_on(sender.ask(endpoint, &ask, &mut hear));
    (heard, answered)
}

/// Asks a server that gives one answer.
pub(crate) fn ask_once(answer: Answer) -> Result<Reply, AskError> {
    let server = Server::new(vec![answer]);
    ask(&server.endpoint(Wire::OpenAi), |_| ()).1
}
