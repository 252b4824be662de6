//! Errors: what servers say is sorted, told to a person, and never holds a key.

use louver_agent::provider::{AskError, Endpoint, Network, Trouble, Wire};

use crate::endpoint;
use crate::server::{Answer, ask_once};

/// What is wrong, as servers put it.
fn sorted(status: u16, body: &str) -> Trouble {
    // Sorting is the sender's: a server that says it is the shortest way there.
    ask_once(Answer::error(status, body).with("retry-after", "999")).unwrap_err().trouble
}

fn too_long(body: &str) -> (Option<u64>, Option<u64>) {
    match sorted(400, body) {
        Trouble::TooLong { asked, window, .. } => (asked, window),
        other => panic!("{other:?} for {body}"),
    }
}

#[test]
fn too_long_is_known_in_every_servers_words_with_its_numbers() {
    let openai = r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#;
    assert_eq!(too_long(openai), (Some(130_512), Some(128_000)));
    let anthropic = r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}"#;
    assert_eq!(too_long(anthropic), (Some(208_310), Some(200_000)));
    let llamacpp = r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9001,"n_ctx":4096}}"#;
    assert_eq!(too_long(llamacpp), (Some(9001), Some(4096)));
    let vllm = r#"{"object":"error","message":"This model's maximum context length is 4,096 tokens. However, you requested 5,000 tokens","type":"BadRequestError","code":400}"#;
    assert_eq!(too_long(vllm), (Some(5000), Some(4096)));
    assert_eq!(too_long(r#"{"error":"input is too long"}"#), (None, None));
}

#[test]
fn each_error_is_sorted_by_what_can_be_done() {
    let kind = |status, body: &str| match sorted(status, body) {
        Trouble::WrongKey { .. } => "key",
        Trouble::NoModel { .. } => "model",
        Trouble::NoMoney { .. } => "money",
        Trouble::RateLimit { .. } => "rate",
        Trouble::Overload { .. } => "overload",
        Trouble::Refused { .. } => "refused",
        _ => "other",
    };
    let openai =
        |code: &str, words: &str| format!(r#"{{"error":{{"message":"{words}","code":"{code}"}}}}"#);
    assert_eq!(kind(401, &openai("invalid_api_key", "Incorrect API key provided")), "key");
    assert_eq!(
        kind(
            400,
            r#"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]"#
        ),
        "key"
    );
    assert_eq!(kind(403, "<html><head><title>Forbidden</title></head></html>"), "key");
    assert_eq!(kind(404, &openai("model_not_found", "The model `x` does not exist")), "model");
    assert_eq!(
        kind(404, r#"{"type":"error","error":{"type":"not_found_error","message":"model: x"}}"#),
        "model"
    );
    assert_eq!(
        kind(400, r#"{"error":{"message":"x is not a valid model ID","code":400}}"#),
        "model"
    );
    assert_eq!(kind(402, &openai("", "Insufficient Balance")), "money");
    assert_eq!(
        kind(429, &openai("insufficient_quota", "You exceeded your current quota")),
        "money"
    );
    assert_eq!(
        kind(
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#
        ),
        "money"
    );
    assert_eq!(kind(429, &openai("rate_limit_exceeded", "Rate limit reached")), "rate");
    assert_eq!(
        kind(529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
        "overload"
    );
    for status in [500, 502, 503, 504] {
        assert_eq!(kind(status, "upstream"), "overload");
    }
    assert_eq!(kind(400, &openai("invalid_value", "messages is missing")), "refused");
    assert_eq!(kind(302, ""), "refused");
}

#[test]
fn an_error_tells_a_person_what_to_do() {
    let told = |endpoint: &Endpoint, model: &str, trouble| {
        let error = AskError::new(endpoint, model, trouble);
        format!("{error}\n{}", error.hint().unwrap_or_default())
    };
    let said = || "it said so".to_owned();
    assert_eq!(
        told(&endpoint("anthropic"), "claude", Trouble::NoKey),
        "no key for `anthropic`\nset ANTHROPIC_API_KEY, or run `louver init` to choose another provider"
    );
    assert_eq!(
        told(&endpoint("openai"), "gpt-4o", Trouble::WrongKey { said: said() }),
        "`openai` refused the key: it said so\ncheck OPENAI_API_KEY; keys are made at https://platform.openai.com/api-keys"
    );
    assert_eq!(
        told(&endpoint("ollama"), "qwen3", Trouble::NoModel { said: said() }),
        "`ollama` has no model `qwen3`: it said so\n`ollama pull qwen3` gets it; `louver models --server` lists what is there"
    );
    let long = Trouble::TooLong { asked: Some(9000), window: Some(4096), said: said() };
    assert_eq!(
        told(&endpoint("vllm"), "m", long),
        "the request has 9000 tokens, but `m` holds 4096\nput `models.\"m\".window = 4096` at the top of louver.toml, or start anew with `/new`"
    );
    // Keys and addresses are the person's own: a workspace's louver.toml may not set them.
    let mine = Endpoint::custom("mine", Wire::OpenAi, "https://mine.example/v1", None);
    let own = "in your config.toml; `louver doctor` says where that is";
    assert_eq!(
        told(&mine, "m", Trouble::NoKey),
        format!("no key for `mine`\nset `key_env` or `key` of `[providers.mine]` {own}")
    );
    let nowhere = Trouble::Network { what: Network::NoHost, said: String::new() };
    assert_eq!(
        told(&mine, "m", nowhere),
        format!(
            "cannot find `mine` at https://mine.example\ncheck the network, and `url` of `[providers.mine]` {own}"
        )
    );
    let network = Trouble::Network { what: Network::Refused, said: said() };
    assert_eq!(
        told(&endpoint("ollama"), "qwen3", network),
        "nothing listens for `ollama` at http://127.0.0.1:11434\nstart it with `ollama serve`; `ollama pull qwen3` gets a model"
    );
}

#[test]
fn a_key_that_a_server_repeats_is_hidden() {
    let mut endpoint = Endpoint::custom("mine", Wire::OpenAi, "http://127.0.0.1:9", None);
    endpoint.key = Some("the-key-of-anna".into());
    let said = "bad key: the-key-of-anna".to_owned();
    let error = AskError::new(&endpoint, "m", Trouble::WrongKey { said });
    let echoed = Answer::error(401, "{\"error\":\"no such key: a-very-secret-key\"}");
    assert_eq!(
        ask_once(echoed).unwrap_err().to_string(),
        "`test` refused the key: no such key: [key]"
    );
    let shown = format!("{error} {error:?} {endpoint:?}");
    assert!(shown.contains("[key]") && !shown.contains("anna"), "{shown}");
}
