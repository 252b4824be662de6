//! Carrying out a consolidation: once, however often it is tried.
//!
//! Before anything is changed, one line of the log says everything that will be: the entry and where
//! it goes in HISTORY.md, the update and which version it was made from. From that line the rest can
//! be finished after a crash, by whoever opens memory next, and a repeat finds it finished. A second
//! answer to the same messages is not used: the first one is what was begun.

use louver_context::consolidate::{Answer, Seen, Taken, Verdict, check};

use super::disk::read;
use super::history::MAX_HISTORY;
use super::lines::{Prefer, merge};
use super::log::Log;
use super::record::{Begun, Change, Origin, Record, Who};
use super::state::{About, State};
use super::{Memory, MemoryError, TRIES, WAIT, Written, now, or_empty, text};

/// Why an update is proposed when nobody can tell what it would lose.
const NO_BASE: &str = "the version it was made from is damaged";

/// What was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The last message of which memory was really made. The session's cursor may advance to it.
    pub cursor: u64,
    /// The entry as it is in HISTORY.md.
    pub entry: String,
    /// What became of the long-term memory.
    pub change: Change,
}

impl Memory {
    /// Writes the entry and the update that a model made of some messages of a session. `base` is
    /// the version of memory that the model was shown. Trying again, also after a crash, gives the
    /// same outcome and writes nothing twice.
    pub fn carry_out(
        &self,
        session: &str,
        taken: &Taken,
        base: u64,
        answer: &Answer,
    ) -> Result<Outcome, MemoryError> {
        let _lock = self.lock(WAIT)?;
        let mut state = self.ready()?;
        if let Some(outcome) = known(&state.log, session, &taken.messages) {
            return Ok(outcome);
        }
        let begun = self.begin(&mut state, session, taken, base, answer)?;
        let change = self.finish(&begun)?;
        Ok(outcome(&begun, change))
    }

    /// What was already carried out for a session whose messages are these. To be asked before a
    /// model is: after a crash the cursor may lag behind what was written.
    pub fn carried_out(
        &self,
        session: &str,
        messages: &[Seen],
    ) -> Result<Option<Outcome>, MemoryError> {
        let _lock = self.lock(WAIT)?;
        Ok(known(&self.ready()?.log, session, messages))
    }

    /// Decides everything and writes it down.
    fn begin(
        &self,
        state: &mut State,
        session: &str,
        taken: &Taken,
        base: u64,
        answer: &Answer,
    ) -> Result<Begun, MemoryError> {
        let (offset, gap) = self.end_of_history()?;
        let (update, why, lost) = self.judge(state, base, answer.memory_update.as_deref())?;
        let begun = Begun {
            id: state.log.next_consolidation(),
            time: now(),
            from: Origin {
                session: session.to_owned(),
                messages: taken.messages.iter().map(|seen| seen.id).collect(),
            },
            last_time: taken.messages.last().map_or_else(String::new, |seen| seen.time.to_string()),
            entry: format!("{gap}{}\n\n", answer.history_entry.trim()),
            offset,
            base,
            update,
            why,
            lost,
        };
        self.record(&mut state.log, Record::Consolidate(begun.clone()))?;
        Ok(begun)
    }

    /// The hash of an update that is worth writing; why it may only be proposed; what it would lose.
    #[allow(clippy::type_complexity, reason = "the three go into a record at once")]
    fn judge(
        &self,
        state: &State,
        base: u64,
        update: Option<&str>,
    ) -> Result<(Option<String>, Option<String>, Vec<String>), MemoryError> {
        let Some(update) = update.filter(|update| !update.trim().is_empty()) else {
            return Ok((None, None, Vec::new()));
        };
        let verdict = match self.text_if_whole(&state.log, base)? {
            Some(old) => check(&old, update),
            None => Verdict::Propose { why: NO_BASE.to_owned(), lost: Vec::new() },
        };
        let (why, lost) = match verdict {
            Verdict::Same => return Ok((None, None, Vec::new())),
            Verdict::Apply => (None, Vec::new()),
            Verdict::Propose { why, lost } => (Some(why), lost),
        };
        let new = text(format!("{}\n", update.trim_end()).into_bytes());
        Ok((Some(self.store(new.as_bytes())?), why, lost))
    }

    /// Does what is left to do of a consolidation.
    pub(super) fn finish(&self, begun: &Begun) -> Result<Change, MemoryError> {
        self.finish_history(begun)?;
        let (mut state, change) = self.finish_memory(begun)?;
        self.record(&mut state.log, Record::Consolidated { id: begun.id, change })?;
        Ok(change)
    }

    /// Adds the entry to HISTORY.md, or what is missing of it.
    fn finish_history(&self, begun: &Begun) -> Result<(), MemoryError> {
        let path = self.history_path()?;
        let bytes = or_empty(read(&path, MAX_HISTORY));
        let bytes = bytes.map_err(MemoryError::disk(&path, "it could not be read"))?;
        let entry = begun.entry.as_bytes();
        let from_there = usize::try_from(begun.offset).ok().and_then(|at| bytes.get(at..));
        match from_there {
            // It is written again for nothing, so that the disk confirms what it may have only in
            // its memory.
            Some(rest) if rest.starts_with(entry) => self.add(&path, ""),
            Some(rest) if entry.starts_with(rest) => {
                let missing = MemoryError::disk(&path, "it could not be written");
                self.disk.append(&path, &entry[rest.len()..]).map_err(missing)
            }
            // Somebody else has changed the file; the entry may have moved with it.
            _ if String::from_utf8_lossy(&bytes).contains(begun.entry.trim()) => {
                self.add(&path, "")
            }
            _ => {
                let (_, gap) = self.end_of_history()?;
                self.add(&path, &format!("{gap}{}\n\n", begun.entry.trim()))
            }
        }
    }

    /// Writes or proposes the update, unless that was done before.
    fn finish_memory(&self, begun: &Begun) -> Result<(State, Change), MemoryError> {
        for _ in 0..TRIES {
            let mut state = self.look()?;
            if let Some(change) = done_before(&state.log, begun.id) {
                return Ok((state, change));
            }
            // An update whose bytes were damaged since is as good as none.
            let update = begun.update.as_deref().map(|hash| self.kept(hash)).transpose()?;
            let Some(update) = update.flatten() else { return Ok((state, Change::Same)) };
            let about = About {
                from: Some(begun.from.clone()),
                base: begun.base,
                consolidation: Some(begun.id),
                ..About::by(Who::Consolidation)
            };
            let merged = match &begun.why {
                Some(why) => Err(why.clone()),
                None => self.merged(&state, begun.base, &update)?,
            };
            match merged {
                Err(why) => {
                    let id = self.propose(&mut state, &update, about, &why, &begun.lost)?;
                    return Ok((state, Change::Proposed(id)));
                }
                Ok(merged) => match self.commit(&mut state, &merged, about)? {
                    Some(Written::Version(version)) => {
                        return Ok((state, Change::Version(version.n)));
                    }
                    Some(Written::Same) => return Ok((state, Change::Same)),
                    None => {}
                },
            }
        }
        Err(self.unsteady())
    }

    /// The update merged with what came after its base, or why it must be a proposal.
    fn merged(
        &self,
        state: &State,
        base: u64,
        update: &str,
    ) -> Result<Result<String, String>, MemoryError> {
        let Some(read) = self.text_if_whole(&state.log, base)? else {
            return Ok(Err(NO_BASE.to_owned()));
        };
        let Some(merged) = merge(&read, &state.text, update, Prefer::Neither) else {
            return Ok(Err("the same lines were changed meanwhile".to_owned()));
        };
        // A text that cannot be written now cannot be written later, and would be tried for ever.
        Ok(self.bounded(merged.len() as u64).map(|()| merged).map_err(|error| error.to_string()))
    }
}

/// What became of the update in an earlier try.
fn done_before(log: &Log, id: u64) -> Option<Change> {
    let version = log.versions.iter().find(|version| version.consolidation == Some(id));
    let proposal = log.proposals.iter().find(|(proposal, _)| proposal.consolidation == Some(id));
    let version = version.map(|version| Change::Version(version.n));
    version.or(proposal.map(|(proposal, _)| Change::Proposed(proposal.id)))
}

/// The newest consolidation that ended with one of these messages. Its time tells a message from
/// one of an earlier session that had the same key.
fn known(log: &Log, session: &str, messages: &[Seen]) -> Option<Outcome> {
    let is_in = |begun: &Begun| {
        let last = begun.from.messages.last().copied();
        begun.from.session == session
            && messages.iter().any(|seen| Some(seen.id) == last && *seen.time == *begun.last_time)
    };
    let found = log.consolidations.iter().rev().find(|(begun, _)| is_in(begun));
    found.and_then(|(begun, change)| change.map(|change| outcome(begun, change)))
}

fn outcome(begun: &Begun, change: Change) -> Outcome {
    let cursor = begun.from.messages.last().copied().unwrap_or(0);
    Outcome { cursor, entry: begun.entry.trim().to_owned(), change }
}
