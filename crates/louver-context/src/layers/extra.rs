//! Layers that configuration adds: a file's text or a command's output.

use std::borrow::Cow;

use crate::fence::{attribute, fence};
use crate::layer::{Give, Layer};
use crate::snapshot::{Extra, Snapshot};

/// One layer each. Text that may not instruct stands in a fence.
pub fn all(snapshot: &Snapshot) -> Vec<Layer> {
    let said = snapshot.extra.iter().filter(|extra| !extra.text.trim().is_empty());
    said.map(build).collect()
}

fn build(extra: &Extra) -> Layer {
    let mut layer = Layer::new("", extra.place, Give::Lines);
    layer.name = Cow::Owned(extra.name.clone());
    layer.trust = extra.trust;
    layer.cap = extra.cap;
    if extra.trust.may_instruct() {
        layer.glue(format!("## {}\n\n", extra.name));
        layer.add(extra.source.clone(), extra.text.clone());
        return layer;
    }
    let name = format!("name=\"{}\"", attribute(&extra.name));
    let fence = fence("data", &name, &extra.text);
    layer.glue(format!("{}\n", fence.open));
    layer.add(extra.source.clone(), extra.text.clone());
    let newline = if extra.text.ends_with('\n') { "" } else { "\n" };
    layer.glue(format!("{newline}{}", fence.close));
    layer
}
