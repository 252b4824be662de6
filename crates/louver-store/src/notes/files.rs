//! Notes of files: memory, history, single days, and folders that the person names.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};

use jiff::civil::Date;
use louver_context::Trust;

use super::cut::{ABOVE, LONG_HEADING, paragraphs_of};
use super::day::Dated;
use super::front::Front;
use super::heading::Format;
use super::{Held, Listing, Note, PassedOver, Source, SourceKind, Voice};
use crate::decode::to_text;
use crate::disk::{Folder, Kind, Opened, ReadError, Stamp};
use crate::memory::{HistoryEntry, read_history};
use crate::problem::Problem;
use crate::workspace::{MEMORY, is_daily};

/// The most bytes that are read of one file.
const MOST: u64 = 16 * MB;
const MB: u64 = 1024 * 1024;

/// How many files are taken of a folder. How deep they lie does not matter: links are not followed.
const MOST_FILES: usize = 50_000;

/// Files of folders that the person names are read if they end so.
pub const ENDINGS: [&str; 6] = ["md", "markdown", "txt", "text", "org", "rst"];

/// What happened: louver's history, and nanobot's.
const HISTORY: [&str; 2] = ["memory/HISTORY.md", "memory/history.jsonl"];

/// Whether a file is one that memory is made of.
pub(crate) fn is_memory(name: &str) -> bool {
    memory_kind(name).is_some()
}

fn memory_kind(name: &str) -> Option<SourceKind> {
    let kinds = [
        (MEMORY.contains(&name), SourceKind::Memory),
        (HISTORY.contains(&name), SourceKind::History),
        (is_daily(name), SourceKind::Daily),
    ];
    kinds.into_iter().find_map(|(is_it, kind)| is_it.then_some(kind))
}

/// The notes in the text of such a file, each with the number of the line it begins on.
pub(crate) fn notes_of_memory(name: &str, text: &str) -> Vec<(usize, Note)> {
    let Some(kind) = memory_kind(name) else { return Vec::new() };
    let is_history = kind == SourceKind::History;
    let source = Source { name: name.to_owned(), stamp: String::new(), kind, scope: String::new() };
    let notes = match is_history {
        true => of_history(&source, text, 0),
        false => of_text(&source, name, text),
    };
    let line = |note: &Note| note.place.rsplit_once(':')?.1.parse().ok();
    notes.into_iter().filter_map(|note| Some((line(&note)?, note))).collect()
}

/// What memory is made of. What cannot be looked at may be there all the same.
pub(super) fn of_memory(folder: &Folder, listing: &mut Listing, problems: &mut Vec<Problem>) {
    let inside = folder.list("memory").unwrap_or_else(|error| {
        unseen("memory/", &error, listing, problems);
        crate::disk::Listing::default()
    });
    let is_missing = |name: &str| matches!(folder.stamp(name), Err(ReadError::Missing { .. }));
    let memory = MEMORY.iter().find(|name| !is_missing(name));
    let memory = memory.map(|name| ((*name).to_owned(), SourceKind::Memory));
    let history = HISTORY.map(|name| (name.to_owned(), SourceKind::History));
    let days = inside.entries.iter().map(|entry| format!("memory/{}", entry.name));
    let days = days.filter(|name| is_daily(name)).map(|name| (name, SourceKind::Daily));
    for (name, kind) in memory.into_iter().chain(history).chain(days) {
        match folder.stamp(&name) {
            Ok(stamp) => {
                problems.extend(too_long(&name, &kind, &stamp));
                let (stamp, scope) = (stamped(&stamp), String::new());
                listing.sources.push(Source { name, stamp, kind, scope });
            }
            Err(error) => unseen(&name, &error, listing, problems),
        }
    }
}

/// Takes note that something cannot be looked at. Where that is all of a folder, it is told once.
fn unseen(name: &str, error: &ReadError, listing: &mut Listing, problems: &mut Vec<Problem>) {
    if !matches!(error, ReadError::Missing { .. }) && !listing.may_have(name) {
        listing.unseen.push(name.to_owned());
        problems.push(Problem::from(error));
    }
}

/// What is told of a file that is too long to be read whole.
fn too_long(name: &str, kind: &SourceKind, stamp: &Stamp) -> Option<Problem> {
    let part = if *kind == SourceKind::History { "last" } else { "first" };
    let (size, most) = (stamp.size.div_ceil(MB), MOST / MB);
    let what = format!("it has {size} MB, of which the {part} {most} are recalled");
    (stamp.size > MOST).then(|| Problem::warning(name, what))
}

/// The text files of a folder that the person names.
pub(super) fn of_documents(
    folder: &Folder,
    number: usize,
    listing: &mut Listing,
    problems: &mut Vec<Problem>,
) {
    let (mut sources, mut passed_over) = (Vec::new(), PassedOver::default());
    let mut waiting = vec![String::new()];
    while let Some(path) = waiting.pop() {
        let shown = if path.is_empty() { "." } else { &path };
        let entries = match folder.list(shown) {
            Ok(found) => {
                passed_over.unnameable += found.unnameable.len();
                found.entries
            }
            Err(error) => {
                let path = format!("{}/{path}", folder.path().display());
                problems.push(Problem { path: path.clone(), ..Problem::from(&error) });
                listing.unseen.push(path);
                continue;
            }
        };
        for entry in entries {
            let below =
                if path.is_empty() { entry.name.clone() } else { format!("{path}/{}", entry.name) };
            match entry.kind {
                _ if entry.name.starts_with('.') || entry.name == "node_modules" => {}
                Kind::Folder => waiting.push(below),
                Kind::File if is_text(&entry.name) => {
                    let Ok(stamp) = folder.stamp(&below) else { continue };
                    let name = format!("{}/{below}", folder.path().display());
                    let kind = SourceKind::Document(number);
                    problems.extend(too_long(&name, &kind, &stamp));
                    sources.push(Source {
                        name,
                        stamp: stamped(&stamp),
                        kind,
                        scope: String::new(),
                    });
                }
                Kind::File => passed_over.endings += 1,
                Kind::Link => passed_over.links += 1,
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
    listing.passed_over.push(passed_over);
}

pub(super) fn is_text(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
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
    // As the person finds it: a file of a folder by all of its path.
    let failed = |error: ReadError| Problem { path: source.name.clone(), ..Problem::from(&error) };
    let (text, lossy, above) = match source.kind {
        SourceKind::History => read_end(folder, inside).map_err(failed)?,
        _ => {
            let read = folder.read(inside, MOST).map_err(failed)?;
            (read.text, read.lossy, 0)
        }
    };
    let notes = match source.kind {
        _ if lossy && !is_prose(&text) => Vec::new(),
        SourceKind::History => of_history(source, &text, above),
        _ => of_text(source, inside, &text),
    };
    Ok(Held { notes, more: false })
}

/// The end of a file, which is where a history is newest: its text, whether it could not be read throughout, and how
/// many lines are above it.
fn read_end(folder: &Folder, name: &str) -> Result<(String, bool, u32), ReadError> {
    let Opened { file, stamp } = folder.open_file(name)?;
    let mut file = BufReader::new(file);
    let read = |file: &mut BufReader<File>| -> io::Result<(Vec<u8>, u32)> {
        let (mut above, mut bytes) = (0, Vec::new());
        if let Some(skipped) = stamp.size.checked_sub(MOST).filter(|skipped| *skipped > 0) {
            above = skip(file, skipped)?;
        }
        file.take(MOST).read_to_end(&mut bytes)?;
        Ok((bytes, above))
    };
    let failed = |source| ReadError::Io { path: name.to_owned(), source };
    let (bytes, above) = read(&mut file).map_err(failed)?;
    let (text, lossy) = to_text(bytes, false);
    Ok((text, lossy, above))
}

/// Passes over so many bytes of a file, and what is left of the line they end in. How many lines that is.
fn skip(file: &mut impl BufRead, mut bytes: u64) -> io::Result<u32> {
    let mut lines = 0;
    while bytes > 0 {
        let long = file.skip_until(b'\n')?;
        if long == 0 {
            break;
        }
        (lines, bytes) = (lines + 1, bytes.saturating_sub(long as u64));
    }
    Ok(lines)
}

/// Whether a text that could not be read throughout is one: what is called `.md` may be anything.
fn is_prose(text: &str) -> bool {
    let odd = |c: &char| c.is_control() && !c.is_whitespace() || *c == char::REPLACEMENT_CHARACTER;
    let (odd, all) = (text.chars().filter(odd).count(), text.chars().count());
    odd * MOST_ODD <= all
}

/// One character in so many may be what a text has not.
const MOST_ODD: usize = 20;

fn of_history(source: &Source, text: &str, above: u32) -> Vec<Note> {
    let entries =
        read_history(&source.name, text).into_iter().filter(|entry| !is_title(&entry.text));
    let note = |entry: HistoryEntry| Note {
        place: format!("{}:{}", source.name, above + entry.line),
        text: unstamped(&entry).to_owned(),
        who: "history".to_owned(),
        voice: Voice::Document,
        time: entry.time.map(Into::into),
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

fn of_text(source: &Source, path: &str, text: &str) -> Vec<Note> {
    let front = Front::of(text);
    let name = path.rsplit('/').next().unwrap_or(path);
    let dated = Dated::of_file(path, front.day.or(front.created));
    let trust = match source.kind {
        SourceKind::Document(_) => Trust::Owner,
        _ => Trust::Agent,
    };
    let note = |line: u32, text: &str, who: &str, day: Option<Date>| Note {
        place: format!("{}:{line}", source.name),
        text: text.to_owned(),
        who: who.to_owned(),
        voice: Voice::Document,
        time: day.map(|day| day.at(12, 0, 0, 0).into()),
        trust,
    };
    let title = front.title.as_deref().unwrap_or(name);
    let told = front.told.iter().map(|(line, told)| note(*line, told, title, dated.day));
    let mut notes: Vec<Note> = told.collect();
    // What stands next to each other mostly stands under the same.
    let (mut under, mut who, mut day) = (String::new(), title.to_owned(), dated.day);
    for stretch in paragraphs_of(front.body, Format::of(path)) {
        // Memory is written into sections that may be there before anything is in them.
        if stretch.heading && source.kind == SourceKind::Memory {
            continue;
        }
        if stretch.under != under {
            under = stretch.under;
            who = titled(front.title.as_deref(), &under).unwrap_or_else(|| title.to_owned());
            day = dated.under(&under).day;
        }
        notes.push(note(front.above + stretch.line, stretch.text, &who, day));
    }
    // What the file is filed under finds its beginning.
    let names = front.names.join(", ");
    match notes.first_mut() {
        Some(first) if !names.is_empty() => first.who = format!("{} · {names}", first.who),
        None if front.above > 0 => {
            let who = if names.is_empty() { title } else { &names };
            notes.push(note(1, title, who, dated.day));
        }
        _ => {}
    }
    notes
}

/// What stands above a note, if anything does: its headings, the highest of them the title that the frontmatter gives,
/// unless one says it.
fn titled(title: Option<&str>, under: &str) -> Option<String> {
    let says = |title: &&str| {
        let title = title.to_lowercase();
        under.split(ABOVE).any(|heading| heading.to_lowercase() == title)
    };
    match title.filter(|title| !says(title)) {
        _ if under.is_empty() => None,
        Some(title) => {
            let title = &title[..title.floor_char_boundary(LONG_HEADING)];
            Some(format!("{title}{ABOVE}{under}"))
        }
        None => Some(under.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_has_no_notes() {
        assert!(is_prose("The b\u{FFFD}kery opens at six, and closes when the bread is sold."));
        assert!(!is_prose("\u{FFFD}PNG\n\u{1a}\n\u{0}\u{0}\u{0}IHDR"));
    }
}
