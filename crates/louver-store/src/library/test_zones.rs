//! Machines that travel: what is known of a note does not hang on the zone it was taken in.

use std::fs;
use std::path::Path;

use jiff::tz::TimeZone;
use tempfile::TempDir;

use super::names::{Label, mark};
use super::tests::{places, say, words};
use super::*;
use crate::session::{Mode, Session};

const UTC: i8 = 0;
const TOKYO: i8 = 9;
const LOS_ANGELES: i8 = -8;

/// The library of a machine whose clock is so many hours ahead, with everything in it.
fn library(workspace: &Path, hours: i8) -> Library {
    let mut library = Library::open(workspace).unwrap();
    library.zone = Some(TimeZone::fixed(jiff::tz::offset(hours)));
    library.sync(&places(workspace), &mut |_| {}).unwrap();
    library
}

/// A session with something in it, and its copy.
fn forked() -> TempDir {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The code is 1234.", "Noted.");
    let (from, _) = Session::open(dir.path(), "cli:direct", Mode::Read).unwrap();
    let (mut to, _) = Session::open(dir.path(), "cli:copy", Mode::Write).unwrap();
    crate::export::fork(&from, &mut to, None).unwrap();
    dir
}

fn shows(workspace: &Path, key: &str) -> bool {
    let (session, _) = Session::open(workspace, key, Mode::Read).unwrap();
    let view = session.view().0;
    view.messages.iter().any(|entry| entry.message.texts().any(|text| text.contains("1234")))
}

fn delete_index(workspace: &Path) {
    for end in ["", "-wal", "-shm"] {
        fs::remove_file(workspace.join(format!(".louver/recall.db{end}"))).ok();
    }
}

#[test]
fn what_is_forgotten_in_one_zone_is_so_in_another() {
    for (then, now) in [(UTC, TOKYO), (TOKYO, LOS_ANGELES)] {
        let dir = forked();
        library(dir.path(), then).forget("cli:direct#2").unwrap().unwrap();
        assert_eq!(library(dir.path(), now).len().unwrap(), 2);
        delete_index(dir.path());
        assert_eq!(library(dir.path(), now).len().unwrap(), 2);
    }
}

#[test]
fn a_copy_of_what_is_forgotten_is_found_in_another_zone() {
    let dir = forked();
    drop(library(dir.path(), UTC));
    library(dir.path(), TOKYO).forget("cli:direct#2").unwrap().unwrap();
    assert_eq!(["cli:direct", "cli:copy"].map(|key| shows(dir.path(), key)), [false, false]);
}

#[test]
fn what_earlier_versions_forgot_by_the_clock_stays_forgotten() {
    let dir = forked();
    let mut old = library(dir.path(), TOKYO);
    let note = old.get("cli:direct#2").unwrap().unwrap();
    old.forget("cli:direct#2").unwrap().unwrap();
    let list = dir.path().join(".louver/forgotten.json");
    let label = Label::of("cli:direct", &note.place);
    let [by_instant, by_clock] =
        <[u64; 2]>::try_from(label.all_said(&note, &note.text).collect::<Vec<_>>()).unwrap();
    let written = fs::read_to_string(&list).unwrap();
    assert!(written.contains(&by_instant.to_string()));
    assert!(written.contains(&mark("cli:direct", &label, &note.text).to_string()));
    fs::write(&list, written.replace(&by_instant.to_string(), &by_clock.to_string())).unwrap();
    delete_index(dir.path());
    assert_eq!(library(dir.path(), TOKYO).len().unwrap(), 2);
}

#[test]
fn what_is_said_after_a_journey_is_newer() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "My favourite colour is blue.", "Noted.");
    drop(library(dir.path(), TOKYO));
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    say(dir.path(), "cli:direct", "My favourite colour is green.", "Noted.");
    for zone in [LOS_ANGELES, TOKYO] {
        let mut library = library(dir.path(), zone);
        let asking = Asking::new("What is my favourite colour?", "cli:x", 200);
        let recalled = library.recall(&asking, &words).unwrap();
        let older: Vec<(&str, bool)> =
            recalled.taken.iter().map(|one| (one.text.as_str(), one.newer.is_some())).collect();
        assert_eq!(
            older,
            [("My favourite colour is green.", false), ("My favourite colour is blue.", true)]
        );
        // One talk goes on, whatever was done to the clock meanwhile.
        let place = library.find_note("cli:direct#4").unwrap().unwrap();
        assert_eq!(rows::row(&library.db, place).unwrap().unwrap().links.spot.talk, 0);
    }
}

#[test]
fn a_note_is_told_by_the_clock_of_whoever_asks_and_leaves_nothing_behind() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The code is 1234.", "Noted.");
    drop(library(dir.path(), -12));
    let clock = |hours: i8| {
        let note = library(dir.path(), hours).get("cli:direct#2").unwrap().unwrap();
        note.time.unwrap().clock()
    };
    assert_eq!(clock(TOKYO).duration_since(clock(LOS_ANGELES)).as_hours(), 17);
    // It is still listed under the day it was taken in on.
    let mut library = library(dir.path(), 12);
    library.forget("cli:direct#2").unwrap().unwrap();
    library.forget("cli:direct#3").unwrap().unwrap();
    for table in ["words", "heads", "postings"] {
        let sql = format!("SELECT count(*) FROM {table}");
        let rows: u32 = library.db.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
}
