//! What models were paid, by what it was for.

use louver_store::session::event::{Event, Usage};
use louver_store::session::{Session, SessionError};
use serde::Serialize;

use crate::agent::Cause;

/// What was paid, in dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spent {
    /// For answers to the person.
    pub turns: f64,
    /// For memory of old messages, also where what the model said was no use.
    pub memory: f64,
    /// For subagents, and the answers to their reports.
    pub subagents: f64,
    /// Tokens of models whose price is not known: they are in no sum.
    pub unpriced: u64,
}

impl Spent {
    /// What the log of a session says. What a fork brought along was paid once, by the other one.
    pub fn of(session: &Session) -> Result<Spent, SessionError> {
        let mut spent = Spent::default();
        for record in session.events()? {
            match record.event {
                Event::Usage(paid) => spent.add(&paid),
                Event::Unknown(event) if event.kind == "forked" => spent = Spent::default(),
                _ => {}
            }
        }
        Ok(spent)
    }

    /// All of it.
    pub fn total(&self) -> f64 {
        self.turns + self.memory + self.subagents
    }

    pub(crate) fn add(&mut self, paid: &Usage) {
        let Some(cost) = paid.cost else {
            self.unpriced += paid.input + paid.output;
            return;
        };
        let sum = match paid.cause.as_str() {
            cause if cause == Cause::Consolidation.name() => &mut self.memory,
            cause if cause == Cause::Subagent.name() => &mut self.subagents,
            _ => &mut self.turns,
        };
        *sum += cost;
    }
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.turns += other.turns;
        self.memory += other.memory;
        self.subagents += other.subagents;
        self.unpriced += other.unpriced;
    }
}
