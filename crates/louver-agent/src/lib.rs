//! Runs turns with a language model.
//!
//! A message comes in; the store builds its context; a provider's server answers; the tools it asks
//! for run under permissions and confinement; every step is in the log before the next begins.
//!
//! ```text
//! message ─ store ▶ Context ─ provider ▶ request ─ http ▶ Reply ─ turn decides ▶ tools ─▶ … ─▶ answer
//! ```
//!
//! `turn` decides and never waits; `run` does. A provider is pure functions and one line in a table;
//! a tool is one file and one line in a table.

pub mod agent;
pub mod consolidation;
mod cut;
pub mod embeddings;
pub mod happening;
pub mod http;
mod lane;
mod links;
pub mod mcp;
pub mod permit;
pub mod provider;
pub mod reply;
pub mod run;
pub mod spent;
pub mod sse;
mod stop;
pub mod tools;
pub mod turn;
pub mod web;

pub use reply::{Delta, Finish, Reply, Usage};
