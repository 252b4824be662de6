//! Vectors of a sentence model in the library: batch by batch, of one model, gone with their notes.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use louver_context::Trust;
use louver_store::library::{
    Asking, Given, Library, Recalled, Sense, Table, VectorsError, read_vectors,
};
use louver_store::notes::{Held, Note, Source, SourceKind, Voice};
use tempfile::TempDir;

const MODEL: &str = "small";

const TEXTS: [&str; 10] = [
    "The violin is in the attic.",
    "The attic needs a new lamp.",
    "We had soup in the attic once.",
    "The attic is cold in winter.",
    "Ada slept in the attic.",
    "The attic window does not close.",
    "There are mice in the attic.",
    "The attic stairs are steep.",
    "The attic smells of apples.",
    "The attic was painted in May.",
];

fn note(number: usize, text: &str) -> Note {
    Note {
        place: format!("log#{number}"),
        text: text.into(),
        who: "person".into(),
        voice: Voice::Person,
        time: None,
        trust: Trust::Owner,
    }
}

/// Adds notes after those that are there.
fn add(library: &mut Library, first: usize, texts: &[&str]) {
    let notes = (first..).zip(texts).map(|(number, text)| note(number, text)).collect();
    let (name, stamp) = ("log".to_owned(), "1".to_owned());
    let source =
        Source { name, stamp, kind: SourceKind::Session(String::new()), scope: String::new() };
    library.put(&source, Held { notes, more: true }).unwrap();
}

fn library() -> (TempDir, Library) {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    add(&mut library, 1, &TEXTS);
    (folder, library)
}

/// Near to the first axis when it speaks of apples.
fn sense(model: &str, text: &str) -> Sense {
    let apples = if text.contains("apples") || text.contains("fruit") { 1.0 } else { 0.1 };
    Sense::new(model, vec![apples, 0.5, 0.0, text.len() as f32 / 1000.0])
}

/// Has all notes read, `most` at a time: how many in each batch.
fn read_all(library: &mut Library, model: &str, most: usize) -> Vec<usize> {
    let mut batches = Vec::new();
    loop {
        let batch = library.unsensed(model, most).unwrap();
        if batch.texts().is_empty() {
            return batches;
        }
        let senses: Vec<Sense> = batch.texts().iter().map(|text| sense(model, text)).collect();
        assert_eq!(library.give_senses(&batch, &senses).unwrap(), Given::Kept);
        batches.push(senses.len());
    }
}

fn ask(library: &mut Library, text: &str, sense: Option<&Sense>) -> Recalled {
    let in_view = HashSet::new();
    let (now, budget, session, shown) = (None, 2_000, "cli:new", &[]);
    let asking = Asking { now, in_view: &in_view, shown, ..Asking::new(text, session, budget) };
    library.recall_sensed(&asking, sense, &|text| text.len().div_ceil(4) as u32).unwrap()
}

const QUESTION: &str = "What fruit is there in the attic?";

fn found(recalled: &Recalled, text: &str) -> (f32, Option<f32>) {
    let taken = recalled.taken.iter().find(|taken| taken.text == text).unwrap();
    (taken.parts.meaning, taken.sense)
}

#[test]
fn notes_are_read_in_batches_and_each_once() {
    let (_folder, mut library) = library();
    assert_eq!(library.sensed(MODEL).unwrap(), 0);
    assert_eq!(read_all(&mut library, MODEL, 4), [4, 4, 2]);
    assert_eq!(library.sensed(MODEL).unwrap(), 10);
    assert!(read_all(&mut library, MODEL, 4).is_empty());
    add(&mut library, 11, &["One more."]);
    assert_eq!(library.unsensed(MODEL, 4).unwrap().texts(), ["One more."]);
    assert_eq!(read_all(&mut library, MODEL, 4), [1]);
}

#[test]
fn what_says_nothing_is_skipped_and_what_is_long_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let long = "é".repeat(3_900);
    add(&mut library, 1, &["", " \n ", &long, " short "]);
    let batch = library.unsensed(MODEL, 10).unwrap();
    assert_eq!(batch.texts(), ["é".repeat(1_000).as_str(), "short"]);
    assert_eq!(read_all(&mut library, MODEL, 10), [2]);
    assert_eq!(library.sensed(MODEL).unwrap(), 2);
}

#[test]
fn the_model_ranks_the_notes_that_it_has_read() {
    let (_folder, mut library) = library();
    let apples = TEXTS[8];
    let plain = ask(&mut library, QUESTION, None);
    read_all(&mut library, MODEL, 4);
    // The question is not given to the model: nothing is different.
    assert_eq!(ask(&mut library, QUESTION, None), plain);
    let question = sense(MODEL, QUESTION);
    let sensed = ask(&mut library, QUESTION, Some(&question));
    let (meaning, cosine) = found(&sensed, apples);
    assert!(cosine.unwrap() > 0.99, "{cosine:?}");
    let others = sensed.taken.iter().filter(|taken| taken.text != apples);
    assert!(others.clone().count() > 0);
    for other in others {
        assert!(other.sense.unwrap() < 0.9 && other.parts.meaning < meaning, "{other:?}");
    }
    // What two runs say is the same.
    assert_eq!(ask(&mut library, QUESTION, Some(&question)), sensed);
    // Of another model's question, or one of another length, the vectors say nothing.
    for other in [sense("large", QUESTION), Sense::new(MODEL, vec![1.0, 0.5])] {
        assert_eq!(ask(&mut library, QUESTION, Some(&other)), plain);
    }
}

#[test]
fn another_model_begins_anew() {
    let (_folder, mut library) = library();
    read_all(&mut library, MODEL, 100);
    let late = library.unsensed(MODEL, 4).unwrap();
    assert!(late.texts().is_empty());
    assert_eq!(library.sensed("large").unwrap(), 0);
    let batch = library.unsensed("large", 3).unwrap();
    // A server that has no such model costs nothing.
    assert_eq!((batch.texts().len(), library.sensed(MODEL).unwrap()), (3, 10));
    let senses: Vec<Sense> = batch.texts().iter().map(|text| sense("large", text)).collect();
    assert_eq!(library.give_senses(&batch, &senses).unwrap(), Given::Kept);
    assert_eq!((library.sensed("large").unwrap(), library.sensed(MODEL).unwrap()), (3, 0));
    // One who still asks the first model is told so.
    assert_eq!(library.give_senses(&late, &[]).unwrap(), Given::Anew);
    assert_eq!(read_all(&mut library, "large", 100), [7]);
    assert_eq!(library.sensed("large").unwrap(), 10);
}

#[test]
fn vectors_that_cannot_be_those_of_the_texts_are_refused() {
    let (_folder, mut library) = library();
    let batch = library.unsensed(MODEL, 3).unwrap();
    let good = || Sense::new(MODEL, vec![1.0, 0.5]);
    for (last, why) in [
        (vec![], "not one for each"),
        (vec![good(), good()], "not one for each"),
        (vec![Sense::new("large", vec![1.0, 0.5])], "of another model"),
        (vec![Sense::new(MODEL, vec![1.0, 0.5, 0.1])], "longer than others"),
        (vec![Sense::new(MODEL, vec![1.0, f32::NAN])], "some are empty"),
        (vec![Sense::new(MODEL, vec![1.0, f32::MAX])], "some are empty"),
    ] {
        let senses: Vec<Sense> = [good(), good()].into_iter().chain(last).collect();
        let error = library.give_senses(&batch, &senses).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert_eq!(library.sensed(MODEL).unwrap(), 0);
    }
    assert_eq!(library.give_senses(&batch, &[good(), good(), good()]).unwrap(), Given::Kept);
    assert_eq!(library.unsensed(MODEL, 100).unwrap().texts().len(), TEXTS.len() - 3);
}

#[test]
fn vectors_of_another_length_begin_anew() {
    let (_folder, mut library) = library();
    read_all(&mut library, MODEL, 100);
    add(&mut library, 11, &["One more."]);
    let batch = library.unsensed(MODEL, 100).unwrap();
    let longer = Sense::new(MODEL, vec![1.0; 9]);
    assert_eq!(library.give_senses(&batch, std::slice::from_ref(&longer)).unwrap(), Given::Anew);
    // Those that are there go when others have come.
    assert_eq!((library.sensed(MODEL).unwrap(), library.sense_dims(MODEL).unwrap()), (10, Some(4)));
    let batch = library.unsensed_anew(MODEL, 100).unwrap();
    assert_eq!(batch.texts().len(), 11);
    let all = vec![longer; 11];
    assert_eq!(library.give_senses(&batch, &all).unwrap(), Given::Kept);
    assert_eq!((library.sensed(MODEL).unwrap(), library.sense_dims(MODEL).unwrap()), (11, Some(9)));
}

#[test]
fn what_a_model_does_not_take_is_passed_over() {
    let (_folder, mut library) = library();
    let batch = library.unsensed(MODEL, 4).unwrap().without(&[1]);
    assert_eq!(batch.texts(), [TEXTS[0], TEXTS[2], TEXTS[3]]);
    let senses: Vec<Sense> = batch.texts().iter().map(|text| sense(MODEL, text)).collect();
    assert_eq!(library.give_senses(&batch, &senses).unwrap(), Given::Kept);
    assert_eq!(read_all(&mut library, MODEL, 100), [6]);
    assert_eq!(library.sensed(MODEL).unwrap(), 9);
}

#[test]
fn what_is_forgotten_loses_its_vector_too() {
    let (folder, mut library) = library();
    read_all(&mut library, MODEL, 100);
    library.forget("log#9").unwrap().unwrap();
    assert_eq!(library.sensed(MODEL).unwrap(), 9);
    assert!(!ask(&mut library, QUESTION, None).taken.iter().any(|taken| taken.text == TEXTS[8]));
    drop(library);
    let db = rusqlite::Connection::open(folder.path().join(".louver/recall.db")).unwrap();
    let orphans = "SELECT count(*) FROM senses WHERE place NOT IN (SELECT place FROM notes)";
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
    assert_eq!((count(orphans), count("SELECT count(*) FROM senses")), (0, 9));
}

#[test]
fn what_is_forgotten_while_the_model_reads_gets_no_vector() {
    let (_folder, mut library) = library();
    let batch = library.unsensed(MODEL, 100).unwrap();
    library.forget("log#3").unwrap().unwrap();
    let senses: Vec<Sense> = batch.texts().iter().map(|text| sense(MODEL, text)).collect();
    assert_eq!(library.give_senses(&batch, &senses).unwrap(), Given::Kept);
    assert_eq!(library.sensed(MODEL).unwrap(), 9);
}

#[test]
fn vectors_of_a_library_that_began_anew_meanwhile_are_not_taken() {
    let (folder, mut library) = library();
    let batch = library.unsensed(MODEL, 100).unwrap();
    drop(library);
    fs::remove_dir_all(folder.path().join(".louver")).unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    add(&mut library, 1, &["Something else.", "And this."]);
    library.unsensed(MODEL, 1).unwrap();
    let senses: Vec<Sense> = batch.texts().iter().map(|text| sense(MODEL, text)).collect();
    assert_eq!(library.give_senses(&batch, &senses).unwrap(), Given::Late);
    assert_eq!(library.sensed(MODEL).unwrap(), 0);
}

/// A table with a vector for each of these words, as the packing script lays it out.
fn table(words: &[&str], dims: usize) -> Vec<u8> {
    let slots = (words.len() * 2).next_power_of_two();
    let mut table = vec![0u16; slots];
    let fnv = |word: &str| {
        word.bytes()
            .fold(0x811C_9DC5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    };
    for (row, word) in (1..).zip(words) {
        let mut slot = fnv(word) as usize & (slots - 1);
        while table[slot] != 0 {
            slot = (slot + 1) & (slots - 1);
        }
        table[slot] = row;
    }
    let mut file = b"LVRVEC1\0".to_vec();
    for number in [words.len(), dims, 8, slots] {
        file.extend((number as u32).to_le_bytes());
    }
    file.extend(table.iter().flat_map(|entry| entry.to_le_bytes()));
    let ends = words.iter().scan(0, |end, word| {
        *end += word.len() as u32;
        Some(*end)
    });
    file.extend(ends.flat_map(u32::to_le_bytes));
    file.extend(words.iter().flat_map(|_| 1f32.to_le_bytes()));
    file.extend(words.concat().bytes());
    file.resize(file.len().next_multiple_of(4), 0);
    for row in 0..words.len() {
        file.extend((0..dims).map(|at| if at % words.len() == row { 100 } else { 3u8 }));
    }
    file
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_table_of_ones_own_takes_the_place_of_the_built_in_one() {
    let (folder, library) = library();
    drop(library);
    let words = ["violin", "attic", "fruit", "apples"];
    let path = written(folder.path(), "vectors.bin", &table(&words, 64));
    let own = read_vectors(&path).unwrap();
    // Notes that were read with other vectors are read again.
    let mut library = Library::open_with(folder.path(), own.clone()).unwrap();
    assert_eq!(library.len().unwrap(), 0);
    add(&mut library, 1, &TEXTS);
    let found = ask(&mut library, "Where is the violin?", None);
    assert_eq!(found.taken[0].text, TEXTS[0]);
    drop(library);
    let mut library = Library::open_with(folder.path(), own).unwrap();
    assert_eq!(library.len().unwrap(), 10);
    drop(library);
    assert_eq!(Library::open_with(folder.path(), Table::shipped()).unwrap().len().unwrap(), 0);
}

#[test]
fn vectors_that_cannot_be_used_are_told_with_what_helps() {
    let folder = tempfile::tempdir().unwrap();
    let missing = read_vectors(&folder.path().join("none.bin")).unwrap_err();
    assert!(matches!(missing, VectorsError::Io { .. }), "{missing}");
    let pipe = read_vectors(folder.path()).unwrap_err();
    assert!(pipe.to_string().ends_with("it is not a plain file"), "{pipe}");
    let text = read_vectors(&written(folder.path(), "a.bin", b"# Notes\n")).unwrap_err();
    assert!(text.to_string().ends_with("it is no table of word vectors, or it was cut short"));
    assert!(text.hint().contains("embeddings_pack.py"));
    let long = table(&["violin"], 512);
    let long = read_vectors(&written(folder.path(), "b.bin", &long)).unwrap_err();
    assert!(long.to_string().contains("512 numbers each, and the index keeps 256"), "{long}");
    assert!(long.hint().contains("--dims 256"));
}
