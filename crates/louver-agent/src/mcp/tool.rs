//! A server's tool as a [`Tool`].

use std::sync::Arc;

use louver_context::snapshot::ToolSchema;
use serde_json::Value;

use super::offer::Offer;
use super::server::Server;
use crate::tools::{Desk, Running, Tool};

/// A tool of a server, as it was when the turn began.
pub(super) struct McpTool {
    /// The name a model calls it by.
    pub(super) name: String,
    pub(super) offer: Arc<Offer>,
    pub(super) server: Arc<Server>,
}

impl Tool for McpTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: self.name.as_str().into(),
            description: self.offer.description.clone(),
            parameters: self.offer.parameters.clone(),
        }
    }

    fn only_reads(&self) -> bool {
        self.offer.only_reads
    }

    fn run<'a>(&'a self, arguments: Value, _: &'a Desk) -> Running<'a> {
        Box::pin(self.server.call(&self.offer.name, arguments))
    }
}
