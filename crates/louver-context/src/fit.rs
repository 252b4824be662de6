//! Spending the budget: each layer whole, shortened, or left out.
//!
//! Nothing gives way while everything fits beside the turn's reserve. When it does not, three passes run until it does:
//! layers above their fair share come down to it; history shortens old tool results and then
//! loses its oldest exchanges; at last layers give what they have, and then the last exchange shortens its
//! results and loses its oldest calls. Every step works on the originals and is counted on the finished request, so the same facts give the same bytes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::slice;
use std::sync::Arc;

use crate::context::{Cost, Draft, Recipe};
use crate::frozen::Frozen;
use crate::history::{self, Entry, Reach};
use crate::layer::{Give, Layer, Piece};
use crate::ledger::{Ledger, LeftOut, Reason};
use crate::model::Model;
use crate::pairing::{self, Repair};
use crate::shrink::{fewer_names, names_alone, shrink};
use crate::snapshot::{Earlier, Fitting, Snapshot};
use crate::source::{Place, Source};
use crate::tokens::Tokens;

/// What stays of the layers and the history.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The layers as they were built.
    pub(crate) asked: Vec<Layer>,
    /// The layers as they are now.
    pub(crate) layers: Vec<Layer>,
    /// What each layer lost, by its index.
    gone: Vec<Vec<LeftOut>>,
    /// The messages that stay.
    pub(crate) entries: Vec<Entry>,
    /// The messages that went, now and before this turn.
    pub(crate) history_gone: Vec<LeftOut>,
    /// What documents lack because it was forgotten.
    withheld: Vec<LeftOut>,
    /// How many whole messages went, and what they would cost.
    dropped: (usize, Tokens),
    pub(crate) repairs: Vec<Repair>,
    /// What can still be tried, the next one last.
    steps: Vec<Step>,
}

/// One way to give way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A layer comes down to its fair share.
    FairShare(usize),
    /// Tool results are shortened: old ones first, those of the last exchange when nothing else is
    /// left to give.
    ShortenResults(Reach),
    /// The oldest exchanges go.
    DropExchanges,
    /// A layer gives what it has.
    GiveAll(usize),
    /// The oldest calls of the last exchange go, with their results.
    DropCalls,
}

impl Plan {
    pub(crate) fn new(recipe: &Recipe<'_>, snapshot: &Snapshot) -> Self {
        let mut asked = recipe.profile.stack(snapshot);
        if snapshot.goes_on {
            asked.retain(|layer| layer.place != Place::Turn);
        }
        if let Some(fitting) = &snapshot.fitting {
            let skills = asked.iter_mut().filter(|layer| layer.name == "skills");
            skills.for_each(|layer| offer(recipe, layer, fitting));
        }
        for layer in asked.iter_mut().filter(|layer| layer.give == Give::Oldest) {
            layer.cap = layer.cap.into_iter().chain([summary_share(recipe.model.budget())]).min();
        }
        let mut steps = steps(&asked, snapshot.goes_on);
        if snapshot.frozen.is_some() {
            // What was sent stays: nothing but the turn may give way.
            asked.retain(|layer| layer.place == Place::Turn);
            steps = turn_steps(&asked);
        }
        // What was told when the epoch began is in its account.
        let (withheld, untold) = match snapshot.frozen {
            Some(_) => (Vec::new(), Vec::new()),
            None => (
                snapshot.withheld.iter().map(|source| forgotten(&asked, source)).collect(),
                snapshot.earlier.iter().filter_map(untold).collect(),
            ),
        };
        let mut plan = Plan {
            withheld,
            gone: vec![Vec::new(); asked.len()],
            layers: asked.clone(),
            steps,
            asked,
            entries: Vec::new(),
            history_gone: untold,
            dropped: (0, Tokens(0)),
            repairs: Vec::new(),
        };
        for index in 0..plan.asked.len() {
            plan.gone[index] = cut_by_profile(recipe, &plan.asked[index]);
            plan.cap(recipe, index);
        }
        plan.take_history(recipe, snapshot);
        plan
    }

    /// Keeps a layer to its own cap. One that does not even have room for a mark is left out, but for the
    /// names of skills: a skill that is not named cannot be asked for.
    fn cap(&mut self, recipe: &Recipe<'_>, index: usize) {
        let layer = &self.asked[index];
        let size = |layer: &Layer| recipe.counter.count(&layer.text());
        let Some(cap) = layer.cap.filter(|cap| size(layer) > *cap) else { return };
        let reason = Reason::Cap(cap);
        self.shrink_to(recipe, index, cap, &reason);
        if size(&self.layers[index]) > cap && self.asked[index].fitting.is_none() {
            let asked = &self.asked[index];
            let own = asked.pieces.iter().filter(|piece| piece.source != Source::Glue);
            let gone = own.map(|piece| LeftOut {
                layer: asked.name.clone(),
                source: piece.source.clone(),
                tokens: recipe.counter.count(&piece.text),
                reason: reason.clone(),
            });
            self.gone[index] = gone.collect();
            self.layers[index].pieces.clear();
        }
    }

    /// The history as the provider takes it, down to the rounds that are kept.
    fn take_history(&mut self, recipe: &Recipe<'_>, snapshot: &Snapshot) {
        let entries = history::numbered(&snapshot.history);
        (self.entries, self.repairs) = pairing::repair(&entries, recipe.rules);
        if let (Some(rounds), None) = (recipe.rounds, &snapshot.frozen) {
            let first = history::last_rounds(&self.entries, rounds);
            let costs: Vec<Cost> =
                self.entries[..first].iter().map(|entry| recipe.cost_of(entry)).collect();
            self.drop(slice::from_ref(&(0..first)), &costs, &Reason::Rounds(rounds));
        }
        if !snapshot.goes_on {
            pairing::open_for_person(&mut self.entries, recipe.rules, &mut self.repairs);
        }
    }

    /// By how much a draft is over what it may have.
    ///
    /// What the turn does not use of its reserve counts as used, so that the room for everything
    /// before it does not depend on it.
    pub(crate) fn over(&self, recipe: &Recipe<'_>, draft: &Draft) -> Tokens {
        let unused = recipe.turn_reserve() - draft.turn_tokens;
        (draft.total + unused) - recipe.model.budget()
    }

    /// Takes the next step that frees anything. False when there is none left.
    pub(crate) fn give_way(&mut self, recipe: &Recipe<'_>, draft: &Draft, over: Tokens) -> bool {
        while let Some(step) = self.steps.last().copied() {
            let freed = match step {
                Step::FairShare(index) => {
                    let share = share(recipe, &self.asked[index]);
                    self.shrink_by(recipe, draft, index, over, share)
                }
                Step::GiveAll(index) => self.shrink_by(recipe, draft, index, over, Tokens(0)),
                Step::ShortenResults(reach) => {
                    let gone = &mut self.history_gone;
                    history::shorten_results(&mut self.entries, reach, over, recipe.counter, gone)
                        > Tokens(0)
                }
                Step::DropExchanges => {
                    let exchanges = history::older_exchanges(&self.entries);
                    self.drop_oldest(recipe, draft, over, exchanges)
                }
                Step::DropCalls => {
                    let calls = history::older_calls(&self.entries);
                    self.drop_oldest(recipe, draft, over, calls)
                }
            };
            if freed {
                return true;
            }
            self.steps.pop();
        }
        false
    }

    /// Drops the oldest of these ranges until `over` tokens and the mark over them are made up for. Says
    /// whether that makes the request smaller.
    fn drop_oldest(
        &mut self,
        recipe: &Recipe<'_>,
        draft: &Draft,
        over: Tokens,
        ranges: Vec<Range<usize>>,
    ) -> bool {
        let mark = match self.dropped.0 {
            0 => recipe.counter.count(&history::mark(self.entries.len(), draft.total, None)),
            _ => Tokens(0),
        };
        let whole: Vec<Tokens> = draft.costs.iter().map(|cost| cost.whole()).collect();
        let gone = history::oldest_to_drop(ranges, &whole, over + mark);
        let freed: Tokens = gone.iter().flat_map(|range| &whole[range.clone()]).copied().sum();
        if freed <= mark {
            return false;
        }
        self.drop(&gone, &draft.costs, &Reason::Room);
        true
    }

    /// Shrinks a layer by `over` tokens, but not below `least`. Says whether it became smaller.
    fn shrink_by(
        &mut self,
        recipe: &Recipe<'_>,
        draft: &Draft,
        index: usize,
        over: Tokens,
        least: Tokens,
    ) -> bool {
        let now = draft.layer_tokens(&self.layers[index].name);
        if now <= least {
            return false;
        }
        let size = |layer: &Layer| recipe.counter.count(&layer.text());
        let before = (self.layers[index].clone(), std::mem::take(&mut self.gone[index]));
        let mut target = (now - over).max(least);
        loop {
            self.shrink_to(recipe, index, target, &Reason::Room);
            if size(&self.layers[index]) < size(&before.0) {
                return true;
            }
            if target == least {
                (self.layers[index], self.gone[index]) = before;
                return false;
            }
            // Marks can cost more than was guessed: aim lower.
            target = Tokens((u64::from(target.0) * 3 / 4) as u32).max(least);
        }
    }

    fn shrink_to(&mut self, recipe: &Recipe<'_>, index: usize, most: Tokens, reason: &Reason) {
        let (layer, gone) = shrink(&self.asked[index], most, reason, recipe.counter);
        self.layers[index] = layer;
        self.gone[index] = cut_by_profile(recipe, &self.asked[index]);
        self.gone[index].extend(gone);
    }

    /// Drops messages and puts a mark where they were.
    fn drop(&mut self, ranges: &[Range<usize>], costs: &[Cost], reason: &Reason) {
        let gone = || ranges.iter().cloned().flatten();
        if gone().next().is_none() {
            return;
        }
        for at in gone() {
            self.dropped.0 += 1;
            self.dropped.1 += costs[at].texts;
            self.history_gone.push(LeftOut {
                layer: Cow::Borrowed("history"),
                source: Source::Message { id: self.entries[at].id },
                tokens: costs[at].texts,
                reason: reason.clone(),
            });
        }
        for range in ranges.iter().rev() {
            self.entries.drain(range.clone());
        }
        self.mark_history();
    }

    /// Says in the summary's place how much of the conversation is not shown.
    fn mark_history(&mut self) {
        let mark = history::mark(self.dropped.0, self.dropped.1, None);
        let name = "not shown";
        let mut layer = Layer::new(name, Place::History, Give::Never);
        layer.add(Source::Marker, mark);
        let at = self.layers.partition_point(|layer| layer.place <= Place::History);
        match self.layers.iter().position(|layer| layer.name == name) {
            Some(at) => {
                self.layers[at] = layer.clone();
                self.asked[at] = layer;
            }
            None => {
                self.layers.insert(at, layer.clone());
                self.asked.insert(at, layer);
                self.gone.insert(at, Vec::new());
                self.steps.iter_mut().for_each(|step| step.shift(at));
            }
        }
    }

    /// All that is not in the request: layers in reading order, history in the order it gave way.
    pub(crate) fn left_out(&self, frozen: Option<&Frozen>) -> Vec<LeftOut> {
        let before = frozen.into_iter().flat_map(|frozen| &frozen.left_out);
        let layers = self.gone.iter().flatten().chain(&self.withheld);
        before.chain(layers).chain(&self.history_gone).cloned().collect()
    }
}

impl Step {
    /// A layer was put in at `at`: those behind it have moved.
    fn shift(&mut self, at: usize) {
        if let Step::FairShare(index) | Step::GiveAll(index) = self
            && *index >= at
        {
            *index += 1;
        }
    }
}

/// What a layer lacks because it was forgotten. One that has nothing else is not there.
fn forgotten(layers: &[Layer], source: &Source) -> LeftOut {
    let path_of = |source: &Source| match source {
        Source::File { path, .. } => Some(path.clone()),
        _ => None,
    };
    let is_of = |piece: &Piece| path_of(&piece.source) == path_of(source);
    let layer = layers.iter().find(|layer| layer.pieces.iter().any(is_of));
    LeftOut {
        layer: layer.map_or("memory".into(), |layer| layer.name.clone()),
        source: source.clone(),
        tokens: Tokens(0),
        reason: Reason::Forgotten,
    }
}

/// Messages that left the view before this turn and that no summary tells of.
fn untold(earlier: &Earlier) -> Option<LeftOut> {
    let (tokens, reason) = earlier.untold.clone()?;
    let [from, to] = earlier.events;
    Some(LeftOut {
        layer: Cow::Borrowed("history"),
        source: Source::Earlier { from, to },
        tokens,
        reason,
    })
}

/// What the profile itself cut from a layer.
fn cut_by_profile(recipe: &Recipe<'_>, layer: &Layer) -> Vec<LeftOut> {
    let cut = layer.cut.iter().map(|cut| LeftOut {
        layer: layer.name.clone(),
        source: cut.source.clone(),
        tokens: recipe.counter.count(&cut.text),
        reason: cut.reason.clone(),
    });
    cut.collect()
}

/// The steps, the first one last.
///
/// The results of a turn that goes on give way before the person's files do: there may be many of
/// them, and they can be had again.
fn steps(layers: &[Layer], goes_on: bool) -> Vec<Step> {
    let mut order: Vec<usize> =
        (0..layers.len()).filter(|index| layers[*index].give != Give::Never).collect();
    order.sort_by_key(|index| rank(&layers[*index]));
    let mut steps: Vec<Step> = order.iter().copied().map(Step::FairShare).collect();
    steps.extend([Step::ShortenResults(Reach::Older), Step::DropExchanges]);
    if goes_on {
        steps.push(Step::ShortenResults(Reach::All));
    }
    steps.extend(order.iter().copied().map(Step::GiveAll));
    steps.extend([Step::ShortenResults(Reach::All), Step::DropCalls]);
    steps.reverse();
    steps
}

/// The steps of a turn whose prefix stays.
fn turn_steps(layers: &[Layer]) -> Vec<Step> {
    let gives = |step: &Step| matches!(step, Step::FairShare(_) | Step::GiveAll(_));
    steps(layers, false).into_iter().filter(gives).collect()
}

/// Who gives way first: what was recalled, then the forms of skills, then lines of memory, and
/// instructions last.
fn rank(layer: &Layer) -> (bool, u8) {
    let give = match layer.give {
        Give::Pieces => 0,
        Give::Forms => 1,
        Give::Lines | Give::Oldest => 2,
        Give::Sections => 3,
        Give::Never => 4,
    };
    (layer.place != Place::Turn, give)
}

/// What the summary of a conversation may have of a budget: in a long one it would grow into the room of what is
/// said now, and epochs would be as short as the room that is left.
fn summary_share(budget: Tokens) -> Tokens {
    Tokens(budget.0 / 8)
}

/// How much of the budget the list of skills may have when it is known which of them fit, in percent.
const SKILLS_SHARE: u64 = 5;

/// What the list of skills may have of a budget when it is known which of them fit.
pub fn skills_share(budget: Tokens) -> Tokens {
    Tokens((u64::from(budget.0) * SKILLS_SHARE / 100) as u32)
}

/// Keeps the list of skills to its share: those that fit keep what they say, and all keep their names. When
/// the names alone pass what the list may ever have, those that fit least are counted instead.
fn offer(recipe: &Recipe<'_>, layer: &mut Layer, fitting: &Arc<Fitting>) {
    layer.fitting = Some(fitting.clone());
    let most = share(recipe, layer);
    fewer_names(layer, fitting, most, recipe.counter);
    let names = names_alone(layer, recipe.counter);
    let share = skills_share(recipe.model.budget());
    // Names that fill the share leave half of it to those that fit: by a name alone nobody knows when to use it.
    let most = share.max(names + Tokens(share.0 / 2));
    layer.cap = layer.cap.into_iter().chain([most]).min();
}

/// What a layer may keep while the history still has something to give.
fn share(recipe: &Recipe<'_>, layer: &Layer) -> Tokens {
    let budget = recipe.model.budget().0;
    let percent = |n: u32| Tokens((u64::from(budget) * u64::from(n) / 100) as u32);
    match (layer.place, layer.give) {
        (Place::Turn, _) => recipe.turn_reserve(),
        (_, Give::Forms | Give::Pieces) => percent(15),
        (_, Give::Lines) => percent(20),
        (_, Give::Oldest) => summary_share(recipe.model.budget()),
        (_, Give::Sections | Give::Never) => percent(30),
    }
}

/// Even what must stay does not fit.
#[derive(Debug, Clone, PartialEq)]
pub struct DoesNotFit {
    /// What is left when everything that can give way has.
    pub needs: Tokens,
    /// What there is.
    pub budget: Tokens,
    /// The model's window.
    pub window: Tokens,
    /// What is kept for its reply.
    pub reply: Tokens,
    /// The largest part of what is left.
    pub largest: String,
    /// Its size.
    pub largest_tokens: Tokens,
    /// The account of what did not fit.
    pub ledger: Box<Ledger>,
}

impl DoesNotFit {
    pub(crate) fn new(model: &Model, ledger: Ledger) -> Self {
        let largest = ledger.layers.iter().max_by_key(|row| row.given);
        let (name, tokens) = largest.map_or(("framing".to_owned(), ledger.framing), |row| {
            (row.name.to_string(), row.given)
        });
        DoesNotFit {
            needs: ledger.total,
            budget: model.budget(),
            window: model.window,
            reply: model.reply,
            largest: name,
            largest_tokens: tokens,
            ledger: Box::new(ledger),
        }
    }

    /// What to change, as one sentence.
    pub fn hint(&self) -> String {
        let what = match self.largest.as_str() {
            "message" => "send a shorter message".to_owned(),
            "tools" => "offer fewer tools".to_owned(),
            "history" => "take the last exchange back with `undo`, start a new conversation, send less at once".to_owned(),
            name => format!("shorten `{name}` ({} tokens)", self.largest_tokens),
        };
        let half = (self.reply.0 / 2).max(1);
        match self.needs + Tokens(half) <= self.window {
            true => format!(
                "{what}, take a model with a larger window, or set `reply = {half}` for this one"
            ),
            false => format!("{what}, or take a model with a larger window"),
        }
    }
}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DoesNotFit { needs, budget, window, reply, largest, largest_tokens, .. } = self;
        write!(
            f,
            "the request needs {needs} tokens with everything cut that can be, but the model leaves \
             {budget} (window {window} less reply {reply}); the largest part is `{largest}` with \
             {largest_tokens}"
        )
    }
}

impl std::error::Error for DoesNotFit {}
