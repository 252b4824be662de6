//! A sentence model in the settings: `louver recall` and `louver doctor` against a server that embeds.
#![allow(clippy::unwrap_used)]

mod sandbox;

use louver_scripted::{Script, Scripted};
use sandbox::Sandbox;
use serde_json::{Value, json};

fn server(embeddings: Value) -> Scripted {
    Scripted::start(Script::from_value(json!({"embeddings": embeddings})).unwrap()).unwrap()
}

const MEMORY: &str = "# Memory\n\n- The spare key is under the blue pot.\n- Tomek cuts spokes to length.\n- Miso is afraid of \
    the vacuum cleaner.\n";

fn workspace(sandbox: &Sandbox) -> String {
    sandbox.workspace(&[("AGENTS.md", "Be brief."), ("memory/MEMORY.md", MEMORY)])
}

#[test]
fn a_sentence_model_ranks_and_shows_how_far_it_has_come() {
    let server = server(json!({"dims": 3, "axes": {"key": 0, "spokes": 1}}));
    let sandbox = Sandbox::new();
    let folder = &workspace(&sandbox);
    let url = server.url();
    sandbox.config(&format!("[recall.embeddings]\nmodel = \"small\"\nurl = \"{url}/v1\"\n"));
    let ask = ["recall", "-w", folder, "Where is the spare key?", "--explain"];
    let before = sandbox.louver(&ask);
    assert!(before.stdout.contains("meaning by `small` for 0 of "), "{before:?}");
    assert!(!before.stdout.contains("sentence cosine"), "{before:?}");
    let counted = sandbox.louver(&["recall", "-w", folder]);
    let notes = counted.stdout.split(' ').next().unwrap();
    let expected = format!(
        "{notes} notes can be recalled\n{notes} of them have a sentence vector of `small`\n"
    );
    assert_eq!((counted.code, counted.stdout.as_str()), (0, expected.as_str()), "{counted:?}");
    let after = sandbox.louver(&ask);
    assert!(after.stdout.contains("sentence cosine 1.00"), "{after:?}");
    assert!(!after.stdout.contains("has the others read"), "{after:?}");
    let json = sandbox.louver(&["recall", "-w", folder, "--json", "Where is the spare key?"]);
    let value: Value = serde_json::from_str(&json.stdout).unwrap();
    assert!(value["notes"][0]["sense"].as_f64().unwrap() > 0.99, "{value}");
    let doctor = sandbox.louver(&["doctor", "-w", folder]);
    let place = url.as_str();
    assert!(
        doctor.stdout.contains(&format!("at {place} embeds by small, 3 numbers a text")),
        "{doctor:?}"
    );
    assert!(
        doctor.stdout.contains(&format!("{notes} of {notes} notes have a sentence vector")),
        "{doctor:?}"
    );
    let offline = sandbox.louver(&["doctor", "-w", folder, "--offline"]);
    assert!(offline.stdout.contains("were not asked for (--offline)"), "{offline:?}");
}

#[test]
fn a_model_that_gives_other_vectors_is_told_of_and_asked_anew() {
    let sandbox = Sandbox::new();
    let folder = &workspace(&sandbox);
    let by = |dims: usize| {
        let server = server(json!({"dims": dims}));
        let url = server.url();
        sandbox.config(&format!("[recall.embeddings]\nmodel = \"small\"\nurl = \"{url}/v1\"\n"));
        server
    };
    let _first = by(3);
    sandbox.louver(&["recall", "-w", folder]);
    let _other = by(5);
    let doctor = sandbox.louver(&["doctor", "-w", folder]);
    assert!(doctor.stdout.contains("mend  the vectors of the notes have 3 numbers"), "{doctor:?}");
    let asked = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert!(asked.stderr.contains("gives vectors of 5 numbers now"), "{asked:?}");
    let counted = sandbox.louver(&["recall", "-w", folder]);
    assert_eq!(counted.code, 0, "{counted:?}");
    let doctor = sandbox.louver(&["doctor", "-w", folder]);
    assert!(!doctor.stdout.contains("have 3 numbers"), "{doctor:?}");
}

#[test]
fn what_stands_before_a_text_is_as_the_model_was_trained_or_as_settings_say() {
    let server = server(json!({"dims": 3}));
    let sandbox = Sandbox::new();
    let folder = &workspace(&sandbox);
    let url = server.url();
    let table = format!("[recall.embeddings]\nmodel = \"nomic-embed-text\"\nurl = \"{url}/v1\"\n");
    let told = |more: &str| {
        sandbox.config(&format!("{table}{more}"));
        assert_eq!(sandbox.louver(&["recall", "-w", folder]).code, 0);
        sandbox.louver(&["doctor", "-w", folder]).stdout
    };
    let trained = told("");
    let shown = "before a question \"search_query: \", before a note \"search_document: \"";
    assert!(trained.contains(shown), "{trained}");
    let own = told("question = \"\"\nnote = \"passage: \"\n");
    assert!(own.contains("before a question \"\", before a note \"passage: \""), "{own}");
    let requests = server.requests();
    let sent =
        |start: &str| requests.iter().any(|one| one.body["input"].to_string().contains(start));
    assert!(sent("\"search_document: - Tomek") && sent("\"passage: - Tomek"), "{requests:?}");
}

#[test]
fn a_server_that_is_not_there_is_told_and_recall_goes_on() {
    let sandbox = Sandbox::new();
    let folder = &workspace(&sandbox);
    sandbox.config("[recall.embeddings]\nmodel = \"small\"\nurl = \"http://127.0.0.1:1/v1\"\n");
    let asked = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert_eq!(asked.code, 0, "{asked:?}");
    assert!(asked.stdout.contains("blue pot"), "{asked:?}");
    assert!(asked.stderr.contains("recall goes on with the built-in vectors"), "{asked:?}");
    let counted = sandbox.louver(&["recall", "-w", folder]);
    assert_eq!(counted.code, 1, "{counted:?}");
    assert!(counted.stderr.contains("nothing listens for `custom`"), "{counted:?}");
    assert!(counted.stdout.contains("0 of them have a sentence vector"), "{counted:?}");
    let doctor = sandbox.louver(&["doctor", "-w", folder]);
    assert!(
        doctor.code == 5 && doctor.stdout.contains("nothing listens for `custom`"),
        "{doctor:?}"
    );
}

#[test]
fn notes_go_only_where_the_persons_own_settings_say() {
    let server = server(json!({"dims": 3}));
    let sandbox = Sandbox::new();
    let folder = &workspace(&sandbox);
    let theirs = format!("[recall.embeddings]\nmodel = \"small\"\nurl = \"{}/v1\"\n", server.url());
    sandbox.workspace(&[("louver.toml", &theirs)]);
    let asked = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert!(asked.stdout.contains("blue pot"), "{asked:?}");
    assert!(asked.stderr.contains("a workspace may not set `embeddings` of `recall`"), "{asked:?}");
    assert!(server.requests().is_empty());
    // Nor where a chat model is: that is not said to have this one.
    sandbox.config("provider = \"openai\"\n[recall.embeddings]\nmodel = \"small\"\n");
    let asked = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert!(
        asked.code == 4 && asked.stderr.contains("nobody is known to have the model `small`"),
        "{asked:?}"
    );
    sandbox.config("[recall.embeddings]\nmodel = \"small\"\nprovider = \"anthropic\"\n");
    let asked = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert!(asked.code == 4 && asked.stderr.contains("`anthropic` has no embeddings"), "{asked:?}");
}

#[test]
fn vectors_that_are_none_are_told() {
    let sandbox = Sandbox::new();
    let folder = &workspace(&sandbox);
    sandbox.config("[recall]\nvectors = \"~/none.bin\"\n");
    let asked = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert!(asked.code == 4 && asked.stderr.contains("none.bin cannot be read"), "{asked:?}");
    std::fs::write(sandbox.home().join("none.bin"), "no vectors").unwrap();
    let doctor = sandbox.louver(&["doctor", "-w", folder]);
    assert!(
        doctor.code == 5 && doctor.stdout.contains("it is no table of word vectors"),
        "{doctor:?}"
    );
    assert_eq!(doctor.stdout.matches("none.bin").count(), 1, "{doctor:?}");
    // The built-in table, as a file of one's own.
    let shipped = sandbox::root().join("crates/louver-recall/data/embeddings.bin");
    sandbox.config(&format!("[recall]\nvectors = \"{}\"\n", shipped.display()));
    let asked = sandbox.louver(&["recall", "-w", folder, "Where is the spare key?"]);
    assert!(asked.code == 0 && asked.stdout.contains("blue pot"), "{asked:?}");
    let doctor = sandbox.louver(&["doctor", "-w", folder, "--offline"]);
    assert!(doctor.stdout.contains("word vectors "), "{doctor:?}");
}
