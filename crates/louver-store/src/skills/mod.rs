//! Finding skills: the workspace's own first, then those that ship with louver.
//!
//! Skills are looked for on every turn, so what was read is kept. As long as nothing changes,
//! [`Skills::find`] lists each place once, asks the kernel once per skill whether its file is
//! still the same, reads nothing, and returns the very same list as before.

mod known;
mod metadata;
mod requires;
mod skill;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::requires::{Host, Missing, Requires};
pub use self::skill::{Origin, Skill};

use self::known::{Known, Root};
use self::requires::Check;
use crate::disk::{Folder, Stamp};
use crate::problem::Problem;

/// Where a workspace keeps skills. The first place that has a name wins.
pub const ROOTS: [&str; 3] = ["skills", ".agents/skills", ".skills"];

/// The most that is read of a SKILL.md, in bytes.
pub const MAX_SKILL: u64 = 256 * 1024;

/// A skill that ships with louver: its name and the text of its SKILL.md.
pub type BuiltIn = (&'static str, &'static str);

/// Every skill of a workspace, remembered from one turn to the next.
#[derive(Debug)]
pub struct Skills {
    roots: [Root; ROOTS.len()],
    built_in: Vec<Known>,
    /// The folders that could be read last time. Skills found through others may be stale.
    places: Vec<PathBuf>,
    host: Option<Host>,
    /// What the folders with programs looked like, when some skill needs a program.
    programs: Vec<Option<Stamp>>,
    found: Arc<[Arc<Skill>]>,
    problems: Arc<[Problem]>,
}

impl Skills {
    /// Knows the built-in skills and has not looked at any workspace yet.
    ///
    /// The model is told that they lie in `built_in_path`, or that they are `louver:` paths.
    pub fn new(built_in: &'static [BuiltIn], built_in_path: Option<PathBuf>) -> Self {
        let shown = built_in_path.as_deref();
        Skills {
            roots: ROOTS.map(Root::new),
            built_in: built_in.iter().map(|(name, text)| Known::ship(name, text, shown)).collect(),
            places: Vec::new(),
            host: None,
            programs: Vec::new(),
            found: Arc::default(),
            problems: Arc::default(),
        }
    }

    /// Every skill by name, and what is wrong with the others.
    ///
    /// When nothing changed since the last time, both are the same allocations as then.
    pub fn find(&mut self, folder: &Folder, host: &Host) -> (Arc<[Arc<Skill>]>, Arc<[Problem]>) {
        if !folder.places().eq(self.places.iter().map(PathBuf::as_path)) {
            self.places = folder.places().map(PathBuf::from).collect();
            self.roots = ROOTS.map(Root::new);
            self.host = None;
        }
        let mut changed = self.host.is_none();
        for root in &mut self.roots {
            changed |= root.refresh(folder);
        }
        if self.host_changed(host) || changed {
            changed |= self.check(host);
        }
        if changed {
            self.gather();
        }
        (Arc::clone(&self.found), Arc::clone(&self.problems))
    }

    /// Whether something may be here now that was not, or the other way round.
    ///
    /// A program that is installed changes the time of its folder, so an agent that follows a
    /// skill's advice and installs one finds the skill available on the next turn.
    fn host_changed(&mut self, host: &Host) -> bool {
        let mut changed = false;
        if self.host.as_ref() != Some(host) {
            self.host = Some(host.clone());
            changed = true;
        }
        if self.found.iter().any(|skill| skill.requires.programs()) {
            let programs: Vec<_> = host.path.iter().map(|dir| Stamp::of_path(dir)).collect();
            changed |= programs != self.programs;
            self.programs = programs;
        }
        changed
    }

    /// Compares every skill with the host, and says whether any is different for it.
    fn check(&mut self, host: &Host) -> bool {
        let mut check = Check::new(host);
        let mut changed = false;
        let own = self.roots.iter_mut().flat_map(Root::skills_mut);
        let built_in = self.built_in.iter_mut().filter_map(|known| known.skill.as_mut());
        for skill in own.chain(built_in) {
            let missing = check.missing(&skill.requires);
            if skill.missing != missing {
                Arc::make_mut(skill).missing = missing;
                changed = true;
            }
        }
        changed
    }

    /// Puts the lists together. Of two skills with one name the first place's is taken.
    fn gather(&mut self) {
        let mut problems: Vec<Problem> =
            self.roots.iter().flat_map(Root::problems).cloned().collect();
        problems.extend(self.built_in.iter().flat_map(|known| &known.problems).cloned());
        let own = self.roots.iter().flat_map(Root::skills);
        let built_in = self.built_in.iter().filter_map(|known| known.skill.as_ref());
        let mut found: Vec<Arc<Skill>> = own.chain(built_in).cloned().collect();
        // The sort is stable, so places stay in their order where names are equal.
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found.dedup_by(|later, first| {
            let same = later.name == first.name;
            if same && later.origin == Origin::Workspace {
                let first = self.relative(&first.path);
                let what = format!("it is not used: `{first}` comes first");
                problems.push(Problem::note(self.relative(&later.path), what));
            }
            same
        });
        self.found = found.into();
        self.problems = problems.into();
    }

    /// A path as problems tell it.
    fn relative<'a>(&self, path: &'a str) -> &'a str {
        let inside = self.places.first().and_then(|home| Path::new(path).strip_prefix(home).ok());
        inside.and_then(Path::to_str).unwrap_or(path)
    }
}

#[cfg(test)]
mod tests;
