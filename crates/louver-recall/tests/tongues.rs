//! A word is found by its other forms, in every language whose endings are known.
//!
//! `tongues.txt` has for each language ten notes with a word between stars, a question for each with another form of
//! it, and the beginnings and ends of sentences that make the notes among which they must be found.
#![allow(clippy::unwrap_used)]

use louver_recall::index::Index;
use louver_recall::languages::Language;
use louver_recall::note::Note;
use louver_recall::question::Question;
use louver_recall::recall::recall;
use louver_recall::words::fold;
use std::collections::BTreeSet;

struct Tongue {
    language: Language,
    /// Notes and the questions they answer.
    pairs: Vec<(&'static str, &'static str)>,
    others: Vec<String>,
}

fn tongues() -> Vec<Tongue> {
    include_str!("tongues.txt").split("# ").skip(1).map(tongue).collect()
}

fn tongue(block: &'static str) -> Tongue {
    let mut lines = block.lines();
    let language = Language::from_code(lines.next().unwrap()).unwrap();
    let parts = |sign: &str| -> Vec<&'static str> {
        let line = block.lines().find_map(|line| line.strip_prefix(sign));
        line.unwrap().split(" / ").collect()
    };
    let (begins, ends) = (parts("+ "), parts("= "));
    let others = begins.iter().flat_map(|one| ends.iter().map(move |end| format!("{one} {end}")));
    let pairs = lines.filter_map(|line| line.split_once(" | ")).collect();
    Tongue { language, pairs, others: others.collect() }
}

impl Tongue {
    fn index(&self) -> Index {
        let mut index = Index::new();
        let notes = self.pairs.iter().map(|(note, _)| plain(note));
        for (id, text) in (0..).zip(notes.chain(self.others.iter().cloned())) {
            index.add(Note { id, text, ..Note::default() });
        }
        index
    }

    /// Whether the two words between stars have one stem.
    fn joins(&self, note: &str, question: &str) -> bool {
        let word = |text: &str| text.split('*').nth(1).unwrap().to_lowercase();
        let (one, other) = (word(note), word(question));
        assert_ne!(one, other, "not another form");
        fold(&self.language.stem(&one)) == fold(&self.language.stem(&other))
    }
}

fn plain(text: &str) -> String {
    text.replace('*', "")
}

#[test]
fn a_word_is_found_by_its_other_forms_in_every_language() {
    let count = |text: &str| text.len().div_ceil(4) as u32;
    let mut failed = Vec::new();
    for tongue in tongues() {
        let index = tongue.index();
        let (mut joined, mut first) = (0, 0);
        for (id, (note, question)) in (0..).zip(&tongue.pairs) {
            // What the stemmer does not join may be found or not.
            if !tongue.joins(note, question) {
                continue;
            }
            joined += 1;
            let asked = Question { text: plain(question), now: None };
            let chosen = recall(&index, &asked, 512, &count, &|_| true).notes;
            first += u32::from(chosen.first().is_some_and(|one| one.id == id));
            if chosen.iter().all(|one| one.id != id) {
                failed.push(format!("{}: {question} does not find {note}", tongue.language.code()));
            }
        }
        assert!(joined >= 9, "{}: {joined} joined", tongue.language.code());
        if first + 1 < joined {
            failed.push(format!("{}: {first} of {joined} are first", tongue.language.code()));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn the_table_has_every_language_and_enough_to_choose_from() {
    let tongues = tongues();
    let tried: BTreeSet<&str> = tongues.iter().map(|tongue| tongue.language.code()).collect();
    let all: BTreeSet<&str> = Language::all().map(Language::code).collect();
    assert_eq!(tried, all);
    for tongue in tongues {
        assert!(tongue.pairs.len() == 10 && tongue.others.len() >= 40, "{:?}", tongue.language);
    }
}
