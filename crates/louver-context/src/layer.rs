//! A layer: one named part of the context, with its text in pieces that know their source.
//!
//! Building a layer is a plain function, `fn(&Snapshot) -> Option<Layer>`, and a profile is a
//! table of such functions. There is no trait to implement: anyone's function of that shape can
//! stand in anyone's table.

use std::borrow::Cow;
use std::sync::Arc;

use crate::ledger::Reason;
use crate::snapshot::Fitting;
use crate::snapshot::Snapshot;
use crate::source::{Place, Source, Trust, lines_in};
use crate::tokens::Tokens;

/// Builds one layer, or none when there is nothing to say.
pub type LayerFn = fn(&Snapshot) -> Option<Layer>;

/// One named part of the context.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// The name that ledgers and errors use.
    pub name: Cow<'static, str>,
    /// How often it changes, and so where it goes.
    pub place: Place,
    /// Who wrote it.
    pub trust: Trust,
    /// What may be done to it when room runs out.
    pub give: Give,
    /// The most it may ever have, whatever room there is.
    pub cap: Option<Tokens>,
    /// Which of its pieces fit the conversation, for [`Give::Forms`]: the others shorten first.
    pub fitting: Option<Arc<Fitting>>,
    /// The text, in order. The layer's text is these, one after another.
    pub pieces: Vec<Piece>,
    /// What the function that built it left out by a rule of its own.
    pub cut: Vec<Cut>,
    /// Where to find what goes, for [`Give::Oldest`].
    pub rest: Option<Text>,
}

/// Something that a layer's own rule left out, such as a limit on characters.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// Where it is.
    pub source: Source,
    /// The text that is not there.
    pub text: Text,
    /// The rule.
    pub reason: Reason,
}

/// What `fit` may do to a layer when room runs out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Give {
    /// Nothing: it stays whole, or the turn is an error.
    Never,
    /// Sections lose their text from the last one on; headings stay, with a mark how to read the rest.
    Sections,
    /// Whole lines go, from the last one on.
    Lines,
    /// Each piece takes its next shorter form, from the last one on; no piece goes.
    Forms,
    /// Whole pieces go, from the last one on.
    Pieces,
    /// Whole pieces go, from the first one on, and a mark says how many. It never has more than an eighth of the budget.
    Oldest,
}

/// A stretch of a layer's text that has one source.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The text.
    pub text: Text,
    /// Where it came from.
    pub source: Source,
    /// Shorter forms of the same thing, from longer to shorter, for [`Give::Forms`].
    pub shorter: Vec<Text>,
}

/// Text that is shared rather than copied: a file's text is the same bytes in every turn.
#[derive(Debug, Clone)]
pub enum Text {
    /// Prose that is part of the program.
    Static(&'static str),
    /// Everything else.
    Shared(Arc<str>),
}

impl Layer {
    /// A layer with the usual settings of the owner's own text; adjust the fields that differ.
    pub fn new(name: &'static str, place: Place, give: Give) -> Self {
        let name = Cow::Borrowed(name);
        let (trust, pieces, cut) = (Trust::Owner, Vec::new(), Vec::new());
        Layer { name, place, trust, give, cap: None, fitting: None, pieces, cut, rest: None }
    }

    /// Adds a piece at the end.
    #[must_use]
    pub fn piece(mut self, source: Source, text: impl Into<Text>) -> Self {
        self.add(source, text);
        self
    }

    /// Adds a piece at the end.
    pub fn add(&mut self, source: Source, text: impl Into<Text>) {
        self.pieces.push(Piece { text: text.into(), source, shorter: Vec::new() });
    }

    /// Adds a heading, a separator or a tag that belongs to no source.
    pub fn glue(&mut self, text: impl Into<Text>) {
        self.add(Source::Glue, text);
    }

    /// Adds a whole file's text.
    pub fn file(&mut self, path: &Arc<str>, text: &Arc<str>) {
        let source = Source::File { path: path.clone(), from: 1, to: lines_in(text).max(1) };
        self.add(source, text.clone());
    }

    /// The layer's whole text.
    pub fn text(&self) -> String {
        let bytes = self.pieces.iter().map(|piece| piece.text.len()).sum();
        let mut text = String::with_capacity(bytes);
        self.pieces.iter().for_each(|piece| text.push_str(&piece.text));
        text
    }

    /// Whether there is any text at all.
    pub fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| piece.text.is_empty())
    }
}

impl std::ops::Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        match self {
            Text::Static(text) => text,
            Text::Shared(text) => text,
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Self {
        Text::Static(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text::Shared(text.into())
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Self {
        Text::Shared(text)
    }
}
