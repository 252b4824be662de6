//! A process that dies, and a disk that fails, at every single step.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use louver_context::consolidate::{Answer, Seen, Taken};
use tempfile::TempDir;

use super::test_fault::{Fault, Kind, bare, faulty, taken};
use super::test_memory::{on_disk, open, workspace};
use super::*;
use crate::workspace::MEMORY;

/// Memory and the log agree, everything can be had back, and nothing is left over.
fn check_whole(dir: &Path) -> Memory {
    let memory = open(dir);
    let state = memory.look().unwrap();
    assert!(state.log.pending.is_none() && state.log.bad.is_empty() && state.log.torn.is_none());
    let log = memory.log().unwrap();
    for version in &log {
        assert_eq!(memory.objects.get(&version.hash).unwrap().unwrap().len() as u64, version.bytes);
    }
    let newest = log.last().map_or(String::new(), |v| memory.text(v.n).unwrap());
    assert_eq!(newest, memory.peek().unwrap());
    assert!(!dir.join("memory/MEMORY.md.louver-new").exists());
    memory
}

const BOTH: &[Kind] = &[Kind::Dies, Kind::Fails];

/// Does something with a fault at each of its steps, and calls `check` after each.
fn at_every_step(
    kinds: &[Kind],
    seed: impl Fn() -> TempDir,
    work: impl Fn(&Memory) -> Result<(), MemoryError>,
    check: impl Fn(&Path, bool, &str),
) {
    for kind in kinds.iter().copied() {
        let mut after = 0;
        loop {
            let dir = seed();
            let memory = faulty(dir.path(), kind, after);
            let went_well = work(&memory).is_ok();
            let (steps, place) = (taken(&memory), format!("{kind:?} after {after}"));
            drop(memory);
            check(dir.path(), went_well, &place);
            if after >= steps {
                assert!(after > 5 && went_well, "{place}");
                break;
            }
            after += 1;
        }
    }
}

/// A workspace with a memory, a version and an edit that nobody has noticed yet.
fn edited() -> TempDir {
    let dir = workspace("- tea\n");
    open(dir.path());
    fs::write(dir.path().join(MEMORY[0]), "- green tea\n").unwrap();
    dir
}

const OLD: &str = "- green tea\n";
const NEW: &str = "- green tea\n- dog\n";

fn add_dog(memory: &Memory) -> Result<(), MemoryError> {
    memory.append_line("- dog", Who::Agent, None).map(drop)
}

#[test]
fn memory_is_a_whole_old_or_a_whole_new_version_wherever_a_process_dies_or_a_disk_fails() {
    at_every_step(BOTH, edited, add_dog, |dir, went_well, place| {
        let found = on_disk(dir);
        assert!(found == OLD || found == NEW, "{place}: {found:?}");
        assert!(found == NEW || !went_well, "{place}");
        let memory = check_whole(dir);
        assert_eq!(on_disk(dir), found, "{place}: opening changes nothing");
        let writers: Vec<Who> = memory.log().unwrap().iter().map(|version| version.who).collect();
        let wanted = [Who::Import, Who::Person, Who::Agent];
        assert_eq!(writers, wanted[..if found == NEW { 3 } else { 2 }], "{place}");
        if found == OLD {
            add_dog(&memory).unwrap();
        }
        assert_eq!(check_whole(dir).peek().unwrap(), NEW);
    });
}

#[test]
fn the_first_memory_of_a_workspace_is_there_whole_or_not_at_all() {
    let seed = || TempDir::new().unwrap();
    at_every_step(BOTH, seed, add_dog, |dir, went_well, place| {
        let found = fs::read_to_string(dir.join(MEMORY[0])).ok();
        assert!(found.is_none() && !went_well || found.as_deref() == Some("- dog\n"), "{place}");
        let memory = check_whole(dir);
        if found.is_none() {
            add_dog(&memory).unwrap();
        }
        assert_eq!(check_whole(dir).log().unwrap().len(), 1, "{place}");
    });
}

#[test]
fn a_crash_while_a_crash_is_mended_changes_nothing_either() {
    at_every_step(&[Kind::Dies], edited, add_dog, |dir, _, place| {
        let found = on_disk(dir);
        for after in 0.. {
            let memory = faulty(dir, Kind::Dies, after);
            let done = memory.read().is_ok();
            assert_eq!(on_disk(dir), found, "{place}, then after {after}");
            if done {
                break;
            }
        }
        let log = check_whole(dir).log().unwrap();
        assert_eq!(log.len(), if found == NEW { 3 } else { 2 }, "{place}");
    });
}

#[test]
fn a_proposal_is_accepted_once() {
    let seed = || {
        let dir = edited();
        let memory = open(dir.path());
        memory.write("- black tea\n- dog\n", Who::Agent, None, 1).unwrap_err();
        dir
    };
    at_every_step(
        BOTH,
        seed,
        |memory| memory.accept(1).map(drop),
        |dir, _, place| {
            let memory = check_whole(dir);
            match memory.accept(1) {
                Ok(_) | Err(MemoryError::NoProposal { .. }) => {}
                Err(error) => panic!("{place}: {error}"),
            }
            assert_eq!(on_disk(dir), "- black tea\n- dog\n", "{place}");
            assert_eq!(memory.log().unwrap().len(), 3, "{place}");
            assert_eq!(memory.proposals().unwrap(), []);
        },
    );
}

fn consolidation() -> (Taken, Answer) {
    let seen = |id: u64| Seen { id, time: Arc::from(format!("2026-03-01 10:0{id}")) };
    let taken = Taken { messages: (1..=4).map(seen).collect(), newest: "2026-03-01 10:04".into() };
    let answer = Answer {
        history_entry: "[2026-03-01 10:04] A dog came.".into(),
        memory_update: Some("- tea\n- dog".into()),
    };
    (taken, answer)
}

#[test]
fn a_consolidation_is_carried_out_once_wherever_it_dies() {
    let seed = || {
        let dir = workspace("- tea\n");
        open(dir.path()).append_history("[2026-02-01 10:00] before").unwrap();
        dir
    };
    let (taken, answer) = consolidation();
    let other =
        Answer { history_entry: "[2026-03-01 10:04] Other words.".into(), memory_update: None };
    let work = |memory: &Memory| memory.carry_out("cli:direct", &taken, 1, &answer).map(drop);
    at_every_step(BOTH, seed, work, |dir, went_well, place| {
        let begun = open(dir).carried_out("cli:direct", &taken.messages).unwrap();
        assert!(begun.is_some() || !went_well, "{place}");
        check_whole(dir);
        for again in [&answer, &other] {
            let answer = if begun.is_some() { again } else { &answer };
            let outcome = open(dir).carry_out("cli:direct", &taken, 1, answer).unwrap();
            let wanted = Outcome {
                cursor: 4,
                entry: "[2026-03-01 10:04] A dog came.".into(),
                change: outcome.change,
            };
            assert_eq!(outcome, wanted, "{place}");
            assert!(matches!(outcome.change, Change::Version(_)), "{place}");
        }
        let memory = check_whole(dir);
        assert_eq!(
            (on_disk(dir).as_str(), memory.log().unwrap().len()),
            ("- tea\n- dog\n", 2),
            "{place}"
        );
        let history = fs::read_to_string(dir.join("memory/HISTORY.md")).unwrap();
        let wanted = "[2026-02-01 10:00] before\n\n[2026-03-01 10:04] A dog came.\n\n";
        assert_eq!(history, wanted, "{place}");
        assert_eq!(memory.log().unwrap()[1].from.as_ref().unwrap().messages, [1, 2, 3, 4]);
    });
}

#[test]
fn a_consolidation_is_finished_although_finishing_it_dies_again_and_again() {
    let (taken, answer) = consolidation();
    let work = |memory: &Memory| memory.carry_out("cli:direct", &taken, 1, &answer).map(drop);
    at_every_step(
        &[Kind::Dies],
        || workspace("- tea\n"),
        work,
        |dir, _, place| {
            for after in 0.. {
                let memory = faulty(dir, Kind::Dies, after);
                if work(&memory).is_ok() {
                    break;
                }
            }
            let memory = check_whole(dir);
            assert_eq!(
                (on_disk(dir).as_str(), memory.log().unwrap().len()),
                ("- tea\n- dog\n", 2),
                "{place}"
            );
            let history = fs::read_to_string(dir.join("memory/HISTORY.md")).unwrap();
            assert_eq!(history, "[2026-03-01 10:04] A dog came.\n\n", "{place}");
        },
    );
}

#[test]
fn what_was_saved_in_the_moment_of_an_exchange_is_kept() {
    // The process dies between taking the person's file out and looking at it.
    let dir = edited();
    let memory = faulty(dir.path(), Kind::Dies, 0);
    let mut after = 0;
    while !dir.path().join("memory/MEMORY.md.louver-new").exists() || on_disk(dir.path()) != NEW {
        after += 1;
        *memory.disk.fault.lock().unwrap() = Some(Fault::new(Kind::Dies, after));
        fs::write(dir.path().join(MEMORY[0]), OLD).unwrap();
        add_dog(&memory).unwrap_err();
    }
    fs::write(dir.path().join("memory/MEMORY.md.louver-new"), "- saved just now\n").unwrap();
    let memory = check_whole(dir.path());
    let open = memory.proposals().unwrap();
    assert_eq!((open.len(), open[0].who), (1, Who::Person));
    assert_eq!(memory.proposed_text(&open[0]).unwrap(), "- saved just now\n");
    assert_eq!(on_disk(dir.path()), NEW);
}

#[test]
fn an_editor_that_saves_at_any_moment_loses_nothing_and_makes_nothing_be_lost() {
    const SAVED: &str = "- green tea\n- by hand\n";
    let mut merged = 0;
    for after in 0.. {
        let dir = edited();
        let memory = bare(dir.path());
        let saves = Some((dir.path().join(MEMORY[0]), SAVED));
        let mut fault = Fault::new(Kind::Saves, after);
        fault.saves = saves;
        *memory.disk.fault.lock().unwrap() = Some(fault);
        add_dog(&memory).unwrap();
        let steps = taken(&memory);
        let memory = check_whole(dir.path());
        let log = memory.log().unwrap();
        let texts: Vec<String> =
            log.iter().map(|version| memory.text(version.n).unwrap()).collect();
        let found = on_disk(dir.path());
        assert!(texts.iter().any(|text| text.ends_with("- dog\n")), "after {after}: {texts:?}");
        if after >= steps {
            assert!(after > 5 && merged > 5);
            break;
        }
        assert!(texts.iter().any(|text| text == SAVED), "after {after}: {texts:?}");
        assert!(found.contains("- by hand\n"), "after {after}: {found}");
        merged += u32::from(found == "- green tea\n- by hand\n- dog\n");
        assert_eq!(memory.proposals().unwrap(), []);
    }
}

#[test]
fn a_torn_end_of_the_log_is_set_aside() {
    let dir = workspace("- tea\n");
    let memory = open(dir.path());
    let log = dir.path().join(LOG);
    let good = fs::read(&log).unwrap();
    for end in 0..good.len() {
        fs::write(&log, &good[..end]).unwrap();
        assert_eq!(memory.read().unwrap().text, "- tea\n");
        assert_eq!(memory.log().unwrap().len(), 1);
        assert_eq!(check_whole(dir.path()).log().unwrap().len(), 1, "{end} bytes");
    }
    let aside = fs::read(log.with_extension("jsonl.torn")).unwrap();
    assert!(aside.windows(40).any(|part| part == &good[..40]));
}
