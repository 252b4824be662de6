//! Finding skills in real folders, broken ones among them.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use tempfile::TempDir;

use super::*;

const BUILT_IN: &[BuiltIn] = &[
    ("cron", "---\ndescription: Schedule things\n---\nbuilt-in cron"),
    ("memory", "---\ndescription: Remember\nalways: true\n---\nbuilt-in memory"),
];

struct Workspace {
    dir: TempDir,
    skills: Skills,
    host: Host,
}

impl Workspace {
    fn new(built_in: &'static [BuiltIn]) -> Workspace {
        let host = Host { os: "linux", ..Host::default() };
        Workspace { dir: TempDir::new().unwrap(), skills: Skills::new(built_in, None), host }
    }

    fn path(&self, rel: &str) -> PathBuf {
        self.dir.path().join(rel)
    }

    fn write(&self, rel: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(rel).parent().unwrap()).unwrap();
        fs::write(self.path(rel), text).unwrap();
    }

    fn find(&mut self) -> (Arc<[Arc<Skill>]>, Arc<[Problem]>) {
        self.skills.find(&Folder::open(self.dir.path()).unwrap(), &self.host)
    }

    fn names(&mut self) -> Vec<String> {
        self.find().0.iter().map(|skill| skill.name.clone()).collect()
    }

    fn problems(&mut self) -> Vec<String> {
        self.find().1.iter().map(Problem::to_string).collect()
    }
}

fn described(text: &str) -> String {
    format!("---\ndescription: {text}\n---\n{text} body")
}

#[test]
fn a_workspace_skill_shadows_the_built_in_one() {
    let mut ws = Workspace::new(BUILT_IN);
    ws.write("skills/zebra/SKILL.md", described("stripes"));
    ws.write("skills/cron/SKILL.md", described("mine"));
    let (skills, problems) = ws.find();
    let seen: Vec<_> = skills.iter().map(|s| (&*s.name, s.origin, &*s.body)).collect();
    assert_eq!(
        seen,
        [
            ("cron", Origin::Workspace, "mine body"),
            ("memory", Origin::BuiltIn, "built-in memory"),
            ("zebra", Origin::Workspace, "stripes body"),
        ]
    );
    let path = fs::canonicalize(ws.path("skills/cron/SKILL.md")).unwrap();
    assert_eq!(skills[0].path, path.display().to_string());
    assert_eq!(skills[1].path, "louver:skills/memory/SKILL.md");
    assert_eq!(problems.len(), 0);
    let shipped = Skills::new(BUILT_IN, Some("/opt/louver".into()));
    assert_eq!(shipped.built_in[0].skill.as_ref().unwrap().path, "/opt/louver/cron/SKILL.md");
}

#[test]
fn the_first_place_wins_and_the_others_say_so() {
    let mut ws = Workspace::new(&[]);
    ws.write("skills/a/SKILL.md", described("first"));
    ws.write(".agents/skills/a/SKILL.md", described("second"));
    ws.write(".agents/skills/b/SKILL.md", described("agents"));
    ws.write(".skills/c/SKILL.md", described("dot"));
    let (skills, problems) = ws.find();
    let seen: Vec<_> = skills.iter().map(|s| &*s.description).collect();
    assert_eq!(seen, ["first", "agents", "dot"]);
    let wanted = ".agents/skills/a/SKILL.md: it is not used: `skills/a/SKILL.md` comes first";
    assert_eq!(problems.iter().map(Problem::to_string).collect::<Vec<_>>(), [wanted]);
}

#[test]
fn when_nothing_changed_the_same_lists_come_back() {
    let mut ws = Workspace::new(BUILT_IN);
    ws.write("skills/a/SKILL.md", described("a"));
    ws.write("skills/needy/SKILL.md", "---\nrequires: {bins: [nope]}\n---\n");
    ws.write("skills/empty/README.md", "not a skill");
    symlink("gone", ws.path("skills/dangling")).unwrap();
    let (skills, problems) = ws.find();
    let (again, same) = ws.find();
    assert!(Arc::ptr_eq(&skills, &again) && Arc::ptr_eq(&problems, &same));
    // A folder that is no skill, and a file that was only touched, change nothing either.
    fs::create_dir(ws.path("skills/more")).unwrap();
    ws.write("skills/a/SKILL.md", described("a"));
    let (again, same) = ws.find();
    assert!(Arc::ptr_eq(&skills, &again) && Arc::ptr_eq(&problems, &same));
}

#[test]
fn one_change_rereads_one_skill() {
    let mut ws = Workspace::new(&[]);
    ws.write("skills/a/SKILL.md", described("a"));
    ws.write("skills/b/SKILL.md", described("b"));
    let (before, _) = ws.find();
    ws.write("skills/b/SKILL.md", described("b, but different"));
    let (after, _) = ws.find();
    assert!(Arc::ptr_eq(&before[0], &after[0]) && !Arc::ptr_eq(&before[1], &after[1]));
    assert_eq!(after[1].description, "b, but different");
    ws.write("skills/aa/SKILL.md", described("aa"));
    fs::remove_dir_all(ws.path("skills/a")).unwrap();
    assert_eq!(ws.names(), ["aa", "b"]);
    fs::remove_file(ws.path("skills/b/SKILL.md")).unwrap();
    assert_eq!(ws.names(), ["aa"]);
    fs::remove_dir_all(ws.path("skills")).unwrap();
    assert_eq!(ws.names(), Vec::<String>::new());
}

#[test]
fn another_host_is_compared_without_reading() {
    let mut ws = Workspace::new(&[]);
    ws.write("skills/a/SKILL.md", "---\ndescription: d\nrequires: {env: [KEY]}\n---\n");
    ws.write("skills/b/SKILL.md", described("b"));
    let (before, _) = ws.find();
    assert_eq!((before[0].available(), &*before[0].missing_text()), (false, "ENV: KEY"));
    ws.host.env = BTreeSet::from(["KEY".to_owned()]);
    let (after, _) = ws.find();
    assert!(after[0].available() && Arc::ptr_eq(&before[1], &after[1]));
    assert!(Arc::ptr_eq(&before[0].body, &after[0].body));
    assert!(!before[0].available(), "a list that was handed out never changes");
}

#[test]
fn a_program_that_is_installed_makes_its_skill_available() {
    let mut ws = Workspace::new(&[]);
    ws.write("skills/a/SKILL.md", "---\ndescription: d\nrequires: {bins: [tool]}\n---\n");
    fs::create_dir(ws.path("bin")).unwrap();
    ws.host.path = vec![ws.path("bin")];
    assert!(!ws.find().0[0].available());
    assert!(!ws.find().0[0].available());
    // Made beside the folder and moved in, as installers do, so that one change is enough.
    ws.write("tool", "");
    fs::set_permissions(ws.path("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::rename(ws.path("tool"), ws.path("bin/tool")).unwrap();
    assert!(ws.find().0[0].available());
    fs::remove_file(ws.path("bin/tool")).unwrap();
    assert!(!ws.find().0[0].available());
}

#[test]
fn broken_skills_are_reported_and_the_rest_still_load() {
    let mut ws = Workspace::new(&[]);
    let outside = TempDir::new().unwrap();
    fs::write(outside.path().join("SKILL.md"), described("outside")).unwrap();
    ws.write("skills/good/SKILL.md", described("good"));
    fs::create_dir_all(ws.path("skills/folder/SKILL.md")).unwrap();
    for name in ["pipe", "nowhere", "circle"] {
        fs::create_dir(ws.path("skills").join(name)).unwrap();
    }
    let pipe = fs::File::open(ws.path("skills/pipe")).unwrap();
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(&pipe, "SKILL.md", kind, rustix::fs::Mode::RWXU, 0).unwrap();
    symlink("gone", ws.path("skills/nowhere/SKILL.md")).unwrap();
    symlink("SKILL.md", ws.path("skills/circle/SKILL.md")).unwrap();
    symlink("gone", ws.path("skills/lost")).unwrap();
    symlink("loop", ws.path("skills/loop")).unwrap();
    symlink(outside.path(), ws.path("skills/outside")).unwrap();
    ws.write("skills/README.md", "a file among the folders");
    assert_eq!(ws.names(), ["good"]);
    assert_eq!(
        ws.problems(),
        [
            "skills/circle/SKILL.md: its links lead in a circle",
            "skills/folder/SKILL.md: it is a folder, not a file",
            "skills/loop/SKILL.md: its links lead in a circle",
            "skills/lost: it does not exist",
            "skills/nowhere/SKILL.md: it does not exist",
            "skills/outside/SKILL.md: it leads outside the workspace",
            "skills/pipe/SKILL.md: it is a named pipe, not a file",
        ]
    );
    // What was broken is tried again, and a root that was allowed since is used.
    let root = Folder::open(outside.path()).unwrap();
    let folder = Folder::open(ws.dir.path()).unwrap().with_root(root);
    let (skills, _) = ws.skills.find(&folder, &ws.host);
    assert_eq!(skills.iter().map(|s| &*s.name).collect::<Vec<_>>(), ["good", "outside"]);
    // When the root is taken away again, so is the skill.
    assert_eq!(ws.names(), ["good"]);
}

#[test]
fn links_inside_the_workspace_are_followed() {
    let mut ws = Workspace::new(&[]);
    ws.write("shared/a/SKILL.md", described("shared"));
    fs::create_dir(ws.path("skills")).unwrap();
    symlink("../shared/a", ws.path("skills/a")).unwrap();
    symlink(ws.path("shared/a"), ws.path("skills/b")).unwrap();
    assert_eq!(ws.names(), ["a", "b"]);
    assert_eq!(ws.problems(), Vec::<String>::new());
}

#[test]
fn odd_bytes_cost_a_warning_at_most() {
    let mut ws = Workspace::new(&[]);
    ws.write("skills/bom/SKILL.md", b"\xEF\xBB\xBF---\r\ndescription: bom\r\n---\r\n\r\nbody\r\n");
    ws.write("skills/bytes/SKILL.md", b"---\ndescription: a\xFFb\n---\nbody");
    let long = format!("{}{}", described("big"), "x".repeat(300_000));
    ws.write("skills/long/SKILL.md", long);
    ws.write("skills/lower/skill.md", described("lower"));
    let line = format!("---\n{}", "y".repeat(10_000_000));
    ws.write("skills/one-line/SKILL.md", line);
    ws.write("skills/中文/SKILL.md", described("处理发票"));
    let (skills, _) = ws.find();
    let seen: Vec<_> = skills.iter().map(|s| &*s.description).collect();
    assert_eq!(seen, ["bom", "aÿb", "big", "lower", "one-line", "处理发票"]);
    assert_eq!((&*skills[0].body, skills[0].body_line), ("body", 5));
    assert_eq!(
        ws.problems(),
        [
            "skills/bytes/SKILL.md: it is not UTF-8 throughout; it was read as well as it can be",
            "skills/long/SKILL.md: it has 300033 bytes; only the first 262144 were read",
            "skills/lower/skill.md: the format calls this file `SKILL.md`",
            "skills/one-line/SKILL.md line 1: the frontmatter has no closing `---`",
            "skills/one-line/SKILL.md line 1: `description` is missing",
            "skills/one-line/SKILL.md: it has 10000004 bytes; only the first 262144 were read",
        ]
    );
}

#[test]
fn a_skill_that_may_not_be_read_is_back_when_it_may() {
    if rustix::process::geteuid().is_root() {
        crate::skipped::skipped("root may read anything");
        return;
    }
    let mut ws = Workspace::new(&[]);
    ws.write("skills/a/SKILL.md", described("a"));
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let file = ws.path("skills/a/SKILL.md");
    assert_eq!(ws.names(), ["a"]);
    allow(&file, 0o000);
    assert_eq!(ws.problems(), ["skills/a/SKILL.md: reading it is not permitted"]);
    allow(&file, 0o644);
    assert_eq!(ws.names(), ["a"]);
}

#[test]
fn a_workspace_without_skills_has_only_the_built_in_ones() {
    let mut ws = Workspace::new(BUILT_IN);
    assert_eq!(ws.names(), ["cron", "memory"]);
    assert_eq!(ws.problems(), Vec::<String>::new());
    ws.write("skills", "a file in the place of the folder");
    assert_eq!(ws.names(), ["cron", "memory"]);
    assert_eq!(ws.problems(), ["skills: it is not a folder"]);
}
