//! The conversation so far: its exchanges, and how it gets smaller.
//!
//! An exchange begins with something a person said and ends before the next such message. History
//! loses whole exchanges, oldest first, so that no call is parted from its result and no answer
//! stands without its question. When one is left, its calls go with their results, oldest first.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::count::Counter;
use crate::fence::{attribute, cut_off};
use crate::ledger::{LeftOut, Reason};
use crate::message::{Content, Message, Role};
use crate::source::Source;
use crate::tokens::Tokens;

/// A message and its number in the session, which it keeps whatever is left out before it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The number in the history that was handed in.
    pub id: u32,
    /// The message.
    pub message: Arc<Message>,
}

/// Messages with their numbers.
pub fn numbered<'a>(messages: impl IntoIterator<Item = &'a Arc<Message>>) -> Vec<Entry> {
    let entry = |(id, message): (u32, &Arc<Message>)| Entry { id, message: message.clone() };
    (0..).zip(messages).map(entry).collect()
}

/// The first message of each exchange. Messages before the first thing a person said belong to
/// the first exchange.
pub fn exchanges(entries: &[Entry]) -> Vec<usize> {
    let asks = |i: &usize| entries[*i].message.role == Role::User;
    let mut starts: Vec<usize> = (0..entries.len()).filter(asks).collect();
    match starts.first_mut() {
        Some(first) => *first = 0,
        None if !entries.is_empty() => starts.push(0),
        None => {}
    }
    starts
}

/// A tool result longer than this can be shortened; a shorter one is not worth a mark.
const LONG_RESULT: Tokens = Tokens(400);
/// How much of a shortened result stays.
const RESULT_HEAD: usize = 800;

/// Whose results may be shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Those of all exchanges but the last.
    Older,
    /// All of them.
    All,
}

/// Shortens tool results, oldest first, until `over` tokens are freed. Says how many that are.
pub fn shorten_results(
    entries: &mut [Entry],
    reach: Reach,
    over: Tokens,
    counter: &Counter,
    left_out: &mut Vec<LeftOut>,
) -> Tokens {
    let last = match reach {
        Reach::Older => exchanges(entries).last().copied().unwrap_or(0),
        Reach::All => entries.len(),
    };
    let mut freed = Tokens(0);
    for entry in &mut entries[..last] {
        if freed >= over {
            break;
        }
        let Some((message, gone)) = shortened(&entry.message, counter) else { continue };
        let id = entry.message.answers.clone().unwrap_or_else(|| "".into());
        let source = Source::ToolCall { message: entry.id, id };
        let reason = Reason::Room;
        left_out.push(LeftOut { layer: Cow::Borrowed("history"), source, tokens: gone, reason });
        entry.message = Arc::new(message);
        freed += gone;
    }
    freed
}

/// A tool's long result with its first lines and a mark, and what that saves.
fn shortened(message: &Message, counter: &Counter) -> Option<(Message, Tokens)> {
    let (Role::Tool, Content::Text(text)) = (message.role, &message.content) else { return None };
    let whole = counter.count(text);
    if whole <= LONG_RESULT || ENDS_OF_MARK.iter().any(|end| text.ends_with(end)) {
        return None;
    }
    let mut head = floor(text, RESULT_HEAD);
    if let Some(line) = text[..head].rfind('\n') {
        head = line + 1;
    }
    let rest = counter.count(&text[head..]);
    let close = cut_off(&text[..head], &text[head..]).map_or(String::new(), |tag| tag + "\n");
    // The log has it whole, under the id of its call.
    let whole_by = match message.answers.as_deref().map(attribute).filter(|id| !id.is_empty()) {
        Some(id) => format!("expand `{id}`, or "),
        None => String::new(),
    };
    let mark = format!("[… {rest} tokens of this result left out: {whole_by}{}", ENDS_OF_MARK[0]);
    let kept = format!("{}{close}{mark}", &text[..head]);
    let saved = whole - counter.count(&kept);
    let mut short = message.clone();
    short.content = Content::Text(kept.into());
    (saved > Tokens(0)).then_some((short, saved))
}

/// How a mark ends, and ended in earlier versions: what was shortened is not shortened again.
const ENDS_OF_MARK: [&str; 2] =
    ["call the tool again]", " left out; call the tool again to see them]"];

/// The largest char boundary that is not above `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The exchanges but for the last one, oldest first.
pub fn older_exchanges(entries: &[Entry]) -> Vec<Range<usize>> {
    exchanges(entries).windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// The calls of the last exchange, each answer's with their results, oldest first. How the exchange ends stays: what
/// was answered, or the results that nobody has read yet.
pub fn older_calls(entries: &[Entry]) -> Vec<Range<usize>> {
    let start = exchanges(entries).last().copied().unwrap_or(0);
    let speaks = |at: &usize| entries[*at].message.role != Role::Tool;
    let speakers: Vec<usize> = (start..entries.len()).filter(speaks).collect();
    let steps = speakers.windows(2).map(|pair| pair[0]..pair[1]);
    steps.filter(|step| !entries[step.start].message.calls.is_empty()).collect()
}

/// Of these ranges of messages, oldest first, those that must go so that at least `over` tokens do: all of them
/// where even that is not enough.
pub fn oldest_to_drop(
    mut ranges: Vec<Range<usize>>,
    costs: &[Tokens],
    over: Tokens,
) -> Vec<Range<usize>> {
    let mut freed = Tokens(0);
    let enough = ranges.iter().position(|range| {
        freed += costs[range.clone()].iter().copied().sum();
        freed >= over
    });
    ranges.truncate(enough.map_or(ranges.len(), |last| last + 1));
    ranges
}

/// Where the last `rounds` exchanges begin.
pub fn last_rounds(entries: &[Entry], rounds: u32) -> usize {
    let starts = exchanges(entries);
    let skip = starts.len().saturating_sub(rounds as usize);
    starts.get(skip).copied().unwrap_or(entries.len())
}

/// The mark that stands for messages that are no longer sent. In a session it has their names, by which they can
/// be read: the session's key, and the numbers of the first and the last event.
pub fn mark(messages: usize, tokens: Tokens, named: Option<(&str, [u64; 2])>) -> String {
    let s = if messages == 1 { "" } else { "s" };
    let names = named.map_or(String::new(), |(key, [from, to])| {
        format!(": they are `{key}#{from}` to `#{to}`, which `expand` shows and `recall` finds")
    });
    format!(
        "[{messages} earlier message{s} of this conversation, {tokens} tokens, not shown here{names}]"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Counting;
    use crate::message::ToolCall;

    fn entries(roles: &[Role]) -> Vec<Entry> {
        let message = |role: &Role| Arc::new(Message::text(*role, "one two"));
        (0..).zip(roles).map(|(id, role)| Entry { id, message: message(role) }).collect()
    }

    use Role::{Assistant, Tool, User};

    #[test]
    fn an_exchange_begins_with_what_a_person_said() {
        assert_eq!(exchanges(&entries(&[Assistant, User, Assistant, Tool, User])), [0, 4]);
        assert_eq!(exchanges(&entries(&[Assistant])), [0]);
        assert_eq!(exchanges(&[]), [0; 0]);
    }

    #[test]
    fn the_last_exchange_is_never_dropped() {
        let entries = entries(&[User, Assistant, User, Assistant, User, Assistant]);
        let costs = [Tokens(2); 6];
        let drop = |over| -> Vec<usize> {
            let gone = oldest_to_drop(older_exchanges(&entries), &costs, Tokens(over));
            gone.into_iter().flatten().collect()
        };
        assert_eq!(drop(1), [0, 1]);
        assert_eq!(drop(5), [0, 1, 2, 3]);
        assert_eq!(drop(500), [0, 1, 2, 3]);
    }

    #[test]
    fn the_last_exchange_loses_calls_with_their_results_and_keeps_its_ends() {
        let calling = |roles: &[Role]| {
            let mut entries = entries(roles);
            let calls =
                (1..entries.len()).filter(|at| roles[at - 1..].starts_with(&[Assistant, Tool]));
            for at in calls.collect::<Vec<_>>() {
                Arc::make_mut(&mut entries[at - 1].message).calls.push(ToolCall {
                    id: "c".into(),
                    name: "t".into(),
                    arguments: "{}".into(),
                    extra: Default::default(),
                });
            }
            older_calls(&entries).into_iter().flatten().collect::<Vec<usize>>()
        };
        let one = [User, Assistant, Tool, Tool, Assistant, Tool];
        assert_eq!(calling(&one), [1, 2, 3], "nobody has read the last result");
        let answered = [&[User, Assistant][..], &one[..], &[Assistant][..]].concat();
        assert_eq!(calling(&answered), [3, 4, 5, 6, 7]);
        assert_eq!(calling(&[User, Assistant]), [0; 0]);
    }

    #[test]
    fn rounds_are_counted_from_the_end() {
        let entries = entries(&[User, Assistant, User, Assistant, User]);
        assert_eq!(last_rounds(&entries, 2), 2);
        assert_eq!(last_rounds(&entries, 9), 0);
        assert_eq!(last_rounds(&entries, 0), 5);
    }

    #[test]
    fn a_result_is_shortened_once_and_only_in_older_exchanges() {
        let counter = Counter::new(Counting::Words);
        let long = "word word word\n".repeat(300);
        let mut entries = entries(&[User, Assistant, Tool, User, Tool]);
        for i in [2, 4] {
            entries[i].message = Arc::new(Message::result("c", "t", long.clone()));
        }
        let mut left_out = Vec::new();
        let freed =
            shorten_results(&mut entries, Reach::Older, Tokens(9999), &counter, &mut left_out);
        assert!(freed > Tokens(600) && left_out.len() == 1);
        let Content::Text(text) = &entries[2].message.content else { panic!() };
        assert!(text.starts_with("word word word\n") && text.ends_with(ENDS_OF_MARK[0]));
        assert!(matches!(&entries[4].message.content, Content::Text(text) if **text == long));
        let again =
            shorten_results(&mut entries, Reach::Older, Tokens(9999), &counter, &mut left_out);
        assert_eq!(again, Tokens(0));
    }
}
