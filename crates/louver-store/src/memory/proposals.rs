//! Changes that wait for a person.

use super::lines::{Prefer, merge, unified};
use super::log::Log;
use super::record::{Proposal, Record};
use super::state::About;
use super::{Memory, MemoryError, TRIES, WAIT, Written};

impl Memory {
    /// The proposals that nobody has accepted or rejected, oldest first.
    pub fn proposals(&self) -> Result<Vec<Proposal>, MemoryError> {
        let (_, log) = self.read_log()?;
        let open = log.proposals.into_iter().filter(|(_, settled)| !settled);
        Ok(open.map(|(proposal, _)| proposal).collect())
    }

    /// The whole text that a proposal would have made of memory.
    pub fn proposed_text(&self, proposal: &Proposal) -> Result<String, MemoryError> {
        self.kept(&proposal.hash)?.ok_or(MemoryError::NoProposal { id: proposal.id })
    }

    /// What accepting a proposal would change in what memory holds now, as a unified diff.
    pub fn proposed_diff(&self, proposal: &Proposal) -> Result<String, MemoryError> {
        let (_, log) = self.read_log()?;
        let now = self.peek()?;
        let accepted = self.accepted(&log, proposal, &now)?;
        Ok(unified(&now, &accepted, ("memory", "memory with it")))
    }

    /// What memory would hold with a proposal.
    fn accepted(&self, log: &Log, proposal: &Proposal, now: &str) -> Result<String, MemoryError> {
        let proposed = self.proposed_text(proposal)?;
        // Without the text it was made from, all of it is the change.
        let base = self.text_if_whole(log, proposal.base)?;
        let base = base.as_deref().unwrap_or(now);
        Ok(merge(base, now, &proposed, Prefer::Ours).unwrap_or(proposed))
    }

    /// Makes a proposal's change to what memory holds now. Where the same lines were changed since,
    /// the proposal wins: a person chose it, and what it replaces stays a version.
    pub fn accept(&self, id: u64) -> Result<Written, MemoryError> {
        let _lock = self.lock(WAIT)?;
        self.ready()?;
        for _ in 0..TRIES {
            let mut state = self.look()?;
            let proposal =
                state.log.open_proposal(id).ok_or(MemoryError::NoProposal { id })?.clone();
            let merged = self.accepted(&state.log, &proposal, &state.text)?;
            let about = About {
                from: proposal.from,
                base: proposal.base,
                proposal: Some(id),
                ..About::by(proposal.who)
            };
            if let Some(written) = self.commit(&mut state, &merged, about)? {
                self.record(&mut state.log, Record::Settled { id, accepted: true })?;
                return Ok(written);
            }
        }
        Err(self.unsteady())
    }

    /// Puts a proposal away. Its text stays among the objects.
    pub fn reject(&self, id: u64) -> Result<(), MemoryError> {
        let _lock = self.lock(WAIT)?;
        let mut state = self.ready()?;
        state.log.open_proposal(id).ok_or(MemoryError::NoProposal { id })?;
        self.record(&mut state.log, Record::Settled { id, accepted: false })
    }
}
