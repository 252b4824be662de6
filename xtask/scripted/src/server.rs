//! A running server.

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::check::Violation;
use crate::record::Recorded;
use crate::script::Script;
use crate::serve::serve;
use crate::state::State;

/// A server that answers from a script. It stops when it is dropped.
pub struct Scripted {
    address: SocketAddr,
    state: Arc<State>,
    listening: Option<JoinHandle<()>>,
}

/// Where a server listens, and where it writes what it is asked.
#[derive(Debug, Default)]
pub struct Options {
    /// The port; any that is free when it is zero.
    pub port: u16,
    /// Gets a line of JSON for each request.
    pub log: Option<File>,
}

impl Scripted {
    /// Starts a server on a free port of the loopback address.
    pub fn start(script: Script) -> io::Result<Scripted> {
        Scripted::start_with(script, Options::default())
    }

    /// Starts a server with options.
    pub fn start_with(script: Script, options: Options) -> io::Result<Scripted> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State::new(script, options.log));
        let shared = Arc::clone(&state);
        let listening = thread::Builder::new()
            .name("scripted".into())
            .spawn(move || listen(&listener, &shared))?;
        Ok(Scripted { address, state, listening: Some(listening) })
    }

    /// Its address, such as `http://127.0.0.1:4321`. Both protocols are below it, with `/v1` and
    /// without.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request for an answer so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.state.inner().recorded.clone()
    }

    /// Every rule that a request has broken so far.
    pub fn violations(&self) -> Vec<Violation> {
        let inner = self.state.inner();
        inner.recorded.iter().flat_map(|recorded| recorded.violations.clone()).collect()
    }

    /// Waits until there were this many requests, half a minute at most. Says whether there were.
    pub fn wait_for(&self, requests: usize) -> bool {
        self.state.wait_for(requests, Duration::from_secs(30))
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.state.stop();
        // Whoever waits for a connection gets one.
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

/// Takes connections in until the server stops, each in a thread of its own. The threads end before
/// this does.
fn listen(listener: &TcpListener, state: &Arc<State>) {
    thread::scope(|scope| {
        for (number, stream) in (0..).zip(listener.incoming()) {
            // A connection that was gone before it was taken in is nobody's.
            let Ok(stream) = stream else { continue };
            if !state.opened(number, &stream) {
                break;
            }
            scope.spawn(move || {
                // What ends a connection is for the client to see.
                let _ = serve(state, stream);
                state.closed(number);
            });
        }
    });
}
