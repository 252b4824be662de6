//! Who the agent is, where it runs, and how it works with tools.

use crate::layer::{Give, Layer};
use crate::snapshot::Snapshot;
use crate::source::{Place, Source};

const WHO: &str = include_str!("identity.md");
const WHERE: &str = include_str!("host.md");

/// The built-in identity, or the workspace's own in its place, and where the agent runs.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("identity", Place::Always, Give::Never);
    match &snapshot.identity {
        Some(document) => layer.file(&document.path, &document.text),
        None => layer.add(Source::built_in("identity"), WHO.trim_end()),
    }
    layer.glue("\n\n");
    layer.add(Source::built_in("host"), host(snapshot));
    Some(layer)
}

/// Where the agent runs. It holds no clock: the time stands next to the newest message, since here
/// it would change the first bytes of every request. It holds no absolute path either: a workspace
/// that moves keeps its prompt.
fn host(snapshot: &Snapshot) -> String {
    let host = &snapshot.host;
    WHERE
        .trim_end()
        .replace("{system}", &host.system)
        .replace("{machine}", &host.machine)
        .replace("{version}", &host.version)
}
