//! Which skills and tools fit a conversation, by the same ranking that recalls notes.
//!
//! It is asked when an epoch begins and there are more of them than their share of the window holds;
//! what it says stays for the epoch, so that the prefix holds.

use std::collections::HashSet;
use std::sync::Arc;

use louver_context::epoch::Epoch;
use louver_context::fit::skills_share;
use louver_context::frozen::Frozen;
use louver_context::ledger::{LeftOut, Reason};
use louver_context::message::{Message, Role};
use louver_context::prompt::tool_text;
use louver_context::snapshot::{Fitting, SkillCard, Snapshot, ToolSchema};
use louver_context::{DoesNotFit, Recipe, Source, Tokens};
use louver_recall::index::Index;
use louver_recall::note::Note;
use louver_recall::question::Question;
use louver_recall::rank::Parts;
use louver_recall::recall::find;
use serde_json::{Value, json};

use crate::conversation;
use crate::session::event::Event;
use crate::session::{Record, Session, SessionError};

/// How many of a person's last messages say what a conversation is about.
const LAST: usize = 3;

/// How much of the budget the schemas of tools may have before those that fit least are shortened, in
/// percent.
const TOOLS_SHARE: u64 = 10;

/// louver's own, which have 800 tokens, keep theirs where that is no more than this: a window of 8,000 with 2,000 for
/// the reply holds them. In a smaller one they share with all others: there more of them would cost history, and a
/// call without arguments is told its own.
const OWN_SHARE: u64 = 15;

/// What those of servers that fit best have besides the names of all, in percent: where names alone pass the share, none
/// would have a schema.
const BEST_SHARE: u64 = 5;

/// Of the last calls in a conversation so many show which tools it uses.
const CALLED: usize = 8;

/// One thing that can be offered, and how well it fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Its name.
    pub name: Arc<str>,
    /// Its score; nothing when no word and no meaning of it is near.
    pub score: Option<f32>,
    /// What each part of the score gave.
    pub parts: Parts,
}

/// What a conversation is about: the last things a person said, and what they say now.
pub fn about(history: &[Arc<Message>], message: &str) -> String {
    let said = history.iter().rev().filter(|message| message.role == Role::User).take(LAST);
    let mut texts: Vec<String> = said
        .map(|message| message.texts().map(|text| &**text).collect::<Vec<_>>().join("\n"))
        .collect();
    texts.reverse();
    texts.push(message.to_owned());
    texts.join("\n")
}

/// The skills, the one that fits best first.
pub fn skills(cards: &[Arc<SkillCard>], about: &str) -> Vec<Fit> {
    let listed = cards
        .iter()
        .map(|card| (card.name.clone(), format!("# {}\n{}", card.name, card.description)));
    ranked(listed.collect(), about)
}

/// Chooses the skills and tools that fit a conversation which begins, where not all have room.
pub(crate) fn choose(recipe: &Recipe<'_>, snapshot: &mut Snapshot) {
    snapshot.fitting = of_snapshot(recipe, snapshot);
    snapshot.tools = tools(recipe, snapshot);
}

/// Which skills fit, when there are more than their share holds; nothing when there are not.
fn of_snapshot(recipe: &Recipe<'_>, snapshot: &Snapshot) -> Option<Arc<Fitting>> {
    let cost = |card: &Arc<SkillCard>| {
        let texts = [&*card.name, &*card.description, &*card.location];
        texts.iter().map(|text| recipe.counter.count(text)).sum::<Tokens>()
    };
    let cost: Tokens = snapshot.skills.iter().filter(|card| !card.hidden).map(cost).sum();
    if cost <= skills_share(recipe.model.budget()) {
        return None;
    }
    let about = about(&snapshot.history, &snapshot.message);
    let ranked = skills(&snapshot.skills, &about);
    Some(Arc::new(Fitting { skills: ranked.into_iter().map(|fit| fit.name).collect() }))
}

/// What a prompt has of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offered {
    /// Its line, whole.
    Whole,
    /// Its line with a shorter description, and why.
    Shorter(Reason),
    /// Its name, and why no more.
    Name(Reason),
    /// It is counted among those whose names have no room, and why.
    Counted(Reason),
    /// Nothing: it was not there when the prompt was made.
    Nothing,
}

/// What a prompt has of the skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// What it has of the one that was asked for.
    pub this: Offered,
    /// How many keep their descriptions.
    pub whole: usize,
    /// How many are there at least with their names.
    pub named: usize,
}

/// What the prompt of a conversation that begins has of a skill.
pub fn preview(recipe: &Recipe<'_>, snapshot: &Snapshot, name: &str) -> Result<Offer, DoesNotFit> {
    let fitting = of_snapshot(recipe, snapshot);
    let context = recipe.build(&Snapshot { fitting, ..snapshot.clone() })?;
    Ok(Offer::of(&context.frozen(), name))
}

/// When an epoch began, what the conversation was about then, and what its prompt has of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InEpoch {
    /// The epoch.
    pub epoch: Epoch,
    /// What the skills were ranked by.
    pub about: String,
    /// What the prompt has.
    pub offer: Offer,
}

/// What the running epoch of a session has of a skill; nothing while the session has none.
pub fn in_epoch(session: &Session, name: &str) -> Result<Option<InEpoch>, SessionError> {
    let is_prefix = |record: &Record| matches!(record.event, Event::Prefix(_));
    let Some(record) = session.events()?.filter(is_prefix).last() else { return Ok(None) };
    let Event::Prefix(prefix) = &record.event else { return Ok(None) };
    let (Some(frozen), Ok(reason)) =
        (conversation::frozen(prefix), serde_json::from_value(json!(prefix.reason)))
    else {
        return Ok(None);
    };
    let before: Vec<Arc<Message>> =
        session.view_at(record.n)?.messages.into_iter().map(|entry| entry.message).collect();
    let last = before.iter().rposition(|message| message.role == Role::User);
    let (history, now) = before.split_at(last.unwrap_or(before.len()));
    let now: String = now.iter().take(1).flat_map(|said| said.texts()).map(|t| &**t).collect();
    Ok(Some(InEpoch {
        epoch: Epoch { number: prefix.epoch, reason },
        about: about(history, &now),
        offer: Offer::of(&frozen, name),
    }))
}

impl Offer {
    fn of(frozen: &Frozen, name: &str) -> Offer {
        let reason = |name: &str| {
            let is_it =
                |gone: &&LeftOut| gone.layer == LAYER && of_skill(&gone.source) == Some(name);
            frozen.left_out.iter().find(is_it).map(|gone| gone.reason.clone())
        };
        let mut offer = Offer { this: Offered::Nothing, whole: 0, named: 0 };
        if let Some(reason) = reason(name) {
            offer.this = Offered::Counted(reason);
        }
        let mut start = 0;
        for stretch in &frozen.stretches {
            let text = frozen.system.get(start..stretch.end).unwrap_or_default();
            start = stretch.end;
            let Some(there) = of_skill(&stretch.source).filter(|_| stretch.layer == LAYER) else {
                continue;
            };
            offer.named += 1;
            let lost = reason(there);
            offer.whole += usize::from(lost.is_none());
            if there == name {
                offer.this = match lost {
                    None => Offered::Whole,
                    // Every form but the name alone says where the rest can be read.
                    Some(reason) if text.contains("SKILL.md") => Offered::Shorter(reason),
                    Some(reason) => Offered::Name(reason),
                };
            }
        }
        offer
    }
}

/// The layer that lists them.
const LAYER: &str = "skills";

fn of_skill(source: &Source) -> Option<&str> {
    match source {
        Source::Skill { name } => Some(name),
        _ => None,
    }
}

/// The tools. When all of them have more than their share, those that fit least have their names and a few
/// words alone. They can still be called: what is wrong with such a call is answered with the schema.
///
/// louver's own come first, and the names of others do not count against them: with a hundred names of a
/// server in a small window it could not even read a file.
fn tools(recipe: &Recipe<'_>, snapshot: &Snapshot) -> Arc<[ToolSchema]> {
    let budget = u64::from(recipe.model.budget().0);
    let share = |percent: u64| Tokens((budget * percent / 100) as u32);
    let count = |tool: &ToolSchema| recipe.counter.count(&tool_text(tool));
    let total: Tokens = snapshot.tools.iter().map(count).sum();
    if total <= share(TOOLS_SHARE) {
        return snapshot.tools.clone();
    }
    let order = best_first(snapshot);
    let is_own = |place: &usize| !snapshot.tools[*place].name.starts_with(FOREIGN);
    let (own, others): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_own);
    let mut tools = snapshot.tools.to_vec();
    let whole: Tokens = own.iter().map(|place| count(&tools[*place])).sum();
    let spent = match whole <= share(OWN_SHARE) {
        true => whole,
        false => within(&mut tools, &own, share(TOOLS_SHARE), &count),
    };
    let names: Tokens = others.iter().map(|place| count(&shortest(&tools[*place]))).sum();
    let most = (share(TOOLS_SHARE) - spent).max(names + share(BEST_SHARE));
    within(&mut tools, &others, most, &count);
    tools.into()
}

/// How the names begin of tools that are not louver's own.
const FOREIGN: &str = "mcp_";

/// The places of the tools, those that it uses first, and then the one that fits the conversation best.
fn best_first(snapshot: &Snapshot) -> Vec<usize> {
    let listed = snapshot.tools.iter().map(|tool| {
        (tool.name.clone(), format!("# {}\n{}", tool.name.replace('_', " "), tool.description))
    });
    let about = about(&snapshot.history, &snapshot.message);
    let place = |name: &str| snapshot.tools.iter().position(|tool| &*tool.name == name);
    let mut order: Vec<usize> = called(snapshot).filter_map(place).collect();
    order.extend(ranked(listed.collect(), &about).iter().filter_map(|fit| place(&fit.name)));
    let mut seen = HashSet::new();
    order.retain(|place| seen.insert(*place));
    order
}

/// The tools that were called last, the last first: what a conversation uses fits it.
fn called(snapshot: &Snapshot) -> impl Iterator<Item = &str> {
    let calls = snapshot.history.iter().rev().flat_map(|message| message.calls.iter().rev());
    calls.take(CALLED).map(|call| &*call.name)
}

/// Brings some of the tools to at most `most` tokens as far as names allow, and says what they have. Each begins
/// with its name; then the first ones get their schemas back, and after them a few words.
fn within(
    tools: &mut [ToolSchema],
    best_first: &[usize],
    most: Tokens,
    count: &impl Fn(&ToolSchema) -> Tokens,
) -> Tokens {
    let whole: Vec<ToolSchema> = best_first.iter().map(|place| tools[*place].clone()).collect();
    let mut spent = Tokens(0);
    for (place, whole) in best_first.iter().zip(&whole) {
        // One with few words and no arguments would grow by being told to ask for them.
        let name = Some(shortest(whole)).filter(|name| count(name) < count(whole));
        tools[*place] = name.unwrap_or_else(|| whole.clone());
        spent += count(&tools[*place]);
    }
    let forms: [fn(&ToolSchema) -> ToolSchema; 2] =
        [ToolSchema::clone, |tool| named(tool, brief(tool))];
    for form in forms {
        for (place, whole) in best_first.iter().zip(&whole) {
            let (before, longer) = (count(&tools[*place]), form(whole));
            let after = spent - before + count(&longer);
            if after <= most && count(&longer) > before {
                (tools[*place], spent) = (longer, after);
            }
        }
    }
    spent
}

/// The start of what a tool does.
fn brief(tool: &ToolSchema) -> &str {
    let end = tool.description.char_indices().nth(60).map_or(tool.description.len(), |(at, _)| at);
    tool.description[..end].trim_end()
}

/// A tool with nothing but its name.
fn shortest(tool: &ToolSchema) -> ToolSchema {
    named(tool, "")
}

/// A tool's name, some words, and how to come by its arguments: a call without those that it needs is told them. One
/// that needs none does its work when it is called so, and says what it may be given.
fn named(tool: &ToolSchema, words: &str) -> ToolSchema {
    let gap = if words.is_empty() { "" } else { " " };
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let arguments = match required.is_some_and(|required| !required.is_empty()) {
        true => "({} tells its arguments)".to_owned(),
        false if words.is_empty() => String::new(),
        false => may_take(tool),
    };
    ToolSchema {
        name: tool.name.clone(),
        description: format!("{words}{gap}{arguments}").trim_end().to_owned(),
        parameters: json!({"type": "object"}),
    }
}

/// The names of a tool's first arguments.
fn may_take(tool: &ToolSchema) -> String {
    let named = tool.parameters.get("properties").and_then(Value::as_object);
    let names: Vec<&str> =
        named.into_iter().flat_map(|all| all.keys()).take(NAMED).map(String::as_str).collect();
    if names.is_empty() { String::new() } else { format!("(may take {})", names.join(", ")) }
}

const NAMED: usize = 6;

fn ranked(things: Vec<(Arc<str>, String)>, about: &str) -> Vec<Fit> {
    let mut index = Index::new();
    for (id, (_, text)) in (0..).zip(&things) {
        index.add(Note { id, text: text.clone(), ..Note::default() });
    }
    let question = Question { text: about.to_owned(), now: None };
    let found = find(&index, &question, &|_| true);
    let mut fits: Vec<Fit> = Vec::with_capacity(things.len());
    for ranked in &found.ranked {
        if let Some((name, _)) = things.get(ranked.place as usize) {
            fits.push(Fit { name: name.clone(), score: Some(ranked.score), parts: ranked.parts });
        }
    }
    // What was not found fits least, in the order in which it is listed.
    for (name, _) in &things {
        if !fits.iter().any(|fit| fit.name == *name) {
            fits.push(Fit { name: name.clone(), score: None, parts: Parts::default() });
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use louver_context::snapshot::Listing;
    use louver_context::{Counter, Model, Profile, Rules, ToolCall};

    use super::*;

    fn card(name: &str, description: &str) -> Arc<SkillCard> {
        Arc::new(SkillCard {
            name: name.into(),
            description: description.into(),
            location: format!("skills/{name}/SKILL.md").into(),
            body: "".into(),
            body_line: 1,
            always: false,
            missing: "".into(),
            hidden: false,
            listing: Listing::default(),
        })
    }

    #[test]
    fn the_skill_that_fits_comes_first_and_none_is_lost() {
        let cards = [
            card("weather", "Tells the weather of a place and a forecast."),
            card("invoices", "Writes invoices and reminds people who have not paid."),
            card("tmux", "Drives a terminal multiplexer."),
        ];
        let fits = skills(&cards, "Anna still has not paid her bill, can you remind her?");
        assert_eq!((&*fits[0].name, fits.len()), ("invoices", 3));
    }

    /// Tools of louver's and of two servers, as a model with this window is told of them. A word is a token.
    fn offered(window: u32, history: Vec<Arc<Message>>) -> Arc<[ToolSchema]> {
        let tool = |name: String| ToolSchema {
            description: format!("{name} does what it is called, and more than that"),
            name: name.as_str().into(),
            parameters: json!({"properties": {"a": {"description": "b ".repeat(30)}}}),
        };
        let names = ["mcp_bees_hive", "mcp_bees_honey", "mcp_bees_wax", "read_file", "exec"];
        let many = (0..200).map(|n| format!("mcp_many_{n}"));
        let tools = names.iter().map(|name| (*name).to_owned()).chain(many).map(tool).collect();
        let message = "How much honey is there?".into();
        let mut snapshot = Snapshot { tools, message, history, ..Snapshot::default() };
        let model = Model::of_words(window, 0);
        let (profile, counter) = (Profile::louver(), Counter::new(model.counting));
        let (rules, rounds) = (Rules::OPENAI, None);
        let recipe = Recipe { profile, model: &model, counter: &counter, rules, rounds };
        choose(&recipe, &mut snapshot);
        snapshot.tools
    }

    #[test]
    fn own_tools_keep_their_schemas_before_others_and_names_stay() {
        for (window, wanted) in [
            (1_000, vec!["mcp_bees_honey", "read_file", "exec"]),
            (30_000, vec!["mcp_bees_honey", "read_file", "exec"]),
        ] {
            let tools = offered(window, Vec::new());
            let has = |tool: &&ToolSchema| tool.parameters.get("properties").is_some();
            let whole: Vec<&str> = tools.iter().filter(has).map(|tool| &*tool.name).collect();
            assert_eq!(tools.len(), 205, "every name stays");
            assert!(wanted.iter().all(|name| whole.contains(name)), "{window}: {whole:?}");
            assert!(window > 1_000 || whole.len() == 3, "{whole:?}");
        }
    }

    #[test]
    fn what_a_conversation_uses_keeps_its_schema() {
        let call = ToolCall {
            id: "1".into(),
            name: "mcp_many_150".into(),
            arguments: "{}".into(),
            extra: Default::default(),
        };
        let called = Message { calls: vec![call], ..Message::text(Role::Assistant, "") };
        let tools = offered(1_000, vec![Arc::new(called)]);
        let has = |tool: &&ToolSchema| tool.parameters.get("properties").is_some();
        assert!(tools.iter().filter(has).any(|tool| &*tool.name == "mcp_many_150"));
    }

    #[test]
    fn a_tool_that_needs_no_arguments_does_not_ask_to_be_called_without() {
        let tool = |parameters: serde_json::Value| ToolSchema {
            name: "archive".into(),
            description: "Archives old mail".into(),
            parameters,
        };
        let properties = json!({"before": {"type": "string"}});
        let needs = tool(json!({"properties": properties, "required": ["before"]}));
        assert_eq!(named(&needs, "Archives").description, "Archives ({} tells its arguments)");
        let may = tool(json!({"properties": properties}));
        assert_eq!(named(&may, "Archives").description, "Archives (may take before)");
        assert_eq!(named(&tool(json!({})), "Archives").description, "Archives");
        assert_eq!(shortest(&may).description, "");
    }

    #[test]
    fn a_conversation_is_about_the_last_things_a_person_said() {
        let said = |text: &str| Arc::new(Message::text(Role::User, text));
        let answered = Arc::new(Message::text(Role::Assistant, "yes"));
        let history = [said("a"), said("b"), answered, said("c"), said("d")];
        assert_eq!(about(&history, "e"), "b\nc\nd\ne");
    }
}
