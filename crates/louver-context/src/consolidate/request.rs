//! What a model is asked: our prose, the memory and the conversation as fenced data, one tool.
//!
//! The request has a size of its own. When the messages do not fit, fewer are taken and the rest
//! waits for the next time; only a single exchange that is too large is shortened, with a mark at
//! each place, and the request says of which messages.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use serde_json::json;

use super::answer::is_time;
use super::{Past, cuts};
use crate::count::Counter;
use crate::fence::fence;
use crate::message::{Content, Message, Part, Role};
use crate::prompt::tool_text;
use crate::snapshot::ToolSchema;
use crate::tokens::Tokens;

/// The name of the tool by which a model answers.
pub const SAVE_MEMORY: &str = "save_memory";

/// A request for a model, and which messages it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The system prompt.
    pub system: &'static str,
    /// The one message of the user.
    pub user: String,
    /// The only tool on offer.
    pub tool: ToolSchema,
    /// The messages that were taken: all of them, or the oldest that had room.
    pub taken: Taken,
    /// Ids of messages that are not in it whole.
    pub shortened: Vec<u64>,
    /// What the three parts cost, without what a provider's format adds.
    pub tokens: Tokens,
}

/// The messages that a request is about, oldest first. There is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Each message's id and time.
    pub messages: Vec<Seen>,
    /// The time for an entry that brings none: that of the newest message whose time is known.
    pub newest: String,
}

/// A message that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its id.
    pub id: u64,
    /// Its time, as it came.
    pub time: Arc<str>,
}

impl Taken {
    /// The first message's id.
    pub fn first(&self) -> u64 {
        self.messages.first().map_or(0, |seen| seen.id)
    }

    /// The last message's id.
    pub fn last(&self) -> u64 {
        self.messages.last().map_or(0, |seen| seen.id)
    }
}

/// Why no request can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each field is what its name says")]
pub enum NoRequest {
    /// There is nothing to take.
    #[error("there are no messages to consolidate")]
    Nothing,
    /// The memory alone is too large. It must be rewritten whole, so it is not cut.
    #[error(
        "the request needs {needs} tokens before any message, but {room} may be used; the largest part is `memory/MEMORY.md`"
    )]
    Memory { needs: Tokens, room: Tokens },
    /// The oldest exchange is too large even when it is shortened.
    #[error(
        "messages {first} to {last} need {needs} tokens even when they are shortened, but {room} may be used"
    )]
    Messages { first: u64, last: u64, needs: Tokens, room: Tokens },
}

/// How much of a message is shown: bytes of a tool's result, bytes of anything else.
#[derive(Debug, Clone, Copy)]
struct Show {
    result: usize,
    said: usize,
}

/// Results are long and seldom what is remembered, so only their beginnings are ever shown.
const PLAIN: Show = Show { result: 800, said: usize::MAX };
/// For an exchange that is too large by itself, from gentle to harsh.
const SHORTER: [Show; 3] = [
    Show { result: 300, said: 4000 },
    Show { result: 120, said: 600 },
    Show { result: 40, said: 120 },
];
/// Bytes of a call's arguments.
const ARGUMENTS: usize = 200;

/// The request for the oldest of these messages that fit into `room` tokens. `now` is the time, as
/// `YYYY-MM-DD HH:MM`.
pub fn request(
    past: &[Past],
    memory: &str,
    now: &str,
    room: Tokens,
    counter: &Counter,
) -> Result<Request, NoRequest> {
    if past.is_empty() {
        return Err(NoRequest::Nothing);
    }
    let draft = Draft { past, memory, now, counter, tool: tool() };
    let needs = draft.cost(&draft.user(""));
    if needs > room {
        return Err(NoRequest::Memory { needs, room });
    }
    let mut ends = cuts(past);
    ends.push(past.len());
    let lines: Vec<Line> = past.iter().map(|past| line(past, PLAIN)).collect();
    let fits = draft.first_guess(&lines, &ends, room - needs);
    for end in ends[..fits].iter().rev() {
        let request = draft.finish(0..*end, &lines[..*end]);
        if request.tokens <= room {
            return Ok(request);
        }
    }
    draft.shorter(ends[0], room)
}

/// The parts of a request.
struct Draft<'a> {
    past: &'a [Past],
    memory: &'a str,
    now: &'a str,
    counter: &'a Counter,
    tool: ToolSchema,
}

impl Draft<'_> {
    /// How many of these ends are worth a try: the sum of counts is near enough to begin with.
    fn first_guess(&self, lines: &[Line], ends: &[usize], room: Tokens) -> usize {
        let mut sum = 0_u64;
        let mut from = 0;
        let over = ends.iter().position(|end| {
            let costs = lines[from..*end].iter().map(|line| self.counter.count(&line.text).0);
            sum += costs.map(u64::from).sum::<u64>();
            from = *end;
            // Counted together, lines may cost a little less than apart.
            sum > u64::from(room.0) + u64::from(room.0) / 16
        });
        over.unwrap_or(ends.len())
    }

    /// The oldest exchange alone, shortened until it fits.
    fn shorter(&self, end: usize, room: Tokens) -> Result<Request, NoRequest> {
        let mut needs = Tokens(0);
        for show in SHORTER {
            let lines: Vec<Line> = self.past[..end].iter().map(|past| line(past, show)).collect();
            let request = self.finish(0..end, &lines);
            if request.tokens <= room {
                return Ok(request);
            }
            needs = request.tokens;
        }
        let (first, last) = (self.past[0].id, self.past[end - 1].id);
        Err(NoRequest::Messages { first, last, needs, room })
    }

    fn finish(&self, range: Range<usize>, lines: &[Line]) -> Request {
        let past = &self.past[range];
        let conversation: String = lines.iter().map(|line| line.text.as_str()).collect();
        let user = self.user(&conversation);
        let known = past.iter().rev().find(|past| is_time(&past.time));
        let seen = |past: &Past| Seen { id: past.id, time: past.time.clone() };
        let cut = past.iter().zip(lines).filter(|(_, line)| line.cut).map(|(past, _)| past.id);
        Request {
            system: SYSTEM,
            tokens: self.cost(&user),
            user,
            tool: self.tool.clone(),
            taken: Taken {
                messages: past.iter().map(seen).collect(),
                newest: known.map_or(self.now, |past| &past.time).to_owned(),
            },
            shortened: cut.collect(),
        }
    }

    fn user(&self, conversation: &str) -> String {
        let memory = fence("memory", "", self.memory);
        let talk = fence("conversation", "", conversation);
        format!(
            "It is {}.\n\nThe long-term memory:\n{}\n{}\n{}\n\nThe conversation:\n{}\n{}{}\n",
            self.now,
            memory.open,
            self.memory.trim_end(),
            memory.close,
            talk.open,
            conversation,
            talk.close
        )
    }

    fn cost(&self, user: &str) -> Tokens {
        let count = |text: &str| self.counter.count(text);
        count(SYSTEM) + count(user) + count(&tool_text(&self.tool))
    }
}

const SYSTEM: &str = include_str!("../consolidate.md");

fn tool() -> ToolSchema {
    let entry =
        "What happened, beginning with [YYYY-MM-DD HH:MM]; a few sentences without an empty line.";
    let update = "The whole long-term memory as it should be from now on, in Markdown; empty when nothing changes.";
    ToolSchema {
        name: SAVE_MEMORY.into(),
        description: "Saves what is worth keeping of the conversation.".into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "history_entry": {"type": "string", "description": entry},
                "memory_update": {"type": "string", "description": update},
            },
            "required": ["history_entry", "memory_update"],
        }),
    }
}

/// A message as it stands in the request. It is empty for one that says nothing.
struct Line {
    text: String,
    cut: bool,
}

fn line(past: &Past, show: Show) -> Line {
    let message = &past.message;
    let limit = if message.role == Role::Tool { show.result } else { show.said };
    let (mut said, mut cut) = head(&content(message), limit);
    for call in &message.calls {
        let (arguments, short) = head(call.arguments.trim(), ARGUMENTS.min(limit));
        cut |= short;
        let gap = if said.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(said, "{gap}[calls {} {arguments}]", call.name);
    }
    if said.trim().is_empty() {
        return Line { text: String::new(), cut };
    }
    let time = if is_time(&past.time) { &past.time } else { "unknown time" };
    Line { text: format!("[{time}] {}: {}\n", speaker(message), indented(said.trim())), cut }
}

fn speaker(message: &Message) -> String {
    let role = match message.role {
        Role::System => "SYSTEM",
        Role::User => "USER",
        Role::Assistant => "ASSISTANT",
        Role::Tool => "TOOL",
    };
    match message.name.as_deref().map(|name| head(name, 60).0) {
        Some(name) => format!("{role} {}", name.replace(|c: char| c.is_control() || c == ':', " ")),
        None => role.to_owned(),
    }
}

fn content(message: &Message) -> String {
    let parts = match &message.content {
        Content::Null => return String::new(),
        Content::Text(text) => return text.to_string(),
        Content::Parts(parts) => parts,
    };
    let part = |part: &Part| match part {
        Part::Text(text) => text.to_string(),
        Part::Picture(_) => "[a picture]".to_owned(),
        Part::Other(_) => "[an attachment]".to_owned(),
    };
    parts.iter().map(part).collect::<Vec<_>>().join("\n")
}

/// The beginning of a text, with a mark for what is missing, and whether something is.
fn head(text: &str, limit: usize) -> (String, bool) {
    // What is hardly longer than the limit and its mark is not worth cutting.
    if text.len() <= limit.saturating_add(40) {
        return (text.to_owned(), false);
    }
    let mut end = text.floor_char_boundary(limit);
    if let Some(line) = text[..end].rfind('\n').filter(|line| *line > end / 2) {
        end = line;
    }
    let rest = text[end..].chars().count();
    (format!("{} [… {rest} more characters, left out here]", text[..end].trim_end()), true)
}

/// The text with all its lines but the first moved in, so that no text can look like the next
/// message.
fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                out.push_str("\n  ")
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
#[path = "test_request.rs"]
mod tests;
