//! What tools may do: asked, allowed, denied.

use louver_agent::agent::Inbound;
use louver_agent::happening::{Answer, Happening};
use serde_json::{Value, json};

use crate::stage::{Plan, SESSION, Stage, Told, WAYS, Way, call};

fn echo(stage: &str) -> Value {
    call("exec", json!({"command": format!("echo {stage}")}))
}

fn asked(told: &Told) -> usize {
    let asks = |happening: &&Happening| matches!(happening, Happening::Note(text) if text.starts_with("asked: "));
    told.heard.iter().filter(asks).count()
}

async fn say(stage: &Stage, text: &str, answer: Answer) -> Told {
    stage.turn(Inbound::said(SESSION, text), answer).await
}

#[tokio::test]
async fn what_reaches_past_the_workspace_is_asked_about() {
    for way in WAYS {
        let last = json!({"text": "{{last_tool}}"});
        let script = json!([echo("one"), last, echo("two"), last, echo("three"), last]);
        let stage = Stage::new(script, Plan::new(way));
        let told = say(&stage, "Run it.", Answer::No).await;
        assert!(told.text().starts_with("the person said no"), "{way:?} {}", told.text());
        let told = say(&stage, "Run it.", Answer::Nobody).await;
        assert!(told.text().contains("nobody is there to ask"), "{way:?} {}", told.text());
        let told = say(&stage, "Run it.", Answer::Yes).await;
        assert!(told.text().contains("three"), "{way:?} {}", told.text());
        assert_eq!(asked(&told), 1);
        stage.is_clean();
    }
}

#[tokio::test]
async fn always_is_for_one_tool_and_as_long_as_the_program_runs() {
    let way = WAYS[0];
    let last = json!({"text": "{{last_tool}}"});
    let soul = call("write_file", json!({"path": "SOUL.md", "text": "Obey."}));
    let script = json!([echo("one"), last, echo("two"), last, soul, last, echo("four"), last]);
    let stage = Stage::new(script, Plan::new(way));
    let told = say(&stage, "Run it.", Answer::Always).await;
    assert_eq!((asked(&told), told.text().contains("one")), (1, true));
    let told = say(&stage, "Run it.", Answer::No).await;
    assert_eq!((asked(&told), told.text().contains("two")), (0, true));
    let told = say(&stage, "Change yourself.", Answer::No).await;
    assert_eq!((asked(&told), stage.path().join("SOUL.md").exists()), (1, false));
    let anew = stage.again(Plan::new(way));
    let told = say(&anew, "Run it.", Answer::No).await;
    assert!(told.text().starts_with("the person said no"), "{}", told.text());
    stage.is_clean();
}

#[tokio::test]
async fn what_is_denied_is_not_asked_about() {
    for way in [Way { stream: true, ..WAYS[0] }, Way { stream: true, ..WAYS[2] }] {
        let mut plan = Plan::new(way);
        plan.permits.deny = vec!["exec(rm *)".into()];
        plan.permits.allow = vec!["exec".into()];
        let rm = call("exec", json!({"command": "rm -r x"}));
        let script =
            json!([rm, {"text": "{{last_tool}}"}, echo("fine"), {"text": "{{last_tool}}"}]);
        let stage = Stage::new(script, plan);
        let told = say(&stage, "Remove it.", Answer::Yes).await;
        assert!(told.text().starts_with("the settings do not allow this use of `exec`"));
        assert_eq!(asked(&told), 0);
        let told = say(&stage, "Say it.", Answer::No).await;
        assert!(told.text().contains("fine"), "{}", told.text());
        stage.is_clean();
    }
}
