//! What takes the place of what was told before: "Lieke wants 22/h now" of "babysitter: Lieke, 17, 18 chf/h".
//!
//! Neither their words nor their vectors are much alike. They have words in common, one of which few notes have; the later
//! says that something is otherwise, and gives another value of a kind that is asked for and that the earlier gives, too.

use crate::clauses::without_and;
use crate::cues::wants;
use crate::glue::{Glue, glue};
use crate::languages::Language;
use crate::question::Wants;
use crate::rank::{Ranked, Shelf};
use crate::rare::Rare;
use crate::sentences::sentences;
use crate::values::{Value, is_money, values};
use crate::when::is_of_time;
use crate::wording::{is_otherwise, says_is};
use crate::words::{fold, head, is_among, padded, runs_together};

/// A word that no more than one in so many of the candidates says is rare, and so is one that no more than so many do.
const RARE: usize = 80;
const FEW: u16 = 4;
/// Notes that speak of one thing have so many words in common, and mean so much alike.
const IN_COMMON: usize = 2;
pub(crate) const NEAR: f32 = 0.25;

/// Notes of so few bytes are about one thing.
const ONE_THING: usize = 200;
/// So many bytes of a longer one are looked through, in sentences of so many.
const LOOKED_THROUGH: usize = 1000;
const SENTENCE: usize = 240;

/// Which words few of the candidates say.
pub(crate) struct Links {
    rare: Rare,
    most: u16,
}

impl Links {
    pub(crate) fn among(ranked: &[Ranked], shelf: &impl Shelf) -> Links {
        let most = FEW.max((ranked.len() / RARE) as u16);
        Links { rare: Rare::among(ranked, shelf), most }
    }

    /// Whether two notes with these words, each in order, speak of one thing: they have some in common, and one of these is
    /// rare.
    pub(crate) fn link(&self, one: &[u32], two: &[u32]) -> bool {
        let shared = || one.iter().filter(|word| two.binary_search(word).is_ok());
        shared().count() >= IN_COMMON && shared().any(|word| self.rare.said(*word) <= self.most)
    }
}

/// What a note gives of what is wanted: read once, for it is compared with many.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Gives {
    pub(crate) values: Vec<Value>,
    /// Whether it gives any, and says that something is otherwise.
    pub(crate) news: bool,
}

impl Gives {
    pub(crate) fn of(text: &str, wanted: Wanted) -> Gives {
        let text = head(text, LOOKED_THROUGH);
        let values = values(text, wanted);
        Gives { news: !values.is_empty() && is_otherwise(text), values }
    }
}

/// Whether a later note gives another value of what is wanted than an earlier one. That they speak of one thing is known.
/// Surely, if the earlier one is short: a long one tells other things as well.
pub(crate) fn replaces(
    [older, newer]: [&str; 2],
    [gave, gives]: [&Gives; 2],
    wanted: Wanted,
) -> Option<bool> {
    let short = older.len() <= ONE_THING;
    if short && newer.len() <= ONE_THING {
        return (gives.news && is_another(&gave.values, &gives.values)).then_some(true);
    }
    let mut news = clauses(newer, older).into_iter().filter(|clause| is_otherwise(clause));
    let is_new = |clause: &str| {
        let new = values(clause, wanted);
        let mut before = clauses(older, clause).into_iter();
        !new.is_empty() && before.any(|before| is_another(&values(before, wanted), &new))
    };
    news.any(is_new).then_some(short)
}

/// Whether there is a value among the new that is not among the old, though there are some of its kind.
fn is_another(old: &[Value], new: &[Value]) -> bool {
    let mut other = new.iter().filter(|new| !old.iter().any(|old| old.is(new)));
    other.any(|new| old.iter().any(|old| old.kind.is_like(&new.kind)))
}

/// Values of which kinds a question is after, as of now.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Wanted {
    pub(crate) amount: bool,
    pub(crate) when: bool,
    pub(crate) code: bool,
}

impl Wanted {
    /// Each clause may ask for something else: "what's the code, and when do I fly?"
    pub(crate) fn by(folded: &str, foreign: bool) -> Wanted {
        let clauses = folded.split(['.', '?', '!', ',', ';', '\n']);
        clauses.map(|clause| Wanted::by_clause(clause, foreign)).fold(Wanted::default(), Wanted::or)
    }

    fn by_clause(clause: &str, foreign: bool) -> Wanted {
        let words = || clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let says = |list: &str| words().any(|word| is_among(list, word));
        let has = |list: &str| list.split('|').any(|letters| clause.contains(letters));
        // "Was kostet das?" asks for no past.
        if says(if foreign { PAST_TOO } else { PAST }) || has(PAST_IN_LETTERS) {
            return Wanted::default();
        }
        let wants = wants(without_and(clause));
        Wanted {
            amount: wants == Wants::Number || says(AMOUNTS),
            when: wants == Wants::Time || says(WHEN),
            code: says(CODES) || has(CODES_IN_LETTERS),
        }
    }

    fn or(self, other: Wanted) -> Wanted {
        Wanted {
            amount: self.amount || other.amount,
            when: self.when || other.when,
            code: self.code || other.code,
        }
    }

    pub(crate) fn is_none(self) -> bool {
        self == Wanted::default()
    }
}

/// Whether a word, folded, says which value is wanted, and not of what.
pub(crate) fn is_of_value(word: &str) -> bool {
    [AMOUNTS, WHEN, CODES].into_iter().any(|list| is_among(list, word))
}

/// Words with which one asks what was so.
const PAST: &str = "was were did had been used last";
const PAST_TOO: &str = "war waren hatte hatten wurde damals etait avait fue era tenia antes foi tinha aveva prima werd vroeger";
const PAST_IN_LETTERS: &str = "以前|之前|原来|原來|当时|當時|当初|當初|昔|예전|옛날";
const AMOUNTS: &str = "price prices cost costs costing pay paying pays charge charges charging fee fees rent rate rates owe salary wage \
    wages dose dosage weigh weighs weight preis kostet kosten miete gehalt dosis loyer prix coute precio cuesta alquiler prezzo costa affitto preco custa \
    aluguel prijs kost huur";
const WHEN: &str = "day days night nights evening evenings morning mornings time times slot hour hours tag uhrzeit jour heure dia hora \
    giorno ora dag";
const CODES: &str =
    "code codes pin number nummer numero telefon phone passcode digicode turcode passwort kennwort";
const CODES_IN_LETTERS: &str =
    "密码|密碼|号码|號碼|电话|電話|番号|番號|コード|パスワード|비밀번호|번호|코드";

/// Whether two notes have a word in common that is not asked for, and tells what they are about.
pub(crate) fn share_a_word(one: &str, two: &str, is_asked: impl Fn(&str) -> bool) -> bool {
    let [one, two] = [one, two].map(|text| padded(&fold(head(text, LOOKED_THROUGH))));
    let mut words = one.split_whitespace();
    words.any(|word| is_telling(word) && !is_asked(word) && two.contains(&format!(" {word} ")))
}

/// Whether two notes in a script that does not set words apart have two letters in common, side by side, that say more
/// than which value is told.
pub(crate) fn share_letters(one: &str, two: &str) -> bool {
    let [one, two] = [one, two].map(|text| head(text, LOOKED_THROUGH));
    let mut letters = one.char_indices().zip(one.char_indices().skip(1));
    letters.any(|((from, a), (to, b))| {
        let pair = &one[from..to + b.len_utf8()];
        runs_together(a)
            && runs_together(b)
            && glue(pair) == Glue::None
            && !CODES_IN_LETTERS.contains(pair)
            && two.contains(pair)
    })
}

/// Whether a word, folded, is about something: no small one, no date and no money.
fn is_telling(word: &str) -> bool {
    word.chars().count() >= 4
        && !is_small(word)
        && !says_is(word)
        && !is_of_time(word)
        && !is_money(word)
}

/// Whether it is a small word of a language that sets words apart.
fn is_small(word: &str) -> bool {
    let stops = |code: &&str| Language::from_code(code).is_some_and(|one| one.is_stop(word));
    ["en", "de", "fr", "es", "it", "pt", "nl"].iter().any(stops)
}

/// What a note says in sentences that have a word in common with something else: a short one as a whole.
fn clauses<'a>(text: &'a str, with: &str) -> Vec<&'a str> {
    if text.len() <= ONE_THING {
        return vec![text];
    }
    let text = head(text, LOOKED_THROUGH);
    let all = sentences(text).into_iter().map(|(from, to)| &text[from..to]);
    let shares = |said: &str| share_a_word(said, with, |_| false) || share_letters(said, with);
    all.filter(|said| said.len() <= SENTENCE && shares(said)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(question: &str) -> Wanted {
        Wanted::by(&fold(question), false)
    }

    fn replaced(older: &str, newer: &str, wanted: Wanted) -> Option<bool> {
        let [gave, gives] = [older, newer].map(|text| Gives::of(text, wanted));
        replaces([older, newer], [&gave, &gives], wanted)
    }

    #[test]
    fn another_value_of_what_is_asked_for_takes_the_place_of_the_first() {
        for (question, older, newer) in [
            (
                "What's the hourly pay for the babysitter?",
                "babysitter: Lieke, 17, 18 chf/h, cant do sundays",
                "lieke is back but wants 22/h now",
            ),
            (
                "How many mg of ramipril does Bo take?",
                "Bo takes ramipril, 5mg a day",
                "the ramipril goes to 10mg",
            ),
            (
                "When is my Welsh class?",
                "Welsh with Rhodri is Tuesdays 6.30",
                "Rhodri moves the Welsh to Thursdays 7pm",
            ),
            (
                "What's the key safe code?",
                "key safe at mum's is 4417",
                "had to change the key safe, 2093 from today",
            ),
            (
                "Wie hoch ist die Miete?",
                "Die Werkstatt kostet 310 Euro",
                "Die Werkstatt geht auf 345 Euro",
            ),
            ("房租多少钱?", "房租每月5200元", "从十月开始房租涨到5600元"),
            ("暗証番号は?", "暗証番号は4711", "暗証番号が変わった、今は8052"),
            ("健太の柔道はいつ?", "健太の柔道は火曜の16時半", "柔道は木曜の17時に変更になった"),
        ] {
            let wanted = wanted(question);
            assert_eq!(replaced(older, newer, wanted), Some(true), "{newer}");
            assert_eq!(replaced(newer, older, wanted), None, "{older}");
            // Where one tells more, the rest may be as it was.
            let longer =
                format!("{older}. {}", "And the garden is still full of snails. ".repeat(5));
            assert_eq!(replaced(&longer, newer, wanted), Some(false), "{longer}");
        }
    }

    #[test]
    fn a_value_of_something_else_or_said_again_replaces_nothing() {
        let pay = wanted("What do we pay the babysitter?");
        let was = wanted("What did we pay the babysitter?");
        let older = "babysitter: Lieke, 18 chf/h";
        for newer in [
            "lieke comes at 18:30 now",
            "lieke still gets 18 chf, again",
            "lieke broke a vase, 22 chf",
            "lieke is 18 now",
        ] {
            assert_eq!(replaced(older, newer, pay), None, "{newer}");
        }
        assert_eq!(replaced(older, "lieke wants 22 chf now", pay), Some(true));
        assert!(was.is_none());
    }

    #[test]
    fn notes_that_only_share_what_kind_of_value_they_tell_are_of_two_things() {
        assert!(share_letters("暗証番号は4711", "暗証番号が変わった、今は8052"));
        assert!(share_letters("房租每月5200元", "从十月开始房租涨到5600元"));
        assert!(!share_letters("家里WiFi密码是 panda2018", "小区门禁又换密码了,现在是 7704#"));
    }

    #[test]
    fn each_clause_may_want_something_else() {
        let both = wanted("what's the code of the cabin now, and when do I fly?");
        assert_eq!(both, Wanted { amount: false, when: true, code: true });
        let now = wanted("What did I pay then? And what does it cost?");
        assert_eq!(now, Wanted { amount: true, when: false, code: false });
        assert!(wanted("Where is Anna?").is_none());
    }
}
