//! Servers on loopback that answer as they are told and count who came.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A server that runs until the tests end.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    hits: Arc<AtomicUsize>,
}

impl Server {
    /// Connections that were made to it, whatever was sent over them.
    pub(crate) fn hits(&self) -> usize {
        self.hits.load(Ordering::SeqCst)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

/// Serves on 127.0.0.1. The closure is given the head of the request.
pub(crate) fn serve(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Server {
    serve_at("127.0.0.1".parse().unwrap(), 0, answer).unwrap()
}

/// Serves on an address and a port, 0 for any that is free.
pub(crate) fn serve_at(
    address: IpAddr,
    port: u16,
    answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static,
) -> std::io::Result<Server> {
    let listener = TcpListener::bind((address, port))?;
    let address = listener.local_addr()?;
    let hits = Arc::new(AtomicUsize::new(0));
    let (count, answer) = (hits.clone(), Arc::new(answer));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::SeqCst);
            let answer = answer.clone();
            thread::spawn(move || one_request(stream, &*answer));
        }
    });
    Ok(Server { address, hits })
}

fn one_request(mut stream: TcpStream, answer: &(impl Fn(&str, &mut TcpStream) + ?Sized)) {
    let (mut head, mut buffer) = (Vec::new(), [0; 4096]);
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(read @ 1..) => head.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    answer(&String::from_utf8_lossy(&head), &mut stream);
    // Closing with something unread would reset the connection before the answer is read.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    while matches!(stream.read(&mut buffer), Ok(1..)) {}
}

/// Answers a page.
pub(crate) fn page(stream: &mut TcpStream, status: &str, headers: &str, body: impl AsRef<[u8]>) {
    let body = body.as_ref();
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

/// The path of a request.
pub(crate) fn path(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}
