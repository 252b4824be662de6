//! Keys of a settings file that nothing reads: most are typing slips.

use std::collections::BTreeMap;

use louver_store::Problem;

use super::Config;
use crate::error::{Code, Failure, meant};

/// What a file may say at its top.
const TOP: &[&str] = &[
    "workspace",
    "profile",
    "model",
    "window",
    "reply",
    "roots",
    "context",
    "session",
    "layer",
    "models",
    "provider",
    "providers",
    "agent",
    "permissions",
    "tools",
    "mcp",
    "recall",
];

/// What `[tools]` has.
const TOOLS: &[&str] = &["off", "exec", "web", "search"];

impl Config {
    /// Reports them, each with what was meant.
    pub(super) fn complain(&self, path: &str, problems: &mut Vec<Problem>) {
        const PROVIDER: &[&str] = &["url", "wire", "key", "key_env", "headers", "timeout"];
        const AGENT: &[&str] =
            &["max_iterations", "stream", "temperature", "effort", "memory_window", "memory_model"];
        const CONTEXT: &[&str] =
            &["instructions", "identity", "history_rounds", "warn_tokens", "built_in_skills"];
        const LAYER: &[&str] = &["name", "file", "command", "place", "trust", "cap", "timeout"];
        const RECALL: &[&str] = &["mode", "budget", "folders", "owner", "vectors", "embeddings"];
        const MODEL: &[&str] = &["window", "reply", "tokenizer", "percent", "price"];
        let mut tell = |table: &str,
                        keys: &BTreeMap<String, toml::Value>,
                        known: &[&'static str]| {
            for key in keys.keys() {
                let place = if table.is_empty() { String::new() } else { format!(" of `{table}`") };
                let problem = Problem::warning(path, format!("nothing reads `{key}`{place}"));
                problems.push(match meant(key, known.iter().copied()) {
                    Some(known) => problem.hint(format!("did you mean `{known}`?")),
                    None => problem.hint(format!("known here: {}", known.join(", "))),
                });
            }
        };
        tell("", &self.unknown, TOP);
        tell("[context]", &self.context.unknown, CONTEXT);
        tell("[session]", &self.session.unknown, &["durability"]);
        tell("[agent]", &self.agent.unknown, AGENT);
        tell("[recall]", &self.recall.unknown, RECALL);
        if let Some(own) = &self.recall.embeddings {
            let known = ["model", "provider", "url", "question", "note"];
            tell("[recall.embeddings]", &own.unknown, &known);
        }
        if let Some(tools) = &self.tools {
            tell("[tools]", &tools.unknown, TOOLS);
        }
        for (name, provider) in &self.providers {
            tell(&format!("[providers.{name}]"), &provider.unknown, PROVIDER);
        }
        for layer in &self.layers {
            tell(&format!("[[layer]] {}", layer.name), &layer.unknown, LAYER);
        }
        for (name, model) in &self.models {
            tell(&format!("[models.\"{name}\"]"), &model.unknown, MODEL);
        }
    }

    /// Stops at a section that guards and is misspelt: going on would be going on without it.
    pub(super) fn guard(&self, path: &str) -> Result<(), Failure> {
        const GUARDS: &[&str] = &["permissions", "tools", "mcp"];
        let top = self.unknown.iter().filter(|(_, value)| value.is_table());
        let top = top.filter_map(|(key, _)| Some((key, meant(key, TOP.iter().copied())?)));
        let top = top.filter(|(_, known)| GUARDS.contains(known));
        let tools = self.tools.iter().flat_map(|tools| tools.unknown.keys());
        let tools = tools.filter_map(|key| Some((key, meant(key, TOOLS.iter().copied())?)));
        let place = |inside: &'static str| move |(key, known)| (key, known, inside);
        match top.map(place("")).chain(tools.map(place(" of `[tools]`"))).next() {
            Some((key, known, inside)) => {
                let what = format!("{path}: nothing reads `{key}`{inside}, which may be to guard");
                Err(Failure::new(Code::Usage, what).hint(format!("did you mean `{known}`?")))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn what_guards_is_not_passed_over_for_a_typing_slip() {
        let wrong = |text: &str| parse(text, "config.toml").unwrap().guard("config.toml");
        for (text, meant) in [
            ("[permission]\ndeny = [\"exec\"]", "permissions"),
            ("[tool.exec]\nnetwork = false", "tools"),
            ("[tools.exce]\nnetwork = false", "exec"),
            ("[tools]\nof = [\"exec\"]", "off"),
        ] {
            let failure = wrong(text).unwrap_err();
            assert_eq!(failure.first_hint(), Some(&*format!("did you mean `{meant}`?")), "{text}");
        }
        assert!(wrong("modle = \"x\"\n[house]\nx = 1\n[tools]\nhammer = 1").is_ok());
    }

    #[test]
    fn a_typing_slip_is_told_with_what_was_meant() {
        let config = parse("modle = \"x\"\n[context]\nwarn_token = 3", "louver.toml").unwrap();
        let mut problems = Vec::new();
        config.complain("louver.toml", &mut problems);
        let hints: Vec<_> = problems.iter().filter_map(|problem| problem.hint.clone()).collect();
        assert_eq!(hints, ["did you mean `model`?", "did you mean `warn_tokens`?"]);
        assert!(problems[1].to_string().ends_with("nothing reads `warn_token` of `[context]`"));
    }

    #[test]
    fn every_setting_in_the_documentation_is_read() {
        let text = include_str!("../../../../docs/settings.md");
        let blocks: Vec<&str> =
            text.split("```toml\n").skip(1).filter_map(|block| block.split("```").next()).collect();
        assert_eq!(blocks.len(), 2, "one for each file");
        for block in blocks {
            let config = parse(block, "docs/settings.md").unwrap();
            let mut problems = Vec::new();
            config.complain("docs/settings.md", &mut problems);
            assert!(problems.is_empty(), "{problems:?}");
        }
    }
}
