//! Several processes on one session, processes that die, and disks that fail.

use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::test_view::{note, read, reply, said, seen, workspace, write};
use super::*;
use crate::append::{CALLS, Calls};
use Durability::{Disk, Process};

/// Runs one test of this program in a process of its own, after these words of a shell.
fn child(shell: &str, test: &str, dir: &Path) -> Child {
    let script = format!("{shell} exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--include-ignored"])
        .env("LOUVER_TEST_DIR", dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn test_name(name: &str) -> String {
    let (_, module) = module_path!().split_once("::").unwrap();
    format!("{module}::{name}")
}

/// The workspace, when this is the child.
fn given_dir() -> Option<std::path::PathBuf> {
    std::env::var_os("LOUVER_TEST_DIR").map(Into::into)
}

#[test]
#[ignore = "the part of a child process; other tests start it"]
fn child_that_writes_until_it_is_killed() {
    let Some(dir) = given_dir() else { return };
    let (mut session, _) =
        Session::wait_write(&dir, "cli:direct", Duration::from_secs(20)).unwrap();
    for n in 0.. {
        let long = "a result\n".repeat(if n % 7 == 0 { 3_000 } else { 3 });
        let result = session.keep_result("1", "f", &long).unwrap();
        let durability = if n % 5 == 0 { Disk } else { Process };
        let last = session.append_all(&[note("x"), Event::Result(result)], durability).unwrap();
        println!("acknowledged {last}");
    }
}

#[test]
fn an_acknowledged_event_survives_kill_9() {
    let dir = workspace();
    let (mut acknowledged, mut blobs) = (0, 0);
    for round in 0..20 {
        let mut child = child("", &test_name("child_that_writes_until_it_is_killed"), dir.path());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let wanted = acknowledged + 1 + round * 3;
        let mut next = || {
            let line = lines.next()?.unwrap();
            Some(line.rsplit_once("acknowledged ")?.1.parse::<u64>().unwrap())
        };
        while acknowledged < wanted {
            acknowledged = next().unwrap_or(acknowledged);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        while let Some(more) = next() {
            acknowledged = more;
        }
        let (mut session, _) = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
        let found: Vec<u64> = session.events().unwrap().map(|record| record.n).collect();
        assert!(session.last() >= acknowledged, "{} < {acknowledged}", session.last());
        assert_eq!(found, (1..=session.last()).collect::<Vec<_>>());
        for record in session.events().unwrap() {
            if let Event::Result(CallResult { blob: Some(blob), .. }) = record.event {
                assert_eq!(session.blob(&blob).unwrap().len(), 27_000);
                blobs += 1;
            }
        }
        acknowledged = session.append(&note("mine"), Process).unwrap();
    }
    assert!(blobs > 0, "no long result was ever written");
}

#[test]
fn the_second_writer_is_told_who_writes_and_readers_do_not_wait() {
    let dir = workspace();
    let mut session = write(dir.path());
    let busy = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap_err();
    assert!(matches!(busy, SessionError::Busy { pid: Some(pid), .. } if pid == std::process::id()));
    let start = Instant::now();
    let wait = Duration::from_millis(30);
    assert!(Session::wait_write(dir.path(), "cli:direct", wait).is_err());
    assert!(start.elapsed() < Duration::from_secs(5));
    session.append(&said("hi"), Process).unwrap();
    assert_eq!(seen(&read(dir.path()).0).len(), 1);
    assert!(Session::open(dir.path(), "cli:other", Mode::Write).is_ok());
    drop(session);
    assert_eq!(write(dir.path()).last(), 2);

    let mut child = child("", &test_name("child_that_writes_until_it_is_killed"), dir.path());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while !lines.next().unwrap().unwrap().contains("acknowledged") {}
    let busy = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap_err();
    let holder = format!("session `cli:direct` is being written by process {}", child.id());
    assert_eq!(busy.to_string(), holder);
    assert!(busy.hint().unwrap().contains("kill"));
    for _ in 0..50 {
        let (session, problems) = read(dir.path());
        let found: Vec<u64> = session.events().unwrap().map(|record| record.n).collect();
        assert_eq!(found, (1..=session.last()).collect::<Vec<_>>());
        // At most that a line is being written just now.
        assert!(
            problems.iter().all(|p| p.severity == crate::problem::Severity::Note),
            "{problems:?}"
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    Session::open(dir.path(), "cli:direct", Mode::Write).unwrap();
}

#[test]
fn a_lock_that_was_given_back_is_taken_again_with_what_came_meanwhile() {
    let dir = workspace();
    let mut first = write(dir.path());
    first.append(&said("one"), Process).unwrap();
    let (mut reader, _) = read(dir.path());
    first.release();
    assert!(matches!(first.append(&said("no"), Process), Err(SessionError::ReadOnly { .. })));
    assert!(matches!(first.keep_result("1", "f", "no"), Err(SessionError::ReadOnly { .. })));
    let mut second = write(dir.path());
    second.append(&said("two"), Process).unwrap();
    assert!(matches!(first.acquire(Duration::ZERO), Err(SessionError::Busy { .. })));
    second.append(&Event::Undo(Undo { to: 1, ..Undo::default() }), Process).unwrap();
    second.append(&reply(&second, "three"), Process).unwrap();
    drop(second);
    assert_eq!(first.acquire(Duration::ZERO).unwrap(), []);
    first.append(&said("four"), Disk).unwrap();
    let wanted = vec![(5, "three".to_owned()), (6, "four".to_owned())];
    assert_eq!(seen(&first), wanted);
    assert_eq!(reader.refresh().unwrap(), []);
    assert_eq!(seen(&reader), wanted);
    // A log that was put in the place of the old one is read from its beginning.
    let log = first.folder().join("log.jsonl");
    let content = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = content.split_inclusive('\n').collect();
    fs::write(&log, lines[..2].concat()).unwrap();
    assert_eq!(reader.refresh().unwrap(), []);
    assert_eq!(seen(&reader), [(2, "one".to_owned())]);
}

#[test]
#[ignore = "the part of a child process; another test starts it"]
fn child_that_may_not_write_large_files() {
    let Some(dir) = given_dir() else { return };
    let (mut session, _) = Session::open(&dir, "cli:direct", Mode::Write).unwrap();
    for _ in 0..5 {
        println!("acknowledged {}", session.append(&said("word"), Process).unwrap());
    }
    let error = session.append(&said(&"word ".repeat(10_000)), Process).unwrap_err();
    assert!(matches!(error, SessionError::Append { .. }), "{error}");
    assert!(error.hint().unwrap().starts_with("make room"), "{error}");
    assert!(session.keep_result("1", "f", &"x".repeat(100_000)).is_err());
    // What is small enough still goes in, right after the last good line.
    println!("acknowledged {}", session.append(&note("x"), Disk).unwrap());
}

#[test]
fn a_full_disk_is_a_clear_error_and_it_goes_on_when_there_is_room() {
    let dir = workspace();
    // The kernel sends a signal before it refuses, which a process has to ignore.
    let limits = "trap '' XFSZ; ulimit -f 16;";
    let mut child = child(limits, &test_name("child_that_may_not_write_large_files"), dir.path());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let acknowledged: Vec<u64> = lines
        .filter_map(|line| line.unwrap().rsplit_once("acknowledged ")?.1.parse().ok())
        .collect();
    assert!(child.wait().unwrap().success());
    assert_eq!(acknowledged, (2..=*acknowledged.last().unwrap()).collect::<Vec<_>>());
    let mut session = write(dir.path());
    assert_eq!(session.last(), *acknowledged.last().unwrap());
    assert!(fs::read_dir(session.folder().join("blobs")).map_or(0, Iterator::count) == 0);
    session.append(&said(&"word ".repeat(50)), Disk).unwrap();
    assert_eq!(read(dir.path()).1, []);
}

#[test]
#[ignore = "the part of a child process; another test starts it"]
fn child_that_may_not_write_at_all() {
    let Some(dir) = given_dir() else { return };
    let error = Session::open(&dir, "cli:direct", Mode::Write).unwrap_err();
    assert!(error.hint().unwrap().starts_with("make room"), "{error}");
}

#[test]
fn a_session_whose_first_line_has_no_room_is_not_there() {
    let dir = workspace();
    let limits = "trap '' XFSZ; ulimit -f 0;";
    let child = child(limits, &test_name("child_that_may_not_write_at_all"), dir.path());
    assert!(child.wait_with_output().unwrap().status.success());
    assert!(!Session::exists(dir.path(), "cli:direct"));
    assert_eq!(Sessions::list(dir.path()), (vec![], vec![]));
    write(dir.path()).append(&said("hi"), Disk).unwrap();
    assert_eq!(read(dir.path()).1, []);
}

#[test]
fn a_folder_that_may_not_be_written_is_a_clear_error_and_can_be_read() {
    let dir = workspace();
    write(dir.path()).append(&said("hi"), Process).unwrap();
    let folder = write(dir.path()).folder().to_owned();
    let forbid = |mode| {
        for entry in fs::read_dir(&folder).unwrap() {
            let file = fs::Permissions::from_mode(mode & 0o666);
            fs::set_permissions(entry.unwrap().path(), file).unwrap();
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    };
    forbid(0o555);
    if rustix::process::geteuid().is_root() {
        println!("skipped: the super-user may write everywhere");
    } else {
        let error = Session::open(dir.path(), "cli:direct", Mode::Write).unwrap_err();
        assert!(error.to_string().contains("Permission denied"), "{error}");
        assert!(error.hint().unwrap().contains("writable"));
    }
    assert_eq!(seen(&read(dir.path()).0).len(), 1);
    forbid(0o755);
    assert_eq!(write(dir.path()).append(&said("on"), Process).unwrap(), 3);
    let blocked = dir.path().join("blocked");
    fs::write(&blocked, "").unwrap();
    assert!(Session::open(&blocked, "cli:direct", Mode::Write).is_err());
}

type Write = fn(&fs::File, &[u8]) -> io::Result<usize>;

fn calls(session: &mut Session) -> &mut crate::append::Calls {
    &mut session.writer.as_mut().unwrap().log.calls
}

#[test]
fn what_a_failed_write_left_is_looked_at_before_the_next() {
    /// The disk takes so much of a line and then fails.
    fn take(mut file: &fs::File, bytes: &[u8], less: usize) -> io::Result<usize> {
        io::Write::write(&mut file, &bytes[..bytes.len() - less])?;
        Err(io::Error::other("EIO"))
    }
    let writes: [Write; 3] = [
        |file, bytes| take(file, bytes, 0),
        |file, bytes| take(file, bytes, 1),
        |file, bytes| take(file, bytes, 40),
    ];
    for (write_badly, left) in writes.into_iter().zip([1, 1, 0]) {
        let dir = workspace();
        let mut session = write(dir.path());
        session.append(&said("one"), Process).unwrap();
        *calls(&mut session) =
            Calls { write: write_badly, cut: |_, _| Err(io::Error::other("EPERM")), ..CALLS };
        let error = session.append(&said("never acknowledged"), Process).unwrap_err();
        assert!(matches!(error, SessionError::Append { .. }));
        calls(&mut session).write = CALLS.write;
        let n = session.append(&said("two"), Disk).unwrap();
        let (reader, _) = read(dir.path());
        assert_eq!((seen(&reader), reader.last()), (seen(&session), n));
        assert_eq!((n, seen(&reader).len()), (3 + left, 2 + left as usize));
    }
}

#[test]
fn an_event_whose_sync_failed_is_not_acknowledged_and_not_there() {
    let dir = workspace();
    let mut session = write(dir.path());
    session.append(&said("one"), Process).unwrap();
    calls(&mut session).sync = |_| Err(io::Error::other("EIO"));
    let error = session.append(&said("two"), Disk).unwrap_err();
    assert!(error.to_string().ends_with("log.jsonl: the disk did not confirm the write: EIO"));
    assert_eq!((session.last(), read(dir.path()).0.last()), (2, 2));
    calls(&mut session).sync = CALLS.sync;
    assert_eq!(session.append(&said("two, again"), Disk).unwrap(), 3);
    assert_eq!(seen(&read(dir.path()).0), seen(&session));
}
