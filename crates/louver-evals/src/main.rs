//! Prints how much of what was asked for reaches the prompt, on packs of notes and questions.
#![allow(clippy::print_stderr)]

mod baselines;
mod measure;
mod originals;
mod outdated;
mod pack;
mod tally;

use anyhow::{Context, Result};
use baselines::Baseline;
use clap::Parser;
use louver_recall::rank::Shelf;
use louver_recall::recall::find;
use louver_store::library::{Table, read_vectors};
use measure::{BUDGETS, Engine, Figures, Shelved, USUAL};
use originals::Corpora;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tally::{Tally, mean};

/// Measures recall on packs: what is found, and how much of it fits into a budget.
#[derive(Parser)]
struct Options {
    /// What to measure: names of packs in the folder, or files and folders: packs, LoCoMo,
    /// LongMemEval, BEAM. All packs of the folder when none is named.
    packs: Vec<String>,
    /// The folder with the packs (`NAME.jsonl.gz` or `NAME.jsonl`).
    #[arg(long, default_value = "../shared/evals")]
    folder: PathBuf,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// Leave the baselines out.
    #[arg(long)]
    brief: bool,
    /// Vectors other than the shipped ones, as `xtask/scripts/embeddings_pack.py` writes them.
    #[arg(long)]
    embeddings: Option<PathBuf>,
    /// Write the parts of every candidate, for fitting the weights.
    #[arg(long)]
    parts: Option<PathBuf>,
    /// Put all notes of a corpus into one session that never ends, as many people talk to their agent.
    #[arg(long)]
    one_session: bool,
    /// Print, question by question, what was ranked before the evidence.
    #[arg(long)]
    explain: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // Who reads only the beginning has what they wanted.
        Err(error) if is_cut_off(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_cut_off(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    let table = vectors(options.embeddings.as_deref())?;
    let packs =
        if options.packs.is_empty() { all_packs(&options.folder)? } else { options.packs.clone() };
    let mut report = serde_json::Map::new();
    for name in packs {
        let mut corpora = originals::corpora(&path_of(&options.folder, &name))?;
        if options.one_session {
            corpora = Box::new(corpora.map(|corpus| corpus.map(pack::Corpus::in_one_session)));
        }
        if let Some(folder) = &options.parts {
            let file = Path::new(&name).file_name().context("a pack has a name")?;
            write_parts(&folder.join(file), corpora, table)?;
        } else if options.explain {
            for corpus in corpora {
                explain(&Shelved::new(&corpus?, table)?, out)?;
            }
        } else {
            let engines: &[Engine] = if options.brief { &[Engine::Louver] } else { &ALL };
            let tally = Tally::of(corpora, engines, table)?;
            if options.json {
                report.insert(name, tally.to_json()?);
            } else {
                print(&name, &tally, out)?;
            }
        }
    }
    if options.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    }
    Ok(())
}

/// Who is measured unless it is to be brief.
const ALL: [Engine; 5] = [
    Engine::Louver,
    Engine::Memory,
    Engine::Baseline(Baseline::Hybrid),
    Engine::Baseline(Baseline::Words),
    Engine::Baseline(Baseline::Newest),
];

/// Prints for each question where its evidence stands and what stands before it.
fn explain(shelf: &Shelved<'_>, out: &mut impl Write) -> Result<()> {
    for query in &shelf.corpus.queries {
        let found = find(&shelf.index, &shelf.question(query), &|_| true);
        writeln!(out, "\n{} · {}", query.cat, query.text)?;
        let figures = shelf.measure(query, Engine::Louver)?;
        let choice = shelf.choose(&found, BUDGETS[USUAL]);
        writeln!(
            out,
            "  within {:?}, odds {:.1}, room {}",
            figures.within.map(|share| (share * 100.0).round()),
            choice.odds,
            choice.room
        )?;
        for (at, ranked) in found.ranked.iter().enumerate() {
            let Some(note) = shelf.index.note(ranked.place) else { continue };
            let id = &shelf.corpus.units[note.id as usize].id;
            let (gold, stale) = (query.gold.contains(id), query.stale.contains(id));
            let chosen = choice.notes.iter().position(|chosen| chosen.id == note.id);
            if gold || stale || at < 4 {
                let parts: Vec<String> = ranked
                    .parts
                    .named()
                    .iter()
                    .filter(|(_, value)| value.abs() > 0.05)
                    .map(|(name, value)| format!("{name} {value:.1}"))
                    .collect();
                let head: String =
                    note.text.chars().take(160).map(|c| if c == '\n' { ' ' } else { c }).collect();
                writeln!(
                    out,
                    "{}{:4} {:3} {:5.2} [{}] {} ({})",
                    match (gold, stale) {
                        (true, _) => "*",
                        (false, true) => "-",
                        (false, false) => " ",
                    },
                    chosen.map_or(String::new(), |at| match choice.notes[at].newer {
                        Some(_) => format!("{}o", at + 1),
                        None => format!("{}", at + 1),
                    }),
                    at + 1,
                    ranked.score,
                    note.who,
                    head,
                    parts.join(", ")
                )?;
                let newer = chosen.and_then(|at| choice.notes[at].newer);
                if let Some(newer) = newer.and_then(|id| shelf.corpus.units.get(id as usize)) {
                    writeln!(
                        out,
                        "            older than {}: {}",
                        newer.id,
                        newer.text.replace('\n', " ")
                    )?;
                }
            }
        }
    }
    Ok(())
}

/// One line per candidate: question, place, tokens, whether it is evidence, then every part.
fn write_parts(path: &Path, corpora: Corpora, table: &'static Table) -> Result<()> {
    use louver_recall::rank::Parts;
    // Never over something that is there: it may be a pack.
    let file = File::create_new(path).with_context(|| path.display().to_string())?;
    let mut out = BufWriter::new(file);
    let weights = Parts::WEIGHTS.named();
    let mut number = 0;
    for corpus in corpora {
        let corpus = corpus?;
        let shelf = Shelved::new(&corpus, table)?;
        for query in &corpus.queries {
            let found = find(&shelf.index, &shelf.question(query), &|_| true);
            for ranked in &found.ranked {
                let Some(note) = shelf.index.note(ranked.place) else { continue };
                let unit = &corpus.units[note.id as usize];
                let line = louver_recall::choose::line(note, &note.session, &note.text);
                let tokens = measure::tokens(&line);
                let gold = u8::from(query.gold.contains(&unit.id));
                write!(
                    out,
                    "{number}\t{}\t{tokens}\t{gold}\t{}\t{:?}",
                    ranked.place,
                    query.gold.len(),
                    found.asked.about
                )?;
                for ((_, value), (_, weight)) in ranked.parts.named().into_iter().zip(weights) {
                    write!(out, "\t{:.4}", if weight == 0.0 { 0.0 } else { value / weight })?;
                }
                writeln!(out)?;
            }
            number += 1;
        }
    }
    Ok(())
}

/// The table of a pack.
fn print(name: &str, tally: &Tally, out: &mut impl Write) -> io::Result<()> {
    let left_out = match tally.left_out {
        0 => String::new(),
        count => format!(" ({count} left out: no evidence is named)"),
    };
    writeln!(out, "\n{name}: {} notes, {} questions{left_out}", tally.notes, tally.questions)?;
    writeln!(
        out,
        "{:28} {:>5} {:>5} {:>5} {:>5} | {} | {:>5} {:>6} {:>6}",
        "",
        "n",
        "R@5",
        "R@10",
        "nDCG",
        BUDGETS.map(|b| format!("{:>5}", format!("B{b}"))).join(" "),
        "AUC",
        "vain",
        "µs"
    )?;
    for (engine, by_category) in &tally.engines {
        row(engine.name(), &tally.mean(*engine), out)?;
        if *engine == Engine::Louver && by_category.len() > 1 {
            for (category, figures) in by_category {
                row(&format!("  {category}"), &Figures::mean(figures), out)?;
            }
        }
    }
    if !tally.vain.is_empty() {
        writeln!(out, "nothing to find, spent of each budget:")?;
        for (category, spent) in &tally.vain {
            let shares = mean(spent).map(|share| format!("{:5.1}", share * 100.0));
            let (name, count) = (format!("  {category}"), spent.len());
            writeln!(out, "{name:28} {count:>5} {:17} | {}", "", shares.join(" "))?;
        }
    }
    if tally.outdated.questions > 0 {
        writeln!(out, "{}", tally.outdated.line())?;
    }
    Ok(())
}

fn row(name: &str, figures: &Figures, out: &mut impl Write) -> io::Result<()> {
    let percent = |share: f64| format!("{:5.1}", share * 100.0);
    let vain = figures
        .spent_in_vain
        .map_or(String::new(), |shares| format!("{:.0}%", shares[USUAL] * 100.0));
    writeln!(
        out,
        "{:28} {:>5} {} {} {} | {} | {} {:>6} {:6.0}",
        name,
        figures.questions,
        percent(figures.recall_5),
        percent(figures.recall_10),
        percent(figures.ndcg_10),
        figures.within.map(percent).join(" "),
        percent(figures.auc()),
        vain,
        figures.micros
    )?;
    Ok(())
}

pub(crate) fn vectors(path: Option<&Path>) -> Result<&'static Table> {
    let table = path.map_or_else(|| Ok(Table::shipped()), read_vectors)?;
    // Once per run, for its whole length.
    Ok(Box::leak(Box::new(table)))
}

fn all_packs(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)
        .with_context(|| format!("{} cannot be listed", folder.display()))?
    {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let bare = name.strip_suffix(".gz").unwrap_or(&name);
        names.extend(bare.strip_suffix(".jsonl").map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// A pack of the folder by its name, or else the file or folder of that name.
fn path_of(folder: &Path, name: &str) -> PathBuf {
    let packs = ["jsonl.gz", "jsonl"].map(|end| folder.join(format!("{name}.{end}")));
    packs.into_iter().find(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(name))
}
