//! The prompt in each provider's format, one file each, and as text for people.

pub mod anthropic;
pub mod dialect;
pub mod openai;
pub mod safe;
pub mod text;
