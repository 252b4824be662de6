//! What the file tools share: how a path is taken, how the disk's refusals are told.

use louver_store::Folder;
use louver_store::disk::{Kind, ReadError, Spot, WriteError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Desk, Output, Running, arguments};

/// The most bytes of one result. The log keeps longer ones apart and shows the model their beginning
/// only, so a tool that can be asked for the next part stays below that.
pub(super) const MOST: usize = 16_000;

/// Folders that no search goes into: they are large, and nobody means them.
pub(super) const SKIPPED: [&str; 4] = [".git", ".louver", "node_modules", "target"];

/// Runs a tool that does nothing but wait for the disk.
pub(super) fn on_disk<'a, A: DeserializeOwned + Send + 'static>(
    given: Value,
    desk: &'a Desk,
    work: fn(&A, &Desk) -> Output,
) -> Running<'a> {
    Box::pin(async move {
        match arguments(given) {
            Ok(given) => {
                let desk = desk.clone();
                waiting(move || work(&given, &desk)).await
            }
            Err(wrong) => wrong,
        }
    })
}

/// Does what waits for the disk, off the threads that serve everybody.
pub(super) async fn waiting(work: impl FnOnce() -> Output + Send + 'static) -> Output {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Output::failed("it broke off because of a fault in the tool itself"))
}

/// Where a path leads that a model wrote, or words about why it leads nowhere.
pub(super) fn spot<'a>(folder: &'a Folder, path: &str) -> Result<Spot<'a>, Output> {
    let words = match path {
        "" => "the path is empty; `.` is the workspace".to_owned(),
        path if path == "~" || path.starts_with("~/") => {
            format!("{}: `~` means nothing here; name a path in the workspace", shown(path))
        }
        // The logs of all conversations are there, and one chat is not to read another's.
        path if path.split('/').any(|part| part.eq_ignore_ascii_case(".louver")) => {
            "`.louver` is louver's own; a kept result is read by its handle alone".to_owned()
        }
        path => return folder.spot(path).map_err(|error| unreadable(&error)),
    };
    Err(Output::failed(words))
}

/// Why something cannot be read, and what to try.
pub(super) fn unreadable(error: &ReadError) -> Output {
    let hint = match error {
        ReadError::Outside { .. } => {
            "; only the workspace and the roots its owner allowed are in reach"
        }
        ReadError::NotAFile { kind: Kind::Folder, .. } => "; list_dir shows what is in it",
        ReadError::NotAFolder { .. } => "; read_file reads a file",
        _ => "",
    };
    Output::failed(shown(&format!("{error}{hint}")))
}

/// Why something cannot be written, and what to try.
pub(super) fn unwritable(error: &WriteError) -> Output {
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    Output::failed(shown(&format!("{error}{hint}")))
}

/// That nothing is there, and what has nearly this name.
pub(super) fn missing(spot: &Spot<'_>) -> Output {
    let path = shown(spot.path());
    let near = near(spot);
    let words = match near.as_slice() {
        [] => format!("there is no {path}; list_dir shows what there is, search_files finds more"),
        [only] => format!("there is no {path}; there is {only}"),
        [most @ .., last] => {
            format!("there is no {path}; there are {} and {last}", most.join(", "))
        }
    };
    Output::failed(words)
}

/// Names in the same folder that a person may have meant. They come from the disk, so only those that
/// are much like what was asked for stand among the tool's own words.
fn near(spot: &Spot<'_>) -> Vec<String> {
    let (folder, name) = match spot.path().trim_end_matches('/').rsplit_once('/') {
        Some((folder, name)) => (format!("{folder}/"), name),
        None => (String::new(), spot.path()),
    };
    let Some(listing) = spot.beside().and_then(|inside| inside.list().ok()) else {
        return Vec::new();
    };
    let wanted = name.to_lowercase();
    let likeness = |other: &str| {
        let other = other.to_lowercase();
        let same_stem = stem(&other) == stem(&wanted);
        if same_stem { 1.0 } else { strsim::normalized_damerau_levenshtein(&other, &wanted) }
    };
    let entries = listing.entries.into_iter().filter(|entry| entry.name.len() < 4 * name.len() + 8);
    let mut found: Vec<(f64, String)> = entries
        .map(|entry| {
            let slash = if entry.kind == Kind::Folder { "/" } else { "" };
            (likeness(&entry.name), shown(&format!("{folder}{}{slash}", entry.name)))
        })
        .filter(|(likeness, _)| *likeness > 0.6)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

fn stem(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// A name on one line, with nothing in it that moves a cursor, and no longer than is of use.
pub(super) fn shown(name: &str) -> String {
    let plain = |c: char| if c.is_control() || is_invisible(c) { '\u{FFFD}' } else { c };
    let mut text: String = name.chars().take(400).map(plain).collect();
    if text.len() < name.len() && name.chars().nth(400).is_some() {
        text.push('…');
    }
    text
}

/// Marks that turn the direction of text, or separate lines without being control characters.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// How many of something, as a person says it.
pub(super) fn count(n: usize, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use louver_context::{Counter, Counting, Encoding};
    use serde_json::json;

    use super::super::{Tool, edit_file, exec, list_dir, read_file, search_files, write_file};

    #[test]
    fn what_a_model_is_told_of_these_tools_is_short() {
        let counter = Counter::new(Counting::Exact(Encoding::O200k));
        let tools: [&dyn Tool; 6] = [
            &read_file::ReadFile,
            &write_file::WriteFile,
            &edit_file::EditFile,
            &list_dir::ListDir,
            &search_files::SearchFiles,
            &exec::Exec::default(),
        ];
        let tokens = tools.map(|tool| {
            let schema = tool.schema();
            let told = json!({"type": "function", "function": {
                "name": &*schema.name,
                "description": schema.description,
                "parameters": schema.parameters,
            }});
            (schema.name, counter.count(&told.to_string()).0)
        });
        let sum: u32 = tokens.iter().map(|(_, tokens)| tokens).sum();
        assert!(sum <= 450, "{sum} tokens: {tokens:?}");
    }
}
