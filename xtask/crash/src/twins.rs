//! The checks on writers that lack a safeguard. A check that a twin passes checks nothing.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::kills::Run;
use crate::powercut;
use crate::turns::{Tally, Turn};
use crate::writer::Safeguard;

/// What to do.
#[derive(Debug, clap::Args)]
pub(crate) struct Twins {
    /// For everything that is left to chance but the scheduler.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A check that must notice what a twin lacks.
type Check = fn(Safeguard, u64) -> Result<Caught>;

/// THE TABLE of twins: what each lacks, and what must catch it.
const TWINS: &[(Safeguard, Check)] = &[
    (Safeguard::Order, by_kills),
    (Safeguard::Lock, by_kills),
    (Safeguard::Append, by_kills),
    (Safeguard::Replace, by_kills),
    (Safeguard::Fsync, by_power_cut),
    (Safeguard::Order, by_turns),
    (Safeguard::Once, by_turns),
];

/// A twin that is not caught after so many kills or so long has passed.
const KILLS: u32 = 300;
const LONGEST: Duration = Duration::from_secs(30);

/// What came of a twin.
enum Caught {
    /// It was noticed: how, and what was said.
    Yes(String, String),
    No(String),
    /// It could not be tried, and why.
    Skipped(String),
}

impl Twins {
    pub(crate) fn run(&self) -> Result<()> {
        let mut passed = Vec::new();
        for (safeguard, check) in TWINS {
            let name = safeguard.name();
            match check(*safeguard, self.seed)? {
                Caught::Yes(how, what) => println!("twin without {name}: caught {how}: {what}"),
                Caught::Skipped(why) => println!("twin without {name}: skipped: {why}"),
                Caught::No(how) => {
                    println!("twin without {name}: NOT caught {how}");
                    passed.push(name);
                }
            }
        }
        if passed.is_empty() {
            return Ok(());
        }
        bail!("the checks let a twin pass, with `--seed {}`: {}", self.seed, passed.join(", "))
    }
}

fn by_kills(safeguard: Safeguard, seed: u64) -> Result<Caught> {
    let start = Instant::now();
    let mut run = Run::start(seed, Some(safeguard))?;
    let mut kills = 0;
    while !run.has_findings() && kills < KILLS && start.elapsed() < LONGEST {
        run.kill()?;
        kills += 1;
    }
    let how = format!("after {kills} kills");
    let (_, findings) = run.finish();
    Ok(match findings.into_iter().next() {
        Some(what) => Caught::Yes(how, what),
        None => Caught::No(how),
    })
}

/// Kills an agent at one point of a turn after the other.
fn by_turns(safeguard: Safeguard, seed: u64) -> Result<Caught> {
    let start = Instant::now();
    let mut tally = Tally::default();
    for turns in 1.. {
        if start.elapsed() > LONGEST {
            return Ok(Caught::No(format!("in {turns} turns")));
        }
        let mut turn = Turn::start(seed + turns, Some(safeguard))?;
        turn.suffer(Some(turns as usize * 3), &mut tally)?;
        if let Some(what) = turn.findings.into_iter().next() {
            return Ok(Caught::Yes(format!("in {turns} turns"), what));
        }
    }
    Ok(Caught::No("at all".into()))
}

fn by_power_cut(safeguard: Safeguard, seed: u64) -> Result<Caught> {
    if let Some(why) = powercut::cannot() {
        return Ok(Caught::Skipped(why));
    }
    let cuts = powercut::cut(seed, Some(safeguard), 2)?;
    let how = format!("in {} images of a disk", cuts.images);
    Ok(match cuts.findings.into_iter().next() {
        Some(what) => Caught::Yes(how, what),
        None => Caught::No(how),
    })
}
