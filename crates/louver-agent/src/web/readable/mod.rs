//! HTML as text that a model can read: headings, paragraphs, lists, rows, code and links.
//!
//! One pass over the tokens, and no tree. The crates that build one first were tried on 10,000 nested
//! elements and on 2 MB of misnested ones: they overflow the stack or take from 20 seconds to a
//! minute. A tokenizer cannot be made to do either, and text needs little of what a tree knows.

mod blocks;
mod line;
mod lists;
#[cfg(test)]
mod tests;

use html5gum::{DefaultEmitter, EndTag, StartTag, Token, Tokenizer};
use url::Url;

use self::blocks::{Block, Blocks, LEAST};
use self::line::Line;
use self::lists::Lists;
use super::start_of;
use super::tags::{Parts, Tag, is_void, part, tag};

/// More text than this is not made of a page, however its links grow.
const MOST: usize = 1 << 20;

/// The text of a page: what it is about, without what stands around it where the two can be told
/// apart.
pub fn readable(html: &str, base: &Url) -> String {
    let mut reader = Reader::new(base, Hidden::Left);
    if !reader.read(html) {
        // Something hidden never ended, so it was not meant as it was read.
        reader = Reader::new(base, Hidden::Read);
        reader.read(html);
    }
    reader.blocks.content(&reader.title, &reader.description)
}

/// Text with the tags of a snippet taken out.
pub(super) fn without_tags(html: &str) -> String {
    let mut text = String::new();
    for Ok(token) in tokens(html) {
        if let Token::String(words) = token {
            text.push_str(&String::from_utf8_lossy(&words.value));
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn tokens(html: &str) -> Tokenizer<html5gum::StringReader<'_>, DefaultEmitter> {
    let mut emitter = DefaultEmitter::default();
    // Scripts and styles are not full of tags, whatever they look like.
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter)
}

/// What to do with what a page hides from people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hidden {
    Left,
    Read,
}

/// An element whose content is left out.
#[derive(Debug)]
struct Gone {
    name: Vec<u8>,
    inside: u32,
}

struct Reader {
    base: Url,
    hidden: Hidden,
    blocks: Blocks,
    parts: Parts,
    gone: Option<Gone>,
    /// The block being written.
    line: Line,
    heading: u8,
    lists: Lists,
    marker: Option<String>,
    quotes: usize,
    /// The language of preformatted text, while in one.
    preformatted: Option<String>,
    in_row: bool,
    in_cell: bool,
    in_title: bool,
    title: String,
    description: String,
}

impl Reader {
    fn new(base: &Url, hidden: Hidden) -> Reader {
        Reader {
            base: base.clone(),
            hidden,
            blocks: Blocks::default(),
            parts: Parts::default(),
            gone: None,
            line: Line::default(),
            heading: 0,
            lists: Lists::default(),
            marker: None,
            quotes: 0,
            preformatted: None,
            in_row: false,
            in_cell: false,
            in_title: false,
            title: String::new(),
            description: String::new(),
        }
    }

    /// Reads a page; false if it ended inside of something that was left out.
    fn read(&mut self, html: &str) -> bool {
        for Ok(token) in tokens(html) {
            match token {
                Token::StartTag(tag) => self.start(&tag),
                Token::EndTag(tag) => self.end(&tag),
                Token::String(text) => self.words(&String::from_utf8_lossy(&text.value)),
                _ => (),
            }
            if self.blocks.len() + self.line.len() > MOST {
                break;
            }
        }
        self.finish_block();
        self.gone.is_none() || self.hidden == Hidden::Read
    }

    fn start(&mut self, element: &StartTag<()>) {
        let name: &[u8] = &element.name;
        let tag = tag(name);
        if let Some(gone) = &mut self.gone {
            // A browser ends a drawing where something begins that cannot be in one.
            let drawing = matches!(gone.name.as_slice(), b"svg" | b"math");
            if !(drawing && matches!(tag, Tag::Block | Tag::Heading(_) | Tag::List | Tag::Table)) {
                gone.inside += u32::from(gone.name == name && !(drawing && element.self_closing));
                return;
            }
            self.gone = None;
        }
        if !is_void(name) {
            if self.leaves_out(tag, element) {
                self.gone = Some(Gone { name: name.into(), inside: 0 });
                return;
            }
            self.enter(name, element);
        }
        self.open(tag, element);
    }

    fn leaves_out(&self, tag: Tag, element: &StartTag<()>) -> bool {
        if tag == Tag::Gone {
            let raw: &[u8] = &element.name;
            let empty = element.self_closing && matches!(raw, b"svg" | b"math");
            // What holds other text than a page's is left out even when it never ends.
            let never_text = matches!(raw, b"script" | b"style");
            return !empty && (self.hidden == Hidden::Left || never_text);
        }
        let says = |name: &str, value: &str| attribute(element, name).is_some_and(|is| is == value);
        let style = attribute(element, "style").unwrap_or_default().replace(' ', "");
        let unseen = element.attributes.contains_key(b"hidden".as_slice())
            || says("aria-hidden", "true")
            || style.contains("display:none")
            || style.contains("visibility:hidden");
        unseen
            && self.hidden == Hidden::Left
            && !matches!(element.name.as_slice(), b"html" | b"body")
    }

    fn enter(&mut self, name: &[u8], element: &StartTag<()>) {
        let role = attribute(element, "role").unwrap_or_default();
        let class = attribute(element, "class").unwrap_or_default().to_ascii_lowercase();
        let id = attribute(element, "id").unwrap_or_default().to_ascii_lowercase();
        let names: Vec<&str> = class.split_ascii_whitespace().chain([id.as_str()]).collect();
        let part = part(name, &role, &names);
        if part.is_some() {
            self.finish_block();
        }
        self.parts.start(name, part);
    }

    fn open(&mut self, tag: Tag, element: &StartTag<()>) {
        if self.preformatted.is_some() {
            return self.open_in_preformatted(tag, element);
        }
        match tag {
            Tag::Block if self.in_cell && self.line.len() < LEAST => self.line.set_apart(),
            Tag::Block => self.finish_block(),
            Tag::Heading(level) => {
                self.finish_block();
                self.heading = level;
            }
            Tag::List => self.open_list(None),
            Tag::Numbered => {
                let start = attribute(element, "start").and_then(|start| start.parse().ok());
                self.open_list(Some(start.unwrap_or(1)));
            }
            Tag::Item => {
                self.finish_block();
                self.marker = Some(self.lists.next_marker());
            }
            Tag::Term => self.finish_block(),
            Tag::Explanation => {
                self.finish_block();
                self.marker = Some(": ".into());
            }
            Tag::Quote => {
                self.finish_block();
                self.quotes += 1;
            }
            Tag::Preformatted => {
                self.finish_block();
                self.preformatted = Some(language(element));
            }
            Tag::Break => self.line.break_here(),
            Tag::Table | Tag::Row => {
                self.finish_block();
                (self.in_row, self.in_cell) = (tag == Tag::Row, false);
            }
            Tag::Cell => {
                if self.in_cell {
                    self.line.next_cell();
                }
                (self.in_row, self.in_cell) = (true, true);
            }
            Tag::Link => self.open_link(element),
            Tag::Code => self.line.open_code(),
            Tag::Image => self.line.image(&attribute(element, "alt").unwrap_or_default()),
            Tag::Title => self.in_title = self.title.is_empty(),
            Tag::Meta => self.meta(element),
            Tag::Base => {
                let base = attribute(element, "href").and_then(|to| self.base.join(&to).ok());
                self.base = base.unwrap_or_else(|| self.base.clone());
            }
            Tag::Gone | Tag::Inline => (),
        }
    }

    /// Pages that number the lines of code have an element for each.
    fn open_in_preformatted(&mut self, tag: Tag, element: &StartTag<()>) {
        match (tag, &mut self.preformatted) {
            (Tag::Code, Some(known)) if known.is_empty() => *known = language(element),
            (Tag::Break, _) => self.line.break_here(),
            (Tag::Block | Tag::Row | Tag::Item, _) => self.line.new_line(),
            _ => (),
        }
    }

    fn end(&mut self, element: &EndTag<()>) {
        let name: &[u8] = &element.name;
        if let Some(gone) = &mut self.gone {
            if gone.name == name {
                match gone.inside {
                    0 => self.gone = None,
                    ref mut inside => *inside -= 1,
                }
            }
            return;
        }
        self.close(tag(name));
        self.parts.end(name);
    }

    fn close(&mut self, tag: Tag) {
        if self.preformatted.is_some() {
            return match tag {
                Tag::Preformatted => self.finish_block(),
                Tag::Block | Tag::Row | Tag::Item => self.line.new_line(),
                _ => (),
            };
        }
        match tag {
            Tag::Block if self.in_cell && self.line.len() < LEAST => self.line.set_apart(),
            Tag::Block | Tag::Term => self.finish_block(),
            Tag::Heading(_) => {
                self.finish_block();
                self.heading = 0;
            }
            Tag::List | Tag::Numbered => self.close_list(),
            Tag::Item | Tag::Explanation => {
                self.finish_block();
                self.marker = None;
            }
            Tag::Quote => {
                self.finish_block();
                self.quotes = self.quotes.saturating_sub(1);
            }
            Tag::Table | Tag::Row => {
                self.finish_block();
                (self.in_row, self.in_cell) = (false, false);
            }
            Tag::Link => self.line.finish_link(),
            Tag::Code => self.line.finish_code(),
            Tag::Title => self.in_title = false,
            _ => (),
        }
    }

    fn words(&mut self, text: &str) {
        if self.gone.is_some() {
            return;
        }
        if self.in_title {
            return self.title.push_str(start_of(text, 500_usize.saturating_sub(self.title.len())));
        }
        match self.preformatted {
            Some(_) => self.line.verbatim(text),
            None => self.line.words(text),
        }
    }

    fn open_list(&mut self, number: Option<u32>) {
        self.finish_block();
        self.lists.open(number);
    }

    fn close_list(&mut self) {
        self.finish_block();
        self.marker = None;
        self.lists.close();
    }

    fn open_link(&mut self, element: &StartTag<()>) {
        let to = attribute(element, "href").filter(|to| !to.starts_with('#'));
        self.line.open_link(to.and_then(|to| self.base.join(&to).ok()));
    }

    fn meta(&mut self, element: &StartTag<()>) {
        let name = attribute(element, "name").or_else(|| attribute(element, "property"));
        let tells = matches!(name.as_deref(), Some("description" | "og:description"));
        if tells && self.description.is_empty() {
            let content = attribute(element, "content").unwrap_or_default();
            self.description = start_of(&content, 1_000).trim().to_owned();
        }
    }

    /// Ends the block being written; the marker and the heading stay for the next one if it is empty.
    fn finish_block(&mut self) {
        let line = self.line.finish();
        let Some(text) = self.shaped(&line) else { return };
        let indent = self.lists.indent();
        let marker = self.marker.take();
        let first = format!("{indent}{}", marker.as_deref().unwrap_or_default());
        let further = if self.lists.is_empty() { indent } else { format!("{indent}  ") };
        let first = if marker.is_none() { further.clone() } else { first };
        let quote = "> ".repeat(self.quotes.min(4));
        let mut whole = String::with_capacity(text.len() + 8);
        for (at, line) in text.lines().enumerate() {
            let lead = if at == 0 { &first } else { &further };
            whole.push_str(&format!("{quote}{lead}{line}").trim_end().replace('\u{a0}', " "));
            whole.push('\n');
        }
        let tight = marker.is_some() || self.in_row;
        self.blocks.push(Block { text: whole, part: self.parts.part(), tight });
    }

    /// The line as what it is: code, a heading, a row, words. None when there is nothing in it.
    fn shaped(&mut self, line: &str) -> Option<String> {
        if let Some(language) = self.preformatted.take() {
            let code = line.trim_matches('\n').trim_end();
            let fence = fence_for(code);
            return (!code.trim().is_empty())
                .then(|| format!("{fence}{language}\n{code}\n{fence}"));
        }
        let text = line.trim().trim_matches(|of| of == '|' && self.in_row).trim();
        if text.is_empty() {
            return None;
        }
        let level = std::mem::take(&mut self.heading);
        Some(match level {
            0 => without_empty_lines(text),
            _ => format!("{} {}", "#".repeat(level.into()), text.replace('\n', " ")),
        })
    }
}

fn attribute(element: &StartTag<()>, name: &str) -> Option<String> {
    let value = element.attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(&value.value).into_owned())
}

/// The language that a class of the element names.
fn language(element: &StartTag<()>) -> String {
    let class = attribute(element, "class").unwrap_or_default();
    let named = class
        .split_ascii_whitespace()
        .find_map(|name| name.strip_prefix("language-").or_else(|| name.strip_prefix("lang-")));
    let plain = |of: &char| of.is_ascii_alphanumeric() || "+-#".contains(*of);
    named.unwrap_or_default().chars().take(20).take_while(plain).collect()
}

/// A fence that does not occur in the code.
fn fence_for(code: &str) -> String {
    let longest = code.split(|of| of != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

/// Line breaks stay; what is nothing but them does not.
fn without_empty_lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
