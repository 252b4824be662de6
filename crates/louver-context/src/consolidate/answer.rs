//! Reading what a model answered, in whatever wrapping it came.
//!
//! Models put the same two texts into a tool call, into JSON in the reply, into JSON in a string
//! in JSON, into code fences. All of these are accepted. What is not there, empty or cut off is
//! an error, because the messages it stands for are about to leave the context.

use serde_json::{Map, Value};

use super::request::SAVE_MEMORY;
use crate::message::Message;

/// What a model made of a part of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What happened. It begins with `[YYYY-MM-DD HH:MM]` and has no empty line in it.
    pub history_entry: String,
    /// The whole long-term memory as it should be, when it should change.
    pub memory_update: Option<String>,
}

/// How a reply ended, as the provider says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    Whole,
    /// At the limit on its length, or by an error.
    CutOff,
}

/// Why an answer cannot be used. None of them changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadAnswer {
    /// There is no call of the tool and no text.
    #[error("the model answered nothing")]
    Empty,
    /// It stops in the middle.
    #[error("the model's answer was cut off")]
    CutOff,
    /// It is not the JSON that was asked for.
    #[error("the model's answer is not a call of `save_memory` and has no JSON in it")]
    NotJson,
    /// One of its fields is no text.
    #[error("the model's answer has something else than text in its fields")]
    NotText,
    /// It has no history entry, or an empty one.
    #[error("the model's answer has no `history_entry`")]
    NoEntry,
}

/// The answer in a reply: the call of `save_memory`, or else JSON in the text. `newest` is the time
/// of the newest message it stands for.
pub fn read_reply(reply: &Message, ended: Ended, newest: &str) -> Result<Answer, BadAnswer> {
    if ended == Ended::CutOff {
        return Err(BadAnswer::CutOff);
    }
    let text = match reply.calls.iter().find(|call| &*call.name == SAVE_MEMORY) {
        Some(call) => call.arguments.to_string(),
        None => reply.texts().map(|text| &**text).collect::<Vec<_>>().join("\n"),
    };
    read_answer(&Value::String(text), newest)
}

/// The answer in a call's arguments or a reply's text. An entry that does not begin with a time
/// gets `newest`.
pub fn read_answer(answer: &Value, newest: &str) -> Result<Answer, BadAnswer> {
    let fields = fields(answer, 4)?;
    let entry = text(&fields, "history_entry")?.ok_or(BadAnswer::NoEntry)?;
    // Empty lines part the entries of HISTORY.md, so that one entry must not have any.
    let said: Vec<&str> = entry.lines().filter(|line| !line.trim().is_empty()).collect();
    let said = said.join("\n");
    let history_entry = match begins_with_time(said.trim()) {
        true => said.trim().to_owned(),
        false => format!("[{newest}] {}", said.trim()),
    };
    let memory_update = text(&fields, "memory_update")?;
    let memory_update = memory_update.map(|text| unfenced(&text).trim().to_owned());
    Ok(Answer { history_entry, memory_update: memory_update.filter(|text| !text.is_empty()) })
}

/// Whether a text begins with `[YYYY-MM-DD HH:MM]`.
fn begins_with_time(text: &str) -> bool {
    let rest = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    rest.is_some_and(|(time, _)| is_time(time))
}

/// Whether a text is `YYYY-MM-DD HH:MM`.
pub(super) fn is_time(text: &str) -> bool {
    let shape = b"0000-00-00 00:00";
    let fits = |(byte, shape): (u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        _ => byte == *shape,
    };
    text.len() == shape.len() && text.bytes().zip(shape).all(fits)
}

/// The object that holds the two texts.
fn fields(answer: &Value, depth: u8) -> Result<Map<String, Value>, BadAnswer> {
    if depth == 0 {
        return Err(BadAnswer::NotJson);
    }
    match answer {
        Value::Object(fields) if has_them(fields) => Ok(fields.clone()),
        Value::Object(fields) => {
            let wrapped = ["arguments", "parameters", "input", "function", SAVE_MEMORY];
            let inner = wrapped.iter().find_map(|key| fields.get(*key));
            inner.map_or(Err(BadAnswer::NoEntry), |inner| self::fields(inner, depth - 1))
        }
        Value::Array(items) => {
            let found = items.iter().find_map(|item| self::fields(item, depth - 1).ok());
            found.ok_or(BadAnswer::NoEntry)
        }
        Value::String(text) if text.trim().is_empty() => Err(BadAnswer::Empty),
        Value::String(text) => in_text(text, depth),
        _ => Err(BadAnswer::NotJson),
    }
}

fn has_them(fields: &Map<String, Value>) -> bool {
    fields.contains_key("history_entry") || fields.contains_key("memory_update")
}

/// The object in a text: the text itself is JSON, in a fence or not, or JSON stands in it.
fn in_text(text: &str, depth: u8) -> Result<Map<String, Value>, BadAnswer> {
    let whole = unfenced(text.trim());
    if let Ok(value) = serde_json::from_str::<Value>(whole) {
        return fields(&value, depth - 1);
    }
    let mended = with_escapes(whole);
    objects(whole).or_else(|error| objects(&mended).map_err(|_| error))
}

/// The most places at which an object is looked for, so that a hostile reply costs little.
const MOST_PLACES: usize = 1000;

/// The first object in a text that holds what was asked for.
fn objects(text: &str) -> Result<Map<String, Value>, BadAnswer> {
    let mut why = BadAnswer::NotJson;
    let mut past = 0;
    for (at, _) in text.match_indices('{').take(MOST_PLACES) {
        if at < past {
            continue;
        }
        let mut stream = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => match fields(&value, 2) {
                Ok(fields) => return Ok(fields),
                Err(_) => past = at + stream.byte_offset(),
            },
            Some(Err(error)) if error.is_eof() => why = BadAnswer::CutOff,
            _ => {}
        }
    }
    Err(why)
}

/// The text with line ends inside its strings escaped, which small models forget.
fn with_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut inside, mut escaped) = (false, false);
    for c in text.chars() {
        match c {
            '\n' if inside => out.push_str("\\n"),
            '\t' if inside => out.push_str("\\t"),
            '\r' if inside => {}
            c => out.push(c),
        }
        inside ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    out
}

/// The text without a code fence that is around all of it.
fn unfenced(text: &str) -> &str {
    let bare = text.trim();
    let inner = bare.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    match inner.and_then(|inner| inner.split_once('\n')) {
        Some((language, inner))
            if !inner.contains("```") && !language.trim().contains(char::is_whitespace) =>
        {
            inner
        }
        _ => text,
    }
}

/// The text of a field. Nothing at all is nothing; a number or a list is not what was asked for.
fn text(fields: &Map<String, Value>, name: &str) -> Result<Option<String>, BadAnswer> {
    let text = match fields.get(name) {
        Some(Value::String(text)) => text.trim().to_owned(),
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(items)) if items.is_empty() => return Ok(None),
        Some(Value::Object(fields)) if fields.is_empty() => return Ok(None),
        Some(_) => return Err(BadAnswer::NotText),
    };
    Ok((!text.is_empty()).then_some(text))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::message::{Role, ToolCall};

    const NEWEST: &str = "2026-03-01 10:59";

    fn read(answer: Value) -> Result<Answer, BadAnswer> {
        read_answer(&answer, NEWEST)
    }

    fn wanted() -> Answer {
        Answer {
            history_entry: "[2026-03-01 10:00] Tea was bought.".into(),
            memory_update: Some("# Memory\n- tea".into()),
        }
    }

    #[test]
    fn the_same_answer_is_read_in_every_wrapping() {
        let object = json!({"history_entry": "[2026-03-01 10:00] Tea was bought.",
                            "memory_update": "# Memory\n- tea\n"});
        let plain = object.to_string();
        let pretty = serde_json::to_string_pretty(&object).unwrap();
        let forms = [
            object.clone(),
            json!(plain),
            json!(json!(plain).to_string()),
            json!(format!("```json\n{pretty}\n```")),
            json!(format!("```\n{plain}\n```\n")),
            json!(format!(
                "<think>{{\"a\": 1}} or {{so}}</think>Here it is:\n```json\n{pretty}\n```\nDone."
            )),
            json!({"name": "save_memory", "arguments": plain}),
            json!({"function": {"name": "save_memory", "arguments": object}}),
            json!([object]),
            json!({"save_memory": object}),
            json!(plain.replace("\\n", "\n")),
        ];
        for form in forms {
            assert_eq!(read(form.clone()), Ok(wanted()), "{form}");
        }
    }

    #[test]
    fn a_call_goes_before_text_and_a_reply_that_was_cut_off_is_not_read() {
        let mut reply = Message::text(Role::Assistant, "I saved it.");
        let arguments: Arc<str> = json!({"history_entry": "x"}).to_string().into();
        let extra = Default::default();
        let call = ToolCall { id: "1".into(), name: SAVE_MEMORY.into(), arguments, extra };
        reply.calls.push(call);
        let entry = read_reply(&reply, Ended::Whole, NEWEST).unwrap().history_entry;
        assert_eq!(entry, "[2026-03-01 10:59] x");
        assert_eq!(read_reply(&reply, Ended::CutOff, NEWEST), Err(BadAnswer::CutOff));
        reply.calls.clear();
        assert_eq!(read_reply(&reply, Ended::Whole, NEWEST), Err(BadAnswer::NotJson));
        let text = Message::text(Role::Assistant, "{\"history_entry\": \"x\"}");
        assert!(read_reply(&text, Ended::Whole, NEWEST).is_ok());
    }

    #[test]
    fn nothing_is_nothing() {
        for nothing in
            [json!(null), json!(""), json!(" \n"), json!({}), json!([]), json!("```\n```")]
        {
            let answer = read(json!({"history_entry": "a", "memory_update": nothing})).unwrap();
            assert_eq!(answer.memory_update, None, "{nothing}");
        }
    }

    #[test]
    fn empty_truncated_and_missing_answers_are_errors() {
        use BadAnswer::{CutOff, Empty, NoEntry, NotJson, NotText};
        let cases = [
            (json!(""), Empty),
            (json!(" \n "), Empty),
            (json!(null), NotJson),
            (json!(true), NotJson),
            (json!("I have nothing to say."), NotJson),
            (json!({}), NoEntry),
            (json!({"memory_update": "x"}), NoEntry),
            (json!({"history_entry": " ", "memory_update": "x"}), NoEntry),
            (json!({"history_entry": null}), NoEntry),
            (json!({"history_entry": 17, "memory_update": ["x"]}), NotText),
            (json!({"history_entry": {"a": 1}}), NotText),
            (json!({"history_entry": "x", "memory_update": ["b", 2]}), NotText),
            (json!({"history_entry": "x", "memory_update": true}), NotText),
            (json!("{\"history_entry\": \"Tea was bou"), CutOff),
            (json!("```json\n{\"history_entry\": \"x\", \"memory_update\": \"- te"), CutOff),
        ];
        for (answer, why) in cases {
            assert_eq!(read(answer.clone()), Err(why), "{answer}");
        }
    }

    #[test]
    fn an_entry_begins_with_a_time_and_is_one_paragraph() {
        let entry = |text: &str| read(json!({"history_entry": text})).unwrap().history_entry;
        assert_eq!(entry("[2026-03-01 10:00] a\n\n\n b\n"), "[2026-03-01 10:00] a\n b");
        assert_eq!(entry("[2026-03-01] a"), "[2026-03-01 10:59] [2026-03-01] a");
        assert_eq!(entry("\n[x] a"), "[2026-03-01 10:59] [x] a");
    }

    proptest! {
        #[test]
        fn reading_never_panics_and_an_entry_always_has_a_time(text in "[\\PC\n\r`{}\\[\\]\",:\\\\]{0,60}|\\PC*") {
            for text in [text.clone(), format!("{{\"history_entry\": \"{text}\"}}"), format!("```{text}```")] {
                if let Ok(answer) = read(json!(text)) {
                    prop_assert!(begins_with_time(&answer.history_entry));
                    prop_assert!(!answer.history_entry.contains("\n\n"));
                }
            }
        }

        #[test]
        fn what_was_written_as_json_is_read_whole(entry in "\\PC{1,40}", update in "\\PC{0,40}") {
            let answer = json!({"history_entry": format!("x{entry}x"), "memory_update": format!("x{update}x")});
            let (plain, text) = (read(answer.clone()), read(json!(format!("so: {answer}"))));
            prop_assert_eq!(&plain, &text);
            prop_assert_eq!(plain.unwrap().memory_update, Some(format!("x{update}x")));
        }
    }
}
