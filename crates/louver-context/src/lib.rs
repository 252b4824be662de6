//! louver-context decides what a language model sees, and can account for every byte of it.
//!
//! It takes a [`Snapshot`], everything one turn may know as plain data, and gives back a
//! [`Prompt`] with its [`Ledger`]. A [`Profile`] is a table of functions that turn the snapshot
//! into layers; `fit` spends the model's window on them; a renderer puts the result into a
//! provider's format. Nothing here touches a file, a clock, the environment or the network: same
//! snapshot, same bytes.
//!
//! ```text
//! Snapshot ▶ Profile::stack ▶ layers ▶ fit ▶ Prompt + Ledger ▶ render ▶ the provider's JSON
//! ```
//!
//! ```
//! use louver_context::{Counter, Model, Profile, Recipe, Rules, Snapshot};
//!
//! let model = Model::named("gpt-4o");
//! let counter = Counter::new(model.counting);
//! let recipe = Recipe {
//!     profile: Profile::louver(),
//!     model: &model,
//!     counter: &counter,
//!     rules: Rules::OPENAI,
//!     rounds: None,
//! };
//! let snapshot = Snapshot { message: "What is on today?".into(), ..Snapshot::default() };
//! let context = recipe.build(&snapshot).expect("a short question fits");
//! assert_eq!(context.prompt.messages.len(), 1);
//! assert!(context.ledger.total <= model.budget());
//! ```

mod compose;
pub mod consolidate;
pub mod context;
pub mod count;
pub mod delta;
pub mod epoch;
pub mod fence;
pub mod fit;
pub mod frozen;
pub mod history;
pub mod layer;
pub mod layers;
pub mod ledger;
pub mod message;
pub mod model;
pub mod pairing;
pub mod picture;
pub mod prefix;
pub mod profile;
pub mod prompt;
pub mod render;
pub mod shrink;
pub mod snapshot;
pub mod source;
pub mod tokens;
pub mod units;
pub mod unknown;

pub use context::{Context, NoRoom, Recipe};
pub use count::{Counter, Counting};
pub use fit::DoesNotFit;
pub use layer::{Give, Layer, LayerFn, Piece, Text};
pub use ledger::Ledger;
pub use message::{Content, Message, Part, Reasoning, Role, ToolCall};
pub use model::{Model, Price};
pub use pairing::Rules;
pub use picture::Picture;
pub use profile::{Profile, TurnShape};
pub use prompt::Prompt;
pub use snapshot::Snapshot;
pub use source::{Place, Source, Trust};
pub use tokens::{Encoding, Tokens};
