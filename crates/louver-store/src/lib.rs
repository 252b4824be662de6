//! louver-store opens an agent's workspace and builds contexts out of it.
//!
//! A workspace is a folder of Markdown: instruction files, memory, skills. Reading it is confined
//! to it by the kernel, costs one `stat` a file when nothing changed, and never fails as a whole:
//! a broken file is a [`Problem`] beside everything that could be read. [`ContextBuilder`] is what
//! most callers want.
//!
//! ```text
//! Folder ▶ Workspace (documents, memory) + Skills ▶ Snapshot ▶ louver-context ▶ Prompt + Ledger
//! ```
//!
//! ```
//! use louver_store::{ContextBuilder, Turn};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("AGENTS.md"), "Be brief.")?;
//! let mut builder = ContextBuilder::open(folder.path())?;
//! let built = builder.context(&Turn { message: "Hello".into(), ..Turn::default() })?;
//! assert!(built.context.prompt.system.contains("## AGENTS.md\n\nBe brief."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod append;
pub mod builder;
pub mod conversation;
mod decode;
pub mod disk;
pub mod export;
pub mod fitting;
pub mod frontmatter;
pub mod import;
pub mod library;
pub mod memory;
pub mod notes;
pub mod owner;
pub mod pictures;
pub mod problem;
pub mod seed;
pub mod session;
pub mod settings;
pub mod skills;
#[cfg(test)]
#[path = "../tests/skipped/mod.rs"]
mod skipped;
pub mod workspace;

pub use builder::{Built, ContextBuilder, Turn};
pub use conversation::{Conversation, Ready, TurnError};
pub use disk::{Folder, ReadError};
pub use owner::Owner;
pub use problem::{Problem, Severity};
pub use settings::{ExtraFile, Settings};
pub use skills::{Skill, Skills};
pub use workspace::Workspace;

/// The README's example, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
