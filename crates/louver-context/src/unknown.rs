//! Fields that louver does not know, kept so that reading and writing loses nothing.
//!
//! Almost no message has any, and a session has many messages: an empty map of its own would be half of
//! a message's size. So nothing is stored until there is something to store.

use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// Fields that are not known, in the order they came in.
#[derive(Debug, Clone, Default)]
pub struct Unknown(Option<Box<Map<String, Value>>>);

static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

impl Deref for Unknown {
    type Target = Map<String, Value>;
    fn deref(&self) -> &Self::Target {
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Unknown {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for Unknown {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl From<Map<String, Value>> for Unknown {
    fn from(fields: Map<String, Value>) -> Self {
        Unknown((!fields.is_empty()).then(|| Box::new(fields)))
    }
}

impl FromIterator<(String, Value)> for Unknown {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(fields: I) -> Self {
        fields.into_iter().collect::<Map<_, _>>().into()
    }
}
