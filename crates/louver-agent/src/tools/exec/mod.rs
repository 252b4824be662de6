//! Runs a shell command in the workspace, confined, bounded, and wholly gone afterwards.

mod child;
mod environment;
mod modes;
mod output;
mod scratch;
mod survivor;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use louver_context::snapshot::ToolSchema;
use louver_store::Folder;
use louver_store::disk::PROTECTED;
use louver_store::workspace::MEMORY;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::oneshot;

use self::child::{Ended, How, Leash, Limits, Mark, Program, Tied};
use self::modes::Modes;
use self::scratch::Scratch;
use self::survivor::Survivor;
use super::disk::{missing, spot, unreadable};
use super::sandbox::{self, Available, Reach};
use super::{Desk, Output, Running, Tool, arguments, schema};
use crate::permit::Guarded;

/// The longest a command may be given, in seconds.
pub const LONGEST: u64 = 600;

/// How commands are run: `[tools.exec]` in the person's own settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExecConfig {
    /// Seconds that a command has unless it asks for more, at most [`LONGEST`].
    pub timeout: u64,
    /// Bytes of output that are kept: the beginning and the end of it.
    pub output: usize,
    /// Names of environment variables that are passed on. Those that look like keys never are.
    pub pass_env: Vec<String>,
    /// Whether TCP connections are allowed.
    pub network: bool,
    /// Paths outside the workspace that may be read and run from.
    pub read: Vec<PathBuf>,
    /// Paths outside the workspace that may be written.
    pub write: Vec<PathBuf>,
    /// MiB of memory for each process.
    pub memory: u64,
    /// MiB that one file may grow to.
    pub file_size: u64,
    /// Processes, besides those that run already.
    pub processes: u64,
    /// Whether `HOME` is the person's own. Otherwise it is a temporary folder: programs such as git
    /// stop when their settings are there and must not be read.
    pub home: bool,
    /// Whether commands are confined.
    pub sandbox: Confine,
    /// Whether new names may be made at the top of the workspace. `.louver/`, `louver.toml` and
    /// MEMORY.md can then be written by commands too: the kernel cannot take them out.
    pub new_at_top: bool,
}

/// Whether commands are confined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confine {
    /// Where the kernel can.
    #[default]
    Auto,
    /// Or they do not run.
    Required,
    /// Not at all.
    Off,
}

impl Default for ExecConfig {
    fn default() -> Self {
        ExecConfig {
            timeout: 60,
            output: 14_000,
            pass_env: Vec::new(),
            network: false,
            read: Vec::new(),
            write: Vec::new(),
            memory: 4_096,
            file_size: 1_024,
            processes: 512,
            home: false,
            sandbox: Confine::Auto,
            new_at_top: false,
        }
    }
}

impl ExecConfig {
    /// Variables that are to be passed on and are not, because they look like keys.
    pub fn refused_variables(&self) -> Vec<&str> {
        let names = self.pass_env.iter().map(String::as_str);
        names.filter(|name| environment::looks_secret(name, b"")).collect()
    }
}

/// Runs a shell command.
#[derive(Debug, Default)]
pub struct Exec {
    config: Arc<ExecConfig>,
    guarded: Guarded,
    scratch: Arc<Mutex<Option<Arc<Scratch>>>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    command: String,
    /// Seconds, at most 600
    timeout: Option<u64>,
    /// Folder to run in
    cwd: Option<String>,
}

impl Exec {
    /// Runs commands like this.
    pub fn new(config: ExecConfig) -> Exec {
        Exec { config: Arc::new(config), ..Exec::default() }
    }

    /// The same, where commands do not write these files.
    #[must_use]
    pub fn guarding(self, guarded: Guarded) -> Exec {
        Exec { guarded, ..self }
    }
}

impl Tool for Exec {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>("exec", "Run a shell command in the workspace.")
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            let given = match arguments::<Arguments>(given) {
                Ok(given) => given,
                Err(wrong) => return wrong,
            };
            let leash = Leash::default();
            let tied = leash.tied();
            let job = Job {
                given,
                config: self.config.clone(),
                guarded: self.guarded.clone(),
                scratch: self.scratch.clone(),
                folder: desk.folder.clone(),
            };
            let (told, answer) = oneshot::channel();
            // A thread of its own, and not one of a pool: the sandbox binds it for good.
            let started = std::thread::Builder::new().name("exec".into()).spawn(move || {
                // Nobody may be waiting any more.
                let _ = told.send(job.run(&tied));
            });
            match started {
                Ok(_) => answer.await.unwrap_or_else(|_| broken("its thread ended early")),
                Err(error) => broken(error),
            }
        })
    }
}

fn broken(why: impl std::fmt::Display) -> Output {
    Output::failed(format!("the command could not be started: {why}"))
}

/// One command and what it is run with.
struct Job {
    given: Arguments,
    config: Arc<ExecConfig>,
    guarded: Guarded,
    scratch: Arc<Mutex<Option<Arc<Scratch>>>>,
    folder: Arc<Folder>,
}

impl Job {
    fn run(self, tied: &Tied) -> Output {
        let config = &self.config;
        let spot = match spot(&self.folder, self.given.cwd.as_deref().unwrap_or(".")) {
            Ok(spot) => spot,
            Err(refused) => return refused,
        };
        let folder = match spot.enter() {
            Ok(folder) => folder,
            Err(error) if error.is_missing() => return missing(&spot),
            Err(error) => return unreadable(&error),
        };
        let scratch = match self.scratch() {
            Ok(scratch) => scratch,
            Err(error) => return broken(error),
        };
        let mebibytes = |n: u64| n.saturating_mul(1024 * 1024);
        let mark = Mark::new(mebibytes(config.file_size));
        let survivor = match Survivor::start(&mark) {
            Ok(survivor) => survivor,
            Err(error) => return broken(error),
        };
        let modes = self.modes();
        let path = environment::path_folders(std::env::var_os("PATH"));
        let held = match self.confine(&path, &scratch) {
            Ok(held) => held,
            Err(refused) => return refused,
        };
        let mut environment =
            environment::scrubbed(&config.pass_env, |name| std::env::var_os(name));
        environment.push(("TMPDIR".into(), scratch.path.join("tmp").into()));
        if !config.home {
            // The later of two counts.
            environment.push(("HOME".into(), scratch.path.join("home").into()));
        }
        // Each came out of such a list, so they fit into one.
        environment.push(("PATH".into(), std::env::join_paths(path).unwrap_or_default()));
        let seconds = self.given.timeout.unwrap_or(config.timeout).clamp(1, LONGEST);
        let program = Program {
            command: self.given.command,
            environment,
            folder,
            limits: Limits { memory: mebibytes(config.memory), processes: config.processes },
            mark,
            survivor,
            time: Duration::from_secs(seconds),
            output: config.output,
        };
        let names_address = program.command.contains("://");
        let ran = program.run(tied);
        // Where the sandbox keeps nothing from being written, a mode is not worth more.
        let put_back = if held.files() { modes.put_back() } else { Vec::new() };
        let mut output = match ran {
            Ok(ended) => told(ended, seconds, config, held, names_address),
            Err(error) => return broken(error),
        };
        if !put_back.is_empty() {
            let names = put_back.join(", ");
            output.words +=
                &format!("; modes of what commands do not change were put back: {names}");
        }
        output
    }

    /// The modes of what the sandbox keeps from being written. They are noted before it binds this thread, which may not
    /// look at all of it then.
    fn modes(&self) -> Modes {
        let open = self.config.new_at_top && !self.folder.hides_private();
        if open || self.config.sandbox == Confine::Off {
            return Modes::default();
        }
        let kept = PROTECTED.into_iter().chain(MEMORY).chain(self.guarded.paths());
        Modes::note(self.folder.path(), kept)
    }

    /// Binds this thread.
    fn confine(&self, path: &[PathBuf], scratch: &Scratch) -> Result<Available, Output> {
        let config = &self.config;
        if config.sandbox == Confine::Off {
            return Ok(Available::Missing);
        }
        let home = std::env::home_dir();
        let mut read = environment::readable(path, home.as_deref());
        read.extend(config.read.iter().cloned());
        let mut write = config.write.clone();
        write.push(scratch.path.clone());
        let (network, new_at_top) = (config.network, config.new_at_top);
        let guarded = self.guarded.clone();
        let reach = Reach { read, write, network, new_at_top, guarded };
        let held = sandbox::restrict(&self.folder, &reach).map_err(broken)?;
        if config.sandbox == Confine::Required && !held.files() {
            return Err(broken(format!("{held}, and the settings require it")));
        }
        Ok(held)
    }

    /// The temporary folder that all commands of this tool share.
    fn scratch(&self) -> std::io::Result<Arc<Scratch>> {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(scratch) = scratch.as_ref().filter(|scratch| scratch.is_whole()) {
            return Ok(scratch.clone());
        }
        let made = Arc::new(Scratch::new()?);
        Ok(scratch.insert(made).clone())
    }
}

/// What became of a command, for a model.
fn told(
    ended: Ended,
    seconds: u64,
    config: &ExecConfig,
    held: Available,
    names_address: bool,
) -> Output {
    let Ended { how, printed, left } = ended;
    let mut words = match how {
        How::Exited(code) => format!("exit status {code}"),
        How::Signal(signal) => format!("ended by signal {signal}{}", meaning(signal, config)),
        How::TimedOut => {
            format!(
                "stopped after {seconds} s, with everything it started; `timeout` may be {LONGEST}"
            )
        }
        How::Stopped => "stopped".to_owned(),
    };
    if left > 0 && matches!(how, How::Exited(_) | How::Signal(_)) {
        words += &match left {
            1 => "; a process it left running was ended".to_owned(),
            n => format!("; {n} processes it left running were ended"),
        };
    }
    let (all, left_out) = (printed.all(), printed.left_out());
    match (all, left_out) {
        (0, _) => words += "; no output",
        (_, 0) => {}
        _ => words += &format!("; of {all} bytes of output the middle {left_out} are left out"),
    }
    let whole = printed.whole();
    let text = printed.text();
    let failed = how != How::Exited(0);
    if failed && held.files() {
        words += refusals(&text, config, names_address);
    }
    Output { words, data: (all > 0).then_some(text), whole, failed }
}

/// What a signal says that a limit sent.
fn meaning(signal: i32, config: &ExecConfig) -> String {
    match signal {
        9 => " (killed)".into(),
        11 => " (a fault in the program)".into(),
        25 => format!(" (a file grew past {} MiB)", config.file_size),
        _ => String::new(),
    }
}

/// Why something may have been refused, when the program says that it was, or wanted an address and says nothing.
fn refusals(text: &str, config: &ExecConfig, names_address: bool) -> &'static str {
    let says = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
    let denied = says(&["Permission denied", "Operation not permitted", "EACCES"]);
    let no_net = says(&["resolve host", "name resolution", "connect", "Network is unreachable"]);
    let no_net = no_net || (names_address && text.trim().is_empty());
    match (denied, no_net && !config.network) {
        (_, true) => "; commands have no network here: web_fetch gets pages",
        (true, _) => {
            "; commands write only in the workspace's folders and $TMPDIR (instruction files, skills and new names at its top: \
             write_file), and do not read the person's home folder"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::Bench;
    use super::*;

    fn run(command: &str) -> Output {
        Bench::new().run(&Exec::default(), json!({"command": command}))
    }

    #[test]
    fn what_is_printed_comes_back_in_order_with_the_status() {
        let output = run("echo one; echo two >&2; echo three; exit 3");
        let wanted =
            Output { failed: true, ..Output::said("exit status 3").with("one\ntwo\nthree\n") };
        assert_eq!(output, wanted);
        assert_eq!(run("true"), Output::said("exit status 0; no output"));
        let output = run("seq 20000");
        assert!(output.words.ends_with("are left out"), "{}", output.words);
        assert!(output.whole.unwrap().contains("\n10000\n10001\n"));
        let output = run("kill -TERM $$");
        assert_eq!(output, Output::failed("ended by signal 15; no output"));
    }

    #[test]
    fn a_command_that_wants_an_address_and_says_nothing_had_no_network() {
        let (closed, open) =
            (ExecConfig::default(), ExecConfig { network: true, ..ExecConfig::default() });
        assert!(refusals("\n", &closed, true).ends_with("web_fetch gets pages"));
        assert_eq!(refusals("", &closed, false), "");
        assert_eq!(refusals("no such option", &closed, true), "");
        assert_eq!(refusals("", &open, true), "");
    }

    #[test]
    fn it_runs_in_the_folder_it_was_told() {
        let bench = Bench::new();
        std::fs::create_dir_all(bench.path("a/b")).unwrap();
        let pwd = |cwd: &str| bench.run(&Exec::default(), json!({"command": "pwd", "cwd": cwd}));
        let real = bench.path("a/b").canonicalize().unwrap();
        assert_eq!(pwd("a/b").data.unwrap().trim(), real.to_str().unwrap());
        assert_eq!(
            pwd("c").words,
            "there is no c; list_dir shows what there is, search_files finds more"
        );
    }

    #[test]
    fn a_command_reads_nothing_from_us() {
        assert_eq!(run("cat; echo done").data.unwrap(), "done\n");
    }

    #[test]
    fn limits_are_set_before_it_begins() {
        let output =
            run("ulimit -c; test $(ulimit -f) -ge 2097152 && test $(ulimit -f) -le 2099200");
        assert_eq!(output, Output::said("exit status 0").with("0\n"));
        let config = ExecConfig { memory: 64, ..ExecConfig::default() };
        let big = "x=$(head -c 200000000 /dev/zero | tr '\\0' a); echo ${#x}";
        let output = Bench::new().run(&Exec::new(config), json!({"command": big}));
        assert!(output.failed, "{output:?}");
    }

    #[test]
    fn the_usual_programs_run_in_the_sandbox() {
        let bench = Bench::new();
        std::fs::create_dir(bench.path("work")).unwrap();
        let run =
            |command: &str| bench.run(&Exec::default(), json!({"command": command, "cwd": "work"}));
        for (program, command) in [
            ("sh", "echo a > a && mkdir b && mv a b/c && ln -s c b/d && cat b/d && rm -r b"),
            (
                "git",
                "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log",
            ),
            (
                "python3",
                "python3 -c 'import tempfile, json; tempfile.TemporaryFile(); open(\"p\", \"w\")'",
            ),
        ] {
            let there = std::process::Command::new("sh")
                .args(["-c", &format!("command -v {program}")])
                .output();
            if !there.is_ok_and(|there| there.status.success()) {
                eprintln!("skipped: there is no {program} here");
                continue;
            }
            let output = run(command);
            assert!(!output.failed, "{program}: {output:?}");
        }
    }

    #[test]
    fn settings_are_read_with_defaults_for_the_rest() {
        let config: ExecConfig = serde_json::from_value(
            json!({"network": true, "sandbox": "required", "pass_env": ["A_KEY"]}),
        )
        .unwrap();
        assert_eq!((config.network, config.timeout), (true, 60));
        assert_eq!(config.refused_variables(), ["A_KEY"]);
        assert!(serde_json::from_value::<ExecConfig>(json!({"netwrok": true})).is_err());
    }

    #[test]
    fn the_temporary_folder_lasts_as_long_as_the_tool() {
        let (bench, exec) = (Bench::new(), Exec::default());
        let run = |command: &str| bench.run(&exec, json!({"command": command}));
        let path = run("echo x > $TMPDIR/a; printf %s $TMPDIR").data.unwrap();
        assert_eq!(run("cat $TMPDIR/a").data.unwrap(), "x\n");
        drop(exec);
        assert!(!std::path::Path::new(&path).exists());
    }
}
