//! What a consolidation writes, proposes and leaves alone.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use louver_context::consolidate::{Answer, Seen, Taken};

use super::record::Record;
use super::test_memory::{on_disk, open, workspace};
use super::*;
use crate::workspace::MEMORY;

fn taken(ids: std::ops::RangeInclusive<u64>) -> Taken {
    let seen = |id: u64| Seen { id, time: Arc::from(format!("2026-03-01 10:{id:02}")) };
    let newest = format!("2026-03-01 10:{:02}", ids.end());
    Taken { messages: ids.map(seen).collect(), newest }
}

fn answer(entry: &str, update: Option<&str>) -> Answer {
    Answer { history_entry: entry.to_owned(), memory_update: update.map(str::to_owned) }
}

fn history(dir: &Path) -> String {
    fs::read_to_string(dir.join("memory/HISTORY.md")).unwrap()
}

const FIVE: &str = "- a\n- b\n- c\n- d\n- 📌 e\n";

#[test]
fn an_update_that_keeps_what_was_known_is_a_version() {
    let dir = workspace(FIVE);
    let memory = open(dir.path());
    let base = memory.read().unwrap().version;
    let update = format!("{FIVE}- f");
    let outcome =
        memory.carry_out("cli:1", &taken(1..=8), base, &answer("[t] x\n", Some(&update))).unwrap();
    assert_eq!(outcome, Outcome { cursor: 8, entry: "[t] x".into(), change: Change::Version(2) });
    assert_eq!(
        (on_disk(dir.path()), history(dir.path())),
        (format!("{FIVE}- f\n"), "[t] x\n\n".into())
    );
    let version = memory.log().unwrap().remove(1);
    let from = Origin { session: "cli:1".into(), messages: (1..=8).collect() };
    assert_eq!((version.who, version.from), (Who::Consolidation, Some(from)));
}

#[test]
fn an_update_that_forgets_is_proposed_and_the_entry_is_written() {
    let dir = workspace(FIVE);
    let memory = open(dir.path());
    let update = Some("- a\n- b\n- c\n- d\n");
    let outcome = memory.carry_out("cli:1", &taken(1..=8), 1, &answer("[t] x", update)).unwrap();
    assert_eq!((outcome.cursor, outcome.change), (8, Change::Proposed(1)));
    assert_eq!((on_disk(dir.path()).as_str(), history(dir.path()).as_str()), (FIVE, "[t] x\n\n"));
    let proposal = memory.proposals().unwrap().remove(0);
    assert_eq!(
        (proposal.why.as_str(), proposal.lost),
        ("it leaves out a pinned line", vec!["- 📌 e".to_owned()])
    );
    memory.accept(1).unwrap();
    assert_eq!(on_disk(dir.path()), "- a\n- b\n- c\n- d\n");
    let repeated = memory.carry_out("cli:1", &taken(1..=8), 1, &answer("[t] x", update)).unwrap();
    assert_eq!((repeated, memory.log().unwrap().len()), (outcome, 2));
}

#[test]
fn what_waits_already_is_not_proposed_twice_and_twins_are_settled_together() {
    let dir = workspace(FIVE);
    let memory = open(dir.path());
    let update = answer("[t] x", Some("- a\n"));
    for n in 1..=3 {
        let outcome = memory.carry_out("cli:1", &taken(n..=n), 1, &update).unwrap();
        assert_eq!(outcome.change, Change::Proposed(1));
    }
    assert_eq!(memory.proposals().unwrap().len(), 1);
    // As an earlier louver left them.
    let log = dir.path().join(LOG);
    let record = Record::Proposed(Proposal { id: 2, ..memory.proposals().unwrap().remove(0) });
    let twin = sealed::seal(&record).unwrap();
    fs::write(&log, [fs::read(&log).unwrap(), twin].concat()).unwrap();
    assert_eq!(memory.proposals().unwrap().len(), 2);
    memory.accept(2).unwrap();
    assert_eq!((memory.proposals().unwrap(), on_disk(dir.path())), (vec![], "- a\n".into()));
}

#[test]
fn an_update_is_merged_with_what_a_person_wrote_meanwhile() {
    let dir = workspace("- a\n- b\n");
    let memory = open(dir.path());
    fs::write(dir.path().join(MEMORY[0]), "- a\n- b\n- by hand <!-- pin -->\n").unwrap();
    let outcome =
        memory.carry_out("s", &taken(1..=2), 1, &answer("x", Some("- a\n- b\n- c"))).unwrap();
    assert_eq!(outcome.change, Change::Version(3));
    assert_eq!(on_disk(dir.path()), "- a\n- b\n- by hand <!-- pin -->\n- c\n");
    fs::write(dir.path().join(MEMORY[0]), "- a\n- B\n- c\n").unwrap();
    let conflict = answer("y", Some("- a\n- b!\n- by hand <!-- pin -->\n- c\n- d"));
    let outcome = memory.carry_out("s", &taken(3..=4), 3, &conflict).unwrap();
    assert_eq!((outcome.cursor, outcome.change), (4, Change::Proposed(1)));
    assert_eq!(on_disk(dir.path()), "- a\n- B\n- c\n");
}

#[test]
fn an_update_that_changes_nothing_leaves_no_version() {
    let dir = workspace(FIVE);
    let memory = open(dir.path());
    for (n, update) in [None, Some(FIVE), Some(" \n")].into_iter().enumerate() {
        let n = n as u64;
        let outcome =
            memory.carry_out("s", &taken(2 * n + 1..=2 * n + 2), 1, &answer("x", update)).unwrap();
        assert_eq!((outcome.cursor, outcome.change), (2 * n + 2, Change::Same));
    }
    assert_eq!((memory.log().unwrap().len(), history(dir.path())), (1, "x\n\n".repeat(3)));
}

#[test]
fn a_longer_plan_after_a_lost_cursor_is_told_how_far_memory_was_made() {
    let dir = workspace(FIVE);
    let memory = open(dir.path());
    assert_eq!(memory.carried_out("s", &taken(1..=8).messages).unwrap(), None);
    let first = memory.carry_out("s", &taken(1..=8), 1, &answer("x", None)).unwrap();
    let again = memory.carry_out("s", &taken(1..=20), 1, &answer("y", None)).unwrap();
    assert_eq!((first.cursor, &again), (8, &first));
    assert_eq!(memory.carried_out("s", &taken(1..=20).messages).unwrap(), Some(first));
    assert_eq!(memory.carried_out("other", &taken(1..=20).messages).unwrap(), None);
    let next = memory.carry_out("s", &taken(9..=20), 1, &answer("y", None)).unwrap();
    assert_eq!((next.cursor, history(dir.path()).as_str()), (20, "x\n\ny\n\n"));
    // The session was thrown away, and another began under its key.
    let mut anew = taken(1..=8);
    anew.messages.iter_mut().for_each(|seen| seen.time = "2026-05-01 10:00".into());
    let outcome = memory.carry_out("s", &anew, 1, &answer("z", None)).unwrap();
    assert_eq!((outcome.cursor, outcome.entry.as_str()), (8, "z"));
}

#[test]
fn an_entry_is_found_again_though_a_person_has_edited_the_history() {
    let dir = workspace(FIVE);
    let memory = open(dir.path());
    memory.append_history("[t] before").unwrap();
    memory.carry_out("s", &taken(1..=2), 1, &answer("[t] x", None)).unwrap();
    let log = dir.path().join(LOG);
    let lines = fs::read_to_string(&log).unwrap();
    // The last line says that it is finished.
    let unfinished = &lines[..lines.trim_end().rfind('\n').unwrap() + 1];
    for (edited, wanted) in [
        ("[t] x\n\n", "[t] x\n\n"),
        (
            "[t] long before, and longer\n\n[t] x\n\nafter\n",
            "[t] long before, and longer\n\n[t] x\n\nafter\n",
        ),
        ("[t] BEFORE\n\n[t", "[t] BEFORE\n\n[t] x\n\n"),
        ("[t] BEFORE\n\n[t\0\0\0\0", "[t] BEFORE\n\n[t] x\n\n"),
        ("", "[t] x\n\n"),
        ("[t] other, and rather long", "[t] other, and rather long\n\n[t] x\n\n"),
    ] {
        fs::write(&log, unfinished).unwrap();
        fs::write(dir.path().join("memory/HISTORY.md"), edited).unwrap();
        open(dir.path());
        assert_eq!(history(dir.path()), wanted);
        open(dir.path());
        assert_eq!(history(dir.path()), wanted);
    }
}
