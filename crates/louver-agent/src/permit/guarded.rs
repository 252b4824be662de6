//! The files that tell the agent what to be, and whether a path leads to one of them.

use std::path::{Path, PathBuf};

use super::plain_path;
use crate::links::leads_to;

/// Files that tell the agent what to be: those with the usual names, skills, and those that settings
/// name. A page it read must not be able to rewrite them unseen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guarded {
    /// What settings name: plain paths in lower case, none of them empty.
    named: Vec<String>,
    /// The same as they are spelled.
    spelled: Vec<String>,
}

const INSTRUCTIONS: &[&str] =
    &["agents.md", "bootstrap.md", "heartbeat.md", "identity.md", "soul.md", "tools.md", "user.md"];

/// What git does by itself stands in here: hooks, filters, programs that it starts.
const GIT: &str = ".git";

/// Where skills are.
const SKILLS: &str = "skills";

impl Guarded {
    /// The usual files, and these paths in the workspace.
    pub fn new<'a>(named: impl IntoIterator<Item = &'a str>) -> Guarded {
        let spelled: Vec<String> =
            named.into_iter().map(plain_path).filter(|path| !path.is_empty()).collect();
        Guarded { named: spelled.iter().map(|path| path.to_lowercase()).collect(), spelled }
    }

    /// Whether writing to a path in a workspace would write one of them, or into one or git's own folder, by
    /// whatever links.
    pub(super) fn holds(&self, workspace: &Path, path: &str) -> bool {
        let written = leads_to(&workspace.join(path));
        let below = written.strip_prefix(leads_to(workspace)).unwrap_or(&written);
        below.iter().any(|part| part == GIT)
            || self.targets(workspace).any(|target| written.starts_with(target))
    }

    /// What they are once links are followed.
    fn targets(&self, workspace: &Path) -> impl Iterator<Item = PathBuf> {
        let usual = INSTRUCTIONS.iter().map(|name| match name.strip_suffix(".md") {
            Some(stem) => stem.to_uppercase() + ".md",
            None => (*name).to_owned(),
        });
        let all = usual.chain([SKILLS.to_owned()]).chain(self.spelled.iter().cloned());
        all.map(move |name| leads_to(&workspace.join(name)))
    }

    /// What links among them lead to, where that is in the workspace too.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux can hold them"))]
    pub(crate) fn linked(&self, workspace: &Path) -> Vec<String> {
        let workspace = leads_to(workspace);
        let inside = |target: PathBuf| {
            let path = target.strip_prefix(&workspace).ok()?.to_str()?.to_owned();
            (!path.is_empty()).then_some(path)
        };
        self.targets(&workspace).filter_map(inside).collect()
    }

    /// Whether a path that a tool is given may lead to one of them, or into git's own folder. An absolute
    /// path is not told from one in the workspace, so what ends like one of them is taken for it.
    pub(super) fn has(&self, path: &str) -> bool {
        let path = plain_path(path).to_lowercase();
        let ends = |end: &str| {
            path.strip_suffix(end).is_some_and(|head| head.is_empty() || head.ends_with('/'))
        };
        INSTRUCTIONS.iter().any(|name| ends(name))
            || self.named.iter().any(|named| ends(named))
            || path.split('/').any(|part| [SKILLS, GIT].contains(&part))
    }

    /// Where they are in the workspace, in lower case.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux can hold them"))]
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        INSTRUCTIONS.iter().copied().chain([SKILLS]).chain(self.named.iter().map(String::as_str))
    }
}
