//! Writes a file whole. MEMORY.md becomes a new version of memory.

use louver_context::snapshot::ToolSchema;
use louver_store::disk::{MAX_FILE, Spot};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::disk::{on_disk, shown, spot, unreadable, unwritable};
use super::line_ends::LineEnds;
use super::memory_file;
use super::{Desk, Output, Running, Tool, schema};

/// Writes a file whole.
#[derive(Debug, Default)]
pub struct WriteFile;

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    path: String,
    text: String,
}

impl Tool for WriteFile {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>("write_file", "Write a whole file, making its folders.")
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        on_disk(given, desk, write)
    }
}

fn write(given: &Arguments, desk: &Desk) -> Output {
    let spot = match spot(&desk.folder, &given.path) {
        Ok(spot) => spot,
        Err(refused) => return refused,
    };
    if spot.is_memory() {
        return memory_file::replace(&given.text, desk);
    }
    let ends = match line_ends(&spot) {
        Ok(ends) => ends,
        Err(refused) => return refused,
    };
    let text = ends.applied(&given.text);
    match spot.write(text.as_bytes(), None) {
        Ok(wrote) => {
            let how = if wrote.new { "a new file" } else { "in place of what was there" };
            Output::said(format!("wrote {} bytes to {}, {how}", text.len(), shown(spot.path())))
        }
        Err(error) => unwritable(&error),
    }
}

/// The line ends of the file that is there; a new one gets those of the text.
fn line_ends(spot: &Spot<'_>) -> Result<LineEnds, Output> {
    match spot.read_bytes(MAX_FILE) {
        Ok((bytes, ..)) => Ok(LineEnds::of(&String::from_utf8_lossy(&bytes))),
        Err(error) if error.is_missing() => Ok(LineEnds::AsGiven),
        // Whether it may be written, and why not, is for the write to say.
        Err(louver_store::ReadError::NotAFile { .. } | louver_store::ReadError::Denied { .. }) => {
            Ok(LineEnds::AsGiven)
        }
        Err(error) => Err(unreadable(&error)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use louver_store::memory::{Memory, Who};
    use serde_json::json;

    use super::super::testing::{Bench, said};
    use super::*;

    #[test]
    fn a_file_is_written_with_its_folders() {
        let bench = Bench::new();
        let write = |text: &str| said(&bench, &WriteFile, json!({"path": "a/b.md", "text": text}));
        assert_eq!(write("one\n"), "wrote 4 bytes to a/b.md, a new file");
        assert_eq!(write("three\n"), "wrote 6 bytes to a/b.md, in place of what was there");
        assert_eq!(fs::read_to_string(bench.path("a/b.md")).unwrap(), "three\n");
    }

    #[test]
    fn the_line_ends_of_the_file_are_kept() {
        let bench = Bench::new();
        fs::write(bench.path("dos"), "a\r\nb\r\n").unwrap();
        bench.run(&WriteFile, json!({"path": "dos", "text": "c\nd\r\n"}));
        assert_eq!(fs::read_to_string(bench.path("dos")).unwrap(), "c\r\nd\r\n");
        bench.run(&WriteFile, json!({"path": "new", "text": "c\r\nd\n"}));
        assert_eq!(fs::read_to_string(bench.path("new")).unwrap(), "c\r\nd\n");
    }

    #[test]
    fn memory_is_written_as_a_version() {
        let bench = Bench::new();
        let write = |text: &str| {
            said(&bench, &WriteFile, json!({"path": "memory/MEMORY.md", "text": text}))
        };
        assert_eq!(write("- likes tea\n"), "memory is now version 1, 12 bytes");
        assert_eq!(write("- likes tea\n"), "memory holds this already");
        assert_eq!(write("- likes coffee\n"), "memory is now version 2, 15 bytes");
        let (memory, _) = Memory::open(bench.path(".")).unwrap();
        let log = memory.log().unwrap();
        assert_eq!(log.iter().map(|version| version.who).collect::<Vec<_>>(), [Who::Agent; 2]);
        assert_eq!(log[1].from.as_ref().unwrap().session, "test:1");
    }

    #[test]
    fn what_is_louvers_own_is_refused() {
        let bench = Bench::new();
        let write = |path: &str| said(&bench, &WriteFile, json!({"path": path, "text": "x"}));
        let wanted =
            "louver.toml: it is louver's own and not written by tools; only its owner changes it";
        assert_eq!(write("louver.toml"), wanted);
        assert!(write(".louver/sessions/x/log.jsonl").contains("louver's own"));
        assert!(!bench.path(".louver").exists());
    }
}
