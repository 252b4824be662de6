//! Dates and spans in Chinese, Japanese and Korean, read letter by letter.
//!
//! Words are not set apart there, or carry their particles, so phrases are looked for wherever a
//! letter begins one. Blanks between the letters of a date do not matter.

use super::calendar::{
    Manner, Side, Unit, ago, beside, between, day_of, day_of_week, month_of, nearest, one,
    season_near, season_of, the_weekend, up_to_now, weekend, whole, year_of,
};
use super::numerals::after_digits;
use super::parts::{Part, Piece};
use super::signs::{
    AND, BESIDE, BETWEEN, CHINESE_DAYS, COUNTS, ENDS, FEASTS, FEW, FUTURE, JAPANESE_DAYS,
    KOREAN_DAYS, KOREAN_NUMBERS, LUNAR, Meaning, NEW_YEAR, NO_SEASON, NO_WEEKDAY, NTH, NUMERALS,
    OF_TIME, PARTICLES, PARTS, PAST, PHRASES, PIECES, Phrase, SEASONS, SIDES, SIDES_FIRST, TO,
    UNITS, UNTIL, WEEKDAY_FIRST,
};
use super::weekdays::{AROUND, Besides, tense};
use super::{By, Named, Span};
use foldhash::fast::RandomState;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Adds every span that a text names, seen from `from`.
pub(super) fn spans(text: &str, from: Option<Date>, manner: Manner, found: &mut Vec<Named>) {
    let letters: Vec<char> = text.chars().map(plain).collect();
    let reader = Reader { letters: &letters, from, manner };
    let mut at = 0;
    while at < letters.len() {
        match reader.hit(at) {
            Some((span, end)) => {
                let byte = |letter: usize| {
                    text.char_indices().nth(letter).map_or(text.len(), |(byte, _)| byte)
                };
                let place = byte(at)..byte(end);
                let besides = reader.weekday_besides(at, end);
                let spans = std::iter::once(span).chain(besides.other_than(span));
                let by = if besides.to_come.is_some() { By::Weekday } else { By::Date };
                found.extend(spans.map(|span| Named { span, place: place.clone(), by }));
                at = end;
            }
            // "12月" is not "2月".
            None if letters[at].is_ascii_digit() => at = after_digits(&letters, at),
            None => at += 1,
        }
    }
}

/// So many units before an event, or after it if there are fewer than none, with the event:
/// "搬家前两周", "引っ越しの二週間前", "이사 2주 전".
pub(super) struct Beside {
    pub(super) event: String,
    /// All that says it, from the event to where it ends.
    pub(super) said: String,
    pub(super) unit: Unit,
    pub(super) back: i32,
}

/// The first such span of a question.
pub(super) fn hanging(text: &str) -> Option<Beside> {
    let letters: Vec<char> = text.chars().map(plain).collect();
    let reader = Reader { letters: &letters, from: None, manner: Manner::Asks };
    (1..letters.len()).find_map(|at| reader.hanging(at))
}

/// The phrases that begin with a letter; none where only a number does. Most letters begin nothing.
static STARTS: LazyLock<HashMap<char, Vec<&'static Phrase>, RandomState>> = LazyLock::new(|| {
    let firsts = |phrase: &&'static str| phrase.chars().next();
    let numbers = KOREAN_NUMBERS.iter().map(|(number, _)| number).filter_map(firsts);
    let counts = COUNTS.iter().map(|(count, ..)| count).filter_map(firsts);
    let feasts = FEASTS.iter().map(|(name, ..)| name).filter_map(firsts);
    let feasts = feasts.chain(NEW_YEAR.iter().map(|(name, _)| name).filter_map(firsts));
    let digits = NUMERALS.chars().chain(FEW.chars()).chain("两兩十百".chars()).chain('0'..='9');
    let mut starts: HashMap<char, Vec<&Phrase>, RandomState> = numbers
        .chain(counts)
        .chain(digits)
        .chain(feasts)
        .map(|letter| (letter, Vec::new()))
        .collect();
    for phrase in PHRASES {
        if let Some(first) = firsts(&phrase.0) {
            starts.entry(first).or_default().push(phrase);
        }
    }
    starts
});

fn plain(letter: char) -> char {
    match letter {
        '０'..='９' => char::from(b'0' + (letter as u32 - '０' as u32) as u8),
        '\u{3000}' => ' ',
        _ => letter,
    }
}

const DAYS_OF_A_YEAR: i32 = 365;

type Found = Option<(Span, usize)>;

pub(super) struct Reader<'a> {
    pub(super) letters: &'a [char],
    from: Option<Date>,
    manner: Manner,
}

impl Reader<'_> {
    /// What begins at this letter, and where it ends.
    fn hit(&self, at: usize) -> Found {
        let named = STARTS.get(&self.letters[at]).and_then(|phrases| self.point(at, phrases));
        let (span, end) = named.or_else(|| self.weekday_alone(at))?;
        let (span, end) = self.part(span, end).unwrap_or((span, end));
        let wide = self.onwards(span, end).or_else(|| self.beside(span, at, end));
        Some(wide.unwrap_or((span, end)))
    }

    fn point(&self, at: usize, phrases: &[&Phrase]) -> Found {
        let named = || self.phrase(at, phrases).or_else(|| self.feast(at, None));
        self.date(at).or_else(|| self.counted(at)).or_else(named)
    }

    /// "3月初", "去年年底", "지난달 말", "9月第一周".
    fn part(&self, span: Span, end: usize) -> Found {
        let at = self.mark(end, &['の', '的']).unwrap_or(end);
        let at = self.gap(self.mark(at, &['月', '年']).unwrap_or(at));
        let named = PARTS.iter().find_map(|(word, part, apart)| {
            Some((*part, self.word(at, word).filter(|end| !self.is_at(*end, apart))?))
        });
        let counted = || {
            let nth = |(word, nth): &(&str, i8)| Some((*nth, self.word(at, word)?));
            let (nth, at) = NTH.iter().find_map(nth)?;
            let at = self.gap(at);
            let piece = |(word, piece): &(&str, Piece)| Some((*piece, self.word(at, word)?));
            let (piece, end) = PIECES.iter().find_map(piece)?;
            Some((Part::Nth(nth, piece), end))
        };
        let (part, end) = named.or_else(counted)?;
        Some((part.of(span, self.from, self.manner)?, end))
    }

    /// "3月5日から9日まで", "3月5日到9日", "3월 5일과 9일 사이".
    fn onwards(&self, left: Span, end: usize) -> Found {
        let start = self.gap(end);
        let to = TO.iter().find_map(|(word, until)| Some((*until, self.word(start, word)?)));
        if let Some((until, at)) = to {
            let (right, end) = self.other_end(left, self.gap(at))?;
            let closed =
                UNTIL.iter().chain(BETWEEN).find_map(|word| self.word(self.gap(end), word));
            let end = if until { closed? } else { closed.unwrap_or(end) };
            return Some((between(left, right, self.from, self.manner)?, end));
        }
        let at = AND.iter().find_map(|word| self.word(start, word))?;
        let (right, end) = self.other_end(left, self.gap(at))?;
        let end = BETWEEN.iter().find_map(|word| self.word(self.gap(end), word))?;
        Some((between(left, right, self.from, self.manner)?, end))
    }

    /// The second of two days; of the month of the first, where it names none.
    fn other_end(&self, left: Span, at: usize) -> Found {
        let phrases = STARTS.get(self.letters.get(at)?)?;
        if let Some(named) = self.point(at, phrases) {
            return Some(named);
        }
        let (day, after) = self.day(at)?;
        let span = match left {
            Span::Days(first, _) | Span::About(first, _) => {
                day_of(Some(first.year()), first.month(), day)?
            }
            Span::Yearly { month, .. } => day_of(None, month, day)?,
        };
        Some((span, after))
    }

    /// What is before or after some days: "3月5日以后", "3月から". Only who asks means that.
    fn beside(&self, span: Span, at: usize, end: usize) -> Found {
        let from = self.from.filter(|_| self.manner == Manner::Asks)?;
        let last = self.side_after(end);
        let first = || {
            let before = |word: &str| self.word(at.checked_sub(word.chars().count())?, word);
            SIDES_FIRST.iter().find_map(|(word, side)| before(word).map(|_| (*side, end)))
        };
        let (side, end) = last.or_else(first)?;
        Some((beside(span, side, from)?, end))
    }

    /// The side of some days that end here.
    fn side_after(&self, end: usize) -> Option<(Side, usize)> {
        let start = self.gap(end);
        SIDES.iter().find_map(|(word, side, apart)| {
            Some((*side, self.word(start, word).filter(|end| !self.is_at(*end, apart))?))
        })
    }

    /// Whether what is before a day is spoken of, or until then.
    fn is_due(&self, end: usize) -> bool {
        matches!(self.side_after(end), Some((Side::Before | Side::Until, _)))
    }

    /// Whether one of these letters stands at a place.
    fn is_at(&self, at: usize, letters: &str) -> bool {
        self.letters.get(at).is_some_and(|letter| letters.contains(*letter))
    }

    /// "5日", "9号".
    fn day(&self, at: usize) -> Option<(i8, usize)> {
        let (day, after) = self.number(at)?;
        let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
        Some((day, self.mark(after, &['日', '号', '號', '일'])?))
    }

    /// A season of a year: "去年夏天", "작년 여름".
    fn season(&self, year: i16, at: usize) -> Found {
        let (first, end) = self.season_name(at)?;
        Some((season_of(year, first)?, end))
    }

    fn season_name(&self, at: usize) -> Option<(i8, usize)> {
        let at = self.gap(self.mark(at, &['の', '的']).unwrap_or(at));
        let named = |(word, first): &(&str, i8)| Some((*first, self.word(at, word)?));
        let (first, end) = SEASONS.iter().find_map(named)?;
        let end = self.mark(end, &['天', '季']).unwrap_or(end);
        (!self.is_at(end, NO_SEASON)).then_some((first, end))
    }

    /// "2024年3月5日", "3월 5일", "2024年3月", "3月", "2024년".
    fn date(&self, at: usize) -> Found {
        let (number, after) = self.number(at)?;
        let year = || i16::try_from(number).ok().filter(|year| (1900..=2100).contains(year));
        if let Some((year, end)) = year().zip(self.mark(after, &['年', '년'])) {
            // "2024年前" is some time before.
            let month = self.number(end).and_then(|(month, at)| self.month(month, at, Some(year)));
            let named = || self.season(year, end).or_else(|| self.feast(end, Some(year)));
            return month.or_else(named).or_else(|| {
                let before =
                    self.manner == Manner::Tells && self.mark(end, &['前', '전']).is_some();
                (!before).then_some((year_of(year)?, end))
            });
        }
        self.month(number, after, None)
    }

    fn month(&self, number: i32, at: usize, year: Option<i16>) -> Found {
        let month = i8::try_from(number).ok().filter(|month| (1..=12).contains(month))?;
        let end = self.mark(at, &['月', '월'])?;
        if let Some((day, after)) = self.day(end) {
            return Some((day_of(year, month, day)?, after));
        }
        // "3月5-9日"
        if let Some((first, after)) = self.number(end)
            && let Some(at) = TO.iter().find_map(|(word, _)| self.word(self.gap(after), word))
            && let Some((last, after)) = self.day(at)
        {
            let first = day_of(year, month, i8::try_from(first).ok()?)?;
            let last = day_of(year, month, last)?;
            return Some((between(first, last, self.from, self.manner)?, after));
        }
        let span = match year {
            Some(year) => month_of(year, month)?,
            None => Span::Yearly { month, day: None },
        };
        Some((span, end))
    }

    /// "两周前", "二週間前", "3일 전"; "三个星期后", "三週間後", "3주 뒤", where nothing says that it was.
    fn counted(&self, at: usize) -> Found {
        let from = self.from?;
        let (count, unit, end) = self.amount(at)?;
        let (step, end) = match self.mark(end, &['前', '전']) {
            Some(end) => (count, end),
            None => (-count, self.mark(end, &['后', '後', '후', '뒤'])?),
        };
        // "2年前期" is a term of a school.
        let other = self.letters.get(end).is_some_and(|next| "期半後".contains(*next));
        let was = step < 0 && self.tense(at) == Some(-1);
        (!other && !was).then_some((ago(unit, step, from)?, end))
    }

    /// "元旦", "クリスマス", "除夕", of a year where one is named before it.
    fn feast(&self, at: usize, year: Option<i16>) -> Found {
        let at = self.gap(self.mark(at, &['の', '的']).filter(|_| year.is_some()).unwrap_or(at));
        let named = FEASTS.iter().find_map(|(name, month, day)| {
            Some((day_of(year, *month, *day)?, self.word(at, name)?))
        });
        named.or_else(|| {
            let (step, end) =
                NEW_YEAR.iter().find_map(|(name, step)| Some((*step, self.word(at, name)?)))?;
            let from = year.and_then(|year| Date::new(year, 2, 1).ok()).or(self.from)?;
            let days = LUNAR.iter().filter_map(|(year, month, day)| {
                Date::new(*year, *month, *day).ok()?.checked_add(step.days()).ok()
            });
            let apart = |day: &Date| (*day - from).get_days().abs();
            // Nothing is known of years that are far off.
            let day = days.min_by_key(apart).filter(|day| apart(day) < DAYS_OF_A_YEAR)?;
            Some((Span::Days(day, day), end))
        })
    }

    /// "两周", "3일", "두 달", "이틀".
    fn amount(&self, at: usize) -> Option<(i32, Unit, usize)> {
        let one =
            |(word, count, unit): &(&str, i32, Unit)| Some((*count, *unit, self.word(at, word)?));
        if let Some(one) = COUNTS.iter().find_map(one) {
            return Some(one);
        }
        if self.is_cut(at) {
            return None;
        }
        let few = || self.is_at(at, FEW).then_some((3, at + 1));
        let (count, after) = self.number(at).or_else(|| self.korean_number(at)).or_else(few)?;
        let after = self.gap(after);
        let (unit, end) =
            UNITS.iter().find_map(|(word, unit)| Some((*unit, self.word(after, word)?)))?;
        Some((count, unit, end))
    }

    /// An event before this letter, and how far from it something is.
    fn hanging(&self, at: usize) -> Option<Beside> {
        let beside = |(word, back): &(&str, i32)| Some((*back, self.word(at, word)?));
        if let Some((back, end)) = BESIDE.iter().find_map(beside) {
            return self.event(at, &['の', '的', ' '], end, Unit::Day, back);
        }
        let (count, unit, end) = self.amount(at).filter(|(count, ..)| *count > 0)?;
        let before = self.letters[at - 1];
        // In Chinese the side comes first: "搬家前两周". "两周前" after that would be counted from now.
        if let Some(back) = side(before) {
            let ago = self.mark(end, &['前']).is_some();
            let joints = ['之', '以', '的'];
            return if ago { None } else { self.event(at - 1, &joints, end, unit, back * count) };
        }
        let after = self.gap(end);
        let back = side(*self.letters.get(after)?)?;
        self.event(at, &['の', '的', ' '], after + 1, unit, back * count)
    }

    /// What is said before a letter in its clause, if one of these joins it on. In Chinese nothing need to.
    fn event(
        &self,
        at: usize,
        joints: &[char],
        end: usize,
        unit: Unit,
        back: i32,
    ) -> Option<Beside> {
        let before = &self.letters[..at];
        let start = before.iter().rposition(|letter| ENDS.contains(*letter)).map_or(0, |at| at + 1);
        let text: String = before[start..].iter().collect();
        let event = text.trim_end_matches(joints);
        let joined = event.len() < text.len() || side(*self.letters.get(at)?).is_some();
        let last = event.chars().next_back()?;
        let says_when = !PARTICLES.iter().any(|particle| event.ends_with(particle));
        let event = event.trim();
        let said = self.letters[start..end].iter().collect();
        let beside = || Beside { event: event.to_owned(), said, unit, back };
        (joined && last.is_alphabetic() && says_when).then(beside)
    }

    /// "昨天", "上周三", "先週の火曜日", "지난주 화요일", "다음 금요일".
    fn phrase(&self, at: usize, phrases: &[&Phrase]) -> Found {
        let from = self.from?;
        let (meaning, end) = phrases.iter().find_map(|(phrase, meaning, apart)| {
            let end = self.spaced(at, phrase)?;
            let before = at.checked_sub(1).map(|at| self.letters[at]);
            let mut beside = before.into_iter().chain(self.letters.get(end).copied());
            (!beside.any(|letter| apart.contains(letter))).then_some((*meaning, end))
        })?;
        match meaning {
            Meaning::Day(step) => Some((whole(Unit::Day, step, from)?, end)),
            Meaning::Near(Unit::Week, step) => {
                let week = whole(Unit::Week, step, from)?;
                let day = self.weekday(end);
                let day = day.and_then(|(day, end)| Some((day_of_week(week, day)?, end)));
                Some(day.unwrap_or((week, end)))
            }
            Meaning::Near(unit, step) => {
                let year = whole(unit, step, from)?;
                let Span::Days(first, _) = year else { return None };
                let within = |unit: Unit| {
                    let (month, at) = self.number(end).filter(|_| unit == Unit::Year)?;
                    self.month(month, at, Some(first.year()))
                };
                // "去年3月", "去年夏天".
                let season = || self.season(first.year(), end).filter(|_| unit == Unit::Year);
                let feast = || self.feast(end, Some(first.year())).filter(|_| unit == Unit::Year);
                Some(within(unit).or_else(season).or_else(feast).unwrap_or((year, end)))
            }
            Meaning::Weekend(step) => Some((weekend(from, step)?, end)),
            Meaning::TheWeekend if self.manner == Manner::Asks => Some((the_weekend(from)?, end)),
            Meaning::TheWeekend => None,
            Meaning::Step(step) => {
                // "この前二人で": a numeral alone is no day here.
                let named =
                    |after: usize| self.letters[end..after].iter().any(|c| "曜요".contains(*c));
                if let Some((day, end)) = self.weekday(end).filter(|(_, after)| named(*after)) {
                    return Some((one(nearest(from, day, step))?, end));
                }
                let season = self.season_name(end);
                let season =
                    season.and_then(|(first, end)| Some((season_near(first, step, from)?, end)));
                season.or_else(|| self.past(end, from).filter(|_| step < 0))
            }
            Meaning::Past => self.past(end, from),
        }
    }

    /// "过去两周", "지난 3개월": up to now.
    fn past(&self, at: usize, from: Date) -> Found {
        let (count, unit, end) = self.amount(self.gap(at))?;
        // "지난 2주 전"
        let ago = self.mark(end, &['前', '전']).is_some();
        (!ago).then_some((up_to_now(unit, count, from)?, end))
    }

    fn weekday(&self, at: usize) -> Option<(Weekday, usize)> {
        let at = self.mark(at, &['の', '的']).unwrap_or(at);
        let at = self.gap(at);
        let again = ["星期", "礼拜", "禮拜", "周", "週"];
        let at = again.iter().find_map(|week| self.word(at, week)).unwrap_or(at);
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

    /// "周二", "火曜日", "화요일" in a question; see [`super::weekdays`].
    fn weekday_alone(&self, at: usize) -> Found {
        let (day, end) = self.of_weekday(at)?;
        Some((one(nearest(self.from?, day, self.tense(at).unwrap_or(-1)))?, end))
    }

    /// What else the letters up to `used` may mean.
    fn weekday_besides(&self, at: usize, used: usize) -> Besides {
        match (self.of_weekday(at), self.from) {
            (Some((day, end)), Some(from)) if end == used => Besides::of(day, from, self.tense(at)),
            _ => Besides::default(),
        }
    }

    /// A weekday that is one day, and not a habit or a part of a date.
    fn of_weekday(&self, at: usize) -> Option<(Weekday, usize)> {
        let asks = self.manner == Manner::Asks && self.is_at(at, WEEKDAY_FIRST);
        let (day, end) = self.weekday(at).filter(|_| asks)?;
        let named = |letter: &char| "曜요期拜".contains(*letter);
        // "日曜大工" is a hobby, and "周二之前" is due.
        let cut = self.letters[end - 1] == '曜' || self.is_due(end);
        // "本周天气" is about the weather.
        let short = self.is_at(at, "周週") && end == at + 2 && self.letters[at + 1] != '天';
        let blank = at.checked_sub(1).is_some_and(|last| self.letters[last] == ' ');
        let last = at.checked_sub(1 + usize::from(blank)).map(|last| self.letters[last]);
        let other = |last: char| NO_WEEKDAY.contains(last) || last.is_ascii_digit();
        let dated = self.number(end).is_some();
        let one = short || self.letters[at..end].iter().any(named);
        (one && !cut && !dated && !last.is_some_and(other)).then_some((day, end))
    }

    fn tense(&self, at: usize) -> Option<i32> {
        let says = |words: &[&str]| {
            let mut around = at.saturating_sub(AROUND)..at + AROUND;
            around.any(|at| words.iter().any(|word| self.word(at, word).is_some()))
        };
        tense(says(PAST), says(FUTURE))
    }

    /// Where it goes on after one of these letters.
    fn mark(&self, at: usize, marks: &[char]) -> Option<usize> {
        let at = self.gap(at);
        self.letters.get(at).is_some_and(|letter| marks.contains(letter)).then_some(at + 1)
    }

    pub(super) fn word(&self, at: usize, word: &str) -> Option<usize> {
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

    pub(super) fn gap(&self, at: usize) -> usize {
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

/// Whether some characters may be part of a date.
pub(super) fn is_of_time(letters: &str) -> bool {
    letters.chars().all(|letter| OF_TIME.contains(letter))
}
