//! The whole way: a question and a budget in, the notes that go into the prompt out.

use crate::choose::{Choice, choose};
use crate::embed::Small;
use crate::index::Index;
use crate::note::Note;
use crate::odds::{Fits, fits, generous};
use crate::question::{Asked, AskedTerm, Question, read};
use crate::rank::{Changes, Ranked, Shelf, rank};
use crate::reading::Reading;
use crate::when::{Span, hanging};
use jiff::civil::Date;

/// So many notes are found by words, and so many by meaning, before anything is compared closely.
/// Generous, because a note may answer through its neighbours or its session alone.
const FOUND: usize = 300;

/// Over so many notes, what stands far down by words and by meaning hardly ever comes into a usual budget, and time
/// counts. A larger budget has room for more.
const MANY: usize = 20_000;
const FOUND_OF_MANY: usize = 75;

/// A question, read, and the notes that may answer it, best first.
pub struct Found {
    /// The question, read.
    pub asked: Asked,
    /// The notes, best first.
    pub ranked: Vec<Ranked>,
}

/// An index as one sees it who may not know all of it. What may not be known stands beside nothing, so that no way
/// leads from a note to it.
#[derive(Clone, Copy)]
pub struct Permitted<'a> {
    /// All notes.
    pub index: &'a Index,
    /// Whether a note may be known.
    pub may: &'a dyn Fn(&Note) -> bool,
}

impl Shelf for Permitted<'_> {
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
        let may = |place: &u32| self.index.note(*place).is_some_and(self.may);
        self.index.beside(place).map(|beside| beside.filter(may))
    }

    fn resumed(&self, place: u32) -> Option<u32> {
        let may = |place: &u32| self.index.note(*place).is_some_and(self.may);
        self.index.resumed(place).filter(may)
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
}

/// Finds and ranks the notes for a question. Notes that `may` refuses are not looked at: those that
/// are in view already, and those of other people's conversations. Who chooses from what was found does so from a
/// [`Permitted`] shelf, as [`recall`] does, and for no more than a usual budget.
pub fn find(index: &Index, question: &Question, may: &dyn Fn(&Note) -> bool) -> Found {
    find_for(index, question, 0, may)
}

fn find_for(index: &Index, question: &Question, budget: u32, may: &dyn Fn(&Note) -> bool) -> Found {
    let mut asked = read(question, &index.languages(), index.table());
    if let Some(hanging) = hanging(&question.text) {
        let event = Question { text: hanging.event.clone(), now: question.now };
        let event = read(&event, &index.languages(), index.table());
        let found = look(index, event, 0, may);
        let days = days_of(&found.asked, &found.ranked, index);
        let spans = days.into_iter().filter_map(|day| hanging.from(day, question.now));
        asked.means(&hanging.said, spans);
    }
    look(index, asked, budget, may)
}

fn look(index: &Index, mut asked: Asked, budget: u32, may: &dyn Fn(&Note) -> bool) -> Found {
    index.widen(&mut asked);
    let candidates = index.candidates(&asked, found(index.len(), budget), may);
    let ranked = rank(&asked, &candidates, &Permitted { index, may }, index.table());
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
    let found = find_for(index, question, budget, may);
    choose(&found.asked, &found.ranked, &Permitted { index, may }, index.table(), budget, count)
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

/// How many notes are looked for by words, and how many by meaning, among so many and for a budget.
pub fn found(notes: usize, budget: u32) -> usize {
    match notes > MANY {
        true => FOUND.min((FOUND_OF_MANY as f32 * generous(budget)) as usize),
        false => FOUND,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_notes_a_larger_budget_finds_more() {
        let among = |notes| [0, 2048, 4096, 8192, 1_000_000].map(|budget| found(notes, budget));
        assert_eq!(among(MANY), [300; 5]);
        assert_eq!(among(MANY + 1), [75, 75, 150, 300, 300]);
    }
}
