//! What a writer or reader reports: one line on a pipe each, written with one call.
//!
//! The call is `writev`, which the store does not use: so a fault that is injected into `write`
//! hits the store and not the report.

use std::fs::File;
use std::io::{self, IoSlice, Write as _};
use std::os::fd::AsFd as _;

use xxhash_rust::xxh3::xxh3_64;

/// One report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// The store has acknowledged something, or a writer has seen it under the lock.
    Ack(Ack),
    /// Something was wrong when a session was opened: how bad, and what.
    Problem { severity: String, what: String },
    /// An operation failed.
    Trouble(String),
    /// Another process held the lock.
    Busy,
    /// A reader has looked at everything once more.
    Looked,
    /// A reader saw something that must not be.
    Bad(String),
}

/// Something that must be there from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ack {
    /// The workload that wrote it, which also checks it.
    pub(crate) workload: String,
    /// What it is in: a session's key.
    pub(crate) key: String,
    /// Its number there.
    pub(crate) n: u64,
    /// The hash of what it says.
    pub(crate) hash: u64,
    /// Whether it, and all before it, survive power loss.
    pub(crate) on_disk: bool,
}

/// Where reports go.
#[derive(Debug)]
pub(crate) struct Mouth(File);

impl Mouth {
    /// Standard output. When nobody listens any more, saying something fails, and so the process
    /// ends with its driver.
    pub(crate) fn open() -> io::Result<Mouth> {
        Ok(Mouth(io::stdout().as_fd().try_clone_to_owned()?.into()))
    }

    pub(crate) fn say(&mut self, said: &Said) -> io::Result<()> {
        let line = said.line();
        // Below the size that a pipe takes whole, so a line is never torn.
        let cut = line.len().min(4000);
        let line = [line[..cut].trim_ascii_end(), b"\n"].concat();
        match self.0.write_vectored(&[IoSlice::new(&line)])? {
            n if n == line.len() => Ok(()),
            _ => Err(io::ErrorKind::WriteZero.into()),
        }
    }
}

impl Said {
    fn line(&self) -> Vec<u8> {
        let one = |text: &str| text.replace(['\n', '\t'], " ");
        let line = match self {
            Said::Ack(Ack { workload, key, n, hash, on_disk }) => {
                let on_disk = if *on_disk { "disk" } else { "process" };
                format!("ack\t{workload}\t{key}\t{n}\t{hash:016x}\t{on_disk}")
            }
            Said::Problem { severity, what } => format!("problem\t{severity}\t{}", one(what)),
            Said::Trouble(what) => format!("trouble\t{}", one(what)),
            Said::Busy => "busy".into(),
            Said::Looked => "looked".into(),
            Said::Bad(what) => format!("bad\t{}", one(what)),
        };
        line.into_bytes()
    }

    /// A line as a report; none when it is not one.
    pub(crate) fn parse(line: &str) -> Option<Said> {
        let fields: Vec<&str> = line.split('\t').collect();
        Some(match fields[..] {
            ["ack", workload, key, n, hash, on_disk] => Said::Ack(Ack {
                workload: workload.into(),
                key: key.into(),
                n: n.parse().ok()?,
                hash: u64::from_str_radix(hash, 16).ok()?,
                on_disk: on_disk == "disk",
            }),
            ["problem", severity, what] => {
                Said::Problem { severity: severity.into(), what: what.into() }
            }
            ["trouble", what] => Said::Trouble(what.into()),
            ["busy"] => Said::Busy,
            ["looked"] => Said::Looked,
            ["bad", what] => Said::Bad(what.into()),
            _ => return None,
        })
    }
}

/// The hash of anything that can be put into words.
pub(crate) fn hash_of(value: &impl serde::Serialize) -> u64 {
    xxh3_64(&serde_json::to_vec(value).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_comes_back() {
        let ack = Ack {
            workload: "conversation".into(),
            key: "a:b/ü".into(),
            n: 7,
            hash: 0xfeed,
            on_disk: true,
        };
        for said in [Said::Ack(ack), Said::Busy, Said::Trouble("no room".into())] {
            let line = String::from_utf8(said.line()).unwrap();
            assert_eq!(Said::parse(&line), Some(said));
        }
    }
}
