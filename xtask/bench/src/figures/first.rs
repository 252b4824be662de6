//! The first context of a process: nothing was read, parsed or counted before.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use louver_context::render::openai::read_history;

use crate::child::took;
use crate::figures::turn::{WIDE, builder, turn};
use crate::figures::{Figure, Figures, Target};
use crate::generate::{self, Words};

/// What the measured process does.
#[derive(Debug, Args)]
pub(crate) struct First {
    /// The workspace.
    folder: PathBuf,
    /// A history to read and count as well.
    #[arg(long)]
    history: Option<PathBuf>,
}

impl First {
    pub(crate) fn run(&self) -> Result<()> {
        let text = self.history.as_ref().map(fs::read_to_string).transpose()?.unwrap_or_default();
        let (history, _) = read_history(&text);
        builder(&self.folder, WIDE)?.context(&turn(&history, &mut Words::new(7)))?;
        Ok(())
    }
}

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    generate::workspace(folder.path(), 1000)?;
    let mut words: Vec<OsString> =
        vec![std::env::current_exe()?.into(), "first".into(), folder.path().into()];
    let runs = figures.runs(20);
    let alone = took(runs, &words)?;
    words.extend(["--history".into(), folder.path().join("history.jsonl").into()]);
    let history = took(runs, &words)?;
    let what = "first build of a process, 1000 skills, whole process";
    Ok(vec![
        Figure::new(what, alone.cpu, "ms").target(Target::AtMost(60.0)),
        Figure::new("… with 500 messages read from a file and counted", history.cpu, "ms"),
        Figure::new("… its peak memory", history.memory, "MB"),
    ])
}
