//! Lists a folder: names, kinds, sizes.

use louver_context::snapshot::ToolSchema;
use louver_store::disk::{Inside, Kind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::disk::{MOST, SKIPPED, count, missing, on_disk, shown, spot, unreadable};
use super::{Desk, Output, Running, Tool, schema};

/// The most entries of one result.
const ENTRIES: usize = 500;

/// The most folders that are opened for one result.
const DEEPEST: usize = 8;

/// Lists a folder.
#[derive(Debug, Default)]
pub struct ListDir;

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    path: Option<String>,
    /// Levels, 1 if not given
    depth: Option<usize>,
}

impl Tool for ListDir {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>("list_dir", "List a folder, with sizes in bytes.")
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, given: Value, desk: &'a Desk) -> Running<'a> {
        on_disk(given, desk, list)
    }
}

/// What is put together of a listing.
#[derive(Debug, Default)]
struct Shown {
    text: String,
    entries: usize,
    /// Entries that there was no room for.
    left_out: usize,
    /// A folder had more entries than are ever listed.
    more: bool,
}

fn list(given: &Arguments, desk: &Desk) -> Output {
    let path = given.path.as_deref().unwrap_or(".");
    let spot = match spot(&desk.folder, path) {
        Ok(spot) => spot,
        Err(refused) => return refused,
    };
    let inside = match spot.enter() {
        Ok(inside) => inside,
        Err(error) if error.is_missing() => return missing(&spot),
        Err(error) => return unreadable(&error),
    };
    let mut listed = Shown::default();
    listed.folder(&inside, "", given.depth.unwrap_or(1).clamp(1, DEEPEST));
    let path = shown(path);
    if listed.entries == 0 {
        return Output::said(format!("{path} is empty"));
    }
    let mut words = format!("{} in {path}", entries(listed.entries));
    if listed.left_out > 0 || listed.more {
        let at_least = if listed.more { "at least " } else { "" };
        let left_out = listed.left_out.max(1);
        words += &format!(
            "; {at_least}{left_out} more did not fit: list a folder in it, or use search_files"
        );
    }
    Output::said(words).with(listed.text)
}

fn entries(n: usize) -> String {
    match n {
        1 => "1 entry".into(),
        n => format!("{n} entries"),
    }
}

impl Shown {
    fn folder(&mut self, inside: &Inside, prefix: &str, depth: usize) {
        let Ok(listing) = inside.list() else {
            return self.line(format!("{prefix}(it cannot be read)"));
        };
        self.more |= listing.cut;
        for entry in listing.entries {
            let name = format!("{prefix}{}", entry.name);
            match inside.look(&entry.name) {
                Some((Kind::Folder, _)) => {
                    self.line(format!("{}/", shown(&name)));
                    let goes_in = depth > 1 && !SKIPPED.contains(&entry.name.as_str());
                    if goes_in
                        && self.has_room()
                        && let Ok(inner) = inside.enter(&entry.name)
                    {
                        self.folder(&inner, &format!("{name}/"), depth - 1);
                    }
                }
                Some((Kind::File, stamp)) => self.line(format!("{}  {}", shown(&name), stamp.size)),
                Some((kind, _)) => self.line(format!("{}  ({kind})", shown(&name))),
                // It went away since it was listed.
                None => {}
            }
        }
        if !listing.unnameable.is_empty() {
            let names = count(listing.unnameable.len(), "name");
            self.line(format!("{prefix}({names} that cannot be read as text)"));
        }
    }

    fn has_room(&self) -> bool {
        self.entries < ENTRIES && self.text.len() < MOST - 1_000
    }

    fn line(&mut self, line: String) {
        match self.has_room() {
            true => {
                self.text += &line;
                self.text.push('\n');
                self.entries += 1;
            }
            false => self.left_out += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use serde_json::json;

    use super::super::testing::Bench;
    use super::*;

    #[test]
    fn a_folder_is_listed_with_kinds_and_sizes() {
        let bench = Bench::new();
        fs::create_dir_all(bench.path("src/deep")).unwrap();
        fs::create_dir_all(bench.path("target/x")).unwrap();
        fs::write(bench.path("src/a.rs"), "12345").unwrap();
        fs::write(bench.path("z\nfake  1"), "").unwrap();
        symlink("/", bench.path("out")).unwrap();
        let output = bench.run(&ListDir, json!({}));
        let wanted = "out  (a link)\nsrc/\ntarget/\nz\u{FFFD}fake  1  0\n";
        assert_eq!(output, Output::said("4 entries in .").with(wanted));
        let output = bench.run(&ListDir, json!({"path": ".", "depth": 3}));
        let wanted = "out  (a link)\nsrc/\nsrc/a.rs  5\nsrc/deep/\ntarget/\nz\u{FFFD}fake  1  0\n";
        assert_eq!(output.data.unwrap(), wanted);
        assert_eq!(bench.run(&ListDir, json!({"path": "src/deep"})).words, "src/deep is empty");
        let refused = bench.run(&ListDir, json!({"path": "src/a.rs"}));
        assert_eq!(refused.words, "src/a.rs: it is not a folder; read_file reads a file");
    }

    #[test]
    fn a_long_listing_says_what_is_left_out() {
        let bench = Bench::new();
        for n in 0..600 {
            fs::write(bench.path(&format!("{n:03}")), "").unwrap();
        }
        let output = bench.run(&ListDir, json!({}));
        let wanted =
            "500 entries in .; 100 more did not fit: list a folder in it, or use search_files";
        assert_eq!(output.words, wanted);
        assert_eq!(output.data.unwrap().lines().count(), 500);
    }
}
