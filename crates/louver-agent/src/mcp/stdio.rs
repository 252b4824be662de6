//! Messages over a program's standard streams: one line of JSON each.
//!
//! Written here and not taken from `rmcp`, whose own drops a line that is too long and lets the call
//! wait: here it ends the conversation, and what ended it is known. What is no message is passed
//! over, as long as there is little of it: many programs greet on stdout.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc;

/// The largest message: what `rmcp` takes over HTTP.
const LONGEST_LINE: usize = 16 << 20;
/// As many bytes that are no messages as a program may print.
const MOST_NOISE: usize = 1 << 20;
/// As many messages as may wait for a program that does not read.
const MOST_WAITING: usize = 64;

/// A conversation with a program.
pub(super) struct Lines {
    input: Arc<tokio::sync::Mutex<Option<ChildStdin>>>,
    waiting: Arc<AtomicUsize>,
    messages: mpsc::Receiver<RxJsonRpcMessage<RoleClient>>,
}

/// What was wrong with what a program printed.
#[derive(Default)]
pub(super) struct Fault(Mutex<Option<&'static str>>);

impl Fault {
    fn set(&self, fault: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
    }

    pub(super) fn get(&self) -> Option<&'static str> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    pub(super) fn new(output: ChildStdout, input: ChildStdin) -> (Lines, Arc<Fault>) {
        let fault = Arc::new(Fault::default());
        let (send, messages) = mpsc::channel(16);
        tokio::spawn(read(BufReader::new(output), send, fault.clone()));
        let input = Arc::new(tokio::sync::Mutex::new(Some(input)));
        (Lines { input, waiting: Arc::default(), messages }, fault)
    }
}

impl Transport<RoleClient> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (input, waiting) = (self.input.clone(), self.waiting.clone());
        async move {
            let turn = Turn::take(waiting)?;
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut input = input.lock().await;
            let open = input.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            open.write_all(&line).await?;
            open.flush().await?;
            drop(turn);
            Ok(())
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.messages.recv()
    }

    async fn close(&mut self) -> io::Result<()> {
        self.input.lock().await.take();
        Ok(())
    }
}

/// A place among the messages that wait to be written.
struct Turn(Arc<AtomicUsize>);

impl Turn {
    fn take(waiting: Arc<AtomicUsize>) -> io::Result<Turn> {
        let before = waiting.fetch_add(1, Ordering::Relaxed);
        let turn = Turn(waiting);
        match before < MOST_WAITING {
            true => Ok(turn),
            false => Err(io::Error::other("it does not read what it is sent")),
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Reads messages until there are no more, nobody wants them, or they are no messages.
async fn read<R: AsyncRead + Unpin>(
    mut output: BufReader<R>,
    messages: mpsc::Sender<RxJsonRpcMessage<RoleClient>>,
    fault: Arc<Fault>,
) {
    let mut noise = 0;
    let mut line = Vec::new();
    loop {
        match next_line(&mut output, &mut line, LONGEST_LINE).await {
            Line::Whole => {}
            Line::End => return,
            Line::TooLong => return fault.set("it sent a message of more than 16 MiB"),
        }
        match serde_json::from_slice(&line) {
            Err(_) => noise += line.len(),
            Ok(message) => {
                if messages.send(message).await.is_err() {
                    return;
                }
            }
        }
        if noise > MOST_NOISE {
            return fault.set("it prints on stdout what is not the protocol");
        }
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

async fn next_line<R: AsyncRead + Unpin>(
    output: &mut BufReader<R>,
    line: &mut Vec<u8>,
    longest: usize,
) -> Line {
    // One huge line must not keep its room for ever.
    line.clear();
    line.shrink_to(64 << 10);
    loop {
        let (taken, whole) = match output.fill_buf().await {
            Ok([]) | Err(_) => return Line::End,
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                let taken = end.map_or(bytes.len(), |end| end + 1);
                line.extend_from_slice(&bytes[..taken]);
                (taken, end.is_some())
            }
        };
        output.consume(taken);
        if line.len() > longest {
            return Line::TooLong;
        }
        if whole {
            return Line::Whole;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn said(bytes: &[u8]) -> (usize, Option<&'static str>) {
        let (send, mut messages) = mpsc::channel(16);
        let fault = Arc::new(Fault::default());
        read(BufReader::new(bytes), send, fault.clone()).await;
        let mut count = 0;
        while messages.recv().await.is_some() {
            count += 1;
        }
        (count, fault.get())
    }

    #[tokio::test]
    async fn what_is_no_message_is_passed_over() {
        let bytes = b"Server ready!\n\n{\"a\":\n[1]\n\xff\xfe\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n{\"half";
        assert_eq!(said(bytes).await, (1, None));
    }

    #[tokio::test]
    async fn endless_noise_and_endless_lines_end_the_conversation() {
        let noise = "hello\n".repeat(MOST_NOISE / 6 + 1);
        let fault = "it prints on stdout what is not the protocol";
        assert_eq!(said(noise.as_bytes()).await, (0, Some(fault)));
        let line = vec![b'x'; LONGEST_LINE + 1];
        assert_eq!(said(&line).await, (0, Some("it sent a message of more than 16 MiB")));
    }
}
