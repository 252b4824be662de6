//! A workspace and a history, made up the same way every time.
//!
//! What is made looks like what people have: short sentences with names and numbers in them,
//! skills with and without requirements, a memory of one-line facts, a conversation that calls
//! tools. louver and its peers read the same files.

mod history;
mod session;
mod skills;
mod words;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use louver_context::Message;
use serde_json::Value;

pub(crate) use history::{exchange, history};
pub(crate) use session::{Talk, session};
pub(crate) use words::{Words, mixed};

/// How much memory there is, in bytes.
const MEMORY: usize = 10_000;
/// How many messages the history has.
const MESSAGES: usize = 500;

/// Writes a workspace with so many skills, and gives the history that goes with it. It is also in
/// the file `history.jsonl`, which no workspace reads by itself.
pub(crate) fn workspace(folder: &Path, skills: usize) -> Result<Vec<Value>> {
    let mut words = Words::new(42);
    for (name, paragraphs) in [("AGENTS.md", 12), ("SOUL.md", 4), ("USER.md", 4), ("TOOLS.md", 6)] {
        write(&folder.join(name), &document(name, paragraphs, &mut words))?;
    }
    write(&folder.join("memory/MEMORY.md"), &memory(&mut words))?;
    for number in 0..skills {
        let (name, text) = skills::skill(number, &mut words);
        write(&folder.join("skills").join(name).join("SKILL.md"), &text)?;
    }
    let history = history(MESSAGES, &mut words);
    let lines: Vec<String> = history.iter().map(Value::to_string).collect();
    write(&folder.join("history.jsonl"), &lines.join("\n"))?;
    Ok(history)
}

/// Messages as louver wants them.
pub(crate) fn messages(history: &[Value]) -> Result<Vec<Arc<Message>>> {
    history.iter().map(|value| Ok(Arc::new(Message::from_openai(value)?))).collect()
}

fn document(name: &str, paragraphs: usize, words: &mut Words) -> String {
    let mut text = format!("# {}\n", name.trim_end_matches(".md"));
    for number in 0..paragraphs {
        if number % 3 == 0 {
            text += &format!("\n## {}\n", words.title());
        }
        text += &format!("\n{}\n", words.paragraph(3));
    }
    text
}

fn memory(words: &mut Words) -> String {
    let mut text = "# Memory\n".to_owned();
    while text.len() < MEMORY {
        if words.one_in(8) {
            text += &format!("\n## {}\n\n", words.title());
        }
        text += &format!("- {}\n", words.sentence());
    }
    text
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
