//! Processes that are watched: what they report is taken down, and they end with us.

use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::ledger::Ledger;
use crate::said::Said;

/// A ledger that several threads write to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<Ledger>>);

impl Shared {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report(&self, line: &str) {
        let said = Said::parse(line);
        let mut ledger = self.lock();
        match said {
            Some(said) => ledger.take(said),
            None => ledger.findings.push(format!("a report is not understood: {line}")),
        }
    }
}

/// A process that reports.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    listener: Option<JoinHandle<()>>,
    spoke: Arc<AtomicBool>,
}

impl Running {
    /// Starts a process whose reports go into a ledger.
    pub(crate) fn start(command: &mut Command, ledger: &Shared) -> Result<Running> {
        let ledger = ledger.clone();
        Running::heard(command, move |line| ledger.report(line))
    }

    /// Starts a process whose lines are heard as they come.
    pub(crate) fn heard(
        command: &mut Command,
        hear: impl FnMut(&str) + Send + 'static,
    ) -> Result<Running> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot start a process")?;
        let pipe = child.stdout.take().context("a process has no output")?;
        let spoke = Arc::new(AtomicBool::new(false));
        let heard = spoke.clone();
        let listener = std::thread::spawn(move || listen(pipe, hear, &heard));
        Ok(Running { child, listener: Some(listener), spoke })
    }

    /// Waits until it has reported something. Says whether it did.
    pub(crate) fn wait_spoken(&self, longest: Duration) -> bool {
        let end = Instant::now() + longest;
        while !self.spoke.load(Ordering::Relaxed) {
            if Instant::now() > end {
                return false;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        true
    }

    /// How it ended, when it did by itself.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Sends SIGINT, as Ctrl-C does.
    pub(crate) fn interrupt(&self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            // It may have ended by itself.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
        }
    }

    /// Ends it with SIGKILL. Everything that it had reported is in the ledger afterwards.
    pub(crate) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.listened();
    }

    /// Waits for its end; one that does not come to it is killed, and there is no status.
    pub(crate) fn finish(&mut self, longest: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + longest;
        let status = loop {
            match self.ended() {
                None if Instant::now() < end => std::thread::sleep(Duration::from_millis(1)),
                ended => break ended,
            }
        };
        self.kill();
        status
    }

    fn listened(&mut self) {
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn listen(pipe: impl Read, mut hear: impl FnMut(&str), heard: &AtomicBool) {
    for line in BufReader::new(pipe).lines() {
        let Ok(line) = line else { return };
        hear(&line);
        heard.store(true, Ordering::Relaxed);
    }
}

/// This program with another task.
pub(crate) fn this(task: &str, workspace: &Path) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe().context("who am I?")?);
    command.arg(task).arg("--workspace").arg(workspace);
    Ok(command)
}
