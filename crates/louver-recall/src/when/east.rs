//! Dates and spans in Chinese, Japanese and Korean, read letter by letter.
//!
//! Words are not set apart there, or carry their particles, so phrases are looked for wherever a
//! letter begins one. Blanks between the letters of a date do not matter.

use super::Span;
use super::calendar::{Manner, Unit, ago, day_of, month_of, nearest, one, whole, year_of};
use jiff::civil::{Date, Weekday};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Adds every span that a text names, seen from `from`.
pub(super) fn spans(text: &str, from: Option<Date>, _manner: Manner, found: &mut Vec<Span>) {
    let letters: Vec<char> = text.chars().map(plain).collect();
    let mut at = 0;
    while at < letters.len() {
        let reader = Reader { letters: &letters, from };
        let hit = match letters[at] {
            letter if !STARTS.contains(&letter) => None,
            _ => reader.date(at).or_else(|| reader.counted(at)).or_else(|| reader.phrase(at)),
        };
        match hit {
            Some((span, end)) => {
                found.push(span);
                at = end;
            }
            // "12月" is not "2月".
            None if letters[at].is_ascii_digit() => at = after_digits(&letters, at),
            None => at += 1,
        }
    }
}

/// So many units before an event, or after it if there are fewer than none, and the event:
/// "搬家前两周", "引っ越しの二週間前", "이사 2주 전".
pub(super) fn hanging(text: &str) -> Option<(String, Unit, i32)> {
    let letters: Vec<char> = text.chars().map(plain).collect();
    let reader = Reader { letters: &letters, from: None };
    (1..letters.len()).find_map(|at| reader.hanging(at))
}

/// What something can begin with. Most letters are none of these.
static STARTS: LazyLock<HashSet<char>> = LazyLock::new(|| {
    let firsts = |phrase: &&'static str| phrase.chars().next();
    let phrases = PHRASES.iter().map(|(phrase, ..)| phrase).filter_map(firsts);
    let numbers = KOREAN_NUMBERS.iter().map(|(number, _)| number).filter_map(firsts);
    let days = KOREAN_COUNTS.iter().map(|(days, _)| days).filter_map(firsts);
    phrases
        .chain(numbers)
        .chain(days)
        .chain(NUMERALS.chars())
        .chain("两兩十".chars())
        .chain('0'..='9')
        .collect()
});

fn plain(letter: char) -> char {
    match letter {
        '０'..='９' => char::from(b'0' + (letter as u32 - '０' as u32) as u8),
        '\u{3000}' => ' ',
        _ => letter,
    }
}

fn after_digits(letters: &[char], at: usize) -> usize {
    at + letters[at..].iter().take_while(|letter| letter.is_ascii_digit()).count()
}

#[derive(Clone, Copy)]
enum Meaning {
    /// So many days from today.
    Day(i32),
    /// A week, month or year so many steps from this one.
    Near(Unit, i32),
    /// Before a weekday only: "last", "next".
    Step(i32),
}

/// Phrases, what they mean, and letters before or after which they are part of another word
/// (`以前天气`, `登上月球`). A longer phrase comes before its head.
const PHRASES: &[(&str, Meaning, &str)] = &[
    // Chinese
    ("大前天", Meaning::Day(-3), ""),
    ("前天", Meaning::Day(-2), "以之年月日天周后後气氣"),
    ("昨天", Meaning::Day(-1), ""),
    ("昨晚", Meaning::Day(-1), ""),
    ("今天", Meaning::Day(0), ""),
    ("明天", Meaning::Day(1), ""),
    ("后天", Meaning::Day(2), "以之年月日天周前"),
    ("後天", Meaning::Day(2), "以之年月日天周前"),
    ("上个星期", Meaning::Near(Unit::Week, -1), ""),
    ("上個星期", Meaning::Near(Unit::Week, -1), ""),
    ("上个礼拜", Meaning::Near(Unit::Week, -1), ""),
    ("上個禮拜", Meaning::Near(Unit::Week, -1), ""),
    ("上星期", Meaning::Near(Unit::Week, -1), ""),
    ("上礼拜", Meaning::Near(Unit::Week, -1), ""),
    ("上周", Meaning::Near(Unit::Week, -1), ""),
    ("上週", Meaning::Near(Unit::Week, -1), ""),
    ("这个星期", Meaning::Near(Unit::Week, 0), ""),
    ("這個星期", Meaning::Near(Unit::Week, 0), ""),
    ("这星期", Meaning::Near(Unit::Week, 0), ""),
    ("这周", Meaning::Near(Unit::Week, 0), ""),
    ("這週", Meaning::Near(Unit::Week, 0), ""),
    ("本周", Meaning::Near(Unit::Week, 0), ""),
    ("本週", Meaning::Near(Unit::Week, 0), ""),
    ("下个星期", Meaning::Near(Unit::Week, 1), ""),
    ("下個星期", Meaning::Near(Unit::Week, 1), ""),
    ("下个礼拜", Meaning::Near(Unit::Week, 1), ""),
    ("下星期", Meaning::Near(Unit::Week, 1), ""),
    ("下周", Meaning::Near(Unit::Week, 1), ""),
    ("下週", Meaning::Near(Unit::Week, 1), ""),
    ("上个月", Meaning::Near(Unit::Month, -1), "球亮"),
    ("上個月", Meaning::Near(Unit::Month, -1), "球亮"),
    ("上月", Meaning::Near(Unit::Month, -1), "登球亮"),
    ("这个月", Meaning::Near(Unit::Month, 0), "球亮"),
    ("這個月", Meaning::Near(Unit::Month, 0), "球亮"),
    ("本月", Meaning::Near(Unit::Month, 0), ""),
    ("下个月", Meaning::Near(Unit::Month, 1), "球亮"),
    ("下個月", Meaning::Near(Unit::Month, 1), "球亮"),
    ("下月", Meaning::Near(Unit::Month, 1), "球亮"),
    ("前年", Meaning::Near(Unit::Year, -2), "以之日月年周"),
    ("去年", Meaning::Near(Unit::Year, -1), ""),
    ("今年", Meaning::Near(Unit::Year, 0), ""),
    ("明年", Meaning::Near(Unit::Year, 1), ""),
    // Japanese
    ("一昨日", Meaning::Day(-2), ""),
    ("おととい", Meaning::Day(-2), ""),
    ("昨日", Meaning::Day(-1), ""),
    ("きのう", Meaning::Day(-1), ""),
    ("今日", Meaning::Day(0), ""),
    ("きょう", Meaning::Day(0), ""),
    ("明後日", Meaning::Day(2), ""),
    ("あさって", Meaning::Day(2), ""),
    ("明日", Meaning::Day(1), ""),
    ("あした", Meaning::Day(1), ""),
    ("先週", Meaning::Near(Unit::Week, -1), ""),
    ("今週", Meaning::Near(Unit::Week, 0), ""),
    ("来週", Meaning::Near(Unit::Week, 1), ""),
    ("先月", Meaning::Near(Unit::Month, -1), ""),
    ("今月", Meaning::Near(Unit::Month, 0), ""),
    ("来月", Meaning::Near(Unit::Month, 1), ""),
    ("昨年", Meaning::Near(Unit::Year, -1), ""),
    ("来年", Meaning::Near(Unit::Year, 1), ""),
    // Korean
    ("그저께", Meaning::Day(-2), ""),
    ("그제", Meaning::Day(-2), "엊"),
    ("어제", Meaning::Day(-1), ""),
    ("오늘", Meaning::Day(0), ""),
    ("내일", Meaning::Day(1), ""),
    ("모레", Meaning::Day(2), ""),
    ("지난주", Meaning::Near(Unit::Week, -1), ""),
    ("저번주", Meaning::Near(Unit::Week, -1), ""),
    ("이번주", Meaning::Near(Unit::Week, 0), ""),
    ("다음주", Meaning::Near(Unit::Week, 1), ""),
    ("지난달", Meaning::Near(Unit::Month, -1), ""),
    ("이번달", Meaning::Near(Unit::Month, 0), ""),
    ("다음달", Meaning::Near(Unit::Month, 1), ""),
    ("작년", Meaning::Near(Unit::Year, -1), ""),
    ("지난해", Meaning::Near(Unit::Year, -1), ""),
    ("올해", Meaning::Near(Unit::Year, 0), ""),
    ("내년", Meaning::Near(Unit::Year, 1), ""),
    ("지난", Meaning::Step(-1), ""),
    ("이번", Meaning::Step(0), ""),
    ("다음", Meaning::Step(1), ""),
];

/// The seven of the week, from Monday: after "last week" in Chinese, and by name.
const CHINESE_DAYS: [char; 7] = ['一', '二', '三', '四', '五', '六', '日'];
const JAPANESE_DAYS: [char; 7] = ['月', '火', '水', '木', '金', '土', '日'];
const KOREAN_DAYS: [char; 7] = ['월', '화', '수', '목', '금', '토', '일'];

/// What is counted, when "ago" comes after it. A longer one comes before its head.
const UNITS: &[(&str, Unit)] = &[
    ("天", Unit::Day),
    ("日間", Unit::Day),
    ("日", Unit::Day),
    ("일", Unit::Day),
    ("个星期", Unit::Week),
    ("個星期", Unit::Week),
    ("个礼拜", Unit::Week),
    ("星期", Unit::Week),
    ("週間", Unit::Week),
    ("周", Unit::Week),
    ("週", Unit::Week),
    ("주일", Unit::Week),
    ("주", Unit::Week),
    ("个月", Unit::Month),
    ("個月", Unit::Month),
    ("ヶ月", Unit::Month),
    ("ケ月", Unit::Month),
    ("か月", Unit::Month),
    ("カ月", Unit::Month),
    ("箇月", Unit::Month),
    ("개월", Unit::Month),
    ("달", Unit::Month),
    ("年", Unit::Year),
    ("년", Unit::Year),
];

/// Korean says small numbers in words of its own.
const KOREAN_NUMBERS: &[(&str, i32)] = &[
    ("한", 1),
    ("두", 2),
    ("세", 3),
    ("네", 4),
    ("다섯", 5),
    ("여섯", 6),
    ("일곱", 7),
    ("여덟", 8),
    ("아홉", 9),
    ("열", 10),
];

/// And some days in one word.
const KOREAN_COUNTS: &[(&str, i32)] =
    &[("하루", 1), ("이틀", 2), ("사흘", 3), ("나흘", 4), ("열흘", 10)];

/// The days beside an event that have a word of their own, and how far before it they are.
const BESIDE: &[(&str, i32)] =
    &[("前日", 1), ("翌日", -1), ("전날", 1), ("다음날", -1), ("다음 날", -1)];

/// What ends a clause.
const ENDS: &str = "，。？！、；：,.?!;:\n";

/// Korean says with these that what comes before is no name of a time: "at the meeting, two weeks ago".
const PARTICLES: [&str; 9] = ["에서", "에", "가", "이", "는", "은", "을", "를", "도"];

type Found = Option<(Span, usize)>;

struct Reader<'a> {
    letters: &'a [char],
    from: Option<Date>,
}

impl Reader<'_> {
    /// "2024年3月5日", "3월 5일", "2024年3月", "3月", "2024년".
    fn date(&self, at: usize) -> Found {
        let (number, after) = self.number(at)?;
        let year = || i16::try_from(number).ok().filter(|year| (1900..=2100).contains(year));
        if let Some((year, end)) = year().zip(self.mark(after, &['年', '년'])) {
            // "2024年前" is some time before.
            let month = self.number(end).and_then(|(month, at)| self.month(month, at, Some(year)));
            return month.or_else(|| {
                let before = self.mark(end, &['前', '전']).is_some();
                (!before).then_some((year_of(year)?, end))
            });
        }
        self.month(number, after, None)
    }

    fn month(&self, number: i32, at: usize, year: Option<i16>) -> Found {
        let month = i8::try_from(number).ok().filter(|month| (1..=12).contains(month))?;
        let end = self.mark(at, &['月', '월'])?;
        if let Some((day, after)) = self.number(end)
            && let Some(day) = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))
            && let Some(after) = self.mark(after, &['日', '号', '號', '일'])
        {
            return Some((day_of(year, month, day)?, after));
        }
        let span = match year {
            Some(year) => month_of(year, month)?,
            None => Span::Yearly { month, day: None },
        };
        Some((span, end))
    }

    /// "两周前", "二週間前", "3일 전".
    fn counted(&self, at: usize) -> Found {
        let from = self.from?;
        let (count, unit, end) = self.amount(at)?;
        let end = self.mark(end, &['前', '전'])?;
        // "2年前期" is a term of a school.
        let other = self.letters.get(end).is_some_and(|next| "期半後".contains(*next));
        (!other).then_some((ago(unit, count, from)?, end))
    }

    /// "两周", "3일", "두 달", "이틀".
    fn amount(&self, at: usize) -> Option<(i32, Unit, usize)> {
        let days = |(word, count): &(&str, i32)| Some((*count, Unit::Day, self.word(at, word)?));
        if let Some(days) = KOREAN_COUNTS.iter().find_map(days) {
            return Some(days);
        }
        let (count, after) = self.number(at).or_else(|| self.korean_number(at))?;
        let after = self.gap(after);
        let (unit, end) =
            UNITS.iter().find_map(|(word, unit)| Some((*unit, self.word(after, word)?)))?;
        Some((count, unit, end))
    }

    /// An event before this letter, and how far from it something is.
    fn hanging(&self, at: usize) -> Option<(String, Unit, i32)> {
        let beside = |(word, back): &(&str, i32)| Some((*back, self.word(at, word)?));
        if let Some((back, _)) = BESIDE.iter().find_map(beside) {
            return Some((self.event(at, &['の', '的', ' '])?, Unit::Day, back));
        }
        let (count, unit, end) = self.amount(at).filter(|(count, ..)| *count > 0)?;
        let before = self.letters[at - 1];
        // In Chinese the side comes first: "搬家前两周". "两周前" after that would be counted from now.
        if let Some(back) = side(before) {
            let ago = self.mark(end, &['前']).is_some();
            return (!ago).then_some((
                self.event(at - 1, &['之', '以', '的'])?,
                unit,
                back * count,
            ));
        }
        let back = side(*self.letters.get(self.gap(end))?)?;
        Some((self.event(at, &['の', '的', ' '])?, unit, back * count))
    }

    /// What is said before a letter in its clause, if one of these joins it on. In Chinese nothing need to.
    fn event(&self, end: usize, joints: &[char]) -> Option<String> {
        let before = &self.letters[..end];
        let start = before.iter().rposition(|letter| ENDS.contains(*letter)).map_or(0, |at| at + 1);
        let text: String = before[start..].iter().collect();
        let event = text.trim_end_matches(joints);
        let joined = event.len() < text.len() || side(*self.letters.get(end)?).is_some();
        let last = event.chars().next_back()?;
        let says_when = !PARTICLES.iter().any(|particle| event.ends_with(particle));
        let event = event.trim();
        (joined && last.is_alphabetic() && says_when).then(|| event.to_owned())
    }

    /// "昨天", "上周三", "先週の火曜日", "지난주 화요일", "다음 금요일".
    fn phrase(&self, at: usize) -> Found {
        let from = self.from?;
        let (meaning, end) = PHRASES.iter().find_map(|(phrase, meaning, apart)| {
            let end = self.spaced(at, phrase)?;
            let before = at.checked_sub(1).map(|at| self.letters[at]);
            let mut beside = before.into_iter().chain(self.letters.get(end).copied());
            (!beside.any(|letter| apart.contains(letter))).then_some((*meaning, end))
        })?;
        match meaning {
            Meaning::Day(step) => Some((whole(Unit::Day, step, from)?, end)),
            Meaning::Near(Unit::Week, step) => match self.weekday(end) {
                Some((day, end)) => {
                    let Span::Days(monday, _) = whole(Unit::Week, step, from)? else { return None };
                    Some((one(nearest(monday, day, 0))?, end))
                }
                None => Some((whole(Unit::Week, step, from)?, end)),
            },
            Meaning::Near(unit, step) => {
                let year = whole(unit, step, from)?;
                let Span::Days(first, _) = year else { return None };
                // "去年3月".
                let month = (unit == Unit::Year).then(|| self.number(end)).flatten();
                let month = month.and_then(|(month, at)| self.month(month, at, Some(first.year())));
                Some(month.unwrap_or((year, end)))
            }
            Meaning::Step(step) => {
                let (day, end) = self.weekday(end)?;
                Some((one(nearest(from, day, step))?, end))
            }
        }
    }

    fn weekday(&self, at: usize) -> Option<(Weekday, usize)> {
        let at = self.mark(at, &['の', '的']).unwrap_or(at);
        let at = self.gap(at);
        let letter = *self.letters.get(at)?;
        let day = |place: usize| Weekday::from_monday_zero_offset(place as i8).ok();
        let in_week = |days: [char; 7]| days.iter().position(|day| *day == letter).and_then(day);
        if let Some(end) = self.word(at + 1, "曜日").or_else(|| self.word(at + 1, "曜")) {
            return in_week(JAPANESE_DAYS).map(|day| (day, end));
        }
        if let Some(end) = self.word(at + 1, "요일") {
            return in_week(KOREAN_DAYS).map(|day| (day, end));
        }
        let day = if letter == '天' { day(6) } else { in_week(CHINESE_DAYS) };
        // "上周日本队" is last week, and a team of Japan.
        let japan = letter == '日' && self.word(at + 1, "本").is_some();
        day.filter(|_| !japan).map(|day| (day, at + 1))
    }

    /// A number in digits or in Chinese numerals below a hundred.
    fn number(&self, at: usize) -> Option<(i32, usize)> {
        let at = self.gap(at);
        let end = after_digits(self.letters, at.min(self.letters.len()));
        if end > at {
            let digits: String = self.letters[at..end].iter().collect();
            return Some((digits.parse().ok().filter(|number| *number < 10_000)?, end));
        }
        let (mut number, mut digit, mut end) = (0, None, at);
        while let Some(letter) = self.letters.get(end) {
            match (numeral(*letter), letter) {
                (Some(value), _) if digit.is_none() => digit = Some(value),
                (_, '十') if number == 0 => number = digit.take().unwrap_or(1) * 10,
                _ => break,
            }
            end += 1;
        }
        (end > at).then_some((number + digit.unwrap_or(0), end))
    }

    fn korean_number(&self, at: usize) -> Option<(i32, usize)> {
        let find = |(word, number): &(&str, i32)| Some((*number, self.word(at, word)?));
        KOREAN_NUMBERS.iter().find_map(find)
    }

    /// Where it goes on after one of these letters.
    fn mark(&self, at: usize, marks: &[char]) -> Option<usize> {
        let at = self.gap(at);
        self.letters.get(at).is_some_and(|letter| marks.contains(letter)).then_some(at + 1)
    }

    fn word(&self, at: usize, word: &str) -> Option<usize> {
        let mut at = at;
        for letter in word.chars() {
            if self.letters.get(at) != Some(&letter) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// As `word`, with blanks allowed inside: "지난 주".
    fn spaced(&self, at: usize, word: &str) -> Option<usize> {
        let mut at = at;
        for (place, letter) in word.chars().enumerate() {
            if place > 0 {
                at = self.gap(at);
            }
            if self.letters.get(at) != Some(&letter) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    fn gap(&self, at: usize) -> usize {
        if self.letters.get(at) == Some(&' ') { at + 1 } else { at }
    }
}

/// On which side of an event this says something is: above zero before it.
fn side(letter: char) -> Option<i32> {
    match letter {
        '前' | '전' => Some(1),
        '后' | '後' | '후' | '뒤' => Some(-1),
        _ => None,
    }
}

const NUMERALS: &str = "〇一二三四五六七八九";

fn numeral(letter: char) -> Option<i32> {
    if letter == '两' || letter == '兩' {
        return Some(2);
    }
    let place = NUMERALS.chars().position(|numeral| numeral == letter)?;
    Some(place as i32)
}

/// Characters that days and spans are written with.
const OF_TIME: &str = "昨今明前天日号年月周週上下个個星期礼拜火水木金土曜一二三四五六七八九十两半初末去来來先本再\
    어제오늘내일그저께지난주달년월요이번다음전후";

/// Whether some characters may be part of a date.
pub(super) fn is_of_time(letters: &str) -> bool {
    letters.chars().all(|letter| OF_TIME.contains(letter))
}
