//! What stands for the part of the conversation that is no longer sent.

use crate::layer::{Give, Layer};
use crate::snapshot::Snapshot;
use crate::source::{Place, Source, Trust};

/// The summaries and marks, if there are any: the newest of them stay when room runs out.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let mut layer = Layer::new("summary", Place::History, Give::Oldest);
    layer.trust = Trust::Agent;
    let find = "`recall` finds what they tell of";
    layer.rest = Some(match &snapshot.entries_in {
        Some(path) => format!("{path} has them, and {find}").into(),
        None => find.into(),
    });
    for earlier in snapshot.earlier.iter().filter(|earlier| !earlier.text.trim().is_empty()) {
        let [from, to] = earlier.events;
        layer.glue(if layer.is_empty() { "# Earlier in this conversation\n\n" } else { "\n\n" });
        layer.add(Source::Earlier { from, to }, earlier.text.clone());
    }
    (!layer.is_empty()).then_some(layer)
}
