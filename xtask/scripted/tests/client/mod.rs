//! A small HTTP client that sees what a library would hide: chunks, and bodies that break off.
#![allow(clippy::unwrap_used, dead_code, reason = "shared by tests that each use a part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

/// A connection that is kept.
pub(crate) struct Client(BufReader<TcpStream>);

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
    /// How many chunks it came in.
    pub(crate) chunks: usize,
    /// Whether the body is as long as was said.
    pub(crate) whole: bool,
}

pub(crate) const KEY: &str = "sk-test-0123456789";

impl Client {
    pub(crate) fn new(url: &str) -> Client {
        let address = url.strip_prefix("http://").unwrap();
        Client(BufReader::new(TcpStream::connect(address).unwrap()))
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) {
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: test\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.0.get_mut().write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], "");
        self.answer().unwrap()
    }

    /// A request in OpenAI's form; none when the connection ends before an answer.
    pub(crate) fn openai(&mut self, body: &Value) -> Option<Answer> {
        let bearer = format!("Bearer {KEY}");
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
        self.send("POST", "/v1/chat/completions", &headers, &body.to_string());
        self.answer()
    }

    /// A request in Anthropic's form.
    pub(crate) fn anthropic(&mut self, body: &Value) -> Option<Answer> {
        let headers = [
            ("X-Api-Key", KEY),
            ("Anthropic-Version", "2023-06-01"),
            ("Content-Type", "application/json"),
        ];
        self.send("POST", "/v1/messages", &headers, &body.to_string());
        self.answer()
    }

    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.0.read_line(&mut line) {
            Ok(1..) => Some(line.trim_end().to_owned()),
            _ => None,
        }
    }

    pub(crate) fn answer(&mut self) -> Option<Answer> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = Vec::new();
        while let Some(line) = self.line().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(": ").unwrap();
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let mut answer = Answer { status, headers, body: String::new(), chunks: 0, whole: false };
        let mut bytes = Vec::new();
        match answer.header("content-length").map(|length| length.parse::<u64>().unwrap()) {
            Some(length) => {
                // A connection that is reset has given what it gave.
                let _ = self.0.by_ref().take(length).read_to_end(&mut bytes);
                answer.whole = bytes.len() as u64 == length;
            }
            None => answer.whole = self.chunks(&mut bytes, &mut answer.chunks).is_some(),
        }
        answer.body = String::from_utf8_lossy(&bytes).into_owned();
        Some(answer)
    }

    fn chunks(&mut self, bytes: &mut Vec<u8>, chunks: &mut usize) -> Option<()> {
        loop {
            let size = u64::from_str_radix(&self.line()?, 16).unwrap();
            let before = bytes.len();
            let _ = self.0.by_ref().take(size).read_to_end(bytes);
            if ((bytes.len() - before) as u64) < size {
                return None;
            }
            self.line()?;
            if size == 0 {
                return Some(());
            }
            *chunks += 1;
        }
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.0 == name).map(|header| header.1.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// What follows `data:` in each event.
    pub(crate) fn data(&self) -> Vec<&str> {
        self.body.lines().filter_map(|line| line.strip_prefix("data: ")).collect()
    }

    /// The events as JSON, without OpenAI's last word.
    pub(crate) fn events(&self) -> Vec<Value> {
        let data = self.data();
        let json = data.iter().filter(|data| **data != "[DONE]");
        json.map(|data| serde_json::from_str(data).unwrap()).collect()
    }

    /// The names in the lines `event:`.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.body.lines().filter_map(|line| line.strip_prefix("event: ")).collect()
    }

    /// What all events have at this place, put together.
    pub(crate) fn joined(&self, place: &str) -> String {
        let events = self.events();
        events.iter().filter_map(|event| event.pointer(place)?.as_str()).collect()
    }
}

/// A request in OpenAI's form with these messages.
pub(crate) fn openai(messages: Value) -> Value {
    json!({"model": "m", "messages": messages, "tools": [{"type": "function", "function": {
        "name": "read_file", "parameters": {"type": "object"}}}]})
}

/// A request in Anthropic's form with these messages.
pub(crate) fn anthropic(messages: Value) -> Value {
    json!({"model": "m", "max_tokens": 100, "messages": messages,
        "tools": [{"name": "read_file", "input_schema": {"type": "object"}}]})
}

/// The same, streamed.
pub(crate) fn streamed(mut body: Value) -> Value {
    body["stream"] = json!(true);
    body
}

pub(crate) fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}
