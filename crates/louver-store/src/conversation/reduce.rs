//! Reducing a history that passed its high-water mark, for good.
//!
//! What goes stays in the log; a mark stands for it, with the ids of what it stands for. The same
//! reductions are made in every later request, so the prefix holds.

use std::ops::Range;
use std::sync::Arc;

use louver_context::epoch::{is_full, low_water};
use louver_context::history::{self, Reach};
use louver_context::ledger::{LeftOut, Reason};
use louver_context::message::{Content, Message};
use louver_context::snapshot::Snapshot;
use louver_context::{Context, DoesNotFit, Model, Recipe, Source, Tokens};

use super::ready::{earlier, messages};
use crate::session::event::{Event, Reduced, Summary, Untold};
use crate::session::{Entry, View};

/// Brings the snapshot's history down when it is too long, and says what the log must hold of that.
///
/// Past the high-water mark old tool results are shortened: they can be had again. Messages leave the
/// view only when they do not fit, and then down to the low-water mark at once, or when they are of more
/// rounds than settings allow.
pub(super) fn down(
    recipe: &Recipe<'_>,
    (key, view): (&str, &View),
    snapshot: &mut Snapshot,
) -> Result<Vec<Event>, DoesNotFit> {
    let whole = recipe.build(snapshot)?;
    let budget = recipe.model.budget();
    let gone = || gone(&whole);
    if gone().next().is_none() {
        let events = shorten(recipe, &view.messages, whole.ledger.total);
        apply(&events, &view.messages, snapshot);
        return Ok(events);
    }
    let for_rounds = |gone: &LeftOut| matches!(gone.reason, Reason::Rounds(_));
    let model = match gone().all(for_rounds) {
        true => recipe.model.clone(),
        false => smaller(recipe.model, low_water(budget)),
    };
    // Where a conversation goes on, half of the rounds make room for some turns: else each would begin an epoch.
    let rounds = match gone().any(for_rounds) && view.prefix.is_some() {
        true => recipe.rounds.map(|rounds| rounds.div_ceil(2)),
        false => recipe.rounds,
    };
    let low = Recipe { model: &model, rounds, ..*recipe };
    // What must stay may not fit so low; then the history gives what the full window asks for.
    let reduced = low.build(snapshot).unwrap_or(whole);
    let leaves = leaves(&reduced, &view.messages);
    let stays = |at: &usize| !leaves.iter().any(|range| range.contains(at));
    let kept: Vec<Entry> =
        (0..view.messages.len()).filter(stays).map(|at| view.messages[at].clone()).collect();
    let mut events = shortened(&reduced, &view.messages, &leaves);
    let mut summaries = view.summaries.clone();
    for range in leaves {
        let mark = mark(&view.messages, range, &reduced, recipe.rounds);
        events.extend(mark.map(|mark| Event::Summary(stand_in(&mut summaries, mark))));
    }
    snapshot.history = messages(&kept);
    apply(&events, &kept, snapshot);
    snapshot.earlier = earlier(key, &summaries);
    Ok(events)
}

/// What stands for messages that a context had no room for, or that are of more `rounds` than settings keep.
fn mark(
    entries: &[Entry],
    range: Range<usize>,
    context: &Context,
    rounds: Option<u32>,
) -> Option<Summary> {
    let gone = &entries[range.clone()];
    let (first, last) = (gone.first()?, gone.last()?);
    let whole =
        || whole(context).filter(|(at, _)| range.contains(at)).map(|(_, left_out)| left_out);
    let tokens: Tokens = whole().map(|gone| gone.tokens).sum();
    let for_rounds = whole().any(|gone| matches!(gone.reason, Reason::Rounds(_)));
    let rounds = rounds.filter(|_| for_rounds);
    Some(Summary {
        // By the number under which it was said it can be read.
        stands_for: [first.said.map_or(first.id, |[first, _]| first), last.id],
        untold: Some(Untold { messages: gone.len(), tokens: tokens.0, rounds }),
        ..Summary::default()
    })
}

/// Puts a mark among the summaries. One around which the conversation has left too is in it from now on.
fn stand_in(summaries: &mut Vec<Arc<Summary>>, mut mark: Summary) -> Summary {
    let [first, last] = mark.stands_for;
    let inside = |old: &Summary| old.stands_for[0] >= first && old.stands_for[1] <= last;
    let of_old = summaries.iter().filter(|old| inside(old)).filter_map(|old| old.untold);
    let mut untold = mark.untold.unwrap_or_default();
    for old in of_old {
        untold.messages += old.messages;
        untold.tokens = untold.tokens.saturating_add(old.tokens);
    }
    mark.text = history::mark(untold.messages, Tokens(untold.tokens), None);
    mark.untold = Some(untold);
    summaries.retain(|old| !inside(old));
    summaries.push(mark.clone().into());
    summaries.sort_by_key(|summary| summary.stands_for);
    mark
}

/// What a context left out of the messages that it was given.
fn gone(context: &Context) -> impl Iterator<Item = &LeftOut> {
    let given = |gone: &&LeftOut| !matches!(gone.source, Source::Earlier { .. });
    context.ledger.left_out.iter().filter(|gone| gone.layer == "history").filter(given)
}

/// Whether there are more rounds than settings allow.
pub(super) fn has_too_many_rounds(recipe: &Recipe<'_>, entries: &[Entry]) -> bool {
    recipe.rounds.is_some_and(|rounds| history::last_rounds(&numbered(entries), rounds) > 0)
}

fn numbered(entries: &[Entry]) -> Vec<history::Entry> {
    history::numbered(entries.iter().map(|entry| &entry.message))
}

/// Shortening must free at least this part of the budget.
const WORTH: u32 = 5;

/// The old tool results that are shortened when a request of this size has passed the high-water mark.
pub(super) fn shorten(recipe: &Recipe<'_>, entries: &[Entry], total: Tokens) -> Vec<Event> {
    let budget = recipe.model.budget();
    if !is_full(total, budget) {
        return Vec::new();
    }
    let mut numbered = numbered(entries);
    let over = total - low_water(budget);
    let freed = history::shorten_results(
        &mut numbered,
        Reach::Older,
        over,
        recipe.counter,
        &mut Vec::new(),
    );
    // A new epoch costs the provider's cache; a little room is not worth that.
    if freed < Tokens(budget.0 / WORTH) {
        return Vec::new();
    }
    let mut events = Vec::new();
    for (short, entry) in numbered.iter().zip(entries) {
        if let Content::Text(text) = &short.message.content
            && !Arc::ptr_eq(&short.message, &entry.message)
        {
            events.push(reduced(entry, text.to_string()));
        }
    }
    events
}

fn reduced(entry: &Entry, text: String) -> Event {
    let why = "room".to_owned();
    Event::Reduced(Reduced { id: entry.id, part: entry.part, text, why, ..Reduced::default() })
}

/// A message without its pictures, for good.
pub(super) fn without_pictures(entry: &Entry) -> Event {
    let text = entry.message.without_pictures().texts().map(|text| &**text).collect();
    let (id, part, why) = (entry.id, entry.part, "pictures".to_owned());
    Event::Reduced(Reduced { id, part, text, why, ..Reduced::default() })
}

/// The model with a smaller window, which leaves just this much.
fn smaller(model: &Model, budget: Tokens) -> Model {
    Model { window: budget + model.reply, ..model.clone() }
}

/// The model with a window that leaves just this budget, when that is less than it has.
pub(super) fn smaller_than(model: &Model, budget: Option<Tokens>) -> Model {
    match budget.filter(|budget| *budget < model.budget()) {
        Some(budget) => smaller(model, budget),
        None => model.clone(),
    }
}

/// The messages that a context left out whole, by their number.
fn whole(context: &Context) -> impl Iterator<Item = (usize, &LeftOut)> {
    gone(context).filter_map(|gone| match gone.source {
        Source::Message { id } => Some((id as usize, gone)),
        _ => None,
    })
}

/// Which messages leave the view: all before the oldest exchange that stays, whatever was mended there, and calls of the
/// last exchange with their results.
fn leaves(context: &Context, entries: &[Entry]) -> Vec<Range<usize>> {
    let last = history::exchanges(&numbered(entries)).last().copied().unwrap_or(0);
    let before = whole(context).map(|(at, _)| at + 1).filter(|end| *end <= last).max();
    let mut ranges: Vec<Range<usize>> = before.into_iter().map(|end| 0..end).collect();
    let mut calls: Vec<usize> = whole(context).map(|(at, _)| at).filter(|at| *at >= last).collect();
    calls.sort_unstable();
    calls.dedup();
    for at in calls {
        match ranges.last_mut() {
            Some(range) if range.end == at => range.end = at + 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}

/// The results that were shortened, as events. A result that went altogether needs none.
fn shortened(context: &Context, entries: &[Entry], leaves: &[Range<usize>]) -> Vec<Event> {
    let mut events = Vec::new();
    for gone in gone(context) {
        let Source::ToolCall { message, .. } = gone.source else { continue };
        let at = message as usize;
        let stays = !leaves.iter().any(|range| range.contains(&at));
        let Some(entry) = entries.get(at).filter(|_| stays) else { continue };
        let Some(text) = sent_text(context, entry) else { continue };
        events.push(reduced(entry, text));
    }
    events
}

/// What a context has in place of a result.
fn sent_text(context: &Context, entry: &Entry) -> Option<String> {
    let same = |message: &&Arc<Message>| message.answers == entry.message.answers;
    let sent = context.prompt.messages[..context.prompt.history].iter().find(same)?;
    match (&sent.content, &entry.message.content) {
        (Content::Text(short), Content::Text(long)) if short != long => Some(short.to_string()),
        _ => None,
    }
}

/// Shortens the same results in the snapshot.
fn apply(events: &[Event], kept: &[Entry], snapshot: &mut Snapshot) {
    for event in events {
        let Event::Reduced(reduced) = event else { continue };
        let at = kept.iter().position(|e| e.id == reduced.id && e.part == reduced.part);
        if let Some(at) = at {
            let mut message = (*snapshot.history[at]).clone();
            message.content = Content::Text(reduced.text.as_str().into());
            snapshot.history[at] = message.into();
        }
    }
}
