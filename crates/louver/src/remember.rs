//! Memory of older messages: what became of it, and what keeps it waiting, in lines for the person.

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit};
use louver_agent::agent::Agent;
use louver_agent::consolidation::{How, Memorised};
use louver_store::memory::{self, Shown, Waiting, waiting};

use crate::screen::{self, Tone, count};
use crate::talk::plain_line;
use crate::took::dollars;

/// Makes memory of a session's older messages when it is due, and says what came of it.
pub(crate) async fn when_due(
    agent: &Arc<Agent>,
    workspace: &Path,
    session: &str,
    others: bool,
) -> Option<String> {
    match agent.consolidate(session, others, How::WhenDue).await {
        Ok(None) => None,
        Ok(Some(memorised)) => Some(told(&memorised)),
        Err(error) => {
            let all = waiting(workspace);
            let next = all.iter().find(|waiting| waiting.session == session).map(next);
            let next = next.map_or_else(String::new, |next| format!("; {next}"));
            Some(format!("no memory was made of older messages: {error}{next}"))
        }
    }
}

/// Waits for memory that is being made, and says so when that takes more than a moment: most often there is
/// nothing to remember, and that is soon known.
pub(crate) async fn patiently<T>(making: impl Future<Output = T>, told: &str) -> T {
    let mut making = pin!(making);
    match tokio::time::timeout(Duration::from_millis(300), &mut making).await {
        Ok(made) => made,
        Err(_) => {
            screen::message("note", told, Tone::Quiet);
            making.await
        }
    }
}

/// What became of old messages, and what that cost.
pub(crate) fn told(memorised: &Memorised) -> String {
    let cost = memorised.cost.map_or_else(String::new, |cost| format!(" ({})", dollars(cost)));
    format!("{}{cost}", memorised.told())
}

/// That memory is being made, while it is.
pub(crate) fn being_made(workspace: &Path) -> Option<String> {
    let session = memory::being_made(workspace)?;
    Some(format!("memory of `{}` is being made now", plain_line(&session)))
}

/// What keeps memory waiting, a line for each session.
pub(crate) fn waits(workspace: &Path) -> Vec<String> {
    let made = memory::being_made(workspace);
    let line = |waiting: &Waiting| {
        let (session, why) = (plain_line(&waiting.session), plain_line(&waiting.why));
        let times = match waiting.failures {
            1 => String::new(),
            n => format!(" ({n} times in a row)"),
        };
        format!("memory of `{session}` could not be made{times}: {why}; {}", next(waiting))
    };
    let waiting = waiting(workspace);
    waiting.iter().filter(|waiting| Some(&waiting.session) != made.as_ref()).map(line).collect()
}

/// That some of memory is not shown.
pub(crate) fn withheld(shown: &Shown) -> Option<String> {
    let lines = count(shown.withheld as u64, "line");
    (shown.withheld > 0).then(|| format!("not shown: {lines} of the file, since forgotten"))
}

/// When it is tried again.
fn next(waiting: &Waiting) -> String {
    if waiting.until <= Timestamp::now() {
        return "the next turn tries again".to_owned();
    }
    let until = waiting.until.to_zoned(TimeZone::system());
    let until = until.round(Unit::Second).unwrap_or(until);
    format!("turns try again after {}, `/compact` in a chat at once", until.strftime("%H:%M:%S"))
}
