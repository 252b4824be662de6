//! A sentence model ranks in place of word pieces, and where it says nothing nothing changes.
#![allow(clippy::unwrap_used)]

use louver_recall::embed::Small;
use louver_recall::index::Index;
use louver_recall::note::Note;
use louver_recall::odds::strength;
use louver_recall::question::{AskedTerm, Question, read};
use louver_recall::rank::{Changes, Parts, Ranked, Shelf, rank};
use louver_recall::reading::Reading;
use louver_recall::recall::find;

const TEXTS: [&str; 12] = [
    "My dog is called Biscuit and he turned six in May.",
    "The puppy next door is a menace.",
    "I'm allergic to peanuts, so no satay for me.",
    "We moved to Lisbon last autumn because of Ana's job.",
    "The wifi password at the cabin is heron-42-blue.",
    "I drive a green 2012 Skoda Octavia.",
    "The vet says that Biscuit should lose weight.",
    "My train was late again this morning.",
    "Write me a haiku about autumn leaves.",
    "The concert on Saturday was sold out.",
    "I need ideas for a birthday present.",
    "It rained all weekend so we stayed in.",
];

const QUESTION: &str = "What is my dog called?";

/// An index, and how near a sentence model finds each note.
struct Sensed<'a> {
    index: &'a Index,
    near: &'a dyn Fn(u32) -> Option<f32>,
}

impl Shelf for Sensed<'_> {
    fn note(&self, place: u32) -> Option<&Note> {
        self.index.note(place)
    }
    fn text(&self, place: u32) -> Option<&str> {
        self.index.text(place)
    }
    fn reading(&self, place: u32) -> Option<&Reading> {
        self.index.reading(place)
    }
    fn beside(&self, place: u32) -> [Option<u32>; 2] {
        self.index.beside(place)
    }
    fn words(&self) -> usize {
        self.index.words()
    }
    fn word(&self, word: u32) -> Option<&Small> {
        self.index.word(word)
    }
    fn changes(&self, word: u32) -> Changes {
        self.index.changes(word)
    }
    fn forms(&self, term: &AskedTerm) -> Vec<u32> {
        self.index.forms(term)
    }
    fn notes(&self) -> usize {
        self.index.notes()
    }
    fn length(&self) -> u64 {
        self.index.length()
    }
    fn rarity(&self, term: &AskedTerm) -> f32 {
        self.index.rarity(term)
    }
    fn sense(&self, place: u32) -> Option<f32> {
        (self.near)(place)
    }
}

fn index() -> Index {
    let mut index = Index::new();
    for (id, text) in (0..).zip(TEXTS) {
        let session = format!("s{}", id / 4);
        index.add(Note { id, text: text.into(), session, ..Note::default() });
    }
    index
}

fn ranked(index: &Index, near: &dyn Fn(u32) -> Option<f32>) -> Vec<Ranked> {
    let question = Question { text: QUESTION.into(), now: None };
    let asked = read(&question, &index.languages(), index.table());
    let candidates = index.candidates(&asked, 100, &|_| true);
    rank(&asked, &candidates, &Sensed { index, near }, index.table())
}

fn odds(index: &Index, near: &dyn Fn(u32) -> Option<f32>) -> f32 {
    let question = Question { text: QUESTION.into(), now: None };
    let asked = read(&question, &index.languages(), index.table());
    strength(&asked, &ranked(index, near), &Sensed { index, near })
}

#[test]
fn a_sentence_model_tells_whether_anything_is_near_whatever_its_cosines_are() {
    let index = index();
    let plain = odds(&index, &|_| None);
    for [usual, near] in [[0.1, 0.6], [0.78, 0.9]] {
        let stands_out = odds(&index, &|place| Some(if place == 0 { near } else { usual }));
        let is_usual = odds(&index, &|place| Some(usual + 0.002 * place as f32));
        assert!(stands_out > plain && is_usual < plain, "{stands_out}, {plain}, {is_usual}");
    }
    assert_eq!(odds(&index, &|place| (place < 7).then_some(0.9)), plain);
}

fn of(ranked: &[Ranked], place: u32) -> &Ranked {
    ranked.iter().find(|ranked| ranked.place == place).unwrap()
}

#[test]
fn without_a_sentence_model_ranks_are_what_they_were() {
    let index = index();
    let question = Question { text: QUESTION.into(), now: None };
    let plain = find(&index, &question, &|_| true).ranked;
    assert_eq!(plain.len(), TEXTS.len());
    assert_eq!(ranked(&index, &|_| None), plain);
    // Nor with one that has read so few notes that the rest cannot be compared with them.
    assert_eq!(ranked(&index, &|place| (place < 7).then_some(0.9)), plain);
}

#[test]
fn a_sentence_model_changes_what_a_note_means_and_what_follows_from_that() {
    let index = index();
    let plain = ranked(&index, &|_| None);
    let sensed = ranked(&index, &|place| Some(if place == 7 { 0.8 } else { 0.1 }));
    // It counts for more than word pieces do.
    let worth = 6.0 * Parts::WEIGHTS.meaning;
    for note in &sensed {
        let before = of(&plain, note.place);
        let expected = if note.place == 7 { worth } else { 0.0 };
        assert_eq!(note.parts.meaning, expected, "{}", note.place);
        let (meaning, talk) = (note.parts.meaning, note.parts.talk);
        assert_eq!(Parts { meaning, talk, ..before.parts }, note.parts, "{}", note.place);
        assert_eq!((note.cover, note.cosine), (before.cover, before.cosine));
    }
}

#[test]
fn notes_that_the_model_has_not_read_keep_their_standing_among_the_rest() {
    let index = index();
    let plain = ranked(&index, &|_| None);
    // A model on another scale that agrees with the word pieces about all it has read.
    let meaning = |place: u32| of(&plain, place).parts.meaning;
    let sensed = ranked(&index, &|place| (place != 0).then(|| 0.4 + 0.1 * meaning(place)));
    let top = |ranked: &[Ranked]| {
        ranked.iter().max_by(|a, b| a.parts.meaning.total_cmp(&b.parts.meaning)).unwrap().place
    };
    assert_eq!((top(&plain), top(&sensed)), (0, 0));
    for note in &sensed {
        let (now, before) = (note.parts.meaning / 6.0, meaning(note.place));
        assert!((now - before).abs() < 0.01, "{}: {now}, {before}", note.place);
    }
}
