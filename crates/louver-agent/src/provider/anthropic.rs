//! Anthropic's messages: an ask becomes a request, and the pieces of an answer become a reply.

use std::sync::Arc;

use louver_context::render::anthropic as render;
use louver_context::{Content, Message, Prompt, Reasoning, Role, ToolCall};
use serde_json::{Value, json};

use super::error::Fault;
use super::openai::tidy;
use super::quirks::{self, ClaudeThinks, EffortField, Quirks};
use super::reader::own_ids;
use super::{Ask, Endpoint, Request};
use crate::reply::{Delta, Finish, Reply, Usage};
use crate::sse::Event;

/// The request for an ask.
pub fn request(endpoint: &Endpoint, ask: &Ask<'_>) -> Request {
    let mut body = render::request(ask.model, ask.prompt, ask.reply);
    if !endpoint.quirks.old_thoughts {
        leave_thoughts(&mut body);
    }
    if ask.stream {
        body["stream"] = json!(true);
    }
    let thinks = effort(&mut body, ask, &endpoint.quirks);
    if let Some(temperature) = ask.temperature
        && endpoint.quirks.temperature
        && !thinks
    {
        body["temperature"] = json!(tidy(temperature));
    }
    if let Some(name) =
        ask.must_call.filter(|_| endpoint.quirks.force && !ask.prompt.tools.is_empty())
    {
        body["tool_choice"] = json!({"type": "tool", "name": name});
    }
    // A JSON value can always be written.
    let body = serde_json::to_vec(&body).unwrap_or_default();
    Request { url: endpoint.url("messages"), headers: endpoint.all_headers(), body }
}

/// Tells the model how hard to think; says whether it was told to.
///
/// A forced call and thinking exclude each other.
fn effort(body: &mut Value, ask: &Ask<'_>, quirks: &Quirks) -> bool {
    let forced = ask.must_call.is_some() && quirks.force;
    let Some(effort) = ask.effort.filter(|_| quirks.effort != EffortField::No && !forced) else {
        return false;
    };
    match quirks::claude_thinks(ask.model) {
        ClaudeThinks::Never => false,
        ClaudeThinks::Adaptive => {
            body["thinking"] = json!({"type": "adaptive"});
            body["output_config"] = json!({"effort": effort.name()});
            true
        }
        ClaudeThinks::Budget => {
            let budget = quirks::budget(effort, ask.reply).filter(|_| may_think(ask.prompt));
            if let Some(budget) = budget {
                body["thinking"] = json!({"type": "enabled", "budget_tokens": budget});
            }
            budget.is_some()
        }
    }
}

/// Whether thinking can be on: each answer of a turn that goes on must begin with a signed thought,
/// and one of another provider does not.
fn may_think(prompt: &Prompt) -> bool {
    let turn = prompt.messages.iter().rev().take_while(|message| message.role != Role::User);
    let mut answers = turn.filter(|message| message.role == Role::Assistant);
    answers.all(|message| {
        message.reasoning.iter().any(|thought| {
            matches!(
                thought,
                Reasoning::Thinking { signature: Some(_), .. } | Reasoning::Redacted(_)
            )
        })
    })
}

/// Takes the thoughts out of a request.
fn leave_thoughts(body: &mut Value) {
    let messages = body["messages"].as_array_mut().into_iter().flatten();
    for message in messages {
        if let Some(blocks) = message["content"].as_array_mut() {
            blocks.retain(|block| {
                !matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
            });
        }
    }
    if let Some(messages) = body["messages"].as_array_mut() {
        messages.retain(|message| {
            message["content"].as_array().is_none_or(|blocks| !blocks.is_empty())
        });
    }
}

/// Reads an answer, piece by piece.
#[derive(Debug, Default)]
pub struct Reader {
    id: String,
    blocks: Vec<Block>,
    finish: Option<String>,
    usage: Option<Value>,
    done: bool,
}

#[derive(Debug)]
enum Block {
    Text(String),
    Thinking {
        text: String,
        signature: String,
    },
    Redacted(String),
    Call {
        id: String,
        name: String,
        start: Value,
        arguments: String,
    },
    /// A block louver does not know; its place counts.
    Other,
}

impl Reader {
    /// Takes the next event of a stream and gives what a listener hears of it.
    pub fn event(&mut self, event: &Event) -> Result<Vec<Delta>, Fault> {
        let data = event.data.trim();
        if data.is_empty() || data == "[DONE]" {
            return Ok(Vec::new());
        }
        let value: Value =
            serde_json::from_str(data).map_err(|error| Fault::malformed(error, data))?;
        let mut heard = Vec::new();
        match value["type"].as_str().unwrap_or_default() {
            "message_start" => {
                self.take_id(&value["message"]);
                self.take_usage(value.pointer("/message/usage"));
            }
            "content_block_start" => self.begin(&value["content_block"], &mut heard),
            "content_block_delta" => self.delta(&value, &mut heard)?,
            "message_delta" => {
                self.take_usage(value.get("usage"));
                if let Some(reason) = value.pointer("/delta/stop_reason").and_then(Value::as_str) {
                    self.finish = Some(reason.to_owned());
                }
            }
            "message_stop" => self.done = true,
            "error" => return Err(Fault::said(&value["error"])),
            // Pings, ends of blocks, and what is yet to be invented.
            _ => {}
        }
        Ok(heard)
    }

    /// Whether the server said that there is no more.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Takes a whole answer.
    pub(super) fn take(&mut self, value: &Value) -> Result<Vec<Delta>, Fault> {
        if value["type"] == "error" || value.get("error").is_some() {
            return Err(Fault::said(&value["error"]));
        }
        let Some(blocks) = value["content"].as_array() else { return Err(Fault::unlike(value)) };
        let mut heard = Vec::new();
        self.take_id(value);
        blocks.iter().for_each(|block| self.begin(block, &mut heard));
        self.take_usage(value.get("usage"));
        self.finish = value["stop_reason"].as_str().map(str::to_owned);
        self.done = true;
        Ok(heard)
    }

    fn begin(&mut self, block: &Value, heard: &mut Vec<Delta>) {
        let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
        self.blocks.push(match block["type"].as_str().unwrap_or_default() {
            "text" => Block::Text(text("text")),
            "thinking" => Block::Thinking { text: text("thinking"), signature: text("signature") },
            "redacted_thinking" => Block::Redacted(text("data")),
            "tool_use" => Block::Call {
                id: text("id"),
                name: text("name"),
                start: block["input"].clone(),
                arguments: String::new(),
            },
            _ => Block::Other,
        });
        match self.blocks.last() {
            Some(Block::Text(text)) if !text.is_empty() => heard.push(Delta::Text(text.clone())),
            Some(Block::Thinking { text, .. }) if !text.is_empty() => {
                heard.push(Delta::Thinking(text.clone()));
            }
            Some(Block::Call { name, .. }) => heard.push(Delta::Call(name.clone())),
            _ => {}
        }
    }

    fn delta(&mut self, value: &Value, heard: &mut Vec<Delta>) -> Result<(), Fault> {
        let delta = &value["delta"];
        let index = value["index"].as_u64().and_then(|index| usize::try_from(index).ok());
        let at = index.unwrap_or(self.blocks.len().saturating_sub(1));
        let Some(block) = self.blocks.get_mut(at) else { return Err(Fault::unlike(value)) };
        let new = |key: &str| delta[key].as_str().unwrap_or_default();
        match (delta["type"].as_str().unwrap_or_default(), block) {
            ("text_delta", Block::Text(text)) => {
                text.push_str(new("text"));
                heard.push(Delta::Text(new("text").to_owned()));
            }
            ("thinking_delta", Block::Thinking { text, .. }) => {
                text.push_str(new("thinking"));
                heard.push(Delta::Thinking(new("thinking").to_owned()));
            }
            ("signature_delta", Block::Thinking { signature, .. }) => {
                signature.push_str(new("signature"));
            }
            ("input_json_delta", Block::Call { arguments, .. }) => {
                arguments.push_str(new("partial_json"));
            }
            // Citations and other things beside the text.
            _ => {}
        }
        Ok(())
    }

    fn take_id(&mut self, message: &Value) {
        self.id = message["id"].as_str().unwrap_or_default().to_owned();
    }

    /// Usage comes at the start and again, in part or in full, at the end.
    fn take_usage(&mut self, usage: Option<&Value>) {
        let Some(Value::Object(new)) = usage else { return };
        match &mut self.usage {
            Some(Value::Object(known)) => {
                let said = new.iter().filter(|(_, value)| !value.is_null());
                known.extend(said.map(|(key, value)| (key.clone(), value.clone())));
            }
            _ => self.usage = usage.cloned(),
        }
    }

    /// The whole answer.
    pub fn finish(self) -> Result<Reply, Fault> {
        if self.finish.is_none() && !self.done {
            return Err(Fault::Cut);
        }
        let mut text = String::new();
        let mut message = Message::new(Role::Assistant, Content::Null);
        for block in self.blocks {
            match block {
                Block::Text(said) => text.push_str(&said),
                Block::Thinking { text, signature } => {
                    let signature = (!signature.is_empty()).then(|| Arc::from(signature));
                    message.reasoning.push(Reasoning::Thinking { text: text.into(), signature });
                }
                Block::Redacted(data) => message.reasoning.push(Reasoning::Redacted(data.into())),
                Block::Call { id, name, start, arguments } => {
                    message.calls.push(call(id, name, &start, arguments));
                }
                Block::Other => {}
            }
        }
        own_ids(&self.id, &mut message.calls);
        if !text.is_empty() {
            message.content = Content::Text(text.into());
        }
        let finish = finish(self.finish.as_deref(), message.calls.is_empty());
        Ok(Reply { message, finish, usage: self.usage.as_ref().map(usage) })
    }
}

fn call(id: String, name: String, start: &Value, arguments: String) -> ToolCall {
    let arguments = match start {
        _ if !arguments.is_empty() => arguments,
        // In a stream the block begins with an empty object, and a call without arguments ends so.
        Value::Null => "{}".to_owned(),
        start => start.to_string(),
    };
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
        extra: Default::default(),
    }
}

fn finish(reason: Option<&str>, no_calls: bool) -> Finish {
    match (reason, no_calls) {
        (Some("max_tokens" | "model_context_window_exceeded"), _) => Finish::Length,
        (Some("refusal"), _) => Finish::Filtered,
        (_, false) => Finish::Calls,
        (None | Some("end_turn" | "stop_sequence" | "tool_use"), true) => Finish::Stop,
        (Some(other), true) => Finish::Other(other.to_owned()),
    }
}

/// Anthropic counts what comes from the cache and what goes into it apart from the rest.
fn usage(usage: &Value) -> Usage {
    let number = |key: &str| usage[key].as_u64().unwrap_or(0);
    let cached = number("cache_read_input_tokens");
    let cache_written = number("cache_creation_input_tokens");
    Usage {
        input: number("input_tokens") + cached + cache_written,
        cached,
        cache_written,
        output: number("output_tokens"),
        reasoning: usage["output_tokens_details"]["thinking_tokens"].as_u64().unwrap_or(0),
    }
}
