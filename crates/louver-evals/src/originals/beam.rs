//! BEAM: long conversations with an assistant about one undertaking, and questions that probe it.
//!
//! As folders of the authors' repository (`chats/100K/1/chat.json` with
//! `probing_questions/probing_questions.json`), or as rows of the data set, one JSON object a
//! line. A note is a message, named by its number; its day is the last `time_anchor` before it.
//! The evidence is every number in `source_chat_ids`. Questions that probe abstention name none.

use super::python;
use crate::pack::{Corpus, Query, Unit};
use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A conversation of the data set.
#[derive(Deserialize)]
pub(crate) struct Row {
    chat: Vec<Part>,
    probing_questions: Probing,
}

/// A stretch of a conversation.
#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    /// Of a chat file: a batch, with the messages of each turn apart.
    Batch { turns: Vec<Vec<Message>> },
    /// Of a row: a batch, with its messages one after another.
    Messages(Vec<Message>),
    /// Of a chat of ten million tokens: the batches of a plan. Of the others only the name is there.
    Plans(BTreeMap<String, Option<Vec<Part>>>),
}

#[derive(Deserialize)]
struct Message {
    id: u64,
    role: String,
    content: String,
    time_anchor: Option<String>,
    question_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Probing {
    Read(Questions),
    /// As Python writes it, or JSON inside of JSON.
    Written(String),
}

type Questions = BTreeMap<String, Vec<Probe>>;

#[derive(Deserialize)]
struct Probe {
    question: String,
    #[serde(default)]
    answer: Value,
    #[serde(default)]
    ideal_answer: Value,
    /// Numbers in lists, at times in lists by name, at times in lists of lists.
    #[serde(default)]
    source_chat_ids: Value,
}

impl Row {
    pub(crate) fn corpus(self) -> Result<Corpus> {
        let questions = match self.probing_questions {
            Probing::Read(questions) => questions,
            Probing::Written(text) => written(&text)?,
        };
        Ok(corpus(self.chat, questions))
    }
}

/// The corpus of a folder that has one chat.
pub(crate) fn chat(folder: &Path) -> Result<Corpus> {
    let file = chat_file(folder).unwrap_or_else(|| folder.join("chat.json"));
    Ok(corpus(json(&file)?, json(&questions_file(folder))?))
}

/// The folders with a chat: this one, or those below it (`chats`, or one size of it).
pub(crate) fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    gather(folder, 2, &mut found)?;
    Ok(found)
}

/// The folder of a chat, given the chat itself.
pub(crate) fn folder_of(chat: &Path) -> PathBuf {
    chat.parent().unwrap_or(Path::new("")).to_owned()
}

fn gather(folder: &Path, deeper: u32, found: &mut Vec<PathBuf>) -> Result<()> {
    if chat_file(folder).is_some() {
        found.push(folder.to_owned());
        return Ok(());
    }
    if deeper == 0 {
        return Ok(());
    }
    let listed = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be listed", folder.display()))?
        .collect::<Result<Vec<_>, _>>()?;
    let mut below: Vec<PathBuf> =
        listed.into_iter().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    // Chat 2 comes before chat 10.
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    below.sort_by_key(|path| (number(path), path.clone()));
    below.iter().try_for_each(|path| gather(path, deeper - 1, found))
}

/// The authors ask their questions to the shortened chat (spelled so) where there is one.
fn chat_file(folder: &Path) -> Option<PathBuf> {
    ["chat_trunecated.json", "chat.json"]
        .map(|name| folder.join(name))
        .into_iter()
        .find(|path| path.is_file())
}

fn questions_file(folder: &Path) -> PathBuf {
    let beside = folder.join("probing_questions.json");
    if beside.is_file() {
        return beside;
    }
    folder.join("probing_questions/probing_questions.json")
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    serde_json::from_slice(&text).with_context(|| path.display().to_string())
}

fn written(text: &str) -> Result<Questions> {
    if let Ok(questions) = serde_json::from_str(text) {
        return Ok(questions);
    }
    let value = python::literal(text).context("`probing_questions` cannot be read")?;
    Ok(serde_json::from_value(value)?)
}

fn corpus(chat: Vec<Part>, questions: Questions) -> Corpus {
    let mut units = Units::default();
    units.add(chat, "");
    let (mut queries, mut left_out) = (Vec::new(), 0);
    for (cat, probes) in questions {
        for probe in probes {
            let mut gold = BTreeSet::new();
            numbers(&probe.source_chat_ids, &mut gold);
            gold.retain(|id| units.ids.contains(id));
            if gold.is_empty() && cat != "abstention" {
                left_out += 1;
                continue;
            }
            let answer = if probe.answer.is_null() { probe.ideal_answer } else { probe.answer };
            let (cat, gold) = (cat.clone(), gold.into_iter().collect());
            queries.push(Query { text: probe.question, cat, gold, answer, ..Query::default() });
        }
    }
    Corpus { units: units.units, queries, left_out }
}

#[derive(Default)]
struct Units {
    units: Vec<Unit>,
    ids: HashSet<String>,
    day: String,
}

impl Units {
    fn add(&mut self, parts: Vec<Part>, plan: &str) {
        for (place, part) in parts.into_iter().enumerate() {
            let batch = format!("{plan}b{}", place + 1);
            match part {
                Part::Batch { turns } => {
                    for (turn, messages) in turns.into_iter().enumerate() {
                        for message in messages {
                            self.message(message, format!("{batch}t{turn}"));
                        }
                    }
                }
                Part::Messages(messages) => {
                    let mut turns = 0usize;
                    for message in messages {
                        // The row does not say where a turn begins, but a turn begins so.
                        if message.question_type.as_deref() == Some("main_question") {
                            turns += 1;
                        }
                        self.message(message, format!("{batch}t{}", turns.saturating_sub(1)));
                    }
                }
                Part::Plans(plans) => {
                    for (name, parts) in plans {
                        let number = name.rsplit('-').next().unwrap_or_default();
                        self.add(parts.unwrap_or_default(), &format!("p{number}"));
                    }
                }
            }
        }
    }

    fn message(&mut self, message: Message, sess: String) {
        if let Some(day) = message.time_anchor.filter(|day| !day.is_empty()) {
            self.day = day;
        }
        let number = message.id.to_string();
        // In some chats the numbers begin again; the first to have one keeps it.
        let id = if self.ids.contains(&number) { format!("{sess}#{number}") } else { number };
        self.ids.insert(id.clone());
        let text = unmarked(&message.content).to_owned();
        self.units.push(Unit { id, sess, ts: self.day.clone(), role: message.role, text });
    }
}

/// A message without the mark of how it was made, such as ` ->-> 1,12`.
fn unmarked(text: &str) -> &str {
    match text.rsplit_once("->->") {
        Some((said, mark)) if mark.chars().all(|c| matches!(c, '0'..='9' | ',' | ' ' | '\n')) => {
            said.trim_end()
        }
        _ => text,
    }
}

fn numbers(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Number(number) => _ = found.insert(number.to_string()),
        Value::String(text) => _ = found.insert(text.trim().to_owned()),
        Value::Array(values) => values.iter().for_each(|value| numbers(value, found)),
        Value::Object(values) => values.values().for_each(|value| numbers(value, found)),
        _ => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tempfile::TempDir;

    fn message(id: u64, role: &str, day: Value, content: &str) -> Value {
        let main = content.contains("->-> 1") || content.contains("->-> 2");
        let kind = if main { json!("main_question") } else { Value::Null };
        json!({"id": id, "role": role, "time_anchor": day, "question_type": kind, "content": content})
    }

    fn batches() -> [Vec<Vec<Value>>; 2] {
        let none = || Value::Null;
        [
            vec![
                vec![
                    message(0, "user", json!("March-15-2024"), "I am building a shed. ->-> 1,1"),
                    message(1, "assistant", none(), "How large?"),
                    message(2, "user", none(), "Six square metres; x ->-> y stays."),
                ],
                vec![message(3, "user", none(), "The roof is of tin. ->-> 1,2,3")],
            ],
            vec![vec![message(4, "user", json!("April-05-2024"), "The roof leaks.\n->-> 2,1 ")]],
        ]
    }

    fn probes() -> Value {
        json!({
            "abstention": [{"question": "Who painted it?", "ideal_response": "It was not said."}],
            "event_ordering": [{"question": "In which order?", "answer": "a, b", "source_chat_ids": [[0], [3, 3, 99]]}],
            "contradiction_resolution": [{"question": "Is it dry?", "ideal_answer": "Both was said.",
                "source_chat_ids": {"first_statement": [3], "second_statement": [4]}}],
            "summarization": [{"question": "Sum it up.", "source_chat_ids": ["--"]}]
        })
    }

    fn wanted() -> Corpus {
        let unit = |id: &str, sess: &str, ts: &str, role: &str, text: &str| Unit {
            id: id.into(),
            sess: sess.into(),
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
        let (march, april) = ("March-15-2024", "April-05-2024");
        Corpus {
            units: vec![
                unit("0", "b1t0", march, "user", "I am building a shed."),
                unit("1", "b1t0", march, "assistant", "How large?"),
                unit("2", "b1t0", march, "user", "Six square metres; x ->-> y stays."),
                unit("3", "b1t1", march, "user", "The roof is of tin."),
                unit("4", "b2t0", april, "user", "The roof leaks."),
            ],
            queries: vec![
                query("Who painted it?", "abstention", &[], Value::Null),
                query(
                    "Is it dry?",
                    "contradiction_resolution",
                    &["3", "4"],
                    json!("Both was said."),
                ),
                query("In which order?", "event_ordering", &["0", "3"], json!("a, b")),
            ],
            left_out: 1,
        }
    }

    #[test]
    fn a_folder_becomes_what_the_pack_of_it_holds() {
        let root = TempDir::new().unwrap();
        let put = |name: &str, chat: &Value| {
            let folder = root.path().join("chats/100K").join(name);
            fs::create_dir_all(folder.join("probing_questions")).unwrap();
            fs::write(folder.join("chat.json"), chat.to_string()).unwrap();
            let probes = probes().to_string();
            fs::write(folder.join("probing_questions/probing_questions.json"), probes).unwrap();
            folder
        };
        let [first, second] = batches();
        let whole =
            json!([{"batch_number": 1, "turns": first}, {"batch_number": 2, "turns": second}]);
        let (tenth, second) = (put("10", &whole), put("2", &json!([])));
        fs::write(second.join("chat_trunecated.json"), whole.to_string()).unwrap();
        for above in [root.path().join("chats"), root.path().join("chats/100K")] {
            assert_eq!(folders(&above).unwrap(), [second.clone(), tenth.clone()]);
        }
        assert_eq!(folders(&tenth).unwrap(), std::slice::from_ref(&tenth));
        assert_eq!(chat(&tenth).unwrap(), wanted());
        assert_eq!(chat(&second).unwrap(), wanted(), "the shortened chat is the one that is asked");
    }

    #[test]
    fn a_row_holds_the_same_as_the_folder() {
        let flat: Vec<Vec<Value>> = batches().map(|turns| turns.concat()).into();
        let python = probes().to_string().replace("\"It was not said.\"", "'It wasn\\'t said.'");
        for questions in [probes(), json!(probes().to_string()), json!(python)] {
            let row: Row = serde_json::from_value(
                json!({"conversation_id": "1", "chat": flat, "probing_questions": questions}),
            )
            .unwrap();
            assert_eq!(row.corpus().unwrap(), wanted());
        }
    }

    #[test]
    fn plans_are_read_one_after_another_and_a_number_is_given_once() {
        let [first, second] = batches();
        let again = vec![vec![message(4, "user", Value::Null, "Now it is dry.")]];
        let chat: Vec<Part> = serde_json::from_value(json!([
            {"plan-1": [{"turns": first}], "plan-2": null},
            {"plan-1": null, "plan-2": [{"turns": second}, {"turns": again}]}
        ]))
        .unwrap();
        let units = corpus(chat, Questions::new()).units;
        let named: Vec<(&str, &str)> = units.iter().map(|u| (&*u.id, &*u.sess)).collect();
        assert_eq!(
            named,
            [
                ("0", "p1b1t0"),
                ("1", "p1b1t0"),
                ("2", "p1b1t0"),
                ("3", "p1b1t1"),
                ("4", "p2b1t0"),
                ("p2b2t0#4", "p2b2t0")
            ]
        );
    }
}
