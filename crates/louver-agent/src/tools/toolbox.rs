//! The tools on offer, in an order that stays, and how a call finds its own.

use std::sync::Arc;

use louver_context::ToolCall;
use louver_context::render::safe;
use louver_context::snapshot::ToolSchema;
use serde_json::Value;

use super::{Output, Tool};

/// The tools on offer.
#[derive(Clone, Default)]
pub struct Toolbox {
    tools: Vec<Arc<dyn Tool>>,
    schemas: Arc<[ToolSchema]>,
}

/// A call to a tool that is not there is told so many that are: with servers there may be hundreds.
const NAMED: usize = 20;

impl Toolbox {
    /// These tools, in this order. Of two with one name the first counts. Names are as servers take them: `my tool`
    /// is offered as `my_tool`, called so, and met by rules under that name.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Toolbox {
        let mut kept: Vec<Arc<dyn Tool>> = Vec::new();
        let mut schemas: Vec<ToolSchema> = Vec::new();
        for tool in tools {
            let mut schema = tool.schema();
            schema.name = safe::name(&schema.name).into();
            schema.parameters = safe::parameters(&schema.parameters).into_owned();
            if !schemas.iter().any(|known| known.name == schema.name) {
                schemas.push(schema);
                kept.push(tool);
            }
        }
        Toolbox { tools: kept, schemas: schemas.into() }
    }

    /// These and more, after them.
    #[must_use]
    pub fn with(&self, more: Vec<Arc<dyn Tool>>) -> Toolbox {
        match more.is_empty() {
            true => self.clone(),
            false => Toolbox::new(self.tools.iter().cloned().chain(more).collect()),
        }
    }

    /// These but for some.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Toolbox {
        let stays = |(_, schema): &(&Arc<dyn Tool>, &ToolSchema)| !names.contains(&&*schema.name);
        let kept = self.tools.iter().zip(self.schemas.iter()).filter(stays);
        Toolbox::new(kept.map(|(tool, _)| tool.clone()).collect())
    }

    /// What the model is told of them.
    pub fn schemas(&self) -> Arc<[ToolSchema]> {
        self.schemas.clone()
    }

    /// The tool of that name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let at = self.schemas.iter().position(|schema| &*schema.name == name)?;
        self.tools.get(at)
    }

    /// Whether a call must not run beside others.
    pub fn is_alone(&self, call: &ToolCall) -> bool {
        self.get(&call.name).is_some_and(|tool| !tool.only_reads())
    }

    /// The names of the tools; of many those that are most like this one.
    fn nearest(&self, name: &str) -> String {
        let mut names: Vec<&str> = self.schemas.iter().map(|schema| &*schema.name).collect();
        let more = names.len().saturating_sub(NAMED);
        if more > 0 {
            let like = |other: &str| match other.contains(name) {
                true => 1.0,
                false => strsim::jaro_winkler(name, other),
            };
            names.sort_by(|a, b| like(b).total_cmp(&like(a)));
            names.truncate(NAMED);
        }
        let names = names.join(", ");
        if more > 0 { format!("{names} and {more} more") } else { names }
    }

    /// The tool of a call and its arguments, or words for the model about what is wrong with it.
    pub fn find(&self, call: &ToolCall) -> Result<(Arc<dyn Tool>, Value), Output> {
        let Some(tool) = self.get(&call.name) else {
            return Err(Output::failed(format!(
                "there is no tool `{}`; there are {}",
                call.name,
                self.nearest(&call.name)
            )));
        };
        let text = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
        let arguments = match serde_json::from_str::<Value>(text) {
            // Some models write the object as a string.
            Ok(Value::String(inner)) => serde_json::from_str(&inner).unwrap_or_default(),
            Ok(arguments) => arguments,
            Err(error) => {
                return Err(Output::failed(format!(
                    "the arguments are not JSON ({error}); write the whole call again"
                )));
            }
        };
        match missing(&tool.schema(), &arguments) {
            _ if !arguments.is_object() => Err(not_an_object()),
            // Nobody is asked about a call that cannot be run.
            Some(field) => Err(Output::failed(format!(
                "the arguments do not fit the schema: missing field `{field}`"
            ))),
            None => Ok((tool.clone(), arguments)),
        }
    }
}

/// What a tool cannot do without and was not given.
fn missing(schema: &ToolSchema, arguments: &Value) -> Option<String> {
    let required = schema.parameters.get("required")?.as_array()?;
    let missing =
        required.iter().filter_map(Value::as_str).find(|&name| arguments.get(name).is_none());
    missing.map(str::to_owned)
}

fn not_an_object() -> Output {
    Output::failed("the arguments must be a JSON object; write the call again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::message::MessageTool;
    use crate::tools::spawn::SpawnTool;
    use crate::tools::{Desk, Running};

    fn call(name: &str, arguments: &str) -> ToolCall {
        let (name, arguments) = (name.into(), arguments.into());
        ToolCall { id: "1".into(), name, arguments, extra: Default::default() }
    }

    #[test]
    fn a_call_that_cannot_be_run_is_told_why() {
        let toolbox = Toolbox::new(vec![Arc::new(MessageTool), Arc::new(SpawnTool)]);
        let wrong = |name: &str, arguments: &str| {
            toolbox.find(&call(name, arguments)).map(|_| ()).unwrap_err().words
        };
        assert_eq!(wrong("mesage", "{}"), "there is no tool `mesage`; there are message, spawn");
        let many = Toolbox {
            schemas: (0..50)
                .map(|n| ToolSchema {
                    name: format!("mcp_a_{n}_get").into(),
                    ..toolbox.schemas[0].clone()
                })
                .collect(),
            ..toolbox.clone()
        };
        let told = many.find(&call("a_42_get", "{}")).map(|_| ()).unwrap_err().words;
        assert!(
            told.starts_with("there is no tool `a_42_get`; there are mcp_a_42_get, "),
            "{told}"
        );
        assert!(told.ends_with(" and 30 more"), "{told}");
        assert!(wrong("message", "{\"text\": \"ha").starts_with("the arguments are not JSON (EOF"));
        assert!(wrong("message", "[1]").contains("must be a JSON object"));
        assert!(wrong("message", "\"hi\"").contains("must be a JSON object"));
        assert_eq!(
            wrong("spawn", "{\"label\": \"x\"}"),
            "the arguments do not fit the schema: missing field `task`"
        );
    }

    struct Odd;

    impl Tool for Odd {
        fn schema(&self) -> ToolSchema {
            ToolSchema {
                name: "my tool.v2".into(),
                description: String::new(),
                parameters: Value::Null,
            }
        }

        fn run<'a>(&'a self, _: Value, _: &'a Desk) -> Running<'a> {
            Box::pin(async { Output::said("") })
        }
    }

    #[test]
    fn a_tool_is_found_by_the_name_under_which_it_is_offered() {
        let toolbox = Toolbox::new(vec![Arc::new(Odd)]);
        let offered = &toolbox.schemas()[0];
        assert_eq!(&*offered.name, "my_tool_v2");
        assert!(offered.parameters.is_object());
        assert!(toolbox.find(&call("my_tool_v2", "{}")).is_ok());
        assert!(toolbox.find(&call("my tool.v2", "{}")).is_err(), "rules go by one name");
    }

    #[test]
    fn arguments_inside_a_string_are_taken_out() {
        let toolbox = Toolbox::new(vec![Arc::new(MessageTool)]);
        let (_, arguments) = toolbox.find(&call("message", r#""{\"text\": \"hi\"}""#)).unwrap();
        assert_eq!(arguments, serde_json::json!({"text": "hi"}));
        let nothing = Toolbox::new(vec![Arc::new(crate::tools::list_dir::ListDir)]);
        assert!(nothing.find(&call("list_dir", " ")).is_ok());
    }

    #[test]
    fn tools_can_be_added_and_taken_away() {
        let toolbox = Toolbox::new(vec![Arc::new(MessageTool)]);
        let both = toolbox.with(vec![Arc::new(SpawnTool), Arc::new(MessageTool)]);
        assert_eq!(both.schemas().len(), 2);
        assert!(both.without(&["message"]).get("message").is_none());
    }
}
