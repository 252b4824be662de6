//! Running the tools that a reply calls, as far as they may.

use std::collections::HashMap;
use std::sync::Arc;

use louver_context::ToolCall;
use louver_context::snapshot::ToolSchema;
use louver_store::library::notes_in_view;
use louver_store::session;
use louver_store::session::event::{Call, Event};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::{Run, TurnFailed};
use crate::happening::{Answer, Happening};
use crate::permit::Verdict;
use crate::tools::{Output, Tool};
use crate::turn::{End, Step};

/// The result of a call that the person did not let come to its end.
const STOPPED: &str = "stopped by the person";

impl Run<'_> {
    /// Runs calls, group by group. What is stopped gets a result that says so.
    pub(super) async fn run(&mut self, groups: Vec<Vec<ToolCall>>) -> Result<Step, TurnFailed> {
        let last = groups.last().and_then(|group| group.last()).cloned();
        for group in groups {
            let stopped = self.run_group(&group).await?;
            self.fulfil();
            if stopped {
                return Ok(Step::Done(End::Stopped));
            }
        }
        Ok(last.map_or(Step::Done(End::Answered), |last| self.machine.all_ran(&last)))
    }

    /// Runs calls side by side. Says whether the person stopped them.
    async fn run_group(&mut self, group: &[ToolCall]) -> Result<bool, TurnFailed> {
        let (view, _) = self.conversation.session().view();
        self.desk.in_view = Arc::new(notes_in_view(
            self.agent.folder.path(),
            &self.inbound.session,
            &view.messages,
        ));
        let mut running = JoinSet::new();
        let mut open: HashMap<tokio::task::Id, &ToolCall> = HashMap::new();
        for call in group {
            if self.stop.is_stopped() {
                self.returned(call, &Output::failed(STOPPED))?;
                continue;
            }
            match self.admit(call).await? {
                Ok((tool, arguments)) => {
                    let desk = self.desk.clone();
                    let task = running.spawn(async move { tool.run(arguments, &desk).await });
                    open.insert(task.id(), call);
                }
                Err(output) => self.returned(call, &output)?,
            }
        }
        while !open.is_empty() {
            let done = tokio::select! {
                biased;
                () = self.stop.stopped() => None,
                done = running.join_next_with_id() => done,
            };
            let (id, output) = match done {
                Some(Ok(done)) => done,
                Some(Err(broken)) => {
                    (broken.id(), Output::failed("the tool broke; try another way"))
                }
                None => break,
            };
            let Some(call) = open.remove(&id) else { continue };
            self.machine.ran(call, output.failed);
            self.returned(call, &output)?;
        }
        for call in group.iter().filter(|call| open.values().any(|open| open.id == call.id)) {
            self.returned(call, &Output::failed(STOPPED))?;
        }
        Ok(self.stop.is_stopped())
    }

    /// The tool of a call, when it can and may run; else what the model is told.
    #[allow(clippy::type_complexity, reason = "two ways to fail: the log, and the call")]
    async fn admit(
        &mut self,
        call: &ToolCall,
    ) -> Result<Result<(Arc<dyn Tool>, Value), Output>, TurnFailed> {
        self.note(Event::Call(Call {
            id: call.id.to_string(),
            name: call.name.to_string(),
            arguments: call.arguments.to_string(),
            ..Call::default()
        }))?;
        if let Some(words) = self.machine.refuses(call) {
            return Ok(Err(Output::failed(words)));
        }
        let (tool, arguments) = match self.toolbox.find(call) {
            Ok(found) => found,
            Err(output) => {
                self.machine.ran(call, true);
                return Ok(Err(output));
            }
        };
        let _ = self.ears.send(Happening::Calls {
            id: call.id.to_string(),
            name: call.name.to_string(),
            arguments: arguments.clone(),
        });
        match self.may(&tool.schema(), &arguments).await {
            Ok(()) => Ok(Ok((tool, arguments))),
            Err(words) => {
                self.machine.ran(call, true);
                Ok(Err(Output::failed(words)))
            }
        }
    }

    /// Whether a tool may do this; if not, what the model is told.
    async fn may(&self, tool: &ToolSchema, arguments: &Value) -> Result<(), String> {
        let name = &*tool.name;
        match self.agent.permits.verdict(tool, arguments) {
            Verdict::Allow => return Ok(()),
            Verdict::Deny => {
                return Err(format!(
                    "the settings do not allow this use of `{name}`; do without it"
                ));
            }
            Verdict::Ask => {}
        }
        if self.granted(name) {
            return Ok(());
        }
        let (answer, heard) = oneshot::channel();
        let _ = self.ears.send(Happening::Asks {
            name: name.to_owned(),
            arguments: arguments.clone(),
            answer,
        });
        let answer = tokio::select! {
            biased;
            () = self.stop.stopped() => return Err(STOPPED.into()),
            heard = heard => heard.unwrap_or(Answer::Nobody),
        };
        match answer {
            Answer::Yes => Ok(()),
            Answer::Always => {
                let mut granted =
                    self.agent.granted.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                granted.insert(name.to_owned());
                Ok(())
            }
            Answer::No => Err("the person said no; do not try it again, ask what they want".into()),
            Answer::Nobody => Err(format!(
                "`{name}` needs the person's word and nobody is there to ask; do without it, and say \
                 in your answer what you would have done"
            )),
        }
    }

    fn granted(&self, name: &str) -> bool {
        let granted = self.agent.granted.lock();
        granted.unwrap_or_else(std::sync::PoisonError::into_inner).contains(name)
    }

    /// What a model is told of a tool whose arguments it was not shown, when the call went wrong.
    fn with_schema(&self, call: &ToolCall, output: &Output) -> String {
        let named = |schema: &&ToolSchema| schema.name == call.name;
        let schemas = self.toolbox.schemas();
        let offered = self.context.prompt.tools.iter().find(named);
        match schemas.iter().find(named) {
            Some(whole) if output.failed && offered.is_some_and(|offered| offered != whole) => {
                format!("{}; `{}` takes {}", output.words, call.name, whole.parameters)
            }
            _ => output.words.clone(),
        }
    }

    /// Writes a result down.
    fn returned(&mut self, call: &ToolCall, output: &Output) -> Result<(), TurnFailed> {
        let words = self.with_schema(call, output);
        let kept = session::Output {
            words: &words,
            data: output.data.as_deref(),
            whole: output.whole.as_deref(),
            failed: output.failed,
        };
        let message = self.conversation.result(&call.id, &call.name, &kept)?;
        self.push(message);
        let _ = self.ears.send(Happening::Returned {
            id: call.id.to_string(),
            name: call.name.to_string(),
            summary: summary(output),
            failed: output.failed,
        });
        Ok(())
    }
}

/// One line about what a tool gave back.
fn summary(output: &Output) -> String {
    let text = match output.words.trim() {
        "" => output.data.as_deref().unwrap_or_default(),
        words => words,
    };
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.chars().take(200).collect()
}
