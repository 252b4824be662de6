//! The ledger as a table with bars.

use std::collections::BTreeMap;
use std::fmt::Write;

use louver_context::ledger::{Ledger, Row, State};
use louver_context::{Source, Tokens};

use crate::screen::{Tone, bar, clip, number, toned};

/// The account of a context for people.
pub(crate) fn ledger(ledger: &Ledger, width: usize, colour: bool) -> String {
    let mut text = String::new();
    let name_width =
        ledger.layers.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(7);
    let largest = ledger.layers.iter().map(|row| row.given).max().unwrap_or_default();
    let bar_width = (width / 4).clamp(8, 30);
    let room = width.saturating_sub(name_width + bar_width + 24).max(20);
    let head =
        format!("{:name_width$}  {:8} {:>8}  {:bar_width$}  from", "part", "place", "tokens", "");
    let _ = writeln!(text, "{}", toned(&head, Tone::Quiet, colour));
    for row in &ledger.layers {
        let graph = bar(row.given.0.into(), largest.0.into(), bar_width as u64);
        let from = match state(row) {
            Some(state) => format!("{state}; {}", sources(ledger, &row.name)),
            None => sources(ledger, &row.name),
        };
        let from = clip(&from, room);
        let tone = if row.state == State::Kept { Tone::Quiet } else { Tone::Odd };
        let _ = writeln!(
            text,
            "{:name_width$}  {:8} {:>8}  {graph:bar_width$}  {}",
            row.name,
            row.place.name(),
            number(row.given.0),
            toned(&from, tone, colour)
        );
    }
    let _ = writeln!(
        text,
        "{:name_width$}  {:8} {:>8}  {:bar_width$}  {}",
        "framing",
        "",
        number(ledger.framing.0),
        bar(ledger.framing.0.into(), largest.0.into(), bar_width as u64),
        toned("around messages and calls", Tone::Quiet, colour)
    );
    text.push_str(&total(ledger, name_width));
    text.push_str(&left_out(ledger, colour));
    text.push_str(&repairs(ledger, colour));
    text
}

fn state(row: &Row) -> Option<String> {
    match row.state {
        State::Kept => None,
        State::Shortened => Some(format!("shortened from {}", number(row.asked.0))),
        State::LeftOut => Some(format!("left out ({} tokens)", number(row.asked.0))),
    }
}

fn total(ledger: &Ledger, name_width: usize) -> String {
    let budget = ledger.budget();
    let used = 100.0 * f64::from(ledger.total.0) / f64::from(budget.0.max(1));
    let epoch = ledger.epoch.as_ref().map_or_else(String::new, |epoch| {
        format!("; epoch {}, begun because of: {}", epoch.number, epoch.reason)
    });
    let counted = if ledger.estimated { "estimated" } else { "exact" };
    format!(
        "\n{:name_width$}  {:8} {:>8}  of {} ({used:.1} %): window {} less {} for the reply\n\
         {:name_width$}  {:8} {:>8}  {}, {counted}; profile {}{epoch}\n",
        "total",
        "",
        number(ledger.total.0),
        number(budget.0),
        number(ledger.window.0),
        number(ledger.reply.0),
        "",
        "",
        "",
        ledger.model,
        ledger.profile,
    )
}

/// Where a layer's text came from, in a few words.
fn sources(ledger: &Ledger, layer: &str) -> String {
    let mut files: Vec<String> = Vec::new();
    let (mut skills, mut messages, mut notes) = (0, Vec::new(), 0);
    let mut others: BTreeMap<String, ()> = BTreeMap::new();
    for span in ledger.spans.iter().filter(|span| span.layer == layer) {
        match &span.source {
            Source::File { path, .. } => {
                if files.last().is_none_or(|last| **last != **path) {
                    files.push(path.to_string());
                }
            }
            Source::Skill { .. } => skills += 1,
            Source::Message { id } | Source::ToolCall { message: id, .. } => messages.push(*id),
            Source::Note { .. } => notes += 1,
            Source::Glue | Source::Marker => {}
            Source::Tool { name } => drop(others.insert(name.to_string(), ())),
            source => drop(others.insert(source.to_string(), ())),
        }
    }
    messages.sort_unstable();
    messages.dedup();
    let mut parts: Vec<String> = Vec::new();
    let mut count = |n: usize, what: &str| {
        let s = if n == 1 { "" } else { "s" };
        if n > 0 {
            parts.push(format!("{n} {what}{s}"));
        }
    };
    count(messages.len(), "message");
    count(skills, "skill");
    count(notes, "note");
    parts.splice(0..0, files);
    parts.extend(others.into_keys());
    parts.join(", ")
}

/// How many lines of a list are shown before it is summed up.
const MOST_LINES: usize = 12;

fn left_out(ledger: &Ledger, colour: bool) -> String {
    let mut text = String::new();
    if ledger.left_out.is_empty() {
        return text;
    }
    let _ = writeln!(text, "\n{}", toned("left out", Tone::Odd, colour));
    for gone in ledger.left_out.iter().take(MOST_LINES) {
        let (tokens, source) = (number(gone.tokens.0), gone.source.to_string());
        let _ = writeln!(text, "  {:>8}  {}: {source} ({})", tokens, gone.layer, gone.reason);
    }
    let rest = &ledger.left_out[ledger.left_out.len().min(MOST_LINES)..];
    if !rest.is_empty() {
        let tokens: Tokens = rest.iter().map(|gone| gone.tokens).sum();
        let _ = writeln!(text, "  {:>8}  {} more (--json lists all)", number(tokens.0), rest.len());
    }
    text
}

fn repairs(ledger: &Ledger, colour: bool) -> String {
    let mut text = String::new();
    if ledger.repairs.is_empty() {
        return text;
    }
    let _ = writeln!(text, "\n{}", toned("repaired in the history", Tone::Odd, colour));
    for repair in ledger.repairs.iter().take(MOST_LINES) {
        let _ = writeln!(text, "  message {}: {}", repair.message, repair.done);
    }
    let rest = ledger.repairs.len().saturating_sub(MOST_LINES);
    if rest > 0 {
        let _ = writeln!(text, "  {rest} more (--json lists all)");
    }
    text
}
