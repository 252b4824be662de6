//! Two writers and a reader on one workspace, and SIGKILL at random moments.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tempfile::TempDir;

use crate::child::{Running, Shared, this};
use crate::dice::Dice;
use crate::evidence;
use crate::workloads::{self, Look, conversation};
use crate::writer::Safeguard;

/// A writer lives at most so long after its first report.
const LONGEST: Duration = Duration::from_millis(30);

/// One that says nothing for so long is stuck.
const STUCK: Duration = Duration::from_secs(20);

/// After so many kills the workspace begins anew, and all of the old one is checked.
const ROUND: u32 = 50;

/// After so many kills the sessions begin anew, so that checking all of one stays cheap.
const GENERATION: u32 = 20;

/// What to do.
#[derive(Debug, clap::Args)]
pub(crate) struct Kills {
    /// How many kills.
    #[arg(long, default_value_t = 1000)]
    kills: u32,
    /// Stop after so many seconds, however many kills there were.
    #[arg(long)]
    seconds: Option<u64>,
    /// For everything that is left to chance but the scheduler.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Kills {
    pub(crate) fn run(&self) -> Result<()> {
        let start = Instant::now();
        let limit = self.seconds.map(Duration::from_secs);
        let is_time = || limit.is_none_or(|limit| start.elapsed() < limit);
        let mut dice = Dice::new(self.seed);
        let mut tally = Tally::default();
        while tally.kills < self.kills && is_time() {
            let mut run = Run::start(dice.next(), None)?;
            let end = self.kills.min(tally.kills + ROUND);
            while tally.kills < end && is_time() && !run.has_findings() {
                run.kill()?;
                tally.kills += 1;
            }
            let ledger = run.ledger.clone();
            let (scratch, findings) = run.finish();
            evidence::judge("kills", self.seed, scratch, &ledger, &findings)?;
            tally.add(&ledger);
            println!("{tally} ({:.0} s)", start.elapsed().as_secs_f64());
        }
        if tally.acks == 0 {
            bail!("nothing was written, so nothing was tried");
        }
        println!("{} kills, and nothing was lost", tally.kills);
        Ok(())
    }
}

/// What has happened so far.
#[derive(Debug, Default)]
struct Tally {
    kills: u32,
    acks: u64,
    places: usize,
    torn: u64,
    busy: u64,
    looks: u64,
}

impl Tally {
    fn add(&mut self, ledger: &Shared) {
        let ledger = ledger.lock();
        self.acks += ledger.acks;
        self.places += ledger.places.len();
        self.torn += ledger.torn;
        self.busy += ledger.busy;
        self.looks += ledger.looks;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { kills, acks, places, torn, busy, looks } = self;
        write!(
            f,
            "{kills} kills: {acks} events acknowledged in {places} places, {torn} torn ends set \
             aside, {busy} locks held by the other, {looks} looks of the reader"
        )
    }
}

/// A run that is going on.
pub(crate) struct Run {
    dice: Dice,
    scratch: TempDir,
    workspace: PathBuf,
    pub(crate) ledger: Shared,
    without: Option<Safeguard>,
    writers: Vec<Running>,
    reader: Running,
    killed: u32,
    findings: Vec<String>,
}

impl Run {
    pub(crate) fn start(seed: u64, without: Option<Safeguard>) -> Result<Run> {
        let scratch = evidence::scratch()?;
        let workspace = evidence::workspace(&scratch)?;
        let ledger = Shared::default();
        let reader = Running::start(&mut this("reader", &workspace)?, &ledger)?;
        let (writers, findings, dice) = (Vec::new(), Vec::new(), Dice::new(seed));
        let mut run =
            Run { dice, scratch, workspace, ledger, without, writers, reader, killed: 0, findings };
        for name in 0..2 {
            let writer = run.writer(name)?;
            run.writers.push(writer);
        }
        Ok(run)
    }

    fn writer(&mut self, name: usize) -> Result<Running> {
        let mut command = this("writer", &self.workspace)?;
        command.args(["--name", ["a", "b"][name], "--seed", &self.dice.next().to_string()]);
        command.args(["--generation", &(self.killed / GENERATION).to_string()]);
        if let Some(safeguard) = self.without {
            command.args(["--without", &safeguard.name()]);
        }
        Running::start(&mut command, &self.ledger)
    }

    /// Kills a writer, looks, and starts another.
    pub(crate) fn kill(&mut self) -> Result<()> {
        let mut victims = vec![self.dice.below(2)];
        if self.dice.one_in(16) {
            victims = vec![0, 1];
        }
        // Some die before they have said a word: while they open, or mend.
        let wait = !self.dice.one_in(6);
        if wait && !self.writers[victims[0]].wait_spoken(STUCK) {
            self.findings.push("a writer said nothing for a long time".into());
        }
        std::thread::sleep(self.dice.up_to(LONGEST));
        for victim in &victims {
            self.end(*victim);
        }
        self.check_fresh();
        self.killed += 1;
        if victims.len() == self.writers.len() {
            self.tear();
        }
        for victim in victims {
            self.writers[victim] = self.writer(victim)?;
        }
        Ok(())
    }

    /// A kill seldom tears a line, so it is helped. Nobody is there who could write.
    fn tear(&mut self) {
        let ledger = self.ledger.lock();
        let places = ledger.places.keys().filter(|(workload, _)| workload == conversation::NAME);
        let keys: Vec<String> = places.map(|(_, key)| key.clone()).collect();
        drop(ledger);
        let newest = self.killed / GENERATION;
        for key in keys.iter().filter(|key| key.contains(&format!("/{newest}"))) {
            if let Err(error) = conversation::tear(&self.workspace, key, &mut self.dice) {
                self.findings.push(format!("`{key}` cannot be torn: {error:#}"));
            }
        }
    }

    fn end(&mut self, victim: usize) {
        if let Some(status) = self.writers[victim].ended() {
            self.findings.push(format!("a writer ended by itself: {status}"));
        }
        self.writers[victim].kill();
    }

    /// Checks what was acknowledged since the last time, while the other one may be writing.
    fn check_fresh(&mut self) {
        // First what must be there, then the look: what comes in between is no matter.
        let fresh = self.ledger.lock().fresh();
        self.findings.extend(workloads::check(&self.workspace, &fresh, Look::Read));
        if let Some(status) = self.reader.ended() {
            self.findings.push(format!("the reader ended by itself: {status}"));
        }
    }

    pub(crate) fn has_findings(&self) -> bool {
        let ledger = self.ledger.lock();
        !self.findings.is_empty() || !ledger.findings.is_empty() || !ledger.troubles.is_empty()
    }

    /// Ends everything, looks at everything once more, and gives back what was found.
    pub(crate) fn finish(mut self) -> (TempDir, Vec<String>) {
        for victim in 0..self.writers.len() {
            self.end(victim);
        }
        self.reader.kill();
        let ledger = self.ledger.lock();
        let mut findings = self.findings;
        findings.extend(ledger.findings.iter().cloned());
        findings.extend(ledger.troubles.iter().map(|what| format!("an operation failed: {what}")));
        for look in [Look::Read, Look::Mend, Look::Read] {
            findings.extend(workloads::check(&self.workspace, &ledger.places, look));
        }
        drop(ledger);
        (self.scratch, findings)
    }
}
