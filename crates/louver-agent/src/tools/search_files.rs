//! Searches the text of files, or their names, beneath a folder.
//!
//! Nothing is followed: each folder and file is opened in the one before it, links are passed by. What
//! one search may read, find and take is bounded, and a pattern is only ever matched on a stretch of
//! a line, so that no pattern can make it hang.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use louver_context::snapshot::ToolSchema;
use louver_store::disk::{Inside, Kind, Spot, as_text};
use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::disk::{MOST, SKIPPED, count, missing, shown, spot, unreadable, waiting};
use super::glob::Glob;
use super::{Desk, Output, Running, Tool, arguments, schema};

/// The most results of one search.
const RESULTS: usize = 200;
/// The most that is read of all files together, and of one.
const ALL_BYTES: u64 = 512 * 1024 * 1024;
const ONE_FILE: u64 = 8 * 1024 * 1024;
/// The most names that are looked at, and how deep.
const NAMES: usize = 200_000;
const DEEPEST: usize = 40;
/// How long it may take.
const TIME: Duration = Duration::from_secs(10);
/// A line is searched in stretches of so many bytes, which overlap by a quarter.
const STRETCH: usize = 8 * 1024;
/// How much of a line is shown.
const SHOWN: usize = 240;

/// Searches the text of files, or their names.
#[derive(Debug, Default)]
pub struct SearchFiles;

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// Regex
    pattern: String,
    path: Option<String>,
    /// Only files like `*.md`
    glob: Option<String>,
    /// Match paths, not text
    names: Option<bool>,
}

impl Tool for SearchFiles {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>("search_files", "Search the text of files, or their names.")
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            let given = match arguments::<Arguments>(given) {
                Ok(given) => given,
                Err(wrong) => return wrong,
            };
            let wanted = Wanted::default();
            let (desk, stop) = (desk.clone(), wanted.0.clone());
            waiting(move || search(&given, &desk, stop)).await
        })
    }
}

/// Whether anybody still waits for the answer. Dropping it says that nobody does.
#[derive(Debug, Default)]
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn search(given: &Arguments, desk: &Desk, stop: Arc<AtomicBool>) -> Output {
    let mut search = match Search::new(given, stop) {
        Ok(search) => search,
        Err(wrong) => return wrong,
    };
    let path = given.path.as_deref().unwrap_or(".");
    let spot = match spot(&desk.folder, path) {
        Ok(spot) => spot,
        Err(refused) => return refused,
    };
    match spot.kind() {
        Ok(Kind::Folder) => match spot.enter() {
            Ok(inside) => search.folder(&inside, &prefix(path), 0),
            Err(error) => return unreadable(&error),
        },
        Ok(Kind::File) => search.alone(&spot),
        Ok(kind) => return Output::failed(format!("{}: it is {kind}", shown(path))),
        Err(error) if error.is_missing() => return missing(&spot),
        Err(error) => return unreadable(&error),
    }
    search.told(path)
}

/// What names beneath a path begin with, so that each can be given to read_file as it is.
fn prefix(path: &str) -> String {
    match path.trim_end_matches('/') {
        "." | "./" => String::new(),
        "" => "/".into(),
        path => format!("{path}/"),
    }
}

/// A search under way.
struct Search {
    pattern: Regex,
    glob: Option<Glob>,
    names: bool,
    until: Instant,
    stop: Arc<AtomicBool>,
    found: String,
    results: usize,
    files: usize,
    looked_at: usize,
    bytes: u64,
    /// The first file of which only the beginning was searched, and how many there are.
    partly: Option<String>,
    others_partly: usize,
    /// Why it ended early.
    ended: Option<&'static str>,
}

impl Search {
    fn new(given: &Arguments, stop: Arc<AtomicBool>) -> Result<Search, Output> {
        let pattern = RegexBuilder::new(&given.pattern)
            .size_limit(1 << 18)
            .dfa_size_limit(1 << 20)
            .nest_limit(60)
            .build();
        let pattern = pattern.map_err(|error| {
            let error = error.to_string();
            let why = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
            Output::failed(format!("the pattern is not one: {}", shown(why)))
        })?;
        let glob = match &given.glob {
            Some(glob) => Some(Glob::new(glob).ok_or_else(|| {
                Output::failed(format!("the glob {} is not one; try `*.md`", shown(glob)))
            })?),
            None => None,
        };
        Ok(Search {
            pattern,
            glob,
            names: given.names.unwrap_or(false),
            until: Instant::now() + TIME,
            stop,
            found: String::new(),
            results: 0,
            files: 0,
            looked_at: 0,
            bytes: 0,
            partly: None,
            others_partly: 0,
            ended: None,
        })
    }

    fn told(self, path: &str) -> Output {
        let what = if self.names { "name" } else { "line" };
        let files =
            if self.names { count(self.looked_at, "name") } else { count(self.files, "file") };
        let mut words = match self.results {
            0 => format!("nothing found in {} ({files} searched)", shown(path)),
            n => format!("{} found in {} ({files} searched)", count(n, what), shown(path)),
        };
        if let Some(partly) = &self.partly {
            let others = match self.others_partly {
                0 => String::new(),
                n => format!(" and {}", count(n, "other")),
            };
            words += &format!(
                "; of {partly}{others} only the first {} MiB: exec can search the rest",
                ONE_FILE >> 20
            );
        }
        if let Some(why) = self.ended {
            words += &format!("; {why}: narrow it by path, glob or pattern");
        }
        let output = Output::said(words);
        if self.found.is_empty() { output } else { output.with(self.found) }
    }

    fn goes_on(&mut self) -> bool {
        if self.ended.is_none() {
            self.ended = match () {
                () if self.results >= RESULTS || self.found.len() > MOST - 2 * SHOWN => {
                    Some("there may be more")
                }
                () if self.bytes > ALL_BYTES || self.looked_at > NAMES => {
                    Some("there is too much to search it all")
                }
                () if self.stop.load(Ordering::Relaxed) || Instant::now() > self.until => {
                    Some("it took too long to search it all")
                }
                () => None,
            };
        }
        self.ended.is_none()
    }

    fn folder(&mut self, inside: &Inside, prefix: &str, depth: usize) {
        let Ok(listing) = inside.list() else { return };
        for entry in listing.entries {
            if !self.goes_on() {
                return;
            }
            self.looked_at += 1;
            let path = format!("{prefix}{}", entry.name);
            let kind = match entry.kind {
                Kind::Unknown => inside.look(&entry.name).map_or(Kind::Unknown, |(kind, _)| kind),
                kind => kind,
            };
            let skipped = SKIPPED.contains(&entry.name.as_str());
            if kind == Kind::Folder && !skipped {
                self.name(&path, "/");
                if depth < DEEPEST
                    && let Ok(inner) = inside.enter(&entry.name)
                {
                    self.folder(&inner, &format!("{path}/"), depth + 1);
                }
            } else if kind == Kind::File && self.name(&path, "") {
                self.file(inside, &entry.name, &path);
            }
        }
    }

    /// Notes a name if names are searched. Whether the text of the file is.
    fn name(&mut self, path: &str, slash: &str) -> bool {
        if self.glob.as_ref().is_some_and(|glob| !glob.matches(path)) {
            return false;
        }
        if self.names && stretches(path).any(|(_, part)| self.pattern.is_match(part)) {
            self.result(&format!("{}{slash}", shown(path)));
        }
        !self.names
    }

    fn file(&mut self, inside: &Inside, name: &str, path: &str) {
        let Ok(opened) = inside.open_file(name) else { return };
        let mut bytes = Vec::new();
        if opened.file.take(ONE_FILE).read_to_end(&mut bytes).is_ok() {
            self.text(bytes, path, opened.stamp.size);
        }
    }

    /// A search of one file, which may be reached through a link that leads inside.
    fn alone(&mut self, spot: &Spot<'_>) {
        self.looked_at += 1;
        if !self.name(spot.path(), "") {
            return;
        }
        if let Ok((bytes, stamp, _)) = spot.read_bytes(ONE_FILE) {
            self.text(bytes, spot.path(), stamp.size);
        }
    }

    fn text(&mut self, bytes: Vec<u8>, path: &str, size: u64) {
        self.bytes += bytes.len() as u64;
        let wide = matches!(bytes.as_slice(), [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
        if !wide && bytes.iter().take(8192).any(|byte| *byte == 0) {
            return;
        }
        self.files += 1;
        if size > ONE_FILE {
            match self.partly {
                None => self.partly = Some(shown(path)),
                Some(_) => self.others_partly += 1,
            }
        }
        let (text, _) = as_text(bytes, (size > ONE_FILE).then_some(size));
        for (at, line) in text.lines().enumerate() {
            for (offset, part) in stretches(line) {
                // One stretch takes microseconds, and with a bad pattern many milliseconds.
                if (at % 64 == 0 || offset > 0) && !self.goes_on() {
                    return;
                }
                if let Some(found) = self.pattern.find(part) {
                    let around = excerpt(line, offset + found.start());
                    self.result(&format!("{}:{}: {around}", shown(path), at + 1));
                    if !self.goes_on() {
                        return;
                    }
                    break;
                }
            }
        }
    }

    fn result(&mut self, line: &str) {
        self.found += line;
        self.found.push('\n');
        self.results += 1;
    }
}

/// The stretches of a line that a pattern is matched on, with where they begin.
fn stretches(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let from = next?;
        let to = line.floor_char_boundary(from + STRETCH);
        next = (to < line.len()).then(|| line.floor_char_boundary(to - STRETCH / 4));
        Some((from, &line[from..to]))
    })
}

/// The part of a line around a match.
fn excerpt(line: &str, at: usize) -> String {
    if line.len() <= SHOWN {
        return line.to_owned();
    }
    let from = line.floor_char_boundary(at.saturating_sub(SHOWN / 4));
    let to = line.floor_char_boundary(from + SHOWN);
    let before = if from > 0 { "…" } else { "" };
    let after = if to < line.len() { "…" } else { "" };
    format!("{before}{}{after}", &line[from..to])
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use serde_json::json;

    use super::super::testing::{Bench, said};
    use super::*;

    fn bench() -> Bench {
        let bench = Bench::new();
        for folder in ["src/deep", ".git", "node_modules/x"] {
            fs::create_dir_all(bench.path(folder)).unwrap();
        }
        fs::write(bench.path("src/a.rs"), "one\ntwo needle\n").unwrap();
        fs::write(bench.path("src/deep/b.md"), "needle here\r\nand NEEDLE there\n").unwrap();
        fs::write(bench.path(".git/c"), "needle").unwrap();
        fs::write(bench.path("node_modules/x/d"), "needle").unwrap();
        fs::write(bench.path("binary"), b"needle\0").unwrap();
        bench
    }

    #[test]
    fn text_is_found_with_its_lines() {
        let bench = bench();
        let output = bench.run(&SearchFiles, json!({"pattern": "needle"}));
        let found = "src/a.rs:2: two needle\nsrc/deep/b.md:1: needle here\n";
        assert_eq!(output, Output::said("2 lines found in . (2 files searched)").with(found));
        let output = bench
            .run(&SearchFiles, json!({"pattern": "(?i)needle$", "path": "src", "glob": "*.rs"}));
        assert_eq!(output.data.unwrap(), "src/a.rs:2: two needle\n");
        let output = bench.run(&SearchFiles, json!({"pattern": "NEEDLE", "path": "src/deep/b.md"}));
        assert_eq!(output.data.unwrap(), "src/deep/b.md:2: and NEEDLE there\n");
        let output = bench.run(&SearchFiles, json!({"pattern": "nothing"}));
        assert_eq!(output, Output::said("nothing found in . (2 files searched)"));
    }

    #[test]
    fn names_are_found() {
        let bench = bench();
        let output = bench.run(&SearchFiles, json!({"pattern": "deep", "names": true}));
        assert_eq!(output.data.unwrap(), "src/deep/\nsrc/deep/b.md\n");
        let output = bench.run(&SearchFiles, json!({"pattern": "", "names": true, "glob": "*.md"}));
        assert_eq!(output.data.unwrap(), "src/deep/b.md\n");
    }

    #[test]
    fn a_search_is_bounded_and_says_so() {
        let bench = bench();
        fs::write(bench.path("many"), "x\n".repeat(1_000)).unwrap();
        let output = bench.run(&SearchFiles, json!({"pattern": "x*"}));
        assert!(output.words.ends_with("there may be more: narrow it by path, glob or pattern"));
        assert_eq!(output.data.unwrap().lines().count(), RESULTS);
    }

    #[test]
    fn a_file_that_is_searched_in_part_is_named() {
        let bench = Bench::new();
        let large = "row\n".repeat((ONE_FILE as usize) / 4 + 1) + "needle\n";
        let partly = |files: &str| {
            let words = said(&bench, &SearchFiles, json!({"pattern": "needle"}));
            let all = "only the first 8 MiB: exec can search the rest";
            assert_eq!(words, format!("nothing found in . ({files} {all}"));
        };
        fs::write(bench.path("a.csv"), &large).unwrap();
        partly("1 file searched); of a.csv");
        fs::write(bench.path("b.csv"), &large).unwrap();
        partly("2 files searched); of a.csv and 1 other");
    }

    #[test]
    fn a_hostile_pattern_is_refused_or_ends() {
        let bench = bench();
        fs::write(bench.path("a"), "a".repeat(200_000)).unwrap();
        let refused = bench.run(&SearchFiles, json!({"pattern": "(((a{100}){100}){100}){100}"}));
        assert!(refused.words.starts_with("the pattern is not one"), "{}", refused.words);
        let refused = bench.run(&SearchFiles, json!({"pattern": "("}));
        assert_eq!(refused.words, "the pattern is not one: unclosed group");
        for pattern in ["(a*)*b", "(a|aa)+$b", "(x+x+)+y", "[ab]*a[ab]{200}c"] {
            assert!(!bench.run(&SearchFiles, json!({"pattern": pattern})).failed, "{pattern}");
        }
    }

    #[test]
    fn a_match_far_along_a_line_is_found_and_shown_in_part() {
        let bench = Bench::new();
        let line = format!("{}needle{}", "中".repeat(40_000), "x".repeat(50_000));
        fs::write(bench.path("a"), line).unwrap();
        let output = bench.run(&SearchFiles, json!({"pattern": "needle"}));
        let found = output.data.unwrap();
        assert!(found.starts_with("a:1: …中") && found.contains("needle") && found.len() < 300);
    }

    #[test]
    fn links_are_passed_by() {
        let (bench, other) = (bench(), tempfile::TempDir::new().unwrap());
        fs::write(other.path().join("x"), "needle outside").unwrap();
        symlink(other.path(), bench.path("out")).unwrap();
        symlink(other.path().join("x"), bench.path("file")).unwrap();
        let output = bench.run(&SearchFiles, json!({"pattern": "outside"}));
        assert_eq!(output.data, None);
        assert!(bench.run(&SearchFiles, json!({"pattern": "x", "path": "out"})).failed);
    }
}
