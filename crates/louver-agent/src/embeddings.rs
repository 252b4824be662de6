//! A sentence model that ranks notes, where a person has named one: who asks it, and when.
//!
//! The question is embedded when it is asked, in one request that may take two seconds; notes are embedded
//! in the background, some at a time, after they were indexed. Whatever goes wrong, recall goes on with
//! the built-in vectors, and the person hears of it once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use louver_store::Problem;
use louver_store::library::{Given, LibraryError, Reminder, Sense, Unsensed};

use crate::http::Sender;
use crate::provider::{AskError, Endpoint, Trouble};

/// How long a turn waits for what its question means.
const QUESTION_TIME: Duration = Duration::from_secs(2);
/// How long a server that is tried out may take: it may have to load the model.
const TRY_TIME: Duration = Duration::from_secs(30);
/// How long a batch may take. A small machine reads some hundred tokens a second.
const BATCH_TIME: Duration = Duration::from_secs(300);
/// So many notes go out in one request.
pub const BATCH: usize = 32;
/// A model that refuses texts as they are is given so many bytes of each: fewer tokens than any holds.
const SHORT: usize = 400;
/// So many bytes of a question are embedded.
const QUESTION: usize = 2_000;
/// A server that failed is left alone for so long. One that does not answer would cost every turn two seconds.
const REST: Duration = Duration::from_secs(60);

/// A sentence model and the server that has it.
#[derive(Debug)]
pub struct Embedder {
    sender: Sender,
    endpoint: Endpoint,
    model: String,
    before: Before,
    filling: AtomicBool,
    mood: Mutex<Mood>,
}

/// What stands before a text when a model reads it. Many are trained to be told what they read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Before {
    /// Before a question.
    pub question: String,
    /// Before a note.
    pub note: String,
}

/// What the makers of models say must stand before a question, and before a note.
const TRAINED: &[(&str, &str, &str)] = &[
    ("nomic-embed-text", "search_query: ", "search_document: "),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ("mxbai-embed-large", "Represent this sentence for searching relevant passages: ", ""),
    ("snowflake-arctic-embed", "Represent this sentence for searching relevant passages: ", ""),
    ("e5-small", "query: ", "passage: "),
    ("e5-base", "query: ", "passage: "),
    ("e5-large", "query: ", "passage: "),
];
/// These are told in other words, which depend on what is wanted.
const INSTRUCTED: &str = "instruct";

impl Before {
    /// As a model of this name was trained; nothing for those that are not known to need it.
    pub fn of(model: &str) -> Before {
        let name = model.to_lowercase();
        let known = TRAINED.iter().find(|(part, ..)| name.contains(part));
        known.filter(|_| !name.contains(INSTRUCTED)).map_or_else(
            Before::default,
            |(_, question, note)| Before {
                question: (*question).to_owned(),
                note: (*note).to_owned(),
            },
        )
    }
}

/// How things have gone with the server.
#[derive(Debug, Default)]
struct Mood {
    rests_until: Option<Instant>,
    complaint: Complaint,
}

/// What a person hears of a trouble: nothing twice.
#[derive(Debug, Default)]
enum Complaint {
    #[default]
    None,
    Due(Problem),
    Told,
}

/// Why notes got no vectors. Nothing is lost: the next turn goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum NotEmbedded {
    /// The model could not be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The server's vectors changed their length on the way.
    #[error("the vectors of `{0}` are not what they were; all notes are embedded anew")]
    Changed(String),
    /// Whoever worked on it broke.
    #[error("the recall index could not be used: the work on it broke off")]
    Broke,
}

impl NotEmbedded {
    /// What helps.
    pub fn hint(&self) -> Option<String> {
        match self {
            NotEmbedded::Ask(error) => hint(error),
            NotEmbedded::Library(error) => Some(error.hint().to_owned()),
            NotEmbedded::Changed(_) | NotEmbedded::Broke => None,
        }
    }
}

impl Embedder {
    /// This model on this server, told what it reads as it was trained.
    pub fn new(endpoint: Endpoint, model: impl Into<String>) -> Embedder {
        let model = model.into();
        Embedder {
            sender: Sender::new(),
            endpoint,
            before: Before::of(&model),
            model,
            filling: AtomicBool::new(false),
            mood: Mutex::default(),
        }
    }

    /// The same with this before what it reads.
    #[must_use]
    pub fn with_before(mut self, before: Before) -> Embedder {
        self.before = before;
        self
    }

    /// What stands before the texts that it reads.
    pub fn before(&self) -> &Before {
        &self.before
    }

    /// What its vectors of notes are kept under: with something else before them they would be others.
    pub fn kept_as(&self) -> String {
        match self.before.note.is_empty() {
            true => self.model.clone(),
            false => format!("{} after {:?}", self.model, self.before.note),
        }
    }

    /// The model's name, as the server spells it.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The server.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// What the model makes of notes, asked once and with patience.
    pub async fn embed(&self, notes: &[&str]) -> Result<Vec<Sense>, AskError> {
        let notes: Vec<String> =
            notes.iter().map(|note| format!("{}{note}", self.before.note)).collect();
        let texts: Vec<&str> = notes.iter().map(String::as_str).collect();
        let vectors = self.sender.embed(&self.endpoint, &self.model, &texts, BATCH_TIME).await?;
        let kept_as = self.kept_as();
        Ok(vectors.into_iter().map(|vector| Sense::new(&kept_as, vector)).collect())
    }

    /// How many numbers a vector has, if the server answers.
    pub async fn try_out(&self) -> Result<usize, AskError> {
        let texts = &["Is there anybody?"];
        let vectors = self.sender.embed(&self.endpoint, &self.model, texts, TRY_TIME).await?;
        Ok(vectors.first().map_or(0, Vec::len))
    }

    /// What a question means, if the server says so at once.
    async fn question(&self, text: &str) -> Option<Sense> {
        let text = head(text.trim(), QUESTION);
        if text.is_empty() || self.rests() {
            return None;
        }
        let text = format!("{}{text}", self.before.question);
        match self.sender.embed(&self.endpoint, &self.model, &[&text], QUESTION_TIME).await {
            Ok(vectors) => {
                vectors.into_iter().next().map(|vector| Sense::new(&self.kept_as(), vector))
            }
            Err(error) => {
                self.failed(&error, hint(&error));
                None
            }
        }
    }

    /// The vectors of a batch; of the beginnings of its texts, if they are too long for the model.
    async fn batch(&self, batch: &Unsensed) -> Result<Vec<Sense>, AskError> {
        let texts: Vec<&str> = batch.texts().iter().map(String::as_str).collect();
        match self.embed(&texts).await {
            Err(error) if may_be_too_long(&error.trouble) => {
                let texts: Vec<&str> = texts.iter().map(|text| head(text, SHORT)).collect();
                self.embed(&texts).await
            }
            other => other,
        }
    }

    fn rests(&self) -> bool {
        self.mood().rests_until.is_some_and(|until| Instant::now() < until)
    }

    fn failed(&self, why: &dyn std::fmt::Display, hint: Option<String>) {
        let mut mood = self.mood();
        mood.rests_until = Some(Instant::now() + REST);
        if matches!(mood.complaint, Complaint::None) {
            let what = format!("{why}; recall goes on with the built-in vectors");
            let problem = Problem::warning("recall.embeddings", what);
            mood.complaint = Complaint::Due(match hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            });
        }
    }

    fn mood(&self) -> MutexGuard<'_, Mood> {
        self.mood.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What reminds turns, shared with the tools that ask it, and the sentence model that ranks for it.
#[derive(Clone)]
pub struct Shared {
    reminder: Arc<Mutex<Reminder>>,
    embedder: Option<Arc<Embedder>>,
}

impl Shared {
    /// What reminds turns by the built-in vectors.
    pub fn new(reminder: Reminder) -> Shared {
        Shared { reminder: Arc::new(Mutex::new(reminder)), embedder: None }
    }

    /// The same with a sentence model.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Embedder) -> Shared {
        self.embedder = Some(Arc::new(embedder));
        self
    }

    /// What reminds turns, for as long as nobody else needs it.
    pub fn lock(&self) -> MutexGuard<'_, Reminder> {
        self.reminder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sentence model, where there is one.
    pub fn embedder(&self) -> Option<&Embedder> {
        self.embedder.as_deref()
    }

    /// What a question means to the sentence model. Nothing where there is none, or none that answers.
    pub async fn sense(&self, question: &str) -> Option<Sense> {
        self.embedder.as_ref()?.question(question).await
    }

    /// What is wrong with the sentence model, if the person has not heard of it.
    pub fn complaint(&self) -> Option<Problem> {
        let mut mood = self.embedder.as_ref()?.mood();
        match std::mem::replace(&mut mood.complaint, Complaint::Told) {
            Complaint::Due(problem) => Some(problem),
            other => {
                mood.complaint = other;
                None
            }
        }
    }

    /// Has the notes that were indexed embedded, while whoever calls goes on.
    pub fn embed_notes_later(&self) {
        let Some(embedder) = self.embedder.clone() else { return };
        let shared = self.clone();
        tokio::spawn(async move {
            match shared.embed_notes(|_| ()).await {
                Ok(0) => (),
                // A server that has to load the model first is too slow for one question, not for the next.
                Ok(_) => embedder.mood().rests_until = None,
                Err(error) => embedder.failed(&error, error.hint()),
            }
        });
    }

    /// Has the notes that were indexed embedded, batch by batch, and says how many. `progress` is told how
    /// many are done. Where another is at it in this process, nothing is done.
    pub async fn embed_notes(
        &self,
        mut progress: impl FnMut(usize) + Send,
    ) -> Result<usize, NotEmbedded> {
        let Some(embedder) = &self.embedder else { return Ok(0) };
        let Some(_filling) = Filling::begin(embedder) else { return Ok(0) };
        let mut done = 0;
        loop {
            let model = embedder.kept_as();
            let batch =
                self.work(move |reminder| reminder.as_it_is()?.unsensed(&model, BATCH)).await?;
            let count = batch.texts().len();
            if count == 0 {
                return Ok(done);
            }
            let senses = embedder.batch(&batch).await?;
            let given = self
                .work(move |reminder| reminder.as_it_is()?.give_senses(&batch, &senses))
                .await?;
            match given {
                Given::Kept => done += count,
                Given::Late => (),
                Given::Anew => return Err(NotEmbedded::Changed(embedder.model.clone())),
            }
            progress(done);
        }
    }

    /// Does something with the library where waiting for the disk keeps nobody else waiting.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Reminder) -> Result<T, LibraryError> + Send + 'static,
    ) -> Result<T, NotEmbedded> {
        let shared = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&mut shared.lock())).await;
        Ok(done.map_err(|_| NotEmbedded::Broke)??)
    }
}

/// Held by the one who embeds notes. It goes when that one is done, or dropped.
struct Filling<'a>(&'a AtomicBool);

impl Filling<'_> {
    fn begin(embedder: &Embedder) -> Option<Filling<'_>> {
        let taken = embedder.filling.swap(true, Ordering::AcqRel);
        (!taken).then(|| Filling(&embedder.filling))
    }
}

impl Drop for Filling<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Whether shorter texts might be taken. Some servers say so clearly, some as if they were broken.
fn may_be_too_long(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::TooLong { .. } | Trouble::Refused { .. } | Trouble::Overload { .. })
}

/// What a person can do. What helps a conversation that is too long does not help here.
fn hint(error: &AskError) -> Option<String> {
    match error.trouble {
        Trouble::Slow { .. } | Trouble::TooLong { .. } => None,
        _ => error.hint(),
    }
}

/// The first bytes of a text, in whole letters.
fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
