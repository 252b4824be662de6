//! A sentence model beside the chat model: notes go to it in the background, and its failures cost no turn.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use louver_agent::embeddings::{BATCH, Before, Embedder, Shared};
use louver_agent::happening::Happening;
use louver_agent::provider::{Endpoint, Wire};
use louver_agent::tools::recall;
use louver_scripted::{Recorded, Scripted};
use louver_store::library::Reminder;
use louver_store::notes::Places;
use louver_store::{Folder, Owner};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::stage::{CANARY, Plan, Stage, Told, WAYS, call, server};

const MODEL: &str = "small";
const QUESTION: &str = "Which pets live in the house?";

/// A workspace whose documents are these, a chat server, and a server that embeds.
struct Scene {
    folder: Arc<TempDir>,
    documents: TempDir,
    embeds: Arc<Scripted>,
}

impl Scene {
    fn new(texts: &[String], embeddings: Value) -> Scene {
        let (folder, documents) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(folder.path().join("AGENTS.md"), "Be brief.\n").unwrap();
        fs::write(documents.path().join("notes.md"), texts.join("\n\n")).unwrap();
        Scene {
            folder: Arc::new(folder),
            documents,
            embeds: server(json!({"embeddings": embeddings})),
        }
    }

    /// Recall by this model.
    fn shared(&self, model: &str) -> Shared {
        let base = format!("{}/v1", self.embeds.url());
        self.by(Endpoint::custom("mine", Wire::OpenAi, &base, Some(CANARY.into())), model)
    }

    fn by(&self, endpoint: Endpoint, model: &str) -> Shared {
        let places = Places {
            folder: Folder::open(self.folder.path()).unwrap(),
            documents: vec![Folder::open(self.documents.path()).unwrap()],
            away: Vec::new(),
            owner: Owner::of(["test:*"]),
        };
        let reminder = Reminder::new(self.folder.path(), places, None);
        Shared::new(reminder).with_embedder(Embedder::new(endpoint, model))
    }

    /// The same with everything indexed.
    fn indexed(&self, model: &str) -> Shared {
        let shared = self.shared(model);
        shared.lock().library(&mut |_| {}).unwrap();
        shared
    }

    fn stage(&self, shared: &Shared, script: Value) -> Stage {
        let mut plan = Plan::new(WAYS[0]);
        plan.habits.reminder = Some(shared.clone());
        plan.more = recall::all(Some(shared));
        Stage::at(self.folder.clone(), server(script), plan)
    }
}

fn echo() -> Value {
    json!({"steps": [{"text": "yes"}], "then": "repeat"})
}

fn notes(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("The house has a room number {n} with a lamp in it.")).collect()
}

fn sensed(shared: &Shared, model: &str) -> u64 {
    shared.lock().as_it_is().unwrap().sensed(model).unwrap()
}

/// The texts that went out with a request.
fn input(request: &Recorded) -> Vec<String> {
    serde_json::from_value(request.body["input"].clone()).unwrap()
}

fn problems(told: &Told) -> Vec<String> {
    let problem = |happening: &Happening| match happening {
        Happening::Problem(problem) => Some(problem.to_string()),
        _ => None,
    };
    told.heard.iter().filter_map(problem).collect()
}

#[tokio::test]
async fn notes_go_out_in_batches_and_each_once() {
    let count = BATCH + BATCH + 3;
    let scene = Scene::new(&notes(count), json!({"dims": 4}));
    let shared = scene.indexed(MODEL);
    let mut heard = Vec::new();
    assert_eq!(shared.embed_notes(|done| heard.push(done)).await.unwrap(), count);
    assert_eq!(heard, [BATCH, 2 * BATCH, count]);
    let requests = scene.embeds.requests();
    let sizes: Vec<usize> = requests.iter().map(|request| input(request).len()).collect();
    assert_eq!(sizes, [BATCH, BATCH, 3]);
    assert_eq!(requests[0].path, "/v1/embeddings");
    assert_eq!(requests[0].body["model"], MODEL);
    let mut texts: Vec<String> = requests.iter().flat_map(input).collect();
    texts.sort();
    let mut expected = notes(count);
    expected.sort();
    assert_eq!(texts, expected);
    assert_eq!(shared.embed_notes(|_| ()).await.unwrap(), 0);
    assert_eq!(scene.embeds.requests().len(), 3);
    // Another model reads all of them anew.
    let other = scene.indexed("other");
    assert_eq!(other.embed_notes(|_| ()).await.unwrap(), count);
    assert_eq!((sensed(&other, "other"), sensed(&other, MODEL)), (count as u64, 0));
}

#[tokio::test]
async fn a_model_is_told_what_it_reads() {
    let scene = Scene::new(&notes(2), json!({"dims": 4}));
    let shared = scene.indexed("nomic-embed-text:latest");
    let kept_as = shared.embedder().unwrap().kept_as();
    assert!(shared.sense(QUESTION).await.is_some());
    assert_eq!(shared.embed_notes(|_| ()).await.unwrap(), 2);
    let texts: Vec<String> = scene.embeds.requests().iter().flat_map(input).collect();
    assert_eq!(texts[0], format!("search_query: {QUESTION}"));
    assert!(
        texts[1..].iter().all(|text| text.starts_with("search_document: The house")),
        "{texts:?}"
    );
    assert_eq!(sensed(&shared, &kept_as), 2);
    // With something else before the notes their vectors are others.
    let plain = scene.shared(MODEL).embedder().unwrap().before().clone();
    assert_eq!(plain, Before::default());
    let base = format!("{}/v1", scene.embeds.url());
    let endpoint = Endpoint::custom("mine", Wire::OpenAi, &base, Some(CANARY.into()));
    let otherwise = Embedder::new(endpoint, "nomic-embed-text:latest").with_before(plain);
    assert_ne!(otherwise.kept_as(), kept_as);
    let told = |model: &str| Before::of(model).question;
    assert_eq!(told("intfloat/multilingual-e5-large"), "query: ");
    assert_eq!(told("intfloat/multilingual-e5-large-instruct"), "");
    assert_eq!(told("text-embedding-3-small"), "");
}

#[tokio::test]
async fn a_turn_has_its_question_embedded_and_its_notes_later() {
    let mut texts = notes(12);
    texts.push("Miso is a cat and Biscuit is a dog.".to_owned());
    let axes = json!({"pets": 0, "cat": 0, "dog": 0, "lamp": 1});
    let scene = Scene::new(&texts, json!({"dims": 3, "axes": axes}));
    let shared = scene.shared(MODEL);
    let stage = scene.stage(&shared, echo());
    assert_eq!(stage.answer(QUESTION).await, "yes");
    let first = &scene.embeds.requests()[0];
    assert_eq!(input(first), [QUESTION]);
    // Both go on by themselves; the person may say something else meanwhile.
    let began = Instant::now();
    while sensed(&shared, MODEL) < 13 {
        assert!(began.elapsed() < Duration::from_secs(60), "the notes were not embedded");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(stage.answer(QUESTION).await, "yes");
    assert!(stage.body(0).to_string().contains("Miso is a cat"), "{}", stage.body(0));
    stage.is_clean();
    for request in scene.embeds.requests() {
        assert!(!request.body.to_string().contains(CANARY));
    }
}

#[tokio::test]
async fn the_tool_asks_the_model_too() {
    let scene = Scene::new(&notes(3), json!({"dims": 4}));
    let shared = scene.shared(MODEL);
    let mut plan = Plan::new(WAYS[0]);
    plan.more = recall::all(Some(&shared));
    let script = json!([call("recall", json!({"query": "lamp number 2"})), {"text": "done"}]);
    let stage = Stage::at(scene.folder.clone(), server(script), plan);
    assert_eq!(stage.answer("Look it up.").await, "done");
    let requests = scene.embeds.requests();
    assert_eq!((requests.len(), input(&requests[0])), (1, vec!["lamp number 2".to_owned()]));
}

#[tokio::test]
async fn a_server_that_is_broken_costs_no_turn_and_is_told_once() {
    for (wrong, said) in [
        ("count", "the answer of `mine` cannot be understood: it has 0 vectors for 1 texts"),
        ("kind", "the answer of `mine` cannot be understood: it is no list of vectors"),
        ("broken", "`mine` is overloaded or broken (status 500): broken"),
    ] {
        let scene = Scene::new(&notes(3), json!({"dims": 4, "wrong": wrong}));
        let shared = scene.shared(MODEL);
        let stage = scene.stage(&shared, echo());
        let told = stage.say("Which lamp is in room number 2?").await;
        assert_eq!(told.text(), "yes");
        let heard = problems(&told);
        assert_eq!(heard.len(), 1, "{heard:?}");
        assert!(heard[0].contains(said), "{heard:?}");
        assert!(heard[0].ends_with("recall goes on with the built-in vectors"), "{heard:?}");
        assert!(stage.body(0).to_string().contains("room number 2 with"), "{}", stage.body(0));
        let told = stage.say("And in room number 1?").await;
        assert_eq!((told.text(), problems(&told).len()), ("yes", 0));
        assert_eq!(sensed(&shared, MODEL), 0);
    }
}

#[tokio::test]
async fn a_note_that_breaks_the_server_keeps_no_other_from_it() {
    let mut texts = notes(BATCH + 5);
    texts.insert(3, "The ticket number is POISON seven.".to_owned());
    let scene = Scene::new(&texts, json!({"dims": 4, "breaks_on": "POISON"}));
    let shared = scene.indexed(MODEL);
    let count = BATCH + 5;
    assert_eq!(shared.embed_notes(|_| ()).await.unwrap(), count);
    assert_eq!(sensed(&shared, MODEL), count as u64);
    let problem = shared.complaint().unwrap().to_string();
    let (said, name) = (format!("`{MODEL}` does not take `"), "/notes.md:7`: ");
    assert!([&*said, name, "NaN"].iter().all(|part| problem.contains(part)), "{problem}");
    assert!(!problem.contains("POISON"), "{problem}");
    // It is not asked for again, and questions go on.
    let before = scene.embeds.requests().len();
    assert_eq!(shared.embed_notes(|_| ()).await.unwrap(), 0);
    assert_eq!(scene.embeds.requests().len(), before);
    assert!(shared.sense(QUESTION).await.is_some());
}

#[tokio::test]
async fn a_model_that_gives_other_vectors_reads_all_notes_anew() {
    let scene = Scene::new(&notes(BATCH + 3), json!({"dims": 4}));
    let shared = scene.indexed(MODEL);
    let count = BATCH + 3;
    assert_eq!(shared.embed_notes(|_| ()).await.unwrap(), count);
    let other = server(json!({"embeddings": {"dims": 6}, "steps": [], "then": "repeat"}));
    let endpoint = Endpoint::custom("mine", Wire::OpenAi, &format!("{}/v1", other.url()), None);
    let shared = scene.by(endpoint, MODEL);
    shared.lock().library(&mut |_| {}).unwrap();
    assert_eq!(shared.embed_notes(|_| ()).await.unwrap(), 0);
    assert!(shared.sense(QUESTION).await.is_some());
    let problem = shared.complaint().unwrap().to_string();
    assert!(
        problem.contains("vectors of 6 numbers now, and those of the notes have 4"),
        "{problem}"
    );
    assert_eq!(sensed(&shared, MODEL), count as u64);
    assert_eq!(shared.embed_notes(|_| ()).await.unwrap(), count);
    let dims = shared.lock().as_it_is().unwrap().sense_dims(MODEL).unwrap();
    assert_eq!((dims, sensed(&shared, MODEL)), (Some(6), count as u64));
    assert_eq!(shared.compare(6), None);
}

#[tokio::test]
async fn vectors_of_two_lengths_are_not_kept() {
    let scene = Scene::new(&notes(3), json!({"dims": 4, "wrong": "length"}));
    let shared = scene.indexed(MODEL);
    let error = shared.embed_notes(|_| ()).await.unwrap_err();
    let said = "the answer of `mine` cannot be understood: its vectors have 4 numbers, and 1";
    assert_eq!(error.to_string(), said);
    assert_eq!(sensed(&shared, MODEL), 0);
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_waited_for_once() {
    let scene = Scene::new(&notes(3), json!({"dims": 4, "wrong": "hang"}));
    let shared = scene.indexed(MODEL);
    assert_eq!(shared.sense(QUESTION).await, None);
    let problem = shared.complaint().unwrap().to_string();
    assert!(problem.contains("`mine` said nothing for 2 s; recall goes on"), "{problem}");
    assert_eq!(shared.sense(QUESTION).await, None);
    assert!(shared.complaint().is_none());
    assert_eq!(scene.embeds.requests().len(), 1);
}

#[tokio::test]
async fn nothing_is_asked_of_what_says_nothing() {
    let scene = Scene::new(&notes(1), json!({"dims": 4}));
    let shared = scene.indexed(MODEL);
    assert_eq!(shared.sense(" \n ").await, None);
    assert!(scene.embeds.requests().is_empty());
    let long = "é".repeat(5_000);
    assert!(shared.sense(&long).await.is_some());
    assert_eq!(input(&scene.embeds.requests()[0]), ["é".repeat(1_000)]);
}

#[tokio::test]
async fn texts_that_are_too_long_for_the_model_are_shortened() {
    let mut texts = notes(2);
    texts.push(format!("The cellar holds {}.", "wine and apples ".repeat(60).trim()));
    let scene = Scene::new(&texts, json!({"dims": 4, "longest": 450}));
    let shared = scene.indexed(MODEL);
    let count = shared.lock().as_it_is().unwrap().len().unwrap() as usize;
    assert_eq!(shared.embed_notes(|_| ()).await.unwrap(), count);
    let requests = scene.embeds.requests();
    let statuses: Vec<u16> = requests.iter().map(|request| request.status).collect();
    assert_eq!(statuses, [400, 200]);
    let longest = input(&requests[1]).iter().map(String::len).max();
    assert_eq!(longest, Some(400));
}

#[tokio::test]
async fn without_a_server_the_turn_goes_on() {
    let scene = Scene::new(&notes(3), json!({"dims": 4}));
    let gone = Endpoint::custom("gone", Wire::OpenAi, "http://127.0.0.1:1/v1", None);
    let shared = scene.by(gone, MODEL);
    let stage = scene.stage(&shared, echo());
    let told = stage.say("Which lamp is in room number 2?").await;
    let heard = problems(&told);
    assert_eq!((told.text(), heard.len()), ("yes", 1));
    assert!(heard[0].contains("nothing listens for `gone` at http://127.0.0.1:1"), "{heard:?}");
}
