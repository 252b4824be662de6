//! The process that looks at all sessions all the time, and must always see a valid prefix.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use louver_store::session::{Mode, Session, SessionError, Sessions};
use louver_store::{Problem, Severity};

use crate::said::{Mouth, Said, hash_of};
use crate::workloads;

/// So many sessions are looked at: those that were used last, which somebody may be writing to.
const NEWEST: usize = 4;

/// What a reader is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The workspace.
    #[arg(long)]
    workspace: PathBuf,
}

/// What was seen of a session.
#[derive(Default)]
struct Seen {
    hashes: Vec<u64>,
    /// Left open since the last look, to see that going on from there gives the same.
    open: Option<Session>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut mouth = Mouth::open()?;
    let mut seen: HashMap<String, Seen> = HashMap::new();
    loop {
        let (sessions, problems) = Sessions::list(&args.workspace);
        for problem in problems.iter().filter(|problem| problem.severity > Severity::Note) {
            mouth.say(&Said::Bad(format!("the list says: {problem}")))?;
        }
        for session in sessions.iter().take(NEWEST) {
            let seen = seen.entry(session.key.clone()).or_default();
            for bad in look(&args.workspace, &session.key, seen) {
                mouth.say(&Said::Bad(format!("`{}`: {bad}", session.key)))?;
            }
        }
        if let Some(bad) = workloads::memory::peek(&args.workspace) {
            mouth.say(&Said::Bad(bad))?;
        }
        mouth.say(&Said::Looked)?;
    }
}

/// Looks at a session again, and says what must not be.
fn look(workspace: &Path, key: &str, seen: &mut Seen) -> Vec<String> {
    let looked = match seen.open.take() {
        Some(mut session) => session.refresh().map(|problems| (session, problems)),
        None => Session::open(workspace, key, Mode::Read),
    };
    // Now and then it is opened anew, so that both ways of looking meet every state.
    let keep = seen.hashes.len().is_multiple_of(2);
    let (session, problems) = match looked {
        Ok(looked) => looked,
        Err(SessionError::Missing { .. }) if seen.hashes.is_empty() => return Vec::new(),
        Err(error) => return vec![format!("it does not open: {error}")],
    };
    let mut bad: Vec<String> = problems.iter().filter(is_bad).map(Problem::to_string).collect();
    match session.events() {
        Ok(events) => {
            let hashes: Vec<u64> =
                events.map(|record| hash_of(&(record.n, record.event))).collect();
            bad.extend(shrunk(&seen.hashes, &hashes));
            seen.hashes = hashes;
        }
        Err(error) => bad.push(format!("its events cannot be read: {error}")),
    }
    bad.extend(session.view().1.iter().map(Problem::to_string));
    seen.open = keep.then_some(session);
    bad
}

/// A line that is being written just now may be seen half; nothing else.
fn is_bad(problem: &&Problem) -> bool {
    problem.severity > Severity::Note || !problem.what.contains("is not whole")
}

fn shrunk(before: &[u64], now: &[u64]) -> Option<String> {
    let same = before.iter().zip(now).take_while(|(before, now)| before == now).count();
    (same < before.len())
        .then(|| format!("{} events were seen, but only {same} of them still are", before.len()))
}
