//! Numbers as Chinese, Japanese and Korean write them: "3", "二十五", "열두".

use super::east::Reader;
use super::signs::{FEW, KOREAN_NUMBERS, NUMERALS};

impl Reader<'_> {
    /// A number in digits or in Chinese numerals below a thousand.
    pub(super) fn number(&self, at: usize) -> Option<(i32, usize)> {
        let at = self.gap(at);
        let end = after_digits(self.letters, at.min(self.letters.len()));
        if end > at {
            let digits: String = self.letters[at..end].iter().collect();
            return Some((digits.parse().ok().filter(|number| *number < 10_000)?, end));
        }
        let (mut number, mut digit, mut scale, mut end) = (0, None, 1000, at);
        while let Some(letter) = self.letters.get(end) {
            let times = times(*letter);
            match numeral(*letter) {
                // "一百零五"
                Some(0) if number > 0 && digit.is_none() => (),
                Some(value) if digit.is_none() => digit = Some(value),
                None if times > 1 && times < scale => {
                    number += digit.take().unwrap_or(1) * times;
                    scale = times;
                }
                _ => break,
            }
            end += 1;
        }
        (end > at).then_some((number + digit.unwrap_or(0), end))
    }

    /// "두", "열두".
    pub(super) fn korean_number(&self, at: usize) -> Option<(i32, usize)> {
        let word = |at: usize| {
            KOREAN_NUMBERS.iter().find_map(|(word, number)| Some((*number, self.word(at, word)?)))
        };
        let (number, end) = word(at)?;
        let ones = word(end).filter(|(ones, _)| *ones < 10 && number >= 10);
        Some(ones.map_or((number, end), |(ones, end)| (number + ones, end)))
    }

    /// Whether the number here is only the end of one: the "5" of "1.5年前", the "十" of "几十年前".
    pub(super) fn is_cut(&self, at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).map_or(' ', |at| self.letters[at]);
        let (last, here) = (before(1), self.letters.get(at).copied().unwrap_or(' '));
        if here.is_ascii_digit() {
            let point = ['.', ','].contains(&last) && before(2).is_ascii_digit();
            return point || last.is_ascii_digit() || "百千万萬".contains(last);
        }
        let large = times(here) > 1 && (numeral(last).is_some() || FEW.contains(last));
        let counts = numeral(here).is_some() || FEW.contains(here);
        large || counts && "十百千万萬零〇".contains(last)
    }
}

/// Where digits end that begin here.
pub(super) fn after_digits(letters: &[char], at: usize) -> usize {
    at + letters[at..].iter().take_while(|letter| letter.is_ascii_digit()).count()
}

/// How many times the numeral before it a letter makes.
fn times(letter: char) -> i32 {
    match letter {
        '百' => 100,
        '十' => 10,
        _ => 1,
    }
}

fn numeral(letter: char) -> Option<i32> {
    match letter {
        '两' | '兩' => return Some(2),
        '零' => return Some(0),
        _ => (),
    }
    let place = NUMERALS.chars().position(|numeral| numeral == letter)?;
    Some(place as i32)
}
