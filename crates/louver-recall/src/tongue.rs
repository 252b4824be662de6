//! Which language a text is in: its usual words tell, and its letters.

use crate::languages::{Language, Languages, is_of_another_script};
use crate::words::{chunks, head, lowered};

/// The language in which most of the usual words are at home.
///
/// English when nothing speaks for another one. Only the head of a text is looked at.
pub(crate) fn language(text: &str) -> Language {
    let (votes, words_seen) = votes(text, "");
    let most = votes.iter().copied().max().unwrap_or(0);
    // One stray "die" or "a" is not a language.
    if words_seen == 0 || votes[0] == most || most * 8 < words_seen * A_WORD {
        return Language::ENGLISH;
    }
    Language::all().zip(&votes).find(|(_, hit)| **hit == most).map_or(Language::ENGLISH, |(l, _)| l)
}

/// Whether a text is in English by a word at least, and not because nothing speaks for another language.
pub(crate) fn is_english(text: &str) -> bool {
    language(text) == Language::ENGLISH && votes(text, "").0[0] > 0
}

/// Whether a text is rather in one of `others` than in one of `own`, whatever this word speaks
/// for. When nothing speaks for any language it is English.
pub(crate) fn leans(text: &str, but: &str, own: &[&str], others: &[&str]) -> bool {
    let (votes, _) = votes(text, but);
    let of = |codes: &[&str]| {
        let spoken = Language::all().zip(&votes).filter(|(one, _)| codes.contains(&one.code()));
        spoken.map(|(_, votes)| *votes).max().unwrap_or(0)
    };
    let (own, other) = (of(own), of(others));
    other > own || other == own && (own > 0 || others.contains(&Language::ENGLISH.code()))
}

/// What a usual word of a language counts for it. One with its letters counts half of that.
const A_WORD: u32 = 2;

/// How much speaks for each language, and how many words there are. The word `but`, in lower
/// case, speaks for none.
fn votes(text: &str, but: &str) -> ([u32; Language::COUNT], u32) {
    let (mut votes, mut letters) = ([0; Language::COUNT], [0; Language::COUNT]);
    let (mut words_seen, mut in_another_script) = (0, 0);
    for (start, end) in chunks(head(text, 2000)).take(120) {
        let word = &text[start..end];
        if !but.is_empty() && word.to_lowercase() == but {
            continue;
        }
        words_seen += 1;
        in_another_script += u32::from(is_of_another_script(word));
        let (speaking, writing) = speaking(word);
        speaking.places().for_each(|place| votes[place] += A_WORD);
        writing.places().for_each(|place| letters[place] += 1);
    }
    // A few words in other letters, or with an accent, may be names in an English text.
    let telling = in_another_script * 2 >= words_seen;
    let english = votes[0];
    for (votes, letters) in votes.iter_mut().zip(letters) {
        *votes += if telling || *votes > english { letters } else { 0 };
    }
    (votes, words_seen)
}

/// The languages in which a word is usual, and those that have its letters. Most words are told by their length,
/// or need no text of their own to be in lower case.
fn speaking(word: &str) -> (Languages, Languages) {
    const LONGEST: usize = 24;
    if !word.is_ascii() {
        let word = lowered(word.chars());
        return (Languages::speaking(&word), Languages::writing(&word));
    }
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..word.len()) else { return Default::default() };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    (
        std::str::from_utf8(lower).map_or_else(|_| Languages::default(), Languages::speaking),
        Languages::default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_language_of_many_is_not_taken_for_one_of_few() {
        for (code, text) in [
            ("en", "See below"),
            ("en", "go home, Sam"),
            ("en", "I bet it is via Mia"),
            ("en", "Ali has to go on"),
            ("es", "¿Dónde está la llave de la oficina?"),
            ("fr", "Quel billet avons-nous pour le concert ?"),
            ("it", "La chiave di casa è sul tavolo"),
            ("pt", "As chaves da casa estão em cima da mesa"),
            ("ru", "Какую машину мы купили и где она?"),
            ("uk", "Де мій ключ і що це таке?"),
            ("pl", "Gdzie jest klucz do domu i co to jest?"),
            ("cs", "Kde je klíč od domu a co to je?"),
            ("fi", "Missä on minun avain ja mikä se on?"),
            ("hi", "मेरी चाबी कहाँ है और यह क्या है"),
            ("ar", "أين المفتاح الذي كان في البيت"),
        ] {
            assert_eq!(language(text).code(), code, "{text}");
        }
    }

    #[test]
    fn the_language_shows_in_the_words_that_say_nothing() {
        assert_eq!(language("Ich habe den Schlüssel auf dem Tisch gelassen").code(), "de");
        assert_eq!(language("Où est la gare et quand part le train ?").code(), "fr");
        assert_eq!(language("Где я оставил ключи от машины").code(), "ru");
        assert_eq!(language("The key is on the table").code(), "en");
        assert_eq!(language("").code(), "en");
    }

    #[test]
    fn letters_tell_what_no_word_does() {
        for (code, text) in [
            ("el", "Βάψιμο παραθύρων"),
            ("hy", "Ներկել պատուհանները"),
            ("ta", "ஜன்னல் வண்ணம்"),
            ("ar", "مواعيد القطارات"),
            ("fa", "خرید گوشت و پنیر"),
            ("ru", "Покраска крыльца"),
            ("uk", "Фарбування підвіконня"),
            ("sr", "Фарбање његове куће"),
            ("hi", "खिड़की रंगना"),
            ("ne", "झ्यालहरू रङ्गाउने"),
        ] {
            assert_eq!(language(text).code(), code, "{text}");
        }
    }

    #[test]
    fn accents_tell_apart_what_words_speak_for_and_are_no_language_alone() {
        assert_eq!(language("Jürgen called").code(), "en");
        assert_eq!(language("José is a former footballer").code(), "en");
        assert_eq!(language("Rudolf Abel (Рудольф Иванович Абель), born William").code(), "en");
        assert_eq!(language("La piñata").code(), "es");
        assert_eq!(language("po kůži").code(), "cs");
    }

    #[test]
    fn a_language_that_is_not_known_is_not_taken_for_one_with_its_letters() {
        assert_eq!(language("המפתח במגירה הכחולה").code(), "en");
        assert_eq!(language("די שליסלען ליגן אין שופלאָד").code(), "yi");
    }
}
