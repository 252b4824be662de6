//! Exact token counts.
//!
//! A budget is only kept if what is counted here is what the model counts. The two encodings that
//! most callers use are counted from tables inside the program, without any time to load; the
//! others are loaded when they are first used.

mod families;
mod head;
mod layout;
mod memo;
mod merge;
#[cfg(test)]
mod samples;
mod scan;
mod shipped;
mod table;

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

use families::Family;
use shipped::Shipped;

/// A number of tokens. A type of its own, so that it is never added to bytes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Tokens(pub u32);

impl Add for Tokens {
    type Output = Tokens;

    fn add(self, other: Tokens) -> Tokens {
        Tokens(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Tokens) {
        *self = *self + other;
    }
}

/// Stops at zero: a budget that is overdrawn has nothing left.
impl Sub for Tokens {
    type Output = Tokens;

    fn sub(self, other: Tokens) -> Tokens {
        Tokens(self.0.saturating_sub(other.0))
    }
}

impl Sum for Tokens {
    fn sum<I: Iterator<Item = Tokens>>(counts: I) -> Tokens {
        counts.fold(Tokens::default(), Add::add)
    }
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How a family of models turns text into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// OpenAI, from GPT-4o on.
    O200k,
    /// OpenAI, GPT-3.5 and GPT-4.
    Cl100k,
    /// OpenAI, Codex and the last GPT-3 models.
    P50k,
    /// OpenAI, GPT-2 and GPT-3.
    R50k,
    /// Meta, Llama 3 and 4.
    Llama3,
    /// Alibaba, Qwen 2 and later.
    Qwen2,
    /// DeepSeek V3 and R1.
    DeepSeekV3,
    /// DeepSeek V4.
    DeepSeekV4,
    /// Mistral, the Tekken vocabulary.
    MistralV3,
    /// Moonshot, Kimi K2.
    KimiK2,
    /// Moonshot, Kimi K3.
    KimiK3,
    /// Zhipu, GLM 4.5 and later.
    Glm4,
    /// Zhipu, GLM 5.
    Glm5,
    /// MiniMax M2.
    MiniMaxM2,
}

/// Where the tables of an encoding are.
enum Source {
    Shipped(&'static Shipped),
    Loaded(Family),
}

impl Encoding {
    /// Every encoding.
    pub const ALL: &[Encoding] = &[
        Encoding::O200k,
        Encoding::Cl100k,
        Encoding::P50k,
        Encoding::R50k,
        Encoding::Llama3,
        Encoding::Qwen2,
        Encoding::DeepSeekV3,
        Encoding::DeepSeekV4,
        Encoding::MistralV3,
        Encoding::KimiK2,
        Encoding::KimiK3,
        Encoding::Glm4,
        Encoding::Glm5,
        Encoding::MiniMaxM2,
    ];

    /// The name by which the encoding is written in settings.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::O200k => "o200k_base",
            Encoding::Cl100k => "cl100k_base",
            Encoding::P50k => "p50k_base",
            Encoding::R50k => "r50k_base",
            Encoding::Llama3 => "llama3",
            Encoding::Qwen2 => "qwen2",
            Encoding::DeepSeekV3 => "deepseek_v3",
            Encoding::DeepSeekV4 => "deepseek_v4",
            Encoding::MistralV3 => "mistral_v3",
            Encoding::KimiK2 => "kimi_k2",
            Encoding::KimiK3 => "kimi_k3",
            Encoding::Glm4 => "glm4",
            Encoding::Glm5 => "glm5",
            Encoding::MiniMaxM2 => "minimax_m2",
        }
    }

    /// The encoding of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Encoding::ALL.iter().copied().find(|encoding| encoding.name() == name)
    }

    /// The number of tokens of `text`. The text of a special token, such as `<|endoftext|>`, is
    /// counted like any other text.
    pub fn count(self, text: &str) -> Tokens {
        match self.source() {
            Source::Shipped(shipped) => shipped.count(text),
            Source::Loaded(family) => family.count(text),
        }
    }

    /// Counts `text` as a whole and deals its tokens out to the stretches between `cuts`, which are
    /// ascending byte offsets: a token belongs to the stretch in which it starts. There is one more
    /// stretch than cuts, and the sum is `count(text)`.
    pub fn count_at(self, text: &str, cuts: &[usize]) -> Vec<Tokens> {
        match self.source() {
            Source::Shipped(shipped) => shipped.count_at(text, cuts),
            Source::Loaded(family) => family.count_at(text, cuts),
        }
    }

    /// The length in bytes of the longest prefix of `text` that, counted as a text of its own, has
    /// at most `most` tokens. It ends on a character boundary.
    ///
    /// More than `most` it never has. In the loaded encodings, and where a shipped one has a piece
    /// of hundreds of bytes without a break, the prefix ends between two tokens, and one a few
    /// bytes longer may have fitted as well.
    pub fn head(self, text: &str, most: Tokens) -> usize {
        match self.source() {
            Source::Shipped(shipped) => shipped.head(text, most),
            Source::Loaded(family) => family.head(text, most),
        }
    }

    /// Whether a text that ends in `before` and one that starts with `after` can be counted apart
    /// and added, whatever else they hold. `false` also means that this is not known.
    pub fn seam(self, before: char, after: char) -> bool {
        match self {
            Encoding::O200k => shipped::O200K.seam(before, after),
            Encoding::Cl100k => shipped::CL100K.seam(before, after),
            _ => false,
        }
    }

    fn source(self) -> Source {
        match self {
            Encoding::O200k => Source::Shipped(&shipped::O200K),
            Encoding::Cl100k => Source::Shipped(&shipped::CL100K),
            other => Source::Loaded(Family::load(other.name())),
        }
    }
}

/// Adds up tokens by the stretches between cuts. Tokens come in the order of the text.
struct Cuts<'a> {
    ahead: &'a [usize],
    counts: Vec<Tokens>,
    current: usize,
}

impl<'a> Cuts<'a> {
    fn new(cuts: &'a [usize]) -> Self {
        Cuts { ahead: cuts, counts: vec![Tokens::default(); cuts.len() + 1], current: 0 }
    }

    /// Whether nothing is cut before `end`.
    fn next_is_at_least(&self, end: usize) -> bool {
        self.ahead.first().is_none_or(|cut| *cut >= end)
    }

    /// Adds tokens that start at `start`.
    fn add(&mut self, start: usize, tokens: u32) {
        while let Some((cut, rest)) = self.ahead.split_first()
            && *cut <= start
        {
            self.ahead = rest;
            self.current += 1;
        }
        self.counts[self.current] += Tokens(tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_never_go_below_zero_nor_around() {
        assert_eq!(Tokens(1) - Tokens(2), Tokens(0));
        assert_eq!(Tokens(u32::MAX) + Tokens(1), Tokens(u32::MAX));
        assert_eq!([Tokens(1), Tokens(2)].into_iter().sum::<Tokens>(), Tokens(3));
    }

    #[test]
    fn tokens_are_written_as_a_bare_number() {
        assert_eq!(format!("{:>4}", Tokens(7)), "   7");
        assert_eq!(serde_json::to_string(&Tokens(7)).unwrap(), "7");
        assert_eq!(serde_json::from_str::<Tokens>("7").unwrap(), Tokens(7));
    }

    #[test]
    fn every_encoding_is_found_by_its_name() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::from_name(encoding.name()), Some(*encoding));
        }
        assert_eq!(Encoding::from_name("klingon"), None);
    }

    #[test]
    fn a_token_belongs_to_the_stretch_in_which_it_starts() {
        // The tokens are "Hello", "," and " world".
        let dealt = Encoding::O200k.count_at("Hello, world", &[0, 2, 5, 5, 7, 12]);
        assert_eq!(dealt, [0, 1, 0, 0, 2, 0, 0].map(Tokens));
        assert_eq!(Encoding::O200k.count_at("", &[0]), [0, 0].map(Tokens));
    }
}
