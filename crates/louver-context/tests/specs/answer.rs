//! What a case expects: the engine's answer as each kind of expected block shows it.

use louver_context::ledger::{At, State};
use louver_context::prefix::shared;
use louver_context::render::{anthropic, openai};
use louver_context::*;
use serde_json::Value;

/// A context, or why there is none.
pub(crate) type Built = Result<Context, DoesNotFit>;

/// What the engine answers to an expected block, if it is one.
pub(crate) fn answer(kind: &str, built: &[Built]) -> Option<String> {
    let last = built.last().unwrap();
    let prompt = |show: &dyn Fn(&Prompt) -> String| match last {
        Ok(context) => show(&context.prompt),
        Err(error) => format!("error: {error}"),
    };
    let ledger = last.as_ref().map_or_else(|error| &*error.ledger, |context| &context.ledger);
    Some(match kind {
        "ledger" => show_ledger(ledger),
        "left-out" => show_left_out(ledger),
        "repairs" => show_repairs(ledger),
        "system" => prompt(&|prompt| collapse(&prompt.system)),
        "messages" => prompt(&|prompt| {
            let messages = prompt.messages.iter().map(|message| show_message(message));
            messages.collect::<Vec<_>>().join("\n")
        }),
        "openai" => prompt(&|prompt| pretty(&openai::messages(prompt).into())),
        "openai-request" => prompt(&|prompt| {
            pretty(
                &serde_json::to_value(openai::Request { model: "words", prompt, reply: 1000 })
                    .unwrap(),
            )
        }),
        "anthropic" => prompt(&|prompt| pretty(&anthropic::request("words", prompt, 1000))),
        "error" => {
            last.as_ref().map_or_else(|e| format!("{e}\nhint: {}", e.hint()), |_| "it fits".into())
        }
        "shared" => show_shared(&built[built.len() - 2..]),
        _ => return None,
    })
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

/// One line a layer, and the sum.
fn show_ledger(ledger: &Ledger) -> String {
    let mut rows: Vec<[String; 3]> = Vec::new();
    for row in &ledger.layers {
        let state = match row.state {
            State::Kept => "kept".to_owned(),
            State::Shortened => format!("shortened from {}", row.asked),
            State::LeftOut => format!("left out of {}", row.asked),
        };
        rows.push([row.name.to_string(), row.given.to_string(), state]);
    }
    rows.push(["total".into(), ledger.total.to_string(), format!("of {}", ledger.budget())]);
    table(&rows, 1)
}

fn show_left_out(ledger: &Ledger) -> String {
    let row = |gone: &ledger::LeftOut| {
        [
            gone.layer.to_string(),
            gone.source.to_string(),
            gone.tokens.to_string(),
            gone.reason.to_string(),
        ]
    };
    let rows: Vec<[String; 4]> = ledger.left_out.iter().map(row).collect();
    if rows.is_empty() { "nothing".into() } else { table(&rows, 2) }
}

/// One line a repair: the message's number, what was done, and to which call.
fn show_repairs(ledger: &Ledger) -> String {
    let row = |repair: &pairing::Repair| {
        let done = serde_json::to_value(&repair.done).unwrap();
        let (done, to) = match &done {
            Value::Object(fields) => {
                fields.iter().next().map(|(done, to)| (done.clone(), to)).unwrap()
            }
            done => (done.as_str().unwrap().to_owned(), &Value::Null),
        };
        let to = match to {
            Value::Object(ids) => format!("{} → {}", id(&ids["old"]), id(&ids["new"])),
            Value::Null => String::new(),
            one => id(one),
        };
        [repair.message.to_string(), done, to]
    };
    let rows: Vec<[String; 3]> = ledger.repairs.iter().map(row).collect();
    if rows.is_empty() { "nothing".into() } else { table(&rows, 0) }
}

/// A call's id; a dash stands for none.
fn id(id: &Value) -> String {
    id.as_str().filter(|id| !id.is_empty()).unwrap_or("-").to_owned()
}

/// Columns with two spaces between them; the numbers in column `right` end below each other.
fn table<const N: usize>(rows: &[[String; N]], right: usize) -> String {
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let cell = |(i, cell): (usize, &String)| match width(i) {
        width if i == right => format!("{cell:>width$}"),
        width => format!("{cell:<width$}"),
    };
    let line = |row: &[String; N]| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A message as `history` blocks write it, but with its newlines.
fn show_message(message: &Message) -> String {
    let name = message.name.as_deref().unwrap_or("-");
    let who = match message.role {
        Role::User => "user".to_owned(),
        Role::Assistant => "assistant".to_owned(),
        Role::System => "system".to_owned(),
        Role::Tool => format!("result {} {name}", message.answers.as_deref().unwrap_or("-")),
    };
    let part = |part: &Part| match part {
        Part::Text(text) => collapse(text),
        Part::Picture(picture) => format!("[picture {}]", picture.url),
        Part::Other(value) => value.to_string(),
    };
    let said: Vec<String> = message.content.clone().into_parts().iter().map(part).collect();
    let mut lines = Vec::new();
    if !said.is_empty() {
        lines.push(format!("{who}: {}", said.join("\n")).trim_end_matches(' ').to_owned());
    }
    let calls = message.calls.iter();
    lines.extend(calls.map(|call| format!("calls {} {} {}", call.id, call.name, call.arguments)));
    lines.join("\n")
}

/// What the last request shares with the one before it.
fn show_shared(built: &[Built]) -> String {
    let [Ok(earlier), Ok(later)] = built else { return "one of them does not fit".into() };
    let shared = shared(earlier, later);
    let parting = match shared.parts_at {
        None => "the later one goes on".to_owned(),
        Some(parting) => {
            let place = match parting.at {
                At::Tool { tool } => format!("tool {tool}"),
                At::System => "the system text".to_owned(),
                At::Message { message, .. } => format!("message {message}"),
            };
            format!("they part in {place}: {}, {}", parting.layer, parting.source)
        }
    };
    format!("{} bytes, {} tokens; {parting}", shared.bytes, shared.tokens)
}

/// Four or more equal lines, as `expand` takes them.
fn collapse(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let runs = lines.chunk_by(|a, b| a == b);
    let run = |run: &[&str]| match run.len() {
        4.. if !run[0].is_empty() => format!("{} × {}", run.len(), run[0]),
        _ => run.join("\n"),
    };
    runs.map(run).collect::<Vec<_>>().join("\n")
}
