//! Who still has a note that is forgotten: logs in which it was said, recalled or read, and files.
//!
//! It is looked for once, when it is forgotten, while its text is known. What is kept of that is where it is.

use std::path::Path;

use jiff::civil::DateTime;

use super::names::{Label, Named, written};
use super::reminder::first_line;
use super::rows::seconds;
use crate::notes::{Note, local};
use crate::session::event::{CallResult, Event, Reply, Said, Sent};
use crate::session::{Record, What, Withheld, logs, records, without_reminder};
use crate::workspace::MEMORY;

/// A note of fewer bytes may stand in any text by chance.
const TELLING: usize = 12;

/// Of something long that was forgotten whole, so many parts are looked for.
const PARTS: usize = 64;

/// A note, as it is looked for.
struct Wanted<'a> {
    /// Its name.
    place: &'a str,
    /// What it says.
    text: &'a str,
    /// Whether that is the first part of something long.
    goes_on: bool,
    /// When it was said.
    time: Option<DateTime>,
    /// The number by which a prompt names it where it was cut.
    handle: String,
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
pub(super) fn find(workspace: &Path, source: &str, parts: &[Note]) -> Holders {
    let mut holders = Holders::default();
    let parts = &parts[..parts.len().min(PARTS)];
    let wanted: Vec<Wanted<'_>> =
        (0..parts.len()).map(|at| Wanted::of(source, parts, at)).collect();
    for log in logs(workspace).unwrap_or_default() {
        let all = records(workspace, &log.name, 0, log.bytes).unwrap_or_default();
        let mut has = false;
        for record in &all {
            let mut what = None;
            for wanted in &wanted {
                let (found, withheld) = wanted.in_event(&log.key, record);
                has |= found;
                what = what.or(withheld);
            }
            holders.withheld.extend(what.into_iter().map(|(n, what)| Withheld {
                session: log.key.clone(),
                n,
                what,
            }));
        }
        holders.names.extend(has.then_some(log.key));
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
        let text = Label::of(source, &note.place).plain(&note.text);
        let handle = written(Named::new(source, note.clone()).handle);
        let goes_on = at == 0 && parts.len() > 1;
        Wanted { place: &note.place, text, goes_on, time: note.time, handle }
    }

    /// Whether an event has the note, and what of it is withheld for that.
    fn in_event(&self, session: &str, record: &Record) -> (bool, Option<(u64, What)>) {
        match &record.event {
            Event::Said(Said { text, message, .. }) => {
                let stored = message.as_ref().and_then(|message| message.text());
                self.in_words(session, record, stored.as_deref().unwrap_or(text))
            }
            Event::Reply(Reply { message, .. }) => {
                self.in_words(session, record, &message.text().unwrap_or_default())
            }
            Event::Sent(Sent { said, messages, .. }) => {
                let mut sent = messages.iter().filter_map(|message| message.text());
                let reminds = sent.any(|text| self.in_reminder(&text));
                let n = said.first().copied().unwrap_or(record.n);
                (reminds, reminds.then_some((n, What::Reminder)))
            }
            Event::Result(CallResult { text, .. }) => {
                let has = self.is_in(text) || text.contains(&format!("{} ", self.place));
                (has, has.then_some((record.n, What::Result)))
            }
            _ => (false, None),
        }
    }

    /// In what somebody said: the note itself, or one that has its words among others.
    fn in_words(&self, session: &str, record: &Record, text: &str) -> (bool, Option<(u64, What)>) {
        let (n, time) = (record.n, record.time);
        let own = self.place == format!("{session}#{n}");
        // A fork has the same message of the same time, perhaps under another number.
        let same = match self.goes_on {
            true => text.trim_start().starts_with(self.text.trim()),
            false => text.trim() == self.text.trim(),
        };
        let then =
            local(time).zip(self.time).is_some_and(|(one, two)| seconds(one) == seconds(two));
        let copy = same && then;
        let reminder = without_reminder(text).len() < text.len() && self.is_in(text);
        let what = match own || copy {
            true => Some(What::Message),
            false => reminder.then_some(What::Reminder),
        };
        (own || copy || self.is_in(text), what.map(|what| (n, what)))
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
