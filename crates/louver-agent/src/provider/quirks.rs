//! What a server takes and refuses, as data; and what its refusals teach.
//!
//! The table knows what is published. Servers change, and `louver.toml` can name any: so a server
//! that refuses a field by name is asked again without it, and the sender remembers.

use louver_context::render::dialect::{Dialect, Thoughts};

use super::{Effort, Wire};

/// What a server takes and refuses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quirks {
    /// How the most tokens of an answer are said.
    pub limit: LimitField,
    /// Whether it takes `stream_options`, by which a stream says what it cost.
    pub usage: bool,
    /// Whether it takes `prompt_cache_key`.
    pub cache_key: bool,
    /// Whether it takes a temperature.
    pub temperature: bool,
    /// How it is told to think.
    pub effort: EffortField,
    /// Whether it can be made to call a tool.
    pub force: bool,
    /// Models whose names start so are cached up to marks.
    pub marks_for: &'static [&'static str],
    /// Whether Anthropic's wire sends earlier thoughts back. A signature that belongs to another
    /// model or conversation is refused.
    pub old_thoughts: bool,
    /// What it takes of messages.
    pub dialect: Dialect,
}

/// How the most tokens of an answer are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitField {
    /// `max_tokens`.
    MaxTokens,
    /// `max_completion_tokens`, which counts reasoning too.
    MaxCompletionTokens,
}

/// How a server is told to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffortField {
    /// Not at all.
    No,
    /// As the model's name demands.
    ByModel,
    /// `reasoning_effort`, for every model.
    Word,
    /// `reasoning: {effort}`, as OpenRouter has it.
    Object,
}

impl Quirks {
    /// For a server nobody knows: nothing that some refuse.
    pub const CAUTIOUS: Quirks = Quirks {
        limit: LimitField::MaxTokens,
        usage: true,
        cache_key: false,
        temperature: true,
        effort: EffortField::ByModel,
        force: true,
        marks_for: &[],
        old_thoughts: true,
        dialect: Dialect {
            thoughts: Thoughts::Content,
            ids: louver_context::render::safe::Ids::Any,
            beside_calls: false,
            null: true,
            marks: false,
        },
    };

    /// What is different after a refusal, if it names something that can be left out.
    pub fn after(self, wire: Wire, refusal: &str) -> Option<Quirks> {
        let said = refusal.to_ascii_lowercase();
        let names = |field: &str| said.contains(field);
        let mut quirks = self;
        match wire {
            _ if names("tool_choice") || names("tool choice") => quirks.force = false,
            _ if names("temperature") => quirks.temperature = false,
            Wire::OpenAi if names("max_completion_tokens") && names("max_tokens") => {
                quirks.limit = self.limit.other();
            }
            Wire::OpenAi if names("max_completion_tokens") => quirks.limit = LimitField::MaxTokens,
            Wire::OpenAi if names("stream_options") => quirks.usage = false,
            Wire::OpenAi if names("prompt_cache_key") => quirks.cache_key = false,
            Wire::OpenAi if names("reasoning_content") && names("missing") => {
                quirks.dialect.thoughts = Thoughts::Always(".");
            }
            Wire::OpenAi if names("reasoning_content") && names("passed back") => {
                quirks.dialect.thoughts = Thoughts::Always(".");
            }
            Wire::OpenAi if names("reasoning_content") || names("reasoning_details") => {
                quirks.dialect.thoughts = Thoughts::None;
            }
            _ if names("reasoning_effort") || names("output_config") || names("effort") => {
                quirks.effort = EffortField::No;
            }
            Wire::Anthropic if names("signature") || names("redacted_thinking") => {
                quirks.old_thoughts = false;
                quirks.effort = EffortField::No;
            }
            Wire::Anthropic if names("thinking") => quirks.effort = EffortField::No,
            _ => {}
        }
        (quirks != self).then_some(quirks)
    }

    /// The dialect for a model: some are cached up to marks.
    pub fn dialect_for(&self, model: &str) -> Dialect {
        let marks = self.marks_for.iter().any(|start| model.starts_with(start));
        Dialect { marks: marks || self.dialect.marks, ..self.dialect }
    }
}

impl LimitField {
    /// The key in the request.
    pub fn key(self) -> &'static str {
        match self {
            LimitField::MaxTokens => "max_tokens",
            LimitField::MaxCompletionTokens => "max_completion_tokens",
        }
    }

    fn other(self) -> LimitField {
        match self {
            LimitField::MaxTokens => LimitField::MaxCompletionTokens,
            LimitField::MaxCompletionTokens => LimitField::MaxTokens,
        }
    }
}

/// Whether one of OpenAI's models reasons: those refuse a temperature and take an effort.
pub fn reasons(model: &str) -> bool {
    let model = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    let of_gpt = model.strip_prefix("gpt-").and_then(|rest| rest.split(['-', '.']).next());
    let newer = of_gpt.and_then(|number| number.parse::<u32>().ok()).is_some_and(|n| n >= 5);
    let o_series =
        model.strip_prefix('o').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    // The chat variants of GPT-5 do not reason.
    (newer && !model.contains("-chat")) || o_series || model.starts_with("gpt-oss")
}

/// How one of Anthropic's models is told to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaudeThinks {
    /// It does not.
    Never,
    /// With a budget of tokens: 3.7 to 4.5.
    Budget,
    /// As it sees fit, with an effort: 4.6 and newer.
    Adaptive,
}

/// How a model of that name is told to think.
pub fn claude_thinks(model: &str) -> ClaudeThinks {
    match version(model) {
        Some(version) if version >= (4, 6) => ClaudeThinks::Adaptive,
        Some(version) if version >= (3, 7) => ClaudeThinks::Budget,
        _ => ClaudeThinks::Never,
    }
}

/// The version in a name such as `claude-sonnet-4-5-20250929` or `claude-3-7-sonnet-20250219`.
fn version(model: &str) -> Option<(u32, u32)> {
    let model = model.rsplit('/').next()?.to_ascii_lowercase();
    let name = model.strip_prefix("claude-")?;
    // A date has eight digits; a version's number has one or two.
    let number = |word: &str| word.parse::<u32>().ok().filter(|_| word.len() <= 2);
    let mut words = name.split(['-', '.']).skip_while(|word| number(word).is_none());
    let major = words.next().and_then(number)?;
    let minor = words.next().and_then(number).unwrap_or(0);
    Some((major, minor))
}

/// The most tokens a model with a budget may think, below the most it may answer. A thousand is the
/// least that Anthropic takes.
pub fn budget(effort: Effort, reply: u32) -> Option<u32> {
    let wanted = match effort {
        Effort::Low => 4_096,
        Effort::Medium => 10_240,
        Effort::High => 24_576,
    };
    let budget = wanted.min(reply / 4 * 3);
    (budget >= 1_024).then_some(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reasons_is_known_by_its_name() {
        for model in [
            "o1",
            "o3-mini",
            "o4-mini-2025-04-16",
            "gpt-5",
            "gpt-5.6-sol",
            "openai/gpt-6",
            "gpt-oss-20b",
        ] {
            assert!(reasons(model), "{model}");
        }
        for model in
            ["gpt-4o", "gpt-4.1-mini", "gpt-3.5-turbo", "gpt-5-chat-latest", "olmo-2", "qwen3"]
        {
            assert!(!reasons(model), "{model}");
        }
    }

    #[test]
    fn how_claude_thinks_follows_from_the_version() {
        let cases = [
            ("claude-3-5-sonnet-20241022", ClaudeThinks::Never),
            ("claude-3-7-sonnet-20250219", ClaudeThinks::Budget),
            ("claude-opus-4-20250514", ClaudeThinks::Budget),
            ("claude-sonnet-4-5", ClaudeThinks::Budget),
            ("claude-opus-4-6", ClaudeThinks::Adaptive),
            ("claude-opus-5", ClaudeThinks::Adaptive),
            ("anthropic/claude-fable-5.1", ClaudeThinks::Adaptive),
            ("some-other", ClaudeThinks::Never),
        ];
        for (model, thinks) in cases {
            assert_eq!(claude_thinks(model), thinks, "{model}");
        }
    }

    #[test]
    fn a_refusal_teaches_what_to_leave_out() {
        let all = Quirks { cache_key: true, ..Quirks::CAUTIOUS };
        let open = |said| all.after(Wire::OpenAi, said);
        let said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        assert_eq!(open(said), Some(Quirks { limit: LimitField::MaxCompletionTokens, ..all }));
        let said = "Unsupported value: 'temperature' does not support 0.2 with this model.";
        assert_eq!(open(said), Some(Quirks { temperature: false, ..all }));
        let said = "tool_choice 'specified' is incompatible with thinking enabled";
        assert_eq!(open(said), Some(Quirks { force: false, ..all }));
        assert_eq!(open("messages: at least one message is required"), None);
        let said = "messages.1.content.0: Invalid `signature` in `thinking` block";
        let without = Quirks { old_thoughts: false, effort: EffortField::No, ..all };
        assert_eq!(all.after(Wire::Anthropic, said), Some(without));
        assert_eq!(without.after(Wire::Anthropic, said), None);
    }
}
