//! Whatever a history file holds, what is read of it can be repaired for every provider.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use louver_context::history::Entry;
use louver_context::pairing::{self, Rules};
use louver_context::render::openai;
use louver_context::{Message, Role};

const RULES: [Rules; 3] = [Rules::OPENAI, Rules::ANTHROPIC, Rules::STRICT];

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (messages, _) = openai::read_history(&text);
    messages.iter().for_each(|message| kept(message));
    let written_out: Vec<Arc<Message>> = messages.iter().map(written_out).collect();
    for rules in RULES {
        let entries: Vec<Entry> = numbered(&messages);
        let (repaired, repairs) = pairing::repair(&entries, rules);
        let mended: Vec<Arc<Message>> =
            repaired.iter().map(|entry| entry.message.clone()).collect();
        assert!(pairing::holds(&mended, rules), "{repairs:?}");
        assert_eq!(repairs.is_empty(), pairing::holds(&written_out, rules), "{repairs:?}");
        assert!(pairing::repair(&repaired, rules).1.is_empty(), "mended twice");
    }
});

fn numbered(messages: &[Arc<Message>]) -> Vec<Entry> {
    let entry = |(id, message): (u32, &Arc<Message>)| Entry { id, message: message.clone() };
    (0..).zip(messages).map(entry).collect()
}

/// The message with arguments for every call: that one has none needs no telling.
fn written_out(message: &Arc<Message>) -> Arc<Message> {
    let mut message = message.clone();
    for call in &mut Arc::make_mut(&mut message).calls {
        if matches!(call.arguments.trim(), "" | "null") {
            call.arguments = "{}".into();
        }
    }
    message
}

/// A message that is written down can be read back, with its role and its calls.
fn kept(message: &Message) {
    let Ok(again) = Message::from_openai(&openai::stored(message)) else {
        panic!("what was stored cannot be read: {message:?}");
    };
    let facts = |message: &Message| -> (Role, usize) { (message.role, message.calls.len()) };
    assert_eq!(facts(&again), facts(message));
}
