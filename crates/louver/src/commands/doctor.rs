//! `louver doctor`: checks the workspace, its settings and what they cost.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Zoned;
use louver_store::{Problem, Severity, Turn};

use crate::cli::Shared;
use crate::error::{Code, Failure};
use crate::screen::{Tone, colour, number, toned};
use crate::wiring::{self, Opened};
use crate::{config, gather, screen};

/// Check the workspace, its settings and what they cost.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {}

/// The report, line by line.
#[derive(Default)]
struct Report {
    text: String,
    found: bool,
}

impl Report {
    fn fine(&mut self, what: &str) {
        let _ = writeln!(self.text, "{}  {what}", toned("ok  ", Tone::Good, colour()));
    }

    fn note(&mut self, what: &str) {
        let _ = writeln!(self.text, "{}  {what}", toned("note", Tone::Quiet, colour()));
    }

    fn mend(&mut self, what: &str, hint: Option<&str>) {
        self.found = true;
        let _ = writeln!(self.text, "{}  {what}", toned("mend", Tone::Odd, colour()));
        if let Some(hint) = hint {
            let _ = writeln!(self.text, "      {hint}");
        }
    }

    fn problem(&mut self, problem: &Problem) {
        match problem.severity {
            Severity::Note => self.note(&problem.to_string()),
            _ => self.mend(&problem.to_string(), problem.hint.as_deref()),
        }
    }
}

pub(crate) fn run(shared: &Shared, _: &DoctorArgs) -> Result<ExitCode, Failure> {
    let mut report = Report::default();
    let mut opened = wiring::open(shared, None)?;
    report.fine(&format!("workspace {}", opened.path.display()));
    settings(&opened, &mut report);
    files(&mut opened, &mut report);
    skills(&mut opened, &mut report);
    size(&mut opened, &mut report);
    for other in wiring::neighbours().filter(|other| *other != opened.path) {
        let other = other.display();
        report.note(&format!(
            "there is another workspace at {other}; `--workspace {other}` opens it"
        ));
    }
    screen::print(&report.text)?;
    Ok(if report.found { Code::Found.into() } else { ExitCode::SUCCESS })
}

fn settings(opened: &Opened, report: &mut Report) {
    let settings = opened.builder.settings();
    let own = config::own_path().filter(|path| path.is_file());
    match own {
        Some(path) => report.fine(&format!("settings {}", path.display())),
        None => report.note("no settings of your own; the defaults are used"),
    }
    report.fine(&format!("profile {}, model {}", settings.profile.name, settings.model.name));
    opened.problems.iter().for_each(|problem| report.problem(problem));
}

fn files(opened: &mut Opened, report: &mut Report) {
    let settings = opened.builder.settings();
    let files: Vec<String> = match &settings.instructions {
        Some(files) => files.clone(),
        None => settings.profile.files.iter().map(|file| (*file).to_owned()).collect(),
    };
    let mut problems = Vec::new();
    let workspace = opened.builder.workspace();
    let there = workspace.documents(files.iter().map(String::as_str), &mut problems);
    let names: Vec<&str> = there.iter().map(|document| &*document.name).collect();
    if names.is_empty() && problems.is_empty() {
        report
            .mend("no instruction file is there", Some("`louver init` writes templates for them"));
    } else {
        report.fine(&format!("instructions {}", names.join(", ")));
    }
    match workspace.memory(&mut problems) {
        Some(memory) => {
            report.fine(&format!("memory {} ({} bytes)", memory.path, memory.text.len()))
        }
        None => report.note("no memory yet"),
    }
    problems.iter().for_each(|problem| report.problem(problem));
}

fn skills(opened: &mut Opened, report: &mut Report) {
    let (skills, problems) = opened.builder.skills();
    let usable = skills.iter().filter(|skill| skill.available()).count();
    report.fine(&format!("{} skills, {usable} of them can be used here", skills.len()));
    for skill in skills.iter().filter(|skill| !skill.available()) {
        report.note(&format!("skill {} needs {}", skill.name, skill.missing_text()));
    }
    problems.iter().for_each(|problem| report.problem(problem));
}

/// What an empty message costs, and which part costs the most.
fn size(opened: &mut Opened, report: &mut Report) {
    let mut problems = Vec::new();
    let extra = gather::commands(&opened.config.layers, &opened.path, &mut problems);
    problems.iter().for_each(|problem| report.problem(problem));
    let turn = Turn { now: Some(Zoned::now()), extra, ..Turn::default() };
    match opened.builder.context(&turn) {
        Err(error) => report.mend(&error.to_string(), Some(&error.hint())),
        Ok(built) => {
            let ledger = &built.context.ledger;
            let largest = ledger.layers.iter().max_by_key(|row| row.given);
            let largest = largest.map_or_else(String::new, |row| {
                format!("; the largest part is {} with {}", row.name, number(row.given.0))
            });
            let (total, budget) = (number(ledger.total.0), number(ledger.budget().0));
            report.fine(&format!("a turn starts at {total} of {budget} tokens{largest}"));
            if let Some(most) =
                opened.config.context.warn_tokens.filter(|most| ledger.total.0 > *most)
            {
                report.mend(&format!("that is above `warn_tokens` ({})", number(most)), None);
            }
        }
    }
}
