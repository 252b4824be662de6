//! Replaces a stretch of a file, exactly.

use louver_context::snapshot::ToolSchema;
use louver_store::disk::MAX_FILE;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::disk::{count, missing, on_disk, shown, spot, unreadable, unwritable};
use super::line_ends::LineEnds;
use super::memory_file;
use super::{Desk, Output, Running, Tool, schema};

/// Replaces a stretch of a file, exactly.
#[derive(Debug, Default)]
pub struct EditFile;

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    path: String,
    /// Exact text, unique in the file
    old: String,
    new: String,
    /// Replace every occurrence
    all: Option<bool>,
}

impl Tool for EditFile {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>("edit_file", "Replace text in a file.")
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        on_disk(given, desk, edit)
    }
}

fn edit(given: &Arguments, desk: &Desk) -> Output {
    let path = shown(&given.path);
    let spot = match spot(&desk.folder, &given.path) {
        Ok(spot) => spot,
        Err(refused) => return refused,
    };
    if spot.is_memory() {
        return memory_file::change(desk, |text| replaced(text, given).map(|(new, _)| new));
    }
    let (bytes, stamp, cut) = match spot.read_bytes(MAX_FILE) {
        Ok(read) => read,
        Err(error) if error.is_missing() => return missing(&spot),
        Err(error) => return unreadable(&error),
    };
    if let Some(size) = cut {
        let words = format!("{path} has {size} bytes, more than the {MAX_FILE} that can be edited");
        return Output::failed(words);
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Output::failed(format!("{path} is not UTF-8 throughout, so it cannot be edited"));
    };
    let (new, lines) = match replaced(&text, given) {
        Ok(replaced) => replaced,
        Err(refused) => return refused,
    };
    match spot.write(new.as_bytes(), Some(stamp)) {
        Ok(_) => Output::said(format!("edited {path} {}", on(&lines))),
        Err(error) => unwritable(&error),
    }
}

/// The text after the edit, and the lines it happened on.
fn replaced(text: &str, given: &Arguments) -> Result<(String, Vec<usize>), Output> {
    let path = shown(&given.path);
    if given.old.is_empty() {
        return Err(Output::failed("`old` is empty; write_file writes a whole file"));
    }
    if given.old == given.new {
        return Err(Output::failed("`old` and `new` are the same; nothing would change"));
    }
    let ends = LineEnds::of(text);
    // The file's line ends first; in one with both, the others may be meant.
    let spellings = [ends, LineEnds::Unix, LineEnds::Dos].map(|ends| ends.applied(&given.old));
    let Some(old) = spellings.iter().find(|old| text.contains(old.as_str())) else {
        return Err(nearest(text, given));
    };
    let places: Vec<usize> = text.match_indices(old.as_str()).map(|(at, _)| at).collect();
    let lines = lines_of(text, &places);
    if places.len() > 1 && given.all != Some(true) {
        let (times, on) = (count(places.len(), "time"), on(&lines));
        return Err(Output::failed(format!(
            "`old` is in {path} {times}, {on}; give more of the text around it, or all=true"
        )));
    }
    Ok((text.replace(old.as_str(), &ends.applied(&given.new)), lines))
}

/// The numbers of the lines that these places are on.
fn lines_of(text: &str, places: &[usize]) -> Vec<usize> {
    let (mut line, mut seen) = (1, 0);
    let mut number = |at: usize| {
        line += text[seen..at].matches('\n').count();
        seen = at;
        line
    };
    places.iter().map(|at| number(*at)).collect()
}

fn on(lines: &[usize]) -> String {
    let mut lines = lines.to_vec();
    lines.dedup();
    let told: Vec<String> = lines.iter().take(20).map(ToString::to_string).collect();
    let more = if lines.len() > 20 { " and others" } else { "" };
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("on {word} {}{more}", told.join(", "))
}

/// So many lines are compared to find what was meant, and so much of each.
const COMPARED: (usize, usize) = (20_000, 300);

/// That the text is not there, and what is most like it.
fn nearest(text: &str, given: &Arguments) -> Output {
    let path = shown(&given.path);
    let old: Vec<&str> = given.old.lines().filter(|line| !line.trim().is_empty()).collect();
    let Some(first) = old.first() else {
        return Output::failed(format!("`old` is not in {path}: it is only white space"));
    };
    let lines: Vec<&str> = text.lines().take(COMPARED.0).collect();
    let squeezed = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = squeezed(first);
    let mut with_words = lines.iter().enumerate().filter(|(_, line)| squeezed(line) == wanted);
    if let Some((at, line)) = with_words.next() {
        let why = match *line == *first {
            true => "begins there but goes on otherwise",
            false => "is there with other white space",
        };
        let words =
            format!("`old` is not in {path}, but its first line {why}, on line {}:", at + 1);
        return Output::failed(words).with(around(&lines, at, old.len()));
    }
    let likeness = |line: &str| {
        let cut = |text: &str| text.chars().take(COMPARED.1).collect::<String>();
        strsim::normalized_levenshtein(&cut(line.trim()), &cut(first.trim()))
    };
    let likeliest = lines.iter().map(|line| likeness(line)).enumerate();
    let likeliest = likeliest.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    match likeliest {
        Some((at, like)) if like > 0.5 => {
            let words =
                format!("`old` is not in {path}; most like its first line is line {}:", at + 1);
            Output::failed(words).with(around(&lines, at, old.len()))
        }
        _ => Output::failed(format!("`old` is not in {path}, nor anything like it; read it first")),
    }
}

/// As many lines as were looked for, a few at most.
fn around(lines: &[&str], at: usize, many: usize) -> String {
    let cut = |line: &&str| line.chars().take(COMPARED.1).collect::<String>();
    lines[at..].iter().take(many.min(10)).map(cut).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::super::testing::Bench;
    use super::*;

    fn edit(file: &str, old: &str, new: &str, all: bool) -> (Output, String) {
        let bench = Bench::new();
        fs::write(bench.path("a.rs"), file).unwrap();
        let arguments = json!({"path": "a.rs", "old": old, "new": new, "all": all});
        let output = bench.run(&EditFile, arguments);
        (output, fs::read_to_string(bench.path("a.rs")).unwrap())
    }

    #[test]
    fn one_place_is_replaced() {
        let (output, file) = edit("a\nb\nc\n", "b\n", "x\ny\n", false);
        assert_eq!(
            (output.words.as_str(), file.as_str()),
            ("edited a.rs on line 2", "a\nx\ny\nc\n")
        );
    }

    #[test]
    fn several_places_are_told_or_all_replaced() {
        let (output, file) = edit("b\na b\n\nb\n", "b", "x", false);
        let wanted = "`old` is in a.rs 3 times, on lines 1, 2, 4; give more of the text around it, or all=true";
        assert_eq!((output.words.as_str(), file.as_str()), (wanted, "b\na b\n\nb\n"));
        assert!(output.failed);
        let (output, file) = edit("b\na b\n\nb\n", "b", "x", true);
        assert_eq!(
            (output.words.as_str(), file.as_str()),
            ("edited a.rs on lines 1, 2, 4", "x\na x\n\nx\n")
        );
    }

    #[test]
    fn line_ends_are_the_files_own() {
        let (output, file) = edit("\u{FEFF}a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", false);
        assert!(!output.failed, "{}", output.words);
        assert_eq!(file, "\u{FEFF}x\r\ny\r\nz\r\nc\r\n");
        let (output, file) = edit("a\r\nb\nc\n", "a\nb", "x", false);
        assert!(!output.failed, "{}", output.words);
        assert_eq!(file, "x\nc\n");
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is_nearest() {
        let file = "fn main() {\n\tlet a = 1;\n}\n";
        let (output, same) = edit(file, "    let a = 1;", "x", false);
        let wanted =
            "`old` is not in a.rs, but its first line is there with other white space, on line 2:";
        assert_eq!(output, Output::failed(wanted).with("\tlet a = 1;"));
        assert_eq!(same, file);
        let (output, _) = edit(file, "let b = 1;", "x", false);
        let wanted = "`old` is not in a.rs; most like its first line is line 2:";
        assert_eq!(output, Output::failed(wanted).with("\tlet a = 1;"));
        let (output, _) = edit(file, "something else entirely", "x", false);
        assert_eq!(output.words, "`old` is not in a.rs, nor anything like it; read it first");
        let (output, _) = edit(file, "", "x", false);
        assert_eq!(output.words, "`old` is empty; write_file writes a whole file");
    }

    #[test]
    fn memory_is_edited_as_a_version() {
        let bench = Bench::new();
        fs::create_dir(bench.path("memory")).unwrap();
        fs::write(bench.path("memory/MEMORY.md"), "- tea\n- cats\n").unwrap();
        let arguments = json!({"path": "memory/MEMORY.md", "old": "tea", "new": "coffee"});
        let output = bench.run(&EditFile, arguments);
        assert_eq!(output.words, "memory is now version 2, 16 bytes");
        assert_eq!(
            fs::read_to_string(bench.path("memory/MEMORY.md")).unwrap(),
            "- coffee\n- cats\n"
        );
    }
}
