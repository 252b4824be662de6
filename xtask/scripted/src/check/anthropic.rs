//! The rules of Anthropic's messages.
//!
//! <https://docs.anthropic.com/en/api/messages>, and the pages on tool use, prompt caching and
//! extended thinking.

use std::collections::HashSet;

use serde_json::Value;

use super::{Found, check_names, check_schema, is_positive, is_tool_name, is_word, kind};
use crate::anthropic::{blocks, signature};

const FIELDS: &[&str] = &[
    "cache_control",
    "container",
    "context_management",
    "inference_geo",
    "max_tokens",
    "mcp_servers",
    "messages",
    "metadata",
    "model",
    "output_config",
    "output_format",
    "service_tier",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
];
/// The blocks of each side, with their fields.
const BLOCKS: &[(&str, &[&str], &[&str])] = &[
    ("text", &["user", "assistant", "system", "result"], &["text", "citations", "cache_control"]),
    ("image", &["user", "result"], &["source", "cache_control"]),
    (
        "document",
        &["user", "result"],
        &["source", "title", "context", "citations", "cache_control"],
    ),
    (
        "search_result",
        &["user", "result"],
        &["source", "title", "content", "citations", "cache_control"],
    ),
    ("tool_result", &["user"], &["tool_use_id", "content", "is_error", "cache_control"]),
    ("tool_use", &["assistant"], &["id", "name", "input", "cache_control", "caller"]),
    ("thinking", &["assistant"], &["thinking", "signature"]),
    ("redacted_thinking", &["assistant"], &["data"]),
];
/// The most marks in a request.
const MARKS: usize = 4;
/// The least a model may think.
const THOUGHT: u64 = 1024;

pub(crate) fn check(headers: &[(String, String)], body: &Value, extra: &[String]) -> Found {
    let mut found = Found::default();
    check_headers(&mut found, headers);
    if !found.hold(body.is_object(), "types", "the body must be a JSON object") {
        return found;
    }
    found.fields("body", body, &[FIELDS], extra);
    check_settings(&mut found, body);
    check_tools(&mut found, body);
    check_system(&mut found, &body["system"]);
    match body["messages"].as_array() {
        Some(messages) if !messages.is_empty() => check_messages(&mut found, body, messages, extra),
        _ => found.add("messages", "messages: at least one message is required"),
    }
    check_marks(&mut found, body);
    found
}

fn check_headers(found: &mut Found, headers: &[(String, String)]) {
    let value = |name: &str| headers.iter().find(|header| header.0 == name).map(|h| h.1.as_str());
    let key = value("x-api-key").is_some_and(|key| !key.is_empty());
    found.hold(key, "key-header", "x-api-key header is required");
    match value("anthropic-version") {
        Some("2023-06-01") => {}
        Some(other) => found.add("version-header", format!("`{other}` is not a valid version")),
        None => found.add("version-header", "anthropic-version: header is required"),
    }
    let json = value("content-type").is_some_and(|kind| kind.starts_with("application/json"));
    found.hold(json, "content-type", "content-type: must be application/json");
}

fn check_settings(found: &mut Found, body: &Value) {
    let model = body["model"].as_str().is_some_and(|model| !model.is_empty());
    found.hold(model, "model", "model: field required");
    let most = is_positive(&body["max_tokens"]);
    found.hold(most, "max-tokens", "max_tokens: a number above zero is required");
    found.typed("body", body, "stream", "a boolean", Value::is_boolean);
    for key in ["temperature", "top_p"] {
        let fits = |number: f64| (0.0..=1.0).contains(&number);
        let holds = body.get(key).is_none_or(|value| value.as_f64().is_some_and(fits));
        found.hold(holds, "types", &format!("`{key}` must be between 0 and 1"));
    }
    check_thinking(found, body);
}

fn check_thinking(found: &mut Found, body: &Value) {
    let thinking = &body["thinking"];
    match thinking["type"].as_str() {
        None if thinking.is_null() => {}
        Some("disabled" | "adaptive") => {}
        Some("enabled") => {
            let budget = thinking["budget_tokens"].as_u64().unwrap_or_default();
            let words = format!("thinking.budget_tokens: must be {THOUGHT} or more");
            found.hold(budget >= THOUGHT, "thinking", &words);
            let below = body["max_tokens"].as_u64().is_none_or(|most| budget < most);
            found.hold(below, "thinking", "`max_tokens` must be greater than the thinking budget");
        }
        _ => found.add("thinking", "thinking.type: must be enabled, disabled or adaptive"),
    }
}

fn check_tools(found: &mut Found, body: &Value) {
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    found.typed("body", body, "tools", "a list", Value::is_array);
    for (i, tool) in tools.iter().enumerate() {
        let at = format!("tools.{i}");
        let name = tool["name"].as_str().unwrap_or_default();
        let words = format!("{at}.name: `{name}` should match '^[a-zA-Z0-9_-]{{1,64}}$'");
        found.hold(is_tool_name(name), "tool-names", &words);
        // A tool with a type of its own is the provider's.
        if tool.get("type").is_none_or(|of| of == "custom") {
            let known: &[&str] =
                &["type", "name", "description", "input_schema", "cache_control", "strict"];
            found.fields(&at, tool, &[known], &[]);
            found.typed(&at, tool, "description", "a string", Value::is_string);
            check_schema(found, &format!("{at}.input_schema"), &tool["input_schema"]);
        }
    }
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    check_names(found, &names);
    if tools.is_empty() {
        let choice = body.get("tool_choice").is_some();
        found.hold(!choice, "tools", "tool_choice may only be specified while providing tools");
    }
}

fn check_system(found: &mut Found, system: &Value) {
    match system {
        Value::Null | Value::String(_) => {}
        Value::Array(blocks) => {
            for (i, block) in blocks.iter().enumerate() {
                check_block(found, &format!("system.{i}"), block, "system");
            }
        }
        other => found.add("types", format!("system: must be text or blocks, not {}", kind(other))),
    }
}

fn check_messages(found: &mut Found, body: &Value, messages: &[Value], extra: &[String]) {
    let mut before: Option<&Value> = None;
    let mut ids = HashSet::new();
    for (i, message) in messages.iter().enumerate() {
        let at = format!("messages.{i}");
        found.fields(&at, message, &[&["role", "content"]], extra);
        check_role(found, &at, before, message);
        check_content(found, &at, message, i + 1 == messages.len());
        check_results(found, &at, before, message);
        for id in uses(message) {
            let new = ids.insert(id.clone());
            found.hold(new, "tool-use", &format!("{at}: `tool_use` ids must be unique: {id}"));
        }
        before = Some(message);
    }
    let open = messages.last().map(uses).unwrap_or_default();
    check_answered(found, "messages", &open);
    check_tools_given(found, body, messages);
    check_thoughts_kept(found, body, messages);
}

fn check_role(found: &mut Found, at: &str, before: Option<&Value>, message: &Value) {
    let role = message["role"].as_str().unwrap_or_default();
    let known = role == "user" || role == "assistant";
    if !found.hold(known, "roles", &format!("{at}: role must be `user` or `assistant`")) {
        return;
    }
    match before {
        None => {
            let words = format!("{at}: first message must use the `user` role");
            found.hold(role == "user", "first-message", &words);
        }
        Some(before) => {
            let words = format!("{at}: roles must alternate, but found two `{role}` in a row");
            found.hold(before["role"] != message["role"], "alternation", &words);
        }
    }
}

fn check_content(found: &mut Found, at: &str, message: &Value, last: bool) {
    let role = message["role"].as_str().unwrap_or_default();
    let content = &message["content"];
    if !content.is_string() && !content.is_array() {
        found
            .add("content", format!("{at}.content: must be text or blocks, not {}", kind(content)));
        return;
    }
    let blocks = blocks(content);
    // Only an answer that the model is to go on with may be empty.
    let may_be_empty = last && role == "assistant";
    let some = !blocks.is_empty() || may_be_empty;
    found.hold(some, "content", &format!("{at}: messages must have non-empty content"));
    for (i, block) in blocks.iter().enumerate() {
        check_block(found, &format!("{at}.content.{i}"), block, role);
    }
}

fn check_block(found: &mut Found, at: &str, block: &Value, side: &str) {
    let of = block["type"].as_str().unwrap_or_default();
    let known = BLOCKS.iter().find(|(name, sides, _)| *name == of && sides.contains(&side));
    let Some((_, _, fields)) = known else {
        found.add("blocks", format!("{at}: a block of type `{of}` does not belong here"));
        return;
    };
    found.fields(at, block, &[&["type"], fields], &[]);
    match of {
        "text" => {
            let said = block["text"].as_str().is_some_and(|text| !text.trim().is_empty());
            let words = format!("{at}: text content blocks must contain non-whitespace text");
            found.hold(said, "empty-text", &words);
        }
        "image" => check_picture(found, at, &block["source"]),
        "tool_use" => check_use(found, at, block),
        "tool_result" => check_result(found, at, block),
        "thinking" => check_thought(found, at, block),
        "redacted_thinking" => found.add(
            "thinking",
            format!("{at}: this server issued no redacted thinking, so it takes none back"),
        ),
        _ => {}
    }
}

fn check_picture(found: &mut Found, at: &str, source: &Value) {
    let kinds = ["image/jpeg", "image/png", "image/gif", "image/webp"];
    let fits = match source["type"].as_str() {
        Some("base64") => {
            let kind = source["media_type"].as_str().is_some_and(|kind| kinds.contains(&kind));
            kind && source["data"].as_str().is_some_and(|data| !data.is_empty())
        }
        Some("url") => source["url"].as_str().is_some_and(|url| url.starts_with("http")),
        Some("file") => source["file_id"].is_string(),
        _ => false,
    };
    found.hold(fits, "pictures", &format!("{at}.source: not a picture that can be read"));
}

fn check_use(found: &mut Found, at: &str, block: &Value) {
    let id = block["id"].as_str().unwrap_or_default();
    let fits = !id.is_empty() && id.bytes().all(is_word);
    let words = format!("{at}.id: `{id}` should match pattern '^[a-zA-Z0-9_-]+$'");
    found.hold(fits, "tool-use", &words);
    let name = block["name"].as_str().unwrap_or_default();
    let words = format!("{at}.name: `{name}` should match '^[a-zA-Z0-9_-]{{1,64}}$'");
    found.hold(is_tool_name(name), "tool-names", &words);
    let input = block["input"].is_object();
    found.hold(input, "tool-use", &format!("{at}.input: should be an object"));
}

fn check_result(found: &mut Found, at: &str, block: &Value) {
    found.hold(block["tool_use_id"].is_string(), "tool-results", &format!("{at}: no tool_use_id"));
    found.typed(at, block, "is_error", "a boolean", Value::is_boolean);
    found.typed(at, block, "content", "text or blocks", |v| v.is_string() || v.is_array());
    for (i, inner) in block["content"].as_array().into_iter().flatten().enumerate() {
        check_block(found, &format!("{at}.content.{i}"), inner, "result");
    }
}

fn check_thought(found: &mut Found, at: &str, block: &Value) {
    let thought = block["thinking"].as_str().unwrap_or_default();
    let same = block["signature"].as_str().is_some_and(|given| given == signature(thought));
    let words =
        format!("{at}: invalid `signature` in `thinking` block: it was not issued for this text");
    found.hold(same, "thinking", &words);
}

/// The calls of a message.
fn uses(message: &Value) -> Vec<String> {
    let blocks = blocks(&message["content"]);
    let uses = blocks.iter().filter(|block| block["type"] == "tool_use");
    uses.map(|block| block["id"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Results come first in the message after the calls, one for each.
fn check_results(found: &mut Found, at: &str, before: Option<&Value>, message: &Value) {
    let mut open = before.map(uses).unwrap_or_default();
    let called = open.clone();
    let mut other_seen = false;
    for (i, block) in blocks(&message["content"]).iter().enumerate() {
        if block["type"] != "tool_result" {
            other_seen = true;
            continue;
        }
        let at = format!("{at}.content.{i}");
        let first = format!("{at}: `tool_result` blocks must come first in the message");
        found.hold(!other_seen, "tool-results", &first);
        let id = block["tool_use_id"].as_str().unwrap_or_default();
        match open.iter().position(|waiting| waiting == id) {
            Some(nth) => drop(open.remove(nth)),
            None if called.iter().any(|call| call == id) => found.add(
                "tool-results",
                format!("{at}: each `tool_use` must have a single result, found more: {id}"),
            ),
            None => found.add(
                "tool-results",
                format!(
                    "{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}; each \
                     must have a `tool_use` block in the previous message"
                ),
            ),
        }
    }
    check_answered(found, at, &open);
}

fn check_answered(found: &mut Found, at: &str, open: &[String]) {
    if !open.is_empty() {
        let words = format!(
            "{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {}",
            open.join(", ")
        );
        found.add("tool-results", words);
    }
}

fn check_tools_given(found: &mut Found, body: &Value, messages: &[Value]) {
    let with_tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let called = messages.iter().any(|message| !uses(message).is_empty());
    let words = "requests which include `tool_use` or `tool_result` blocks must define tools";
    found.hold(with_tools || !called, "tools", words);
}

/// While its calls are being answered, an answer that began with thinking must still begin with it.
fn check_thoughts_kept(found: &mut Found, body: &Value, messages: &[Value]) {
    let thinks = matches!(body["thinking"]["type"].as_str(), Some("enabled"));
    let ends_with_results = messages.last().is_some_and(|message| {
        blocks(&message["content"]).iter().any(|block| block["type"] == "tool_result")
    });
    let answer = messages.iter().rposition(|message| message["role"] == "assistant");
    if let Some(i) = answer.filter(|_| thinks && ends_with_results) {
        let first = blocks(&messages[i]["content"]).into_iter().next().unwrap_or_default();
        let of = first["type"].as_str().unwrap_or_default();
        let thought = of == "thinking" || of == "redacted_thinking";
        let words = format!(
            "messages.{i}.content.0.type: expected `thinking` or `redacted_thinking`, but found \
             `{of}`; when `thinking` is enabled, a final `assistant` message must start with a \
             thinking block"
        );
        found.hold(thought, "thinking", &words);
    }
}

fn check_marks(found: &mut Found, body: &Value) {
    let mut marks = Vec::new();
    collect_marks(body, &mut marks);
    let words = format!("at most {MARKS} blocks with cache_control, found {}", marks.len());
    found.hold(marks.len() <= MARKS, "cache-marks", &words);
    for mark in marks {
        let kind = mark["type"] == "ephemeral";
        let ttl = mark.get("ttl").is_none_or(|ttl| ttl == "5m" || ttl == "1h");
        found.hold(kind && ttl, "cache-marks", &format!("{mark} is not a cache_control"));
    }
}

/// Marks stand on tools and blocks; a field of that name in a call's input or a schema is none.
fn collect_marks<'a>(value: &'a Value, marks: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match key.as_str() {
                    "cache_control" => marks.push(value),
                    "input" | "input_schema" => {}
                    _ => collect_marks(value, marks),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_marks(item, marks)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn headers() -> Vec<(String, String)> {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        vec![
            pair("x-api-key", "(secret)"),
            pair("anthropic-version", "2023-06-01"),
            pair("content-type", "application/json"),
        ]
    }

    fn rules(body: &Value) -> Vec<&'static str> {
        let violations = check(&headers(), body, &[]).violations(1);
        violations.into_iter().map(|violation| violation.rule).collect()
    }

    fn tools() -> Value {
        json!([{"name": "read_file", "input_schema": {"type": "object"}}])
    }

    fn talk(messages: Value) -> Value {
        json!({"model": "m", "max_tokens": 2000, "tools": tools(), "messages": messages})
    }

    fn thought() -> Value {
        json!({"type": "thinking", "thinking": "hm", "signature": signature("hm")})
    }

    fn call(id: &str) -> Value {
        json!({"type": "tool_use", "id": id, "name": "read_file", "input": {}})
    }

    fn result(id: &str) -> Value {
        json!({"type": "tool_result", "tool_use_id": id, "content": "x"})
    }

    fn said(text: &str) -> Value {
        json!({"type": "text", "text": text})
    }

    fn user(blocks: Value) -> Value {
        json!({"role": "user", "content": blocks})
    }

    fn model(blocks: Value) -> Value {
        json!({"role": "assistant", "content": blocks})
    }

    #[test]
    fn a_conversation_with_thinking_and_calls_is_taken() {
        let mut body = talk(json!([
            user(json!("Look")),
            model(json!([thought(), said("I look."), call("a"), call("b")])),
            user(json!([result("b"), result("a"), said("And?")])),
        ]));
        body["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
        body["system"] = json!([{"type": "text", "text": "Be brief.",
            "cache_control": {"type": "ephemeral"}}]);
        assert_eq!(rules(&body), Vec::<&str>::new());
    }

    #[test]
    fn each_rule_finds_what_breaks_it() {
        let hi = || user(json!("hi"));
        let changed = json!({"type": "thinking", "thinking": "Hm", "signature": signature("hm")});
        let calls = |id: &str| model(json!([call(id)]));
        let results = |id: &str| user(json!([result(id)]));
        let mut broken = vec![
            ("messages", talk(json!([]))),
            ("roles", talk(json!([{"role": "system", "content": "hi"}]))),
            ("first-message", talk(json!([model(json!("hi"))]))),
            ("alternation", talk(json!([hi(), hi()]))),
            ("content", talk(json!([user(json!([]))]))),
            ("content", talk(json!([user(json!(null))]))),
            ("empty-text", talk(json!([user(json!(""))]))),
            ("empty-text", talk(json!([user(json!([said(" \n")]))]))),
            ("blocks", talk(json!([user(json!([thought()]))]))),
            ("tool-results", talk(json!([hi(), calls("a")]))),
            ("tool-results", talk(json!([hi(), calls("a"), hi()]))),
            (
                "tool-results",
                talk(json!([hi(), calls("a"), user(json!([said("x"), result("a")]))])),
            ),
            (
                "tool-results",
                talk(json!([hi(), calls("a"), user(json!([result("a"), result("a")]))])),
            ),
            ("tool-results", talk(json!([results("a")]))),
            ("tool-use", talk(json!([hi(), calls("a"), results("a"), calls("a"), results("a")]))),
            ("tool-use", talk(json!([hi(), calls("a b"), results("a b")]))),
            ("thinking", talk(json!([hi(), model(json!([changed, said("x")])), hi()]))),
            ("known-fields", talk(json!([{"role": "user", "content": "x", "name": "anna"}]))),
        ];
        let mark = || json!({"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}});
        let settings = [
            ("max-tokens", json!({"max_tokens": null})),
            ("model", json!({"model": ""})),
            ("thinking", json!({"thinking": {"type": "enabled", "budget_tokens": 100}})),
            ("thinking", json!({"thinking": {"type": "enabled", "budget_tokens": 2000}})),
            ("cache-marks", json!({"system": [mark(), mark(), mark(), mark(), mark()]})),
            ("empty-text", json!({"system": [{"type": "text", "text": ""}]})),
            ("tool-schema", json!({"tools": [{"name": "a", "input_schema": {}}]})),
            ("tool-names", json!({"tools": [{"name": "a.b", "input_schema": {"type": "object"}}]})),
            ("known-fields", json!({"max_completion_tokens": 3})),
            ("types", json!({"temperature": 1.5})),
        ];
        for (rule, fields) in settings {
            let mut body = talk(json!([hi()]));
            for (key, value) in fields.as_object().unwrap() {
                body[key] = value.clone();
            }
            broken.push((rule, body));
        }
        for (rule, body) in broken {
            assert_eq!(rules(&body), [rule], "{body}");
        }
    }

    #[test]
    fn thinking_must_come_back_with_its_calls() {
        let mut body =
            talk(json!([user(json!("hi")), model(json!([call("a")])), user(json!([result("a")]))]));
        assert_eq!(rules(&body), Vec::<&str>::new());
        body["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
        assert_eq!(rules(&body), ["thinking"]);
    }

    #[test]
    fn calls_without_tools_and_requests_without_headers_are_refused() {
        let mut body =
            talk(json!([user(json!("hi")), model(json!([call("a")])), user(json!([result("a")]))]));
        body.as_object_mut().unwrap().shift_remove("tools");
        assert_eq!(rules(&body), ["tools"]);
        let found = check(&[], &talk(json!([user(json!("hi"))])), &[]).violations(1);
        let rules: Vec<&str> = found.iter().map(|violation| violation.rule).collect();
        assert_eq!(rules, ["key-header", "version-header", "content-type"]);
    }
}
