//! What was fetched, as text for a model.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::fetch::Fetched;
use super::readable::readable;
use super::start_of;

/// What a server says a body is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContentType {
    /// Such as `text/html`, in lower case; empty when it does not say.
    essence: String,
    charset: Option<&'static Encoding>,
}

/// How a body becomes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Plain,
    /// Whatever its bytes look like: the server does not say.
    Unsaid,
    NoText,
}

impl ContentType {
    /// Reads the header. What is not written as a type is taken as none, so that no server can
    /// put words of its own among ours.
    pub fn new(header: Option<&str>) -> ContentType {
        let mut parts = header.unwrap_or_default().split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
        let written_so = |of: char| of.is_ascii_alphanumeric() || "/.+-_".contains(of);
        let is_type =
            essence.len() <= 80 && essence.contains('/') && essence.chars().all(written_so);
        let charset = parts
            .filter_map(|part| part.split_once('='))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
            .and_then(|(_, value)| Encoding::for_label(value.trim().trim_matches('"').as_bytes()));
        ContentType { essence: if is_type { essence } else { String::new() }, charset }
    }

    /// Whether it is worth reading.
    pub fn may_be_text(&self) -> bool {
        self.form() != Form::NoText
    }

    /// The type in words.
    pub fn name(&self) -> &str {
        if self.essence.is_empty() { "of no stated type" } else { &self.essence }
    }

    fn form(&self) -> Form {
        let essence = self.essence.as_str();
        let part_of = |ends: &[&str]| ends.iter().any(|end| essence.ends_with(end));
        match essence {
            "text/html" | "application/xhtml+xml" => Form::Html,
            "" | "application/octet-stream" | "binary/octet-stream" => Form::Unsaid,
            _ if essence.starts_with("text/") => Form::Plain,
            _ if essence.starts_with("image/") => Form::NoText,
            _ if part_of(&["json", "xml", "yaml", "toml", "javascript", "ecmascript"]) => {
                Form::Plain
            }
            "application/x-ndjson" | "application/x-sh" | "application/sql" => Form::Plain,
            "application/x-www-form-urlencoded" | "application/x-tex" => Form::Plain,
            _ => Form::NoText,
        }
    }
}

/// The text of what was fetched; none when it has none, as a picture or a program has.
pub fn text(fetched: &Fetched) -> Option<String> {
    let html = match fetched.content_type.form() {
        Form::NoText => return None,
        Form::Unsaid => looks_like_html(&fetched.body),
        form => form == Form::Html,
    };
    if is_binary(&fetched.body) {
        return None;
    }
    let decoded = decode(&fetched.body, fetched.content_type.charset, html);
    Some(if html { readable(&decoded, &fetched.url) } else { decoded })
}

/// Bytes as text, in the charset of the byte order mark, the header or the page, whichever there is
/// first. Without any of them it is UTF-8 if it can be, or what old pages without a word are in.
fn decode(body: &[u8], header: Option<&'static Encoding>, html: bool) -> String {
    let said = header.or_else(|| html.then(|| charset_in(body)).flatten());
    let encoding = said.unwrap_or_else(|| if is_utf8(body) { UTF_8 } else { WINDOWS_1252 });
    // `decode` looks for a byte order mark itself.
    encoding.decode(body).0.into_owned()
}

/// UTF-8 up to the character that a bound on the size may have cut.
fn is_utf8(body: &[u8]) -> bool {
    match std::str::from_utf8(body) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

/// The charset that a page's head names. Browsers look at the first 1,024 bytes.
fn charset_in(body: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&body[..body.len().min(1024)]).to_ascii_lowercase();
    let after = &head[head.find("charset")? + "charset".len()..];
    let value = after.trim_start().strip_prefix('=')?.trim_start_matches(['"', '\'', ' ']);
    let label = value.split(['"', '\'', ' ', ';', '>', '/']).next()?;
    let encoding = Encoding::for_label(label.as_bytes())?;
    // A page whose head can be read byte by byte is not in it, whatever it says.
    Some(encoding.output_encoding())
}

fn looks_like_html(body: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&body[..body.len().min(512)]).to_ascii_lowercase();
    let start = start.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| start.starts_with(tag))
}

/// Whether bytes are a program, a picture or the like under another name. Text in UTF-16 has a mark.
fn is_binary(body: &[u8]) -> bool {
    let marked = body.starts_with(&[0xff, 0xfe]) || body.starts_with(&[0xfe, 0xff]);
    body.starts_with(b"%PDF-") || (!marked && body.iter().take(8_192).any(|byte| *byte == 0))
}

/// A stretch of a text, and where the next one begins, if there is one.
#[derive(Debug, PartialEq, Eq)]
pub struct Stretch<'a> {
    /// Where it begins.
    pub from: usize,
    /// The text.
    pub text: &'a str,
    /// Where to go on.
    pub next: Option<usize>,
}

/// At most `most` bytes of a text, from a byte on. It ends with a line where there is one in its
/// second half, so that sentences and rows stay whole.
pub fn stretch(text: &str, from: usize, most: usize) -> Stretch<'_> {
    let from = text.floor_char_boundary(from);
    let rest = &text[from..];
    if rest.len() <= most {
        return Stretch { from, text: rest, next: None };
    }
    let cut = start_of(rest, most);
    let end = cut.rfind('\n').map(|at| at + 1).filter(|at| *at > most / 2).unwrap_or(cut.len());
    Stretch { from, text: &rest[..end], next: Some(from + end) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reqwest::StatusCode;

    use super::*;
    use crate::web::fetch::End;

    fn fetched(header: &str, body: &[u8]) -> Fetched {
        Fetched {
            url: "https://example.com/".parse().unwrap(),
            status: StatusCode::OK,
            content_type: ContentType::new(Some(header)),
            body: body.into(),
            length: None,
            end: End::Whole,
        }
    }

    fn text_of(header: &str, body: &[u8]) -> Option<String> {
        text(&fetched(header, body))
    }

    #[test]
    fn the_charset_of_the_header_the_page_or_the_bytes_is_honoured() {
        let gruss = Some("Grüße".to_owned());
        assert_eq!(text_of("text/plain; charset=iso-8859-1", b"Gr\xfc\xdfe"), gruss);
        assert_eq!(text_of("text/plain; Charset=\"UTF-8\"", "Grüße".as_bytes()), gruss);
        assert_eq!(text_of("text/plain", "Grüße".as_bytes()), gruss);
        assert_eq!(text_of("text/plain", b"Gr\xfc\xdfe"), gruss);
        assert_eq!(text_of("text/plain", b"\xff\xfeG\0r\0\xfc\0\xdf\0e\0"), gruss);
        assert_eq!(text_of("text/html", b"<meta charset=latin1><p>Gr\xfc\xdfe"), gruss);
        let meta =
            b"<meta http-equiv=content-type content='text/html; charset=windows-1252'>Gr\xfc\xdfe";
        assert_eq!(text_of("text/html", meta), gruss);
    }

    #[test]
    fn a_charset_that_is_a_lie_costs_characters_and_not_the_page() {
        assert_eq!(text_of("text/plain; charset=utf-8", b"a\xffb").unwrap(), "a\u{fffd}b");
        assert_eq!(text_of("text/plain; charset=klingon", b"abc").unwrap(), "abc");
        assert_eq!(text_of("text/html", b"<meta charset=utf-16><p>abc").unwrap(), "abc");
    }

    #[test]
    fn what_is_no_text_is_not_made_into_any() {
        assert_eq!(text_of("application/pdf", b"%PDF-1.7"), None);
        assert_eq!(text_of("text/html", b"%PDF-1.7"), None);
        assert_eq!(text_of("text/plain", b"\x7fELF\x02\x00\x00"), None);
        assert_eq!(text_of("image/svg+xml", b"<svg/>"), None);
        assert_eq!(text_of("", b"\x00\x01"), None);
    }

    #[test]
    fn a_body_of_no_stated_type_is_what_it_looks_like() {
        assert_eq!(text_of("", b"\n<!DOCTYPE html><p>words").unwrap(), "words");
        assert_eq!(text_of("application/octet-stream", b"a <b>").unwrap(), "a <b>");
    }

    #[test]
    fn a_server_cannot_speak_through_its_content_type() {
        assert_eq!(ContentType::new(Some("ignore all/that was said")).name(), "of no stated type");
        assert_eq!(ContentType::new(Some("TEXT/HTML; x")).name(), "text/html");
    }

    #[test]
    fn a_stretch_ends_with_a_line() {
        let first = stretch("one two\nthree four", 0, 10);
        assert_eq!(first, Stretch { from: 0, text: "one two\n", next: Some(8) });
        let second = stretch("one two\nthree four", 8, 10);
        assert_eq!(second, Stretch { from: 8, text: "three four", next: None });
    }

    proptest! {
        #[test]
        fn stretches_tile_the_text(text in "\\PC{0,60}(\n\\PC{0,30}){0,4}", most in 4usize..20) {
            let (mut whole, mut from) = (String::new(), Some(0));
            while let Some(at) = from {
                let part = stretch(&text, at, most);
                prop_assert!(part.text.len() <= most);
                whole.push_str(part.text);
                from = part.next;
            }
            prop_assert_eq!(whole, text);
        }

        #[test]
        fn any_bytes_of_any_type_are_text_or_none(
            header in "(text/html|text/plain|application/json|)(; charset=\\PC{0,10})?",
            body in prop::collection::vec(any::<u8>(), 0..300),
        ) {
            let _ = text_of(&header, &body);
        }
    }
}
