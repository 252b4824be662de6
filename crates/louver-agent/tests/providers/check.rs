//! Whether a request is one that the provider takes, by the rules it publishes.
//!
//! OpenAI: <https://platform.openai.com/docs/api-reference/chat/create>;
//! Anthropic: <https://docs.anthropic.com/en/api/messages> and its pages on tool use, extended
//! thinking and prompt caching.

use std::collections::HashSet;

use serde_json::Value;

type Checked = Result<(), String>;

fn ensure(holds: bool, broken: impl Into<String>) -> Checked {
    if holds { Ok(()) } else { Err(broken.into()) }
}

fn is_plain(text: &str, most: usize) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    !text.is_empty() && text.len() <= most && text.chars().all(plain)
}

/// What a server that follows OpenAI demands beyond what all of them do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strict {
    /// No key that OpenAI does not have.
    pub(crate) known_keys: bool,
    /// Ids as OpenAI checks them.
    pub(crate) plain_ids: bool,
    /// Nine letters and digits for an id.
    pub(crate) nine: bool,
    /// `reasoning_content` with every call, and this much of it at least.
    pub(crate) thoughts: Option<usize>,
    /// No `null` for content.
    pub(crate) no_null: bool,
}

/// Checks a request in OpenAI's form.
pub(crate) fn openai(body: &Value, strict: Strict) -> Checked {
    ensure(body["model"].as_str().is_some_and(|model| !model.is_empty()), "no model")?;
    let limits = ["max_tokens", "max_completion_tokens"].map(|key| body.get(key).is_some());
    ensure(limits[0] != limits[1], "one limit, and not two")?;
    for tool in body["tools"].as_array().into_iter().flatten() {
        ensure(tool["type"] == "function", "a tool is a function")?;
        let name = tool["function"]["name"].as_str().unwrap_or_default();
        ensure(is_plain(name, 64), format!("the tool's name `{name}`"))?;
        ensure(tool["function"]["parameters"].is_object(), "a tool has a schema")?;
    }
    let messages = body["messages"].as_array().ok_or("no messages")?;
    ensure(!messages.is_empty(), "messages are empty")?;
    let mut open: HashSet<String> = HashSet::new();
    for (i, message) in messages.iter().enumerate() {
        let in_message = |broken: String| format!("message {i}: {broken}");
        openai_message(message, i, &mut open, strict).map_err(in_message)?;
    }
    ensure(open.is_empty(), format!("calls without results at the end: {open:?}"))
}

fn openai_message(
    message: &Value,
    i: usize,
    open: &mut HashSet<String>,
    strict: Strict,
) -> Checked {
    let fields = message.as_object().ok_or("no object")?;
    let role = message["role"].as_str().unwrap_or_default();
    let known = ["role", "content", "name", "tool_calls", "tool_call_id"];
    if strict.known_keys {
        let unknown = fields.keys().find(|key| !known.contains(&key.as_str()));
        ensure(unknown.is_none(), format!("the key {unknown:?}"))?;
    }
    let name = message.get("name").and_then(Value::as_str);
    ensure(name.is_none_or(|name| is_plain(name, 64)), format!("the name {name:?}"))?;
    let content = fields.get("content").ok_or("content is missing")?;
    openai_content(content, role)?;
    if role == "tool" {
        let id = message["tool_call_id"].as_str().ok_or("a result without an id")?;
        return ensure(open.remove(id), format!("a result for `{id}`, which is not called above"));
    }
    ensure(open.is_empty(), format!("calls {open:?} are not answered first"))?;
    let calls: Vec<&Value> = message["tool_calls"].as_array().into_iter().flatten().collect();
    match role {
        "system" => ensure(
            i == 0 && content.as_str().is_some_and(|text| !text.is_empty()),
            "a system message comes first",
        ),
        "user" => ensure(!content.is_null() && calls.is_empty(), "a person says something"),
        "assistant" => {
            ensure(
                fields.get("tool_calls").is_none() || !calls.is_empty(),
                "an empty list of calls",
            )?;
            ensure(!content.is_null() || (!calls.is_empty() && !strict.no_null), "null content")?;
            if let (Some(least), false) = (strict.thoughts, calls.is_empty()) {
                let thought =
                    message["reasoning_content"].as_str().ok_or("a call without a thought")?;
                ensure(thought.len() >= least, "an empty thought")?;
            }
            calls.into_iter().try_for_each(|call| openai_call(call, open, strict))
        }
        other => Err(format!("the role `{other}`")),
    }
}

fn openai_content(content: &Value, role: &str) -> Checked {
    let parts = match content {
        Value::Null | Value::String(_) => return Ok(()),
        Value::Array(parts) => parts,
        _ => return Err("content is no text and no list".into()),
    };
    ensure(!parts.is_empty(), "an empty list of parts")?;
    let types: &[&str] = match role {
        "user" => &["text", "image_url", "input_audio", "file"],
        _ => &["text"],
    };
    let empty = parts.iter().find(|part| part["text"] == "");
    ensure(empty.is_none(), "a text that says nothing")?;
    let unknown = parts.iter().find(|part| !types.iter().any(|of| part["type"] == **of));
    ensure(unknown.is_none(), format!("the part {unknown:?}"))
}

fn openai_call(call: &Value, open: &mut HashSet<String>, strict: Strict) -> Checked {
    let id = call["id"].as_str().unwrap_or_default();
    ensure(!id.is_empty(), "a call without an id")?;
    ensure(!strict.plain_ids || is_plain(id, 40), format!("the id `{id}`"))?;
    let nine = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    ensure(!strict.nine || nine, format!("the id `{id}`"))?;
    ensure(open.insert(id.to_owned()), format!("the id `{id}` twice"))?;
    ensure(call["type"] == "function", "a call is of a function")?;
    let name = call["function"]["name"].as_str().unwrap_or_default();
    ensure(is_plain(name, 64), format!("the call's name `{name}`"))?;
    let arguments = call["function"]["arguments"].as_str().ok_or("arguments are text")?;
    let parsed: Value = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
    ensure(parsed.is_object(), "arguments are a JSON object")?;
    let known = ["id", "type", "function"];
    let beside =
        call.as_object().into_iter().flatten().find(|(key, _)| !known.contains(&key.as_str()));
    ensure(!strict.known_keys || beside.is_none(), format!("beside a call: {beside:?}"))
}

/// Checks a request in Anthropic's form.
pub(crate) fn anthropic(body: &Value) -> Checked {
    ensure(body["model"].as_str().is_some_and(|model| !model.is_empty()), "no model")?;
    ensure(body["max_tokens"].as_u64().is_some_and(|most| most > 0), "no max_tokens")?;
    if let Some(budget) = body.pointer("/thinking/budget_tokens").and_then(Value::as_u64) {
        ensure(budget >= 1024 && Some(budget) < body["max_tokens"].as_u64(), "the budget")?;
        ensure(body.get("temperature").is_none(), "a temperature while it thinks")?;
        ensure(body.get("tool_choice").is_none(), "a forced call while it thinks")?;
    }
    for tool in body["tools"].as_array().into_iter().flatten() {
        let name = tool["name"].as_str().unwrap_or_default();
        ensure(is_plain(name, 64) && tool["input_schema"].is_object(), format!("tool `{name}`"))?;
    }
    let marks = body.to_string().matches("\"cache_control\":").count();
    ensure(marks <= 4, format!("{marks} cache marks"))?;
    for block in body["system"].as_array().into_iter().flatten() {
        ensure(!block["text"].as_str().unwrap_or_default().trim().is_empty(), "empty system")?;
    }
    let messages = body["messages"].as_array().ok_or("no messages")?;
    ensure(!messages.is_empty(), "messages are empty")?;
    let mut calls: Vec<String> = Vec::new();
    for (i, message) in messages.iter().enumerate() {
        let role = if i % 2 == 0 { "user" } else { "assistant" };
        ensure(message["role"] == role, format!("message {i} is not the {role}'s"))?;
        let blocks = message["content"].as_array().ok_or(format!("message {i} has no blocks"))?;
        ensure(!blocks.is_empty(), format!("message {i} is empty"))?;
        let checked = match role {
            "user" => user_blocks(blocks, &mut calls),
            _ => assistant_blocks(blocks, &mut calls),
        };
        checked.map_err(|broken| format!("message {i}: {broken}"))?;
    }
    ensure(calls.is_empty(), format!("calls without results at the end: {calls:?}"))
}

fn user_blocks(blocks: &[Value], calls: &mut Vec<String>) -> Checked {
    let is_result = |block: &&Value| block["type"] == "tool_result";
    let results: Vec<&Value> = blocks.iter().take_while(is_result).collect();
    ensure(!blocks[results.len()..].iter().any(|block| is_result(&block)), "results come first")?;
    for result in &results {
        let id = result["tool_use_id"].as_str().unwrap_or_default();
        let at = calls.iter().position(|call| call == id);
        calls.remove(at.ok_or(format!("a result for `{id}`, which was not called just before"))?);
    }
    ensure(calls.is_empty(), format!("calls {calls:?} are not answered at once"))?;
    blocks[results.len()..].iter().try_for_each(|block| match block["type"].as_str() {
        Some("text") => said(block),
        Some("image") => ensure(block["source"].is_object(), "a picture has a source"),
        Some("document" | "search_result") => Ok(()),
        other => Err(format!("a block of the type {other:?}")),
    })
}

fn assistant_blocks(blocks: &[Value], calls: &mut Vec<String>) -> Checked {
    let is_thought =
        |block: &Value| block["type"] == "thinking" || block["type"] == "redacted_thinking";
    let thoughts = blocks.iter().take_while(|block| is_thought(block)).count();
    ensure(!blocks[thoughts..].iter().any(is_thought), "thoughts come first")?;
    for block in blocks {
        match block["type"].as_str() {
            Some("text") => said(block)?,
            Some("thinking") => {
                let signed = block["signature"].as_str().is_some_and(|text| !text.is_empty());
                ensure(signed && block.get("cache_control").is_none(), "an unsigned thought")?;
            }
            Some("redacted_thinking") => {
                ensure(block["data"].is_string() && block.get("cache_control").is_none(), "data")?;
            }
            Some("tool_use") => {
                let id = block["id"].as_str().unwrap_or_default();
                ensure(is_plain(id, usize::MAX), format!("the id `{id}`"))?;
                ensure(!calls.iter().any(|call| call == id), format!("the id `{id}` twice"))?;
                let name = block["name"].as_str().unwrap_or_default();
                ensure(is_plain(name, 64), format!("the call's name `{name}`"))?;
                ensure(block["input"].is_object(), "input is an object")?;
                calls.push(id.to_owned());
            }
            other => return Err(format!("a block of the type {other:?}")),
        }
    }
    Ok(())
}

fn said(block: &Value) -> Checked {
    let text = block["text"].as_str().unwrap_or_default();
    ensure(!text.trim().is_empty(), "a text that says nothing")
}
