//! Tools whose schemas have more than their share of the window: those that fit the conversation
//! keep them, the rest keep their names.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use louver_context::message::{Message, Role};
use louver_context::prompt::tool_text;
use louver_context::snapshot::ToolSchema;
use louver_context::{Model, Tokens};
use louver_store::session::event::Usage;
use louver_store::{ContextBuilder, Conversation, Folder, Ready, Settings, Turn};
use serde_json::json;

const WINDOW: u32 = 16_000;

/// Of a window of 16,000 with 2,000 for the reply, a tenth.
const SHARE: u32 = 1400;

fn builder(folder: &Path) -> ContextBuilder {
    let mut model = Model::named("gpt-4o");
    (model.window, model.reply) = (Tokens(WINDOW), Tokens(WINDOW / 8));
    let settings = Settings { model, built_in_skills: false, ..Settings::default() };
    ContextBuilder::new(Folder::open(folder).unwrap(), settings)
}

fn tool(name: &str, description: &str) -> ToolSchema {
    let argument = |about: &str| json!({"type": "string", "description": about.repeat(8)});
    ToolSchema {
        name: name.into(),
        description: description.into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "first": argument("What it is to be done with, as a path or a name. "),
                "second": argument("How it is to be done, in a word or two. "),
            },
            "required": ["first"],
        }),
    }
}

/// A tool that has nothing to be shortened.
fn ping() -> ToolSchema {
    let parameters = json!({"type": "object"});
    ToolSchema { name: "ping".into(), description: "Answers.".into(), parameters }
}

fn tools() -> Arc<[ToolSchema]> {
    let known = [
        (
            "get_weather",
            "Tells the weather of a place: temperature, rain, wind, and a forecast for the days to come.",
        ),
        (
            "send_invoice",
            "Writes an invoice to a customer and reminds those who have not paid their bill.",
        ),
        ("play_music", "Plays songs, albums and lists of songs on the loudspeakers of a room."),
        ("book_train", "Finds trains between two stations and buys tickets for them."),
        ("water_plants", "Opens the valve of the garden for so many minutes."),
        ("turn_on_lights", "Switches the lamps of a room on or off, or dims them."),
        ("translate_text", "Translates a text from one language into another."),
        ("resize_picture", "Makes a picture smaller or larger, or cuts a part out of it."),
        ("query_database", "Runs a query and gives its rows back."),
        ("open_ticket", "Opens a ticket for the people who repair things."),
        ("measure_power", "Tells how much power the house has used since a day."),
        ("read_calendar", "Lists what is in the calendar on a day."),
    ];
    known.iter().map(|(name, about)| tool(name, about)).chain([ping()]).collect()
}

fn said(text: &str, tools: &Arc<[ToolSchema]>) -> Turn {
    Turn { message: text.into(), tools: tools.clone(), ..Turn::default() }
}

/// Says something and has it answered, so that the next turn is another one.
fn turn(conversation: &mut Conversation, builder: &mut ContextBuilder, turn: &Turn) -> Ready {
    let ready = conversation.begin(builder, turn).unwrap();
    conversation.replied(&Message::text(Role::Assistant, "done"), None, None).unwrap();
    conversation.end(Usage::default()).unwrap();
    ready
}

fn names(tools: &[ToolSchema]) -> Vec<&str> {
    tools.iter().map(|tool| &*tool.name).collect()
}

/// The names of those that were offered as they are.
fn whole<'a>(ready: &'a Ready, all: &[ToolSchema]) -> Vec<&'a str> {
    let offered = ready.context.prompt.tools.iter();
    offered.filter(|tool| all.contains(tool)).map(|tool| &*tool.name).collect()
}

#[test]
fn the_tools_that_fit_keep_their_schemas_and_the_rest_their_names() {
    let home = tempfile::tempdir().unwrap();
    let (mut builder, all) = (builder(home.path()), tools());
    let mut conversation = Conversation::open(home.path(), "cli:direct").unwrap().0;
    let asked = said("Anna still has not paid her bill, can you remind her?", &all);
    let ready = turn(&mut conversation, &mut builder, &asked);
    let offered = &ready.context.prompt.tools;
    assert_eq!(names(offered), names(&all), "none is lost, and the order stays");
    let kept = whole(&ready, &all);
    assert!(kept.contains(&"send_invoice"), "{kept:?}");
    assert!(kept.len() < all.len(), "{kept:?}");
    let counter = builder.recipe().counter;
    let cost: u32 = offered.iter().map(|tool| counter.count(&tool_text(tool)).0).sum();
    assert!(cost <= SHARE, "{cost}");
    for tool in offered.iter().filter(|tool| !kept.contains(&&*tool.name)) {
        assert_eq!(tool.parameters, json!({"type": "object"}));
        let asks = tool.description.ends_with("({} tells its arguments)");
        let whole = all.iter().find(|one| one.name == tool.name).unwrap();
        assert_eq!(asks, whole.parameters.get("required").is_some(), "{tool:?}");
    }
}

#[test]
fn a_tool_that_would_grow_is_not_shortened() {
    let home = tempfile::tempdir().unwrap();
    let (mut builder, all) = (builder(home.path()), tools());
    let mut conversation = Conversation::open(home.path(), "cli:direct").unwrap().0;
    let ready = turn(&mut conversation, &mut builder, &said("Will it rain tomorrow?", &all));
    let kept = whole(&ready, &all);
    assert!(kept.contains(&"ping") && kept.contains(&"get_weather"), "{kept:?}");
}

#[test]
fn what_was_chosen_stays_for_the_epoch_and_is_chosen_anew_in_the_next() {
    let home = tempfile::tempdir().unwrap();
    let (mut builder, all) = (builder(home.path()), tools());
    let mut conversation = Conversation::open(home.path(), "cli:direct").unwrap().0;
    let first = turn(&mut conversation, &mut builder, &said("Who has not paid the bill?", &all));
    let second = turn(&mut conversation, &mut builder, &said("Play some songs.", &all));
    assert!(first.begins_epoch() && !second.begins_epoch());
    assert_eq!(first.context.prompt.tools, second.context.prompt.tools);
    let fewer: Arc<[ToolSchema]> = all[..11].into();
    for text in ["Play an album.", "More songs!"] {
        turn(&mut conversation, &mut builder, &said(text, &fewer));
    }
    let third = turn(&mut conversation, &mut builder, &said("Play my list of songs.", &all));
    assert!(third.begins_epoch(), "the tools are others than those of the last turn");
    assert!(whole(&third, &all).contains(&"play_music"), "{:?}", whole(&third, &all));
}

#[test]
fn tools_that_have_room_stay_as_they_are() {
    let home = tempfile::tempdir().unwrap();
    let mut builder = builder(home.path());
    let few: Arc<[ToolSchema]> = tools()[..3].into();
    let mut conversation = Conversation::open(home.path(), "cli:direct").unwrap().0;
    let ready = turn(&mut conversation, &mut builder, &said("Hello", &few));
    assert_eq!(ready.context.prompt.tools, few);
}
