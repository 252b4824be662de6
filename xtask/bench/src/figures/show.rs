//! `louver show` on the example, as a person runs it: the whole process.

use std::ffi::OsString;
use std::path::Path;
use std::{env, fs};

use anyhow::Result;

use crate::child::took;
use crate::figures::{Figure, Figures, Target};

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let words: [OsString; 7] = [
        figures.louver.clone().into(),
        "show".into(),
        "What is on today?".into(),
        "--workspace".into(),
        examples.join("workspace").into(),
        "--history".into(),
        examples.join("history.jsonl").into(),
    ];
    let took = took(figures.runs(20), &words)?;
    let binary = fs::metadata(&figures.louver)?.len() as f64 / 1e6;
    Ok(vec![
        Figure::new("`louver show` on the example", took.cpu, "ms").target(Target::AtMost(30.0)),
        Figure::new("… its peak memory", took.memory, "MB").target(Target::AtMost(24.0)),
        Figure::new("… the program's size, stripped", binary, "MB").target(Target::AtMost(20.0)),
    ])
}
