//! Notes of files: memory, history, single days, and folders that the person names.

use jiff::civil::{Date, DateTime};
use louver_context::Trust;

use super::cut::paragraphs;
use super::{Held, Listing, Note, Source, SourceKind, Voice};
use crate::disk::{Folder, Kind, Stamp};
use crate::memory::{HistoryEntry, read_history};
use crate::problem::Problem;
use crate::workspace::{MEMORY, is_daily};

/// The most bytes that are read of one file.
const MOST: u64 = 16 * 1024 * 1024;

/// How deep folders are looked into, and how many files are taken of them.
const DEEPEST: usize = 12;
const MOST_FILES: usize = 50_000;

/// What memory is made of.
pub(super) fn of_memory(folder: &Folder) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut add = |name: &str, kind: SourceKind| {
        if let Ok(stamp) = folder.stamp(name) {
            let (name, stamp, scope) = (name.to_owned(), stamped(&stamp), String::new());
            sources.push(Source { name, stamp, kind, scope });
        }
    };
    if let Some(memory) = MEMORY.iter().find(|name| folder.stamp(name).is_ok()) {
        add(memory, SourceKind::Memory);
    }
    add("memory/HISTORY.md", SourceKind::History);
    add("memory/history.jsonl", SourceKind::History);
    let listing = folder.list("memory").unwrap_or_default();
    for entry in listing.entries {
        let name = format!("memory/{}", entry.name);
        if is_daily(&name) {
            add(&name, SourceKind::Daily);
        }
    }
    sources
}

/// The text files of a folder that the person names.
pub(super) fn of_documents(
    folder: &Folder,
    number: usize,
    listing: &mut Listing,
    problems: &mut Vec<Problem>,
) {
    let mut sources = Vec::new();
    let mut waiting = vec![(String::new(), 0)];
    while let Some((path, depth)) = waiting.pop() {
        let shown = if path.is_empty() { "." } else { &path };
        let entries = match folder.list(shown) {
            Ok(found) => found.entries,
            Err(error) => {
                listing.unseen.push(format!("{}/{path}", folder.path().display()));
                problems.push(Problem::from(&error));
                continue;
            }
        };
        for entry in entries {
            let below =
                if path.is_empty() { entry.name.clone() } else { format!("{path}/{}", entry.name) };
            match entry.kind {
                _ if entry.name.starts_with('.') || entry.name == "node_modules" => {}
                Kind::Folder if depth < DEEPEST => waiting.push((below, depth + 1)),
                Kind::File if is_text(&entry.name) => {
                    let Ok(stamp) = folder.stamp(&below) else { continue };
                    let name = format!("{}/{below}", folder.path().display());
                    let kind = SourceKind::Document(number);
                    sources.push(Source {
                        name,
                        stamp: stamped(&stamp),
                        kind,
                        scope: String::new(),
                    });
                }
                _ => {}
            }
            if sources.len() >= MOST_FILES {
                let path = folder.path().display().to_string();
                let what =
                    format!("it has more than {MOST_FILES} text files; the rest is not recalled");
                problems.push(Problem::warning(path, what));
                waiting.clear();
                break;
            }
        }
    }
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    listing.sources.extend(sources);
}

fn is_text(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["md", "markdown", "txt", "text", "org", "rst"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

fn stamped(stamp: &Stamp) -> String {
    let Stamp { seconds, nanos, size, inode, changed } = stamp;
    format!("{seconds}.{nanos}/{size}/{inode}/{changed}")
}

/// The notes of a file.
pub(super) fn read(folder: &Folder, source: &Source) -> Result<Held, Problem> {
    let inside = match source.kind {
        SourceKind::Document(_) => {
            let root = format!("{}/", folder.path().display());
            source.name.strip_prefix(&root).unwrap_or(&source.name)
        }
        _ => &source.name,
    };
    let read = folder.read(inside, MOST).map_err(|error| Problem::from(&error))?;
    let notes = match source.kind {
        SourceKind::History => of_history(source, &read.text),
        _ => of_text(source, &read.text),
    };
    Ok(Held { notes, more: false })
}

fn of_history(source: &Source, text: &str) -> Vec<Note> {
    let entries =
        read_history(&source.name, text).into_iter().filter(|entry| !is_title(&entry.text));
    let note = |entry: HistoryEntry| Note {
        place: format!("{}:{}", source.name, entry.line),
        text: unstamped(&entry).to_owned(),
        who: "history".to_owned(),
        voice: Voice::Document,
        time: entry.time,
        trust: Trust::Agent,
    };
    entries.map(note).collect()
}

/// Whether all it says is a heading: "# History".
fn is_title(text: &str) -> bool {
    text.starts_with('#') && text.trim_end().lines().count() == 1
}

/// What an entry says after its time, which its note has besides.
fn unstamped(entry: &HistoryEntry) -> &str {
    let rest = entry.text.strip_prefix('[').and_then(|text| text.split_once(']'));
    let said = rest.filter(|_| entry.time.is_some()).map_or("", |(_, said)| said.trim_start());
    if said.is_empty() { &entry.text } else { said }
}

/// The day that a file's name begins with: `2026-03-05.md`, `2026-03-05 Ulm.md`.
fn day_of(name: &str) -> Option<Date> {
    let goes_on =
        name.get(10..).is_some_and(|rest| rest.starts_with(|c: char| !c.is_ascii_digit()));
    name.get(..10).filter(|_| goes_on)?.parse().ok()
}

/// The day that a text's front matter names.
fn dated(text: &str) -> Option<Date> {
    let front = text.strip_prefix("---\n")?;
    let front = &front[..front.find("\n---")?];
    let fields = front.lines().filter_map(|line| line.split_once(':'));
    let mut days = fields.filter(|(key, _)| matches!(key.trim(), "date" | "created"));
    days.find_map(|(_, value)| value.trim().trim_matches(['"', '\'']).get(..10)?.parse().ok())
}

fn of_text(source: &Source, text: &str) -> Vec<Note> {
    let name = source.name.rsplit('/').next().unwrap_or(&source.name);
    let day = day_of(name).or_else(|| dated(text));
    let time: Option<DateTime> = day.map(|day| day.at(12, 0, 0, 0));
    let trust = match source.kind {
        SourceKind::Document(_) => Trust::Owner,
        _ => Trust::Agent,
    };
    let stretches = paragraphs(text).into_iter();
    let note = |stretch: super::cut::Stretch<'_>| Note {
        place: format!("{}:{}", source.name, stretch.line),
        text: stretch.text.to_owned(),
        who: if stretch.under.is_empty() { name.to_owned() } else { stretch.under },
        voice: Voice::Document,
        time,
        trust,
    };
    stretches.map(note).collect()
}
