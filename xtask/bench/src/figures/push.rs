//! One more message, in sessions short and long: its price is the message's, not the session's.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use louver_context::{Encoding, Message};
use serde_json::Value;

use crate::clock::{timed, times};
use crate::figures::turn::{WIDE, builder, turn};
use crate::figures::{Figure, Figures, Target};
use crate::generate::{self, Words};

/// Messages that are pushed together, so that reading the clock does not count.
const BATCH: usize = 64;

/// The sizes of the sessions, in tokens.
const SIZES: [u32; 3] = [8_000, 32_000, 128_000];

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let runs = figures.runs(50);
    let mut rows = Vec::new();
    let mut pushes = Vec::new();
    for size in SIZES {
        let session = session(size)?;
        let push = push(&session, 1, runs)?;
        pushes.push(push);
        let name = size / 1000;
        rows.push(Figure::new(
            format!("one more message pushed, {name}k-token session"),
            push,
            "µs",
        ));
        let rebuild = rebuild(&session, runs)?;
        rows.push(Figure::new("… and the whole context built again", rebuild, "µs"));
    }
    let (first, last) = (pushes[0], pushes[SIZES.len() - 1]);
    let ratio =
        Figure::new("push in the longest session over push in the shortest", last / first, "×");
    rows.push(ratio.target(Target::AtMost(1.5)));
    let longer = push(&session(SIZES[2])?, 10, runs)?;
    rows.push(Figure::new("push of a message ten times as long, 128k-token session", longer, "µs"));
    Ok(rows)
}

/// A session of so many tokens.
fn session(tokens: u32) -> Result<Vec<Arc<Message>>> {
    let mut words = Words::new(3);
    let (mut session, mut so_far) = (Vec::new(), 0);
    for number in 0.. {
        let exchange = generate::exchange(number, &mut words);
        let of = |value: &Value| Encoding::O200k.count(&value.to_string()).0;
        so_far += exchange.iter().map(of).sum::<u32>();
        session.extend(exchange);
        if so_far >= tokens {
            break;
        }
    }
    generate::messages(&session)
}

/// The microseconds of one push of a message of so many times 550 bytes.
fn push(session: &[Arc<Message>], length: usize, runs: usize) -> Result<f64> {
    let folder = tempfile::tempdir()?;
    let mut builder = builder(folder.path(), WIDE)?;
    let mut words = Words::new(11);
    let built = builder.context(&turn(session, &mut words))?;
    let recipe = builder.recipe();
    let mut all = Vec::with_capacity(runs);
    for _ in 0..runs {
        let mut context = built.context.clone();
        let new: Vec<Message> = (0..BATCH).map(|_| said(length, &mut words)).collect();
        let (pushed, took) =
            timed(|| new.into_iter().try_for_each(|message| context.push(&recipe, message)));
        pushed?;
        all.push(took * 1e3 / BATCH as f64);
    }
    Ok(times(all).median)
}

/// The microseconds of building the whole context again with one more exchange in its history.
fn rebuild(session: &[Arc<Message>], runs: usize) -> Result<f64> {
    let folder = tempfile::tempdir()?;
    let mut builder = builder(folder.path(), WIDE)?;
    let mut words = Words::new(13);
    let mut session = session.to_vec();
    builder.context(&turn(&session, &mut words))?;
    let mut all = Vec::with_capacity(runs);
    for _ in 0..runs {
        session.extend([Arc::new(said(1, &mut words)), Arc::new(answered(&mut words))]);
        let turn = turn(&session, &mut words);
        let (built, took) = timed(|| builder.context(&turn));
        built?;
        session.truncate(session.len().checked_sub(2).context("two were just added")?);
        all.push(took * 1e3);
    }
    Ok(times(all).median)
}

fn said(length: usize, words: &mut Words) -> Message {
    Message::text(louver_context::Role::Assistant, words.paragraph(7 * length))
}

fn answered(words: &mut Words) -> Message {
    Message::text(louver_context::Role::User, words.paragraph(3))
}
