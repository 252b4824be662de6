//! Where nanobot and OpenClaw keep things.

use std::path::{Path, PathBuf};

use crate::workspace::MEMORY;

/// The session files below a folder, in every place that was ever used: a workspace, an instance
/// folder such as `~/.nanobot`, a folder of sessions, or one file.
pub fn session_files(from: &Path) -> Vec<PathBuf> {
    if from.is_file() {
        return vec![from.to_owned()];
    }
    let mut folders = vec![from.join("sessions")];
    folders.extend(below(&from.join("sessions")));
    // A workspace lies in its instance, whose sessions are its own.
    let instance = from.parent().filter(|parent| is_instance(parent));
    if let Some(instance) = instance {
        folders.push(instance.join("sessions"));
        folders.extend(below(&instance.join("sessions")));
    }
    // OpenClaw's are below each agent.
    let agents = instance.into_iter().chain([from]).flat_map(|place| below(&place.join("agents")));
    folders.extend(agents.map(|agent| agent.join("sessions")));
    if from.file_name().is_some_and(|name| name == "sessions") {
        folders.push(from.to_owned());
        folders.extend(below(from));
    }
    let mut files: Vec<PathBuf> = folders.iter().flat_map(|folder| logs(folder)).collect();
    files.sort();
    files.dedup();
    files
}

/// The settings of nanobot and of OpenClaw, which lie beside their workspace.
const CONFIGS: [&str; 2] = ["config.json", "openclaw.json"];

fn is_instance(folder: &Path) -> bool {
    let has_settings = CONFIGS.iter().any(|name| folder.join(name).is_file());
    has_settings || folder.file_name().is_some_and(|name| name == ".openclaw")
}

/// The settings file of the instance that a folder is, or lies in.
pub fn settings_file(from: &Path) -> Option<PathBuf> {
    let folders = [Some(from), from.parent()].into_iter().flatten();
    let mut files = folders.flat_map(|folder| CONFIGS.map(|name| folder.join(name)));
    files.find(|file| file.is_file())
}

/// The databases in which newer versions of OpenClaw keep the conversations of each agent.
pub fn databases(from: &Path) -> Vec<PathBuf> {
    let agents = below(&from.join("agents")).into_iter();
    agents
        .map(|agent| agent.join("agent/openclaw-agent.sqlite"))
        .filter(|path| path.is_file())
        .collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path()).collect()
}

fn below(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir()).collect()
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let is_log =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jsonl") && path.is_file();
    entries(folder).into_iter().filter(is_log).collect()
}

/// Where scheduled work goes, from the workspace.
pub const JOBS: &str = ".louver/jobs.json";

/// Files in which a person tells an agent what to be.
const INSTRUCTIONS: [&str; 6] =
    ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md"];

/// Something else that can be taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Other {
    /// The long-term memory in this file.
    Memory(PathBuf),
    /// Something in a file.
    File {
        /// What it is.
        what: &'static str,
        /// Where it is.
        from: PathBuf,
        /// Where it goes, from the workspace.
        to: String,
    },
    /// A skill in this folder, which goes to `skills`.
    Skill(PathBuf),
}

/// Memory, instructions, skills and scheduled work below a folder, where they are there.
pub fn others(from: &Path) -> Vec<Other> {
    let memory = MEMORY.map(|name| from.join(name)).into_iter().find(|path| path.is_file());
    let mut found: Vec<Other> = memory.map(Other::Memory).into_iter().collect();
    let mut take = |what: &'static str, from: PathBuf, to: &str| {
        if from.is_file() {
            found.push(Other::File { what, from, to: to.to_owned() });
        }
    };
    for name in ["memory/HISTORY.md", "memory/history.jsonl"] {
        take("history", from.join(name), name);
    }
    for name in notes(&from.join("memory")) {
        take("notes", from.join("memory").join(&name), &format!("memory/{name}"));
    }
    INSTRUCTIONS.iter().for_each(|name| take("instructions", from.join(name), name));
    let instance = from.parent().filter(|parent| is_instance(parent));
    let jobs =
        [Some(from), instance].into_iter().flatten().map(|place| place.join("cron/jobs.json"));
    jobs.filter(|path| path.is_file()).take(1).for_each(|path| take("scheduled work", path, JOBS));
    let mut skills = below(&from.join("skills"));
    skills.retain(|skill| skill.join("SKILL.md").is_file());
    skills.sort();
    found.extend(skills.into_iter().map(Other::Skill));
    found
}

/// The names of notes in a folder of memory, by day: all but the long-term memory and the history.
fn notes(memory: &Path) -> Vec<String> {
    let name = |path: PathBuf| Some(path.file_name()?.to_str()?.to_owned());
    let mut names: Vec<String> = entries(memory).into_iter().filter_map(name).collect();
    let is_note = |name: &String| {
        name.ends_with(".md") && !["MEMORY.md", "HISTORY.md"].contains(&name.as_str())
    };
    names.retain(is_note);
    names.sort();
    names
}
