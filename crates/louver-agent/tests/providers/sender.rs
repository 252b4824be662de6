//! The sender against a server on loopback that misbehaves.

use std::time::Duration;

use louver_agent::http::Sender;
use louver_agent::provider::{Ask, Endpoint, Network, PROVIDERS, Setting, Trouble, Wire};
use louver_agent::{Delta, Finish, Reply, Usage};
use louver_context::{Message, Role};

use crate::server::{Answer, Server, ask, ask_once};
use crate::{person, prompt};

const STREAM: &str = "data: {\"id\":\"1\",\"choices\":[{\"delta\":{\"content\":\"Hé\"}}]}\n\n\
    data: {\"choices\":[{\"delta\":{\"content\":\"llo\"},\"finish_reason\":\"stop\"}]}\n\n\
    data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n\
    data: [DONE]\n\n";

fn hello() -> Reply {
    let usage = Some(Usage { input: 5, output: 2, ..Usage::default() });
    Reply { message: Message::text(Role::Assistant, "Héllo"), finish: Finish::Stop, usage }
}

fn text(text: &str) -> Delta {
    Delta::Text(text.into())
}

#[test]
fn a_stream_is_heard_as_it_comes_however_it_is_split() {
    for size in [1, 7, 4096] {
        let server = Server::new(vec![Answer::stream(STREAM).chunked(size)]);
        let (heard, reply) = ask(&server.endpoint(Wire::OpenAi), |_| ());
        assert_eq!((heard, reply), (vec![text("Hé"), text("llo")], Ok(hello())));
        let seen = server.seen();
        assert!(seen[0].head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{}", seen[0].head);
        assert!(seen[0].head.contains("authorization: Bearer a-very-secret-key"));
        assert_eq!(seen[0].body["messages"][1]["content"], "Hi");
    }
}

#[test]
fn an_answer_can_come_whole_asked_for_or_not() {
    let body = r#"{"choices":[{"message":{"content":"Héllo"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#;
    let plain = Answer::new(200, "text/plain", body);
    for (stream, answer) in [(false, Answer::json(body)), (true, Answer::json(body)), (true, plain)]
    {
        let server = Server::new(vec![answer]);
        let (heard, reply) = ask(&server.endpoint(Wire::OpenAi), |ask| ask.stream = stream);
        assert_eq!((heard, reply), (vec![text("Héllo")], Ok(hello())));
        assert_eq!(server.seen()[0].body.get("stream").is_some(), stream);
    }
}

#[test]
fn a_server_that_is_busy_or_broken_is_asked_again() {
    let soon = |status| Answer::error(status, "{}").with("retry-after", "0");
    for status in [429, 500, 529] {
        let server = Server::new(vec![soon(status), soon(status), Answer::stream(STREAM)]);
        let (heard, reply) = ask(&server.endpoint(Wire::OpenAi), |_| ());
        assert_eq!((heard, reply), (vec![text("Hé"), text("llo")], Ok(hello())));
        assert_eq!(server.seen().len(), 3);
    }
}

#[test]
fn patience_ends() {
    let busy = || Answer::error(429, "{}").with("retry-after", "0");
    let server = Server::new(vec![busy(), busy(), busy(), busy(), busy(), busy()]);
    let (_, reply) = ask(&server.endpoint(Wire::OpenAi), |_| ());
    assert!(matches!(reply.unwrap_err().trouble, Trouble::RateLimit { .. }));
    assert_eq!(server.seen().len(), 5);
}

#[test]
fn a_long_wait_is_told_and_not_waited_for() {
    let error = ask_once(Answer::error(429, "{}").with("retry-after", "3600")).unwrap_err();
    assert_eq!(error.to_string(), "`test` takes no more requests for 3600 s: {}");
}

#[test]
fn a_stream_that_is_cut_is_asked_for_once_more_and_what_was_heard_is_void() {
    let server = Server::new(vec![Answer::stream(STREAM).cut(), Answer::stream(STREAM)]);
    let (heard, reply) = ask(&server.endpoint(Wire::OpenAi), |_| ());
    assert_eq!(reply, Ok(hello()));
    let Delta::Again { why } = &heard[1] else { panic!("{heard:?}") };
    assert!(why.starts_with("the answer of `test` broke off"), "{why}");
    assert_eq!((&heard[0], &heard[2..]), (&text("Hé"), &[text("Hé"), text("llo")][..]));

    let server = Server::new(vec![Answer::stream(STREAM).cut(), Answer::stream(STREAM).cut()]);
    let (_, reply) = ask(&server.endpoint(Wire::OpenAi), |_| ());
    assert!(matches!(reply.unwrap_err().trouble, Trouble::Cut { .. }));
}

#[test]
fn a_stream_that_just_ends_was_cut_too() {
    let half =
        &STREAM[..STREAM.find("data: {\"choices\":[{\"delta\":{\"content\":\"llo\"").unwrap()];
    let server = Server::new(vec![Answer::stream(half), Answer::stream(STREAM)]);
    let (heard, reply) = ask(&server.endpoint(Wire::OpenAi), |_| ());
    assert_eq!((heard.len(), reply), (4, Ok(hello())));
}

#[test]
fn what_is_no_answer_is_malformed_and_not_asked_for_again() {
    for answer in
        [Answer::json("{\"a\""), Answer::stream("data: {\"choices\": [{]}\n\n"), Answer::json("{}")]
    {
        let error = ask_once(answer).unwrap_err();
        assert!(matches!(error.trouble, Trouble::Malformed { .. }), "{error:?}");
    }
}

#[test]
fn a_server_that_falls_silent_is_left() {
    let half = "data: {\"choices\":[{\"delta\":{\"content\":\"Hé\"}}]}\n\n";
    let server = Server::new(vec![Answer::stream(half).hanging()]);
    let mut endpoint = server.endpoint(Wire::OpenAi);
    endpoint.limits.silence = Duration::from_millis(50);
    let (heard, reply) = ask(&endpoint, |_| ());
    assert_eq!(heard, [text("Hé")]);
    assert_eq!(reply.unwrap_err().trouble, Trouble::Slow { limit: Duration::from_millis(50) });
}

#[test]
fn an_endless_answer_is_left() {
    let long = format!("data: {}", "x".repeat(5000));
    for answer in [Answer::stream(&long).chunked(100), Answer::json(&long)] {
        let server = Server::new(vec![answer]);
        let mut endpoint = server.endpoint(Wire::OpenAi);
        endpoint.limits.answer = 1000;
        let (_, reply) = ask(&endpoint, |_| ());
        assert_eq!(reply.unwrap_err().trouble, Trouble::TooBig { most: 1000 });
    }
}

#[test]
fn a_field_that_is_refused_is_left_out_and_that_is_remembered() {
    let refusal = r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}"#;
    let server = Server::new(vec![
        Answer::error(400, refusal),
        Answer::stream(STREAM),
        Answer::stream(STREAM),
    ]);
    let endpoint = server.endpoint(Wire::OpenAi);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let prompt = prompt(vec![person("Hi")]);
    let sender = Sender::new();
    for _ in 0..2 {
        let asked = Ask::new("m", &prompt, 99);
        let reply = runtime.block_on(sender.ask(&endpoint, &asked, &mut |_| ()));
        assert_eq!(reply, Ok(hello()));
    }
    let limits: Vec<bool> =
        server.seen().iter().map(|seen| seen.body.get("max_completion_tokens").is_some()).collect();
    assert_eq!(limits, [false, true, true]);
}

#[test]
fn anthropic_is_spoken_to_in_its_own_way() {
    let stream = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}\n\n\
        event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Héllo\"}}\n\n\
        event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}\n\n\
        event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    let server = Server::new(vec![Answer::stream(stream).chunked(11)]);
    let (heard, reply) = ask(&server.endpoint(Wire::Anthropic), |_| ());
    assert_eq!((heard, reply), (vec![text("Héllo")], Ok(hello())));
    let head = &server.seen()[0].head;
    assert!(head.starts_with("POST /v1/messages HTTP/1.1"), "{head}");
    assert!(
        head.contains("x-api-key: a-very-secret-key")
            && head.contains("anthropic-version: 2023-06-01"),
        "{head}"
    );
}

#[test]
fn nobody_listening_is_told_with_the_place() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let base = format!("http://127.0.0.1:{port}/v1");
    let (heard, reply) = ask(&Endpoint::custom("test", Wire::OpenAi, &base, None), |_| ());
    let error = reply.unwrap_err();
    assert!(matches!(error.trouble, Trouble::Network { what: Network::Refused, .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("nothing listens for `test` at http://127.0.0.1:{port}"));
    assert_eq!(heard, []);
}

#[test]
fn a_connection_that_is_lost_before_the_answer_is_made_anew() {
    let server = Server::new(vec![Answer::nothing(), Answer::stream(STREAM)]);
    let (heard, reply) = ask(&server.endpoint(Wire::OpenAi), |_| ());
    assert_eq!((heard, reply), (vec![text("Hé"), text("llo")], Ok(hello())));
    assert_eq!(server.seen().len(), 2);
}

#[test]
fn a_redirect_is_not_followed() {
    let answer = Answer::error(302, "").with("location", "http://127.0.0.1:9/steal");
    let error = ask_once(answer).unwrap_err();
    let Trouble::Refused { status: 302, said } = error.trouble else { panic!("{error:?}") };
    assert!(said.contains("http://127.0.0.1:9/steal"), "{said}");
}

#[test]
fn an_ask_that_is_dropped_closes_its_connection() {
    let server = Server::new(vec![Answer::stream(": wait\n\n").hanging(), Answer::stream(STREAM)]);
    let endpoint = server.endpoint(Wire::OpenAi);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let sender = Sender::new();
        let asked = endpoint.clone();
        let first = tokio::spawn(async move {
            let prompt = prompt(vec![person("Hi")]);
            sender.ask(&asked, &Ask::new("m", &prompt, 99), &mut |_| ()).await
        });
        while server.seen().is_empty() {
            tokio::task::yield_now().await;
        }
        first.abort();
        // The server answers one request at a time: it gets to this one when the first is closed.
        let prompt = prompt(vec![person("Hi")]);
        let reply = Sender::new().ask(&endpoint, &Ask::new("m", &prompt, 99), &mut |_| ()).await;
        assert_eq!(reply, Ok(hello()));
    });
}

#[test]
fn without_a_key_nothing_is_sent() {
    let anthropic = PROVIDERS.iter().find(|provider| provider.name == "anthropic").unwrap();
    let (_, reply) = ask(&anthropic.endpoint(None), |_| ());
    assert_eq!(reply.unwrap_err().trouble, Trouble::NoKey);
}

#[test]
fn a_servers_models_are_listed() {
    let list = r#"{"object":"list","data":[{"id":"qwen3"},{"id":"models/gemma"},{"object":"x"}]}"#;
    let server = Server::new(vec![Answer::json(list), Answer::json(list), Answer::json("<html>")]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let sender = Sender::new();
    let endpoint = server.endpoint(Wire::OpenAi);
    let names = vec!["qwen3".to_owned(), "gemma".to_owned()];
    assert_eq!(runtime.block_on(sender.models(&endpoint)), Ok(names.clone()));
    assert_eq!(runtime.block_on(sender.probe(&endpoint)), Some(names));
    assert_eq!(runtime.block_on(sender.probe(&endpoint)), None);
    assert!(server.seen()[0].head.starts_with("GET /v1/models HTTP/1.1"));
}

#[test]
fn a_setting_that_cannot_be_sent_is_named_and_nobody_is_asked() {
    let wrong = |endpoint: &Endpoint| {
        let error = ask(endpoint, |_| ()).1.unwrap_err();
        let told = format!("{error}; {}", error.hint().unwrap());
        assert!(!told.contains("status") && !told.contains("secret"), "{told}");
        let Trouble::Setting { what } = error.trouble else { panic!("{told}") };
        (what, told)
    };
    for base in ["", "nonsense", "ftp://x/v1", "http://", "user:secret@host"] {
        let (what, told) = wrong(&Endpoint::custom("mine", Wire::OpenAi, base, None));
        assert_eq!(what, Setting::Address);
        assert!(told.contains("`url` of `[providers.mine]`"), "{told}");
    }
    let mut endpoint = Endpoint::custom("mine", Wire::OpenAi, "http://127.0.0.1:1/v1", None);
    endpoint.headers.push(("x token".into(), "secret".into()));
    assert_eq!(wrong(&endpoint).0, Setting::Header("x token".to_owned()));
    endpoint.headers.clear();
    endpoint.key = Some("a-secret\nof two lines".into());
    assert_eq!(wrong(&endpoint).0, Setting::Key);
}

#[test]
fn the_address_of_a_route_is_the_servers() {
    let server = Server::new(vec![Answer::stream(STREAM)]);
    let mut endpoint = server.endpoint(Wire::OpenAi);
    endpoint.base += "/chat/completions";
    assert_eq!(ask(&endpoint, |_| ()).1, Ok(hello()));
    assert!(server.seen()[0].head.starts_with("POST /v1/chat/completions HTTP/1.1"));
}
