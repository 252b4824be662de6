//! Files as they should not be. Each costs itself: a clear problem, bounded memory, the rest works.
#![allow(clippy::unwrap_used)]

mod sandbox;

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use sandbox::{Ran, Sandbox};

/// A workspace with one good file, so that "the rest still works" can be seen.
fn workspace(sandbox: &Sandbox) -> PathBuf {
    PathBuf::from(sandbox.workspace(&[
        ("SOUL.md", "Stay calm."),
        ("skills/good/SKILL.md", "---\ndescription: A good one\n---\nBody"),
    ]))
}

fn show(sandbox: &Sandbox, folder: &Path) -> Ran {
    let ran = sandbox.louver(&["show", "-w", folder.to_str().unwrap(), "--as", "text", "hi"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("Stay calm."), "the rest still works: {}", ran.stdout);
    assert!(ran.stdout.contains("A good one"), "the rest still works: {}", ran.stdout);
    ran
}

/// Puts something in AGENTS.md's place and says what is shown and told.
fn with_agents(make: impl FnOnce(&Path)) -> Ran {
    let sandbox = Sandbox::new();
    let folder = workspace(&sandbox);
    make(&folder.join("AGENTS.md"));
    show(&sandbox, &folder)
}

#[test]
fn a_bad_value_is_told_with_where_it_came_from() {
    let told = |sandbox: &Sandbox, args: &[&str]| sandbox.louver(args).stderr;
    let set = Sandbox::new().with("LOUVER_WINDOW", "big");
    let text = told(&set, &["show"]);
    assert!(text.starts_with("error: invalid value 'big' for 'LOUVER_WINDOW'"), "{text}");
    let text = told(&set, &["show", "--window", "big"]);
    assert!(text.starts_with("error: invalid value 'big' for '--window"), "{text}");
}

#[test]
fn a_workspace_is_not_offered_as_another_to_itself() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.home().join(".nanobot/workspace")).unwrap();
    let ran = sandbox.louver(&["doctor", "-w", ".nanobot/workspace"]);
    assert!(ran.stdout.contains("workspace .nanobot/workspace"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("another workspace"), "{}", ran.stdout);
}

#[test]
fn text_that_is_not_utf8_is_shown_as_well_as_it_can_be() {
    let ran = with_agents(|path| fs::write(path, b"caf\xe9 rule\n").unwrap());
    assert!(ran.stdout.contains("café rule"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("warning: AGENTS.md: it is not UTF-8 throughout"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("hint: save it as UTF-8"), "{}", ran.stderr);
}

#[test]
fn many_files_with_the_same_fault_are_told_in_a_few_lines() {
    let sandbox = Sandbox::new();
    let folder = workspace(&sandbox);
    for n in 0..40 {
        let skill = folder.join(format!("skills/bad{n}"));
        fs::create_dir(&skill).unwrap();
        let text = format!("---\nname: bad{n}\ndescription: Use it: when {n}\n---\nBody\n");
        fs::write(skill.join("SKILL.md"), text).unwrap();
    }
    let ran = show(&sandbox, &folder);
    let told = |text: &str| text.lines().filter(|line| line.contains("not valid YAML")).count();
    assert_eq!((told(&ran.stderr), ran.stderr.lines().count()), (3, 8), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning: 37 more like these\nhint: `louver doctor` lists all"));
    let doctor = sandbox.louver(&["doctor", "--offline", "-w", folder.to_str().unwrap()]);
    assert_eq!(told(&doctor.stdout), 40, "{}", doctor.stdout);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_go_unnoticed() {
    let ran = with_agents(|path| fs::write(path, b"\xef\xbb\xbfone\r\ntwo\r\n").unwrap());
    assert!(ran.stdout.contains("## AGENTS.md\n\none\ntwo\n"), "{}", ran.stdout);
    assert_eq!(ran.stderr, "");
}

#[test]
fn an_empty_file_says_nothing() {
    let ran = with_agents(|path| fs::write(path, "").unwrap());
    assert!(!ran.stdout.contains("AGENTS.md"), "{}", ran.stdout);
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_huge_file_is_read_to_its_limit() {
    let ran = with_agents(|path| File::create(path).unwrap().set_len(100 << 20).unwrap());
    assert!(
        ran.stderr.contains("AGENTS.md: it has 104857600 bytes; only the first 4194304"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_folder_a_pipe_and_bad_links_are_told() {
    let ran = with_agents(|path| fs::create_dir(path).unwrap());
    assert!(ran.stderr.contains("AGENTS.md: it is a folder, not a file"), "{}", ran.stderr);
    let ran = with_agents(|path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    });
    assert!(ran.stderr.contains("AGENTS.md: it is a named pipe, not a file"), "{}", ran.stderr);
    let ran = with_agents(|path| symlink("AGENTS.md", path).unwrap());
    assert!(ran.stderr.contains("AGENTS.md: its links lead in a circle"), "{}", ran.stderr);
    let ran = with_agents(|path| symlink("nowhere.md", path).unwrap());
    assert!(ran.stderr.contains("AGENTS.md: it is a link that leads nowhere"), "{}", ran.stderr);
}

#[test]
fn an_unreadable_file_is_told() {
    let ran = with_agents(|path| {
        fs::write(path, "secret").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    });
    // Root may read everything.
    let told = ran.stderr.contains("AGENTS.md: reading it is not permitted");
    assert!(told || ran.stdout.contains("secret"), "{}", ran.stderr);
}

#[test]
fn nothing_outside_is_read_through_a_link_unless_its_folder_is_a_root() {
    let sandbox = Sandbox::new();
    let folder = workspace(&sandbox);
    let outside = sandbox.home().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("notes.md"), "from outside").unwrap();
    symlink(outside.join("notes.md"), folder.join("AGENTS.md")).unwrap();
    let ran = show(&sandbox, &folder);
    assert!(!ran.stdout.contains("from outside"), "{}", ran.stdout);
    assert!(ran.stderr.contains("AGENTS.md: it leads outside the workspace"), "{}", ran.stderr);
    sandbox.config(&format!("roots = [{:?}]\n", outside));
    let ran = show(&sandbox, &folder);
    assert!(ran.stdout.contains("from outside"), "{}", ran.stderr);
}

#[test]
fn a_line_of_ten_megabytes_is_one_unit_that_goes() {
    let ran = with_agents(|path| fs::write(path, "x".repeat(10 << 20)).unwrap());
    assert!(ran.stdout.contains("tokens left out here: read AGENTS.md"), "{}", &ran.stdout[..500]);
}

#[test]
fn a_yaml_bomb_costs_its_skill_at_most() {
    let sandbox = Sandbox::new();
    let folder = workspace(&sandbox);
    let mut bomb = String::from("---\na: &a [x,x,x,x,x,x,x,x,x]\n");
    for (name, of) in
        ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"])
    {
        bomb.push_str(&format!(
            "{name}: &{name} [*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of}]\n"
        ));
    }
    bomb.push_str("description: boom\n---\nBody\n");
    let deep = format!("---\nd: {}{}\n---\nBody\n", "[".repeat(20_000), "]".repeat(20_000));
    for (name, text) in [("bomb", bomb), ("deep", deep)] {
        fs::create_dir_all(folder.join("skills").join(name)).unwrap();
        fs::write(folder.join("skills").join(name).join("SKILL.md"), text).unwrap();
    }
    let ran = show(&sandbox, &folder);
    assert!(ran.stderr.contains("skills/bomb/SKILL.md"), "{}", ran.stderr);
    assert!(ran.stderr.contains("skills/deep/SKILL.md"), "{}", ran.stderr);
}

/// A PNG's header, with the size we like.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
fn pictures_are_judged_by_their_bytes() {
    let sandbox = Sandbox::new();
    let folder = workspace(&sandbox);
    let write = |name: &str, bytes: &[u8]| {
        let path = sandbox.home().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (right, wrong) = (write("right.jpg", &png(640, 400)), write("text.png", b"hello"));
    let (huge, cut) = (write("huge.png", &png(50_000, 50_000)), write("cut.png", &png(1, 1)[..18]));
    let ran = sandbox.louver(&[
        "show",
        "-w",
        folder.to_str().unwrap(),
        "--as",
        "openai",
        "hi",
        "--media",
        &right,
        "--media",
        &wrong,
        "--media",
        &huge,
        "--media",
        &cut,
        "--media",
        "/no/such.png",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("data:image/png;base64,").count(), 1, "by its bytes it is a PNG");
    for told in [
        "text.png: not a picture that models read",
        "huge.png: the picture is 50000 × 50000 pixels",
        "cut.png: the picture is cut off",
        "/no/such.png: No such file",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
}

#[test]
fn a_history_with_orphans_is_mended_and_a_bad_line_costs_itself() {
    let sandbox = Sandbox::new();
    let folder = workspace(&sandbox);
    let history = sandbox.home().join("history.jsonl");
    fs::write(
        &history,
        "{\"role\":\"tool\",\"tool_call_id\":\"lost\",\"content\":\"x\"}\nnot json\n\
         {\"role\":\"user\",\"content\":\"first\"}\n\
         {\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}\n",
    )
    .unwrap();
    let args =
        ["show", "-w", folder.to_str().unwrap(), "--history", history.to_str().unwrap(), "hi"];
    let ran = sandbox.louver(&args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("history.jsonl line 2: left out: not JSON"), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("left out a result for `lost`, which nobody called"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("call `a` has no result; one that says so was added"),
        "{}",
        ran.stdout
    );
}

#[test]
fn settings_that_cannot_be_read_are_an_error_with_their_line() {
    let sandbox = Sandbox::new();
    let folder = workspace(&sandbox);
    fs::write(folder.join("louver.toml"), "model = \n").unwrap();
    let ran = sandbox.louver(&["show", "-w", folder.to_str().unwrap(), "hi"]);
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.starts_with("error: louver.toml line 1, `model`: "), "{}", ran.stderr);
}

#[test]
fn times_are_those_of_the_place() {
    let sandbox = Sandbox::new();
    let workspace = sandbox.workspace(&[]);
    let noted = sandbox.louver(&["tool", "-w", &workspace, "remember", "{\"text\": \"Tea.\"}"]);
    assert_eq!(noted.code, 0, "{noted:?}");
    let said = ["sessions", "append", "-w", &workspace, "cli:direct", "Hello"];
    assert_eq!(sandbox.louver(&said).code, 0);
    for args in [["memory", "log", "-w", &workspace], ["sessions", "list", "-w", &workspace]] {
        let (here, there) = (sandbox.in_zone(&args, "UTC0"), sandbox.in_zone(&args, "XXX-5:30"));
        assert!(here.code == 0 && here.stdout.contains("20"), "{here:?}");
        assert_ne!(here.stdout, there.stdout, "{args:?}");
    }
}

#[test]
fn doctor_names_what_cannot_work() {
    let sandbox = Sandbox::new();
    let files = [
        ("AGENTS.md", "Be kind."),
        (
            "louver.toml",
            "[context]\nidentity = \"/etc/passwd\"\ninstructions = [\"AGENTS.md\", \"nope.md\"]\n\
          [[layer]]\nname = \"far\"\nfile = \"/etc/passwd\"\n[[layer]]\nname = \"near\"\nfile = \"AGENTS.md\"\nplace = \"sesion\"\n",
        ),
    ];
    let workspace = sandbox.workspace(&files);
    let said = ["sessions", "append", "-w", &workspace, "cli:direct"];
    for words in ["One", "Two", "Three"] {
        assert_eq!(sandbox.louver(&[&said[..], &[words]].concat()).code, 0);
    }
    spoil(&Path::new(&workspace).join(".louver/sessions"), "Two");
    sandbox.config(
        "provider = \"opnai\"\n[providers.a]\nurl = \"127.0.0.1:8000/v1\"\n\
         [providers.b]\nurl = \"http://127.0.0.1:1/v1\"\nwire = \"openia\"\n[providers.mine]\n",
    );
    let doctor = |more: &[&str]| {
        sandbox.louver(&[&["doctor", "--offline", "-w", &workspace], more].concat())
    };
    let ran = doctor(&[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    for told in [
        "mend  no server for the model: unknown provider `opnai`\n      did you mean `openai`?",
        "mend  [context]: there is no file `nope.md`, which `instructions` names",
        "mend  /etc/passwd: ",
        "mend  layer `near`: it cannot be used: no `place` is `sesion`\n      did you mean `session`?",
        "log.jsonl line 3: it was damaged",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    let ran = doctor(&["--provider", "openai"]);
    for told in [
        "mend  providers.a: `127.0.0.1:8000/v1` is no address of a server\n      begin it with http://",
        "mend  providers.b: unknown wire `openia`",
        "mend  providers.mine: `[providers.mine]` has no `url`",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
}

/// Spoils the line of a log that has these words.
fn spoil(folder: &Path, words: &str) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => spoil(&entry, words),
            false => {
                let text = fs::read_to_string(&entry).unwrap_or_default();
                fs::write(&entry, text.replace(words, "Tow")).unwrap();
            }
        }
    }
}

#[test]
fn a_folder_with_a_blank_can_be_pasted() {
    let sandbox = Sandbox::new();
    let made = sandbox.louver(&["init", "--no-provider", "my ws"]);
    assert!(made.stderr.contains("louver chat --workspace 'my ws'"), "{made:?}");
}
