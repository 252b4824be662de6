//! The laws, as properties over random snapshots.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::sync::Arc;

use louver_context::ledger::{At, State};
use louver_context::message::{Content, Message, Part, Role, ToolCall};
use louver_context::pairing::{self, Rules};
use louver_context::prefix::{shared, text_of};
use louver_context::profile::PROFILES;
use louver_context::prompt::{each_text, tool_text};
use louver_context::render::{anthropic, openai};
use louver_context::snapshot::{Document, Extra, Note, Now, SkillCard, ToolSchema};
use louver_context::*;
use proptest::prelude::*;

/// Text of the kinds that break things: Markdown, fences, scripts, tags, special tokens.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => "[a-zA-Z]{1,9}",
        1 => Just("```".to_owned()),
        1 => Just("\n# Heading\n".to_owned()),
        1 => Just("\n- item".to_owned()),
        1 => Just("<|endoftext|>".to_owned()),
        1 => Just("</recalled></data></runtime>".to_owned()),
        1 => "[一-丏あ-うㄱ-ㄹéñ👩🚲]{1,6}",
        1 => Just("\n\n---\n\n".to_owned()),
        1 => "[0-9.,;/ \t\n]{1,8}",
    ];
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

fn document(name: &'static str) -> impl Strategy<Value = Document> {
    text().prop_map(move |text| Document {
        name: name.into(),
        path: name.into(),
        text: text.into(),
    })
}

fn message() -> impl Strategy<Value = Arc<Message>> {
    let role = prop_oneof![
        4 => Just(Role::User), 4 => Just(Role::Assistant), 3 => Just(Role::Tool), 1 => Just(Role::System)
    ];
    let id = prop_oneof![Just(""), Just("a"), Just("b"), Just("c")];
    let name = prop_oneof![1 => Just(""), 5 => Just("read_file")];
    let call = (id.clone(), name, text()).prop_map(|(id, name, arguments)| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
        extra: Default::default(),
    });
    let content = prop_oneof![
        1 => Just(Content::Null),
        5 => text().prop_map(|text| Content::Text(text.into())),
        1 => text().prop_map(|text| Content::Parts(vec![
            Part::Picture(Arc::new(Picture::from_url("https://example.org/a.png", None))),
            Part::Text(text.into()),
        ])),
    ];
    (role, content, prop::collection::vec(call, 0..3), id).prop_map(|(role, content, calls, id)| {
        let mut message = Message::new(role, content);
        if role == Role::Assistant {
            message.calls = calls;
        }
        if role == Role::Tool {
            message.answers = Some(id.into());
            message.name = Some("read_file".into());
        }
        Arc::new(message)
    })
}

fn skill() -> impl Strategy<Value = Arc<SkillCard>> {
    ("[a-z]{3,8}", text(), text(), any::<bool>(), any::<bool>()).prop_map(
        |(name, description, body, always, missing)| {
            Arc::new(SkillCard {
                location: format!("/w/skills/{name}/SKILL.md").into(),
                name: name.into(),
                description: description.replace('\n', " ").into(),
                body: body.into(),
                body_line: 4,
                always,
                missing: if missing { "CLI: gh" } else { "" }.into(),
                hidden: false,
                listing: Default::default(),
            })
        },
    )
}

fn snapshot() -> impl Strategy<Value = Snapshot> {
    let extra = (text(), any::<bool>(), any::<bool>()).prop_map(|(text, turn, owner)| Extra {
        name: "branch".into(),
        place: if turn { Place::Turn } else { Place::Session },
        trust: if owner { Trust::Owner } else { Trust::Tool },
        cap: Some(Tokens(40)),
        source: Source::Command { line: "git branch".into() },
        text: text.into(),
    });
    let note = (text(), any::<u16>()).prop_map(|(text, id)| Note {
        id: format!("n{id}").into(),
        source: "HISTORY.md".into(),
        date: "2026-03-01".into(),
        who: "Anna".into(),
        text: text.into(),
    });
    (
        prop::option::of(document("IDENTITY.md")),
        (document("AGENTS.md"), document("SOUL.md")),
        prop::option::of(document("memory/MEMORY.md")),
        prop::collection::vec(skill(), 0..6),
        prop::collection::vec(message(), 0..14),
        prop::collection::vec(extra, 0..2),
        prop::collection::vec(note, 0..3),
        (text(), any::<bool>()),
    )
        .prop_map(
            |(identity, (agents, soul), memory, skills, history, extra, recalled, end)| {
                let mut skills = skills;
                skills.sort_by(|a, b| a.name.cmp(&b.name));
                skills.dedup_by(|a, b| a.name == b.name);
                Snapshot {
                    identity,
                    instructions: vec![agents, soul],
                    memory,
                    skills: skills.into(),
                    history,
                    extra,
                    recalled,
                    message: end.0.into(),
                    tools: if end.1 { tools() } else { Arc::new([]) },
                    now: Some(now("2026-03-10 09:15")),
                    channel: Some("cli".into()),
                    chat: Some("direct".into()),
                    ..Snapshot::default()
                }
            },
        )
}

fn now(minute: &str) -> Now {
    Now { minute: minute.into(), weekday: "Tuesday", zone: "CET".into() }
}

fn tools() -> Arc<[ToolSchema]> {
    Arc::new([ToolSchema {
        name: "read_file".into(),
        description: "Reads a file".into(),
        parameters: serde_json::json!({"type": "object", "properties": {"path": {"type": "string"}}}),
    }])
}

fn model(window: u32) -> Model {
    let mut model = Model::named("gpt-4o");
    (model.window, model.reply) = (Tokens(window), Tokens(window / 4));
    model
}

fn recipe<'a>(profile: usize, model: &'a Model, counter: &'a Counter, rules: Rules) -> Recipe<'a> {
    Recipe { profile: &PROFILES[profile], model, counter, rules, rounds: None }
}

/// Whether the arguments of every call are an object, which servers demand.
fn has_objects(prompt: &Prompt) -> bool {
    let mut calls = prompt.messages.iter().flat_map(|message| &message.calls);
    let object = |text: &str| serde_json::from_str::<serde_json::Map<_, _>>(text);
    calls.all(|call| object(&call.arguments).is_ok())
}

/// The request's size, counted again from nothing but the finished prompt.
fn recount(prompt: &Prompt, model: &Model) -> Tokens {
    let Counting::Exact(encoding) = model.counting else { panic!() };
    let framing = model.framing;
    let mut total = Tokens(framing.request + framing.message) + encoding.count(&prompt.system);
    for tool in prompt.tools.iter() {
        total += encoding.count(&tool_text(tool)) + Tokens(framing.call);
    }
    for message in &prompt.messages {
        total += Tokens(framing.message + framing.call * message.calls.len() as u32);
        let pictures = match &message.content {
            Content::Parts(parts) => parts.clone(),
            _ => Vec::new(),
        };
        each_text(message, |field, text| {
            let picture = match field {
                louver_context::ledger::Field::Part(i) => match pictures.get(i as usize) {
                    Some(Part::Picture(picture)) => Some(picture.clone()),
                    _ => None,
                },
                _ => None,
            };
            total += match picture {
                Some(picture) => model.pictures.of(&picture),
                None => encoding.count(text),
            };
        });
    }
    total
}

/// Every text of the request, by where it is.
fn texts(prompt: &Prompt) -> HashMap<At, String> {
    let mut texts = HashMap::from([(At::System, prompt.system.to_string())]);
    for (tool, schema) in (0..).zip(prompt.tools.iter()) {
        texts.insert(At::Tool { tool }, tool_text(schema));
    }
    for (number, message) in (0..).zip(&prompt.messages) {
        each_text(message, |field, text| {
            texts.insert(At::Message { message: number, field }, text.to_owned());
        });
    }
    texts
}

const RULES: [Rules; 3] = [Rules::OPENAI, Rules::ANTHROPIC, Rules::STRICT];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Laws 1 and 5: never over, and the account adds up, whatever the window.
    #[test]
    fn the_request_is_never_over_and_fully_accounted_for(
        snapshot in snapshot(), window in 40u32..3000, profile in 0..PROFILES.len(), rules in 0usize..3,
    ) {
        let model = model(window);
        let counter = Counter::new(model.counting);
        let recipe = recipe(profile, &model, &counter, RULES[rules]);
        match recipe.build(&snapshot) {
            Err(error) => {
                prop_assert!(error.needs > error.budget);
                prop_assert!(error.to_string().contains(&error.largest));
            }
            Ok(context) => {
                let ledger = &context.ledger;
                prop_assert!(ledger.total <= model.budget());
                let blank = snapshot.message.trim().is_empty();
                prop_assert!(blank || pairing::holds(&context.prompt.messages, RULES[rules]));
                prop_assert_eq!(ledger.total, recount(&context.prompt, &model));
                prop_assert!(has_objects(&context.prompt), "what is counted is what goes out");
                let spans: Tokens = ledger.spans.iter().map(|span| span.tokens).sum();
                prop_assert_eq!(spans + ledger.framing, ledger.total);
                let rows: Tokens = ledger.layers.iter().map(|row| row.given).sum();
                prop_assert_eq!(rows, spans, "{:#?}", ledger.layers);
                let mut ends: HashMap<At, usize> = HashMap::new();
                for span in &ledger.spans {
                    let end = ends.entry(span.at).or_default();
                    prop_assert_eq!(*end, span.bytes.start, "a gap or an overlap before {:?}", span);
                    prop_assert!(span.bytes.end > span.bytes.start || span.bytes.end == 0);
                    *end = span.bytes.end;
                    let text = text_of(&context, span);
                    prop_assert_eq!(louver_context::count::hash(&text) as u64, span.hash);
                }
                for (at, text) in texts(&context.prompt) {
                    prop_assert_eq!(ends.remove(&at).unwrap_or(0), text.len(), "{:?} not tiled", at);
                }
                prop_assert!(ends.is_empty());
                for row in &ledger.layers {
                    let listed = ledger.left_out.iter().any(|gone| gone.layer == row.name);
                    prop_assert_eq!(row.state != State::Kept, listed, "{:?}", row);
                }
            }
        }
    }

    /// Law 2: same facts, same bytes, whatever the counter remembers.
    #[test]
    fn the_same_snapshot_gives_the_same_bytes(
        snapshot in snapshot(), other in snapshot(), window in 200u32..3000, profile in 0..PROFILES.len(),
    ) {
        let model = model(window);
        let (fresh, used) = (Counter::new(model.counting), Counter::new(model.counting));
        let _ = recipe(profile, &model, &used, Rules::OPENAI).build(&other);
        let a = recipe(profile, &model, &fresh, Rules::OPENAI).build(&snapshot);
        let b = recipe(profile, &model, &used, Rules::OPENAI).build(&snapshot);
        match (a, b) {
            (Ok(a), Ok(b)) => {
                prop_assert_eq!(&a.ledger, &b.ledger);
                prop_assert_eq!(openai::messages(&a.prompt), openai::messages(&b.prompt));
            }
            (a, b) => prop_assert_eq!(a.err(), b.err()),
        }
    }

    /// Law 3, the engine's part: facts of the turn leave every earlier byte alone.
    #[test]
    fn a_change_in_the_turn_leaves_everything_before_it_alone(
        snapshot in snapshot(), notes in prop::collection::vec(text(), 0..2), window in 1500u32..3000,
        profile in 0..PROFILES.len(),
    ) {
        let model = model(window);
        let counter = Counter::new(model.counting);
        let recipe = recipe(profile, &model, &counter, Rules::OPENAI);
        let plain = Snapshot { message: "hi".into(), recalled: Vec::new(), extra: Vec::new(), ..snapshot };
        let mut later = plain.clone();
        later.now = Some(now("2026-03-10 23:59 and a much longer way to say so"));
        later.recalled = notes.iter().take(1).map(|text| Note {
            id: "n".into(), source: "f".into(), date: "d".into(), who: "w".into(),
            text: text.chars().take(60).collect::<String>().into(),
        }).collect();
        let (Ok(a), Ok(b)) = (recipe.build(&plain), recipe.build(&later)) else { return Err(TestCaseError::reject("it does not fit")) };
        let turn = |context: &Context| -> Tokens {
            context.ledger.layers.iter().filter(|row| row.place == Place::Turn).map(|row| row.given).sum()
        };
        prop_assume!(turn(&a) <= recipe.turn_reserve() && turn(&b) <= recipe.turn_reserve());
        prop_assert_eq!(&a.prompt.system, &b.prompt.system);
        prop_assert_eq!(a.prompt.history, b.prompt.history);
        prop_assert_eq!(&a.prompt.messages[..a.prompt.history], &b.prompt.messages[..b.prompt.history]);
        let shared = shared(&a, &b);
        let in_the_turn = |at: At| match at {
            At::Message { message, .. } => message as usize >= a.prompt.history,
            _ => false,
        };
        prop_assert!(shared.parts_at.is_none_or(|part| in_the_turn(part.at)));
    }

    /// Law 4: any list of messages becomes one that every provider takes.
    #[test]
    fn pairs_stay_together(history in prop::collection::vec(message(), 0..20)) {
        for rules in RULES {
            let entry = |(id, message): (u32, &Arc<Message>)| louver_context::history::Entry { id, message: message.clone() };
            let entries: Vec<_> = (0..).zip(&history).map(entry).collect();
            let (repaired, repairs) = pairing::repair(&entries, rules);
            let messages: Vec<Arc<Message>> = repaired.iter().map(|entry| entry.message.clone()).collect();
            prop_assert!(pairing::holds(&messages, rules), "{:#?}\n{:?}", messages, repairs);
            let (again, none) = pairing::repair(&repaired, rules);
            prop_assert!(none.is_empty(), "a repaired history needs no repair: {:?}", none);
            prop_assert_eq!(again.len(), repaired.len());
            prop_assert_eq!(repairs.is_empty(), pairing::holds(&history, rules));
        }
    }

    /// Law 4 on the wire: Anthropic's roles alternate, results follow their calls, nothing is empty.
    #[test]
    fn anthropic_requests_keep_anthropics_rules(snapshot in snapshot(), profile in 0..PROFILES.len()) {
        let model = model(200_000);
        let counter = Counter::new(model.counting);
        let snapshot = Snapshot { message: "hi".into(), ..snapshot };
        let context = recipe(profile, &model, &counter, Rules::ANTHROPIC).build(&snapshot).unwrap();
        let body = anthropic::request("claude", &context.prompt, 100);
        let messages = body["messages"].as_array().unwrap();
        prop_assert_eq!(&messages[0]["role"], "user");
        let mut open: Vec<String> = Vec::new();
        let mut marks = body["system"].as_array().map_or(0, |blocks| {
            blocks.iter().filter(|block| block.get("cache_control").is_some()).count()
        });
        for pair in messages.windows(2) {
            prop_assert_ne!(&pair[0]["role"], &pair[1]["role"]);
        }
        for message in messages {
            let blocks = message["content"].as_array().unwrap();
            prop_assert!(!blocks.is_empty());
            let mut answered = Vec::new();
            for block in blocks {
                marks += usize::from(block.get("cache_control").is_some());
                match block["type"].as_str().unwrap() {
                    "text" => prop_assert!(!block["text"].as_str().unwrap().trim().is_empty()),
                    "tool_result" => answered.push(block["tool_use_id"].as_str().unwrap().to_owned()),
                    _ => {}
                }
            }
            // Which of several is answered first is free: they come in the order in which they are done.
            answered.sort();
            open.sort();
            prop_assert_eq!(&answered, &open, "each call is answered in the next message");
            open = blocks.iter().filter(|block| block["type"] == "tool_use")
                .map(|block| block["id"].as_str().unwrap().to_owned()).collect();
        }
        prop_assert!(open.is_empty());
        prop_assert!(marks <= 4);
    }

    /// Law 7: text below the agent's trust cannot close its fence.
    #[test]
    fn data_stays_inside_its_fence(data in text()) {
        let snapshot = Snapshot {
            extra: vec![Extra { name: "x".into(), place: Place::Session, trust: Trust::ThirdParty,
                cap: None, source: Source::Command { line: "x".into() }, text: data.clone().into() }],
            message: "hi".into(),
            ..Snapshot::default()
        };
        let model = model(200_000);
        let counter = Counter::new(model.counting);
        let context = recipe(0, &model, &counter, Rules::OPENAI).build(&snapshot).unwrap();
        if data.trim().is_empty() { return Ok(()) }
        let system = &context.prompt.system;
        let open = system.find("<data").unwrap();
        let tag = system[open + 1..].split([' ', '>']).next().unwrap();
        let close = format!("</{tag}>");
        prop_assert_eq!(system.matches(&close).count(), 1);
        prop_assert!(system.ends_with(&close));
    }

    /// A pushed message costs itself, and the account still adds up.
    #[test]
    fn pushing_keeps_the_account(snapshot in snapshot(), more in prop::collection::vec(text(), 1..4)) {
        let model = model(20_000);
        let counter = Counter::new(model.counting);
        let recipe = recipe(0, &model, &counter, Rules::OPENAI);
        let Ok(mut context) = recipe.build(&snapshot) else { return Err(TestCaseError::reject("it does not fit")) };
        let before = context.clone();
        for text in more {
            let mut message = Message::text(Role::Assistant, text.clone());
            message.calls.push(ToolCall {
                id: "d".into(),
                name: "read_file".into(),
                arguments: text.into(),
                extra: Default::default(),
            });
            let _ = context.push(&recipe, message);
            prop_assert!(has_objects(&context.prompt), "what is counted is what goes out");
        }
        prop_assert_eq!(context.ledger.total, recount(&context.prompt, &model));
        prop_assert!(context.ledger.total <= model.budget());
        let rows: Tokens = context.ledger.layers.iter().map(|row| row.given).sum();
        prop_assert_eq!(rows + context.ledger.framing, context.ledger.total);
        prop_assert_eq!(shared(&before, &context).parts_at, None);
    }

    /// The account of a request that was sent adds up as it did when it was made.
    #[test]
    fn a_request_that_is_looked_at_again_adds_up(snapshot in snapshot()) {
        let model = model(20_000);
        let counter = Counter::new(model.counting);
        let recipe = recipe(0, &model, &counter, Rules::OPENAI);
        let Ok(context) = recipe.build(&snapshot) else { return Err(TestCaseError::reject("it does not fit")) };
        let Prompt { tools, messages, .. } = &context.prompt;
        let again = recipe.replay(&context.frozen(), tools.clone(), messages).ledger;
        prop_assert_eq!(again.total, context.ledger.total);
        let rows: Tokens = again.layers.iter().map(|row| row.given).sum();
        prop_assert_eq!(rows + again.framing, again.total);
    }

    /// Law 3 across turns: with its prefix frozen, a request extends the one before it.
    #[test]
    fn a_frozen_prefix_is_extended(
        snapshot in snapshot(), other in snapshot(), reply in text(), window in 3000u32..9000,
        profile in 0..PROFILES.len(),
    ) {
        let model = model(window);
        let counter = Counter::new(model.counting);
        let recipe = recipe(profile, &model, &counter, Rules::OPENAI);
        let first = Snapshot { message: "hi".into(), ..snapshot };
        let Ok(one) = recipe.build(&first) else { return Err(TestCaseError::reject("it does not fit")) };
        let mut history = one.prompt.messages.clone();
        history.push(Arc::new(Message::text(Role::Assistant, format!("well, {reply}"))));
        let next = Snapshot {
            frozen: Some(Arc::new(one.frozen())),
            history,
            tools: first.tools.clone(),
            message: "and then?".into(),
            ..other
        };
        prop_assert!(one.frozen().is_whole());
        let Ok(two) = recipe.build(&next) else { return Err(TestCaseError::reject("it does not fit")) };
        prop_assert_eq!(&two.prompt.system, &one.prompt.system);
        let shared = shared(&one, &two);
        prop_assert_eq!(shared.parts_at, None, "{:#?}", two.ledger.repairs);
        prop_assert_eq!(two.ledger.total, recount(&two.prompt, &model));
        let (a, b) = (openai::messages(&one.prompt), openai::messages(&two.prompt));
        prop_assert_eq!(&b[..a.len()], &a[..]);
    }
}
