//! What the values of a SKILL.md mean, however they were written.
//!
//! `metadata` is a JSON string in nanobot's skills, JSON with comments and trailing commas in
//! OpenClaw's, and a plain mapping in the Agent Skills format. All become one value here.

use serde_json::{Map, Value};

use crate::frontmatter::parse_yaml;

/// Whose part of `metadata` is read: the first of these that is there.
const OWNERS: [&str; 4] = ["louver", "nanobot", "openclaw", "clawdbot"];

/// `metadata` as a value; text is read as JSON or what people take for it.
pub(super) fn parse(value: Value) -> Result<Value, String> {
    match value {
        Value::String(text) if text.trim().is_empty() => Ok(Value::Null),
        Value::String(text) => parse_text(&text),
        value => Ok(value),
    }
}

fn parse_text(text: &str) -> Result<Value, String> {
    let parsed = serde_json::from_str(text)
        .or_else(|_| parse_yaml(&without_comments(text)))
        .map_err(|bad| bad.to_string())?;
    match parsed {
        Value::Object(_) | Value::Null => Ok(parsed),
        _ => Err("it is not a mapping".to_owned()),
    }
}

/// The part that is for an agent like us.
pub(super) fn ours(metadata: &Value) -> Option<&Map<String, Value>> {
    let all = metadata.as_object()?;
    let owned = OWNERS.iter().find_map(|owner| all.get(*owner)?.as_object());
    let plain = || ["requires", "always", "os"].iter().any(|key| all.contains_key(*key));
    owned.or_else(|| plain().then_some(all))
}

/// Whether a flag is set. nanobot takes the word `false` for true; nobody means that.
pub(super) fn is_set(value: &Value) -> bool {
    match value {
        Value::Bool(set) => *set,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(word) => {
            !matches!(word.trim().to_ascii_lowercase().as_str(), "" | "false" | "no" | "off" | "0")
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// A word or a list of words as a list.
pub(super) fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(scalar).collect(),
        value => scalar(value).into_iter().collect(),
    }
}

/// A value that fits on a line, as it would be written there.
pub(super) fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(set) => set.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// `allowed-tools`: a list, or words between commas or spaces. `Bash(git add:*)` is one word.
pub(super) fn tools(value: &Value) -> Vec<String> {
    let Value::String(text) = value else { return words(value) };
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// JSON5's `//` and `/* */` taken out. Neither is one inside quotes, nor `//` in a word.
fn without_comments(text: &str) -> String {
    let in_a_word = |c: char| !c.is_whitespace() && !"{}[],'\"".contains(c);
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        if from.starts_with("/*") {
            rest = from.find("*/").map_or("", |end| &from[end + 2..]);
        } else if from.starts_with("//") && !kept.ends_with(in_a_word) {
            rest = &from[from.find('\n').unwrap_or(from.len())..];
        } else {
            let (quoted, after) = from.split_at(quoted_length(from));
            kept.push_str(quoted);
            rest = after;
        }
    }
    kept + rest
}

/// How long the string at the beginning is; a slash is as long as itself.
fn quoted_length(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, quote @ ('"' | '\''))) = chars.next() else { return 1 };
    let mut escaped = false;
    let end = chars.find(|(_, c)| {
        let ends = *c == quote && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metadata_may_be_json_or_what_people_take_for_it() {
        let wanted = json!({"nanobot": {"emoji": "x", "url": "http://a//b", "n": [1]}});
        for text in [
            r#"{"nanobot": {"emoji": "x", "url": "http://a//b", "n": [1]}}"#,
            r#"{"nanobot": {"emoji": "x", "url": "http://a//b", "n": [1,],},}"#,
            r#"{nanobot: {emoji: 'x', url: http://a//b, n: [1]}}"#,
            "{\"nanobot\": { // ours, mostly\n\"emoji\": \"x\", /* \" */ \"url\": \"http://a//b\", \"n\": [1]}}",
        ] {
            assert_eq!(parse(json!(text)).unwrap(), wanted, "{text}");
        }
        assert_eq!(parse(wanted.clone()).unwrap(), wanted);
        assert_eq!(parse(json!("  ")).unwrap(), Value::Null);
    }

    #[test]
    fn metadata_that_is_no_mapping_is_an_error() {
        for text in ["{broken", "just words", "[1, 2]", "\"", "{\"a\": \"\\"] {
            assert!(parse(json!(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_owner_that_is_there_is_read() {
        let both = json!({"openclaw": {"a": 1}, "nanobot": {"a": 2}});
        assert_eq!(ours(&both).unwrap()["a"], 2);
        assert_eq!(ours(&json!({"clawdbot": {"a": 3}})).unwrap()["a"], 3);
        assert_eq!(ours(&json!({"always": true, "x": 1})).unwrap()["x"], 1);
        assert_eq!(ours(&json!({"author": "anna"})), None);
        assert_eq!(ours(&json!("text")), None);
    }

    #[test]
    fn false_is_false_however_it_is_written() {
        for unset in [json!(false), json!("false"), json!("No"), json!(""), json!(0), json!(null)] {
            assert!(!is_set(&unset), "{unset}");
        }
        for set in [json!(true), json!("true"), json!("yes"), json!(1), json!("always")] {
            assert!(is_set(&set), "{set}");
        }
    }

    #[test]
    fn tools_are_split_outside_of_parentheses() {
        let wanted = ["Bash(git add:*)", "Read", "Write"];
        assert_eq!(tools(&json!("Bash(git add:*) Read Write")), wanted);
        assert_eq!(tools(&json!("Bash(git add:*), Read,Write")), wanted);
        assert_eq!(tools(&json!(["Bash(git add:*)", "Read", "Write"])), wanted);
    }
}
