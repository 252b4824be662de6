//! Ids and names in the form that strict servers take.
//!
//! A conversation that began on one provider goes on on another, and one model's odd call must not
//! make every later request invalid. What is changed is changed the same way every time, so that
//! what was sent is what is sent again.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::count::hash;

/// Which ids of calls a server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ids {
    /// Any. Kimi's own (`functions.name:0`) are part of what its model reads.
    #[default]
    Any,
    /// Letters, digits, `_` and `-`, at most forty, as OpenAI and Anthropic check them.
    Plain,
    /// Nine letters and digits, as Mistral checks them.
    Nine,
}

/// The longest id that OpenAI takes.
const LONGEST_ID: usize = 40;
/// The longest name of a tool that anyone takes.
const LONGEST_NAME: usize = 64;

impl Ids {
    /// An id as the server takes it: the same for the same id.
    pub fn of<'a>(self, id: &'a str) -> Cow<'a, str> {
        let fine = match self {
            Ids::Any => true,
            Ids::Plain => is_plain(id, LONGEST_ID),
            Ids::Nine => id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        };
        match self {
            _ if fine => Cow::Borrowed(id),
            Ids::Nine => Cow::Owned(letters(id, 9)),
            _ => Cow::Owned(format!("call_{}", letters(id, 20))),
        }
    }
}

/// A tool's name, as every server takes it, where it is offered and where it is called. A model can make up names
/// that none would.
pub fn name(name: &str) -> Cow<'_, str> {
    if is_plain(name, LONGEST_NAME) {
        return Cow::Borrowed(name);
    }
    let plain = |char: char| if is_plain_char(char) { char } else { '_' };
    let name: String = name.chars().map(plain).take(LONGEST_NAME).collect();
    Cow::Owned(if name.is_empty() { "unknown".into() } else { name })
}

/// What a tool takes, as every server takes it: a schema of an object, also where there is none.
pub fn parameters(schema: &Value) -> Cow<'_, Value> {
    match schema {
        Value::Object(_) => Cow::Borrowed(schema),
        _ => Cow::Owned(json!({"type": "object", "properties": {}})),
    }
}

fn is_plain(text: &str, longest: usize) -> bool {
    !text.is_empty() && text.len() <= longest && text.chars().all(is_plain_char)
}

fn is_plain_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || char == '-'
}

/// So many letters and digits that stand for a text.
fn letters(text: &str, many: usize) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut rest = hash(text);
    let mut next = || {
        let digit = DIGITS[(rest % 36) as usize];
        rest /= 36;
        char::from(digit)
    };
    (0..many).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{Prompt, tool_text};
    use crate::render::{anthropic, openai};
    use crate::snapshot::ToolSchema;

    #[test]
    fn an_id_that_a_server_would_refuse_becomes_one_it_takes() {
        assert_eq!(Ids::Plain.of("call_1"), "call_1");
        assert_eq!(Ids::Any.of("functions.read:0"), "functions.read:0");
        let changed = Ids::Plain.of("functions.read:0").into_owned();
        assert!(is_plain(&changed, LONGEST_ID));
        assert_eq!(Ids::Plain.of("functions.read:0"), changed);
        assert_ne!(Ids::Plain.of("functions.read:1"), changed);
        assert_eq!(Ids::Nine.of("call_1").len(), 9);
        assert_eq!(Ids::Nine.of("abcdef123"), "abcdef123");
    }

    #[test]
    fn a_tool_is_offered_as_it_is_called_and_always_takes_an_object() {
        let tool = ToolSchema {
            name: "my tool.v2".into(),
            description: String::new(),
            parameters: Value::Null,
        };
        let empty = json!({"type": "object", "properties": {}});
        let sent = openai::tool(&tool);
        assert_eq!(sent["function"]["name"], "my_tool_v2");
        assert_eq!(sent["function"]["parameters"], empty);
        let prompt = Prompt {
            tools: [tool.clone()].into(),
            system: "".into(),
            places: Vec::new(),
            messages: Vec::new(),
            history: 0,
        };
        let sent = anthropic::request("claude", &prompt, 9);
        assert_eq!(sent["tools"][0]["name"], "my_tool_v2");
        assert_eq!(sent["tools"][0]["input_schema"], empty);
        assert!(tool_text(&tool).contains("my_tool_v2"), "what is counted is what goes out");
    }

    #[test]
    fn a_made_up_name_is_one_that_servers_take() {
        assert_eq!(name("read_file"), "read_file");
        assert_eq!(name("functions.read file"), "functions_read_file");
        assert_eq!(name(""), "unknown");
        assert_eq!(name(&"x".repeat(99)).len(), 64);
    }
}
