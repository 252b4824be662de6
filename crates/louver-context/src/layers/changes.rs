//! What changed in the files since the prefix was fixed.

use crate::layer::{Give, Layer};
use crate::snapshot::Snapshot;
use crate::source::{Place, Source};

/// What stands above them.
pub const HEADING: &str = "# Changed since the start of this conversation\n\n";

/// The changes, after history, so that the prefix stays as it was sent.
pub fn build(snapshot: &Snapshot) -> Option<Layer> {
    let changes = snapshot.changes.as_ref().filter(|changes| !changes.trim().is_empty())?;
    let mut layer = Layer::new("changes", Place::Turn, Give::Lines);
    layer.glue(HEADING);
    layer.add(Source::Changes, changes.clone());
    Some(layer)
}
