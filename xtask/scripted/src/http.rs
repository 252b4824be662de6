//! As much of HTTP/1.1 as a model server needs: requests in, whole or chunked answers out.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// The longest head that is read.
const HEAD: u64 = 64 * 1024;
/// The longest body: a conversation with many pictures fits.
const BODY: u64 = 256 * 1024 * 1024;

/// A request as it came in. Header names are in lower case.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Whether the client wants to ask again on the same connection.
    pub(crate) fn keeps_alive(&self) -> bool {
        !self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// The next request of a connection, or none when the client has closed it.
pub(crate) fn read(connection: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let mut head = connection.by_ref().take(HEAD);
    let Some(first) = line(&mut head)? else { return Ok(None) };
    let mut words = first.split(' ').map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(bad("no request line"));
    };
    let mut headers = Vec::new();
    loop {
        let line = line(&mut head)?.ok_or_else(|| bad("the head breaks off"))?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| bad("a header without a colon"))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let body = body(connection, &headers)?;
    Ok(Some(Request { method, path, headers, body }))
}

fn body(
    connection: &mut BufReader<TcpStream>,
    headers: &[(String, String)],
) -> io::Result<Vec<u8>> {
    if header(headers, "expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
        connection.get_mut().write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let mut body = Vec::new();
    if header(headers, "transfer-encoding").is_some() {
        while let size @ 1.. = chunk_size(connection)? {
            append(connection, size, &mut body)?;
            line(connection)?;
        }
        // The line after the last chunk; there are no trailers.
        line(connection)?;
    } else if let Some(length) = header(headers, "content-length") {
        let length = length.parse().map_err(|_| bad("content-length is not a number"))?;
        append(connection, length, &mut body)?;
    }
    Ok(body)
}

fn chunk_size(connection: &mut impl BufRead) -> io::Result<u64> {
    let line = line(connection)?.ok_or_else(|| bad("the body breaks off"))?;
    let size = line.split(';').next().unwrap_or_default().trim();
    u64::from_str_radix(size, 16).map_err(|_| bad("a chunk without a size"))
}

fn append(connection: &mut impl Read, size: u64, body: &mut Vec<u8>) -> io::Result<()> {
    if body.len() as u64 + size > BODY {
        return Err(bad("the body is too long"));
    }
    let read = connection.take(size).read_to_end(body)?;
    if read as u64 == size { Ok(()) } else { Err(bad("the body breaks off")) }
}

/// A line without its end, or none at the end of the connection.
fn line(connection: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    if connection.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

pub(crate) fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|header| header.0 == name).map(|header| header.1.as_str())
}

fn bad(words: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}

/// How the client knows where a body ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Framing {
    Length(usize),
    Chunked,
}

/// Sends the head of an answer.
pub(crate) fn send_head(
    to: &mut impl Write,
    status: u16,
    content_type: &str,
    framing: Framing,
    more: &[(&str, &str)],
) -> io::Result<()> {
    let mut head =
        format!("HTTP/1.1 {status} {}\r\ncontent-type: {content_type}\r\n", word(status));
    match framing {
        Framing::Length(length) => head.push_str(&format!("content-length: {length}\r\n")),
        Framing::Chunked => {
            head.push_str("transfer-encoding: chunked\r\ncache-control: no-cache\r\n");
        }
    }
    for (name, value) in more {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    to.write_all(head.as_bytes())
}

/// Sends a part of a body.
pub(crate) fn send_part(to: &mut impl Write, framing: Framing, bytes: &[u8]) -> io::Result<()> {
    match framing {
        Framing::Length(_) => to.write_all(bytes),
        // In one write, so that it is one packet and not three.
        Framing::Chunked => {
            let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
            chunk.extend_from_slice(bytes);
            chunk.extend_from_slice(b"\r\n");
            to.write_all(&chunk)
        }
    }
}

/// Says that a body is whole.
pub(crate) fn send_end(to: &mut impl Write, framing: Framing) -> io::Result<()> {
    match framing {
        Framing::Length(_) => Ok(()),
        Framing::Chunked => to.write_all(b"0\r\n\r\n"),
    }
}

fn word(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        413 => "Payload Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
