//! Whether a request is one that the provider would take, by its published rules.
//!
//! Written from the providers' references and from what their servers answer, not from louver's code:
//! a mistake there must not be repeated here.

pub(crate) mod anthropic;
pub(crate) mod openai;

use serde::Serialize;
use serde_json::{Map, Value};

/// A rule that a request breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Which request, counted from one.
    pub request: usize,
    /// The rule's name.
    pub rule: &'static str,
    /// Where, and how it is broken.
    pub words: String,
}

/// What was found in one request.
#[derive(Debug, Default)]
pub(crate) struct Found(Vec<(&'static str, String)>);

impl Found {
    pub(crate) fn add(&mut self, rule: &'static str, words: impl Into<String>) {
        self.0.push((rule, words.into()));
    }

    /// The rule is broken unless this holds. Says whether it does.
    pub(crate) fn hold(&mut self, holds: bool, rule: &'static str, words: &str) -> bool {
        if !holds {
            self.add(rule, words);
        }
        holds
    }

    pub(crate) fn violations(self, request: usize) -> Vec<Violation> {
        self.0.into_iter().map(|(rule, words)| Violation { request, rule, words }).collect()
    }

    /// Fields that are not in a list are not let in.
    fn fields(&mut self, at: &str, value: &Value, known: &[&[&str]], extra: &[String]) {
        for key in value.as_object().into_iter().flat_map(Map::keys) {
            let published = known.iter().any(|known| known.contains(&key.as_str()));
            if !published && !extra.contains(key) {
                self.add("known-fields", format!("{at}: the field `{key}` is not known"));
            }
        }
    }

    /// A field of a certain type, when it is there.
    fn typed(&mut self, at: &str, value: &Value, key: &str, what: &str, is: fn(&Value) -> bool) {
        if let Some(field) = value.get(key)
            && !is(field)
        {
            self.add("types", format!("{at}: `{key}` must be {what}, not {}", kind(field)));
        }
    }
}

/// A name for the type of a value.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// `^[a-zA-Z0-9_-]{1,64}$`, which both providers want of a tool's name.
fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(is_word)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn is_positive(value: &Value) -> bool {
    value.as_u64().is_some_and(|number| number > 0)
}

/// A schema for a tool's arguments: an object's, with properties that are an object too.
fn check_schema(found: &mut Found, at: &str, schema: &Value) {
    found.hold(
        schema["type"] == "object",
        "tool-schema",
        &format!("{at}: `type` must be `object`"),
    );
    found.typed(at, schema, "properties", "an object", Value::is_object);
    found.typed(at, schema, "required", "a list", Value::is_array);
    for name in schema["required"].as_array().into_iter().flatten() {
        let listed = name.as_str().is_some_and(|name| schema["properties"].get(name).is_some());
        found.hold(listed, "tool-schema", &format!("{at}: {name} is required and not a property"));
    }
}

/// Names that are there more than once.
fn check_names(found: &mut Found, names: &[&str]) {
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            found.add("tool-names", format!("tools: `{name}` is there twice"));
        }
    }
}
