//! Keys of a settings file that nothing reads: most are typing slips.

use std::collections::BTreeMap;

use louver_store::Problem;

use super::Config;
use crate::error::meant;

impl Config {
    /// Reports them, each with what was meant.
    pub(super) fn complain(&self, path: &str, problems: &mut Vec<Problem>) {
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
            tell("[tools]", &tools.unknown, &["off", "exec", "web", "search"]);
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
}

#[cfg(test)]
mod tests {
    use super::super::parse;

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
