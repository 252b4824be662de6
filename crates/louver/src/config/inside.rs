//! What a workspace's settings may not say: whatever reaches outside of it.

use louver_store::Problem;

use super::{Config, in_words, own_path, parse};
use crate::error::{Code, Failure};

/// Tables that only the person's own file may have. Nothing in them is read, so nothing in them can be
/// wrong: a mistake in one's own rules ends the program, one in a stranger's may not.
const OWN_ALONE: [(&str, &str); 3] =
    [("permissions", "`permissions`"), ("mcp", "`mcp`, which runs programs"), ("tools", "`tools`")];

/// What a workspace's file says, without those tables.
pub(super) fn parse_inside(
    text: &str,
    path: &str,
    problems: &mut Vec<Problem>,
) -> Result<Config, Failure> {
    let Ok(mut table) = text.parse::<toml::Table>() else { return parse(text, path) };
    let theirs = OWN_ALONE.iter().filter(|(key, _)| table.remove(*key).is_some());
    let refused: Vec<Problem> = theirs.map(|(_, what)| refuse(path, what)).collect();
    if refused.is_empty() {
        return parse(text, path);
    }
    problems.extend(refused);
    table.try_into().map_err(|error: toml::de::Error| {
        Failure::new(Code::Workspace, format!("{path}: {}", in_words(&error)))
    })
}

impl Config {
    /// Drops what a workspace may not set.
    pub(super) fn keep_inside(&mut self, path: &str, problems: &mut Vec<Problem>) {
        let mut refuse = |what: &str| problems.push(refuse(path, what));
        if !self.roots.is_empty() {
            refuse("`roots`, which lead outside it");
        }
        if self.workspace.is_some() {
            refuse("`workspace`");
        }
        if self.provider.is_some() || !self.providers.is_empty() {
            refuse("`provider` and `providers`, which say where the conversation goes");
        }
        if !self.recall.folders.is_empty() || self.recall.owner.is_some() {
            refuse("`folders` and `owner` of `recall`, which lead outside it");
        }
        if self.recall.vectors.is_some() {
            refuse("`vectors` of `recall`, which lead outside it");
        }
        if self.recall.embeddings.is_some() {
            refuse("`embeddings` of `recall`, which say where notes go");
        }
        if self.layers.iter().any(|layer| layer.command.is_some()) {
            refuse("a layer's `command`, which runs a program");
            self.layers.retain(|layer| layer.command.is_none());
        }
    }
}

/// A workspace tried to set what is the person's.
fn refuse(path: &str, what: &str) -> Problem {
    let what = format!("a workspace may not set {what}");
    let own = own_path().map_or_else(String::new, |path| path.display().to_string());
    Problem::warning(path, what).hint(format!("put it into {own}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_cannot_reach_outside() {
        let text =
            "roots = [\"/\"]\nworkspace = \"/x\"\n[[layer]]\nname = \"x\"\ncommand = [\"id\"]";
        let mut config = parse(text, "louver.toml").unwrap();
        let mut problems = Vec::new();
        config.keep_inside("louver.toml", &mut problems);
        assert_eq!((config.layers.len(), problems.len()), (0, 3));
    }

    #[test]
    fn a_workspace_cannot_say_where_notes_go() {
        let text =
            "[recall]\nvectors = \"/x\"\n[recall.embeddings]\nmodel = \"m\"\nurl = \"http://x\"";
        let mut problems = Vec::new();
        parse(text, "louver.toml").unwrap().keep_inside("louver.toml", &mut problems);
        let shown: Vec<String> = problems.iter().map(|problem| problem.to_string()).collect();
        assert!(shown[0].ends_with("`vectors` of `recall`, which lead outside it"), "{shown:?}");
        assert!(
            shown[1].ends_with("`embeddings` of `recall`, which say where notes go"),
            "{shown:?}"
        );
        assert_eq!(shown.len(), 2);
    }

    #[test]
    fn what_a_workspace_may_not_set_cannot_be_wrong_in_it() {
        let text = "model = \"x\"\n[permissions]\ndney = [\"exec\"]\n[tools.exec]\ntimeuot = 3\n[mcp]\nx = 1";
        let mut problems = Vec::new();
        let config = parse_inside(text, "louver.toml", &mut problems).unwrap();
        assert_eq!((config.model.as_deref(), problems.len()), (Some("x"), 3));
        // In one's own file a rule that is not read would be missed.
        let own = parse("[permissions]\ndney = [\"exec\"]", "config.toml").unwrap_err();
        assert!(own.to_string().contains("`dney`"), "{own}");
    }
}
