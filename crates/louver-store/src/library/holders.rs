//! Who still has a note that is forgotten: logs in which it was said, recalled or read, and files.
//!
//! It is looked for once, when it is forgotten, while its text is known. What is kept of that is where it is.

use std::ops::Range;
use std::path::Path;

use louver_context::layers::changes;
use serde_json::Value;

use super::names::{Label, Named, written};
use super::reminder::first_line;
use super::unshown::lines;
use crate::notes::{Note, When, item};
use crate::session::event::{CallResult, Event, Prefix, Reply, Sent, Summary};
use crate::session::{Record, What, Withheld, kept_text, logs, records, without_reminder, words};
use crate::workspace::MEMORY;

/// A note of fewer bytes may stand in any text by chance.
const TELLING: usize = 12;

/// Of something long that was forgotten whole, so many parts are looked for.
const PARTS: usize = 64;

/// A note, as it is looked for.
struct Wanted<'a> {
    /// Its name.
    place: &'a str,
    /// The name of all of it, where it is a part.
    whole: String,
    /// What it says.
    text: &'a str,
    /// How much of a message that is.
    is: Is,
    /// Whether it is a line of a file.
    is_line: bool,
    /// When it was said.
    time: Option<When>,
    /// The number by which a prompt names it where it was cut.
    handle: String,
}

/// How much of a message a note is.
#[derive(PartialEq, Eq)]
enum Is {
    /// All of it.
    Whole,
    /// The first part of a long one that is forgotten whole.
    First,
    /// A part that is forgotten alone.
    Part,
}

/// In whose sessions and files a note is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// In all there are.
    Anyones,
    /// In the session that has it.
    Own,
}

/// Where a note is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Holders {
    /// What views of sessions leave out.
    pub(super) withheld: Vec<Withheld>,
    /// The sessions and files that have it, by name.
    pub(super) names: Vec<String>,
}

/// Looks for a note of a source, which may be several parts, in all logs and in the files of memory. What cannot be
/// read has nothing.
pub(super) fn find(workspace: &Path, source: &str, parts: &[Note], whose: Whose) -> Holders {
    let mut holders = Holders::default();
    let parts = &parts[..parts.len().min(PARTS)];
    let wanted: Vec<Wanted<'_>> =
        (0..parts.len()).map(|at| Wanted::of(source, parts, at)).collect();
    let all = logs(workspace).unwrap_or_default();
    for log in all.into_iter().filter(|log| whose == Whose::Anyones || log.key == source) {
        let all = records(workspace, &log.name, 0, log.bytes).unwrap_or_default();
        let mut has = false;
        for record in &all {
            let mut found: Vec<(u64, What)> = Vec::new();
            let kept = match &record.event {
                Event::Result(CallResult { blob: Some(handle), .. }) => {
                    kept_text(workspace, &log.name, handle)
                }
                _ => None,
            };
            for wanted in &wanted {
                has |= wanted.in_event(&log.key, record, kept.as_deref(), &mut found);
            }
            let session = &log.key;
            let of = |(n, what)| Withheld { session: session.clone(), n, what };
            found.sort_unstable();
            found.dedup();
            holders.withheld.extend(found.into_iter().map(of));
        }
        holders.names.extend(has.then_some(log.key));
    }
    if whose == Whose::Own {
        return holders;
    }
    for name in MEMORY.iter().copied().chain(["memory/HISTORY.md"]) {
        let text = std::fs::read_to_string(workspace.join(name)).unwrap_or_default();
        if wanted.iter().any(|wanted| wanted.is_in(&text)) {
            holders.names.push(name.to_owned());
        }
    }
    holders
}

impl<'a> Wanted<'a> {
    fn of(source: &str, parts: &'a [Note], at: usize) -> Wanted<'a> {
        let note = &parts[at];
        let label = Label::of(source, &note.place);
        let text = label.plain(&note.text);
        let handle = written(Named::new(source, note.clone()).handle);
        let (is, whole) = match &label {
            Label::Event(number, _) if !label.names_all() && parts.len() == 1 => {
                (Is::Part, format!("{source}#{number}"))
            }
            _ if at == 0 && parts.len() > 1 => (Is::First, note.place.clone()),
            _ => (Is::Whole, note.place.clone()),
        };
        let is_line = matches!(label, Label::Line(..));
        Wanted { place: &note.place, whole, text, is, is_line, time: note.time, handle }
    }

    /// Whether an event has the note, or what was `kept` beside the log for it, and what is withheld for that.
    fn in_event(
        &self,
        session: &str,
        record: &Record,
        kept: Option<&str>,
        withheld: &mut Vec<(u64, What)>,
    ) -> bool {
        let n = record.n;
        match &record.event {
            event @ (Event::Said(_) | Event::Reply(_)) => {
                let text = words(event).unwrap_or_default();
                let what = self.in_words(session, record, &text);
                withheld.extend(what.map(|what| (n, what)));
                let calls = self.in_calls(event);
                withheld.extend(calls.iter().map(|call| (n, What::Call(*call))));
                what.is_some() || !calls.is_empty() || self.is_in(&text)
            }
            Event::Sent(Sent { said, messages, .. }) => {
                let mut sent = messages.iter().filter_map(|message| message.text());
                let reminds = sent.any(|text| self.in_reminder(&text));
                let n = said.first().copied().unwrap_or(n);
                withheld.extend(reminds.then_some((n, What::Reminder)));
                let told = self.in_changes(&words(&record.event).unwrap_or_default());
                withheld.extend(told.iter().map(|bytes| (record.n, *bytes)));
                reminds || !told.is_empty()
            }
            Event::Result(CallResult { text, .. }) => {
                let named = format!("{} ", self.place);
                let mut texts = kept.into_iter().chain([&**text]);
                let has = texts.any(|text| self.is_in(text) || text.contains(&named));
                withheld.extend(has.then_some((n, What::Result)));
                has
            }
            // What was sent above the messages, and what was made of them.
            Event::Prefix(Prefix { system, .. }) => {
                let told = self.in_system(system);
                withheld.extend(told.iter().map(|what| (n, *what)));
                !told.is_empty() || self.is_in(system)
            }
            Event::Summary(Summary { text, .. }) => self.is_in(text),
            _ => false,
        }
    }

    /// What is withheld of what somebody said: the note itself, or what came with another one.
    fn in_words(&self, session: &str, record: &Record, text: &str) -> Option<What> {
        let (n, time) = (record.n, record.time);
        let said = self.text.trim();
        let own = self.whole == format!("{session}#{n}");
        // A fork has the same message of the same time, perhaps under another number.
        let same = match self.is {
            Is::Whole => text.trim() == said,
            Is::First => text.trim_start().starts_with(said),
            Is::Part => text.contains(said),
        };
        let then = self.time.is_some_and(|own| own.seconds() == time.as_second());
        if own || same && then {
            let part = || text.find(said).map(|at| What::Part(at, at + said.len()));
            let part = (self.is == Is::Part).then(part).flatten();
            return Some(part.unwrap_or(What::Message));
        }
        let reminder = without_reminder(text).len() < text.len() && self.is_in(text);
        reminder.then_some(What::Reminder)
    }

    /// Which of the calls in an answer have it in their arguments.
    fn in_calls(&self, event: &Event) -> Vec<usize> {
        let Event::Reply(Reply { message, .. }) = event else { return Vec::new() };
        let calls = message.json().get("tool_calls").and_then(Value::as_array);
        let has = |call: &Value| match &call["function"]["arguments"] {
            Value::String(text) => {
                let read = serde_json::from_str(text).unwrap_or(Value::Null);
                self.is_in(text) || self.is_in_value(&read)
            }
            other => self.is_in_value(other),
        };
        let calls = calls.into_iter().flatten().enumerate();
        calls.filter(|(_, call)| has(call)).map(|(at, _)| at).collect()
    }

    fn is_in_value(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.is_in(text),
            Value::Array(all) => all.iter().any(|value| self.is_in_value(value)),
            Value::Object(all) => all.values().any(|value| self.is_in_value(value)),
            _ => false,
        }
    }

    /// In what came with a message.
    fn in_reminder(&self, text: &str) -> bool {
        let rest = without_reminder(text);
        let cut = || text.contains(&format!("[… {}]", self.handle));
        let times = |text: &str| text.matches(self.line()).count();
        let told = || self.is_in(text) && times(text) > times(&rest);
        let short = || self.is_a_line(text) && !self.is_a_line(&rest);
        rest.len() < text.len() && (cut() || told() || short())
    }

    /// Where it was told as changed in a file, line by line.
    fn in_changes(&self, text: &str) -> Vec<What> {
        if !self.is_line || !text.contains(changes::HEADING) {
            return Vec::new();
        }
        let said: Vec<&str> = self.text.lines().map(str::trim).collect();
        let part = |line: Range<usize>| {
            let told = text[line.clone()].strip_prefix(['+', '-'])?.trim();
            let told = item(told).map_or(told, |(_, rest)| rest).trim();
            let from = line.start + text[line].rfind(told)?;
            let is_it = !told.is_empty() && said.contains(&told);
            is_it.then_some(What::Part(from, from + told.len()))
        };
        lines(text).into_iter().filter_map(part).collect()
    }

    /// Where a line of a file stood above the messages, line by line.
    fn in_system(&self, text: &str) -> Vec<What> {
        if !self.is_line || !text.contains(self.line()) {
            return Vec::new();
        }
        let said: Vec<&str> = self.text.lines().map(str::trim).collect();
        let part = |line: Range<usize>| {
            let own = text[line.clone()].trim();
            let told = item(own).map_or(own, |(_, rest)| rest).trim();
            let from = line.start + text[line].rfind(told)?;
            let is_it = !told.is_empty() && said.contains(&told);
            is_it.then_some(What::System(from, from + told.len()))
        };
        lines(text).into_iter().filter_map(part).collect()
    }

    /// The first line, by which a note is known again.
    fn line(&self) -> &str {
        first_line(self.text)
    }

    fn is_in(&self, text: &str) -> bool {
        self.line().len() >= TELLING && text.contains(self.line())
    }

    /// Whether a line of a text says just this, whoever says it.
    fn is_a_line(&self, text: &str) -> bool {
        text.lines().any(|line| {
            let said = line.split_once(": ").map_or(line, |(_, said)| said);
            [line, said].iter().any(|line| first_line(line) == self.line())
        })
    }
}
