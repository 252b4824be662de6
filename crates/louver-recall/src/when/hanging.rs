//! Spans that hang on an event: "two weeks before the move", "since the move". Which days they are depends on when that
//! was, which only the notes know.

use super::calendar::{Manner, Unit, ago, back};
use super::tokens::{Word, tokens};
use super::west::Reader;
use super::{Span, east, english};
use crate::question::without_pasted;
use crate::words::{self, is_among};
use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use std::ops::Range;

/// So many units before or after an event, or all since then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hanging {
    /// What it hangs on, as it was written: "the move".
    pub event: String,
    /// All that says it: "two weeks before the move".
    pub said: String,
    reach: Reach,
}

/// Which days are meant, as seen from the event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    /// All from then on.
    Since,
    /// Those that are so far from it.
    Away {
        unit: Unit,
        /// Below zero after it.
        back: i32,
        /// "The week before" is up to the event, "one week before" is about that far from it.
        up_to: bool,
    },
}

impl Hanging {
    /// The days it means, if the event was on this one.
    pub fn from(&self, day: Date, now: Option<DateTime>) -> Option<Span> {
        let Reach::Away { unit, back: count, up_to } = self.reach else {
            let today = now.map(DateTime::date).filter(|today| day <= *today);
            return today.map(|today| Span::Days(day, today));
        };
        if !up_to {
            return ago(unit, count, day);
        }
        let (far, _) = back(unit, count, day)?;
        Some(match count > 0 {
            true => Span::Days(far, day.checked_sub(1.days()).ok()?),
            false => Span::Days(day.checked_add(1.days()).ok()?, far),
        })
    }
}

/// The first such span of a question.
pub fn hanging(text: &str) -> Option<Hanging> {
    let text = without_pasted(text);
    west(&text).or_else(|| {
        let east::Beside { event, said, unit, back } = east::hanging(&text)?;
        Some(Hanging { event, said, reach: Reach::Away { unit, back, up_to: false } })
    })
}

/// What tells how long before or after stands this close.
const CLOSE: usize = 64;

fn west(text: &str) -> Option<Hanging> {
    let (mut start, mut dates) = (0, None);
    let mut in_date = |place: usize| {
        let dates = dates.get_or_insert_with(|| dates_of(text));
        dates.iter().any(|date| date.contains(&place))
    };
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let end = start + word.len();
        let bare = Word::new(word.trim_end_matches(|c: char| !c.is_alphanumeric()));
        if let Some(found) = SIDES.iter().find(|side| bare == *side.word) {
            let before = &text[text.ceil_char_boundary(start.saturating_sub(CLOSE))..start];
            if let Some(counted @ (count, unit, up_to)) = counted(before, found)
                && let Some(event) = event(&text[end..])
                && !in_date(start)
            {
                let amount = amount(before, found, counted);
                let said = format!("{amount}{word}{event}");
                let reach = Reach::Away { unit, back: count * found.back, up_to };
                return Some(Hanging { event, said, reach });
            }
        } else if let Some(event) = since(&text[..start], &bare, &text[end..])
            && !in_date(start)
        {
            let said = format!("{word}{event}");
            return Some(Hanging { event, said, reach: Reach::Since });
        }
        start = end;
    }
    None
}

/// The event since which something is asked for. In English the word says why as often as since when: who asks what has been
/// since says so with the verb, and what is no sentence is no reason.
fn since(before: &str, word: &Word<'_>, after: &str) -> Option<String> {
    // What stands before is looked through for no other word: a long message has many.
    if !is_among(SINCE, word) {
        return None;
    }
    let event = event(after)?;
    let first = event.split_whitespace().next().map(words::fold)?;
    // "Seit dem Umzug gekauft": the verb is last.
    let event = match &**word == "seit" && is_among(ITS, &first) {
        true => up_to_noun(&event),
        false => event,
    };
    let sentence = before.rsplit(['.', '!', '?', '\n']).next().map(words::fold)?;
    let says = |list: &str| {
        sentence.split(|c: char| !c.is_alphanumeric()).any(|word| is_among(list, word))
    };
    // Who asks how long it is asks for the event.
    if says(HOW_LONG) {
        return None;
    }
    let is_event = match &**word {
        "seit" | "seitdem" | "sinds" => !is_among("wann wanneer damals toen", &first),
        "depuis" | "desde" => first == "que",
        "since" => {
            let thing = is_among("the my our his her their that last", &first)
                && event.split_whitespace().count() <= LONGEST_NAME;
            // "Since Anna is ill" says why.
            let is_so = event
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| is_among(IS_SO, &words::fold(word)));
            let asks = sentence.split_whitespace().next().is_some_and(|word| is_among(ASK, word));
            !is_among("when then", &first) && (thing || says(PERFECT) || asks && !is_so)
        }
        _ => false,
    };
    is_event.then_some(event)
}

const SINCE: &str = "since seit seitdem sinds depuis desde";

/// A German name of something, up to its noun.
fn up_to_noun(event: &str) -> String {
    let mut words: Vec<&str> = event.split_whitespace().collect();
    let noun = words.iter().skip(1).position(|word| word.starts_with(char::is_uppercase));
    words.truncate(noun.map_or(words.len(), |noun| noun + 2));
    words.join(" ")
}

const ITS: &str =
    "dem der den meinem meiner meinen unserem unserer unseren seinem seiner ihrem ihrer";

const HOW_LONG: &str = "long hours days weeks months years time lange tage wochen monate jahre zeit lang dagen weken maanden jaar tijd \
    longtemps jours semaines mois ans annees temps dias semanas meses anos tiempo tempo";

/// How a question begins that may be of all since then, and what is so when a reason is told.
const ASK: &str = "what how who where which did was were";
const IS_SO: &str = "is are am s m re isn aren have has haven hasn can cannot do does don doesn need needs want wants will";

/// Words that go with what has been so since a day.
const PERFECT: &str = "have has had haven hasn hadn ve been";
/// What an event is called has no more words.
const LONGEST_NAME: usize = 3;

/// A word that says on which side of an event something is.
struct Side {
    word: &'static str,
    /// The languages it is a word of.
    codes: &'static [&'static str],
    back: i32,
}

const SIDES: [Side; 13] = [
    Side { word: "before", codes: &["en"], back: 1 },
    Side { word: "after", codes: &["en"], back: -1 },
    Side { word: "vor", codes: &["de"], back: 1 },
    Side { word: "nach", codes: &["de"], back: -1 },
    Side { word: "avant", codes: &["fr"], back: 1 },
    Side { word: "apres", codes: &["fr"], back: -1 },
    Side { word: "antes", codes: &["es", "pt"], back: 1 },
    Side { word: "despues", codes: &["es"], back: -1 },
    Side { word: "depois", codes: &["pt"], back: -1 },
    Side { word: "prima", codes: &["it"], back: 1 },
    Side { word: "dopo", codes: &["it"], back: -1 },
    Side { word: "voor", codes: &["nl"], back: 1 },
    Side { word: "na", codes: &["nl"], back: -1 },
];

/// How many of what, and whether that is up to the event.
type Counted = (i32, Unit, bool);

/// How much stands before the word: "two weeks" or "the week", which is up to the event.
fn counted(before: &str, side: &Side) -> Option<Counted> {
    let words = tokens(before);
    read_count(&Reader::new(before, &words), side)
}

/// The last words that say as much as all.
fn amount<'a>(before: &'a str, side: &Side, all: Counted) -> &'a str {
    let starts = before.char_indices().rev().filter(|(at, letter)| {
        letter.is_alphanumeric() && !before[..*at].ends_with(char::is_alphanumeric)
    });
    let mut parts = starts.map(|(at, _)| &before[at..]);
    parts.find(|part| counted(part, side) == Some(all)).unwrap_or(before)
}

fn read_count(before: &Reader<'_>, side: &Side) -> Option<Counted> {
    if side.codes == ["en"] {
        let (unit, rest) = before.words.split_last()?;
        let unit = english::unit(unit)?;
        match &**rest.last()? {
            "the" | "that" => return Some((1, unit, true)),
            "a" | "an" => return Some((1, unit, false)),
            "couple" | "few" => return Some((3, unit, false)),
            // "A couple of weeks"
            "of" if rest.iter().rev().nth(1).is_some_and(|word| *word == *"couple") => {
                return Some((2, unit, false));
            }
            _ => (),
        }
    }
    let (count, unit) = before.counted(side.codes)?;
    Some((count, unit, false))
}

/// Whether these words are so many units, and the next one makes them hang on what follows: "the last two weeks",
/// "before". A day that is named stays one: "yesterday before lunch".
pub(super) fn hangs(stretch: &Reader<'_>, next: &Word<'_>) -> bool {
    let side = SIDES.iter().find(|side| side.codes == ["en"] && *next == *side.word);
    side.is_some_and(|side| read_count(stretch, side).is_some())
}

/// Where days are named, of which a word may be a part: "the day before yesterday". From which day they are seen
/// does not matter.
fn dates_of(text: &str) -> Vec<Range<usize>> {
    let dates = super::read(text, Some(Date::constant(2000, 1, 1)), Manner::Asks);
    dates.into_iter().map(|date| date.place).collect()
}

/// What is left of the clause.
fn event(rest: &str) -> Option<String> {
    let end = rest.find(['?', '!', '.', ',', ';', ':', '\n']).unwrap_or(rest.len());
    let event = rest[..end].trim();
    event.contains(char::is_alphabetic).then(|| event.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const EVENT: Date = date(2024, 3, 30);
    const NOW: DateTime = date(2024, 5, 2).at(9, 0, 0, 0);

    fn read(text: &str) -> Option<(String, Span)> {
        let hanging = hanging(text)?;
        let span = hanging.from(EVENT, Some(NOW))?.plain();
        Some((hanging.event, span))
    }

    #[test]
    fn days_are_counted_from_an_event() {
        // The first and the last day, counted from the event.
        for (text, event, first, last) in [
            ("What happened two weeks before the move?", "the move", -17, -11),
            ("Where was I the day after Anna's wedding, and with whom?", "Anna's wedding", 1, 1),
            ("what did we buy the week before we moved", "we moved", -7, -1),
            ("3 days after the fall.", "the fall", 3, 3),
            ("a couple of days before the trip", "the trip", -2, -2),
            ("a month after that", "that", 16, 46),
            ("twenty-one days before the move", "the move", -22, -20),
            ("treinta y dos días antes de la boda", "de la boda", -33, -31),
            ("vingt-cinq jours avant le départ", "le départ", -26, -24),
            ("搬家前一百二十天", "搬家", -121, -119),
            ("Was war zwei Wochen vor dem Umzug?", "dem Umzug", -17, -11),
            ("deux semaines avant le déménagement", "le déménagement", -17, -11),
            ("dos días después de la boda", "de la boda", 2, 2),
            ("tre giorni prima del trasloco", "del trasloco", -3, -3),
            ("três dias depois da mudança", "da mudança", 3, 3),
            ("twee weken voor de verhuizing", "de verhuizing", -17, -11),
            ("搬家前两周发生了什么？", "搬家", -17, -11),
            ("婚礼之后三天我们去了哪里", "婚礼", 3, 3),
            ("然后呢，搬家的前一天谁来了？", "搬家", -1, -1),
            ("婚禮的兩個星期後", "婚禮", 11, 17),
            ("引っ越しの二週間前に何があった？", "引っ越し", -17, -11),
            ("結婚式の３日後は？", "結婚式", 3, 3),
            ("結婚式の翌日、どこにいた？", "結婚式", 1, 1),
            ("이사 2주 전에 무슨 일이 있었어?", "이사", -17, -11),
            ("결혼식 이틀 뒤에 어디 갔지?", "결혼식", 2, 2),
            ("이사하기 전날 누가 왔어?", "이사하기", -1, -1),
        ] {
            let day = |step: i32| EVENT.checked_add(step.days()).unwrap();
            let span = Span::Days(day(first), day(last));
            assert_eq!(read(text), Some((event.to_owned(), span)), "{text}");
        }
    }

    #[test]
    fn all_since_an_event_is_up_to_now() {
        for (text, event) in [
            ("What have I bought since the move?", "the move"),
            ("Since the wedding, how often did we argue?", "the wedding"),
            ("How many books have I read since I moved to Graz?", "I moved to Graz"),
            ("What went wrong with the house since we moved in?", "we moved in"),
            ("Was habe ich seit dem Umzug gekauft?", "dem Umzug"),
            ("Was war seit unserer letzten Reise los?", "unserer letzten Reise"),
            ("Wat heb ik sinds de verhuizing gekocht?", "de verhuizing gekocht"),
            ("Qu'ai-je acheté depuis que j'ai déménagé ?", "que j'ai déménagé"),
        ] {
            let span = Span::Days(EVENT, NOW.date());
            assert_eq!(read(text), Some((event.to_owned(), span)), "{text}");
        }
        let hanging = hanging("What have I bought since the move?").unwrap();
        assert_eq!(hanging.said, "since the move");
        assert_eq!(hanging.from(EVENT, None), None);
        assert_eq!(hanging.from(NOW.date().tomorrow().unwrap(), Some(NOW)), None);
    }

    #[test]
    fn it_is_known_what_of_a_question_says_them() {
        for (text, said) in [
            ("What did we eat two weeks before the move?", "two weeks before the move"),
            ("what happened a couple of days before the trip", "couple of days before the trip"),
            ("Was war am Tag so los zwei Wochen vor dem Umzug?", "zwei Wochen vor dem Umzug"),
            ("twenty-one days before the move", "twenty-one days before the move"),
            ("然后呢，搬家前两周发生了什么？", "搬家前两周"),
            ("引っ越しの二週間前に何があった？", "引っ越しの二週間前"),
            ("이사 2주 전에 무슨 일이 있었어?", "이사 2주 전"),
        ] {
            assert_eq!(hanging(text).map(|hanging| hanging.said).as_deref(), Some(said), "{text}");
        }
    }

    #[test]
    fn a_date_before_it_hides_nothing_that_hangs() {
        let text = "Not the day before yesterday: what was two weeks before the move?";
        let span = Span::Days(date(2024, 3, 13), date(2024, 3, 19));
        assert_eq!(read(text), Some(("the move".to_owned(), span)));
    }

    #[test]
    fn of_what_was_pasted_in_the_ends_are_read() {
        for (filling, hangs) in
            [("wort ", " two weeks before the move. "), ("字", "。搬家前两周。")]
        {
            let pasted = filling.repeat(10_000 / filling.len());
            assert_eq!(read(&format!("{pasted}{hangs}{pasted}")), None, "{hangs}");
            assert!(read(&format!("{hangs}{pasted}")).is_some(), "{hangs}");
            assert!(read(&format!("{pasted}{hangs}")).is_some(), "{hangs}");
        }
    }

    #[test]
    fn what_hangs_on_nothing_is_left_alone() {
        for text in [
            "two weeks ago",
            "before lunch",
            "What did I do before the move?",
            "two weeks before",
            "the day before.",
            "vor zwei Wochen",
            "zero days before the move",
            "1.5 years before the move",
            "a hundred and five days before the move",
            "1,5 jaar voor de verhuizing",
            "搬家前1.5年",
            "zwei Wochen before the move",
            "What did I do the day before yesterday?",
            "What is on the day after tomorrow?",
            "Where was I the week before last?",
            "两周前我说了什么？",
            "二週間前に何をした？",
            "2주 전에 뭐라고 했지?",
            "회의에서 2주 전에 뭐라고 했지?",
            "What can I cook, since Anna is a vegetarian?",
            "Since I am tired, what can wait?",
            "Since when have I had the flat?",
            "How many days had passed since I finished the book?",
            "How long has it been since the move?",
            "Wie lange ist es seit dem Umzug?",
            "What has happened since then?",
            "What have I bought since Tuesday?",
            "What have I bought since 3 May?",
            "Was habe ich seit drei Wochen gelesen?",
            "¿Cuánto tarda el tren desde Madrid?",
            "内に三日後",
            "三天后见",
            "搬家",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
