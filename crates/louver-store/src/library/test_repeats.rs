//! What a diary says every day.

use std::fs;

use tempfile::TempDir;

use super::tests::{library, words};
use super::{Asking, WhyOut};

#[test]
fn what_a_diary_says_every_day_is_given_once_and_as_of_the_last() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    for day in 1..=14 {
        let text = format!("# Day {day}\n\n- Watered roses\n- Walked {day} miles\n");
        fs::write(dir.path().join(format!("memory/2026-03-{day:02}.md")), text).unwrap();
    }
    let asking = Asking::new("roses watered", "cli:x", 2048);
    let recalled = library(dir.path()).recall(&asking, &words).unwrap();
    let watered: Vec<&str> = recalled
        .taken
        .iter()
        .filter(|taken| taken.text.contains("Watered"))
        .map(|taken| taken.place.as_str())
        .collect();
    let [last] = watered[..] else { panic!("{watered:?}") };
    assert!(last.starts_with("memory/2026-03-14.md"), "{last}");
    let same = recalled.left.iter().filter(|left| left.why == WhyOut::Same(last.to_owned()));
    assert_eq!(same.count(), 13);
}
