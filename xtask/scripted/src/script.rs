//! The script: what is answered, in which order, and how badly.

use serde::Deserialize;
use serde_json::Value;

use crate::embeddings::Embeddings;
use crate::fault::Fault;
use crate::template;

/// What a server answers.
///
/// A request is answered by the first [`Rule`] that fits it; when none does, by the next of the
/// steps; when they have run out, as `then` says.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// Answers for requests that hold certain words, whoever sends them and whenever.
    pub rules: Vec<Rule>,
    /// Answers in the order in which requests come in.
    pub steps: Vec<Step>,
    /// What is answered when the steps have run out.
    pub then: Then,
    /// The models there are; a request for another is answered 404. Empty: every name will do.
    pub models: Vec<String>,
    /// The only key that is let in. Without one every key is, and none as well where the protocol
    /// allows it.
    pub key: Option<String>,
    /// A request of more tokens is answered as too long.
    pub window: Option<u64>,
    /// Fields of a request or a message that are let through besides the published ones.
    pub extra_fields: Vec<String>,
    /// How texts become vectors. Without it there are none to be had: 404.
    pub embeddings: Option<Embeddings>,
}

/// An answer for every request that fits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Which requests it is for.
    #[serde(default)]
    pub when: When,
    /// How often it may be used. Without a number: always.
    #[serde(default)]
    pub times: Option<usize>,
    /// What is answered.
    pub answer: Step,
}

/// Which requests a rule is for. Each field is a part of a text, and all that are given must be there.
///
/// Without `tool` a rule is for requests that end with a person's words: a rule that also fitted the
/// result of the call it makes would call for ever.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct When {
    /// In the newest message of a person.
    pub user: Option<String>,
    /// In the tool result with which the request ends.
    pub tool: Option<String>,
    /// In the system text.
    pub system: Option<String>,
    /// In the model's name.
    pub model: Option<String>,
}

/// What is answered when the steps have run out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// The word "ok".
    #[default]
    Ok,
    /// The last step again.
    Repeat,
    /// An error, 500: the test asked more than it meant to.
    Fail,
}

/// One answer. In its texts and in the arguments of its calls `{{last_user}}`, `{{last_tool}}`,
/// `{{number}}` and `{{model}}` stand for what the request holds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    /// What is said.
    pub text: String,
    /// What is thought before: `reasoning_content` for OpenAI, a signed block for Anthropic.
    pub thinking: String,
    /// The tools that are called.
    pub calls: Vec<Call>,
    /// Why it ends: `stop`, `calls`, `length`, `filtered`, or a word that is sent as it is. Without
    /// one it follows from the calls.
    pub finish: Option<String>,
    /// What it cost. Without it, what was counted.
    pub usage: Option<Usage>,
    /// The most bytes of a streamed fragment. A character is never cut.
    pub chunk: Option<usize>,
    /// How long to wait before each streamed event.
    pub delay_ms: u64,
    /// What goes wrong.
    pub fault: Option<Fault>,
}

/// One call of a tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The tool's name.
    pub name: String,
    /// An object, or a string that is sent as it is, JSON or not.
    #[serde(default)]
    pub arguments: Value,
    /// The call's id. Without one it gets one of its own.
    #[serde(default)]
    pub id: Option<String>,
}

/// What an answer cost, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    /// Sent, those from the cache and those written to it included.
    pub input: u64,
    /// Of them, read from the cache.
    pub cached: u64,
    /// Of them, written to it.
    pub cache_written: u64,
    /// Answered, thinking included.
    pub output: u64,
    /// Of them, thinking.
    pub reasoning: u64,
}

/// A script cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadScript {
    /// It is not JSON, or not of the right shape.
    #[error("the script cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// A template names something that is not known.
    #[error("the script holds `{{{{{0}}}}}`; there are {names}", names = template::NAMES.join(", "))]
    Template(String),
}

impl Script {
    /// Reads a script. A list is a script of steps alone.
    pub fn from_json(text: &str) -> Result<Script, BadScript> {
        Script::from_value(serde_json::from_str(text)?)
    }

    /// The same from a value, so that a test can write its script with `json!`.
    pub fn from_value(value: Value) -> Result<Script, BadScript> {
        let script = match value {
            Value::Array(_) => {
                Script { steps: serde_json::from_value(value)?, ..Script::default() }
            }
            value => serde_json::from_value(value)?,
        };
        script.check_templates()?;
        Ok(script)
    }

    fn check_templates(&self) -> Result<(), BadScript> {
        let answers = self.rules.iter().map(|rule| &rule.answer).chain(&self.steps);
        for step in answers {
            let arguments = step.calls.iter().map(|call| call.arguments.to_string());
            for text in [step.text.clone(), step.thinking.clone()].into_iter().chain(arguments) {
                if let Some(name) = template::unknown(&text) {
                    return Err(BadScript::Template(name));
                }
            }
        }
        Ok(())
    }
}

impl Step {
    /// An answer of words alone.
    pub fn says(text: impl Into<String>) -> Step {
        Step { text: text.into(), ..Step::default() }
    }

    /// An answer that calls one tool.
    pub fn calls(name: impl Into<String>, arguments: Value) -> Step {
        let call = Call { name: name.into(), arguments, id: None };
        Step { calls: vec![call], ..Step::default() }
    }

    /// An answer that goes wrong.
    pub fn fails(fault: Fault) -> Step {
        Step { fault: Some(fault), ..Step::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_a_script_of_steps() {
        let script = Script::from_json(r#"[{"text": "one"}, {"text": "two"}]"#).unwrap();
        assert_eq!(script.steps.len(), 2);
        assert_eq!(script.then, Then::Ok);
    }

    #[test]
    fn a_misspelt_field_is_told() {
        let error = Script::from_json(r#"{"steps": [{"txt": "one"}]}"#).unwrap_err();
        assert!(error.to_string().contains("unknown field `txt`"), "{error}");
    }

    #[test]
    fn a_misspelt_template_is_told() {
        let error = Script::from_json(r#"[{"text": "you said {{user}}"}]"#).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the script holds `{{user}}`; there are last_user, last_tool, number, model"
        );
    }

    #[test]
    fn every_fault_has_a_name() {
        let script = r#"[
            {"fault": "empty"}, {"fault": "malformed"}, {"fault": "no_index"}, {"fault": "endless"},
            {"fault": "hang"}, {"fault": "close"}, {"fault": "html"}, {"fault": "wrong_type"},
            {"fault": "unfinished"}, {"fault": "stream_error"}, {"fault": "key_echoed"},
            {"fault": "quota"}, {"fault": {"cut": 10}}, {"fault": {"slow_ms": 1}},
            {"fault": {"ids": "duplicate"}}, {"fault": {"too_long": "llama.cpp"}},
            {"fault": "too_long"}, {"fault": {"status": 429, "retry_after": "2"}}
        ]"#;
        assert_eq!(Script::from_json(script).unwrap().steps.len(), 18);
        let error = Script::from_json(r#"[{"fault": "flood"}]"#).unwrap_err();
        assert!(error.to_string().contains("a fault is one of"), "{error}");
    }
}
