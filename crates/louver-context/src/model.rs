//! Models as data: how much they hold, how they count.
//!
//! The table knows families by the start of a model's name, longest match first, so that a dated
//! or renamed model of a known family is counted right. A name nobody knows gets cautious numbers
//! and says so.

use std::borrow::Cow;

use crate::count::Counting;
use crate::picture::PictureCost;
use crate::tokens::{Encoding, Tokens};

/// What louver must know of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Its name, as the provider spells it.
    pub name: Cow<'static, str>,
    /// What it can hold, question and answer together.
    pub window: Tokens,
    /// How much of that is kept free for the answer.
    pub reply: Tokens,
    /// How its tokens are counted.
    pub counting: Counting,
    /// What its pictures cost.
    pub pictures: PictureCost,
    /// What a message costs beside its text.
    pub framing: Framing,
    /// Whether the name was found in the table.
    pub known: bool,
}

/// What travels beside the text: role marks, separators, the opening of the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Framing {
    /// For each message, its role included.
    pub message: u32,
    /// For each call of a tool and each tool schema: the words and brackets around it.
    pub call: u32,
    /// Once, for the opening of the reply.
    pub request: u32,
}

/// OpenAI's published recipe: three around each message, one for its role, three for the reply.
/// The tokens around a call are not published; eight is above what usage reports show.
const CHAT: Framing = Framing { message: 4, call: 8, request: 3 };
/// ChatML as Qwen and others write it: `<|im_start|>role\n … <|im_end|>\n`.
const CHATML: Framing = Framing { message: 5, call: 12, request: 3 };

/// One row of the table: every model whose name starts so.
struct Family {
    starts: &'static str,
    window: u32,
    reply: u32,
    counting: Counting,
    pictures: PictureCost,
    framing: Framing,
}

const fn exact(encoding: Encoding) -> Counting {
    Counting::Exact(encoding)
}

/// Closed vocabularies are counted with a public one and a factor measured on mixed text.
const fn about(percent: u32) -> Counting {
    Counting::Estimate { by: Encoding::O200k, percent }
}

const fn family(
    starts: &'static str,
    window: u32,
    reply: u32,
    counting: Counting,
    pictures: PictureCost,
    framing: Framing,
) -> Family {
    Family { starts, window, reply, counting, pictures, framing }
}

const GPT_4O: PictureCost = PictureCost::Tiles { base: 85, tile: 170 };
const GPT_5: PictureCost = PictureCost::Tiles { base: 70, tile: 140 };
const O_SERIES: PictureCost = PictureCost::Tiles { base: 75, tile: 150 };
const MINI: PictureCost = PictureCost::Patches { most: 1536, percent: 162 };
const NANO: PictureCost = PictureCost::Patches { most: 1536, percent: 246 };
const CLAUDE: PictureCost = PictureCost::Area { side: 1568 };
/// For models that publish no formula: above what any of the published ones asks for a large one.
const UNPUBLISHED: PictureCost = PictureCost::Flat(1700);

use Encoding::{
    Cl100k, DeepSeekV3, DeepSeekV4, Glm4, Glm5, KimiK2, KimiK3, Llama3, MiniMaxM2, MistralV3,
    O200k, Qwen2,
};

#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    family("gpt-4o-mini",      128_000, 16_384, exact(O200k), PictureCost::Tiles { base: 2833, tile: 5667 }, CHAT),
    family("gpt-4o",           128_000, 16_384, exact(O200k), GPT_4O, CHAT),
    family("gpt-4.1-nano",   1_047_576, 32_768, exact(O200k), NANO, CHAT),
    family("gpt-4.1-mini",   1_047_576, 32_768, exact(O200k), MINI, CHAT),
    family("gpt-4.1",        1_047_576, 32_768, exact(O200k), GPT_4O, CHAT),
    family("gpt-5-nano",       400_000, 32_768, exact(O200k), NANO, CHAT),
    family("gpt-5-mini",       400_000, 32_768, exact(O200k), MINI, CHAT),
    family("gpt-5",            400_000, 32_768, exact(O200k), GPT_5, CHAT),
    family("gpt-oss",          131_072, 16_384, exact(O200k), UNPUBLISHED, CHAT),
    family("gpt-4-turbo",      128_000,  4_096, exact(Cl100k), GPT_4O, CHAT),
    family("gpt-4",              8_192,  2_048, exact(Cl100k), GPT_4O, CHAT),
    family("gpt-3.5",           16_385,  4_096, exact(Cl100k), GPT_4O, CHAT),
    family("o1",               200_000, 32_768, exact(O200k), O_SERIES, CHAT),
    family("o3",               200_000, 32_768, exact(O200k), O_SERIES, CHAT),
    family("o4-mini",          200_000, 32_768, exact(O200k), MINI, CHAT),
    family("claude",           200_000, 16_384, about(120), CLAUDE, CHAT),
    family("gemini",         1_000_000, 16_384, about(115), PictureCost::Flat(2580), CHAT),
    family("grok",             131_072, 16_384, about(115), UNPUBLISHED, CHAT),
    family("deepseek-v4",      131_072, 16_384, exact(DeepSeekV4), UNPUBLISHED, CHAT),
    family("deepseek",         131_072, 16_384, exact(DeepSeekV3), UNPUBLISHED, CHAT),
    family("kimi-k3",          262_144, 16_384, exact(KimiK3), UNPUBLISHED, CHAT),
    family("kimi",             262_144, 16_384, exact(KimiK2), UNPUBLISHED, CHAT),
    family("moonshot",         131_072, 16_384, exact(KimiK2), UNPUBLISHED, CHAT),
    family("qwen",             131_072,  8_192, exact(Qwen2), UNPUBLISHED, CHATML),
    family("qwq",              131_072,  8_192, exact(Qwen2), UNPUBLISHED, CHATML),
    family("glm-5",            200_000, 16_384, exact(Glm5), UNPUBLISHED, CHAT),
    family("glm",              128_000, 16_384, exact(Glm4), UNPUBLISHED, CHAT),
    family("minimax",          200_000, 16_384, exact(MiniMaxM2), UNPUBLISHED, CHAT),
    family("llama-3",          131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML),
    family("llama3",           131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML),
    family("mistral",          131_072,  8_192, exact(MistralV3), UNPUBLISHED, CHAT),
    family("ministral",        131_072,  8_192, exact(MistralV3), UNPUBLISHED, CHAT),
    family("step-",            131_072, 16_384, about(120), UNPUBLISHED, CHAT),
    family("smollm",             8_192,  1_024, about(120), UNPUBLISHED, CHATML),
];

/// What is assumed of a model nobody knows: a small window, so that nothing overflows, and a count
/// on the high side.
const UNKNOWN: Family = family("", 32_768, 4_096, about(125), UNPUBLISHED, CHATML);

impl Model {
    /// The model of that name. A prefix like `openai/` or `anthropic.` does not matter.
    pub fn named(name: &str) -> Self {
        let plain = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        let found = FAMILIES
            .iter()
            .filter(|family| plain.starts_with(family.starts))
            .max_by_key(|family| family.starts.len());
        let family = found.unwrap_or(&UNKNOWN);
        Model {
            name: Cow::Owned(name.to_owned()),
            window: Tokens(family.window),
            reply: Tokens(family.reply),
            counting: family.counting,
            pictures: family.pictures,
            framing: family.framing,
            known: found.is_some(),
        }
    }

    /// A model whose tokens are words and whose framing is free, so that a reader can count along.
    pub fn of_words(window: u32, reply: u32) -> Self {
        Model {
            name: Cow::Borrowed("words"),
            window: Tokens(window),
            reply: Tokens(reply),
            counting: Counting::Words,
            pictures: PictureCost::Flat(1),
            framing: Framing { message: 0, call: 0, request: 0 },
            known: true,
        }
    }

    /// What the window leaves for the request.
    pub fn budget(&self) -> Tokens {
        self.window - self.reply
    }

    /// The starts of the names the table knows, for suggestions and listings.
    pub fn families() -> impl Iterator<Item = &'static str> {
        FAMILIES.iter().map(|family| family.starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_start_of_a_name_wins() {
        assert_eq!(Model::named("gpt-4o-mini-2024-07-18").pictures.of_low(), 2833);
        assert_eq!(Model::named("openai/gpt-4o").window, Tokens(128_000));
        assert_eq!(Model::named("gpt-4-0613").window, Tokens(8_192));
    }

    #[test]
    fn a_name_nobody_knows_gets_cautious_numbers_and_says_so() {
        let model = Model::named("my-own-model");
        assert_eq!((model.known, model.window), (false, Tokens(32_768)));
    }

    impl PictureCost {
        fn of_low(self) -> u32 {
            match self {
                PictureCost::Tiles { base, .. } => base,
                _ => 0,
            }
        }
    }
}
