//! What a heading is: with `#` before it or a line below it in Markdown, with stars in Org, underlined with anything in
//! reStructuredText.

use super::cut::LONG_HEADING;

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Markdown, or plain text.
    Markdown,
    Org,
    Rst,
}

/// A heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heading<'a> {
    /// How deep it is, from 1.
    pub(super) level: usize,
    pub(super) text: &'a str,
    /// How many lines it has, with those above and below it.
    pub(super) lines: usize,
    /// Whether it can be nothing else.
    pub(super) is_sure: bool,
}

impl Format {
    /// By the name of a file.
    pub(super) fn of(path: &str) -> Format {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending {
            _ if ending.eq_ignore_ascii_case("org") => Format::Org,
            _ if ending.eq_ignore_ascii_case("rst") => Format::Rst,
            _ => Format::Markdown,
        }
    }

    /// The heading that a text begins with. A line with another below it is one only where a paragraph `begins`;
    /// `styles` are the lines that were below headings before.
    pub(super) fn heading<'a>(
        self,
        text: &'a str,
        begins: bool,
        styles: &mut Vec<(char, bool)>,
    ) -> Option<Heading<'a>> {
        let mut lines = text.lines();
        let line = lines.next()?;
        let marked = match self {
            Format::Org => marked(line, b'*', usize::MAX).filter(|_| line.starts_with('*')),
            _ => marked(line, b'#', 6),
        };
        if marked.is_some() || self == Format::Org || !begins {
            return marked;
        }
        let next = lines.next()?;
        match self {
            Format::Rst => overlined(line, next, lines.next(), styles)
                .or_else(|| underlined_anyhow(line, next, styles)),
            _ => underlined(line, next),
        }
    }
}

/// A line with marks before it. What is indented by four is code.
fn marked(line: &str, mark: u8, deepest: usize) -> Option<Heading<'_>> {
    let text = line.trim_start_matches(' ');
    let level = text.bytes().take_while(|byte| *byte == mark).count();
    let said = text[level..].trim();
    let is_one = line.len() - text.len() < 4
        && (1..=deepest).contains(&level)
        && text[level..].starts_with(' ')
        && !said.is_empty();
    is_one.then_some(Heading { level, text: said, lines: 1, is_sure: true })
}

/// A line of Markdown with a line of `=` or `-` below it. Three dashes may be a ruler: what ends like a sentence is none,
/// and of nothing else can it be sure.
fn underlined<'a>(line: &'a str, next: &str) -> Option<Heading<'a>> {
    let (text, (mark, long)) = (titled(line)?, ruler(next)?);
    let level = ['=', '-'].iter().position(|known| *known == mark)? + 1;
    let is_sure = mark == '=' || long > 3 && 2 * long >= text.chars().count();
    let is_sentence = text.ends_with(['.', '!', '?', ',', ';', '。', '！', '？']);
    (is_sure || !is_sentence).then_some(Heading { level, text, lines: 2, is_sure })
}

/// A line of reStructuredText with a line below it that is as long at least.
fn underlined_anyhow<'a>(
    line: &'a str,
    next: &str,
    styles: &mut Vec<(char, bool)>,
) -> Option<Heading<'a>> {
    let (text, (mark, long)) = (titled(line)?, ruler(next)?);
    let is_one = long >= text.chars().count();
    is_one.then(|| Heading { level: level(styles, (mark, false)), text, lines: 2, is_sure: true })
}

/// The same with such a line above it, too.
fn overlined<'a>(
    above: &str,
    line: &'a str,
    below: Option<&str>,
    styles: &mut Vec<(char, bool)>,
) -> Option<Heading<'a>> {
    let (over, under) = (ruler(above)?, ruler(below?)?);
    let text = titled(line.trim_start())?;
    (over == under).then(|| Heading {
        level: level(styles, (over.0, true)),
        text,
        lines: 3,
        is_sure: true,
    })
}

/// The level of a heading that is written so: the first kind of a text is the highest.
fn level(styles: &mut Vec<(char, bool)>, style: (char, bool)) -> usize {
    let known = styles.iter().position(|other| *other == style);
    known.unwrap_or_else(|| {
        styles.push(style);
        styles.len() - 1
    }) + 1
}

/// What a line says that may be a heading: neither an item, nor code, nor too long for one.
fn titled(line: &str) -> Option<&str> {
    let is_indented = line.starts_with("    ") || line.starts_with('\t');
    let text = line.trim();
    let says = text.contains(char::is_alphanumeric) && text.len() <= LONG_HEADING;
    let is_other = super::list::item(text).is_some() || text.starts_with(['>', '|', '`']);
    (says && !is_other && !is_indented).then_some(text)
}

/// The mark that a line is made of, and how often it has it.
fn ruler(line: &str) -> Option<(char, usize)> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() >= 3 && line.chars().all(|c| c == mark)).then_some((mark, line.len()))
}
