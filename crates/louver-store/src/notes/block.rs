//! Blocks that are cut in their own way: fenced ones and tables.

use super::heading::Format;

/// What begins or ends a fenced block.
pub(super) struct Fence {
    mark: char,
    long: usize,
    /// Whether it can begin one.
    pub(super) begins: bool,
    /// Whether it can end one: with something behind it it can only begin one.
    ends: bool,
}

impl Fence {
    pub(super) fn of(line: &str, format: Format) -> Option<Fence> {
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

    pub(super) fn is_ended_by(&self, end: &Fence) -> bool {
        end.mark == self.mark && end.long >= self.long && end.ends
    }
}

/// A table of more bytes than this is asked for a row, and not for all of it.
pub(super) const LONG_TABLE: usize = 800;

/// A table: a line of names, a line of dashes, and rows. What stands around its rows may be left out.
pub(super) struct Table<'a> {
    /// The names of its columns.
    pub(super) columns: &'a str,
    text: &'a str,
}

impl<'a> Table<'a> {
    pub(super) fn of(text: &'a str) -> Option<Table<'a>> {
        let mut lines = text.lines();
        let (columns, dashes) = (lines.next()?.trim(), lines.next()?.trim());
        let is_ruled = dashes.contains('-')
            && dashes.contains('|')
            && dashes.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '+'));
        (is_ruled && columns.contains('|'))
            .then(|| Table { columns: columns.trim_matches('|').trim(), text })
    }

    /// The rows, with how many lines are above each.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, &'a str)> {
        (0..).zip(self.text.split_inclusive('\n')).skip(2)
    }
}
