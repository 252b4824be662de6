//! The whole way: a question and a budget in, the notes that go into the prompt out.

use crate::choose::{Choice, choose};
use crate::index::Index;
use crate::note::Note;
use crate::odds::{Fits, fits};
use crate::question::{Asked, Question, read};
use crate::rank::{Ranked, Shelf, rank};
use crate::when::{Span, hanging};
use jiff::civil::Date;

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
    let mut asked = read(question, &index.languages(), index.table());
    if let Some(hanging) = hanging(&question.text) {
        let question = Question { text: hanging.event.clone(), now: question.now };
        let event = read(&question, &index.languages(), index.table());
        let found = look(index, event, may);
        let days = days_of(&found.asked, &found.ranked, index);
        asked.means(&hanging.said, days.into_iter().filter_map(|day| hanging.from(day)));
    }
    look(index, asked, may)
}

fn look(index: &Index, mut asked: Asked, may: &dyn Fn(&Note) -> bool) -> Found {
    index.widen(&mut asked);
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

/// So many notes about an event are asked when it was.
const WITNESSES: usize = 3;
/// They say nearly as much of it as the best.
const AS_GOOD: f32 = 0.9;
/// A note that names no fewer days than this does not say when something was.
const VAGUE: i32 = 8;

/// When the event that was asked about may have been: what the best notes say, or when they were written.
/// Nothing where none clearly is about it.
pub fn days_of(asked: &Asked, ranked: &[Ranked], shelf: &impl Shelf) -> Vec<Date> {
    let Some(best) = ranked.first().filter(|_| fits(asked, ranked, shelf) == Fits::Well) else {
        return Vec::new();
    };
    let good = ranked.iter().filter(|ranked| ranked.cover >= AS_GOOD * best.cover);
    let told = |ranked: &Ranked| {
        let told = shelf.reading(ranked.place)?.spans.iter().find_map(|span| match span {
            Span::Days(from, _) if span.days() < VAGUE => Some(*from),
            _ => None,
        });
        told.map(|day| (day, true)).or_else(|| Some((shelf.note(ranked.place)?.at?.date(), false)))
    };
    let days: Vec<(Date, bool)> = good.take(WITNESSES).filter_map(told).collect();
    // Who says when it was knows better than who speaks of it some other day.
    let say = days.iter().any(|(_, says)| *says);
    let mut days: Vec<Date> =
        days.into_iter().filter(|(_, says)| *says == say).map(|(day, _)| day).collect();
    days.sort_unstable();
    days.dedup();
    days
}

/// How many notes are looked for by words, and how many by meaning, among so many.
pub fn found(notes: usize) -> usize {
    if notes > MANY { FOUND_OF_MANY } else { FOUND }
}
