//! Another program's model as this workspace's, unless the person has chosen one. Keys stay where they are.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use louver_store::import::Theirs;
use louver_store::workspace::SETTINGS;

use crate::config::Config;

pub(super) fn take(
    workspace: &Path,
    config: &Config,
    settings: &[(PathBuf, Theirs)],
    report: &mut String,
) -> anyhow::Result<()> {
    let mut chosen = config.model.clone();
    for (file, theirs) in settings {
        let Some(model) = &theirs.model else { continue };
        let file = file.display();
        match &chosen {
            Some(own) if own == model => {}
            Some(own) => {
                let _ = writeln!(
                    report,
                    "settings: kept your model `{own}`; theirs is `{model}` ({file})"
                );
            }
            None => {
                let mut lines = format!("model = {}\n", toml::Value::from(model.as_str()));
                if let Some(reply) = theirs.reply.filter(|_| config.reply.is_none()) {
                    let _ = writeln!(lines, "reply = {reply}");
                }
                write(workspace, &lines)?;
                let said = lines.trim_end().replace('\n', ", ");
                let _ = writeln!(report, "settings: {said} ({file}); keys stay there");
                chosen = Some(model.clone());
            }
        }
    }
    Ok(())
}

/// Puts lines at the top of the workspace's settings, where they are in no table.
fn write(workspace: &Path, lines: &str) -> anyhow::Result<()> {
    let to = workspace.join(SETTINGS);
    let shown = || to.display().to_string();
    let text = match fs::read_to_string(&to) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        text => text.with_context(shown)?,
    };
    let gap = if text.is_empty() { "" } else { "\n" };
    fs::write(&to, format!("{lines}{gap}{text}")).with_context(shown)
}
