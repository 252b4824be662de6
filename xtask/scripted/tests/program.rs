//! The program: its address, its log, its end.
#![allow(clippy::unwrap_used)]

mod client;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use client::{Client, KEY, openai, user};
use serde_json::{Value, json};

/// The script of the README's chat, in the examples.
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/model.json");

#[test]
fn the_example_is_played_logged_and_over_when_stdin_closes() {
    let folder = std::env::temp_dir().join(format!("louver-scripted-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let log = folder.join("requests.jsonl");
    let mut program = Command::new(env!("CARGO_BIN_EXE_louver-scripted"))
        .args(["--script", EXAMPLE, "--log"])
        .arg(&log)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut url).unwrap();

    let mut client = Client::new(url.trim());
    let asked = user("How many 292 mm spokes are left?");
    let answer = client.openai(&openai(json!([asked]))).unwrap().json();
    let message = &answer["choices"][0]["message"];
    let call = &message["tool_calls"][0];
    assert_eq!(call["function"]["name"], "read_file");
    assert_eq!(call["function"]["arguments"], r#"{"path":"shop/stock.csv"}"#);
    let stock = EXAMPLE.replace("model.json", "workspace/shop/stock.csv");
    let stock = fs::read_to_string(stock).unwrap();
    let result = json!({"role": "tool", "tool_call_id": call["id"], "content": stock});
    let answer = client.openai(&openai(json!([asked, message, result]))).unwrap().json();
    let said = answer["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(said.starts_with("12 on hand"), "{said}");
    assert!(stock.contains("SPK-292;spoke;2.0 x 292 mm, steel;12;36;"));

    drop(program.stdin.take());
    assert!(program.wait().unwrap().success());
    let log = fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["body"]["messages"], json!([asked]));
    assert_eq!(lines[1]["violations"], json!([]));
    assert!(!log.contains(KEY));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_script_that_is_not_there_is_told() {
    let output = Command::new(env!("CARGO_BIN_EXE_louver-scripted"))
        .args(["--script", "nothing.json"])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.starts_with("error: nothing.json: "), "{words}");
}
