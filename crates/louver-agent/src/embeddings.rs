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
    /// Whether its vectors have another length than those that are kept.
    changed: AtomicBool,
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
    /// The same for notes: a model that is too slow for a question may be quick enough for them.
    notes_rest_until: Option<Instant>,
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

/// Texts of a batch that a model does not take, by their places, and why the last.
struct Refused {
    texts: Vec<usize>,
    why: AskError,
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
    /// The server's vectors change their length again and again.
    #[error("the vectors of `{0}` have now one length and now another")]
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
            changed: AtomicBool::new(false),
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

    /// The vectors of a batch, and which of its texts the model does not take, and why; of the beginnings of its texts, if
    /// they are too long for the model.
    async fn batch(&self, batch: &Unsensed) -> Result<(Vec<Sense>, Option<Refused>), AskError> {
        let texts: Vec<&str> = batch.texts().iter().map(String::as_str).collect();
        let error = match self.embed(&texts).await {
            Ok(senses) => return Ok((senses, None)),
            Err(error) if may_be_too_long(&error.trouble) => error,
            Err(error) => return Err(error),
        };
        let short: Vec<&str> = texts.iter().map(|text| head(text, SHORT)).collect();
        if let Ok(senses) = self.embed(&short).await {
            return Ok((senses, None));
        }
        // One text that a server breaks on would keep all others from it.
        let (mut senses, mut refused, mut why) = (Vec::new(), Vec::new(), error);
        for (at, text) in short.iter().enumerate() {
            let first = self.embed(&[text]).await;
            // What fails once may have failed for another reason.
            let sense = if first.is_ok() { first } else { self.embed(&[text]).await };
            match sense {
                Ok(sense) => senses.extend(sense),
                Err(error) if is_of_the_text(&error.trouble) => {
                    // A server that takes nothing at all is broken, and the texts are not to blame.
                    if senses.is_empty() && self.try_out().await.is_err() {
                        return Err(error);
                    }
                    refused.push(at);
                    why = error;
                }
                Err(error) => return Err(error),
            }
        }
        Ok((senses, Some(Refused { texts: refused, why }).filter(|one| !one.texts.is_empty())))
    }

    fn rests(&self) -> bool {
        self.mood().rests_until.is_some_and(|until| Instant::now() < until)
    }

    fn notes_rest(&self) -> bool {
        self.mood().notes_rest_until.is_some_and(|until| Instant::now() < until)
    }

    fn failed(&self, why: &dyn std::fmt::Display, hint: Option<String>) {
        self.mood().rests_until = Some(Instant::now() + REST);
        let what = format!("{why}; recall goes on with the built-in vectors");
        self.complain(what, hint);
    }

    /// Says which notes have no vector: the first, and how many more.
    fn refused(&self, first: Option<String>, refused: &Refused) {
        let first = first.map_or_else(|| "a note".to_owned(), |name| format!("`{name}`"));
        let others = match refused.texts.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let what = format!(
            "`{}` does not take {first}{others}: {}; the built-in vectors rank what it does not take",
            self.model, refused.why
        );
        self.complain(what, None);
    }

    /// Takes note of vectors of another length than those of the notes have.
    fn has_changed(&self, dims: usize, kept: usize) {
        self.changed.store(true, Ordering::Release);
        let what = format!(
            "`{}` gives vectors of {dims} numbers now, and those of the notes have {kept}; they are embedded anew",
            self.model
        );
        self.complain(what, Some("`louver recall` waits until they are".to_owned()));
    }

    fn complain(&self, what: String, hint: Option<String>) {
        let mut mood = self.mood();
        if matches!(mood.complaint, Complaint::None) {
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
        let embedder = self.embedder.as_ref()?;
        let sense = embedder.question(question).await?;
        self.compare(sense.dims());
        Some(sense)
    }

    /// Looks whether the vectors of the notes have as many numbers as this; how many they have, if not.
    pub fn compare(&self, dims: usize) -> Option<usize> {
        let embedder = self.embedder.as_ref()?;
        let kept = self.lock().as_it_is().ok()?.sense_dims(&embedder.kept_as()).ok()??;
        (kept != dims && dims > 0).then(|| {
            embedder.has_changed(dims, kept);
            kept
        })
    }

    /// Waits until no notes are embedded, and no longer than this.
    pub async fn settle(&self, most: Duration) {
        let Some(embedder) = &self.embedder else { return };
        let until = Instant::now() + most;
        while embedder.filling.load(Ordering::Acquire) && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
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
        let Some(embedder) = self.embedder.clone().filter(|one| !one.notes_rest()) else { return };
        let shared = self.clone();
        tokio::spawn(async move {
            match shared.embed_notes(|_| ()).await {
                Ok(0) => (),
                // A server that has to load the model first is too slow for one question, not for the next.
                Ok(_) => embedder.mood().rests_until = None,
                Err(error) => {
                    embedder.failed(&error, error.hint());
                    embedder.mood().notes_rest_until = Some(Instant::now() + REST);
                }
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
        let (mut done, mut begun) = (0, false);
        loop {
            let model = embedder.kept_as();
            let anew = embedder.changed.swap(false, Ordering::AcqRel);
            let next = move |reminder: &mut Reminder| match anew {
                true => reminder.as_it_is()?.unsensed_anew(&model, BATCH),
                false => reminder.as_it_is()?.unsensed(&model, BATCH),
            };
            let batch = self.work(next).await?;
            if batch.texts().is_empty() {
                return Ok(done);
            }
            let (senses, refused) = embedder.batch(&batch).await?;
            let batch = match refused {
                None => batch,
                Some(refused) => self.pass_over(embedder, batch, &refused).await?,
            };
            let count = senses.len();
            let given = self
                .work(move |reminder| reminder.as_it_is()?.give_senses(&batch, &senses))
                .await?;
            match given {
                // Some that wait for their folder keep those behind them from being passed over.
                Given::Kept if count == 0 => return Ok(done),
                Given::Kept => done += count,
                Given::Late => (),
                Given::Anew if begun => {
                    return Err(NotEmbedded::Changed(embedder.model.clone()));
                }
                Given::Anew => {
                    embedder.changed.store(true, Ordering::Release);
                    begun = true;
                }
            }
            progress(done);
        }
    }

    /// A batch without what the model does not take, which is told.
    async fn pass_over(
        &self,
        embedder: &Embedder,
        batch: Unsensed,
        refused: &Refused,
    ) -> Result<Unsensed, NotEmbedded> {
        let first = refused.texts.first().copied().unwrap_or_default();
        let without = batch.clone().without(&refused.texts);
        let name = self.work(move |reminder| reminder.as_it_is()?.name_in(&batch, first)).await?;
        embedder.refused(name, refused);
        Ok(without)
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

/// Whether it is the text that a server does not take, as far as can be told. One that has too much to do says so.
fn is_of_the_text(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Overload { status, .. } => *status == 500,
        other => may_be_too_long(other),
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
        // A server that only an address names has the key of no provider.
        _ => error.hint().map(|hint| match hint.contains("[providers.custom]") {
            true => format!("{hint}, and `provider = \"custom\"` under `[recall.embeddings]`"),
            false => hint,
        }),
    }
}

/// The first bytes of a text, in whole letters.
fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
