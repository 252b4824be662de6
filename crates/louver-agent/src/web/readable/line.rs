//! The block that is being written: words, links, code and pictures as they come.

use louver_context::fence;
use url::Url;

use crate::web::start_of;

/// A longer link costs more than it tells.
const LONGEST_LINK: usize = 300;

/// A block that is not finished.
#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
    /// Whether the next word is apart from the last.
    space: bool,
    link: Option<Link>,
    /// Where code in it began.
    code: Option<usize>,
}

/// A stretch of the line that becomes a link when it ends.
#[derive(Debug)]
struct Link {
    start: usize,
    url: String,
}

impl Line {
    /// Its bytes so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The next word is apart from the last.
    pub(super) fn set_apart(&mut self) {
        self.space = true;
    }

    /// Writes words, with one space wherever there is some.
    pub(super) fn words(&mut self, text: &str) {
        for of in text.chars().filter(|of| !is_unseen(*of)) {
            if of.is_whitespace() {
                self.space = true;
            } else {
                self.write_space();
                self.text.push(of);
            }
        }
    }

    /// Writes text as it stands.
    pub(super) fn verbatim(&mut self, text: &str) {
        self.text.extend(text.chars().filter(|of| !is_unseen(*of)));
    }

    /// Writes the space that goes before the next word, if one does.
    fn write_space(&mut self) {
        if std::mem::take(&mut self.space)
            && !self.text.is_empty()
            && !self.text.ends_with([' ', '\n'])
        {
            self.text.push(' ');
        }
    }

    /// Breaks the line.
    pub(super) fn break_here(&mut self) {
        self.text.push('\n');
    }

    /// Breaks the line, unless it is at the beginning of one.
    pub(super) fn new_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Begins another cell of a row.
    pub(super) fn next_cell(&mut self) {
        self.finish_link();
        self.text.push_str(" | ");
        self.space = false;
    }

    /// Begins a link, if it leads somewhere.
    pub(super) fn open_link(&mut self, url: Option<Url>) {
        self.finish_link();
        let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https")) else { return };
        if url.as_str().len() <= LONGEST_LINK {
            self.write_space();
            self.link = Some(Link { start: self.text.len(), url: url.into() });
        }
    }

    /// Ends the link, if one is open.
    pub(super) fn finish_link(&mut self) {
        self.finish_code();
        let Some(Link { start, url }) = self.link.take() else { return };
        let text = self.text.get(start..).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || text == url {
            return;
        }
        self.text.truncate(start);
        // These stand beside headings and lead to themselves.
        if !matches!(text.as_str(), "¶" | "#" | "§" | "🔗") {
            self.text.push_str(&format!("[{text}]({url})"));
        }
    }

    /// Begins code.
    pub(super) fn open_code(&mut self) {
        self.finish_code();
        self.write_space();
        self.code = Some(self.text.len());
    }

    /// Ends the code, if some is open.
    pub(super) fn finish_code(&mut self) {
        let Some(start) = self.code.take() else { return };
        if !self.text.get(start..).unwrap_or_default().trim().is_empty() {
            self.text.insert(start, '`');
            self.text.push('`');
        }
    }

    /// Writes what a picture shows.
    pub(super) fn image(&mut self, alt: &str) {
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        if !alt.is_empty() {
            self.write_space();
            self.text.push_str(&format!("(image: {})", start_of(&alt, LONGEST_LINK)));
        }
    }

    /// What was written. Another one begins.
    pub(super) fn finish(&mut self) -> String {
        self.finish_link();
        self.space = false;
        std::mem::take(&mut self.text)
    }
}

/// Characters that nobody sees: they break words apart, turn text around, or carry text that only
/// a model reads.
fn is_unseen(of: char) -> bool {
    matches!(of, '\u{ad}' | '\u{200e}' | '\u{200f}') || fence::is_unseen(of) && !of.is_whitespace()
}
