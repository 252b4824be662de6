//! Which skills and tools fit a conversation, by the same ranking that recalls notes.
//!
//! It is asked when an epoch begins and there are more of them than their share of the window holds;
//! what it says stays for the epoch, so that the prefix holds.

use std::sync::Arc;

use louver_context::fit::skills_share;
use louver_context::message::{Message, Role};
use louver_context::prompt::tool_text;
use louver_context::snapshot::{Fitting, SkillCard, Snapshot, ToolSchema};
use louver_context::{Recipe, Source, Tokens};
use louver_recall::index::Index;
use louver_recall::note::Note;
use louver_recall::question::Question;
use louver_recall::rank::Parts;
use louver_recall::recall::find;
use serde_json::json;

/// How many of a person's last messages say what a conversation is about.
const LAST: usize = 3;

/// How much of the budget the schemas of tools may have before those that fit least are shortened, in
/// percent.
const TOOLS_SHARE: u64 = 10;

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

/// The names of the skills that keep their descriptions; nothing when all do.
pub fn preview(recipe: &Recipe<'_>, snapshot: &Snapshot) -> Option<Vec<Arc<str>>> {
    let fitting = of_snapshot(recipe, snapshot)?;
    let snapshot = Snapshot { fitting: Some(fitting), ..snapshot.clone() };
    let context = recipe.build(&snapshot).ok()?;
    let gone: Vec<&Source> = context
        .ledger
        .left_out
        .iter()
        .filter(|gone| gone.layer == "skills")
        .map(|gone| &gone.source)
        .collect();
    let is_gone = |name: &Arc<str>| {
        gone.iter().any(|source| matches!(source, Source::Skill { name: other } if other == name))
    };
    let kept = snapshot.skills.iter().filter(|card| !card.hidden && !is_gone(&card.name));
    Some(kept.map(|card| card.name.clone()).collect())
}

/// The tools, those that fit least with their names and a few words alone when all of them have more
/// than their share. They can still be called: what is wrong with such a call is answered with the
/// schema.
fn tools(recipe: &Recipe<'_>, snapshot: &Snapshot) -> Arc<[ToolSchema]> {
    let budget = u64::from(recipe.model.budget().0);
    let most = Tokens((budget * TOOLS_SHARE / 100) as u32);
    let count = |tool: &ToolSchema| recipe.counter.count(&tool_text(tool));
    let mut total: Tokens = snapshot.tools.iter().map(count).sum();
    if total <= most {
        return snapshot.tools.clone();
    }
    let listed = snapshot.tools.iter().map(|tool| {
        (tool.name.clone(), format!("# {}\n{}", tool.name.replace('_', " "), tool.description))
    });
    let about = about(&snapshot.history, &snapshot.message);
    let ranked = ranked(listed.collect(), &about);
    let mut tools: Vec<ToolSchema> = snapshot.tools.to_vec();
    for fit in ranked.iter().rev() {
        if total <= most {
            break;
        }
        let Some(tool) = tools.iter_mut().find(|tool| tool.name == fit.name) else { continue };
        let (shorter, before) = (short(tool), count(tool));
        let after = count(&shorter);
        // One with few words and no arguments would grow by being told to ask for them.
        if after < before {
            total = total - before + after;
            *tool = shorter;
        }
    }
    tools.into()
}

/// A tool's name, the start of what it does, and no word on its arguments.
fn short(tool: &ToolSchema) -> ToolSchema {
    let brief: String = tool.description.chars().take(60).collect();
    ToolSchema {
        name: tool.name.clone(),
        description: format!("{} (call it with {{}} to be told its arguments)", brief.trim_end()),
        parameters: json!({"type": "object"}),
    }
}

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

    #[test]
    fn a_conversation_is_about_the_last_things_a_person_said() {
        let said = |text: &str| Arc::new(Message::text(Role::User, text));
        let answered = Arc::new(Message::text(Role::Assistant, "yes"));
        let history = [said("a"), said("b"), answered, said("c"), said("d")];
        assert_eq!(about(&history, "e"), "b\nc\nd\ne");
    }
}
