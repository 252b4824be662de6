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

/// The paragraphs of a Markdown or plain text, each under its headings. A fenced block stays whole, and so does a table
/// that is short; the items of a list are each their own, and so are the rows of a long table, under the names of its
/// columns. A heading with nothing below it says something itself.
pub fn paragraphs(text: &str) -> Vec<Stretch<'_>> {
    let mut found = Vec::new();
    let mut headings: Vec<(usize, &str)> = Vec::new();
    // The line of the last heading, as long as nothing is below it.
    let mut bare_heading: Option<u32> = None;
    let mut open: Option<(u32, usize)> = None;
    let mut fence: Option<Fence> = None;
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
        let level = if fenced { 0 } else { bare.chars().take_while(|c| *c == '#').count() };
        let heading = (1..=6).contains(&level) && bare[level..].starts_with(' ');
        let breaks = !fenced && (bare.is_empty() || heading);
        // A paragraph without an end is a long one's next beginning.
        let longest = if fenced { LONG_BLOCK } else { LONG };
        let full = open.is_some_and(|(_, from)| {
            start - from > longest && (fenced || Table::of(&text[from..start]).is_none())
        });
        if (breaks || full)
            && let Some((line, from)) = open.take()
        {
            push(&mut found, line, &headings, &text[from..start]);
        }
        if heading {
            let below = headings.last().is_some_and(|(other, _)| *other < level);
            if let Some(line) = bare_heading.replace(line).filter(|_| !below) {
                push_heading(&mut found, line, &headings);
            }
            headings.retain(|(other, _)| *other < level);
            headings.push((level, bare[level..].trim()));
        } else if !bare.is_empty() && open.is_none() {
            open = Some((line, start));
            bare_heading = None;
        }
    }
    if let Some((line, from)) = open {
        push(&mut found, line, &headings, &text[from..]);
    }
    if let Some(line) = bare_heading {
        push_heading(&mut found, line, &headings);
    }
    found
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
        (long >= 3).then_some(Fence { mark, long, named: line.len() > long })
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
    let texts: Vec<&str> = headings.iter().map(|(_, text)| *text).collect();
    texts.join(" › ")
}

fn joined_with(mut above: String, more: &str) -> String {
    if !above.is_empty() {
        above.push_str(" › ");
    }
    above + more
}

fn push<'a>(found: &mut Vec<Stretch<'a>>, line: u32, headings: &[(usize, &'a str)], text: &'a str) {
    let mut under = joined(headings);
    let mut items: Vec<(u32, &str)> = items(text);
    if let Some(table) = Table::of(text).filter(|_| text.len() > LONG_TABLE) {
        under = joined_with(under, table.columns);
        items = table.rows().collect();
    }
    match items.len() {
        0..=1 => found.push(Stretch { line, under, text: text.trim_end(), heading: false }),
        _ => found.extend(items.into_iter().map(|(more, item)| Stretch {
            line: line + more,
            under: under.clone(),
            text: item.trim_end(),
            heading: false,
        })),
    }
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

/// The items of a list, each with the lines that belong to it; none when the text is no list.
fn items(text: &str) -> Vec<(u32, &str)> {
    let begins = |line: &str| {
        let numbered = line.split_once(['.', ')']).is_some_and(|(number, rest)| {
            !number.is_empty()
                && number.chars().all(|c| c.is_ascii_digit())
                && rest.starts_with(' ')
        });
        ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark)) || numbered
    };
    let mut starts: Vec<(u32, usize)> = Vec::new();
    let mut at = 0;
    for (line, whole) in (0..).zip(text.split_inclusive('\n')) {
        if begins(whole) {
            starts.push((line, at));
        }
        at += whole.len();
    }
    if starts.first().is_none_or(|(line, _)| *line != 0) {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    starts.iter().zip(ends).map(|((line, from), to)| (*line, &text[*from..to])).collect()
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
    fn a_wall_of_lines_is_cut_all_the_same() {
        let text = "a line of a wall without an end\n".repeat(200);
        let cut = paragraphs(&text);
        assert!(cut.len() > 2 && cut.iter().all(|stretch| stretch.text.len() < 2_200));
        assert_eq!(cut[1].line, 64);
        assert!(paragraphs("").is_empty() && paragraphs("\n \n").is_empty());
    }
}
