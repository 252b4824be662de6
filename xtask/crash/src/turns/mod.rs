//! An agent in the middle of a turn of ten steps, and SIGKILL or Ctrl-C at any of its points.
//!
//! The victim is `louver ask` itself, against a model server that answers from a script. What it
//! printed is what it acknowledged. Afterwards the log must hold it, and a next turn must go on from
//! there: the model is told of every finished step, and asks for the others alone.
//!
//! ```text
//! plan ▶ script ▶ server ◀ louver ask ▶ lines ▶ kill ▶ log ▶ what is left of the plan ▶ …
//! ```

mod check;
mod heard;
mod plan;
pub(crate) mod twin;

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use louver_scripted::Scripted;
use tempfile::TempDir;

use crate::child::{Running, Shared, this};
use crate::dice::Dice;
use crate::evidence;
use crate::ledger::is_torn_tail;
use crate::writer::Safeguard;
use check::Log;
use heard::Ear;
use plan::ANSWER;

/// The session that is killed.
const KEY: &str = "cli:turn";

/// A process that does not come to its end for so long is stuck.
const STUCK: Duration = Duration::from_secs(60);

/// A kill comes at most so long after the line it waited for.
const LATE: Duration = Duration::from_millis(12);

/// The whole turn prints about so many lines for each of its steps.
const LINES: usize = 6;

/// What to do.
#[derive(Debug, clap::Args)]
pub(crate) struct Turns {
    /// How many kills.
    #[arg(long, default_value_t = 100)]
    kills: u32,
    /// Stop after so many seconds, however many kills there were.
    #[arg(long)]
    seconds: Option<u64>,
    /// For everything that is left to chance but the scheduler.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Turns {
    pub(crate) fn run(&self) -> Result<()> {
        let start = Instant::now();
        let limit = self.seconds.map(Duration::from_secs);
        let is_time = || limit.is_none_or(|limit| start.elapsed() < limit);
        let mut dice = Dice::new(self.seed);
        let mut tally = Tally::default();
        while tally.kills + tally.interrupts < self.kills && is_time() {
            let mut turn = Turn::start(dice.next(), None)?;
            // The first blow goes through all points of a turn in order, the others are chance.
            turn.suffer(Some(tally.turns * 3 % (plan::PLAN.len() * LINES)), &mut tally)?;
            let (scratch, findings) = (turn.scratch, turn.findings);
            evidence::judge("turns", self.seed, scratch, &Shared::default(), &findings)?;
        }
        if tally.kept == 0 {
            bail!("no step was finished before a kill, so nothing was tried");
        }
        let Tally { turns, kills, interrupts, kept } = tally;
        println!(
            "{turns} turns of ten steps went on after {kills} kills and {interrupts} Ctrl-C; {kept} \
             finished steps were found again ({:.0} s)",
            start.elapsed().as_secs_f64()
        );
        Ok(())
    }
}

/// What has happened so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    turns: usize,
    kills: u32,
    interrupts: u32,
    kept: usize,
}

/// How a process is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blow {
    Kill,
    Interrupt,
}

/// A turn that is done in several runs, since most of them are ended too soon.
pub(crate) struct Turn {
    dice: Dice,
    scratch: TempDir,
    workspace: PathBuf,
    without: Option<Safeguard>,
    runs: usize,
    pub(crate) findings: Vec<String>,
}

impl Turn {
    pub(crate) fn start(seed: u64, without: Option<Safeguard>) -> Result<Turn> {
        let scratch = evidence::scratch()?;
        let workspace = evidence::workspace(&scratch)?;
        plan::furnish(&workspace)?;
        let (dice, findings) = (Dice::new(seed), Vec::new());
        Ok(Turn { dice, scratch, workspace, without, runs: 0, findings })
    }

    /// Is struck at this point, and perhaps again, and then left to finish.
    pub(crate) fn suffer(&mut self, first: Option<usize>, tally: &mut Tally) -> Result<()> {
        let mut point = first;
        loop {
            let strike = point.map(|point| (point, self.blow()));
            let done = self.go_on(strike, tally)?;
            if done || !self.findings.is_empty() {
                break;
            }
            let again = self.runs < 4 && self.dice.one_in(2);
            point = again.then(|| self.dice.below(plan::PLAN.len() * LINES));
        }
        tally.turns += 1;
        Ok(())
    }

    fn blow(&mut self) -> Blow {
        // A twin does not listen to Ctrl-C.
        let interrupt = self.without.is_none() && self.dice.one_in(3);
        if interrupt { Blow::Interrupt } else { Blow::Kill }
    }

    /// One process, which is struck or comes to its end. Says whether the turn is done.
    fn go_on(&mut self, strike: Option<(usize, Blow)>, tally: &mut Tally) -> Result<bool> {
        let before = Log::read(&self.workspace, KEY)?;
        let finished = before.finished();
        let script = plan::script(&finished, self.runs);
        let asks = script.steps.len();
        let server = Scripted::start(script).context("no server can be started")?;
        let ear = Ear::default();
        let listening = ear.clone();
        let mut command = self.command(&server.url())?;
        let mut victim = Running::heard(&mut command, move |line| listening.hear(line))?;
        self.runs += 1;
        let struck = strike.filter(|(point, _)| reached(&mut victim, &ear, *point));
        let status = match struck {
            Some((_, blow)) => {
                let late = self.dice.up_to(LATE);
                self.strike(&mut victim, &ear, blow, late, tally)
            }
            None => victim.finish(STUCK),
        };
        victim.kill();
        tally.kept += finished.len();

        let after = Log::read(&self.workspace, KEY)?;
        let heard = ear.so_far();
        self.find(after.check(&heard, before.replies));
        self.find(after.ran(&self.workspace));
        let odd = heard.problems.iter().filter(|what| !is_torn_tail("warning", what)).cloned();
        self.find(odd);
        self.find(server.violations().into_iter().map(|violation| format!("{violation:?}")));
        let requests = server.requests();
        self.find(requests.first().into_iter().flat_map(|request| before.goes_on(request)));
        let done = heard.answer.as_deref() == Some(ANSWER);
        if done && requests.len() != asks {
            self.find([format!("{} requests were made where {asks} were left", requests.len())]);
        }
        if struck.is_none() {
            self.find(left_alone(status, done));
        } else if struck.is_some_and(|(_, blow)| blow == Blow::Interrupt) && !done {
            self.find(stopped(status, &after, heard.replies));
        }
        Ok(done)
    }

    /// Ends a process, or lets it end itself.
    fn strike(
        &mut self,
        victim: &mut Running,
        ear: &Ear,
        blow: Blow,
        late: Duration,
        tally: &mut Tally,
    ) -> Option<ExitStatus> {
        std::thread::sleep(late);
        if blow == Blow::Kill {
            tally.kills += 1;
            victim.kill();
            return None;
        }
        tally.interrupts += 1;
        let replies = ear.so_far().replies;
        victim.interrupt();
        let status = victim.finish(STUCK);
        // The step during which it came may end, and perhaps one more was on its way.
        if ear.so_far().replies > replies + 2 {
            self.find(["Ctrl-C was not heard".to_owned()]);
        }
        status
    }

    fn find(&mut self, findings: impl IntoIterator<Item = String>) {
        let run = self.runs;
        self.findings.extend(findings.into_iter().map(|what| format!("run {run}: {what}")));
    }

    fn command(&mut self, url: &str) -> Result<Command> {
        let said = if self.runs == 0 { "Do the ten steps." } else { "Go on." };
        let mut command = match self.without {
            None => louver()?,
            Some(safeguard) => {
                let mut twin = this("turn", &self.workspace)?;
                twin.args(["--url", url, "--without", &safeguard.name(), said]);
                return Ok(twin);
            }
        };
        let (provider, model) = match self.dice.one_in(2) {
            true => ("openai", "gpt-4o"),
            false => ("anthropic", "claude-sonnet-4-5"),
        };
        command.args(["ask", said, "--json", "--session", KEY, "--allow", "exec"]);
        command.args(["--provider", provider, "--model", model, "--url", url]);
        command.arg("--workspace").arg(&self.workspace);
        if self.dice.one_in(4) {
            command.arg("--no-stream");
        }
        // Nobody's own settings and keys have a part in this.
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env_clear().env("PATH", path).env("HOME", self.scratch.path());
        command.env("ANTHROPIC_API_KEY", "any");
        command.stderr(self.stderr()?);
        Ok(command)
    }

    /// What it says of its troubles is a part of the evidence.
    fn stderr(&self) -> Result<Stdio> {
        let path = self.scratch.path().join("stderr.txt");
        Ok(std::fs::File::options().create(true).append(true).open(path)?.into())
    }
}

/// Waits until so many lines were heard. Says whether they were, before it ended.
fn reached(victim: &mut Running, ear: &Ear, point: usize) -> bool {
    let end = Instant::now() + STUCK;
    while ear.so_far().lines < point {
        if victim.ended().is_some() || Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    true
}

/// What is wrong when nobody did anything to it.
fn left_alone(status: Option<ExitStatus>, done: bool) -> Option<String> {
    match status {
        Some(status) if status.success() && done => None,
        Some(status) => Some(format!("it was left alone and did not do it: {status}")),
        None => Some("it was left alone and did not come to an end".into()),
    }
}

/// What is wrong after Ctrl-C.
fn stopped(status: Option<ExitStatus>, log: &Log, replies: usize) -> Option<String> {
    let status = match status {
        Some(status) => status,
        None => return Some("it did not end after Ctrl-C".into()),
    };
    if replies == 0 && status.signal().is_some() {
        // Nobody listens to Ctrl-C before there is something to stop.
        return None;
    }
    let well = status.code() == Some(1) && log.ended;
    (!well).then(|| format!("Ctrl-C did not end the turn in order: {status}"))
}

/// The program, which is built beside this one.
fn louver() -> Result<Command> {
    let own = std::env::current_exe().context("who am I?")?;
    let louver = own.with_file_name("louver");
    if !Path::new(&louver).exists() {
        bail!("there is no {}; `cargo xtask crash` builds it", louver.display());
    }
    Ok(Command::new(louver))
}
