//! The figures: THE TABLE, and how they are shown.
//!
//! A new figure is a function in this folder and a line in [`FIGURES`].

pub(crate) mod ask;
pub(crate) mod count;
pub(crate) mod crowd;
pub(crate) mod first;
mod push;
mod recall;
pub(crate) mod session;
mod show;
pub(crate) mod turn;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde::{Serialize, Serializer};

/// The figures, in the order in which they are measured and shown.
const FIGURES: &[(&str, Measure)] = &[
    ("turn", turn::measure),
    ("first", first::measure),
    ("push", push::measure),
    ("session", session::measure),
    ("session", session::measure_turns),
    ("recall", recall::measure),
    ("show", show::measure),
    ("ask", ask::measure),
    ("crowd", crowd::measure),
    ("count", count::measure),
];

/// Measures something, and gives a row or a few.
type Measure = fn(&Figures) -> Result<Vec<Figure>>;

/// What to measure with, and how to show it.
#[derive(Debug, Args)]
pub(crate) struct Figures {
    /// The program as it ships.
    #[arg(long)]
    pub(crate) louver: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Measure a tenth as often.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Measure these alone, by the names of their files; may be given more than once.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
}

/// One figure.
#[derive(Debug, Serialize)]
pub(crate) struct Figure {
    /// What was measured.
    pub(crate) what: String,
    /// How much it is: the median where there are many.
    pub(crate) value: f64,
    /// The 99th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) p99: Option<f64>,
    /// In what.
    pub(crate) unit: &'static str,
    /// What it should be, if anything was promised.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "in_words")]
    pub(crate) target: Option<Target>,
    /// Whether it is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<bool>,
}

/// What was promised.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Figure {
    pub(crate) fn new(what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Figure { what: what.into(), value, p99: None, unit, target: None, reached: None }
    }

    pub(crate) fn p99(mut self, p99: f64) -> Self {
        self.p99 = Some(p99);
        self
    }

    pub(crate) fn target(mut self, target: Target) -> Self {
        self.reached = Some(match target {
            Target::AtMost(most) => self.value <= most,
            Target::AtLeast(least) => self.value >= least,
        });
        self.target = Some(target);
        self
    }
}

impl Figures {
    pub(crate) fn run(&self) -> Result<()> {
        let mut all = Vec::new();
        if !self.json {
            println!("{:<60} {:>11} {:>9}  {:<12} reached", "what", "median", "p99", "target");
        }
        let known = |name: &&String| FIGURES.iter().any(|(known, _)| known == name);
        if let Some(name) = self.only.iter().find(|name| !known(name)) {
            bail!("no figure is called `{name}`");
        }
        let wanted = |name: &str| self.only.is_empty() || self.only.iter().any(|n| n == name);
        for (_, measure) in FIGURES.iter().filter(|(name, _)| wanted(name)) {
            let figures = measure(self)?;
            if !self.json {
                figures.iter().for_each(show);
            }
            all.extend(figures);
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&all)?);
        }
        Ok(())
    }

    /// How often to measure.
    pub(crate) fn runs(&self, often: usize) -> usize {
        if self.quick { (often / 10).max(3) } else { often }
    }
}

fn show(figure: &Figure) {
    let Figure { what, value, p99, unit, target, reached } = figure;
    let with_unit = |value: f64| format!("{} {unit}", digits(value));
    let p99 = p99.map(with_unit).unwrap_or_default();
    let target = target.map(|target| format!("{} {unit}", words(target))).unwrap_or_default();
    let reached = reached.map_or("", |reached| if reached { "yes" } else { "NO" });
    println!("{what:<60} {:>11} {p99:>9}  {target:<12} {reached}", with_unit(*value));
}

/// Three digits that mean something.
pub(crate) fn digits(value: f64) -> String {
    let decimals = match value.abs() {
        value if value >= 100.0 => 0,
        value if value >= 10.0 => 1,
        value if value >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

fn words(target: Target) -> String {
    match target {
        Target::AtMost(most) => format!("≤ {most}"),
        Target::AtLeast(least) => format!("≥ {least}"),
    }
}

#[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn in_words<S: Serializer>(target: &Option<Target>, serializer: S) -> Result<S::Ok, S::Error> {
    target.map(words).serialize(serializer)
}
