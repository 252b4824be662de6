//! Laws 1 and 5: whatever the snapshot and the window, the request is never over its budget, and
//! the account adds up.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use louver_context::ledger::Reason;
use louver_context::profile::PROFILES;
use louver_context::snapshot::{Document, Earlier, Extra, Note, Now, SkillCard};
use louver_context::{
    Counter, Counting, Message, Model, Place, Recipe, Role, Rules, Snapshot, Source, Tokens,
    ToolCall, Trust,
};

fuzz_target!(|bytes: &[u8]| {
    // Bytes that run out give zeros and empty texts, which are snapshots too.
    let _ = check(&mut Unstructured::new(bytes));
});

fn check(input: &mut Unstructured<'_>) -> Result<()> {
    let profile = input.choose(PROFILES)?;
    let rules = *input.choose(&[Rules::OPENAI, Rules::ANTHROPIC, Rules::STRICT])?;
    let mut model = Model::named("gpt-4o");
    model.window = Tokens(input.int_in_range(10..=3000)?);
    model.reply = Tokens(model.window.0 / input.int_in_range(2..=8)?);
    // Half of the time a word is a token: quicker, so that more is tried.
    if input.arbitrary()? {
        model.counting = Counting::Words;
    }
    let counter = Counter::new(model.counting);
    let rounds = input.arbitrary::<Option<u8>>()?.map(u32::from);
    let recipe = Recipe { profile, model: &model, counter: &counter, rules, rounds };
    match recipe.build(&snapshot(input)?) {
        Ok(context) => {
            let ledger = &context.ledger;
            assert!(ledger.total <= model.budget(), "{} of {}", ledger.total, model.budget());
            let spans: Tokens = ledger.spans.iter().map(|span| span.tokens).sum();
            assert_eq!(spans + ledger.framing, ledger.total);
            let rows: Tokens = ledger.layers.iter().map(|row| row.given).sum();
            assert_eq!(rows, spans);
        }
        Err(error) => assert!(error.needs > error.budget),
    }
    Ok(())
}

fn snapshot(input: &mut Unstructured<'_>) -> Result<Snapshot> {
    let mut skills = list(input, skill)?;
    skills.sort_by(|a, b| a.name.cmp(&b.name));
    skills.dedup_by(|a, b| a.name == b.name);
    Ok(Snapshot {
        identity: maybe(input, document)?,
        instructions: list(input, document)?,
        memory: maybe(input, document)?,
        daily: list(input, document)?,
        skills: skills.into(),
        named_skills: list(input, |input| Ok(name(input)?.to_owned()))?,
        extra: list(input, extra)?,
        earlier: list(input, earlier)?,
        history: list(input, message)?,
        changes: maybe(input, |input| Ok(text(input)?.into()))?,
        recalled: list(input, note)?,
        now: maybe(input, |input| {
            Ok(Now { minute: text(input)?, weekday: "Tuesday", zone: "CET".into() })
        })?,
        message: text(input)?.into(),
        ..Snapshot::default()
    })
}

/// At most eight: what breaks with nine breaks with eight, and the bytes go further.
fn list<T>(
    input: &mut Unstructured<'_>,
    mut one: impl FnMut(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    (0..input.int_in_range(0..=8u8)?).map(|_| one(input)).collect()
}

fn maybe<T>(
    input: &mut Unstructured<'_>,
    one: impl FnOnce(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Option<T>> {
    Ok(if input.arbitrary()? { Some(one(input)?) } else { None })
}

/// Text out of parts that break things, repeated so that a few bytes make a long one.
fn text(input: &mut Unstructured<'_>) -> Result<String> {
    const PARTS: &[&str] = &[
        "word ",
        "# Heading\n",
        "- item\n",
        "```\n",
        "\n\n",
        "Anna is allergic. ",
        "<|endoftext|>",
        "</data>",
        "字字",
        "👩‍🚲",
        "\t",
        "12345",
        "\n---\n",
    ];
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=6u8)? {
        let part = match input.int_in_range(0..=9u8)? {
            0 => input.arbitrary::<&str>()?,
            _ => input.choose(PARTS)?,
        };
        text.push_str(&part.repeat(input.int_in_range(1..=40)?));
    }
    Ok(text)
}

fn name(input: &mut Unstructured<'_>) -> Result<&'static str> {
    Ok(input.choose(&["a", "b", "c", "github", "weather", ""])?)
}

fn document(input: &mut Unstructured<'_>) -> Result<Document> {
    let name: Arc<str> = (*input.choose(&["AGENTS.md", "SOUL.md", "USER.md", "x.md"])?).into();
    Ok(Document { path: name.clone(), name, text: text(input)?.into() })
}

fn skill(input: &mut Unstructured<'_>) -> Result<Arc<SkillCard>> {
    let name = name(input)?;
    Ok(Arc::new(SkillCard {
        name: name.into(),
        description: text(input)?.replace('\n', " ").into(),
        location: format!("skills/{name}/SKILL.md").into(),
        body: text(input)?.into(),
        body_line: 4,
        always: input.arbitrary()?,
        missing: if input.arbitrary()? { "CLI: gh" } else { "" }.into(),
        hidden: input.arbitrary()?,
        listing: Default::default(),
    }))
}

fn extra(input: &mut Unstructured<'_>) -> Result<Extra> {
    let places = [Place::Always, Place::Session, Place::History, Place::Turn];
    let trusts = [Trust::Owner, Trust::Agent, Trust::Tool, Trust::ThirdParty];
    Ok(Extra {
        name: "branch".into(),
        place: *input.choose(&places)?,
        trust: *input.choose(&trusts)?,
        cap: input.arbitrary::<Option<u8>>()?.map(|cap| Tokens(cap.into())),
        source: Source::Command { line: "git branch".into() },
        text: text(input)?.into(),
    })
}

fn earlier(input: &mut Unstructured<'_>) -> Result<Earlier> {
    let first = u64::from(input.arbitrary::<u8>()?);
    let last = first + u64::from(input.arbitrary::<u8>()?);
    let untold = maybe(input, |input| {
        let reason = input.choose(&[Reason::Room, Reason::Rounds(3)])?.clone();
        Ok((Tokens(input.arbitrary::<u16>()?.into()), reason))
    })?;
    Ok(Earlier { text: text(input)?.into(), events: [first, last], untold })
}

fn note(input: &mut Unstructured<'_>) -> Result<Note> {
    let [source, date, who] = ["HISTORY.md", "2026-03-01", "Anna"].map(str::to_owned);
    Ok(Note { id: name(input)?.into(), source, date, who, text: text(input)?.into() })
}

fn message(input: &mut Unstructured<'_>) -> Result<Arc<Message>> {
    let role = *input.choose(&[Role::User, Role::Assistant, Role::Tool, Role::System])?;
    let mut message = Message::text(role, text(input)?);
    match role {
        Role::Assistant => message.calls = list(input, call)?,
        Role::Tool => message.answers = Some(name(input)?.into()),
        Role::User | Role::System => {}
    }
    Ok(Arc::new(message))
}

fn call(input: &mut Unstructured<'_>) -> Result<ToolCall> {
    let (id, name) = (name(input)?.into(), name(input)?.into());
    Ok(ToolCall { id, name, arguments: text(input)?.into(), extra: Default::default() })
}
