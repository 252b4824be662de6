//! What a case is given: input blocks into a snapshot, a model, a profile and rules.

use std::sync::Arc;

use louver_context::snapshot::{Document, Earlier, Extra, Host, Note, Now, SkillCard, ToolSchema};
use louver_context::*;
use serde_json::Value;

use crate::{Block, PLAIN};

/// What a case is given.
#[derive(Clone)]
pub(crate) struct Facts {
    pub(crate) snapshot: Snapshot,
    model: Model,
    profile: &'static Profile,
    rules: Rules,
    rounds: Option<u32>,
}

impl Default for Facts {
    fn default() -> Self {
        let (snapshot, model) = (Snapshot::default(), Model::of_words(10_000, 1_000));
        Facts { snapshot, model, profile: &PLAIN, rules: Rules::OPENAI, rounds: None }
    }
}

impl Facts {
    /// Builds the context, as any caller of the engine does.
    pub(crate) fn build(&self) -> Result<Context, DoesNotFit> {
        let counter = Counter::new(Counting::Words);
        let Facts { snapshot, model, profile, rules, rounds } = self;
        Recipe { profile, model, counter: &counter, rules: *rules, rounds: *rounds }.build(snapshot)
    }

    /// Takes an input block. False when it is none.
    pub(crate) fn take(&mut self, block: &Block) -> bool {
        let Block { kind, name, .. } = *block;
        let text = expand(&block.text);
        let document =
            |path: String| Document { name: name.into(), path: path.into(), text: (&*text).into() };
        let words: Vec<&str> = text.split_whitespace().collect();
        let snapshot = &mut self.snapshot;
        match kind {
            "budget" => {
                self.model = Model::of_words(words[1].parse().unwrap(), words[3].parse().unwrap())
            }
            "profile" => self.profile = Profile::named(&text).expect("a known profile"),
            "rounds" => self.rounds = Some(text.parse().unwrap()),
            "rules" => {
                let known = [
                    ("openai", Rules::OPENAI),
                    ("anthropic", Rules::ANTHROPIC),
                    ("strict", Rules::STRICT),
                ];
                self.rules =
                    known.into_iter().find(|(name, _)| *name == text).expect("known rules").1;
            }
            "host" => {
                let [system, machine, version, workspace] =
                    [0, 1, 2, 3].map(|i| words[i].to_owned());
                snapshot.host = Host { system, machine, version, workspace, model: "words".into() };
            }
            "identity" => snapshot.identity = Some(document("IDENTITY.md".into())),
            "file" => {
                put(&mut snapshot.instructions, document(name.into()), |file| &*file.name == name)
            }
            "memory" => snapshot.memory = Some(document("memory/MEMORY.md".into())),
            "note" => put(&mut snapshot.daily, document(format!("memory/{name}.md")), |note| {
                &*note.name == name
            }),
            "skill" => {
                let mut skills = snapshot.skills.to_vec();
                put(&mut skills, skill(name, &text), |skill| &*skill.name == name);
                skills.sort_by(|a, b| a.name.cmp(&b.name));
                snapshot.skills = skills.into();
            }
            "tool" => {
                snapshot.tools = snapshot.tools.iter().cloned().chain([tool(name, &text)]).collect()
            }
            "summary" => {
                snapshot.earlier = (1..).zip(text.split("\n\n")).map(earlier).collect();
                snapshot.entries_in = Some("memory/HISTORY.md".into());
            }
            "changes" => snapshot.changes = Some(text.into()),
            "recalled" => snapshot.recalled = text.lines().map(note).collect(),
            "history" => snapshot.history = history(&block.text),
            "extra" => snapshot.extra.push(extra(name, &text)),
            "runtime" => text.lines().for_each(|line| runtime_fact(snapshot, line)),
            "message" => snapshot.message = text.into(),
            "picture" => snapshot.pictures.push(Arc::new(Picture::from_url(&text, None))),
            _ => return false,
        }
        true
    }
}

/// Adds an item, or replaces the one that is the same.
fn put<T>(list: &mut Vec<T>, item: T, same: impl Fn(&T) -> bool) {
    match list.iter().position(same) {
        Some(at) => list[at] = item,
        None => list.push(item),
    }
}

fn earlier((n, text): (u64, &str)) -> Earlier {
    Earlier { text: text.into(), events: [n, n], untold: None }
}

fn skill(name: &str, text: &str) -> Arc<SkillCard> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let field =
        |key: &str| head.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
    Arc::new(SkillCard {
        name: name.into(),
        description: field("description:").into(),
        location: format!("skills/{name}/SKILL.md").into(),
        body: body.into(),
        body_line: 5,
        always: field("always:") == "true",
        missing: field("missing:").into(),
        hidden: field("hidden:") == "true",
        listing: Default::default(),
    })
}

fn tool(name: &str, text: &str) -> ToolSchema {
    let (description, parameters) = text.split_once('\n').unwrap();
    let parameters = serde_json::from_str(parameters).unwrap();
    ToolSchema { name: name.into(), description: description.into(), parameters }
}

fn note(line: &str) -> Note {
    let parts: Vec<&str> = line.splitn(5, " | ").collect();
    Note {
        id: parts[0].into(),
        source: parts[1].into(),
        date: parts[2].into(),
        who: parts[3].into(),
        text: parts[4].replace("\\n", "\n").into(),
    }
}

fn extra(info: &str, text: &str) -> Extra {
    let words: Vec<&str> = info.split(' ').collect();
    Extra {
        name: words[0].into(),
        place: Place::from_name(words[1]).unwrap(),
        trust: Trust::from_name(words[2]).unwrap(),
        cap: words.get(4).map(|cap| Tokens(cap.parse().unwrap())),
        source: Source::Command { line: words[0].into() },
        text: text.into(),
    }
}

fn runtime_fact(snapshot: &mut Snapshot, line: &str) {
    let (fact, value) = line.split_once(' ').unwrap();
    match fact {
        "now" => {
            let words: Vec<&str> = value.split(' ').collect();
            let days =
                ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
            let weekday = days.into_iter().find(|day| *day == words[2]).unwrap();
            let minute = format!("{} {}", words[0], words[1]);
            snapshot.now = Some(Now { minute, weekday, zone: words[3].into() });
        }
        "channel" => snapshot.channel = Some(said(value)),
        "chat" => snapshot.chat = Some(said(value)),
        _ => panic!("unknown fact `{fact}`"),
    }
}

/// Reads a conversation: a line a message, as `specs/README.md` explains.
fn history(text: &str) -> Vec<Arc<Message>> {
    let mut messages: Vec<Message> = Vec::new();
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            _ if line.starts_with('{') => {
                let value: Value = serde_json::from_str(line).unwrap();
                messages.push(Message::from_openai(&value).unwrap());
            }
            "user:" => messages.push(Message::text(Role::User, said(rest))),
            "assistant:" => messages.push(Message::text(Role::Assistant, said(rest))),
            "system:" => messages.push(Message::text(Role::System, said(rest))),
            "result" => {
                let (head, text) = rest.split_once(": ").unwrap();
                let (id, name) = head.split_once(' ').unwrap();
                messages.push(Message::result(absent(id), absent(name), said(text)));
            }
            "calls" => {
                if messages.last().is_none_or(|last| last.role != Role::Assistant) {
                    messages.push(Message::new(Role::Assistant, Content::Null));
                }
                messages.last_mut().unwrap().calls.push(call(rest));
            }
            _ => panic!("unknown line `{line}`"),
        }
    }
    messages.into_iter().map(Arc::new).collect()
}

fn call(text: &str) -> ToolCall {
    let mut words = text.splitn(3, ' ');
    let mut next = || words.next().unwrap_or_default();
    let (id, name, arguments) = (absent(next()).into(), absent(next()).into(), next().into());
    ToolCall { id, name, arguments, extra: Default::default() }
}

/// A dash stands for nothing.
fn absent(text: &str) -> &str {
    if text == "-" { "" } else { text }
}

fn said(text: &str) -> String {
    expand(&text.replace("\\n", "\n"))
}

/// A line `40 × text` is forty lines.
fn expand(text: &str) -> String {
    let line = |line: &str| match line.split_once(" × ") {
        Some((times, text)) if times.parse::<usize>().is_ok() => {
            vec![text; times.parse().unwrap()].join("\n")
        }
        _ => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}
