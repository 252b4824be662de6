//! Patterns for names: `*.rs`, `src/**/*.{md,txt}`.

use regex::Regex;

/// A pattern for names. One without `/` is about the last part of a path, wherever it is.
#[derive(Debug)]
pub(super) struct Glob {
    regex: Regex,
    whole: bool,
}

impl Glob {
    /// Reads a pattern; nothing when it is not one.
    pub(super) fn new(glob: &str) -> Option<Glob> {
        let regex = regex::RegexBuilder::new(&format!("^{}$", translated(glob)?));
        let regex = { regex }.size_limit(1 << 18).dot_matches_new_line(true).build().ok()?;
        Some(Glob { regex, whole: glob.contains('/') })
    }

    /// Whether a path has this pattern.
    pub(super) fn matches(&self, path: &str) -> bool {
        let last = path.rsplit('/').next().unwrap_or(path);
        self.regex.is_match(if self.whole { path } else { last })
    }
}

/// The pattern as a regular expression.
fn translated(glob: &str) -> Option<String> {
    let mut regex = String::new();
    let mut rest = glob.trim_start_matches("./");
    let mut open = 0_u32;
    while let Some(c) = rest.chars().next() {
        let (piece, taken): (&str, usize) = match c {
            '*' if rest.starts_with("**/") => ("(?:.*/)?", 3),
            '*' if rest.starts_with("**") => (".*", 2),
            '*' => ("[^/]*", 1),
            '?' => ("[^/]", 1),
            '{' => {
                open += 1;
                ("(?:", 1)
            }
            '}' if open > 0 => {
                open -= 1;
                (")", 1)
            }
            ',' if open > 0 => ("|", 1),
            c => {
                regex += &regex::escape(c.encode_utf8(&mut [0; 4]));
                ("", c.len_utf8())
            }
        };
        regex += piece;
        rest = &rest[taken..];
    }
    (open == 0).then_some(regex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_about_names_or_whole_paths() {
        let matches = |glob: &str, path: &str| Glob::new(glob).unwrap().matches(path);
        assert!(matches("*.rs", "a/b/c.rs") && !matches("*.rs", "a/c.rst"));
        assert!(matches("src/*.rs", "src/a.rs") && !matches("src/*.rs", "src/b/a.rs"));
        assert!(matches("src/**/*.rs", "src/a.rs") && matches("src/**/*.rs", "src/b/c/a.rs"));
        assert!(matches("**/x", "x") && matches("a/**", "a/b/c"));
        assert!(matches("*.{md,txt}", "a.txt") && !matches("*.{md,txt}", "a.rs"));
        assert!(matches("a+(b)?.c", "a+(b)x.c") && !matches("a+(b)?.c", "aab.c"));
        assert!(Glob::new("*.{md").is_none());
    }
}
