//! One turn at a time in a session: within the agent, and among the processes that write to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use louver_store::session::{Mode, Session, SessionError};
use louver_store::{Conversation, Problem, import};
use tokio::sync::Mutex;

use crate::agent::Agent;
use crate::happening::{Ears, Happening};

/// Where the turns of a session wait for each other, with its conversation when it is open.
pub(crate) type Lane = Mutex<Option<Conversation>>;

/// How many sessions are kept open between their turns.
const OPEN_SESSIONS: usize = 64;

/// How long a session that another process writes to is waited for.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// How often one who waits looks whether it is free.
const LOOK: Duration = Duration::from_millis(50);

/// What takes longer than this is told to the person.
pub(crate) const MOMENT: Duration = Duration::from_millis(300);

impl Agent {
    pub(crate) fn lane(&self, session: &str) -> Arc<Lane> {
        let mut lanes = self.lanes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if lanes.len() >= OPEN_SESSIONS {
            // Those that nobody is in can be opened again.
            lanes.retain(|_, lane| Arc::strong_count(lane) > 1);
        }
        lanes.entry(session.to_owned()).or_default().clone()
    }

    /// The session's conversation, ready to be written to. Who listens hears for whom it waits.
    pub(crate) async fn open<'a>(
        &self,
        session: &str,
        lane: &'a mut Option<Conversation>,
        ears: Option<&Ears>,
    ) -> Result<(&'a mut Conversation, Vec<Problem>), SessionError> {
        let begun = Instant::now();
        let mut ears = ears;
        let (conversation, problems) = loop {
            match self.try_open(session, lane) {
                Err(busy @ SessionError::Busy { .. }) if begun.elapsed() < LOCK_WAIT => {
                    if begun.elapsed() >= MOMENT
                        && let Some(ears) = ears.take()
                    {
                        let _ = ears.send(Happening::Note(format!("waiting: {busy}")));
                    }
                    tokio::time::sleep(LOOK).await;
                }
                tried => break tried?,
            }
        };
        Ok((lane.insert(conversation), problems))
    }

    fn try_open(
        &self,
        session: &str,
        lane: &mut Option<Conversation>,
    ) -> Result<(Conversation, Vec<Problem>), SessionError> {
        if let Some(mut open) = lane.take() {
            return match open.session().acquire(Duration::ZERO) {
                Ok(problems) => Ok((open, problems)),
                Err(error) => {
                    // What was read of it is read on when it is free.
                    *lane = Some(open).filter(|_| matches!(error, SessionError::Busy { .. }));
                    Err(error)
                }
            };
        }
        let mut problems = import::take_over(&self.path, session)?;
        let (opened, more) = Session::open(&self.path, session, Mode::Write)?;
        problems.extend(more);
        let mut open = Conversation::of(opened);
        open.durability(self.habits.durability);
        Ok((open, problems))
    }
}

/// A conversation that others may write to again when this goes.
pub(crate) struct Held<'a>(pub(crate) &'a mut Conversation);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.session().release();
    }
}
