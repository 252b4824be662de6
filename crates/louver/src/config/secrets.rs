//! Secrets that stand in the person's own file: a key counts only while nobody else can read it.

use louver_agent::mcp::looks_secret;
use secrecy::SecretString;

use super::{Config, own_path};
use crate::error::{Code, Failure};

/// A key of the person's own file, unless others can read it there.
pub(crate) fn private(key: &SecretString) -> Result<SecretString, Failure> {
    if !is_readable_by_others() {
        return Ok(key.clone());
    }
    let path = own_path().unwrap_or_default();
    let path = path.display();
    let what = format!("{path} holds a key and others on this machine can read it");
    Err(Failure::new(Code::Workspace, what).hint(format!("chmod 600 {path}")))
}

/// Whether others on this machine can read the person's own settings.
fn is_readable_by_others() -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = own_path().and_then(|path| std::fs::metadata(path).ok());
    mode.is_some_and(|meta| meta.permissions().mode() & 0o077 != 0)
}

impl Config {
    /// The settings that hold a secret others can read.
    pub(crate) fn exposed(&self) -> Vec<String> {
        if !is_readable_by_others() {
            return Vec::new();
        }
        let mut exposed = Vec::new();
        for (name, own) in &self.providers {
            exposed.extend(own.key.as_ref().map(|_| format!("providers.{name}.key")));
            let headers = own.headers.keys().filter(|header| looks_secret(header));
            exposed.extend(headers.map(|header| format!("providers.{name}.headers.{header}")));
        }
        let search = self.tools.as_ref().and_then(|tools| tools.search.as_ref()?.key.as_ref());
        exposed.extend(search.map(|_| "tools.search.key".to_owned()));
        for (name, server) in &self.mcp {
            exposed.extend(server.literal_secrets().map(|secret| format!("mcp.{name}.{secret}")));
        }
        exposed
    }
}
