//! What damage costs: one bad byte one event, a torn end nothing that was acknowledged.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::test_view::{note, read, reply, said, seen, workspace, write};
use super::*;
use Durability::Process;

/// A workspace with a small session, the path of its log, and its lines.
fn small() -> (TempDir, PathBuf, Vec<u8>) {
    let dir = workspace();
    let mut session = write(dir.path());
    session.append_all(&[said("hi, \"c\":\"x\"}"), note("n\n")], Process).unwrap();
    session.append(&reply(&session, "hello 🦀"), Process).unwrap();
    session.append(&said("bye"), Process).unwrap();
    let log = session.folder().join("log.jsonl");
    let content = fs::read(&log).unwrap();
    (dir, log, content)
}

fn numbers(session: &Session) -> Vec<u64> {
    session.events().unwrap().map(|record| record.n).collect()
}

/// Which line each byte belongs to.
fn line_of(content: &[u8], at: usize) -> u64 {
    content[..at].iter().filter(|byte| **byte == b'\n').count() as u64 + 1
}

#[test]
fn one_bad_bit_costs_at_most_the_event_it_is_in() {
    let (dir, log, content) = small();
    for at in 0..content.len() {
        for bit in 0..8 {
            let mut bad = content.clone();
            bad[at] ^= 1 << bit;
            fs::write(&log, &bad).unwrap();
            let (session, problems) = read(dir.path());
            assert!(!problems.is_empty(), "byte {at} bit {bit} was not noticed");
            let lost = line_of(&content, at);
            let found = numbers(&session);
            let all = (1..=5).filter(|n| *n != lost || found.contains(n)).collect::<Vec<_>>();
            assert_eq!(found, all, "byte {at} bit {bit}");
        }
    }
}

#[test]
fn one_bad_byte_does_not_keep_a_session_from_going_on() {
    let (dir, log, content) = small();
    for at in 0..content.len() {
        for byte in [0, b'\n', b'"', 0xFF] {
            let mut bad = content.clone();
            bad[at] = byte;
            fs::write(&log, &bad).unwrap();
            let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
            let n = session.append(&note("on"), Process).unwrap();
            let found = numbers(&session);
            drop(session);
            let (again, _) = read(dir.path());
            assert_eq!((numbers(&again), again.last()), (found.clone(), n), "byte {at} = {byte}");
            let lost = line_of(&content, at);
            assert!((1..=5).all(|n| n == lost || found.contains(&n)), "byte {at} = {byte}");
            // What was in the middle is still there, byte for byte.
            let now = fs::read(&log).unwrap();
            let kept = content.iter().rposition(|b| *b == b',').unwrap().min(at);
            assert_eq!(now[..kept], bad[..kept]);
        }
    }
}

#[test]
fn a_log_cut_anywhere_keeps_every_line_before_the_cut() {
    let (dir, log, content) = small();
    for len in 0..content.len() {
        fs::write(&log, &content[..len]).unwrap();
        for entry in fs::read_dir(log.parent().unwrap()).unwrap() {
            let path = entry.unwrap().path();
            if path.to_string_lossy().contains("torn") {
                fs::remove_file(path).unwrap();
            }
        }
        // A line that lacks nothing but its end counts.
        let next_is_end = content[len] == b'\n';
        let whole = line_of(&content, len) - 1 + u64::from(next_is_end);
        let start = content[..len].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let (reader, _) = read(dir.path());
        assert_eq!(numbers(&reader), (1..=whole).collect::<Vec<_>>(), "cut at {len}");
        assert_eq!(fs::read(&log).unwrap(), &content[..len], "reading changed the log");
        let (mut session, problems) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
        let torn = start < len && !next_is_end;
        assert_eq!(problems.len(), usize::from(torn), "cut at {len}: {problems:?}");
        let aside = fs::read(log.with_file_name("log.jsonl.torn-1")).unwrap_or_default();
        assert_eq!(aside, if torn { &content[start..len] } else { b"" });
        session.append(&said("on"), Process).unwrap();
        let (again, problems) = read(dir.path());
        assert_eq!(problems, []);
        assert_eq!(numbers(&again), numbers(&session));
    }
}

#[test]
fn a_torn_end_is_reported_with_where_it_went() {
    let (dir, log, content) = small();
    for _ in 0..2 {
        let mut torn = content.clone();
        torn.extend(b"{\"v\":1,\"n\":6,\"t\"");
        fs::write(&log, torn).unwrap();
        let what = "its last line is not whole: it is being written just now, or was cut off";
        assert!(read(dir.path()).1[0].to_string().ends_with(what));
        let (_, problems) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
        let said = problems[0].to_string();
        assert!(said.contains("its 16 bytes were set aside in log.jsonl.torn-"), "{said}");
    }
    let aside = fs::read_to_string(log.with_file_name("log.jsonl.torn-2")).unwrap();
    assert_eq!(aside, "{\"v\":1,\"n\":6,\"t\"");
    assert_eq!(fs::read(&log).unwrap(), content);
}

#[test]
fn bad_and_missing_lines_are_reported_with_their_number() {
    let (dir, log, content) = small();
    let text = String::from_utf8(content).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let log_of = |lines: &[&str]| fs::write(&log, lines.join("\n") + "\n").unwrap();
    let reported = || {
        let texts = read(dir.path()).1.into_iter().map(|problem| problem.to_string());
        texts.map(|text| text.split_once(".jsonl ").unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    log_of(&[lines[0], "x", "", lines[2], lines[3], lines[4]]);
    assert_eq!(reported(), ["line 2: it was damaged and is left out; it stays in the file"]);
    log_of(&[lines[0], lines[3], lines[4]]);
    assert_eq!(reported(), ["line 2: 2 events before it are missing"]);
    log_of(&[lines[0], lines[1], lines[1], lines[2]]);
    assert_eq!(reported(), ["line 3: event 2 is there twice; the first is taken"]);
    fs::write(&log, vec![b'\n'; 9]).unwrap();
    assert_eq!(reported(), [""; 0]);
    fs::write(&log, "x\n".repeat(1_000)).unwrap();
    assert_eq!(read(dir.path()).1.len(), 21);
}

#[test]
fn bytes_that_are_no_text_cost_only_their_line() {
    let (dir, log, content) = small();
    let mut bad = vec![0xFF; 300_000];
    bad.push(b'\n');
    bad.extend(&content);
    bad.extend([0; 4096]);
    fs::write(&log, bad).unwrap();
    let (session, problems) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
    assert_eq!((numbers(&session), problems.len()), ((1..=5).collect(), 2));
    assert_eq!(fs::read(log.with_file_name("log.jsonl.torn-1")).unwrap(), [0; 4096]);
}

#[test]
fn a_session_that_lost_its_key_has_it_again_after_it_was_opened_by_it() {
    let (dir, log, mut content) = small();
    content[3] = b'X';
    fs::write(&log, &content).unwrap();
    let (listed, problems) = Sessions::list(dir.path());
    assert_eq!((listed[0].key.clone(), problems.len()), (listed[0].name.clone(), 1));
    let (session, problems) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
    assert_eq!((problems.len(), seen(&session).len()), (1, 3));
    let (listed, problems) = Sessions::list(dir.path());
    assert_eq!((&*listed[0].key, problems.len()), ("cli:direct", 1));
}

#[test]
fn a_name_that_another_key_has_leads_to_a_second_folder() {
    let dir = workspace();
    let mine = write(dir.path()).folder().to_owned();
    // Another key's log under my name, as a made-up collision would put it there.
    let (other, _) = Session::open(dir.path(), "other", Mode::Write).unwrap();
    let others = other.folder().to_owned();
    drop(other);
    fs::remove_dir_all(&mine).unwrap();
    fs::rename(&others, &mine).unwrap();
    let missing = Session::open(dir.path(), "cli:direct", Mode::Read).unwrap_err();
    assert!(matches!(missing, SessionError::Missing { .. }));
    let mut session = write(dir.path());
    assert!(session.folder().to_string_lossy().ends_with("-1"));
    session.append(&said("mine"), Process).unwrap();
    drop(session);
    assert_eq!(seen(&read(dir.path()).0).len(), 1);
    let (listed, _) = Sessions::list(dir.path());
    let mut keys: Vec<&str> = listed.iter().map(|info| &*info.key).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["cli:direct", "other"]);
}

#[test]
fn a_key_that_nobody_can_see_is_refused() {
    let dir = workspace();
    for key in ["", " ", "\0", "line\nbreak", "\u{85}"] {
        let refused = Session::open(dir.path(), key, Mode::Write).unwrap_err();
        assert!(matches!(refused, SessionError::BadKey { .. }), "{refused}");
        assert!(!refused.to_string().contains('\n'), "{refused}");
    }
    assert!(!dir.path().join(".louver").exists());
}

#[test]
fn any_key_finds_its_session_and_is_listed() {
    let dir = workspace();
    let long = "🦀".repeat(2_500);
    let keys = ["a:b", "A:B", "../../x", "/", "e\u{301}", "é", &long, "\"q\"", "\\"];
    for key in keys {
        let (mut session, _) = Session::open(dir.path(), key, Mode::Write).unwrap();
        session.append(&said(key), Process).unwrap();
    }
    for key in keys {
        let (session, problems) = Session::open(dir.path(), key, Mode::Read).unwrap();
        assert_eq!((seen(&session), problems), (vec![(2, key.to_owned())], vec![]));
    }
    let (listed, problems) = Sessions::list(dir.path());
    let mut found: Vec<&str> = listed.iter().map(|info| &*info.key).collect();
    let mut wanted = keys.to_vec();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!((found, problems), (wanted, vec![]));
}

#[test]
fn a_list_tells_the_last_words_and_the_number_of_messages() {
    let dir = workspace();
    assert_eq!(Sessions::list(dir.path()), (vec![], vec![]));
    let mut session = write(dir.path());
    for n in 0..50 {
        session.append(&said(&format!("question {n}")), Process).unwrap();
        session.append(&reply(&session, &format!("answer\n  {n}")), Process).unwrap();
    }
    // The last words are far from the end.
    let result = CallResult { text: "x".repeat(9_000), ..CallResult::default() };
    session.append(&Event::Result(result), Process).unwrap();
    fs::create_dir(dir.path().join(".louver/sessions/empty")).unwrap();
    fs::write(dir.path().join(".louver/sessions/file"), "").unwrap();
    let (listed, problems) = Sessions::list(dir.path());
    let info = &listed[0];
    assert_eq!((listed.len(), problems), (1, vec![]));
    assert_eq!((&*info.key, info.messages, &*info.last_text), ("cli:direct", 101, "answer 49"));
    assert_eq!(info.bytes, fs::metadata(session.folder().join("log.jsonl")).unwrap().len());
    assert!(info.created.unwrap() <= info.updated.unwrap());
}

#[test]
fn a_log_is_private_and_a_link_is_not_followed() {
    let (dir, log, content) = small();
    assert_eq!(fs::metadata(&log).unwrap().permissions().mode() & 0o777, 0o600);
    let folder: &Path = log.parent().unwrap();
    assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    let outside = dir.path().join("outside");
    fs::rename(&log, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &log).unwrap();
    assert!(Session::open(dir.path(), "cli:direct", Mode::Write).is_err());
    assert_eq!(fs::read(outside).unwrap(), content);
}
