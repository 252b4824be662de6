//! One turn's context: a snapshot in, a prompt and its ledger out.
//!
//! ```text
//! Snapshot ─ profile.stack ▶ layers ─ fit ▶ what stays ─ assemble ▶ Prompt + Ledger
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::compose::{self, Composed, tokens};
use crate::count::{Counter, Counting, hash};
use crate::fit::{DoesNotFit, Plan};
use crate::frozen::Frozen;
use crate::history::Entry;
use crate::layer::Layer;
use crate::ledger::{At, Field, Ledger, LeftOut, Row, Span, State};
use crate::message::{Content, Message, Part, Role};
use crate::model::Model;
use crate::pairing::{self, Repair, Rules};
use crate::profile::{Profile, TurnShape};
use crate::prompt::{Prompt, each_text, tool_text};
use crate::snapshot::{Snapshot, ToolSchema};
use crate::source::{Place, Source, Trust};
use crate::tokens::Tokens;

/// How contexts are made: everything that stays the same from turn to turn.
#[derive(Debug, Clone, Copy)]
pub struct Recipe<'a> {
    /// Which layers, in which form.
    pub profile: &'a Profile,
    /// For which model.
    pub model: &'a Model,
    /// What counts, and remembers what it counted.
    pub counter: &'a Counter,
    /// What the provider demands of a conversation.
    pub rules: Rules,
    /// How many rounds of history are kept at the most.
    pub rounds: Option<u32>,
}

/// A finished context.
#[derive(Debug, Clone)]
pub struct Context {
    /// What is sent.
    pub prompt: Prompt,
    /// The account of it.
    pub ledger: Ledger,
}

impl Recipe<'_> {
    /// Builds the context of one turn, or says why it cannot fit.
    pub fn build(&self, snapshot: &Snapshot) -> Result<Context, DoesNotFit> {
        let mut plan = Plan::new(self, snapshot);
        loop {
            let draft = self.assemble(snapshot, &plan);
            let over = plan.over(self, &draft);
            if over == Tokens(0) || !plan.give_way(self, &draft, over) {
                return self.finish(draft, plan, snapshot);
            }
        }
    }

    /// The account of a request that was sent: its prefix and its messages as they were, with
    /// nothing cut and nothing added.
    pub fn replay(
        &self,
        frozen: &Frozen,
        tools: Arc<[ToolSchema]>,
        messages: &[Arc<Message>],
    ) -> Context {
        let framing = self.model.framing;
        let around_tools = framing.of_calls(tools.len());
        let mut context = Context {
            prompt: Prompt {
                tools,
                system: frozen.system.clone(),
                places: frozen.places.clone(),
                messages: messages.to_vec(),
                history: messages.len(),
            },
            ledger: Ledger {
                model: self.model.name.to_string(),
                profile: self.profile.name.clone(),
                window: self.model.window,
                reply: self.model.reply,
                estimated: matches!(self.counter.counting(), Counting::Estimate { .. }),
                total: Tokens(0),
                framing: framing.of_request() + around_tools,
                layers: frozen.rows.clone(),
                spans: Vec::new(),
                left_out: frozen.left_out.clone(),
                epoch: None,
                repairs: Vec::new(),
            },
        };
        let ledger = &mut context.ledger;
        for (i, tool) in (0..).zip(context.prompt.tools.iter()) {
            ledger.spans.push(self.tool_span(i, &tool.name, &tool_text(tool)));
        }
        if !ledger.spans.is_empty() {
            let given = tokens(&ledger.spans);
            ledger.layers.insert(0, whole("tools", Place::Always, Trust::Owner, given));
        }
        frozen.composed().spans(At::System, self.counter, &mut ledger.spans);
        let before = ledger.spans.len();
        for (i, message) in (0..).zip(messages) {
            let entry = Entry { id: i, message: message.clone() };
            ledger.framing += self.add_message(i, &entry, &mut ledger.spans).framing;
        }
        let history = tokens(&ledger.spans[before..]);
        ledger.layers.extend(history_row(&ledger.left_out, history));
        ledger.total = tokens(&ledger.spans) + ledger.framing;
        context
    }

    /// What is kept free for the layers of the turn, so that a longer clock or one more recalled
    /// note does not push out history and with it the cached prefix.
    pub fn turn_reserve(&self) -> Tokens {
        Tokens((self.model.budget().0 / 10).min(4096))
    }

    /// Puts the plan's layers and messages together and counts them.
    fn assemble(&self, snapshot: &Snapshot, plan: &Plan) -> Draft {
        let mut spans = Vec::with_capacity(plan.entries.len() + 64);
        let Model { framing: around, pictures, .. } = self.model;
        let mut framing = around.of_request() + around.of_calls(snapshot.tools.len());
        for (i, tool) in (0..).zip(snapshot.tools.iter()) {
            spans.push(self.tool_span(i, &tool.name, &tool_text(tool)));
        }
        let (system, places) = match &snapshot.frozen {
            Some(frozen) => (frozen.composed(), frozen.places.clone()),
            None => compose::system(&plan.layers, self.profile.join),
        };
        system.spans(At::System, self.counter, &mut spans);
        let mut costs = Vec::with_capacity(plan.entries.len());
        for (i, entry) in (0..).zip(&plan.entries) {
            let cost = self.add_message(i, entry, &mut spans);
            framing += cost.framing;
            costs.push(cost);
        }
        let before_turn = spans.len();
        let turn = match snapshot.goes_on {
            true => Vec::new(),
            false => compose::turn(
                &plan.layers,
                &snapshot.message,
                &snapshot.pictures,
                self.turn_shape(),
            ),
        };
        for (i, message) in (plan.entries.len() as u32..).zip(&turn) {
            framing += around.of_message(0);
            message.spans(i, self.counter, *pictures, &mut spans);
        }
        let history = plan.entries.iter().map(|entry| entry.message.clone());
        let turn_tokens = tokens(&spans[before_turn..]);
        let messages =
            history.chain(turn.into_iter().map(|message| Arc::new(message.message()))).collect();
        let total = tokens(&spans) + framing;
        let Composed { text, .. } = system;
        let prompt = Prompt {
            tools: snapshot.tools.clone(),
            system: text.into(),
            places,
            messages,
            history: plan.entries.len(),
        };
        Draft { prompt, spans, framing, total, costs, turn_tokens }
    }

    /// Where roles must alternate, the facts of the turn cannot have a message of their own.
    fn turn_shape(&self) -> TurnShape {
        match self.profile.turn {
            TurnShape::OwnMessage if self.rules.alternate => TurnShape::Before,
            shape => shape,
        }
    }

    fn tool_span(&self, tool: u32, name: &Arc<str>, text: &str) -> Span {
        let hash = hash(text);
        Span {
            layer: Cow::Borrowed("tools"),
            at: At::Tool { tool },
            bytes: 0..text.len(),
            tokens: self.counter.count_hashed(text, hash),
            source: Source::Tool { name: name.clone() },
            hash: hash as u64,
        }
    }

    /// Adds the spans of one message of the history, and says what it costs.
    fn add_message(&self, number: u32, entry: &Entry, spans: &mut Vec<Span>) -> Cost {
        let message = &*entry.message;
        let before = spans.len();
        each_text(message, |field, text| {
            let at = At::Message { message: number, field };
            let source = source_of(entry, field);
            let hash = hash(text);
            let tokens = match picture(message, field) {
                Some(picture) => self.model.pictures.of(picture),
                None => self.counter.count_hashed(text, hash),
            };
            let layer = Cow::Borrowed("history");
            spans.push(Span { layer, at, bytes: 0..text.len(), tokens, source, hash: hash as u64 });
        });
        let framing = self.model.framing.of_message(message.calls.len());
        Cost { texts: tokens(&spans[before..]), framing }
    }

    /// What a message costs.
    pub(crate) fn cost_of(&self, entry: &Entry) -> Cost {
        self.add_message(0, entry, &mut Vec::new())
    }

    /// Turns the last draft into the context, if it fits.
    fn finish(
        &self,
        mut draft: Draft,
        plan: Plan,
        snapshot: &Snapshot,
    ) -> Result<Context, DoesNotFit> {
        let ledger = self.ledger(&mut draft, &plan, snapshot);
        if ledger.total > self.model.budget() {
            return Err(DoesNotFit::new(self.model, ledger));
        }
        Ok(Context { prompt: draft.prompt, ledger })
    }

    fn ledger(&self, draft: &mut Draft, plan: &Plan, snapshot: &Snapshot) -> Ledger {
        let spans = std::mem::take(&mut draft.spans);
        let left_out = plan.left_out(snapshot.frozen.as_deref());
        let mut given: HashMap<&str, Tokens> = HashMap::new();
        for span in &spans {
            *given.entry(&span.layer).or_default() += span.tokens;
        }
        let given = |name: &str| given.get(name).copied().unwrap_or_default();
        let mut layers = Vec::with_capacity(plan.layers.len() + 3);
        if !draft.prompt.tools.is_empty() {
            layers.push(whole("tools", Place::Always, Trust::Owner, given("tools")));
        }
        let turn = plan.layers.partition_point(|layer| layer.place <= Place::History);
        let row = |(layer, asked): (&Layer, &Layer)| self.row(layer, asked, given(&layer.name));
        let rows = || plan.layers.iter().zip(&plan.asked);
        match &snapshot.frozen {
            Some(frozen) => layers.extend(frozen.rows.iter().cloned()),
            None => layers.extend(rows().take(turn).map(row)),
        }
        layers.extend(history_row(&left_out, given("history")));
        if !snapshot.goes_on {
            layers.extend(rows().skip(turn).map(row));
            layers.push(whole("message", Place::Turn, Trust::Owner, given("message")));
        }
        Ledger {
            model: self.model.name.to_string(),
            profile: self.profile.name.clone(),
            window: self.model.window,
            reply: self.model.reply,
            estimated: matches!(self.counter.counting(), Counting::Estimate { .. }),
            total: draft.total,
            framing: draft.framing,
            layers,
            spans,
            left_out,
            epoch: snapshot.epoch.clone(),
            repairs: plan.repairs.clone(),
        }
    }

    fn row(&self, layer: &Layer, asked: &Layer, given: Tokens) -> Row {
        let same = layer.pieces.len() == asked.pieces.len() && layer.pieces == asked.pieces;
        let cut: Tokens = asked.cut.iter().map(|cut| self.counter.count(&cut.text)).sum();
        let marks = asked.pieces.iter().filter(|piece| piece.source == Source::Marker);
        let marks: Tokens = marks.map(|piece| self.counter.count(&piece.text)).sum();
        let whole = if same { given } else { self.counter.count(&asked.text()) };
        let wanted = if asked.cut.is_empty() { whole } else { whole - marks + cut };
        let state = match (same && asked.cut.is_empty(), given) {
            (true, _) => State::Kept,
            (_, Tokens(0)) => State::LeftOut,
            _ => State::Shortened,
        };
        let (name, place, trust) = (layer.name.clone(), layer.place, layer.trust);
        Row { name, place, trust, asked: wanted, given, state }
    }
}

/// What a message of the history costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// Its texts and pictures.
    pub(crate) texts: Tokens,
    /// What travels beside them.
    framing: Tokens,
}

impl Cost {
    /// All of it: what a request is shorter by without the message.
    pub(crate) fn whole(self) -> Tokens {
        self.texts + self.framing
    }
}

/// A context that may not fit yet.
pub(crate) struct Draft {
    prompt: Prompt,
    spans: Vec<Span>,
    framing: Tokens,
    pub(crate) total: Tokens,
    /// What each message of the history costs.
    pub(crate) costs: Vec<Cost>,
    /// What the messages of the turn cost.
    pub(crate) turn_tokens: Tokens,
}

impl Draft {
    /// The tokens of one layer.
    pub(crate) fn layer_tokens(&self, name: &str) -> Tokens {
        self.spans.iter().filter(|span| span.layer == name).map(|span| span.tokens).sum()
    }
}

fn whole(name: &'static str, place: Place, trust: Trust, tokens: Tokens) -> Row {
    let name = Cow::Borrowed(name);
    Row { name, place, trust, asked: tokens, given: tokens, state: State::Kept }
}

fn history_row(left_out: &[LeftOut], given: Tokens) -> Option<Row> {
    let history = left_out.iter().filter(|gone| gone.layer == "history");
    let gone: Tokens = history.map(|gone| gone.tokens).sum();
    let mut row = whole("history", Place::History, Trust::Agent, given);
    row.asked = given + gone;
    row.state = match (gone, given) {
        (Tokens(0), Tokens(0)) => return None,
        (Tokens(0), _) => State::Kept,
        (_, Tokens(0)) => State::LeftOut,
        _ => State::Shortened,
    };
    Some(row)
}

fn source_of(entry: &Entry, field: Field) -> Source {
    let message = &entry.message;
    let of_call = |id: &Arc<str>| Source::ToolCall { message: entry.id, id: id.clone() };
    match field {
        Field::Call(i) => of_call(&message.calls[i as usize].id),
        Field::Part(_) | Field::Label if message.role == Role::Tool => match &message.answers {
            Some(id) => of_call(id),
            None => Source::Message { id: entry.id },
        },
        _ => Source::Message { id: entry.id },
    }
}

fn picture(message: &Message, field: Field) -> Option<&crate::picture::Picture> {
    let (Content::Parts(parts), Field::Part(i)) = (&message.content, field) else { return None };
    match parts.get(i as usize) {
        Some(Part::Picture(picture)) => Some(picture),
        _ => None,
    }
}

/// A message was added that no longer fits; the context is as it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the message needs {needs} tokens, but only {left} are left of the budget")]
pub struct NoRoom {
    /// What the message needs, framing included.
    pub needs: Tokens,
    /// What is left.
    pub left: Tokens,
}

impl Context {
    /// Adds a message at the end, as a tool loop does: a reply with calls, then each result.
    ///
    /// It counts the new message alone, so its cost does not grow with the session.
    pub fn push(&mut self, recipe: &Recipe<'_>, message: Message) -> Result<(), NoRoom> {
        let number = self.prompt.messages.len() as u32;
        let mut entry = Entry { id: number, message: Arc::new(message) };
        let mended = pairing::with_objects(&mut entry.message);
        let before = self.ledger.spans.len();
        let cost = recipe.add_message(number, &entry, &mut self.ledger.spans);
        let (tokens, needs) = (cost.texts, cost.whole());
        let left = self.ledger.budget() - self.ledger.total;
        if needs > left {
            self.ledger.spans.truncate(before);
            return Err(NoRoom { needs, left });
        }
        let repair = |done| Repair { message: number, done };
        self.ledger.repairs.extend(mended.into_iter().map(repair));
        self.ledger.total += needs;
        self.ledger.framing += cost.framing;
        self.prompt.messages.push(entry.message);
        let new = |row: &Row| row.name == "turn so far";
        match self.ledger.layers.iter_mut().find(|row| new(row)) {
            Some(row) => (row.asked, row.given) = (row.asked + tokens, row.given + tokens),
            None => {
                let row = whole("turn so far", Place::Turn, Trust::Agent, tokens);
                self.ledger.layers.push(row);
            }
        }
        for span in &mut self.ledger.spans[before..] {
            span.layer = Cow::Borrowed("turn so far");
        }
        Ok(())
    }
}
