//! What was read of a page, and how much of it is what the page is about.

use super::MOST;
use crate::web::start_of;
use crate::web::tags::Part;

/// A main part with less text than this (in bytes) is not where a page's text is.
pub(super) const LEAST: usize = 200;

/// A stretch of text that stands on its own.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) text: String,
    pub(super) part: Part,
    /// Whether no empty line goes before it, as with items and rows.
    pub(super) tight: bool,
}

/// The blocks of a page in their order.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    all: Vec<Block>,
    /// Bytes in `all`.
    written: usize,
}

impl Blocks {
    /// The bytes of all of them.
    pub(super) fn len(&self) -> usize {
        self.written
    }

    pub(super) fn push(&mut self, block: Block) {
        self.written += block.text.len();
        self.all.push(block);
    }

    /// What was read, without what stands around the content if there is enough without it. The title goes
    /// before it where no heading says it, and the description stands for a page without text.
    pub(super) fn content(&self, title: &str, description: &str) -> String {
        let least = self.least();
        let mut text = String::with_capacity(self.length(least) + title.len());
        let blocks = || self.all.iter().filter(|block| block.part >= least);
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let heads = |block: &Block| {
            block.text.strip_prefix("# ").is_some_and(|heading| title.contains(heading.trim()))
        };
        if !title.is_empty() && !blocks().any(heads) {
            text.push_str(&format!("# {title}\n"));
        }
        let mut last_tight = false;
        for block in blocks() {
            let apart = !(block.tight && last_tight);
            if apart && !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&block.text);
            last_tight = block.tight;
        }
        if self.all.is_empty() {
            text.push_str(description);
        }
        start_of(&text, MOST).trim_end().to_owned()
    }

    /// How near to what the page is about a block must be to be given.
    fn least(&self) -> Part {
        let (body, article) = (self.length(Part::Body), self.length(Part::Article));
        match () {
            () if self.length(Part::Main) >= LEAST => Part::Main,
            () if article >= LEAST && article * 5 >= body * 2 => Part::Article,
            () if body >= LEAST || body * 2 >= self.written => Part::Body,
            () => Part::Edge,
        }
    }

    /// The bytes of the blocks that are at least so near to it.
    fn length(&self, least: Part) -> usize {
        let near = self.all.iter().filter(|block| block.part >= least);
        near.map(|block| block.text.len()).sum()
    }
}
