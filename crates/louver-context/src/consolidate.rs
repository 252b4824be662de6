//! Old messages in; a history entry and an updated long-term memory out. Decides, and asks nobody.
//!
//! When a conversation has grown long its oldest part is handed to a model, once, with the request
//! made here. What comes back is read leniently and believed reluctantly: an answer that is empty
//! or cut off is an error that changes nothing, and a memory that lost too much is only proposed.
//!
//! ```text
//! due ▶ Plan ▶ request ▶ (a model) ▶ read_reply ▶ Answer ▶ check ▶ Verdict ▶ louver-store carries it out
//! ```

mod answer;
mod check;
mod request;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::history::{Entry, exchanges};
use crate::message::Message;
use crate::tokens::Tokens;

pub use answer::{Answer, BadAnswer, Ended, read_answer, read_reply};
pub use check::{PIN, Verdict, check, is_pinned};
pub use request::{NoRequest, Request, SAVE_MEMORY, Seen, Taken, request};

/// How many messages a session may have of which no memory was made yet, unless configured.
pub const MEMORY_WINDOW: usize = 100;

/// A message of which no memory was made yet.
#[derive(Debug, Clone)]
pub struct Past {
    /// Its number in the session. Messages that came with one event share it.
    pub id: u64,
    /// When it was said, as `YYYY-MM-DD HH:MM` where the person is; empty when that is not known.
    pub time: Arc<str>,
    /// The message.
    pub message: Arc<Message>,
}

/// When a conversation is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// So many messages are too many; half of them stay.
    pub window: usize,
    /// So many tokens are too many; at most half of them stay.
    pub budget: Tokens,
}

/// What is to be made memory of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The messages that go, from the oldest.
    pub take: Range<usize>,
    /// How many stay.
    pub keep: usize,
}

/// Whether the messages of which no memory was made yet are too many, and which of them go.
///
/// The newest half of the window stays, or less when even that has more than half the budget's
/// tokens: reducing to just below the mark would make every turn a reason to reduce again. The last
/// exchange always stays, so a single endless one is never due.
pub fn due(past: &[Past], costs: &[Tokens], limits: Limits) -> Option<Plan> {
    let tokens: Tokens = costs.iter().copied().sum();
    let too_large = tokens >= limits.budget && tokens > Tokens(0);
    if past.is_empty() || !(past.len() >= limits.window.max(1) || too_large) {
        return None;
    }
    let cuts = cuts(past);
    let spare = past.len().saturating_sub(limits.window / 2);
    let by_count = cuts.iter().copied().rfind(|cut| *cut <= spare);
    let by_tokens = too_large.then(|| within(&cuts, costs, tokens, Tokens(limits.budget.0 / 2)));
    // An exchange that alone is longer than what may go still has to go some time.
    let cut = by_count.max(by_tokens.flatten()).or(cuts.first().copied())?;
    Some(Plan { take: 0..cut, keep: past.len() - cut })
}

/// The first cut after which no more than `room` stays, or else the last cut.
fn within(cuts: &[usize], costs: &[Tokens], mut rest: Tokens, room: Tokens) -> Option<usize> {
    let mut from = 0;
    let fits = cuts.iter().copied().find(|cut| {
        let gone: Tokens = costs.iter().take(*cut).skip(from).copied().sum();
        (rest, from) = (rest - gone, *cut);
        rest <= room
    });
    fits.or(cuts.last().copied())
}

/// Where the conversation may be cut: before an exchange but the first, where no call is parted
/// from its result and no event from the rest of itself.
fn cuts(past: &[Past]) -> Vec<usize> {
    let entry = |past: &Past| Entry { id: 0, message: past.message.clone() };
    let entries: Vec<Entry> = past.iter().map(entry).collect();
    let open = calls_answered_later(past);
    let whole = |cut: &usize| {
        *cut > 0
            && past[cut - 1].id != past[*cut].id
            && !open.iter().any(|span| span.start < *cut && *cut <= span.end)
    };
    exchanges(&entries).into_iter().filter(whole).collect()
}

/// From each call to its result, where something a person said came in between.
fn calls_answered_later(past: &[Past]) -> Vec<Range<usize>> {
    let mut made: HashMap<&str, usize> = HashMap::new();
    let mut spans = Vec::new();
    for (at, past) in past.iter().enumerate() {
        made.extend(past.message.calls.iter().map(|call| (&*call.id, at)));
        if let Some(call) = past.message.answers.as_deref().and_then(|id| made.get(id)) {
            spans.push(*call..at);
        }
    }
    let asks = |span: &Range<usize>| {
        past[span.clone()].iter().any(|past| past.message.role == crate::message::Role::User)
    };
    spans.retain(asks);
    spans
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::message::{Role, ToolCall};

    pub(super) fn past(id: u64, message: Message) -> Past {
        let time = format!("2026-03-01 10:{:02}", id % 60);
        Past { id, time: time.into(), message: Arc::new(message) }
    }

    pub(super) fn call(id: &str) -> Message {
        let mut message = Message::new(Role::Assistant, crate::message::Content::Null);
        let arguments = "{\"path\":\"a.md\"}".into();
        let extra = Default::default();
        message.calls.push(ToolCall { id: id.into(), name: "read".into(), arguments, extra });
        message
    }

    fn talk(pairs: u64) -> Vec<Past> {
        let pair = |n: u64| {
            [
                past(2 * n, Message::text(Role::User, format!("ask {n}"))),
                past(2 * n + 1, Message::text(Role::Assistant, format!("say {n}"))),
            ]
        };
        (0..pairs).flat_map(pair).collect()
    }

    const LIMITS: Limits = Limits { window: 10, budget: Tokens(1000) };

    fn cut(past: &[Past], each: u32) -> Option<usize> {
        due(past, &vec![Tokens(each); past.len()], LIMITS).map(|plan| plan.take.end)
    }

    #[test]
    fn nothing_goes_before_the_window_or_the_budget_is_full() {
        assert_eq!(cut(&talk(4), 1), None);
        assert_eq!(cut(&[], 1), None);
        assert_eq!(cut(&talk(4), 124), None);
    }

    #[test]
    fn the_newest_half_of_the_window_stays() {
        let plan = due(&talk(5), &[Tokens(1); 10], LIMITS);
        assert_eq!(plan, Some(Plan { take: 0..4, keep: 6 }));
        assert_eq!(cut(&talk(20), 1), Some(34));
    }

    #[test]
    fn a_full_budget_keeps_half_of_it_and_never_takes_the_last_exchange() {
        assert_eq!(cut(&talk(4), 125), Some(4));
        assert_eq!(cut(&talk(2), 900), Some(2));
        assert_eq!(cut(&talk(1), 900), None);
    }

    #[test]
    fn an_exchange_longer_than_what_may_go_goes_whole() {
        let mut long = vec![past(0, Message::text(Role::User, "do it"))];
        for n in 1..8 {
            long.push(past(2 * n, call(&n.to_string())));
            long.push(past(2 * n + 1, Message::result(n.to_string(), "read", "done")));
        }
        assert_eq!(cut(&long, 1), None, "a single exchange stays");
        long.push(past(90, Message::text(Role::User, "thanks")));
        assert_eq!(cut(&long, 1), Some(15));
    }

    #[test]
    fn a_call_that_is_answered_after_the_next_message_is_not_parted_from_its_result() {
        let mut odd = talk(2);
        odd.push(past(4, Message::text(Role::User, "start")));
        odd.push(past(5, call("x")));
        odd.push(past(6, Message::text(Role::User, "are you there?")));
        odd.push(past(7, Message::result("x", "read", "done")));
        odd.extend(talk(3).into_iter().map(|p| Past { id: p.id + 8, ..p }));
        assert_eq!(cuts(&odd), [2, 4, 8, 10, 12]);
    }

    #[test]
    fn messages_of_one_event_stay_together() {
        let mut same = talk(3);
        (same[3].id, same[4].id) = (7, 7);
        assert_eq!(cuts(&same), [2]);
    }

    proptest! {
        #[test]
        fn a_cut_never_parts_a_call_from_its_result(
            kinds in prop::collection::vec((0..4_u8, 0..3_u8), 0..60), each in 0..400_u32,
        ) {
            let message = |(kind, id): &(u8, u8)| match kind {
                0 => Message::text(Role::User, "ask"),
                1 => Message::text(Role::Assistant, "say"),
                2 => call(&id.to_string()),
                _ => Message::result(id.to_string(), "read", "done"),
            };
            let all: Vec<Past> = (0..).zip(&kinds).map(|(n, kind)| past(n, message(kind))).collect();
            let Some(cut) = cut(&all, each) else { return Err(TestCaseError::reject("too short")) };
            prop_assert!(0 < cut && cut < all.len());
            prop_assert_eq!(all[cut].message.role, Role::User);
            let mut open: Vec<&str> = Vec::new();
            for past in &all[..cut] {
                open.extend(past.message.calls.iter().map(|call| &*call.id));
                open.retain(|id| past.message.answers.as_deref() != Some(*id));
            }
            for past in &all[cut..] {
                let answers = past.message.answers.as_deref();
                prop_assert!(!answers.is_some_and(|id| open.contains(&id)));
                let again: Vec<&str> = past.message.calls.iter().map(|call| &*call.id).collect();
                open.retain(|id| !again.contains(id));
            }
        }
    }
}
