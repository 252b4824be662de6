//! The packs: sets of notes and questions, one corpus a line.

use jiff::civil::{Date, DateTime, Time};
use louver_recall::note::{Note, Voice};
use louver_store::notes::Note as Kept;
use serde::Deserialize;

/// Notes, and the questions that are asked about them.
#[derive(Deserialize, PartialEq, Debug)]
pub(crate) struct Corpus {
    pub(crate) units: Vec<Unit>,
    pub(crate) queries: Vec<Query>,
    /// Questions that have an answer, but whose evidence nobody wrote down.
    #[serde(default)]
    pub(crate) left_out: u32,
}

/// What can be recalled.
#[derive(Deserialize, PartialEq, Debug)]
pub(crate) struct Unit {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) sess: String,
    #[serde(default)]
    pub(crate) ts: String,
    #[serde(default)]
    pub(crate) role: String,
    pub(crate) text: String,
}

/// What is asked, and what holds the evidence.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
pub(crate) struct Query {
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) date: String,
    #[serde(default)]
    pub(crate) cat: String,
    /// Empty when there is nothing to find.
    pub(crate) gold: Vec<String>,
    /// What was true of it before, and is no longer.
    #[serde(default)]
    pub(crate) stale: Vec<String>,
    #[serde(default)]
    pub(crate) answer: serde_json::Value,
}

impl Corpus {
    /// The same notes, said in one session. What stands alone still does.
    pub(crate) fn in_one_session(mut self) -> Corpus {
        let units = self.units.iter_mut().filter(|unit| !unit.sess.is_empty());
        units.for_each(|unit| unit.sess = "all".to_owned());
        self
    }
}

impl Unit {
    /// The note it is, under this number.
    pub(crate) fn note(&self, id: u64) -> Note {
        let voice = match self.role.as_str() {
            "user" => Voice::Person,
            "assistant" => Voice::Agent,
            _ => Voice::Other,
        };
        Note {
            id,
            text: self.text.clone(),
            who: self.role.clone(),
            voice,
            session: self.sess.clone(),
            at: date_time(&self.ts),
        }
    }
}

impl Unit {
    /// The note as the library keeps it, named by its number.
    pub(crate) fn to_keep(&self, at: usize) -> Kept {
        Kept {
            place: at.to_string(),
            text: self.text.clone(),
            who: self.role.clone(),
            voice: match self.role.as_str() {
                "user" => louver_store::notes::Voice::Person,
                "assistant" => louver_store::notes::Voice::Agent,
                _ => louver_store::notes::Voice::Document,
            },
            time: date_time(&self.ts).map(Into::into),
            trust: louver_context::Trust::Owner,
        }
    }
}

/// Reads a time as the sets write it: numbers, the name of a month, "am" or "pm".
pub(crate) fn date_time(text: &str) -> Option<DateTime> {
    let lower = text.to_lowercase();
    let mut numbers: Vec<(usize, i32)> = Vec::new();
    let (mut month, mut clock, mut half) = (None, None, 0);
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != ':');
    // "2026-03-10T17:40": the day is before the letter, the hour after it.
    let words = words.flat_map(|word| match word.split_once('t') {
        Some((day, clock)) if clock.contains(':') => [day, clock],
        _ => [word, ""],
    });
    for word in words.filter(|word| !word.is_empty()) {
        if let Some((hour, minute)) = word.split_once(':') {
            clock = hour.parse::<i8>().ok().zip(minute.get(..2).and_then(|m| m.parse::<i8>().ok()));
        } else if let Ok(number) = word.parse() {
            numbers.push((word.len(), number));
        } else if word == "pm" || word == "am" {
            half = if word == "pm" { 1 } else { -1 };
        } else if word.len() >= 3 {
            month = month.or(MONTHS
                .iter()
                .position(|name| name.starts_with(&word[..3]))
                .map(|place| place as i8 + 1));
        }
    }
    let year = numbers.iter().find(|(length, _)| *length == 4)?.1;
    let mut rest =
        numbers.iter().filter(|(length, _)| *length < 4).map(|(_, number)| *number as i8);
    let month = match month {
        Some(month) => month,
        None => rest.next()?,
    };
    let day = rest.next()?;
    let (mut hour, minute) = clock.unwrap_or((0, 0));
    if half == 1 && hour < 12 {
        hour += 12;
    } else if half == -1 && hour == 12 {
        hour = 0;
    }
    let date = Date::new(year as i16, month, day).ok()?;
    Some(date.to_datetime(Time::new(hour, minute, 0, 0).ok()?))
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_the_sets_write_them() {
        let read = |text| date_time(text).map(|at| at.to_string());
        assert_eq!(read("1:56 pm on 8 May, 2023").as_deref(), Some("2023-05-08T13:56:00"));
        assert_eq!(read("2023/04/12 (Wed) 06:37").as_deref(), Some("2023-04-12T06:37:00"));
        assert_eq!(read("2023-01-01 00:52").as_deref(), Some("2023-01-01T00:52:00"));
        assert_eq!(read("2026-03-10T17:40:00Z").as_deref(), Some("2026-03-10T17:40:00"));
        assert_eq!(read("March-15-2024").as_deref(), Some("2024-03-15T00:00:00"));
        assert_eq!(read(""), None);
    }
}
