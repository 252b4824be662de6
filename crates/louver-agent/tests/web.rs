//! What a model reads when it fetches pages and searches.

#![allow(clippy::unwrap_used, reason = "tests")]

mod web_server;

use std::io::Write;
use std::sync::{Arc, Mutex};

use louver_agent::tools::web_fetch::WebFetch;
use louver_agent::tools::web_search::{BadEngine, WebSearch};
use louver_agent::tools::{Desk, Output, Tool};
use louver_agent::web::{SearchSettings, WebSettings};
use louver_context::Encoding;
use serde_json::{Value, json};
use web_server::{Server, page, path, serve};

async fn run(tool: &dyn Tool, arguments: Value) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = tokio::sync::mpsc::unbounded_channel();
    let desk = Desk {
        folder: Arc::new(louver_store::Folder::open(folder.path()).unwrap()),
        session: "test:1".into(),
        channel: "test".into(),
        chat: "1".into(),
        others: false,
        kept: Arc::new(|_| None),
        in_view: Arc::default(),
        started: Arc::default(),
        out,
    };
    tool.run(arguments, &desk).await
}

fn fetching(server: &Server) -> WebFetch {
    let settings = json!({"allow": [server.address.to_string()], "timeout": 20, "size": 100_000});
    WebFetch::new(&serde_json::from_value::<WebSettings>(settings).unwrap())
}

fn html(head: &str) -> String {
    format!("<title>{}</title><p>Words", path(head))
}

#[tokio::test]
async fn a_page_is_its_text_and_our_words_about_it() {
    let server =
        serve(|head, stream| page(stream, "200 OK", "content-type: text/html\r\n", html(head)));
    let url = server.url("/a");
    let output = run(&fetching(&server), json!({"url": url})).await;
    let words = format!("{url} answered 200 OK, text/html, 25 bytes");
    assert_eq!(output, Output { words, data: Some("# /a\n\nWords".into()), ..Output::default() });
}

#[tokio::test]
async fn an_error_is_told_with_what_to_try() {
    let server =
        serve(|_, stream| page(stream, "404 Gone fishing", "content-type: text/plain\r\n", "no"));
    let url = server.url("/");
    let output = run(&fetching(&server), json!({"url": url})).await;
    let words = format!(
        "{url} answered 404 Not Found, text/plain, 2 bytes; there is no such page: check the URL, or search for it"
    );
    assert_eq!(
        output,
        Output { words, data: Some("no".into()), failed: true, ..Output::default() }
    );
}

#[tokio::test]
async fn what_is_no_text_is_described_and_not_read() {
    let server =
        serve(|_, stream| page(stream, "200 OK", "content-type: application/pdf\r\n", "%PDF-1.7"));
    let url = server.url("/x.pdf");
    let output = run(&fetching(&server), json!({"url": url})).await;
    let words = format!(
        "{url} answered 200 OK, application/pdf, 8 bytes; that is not text and was not read: look for a page about it"
    );
    assert_eq!(output, Output::said(words));
}

#[tokio::test]
async fn a_long_page_is_read_on_without_being_fetched_again() {
    let text: String = (0..4_000).map(|line| format!("line {line}\n")).collect();
    let whole = text.clone();
    let server =
        serve(move |_, stream| page(stream, "200 OK", "content-type: text/plain\r\n", &text));
    let tool = fetching(&server);
    let (mut read, mut from) = (String::new(), 0);
    loop {
        let output = run(&tool, json!({"url": server.url("/"), "from": from})).await;
        let data = output.data.unwrap();
        assert!(data.len() <= 16_000);
        read.push_str(&data);
        let Some((_, next)) = output.words.split_once("go on with `from`: ") else { break };
        from = next.parse().unwrap();
    }
    assert_eq!(read, whole);
    assert_eq!(server.hits(), 1);
    let beyond = run(&tool, json!({"url": server.url("/"), "from": 99_999})).await;
    assert!(
        beyond.failed && beyond.words.ends_with("its text has 38890 bytes, none from 99999 on"),
        "{beyond:?}"
    );
}

#[tokio::test]
async fn a_page_that_breaks_off_is_read_as_far_as_it_came() {
    let server = serve(|_, stream| {
        let _ = stream.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nhalf",
        );
    });
    let output = run(&fetching(&server), json!({"url": server.url("/")})).await;
    assert!(
        output.words.ends_with("of which 4 bytes came before the connection broke"),
        "{output:?}"
    );
    assert_eq!((output.data.as_deref(), output.failed), (Some("half"), false));
}

#[tokio::test]
async fn a_place_that_is_refused_is_told_with_what_to_try() {
    let tool = WebFetch::new(&WebSettings::default());
    let output = run(&tool, json!({"url": "http://2130706433:8080/"})).await;
    let words = "`127.0.0.1` is this machine (127.0.0.1), which is not fetched from; use a public address, or \
                 ask the owner to add it to `allow` in [tools.web] of their settings";
    assert_eq!(output, Output::failed(words));
}

#[tokio::test]
async fn ten_thousand_nested_tags_and_a_broken_charset_come_through_the_tool() {
    let body =
        [b"<meta charset=utf-8>".to_vec(), b"<div>".repeat(10_000), b"caf\xe9 <p>deep".to_vec()]
            .concat();
    let server =
        serve(move |_, stream| page(stream, "200 OK", "content-type: text/html\r\n", &body));
    let output = run(&fetching(&server), json!({"url": server.url("/")})).await;
    assert_eq!(output.data.as_deref(), Some("caf\u{fffd}\n\ndeep"));
}

fn searching(settings: Value) -> Result<Option<WebSearch>, BadEngine> {
    let environment = |name: &str| (name == "BRAVE_API_KEY").then(|| "from-environment".to_owned());
    WebSearch::new(&serde_json::from_value::<SearchSettings>(settings).unwrap(), environment)
}

/// An engine that remembers what it was asked.
fn search_engine(status: &'static str, answer: Value) -> (Server, Arc<Mutex<String>>) {
    let asked = Arc::new(Mutex::new(String::new()));
    let seen = asked.clone();
    let server = serve(move |head, stream| {
        *seen.lock().unwrap() = head.to_owned();
        page(stream, status, "content-type: application/json\r\n", answer.to_string());
    });
    (server, asked)
}

#[tokio::test]
async fn a_search_gives_results_as_data() {
    let result = |at: u32| json!({"title": format!("Page <b>{at}</b>"), "url": format!("https://example.com/{at}"), "description": "some words"});
    let answer = json!({"web": {"results": [result(1), result(2), result(3)]}});
    let (server, asked) = search_engine("200 OK", answer);
    let tool = searching(json!({"engine": "brave", "url": server.url("/s"), "key": "sesame"}))
        .unwrap()
        .unwrap();
    let output = run(&tool, json!({"query": "some page", "count": 2})).await;
    let data = "1. Page 1\n   https://example.com/1\n   some words\n2. Page 2\n   https://example.com/2\n   some words\n";
    assert_eq!(output, Output::said("2 results from brave; web_fetch reads one").with(data));
    let asked = asked.lock().unwrap();
    assert!(asked.starts_with("GET /s?q=some+page&count=2 "), "{asked}");
    assert!(asked.contains("x-subscription-token: sesame\r\n"), "{asked}");
}

#[tokio::test]
async fn an_engine_that_refuses_is_told_without_the_key() {
    for (status, expected) in [
        ("401 No", "brave refuses the key (401): tell the owner"),
        ("429 Slow", "brave was asked too often (429); try later"),
        ("302 Found", "brave is somewhere else (302): tell the owner to look at `url`"),
        ("200 OK", "what brave answered cannot be read; tell the owner"),
    ] {
        let (server, asked) = search_engine(status, json!({"error": "sesame"}));
        let tool = searching(json!({"engine": "brave", "url": server.url("/"), "key": "sesame"}))
            .unwrap()
            .unwrap();
        assert_eq!(run(&tool, json!({"query": "x"})).await, Output::failed(expected));
        assert!(asked.lock().unwrap().contains("sesame"));
        assert!(!format!("{tool:?}").contains("sesame"));
    }
}

#[tokio::test]
async fn an_engine_that_is_not_there_is_told_without_its_url() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://anna:hunter2@{closed}/");
    let tool = searching(json!({"engine": "searxng", "url": url})).unwrap().unwrap();
    let output = run(&tool, json!({"query": "x"})).await;
    assert_eq!(
        output,
        Output::failed("searxng cannot be reached; try again later, or tell the owner")
    );
}

#[test]
fn without_an_engine_there_is_no_tool() {
    assert!(searching(json!({})).unwrap().is_none());
    assert!(searching(json!({"engine": "brave"})).unwrap().is_some());
    let error = |settings| searching(settings).err().unwrap().to_string();
    assert_eq!(
        error(json!({"engine": "altavista"})),
        "there is no search engine `altavista`; there are `brave`, `tavily`, `searxng`"
    );
    assert_eq!(
        error(json!({"engine": "searxng"})),
        "the search engine `searxng` needs `url` in [tools.search]: where yours is"
    );
    assert_eq!(
        error(json!({"engine": "tavily"})),
        "the search engine `tavily` needs a key; set TAVILY_API_KEY, or `key` in [tools.search]"
    );
    assert_eq!(
        error(json!({"engine": "brave", "key_env": "MINE"})),
        "the search engine `brave` needs a key; set MINE, or `key` in [tools.search]"
    );
    assert_eq!(
        error(json!({"engine": "searxng", "url": "file:///etc"})),
        "the `url` in [tools.search] is not an http or https URL"
    );
}

#[test]
fn what_a_model_is_told_of_the_tools_is_short() {
    let search = searching(json!({"engine": "brave"})).unwrap().unwrap();
    let fetch = WebFetch::new(&WebSettings::default());
    for tool in [&search as &dyn Tool, &fetch] {
        let schema = tool.schema();
        let told = json!({"name": schema.name, "description": schema.description, "parameters": schema.parameters});
        let tokens = Encoding::O200k.count(&told.to_string());
        assert!(tokens.0 <= 90, "{tokens:?}: {told}");
        assert!(tool.only_reads());
    }
}
