//! Tools that other programs bring: servers of the Model Context Protocol.
//!
//! Each server of `louver.toml` is started in the background, over its standard streams or over
//! streamable HTTP. A turn takes the tools that are there and never waits for one that is not; a
//! server that is slow, broken or dead costs only itself. Everything a server says, its tools'
//! names, descriptions and results, is a third party's text.
//!
//! ```text
//! config ▶ Plan ─ server ▶ link (rmcp over child + stdio, or http) ▶ book ▶ Offer ─ tool ▶ Tool
//! ```
//!
//! `rmcp` stays behind this module: none of its types is part of the API.

mod answer;
mod book;
mod child;
mod config;
mod http;
mod link;
mod offer;
mod server;
mod stdio;
mod tool;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use louver_store::Problem;

pub use self::child::PASSED_ON;
pub use self::config::{BadConfig, Hidden, ServerConfig, looks_secret};
use self::server::Server;
use self::tool::McpTool;
use crate::tools::Tool;

/// The servers of one process. Dropping it ends them, and everything they started.
pub struct Servers {
    /// By name.
    servers: Vec<Arc<Server>>,
}

/// How one server is, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Its name in `louver.toml`.
    pub name: String,
    /// Whether it is there.
    pub state: State,
    /// Its tools, by the names it gives them.
    pub tools: Vec<String>,
    /// What it calls itself, and its version, once it has said so.
    pub version: Option<String>,
    /// Why it is not there.
    pub last_error: Option<String>,
}

/// Whether a server is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It was started and has not answered yet.
    Starting,
    /// It answers.
    Ready,
    /// It is not there; the next call of one of its tools starts it again.
    Stopped,
    /// It is not there, and is not tried again.
    GivenUp,
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            State::Starting => "is starting",
            State::Ready => "is ready",
            State::Stopped => "is stopped",
            State::GivenUp => "is given up",
        })
    }
}

impl Servers {
    /// Starts all of them side by side in the workspace and waits for none. Must be called within a tokio runtime.
    pub fn start(configs: BTreeMap<String, ServerConfig>, workspace: &Path) -> Servers {
        let servers =
            configs.into_iter().map(|(name, config)| Server::new(name, &config, workspace));
        Servers { servers: servers.collect() }
    }

    /// The tools that are there, by server and name, and what is wrong with the servers.
    ///
    /// To be called between turns: what servers have changed since shows only here. A server that is
    /// still starting is waited for once, for at most `grace`; later calls take what is there. The
    /// tools of a server that died stay, and calling one starts it again.
    pub async fn tools(&self, grace: Duration) -> (Vec<Arc<dyn Tool>>, Vec<Problem>) {
        let until = Instant::now() + grace;
        for server in &self.servers {
            server.first_settled(until).await;
        }
        let (mut tools, mut problems) = (Vec::<Arc<dyn Tool>>::new(), Vec::new());
        let mut taken = BTreeSet::new();
        for server in &self.servers {
            let (offers, wrong) = server.offers();
            problems.extend(wrong);
            for offer in offers {
                let name = offer::name(&server.name, &offer.name, &mut taken);
                tools.push(Arc::new(McpTool { name, offer, server: server.clone() }));
            }
        }
        (tools, problems)
    }

    /// How each of them is, by name.
    pub fn status(&self) -> Vec<Status> {
        self.servers.iter().map(|server| server.status()).collect()
    }

    /// Ends all of them side by side, gently at first: their input is closed, then they are asked,
    /// then they are killed. It takes two or three seconds at most.
    pub async fn stop(self) {
        let mut ends = tokio::task::JoinSet::new();
        for server in &self.servers {
            let server = server.clone();
            ends.spawn(async move { server.stop().await });
        }
        ends.join_all().await;
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.servers.iter().for_each(|server| server.kill());
    }
}
