//! Cutting a long text where its structure says: headings, paragraphs, list items.

/// A text of more bytes than this is cut.
const LONG: usize = 2_000;

/// One stretch of a text: the line it begins on, counted from one, and what stands above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch<'a> {
    /// The line.
    pub line: u32,
    /// The headings above it, the highest first.
    pub under: String,
    /// The text.
    pub text: &'a str,
    /// Whether it is a heading with nothing below it.
    pub heading: bool,
}

/// A fenced block of more bytes than this is cut, too. One that never ends is the rest of the file.
const LONG_BLOCK: usize = 8_000;

/// So many bytes of a heading, of the names of a table's columns, or of the line over a list stand above what is below
/// it: they are copied for each item and each row.
const LONG_HEADING: usize = 200;

/// The paragraphs of a Markdown or plain text, each under its headings. A fenced block stays whole, and so does a table
/// that is short; the items of a list are each their own, under the line that leads to them, and so are the rows of a
/// long table, under the names of its columns. A heading with nothing below it says something itself.
pub fn paragraphs(text: &str) -> Vec<Stretch<'_>> {
    let mut found = Vec::new();
    let mut headings: Vec<(usize, &str)> = Vec::new();
    // The line of the last heading, as long as nothing is below it.
    let mut bare_heading: Option<u32> = None;
    let mut open: Option<Open> = None;
    let mut fence: Option<Fence> = None;
    let mut blank = false;
    let mut at = 0;
    for (line, whole) in (1..).zip(text.split_inclusive('\n')) {
        let start = at;
        at += whole.len();
        let bare = whole.trim();
        let was_fenced = fence.is_some();
        fence = match (fence, Fence::of(bare)) {
            (None, new) => new,
            (Some(fence), Some(end)) if fence.is_ended_by(&end) => None,
            (fence, _) => fence,
        };
        let fenced = was_fenced || fence.is_some();
        let level = if fenced { 0 } else { heading_level(whole) };
        let item = !fenced && begins_item(whole, open.as_ref());
        // A list may stand below an empty line, and so may each of its items.
        let waits = open.as_ref().is_some_and(|open| open.waits(&text[..start]));
        let ends = if waits { blank && !item && !bare.is_empty() } else { bare.is_empty() };
        let breaks = level > 0 || !was_fenced && ends;
        blank = bare.is_empty();
        // A paragraph without an end is a long one's next beginning. The items of a list are cut anyway.
        let longest = if fenced { LONG_BLOCK } else { LONG };
        let full = open.as_ref().is_some_and(|open| {
            start - open.since > longest
                && !item
                && (fenced || Table::of(&text[open.from..start]).is_none())
        });
        if (breaks || full)
            && let Some(open) = open.take()
        {
            open.push(&mut found, &headings, &text[..start]);
        }
        if level > 0 {
            let below = headings.last().is_some_and(|(other, _)| *other < level);
            if let Some(line) = bare_heading.replace(line).filter(|_| !below) {
                push_heading(&mut found, line, &headings);
            }
            headings.retain(|(other, _)| *other < level);
            let heading = bare[level..].trim();
            if heading.len() > LONG_HEADING {
                // Not all of it stands above what is below.
                let under = joined(&headings);
                found.push(Stretch { line, under, text: heading, heading: false });
                bare_heading = None;
            }
            headings.push((level, heading));
        } else if !bare.is_empty() {
            let open = open.get_or_insert_with(|| Open::at(line, start));
            if item {
                open.items.push((line, start));
                open.since = start;
            }
            bare_heading = None;
        }
    }
    if let Some(open) = open {
        open.push(&mut found, &headings, text);
    }
    if let Some(line) = bare_heading {
        push_heading(&mut found, line, &headings);
    }
    found
}

/// A stretch that goes on.
struct Open {
    line: u32,
    from: usize,
    /// Where the last item of it begins, or it does.
    since: usize,
    /// Where each item begins.
    items: Vec<(u32, usize)>,
}

impl Open {
    fn at(line: u32, from: usize) -> Open {
        Open { line, from, since: from, items: Vec::new() }
    }

    /// Whether items may follow, or more of them. So far it goes to where the text ends.
    fn waits(&self, text: &str) -> bool {
        !self.items.is_empty()
            || text[self.from..].trim_end().lines().next_back().and_then(leads_to).is_some()
    }

    /// Puts it with the others. It ends where the text does.
    fn push<'a>(self, found: &mut Vec<Stretch<'a>>, headings: &[(usize, &str)], text: &'a str) {
        let mut under = joined(headings);
        let mut add = |line: u32, under: &str, text: &'a str| {
            let (under, text) = (under.to_owned(), text.trim_end());
            found.push(Stretch { line, under, text, heading: false });
        };
        let whole = &text[self.from..];
        if let Some(table) = Table::of(whole).filter(|_| whole.len() > LONG_TABLE) {
            under = joined_with(under, table.columns);
            return table.rows().for_each(|(more, row)| add(self.line + more, &under, row));
        }
        let Some((_, first)) = self.items.first().filter(|_| self.items.len() > 1) else {
            return add(self.line, &under, whole);
        };
        let lead = text[self.from..*first].trim();
        let last = lead.lines().last().unwrap_or_default();
        let leads_to = leads_to(last);
        // A line that stands above the items like a heading says nothing besides.
        let is_heading = leads_to.is_some() && lead == last && lead.len() <= LONG_HEADING;
        if !lead.is_empty() && !is_heading {
            add(self.line, &under, &text[self.from..*first]);
        }
        if let Some(leads_to) = leads_to {
            under = joined_with(under, leads_to);
        }
        let ends = self.items.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
        for ((line, from), to) in self.items.iter().zip(ends) {
            add(*line, &under, &text[*from..to]);
        }
    }
}

/// What a line says that leads to a list: "Shopping:", "**Shopping:**".
fn leads_to(line: &str) -> Option<&str> {
    let around = ['*', '_', ' '];
    Some(line.trim_matches(around).strip_suffix([':', '：'])?.trim_matches(around))
}

/// How many `#` a heading begins with; none for any other line. What is indented by four is code.
fn heading_level(line: &str) -> usize {
    let text = line.trim_start_matches(' ');
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let is_one = line.len() - text.len() < 4
        && (1..=6).contains(&level)
        && text[level..].starts_with(' ')
        && !text[level..].trim().is_empty();
    if is_one { level } else { 0 }
}

/// What begins or ends a fenced block.
struct Fence {
    mark: char,
    long: usize,
    /// Whether something stands behind it: then it can only begin one.
    named: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Fence> {
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let long = line.chars().take_while(|c| *c == mark).count();
        // Code in a line: ```ls -la```.
        let is_closed = mark == '`' && line[long..].contains('`');
        (long >= 3 && !is_closed).then_some(Fence { mark, long, named: line.len() > long })
    }

    fn is_ended_by(&self, end: &Fence) -> bool {
        end.mark == self.mark && end.long >= self.long && !end.named
    }
}

/// The last of some headings, as a stretch of its own.
fn push_heading<'a>(found: &mut Vec<Stretch<'a>>, line: u32, headings: &[(usize, &'a str)]) {
    if let Some(((_, text), above)) = headings.split_last() {
        found.push(Stretch { line, under: joined(above), text, heading: true });
    }
}

fn joined(headings: &[(usize, &str)]) -> String {
    headings.iter().fold(String::new(), |above, (_, heading)| joined_with(above, heading))
}

fn joined_with(mut above: String, more: &str) -> String {
    if !above.is_empty() {
        above.push_str(" › ");
    }
    above + more[..more.floor_char_boundary(LONG_HEADING)].trim_end()
}

/// A table of more bytes than this is asked for a row, and not for all of it.
const LONG_TABLE: usize = 800;

/// A table: a line of names, a line of dashes, and rows.
struct Table<'a> {
    /// The names of its columns.
    columns: &'a str,
    text: &'a str,
}

impl<'a> Table<'a> {
    fn of(text: &'a str) -> Option<Table<'a>> {
        let mut lines = text.lines();
        let (columns, dashes) = (lines.next()?.trim(), lines.next()?.trim());
        let is_ruled =
            dashes.contains('-') && dashes.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        let columns = columns.strip_prefix('|').filter(|_| is_ruled && dashes.starts_with('|'))?;
        Some(Table { columns: columns.trim_end_matches('|').trim(), text })
    }

    /// The rows, with how many lines are above each.
    fn rows(&self) -> impl Iterator<Item = (u32, &'a str)> {
        (0..).zip(self.text.split_inclusive('\n')).skip(2)
    }
}

/// Whether an item of a list begins with a line. In the middle of a paragraph a number begins one only if it is 1: what
/// is wrapped may begin with any other.
fn begins_item(line: &str, open: Option<&Open>) -> bool {
    let is_wrapped = open.is_some_and(|open| open.items.is_empty());
    item(line).is_some_and(|(mark, _)| !is_wrapped || matches!(mark, "-" | "*" | "+" | "1." | "1)"))
}

/// The mark that an item of a list begins with, and what follows it.
pub(crate) fn item(line: &str) -> Option<(&str, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '*', '+'] };
    let rest = line[digits..].strip_prefix(marks)?.strip_prefix(' ')?;
    Some((&line[..=digits], rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_under_its_headings() {
        let text = "# House\n\nThe key is\nat Ada's.\n\n## Garden\n- water it\n  daily\n- mow\n\n```\na\n\nb\n```\n";
        let cut: Vec<(u32, String, String)> = paragraphs(text)
            .into_iter()
            .map(|stretch| (stretch.line, stretch.under, stretch.text.to_owned()))
            .collect();
        let expected = [
            (3, "House", "The key is\nat Ada's."),
            (7, "House › Garden", "- water it\n  daily"),
            (9, "House › Garden", "- mow"),
            (11, "House › Garden", "```\na\n\nb\n```"),
        ];
        let expected: Vec<(u32, String, String)> = expected
            .into_iter()
            .map(|(line, under, text)| (line, under.to_owned(), text.to_owned()))
            .collect();
        assert_eq!(cut, expected);
    }

    fn cut(text: &str) -> Vec<(u32, String, &str)> {
        let cut = paragraphs(text).into_iter();
        cut.map(|stretch| (stretch.line, stretch.under, stretch.text)).collect()
    }

    #[test]
    fn a_heading_with_nothing_below_it_says_something_itself() {
        let text = "# Plans\n## Dentist on 4 June\n\n## Garden\nmow\n## Vet\n### Cat\n# Done\n";
        let expected = [
            (2, "Plans".to_owned(), "Dentist on 4 June"),
            (5, "Plans › Garden".to_owned(), "mow"),
            (7, "Plans › Vet".to_owned(), "Cat"),
            (8, String::new(), "Done"),
        ];
        assert_eq!(cut(text), expected);
    }

    #[test]
    fn a_fence_ends_where_one_like_it_does() {
        let text = "````md\n```\ncode\n\n~~~\n````\n\nAfter.\n\n~~~\n```\n\n~~~\n\nLast.\n";
        let texts: Vec<&str> = paragraphs(text).iter().map(|stretch| stretch.text).collect();
        let blocks = ["````md\n```\ncode\n\n~~~\n````", "~~~\n```\n\n~~~"];
        assert_eq!(texts, [blocks[0], "After.", blocks[1], "Last."]);
        // One that never ends does not keep the rest of a file together.
        let text = format!("```\n{}", "a paragraph of a long text\n\n".repeat(1_000));
        assert!(paragraphs(&text).iter().all(|stretch| stretch.text.len() < 8_100));
    }

    #[test]
    fn the_rows_of_a_long_table_stand_under_the_names_of_its_columns() {
        let table = |rows: usize| -> String {
            let rows = (0..rows).map(|n| format!("| 2025-03-{n:02} | {n}1 | {n}2 |\n"));
            format!(
                "# Meter\n\n| Day | Gas | Sun |\n|---|--:|:-:|\n{}\nAfter.\n",
                rows.collect::<String>()
            )
        };
        let text = table(99);
        let long = cut(&text);
        assert_eq!(long.len(), 100);
        assert_eq!(
            long[41],
            (46, "Meter › Day | Gas | Sun".to_owned(), "| 2025-03-41 | 411 | 412 |")
        );
        assert_eq!(long[99], (105, "Meter".to_owned(), "After."));
        assert_eq!(cut(&table(9)).len(), 2);
        // A bar at its beginning makes no table.
        assert!(cut(&"| a line that is not of a table\n".repeat(40)).len() == 1);
    }

    #[test]
    fn code_in_a_line_and_code_that_is_indented_begin_nothing() {
        let text = "```ls -la```\n\nRun it.\n\n    # install\n    make\n\n   # Use\nit\n";
        let expected = [
            (1, String::new(), "```ls -la```"),
            (3, String::new(), "Run it."),
            (5, String::new(), "    # install\n    make"),
            (9, "Use".to_owned(), "it"),
        ];
        assert_eq!(cut(text), expected);
    }

    #[test]
    fn a_long_list_is_cut_where_its_items_begin() {
        let item =
            |n: usize| format!("- item {n} of a list that goes on\n  and has a second line\n");
        let text: String = (0..80).map(item).collect();
        let expected: Vec<String> = (0..80).map(|n| item(n).trim_end().to_owned()).collect();
        let texts: Vec<&str> = paragraphs(&text).iter().map(|stretch| stretch.text).collect();
        assert_eq!(texts, expected);
        // An item without an end is cut like a paragraph, and what follows is a list still.
        let text = format!("- a\n- b\n{}- c\n- d\n", "  and more of it\n".repeat(300));
        let cut = paragraphs(&text);
        assert!(cut.iter().all(|stretch| stretch.text.len() < 2_200), "{cut:?}");
        let ends = [cut[0].text, cut[cut.len() - 2].text, cut[cut.len() - 1].text];
        assert_eq!(ends, ["- a", "- c", "- d"]);
    }

    #[test]
    fn the_items_of_a_list_stand_under_the_line_that_leads_to_them() {
        let text = "# Home\nShopping:\n- milk\n- eggs\n\nWe were late.\nWe bought:\n1. nails\n2. glue\n\n\
                    No end\n- a\n- b\n";
        let expected = [
            (3, "Home › Shopping", "- milk"),
            (4, "Home › Shopping", "- eggs"),
            (6, "Home", "We were late.\nWe bought:"),
            (8, "Home › We bought", "1. nails"),
            (9, "Home › We bought", "2. glue"),
            (11, "Home", "No end"),
            (12, "Home", "- a"),
            (13, "Home", "- b"),
        ];
        let expected = expected.map(|(line, under, text)| (line, under.to_owned(), text));
        assert_eq!(cut(text), expected);
        let text = "Shopping:\n\n- milk\n\n- eggs\n\nAfter.\n\n**For the trip:**\n* tent\n* stove\n\nSo:\n\nThus.\n";
        let expected = [
            (3, "Shopping", "- milk"),
            (5, "Shopping", "- eggs"),
            (7, "", "After."),
            (10, "For the trip", "* tent"),
            (11, "For the trip", "* stove"),
            (13, "", "So:"),
            (15, "", "Thus."),
        ];
        assert_eq!(cut(text), expected.map(|(line, under, text)| (line, under.to_owned(), text)));
        // A number that a line was wrapped at begins no list, nor does what is in a block.
        for whole in [
            "They met in\n1945. In\n1946. they left.",
            "So:\n```yaml\n- a\n- b\n```",
            "Milk:\n- two",
        ] {
            assert_eq!(cut(whole), [(1, String::new(), whole)]);
        }
    }

    #[test]
    fn a_long_heading_is_not_copied_whole_for_each_item() {
        let long = "é".repeat(13_000);
        let columns = &long[..1_000];
        let text = format!("# {long}\n- a\n- b\n\n| {columns} |\n|---|\n| c |\n");
        let cut = cut(&text);
        let unders: Vec<usize> = cut.iter().map(|(_, under, _)| under.len()).collect();
        assert_eq!(unders, [0, 200, 200, 200 + " › ".len() + 200]);
        assert_eq!((cut[0].2, cut[3].2), (&*long, "| c |"));
    }

    #[test]
    fn a_wall_of_lines_is_cut_all_the_same() {
        let text = "a line of a wall without an end\n".repeat(200);
        let cut = paragraphs(&text);
        assert!(cut.len() > 2 && cut.iter().all(|stretch| stretch.text.len() < 2_200));
        assert_eq!(cut[1].line, 64);
        assert!(paragraphs("").is_empty() && paragraphs("\n \n").is_empty());
    }
}
