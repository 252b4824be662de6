//! Notes that speak of whom or what the best one speaks of.
//!
//! "Babysitter: Lieke, 18 francs an hour" answers what the babysitter is paid. "Lieke wants 22 now" does too, and has no
//! word of the question: all that leads there is a name that hardly any other note has.

use crate::question::Asked;
use crate::rank::{Changes, Ranked, Shelf};
use crate::rare::{Rare, words};
use std::collections::HashSet;

/// A word that no more than one in so many of the candidates says is rare, and so is one that no more than so many do.
const RARE: usize = 50;
const FEW: u16 = 3;

/// Among fewer notes than these many a common word is rare by chance.
const TELLING: f32 = 300.0;

/// In a note of more words than this a rare one is there by chance more often, the more so the longer it is.
const SHORT: f32 = 30.0;
const CHANCE: f32 = 2.0;

/// How rare the rarest word is that each of some notes, best first, shares with the best of those that tell something,
/// from 0 to 1, and the place of that best. What the question says itself is no link.
pub(crate) fn kin(asked: &Asked, ranked: &[Ranked], shelf: &impl Shelf) -> Option<(u32, Vec<f32>)> {
    let best = best(ranked, shelf)?;
    let (rare, links) = (Rare::among(ranked, shelf), links(asked, best.place, shelf));
    let all = ranked.len() as f32;
    let whole = all.max(TELLING).ln();
    let most = FEW.max((ranked.len() / RARE) as u16);
    let rarity = |word: u32| match (links.get(word as usize), rare.said(word)) {
        (Some(true), said) if said <= most => (all / f32::from(said)).ln() / whole,
        _ => 0.0,
    };
    let kin = |one: &Ranked| {
        if one.place == best.place {
            return 0.0;
        }
        let rarest = words(one.place, shelf).map(rarity).fold(0.0, f32::max);
        let longer = (length(best, shelf).max(length(one, shelf)) / SHORT).max(1.0);
        rarest / (1.0 + CHANCE * longer.ln())
    };
    Some((best.place, ranked.iter().map(kin).collect()))
}

/// The best of those that tell something.
fn best<'a>(ranked: &'a [Ranked], shelf: &impl Shelf) -> Option<&'a Ranked> {
    let tells = |one: &&Ranked| shelf.reading(one.place).is_some_and(|reading| !reading.only_asks);
    ranked.iter().find(tells)
}

fn length(one: &Ranked, shelf: &impl Shelf) -> f32 {
    shelf.reading(one.place).map_or(0.0, |reading| reading.length as f32)
}

/// Which words of a note may lead to others, by their numbers.
fn links(asked: &Asked, place: u32, shelf: &impl Shelf) -> Vec<bool> {
    let asked: HashSet<u32> = asked.terms.iter().flat_map(|term| shelf.forms(term)).collect();
    let mut links = vec![false; shelf.words()];
    for word in words(place, shelf) {
        if let Some(link) = links.get_mut(word as usize) {
            *link = !asked.contains(&word) && shelf.changes(word) == Changes::No;
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use crate::index::Index;
    use crate::note::{Note, Voice};
    use crate::question::Question;
    use crate::rank::Ranked;
    use crate::recall::find;

    const LIFE: [&str; 10] = [
        "Babysitter: Lieke, 17, from upstairs, 18 francs an hour",
        "Lieke is back after the summer but wants 22 now, fair",
        "The roof window drips again",
        "Emil caught a trout by the lake",
        "Paid the dentist, 420 in all",
        "Book club is at our place in May",
        "The dog eats carrots and is thinner for it",
        "New tyres for the bike, blue ones",
        "Mum wants the recipe of the plum cake",
        "Ordered two hives for the allotment",
    ];

    fn ranked(notes: &[&str], question: &str) -> Vec<Ranked> {
        let mut index = Index::new();
        for (id, text) in (0..).zip(notes) {
            let (text, session, voice) = ((*text).into(), format!("s{id}"), Voice::Person);
            index.add(Note { id, text, session, voice, ..Note::default() });
        }
        find(&index, &Question { text: question.into(), now: None }, &|_| true).ranked
    }

    fn kin(notes: &[&str], question: &str) -> Vec<u32> {
        let ranked = ranked(notes, question);
        ranked.iter().filter(|one| one.parts.kin > 0.0).map(|one| one.place).collect()
    }

    #[test]
    fn a_name_leads_from_the_best_note_to_what_says_nothing_of_the_question() {
        let question = "What does the babysitter get an hour?";
        assert_eq!(kin(&LIFE, question), [1]);
        // What is asked for by its name needs no such way.
        assert!(kin(&LIFE, "How much does Lieke the babysitter get?").is_empty());
    }

    #[test]
    fn what_is_kin_is_kin_to_the_note_that_was_best_before_it_counted() {
        let mut notes = LIFE.to_vec();
        notes[0] = "Our babysitter Lieke gets here in an hour";
        notes.push("The babysitter Lieke gets here in an hour");
        let ranked = ranked(&notes, "What does the babysitter get an hour?");
        // The first stands there for the name it shares, and what shares the name is still kin to the other.
        assert_eq!(ranked[0].place, 0);
        let of =
            |place: u32| ranked.iter().find(|one| one.place == place).and_then(|one| one.kin_of);
        assert_eq!([of(10), of(1), of(0)], [None, Some(10), Some(10)]);
    }

    #[test]
    fn what_many_notes_say_leads_nowhere() {
        let many: Vec<String> = (0..8).map(|n| format!("Lieke came by, number {n}")).collect();
        let many = many.iter().map(String::as_str).chain(LIFE).collect::<Vec<_>>();
        assert!(kin(&many, "What does the babysitter get an hour?").is_empty());
    }

    #[test]
    fn in_a_long_note_a_rare_word_is_worth_less() {
        let worth = |notes: &[&str]| {
            let ranked = ranked(notes, "What does the babysitter get an hour?");
            ranked.iter().find(|one| one.place == 1).map(|one| one.parts.kin).unwrap_or_default()
        };
        let mut notes = LIFE;
        let long = format!(
            "Lieke wants 22 now. {}",
            "Words and more words of another matter. ".repeat(20)
        );
        notes[1] = &long;
        assert!(worth(&notes) > 0.0 && worth(&notes) < worth(&LIFE) / 2.0);
    }
}
