//! Memory, instructions, notes, skills and scheduled work: taken where there is nothing of the person's own, joined
//! where that loses nothing, and told where it would.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use louver_store::import::{self, JOBS, Other};
use louver_store::memory::{Memory, Who, Written};
use louver_store::workspace::MEMORY;

use super::init;
use crate::screen::count;

pub(super) fn take(workspace: &Path, others: &[Other], report: &mut String) -> anyhow::Result<()> {
    // Of many notes each would be a line that says the same.
    let mut notes: BTreeMap<&Path, u64> = BTreeMap::new();
    for other in others {
        match other {
            Other::Memory(from) => memory(workspace, from, report)?,
            Other::Skill(from) => skill(workspace, from, report)?,
            Other::File { what, from, to } => match file(workspace, from, to, report)? {
                true if *what == "notes" => {
                    *notes.entry(from.parent().unwrap_or(from)).or_default() += 1;
                }
                true => {
                    let from = from.display();
                    let _ = writeln!(report, "{what}: copied to {to} ({from}){}", caveat(to));
                }
                false => {}
            },
        }
    }
    for (from, copied) in notes {
        let (files, from) = (count(copied, "file"), from.display());
        let _ = writeln!(report, "notes: {files} copied to memory ({from})");
    }
    Ok(())
}

/// What a person must know of something that was copied.
fn caveat(to: &str) -> &'static str {
    match to {
        JOBS => "; louver runs nothing by itself yet: have the system's cron run `louver ask`",
        _ => "",
    }
}

/// Takes long-term memory over. Where both have something, theirs comes below; each is a version.
fn memory(workspace: &Path, from: &Path, report: &mut String) -> anyhow::Result<()> {
    let shown = from.display();
    let theirs = fs::read(from).with_context(|| shown.to_string())?;
    let theirs = String::from_utf8_lossy(&theirs).replace("\r\n", "\n");
    let (memory, _) = Memory::open(workspace)?;
    let ours = memory.read()?;
    let is_untouched = init::is_untouched(MEMORY[0], ours.text.as_bytes());
    let (text, told) = match is_untouched {
        _ if theirs.trim().is_empty() => return Ok(()),
        true => (theirs, format!("copied to {}", MEMORY[0])),
        false => match import::joined(&ours.text, &theirs) {
            (_, 0) => return Ok(()),
            (text, new) => {
                let parts = count(new as u64, "part");
                (text, format!("{parts} that only theirs has now below yours"))
            }
        },
    };
    if let Written::Version(_) = memory.write(&text, Who::Import, None, ours.version)? {
        let undo = match ours.version {
            0 => String::new(),
            version => format!("; `louver memory restore {version}` takes that back"),
        };
        let _ = writeln!(report, "long-term memory: {told} ({shown}){undo}");
    }
    Ok(())
}

/// Copies a file that is not here, is an untouched template here, or has only grown there. Says whether it did.
fn file(workspace: &Path, from: &Path, name: &str, report: &mut String) -> anyhow::Result<bool> {
    let to = workspace.join(name);
    let theirs = fs::read(from).with_context(|| from.display().to_string())?;
    match fs::read(&to) {
        Ok(ours) if ours == theirs || ours.starts_with(&theirs) => return Ok(false),
        Ok(ours) if !init::is_untouched(name, &ours) && !theirs.starts_with(&ours) => {
            let (to, from) = (to.display(), from.display());
            let _ = writeln!(report, "{name}: kept yours; `diff {to} {from}` shows theirs");
            return Ok(false);
        }
        _ => {}
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
    }
    fs::copy(from, &to).with_context(|| to.display().to_string())?;
    Ok(true)
}

/// Copies a skill that is not here.
fn skill(workspace: &Path, from: &Path, report: &mut String) -> anyhow::Result<()> {
    let Some(name) = from.file_name().map(Path::new) else { return Ok(()) };
    let to = workspace.join("skills").join(name);
    let (name, shown) = (name.display(), from.display());
    if to.exists() {
        let read = |folder: &Path| fs::read(folder.join("SKILL.md")).ok();
        if read(&to) != read(from) {
            let to = to.display();
            let _ =
                writeln!(report, "skill {name}: kept yours; `diff -r {to} {shown}` shows theirs");
        }
        return Ok(());
    }
    let links = copy_folder(from, &to)?;
    let left = match links {
        0 => String::new(),
        links => format!("; {} in it not followed", count(links, "link")),
    };
    let _ = writeln!(report, "skill {name}: copied to skills ({shown}){left}");
    Ok(())
}

/// Copies a folder without the links in it, which may lead anywhere. Says how many there were.
fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<u64> {
    let shown = |path: &PathBuf| path.display().to_string();
    let mut links = 0;
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().with_context(|| shown(&from))?;
        if kind.is_dir() {
            links += copy_folder(&from, &to)?;
        } else if kind.is_file() {
            fs::copy(&from, &to).with_context(|| shown(&from))?;
        } else {
            links += 1;
        }
    }
    Ok(links)
}
