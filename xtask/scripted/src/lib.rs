//! A model server for tests: it answers from a script, and checks what it is sent.
//!
//! One port of the loopback address speaks OpenAI's chat completions and Anthropic's messages, whole
//! and streamed. Each request is recorded, checked against the provider's published rules (a broken
//! one is answered 400, in words that name it), counted, and answered by the script: well, or badly
//! on purpose.
//!
//! ```text
//! request ─ record ─ check ▶ 400
//!                      └── count ─ rule or next step ▶ Answer ─ protocol ▶ body or events ─ fault ▶ bytes
//! ```
//!
//! ```
//! use louver_scripted::{Script, Scripted};
//!
//! let script = Script::from_json(
//!     r#"[
//!         {"calls": [{"name": "read_file", "arguments": {"path": "shop/stock.csv"}}]},
//!         {"text": "Twelve, and the least is 36."}
//!     ]"#,
//! )
//! .expect("a good script");
//! let server = Scripted::start(script).expect("a free port");
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! assert!(server.requests().is_empty());
//! ```
//!
//! # The script
//!
//! Steps answer requests in the order in which they come; a list of steps is a whole script. Rules
//! come first and answer whatever fits them, so that any number of sessions can ask at once:
//!
//! ```
//! # let script = r#"
//! {
//!   "rules": [
//!     {"when": {"user": "spokes"}, "times": 1, "answer": {"fault": {"status": 429, "retry_after": "0"}}},
//!     {"when": {"user": "spokes"},
//!      "answer": {"thinking": "The list knows.",
//!                 "calls": [{"name": "read_file", "arguments": {"path": "shop/stock.csv"}}]}},
//!     {"when": {"tool": "SPK-292"}, "answer": {"text": "Twelve of 292 mm.", "chunk": 3, "delay_ms": 20}},
//!     {"when": {"system": "You consolidate"}, "answer": {"text": "Nothing new."}}
//!   ],
//!   "steps": [
//!     {"text": "You said: {{last_user}}"},
//!     {"calls": [{"name": "list_dir", "arguments": "{\"path\": ", "id": "call_broken"}]},
//!     {"text": "half", "finish": "length", "usage": {"input": 900, "cached": 800, "output": 2}},
//!     {"text": "the rest never comes", "fault": {"cut": 120}}
//!   ],
//!   "then": "fail",
//!   "models": ["scripted"],
//!   "key": "test-key",
//!   "window": 8000
//! }
//! # "#;
//! # louver_scripted::Script::from_json(script).expect("the example is a script");
//! ```
//!
//! - `when` names parts of texts: `user` (the newest words of a person), `tool` (the result with which
//!   the request ends), `system`, `model`. A rule without `tool` is for requests that end with a
//!   person's words.
//! - `{{last_user}}`, `{{last_tool}}`, `{{number}}` (of the request) and `{{model}}` stand for what
//!   the request holds, in texts and in arguments.
//! - `arguments` is an object, or a string that is sent as it is.
//! - `then` is what follows the last step: `"ok"`, `"repeat"` (the last again) or `"fail"` (500).
//! - `models`, `key` and `window`: another model is answered 404, another key 401, a longer
//!   request as too long.
//! - `embeddings` answers `/embeddings`: `{"dims": 4, "axes": {"dog": 0, "puppy": 0}, "longest": 500, "wrong":
//!   "count"}`. A text's vector has a one where its words are; `wrong` is `count`, `length`, `kind`, `hang` or
//!   `broken`.
//! - `extra_fields` names fields that the checks let through besides the published ones.
//!
//! # Faults
//!
//! | `fault` | what happens |
//! |---|---|
//! | `{"status": 529}` | that status with the provider's body; with `retry_after` and `message` if given |
//! | `"quota"`, `"key_echoed"` | 429 that waiting will not help (400 from Anthropic); 401 that repeats the key |
//! | `"too_long"`, `{"too_long": "llama.cpp"}` | 400 in the protocol's words, or in those of `openai`, `anthropic`, `anthropic_reply`, `llama.cpp`, `vllm`, `openrouter`, `deepseek`, `kimi`, `lm_studio` |
//! | `{"cut": 120}` | the connection ends after so many bytes of the body |
//! | `"close"`, `"hang"` | it ends before the answer; the answer never comes |
//! | `{"slow_ms": 5}` | byte by byte |
//! | `"malformed"` | one event, or the body, is JSON that breaks off |
//! | `"unfinished"`, `"stream_error"` | the stream ends without saying why; an error comes in its middle |
//! | `"endless"` | the text again and again |
//! | `"empty"` | a proper answer that says nothing |
//! | `{"ids": "duplicate"}` | bad ids of calls: `wrong`, `shifting`, `duplicate`, `empty`, `missing` |
//! | `"no_index"` | fragments that do not say which call they belong to |
//! | `"html"`, `"wrong_type"` | a page instead of an answer; the right body as `text/plain` |
//!
//! # The program
//!
//! `louver-scripted --script FILE [--port N] [--log FILE]` prints its address on the first line and
//! ends when its stdin closes. The log has one line of JSON for each request.

mod answer;
mod anthropic;
mod cache;
mod check;
mod embeddings;
mod errors;
mod fault;
mod http;
mod openai;
mod play;
mod record;
mod script;
mod seen;
mod serve;
mod server;
mod state;
mod template;

pub use check::Violation;
pub use embeddings::{Embeddings, Wrong};
pub use fault::{Dialect, Fault, Ids, Named};
pub use record::Recorded;
pub use script::{BadScript, Call, Rule, Script, Step, Then, Usage, When};
pub use seen::Protocol;
pub use server::{Options, Scripted};
