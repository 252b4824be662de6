//! Single facts that are added to memory: under a heading of their own, and none twice.
//!
//! At the end of the file a fact would stand under whatever heading comes last, and be read and recalled as
//! if it belonged there.

use super::record::{Origin, Who};
use super::state::About;
use super::{Memory, MemoryError, Written, text};

/// Where such facts stand.
pub const HEADING: &str = "## Remembered";

impl Memory {
    /// Adds a fact, of one line, at the end of its section. It never conflicts; one that memory has already
    /// is [`Written::Same`].
    pub fn remember(
        &self,
        fact: &str,
        who: Who,
        from: Option<Origin>,
    ) -> Result<Written, MemoryError> {
        let fact = text(fact.as_bytes().to_vec());
        self.change(|state| {
            let new = match has(&state.text, &fact) {
                true => state.text.clone(),
                false => with(&state.text, &fact),
            };
            (new, About { from: from.clone(), base: state.log.newest(), ..About::by(who) })
        })
    }
}

/// Whether a line says this already, but for its mark, case, spaces and full stop.
pub(super) fn has(memory: &str, fact: &str) -> bool {
    let fact = bare(fact);
    memory.lines().any(|line| bare(line) == fact)
}

fn bare(line: &str) -> String {
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let marked = ["- ", "* ", "+ "].iter().find_map(|mark| words.strip_prefix(mark));
    marked.unwrap_or(&words).trim_end_matches(['.', '。']).to_owned()
}

/// The text with one more fact.
fn with(memory: &str, fact: &str) -> String {
    let item = format!("- {}\n", fact.trim().trim_start_matches("- "));
    let Some(end) = end_of_section(memory) else {
        let before = memory.trim_end();
        let gap = if before.is_empty() { "" } else { "\n\n" };
        return format!("{before}{gap}{HEADING}\n\n{item}");
    };
    let (section, rest) = memory.split_at(end);
    let section = section.trim_end();
    // Under a heading that has nothing yet, a list begins after an empty line.
    let is_bare = section.lines().next_back().is_some_and(is_ours);
    let gap = if is_bare { "\n\n" } else { "\n" };
    let before_rest = if rest.is_empty() { "" } else { "\n" };
    format!("{section}{gap}{item}{before_rest}{rest}")
}

/// Where the section of such facts ends: at the next heading that is none of its own, or the end.
fn end_of_section(memory: &str) -> Option<usize> {
    let (mut at, mut is_inside, mut is_code) = (0, false, false);
    for line in memory.split_inclusive('\n') {
        let start = line.trim_start();
        is_code ^= start.starts_with("```") || start.starts_with("~~~");
        if is_inside && !is_code && (line.starts_with("# ") || line.starts_with("## ")) {
            return Some(at);
        }
        is_inside |= !is_code && is_ours(line);
        at += line.len();
    }
    is_inside.then_some(memory.len())
}

fn is_ours(line: &str) -> bool {
    line.trim_end().eq_ignore_ascii_case(HEADING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_stands_under_a_heading_of_its_own() {
        let one = with("", "Likes tea.");
        assert_eq!(one, "## Remembered\n\n- Likes tea.\n");
        let two = with("# Me\n\n## Car\n\n- It is red.", "- Likes tea.");
        assert_eq!(two, "# Me\n\n## Car\n\n- It is red.\n\n## Remembered\n\n- Likes tea.\n");
        let three = with(&two, "Has a cat.");
        assert_eq!(three, format!("{two}- Has a cat.\n"));
    }

    #[test]
    fn a_section_that_is_there_grows_at_its_end() {
        let memory =
            "## remembered\n\n- a\n\n### Pets\n\n- b\n```\n# no heading\n```\n\n# Work\n- c\n";
        let wanted =
            "## remembered\n\n- a\n\n### Pets\n\n- b\n```\n# no heading\n```\n- d\n\n# Work\n- c\n";
        assert_eq!(with(memory, "d"), wanted);
        assert_eq!(with("## Remembered\n# Work\n", "d"), "## Remembered\n\n- d\n\n# Work\n");
        assert_eq!(
            with("```\n## Remembered\n```\n", "d"),
            "```\n## Remembered\n```\n\n## Remembered\n\n- d\n"
        );
    }

    #[test]
    fn a_fact_that_is_there_is_known_again() {
        let memory = "# Me\n\n* Anna  likes TEA.\nMy cat is Momo\n";
        for fact in ["Anna likes tea", "- anna likes tea.", "my cat is momo."] {
            assert!(has(memory, fact), "{fact}");
        }
        assert!(!has(memory, "Anna likes") && !has(memory, "Momo"));
    }
}
