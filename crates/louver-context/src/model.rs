//! Models as data: how much they hold, how they count, what they cost.
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
    /// What its tokens cost, if that is known.
    pub price: Option<Price>,
    /// Whether the name was found in the table.
    pub known: bool,
}

/// What tokens cost, in dollars for a million.
///
/// Four prices, none of them derived: providers discount their caches differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// Sent, and neither from a cache nor into one.
    pub input: f64,
    /// Read from the provider's cache.
    pub cached: f64,
    /// Written to it.
    pub written: f64,
    /// Answered.
    pub output: f64,
    /// The year and month in which they were noted.
    pub noted: Cow<'static, str>,
}

impl Price {
    /// What a request costs, in dollars. Of the tokens that were sent, some came from the cache and
    /// some went into it.
    pub fn of(&self, input: u64, cached: u64, written: u64, output: u64) -> f64 {
        let plain = input.saturating_sub(cached).saturating_sub(written);
        let parts = [
            (plain, self.input),
            (cached, self.cached),
            (written, self.written),
            (output, self.output),
        ];
        parts.iter().map(|(tokens, price)| *tokens as f64 * price).sum::<f64>() / 1e6
    }
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

impl Framing {
    /// What travels beside the texts of one message with so many calls. All that counts messages asks here.
    pub fn of_message(self, calls: usize) -> Tokens {
        Tokens(self.message) + self.of_calls(calls)
    }

    /// What travels beside so many calls, or schemas of tools.
    pub fn of_calls(self, calls: usize) -> Tokens {
        let calls = u32::try_from(calls).unwrap_or(u32::MAX);
        Tokens(self.call.saturating_mul(calls))
    }

    /// What travels beside the system prompt, and opens the reply.
    pub fn of_request(self) -> Tokens {
        Tokens(self.request) + Tokens(self.message)
    }
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
    price: Option<Price>,
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
    price: Option<Price>,
) -> Family {
    Family { starts, window, reply, counting, pictures, framing, price }
}

/// A price: input, cached, written, output, and when it was noted.
const fn usd(
    input: f64,
    cached: f64,
    written: f64,
    output: f64,
    noted: &'static str,
) -> Option<Price> {
    Some(Price { input, cached, written, output, noted: Cow::Borrowed(noted) })
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
static FAMILIES: &[Family] = &[
    family("gpt-4o-mini",               128_000, 16_384, exact(O200k), PictureCost::Tiles { base: 2833, tile: 5667 }, CHAT, usd(0.15, 0.075, 0.15, 0.60, "2026-11")),
    family("gpt-4o",                    128_000, 16_384, exact(O200k), GPT_4O, CHAT, usd(2.50, 1.25, 2.50, 10.0, "2026-11")),
    family("gpt-4.1-nano",            1_047_576, 32_768, exact(O200k), NANO, CHAT, usd(0.10, 0.025, 0.10, 0.40, "2026-11")),
    family("gpt-4.1-mini",            1_047_576, 32_768, exact(O200k), MINI, CHAT, usd(0.40, 0.10, 0.40, 1.60, "2026-11")),
    family("gpt-4.1",                 1_047_576, 32_768, exact(O200k), GPT_4O, CHAT, usd(2.0, 0.50, 2.0, 8.0, "2026-11")),
    family("gpt-5-nano",                400_000, 32_768, exact(O200k), NANO, CHAT, usd(0.05, 0.005, 0.05, 0.40, "2026-11")),
    family("gpt-5-mini",                400_000, 32_768, exact(O200k), MINI, CHAT, usd(0.25, 0.025, 0.25, 2.0, "2026-11")),
    family("gpt-5-pro",                 400_000, 32_768, exact(O200k), GPT_5, CHAT, None),
    family("gpt-5",                     400_000, 32_768, exact(O200k), GPT_5, CHAT, usd(1.25, 0.125, 1.25, 10.0, "2026-11")),
    family("gpt-5.6-sol",               400_000, 32_768, exact(O200k), GPT_5, CHAT, usd(5.0, 0.50, 6.25, 30.0, "2026-11")),
    family("gpt-5.6-terra",             400_000, 32_768, exact(O200k), GPT_5, CHAT, usd(2.50, 0.25, 3.125, 15.0, "2026-11")),
    family("gpt-5.6-luna",              400_000, 32_768, exact(O200k), GPT_5, CHAT, usd(1.0, 0.10, 1.25, 6.0, "2026-11")),
    family("gpt-5.",                    400_000, 32_768, exact(O200k), GPT_5, CHAT, None),
    family("gpt-oss",                   131_072, 16_384, exact(O200k), UNPUBLISHED, CHAT, None),
    family("gpt-4-turbo",               128_000,  4_096, exact(Cl100k), GPT_4O, CHAT, usd(10.0, 10.0, 10.0, 30.0, "2026-11")),
    family("gpt-4-1106",                128_000,  4_096, exact(Cl100k), GPT_4O, CHAT, usd(10.0, 10.0, 10.0, 30.0, "2026-11")),
    family("gpt-4-0125",                128_000,  4_096, exact(Cl100k), GPT_4O, CHAT, usd(10.0, 10.0, 10.0, 30.0, "2026-11")),
    family("gpt-4-vision",              128_000,  4_096, exact(Cl100k), GPT_4O, CHAT, usd(10.0, 10.0, 10.0, 30.0, "2026-11")),
    family("gpt-4-32k",                  32_768,  4_096, exact(Cl100k), GPT_4O, CHAT, usd(60.0, 60.0, 60.0, 120.0, "2026-11")),
    family("gpt-4.",                    128_000, 16_384, exact(O200k), GPT_4O, CHAT, None),
    family("gpt-4",                       8_192,  2_048, exact(Cl100k), GPT_4O, CHAT, usd(30.0, 30.0, 30.0, 60.0, "2026-11")),
    family("gpt-3.5",                    16_385,  4_096, exact(Cl100k), GPT_4O, CHAT, usd(0.50, 0.50, 0.50, 1.50, "2026-11")),
    family("o1-pro",                    200_000, 32_768, exact(O200k), O_SERIES, CHAT, None),
    family("o1-mini",                   128_000, 32_768, exact(O200k), O_SERIES, CHAT, usd(1.10, 0.55, 1.10, 4.40, "2026-11")),
    family("o1",                        200_000, 32_768, exact(O200k), O_SERIES, CHAT, usd(15.0, 7.50, 15.0, 60.0, "2026-11")),
    family("o3-pro",                    200_000, 32_768, exact(O200k), O_SERIES, CHAT, None),
    family("o3-deep",                   200_000, 32_768, exact(O200k), O_SERIES, CHAT, None),
    family("o3-mini",                   200_000, 32_768, exact(O200k), O_SERIES, CHAT, usd(1.10, 0.55, 1.10, 4.40, "2026-11")),
    family("o3",                        200_000, 32_768, exact(O200k), O_SERIES, CHAT, usd(2.0, 0.50, 2.0, 8.0, "2026-11")),
    family("o4-mini-deep",              200_000, 32_768, exact(O200k), MINI, CHAT, None),
    family("o4-mini",                   200_000, 32_768, exact(O200k), MINI, CHAT, usd(1.10, 0.275, 1.10, 4.40, "2026-11")),
    family("claude-fable-5-1",        1_000_000, 32_768, about(145), CLAUDE, CHAT, usd(10.0, 0.25, 12.50, 50.0, "2026-11")),
    family("claude-fable-5",          1_000_000, 32_768, about(145), CLAUDE, CHAT, None),
    family("claude-opus-5-5",         1_000_000, 32_768, about(145), CLAUDE, CHAT, usd(4.0, 0.20, 5.0, 20.0, "2026-11")),
    family("claude-opus-5",           1_000_000, 32_768, about(145), CLAUDE, CHAT, usd(5.0, 0.50, 6.25, 25.0, "2026-11")),
    family("claude-opus-4-8",           200_000, 16_384, about(145), CLAUDE, CHAT, usd(5.0, 0.50, 6.25, 25.0, "2026-11")),
    family("claude-opus-4-7",           200_000, 16_384, about(145), CLAUDE, CHAT, usd(5.0, 0.50, 6.25, 25.0, "2026-11")),
    family("claude-opus-4-6",           200_000, 16_384, about(120), CLAUDE, CHAT, usd(5.0, 0.50, 6.25, 25.0, "2026-11")),
    family("claude-opus-4-5",           200_000, 16_384, about(120), CLAUDE, CHAT, usd(5.0, 0.50, 6.25, 25.0, "2026-11")),
    family("claude-opus-4",             200_000, 16_384, about(120), CLAUDE, CHAT, usd(15.0, 1.50, 18.75, 75.0, "2026-11")),
    family("claude-sonnet-5",         1_000_000, 32_768, about(145), CLAUDE, CHAT, usd(2.0, 0.20, 2.50, 10.0, "2026-11")),
    family("claude-sonnet-4",           200_000, 16_384, about(120), CLAUDE, CHAT, usd(3.0, 0.30, 3.75, 15.0, "2026-11")),
    family("claude-haiku-4",            200_000, 16_384, about(120), CLAUDE, CHAT, usd(1.0, 0.10, 1.25, 5.0, "2026-11")),
    family("claude-3-opus",             200_000,  4_096, about(120), CLAUDE, CHAT, usd(15.0, 1.50, 18.75, 75.0, "2026-11")),
    family("claude-3-7-sonnet",         200_000, 16_384, about(120), CLAUDE, CHAT, usd(3.0, 0.30, 3.75, 15.0, "2026-11")),
    family("claude-3-5-sonnet",         200_000,  8_192, about(120), CLAUDE, CHAT, usd(3.0, 0.30, 3.75, 15.0, "2026-11")),
    family("claude-3-5-haiku",          200_000,  8_192, about(120), CLAUDE, CHAT, usd(0.80, 0.08, 1.0, 4.0, "2026-11")),
    family("claude",                    200_000, 16_384, about(145), CLAUDE, CHAT, None),
    family("gemini",                  1_000_000, 16_384, about(115), PictureCost::Flat(2580), CHAT, None),
    family("grok",                      131_072, 16_384, about(115), UNPUBLISHED, CHAT, None),
    family("deepseek-v4",               131_072, 16_384, exact(DeepSeekV4), UNPUBLISHED, CHAT, None),
    family("deepseek-chat",             131_072, 16_384, exact(DeepSeekV3), UNPUBLISHED, CHAT, usd(0.28, 0.028, 0.28, 0.42, "2025-12")),
    family("deepseek-reasoner",         131_072, 16_384, exact(DeepSeekV3), UNPUBLISHED, CHAT, usd(0.28, 0.028, 0.28, 0.42, "2025-12")),
    family("deepseek-r1-distill-llama", 131_072, 16_384, exact(Llama3), UNPUBLISHED, CHAT, None),
    family("deepseek-r1-distill-qwen",  131_072, 16_384, exact(Qwen2), UNPUBLISHED, CHAT, None),
    family("deepseek",                  131_072, 16_384, exact(DeepSeekV3), UNPUBLISHED, CHAT, None),
    family("kimi-k3",                   262_144, 16_384, exact(KimiK3), UNPUBLISHED, CHAT, None),
    family("kimi-k2-turbo",             262_144, 16_384, exact(KimiK2), UNPUBLISHED, CHAT, None),
    family("kimi-k2-thinking-turbo",    262_144, 16_384, exact(KimiK2), UNPUBLISHED, CHAT, None),
    family("kimi-k2.",                  262_144, 16_384, exact(KimiK2), UNPUBLISHED, CHAT, None),
    family("kimi-k2",                   262_144, 16_384, exact(KimiK2), UNPUBLISHED, CHAT, usd(0.60, 0.15, 0.60, 2.50, "2025-12")),
    family("kimi",                      262_144, 16_384, exact(KimiK2), UNPUBLISHED, CHAT, None),
    family("moonshot",                  131_072, 16_384, exact(KimiK2), UNPUBLISHED, CHAT, None),
    family("qwen",                      131_072,  8_192, exact(Qwen2), UNPUBLISHED, CHATML, None),
    family("qwq",                       131_072,  8_192, exact(Qwen2), UNPUBLISHED, CHATML, None),
    family("glm-5",                     200_000, 16_384, exact(Glm5), UNPUBLISHED, CHAT, None),
    family("glm",                       128_000, 16_384, exact(Glm4), UNPUBLISHED, CHAT, None),
    family("minimax",                   200_000, 16_384, exact(MiniMaxM2), UNPUBLISHED, CHAT, None),
    family("llama-4",                    131_072, 16_384, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama4",                     131_072, 16_384, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama-3.",                   131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama3.",                    131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama-3-1",                  131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama3-1",                   131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama-3-2",                  131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama3-2",                   131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama-3-3",                  131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama3-3",                   131_072,  8_192, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama-3",                      8_192,  2_048, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("llama3",                       8_192,  2_048, exact(Llama3), UNPUBLISHED, CHATML, None),
    family("mistral",                   131_072,  8_192, exact(MistralV3), UNPUBLISHED, CHAT, None),
    family("ministral",                 131_072,  8_192, exact(MistralV3), UNPUBLISHED, CHAT, None),
    family("step-",                     131_072, 16_384, about(120), UNPUBLISHED, CHAT, None),
    family("smollm",                      8_192,  1_024, about(135), UNPUBLISHED, CHATML, None),
];

/// What is assumed of a model nobody knows: a small window, so that nothing overflows, and a count
/// on the high side.
static UNKNOWN: Family = family("", 32_768, 4_096, about(125), UNPUBLISHED, CHATML, None);

/// The family of a name in lower case: as it is written, or without the regions and the makers that stand before it.
fn family_of(name: &str) -> Option<&'static Family> {
    let name = name.strip_prefix("meta-").unwrap_or(name);
    // OpenRouter writes `claude-opus-4.5`, Anthropic `claude-opus-4-5`.
    let dashed = name.starts_with("claude").then(|| name.replace('.', "-"));
    let plain = dashed.as_deref().unwrap_or(name);
    let starts = FAMILIES.iter().filter(|family| plain.starts_with(family.starts));
    starts.max_by_key(|family| family.starts.len()).or_else(|| {
        let (before, rest) = name.split_once('.')?;
        let is_word = before.chars().all(|char| char.is_ascii_alphabetic() || char == '-');
        is_word.then(|| family_of(rest)).flatten()
    })
}

impl Model {
    /// The model of that name. A prefix like `openai/`, `anthropic.` or `us.anthropic.` does not matter.
    pub fn named(name: &str) -> Self {
        let plain = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        let found = family_of(&plain);
        let family = found.unwrap_or(&UNKNOWN);
        Model {
            name: Cow::Owned(name.to_owned()),
            window: Tokens(family.window),
            reply: Tokens(family.reply),
            counting: family.counting,
            pictures: family.pictures,
            framing: family.framing,
            price: family.price.clone(),
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
            price: None,
            known: true,
        }
    }

    /// Takes another window. A small one keeps a small reply free, and a larger one after it what the model had.
    pub fn hold(&mut self, window: Tokens) {
        let quarter = |window: Tokens| Tokens(window.0 / 4);
        if self.reply == quarter(self.window) {
            self.reply = self.reply.max(Model::named(&self.name).reply);
        }
        self.window = window;
        self.reply = self.reply.min(quarter(window));
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
    fn regions_and_makers_before_a_name_do_not_matter() {
        let family = |name: &str| {
            let model = Model::named(name);
            Model { name: "".into(), ..model }
        };
        let same = [
            ("anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
            ("us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"),
            ("bedrock/anthropic.claude-3-5-haiku", "claude-3-5-haiku"),
            ("openrouter/anthropic/claude-opus-4.5", "claude-opus-4-5"),
            ("Meta-Llama-3-8B-Instruct", "llama-3-8b"),
            ("meta-llama/Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"),
            ("meta.llama3-1-70b-instruct-v1:0", "llama-3.1-70b"),
        ];
        for (written, plain) in same {
            assert_eq!(family(written), family(plain), "{written}");
            assert!(family(written).known, "{written}");
        }
        assert!(!Model::named("internlm-2.gpt-4o").known, "a version is no maker");
    }

    #[test]
    fn models_that_share_a_start_do_not_share_a_window_or_a_price() {
        let window = |name: &str| Model::named(name).window;
        assert_eq!(window("gpt-4-32k-0613"), Tokens(32_768));
        assert_eq!(window("gpt-4-1106-preview"), Tokens(128_000));
        assert_eq!(window("llama3:8b"), Tokens(8_192));
        assert_eq!(window("llama3.1:8b"), Tokens(131_072));
        assert_eq!(window("llama-3.3-70b-versatile"), Tokens(131_072));
        assert!(Model::named("llama-4-scout").known && Model::named("llama4:scout").known);
        let newer = Model::named("gpt-4.5-preview");
        assert_eq!((newer.window, newer.price), (Tokens(128_000), None));
        let distilled = Model::named("deepseek-r1-distill-llama-70b");
        assert_eq!((distilled.counting, distilled.price), (exact(Llama3), None));
        assert!(Model::named("deepseek-chat").price.is_some());
    }

    #[test]
    fn a_window_that_grows_again_keeps_as_much_for_the_reply_as_before() {
        let mut model = Model::named("gpt-4o");
        model.hold(Tokens(1000));
        assert_eq!(model.reply, Tokens(250));
        model.hold(Tokens(128_000));
        assert_eq!(model.reply, Tokens(16_384));
        model.reply = Tokens(4_000);
        model.hold(Tokens(200_000));
        assert_eq!(model.reply, Tokens(4_000), "what someone set stays");
    }

    #[test]
    fn a_name_nobody_knows_gets_cautious_numbers_and_says_so() {
        let model = Model::named("my-own-model");
        assert_eq!((model.known, model.window), (false, Tokens(32_768)));
    }

    #[test]
    fn a_request_costs_what_its_parts_cost() {
        let price = Model::named("claude-sonnet-4-5-20250929").price.unwrap();
        // 1,000 plain, 10,000 read, 2,000 written, 500 answered.
        let dollars = price.of(13_000, 10_000, 2_000, 500);
        assert!((dollars - (0.003 + 0.003 + 0.0075 + 0.0075)).abs() < 1e-12, "{dollars}");
    }

    #[test]
    fn a_price_is_that_of_the_very_model_or_none() {
        let output = |name: &str| Model::named(name).price.map(|price| price.output);
        assert_eq!(output("gpt-5-2025-08-07"), Some(10.0));
        assert_eq!(output("gpt-5.9"), None);
        assert_eq!(output("claude-opus-4-1-20250805"), Some(75.0));
        assert_eq!(output("anthropic/claude-opus-4.5"), Some(25.0));
        assert_eq!(output("claude-opus-5-5"), Some(20.0));
        assert_eq!(output("claude-haiku-5-5"), None);
        assert_eq!(output("o3-pro"), None);
        assert_eq!(output("my-own-model"), None);
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
