//! Memory: lines added, texts rewritten, a person's edits, and consolidations of a session.
//!
//! Every line that is written has its own hash at its end, so that half a line is noticed wherever
//! it is read.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use louver_context::consolidate::{Answer, Seen, Taken};
use louver_store::memory::{Change, Memory, MemoryError, Version, Who, WriteError, Written};
use louver_store::session::event::{Cursor, Event};
use louver_store::session::{Session, SessionError};
use louver_store::{Problem, Severity};
use xxhash_rust::xxh3::xxh3_64;

use super::Look;
use super::conversation::{Talk, own_key};
use crate::ledger::Acked;
use crate::said::{Ack, Said};
use crate::writer::{Safeguard, Writer};

pub(super) const NAME: &str = "memory";

/// The key of the versions; what is in HISTORY.md has the key of its session.
const VERSIONS: &str = "versions";

/// Memory is kept as short as this many lines, and a rewrite leaves half of them.
const LINES: usize = 40;

/// While others write, only so many of the newest texts are read again.
const NEWEST: usize = 20;

/// A consolidation takes so many messages, when there are more.
const TAKES: usize = 4;

/// Changes memory in one way or another.
pub(super) fn step(writer: &mut Writer) -> Result<()> {
    let workspace = writer.workspace.clone();
    let (memory, problems) = writer.persistence.insist(|| Memory::open(&workspace))?;
    for problem in problems {
        let (severity, what) = (problem.severity.to_string(), problem.to_string());
        writer.persistence.mouth.say(&Said::Problem { severity, what })?;
    }
    if writer.without == Some(Safeguard::Replace) {
        return in_place(writer);
    }
    match writer.dice.below(8) {
        0..=2 => add(writer, &memory),
        3..=4 => rewrite(writer, &memory),
        5 => edit(writer),
        _ => consolidate(writer, &memory),
    }
}

fn add(writer: &mut Writer, memory: &Memory) -> Result<()> {
    let line = line(writer);
    let written =
        writer.persistence.insist(|| steady(memory.append_line(&line, Who::Agent, None)))?;
    acknowledge(writer, written)
}

/// The model writes the whole text anew: the newest lines, and one more.
fn rewrite(writer: &mut Writer, memory: &Memory) -> Result<()> {
    let line = line(writer);
    let written = writer.persistence.insist(|| {
        let current = memory.read()?;
        let text = shortened(&current.text) + &line + "\n";
        match memory.write(&text, Who::Agent, None, current.version) {
            // Both changed the same lines: it is a proposal now.
            Err(WriteError::Conflict { .. }) => Ok(None),
            Err(WriteError::Memory(error)) => steady(Err(error)),
            Ok(written) => Ok(Some(written)),
        }
    })?;
    acknowledge(writer, written)
}

/// A person saves the file in an editor, which replaces it whole.
fn edit(writer: &mut Writer) -> Result<()> {
    let path = writer.workspace.join("memory/MEMORY.md");
    let new = writer.workspace.join(format!("memory/MEMORY.md.{}~", writer.name));
    let line = line(writer);
    writer.persistence.insist(|| {
        let text = std::fs::read_to_string(&path)?;
        std::fs::write(&new, format!("{line}\n{text}"))?;
        std::fs::rename(&new, &path)
    })
}

/// What a twin does: the file is there in pieces for a while.
fn in_place(writer: &mut Writer) -> Result<()> {
    use std::io::Write as _;
    let text: String = (0..LINES).map(|_| line(writer) + "\n").collect();
    let mut file = std::fs::File::create(writer.workspace.join("memory/MEMORY.md"))?;
    for piece in text.as_bytes().chunks(1000) {
        file.write_all(piece)?;
    }
    Ok(writer.persistence.mouth.say(&Said::Busy)?)
}

/// Makes memory of the oldest messages of a session, and then moves its cursor.
fn consolidate(writer: &mut Writer, memory: &Memory) -> Result<()> {
    let (key, line) = (own_key(writer), line(writer));
    let Some(mut talk) = Talk::open(writer, key.clone())? else { return Ok(()) };
    let (persistence, session) = talk.parts();
    let seen = persistence.insist(|| unconsolidated(session))?;
    if seen.len() <= TAKES {
        return Ok(());
    }
    let outcome = persistence.insist(|| {
        if let Some(outcome) = memory.carried_out(&key, &seen)? {
            return Ok(outcome);
        }
        let current = memory.read()?;
        let (first, last) = (seen[0].id, seen[TAKES - 1].id);
        let answer = Answer {
            history_entry: format!("[2026-03-01 10:00] {key} {first}..{last}"),
            memory_update: Some(format!("{}{line}\n", current.text)),
        };
        let taken = Taken { messages: seen[..TAKES].to_vec(), newest: "2026-03-01 10:00".into() };
        memory.carry_out(&key, &taken, current.version, &answer)
    })?;
    let ack = Ack {
        workload: NAME.into(),
        key: key.clone(),
        n: outcome.cursor,
        hash: xxh3_64(outcome.entry.as_bytes()),
        on_disk: true,
    };
    persistence.mouth.say(&Said::Ack(ack))?;
    talk.append_to_disk(&Event::Cursor(Cursor { to: outcome.cursor, ..Cursor::default() }))?;
    drop(talk);
    let Change::Version(n) = outcome.change else { return Ok(()) };
    let versions = writer.persistence.insist(|| memory.log())?;
    let version = versions.into_iter().find(|version| version.n == n);
    acknowledge(writer, version.map(Written::Version))
}

/// The messages after the cursor, with their times.
fn unconsolidated(session: &Session) -> Result<Vec<Seen>, SessionError> {
    let view = session.view().0;
    let times: BTreeMap<u64, String> =
        session.events()?.map(|record| (record.n, record.time.to_string())).collect();
    let mut ids: Vec<u64> = view.messages.iter().map(|entry| entry.id).collect();
    ids.dedup();
    let seen = |id: u64| Some(Seen { id, time: times.get(&id)?.as_str().into() });
    Ok(ids.into_iter().filter(|id| *id > view.cursor).filter_map(seen).collect())
}

/// Somebody who saves the file all the time is not a failure.
fn steady(written: Result<Written, MemoryError>) -> Result<Option<Written>, MemoryError> {
    match written {
        Err(MemoryError::Unsteady { .. }) => Ok(None),
        written => written.map(Some),
    }
}

fn acknowledge(writer: &mut Writer, written: Option<Written>) -> Result<()> {
    let Some(Written::Version(version)) = written else { return Ok(()) };
    let ack = Ack {
        workload: NAME.into(),
        key: VERSIONS.into(),
        n: version.n,
        hash: hash(&version),
        on_disk: true,
    };
    Ok(writer.persistence.mouth.say(&Said::Ack(ack))?)
}

fn hash(version: &Version) -> u64 {
    xxh3_64(version.hash.as_bytes())
}

fn line(writer: &mut Writer) -> String {
    let bytes = 20 + writer.dice.below(200);
    let body = format!("{} {}", writer.name, writer.dice.text(bytes)).replace('\n', " ");
    let body = body.trim_end();
    format!("- {body} #{:016x}", xxh3_64(body.as_bytes()))
}

fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let from = if lines.len() > LINES { LINES / 2 } else { 0 };
    lines[from..].iter().flat_map(|line| [*line, "\n"]).collect()
}

/// The first line of a text that nobody wrote.
fn torn(text: &str) -> Option<&str> {
    let whole = |line: &str| {
        let body = line.strip_prefix("- ").and_then(|line| line.rsplit_once(" #"));
        body.is_some_and(|(body, hash)| hash == format!("{:016x}", xxh3_64(body.as_bytes())))
            || matches!(line, "one" | "two" | "three" | "")
    };
    text.lines().find(|line| !whole(line))
}

/// What is wrong with MEMORY.md as a reader sees it.
pub(crate) fn peek(workspace: &Path) -> Option<String> {
    let text = std::fs::read_to_string(workspace.join("memory/MEMORY.md"));
    match text {
        Ok(text) if text.is_empty() => Some("MEMORY.md is empty".into()),
        Ok(text) => torn(&text).map(|line| format!("MEMORY.md has a torn line: {line}")),
        Err(error) => Some(format!("MEMORY.md cannot be read: {error}")),
    }
}

/// What is wrong with the versions of memory, or with what HISTORY.md says of a session.
pub(super) fn check(workspace: &Path, key: &str, acked: &Acked, look: Look) -> Vec<String> {
    let (memory, problems) = match Memory::open(workspace) {
        Ok(opened) => opened,
        Err(error) => return vec![format!("memory does not open: {error}")],
    };
    let bad = problems.iter().filter(|problem| problem.severity > Severity::Note);
    let mut findings: Vec<String> = bad.map(Problem::to_string).collect();
    findings.extend(peek(workspace));
    findings.extend(match key {
        VERSIONS => versions(&memory, acked, look),
        session => entries(workspace, session, acked),
    });
    findings
}

fn versions(memory: &Memory, acked: &Acked, look: Look) -> Vec<String> {
    let log: BTreeMap<u64, Version> = match memory.log() {
        Ok(log) => log.into_iter().map(|version| (version.n, version)).collect(),
        Err(error) => return vec![format!("its log cannot be read: {error}")],
    };
    let mut findings = Vec::new();
    let newest = if look == Look::Read { NEWEST } else { usize::MAX };
    for (at, (n, hashed)) in acked.hashes.iter().rev().enumerate() {
        match log.get(n) {
            Some(version) if hash(version) == *hashed => {}
            Some(_) => findings.push(format!("version {n} is not the one that was acknowledged")),
            None => findings.push(format!("version {n} was acknowledged and is not there")),
        }
        let text = if at < newest { memory.text(*n) } else { continue };
        match text {
            Ok(text) => findings.extend(torn(&text).map(|_| format!("version {n} is torn"))),
            Err(error) => findings.push(error.to_string()),
        }
    }
    if look == Look::Mend {
        findings.extend(settled(memory));
    }
    findings
}

/// What is wrong when nobody else is there: the file must be the newest version.
fn settled(memory: &Memory) -> Option<String> {
    let same = memory.read().and_then(|current| {
        let newest = memory.text(current.version)?;
        Ok(newest == current.text && memory.peek()? == current.text)
    });
    match same {
        Ok(true) => None,
        Ok(false) => Some("MEMORY.md is not its newest version".into()),
        Err(error) => Some(error.to_string()),
    }
}

/// What is wrong with the entries that were made of a session: each must be there once.
fn entries(workspace: &Path, session: &str, acked: &Acked) -> Vec<String> {
    let history = match std::fs::read_to_string(workspace.join("memory/HISTORY.md")) {
        Ok(history) => history,
        Err(error) => return vec![format!("HISTORY.md cannot be read: {error}")],
    };
    let mut found: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for line in history.lines().filter(|line| line.contains(&format!(" {session} "))) {
        if let Some(last) = line.rsplit_once("..").and_then(|(_, last)| last.parse().ok()) {
            found.entry(last).or_default().push(line);
        }
    }
    let twice = found.iter().filter(|(_, lines)| lines.len() > 1);
    let mut findings: Vec<String> = twice
        .map(|(n, lines)| format!("HISTORY.md has {} entries up to {n}", lines.len()))
        .collect();
    for (n, hash) in &acked.hashes {
        let there = found.get(n).is_some_and(|lines| xxh3_64(lines[0].as_bytes()) == *hash);
        if !there {
            findings.push(format!("the entry up to {n} was acknowledged and is not in HISTORY.md"));
        }
    }
    findings
}
