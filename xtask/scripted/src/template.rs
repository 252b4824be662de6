//! `{{name}}` in a script's texts: what the request holds.

use serde_json::Value;

use crate::seen::Seen;

/// What a template can name.
pub(crate) const NAMES: &[&str] = &["last_user", "last_tool", "number", "model"];

/// The first name in a text that stands for nothing.
pub(crate) fn unknown(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}")?;
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        if is_name && !NAMES.contains(&name) {
            return Some(name.to_owned());
        }
        rest = after;
    }
    None
}

/// A text with its names replaced. What replaces them is not looked at again.
pub(crate) fn fill(text: &str, seen: &Seen, number: usize) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        match after.split_once("}}") {
            Some((name, after)) if NAMES.contains(&name) => {
                filled.push_str(&value(name, seen, number));
                rest = after;
            }
            _ => {
                filled.push_str("{{");
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

/// The same in every string of a value.
pub(crate) fn fill_value(value: &Value, seen: &Seen, number: usize) -> Value {
    match value {
        Value::String(text) => Value::String(fill(text, seen, number)),
        Value::Array(items) => items.iter().map(|item| fill_value(item, seen, number)).collect(),
        Value::Object(fields) => {
            let filled = fields.iter().map(|(k, v)| (k.clone(), fill_value(v, seen, number)));
            Value::Object(filled.collect())
        }
        other => other.clone(),
    }
}

fn value(name: &str, seen: &Seen, number: usize) -> String {
    match name {
        "last_user" => seen.last_user.clone(),
        "last_tool" => seen.last_tool.clone(),
        "number" => number.to_string(),
        _ => seen.model.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        let seen = Seen { last_user: "{{model}}".into(), model: "m".into(), ..Seen::default() };
        let text = fill("you said {{last_user}} to {{model}} {{as}} {{", &seen, 7);
        assert_eq!(text, "you said {{model}} to m {{as}} {{");
    }
}
