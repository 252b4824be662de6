//! What changed: whether the newest comes, and what is no longer true is told from it.

use crate::pack::{Corpus, Query};
use louver_store::library::{Recalled, Taken};
use serde::Serialize;

/// Counts over the questions of a pack that say which notes are no longer true, and over all its evidence.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Outdated {
    /// Questions about what changed.
    pub(crate) questions: u32,
    /// Of these, such that give what is true now.
    pub(crate) current: u32,
    /// Such that give what is no longer true and not what is true now.
    pub(crate) misled: u32,
    /// Notes that are no longer true and stand beside one that is.
    pub(crate) beside: u32,
    /// Of these, such that are marked.
    pub(crate) marked: u32,
    /// Such that stand below.
    pub(crate) below: u32,
    /// Notes given that are true, of all questions.
    pub(crate) true_now: u32,
    /// Of these, such that are marked as outdated.
    pub(crate) wronged: u32,
}

impl Outdated {
    /// Counts what was given for one question.
    pub(crate) fn count(&mut self, corpus: &Corpus, query: &Query, recalled: &Recalled) {
        let given: Vec<(&Taken, &str)> = recalled
            .taken
            .iter()
            .filter_map(|taken| {
                Some((taken, corpus.units.get(taken.place.parse::<usize>().ok()?)?.id.as_str()))
            })
            .collect();
        let is_stale = |id: &str| query.stale.iter().any(|stale| stale == id);
        let is_gold = |id: &str| query.gold.iter().any(|gold| gold == id);
        let holds = given.iter().filter(|(_, id)| is_gold(id) && !is_stale(id));
        self.true_now += holds.clone().count() as u32;
        self.wronged += holds.filter(|(taken, _)| taken.newer.is_some()).count() as u32;
        if query.stale.is_empty() {
            return;
        }
        self.questions += 1;
        let current = given.iter().position(|(_, id)| is_gold(id) && !is_stale(id));
        self.current += u32::from(current.is_some());
        let stale = given.iter().enumerate().filter(|(_, (_, id))| is_stale(id));
        let Some(current) = current else {
            self.misled += u32::from(stale.count() > 0);
            return;
        };
        for (at, (taken, _)) in stale {
            self.beside += 1;
            self.marked += u32::from(taken.newer.is_some());
            self.below += u32::from(at > current);
        }
    }

    /// The same in a line.
    pub(crate) fn line(&self) -> String {
        let share = |some: u32, all: u32| 100.0 * f64::from(some) / f64::from(all.max(1));
        format!(
            "what changed: {} questions, what is true now given {:.1} %, only what was so before {:.1} %; of {} notes \
             that are outdated beside what is true now, {:.1} % marked, {:.1} % below it; of {} that are true, {:.1} % \
             marked as outdated",
            self.questions,
            share(self.current, self.questions),
            share(self.misled, self.questions),
            self.beside,
            share(self.marked, self.beside),
            share(self.below, self.beside),
            self.true_now,
            share(self.wronged, self.true_now),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Shelved;
    use crate::vectors;

    /// What is counted for two facts, of which the latter changes.
    fn counted(changed: &str, stale: &[&str]) -> Outdated {
        let told = [
            "The boiler was serviced in May.",
            "The gate code of the garden is 4826.",
            "We had soup for dinner.",
            changed,
        ];
        let units: Vec<_> = (1..)
            .zip(told)
            .map(|(day, text)| {
                serde_json::json!({"id": day.to_string(), "sess": format!("s{day}"),
                    "ts": format!("2026-03-0{day} 09:00"), "role": "user", "text": text})
            })
            .collect();
        let corpus = serde_json::json!({"suite": "made up", "corpus": "garden", "units": units, "queries": [
            {"text": "What is the gate code of the garden?", "cat": "", "gold": ["4"], "stale": stale},
            {"text": "When was the boiler serviced?", "cat": "", "gold": ["1"]},
        ]});
        let corpus: Corpus = serde_json::from_value(corpus).unwrap();
        let shelf = Shelved::new(&corpus, vectors(None).unwrap()).unwrap();
        let mut outdated = Outdated::default();
        for query in &corpus.queries {
            outdated.count(&corpus, query, &shelf.remind(query).unwrap()[0]);
        }
        outdated
    }

    #[test]
    fn the_old_is_told_from_the_new() {
        let marked = counted("The gate code of the garden is 7093 now.", &["2"]);
        let wanted = Outdated {
            questions: 1,
            current: 1,
            beside: 1,
            marked: 1,
            below: 1,
            true_now: 2,
            ..Outdated::default()
        };
        assert_eq!(marked, wanted);
        let misled = counted("They painted the shed.", &["2"]);
        let wanted = Outdated { questions: 1, misled: 1, true_now: 1, ..Outdated::default() };
        assert_eq!(misled, wanted);
        let unchanged = counted("The gate code of the garden is 7093 now.", &[]);
        assert_eq!(unchanged, Outdated { true_now: 2, ..Outdated::default() });
    }
}
