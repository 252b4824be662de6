//! The rules of OpenAI's chat completions.
//!
//! <https://platform.openai.com/docs/api-reference/chat/create>

use serde_json::Value;

use super::{Found, check_names, check_schema, is_positive, is_tool_name, kind};

/// The published fields of a request, without the deprecated ones.
const FIELDS: &[&str] = &[
    "audio",
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
];
/// What other servers of this protocol publish besides.
const FIELDS_ELSEWHERE: &[&str] = &[
    "cache_prompt",
    "chat_template_kwargs",
    "enable_thinking",
    "id_slot",
    "keep_alive",
    "min_p",
    "models",
    "options",
    "provider",
    "reasoning",
    "repetition_penalty",
    "thinking",
    "thinking_budget",
    "top_k",
    "transforms",
    "usage",
];
const MESSAGE: &[&str] = &["role", "content", "name"];
const ASSISTANT: &[&str] = &["tool_calls", "refusal", "audio"];
/// Reasoning that DeepSeek, Kimi, Qwen (`reasoning_content`) and OpenRouter want back.
const REASONING: &[&str] = &["reasoning_content", "reasoning", "reasoning_details"];
const TOOL: &[&str] = &["tool_call_id"];

/// The longest id of a call that is taken back.
const ID: usize = 40;
/// The longest key for the prompt cache.
const CACHE_KEY: usize = 64;

pub(crate) fn check(body: &Value, extra: &[String]) -> Found {
    let mut found = Found::default();
    if !found.hold(body.is_object(), "types", "the body must be a JSON object") {
        return found;
    }
    found.fields("body", body, &[FIELDS, FIELDS_ELSEWHERE], extra);
    check_settings(&mut found, body);
    check_tools(&mut found, body);
    match body["messages"].as_array() {
        Some(messages) if !messages.is_empty() => check_messages(&mut found, messages, extra),
        _ => found.add("messages", "messages: there must be at least one"),
    }
    found
}

fn check_settings(found: &mut Found, body: &Value) {
    let model = body["model"].as_str().is_some_and(|model| !model.is_empty());
    found.hold(model, "model", "you must provide a model parameter");
    found.typed("body", body, "stream", "a boolean", |v| v.is_boolean() || v.is_null());
    for key in ["max_tokens", "max_completion_tokens", "n"] {
        found.typed("body", body, key, "a number above zero", |v| is_positive(v) || v.is_null());
    }
    let both = body["max_tokens"].is_number() && body["max_completion_tokens"].is_number();
    found.hold(!both, "limits", "`max_tokens` and `max_completion_tokens` exclude each other");
    for (key, most) in [("temperature", 2.0), ("top_p", 1.0)] {
        let fits = |number: f64| (0.0..=most).contains(&number);
        let holds = body.get(key).is_none_or(|v| v.is_null() || v.as_f64().is_some_and(fits));
        found.hold(holds, "types", &format!("`{key}` must be between 0 and {most}"));
    }
    let options = &body["stream_options"];
    let streamed = options.is_null() || body["stream"] == true;
    found.hold(streamed, "stream-options", "`stream_options` is only allowed when `stream` is on");
    found.typed("stream_options", options, "include_usage", "a boolean", Value::is_boolean);
    let key = body["prompt_cache_key"].as_str().unwrap_or_default();
    let short = key.chars().count() <= CACHE_KEY;
    found.hold(
        short,
        "cache-key",
        &format!("`prompt_cache_key` has more than {CACHE_KEY} letters"),
    );
}

fn check_tools(found: &mut Found, body: &Value) {
    let Some(tools) = body.get("tools").filter(|tools| !tools.is_null()) else {
        for key in ["tool_choice", "parallel_tool_calls"] {
            let given = body.get(key).is_some_and(|value| !value.is_null());
            found.hold(!given, "tools", &format!("`{key}` is only allowed with `tools`"));
        }
        return;
    };
    let tools = tools.as_array().map(Vec::as_slice).unwrap_or_default();
    found.hold(!tools.is_empty(), "tools", "tools: must be a list of one or more, or left out");
    for (i, tool) in tools.iter().enumerate() {
        let at = format!("tools[{i}]");
        found.hold(tool["type"] == "function", "tools", &format!("{at}: type must be `function`"));
        let function = &tool["function"];
        check_name(found, &format!("{at}.function"), function);
        let known: &[&str] = &["name", "description", "parameters", "strict"];
        found.fields(&format!("{at}.function"), function, &[known], &[]);
        found.typed(&at, function, "description", "a string", Value::is_string);
        if let Some(schema) = function.get("parameters") {
            check_schema(found, &format!("{at}.function.parameters"), schema);
        }
    }
    let names: Vec<&str> = tools.iter().filter_map(|t| t["function"]["name"].as_str()).collect();
    check_names(found, &names);
}

fn check_name(found: &mut Found, at: &str, function: &Value) {
    let name = function["name"].as_str().unwrap_or_default();
    let words = format!("{at}.name: `{name}` does not match '^[a-zA-Z0-9_-]{{1,64}}$'");
    found.hold(is_tool_name(name), "tool-names", &words);
}

fn check_messages(found: &mut Found, messages: &[Value], extra: &[String]) {
    // The calls that wait for their results.
    let mut open: Vec<String> = Vec::new();
    // Whether the messages so far end with calls and some of their results.
    let mut answering = false;
    let mut answered: Vec<String> = Vec::new();
    for (i, message) in messages.iter().enumerate() {
        let at = format!("messages[{i}]");
        check_shape(found, &at, message, extra);
        if message["role"] == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default().to_owned();
            match open.iter().position(|waiting| *waiting == id) {
                Some(nth) => answered.push(open.remove(nth)),
                None if answered.contains(&id) => {
                    found.add("tool-results", format!("{at}: call `{id}` is answered twice"));
                }
                None if answering => {
                    found.add("tool-results", format!("{at}: no call `{id}` in the message before"))
                }
                None => found.add(
                    "tool-results",
                    format!(
                        "{at}: messages with role 'tool' must be a response to a preceding \
                         message with 'tool_calls'"
                    ),
                ),
            }
            continue;
        }
        check_answered(found, &at, &open);
        open = ids(message);
        answering = !open.is_empty();
        answered.clear();
    }
    check_answered(found, "messages", &open);
}

fn check_answered(found: &mut Found, at: &str, open: &[String]) {
    if !open.is_empty() {
        let words = format!(
            "{at}: an assistant message with 'tool_calls' must be followed by tool messages \
             responding to each 'tool_call_id'; these did not have response messages: {}",
            open.join(", ")
        );
        found.add("tool-results", words);
    }
}

fn ids(message: &Value) -> Vec<String> {
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    calls.map(|call| call["id"].as_str().unwrap_or_default().to_owned()).collect()
}

fn check_shape(found: &mut Found, at: &str, message: &Value, extra: &[String]) {
    if !found.hold(message.is_object(), "types", &format!("{at}: must be an object")) {
        return;
    }
    let content = &message["content"];
    match message["role"].as_str() {
        Some("system" | "developer") => {
            found.fields(at, message, &[MESSAGE], extra);
            check_content(found, at, content, &["text"]);
        }
        Some("user") => {
            found.fields(at, message, &[MESSAGE], extra);
            check_content(found, at, content, &["text", "image_url", "input_audio", "file"]);
        }
        Some("assistant") => {
            found.fields(at, message, &[MESSAGE, ASSISTANT, REASONING], extra);
            let calls = check_calls(found, at, message);
            if !(calls && content.is_null()) {
                check_content(found, at, content, &["text", "refusal"]);
            }
        }
        Some("tool") => {
            found.fields(at, message, &[MESSAGE, TOOL], extra);
            check_content(found, at, content, &["text"]);
            let id = message["tool_call_id"].is_string();
            found.hold(id, "tool-results", &format!("{at}: `tool_call_id` is missing"));
        }
        _ => found.add("roles", format!("{at}: {} is not a role", message["role"])),
    }
    if let Some(name) = message.get("name") {
        let fits = |c: char| !c.is_whitespace() && !"<|\\/>".contains(c);
        let fits = name.as_str().is_some_and(|name| !name.is_empty() && name.chars().all(fits));
        found.hold(fits, "names", &format!("{at}.name: does not match '^[^\\s<|\\\\/>]+$'"));
    }
}

/// A content that must be there: words, or parts of these kinds.
fn check_content(found: &mut Found, at: &str, content: &Value, kinds: &[&str]) {
    match content {
        Value::String(_) => {}
        Value::Array(parts) if !parts.is_empty() => {
            for (i, part) in parts.iter().enumerate() {
                check_part(found, &format!("{at}.content[{i}]"), part, kinds);
            }
        }
        other => {
            let words = format!("{at}: content must be a string or parts, not {}", kind(other));
            found.add("content", words);
        }
    }
}

fn check_part(found: &mut Found, at: &str, part: &Value, kinds: &[&str]) {
    let of = part["type"].as_str().unwrap_or_default();
    if !found.hold(kinds.contains(&of), "content", &format!("{at}: type `{of}` is not allowed")) {
        return;
    }
    match of {
        "text" => {
            found.hold(part["text"].is_string(), "content", &format!("{at}: `text` is missing"));
        }
        "image_url" => {
            let url = part["image_url"]["url"].as_str().unwrap_or_default();
            let data = ["png", "jpeg", "gif", "webp"]
                .iter()
                .any(|kind| url.starts_with(&format!("data:image/{kind};base64,")));
            let known = data || url.starts_with("https://") || url.starts_with("http://");
            found.hold(known, "pictures", &format!("{at}: not the address of a picture"));
        }
        _ => {}
    }
}

/// Says whether there are calls.
fn check_calls(found: &mut Found, at: &str, message: &Value) -> bool {
    let Some(calls) = message.get("tool_calls") else { return false };
    let calls = calls.as_array().map(Vec::as_slice).unwrap_or_default();
    let some = !calls.is_empty();
    found.hold(some, "tool-calls", &format!("{at}.tool_calls: must be one or more, or left out"));
    let ids: Vec<&str> = calls.iter().filter_map(|call| call["id"].as_str()).collect();
    for (i, call) in calls.iter().enumerate() {
        let at = format!("{at}.tool_calls[{i}]");
        let id = call["id"].as_str().unwrap_or_default();
        found.hold(!id.is_empty(), "tool-calls", &format!("{at}: `id` is missing or empty"));
        let short = id.chars().count() <= ID;
        found.hold(short, "tool-calls", &format!("{at}.id: more than {ID} letters"));
        let twice = ids.iter().filter(|other| **other == id).count() > 1;
        found.hold(!twice, "tool-calls", &format!("{at}.id: `{id}` is there twice"));
        found.hold(call["type"] == "function", "tool-calls", &format!("{at}: type is missing"));
        check_name(found, &format!("{at}.function"), &call["function"]);
        let arguments = call["function"]["arguments"].is_string();
        found.hold(arguments, "tool-calls", &format!("{at}: arguments must be a string"));
    }
    some
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules(body: &Value) -> Vec<&'static str> {
        let violations = check(body, &[]).violations(1);
        violations.into_iter().map(|violation| violation.rule).collect()
    }

    fn talk(messages: Value) -> Value {
        json!({"model": "m", "messages": messages})
    }

    fn call(id: &str) -> Value {
        json!({"id": id, "type": "function",
            "function": {"name": "read_file", "arguments": "{}"}})
    }

    #[test]
    fn a_conversation_with_calls_is_taken() {
        let body = json!({
            "model": "m",
            "stream": true,
            "stream_options": {"include_usage": true},
            "max_completion_tokens": 100,
            "tools": [{"type": "function", "function": {"name": "read_file", "description": "d",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}},
                    "required": ["path"]}}}],
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [{"type": "text", "text": "Look"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]},
                {"role": "assistant", "content": null, "tool_calls": [call("a"), call("b")],
                    "reasoning_content": "hm"},
                {"role": "tool", "tool_call_id": "b", "name": "read_file", "content": "two"},
                {"role": "tool", "tool_call_id": "a", "content": "one"},
                {"role": "user", "content": "And?"},
            ],
        });
        assert_eq!(rules(&body), Vec::<&str>::new());
    }

    #[test]
    fn each_rule_finds_what_breaks_it() {
        let user = json!({"role": "user", "content": "hi"});
        let calls = json!({"role": "assistant", "content": null, "tool_calls": [call("a")]});
        let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "x"});
        let tool = |name: &str, schema: Value| json!([{"type": "function", "function": {"name": name, "parameters": schema}}]);
        let mut broken = vec![
            ("types", json!([])),
            ("model", json!({"messages": [user]})),
            ("messages", talk(json!([]))),
            ("roles", talk(json!([{"role": "human", "content": "hi"}]))),
            ("content", talk(json!([{"role": "user", "content": null}]))),
            ("content", talk(json!([{"role": "user"}]))),
            ("content", talk(json!([{"role": "user", "content": []}]))),
            ("content", talk(json!([user, {"role": "assistant", "content": null}]))),
            ("content", talk(json!([{"role": "user", "content": [{"type": "thinking"}]}]))),
            ("tool-results", talk(json!([user, result("a")]))),
            ("tool-results", talk(json!([user, calls]))),
            ("tool-results", talk(json!([user, calls, user]))),
            ("tool-results", talk(json!([user, calls, result("a"), result("a")]))),
            ("tool-results", talk(json!([user, calls, result("a"), result("b")]))),
            ("tool-results", talk(json!([user, calls, result("a"), user, result("a")]))),
            ("tool-calls", talk(json!([{"role": "assistant", "content": "x", "tool_calls": []}]))),
            ("known-fields", talk(json!([{"role": "user", "content": "x", "timestamp": 1}]))),
            (
                "pictures",
                talk(json!([{"role": "user", "content": [{"type": "image_url",
                    "image_url": {"url": "file:///etc/passwd"}}]}])),
            ),
        ];
        let settings = [
            ("tools", json!({"tools": []})),
            ("tools", json!({"tool_choice": "auto"})),
            ("tool-names", json!({"tools": tool("read file", json!({"type": "object"}))})),
            ("tool-schema", json!({"tools": tool("read", json!({}))})),
            (
                "tool-schema",
                json!({"tools": tool("read", json!({"type": "object", "required": ["x"]}))}),
            ),
            ("stream-options", json!({"stream_options": {"include_usage": true}})),
            ("limits", json!({"max_tokens": 1, "max_completion_tokens": 1})),
            ("types", json!({"max_tokens": 0})),
            ("types", json!({"temperature": 3})),
            ("cache-key", json!({"prompt_cache_key": "k".repeat(65)})),
            ("known-fields", json!({"max_output": 3})),
        ];
        for (rule, fields) in settings {
            let mut body = talk(json!([user]));
            for (key, value) in fields.as_object().unwrap() {
                body[key] = value.clone();
            }
            broken.push((rule, body));
        }
        for (rule, body) in broken {
            assert_eq!(rules(&body), [rule], "{body}");
        }
    }
}
