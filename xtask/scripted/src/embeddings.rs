//! Vectors of texts, as the script says: what means the same points the same way.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

/// How texts become vectors, and what goes wrong with them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Embeddings {
    /// How many numbers a vector has.
    pub dims: usize,
    /// Words, and which number of a text's vector each is added to. The last one is never zero.
    #[serde(default)]
    pub axes: BTreeMap<String, usize>,
    /// A text of more bytes is refused.
    #[serde(default)]
    pub longest: Option<usize>,
    /// A text that has this breaks the server: 500.
    #[serde(default)]
    pub breaks_on: Option<String>,
    /// What goes wrong.
    #[serde(default)]
    pub wrong: Option<Wrong>,
}

/// What goes wrong with vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrong {
    /// There is one too few.
    Count,
    /// The last is shorter than the others.
    Length,
    /// They are words.
    Kind,
    /// Nothing is ever answered.
    Hang,
    /// The server is broken: 500.
    Broken,
}

impl Embeddings {
    /// The status and the body for a request, or nothing when it hangs.
    pub(crate) fn answer(&self, body: &Value) -> Option<(u16, Value)> {
        let refused = |words: &str| Some((400, json!({"error": {"message": words}})));
        let Some(texts) = texts(body) else {
            return refused("`input` must be a list of texts that say something");
        };
        if let Some(most) = self.longest.filter(|most| texts.iter().any(|text| text.len() > *most))
        {
            return refused(&format!("a text has more than {most} bytes"));
        }
        if self.breaks_on.as_ref().is_some_and(|word| texts.iter().any(|text| text.contains(word)))
        {
            return Some((500, json!({"error": {"message": "unsupported value: NaN"}})));
        }
        let mut vectors: Vec<Value> = texts.iter().map(|text| json!(self.vector(text))).collect();
        match self.wrong {
            None => (),
            Some(Wrong::Count) => drop(vectors.pop()),
            Some(Wrong::Length) => {
                vectors.iter_mut().rev().take(1).for_each(|vector| *vector = json!([1.0]));
            }
            Some(Wrong::Kind) => vectors.iter_mut().for_each(|vector| *vector = json!("AAAA")),
            Some(Wrong::Hang) => return None,
            Some(Wrong::Broken) => return Some((500, json!({"error": {"message": "broken"}}))),
        }
        let row = |(index, vector): (usize, Value)| json!({"object": "embedding", "index": index, "embedding": vector});
        // The last first: it is the index that counts.
        let data: Vec<Value> = vectors.into_iter().enumerate().rev().map(row).collect();
        Some((200, json!({"object": "list", "model": body["model"], "data": data})))
    }

    fn vector(&self, text: &str) -> Vec<f64> {
        let text = text.to_lowercase();
        let mut vector = vec![0.0; self.dims];
        vector.iter_mut().rev().take(1).for_each(|last| *last = 0.1);
        for (word, axis) in &self.axes {
            if let (true, Some(number)) = (text.contains(word), vector.get_mut(*axis)) {
                *number += 1.0;
            }
        }
        vector
    }
}

fn texts(body: &Value) -> Option<Vec<&str>> {
    let texts: Option<Vec<&str>> = body["input"].as_array()?.iter().map(Value::as_str).collect();
    texts.filter(|texts| !texts.is_empty() && texts.iter().all(|text| !text.trim().is_empty()))
}
