//! Whose a session is: the one place that says where the agent is in company.
//!
//! What it remembers of its person belongs to them alone. It is in the prompt, in what is recalled and in
//! reach of tools only in sessions that are theirs and that nobody else reads.

use crate::problem::Problem;

/// Sessions that are the owner's when nothing else is said.
const USUAL: [&str; 2] = ["cli:*", "subagent:*"];

/// Conversations of OpenClaw that have no name there any more, which may be many.
const STRAYS: &str = "openclaw:";

/// What OpenClaw's keys have where several people talk. Nobody is told to make these their own.
const GROUPS: [&str; 2] = [":group:", ":channel:"];

/// So many keys are named in a hint.
const MOST_NAMED: usize = 8;

/// Which sessions are the owner's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Keys of sessions, in which one `*` stands for anything.
    pub sessions: Vec<String>,
}

impl Default for Owner {
    fn default() -> Owner {
        Owner::of(USUAL)
    }
}

impl Owner {
    /// The owner of the sessions with these keys, in which one `*` stands for anything.
    pub fn of<S: Into<String>>(sessions: impl IntoIterator<Item = S>) -> Owner {
        Owner { sessions: sessions.into_iter().map(Into::into).collect() }
    }

    /// Whether a session is the owner's.
    pub fn is_owners(&self, key: &str) -> bool {
        self.sessions.iter().any(|pattern| match pattern.split_once('*') {
            Some((start, end)) => {
                key.len() >= start.len() + end.len() && key.starts_with(start) && key.ends_with(end)
            }
            None => pattern == key,
        })
    }

    /// Whether a session may know only what was said in it: others read along, or it is not the owner's.
    pub fn is_company(&self, key: &str, others: bool) -> bool {
        others || !self.is_owners(key)
    }

    /// The session whose notes may be known in one, and whether only those may. What was said in a session of the
    /// owner's was said to the agent alone: when others read along there, not even that is recalled.
    pub fn known_in<'a>(&self, key: &'a str, others: bool) -> (&'a str, bool) {
        let company = self.is_company(key, others);
        (if company && self.is_owners(key) { "" } else { key }, company)
    }

    /// What a person is told where memory stays out because of a session's key, and what to write if it is
    /// theirs after all.
    pub fn stays_out(&self, key: &str) -> Problem {
        let what = "it is not among your sessions, so what is remembered of you stays out of it";
        let hint = format!(
            "if nobody else is in it, write `{}` under `[recall]` in your own settings; \
             if others are, `--others` says so",
            self.with([key])
        );
        Problem::warning(format!("session `{key}`"), what).hint(hint)
    }

    /// What a person is told of conversations that came in under keys that are not theirs.
    pub fn not_theirs(&self, keys: &[String]) -> Option<Problem> {
        let keys: Vec<&str> =
            keys.iter().map(String::as_str).filter(|key| !self.is_owners(key)).collect();
        let first = keys.first()?;
        let place = match keys.len() {
            1 => format!("session `{first}`"),
            n => format!("session `{first}` and {} more", n - 1),
        };
        let what = "it is not among your sessions, so what was said there is recalled nowhere else";
        let told = Problem::warning(place, what);
        let alone = keys.iter().filter(|key| !GROUPS.iter().any(|group| key.contains(group)));
        let names = alone.map(|key| if key.starts_with(STRAYS) { "openclaw:*" } else { key });
        let mut names = names.peekable();
        if names.peek().is_none() {
            return Some(told);
        }
        let owner = self.with(names);
        Some(told.hint(format!(
            "if nobody else was in there, write `{owner}` under `[recall]` in your own settings"
        )))
    }

    /// The setting that has these keys too.
    fn with<'a>(&'a self, keys: impl IntoIterator<Item = &'a str>) -> String {
        let mut sessions: Vec<&str> = self.sessions.iter().map(String::as_str).collect();
        for key in keys {
            if !sessions.contains(&key) {
                sessions.push(key);
            }
        }
        sessions.truncate(self.sessions.len() + MOST_NAMED);
        format!("owner = {sessions:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_the_owners_by_its_key() {
        let owner = Owner::of(["cli:*", "telegram:12345", "*@home"]);
        for key in ["cli:", "cli:direct", "telegram:12345", "matrix:me@home"] {
            assert!(owner.is_owners(key) && !owner.is_company(key, false), "{key}");
            assert_eq!(owner.known_in(key, false), (key, false));
            assert_eq!(owner.known_in(key, true), ("", true));
        }
        for key in ["cli", "telegram:1234", "telegram:123456", "matrix:me@home.example"] {
            assert!([false, true].iter().all(|others| owner.known_in(key, *others) == (key, true)));
        }
        assert!(Owner::of(["a*a"]).is_company("a", false), "the two ends must not overlap");
    }

    #[test]
    fn a_group_is_told_and_not_offered() {
        let keys = ["cli:direct", "agent:main:telegram:group:-1", "openclaw:a", "openclaw:b"];
        let keys = keys.map(str::to_owned);
        let told = Owner::default().not_theirs(&keys).unwrap();
        assert!(told.path.ends_with("group:-1` and 2 more"), "{}", told.path);
        assert!(told.hint.unwrap().contains(r#"["cli:*", "subagent:*", "openclaw:*"]"#));
        assert_eq!(Owner::default().not_theirs(&keys[1..2]).unwrap().hint, None);
        assert_eq!(Owner::default().not_theirs(&keys[..1]), None);
    }

    #[test]
    fn the_hint_names_every_session_that_is_to_stay_theirs() {
        let hint = Owner::default().stays_out("telegram:555").hint.unwrap();
        assert!(hint.contains(r#"owner = ["cli:*", "subagent:*", "telegram:555"]"#), "{hint}");
    }
}
