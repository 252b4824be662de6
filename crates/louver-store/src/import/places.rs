//! Where nanobot and OpenClaw keep things.

use std::path::{Path, PathBuf};

/// The session files below a folder, in every place that was ever used: a workspace, an instance
/// folder such as `~/.nanobot`, a folder of sessions, or one file.
pub fn session_files(from: &Path) -> Vec<PathBuf> {
    if from.is_file() {
        return vec![from.to_owned()];
    }
    let mut folders = vec![from.join("sessions")];
    folders.extend(below(&from.join("sessions")));
    // A workspace lies in its instance, whose sessions are its own.
    if let Some(instance) = from.parent().filter(|parent| parent.join("config.json").is_file()) {
        folders.push(instance.join("sessions"));
        folders.extend(below(&instance.join("sessions")));
    }
    // OpenClaw's are below each agent.
    for agent in below(&from.join("agents")) {
        folders.push(agent.join("sessions"));
    }
    if from.file_name().is_some_and(|name| name == "sessions") {
        folders.push(from.to_owned());
        folders.extend(below(from));
    }
    let mut files: Vec<PathBuf> = folders.iter().flat_map(|folder| logs(folder)).collect();
    files.sort();
    files.dedup();
    files
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

/// Something else that can be taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// What it is.
    pub what: &'static str,
    /// Where it is.
    pub from: PathBuf,
    /// Where it goes, from the workspace.
    pub to: &'static str,
}

/// Memory, scheduled work and settings below a folder, where they are there.
pub fn others(from: &Path) -> Vec<Other> {
    let instance = from.parent().unwrap_or(from);
    let all = [
        ("long-term memory", from.join("memory/MEMORY.md"), "memory/MEMORY.md"),
        ("long-term memory", from.join("MEMORY.md"), "memory/MEMORY.md"),
        ("history", from.join("memory/HISTORY.md"), "memory/HISTORY.md"),
        ("history", from.join("memory/history.jsonl"), "memory/history.jsonl"),
        ("scheduled work", from.join("cron/jobs.json"), JOBS),
        ("scheduled work", instance.join("cron/jobs.json"), JOBS),
    ];
    let there = all.into_iter().filter(|(_, path, _)| path.is_file());
    let mut found: Vec<Other> = Vec::new();
    for (what, from, to) in there {
        if !found.iter().any(|other| other.to == to) {
            found.push(Other { what, from, to });
        }
    }
    found
}
