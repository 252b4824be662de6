//! What a note, a skill or an answer cannot do to a terminal, and what a pipe gets all the same.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod sandbox;
mod terminal;

use louver_scripted::{Script, Scripted};
use sandbox::Sandbox;
use serde_json::json;
use terminal::Terminal;

/// Clears the screen, names the window, and writes to the clipboard.
const EVIL: &str = "before \x1b[2J\x1b[H\x1b]0;title\x07\x1b]52;c;eA==\x07 after";
/// What is left of it.
const TAME: &str = "before [2J[H]0;title]52;c;eA== after";

#[test]
fn nothing_that_is_kept_steers_a_terminal_and_a_pipe_gets_it_as_it_is() {
    let script = json!([{"text": EVIL}]);
    let server = Scripted::start(Script::from_value(script).unwrap()).unwrap();
    let sandbox = Sandbox::new()
        .with("LOUVER_PROVIDER", "openai")
        .with("LOUVER_URL", &format!("{}/v1", server.url()));
    let skill = format!("---\nname: evil\ndescription: {TAME}\n---\n{EVIL}\n");
    let memory = format!("# Memory\n\n- {EVIL}\n");
    let workspace = sandbox.workspace(&[
        ("AGENTS.md", EVIL),
        ("memory/MEMORY.md", &memory),
        ("skills/evil/SKILL.md", &skill),
    ]);
    let asked = sandbox.louver(&["ask", "-w", &workspace, "hello"]);
    assert_eq!(asked.code, 0, "{}", asked.stderr);
    let commands: [&[&str]; 5] = [
        &["sessions", "show", "cli:direct"],
        &["sessions", "search", "before"],
        &["show", "--as", "text", "hello"],
        &["memory", "show"],
        &["skills", "show", "evil"],
    ];
    for command in commands {
        let args = [command, &["-w", &workspace]].concat();
        let terminal = Terminal::run(&args, sandbox.home(), &sandbox.env());
        let (code, screen) = terminal.end();
        assert_eq!(code, 0, "{command:?} {screen}");
        let joined: String = screen.split('\n').collect();
        assert!(joined.contains(TAME), "{command:?}\n{screen}");
        // Where a hit is cut out of its message, the pipe has what is in that part.
        let piped = sandbox.louver(&args).stdout;
        assert!(piped.contains("before \x1b[2J\x1b[H"), "{command:?}\n{piped}");
    }
}

#[test]
fn colours_that_are_kept_do_not_reach_a_terminal() {
    const RED: &str = "\x1b[31mred\x1b[0m";
    let sandbox = Sandbox::new();
    let skill =
        format!("---\nname: loud\ndescription: \"{}\"\n---\nx\n", RED.replace('\x1b', "\\x1b"));
    let workspace = sandbox.workspace(&[("skills/loud/SKILL.md", &skill)]);
    let said = sandbox.louver(&["sessions", "append", "-w", &workspace, "cli:direct", RED]);
    assert_eq!(said.code, 0, "{said:?}");
    let commands: [&[&str]; 3] =
        [&["sessions", "show", "cli:direct"], &["sessions", "list"], &["skills", "list"]];
    for command in commands {
        let args = [command, &["-w", &workspace]].concat();
        let (code, screen) = Terminal::run(&args, sandbox.home(), &sandbox.env()).end();
        assert!(code == 0 && screen.contains("[31mred[0m"), "{command:?} {screen}");
    }
}
