//! Which step of the script answers a request.

use crate::fault::Fault;
use crate::script::{Script, Step, Then, When};
use crate::seen::Seen;

/// How far a script has been played.
#[derive(Debug, Default)]
pub(crate) struct Play {
    /// How many of the steps were given.
    given: usize,
    /// How often each rule was used.
    used: Vec<usize>,
}

impl Play {
    /// The answer to the next request.
    pub(crate) fn next(&mut self, script: &Script, seen: &Seen) -> Step {
        self.used.resize(script.rules.len(), 0);
        for (rule, used) in script.rules.iter().zip(&mut self.used) {
            if rule.times.is_none_or(|times| *used < times) && fits(&rule.when, seen) {
                *used += 1;
                return rule.answer.clone();
            }
        }
        self.given += 1;
        let step = script.steps.get(self.given - 1);
        step.cloned().unwrap_or_else(|| after_the_last(script))
    }
}

fn after_the_last(script: &Script) -> Step {
    match (script.then, script.steps.last()) {
        (Then::Repeat, Some(last)) => last.clone(),
        (Then::Ok | Then::Repeat, _) => Step::says("ok"),
        (Then::Fail, _) => Step::fails(Fault::Status {
            status: 500,
            retry_after: None,
            message: Some("the script has no more steps".into()),
        }),
    }
}

fn fits(when: &When, seen: &Seen) -> bool {
    let holds = |part: &Option<String>, text: &str| {
        part.as_ref().is_none_or(|part| text.contains(part.as_str()))
    };
    when.tool.is_some() == seen.ends_with_tool
        && holds(&when.tool, &seen.last_tool)
        && holds(&when.user, &seen.last_user)
        && holds(&when.system, &seen.system)
        && holds(&when.model, &seen.model)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> Seen {
        Seen { last_user: text.into(), ..Seen::default() }
    }

    fn tool(user: &str, result: &str) -> Seen {
        let (last_user, last_tool) = (user.to_owned(), result.to_owned());
        Seen { last_user, last_tool, ends_with_tool: true, ..Seen::default() }
    }

    #[test]
    fn rules_come_before_steps_and_steps_go_in_order() {
        let script = r#"{
            "rules": [
                {"when": {"user": "spokes"}, "times": 1, "answer": {"text": "first"}},
                {"when": {"user": "spokes"}, "answer": {"text": "later"}},
                {"when": {"user": "spokes", "tool": "12"}, "answer": {"text": "twelve"}}
            ],
            "steps": [{"text": "one"}, {"text": "two"}],
            "then": "repeat"
        }"#;
        let script = Script::from_json(script).unwrap();
        let mut play = Play::default();
        let mut next = |seen: Seen| play.next(&script, &seen).text;
        assert_eq!(next(user("the spokes?")), "first");
        assert_eq!(next(user("hello")), "one");
        assert_eq!(next(user("the spokes?")), "later");
        assert_eq!(next(tool("the spokes?", "SPK;12")), "twelve");
        assert_eq!(next(tool("the rims?", "RIM;12")), "two");
        assert_eq!(next(user("hello")), "two");
    }

    #[test]
    fn a_script_that_has_run_out_says_so_when_it_is_told_to() {
        let script = Script::from_json(r#"{"then": "fail"}"#).unwrap();
        let fault = Play::default().next(&script, &user("hello")).fault;
        assert!(matches!(fault, Some(Fault::Status { status: 500, .. })), "{fault:?}");
        let step = Play::default().next(&Script::default(), &user("hello"));
        assert_eq!(step.text, "ok");
    }
}
