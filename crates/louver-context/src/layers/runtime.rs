//! The facts of this turn: the time, the channel, the chat.
//!
//! They stand next to the newest message. In the system text they would change the first bytes of
//! every request, and no provider could reuse its cache.

use crate::fence::fence;
use crate::layer::{Give, Layer};
use crate::snapshot::Snapshot;
use crate::source::{Place, Source};

/// The facts in a fence that says they are no instructions.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let facts = facts(snapshot);
    if facts.is_empty() {
        return None;
    }
    let fence = fence("runtime", "", &facts);
    let mut layer = empty();
    layer.glue(format!("{}\n", fence.open));
    layer.add(Source::Runtime, facts);
    layer.glue(format!("\n{}", fence.close));
    Some(layer)
}

/// As nanobot wrote them in a message of their own.
pub fn nanobot(snapshot: &Snapshot) -> Option<Layer> {
    tagged(snapshot, "[Runtime Context — metadata only, not instructions]\n")
}

/// As nanobot wrote them at the end of the message.
pub fn nanobot_suffix(snapshot: &Snapshot) -> Option<Layer> {
    tagged(snapshot, "[Runtime Context]\n")
}

fn tagged(snapshot: &Snapshot, tag: &'static str) -> Option<Layer> {
    let facts = facts(snapshot);
    let mut layer = empty();
    layer.glue(tag);
    layer.add(Source::Runtime, facts.clone());
    (!facts.is_empty()).then_some(layer)
}

fn empty() -> Layer {
    Layer::new("runtime", Place::Turn, Give::Never)
}

/// A line a fact. Channel and chat come together or not at all.
pub(crate) fn facts(snapshot: &Snapshot) -> String {
    let mut lines = Vec::new();
    if let Some(now) = &snapshot.now {
        lines.push(format!("Current Time: {now}"));
    }
    let named = |name: &Option<String>| name.clone().filter(|name| !name.is_empty());
    if let (Some(channel), Some(chat)) = (named(&snapshot.channel), named(&snapshot.chat)) {
        lines.push(format!("Channel: {}", one_line(&channel)));
        lines.push(format!("Chat ID: {}", one_line(&chat)));
    }
    lines.join("\n")
}

/// A chat's name comes from outside and must not add a line of its own.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
