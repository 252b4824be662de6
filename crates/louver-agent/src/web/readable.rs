//! HTML as text that a model can read: headings, paragraphs, lists, rows, code and links.
//!
//! One pass over the tokens, and no tree. The crates that build one first were tried on 10,000 nested
//! elements and on 2 MB of misnested ones: they overflow the stack or take from 20 seconds to a
//! minute. A tokenizer cannot be made to do either, and text needs little of what a tree knows.

use html5gum::{DefaultEmitter, EndTag, StartTag, Token, Tokenizer};
use url::Url;

use super::start_of;
use super::tags::{Part, Parts, Tag, is_void, part, tag};

/// More text than this is not made of a page, however its links grow.
const MOST: usize = 1 << 20;

/// A longer link costs more than it tells.
const LONGEST_LINK: usize = 300;

/// A main part with less text than this (in bytes) is not where a page's text is.
const LEAST: usize = 200;

/// The text of a page: what it is about, without what stands around it where the two can be told
/// apart.
pub fn readable(html: &str, base: &Url) -> String {
    let mut reader = Reader::new(base, Hidden::Left);
    if !reader.read(html) {
        // Something hidden never ended, so it was not meant as it was read.
        reader = Reader::new(base, Hidden::Read);
        reader.read(html);
    }
    reader.text()
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

/// A stretch of text that stands on its own.
#[derive(Debug)]
struct Block {
    text: String,
    part: Part,
    /// Whether no empty line goes before it, as with items and rows.
    tight: bool,
}

/// A stretch of the line being written that becomes something when it ends.
#[derive(Debug)]
struct Link {
    start: usize,
    url: String,
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
    blocks: Vec<Block>,
    /// Bytes in `blocks`.
    written: usize,
    parts: Parts,
    gone: Option<Gone>,
    /// The block being written.
    line: String,
    /// Whether the next word is apart from the last.
    space: bool,
    link: Option<Link>,
    /// Where code in a line began.
    code: Option<usize>,
    heading: u8,
    /// The lists that are open; the next number of those that count.
    lists: Vec<Option<u32>>,
    /// Lists that are open beyond those.
    deeper: u32,
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
            blocks: Vec::new(),
            written: 0,
            parts: Parts::default(),
            gone: None,
            line: String::new(),
            space: false,
            link: None,
            code: None,
            heading: 0,
            lists: Vec::new(),
            deeper: 0,
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
            if self.written + self.line.len() > MOST {
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
            Tag::Block if self.in_cell && self.line.len() < LEAST => self.space = true,
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
                self.marker = Some(self.next_marker());
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
            Tag::Break => self.line.push('\n'),
            Tag::Table | Tag::Row => {
                self.finish_block();
                (self.in_row, self.in_cell) = (tag == Tag::Row, false);
            }
            Tag::Cell => {
                if self.in_cell {
                    self.finish_link();
                    self.line.push_str(" | ");
                    self.space = false;
                }
                (self.in_row, self.in_cell) = (true, true);
            }
            Tag::Link => self.open_link(element),
            Tag::Code => {
                self.finish_code();
                self.write_space();
                self.code = Some(self.line.len());
            }
            Tag::Image => self.image(element),
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
            (Tag::Break, _) => self.line.push('\n'),
            (Tag::Block | Tag::Row | Tag::Item, _) => self.new_line(),
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
                Tag::Block | Tag::Row | Tag::Item => self.new_line(),
                _ => (),
            };
        }
        match tag {
            Tag::Block if self.in_cell && self.line.len() < LEAST => self.space = true,
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
            Tag::Link => self.finish_link(),
            Tag::Code => self.finish_code(),
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
        for of in text.chars().filter(|of| !is_unseen(*of)) {
            if self.preformatted.is_some() {
                self.line.push(of);
            } else if of.is_whitespace() {
                self.space = true;
            } else {
                self.write_space();
                self.line.push(of);
            }
        }
    }

    /// Writes the space that goes before the next word, if one does.
    fn write_space(&mut self) {
        if std::mem::take(&mut self.space)
            && !self.line.is_empty()
            && !self.line.ends_with([' ', '\n'])
        {
            self.line.push(' ');
        }
    }

    fn new_line(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with('\n') {
            self.line.push('\n');
        }
    }

    fn open_list(&mut self, number: Option<u32>) {
        self.finish_block();
        if self.lists.len() < 8 {
            self.lists.push(number);
        } else {
            self.deeper += 1;
        }
    }

    fn close_list(&mut self) {
        self.finish_block();
        self.marker = None;
        if self.deeper > 0 {
            self.deeper -= 1;
        } else {
            self.lists.pop();
        }
    }

    fn next_marker(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "- ".into(),
        }
    }

    fn open_link(&mut self, element: &StartTag<()>) {
        self.finish_link();
        let to = attribute(element, "href").filter(|to| !to.starts_with('#'));
        let url = to.and_then(|to| self.base.join(&to).ok());
        let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https")) else { return };
        if url.as_str().len() <= LONGEST_LINK {
            self.write_space();
            self.link = Some(Link { start: self.line.len(), url: url.into() });
        }
    }

    fn finish_link(&mut self) {
        self.finish_code();
        let Some(Link { start, url }) = self.link.take() else { return };
        let text = self.line.get(start..).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || text == url {
            return;
        }
        self.line.truncate(start);
        // These stand beside headings and lead to themselves.
        if !matches!(text.as_str(), "¶" | "#" | "§" | "🔗") {
            self.line.push_str(&format!("[{text}]({url})"));
        }
    }

    fn finish_code(&mut self) {
        let Some(start) = self.code.take() else { return };
        if !self.line.get(start..).unwrap_or_default().trim().is_empty() {
            self.line.insert(start, '`');
            self.line.push('`');
        }
    }

    fn image(&mut self, element: &StartTag<()>) {
        let alt = attribute(element, "alt").unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        if !alt.is_empty() {
            self.write_space();
            self.line.push_str(&format!("(image: {})", start_of(&alt, LONGEST_LINK)));
        }
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
        self.finish_link();
        self.space = false;
        let line = std::mem::take(&mut self.line);
        let Some(text) = self.shaped(&line) else { return };
        let indent = "  ".repeat(self.lists.len().saturating_sub(1));
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
        self.written += whole.len();
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

    /// What was read, without what stands around the content if there is enough without it.
    fn text(self) -> String {
        let length = |least: Part| -> usize {
            self.blocks
                .iter()
                .filter(|block| block.part >= least)
                .map(|block| block.text.len())
                .sum()
        };
        let body = length(Part::Body);
        let least = match () {
            () if length(Part::Main) >= LEAST => Part::Main,
            () if length(Part::Article) >= LEAST && length(Part::Article) * 5 >= body * 2 => {
                Part::Article
            }
            () if body >= LEAST || body * 2 >= self.written => Part::Body,
            () => Part::Edge,
        };
        let mut text = String::with_capacity(length(least) + self.title.len());
        let blocks = || self.blocks.iter().filter(|block| block.part >= least);
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        let heads = |block: &Block| {
            block.text.strip_prefix("# ").is_some_and(|heading| title.contains(heading.trim()))
        };
        if !title.is_empty() && !blocks().any(heads) {
            text.push_str(&format!("# {title}\n"));
        }
        let mut last_tight = false;
        for block in blocks() {
            let apart = !(block.tight && last_tight);
            if apart && !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&block.text);
            last_tight = block.tight;
        }
        if self.blocks.is_empty() {
            text.push_str(&self.description);
        }
        start_of(&text, MOST).trim_end().to_owned()
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

/// Characters that nobody sees: they break words apart, turn text around, or carry text that only
/// a model reads.
fn is_unseen(of: char) -> bool {
    matches!(
        of,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    ) || (of.is_control() && !of.is_whitespace())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(html: &str) -> String {
        readable(html, &"https://example.com/docs/page".parse().unwrap())
    }

    #[test]
    fn a_page_becomes_its_content_in_order() {
        let html = r#"<!doctype html><html><head><title>Ships | Example</title>
            <style>p { color: red }</style><script>var a = "<p>not text</p>";</script></head>
            <body><header><nav><a href="/">Home</a> <a href="/all">All</a></nav></header>
            <main><h1>Ships</h1>
            <p>A ship   is a <b>large</b> vessel, see <a href="../boats?a=1&amp;b=2">boats</a>.
            <p>Run <code>sail --now</code>, then<br>wait.
            <ul><li>sail<li>oar<ul><li>long</ul></ul><ol start=3><li>three<li><p>four</ol>
            <pre class="language-sh"><code>cd sea
&lt;go&gt;</code></pre>
            <blockquote><p>Ahoy</blockquote>
            <table><tr><th>name<th>masts<tr><td><div>Gorch</div><td>3</table>
            <dl><dt>hull<dd>the body</dl>
            <p><img src=x.png alt="a schooner"> <a href="javascript:x()">click</a>
            </main><footer>Imprint</footer></body></html>"#;
        let expected = "\
# Ships

A ship is a large vessel, see [boats](https://example.com/boats?a=1&b=2).

Run `sail --now`, then
wait.

- sail
- oar
  - long
3. three
4. four

```sh
cd sea
<go>
```

> Ahoy

name | masts
Gorch | 3

hull

: the body

(image: a schooner) click";
        assert_eq!(read(html), expected);
    }

    #[test]
    fn without_a_main_part_menus_and_footers_still_go() {
        let words = "Words that say something. ".repeat(20);
        let html = format!(
            "<title>T</title><div class='top navbar'><div>Menu</div></div><div><p>{words}</div>
             <div id=footer>Imprint</div><aside>Ads</aside>"
        );
        assert_eq!(read(&html), format!("# T\n\n{}", words.trim()));
    }

    #[test]
    fn a_page_that_is_all_menu_is_read_all_the_same() {
        let html = "<nav><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></nav>";
        assert_eq!(read(html), "- [A](https://example.com/a)\n- [B](https://example.com/b)");
    }

    #[test]
    fn what_people_do_not_see_is_not_read() {
        let html = "<p>seen</p><div style='display: none'>one<div>two</div>three</div><p hidden>four</p>
            <span aria-hidden=true>five</span><template><p>six</template><!-- seven --><noscript>eight</noscript>
            <svg><title>nine</title><text>ten</text></svg><p>a\u{200b}b\u{e0041}</p>";
        assert_eq!(read(html), "seen\n\nab");
    }

    #[test]
    fn something_hidden_that_never_ends_does_not_hide_the_page() {
        assert_eq!(read("<p hidden>one<p>two"), "one\n\ntwo");
        assert_eq!(read("<svg><path><p>words"), "words");
    }

    #[test]
    fn a_page_drawn_by_a_script_has_its_description() {
        let html = "<title>App</title><meta name=description content='An app.'><div id=root></div>";
        assert_eq!(read(html), "# App\nAn app.");
    }

    #[test]
    fn links_follow_the_base_that_the_page_names() {
        assert_eq!(
            read("<base href=https://o.example/x/><a href=y>z</a>"),
            "[z](https://o.example/x/y)"
        );
    }

    #[test]
    fn code_that_holds_a_fence_gets_a_longer_one() {
        assert_eq!(read("<pre>```\nx\n```</pre>"), "````\n```\nx\n```\n````");
    }

    #[test]
    fn ten_thousand_nested_elements_are_read_on_a_small_stack() {
        for tag in [
            "div",
            "ul",
            "li",
            "blockquote",
            "table",
            "b",
            "a href=x",
            "main",
            "nav",
            "svg",
            "code",
        ] {
            let html = format!("{}<p>deep</p>", format!("<{tag}>").repeat(10_000));
            let small = std::thread::Builder::new().stack_size(128 << 10);
            let text = small.spawn(move || read(&html)).unwrap().join().unwrap();
            assert!(text.contains("deep"), "{tag}");
        }
    }

    #[test]
    fn text_that_grows_is_bounded() {
        let long = "x".repeat(250);
        let html = format!("<base href=/{long}/>{}", "<a href=y>z</a>".repeat(20_000));
        assert!(read(&html).len() <= MOST);
        let html = format!("<pre>{}", "`".repeat(MOST));
        assert!(read(&html).len() <= MOST);
    }

    #[test]
    fn tags_in_a_snippet_go() {
        assert_eq!(without_tags("a <strong>b</strong> &amp;  c<script>x</script>"), "a b & cx");
    }

    proptest! {
        /// Any soup of the tags that do something is read without a panic.
        #[test]
        fn any_soup_of_tags_is_read(
            soup in prop::collection::vec(
                prop_oneof![
                    "</?(p|div|a|code|pre|li|ul|ol|td|tr|table|h1|blockquote|svg|main|nav|title|br)>",
                    Just("<a href=/x>".to_owned()),
                    Just("<div hidden>".to_owned()),
                    "[ \\n`a-zü🔗]{0,6}",
                    "\\PC{0,6}",
                ],
                0..60,
            )
        ) {
            let _ = read(&soup.concat());
        }
    }
}
