//! What programs may touch, held by the kernel (Landlock) where it can.
//!
//! A thread that is given up for it takes the rules upon itself and starts the program; children
//! inherit them and cannot shed them. The rest of this process is not bound.
//!
//! Programs read and run what a system is made of, the folders of `PATH`, the workspace and its roots;
//! not the rest of the home folder. They write in the workspace, writable roots and a temporary
//! folder of their own. Rules only ever add to a folder and everything beneath it, so a part cannot be
//! taken out again: to keep `.louver/`, `louver.toml`, MEMORY.md, the instruction files (those that settings name
//! and what links lead to included) and `skills/` from being written, each other entry beside them is allowed by
//! itself: what the agent is told to be, the person is asked about, and a program that was allowed once is not asked about again. The price is
//! that a program makes no new names right beside them (at the top of the workspace, in `memory/`, in
//! the folder of a file that settings name), unless `new_at_top` says that it may.
//!
//! In company programs do not read what is remembered of the owner, nor `.louver/`, where all conversations are.
//! For that too each other entry is allowed by itself, so a program cannot list the top of the workspace, and
//! `new_at_top` does not count.

use std::fmt;
use std::path::PathBuf;

use louver_store::Folder;

use crate::permit::Guarded;

/// What the kernel can do for programs that tools run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Available {
    /// Files are held.
    Landlock {
        /// The version of the interface.
        version: i32,
    },
    /// The kernel has it, but it was not switched on when it started.
    NotEnabled,
    /// This system does not have it.
    Missing,
}

impl Available {
    /// Whether files can be held.
    pub fn files(self) -> bool {
        matches!(self, Available::Landlock { .. })
    }

    /// Whether the network can be shut off, as far as TCP goes.
    pub fn network(self) -> bool {
        matches!(self, Available::Landlock { version: 4.. })
    }
}

impl fmt::Display for Available {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Available::Landlock { version } => {
                let tcp =
                    if self.network() { "files and TCP" } else { "files, but not the network" };
                write!(f, "programs are confined by Landlock (version {version}): {tcp}")
            }
            Available::NotEnabled => f.write_str(
                "programs are not confined: Landlock is in the kernel but not switched on (lsm=…)",
            ),
            Available::Missing => {
                f.write_str("programs are not confined: there is no Landlock here")
            }
        }
    }
}

/// What a program may touch.
#[derive(Debug, Clone, Default)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux can hold it to them"))]
pub(super) struct Reach {
    /// May be read and run from, besides the system's folders.
    pub(super) read: Vec<PathBuf>,
    /// May be written too.
    pub(super) write: Vec<PathBuf>,
    /// May connect and listen.
    pub(super) network: bool,
    /// New names may be made beside what is protected, which then is not.
    pub(super) new_at_top: bool,
    /// What tells the agent what to be, and is not written.
    pub(super) guarded: Guarded,
}

/// Why a program could not be confined.
#[derive(Debug, thiserror::Error)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "nothing is tried elsewhere"))]
pub(super) enum SandboxError {
    #[cfg(target_os = "linux")]
    #[error("the kernel refused to confine it: {0}")]
    Refused(#[from] landlock::RulesetError),
    #[cfg(target_os = "linux")]
    #[error("the powers of root could not be given up: {0}")]
    Powers(#[source] std::io::Error),
    #[error("the workspace could not be looked at: {0}")]
    Workspace(#[from] louver_store::ReadError),
}

#[cfg(target_os = "linux")]
pub use linux::available;
#[cfg(target_os = "linux")]
pub(super) use linux::restrict;

/// What the kernel can do for programs that tools run.
#[cfg(not(target_os = "linux"))]
pub fn available() -> Available {
    Available::Missing
}

/// Does nothing where there is nothing that can be done.
#[cfg(not(target_os = "linux"))]
pub(super) fn restrict(_: &Folder, _: &Reach) -> Result<Available, SandboxError> {
    Ok(Available::Missing)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::os::fd::{AsFd, OwnedFd};
    use std::path::Path;

    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd,
        Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope,
    };
    use louver_store::disk::{Inside, Kind, PROTECTED};
    use louver_store::workspace::{MEMORY, PRIVATE};
    use rustix::thread::{CapabilitySet, CapabilitySets};

    use super::{Available, Folder, Reach, SandboxError};

    /// The newest version that the rules here were thought through for.
    const KNOWN: ABI = ABI::V9;

    /// What a system is made of. What is not there is passed over.
    const SYSTEM: [&str; 14] = [
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/libx32",
        "/etc",
        "/opt",
        "/nix",
        "/snap",
        "/run/current-system",
        "/run/systemd/resolve",
        "/var/lib/ca-certificates",
    ];

    /// What the kernel tells of itself and of processes. Of those outside it tells little: reading
    /// another's memory or environment is refused with the rest.
    const TOLD: [&str; 2] = ["/proc", "/sys"];

    /// Devices that are harmless. Not the terminal: a program could write to the person's screen.
    const DEVICES: [&str; 5] =
        ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

    /// What the kernel can do for programs that tools run.
    pub fn available() -> Available {
        // Only a thread that took rules upon itself is told the version; so one is spent on it.
        let asked = std::thread::spawn(|| {
            let rules = Ruleset::default().handle_access(AccessFs::from_all(KNOWN))?.create()?;
            rules.restrict_self().map(|status| status.landlock)
        });
        match asked.join() {
            Ok(Ok(status)) => told(status),
            _ => Available::Missing,
        }
    }

    fn told(status: LandlockStatus) -> Available {
        match status {
            LandlockStatus::Available { effective_abi, kernel_abi } => {
                Available::Landlock { version: kernel_abi.unwrap_or(effective_abi as i32) }
            }
            LandlockStatus::NotEnabled => Available::NotEnabled,
            LandlockStatus::NotImplemented => Available::Missing,
        }
    }

    /// Binds this thread, and every program it starts from now on, for good.
    pub(in super::super) fn restrict(
        folder: &Folder,
        reach: &Reach,
    ) -> Result<Available, SandboxError> {
        let mut rules = Ruleset::default()
            .handle_access(AccessFs::from_all(KNOWN))?
            .scope(Scope::from_all(KNOWN))?;
        if !reach.network {
            rules = rules.handle_access(AccessNet::from_all(KNOWN))?;
        }
        let mut rules = Rules(rules.create()?);
        let system =
            SYSTEM.iter().map(Path::new).chain(reach.read.iter().map(|path| path.as_path()));
        let may = |path: &&Path| !folder.hides_private() || !holds(path, folder.path());
        for path in system.chain(folder.places()).filter(may) {
            rules.path(path, read())?;
        }
        for path in TOLD {
            rules.path(Path::new(path), AccessFs::ReadFile | AccessFs::ReadDir)?;
        }
        for path in DEVICES {
            rules.path(Path::new(path), AccessFs::ReadFile | AccessFs::WriteFile)?;
        }
        rules.path(Path::new("/dev"), AccessFs::ReadDir.into())?;
        let writable = folder.writable_places().filter(|place| *place != folder.path());
        for path in reach.write.iter().map(|path| path.as_path()).chain(writable).filter(may) {
            rules.path(path, read() | write())?;
        }
        rules.workspace(folder, reach)?;
        let held = told(rules.0.restrict_self()?.landlock);
        drop_powers()?;
        Ok(held)
    }

    /// Whether a path is this folder, holds it, or lies in what it keeps to itself. What is allowed of such a
    /// path would be allowed of all of that.
    fn holds(path: &Path, workspace: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let private = |name: &str| {
            workspace.join(name).canonicalize().is_ok_and(|private| path.starts_with(private))
        };
        workspace.starts_with(&path) || PRIVATE.iter().chain(&PROTECTED).any(|name| private(name))
    }

    /// What root keeps of its powers, so that it can work on other people's files. With the others it
    /// could look into any process, the rules notwithstanding, and change the system itself.
    const KEPT: CapabilitySet = CapabilitySet::CHOWN
        .union(CapabilitySet::DAC_OVERRIDE)
        .union(CapabilitySet::FOWNER)
        .union(CapabilitySet::FSETID);

    /// Gives up root's powers for this thread and what it starts. Who has none loses nothing.
    fn drop_powers() -> Result<(), SandboxError> {
        let lost = |errno: rustix::io::Errno| SandboxError::Powers(errno.into());
        // Without it, root's programs would get them all back.
        rustix::thread::set_no_new_privs(true).map_err(lost)?;
        let has = rustix::thread::capabilities(None).map_err(lost)?;
        let kept = CapabilitySets {
            effective: has.effective & KEPT,
            permitted: has.permitted & KEPT,
            inheritable: CapabilitySet::empty(),
        };
        rustix::thread::set_capabilities(None, kept).map_err(lost)
    }

    /// Whether a file has no other name. A rule is about the file itself, so it would allow writing
    /// by its names outside as well.
    fn is_only_name(file: &OwnedFd) -> bool {
        rustix::fs::fstat(file).is_ok_and(|stat| stat.st_nlink == 1)
    }

    fn read() -> BitFlags<AccessFs> {
        AccessFs::from_read(KNOWN)
    }

    /// Everything that changes files, but no making of devices: root could make itself a disk.
    fn write() -> BitFlags<AccessFs> {
        let devices = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev;
        AccessFs::from_write(KNOWN) & !devices
    }

    struct Rules(RulesetCreated);

    impl Rules {
        /// Allows this of a path and what is beneath it. One that is not there is passed over.
        fn path(&mut self, path: &Path, access: BitFlags<AccessFs>) -> Result<(), RulesetError> {
            let Ok(fd) = PathFd::new(path) else { return Ok(()) };
            self.allow(fd, access, path.is_dir())
        }

        fn allow(
            &mut self,
            fd: impl AsFd,
            access: BitFlags<AccessFs>,
            is_folder: bool,
        ) -> Result<(), RulesetError> {
            let access = if is_folder { access } else { access & AccessFs::from_file(KNOWN) };
            (&mut self.0).add_rule(PathBeneath::new(fd, access)).map(drop)
        }

        /// Allows writing of everything in the workspace that is not protected.
        fn workspace(&mut self, folder: &Folder, reach: &Reach) -> Result<(), SandboxError> {
            let inside = folder.enter(".")?;
            let hides = folder.hides_private();
            if reach.new_at_top && !hides {
                return Ok(self.allow(inside.as_fd(), read() | write(), true)?);
            }
            let (told, linked) = (reach.guarded.paths(), reach.guarded.linked(folder.path()));
            let mut kept: Vec<&str> = PROTECTED.into_iter().chain(MEMORY).chain(told).collect();
            kept.extend(linked.iter().map(String::as_str));
            if hides {
                kept.extend(PRIVATE);
                self.beside(&inside, &[&[".louver"], &PRIVATE[..]].concat(), read())?;
            }
            Ok(self.beside(&inside, &kept, read() | write())?)
        }

        /// Allows this of what is in a folder, but for these paths. Links are passed over: what they
        /// lead to has rules of its own.
        fn beside(
            &mut self,
            inside: &Inside,
            kept: &[&str],
            access: BitFlags<AccessFs>,
        ) -> Result<(), RulesetError> {
            let Ok(listing) = inside.list() else { return Ok(()) };
            for entry in listing.entries {
                let name = entry.name.as_str();
                // Some disks take `Docs` for `docs`.
                let same = |part: &str| part.to_lowercase() == name.to_lowercase();
                if kept.iter().any(|path| same(path)) {
                    continue;
                }
                let ways = kept.iter().filter_map(|path| path.split_once('/'));
                let deeper: Vec<&str> =
                    ways.filter(|(part, _)| same(part)).map(|(_, rest)| rest).collect();
                let kind = inside.look(name).map_or(Kind::Unknown, |(kind, _)| kind);
                match kind {
                    Kind::Folder if !deeper.is_empty() => {
                        if let Ok(inner) = inside.enter(name) {
                            self.beside(&inner, &deeper, access)?;
                        }
                    }
                    Kind::Folder | Kind::File => {
                        let held = inside.hold(name);
                        if let Some(fd) = held.filter(|fd| kind == Kind::Folder || is_only_name(fd))
                        {
                            self.allow(fd, access, kind == Kind::Folder)?;
                        }
                    }
                    _ => {}
                }
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_is_told_in_words() {
        let told = Available::Landlock { version: 7 }.to_string();
        assert_eq!(told, "programs are confined by Landlock (version 7): files and TCP");
        assert!(!Available::Landlock { version: 3 }.network() && !Available::Missing.files());
        // Asking binds nobody.
        let before = available();
        assert_eq!(available(), before);
        assert!(std::fs::read_dir("/").is_ok());
    }
}
