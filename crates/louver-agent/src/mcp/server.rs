//! One server and its life: started in the background, kept, lost, started again when it is asked.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use louver_store::Problem;
use serde_json::Value;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use super::answer;
use super::book::{Again, Book};
use super::config::{Plan, ServerConfig};
use super::link::{self, Line, Link, Lost, Unanswered};
use super::offer::Offer;
use super::{State, Status};
use crate::tools::Output;

/// One server.
pub(super) struct Server {
    pub(super) name: String,
    /// `None` when it cannot be used as it is configured; the book says why.
    plan: Option<Plan>,
    /// Where it runs, if it is a program.
    folder: PathBuf,
    phase: watch::Sender<Phase>,
    book: Mutex<Book>,
    /// Rung when louver is done with it.
    leave: Notify,
    gone: AtomicBool,
    /// Whether a turn has waited for it once.
    waited_for: AtomicBool,
    keeper: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Clone)]
enum Phase {
    Starting,
    Ready(Link),
    Ending,
    Down,
}

/// How long the list of tools is let alone after it was taken anew.
const BETWEEN_LISTS: Duration = Duration::from_secs(1);

impl Server {
    pub(super) fn new(name: String, config: &ServerConfig, folder: &Path) -> Arc<Server> {
        let mut book = Book::default();
        let plan = match Plan::of(config, &|name| std::env::var(name).ok()) {
            Ok(plan) => Some(plan),
            Err(bad) => {
                book.refuse(bad.to_string(), bad.hint());
                None
            }
        };
        let server = Arc::new(Server {
            name,
            plan,
            folder: folder.to_owned(),
            phase: watch::Sender::new(Phase::Down),
            book: Mutex::new(book),
            leave: Notify::new(),
            gone: AtomicBool::new(false),
            waited_for: AtomicBool::new(false),
            keeper: Mutex::new(None),
        });
        server.start();
        server
    }

    /// Starts it in the background, unless it is running, gone, or hopeless.
    fn start(self: &Arc<Self>) {
        let Some(plan) = self.plan.clone() else { return };
        let mut keeper = lock(&self.keeper);
        if self.gone.load(Ordering::SeqCst) {
            return;
        }
        let begins = self.phase.send_if_modified(|phase| match phase {
            Phase::Down => {
                *phase = Phase::Starting;
                true
            }
            _ => false,
        });
        if begins {
            *keeper = Some(tokio::spawn(self.clone().keep(plan)));
        }
    }

    /// One conversation, from its beginning to its end.
    async fn keep(self: Arc<Self>, plan: Plan) {
        let lost = match link::open(&plan, &self.folder).await {
            Ok((link, line, listing)) => {
                self.book().list(&listing, &plan);
                self.book().find(link.version.clone());
                self.phase.send_replace(Phase::Ready(link.clone()));
                self.talk(link, line, &plan).await
            }
            Err(lost) => lost,
        };
        self.book().lose(&lost, &self.name, &plan, Instant::now());
        self.phase.send_replace(Phase::Down);
    }

    /// Keeps the conversation up until it ends, and says why it did.
    async fn talk(&self, link: Link, mut line: Line, plan: &Plan) -> Lost {
        let given_up = tokio::select! {
            () = line.closed() => false,
            () = self.leave.notified() => false,
            () = link.give_up.notified() => true,
            () = self.follow(&link, plan) => false,
        };
        // Nobody is sent to a server that is about to end.
        self.phase.send_replace(Phase::Ending);
        let lost = line.end().await;
        if given_up { Lost::fault("it no longer answers") } else { lost }
    }

    /// Takes the list of tools anew whenever the server says that it has changed.
    async fn follow(&self, link: &Link, plan: &Plan) {
        loop {
            link.changed.notified().await;
            // A list that does not come leaves the old one.
            if let Ok(Ok(listing)) = tokio::time::timeout(plan.start, link.list()).await {
                self.book().list(&listing, plan);
            }
            // A server that does nothing but change its list must not keep louver busy.
            tokio::time::sleep(BETWEEN_LISTS).await;
        }
    }

    /// Calls a tool. What goes wrong is said in words for a model.
    pub(super) async fn call(self: &Arc<Self>, tool: &str, arguments: Value) -> Output {
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            Value::Null => serde_json::Map::new(),
            _ => return Output::failed("the arguments of a tool are a JSON object"),
        };
        let Some(plan) = &self.plan else { return self.absent() };
        let Some(link) = self.link(plan).await else { return self.absent() };
        let name = &self.name;
        let answer = tokio::time::timeout(plan.timeout, link.call(tool, arguments)).await;
        let Ok(answer) = answer else {
            if self.book().silent() {
                link.give_up.notify_one();
            }
            return Output::failed(format!(
                "the MCP server `{name}` did not answer within {} s; whether `{tool}` was carried \
                 out is not known. Ask for less, or do without it",
                plan.timeout.as_secs_f64()
            ));
        };
        if !matches!(answer, Err(Unanswered::Lost(_))) {
            self.book().answered();
        }
        match answer {
            Ok(result) => answer::output(name, tool, &result, &plan.secrets),
            Err(Unanswered::Refused(why)) => {
                Output::failed(format!("the MCP server `{name}` refuses the call of `{tool}`:"))
                    .with(plan.secrets.hide(why))
            }
            Err(Unanswered::Wants(what)) => Output::failed(format!(
                "`{tool}` of the MCP server `{name}` wants {what}, which louver does not do; do without it"
            )),
            Err(Unanswered::NotTheProtocol) => Output::failed(format!(
                "the MCP server `{name}` answered `{tool}` in a form that is not the protocol's"
            )),
            Err(Unanswered::Lost(lost)) => self.cut_off(tool, &lost, plan).await,
        }
    }

    /// What to say when a server goes away in the middle of a call.
    async fn cut_off(&self, tool: &str, lost: &Lost, plan: &Plan) -> Output {
        let name = &self.name;
        let mut why = plan.secrets.hide(lost.to_string());
        if let Lost::Ended { .. } = lost {
            // The keeper knows more a moment later: with which status, and what was said last.
            let mut phase = self.phase.subscribe();
            let down = phase.wait_for(|phase| matches!(phase, Phase::Down));
            let _ = tokio::time::timeout(Duration::from_secs(3), down).await;
            why = self.book().lost.as_ref().map_or(why, |(words, _)| words.clone());
        }
        Output::failed(format!(
            "the MCP server `{name}` was lost while `{tool}` ran, and whether it was carried out is \
             not known; the next call tries it again. The reason:"
        ))
        .with(why)
    }

    /// The conversation, begun anew if need be.
    async fn link(self: &Arc<Self>, plan: &Plan) -> Option<Link> {
        // A start ends by itself; the program's own end may take a little longer.
        let until = Instant::now() + plan.start + Duration::from_secs(3);
        self.settled(until).await;
        if self.is_down() && self.book().again(Instant::now()) == Again::Now {
            self.start();
            self.settled(until).await;
        }
        match &*self.phase.borrow() {
            Phase::Ready(link) => Some(link.clone()),
            _ => None,
        }
    }

    /// What to say when a server is not there.
    fn absent(&self) -> Output {
        let book = self.book();
        let again = match book.again(Instant::now()) {
            _ if self.gone.load(Ordering::SeqCst) => "it is being shut down".to_owned(),
            Again::Now => "the next call tries to start it".to_owned(),
            Again::In(left) => format!("it may be tried again in {} s", left.as_secs() + 1),
            Again::Never => "it will not be tried again; do without it".to_owned(),
        };
        let output =
            Output::failed(format!("the MCP server `{}` is not running; {again}", self.name));
        match &book.lost {
            Some((why, _)) => output.with(why.clone()),
            None => output,
        }
    }

    /// Waits until it is known whether it is there, the first time a turn asks.
    pub(super) async fn first_settled(self: &Arc<Self>, until: Instant) {
        if self.book().offers.is_none() && self.book().again(Instant::now()) == Again::Now {
            self.start();
        }
        if !self.waited_for.load(Ordering::SeqCst) {
            self.settled(until).await;
            self.waited_for.store(true, Ordering::SeqCst);
        }
    }

    fn is_down(&self) -> bool {
        matches!(*self.phase.borrow(), Phase::Down)
    }

    async fn settled(&self, until: Instant) {
        let mut phase = self.phase.subscribe();
        let settled = phase.wait_for(|phase| matches!(phase, Phase::Ready(_) | Phase::Down));
        let _ = tokio::time::timeout_at(until.into(), settled).await;
    }

    /// What it offers, and what is wrong with it.
    pub(super) fn offers(&self) -> (Vec<Arc<Offer>>, Vec<Problem>) {
        let book = self.book();
        let mut problems = book.problems(&self.name);
        let starting = matches!(*self.phase.borrow(), Phase::Starting);
        if starting && book.offers.is_none() && book.lost.is_none() {
            let what = "it is still starting; its tools come with a later turn";
            problems.push(Problem::note(format!("mcp.{}", self.name), what));
        }
        (book.offers.clone().unwrap_or_default(), problems)
    }

    pub(super) fn status(&self) -> Status {
        let book = self.book();
        let state = match &*self.phase.borrow() {
            Phase::Starting => State::Starting,
            Phase::Ready(_) => State::Ready,
            Phase::Down if book.again(Instant::now()) == Again::Never => State::GivenUp,
            Phase::Down | Phase::Ending => State::Stopped,
        };
        let offers = book.offers.iter().flatten();
        Status {
            name: self.name.clone(),
            state,
            tools: offers.map(|offer| super::offer::visible(&offer.name, 64)).collect(),
            version: book.version.clone(),
            last_error: book.lost.as_ref().map(|(what, _)| what.clone()),
        }
    }

    /// Ends it, gently.
    pub(super) async fn stop(&self) {
        let keeper = {
            let mut keeper = lock(&self.keeper);
            self.gone.store(true, Ordering::SeqCst);
            keeper.take()
        };
        self.leave.notify_one();
        let Some(mut keeper) = keeper else { return };
        // One that is still starting is not waited for.
        let patience = match &*self.phase.borrow() {
            Phase::Starting => Duration::ZERO,
            _ => Duration::from_secs(3),
        };
        if tokio::time::timeout(patience, &mut keeper).await.is_err() {
            keeper.abort();
            let _ = keeper.await;
        }
    }

    /// Ends it at once.
    pub(super) fn kill(&self) {
        let keeper = {
            let mut keeper = lock(&self.keeper);
            self.gone.store(true, Ordering::SeqCst);
            keeper.take()
        };
        if let Some(keeper) = keeper {
            keeper.abort();
        }
        self.phase.send_replace(Phase::Down);
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        lock(&self.book)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
