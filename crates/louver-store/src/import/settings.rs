//! What nanobot's and OpenClaw's settings say that means something here. Keys stay where they are.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::problem::Problem;

/// What was read of another program's settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Theirs {
    /// The model.
    pub model: Option<String>,
    /// Tokens kept free for its reply.
    pub reply: Option<u64>,
    /// The workspace.
    pub workspace: Option<PathBuf>,
}

impl Theirs {
    /// Reads a settings file. `home` is what stands for `~` in it.
    pub fn read(file: &Path, home: &Path) -> Result<Theirs, Problem> {
        let shown = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|error| Problem::warning(shown.clone(), error.to_string()))?;
        // OpenClaw's may have comments and the like, which few people write.
        let config: Value = serde_json::from_str(&text).map_err(|error| {
            Problem::warning(shown, format!("it is not plain JSON and was left alone: {error}"))
                .hint("write its model into louver.toml yourself: model = \"NAME\"")
        })?;
        let at = |name: &str| config.pointer(&format!("/agents/defaults/{name}"));
        let text = |name: &str| at(name).and_then(Value::as_str).map(str::to_owned);
        let workspace = text("workspace").map(|path| match path.strip_prefix("~/") {
            Some(rest) => home.join(rest),
            None => PathBuf::from(path),
        });
        let reply = at("maxTokens").or_else(|| at("max_tokens")).and_then(Value::as_u64);
        Ok(Theirs { model: text("model").or_else(|| text("model/primary")), reply, workspace })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Theirs, Problem> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.json");
        std::fs::write(&file, text).unwrap();
        Theirs::read(&file, Path::new("/home/ada"))
    }

    #[test]
    fn a_model_is_a_name_or_the_first_of_several() {
        let nanobot = read(r#"{"agents":{"defaults":{"model":"a/b","maxTokens":9}}}"#).unwrap();
        assert_eq!((nanobot.model.as_deref(), nanobot.reply), (Some("a/b"), Some(9)));
        let text = r#"{"agents":{"defaults":{"model":{"primary":"a/b"},"workspace":"~/claw"}}}"#;
        let wanted = Theirs {
            model: Some("a/b".into()),
            reply: None,
            workspace: Some("/home/ada/claw".into()),
        };
        assert_eq!(read(text).unwrap(), wanted);
        assert!(read("{ // a comment\n}").unwrap_err().what.contains("not plain JSON"));
    }
}
