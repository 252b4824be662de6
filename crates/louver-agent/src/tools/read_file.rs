//! Reads a file, page by page: in the workspace, a built-in skill, or a long result that was kept.

use louver_context::Picture;
use louver_context::snapshot::ToolSchema;
use louver_store::builder::BUILT_IN;
use louver_store::disk::as_text;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::disk::{MOST, missing, on_disk, shown, spot, unreadable};
use super::{Desk, Output, Running, Tool, schema};

/// So much of a file can be paged through. Of a longer one, programs can show parts.
const IN_REACH: u64 = 16 * 1024 * 1024;

/// Reads a file, page by page.
#[derive(Debug, Default)]
pub struct ReadFile;

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    path: String,
    /// First line, from 1
    from_line: Option<usize>,
    /// How many
    lines: Option<usize>,
}

impl Tool for ReadFile {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>("read_file", "Read a text file, a `louver:` path or a kept result.")
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        on_disk(given, desk, read)
    }
}

/// The first page of something that was kept, which says how the next one is read.
pub(super) fn first_page(name: &str, text: &str) -> Output {
    let given = Arguments { path: name.to_owned(), from_line: None, lines: None };
    let output = page(&given, text, None);
    Output { words: format!("read_file shows {}", output.words), ..output }
}

fn read(given: &Arguments, desk: &Desk) -> Output {
    let path = given.path.as_str();
    if let Some(skill) = path.strip_prefix("louver:") {
        return built_in(skill).map_or_else(|| no_skill(path), |text| page(given, text, None));
    }
    if is_handle(path)
        && let Some(kept) = (desk.kept)(path)
    {
        return page(given, &kept, None);
    }
    let spot = match spot(&desk.folder, path) {
        Ok(spot) => spot,
        Err(refused) => return refused,
    };
    let (bytes, _, cut) = match spot.read_bytes(IN_REACH) {
        Ok(read) => read,
        // What a call returned has its id.
        Err(error) if error.is_missing() => {
            return (desk.kept)(path)
                .map_or_else(|| missing(&spot), |kept| page(given, &kept, None));
        }
        Err(error) => return unreadable(&error),
    };
    if let Some(what) = not_text(&bytes, cut) {
        return Output::said(format!("{}: {what}", shown(path)));
    }
    let (text, _) = as_text(bytes, cut);
    page(given, &text, cut)
}

/// The text of a skill that ships with louver, by the path that the list of skills tells.
fn built_in(path: &str) -> Option<&'static str> {
    let name = path.strip_prefix("skills/")?.strip_suffix("/SKILL.md")?;
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

fn no_skill(path: &str) -> Output {
    let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    let (path, names) = (shown(path), names.join(", "));
    Output::failed(format!(
        "there is no {path}; `louver:skills/NAME/SKILL.md` is, where NAME is one of {names}"
    ))
}

/// Whether it may be the handle of a long result: sixteen digits, and a number when two had the same.
fn is_handle(path: &str) -> bool {
    let (hash, number) = path.split_once('-').unwrap_or((path, "1"));
    let digits = |text: &str| text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    hash.len() == 16 && digits(hash) && number.bytes().all(|b| b.is_ascii_digit())
}

/// What a file is that cannot be shown as text.
fn not_text(bytes: &[u8], cut: Option<u64>) -> Option<String> {
    let size = cut.unwrap_or(bytes.len() as u64);
    if let Ok(picture) = Picture::from_bytes(bytes)
        && let (Some((kind, _)), Some((width, height))) = (picture.data(), picture.size)
    {
        return Some(format!("a picture ({kind}), {width} × {height}, {size} bytes"));
    }
    let kind = match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => return None,
        [0x89, b'P', b'N', b'G', ..] => "a damaged PNG picture",
        [0xFF, 0xD8, 0xFF, ..] => "a damaged JPEG picture",
        [0x7F, b'E', b'L', b'F', ..] => "a program",
        [b'%', b'P', b'D', b'F', ..] => "a PDF document",
        [b'P', b'K', 3, 4, ..] => "a ZIP archive, or a document that is one",
        [0x1F, 0x8B, ..] => "gzip-compressed data",
        bytes if bytes.iter().take(8192).any(|byte| *byte == 0) => "binary data",
        _ => return None,
    };
    Some(format!("{kind}, {size} bytes; it is not text"))
}

/// The lines that were asked for, as many as one result takes, and how to have the next.
fn page(given: &Arguments, text: &str, cut: Option<u64>) -> Output {
    let path = shown(&given.path);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (total, from) = (lines.len(), given.from_line.unwrap_or(1).max(1));
    if total == 0 {
        return Output::said(format!("{path} is empty"));
    }
    if from > total {
        return Output::failed(match cut {
            Some(size) => format!(
                "only the first {total} lines of {path} are in reach (it has {size} bytes); exec can \
                 show from_line={from}"
            ),
            None => format!("{path} has {total} lines; from_line={from} is past its end"),
        });
    }
    let wanted = lines[from - 1..].iter().take(given.lines.unwrap_or(usize::MAX).max(1));
    let mut shown = String::new();
    let mut to = from - 1;
    for line in wanted {
        if shown.len() + line.len() > MOST && !shown.is_empty() {
            break;
        }
        shown.push_str(line);
        to += 1;
    }
    let whole = shown.len();
    if whole > MOST {
        shown.truncate(shown.floor_char_boundary(MOST));
    }
    let of = match cut {
        Some(size) => format!("the first {total} (it has {size} bytes; exec can show later parts)"),
        None => total.to_string(),
    };
    let mut words = format!("{path}, lines {from}–{to} of {of}");
    if shown.len() < whole {
        let (kept, whole) = (shown.len(), whole);
        words += &format!("; this line has {whole} bytes, of which the first {kept} are shown");
    }
    if to < total {
        words += &format!("; read on with from_line={}", to + 1);
    }
    Output::said(words).with(shown)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::testing::{Bench, said};
    use super::*;

    #[test]
    fn a_file_is_read_page_by_page() {
        let bench = Bench::new();
        let text: String = (1..=3_000).map(|n| format!("line {n:04}\n")).collect();
        fs::write(bench.path("long.txt"), &text).unwrap();
        let (mut from, mut all) = (1, String::new());
        loop {
            let output =
                bench.run(&ReadFile, serde_json::json!({"path": "long.txt", "from_line": from}));
            all += output.data.as_deref().unwrap();
            assert!(output.data.unwrap().len() <= MOST);
            let Some((_, next)) = output.words.split_once("from_line=") else { break };
            from = next.parse().unwrap();
        }
        assert_eq!(all, text);
        let output = bench
            .run(&ReadFile, serde_json::json!({"path": "long.txt", "from_line": 5, "lines": 2}));
        let wanted = "long.txt, lines 5–6 of 3000; read on with from_line=7";
        assert_eq!(output, Output::said(wanted).with("line 0005\nline 0006\n"));
        let past = bench.run(&ReadFile, serde_json::json!({"path": "long.txt", "from_line": 9999}));
        assert_eq!(past.words, "long.txt has 3000 lines; from_line=9999 is past its end");
    }

    #[test]
    fn what_is_out_of_reach_is_not_said_to_be_missing() {
        let bench = Bench::new();
        let reach = IN_REACH as usize;
        fs::write(bench.path("a.csv"), "row\n".repeat(reach / 4 + 10)).unwrap();
        let at = |from: usize| serde_json::json!({"path": "a.csv", "from_line": from, "lines": 1});
        let past = said(&bench, &ReadFile, at(reach / 4 + 5));
        let wanted = "only the first 4194304 lines of a.csv are in reach (it has 16777256 bytes); exec \
                      can show from_line=4194309";
        assert_eq!(past, wanted);
        let first = said(&bench, &ReadFile, at(1));
        assert!(first.starts_with("a.csv, lines 1–1 of the first 4194304 (it has "), "{first}");
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_says_so() {
        let bench = Bench::new();
        fs::write(bench.path("a"), format!("{}\nnext\n", "中".repeat(10_000))).unwrap();
        let output = bench.run(&ReadFile, serde_json::json!({"path": "a"}));
        assert_eq!(output.data.unwrap(), "中".repeat(5_333));
        let wanted = "a, lines 1–1 of 2; this line has 30001 bytes, of which the first 15999 are \
                      shown; read on with from_line=2";
        assert_eq!(output.words, wanted);
    }

    #[test]
    fn a_missing_file_suggests_what_is_near() {
        let bench = Bench::new();
        fs::write(bench.path("note.md"), "").unwrap();
        fs::create_dir_all(bench.path("notes/deep")).unwrap();
        fs::write(bench.path("other"), "").unwrap();
        let read = |path: &str| said(&bench, &ReadFile, serde_json::json!({"path": path}));
        assert_eq!(read("notes.md"), "there is no notes.md; there are notes/ and note.md");
        assert_eq!(read("notes/dep"), "there is no notes/dep; there is notes/deep/");
        let none = "there is no zzz; list_dir shows what there is, search_files finds more";
        assert_eq!(read("zzz"), none);
        assert_eq!(
            read("notes"),
            "notes: it is a folder, not a file; list_dir shows what is in it"
        );
        assert_eq!(read("note.md"), "note.md is empty");
        assert_eq!(read("~/x"), "~/x: `~` means nothing here; name a path in the workspace");
    }

    #[test]
    fn what_is_not_text_is_described() {
        let bench = Bench::new();
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x08\x08\x06\0\0\0".to_vec();
        png.extend([0; 32]);
        fs::write(bench.path("a.png"), &png).unwrap();
        fs::write(bench.path("bin"), b"ab\0cd").unwrap();
        fs::write(bench.path("wide"), b"\xFF\xFEa\0b\0").unwrap();
        let read = |path: &str| bench.run(&ReadFile, serde_json::json!({"path": path}));
        assert_eq!(read("a.png").words, "a.png: a picture (image/png), 16 × 8, 61 bytes");
        assert_eq!(read("bin"), Output::said("bin: binary data, 5 bytes; it is not text"));
        assert_eq!(read("wide").data.unwrap(), "ab");
    }

    #[test]
    fn skills_that_ship_with_louver_and_kept_results_are_read_too() {
        let bench = Bench::new();
        let read = |path: &str| bench.run(&ReadFile, serde_json::json!({"path": path}));
        let memory = read("louver:skills/memory/SKILL.md").data.unwrap();
        assert!(memory.starts_with("---\nname: memory\n"));
        assert!(read("louver:skills/../x/SKILL.md").failed);
        assert_eq!(read("0123456789abcdef").data.unwrap(), "kept\n");
        assert!(read("0123456789abcdee").failed);
    }
}
