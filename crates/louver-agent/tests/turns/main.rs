//! Whole turns against the scripted server, in both protocols, streamed and whole.
#![allow(clippy::unwrap_used)]

mod calls;
mod crowd;
mod embeddings;
mod faults;
mod long;
mod memory;
mod permission;
mod prefix;
mod small;
mod stage;
mod stops;
mod subagents;
mod words;
