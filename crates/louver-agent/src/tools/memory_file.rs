//! MEMORY.md for the tools that write files: each change is a version that can be taken back.

use louver_store::memory::{Memory, MemoryError, Origin, Version, Who, WriteError, Written};

use super::{Desk, Output};

/// Makes this text what memory holds.
pub(super) fn replace(text: &str, desk: &Desk) -> Output {
    change(desk, |_| Ok(text.to_owned()))
}

/// Makes what `edit` makes of it what memory holds.
pub(super) fn change(desk: &Desk, edit: impl FnOnce(&str) -> Result<String, Output>) -> Output {
    let opened = Memory::open(desk.folder.path());
    let read = opened.and_then(|(memory, _)| memory.read().map(|current| (memory, current)));
    let (memory, current) = match read {
        Ok(read) => read,
        Err(error) => return refused(&error),
    };
    let text = match edit(&current.text) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    let from = Origin { session: desk.session.clone(), messages: Vec::new() };
    match memory.write(&text, Who::Agent, Some(from), current.version) {
        Ok(Written::Same) => Output::said("memory holds this already"),
        Ok(Written::Version(Version { n, bytes, .. })) => {
            Output::said(format!("memory is now version {n}, {bytes} bytes"))
        }
        Err(WriteError::Memory(error)) => refused(&error),
        Err(error) => {
            Output::failed(format!("{error}; read it again, then change what is there now"))
        }
    }
}

fn refused(error: &MemoryError) -> Output {
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    Output::failed(format!("{error}{hint}"))
}
