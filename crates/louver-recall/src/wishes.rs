//! Standing wishes: how a person wants things done, whenever they are done.

use crate::clauses::only_asks;
use crate::words;

/// How people say what they want every time, in folded text, each under something that all of its phrases
/// have: most notes have none of those, and need not be looked through for each phrase.
const WISHES: &[(&str, &[&str])] = &[
    (
        "pref",
        &[
            "i prefer ",
            "i'd prefer ",
            "i would prefer ",
            "i really prefer ",
            "i generally prefer ",
            "i usually prefer ",
            "my preference",
            "je prefere ",
            "prefiero ",
            "preferisco ",
            "prefiro ",
        ],
    ),
    ("rather", &["i'd rather "]),
    ("from now", &["from now on"]),
    (
        "please",
        &["please always", "please never", "always please", "please don't ever", "please no more "],
    ),
    ("pls ", &["pls always", "pls never", "always pls", "pls dont ever", "pls no more "]),
    ("uture", &["for the future", "in future,", "in future:", "in future please", "in future pls"]),
    ("for always", &["for always"]),
    (" suggest ", &["dont suggest ", "don't suggest "]),
    (" recommend ", &["dont recommend ", "don't recommend "]),
    ("i ask ", &["when i ask ", "whenever i ask "]),
    ("not ever", &["not ever"]),
    ("only ", &["will only have ", "will only eat ", "will only drink ", "will only wear "]),
    ("bevorzug", &["ich bevorzuge "]),
    ("lieber", &["mir ist lieber", "ist mir lieber"]),
    ("jetzt", &["von jetzt an", "ab jetzt"]),
    ("sofort", &["ab sofort"]),
    ("wenn ich", &["wenn ich dich frage", "wenn ich frage"]),
    ("partir d", &["a partir de maintenant", "a partir de ahora", "a partir de agora"]),
    ("desormais", &["desormais"]),
    ("demande", &["quand je te demande", "quand je demande"]),
    ("ahora en", &["de ahora en adelante"]),
    ("pregunte", &["cuando te pregunte", "cuando pregunte"]),
    ("ora in poi", &["d'ora in poi", "da ora in poi"]),
    ("ti chiedo", &["quando ti chiedo"]),
    ("agora em", &["de agora em diante"]),
    ("perguntar", &["quando eu perguntar"]),
    ("liever", &["ik heb liever", "heb ik liever"]),
    ("vanaf nu", &["vanaf nu"]),
    ("voortaan", &["voortaan"]),
    ("ik vraag", &["als ik vraag"]),
];

/// What people cannot bear, in the same form. Whoever only asks for it says nothing of it.
const BEARS_NOT: &[(&str, &[&str])] = &[
    ("stand", &["can't stand ", "cannot stand ", "cant stand "]),
    ("hate", &["i hate ", "i really hate ", "hates "]),
    ("like", &["i don't like ", "i dont like ", "i do not like ", "i dislike ", "doesn't like "]),
    (
        "llerg",
        &[
            "'m allergic",
            "am allergic",
            "is allergic",
            "are allergic",
            "s allergic",
            "ly allergic",
            "an allergy to",
            " allergy,",
            " allergy and ",
            "allergisch gegen",
            "allergisch auf",
            "allergisch voor",
            "allergique a",
            "allergico a",
            "allergica a",
        ],
    ),
    ("alergi", &["alergico a", "alergica a", "alergia a"]),
    ("toleran", &["'m intolerant", " intolerant to", " intolerance"]),
    ("eliac", &["celiac", "coeliac"]),
    ("gluten", &["'s gluten free", "'m gluten free", "is gluten free", "am gluten free"]),
    (
        "veg",
        &[
            "m vegetarian",
            "m a vegetarian",
            "is vegetarian",
            "is a vegetarian",
            "'s a vegetarian",
            "'s vegetarian",
            "are vegetarian",
            "not vegetarian",
            "not a vegetarian",
            "m vegan",
            "is vegan",
            "'s vegan",
            "'s a vegan",
            "bin vegetarier",
            "bin veganer",
            "lebe vegetarisch",
            "suis vegetarien",
            "soy vegetarian",
            "sono vegetarian",
            "sou vegetarian",
            "ben vegetarier",
        ],
    ),
    ("eat", &["i can't eat ", "i cannot eat ", "i don't eat ", "doesn't eat ", "must not eat "]),
    ("have", &["i can't have ", "i cannot have ", "can't have any "]),
    ("sick", &["get seasick", "gets seasick", "get carsick", "gets carsick", "get travel sick"]),
    ("hasse", &["ich hasse "]),
    ("mag ", &["ich mag kein", "mag ich nicht", "mag ich gar nicht"]),
    ("vertrage", &["ich vertrage kein"]),
    ("deteste", &["je deteste "]),
    ("aime pas", &["je n'aime pas ", "j'aime pas "]),
    ("soporto", &["no soporto "]),
    ("gusta", &["no me gusta"]),
    ("sopporto", &["non sopporto "]),
    ("piac", &["non mi piac"]),
    ("suporto", &["nao suporto "]),
    ("gosto", &["nao gosto d"]),
    ("ik ", &["ik haat ", "ik hou niet van "]),
];

/// The same in Chinese, Japanese, Korean.
const NOT_IN_LETTERS: &str = "过敏|過敏|讨厌|討厭|不喜欢|不喜歡|我不吃|吃素|アレルギー|嫌い|苦手|食べられない|알레르기|싫어|못 먹";

/// Wishes in Chinese, Japanese, Korean.
const IN_LETTERS: &str = "我更喜欢|我更喜歡|我偏好|从现在开始|從現在開始|从今以后|從今以後|以后都|以後都|以后请|以後請|请始终|請始終|请总是|請總是\
    |永远不要|永遠不要|今後は|これからは|必ず|の方が好き|のほうが好き|앞으로는|이제부터|항상 |선호";

/// How a sentence begins that is meant for every time.
const FIRST: &str =
    "always never prefer immer stets niemals toujours jamais siempre nunca sempre altijd nooit";
/// What follows its first word in languages that begin with what is to be done.
const SECOND: &str =
    "immer stets nie niemals toujours jamais siempre nunca sempre mai altijd nooit";
/// What says nothing before either.
const COURTESY: &str = "please pls plz also oh btw ok okay remember bitte auch mir uns ne n non no nao me por favor per piacere alsjeblieft s il te vous plait";

/// Whether somebody says how they want things done.
pub(crate) fn is_wish(text: &str) -> bool {
    let folded = words::fold(text).replace('’', "'");
    let has = |(stem, phrases): &(&str, &[&str])| {
        folded.contains(stem) && phrases.iter().any(|phrase| folded.contains(phrase))
    };
    let in_letters =
        |all: &str| !folded.is_ascii() && all.split('|').any(|letters| folded.contains(letters));
    let mut sentences = folded.split(['.', '!', '?', '\n']);
    WISHES.iter().any(has)
        || in_letters(IN_LETTERS)
        || sentences.any(|sentence| {
            is_for_every_time(sentence)
                || is_for_each(sentence)
                || is_for_what_is_named(sentence)
                || rules_out(sentence)
        })
        || (BEARS_NOT.iter().any(has) || in_letters(NOT_IN_LETTERS)) && !only_asks(text)
}

/// "Flights: always at the aisle", "for hotels: no feather pillows", "house rule: whoever cooks does not wash up".
fn is_for_what_is_named(sentence: &str) -> bool {
    let Some((named, wish)) = sentence.split_once(": ") else { return false };
    let named: Vec<&str> = apart(named).collect();
    let [first, .., last] = named[..] else { return is_for_every_time(wish) };
    let wished = apart(wish).next().is_some_and(|word| words::is_among(WISHED, word));
    named.len() <= SHORT_NAME
        && (is_for_every_time(wish)
            || named.iter().any(|word| words::is_among(RULES, word))
            || wished && (words::is_among(EACH_TIME, first) || words::is_among(EACH_TIME, last)))
}

/// "No customers on Friday afternoons please": asked of somebody, and not told.
fn rules_out(sentence: &str) -> bool {
    let words: Vec<&str> = apart(sentence.split(',').next().unwrap_or_default()).collect();
    let [first, second, .., last] = words[..] else { return false };
    let is_asked = |word| words::is_among("please pls plz", word);
    first == "no" && !is_asked(second) && second != "thanks" && is_asked(last)
}

/// What is named before a colon has no more words.
const SHORT_NAME: usize = 6;
const RULES: &str =
    "rule rules regel regeln regle regles regla reglas regola regole regra regras regels";
const EACH_TIME: &str = "for when with fur bei pour para per voor bij btw";
const WISHED: &str = "no only nothing kein keine keinen nur nichts pas rien solo nada niente solo so geen alleen niets";

fn apart(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// What an agent does. Who says of it when says how.
const DONE_FOR_ME: &str = "book order write send suggest plan schedule buy answer reply list draft pick choose recommend remind \
    summarize summarise translate cook search look set put";

/// "When you write for me never …", "When writing mails, always …", "whenever you book a table, …", "any hotel you ever book": what
/// to do each time that something is done, and not what somebody did.
fn is_for_each(sentence: &str) -> bool {
    let words: Vec<&str> = apart(sentence).collect();
    let is_you = |word| words::is_among("you u", word);
    let asks = words.first().is_some_and(|first| words::is_among("did have has had do", first));
    if words.windows(3).any(|three| {
        let each = three[0] == "whenever" && is_you(three[1]);
        let ever = !asks && (is_you(three[0]) || three[0] == "we") && three[1] == "ever";
        (each || ever) && words::is_among(DONE_FOR_ME, three[2])
    }) {
        return true;
    }
    if begins_with_how(&words) || begins_with_what_is_done_for_me(&words) {
        return true;
    }
    let [first, second, ..] = words[..] else { return false };
    let each = words::is_among("when whenever if", first)
        && (words::is_among("you u", second) || second.ends_with("ing"));
    each && words.windows(2).any(|two| {
        words::is_among("always never", two[1])
            && !words::is_among("i we you he she it they", two[0])
    })
}

/// "How I want letters done: …".
fn begins_with_how(words: &[&str]) -> bool {
    matches!(words, ["how", "i", "want" | "like", .., _]) && words.contains(&"done")
}

/// "When you're looking at trains for me: …".
fn begins_with_what_is_done_for_me(words: &[&str]) -> bool {
    let [first, second, third, fourth, ..] = words else { return false };
    let is_doing = words::is_among("re are", third) && fourth.ends_with("ing");
    words::is_among("when whenever", first)
        && words::is_among("you u", second)
        && (is_doing || words::is_among(DONE_FOR_ME, third))
        && words.windows(2).any(|two| two == ["for", "me"])
}

fn is_for_every_time(sentence: &str) -> bool {
    if sentence.trim_start().starts_with("don't ever ") {
        return true;
    }
    let is = |set: &str, word: &str| set.split(' ').any(|one| one == word);
    let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut telling = words.filter(|word| !is(COURTESY, word));
    let Some(first) = telling.next() else { return false };
    is(FIRST, first)
        || first.chars().all(char::is_alphabetic)
            && telling.next().is_some_and(|second| is(SECOND, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_known_in_ten_languages() {
        for text in [
            "I prefer short answers.",
            "Please always use metric units.",
            "For letters please never use my middle name.",
            "When you write letters for me never begin with a joke",
            "When booking trains, always take a seat at the window.",
            "prefer to get lists as tables",
            "I can't stand anything with aniseed.",
            "Ben is allergic to nuts, what can I bake for him?",
            "Ada has an allergy to pollen.",
            "I'm a vegetarian now.",
            "Orla’s a vegetarian since the summer.",
            "I can't have shellfish, it gives me hives.",
            "don't ever book anything before nine",
            "I get seasick on small boats",
            "also pls never put calls before 10, i swim",
            "oh and trains: always a seat by the window for me",
            "for restaurants: no counter seats, my back hates them",
            "house rule btw: whoever cooks picks the music",
            "whenever u order groceries get the big bag of rice",
            "please no more mugs",
            "leo = peanut allergy, the doctor is sure",
            "dont suggest cafes as a treat",
            "in future pls write the dates out",
            "no planes, not ever",
            "Nuts. I'm properly allergic, not fussy.",
            "she's a coeliac",
            "he's gluten free now",
            "down pillows make me wheeze. Tell any hotel we ever book",
            "Any restaurant you ever suggest must have a quiet corner",
            "When you're looking at trains for me: a table seat, facing forward",
            "How I want letters to customers done: first name, two lines",
            "no visitors on Sunday mornings please, I sleep",
            "Dad will only have brown bread",
            "Ich mag keine Oliven.",
            "Je suis allergique aux noix.",
            "No soporto el cilantro.",
            "我对花生过敏。",
            "When I ask about food, leave out mushrooms.",
            "Ab jetzt bitte nur noch auf Deutsch.",
            "Antworte mir immer kurz.",
            "Verwende bitte nie Abkürzungen!",
            "Je préfère le train à l'avion.",
            "S'il te plaît, n'utilise jamais de jargon.",
            "Prefiero respuestas cortas.",
            "Responde siempre en español.",
            "D'ora in poi scrivi in italiano.",
            "Non usare mai le emoji.",
            "A partir de agora, responda em português.",
            "Use sempre unidades métricas.",
            "Ik heb liever korte antwoorden.",
            "Gebruik altijd de 24-uursklok.",
            "以后请用中文回答。",
            "請始終用繁體中文。",
            "今後は敬語で答えてください。",
            "앞으로는 짧게 답해 줘.",
        ] {
            assert!(is_wish(text), "{text}");
        }
        for text in [
            "I always forget my keys at the office.",
            "News from Ida: no school on Friday",
            "Shopping list: rice, beans",
            "whenever you call she is out",
            "No, please go on.",
            "No thanks, please leave it as it is please",
            "How I got there was by bus, and then it was done",
            "when you were ill I cooked for me and the cat",
            "Did you ever book that table?",
            "There was no bread, please buy some",
            "Bought allergy pills",
            "oh and the train: late again",
            "She never called, and when you left I was asleep.",
            "When I got home the cat never came.",
            "When living in Graz I always took the tram.",
            "If you don't mind, tell me more of that.",
            "Is Ben allergic to nuts?",
            "They don't ever come.",
            "Can't have been him.",
            "who is allergic to nuts?",
            "Which vegetarian restaurants are there in Porto?",
            "We moved in May.",
            "Am 1. Mai ziehen wir um.",
            "Ich trinke morgens Tee.",
            "Le train part à midi.",
            "Mañana llega el técnico.",
            "昨天我去了北京。",
        ] {
            assert!(!is_wish(text), "{text}");
        }
    }
}
