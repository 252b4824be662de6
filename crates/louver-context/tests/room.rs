//! How far a history gives way: as far as it must, and no further.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use louver_context::message::{Content, Message, Role, ToolCall};
use louver_context::profile::PROFILES;
use louver_context::prompt::each_text;
use louver_context::*;
use proptest::prelude::*;

fn model(window: u32) -> Model {
    let mut model = Model::named("gpt-4o");
    model.hold(Tokens(window));
    model
}

fn build(model: &Model, history: &[Arc<Message>], rules: Rules) -> Context {
    let counter = Counter::new(model.counting);
    let recipe = Recipe { profile: &PROFILES[0], model, counter: &counter, rules, rounds: None };
    let snapshot =
        Snapshot { history: history.to_vec(), message: "and now?".into(), ..Snapshot::default() };
    recipe.build(&snapshot).unwrap()
}

/// A question, so many calls at once, their results, and an answer.
fn exchange(n: usize, calls: usize, words: usize) -> Vec<Arc<Message>> {
    let text = |word: &str| vec![word; words].join(" ");
    let id = |call: usize| format!("c{n}_{call}");
    let mut asks = Message::new(Role::Assistant, Content::Null);
    asks.calls = (0..calls)
        .map(|call| ToolCall {
            id: id(call).into(),
            name: "read_file".into(),
            arguments: "{}".into(),
            extra: Default::default(),
        })
        .collect();
    let mut messages = vec![Message::text(Role::User, text("question"))];
    messages.extend((calls > 0).then_some(asks));
    messages.extend((0..calls).map(|call| Message::result(id(call), "read_file", "ok")));
    messages.push(Message::text(Role::Assistant, text("answer")));
    messages.into_iter().map(Arc::new).collect()
}

fn cost(model: &Model, message: &Message) -> Tokens {
    let counter = Counter::new(model.counting);
    let mut cost = model.framing.of_message(message.calls.len());
    each_text(message, |_, text| cost += counter.count(text));
    cost
}

/// What a request may be short of its room when no more exchange would have fitted: the mark is reckoned with as many
/// digits as it can have, and often has fewer.
const DIGITS: Tokens = Tokens(4);

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_more_exchanges_go_than_must(
        exchanges in prop::collection::vec((0usize..9, 1usize..60), 2..120), window in 1500u32..9000,
    ) {
        let model = model(window);
        let exchanges: Vec<_> =
            exchanges.iter().enumerate().map(|(n, (calls, words))| exchange(n, *calls, *words)).collect();
        let history = exchanges.concat();
        let context = build(&model, &history, Rules::OPENAI);
        let kept = context.prompt.history;
        let mut after = history.len();
        let last_gone = exchanges.iter().rev().find(|exchange| {
            after -= exchange.len();
            after + kept < history.len()
        });
        let Some(exchange) = last_gone else { return Ok(()) };
        let of_exchange: Tokens = exchange.iter().map(|message| cost(&model, message)).sum();
        let turn: Tokens = context.prompt.messages[kept..].iter().map(|message| cost(&model, message)).sum();
        let reserve = Tokens(model.budget().0 / 10) - (turn - model.framing.of_message(0));
        let with_it = context.ledger.total + reserve + of_exchange;
        prop_assert!(with_it + DIGITS > model.budget(), "{with_it} of {} with one more", model.budget());
    }
}

#[test]
fn calls_in_a_long_history_cost_no_more_than_themselves() {
    let history: Vec<_> = (0..1000).flat_map(|n| exchange(n, 1, 1)).collect();
    let context = build(&model(8000), &history, Rules::OPENAI);
    assert!(context.ledger.total > Tokens(5000), "{} of 6000", context.ledger.total);
}

#[test]
fn framing_beyond_all_numbers_does_not_fit_and_nothing_breaks() {
    let mut model = model(8000);
    model.framing = model::Framing { message: u32::MAX, call: u32::MAX, request: u32::MAX };
    let counter = Counter::new(model.counting);
    let (profile, rules) = (&PROFILES[0], Rules::OPENAI);
    let recipe = Recipe { profile, model: &model, counter: &counter, rules, rounds: None };
    let snapshot = Snapshot { history: exchange(0, 2, 5), ..Snapshot::default() };
    assert_eq!(recipe.build(&snapshot).unwrap_err().needs, Tokens(u32::MAX));
}
