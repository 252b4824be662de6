//! One program from its start to the end of everything it started.
//!
//! All of it happens on a thread of its own, which takes the sandbox upon itself and then ends. The
//! shell waits at a gate until its limits are set, so that nothing runs without them, nor without somebody who
//! ends it if we are killed. Both outputs
//! are one pipe, so their order is that in which they came.

use std::ffi::OsString;
use std::io::{PipeReader, Read as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use louver_store::disk::Inside;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::output::Printed;
use super::survivor::Survivor;

/// How often one looks whether the program is gone or unwanted while it prints nothing.
const TICK: Duration = Duration::from_millis(50);

/// The variable by which processes are known that left their group.
pub(super) const VARIABLE: &str = "LOUVER_EXEC";

/// The limit on the size of files is raised by up to so many bytes, so that no two programs have the
/// same. By that number too processes are known: it is inherited, and survives a wiped environment.
const SPREAD: u64 = 1 << 20;

/// The shell waits for a line before it becomes the one that runs the command.
const GATE: &str = r#"read -r _ || exit 125; exec /bin/sh -c "$1" </dev/null"#;

/// What to run.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) command: String,
    pub(super) environment: Vec<(String, OsString)>,
    pub(super) folder: Inside,
    pub(super) limits: Limits,
    pub(super) mark: Mark,
    /// Who ends it if we are killed.
    pub(super) survivor: Survivor,
    pub(super) time: Duration,
    pub(super) output: usize,
}

/// What one program may use.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "only Linux sets them from outside")
)]
pub(super) struct Limits {
    /// Bytes of memory, for each process.
    pub(super) memory: u64,
    /// Processes, besides those that there are.
    pub(super) processes: u64,
}

/// What became of it.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) how: How,
    pub(super) printed: Printed,
    /// How many processes it left running. They were ended.
    pub(super) left: usize,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Exited(i32),
    Signal(i32),
    TimedOut,
    /// Nobody wanted it any more.
    Stopped,
}

/// The hold that the one who waits has on the program: to let go of it ends the program.
#[derive(Debug, Default)]
pub(super) struct Leash(Arc<Mutex<State>>);

/// The program's end of it.
#[derive(Debug, Clone)]
pub(super) struct Tied(Arc<Mutex<State>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    NotStarted,
    /// The group has this number until its leader is reaped, which happens only after `Ended`.
    Running(Pid),
    Ended,
    Unwanted,
}

impl Leash {
    pub(super) fn tied(&self) -> Tied {
        Tied(self.0.clone())
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Running(group) = *state {
            // Not left to the thread alone: this process may be about to end.
            let _ = kill_process_group(group, Signal::KILL);
        }
        *state = State::Unwanted;
    }
}

impl Tied {
    /// Notes a step. It is not taken when the program is unwanted.
    fn becomes(&self, next: State) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = *state != State::Unwanted;
        if wanted {
            *state = next;
        }
        wanted
    }

    fn is_wanted(&self) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) != State::Unwanted
    }
}

impl Program {
    /// Runs it to its end, and ends whatever it leaves behind.
    pub(super) fn run(mut self, tied: &Tied) -> std::io::Result<Ended> {
        let until = Instant::now() + self.time;
        let mark = self.mark;
        let (output, writer) = std::io::pipe()?;
        let (gate, mut open_gate) = std::io::pipe()?;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", GATE, "sh", &self.command]);
        command.env_clear().envs(self.environment).env(VARIABLE, &mark.variable);
        command.stdin(gate).stdout(writer.try_clone()?).stderr(writer);
        command.process_group(0).current_dir(by_descriptor(&self.folder));
        let mut child = command.spawn()?;
        // It holds our copies of the ends that the program writes to.
        drop(command);
        let group = Pid::from_child(&child);
        let mut watch = Watch { group, output: Some(output), printed: Printed::new(self.output) };
        let ready = match tied.becomes(State::Running(group)) {
            true => {
                let limited = self.limits.set(group, mark.file);
                // If we are killed before, the gate closes with us and the shell ends there.
                let watched = limited.and_then(|()| self.survivor.watch(group));
                watched.and_then(|()| open_gate.write_all(b"\n"))
            }
            false => Ok(()),
        };
        drop(open_gate);
        let cut_short = match &ready {
            Ok(()) => watch.until_gone(until, tied),
            Err(_) => Some(How::Stopped),
        };
        let left = end_all(group, &mark);
        watch.drain();
        tied.becomes(State::Ended);
        let status = child.wait()?;
        ready?;
        Ok(Ended { how: cut_short.unwrap_or_else(|| how(status)), printed: watch.printed, left })
    }
}

/// The folder by its descriptor, which the child has until it becomes the shell. Whatever happens to
/// the names on the way to it, it starts there.
#[cfg(target_os = "linux")]
fn by_descriptor(folder: &Inside) -> std::path::PathBuf {
    use std::os::fd::AsRawFd as _;
    format!("/proc/self/fd/{}", folder.as_fd().as_raw_fd()).into()
}

/// Elsewhere a descriptor has no name that can be a working folder, and the name it has now is used.
#[cfg(not(target_os = "linux"))]
fn by_descriptor(folder: &Inside) -> std::path::PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    let path = rustix::fs::getpath(folder.as_fd()).map(std::ffi::CString::into_bytes);
    OsString::from_vec(path.unwrap_or_else(|_| b"/nonexistent".to_vec())).into()
}

fn how(status: ExitStatus) -> How {
    match (status.code(), status.signal()) {
        (Some(code), _) => How::Exited(code),
        (None, signal) => How::Signal(signal.unwrap_or_default()),
    }
}

/// A program that is being watched.
struct Watch {
    group: Pid,
    /// Until everybody has closed the other end.
    output: Option<PipeReader>,
    printed: Printed,
}

impl Watch {
    /// Waits until the shell is gone, or until it has to go.
    fn until_gone(&mut self, until: Instant, tied: &Tied) -> Option<How> {
        let mut looked = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            match &self.output {
                Some(_) => drop(self.take(TICK)),
                None => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(TICK);
                }
            }
            // A flood of output must not keep us from looking at the clock, nor cost a look each time.
            if self.output.is_some() && looked.elapsed() < TICK {
                continue;
            }
            looked = Instant::now();
            if self.is_gone() {
                return None;
            }
            if !tied.is_wanted() {
                return Some(How::Stopped);
            }
            if looked > until {
                return Some(How::TimedOut);
            }
        }
    }

    /// Whether the shell has ended. It is not reaped, so its number stays taken.
    fn is_gone(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }

    /// Takes what is there to be read, or waits a while for it. Whether there was something.
    fn take(&mut self, wait: Duration) -> bool {
        let Some(output) = &mut self.output else { return false };
        let wait = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
        let mut ends = [PollFd::new(output, PollFlags::IN)];
        if !matches!(poll(&mut ends, Some(&wait)), Ok(1..)) {
            return false;
        }
        let mut bytes = [0; 64 * 1024];
        match output.read(&mut bytes) {
            Ok(0) => self.output = None,
            Ok(n) => self.printed.push(&bytes[..n]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => self.output = None,
        }
        true
    }

    /// Takes what is still in the pipe, which holds a bounded amount once everybody is gone.
    fn drain(&mut self) {
        let mut pieces = 0;
        while pieces < 64 && self.take(Duration::ZERO) {
            pieces += 1;
        }
    }
}

impl Limits {
    /// Sets them for a process that has not begun yet.
    #[cfg(target_os = "linux")]
    fn set(&self, process: Pid, file: u64) -> std::io::Result<()> {
        use rustix::process::{Resource, Rlimit, prlimit};
        let limit = |resource: Resource, most: u64| {
            // Where the person is held tighter already, it stays so.
            let most =
                rustix::process::getrlimit(resource).maximum.map_or(most, |old| most.min(old));
            let most = Rlimit { current: Some(most), maximum: Some(most) };
            prlimit(Some(process), resource, most).map(drop)
        };
        limit(Resource::Core, 0)?;
        limit(Resource::Fsize, file)?;
        // Of memory that it writes to. Of addresses, some programs take terabytes that they never use.
        limit(Resource::Data, self.memory)?;
        limit(Resource::Nproc, self.processes + tasks())?;
        Ok(())
    }

    #[cfg(not(target_os = "linux"))]
    fn set(&self, _: Pid, _: u64) -> std::io::Result<()> {
        Ok(())
    }
}

/// How many tasks the system has now. The limit counts all of a user's, so it starts from there.
#[cfg(target_os = "linux")]
fn tasks() -> u64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let tasks = load.split_whitespace().nth(3).and_then(|field| field.split_once('/'));
    tasks.and_then(|(_, all)| all.parse().ok()).unwrap_or(4_096)
}

/// By what the processes of one program are known.
#[derive(Debug)]
pub(super) struct Mark {
    /// What [`VARIABLE`] is set to.
    pub(super) variable: String,
    /// How large a file may grow, in bytes.
    pub(super) file: u64,
}

impl Mark {
    /// Marks for a program whose files may grow to this many bytes, and a little more.
    pub(super) fn new(file: u64) -> Mark {
        let variable = format!("{}-{:016x}", std::process::id(), fastrand::u64(..));
        Mark { variable, file: file.saturating_add(fastrand::u64(..SPREAD)) }
    }
}

/// Ends everything that was started, and tells how much of it was left.
///
/// The group is ended as one. Who left the group is known by its marks; missed is only a process that
/// left, wiped its environment and lowered its own limit.
fn end_all(group: Pid, mark: &Mark) -> usize {
    let left = mark.processes().len();
    let _ = kill_process_group(group, Signal::KILL);
    for _ in 0..100 {
        let others = mark.processes();
        if others.is_empty() {
            break;
        }
        others.into_iter().for_each(end);
        std::thread::sleep(Duration::from_millis(2));
    }
    left
}

/// A process that cannot become another while it is looked at.
#[cfg(target_os = "linux")]
type Held = std::os::fd::OwnedFd;

#[cfg(target_os = "linux")]
fn end(process: Held) {
    let _ = rustix::process::pidfd_send_signal(&process, Signal::KILL);
}

#[cfg(target_os = "linux")]
impl Mark {
    /// The processes with this mark that have not ended.
    fn processes(&self) -> Vec<Held> {
        use rustix::process::{PidfdFlags, pidfd_open};
        let held = |entry: std::fs::DirEntry| {
            let pid = entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)?;
            let process = pidfd_open(pid, PidfdFlags::empty()).ok()?;
            let folder = entry.path();
            let ours = self.is_in_limits(&folder) || self.is_in_environment(&folder);
            (ours && is_alive(&folder)).then_some(process)
        };
        let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
        processes.flatten().filter_map(held).collect()
    }

    fn is_in_limits(&self, process: &std::path::Path) -> bool {
        let limits = std::fs::read_to_string(process.join("limits")).unwrap_or_default();
        let file = limits.lines().find_map(|line| line.strip_prefix("Max file size"));
        let hard = file.and_then(|numbers| numbers.split_whitespace().nth(1));
        hard.and_then(|hard| hard.parse().ok()) == Some(self.file)
    }

    fn is_in_environment(&self, process: &std::path::Path) -> bool {
        let wanted = format!("{VARIABLE}={}\0", self.variable).into_bytes();
        let environment = std::fs::read(process.join("environ")).unwrap_or_default();
        environment.windows(wanted.len()).any(|part| part == wanted)
    }
}

/// Whether a process runs, and is not only waiting to be reaped.
#[cfg(target_os = "linux")]
fn is_alive(process: &std::path::Path) -> bool {
    let stat = std::fs::read(process.join("stat")).unwrap_or_default();
    let after_name = stat.iter().rposition(|byte| *byte == b')').map_or(&[][..], |at| &stat[at..]);
    !matches!(after_name, [] | [b')', b' ', b'Z' | b'X', ..])
}

#[cfg(not(target_os = "linux"))]
type Held = ();

#[cfg(not(target_os = "linux"))]
fn end((): Held) {}

#[cfg(not(target_os = "linux"))]
impl Mark {
    fn processes(&self) -> Vec<Held> {
        Vec::new()
    }
}
