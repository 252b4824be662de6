//! Standing wishes: how a person wants things done, whenever they are done.

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
    ("i ask ", &["when i ask ", "whenever i ask "]),
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

/// The same in Chinese, Japanese, Korean.
const IN_LETTERS: &str = "我更喜欢|我更喜歡|我偏好|从现在开始|從現在開始|从今以后|從今以後|以后都|以後都|以后请|以後請|请始终|請始終|请总是|請總是\
    |永远不要|永遠不要|今後は|これからは|必ず|の方が好き|のほうが好き|앞으로는|이제부터|항상 |선호";

/// How a sentence begins that is meant for every time.
const FIRST: &str =
    "always never immer stets niemals toujours jamais siempre nunca sempre altijd nooit";
/// What follows its first word in languages that begin with what is to be done.
const SECOND: &str =
    "immer stets nie niemals toujours jamais siempre nunca sempre mai altijd nooit";
/// What says nothing before either.
const COURTESY: &str =
    "please bitte mir uns ne n non no nao me por favor per piacere alsjeblieft s il te vous plait";

/// Whether somebody says how they want things done.
pub(crate) fn is_wish(text: &str) -> bool {
    let folded = words::fold(text).replace('’', "'");
    let has = |(stem, phrases): &(&str, &[&str])| {
        folded.contains(stem) && phrases.iter().any(|phrase| folded.contains(phrase))
    };
    WISHES.iter().any(has)
        || !folded.is_ascii() && IN_LETTERS.split('|').any(|letters| folded.contains(letters))
        || folded.split(['.', '!', '?', '\n']).any(is_for_every_time)
}

fn is_for_every_time(sentence: &str) -> bool {
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
