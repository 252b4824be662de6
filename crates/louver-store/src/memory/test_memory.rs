//! Versions, edits by people, merges, proposals.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::workspace::MEMORY;

pub(super) fn workspace(text: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    fs::write(dir.path().join(MEMORY[0]), text).unwrap();
    dir
}

pub(super) fn open(dir: &Path) -> Memory {
    let (memory, problems) = Memory::open(dir).unwrap();
    assert_eq!(problems, []);
    memory
}

pub(super) fn on_disk(dir: &Path) -> String {
    fs::read_to_string(dir.join(MEMORY[0])).unwrap()
}

/// Each version's number, writer and parent.
fn story(memory: &Memory) -> Vec<(u64, Who, u64)> {
    memory.log().unwrap().iter().map(|v| (v.n, v.who, v.parent)).collect()
}

fn n(written: Written) -> u64 {
    match written {
        Written::Version(version) => version.n,
        Written::Same => 0,
    }
}

#[test]
fn every_change_is_a_version_that_can_be_had_back() {
    let dir = workspace("- tea\n");
    let memory = open(dir.path());
    let current = memory.read().unwrap();
    assert_eq!(current, Current { version: 1, text: "- tea\n".into() });
    let from = Origin { session: "cli:direct".into(), messages: vec![3, 4] };
    let written = memory.write("- tea\n- dog\n", Who::Agent, Some(from.clone()), 1).unwrap();
    let Written::Version(version) = written else { panic!("{written:?}") };
    assert_eq!((version.n, version.parent, version.bytes, version.from), (2, 1, 12, Some(from)));
    assert_eq!(memory.log().unwrap()[1].time, version.time);
    memory.append_line("- cat\n", Who::Agent, None).unwrap();
    let diff = memory.diff(2, 3).unwrap();
    let (head, body) = diff.split_once("@@").unwrap();
    assert!(head.starts_with("--- version 2, agent 20") && head.contains("\n+++ version 3, agent"));
    assert_eq!(body, " -1,2 +1,3 @@\n - tea\n - dog\n+- cat\n");
    assert_eq!(n(memory.restore(1).unwrap()), 4);
    assert_eq!(on_disk(dir.path()), "- tea\n");
    assert_eq!(memory.restore(1).unwrap(), Written::Same);
    assert_eq!(memory.text(3).unwrap(), "- tea\n- dog\n- cat\n");
    assert_eq!((memory.text(0).unwrap().as_str(), memory.diff(4, 1).unwrap().as_str()), ("", ""));
    let agent = Who::Agent;
    let wanted = [(1, Who::Import, 0), (2, agent, 1), (3, agent, 2), (4, Who::Restore, 3)];
    assert_eq!(story(&memory), wanted);
    assert_eq!(memory.log().unwrap()[3].restored, Some(1));
    assert!(matches!(memory.text(9), Err(MemoryError::NoVersion { n: 9, newest: 4 })));
    for none in [0, 9] {
        assert!(matches!(memory.restore(none), Err(MemoryError::NoVersion { .. })));
    }
}

#[test]
fn a_workspace_without_memory_is_left_alone_until_something_is_written() {
    let dir = TempDir::new().unwrap();
    let memory = open(dir.path());
    assert_eq!((memory.log().unwrap(), memory.peek().unwrap().as_str()), (vec![], ""));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    assert_eq!(n(memory.write("- tea\n", Who::Agent, None, 0).unwrap()), 1);
    assert_eq!(on_disk(dir.path()), "- tea\n");
    assert!(matches!(Memory::open(dir.path().join("no")), Err(MemoryError::Disk { .. })));
}

#[test]
fn an_edit_by_a_person_is_a_version_before_anything_else_is_written() {
    let dir = workspace("- tea\n");
    let memory = open(dir.path());
    fs::write(dir.path().join(MEMORY[0]), "- green tea\n").unwrap();
    memory.append_line("- dog", Who::Agent, None).unwrap();
    assert_eq!(on_disk(dir.path()), "- green tea\n- dog\n");
    fs::write(dir.path().join(MEMORY[0]), "- black tea\n").unwrap();
    open(dir.path());
    fs::remove_file(dir.path().join(MEMORY[0])).unwrap();
    assert_eq!(memory.read().unwrap(), Current { version: 5, text: String::new() });
    let (person, agent) = (Who::Person, Who::Agent);
    let wanted =
        [(1, Who::Import, 0), (2, person, 1), (3, agent, 2), (4, person, 3), (5, person, 4)];
    assert_eq!(story(&memory), wanted);
    assert_eq!(memory.text(2).unwrap(), "- green tea\n");
    memory.restore(4).unwrap();
    assert_eq!(on_disk(dir.path()), "- black tea\n");
}

#[test]
fn bytes_that_a_person_saved_are_kept_as_they_are() {
    let dir = workspace("");
    let path = dir.path().join(MEMORY[0]);
    let odd = b"\xEF\xBB\xBF- tea\r\n- caf\xE9\r\n";
    fs::write(&path, odd).unwrap();
    let memory = open(dir.path());
    assert_eq!(memory.read().unwrap().text, "- tea\n- café\n");
    let same = memory.read().unwrap().text;
    assert_eq!(memory.write(&same, Who::Agent, None, 1).unwrap(), Written::Same);
    assert_eq!(fs::read(&path).unwrap(), odd);
    memory.append_line("- dog", Who::Agent, None).unwrap();
    let version = memory.log().unwrap().remove(0);
    assert_eq!(memory.objects.get(&version.hash).unwrap().unwrap(), odd);
}

#[test]
fn writers_that_read_the_same_version_are_merged() {
    let dir = workspace("- a\n- b\n- c\n");
    let (one, two) = (open(dir.path()), open(dir.path()));
    let base = two.read().unwrap().version;
    one.write("- A\n- b\n- c\n", Who::Agent, None, base).unwrap();
    fs::write(dir.path().join(MEMORY[0]), "- A\n- b\n- c\n- by hand\n").unwrap();
    let written = two.write("- x\n- b\n- c\n", Who::Agent, None, base).unwrap_err();
    assert!(matches!(written, WriteError::Conflict { proposal: 1, theirs: 3 }), "{written}");
    let written = two.write("- a\n- b2\n- c\n", Who::Agent, None, base).unwrap();
    let Written::Version(version) = written else { panic!("{written:?}") };
    assert_eq!((version.n, version.parent, version.base), (4, 3, Some(1)));
    assert_eq!(on_disk(dir.path()), "- A\n- b2\n- c\n- by hand\n");
    assert!(matches!(
        two.write("x", Who::Agent, None, 9),
        Err(WriteError::Memory(MemoryError::NoVersion { n: 9, .. }))
    ));
}

#[test]
fn what_conflicts_is_kept_as_a_proposal_until_a_person_decides() {
    let dir = workspace("- tea\n- dog: Rex\n");
    let memory = open(dir.path());
    fs::write(dir.path().join(MEMORY[0]), "- coffee\n- dog: Rex\n- car\n").unwrap();
    let conflict = |text: &str| match memory.write(text, Who::Agent, None, 1) {
        Err(error @ WriteError::Conflict { .. }) => assert!(error.hint().is_some()),
        other => panic!("{other:?}"),
    };
    conflict("- water\n- dog: Max\n");
    conflict("- milk\n- dog: Rex\n");
    assert_eq!(on_disk(dir.path()), "- coffee\n- dog: Rex\n- car\n");
    let open = memory.proposals().unwrap();
    assert_eq!(
        open.iter().map(|p| (p.id, p.base, p.theirs)).collect::<Vec<_>>(),
        [(1, 1, 2), (2, 1, 2)]
    );
    assert_eq!(memory.proposed_text(&open[0]).unwrap(), "- water\n- dog: Max\n");
    assert_eq!(memory.text(open[0].theirs).unwrap(), "- coffee\n- dog: Rex\n- car\n");
    assert_eq!(
        memory.proposed_diff(&open[0]).unwrap(),
        "--- memory\n+++ memory with it\n@@ -1,3 +1,3 @@\n-- coffee\n-- dog: Rex\n+- water\n\
         +- dog: Max\n - car\n"
    );
    memory.reject(2).unwrap();
    assert_eq!(n(memory.accept(1).unwrap()), 3);
    assert_eq!(on_disk(dir.path()), "- water\n- dog: Max\n- car\n");
    let version = memory.log().unwrap().remove(2);
    assert_eq!((version.who, version.proposal, version.base), (Who::Agent, Some(1), Some(1)));
    assert_eq!(memory.proposals().unwrap(), []);
    for id in [1, 2, 3] {
        assert!(matches!(memory.accept(id), Err(MemoryError::NoProposal { .. })));
        assert!(matches!(memory.reject(id), Err(MemoryError::NoProposal { .. })));
    }
}

#[test]
fn openclaws_place_is_used_where_it_is_in_use() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("MEMORY.md"), "- tea\n").unwrap();
    let memory = open(dir.path());
    memory.append_line("- dog", Who::Person, None).unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("MEMORY.md")).unwrap(), "- tea\n- dog\n");
    assert!(!dir.path().join("memory").exists());
}

#[test]
fn a_link_is_followed_inside_the_workspace_and_nowhere_else() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let dir = workspace("");
    let path = dir.path().join(MEMORY[0]);
    fs::remove_file(&path).unwrap();
    fs::write(dir.path().join("real.md"), "- tea\n").unwrap();
    fs::set_permissions(dir.path().join("real.md"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../real.md", &path).unwrap();
    let memory = open(dir.path());
    memory.append_line("- dog", Who::Agent, None).unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("real.md")).unwrap(), "- tea\n- dog\n");
    assert!(path.symlink_metadata().unwrap().is_symlink());
    let mode = fs::metadata(dir.path().join("real.md")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640, "permissions stay");

    let elsewhere = workspace("theirs\n");
    for target in [elsewhere.path().join(MEMORY[0]), elsewhere.path().join("none")] {
        fs::remove_file(&path).unwrap();
        symlink(&target, &path).unwrap();
        memory.append_line("- dog", Who::Agent, None).unwrap_err();
        assert_eq!(Memory::open(dir.path()).unwrap().1.len(), 1);
    }
    assert_eq!(on_disk(elsewhere.path()), "theirs\n");
}

#[test]
fn damage_costs_what_is_damaged_and_is_reported() {
    let dir = workspace("- tea\n");
    let memory = open(dir.path());
    memory.append_line("- dog", Who::Agent, None).unwrap();
    let log = dir.path().join(LOG);
    let good = fs::read(&log).unwrap();
    for at in (0..good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[at] ^= 4;
        fs::write(&log, &bad).unwrap();
        let (memory, problems) = Memory::open(dir.path()).unwrap();
        // A line end that is gone costs nothing: the lines are known by what they begin with.
        assert_eq!(problems.len(), usize::from(good[at] != b'\n'), "byte {at}");
        assert_eq!(memory.read().unwrap().text, "- tea\n- dog\n");
        memory.append_line("- cat", Who::Agent, None).unwrap();
        let newest = memory.log().unwrap().pop().unwrap();
        assert_eq!(memory.text(newest.n).unwrap(), "- tea\n- dog\n- cat\n");
        fs::write(dir.path().join(MEMORY[0]), "- tea\n- dog\n").unwrap();
    }
    fs::write(&log, &good).unwrap();
    let first = memory.log().unwrap().remove(0);
    fs::write(memory.objects.folder.join(first.hash), "- tee\n").unwrap();
    assert!(matches!(memory.text(1), Err(MemoryError::Damaged { n: 1 })));
    assert!(matches!(memory.restore(1), Err(MemoryError::Damaged { n: 1 })));
    memory.append_line("- cat", Who::Agent, None).unwrap();
}

#[test]
fn too_much_text_is_refused_and_changes_nothing() {
    let dir = workspace("- tea\n");
    let memory = open(dir.path());
    let huge = "x".repeat(5 << 20);
    let error = memory.append_line(&huge, Who::Agent, None).unwrap_err();
    assert!(matches!(error, MemoryError::TooLarge { .. }), "{error}");
    assert_eq!(on_disk(dir.path()), "- tea\n");
    fs::write(dir.path().join(MEMORY[0]), &huge).unwrap();
    assert_eq!(Memory::open(dir.path()).unwrap().1.len(), 1);
    memory.append_line("- dog", Who::Agent, None).unwrap_err();
    assert_eq!(on_disk(dir.path()), huge);
}
