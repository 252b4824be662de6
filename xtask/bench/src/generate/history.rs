//! A conversation that asks, calls tools, gets results and answers.

use serde_json::{Value, json};

use crate::generate::words::Words;

/// So many messages, in whole exchanges where the number allows.
pub(crate) fn history(messages: usize, words: &mut Words) -> Vec<Value> {
    let mut history = Vec::with_capacity(messages + 4);
    let mut number = 0;
    while history.len() < messages {
        let left = messages - history.len();
        let exchange = exchange(number, words);
        // An exchange that is cut short would leave a call without its result.
        match exchange.len() <= left {
            true => history.extend(exchange),
            false => history.push(said("user", words.paragraph(8))),
        }
        number += 1;
    }
    history
}

/// One exchange: a question and its answer, with a tool call between them most of the time.
/// A message has about 550 bytes.
pub(crate) fn exchange(number: usize, words: &mut Words) -> Vec<Value> {
    let mut exchange = vec![said("user", words.paragraph(4))];
    if !number.is_multiple_of(3) {
        let id = format!("call_{number:06}");
        let arguments = json!({"path": format!("notes/{number}.md"), "about": words.sentence()});
        let content = number.is_multiple_of(2).then(|| words.paragraph(3));
        exchange.push(json!({
            "role": "assistant",
            "content": content,
            "tool_calls": [{
                "id": id,
                "type": "function",
                "function": {"name": "read_file", "arguments": arguments.to_string()},
            }],
        }));
        exchange.push(json!({
            "role": "tool",
            "tool_call_id": id,
            "name": "read_file",
            "content": lines(16, words),
        }));
    }
    exchange.push(said("assistant", words.paragraph(9)));
    exchange
}

fn said(role: &str, text: String) -> Value {
    json!({"role": role, "content": text})
}

fn lines(count: usize, words: &mut Words) -> String {
    let lines: Vec<String> =
        (1..=count).map(|number| format!("{number:>4}  {}", words.sentence())).collect();
    lines.join("\n")
}
