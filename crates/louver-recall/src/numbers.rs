//! Numbers that are the same however their digits are grouped.
//!
//! "1,865" is "1865"; "06 55 10 93 82", "06-55109382" and "+31 6 5510 9382" are one telephone number, told by
//! its last digits, since what stands before them depends on where one calls from. Dates, times, versions and
//! addresses of machines have their own forms and stay as they are.

use std::ops::{Range, RangeInclusive};

/// A number that could be written otherwise, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Number {
    /// Its digits (and letters, in an account number) without what is between them.
    pub(crate) text: String,
    /// Its first byte.
    pub(crate) start: usize,
    /// The first byte after it.
    pub(crate) end: usize,
}

/// A telephone number is told by so many of its last digits: what every way to write it has.
const TOLD_BY: usize = 8;
/// Fewer digits are no telephone number, and more are no number that anybody writes in groups.
const DIALLED: RangeInclusive<usize> = 7..=19;
/// More groups than this are a row of numbers.
const MOST_GROUPS: usize = 7;
/// With so many digits in a row it is complete, whatever number comes next.
const COMPLETE: usize = 9;

/// The numbers of a text that could be written otherwise. Where there is no digit nothing but that is found
/// out: every note is read so.
pub(crate) fn numbers(text: &str) -> Vec<Number> {
    let (bytes, mut found, mut at) = (text.as_bytes(), Vec::new(), 0);
    while let Some(next) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + next;
        if let Some(account) = account(text, start) {
            at = account.end;
            found.push(account);
            continue;
        }
        if !begins(bytes, start) {
            at = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            continue;
        }
        let run = Run::read(text, start);
        let counted = run.counted(text);
        let dialled = run.dialled(text).filter(|number| counted.as_ref() != Some(number));
        // "1,865 2,450" are two.
        at = match (&counted, &dialled) {
            (Some(counted), None) => counted.end,
            _ => run.end,
        };
        found.extend(counted.into_iter().chain(dialled));
    }
    found
}

/// Whether a number begins at a digit, and not the rest of a name, a path, a version or a time.
fn begins(bytes: &[u8], start: usize) -> bool {
    let before = |back: usize| start.checked_sub(back).map_or(b' ', |at| bytes[at]);
    match before(1) {
        one if one.is_ascii_alphanumeric() => false,
        b'-' | b'/' | b'_' | b'.' | b'@' | b'\\' => !before(2).is_ascii_alphanumeric(),
        b':' => !before(2).is_ascii_digit(),
        _ => true,
    }
}

/// What stands between two groups of digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Between {
    Blank,
    Comma,
    Tick,
    Dot,
    Dash,
    Slash,
    Bracket,
}

/// Groups of digits that follow each other.
struct Run {
    /// Where each group begins and ends.
    groups: Vec<(usize, usize)>,
    /// What stands after each but the last.
    between: Vec<Between>,
    /// Whether the last is part of something else: "5pm", "14:30".
    glued: bool,
    /// Whether there is a date among them. It ends there.
    dated: bool,
    end: usize,
}

impl Run {
    fn read(text: &str, start: usize) -> Run {
        let bytes = text.as_bytes();
        let (groups, between) = (Vec::new(), Vec::new());
        let mut run = Run { groups, between, glued: false, dated: false, end: start };
        loop {
            let digits = bytes[run.end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let group = (run.end, run.end + digits);
            run.groups.push(group);
            run.end = group.1;
            let after = bytes.get(run.end).copied().unwrap_or(b' ');
            let timed = after == b':' && bytes.get(run.end + 1).is_some_and(u8::is_ascii_digit);
            run.glued = timed || after == b'_' || after.is_ascii_alphabetic();
            run.dated = run.has_date(text);
            if run.glued || run.dated || digits >= COMPLETE {
                return run;
            }
            let Some((kind, length)) = between_groups(&text[run.end..]) else { return run };
            run.between.push(kind);
            run.end += length;
        }
    }

    fn value(&self, text: &str, at: usize) -> (usize, u32) {
        let (from, to) = self.groups[at];
        (to - from, text[from..to].parse().unwrap_or(u32::MAX))
    }

    /// Whether the last groups are a date: "2026-03-05", "5/3/2026", "05 03 2026", "20260305 143000".
    fn has_date(&self, text: &str) -> bool {
        let last = self.groups.len() - 1;
        let length = |at: usize| self.groups[at].1 - self.groups[at].0;
        let compact = match last {
            0 => matches!(length(0), 12 | 14),
            1 => length(0) == 8 && matches!(length(1), 4 | 6),
            _ => false,
        };
        if compact && is_compact_date(&text[self.groups[0].0..]) {
            return true;
        }
        let Some(first) = last.checked_sub(2) else { return false };
        let [a, b, c] = [first, first + 1, last].map(|at| self.value(text, at));
        let day = |(digits, value): (usize, u32)| digits <= 2 && (1..=31).contains(&value);
        let month = |(digits, value): (usize, u32)| digits <= 2 && (1..=12).contains(&value);
        let dated = is_year(a) && month(b) && day(c)
            || is_year(c) && (day(a) && month(b) || month(a) && day(b));
        let kind = self.between[first];
        // A telephone number may begin so. Written with blanks it is a date only by itself.
        let alone = first == 0 && between_groups(&text[self.end..]).is_none();
        dated
            && kind == self.between[first + 1]
            && (matches!(kind, Between::Dash | Between::Dot | Between::Slash)
                || kind == Between::Blank && alone)
    }

    /// The number that is counted with: thousands set apart by one sign.
    fn counted(&self, text: &str) -> Option<Number> {
        let kind = *self.between.first()?;
        if !matches!(kind, Between::Comma | Between::Dot | Between::Blank | Between::Tick) {
            return None;
        }
        let length = |at: usize| self.groups[at].1 - self.groups[at].0;
        let start = self.groups[0].0;
        if length(0) > 3 || text.as_bytes()[start] == b'0' {
            return None;
        }
        let same = self.between.iter().take_while(|between| **between == kind).count();
        let thousands = (1..=same).take_while(|at| length(*at) == 3).count();
        // "1.234.5" is a version, and "1 865 20" are two numbers.
        let ends = thousands == same || kind == Between::Blank;
        if thousands == 0 || thousands > 4 || !ends || self.is_machine(text) {
            return None;
        }
        Some(self.joined(text, 0..thousands + 1))
    }

    /// The number that is dialled, by its last digits.
    fn dialled(&self, text: &str) -> Option<Number> {
        let own = |between: &&Between| !matches!(between, Between::Comma | Between::Tick);
        let parted = self.between.iter().take_while(own).count();
        let groups = (parted + 1).min(self.groups.len() - usize::from(self.glued));
        let parted = &self.between[..groups.saturating_sub(1)];
        let lengths: Vec<usize> =
            self.groups[..groups].iter().map(|(from, to)| to - from).collect();
        let years = (0..groups).all(|at| is_year(self.value(text, at)));
        let dots = parted.contains(&Between::Dot);
        let slashes = parted.iter().skip(1).any(|between| *between == Between::Slash);
        let is_dotted = parted.iter().all(|between| *between == Between::Dot)
            && matches!(lengths[..], [2, 2, 2, 2, 2] | [3, 3, 4]);
        if self.dated || years || slashes || dots && !is_dotted || groups > MOST_GROUPS {
            return None;
        }
        let digits: usize = lengths.iter().sum();
        // What nobody takes apart is a word by itself.
        if !DIALLED.contains(&digits) || groups == 1 && digits <= TOLD_BY {
            return None;
        }
        let mut number = self.joined(text, 0..groups);
        number.text = number.text.split_off(digits.saturating_sub(TOLD_BY));
        Some(number)
    }

    fn is_machine(&self, text: &str) -> bool {
        self.groups.len() == 4
            && self.between.iter().all(|between| *between == Between::Dot)
            && (0..4).all(|at| self.value(text, at).1 <= 255)
    }

    fn joined(&self, text: &str, groups: Range<usize>) -> Number {
        let groups = &self.groups[groups];
        Number {
            text: groups.iter().map(|(from, to)| &text[*from..*to]).collect(),
            start: groups[0].0,
            end: groups[groups.len() - 1].1,
        }
    }
}

fn is_year((digits, value): (usize, u32)) -> bool {
    digits == 4 && (1900..2100).contains(&value)
}

/// Whether a text begins like "20260305".
fn is_compact_date(text: &str) -> bool {
    let number = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse().ok());
    let (year, month, day) = (number(0, 4), number(4, 6), number(6, 8));
    year.is_some_and(|year| is_year((4, year)))
        && month.is_some_and(|month: u32| (1..=12).contains(&month))
        && day.is_some_and(|day: u32| (1..=31).contains(&day))
}

/// What stands between digits at the head of a text, and its length, if digits follow.
fn between_groups(text: &str) -> Option<(Between, usize)> {
    const MOST: usize = 3;
    let mut kind = None;
    for (count, (at, letter)) in text.char_indices().enumerate() {
        if letter.is_ascii_digit() {
            return kind.map(|kind| (kind, at));
        }
        let here = match letter {
            ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' => Between::Blank,
            ',' => Between::Comma,
            '\'' | '’' => Between::Tick,
            '.' => Between::Dot,
            '-' | '\u{2010}' | '\u{2011}' => Between::Dash,
            '/' => Between::Slash,
            '(' | ')' => Between::Bracket,
            _ => return None,
        };
        kind = match (kind, here) {
            _ if count >= MOST => return None,
            (None, here) => Some(here),
            (Some(Between::Blank | Between::Bracket), Between::Bracket)
            | (Some(Between::Bracket), Between::Blank | Between::Dash) => Some(Between::Bracket),
            // "06 - 55109382".
            (Some(Between::Blank), Between::Dash) | (Some(Between::Dash), Between::Blank) => {
                Some(Between::Dash)
            }
            _ => return None,
        };
    }
    None
}

/// An account number (IBAN) in groups of four, whose first digit is here.
fn account(text: &str, digit: usize) -> Option<Number> {
    const LENGTHS: RangeInclusive<usize> = 15..=34;
    let bytes = text.as_bytes();
    let start = digit.checked_sub(2)?;
    let country = bytes[start..digit].iter().all(u8::is_ascii_alphabetic);
    let alone = start == 0 || !bytes[start - 1].is_ascii_alphanumeric();
    if !country || !alone {
        return None;
    }
    let mut end = start;
    let mut number = String::new();
    loop {
        let length = bytes[end..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let group = &text[end..end + length];
        // Only the bank has letters alone. A word that follows is no part of it.
        let has_digit = group.bytes().any(|byte| byte.is_ascii_digit());
        let belongs = length <= 4 && (has_digit || length == 4 && number.len() == 4);
        if length == 0 || !belongs || number.len() + length > *LENGTHS.end() {
            break;
        }
        number.push_str(group);
        end += length;
        if length < 4 || bytes.get(end) != Some(&b' ') {
            break;
        }
        end += 1;
    }
    let end = start + text[start..end].trim_end().len();
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let number = Number { text: number.to_ascii_lowercase(), start, end };
    (LENGTHS.contains(&number.text.len()) && 2 * digits >= number.text.len()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        numbers(text).into_iter().map(|number| number.text).collect()
    }

    #[test]
    fn thousands_are_one_number_whatever_sets_them_apart() {
        for text in
            ["1,865", "1.865", "1 865", "1\u{a0}865", "1'865", "€1,865.50", "1.865,50", "1,865m"]
        {
            assert_eq!(told(text), ["1865"], "{text}");
        }
        assert_eq!(told("1,865 2,450 3,200"), ["1865", "2450", "3200"]);
        assert_eq!(told("from 64,000 to 1,250,000."), ["64000", "1250000"]);
        for text in [
            "1.5",
            "1865",
            "0.125",
            "1,86",
            "v1.234.567",
            "1.234.5",
            "192.168.100.200",
            "1, 865",
            "2026",
        ] {
            assert_eq!(told(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_telephone_number_is_told_by_its_last_digits() {
        for text in [
            "06 55 10 93 82",
            "06-55109382",
            "06 - 55109382",
            "06.55.10.93.82",
            "+31 6 5510 9382",
            "+31 (0)6 55 10 93 82",
            "(06) 5510-9382",
            "0655109382",
            "+31655109382",
            "tel:+31655109382",
            "0655109382 at 5pm",
            "0655109382 2 times",
            "14:30 06 55109382",
            "2026-03-05 0655109382",
            "电话0655109382",
        ] {
            assert_eq!(told(text), ["55109382"], "{text}");
        }
        assert_eq!(told("030/1234 567"), ["01234567"]);
        assert_eq!(told("555.123.4567"), ["51234567"]);
        assert_eq!(told("555-0199"), ["5550199"]);
    }

    #[test]
    fn dates_times_versions_and_addresses_are_no_telephone_numbers() {
        for text in [
            "2026-03-05",
            "05-03-2026",
            "5/3/2026 12",
            "05.03.2026",
            "05 03 2026",
            "2026-03-05 14:30:00",
            "2026-03-05T14:30:00",
            "20260305",
            "20260305143000",
            "20260305 143000",
            "2019-2024",
            "14:30-15:45",
            "09.00-17.00",
            "10.0.19045.3803",
            "115.10.5790.170",
            "192.168.1.20",
            "52.367612",
            "room 12, 13, 14, 15",
            "abc1234567890",
            "x-1234567890",
        ] {
            assert_eq!(told(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn an_account_number_is_one_with_blanks_and_without() {
        assert_eq!(told("to NL91 ABNA 0417 1643 00 please"), ["nl91abna0417164300"]);
        assert_eq!(told("BE68 5390 0754 7034 from Anna"), ["be68539007547034"]);
        assert_eq!(told("PS51 game card 2019 here"), [""; 0]);
    }
}
