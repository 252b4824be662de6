//! The seed system's own calls, by their names, on JSON messages.
//!
//! Someone who comes from there finds `build_system_prompt`, `build_messages`,
//! `add_assistant_message` and `add_tool_result` with the same arguments. They give what is sent;
//! [`ContextBuilder::context`] also gives the account of it.

use std::path::Path;
use std::sync::Arc;

use jiff::Zoned;
use louver_context::DoesNotFit;
use louver_context::message::Message;
use louver_context::render::openai;
use serde_json::{Map, Value, json};

use crate::builder::{ContextBuilder, Turn};
use crate::pictures;

/// What `build_messages` is given besides the history and the message.
#[derive(Debug, Clone, Copy, Default)]
pub struct With<'a> {
    /// Skills to bring in whole.
    pub skill_names: &'a [&'a str],
    /// Paths of pictures.
    pub media: &'a [&'a Path],
    /// The channel the message came by.
    pub channel: Option<&'a str>,
    /// The chat within that channel.
    pub chat_id: Option<&'a str>,
}

impl ContextBuilder {
    /// The system text alone.
    pub fn build_system_prompt(&mut self, skill_names: &[&str]) -> Result<String, DoesNotFit> {
        let skills = skill_names.iter().map(|name| (*name).to_owned()).collect();
        let built = self.context(&Turn { skills, ..Turn::default() })?;
        Ok(built.context.prompt.system.to_string())
    }

    /// The whole list of messages, the system text first, with the time of now.
    ///
    /// Messages of the history that cannot be read are left out, and what providers would refuse
    /// is repaired.
    pub fn build_messages(
        &mut self,
        history: &[Value],
        current_message: &str,
        with: With<'_>,
    ) -> Result<Vec<Value>, DoesNotFit> {
        let read = history.iter().filter_map(|value| Message::from_openai(value).ok());
        let turn = Turn {
            message: current_message.to_owned(),
            history: read.map(Arc::new).collect(),
            pictures: pictures::read(with.media).0,
            skills: with.skill_names.iter().map(|name| (*name).to_owned()).collect(),
            channel: with.channel.map(str::to_owned),
            chat: with.chat_id.map(str::to_owned),
            now: Some(Zoned::now()),
            ..Turn::default()
        };
        Ok(openai::messages(&self.context(&turn)?.context.prompt))
    }

    /// Adds what the model said. The content is always there, even when it is null: some providers
    /// reject a message without the key.
    pub fn add_assistant_message(
        &self,
        messages: &mut Vec<Value>,
        content: Option<&str>,
        tool_calls: &[Value],
        reasoning_content: Option<&str>,
    ) {
        let mut message = Map::new();
        message.insert("role".into(), json!("assistant"));
        message.insert("content".into(), json!(content));
        if !tool_calls.is_empty() {
            message.insert("tool_calls".into(), json!(tool_calls));
        }
        if let Some(reasoning) = reasoning_content {
            message.insert("reasoning_content".into(), json!(reasoning));
        }
        messages.push(Value::Object(message));
    }

    /// Adds what a tool returned.
    pub fn add_tool_result(
        &self,
        messages: &mut Vec<Value>,
        tool_call_id: &str,
        tool_name: &str,
        result: &str,
    ) {
        messages.push(json!({
            "role": "tool",
            "tool_call_id": tool_call_id,
            "name": tool_name,
            "content": result,
        }));
    }
}
