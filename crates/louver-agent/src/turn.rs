//! One turn as a machine that decides and never waits.
//!
//! The driver asks for the next [`Step`], does it, and tells the turn what came of it. Nothing here is
//! async and nothing is read, so every path can be tested by hand.

use std::collections::HashMap;

use louver_context::ToolCall;

use crate::reply::{Finish, Reply};

/// How many steps a turn may have, unless configured.
pub const MAX_ITERATIONS: u32 = 40;

/// A call that failed so often with the same arguments is not run again.
const ENOUGH_FAILURES: u32 = 3;

/// So many calls that were not run for that reason end the turn.
const ENOUGH_REFUSALS: u32 = 3;

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Ask the model.
    Ask,
    /// Run these calls; what is in one group may run side by side, the groups follow each other.
    Run(Vec<Vec<ToolCall>>),
    /// The turn is over.
    Done(End),
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// With an answer.
    Answered,
    /// With an answer that reached the most tokens it may have.
    CutOff,
    /// The provider withheld the answer.
    Filtered,
    /// The model said nothing, twice.
    Silent,
    /// After as many steps as a turn may have.
    OutOfSteps(u32),
    /// The model repeated a call that cannot work.
    Stuck(String),
    /// The person stopped it.
    Stopped,
}

/// What a turn has seen so far.
#[derive(Debug, Clone)]
pub struct Turn {
    most: u32,
    asked: u32,
    silent: bool,
    refused: u32,
    /// How often each call failed, by its name and arguments.
    failures: HashMap<(String, String), u32>,
}

impl Turn {
    /// A turn of at most so many steps.
    pub fn new(most: u32) -> Turn {
        Turn { most: most.max(1), asked: 0, silent: false, refused: 0, failures: HashMap::new() }
    }

    /// What comes first.
    pub fn first(&mut self) -> Step {
        self.asked = 1;
        Step::Ask
    }

    /// What follows a reply. `alone` says which calls must not run beside others.
    pub fn replied(&mut self, reply: &Reply, alone: impl Fn(&ToolCall) -> bool) -> Step {
        let calls = &reply.message.calls;
        if !calls.is_empty() {
            self.silent = false;
            return Step::Run(groups(calls, alone));
        }
        match reply.finish {
            Finish::Length => Step::Done(End::CutOff),
            Finish::Filtered => Step::Done(End::Filtered),
            _ if !reply.message.is_silent() => Step::Done(End::Answered),
            // Some models stop for no reason; once they are asked again.
            _ if self.silent => Step::Done(End::Silent),
            _ => {
                self.silent = true;
                self.again()
            }
        }
    }

    /// Whether a call may be run; if not, what the model is told in place of a result.
    pub fn refuses(&mut self, call: &ToolCall) -> Option<String> {
        let failed = self.failures.get(&key(call)).copied().unwrap_or(0);
        if failed < ENOUGH_FAILURES {
            return None;
        }
        self.refused += 1;
        Some(format!(
            "not run: `{}` failed {failed} times with exactly these arguments; change them, try \
             another way, or tell the person what is in the way",
            call.name
        ))
    }

    /// Notes how a call ended.
    pub fn ran(&mut self, call: &ToolCall, failed: bool) {
        match failed {
            true => *self.failures.entry(key(call)).or_default() += 1,
            false => drop(self.failures.remove(&key(call))),
        }
    }

    /// What follows the last of a reply's results.
    pub fn all_ran(&mut self, last: &ToolCall) -> Step {
        match self.refused >= ENOUGH_REFUSALS {
            true => Step::Done(End::Stuck(last.name.to_string())),
            false => self.again(),
        }
    }

    fn again(&mut self) -> Step {
        if self.asked >= self.most {
            return Step::Done(End::OutOfSteps(self.most));
        }
        self.asked += 1;
        Step::Ask
    }
}

impl End {
    /// What the person is told, when it is not simply an answer.
    pub fn explained(&self) -> Option<String> {
        Some(match self {
            End::Answered => return None,
            End::CutOff => "the answer reached the most tokens it may have; say `go on`, or set a \
                            larger `reply`"
                .to_owned(),
            End::Filtered => "the provider withheld the answer".to_owned(),
            End::Silent => {
                "the model answered nothing, twice; say it in other words, or try another \
                            model"
                    .to_owned()
            }
            End::OutOfSteps(steps) => format!(
                "stopped after {steps} steps; say `go on` to give it more, or set \
                 `max_iterations`"
            ),
            End::Stuck(tool) => {
                format!("stopped: the model kept repeating a `{tool}` that cannot work")
            }
            End::Stopped => "stopped; what was finished is kept".to_owned(),
        })
    }
}

fn key(call: &ToolCall) -> (String, String) {
    (call.name.to_string(), call.arguments.to_string())
}

/// The calls in their order, those that may run side by side together.
fn groups(calls: &[ToolCall], alone: impl Fn(&ToolCall) -> bool) -> Vec<Vec<ToolCall>> {
    let mut groups: Vec<Vec<ToolCall>> = Vec::new();
    let mut open = false;
    for call in calls {
        let alone = alone(call);
        match groups.last_mut() {
            Some(group) if open && !alone => group.push(call.clone()),
            _ => groups.push(vec![call.clone()]),
        }
        open = !alone;
    }
    groups
}

#[cfg(test)]
mod tests {
    use louver_context::{Content, Message, Role};

    use super::*;

    fn call(name: &str, arguments: &str) -> ToolCall {
        let (name, arguments) = (name.into(), arguments.into());
        ToolCall { id: "1".into(), name, arguments, extra: Default::default() }
    }

    fn says(text: &str, finish: Finish) -> Reply {
        Reply { message: Message::text(Role::Assistant, text), finish, usage: None }
    }

    fn calls(calls: &[ToolCall]) -> Reply {
        let mut message = Message::new(Role::Assistant, Content::Null);
        message.calls = calls.to_vec();
        Reply { message, finish: Finish::Calls, usage: None }
    }

    fn never(_: &ToolCall) -> bool {
        false
    }

    #[test]
    fn words_end_a_turn_and_calls_do_not() {
        let mut turn = Turn::new(5);
        assert_eq!(turn.first(), Step::Ask);
        let read = call("read_file", "{}");
        let step = turn.replied(&calls(std::slice::from_ref(&read)), never);
        assert_eq!(step, Step::Run(vec![vec![read.clone()]]));
        assert_eq!(turn.all_ran(&read), Step::Ask);
        assert_eq!(turn.replied(&says("done", Finish::Stop), never), Step::Done(End::Answered));
    }

    #[test]
    fn a_model_that_never_stops_is_stopped() {
        let mut turn = Turn::new(3);
        let mut step = turn.first();
        let mut asked = 0;
        while step == Step::Ask {
            asked += 1;
            let look = call("list_dir", &format!("{{\"n\":{asked}}}"));
            turn.replied(&calls(std::slice::from_ref(&look)), never);
            step = turn.all_ran(&look);
        }
        assert_eq!((asked, step), (3, Step::Done(End::OutOfSteps(3))));
    }

    #[test]
    fn a_call_that_cannot_work_is_not_run_for_ever() {
        let mut turn = Turn::new(40);
        let bad = call("read_file", "{\"path\":\"nowhere\"}");
        for _ in 0..3 {
            assert_eq!(turn.refuses(&bad), None);
            turn.ran(&bad, true);
        }
        assert!(turn.refuses(&bad).is_some_and(|words| words.contains("failed 3 times")));
        let other = call("read_file", "{\"path\":\"elsewhere\"}");
        assert_eq!(turn.refuses(&other), None);
        assert_eq!(turn.all_ran(&other), Step::Ask);
        turn.refuses(&bad);
        turn.refuses(&bad);
        assert_eq!(turn.all_ran(&bad), Step::Done(End::Stuck("read_file".into())));
    }

    #[test]
    fn a_failure_that_was_mended_is_forgotten() {
        let mut turn = Turn::new(40);
        let flaky = call("web_fetch", "{}");
        turn.ran(&flaky, true);
        turn.ran(&flaky, true);
        turn.ran(&flaky, false);
        turn.ran(&flaky, true);
        assert_eq!(turn.refuses(&flaky), None);
    }

    #[test]
    fn silence_is_asked_again_once() {
        let mut turn = Turn::new(5);
        turn.first();
        assert_eq!(turn.replied(&says(" ", Finish::Stop), never), Step::Ask);
        assert_eq!(turn.replied(&says("", Finish::Stop), never), Step::Done(End::Silent));
        let cut = Turn::new(5).replied(&says("half", Finish::Length), never);
        assert_eq!(cut, Step::Done(End::CutOff));
    }

    #[test]
    fn what_changes_something_runs_alone_and_in_its_order() {
        let (read, write) = (call("read", "{}"), call("write", "{}"));
        let all = [read.clone(), read.clone(), write.clone(), read.clone(), write.clone()];
        let grouped = groups(&all, |call| &*call.name == "write");
        let sizes: Vec<usize> = grouped.iter().map(Vec::len).collect();
        assert_eq!((sizes, grouped.concat()), (vec![2, 1, 1, 1], all.to_vec()));
    }
}
