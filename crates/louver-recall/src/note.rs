//! A note: one thing that can be recalled, with who said it and when.

use jiff::civil::DateTime;

/// One message, paragraph, list item, tool or skill.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// The caller's name for it. Of two notes with one id, the later replaces the earlier.
    pub id: u64,
    /// What it says.
    pub text: String,
    /// Who said it, or the title of what it is part of. May be empty.
    pub who: String,
    /// Whose voice it is.
    pub voice: Voice,
    /// The conversation or document it belongs to. Notes of one session are neighbours in the
    /// order in which they were added. Empty: it stands alone.
    pub session: String,
    /// When it was said, in the local time of the one who asks.
    pub at: Option<DateTime>,
}

/// Whose voice a note is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Voice {
    /// The person the agent works for.
    Person,
    /// The agent itself.
    Agent,
    /// Anyone or anything else: other people, documents, tools.
    #[default]
    Other,
}

impl Note {
    /// What stands above the rest: a name and description in front matter, a first heading, or
    /// an identifier before a colon. Words in it say more about a note than words below it.
    pub fn heading(&self) -> &str {
        let text = self.text.trim_start();
        if let Some(front) = text.strip_prefix("---\n") {
            return front.find("\n---").map_or("", |end| &front[..end]);
        }
        let line = text.lines().next().unwrap_or("");
        if line.starts_with('#') {
            return line;
        }
        match line.split_once(':') {
            Some((name, _)) if name.len() <= 64 && !name.contains(char::is_whitespace) => name,
            _ => "",
        }
    }
}
