//! Whether a message asks, clause by clause, and whether it does no more than that.

use crate::cues::about;
use crate::question::About;
use crate::words::{self, after, is_among, padded};

/// Words that begin a question when a question mark ends it: those with which people ask,
const BEGIN_QUESTIONS: &str = "what what's whats which who who's whos whose whom when when's where where's wheres why how how's hows \
    was wer wen wem wessen wo woher wohin wann warum wieso weshalb wie welche welcher welches welchen welchem \
    que qu'est quoi qui quand ou pourquoi comment quel quelle quels quelles combien \
    quien quienes donde adonde cuando cual cuales cuanto cuanta cuantos cuantas \
    cosa che chi dove quando perche come quale quali quanto quanta quanti quante dov'e cos'e qual \
    quem onde quais quantos quantas porque \
    wat waar wanneer waarom hoe welk hoeveel wiens";
/// and verbs.
const VERBS_BEGIN: &str = "do does did is are were has have had can could will would should am don't isn't didn't \
    ist sind war waren hat habe haben hatte kann konnen soll est es son tiene hay tengo ha hai sono posso tenho zijn heb heeft kan";
/// and what goes on from the question before: "and the one of Ada?"
const GO_ON: &str = "and und et y e en";
/// Without a question mark many begin something that is told ("When I fly I sit in front", "Was at the
/// notary", "Come spring"). These do not,
const ONLY_BEGIN_QUESTIONS: &str = "what's whats which who's whos whose when's where's wheres how's hows \
    welche welcher welches qu'est dov'e cos'e";
/// nor do any of the first before one of these.
const GO_ON_ASKING: &str = "is are was were do does did has have had can could will would should much many old far often \
    ist sind war waren hat heisst kostet viel viele est sont coute es esta son cuesta e sono costa fica custa heet kost veel";

/// Whether a message has a word with which people ask, or asks about who writes it.
pub(crate) fn asks(folded: &str) -> bool {
    let mut words = folded.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| is_among(BEGIN_QUESTIONS, word)) || about(folded) == About::Me
}

/// What ends a clause.
pub(crate) const CLAUSE_ENDS: [char; 12] =
    ['.', '!', '?', '？', '。', '！', '\n', ',', ';', '；', '，', '、'];

/// A question of more bytes than this tells something besides.
const LONGEST_QUESTION: usize = 120;

/// Whether a message does no more than ask. What stands beside a question in it may tell something, unless that asks, too.
pub(crate) fn only_asks(text: &str) -> bool {
    let apart = |c: char| c == ':' || CLAUSE_ENDS.contains(&c);
    let mut clauses =
        text.trim().split_inclusive(apart).filter(|clause| clause.contains(char::is_alphanumeric));
    text.trim().len() <= LONGEST_QUESTION
        && clauses.next().is_some_and(clause_asks)
        && clauses.all(clause_asks)
}

/// Whether a word joins a clause on to the one before.
pub(crate) fn goes_on(word: &str) -> bool {
    word == "&" || is_among(GO_ON, &words::fold(word))
}

/// A clause without the word that joins it on.
pub(crate) fn without_and(clause: &str) -> &str {
    let clause = clause.trim();
    let rest = clause.split_once(' ').filter(|(first, _)| goes_on(first));
    rest.map_or(clause, |(_, rest)| rest)
}

/// Whether a clause asks to be told something: "tell me the code of the museum please".
pub(crate) fn asks_to_be_told(clause: &str) -> bool {
    let apart = padded(&words::fold(clause));
    TELL_ME.split('|').any(|asks| after(&apart, asks).is_some())
}

const TELL_ME: &str = "tell me|remind me|sag mir|sag mal|erinnere mich|dis moi|rappelle moi|dime|recuerdame|dimmi|ricordami|diz me|me diz|me diga\
    |lembra me|zeg me|vertel me";

/// Whether a word, folded, is one with which questions begin.
pub(crate) fn begins_to_ask(word: &str) -> bool {
    is_among(BEGIN_QUESTIONS, word)
}

fn clause_asks(clause: &str) -> bool {
    let folded = words::fold(clause.trim_end_matches(|c: char| c.is_ascii_punctuation()));
    let apart = folded.split(|c: char| c.is_whitespace() || c == '¿');
    let mut words = apart.filter(|word| !word.is_empty());
    let (Some(first), second) = (words.next(), words.next()) else { return false };
    let begins = begins_to_ask(first);
    if clause.trim_end().ends_with(['?', '？']) {
        return begins
            || is_among(VERBS_BEGIN, first)
            || is_among(GO_ON, first)
            || first.starts_with(words::runs_together);
    }
    is_among(ONLY_BEGIN_QUESTIONS, first)
        || begins && second.is_some_and(|second| is_among(GO_ON_ASKING, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_only_asks_is_told_from_one_that_tells() {
        for text in [
            "Where is the spare key?",
            "which bus to sintra",
            "where is the spare key",
            "wo ist der schlüssel",
            "what's the gate code again?",
            "and Ada's phone number?",
            "Is Ada a vegetarian?",
            "Wo ist der Schlüssel?",
            "¿Dónde está la llave?",
            "钥匙在哪里？",
            "鍵はどこ？",
            "what's the alarm code of the cabin now, and when do I fly?",
            "Where is it? And who has the key?",
        ] {
            assert!(only_asks(text), "{text}");
        }
        for text in [
            "",
            "Ada is a vegetarian.",
            "My sister comes on Friday, where could we eat?",
            "I moved to Graz. What is there to see?",
            "Is it me",
            "When I fly I always take an aisle seat near the front",
            "Was at the notary with Jonas and signed the deed",
            "Was at the notary, who was there?",
            "What's left is the deed, and the lawyer has it",
            "Come spring I swap the tyres at the garage",
            "How I cook risotto is with white wine",
            "Porque llueve vamos en coche",
            "Es ist kalt heute",
            "Hat viel geregnet",
            "The gate code is 7719.",
            "Can you remind me of the rent: 900?",
            "钥匙在桌子上。",
            "我搬家了！新地址是什么？",
        ] {
            assert!(!only_asks(text), "{text}");
        }
    }
}
