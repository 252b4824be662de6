//! When something is, as notes tell it that name no day: by the hour, or by what comes round each day or week.

use super::english;
use super::tongues::TONGUES;
use crate::words::{fold, is_among, runs_together};
use foldhash::fast::RandomState;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether a text tells an hour, a weekday, or what comes round: "open from 9:30", "um 8 Uhr", "on Wednesdays", "daily".
pub(crate) fn tells_hours(text: &str) -> bool {
    if has_clock(text) || !text.is_ascii() && text.contains(runs_together) && in_letters(text) {
        return true;
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut before = "";
    words.into_iter().any(|word| {
        let number = std::mem::replace(&mut before, word);
        is_hour(number, word) || comes_round(word)
    })
}

/// Whether a text has the hour as a clock shows it: "9:30".
pub(crate) fn has_clock(text: &str) -> bool {
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let mut colons = text.match_indices(':').map(|(at, _)| at);
    colons.any(|at| at > 0 && digit(at - 1) && digit(at + 1) && digit(at + 2))
}

/// "6 pm", "6pm", "18 Uhr", "18h", "18h30". An "h" that stands apart counts hours.
pub(crate) fn is_hour(number: &str, word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match word.len() - digits.len() {
        0 => is_of_clock(number) && is_among("am pm uhr oclock", &word.to_ascii_lowercase()),
        1 | 2 => {
            let joined = digits.to_ascii_lowercase();
            is_among("am pm uhr h", &joined)
                || joined.strip_prefix('h').is_some_and(|rest| rest.len() == 2 && is_of_clock(rest))
        }
        _ => false,
    }
}

fn is_of_clock(number: &str) -> bool {
    (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// "Wednesdays", "täglich", "noon". Short forms of weekdays mean much else.
fn comes_round(word: &str) -> bool {
    // Every word of every note is looked up, so hardly one is copied elsewhere than onto the stack.
    let mut small = [0; LONGEST];
    match small.get_mut(..word.len()) {
        Some(small) if word.is_ascii() => {
            small.copy_from_slice(word.as_bytes());
            small.make_ascii_lowercase();
            std::str::from_utf8(small).is_ok_and(|small| ROUND.contains(small))
        }
        Some(_) => ROUND.contains(fold(word).as_str()),
        None => false,
    }
}

/// No word that comes round has more bytes.
const LONGEST: usize = 16;

/// Weekdays, each and many, and the words below.
static ROUND: LazyLock<HashSet<String, RandomState>> = LazyLock::new(|| {
    let names = TONGUES.iter().flat_map(|tongue| tongue.weekdays.split([' ', '/', '_']));
    let days = names.chain(english::DAYS).filter(|name| name.len() >= 4 && *name != "feira");
    let each = days.flat_map(|day| [day.to_owned(), format!("{day}s")]);
    each.chain(COMES_ROUND.split_whitespace().map(str::to_owned)).collect()
});

const COMES_ROUND: &str = "noon midnight daily weekly mornings afternoons evenings nightly weekdays weekends \
    mittags mitternacht abends morgens nachmittags vormittags taglich wochentlich werktags midi minuit quotidien quotidienne hebdomadaire \
    mediodia medianoche diario diariamente semanal mezzogiorno mezzanotte quotidiano settimanale meianoite semanalmente \
    middernacht dagelijks wekelijks";

/// In Chinese, Japanese, Korean: weekdays, each day, and numbers before the word for an hour.
fn in_letters(text: &str) -> bool {
    const ROUND: [&str; 9] = ["星期", "礼拜", "禮拜", "曜", "요일", "每天", "毎日", "매일", "정오"];
    let hour = |(at, _): (usize, char)| {
        text[..at].ends_with(|c: char| c.is_ascii_digit() || "一二三四五六七八九十两兩".contains(c))
    };
    ROUND.iter().any(|round| text.contains(round))
        || text.char_indices().filter(|(_, c)| "点點時时시".contains(*c)).any(hour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_and_what_comes_round_are_told_from_other_numbers() {
        for text in [
            "Pharmacy: open 9:30 to 18:00",
            "the bakery shuts at 6 pm",
            "choir at 7pm",
            "Müll raus um 8 Uhr",
            "Ouvert à 18h30",
            "New teacher is Tomasz, Wednesdays",
            "Vitamin D daily",
            "Täglich eine Tablette",
            "El gimnasio abre los sábados",
            "每周星期三排练",
            "ゴミは7時に出す",
            "회의는 3시에 시작",
        ] {
            assert!(tells_hours(text), "{text}");
        }
        for text in [
            "The lamp is red.",
            "I ran 5 km in 31 minutes",
            "ratio 3:2 of flour",
            "I am 44",
            "took 6 h in all",
            "Sun and sea, we wed in May",
            "房子很大",
            "",
        ] {
            assert!(!tells_hours(text), "{text}");
        }
    }
}
