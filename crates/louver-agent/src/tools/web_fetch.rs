//! Reads a web page.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use louver_context::snapshot::ToolSchema;
use reqwest::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Desk, Output, Running, Tool, arguments, schema};
use crate::web::fetch::{End, Fetched, Fetcher};
use crate::web::page::{stretch, text};
use crate::web::{WebSettings, start_of};

/// Bytes of text in one answer, about 4,000 tokens.
const MOST: usize = 16_000;

/// Pages that are kept to be read on.
const KEPT: usize = 4;

/// Reads a web page as text.
pub struct WebFetch {
    fetcher: Fetcher,
    /// The newest pages, by the URL that was asked for. Reading on must go on in the same text,
    /// which a page that changes would not give.
    pages: Mutex<VecDeque<(String, Arc<Page>)>>,
}

/// A page as it is read, stretch by stretch.
struct Page {
    words: String,
    text: String,
    failed: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    url: String,
    /// Byte of the text to go on from.
    from: Option<usize>,
}

impl WebFetch {
    /// One that goes where the settings say.
    pub fn new(settings: &WebSettings) -> WebFetch {
        WebFetch::with(Fetcher::new(settings))
    }

    /// One that fetches with this fetcher.
    pub fn with(fetcher: Fetcher) -> WebFetch {
        WebFetch { fetcher, pages: Mutex::default() }
    }

    async fn fetch(&self, arguments: Arguments) -> Output {
        let from = arguments.from.unwrap_or_default();
        let known = if from > 0 { self.kept(&arguments.url) } else { None };
        let page = match known {
            Some(page) => page,
            None => match self.fetcher.get(&arguments.url).await {
                Ok(fetched) => self.keep(arguments.url, page(&fetched)),
                Err(error) => return Output::failed(error.to_string()),
            },
        };
        page.from(from)
    }

    fn kept(&self, url: &str) -> Option<Arc<Page>> {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.iter().find(|(of, _)| of == url).map(|(_, page)| page.clone())
    }

    fn keep(&self, url: String, page: Page) -> Arc<Page> {
        let page = Arc::new(page);
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(of, _)| *of != url);
        pages.push_front((url, page.clone()));
        pages.truncate(KEPT);
        page
    }
}

impl Tool for WebFetch {
    fn schema(&self) -> ToolSchema {
        schema::<Arguments>("web_fetch", "Read a public web page or file as text.")
    }

    fn only_reads(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, given: Value, _: &'a Desk) -> Running<'a> {
        Box::pin(async move {
            match arguments(given) {
                Ok(given) => self.fetch(given).await,
                Err(wrong) => wrong,
            }
        })
    }
}

impl Page {
    fn from(&self, from: usize) -> Output {
        let mut words = self.words.clone();
        if from > 0 && from >= self.text.len() {
            words.push_str(&format!(
                "; its text has {} bytes, none from {from} on",
                self.text.len()
            ));
            return Output::failed(words);
        }
        let part = stretch(&self.text, from, MOST);
        let end = part.from + part.text.len();
        if part.from > 0 || part.next.is_some() {
            words.push_str(&format!("; bytes {} to {end} of {}", part.from, self.text.len()));
        }
        if part.next.is_some() {
            words.push_str(&format!("; go on with `from`: {end}"));
        }
        let data = (!part.text.is_empty()).then(|| part.text.to_owned());
        Output { words, data, failed: self.failed, ..Output::default() }
    }
}

/// What was fetched, with our words about it.
fn page(fetched: &Fetched) -> Page {
    let text = text(fetched);
    let status = fetched.status;
    let mut words = format!("{} answered {}", start_of(fetched.url.as_str(), 300), status.as_u16());
    if let Some(reason) = status.canonical_reason() {
        words.push_str(&format!(" {reason}"));
    }
    words.push_str(&format!(", {}", fetched.content_type.name()));
    words.push_str(&match &text {
        Some(text) if text.is_empty() && fetched.end == End::Whole => {
            ", without text; it may need a browser: try another page on the same".to_owned()
        }
        Some(_) => how_much(fetched),
        None => no_text(fetched),
    });
    words.push_str(remedy(status));
    let lost = fetched.body.is_empty() && matches!(fetched.end, End::Time | End::Broken);
    Page { words, text: text.unwrap_or_default(), failed: lost || !status.is_success() }
}

fn how_much(fetched: &Fetched) -> String {
    let read = fetched.body.len();
    match fetched.end {
        End::Whole | End::Unread => format!(", {read} bytes"),
        End::Size => format!(", of which the first {read} bytes were read: it is longer than that"),
        End::Time => format!(", of which {read} bytes came before the time was over"),
        End::Broken => format!(", of which {read} bytes came before the connection broke"),
    }
}

fn no_text(fetched: &Fetched) -> String {
    let size = fetched.length.map(|length| format!(", {length} bytes")).unwrap_or_default();
    format!("{size}; that is not text and was not read: look for a page about it")
}

fn remedy(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 | 403 | 407 | 451 => "; the server does not let us in: try another page on the same",
        404 | 410 => "; there is no such page: check the URL, or search for it",
        429 => "; the server was asked too often: try later, or another page",
        500.. => "; the server has a problem: try later, or another page",
        _ => "",
    }
}
