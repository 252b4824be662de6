//! The day that the name of a file, a heading or a date of the frontmatter names.
//!
//! A wrong day is worse than none: it must be one day alone, with its year written out, there or above.

use jiff::civil::Date;
use louver_recall::tasks::Task;
use louver_recall::when::{self, By, Span};

use super::cut::ABOVE;

/// The day of what stands in a file or below a heading, and the year that days without one are of there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Dated {
    pub(super) day: Option<Date>,
    year: Option<i16>,
}

impl Dated {
    /// What a file's path names last, its own name before its folders; else the day that its frontmatter names.
    pub(super) fn of_file(path: &str, front: Option<Date>) -> Dated {
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let name = stem.rsplit('/').next().unwrap_or(stem);
        let named = day(name).or_else(|| last(stem));
        let year = named.map(Date::year).or_else(|| year(stem)).or(front.map(Date::year));
        Dated { day: named.or(front), year }
    }

    /// What stands below these headings. The nearest that names a day has the last word.
    pub(super) fn under(self, headings: &str) -> Dated {
        headings.split(ABOVE).fold(self, Dated::below)
    }

    fn below(self, heading: &str) -> Dated {
        // The day of a task is the one it is due on.
        if Task::of_line(&format!("- {heading}")) != Task::Neither {
            return self;
        }
        let in_year = || {
            let (month, day) = leading_yearly(heading)?;
            Date::new(self.year?, month, day).ok()
        };
        let day = day(heading).or_else(in_year);
        let year = day.map(Date::year).or_else(|| year(heading)).or(self.year);
        Dated { day: day.or(self.day), year }
    }
}

/// The one day that a text names, with its year: "7. Mai 2026", "Heron sync 2026-05-05", "20260507123456".
pub(super) fn day(text: &str) -> Option<Date> {
    let named = when::asked(text, None);
    let mut days = named.iter().filter(|named| named.by != By::Name).map(|named| named.span);
    match days.next() {
        None => last(text),
        Some(Span::Days(from, to))
            if from == to && days.all(|other| other == Span::Days(from, to)) =>
        {
            text.contains(&from.year().to_string()).then_some(from)
        }
        Some(_) => None,
    }
}

/// The day of no year that a heading begins with, as its only one, perhaps after its weekday: "Thursday, 7 May".
/// "Dentist on 4 June" may be written on any day.
fn leading_yearly(heading: &str) -> Option<(i8, i8)> {
    let named = when::asked(heading, None);
    let [only] = &*named else { return None };
    let Span::Yearly { month, day: Some(day) } = only.span else { return None };
    let before = heading[..only.place.start].trim_matches(|c: char| !c.is_alphanumeric());
    (before.is_empty() || when::is_weekday(before)).then_some((month, day))
}

/// The last year that a text has as a number of its own.
fn year(text: &str) -> Option<i16> {
    let numbers = text.rsplit(|c: char| !c.is_alphanumeric());
    numbers.filter(|number| number.len() == 4).find_map(year_number)
}

fn year_number(digits: &str) -> Option<i16> {
    number(digits).filter(|year| (1900..2200).contains(year))
}

fn number(digits: &str) -> Option<i16> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// The last day that a text has in numbers, the year first: `2026-03-05`, `20260305`, `2026/03/05`, `202603051230`.
fn last(text: &str) -> Option<Date> {
    let begins = |at: &usize| !text[..*at].ends_with(|c: char| c.is_ascii_digit());
    let mut starts = text.char_indices().map(|(at, _)| at).rev().filter(begins);
    starts.find_map(|at| leading(&text[at..]))
}

/// The day that a text begins with: year, month and day with the same between them, or with nothing, and then perhaps
/// the time.
fn leading(text: &str) -> Option<Date> {
    let between = text.get(4..5).filter(|c| ["-", "_", ".", "/"].contains(c)).unwrap_or_default();
    let month = 4 + between.len();
    let day = month + 2 + between.len();
    let alike = text.get(month + 2..day) == Some(between);
    let rest = text.get(day + 2..)?;
    let more = rest.bytes().take_while(u8::is_ascii_digit).count();
    let ends = more == 0 || between.is_empty() && is_clock(&rest[..more]);
    let year = text.get(..4).and_then(year_number).filter(|_| alike && ends)?;
    let two = |at: usize| number(text.get(at..at + 2)?)?.try_into().ok();
    Date::new(year, two(month)?, two(day)?).ok()
}

/// Whether digits are hours and minutes, and perhaps seconds.
fn is_clock(digits: &str) -> bool {
    let below = |at: usize, most: i16| digits.get(at..at + 2).and_then(number) < Some(most);
    matches!(digits.len(), 4 | 6) && below(0, 24) && below(2, 60) && below(4, 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn day_of(path: &str) -> Option<String> {
        Dated::of_file(path, None).day.map(|day| day.to_string())
    }

    #[test]
    fn a_path_may_name_a_day() {
        for path in [
            "kb/2026-02-03.md",
            "kb/2026-02-03 Ulm.md",
            "kb/notes-2026_02_03.md",
            "kb/20260203.md",
            "kb/2026.02.03 Ulm.txt",
            "kb/2026/02/03.md",
            "kb/2026/02/03-ulm.md",
            "2019-01-01/20260203-1.md",
            "2019-01-01/3. Februar 2026.md",
            "kb/February 3, 2026.md",
            "kb/03.02.2026.md",
            "kb/3.2.2026 Ulm.md",
            "kb/20260203123456.md",
            "kb/202602031234 Ulm.md",
            "kb/Tuesday, 3 February 2026.md",
            "kb/2026年2月3日.md",
        ] {
            assert_eq!(day_of(path).as_deref(), Some("2026-02-03"), "{path}");
        }
        for path in [
            "kb/2026-02.md",
            "kb/2026-W09.md",
            "kb/2026-02_03.md",
            "kb/2026-02-30.md",
            "kb/202602031.md",
            "kb/20260203995959.md",
            "kb/1234567890.md",
            "kb/26-02-03.md",
            "kb/12026-02-03.md",
            "kb/03.02.26 Einleitung und Überblick.md",
            "kb/03-02-2026.md",
            "kb/3 to 5 February 2026.md",
            "kb/3 February.md",
            "kb/Christmas 2026.md",
            "kb/é.md",
            "",
        ] {
            assert_eq!(day_of(path), None, "{path}");
        }
    }

    #[test]
    fn the_nearest_heading_that_names_a_day_is_the_day() {
        let under = |path: &str, headings: &str| Dated::of_file(path, None).under(headings).day;
        let day = |day| Some(date(2026, 5, day));
        for (path, headings, expected) in [
            ("log.md", "Log › 2026-05-09", day(9)),
            ("log.md", "7 May 2026", day(7)),
            ("log.md", "Heron sync 2026-05-05", day(5)),
            ("log.md", "2026-05-05 › 2026-05-06 › Evening", day(6)),
            ("2026-05-05.md", "Evening", day(5)),
            ("2026-05-05.md", "7 May: Graz", day(7)),
            ("2026-05.md", "Thu 7 May", day(7)),
            ("2026-05.md", "Donnerstag, 7. Mai", day(7)),
            ("2026-05.md", "Thursday, May 7", day(7)),
            ("log.md", "2026 › May › 7. Mai", day(7)),
            ("log.md", "May 2026 › 7 May", day(7)),
            ("2026-05-05.md", "Dentist on 4 June", day(5)),
            ("log.md", "7 May", None),
            ("log.md", "[ ] Send the keys by 7 May 2026", None),
            ("log.md", "TODO Report 2026-05-07", None),
            ("log.md", "3–9 May 2026", None),
            ("log.md", "2026-05-05 and 2026-05-09", None),
            ("log.md", "", None),
        ] {
            assert_eq!(under(path, headings), expected, "{path}: {headings}");
        }
    }
}
