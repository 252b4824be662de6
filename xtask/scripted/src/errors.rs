//! Errors as the providers word them.

use serde_json::{Value, json};

use crate::fault::Dialect;
use crate::seen::Protocol;

/// An error as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    pub(crate) body: Value,
}

/// The tokens of a request that is too long, and the most there may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) tokens: u64,
    pub(crate) window: u64,
}

impl Refusal {
    fn new(status: u16, body: Value) -> Refusal {
        Refusal { status, retry_after: None, body }
    }
}

/// A status with the body that goes with it.
pub(crate) fn status(
    protocol: Protocol,
    status: u16,
    model: &str,
    message: Option<&str>,
) -> Refusal {
    let body = match protocol {
        Protocol::OpenAi => openai(status, model, message),
        Protocol::Anthropic => anthropic(status, model, message),
    };
    Refusal::new(status, body)
}

/// <https://platform.openai.com/docs/guides/error-codes/api-errors>
fn openai(status: u16, model: &str, message: Option<&str>) -> Value {
    let (words, kind, code) = match status {
        401 => (
            "Incorrect API key provided. You can find your API key at \
             https://platform.openai.com/account/api-keys."
                .to_owned(),
            "invalid_request_error",
            Some("invalid_api_key"),
        ),
        404 => (
            format!("The model `{model}` does not exist or you do not have access to it."),
            "invalid_request_error",
            Some("model_not_found"),
        ),
        429 => (
            format!(
                "Rate limit reached for {model} in organization org-scripted on tokens per min \
                 (TPM): Limit 30000, Used 29512, Requested 1803. Please try again in 2.63s."
            ),
            "tokens",
            Some("rate_limit_exceeded"),
        ),
        503 | 529 => (
            "The engine is currently overloaded, please try again later".to_owned(),
            "server_error",
            None,
        ),
        500.. => (
            "The server had an error while processing your request. Sorry about that!".to_owned(),
            "server_error",
            None,
        ),
        _ => ("We could not parse your request.".to_owned(), "invalid_request_error", None),
    };
    let words = message.map_or(words, str::to_owned);
    json!({"error": {"message": words, "type": kind, "param": null, "code": code}})
}

/// <https://docs.anthropic.com/en/api/errors>
fn anthropic(status: u16, model: &str, message: Option<&str>) -> Value {
    let (kind, words) = match status {
        401 => ("authentication_error", "invalid x-api-key".to_owned()),
        403 => (
            "permission_error",
            "Your API key does not have permission to use the specified resource.".to_owned(),
        ),
        404 => ("not_found_error", format!("model: {model}")),
        413 => ("request_too_large", "Request exceeds the maximum size".to_owned()),
        429 => (
            "rate_limit_error",
            "This request would exceed the rate limit for your organization of 40,000 input \
             tokens per minute."
                .to_owned(),
        ),
        504 => ("timeout_error", "The request timed out".to_owned()),
        529 => ("overloaded_error", "Overloaded".to_owned()),
        500.. => ("api_error", "Internal server error".to_owned()),
        _ => ("invalid_request_error", "The request is not valid.".to_owned()),
    };
    let words = message.map_or(words, str::to_owned);
    json!({
        "type": "error",
        "error": {"type": kind, "message": words},
        "request_id": "req_scripted",
    })
}

/// 429 for an account without money.
pub(crate) fn quota(protocol: Protocol) -> Refusal {
    match protocol {
        Protocol::OpenAi => Refusal::new(
            429,
            json!({"error": {
                "message": "You exceeded your current quota, please check your plan and billing \
                            details. For more information on this error, read the docs: \
                            https://platform.openai.com/docs/guides/error-codes/api-errors.",
                "type": "insufficient_quota", "param": null, "code": "insufficient_quota",
            }}),
        ),
        Protocol::Anthropic => {
            let words = "Your credit balance is too low to access the Anthropic API. Please go to \
                         Plans & Billing to upgrade or purchase credits.";
            status(protocol, 400, "", Some(words))
        }
    }
}

/// 401 that repeats the key, as careless servers do.
pub(crate) fn key_echoed(protocol: Protocol, key: &str) -> Refusal {
    status(protocol, 401, "", Some(&format!("Incorrect API key provided: {key}.")))
}

/// The conversation does not fit, in the words of one kind of server.
pub(crate) fn too_long(dialect: Dialect, Sizes { tokens, window }: Sizes) -> Refusal {
    let body = match dialect {
        Dialect::OpenAi => json!({"error": {
            "message": format!(
                "This model's maximum context length is {window} tokens. However, your messages \
                 resulted in {tokens} tokens. Please reduce the length of the messages."
            ),
            "type": "invalid_request_error", "param": "messages",
            "code": "context_length_exceeded",
        }}),
        Dialect::Anthropic => json!({
            "type": "error",
            "error": {"type": "invalid_request_error",
                "message": format!("prompt is too long: {tokens} tokens > {window} maximum")},
            "request_id": "req_scripted",
        }),
        Dialect::AnthropicReply => json!({
            "type": "error",
            "error": {"type": "invalid_request_error", "message": format!(
                "input length and `max_tokens` exceed context limit: {tokens} + 4096 > {window}, \
                 decrease input length or `max_tokens` and try again"
            )},
            "request_id": "req_scripted",
        }),
        Dialect::LlamaCpp => json!({"error": {
            "code": 400,
            "message": format!(
                "request ({tokens} tokens) exceeds the available context size ({window} tokens), \
                 try increasing it"
            ),
            "type": "exceed_context_size_error",
            "n_prompt_tokens": tokens, "n_ctx": window,
        }}),
        Dialect::Vllm => json!({"error": {
            "message": format!(
                "This model's maximum context length is {window} tokens. However, you requested \
                 {} tokens ({tokens} in the messages, 1024 in the completion). Please reduce the \
                 length of the messages or completion.",
                tokens + 1024
            ),
            "type": "BadRequestError", "param": null, "code": 400,
        }}),
        Dialect::OpenRouter => json!({"error": {
            "message": format!(
                "This endpoint's maximum context length is {window} tokens. However, you \
                 requested about {} tokens ({tokens} of text input, 1024 in the output). Please \
                 reduce the length of either one, or use the \"middle-out\" transform to compress \
                 your prompt automatically.",
                tokens + 1024
            ),
            "code": 400, "metadata": {"provider_name": null},
        }}),
        Dialect::DeepSeek => json!({"error": {
            "message": format!(
                "This model's maximum context length is {window} tokens. However, you requested \
                 {} tokens ({tokens} in the messages, 1024 in the completion). Please reduce the \
                 length of the messages or completion.",
                tokens + 1024
            ),
            "type": "invalid_request_error", "param": null, "code": "invalid_request_error",
        }}),
        Dialect::Kimi => json!({"error": {
            "message": format!(
                "Invalid request: Your request exceeded model token limit: {window}"
            ),
            "type": "invalid_request_error",
        }}),
        Dialect::LmStudio => json!({"error": format!(
            "Trying to keep the first {tokens} tokens when context the overflows. However, the \
             model is loaded with context length of only {window} tokens, which is not enough. \
             Try to load the model with a larger context length, or provide a shorter input"
        )}),
    };
    Refusal::new(400, body)
}
