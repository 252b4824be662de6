//! LoCoMo: conversations of two people over months, with questions (`locomo10.json`).
//!
//! A note is what was said in one go, named by its `dia_id`. What a picture shows is added in the
//! words of its caption, as the authors do. Questions of category 5 ask one speaker for what the
//! other did: there is nothing to find.

use crate::pack::{Corpus, Query, Unit};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// One conversation and what is asked about it.
#[derive(Deserialize)]
pub(crate) struct Sample {
    /// `session_1`, `session_1_date_time` and so on, among other things.
    conversation: Map<String, Value>,
    qa: Vec<Asked>,
}

#[derive(Deserialize)]
struct Turn {
    speaker: String,
    dia_id: String,
    #[serde(default)]
    text: String,
    blip_caption: Option<String>,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
    #[serde(default)]
    answer: Value,
    /// A list of ids, at times several in one string, or the list itself as a string.
    #[serde(default)]
    evidence: Value,
    /// A number, at times as a string.
    category: Value,
}

impl Sample {
    pub(crate) fn corpus(self) -> Corpus {
        let units: Vec<Unit> = self.sessions().into_iter().flat_map(said).collect();
        let ids: HashSet<&str> = units.iter().map(|unit| unit.id.as_str()).collect();
        let (mut queries, mut left_out) = (Vec::new(), 0);
        for asked in self.qa {
            let category = category(&asked.category);
            let gold = if category == ADVERSARIAL {
                Vec::new()
            } else {
                evidence(&asked.evidence).into_iter().filter(|id| ids.contains(&**id)).collect()
            };
            if gold.is_empty() && category != ADVERSARIAL {
                left_out += 1;
                continue;
            }
            queries.push(Query {
                text: asked.question,
                cat: category.into(),
                gold,
                answer: asked.answer,
                ..Query::default()
            });
        }
        Corpus { units, queries, left_out }
    }

    /// When each session was and what was said in it, in the order of their numbers.
    fn sessions(&self) -> Vec<(String, Vec<Turn>)> {
        let mut numbered: Vec<(u32, String, Vec<Turn>)> = Vec::new();
        for (key, value) in &self.conversation {
            let number = key.strip_prefix("session_").and_then(|number| number.parse().ok());
            let Some(number) = number else { continue };
            let Ok(turns) = Vec::<Turn>::deserialize(value) else { continue };
            let at = self.conversation.get(&format!("{key}_date_time"));
            let at = at.and_then(Value::as_str).unwrap_or_default();
            numbered.push((number, at.to_owned(), turns));
        }
        numbered.sort_by_key(|(number, ..)| *number);
        numbered.into_iter().map(|(_, at, turns)| (at, turns)).collect()
    }
}

fn said((at, turns): (String, Vec<Turn>)) -> Vec<Unit> {
    let unit = |turn: Turn| {
        let text = match turn.blip_caption {
            Some(caption) if turn.text.is_empty() => format!("[shares {caption}]"),
            Some(caption) => format!("{} [shares {caption}]", turn.text),
            None => turn.text,
        };
        let sess = turn.dia_id.split(':').next().unwrap_or_default().to_owned();
        Unit { id: turn.dia_id, sess, ts: at.clone(), role: turn.speaker, text }
    };
    turns.into_iter().map(unit).collect()
}

const ADVERSARIAL: &str = "adversarial";

fn category(number: &Value) -> &'static str {
    match number.as_str().map_or_else(|| number.to_string(), str::to_owned).as_str() {
        "1" => "multi-hop",
        "2" => "temporal",
        "3" => "open-domain",
        "4" => "single-hop",
        "5" => ADVERSARIAL,
        _ => "other",
    }
}

/// The ids in whatever stands there: `["D1:3"]`, `["D8:6; D9:17"]`, `["D:11:26"]`, `["D30:05"]`,
/// `"['D2:3']"`.
fn evidence(value: &Value) -> Vec<String> {
    let text = value.to_string();
    let mut ids: Vec<String> = text
        .split(|c: char| !(c.is_ascii_digit() || c == 'D' || c == ':'))
        .filter_map(|word| {
            let (session, turn) =
                word.strip_prefix('D')?.trim_start_matches(':').split_once(':')?;
            Some(format!("D{}:{}", session.parse::<u32>().ok()?, turn.parse::<u32>().ok()?))
        })
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_conversation_becomes_what_the_pack_of_it_holds() {
        let sample: Sample = serde_json::from_value(json!({
            "sample_id": "made-up",
            "conversation": {
                "speaker_a": "Ida", "speaker_b": "Bo",
                "session_10_date_time": "8:00 am on 2 June, 2024",
                "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "The boat is sold."}],
                "session_2_date_time": "1:56 pm on 8 May, 2024",
                "session_2": [
                    {"speaker": "Ida", "dia_id": "D2:1", "text": "Look at her!",
                     "img_url": ["x"], "blip_caption": "a photo of a boat", "query": "boat"},
                    {"speaker": "Bo", "dia_id": "D2:2", "text": "Is she for sale?"}
                ],
                "session_11_date_time": "9:00 am on 9 June, 2024"
            },
            "event_summary": {},
            "qa": [
                {"question": "What did Bo sell?", "answer": "the boat", "evidence": ["D10:01"], "category": 4},
                {"question": "How many boats?", "answer": 1, "evidence": ["D2:1; D10:1"], "category": "1"},
                {"question": "What did Ida sell?", "adversarial_answer": "the boat",
                 "evidence": "['D10:1']", "category": 5},
                {"question": "Who painted it?", "answer": "nobody", "evidence": ["D"], "category": 3}
            ]
        }))
        .unwrap();
        let unit = |id: &str, ts: &str, role: &str, text: &str| Unit {
            id: id.into(),
            sess: id.split(':').next().unwrap().into(),
            ts: ts.into(),
            role: role.into(),
            text: text.into(),
        };
        let query = |text: &str, cat: &str, gold: &[&str], answer: Value| Query {
            text: text.into(),
            cat: cat.into(),
            gold: gold.iter().map(|id| (*id).into()).collect(),
            answer,
            ..Query::default()
        };
        let (may, june) = ("1:56 pm on 8 May, 2024", "8:00 am on 2 June, 2024");
        let wanted = Corpus {
            units: vec![
                unit("D2:1", may, "Ida", "Look at her! [shares a photo of a boat]"),
                unit("D2:2", may, "Bo", "Is she for sale?"),
                unit("D10:1", june, "Bo", "The boat is sold."),
            ],
            queries: vec![
                query("What did Bo sell?", "single-hop", &["D10:1"], json!("the boat")),
                query("How many boats?", "multi-hop", &["D10:1", "D2:1"], json!(1)),
                query("What did Ida sell?", "adversarial", &[], Value::Null),
            ],
            left_out: 1,
        };
        assert_eq!(sample.corpus(), wanted);
    }

    #[test]
    fn evidence_is_read_in_every_form_it_has() {
        assert_eq!(evidence(&json!(["D1:3", "D1:3"])), ["D1:3"]);
        assert_eq!(evidence(&json!(["D8:6; D9:17"])), ["D8:6", "D9:17"]);
        assert_eq!(evidence(&json!(["D9:1 D4:4"])), ["D4:4", "D9:1"]);
        assert_eq!(evidence(&json!(["D:11:26", "D30:05", "D"])), ["D11:26", "D30:5"]);
        assert_eq!(evidence(&json!("['D2:3', 'D2:4']")), ["D2:3", "D2:4"]);
        assert!(evidence(&Value::Null).is_empty());
    }
}
