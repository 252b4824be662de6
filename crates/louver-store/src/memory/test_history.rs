//! Histories as they are found, and how they grow.

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

fn seen(entries: &[HistoryEntry]) -> Vec<(u32, Option<String>, &str)> {
    entries.iter().map(|e| (e.line, e.time.map(|t| t.to_string()), e.text.as_str())).collect()
}

fn markdown(text: &str) -> Vec<HistoryEntry> {
    from_markdown("memory/HISTORY.md", text)
}

#[test]
fn entries_are_parted_by_empty_lines_and_by_dates() {
    let text = "# History\n\n[2026-03-01 10:00] a\nmore of a\n[2026-03-02] b\n\n\nno date\n\n[2026-13-01 10:00] c\n";
    let found = markdown(text);
    let time = |text: &str| Some(text.to_owned());
    let wanted = [
        (1, None, "# History"),
        (3, time("2026-03-01T10:00:00"), "[2026-03-01 10:00] a\nmore of a"),
        (5, time("2026-03-02T00:00:00"), "[2026-03-02] b"),
        (8, None, "no date"),
        (10, None, "[2026-13-01 10:00] c"),
    ];
    assert_eq!(seen(&found), wanted);
}

#[test]
fn an_archive_of_messages_is_one_entry() {
    let raw = "[2026-03-01 10:00] [RAW] 2 messages\n[2026-03-01 09:58] USER: hi\n[2026-03-01 09:59] ASSISTANT [tools: a]: yes";
    let text = format!("{raw}\n\nstill of it\n[2026-03-02 10:00] next\n\nafter\n");
    let found = markdown(&text);
    let texts: Vec<&str> = found.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(texts, [&format!("{raw}\nstill of it"), "[2026-03-02 10:00] next", "after"]);
}

#[test]
fn lines_that_nanobot_would_pass_over_are_passed_over() {
    let good = r#"{"cursor":1,"timestamp":"2026-03-01 10:00","content":"a\nb","session_key":"x"}"#;
    let bad = [
        "not json",
        "[1]",
        r#"{"content":"no cursor"}"#,
        r#"{"cursor":true,"content":"x"}"#,
        r#"{"cursor":-1,"content":"x"}"#,
        r#"{"cursor":"1","content":"x"}"#,
        r#"{"cursor":1.0,"content":"x"}"#,
        r#"{"cursor":1,"content":7}"#,
        r#"{"cursor":1}"#,
        "",
    ];
    let text =
        format!("{}\n{good}\n{}", bad.join("\n"), r#"{"cursor":0,"timestamp":5,"content":"c"}"#);
    let found = from_jsonl("memory/history.jsonl", &text);
    let wanted = [(11, Some("2026-03-01T10:00:00".to_owned()), "a\nb"), (12, None, "c")];
    assert_eq!(seen(&found), wanted);
}

fn memory() -> (TempDir, Memory) {
    let dir = TempDir::new().unwrap();
    let memory = Memory::open(dir.path()).unwrap().0;
    (dir, memory)
}

#[test]
fn an_entry_is_added_behind_an_empty_line_whatever_stood_there() {
    let (dir, memory) = memory();
    let path = dir.path().join("memory/HISTORY.md");
    memory.append_history("[2026-03-01 10:00] a \n\n").unwrap();
    memory.append_history("[2026-03-01 11:00] b").unwrap();
    let wanted = "[2026-03-01 10:00] a\n\n[2026-03-01 11:00] b\n\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), wanted);
    for (before, gap) in [("", ""), ("\n", ""), ("x", "\n\n"), ("x\n", "\n"), ("x\n\n", "")] {
        std::fs::write(&path, before).unwrap();
        memory.append_history("a").unwrap();
        let wanted = format!("{before}{gap}a\n\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), wanted, "{before:?}");
    }
}

#[test]
fn both_histories_are_read_in_the_order_of_time_and_searched() {
    let (dir, memory) = memory();
    std::fs::create_dir_all(dir.path().join("memory")).unwrap();
    let jsonl = "{\"cursor\":1,\"timestamp\":\"2026-02-01 10:00\",\"content\":\"Old Tea\"}\n\
                 {\"cursor\":2,\"timestamp\":\"2026-04-01 10:00\",\"content\":\"late\"}\n";
    std::fs::write(dir.path().join("memory/history.jsonl"), jsonl).unwrap();
    memory.append_history("[2026-03-01 10:00] tea again").unwrap();
    memory.append_history("no time").unwrap();
    let (entries, problems) = memory.history();
    let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(texts, ["Old Tea", "[2026-03-01 10:00] tea again", "no time", "late"]);
    assert_eq!(problems, []);
    let found: Vec<&str> =
        search(&entries, "TEA").iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(found, ["Old Tea", "[2026-03-01 10:00] tea again"]);
    assert_eq!(search(&entries, "coffee"), Vec::<&HistoryEntry>::new());
}

#[test]
fn zeros_that_a_power_loss_left_are_cut_off_before_the_next_entry() {
    let (dir, memory) = memory();
    memory.append_history("a").unwrap();
    let path = dir.path().join("memory/HISTORY.md");
    for (zeros, wanted) in
        [(1, "a\n\nb\n\n"), (4096, "a\n\nb\n\nb\n\n"), (9000, "a\n\nb\n\nb\n\nb\n\n")]
    {
        let before = std::fs::read(&path).unwrap();
        std::fs::write(&path, [before, vec![0; zeros]].concat()).unwrap();
        memory.append_history("b").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), wanted);
    }
    std::fs::write(&path, [0; 5000]).unwrap();
    memory.append_history("c").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "c\n\n");
}

#[test]
fn notes_of_a_day_grow_line_by_line() {
    let (dir, memory) = memory();
    let day = jiff::civil::date(2026, 3, 1);
    memory.append_daily(day, "- one\n").unwrap();
    let path = dir.path().join("memory/2026-03-01.md");
    std::fs::write(&path, "- one\n- by hand").unwrap();
    memory.append_daily(day, "- two").unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "- one\n- by hand\n- two\n");
}

#[test]
fn a_history_that_lies_elsewhere_is_not_written_to() {
    let (dir, memory) = memory();
    let elsewhere = TempDir::new().unwrap();
    let target = elsewhere.path().join("x");
    std::fs::write(&target, "theirs").unwrap();
    std::fs::create_dir(dir.path().join("memory")).unwrap();
    std::os::unix::fs::symlink(&target, dir.path().join("memory/HISTORY.md")).unwrap();
    let error = memory.append_history("a").unwrap_err();
    assert!(matches!(error, MemoryError::Outside { .. }), "{error}");
    assert_eq!(std::fs::read_to_string(target).unwrap(), "theirs");
    assert_eq!(memory.history().1.len(), 1);
}

proptest! {
    #[test]
    fn any_text_is_read_and_no_line_of_it_is_lost(text in "(\\[2026-03-01 10:00\\] |[a-z\\[\\] ]{0,4}|\n|\\[RAW\\]|USER: ){0,30}") {
        let entries = markdown(&text);
        let found: Vec<&str> = entries.iter().flat_map(|entry| entry.text.lines()).collect();
        let wanted: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        prop_assert_eq!(found, wanted);
        prop_assert_eq!(from_jsonl("x", &text), vec![]);
    }
}
