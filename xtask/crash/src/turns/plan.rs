//! The turn that is killed: ten steps, and how to know that one of them is finished.
//!
//! A call's id says which it is (`s4c0r1`: the fourth step, its first call, asked for in the second
//! run), so the log alone tells what is left to do.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result};
use louver_scripted::{Call, Script, Step, Then};
use serde_json::Value;

/// A call of a tool, and a part of the result that it has when it was run to its end.
pub(super) struct Planned {
    tool: &'static str,
    arguments: &'static str,
    pub(super) gives: &'static str,
}

/// Which call: the step, and the call within it.
pub(super) type Spot = (usize, usize);

/// The steps. Those of several calls run them side by side, as far as they only read.
pub(super) const PLAN: &[&[Planned]] = &[
    &[planned("read_file", r#"{"path":"shop/spokes.md"}"#, "marker-spokes")],
    &[planned("write_file", r#"{"path":"out/order.md","text":"12 spokes\n"}"#, "out/order.md")],
    &[
        planned("read_file", r#"{"path":"shop/rims.md"}"#, "marker-rims"),
        planned("list_dir", r#"{"path":"shop"}"#, "spokes.md"),
        planned("search_files", r#"{"pattern":"marker-hubs"}"#, "hubs.md"),
        planned("read_file", r#"{"path":"shop/hubs.md"}"#, "marker-hubs"),
    ],
    &[planned(
        "exec",
        r#"{"command":"echo s4c0 >> out/ran.txt && echo marker-ran"}"#,
        "marker-ran",
    )],
    &[planned("read_file", r#"{"path":"shop/long.md"}"#, "marker-long")],
    &[
        planned("write_file", r#"{"path":"out/rims.md","text":"marker-written\n"}"#, "rims.md"),
        planned("read_file", r#"{"path":"out/rims.md"}"#, "marker-written"),
    ],
    &[planned("read_file", r#"{"path":"shop/nothing.md"}"#, "nothing.md")],
    &[
        planned("read_file", r#"{"path":"shop/spokes.md"}"#, "marker-spokes"),
        planned("exec", r#"{"command":"echo s8c1 >> out/ran.txt && seq 1 9000"}"#, "3"),
        planned("read_file", r#"{"path":"shop/hubs.md"}"#, "marker-hubs"),
    ],
    &[planned("exec", r#"{"command":"echo s9c0 >> out/ran.txt; sleep 0.05; echo slow"}"#, "slow")],
    &[planned("write_file", r#"{"path":"out/done.md","text":"done\n"}"#, "out/done.md")],
];

const fn planned(tool: &'static str, arguments: &'static str, gives: &'static str) -> Planned {
    Planned { tool, arguments, gives }
}

/// What the model says when all is done.
pub(super) const ANSWER: &str = "All ten steps are done.";

/// The file to which every command adds the name of its call.
pub(super) const RAN: &str = "out/ran.txt";

/// Makes the files that the steps read.
pub(super) fn furnish(workspace: &Path) -> Result<()> {
    let shop = workspace.join("shop");
    std::fs::create_dir_all(&shop)?;
    // A command writes in the workspace's folders, not at its top.
    std::fs::create_dir_all(workspace.join("out"))?;
    for name in ["spokes", "rims", "hubs"] {
        std::fs::write(shop.join(name).with_extension("md"), format!("marker-{name}\n"))?;
    }
    let long: String = (0..3000).map(|n| format!("{n} marker-long is a long file\n")).collect();
    std::fs::write(shop.join("long.md"), long).context("cannot make a workspace")
}

/// What a model that knows what is finished asks for in this run.
pub(super) fn script(finished: &BTreeSet<Spot>, run: usize) -> Script {
    let mut steps = Vec::new();
    for (step, calls) in (1..).zip(PLAN) {
        let open = calls.iter().enumerate().filter(|(n, _)| !finished.contains(&(step, *n)));
        let calls: Vec<Call> = open.map(|(n, planned)| call(planned, (step, n), run)).collect();
        if !calls.is_empty() {
            // A moment for each event, so that a kill also meets an answer that is half there.
            steps.push(Step { calls, delay_ms: 1, chunk: Some(40), ..Step::default() });
        }
    }
    steps.push(Step { text: ANSWER.into(), delay_ms: 1, ..Step::default() });
    Script { steps, then: Then::Fail, ..Script::default() }
}

fn call(planned: &Planned, (step, n): Spot, run: usize) -> Call {
    let arguments = Value::String(planned.arguments.into());
    Call { name: planned.tool.into(), arguments, id: Some(format!("s{step}c{n}r{run}")) }
}

/// Which call an id is of.
pub(super) fn spot(id: &str) -> Option<Spot> {
    let (step, rest) = id.strip_prefix('s')?.split_once('c')?;
    let (n, _) = rest.split_once('r')?;
    Some((step.parse().ok()?, n.parse().ok()?))
}

/// The call at a spot.
pub(super) fn at((step, n): Spot) -> Option<&'static Planned> {
    PLAN.get(step.checked_sub(1)?)?.get(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_finished_is_not_asked_for_again() {
        let finished = BTreeSet::from([(1, 0), (2, 0), (3, 0), (3, 2)]);
        let script = script(&finished, 1);
        let ids: Vec<&str> =
            script.steps[0].calls.iter().filter_map(|call| call.id.as_deref()).collect();
        assert_eq!((ids, script.steps.len()), (vec!["s3c1r1", "s3c3r1"], 9));
        assert_eq!(spot("s3c1r1"), Some((3, 1)));
    }
}
