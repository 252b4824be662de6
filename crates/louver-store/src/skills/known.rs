//! What is remembered of the places where skills lie, so that an unchanged one costs one call.

use std::path::Path;
use std::sync::Arc;

use super::MAX_SKILL;
use super::skill::{Origin, Place, Skill};
use crate::disk::{Entry, Folder, Inside, Kind, Listing, Read, ReadError, Stamp};
use crate::problem::Problem;

/// The file that makes a folder a skill. The second spelling is not the format's, but common.
const NAMES: [&str; 2] = ["SKILL.md", "skill.md"];

/// One place where skills lie, as last seen.
#[derive(Debug)]
pub(super) struct Root {
    dir: &'static str,
    known: Vec<Known>,
    problems: Vec<Problem>,
}

/// One folder that may be a skill, as last seen.
#[derive(Debug)]
pub(super) struct Known {
    name: String,
    /// Which file was read, relative to the workspace.
    file: String,
    /// What the file looked like. `None` when there was none or it could not be read; then it is
    /// tried again every time, because what stood in the way may be gone without a trace.
    seen: Option<Stamp>,
    pub(super) skill: Option<Arc<Skill>>,
    pub(super) problems: Vec<Problem>,
}

impl Root {
    pub(super) fn new(dir: &'static str) -> Root {
        Root { dir, known: Vec::new(), problems: Vec::new() }
    }

    pub(super) fn skills(&self) -> impl Iterator<Item = &Arc<Skill>> {
        self.known.iter().filter_map(|known| known.skill.as_ref())
    }

    pub(super) fn skills_mut(&mut self) -> impl Iterator<Item = &mut Arc<Skill>> {
        self.known.iter_mut().filter_map(|known| known.skill.as_mut())
    }

    pub(super) fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().chain(self.known.iter().flat_map(|known| &known.problems))
    }

    /// Looks again, and says whether anything is different.
    pub(super) fn refresh(&mut self, folder: &Folder) -> bool {
        let (place, listing, problems) = list(folder, self.dir);
        let mut changed = problems != self.problems;
        self.problems = problems;
        let mut old = std::mem::take(&mut self.known).into_iter().peekable();
        self.known.reserve(listing.entries.len());
        // Both are in the order of names, so they are walked side by side.
        for entry in listing.entries {
            if !may_be_a_skill(entry.kind) {
                continue;
            }
            while let Some(gone) = old.next_if(|known| known.name < entry.name) {
                changed |= gone.matters();
            }
            let known = match old.next_if(|known| known.name == entry.name) {
                Some(known) if known.is_current(place.as_ref(), self.dir) => known,
                Some(mut known) => {
                    changed |= known.refresh(folder, self.dir, entry);
                    known
                }
                None => {
                    let known = Known::look(folder, self.dir, entry);
                    changed |= known.matters();
                    known
                }
            };
            self.known.push(known);
        }
        old.fold(changed, |changed, gone| changed | gone.matters())
    }
}

impl Known {
    /// A skill that ships with louver.
    pub(super) fn ship(name: &'static str, text: &'static str, dir: Option<&Path>) -> Known {
        let told = format!("louver:skills/{name}/SKILL.md");
        let shown = match dir {
            Some(dir) => dir.join(name).join("SKILL.md").display().to_string(),
            None => told.clone(),
        };
        let place = Place { name, told: &told, shown, origin: Origin::BuiltIn };
        let (skill, problems) = Skill::parse(text, place);
        let skill = Some(Arc::new(skill));
        Known { name: name.to_owned(), file: told, seen: None, skill, problems }
    }

    /// Whether anyone would notice if it were gone.
    fn matters(&self) -> bool {
        self.skill.is_some() || !self.problems.is_empty()
    }

    /// Whether the file is still the one that was read.
    fn is_current(&self, place: Option<&Inside>, dir: &str) -> bool {
        let name = self.file.get(dir.len() + 1..).unwrap_or_default();
        self.seen.is_some() && place.and_then(|place| place.stamp(name)) == self.seen
    }

    fn refresh(&mut self, folder: &Folder, dir: &str, entry: Entry) -> bool {
        let mut fresh = Known::look(folder, dir, entry);
        fresh.keep_what_is_equal(self);
        let changed = fresh.skill.as_ref().map(Arc::as_ptr) != self.skill.as_ref().map(Arc::as_ptr)
            || fresh.problems != self.problems;
        *self = fresh;
        changed
    }

    /// A file that was only touched is still the same skill, and should stay the same allocation.
    fn keep_what_is_equal(&mut self, old: &Known) {
        let (Some(fresh), Some(old)) = (&mut self.skill, &old.skill) else { return };
        Arc::make_mut(fresh).missing.clone_from(&old.missing);
        if fresh == old {
            *fresh = Arc::clone(old);
        }
    }

    /// Reads what is in a folder, if it is a skill.
    fn look(folder: &Folder, dir: &str, entry: Entry) -> Known {
        let mut known = Known {
            name: entry.name,
            file: String::new(),
            seen: None,
            skill: None,
            problems: vec![],
        };
        for name in NAMES {
            known.file = format!("{dir}/{}/{name}", known.name);
            match folder.read(&known.file, MAX_SKILL) {
                Ok(read) => {
                    known.take(folder, name, read);
                    return known;
                }
                // Nothing at all has this name: not even a link whose target is gone.
                Err(ReadError::Missing { .. }) if folder.kind(&known.file).is_err() => {}
                Err(error) => {
                    known.problems.push(Problem::from(&error));
                    return known;
                }
            }
        }
        known.file = format!("{dir}/{}", known.name);
        if entry.kind == Kind::Link
            && let Err(error) = folder.stamp(&known.file)
        {
            known.problems.push(Problem::from(&error));
        }
        known
    }

    fn take(&mut self, folder: &Folder, name: &str, read: Read) {
        let shown = folder.path().join(&self.file).display().to_string();
        let place = Place { name: &self.name, told: &self.file, shown, origin: Origin::Workspace };
        let (skill, problems) = Skill::parse(&read.text, place);
        self.seen = Some(read.stamp);
        self.skill = Some(Arc::new(skill));
        self.problems = problems;
        if name != NAMES[0] {
            self.tell(Problem::note("", "the format calls this file `SKILL.md`"));
        }
        if let Some(size) = read.cut {
            let what = format!("it has {size} bytes; only the first {MAX_SKILL} were read");
            self.tell(Problem::warning("", what).hint("move details into files beside it"));
        }
        if read.lossy {
            self.tell(Problem::warning(
                "",
                "it is not UTF-8 throughout; it was read as well as it can be",
            ));
        }
    }

    fn tell(&mut self, problem: Problem) {
        self.problems.push(Problem { path: self.file.clone(), ..problem });
    }
}

/// A link may lead to a folder, and some file systems do not say what an entry is.
fn may_be_a_skill(kind: Kind) -> bool {
    matches!(kind, Kind::Folder | Kind::Link | Kind::Unknown)
}

fn list(folder: &Folder, dir: &str) -> (Option<Inside>, Listing, Vec<Problem>) {
    let opened = folder.enter(dir).and_then(|place| Ok((place.list()?, place)));
    let (listing, place) = match opened {
        Ok(opened) => opened,
        // A workspace without this place is the common case, a link to nowhere is not.
        Err(ReadError::Missing { .. }) if folder.kind(dir).is_err() => return Default::default(),
        Err(error) => return (None, Listing::default(), vec![Problem::from(&error)]),
    };
    let mut problems = Vec::new();
    for name in &listing.unnameable {
        problems.push(Problem::warning(format!("{dir}/{name}"), "its name is not UTF-8"));
    }
    if listing.cut {
        let what = format!("it has more than {} entries", crate::disk::MAX_ENTRIES);
        problems.push(Problem::warning(dir, what).hint("the rest was not looked at"));
    }
    (Some(place), listing, problems)
}
