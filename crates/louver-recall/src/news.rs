//! Facts that changed: the newest of them first, the older ones marked.

use crate::choose::Chosen;
use crate::question::Asked;
use crate::rank::{Changes, Shelf};
use std::collections::HashMap;

/// How near notes must be in what they mean to tell the same fact, and how much of their words must agree.
const NEAR: f32 = 0.6;
const AGREE: f32 = 0.6;
/// So many words of them, too: "Ada likes tea" is no news of "Bo likes tea".
const TELLING: usize = 3;
/// Notes that agree so much tell the same fact, however few words that are.
const ALL_THE_SAME: f32 = 0.9;
/// How near notes must be that stand far down, where many are looked at.
const SURELY_NEAR: f32 = 0.85;

/// Of notes that tell the same fact, the newest stands first, and the others are marked.
pub(crate) fn newest_first(asked: &Asked, notes: &mut [Chosen], shelf: &impl Shelf) {
    let asked = forms(asked, shelf);
    let told: HashMap<u32, Told> =
        notes.iter().map(|note| (note.place, Told::by(&asked, shelf, note.place))).collect();
    let is_newer = |one: u32, two: u32| {
        let (own, other) = (&told[&one], &told[&two]);
        is_later(shelf, one, two) && own.is_same_fact(other, || nearness(shelf, one, two))
    };
    for at in 0..notes.len() {
        for other in at + 1..notes.len() {
            let (one, two) = (notes[at].place, notes[other].place);
            if is_newer(one, two) {
                notes.swap(at, other);
            } else if !is_newer(two, one) {
                continue;
            }
            let newer = notes[at].id;
            notes[other].newer.get_or_insert(newer);
        }
    }
}

/// Whether a note surely tells anew what another tells, wherever it stands.
pub(crate) fn is_news(asked: &Asked, shelf: &impl Shelf, [place, other]: [u32; 2]) -> bool {
    let near = nearness(shelf, place, other);
    if near < SURELY_NEAR || !is_later(shelf, place, other) {
        return false;
    }
    let asked = forms(asked, shelf);
    let told = |place: u32| Told::by(&asked, shelf, place);
    told(place).is_same_fact(&told(other), || near)
}

/// The words that are asked for.
fn forms(asked: &Asked, shelf: &impl Shelf) -> Vec<u32> {
    let telling = asked.terms.iter().filter(|term| !term.asks);
    telling.flat_map(|term| shelf.forms(term)).collect()
}

/// Whether the same one says the second after the first. Who only asks for a fact tells nothing new of it.
fn is_later(shelf: &impl Shelf, one: u32, two: u32) -> bool {
    let (Some(first), Some(second)) = (shelf.note(one), shelf.note(two)) else { return false };
    let asks = |place: u32| shelf.reading(place).is_some_and(|reading| reading.only_asks);
    first.at.is_some()
        && second.at > first.at
        && shelf.speaker(one) == shelf.speaker(two)
        && !asks(one)
        && !asks(two)
}

fn nearness(shelf: &impl Shelf, one: u32, two: u32) -> f32 {
    shelf.vector(one).zip(shelf.vector(two)).map_or(0.0, |(one, two)| one.dot(two))
}

/// The words with which a note tells a fact, each once and in order. Numbers are not among them: they are
/// what changes.
struct Told {
    words: Vec<u32>,
    /// Those of all its words that are asked for. Of Anna's passport and Ben's only one answers for Anna.
    asked: Vec<u32>,
    /// What is told of March is no news of what is told of April.
    months: Vec<u32>,
}

impl Told {
    fn by(asked: &[u32], shelf: &impl Shelf, place: u32) -> Told {
        let passages = shelf.reading(place).map_or(&[][..], |reading| &reading.passages);
        let mut words: Vec<u32> = passages.iter().flatten().copied().collect();
        words.sort_unstable();
        words.dedup();
        let some = |which: Changes| -> Vec<u32> {
            words.iter().copied().filter(|word| shelf.changes(*word) == which).collect()
        };
        let mut asked = asked.to_vec();
        asked.retain(|word| words.binary_search(word).is_ok());
        Told { asked, words: some(Changes::No), months: some(Changes::Month) }
    }

    /// Whether two notes tell the same fact, perhaps changed: most of their words agree, and so does what
    /// they mean. In a script that word pieces say little of, any two mean much the same or little: there
    /// the words must do.
    fn is_same_fact(&self, other: &Told, nearness: impl FnOnce() -> f32) -> bool {
        let (one, two) = (&self.words, &other.words);
        let (least, most) = (one.len().min(two.len()) as f32, one.len().max(two.len()) as f32);
        let differ = self.asked != other.asked || self.months != other.months;
        if least < AGREE * most || most == 0.0 || differ {
            return false;
        }
        let both = one.iter().filter(|word| two.binary_search(word).is_ok()).count();
        let agree = both as f32 / most;
        let as_one = agree >= ALL_THE_SAME;
        (both >= TELLING || as_one)
            && agree >= AGREE
            && (as_one && both >= TELLING || nearness() >= NEAR)
    }
}
