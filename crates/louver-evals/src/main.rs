//! Prints how much of what was asked for reaches the prompt, on packs of notes and questions.
#![allow(clippy::print_stdout)]

mod measure;
mod pack;

use anyhow::{Context, Result};
use clap::Parser;
use louver_recall::embed::{Embeddings, shipped};
use louver_recall::index::Index;
use louver_recall::rank::Shelf;
use louver_recall::recall::find;
use measure::{BUDGETS, Engine, Figures, Shelved};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Measures recall on packs: what is found, and how much of it fits into a budget.
#[derive(Parser)]
struct Options {
    /// The packs to measure: names in the folder, or files. All of the folder when none is named.
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
    /// Vectors other than the shipped ones, as `embeddings_pack.py` writes them.
    #[arg(long)]
    embeddings: Option<PathBuf>,
    /// Write the parts of every candidate, for fitting the weights.
    #[arg(long)]
    parts: Option<PathBuf>,
    /// Print, question by question, what was ranked before the evidence.
    #[arg(long)]
    explain: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let table = vectors(options.embeddings.as_deref())?;
    let packs =
        if options.packs.is_empty() { all_packs(&options.folder)? } else { options.packs.clone() };
    let mut report = serde_json::Map::new();
    for name in packs {
        let corpora = pack::read(&path_of(&options.folder, &name))?;
        let shelved: Vec<Shelved<'_>> = corpora
            .iter()
            .map(|corpus| Shelved::new(corpus, Index::with(table)))
            .collect::<Result<_>>()?;
        if !options.json {
            println!(
                "\n{name}: {} notes, {} questions",
                corpora.iter().map(|c| c.units.len()).sum::<usize>(),
                corpora.iter().map(|c| c.queries.len()).sum::<usize>()
            );
            println!(
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
            );
        }
        if let Some(folder) = &options.parts {
            // Of a pack that is given as a path only the name: a whole path would lead back to the pack.
            let file = Path::new(&name).file_name().unwrap_or_default();
            write_parts(&folder.join(file), &shelved)?;
            continue;
        }
        if options.explain {
            shelved.iter().for_each(explain);
            continue;
        }
        let engines: &[Engine] = if options.brief {
            &[Engine::Louver]
        } else {
            &[Engine::Louver, Engine::Memory, Engine::Words, Engine::Newest]
        };
        let mut of_pack = serde_json::Map::new();
        for engine in engines {
            let by_category = measured(&shelved, *engine);
            let all: Vec<Figures> = by_category.values().flatten().copied().collect();
            let mut mean = Figures::mean(&all);
            if *engine == Engine::Louver {
                mean.spent_in_vain = in_vain(&shelved);
            }
            let mut entry = serde_json::Map::new();
            entry.insert("all".into(), serde_json::to_value(mean)?);
            if !options.json {
                row(&format!("{engine:?}").to_lowercase(), &mean);
            }
            if *engine == Engine::Louver && by_category.len() > 1 {
                for (category, figures) in &by_category {
                    let mean = Figures::mean(figures);
                    entry.insert(category.clone(), serde_json::to_value(mean)?);
                    if !options.json {
                        row(&format!("  {category}"), &mean);
                    }
                }
            }
            of_pack.insert(format!("{engine:?}").to_lowercase(), entry.into());
        }
        report.insert(name, of_pack.into());
    }
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    }
    Ok(())
}

/// Prints for each question where its evidence stands and what stands before it.
fn explain(shelf: &Shelved<'_>) {
    for query in &shelf.corpus.queries {
        let found = find(&shelf.index, &shelf.question(query), &|_| true);
        println!("\n{} · {}", query.cat, query.text);
        for (at, ranked) in found.ranked.iter().enumerate() {
            let Some(note) = shelf.index.note(ranked.place) else { continue };
            let gold = query.gold.contains(&shelf.corpus.units[note.id as usize].id);
            if gold || at < 4 {
                let parts: Vec<String> = ranked
                    .parts
                    .named()
                    .iter()
                    .filter(|(_, value)| value.abs() > 0.05)
                    .map(|(name, value)| format!("{name} {value:.1}"))
                    .collect();
                let head: String =
                    note.text.chars().take(160).map(|c| if c == '\n' { ' ' } else { c }).collect();
                println!(
                    "{} {:3} {:5.2} [{}] {} ({})",
                    if gold { "*" } else { " " },
                    at + 1,
                    ranked.score,
                    note.who,
                    head,
                    parts.join(", ")
                );
            }
        }
    }
}

/// One line per candidate: question, place, tokens, whether it is evidence, then every part.
fn write_parts(path: &Path, shelved: &[Shelved<'_>]) -> Result<()> {
    use louver_recall::rank::Parts;
    let mut out = BufWriter::new(File::create(path)?);
    let weights = Parts::WEIGHTS.named();
    let mut number = 0;
    for shelf in shelved {
        for query in &shelf.corpus.queries {
            let found = find(&shelf.index, &shelf.question(query), &|_| true);
            for ranked in &found.ranked {
                let Some(note) = shelf.index.note(ranked.place) else { continue };
                let unit = &shelf.corpus.units[note.id as usize];
                let tokens = measure::tokens(&louver_recall::choose::line(
                    note,
                    &note.text,
                    found.asked.now,
                ));
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

fn measured(shelved: &[Shelved<'_>], engine: Engine) -> BTreeMap<String, Vec<Figures>> {
    let mut by_category: BTreeMap<String, Vec<Figures>> = BTreeMap::new();
    for shelf in shelved {
        for query in shelf.corpus.queries.iter().filter(|query| !query.gold.is_empty()) {
            by_category.entry(query.cat.clone()).or_default().push(shelf.measure(query, engine));
        }
    }
    by_category
}

/// What is spent of a budget when there is nothing to find: questions with no evidence, and those
/// that belong to the notes of the next corpus.
fn in_vain(shelved: &[Shelved<'_>]) -> Option<f64> {
    let mut spent = Vec::new();
    for (at, shelf) in shelved.iter().enumerate() {
        let own = shelf.corpus.queries.iter().filter(|query| query.gold.is_empty());
        let foreign = (shelved.len() > 1).then(|| &shelved[(at + 1) % shelved.len()]);
        let foreign = foreign.into_iter().flat_map(|other| {
            other.corpus.queries.iter().filter(|query| !query.gold.is_empty()).take(40)
        });
        for query in own.chain(foreign) {
            let tokens = shelf.remind(query).get(2).map_or(0, |recalled| recalled.tokens);
            spent.push(f64::from(tokens) / f64::from(BUDGETS[2]));
        }
    }
    (!spent.is_empty()).then(|| spent.iter().sum::<f64>() / spent.len() as f64)
}

fn row(name: &str, figures: &Figures) {
    let percent = |share: f64| format!("{:5.1}", share * 100.0);
    let vain =
        figures.spent_in_vain.map_or(String::new(), |share| format!("{:.0}%", share * 100.0));
    println!(
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
    );
}

fn vectors(path: Option<&Path>) -> Result<Embeddings<'static>> {
    let Some(path) = path else { return Ok(shipped()) };
    let file = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    // Once per run, for its whole length.
    Embeddings::read(Box::leak(file.into_boxed_slice()))
        .with_context(|| format!("{} holds no vectors", path.display()))
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

fn path_of(folder: &Path, name: &str) -> PathBuf {
    if name.ends_with(".gz") || name.ends_with(".jsonl") {
        return PathBuf::from(name);
    }
    let packed = folder.join(format!("{name}.jsonl.gz"));
    if packed.exists() { packed } else { folder.join(format!("{name}.jsonl")) }
}
