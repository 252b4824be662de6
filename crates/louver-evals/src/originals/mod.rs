//! The public sets as their authors give them out, read as the packs are.
//!
//! Each becomes what the pack of the same set holds, so that figures can be compared: the same
//! notes with the same names, and the same questions. A question that its set says has no answer
//! keeps no evidence, which is how a pack says that there is nothing to find. One that has an
//! answer but no evidence among the notes is left out and counted. Unlike the packs, originals
//! are as their authors labelled them, mistakes included.

mod beam;
mod items;
mod locomo;
mod longmemeval;
mod python;

use crate::pack::Corpus;
use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use items::Items;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Corpora, read one after another: some sets are larger than memory.
pub(crate) type Corpora = Box<dyn Iterator<Item = Result<Corpus>>>;

/// Every corpus of a pack or of an original, told apart by what is in the file or folder.
pub(crate) fn corpora(path: &Path) -> Result<Corpora> {
    Ok(match recognise(path)? {
        Set::Pack => each(path, Ok)?,
        Set::Locomo => each(path, |sample: locomo::Sample| Ok(sample.corpus()))?,
        Set::LongMemEval => each(path, |entry: longmemeval::Entry| Ok(entry.corpus()))?,
        Set::BeamRows => each(path, beam::Row::corpus)?,
        Set::BeamChats(folders) => Box::new(folders.into_iter().map(|folder| beam::chat(&folder))),
    })
}

/// What a file or folder holds.
#[derive(PartialEq, Eq, Debug)]
enum Set {
    Pack,
    Locomo,
    LongMemEval,
    /// BEAM as rows of a data set, one conversation each.
    BeamRows,
    /// BEAM as the folders of its repository.
    BeamChats(Vec<PathBuf>),
}

/// Something that is neither a pack nor a set we know.
#[derive(Debug, thiserror::Error)]
#[error("{path} holds neither a pack nor a set that is known: {found}\nhint: {hint}")]
pub(crate) struct Unknown {
    path: String,
    found: String,
    hint: &'static str,
}

const SETS: &str = "packs (.jsonl, .jsonl.gz), LoCoMo (locomo10.json), LongMemEval (longmemeval_s.json and the \
like) and BEAM (a folder of its `chats`, or rows as .jsonl) can be read";

fn recognise(path: &Path) -> Result<Set> {
    let unknown = |found: String, hint| Unknown { path: path.display().to_string(), found, hint };
    if path.is_dir() {
        let folders = beam::folders(path)?;
        if folders.is_empty() {
            let hint = "a folder of packs is named with `--folder`, a folder of BEAM has a `chat.json` in each chat";
            return Err(unknown("no chat is in this folder".into(), hint).into());
        }
        return Ok(Set::BeamChats(folders));
    }
    let first = Items::<BTreeMap<String, IgnoredAny>>::new(open(path)?).next();
    let keys: Vec<String> = match first {
        Some(Ok(item)) => item.into_keys().collect(),
        Some(Err(error)) => return Err(unknown(error.to_string(), SETS).into()),
        None => return Err(unknown("it is empty".into(), SETS).into()),
    };
    let has = |wanted: &[&str]| wanted.iter().all(|key| keys.iter().any(|k| k == key));
    if has(&["units", "queries"]) {
        return Ok(Set::Pack);
    }
    if has(&["conversation", "qa"]) {
        return Ok(Set::Locomo);
    }
    if has(&["question", "haystack_sessions"]) {
        return Ok(Set::LongMemEval);
    }
    if has(&["chat", "probing_questions"]) {
        return Ok(Set::BeamRows);
    }
    if has(&["turns"]) || keys.iter().any(|key| key.starts_with("plan-")) {
        return Ok(Set::BeamChats(vec![beam::folder_of(path)]));
    }
    let hint = if has(&["abstention"]) {
        "these are the questions of a BEAM chat; name the folder that has its `chat.json`"
    } else {
        SETS
    };
    let keys: Vec<String> = keys.iter().take(6).map(|key| format!("`{key}`")).collect();
    Err(unknown(format!("its first item has {}", keys.join(", ")), hint).into())
}

/// Reads the items of a file one by one and makes a corpus of each.
fn each<T: DeserializeOwned + 'static>(
    path: &Path,
    corpus: impl Fn(T) -> Result<Corpus> + 'static,
) -> Result<Corpora> {
    let name = path.display().to_string();
    let items = Items::new(open(path)?).zip(1..);
    Ok(Box::new(items.map(move |(item, number)| {
        let read = item.map_err(anyhow::Error::from).and_then(&corpus);
        read.with_context(|| format!("{name}: item {number}"))
    })))
}

/// A file's text, unpacked where it is packed.
fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let name = || format!("{} cannot be read", path.display());
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).with_context(name)?);
    let packed = file.fill_buf().with_context(name)?.starts_with(&[0x1f, 0x8b]);
    Ok(if packed {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    fn told(name: &str, text: &str) -> Result<Set, String> {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        recognise(&path).map_err(|error| error.to_string().replace(path.to_str().unwrap(), name))
    }

    #[test]
    fn a_set_is_told_by_what_is_in_it_whatever_its_name() {
        assert_eq!(told("a", r#"{"units": [], "queries": []}"#), Ok(Set::Pack));
        assert_eq!(told("a", r#" [ {"qa": [], "conversation": {}, "x": [{}]} ]"#), Ok(Set::Locomo));
        let entry = r#"[{"question": "?", "haystack_sessions": [[{"role": "user"}]]}, cut off"#;
        assert_eq!(told("a.jsonl", entry), Ok(Set::LongMemEval));
        let row = r#"{"conversation_id": "1", "chat": [], "probing_questions": "{}"}"#;
        assert_eq!(told("a", row), Ok(Set::BeamRows));
    }

    #[test]
    fn something_else_is_refused_with_what_it_is_and_what_would_do() {
        let refused = |text| told("a.json", text).unwrap_err();
        assert_eq!(
            refused(r#"[{"id": 1, "text": "x"}]"#),
            format!(
                "a.json holds neither a pack nor a set that is known: its first item has `id`, `text`\nhint: {SETS}"
            )
        );
        assert!(refused("").contains("it is empty"));
        assert!(refused("[]").contains("it is empty"));
        assert!(refused("no json").contains("hint: packs"), "{}", refused("no json"));
        assert!(refused(r#"{"abstention": []}"#).contains("name the folder"));
        let folder = TempDir::new().unwrap();
        let error = recognise(folder.path()).unwrap_err().to_string();
        assert!(error.contains("`--folder`"), "{error}");
        let error = recognise(&folder.path().join("none")).unwrap_err().to_string();
        assert!(error.ends_with("none cannot be read"), "{error}");
    }

    #[test]
    fn a_packed_file_and_a_plain_one_hold_the_same() {
        use std::io::Write;
        let folder = TempDir::new().unwrap();
        let text = concat!(
            r#"{"units": [{"id": "1", "text": "The key is under the mat."}], "queries": []}"#,
            "\n\n",
            r#"{"units": [], "queries": [{"text": "Where?", "gold": []}]}"#,
            "\n",
        );
        let (plain, packed) = (folder.path().join("plain"), folder.path().join("packed"));
        fs::write(&plain, text).unwrap();
        let file = File::create(&packed).unwrap();
        let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap();
        let read = |path: &Path| corpora(path).unwrap().collect::<Result<Vec<_>>>().unwrap();
        assert_eq!(read(&plain).len(), 2);
        assert_eq!(read(&plain), read(&packed));
    }

    #[test]
    fn an_item_that_cannot_be_read_is_named_by_its_number() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("pack.jsonl");
        fs::write(&path, "{\"units\": [], \"queries\": []}\n{\"units\": 7, \"queries\": []}\n")
            .unwrap();
        let read: Vec<_> = corpora(&path).unwrap().collect();
        assert_eq!(read.len(), 2);
        let error = read[1].as_ref().unwrap_err().to_string();
        assert!(error.ends_with("pack.jsonl: item 2"), "{error}");
    }
}
