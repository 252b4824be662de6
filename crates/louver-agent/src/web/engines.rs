//! Search engines: what each is asked, and how its answer is read.
//!
//! An engine is two pure functions and a line in `ENGINES`; sending is done once, by the tool.

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use url::Url;

use super::readable::without_tags;

/// The `[tools.search]` table. Only the person's own settings may have it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSettings {
    /// The engine: `brave`, `tavily` or `searxng`. Without one there is no searching.
    pub engine: Option<String>,
    /// Where the engine is. SearXNG is one's own and needs it; it may be on this machine.
    pub url: Option<String>,
    /// Its key.
    #[serde(deserialize_with = "secret")]
    pub key: Option<SecretString>,
    /// The variable of the environment that holds its key. Default: the engine's usual one.
    pub key_env: Option<String>,
}

fn secret<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SecretString>, D::Error> {
    Ok(Option::<String>::deserialize(from)?.map(SecretString::from))
}

/// A search engine.
#[derive(Debug)]
pub struct Engine {
    /// What settings call it.
    pub name: &'static str,
    /// Where it is, unless it is one's own.
    pub url: Option<&'static str>,
    /// The variable its key is usually in, if it needs one.
    pub key_env: Option<&'static str>,
    /// What it is asked.
    pub request: fn(&Url, &Question<'_>, Option<&SecretString>) -> Request,
    /// Where its answer has the results, and what it calls their parts.
    pub results: Results,
}

/// The table of engines.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "brave",
        url: Some("https://api.search.brave.com/res/v1/web/search"),
        key_env: Some("BRAVE_API_KEY"),
        request: brave,
        results: Results { list: "/web/results", snippet: "description" },
    },
    Engine {
        name: "tavily",
        url: Some("https://api.tavily.com/search"),
        key_env: Some("TAVILY_API_KEY"),
        request: tavily,
        results: Results { list: "/results", snippet: "content" },
    },
    Engine {
        name: "searxng",
        url: None,
        key_env: None,
        request: searxng,
        results: Results { list: "/results", snippet: "content" },
    },
];

/// The engine of a name.
pub fn engine(name: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.name == name)
}

/// What a model wants to find.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The words.
    pub query: &'a str,
    /// How many results.
    pub count: usize,
}

/// A request before it is sent.
#[derive(Debug, Clone)]
pub struct Request {
    /// Where to.
    pub url: Url,
    /// The header that holds the key.
    pub key: Option<(&'static str, SecretString)>,
    /// What is posted; without it the request is a GET.
    pub body: Option<Value>,
}

/// Where an answer has its results.
#[derive(Debug, Clone, Copy)]
pub struct Results {
    list: &'static str,
    snippet: &'static str,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The page's title.
    pub title: String,
    /// Where it is.
    pub url: String,
    /// A few of its words.
    pub snippet: String,
}

impl Results {
    /// Reads an answer; none when it is not this engine's. A result without an address is left out.
    pub fn read(&self, answer: &Value) -> Option<Vec<Hit>> {
        let Some(list) = answer.pointer(self.list) else {
            // Brave leaves the list out when it is empty.
            return answer.get("query").map(|_| Vec::new());
        };
        let text = |result: &Value, name: &str| {
            result.get(name).and_then(Value::as_str).map(without_tags).unwrap_or_default()
        };
        let hit = |result: &Value| Hit {
            title: text(result, "title"),
            url: result.get("url").and_then(Value::as_str).unwrap_or_default().trim().to_owned(),
            snippet: text(result, self.snippet),
        };
        Some(list.as_array()?.iter().map(hit).filter(|hit| !hit.url.is_empty()).collect())
    }
}

/// <https://api-dashboard.search.brave.com/app/documentation/web-search/get-started>
fn brave(url: &Url, question: &Question<'_>, key: Option<&SecretString>) -> Request {
    let mut url = url.clone();
    url.query_pairs_mut()
        .append_pair("q", question.query)
        .append_pair("count", &question.count.to_string());
    Request { url, key: key.map(|key| ("x-subscription-token", key.clone())), body: None }
}

/// <https://docs.tavily.com/documentation/api-reference/endpoint/search>
fn tavily(url: &Url, question: &Question<'_>, key: Option<&SecretString>) -> Request {
    let bearer = |key: &SecretString| SecretString::from(format!("Bearer {}", key.expose_secret()));
    let body = json!({"query": question.query, "max_results": question.count});
    let key = key.map(|key| ("authorization", bearer(key)));
    Request { url: url.clone(), key, body: Some(body) }
}

/// <https://docs.searxng.org/dev/search_api.html>
fn searxng(url: &Url, question: &Question<'_>, key: Option<&SecretString>) -> Request {
    let mut url = url.clone();
    if !url.path().ends_with("/search") {
        url.set_path(&format!("{}/search", url.path().trim_end_matches('/')));
    }
    url.query_pairs_mut().append_pair("q", question.query).append_pair("format", "json");
    let bearer = |key: &SecretString| SecretString::from(format!("Bearer {}", key.expose_secret()));
    // SearXNG has no keys; one that stands behind a proxy may.
    Request { url, key: key.map(|key| ("authorization", bearer(key))), body: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: &str, base: Option<&str>) -> Request {
        let engine = engine(name).unwrap();
        let base = base.or(engine.url).unwrap().parse().unwrap();
        let question = Question { query: "rust & \"c++\"", count: 3 };
        (engine.request)(&base, &question, Some(&SecretString::from("sesame")))
    }

    fn read(name: &str, answer: Value) -> Option<Vec<Hit>> {
        engine(name).unwrap().results.read(&answer)
    }

    fn key(request: &Request) -> Option<(&str, &str)> {
        request.key.as_ref().map(|(name, key)| (*name, key.expose_secret()))
    }

    #[test]
    fn brave_is_asked_with_its_own_header() {
        let request = asked("brave", None);
        let expected =
            "https://api.search.brave.com/res/v1/web/search?q=rust+%26+%22c%2B%2B%22&count=3";
        assert_eq!(request.url.as_str(), expected);
        assert_eq!(key(&request), Some(("x-subscription-token", "sesame")));
        assert_eq!(request.body, None);
    }

    #[test]
    fn tavily_is_posted_to() {
        let request = asked("tavily", None);
        assert_eq!(request.url.as_str(), "https://api.tavily.com/search");
        assert_eq!(key(&request), Some(("authorization", "Bearer sesame")));
        assert_eq!(request.body, Some(json!({"query": "rust & \"c++\"", "max_results": 3})));
    }

    #[test]
    fn searxng_is_asked_where_it_is() {
        let expected = "http://127.0.0.1:8888/s/search?q=rust+%26+%22c%2B%2B%22&format=json";
        for base in [
            "http://127.0.0.1:8888/s",
            "http://127.0.0.1:8888/s/",
            "http://127.0.0.1:8888/s/search",
        ] {
            assert_eq!(asked("searxng", Some(base)).url.as_str(), expected);
        }
    }

    #[test]
    fn answers_are_read_and_their_markup_goes() {
        let hit = |snippet: &str| Hit {
            title: "Rust".into(),
            url: "https://www.rust-lang.org/".into(),
            snippet: snippet.into(),
        };
        let result = |name: &str, text: &str| json!({"title": "Rust", "url": "https://www.rust-lang.org/", name: text});
        let brave = json!({"web": {"results": [result("description", "a <strong>language</strong> &amp; more"), {"title": "no address"}]}});
        assert_eq!(read("brave", brave).unwrap(), [hit("a language & more")]);
        let tavily = json!({"results": [result("content", "a language")]});
        assert_eq!(read("tavily", tavily.clone()).unwrap(), [hit("a language")]);
        assert_eq!(read("searxng", tavily).unwrap(), [hit("a language")]);
    }

    #[test]
    fn an_answer_without_results_is_not_an_answer_that_cannot_be_read() {
        assert_eq!(read("brave", json!({"type": "search", "query": {}})), Some(vec![]));
        assert_eq!(read("searxng", json!({"results": []})), Some(vec![]));
        assert_eq!(read("tavily", json!({"detail": "no"})), None);
        assert_eq!(read("tavily", json!({"results": "none"})), None);
    }

    #[test]
    fn a_key_is_never_shown() {
        assert!(!format!("{:?}", asked("brave", None)).contains("sesame"));
        let settings = json!({"engine": "brave", "key": "sesame"});
        let settings: SearchSettings = serde_json::from_value(settings).unwrap();
        assert!(!format!("{settings:?}").contains("sesame"));
    }
}
