//! Lines that were typed in a chat, which its editor keeps to bring them back.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// Where a chat's editor keeps them: one a line, with a sign for a line's end inside one.
pub fn typed(workspace: &Path) -> PathBuf {
    workspace.join(".louver/chat_history")
}

const LINE_END: &str = "<\\n>";

/// So few bytes stand in many lines: of those only the line goes that says nothing else.
const SHORT: usize = 16;

/// Takes out the lines that say one of these texts.
pub(super) fn forget(workspace: &Path, texts: &[String]) -> io::Result<()> {
    let mut file = match OpenOptions::new().read(true).write(true).open(typed(workspace)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    // As the editor does, which may be adding to it.
    file.lock()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let all = String::from_utf8_lossy(&bytes);
    let apart = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let texts: Vec<String> = texts.iter().map(|text| apart(text)).collect();
    let says = |line: &str| {
        let line = apart(&line.replace(LINE_END, "\n"));
        texts.iter().any(|text| line == *text || text.len() >= SHORT && line.contains(text))
    };
    let kept: String = all.split_inclusive('\n').filter(|line| !says(line)).collect();
    if kept.len() < all.len() {
        file.rewind()?;
        file.write_all(kept.as_bytes())?;
        file.set_len(kept.len() as u64)?;
        file.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_say_what_was_forgotten_go_and_others_stay() {
        let dir = tempfile::TempDir::new().unwrap();
        let forget = |folder: &Path, texts: &[&str]| {
            forget(folder, &texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
        };
        forget(dir.path(), &["nothing was typed yet"]).unwrap();
        std::fs::create_dir(dir.path().join(".louver")).unwrap();
        let lines = "hi\nMy PIN is 8842-ORCHID.\nhi there\nListen:<\\n>my  PIN is 8842-ORCHID.<\\n>Really.\nno\n";
        std::fs::write(typed(dir.path()), lines).unwrap();
        forget(dir.path(), &["my PIN is 8842-ORCHID.", "hi"]).unwrap();
        let kept = std::fs::read_to_string(typed(dir.path())).unwrap();
        assert_eq!(kept, "My PIN is 8842-ORCHID.\nhi there\nno\n");
        forget(dir.path(), &["My PIN is 8842-ORCHID."]).unwrap();
        assert_eq!(std::fs::read_to_string(typed(dir.path())).unwrap(), "hi there\nno\n");
    }
}
