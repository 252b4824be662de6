//! Several processes and threads on one memory, and processes that are killed.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use super::test_memory::{on_disk, open, workspace};
use super::*;
use crate::workspace::MEMORY;

/// Runs one test of this program in a process of its own.
fn child(test: &str, name: &str, dir: &Path) -> Child {
    let (_, module) = module_path!().split_once("::").unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args([&format!("{module}::{test}"), "--exact", "--nocapture", "--include-ignored"])
        .env("LOUVER_TEST_DIR", dir)
        .env("LOUVER_TEST_NAME", name)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "the part of a child process; other tests start it"]
fn child_that_adds_and_rewrites() {
    let Some(dir) = std::env::var_os("LOUVER_TEST_DIR") else { return };
    let name = std::env::var("LOUVER_TEST_NAME").unwrap();
    let (memory, _) = Memory::open(dir).unwrap();
    for n in 0.. {
        let line = format!("- {name} {n}");
        if n % 3 == 0 {
            let current = memory.read().unwrap();
            let text = format!("{}{line}\n", current.text);
            match memory.write(&text, Who::Agent, None, current.version) {
                Ok(_) => println!("acknowledged {line}"),
                Err(WriteError::Conflict { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        } else {
            memory.append_line(&line, Who::Agent, None).unwrap();
            println!("acknowledged {line}");
        }
    }
}

fn acknowledged(line: &str) -> Option<String> {
    line.split_once("acknowledged ").map(|(_, line)| line.to_owned())
}

#[test]
fn no_acknowledged_line_of_two_processes_is_lost_though_both_are_killed() {
    let dir = workspace("# Memory\n");
    let mut wanted: HashSet<String> = HashSet::new();
    for round in 0..6 {
        let start = |name: &str| {
            child("child_that_adds_and_rewrites", &format!("{name}{round}"), dir.path())
        };
        let mut children = [start("one"), start("two")];
        let outputs: Vec<_> =
            children.iter_mut().map(|child| child.stdout.take().unwrap()).collect();
        let readers: Vec<_> = outputs
            .into_iter()
            .map(|output| {
                let (told, hear) = std::sync::mpsc::channel();
                thread::spawn(move || {
                    for line in BufReader::new(output).lines().map_while(Result::ok) {
                        acknowledged(&line).into_iter().for_each(|line| drop(told.send(line)));
                    }
                });
                hear
            })
            .collect();
        for reader in &readers {
            wanted.extend(reader.iter().take(4 + round));
        }
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        for reader in readers {
            wanted.extend(reader.iter());
        }
        let memory = open(dir.path());
        let current = memory.read().unwrap();
        let found: HashSet<String> = current.text.lines().map(str::to_owned).collect();
        let lost: Vec<&String> = wanted.difference(&found).collect();
        assert_eq!(lost, Vec::<&String>::new());
        assert_eq!(found.len(), current.text.lines().count(), "no line is there twice");
        let log = memory.log().unwrap();
        assert_eq!(memory.text(log.last().unwrap().n).unwrap(), current.text);
        assert!(
            log.windows(2).all(|pair| pair[1].parent == pair[0].n),
            "every version has its parent"
        );
        assert!(log.iter().skip(1).all(|version| version.who == Who::Agent), "nobody else wrote");
    }
}

#[test]
fn threads_and_an_editor_lose_no_line() {
    let dir = workspace("# Memory\n");
    open(dir.path());
    let add = |name: &'static str| {
        let dir = dir.path().to_owned();
        thread::spawn(move || {
            let (memory, _) = Memory::open(dir).unwrap();
            for n in 0..25 {
                let line = format!("- {name} {n}");
                // On a busy machine the editor can win every race of one try; it is told, and tries on.
                while let Err(error) = memory.append_line(&line, Who::Agent, None) {
                    assert!(matches!(error, MemoryError::Unsteady { .. }), "{error}");
                }
            }
        })
    };
    let threads = [add("one"), add("two")];
    // An editor takes no lock: it replaces the file by what it has read and its own line.
    let path = dir.path().join(MEMORY[0]);
    let mut saved = Vec::new();
    for n in 0..10 {
        let line = format!("- by hand {n}");
        let text = format!("{}{line}\n", on_disk(dir.path()));
        fs::write(path.with_extension("tmp"), &text).unwrap();
        fs::rename(path.with_extension("tmp"), &path).unwrap();
        saved.push(text);
        thread::sleep(std::time::Duration::from_millis(3));
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let memory = open(dir.path());
    // The editor may throw away what came in between, as editors do; every line was a version.
    let texts: Vec<String> =
        memory.log().unwrap().iter().map(|v| memory.text(v.n).unwrap()).collect();
    for n in 0..25 {
        for name in ["one", "two"] {
            let line = format!("- {name} {n}\n");
            assert!(texts.iter().any(|text| text.contains(&line)), "{line}");
        }
    }
    let newest = texts.last().unwrap();
    assert_eq!(*newest, on_disk(dir.path()));
    let kept = memory.proposals().unwrap();
    let kept: Vec<String> = kept.iter().map(|p| memory.proposed_text(p).unwrap()).collect();
    // What was saved in the very moment of an exchange is kept beside it.
    let stays = |text: &String| text.contains("- by hand 9\n");
    assert!(stays(newest) || kept.iter().any(stays), "what was saved last is not lost");
    // A save that the editor itself replaced before anybody looked is its own affair.
    let noticed = |text: &String| texts.contains(text) || kept.contains(text);
    assert!(noticed(saved.last().unwrap()));
}

#[test]
fn whoever_waits_too_long_is_told_who_holds_memory_and_readers_do_not_wait() {
    let dir = workspace("- tea\n");
    let memory = open(dir.path());
    let lock = memory.lock(Duration::ZERO).unwrap();
    let error = memory.lock(Duration::from_millis(5)).unwrap_err();
    assert_eq!(error.to_string(), "memory is being changed by another part of this program");
    let other = open(dir.path());
    assert_eq!((other.peek().unwrap().as_str(), other.log().unwrap().len()), ("- tea\n", 1));
    drop(lock);
    assert_eq!(memory.read().unwrap().version, 1);
}
