//! What an agent can do besides talking: one file per tool.
//!
//! A tool takes JSON arguments and gives text for a model. Its text says what is true and what to
//! try, never a stack trace. What comes from outside (a file, a program, a page) is data: it is kept
//! apart from the tool's own words, and fenced before a model sees it.

mod disk;
pub mod edit_file;
pub mod exec;
mod glob;
mod line_ends;
pub mod list_dir;
mod memory_file;
pub mod message;
pub mod read_file;
pub mod recall;
pub mod sandbox;
pub mod search_files;
pub mod spawn;
#[cfg(test)]
mod testing;
mod toolbox;
pub mod web_fetch;
pub mod web_search;
pub mod write_file;

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use louver_context::snapshot::ToolSchema;
use louver_store::Folder;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

pub use exec::ExecConfig;
pub use toolbox::Toolbox;

use crate::permit::Guarded;
use crate::web::WebSettings;

/// A future that a tool gives back.
pub type Running<'a> = Pin<Box<dyn Future<Output = Output> + Send + 'a>>;

/// Something an agent can do.
///
/// A trait, because the list is not ours: MCP servers bring their own.
pub trait Tool: Send + Sync {
    /// What the model is told of it.
    fn schema(&self) -> ToolSchema;

    /// Whether it changes nothing, so that it may run beside other calls.
    fn only_reads(&self) -> bool {
        false
    }

    /// Does it. Dropping the future stops it, and what it started.
    fn run<'a>(&'a self, arguments: Value, desk: &'a Desk) -> Running<'a>;
}

/// Gives what earlier results left behind, by its handle.
pub type Kept = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// How the tools that can be set behave: the `[tools]` tables, and what they need besides.
#[derive(Clone, Default)]
pub struct ToolSettings {
    /// `[tools.exec]`
    pub exec: ExecConfig,
    /// `[tools.web]`
    pub web: WebSettings,
    /// What searches the web, as `[tools.search]` has it.
    pub search: Option<web_search::WebSearch>,
    /// What reminds turns; without it nothing can be recalled or forgotten.
    pub reminder: Option<recall::Shared>,
    /// What commands do not write, because it tells the agent what to be.
    pub guarded: Guarded,
}

/// All tools that louver brings, in the order in which a model is told of them.
pub fn all(settings: &ToolSettings) -> Vec<Arc<dyn Tool>> {
    let search = settings.search.clone().map(|tool| Arc::new(tool) as Arc<dyn Tool>);
    let mut all: Vec<Arc<dyn Tool>> = vec![
        Arc::new(read_file::ReadFile),
        Arc::new(write_file::WriteFile),
        Arc::new(edit_file::EditFile),
        Arc::new(list_dir::ListDir),
        Arc::new(search_files::SearchFiles),
        Arc::new(exec::Exec::new(settings.exec.clone()).guarding(settings.guarded.clone())),
        Arc::new(web_fetch::WebFetch::new(&settings.web)),
    ];
    all.extend(search);
    all.extend(recall::all(settings.reminder.as_ref()));
    all.extend([Arc::new(message::MessageTool) as Arc<dyn Tool>, Arc::new(spawn::SpawnTool)]);
    all
}

/// The names of all tools that louver may bring, whatever the settings leave of them.
pub const NAMES: &[&str] = &[
    "read_file",
    "write_file",
    "edit_file",
    "list_dir",
    "search_files",
    "exec",
    "web_fetch",
    "web_search",
    "recall",
    "expand",
    "remember",
    "forget",
    "message",
    "spawn",
];

/// What a tool has at hand while it runs.
#[derive(Clone)]
pub struct Desk {
    /// The workspace and the roots its owner allowed, as [`Desk::folder_for`] gives it. Nothing else on the
    /// disk is in reach.
    pub folder: Arc<Folder>,
    /// The session that asks.
    pub session: String,
    /// The channel it is on.
    pub channel: String,
    /// The chat within that channel.
    pub chat: String,
    /// Whether the agent is in company, and nothing may be known that is remembered of the owner.
    pub others: bool,
    /// The whole of a long result.
    pub kept: Kept,
    /// The names of the messages that the model sees, as notes have them.
    pub in_view: Arc<HashSet<String>>,
    /// How many subagents were started for what the person said.
    pub started: Arc<AtomicU32>,
    /// Where a tool says what others must do: send a message, start a subagent.
    pub out: UnboundedSender<Wish>,
}

impl Desk {
    /// What tools have of a folder: in company not what is remembered of the owner.
    pub fn folder_for(folder: &Arc<Folder>, others: bool) -> Arc<Folder> {
        match others {
            true => Arc::new(folder.without_private()),
            false => folder.clone(),
        }
    }
}

/// What a tool cannot do itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Say something to a person now, before the turn ends.
    Say {
        /// The channel to say it on.
        channel: String,
        /// The chat within that channel.
        chat: String,
        /// The words.
        text: String,
    },
    /// Start a subagent with a session of its own.
    Spawn {
        /// The session its result goes back to.
        session: String,
        /// What it is to do.
        task: String,
        /// A few words for it.
        label: String,
    },
}

/// What a tool gives back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// The tool's own words: what was done, what is true, what to try.
    pub words: String,
    /// What came from outside, as it came. It is fenced before a model sees it.
    pub data: Option<String>,
    /// All of that, where `data` has only a part of it. It is kept beside the log.
    pub whole: Option<String>,
    /// Whether the tool did not do what it was asked.
    pub failed: bool,
}

impl Output {
    /// The tool's own words.
    pub fn said(words: impl Into<String>) -> Output {
        Output { words: words.into(), ..Output::default() }
    }

    /// Why it could not be done, and what to try.
    pub fn failed(words: impl Into<String>) -> Output {
        Output { words: words.into(), failed: true, ..Output::default() }
    }

    /// The same with what came from outside.
    #[must_use]
    pub fn with(mut self, data: impl Into<String>) -> Output {
        self.data = Some(data.into());
        self
    }
}

/// A tool's schema, made from the type of its arguments. The doc comments of the type's fields are
/// what the model reads of them.
pub fn schema<A: JsonSchema>(name: &str, description: &str) -> ToolSchema {
    let settings = schemars::generate::SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut parameters = settings.into_generator().into_root_schema_for::<A>().to_value();
    lean(&mut parameters);
    ToolSchema { name: name.into(), description: description.into(), parameters }
}

/// Takes out of a schema what costs tokens and tells a model nothing.
fn lean(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for key in ["$schema", "title", "format", "minimum"] {
                if !fields.get(key).is_some_and(Value::is_object) {
                    fields.shift_remove(key);
                }
            }
            // An option that may be left out need not say that it may also be null.
            if let Some(Value::Array(types)) = fields.get_mut("type") {
                types.retain(|of| of != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    fields.insert("type".into(), only);
                }
            }
            fields.values_mut().for_each(lean);
        }
        Value::Array(items) => items.iter_mut().for_each(lean),
        _ => {}
    }
}

/// Arguments as their type, or words for the model about what is wrong with them.
pub fn arguments<A: DeserializeOwned>(arguments: Value) -> Result<A, Output> {
    serde_json::from_value(arguments)
        .map_err(|error| Output::failed(format!("the arguments do not fit the schema: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Example {
        /// Which file.
        path: String,
        /// How many lines.
        lines: Option<u32>,
    }

    #[test]
    fn a_schema_says_what_a_model_needs_and_no_more() {
        let schema = schema::<Example>("example", "An example.");
        let expected = serde_json::json!({
            "type": "object",
            "properties": {
                "path": {"description": "Which file.", "type": "string"},
                "lines": {"description": "How many lines.", "type": "integer"},
            },
            "required": ["path"],
        });
        assert_eq!(schema.parameters, expected);
    }

    #[test]
    fn arguments_that_do_not_fit_are_told_in_words() {
        let wrong = arguments::<Example>(serde_json::json!({"lines": 3})).err().unwrap();
        assert_eq!(wrong.words, "the arguments do not fit the schema: missing field `path`");
    }
}
