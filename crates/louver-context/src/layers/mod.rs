//! The layers, one file each, with their prose beside them.

pub mod active_skills;
pub mod changes;
pub mod claw0;
pub mod extra;
pub mod identity;
pub mod instructions;
pub mod memory;
pub mod openclaw;
pub mod recalled;
pub mod runtime;
pub mod skills;
pub mod summary;
