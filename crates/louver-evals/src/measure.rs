//! What is measured: how much of the evidence is among the first notes, and within a budget.

use crate::baselines::Baseline;
use crate::pack::{Corpus, Query, date_time};
use jiff::civil::DateTime;
use louver_context::layers::recalled::lines;
use louver_context::tokens::Encoding;
use louver_recall::choose::{Choice, choose};
use louver_recall::index::Index;
use louver_recall::question::Question;
use louver_recall::rank::Shelf;
use louver_recall::recall::{Found, find};
use louver_store::library::{Asking, Library, Recalled, Table};
use louver_store::notes::{Held, Note, Source, SourceKind};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Instant;
use tempfile::TempDir;

/// The budgets everything is measured at.
pub(crate) const BUDGETS: [u32; 5] = [512, 1024, 2048, 4096, 8192];

/// The budget that figures without one are of, by its place among them.
pub(crate) const USUAL: usize = 2;

/// Figures of one question, or the mean of many. All are shares from 0 to 1.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Figures {
    pub(crate) questions: u32,
    pub(crate) recall_5: f64,
    pub(crate) recall_10: f64,
    pub(crate) ndcg_10: f64,
    pub(crate) within: [f64; 5],
    /// What share of each budget is spent on questions with nothing to find, where there were some.
    pub(crate) spent_in_vain: Option<[f64; 5]>,
    pub(crate) micros: f64,
}

/// Who orders the notes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    /// What a turn is reminded of: the library on disk.
    Louver,
    /// The same notes and ranking in memory, without a name for each note.
    Memory,
    /// One of those that others use.
    Baseline(Baseline),
}

impl Engine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Louver => "louver",
            Engine::Memory => "memory",
            Engine::Baseline(baseline) => baseline.name(),
        }
    }
}

impl Figures {
    /// The mean over the budgets.
    pub(crate) fn auc(&self) -> f64 {
        self.within.iter().sum::<f64>() / self.within.len() as f64
    }

    pub(crate) fn mean(all: &[Figures]) -> Figures {
        let count = all.len().max(1) as f64;
        let mean = |of: &dyn Fn(&Figures) -> f64| all.iter().map(of).sum::<f64>() / count;
        Figures {
            questions: all.len() as u32,
            recall_5: mean(&|one| one.recall_5),
            recall_10: mean(&|one| one.recall_10),
            ndcg_10: mean(&|one| one.ndcg_10),
            within: std::array::from_fn(|at| mean(&|one| one.within[at])),
            spent_in_vain: None,
            micros: mean(&|one| one.micros),
        }
    }
}

pub(crate) fn tokens(text: &str) -> u32 {
    Encoding::O200k.count(text).0
}

/// A corpus, indexed.
pub(crate) struct Shelved<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) index: Index,
    ids: HashMap<&'a str, u64>,
    last: Option<DateTime>,
    library: RefCell<Library>,
    /// Where the library is; gone with it.
    _folder: TempDir,
}

/// The corpus in a library of its own, each session a source, in the order in which they began.
fn library(corpus: &Corpus, table: &Table) -> anyhow::Result<(Library, TempDir)> {
    let folder = TempDir::new()?;
    let mut library = Library::open_with(folder.path(), table.clone())?;
    let mut sources: Vec<(String, Vec<Note>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (at, unit) in corpus.units.iter().enumerate() {
        let number = *known.entry(&unit.sess).or_insert_with(|| {
            sources.push((unit.sess.clone(), Vec::new()));
            sources.len() - 1
        });
        sources[number].1.push(unit.to_keep(at));
    }
    for (name, notes) in sources {
        let kind = SourceKind::Session(name.clone());
        let source = Source { name, stamp: "1".into(), kind, scope: String::new() };
        library.put(&source, Held { notes, more: false })?;
    }
    Ok((library, folder))
}

impl<'a> Shelved<'a> {
    pub(crate) fn new(corpus: &'a Corpus, table: &'static Table) -> anyhow::Result<Self> {
        let mut index = Index::with(table.embeddings());
        let mut ids = HashMap::new();
        for (at, unit) in corpus.units.iter().enumerate() {
            index.add(unit.note(at as u64));
            ids.insert(unit.id.as_str(), at as u64);
        }
        let last = corpus.units.iter().filter_map(|unit| date_time(&unit.ts)).max();
        let (library, folder) = library(corpus, table)?;
        let library = RefCell::new(library);
        Ok(Shelved { corpus, index, ids, last, library, _folder: folder })
    }

    /// A question without a date is asked when the last note was written.
    pub(crate) fn question(&self, query: &Query) -> Question {
        Question { text: query.text.clone(), now: date_time(&query.date).or(self.last) }
    }

    pub(crate) fn measure(&self, query: &Query, engine: Engine) -> anyhow::Result<Figures> {
        let gold: Vec<u64> =
            query.gold.iter().filter_map(|id| self.ids.get(id.as_str()).copied()).collect();
        Ok(match engine {
            Engine::Louver => self.reminded(query, &gold)?,
            Engine::Memory => self.recalled(query, &gold),
            Engine::Baseline(baseline) => {
                let order = baseline.order(self, query);
                Figures { within: self.taken_whole(&order, query, &gold), ..ordered(&order, &gold) }
            }
        })
    }

    /// What the library gives for a question, for each budget.
    pub(crate) fn remind(&self, query: &Query) -> anyhow::Result<Vec<Recalled>> {
        let question = self.question(query);
        let asking = Asking { now: question.now, ..Asking::new(&question.text, "", 0) };
        Ok(self.library.borrow_mut().recall_each(&asking, &BUDGETS, &tokens)?)
    }

    fn reminded(&self, query: &Query, gold: &[u64]) -> anyhow::Result<Figures> {
        let start = Instant::now();
        let recalled = self.remind(query)?;
        let micros = start.elapsed().as_secs_f64() * 1e6;
        let Some(most) = recalled.last() else { return Ok(ordered(&[], gold)) };
        let taken = most.taken.iter().map(|taken| (taken.rank, &taken.place));
        let mut ranked: Vec<(usize, &String)> =
            taken.chain(most.left.iter().map(|left| (left.rank, &left.place))).collect();
        ranked.sort_unstable();
        let order: Vec<u64> =
            ranked.into_iter().filter_map(|(_, place)| place.parse().ok()).collect();
        let mut within = [0.0; 5];
        for ((within, budget), recalled) in within.iter_mut().zip(BUDGETS).zip(&recalled) {
            *within = self.share_of(recalled, query, gold, budget);
        }
        Ok(Figures { within, micros, ..ordered(&order, gold) })
    }

    /// The share of the evidence that is in, if all lines as a prompt has them fit.
    fn share_of(&self, recalled: &Recalled, query: &Query, gold: &[u64], budget: u32) -> f64 {
        let lines = lines(&recalled.notes()).concat();
        if tokens(&lines) > budget {
            return 0.0;
        }
        let answer = query.answer.as_str().unwrap_or("");
        let worth = |id: &u64| {
            let name = id.to_string();
            let Some(taken) = recalled.taken.iter().find(|taken| taken.place == name) else {
                return 0.0;
            };
            let text = &self.corpus.units[*id as usize].text;
            let answers =
                !answer.is_empty() && text.contains(answer) && taken.text.contains(answer);
            if taken.whole || answers {
                return 1.0;
            }
            (f64::from(tokens(&taken.text)) / f64::from(tokens(text).max(1))).min(1.0)
        };
        gold.iter().map(worth).sum::<f64>() / gold.len().max(1) as f64
    }

    fn recalled(&self, query: &Query, gold: &[u64]) -> Figures {
        let question = self.question(query);
        let start = Instant::now();
        let found = find(&self.index, &question, &|_| true);
        let micros = start.elapsed().as_secs_f64() * 1e6;
        let order: Vec<u64> =
            found.ranked.iter().filter_map(|one| Some(self.index.note(one.place)?.id)).collect();
        let within =
            BUDGETS.map(|budget| self.share(&self.choose(&found, budget), query, gold, budget));
        Figures { within, micros, ..ordered(&order, gold) }
    }

    pub(crate) fn choose(&self, found: &Found, budget: u32) -> Choice {
        choose(&found.asked, &found.ranked, &self.index, self.index.table(), budget, &tokens)
    }

    fn share(&self, choice: &Choice, query: &Query, gold: &[u64], budget: u32) -> f64 {
        if choice.tokens > budget {
            return 0.0;
        }
        let answer = query.answer.as_str().unwrap_or("");
        let worth = |id: &u64| {
            let Some(chosen) = choice.notes.iter().find(|chosen| chosen.id == *id) else {
                return 0.0;
            };
            let text = &self.corpus.units[*id as usize].text;
            if chosen.whole
                || (!answer.is_empty() && text.contains(answer) && chosen.text.contains(answer))
            {
                return 1.0;
            }
            (f64::from(tokens(&chosen.text)) / f64::from(tokens(text).max(1))).min(1.0)
        };
        gold.iter().map(worth).sum::<f64>() / gold.len().max(1) as f64
    }
}

fn ordered(order: &[u64], gold: &[u64]) -> Figures {
    let among = |first: usize| {
        order.iter().take(first).filter(|id| gold.contains(id)).count() as f64
            / gold.len().max(1) as f64
    };
    let gain = |at: usize| 1.0 / (at as f64 + 2.0).log2();
    let got: f64 = order
        .iter()
        .take(10)
        .enumerate()
        .filter(|(_, id)| gold.contains(id))
        .map(|(at, _)| gain(at))
        .sum();
    let best: f64 = (0..gold.len().min(10)).map(gain).sum();
    Figures {
        questions: 1,
        recall_5: among(5),
        recall_10: among(10),
        ndcg_10: if best > 0.0 { got / best } else { 0.0 },
        ..Figures::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{originals, vectors};
    use std::path::Path;

    fn home() -> Corpus {
        pack("home")
    }

    fn pack(name: &str) -> Corpus {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("packs/{name}.jsonl"));
        originals::corpora(&path).unwrap().next().unwrap().unwrap()
    }

    #[test]
    fn our_own_pack_is_recalled_within_512_tokens_and_nothing_is_spent_in_vain() {
        is_recalled(&home());
    }

    #[test]
    fn and_when_it_was_all_said_in_one_session() {
        is_recalled(&home().in_one_session());
    }

    fn is_recalled(home: &Corpus) {
        let shelf = Shelved::new(home, vectors(None).unwrap()).unwrap();
        let asked = |empty: bool| {
            shelf.corpus.queries.iter().filter(move |query| query.gold.is_empty() == empty)
        };
        let figures: Vec<Figures> =
            asked(false).map(|query| shelf.measure(query, Engine::Louver).unwrap()).collect();
        let mean = Figures::mean(&figures);
        assert!(mean.within[0] >= 0.9, "{:?}", mean.within);
        assert!(mean.recall_10 >= 0.9, "{}", mean.recall_10);
        for query in asked(true) {
            let spent = shelf.remind(query).unwrap()[2].tokens;
            assert!(spent <= 512, "{}: {spent}", query.text);
        }
    }

    /// What the readme says of them, less three questions.
    #[test]
    fn of_everyday_messages_eight_in_ten_are_found_in_other_words() {
        for (name, least) in [("year", 0.8), ("tuner", 0.83)] {
            let pack = pack(name);
            let shelf = Shelved::new(&pack, vectors(None).unwrap()).unwrap();
            let asked = shelf.corpus.queries.iter().filter(|query| !query.gold.is_empty());
            let figures: Vec<Figures> =
                asked.map(|query| shelf.measure(query, Engine::Louver).unwrap()).collect();
            let within = Figures::mean(&figures).within[2];
            assert!(figures.len() == 110 && within >= least, "{name}: {within}");
        }
    }

    #[test]
    fn what_was_never_mentioned_costs_less_than_a_quarter() {
        let pack = pack("tuner");
        let shelf = Shelved::new(&pack, vectors(None).unwrap()).unwrap();
        let never = shelf.corpus.queries.iter().filter(|query| query.cat == "nothing");
        let spent: Vec<u32> = never.map(|query| shelf.remind(query).unwrap()[2].tokens).collect();
        assert!(spent.len() == 20 && spent.iter().sum::<u32>() <= 20 * 2048 / 4, "{spent:?}");
    }

    /// A table of the piece "x" alone, as the packing script lays it out.
    const X: &[u8] = b"LVRVEC1\0\x01\0\0\0\x02\0\0\0\x08\0\0\0\x02\0\0\0\x01\0\0\0\x01\0\0\0\0\0\x80\x3fx\0\0\0\x01\x01";

    #[test]
    fn a_library_that_fails_is_not_one_that_finds_nothing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), X).unwrap();
        let corpus = home();
        let shelf = Shelved::new(&corpus, vectors(None).unwrap()).unwrap();
        let other = vectors(Some(file.path())).unwrap().clone();
        drop(Library::open_with(shelf._folder.path(), other).unwrap());
        assert!(shelf.measure(&corpus.queries[0], Engine::Louver).is_err());
    }

    #[test]
    fn other_vectors_are_what_the_library_ranks_with() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), X).unwrap();
        let corpus = home();
        let [shipped, other] = [None, Some(file.path())].map(|path| {
            let shelf = Shelved::new(&corpus, vectors(path).unwrap()).unwrap();
            let measured = |query| shelf.measure(query, Engine::Louver).unwrap();
            let figures = corpus.queries.iter().map(measured);
            Figures::mean(&figures.collect::<Vec<_>>()).ndcg_10
        });
        assert!(other < shipped, "{other} {shipped}");
    }

    #[test]
    fn shares_are_counted_as_the_packs_say() {
        let figures = ordered(&[7, 1, 2], &[1, 9]);
        assert_eq!((figures.recall_5, figures.recall_10), (0.5, 0.5));
        assert!((figures.ndcg_10 - 0.386_853).abs() < 1e-4, "{}", figures.ndcg_10);
    }
}
