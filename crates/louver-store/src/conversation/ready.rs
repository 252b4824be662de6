//! A turn that is ready to be sent: which epoch it is in, and what the log must hold before it goes.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use louver_context::epoch::{self, Epoch, Standing, Why};
use louver_context::frozen::Frozen;
use louver_context::history::{mark, numbered};
use louver_context::ledger::Reason;
use louver_context::pairing;
use louver_context::snapshot::{Document, Earlier, Snapshot, ToolSchema};
use louver_context::{Context, Message, Recipe, Rules, Tokens};
use serde_json::{Value, json};

use super::documents::{self, Changed, Handles};
use super::{TurnError, company, reduce};
use crate::builder::{ContextBuilder, Turn};
use crate::fitting;
use crate::problem::Problem;
use crate::session::event::{Event, Prefix, Summary, Untold};
use crate::session::{Entry, Session, View};

/// A turn that is ready to be sent.
#[derive(Debug)]
pub struct Ready {
    /// The context.
    pub context: Context,
    /// What could not be used as it is.
    pub problems: Vec<Problem>,
    /// The epoch it belongs to.
    pub epoch: Epoch,
    /// What is new when the epoch begins with it.
    pub(super) begins: Option<Begins>,
    /// What had to be shortened or left out for good.
    pub(super) reductions: Vec<Event>,
    /// The documents as the model knows them after this turn.
    pub(super) documents: Vec<Document>,
    /// Whether the model is told of changes in them.
    pub(super) changed: bool,
    /// What telling of changes has cost in this epoch.
    pub(super) changes: Tokens,
}

/// What the log keeps of an epoch's beginning besides its text.
#[derive(Debug)]
pub(super) struct Begins {
    pub(super) rules: Value,
    pub(super) account: Value,
    /// Which tools were on offer before some were shortened.
    pub(super) offered: String,
    /// Whether it was made for company, and holds nothing that is remembered of the person.
    pub(super) others: bool,
    /// What its history lacks because it was forgotten, as [`View::withheld`] says it.
    pub(super) withheld: u64,
}

impl Ready {
    /// Whether a new epoch begins with this turn.
    pub fn begins_epoch(&self) -> bool {
        self.begins.is_some()
    }
}

/// A session as it stands when a turn is built.
pub(super) struct Going<'a> {
    pub(super) session: &'a Session,
    /// What was just said, which is in the log but not yet in the history.
    pub(super) said: Option<u64>,
    pub(super) remembers: Duration,
    pub(super) anew: bool,
}

/// What is known of the running epoch.
struct Running {
    number: u32,
    reason: Why,
    frozen: Arc<Frozen>,
    known: Handles,
    /// What telling of changes has cost so far.
    changes: Tokens,
}

impl Going<'_> {
    /// Builds the turn in the running epoch, or in a new one when there is a reason.
    pub(super) fn ready(
        &self,
        builder: &mut ContextBuilder,
        turn: &Turn,
    ) -> Result<Ready, TurnError> {
        let (mut view, lost) = self.session.view();
        view.messages.retain(|entry| Some(entry.id) != self.said);
        let (mut snapshot, mut problems) = builder.snapshot(turn);
        problems.extend(lost);
        snapshot.history = messages(&view.messages);
        self.stands_for(&mut snapshot, &view, turn.others);
        let documents = documents::of(&snapshot);
        let running = view.prefix.as_ref().and_then(|prefix| running(prefix, &view));
        let facts = Facts { snapshot, documents, problems, others: turn.others };
        let Some(running) = running else {
            return self.begin(&builder.recipe(), view, facts, (1, Why::First));
        };
        let next = running.number + 1;
        let workspace = builder.workspace();
        let Changed { text: told, knows_forgotten } =
            documents::changed(self.session, &running.known, &facts.documents, workspace);
        let recipe = builder.recipe();
        let cost = told.as_deref().map_or(Tokens(0), |text| recipe.counter.count(text));
        let changes = running.changes + cost;
        let mut standing = self.standing(&view, &facts, builder, told.is_some(), changes);
        standing.forgotten |= knows_forgotten;
        let crowded = reduce::has_too_many_rounds(&recipe, &view.messages).then_some(Why::Rounds);
        if let Some(why) = epoch::begins(&standing, recipe.model.budget()).or(crowded) {
            return self.begin(&builder.recipe(), view, facts, (next, why));
        }
        let epoch = Epoch { number: running.number, reason: running.reason };
        let mut extended = facts.snapshot.clone();
        // Those that fit least may have been shortened when the epoch began, and stay so.
        extended.tools =
            view.prefix.as_ref().map_or(extended.tools, |prefix| tools_of(&prefix.tools));
        extended.frozen = Some(running.frozen);
        extended.epoch = Some(epoch.clone());
        extended.changes = told.as_deref().map(Arc::from);
        match recipe.build(&extended) {
            // A full window is no reason by itself: something must be gained by a new epoch.
            Ok(context)
                if reduce::shorten(&recipe, &view.messages, context.ledger.total).is_empty() =>
            {
                let changed = told.is_some();
                let (begins, reductions) = (None, Vec::new());
                let Facts { documents, problems, .. } = facts;
                Ok(Ready {
                    context,
                    problems,
                    epoch,
                    begins,
                    reductions,
                    documents,
                    changed,
                    changes,
                })
            }
            _ => self.begin(&builder.recipe(), view, facts, (next, Why::Room)),
        }
    }

    /// Fits a turn that has begun anew, with nothing said after what it has.
    pub(super) fn again(
        &self,
        builder: &mut ContextBuilder,
        turn: &Turn,
        budget: Option<Tokens>,
        why: Why,
    ) -> Result<Ready, TurnError> {
        let (view, lost) = self.session.view();
        let (mut snapshot, mut problems) = builder.snapshot(turn);
        problems.extend(lost);
        snapshot.goes_on = true;
        snapshot.history = messages(&view.messages);
        self.stands_for(&mut snapshot, &view, turn.others);
        let documents = documents::of(&snapshot);
        let number = view.prefix.as_ref().map_or(0, |prefix| prefix.epoch) + 1;
        let model = reduce::smaller_than(builder.recipe().model, budget);
        let recipe = Recipe { model: &model, ..builder.recipe() };
        let facts = Facts { snapshot, documents, problems, others: turn.others };
        self.begin(&recipe, view, facts, (number, why))
    }

    /// Says in a snapshot what stands for messages that are no longer sent, and where what it tells is kept.
    fn stands_for(&self, snapshot: &mut Snapshot, view: &View, others: bool) {
        snapshot.earlier = earlier(self.session.key(), &view.summaries);
        snapshot.entries_in = (!others).then(|| "memory/HISTORY.md".into());
    }

    fn standing(
        &self,
        view: &View,
        facts: &Facts,
        builder: &ContextBuilder,
        files_changed: bool,
        changes: Tokens,
    ) -> Standing {
        let settings = builder.settings();
        let prefix = view.prefix.as_deref().cloned().unwrap_or_default();
        let same_model = prefix.model == settings.model.name
            && prefix.profile == settings.profile.name
            && prefix.extra.get("rules") == Some(&rules_json(settings.rules));
        // Whether a provider still remembers a prefix is a matter of real time.
        let now = Timestamp::now();
        let idle = view.sent_at.map_or(0, |at| now.duration_since(at).as_secs().unsigned_abs());
        Standing {
            summed_up: view.rewritten,
            forgotten: withheld(&prefix) != view.withheld,
            same_model,
            same_tools: same_tools(&prefix, &facts.snapshot.tools),
            files_changed,
            changes,
            idle,
            remembers: self.remembers.as_secs(),
            refused: json!(prefix.reason) == json!(Why::Refused),
            asked: self.anew,
            company: facts.others != prefix.is_for_company(),
        }
    }

    /// Begins an epoch. What only the owner may know leaves the history first, when others have come in.
    fn begin(
        &self,
        recipe: &Recipe<'_>,
        mut view: View,
        mut facts: Facts,
        epoch: (u32, Why),
    ) -> Result<Ready, TurnError> {
        let mut gone = Vec::new();
        let was_alone = view.prefix.as_ref().is_none_or(|prefix| !prefix.is_for_company());
        if facts.others && was_alone {
            gone = company::leaves(self.session, &mut view)?;
            facts.snapshot.history = messages(&view.messages);
        }
        let mut ready = begin(recipe, (self.session.key(), &view), facts, epoch)?;
        ready.reductions.splice(0..0, gone);
        Ok(ready)
    }
}

/// What a turn may know, and what went wrong on the way to it.
struct Facts {
    snapshot: Snapshot,
    documents: Vec<Document>,
    problems: Vec<Problem>,
    others: bool,
}

/// Begins an epoch. When the history is too long for it, it is reduced first, and by so much that it
/// will not have to be again soon.
fn begin(
    recipe: &Recipe<'_>,
    (key, view): (&str, &View),
    facts: Facts,
    (number, reason): (u32, Why),
) -> Result<Ready, TurnError> {
    let Facts { mut snapshot, documents, problems, others } = facts;
    let epoch = Epoch { number, reason };
    snapshot.epoch = Some(epoch.clone());
    let offered = offered(&snapshot.tools);
    fitting::choose(recipe, &mut snapshot);
    let reductions = reduce::down(recipe, (key, view), &mut snapshot)?;
    let context = recipe.build(&snapshot)?;
    let account = Frozen { system: "".into(), ..context.frozen() };
    let begins = Some(Begins {
        rules: rules_json(recipe.rules),
        account: serde_json::to_value(account).unwrap_or_default(),
        offered,
        others,
        withheld: view.withheld,
    });
    let (changed, changes) = (false, Tokens(0));
    Ok(Ready { context, problems, epoch, begins, reductions, documents, changed, changes })
}

/// The prefix as it was sent, with its account.
pub(crate) fn frozen(prefix: &Prefix) -> Option<Frozen> {
    let mut frozen: Frozen = serde_json::from_value(prefix.extra.get("account")?.clone()).ok()?;
    frozen.system = prefix.system.as_str().into();
    frozen.is_whole().then_some(frozen)
}

/// What the history of an epoch lacked when it began because it was forgotten.
fn withheld(prefix: &Prefix) -> u64 {
    prefix.extra.get(WITHHELD).and_then(Value::as_u64).unwrap_or_default()
}

/// The field for it.
pub(super) const WITHHELD: &str = "withheld";

/// The epoch that the log says is running. One whose account cannot be read is over.
fn running(prefix: &Prefix, view: &View) -> Option<Running> {
    let known = match &view.told {
        Some(told) => told.documents.clone(),
        None => serde_json::from_value(prefix.extra.get("documents")?.clone()).ok()?,
    };
    let changes = view.told.as_ref().map_or(0, |told| told.changes);
    Some(Running {
        number: prefix.epoch,
        reason: serde_json::from_value(json!(prefix.reason)).ok()?,
        frozen: Arc::new(frozen(prefix)?),
        known,
        changes: Tokens(u32::try_from(changes).unwrap_or(u32::MAX)),
    })
}

pub(super) fn messages(entries: &[Entry]) -> Vec<Arc<Message>> {
    entries.iter().map(|entry| entry.message.clone()).collect()
}

/// What stands for messages that are no longer sent. A mark has the names by which they can be read.
pub(super) fn earlier(key: &str, summaries: &[Arc<Summary>]) -> Vec<Earlier> {
    let earlier = |summary: &Arc<Summary>| {
        let events = summary.stands_for;
        let Some(Untold { messages, tokens, rounds }) = summary.untold else {
            return Earlier { text: summary.text.trim().into(), events, untold: None };
        };
        let tokens = Tokens(tokens);
        Earlier {
            text: mark(messages, tokens, Some((key, events))).into(),
            events,
            untold: Some((tokens, rounds.map_or(Reason::Room, Reason::Rounds))),
        }
    };
    summaries.iter().map(earlier).collect()
}

/// A word for the tools on offer, whole.
fn offered(tools: &[ToolSchema]) -> String {
    let text = tools_json(tools).to_string();
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}

/// Whether the tools are those with which an epoch began.
fn same_tools(prefix: &Prefix, tools: &[ToolSchema]) -> bool {
    match prefix.extra.get("offered").and_then(Value::as_str) {
        Some(before) => before == offered(tools),
        None => prefix.tools == tools_json(tools),
    }
}

/// The tools as the log keeps them.
pub(super) fn tools_json(tools: &[ToolSchema]) -> Value {
    if tools.is_empty() {
        return Value::Null;
    }
    let tool = |tool: &ToolSchema| {
        json!({
            "name": &*tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        })
    };
    tools.iter().map(tool).collect()
}

/// The tools that the log kept.
pub(super) fn tools_of(kept: &Value) -> Arc<[ToolSchema]> {
    let text = |tool: &Value, key: &str| {
        tool.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let tool = |tool: &Value| ToolSchema {
        name: text(tool, "name").into(),
        description: text(tool, "description"),
        parameters: tool.get("parameters").cloned().unwrap_or_default(),
    };
    kept.as_array().map(Vec::as_slice).unwrap_or_default().iter().map(tool).collect()
}

fn rules_json(rules: Rules) -> Value {
    json!([rules.person_first, rules.alternate, rules.no_silence])
}

/// A history as it was sent under a prefix: mended by the rules of then.
pub(super) fn repaired(history: &[Entry], prefix: &Prefix) -> Vec<Arc<Message>> {
    let rules = prefix.extra.get("rules").cloned().unwrap_or_default();
    let Ok([person_first, alternate, no_silence]) = serde_json::from_value::<[bool; 3]>(rules)
    else {
        return messages(history);
    };
    let rules = Rules { person_first, alternate, no_silence };
    let entries = numbered(history.iter().map(|entry| &entry.message));
    let (mut entries, mut repairs) = pairing::repair(&entries, rules);
    pairing::open_for_person(&mut entries, rules, &mut repairs);
    entries.into_iter().map(|entry| entry.message).collect()
}
