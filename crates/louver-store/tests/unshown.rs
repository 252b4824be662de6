//! Lines of memory that were forgotten are in no prompt, and stay in their file.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use louver_context::ledger::Reason;
use louver_context::message::{Message, Role};
use louver_context::render::openai;
use louver_context::{Context, Model, Profile};
use louver_store::library::Library;
use louver_store::memory::Memory;
use louver_store::notes::Places;
use louver_store::{ContextBuilder, Conversation, Folder, Owner, Settings, Turn};
use tempfile::TempDir;

const MEMORY: &str = "# Me\n\n- I live in Graz.\n- The bank code is 7788-55.\n- My cat is Momo.\n\n\
                      A paragraph that goes\nover two lines.\n\nThe end of it all.\n";

fn write(folder: &Path, name: &str, text: &str) {
    fs::create_dir_all(folder.join("memory")).unwrap();
    fs::write(folder.join(name), text).unwrap();
}

fn synced(folder: &Path) -> Library {
    let mut library = Library::open(folder).unwrap();
    let places = Places {
        folder: Folder::open(folder).unwrap(),
        documents: Vec::new(),
        away: Vec::new(),
        owner: Owner::default(),
    };
    library.sync(&places, &mut |_| {}).unwrap();
    library
}

fn builder(folder: &Path, profile: &str) -> ContextBuilder {
    let settings = Settings {
        model: Model::named("gpt-4o"),
        profile: Cow::Borrowed(Profile::named(profile).unwrap()),
        built_in_skills: false,
        ..Settings::default()
    };
    ContextBuilder::new(Folder::open(folder).unwrap(), settings)
}

fn now() -> jiff::Zoned {
    "2026-03-10T12:00[UTC]".parse().unwrap()
}

fn turn(message: &str) -> Turn {
    Turn { message: message.into(), now: Some(now()), ..Turn::default() }
}

fn sent(context: &Context) -> String {
    openai::messages(&context.prompt).iter().map(ToString::to_string).collect()
}

#[test]
fn a_forgotten_line_is_in_no_prompt_until_it_is_no_longer_forgotten() {
    let dir = TempDir::new().unwrap();
    write(dir.path(), "memory/MEMORY.md", MEMORY);
    write(dir.path(), "memory/2026-03-09.md", "- Bought tulips.\n- Called the plumber.\n");
    let mut builder = builder(dir.path(), "louver");
    let whole = sent(&builder.context(&turn("Hello")).unwrap().context);
    assert!(whole.contains("7788-55") && whole.contains("plumber") && whole.contains("two lines"));
    let mut library = synced(dir.path());
    let names = ["memory/MEMORY.md:4", "memory/MEMORY.md:7", "memory/2026-03-09.md:2"];
    names.iter().for_each(|name| drop(library.forget(name).unwrap().unwrap()));
    let context = builder.context(&turn("Hello")).unwrap().context;
    let left = sent(&context);
    for gone in ["7788-55", "plumber", "A paragraph", "two lines"] {
        assert!(!left.contains(gone), "{gone}");
    }
    for kept in ["Graz", "Momo", "The end of it all", "tulips"] {
        assert!(left.contains(kept), "{kept}");
    }
    let told: Vec<String> =
        context.ledger.left_out.iter().map(|out| format!("{} {}", out.layer, out.source)).collect();
    let lines = ["memory/MEMORY.md:4", "memory/MEMORY.md:7-8", "memory/2026-03-09.md:2"];
    assert_eq!(told, lines.map(|lines| format!("memory {lines}")));
    assert!(context.ledger.left_out.iter().all(|out| out.reason == Reason::Forgotten));
    assert_eq!(fs::read_to_string(dir.path().join("memory/MEMORY.md")).unwrap(), MEMORY);

    // A line that moves is the same line.
    write(dir.path(), "memory/MEMORY.md", &format!("- New.\n\n{MEMORY}"));
    assert!(!sent(&builder.context(&turn("Hello")).unwrap().context).contains("7788-55"));
    write(dir.path(), "memory/MEMORY.md", MEMORY);
    names.iter().for_each(|name| assert_eq!(library.remember_again(name).unwrap(), Some(0)));
    assert_eq!(sent(&builder.context(&turn("Hello")).unwrap().context), whole);
}

#[test]
fn every_profile_leaves_it_out() {
    for profile in ["louver", "nanobot", "nanobot-suffix", "openclaw", "claw0"] {
        let dir = TempDir::new().unwrap();
        write(dir.path(), "MEMORY.md", MEMORY);
        let mut builder = builder(dir.path(), profile);
        let context = |builder: &mut ContextBuilder| builder.context(&turn("Hi")).unwrap().context;
        assert!(sent(&context(&mut builder)).contains("7788-55"), "{profile}");
        synced(dir.path()).forget("MEMORY.md:4").unwrap().unwrap();
        let left = context(&mut builder);
        assert!(!sent(&left).contains("7788-55"), "{profile}");
        assert!(
            left.ledger.left_out.iter().any(|out| out.reason == Reason::Forgotten),
            "{profile}"
        );
    }
}

/// A turn whose answer is "ok": what was sent, and why its epoch began.
fn say(
    builder: &mut ContextBuilder,
    conversation: &mut Conversation,
    text: &str,
) -> (String, String) {
    let ready = conversation.begin(builder, &turn(text)).unwrap();
    conversation.replied(&Message::text(Role::Assistant, "ok"), None, None).unwrap();
    let why = ready.begins_epoch().then(|| ready.epoch.reason.to_string());
    (sent(&ready.context), why.unwrap_or_default())
}

#[test]
fn a_conversation_that_goes_on_loses_it_from_its_prefix_and_from_what_it_was_told() {
    let dir = TempDir::new().unwrap();
    write(dir.path(), "memory/MEMORY.md", MEMORY);
    let mut builder = builder(dir.path(), "louver");
    let mut conversation = Conversation::open(dir.path(), "cli:direct").unwrap().0;
    let mut say = |text: &str| say(&mut builder, &mut conversation, text);
    assert_eq!(say("One").1, "the first turn");
    // This one is told after the history.
    write(dir.path(), "memory/MEMORY.md", &format!("{MEMORY}\n- The safe is at 1-9-4.\n"));
    let (request, why) = say("Two");
    assert!(request.contains("+ - The safe is at 1-9-4.") && why.is_empty());

    let mut library = synced(dir.path());
    library.forget("memory/MEMORY.md:4").unwrap().unwrap();
    let (request, why) = say("Three");
    assert!(!request.contains("7788-55") && request.contains("1-9-4"));
    assert_eq!(why, "something was forgotten, or no longer is");
    library.forget("memory/MEMORY.md:12").unwrap().unwrap();
    let (request, why) = say("Four");
    assert!(!request.contains("1-9-4") && request.contains("Two"), "{request}");
    assert_eq!(why, "something was forgotten, or no longer is");
    let (request, why) = say("Five");
    assert!(!request.contains("1-9-4") && !request.contains("7788-55") && why.is_empty());

    // It comes back as a line that was added does.
    library.remember_again("memory/MEMORY.md:4").unwrap().unwrap();
    let (request, why) = say("Six");
    assert!(request.contains("+ - The bank code is 7788-55.") && why.is_empty(), "{request} {why}");
}

#[test]
fn what_is_shown_of_memory_and_of_the_history_lacks_it() {
    let dir = TempDir::new().unwrap();
    write(dir.path(), "memory/MEMORY.md", MEMORY);
    let history = "[2026-03-01 10:00] The piano was moved.\n\n[2026-03-02 10:00] The bike was sold.\nFor ten.\n\n";
    write(dir.path(), "memory/HISTORY.md", history);
    let mut library = synced(dir.path());
    library.forget("memory/MEMORY.md:4").unwrap().unwrap();
    library.forget("memory/HISTORY.md:3").unwrap().unwrap();
    let memory = Memory::open(dir.path()).unwrap().0;
    let shown = memory.shown().unwrap();
    assert_eq!(shown.text, MEMORY.replace("- The bank code is 7788-55.\n", ""));
    assert_eq!((shown.withheld, memory.peek().unwrap().as_str()), (1, MEMORY));
    let entries: Vec<String> = memory.history().0.into_iter().map(|entry| entry.text).collect();
    assert_eq!(entries, ["[2026-03-01 10:00] The piano was moved."]);
}

#[test]
fn an_update_made_of_what_is_shown_keeps_what_is_not() {
    let dir = TempDir::new().unwrap();
    write(dir.path(), "memory/MEMORY.md", MEMORY);
    let mut library = synced(dir.path());
    for name in ["memory/MEMORY.md:4", "memory/MEMORY.md:7"] {
        library.forget(name).unwrap().unwrap();
    }
    let memory = Memory::open(dir.path()).unwrap().0;
    let shown = memory.shown().unwrap();
    assert_eq!(shown.put_back(&shown.text), MEMORY, "nothing changed");
    let updates = [
        "# Me\n\n- I live in Linz.\n- My cat is Momo.\n\nThe end of it all.\n",
        "# Me\n\n- I live in Graz.\n  It is in Styria.\n- My cat is Momo.\n\nThe end of it all.\n",
        "## Pets\n- A cat.\n## Home\n- Graz\n",
        "One line that says it all.\n",
        "# Me\n\n- I live in Graz.\n- The bank code is 7788-55.\n- My cat is Momo.\n",
        "",
    ];
    for update in updates {
        let whole = shown.put_back(update);
        write(dir.path(), "memory/MEMORY.md", &whole);
        let again = memory.shown().unwrap();
        let says = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.filter(|line| !line.contains("7788")).map(str::to_owned).collect()
        };
        assert_eq!(again.withheld, 3, "{whole}");
        assert_eq!(says(&again.text), says(update), "{whole}");
        assert_eq!(whole.matches("7788-55").count(), 1, "{whole}");
    }
}
