//! `louver models`: which models louver knows, what they hold and cost, and what a server has.

use std::process::ExitCode;

use clap::Args;
use louver_agent::http::Sender;
use louver_agent::provider::{PROVIDERS, for_model};
use louver_context::{Counting, Model};
use serde_json::{Value, json};

use crate::assistant;
use crate::brain::{self, BrainArgs};
use crate::cli::Shared;
use crate::error::{Code, Failure, warn};
use crate::screen::{self, number};

/// List models: what they hold, how they are counted, what they cost.
#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    /// Only those whose name begins so
    #[arg(default_value = "")]
    name: String,
    /// Ask the server which models it has
    #[arg(long)]
    server: bool,
    #[command(flatten)]
    brain: BrainArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(shared: &Shared, args: &ModelsArgs) -> Result<ExitCode, Failure> {
    if args.server || args.brain.url.is_some() || args.brain.provider.is_some() {
        return ask(shared, args);
    }
    let models: Vec<Model> = Model::families()
        .filter(|family| family.starts_with(&args.name))
        .map(Model::named)
        .collect();
    if args.json {
        let all: Vec<Value> = models.iter().map(model_json).collect();
        screen::print(&serde_json::to_string_pretty(&all).unwrap_or_default())?;
        return Ok(ExitCode::SUCCESS);
    }
    if models.is_empty() {
        return Err(Failure::new(
            Code::Failed,
            format!("no known model begins with `{}`", args.name),
        )
        .hint(
            "any other can be described in louver.toml: [models.\"NAME\"] window, tokenizer, price",
        ));
    }
    let mut text = format!(
        "{:<16} {:>9} {:>7}  {:<9} {:<10} {:>8} {:>8} {:>8}\n",
        "begins with", "window", "reply", "counted", "provider", "in $/M", "cached", "out"
    );
    models.iter().for_each(|model| text.push_str(&row(model)));
    text.push_str("\nprices as of the month louver noted them; set your own in louver.toml\n");
    text.push_str("providers: ");
    let names: Vec<&str> = PROVIDERS.iter().map(|provider| provider.name).collect();
    text.push_str(&names.join(", "));
    screen::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn row(model: &Model) -> String {
    let provider = for_model(&model.name).map_or("", |provider| provider.name);
    let price = |pick: fn(&louver_context::model::Price) -> f64| {
        model.price.as_ref().map_or_else(String::new, |price| format!("{:.3}", pick(price)))
    };
    format!(
        "{:<16} {:>9} {:>7}  {:<9} {:<10} {:>8} {:>8} {:>8}\n",
        model.name,
        number(model.window.0),
        number(model.reply.0),
        counted(model),
        provider,
        price(|price| price.input),
        price(|price| price.cached),
        price(|price| price.output),
    )
}

fn counted(model: &Model) -> &'static str {
    match model.counting {
        Counting::Exact(_) | Counting::Words => "exactly",
        Counting::Estimate { .. } => "estimated",
    }
}

fn model_json(model: &Model) -> Value {
    let price = model.price.as_ref().map(|price| {
        json!({
            "input": price.input,
            "cached": price.cached,
            "written": price.written,
            "output": price.output,
            "noted": price.noted,
        })
    });
    json!({
        "begins_with": model.name,
        "window": model.window.0,
        "reply": model.reply.0,
        "counted": counted(model),
        "provider": for_model(&model.name).map(|provider| provider.name),
        "price": price,
    })
}

/// What a server says it has.
fn ask(shared: &Shared, args: &ModelsArgs) -> Result<ExitCode, Failure> {
    let mut problems = Vec::new();
    let (_, config) = assistant::settled(shared, &mut problems)?;
    warn(&problems);
    let brain = brain::brain(shared, &args.brain, &config, &mut Vec::new())?;
    if brain.endpoint.lacks_key() {
        return Err(assistant::no_key(&brain));
    }
    let models = assistant::runtime()?.block_on(Sender::new().models(&brain.endpoint));
    let models = models.map_err(|error| {
        let failure = Failure::new(Code::Failed, &error);
        error.hint().map_or(Failure::new(Code::Failed, &error), |hint| failure.hint(hint))
    })?;
    let models: Vec<&String> = models.iter().filter(|name| name.starts_with(&args.name)).collect();
    let text = match args.json {
        true => serde_json::to_string_pretty(&models).unwrap_or_default(),
        false => models.iter().map(|name| format!("{name}\n")).collect(),
    };
    screen::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
