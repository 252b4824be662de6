//! A workspace and a desk for the tests of the tools.

use std::path::PathBuf;
use std::sync::Arc;

use louver_store::Folder;
use serde_json::Value;
use tempfile::TempDir;

use super::{Desk, Output, Tool};

/// A workspace in a folder of its own, with a desk to it.
pub(super) struct Bench {
    dir: TempDir,
    pub(super) desk: Desk,
}

impl Bench {
    pub(super) fn new() -> Bench {
        let dir = TempDir::new().unwrap();
        let folder = Arc::new(Folder::open(dir.path()).unwrap());
        let kept = |handle: &str| (handle == "0123456789abcdef").then(|| "kept\n".to_owned());
        let desk = Desk {
            folder,
            session: "test:1".into(),
            channel: "test".into(),
            chat: "1".into(),
            others: false,
            kept: Arc::new(kept),
            in_view: Arc::default(),
            started: Arc::default(),
            out: tokio::sync::mpsc::unbounded_channel().0,
        };
        Bench { dir, desk }
    }

    pub(super) fn path(&self, rel: &str) -> PathBuf {
        self.dir.path().join(rel)
    }

    /// Runs a tool on a runtime of one thread, the least it may have.
    pub(super) fn run(&self, tool: &dyn Tool, arguments: Value) -> Output {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(tool.run(arguments, &self.desk))
    }
}

/// Only the tool's own words.
pub(super) fn said(bench: &Bench, tool: &dyn Tool, arguments: Value) -> String {
    bench.run(tool, arguments).words
}
