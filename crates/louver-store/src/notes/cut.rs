//! Cutting a long text where its structure says: headings, paragraphs, list items, rows of tables.

use super::heading::{Format, Heading};
use louver_recall::tasks::Task;

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
pub(super) const LONG_HEADING: usize = 200;

/// An item of more bytes than this is asked for one of the items in it, and not for all of them.
const LONG_ITEM: usize = 800;

/// Items in items are told apart so deep. What is above each of them is copied for it.
const DEEPEST: usize = 4;

/// The paragraphs of a Markdown or plain text, each under its headings. A fenced block stays whole, and so does a table
/// that is short; the items of a list are each their own, under the line that leads to them, and so are the items in a
/// long item, tasks in an item, and the rows of a long table, under the names of its columns. A heading with nothing below it says
/// something itself.
pub fn paragraphs(text: &str) -> Vec<Stretch<'_>> {
    paragraphs_of(text, Format::Markdown)
}

/// The same of a text that is written so.
pub(super) fn paragraphs_of(text: &str, format: Format) -> Vec<Stretch<'_>> {
    let mut cutter = Cutter {
        text,
        format,
        styles: Vec::new(),
        found: Vec::new(),
        headings: Vec::new(),
        bare_heading: None,
        open: None,
        fence: None,
        blank: false,
    };
    let (mut at, mut below) = (0, 0);
    for (line, whole) in (1..).zip(text.split_inclusive('\n')) {
        below = if below > 0 { below - 1 } else { cutter.take(line, at, whole) };
        at += whole.len();
    }
    cutter.finish()
}

/// A text that is being cut.
struct Cutter<'a> {
    text: &'a str,
    format: Format,
    /// What headings were underlined with so far, the highest first.
    styles: Vec<(char, bool)>,
    found: Vec<Stretch<'a>>,
    /// The headings above, with their levels.
    headings: Vec<(usize, &'a str)>,
    /// The last heading, as long as nothing is below it: its line, and whether it is sure to be one.
    bare_heading: Option<(u32, bool)>,
    open: Option<Open>,
    fence: Option<Fence>,
    /// Whether the line before is empty.
    blank: bool,
}

impl<'a> Cutter<'a> {
    /// Takes a line. How many lines below belong to it.
    fn take(&mut self, line: u32, start: usize, whole: &'a str) -> usize {
        let bare = whole.trim();
        let was_fenced = self.fence.is_some();
        self.fence = match (self.fence.take(), Fence::of(bare, self.format)) {
            (None, new) => new.filter(|fence| fence.begins),
            (Some(fence), Some(end)) if fence.is_ended_by(&end) => None,
            (fence, _) => fence,
        };
        let fenced = was_fenced || self.fence.is_some();
        let begins = self.open.is_none() || self.blank;
        let rest = &self.text[start..];
        if !fenced && let Some(heading) = self.format.heading(rest, begins, &mut self.styles) {
            self.flush(start);
            self.blank = false;
            return self.head(line, &heading);
        }
        let mark = if fenced { Mark::None } else { self.mark(whole) };
        if self.ends(start, bare, was_fenced, mark) || self.is_full(start, fenced, mark) {
            self.flush(start);
        }
        self.blank = bare.is_empty();
        if !bare.is_empty() {
            self.open.get_or_insert_with(|| Open::at(line, start)).add(line, start, mark);
            self.bare_heading = None;
        }
        0
    }

    /// Whether what is open ends before a line.
    fn ends(&self, start: usize, bare: &str, was_fenced: bool, mark: Mark) -> bool {
        // A list may stand below an empty line, and so may each of its items.
        let waits = self.open.as_ref().is_some_and(|open| open.waits(&self.text[..start]));
        let is_empty = bare.is_empty();
        let ends = if waits { self.blank && mark == Mark::None && !is_empty } else { is_empty };
        !was_fenced && ends
    }

    /// Whether what is open is too long: a paragraph without an end is a long one's next beginning. The items of a list
    /// are cut anyway.
    fn is_full(&self, start: usize, fenced: bool, mark: Mark) -> bool {
        let longest = if fenced { LONG_BLOCK } else { LONG };
        self.open.as_ref().is_some_and(|open| {
            start - open.since > longest
                && mark == Mark::None
                && (fenced || Table::of(&self.text[open.from..start]).is_none())
        })
    }

    /// What a line is to the list that is open. In the middle of a paragraph a number begins one only if it is 1: what
    /// is wrapped may begin with any other. What is indented by four is code, unless something stands right above it.
    fn mark(&self, line: &str) -> Mark {
        let inner = line.trim_start_matches([' ', '\t']);
        let Some((mark, _)) = item(inner) else { return Mark::None };
        let indent = indent(line);
        match self.open.as_ref() {
            // One blank more or less is nobody's intention.
            Some(Open { indent: Some(own), .. }) if indent > own + 1 => Mark::Nested,
            Some(Open { indent: Some(_), .. }) => Mark::Item(indent),
            Some(_) if !may_interrupt(mark) => Mark::None,
            open if indent >= 4 && (open.is_none() || self.blank) => Mark::None,
            _ => Mark::Item(indent),
        }
    }

    /// Puts what is open with the others. It ends here.
    fn flush(&mut self, end: usize) {
        if let Some(open) = self.open.take() {
            open.push(&mut self.found, &self.headings, &self.text[..end]);
        }
    }

    /// Takes a heading. How many lines below belong to it.
    fn head(&mut self, line: u32, heading: &Heading<'a>) -> usize {
        let Heading { level, text, lines, is_sure } = *heading;
        let below = self.headings.last().is_some_and(|(other, _)| *other < level);
        let before = self.bare_heading.replace((line, is_sure));
        if let Some((line, is_sure)) = before.filter(|_| !below) {
            self.push_heading(line, is_sure);
        }
        self.headings.retain(|(other, _)| *other < level);
        let is_task = self.format == Format::Org && is_task(text);
        if text.len() > LONG_HEADING || is_task {
            // Not all of it stands above what is below, or it is to be found by itself.
            let under = joined(&self.headings);
            self.found.push(Stretch { line, under, text, heading: false });
            self.bare_heading = None;
        }
        self.headings.push((level, text));
        lines - 1
    }

    /// The last of the headings, as a stretch of its own. What may be a line over a ruler is not left out as empty.
    fn push_heading(&mut self, line: u32, is_sure: bool) {
        if let Some(((_, text), above)) = self.headings.split_last() {
            self.found.push(Stretch { line, under: joined(above), text, heading: is_sure });
        }
    }

    fn finish(mut self) -> Vec<Stretch<'a>> {
        self.flush(self.text.len());
        if let Some((line, is_sure)) = self.bare_heading {
            self.push_heading(line, is_sure);
        }
        self.found
    }
}

/// What a line is to a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    None,
    /// An item begins, indented by so much.
    Item(usize),
    /// An item of an item begins.
    Nested,
}

/// How far a line is indented.
fn indent(line: &str) -> usize {
    let blank = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blank.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// Whether a list may begin with such a mark in the middle of a paragraph.
fn may_interrupt(mark: &str) -> bool {
    matches!(mark, "-" | "*" | "+" | "1." | "1)")
}

/// A stretch that goes on.
struct Open {
    line: u32,
    from: usize,
    /// Where the last item of it begins, or it does.
    since: usize,
    /// Where each item begins.
    items: Vec<(u32, usize)>,
    /// How far the first of them is indented.
    indent: Option<usize>,
    /// Whether some of them have items of their own.
    is_nested: bool,
}

impl Open {
    fn at(line: u32, from: usize) -> Open {
        Open { line, from, since: from, items: Vec::new(), indent: None, is_nested: false }
    }

    /// Takes a line in.
    fn add(&mut self, line: u32, start: usize, mark: Mark) {
        match mark {
            Mark::None => return,
            Mark::Nested => self.is_nested = true,
            Mark::Item(indent) => {
                self.items.push((line, start));
                self.indent.get_or_insert(indent);
            }
        }
        self.since = start;
    }

    /// Whether items may follow, or more of them. So far it goes to where the text ends.
    fn waits(&self, text: &str) -> bool {
        !self.items.is_empty()
            || text[self.from..].trim_end().lines().next_back().and_then(leads_to).is_some()
    }

    /// Puts it with the others. It ends where the text does.
    fn push<'a>(self, found: &mut Vec<Stretch<'a>>, headings: &[(usize, &str)], text: &'a str) {
        let mut under = joined(headings);
        let whole = &text[self.from..];
        if let Some(table) = Table::of(whole).filter(|_| whole.len() > LONG_TABLE) {
            under = joined_with(under, table.columns);
            return table.rows().for_each(|(more, row)| add(found, self.line + more, &under, row));
        }
        let is_list = self.items.len() > 1 || self.is_nested && is_cut(whole);
        let Some((_, first)) = self.items.first().filter(|_| is_list) else {
            return add(found, self.line, &under, whole);
        };
        let lead = text[self.from..*first].trim();
        under =
            push_lead(found, self.line, under, &text[self.from..*first], leads_to(last_line(lead)));
        let ends = self.items.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
        for ((line, from), to) in self.items.iter().zip(ends) {
            push_item(found, *line, &under, &text[*from..to], 1);
        }
    }
}

fn add<'a>(found: &mut Vec<Stretch<'a>>, line: u32, under: &str, text: &'a str) {
    let (under, text) = (under.to_owned(), text.trim_end());
    found.push(Stretch { line, under, text, heading: false });
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

/// Puts what stands over items with the others, unless it is a line that stands above them like a heading and says
/// nothing besides. What is above the items then.
fn push_lead<'a>(
    found: &mut Vec<Stretch<'a>>,
    line: u32,
    under: String,
    lead: &'a str,
    heading: Option<&str>,
) -> String {
    let said = lead.trim();
    let is_heading =
        leads_to(said).is_some() && said.lines().count() == 1 && said.len() <= LONG_HEADING;
    if !said.is_empty() && !is_heading {
        add(found, line, &under, lead);
    }
    heading.map_or_else(|| under.clone(), |heading| joined_with(under.clone(), heading))
}

/// Whether a line is a thing to do, or one that is done.
fn is_task(line: &str) -> bool {
    Task::of_line(line) != Task::Neither
}

/// Whether the items in an item are notes of their own: it is long, or they are tasks, which may be open where it is
/// done.
fn is_cut(item: &str) -> bool {
    item.len() > LONG_ITEM || item.lines().skip(1).any(is_task)
}

/// Puts an item of a list with the others. Where it is cut, the items in it are each their own, under its first line.
fn push_item<'a>(
    found: &mut Vec<Stretch<'a>>,
    line: u32,
    under: &str,
    text: &'a str,
    depth: usize,
) {
    let text = text.trim_start_matches([' ', '\t']);
    let items = if depth < DEEPEST && is_cut(text) { nested(text) } else { Vec::new() };
    let Some((_, first)) = items.first() else { return add(found, line, under, text) };
    let lead = &text[..*first];
    let own = lead.lines().next().and_then(item).map_or("", |(_, rest)| rest.trim());
    let heading = Some(leads_to(own).unwrap_or(own)).filter(|heading| !heading.is_empty());
    let under = push_lead(found, line, under.to_owned(), lead, heading);
    let ends = items.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    for ((more, from), to) in items.iter().zip(ends) {
        push_item(found, line + more, &under, &text[*from..to], depth + 1);
    }
}

/// Where the items in an item begin, with how many lines are above each in it.
fn nested(text: &str) -> Vec<(u32, usize)> {
    let (mut found, mut own, mut fence, mut at) = (Vec::new(), None, None::<Fence>, 0);
    for (more, whole) in (0..).zip(text.split_inclusive('\n')) {
        let (start, inner) = (at, whole.trim());
        at += whole.len();
        let was_fenced = fence.is_some();
        fence = match (fence, Fence::of(inner, Format::Markdown)) {
            (None, new) => new,
            (Some(fence), Some(end)) if fence.is_ended_by(&end) => None,
            (fence, _) => fence,
        };
        let mark = item(inner).map(|(mark, _)| mark).filter(|_| !was_fenced && fence.is_none());
        let (Some(mark), true) = (mark, more > 0) else { continue };
        let indent = indent(whole);
        let begins = own.map_or(may_interrupt(mark), |own| indent <= own + 1);
        if begins {
            found.push((more, start));
            own.get_or_insert(indent);
        }
    }
    found
}

/// What a line says that leads to a list: "Shopping:", "**Shopping:**".
fn leads_to(line: &str) -> Option<&str> {
    let around = ['*', '_', ' '];
    Some(line.trim_matches(around).strip_suffix([':', '：'])?.trim_matches(around))
}

/// What begins or ends a fenced block.
struct Fence {
    mark: char,
    long: usize,
    /// Whether it can begin one.
    begins: bool,
    /// Whether it can end one: with something behind it it can only begin one.
    ends: bool,
}

impl Fence {
    fn of(line: &str, format: Format) -> Option<Fence> {
        if format == Format::Org {
            let is = |start: &str| {
                line.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
            };
            let (begins, ends) = (is("#+begin_"), is("#+end_"));
            return (begins || ends).then_some(Fence { mark: '#', long: 1, begins, ends });
        }
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let long = line.chars().take_while(|c| *c == mark).count();
        // Code in a line: ```ls -la```.
        let is_closed = mark == '`' && line[long..].contains('`');
        let fence = Fence { mark, long, begins: true, ends: line.len() == long };
        (long >= 3 && !is_closed).then_some(fence)
    }

    fn is_ended_by(&self, end: &Fence) -> bool {
        end.mark == self.mark && end.long >= self.long && end.ends
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

/// A table: a line of names, a line of dashes, and rows. What stands around its rows may be left out.
struct Table<'a> {
    /// The names of its columns.
    columns: &'a str,
    text: &'a str,
}

impl<'a> Table<'a> {
    fn of(text: &'a str) -> Option<Table<'a>> {
        let mut lines = text.lines();
        let (columns, dashes) = (lines.next()?.trim(), lines.next()?.trim());
        let is_ruled = dashes.contains('-')
            && dashes.contains('|')
            && dashes.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '+'));
        (is_ruled && columns.contains('|'))
            .then(|| Table { columns: columns.trim_matches('|').trim(), text })
    }

    /// The rows, with how many lines are above each.
    fn rows(&self) -> impl Iterator<Item = (u32, &'a str)> {
        (0..).zip(self.text.split_inclusive('\n')).skip(2)
    }
}

/// The mark that an item of a list begins with, and what follows it.
pub(crate) fn item(line: &str) -> Option<(&str, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '*', '+'] };
    let rest = line[digits..].strip_prefix(marks)?.strip_prefix([' ', '\t'])?;
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

    fn cut_of(text: &str, format: Format) -> Vec<(u32, String, &str)> {
        let cut = paragraphs_of(text, format).into_iter();
        cut.map(|stretch| (stretch.line, stretch.under, stretch.text)).collect()
    }

    #[test]
    fn a_line_with_a_line_below_it_is_a_heading() {
        let text = "House\n=====\n\nThe key is here.\n\nGarden\n---\n- mow\n- water\n\nIt rained.\n---\n\nDone\n----\n";
        let expected = [
            (4, "House", "The key is here."),
            (8, "House › Garden", "- mow"),
            (9, "House › Garden", "- water"),
            (11, "House › Garden", "It rained.\n---"),
            (14, "House", "Done"),
        ];
        assert_eq!(cut(text), expected.map(|(line, under, text)| (line, under.to_owned(), text)));
        // A ruler ends a paragraph, a table or an item, and is no heading of its own.
        for whole in
            ["two lines\nof text\n----", "- a\n---", "---\nIt rained all day.\n---\nAfter."]
        {
            assert_eq!(cut(whole), [(1, String::new(), whole)]);
        }
        // Whoever has such a line in memory may mean what it says.
        assert!(!paragraphs("gate code 1234\n---\n")[0].heading);
        assert!(paragraphs("Open\n====\n")[0].heading);
    }

    #[test]
    fn org_has_stars_before_its_headings() {
        let text = "#+TITLE: Notes\n\n* House\nThe key is here.\n** Garden :green:\n- mow\n- water\n# a comment\n\n\
                    #+BEGIN_SRC sh\n* no heading\n\nls\n#+END_SRC\n* Done\n";
        let expected = [
            (1, "", "#+TITLE: Notes"),
            (4, "House", "The key is here."),
            (6, "House › Garden :green:", "- mow"),
            (7, "House › Garden :green:", "- water\n# a comment"),
            (10, "House › Garden :green:", "#+BEGIN_SRC sh\n* no heading\n\nls\n#+END_SRC"),
            (15, "", "Done"),
        ];
        let expected = expected.map(|(line, under, text)| (line, under.to_owned(), text));
        assert_eq!(cut_of(text, Format::Org), expected);
        // In Markdown the same stars are items.
        assert_eq!(cut("* a\n* b\n").len(), 2);
    }

    #[test]
    fn the_headings_of_rst_are_as_deep_as_they_come() {
        let text = "=====\nHouse\n=====\n\nThe key is here.\n\nGarden\n~~~~~~\n\nmow\n\nBeds\n^^^^\nroses\n\nGarage\n~~~~~~\ncar\n\n\
                    Too short\n---\nno heading\n";
        let expected = [
            (5, "House", "The key is here."),
            (10, "House › Garden", "mow"),
            (14, "House › Garden › Beds", "roses"),
            (18, "House › Garage", "car"),
            (20, "House › Garage", "Too short\n---\nno heading"),
        ];
        let expected = expected.map(|(line, under, text)| (line, under.to_owned(), text));
        assert_eq!(cut_of(text, Format::Rst), expected);
    }

    #[test]
    fn items_may_be_indented_and_have_a_tab() {
        let text = "Shopping:\n  - milk\n  - eggs\n    two dozen\n\n-\tone\n-\ttwo\n\nTools:\n\t* saw\n\t* axe\n";
        let expected = [
            (2, "Shopping", "- milk"),
            (3, "Shopping", "- eggs\n    two dozen"),
            (6, "Shopping", "-\tone"),
            (7, "Shopping", "-\ttwo"),
            (10, "Tools", "* saw"),
            (11, "Tools", "* axe"),
        ];
        assert_eq!(cut(text), expected.map(|(line, under, text)| (line, under.to_owned(), text)));
    }

    #[test]
    fn the_items_of_a_long_item_stand_under_its_first_line() {
        let below = |n: usize| format!("  - thing {n} that we take along\n    and why\n");
        let things: String = (0..80).map(below).collect();
        let text = format!("# Trip\n- Packing:\n{things}\n  - thing 80\n- Rome\n  - short\n");
        let cut = cut(&text);
        assert_eq!(cut.len(), 82);
        let under = "Trip › Packing".to_owned();
        assert_eq!(cut[41], (85, under.clone(), "- thing 41 that we take along\n    and why"));
        assert_eq!(cut[80], (164, under, "- thing 80"));
        assert_eq!(cut[81], (165, "Trip".to_owned(), "- Rome\n  - short"));
        // What the item says itself is not lost, however deep it is.
        let deep =
            format!("- Packing list\n  for Rome\n  1. Bag\n{}", things.replace("  ", "     "));
        let cut = self::cut(&deep);
        assert_eq!(cut[0], (1, String::new(), "- Packing list\n  for Rome"));
        assert_eq!((cut[1].2, cut[2].1.as_str(), cut.len()), ("1. Bag", "Packing list › Bag", 82));
        let steps: String = (0..300).map(|n| format!("{}- {n} a step\n", "  ".repeat(n))).collect();
        assert!(paragraphs(&steps).iter().all(|stretch| stretch.under.len() < 200));
    }

    #[test]
    fn tasks_in_an_item_are_notes_of_their_own() {
        let text = "# Move\n\n- [x] Cancel the lease\n  - [ ] Send the keys back\n  - [x] Call\n- Van\n  - large\n";
        let move_done = "Move › [x] Cancel the lease";
        assert_eq!(
            cut(text),
            [
                (3, "Move".into(), "- [x] Cancel the lease"),
                (4, move_done.into(), "- [ ] Send the keys back"),
                (5, move_done.into(), "- [x] Call"),
                (6, "Move".into(), "- Van\n  - large"),
            ]
        );
        assert_eq!(cut("- [x] One\n  - [ ] Two\n").len(), 2);
    }

    #[test]
    fn headings_of_org_that_are_tasks_are_notes_of_their_own() {
        let text = "* TODO Write the report\nTen pages.\n* DONE Order it\n** Ideas\nNone.\n";
        let found: Vec<_> =
            cut_of(text, Format::Org).into_iter().map(|(_, _, text)| text).collect();
        assert_eq!(found, ["TODO Write the report", "Ten pages.", "DONE Order it", "None."]);
    }

    #[test]
    fn a_table_needs_no_bars_around_it() {
        let rows: String = (0..99).map(|n| format!("2025-03-{n:02} | {n}1\n")).collect();
        for (dashes, names) in [("--- | ---", "Day | Gas"), ("|---+---|", "| Day | Gas |")] {
            let text = format!("{names}\n{dashes}\n{rows}");
            let cut = cut(&text);
            assert_eq!(cut.len(), 99);
            assert_eq!(cut[41], (44, "Day | Gas".to_owned(), "2025-03-41 | 411"));
        }
    }
}
