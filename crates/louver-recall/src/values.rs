//! What a note gives as a value, and of what: money, an hour, a weekday, a code.

use crate::languages::Language;
use crate::replaced::Wanted;
use crate::when::{is_hour, is_month, is_weekday};
use crate::words::{fold, is_among, lower, runs_together};

#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    /// As it was written, in lower case and without its unit; an hour as a clock of 24 shows it.
    pub(crate) said: String,
}

impl Value {
    /// Whether it is the same. "7:30" may be in the evening.
    pub(crate) fn is(&self, other: &Value) -> bool {
        let half = |one: &Value, other: &Value| {
            let [one, other] = [one, other].map(|value| minutes(&value.said));
            one.is_some() && one.map(|one| one + HALF_A_DAY) == other
        };
        let either = |sure: &bool, other_sure: &bool| {
            !sure && half(self, other) || !other_sure && half(other, self)
        };
        match (&self.kind, &other.kind) {
            (Kind::Hour { sure }, Kind::Hour { sure: other_sure }) => {
                self.said == other.said || either(sure, other_sure)
            }
            _ => self == other,
        }
    }
}

const HALF_A_DAY: u32 = 12 * 60;

/// The minutes of the day at which a clock shows this.
fn minutes(clock: &str) -> Option<u32> {
    let (hours, minutes) = clock.split_once(':')?;
    Some(hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?)
}

/// What a value is of.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Money, or a number alone.
    Amount,
    /// A number with what it counts.
    Of(String),
    /// An hour, and whether the half of the day is said.
    Hour {
        sure: bool,
    },
    Weekday,
    Month,
    /// How often.
    Times,
    /// Digits that count nothing.
    Code,
}

impl Kind {
    /// Whether one value may take the place of another.
    pub(crate) fn is_like(&self, other: &Kind) -> bool {
        matches!((self, other), (Kind::Hour { .. }, Kind::Hour { .. })) || self == other
    }

    fn is_of(&self, wanted: Wanted) -> bool {
        match self {
            Kind::Amount | Kind::Of(_) | Kind::Times => wanted.amount,
            Kind::Hour { .. } | Kind::Weekday | Kind::Month => wanted.when,
            Kind::Code => wanted.code,
        }
    }
}

/// The values of a note that are of wanted kinds, in order.
pub(crate) fn values(text: &str, wanted: Wanted) -> Vec<Value> {
    let is_part = |c: char| c.is_alphanumeric() || is_sign(c);
    let apart = text.split_whitespace().flat_map(scripts);
    let mut words = apart.map(|word| word.trim_matches(|c| !is_part(c))).peekable();
    let (mut found, mut after_month) = (Vec::new(), false);
    while let Some(word) = words.next() {
        let digits = word.contains(|c: char| c.is_ascii_digit());
        let value = match digits {
            // "March 2"
            true if after_month && word.len() <= 2 => None,
            true => number(&lower(word), &lower(words.peek().unwrap_or(&""))),
            false => named(word, wanted),
        };
        after_month = !digits && is_month(&fold(word));
        found.extend(value.filter(|value| value.kind.is_of(wanted)));
    }
    found
}

/// What stands together in a script that does not set words apart, and what stands between: "月", "3980", "円".
fn scripts(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let together = runs_together(rest.chars().next()?);
        let end = rest.find(|c: char| runs_together(c) != together).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(part)
    })
}

/// A weekday, a month or how often.
fn named(word: &str, wanted: Wanted) -> Option<Value> {
    if word.starts_with(runs_together) {
        let day = weekday_in_letters(word).filter(|_| wanted.when)?;
        return Some(Value { kind: Kind::Weekday, said: day.into() });
    }
    if word.len() <= SHORT_NAME || !wanted.when && !wanted.amount {
        return None;
    }
    let said = fold(word);
    let kind = if wanted.amount && is_among(HOW_OFTEN, &said) {
        Kind::Times
    } else if wanted.when && is_month(&said) {
        Kind::Month
    } else if wanted.when && is_weekday(said.trim_end_matches('s')) {
        Kind::Weekday
    } else {
        return None;
    };
    Some(Value { kind, said })
}

/// The letter for the day of the week in "改到周四下午", "木曜", "화요일".
fn weekday_in_letters(text: &str) -> Option<char> {
    let after = ["周", "週", "星期", "礼拜", "禮拜"].into_iter();
    let after = after.filter_map(|week| text.split_once(week)?.1.chars().next());
    let before = ["曜", "요일"].into_iter();
    let before = before.filter_map(|day| text.split_once(day)?.0.chars().next_back());
    after.chain(before).find(|day| "一二三四五六日天月火水木金土월화수목금토일".contains(*day))
}

/// What a number is of by the letters that follow it, where words are not set apart; nothing where it is part of a date.
fn kind_in_letters(after: &str, is_long: bool) -> Option<Kind> {
    let begins = |letters: &[&str]| letters.iter().any(|letters| after.starts_with(letters));
    let first = after.chars().next()?;
    match () {
        () if begins(&["元", "块", "塊", "円", "원", "万", "萬", "만", "千", "천"]) => {
            Some(Kind::Amount)
        }
        () if begins(&["時間", "시간"]) => Some(Kind::Of(after.chars().take(2).collect())),
        () if begins(&["点", "點", "時", "时", "시"]) => Some(Kind::Hour { sure: false }),
        () if begins(&["年", "月", "日", "号", "號", "년", "월", "일"]) => None,
        () if is_long => Some(Kind::Code),
        // A particle.
        () if ('ぁ'..='ん').contains(&first) || begins(&["了", "在", "是", "吧"]) => {
            Some(Kind::Amount)
        }
        () => Some(Kind::Of(first.into())),
    }
}

/// "Sat" and "sun" are more than weekdays.
const SHORT_NAME: usize = 3;
const HOW_OFTEN: &str = "once twice thrice daily weekly monthly";
const MONEY: &str =
    "chf eur euro euros usd dollars dollar quid pounds francs franken nok sek dkk yen";
const EACH: &str = "per each every pro je par chacun por cada al";

/// Whether a word is the name of a currency.
pub(crate) fn is_money(word: &str) -> bool {
    is_among(MONEY, word)
}

fn is_sign(c: char) -> bool {
    matches!(c, '£' | '€' | '$' | '¥' | '₩')
}

fn number(word: &str, next: &str) -> Option<Value> {
    let bare = word.trim_matches(is_sign);
    let end = bare.find(|c: char| !c.is_ascii_digit() && !".,:'’".contains(c));
    let (digits, unit) = bare.split_at(end.unwrap_or(bare.len()));
    let kind = match digits {
        "" => bare.chars().filter(char::is_ascii_digit).nth(3).map(|_| Kind::Code),
        digits => kind(word, digits, unit, next),
    }?;
    let is_all = digits.is_empty() || kind == Kind::Code;
    let said = if is_all { bare } else { digits };
    let said = said.trim_matches(|c: char| !c.is_alphanumeric());
    let is_hour = matches!(kind, Kind::Hour { .. });
    Some(
        clock(said, unit, next)
            .filter(|_| is_hour)
            .unwrap_or_else(|| Value { kind, said: said.into() }),
    )
}

/// The hour that is said with these digits, what is written with them and the next word.
fn clock(digits: &str, unit: &str, next: &str) -> Option<Value> {
    let (hours, minutes) = digits.split_once([':', '.']).unwrap_or((digits, ""));
    let minutes =
        if minutes.is_empty() { unit.strip_prefix('h').unwrap_or_default() } else { minutes };
    let hours: u32 = hours.parse().ok()?;
    let minutes: u32 = if minutes.is_empty() { 0 } else { minutes.parse().ok()? };
    if hours > 24 || minutes >= 60 {
        return None;
    }
    let half = [unit, next].into_iter().find(|word| matches!(*word, "am" | "pm"));
    let hours = match half {
        Some("pm") if hours < 12 => hours + 12,
        Some("am") if hours == 12 => 0,
        _ => hours,
    };
    let by_24 = unit.starts_with('h') || [unit, next].contains(&"uhr") || hours > 12;
    let kind = Kind::Hour { sure: half.is_some() || by_24 };
    Some(Value { kind, said: format!("{hours}:{minutes:02}") })
}

/// What a number is of, from what is written with it and after it.
fn kind(word: &str, digits: &str, unit: &str, next: &str) -> Option<Kind> {
    let whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    let currency = next.split('/').next().unwrap_or_default();
    if word.contains(is_sign) || is_money(currency) || unit.starts_with('/') {
        return Some(Kind::Amount);
    }
    // "7.30pm" too.
    let whole_hour = digits.split('.').next().unwrap_or_default();
    let joined = format!("{whole_hour}{unit}");
    let apart = unit.is_empty() && is_hour(whole_hour, next);
    if digits.contains(':') || apart || is_hour("", &joined) {
        return Some(Kind::Hour { sure: false });
    }
    if unit.is_empty() && next.starts_with(runs_together) {
        return kind_in_letters(next, whole && digits.len() >= 4);
    }
    // "47B12"
    if unit.contains(|c: char| c.is_ascii_digit())
        && unit.bytes().all(|byte| byte.is_ascii_alphanumeric())
    {
        return Some(Kind::Code);
    }
    match unit {
        "" if whole && digits.len() == 4 && ("1950".."2050").contains(&digits) => None,
        "" if whole && digits.len() >= 4 => Some(Kind::Code),
        "" if is_month(&fold(next)) => None,
        "" if !whole || !next.starts_with(char::is_alphabetic) => Some(Kind::Amount),
        "" if Language::ENGLISH.is_stop(next) || is_among(EACH, next) => Some(Kind::Amount),
        "" => Some(Kind::Of(next.into())),
        "st" | "nd" | "rd" | "th" => None,
        "x" => Some(Kind::Times),
        unit => Some(Kind::Of(unit.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_without_its_half_of_the_day_is_either() {
        let all = Wanted { amount: true, when: true, code: true };
        let is = |one: &str, other: &str| values(one, all)[0].is(&values(other, all)[0]);
        assert!(is("4000000000:30", "4000000000:30"));
        assert!(is("7:30", "7:30pm") && is("7:30pm", "7:30") && is("7am", "7:00 am"));
        assert!(
            !is("7am", "7pm") && !is("7am", "8am") && !is("7:30", "20:30") && !is("7 Uhr", "7pm")
        );
    }

    #[test]
    fn a_value_is_known_with_what_it_is_of() {
        let of = |unit: &str| Kind::Of(unit.into());
        let all = Wanted { amount: true, when: true, code: true };
        for (text, kind, said) in [
            ("it's £32.", Kind::Amount, "32"),
            ("18 chf/h", Kind::Amount, "18"),
            ("wants 22/h", Kind::Amount, "22"),
            ("29.90 a month", Kind::Amount, "29.90"),
            ("up to 345 from May", Kind::Amount, "345"),
            ("32 per lesson", Kind::Amount, "32"),
            ("50 mcg", of("mcg"), "50"),
            ("2.5mg", of("mg"), "2.5"),
            ("at 18:30", Kind::Hour { sure: true }, "18:30"),
            ("at 7:30", Kind::Hour { sure: false }, "7:30"),
            ("7pm", Kind::Hour { sure: true }, "19:00"),
            ("12 am", Kind::Hour { sure: true }, "0:00"),
            ("7 Uhr", Kind::Hour { sure: true }, "7:00"),
            ("18h30", Kind::Hour { sure: true }, "18:30"),
            ("on Thursdays", Kind::Weekday, "thursdays"),
            ("in October", Kind::Month, "october"),
            ("once", Kind::Times, "once"),
            ("3x", Kind::Times, "3"),
            ("gate: 4826#", Kind::Code, "4826"),
            ("房租涨到5600元", Kind::Amount, "5600"),
            ("月3980円", Kind::Amount, "3980"),
            ("16時半から", Kind::Hour { sure: true }, "16:00"),
            ("优甲乐75微克", of("微"), "75"),
            ("チラーヂンが75に増えた", Kind::Amount, "75"),
            ("今は8052", Kind::Code, "8052"),
            ("改到周四下午", Kind::Weekday, "四"),
            ("목요일로 바뀌었어", Kind::Weekday, "목"),
            ("(X6630947)", Kind::Code, "x6630947"),
            ("le digicode c'est 47B12", Kind::Code, "47b12"),
        ] {
            assert_eq!(values(text, all), [Value { kind, said: said.into() }], "{text}");
        }
        for text in [
            "in 2024",
            "on March 2",
            "on the 3rd",
            "14 August, a Sat",
            "he sat",
            "A+ (c2)",
            "4月12日",
            "",
        ] {
            let found = values(text, all);
            assert!(found.iter().all(|value| value.kind == Kind::Month), "{text}: {found:?}");
        }
    }
}
