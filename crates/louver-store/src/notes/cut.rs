//! Cutting a long text where its structure says: headings, paragraphs, list items, rows of tables.

use super::block::{Fence, LONG_TABLE, Table};
use super::heading::{Format, Heading};
use super::list::{indent, item, leads_to, may_interrupt, nested};
use super::wrap::Wrap;
use louver_recall::tasks::Task;

/// Lines of more bytes than this are cut.
const LONG: usize = 2_000;

/// A paragraph that is wrapped is not cut below this, wherever its lines end: it has parts where it is long. Nobody
/// writes a longer one, but a log may look like it.
const LONG_WRAPPED: usize = 32_000;

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

/// What stands between two headings that are above something.
pub(super) const ABOVE: &str = " › ";

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
        if self.ends(start, whole, was_fenced, mark) || self.is_full(start, fenced, mark) {
            self.flush(start);
        }
        self.blank = bare.is_empty();
        if !bare.is_empty() {
            let open = self.open.get_or_insert_with(|| Open::at(line, start));
            open.add(line, start, mark, begins && !was_fenced);
            open.wrap.add(whole);
            self.bare_heading = None;
        }
        0
    }

    /// Whether what is open ends before a line.
    fn ends(&self, start: usize, line: &str, was_fenced: bool, mark: Mark) -> bool {
        // A list may stand below an empty line, and so may each of its items, and each paragraph of one.
        let waits = self.open.as_ref().is_some_and(|open| open.waits(&self.text[..start]));
        let is_empty = line.trim().is_empty();
        let goes_on = is_empty || mark != Mark::None || self.is_inside(line);
        let ends = if waits { self.blank && !goes_on } else { is_empty };
        !was_fenced && ends
    }

    /// Whether a line is indented like what belongs to an item.
    fn is_inside(&self, line: &str) -> bool {
        let own = self.open.as_ref().and_then(|open| open.indent);
        own.is_some_and(|own| indent(line) > own + 1)
    }

    /// Whether what is open is too long: a paragraph without an end is a long one's next beginning. The items of a list
    /// are cut anyway.
    fn is_full(&self, start: usize, fenced: bool, mark: Mark) -> bool {
        self.open.as_ref().is_some_and(|open| {
            let longest = match fenced {
                true => LONG_BLOCK,
                false if open.wrap.is_wrapped() => LONG_WRAPPED,
                false => LONG,
            };
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

/// A stretch that goes on.
struct Open {
    line: u32,
    from: usize,
    /// Where the last item of it begins, or paragraph of one, or it does.
    since: usize,
    /// How its lines since then are wrapped.
    wrap: Wrap,
    /// Where each item begins.
    items: Vec<(u32, usize)>,
    /// How far the first of them is indented.
    indent: Option<usize>,
    /// Whether some of them have items or paragraphs of their own.
    is_nested: bool,
}

impl Open {
    fn at(line: u32, from: usize) -> Open {
        let (items, wrap) = (Vec::new(), Wrap::default());
        Open { line, from, since: from, wrap, items, indent: None, is_nested: false }
    }

    /// Takes a line in, with which a paragraph may begin.
    fn add(&mut self, line: u32, start: usize, mark: Mark, begins: bool) {
        match mark {
            Mark::None if !begins || self.indent.is_none() => return,
            Mark::None => self.is_nested = true,
            Mark::Nested => self.is_nested = true,
            Mark::Item(indent) => {
                self.items.push((line, start));
                self.indent.get_or_insert(indent);
            }
        }
        (self.since, self.wrap) = (start, Wrap::default());
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
    let Some((_, first)) = items.first() else { return push_whole(found, line, under, text) };
    let lead = &text[..*first];
    let under = push_lead(found, line, under.to_owned(), lead, first_line(lead));
    let ends = items.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    for ((more, from), to) in items.iter().zip(ends) {
        push_item(found, line + more, &under, &text[*from..to], depth + 1);
    }
}

/// What the first line of an item says, without its mark.
fn first_line(text: &str) -> Option<&str> {
    let (_, own) = text.lines().next().and_then(item)?;
    let own = own.trim();
    Some(leads_to(own).unwrap_or(own)).filter(|heading| !heading.is_empty())
}

/// What of a note may stand above others: its first line and its last, as they stand there.
pub(crate) fn titles(note: &str) -> impl Iterator<Item = &str> {
    let mut lines = note.trim().lines();
    let first = lines.next();
    [first, lines.next_back()].into_iter().flatten().flat_map(|line| {
        let line = line.trim();
        let own = item(line).map_or(line, |(_, own)| own.trim());
        let all = [Some(line), leads_to(line), Some(own), leads_to(own)];
        all.into_iter().flatten().map(clipped).filter(|title| !title.is_empty())
    })
}

/// Puts an item that has no items of its own with the others. In a long one each paragraph is its own, under its first
/// line.
fn push_whole<'a>(found: &mut Vec<Stretch<'a>>, line: u32, under: &str, text: &'a str) {
    let first = text.split_inclusive('\n').take_while(|line| !line.trim().is_empty());
    let (lines, end) = first.fold((0, 0), |(lines, end), line| (lines + 1, end + line.len()));
    let (lead, rest) = text.split_at(end);
    if text.len() <= LONG_ITEM || rest.trim().is_empty() {
        return add(found, line, under, text);
    }
    add(found, line, under, lead);
    let above = first_line(lead).map_or(under.to_owned(), |own| joined_with(under.to_owned(), own));
    for stretch in paragraphs(rest) {
        let under = match stretch.under.is_empty() {
            true => above.clone(),
            false => format!("{above}{ABOVE}{}", stretch.under),
        };
        found.push(Stretch { line: line + lines + stretch.line - 1, under, ..stretch });
    }
}

fn joined(headings: &[(usize, &str)]) -> String {
    headings.iter().fold(String::new(), |above, (_, heading)| joined_with(above, heading))
}

fn joined_with(mut above: String, more: &str) -> String {
    if !above.is_empty() {
        above.push_str(ABOVE);
    }
    above + clipped(more)
}

/// So much of a heading as stands above what is below it.
fn clipped(heading: &str) -> &str {
    heading[..heading.floor_char_boundary(LONG_HEADING)].trim_end()
}

#[cfg(test)]
#[path = "test_cut.rs"]
mod tests;
