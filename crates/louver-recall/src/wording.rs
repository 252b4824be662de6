//! How a short note speaks of a fact: that it holds, that it changed or is over, or that it was counted once.
//!
//! "My weight is 80 kg" holds until somebody says otherwise, "ran 5 km" is of its day alone, and "I quit Siemens" ends what
//! was told before. Only words tell; where they do not, nothing is said of a fact.

use crate::languages::Language;
use crate::when::{has_clock, is_of_time};
use crate::words::{fold, is_among, padded, runs_together};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Whether a note says that something is so, as of now.
pub(crate) fn holds(text: &str) -> bool {
    static SAYS: LazyLock<HashSet<&str, RandomState>> =
        LazyLock::new(|| IS.split_whitespace().collect());
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| SAYS.contains(word))
        || IS_TOO.split('|').any(|letters| text.contains(letters))
        || text.contains(": ")
}

/// Whether a word, folded, only says that something is so.
pub(crate) fn says_is(word: &str) -> bool {
    is_among(IS, word)
}

/// "Has" and "have" are not among them, nor is the German "bin": in most languages they tell of what was, too.
const IS: &str = "is are am costs lives ist sind kostet beträgt lebt wohnt est sont coûte habite es son está están cuesta vive è costa \
    vive é são custa mora kost woont \
    comes goes starts begins takes wants works meets opens closes leaves reads kommt geht beginnt nimmt arbeitet vient commence prend \
    travaille viene empieza toma trabaja comincia prende lavora vem começa trabalha komt gaat begint neemt werkt";
const IS_TOO: &str = "是|です|입니다|이다";

/// What a note says of what was told before it, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Turn {
    /// Nothing.
    No,
    /// That it is otherwise now. What happens may do so again as well, so it tells only beside what holds.
    Otherwise,
    /// That it was changed.
    Changed,
    /// That it is over.
    Over,
}

impl Turn {
    pub(crate) fn of(text: &str) -> Turn {
        let apart = padded(&fold(text));
        let said = SAID.most(&apart);
        if said == Turn::Over || !apart.contains(runs_together) {
            return said;
        }
        let is_in = |letters: &str| letters.split('|').any(|letters| apart.contains(letters));
        let together = [
            (Turn::Over, OVER_TOO),
            (Turn::Changed, CHANGED_TOO),
            (Turn::Otherwise, OTHERWISE_TOO),
        ];
        let together = together.into_iter().find(|(_, letters)| is_in(letters));
        together.map_or(said, |(together, _)| said.max(together))
    }
}

static SAID: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new([(Turn::Over, OVER), (Turn::Changed, CHANGED), (Turn::Otherwise, OTHERWISE)])
});

/// Words that stand together and what they say, by the first of them.
struct Phrases(HashMap<&'static str, Vec<(&'static str, Turn)>, RandomState>);

impl Phrases {
    fn new<const N: usize>(lists: [(Turn, &'static str); N]) -> Phrases {
        let mut phrases: HashMap<_, Vec<_>, _> = HashMap::default();
        for (turn, list) in lists {
            for phrase in list.split('|') {
                let first = phrase.split(' ').next().unwrap_or(phrase);
                phrases.entry(first).or_default().push((phrase, turn));
            }
        }
        Phrases(phrases)
    }

    /// The most that is said by one of them, among words with a blank around each.
    fn most(&self, apart: &str) -> Turn {
        let (mut most, mut start) = (Turn::No, 0);
        for first in apart.split(' ') {
            let from = &apart[start..];
            start += first.len() + 1;
            for (phrase, turn) in self.0.get(first).into_iter().flatten() {
                if *turn > most
                    && from.strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' '))
                {
                    most = *turn;
                }
            }
        }
        most
    }
}

/// Whether an English word with this stem says that something changed: "move" of "moved from".
pub(crate) fn says_change(stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<String, RandomState>> = LazyLock::new(|| {
        let firsts = [OVER, CHANGED].into_iter().flat_map(|list| list.split('|'));
        let firsts = firsts.filter_map(|phrase| phrase.split(' ').next());
        firsts
            .filter(|first| first.ends_with("ed"))
            .map(|first| Language::ENGLISH.stem(first))
            .collect()
    });
    STEMS.contains(stem)
}

const OVER: &str = "quit|resigned|no longer|not anymore|not any more|anymore|any more|stopped|gave up|given up|sold|broke up|split up|divorced\
    |cancelled|canceled|switched to|switched from|moved to|moved away|moved out|used to\
    |gekundigt|nicht mehr|kein mehr|keine mehr|aufgehort|aufgegeben|verkauft|getrennt|geschieden|umgezogen|gewechselt\
    |demissionne|quitte|ne plus|n est plus|ne suis plus|arrete de|vendu|demenage|rompu\
    |ya no|renuncie|deje de|vendi|vendio|me mude|se mudo|rompi|rompimos\
    |non piu|mi sono dimesso|mi sono dimessa|ho smesso|ha smesso|venduto|trasferito|trasferita|lasciato il\
    |ja nao|deixei de|deixou de|vendeu|mudei|mudou|pedi demissao\
    |niet meer|geen meer|gestopt|ontslag|verkocht|verhuisd|uit elkaar";
const OVER_TOO: &str = "不再|辞职|辭職|辞掉|离职|離職|卖掉|賣掉|卖了|賣了|分手|搬到|戒了|辞めた|辞めました|やめた|やめました|引っ越した|引っ越しました|売った|別れた\
    |그만뒀|그만두|퇴사|이사했|팔았|헤어졌|끊었";

const CHANGED: &str = "changed|instead|renamed|replaced|switched|rescheduled|postponed|put off|put back|brought forward|pushed back|delayed\
    |moved from|has moved|was moved|been moved|raised|increased|reduced|lowered|went up|gone up|went down|gone down|down to\
    |update|updated|correction|actually|turns out|from now on\
    |geandert|verschoben|verlegt|umbenannt|ersetzt|erhoht|gesenkt|stattdessen|ab sofort|von jetzt an|korrektur\
    |a change|ont change|deplace|deplacee|reporte|reportee|repousse|repoussee|remplace|renomme|augmente|a la place|finalement\
    |ha cambiado|cambio a|aplazado|aplazada|pospuesto|pospuesta|trasladado|trasladada|sustituido|en lugar|en vez\
    |cambiato|cambiata|spostato|spostata|rinviato|rinviata|posticipato|sostituito|aumentato|ridotto|invece\
    |alterado|alterada|adiado|adiada|remarcado|remarcada|substituido|aumentado|reduzido|em vez\
    |veranderd|gewijzigd|verzet|verplaatst|uitgesteld|vervangen|verhoogd|verlaagd|in plaats daarvan|voortaan";
const CHANGED_TOO: &str = "改|换成|換成|推迟|推遲|延期|调到|調到|涨到|漲到|涨了|漲了|降到|変更|変わ|変えた|代わりに|値上げ|上がった|바꿨|바뀌|변경|연기|미뤘|옮겼|올랐|대신";

const OTHERWISE: &str = "again|now|wieder|jetzt|inzwischen|de nouveau|maintenant|desormais|de nuevo|otra vez|ahora|di nuovo|adesso\
    |ora|de novo|agora|weer|nu|tegenwoordig";
const OTHERWISE_TOO: &str = "又|现在|現在|また|今は|다시|이제";

/// Whether a note speaks of something of this name as new: "a new phone number".
pub(crate) fn is_new(text: &str, names: &[&str]) -> bool {
    let apart = padded(&fold(text));
    let words = apart.split(' ').zip(apart.split(' ').skip(1));
    let mut news = words.filter(|(new, _)| is_among(NEW, new));
    news.any(|(_, next)| names.iter().any(|name| next.starts_with(name)))
        || names.iter().filter(|name| name.contains(runs_together)).any(|name| {
            let news = apart.match_indices(name).map(|(at, _)| apart[..at].trim_end());
            news.into_iter().any(|before| NEW_TOO.split('|').any(|new| before.ends_with(new)))
        })
}

/// Whether a note says that something is not as it was, in whatever words: beside a number "goes up to" says so, too.
pub(crate) fn is_otherwise(text: &str) -> bool {
    static GOES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new([(Turn::Otherwise, GOES_TO)]));
    // What is so again is as it was.
    GOES.most(&padded(&fold(text))) != Turn::No
        || !text.is_ascii() && GOES_TO_IN_LETTERS.split('|').any(|goes| text.contains(goes))
        || Turn::of(text) > Turn::Otherwise
        || says_new(text)
}

const GOES_TO: &str = "now|jetzt|inzwischen|maintenant|desormais|ahora|adesso|ora|agora|nu|tegenwoordig|goes up|go up|going up|put up|goes down|go down|goes to|went to|up to|moves|move to|moved|moving|doubled|halved|swapped|change|wants\
    |from today|from tomorrow|starting tomorrow|from now|from this month|this term|this year|reached|improved to|extended to|grown to\
    |steigt|gestiegen|sinkt|gesunken|geht auf|ab heute|ab morgen|ab sofort|passe a|passe au|passe aux|passe de|passent a|augmente|baisse|a partir|sube a|sale a|passa a|sobe para|gaat naar|vanaf";

const GOES_TO_IN_LETTERS: &str = "加到|减到|減到|升到|提到|从今天|從今天|从明天|從明天|从下|從下|现在|現在|に上がる|に上げ|に増え|に減|に下が|に変え|になった|になる|今は|来月から\
    |今月から|늘었|줄었|이제|다음 달부터|이번 달부터";

/// Whether a note speaks of anything as new.
pub(crate) fn says_new(text: &str) -> bool {
    padded(&fold(text)).split(' ').any(|word| is_among(NEW, word))
        || !text.is_ascii() && {
            let rest =
                NOT_NEW.split('|').fold(text.to_owned(), |rest, word| rest.replace(word, " "));
            NEW_TOO.split('|').any(|new| rest.contains(new))
        }
}

const NEW: &str = "new neue neuer neues neuen nouveau nouvel nouvelle nuevo nueva nuovo nuova novo nova nieuw nieuwe";
const NEW_TOO: &str = "新|新的|新しい|새|새로운";
/// Words that are written with one of these, and say nothing of it: dawn, a smell, a bird, news, fresh, newspaper.
const NOT_NEW: &str = "새벽|냄새|새들|참새|新闻|新聞|新鲜|新鮮|新年|新婚|新幹線";

/// Whether a note tells what somebody did, once: "Bought a lamp at the market". Who did something else did that, too.
pub(crate) fn happened(text: &str) -> bool {
    let folded = fold(text);
    let mut words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.find(|word| !is_among(WHO, word)).unwrap_or_default();
    !holds(text) && (is_among(DID, first) || first.len() > 4 && first.ends_with("ed"))
}

const WHO: &str = "i we he she they you";
const DID: &str = "bought sold met saw went ate drank had got made took gave came found lost read wrote sent paid ran drove flew swam \
    slept told spoke heard left built broke won began sang taught caught brought threw rode spent cut put set";

/// The one number of a folded text and the word after it, if there is one: "20" and "mg".
pub(crate) fn only_measure(folded: &str) -> Option<(String, String)> {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let words: Vec<&str> = folded.split_whitespace().collect();
    let at = words.iter().position(is_number)?;
    if words[at + 1..].iter().any(is_number) {
        return None;
    }
    let letters = words[at].find(char::is_alphabetic);
    let (number, unit) = match letters {
        Some(from) => words[at].split_at(from),
        None => (words[at], *words.get(at + 1)?),
    };
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    Some((bare(number), bare(unit)))
}

/// Whether the newer of two notes says at what hour something is, and the other nothing of when: what is moved to
/// another hour is where it was.
pub(crate) fn only_hour(older: &str, newer: &str) -> bool {
    let tells_when = |text: &str| {
        let folded = fold(text);
        let mut words =
            folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.any(|word| is_of_time(word) || word.starts_with(|c: char| c.is_ascii_digit()))
    };
    has_clock(newer) && !tells_when(older)
}

/// Whether two notes that differ in their numbers were each counted once: "ran 5 km", "ran 7 km".
pub(crate) fn were_counted(one: &str, two: &str) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_ascii_digit());
        parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (first, second) = (numbers(one), numbers(two));
    !first.is_empty() && !second.is_empty() && first != second && (!holds(one) || !holds(two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_is_told_from_what_was_counted() {
        for (one, two) in [
            ("My weight is 80 kg.", "My weight is 78 kg."),
            ("Rent: 900 euros", "Rent: 950 euros"),
            ("Die Miete ist 900 Euro.", "Die Miete ist 950 Euro."),
            ("Le loyer est de 900 euros.", "Le loyer est de 950 euros."),
            ("El alquiler es de 900 euros.", "El alquiler es de 950 euros."),
            ("房租是900元。", "房租是950元。"),
            ("We met.", "We met at 9."),
        ] {
            assert!(!were_counted(one, two), "{one}");
        }
        for (one, two) in [
            ("Ran 5 km along the river.", "Ran 7 km along the river."),
            ("Spent 42 euros on groceries.", "Spent 38 euros on groceries."),
            ("Weighed 79 kg this morning.", "Weighed 78 kg this morning."),
            ("5 km gelaufen.", "7 km gelaufen."),
            ("跑了5公里。", "跑了7公里。"),
        ] {
            assert!(were_counted(one, two), "{one}");
        }
    }

    #[test]
    fn what_somebody_did_is_told_from_what_is_so() {
        for text in ["Bought a lamp at the flea market.", "We visited Graz.", "I paid the plumber"]
        {
            assert!(happened(text), "{text}");
        }
        for text in ["The lamp is red.", "I need a lamp", "Rent: 900 euros", "Red lamp", ""] {
            assert!(!happened(text), "{text}");
        }
    }

    #[test]
    fn what_changed_is_said_in_ten_languages() {
        for text in [
            "The party was put off to Friday.",
            "Die Probe ist auf Mittwoch verschoben.",
            "La répétition est reportée à mercredi.",
            "El ensayo fue aplazado al miércoles.",
            "La prova è spostata a mercoledì.",
            "O ensaio foi adiado para quarta.",
            "De repetitie is verplaatst naar woensdag.",
            "排练改到星期三了。",
            "練習は水曜日に変更。",
            "연습이 수요일로 변경됐어.",
        ] {
            assert_eq!(Turn::of(text), Turn::Changed, "{text}");
        }
        assert!(is_new("I've got a new phone number.", &["phone"]));
        assert!(is_new("我的新电话是5。", &["电话"]));
        assert!(!is_new("New shoes for the party.", &["party"]));
    }

    #[test]
    fn a_word_that_is_written_with_new_need_not_say_it() {
        assert!(says_new("새 전화번호는 5야.") && says_new("新的电话是5"));
        assert!(!says_new("새벽 6시에 일어나") && !says_new("看新闻"));
    }

    #[test]
    fn what_is_over_is_said_in_ten_languages() {
        for text in [
            "I quit Siemens.",
            "I no longer eat meat.",
            "Ich habe bei Siemens gekündigt.",
            "Je ne suis plus chez Siemens.",
            "Ya no trabajo en Siemens.",
            "Ho smesso di fumare.",
            "Deixei de fumar.",
            "Ik werk daar niet meer.",
            "我从西门子辞职了。",
            "会社を辞めた。",
            "회사를 그만뒀어.",
        ] {
            assert_eq!(Turn::of(text), Turn::Over, "{text}");
        }
        assert_eq!(Turn::of("Anna eats meat again."), Turn::Otherwise);
        for text in ["I work at Siemens.", "Anna eats meat.", "A soldier, nowhere near", ""] {
            assert_eq!(Turn::of(text), Turn::No, "{text}");
        }
    }
}
