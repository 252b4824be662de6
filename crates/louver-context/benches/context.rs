//! What a turn costs inside the engine: a context built again, a message added, text counted.
//!
//! `cargo bench -p louver-context`. What a whole workspace costs, files included, is measured by
//! `cargo xtask bench`.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use louver_context::snapshot::{Document, SkillCard};
use louver_context::{
    Counter, Encoding, Message, Model, Profile, Recipe, Role, Rules, Snapshot, Tokens,
};

fn main() {
    divan::main();
}

/// The whole context, when everything but the message was counted the turn before.
#[divan::bench(args = [100, 1000])]
fn build_warm(bencher: Bencher<'_, '_>, skills: usize) {
    let (model, snapshot) = (model(), snapshot(skills));
    let counter = Counter::new(model.counting);
    let recipe = recipe(&model, &counter);
    recipe.build(&snapshot).unwrap();
    bencher.bench(|| recipe.build(black_box(&snapshot)).unwrap());
}

/// Messages that are pushed together, as a long tool loop does: what is left over is one push.
const BATCH: usize = 64;

/// More messages; the argument is the number of messages before them.
#[divan::bench(args = [50, 500, 5000])]
fn push(bencher: Bencher<'_, '_>, messages: usize) {
    let model = model();
    let counter = Counter::new(model.counting);
    let recipe = recipe(&model, &counter);
    let snapshot = Snapshot { history: history(messages), ..snapshot(0) };
    let context = recipe.build(&snapshot).unwrap();
    // Each text is new, so that it is counted and not remembered.
    let mut seeds = 1_000_000..;
    let mut batch = || -> Vec<Message> {
        let said = |seed| Message::text(Role::Assistant, prose(seed, 8));
        seeds.by_ref().take(BATCH).map(said).collect()
    };
    let bencher = bencher.counter(ItemsCount::new(BATCH));
    bencher.with_inputs(|| (context.clone(), batch())).bench_local_values(
        |(mut context, batch)| {
            batch.into_iter().for_each(|message| context.push(&recipe, message).unwrap());
            context
        },
    );
}

/// Counting without any memory.
#[divan::bench(args = [Encoding::O200k, Encoding::Cl100k])]
fn count(bencher: Bencher<'_, '_>, encoding: Encoding) {
    let text = prose(1, 10_000);
    bencher.counter(BytesCount::of_str(&text)).bench(|| encoding.count(black_box(&text)));
}

/// A window that holds everything: what is measured is building, not giving way.
fn model() -> Model {
    Model { window: Tokens(2_000_000), ..Model::named("gpt-4o") }
}

fn recipe<'a>(model: &'a Model, counter: &'a Counter) -> Recipe<'a> {
    Recipe { profile: Profile::louver(), model, counter, rules: Rules::OPENAI, rounds: None }
}

fn snapshot(skills: usize) -> Snapshot {
    Snapshot {
        instructions: vec![document("AGENTS.md", 40), document("SOUL.md", 20)],
        memory: Some(document("memory/MEMORY.md", 150)),
        skills: (0..skills).map(skill).collect(),
        history: history(500),
        message: "What is on today?".into(),
        ..Snapshot::default()
    }
}

fn document(name: &str, sentences: usize) -> Document {
    Document { name: name.into(), path: name.into(), text: prose(name.len(), sentences).into() }
}

fn skill(number: usize) -> Arc<SkillCard> {
    Arc::new(SkillCard {
        name: format!("skill-{number:04}").into(),
        description: prose(number, 2).into(),
        location: format!("skills/skill-{number:04}/SKILL.md").into(),
        body: prose(number, 10).into(),
        body_line: 5,
        always: false,
        missing: "".into(),
        hidden: false,
        listing: Default::default(),
    })
}

fn history(messages: usize) -> Vec<Arc<Message>> {
    let role = |number: usize| if number.is_multiple_of(2) { Role::User } else { Role::Assistant };
    (0..messages).map(|number| Arc::new(Message::text(role(number), prose(number, 8)))).collect()
}

/// Sentences of about 65 bytes, told apart by their numbers.
fn prose(seed: usize, sentences: usize) -> String {
    let sentence = |number: usize| {
        format!(
            "Anna moved appointment {} to half past nine, as {seed} had agreed in March.\n",
            number * 37 + seed
        )
    };
    (0..sentences).map(sentence).collect()
}
