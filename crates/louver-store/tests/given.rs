//! Notes of one's own in a library: whose they are, that they stay, and that what is forgotten is gone.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use louver_context::Trust;
use louver_store::Owner;
use louver_store::disk::Folder;
use louver_store::library::{Asking, Library};
use louver_store::notes::{Held, Note, Places, Source, SourceKind, Voice};

fn note(place: &str, text: &str) -> Note {
    let (place, text) = (place.to_owned(), text.to_owned());
    let (who, voice, trust) = (String::new(), Voice::Document, Trust::Owner);
    Note { place, text, who, voice, time: None, trust }
}

fn put(library: &mut Library, name: &str, scope: &str, notes: &[(&str, &str)]) {
    let (name, stamp, scope) = (name.to_owned(), "1".to_owned(), scope.to_owned());
    let source = Source { name, stamp, kind: SourceKind::Given, scope };
    let notes = notes.iter().map(|(place, text)| note(place, text)).collect();
    library.put(&source, Held { notes, more: false }).unwrap();
}

/// What a session is given for a question, alone and in company.
fn recalled(library: &mut Library, session: &str, others: bool) -> Vec<String> {
    let asking = Asking { others, ..Asking::new("What does the violin need?", session, 500) };
    let recalled = library.recall(&asking, &|text| text.len().div_ceil(4) as u32).unwrap();
    let mut places: Vec<String> = recalled.taken.into_iter().map(|taken| taken.place).collect();
    places.sort();
    places
}

fn places(workspace: &Path) -> Places {
    let folder = Folder::open(workspace).unwrap();
    Places { folder, documents: Vec::new(), away: Vec::new(), owner: Owner::default() }
}

#[test]
fn what_has_a_scope_is_of_the_session_with_that_key_whatever_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    put(&mut library, "anna/diary", "anna", &[("diary", "The violin needs a new string.")]);
    put(&mut library, "anna", "bob", &[("of bob", "Bob's violin needs a bow.")]);
    put(&mut library, "list", "", &[("list", "The violin needs rosin.")]);
    put(&mut library, "", "", &[("alone", "The violin needs a case.")]);
    for (session, others, known) in [
        ("anna", true, vec!["diary"]),
        ("anna", false, vec!["alone", "diary", "list"]),
        ("bob", true, vec!["of bob"]),
        ("list", true, vec!["list"]),
        ("cli:direct", false, vec!["alone", "list"]),
        // So it is asked for a session of the owner's while others read along.
        ("", true, vec![]),
    ] {
        assert_eq!(recalled(&mut library, session, others), known, "{session} {others}");
        for place in ["diary", "of bob", "list", "alone"] {
            let may = library.may_know(place, session, others).unwrap();
            assert_eq!(may, known.contains(&place), "{place} in {session} {others}");
        }
    }
}

#[test]
fn what_was_given_stays_when_the_workspace_is_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("MEMORY.md"), "- The violin needs a teacher.\n").unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    put(&mut library, "mail", "", &[("mail/1", "The violin needs a new string.")]);
    // One that is called as a file of a folder is none.
    put(&mut library, "/elsewhere/violin.md", "", &[("violin", "The violin needs a case.")]);
    let all = ["MEMORY.md:1", "mail/1", "violin"];
    for _ in 0..2 {
        library.sync(&places(folder.path()), &mut |_| ()).unwrap();
        assert_eq!(recalled(&mut library, "cli:direct", false), all);
        assert_eq!(library.waiting().unwrap(), 0);
        library.remove_waiting(&mut |_| ()).unwrap();
    }
    // What is no longer in the workspace goes, as ever.
    fs::remove_file(folder.path().join("MEMORY.md")).unwrap();
    library.sync(&places(folder.path()), &mut |_| ()).unwrap();
    assert_eq!(recalled(&mut library, "cli:direct", false), all[1..]);
    put(&mut library, "mail", "", &[]);
    assert_eq!(recalled(&mut library, "cli:direct", false), all[2..]);
}

#[test]
fn forgetting_a_name_forgets_every_note_of_that_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let twice = [
        ("mail/1", "The violin needs a new string."),
        ("mail/1", "The violin needs two new strings."),
    ];
    let elsewhere = [("mail/1", "The violin needs a bow."), ("paper:1", "The violin needs rosin.")];
    let other = [("paper:1", "The violin needs a case.")];
    for _ in 0..2 {
        put(&mut library, "mail", "", &twice);
        put(&mut library, "paper", "", &elsewhere);
        put(&mut library, "other", "", &other);
        for place in ["mail/1", "paper:1"] {
            library.forget(place).unwrap();
            assert!(library.get(place).unwrap().is_none(), "{place}");
        }
        assert_eq!(recalled(&mut library, "cli:direct", false), [""; 0]);
    }
    assert_eq!(library.still_has("paper:1").unwrap(), ["other", "paper"]);
}
