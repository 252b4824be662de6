//! Whether something is to be done: a message that asks for advice, for a plan or for anything new, and not for what was or
//! is. Only then does it matter what is to be kept to in all that is done.

use crate::words::{self, after, is_among, padded};

/// Words and phrases of questions about what was, or is: the rest ask for something to be done. Words that mean
/// something else in another of the languages ("war", "ai") are not here.
const ABOUT_FACTS: &str = "did didn't didnt was were had have has ago said told mention mentioned mentioning brought last previous previously \
    earlier remind discussed happened went \
    habe hatte hatten hast gesagt erwahnt letzte letzten zuletzt etait etaient avait avais dernier derniere fue fueron dije dijiste \
    dicho ultimo ultima detto avevo disse mencionei heb heeft gezegd laatste";
const ASK_FOR_FACTS: [&str; 9] = [
    "how many",
    "how much",
    "how long",
    "summar",
    "sum up",
    "catch me up",
    "the story of",
    "overview",
    "do you know about",
];
/// What begins so asks for facts where it goes on with something of somebody's: "What does my sister do?"
const ASK_ABOUT: &str = "what is|what s|whats|what are|what does|which is";
const OF_SOMEBODY: &str = "my our his her their";
const BEGIN_ASKING: &str = "when where who who's whos where's when's whose wer wo wann wessen qui quand quien donde cuando chi dove quando quem onde waar wanneer";
/// Where words are not set apart, what asks for something to be done.
const ASK_TO_DO: &str = "请|請|帮我|幫我|给我推|給我推|推荐几|推薦幾|推荐一|推薦一|推荐个|推薦個|推荐点|推荐些|有什么推荐|有什麼推薦|有没有推荐|想做|想给|想給|想请|想請\
    |ください|して|たいんだけど|たいのだけど|たいけど|たいんですが|たいのですが|おすすめは|おすすめある|おすすめの|レシピ\
    |해 줘|해줘|주세요|추천해|추천 좀|싶은데|만들고 싶";

/// Ways to ask for advice, whatever else a question speaks of: "Where should I work?", "How should I list my previous jobs?"
const ASKS_FOR_ADVICE: &str = "should i|i should|should we|we should|shall i|shall we|would you suggest|would you recommend|would you advise\
    |soll ich|sollte ich|ich sollte|sollen wir|sollten wir|devrais je|je devrais|dois je|devrions nous\
    |deberia|deberiamos|dovrei|dovremmo|deveria|deveriamos|moet ik|moeten we|zal ik|zou ik";
/// Not where it is after what was said.
const WAS_SAID: &str = "did said told say mention mentioned mentioning remind reminded discussed decided agreed \
    gesagt erwahnt besprochen hast dit disais dije dijiste dicho detto disse gezegd zei";

/// Whether something is to be done.
pub(crate) fn requests(folded: &str) -> bool {
    // A word of such a script in a message of another says nothing of it.
    if folded.chars().find(|c| c.is_alphanumeric()).is_some_and(words::runs_together) {
        return ASK_TO_DO.split('|').any(|letters| folded.contains(letters));
    }
    let apart = |c: char| !c.is_alphanumeric() && c != '\'';
    let mut words = folded.split(apart).filter(|word| !word.is_empty());
    let first = words.clone().next();
    let padded = padded(folded);
    let advice = ASKS_FOR_ADVICE.split('|').any(|asks| padded.contains(&format!(" {asks} ")));
    if advice && !words.clone().any(|word| is_among(WAS_SAID, word)) {
        return true;
    }
    !(first.is_some_and(|first| is_among(BEGIN_ASKING, first))
        || asks_whether(folded)
        || ends_asking_about_somebody(folded)
        || ASK_FOR_FACTS.iter().any(|phrase| folded.contains(phrase))
        || asks_about_somebody(&padded)
        || words.any(|word| is_among(ABOUT_FACTS, word)))
}

/// Whether the last clause of a message asks whether something is so, who it is, why, or how much so: "is Ada vegan?", "how
/// strong is my medicine?" What there is may be asked by who wants some.
fn asks_whether(folded: &str) -> bool {
    let said = folded.trim_end();
    let Some(said) = said.strip_suffix(['?', '？']) else { return false };
    let last = said.rsplit([',', '.', '!', ';', '\n']).next().unwrap_or_default();
    let apart = |c: char| !c.is_alphanumeric() && c != '\'';
    let words: Vec<&str> = last.split(apart).filter(|word| !word.is_empty()).collect();
    // "Which films do I like?", but "how do I make a pie?" and "what do I need for a pie?"
    let of_me = words.windows(2).any(|pair| pair[0] == "do" && is_among("i we", pair[1]));
    match words[..] {
        ["which" | "what", ..] if of_me => !words.contains(&"need"),
        [verb, next, ..] if is_among(IS_SO, verb) => !is_among("there it that this", next),
        ["how", _, verb, ..] if is_among(IS_SO, verb) => true,
        [first, ..] => {
            is_among(BEGIN_ASKING, first) || is_among("why warum wieso pourquoi waarom", first)
        }
        [] => false,
    }
}

const IS_SO: &str = "is are am was were does did has";

/// Whether a message ends, after something that it tells, with a question about something of somebody's: "guests are here,
/// what's our wifi password". "What's the best starter" may be after advice.
fn ends_asking_about_somebody(folded: &str) -> bool {
    let said = folded.trim_end_matches(|c: char| !c.is_alphanumeric());
    let last = said.rsplit_once([',', '.', '!', ';', '\n']).map(|(_, last)| padded(last));
    last.is_some_and(|last| asks_of_somebody(&last))
}

/// Whether a question, its words with a blank around each, begins like one about something of somebody's, or about the one
/// thing that is so.
fn asks_about_somebody(apart: &str) -> bool {
    asks_of_somebody(apart)
        || ["what is", "what s", "whats"].into_iter().any(|begin| next(apart, begin) == Some("the"))
}

fn asks_of_somebody(apart: &str) -> bool {
    let of_somebody =
        |begin: &str| next(apart, begin).is_some_and(|next| is_among(OF_SOMEBODY, next));
    ASK_ABOUT.split('|').any(of_somebody)
}

/// The word after what a text begins with.
fn next<'a>(apart: &'a str, begin: &str) -> Option<&'a str> {
    after(apart, begin)?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold;

    #[test]
    fn what_is_to_be_done_is_told_from_what_was() {
        for text in [
            "Write a letter to Anna.",
            "What are some errors that a server may answer with?",
            "What does a good letter need?",
            "Where do you think I should work on my essay?",
            "How should I list my previous jobs?",
            "How do I make a plum cake?",
            "What do I need for a plum cake?",
            "Is there a nice place for lunch?",
            "Ada is here on Friday, any ideas?",
            "Wo sollte ich am besten parken?",
            "Translate 猫 for Anna.",
            "Joris is here for dinner, what's the best starter?",
            "Schreib Anna einen Brief über den Krieg.",
            "Écris une lettre à Anna.",
            "Escribe una carta a Anna.",
            "Scrivi una lettera ad Anna.",
            "Escreve uma carta à Anna.",
            "Schrijf Anna een brief.",
            "请给安娜写一封信。",
            "アンナに手紙を書いてください。",
            "안나에게 편지를 써 주세요.",
        ] {
            assert!(requests(&fold(text)), "{text}");
        }
        for text in [
            "What did Anna say last week?",
            "Where did you say I should park?",
            "whats the name of Anna's cat",
            "What's my gate code?",
            "What's our broadband company called?",
            "guests are here, what's our wifi password",
            "What does my sister's husband do for a living?",
            "is Ada vegan?",
            "How strong is my ramipril at the moment?",
            "I locked myself out, who can let me in?",
            "Why is the left flipper wrong?",
            "which films do I like?",
            "What went wrong with the house?",
            "Sum up how the purchase went.",
            "Who's the man from the bank?",
            "Wo wohnt Anna?",
            "Was hatte Anna gesagt?",
            "Qui est Anna ?",
            "¿Dónde vive Anna?",
            "Dove abita Anna?",
            "Onde mora a Anna?",
            "Waar woont Anna?",
            "安娜住在哪里？",
            "アンナの家はどこ？",
            "안나는 어디 살아?",
        ] {
            assert!(!requests(&fold(text)), "{text}");
        }
    }
}
