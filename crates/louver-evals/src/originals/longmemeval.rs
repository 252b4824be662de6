//! LongMemEval: questions to an assistant, each with a history of its own (`longmemeval_s.json`,
//! `_m`, `_oracle`).
//!
//! Every question is a corpus. A note is a turn, named by its session and its place in it; the
//! evidence is what is marked `has_answer`, whoever said it. A question whose id ends in `_abs`
//! asks for what was never said.

use crate::pack::{Corpus, Query, Unit};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;

/// A question and everything that was said before it.
#[derive(Deserialize)]
pub(crate) struct Entry {
    question_id: String,
    #[serde(default)]
    question_type: String,
    question: String,
    #[serde(default)]
    answer: Value,
    #[serde(default)]
    question_date: String,
    #[serde(default)]
    haystack_session_ids: Vec<String>,
    #[serde(default)]
    haystack_dates: Vec<String>,
    haystack_sessions: Vec<Vec<Turn>>,
}

#[derive(Deserialize)]
struct Turn {
    role: String,
    content: String,
    has_answer: Option<bool>,
}

impl Entry {
    pub(crate) fn corpus(self) -> Corpus {
        let abstains = self.question_id.ends_with("_abs");
        let (mut units, mut gold) = (Vec::new(), Vec::new());
        // Some sessions come twice, under other dates. They are one, and their turns go on.
        let mut known: HashMap<String, (usize, usize)> = HashMap::new();
        for (place, turns) in self.haystack_sessions.into_iter().enumerate() {
            let id = self.haystack_session_ids.get(place).cloned();
            let count = known.len();
            let (number, said) =
                known.entry(id.unwrap_or_else(|| place.to_string())).or_insert((count, 0));
            let sess = format!("s{number:02}");
            for turn in turns {
                let id = format!("{sess}#{said}");
                *said += 1;
                if turn.has_answer == Some(true) && !abstains {
                    gold.push(id.clone());
                }
                let ts = self.haystack_dates.get(place).cloned().unwrap_or_default();
                let sess = sess.clone();
                units.push(Unit { id, sess, ts, role: turn.role, text: turn.content });
            }
        }
        let mut queries = Vec::new();
        let asked = abstains || !gold.is_empty();
        if asked {
            let cat = if abstains { "abstention".into() } else { self.question_type };
            let (text, date, answer) = (self.question, self.question_date, self.answer);
            queries.push(Query { text, date, cat, gold, answer, ..Query::default() });
        }
        Corpus { units, queries, left_out: u32::from(!asked) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(id: &str, marked: bool) -> Corpus {
        let entry: Entry = serde_json::from_value(json!({
            "question_id": id,
            "question_type": "temporal-reasoning",
            "question": "When did I buy the kayak?",
            "answer": 7,
            "question_date": "2024/06/03 (Mon) 10:00",
            "haystack_session_ids": ["chat_1", "answer_2", "chat_1"],
            "haystack_dates": ["2024/05/01 (Wed) 08:00", "2024/05/02 (Thu) 09:30", "2024/05/07 (Tue) 08:00"],
            "haystack_sessions": [
                [{"role": "user", "content": "Name a river."}, {"role": "assistant", "content": "The Inn."}],
                [{"role": "user", "content": "I bought a kayak today.", "has_answer": marked},
                 {"role": "assistant", "content": "Enjoy!", "has_answer": false}],
                [{"role": "user", "content": "Name a river."}]
            ],
            "answer_session_ids": ["answer_2"]
        }))
        .unwrap();
        entry.corpus()
    }

    #[test]
    fn a_question_becomes_what_the_pack_of_it_holds() {
        let unit = |id: &str, ts: &str, role: &str, text: &str| Unit {
            id: id.into(),
            sess: id[..3].into(),
            ts: ts.into(),
            role: role.into(),
            text: text.into(),
        };
        let (first, second) = ("2024/05/01 (Wed) 08:00", "2024/05/02 (Thu) 09:30");
        let wanted = Corpus {
            units: vec![
                unit("s00#0", first, "user", "Name a river."),
                unit("s00#1", first, "assistant", "The Inn."),
                unit("s01#0", second, "user", "I bought a kayak today."),
                unit("s01#1", second, "assistant", "Enjoy!"),
                unit("s00#2", "2024/05/07 (Tue) 08:00", "user", "Name a river."),
            ],
            queries: vec![Query {
                text: "When did I buy the kayak?".into(),
                date: "2024/06/03 (Mon) 10:00".into(),
                cat: "temporal-reasoning".into(),
                gold: vec!["s01#0".into()],
                answer: json!(7),
                ..Query::default()
            }],
            left_out: 0,
        };
        assert_eq!(entry("made_up", true), wanted);
    }

    #[test]
    fn a_question_that_has_no_answer_has_nothing_to_find() {
        let queries = entry("made_up_abs", true).queries;
        assert_eq!((queries[0].cat.as_str(), queries[0].gold.len()), ("abstention", 0));
    }

    #[test]
    fn a_question_without_marked_turns_is_left_out_and_its_notes_stay() {
        let corpus = entry("made_up", false);
        assert_eq!((corpus.queries.len(), corpus.left_out, corpus.units.len()), (0, 1, 5));
    }
}
