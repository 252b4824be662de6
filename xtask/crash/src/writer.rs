//! The process that writes, and is killed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use louver_context::Model;
use louver_store::{ContextBuilder, Folder, Settings};

use crate::dice::Dice;
use crate::said::{Mouth, Said};
use crate::workloads;

/// Says who gave up: a fault that lasted.
pub(crate) const GAVE_UP: u8 = 3;

/// What a writer is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The workspace.
    #[arg(long)]
    workspace: PathBuf,
    /// For all that it does by chance.
    #[arg(long)]
    seed: u64,
    /// Its name, which is in the keys of its own sessions.
    #[arg(long, default_value = "a")]
    name: String,
    /// Which sessions it writes to; with the next one they begin anew and are short again.
    #[arg(long, default_value_t = 0)]
    generation: u32,
    /// So many steps, then it ends. Without this it goes on until it is killed.
    #[arg(long)]
    steps: Option<u32>,
    /// How often it tries again what failed.
    #[arg(long, default_value_t = 0)]
    patience: u32,
    /// Which safeguard it does without.
    #[arg(long, value_enum)]
    without: Option<Safeguard>,
}

/// What a twin does without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Safeguard {
    /// Writing before it acknowledges.
    Order,
    /// The lock.
    Lock,
    /// Asking the disk to confirm.
    Fsync,
    /// Appending: the log is written anew after each turn.
    Append,
    /// Replacing a file whole: memory is written in place.
    Replace,
    /// Running a call once.
    Once,
}

impl Safeguard {
    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// A writer and what it knows.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) workspace: PathBuf,
    pub(crate) name: String,
    pub(crate) generation: u32,
    pub(crate) dice: Dice,
    pub(crate) without: Option<Safeguard>,
    pub(crate) builder: ContextBuilder,
    /// Up to which number each key's events were reported.
    pub(crate) reported: HashMap<String, u64>,
    pub(crate) persistence: Persistence,
}

/// Reports what fails and tries it again.
#[derive(Debug)]
pub(crate) struct Persistence {
    pub(crate) mouth: Mouth,
    patience: u32,
}

impl Persistence {
    /// Does something until it succeeds or patience ends.
    pub(crate) fn insist<T, E: Into<anyhow::Error>>(
        &mut self,
        mut act: impl FnMut() -> Result<T, E>,
    ) -> Result<T> {
        let mut left = self.patience;
        loop {
            let error: anyhow::Error = match act() {
                Ok(done) => return Ok(done),
                Err(error) => error.into(),
            };
            self.mouth.say(&Said::Trouble(format!("{error:#}")))?;
            if left == 0 {
                return Err(error);
            }
            left -= 1;
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut persistence = Persistence { mouth: Mouth::open()?, patience: args.patience };
    let Ok(builder) = persistence.insist(|| builder(&args.workspace)) else {
        return Ok(GAVE_UP.into());
    };
    let mut writer = Writer {
        workspace: args.workspace.clone(),
        name: args.name.clone(),
        generation: args.generation,
        dice: Dice::new(args.seed),
        without: args.without,
        builder,
        reported: HashMap::new(),
        persistence,
    };
    let mut steps = 0;
    while args.steps.is_none_or(|limit| steps < limit) {
        let workload = match args.without {
            None => workloads::pick(writer.dice.below(1 << 16)),
            Some(Safeguard::Replace) => &workloads::MEMORY,
            // A twin does nothing but what it does wrong, so that it is caught soon.
            Some(_) => &workloads::CONVERSATION,
        };
        if (workload.step)(&mut writer).is_err() {
            // It was reported where it happened.
            return Ok(GAVE_UP.into());
        }
        steps += 1;
    }
    Ok(ExitCode::SUCCESS)
}

/// A builder whose window is so small that histories are reduced after some turns, and which needs
/// no vocabulary: a writer that lives for milliseconds has no time to load one.
fn builder(workspace: &Path) -> Result<ContextBuilder> {
    let model = Model::of_words(3000, 200);
    let settings = Settings { model, built_in_skills: false, ..Settings::default() };
    Ok(ContextBuilder::new(Folder::open(workspace)?, settings))
}
