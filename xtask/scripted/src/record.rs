//! What the server was asked, for tests to look at.

use std::fs::File;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::check::Violation;
use crate::http::Request;
use crate::seen::Protocol;

/// What stands for a key in what is recorded.
pub(crate) const SECRET: &str = "(secret)";
const SECRETS: &[&str] =
    &["authorization", "x-api-key", "api-key", "cookie", "proxy-authorization"];

/// A request that came in.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Which it was, counted from one.
    pub number: usize,
    /// Its path, as it was sent.
    pub path: String,
    /// Which protocol it is in.
    pub protocol: Protocol,
    /// Its headers, names in lower case. Keys are there as `(secret)`.
    pub headers: Vec<(String, String)>,
    /// Its body; a string when it was not JSON.
    pub body: Value,
    /// The rules it broke.
    pub violations: Vec<Violation>,
    /// The status of the answer. A fault of the connection counts as 200.
    pub status: u16,
}

impl Recorded {
    pub(crate) fn new(protocol: Protocol, request: &Request) -> Recorded {
        Recorded {
            number: 0,
            path: request.path.clone(),
            protocol,
            headers: without_secrets(&request.headers),
            body: serde_json::from_slice(&request.body)
                .unwrap_or_else(|_| String::from_utf8_lossy(&request.body).into()),
            violations: Vec::new(),
            status: 200,
        }
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        crate::http::header(&self.headers, name)
    }

    /// It as one line of JSON.
    pub(crate) fn log(&self, file: &mut File) -> io::Result<()> {
        let headers = self.headers.iter().map(|(name, value)| (name.clone(), json!(value)));
        let protocol = match self.protocol {
            Protocol::OpenAi => "openai",
            Protocol::Anthropic => "anthropic",
        };
        let line = json!({
            "number": self.number,
            "protocol": protocol,
            "path": self.path,
            "headers": headers.collect::<Map<_, _>>(),
            "body": self.body,
            "violations": self.violations,
            "status": self.status,
        });
        // One write, so that a reader never finds half a line.
        file.write_all(format!("{line}\n").as_bytes())
    }
}

fn without_secrets(headers: &[(String, String)]) -> Vec<(String, String)> {
    let open = |(name, value): &(String, String)| {
        let secret = SECRETS.contains(&name.as_str());
        (name.clone(), if secret { SECRET.to_owned() } else { value.clone() })
    };
    headers.iter().map(open).collect()
}
