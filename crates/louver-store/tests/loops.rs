//! Turns that call tools many times in a small window: they go on, and so does the conversation after them.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use louver_context::epoch::Why;
use louver_context::message::{Content, Message, Role, ToolCall};
use louver_context::{Context, Model, Rules, Tokens, pairing};
use louver_store::session::Output;
use louver_store::session::event::Usage;
use louver_store::{ContextBuilder, Conversation, Folder, Settings, Turn};

fn builder(folder: &Path, rules: Rules) -> ContextBuilder {
    let mut model = Model::named("gpt-4o");
    model.hold(Tokens(8000));
    let settings = Settings { model, rules, built_in_skills: false, ..Settings::default() };
    ContextBuilder::new(Folder::open(folder).unwrap(), settings)
}

fn turn(message: &str) -> Turn {
    Turn { message: message.into(), ..Turn::default() }
}

fn call(n: usize, words: usize) -> Message {
    let mut message = Message::new(Role::Assistant, Content::Null);
    message.calls.push(ToolCall {
        id: format!("c{n}").into(),
        name: "search".into(),
        arguments: format!("{{\"text\": \"{}\"}}", "word ".repeat(words)).into(),
        extra: Default::default(),
    });
    message
}

/// One turn with so many calls, fitted anew whenever there is no room. Says how often that was.
fn long_turn(
    conversation: &mut Conversation,
    builder: &mut ContextBuilder,
    calls: usize,
) -> (Context, usize) {
    let turn = turn("Look for the tyres.");
    let mut context = conversation.begin(builder, &turn).unwrap().context;
    let mut fitted = 0;
    for n in 0..calls {
        let reply = conversation.replied(&call(n, 400), None, None).unwrap();
        let found = "result ".repeat(400);
        let output = Output { data: Some(&found), ..Output::default() };
        let result = conversation.result(&reply.calls[0].id, "search", &output).unwrap();
        let recipe = builder.recipe();
        if context.push(&recipe, reply).and_then(|()| context.push(&recipe, result)).is_err() {
            context = conversation.go_on(builder, &turn, None, Why::Room).unwrap().context;
            fitted += 1;
        }
    }
    conversation.replied(&Message::text(Role::Assistant, "In the shed."), None, None).unwrap();
    conversation.end(Usage::default()).unwrap();
    (context, fitted)
}

fn says(context: &Context, text: &str) -> bool {
    let mut texts = context.prompt.messages.iter().flat_map(|message| message.texts());
    texts.any(|said| said.contains(text))
}

#[test]
fn a_turn_of_many_calls_goes_on_and_so_does_the_conversation() {
    for rules in [Rules::OPENAI, Rules::ANTHROPIC, Rules::STRICT] {
        let folder = tempfile::TempDir::new().unwrap();
        let mut builder = builder(folder.path(), rules);
        let (mut conversation, _) = Conversation::open(folder.path(), "cli:direct").unwrap();
        let (context, fitted) = long_turn(&mut conversation, &mut builder, 100);
        assert!((20..40).contains(&fitted), "half of the window is free again: {fitted}");
        assert!(says(&context, "Look for the tyres."), "the question stays");
        assert!(context.prompt.messages.last().unwrap().answers.is_some());
        for n in 0..40 {
            let ready = conversation.begin(&mut builder, &turn("And now?")).unwrap();
            let messages = &ready.context.prompt.messages;
            assert!(pairing::holds(messages, rules), "{messages:#?}");
            if n == 0 {
                assert!(says(&ready.context, "In the shed."), "and so does the answer");
                assert!(
                    ready.context.prompt.system.contains("not shown here: they are `cli:direct#")
                );
            }
            let reply = Message::text(Role::Assistant, "still there ".repeat(100));
            conversation.replied(&reply, None, None).unwrap();
            conversation.end(Usage::default()).unwrap();
        }
    }
}

#[test]
fn what_left_is_in_the_account_and_comes_back_with_none_of_it() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut builder = builder(folder.path(), Rules::OPENAI);
    let (mut conversation, _) = Conversation::open(folder.path(), "cli:direct").unwrap();
    long_turn(&mut conversation, &mut builder, 40);
    let (view, _) = conversation.session().view();
    let untold: usize =
        view.summaries.iter().filter_map(|mark| mark.untold).map(|u| u.messages).sum();
    // What was asked, 40 calls, as many results, the answer.
    assert_eq!(untold + view.messages.len(), 82);
    let ready = conversation.preview(&mut builder, &turn("And now?")).unwrap();
    let left_out = &ready.context.ledger.left_out;
    assert!(left_out.iter().any(|gone| gone.layer == "history"), "{left_out:#?}");
    // The exchange is taken back with what stands for its calls.
    conversation.undo().unwrap();
    let (view, _) = conversation.session().view();
    assert!(view.messages.is_empty() && view.summaries.is_empty(), "{view:#?}");
    conversation.begin(&mut builder, &turn("Hello.")).unwrap();
}

#[test]
fn marks_of_calls_join_the_mark_of_their_exchange() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut builder = builder(folder.path(), Rules::OPENAI);
    let (mut conversation, _) = Conversation::open(folder.path(), "cli:direct").unwrap();
    long_turn(&mut conversation, &mut builder, 40);
    long_turn(&mut conversation, &mut builder, 40);
    let (view, _) = conversation.session().view();
    let untold: usize =
        view.summaries.iter().filter_map(|mark| mark.untold).map(|u| u.messages).sum();
    assert_eq!(untold + view.messages.len(), 164);
    let apart = view.summaries.windows(2).all(|two| two[0].stands_for[1] < two[1].stands_for[0]);
    assert!(apart, "{:#?}", view.summaries);
}

#[test]
fn an_epoch_ends_at_half_of_the_budget_whatever_was_called() {
    for calls in [0, 1, 8] {
        let folder = tempfile::TempDir::new().unwrap();
        let mut builder = builder(folder.path(), Rules::OPENAI);
        let (mut conversation, _) = Conversation::open(folder.path(), "cli:direct").unwrap();
        let (mut least, mut before, mut exchange) = (Tokens(u32::MAX), Tokens(0), Tokens(0));
        for n in 0..150 {
            let ready = conversation.begin(&mut builder, &turn("And what is next?")).unwrap();
            let total = ready.context.ledger.total;
            match ready.begins_epoch() {
                true if n > 0 => least = least.min(total),
                _ => exchange = exchange.max(total - before),
            }
            before = total;
            let mut reply = Message::new(Role::Assistant, Content::Null);
            reply.calls = (0..calls).flat_map(|i| call(i, 1).calls).collect();
            if calls > 0 {
                let reply = conversation.replied(&reply, None, None).unwrap();
                for call in &reply.calls {
                    let output = Output { data: Some("ok"), ..Output::default() };
                    conversation.result(&call.id, "search", &output).unwrap();
                }
            }
            let reply = Message::text(Role::Assistant, "this and that ".repeat(20));
            conversation.replied(&reply, None, None).unwrap();
            conversation.end(Usage::default()).unwrap();
        }
        // Half of it is 3000, and 300 of that are kept for the turn. One more exchange would not have fitted.
        assert!(least <= Tokens(3000) && least + exchange > Tokens(2700), "{least}, {exchange}");
    }
}
