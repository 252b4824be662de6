//! One SKILL.md.
//!
//! The format is Agent Skills', with what nanobot and OpenClaw put into `metadata` and what the
//! seed documents show at the top level (`always`, `requires`). Whatever is not understood is
//! kept in `extra` and costs at most a problem.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::metadata::{is_set, ours, parse, scalar, tools};
use super::requires::{Missing, Requires, as_text};
use crate::frontmatter::{self, Frontmatter, written};
use crate::problem::Problem;

/// The Agent Skills limit on `name`, in characters.
const MAX_NAME: usize = 64;

/// The Agent Skills limit on `description`, in characters.
const MAX_DESCRIPTION: usize = 1024;

/// A skill, as far as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    /// The name of its folder, which is what it is called by.
    pub name: String,
    /// When to use it, on one line; its name when it does not say.
    pub description: String,
    /// Where its SKILL.md is, as the model is told.
    pub path: String,
    /// Who brought it.
    pub origin: Origin,
    /// The text after the frontmatter.
    pub body: Arc<str>,
    /// The line of SKILL.md on which the body begins, counted from 1.
    pub body_line: u32,
    /// Its body belongs into every context.
    pub always: bool,
    /// What it needs.
    pub requires: Requires,
    /// What of that is not here.
    pub missing: Vec<Missing>,
    /// The licence it names.
    pub license: Option<String>,
    /// What it says about where it works.
    pub compatibility: Option<String>,
    /// The tools it may use without asking.
    pub allowed_tools: Vec<String>,
    /// Its `metadata`, parsed.
    pub metadata: Value,
    /// Every other key of the frontmatter.
    pub extra: Map<String, Value>,
    /// Only a person may call it (`disable-model-invocation`).
    pub hidden: bool,
}

/// Who brought a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It lies in the workspace.
    Workspace,
    /// It ships with louver.
    BuiltIn,
}

/// Which SKILL.md a text is.
pub(super) struct Place<'a> {
    pub(super) name: &'a str,
    /// The path in problems: relative to the workspace.
    pub(super) told: &'a str,
    /// The path in the context: absolute.
    pub(super) shown: String,
    pub(super) origin: Origin,
}

impl Skill {
    /// Whether everything it needs is here.
    pub fn available(&self) -> bool {
        self.missing.is_empty()
    }

    /// What is not here, as one line: `CLI: ffmpeg, ENV: OPENAI_API_KEY`.
    pub fn missing_text(&self) -> String {
        as_text(&self.missing)
    }

    /// Reads a SKILL.md. Nothing is looked up, so `missing` is empty.
    pub(super) fn parse(text: &str, place: Place<'_>) -> (Skill, Vec<Problem>) {
        let front = frontmatter::split(place.told, text);
        let (body, body_line) = body(text, &front);
        let mut reader =
            Reader { text, path: place.told, keys: front.keys, problems: front.problems };
        reader.check_name(place.name);
        let description = reader.description(place.name, front.body_line);
        let metadata = reader.metadata();
        let (always, requires) = reader.needs(ours(&metadata));
        let skill = Skill {
            name: place.name.to_owned(),
            description,
            path: place.shown,
            origin: place.origin,
            body,
            body_line,
            always,
            requires,
            missing: Vec::new(),
            license: reader.take("license").as_ref().and_then(scalar),
            compatibility: reader.take("compatibility").as_ref().and_then(scalar),
            allowed_tools: reader.take("allowed-tools").as_ref().map(tools).unwrap_or_default(),
            metadata,
            hidden: reader.take("disable-model-invocation").is_some_and(|flag| is_set(&flag)),
            extra: reader.keys,
        };
        (skill, reader.problems)
    }
}

/// The body as nanobot cuts it: stripped after frontmatter, untouched without.
fn body(text: &str, front: &Frontmatter) -> (Arc<str>, u32) {
    if front.body == 0 {
        return (text.into(), 1);
    }
    // Python's `strip` takes four control characters for white space that Rust does not.
    let blank = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    let rest = text[front.body..].trim_start_matches(blank);
    let skipped = &text[front.body..text.len() - rest.len()];
    let lines = skipped.bytes().filter(|byte| *byte == b'\n').count();
    (rest.trim_end_matches(blank).into(), front.body_line + lines as u32)
}

/// Takes the keys it knows out of the frontmatter, and what is left is `extra`.
struct Reader<'a> {
    text: &'a str,
    path: &'a str,
    keys: Map<String, Value>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn take(&mut self, key: &str) -> Option<Value> {
        // Not `remove`, which would put the last key in this one's place.
        self.keys.shift_remove(key)
    }

    fn report(&mut self, problem: Problem, key: &str) {
        let line = written(self.text, key).map(|(line, _)| line);
        self.problems.push(problem.at(line));
    }

    fn check_name(&mut self, folder: &str) {
        let name = self.take("name").as_ref().and_then(scalar);
        if let Some(name) = name.filter(|name| name != folder) {
            let what = format!("`name` is `{name}` but the folder is `{folder}`, which counts");
            self.report(Problem::note(self.path, what), "name");
        }
        let length = folder.chars().count();
        if length > MAX_NAME {
            let what = format!("the name has {length} characters; Agent Skills allow {MAX_NAME}");
            self.problems.push(Problem::note(self.path, what));
        }
    }

    fn description(&mut self, name: &str, body_line: u32) -> String {
        let value = self.take("description");
        let raw = value.as_ref().filter(|value| value.is_array() || value.is_object());
        let text = match raw.and(written(self.text, "description")) {
            // `[draft] …` and `{x}` are a list and a mapping to YAML, and words to who wrote them.
            Some((_, words)) => Some(words.to_owned()).filter(|words| !words.is_empty()),
            None => value.as_ref().and_then(scalar),
        };
        let Some(text) = text else {
            let problem = Problem::warning(self.path, "`description` is missing")
                .at(body_line.saturating_sub(1).max(1))
                .hint("add one sentence that says when to use it; the model chooses skills by it");
            self.problems.push(problem);
            return name.to_owned();
        };
        let length = text.chars().count();
        if length > MAX_DESCRIPTION {
            let what = format!(
                "`description` has {length} characters; Agent Skills allow {MAX_DESCRIPTION}"
            );
            self.report(Problem::note(self.path, what), "description");
        }
        on_one_line(text)
    }

    fn metadata(&mut self) -> Value {
        let Some(value) = self.take("metadata") else { return Value::Null };
        parse(value).unwrap_or_else(|bad| {
            let what = format!("`metadata` cannot be read: {bad}");
            self.report(Problem::warning(self.path, what), "metadata");
            Value::Null
        })
    }

    fn needs(&mut self, ours: Option<&Map<String, Value>>) -> (bool, Requires) {
        let mut requires = Requires::default();
        requires.add(&self.keys);
        let mut always = self.keys.get("always").is_some_and(is_set);
        if let Some(ours) = ours {
            requires.add(ours);
            always |= ours.get("always").is_some_and(is_set);
        }
        for key in ["always", "requires", "os"] {
            self.take(key);
        }
        (always, requires)
    }
}

fn on_one_line(text: String) -> String {
    if text.contains(['\n', '\r']) {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> (Skill, Vec<String>) {
        let place = Place {
            name: "invoice",
            told: "skills/invoice/SKILL.md",
            shown: "/ws/skills/invoice/SKILL.md".into(),
            origin: Origin::Workspace,
        };
        let (skill, problems) = Skill::parse(text, place);
        (skill, problems.iter().map(Problem::to_string).collect())
    }

    #[test]
    fn a_skill_is_read_whole() {
        let (skill, problems) = read(
            "---\nname: invoice\ndescription: Write invoices\nlicense: MIT\ncompatibility: any\n\
             allowed-tools: Read Write\nmetadata: {\"nanobot\": {\"always\": true, \"os\": \"darwin\"}}\n\
             disable-model-invocation: true\nversion: 2\nhomepage: h\n---\n\n# How\n\nSo.\n\n",
        );
        let wanted = Skill {
            name: "invoice".into(),
            description: "Write invoices".into(),
            path: "/ws/skills/invoice/SKILL.md".into(),
            origin: Origin::Workspace,
            body: "# How\n\nSo.".into(),
            body_line: 13,
            always: true,
            requires: Requires { os: vec!["macos".into()], ..Requires::default() },
            missing: vec![],
            license: Some("MIT".into()),
            compatibility: Some("any".into()),
            allowed_tools: vec!["Read".into(), "Write".into()],
            metadata: json!({"nanobot": {"always": true, "os": "darwin"}}),
            extra: json!({"version": 2, "homepage": "h"}).as_object().unwrap().clone(),
            hidden: true,
        };
        assert_eq!((skill, problems), (wanted, vec![]));
    }

    #[test]
    fn the_seeds_own_example_is_understood() {
        let (skill, problems) = read(
            "---\ndescription: \"技能的简短描述\"\nalways: true              # 可选：始终加载\n\
             requires:\n  bins:\n    - ffmpeg               # 需要的命令行工具\n  env:\n\
             \x20   - OPENAI_API_KEY       # 需要的环境变量\n\
             metadata: '{\"nanobot\": {\"emoji\": \"🎬\"}}'  # nanobot 元数据（JSON）\n---\n\n# 技能标题\n",
        );
        assert_eq!(skill.description, "技能的简短描述");
        assert_eq!(&*skill.body, "# 技能标题");
        assert!(skill.always);
        let requires = Requires {
            bins: vec!["ffmpeg".into()],
            env: vec!["OPENAI_API_KEY".into()],
            ..Requires::default()
        };
        assert_eq!(skill.requires, requires);
        assert_eq!(skill.metadata, json!({"nanobot": {"emoji": "🎬"}}));
        assert_eq!((problems, skill.extra.len()), (vec![], 0));
    }

    #[test]
    fn always_may_be_a_flag_or_stand_in_metadata() {
        for (line, always) in [
            ("always: true", true),
            ("always: yes", true),
            ("always: false", false),
            ("always: \"false\"", false),
            ("metadata: {\"nanobot\":{\"always\":true}}", true),
            ("metadata: '{\"openclaw\":{\"always\":true}}'", true),
            ("metadata:\n  clawdbot:\n    always: true", true),
            ("metadata:\n  always: true", true),
            ("metadata: {\"other\":{\"always\":true}}", false),
        ] {
            let (skill, _) = read(&format!("---\ndescription: d\n{line}\n---\n"));
            assert_eq!(skill.always, always, "{line}");
        }
    }

    #[test]
    fn without_a_description_the_name_stands_in() {
        let (skill, problems) = read("---\nname: invoice\n---\nbody");
        assert_eq!(skill.description, "invoice");
        assert_eq!(problems, ["skills/invoice/SKILL.md line 3: `description` is missing"]);
        for empty in ["description:", "description: \"\"", "description: ~", "description: '  '"] {
            let (skill, problems) = read(&format!("---\n{empty}\n---\nbody"));
            assert_eq!((skill.description.as_str(), problems.len()), ("invoice", 1), "{empty}");
        }
    }

    #[test]
    fn a_text_without_frontmatter_is_the_body_as_it_is() {
        let (skill, problems) = read("\n# Plain\n");
        assert_eq!((&*skill.body, skill.body_line), ("\n# Plain\n", 1));
        assert_eq!(
            problems,
            [
                "skills/invoice/SKILL.md line 1: it has no frontmatter",
                "skills/invoice/SKILL.md line 1: `description` is missing"
            ]
        );
    }

    #[test]
    fn descriptions_are_folded_and_kept_raw_otherwise() {
        for (value, wanted) in [
            (">\n  one\n  two\n\n  three", "one two three"),
            ("|\n  one\n    two", "one two"),
            ("a <b> & \"c\"  d", "a <b> & \"c\"  d"),
            ("[draft] ", "[draft]"),
            ("{x}", "{x}"),
            ("2024", "2024"),
            ("No", "No"),
            ("Use when: asked", "Use when: asked"),
        ] {
            let (skill, _) = read(&format!("---\ndescription: {value}\n---\n"));
            assert_eq!(skill.description, wanted);
        }
    }

    #[test]
    fn what_differs_from_the_format_is_a_note() {
        let long = "x".repeat(1025);
        let (_, problems) = read(&format!("---\nname: bill\ndescription: {long}\n---\n"));
        assert_eq!(
            problems,
            [
                "skills/invoice/SKILL.md line 2: `name` is `bill` but the folder is `invoice`, \
                 which counts",
                "skills/invoice/SKILL.md line 3: `description` has 1025 characters; Agent Skills \
                 allow 1024"
            ]
        );
    }

    #[test]
    fn bad_metadata_costs_the_metadata() {
        let (skill, problems) = read("---\ndescription: d\nmetadata: '{broken'\n---\nbody");
        assert_eq!((skill.metadata, &*skill.body), (Value::Null, "body"));
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("skills/invoice/SKILL.md line 3: `metadata` cannot"));
    }
}
