//! The table of providers. One that speaks a known wire is one row.

use louver_context::render::dialect::{Dialect, Thoughts};
use louver_context::render::safe::Ids;

use super::quirks::{EffortField, LimitField, Quirks};
use super::{Provider, Wire};

/// The providers that are known by name, the first of a family first.
pub const PROVIDERS: &[Provider] = &[
    Provider {
        name: "openai",
        wire: Wire::OpenAi,
        base: "https://api.openai.com/v1",
        keys: &["OPENAI_API_KEY"],
        families: &["gpt-", "chatgpt-", "o1", "o3", "o4", "codex-"],
        local: false,
        help: "https://platform.openai.com/api-keys",
        quirks: Quirks {
            limit: LimitField::MaxCompletionTokens,
            effort: EffortField::ByModel,
            cache_key: true,
            dialect: Dialect { ids: Ids::Plain, ..OPENAI },
            ..HOSTED
        },
    },
    Provider {
        name: "anthropic",
        wire: Wire::Anthropic,
        base: "https://api.anthropic.com",
        keys: &["ANTHROPIC_API_KEY"],
        families: &["claude"],
        local: false,
        help: "https://console.anthropic.com/settings/keys",
        quirks: Quirks { effort: EffortField::ByModel, ..HOSTED },
    },
    Provider {
        name: "openrouter",
        wire: Wire::OpenAi,
        base: "https://openrouter.ai/api/v1",
        keys: &["OPENROUTER_API_KEY"],
        families: &[],
        local: false,
        help: "https://openrouter.ai/keys",
        quirks: Quirks {
            effort: EffortField::Object,
            dialect: Dialect { thoughts: Thoughts::Details, beside_calls: true, ..OPENAI },
            marks_for: &["anthropic/", "~anthropic/"],
            ..HOSTED
        },
    },
    Provider {
        name: "deepseek",
        wire: Wire::OpenAi,
        base: "https://api.deepseek.com/v1",
        keys: &["DEEPSEEK_API_KEY"],
        families: &["deepseek"],
        local: false,
        help: "https://platform.deepseek.com/api_keys",
        // An assistant's message with calls and without the field is refused in thinking mode; an
        // empty one is taken. https://api-docs.deepseek.com/guides/thinking_mode#tool-calls
        quirks: Quirks { dialect: Dialect { thoughts: Thoughts::Always(""), ..OPENAI }, ..HOSTED },
    },
    Provider {
        name: "moonshot",
        wire: Wire::OpenAi,
        base: "https://api.moonshot.ai/v1",
        keys: &["MOONSHOT_API_KEY", "KIMI_API_KEY"],
        families: &["kimi", "moonshot"],
        local: false,
        help: "https://platform.moonshot.ai/console/api-keys",
        // Kimi refuses an empty thought as well as a missing one, and a forced call while it thinks.
        // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
        quirks: Quirks {
            force: false,
            dialect: Dialect { thoughts: Thoughts::Always("."), ..OPENAI },
            ..HOSTED
        },
    },
    Provider {
        name: "dashscope",
        wire: Wire::OpenAi,
        base: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        keys: &["DASHSCOPE_API_KEY", "QWEN_API_KEY"],
        families: &["qwen", "qwq"],
        local: false,
        help: "https://modelstudio.console.alibabacloud.com/?tab=playground#/api-key",
        quirks: Quirks {
            force: false,
            dialect: Dialect { null: false, thoughts: Thoughts::Content, ..OPENAI },
            ..HOSTED
        },
    },
    Provider {
        name: "stepfun",
        wire: Wire::OpenAi,
        base: "https://api.stepfun.com/v1",
        keys: &["STEPFUN_API_KEY", "STEP_API_KEY"],
        families: &["step-"],
        local: false,
        help: "https://platform.stepfun.com/interface-key",
        quirks: Quirks { dialect: Dialect { null: false, ..OPENAI }, ..HOSTED },
    },
    Provider {
        name: "mistral",
        wire: Wire::OpenAi,
        base: "https://api.mistral.ai/v1",
        keys: &["MISTRAL_API_KEY"],
        families: &["mistral", "ministral", "magistral", "codestral", "devstral", "pixtral"],
        local: false,
        help: "https://console.mistral.ai/api-keys",
        quirks: Quirks {
            usage: false,
            dialect: Dialect { ids: Ids::Nine, null: false, ..OPENAI },
            ..HOSTED
        },
    },
    Provider {
        name: "groq",
        wire: Wire::OpenAi,
        base: "https://api.groq.com/openai/v1",
        keys: &["GROQ_API_KEY"],
        families: &[],
        local: false,
        help: "https://console.groq.com/keys",
        quirks: Quirks { effort: EffortField::ByModel, ..HOSTED },
    },
    Provider {
        name: "gemini",
        wire: Wire::OpenAi,
        base: "https://generativelanguage.googleapis.com/v1beta/openai",
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        families: &["gemini"],
        local: false,
        help: "https://aistudio.google.com/apikey",
        // A call without the signature it came with is refused.
        quirks: Quirks {
            effort: EffortField::Word,
            dialect: Dialect { beside_calls: true, ..OPENAI },
            ..HOSTED
        },
    },
    Provider {
        name: "ollama",
        wire: Wire::OpenAi,
        base: "http://127.0.0.1:11434/v1",
        keys: &[],
        families: &[],
        local: true,
        help: "start it with `ollama serve`; `ollama pull qwen3` gets a model",
        quirks: LOCAL,
    },
    Provider {
        name: "llamacpp",
        wire: Wire::OpenAi,
        base: "http://127.0.0.1:8080/v1",
        keys: &["LLAMA_API_KEY"],
        families: &[],
        local: true,
        help: "start it with `llama-server --jinja -m MODEL.gguf`",
        quirks: LOCAL,
    },
    Provider {
        name: "vllm",
        wire: Wire::OpenAi,
        base: "http://127.0.0.1:8000/v1",
        keys: &["VLLM_API_KEY"],
        families: &[],
        local: true,
        help: "start it with `vllm serve MODEL --enable-auto-tool-choice --tool-call-parser PARSER`",
        quirks: LOCAL,
    },
    Provider {
        name: "lmstudio",
        wire: Wire::OpenAi,
        base: "http://127.0.0.1:1234/v1",
        keys: &[],
        families: &[],
        local: true,
        help: "start it with `lms server start`",
        quirks: LOCAL,
    },
];

const OPENAI: Dialect = Dialect {
    thoughts: Thoughts::None,
    ids: Ids::Any,
    beside_calls: false,
    null: true,
    marks: false,
};

/// What most servers on the network take.
const HOSTED: Quirks = Quirks {
    limit: LimitField::MaxTokens,
    usage: true,
    cache_key: false,
    temperature: true,
    effort: EffortField::No,
    force: true,
    marks_for: &[],
    old_thoughts: true,
    dialect: OPENAI,
};

/// What servers on this machine take. Their templates read `reasoning_content`, or ignore it.
const LOCAL: Quirks =
    Quirks { dialect: Dialect { thoughts: Thoughts::Content, ..OPENAI }, ..HOSTED };
