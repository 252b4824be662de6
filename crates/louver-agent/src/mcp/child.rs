//! A server that is a program: started with little, watched, and ended with all it started.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// What every program needs to find its way. All else of louver's environment, keys above all, stays
/// with louver; the settings name what a server is to have besides.
pub const PASSED_ON: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TERM",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
];

/// A program and everything it started, as one process group. Dropping it ends them all.
pub(super) struct Group {
    child: Child,
    /// Its number names the group for as long as the program is not waited for.
    leader: Option<Pid>,
    errors: Arc<Tail>,
    drained: JoinHandle<()>,
}

/// How a program ended.
pub(super) struct Ended {
    /// With which status.
    pub(super) status: Option<ExitStatus>,
    /// The last it said on stderr.
    pub(super) said: Option<String>,
}

/// Starts a program in a folder; gives it and its two ends of the conversation.
pub(super) fn start(
    program: &str,
    arguments: &[String],
    env: &[(String, String)],
    folder: &Path,
) -> io::Result<(Group, ChildStdout, ChildStdin)> {
    let base = PASSED_ON.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(base)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let gone = || io::Error::other("its standard streams are not there");
    let output = child.stdout.take().ok_or_else(gone)?;
    let input = child.stdin.take().ok_or_else(gone)?;
    let stderr = child.stderr.take().ok_or_else(gone)?;
    let errors = Arc::new(Tail::default());
    let drained = tokio::spawn(drain(stderr, errors.clone()));
    let leader = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    Ok((Group { child, leader, errors, drained }, output, input))
}

/// How long a program may take to end by itself once its input is closed, and again once it is asked.
const PATIENCE: Duration = Duration::from_millis(500);

impl Group {
    /// Ends the group, gently at first, and says how its program ended. Its input is closed already.
    pub(super) async fn end(mut self) -> Ended {
        if !self.ends_within(PATIENCE).await {
            self.signal(Signal::TERM);
            self.ends_within(PATIENCE).await;
        }
        // Whatever the program left behind goes with it. Only now may it be waited for: until then
        // its number cannot become another's.
        self.signal(Signal::KILL);
        self.leader = None;
        let status = self.child.wait().await.ok();
        // Someone who left the group may hold stderr open for ever.
        let _ = tokio::time::timeout(PATIENCE, &mut self.drained).await;
        Ended { status, said: self.errors.last_lines() }
    }

    async fn ends_within(&self, patience: Duration) -> bool {
        let step = Duration::from_millis(10);
        let mut waited = Duration::ZERO;
        while !self.has_ended() {
            if waited >= patience {
                return false;
            }
            tokio::time::sleep(step).await;
            waited += step;
        }
        true
    }

    fn has_ended(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.leader.is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), look), Ok(None)))
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            // It fails when all of them have ended, and that is what is wanted.
            let _ = kill_process_group(leader, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        self.drained.abort();
    }
}

/// The end of a stream: enough to see why a program failed, however much it says.
#[derive(Default)]
struct Tail(Mutex<Vec<u8>>);

const LONGEST_TAIL: usize = 2_048;

impl Tail {
    fn add(&self, bytes: &[u8]) {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(bytes);
        let over = tail.len().saturating_sub(LONGEST_TAIL);
        tail.drain(..over);
    }

    /// Its last lines, if there are any.
    fn last_lines(&self) -> Option<String> {
        let tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail).into_owned();
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = lines[lines.len().saturating_sub(3)..].join(" | ");
        Some(super::offer::visible(&last, 400)).filter(|last| !last.is_empty())
    }
}

async fn drain(mut stream: impl AsyncRead + Unpin, into: Arc<Tail>) {
    let mut buffer = [0; 4_096];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        into.add(&buffer[..read]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_keeps_the_end_of_what_is_said() {
        let tail = Tail::default();
        assert_eq!(tail.last_lines(), None);
        (0..10_000).for_each(|n| tail.add(format!("line {n}\n\n").as_bytes()));
        tail.add(b"\x1b[31mlast \xff\n");
        assert_eq!(tail.last_lines().unwrap(), "line 9998 | line 9999 | [31mlast \u{fffd}");
        assert!(tail.0.lock().unwrap().len() <= LONGEST_TAIL);
    }
}
