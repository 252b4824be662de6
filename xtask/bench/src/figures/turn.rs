//! A warm turn: the builder has seen the workspace and the history, and the message is new.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use jiff::Zoned;
use louver_context::{Message, Model};
use louver_store::{ContextBuilder, Folder, Settings, Turn};

use crate::clock::{Times, timed, times};
use crate::figures::{Figure, Figures, Target};
use crate::generate::{self, Words};

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let runs = figures.runs(500);
    let mut rows = Vec::new();
    for (skills, most) in [(100, 1.0), (1000, 3.0)] {
        let folder = tempfile::tempdir()?;
        let history = generate::messages(&generate::workspace(folder.path(), skills)?)?;
        let what = format!("warm turn, {skills} skills, 10 KB memory, 500 messages");
        let roomy = warm(folder.path(), WIDE, &history, runs)?;
        let row = Figure::new(&what, roomy.median, "ms").p99(roomy.p99);
        rows.push(row.target(Target::AtMost(most)));
        let tight = warm(folder.path(), NARROW, &history, runs.min(50))?;
        let what = "… in a 64k window, where not everything fits";
        rows.push(Figure::new(what, tight.median, "ms").p99(tight.p99));
    }
    Ok(rows)
}

/// Holds everything that is made up here.
pub(crate) const WIDE: u32 = 1_000_000;
/// Holds less than the history alone.
const NARROW: u32 = 64_000;

/// A builder for a model with a window of so many tokens, counted exactly.
pub(crate) fn builder(folder: &Path, window: u32) -> Result<ContextBuilder> {
    let mut model = Model::named("gpt-4o");
    model.window = louver_context::Tokens(window);
    let settings = Settings { model, ..Settings::default() };
    Ok(ContextBuilder::new(Folder::open(folder)?, settings))
}

/// The turn that is measured; its message was never counted before.
pub(crate) fn turn(history: &[Arc<Message>], words: &mut Words) -> Turn {
    Turn {
        message: words.paragraph(2),
        history: history.to_vec(),
        channel: Some("cli".into()),
        chat: Some("direct".into()),
        now: Some(Zoned::now()),
        ..Turn::default()
    }
}

/// What a turn takes when the one before it was built by the same builder.
pub(crate) fn warm(
    folder: &Path,
    window: u32,
    history: &[Arc<Message>],
    runs: usize,
) -> Result<Times> {
    let mut builder = builder(folder, window)?;
    let mut words = Words::new(7);
    builder.context(&turn(history, &mut words))?;
    let mut all = Vec::with_capacity(runs);
    for _ in 0..runs {
        let turn = turn(history, &mut words);
        let (built, took) = timed(|| builder.context(&turn));
        built?;
        all.push(took);
    }
    Ok(times(all))
}
