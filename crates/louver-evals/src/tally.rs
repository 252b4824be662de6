//! What came of a pack: its corpora measured one after another, so that only one is in memory.

use crate::measure::{BUDGETS, Engine, Figures, Shelved, USUAL};
use crate::originals::Corpora;
use crate::outdated::Outdated;
use crate::pack::{Corpus, Query};
use anyhow::Result;
use louver_store::library::Table;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// So many questions of another corpus are put to each.
const FOREIGN: usize = 40;

/// The figures of a pack.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) notes: usize,
    pub(crate) questions: usize,
    /// Questions that have an answer, but whose evidence nobody wrote down.
    pub(crate) left_out: u32,
    /// By engine and category, of the questions that have something to find.
    pub(crate) engines: Vec<(Engine, BTreeMap<String, Vec<Figures>>)>,
    /// What share of each budget was spent when there was nothing to find, by category: questions
    /// without evidence, and those that belong to the notes of the next corpus.
    pub(crate) vain: BTreeMap<String, Vec<[f64; 5]>>,
    /// What changed, where the pack says so.
    pub(crate) outdated: Outdated,
}

impl Tally {
    pub(crate) fn of(corpora: Corpora, engines: &[Engine], table: &'static Table) -> Result<Self> {
        let engines = engines.iter().map(|engine| (*engine, BTreeMap::new())).collect();
        let mut tally = Tally { engines, ..Tally::default() };
        let mut corpora = corpora.peekable();
        let mut first: Option<Vec<Query>> = None;
        while let Some(corpus) = corpora.next() {
            let corpus = corpus?;
            let foreign = match (corpora.peek(), &first) {
                (Some(Ok(next)), _) => answerable(next),
                // The next one cannot be read, which ends the measuring in a moment.
                (Some(Err(_)), _) => Vec::new(),
                (None, first) => first.clone().unwrap_or_default(),
            };
            first.get_or_insert_with(|| answerable(&corpus));
            tally.add(&corpus, &foreign, table)?;
        }
        Ok(tally)
    }

    fn add(&mut self, corpus: &Corpus, foreign: &[Query], table: &'static Table) -> Result<()> {
        self.notes += corpus.units.len();
        self.questions += corpus.queries.len();
        self.left_out += corpus.left_out;
        let shelf = Shelved::new(corpus, table)?;
        let (vain, found): (Vec<&Query>, Vec<&Query>) =
            corpus.queries.iter().partition(|query| query.gold.is_empty());
        for (engine, by_category) in &mut self.engines {
            for query in &found {
                let figures = shelf.measure(query, *engine)?;
                by_category.entry(query.cat.clone()).or_default().push(figures);
            }
        }
        if corpus.queries.iter().any(|query| !query.stale.is_empty()) {
            for query in &found {
                if let Some(recalled) = shelf.remind(query)?.get(USUAL) {
                    self.outdated.count(corpus, query, recalled);
                }
            }
        }
        let own = vain.into_iter().map(|query| (query.cat.as_str(), query));
        let foreign = foreign.iter().map(|query| ("of another corpus", query));
        for (category, query) in own.chain(foreign) {
            let recalled = shelf.remind(query)?;
            let spent = std::array::from_fn(|at| {
                let tokens = recalled.get(at).map_or(0, |recalled| recalled.tokens);
                f64::from(tokens) / f64::from(BUDGETS[at])
            });
            self.vain.entry(category.to_owned()).or_default().push(spent);
        }
        Ok(())
    }

    /// The mean over all questions. What is spent in vain is louver's.
    pub(crate) fn mean(&self, engine: Engine) -> Figures {
        let of = self.engines.iter().filter(|(known, _)| *known == engine);
        let all: Vec<Figures> = of.flat_map(|(_, by)| by.values().flatten().copied()).collect();
        let vain: Vec<[f64; 5]> = self.vain.values().flatten().copied().collect();
        let louver = engine == Engine::Louver && !vain.is_empty();
        Figures { spent_in_vain: louver.then(|| mean(&vain)), ..Figures::mean(&all) }
    }

    pub(crate) fn to_json(&self) -> Result<Value> {
        let mut report = Map::new();
        for (engine, by_category) in &self.engines {
            let mut entry = Map::new();
            entry.insert("all".into(), serde_json::to_value(self.mean(*engine))?);
            if *engine == Engine::Louver && by_category.len() > 1 {
                for (category, figures) in by_category {
                    let mean = Figures::mean(figures);
                    entry.insert(category.clone(), serde_json::to_value(mean)?);
                }
            }
            report.insert(engine.name().to_owned(), entry.into());
        }
        let vain = self.vain.iter().map(|(category, spent)| {
            (category.clone(), json!({"questions": spent.len(), "spent_in_vain": mean(spent)}))
        });
        report.insert("nothing_to_find".into(), Value::Object(vain.collect()));
        report.insert("left_out".into(), self.left_out.into());
        if self.outdated.questions > 0 {
            report.insert("outdated".into(), serde_json::to_value(self.outdated)?);
        }
        Ok(report.into())
    }
}

/// The first questions of a corpus that have something to find there, and nowhere else.
fn answerable(corpus: &Corpus) -> Vec<Query> {
    corpus.queries.iter().filter(|query| !query.gold.is_empty()).take(FOREIGN).cloned().collect()
}

/// The mean for each budget.
pub(crate) fn mean(values: &[[f64; 5]]) -> [f64; 5] {
    let count = values.len().max(1) as f64;
    std::array::from_fn(|at| values.iter().map(|spent| spent[at]).sum::<f64>() / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::Baseline;
    use crate::originals::corpora;
    use crate::vectors;
    use std::fs;
    use tempfile::TempDir;

    #[test]
    fn questions_with_nothing_to_find_are_kept_apart() {
        let sample = |name: &str, thing: &str| {
            json!({
                "conversation": {
                    "session_1_date_time": "1:00 pm on 8 May, 2024",
                    "session_1": [
                        {"speaker": name, "dia_id": "D1:1", "text": format!("I sold the {thing} in Kiel.")},
                        {"speaker": "Bo", "dia_id": "D1:2", "text": "It rained all day."},
                    ],
                },
                "qa": [
                    {"question": format!("Where did {name} sell the {thing}?"), "answer": "Kiel",
                     "evidence": ["D1:1"], "category": 4},
                    {"question": format!("Where did Bo sell the {thing}?"), "category": 5, "evidence": ["D1:1"]},
                    {"question": "Why?", "answer": "?", "evidence": [], "category": 3},
                ],
            })
        };
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("made_up.json");
        let set = json!([sample("Ida", "boat"), sample("Ola", "violin")]);
        fs::write(&path, set.to_string()).unwrap();
        let newest = Engine::Baseline(Baseline::Newest);
        let engines = [Engine::Louver, newest];
        let tally = Tally::of(corpora(&path).unwrap(), &engines, vectors(None).unwrap()).unwrap();
        assert_eq!((tally.notes, tally.questions, tally.left_out), (4, 4, 2));
        let counts: Vec<(&str, usize)> =
            tally.vain.iter().map(|(category, spent)| (&**category, spent.len())).collect();
        assert_eq!(counts, [("adversarial", 2), ("of another corpus", 2)]);
        let louver = tally.mean(Engine::Louver);
        assert_eq!((louver.questions, louver.recall_5, louver.within[0]), (2, 1.0, 1.0));
        assert!(louver.spent_in_vain.is_some());
        assert!(tally.mean(newest).spent_in_vain.is_none());
        let report = tally.to_json().unwrap();
        assert_eq!(report["nothing_to_find"]["adversarial"]["questions"], 2);
        assert_eq!(report["louver"]["all"]["questions"], 2);
    }
}
