//! The events of a log, one after the other.

use std::fs::File;

use jiff::Timestamp;

use super::event::Event;
use super::line::{self, Head, is_sealed, unglue};
use super::lines::Lines;

/// An event with its number and its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its number, which is also the id of its message.
    pub n: u64,
    /// How many messages there were with it.
    pub messages: u64,
    /// When.
    pub time: Timestamp,
    /// What happened.
    pub event: Event,
}

/// The events of a log as it was when they were asked for. Lines that cannot be read are passed
/// over; opening the session has reported them.
#[derive(Debug)]
pub struct Events {
    file: File,
    lines: Lines,
    end: u64,
    after: u64,
    /// Those that were read together and not yet handed out, the last one first.
    waiting: Vec<Record>,
}

impl Events {
    pub(super) fn new(file: File, end: u64) -> Events {
        Events::from(file, 0, end)
    }

    /// Those of the lines from one byte, where a line begins, to another.
    pub(super) fn from(file: File, at: u64, end: u64) -> Events {
        Events { file, lines: Lines::from(at), end, after: 0, waiting: Vec::new() }
    }

    /// Only those after this number. The others are passed over without being parsed.
    #[must_use]
    pub fn after(mut self, n: u64) -> Events {
        self.after = n;
        self
    }

    fn record(line: &[u8], after: u64) -> Option<Record> {
        let head = Head::parse(line).filter(|head| head.n > after)?;
        let event = line::read(line).ok()?;
        let time = head.time.parse().unwrap_or(Timestamp::UNIX_EPOCH);
        Some(Record { n: head.n, messages: head.m, time, event })
    }

    fn take(&mut self, record: Option<Record>) -> Option<Record> {
        let record = record?;
        // An event that is there twice is taken once, as replay does.
        self.after = record.n;
        Some(record)
    }
}

impl Iterator for Events {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            while let Some(record) = self.waiting.pop() {
                if record.n > self.after {
                    return self.take(Some(record));
                }
            }
            // A disk that fails ends the list; whoever wants to know opens the session again.
            let found = self.lines.next(&self.file).ok()??;
            if found.at >= self.end {
                return None;
            }
            if is_sealed(found.bytes) {
                if let Some(record) = Events::record(found.bytes, self.after) {
                    return self.take(Some(record));
                }
            } else if let Some(glued) = unglue(found.bytes) {
                let records = glued.into_iter().rev();
                self.waiting =
                    records.filter_map(|line| Events::record(line, self.after)).collect();
            }
        }
    }
}
