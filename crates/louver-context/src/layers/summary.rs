//! What stands for the part of the conversation that is no longer sent.

use crate::layer::{Give, Layer};
use crate::snapshot::Snapshot;
use crate::source::{Place, Trust};

/// The summary, if there is one.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let summary = snapshot.summary.as_ref().filter(|summary| !summary.text.trim().is_empty())?;
    let mut layer = Layer::new("summary", Place::History, Give::Lines);
    layer.trust = Trust::Agent;
    layer.glue("# Earlier in this conversation\n\n");
    layer.file(&summary.path, &summary.text);
    Some(layer)
}
