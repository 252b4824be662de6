//! May this tool do this here? Rules on tools and their arguments: allow, ask, deny.
//!
//! A rule names a tool, and may say what an argument must look like: `exec(git status*)`,
//! `write_file(path: notes/*)`, `mcp_*`. What is denied stays denied, what must be asked is asked,
//! and only then is what is allowed allowed. A rule on an argument that its tool does not have is a slip:
//! it denies, or asks about, every use of the tool, and allows none. Rules are convenience, not the wall:
//! the wall is what the kernel confines.

mod guarded;

use std::path::{Path, PathBuf};

use louver_context::snapshot::ToolSchema;
use louver_store::Problem;
use serde::Deserialize;
use serde_json::Value;

pub use self::guarded::Guarded;

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Do it.
    Allow,
    /// Ask the person first.
    Ask,
    /// Do not.
    Deny,
}

/// The `[permissions]` table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PermitConfig {
    /// What may be done without asking.
    pub allow: Vec<String>,
    /// What the person is asked about.
    pub ask: Vec<String>,
    /// What is never done.
    pub deny: Vec<String>,
}

/// Rules, ready to be asked.
///
/// Without rules of the person's own ([`Permits::default`]) louver asks about what its own tools do that reaches past the
/// workspace, and about every tool of an MCP server (`mcp_…`). Of other tools it knows nothing: one that you add is
/// allowed unless a rule names it.
#[derive(Debug, Clone, Default)]
pub struct Permits {
    own: Vec<(Rule, Verdict)>,
    guarded: Guarded,
    /// Where links are followed, if it was said.
    workspace: Option<PathBuf>,
}

/// A rule that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no rule; a rule is `TOOL`, `TOOL(PATTERN)` or `TOOL(ARGUMENT: PATTERN)`")]
pub struct BadRule(pub String);

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    tool: String,
    /// The argument it looks at, or the tool's first, and what that must look like.
    like: Option<(Option<String>, String)>,
}

impl Permits {
    /// The rules of a table, or the first that cannot be understood.
    pub fn new(config: &PermitConfig) -> Result<Permits, BadRule> {
        let lists = [
            (&config.deny, Verdict::Deny),
            (&config.ask, Verdict::Ask),
            (&config.allow, Verdict::Allow),
        ];
        let mut own = Vec::new();
        for (rules, verdict) in lists {
            for rule in rules {
                own.push((Rule::parse(rule)?, verdict));
            }
        }
        Ok(Permits { own, ..Permits::default() })
    }

    /// The same rules, where these files are asked about.
    #[must_use]
    pub fn guarding(self, guarded: Guarded) -> Permits {
        Permits { guarded, ..self }
    }

    /// The same rules in this workspace, where what links lead to is asked about too.
    #[must_use]
    pub fn at(self, workspace: &Path) -> Permits {
        Permits { workspace: Some(workspace.to_owned()), ..self }
    }

    /// The tools that rules name and that are not `known`. What may be meant for tools of an MCP server
    /// is none of them: those are known only when it runs.
    pub fn unknown<'a>(&'a self, known: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let tools = self.own.iter().map(|(rule, _)| rule.tool.as_str());
        tools.filter(|tool| {
            let (head, _) = tool.split_once('*').unwrap_or((tool, ""));
            let of_a_server = head.starts_with("mcp_") || *tool != head && "mcp_".starts_with(head);
            !of_a_server && !known.iter().any(|name| matches(tool, name))
        })
    }

    /// What is wrong with rules on these tools: they look at an argument that the tool does not have.
    pub fn slips(&self, tools: &[ToolSchema]) -> Vec<Problem> {
        let rules = || self.own.iter();
        tools.iter().flat_map(|tool| rules().filter_map(|rule| slip(rule, tool))).collect()
    }

    /// What a call may do. A tool that is not louver's own may do all that no rule forbids or asks about.
    pub fn verdict(&self, tool: &ToolSchema, arguments: &Value) -> Verdict {
        let own = self.own.iter().find(|(rule, verdict)| rule.meets(tool, arguments, *verdict));
        if let Some((_, verdict)) = own {
            return *verdict;
        }
        match self.is_asked(&tool.name, arguments) {
            true => Verdict::Ask,
            false => Verdict::Allow,
        }
    }

    /// What is asked about when no rule of the person's own says anything: whatever reaches past the
    /// workspace, changes what the agent is told to be, or would be run by git unasked.
    fn is_asked(&self, tool: &str, arguments: &Value) -> bool {
        match tool {
            "exec" | "forget" => true,
            "write_file" | "edit_file" => {
                let path = arguments.get("path").and_then(Value::as_str).unwrap_or_default();
                let workspace = self.workspace.as_deref();
                self.guarded.has(path)
                    || workspace.is_some_and(|workspace| self.guarded.holds(workspace, path))
            }
            tool => tool.starts_with("mcp_"),
        }
    }
}

impl Rule {
    fn parse(text: &str) -> Result<Rule, BadRule> {
        let bad = || BadRule(text.to_owned());
        let rule = text.trim();
        let (tool, like) = match rule.split_once('(') {
            None => (rule, None),
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')').ok_or_else(bad)?)),
        };
        let named = |c: char| c.is_ascii_alphanumeric() || "_-*.".contains(c);
        if tool.is_empty() || !tool.chars().all(named) {
            return Err(bad());
        }
        let like = like.map(|like| match like.split_once(": ") {
            Some((argument, pattern))
                if argument.chars().all(|c| c.is_alphanumeric() || c == '_') =>
            {
                (Some(argument.to_owned()), pattern.to_owned())
            }
            _ => (None, like.to_owned()),
        });
        Ok(Rule { tool: tool.to_owned(), like })
    }

    fn meets(&self, tool: &ToolSchema, arguments: &Value, verdict: Verdict) -> bool {
        if !matches(&self.tool, &tool.name) {
            return false;
        }
        let Some((argument, pattern)) = &self.like else { return true };
        if self.missed(tool).is_some() {
            return verdict != Verdict::Allow;
        }
        let given = || arguments.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        // In the order of the schema: a model may write a call's in any.
        let first = || taken(tool).and_then(|mut names| names.next()).or_else(|| given().next());
        let Some(name) = argument.as_deref().or_else(first) else { return false };
        let value = match arguments.get(name) {
            None => return false,
            Some(Value::String(text)) if name == "path" => plain_path(text),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        // `git status*` must not let `git status; rm -r .` through.
        let tricky = verdict == Verdict::Allow
            && &*tool.name == "exec"
            && pattern != "*"
            && is_shell(&value);
        !tricky && matches(pattern, &value)
    }

    /// The argument that the rule looks at, where it names this very tool, which has none of that name.
    fn missed(&self, tool: &ToolSchema) -> Option<&str> {
        let (Some(name), _) = self.like.as_ref()? else { return None };
        let missed = self.tool == *tool.name && taken(tool)?.all(|taken| taken != name);
        missed.then_some(name)
    }
}

/// The arguments of a tool, if its schema says.
fn taken(tool: &ToolSchema) -> Option<impl Iterator<Item = &str>> {
    let taken = tool.parameters.get("properties")?.as_object()?;
    Some(taken.keys().map(String::as_str))
}

/// A rule on an argument that its tool does not have.
fn slip((rule, verdict): &(Rule, Verdict), tool: &ToolSchema) -> Option<Problem> {
    let (name, missed) = (&tool.name, rule.missed(tool)?);
    let what = match verdict {
        Verdict::Allow => "the rule allows nothing",
        Verdict::Ask => "every use of it is asked about",
        Verdict::Deny => "every use of it is denied",
    };
    let what = format!("`{name}` has no argument `{missed}`; {what}");
    let near = |taken: &&str| strsim::jaro_winkler(missed, taken) > 0.8;
    let hint = match taken(tool)?.find(near) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("its arguments: {}", taken(tool)?.collect::<Vec<_>>().join(", ")),
    };
    Some(Problem::warning("permissions", what).hint(hint))
}

/// Whether a command is more than one program and its arguments.
fn is_shell(command: &str) -> bool {
    command.contains([';', '&', '|', '`', '$', '<', '>', '(', ')', '{', '}', '\n', '\r'])
}

/// A path without `.` and `..`, as far as its spelling goes.
fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a text is like a pattern, in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn permits(allow: &[&str], ask: &[&str], deny: &[&str]) -> Permits {
        let own = |rules: &[&str]| rules.iter().map(|rule| (*rule).to_owned()).collect();
        Permits::new(&PermitConfig { allow: own(allow), ask: own(ask), deny: own(deny) }).unwrap()
    }

    fn tool(name: &str, takes: &[&str]) -> ToolSchema {
        let takes = takes.iter().map(|name| ((*name).to_owned(), json!({"type": "string"})));
        let properties: serde_json::Map<String, Value> = takes.collect();
        let parameters = json!({"type": "object", "properties": properties});
        ToolSchema { name: name.into(), description: "".into(), parameters }
    }

    fn verdict_of(permits: &Permits, name: &str, arguments: &Value) -> Verdict {
        let takes: &[&str] = match name {
            "exec" => &["command", "timeout", "cwd"],
            "read_file" | "write_file" | "edit_file" => &["path"],
            _ => &[],
        };
        permits.verdict(&tool(name, takes), arguments)
    }

    #[test]
    fn by_itself_louver_asks_before_it_reaches_past_the_workspace() {
        let permits = Permits::default();
        let verdict = |tool: &str, arguments: Value| verdict_of(&permits, tool, &arguments);
        assert_eq!(verdict("exec", json!({"command": "ls"})), Verdict::Ask);
        assert_eq!(verdict("mcp_files_read", json!({})), Verdict::Ask);
        assert_eq!(verdict("read_file", json!({"path": "AGENTS.md"})), Verdict::Allow);
        assert_eq!(verdict("write_file", json!({"path": "plan.md"})), Verdict::Allow);
        assert_eq!(verdict("write_file", json!({"path": "/ws/x/../Soul.md"})), Verdict::Ask);
        assert_eq!(verdict("write_file", json!({"path": "./skills/x/run.sh"})), Verdict::Ask);
        assert_eq!(verdict("edit_file", json!({"path": "memory/MEMORY.md"})), Verdict::Allow);
        assert_eq!(verdict("edit_file", json!({"path": "memory/../SOUL.md"})), Verdict::Ask);
        for path in [".git/hooks/pre-commit", "/ws/sub/.Git/config", ".git"] {
            assert_eq!(verdict("write_file", json!({"path": path})), Verdict::Ask, "{path}");
        }
        assert_eq!(verdict("write_file", json!({"path": ".gitignore"})), Verdict::Allow);
    }

    #[test]
    fn louver_asks_before_it_writes_what_settings_name() {
        let named = ["./RULES.md", "docs//x/../Rules/Über.md", "", "."];
        let permits = Permits::default().guarding(Guarded::new(named));
        let verdict = |path: &str| verdict_of(&permits, "write_file", &json!({"path": path}));
        for path in ["RULES.md", "rules.MD", "x/../RULES.md", "/ws/RULES.md", "../ws/RULES.md"] {
            assert_eq!(verdict(path), Verdict::Ask, "{path}");
        }
        for path in
            ["docs/rules/über.md", "DOCS/Rules/ÜBER.md", "/ws/docs/Rules/Über.md", "SOUL.md"]
        {
            assert_eq!(verdict(path), Verdict::Ask, "{path}");
        }
        for path in ["über.md", "MYRULES.md", "RULES.md/x", "docs/rules.txt", "plan.md"] {
            assert_eq!(verdict(path), Verdict::Allow, "{path}");
        }
        let edit = verdict_of(&permits, "edit_file", &json!({"path": "RULES.md"}));
        let read = verdict_of(&permits, "read_file", &json!({"path": "RULES.md"}));
        assert_eq!((edit, read), (Verdict::Ask, Verdict::Allow));
    }

    #[test]
    fn louver_asks_before_it_writes_what_a_link_among_instructions_leads_to() {
        let dir = tempfile::TempDir::new().unwrap();
        let (ws, out) = (dir.path().join("ws"), dir.path().join("out"));
        let git = ws.join(".git/hooks");
        for folder in [ws.join("docs/abilities"), ws.join("sub"), out.clone(), git] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(ws.join("docs/kind.md"), "be kind").unwrap();
        std::fs::write(out.join("soul.txt"), "be brave").unwrap();
        for (link, target) in [
            ("AGENTS.md", "docs/kind.md"),
            ("SOUL.md", out.join("soul.txt").to_str().unwrap()),
            ("USER.md", "sub/none.md"),
            ("Rules.md", "AGENTS.md"),
            ("skills", "docs/abilities"),
            ("also", "docs"),
            ("hooks", ".git/hooks"),
        ] {
            std::os::unix::fs::symlink(target, ws.join(link)).unwrap();
        }
        let permits = Permits::default().guarding(Guarded::new(["Rules.md"])).at(&ws);
        let verdict = |path: &str| verdict_of(&permits, "write_file", &json!({"path": path}));
        let there = out.join("soul.txt");
        let asked = ["docs/kind.md", "also/kind.md", "sub/../docs/kind.md", "sub/none.md"];
        let more = [
            "hooks/pre-push",
            "docs/abilities/x/SKILL.md",
            "also/abilities/new",
            there.to_str().unwrap(),
        ];
        for path in asked.iter().chain(&more) {
            assert_eq!(verdict(path), Verdict::Ask, "{path}");
        }
        for path in ["docs/plan.md", "also/plan.md", "sub/new/none.md", "kind.md"] {
            assert_eq!(verdict(path), Verdict::Allow, "{path}");
        }
    }

    #[test]
    fn what_is_denied_stays_denied() {
        let permits = permits(&["exec"], &["exec(git push*)"], &["exec(command: rm *)"]);
        let verdict = |command: &str| verdict_of(&permits, "exec", &json!({"command": command}));
        assert_eq!(verdict("ls -l"), Verdict::Allow);
        assert_eq!(verdict("git push origin"), Verdict::Ask);
        assert_eq!(verdict("rm -r x"), Verdict::Deny);
    }

    #[test]
    fn a_rule_on_an_argument_that_is_not_there_allows_nothing() {
        let call = json!({"command": "rm -r x"});
        let exec = tool("exec", &["command", "timeout", "cwd"]);
        let verdict = |allow: &[&str], ask: &[&str], deny: &[&str]| {
            let permits = permits(allow, ask, deny);
            (permits.verdict(&exec, &call), permits.slips(std::slice::from_ref(&exec)))
        };
        let (denied, told) = verdict(&["exec"], &[], &["exec(comand: *rm*)"]);
        let what = "permissions: `exec` has no argument `comand`; every use of it is denied";
        assert_eq!((denied, told[0].to_string().as_str()), (Verdict::Deny, what));
        assert_eq!(told[0].hint.as_deref(), Some("did you mean `command`?"));
        let (asked, told) = verdict(&["exec"], &["exec(file: x)"], &[]);
        assert_eq!((asked, told.len()), (Verdict::Ask, 1));
        assert_eq!(told[0].hint.as_deref(), Some("its arguments: command, timeout, cwd"));
        assert_eq!(verdict(&["exec(comand: *)"], &[], &[]).0, Verdict::Ask);
        // What is meant for many tools looks at those that have it.
        assert_eq!(verdict(&["exec"], &[], &["*(path: *)"]), (Verdict::Allow, Vec::new()));
        // One that a call may leave out is there all the same.
        assert_eq!(verdict(&["exec"], &[], &["exec(cwd: x)"]), (Verdict::Allow, Vec::new()));
    }

    #[test]
    fn the_first_argument_is_the_tools_whatever_the_order_of_a_call() {
        let permits = permits(&["exec"], &[], &["exec(rm *)", "read_file(secret*)"]);
        let call = json!({"timeout": 5, "command": "rm -r x"});
        assert_eq!(verdict_of(&permits, "exec", &call), Verdict::Deny);
        let call = json!({"path": "./secret.md"});
        assert_eq!(verdict_of(&permits, "read_file", &call), Verdict::Deny);
    }

    #[test]
    fn a_pattern_does_not_let_a_second_command_through() {
        let permits = permits(&["exec(git status*)"], &[], &[]);
        let verdict = |command: &str| verdict_of(&permits, "exec", &json!({"command": command}));
        assert_eq!(verdict("git status -s"), Verdict::Allow);
        for more in ["; rm -r .", " && id", " | sh", " $(id)", " `id`", " > x", "\nid"] {
            assert_eq!(verdict(&format!("git status{more}")), Verdict::Ask, "{more:?}");
        }
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, same) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "abc", true),
            ("*c", "abc", true),
            ("a*c", "ac", true),
            ("a*a", "a", false),
            ("*b*", "abc", true),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, text), same, "{pattern} {text}");
        }
    }

    #[test]
    fn a_rule_that_is_none_is_told() {
        for text in ["", "exec(", "rm -rf", "(x)"] {
            assert_eq!(Rule::parse(text).err(), Some(BadRule(text.to_owned())));
        }
        let rule = Rule::parse("web_fetch(url: https://*)").unwrap();
        assert_eq!(rule.like, Some((Some("url".into()), "https://*".into())));
    }
}
