//! The log of memory's changes, read into what it means.
//!
//! A version that was written is begun, put into the file, done. One that was begun and is neither
//! done nor dropped is pending, and the file itself tells what became of it. Lines that are not as
//! they were written are passed over and counted; a torn last line was never acknowledged.

use super::record::{Begun, Change, Proposal, Record, Version};
use super::sealed;

/// What the log says.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The versions that came to be, oldest first.
    pub(super) versions: Vec<Version>,
    /// The one that was begun last, while it is not known what became of it.
    pub(super) pending: Option<Version>,
    /// Every proposal and whether it is settled.
    pub(super) proposals: Vec<(Proposal, bool)>,
    /// Every consolidation that was begun, and what became of it.
    pub(super) consolidations: Vec<(Begun, Option<Change>)>,
    /// Numbers of lines that could not be read, counted from one.
    pub(super) bad: Vec<u32>,
    /// Where the last line begins that was torn off.
    pub(super) torn: Option<u64>,
    highest: u64,
}

impl Log {
    /// Reads the whole log.
    pub(super) fn parse(bytes: &[u8]) -> Log {
        let mut log = Log::default();
        let mut at = 0;
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            // A last line without its end is torn, even when nothing else of it is missing: it was
            // not acknowledged, and the file decides what became of what it began.
            match line.strip_suffix(b"\n").map(records) {
                Some(Some(records)) => records.into_iter().for_each(|record| log.take(record)),
                Some(None) => log.bad.push(number),
                None => log.torn = Some(at),
            }
            at += line.len() as u64;
        }
        log
    }

    /// Takes the next record.
    pub(super) fn take(&mut self, record: Record) {
        match record {
            Record::Version(version) => {
                self.resolve(Some(version.parent));
                self.add(version);
            }
            Record::Begin(version) => {
                self.resolve(Some(version.parent));
                self.highest = self.highest.max(version.n);
                self.pending = Some(version);
            }
            Record::Done { n } => {
                self.highest = self.highest.max(n);
                self.resolve(Some(n));
            }
            Record::Dropped { n } => {
                self.highest = self.highest.max(n);
                self.resolve(None);
            }
            Record::Proposed(proposal) => self.proposals.push((proposal, false)),
            Record::Settled { id, .. } => self.settle(id),
            Record::Consolidate(begun) => self.consolidations.push((begun, None)),
            Record::Consolidated { id, change } => {
                let found = self.consolidations.iter_mut().rfind(|(begun, _)| begun.id == id);
                found.into_iter().for_each(|(_, became)| *became = Some(change));
            }
            Record::Unknown => {}
        }
    }

    /// The pending version came to be when it is the one that `newest` names.
    fn resolve(&mut self, newest: Option<u64>) {
        let Some(pending) = self.pending.take() else { return };
        if newest == Some(pending.n) {
            self.add(pending);
        }
    }

    fn add(&mut self, version: Version) {
        self.highest = self.highest.max(version.n);
        version.proposal.into_iter().for_each(|id| self.settle(id));
        self.versions.push(version);
    }

    /// Settles a proposal, and with it those that want the very same.
    fn settle(&mut self, id: u64) {
        let found = self.proposals.iter().find(|(proposal, _)| proposal.id == id);
        let Some((hash, base)) = found.map(|(settled, _)| (settled.hash.clone(), settled.base))
        else {
            return;
        };
        for (proposal, settled) in &mut self.proposals {
            *settled |= proposal.hash == hash && proposal.base == base;
        }
    }

    /// The open proposal of this text for this version, if there is one.
    pub(super) fn waiting(&self, hash: &str, base: u64) -> Option<u64> {
        let same = |(proposal, settled): &&(Proposal, bool)| {
            !settled && proposal.hash == hash && proposal.base == base
        };
        self.proposals.iter().find(same).map(|(proposal, _)| proposal.id)
    }

    /// The number of the newest version; zero for none.
    pub(super) fn newest(&self) -> u64 {
        self.versions.last().map_or(0, |version| version.n)
    }

    /// A version by its number.
    pub(super) fn version(&self, n: u64) -> Option<&Version> {
        self.versions.iter().rfind(|version| version.n == n)
    }

    /// The number of the next version. One that was dropped is not used again.
    pub(super) fn next_version(&self) -> u64 {
        self.highest + 1
    }

    /// The number of the next proposal.
    pub(super) fn next_proposal(&self) -> u64 {
        self.proposals.iter().map(|(proposal, _)| proposal.id).max().unwrap_or(0) + 1
    }

    /// The number of the next consolidation.
    pub(super) fn next_consolidation(&self) -> u64 {
        self.consolidations.iter().map(|(begun, _)| begun.id).max().unwrap_or(0) + 1
    }

    /// The open proposal with this number.
    pub(super) fn open_proposal(&self, id: u64) -> Option<&Proposal> {
        let open = self.proposals.iter().find(|(proposal, settled)| proposal.id == id && !settled);
        open.map(|(proposal, _)| proposal)
    }
}

/// The record of a line, or the records of two lines when only the line end between them is bad.
fn records(line: &[u8]) -> Option<Vec<Record>> {
    if let Some(record) = sealed::unseal(line) {
        return Some(vec![record]);
    }
    let starts = line.windows(sealed::HEAD.len()).enumerate().skip(2);
    let mut starts = starts.filter(|(_, window)| *window == sealed::HEAD.as_bytes());
    starts.find_map(|(at, _)| {
        Some(vec![sealed::unseal(&line[..at - 1])?, sealed::unseal(&line[at..])?])
    })
}

#[cfg(test)]
mod tests {
    use super::super::record::Who;
    use super::*;

    fn version(n: u64, parent: u64) -> Version {
        Version {
            n,
            time: "2026-03-01T10:00:00Z".parse().unwrap(),
            who: Who::Agent,
            from: None,
            hash: format!("{n:032x}"),
            bytes: 1,
            parent,
            base: None,
            restored: None,
            proposal: None,
            consolidation: None,
        }
    }

    fn numbers(log: &Log) -> Vec<u64> {
        log.versions.iter().map(|version| version.n).collect()
    }

    fn bytes(records: &[Record]) -> Vec<u8> {
        records.iter().flat_map(|record| sealed::seal(record).unwrap()).collect()
    }

    fn story() -> Vec<Record> {
        vec![
            Record::Version(version(1, 0)),
            Record::Begin(version(2, 1)),
            Record::Done { n: 2 },
            Record::Begin(version(3, 2)),
            Record::Dropped { n: 3 },
            Record::Begin(version(4, 2)),
        ]
    }

    #[test]
    fn a_version_is_there_when_it_is_done() {
        let mut log = Log::parse(&bytes(&story()));
        assert_eq!((numbers(&log), log.newest(), log.next_version()), (vec![1, 2], 2, 5));
        assert_eq!(log.pending, Some(version(4, 2)));
        log.take(Record::Version(version(5, 4)));
        assert_eq!(numbers(&log), [1, 2, 4, 5], "a child shows that its parent came to be");
        log.take(Record::Begin(version(6, 5)));
        log.take(Record::Version(version(7, 5)));
        assert_eq!(numbers(&log), [1, 2, 4, 5, 7]);
    }

    #[test]
    fn a_line_looks_like_this() {
        let line = String::from_utf8(bytes(&[Record::Begin(version(2, 1))])).unwrap();
        let wanted = r#"{"v":1,"e":"begin","n":2,"t":"2026-03-01T10:00:00Z","who":"agent","hash":"00000000000000000000000000000002","bytes":1,"parent":1,"c":""#;
        assert!(line.starts_with(wanted), "{line}");
        let later = sealed::seal(&serde_json::json!({"e": "dreamt", "of": 1})).unwrap();
        assert_eq!(sealed::unseal::<Record>(&later[..later.len() - 1]), Some(Record::Unknown));
    }

    #[test]
    fn one_bad_byte_costs_one_line() {
        let whole = bytes(&story());
        for at in 0..whole.len() {
            let mut bad = whole.clone();
            bad[at] ^= 1;
            let log = Log::parse(&bad);
            let in_line = whole[..at].iter().filter(|byte| **byte == b'\n').count();
            let last = at + 1 == whole.len();
            let wanted = if whole[at] == b'\n' { vec![] } else { vec![in_line as u32 + 1] };
            assert_eq!((log.bad.clone(), log.torn.is_some()), (wanted, last), "byte {at}");
            let lost = [1, 2].into_iter().filter(|n| log.version(*n).is_none()).count();
            assert!(lost <= 1 && log.next_version() >= 4, "byte {at}");
        }
        for end in 0..whole.len() {
            let log = Log::parse(&whole[..end]);
            let clean = end == 0 || whole[end - 1] == b'\n';
            assert_eq!((log.torn.is_none(), log.bad.len()), (clean, 0), "{end} bytes");
        }
    }
}
