//! The commands, a file each.

pub(crate) mod ask;
pub(crate) mod chat;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod doctor;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod memory;
pub(crate) mod models;
pub(crate) mod recall;
pub(crate) mod sessions;
pub(crate) mod show;
pub(crate) mod skills;
pub(crate) mod tool;
