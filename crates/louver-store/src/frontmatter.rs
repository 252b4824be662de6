//! The `---` block at the top of a Markdown file, as people really write it.
//!
//! It is read as YAML, with limits that end a bomb within a millisecond. Where that fails, the
//! block is taken apart at its unindented keys and each is read alone, so that one
//! `description: Use when: needed` costs a warning and not the whole file.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::problem::Problem;

/// How far the closing line is searched for.
const MAX_BLOCK: usize = 64 * 1024;

/// How many keys are read one by one when the block as a whole is not YAML.
const MAX_PIECES: usize = 256;

/// What stands at the top of a file, and where the rest begins.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frontmatter {
    /// The keys and values, in the order of the file.
    pub keys: Map<String, Value>,
    /// The byte at which the body begins.
    pub body: usize,
    /// The line on which the body begins, counted from 1.
    pub body_line: u32,
    /// What was guessed or could not be understood.
    pub problems: Vec<Problem>,
}

/// Splits a text into its frontmatter and its body. `path` is only for the problems.
pub fn split(path: &str, text: &str) -> Frontmatter {
    let Some(after) = first_line_opens(text) else {
        let problem = Problem::note(path, "it has no frontmatter").at(1);
        return Frontmatter { body_line: 1, problems: vec![problem], ..Default::default() };
    };
    let Some((block, body)) = find_end(text, after) else {
        let problem = Problem::warning(path, "the frontmatter has no closing `---`")
            .at(1)
            .hint("end it with a line that is only `---`");
        return Frontmatter { body_line: 1, problems: vec![problem], ..Default::default() };
    };
    let mut problems = Vec::new();
    let keys = understand(path, block, &mut problems);
    let body_line = 1 + count_lines(&text[..body]) + u32::from(!text[..body].ends_with('\n'));
    Frontmatter { keys, body, body_line, problems }
}

/// The line, counted from 1, on which a key of the frontmatter stands, and its value as written.
pub fn written<'a>(text: &'a str, key: &str) -> Option<(u32, &'a str)> {
    let (block, _) = find_end(text, first_line_opens(text)?)?;
    let mut lines = (2..).zip(block.lines());
    lines.find_map(|(number, line)| match split_key(line) {
        Some((found, rest)) if found == key => Some((number, rest)),
        _ => None,
    })
}

/// The keys of the frontmatter, each with its line and all that is written for it, and the byte at which the body
/// begins. Between two rulers over prose there are none.
pub(crate) fn pieces_of(text: &str) -> Option<(Vec<(u32, &str)>, usize)> {
    let (block, body) = find_end(text, first_line_opens(text)?)?;
    let mut lines = block.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.next().is_none_or(|line| split_key(line).is_some()).then(|| (pieces(block), body))
}

/// Reads YAML, or JSON with the liberties that people take, within limits.
pub(crate) fn parse_yaml(text: &str) -> Result<Value, BadYaml> {
    let options = serde_saphyr::options! {
        // No header that a person writes comes near these; a bomb passes them at once.
        budget: serde_saphyr::budget! {
            max_events: 20_000,
            max_nodes: 10_000,
            max_depth: 32,
            flow_nesting_limit: 32,
            max_anchors: 64,
            max_aliases: 64,
            max_recorded_anchor_events: 5_000,
            max_recorded_anchor_bytes: 256 * 1024,
            max_documents: 1,
            max_merge_keys: 64,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 10_000,
            max_replay_stack_depth: 8,
        },
        // A key that is written twice has its last value, as in nanobot.
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        // `description: No` is a word.
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| BadYaml::new(&error))
}

/// Why something is not YAML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub(crate) struct BadYaml {
    /// The line within the text that was read, counted from 1.
    pub(crate) line: u32,
    pub(crate) what: String,
}

impl BadYaml {
    fn new(error: &serde_saphyr::Error) -> BadYaml {
        let line = error.location().and_then(|place| u32::try_from(place.line()).ok());
        let said = error.to_string();
        // The place is told apart from the reason: the line counts from the file's beginning.
        let reason = said.split(" at line ").next().unwrap_or(&said);
        let what = if reason.starts_with("budget breached") || reason.starts_with("recursion") {
            "it is too large or nested too deep"
        } else {
            reason
        };
        BadYaml { line: line.unwrap_or(1).max(1), what: what.to_owned() }
    }
}

/// What follows the first line, when that is `---`.
fn first_line_opens(text: &str) -> Option<usize> {
    let end = text.strip_prefix("---")?.find('\n')? + 3;
    text[3..end].trim().is_empty().then_some(end + 1)
}

/// The block between the two lines, and the byte after the second.
fn find_end(text: &str, after: usize) -> Option<(&str, usize)> {
    let searched = &text[after..text.floor_char_boundary(after + MAX_BLOCK)];
    let mut at = after;
    for line in searched.split_inclusive('\n') {
        let end = at + line.len();
        // The search may have stopped in the middle of a line that only begins like the end.
        let whole = line.ends_with('\n') || end == text.len();
        if whole && matches!(line.trim_end(), "---" | "...") {
            return Some((&text[after..at], end));
        }
        at = end;
    }
    None
}

fn count_lines(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(u32::MAX)
}

fn understand(path: &str, block: &str, problems: &mut Vec<Problem>) -> Map<String, Value> {
    let (rest, json) = without_json(block);
    let bad = match parse_yaml(&rest) {
        Ok(Value::Object(mut keys)) => {
            keys.extend(json);
            return keys;
        }
        Ok(Value::Null) => return Map::new(),
        Ok(_) => BadYaml { line: 1, what: "it is not made of `key: value` lines".into() },
        Err(bad) => bad,
    };
    let keys = key_by_key(path, block, problems);
    if problems.is_empty() {
        // Every key was fine alone, so what broke the block is between them.
        let what = format!("the frontmatter is not valid YAML: {bad}; its keys were read alone");
        problems.push(Problem::warning(path, what).at(bad.line + 1));
    }
    keys
}

/// Takes out values that are one line of JSON, and leaves `~` in their place.
///
/// JSON is YAML, but reading nanobot's long `metadata` lines as such takes five times as long
/// as all the rest of a SKILL.md.
fn without_json(block: &str) -> (Cow<'_, str>, Map<String, Value>) {
    let mut found = Map::new();
    if !block.contains(": {") {
        return (block.into(), found);
    }
    let mut rest = String::with_capacity(block.len());
    for line in block.split_inclusive('\n') {
        let json = split_key(line).filter(|(_, value)| value.starts_with('{'));
        match json.and_then(|(key, value)| Some((key, serde_json::from_str(value).ok()?))) {
            Some((key, value)) => {
                rest.extend([key, ": ~\n"]);
                found.insert(key.to_owned(), value);
            }
            None => rest.push_str(line),
        }
    }
    (rest.into(), found)
}

/// Reads each unindented key with the lines that belong to it.
fn key_by_key(path: &str, block: &str, problems: &mut Vec<Problem>) -> Map<String, Value> {
    let mut keys = Map::new();
    for (line, piece) in pieces(block).into_iter().take(MAX_PIECES) {
        let Some((key, rest)) = split_key(piece) else { continue };
        let value = match read_piece(key, piece) {
            Ok(value) => value,
            Err(bad) => {
                let (value, problem) = read_leniently(key, rest, piece, &bad);
                problems.push(Problem { path: path.to_owned(), ..problem }.at(line + bad.line - 1));
                value
            }
        };
        keys.insert(key.to_owned(), value);
    }
    keys
}

fn read_piece(key: &str, piece: &str) -> Result<Value, BadYaml> {
    match parse_yaml(piece)? {
        Value::Object(mut keys) if keys.len() == 1 => Ok(keys.remove(key).unwrap_or_default()),
        _ => Err(BadYaml { line: 1, what: "there is no space after the colon".into() }),
    }
}

/// Reads what is not YAML the way nanobot reads everything: the text after the first colon.
fn read_leniently(key: &str, rest: &str, piece: &str, bad: &BadYaml) -> (Value, Problem) {
    if piece.contains('\t')
        && let Ok(value) = read_piece(key, &piece.replace('\t', "  "))
    {
        let problem = Problem::warning("", format!("`{key}` is indented with tabs"));
        return (value, problem.hint("indent with spaces"));
    }
    let what = format!("`{key}` is not valid YAML: {bad}; it was read as plain text");
    let problem = Problem::warning("", what).hint("put the value in quotes");
    (Value::String(unquote(&with_indented(rest, piece)).to_owned()), problem)
}

/// The value's first line and those below that are its own: a stray one at the edge is not,
/// unless brackets are open.
fn with_indented(rest: &str, piece: &str) -> String {
    let open = rest.starts_with(['{', '[']);
    let own = |line: &&str| open || line.starts_with([' ', '\t']);
    let mut value = rest.to_owned();
    for line in piece.lines().skip(1).filter(own) {
        value.push('\n');
        value.push_str(line.trim());
    }
    value.truncate(value.trim_end().len());
    value
}

/// A key with the lines that belong to it, and the line of the file on which it begins.
fn pieces(block: &str) -> Vec<(u32, &str)> {
    let mut starts = Vec::new();
    let mut at = 0;
    for (number, line) in (2..).zip(block.split_inclusive('\n')) {
        if split_key(line).is_some() {
            starts.push((number, at));
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(_, start)| *start).chain([block.len()]);
    starts.iter().zip(ends).map(|((number, start), end)| (*number, &block[*start..end])).collect()
}

/// `key: rest` at the left edge. A space after the colon is not asked for, but a link is no key. One of two words needs
/// it (`creation date: 2026-05-03`); more of them are prose.
pub(crate) fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.lines().next()?.split_once(':')?;
    let named = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_word =
        |word: &str| !word.is_empty() && !word.starts_with('-') && word.chars().all(named);
    let is_key = match key.split_once(' ') {
        Some((one, two)) => {
            is_word(one) && is_word(two) && (rest.is_empty() || rest.starts_with(' '))
        }
        None => is_word(key) && !rest.starts_with("//"),
    };
    is_key.then_some((key, rest.trim()))
}

fn unquote(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.strip_suffix(quote).unwrap_or(inner);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn keys(text: &str) -> Value {
        Value::Object(split("SKILL.md", text).keys)
    }

    fn said(text: &str) -> Vec<String> {
        split("SKILL.md", text).problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn a_block_between_two_lines_is_read_and_the_rest_is_the_body() {
        let text = "---\nname: x\nn: 1\n---\n\n# Body\n";
        let front = split("SKILL.md", text);
        assert_eq!(Value::Object(front.keys), json!({"name": "x", "n": 1}));
        assert_eq!(&text[front.body..], "\n# Body\n");
        assert_eq!((front.body_line, front.problems), (5, vec![]));
    }

    #[test]
    fn the_order_of_the_keys_is_kept() {
        let front = split("", "---\nz: 1\na: 2\nm: 3\n---\n");
        assert_eq!(front.keys.keys().collect::<Vec<_>>(), ["z", "a", "m"]);
    }

    #[test]
    fn dots_end_it_and_the_last_line_needs_no_line_end() {
        assert_eq!(keys("---\na: 1\n...\nbody"), json!({"a": 1}));
        let front = split("", "---\na: 1\n---");
        assert_eq!((front.body, front.body_line), (12, 4));
        assert_eq!(keys("---\n---\nbody"), json!({}));
        assert_eq!(keys("--- \na: 1\n---  \nbody"), json!({"a": 1}));
    }

    #[test]
    fn a_text_without_frontmatter_is_all_body() {
        for text in ["", "# Title\n---\na: 1\n---\n", "----\na: 1\n---\n", "---", " ---\n---\n"] {
            let front = split("a.md", text);
            assert_eq!((front.body, front.body_line, front.keys.len()), (0, 1, 0), "{text:?}");
        }
        assert_eq!(said("hello"), ["SKILL.md line 1: it has no frontmatter"]);
    }

    #[test]
    fn a_block_that_never_ends_is_reported() {
        let wanted = ["SKILL.md line 1: the frontmatter has no closing `---`"];
        assert_eq!(said("---\na: 1\n"), wanted);
        let far = format!("---\na: {}\n---\n", "x".repeat(MAX_BLOCK));
        assert_eq!(said(&far), wanted);
        let huge = format!("---\n{}", "é".repeat(5_000_000));
        assert_eq!(said(&huge), wanted);
    }

    #[test]
    fn a_second_colon_costs_a_warning_and_not_the_other_keys() {
        let text =
            "---\nname: x\ndescription: Use when: asked\nrequires:\n  bins:\n    - jq\n---\n";
        let wanted = json!({
            "name": "x", "description": "Use when: asked", "requires": {"bins": ["jq"]}
        });
        assert_eq!(keys(text), wanted);
        assert_eq!(
            said(text),
            ["SKILL.md line 3: `description` is not valid YAML: mapping values are not allowed \
              in this context; it was read as plain text"]
        );
    }

    #[test]
    fn common_slips_are_understood() {
        for (line, value) in [
            ("d: [draft] use it", "[draft] use it"),
            ("d: @home", "@home"),
            ("d: `code` first", "`code` first"),
            ("d: 'it's here'", "it's here"),
            ("d: \"open", "open"),
            ("d:no space", "no space"),
            ("d: 100%: sure", "100%: sure"),
            ("d: Use: one\n  two", "Use: one\ntwo"),
            ("d: \u{0}: x", "\u{0}: x"),
        ] {
            let text = format!("---\n{line}\nlast: 1\n---\n");
            assert_eq!(keys(&text), json!({"d": value, "last": 1}), "{line}");
            assert_eq!(said(&text).len(), 1, "{line}");
        }
    }

    #[test]
    fn tabs_are_read_as_spaces() {
        let text = "---\nrequires:\n\tbins:\n\t\t- jq\n---\n";
        assert_eq!(keys(text), json!({"requires": {"bins": ["jq"]}}));
        assert_eq!(said(text), ["SKILL.md line 3: `requires` is indented with tabs"]);
    }

    #[test]
    fn inline_json_and_its_liberties_are_yaml() {
        let text = "---\nmetadata: {\"nanobot\":{\"emoji\":\"x\",\"a\":[1,2,],},}\n---\n";
        assert_eq!(keys(text), json!({"metadata": {"nanobot": {"emoji": "x", "a": [1, 2]}}}));
        assert_eq!(said(text), Vec::<String>::new());
    }

    #[test]
    fn json_that_is_taken_out_means_the_same_as_yaml() {
        for block in [
            "a: 1\nm: {\"x\": [1, \"é\\n\", null, {\"y\": 1.5}]}\nb: 2\n",
            "m: {\"x\": 1}\nm: {\"x\": 2}\n",
            "m: {}\n",
            "a: |\n  m: {\"x\": 1}\nm: {\"x\": 2} # two\n",
            "m: {\"x\": 1}\n  \nb: {\"x\": 1}",
        ] {
            let wanted = parse_yaml(block).unwrap();
            let text = format!("---\n{block}\n---\n");
            assert_eq!(keys(&text), wanted, "{block}");
            let order = |value: &Value| value.to_string();
            assert_eq!(order(&keys(&text)), order(&wanted), "{block}");
        }
    }

    #[test]
    fn a_stray_line_costs_nothing_else() {
        let text = "---\na: 1\n%%%\nb: 2\n---\n";
        assert_eq!(keys(text)["b"], json!(2));
        assert_eq!(said(text).len(), 1);
    }

    #[test]
    fn bombs_are_refused_quickly_and_the_description_survives() {
        let mut laughs = String::from("a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n");
        for n in 1..10 {
            let aliases = vec![format!("*a{}", n - 1); 9].join(",");
            laughs += &format!("a{n}: &a{n} [{aliases}]\n");
        }
        let nested = (0..200).map(|n| format!("{}a:\n", " ".repeat(n))).collect::<String>();
        let wide = format!("a: [{}]\n", "x,".repeat(30_000));
        let many = (0..6_000).map(|n| format!("k{n}: v\n")).collect::<String>();
        let deep = format!("a: {}\n", "[".repeat(50_000));
        for bomb in [laughs, nested, wide, many, deep, "? ".repeat(30_000) + "\n"] {
            let text = format!("---\ndescription: fine\n{bomb}---\nbody");
            let began = Instant::now();
            let front = split("SKILL.md", &text);
            // Generous for an unoptimised build on a busy machine; a real bomb takes minutes.
            assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
            assert_eq!(front.keys["description"], "fine");
            assert_eq!(&text[front.body..], "body");
            assert!(!front.problems.is_empty());
        }
    }

    #[test]
    fn a_key_can_be_found_where_it_was_written() {
        let text = "---\na: 1\nname: \"x\"\n---\nb: 2\n";
        assert_eq!(written(text, "name"), Some((3, "\"x\"")));
        assert_eq!(written(text, "b"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_split_at_a_character_within_it(text in "(---\n)?[a-z:\\- \n\t'\"{}\\[\\]&*é]{0,80}(\n---\n)?.{0,20}") {
            let front = split("a", &text);
            prop_assert!(text.is_char_boundary(front.body));
            prop_assert_eq!(front.body_line, 1 + count_lines(&text[..front.body])
                + u32::from(front.body > 0 && !text[..front.body].ends_with('\n')));
        }
    }
}
