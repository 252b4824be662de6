//! Every tool result keeps its call: the law all providers share.
//!
//! Any list of messages goes in, a valid one comes out, with the list of what was repaired. Crashes,
//! edits and imports leave histories that providers refuse whole, so one lost result would cost the
//! conversation. What is made up is made up the same way every time.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::history::{Entry, numbered};
use crate::message::{Content, Message, Role};

/// What a provider demands beyond pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The conversation must begin with a person's message.
    pub person_first: bool,
    /// Two messages of one role must not follow each other.
    pub alternate: bool,
    /// A message must say something.
    pub no_silence: bool,
}

impl Rules {
    /// OpenAI's chat completions and those that follow it.
    pub const OPENAI: Rules = Rules { person_first: false, alternate: false, no_silence: true };
    /// Anthropic's messages. Its renderer joins what one side says in a row, so that this is about
    /// the first message and about empty ones.
    pub const ANTHROPIC: Rules = Rules { person_first: true, alternate: false, no_silence: true };
    /// Servers whose chat template accepts nothing but turns of user and assistant.
    pub const STRICT: Rules = Rules { person_first: true, alternate: true, no_silence: true };
}

/// Something that was repaired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// The number of the message in the history that was handed in.
    pub message: u32,
    /// What was done.
    pub done: Done,
}

/// What was done to a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Done {
    /// A result that answers no call was left out.
    OrphanResult(Arc<str>),
    /// A call without a result got one that says so.
    MissingResult(Arc<str>),
    /// A second result for one call was left out.
    SecondResult(Arc<str>),
    /// An id that two calls shared, or an empty one, was made unique.
    NewId {
        /// As it was.
        old: Arc<str>,
        /// As it is.
        new: Arc<str>,
    },
    /// A result was moved up to its call.
    MovedResult(Arc<str>),
    /// A call without a tool's name was left out.
    NamelessCall,
    /// Arguments that are no JSON object became the text in one.
    Arguments(Arc<str>),
    /// A call that is not the model's was left out.
    MisplacedCall,
    /// A message that says nothing was left out.
    Silent,
    /// A system message inside the conversation was left out.
    SystemInside,
    /// A message before the first thing a person said was left out.
    BeforePerson,
    /// A message was joined to the one before it, which has the same role.
    Joined,
    /// A message that was never answered got an answer that says so.
    NoReply,
}

/// What stands for a reply that never came.
const NO_REPLY: &str = "[no reply was recorded]";

/// What stands for a result that is not there.
const NO_RESULT: &str = "[no result: the call was interrupted or its result was lost]";

/// The messages as the provider takes them, and what was repaired.
///
/// Messages that need no repair are shared, not copied.
pub fn repair(entries: &[Entry], rules: Rules) -> (Vec<Entry>, Vec<Repair>) {
    if is_valid(entries, rules) {
        return (entries.to_vec(), Vec::new());
    }
    let mut repairs = Vec::new();
    let entries = drop_unusable(entries, rules, &mut repairs);
    let mut paired = pair(&entries, &mut repairs);
    if rules.person_first {
        begin_with_person(&mut paired, &mut repairs);
    }
    if rules.alternate {
        join(&mut paired, &mut repairs);
    }
    (paired, repairs)
}

/// A reply whose calls have ids that no call before them has. Some servers name the calls of every answer alike: a
/// call that is taken into a conversation so keeps its id in every later request.
pub fn with_own_ids(before: &[Arc<Message>], reply: &Message) -> Message {
    let mut entries = numbered(before);
    let id = entries.len() as u32;
    entries.push(Entry { id, message: Arc::new(reply.clone()) });
    let paired = pair(&entries, &mut Vec::new());
    let own = paired.into_iter().find(|entry| entry.id == id);
    own.map_or_else(|| reply.clone(), |own| (*own.message).clone())
}

/// Whether there is nothing to repair. Almost always so, hence worth one quick look.
fn is_valid(entries: &[Entry], rules: Rules) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    let mut before = None;
    for entry in entries {
        let message = &*entry.message;
        let role = message.role;
        let fine = match role {
            Role::System => false,
            Role::Tool => message.answers.as_deref().is_some_and(|id| answer(&mut open, id)),
            Role::User | Role::Assistant => open.is_empty(),
        };
        let unusable = rules.no_silence && role != Role::Tool && message.is_silent();
        let stray = rules.person_first && before.is_none() && role != Role::User;
        let twice = rules.alternate && role != Role::Tool && before == Some(role);
        if !fine || unusable || stray || twice || is_misplaced(message) {
            return false;
        }
        for call in &message.calls {
            let named = !call.id.is_empty() && !call.name.is_empty() && seen.insert(&call.id);
            if !named || *object(&call.arguments) != *call.arguments {
                return false;
            }
            open.push(&call.id);
        }
        before = Some(role);
    }
    open.is_empty()
}

/// Whether a message has calls although it is not the model's.
fn is_misplaced(message: &Message) -> bool {
    message.role != Role::Assistant && !message.calls.is_empty()
}

fn answer(open: &mut Vec<&str>, id: &str) -> bool {
    let found = open.iter().position(|call| *call == id);
    found.map(|at| open.remove(at)).is_some()
}

/// Leaves out what no provider takes: silence, system messages in the middle, nameless calls.
fn drop_unusable(entries: &[Entry], rules: Rules, repairs: &mut Vec<Repair>) -> Vec<Entry> {
    let mut kept = Vec::with_capacity(entries.len());
    for entry in entries {
        let mut entry = entry.clone();
        let mut note = |done| repairs.push(Repair { message: entry.id, done });
        if is_misplaced(&entry.message) {
            Arc::make_mut(&mut entry.message).calls.clear();
            note(Done::MisplacedCall);
        }
        if entry.message.calls.iter().any(|call| call.name.is_empty()) {
            let mut message = (*entry.message).clone();
            message.calls.retain(|call| !call.name.is_empty());
            entry.message = Arc::new(message);
            note(Done::NamelessCall);
        }
        with_objects(&mut entry.message).into_iter().for_each(&mut note);
        match entry.message.role {
            Role::System => note(Done::SystemInside),
            Role::User | Role::Assistant if rules.no_silence && entry.message.is_silent() => {
                note(Done::Silent);
            }
            _ => kept.push(entry),
        }
    }
    kept
}

/// Makes the arguments of a message's calls objects, before anything is counted: what is counted is what goes
/// out. Says which of them were something else.
pub(crate) fn with_objects(message: &mut Arc<Message>) -> Vec<Done> {
    let mut done = Vec::new();
    for n in 0..message.calls.len() {
        let call = &message.calls[n];
        let arguments = object(&call.arguments);
        if *arguments == *call.arguments {
            continue;
        }
        // Nothing is what a call without arguments says, and no more than that.
        done.extend((&*arguments != "{}").then(|| Done::Arguments(call.id.clone())));
        let arguments = Arc::from(&*arguments);
        Arc::make_mut(message).calls[n].arguments = arguments;
    }
    done
}

/// Arguments as a JSON object: servers read them again, and one broken call would cost every later
/// request.
fn object(arguments: &str) -> Cow<'_, str> {
    let trimmed = arguments.trim();
    if trimmed.is_empty() || trimmed == "null" {
        return Cow::Borrowed("{}");
    }
    if serde_json::from_str::<Map<String, Value>>(trimmed).is_ok() {
        return Cow::Borrowed(arguments);
    }
    Cow::Owned(json!({"text": arguments}).to_string())
}

/// Puts each call's result right behind it; makes up what is missing, leaves out what is too much.
fn pair(entries: &[Entry], repairs: &mut Vec<Repair>) -> Vec<Entry> {
    let mut results = results_by_call(entries);
    let callers = callers(entries);
    let mut used: HashSet<Arc<str>> = HashSet::new();
    let mut taken: HashSet<usize> = HashSet::new();
    let speaker = speakers(entries);
    let mut paired = Vec::with_capacity(entries.len());
    for (i, entry) in entries.iter().enumerate() {
        if entry.message.role == Role::Tool {
            continue;
        }
        let mut caller = entry.clone();
        let mut answers = Vec::new();
        for n in 0..entry.message.calls.len() {
            let old = entry.message.calls[n].id.clone();
            let id = unique(&old, &mut used);
            if id != old {
                Arc::make_mut(&mut caller.message).calls[n].id = id.clone();
                let done = Done::NewId { old: old.clone(), new: id.clone() };
                repairs.push(Repair { message: entry.id, done });
            }
            let found = take_between(&mut results, &old, i, next_call(&callers, &old, i));
            if let Some(at) = found {
                taken.insert(at);
                if speaker[at] != i {
                    let done = Done::MovedResult(old.clone());
                    repairs.push(Repair { message: entries[at].id, done });
                }
            }
            let name = &entry.message.calls[n].name;
            answers.push(result_for(entries, entry.id, found, (&old, &id, name), repairs));
        }
        paired.push(caller);
        paired.extend(answers);
    }
    note_orphans(entries, &taken, repairs);
    repairs.sort_by_key(|repair| repair.message);
    paired
}

/// The messages that answer each id, in order.
fn results_by_call(entries: &[Entry]) -> HashMap<Arc<str>, Vec<usize>> {
    let mut results: HashMap<Arc<str>, Vec<usize>> = HashMap::new();
    for (i, entry) in entries.iter().enumerate() {
        if let (Role::Tool, Some(id)) = (entry.message.role, &entry.message.answers) {
            results.entry(id.clone()).or_default().push(i);
        }
    }
    results
}

/// For each message the newest one up to it that is not a tool's: the one a result there answers.
fn speakers(entries: &[Entry]) -> Vec<usize> {
    let mut speaker = 0;
    let newest = |(i, entry): (usize, &Entry)| {
        if entry.message.role != Role::Tool {
            speaker = i;
        }
        speaker
    };
    entries.iter().enumerate().map(newest).collect()
}

/// The messages that call with each id, in order. Some providers use an id again in a later turn.
fn callers(entries: &[Entry]) -> HashMap<Arc<str>, Vec<usize>> {
    let mut callers: HashMap<Arc<str>, Vec<usize>> = HashMap::new();
    for (i, entry) in entries.iter().enumerate() {
        for call in &entry.message.calls {
            callers.entry(call.id.clone()).or_default().push(i);
        }
    }
    callers
}

/// The next message that calls with the same id; what comes after it answers it.
fn next_call(callers: &HashMap<Arc<str>, Vec<usize>>, id: &str, call: usize) -> usize {
    let later = callers.get(id).and_then(|at| at.iter().find(|at| **at > call));
    later.copied().unwrap_or(usize::MAX)
}

/// The first unused result for an id between its call and the next call of that id.
fn take_between(
    results: &mut HashMap<Arc<str>, Vec<usize>>,
    id: &str,
    call: usize,
    next: usize,
) -> Option<usize> {
    let waiting = results.get_mut(id)?;
    let at = waiting.iter().position(|at| (call..next).contains(at))?;
    Some(waiting.remove(at))
}

/// An id that was not used before in this conversation; the same for the same conversation.
fn unique(id: &Arc<str>, used: &mut HashSet<Arc<str>>) -> Arc<str> {
    let base: Arc<str> = if id.is_empty() { "call".into() } else { id.clone() };
    let mut unique = base.clone();
    let mut tries = u32::from(!id.is_empty());
    while (id.is_empty() && tries == 0) || used.contains(&unique) {
        tries += 1;
        unique = format!("{base}_{tries}").into();
    }
    used.insert(unique.clone());
    unique
}

fn result_for(
    entries: &[Entry],
    caller: u32,
    found: Option<usize>,
    (old, id, name): (&Arc<str>, &Arc<str>, &Arc<str>),
    repairs: &mut Vec<Repair>,
) -> Entry {
    let Some(found) = found else {
        repairs.push(Repair { message: caller, done: Done::MissingResult(old.clone()) });
        let message = Message::result(id.clone(), name.clone(), NO_RESULT);
        return Entry { id: caller, message: Arc::new(message) };
    };
    let mut entry = entries[found].clone();
    if old != id {
        Arc::make_mut(&mut entry.message).answers = Some(id.clone());
    }
    entry
}

/// Notes the results that nobody asked for.
fn note_orphans(entries: &[Entry], taken: &HashSet<usize>, repairs: &mut Vec<Repair>) {
    let answered: HashSet<&str> =
        taken.iter().filter_map(|at| entries[*at].message.answers.as_deref()).collect();
    for (i, entry) in entries.iter().enumerate() {
        if entry.message.role != Role::Tool || taken.contains(&i) {
            continue;
        }
        let id: Arc<str> = entry.message.answers.clone().unwrap_or_else(|| "".into());
        let second = answered.contains(&*id);
        let done = if second { Done::SecondResult(id) } else { Done::OrphanResult(id) };
        repairs.push(Repair { message: entry.id, done });
    }
}

fn begin_with_person(entries: &mut Vec<Entry>, repairs: &mut Vec<Repair>) {
    let first = entries.iter().position(|entry| entry.message.role == Role::User);
    let before = entries.drain(..first.unwrap_or(entries.len()));
    repairs.extend(before.map(|entry| Repair { message: entry.id, done: Done::BeforePerson }));
}

/// Joins what the model said in a row, and says between two messages of a person that no reply was
/// recorded. (Joining those would change what was sent when the first of them was the newest.)
fn join(entries: &mut Vec<Entry>, repairs: &mut Vec<Repair>) {
    let mut joined: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries.drain(..) {
        if entry.message.role == Role::User {
            open_for_person(&mut joined, Rules::STRICT, repairs);
        }
        match joined.last_mut() {
            Some(last)
                if entry.message.role == Role::Assistant
                    && last.message.role == Role::Assistant
                    && last.message.calls.is_empty() =>
            {
                repairs.push(Repair { message: entry.id, done: Done::Joined });
                let one = Arc::make_mut(&mut last.message);
                let content = std::mem::replace(&mut one.content, Content::Null);
                one.content = both(content, entry.message.content.clone());
                one.calls.extend(entry.message.calls.iter().cloned());
                one.reasoning.extend(entry.message.reasoning.iter().cloned());
            }
            _ => joined.push(entry),
        }
    }
    *entries = joined;
}

/// Two contents as one. Text stays text: the templates of strict servers take nothing else.
fn both(first: Content, second: Content) -> Content {
    match (first, second) {
        (Content::Text(first), Content::Text(second)) => {
            Content::Text(format!("{first}\n\n{second}").into())
        }
        (first, second) => {
            let mut parts = first.into_parts();
            parts.extend(second.into_parts());
            Content::Parts(parts)
        }
    }
}

/// Makes sure that a person's new message can follow: where roles must alternate and the last word
/// was a person's, the reply that never came is said to be missing.
pub fn open_for_person(entries: &mut Vec<Entry>, rules: Rules, repairs: &mut Vec<Repair>) {
    let Some(last) = entries.last().filter(|last| last.message.role == Role::User) else { return };
    if rules.alternate {
        let id = last.id;
        repairs.push(Repair { message: id, done: Done::NoReply });
        let message = Arc::new(Message::text(Role::Assistant, NO_REPLY));
        entries.push(Entry { id, message });
    }
}

/// A conversation that keeps the rules can be told from one that does not; for tests and tools.
pub fn holds(messages: &[Arc<Message>], rules: Rules) -> bool {
    is_valid(&numbered(messages), rules)
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Done::OrphanResult(id) => {
                write!(f, "left out a result for `{id}`, which nobody called")
            }
            Done::MissingResult(id) => {
                write!(f, "call `{id}` has no result; one that says so was added")
            }
            Done::SecondResult(id) => write!(f, "left out a second result for `{id}`"),
            Done::NewId { old, new } => {
                write!(f, "call `{old}` is called `{new}`, so that ids differ")
            }
            Done::MovedResult(id) => write!(f, "moved the result for `{id}` up to its call"),
            Done::MisplacedCall => f.write_str("left out a call that is not the model's"),
            Done::NamelessCall => f.write_str("left out a call that names no tool"),
            Done::Arguments(id) => {
                write!(f, "what call `{id}` was given is no JSON object; it is sent as text in one")
            }
            Done::Silent => f.write_str("left out, since it says nothing"),
            Done::SystemInside => f.write_str("left out a system message inside the conversation"),
            Done::BeforePerson => f.write_str("left out, since a person must speak first"),
            Done::NoReply => f.write_str("has no reply; one that says so was added"),
            Done::Joined => f.write_str("joined to the message before it, which has the same role"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_an_object_whatever_the_model_wrote() {
        assert_eq!(object("{\"a\": 1}"), "{\"a\": 1}");
        assert_eq!(object(" "), "{}");
        assert_eq!(object("null"), "{}");
        assert_eq!(object("{\"a\": "), "{\"text\":\"{\\\"a\\\": \"}");
        assert_eq!(object("[1]"), "{\"text\":\"[1]\"}");
    }
}
