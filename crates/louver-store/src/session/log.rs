//! A log as far as it was read: what it says, where it ends, and what is wrong with it.
//!
//! A bad line costs that line: it is reported and stays in the file. Only whole lines count; a
//! piece at the end without a line end is either being written just now or was torn off.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use super::line::{Head, SEAL, is_sealed, unglue};
use super::lines::{Found, Lines, Stop};
use super::replay::Replay;
use crate::problem::Problem;

/// More problems of one log than this are only counted.
const MAX_PROBLEMS: usize = 20;

/// A log as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) replay: Replay,
    /// How the file is called in problems.
    name: String,
    /// Where the next line begins.
    pub(super) end: u64,
    /// The number of the last event.
    pub(super) last: u64,
    /// The last line that was understood, so that a log which was changed behind us is noticed.
    tail: Option<Tail>,
    /// The last piece was the beginning of a line that is too long.
    in_long_line: bool,
    /// Lines so far.
    lines: u32,
    /// Bad lines since the last good one, which explain missing numbers.
    bad: u64,
    problems: Vec<Problem>,
    more_problems: usize,
}

/// Where a line is, and the hash it ends with.
#[derive(Debug, Clone, Copy)]
struct Tail {
    at: u64,
    len: usize,
    seal: [u8; SEAL],
}

/// How a log ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With a line end, or with nothing at all.
    Clean,
    /// With a line that is whole but for its end.
    NoNewline,
    /// With bytes, from here on, that are not a line.
    Torn(u64),
}

impl Log {
    pub(super) fn new(name: &str) -> Log {
        Log { name: name.to_owned(), ..Log::default() }
    }

    pub(super) fn that_keeps_all(name: &str) -> Log {
        Log { replay: Replay::that_keeps_all(), ..Log::new(name) }
    }

    /// Reads a whole log. Where it goes back behind what was forgotten, it is read a second time.
    pub(super) fn read(file: &File, name: &str) -> io::Result<(Log, Ending)> {
        let mut log = Log::new(name);
        let mut ending = log.read_on(file)?;
        if log.replay.is_stale {
            log = Log::that_keeps_all(name);
            ending = log.read_on(file)?;
        }
        Ok((log, ending))
    }

    /// Replays the log up to an event.
    pub(super) fn replay_to(&self, file: &File, n: u64, replay: &mut Replay) -> io::Result<()> {
        let mut lines = Lines::from(0);
        while let Some(found) = lines.next(file)?.filter(|found| found.at < self.end) {
            let Some(head) = Head::parse(found.bytes).filter(|_| is_sealed(found.bytes)) else {
                continue;
            };
            if head.n > n {
                break;
            }
            // What is not understood costs itself, as in the first reading.
            let _ = replay.take(&head, found.bytes);
        }
        let _ = replay.settle();
        Ok(())
    }

    /// Reads what was added since.
    pub(super) fn read_on(&mut self, file: &File) -> io::Result<Ending> {
        let mut lines = Lines::from(self.end);
        let mut ending = Ending::Clean;
        while let Some(found) = lines.next(file)? {
            ending = self.take(&found);
        }
        self.settle();
        Ok(ending)
    }

    /// Whether the file still says what was read from it.
    pub(super) fn still_holds(&self, file: &File) -> bool {
        let Some(tail) = &self.tail else { return self.end == 0 };
        let mut bytes = vec![0; tail.len];
        let read = file.read_exact_at(&mut bytes, tail.at);
        read.is_ok() && bytes.ends_with(&tail.seal) && is_sealed(&bytes)
    }

    /// Takes lines that were just written and end at `end`.
    pub(super) fn take_written(&mut self, written: &[u8], end: u64) {
        self.end = end - written.len() as u64;
        for line in written.split_inclusive(|byte| *byte == b'\n') {
            let bytes = line.strip_suffix(b"\n").unwrap_or(line);
            self.take(&Found { at: self.end, bytes, stop: Stop::Newline });
        }
        self.settle();
    }

    fn settle(&mut self) {
        if let Err(error) = self.replay.settle() {
            let what = format!("the last thing said is not understood: {error}");
            self.problem(Problem::warning(&self.name, what));
        }
    }

    /// What is wrong, as far as it was not asked for before.
    pub(super) fn problems(&mut self) -> Vec<Problem> {
        let mut problems = std::mem::take(&mut self.problems);
        if self.more_problems > 0 {
            let what = format!("{} more lines cannot be read", self.more_problems);
            problems.push(Problem::warning(&self.name, what));
            self.more_problems = 0;
        }
        problems
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.more_problems += 1;
        }
    }

    fn take(&mut self, found: &Found<'_>) -> Ending {
        let ending = self.take_bytes(found);
        if !matches!(ending, Ending::Torn(_)) {
            self.end = found.end();
        }
        ending
    }

    fn take_bytes(&mut self, found: &Found<'_>) -> Ending {
        let (line, bytes) = (self.lines + 1, found.bytes);
        let goes_on = std::mem::replace(&mut self.in_long_line, found.stop == Stop::More);
        if is_sealed(bytes) {
            if let Some(seal) = bytes.last_chunk() {
                self.tail = Some(Tail { at: found.at, len: bytes.len(), seal: *seal });
            }
            self.take_sealed(line, bytes);
        } else if let Some(glued) = unglue(bytes) {
            let what = "its line end is damaged; what it says was read";
            self.problem(Problem::warning(&self.name, what).at(line));
            glued.into_iter().for_each(|bytes| self.take_sealed(line, bytes));
        } else if found.stop == Stop::EndOfFile && !goes_on {
            return Ending::Torn(found.at);
        } else if !bytes.is_empty() {
            self.bad += 1;
            let what = "it was damaged and is left out; it stays in the file";
            self.problem(Problem::warning(&self.name, what).at(line));
        }
        self.lines = line;
        if found.stop == Stop::Newline { Ending::Clean } else { Ending::NoNewline }
    }

    fn take_sealed(&mut self, line: u32, bytes: &[u8]) {
        let Some(head) = Head::parse(bytes) else {
            self.bad += 1;
            let what = "it has a form that this version does not know";
            let hint = "a newer louver may have written it";
            return self.problem(Problem::warning(&self.name, what).at(line).hint(hint));
        };
        if head.n <= self.last {
            let what = format!("event {} is there twice; the first is taken", head.n);
            return self.problem(Problem::note(&self.name, what).at(line));
        }
        let missing = head.n - self.last - 1;
        if missing > self.bad {
            let what = format!("{} events before it are missing", missing - self.bad);
            self.problem(Problem::warning(&self.name, what).at(line));
        }
        (self.last, self.bad) = (head.n, 0);
        if let Err(error) = self.replay.take(&head, bytes) {
            let what = format!("its event `{}` is not understood: {error}", head.kind);
            self.problem(Problem::warning(&self.name, what).at(line));
        }
    }
}
