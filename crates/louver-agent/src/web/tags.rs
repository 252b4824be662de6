//! What each HTML element means for text, and which part of a page it opens.

/// What an element does to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// Its content is not for readers.
    Gone,
    /// It begins and ends a paragraph.
    Block,
    Heading(u8),
    List,
    Numbered,
    Item,
    Term,
    Explanation,
    Quote,
    Preformatted,
    Break,
    Table,
    Row,
    Cell,
    Link,
    Code,
    Image,
    Title,
    Meta,
    Base,
    /// It says how text looks, which does not matter here.
    Inline,
}

/// The table of elements.
pub(super) fn tag(name: &[u8]) -> Tag {
    match name {
        b"script" | b"style" | b"template" | b"svg" | b"math" | b"noscript" | b"iframe"
        | b"object" | b"canvas" | b"video" | b"audio" | b"select" | b"datalist" | b"textarea"
        | b"noembed" | b"noframes" => Tag::Gone,
        b"p" | b"div" | b"section" | b"article" | b"main" | b"header" | b"footer" | b"nav"
        | b"aside" | b"form" | b"fieldset" | b"figure" | b"figcaption" | b"address"
        | b"details" | b"summary" | b"center" | b"body" | b"hr" | b"dl" | b"caption"
        | b"legend" | b"dialog" | b"hgroup" | b"search" | b"head" | b"html" => Tag::Block,
        b"h1" => Tag::Heading(1),
        b"h2" => Tag::Heading(2),
        b"h3" => Tag::Heading(3),
        b"h4" => Tag::Heading(4),
        b"h5" => Tag::Heading(5),
        b"h6" => Tag::Heading(6),
        b"ul" | b"menu" => Tag::List,
        b"ol" => Tag::Numbered,
        b"li" => Tag::Item,
        b"dt" => Tag::Term,
        b"dd" => Tag::Explanation,
        b"blockquote" => Tag::Quote,
        b"pre" | b"listing" | b"xmp" | b"plaintext" => Tag::Preformatted,
        b"br" => Tag::Break,
        b"table" => Tag::Table,
        b"tr" => Tag::Row,
        b"td" | b"th" => Tag::Cell,
        b"a" => Tag::Link,
        b"code" | b"kbd" | b"samp" | b"tt" => Tag::Code,
        b"img" => Tag::Image,
        b"title" => Tag::Title,
        b"meta" => Tag::Meta,
        b"base" => Tag::Base,
        _ => Tag::Inline,
    }
}

/// Elements that have no content, and so no end.
pub(super) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

/// How near to what a page is about a part of it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// Around it: menus, banners, footers.
    Edge,
    /// Nobody says.
    #[default]
    Body,
    /// One of its articles.
    Article,
    /// What the page itself calls its main part.
    Main,
}

/// The part of a page that an element opens, if it opens one.
pub(super) fn part(name: &[u8], role: &str, names: &[&str]) -> Option<Part> {
    match role {
        "main" => return Some(Part::Main),
        "article" => return Some(Part::Article),
        "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "menu"
        | "menubar" | "dialog" | "alertdialog" => return Some(Part::Edge),
        _ => (),
    }
    match name {
        b"main" => Some(Part::Main),
        b"article" => Some(Part::Article),
        b"nav" | b"aside" | b"footer" | b"header" | b"dialog" | b"menu" | b"search" => {
            Some(Part::Edge)
        }
        b"div" | b"section" | b"ul" | b"table" if names.iter().any(|name| is_edge(name)) => {
            Some(Part::Edge)
        }
        _ => None,
    }
}

/// Names that pages give to what stands around their content, as a class or an id.
fn is_edge(name: &str) -> bool {
    matches!(
        name,
        "nav"
            | "navbar"
            | "navigation"
            | "menu"
            | "sidebar"
            | "footer"
            | "breadcrumb"
            | "breadcrumbs"
            | "cookie-banner"
            | "cookie-consent"
            | "site-header"
            | "site-footer"
            | "skip-link"
            | "navbox"
            | "toc"
            | "noprint"
            | "share"
            | "social"
            | "newsletter"
            | "advertisement"
    )
}

/// An element that is open, and how many of its name are open inside of it.
#[derive(Debug)]
struct Open {
    name: Vec<u8>,
    inside: u32,
    part: Part,
}

/// The parts of a page that are open at a point of it.
///
/// There is no tree: a part ends with the end tag of its name that has no start tag inside of the
/// part. So neither depth nor disorder costs more than a look at this short list.
#[derive(Debug, Default)]
pub(super) struct Parts {
    open: Vec<Open>,
}

impl Parts {
    /// More are not told apart; nobody nests so many in earnest.
    const MOST: usize = 32;

    /// An element begins.
    pub(super) fn start(&mut self, name: &[u8], part: Option<Part>) {
        match part {
            Some(part) if self.open.len() < Parts::MOST => {
                // A header or footer of the content itself belongs to it.
                let own = matches!(name, b"header" | b"footer") && self.part() >= Part::Article;
                let part = if own { self.part() } else { self.nested(part) };
                self.open.push(Open { name: name.into(), inside: 0, part });
            }
            _ => {
                if let Some(open) = self.open.iter_mut().rfind(|open| open.name == name) {
                    open.inside += 1;
                }
            }
        }
    }

    /// An element ends.
    pub(super) fn end(&mut self, name: &[u8]) {
        let Some(at) = self.open.iter().rposition(|open| open.name == name) else { return };
        match self.open[at].inside {
            0 => self.open.truncate(at),
            ref mut inside => *inside -= 1,
        }
    }

    /// The part we are in.
    pub(super) fn part(&self) -> Part {
        self.open.last().map(|open| open.part).unwrap_or_default()
    }

    /// What a part is inside of the one we are in: the edge stays the edge, and an article in the
    /// main part is the main part.
    fn nested(&self, part: Part) -> Part {
        match self.part() {
            Part::Edge => Part::Edge,
            around if part > Part::Edge => around.max(part),
            _ => part,
        }
    }
}
