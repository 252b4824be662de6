//! What is said and done when files of the library are damaged.

use tempfile::TempDir;

use super::tests::{library, places, say};
use super::*;
use crate::session::{Mode, Session, SessionError};

#[test]
fn a_name_that_is_no_text_is_damage_and_the_index_is_made_again_at_once() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The code is 1234.", "Noted.");
    let library = library(dir.path());
    library.db.execute("UPDATE sources SET name = CAST(x'ff41' AS TEXT)", []).unwrap();
    drop(library);
    let mut reminder = Reminder::new(dir.path(), places(dir.path()), None);
    let (library, problems) = reminder.library(&mut |_| {}).unwrap();
    assert_eq!((library.len().unwrap(), problems), (2, Vec::new()));
}

#[test]
fn forgetting_of_a_damaged_index_does_not_wait_for_itself() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The code is 1234.", "Noted.");
    let mut library = library(dir.path());
    library.db.execute("UPDATE facts SET list = 'no number'", []).unwrap();
    assert!(library.forget("cli:direct#2").unwrap_err().is_damage());
    assert_eq!(library.len().unwrap(), 0);
}

#[test]
fn a_list_of_what_was_forgotten_that_is_cut_off_says_what_it_is() {
    let dir = TempDir::new().unwrap();
    say(dir.path(), "cli:direct", "The code is 1234.", "Noted.");
    let mut library = library(dir.path());
    library.forget("cli:direct#2").unwrap().unwrap();
    let list = dir.path().join(".louver/forgotten.json");
    let whole = fs::read(&list).unwrap();
    for part in [&whole[..whole.len() / 2], b"", b"{}", b"\xff\xfe"] {
        fs::write(&list, part).unwrap();
        let error = library.sync(&places(dir.path()), &mut |_| {}).unwrap_err();
        assert!(error.hint().starts_with("it lists what is never recalled again"), "{error}");
        // Nor is a session shown or sent of which nobody knows what was forgotten.
        for mode in [Mode::Read, Mode::Write] {
            let error = Session::open(dir.path(), "cli:direct", mode).err().unwrap();
            assert!(matches!(error, SessionError::Forgotten { .. }), "{error}");
            assert!(error.hint().unwrap().contains("would be shown and sent again"));
        }
    }
    fs::write(&list, whole).unwrap();
    Session::open(dir.path(), "cli:direct", Mode::Read).unwrap();
}
