//! Messages that no note answers: greetings and thanks, sums, and what a clock shows.

use crate::words::{after, is_among, padded};

/// Words of which messages are made that neither ask nor tell: greetings, thanks, yes and no.
const SMALL_TALK: &str = "that's it's ok okay k yes no yep nope yeah yup sure thanks thank thx you great cool nice good fine perfect awesome hi hello hey morning \
    afternoon evening night bye goodbye please do that it this go on ahead continue stop wait hmm lol right exactly correct agreed done welcome how are \
    is today a lot very much so well then now sounds works for me alright helps helped helpful wonderful brilliant lovely amazing understood noted \
    ja nein danke bitte gut hallo servus tschuss super genau alles klar mach das weiter schon guten morgen abend tag wie geht es dir \
    oui non merci bonjour salut d'accord accord d bien parfait vas y ca va beaucoup bonsoir \
    si gracias hola vale perfecto claro adios buenos dias como estas muchas de nada \
    grazie ciao va bene perfetto buongiorno come stai \
    sim nao obrigado obrigada ola tudo bem bom dia \
    nee bedankt dank je hoi goed prima hoe gaat het goedemorgen \
    好 好的 谢谢 你好 是的 嗯 不 不用 可以 はい いいえ ありがとう ありがとうございます こんにちは 了解 おはよう 네 아니요 감사합니다 안녕하세요 좋아 좋아요 고마워";

/// A message of more words than this says something.
const SHORT_TALK: usize = 8;

/// Whether a message neither asks nor tells anything.
pub(crate) fn is_small_talk(folded: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '\'';
    let mut words = folded.split(|c: char| !inside(c)).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        && words.clone().count() <= SHORT_TALK
        && words.all(|word| is_among(SMALL_TALK, word))
}

/// Words around a sum.
const AROUND_SUMS: &str = "what what's whats is are of the how much many calculate compute was ist sind von wie viel wieviel combien font fait cuanto es de \
    quanto fa di e quanto hoeveel is van x plus minus times mal fois por per keer divided by geteilt durch divise par dividido entre diviso gedeeld door \
    percent prozent";

/// Whether a message asks for a sum of numbers that it gives ("what's 17 * 23"): no note has that.
pub(crate) fn is_sum(folded: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut reckons = false;
    for (at, sign) in folded.match_indices(['*', '×', '+', '÷', '^', '%', '=']) {
        let (before, after) = (folded[..at].trim_end(), folded[at + sign.len()..].trim_start());
        reckons |= before.ends_with(is_digit) && (sign == "%" || after.starts_with(is_digit));
    }
    let words = || {
        folded.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
    };
    let is_number = |word: &&str| word.chars().all(is_digit);
    let said = words().skip_while(|word| !is_number(word));
    reckons |= said.clone().any(|word| is_among(SIGNS, word)) && said.filter(is_number).count() > 1;
    reckons && words().all(|word| is_number(&word) || is_among(AROUND_SUMS, word))
}

/// Signs of sums, in words.
const SIGNS: &str =
    "x times plus minus divided mal geteilt fois divise por dividido per diviso keer gedeeld";

/// How people ask what a clock or a calendar shows.
const CLOCK: &str = "what time is it|how late is it|what s the time|what is the time|whats the time|what day is it|which day is it|what date is it|what s the date|what is the date\
    |what s today s date|what is today s date|wie spat ist es|wie viel uhr ist es|wieviel uhr ist es|welcher tag ist|welches datum ist|welches datum haben wir\
    |quelle heure est il|il est quelle heure|quel jour sommes nous|on est quel jour|que hora es|que dia es|che ora e|che ore sono|che giorno e\
    |que horas sao|que dia e|hoe laat is het|welke dag is het|现在几点|现在几点了|几点了|今天几号|今天星期几|今何時|今は何時|何時ですか|今日は何日|지금 몇 시야|몇 시야|오늘 며칠이야";
const RIGHT_NOW: &str = "now right today jetzt gerade heute maintenant aujourd hui ahora hoy adesso oggi agora hoje nu vandaag";

/// Whether a message asks what time or day it is: no note has that.
pub(crate) fn is_clock(folded: &str) -> bool {
    let apart = padded(folded);
    CLOCK.split('|').any(|asks| {
        after(&apart, asks)
            .is_some_and(|rest| rest.split_whitespace().all(|word| is_among(RIGHT_NOW, word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold;

    #[test]
    fn what_a_clock_shows_is_asked_of_no_note() {
        for text in [
            "What time is it?",
            "what's the time right now",
            "What day is it today?",
            "Wie spät ist es?",
            "Quelle heure est-il maintenant ?",
            "¿Qué hora es?",
            "现在几点？",
        ] {
            assert!(is_clock(&fold(text)), "{text}");
        }
        for text in ["What time is it on for?", "What time is the dentist?", "What day is best?"] {
            assert!(!is_clock(&fold(text)), "{text}");
        }
    }

    #[test]
    fn small_talk_is_told_from_what_says_something() {
        for text in [
            "ok",
            "Yes, please do that!",
            "How are you today?",
            "Thanks, that helps!",
            "Danke, alles klar",
            "好的",
            "네",
        ] {
            assert!(is_small_talk(&fold(text)), "{text}");
        }
        for text in ["", "?", "ok, and the invoice", "Is Miso well?", "Where is it?", "好的猫"] {
            assert!(!is_small_talk(&fold(text)), "{text}");
        }
    }

    #[test]
    fn a_sum_is_told_from_what_has_numbers() {
        for text in [
            "what's 17 * 23?",
            "17*23",
            "What is 17% of 2340",
            "12,5 + 3 =",
            "how much is 3×4",
            "what is 17 times 23",
            "How much is 17 x 23?",
            "wie viel ist 84 geteilt durch 7",
        ] {
            assert!(is_sum(&fold(text)), "{text}");
        }
        for text in [
            "17",
            "+31 655 109 382",
            "who is +4777641905",
            "17% of what Ada earns",
            "2026-03-05",
            "a+b",
            "how much is 5",
            "is it 5 or 7?",
            "",
        ] {
            assert!(!is_sum(&fold(text)), "{text}");
        }
    }
}
