//! What a file says of itself before its text begins: its frontmatter.
//!
//! A title, other names and tags are a heading, dates are dates, and what a program keeps there is nobody's
//! note. All else tells something (`phone: 0664 12 34`), and is a note as it is written.

use jiff::civil::Date;

use super::day::day;
use crate::frontmatter::{pieces_of, split_key};

const TITLE: &[&str] = &["title", "name"];
const NAMES: &[&str] =
    &["alias", "aliases", "categories", "category", "keywords", "tag", "tags", "topic", "topics"];
const DATE: &[&str] = &["date"];
const CREATED: &[&str] = &["created", "created at", "creation date", "date created"];
const KEPT_BY_PROGRAMS: &[&str] = &[
    "cssclass",
    "cssclasses",
    "date modified",
    "date updated",
    "draft",
    "id",
    "last modified",
    "lastmod",
    "layout",
    "modification date",
    "modified",
    "permalink",
    "publish",
    "published",
    "slug",
    "template",
    "uid",
    "updated",
    "updated at",
    "uuid",
];

/// What stands before a text, and the text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Front<'a> {
    /// The file's title.
    pub title: Option<String>,
    /// Its other names, and what it is filed under.
    pub names: Vec<String>,
    /// The day it is of, and the one it was made on.
    pub day: Option<Date>,
    pub created: Option<Date>,
    /// What it tells besides, with the line that begins on.
    pub told: Option<(u32, String)>,
    /// The text below, and how many lines are above it.
    pub body: &'a str,
    pub above: u32,
}

impl<'a> Front<'a> {
    pub(super) fn of(text: &'a str) -> Front<'a> {
        let Some((pieces, body)) = pieces_of(text) else {
            return Front { body: text, ..Front::default() };
        };
        let above = text[..body].matches('\n').count();
        let above = u32::try_from(above).unwrap_or(u32::MAX);
        let mut front = Front { body: &text[body..], above, ..Front::default() };
        for (line, piece) in pieces {
            front.add(line, piece);
        }
        front
    }

    fn add(&mut self, line: u32, piece: &str) {
        let Some((key, _)) = split_key(piece) else { return };
        let key = key.replace(['_', '-'], " ");
        let is = |list: &[&str]| list.iter().any(|known| key.eq_ignore_ascii_case(known));
        let day = || values(piece).first().and_then(|value| day(value));
        if is(TITLE) {
            self.title = self.title.take().or_else(|| values(piece).into_iter().next());
        } else if is(NAMES) {
            self.names.extend(values(piece));
        } else if is(DATE) {
            self.day = self.day.or_else(day);
        } else if is(CREATED) {
            self.created = self.created.or_else(day);
        } else if !is(KEPT_BY_PROGRAMS) && !values(piece).is_empty() {
            let (_, told) = self.told.get_or_insert_with(|| (line, String::new()));
            if !told.is_empty() {
                told.push('\n');
            }
            told.push_str(piece.trim_end());
        }
    }
}

/// What is written for a key: a word, some in brackets, or lines of a list.
fn values(piece: &str) -> Vec<String> {
    let (_, rest) = piece.split_once(':').unwrap_or_default();
    let bracketed = rest.trim_start().starts_with('[');
    let ends = |c: char| c == '\n' || bracketed && c == ',';
    let around = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"' | '\'' | '#');
    rest.split(ends)
        .map(|value| value.trim().trim_start_matches("- ").trim_matches(around))
        .filter(|value| !value.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_of_itself_is_told_apart() {
        let text = "---\r\ntitle: \"Bees, and how\"\r\ncreated: 2026-02-03T10:00\r\ntags: [bees, '#course']\r\n\
                    aliases:\r\n  - Imkerkurs\r\n  - Kiki\r\nphone: 0664 12 34\r\nid: 77\r\nhours:\r\n  - 8 to 9\r\n---\r\nText.\r\n";
        let front = Front::of(text);
        assert_eq!(front.title.as_deref(), Some("Bees, and how"));
        assert_eq!(front.names, ["bees", "course", "Imkerkurs", "Kiki"]);
        assert_eq!((front.day, front.created), (None, Some(jiff::civil::date(2026, 2, 3))));
        let told = "phone: 0664 12 34\nhours:\r\n  - 8 to 9".to_owned();
        assert_eq!(front.told, Some((8, told)));
        assert_eq!((front.body, front.above), ("Text.\r\n", 12));
    }

    #[test]
    fn a_date_may_be_written_in_any_way_that_is_one_day() {
        let front = |keys: &str| {
            let text = format!("---\n{keys}\n---\nText.\n");
            let Front { day, created, told, .. } = Front::of(&text);
            (day.or(created), told)
        };
        let third = Some(jiff::civil::date(2026, 5, 3));
        for date in [
            "2026-05-03",
            "\"2026-05-03T10:00:00+02:00\"",
            "2026/05/03",
            "20260503",
            "2026-5-3",
            "03.05.2026",
            "3 May 2026",
            "May 3, 2026",
            "[[2026-05-03]]",
        ] {
            assert_eq!(front(&format!("date: {date}")), (third, None), "{date}");
        }
        for keys in
            ["creation date: 2026-05-03", "created_at: 3. Mai 2026", "Date created: 20260503"]
        {
            assert_eq!(front(keys), (third, None), "{keys}");
        }
        assert_eq!(front("created: 2025-01-01\ndate: 2026-05-03"), (third, None));
        assert_eq!(front("date: 05/03/2026"), (None, None));
    }

    #[test]
    fn a_ruler_over_prose_is_no_frontmatter() {
        for text in ["---\nIt rained all day.\n---\nAfter.\n", "---\ntitle: x\n", "Text.\n", ""] {
            assert_eq!(Front::of(text), Front { body: text, ..Front::default() });
        }
    }
}
