//! Which line ends a file has, so that a model need not know.

/// The line ends of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// `\n`.
    Unix,
    /// `\r\n`.
    Dos,
    /// There are none yet.
    AsGiven,
}

impl LineEnds {
    /// Those that most lines of a text have.
    pub(super) fn of(text: &str) -> LineEnds {
        let dos = text.matches("\r\n").count();
        let all = text.matches('\n').count();
        match (dos, all) {
            (_, 0) => LineEnds::AsGiven,
            (dos, all) if 2 * dos > all => LineEnds::Dos,
            _ => LineEnds::Unix,
        }
    }

    /// A text with these line ends.
    pub(super) fn applied(self, text: &str) -> String {
        match self {
            LineEnds::AsGiven => text.to_owned(),
            LineEnds::Unix => text.replace("\r\n", "\n"),
            LineEnds::Dos => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        }
    }
}
