//! Which sessions began with messages of others. What is in view in one is in view by all its names: nobody is
//! reminded of what stands before them, because it also stands in a copy.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::append::{AppendError, Appender, Durability};

/// One line for each fork, from the workspace.
const FORKS: &str = ".louver/forks.jsonl";

/// A session and the messages that it began with.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Fork {
    from: String,
    to: String,
    /// Numbers that go on one by one: the first in `from`, the first in `to`, how many.
    runs: Vec<Run>,
}

type Run = [u64; 3];

/// A session that has messages of another, and their numbers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    /// Its key.
    pub(crate) key: String,
    runs: Vec<Run>,
}

impl Copy {
    /// The number that a message has in it, if it has it.
    pub(crate) fn number(&self, n: u64) -> Option<u64> {
        let run = self.runs.iter().find(|[first, _, count]| (*first..first + count).contains(&n));
        run.map(|[first, there, _]| there + (n - first))
    }
}

/// Notes that a session began with events of another, which have these numbers in it.
pub(crate) fn note(
    workspace: &Path,
    from: &str,
    to: &str,
    numbers: &BTreeMap<u64, u64>,
) -> io::Result<()> {
    let mut runs: Vec<Run> = Vec::new();
    for (old, new) in numbers {
        match runs.last_mut() {
            Some([first, there, count]) if [*first + *count, *there + *count] == [*old, *new] => {
                *count += 1;
            }
            _ => runs.push([*old, *new, 1]),
        }
    }
    let fork = Fork { from: from.to_owned(), to: to.to_owned(), runs };
    let line = format!("{}\n", serde_json::to_string(&fork)?);
    let mut file = Appender::open(&workspace.join(FORKS))?;
    let written = file.append(line.as_bytes(), Durability::Process);
    written.map_err(|(AppendError::Write(error) | AppendError::Sync(error))| error)
}

/// The sessions that have messages of this one, whichever of them was first.
pub(crate) fn copies(workspace: &Path, session: &str) -> Vec<Copy> {
    let text = std::fs::read_to_string(workspace.join(FORKS)).unwrap_or_default();
    let forks: Vec<Fork> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut found = vec![Copy { key: session.to_owned(), runs: vec![[0, 0, u64::MAX]] }];
    let mut at = 0;
    while at < found.len() {
        for fork in &forks {
            let (next, runs) = match &found[at].key {
                key if *key == fork.from => (&fork.to, fork.runs.clone()),
                key if *key == fork.to => (&fork.from, fork.runs.iter().map(back).collect()),
                _ => continue,
            };
            if found.iter().all(|copy| copy.key != *next) {
                let runs = through(&found[at].runs, &runs);
                found.push(Copy { key: next.clone(), runs });
            }
        }
        at += 1;
    }
    found.split_off(1)
}

fn back([from, to, count]: &Run) -> Run {
    [*to, *from, *count]
}

/// What runs lead to, where others go on from there.
fn through(first: &[Run], then: &[Run]) -> Vec<Run> {
    let mut both = Vec::new();
    for [from, via, count] in first {
        for [start, to, length] in then {
            let begin = (*via).max(*start);
            let end = via.saturating_add(*count).min(start.saturating_add(*length));
            if begin < end {
                both.push([from + (begin - via), to + (begin - start), end - begin]);
            }
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_known_in_every_copy_of_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".louver")).unwrap();
        assert_eq!(copies(folder.path(), "a"), []);
        // One line of `a` could not be read, and `c` has only a part of `b`.
        let numbers = [(1, 2), (2, 3), (4, 4), (5, 5)].into();
        note(folder.path(), "a", "b", &numbers).unwrap();
        note(folder.path(), "b", "c", &[(1, 2), (2, 3), (3, 4)].into()).unwrap();
        let known = |session: &str, n: u64| -> Vec<(String, Option<u64>)> {
            let copies = copies(folder.path(), session);
            copies.into_iter().map(|copy| (copy.key.clone(), copy.number(n))).collect()
        };
        assert_eq!(known("a", 2), [("b".into(), Some(3)), ("c".into(), Some(4))]);
        assert_eq!(known("a", 5), [("b".into(), Some(5)), ("c".into(), None)]);
        assert_eq!(known("a", 3), [("b".into(), None), ("c".into(), None)]);
        assert_eq!(known("c", 4), [("b".into(), Some(3)), ("a".into(), Some(2))]);
        assert_eq!(known("d", 4), []);
    }
}
