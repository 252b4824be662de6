//! `<think>…</think>` at the start of an answer: thoughts that a server did not take out of the text.
//!
//! Only at the start: further on, a model may be writing about the tag. The tag can be split between
//! fragments; what may still become one is held back until it is clear.

/// A stretch of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words for the person.
    Text(String),
    /// What the model thinks.
    Thought(String),
}

/// Takes text in fragments and tells thoughts from words.
#[derive(Debug, Default)]
pub struct Think {
    at: At,
    held: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum At {
    /// Nothing but white space and perhaps part of a tag came so far.
    #[default]
    Start,
    /// Behind the opening tag, where white space goes.
    Opened,
    /// Between the tags.
    Inside,
    /// Behind the closing tag, where white space goes.
    Behind,
    /// In the words.
    Words,
}

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

impl Think {
    /// Takes the next fragment.
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        self.held.push_str(text);
        while self.step(&mut pieces) {}
        pieces
    }

    /// What was held back. A thought that was never closed is a thought all the same.
    pub fn finish(&mut self) -> Option<Piece> {
        let held = std::mem::take(&mut self.held);
        match self.at {
            _ if held.is_empty() => None,
            At::Inside => Some(Piece::Thought(held)),
            At::Opened | At::Behind => None,
            At::Start | At::Words => Some(Piece::Text(held)),
        }
    }

    /// Takes what it can from what is held; says whether there may be more to take.
    fn step(&mut self, pieces: &mut Vec<Piece>) -> bool {
        match self.at {
            At::Start => {
                let begun = self.held.trim_start();
                if let Some(rest) = begun.strip_prefix(OPEN) {
                    (self.at, self.held) = (At::Opened, rest.to_owned());
                    return true;
                }
                let open = OPEN.starts_with(begun);
                self.at = if open { At::Start } else { At::Words };
                !open
            }
            At::Inside => {
                let end = self.held.find(CLOSE);
                let keep = end.unwrap_or_else(|| self.held.len() - partial(&self.held, CLOSE));
                let rest = self.held.split_off(keep);
                let thought = std::mem::replace(&mut self.held, rest);
                if !thought.is_empty() {
                    pieces.push(Piece::Thought(thought));
                }
                if end.is_some() {
                    self.held.drain(..CLOSE.len());
                    self.at = At::Behind;
                }
                end.is_some()
            }
            At::Opened | At::Behind => {
                self.held = self.held.trim_start().to_owned();
                let more = !self.held.is_empty();
                if more {
                    self.at = if self.at == At::Opened { At::Inside } else { At::Words };
                }
                more
            }
            At::Words => {
                if !self.held.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut self.held)));
                }
                false
            }
        }
    }
}

/// How many bytes at the end of a text may be the beginning of a tag.
fn partial(text: &str, tag: &str) -> usize {
    (1..tag.len()).rev().find(|n| text.ends_with(&tag[..*n])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Thought and words, whatever the fragments were.
    fn read(fragments: &[&str]) -> (String, String) {
        let mut think = Think::default();
        let mut pieces: Vec<Piece> = fragments.iter().flat_map(|text| think.push(text)).collect();
        pieces.extend(think.finish());
        let mut read = (String::new(), String::new());
        for piece in pieces {
            match piece {
                Piece::Thought(text) => read.0 += &text,
                Piece::Text(text) => read.1 += &text,
            }
        }
        read
    }

    fn both(thought: &str, words: &str) -> (String, String) {
        (thought.into(), words.into())
    }

    #[test]
    fn thoughts_are_taken_out_of_the_start_only() {
        assert_eq!(read(&["<think>\nhm</think>\n\nYes."]), both("hm", "Yes."));
        assert_eq!(read(&["\n<th", "ink>h", "m</thi", "nk>", "\n", "Yes."]), both("hm", "Yes."));
        assert_eq!(read(&["<think></think>Yes."]), both("", "Yes."));
        assert_eq!(read(&["Write <think>x</think>."]), both("", "Write <think>x</think>."));
        assert_eq!(read(&["<thin", " ice"]), both("", "<thin ice"));
        assert_eq!(read(&["  Yes"]), both("", "  Yes"));
    }

    #[test]
    fn a_thought_that_is_never_closed_is_a_thought() {
        assert_eq!(read(&["<think>a < b", "</thi"]), both("a < b</thi", ""));
        assert_eq!(read(&["<thi"]), both("", "<thi"));
    }

    proptest! {
        #[test]
        fn how_the_text_is_split_does_not_matter(
            text in "[ \n]{0,2}(<think>)?[a<>/ ]{0,6}(</think>)?[ \n]{0,2}[a<think>/ ]{0,8}",
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&str> = cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect();
            prop_assert_eq!(read(&pieces), read(&[&text]));
        }
    }
}
