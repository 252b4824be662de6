//! How likely it is that there is something to find, and how much of a budget that is worth.

use crate::days;
use crate::fuse::are_enough;
use crate::question::{About, Asked, AskedTerm};
use crate::rank::{BEST, Parts, Ranked, Shelf};
use crate::when::Span;

/// How well anything fits the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fits {
    /// There is something to find.
    Well,
    /// There may be. Part of the budget is spent.
    Perhaps,
    /// There is not.
    #[default]
    No,
}

/// How sure it is that there is something to find: how much of the question the best notes cover, how
/// near they are, and whether it speaks of what these notes speak of.
///
/// It is the logarithm of odds, fitted on questions asked to the notes they belong to and to others, and
/// checked on sets it was not fitted on.
pub fn strength(asked: &Asked, ranked: &[Ranked], shelf: &impl Shelf) -> f32 {
    let Some(first) = ranked.first() else { return f32::NEG_INFINITY };
    // What was said on the day that is asked about need not say what is asked. In a month much is said.
    let days = asked.spans.iter().map(Span::days).min().unwrap_or(1);
    if asked.is_of_days_alone() && days <= days::ASKED {
        // All notes of these days were looked at.
        return if has_of_days(ranked) { f32::INFINITY } else { f32::NEG_INFINITY };
    }
    if asked.is_of_task_alone() && has_of_task(ranked) {
        return f32::INFINITY;
    }
    let of_that_day = first.parts.time > 0.0;
    let that_day = if of_that_day { 4.0 * (WEEK / days as f32).min(1.0) } else { 0.0 };
    best_side(asked, ranked, shelf)
        + exactly(asked, first)
        + that_day
        + 4.2 * first.parts.heading / Parts::WEIGHTS.heading
        - BY_CHANCE * (shelf.notes() as f32 / FEW).max(1.0).ln()
        + little(shelf)
        + sensed(ranked, shelf)
        - 6.3
}

/// How far above the mean of all notes the nearest by a sentence model stands, of what is above that mean: at this share it
/// says nothing, and a step counts so much, up to so much. Two models that give quite other cosines agree on it.
const NO_NEARER: f32 = 0.33;
const NEARER: f32 = 20.0;
const MOST_NEARER: f32 = 3.0;

fn sensed(ranked: &[Ranked], shelf: &impl Shelf) -> f32 {
    let senses: Vec<Option<f32>> = ranked.iter().map(|one| shelf.sense(one.place)).collect();
    if !are_enough(&senses) {
        return 0.0;
    }
    let known = || senses.iter().flatten();
    let mean = known().sum::<f32>() / known().count() as f32;
    let nearest = known().copied().fold(mean, f32::max);
    let share = (nearest - mean) / (1.0 - mean).max(f32::EPSILON);
    (NEARER * (share - NO_NEARER)).clamp(-MOST_NEARER, MOST_NEARER)
}

/// How well the notes fit the whole message, or that sentence of it which they fit best: what else it tells of need not
/// be in any note.
fn best_side(asked: &Asked, ranked: &[Ranked], shelf: &impl Shelf) -> f32 {
    let Some(first) = ranked.first() else { return f32::NEG_INFINITY };
    let nearest =
        |of: &dyn Fn(&Ranked) -> f32| ranked.iter().take(BEST).map(of).fold(0.0, f32::max);
    let whole = Side {
        terms: asked.terms.iter().collect(),
        cover: first.cover,
        nearest: nearest(&|one| one.cosine),
    };
    let names = whole.terms.iter().filter(|term| term.name).count();
    let foreign = Foreign::of(&whole.terms, shelf);
    // Of a word or two the best note can hardly cover more than one that has nothing to do with it. Where no note says
    // one of them, that is likely so; and where they say nothing, unless it is asked about what was said or about who asks.
    let likely = foreign.absent < HARDLY && (foreign.says_one || asked.about != About::Anyone);
    let vague = if asked.terms.len() <= 2 && names == 0 && likely { 2.0 } else { 0.0 };
    let sides = first.sides.iter().enumerate().filter_map(|(number, (cover, _))| {
        let terms: Vec<&AskedTerm> = asked.terms.iter().filter(|term| term.is_in(number)).collect();
        let says = terms.iter().filter(|term| term.says()).count();
        let nearest = nearest(&|one| one.sides.get(number).map_or(0.0, |(_, cosine)| *cosine));
        let sentence = &asked.sentences[number];
        let asks = sentence.of_several || sentence.asks_beside && first.answers_what_asks();
        let enough = if asks { 1 } else { SAYS_ENOUGH };
        (says >= enough).then_some(Side { terms, cover: *cover, nearest })
    });
    let several = SEVERAL * (first.sides.len().max(1) as f32).ln();
    sides.map(|side| side.strength(shelf) - several).fold(vague + whole.strength(shelf), f32::max)
}

/// A sentence with fewer words that say something is not judged by itself.
const SAYS_ENOUGH: usize = 2;
/// Of several sentences one is likelier to look like it by chance.
const SEVERAL: f32 = 1.0;

/// A message or a sentence of it, and how well the best notes fit that.
struct Side<'a> {
    terms: Vec<&'a AskedTerm>,
    /// How much of it the first covers.
    cover: f32,
    /// How near the nearest is.
    nearest: f32,
}

impl Side<'_> {
    fn strength(&self, shelf: &impl Shelf) -> f32 {
        // What the words of some scripts mean is not known: then one that covers the question is as near as others.
        let nearest = match self.terms.iter().any(|term| term.vector.scale > 0.0) {
            true => self.nearest,
            false => self.cover / 2.0,
        };
        let names = self.terms.iter().filter(|term| term.name);
        let known: Vec<bool> = names.map(|name| !shelf.forms(name).is_empty()).collect();
        let unknown =
            known.iter().filter(|known| !**known).count() as f32 / known.len().max(1) as f32;
        let Foreign { rare, absent, .. } = Foreign::of(&self.terms, shelf);
        8.5 * self.cover + 6.5 * nearest - 4.2 * rare - 6.0 * absent - 1.9 * unknown
    }
}

/// What is found as it is written is found, and what is not is not: there need not be more to the question.
fn exactly(asked: &Asked, first: &Ranked) -> f32 {
    match first.parts.phrase > 0.0 {
        true => EXACT,
        false if asked.is_exact_alone() => -EXACT,
        false => 0.0,
    }
}

const EXACT: f32 = 4.0;

/// Whether something is of the days that are asked for.
pub(crate) fn has_of_days(ranked: &[Ranked]) -> bool {
    ranked.iter().any(|one| one.parts.time > 0.0)
}

/// Whether something has the box that is asked for.
pub(crate) fn has_of_task(ranked: &[Ranked]) -> bool {
    ranked.iter().any(|one| one.parts.task > 0.0)
}

/// Among more notes, one is likelier to look like the answer by chance. Up to so many it does not count.
const FEW: f32 = 400.0;
const BY_CHANCE: f32 = 0.3;

/// With fewer words than these in all notes, a question finds less that is like it, whether they answer it or not: what is
/// there counts for more, down to so few words. A hundred notes are too few to tell.
const MUCH: f32 = 35_000.0;
const LITTLE: f32 = 2_000.0;
const COUNTS_MORE: f32 = 1.5;

fn little(shelf: &impl Shelf) -> f32 {
    let words = (shelf.length() as f32).clamp(LITTLE, MUCH);
    let enough = 1.0 - MANY / (shelf.notes() as f32).max(MANY);
    COUNTS_MORE * enough * (MUCH / words).ln()
}

const WEEK: f32 = 7.0;

/// How well anything fits the question.
pub fn fits(asked: &Asked, ranked: &[Ranked], shelf: &impl Shelf) -> Fits {
    room(strength(asked, ranked, shelf), 0).0
}

/// How foreign the words of a question are to the notes. Few notes say little about that.
struct Foreign {
    /// How rare those are that notes say: people ask about what is often spoken of.
    rare: f32,
    /// The share of those that none says.
    absent: f32,
    /// Whether a note says one of them.
    says_one: bool,
}

/// Less than this share of a question is hardly anything: of few notes, nothing is.
const HARDLY: f32 = 0.25;
/// With so many notes, what they do not say counts half.
const MANY: f32 = 100.0;
/// The logarithm of how rare words are, of the rarest there can be, where it counts for neither side.
const USUAL: f32 = -0.85;
/// No word counts as more usual than this share of the rarest.
const LEAST_RARE: f32 = 0.02;

impl Foreign {
    fn of(terms: &[&AskedTerm], shelf: &impl Shelf) -> Foreign {
        let all = shelf.notes() as f32;
        let rarest = (1.0 + (all + 0.5) / 0.5).ln();
        let (mut said, mut absent, mut logs) = (0.0, 0.0, 0.0);
        for term in terms.iter().filter(|term| !term.asks) {
            if shelf.forms(term).is_empty() {
                absent += if term.loose { 0.0 } else { 1.0 };
            } else {
                said += 1.0;
                logs += (shelf.rarity(term) / rarest).max(LEAST_RARE).ln();
            }
        }
        let told = all / (all + MANY);
        let rare = if said > 0.0 { logs / said } else { 0.0 } - USUAL;
        let absent = told * absent / f32::max(said + absent, 1.0);
        Foreign { rare: told * rare, absent, says_one: said > 0.0 }
    }
}

/// So many tokens may be spent where it is as likely as not that there is something, and so many times
/// more, as a logarithm, for each step that it is likelier. The first tokens hold the most, so what is
/// doubtful is worth a few of them, however small the budget.
const EVEN: f32 = 750.0;
const STEEP: f32 = 1.2;
/// Who gives a larger budget than this wants more, of what is doubtful too.
const USUAL_BUDGET: f32 = 2048.0;
/// Where there is a chance, the best note is in.
const LEAST_ROOM: f32 = 100.0;
/// Below this there is hardly one: a short note is all that is worth it.
const UNLIKELY: f32 = -4.0;
const SHORT_NOTE: f32 = 60.0;
/// Below this nothing is spent, and from the other on the whole budget may be.
const NOTHING: f32 = -6.0;
const SURE: f32 = 1.5;

/// How many times the usual budget may be spent.
pub(crate) fn generous(budget: u32) -> f32 {
    (budget as f32 / USUAL_BUDGET).max(1.0)
}

/// What of the budget may be spent. The weaker the best notes are, the less.
pub fn room(strength: f32, budget: u32) -> (Fits, u32) {
    if strength < NOTHING {
        return (Fits::No, 0);
    }
    if strength >= SURE {
        return (Fits::Well, budget);
    }
    let least = if strength < UNLIKELY { SHORT_NOTE } else { LEAST_ROOM };
    let tokens = (generous(budget) * EVEN * (STEEP * strength).exp()).max(least);
    (Fits::Perhaps, budget.min(tokens as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use crate::note::Note;

    #[test]
    fn what_few_words_have_in_common_with_a_question_counts_for_more() {
        let of = |notes: u64, text: &str| {
            let mut index = Index::new();
            for id in 0..notes {
                index.add(Note { id, text: text.to_owned(), ..Note::default() });
            }
            little(&index)
        };
        let long = "The rear pads and discs of the car came to 285 pounds. ".repeat(20);
        let (few, short, long) =
            (of(60, "Rear pads, 285."), of(300, "Rear pads, 285."), of(300, &long));
        assert!(few == 0.0 && short > 2.0 && long < short / 2.0, "{few}, {short}, {long}");
    }

    #[test]
    fn what_is_doubtful_costs_a_few_tokens_and_of_a_large_budget_a_share() {
        let spent = |strength| [512, 2048, 8192, 32_768].map(|budget| room(strength, budget).1);
        assert_eq!(spent(f32::NEG_INFINITY), [0; 4]);
        assert_eq!(spent(f32::INFINITY), [512, 2048, 8192, 32_768]);
        let [small, usual, large, huge] = spent(-0.5);
        assert_eq!((small, usual), (411, 411));
        // From the usual budget on it is the same share.
        assert!(
            large.abs_diff(4 * usual) <= 4 && huge.abs_diff(16 * usual) <= 16,
            "{large}, {huge}"
        );
        // A weak chance is one note.
        assert_eq!(spent(-3.9)[..2], [100; 2]);
        assert_eq!(room(-3.9, 50), (Fits::Perhaps, 50));
        assert_eq!(spent(-5.0)[..2], [60; 2]);
    }
}
