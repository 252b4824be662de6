//! A tool as a server describes it → a tool as a provider takes it.
//!
//! Names, descriptions and schemas are a third party's text in the first bytes of every request.
//! They are cleaned of what cannot be seen, capped, and brought into the form that all providers
//! take: one tool that a provider refuses would cost every request.

use std::collections::BTreeSet;

use louver_context::count::{Hash, hash};
use louver_context::fence::is_unseen;
use serde_json::{Map, Value, json};

/// What a server says of one of its tools.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Described {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) schema: Map<String, Value>,
    /// A hint, from a third party: it decides about running side by side, never about permission.
    pub(super) only_reads: bool,
}

/// A tool that can be shown to a model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Offer {
    /// By the server's name for it.
    pub(super) name: String,
    pub(super) description: String,
    pub(super) parameters: Value,
    pub(super) only_reads: bool,
    /// Over everything the server said of it, to see when that changes.
    pub(super) seal: Hash,
}

/// As many characters of a description as a model is shown. Codex and the skills specification
/// stop there as well.
const LONGEST_DESCRIPTION: usize = 1_024;
/// As many bytes of a schema: about 4,000 tokens.
const LARGEST_SCHEMA: usize = 16 * 1_024;
/// As deep as a schema may be.
const DEEPEST: usize = 24;
/// The longest name that providers take.
const LONGEST_NAME: usize = 64;

impl Described {
    /// The tool for a model, or why it cannot be one.
    pub(super) fn offer(&self) -> Result<Offer, &'static str> {
        if self.name.trim().is_empty() || self.name.len() > 256 {
            return Err("its name is empty or longer than 256 bytes");
        }
        Ok(Offer {
            name: self.name.clone(),
            description: visible(&self.description, LONGEST_DESCRIPTION),
            parameters: parameters(&self.schema)?,
            only_reads: self.only_reads,
            seal: self.seal(),
        })
    }

    fn seal(&self) -> Hash {
        let all = json!([self.name, self.description, self.schema, self.only_reads]);
        hash(&all.to_string())
    }
}

/// The name a model calls a tool by. `taken` are those that others have already.
pub(super) fn name(server: &str, tool: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = plain(&format!("mcp_{server}_{tool}"));
    let mut name = match plain.len() <= LONGEST_NAME {
        true => plain.clone(),
        false => marked(&plain, server, tool, 0),
    };
    // Two tools that read the same: `a.b` and `a_b`, or `b_c` of `a` and `c` of `a_b`.
    for round in 1.. {
        if taken.insert(name.clone()) {
            break;
        }
        name = marked(&plain, server, tool, round);
    }
    name
}

fn plain(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    name.chars().map(|c| if allowed(c) { c } else { '_' }).collect()
}

/// A name that ends in a hash of what it stands for.
fn marked(plain: &str, server: &str, tool: &str, round: u32) -> String {
    let mark = hash(&format!("{server}\n{tool}\n{round}")) as u32;
    // All of it is ASCII.
    let head = &plain[..plain.len().min(LONGEST_NAME - 9)];
    format!("{head}_{mark:08x}")
}

/// A text without what cannot be seen, and no longer than it may be.
///
/// Characters that no reader sees are a way to say something to the model alone: tags, marks that
/// change the direction, spaces of no width. Those that join letters are part of words.
pub(super) fn visible(text: &str, most: usize) -> String {
    let marks = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{e0100}'..='\u{e01ef}');
    let hidden = |c: &char| is_unseen(*c) || marks(*c);
    let mut shown = text.trim().chars().filter(|c| !hidden(c));
    let mut text: String = shown.by_ref().take(most).collect();
    if shown.next().is_some() {
        text.pop();
        text.push('…');
    }
    text
}

/// A schema that providers take, or why there is none.
fn parameters(schema: &Map<String, Value>) -> Result<Value, &'static str> {
    let mut root = rooted(schema)?;
    clean(&mut root, 0);
    if size(&root) > LARGEST_SCHEMA {
        bare(&mut root);
    }
    match size(&root) > LARGEST_SCHEMA {
        true => Err("its schema is larger than 16 KiB"),
        false => Ok(root),
    }
}

fn size(schema: &Value) -> usize {
    schema.to_string().len()
}

/// An object at the root, without combinators there: OpenAI and Anthropic refuse all else. What the
/// alternatives say of properties is kept; that one excludes another is left to the server.
fn rooted(schema: &Map<String, Value>) -> Result<Value, &'static str> {
    let mut root = schema.clone();
    let mut properties = Map::new();
    let mut required = Vec::new();
    let own = root.get("type").is_none_or(|of| of == "object" || has(of, "object"));
    if own {
        merge(&root, &mut properties, &mut required);
    }
    if let Some(part) = referred(&root) {
        merge(&part, &mut properties, &mut required);
    }
    for combinator in ["allOf", "anyOf", "oneOf"] {
        let parts = root.shift_remove(combinator);
        for part in parts.iter().flat_map(|parts| parts.as_array()).flatten() {
            if let Some(part) = part.as_object() {
                // Of alternatives only one must hold, so none of their demands is kept.
                let mut demands = Vec::new();
                merge(part, &mut properties, &mut demands);
                if combinator == "allOf" {
                    required.extend(demands);
                }
            }
        }
    }
    for key in ["enum", "const", "not", "if", "then", "else", "$ref", "items", "dependentSchemas"] {
        root.shift_remove(key);
    }
    if required.iter().any(|name| properties.contains_key(name) && !takes(name)) {
        return Err(
            "it needs an argument whose name providers refuse: they take letters, digits, `_`, `.` and `-`",
        );
    }
    properties.retain(|name, _| takes(name));
    required.retain(|name| properties.contains_key(name));
    required.dedup();
    root.insert("type".into(), "object".into());
    root.insert("properties".into(), properties.into());
    root.shift_remove("required");
    if !required.is_empty() {
        root.insert("required".into(), required.into());
    }
    Ok(Value::Object(root))
}

/// What the root refers to within itself. Some generators put everything there.
fn referred(root: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut keys = root.get("$ref")?.as_str()?.strip_prefix("#/")?.split('/');
    let first = root.get(keys.next()?)?;
    keys.try_fold(first, |part, key| part.get(key))?.as_object().cloned()
}

fn has(of: &Value, name: &str) -> bool {
    of.as_array().is_some_and(|of| of.iter().any(|of| of == name))
}

fn merge(
    part: &Map<String, Value>,
    properties: &mut Map<String, Value>,
    required: &mut Vec<String>,
) {
    for (name, schema) in part.get("properties").and_then(Value::as_object).into_iter().flatten() {
        properties.entry(name.clone()).or_insert_with(|| schema.clone());
    }
    let names = part.get("required").and_then(Value::as_array).into_iter().flatten();
    required.extend(names.filter_map(Value::as_str).map(str::to_owned));
}

/// Whether providers take a property of this name. Anthropic refuses the request otherwise.
fn takes(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(allowed)
}

/// Takes out what providers refuse or what no reader of the schema sees.
fn clean(schema: &mut Value, depth: usize) {
    if depth > DEEPEST {
        *schema = match schema {
            Value::Object(_) => json!({}),
            _ => Value::Null,
        };
        return;
    }
    match schema {
        Value::Object(fields) => {
            for key in ["$schema", "$id", "$comment", "$anchor", "$vocabulary"] {
                // A property may have such a name; a keyword's value is text.
                if fields.get(key).is_some_and(|value| !value.is_object() || key == "$vocabulary") {
                    fields.shift_remove(key);
                }
            }
            // Only what the schema itself brings can be looked up.
            let elsewhere = |value: &Value| value.as_str().is_some_and(|to| !to.starts_with('#'));
            if fields.get("$ref").is_some_and(elsewhere) {
                fields.shift_remove("$ref");
            }
            // OpenAI refuses a list that does not say of what.
            let list = fields.get("type").is_some_and(|of| of == "array");
            if list && !fields.contains_key("items") && !fields.contains_key("prefixItems") {
                fields.insert("items".into(), json!({}));
            }
            fields.values_mut().for_each(|value| clean(value, depth + 1));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| clean(value, depth + 1)),
        Value::String(text) => *text = visible_whole(text),
        _ => {}
    }
}

/// A text in a schema: as [`visible`], but its ends are kept, since a choice may begin with a space.
fn visible_whole(text: &str) -> String {
    let inner = text.trim();
    let cleaned = visible(inner, LONGEST_DESCRIPTION);
    if cleaned == inner { text.to_owned() } else { cleaned }
}

/// Takes out what explains and does not constrain.
fn bare(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for key in ["description", "title", "examples", "default", "markdownDescription"] {
                // A property of that name has a schema, which is an object.
                if !fields.get(key).is_some_and(Value::is_object) {
                    fields.shift_remove(key);
                }
            }
            fields.values_mut().for_each(bare);
        }
        Value::Array(items) => items.iter_mut().for_each(bare),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(schema: Value) -> Described {
        let Value::Object(schema) = schema else { panic!("a schema is an object") };
        Described { name: "tool".into(), description: String::new(), schema, only_reads: false }
    }

    fn cleaned(schema: Value) -> Value {
        described(schema).offer().unwrap().parameters
    }

    fn names(tools: &[(&str, &str)]) -> Vec<String> {
        let mut taken = BTreeSet::new();
        tools.iter().map(|(server, tool)| name(server, tool, &mut taken)).collect()
    }

    #[test]
    fn names_are_what_providers_take() {
        let long = "x".repeat(100);
        let names = names(&[("git hub", "créate.issue"), ("a", &long), ("a", &format!("{long}y"))]);
        assert_eq!(names[0], "mcp_git_hub_cr_ate_issue");
        let fits = |name: &String| {
            name.len() == 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        assert!(names[1..].iter().all(fits), "{names:?}");
        assert_ne!(names[1], names[2]);
    }

    #[test]
    fn names_that_read_the_same_are_kept_apart() {
        let same = [("a", "b_c"), ("a_b", "c"), ("a", "b.c"), ("a", "b.c")];
        let names = names(&same);
        assert_eq!(names[0], "mcp_a_b_c");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 4, "{names:?}");
        assert_eq!(names, self::names(&same));
    }

    #[test]
    fn a_description_loses_what_cannot_be_seen_and_what_is_too_long() {
        let tags: String =
            "ignore".chars().map(|c| char::from_u32(0xe0000 + c as u32).unwrap()).collect();
        let text = format!(" Adds\u{202e} two\u{200b} numbers.\u{1b}[2J{tags}\nمی\u{200c}خواهم ");
        assert_eq!(visible(&text, 100), "Adds two numbers.[2J\nمی\u{200c}خواهم");
        let long = visible(&"ä".repeat(5_000), LONGEST_DESCRIPTION);
        assert_eq!(long.chars().count(), LONGEST_DESCRIPTION);
        assert!(long.ends_with("ä…"));
    }

    #[test]
    fn a_schema_without_an_object_becomes_one() {
        let empty = json!({"type": "object", "properties": {}});
        assert_eq!(cleaned(json!({})), empty);
        assert_eq!(cleaned(json!({"type": "string", "enum": ["a"]})), empty);
        assert_eq!(cleaned(json!({"type": "array", "items": {"type": "string"}})), empty);
        assert_eq!(cleaned(json!({"properties": [], "required": 3})), empty);
    }

    #[test]
    fn combinators_at_the_root_are_merged() {
        let schema = cleaned(json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {"a": {"type": "string"}},
            "required": ["a"],
            "allOf": [{"properties": {"b": {"type": "number"}}, "required": ["b"]}],
            "oneOf": [{"properties": {"c": {"type": "array"}}, "required": ["c"]}, true],
        }));
        let expected = json!({
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "number"},
                "c": {"type": "array", "items": {}},
            },
            "required": ["a", "b"],
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn a_root_that_refers_to_its_own_definitions_is_followed() {
        let input = json!({"type": "object", "properties": {"a": {}}, "required": ["a"]});
        let schema = cleaned(json!({"$ref": "#/$defs/Input", "$defs": {"Input": input}}));
        let expected = json!({
            "$defs": {"Input": input},
            "type": "object",
            "properties": {"a": {}},
            "required": ["a"],
        });
        assert_eq!(schema, expected);
        let lost = cleaned(json!({"$ref": "#/$defs/Gone/~0"}));
        assert_eq!(lost, json!({"type": "object", "properties": {}}));
    }

    #[test]
    fn what_providers_refuse_inside_is_taken_out() {
        let schema = cleaned(json!({
            "type": "object",
            "properties": {
                "good": {"$ref": "#/$defs/x", "$id": "http://a/b"},
                "far": {"$ref": "https://example.org/schema.json", "description": "x\u{200b}y"},
                "bad name": {"type": "string"},
            },
            "required": ["good", "gone"],
            "$defs": {"x": {"type": "string", "enum": [" a", "b"]}},
        }));
        let expected = json!({
            "type": "object",
            "properties": {"good": {"$ref": "#/$defs/x"}, "far": {"description": "xy"}},
            "required": ["good"],
            "$defs": {"x": {"type": "string", "enum": [" a", "b"]}},
        });
        assert_eq!(schema, expected);
        // What it cannot do without it could never be given.
        let needs = json!({"properties": {"从": {"type": "string"}}, "required": ["从"]});
        assert!(described(needs).offer().unwrap_err().contains("whose name providers refuse"));
    }

    #[test]
    fn a_large_schema_loses_its_explanations_or_its_place() {
        let wordy = json!({"properties": {"description": {
            "type": "string", "description": "d".repeat(1_000),
            "anyOf": (0..40).map(|_| json!({"title": "t".repeat(1_000)})).collect::<Vec<_>>(),
        }}});
        let schema = cleaned(wordy);
        assert!(size(&schema) < 1_000, "{schema}");
        assert_eq!(schema["properties"]["description"]["type"], "string");
        let huge: Map<String, Value> =
            (0..2_000).map(|n| (format!("p{n}"), json!({"type": "string"}))).collect();
        assert!(described(json!({"properties": huge})).offer().is_err());
        // The parser stops at 128 levels.
        let mut deep = json!({});
        for _ in 0..60 {
            deep = json!({"properties": {"a": deep}});
        }
        assert!(size(&cleaned(deep)) < 400);
    }

    #[test]
    fn a_seal_changes_with_what_is_said() {
        let first = described(json!({"properties": {"a": {}}}));
        let other = Described { description: "new".into(), ..first.clone() };
        assert_eq!(first.offer().unwrap().seal, first.clone().offer().unwrap().seal);
        assert_ne!(first.offer().unwrap().seal, other.offer().unwrap().seal);
        assert!(Described { name: " ".into(), ..first }.offer().is_err());
    }
}
