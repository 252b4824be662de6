//! The whole way: a question and a budget in, the notes that go into the prompt out.

use crate::choose::{Choice, choose};
use crate::index::Index;
use crate::note::Note;
use crate::question::{Asked, Question, read};
use crate::rank::{Ranked, rank};

/// So many notes are found by words, and so many by meaning, before anything is compared closely.
/// Generous, because a note may answer through its neighbours or its session alone.
const FOUND: usize = 300;

/// Over so many notes, what stands far down by words and by meaning is hardly ever it, and time counts.
const MANY: usize = 20_000;
const FOUND_OF_MANY: usize = 100;

/// A question, read, and the notes that may answer it, best first.
pub struct Found {
    /// The question, read.
    pub asked: Asked,
    /// The notes, best first.
    pub ranked: Vec<Ranked>,
}

/// Finds and ranks the notes for a question. Notes that `may` refuses are not looked at: those that
/// are in view already, and those of other people's conversations.
pub fn find(index: &Index, question: &Question, may: &dyn Fn(&Note) -> bool) -> Found {
    let asked = read(question, &index.languages(), index.table());
    let candidates = index.candidates(&asked, found(index.len()), may);
    let ranked = rank(&asked, &candidates, index, index.table());
    Found { asked, ranked }
}

/// Finds, ranks and chooses. The lines of what is chosen, counted by `count`, have at most `budget` tokens.
pub fn recall(
    index: &Index,
    question: &Question,
    budget: u32,
    count: &impl Fn(&str) -> u32,
    may: &dyn Fn(&Note) -> bool,
) -> Choice {
    let found = find(index, question, may);
    choose(&found.asked, &found.ranked, index, index.table(), budget, count)
}

/// How many notes are looked for by words, and how many by meaning, among so many.
pub fn found(notes: usize) -> usize {
    if notes > MANY { FOUND_OF_MANY } else { FOUND }
}
