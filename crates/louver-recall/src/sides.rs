//! A message, sentence by sentence: it may speak of more than it asks for.
//!
//! "I took the washing in because it rains. Which solicitor do we have?" is two things, and what covers the second says
//! nothing of the first. So a note that covers all of a sentence that asks, beside others that only tell, answers the message.

use crate::embed::Small;
use crate::matcher::Matcher;
use crate::question::{About, Asked, AskedTerm, Wants, leans};
use crate::reading::Reading;
use crate::words;
use crate::{clauses, cues, requests};

/// One sentence of a message.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    /// What it means.
    pub(crate) vector: Small,
    /// Whether it asks, and others only tell.
    pub(crate) asks_beside: bool,
    /// Whether it is one of several questions, each of which stands by itself.
    pub(crate) of_several: bool,
    /// What an answer to it would hold.
    pub(crate) wants: Wants,
}

/// Which of the sentences of a message ask, where others only tell: those at its end, for what is told after a question is
/// mostly how to answer it. None do where one of them leans on what is told, or asks for something to be done: what is told
/// is what it is to be done with.
pub(crate) fn asking(sentences: &[&str]) -> Vec<bool> {
    let asks = |said: &&str| said.contains(['?', '？']) || clauses::only_asks(said);
    let told = sentences.iter().rposition(|said| !asks(said)).map_or(0, |last| last + 1);
    let (tell, ask) = sentences.split_at(told);
    let stands = |said: &&str| asks_for_facts(said) && !leans(said);
    let beside = tell.last().is_some_and(|last| !is_cut_short(last))
        && ask.iter().all(stands)
        && !tell.iter().any(|said| speaks_of_talk(said));
    (0..sentences.len()).map(|number| beside && number >= told).collect()
}

/// Whether a sentence says in which talk the answer is: "You told me about that fair", "back to our chat about rings".
fn speaks_of_talk(said: &str) -> bool {
    let folded = words::fold(said);
    let mut words = folded.split(|c: char| !c.is_alphanumeric());
    cues::about(&folded) == About::You || words.any(|word| words::is_among(TALK, word))
}

const TALK: &str = "conversation conversations chat chats talk talked discussed discussion remember mentioned \
    gesprach gesprochen besprochen unterhaltung conversation parle discute conversacion hablamos hablado \
    conversazione parlato discusso conversa falamos conversamos gesprek besproken";

/// Whether what ends here may go on after an initial or a title: "F. Gary Gray", "Dr. Lund".
fn is_cut_short(said: &str) -> bool {
    let last = said.split_whitespace().next_back().unwrap_or_default();
    last.ends_with('.') && last.len() <= TITLE && last.starts_with(char::is_uppercase)
}

/// A title has no more bytes than this, with its full stop.
const TITLE: usize = 4;

/// Whether a sentence that asks is after what is known, and not after something new: "can you tell me" is no "can I make".
pub(crate) fn asks_for_facts(said: &str) -> bool {
    let apart = words::padded(&words::fold(said));
    let told = ["can you", "could you", "kannst du", "peux tu", "puedes", "puoi", "kun je"]
        .iter()
        .fold(apart, |apart, polite| apart.replace(&format!(" {polite} "), " "));
    let asks_anew = told.split(' ').any(|word| words::is_among(FOR_SOMETHING_NEW, word));
    !asks_anew && (clauses::only_asks(said) || !requests::requests(&words::fold(said)))
}

/// Words of questions for something new.
const FOR_SOMETHING_NEW: &str = "would could should can might suggest recommend advise advice help idea ideas tips suggestions \
    soll sollte sollten konnte konnten kann wurde wurdest ideen devrais devrait pourrais pourrait peux peut puis idees \
    deberia deberiamos podria podriamos puedo dovrei dovremmo potrei potremmo posso idee deveria poderia zou zouden kan kun";

/// A message of so many sentences is compared sentence by sentence too. So is one whose question the best note answers.
pub(crate) const LONG_MESSAGE: usize = 3;
/// So many of them are.
const MOST: usize = 64;

/// How much of each sentence of a message a note covers, and how near it is to it.
pub(crate) fn sides(
    asked: &Asked,
    (reading, heading): (&Reading, f32),
    matcher: &mut Matcher,
) -> Vec<(f32, f32)> {
    let covers = matcher.covers(reading, heading, &terms(asked));
    let near = asked.sentences.iter().map(|sentence| sentence.vector.dot(&reading.vector));
    covers.into_iter().zip(near).collect()
}

/// The terms of each sentence, by their places.
fn terms(asked: &Asked) -> Vec<Vec<usize>> {
    let all = asked.terms.iter().enumerate();
    let of =
        |number| all.clone().filter(|(_, term)| term.is_in(number)).map(|(at, _)| at).collect();
    (0..asked.sentences.len().min(MOST)).map(of).collect()
}

/// From this on a note begins to cover a sentence, and from this on it means what that means.
pub(crate) const COVERS: f32 = 0.5;
const MEANS: f32 = 0.4;

/// How well a note with these sides answers the sentence that asks, where others only tell: 0 to 1.
pub(crate) fn answers(asked: &Asked, sides: &[(f32, f32)]) -> f32 {
    let all = asked.sentences.iter().zip(sides).enumerate();
    let asking = all.filter(|(_, (sentence, _))| sentence.asks_beside);
    let answers = asking.map(|(number, (_, (cover, cosine)))| {
        let says = |term: &AskedTerm| term.is_in(number) && term.says();
        // What the words of some scripts mean is not known.
        let known = asked.terms.iter().any(|term| says(term) && term.vector.scale > 0.0);
        let means = if known { cosine / MEANS } else { 1.0 };
        let covers =
            if asked.terms.iter().any(says) { (cover - COVERS) / (1.0 - COVERS) } else { 0.0 };
        covers.clamp(0.0, 1.0) * means.clamp(0.0, 1.0)
    });
    answers.fold(0.0, f32::max)
}
