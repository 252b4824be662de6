//! What the connections of a server share.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cache::Cache;
use crate::play::Play;
use crate::record::Recorded;
use crate::script::Script;

/// What the connections of a server share.
pub(crate) struct State {
    pub(crate) script: Script,
    inner: Mutex<Inner>,
    /// Rung when a request was recorded, and when the server stops.
    bell: Condvar,
}

/// The part of it that changes.
pub(crate) struct Inner {
    pub(crate) play: Play,
    pub(crate) cache: Cache,
    pub(crate) recorded: Vec<Recorded>,
    log: Option<File>,
    connections: HashMap<u64, TcpStream>,
    stopped: bool,
}

impl State {
    pub(crate) fn new(script: Script, log: Option<File>) -> State {
        let inner = Inner {
            play: Play::default(),
            cache: Cache::default(),
            recorded: Vec::new(),
            log,
            connections: HashMap::new(),
            stopped: false,
        };
        State { script, inner: Mutex::new(inner), bell: Condvar::new() }
    }

    /// A connection that panicked has left nothing half done: what it changes, it changes last.
    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The models to list: there is always one to choose.
    pub(crate) fn models(&self) -> Vec<String> {
        let models = &self.script.models;
        if models.is_empty() { vec!["scripted".into()] } else { models.clone() }
    }

    /// Tells those who wait for requests.
    pub(crate) fn recorded_one(&self) {
        self.bell.notify_all();
    }

    /// Waits until there were this many requests. Says whether there were.
    pub(crate) fn wait_for(&self, requests: usize, longest: Duration) -> bool {
        let few = |inner: &mut Inner| inner.recorded.len() < requests && !inner.stopped;
        let waited = self.bell.wait_timeout_while(self.inner(), longest, few);
        waited.unwrap_or_else(PoisonError::into_inner).0.recorded.len() >= requests
    }

    /// Waits, and fails when the server stops meanwhile.
    pub(crate) fn pause(&self, time: Duration) -> io::Result<()> {
        if time.is_zero() {
            return Ok(());
        }
        let waited = self.bell.wait_timeout_while(self.inner(), time, |inner| !inner.stopped);
        let stopped = waited.unwrap_or_else(PoisonError::into_inner).0.stopped;
        if stopped { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }

    /// Takes a connection in. Says whether the server still wants any.
    pub(crate) fn opened(&self, number: u64, stream: &TcpStream) -> bool {
        let mut inner = self.inner();
        if let Ok(copy) = stream.try_clone() {
            inner.connections.insert(number, copy);
        }
        !inner.stopped
    }

    pub(crate) fn closed(&self, number: u64) {
        self.inner().connections.remove(&number);
    }

    /// Ends every connection, also those that wait or send.
    pub(crate) fn stop(&self) {
        let mut inner = self.inner();
        inner.stopped = true;
        for (_, connection) in inner.connections.drain() {
            // It may have ended by itself.
            let _ = connection.shutdown(Shutdown::Both);
        }
        drop(inner);
        self.bell.notify_all();
    }
}

impl Inner {
    /// Keeps a request, in the log too. A log that cannot be written is the test's to find missing.
    pub(crate) fn record(&mut self, recorded: Recorded) {
        if let Some(file) = &mut self.log {
            let _ = recorded.log(file);
        }
        self.recorded.push(recorded);
    }
}
